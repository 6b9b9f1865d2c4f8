//! Reports from recordings: what is in them, what is said when something is missing, and that the same
//! input gives the same bytes.

use legwork::recording::{Column, Metadata, Record, Recording};
use legwork::report::{Axis, Block, HeatMap, Lines, Report, Run, Section, of_runs};
use legwork_testkit::highest;

const ROBOT: &str = include_str!("../../../legwork-model/robots/delta-industrial.toml");

/// A recording of a Delta that goes down, with one pose out of reach.
fn recording(robot: Option<&str>, rows: u32) -> Recording {
    let columns = [
        Column::time(),
        Column::new("x", "m"),
        Column::new("y", "m"),
        Column::new("z", "m"),
        Column::new("q1", "rad"),
    ];
    let mut metadata = Metadata::new().with_command("legwork simulate <robot>");
    if let Some(text) = robot {
        metadata = metadata.with_robot(text);
    }
    let mut recording = Recording::new(&columns, &metadata).unwrap();
    for k in 0..rows {
        let z = if k == 2 { -99.0 } else { -0.8 - 0.01 * f64::from(k) / f64::from(rows) };
        recording.push(&[0.01 * f64::from(k), 0.0, 0.0, z, 0.1]).unwrap();
    }
    recording.finish("at its end").unwrap();
    recording
}

fn blocks(report: &Report) -> Vec<&Block> {
    report.sections.iter().flat_map(|section| &section.blocks).collect()
}

fn texts(report: &Report) -> String {
    let text = |block: &&Block| if let Block::Text(text) = block { Some(text.clone()) } else { None };
    blocks(report).iter().filter_map(text).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_run_becomes_a_moving_robot_plots_and_tables() {
    let recording = recording(Some(ROBOT), 20);
    let report = of_runs("Down", &[Run { name: "down", recording: &recording }]);
    assert_eq!(report.command.as_deref(), Some("legwork simulate <robot>"));
    assert_eq!(report.robot.as_ref().map(|(name, _)| name.as_str()), Some("delta-industrial"));
    let moving = blocks(&report)
        .into_iter()
        .find_map(|block| if let Block::Animation(one) = block { Some(&one.runs[0]) } else { None })
        .unwrap();
    assert_eq!((moving.times.len(), moving.missing()), (20, 1));
    let platform = moving.frames[5][moving.skeleton.platform];
    assert!((platform[2] - (-0.8 - 0.01 * 5.0 / 20.0)).abs() < 1e-15);
    assert!(texts(&report).contains("1 of 20 pictures are empty"), "{}", texts(&report));
    let plots: Vec<&str> = blocks(&report)
        .into_iter()
        .filter_map(|block| if let Block::Lines(plot) = block { Some(plot.title.as_str()) } else { None })
        .collect();
    assert_eq!(plots, ["Position of the platform", "Joint angles"]);
}

#[test]
fn what_is_missing_is_said() {
    for (robot, rows, said) in [
        (None, 5, "does not carry its file"),
        (Some("family = \"teapot\""), 5, "its file cannot be read"),
        (Some(ROBOT), 0, "there is no sample"),
    ] {
        let recording = recording(robot, rows);
        let report = of_runs("x", &[Run { name: "x", recording: &recording }]);
        assert!(texts(&report).contains(said), "{}", texts(&report));
        assert!(!blocks(&report).iter().any(|block| matches!(block, Block::Animation(_))));
        report.to_json();
    }
    assert!(of_runs("nothing", &[]).to_json()["sections"].is_array());
}

#[test]
fn runs_of_different_length_share_their_plots() {
    let (short, long) = (recording(Some(ROBOT), 10), recording(Some(ROBOT), 30));
    let runs = [Run { name: "short", recording: &short }, Run { name: "long", recording: &long }];
    let report = of_runs("Two", &runs).to_json();
    let plot = &report["sections"][1]["blocks"][0];
    assert_eq!(plot["grids"].as_array().map(Vec::len), Some(2));
    let runs: Vec<&str> =
        plot["curves"].as_array().unwrap().iter().map(|curve| curve["run"].as_str().unwrap()).collect();
    assert_eq!(runs, ["short", "short", "short", "long", "long", "long"]);
}

#[test]
fn a_long_recording_stays_small_and_keeps_its_peak() {
    let columns = [Column::time(), Column::new("force", "N")];
    let mut recording = Recording::new(&columns, &Metadata::new()).unwrap();
    for k in 0..200_000_u32 {
        let value = if k == 123_456 { 7.5 } else { f64::from(k % 10) * 0.1 };
        recording.push(&[1e-3 * f64::from(k), value]).unwrap();
    }
    let report = of_runs("long", &[Run { name: "long", recording: &recording }]);
    let Some(Block::Lines(plot)) = blocks(&report).into_iter().find(|block| matches!(block, Block::Lines(_)))
    else {
        panic!("no plot")
    };
    let curve = &plot.curves[0];
    assert!(curve.y.len() < 7000, "{}", curve.y.len());
    assert_eq!(highest(&curve.y), 7.5);
    assert!(texts(&report).contains("their peaks are kept"));
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let text = || {
        let recording = recording(Some(ROBOT), 7);
        of_runs("x", &[Run { name: "x", recording: &recording }]).to_json().to_string()
    };
    assert_eq!(text(), text());
}

#[test]
fn maps_without_a_number_have_no_range() {
    let map = HeatMap::new(
        "empty",
        (Axis::new("x", "m"), vec![0.0, 1.0]),
        (Axis::new("y", "m"), vec![0.0]),
        Axis::new("condition", ""),
        vec![f64::NAN, f64::INFINITY],
    );
    assert_eq!(map.ends(), None);
    let report =
        Report::new("m").with_section(Section::new("s").with(map.clone()).with(map.within(1.0, 2.0)));
    let json = report.to_json();
    assert!(json["sections"][0]["blocks"][0]["range"].is_null());
    assert_eq!(json["sections"][0]["blocks"][1]["range"][1], 2.0);
    let curve = Lines::new("l", Axis::new("t", "s"), Axis::new("a", "")).with_curve("a", &[0.0], &[1.0]);
    assert_eq!(curve.x.label(), "t [s]");
    assert_eq!(curve.y.label(), "a");
}
