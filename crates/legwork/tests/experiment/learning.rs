//! Regulators that find out what nobody told them: a payload, a disturbance.

use legwork::AnyRobot;
use legwork::analysis::tuning::LoopMargins;
use legwork::experiment::{ControllerKind, Experiment, Outcome, TimedPath, Tuning, around_home, gentle_law};
use legwork::sim::{ModelError, Plant};
use legwork::task::{ControllerRequest, FollowRequest, Handle, Mass, RobotRequest};
use legwork_testkit::nan_max;
use std::ops::ControlFlow;

fn largest(outcome: &Outcome) -> f64 {
    assert!(outcome.is_whole(), "{:?}", outcome.fault);
    outcome.turning.or(outcome.sliding).unwrap().max
}

/// Every kind of robot with a tenth of its moving mass on the platform that its controller does not know.
#[test]
fn a_load_that_nobody_told_is_found_on_every_kind_of_robot() {
    for name in
        ["delta-direct-drive", "delta-industrial", "gough-stewart", "linear-delta", "five-bar", "3-rps"]
    {
        let empty = AnyRobot::open(name).unwrap().with_payload(0.0).unwrap();
        let mass = 0.1 * empty.description().data.moving_mass();
        let robot = empty.with_payload(mass).unwrap();
        let path = around_home(&robot).unwrap();
        let law = gentle_law(&robot, &path).unwrap();
        let motion = TimedPath::new(path, law);
        let experiment = Experiment::new(&robot, motion)
            .with_controller_model(empty)
            .on_plant(Plant::ideal().with_lag(1e-3))
            .with_detuned_gains()
            .unwrap();
        let kinds = [ControllerKind::Model, ControllerKind::Adaptive, ControllerKind::Observer];
        let [model, adaptive, observer] = experiment.run_all(&kinds).unwrap().try_into().unwrap();
        println!(
            "{name}: {mass} kg, found {:?}; errors {} {} {}",
            adaptive.payload,
            largest(&model),
            largest(&adaptive),
            largest(&observer)
        );
        // A twentieth: differences over samples of a motion that changes meanwhile.
        assert!(
            (adaptive.payload.unwrap() / mass - 1.0).abs() < 0.05,
            "{name}: {:?} of {mass}",
            adaptive.payload
        );
        assert!(largest(&adaptive) < largest(&model), "{name}");
        assert!(largest(&observer) < largest(&model), "{name}");
        assert_eq!([model.payload, observer.payload], [None, None]);
    }
}

/// An observer whose model is right, lag included, moves no pole: its loop ends where that of the law ends.
#[test]
fn an_observer_is_stable_where_its_law_is() {
    let robot = AnyRobot::open("delta-direct-drive").unwrap();
    for (hertz, holds) in [(20.0, true), (45.0, true), (60.0, false)] {
        let bandwidth = std::f64::consts::TAU * 40.0;
        let frequency = std::f64::consts::TAU * hertz;
        let experiment = Experiment::new(&robot, TimedPath::codourey().unwrap())
            .on_plant(Plant::ideal().with_lag(2e-3))
            .tuned(Tuning { frequency, observer_bandwidth: Some(bandwidth), ..Tuning::default() })
            .settling_for(1.0);
        let margins = [ControllerKind::Model, ControllerKind::Observer]
            .map(|kind| LoopMargins::of(&experiment, kind).unwrap());
        assert_eq!(margins[0], margins[1]);
        assert_eq!(margins[1].is_stable(), holds, "{hertz} Hz");
        let mut last = 0.0_f64;
        let outcome = experiment
            .run_each(ControllerKind::Observer, |seen| {
                if seen.sample.time > 1.0 {
                    last = nan_max(last, seen.position_error);
                }
                ControlFlow::Continue(())
            })
            .unwrap();
        // A micrometre is at rest; what grows is stopped by the supervisor or swings on.
        let rests = outcome.is_whole() && last < 1e-6;
        assert_eq!(rests, holds, "{hertz} Hz: {last} {:?}", outcome.fault);
    }
}

/// A friction that no model has, ten per cent of model error, and limits: the estimates keep to their bounds and nothing
/// runs away.
#[test]
fn estimates_keep_to_their_bounds() {
    let robot = AnyRobot::open("delta-direct-drive").unwrap();
    let known = robot.with_model_error(&ModelError { mass: -0.1, ..ModelError::default() }).unwrap();
    let run = |tuning: Tuning, kind| {
        Experiment::new(&robot.with_payload(1.0).unwrap(), TimedPath::codourey().unwrap())
            .with_controller_model(known.clone())
            .on_plant(Plant::ideal().with_lag(2e-3))
            .tuned(tuning)
            .run(kind)
            .unwrap()
    };
    let little = Tuning { payload_limit: Some(0.3), ..Tuning::default() };
    let outcome = run(little, ControllerKind::Adaptive);
    assert_eq!(outcome.payload, Some(0.3));
    assert!(outcome.is_whole());
    let free = run(Tuning::default(), ControllerKind::Adaptive);
    assert!(largest(&free) < largest(&outcome));
    // An observer that may believe in next to nothing is the model alone.
    let none = Tuning { disturbance_limit: Some(vec![1e-9]), ..Tuning::default() };
    let (bound, model) = (run(none, ControllerKind::Observer), run(Tuning::default(), ControllerKind::Model));
    assert!(largest(&run(Tuning::default(), ControllerKind::Observer)) < largest(&bound));
    assert!(bound.is_whole() && model.is_whole());
}

#[test]
fn numbers_of_an_estimate_want_its_regulator() {
    let request = |controller| FollowRequest {
        robot: RobotRequest::named("delta-direct-drive"),
        controller,
        ..FollowRequest::default()
    };
    let refused = |controller| {
        let error = request(controller).run(&Handle::none()).unwrap_err();
        format!("{error}; {}", error.hint().unwrap_or_default())
    };
    let said = refused(ControllerRequest { payload_limit: Some(Mass(1.0)), ..ControllerRequest::default() });
    assert!(said.contains("for the regulator adaptive; add adaptive"), "{said}");
    let regulators = vec![ControllerKind::Adaptive];
    let said = refused(ControllerRequest {
        regulators: regulators.clone(),
        payload_limit: Some(Mass(-1.0)),
        ..ControllerRequest::default()
    });
    assert!(said.contains("payload_limit"), "{said}");
    let said = refused(ControllerRequest {
        regulators,
        observer_bandwidth: Some(legwork::task::Frequency(3.0)),
        ..ControllerRequest::default()
    });
    assert!(said.contains("for the regulator observer"), "{said}");
}
