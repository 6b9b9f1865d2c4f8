//! What was found as tables of text.

use super::request::PredictionResult;
use super::{ExciteResult, IdentifyRequest, IdentifyResult};
use legwork::table::{Table, WIDTH, print_wrapped};
use legwork::text::{fixed, four_digits};
use std::io::{self, Write};

fn percent(part: f64) -> String {
    format!("{} %", four_digits(100.0 * part))
}

impl IdentifyResult {
    /// Prints errors before and after, base parameters with their deviations, motors, and what no motion tells.
    pub fn print(&self, request: &IdentifyRequest, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}: what its efforts tell\n", self.robot)?;
        let mut table = Table::with_left(&[1]);
        let change = |one: &PredictionResult| {
            format!(
                "error {} of the effort with the file, {} identified",
                percent(one.before),
                percent(one.after)
            )
        };
        table.row(["logs".to_owned(), change(&self.fit)]);
        for one in &self.validation {
            table.row([format!("{}, not used", one.log), change(one)]);
        }
        let sigma =
            self.lag_sigma.map_or_else(String::new, |sigma| format!(" +- {} ms", fixed(1e3 * sigma, 3)));
        table.row(["lag of the drives".to_owned(), format!("{} ms{sigma}", fixed(1e3 * self.lag, 3))]);
        let filter = format!(
            "{} Hz, {} rows, condition {}",
            four_digits(self.cut_off),
            self.rows,
            four_digits(self.condition)
        );
        table.row(["low pass".to_owned(), filter]);
        for payload in &self.payloads {
            let text = format!("{} +- {} kg", four_digits(payload.mass), four_digits(payload.sigma));
            table.row([format!("on the platform, {}", payload.log), text]);
        }
        for path in request.out.iter().chain(&request.report) {
            table.row(["written to".to_owned(), path.display().to_string()]);
        }
        table.print(out)?;
        writeln!(out, "\n{} base parameters, all that motion tells:\n", self.base.len())?;
        let mut table = Table::with_left(&[3]);
        table.row(["", "file", "identified", ""]);
        for base in &self.base {
            let sigma = base.sigma.map_or_else(
                || format!("{}, not told by these logs", base.unit),
                |sigma| format!("+- {} {}", four_digits(sigma), base.unit),
            );
            table.row([base.name.clone(), four_digits(base.file), four_digits(base.value), sigma]);
        }
        table.print(out)?;
        writeln!(out)?;
        let mut table = Table::default();
        table.row(["", "inertia", "viscous", "Coulomb", "offset", "noise"]);
        for motor in &self.motors {
            let numbers =
                [motor.inertia, motor.viscous, motor.coulomb, motor.offset, motor.noise].map(four_digits);
            table.row(std::iter::once(motor.joint.clone()).chain(numbers));
        }
        table.print(out)?;
        if !self.only_together.is_empty() {
            writeln!(out)?;
            let text = format!("known only in these combinations: {}", self.only_together.join(", "));
            print_wrapped(&text, WIDTH, out)?;
        }
        if !self.without_effect.is_empty() {
            writeln!(out)?;
            let text =
                format!("no motion tells: {}; they stay as in the file", self.without_effect.join(", "));
            print_wrapped(&text, WIDTH, out)?;
        }
        for note in &self.notes {
            writeln!(out)?;
            print_wrapped(&format!("note: {note}"), WIDTH, out)?;
        }
        Ok(())
    }
}

impl ExciteResult {
    /// Prints how much the motion tells and what it asks of the motors.
    pub fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}: a motion that tells {} base parameters\n", self.robot, self.base_count)?;
        let mut table = Table::with_left(&[1]);
        table.row(["duration".to_owned(), format!("{} s", four_digits(self.duration))]);
        let text = format!(
            "{} after {} motions, {} of the first one",
            four_digits(self.condition),
            self.trials,
            four_digits(self.first_condition)
        );
        table.row(["condition".to_owned(), text]);
        if let Some(path) = &self.out {
            table.row(["written to".to_owned(), path.display().to_string()]);
        }
        table.print(out)?;
        writeln!(out)?;
        let mut table = Table::default();
        table.row(["", "excursion", "speed", "acceleration"]);
        for (k, ((excursion, speed), acceleration)) in
            self.excursion.iter().zip(&self.speed).zip(&self.acceleration).enumerate()
        {
            let numbers = [*excursion, *speed, *acceleration].map(four_digits);
            table.row(std::iter::once(format!("q{}", k + 1)).chain(numbers));
        }
        table.print(out)
    }
}
