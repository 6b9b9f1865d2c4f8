//! Every built-in robot proves itself; golden files agree; a wrong model is caught.

mod golden;
mod mechanisms;
mod refused;

use legwork::check::{CheckSummary, Count, DEFAULT_SEED, check_robot, check_robot_watched};
use legwork::description::{BUILT_IN, RobotDescription};
use legwork::{AnyRobot, PlatformState};

#[test]
fn every_built_in_robot_proves_itself() {
    for built_in in BUILT_IN {
        let robot = AnyRobot::open(built_in.name).unwrap();
        let report = check_robot(&robot, 50, DEFAULT_SEED);
        assert_eq!(report.states, 50, "{}", built_in.name);
        assert!(report.holds(), "{}: {report:?}", built_in.name);
        // Ten at least: a robot with more motors than freedoms has no mass matrix at its motors.
        assert_eq!(report.findings.len() >= 10, robot.has_masses());
        let unjudged: usize = report.refused.iter().chain(&report.failed).map(|count| count.states).sum();
        assert_eq!(
            report.states + unjudged,
            report.sampled,
            "{}: every draw is judged or counted",
            built_in.name
        );
        // A bar that a mistake does not reach proves nothing.
        assert!(report.findings.iter().all(|finding| finding.bar <= 1e-8), "{}: {report:?}", built_in.name);
    }
}

/// A summary holds only if enough states were judged, at least one, none failed, and every finding holds.
#[test]
fn a_summary_holds_only_whole() {
    let robot = AnyRobot::open("five-bar").unwrap();
    let sound = check_robot(&robot, 5, DEFAULT_SEED);
    assert!(sound.holds() && sound.is_judged() && sound.wanted == 5);
    let spoilt = |spoil: &dyn Fn(&mut CheckSummary)| {
        let mut summary = sound.clone();
        spoil(&mut summary);
        (summary.holds(), summary.is_judged())
    };
    assert_eq!(spoilt(&|s| s.states = 4), (false, false));
    assert_eq!(spoilt(&|s| (s.states, s.wanted) = (0, 0)), (false, false));
    assert_eq!(spoilt(&|s| s.failed.push(Count { reason: "no number".into(), states: 1 })), (false, true));
    assert_eq!(spoilt(&|s| s.findings.clear()), (false, true));
    assert_eq!(spoilt(&|s| s.findings[3].worst = f64::NAN), (false, true));
    assert_eq!(spoilt(&|s| s.findings[0].states = 0), (false, true));
    // Ended early: what was judged is what was wanted.
    let early = check_robot_watched(&robot, 50, DEFAULT_SEED, &mut |done| done < 7);
    assert_eq!((early.states, early.wanted, early.cancelled, early.holds()), (7, 7, true, true));
    let never = check_robot_watched(&robot, 50, DEFAULT_SEED, &mut |_| false);
    assert_eq!((never.states, never.wanted, never.cancelled, never.holds()), (0, 0, true, false));
}

/// The catalogue of the core and the robot files hold the same robots.
#[test]
fn presets_equal_their_files() {
    use legwork::robots::catalog;
    let presets = [
        ("delta-direct-drive", catalog::delta_direct_drive()),
        ("delta-ngoc-kim", catalog::delta_ngoc_kim()),
        ("delta-industrial", catalog::delta_industrial()),
        ("survey-delta", catalog::survey_delta()),
        ("delta-bortoff-a", catalog::delta_bortoff_a()),
        ("delta-bortoff-b", catalog::delta_bortoff_b()),
        ("delta-bortoff-c", catalog::delta_bortoff_c()),
    ];
    for (name, preset) in presets {
        let robot = AnyRobot::open(name).unwrap();
        let file = robot.as_delta().unwrap();
        let numbers = |d: &legwork::robots::delta::Delta<f64>| {
            let mut all = Vec::new();
            let _ = d.map(|x| {
                all.push(x);
                x
            });
            all
        };
        for (a, b) in numbers(&preset).iter().zip(numbers(file)) {
            assert!(
                (a - b).abs() <= 1e-15 * a.abs().max(1e-3),
                "{name}: {a} in the catalogue, {b} in the file"
            );
        }
    }
}

#[test]
fn geometry_only_robots_answer_kinematics_and_refuse_torques() {
    for name in ["irb360-1600", "microdelta-240"] {
        let robot = AnyRobot::open(name).unwrap();
        assert!(!robot.has_masses() && robot.inverse_kinematics(&robot.home()).is_ok());
        let platform = robot.home();
        let error = robot.forward_dynamics(&platform, &[0.0; 3]).unwrap_err();
        assert!(error.to_string().contains("masses are missing"), "{error}");
        assert!(robot.with_payload(1.0).is_err());
        let report = check_robot(&robot, 5, DEFAULT_SEED);
        assert!(report.holds());
        assert_eq!(report.skipped, [("all dynamics", "the masses are missing")], "{name}");
    }
    let [_, five_bar, ..] = in_units(1.0, 1.0, 1.0);
    let (before, rest) = five_bar.split_once("[mass]").unwrap();
    let (_, home) = rest.split_once("[home]").unwrap();
    for (text, skipped) in [(five_bar.clone(), 0), (format!("{before}[home]{home}"), 1)] {
        let robot = AnyRobot::new(RobotDescription::parse(&text, "five-bar.toml").unwrap()).unwrap();
        let report = check_robot(&robot, 5, DEFAULT_SEED);
        assert!(report.holds());
        assert_eq!(report.skipped, [("all dynamics", "the masses are missing")][..skipped]);
    }
}

/// Positions and angles of a vendor's convention go through unchanged: Klipper counts z from the bed, angles up.
#[test]
fn a_convention_is_the_users_frame() {
    let klipper = AnyRobot::open("klipper-rotary-delta").unwrap();
    let ours = RobotDescription::built_in("klipper-rotary-delta").unwrap();
    let (home, height) = (klipper.home().position, ours.as_delta().unwrap().frame.offset[2]);
    assert!(height > 0.0 && home[2] > 0.0, "the bed is below the platform");
    let q = klipper.inverse_kinematics(&PlatformState::at(home)).unwrap().q;
    let direct =
        klipper.linkage().unwrap().inverse_kinematics([home[0], home[1], home[2] - height].into()).unwrap();
    assert!((q[0] + direct.x).abs() < 1e-15);
    let back = klipper.all_forward_kinematics(&q).unwrap()[0].position;
    assert!((back[2] - home[2]).abs() < 1e-12);
}

/// A Delta, a five-bar, a planar robot that turns and a hexapod in other units of length, mass and time.
fn in_units(length: f64, mass: f64, time: f64) -> [String; 4] {
    let (g, inertia) = (9.81 * length / (time * time), mass * length * length);
    let delta = format!(
        "family = \"delta\"\ngravity = {g}\n\
         [geometry]\nbase_radius = {}\nplatform_radius = {}\narm = {}\nforearm = {}\n\
         [mass]\nplatform = {}\narm = {}\nforearm = {}\n\
         [motor]\nrotor_inertia = {}\n",
        0.06 * length,
        0.022 * length,
        0.1 * length,
        0.224 * length,
        0.0836 * mass,
        0.0829 * mass,
        0.0964 * mass,
        0.01 * inertia
    );
    let links = format!(
        "[mass]\nproximal = {}\nproximal_centre = {}\nproximal_inertia = {}\n\
         distal = {}\ndistal_centre = {}\ndistal_inertia = {}\n",
        0.6 * mass,
        0.11 * length,
        0.004 * inertia,
        0.4 * mass,
        0.12 * length,
        0.005 * inertia
    );
    let five_bar = format!(
        "family = \"five-bar\"\nworking_mode = [\"left\", \"right\"]\ngravity = {g}\n\
         [geometry]\nmotor_offset = {}\nproximal = {}\ndistal = {}\n{links}platform = {}\n\
         [home]\nposition = [0, {}]\n",
        0.1 * length,
        0.25 * length,
        0.35 * length,
        0.5 * mass,
        0.36 * length
    );
    let turning = format!(
        "family = \"3-rrr\"\nworking_mode = \"left\"\ngravity = {g}\n\
         [geometry]\nbase_radius = {}\nplatform_radius = {}\nproximal = {}\ndistal = {}\n{links}\
         [platform]\nmass = {}\ncentre = [{}, {}]\ninertia = {}\n[home]\nposition = [0, 0]\n",
        0.4 * length,
        0.09 * length,
        0.22 * length,
        0.24 * length,
        0.8 * mass,
        0.012 * length,
        -0.007 * length,
        0.0036 * inertia
    );
    let leg = |mass: f64, centre: f64, inertia: f64| {
        format!(
            "mass = {mass}\ncentre = [0, 0, {centre}]\ninertia = [{inertia}, {inertia}, {}]\n",
            inertia / 16.0
        )
    };
    let hexapod = format!(
        "family = \"gough-stewart\"\ngravity = {g}\n\
         [geometry]\nbase_radius = {}\nbase_spread = \"10 deg\"\nplatform_radius = {}\n\
         platform_spread = \"10 deg\"\nplatform_turn = \"60 deg\"\nplatform_height = {}\n\
         [cylinder]\n{}[rod]\n{}[platform]\nmass = {}\ncentre = [0, 0, {}]\ninertia = [{}, {}, {}]\n\
         [home]\nposition = [0, 0, {}]\n",
        0.6 * length,
        0.35 * length,
        -0.03 * length,
        leg(2.4 * mass, 0.22 * length, 0.052 * inertia),
        leg(1.1 * mass, -0.26 * length, 0.031 * inertia),
        14.0 * mass,
        0.06 * length,
        0.62 * inertia,
        0.58 * inertia,
        1.05 * inertia,
        0.8 * length
    );
    [delta, five_bar, turning, hexapod]
}

/// Powers of two change no digit, so every error is the same to the bit: places, speeds, accelerations and forces are
/// drawn in units of the robot, and errors are relative to them.
#[test]
fn other_units_give_the_same_numbers() {
    let worst = |text: &String| {
        let robot = AnyRobot::new(RobotDescription::parse(text, "units.toml").unwrap()).unwrap();
        let report = check_robot(&robot, 10, DEFAULT_SEED);
        assert!(report.holds(), "{report:?}");
        let errors: Vec<_> = report.findings.iter().map(|f| (f.name, f.worst.to_bits())).collect();
        (report.sampled, errors)
    };
    let plain = in_units(1.0, 1.0, 1.0).each_ref().map(worst);
    for (length, mass, time) in
        [(4.0, 1.0, 1.0), (1.0, 0.25, 1.0), (1.0, 1.0, 8.0), (0.0009765625, 64.0, 0.25)]
    {
        let found = in_units(length, mass, time).each_ref().map(worst);
        assert_eq!(found, plain, "lengths x {length}, masses x {mass}, times x {time}");
    }
}

/// What holds only for legs 120 degrees apart is not judged of others, and that is said.
#[test]
fn what_a_lopsided_delta_does_not_keep_is_said() {
    let [regular, ..] = in_units(1.0, 1.0, 1.0);
    let lopsided = regular.replace("[geometry]\n", "[geometry]\nazimuth = [0, \"110 deg\", \"235 deg\"]\n");
    let skipped = |text: &str| -> Vec<&str> {
        let robot = AnyRobot::new(RobotDescription::parse(text, "lopsided.toml").unwrap()).unwrap();
        let report = check_robot(&robot, 5, DEFAULT_SEED);
        assert!(report.holds(), "{report:?}");
        report.skipped.iter().map(|(name, _)| *name).collect()
    };
    let names = ["a third of a turn permutes the legs", "Ngoc-Kim multipliers = half-and-half lumping"];
    assert_eq!(skipped(&lopsided), names);
    let turned =
        regular.replace("[geometry]\n", "[geometry]\nazimuth = [\"20 deg\", \"140 deg\", \"260 deg\"]\n");
    assert!(skipped(&regular).is_empty() && skipped(&turned).is_empty());
}

/// A Delta below the plate of a hexapod has nine motors, and its platform tells six of them: that the kinetic energy is
/// one of the platform's velocity cannot be asked. Two Deltas that hold one bar have no mass matrix at their motors.
#[test]
fn what_other_numbers_of_motors_do_not_keep_is_said() {
    let cell = "name = 'cell'\nfamily = 'mechanism'\nplatform = 'delta.platform'\n\
                [[robot]]\nname = 'table'\nrobot = 'gough-stewart'\npayload = 0\n\
                [[robot]]\nname = 'delta'\nrobot = 'delta-industrial'\non = 'table.platform'\n\
                position = [0.1, 0.05, -0.2]\npayload = 0\n";
    let cell = AnyRobot::new(RobotDescription::parse(cell, "cell.toml").unwrap()).unwrap();
    let energies = ["kinetic energy = half qd A qd", "kinetic energy = half V M V"];
    let sum = "effort = inertia + Coriolis + gravity - Jt w";
    for (robot, skipped) in
        [(cell, [energies[1]].as_slice()), (AnyRobot::open("two-deltas").unwrap(), &[sum, energies[0]])]
    {
        let report = check_robot(&robot, 4, DEFAULT_SEED);
        assert!(report.holds(), "{report:?}");
        assert_eq!(report.skipped.iter().map(|(name, _)| *name).collect::<Vec<_>>(), skipped);
        for name in [energies[0], energies[1], sum] {
            let judged = report.findings.iter().any(|finding| finding.name == name);
            assert_eq!(judged, !skipped.contains(&name), "{}: {name}", robot.name());
        }
    }
}
