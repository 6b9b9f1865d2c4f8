//! The tables of the book's page on the experiment, and its figure if a file is named:
//! `cargo run --release -p legwork --example four_regulators -- book/src/figures/four_regulators.svg`.

use legwork::experiment::{ControllerKind, Experiment, Outcome, TimedPath};
use legwork::sim::{ModelError, Plant};
use legwork::trajectory::{Geodesic, Law, Path, SemiEllipse, Shape, Turning};
use legwork::{AnyRobot, ForearmModel, M3, V3, rotation_from_roll_pitch_yaw};
use std::fmt::Write as _;
use std::ops::ControlFlow;

type Failure = Box<dyn std::error::Error>;

/// Masses and inertias larger by this part.
fn heavier(part: f64) -> ModelError {
    ModelError { mass: part, motor_inertia: part, ..ModelError::default() }
}

fn main() -> Result<(), Failure> {
    let delta = AnyRobot::open("delta-direct-drive")?;
    println!("delta-direct-drive: deg, mm");
    for (name, part) in [("exact", 0.0), ("masses +10 %", 0.1), ("masses -10 %", -0.1)] {
        let known = delta.with_model_error(&heavier(part))?.with_forearm_model(ForearmModel::Simplified)?;
        let experiment = Experiment::new(&delta, TimedPath::codourey()?)
            .with_controller_model(known)
            .on_plant(Plant::ideal().with_lag(2e-3));
        line(name, &experiment.run_all(&ControllerKind::FOUR)?);
        if let Some(path) = std::env::args().nth(1).filter(|_| part == 0.0) {
            std::fs::write(path, figure(&experiment)?)?;
        }
    }
    let hexapod = AnyRobot::open("gough-stewart")?;
    println!("gough-stewart: mm at the legs, mm, mrad");
    for (name, part, lag) in [
        ("exact", 0.0, 2e-3),
        ("masses +10 %", 0.1, 2e-3),
        ("masses -10 %", -0.1, 2e-3),
        ("exact, no lag", 0.0, 0.0),
    ] {
        let experiment = Experiment::new(&hexapod, turning()?)
            .with_controller_model(hexapod.with_model_error(&heavier(part))?)
            .on_plant(Plant::ideal().with_lag(lag));
        line(name, &experiment.run_all(&ControllerKind::ALL)?);
    }
    Ok(())
}

/// 250 mm across and 60 mm up about home, pitching from −10° to 10°, with 20 m/s².
fn turning() -> Result<TimedPath, Failure> {
    let path = SemiEllipse::new(V3::new(-0.125, 0.0, 0.8), V3::new(0.125, 0.0, 0.8), V3::along_z(0.06))?;
    let pitch = |degrees: f64| {
        let [x, y, z] = rotation_from_roll_pitch_yaw([0.0, degrees.to_radians(), 0.0]).map(V3::from);
        M3::from_rows(x, y, z)
    };
    let orientation = Geodesic::new(pitch(-10.0), pitch(10.0))?;
    let law = Law::by_peak_acceleration(Shape::sine(), path.length(), 20.0)?;
    Ok(TimedPath::new(Turning { path, orientation }, law))
}

fn line(name: &str, outcomes: &[Outcome]) {
    println!("  {name}");
    for outcome in outcomes {
        let turning = outcome.turning.map(|spread| spread.max.to_degrees());
        let joint = turning.or(outcome.sliding.map(|spread| spread.max * 1e3)).unwrap_or(f64::NAN);
        let turned = outcome.orientation.map_or(String::new(), |spread| format!("{:8.3}", spread.max * 1e3));
        let (a, b) = outcome.factors(&outcomes[0]);
        let peak = outcome.peak_torque.or(outcome.peak_force).unwrap_or(f64::NAN);
        let rest = outcome.arrival.map_or(f64::NAN, |arrival| arrival.rest * 1e3);
        println!(
            "    {:17} {joint:8.3} {:8.3} {turned}  factor {a:6.1} {b:6.1}  peak {peak:6.1}  rest {rest:6.3} mm",
            outcome.kind.name(),
            outcome.position.max * 1e3
        );
    }
}

/// Errors of the first motor over time, one curve for each regulator.
fn figure(experiment: &Experiment<'_>) -> Result<String, Failure> {
    const INK: [&str; 4] = ["#d1495b", "#edae49", "#30638e", "#003d5b"];
    let (left, right, top, bottom) = (60.0, 700.0, 20.0, 330.0);
    let (end, most) = (0.25, 2.0);
    let x = |t: f64| left + (right - left) * t / end;
    let y = |degrees: f64| f64::midpoint(top, bottom) - (bottom - top) / 2.0 * degrees / most;
    let mut svg = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 390\" font-family=\"DejaVu Sans, Arial, sans-serif\" \
         font-size=\"12\">\n<rect width=\"720\" height=\"390\" fill=\"#fff\"/>\n",
    );
    for k in -2..=2 {
        let at = y(f64::from(k));
        writeln!(svg, "<path d=\"M{left} {at:.1}H{right}\" stroke=\"#ddd\"/>")?;
        writeln!(svg, "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{k}</text>", left - 6.0, at + 4.0)?;
    }
    for k in 0..=5 {
        let at = x(0.05 * f64::from(k));
        writeln!(svg, "<path d=\"M{at:.1} {top}V{bottom}\" stroke=\"#ddd\"/>")?;
        writeln!(
            svg,
            "<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            bottom + 16.0,
            50 * k
        )?;
    }
    writeln!(svg, "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">time in ms</text>", right, bottom + 32.0)?;
    writeln!(svg, "<text x=\"8\" y=\"14\">error of motor 1 in deg</text>")?;
    for (k, kind) in ControllerKind::FOUR.into_iter().enumerate() {
        let mut points = String::new();
        experiment.run_each(kind, |seen| {
            if seen.sample.time <= end {
                let _ = write!(points, "{:.1},{:.1} ", x(seen.sample.time), y(seen.error[0].to_degrees()));
            }
            ControlFlow::Continue(())
        })?;
        let ink = INK[k];
        let points = points.trim_end();
        writeln!(svg, "<polyline points=\"{points}\" fill=\"none\" stroke=\"{ink}\" stroke-width=\"1.8\"/>")?;
        let at = left + 150.0 * k as f64;
        writeln!(svg, "<path d=\"M{at} {0}h22\" stroke=\"{ink}\" stroke-width=\"3\"/>", bottom + 46.0)?;
        writeln!(svg, "<text x=\"{}\" y=\"{}\">{} {}</text>", at + 28.0, bottom + 50.0, k + 1, kind.name())?;
    }
    svg.push_str("</svg>\n");
    Ok(svg)
}
