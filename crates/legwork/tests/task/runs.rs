//! Runs as tasks: recordings that run again from their own metadata, copies of robot files, progress, cancelling.

use legwork::AnyRobot;
use legwork::analysis::map::Quantity;
use legwork::description::{BUILT_IN, ModelError};
use legwork::experiment::ControllerKind;
use legwork::recording::{Ending, Format, Recording};
use legwork::task::{
    Acceleration, CheckRequest, ControllerRequest, EndingKind, FollowRequest, Handle, LawRequest,
    LimitsRequest, LinearizeRequest, MapRequest, Mass, Measure, MotorValues, PlanRequest, PlantRequest,
    PoleRequest, PoseRequest, Progress, Request, RobotRequest, SensitivityRequest, SimulateRequest,
    SizeRequest, TaskError, TaskResult, Time,
};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("legwork-task-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn swing(robot: RobotRequest) -> SimulateRequest {
    SimulateRequest {
        robot,
        from: Some(PoseRequest::Coordinates([0.05, -0.02, -0.78].map(Measure::si).to_vec())),
        duration: Time(0.1),
        plant: PlantRequest {
            lag: Some(Time(2e-3)),
            noise: MotorValues(vec![Measure::si(1e-6)]),
            model_error: Some(ModelError { mass: 0.05, ..ModelError::default() }),
            ..PlantRequest::default()
        },
        ..SimulateRequest::default()
    }
}

/// With a payload, a mode and a model error of its own.
fn changed(name: &str) -> RobotRequest {
    RobotRequest {
        payload: Some(Mass(0.3)),
        working_mode: Some("out".into()),
        model_error: Some(ModelError { length: 0.001, mass: -0.02, ..ModelError::default() }),
        ..RobotRequest::named(name)
    }
}

fn same_bits(a: &Recording, b: &Recording) -> bool {
    let bits = |list: &[f64]| list.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    a.columns() == b.columns()
        && a.ending() == b.ending()
        && a.metadata() == b.metadata()
        && a.all_values().iter().zip(b.all_values()).all(|(a, b)| bits(a) == bits(b))
}

/// Runs a request again from the file that it wrote; the second file is the first to the bit.
fn repeats(request: &Request, name: &str) {
    let scratch = Scratch::new(name);
    for format in Format::ALL {
        let file = |name: &str| scratch.0.join(format!("{name}.{}", format.extension()));
        let at = |path: PathBuf, request: &Request| {
            let mut request = request.clone();
            match &mut request {
                Request::Simulate(request) => request.out = Some(path),
                Request::Follow(request) => request.out = Some(path),
                Request::Plan(request) => request.out = vec![path],
                Request::Size(request) => request.out = vec![path],
                _ => unreachable!(),
            }
            request.run(&Handle::none()).unwrap();
        };
        at(file("first"), request);
        let again = Request::load(file("first")).unwrap();
        assert!(again.to_json().contains("[geometry]"), "the robot is in the request");
        at(file("second"), &again);
        let [first, second] = ["first", "second"].map(|name| Recording::open(file(name)).unwrap());
        assert!(first.len() > 5 && same_bits(&first, &second), "{name} {format:?}");
        assert!(matches!(first.ending(), Ending::Finished(_)));
    }
}

#[test]
fn an_open_loop_runs_again_from_its_recording() {
    repeats(&Request::Simulate(Box::new(swing(changed("delta-industrial")))), "open");
}

#[test]
fn a_closed_loop_runs_again_from_its_recording() {
    for kind in [ControllerKind::ModelShifted, ControllerKind::Lqr] {
        let request = FollowRequest {
            robot: changed("delta-industrial"),
            controller: ControllerRequest {
                regulators: vec![kind],
                known_payload: Some(Mass(0.2)),
                ..ControllerRequest::default()
            },
            settle: Some(Time(0.01)),
            ..FollowRequest::default()
        };
        repeats(&Request::Follow(Box::new(request)), &format!("closed-{}", kind.name()));
    }
}

#[test]
fn a_plan_and_a_sizing_run_again_from_their_motions() {
    let limits =
        LimitsRequest { torque_limit: MotorValues(vec![Measure::si(60.0)]), ..LimitsRequest::default() };
    let robot = changed("delta-industrial");
    let plan = PlanRequest { robot: robot.clone(), limits, intervals: Some(60), ..PlanRequest::default() };
    repeats(&Request::Plan(Box::new(plan)), "plan");
    repeats(&Request::Size(Box::new(SizeRequest { robot, ..SizeRequest::default() })), "size");
}

/// Results without the file that was read.
fn as_text(result: &TaskResult) -> String {
    serde_json::to_string(result).unwrap()
}

/// What the tasks say of a robot; timing and motors only where they are asked for, as they take long.
fn all_of(name: &str, with_timing: bool) -> Vec<String> {
    let robot = RobotRequest::named(name);
    let mut requests = vec![
        Request::Simulate(Box::new(SimulateRequest {
            robot: robot.clone(),
            duration: Time(0.01),
            ..SimulateRequest::default()
        })),
        Request::Follow(Box::new(FollowRequest {
            robot: robot.clone(),
            controller: ControllerRequest {
                regulators: vec![ControllerKind::Model],
                ..ControllerRequest::default()
            },
            law: LawRequest { move_time: Some(Time(0.01)), ..LawRequest::default() },
            settle: Some(Time(1e-3)),
            ..FollowRequest::default()
        })),
    ];
    if with_timing {
        let torque_limit = MotorValues(vec![Measure::si(1e3)]);
        requests.push(Request::Plan(Box::new(PlanRequest {
            robot: robot.clone(),
            limits: LimitsRequest { torque_limit, ..LimitsRequest::default() },
            intervals: Some(4),
            one_way: true,
            ..PlanRequest::default()
        })));
        let size = SizeRequest { robot, one_way: true, ..SizeRequest::default() };
        requests.push(Request::Size(Box::new(size)));
    }
    let run = |request: &Request| match request.run(&Handle::none()) {
        Ok(result) => as_text(&result),
        Err(error) => error.to_string(),
    };
    requests.iter().map(run).collect()
}

#[test]
fn a_copy_of_a_robot_file_gives_the_same_results() {
    let scratch = Scratch::new("copies");
    let mut families = Vec::new();
    for built_in in BUILT_IN {
        let robot = AnyRobot::open(built_in.name).unwrap();
        // Mechanisms are followed from home again and again, which takes minutes without optimisation: maps, proofs and
        // linear models of one of them are compared in `results`.
        if !robot.has_masses() || robot.mobility().is_some() {
            continue;
        }
        let family = robot.description().family();
        let is_first = !families.contains(&family);
        families.push(family);
        let copy = scratch.0.join(format!("{}.toml", built_in.name));
        std::fs::write(&copy, built_in.text).unwrap();
        let copy = copy.to_str().unwrap();
        let (own, copied) = std::thread::scope(|scope| {
            let own = scope.spawn(|| all_of(built_in.name, is_first));
            (all_of(copy, is_first), own.join().unwrap())
        });
        assert_eq!(own, copied, "{}", built_in.name);
    }
}

/// A copy of the default robot brings its path, its law and what its controller knows.
#[test]
fn a_copy_under_another_name_brings_the_motion_of_the_original() {
    let text = BUILT_IN.iter().find(|robot| robot.name == "delta-direct-drive").unwrap().text;
    let copy = RobotRequest { text: Some(text.into()), ..RobotRequest::named("copy") };
    let [own, copied] = [FollowRequest::default(), FollowRequest { robot: copy, ..FollowRequest::default() }]
        .map(|request| request.run(&Handle::none()).unwrap());
    assert_eq!(own.controller_knows, ["simplified forearms"]);
    assert!(own.note.is_some());
    assert_eq!(own.regulators, copied.regulators);
    assert_eq!((own.note, own.machine, own.move_time), (copied.note, copied.machine, copied.move_time));
}

#[test]
fn results_come_back_from_json() {
    let result = Request::Follow(Box::default()).run(&Handle::none()).unwrap();
    let text = as_text(&result);
    assert_eq!(as_text(&serde_json::from_str(&text).unwrap()), text);
    let swing = SimulateRequest { keep_samples: true, ..swing(changed("delta-industrial")) };
    let (result, recording) = swing.run_recorded(&Handle::none()).unwrap();
    let samples = result.samples.clone().unwrap();
    assert_eq!(samples.values("z").unwrap(), recording.values("z").unwrap());
    assert_eq!((result.shown.rows.len(), samples.rows.len()), (5, 11));
    let text = serde_json::to_string(&result).unwrap();
    assert_eq!(serde_json::from_str::<legwork::task::SimulateResult>(&text).unwrap(), result);
}

/// Cancelled on its way, a run gives what was computed; progress only grows.
#[test]
fn a_cancelled_run_keeps_what_it_has_and_progress_grows() {
    let cancel = AtomicBool::new(false);
    let heard = Mutex::new(Vec::new());
    let listener = |progress: Progress<'_>| {
        heard.lock().unwrap().push(progress.done);
        if progress.done > 0.4 {
            cancel.store(true, Ordering::Relaxed);
        }
    };
    let handle = Handle::none().with_progress(&listener).cancelled_by(&cancel);
    let (result, recording) = swing(RobotRequest::named("delta-industrial")).run_recorded(&handle).unwrap();
    assert_eq!(result.ending, EndingKind::Interrupted);
    assert!((result.time - 0.05).abs() < 1e-12 && recording.len() == result.samples_taken);
    assert!(matches!(recording.ending(), Ending::Finished(why) if why.starts_with("interrupted at 0.05")));

    cancel.store(false, Ordering::Relaxed);
    let swung = std::mem::take(&mut *heard.lock().unwrap());
    let result = FollowRequest::default().run(&handle).unwrap();
    let followed = heard.lock().unwrap().clone();
    assert_eq!(result.regulators.len(), 2);
    assert_eq!(result.regulators[0].ended, EndingKind::Completed);
    assert_eq!(result.regulators[1].ended, EndingKind::Interrupted);
    for list in [swung, followed] {
        assert!(list.len() > 3 && list.windows(2).all(|pair| pair[0] <= pair[1]) && list[0] == 0.0);
    }
}

/// Tasks that have nothing to show before their end look at the handle on their way.
#[test]
fn a_cancelled_search_ends_on_its_way() {
    let cancel = AtomicBool::new(false);
    let heard = Mutex::new(Vec::new());
    let listener = |progress: Progress<'_>| {
        heard.lock().unwrap().push(progress.done);
        cancel.store(progress.done > 0.3, Ordering::Relaxed);
    };
    let handle = Handle::none().with_progress(&listener).cancelled_by(&cancel);
    let robot = || RobotRequest::named("delta-bortoff-b");
    let crossing = LinearizeRequest { robot: robot(), crossing: true, ..LinearizeRequest::default() };
    let numbers = SensitivityRequest { robot: robot(), from_file: true, ..SensitivityRequest::default() };
    for request in [Request::Linearize(Box::new(crossing)), Request::Sensitivity(Box::new(numbers))] {
        cancel.store(false, Ordering::Relaxed);
        let error = request.run(&handle).unwrap_err();
        assert!(matches!(error, TaskError::Cancelled), "{error}");
        let heard = std::mem::take(&mut *heard.lock().unwrap());
        assert!(heard.len() > 3 && heard.iter().all(|done| *done < 0.5), "{heard:?}");
    }
    // A golden file, of states and of a motion, tells nothing on its way.
    cancel.store(true, Ordering::Relaxed);
    for name in ["delta_industrial.json", "delta_swing.json"] {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../golden").join(name);
        let error = CheckRequest::about(path.to_str().unwrap()).run(&handle).unwrap_err();
        assert!(matches!(error, TaskError::Cancelled), "{name}: {error}");
    }
}

/// A result that is not finite is never `Ok`: it is refused with the number that went out of range.
#[test]
fn a_result_that_is_not_finite_is_an_error() {
    // Efforts of 1e200 N m are numbers; their squares are not.
    let robot = RobotRequest { payload: Some(Mass(1e200)), ..RobotRequest::named("delta-industrial") };
    let error = SizeRequest { robot, ..SizeRequest::default() }.run(&Handle::none()).unwrap_err();
    assert_eq!(error.to_string(), "the rms effort of q1 is beyond the range of numbers");

    // The weight of a payload that is a number, and is none.
    let heavy = RobotRequest { payload: Some(Mass(1.7e308)), ..RobotRequest::named("delta-industrial") };
    let limits = LimitsRequest { acceleration: Some(Acceleration(1.0)), ..LimitsRequest::default() };
    let plan = PlanRequest { robot: heavy.clone(), limits, ..PlanRequest::default() };
    plan.run(&Handle::none()).unwrap_err();
    // A cell without a number is none: neither infinite nor a number that is wrong.
    let map = MapRequest { robot: heavy, quantities: vec![Quantity::Gravity], ..MapRequest::default() };
    let map = map.compute(&map.robot.open().unwrap(), &Handle::none()).unwrap();
    let values: Vec<f64> = (0..map.grid.len()).flat_map(|pose| map.at(pose).to_vec()).collect();
    assert!(values.iter().all(|value| value.is_nan()) && values.len() > 1000, "{}", values.len());

    let place = (0..6).map(|k| PoleRequest::parse(&format!("-{}e180", k + 1)).unwrap()).collect();
    let request = LinearizeRequest {
        robot: RobotRequest::named("delta-bortoff-b"),
        place: Some(place),
        ..LinearizeRequest::default()
    };
    let error = request.run(&Handle::none()).unwrap_err().to_string();
    assert!(error.contains("beyond the range of numbers") || error.contains("no numbers"), "{error}");

    // A friction that is not zero, and has no neighbours a hundred-thousandth of it away.
    let scratch = Scratch::new("tiny");
    let path = scratch.0.join("tiny.toml");
    let text = BUILT_IN.iter().find(|robot| robot.name == "delta-bortoff-b").unwrap().text;
    let text = text.replace("\"0.0412 N m s/rad\"", "\"1e-321 N m s/rad\"");
    assert!(text.contains("1e-321"));
    std::fs::write(&path, text).unwrap();
    let request = SensitivityRequest {
        robot: RobotRequest::named(path.to_str().unwrap()),
        from_file: true,
        ..SensitivityRequest::default()
    };
    let found = request.run(&Handle::none()).unwrap();
    assert!(found.parameters.iter().all(|one| one.slopes.iter().all(|slope| slope.is_finite())));
    let refused = found.refused.iter().find(|one| one.name.ends_with("viscous_friction"));
    assert!(refused.is_some_and(|one| one.reason.contains("too close to zero")), "{:?}", found.refused);
}
