//! Robots on walls and tables, in a cell, with a tool, with a fourth axis: each against the same robot said otherwise.

mod base;
mod fourth_axis;
#[path = "../robot_support/mod.rs"]
mod robot_support;
mod support;

use legwork::description::{BUILT_IN, RobotDescription};
use legwork::sim::{Efforts, FormulationKind, Integrator, Simulation};
use legwork::{AnyRobot, PlatformState, State, rotation_from_roll_pitch_yaw};
use legwork_testkit::{largest, relative_error_above as error};
use robot_support::{Seeded, some_state};
use support::{Matrix, cross, halves, joined, minus, parse, plus, product, text, times, transposed, with};

/// The state of a platform in base axes whose tool, at `offset` and turned by `tool`, is in this state in a cell where
/// the base stands at `place`, turned by `turn`.
fn at_platform(
    state: &PlatformState,
    turn: &Matrix,
    place: [f64; 3],
    tool: &Matrix,
    offset: [f64; 3],
) -> PlatformState {
    let back = transposed(turn);
    let into = |six: [f64; 6]| halves(six).map(|v| times(&back, v));
    let rotation = product(&product(&back, &state.rotation), &transposed(tool));
    let lever = times(&rotation, offset); // platform to tool
    let ([v, w], [a, b], [f, m]) = (into(state.twist), into(state.acceleration), into(state.wrench));
    PlatformState {
        position: minus(times(&back, minus(state.position, place)), lever),
        rotation,
        twist: joined([minus(v, cross(w, lever)), w]),
        acceleration: joined([minus(minus(a, cross(b, lever)), cross(w, cross(w, lever))), b]),
        wrench: joined([f, plus(m, cross(lever, f))]),
    }
}

/// Joints, their rates, torques with all their parts, and energies of two answers about one motion.
fn difference(a: &State, b: &State) -> f64 {
    let (d, e) = (a.dynamics.as_ref().unwrap(), b.dynamics.as_ref().unwrap());
    let torque = largest(d.effort.iter().chain(&d.gravity)) * 1e-2;
    largest([
        error(&a.q, &b.q, 0.1),
        error(&a.qd, &b.qd, 1e-2),
        error(&a.qdd, &b.qdd, 1e-1),
        error(&d.motor, &e.motor, torque),
        error(&d.gravity, &e.gravity, torque),
        error(&d.coriolis, &e.coriolis, torque),
        error(&d.external, &e.external, torque),
        error(&d.mass_matrix.concat(), &e.mass_matrix.concat(), 0.0),
        error(&[d.kinetic_energy], &[e.kinetic_energy], 0.0),
    ])
}

const MOUNTINGS: [(&str, [f64; 3]); 4] = [
    ("hanging", [0.0, 0.0, -1.0]),
    ("on a table", [0.0, 0.0, 1.0]),
    ("on a wall", [1.0, 0.0, 0.0]),
    ("tilted", [0.48, -0.6, 0.64]),
];

/// In every mounting and with legs in any direction, the closed form is the same robot as chains, found by Newton.
#[test]
fn a_delta_in_any_mounting_is_its_chains() {
    let mut random = Seeded(12);
    for (how, down) in MOUNTINGS {
        for azimuth in ["[0, 2.1, 4.2]", "[0.3, 2.6, 4.1]"] {
            let file = text("delta-industrial", &format!("gravity_direction = {down:?}"), "")
                .replace("[geometry]", &format!("[geometry]\nazimuth = {azimuth}"));
            let closed = parse(&file);
            assert!(closed.linkage().is_some());
            let chains = closed.as_chains().unwrap();
            for _ in 0..20 {
                let at = some_state(&closed, &mut random);
                let (a, b) = (closed.state(&at).unwrap(), chains.state(&at).unwrap());
                let off = difference(&a, &b);
                assert!(off < 1e-11, "{how}: {off:e}"); // rounding, times the condition of the posture
                // Energies count from the same place, also where legs point in no regular directions.
                let [u, v] = [&a, &b].map(|state| state.dynamics.as_ref().unwrap().potential_energy);
                assert!((u - v).abs() < 1e-12 * 30.0, "{how}: {u} {v}"); // rounding of 30 J
                let (f, g) = (closed.leg_forces(&at).unwrap(), chains.leg_forces(&at).unwrap());
                let forces =
                    |list: &[legwork::LegForce]| list.iter().flat_map(|leg| leg.force).collect::<Vec<_>>();
                assert!(error(&forces(&f), &forces(&g), 1.0) < 1e-11, "{how}");
            }
        }
    }
}

/// A batch has the bits of one state, and gravity has its direction there too.
#[test]
fn batches_know_where_gravity_pulls() {
    let (wall, floor) =
        (with("delta-industrial", "gravity_direction = [1, 0, 0]", ""), with("delta-industrial", "", ""));
    let positions: Vec<f64> = (0..40).flat_map(|k| [0.001 * f64::from(k), -0.02, -0.8]).collect();
    let efforts = |robot: &AnyRobot| {
        let (mut efforts, mut marks) = (vec![0.0; 120], vec![legwork::StateMark::Answered; 40]);
        robot
            .batch()
            .inverse_dynamics(&legwork::PlatformStates::at(&positions), &mut efforts, &mut marks)
            .unwrap();
        efforts
    };
    let (a, b) = (efforts(&wall), efforts(&floor));
    let last = PlatformState::at([0.039, -0.02, -0.8]);
    assert_eq!(a[117..], wall.inverse_dynamics(&last).unwrap());
    assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() > 0.1));
}

/// On a wall nothing holds a Delta but its motors: a free swing keeps its energy, in every formulation.
#[test]
fn a_swing_on_a_wall_keeps_its_energy() {
    let robot = with("delta-industrial", "gravity_direction = [0.8, 0.0, -0.6]", "");
    let mut ends = Vec::new();
    for form in [FormulationKind::Minimal, FormulationKind::Projected, FormulationKind::Hamiltonian] {
        let run = Simulation::new(&robot, Efforts::Constant(vec![0.0; 3]))
            .starting_at(PlatformState::at([0.05, -0.02, -0.8]))
            .lasting(0.15)
            .sampled_every(0.05)
            .formulated_as(form)
            .integrated_by(Integrator::Dopri5 { tolerance: 1e-11 })
            .run()
            .unwrap();
        let energy = |at: &PlatformState| {
            let found = robot.energies(at).unwrap();
            (found.kinetic, found.kinetic + found.potential)
        };
        let (start, end) =
            (energy(&run.samples.get(0).unwrap().platform), energy(&run.samples.last().unwrap().platform));
        assert!(end.0 > 0.3, "{} J are in motion", end.0);
        assert!((end.1 - start.1).abs() < 1e-9, "{:e} J lost", end.1 - start.1);
        ends.push(run.samples.last().unwrap().platform.position);
    }
    for end in &ends[1..] {
        assert!(largest(minus(*end, ends[0])) < 1e-9, "{ends:?}");
    }
}

/// Turning the robot and gravity together changes nothing but the numbers of the place.
#[test]
fn turning_robot_and_gravity_together_changes_nothing() {
    let (sin, cos) = 0.7_f64.sin_cos();
    let turn: Matrix = [[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]];
    let down = [0.48, -0.6, -0.64];
    let plain = with("delta-industrial", &format!("gravity_direction = {down:?}"), "");
    let file = text("delta-industrial", &format!("gravity_direction = {:?}", times(&turn, down)), "");
    let turned = parse(&file.replace("[geometry]", "[geometry]\nazimuth = 0.7"));
    let mut random = Seeded(3);
    for _ in 0..20 {
        let at = some_state(&plain, &mut random);
        let spun = |six: [f64; 6]| joined(halves(six).map(|v| times(&turn, v)));
        let there = PlatformState {
            position: times(&turn, at.position),
            rotation: at.rotation,
            twist: spun(at.twist),
            acceleration: spun(at.acceleration),
            wrench: spun(at.wrench),
        };
        let off = difference(&plain.state(&at).unwrap(), &turned.state(&there).unwrap());
        assert!(off < 1e-11, "{off:e}"); // rounding, times the condition
    }
}

/// Every robot with masses, moved and turned in its cell, with a tool on it: the same joints, torques and energies as
/// the bare robot in its own frame with the tool's mass on its platform and the motion written for its platform.
#[test]
fn a_robot_in_its_cell_with_a_tool_is_the_bare_robot_said_otherwise() {
    let mut random = Seeded(77);
    let mut tried = 0;
    for robot in BUILT_IN {
        let bare = AnyRobot::open(robot.name).unwrap();
        let turning = bare.freedoms().iter().filter(|freedom| freedom.turns()).count();
        let shifting = bare.freedoms().len() - turning;
        // Of a mechanism other components follow in the frame of the cell than in its own.
        if !bare.has_masses() || bare.mobility().is_some() {
            continue;
        }
        tried += 1;
        // Tilted where the freedoms allow it, else so that they stay along the axes of the cell.
        let angles = match (shifting, turning) {
            (3, 0 | 3) => [0.3, -0.5, 1.1],
            (2, _) => [std::f64::consts::FRAC_PI_2, 0.0, 0.0],
            _ => [std::f64::consts::PI, 0.0, 0.4],
        };
        let (turn, place, offset) =
            (rotation_from_roll_pitch_yaw(angles), [0.4, -1.2, 2.0], [0.02, -0.03, 0.05]);
        let tool_angles = if turning == 3 { [0.2, 0.1, -0.4] } else { [0.0; 3] };
        let tool = rotation_from_roll_pitch_yaw(tool_angles);
        // Gravity of the base, given in the cell.
        let down = times(&turn, bare.description().gravity_direction);
        let mounted = with(
            robot.name,
            &format!("gravity_direction = {down:?}"),
            &format!(
                "[cell]\nposition = {place:?}\norientation = {angles:?}\n\
                 [tool]\noffset = {offset:?}\norientation = {tool_angles:?}\n"
            ),
        );
        // Without mass the tool changes nothing but what a pose is of; a payload moves with it.
        let (mounted, bare) = (mounted.with_payload(0.0).unwrap(), bare.with_payload(0.0).unwrap());
        for _ in 0..8 {
            let at = some_state(&mounted, &mut random);
            // A platform that does not turn at will has the axes of the cell where it is not turned.
            let axes = if turning == 3 { tool } else { transposed(&turn) };
            let own = at_platform(&at, &turn, place, &axes, offset);
            let own =
                if turning == 0 { PlatformState { rotation: bare.home().rotation, ..own } } else { own };
            let own = cleaned(&bare, own);
            let (a, b) = (mounted.state(&at).unwrap(), bare.state(&own).unwrap());
            let off = difference(&a, &b);
            assert!(off < 1e-10, "{}: {off:e}", robot.name); // rounding, times the condition, through two frames
        }
    }
    assert!(tried > 15, "{tried} robots have masses");
}

/// The state without what rounding puts where the robot has no freedom.
fn cleaned(robot: &AnyRobot, mut state: PlatformState) -> PlatformState {
    for k in 0..6 {
        if !robot.freedoms().iter().any(|freedom| freedom.component == k) {
            assert!(state.twist[k].abs() < 1e-9 && state.acceleration[k].abs() < 1e-9, "{k}: {state:?}");
            (state.twist[k], state.acceleration[k]) = (0.0, 0.0);
        }
    }
    state
}

/// The tool's mass, centre and inertia act as those of a platform that has them.
#[test]
fn a_tool_with_mass_is_part_of_the_platform() {
    // 14 kg at (0, 0, 0.06) become 16 kg with the tool's 2 kg at (0.01, 0, 0.1).
    let tool =
        "[tool]\noffset = [0.02, 0, 0.15]\nmass = 2\ncentre = [0.01, 0, 0.1]\ninertia = [0.02, 0.03, 0.01]\n";
    let plain = AnyRobot::open("gough-stewart").unwrap();
    let model = plain.engine_model().unwrap();
    let with_tool = with("gough-stewart", "", tool);
    let (m, c) = (model.platform.mass, model.platform.centre.to_array());
    let share = |a: f64, b: f64| (m * a + 2.0 * b) / (m + 2.0);
    let centre: [f64; 3] = std::array::from_fn(|k| share(c[k], [0.01, 0.0, 0.1][k]) - [0.02, 0.0, 0.15][k]);
    let found = with_tool.engine_model().unwrap().platform;
    assert!((found.mass - m - 2.0).abs() < 1e-12);
    assert!(largest(minus(found.centre.to_array(), centre)) < 1e-12, "{:?} {centre:?}", found.centre);
    // Parallel axes: I = Σ I_k + m₁m₂/(m₁ + m₂) (d² 1 − d dᵀ).
    let d = minus(c, [0.01, 0.0, 0.1]);
    let reduced = m * 2.0 / (m + 2.0);
    let zz = model.platform.inertia.diagonal.z + 0.01 + reduced * (d[0] * d[0] + d[1] * d[1]);
    assert!((found.inertia.diagonal.z - zz).abs() < 1e-12);
    // The payload is at the tool point: 3 kg there give a moment about the platform's origin.
    let (light, heavy) = (with_tool.with_payload(0.0).unwrap(), with_tool.with_payload(3.0).unwrap());
    let home = with_tool.home();
    let pull = PlatformState { wrench: [0.0, 0.0, -3.0 * 9.81, 0.0, 0.0, 0.0], ..home };
    let (a, b) = (heavy.inverse_dynamics(&home).unwrap(), light.inverse_dynamics(&pull).unwrap());
    assert!(error(&a, &b, 1.0) < 1e-12, "{a:?} {b:?}");
}

/// A Delta upside down in its cell is one that stands on a table; tilted, it is the one with tilted gravity.
#[test]
fn a_delta_tilted_in_its_cell_is_one_with_tilted_gravity() {
    let mut random = Seeded(5);
    for angles in [[0.0, 0.0, 0.9], [std::f64::consts::PI, 0.0, 0.0], [0.4, -0.7, 2.0]] {
        let turn = rotation_from_roll_pitch_yaw(angles);
        let cell = with("delta-industrial", "", &format!("[cell]\norientation = {angles:?}\n"));
        // About its own axis only: still in closed form.
        assert_eq!(cell.linkage().is_some(), angles[0] == 0.0);
        let down = times(&transposed(&turn), [0.0, 0.0, -1.0]);
        let tilted = with("delta-industrial", &format!("gravity_direction = {down:?}"), "");
        for _ in 0..10 {
            let at = some_state(&cell, &mut random);
            let own = at_platform(&at, &turn, [0.0; 3], &transposed(&turn), [0.0; 3]);
            let own = PlatformState { rotation: tilted.home().rotation, ..own };
            let off = difference(&cell.state(&at).unwrap(), &tilted.state(&own).unwrap());
            assert!(off < 1e-11, "{angles:?}: {off:e}");
        }
    }
}

/// A motion with a cell and a tool stays one: speeds are slopes of places, forward kinematics comes back, the
/// skeleton's platform point is the tool point.
#[test]
fn kinematics_of_mounted_robots_is_consistent() {
    let mut random = Seeded(8);
    let mounting =
        "[cell]\nposition = [1, 2, 0.5]\norientation = [0, 0, 0.3]\n[tool]\noffset = [0, 0, -0.1]\n";
    for name in
        ["delta-industrial", "delta-four-axis", "linear-delta", "gough-stewart", "planar-3rrr", "five-bar"]
    {
        let robot = with(name, "", mounting);
        for _ in 0..5 {
            let at = some_state(&robot, &mut random);
            let joints = robot.joints_from_platform(&at).unwrap();
            let back = robot.platform_from_joints(&joints.q, &joints.qd, &joints.qdd, &robot.home()).unwrap();
            assert!(error(&back.position, &at.position, 0.1) < 1e-10, "{name}");
            assert!(error(&back.twist, &at.twist, 0.1) < 1e-9, "{name}");
            assert!(error(&back.acceleration, &at.acceleration, 1.0) < 1e-9, "{name}");
            let skeleton = robot.skeleton(&at).unwrap();
            assert!(largest(minus(skeleton.points[skeleton.platform], at.position)) < 1e-12, "{name}");
            // The slope of q along the motion by a central difference.
            let step = 1e-5;
            let moved = |t: f64| {
                let [v, w] = halves(at.twist);
                let angle = largest(w);
                assert!(w[0] == 0.0 && w[1] == 0.0 || robot.freedoms().len() == 6, "{name}: {angle}");
                let turn = rotation_from_roll_pitch_yaw(w.map(|w| w * t));
                let there = PlatformState::at(plus(at.position, v.map(|v| v * t)));
                robot.inverse_kinematics(&there.turned(product(&turn, &at.rotation))).unwrap().q
            };
            let (ahead, behind) = (moved(step), moved(-step));
            let slope: Vec<f64> = ahead.iter().zip(&behind).map(|(a, b)| (a - b) / (2.0 * step)).collect();
            assert!(error(&slope, &joints.qd, 0.1) < 1e-8, "{name}: {slope:?} {:?}", joints.qd); // step²
        }
    }
}

/// Every identity that `legwork check` knows holds for mounted robots.
#[test]
fn mounted_robots_prove_themselves() {
    let mounting = "[cell]\nposition = [0.3, 0, 1]\norientation = [0, 0, 0.5]\n\
                    [tool]\noffset = [0.01, 0.02, -0.05]\nmass = 0.2\n";
    for (name, top, tables) in [
        ("delta-industrial", "gravity_direction = [1, 0, 0.2]", ""),
        ("delta-industrial", "", mounting),
        ("delta-industrial", "", "[cell]\norientation = [0.4, 0.3, 0.5]\n"),
        ("delta-four-axis", "", ""),
        ("delta-four-axis", "gravity_direction = [0, 1, 0]", mounting),
        ("klipper-rotary-delta", "", "[rotation_axis]\ninertia = \"1e-4 kg m^2\"\n"),
        ("gough-stewart", "", mounting),
        ("planar-3rrr", "", mounting),
    ] {
        let robot = with(name, top, tables);
        let proof = legwork::check::check_robot(&robot, 12, 7);
        assert!(proof.holds(), "{name} {top} {tables}: {proof:?}");
    }
}

/// What cannot be mounted so is refused with the way out.
#[test]
fn impossible_mountings_are_refused() {
    let refused = |name: &str, tables: &str| {
        let file = text(name, "", tables);
        match RobotDescription::parse(&file, "mounted.toml") {
            Ok(description) => AnyRobot::new(description).unwrap_err().to_string(),
            Err(error) => error.to_string(),
        }
    };
    let tilted = "[cell]\norientation = [\"30 deg\", 0, 0]\n";
    for name in ["five-bar", "planar-3rrr", "delta-four-axis"] {
        let message = refused(name, tilted);
        assert!(
            message.contains("quarter turns") && message.contains("gravity_direction"),
            "{name}: {message}"
        );
    }
    let turned = "[tool]\norientation = [0.1, 0, 0]\n";
    assert!(refused("delta-industrial", turned).contains("leave `orientation`"));
    assert!(refused("linear-delta", turned).contains("leave `orientation`"));
    assert!(refused("planar-3rrr", turned).contains("about that axis only"));
    assert!(
        refused("gough-stewart", "[tool]\nmass = 1\ninertia = [1, 0, 0]\n").contains("tool cannot exist")
    );
    assert!(refused("delta-four-axis", "[tool]\nofset = [0, 0, 1]\n").contains("offset"));
    let far = text("delta-industrial", "", "[rotation_axis]\nangle_max = \"270 deg\"\n");
    let message = RobotDescription::parse(&far, "far.toml").unwrap_err().to_string();
    assert!(message.contains("between -180 and 180 deg"), "{message}");
}
