//! What is said after an experiment.

use super::super::report::ending;
use crate::json;
use crate::table::Table;
use legwork::coordinates::CoordinateSchema;
use legwork::experiment::{ControllerKind, Experiment, Outcome, Spread};
use legwork::sim::Ending;
use legwork::text::{fixed, short};
use serde_json::{Value, json};
use std::f64::consts::TAU;
use std::io::{self, Write};
use std::path::PathBuf;

pub struct Report<'a> {
    pub schema: &'a CoordinateSchema,
    pub experiment: &'a Experiment<'a>,
    pub path: &'static str,
    pub law: &'static str,
    /// Between two samples of the controller \[s\].
    pub period: f64,
    /// About the machine.
    pub said: Vec<String>,
    /// About the robot that the controller knows.
    pub knows: Vec<String>,
    pub outcomes: &'a [Outcome],
    pub files: &'a [PathBuf],
    /// What the runs took on the clock \[s\].
    pub seconds: f64,
    /// Whether the motion is that of the paper.
    pub is_codourey: bool,
}

/// A number to four digits, at most four decimals.
fn shown(number: f64) -> String {
    let size = number.abs();
    let decimals = if size >= 100.0 {
        1
    } else if size >= 10.0 {
        2
    } else {
        3
    };
    if number.is_finite() { fixed(number, decimals) } else { "-".into() }
}

impl Report<'_> {
    pub fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let motion = self.experiment.motion();
        let (length, moving) = (motion.length(), motion.move_duration());
        writeln!(
            out,
            "{}: {} s along a path, regulator by regulator\n",
            self.schema.robot,
            short(rounded(self.experiment.duration()))
        )?;
        let mut table = Table::with_left(&[1]);
        let hertz = 0.5 / moving;
        table.row([
            "path".into(),
            format!(
                "{}, {} mm, {} law in {} ms: {} Hz there and back",
                self.path,
                shown(length * 1e3),
                self.law,
                shown(moving * 1e3),
                fixed(hertz, 2)
            ),
        ]);
        if let Some(first) = self.outcomes.first() {
            let gains = |list: &[f64]| {
                let same = list.windows(2).all(|pair| pair[0] == pair[1]);
                let shown: Vec<String> =
                    list.iter().take(if same { 1 } else { list.len() }).map(|x| short(rounded(*x))).collect();
                shown.join(", ")
            };
            let (kp, kd) = (gains(&first.gains.proportional), gains(&first.gains.derivative));
            let units = (self.schema.either("N m/rad", "N/m"), self.schema.either("N m s/rad", "N s/m"));
            let period = short(self.period * 1e3);
            let hertz = short(rounded(self.experiment.tuning().frequency / TAU));
            table.row([
                "controller".into(),
                format!("every {period} ms, {hertz} Hz: K_p {kp} {}, K_d {kd} {}", units.0, units.1),
            ]);
        }
        let knows =
            if self.knows.is_empty() { "the robot as its file says".into() } else { self.knows.join(", ") };
        table.row(["it knows".into(), knows]);
        table.row(["machine".into(), self.said.join(", ")]);
        for file in self.files {
            table.row(["written to".into(), file.display().to_string()]);
        }
        table.print(out)?;
        writeln!(out)?;
        self.print_outcomes(out)?;
        for outcome in self.outcomes {
            let name = outcome.kind.name();
            if let Some((time, fault)) = outcome.fault {
                writeln!(out, "\n{name}: the supervisor took over at {} s: {fault}", short(time))?;
            }
            if outcome.summary.ending != Ending::Completed {
                writeln!(out, "\n{name}: {}", ending(&outcome.summary.ending))?;
            }
        }
        let are_his = self.outcomes.iter().map(|outcome| outcome.kind).eq(ControllerKind::FOUR);
        if self.is_codourey && self.knows.len() == 1 && are_his {
            writeln!(
                out,
                "\nThe paper found a factor of 6: that of a model good to ten per cent, --known-error mass=10 motor=10."
            )?;
        }
        Ok(())
    }

    fn print_outcomes(&self, out: &mut dyn Write) -> io::Result<()> {
        let columns = self.columns();
        let mut table = Table::default();
        for row in 0..=self.outcomes.len() {
            table.row(columns.iter().map(|column| column[row].as_str()));
        }
        table.print(out)
    }

    /// The regulators side by side, for the head of a page.
    #[cfg(feature = "studio")]
    pub fn section(&self) -> legwork::report::Section {
        use legwork::report::{Axis, Section, Table};
        // Beside its neighbour a word is enough in a terminal.
        let full = |heads: &[&str]| match heads {
            [.., before, "rms"] => before.replacen(' ', " rms ", 1),
            [.., "[mrad]"] => "plate [mrad]".into(),
            [.., "factor"] => "motors, times better".into(),
            [.., "plate"] => "plate, times better".into(),
            [.., head] => (*head).to_owned(),
            [] => String::new(),
        };
        let columns = self.columns();
        let heads: Vec<&str> = columns.iter().map(|column| column[0].as_str()).collect();
        let axes = (1..=heads.len()).map(|count| Axis::new(full(&heads[..count]), ""));
        let rows = 1..=self.outcomes.len();
        let table = rows.fold(Table::new("", axes), |table, row| {
            table.with_row(columns.iter().map(|column| column[row].as_str()))
        });
        let text = "Largest errors of the motors and of the plate, their means (rms) and how many times smaller than with \
                    the first regulator; the largest effort; at the end how far the plate goes beyond its target, how far it \
                    is from it at rest, and when it has settled.";
        Section::new("Regulators side by side").with(table).with(text)
    }

    /// A name and a cell for each regulator, column by column.
    fn columns(&self) -> Vec<Vec<String>> {
        let mut columns: Vec<Vec<String>> = vec![self.names()];
        let mut add = |title: &str, get: &dyn Fn(&Outcome) -> Option<f64>| {
            let cells: Vec<Option<f64>> = self.outcomes.iter().map(get).collect();
            if cells.iter().any(Option::is_some) {
                let cells = cells.into_iter().map(|cell| cell.map_or("-".into(), shown));
                columns.push(std::iter::once(title.to_owned()).chain(cells).collect());
            }
        };
        let degrees = 1_f64.to_degrees();
        let max = |spread: Option<Spread>, scale: f64| spread.map(|spread| spread.max * scale);
        let rms = |spread: Option<Spread>, scale: f64| spread.map(|spread| spread.rms * scale);
        add("motors [deg]", &|o| max(o.turning, degrees));
        add("rms", &|o| rms(o.turning, degrees));
        add("motors [mm]", &|o| max(o.sliding, 1e3));
        add("rms", &|o| rms(o.sliding, 1e3));
        add("plate [mm]", &|o| max(Some(o.position), 1e3));
        add("rms", &|o| rms(Some(o.position), 1e3));
        add("[mrad]", &|o| max(o.orientation, 1e3));
        if let Some(first) = self.outcomes.first() {
            add("factor", &|o| Some(o.factors(first).0));
            add("plate", &|o| Some(o.factors(first).1));
        }
        add("peak [N m]", &|o| o.peak_torque);
        add("peak [N]", &|o| o.peak_force);
        add("beyond [mm]", &|o| o.arrival.map(|arrival| arrival.overshoot * 1e3));
        add("rest [mm]", &|o| o.arrival.map(|arrival| arrival.rest * 1e3));
        add("settled [ms]", &|o| o.arrival.and_then(|arrival| arrival.settling).map(|time| time * 1e3));
        columns
    }

    fn names(&self) -> Vec<String> {
        let names = self.outcomes.iter().map(|outcome| outcome.kind.name().to_owned());
        std::iter::once("regulator".to_owned()).chain(names).collect()
    }

    pub fn json(&self, out: &mut dyn Write) -> io::Result<()> {
        let motion = self.experiment.motion();
        let spread = |spread: &Spread| json!({ "max": spread.max, "rms": spread.rms });
        let some = |found: Option<Spread>| found.as_ref().map_or(Value::Null, spread);
        let first = self.outcomes.first();
        let outcomes: Vec<Value> = self
            .outcomes
            .iter()
            .map(|o| {
                let (joint, platform) = first.map_or((f64::NAN, f64::NAN), |first| o.factors(first));
                json!({
                    "regulator": o.kind.name(),
                    "kp": o.gains.proportional,
                    "kd": o.gains.derivative,
                    "bias": o.gains.bias,
                    "turning_error": some(o.turning),
                    "sliding_error": some(o.sliding),
                    "position_error": spread(&o.position),
                    "orientation_error": some(o.orientation),
                    "joint_factor": joint,
                    "platform_factor": platform,
                    "peak_torque": o.peak_torque,
                    "peak_force": o.peak_force,
                    "arrival": o.arrival.map(|a| json!({
                        "time": a.time, "overshoot": a.overshoot, "rest": a.rest, "settling": a.settling, "band": a.band,
                    })),
                    "fault": o.fault.map(|(time, fault)| json!({ "time": time, "reason": fault.to_string() })),
                    "ending": ending(&o.summary.ending),
                    "energy_imbalance": o.summary.imbalance,
                    "loop_gap": o.summary.loop_gap,
                    "steps": o.summary.statistics.steps,
                })
            })
            .collect();
        let object = json!({
            "robot": self.schema.robot,
            "path": self.path,
            "length": motion.length(),
            "law": self.law,
            "move_time": motion.move_duration(),
            "duration": self.experiment.duration(),
            "period": self.period,
            "controller_knows": self.knows,
            "machine": self.said,
            "run_time": self.seconds,
            "out": self.files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>(),
            "regulators": outcomes,
        });
        json::print(&object, out)
    }
}

/// Three digits.
fn rounded(number: f64) -> f64 {
    format!("{number:.2e}").parse().unwrap_or(number)
}
