//! What was found as tables of text.

use super::CalibrateResult;
use legwork::table::{Table, WIDTH, print_line, print_wrapped};
use legwork::text::short;
use std::io::{self, Write};

impl CalibrateResult {
    /// Prints parameters with their deviations, what is not determined, tolerance and next poses; the settings of controllers if
    /// they are wanted.
    pub fn print(&self, controllers: bool, out: &mut dyn Write) -> io::Result<()> {
        let micro = |x: f64| format!("{} um", short((x * 1e7).round() / 10.0));
        if self.rows > 0 {
            let head = format!(
                "{}: {} rows, {} numbers; {} parameters free, {} of their combinations determined",
                self.robot, self.rows, self.equations, self.free, self.determined
            );
            print_wrapped(&head, WIDTH, out)?;
            let mut table = Table::with_left(&[1]);
            table.row(["residual, rms", "before", "after"].map(String::from));
            for kind in &self.residuals {
                let unit = |x: f64| match kind.kind.as_str() {
                    "orientation" | "sensor" => {
                        format!("{} mdeg", short((x.to_degrees() * 1e4).round() / 10.0))
                    }
                    _ => micro(x),
                };
                table.row([kind.kind.clone(), unit(kind.before), unit(kind.after)]);
            }
            table.print(out)?;
            let text = format!(
                "over the workspace{}: drawn and calibrated robot differ by {} (rms), {} at most; {} are left (1 sigma)",
                if self.in_frame_of_measurement { ", seen from the frame of the measurement" } else { "" },
                micro(self.error_before),
                micro(self.error_before_most),
                micro(self.error_after)
            );
            print_wrapped(&text, WIDTH, out)?;
            for outlier in &self.outliers {
                print_line(
                    &format!(
                        "row {} disagrees by {:.1} deviations: left out",
                        outlier.row, outlier.deviations
                    ),
                    out,
                )?;
            }
        } else {
            print_line(
                &format!("{}: tolerance from {} standard deviations in its file", self.robot, self.free),
                out,
            )?;
        }
        writeln!(out)?;
        let mut table = Table::with_left(&[1, 5]);
        table.row(["parameter", "drawn", "change", "sigma", ""].map(String::from));
        for parameter in &self.parameters {
            let (factor, unit) =
                if parameter.unit == "rad" { (1.0_f64.to_degrees(), "deg") } else { (1e3, "mm") };
            table.row([
                parameter.name.clone(),
                parameter.drawn.map(|x| format!("{:.3} {unit}", x * factor)).unwrap_or_default(),
                format!("{:+.4} {unit}", parameter.change * factor),
                format!("{:.4} {unit}", parameter.sigma * factor),
                if parameter.determined { String::new() } else { "not known alone".into() },
            ]);
        }
        table.print(out)?;
        if !self.undetermined.is_empty() {
            writeln!(out, "\nnot determined, kept as drawn:")?;
            for combination in &self.undetermined {
                print_wrapped(&format!("- {}", combination.text), WIDTH, out)?;
            }
        }
        if let Some(tolerance) = &self.tolerance {
            writeln!(out)?;
            let [x, y, z] = tolerance.worst_position.map(|x| short((x * 1e4).round() / 10.0));
            let [a, b, c] = tolerance.worst_direction.map(|x| format!("{x:.2}"));
            let text = format!(
                "platform, 1 sigma: {} at home ({} by 400 robots at random), {} along ({a}, {b}, {c}) at ({x}, {y}, {z}) mm, the worst",
                micro(tolerance.home),
                micro(tolerance.home_by_chance),
                micro(tolerance.worst)
            );
            print_wrapped(&text, WIDTH, out)?;
        }
        if !self.next.is_empty() {
            writeln!(out, "\nnext poses, the most useful first:")?;
            let mut table = Table::with_left(&[]);
            table.row(["x mm", "y mm", "z mm", "left"].map(String::from));
            for next in &self.next {
                let [x, y, z] = next.position.map(|x| format!("{:.1}", x * 1e3));
                table.row([x, y, z, micro(next.after)]);
            }
            table.print(out)?;
        }
        if controllers {
            for block in &self.controllers {
                writeln!(out, "\n--- {} ---", block.controller)?;
                write!(out, "{}", block.text)?;
            }
        }
        for note in &self.notes {
            print_wrapped(&format!("note: {note}"), WIDTH, out)?;
        }
        Ok(())
    }
}
