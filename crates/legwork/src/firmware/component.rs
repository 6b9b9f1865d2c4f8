//! A kinematics module for LinuxCNC: any robot of legwork, by the C library.

use super::{Firmware, FirmwareError};
use crate::AnyRobot;
use crate::coordinates::{CoordinateSchema, Group, POSE};
use std::fmt::Write;

/// Joints that LinuxCNC has.
const MOST_JOINTS: usize = 16;
/// Letters of a robot's name in that of its module: HAL's names have 47 at most.
const MOST_LETTERS: usize = 32;

/// A module as source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// The name of the module, for `KINEMATICS` of the INI file.
    pub name: String,
    /// Its source, C.
    pub text: String,
    /// How it is built, and what a reader should know.
    pub notes: Vec<String>,
}

/// Where LinuxCNC has a coordinate of ours, how many of its units are one of ours, and which freedom it is.
fn axis(name: &str) -> Option<(&'static str, &'static str, usize)> {
    Some(match name {
        "x" => ("tran.x", "MILLIMETRES", 0),
        "y" => ("tran.y", "MILLIMETRES", 1),
        "z" => ("tran.z", "MILLIMETRES", 2),
        "roll" => ("a", "DEGREES", 3),
        "pitch" => ("b", "DEGREES", 4),
        "yaw" | "angle" => ("c", "DEGREES", 5),
        _ => return None,
    })
}

/// A text as a literal of C, line by line.
fn literal(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        out.push_str("    \"");
        for byte in line.bytes() {
            match byte {
                b'"' | b'\\' => {
                    out.push('\\');
                    out.push(char::from(byte));
                }
                b'?' => out.push_str("\\?"), // no trigraphs
                0x20..=0x7e => out.push(char::from(byte)),
                _ => {
                    let _ = write!(out, "\\{byte:03o}");
                }
            }
        }
        out.push_str("\\n\"\n");
    }
    out
}

/// A name inside a comment of C: nothing that ends the comment or the line.
fn in_comment(name: &str) -> String {
    let plain = |c: char| if c.is_control() || matches!(c, '*' | '\\' | '@') { ' ' } else { c };
    name.chars().map(plain).collect()
}

/// The kinematics of a robot as a module for LinuxCNC in user space: inverse and forward kinematics by the C library, in
/// millimetres and degrees, with the robot's file in it.
///
/// # Errors
/// If LinuxCNC cannot have so many joints, or if the robot's file is not known.
pub fn kinematics_component(robot: &AnyRobot) -> Result<Component, FirmwareError> {
    let refused = |what: String| FirmwareError::CannotHave { firmware: Firmware::LinuxCnc, what };
    let joints = robot.joints();
    if joints.len() > MOST_JOINTS {
        return Err(refused(format!("{} joints: it has {MOST_JOINTS} at most", joints.len())));
    }
    let Some(file) = robot.description().text.as_deref() else {
        return Err(refused("a robot without the text of its file".into()));
    };
    let schema = CoordinateSchema::of(robot);
    let names: Vec<&str> =
        POSE.iter().flat_map(|group| &schema.group(*group).names).map(|name| name.text.as_str()).collect();
    let axes: Vec<(&str, &str, usize)> = names.iter().filter_map(|name| axis(name)).collect();
    if axes.len() != names.len() {
        return Err(refused(format!("the coordinates {}", names.join(" "))));
    }
    let letters = robot.name().chars().filter(char::is_ascii_alphanumeric);
    let short = letters.take(MOST_LETTERS).collect::<String>().to_lowercase();
    let name = format!("legwork_{short}kins");
    let (mut reads, mut writes) = (String::new(), String::new());
    for (k, (place, unit, _)) in axes.iter().enumerate() {
        let _ = writeln!(reads, "    pose[{k}] = world->{place} / {unit};");
        let _ = writeln!(writes, "    world->{place} = pose[{k}] * {unit};");
    }
    let units = joints.iter().map(|joint| if joint.slides { "MILLIMETRES" } else { "DEGREES" });
    let units = units.collect::<Vec<_>>().join(", ");
    let turns = schema.group(Group::Orientation).names.len();
    let text = TEMPLATE
        .replace("@NAME@", &name)
        .replace("@ROBOT@", &in_comment(robot.name()))
        .replace("@VERSION@", env!("CARGO_PKG_VERSION"))
        .replace("@JOINTS@", &joints.len().to_string())
        .replace("@COORDINATES@", &names.len().to_string())
        .replace("@NAMES@", &names.join(" "))
        .replace("@UNITS@", &units)
        .replace("@READS@", reads.trim_end())
        .replace("@WRITES@", writes.trim_end())
        .replace("@FILE@", literal(file).trim_end());
    let mut notes = vec![
        format!(
            "`halcompile --install --extra-link-args=-llegwork_c {name}.c`, with legwork.h and liblegwork_c where the compiler \
             looks; KINEMATICS = {name} and LINEAR_UNITS = mm in the INI file"
        ),
        "for LinuxCNC in user space (uspace): a kernel module cannot load a library".into(),
    ];
    let moves = |component: usize| robot.freedoms().iter().any(|freedom| freedom.component == component);
    let following: Vec<&str> =
        names.iter().zip(&axes).filter(|(_, axis)| !moves(axis.2)).map(|(name, _)| *name).collect();
    if !following.is_empty() {
        notes.push(format!(
            "{} cannot be commanded: the platform has them from its other coordinates, and what LinuxCNC asks for is not looked at",
            following.join(", ")
        ));
    }
    if turns > 0 {
        notes.push("A, B and C are roll, pitch and yaw about fixed axes, in degrees".into());
    }
    Ok(Component { name, text, notes })
}

const TEMPLATE: &str = r#"/* @NAME@: kinematics of the robot `@ROBOT@` for LinuxCNC in user space, written by legwork @VERSION@.
 *
 * Coordinates: @NAMES@; lengths in mm, angles in degrees (LINEAR_UNITS = mm). Joints: @JOINTS@, in mm or degrees, counted
 * as the robot file below counts them.
 * The robot is made when the module is loaded; inverse and forward kinematics then allocate nothing.
 * Build: halcompile --install --extra-link-args=-llegwork_c @NAME@.c
 */
#include "rtapi.h"
#include "rtapi_app.h"
#include "hal.h"
#include "kinematics.h"
#include "legwork.h"

MODULE_LICENSE("GPL");

#define JOINTS @JOINTS@
#define COORDINATES @COORDINATES@
#define MILLIMETRES 1e3
#define DEGREES 57.295779513082320876798154814105

static const char robot_file[] =
@FILE@;

/* Units of LinuxCNC in one of ours. */
static const double joint_units[JOINTS] = {@UNITS@};

static legwork_robot *robot;
static int component;
/* Where the platform was last: forward kinematics is sought from there. */
static double last[COORDINATES];

KINEMATICS_TYPE kinematicsType(void) { return KINEMATICS_BOTH; }

int kinematicsInverse(const EmcPose *world, double *joint, const KINEMATICS_INVERSE_FLAGS *iflags, KINEMATICS_FORWARD_FLAGS *fflags) {
    double pose[COORDINATES], q[JOINTS];
    legwork_state state = {pose, COORDINATES, 0, 0, 0, 0, 0, 0};
    int k;
    (void)iflags;
    (void)fflags;
@READS@
    if (legwork_inverse_kinematics(robot, &state, q, JOINTS) != LEGWORK_OK) return -1;
    for (k = 0; k < JOINTS; k++) joint[k] = q[k] * joint_units[k];
    for (k = 0; k < COORDINATES; k++) last[k] = pose[k];
    return 0;
}

int kinematicsForward(const double *joint, EmcPose *world, const KINEMATICS_FORWARD_FLAGS *fflags, KINEMATICS_INVERSE_FLAGS *iflags) {
    double pose[COORDINATES], q[JOINTS];
    int k;
    (void)iflags;
    (void)fflags;
    for (k = 0; k < JOINTS; k++) q[k] = joint[k] / joint_units[k];
    if (legwork_forward_kinematics(robot, q, JOINTS, last, COORDINATES, pose, COORDINATES) != LEGWORK_OK) return -1;
    for (k = 0; k < COORDINATES; k++) last[k] = pose[k];
@WRITES@
    return 0;
}

/* Not called by LinuxCNC 2.9, but declared by its interface. */
int kinematicsHome(EmcPose *world, double *joint, KINEMATICS_FORWARD_FLAGS *fflags, KINEMATICS_INVERSE_FLAGS *iflags) {
    *fflags = 0;
    *iflags = 0;
    return kinematicsForward(joint, world, fflags, iflags);
}

#ifdef KINS_NOT_SWITCHABLE
KINS_NOT_SWITCHABLE
#else
int kinematicsSwitchable(void) { return 0; }
int kinematicsSwitch(int new_type) { (void)new_type; return 0; }
EXPORT_SYMBOL(kinematicsSwitchable);
EXPORT_SYMBOL(kinematicsSwitch);
#endif
EXPORT_SYMBOL(kinematicsType);
EXPORT_SYMBOL(kinematicsInverse);
EXPORT_SYMBOL(kinematicsForward);
EXPORT_SYMBOL(kinematicsHome);

int rtapi_app_main(void) {
    char text[256];
    component = hal_init("@NAME@");
    if (component < 0) return component;
    if (legwork_robot_from_text(robot_file, sizeof robot_file - 1, &robot) != LEGWORK_OK ||
        legwork_home(robot, last, COORDINATES) != LEGWORK_OK) {
        legwork_last_message(text, sizeof text);
        rtapi_print_msg(RTAPI_MSG_ERR, "@NAME@: %s\n", text);
        hal_exit(component);
        return -1;
    }
    hal_ready(component);
    return 0;
}

void rtapi_app_exit(void) {
    legwork_robot_free(robot);
    robot = 0;
    hal_exit(component);
}
"#;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::BUILT_IN;

    fn made(name: &str) -> Component {
        kinematics_component(&AnyRobot::open(name).unwrap()).unwrap()
    }

    #[test]
    fn every_built_in_robot_has_a_module() {
        for robot in BUILT_IN {
            let made = made(robot.name);
            assert!(made.name.len() <= 47, "{}", made.name);
            assert!(!made.text.contains('@'), "{}: something is not filled in", robot.name);
            assert!(made.text.is_ascii() || made.text.lines().next().is_some_and(|line| !line.is_ascii()));
        }
    }

    #[test]
    fn what_follows_from_the_rest_is_told() {
        let follows = |name: &str| made(name).notes.iter().find(|note| note.contains("cannot be")).cloned();
        assert!(follows("two-deltas").is_some_and(|note| note.starts_with("roll cannot be commanded")));
        assert_eq!(follows("gough-stewart"), None);
        assert_eq!(follows("five-bar"), None);
    }

    /// Names and files that would end a comment, a line or a text.
    #[test]
    fn names_and_files_of_any_kind_stay_inside() {
        assert_eq!(in_comment("a**//b\n@FILE@\\"), "a  //b  FILE  ");
        assert_eq!(
            literal("a\"b\\c?\u{e4}\n\tx"),
            "    \"a\\\"b\\\\c\\?\\303\\244\\n\"\n    \"\\011x\\n\"\n"
        );
    }
}
