//! Settings of controllers, read back by the library's own importer: the same kinematics.

mod hidden;

use hidden::Hidden;
use legwork::description::RobotDescription;
use legwork::firmware::{ImportOptions, import};
use legwork::{AnyRobot, PlatformState};
use legwork_identify::geometry::ParameterSet;
use legwork_identify::geometry::blocks::blocks;
use legwork_testkit::{largest, lowest};

/// What LinuxCNC's other file says of units.
const METRIC: (&str, &str) = ("machine.ini", "[TRAJ]\nLINEAR_UNITS = mm\nANGULAR_UNITS = deg\n");

/// A robot whose numbers are off only by what the settings have: the same for all legs, or each leg its own.
fn built(name: &str, set: ParameterSet, each: &[&str], all: &[&str]) -> Hidden {
    let mut hidden = Hidden::new(name, set, 0.0, 1);
    for (k, parameter) in hidden.model.parameters.list.iter().enumerate() {
        let own = parameter.name.rsplit('.').next().unwrap_or_default();
        if each.contains(&own) {
            // Half a millimetre or so, another for each.
            hidden.truth[k] = 0.25 * parameter.prior * (1.0 + 0.37 * k as f64).sin();
        } else if all.contains(&own) {
            hidden.truth[k] = 0.25 * parameter.prior;
        }
    }
    hidden
}

fn imported(hidden: &Hidden, controller: &str, files: &[(&str, &str)]) -> AnyRobot {
    let blocks = blocks(&hidden.model, &hidden.truth);
    let block =
        blocks.iter().find(|block| block.controller == controller).expect("settings of this controller");
    // What else stands in the files of a machine, the block in the first of them.
    let texts: Vec<(&str, String)> = files
        .iter()
        .enumerate()
        .map(|(k, (name, more))| {
            (*name, if k == 0 { format!("{}{more}", block.text) } else { (*more).to_owned() })
        })
        .collect();
    let files: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let found = import(&files, ImportOptions::default()).unwrap_or_else(|error| panic!("{error}\n{texts:?}"));
    AnyRobot::new(RobotDescription::parse(&found.robot_file, "imported.toml").unwrap()).unwrap()
}

/// Ways of the motors from one pose to another, of both robots. `higher` is how much higher the base of the second
/// stands; it may be turned by a multiple of 30 deg, as controllers count their legs from another side.
fn compare(hidden: &Hidden, other: &AnyRobot, higher: f64) {
    let own = hidden.robot();
    let states: Vec<PlatformState> = hidden.poses(12, 4).iter().map(|pose| hidden.state(pose)).collect();
    let ways = |robot: &AnyRobot, higher: f64, turn: f64| -> Option<Vec<f64>> {
        let (sin, cos) = turn.to_radians().sin_cos();
        let q = |state: &PlatformState| {
            let [x, y, z] = state.position;
            let at = PlatformState { position: [cos * x - sin * y, sin * x + cos * y, z + higher], ..*state };
            Some(robot.inverse_kinematics(&at).ok()?.q)
        };
        let first = q(&states[0])?;
        let all: Option<Vec<Vec<f64>>> = states[1..].iter().map(q).collect();
        Some(all?.iter().flat_map(|q| q.iter().zip(&first).map(|(q, first)| q - first)).collect())
    };
    let wanted = ways(&own, 0.0, 0.0).unwrap();
    let apart = |other: &[f64]| {
        // Which way motors count is the controller's own.
        let sign = (wanted[0] * other[0]).signum();
        largest(wanted.iter().zip(other).map(|(a, b)| a - sign * b))
    };
    let turns = if hidden.model.drawn.freedoms.len() == 3 { 12 } else { 1 };
    let found = (0..turns).filter_map(|k| ways(other, higher, 30.0 * f64::from(k))).map(|ways| apart(&ways));
    let best = lowest(found);
    // 1e-6: a micrometre, or a microradian; settings have five digits of a millimetre or a degree
    assert!(best < 1e-6, "{best}");
    // What is compared is not the drawing.
    assert!(apart(&ways(&hidden.model.robot, 0.0, 0.0).unwrap()) > 1e-5);
}

#[test]
fn klipper_reads_towers_and_arms_as_they_were_found() {
    let towers = built("linear-delta", ParameterSet::Reduced, &["azimuth", "rod"], &["base_radius"]);
    compare(&towers, &imported(&towers, "klipper", &[("printer.cfg", "")]), 0.0);
    let arms = built("delta-industrial", ParameterSet::Reduced, &[], &["arm", "forearm", "base_radius"]);
    // The height stands in the file of the machine: the block says by how much to change it.
    let text =
        blocks(&arms.model, &arms.truth)[0].text.replace("[printer]\n", "[printer]\nshoulder_height: 1000\n");
    let found =
        import(&[("printer.cfg", &text)], ImportOptions::default()).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let robot = AnyRobot::new(RobotDescription::parse(&found.robot_file, "imported.toml").unwrap()).unwrap();
    compare(&arms, &robot, 1.0);
}

#[test]
fn marlin_reads_towers_as_they_were_found() {
    let towers = built("linear-delta", ParameterSet::Reduced, &["rod"], &["base_radius"]);
    compare(&towers, &imported(&towers, "marlin", &[("m503.txt", "")]), 0.0);
    // Radii that differ stand in Configuration.h, and the block has the line.
    let towers = built("linear-delta", ParameterSet::Reduced, &["base_radius"], &["rod"]);
    let blocks = blocks(&towers.model, &towers.truth);
    let text = &blocks.iter().find(|block| block.controller == "marlin").unwrap().text;
    let word = |letter: char| {
        let start = text.find(&format!(" {letter}")).unwrap() + 2;
        text[start..].split_whitespace().next().unwrap().to_owned()
    };
    let trims = text.split("#define DELTA_RADIUS_TRIM_TOWER").nth(1).unwrap().trim();
    let header = format!(
        "#define DELTA\n#define DELTA_DIAGONAL_ROD {}\n#define DELTA_RADIUS {}\n#define DELTA_RADIUS_TRIM_TOWER {trims}\n",
        word('L'),
        word('R')
    );
    let found =
        import(&[("Configuration.h", &header)], ImportOptions::default()).unwrap_or_else(|e| panic!("{e}"));
    let robot = AnyRobot::new(RobotDescription::parse(&found.robot_file, "imported.toml").unwrap()).unwrap();
    compare(&towers, &robot, 0.0);
}

#[test]
fn linuxcnc_reads_towers_arms_and_hexapods_as_they_were_found() {
    let towers = built("linear-delta", ParameterSet::Reduced, &[], &["base_radius", "rod"]);
    compare(
        &towers,
        &imported(&towers, "linuxcnc", &[("delta.hal", "loadrt lineardeltakins\n"), METRIC]),
        0.0,
    );
    let arms = built("delta-industrial", ParameterSet::Reduced, &[], &["base_radius", "arm", "forearm"]);
    compare(&arms, &imported(&arms, "linuxcnc", &[("delta.hal", "loadrt rotarydeltakins\n"), METRIC]), 0.0);
    let points = ["base_x", "base_y", "base_z", "platform_x", "platform_y", "platform_z"];
    let hexapod = built("gough-stewart", ParameterSet::Full, &points, &[]);
    assert!(hexapod.truth.iter().any(|value| *value != 0.0), "{:?}", hexapod.model.parameters.list[0].name);
    compare(
        &hexapod,
        &imported(&hexapod, "linuxcnc", &[("hexapod.hal", "loadrt genhexkins\n"), METRIC]),
        0.0,
    );
}
