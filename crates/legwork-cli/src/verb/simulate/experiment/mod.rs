//! `legwork simulate` along a path: regulators side by side.

mod motion;
mod record;
mod report;

use super::{formulation, integrator, plant, positive, time};
use crate::Outcome;
use crate::args::{ControllerArgs, Model, Regulator, SimulateArgs};
use crate::failure::{Failure, Message};
use crate::measures::three;
use crate::verb::{in_mode, interrupt, no_masses, open};
use legwork::analysis::linear::regulator;
use legwork::coordinates::{CoordinateSchema, number};
use legwork::experiment::{ControllerKind, Experiment, ExperimentError, Tuning};
use legwork::plan::check;
use legwork::sim::Ending;
use legwork::task::TaskError;
use legwork::units::Quantity;
use legwork::{AnyRobot, ForearmModel};
use record::Record;
use report::Report;
use std::f64::consts::TAU;
use std::io::Write;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// The robot of \[Codourey1998\], where none is named.
pub const ROBOT: &str = "delta-direct-drive";
/// Current lag of the motors where none is given \[s\].
const LAG: f64 = 2e-3;

/// Whether the options ask for a closed loop.
pub fn is_asked(args: &SimulateArgs) -> bool {
    args.robot.is_none() || args.path.is_given() || args.controller.is_given()
}

pub fn run(args: &SimulateArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    refuse_open_loop(args)?;
    let name = args.robot.as_deref().unwrap_or(ROBOT);
    let of_robot = |error| Failure::of(error, name);
    let mut robot = in_mode(open(name)?, args.mode.as_ref())?;
    if !robot.has_masses() {
        return Err(no_masses(&robot, name));
    }
    if let Some(payload) = &args.plant.payload {
        robot = robot.with_payload(number("payload", Quantity::Mass, payload)?).map_err(of_robot)?;
    }
    let schema = CoordinateSchema::of(&robot);
    let is_codourey = name == ROBOT;
    let described = motion::from_args(args, &robot, &schema, is_codourey)?;
    let (mut machine, mut said) = plant::from_args(&args.plant, &schema, robot.payload())?;
    if args.plant.lag.is_none() {
        machine = machine.with_lag(LAG);
        said.insert(0, "lag 2 ms".into());
    }
    let (known, knows) = known(&args.controller, &robot, is_codourey, name)?;
    let controller = &args.controller;
    let period = controller.period.as_deref().map_or(Ok(1e-3), |text| time("period", text))?;
    let mut experiment = Experiment::new(&robot, described.motion)
        .with_controller_model(known)
        .tuned(tuning(controller, &schema)?)
        .controlled_every(period)
        .on_plant(machine)
        .formulated_as(formulation(args)?)
        .integrated_by(integrator(args)?);
    if let Some(text) = &args.path.settle {
        experiment = experiment.settling_for(time("settle", text)?);
    }
    if let Some(text) = &args.path.band {
        experiment = experiment.within_band(positive("band", number("band", Quantity::Length, text)?)?);
    }
    if let Some(text) = &args.sample {
        experiment = experiment.observed_every(time("sample", text)?);
    }
    if !is_codourey && controller.frequency.is_none() {
        experiment = experiment.with_detuned_gains().map_err(|error| failure(error, name))?;
    }
    if let Some(path) = &args.out {
        super::check_name(path)?;
    }
    let kinds = kinds(&controller.regulator);
    let weights = three("lqr-weights", &controller.lqr_weights)?;
    experiment = with_state_feedback(experiment, &kinds, weights, name)?;
    check_path(&experiment, &robot, &kinds, name)?;
    let interrupted = interrupt::watch()?;
    let begin = Instant::now();
    let mut outcomes = Vec::new();
    let (mut files, mut memories) = (Vec::new(), Vec::new());
    for kind in &kinds {
        let mut record = Record::new(args.out.as_deref(), *kind, kinds.len() > 1, &schema, name)
            .remembering(args.page().is_some());
        let outcome = experiment.run_each(*kind, |seen| {
            let flow = record.see(seen);
            if interrupted.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { flow }
        });
        let outcome = outcome.map_err(|error| failure(error, name))?;
        let (file, memory) = record.finish(&super::report::ending(&outcome.summary.ending))?;
        files.extend(file);
        memories.extend(memory.map(|memory| (kind.name(), memory)));
        let is_interrupted = matches!(outcome.summary.ending, Ending::Interrupted { .. });
        outcomes.push(outcome);
        if is_interrupted {
            break;
        }
    }
    let seconds = begin.elapsed().as_secs_f64();
    let report = Report {
        schema: &schema,
        experiment: &experiment,
        path: described.path,
        law: described.law,
        period,
        said,
        knows,
        outcomes: &outcomes,
        files: &files,
        seconds,
        is_codourey: is_codourey && !args.path.is_given(),
    };
    if as_json {
        report.json(out)?;
    } else {
        report.print(out)?;
    }
    #[cfg(feature = "studio")]
    if let Some(path) = args.page() {
        let runs = memories.iter().map(|(name, recording)| legwork::report::Run { name, recording });
        let title = format!("{}: regulators side by side", robot.name());
        let mut page = legwork::report::of_runs(&title, &runs.collect::<Vec<_>>());
        page.sections.insert(0, report.section());
        crate::page::write_runs(path, &page, as_json, out)?;
    }
    #[cfg(not(feature = "studio"))]
    drop(memories);
    Ok(ended(&outcomes))
}

/// Reach and limits, then working mode and singularities, before anything moves.
fn check_path(
    experiment: &Experiment<'_>,
    robot: &AnyRobot,
    kinds: &[ControllerKind],
    name: &str,
) -> Result<(), Failure> {
    for kind in kinds {
        experiment.resolved_gains(*kind).map_err(|error| failure(error, name))?;
    }
    check(robot, experiment.motion().path()).map_err(|error| crate::verb::plan::failure(&error))?;
    Ok(())
}

/// How the program ends.
fn ended(outcomes: &[legwork::experiment::Outcome]) -> Outcome {
    let completed = |ending: &Ending| *ending == Ending::Completed;
    match outcomes.last().map(|outcome| outcome.summary.ending) {
        Some(Ending::Interrupted { .. }) => Outcome::Interrupted,
        _ if outcomes.iter().all(|o| completed(&o.summary.ending) && o.fault.is_none()) => Outcome::Done,
        _ => Outcome::Fails,
    }
}

/// What belongs to a run without a controller.
fn refuse_open_loop(args: &SimulateArgs) -> Result<(), Failure> {
    let given = [
        ("--effort", !args.effort.is_empty()),
        ("--hold", args.hold),
        ("--hold-at", !args.hold_at.is_empty()),
        ("--efforts", args.efforts.is_some()),
        ("--velocity", !args.velocity.is_empty()),
        ("--force", !args.plant.force.is_empty()),
        ("--duration", args.duration.is_some()),
    ];
    let Some((option, _)) = given.into_iter().find(|(_, is_given)| *is_given) else { return Ok(()) };
    let message = Message::new(format!("`{option}` is for a run without a path and a controller"));
    Err(match option {
        "--duration" => message.hint("a motion is as long as it is: `--move-time`, `--cycles`, `--settle`"),
        "--force" => message.hint("push for a time: --push 0s:1s:FX,FY,FZ"),
        _ if args.robot.is_none() => message.hint("name a robot: `legwork simulate ROBOT`"),
        _ => message.hint("leave the options of the path and of the controller out"),
    }
    .into())
}

fn kinds(named: &[Regulator]) -> Vec<ControllerKind> {
    let kind = |regulator: &Regulator| match regulator {
        Regulator::Pd => ControllerKind::Pd,
        Regulator::Pid => ControllerKind::Pid,
        Regulator::ConstantInertia => ControllerKind::ConstantInertia,
        Regulator::Model => ControllerKind::Model,
        Regulator::ModelShifted => ControllerKind::ModelShifted,
        Regulator::Gravity => ControllerKind::Gravity,
        Regulator::ComputedTorque => ControllerKind::ComputedTorque,
        Regulator::Platform => ControllerKind::Platform,
        Regulator::Lqr => ControllerKind::Lqr,
        Regulator::Place => ControllerKind::Place,
    };
    let mut kinds: Vec<ControllerKind> = Vec::new();
    for kind in named.iter().map(kind) {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    if kinds.is_empty() { ControllerKind::FOUR.to_vec() } else { kinds }
}

/// The gains of the regulators that have them from the linear model.
fn with_state_feedback<'r>(
    experiment: Experiment<'r>,
    kinds: &[ControllerKind],
    weights: Option<[f64; 3]>,
    name: &str,
) -> Result<Experiment<'r>, Failure> {
    let [is_lqr, is_place] = [ControllerKind::Lqr, ControllerKind::Place].map(|kind| kinds.contains(&kind));
    if weights.is_some() && !is_lqr {
        let message = Message::new("`--lqr-weights` is for the regulator lqr");
        return Err(message.hint("add `--regulator lqr`, or leave it out").into());
    }
    if !is_lqr && !is_place {
        return Ok(experiment);
    }
    let of_linear = |error| crate::task::failure(TaskError::from(error), "simulate", name);
    let small = regulator::along(&experiment).map_err(of_linear)?;
    let mut tuning = experiment.tuning().clone();
    if is_lqr {
        let pd = experiment.resolved_gains(ControllerKind::Lqr).map_err(|error| failure(error, name))?;
        let motors = pd.proportional.len();
        let ((place, rate), effort) = match weights {
            Some([place, rate, effort]) => ((vec![place; motors], vec![rate; motors]), effort),
            None => (regulator::like_pd(&pd), 1.0),
        };
        tuning.lqr = Some(regulator::lqr(&small, &place, &rate, effort).map_err(of_linear)?);
    }
    if is_place {
        let (frequency, damping) = (tuning.frequency, tuning.damping);
        tuning.placed = Some(regulator::place(&small, frequency, damping).map_err(of_linear)?);
    }
    Ok(experiment.tuned(tuning))
}

/// The robot that the controller knows, and what is said about it.
fn known(
    args: &ControllerArgs,
    robot: &AnyRobot,
    is_codourey: bool,
    name: &str,
) -> Result<(AnyRobot, Vec<String>), Failure> {
    let of_robot = |error| Failure::of(error, name);
    let mut known = robot.clone();
    let mut said = Vec::new();
    if !args.known_error.is_empty() {
        let error = plant::model_error("known-error", &args.known_error)?;
        said.extend(plant::off(&error));
        known = known.with_model_error(&error).map_err(of_robot)?;
    }
    if let Some(text) = &args.known_payload {
        known = known.with_payload(number("known-payload", Quantity::Mass, text)?).map_err(of_robot)?;
        said.push(format!("a payload of {text}"));
    }
    let forearms =
        args.known_forearms.or((is_codourey && robot.as_delta().is_some()).then_some(Model::Simplified));
    if let Some(model) = forearms {
        known = known.with_forearm_model(ForearmModel::from(model)).map_err(of_robot)?;
        if model != Model::Complete {
            said.push(format!("{} forearms", model.name()));
        }
    }
    Ok((known, said))
}

fn tuning(args: &ControllerArgs, schema: &CoordinateSchema) -> Result<Tuning, Failure> {
    let usual = Tuning::default();
    let ratio = |name: &str, text: &str| number(name, Quantity::Ratio, text).map_err(Failure::from);
    let list = |name: &str, texts: &[String]| -> Result<Option<Vec<f64>>, Failure> {
        let numbers: Vec<f64> = texts.iter().map(|text| ratio(name, text)).collect::<Result<_, _>>()?;
        let bad = numbers.iter().find(|value| **value < 0.0);
        match bad {
            Some(value) => {
                Err(Message::new(format!("`--{name}` is {value}; it must not be less than zero")).into())
            }
            None => Ok((!numbers.is_empty()).then_some(numbers)),
        }
    };
    let frequency = match &args.frequency {
        Some(text) => TAU * positive("frequency", ratio("frequency", text.trim_end_matches("Hz"))?)?,
        None => usual.frequency,
    };
    let kinds = schema.each(Quantity::Torque, Quantity::Force);
    let limits = args.command_limit.iter().zip(kinds.iter().cycle());
    let limits: Vec<f64> = limits
        .map(|(text, kind)| positive("command-limit", number("command-limit", *kind, text)?))
        .collect::<Result<_, _>>()?;
    Ok(Tuning {
        frequency,
        damping: match &args.damping {
            Some(text) => positive("damping", ratio("damping", text)?)?,
            None => usual.damping,
        },
        proportional: list("kp", &args.kp)?,
        derivative: list("kd", &args.kd)?,
        integral: list("ki", &args.ki)?,
        shift: args.shift.as_deref().map_or(Ok(usual.shift), |text| number("shift", Quantity::Time, text))?,
        is_decoupled: args.decouple,
        takes_differences: !args.exact_derivatives,
        is_balanced: !args.no_bias,
        effort_limit: (!limits.is_empty()).then_some(limits),
        ..usual
    })
}

/// The library's reason, with a way out.
fn failure(error: ExperimentError, robot: &str) -> Failure {
    let message = Message::new(error.to_string());
    match error {
        ExperimentError::Robot(error) => Failure::of(error, robot),
        ExperimentError::Simulation(error) => super::failure(error, robot),
        ExperimentError::Unreachable { .. } | ExperimentError::OutsideLimits { .. } => {
            message.hint("move or shrink the path: `--from`, `--to`, `--height`").into()
        }
        ExperimentError::Inertia { .. } => message.hint("give `--kp` and `--kd`").into(),
        _ => message.into(),
    }
}
