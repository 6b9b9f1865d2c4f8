//! One report with every kind of block, for looking at and for the test in a browser:
//! `cargo run -p legwork-studio --example gallery -- gallery.html [static]`.

use legwork::report::{
    Animation, Attachment, Axis, Cloud, HeatMap, Lines, Marker, Moving, Multiples, Report, Section, Table,
};
use legwork::{AnyRobot, PlatformState, rotation_from_roll_pitch_yaw};
use legwork_studio::{Page, write_report};
use std::error::Error;
use std::f64::consts::TAU;
use std::fs::File;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let path = words.next().ok_or("give the file to write")?;
    let page = if words.next().as_deref() == Some("static") { Page::Static } else { Page::best() };
    let report = Report::new("Gallery </script><b>&amp; \"quotes\"")
        .with_command("cargo run -p legwork-studio --example gallery -- 'a <b> & c'")
        .with_robot("gough-stewart", include_str!("../../legwork-model/robots/gough-stewart.toml"))
        .with_section(moving()?)
        .with_section(maps()?)
        .with_section(clouds());
    let page = write_report(&report, page, &mut File::create(&path)?)?;
    println!("{path}: {page:?}");
    Ok(())
}

/// A hexapod on a circle, and the same one turned.
fn moving() -> Result<Section, Box<dyn Error>> {
    let robot = AnyRobot::open("gough-stewart")?;
    let home = robot.home();
    let pose = |t: f64, turn: f64| {
        let (sin, cos) = (TAU * t).sin_cos();
        let [x, y, z] = home.position;
        PlatformState::at([x + 0.1 * cos, y + 0.1 * sin, z]).turned(rotation_from_roll_pitch_yaw([
            turn * sin,
            turn * cos,
            0.0,
        ]))
    };
    let times: Vec<f64> = (0..=120).map(|k| f64::from(k) / 60.0).collect();
    let run = |name: &str, turn: f64| Moving::new(name, &robot, times.iter().map(|t| (*t, pose(*t, turn))));
    let mut lengths = Lines::new("Leg lengths", Axis::new("t", "s"), Axis::new("q", "m"));
    for (name, turn) in [("level", 0.0), ("turned", 0.15)] {
        let joints: Vec<Vec<f64>> = times
            .iter()
            .map(|t| robot.inverse_kinematics(&pose(*t, turn)).map(|found| found.q))
            .collect::<Result<_, _>>()?;
        for leg in 0..3 {
            let q: Vec<f64> = joints.iter().map(|q| q[leg]).collect();
            lengths = lengths.with_run_curve(name, format!("q{}", leg + 1), &times, &q);
        }
    }
    let gaps: Vec<f64> =
        times.iter().map(|t| if (0.5..0.8).contains(t) { f64::NAN } else { t * t }).collect();
    let gap = Lines::new("A curve with a gap", Axis::new("t", "s"), Axis::new("a", "m/s²"))
        .with_curve("a", &times, &gaps);
    Ok(Section::new("Motion")
        .with("A hexapod goes round a circle, once level and once turned by up to 8.6°.")
        .with(Animation::new("").with(run("level", 0.0)?).with(run("turned", 0.15)?))
        .with(lengths)
        .with(gap))
}

/// The condition number of a Delta over a plane, and its mass matrix there, entry by entry.
fn maps() -> Result<Section, Box<dyn Error>> {
    let robot = AnyRobot::open("delta-industrial")?;
    let height = robot.home().position[2];
    let places: Vec<f64> = (0..31).map(|k| -0.6 + 0.04 * f64::from(k)).collect();
    let states: Vec<_> = places
        .iter()
        .flat_map(|y| places.iter().map(move |x| [*x, *y, height]))
        .map(|position| robot.state(&PlatformState::at(position)).ok())
        .collect();
    let map = |title: &str, value: Axis, of: &dyn Fn(&legwork::State) -> f64| {
        let cells = states.iter().map(|state| state.as_ref().map_or(f64::NAN, of)).collect();
        let axis = |name: &str| (Axis::new(name, "m"), places.clone());
        HeatMap::new(title, axis("x"), axis("y"), value, cells)
    };
    let condition = map("Condition number", Axis::new("condition", ""), &|state| state.singularity.condition);
    let mut matrix = Multiples::new("Mass matrix of the joints [kg m²]", 3);
    for (i, j) in (0..3).flat_map(|i| (0..3).map(move |j| (i, j))) {
        let entry = |state: &legwork::State| {
            state.dynamics.as_ref().map_or(f64::NAN, |dynamics| dynamics.mass_matrix[i][j])
        };
        matrix = matrix.with(map(&format!("M{}{}", i + 1, j + 1), Axis::new("M", "kg m²"), &entry));
    }
    let empty = HeatMap::new(
        "A map out of reach",
        (Axis::new("x", "m"), vec![0.0, 1.0]),
        (Axis::new("y", "m"), vec![0.0, 1.0]),
        Axis::new("condition", ""),
        vec![f64::NAN; 4],
    );
    Ok(Section::new("Maps").with(condition.within(1.0, 6.0)).with(empty).with(matrix))
}

/// Poles and zeros, a torque over speed with the limits of a motor, a table and a file.
fn clouds() -> Section {
    let poles = [[-5.0, 0.0], [-2.0, 3.0], [-2.0, -3.0], [0.4, 6.0], [0.4, -6.0]];
    let map = Cloud::new("Poles and zeros", Axis::new("real", "1/s"), Axis::new("imaginary", "1/s"))
        .with_equal_axes()
        .with_points("poles", Marker::Cross, &poles)
        .with_points("zeros", Marker::Circle, &[[-5.0, 0.0], [-1.0, 0.0]]);
    let work: Vec<[f64; 2]> = (0..900)
        .map(|k| {
            let t = f64::from(k) / 900.0 * TAU;
            [12.0 * t.cos() * (3.0 * t).sin(), 8.0 * (2.0 * t).sin() + 2.0 * (5.0 * t).cos()]
        })
        .collect();
    let limits = [[-15.0, 12.0], [15.0, 12.0], [15.0, -12.0], [-15.0, -12.0], [-15.0, 12.0]];
    let motor = Cloud::new("Torque over speed", Axis::new("speed", "rad/s"), Axis::new("torque", "N m"))
        .with_points("cycle", Marker::Dot, &work)
        .with_points("limits", Marker::Line, &limits);
    let table =
        Table::new("Motors", [Axis::new("motor", ""), Axis::new("peak", "N m"), Axis::new("fits", "")])
            .with_row(["small", "3.2", "no: 10.0 N m are needed"])
            .with_row(["large <L>", "14", "yes"]);
    let file = Attachment {
        name: "poles.csv".into(),
        media_type: "text/csv".into(),
        bytes: b"real,imaginary\n-5,0\n".to_vec(),
    };
    Section::new("Points, tables, files").with(map).with(motor).with(table).with(file)
}
