//! A page about an identification: what was found, how sure it is, and how well efforts are predicted.

use super::identify::{Identification, Prediction};
use super::request::{IdentifyResult, PredictionResult};
use legwork::report::{Axis, Lines, Report, Section, Table};
use legwork::text::four_digits;

/// The page.
pub fn report(result: &IdentifyResult, found: &Identification, command: Option<&str>) -> Report {
    let mut report = Report::new(format!("{}: identified parameters", result.robot));
    if let Some(command) = command {
        report = report.with_command(command);
    }
    if !result.robot_file.is_empty() {
        report = report.with_robot(&result.robot, &result.robot_file);
    }
    let mut report =
        report.with_section(summary(result)).with_section(parameters(result)).with_section(motors(result));
    let used = std::iter::once((&result.fit, &found.fit));
    for (words, numbers) in used.chain(result.validation.iter().zip(&found.validation)) {
        report = report.with_section(prediction(words, numbers, found));
    }
    report
}

fn percent(part: f64) -> String {
    format!("{} %", four_digits(100.0 * part))
}

fn summary(result: &IdentifyResult) -> Section {
    let mut table = Table::new("", [Axis::new("", ""), Axis::new("", "")]);
    let lag =
        result.lag_sigma.map_or_else(String::new, |sigma| format!(" ± {} ms", four_digits(1e3 * sigma)));
    let mut rows = vec![
        ("error of efforts, file".to_owned(), percent(result.fit.before)),
        ("error of efforts, identified".to_owned(), percent(result.fit.after)),
    ];
    for one in &result.validation {
        rows.push((format!("{}, not used", one.log), percent(one.after)));
    }
    rows.extend([
        ("base parameters".to_owned(), result.base.len().to_string()),
        ("lag of the drives".to_owned(), format!("{} ms{lag}", four_digits(1e3 * result.lag))),
        ("cut-off of the filter".to_owned(), format!("{} Hz", four_digits(result.cut_off))),
        ("rows".to_owned(), result.rows.to_string()),
        ("condition of the regressor".to_owned(), four_digits(result.condition)),
    ]);
    for payload in &result.payloads {
        let text = format!("{} ± {} kg", four_digits(payload.mass), four_digits(payload.sigma));
        rows.push((format!("on the platform, {}", payload.log), text));
    }
    rows.extend(result.notes.iter().map(|note| ("note".to_owned(), note.clone())));
    for (name, value) in rows {
        table = table.with_row([name, value]);
    }
    Section::new("What was found").with(table)
}

fn parameters(result: &IdentifyResult) -> Section {
    let columns = ["base parameter", "file", "identified", "σ", "unit"].map(|name| Axis::new(name, ""));
    let mut table = Table::new("What motion tells", columns);
    for base in &result.base {
        let sigma = base.sigma.map_or_else(|| "not told".to_owned(), four_digits);
        let row =
            [base.name.clone(), four_digits(base.file), four_digits(base.value), sigma, base.unit.clone()];
        table = table.with_row(row);
    }
    let section = Section::new("Base parameters").with(table);
    if result.without_effect.is_empty() {
        return section;
    }
    let table = Table::new("What no motion tells", [Axis::new("parameter", "")]);
    section.with(result.without_effect.iter().fold(table, |table, name| table.with_row([name.clone()])))
}

fn motors(result: &IdentifyResult) -> Section {
    let columns =
        ["motor", "inertia", "viscous", "Coulomb", "offset", "noise"].map(|name| Axis::new(name, ""));
    let mut table = Table::new("", columns);
    for motor in &result.motors {
        let numbers =
            [motor.inertia, motor.viscous, motor.coulomb, motor.offset, motor.noise].map(four_digits);
        table = table.with_row(std::iter::once(motor.joint.clone()).chain(numbers));
    }
    Section::new("Motors").with(table)
}

fn prediction(words: &PredictionResult, numbers: &Prediction, found: &Identification) -> Section {
    let title = if words.log == "all" {
        "Efforts of the logs that were used".to_owned()
    } else {
        format!("Efforts of {}, not used", words.log)
    };
    let mut section = Section::new(title);
    for (motor, joint) in found.robot.joints().iter().enumerate() {
        let time = || Axis::new("time", "s");
        let (measured, predicted) = (&numbers.measured[motor], &numbers.predicted[motor]);
        let lines = Lines::new(joint.name.clone(), time(), Axis::new("effort", joint.effort_unit()))
            .with_curve("measured", &numbers.time, measured)
            .with_curve("predicted", &numbers.time, predicted);
        let rest: Vec<f64> = measured.iter().zip(predicted).map(|(a, b)| a - b).collect();
        let residuals = Lines::new(
            format!("{}: residuals", joint.name),
            time(),
            Axis::new("residual", joint.effort_unit()),
        )
        .with_curve("measured less predicted", &numbers.time, &rest);
        section = section.with(lines).with(residuals);
    }
    section
}
