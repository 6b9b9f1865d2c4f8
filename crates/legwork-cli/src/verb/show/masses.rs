//! Masses, motors and limits of a robot, family by family.

use super::super::about::{self, alike};
use super::part::{Part, Value};
use legwork::AnyRobot;
use legwork::coordinates::{CoordinateSchema, MotorMotion};
use legwork::description::{
    Bar, Body, CustomDescription, DeltaMass, JointKind, LinearMotor, Model, Motor, UpsMass,
};
use legwork::text::{short, short_list};

fn mass(key: &'static str, mass: f64) -> Part {
    Part::new(key, Value::Mass(mass))
}

fn bar(key: &'static str, bar: Bar, from: &'static str) -> Part {
    Part::new(key, Value::Bar(bar, from))
}

fn body(key: &'static str, body: Body) -> Part {
    Part::new(key, Value::Body(body))
}

/// The bodies; nothing for a robot with geometry only.
pub fn bodies(robot: &AnyRobot) -> Vec<Part> {
    match &robot.description().model {
        Model::Delta(d) => d.mass.map(|m| delta(&m)),
        Model::GoughStewart(d) => d.mass.map(|m| ups(&m)),
        Model::Space(d) => d.mass.map(|m| ups(&m)),
        Model::C5(d) => d.mass.map(|m| {
            vec![
                body("platform", m.platform),
                body("payload", m.payload),
                Part::new("legs", Value::Masses(m.legs.to_vec())),
            ]
        }),
        Model::Hexa(d) => d.mass.map(|m| {
            vec![
                body("platform", m.platform),
                body("payload", m.payload),
                bar("arm", m.arm, "motor"),
                mass("elbow", m.elbow),
                bar("rod", m.rod, "elbow"),
            ]
        }),
        Model::Hexaglide(d) => d.mass.map(|m| {
            vec![
                body("platform", m.platform),
                body("payload", m.payload),
                mass("carriage", m.carriage),
                bar("rod", m.rod, "carriage"),
            ]
        }),
        Model::LinearDelta(d) => d.mass.map(|m| {
            vec![
                mass("platform", m.platform),
                mass("payload", m.payload),
                mass("carriage", m.carriage),
                bar("rod", m.rod, "carriage"),
            ]
        }),
        Model::FiveBar(d) => d.mass.map(|m| {
            vec![
                mass("platform", m.platform),
                mass("payload", m.payload),
                bar("proximal", m.proximal, "motor"),
                bar("distal", m.distal, "elbow"),
            ]
        }),
        Model::Planar3Rrr(d) => d.mass.map(|m| {
            vec![
                Part::new("platform", Value::Planar(m.platform)),
                Part::new("payload", Value::Planar(m.payload)),
                bar("proximal", m.proximal, "motor"),
                bar("distal", m.distal, "elbow"),
            ]
        }),
        Model::Custom(d) => custom(d),
        _ => None,
    }
    .unwrap_or_default()
}

fn delta(m: &DeltaMass) -> Vec<Part> {
    let arm = Bar { mass: m.arm, centre: m.arm_centre, inertia: m.arm_inertia };
    let forearm = Bar { mass: m.forearm, centre: m.forearm_centre, inertia: m.forearm_inertia };
    vec![
        mass("platform", m.platform),
        mass("payload", m.payload),
        bar("arm", arm, "motor"),
        mass("elbow", m.elbow),
        bar("forearm", forearm, "elbow"),
    ]
}

fn ups(m: &UpsMass) -> Vec<Part> {
    vec![
        body("platform", m.platform),
        body("payload", m.payload),
        body("cylinder", m.cylinder),
        body("rod", m.rod),
    ]
}

fn custom(d: &CustomDescription) -> Option<Vec<Part>> {
    let legs = d.legs.iter().map(|leg| leg.joints.iter().map(|joint| joint.body.mass).sum()).collect();
    Some(vec![
        body("platform", d.platform?),
        body("payload", d.payload),
        Part::new("legs", Value::Masses(legs)),
    ])
}

/// "9.81 m/s^2", and where it pulls if that is not down.
pub fn gravity(robot: &AnyRobot) -> Part {
    let description = robot.description();
    let size = short(description.gravity);
    let text = if description.gravity_direction == [0.0, 0.0, -1.0] || description.gravity == 0.0 {
        format!("{size} m/s^2")
    } else {
        format!("{size} m/s^2 along ({})", short_list(&description.gravity_direction))
    };
    Part::new("gravity", Value::Word(text))
}

/// The motors, each kind with a title.
pub fn motors(robot: &AnyRobot) -> Vec<(&'static str, Vec<Part>)> {
    const ARM: &str = "motor, as the arm feels it";
    const LINE: &str = "motor, along its joint";
    match &robot.description().model {
        Model::Delta(d) => vec![(ARM, rotary(&d.motor))],
        Model::Hexa(d) => vec![(ARM, rotary(&d.motor))],
        Model::FiveBar(d) => vec![(ARM, rotary(&d.motor))],
        Model::Planar3Rrr(d) => vec![(ARM, rotary(&d.motor))],
        Model::GoughStewart(d) => vec![(LINE, linear(&[d.motor]))],
        Model::C5(d) => vec![(LINE, linear(&d.motors))],
        Model::Hexaglide(d) => vec![(LINE, linear(&[d.motor]))],
        Model::LinearDelta(d) => vec![(LINE, linear(&[d.motor]))],
        Model::Space(d) => vec![
            ("rotary motor, as the leg feels it", rotary(&d.rotary_motor)),
            ("linear motor, along the leg", linear(&[d.linear_motor])),
        ],
        Model::Custom(d) => drives(d),
        _ => Vec::new(),
    }
}

fn rotary(m: &Motor) -> Vec<Part> {
    let ratio = short(m.gear_ratio);
    let inertia = if m.inertia_at_arm() == 0.0 {
        format!("not given, gear ratio {ratio}")
    } else {
        format!(
            "{} kg m^2: rotor {} and gear {} kg m^2, gear ratio {ratio}",
            short(m.inertia_at_arm()),
            short(m.rotor_inertia),
            short(m.gear_inertia)
        )
    };
    let mut parts = vec![Part::new("inertia", Value::Word(inertia))];
    parts.extend(friction(&[(m.viscous_friction, m.coulomb_friction)], false));
    parts
}

fn linear(motors: &[LinearMotor]) -> Vec<Part> {
    let inertias: Vec<f64> = motors.iter().map(|motor| motor.actuator_inertia).collect();
    let mut parts = vec![Part::new("inertia", numbers(&inertias, "kg"))];
    let pairs: Vec<_> = motors.iter().map(|motor| (motor.viscous_friction, motor.coulomb_friction)).collect();
    parts.extend(friction(&pairs, true));
    parts
}

/// One number if all are the same.
fn numbers(list: &[f64], unit: &'static str) -> Value {
    let same = list.iter().all(|x| Some(x) == list.first());
    match list.first() {
        None => Value::Word("not given".into()),
        Some(0.0) if same => Value::Word("not given".into()),
        Some(first) if same => Value::Plain(*first, unit),
        Some(_) => Value::Numbers(list.to_vec(), unit),
    }
}

fn friction(pairs: &[(f64, f64)], slides: bool) -> Option<Part> {
    if pairs.iter().all(|pair| *pair == (0.0, 0.0)) {
        return None;
    }
    let list = |get: fn(&(f64, f64)) -> f64| {
        let list: Vec<f64> = pairs.iter().map(get).collect();
        let same = list.iter().all(|x| Some(x) == list.first());
        short_list(if same { &list[..1] } else { &list })
    };
    let (viscous, coulomb) = if slides { ("N s/m", "N") } else { ("N m s/rad", "N m") };
    let text =
        format!("viscous {} {viscous}, Coulomb {} {coulomb}", list(|pair| pair.0), list(|pair| pair.1));
    Some(Part::new("friction", Value::Word(text)))
}

/// The driven joints of a robot of one's own, those that turn and those that slide.
fn drives(d: &CustomDescription) -> Vec<(&'static str, Vec<Part>)> {
    let active = || d.legs.iter().flat_map(|leg| &leg.joints).filter(|joint| joint.active);
    let of = |kind: JointKind| active().filter(move |joint| joint.kind == kind).map(|joint| joint.drive);
    let kinds = [
        ("motors that turn", JointKind::Revolute, "kg m^2"),
        ("motors that slide", JointKind::Prismatic, "kg"),
    ];
    let mut found = Vec::new();
    for (title, kind, unit) in kinds {
        let inertias: Vec<f64> = of(kind).map(|drive| drive.actuator_inertia).collect();
        if inertias.is_empty() {
            continue;
        }
        let mut parts = vec![Part::new("inertia", numbers(&inertias, unit))];
        let pairs: Vec<_> = of(kind).map(|drive| (drive.viscous_friction, drive.coulomb_friction)).collect();
        parts.extend(friction(&pairs, kind == JointKind::Prismatic));
        found.push((title, parts));
    }
    found
}

/// How far, how fast and how strong the motors are.
pub fn limits(robot: &AnyRobot) -> Vec<(&'static str, String)> {
    let schema = CoordinateSchema::of(robot);
    let (range, largest_effort) = match schema.motor_motion() {
        MotorMotion::Turn => ("motor angles", "largest torque"),
        MotorMotion::Slide => ("motor positions", "largest force"),
        MotorMotion::Both => ("joints", "largest effort"),
    };
    let mut lines = vec![(range, about::limits(robot).unwrap_or_else(|| "no limits given".into()))];
    let largest = |text: fn(&legwork::Joint) -> Option<String>| {
        let groups = alike(robot.joints(), text);
        let alone = groups.len() == 1;
        let text = |(text, names): &(Option<String>, Vec<&str>)| {
            let text = text.clone()?;
            Some(if alone { text } else { format!("{} {text}", names.join(" ")) })
        };
        let texts: Vec<String> = groups.iter().filter_map(text).collect();
        (!texts.is_empty()).then(|| texts.join(", "))
    };
    let effort = largest(|joint| Some(format!("{} {}", short(joint.max_effort?), joint.effort_unit())));
    lines.extend(effort.map(|text| (largest_effort, text)));
    let speed = largest(|joint| Some(format!("{} {}/s", short(joint.max_speed?), joint.unit())));
    lines.extend(speed.map(|text| ("largest speed", text)));
    lines
}
