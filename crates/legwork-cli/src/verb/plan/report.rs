//! What is said of a plan.

use crate::args::PlanArgs;
use crate::json;
use crate::table::Table;
use legwork::AnyRobot;
use legwork::coordinates::CoordinateSchema;
use legwork::experiment::AnyPath;
use legwork::plan::{Bound, Part, Plan, Usage};
use legwork::text::{fixed, short};
use legwork::trajectory::Path;
use legwork::trajectory::optimal::Limit;
use serde_json::{Value, json};
use std::io::{self, Write};

pub struct Report<'a> {
    pub args: &'a PlanArgs,
    pub schema: &'a CoordinateSchema,
    pub robot: &'a AnyRobot,
    pub path: &'a AnyPath,
    /// What kind of path it is.
    pub name: &'static str,
    pub there: &'a Plan,
    pub back: Option<&'a Plan>,
    pub pause: f64,
}

impl Report<'_> {
    /// There and back with a rest at each end, or there alone \[s\].
    fn cycle(&self) -> f64 {
        let back = self.back.map_or(0.0, |back| back.duration() + 2.0 * self.pause);
        self.there.duration() + back
    }

    pub fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}: as fast as its motors allow\n", self.schema.robot)?;
        let mut table = Table::with_left(&[1]);
        let path = format!("{}, {} mm", self.name, fixed(self.path.length() * 1e3, 1));
        table.row(["path".to_owned(), path]);
        let seconds = |time: f64| format!("{} s", fixed(time, 4));
        match self.back {
            Some(back) => {
                table.row(["there".to_owned(), seconds(self.there.duration())]);
                table.row(["back".to_owned(), seconds(back.duration())]);
                let per_minute = fixed(60.0 / self.cycle(), 1);
                table
                    .row(["cycle".to_owned(), format!("{}, {per_minute} per minute", seconds(self.cycle()))]);
            }
            None => table.row(["duration".to_owned(), seconds(self.there.duration())]),
        }
        let clear = &self.there.clearance;
        let at = |s: f64| format!("at {} mm", fixed(s * 1e3, 1));
        let leg = clear.leg + 1;
        table.row([
            "singularities".to_owned(),
            format!(
                "serial {} (leg {leg}, {}), parallel {} ({})",
                fixed(clear.serial, 3),
                at(clear.serial_at),
                fixed(clear.parallel, 3),
                at(clear.parallel_at)
            ),
        ]);
        for path in &self.args.files.out {
            table.row(["written to".to_owned(), path.display().to_string()]);
        }
        table.print(out)?;

        writeln!(out)?;
        let mut table = Table::with_left(&[2]);
        table.row(["way [mm]", "time [ms]", "held back by"]);
        for part in gathered(&self.there.parts, self.path.length()) {
            table.row([
                format!("{} to {}", fixed(part.from * 1e3, 1), fixed(part.to * 1e3, 1)),
                fixed((part.end - part.begin) * 1e3, 1),
                part.limit.to_string(),
            ]);
        }
        table.print(out)?;

        writeln!(out)?;
        let mut table = Table::with_left(&[]);
        table.row(["limit", "largest", "of", "used"]);
        for usage in &self.there.usage {
            let unit = self.unit(usage.bound);
            table.row([
                format!("{} [{unit}]", usage.bound),
                short(rounded(usage.largest)),
                short(usage.limit),
                format!("{:.4} %", 100.0 * usage.share),
            ]);
        }
        table.print(out)
    }

    fn unit(&self, bound: Bound) -> &'static str {
        let slides = |motor: usize| self.robot.joints().get(motor).is_some_and(|joint| joint.slides);
        match bound {
            Bound::Effort(motor) if slides(motor) => "N",
            Bound::Effort(_) => "N m",
            Bound::Speed(motor) if !slides(motor) => "rad/s",
            Bound::Speed(_) | Bound::PathSpeed => "m/s",
            Bound::Tangential | Bound::Normal => "m/s^2",
        }
    }

    fn object(&self, plan: &Plan) -> Value {
        let parts: Vec<Value> = plan
            .parts
            .iter()
            .map(|part| {
                let (limit, motor) = word(part.limit);
                json!({
                    "from": part.from, "to": part.to, "begin": part.begin, "end": part.end,
                    "limit": limit, "motor": motor.map(|k| k + 1),
                })
            })
            .collect();
        let usage = |usage: &Usage| {
            json!({
                "limit": usage.bound.to_string(), "unit": self.unit(usage.bound), "of": usage.limit,
                "largest": usage.largest, "used": usage.share, "at": usage.at,
            })
        };
        json!({
            "duration": plan.duration(),
            "intervals": plan.intervals,
            "rounds": plan.rounds,
            "parts": parts,
            "usage": plan.usage.iter().map(usage).collect::<Vec<_>>(),
            "largest_use": plan.largest_use(),
            "serial": {
                "distance": plan.clearance.serial, "at": plan.clearance.serial_at, "leg": plan.clearance.leg + 1,
            },
            "parallel": { "distance": plan.clearance.parallel, "at": plan.clearance.parallel_at },
        })
    }

    pub fn json(&self, out: &mut dyn Write) -> io::Result<()> {
        let object = json!({
            "robot": self.schema.robot,
            "path": self.name,
            "length": self.path.length(),
            "cycle_time": self.cycle(),
            "pause": self.pause,
            "there": self.object(self.there),
            "back": self.back.map(|back| self.object(back)),
            "out": self.args.files.out.iter().map(|file| file.display().to_string()).collect::<Vec<_>>(),
        });
        json::print(&object, out)
    }
}

fn word(limit: Limit) -> (&'static str, Option<usize>) {
    match limit {
        Limit::EffortAbove { motor } => ("largest effort", Some(motor)),
        Limit::EffortBelow { motor } => ("least effort", Some(motor)),
        Limit::Speed { motor } => ("motor speed", Some(motor)),
        Limit::PathSpeed => ("path speed", None),
        Limit::Tangential => ("tangential acceleration", None),
        Limit::Normal => ("normal acceleration", None),
        _ => ("nothing", None),
    }
}

/// The parts without those below half a per cent of the way, which go to the one before them.
fn gathered(parts: &[Part], length: f64) -> Vec<Part> {
    let mut all: Vec<Part> = Vec::new();
    for part in parts {
        match all.last_mut() {
            Some(last) if part.to - part.from < 0.005 * length || part.limit == last.limit => {
                (last.to, last.end) = (part.to, part.end);
            }
            _ => all.push(*part),
        }
    }
    all
}

/// Six digits: the last one or two of a limit that is used up are rounding.
fn rounded(number: f64) -> f64 {
    format!("{number:.5e}").parse().unwrap_or(number)
}
