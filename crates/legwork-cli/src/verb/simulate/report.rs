//! What is said after a run.

use super::follow::Kept;
use super::samples::{self, Listed};
use crate::answer::joint_names;
use crate::args::{Rows, SimulateArgs};
use crate::json;
use crate::table::Table;
use legwork::AnyRobot;
use legwork::coordinates::{CoordinateSchema, Group};
use legwork::recording::Column;
use legwork::sim::{Ending, FormulationKind, Integrator, Summary};
use legwork::text::{Decimals, short};
use serde_json::{Value, json};
use std::io::{self, Write};

/// A kinetic energy that is rounding \[J\].
const NOISE: f64 = 1e-15;

pub struct Report<'a> {
    pub args: &'a SimulateArgs,
    pub robot: &'a AnyRobot,
    pub schema: &'a CoordinateSchema,
    pub formulation: FormulationKind,
    pub integrator: Integrator,
    pub duration: f64,
    pub summary: Summary,
    /// What the run took on the clock \[s\].
    pub seconds: f64,
    pub kept: Vec<Kept>,
    /// Motors that were outside their limits at a sample.
    pub outside: Vec<usize>,
    /// What the machine is, in words.
    pub said: Vec<String>,
    pub has_stops: bool,
    pub listed: Listed,
}

/// "at its end", or why not.
pub fn ending(ending: &Ending) -> String {
    match ending {
        Ending::Completed => "at its end".into(),
        Ending::Stopped { time, reason } => format!("stopped at {} s: {reason}", short(*time)),
        Ending::ControllerFailed { time, fault } => format!("stopped at {} s: {fault}", short(*time)),
        Ending::Interrupted { time } => format!("interrupted at {} s", short(*time)),
    }
}

impl Report<'_> {
    pub fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let summary = &self.summary;
        let statistics = &summary.statistics;
        writeln!(
            out,
            "{}: {} s of {} s simulated\n",
            self.schema.robot,
            short(summary.time),
            short(self.duration)
        )?;
        let mut table = Table::with_left(&[1]);
        table.row(["formulation".into(), self.formulation_text()]);
        table.row(["integrator".into(), self.integrator_text()]);
        table.row(["motors".into(), self.efforts_text()]);
        for (k, said) in self.said.iter().enumerate() {
            table.row([if k == 0 { "machine" } else { "" }.into(), said.clone()]);
        }
        table.row(["samples".into(), summary.samples.to_string()]);
        table.row(["steps".into(), format!("{}, {} rejected", statistics.steps, statistics.rejected)]);
        table.row(["evaluations".into(), statistics.evaluations.to_string()]);
        table.row(["loop gap".into(), format!("{:.1e} m", summary.loop_gap)]);
        let energy = short(summary.kinetic);
        table.row([
            "energy balance".into(),
            format!("{:.1e} J, kinetic energy up to {energy} J", summary.imbalance),
        ]);
        table.row(["real-time factor".into(), short(rounded(self.factor()))]);
        table.row(["ended".into(), ending(&summary.ending)]);
        if summary.ending != Ending::Completed
            && let Some(last) = self.kept.last()
        {
            table.row(["last good state".into(), self.schema.place(&last.pose)]);
        }
        if let Some(path) = &self.args.out {
            table.row(["written to".into(), path.display().to_string()]);
        }
        table.print(out)?;
        writeln!(out)?;
        self.print_samples(out)?;
        if let Some(note) = self.robot.outside_limits_text(&self.outside) {
            let note = note.replace(" is ", " was ").replace(" are ", " were ");
            let stops = if self.has_stops { "in its stops" } else { "nothing stops it there" };
            writeln!(out, "\n{note}; {stops}")?;
        }
        Ok(())
    }

    /// Time, coordinates, joints if there is room, kinetic energy.
    fn print_samples(&self, out: &mut dyn Write) -> io::Result<()> {
        let schema = self.schema;
        let mut columns: Vec<(String, Vec<String>)> = Vec::new();
        // Numbers of one kind have common decimals: what is zero to rounding shows as zero.
        let mut add = |names: Vec<String>, get: &dyn Fn(&Kept) -> Vec<f64>| {
            let rows: Vec<Vec<f64>> = self.kept.iter().map(get).collect();
            let decimals = Decimals::of(&rows.concat());
            columns.extend(
                names
                    .into_iter()
                    .enumerate()
                    .map(|(k, name)| (name, rows.iter().map(|row| decimals.show(row[k])).collect())),
            );
        };
        let names = |group, unit: &str| -> Vec<String> {
            schema.group(group).names.iter().map(|name| format!("{} [{unit}]", name.text)).collect()
        };
        let scaled = |numbers: Vec<f64>, factor: f64| numbers.iter().map(|x| x * factor).collect();
        add(vec!["t [s]".into()], &|kept| vec![kept.time]);
        add(names(Group::Position, "mm"), &|kept| {
            scaled(schema.pick(Group::Position, &kept.pose.position), 1e3)
        });
        add(names(Group::Orientation, "deg"), &|kept| {
            scaled(schema.angles(&kept.pose.rotation), 1_f64.to_degrees())
        });
        if schema.motor_count() <= 3 {
            let units = schema.each("deg", "mm").into_iter().enumerate();
            let names = units.map(|(k, unit)| format!("q{} [{unit}]", k + 1)).collect();
            add(names, &|kept| schema.in_degrees_and_millimetres(&kept.q));
        }
        add(vec!["kinetic [J]".into()], &|kept| vec![if kept.kinetic < NOISE { 0.0 } else { kept.kinetic }]);
        let mut table = Table::default();
        table.row(columns.iter().map(|(name, _)| name.as_str()));
        for row in 0..self.kept.len() {
            table.row(columns.iter().map(|(_, cells)| cells[row].as_str()));
        }
        table.print(out)
    }

    pub fn json(&self, out: &mut dyn Write) -> io::Result<()> {
        let summary = &self.summary;
        let columns = samples::columns(self.schema, self.listed);
        let last = self.kept.last().map(|last| {
            let pair = |(column, value): (&Column, &f64)| (column.name.clone(), Value::from(*value));
            Value::Object(columns.iter().zip(&last.row).map(pair).collect())
        });
        let (ended, reason) = match summary.ending {
            Ending::Completed => ("completed", None),
            Ending::Stopped { reason, .. } => ("stopped", Some(reason.to_string())),
            Ending::ControllerFailed { fault, .. } => ("stopped", Some(fault.to_string())),
            Ending::Interrupted { .. } => ("interrupted", None),
        };
        let mut object = json!({
            "robot": self.schema.robot,
            "formulation": self.formulation.to_string(),
            "integrator": self.args.integrator.name(),
            "duration": self.duration,
            "time": summary.time,
            "ending": ended,
            "reason": reason,
            "samples_taken": summary.samples,
            "steps": summary.statistics.steps,
            "rejected": summary.statistics.rejected,
            "evaluations": summary.statistics.evaluations,
            "loop_gap": summary.loop_gap,
            "energy_imbalance": summary.imbalance,
            "largest_kinetic_energy": summary.kinetic,
            "run_time": self.seconds,
            "real_time_factor": self.factor(),
            "outside_limits": joint_names(&self.outside),
            "last": last,
        });
        match self.integrator {
            Integrator::Dopri5 { tolerance } | Integrator::Bdf { tolerance } => {
                object["tolerance"] = json!(tolerance);
            }
            Integrator::Rk4 { step }
            | Integrator::SemiImplicitEuler { step }
            | Integrator::Rattle { step } => object["step"] = json!(step),
        }
        if !self.said.is_empty() {
            object["machine"] = json!(self.said);
        }
        if let FormulationKind::Constrained { pole } = self.formulation {
            object["pole"] = json!(pole);
        }
        if let Some(path) = self.args.page() {
            object["report"] = json!(path.display().to_string());
        }
        if let Some(path) = &self.args.out {
            object["out"] = json!(path.display().to_string());
        } else {
            let rows: Vec<&[f64]> = self.kept.iter().map(|kept| kept.row.as_slice()).collect();
            let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
            let units: Vec<&str> = columns.iter().map(|column| column.unit.as_str()).collect();
            object["samples"] = json!({ "columns": names, "units": units, "rows": rows });
        }
        json::print(&object, out)
    }

    /// Simulated time over time on the clock.
    fn factor(&self) -> f64 {
        self.summary.time / self.seconds.max(1e-9)
    }

    fn formulation_text(&self) -> String {
        match self.formulation {
            FormulationKind::Constrained { pole } => format!("constrained, pole {} 1/s", short(pole)),
            other => other.to_string(),
        }
    }

    fn integrator_text(&self) -> String {
        let name = self.args.integrator.name();
        match self.integrator {
            Integrator::Dopri5 { tolerance } | Integrator::Bdf { tolerance } => {
                format!("{name}, tolerance {tolerance:e}")
            }
            Integrator::Rk4 { step }
            | Integrator::SemiImplicitEuler { step }
            | Integrator::Rattle { step } => format!("{name}, step {} ms", short(step * 1e3)),
        }
    }

    fn efforts_text(&self) -> String {
        let args = self.args;
        if let Some(path) = &args.efforts {
            let between = if args.between == Some(Rows::Linear) { "straight lines" } else { "held" };
            return format!("from {}, {between} between its rows", path.display());
        }
        match (args.effort.is_empty(), args.hold_at.is_empty(), args.hold) {
            (false, _, _) => "constant".into(),
            (_, false, _) => "as they would hold it at the pose given".into(),
            (_, _, true) => "as they would hold it at the start".into(),
            _ => "as they would hold it at home".into(),
        }
    }
}

/// Three digits: a clock is not better than that.
fn rounded(factor: f64) -> f64 {
    format!("{factor:.2e}").parse().unwrap_or(factor)
}
