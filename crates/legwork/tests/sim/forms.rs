//! Every built-in robot in every form of its equations of motion.

use legwork::description::{BUILT_IN, RobotDescription};
use legwork::sim::{Efforts, Ending, FormulationKind, Integrator, Plant, Run, Simulation, SimulationError};
use legwork::{AnyRobot, PlatformState};
use legwork_testkit::{gap, nan_max};

const FORMS: [FormulationKind; 3] =
    [FormulationKind::Constrained { pole: 5.0 }, FormulationKind::Projected, FormulationKind::Hamiltonian];

/// A tenth of the holding efforts missing: every robot sinks.
fn sinking(robot: &AnyRobot) -> Efforts {
    let hold = robot.state(&robot.home()).unwrap().dynamics.unwrap().gravity;
    Efforts::Constant(hold.iter().map(|u| 0.9 * u + 0.01).collect())
}

fn run(robot: &AnyRobot, formulation: FormulationKind) -> Run {
    let mut start = robot.home();
    for freedom in robot.freedoms() {
        // Slowly and in all freedoms at once, so that every velocity product counts.
        start.twist[freedom.component] = if freedom.turns() { 0.3 } else { 0.1 };
    }
    Simulation::new(robot, sinking(robot))
        .starting_at(start)
        .lasting(0.1)
        .sampled_every(0.02)
        .formulated_as(formulation)
        .integrated_by(Integrator::Dopri5 { tolerance: 1e-11 })
        .run()
        .unwrap()
}

/// Largest difference of position \[m\] and of any number of the rotation matrix.
fn apart(a: &PlatformState, b: &PlatformState) -> [f64; 2] {
    let position = a.position.iter().zip(b.position).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
    [position, gap(a.rotation.as_flattened(), b.rotation.as_flattened())]
}

#[test]
fn every_built_in_robot_moves_the_same_in_every_form() {
    let robots: Vec<_> = built_in().filter(|robot| robot.mobility().is_none()).collect();
    assert!(robots.len() >= 20, "{} robots have masses", robots.len());
    robots.iter().for_each(check);
}

fn built_in() -> impl Iterator<Item = AnyRobot> {
    BUILT_IN.iter().map(|built_in| AnyRobot::open(built_in.name).unwrap()).filter(AnyRobot::has_masses)
}

/// Bodies and joints with loops of every kind, dependent rows, idle rods and more motors than freedoms among them.
#[test]
fn every_mechanism_moves_the_same_in_every_form() {
    let mechanisms: Vec<_> = built_in().filter(|robot| robot.mobility().is_some()).collect();
    assert!(mechanisms.len() >= 10, "{} mechanisms have masses", mechanisms.len());
    mechanisms.iter().for_each(check);
}

/// A crank and a rocker, both with motors: one of them tells where the other is. At home the rocker moves faster and is the
/// independent one; twice in each turn of the crank it stands still, and the crank must be.
#[test]
fn the_independent_motor_changes_along_a_motion() {
    let bar = |name: &str, from: [f64; 2], to: [f64; 2]| {
        format!(
            "[[body]]\nname = \"{name}\"\nmass = 1\nfrom = [{:e}, {:e}, 0]\nto = [{:e}, {:e}, 0]\ndiameter = 0.02\n",
            from[0], from[1], to[0], to[1]
        )
    };
    let pin = |name: &str, parent: &str, child: &str, at: [f64; 2], active: bool| {
        format!(
            "[[joint]]\nname = \"{name}\"\ntype = \"revolute\"\nparent = \"{parent}\"\nchild = \"{child}\"\n\
             point = [{:e}, {:e}, 0]\naxis = [0, 0, 1]\nactive = {active}\n",
            at[0], at[1]
        )
    };
    // Ground 1, crank 0.4 at 330 degrees, rod 1, rocker 0.45 m.
    let (o, g) = ([0.0, 0.0], [1.0, 0.0]);
    let (a, b) = ([0.34641016151377535, -0.20000000000000018], [1.1199805888377747, 0.43371033916905977]);
    let text = "family = \"mechanism\"\nplatform = \"crank\"\ngravity = 0\n".to_owned()
        + &[bar("crank", o, a), bar("rod", a, b), bar("rocker", b, g)].concat()
        + &[pin("p", "crank", "rod", a, false), pin("q", "rod", "rocker", b, false)].concat()
        + &[pin("rocker_foot", "base", "rocker", g, true), pin("crank_foot", "base", "crank", o, true)]
            .concat();
    let robot = AnyRobot::new(RobotDescription::parse(&text, "robot.toml").unwrap()).unwrap();
    assert_eq!(robot.mobility().unwrap().dependent_motors, ["crank_foot"]);
    let mut start = robot.home();
    start.twist[5] = 5.0;
    let run = |form| {
        Simulation::new(&robot, Efforts::Constant(vec![0.01, 0.02]))
            .starting_at(start)
            .lasting(2.0)
            .sampled_every(0.1)
            .formulated_as(form)
            .integrated_by(Integrator::Dopri5 { tolerance: 1e-11 })
            .run()
            .unwrap()
    };
    let (minimal, projected) = (run(FormulationKind::Minimal), run(FormulationKind::Projected));
    assert_eq!(minimal.summary.ending, Ending::Completed);
    let (last, other) = (minimal.samples.last().unwrap(), projected.samples.last().unwrap());
    assert!(last.q[1] > std::f64::consts::TAU, "the crank has turned round: {:?}", last.q);
    // 1e-8: two integrations at 1e-11 over a turn and a half.
    assert!(gap(last.q, other.q) < 1e-8, "{:?} {:?}", last.q, other.q);
    assert!(minimal.summary.imbalance < 1e-9 * minimal.summary.kinetic, "{:?}", minimal.summary);
}

/// Four arms, and one arm unlike the others, from a file.
#[test]
fn arms_are_replaceable_and_their_number_is_a_number() {
    for text in [
        include_str!("../../examples/robots/four-arm-delta.toml"),
        include_str!("../../examples/robots/odd-arm-delta.toml"),
    ] {
        check(&AnyRobot::new(RobotDescription::parse(text, "robot.toml").unwrap()).unwrap());
    }
}

fn check(robot: &AnyRobot) {
    let name = robot.name();
    let minimal = run(robot, FormulationKind::Minimal);
    for form in FORMS {
        let other = run(robot, form);
        let mut worst = [0.0_f64; 3];
        for (a, b) in minimal.samples.iter().zip(other.samples.iter()) {
            let [off, turned] = apart(&a.platform, &b.platform);
            let joints = gap(a.q, b.q);
            worst = [nan_max(worst[0], off), nan_max(worst[1], turned), nan_max(worst[2], joints)];
        }
        let s = other.summary;
        println!(
            "{name:26} {form:12} {:.0e} m {:.0e} {:.0e}, {:4} steps of {:4}, gap {:.1e} m, energy {:.1e} of {:.1e} J",
            worst[0],
            worst[1],
            worst[2],
            s.statistics.steps,
            minimal.summary.statistics.steps,
            s.loop_gap,
            s.imbalance,
            s.kinetic
        );
        assert_eq!(s.ending, Ending::Completed, "{name} {form}");
        assert_eq!(minimal.samples.len(), other.samples.len());
        // The bar of the forms; the motors' own coordinates may be longer levers than the platform's.
        assert!(worst[0] < 1e-9 && worst[1] < 1e-9 && worst[2] < 1e-8, "{name} {form}: {worst:?}");
        // Put back onto closed loops to rounding of lengths of a metre; pulled: what the tolerance lets open.
        let gap = if matches!(form, FormulationKind::Constrained { .. }) { 1e-9 } else { 1e-13 };
        assert!(s.loop_gap < gap, "{name} {form}: {:e} m", s.loop_gap);
        let potential = other.samples.last().unwrap().energy.potential.abs();
        assert!(s.imbalance < 1e-9 * s.kinetic + 1e-13 * potential, "{name} {form}: {s:?}");
    }
}

#[test]
fn rattle_says_where_it_ends() {
    let rattle = Integrator::Rattle { step: 1e-3 };
    let with = |name: &str, form| {
        let robot = AnyRobot::open(name).unwrap();
        Simulation::new(&robot, sinking(&robot)).formulated_as(form).integrated_by(rattle).run().unwrap_err()
    };
    assert_eq!(with("gough-stewart", FormulationKind::Projected), SimulationError::NotSymplectic);
    // The pads of a C5 slide without mass.
    let refused = with("c5", FormulationKind::Hamiltonian);
    assert!(
        matches!(&refused, SimulationError::Massless { bodies } if bodies[0].contains("end")),
        "{refused}"
    );
}

/// RATTLE on the rotation group: of second order, with closed loops, for balls, free bodies, dependent rows and idle rods.
#[test]
fn rattle_steps_any_mechanism() {
    for name in ["gough-stewart", "3-rps", "quattro", "agile-eye", "delta-two-rods"] {
        let robot = AnyRobot::open(name).unwrap();
        let mut start = robot.home();
        for freedom in robot.freedoms() {
            start.twist[freedom.component] = if freedom.turns() { 0.3 } else { 0.1 };
        }
        let run = |integrator| {
            Simulation::new(&robot, sinking(&robot))
                .starting_at(start)
                .lasting(0.04)
                .sampled_every(0.04)
                .formulated_as(FormulationKind::Hamiltonian)
                .integrated_by(integrator)
                .run()
                .unwrap()
        };
        let exact = run(Integrator::Dopri5 { tolerance: 1e-12 }).samples.last().unwrap().platform;
        let errors = [4e-3, 2e-3].map(|step| {
            let found = run(Integrator::Rattle { step });
            assert!(found.summary.loop_gap < 1e-13, "{name}: {:e} m", found.summary.loop_gap);
            let [off, turned] = apart(&exact, &found.samples.last().unwrap().platform);
            off + turned
        });
        let order = (errors[0] / errors[1]).log2();
        println!("{name:16} {:.1e} {:.1e}, order {order:.3}", errors[0], errors[1]);
        assert!((order - 2.0).abs() < 0.05, "{name}: order {order}");
    }
}

/// A crank that turns nine times: the energy of a symplectic run swings and shows no trend.
#[test]
fn rattle_keeps_the_energy_of_a_mechanism() {
    let robot = rocker("rocker motor");
    let mut start = robot.home();
    start.twist[5] = 7.0;
    let run = Simulation::new(&robot, Efforts::Constant(vec![0.0]))
        .starting_at(start)
        .lasting(8.0)
        .sampled_every(0.02)
        .formulated_as(FormulationKind::Hamiltonian)
        .integrated_by(Integrator::Rattle { step: 1e-2 })
        .run()
        .unwrap();
    let totals: Vec<f64> = run.samples.iter().map(|s| s.energy.total()).collect();
    let first = totals[0];
    let spread = |part: &[f64]| part.iter().map(|e| (e - first).abs()).fold(0.0, nan_max);
    let (early, late) = totals.split_at(totals.len() / 2);
    println!("{:.1e} {:.1e} of {:.1e} J", spread(early), spread(late), run.summary.kinetic);
    assert!(spread(late) < 1.1 * spread(early) && spread(late) < 0.05 * run.summary.kinetic);
}

/// Two kilograms are picked up on the way: all forms go on from the same velocities.
#[test]
fn a_payload_is_picked_up_in_every_form() {
    for name in ["gough-stewart", "hexa", "custom-delta"] {
        let robot = AnyRobot::open(name).unwrap();
        let run = |form| {
            let run = Simulation::new(&robot, sinking(&robot))
                .on_plant(Plant::ideal().carrying(0.05, 2.0))
                .lasting(0.1)
                .formulated_as(form)
                .integrated_by(Integrator::Dopri5 { tolerance: 1e-11 })
                .run()
                .unwrap();
            run.samples.last().unwrap().platform
        };
        let minimal = run(FormulationKind::Minimal);
        for form in FORMS {
            let [off, turned] = apart(&minimal, &run(form));
            assert!(off < 1e-9 && turned < 1e-9, "{name} {form}: {off:e} m");
        }
    }
}

/// A crank and a rocker with a coupler of 0.9 m between them; one of the two has the motor.
fn rocker(driven: &str) -> AnyRobot {
    let joint = |name: &str, child: &str, at: &str| {
        let active = if name == driven { "active = true\n" } else { "" };
        format!(
            "[[joint]]\nname = '{name}'\ntype = 'revolute'\nparent = 'base'\nchild = '{child}'\npoint = {at}\naxis = [0, 0, 1]\n{active}"
        )
    };
    let text = format!(
        "name = 'crank and rocker'\nfamily = 'mechanism'\nplatform = 'crank'\n\
         [[body]]\nname = 'crank'\nmass = 1\nfrom = [0, 0, 0]\nto = [0, 0.3, 0]\n\
         [[body]]\nname = 'coupler'\nmass = 0.5\nfrom = [0, 0.3, 0]\nto = [0.8546375634991147, 0.5821252116637161, 0]\n\
         [[body]]\nname = 'rocker'\nmass = 0.7\nfrom = [1, 0, 0]\nto = [0.8546375634991147, 0.5821252116637161, 0]\n\
         {}{}\
         [[joint]]\ntype = 'revolute'\nparent = 'crank'\nchild = 'coupler'\npoint = [0, 0.3, 0]\naxis = [0, 0, 1]\n\
         [[joint]]\ntype = 'revolute'\nparent = 'rocker'\nchild = 'coupler'\npoint = [0.8546375634991147, 0.5821252116637161, 0]\naxis = [0, 0, 1]\n",
        joint("crank motor", "crank", "[0, 0, 0]"),
        joint("rocker motor", "rocker", "[1, 0, 0]"),
    );
    AnyRobot::new(RobotDescription::parse(&text, "rocker.toml").unwrap()).unwrap()
}

/// The rocker turns round twice in each turn of the crank: there its motor does not tell where the mechanism goes. The
/// minimal form in that motor stops, the others pass as the one with the motor at the crank does.
#[test]
fn forms_in_all_joints_pass_where_the_motors_have_no_chart() {
    let run = |driven: &str, form| {
        let robot = rocker(driven);
        let mut start = robot.home();
        start.twist[5] = 7.0;
        let efforts = Efforts::Constant(vec![0.0]);
        Simulation::new(&robot, efforts)
            .starting_at(start)
            .lasting(1.5)
            .sampled_every(0.05)
            .formulated_as(form)
            .integrated_by(Integrator::Dopri5 { tolerance: 1e-12 })
            .run()
            .unwrap()
    };
    let whole = run("crank motor", FormulationKind::Minimal);
    assert_eq!(whole.summary.ending, Ending::Completed);
    let turns = whole.samples.last().unwrap().q[0] / std::f64::consts::TAU;
    assert!(turns > 1.0, "{turns} turns");
    let stopped = run("rocker motor", FormulationKind::Minimal).summary.ending;
    assert!(matches!(stopped, Ending::Stopped { time, .. } if time < 1.0), "{stopped:?}");
    for form in FORMS {
        let passed = run("rocker motor", form);
        assert_eq!(passed.summary.ending, Ending::Completed, "{form}");
        let samples = whole.samples.iter().zip(passed.samples.iter());
        let off = samples.map(|(a, b)| apart(&a.platform, &b.platform)[1]).fold(0.0, nan_max);
        println!(
            "{form:12} {off:.0e}, gap {:.1e} m, energy {:.1e} J",
            passed.summary.loop_gap, passed.summary.imbalance
        );
        assert!(off < 1e-9, "{form}: {off:e}");
        assert!(passed.summary.imbalance < 1e-9 * passed.summary.kinetic, "{form}: {:?}", passed.summary);
    }
}

/// Without torque the industrial Delta falls until all legs are stretched, and swings through. Its nine angles in
/// closed form are the judge of the same robot as bodies and joints.
#[test]
fn a_stretched_leg_is_passed() {
    let delta = AnyRobot::open("delta-industrial").unwrap();
    let run = |robot: &AnyRobot, form| {
        Simulation::new(robot, Efforts::Constant(vec![0.0; 3]))
            .starting_at(PlatformState::at([0.02, 0.01, -0.8]))
            .lasting(0.6)
            .sampled_every(0.1)
            .formulated_as(form)
            .integrated_by(Integrator::Dopri5 { tolerance: 1e-11 })
            .run()
            .unwrap()
    };
    let exact = run(&delta, FormulationKind::Projected);
    let stopped = run(&delta, FormulationKind::Minimal).summary.ending;
    assert!(matches!(stopped, Ending::Stopped { .. }), "the run should come to a stretched leg");
    let legs = delta.through_the_engine().unwrap();
    for form in FORMS {
        let passed = run(&legs, form);
        assert_eq!(passed.summary.ending, Ending::Completed, "{form}");
        let samples = exact.samples.iter().zip(passed.samples.iter());
        let off = samples.map(|(a, b)| apart(&a.platform, &b.platform)[0]).fold(0.0, nan_max);
        println!("{form:12} {off:.0e} m");
        assert!(off < 1e-9, "{form}: {off:e} m");
        assert!(passed.summary.imbalance < 1e-9 * passed.summary.kinetic, "{form}: {:?}", passed.summary);
    }
}

/// A Delta that holds an object at its centre of mass by a ball joint: the object is a payload, and turns as it likes.
#[test]
fn an_object_held_at_its_centre_is_a_payload() {
    let mut loaded = AnyRobot::open("delta-industrial").unwrap().description().clone();
    loaded.data.set_payload(1.0);
    let loaded = AnyRobot::new(loaded).unwrap();
    let text = "name = 'ball'\nfamily = 'mechanism'\nplatform = 'arm.platform'\n\
        [[robot]]\nname = 'arm'\nrobot = 'delta-industrial'\npayload = 0\nhome = [0, 0, -0.8]\n\
        [[body]]\nname = 'object'\nmass = 1\ninertia = [0.01, 0.01, 0.01]\nposition = [0, 0, -0.8]\n\
        [[joint]]\ntype = 'spherical'\nparent = 'arm.platform'\nchild = 'object'\n";
    let cell = AnyRobot::new(RobotDescription::parse(text, "ball.toml").unwrap()).unwrap();
    assert_eq!(cell.mobility().unwrap().idle_freedoms, 3);
    let hold = loaded.gravity(&PlatformState::at([0.0, 0.0, -0.8])).unwrap();
    let run = |robot: &AnyRobot, form| {
        let run = Simulation::new(robot, Efforts::Constant(hold.clone()))
            .starting_at(PlatformState::at([0.15, -0.1, -0.72]))
            .lasting(0.5)
            .formulated_as(form)
            .integrated_by(Integrator::Dopri5 { tolerance: 1e-11 })
            .run()
            .unwrap();
        run.samples.last().unwrap().platform
    };
    let exact = run(&loaded, FormulationKind::Minimal);
    for form in FORMS.into_iter().chain([FormulationKind::Minimal]) {
        let [off, _] = apart(&exact, &run(&cell, form));
        assert!(off < 1e-9, "{form}: {off:e} m");
    }
}
