//! Settings of other people's controllers: the robot does what the controller's own formula says, and goes back.

use legwork::description::RobotDescription;
use legwork::firmware::{Firmware, FirmwareError, ImportOptions, LengthUnit, export, import};
use legwork::{AnyRobot, PlatformState, rotation_from_roll_pitch_yaw};
use legwork_testkit::gap;

fn near(found: f64, expected: f64, bar: f64) {
    assert!(gap([found], [expected]) <= bar, "{found} for {expected}");
}

fn imported(text: &str) -> RobotDescription {
    let imported = import(&[("machine.cfg", text)], ImportOptions::default()).expect("settings of a robot");
    RobotDescription::parse(&imported.robot_file, "machine.toml").expect("a robot file")
}

fn model(robot: &RobotDescription) -> AnyRobot {
    AnyRobot::new(robot.clone()).expect("a robot")
}

fn refused(text: &str) -> FirmwareError {
    import(&[("machine.cfg", text)], ImportOptions::default()).expect_err("not to be imported")
}

/// After a calibration: the block that SAVE_CONFIG writes counts before what stands above.
const KLIPPER_DELTA: &str = "
[include mainsail.cfg]
[printer]
kinematics: delta       # linear
max_velocity: 300
max_accel: 3000
delta_radius: 174.75
[stepper_a]
step_pin: PF0
position_endstop: 297.05
arm_length: 333.0
[stepper_b]
step_pin: PF1
[stepper_c]
step_pin: PF2
[gcode_macro START]
gcode:
    G28
    M117 arm_length: 7
#*# <---------------------- SAVE_CONFIG ---------------------->
#*# [printer]
#*# delta_radius = 174.123456
#*#
#*# [stepper_a]
#*# angle = 209.812345
#*# arm_length = 333.1
#*# position_endstop = 296.9
#*#
#*# [stepper_b]
#*# angle = 330.2
#*# arm_length = 332.9
#*# position_endstop = 297.4
#*#
#*# [stepper_c]
#*# angle = 90.0
#*# arm_length = 333.05
#*# position_endstop = 297.2
";

/// The lowest carriage is not that of the lowest endstop: at home every one is where its rail still is.
#[test]
fn at_home_no_carriage_is_beyond_its_end() {
    let lengths = [[268.11, 267.9, 268.2], [268.0; 3], [267.0, 268.0, 269.0]];
    for (arms, endstops) in
        lengths.into_iter().zip([[296.9, 297.1, 297.0], [297.05; 3], [297.0, 296.0, 298.0]])
    {
        let stepper = |(name, (arm, endstop)): (&str, (f64, f64))| {
            format!("[stepper_{name}]\narm_length: {arm}\nposition_endstop: {endstop}\n")
        };
        let steppers = ["a", "b", "c"].into_iter().zip(arms.into_iter().zip(endstops)).map(stepper);
        let steppers = steppers.collect::<Vec<_>>().concat();
        let text = format!("[printer]\nkinematics: delta\ndelta_radius: 131.723\n{steppers}");
        let robot = imported(&text);
        let at_home = model(&robot).inverse_kinematics(&model(&robot).home()).expect("in reach");
        assert_eq!(at_home.outside_limits, [0_usize; 0], "{arms:?}, {endstops:?}");
        let lowest = endstops.into_iter().fold(f64::INFINITY, legwork_testkit::nan_min);
        let home = model(&robot).home().position[2] * 1e3;
        // The arms differ by 2 mm, so do the heights for one carriage.
        assert!(home <= lowest + 1e-9 && home > lowest - 2.5, "{home} of {lowest}");
    }
}

#[test]
fn carriages_are_where_klipper_has_them() {
    let robot = imported(KLIPPER_DELTA);
    let (radius, arms, angles) = (174.123456, [333.1, 332.9, 333.05], [209.812345_f64, 330.2, 90.0]);
    for [x, y, z] in [[0.0, 0.0, 0.0], [50.0, -20.0, 130.0], [-90.0, 35.0, 12.5]] {
        let found = model(&robot)
            .inverse_kinematics(&PlatformState::at([x, y, z].map(|mm: f64| mm / 1e3)))
            .expect("in reach");
        for k in 0..3 {
            let (sin, cos) = angles[k].to_radians().sin_cos();
            let (dx, dy) = (radius * cos - x, radius * sin - y);
            let height = z + (arms[k] * arms[k] - dx * dx - dy * dy).sqrt();
            near(found.q[k] * 1e3, height, 1e-9);
        }
    }
    assert_eq!(model(&robot).home().position, [0.0, 0.0, 0.2969]);
    let note = import(&[("machine.cfg", KLIPPER_DELTA)], ImportOptions::default()).expect("a robot").notes;
    assert!(note.iter().any(|note| note.contains("includes")), "{note:?}");
    assert!(note.iter().any(|note| note.contains("max_accel 3000 mm/s^2")), "{note:?}");
}

const KLIPPER_ROTARY: &str = "
[stepper_a]
gear_ratio: 107:16, 60:16
position_endstop: 252
upper_arm_length: 170.000
lower_arm_length: 320.000
[stepper_b]
[stepper_c]
[printer]
kinematics: rotary_delta
shoulder_radius: 33.900
shoulder_height: 412.900
";

#[test]
fn elbows_are_where_klipper_has_them() {
    let robot = imported(KLIPPER_ROTARY);
    let built_in = RobotDescription::built_in("klipper-rotary-delta").expect("the same robot");
    assert_eq!(robot.data, built_in.data);
    let [x, y, z] = [20.0, -30.0, 150.0];
    let found = model(&robot)
        .inverse_kinematics(&PlatformState::at([x, y, z].map(|mm: f64| mm / 1e3)))
        .expect("in reach");
    for (q, angle) in found.q.iter().zip([30.0_f64, 150.0, 270.0]) {
        let (sin, cos) = angle.to_radians().sin_cos();
        let out = 33.9 + 170.0 * q.cos();
        let elbow = [out * cos, out * sin, 412.9 + 170.0 * q.sin()];
        let length = (elbow[0] - x).hypot(elbow[1] - y).hypot(elbow[2] - z);
        near(length, 320.0, 1e-9);
    }
    let longer = KLIPPER_ROTARY.replace("[stepper_b]", "[stepper_b]\nupper_arm_length: 171.5");
    assert!(matches!(refused(&longer), FirmwareError::LegsDiffer { values: [170.0, 171.5, 170.0], .. }));
    let mean = ImportOptions { mean: true, ..ImportOptions::default() };
    let mean = import(&[("a.cfg", &longer)], mean).expect("the mean");
    assert!(mean.robot_file.contains("\"170.5 mm\""), "{}", mean.robot_file);
}

#[test]
fn marlins_header_and_its_commands_are_the_same_robot() {
    let header = "
#define DELTA
#if ENABLED(DELTA)
  #define DELTA_DIAGONAL_ROD 301.0        // (mm)
  #define DELTA_HEIGHT 300.00             // (mm) Get this value from G33 auto calibrate
  #define DELTA_ENDSTOP_ADJ { -0.5, 0.0, -0.25 }
  #define DELTA_RADIUS 152.357            // (mm)
  #define DELTA_TOWER_ANGLE_TRIM { 0.1, -0.2, 0.1 }
  //#define DELTA_RADIUS_TRIM_TOWER { 9.0, 0.0, 0.0 }
  #define DELTA_DIAGONAL_ROD_TRIM_TOWER { 0.0, 0.0, 0.3 }
#endif";
    let commands = "echo:; Endstop adjustment:\necho:  M666 X-0.50 Y0.00 Z-0.25\n\
        echo:  M665 L301.00 R152.357 H300.00 S200.00 X0.10 Y-0.20 Z0.10 A0.00 B0.00 C0.30 (mm)";
    let robot = imported(header);
    assert_eq!(imported(&commands.replace(" (mm)", "")).data, robot.data);
    let [x, y, z] = [30.0, 40.0, 25.0];
    let q = model(&robot).inverse_kinematics(&PlatformState::at([0.03, 0.04, 0.025])).expect("in reach").q;
    for (k, angle) in [210.1_f64, 329.8, 90.1].into_iter().enumerate() {
        let (rod, (sin, cos)) = ([301.0, 301.0, 301.3][k], angle.to_radians().sin_cos());
        let away = (152.357 * cos - x).powi(2) + (152.357 * sin - y).powi(2);
        near(q[k] * 1e3, z + (rod * rod - away).sqrt(), 1e-9);
    }
}

/// The parts of a `Configuration.h` that decide about its robot, as the printer's owner has them.
const MARLIN_1_1: &str = "
/**
 * #define DELTA_DIAGONAL_ROD 999.0 stood here once
 */
#ifndef CONFIGURATION_H
#define CONFIGURATION_H
#define CUSTOM_MACHINE_NAME \"Mini Kossel, see http://example.org\"
#define MOTHERBOARD BOARD_RAMPS_14_EFB
#define EXTRUDER_Z_OFFSET 0 // in case the bed bows
/* an older effector:
#define DELTA_EFFECTOR_OFFSET 33.0
*/
#define DELTA
#if ENABLED(DELTA)
  #define DELTA_SEGMENTS_PER_SECOND 160
  #define DELTA_DIAGONAL_ROD 215.0 // mm
  #define DELTA_SMOOTH_ROD_OFFSET (105.0 + \\
    40.0*sqrt(1.0)+EXTRUDER_Z_OFFSET) // mm
  #define DELTA_EFFECTOR_OFFSET 19.9f
  #define DELTA_CARRIAGE_OFFSET 19.5
  #define DELTA_RADIUS (DELTA_SMOOTH_ROD_OFFSET-(DELTA_EFFECTOR_OFFSET)-(DELTA_CARRIAGE_OFFSET))
  #if DISABLED(DELTA)
    #define DELTA_RADIUS 1
  #endif
#elif ENABLED(SCARA)
  #define DELTA_DIAGONAL_ROD 2
#else
  #define DELTA_DIAGONAL_ROD 3
#endif
#define MANUAL_Z_HOME_POS 250
#endif
";

#[test]
fn marlins_header_is_read_as_its_compiler_reads_it() {
    let robot = import(&[("Configuration.h", MARLIN_1_1)], ImportOptions::default()).expect("a Delta");
    assert_eq!(robot.firmware, Firmware::Marlin);
    assert!(robot.robot_file.contains("base_radius = \"105.6 mm\""), "{}", robot.robot_file);
    assert!(robot.robot_file.contains("rod = \"215 mm\""), "{}", robot.robot_file);
    assert!(robot.robot_file.contains("\"250 mm\""), "{}", robot.robot_file);

    // The same header of a machine that is no Delta: the lengths are there, and do not count.
    let cartesian = refused(&MARLIN_1_1.replace("\n#define DELTA\n", "\n//#define DELTA\n")).to_string();
    assert!(cartesian.contains("#define DELTA"), "{cartesian}");
    let off = refused(&MARLIN_1_1.replace("\n#define DELTA\n", "\n#define DELTA false\n"));
    assert!(matches!(off, FirmwareError::OtherKinematics { .. }), "{off}");

    // A length that depends on the board is not guessed; the same one in both cases is no question.
    let board = |a: &str, b: &str| {
        let two = format!(
            "#if MB(RAMPS_14_EFB)\n#define DELTA_DIAGONAL_ROD {a}\n#else\n#define DELTA_DIAGONAL_ROD {b}\n#endif"
        );
        MARLIN_1_1.replace("#define DELTA_DIAGONAL_ROD 215.0 // mm", &two)
    };
    let undecided = refused(&board("215.0", "300.0"));
    assert!(
        matches!(&undecided, FirmwareError::Undecided { setting, .. } if setting == "DELTA_DIAGONAL_ROD")
    );
    assert!(undecided.hint().expect("a way out").contains("M503"));
    assert!(imported(&board("215.0", "215.0")).data == imported(MARLIN_1_1).data);

    // A name that stands for itself ends.
    let endless = MARLIN_1_1.replace("EXTRUDER_Z_OFFSET 0", "EXTRUDER_Z_OFFSET (EXTRUDER_Z_OFFSET+1)");
    assert!(matches!(refused(&endless), FirmwareError::NotANumber { .. }));
}

#[test]
fn klippers_included_files_are_asked_for_until_they_are_given() {
    let main = "[include steppers.cfg]\n[printer]\nkinematics: delta\ndelta_radius: 134.4\n";
    let missing = refused(main).to_string();
    assert!(missing.contains("`arm_length` of [stepper_a]"), "{missing}");
    let steppers = "[stepper_a]\narm_length = 269.0 ; mm\n";
    let both = [("printer.cfg", main), ("config/steppers.cfg", steppers)];
    let both = import(&both, ImportOptions::default()).expect("both files");
    assert!(both.robot_file.contains("rod = \"269 mm\""), "{}", both.robot_file);
    assert!(!both.notes.iter().any(|note| note.contains("include")), "{:?}", both.notes);
}

#[test]
fn grblhal_takes_its_radii_for_sides() {
    let settings = "$640=0.20\n$641=300.000 (forearm)\n$642=100.000\n$643=75.000\n$644=24.000\n$645=400\n$646=-20\n$648=80\n";
    let robot = imported(settings);
    let [x, y, z] = [12.0, -7.0, -260.0];
    let position = PlatformState::at([x, y, z].map(|mm: f64| mm / 1e3));
    let q = model(&robot).inverse_kinematics(&position).expect("in reach").q;
    let half_tan_30 = 0.5 / 3_f64.sqrt();
    for (q, angle) in q.iter().zip([-90.0_f64, 30.0, 150.0]) {
        let (sin, cos) = angle.to_radians().sin_cos();
        let out = half_tan_30 * (75.0 - 24.0) + 100.0 * q.cos();
        let length = (out * cos - x).hypot(out * sin - y).hypot(-100.0 * q.sin() - z);
        near(length, 300.0, 1e-9);
    }
    let joint = &model(&robot).joints()[0].clone();
    near(joint.min.expect("a limit"), (-20_f64).to_radians(), 1e-15);
    near(joint.max.expect("a limit"), 80_f64.to_radians(), 1e-15);
}

/// Default geometry and lengths of LinuxCNC's hexapod, in inches, from its own kinematics.
#[test]
fn linuxcncs_hexapod_has_its_own_lengths() {
    let built_in = RobotDescription::built_in("linuxcnc-hexapod").expect("built in");
    let millimetres = export(&built_in, Firmware::LinuxCnc).expect("a hexapod");
    let ini = "[TRAJ]\nLINEAR_UNITS = mm\n[KINS]\nKINEMATICS = genhexkins\n[JOINT_0]\nMIN_LIMIT = 300\n";
    let files = [("hexapod.ini", ini), ("hexapod.hal", millimetres.as_str())];
    let robot = import(&files, ImportOptions::default()).expect("both files");
    let robot = RobotDescription::parse(&robot.robot_file, "hexapod.toml").expect("a robot file");
    let turn = 0.229_128_784_747_792_f64; // |(0.1, 0.05, 0.2)|
    let [a, b, c] = [0.1, 0.05, 0.2].map(|x| x / turn);
    let (s, k) = (turn.sin(), 1.0 - turn.cos());
    let rotation = [
        [1.0 - k * (b * b + c * c), k * a * b - s * c, k * a * c + s * b],
        [k * a * b + s * c, 1.0 - k * (a * a + c * c), k * b * c - s * a],
        [k * a * c - s * b, k * b * c + s * a, 1.0 - k * (a * a + b * b)],
    ];
    let inch = 0.0254;
    let state = PlatformState::at([inch, 2.0 * inch, 22.0 * inch]).turned(rotation);
    let found = model(&robot).inverse_kinematics(&state).expect("in reach");
    let lengths = [31.133877, 32.796104, 27.450228, 33.842584, 30.410306, 31.985483];
    for (found, expected) in found.q.iter().zip(lengths) {
        near(found / inch, expected, 1e-6);
    }
    near(model(&robot).joints()[3].min.expect("a limit"), 0.3, 1e-15);
}

#[test]
fn linuxcncs_deltas_need_their_unit() {
    let hal = "loadrt lineardeltakins\nsetp lineardeltakins.R 295.4\nsetp lineardeltakins.L [MACHINE]ROD\n";
    let ini = "[MACHINE]\nROD = 654\n";
    let error = import(&[("a.hal", hal), ("a.ini", ini)], ImportOptions::default()).expect_err("no unit");
    assert_eq!(error, FirmwareError::NoUnit);
    let unit = ImportOptions { unit: Some(LengthUnit::Millimetre), ..ImportOptions::default() };
    let robot = import(&[("a.hal", hal), ("a.ini", ini)], unit).expect("with its unit").robot_file;
    let robot = RobotDescription::parse(&robot, "a.toml").expect("a robot file");
    let q = model(&robot).inverse_kinematics(&PlatformState::at([0.01, 0.02, 0.03])).expect("in reach").q;
    // joint 0 stands at (0, R)
    near(q[0] * 1e3, 30.0 + (654_f64.powi(2) - 10_f64.powi(2) - 275.4_f64.powi(2)).sqrt(), 1e-9);
}

/// To settings and back: the same joint values at the same pose, turned where the controller has its legs elsewhere.
#[test]
fn robots_go_to_settings_and_back() {
    let unit = ImportOptions { unit: Some(LengthUnit::Millimetre), ..ImportOptions::default() };
    let mut ways = 0;
    for name in ["linear-delta", "delta-industrial", "irb360-1600", "gough-stewart"] {
        let robot = RobotDescription::built_in(name).expect("built in");
        for firmware in Firmware::ALL {
            let settings = match export(&robot, firmware) {
                Ok(settings) => settings,
                Err(FirmwareError::CannotHave { .. }) => continue,
                Err(other) => panic!("{name}: {other}"),
            };
            let back = import(&[("back.cfg", &settings)], unit).expect("our own settings");
            assert_eq!(back.firmware, firmware, "{name}");
            let back = RobotDescription::parse(&back.robot_file, "back.toml").expect("a robot file");
            let there = model(&robot).home();
            let turn = settings.split_once("poses by -").map_or(0.0, |(_, rest)| {
                rest.split(' ').next().expect("a number").parse::<f64>().expect("a number").to_radians()
            });
            let rotation = rotation_from_roll_pitch_yaw([0.0, 0.0, -turn]);
            let [mut x, mut y, mut z] = there.position;
            (x, y) = (x + 0.02, y - 0.03);
            let here = model(&robot)
                .inverse_kinematics(&PlatformState { position: [x, y, z], ..there })
                .expect("in reach");
            (x, y) = (rotation[0][0] * x + rotation[0][1] * y, rotation[1][0] * x + rotation[1][1] * y);
            let height = settings.split_once("shoulder_height: ");
            z += height.map_or(0.0, |(_, rest)| {
                rest.lines().next().expect("a line").parse::<f64>().expect("a number") / 1e3
            });
            let there = model(&back)
                .inverse_kinematics(&PlatformState { position: [x, y, z], ..there })
                .expect("in reach");
            // Klipper counts angles upward.
            let sign = if height.is_some() { -1.0 } else { 1.0 };
            for (a, b) in here.q.iter().zip(&there.q) {
                near(*a, sign * b, 1e-9);
            }
            ways += 1;
        }
    }
    assert!(ways >= 9, "{ways}");
}

#[test]
fn what_is_no_robot_is_refused_with_its_reason() {
    let cartesian = refused("[printer]\nkinematics: corexy\n[stepper_a]\n").to_string();
    assert!(cartesian.contains("corexy") && cartesian.contains("rotary_delta"), "{cartesian}");
    let missing = refused("[printer]\nkinematics: delta\n[stepper_a]\narm_length: 333\n").to_string();
    assert!(missing.contains("`delta_radius` of [printer]"), "{missing}");
    let word = refused("[printer]\nkinematics: delta\ndelta_radius: 17x\n[stepper_a]\narm_length: 333\n");
    assert!(matches!(word, FirmwareError::NotANumber { .. }), "{word}");
    assert!(matches!(refused("hello\n"), FirmwareError::NotKnown { .. }));
    let negative = refused("[printer]\nkinematics: delta\ndelta_radius: -3\n[stepper_a]\narm_length: 333\n");
    assert!(matches!(negative, FirmwareError::Robot(_)), "{negative}");
    let hexa = RobotDescription::built_in("hexa").expect("built in");
    let error = export(&hexa, Firmware::Marlin).expect_err("no Hexa in Marlin").to_string();
    assert!(error.contains("family `hexa`"), "{error}");
}
