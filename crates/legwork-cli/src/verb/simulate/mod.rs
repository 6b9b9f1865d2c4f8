//! `legwork simulate`: a robot in time under given efforts, or along a path.

mod efforts;
mod experiment;
mod follow;
mod plant;
mod report;
mod samples;

use super::{in_mode, interrupt, no_masses, open};
use crate::Outcome;
use crate::args::{Formulation, Method, SimulateArgs};
use crate::failure::{Failure, Message};
use follow::Follower;
pub(super) use follow::metadata;
use legwork::coordinates::{CoordinateSchema, Group, POSE, VELOCITY, Values, WRENCH, number};
use legwork::recording::Format;
use legwork::sim::{Ending, FormulationKind, Integrator, Simulation, SimulationError};
use legwork::units::Quantity;
use legwork::{AnyRobot, PlatformState};
use report::Report;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Instant;

pub fn run(args: &SimulateArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    if experiment::is_asked(args) {
        return experiment::run(args, as_json, out);
    }
    let name = args.robot.as_deref().unwrap_or(experiment::ROBOT);
    let mut robot = in_mode(open(name)?, args.mode.as_ref())?;
    if !robot.has_masses() {
        return Err(no_masses(&robot, name));
    }
    if let Some(payload) = &args.plant.payload {
        let payload = number("payload", Quantity::Mass, payload)?;
        robot = robot.with_payload(payload).map_err(|error| Failure::of(error, name))?;
    }
    let schema = CoordinateSchema::of(&robot);
    let (machine, said) = plant::from_args(&args.plant, &schema, robot.payload())?;
    let has_stops = !args.plant.stops.is_empty();
    let has_commands = machine.has_drives();
    let start = start(args, &robot, &schema)?;
    let duration = time("duration", args.duration.as_deref().unwrap_or("1s"))?;
    let interval = time("sample", args.sample.as_deref().unwrap_or("10ms"))?;
    let formulation = formulation(args)?;
    let integrator = integrator(args)?;
    if let Some(path) = &args.out {
        check_name(path)?;
    }
    let efforts = efforts::from_args(args, name, &robot, &schema, &start)?;
    let simulation = Simulation::new(&robot, efforts)
        .on_plant(machine)
        .starting_at(start)
        .lasting(duration)
        .sampled_every(interval)
        .formulated_as(formulation)
        .integrated_by(integrator);

    let keeps_all = as_json && args.out.is_none();
    let listed = samples::Listed { has_commands, has_readings: simulation.reads_encoders() };
    let mut follower = Follower::new(&robot, &schema, name, args.out.as_deref(), duration, keeps_all, listed);
    if args.page().is_some() {
        follower = follower.remembering()?;
    }
    let interrupted = interrupt::watch()?;
    let begin = Instant::now();
    let summary = simulation.run_each(|sample| {
        let flow = follower.see(sample);
        if interrupted.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { flow }
    });
    let seconds = begin.elapsed().as_secs_f64();
    let summary = summary.map_err(|error| failure(error, name))?;
    #[cfg(feature = "studio")]
    let memory = follower.memory(&report::ending(&summary.ending))?;
    let (kept, outside) = follower.finish(&report::ending(&summary.ending))?;

    let report = Report {
        args,
        robot: &robot,
        schema: &schema,
        formulation,
        integrator,
        duration,
        summary,
        seconds,
        kept,
        outside,
        said,
        has_stops,
        listed,
    };
    if as_json {
        report.json(out)?;
    } else {
        report.print(out)?;
    }
    #[cfg(feature = "studio")]
    if let (Some(path), Some(memory)) = (args.page(), memory) {
        crate::page::write_run(path, robot.name(), &memory, as_json, out)?;
    }
    Ok(match summary.ending {
        Ending::Completed => Outcome::Done,
        Ending::Interrupted { .. } => Outcome::Interrupted,
        _ => Outcome::Fails,
    })
}

/// Where it starts and how fast.
fn start(args: &SimulateArgs, robot: &AnyRobot, schema: &CoordinateSchema) -> Result<PlatformState, Failure> {
    let mut start = robot.home();
    if !args.from.is_empty() {
        let mut row = Values::default();
        schema.read(&mut row, "--from", POSE, &args.from)?;
        schema.read_pose(&mut row, &[""; 0], &args.quaternion)?;
        start = schema.platform(&row)?;
    }
    if !args.plant.force.is_empty() {
        let mut row = Values::default();
        schema.read(&mut row, "--force", WRENCH, &args.plant.force)?;
        start.wrench = schema.wrench(&row);
    }
    if !args.velocity.is_empty() {
        let mut row = Values::default();
        schema.read(&mut row, "--velocity", VELOCITY, &args.velocity)?;
        for (group, half) in [(Group::Velocity, 0), (Group::AngularVelocity, 3)] {
            for (name, value) in schema.group(group).names.iter().zip(schema.or_zero(&row, group)) {
                start.twist[half + name.place] = value;
            }
        }
    }
    Ok(start)
}

/// The pose that an option gives.
pub(super) fn pose(
    schema: &CoordinateSchema,
    option: &str,
    texts: &[String],
) -> Result<Option<PlatformState>, Failure> {
    if texts.is_empty() {
        return Ok(None);
    }
    let mut row = Values::default();
    schema.read(&mut row, option, POSE, texts)?;
    Ok(Some(schema.platform(&row)?))
}

pub(super) fn time(name: &str, text: &str) -> Result<f64, Failure> {
    let value = number(name, Quantity::Time, text)?;
    positive(name, value)
}

pub(super) fn positive(name: &str, value: f64) -> Result<f64, Failure> {
    if value > 0.0 {
        return Ok(value);
    }
    Err(Message::new(format!("`--{name}` is {value}; it must be larger than zero")).into())
}

fn formulation(args: &SimulateArgs) -> Result<FormulationKind, Failure> {
    if let Some(pole) = &args.pole {
        if args.formulation != Formulation::Constrained {
            let message = Message::new("`--pole` is for the constrained form");
            return Err(message.hint("add `--formulation constrained`, or leave it out").into());
        }
        if number("pole", Quantity::Ratio, pole)? < 0.0 {
            return Err(Message::new("`--pole` is less than zero: the loops would open").into());
        }
    }
    Ok(match args.formulation {
        Formulation::Minimal => FormulationKind::Minimal,
        Formulation::Constrained => {
            let pole = args.pole.as_deref().unwrap_or("5");
            FormulationKind::Constrained { pole: number("pole", Quantity::Ratio, pole)? }
        }
        Formulation::Projected => FormulationKind::Projected,
        Formulation::Hamiltonian => FormulationKind::Hamiltonian,
    })
}

fn integrator(args: &SimulateArgs) -> Result<Integrator, Failure> {
    let is_fixed = !matches!(args.integrator, Method::Dopri5 | Method::Stiff);
    if args.tolerance.is_some() && is_fixed {
        let message =
            Message::new(format!("`--tolerance` is for dopri5 and stiff, not {}", args.integrator.name()));
        return Err(message.hint("the steps of this integrator are fixed: give `--step`").into());
    }
    if args.step.is_some() && !is_fixed {
        let name = args.integrator.name();
        let message = Message::new(format!("`--step` is for rk4, euler and rattle, not {name}"));
        return Err(message.hint(format!("{name} finds its steps: give `--tolerance`")).into());
    }
    let step = || time("step", args.step.as_deref().unwrap_or("1ms"));
    let tolerance = || {
        let given = number("tolerance", Quantity::Ratio, args.tolerance.as_deref().unwrap_or("1e-8"))?;
        positive("tolerance", given)
    };
    Ok(match args.integrator {
        Method::Dopri5 => Integrator::Dopri5 { tolerance: tolerance()? },
        Method::Stiff => Integrator::Bdf { tolerance: tolerance()? },
        Method::Rk4 => Integrator::Rk4 { step: step()? },
        Method::Euler => Integrator::SemiImplicitEuler { step: step()? },
        Method::Rattle => Integrator::Rattle { step: step()? },
    })
}

/// The name of the file says its format: told before the run, not after it.
pub(super) fn check_name(path: &Path) -> Result<(), Failure> {
    if Format::of(path).is_some() {
        return Ok(());
    }
    let message = Message::new(format!("`--out {}` does not say a format", path.display()));
    Err(message.hint("let its name end in .csv, .parquet or .mcap").into())
}

/// The library's reason, with a way out.
fn failure(error: SimulationError, robot: &str) -> Failure {
    let message = Message::new(error.to_string());
    match error {
        SimulationError::Robot(error) => Failure::of(error, robot),
        SimulationError::NotCanonical => message.hint("leave `--integrator` out, or take rk4").into(),
        SimulationError::NotStiff => {
            message.hint("build the program with `cargo install --features stiff`, or take dopri5").into()
        }
        SimulationError::NotSymplectic => message.hint("add `--formulation hamiltonian`").into(),
        SimulationError::TooManySamples { .. } => message.hint("take a longer `--sample`").into(),
        _ => message.into(),
    }
}
