//! Robots whose base moves, against another gravity, Newton and Lagrange in the world, and the energy balance.

use crate::robot_support::{Seeded, some_state};
use crate::support::{cross, halves, joined, minus, parse, plus, text, times, transposed};
use legwork::description::{BUILT_IN, ModelError};
use legwork::sim::{BaseCourse, Efforts, FormulationKind, Integrator, Plant, Simulation, Sway};
use legwork::{AnyRobot, MovingBase, PlatformState, rotation_from_roll_pitch_yaw};
use legwork_testkit::{largest, relative_error_above as error};
use std::f64::consts::TAU;

/// A base accelerated by a is gravity g − a, for every robot with masses.
#[test]
fn an_accelerated_base_is_another_gravity() {
    let mut random = Seeded(31);
    let a = [2.0, -3.0, 5.0];
    let mut tried = 0;
    for built_in in BUILT_IN {
        let robot = AnyRobot::open(built_in.name).unwrap();
        if !robot.has_masses() {
            continue;
        }
        tried += 1;
        let g = minus(robot.description().gravity_vector(), a);
        let size = g.iter().map(|x| x * x).sum::<f64>().sqrt();
        let said = format!("gravity_direction = {g:?}\ngravity = {size}");
        let file: Vec<&str> = built_in.text.lines().filter(|line| !line.starts_with("gravity")).collect();
        let falling = parse(&format!("{said}\n{}", file.join("\n")));
        let base = MovingBase { acceleration: [a[0], a[1], a[2], 0.0, 0.0, 0.0], ..MovingBase::REST };
        let on_base = robot.on_moving_base().unwrap();
        for _ in 0..5 {
            let at = some_state(&robot, &mut random);
            let (one, other) =
                (on_base.inverse_dynamics(&at, &base).unwrap(), falling.inverse_dynamics(&at).unwrap());
            assert!(error(&one, &other, 1.0) < 1e-10, "{}: {one:?} {other:?}", built_in.name);
            let (state, _) = on_base.state(&at, &base).unwrap();
            let (d, e) = (state.dynamics.unwrap(), falling.state(&at).unwrap().dynamics.unwrap());
            assert!(
                error(&d.leg_force, &e.leg_force, 1.0) < 1e-9,
                "{}: {:?} {:?}",
                built_in.name,
                d.leg_force,
                e.leg_force
            );
        }
        // A base that only keeps its speed changes nothing, one that is tilted turns gravity.
        let at = some_state(&robot, &mut random);
        let steady = MovingBase { twist: [3.0, -2.0, 1.0, 0.0, 0.0, 0.0], ..MovingBase::REST };
        let plain = robot.inverse_dynamics(&at).unwrap();
        assert!(error(&on_base.inverse_dynamics(&at, &steady).unwrap(), &plain, 1.0) < 1e-11);
    }
    assert!(tried > 15, "{tried} robots have masses");
}

/// A Delta whose legs weigh nothing carries a point, whose place in the world is differentiated twice by differences:
/// Newton's law alone.
#[test]
fn a_point_on_a_turning_base_obeys_newton_in_the_world() {
    let tool = "[tool]\noffset = [0.05, 0.02, -0.1]\n";
    let file = text("delta-industrial", "", tool)
        .replace("platform = \"0.5 kg\"", "platform = \"0 kg\"")
        .replace("payload = \"1 kg\"", "payload = \"2 kg\"")
        .replace("arm = \"1.2 kg\"", "arm = \"0 kg\"")
        .replace("elbow = \"0.15 kg\"", "elbow = \"0 kg\"")
        .replace("forearm = \"0.3 kg\"", "forearm = \"0 kg\"")
        .replace("rotor_inertia = \"0.02 kg m^2\"", "rotor_inertia = 0");
    let robot = parse(&file);
    let sway = |component, amplitude, frequency, phase| Sway { component, amplitude, frequency, phase };
    let course = BaseCourse::default()
        .swaying(sway(0, 0.3, 0.7, 0.2))
        .swaying(sway(2, 0.2, 1.1, -0.4))
        .swaying(sway(3, 0.4, 0.5, 0.1))
        .swaying(sway(4, 0.3, 0.8, 1.0))
        .swaying(sway(5, 0.6, 0.3, -0.7));
    let coordinate = |component: usize, t: f64| {
        let all = [
            (0, 0.3, 0.7, 0.2),
            (2, 0.2, 1.1, -0.4),
            (3, 0.4, 0.5, 0.1),
            (4, 0.3, 0.8, 1.0),
            (5, 0.6, 0.3, -0.7),
        ];
        let found = all.iter().find(|(c, ..)| *c == component);
        found.map_or(0.0, |(_, a, f, p)| a * (TAU * f * t + p).sin())
    };
    // The tool point as the base sees it.
    let (v, a) = ([0.9, -0.4, 0.3], [4.0, 2.0, -6.0]);
    let (start, now) = ([0.08, -0.03, -0.95], 0.37);
    let seen = |t: f64| {
        let s = t - now;
        std::array::from_fn::<f64, 3, _>(|k| start[k] + v[k] * s + 0.5 * a[k] * s * s)
    };
    let turn = |t: f64| rotation_from_roll_pitch_yaw([3, 4, 5].map(|c| coordinate(c, t)));
    let world = |t: f64| plus(std::array::from_fn(|k| coordinate(k, t)), times(&turn(t), seen(t)));
    let h = 1e-4;
    let second: [f64; 3] =
        std::array::from_fn(|k| (world(now + h)[k] - 2.0 * world(now)[k] + world(now - h)[k]) / (h * h));
    // The force on the point, in the axes of the base: what the legs must give.
    let force = times(&transposed(&turn(now)), minus(second, [0.0, 0.0, -9.81]).map(|x| 2.0 * x));
    let at = PlatformState::at(start).moving(v, a);
    let torque = robot.on_moving_base().unwrap().inverse_dynamics(&at, &course.at(now)).unwrap();
    // Jᵀ f
    let jacobian = robot.jacobian(&at).unwrap();
    let held: Vec<f64> = (0..3).map(|k| (0..3).map(|i| jacobian[i][k] * force[i]).sum()).collect();
    assert!(error(&torque, &held, 1.0) < 1e-6, "{torque:?} {held:?}"); // differences: h², rounding over h²
}

/// The whole Delta on a base that sways in all six coordinates, by Lagrange's equation on the energies of its thin rods
/// in the world, from nothing but the places of their ends, by differences.
#[test]
fn torques_on_a_swaying_base_follow_from_places_in_the_world() {
    let robot = AnyRobot::open("delta-industrial").unwrap();
    let sways: Vec<Sway> = [0.3, 0.2, 0.25, 0.4, 0.3, 0.6]
        .into_iter()
        .enumerate()
        .map(|(component, amplitude)| {
            let k = component as f64;
            Sway { component, amplitude, frequency: 0.4 + 0.15 * k, phase: 0.3 - 0.4 * k }
        })
        .collect();
    let course = sways.iter().fold(BaseCourse::default(), |course, sway| course.swaying(*sway));
    let world = |t: f64, point: [f64; 3]| {
        let c: Vec<f64> =
            sways.iter().map(|s| s.amplitude * (TAU * s.frequency * t + s.phase).sin()).collect();
        plus([c[0], c[1], c[2]], times(&rotation_from_roll_pitch_yaw([c[3], c[4], c[5]]), point))
    };
    // Ends of arm and forearm of every leg in the world, the platform last, and the motors' angles.
    let places = |t: f64, x: [f64; 3]| {
        let at = PlatformState::at(x);
        let skeleton = robot.skeleton(&at).unwrap();
        let mut all: Vec<[f64; 3]> =
            (0..3).flat_map(|leg| skeleton.joints(leg)).map(|p| world(t, p)).collect();
        all.push(world(t, x));
        (all, robot.inverse_kinematics(&at).unwrap().q)
    };
    let lagrangian = |t: f64, x: [f64; 3], v: [f64; 3]| -> f64 {
        let h = 1e-4;
        let moved = |s: f64| places(t + s, plus(x, v.map(|v| v * s)));
        let ((before, qb), (here, _), (after, qa)) = (moved(-h), moved(0.0), moved(h));
        let speed = |k: usize| minus(after[k], before[k]).map(|d| d / (2.0 * h));
        let dot = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let rod = |m: f64, i: usize, j: usize| {
            let (a, b) = (speed(i), speed(j));
            m / 6.0 * (dot(a, a) + dot(a, b) + dot(b, b)) - m * 9.81 * f64::midpoint(here[i][2], here[j][2])
        };
        let point = |m: f64, i: usize| 0.5 * m * dot(speed(i), speed(i)) - m * 9.81 * here[i][2];
        let mut sum = point(1.5, 9);
        for leg in 0..3 {
            let rate = (qa[leg] - qb[leg]) / (2.0 * h);
            sum += rod(1.2, 3 * leg, 3 * leg + 1)
                + point(0.15, 3 * leg + 1)
                + rod(0.3, 3 * leg + 1, 3 * leg + 2);
            sum += 0.5 * 0.02 * rate * rate;
        }
        sum
    };
    let (start, v, a, now) = ([0.12, -0.08, -0.85], [1.1, -0.6, 0.5], [8.0, -5.0, 12.0], 0.41);
    let path = |s: f64| -> ([f64; 3], [f64; 3]) {
        let x = std::array::from_fn(|k| start[k] + v[k] * s + 0.5 * a[k] * s * s);
        (x, std::array::from_fn(|k| v[k] + a[k] * s))
    };
    let axis = |k: usize, size: f64| std::array::from_fn::<f64, 3, _>(|i| if i == k { size } else { 0.0 });
    let force: Vec<f64> = (0..3)
        .map(|k| {
            // L is a square in v, so a long step is exact.
            let momentum = |s: f64| {
                let (x, v) = path(s);
                let with = |d: f64| lagrangian(now + s, x, plus(v, axis(k, d)));
                (with(0.5) - with(-0.5)) / 1.0
            };
            let slope = (lagrangian(now, plus(start, axis(k, 1e-4)), v)
                - lagrangian(now, minus(start, axis(k, 1e-4)), v))
                / 2e-4;
            (momentum(1e-3) - momentum(-1e-3)) / 2e-3 - slope
        })
        .collect();
    let at = PlatformState::at(start).moving(v, a);
    let jacobian = robot.jacobian(&at).unwrap();
    let expected: Vec<f64> = (0..3).map(|k| (0..3).map(|i| jacobian[i][k] * force[i]).sum()).collect();
    let found = robot.on_moving_base().unwrap().inverse_dynamics(&at, &course.at(now)).unwrap();
    // 1e-4: differences of the third order in 1e-3 s, rounding of 1e-9 J over 1e-4 m.
    assert!(error(&found, &expected, 1.0) < 1e-4, "{found:?} {expected:?}");
    let fixed = robot.inverse_dynamics(&at).unwrap();
    assert!(error(&found, &fixed, 1.0) > 0.05, "the base matters: {found:?} {fixed:?}");
}

/// Forces of Coriolis on a base that turns steadily do no work, and change their sign with its spin; what is left is the
/// centrifugal force, which a robot at rest feels too.
#[test]
fn coriolis_forces_of_a_turning_base_do_no_work() {
    for name in ["gough-stewart", "delta-industrial", "delta-four-axis", "planar-3rrr", "hexa"] {
        let robot = AnyRobot::open(name).unwrap();
        let robot = robot.with_model_error(&ModelError { friction: -1.0, ..Default::default() });
        let robot = robot.unwrap();
        let spin = [0.0, 0.0, 1.7];
        let base = MovingBase { twist: [0.0, 0.0, 0.0, spin[0], spin[1], spin[2]], ..MovingBase::REST };
        let on_base = robot.on_moving_base().unwrap();
        let mut random = Seeded(6);
        for _ in 0..3 {
            let mut at = some_state(&robot, &mut random);
            at.wrench = [0.0; 6];
            let centrifugal = |place: &PlatformState| -> f64 {
                let still = PlatformState { twist: [0.0; 6], acceleration: [0.0; 6], ..*place };
                let wrench = on_base.inertial_wrench(&still, &base).unwrap();
                wrench.iter().zip(place.twist).map(|(w, v)| w * v).sum()
            };
            let loaded = on_base.inertial_wrench(&at, &base).unwrap();
            let power: f64 = loaded.iter().zip(at.twist).map(|(w, v)| w * v).sum();
            // Coriolis forces do no work: the power of all inertial forces is that of the centrifugal ones.
            let expected = centrifugal(&at);
            assert!((power - expected).abs() < 1e-9 * (1.0 + power.abs()), "{name}: {power} {expected}");
            assert!(power.abs() > 1e-4, "{name}: {power}");
            let back =
                MovingBase { twist: [0.0, 0.0, 0.0, -spin[0], -spin[1], -spin[2]], ..MovingBase::REST };
            let other = on_base.inertial_wrench(&at, &back).unwrap();
            let still = PlatformState { twist: [0.0; 6], ..at };
            let rest = on_base.inertial_wrench(&still, &base).unwrap();
            for k in 0..6 {
                let mean = f64::midpoint(loaded[k], other[k]);
                assert!(
                    (mean - rest[k]).abs() < 1e-9 * (1.0 + rest[k].abs()),
                    "{name}: {loaded:?} {other:?} {rest:?}"
                );
            }
        }
    }
}

/// A platform that stands still in the world while the base turns and shakes under it weighs what it weighs: seen from
/// the base it moves about.
#[test]
fn what_stands_still_in_the_world_weighs_what_it_weighs() {
    let robot = AnyRobot::open("gough-stewart").unwrap();
    let base_at = |t: f64| {
        BaseCourse::default()
            .swaying(Sway { component: 5, amplitude: 0.2, frequency: 0.5, phase: 0.0 })
            .swaying(Sway { component: 0, amplitude: 0.05, frequency: 0.9, phase: 0.3 })
            .swaying(Sway { component: 3, amplitude: 0.1, frequency: 0.4, phase: 0.6 })
            .at(t)
    };
    // Platform at rest in the world at P, upright: seen from the base by differences of the base's own place.
    let place = |t: f64| {
        let angles = [0.1 * (TAU * 0.4 * t + 0.6).sin(), 0.0, 0.2 * (TAU * 0.5 * t).sin()];
        let turn = rotation_from_roll_pitch_yaw(angles);
        let origin = [0.05 * (TAU * 0.9 * t + 0.3).sin(), 0.0, 0.0];
        (turn, origin)
    };
    let world = [0.03, -0.02, 0.85];
    let seen = |t: f64| {
        let (turn, origin) = place(t);
        (times(&transposed(&turn), minus(world, origin)), transposed(&turn))
    };
    let (now, h) = (0.23, 1e-4);
    let (before, here, after) = (seen(now - h), seen(now), seen(now + h));
    let v: [f64; 3] = std::array::from_fn(|k| (after.0[k] - before.0[k]) / (2.0 * h));
    let a: [f64; 3] = std::array::from_fn(|k| (after.0[k] - 2.0 * here.0[k] + before.0[k]) / (h * h));
    let base = base_at(now);
    let [_, w] = halves(base.twist);
    let [_, alpha] = halves(base.acceleration);
    let mut at = PlatformState::at(here.0).turned(here.1);
    // Relative to the base the platform turns the other way; its angular acceleration seen there is −α (ω × ω = 0).
    at.twist = joined([v, w.map(|x| -x)]);
    at.acceleration = joined([a, alpha.map(|x| -x)]);
    let wrench = |platform: &PlatformState, base: &MovingBase| {
        // What legs and motors must give to the platform alone: the model's platform as a body.
        let model = robot.engine_model().unwrap();
        let motion = legwork::engine::BaseMotion {
            angular_velocity: halves(base.twist)[1].into(),
            linear_acceleration: halves(base.acceleration)[0].into(),
            angular_acceleration: halves(base.acceleration)[1].into(),
            gravity: times(&transposed(&base.rotation), [0.0, 0.0, -9.81]).into(),
        };
        let [x, y, z] = platform.rotation.map(legwork::V3::from);
        let pose = legwork::engine::Pose::new(legwork::M3::from_rows(x, y, z), platform.position.into());
        let twist = legwork::engine::Twist::from_vector_linear_first(platform.twist);
        let acceleration = legwork::engine::Twist::from_vector_linear_first(platform.acceleration);
        motion.platform_wrench(&model.platform, &pose, twist, acceleration)
    };
    let found = wrench(&at, &base);
    // In the world: weight alone, turned into the axes of the base.
    let mass = robot.engine_model().unwrap().platform.mass;
    let weight = times(&here.1, [0.0, 0.0, mass * 9.81]);
    assert!(error(&found.force.to_array(), &weight, 1.0) < 1e-6, "{found:?} {weight:?}"); // differences
    let centre = robot.engine_model().unwrap().platform.centre.to_array();
    let moment = cross(times(&here.1, centre), weight);
    assert!(error(&found.moment.to_array(), &moment, 1.0) < 1e-6, "{found:?} {moment:?}");
}

/// In a lift that falls and in one that starts, in every formulation: a run on an accelerated base is one in another
/// gravity; and on a swaying one the energy that the base sees is the work of all forces.
#[test]
fn runs_on_a_moving_base_agree_in_every_formulation() {
    let robot = AnyRobot::open("delta-industrial").unwrap();
    let course = BaseCourse::default()
        .swaying(Sway { component: 3, amplitude: 0.2, frequency: 1.0, phase: 0.0 })
        .swaying(Sway { component: 1, amplitude: 0.05, frequency: 2.0, phase: 0.4 });
    let hold = robot.gravity(&robot.home()).unwrap();
    let mut ends: Vec<[f64; 3]> = Vec::new();
    for form in [FormulationKind::Minimal, FormulationKind::Projected, FormulationKind::Hamiltonian] {
        let run = Simulation::new(&robot, Efforts::Constant(hold.clone()))
            .on_plant(Plant::ideal().on_base(course.clone()))
            .lasting(0.2)
            .sampled_every(0.1)
            .formulated_as(form)
            .integrated_by(Integrator::Dopri5 { tolerance: 1e-11 })
            .run()
            .unwrap();
        assert!(run.summary.imbalance < 1e-8, "{:?}", run.summary);
        ends.push(run.samples.last().unwrap().platform.position);
    }
    assert!(largest(minus(ends[0], robot.home().position)) > 1e-3, "{ends:?}");
    for end in &ends[1..] {
        assert!(largest(minus(*end, ends[0])) < 1e-8, "{ends:?}");
    }
    // A table through places of a parabola: a lift that starts with 2 m/s².
    let times_of: Vec<f64> = (0..=40).map(|k| 0.01 * f64::from(k) - 0.1).collect();
    let rows: Vec<[f64; 6]> = times_of.iter().map(|t| [0.0, 0.0, t * t, 0.0, 0.0, 0.0]).collect();
    let lift = BaseCourse::default().through(&times_of, &rows).unwrap();
    let found = lift.at(0.1).acceleration;
    assert!((found[2] - 2.0).abs() < 1e-3, "{found:?}"); // the spline is straight at its ends
    let short = Simulation::new(&robot, Efforts::Constant(hold))
        .on_plant(Plant::ideal().on_base(lift))
        .lasting(1.0)
        .run();
    assert!(short.unwrap_err().to_string().contains("known from"));
}

/// Legs on a base that turns and is accelerated, against the same robot as bodies and joints.
#[test]
fn a_mechanism_on_a_moving_base_is_the_robot_of_legs_on_it() {
    let mut random = Seeded(57);
    for name in ["delta-industrial", "delta-four-axis", "gough-stewart", "hexa", "c5", "planar-3rrr"] {
        let robot = AnyRobot::open(name).unwrap();
        let (legs, bodies) =
            (robot.on_moving_base().unwrap(), robot.as_mechanism().unwrap().on_moving_base().unwrap());
        for k in 0..3 {
            let at = some_state(&robot, &mut random);
            let base = MovingBase {
                rotation: rotation_from_roll_pitch_yaw([0.2, -0.3 * f64::from(k), 0.5]),
                twist: [1.0, 2.0, 3.0, 0.8, -0.6, 1.1],
                acceleration: [2.0, -3.0, 1.5, -4.0, 2.5, 3.0],
            };
            let (one, other) =
                (bodies.inverse_dynamics(&at, &base).unwrap(), legs.inverse_dynamics(&at, &base).unwrap());
            assert!(error(&one, &other, 1.0) < 1e-10, "{name}: {one:?} {other:?}");
        }
    }
}
