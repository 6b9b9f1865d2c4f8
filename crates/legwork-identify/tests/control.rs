//! Feed-forward with an identified model: the experiment of \[Codourey1998\] with masses that are ten per cent off, before and
//! after identification from one exciting run of the same closed loop.

use legwork::description::ModelError;
use legwork::experiment::{ControllerKind, Experiment, Given, MotionRow, SampledMotion, TimedPath};
use legwork::sim::Plant;
use legwork::task::Handle;
use legwork::{AnyRobot, ForearmModel};
use legwork_identify::dynamics::excite::{ExciteSettings, exciting_motion};
use legwork_identify::dynamics::{Log, Logs, Settings, identify};
use std::ops::ControlFlow;

/// Factor of joint errors, regulator with the model over plain PD.
fn factor(machine: &AnyRobot, known: &AnyRobot) -> f64 {
    let experiment = Experiment::new(machine, TimedPath::codourey().unwrap())
        .with_controller_model(known.clone())
        .on_plant(Plant::ideal().with_lag(2e-3));
    let outcomes = experiment.run_all(&ControllerKind::FOUR).unwrap();
    outcomes[3].factors(&outcomes[0]).0
}

/// What the closed loop logs along an exciting motion: commands and encoders, through a drive with a lag.
fn exciting_run(machine: &AnyRobot, known: &AnyRobot) -> Log {
    let settings = ExciteSettings { duration: 6.0, trials: 6, ..ExciteSettings::default() };
    let motion = exciting_motion(known, &settings, &Handle::none()).unwrap();
    let rows: Vec<MotionRow> = (0..=600)
        .map(|k| {
            let time = 0.01 * f64::from(k);
            let [q, qd, qdd] = motion.at(time);
            let platform = known.platform_from_joints(&q, &qd, &qdd, &known.home()).unwrap();
            MotionRow { time, platform, mass: 0.0 }
        })
        .collect();
    let given = Given { velocity: [true; 2], acceleration: [true; 2] };
    let experiment = Experiment::new(machine, SampledMotion::new(&rows, given).unwrap())
        .with_controller_model(known.clone())
        .on_plant(Plant::ideal().with_lag(2e-3).with_encoder(std::f64::consts::TAU / 262_144.0));
    let mut log = Log { q: vec![Vec::new(); 3], effort: vec![Vec::new(); 3], ..Log::default() };
    let outcome = experiment.run_each(ControllerKind::Model, |seen| {
        log.time.push(seen.sample.time);
        for k in 0..3 {
            log.q[k].push(seen.sample.measured.unwrap_or(seen.sample.q)[k]);
            log.effort[k].push(seen.sample.command[k]);
        }
        ControlFlow::Continue(())
    });
    assert!(outcome.unwrap().is_whole());
    log
}

#[test]
fn feed_forward_with_the_identified_model_is_as_good_as_with_the_true_one() {
    let machine = AnyRobot::open("delta-direct-drive").unwrap();
    let rough = |part: f64| {
        let error = ModelError { mass: part, motor_inertia: part, ..ModelError::default() };
        machine.with_model_error(&error).unwrap()
    };
    let exact = factor(&machine, &machine);
    println!("model error  before  after (exact {exact:.2})");
    for part in [-0.1, 0.05, 0.1, 0.2] {
        let known = rough(part);
        let before = factor(&machine, &known.with_forearm_model(ForearmModel::Simplified).unwrap());
        let log = exciting_run(&machine, &known);
        let found = identify(
            &known,
            &Logs { used: vec![log], ..Logs::default() },
            &Settings::default(),
            &Handle::none(),
        );
        let found = found.unwrap();
        let after = factor(&machine, &found.robot);
        println!("{:>10} %  {before:6.2}  {after:6.2}   lag {:?}", 100.0 * part, found.lag);
        if part == 0.1 {
            // "a factor of 6" of the paper, with lumped forearms and ten per cent of error
            assert!((before - 5.9).abs() < 0.05, "{before}");
        }
        assert!(after >= 12.0 && after > 0.9 * exact, "{after} of {exact}");
        // The lag of the drive, and half of the millisecond for which a command is held.
        assert!((found.lag.0 - 2.5e-3).abs() < 5e-5, "{:?}", found.lag);
    }
}
