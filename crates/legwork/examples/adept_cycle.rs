//! The Adept cycle of the industrial Delta as fast as its motors allow: duration, what holds it back where, and
//! a figure of speed and torques along the path.
//!
//! `cargo run --release -p legwork --example adept_cycle [FIGURE.svg]`

use legwork::V3;
use legwork::robots::catalog;
use legwork::trajectory::optimal::{GridPoint, Limits, OptimalLaw, PathModel, Settings, time_optimal};
use legwork::trajectory::{Path, PickAndPlace, Reversed, TimeLaw};
use std::error::Error;
use std::fmt::Write;
use std::time::Instant;

const EFFORT: f64 = 60.0;
const SPEED: f64 = 12.0;

fn main() -> Result<(), Box<dyn Error>> {
    let delta = catalog::delta_industrial();
    let path = PickAndPlace::adept(V3::new(0.0, 0.0, -0.8), 0.025)?;
    let limits = Limits::<3>::effort(EFFORT).with_speed(SPEED);
    let (mut there, mut back) = (vec![GridPoint::EMPTY; 1001], vec![GridPoint::EMPTY; 1001]);
    let settings = Settings::default();
    let there = time_optimal(&path, &delta, &limits, &settings, &mut there)?;
    let back = time_optimal(&Reversed(path), &delta, &limits, &settings, &mut back)?;
    println!(
        "delta-industrial with 1 kg, 25-305-25 mm, {EFFORT} N m and {SPEED} rad/s per motor, 1001 points"
    );
    println!(
        "there {:.5} s, back {:.5} s, cycle {:.5} s",
        there.duration(),
        back.duration(),
        there.duration() + back.duration()
    );
    println!("rounds {}, largest excess over a limit {:.1e}\n", there.rounds(), there.excess());
    for stretch in there.stretches() {
        println!("{:7.2} to {:7.2} mm  {}", stretch.from * 1e3, stretch.to * 1e3, stretch.limit);
    }
    let mut grid = vec![GridPoint::EMPTY; 1001];
    let best = (0..50)
        .map(|_| {
            let start = Instant::now();
            time_optimal(&path, &delta, &limits, &settings, &mut grid).map(|_| start.elapsed())
        })
        .collect::<Result<Vec<_>, _>>()?
        .into_iter()
        .min()
        .unwrap_or_default();
    println!("\nbest of 50: {:.2} ms", best.as_secs_f64() * 1e3);
    if let Some(file) = std::env::args().nth(1) {
        std::fs::write(file, figure(&path, &delta, &there)?)?;
    }
    Ok(())
}

const COLOURS: [&str; 3] = ["#0072B2", "#D55E00", "#009E73"];

/// Two panels over the way: speed, and the torques with their limits.
fn figure<M: PathModel<3>>(
    path: &PickAndPlace,
    model: &M,
    law: &OptimalLaw<'_, 3>,
) -> Result<String, std::fmt::Error>
where
    M::Fault: std::fmt::Debug,
{
    let across = |s: f64| 80.0 + 600.0 * s / path.length();
    let speed = |v: f64| 190.0 - 30.0 * v;
    let torque = |t: f64| 330.0 - 1.5 * t;
    let mut svg = String::from(concat!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 480\" ",
        "font-family=\"DejaVu Sans, Arial, sans-serif\" font-size=\"14\" role=\"img\">\n",
        "<title>Fastest Adept cycle: speed and motor torques along the path</title>\n",
        "<rect width=\"720\" height=\"480\" fill=\"white\"/>\n"
    ));
    for v in [0, 2, 4] {
        let y = speed(f64::from(v));
        writeln!(
            svg,
            "<line x1=\"80\" y1=\"{y}\" x2=\"680\" y2=\"{y}\" stroke=\"#dddddd\"/><text x=\"72\" y=\"{}\" text-anchor=\"end\" fill=\"#444444\">{v}</text>",
            y + 5.0
        )?;
    }
    for t in [-60, 0, 60] {
        let y = torque(f64::from(t));
        let line = if t == 0 { "stroke=\"#dddddd\"" } else { "stroke=\"#444444\" stroke-dasharray=\"6 4\"" };
        writeln!(
            svg,
            "<line x1=\"80\" y1=\"{y}\" x2=\"680\" y2=\"{y}\" {line}/><text x=\"72\" y=\"{}\" text-anchor=\"end\" fill=\"#444444\">{t}</text>",
            y + 5.0
        )?;
    }
    for mm in [0, 100, 200, 300] {
        let x = across(f64::from(mm) * 1e-3);
        writeln!(svg, "<text x=\"{x:.1}\" y=\"450\" text-anchor=\"middle\" fill=\"#444444\">{mm}</text>")?;
    }
    writeln!(svg, "<text x=\"380\" y=\"472\" text-anchor=\"middle\" fill=\"#222222\">way [mm]</text>")?;
    writeln!(
        svg,
        "<text x=\"22\" y=\"120\" text-anchor=\"middle\" fill=\"#222222\" transform=\"rotate(-90 22 120)\">speed [m/s]</text>"
    )?;
    writeln!(
        svg,
        "<text x=\"22\" y=\"330\" text-anchor=\"middle\" fill=\"#222222\" transform=\"rotate(-90 22 330)\">torque [N m]</text>"
    )?;
    let mut lines = [const { String::new() }; 4];
    for point in law.grid().iter().step_by(4) {
        let x = across(point.s);
        write!(lines[3], "{x:.1},{:.1} ", speed(point.speed_sq.sqrt()))?;
        let c = model.along(&path.at(point.s)).map_err(|_| std::fmt::Error)?;
        for (m, line) in lines.iter_mut().take(3).enumerate() {
            let tau = c.inertia[m] * point.acceleration + c.square[m] * point.speed_sq + c.constant[m];
            write!(line, "{x:.1},{:.1} ", torque(tau))?;
        }
    }
    for (k, points) in lines.iter().enumerate() {
        let colour = COLOURS.get(k).copied().unwrap_or("#222222");
        // Motors 2 and 3 do the same in this plane: one of them dashed.
        let dash = if k == 2 { " stroke-dasharray=\"7 5\"" } else { "" };
        writeln!(
            svg,
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{dash} points=\"{}\"/>",
            points.trim_end()
        )?;
        if k < 3 {
            writeln!(svg, "<text x=\"{}\" y=\"222\" fill=\"{colour}\">motor {}</text>", 440 + 80 * k, k + 1)?;
        }
    }
    svg.push_str("</svg>\n");
    Ok(svg)
}
