//! What is written out: names, errors, constants, parameters as arguments, the page of counts, the supervised regulator.

use legwork::AnyRobot;
use legwork::description::RobotDescription;
use legwork_codegen::{CodegenRequest, Language, Precision, Quantity, Symbol, counts_page};
use legwork_core::V3;
use legwork_core::control::{
    Guard, Limits, Measured, Platform, Reference, Regulator, SafeCommand, Settings, Supervisor,
};
use legwork_core::engine::{Pose, Twist};
use legwork_testkit::{lowest, relative_error};

fn request(robot: &str, what: &[Quantity]) -> CodegenRequest {
    CodegenRequest { robot: robot.into(), what: what.to_vec(), ..CodegenRequest::default() }
}

#[test]
fn the_page_of_counts_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../book/src/operation-counts.md");
    if std::env::var_os("LEGWORK_WRITE").is_some() {
        std::fs::write(path, counts_page()).unwrap();
    }
    let stored = std::fs::read_to_string(path).unwrap_or_default();
    assert!(stored == counts_page(), "stale: run this test with LEGWORK_WRITE=1");
}

/// Digits out, everything else stays.
fn without_numbers(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for line in text.lines() {
        let words = line.split_whitespace().map(|word| {
            let bare = word.trim_matches(|c: char| "(){},;f".contains(c));
            if bare.parse::<f64>().is_ok() { "#" } else { word }
        });
        lines.push(words.collect::<Vec<_>>().join(" "));
    }
    lines
}

/// One mass changed in the file: the source differs in constants alone.
#[test]
fn another_mass_changes_only_constants() {
    let text =
        legwork::description::BUILT_IN.iter().find(|robot| robot.name == "delta-industrial").unwrap().text;
    let line = text.lines().find(|line| line.trim_start().starts_with("platform =")).unwrap();
    let sources = [text.to_owned(), text.replace(line, "platform = 0.7654")].map(|text| {
        let robot = AnyRobot::new(RobotDescription::parse(&text, "robot.toml").unwrap()).unwrap();
        let request = request("", &[Quantity::InverseDynamics, Quantity::ForwardDynamics]);
        request.run_for(&robot).unwrap().files[1].text.clone()
    });
    let [one, other] = &sources;
    let changed = one.lines().zip(other.lines()).filter(|(a, b)| a != b).count();
    assert!((1..60).contains(&changed), "{changed} lines differ");
    assert_eq!(without_numbers(one), without_numbers(other));
}

#[test]
fn bad_requests_are_refused_in_words() {
    let refused = |request: CodegenRequest, words: &[&str]| {
        let error = request.run().unwrap_err();
        let text = format!("{error} | {}", error.hint());
        assert!(words.iter().all(|word| text.contains(word)), "{text}");
    };
    refused(request("3-rps", &[]), &["3_rps", "digit", "--name robot_3_rps"]);
    let named = |name: &str| CodegenRequest { name: Some(name.into()), ..request("five-bar", &[]) };
    refused(named("fünf"), &["fünf", "letters", "--name fuenf"]);
    refused(named("a b"), &["only the letters"]);
    for word in ["int", "FOR", "fn", "end_if", "math", "class"] {
        refused(named(word), &["a word of C, Rust or Structured Text", &format!("--name robot_{word}")]);
    }
    refused(named(""), &["empty"]);
    refused(request("klipper-rotary-delta", &[Quantity::InverseDynamics]), &["no masses", "torque", "ik"]);
    refused(
        request("five-bar", &[Quantity::SimplifiedInverseDynamics]),
        &["five-bar", "only a rotary Delta"],
    );
    refused(request("tricept", &[Quantity::AxesTorque]), &["tricept", "takes the motors already"]);
    refused(
        request("two-deltas", &[Quantity::Regulator]),
        &["two-deltas", "close the loop in your own code"],
    );
    refused(
        CodegenRequest { symbolic: vec![Symbol::Elbow], ..request("five-bar", &[]) },
        &["elbow", "five-bar", "payload, gravity"],
    );
    let payload = || vec![Symbol::Payload];
    refused(
        CodegenRequest { symbolic: payload(), ..request("five-bar", &[Quantity::InverseKinematics]) },
        &["payload", "not read by inverse_kinematics", "torque"],
    );
    refused(
        CodegenRequest { wrench: true, ..request("tricept", &[Quantity::Jacobian]) },
        &["wrench", "jacobian"],
    );
    refused(request("no-such-robot", &[]), &["no-such-robot"]);
}

/// A payload as an argument gives what a robot with that payload in its file gives.
#[test]
fn a_payload_as_an_argument_is_the_payload() {
    for name in ["delta-industrial", "gough-stewart", "five-bar", "linear-delta", "hexa"] {
        let symbolic =
            CodegenRequest { symbolic: vec![Symbol::Payload], ..request(name, &[Quantity::InverseDynamics]) };
        let function = symbolic.run().unwrap().functions.remove(0);
        let robot = AnyRobot::open(name).unwrap();
        let loaded = robot.with_payload(0.75).unwrap();
        let baked = request(name, &[Quantity::InverseDynamics]);
        let vectors = baked.vectors_for(&loaded, |_| 3).unwrap().remove(0);
        let place = function.input_place("payload").unwrap();
        for vector in &vectors {
            let mut inputs = vector.inputs.clone();
            inputs.insert(place, 0.75);
            let found = function.evaluate(&inputs);
            assert!(relative_error(&found, &vector.outputs) < 1e-12, "{name}");
        }
    }
}

/// A payload and a wrench as arguments: of regulators, of the motion of the motors and of mechanisms too, each named once.
#[test]
fn arguments_reach_every_function() {
    let payload = vec![Symbol::Payload, Symbol::Payload];
    for (name, what, wrench) in [
        (
            "delta-industrial",
            vec![Quantity::AxesTorque, Quantity::Regulator, Quantity::ComputedTorque],
            "force",
        ),
        ("five-bar", vec![Quantity::AxesTorque, Quantity::Regulator, Quantity::ComputedTorque], "wrench"),
        (
            "tricept",
            vec![Quantity::InverseDynamics, Quantity::ForwardDynamics, Quantity::Regulator],
            "wrench",
        ),
    ] {
        let symbolic = if name == "tricept" { Vec::new() } else { payload.clone() };
        let asked = CodegenRequest { wrench: true, symbolic, ..request(name, &what) };
        let robot = AnyRobot::open(name).unwrap();
        let vectors = asked.vectors_for(&robot, |_| 1).unwrap();
        let mut functions = asked.run_for(&robot).unwrap().functions;
        for (function, vectors) in functions.iter_mut().zip(&vectors) {
            for group in ["payload", wrench] {
                let times = function.inputs.iter().filter(|own| own.name == group).count();
                assert_eq!(
                    times,
                    usize::from(group == wrench || name != "tricept"),
                    "{name} {}",
                    function.name
                );
                // A search is before the steps: what it finds are no arguments of the whole.
                let Some(place) = function.input_place(group).filter(|_| function.before.is_empty()) else {
                    continue;
                };
                let mut inputs = vectors[0].inputs.clone();
                inputs[place] += 1.0;
                let changed = function.evaluate(&inputs) != vectors[0].outputs;
                assert!(changed, "{name} {} reads {group}", function.name);
            }
        }
    }
    // What pulls at a mechanism is what the library's wrench is.
    let asked = CodegenRequest { wrench: true, ..request("tricept", &[Quantity::InverseDynamics]) };
    let function = asked.run().unwrap().functions.remove(0);
    let robot = AnyRobot::open("tricept").unwrap();
    let model = robot.mechanism_model().unwrap();
    let mut workspace = model.workspace();
    let (rates, accelerations, wrench) =
        ([0.1, -0.2, 0.05], [1.0, 0.5, -2.0], [30.0, -20.0, 50.0, 4.0, -5.0, 6.0]);
    let expected =
        model.inverse_dynamics(model.home(), &rates, &accelerations, wrench, &mut workspace).unwrap();
    let inputs = [model.home().coordinates(), &rates, &accelerations, &wrench].concat();
    assert_eq!(function.evaluate(&inputs)[..3], expected[..]);
}

/// Every language, both precisions: files with heading and self-test, and nothing of a machine in them.
#[test]
fn every_language_has_its_files() {
    for language in [Language::C, Language::Rust, Language::St] {
        for precision in [Precision::Double, Precision::Float] {
            let what = [Quantity::InverseKinematics, Quantity::ForwardKinematics, Quantity::InverseDynamics];
            let request = CodegenRequest { language, precision, ..request("planar-3rrr", &what) };
            let generated = request.run().unwrap();
            assert_eq!(generated, request.run().unwrap(), "the same every time");
            for file in &generated.files {
                assert!(file.text.contains("planar_3rrr"), "{}", file.name);
                for word in ["nan", "inf,", "malloc", env!("CARGO_MANIFEST_DIR")] {
                    assert!(!file.text.split_whitespace().any(|w| w == word), "{}: {word}", file.name);
                }
            }
        }
    }
}

/// A run with good samples, a jump of a sensor and what follows: the generated step and the library's supervisor agree.
#[test]
fn the_regulator_step_is_the_library_s() {
    let robot = AnyRobot::open("delta-industrial").unwrap();
    let delta = *robot.as_delta().unwrap();
    for (quantity, computed) in [(Quantity::Regulator, false), (Quantity::ComputedTorque, true)] {
        let function = request("delta-industrial", &[quantity]).run().unwrap().functions.remove(0);
        let (kp, kd, dt) = if computed { (900.0, 60.0, 1e-3) } else { (300.0, 6.0, 1e-3) };
        let settings = if computed {
            Settings::computed_torque(30.0, 1.0)
        } else {
            Settings::pd([kp; 3], [kd; 3]).with_model()
        };
        let settings = settings.with_limits(Limits { effort: [60.0; 3], rate: [4e4; 3] });
        let guard = Guard {
            low: [-1.5; 3],
            high: [2.5; 3],
            speed: [20.0; 3],
            reading: [0.0; 3],
            tracking: [0.2; 3],
            interval: 2e-3,
            margin: 1e-6,
            agreement: 1e-3,
            safe: SafeCommand::RampDown { time: 0.02 },
        };
        let reference = |n: usize| {
            let t = n as f64 * dt;
            let (s, c) = (5.0 * t).sin_cos();
            let (a, w) = (0.08, 5.0);
            Platform {
                pose: Pose::translation(V3::new(a * s, 0.02, -0.8)),
                twist: Twist::new(V3::new(a * w * c, 0.0, 0.0), V3::zero()),
                acceleration: Twist::new(V3::new(-a * w * w * s, 0.0, 0.0), V3::zero()),
            }
        };
        let start = Reference::at(&delta, &reference(0)).value;
        let regulator = Regulator::new(delta, settings, &start).unwrap();
        let mut supervisor = Supervisor::new(regulator, guard, &start).unwrap();
        let mut state = [0.0; 12];
        let mut faults = 0;
        for n in 0..60 {
            let platform = reference(n);
            let wanted = Reference::at(&delta, &platform).value;
            let mut q = wanted.q.map(|q| q - 1e-3);
            if n >= 30 {
                q[1] += 0.4; // a sensor that jumps
            }
            let qdot = wanted.qdot.map(|x| x * 0.99);
            let measured = Measured { q, qdot: Some(qdot) };
            let expected = supervisor.update(&wanted, Some(&measured), dt);
            let p = platform.pose.position.to_array();
            let inputs: Vec<f64> = [
                p,
                platform.twist.linear.to_array(),
                platform.acceleration.linear.to_array(),
                q,
                qdot,
                [kp; 3],
                [kd; 3],
                [60.0; 3],
                [4e4; 3],
                [-1.5; 3],
                [2.5; 3],
                [20.0; 3],
                [0.0; 3],
                [0.2; 3],
            ]
            .concat()
            .into_iter()
            .chain([dt, 2e-3, 1e-6, 0.02])
            .chain(state.iter().copied())
            .collect();
            let found = function.evaluate(&inputs);
            let fault = found[function.output_place("fault").unwrap()];
            assert_eq!(fault > 0.0, expected.fault.is_some(), "sample {n}: {:?}", expected.fault);
            faults += usize::from(fault > 0.0);
            let error =
                relative_error(&[&found[..3], &[1.0]].concat(), &[&expected.effort[..], &[1.0]].concat());
            assert!(error < 1e-10, "sample {n}: {:?} {:?}", &found[..3], expected.effort);
            let at = function.output_place("state").unwrap();
            state.copy_from_slice(&found[at..at + 12]);
        }
        assert_eq!(faults, 30);
        assert_eq!(state[10], 4.0, "a jump");
    }
}

/// Inputs that are no numbers never leave as efforts, and the margin tells of poses out of reach.
#[test]
fn bad_inputs_are_told_by_the_margin() {
    let function =
        request("delta-industrial", &[Quantity::InverseDynamics]).run().unwrap().functions.remove(0);
    let margin = function.output_place("margin").unwrap();
    let at = |x: f64, y: f64, z: f64| {
        let mut inputs = vec![0.0; 9];
        inputs[..3].copy_from_slice(&[x, y, z]);
        function.evaluate(&inputs)[margin]
    };
    assert!(at(0.0, 0.0, -0.8) > 1e-2);
    for bad in [at(5.0, 0.0, -0.8), at(f64::NAN, 0.0, -0.8), at(0.0, f64::INFINITY, 0.0)] {
        assert!(bad.is_nan() || bad <= 1e-3, "{bad}");
    }
    let robot = AnyRobot::open("gough-stewart").unwrap();
    let function = request("", &[Quantity::InverseKinematics]).run_for(&robot).unwrap().functions.remove(0);
    let margin = function.output_place("margin").unwrap();
    let mut inputs = robot.home().position.to_vec();
    // A platform that is turned by a quarter about z: the classical singularity of a symmetrical hexapod.
    let margins: Vec<f64> = (0..40)
        .map(|k| {
            let (s, c) = (f64::from(k) * 0.1).sin_cos();
            inputs.truncate(3);
            inputs.extend([c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0]);
            function.evaluate(&inputs)[margin]
        })
        .collect();
    let (least, home) = (lowest(&margins), margins[0]);
    assert!(least < 0.1 * home, "{least} of {home}");
}
