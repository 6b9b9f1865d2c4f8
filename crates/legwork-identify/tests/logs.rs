//! Logs as people write them, and logs that cannot be used.

use legwork::AnyRobot;
use legwork::recording::{Reader, Recording};
use legwork_identify::dynamics::{Log, LogSettings};
use std::fmt::Write;

fn read(text: &str) -> Recording {
    Recording::read(Reader::from_bytes("log.csv", text.as_bytes().to_vec()).unwrap()).unwrap()
}

/// A table with these names, of a motion of three motors; `cell` may change a number.
fn table(names: &str, rows: usize, cell: impl Fn(usize, usize, f64) -> String) -> String {
    let mut text = format!("{names}\n");
    for row in 0..rows {
        let t = 0.002 * row as f64;
        let q = |k: usize| 0.6 + 0.2 * ((k + 1) as f64 * t).sin();
        let values = [t, q(0), q(1), q(2), 5.0 * q(2), 5.0 * q(1), 5.0 * q(0)];
        let cells: Vec<String> = values.iter().enumerate().map(|(column, x)| cell(row, column, *x)).collect();
        let _ = writeln!(text, "{}", cells.join(","));
    }
    text
}

fn plain(_: usize, _: usize, x: f64) -> String {
    x.to_string()
}

fn log(text: &str, settings: &LogSettings) -> Result<Log, String> {
    let robot = AnyRobot::open("delta-industrial").unwrap();
    Log::of(&read(text), &robot, settings).map_err(|error| format!("{} -> {}", error.what, error.hint))
}

#[test]
fn columns_have_the_names_of_many_programs() {
    let usual = log(&table("t,q1,q2,q3,tau1,tau2,tau3", 200, plain), &LogSettings::default()).unwrap();
    let in_degrees = |_: usize, column: usize, x: f64| match column {
        0 => (1e3 * x).to_string(),
        1..=3 => x.to_degrees().to_string(),
        _ => x.to_string(),
    };
    let currents = LogSettings { motor_constant: Some(vec![0.5]), ..LogSettings::default() };
    for (names, cell, settings) in [
        (
            "time,pos_0,pos_1,pos_2,effort_0,effort_1,effort_2",
            plain as fn(usize, usize, f64) -> String,
            LogSettings::default(),
        ),
        ("Time_ms,q1_deg,q2_deg,q3_deg,Torque1,Torque2,Torque3", in_degrees, LogSettings::default()),
        (
            "timestamp [ms],joint1.position [deg],joint2.position [deg],joint3.position [deg],joint1.effort,joint2.effort,joint3.effort",
            in_degrees,
            LogSettings::default(),
        ),
        ("t,q1,q2,q3,i1 [A],i2 [A],i3 [A]", plain, currents),
    ] {
        let found =
            log(&table(names, 200, cell), &settings).unwrap_or_else(|error| panic!("{names}: {error}"));
        let gear = if settings.motor_constant.is_some() {
            0.5 * AnyRobot::open("delta-industrial").unwrap().joints()[0].gear_ratio()
        } else {
            1.0
        };
        for k in 0..3 {
            assert!((found.q[k][150] - usual.q[k][150]).abs() < 1e-12, "{names}");
            assert!((found.effort[k][150] - gear * usual.effort[k][150]).abs() < 1e-9, "{names}");
        }
        assert!((found.time[150] - usual.time[150]).abs() < 1e-12, "{names}");
    }
}

/// Tables of other programs: separators, decimal commas, names with capitals, turns, counts, times since 1970.
#[test]
fn tables_of_other_programs_are_read() {
    let usual = log(&table("t,q1,q2,q3,tau1,tau2,tau3", 200, plain), &LogSettings::default()).unwrap();
    let counts = LogSettings { counts: Some(65536.0), ..LogSettings::default() };
    let as_counts = |_: usize, column: usize, x: f64| match column {
        1..=3 => (x / std::f64::consts::TAU * 65536.0).round().to_string(),
        _ => x.to_string(),
    };
    let as_turns = |_: usize, column: usize, x: f64| match column {
        1..=3 => (x / std::f64::consts::TAU).to_string(),
        _ => x.to_string(),
    };
    let since_1970 = |_: usize, column: usize, x: f64| match column {
        0 => format!("{:.6}", 1.763e9 + x),
        _ => x.to_string(),
    };
    let german = |text: &str| text.replace('.', ";").replace(',', ":").replace(';', ",").replace(':', ";");
    let plain = plain as fn(usize, usize, f64) -> String;
    for (text, settings, near) in [
        (
            german(&table("Zeit [s],q1,q2,q3,M1 [Nm],M2 [Nm],M3 [Nm]", 200, plain)),
            LogSettings::default(),
            1e-12,
        ),
        (table("time,q1,q2,q3,tau1,tau2,tau3", 200, plain).replace(',', "\t"), LogSettings::default(), 1e-12),
        (
            table(
                "Time,Axis 1.ActPos,Axis 2.ActPos,Axis 3.ActPos,Axis 1.ActTorque,Axis 2.ActTorque,Axis 3.ActTorque",
                200,
                plain,
            ),
            LogSettings::default(),
            1e-12,
        ),
        (table("t,q1_rev,q2_rev,q3_rev,tau1,tau2,tau3", 200, as_turns), LogSettings::default(), 1e-12),
        (table("t,enc1,enc2,enc3,tau1,tau2,tau3", 200, as_counts), counts.clone(), 5e-5),
        (table("t,enc1 [counts],enc2 [counts],enc3 [counts],tau1,tau2,tau3", 200, as_counts), counts, 5e-5),
        (table("t,q1,q2,q3,tau1,tau2,tau3", 200, since_1970), LogSettings::default(), 1e-12),
    ] {
        let found = log(&text, &settings).unwrap_or_else(|error| panic!("{}: {error}", &text[..60]));
        for k in 0..3 {
            assert!((found.q[k][150] - usual.q[k][150]).abs() < near, "{}", &text[..60]);
            assert!((found.effort[k][150] - usual.effort[k][150]).abs() < 1e-9, "{}", &text[..60]);
        }
        // 1e-6: a time since 1970 has so many digits
        let passed = found.time[150] - found.time[0];
        assert!((passed - usual.time[150]).abs() < 1e-6, "{}: {passed}", &text[..60]);
    }
}

#[test]
fn what_cannot_be_used_says_what_to_record_instead() {
    const NAMES: &str = "t,q1,q2,q3,tau1,tau2,tau3";
    let usual = LogSettings::default();
    let refused = |text: String| log(&text, &usual).unwrap_err();
    for (text, words) in [
        (table(NAMES, 20, plain), "20 rows"),
        (table("t,q1,q2,q3,v1,v2,v3", 200, plain), "no efforts"),
        (table("t,a,b,c,tau1,tau2,tau3", 200, plain), "where all motors are"),
        (table("n,q1,q2,q3,tau1,tau2,tau3", 200, plain), "no column of time"),
        (table("t,q1,q2,q3,i1,i2,i3", 200, plain), "motor_constant"),
        (
            table(
                NAMES,
                200,
                |row, column, x| if row == 70 && column == 2 { "nan".into() } else { x.to_string() },
            ),
            "row 71",
        ),
        (
            table(
                NAMES,
                200,
                |row, column, x| if row == 70 && column == 0 { "0.05".into() } else { x.to_string() },
            ),
            "time goes back",
        ),
        (
            table(NAMES, 200, |_, column, x| if column == 2 { "0.6".into() } else { x.to_string() }),
            "q2 does not move",
        ),
        (
            table(NAMES, 200, |_, column, x| if column == 5 { "0".into() } else { x.to_string() }),
            "effort of q2 is always 0",
        ),
        (
            table(
                NAMES,
                200,
                |_, column, x| if column == 0 { (50.0 * x).to_string() } else { x.to_string() },
            ),
            "rows a second",
        ),
        (
            table(
                NAMES,
                200,
                |row, column, x| {
                    if column == 0 && row > 90 { (x + 9.0).to_string() } else { x.to_string() }
                },
            ),
            "missing after row 91",
        ),
        (table("t,q1 [kg],q2,q3,tau1,tau2,tau3", 200, plain), "kg"),
        (table("t,q1,q2,q3,tau1 [%],tau2 [%],tau3 [%]", 200, plain), "per cent of what"),
        (table("t,enc1_counts,enc2_counts,enc3_counts,tau1,tau2,tau3", 200, plain), "counts_per_turn"),
        (
            table(NAMES, 200, |_, column, x| {
                if (1..=3).contains(&column) { (1e4 * x).round().to_string() } else { x.to_string() }
            }),
            "counts_per_turn",
        ),
        (
            table(NAMES, 200, |_, column, x| if column == 0 { (1e9 * x).to_string() } else { x.to_string() }),
            "name its column `t [ns]`",
        ),
        (
            table(NAMES, 200, |_, column, x| {
                if (1..=3).contains(&column) { x.to_degrees().to_string() } else { x.to_string() }
            }),
            "deg",
        ),
    ] {
        let said = refused(text);
        assert!(said.contains(words), "`{words}` is not in: {said}");
    }
}
