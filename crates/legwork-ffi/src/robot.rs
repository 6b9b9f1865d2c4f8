//! Robots: from a file, a text or a built-in name, and what they are.

use crate::border::{Output, apart, call, long_text, put, words};
use crate::codes::Code;
use crate::handles::Table;
use crate::message::Failure;
use legwork::coordinates::{CoordinateSchema, Group, POSE};
use legwork::description::{BUILT_IN, RobotDescription};
use legwork::{AnyRobot, RobotError};
use std::ffi::{CString, c_char, c_int};

/// A robot, as the caller holds it.
#[repr(C)]
pub struct legwork_robot {
    _opaque: [u8; 0],
}

/// How many numbers each list about a robot has, as the header has it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct legwork_sizes {
    /// Actuated joints.
    pub joints: usize,
    /// Freedoms of the platform.
    pub freedoms: usize,
    /// Numbers of a pose.
    pub coordinates: usize,
    /// Legs, for their forces.
    pub legs: usize,
}

/// Names and units of one list.
struct Labels(Vec<[CString; 2]>);

/// What a handle stands for.
pub struct Robot {
    /// The robot.
    pub model: AnyRobot,
    /// What its numbers are.
    pub schema: CoordinateSchema,
    /// How many they are.
    pub sizes: legwork_sizes,
    name: CString,
    /// Coordinates, freedoms, joints, efforts.
    labels: [Labels; 4],
}

static ROBOTS: Table<Robot> = Table::new("robot", 1);

/// A text of ours for C; robot files cannot have a zero in a name.
fn c_text(text: &str) -> CString {
    CString::new(text.replace('\0', " ")).unwrap_or_default()
}

impl Robot {
    fn new(model: AnyRobot) -> Self {
        let schema = CoordinateSchema::of(&model);
        let label = |name: &str, unit: &str| [c_text(name), c_text(unit)];
        let pose = POSE.iter().flat_map(|group| &schema.group(*group).names);
        let coordinates = pose.map(|name| label(&name.text, name.quantity.si_unit()));
        let freedoms = model.freedoms().iter();
        let freedoms =
            freedoms.map(|freedom| label(freedom.velocity, if freedom.turns() { "rad/s" } else { "m/s" }));
        let joints = model.joints().iter().map(|joint| label(&joint.name, joint.unit()));
        let efforts = schema.group(Group::Efforts).names.iter();
        let efforts = efforts.map(|name| label(&name.text, name.quantity.si_unit()));
        let labels = [
            Labels(coordinates.collect()),
            Labels(freedoms.collect()),
            Labels(joints.collect()),
            Labels(efforts.collect()),
        ];
        let sizes = legwork_sizes {
            joints: model.joints().len(),
            freedoms: model.freedoms().len(),
            coordinates: schema.coordinate_count(),
            legs: model.leg_count(),
        };
        Self { name: c_text(model.name()), schema, sizes, labels, model }
    }
}

/// Asks a robot.
pub fn with_robot<R>(
    robot: *const legwork_robot,
    user: impl FnOnce(&Robot) -> Result<R, Failure>,
) -> Result<R, Failure> {
    ROBOTS.with(robot, user)
}

/// A new handle for the caller.
unsafe fn made(robot: Result<AnyRobot, RobotError>, out: *mut *mut legwork_robot) -> Result<(), Failure> {
    // SAFETY: the caller's promise about `out`, which is also that of `put` below.
    unsafe { put("out", out, std::ptr::null_mut()) }?;
    let handle = ROBOTS.insert(Robot::new(robot?))?;
    // SAFETY: as above.
    unsafe { put("out", out, handle) }
}

/// A built-in robot, or the robot in a file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn legwork_robot_open(
    name_or_path: *const c_char,
    out: *mut *mut legwork_robot,
) -> c_int {
    call(|| {
        // SAFETY: "Pointers" of the header.
        unsafe { made(words("name_or_path", name_or_path).map(AnyRobot::open)?, out) }
    })
}

/// The robot in the text of a robot file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn legwork_robot_from_text(
    text: *const c_char,
    text_length: usize,
    out: *mut *mut legwork_robot,
) -> c_int {
    call(|| {
        // SAFETY: "Pointers" of the header.
        let text = unsafe { long_text("text", text, text_length) }?;
        let robot =
            RobotDescription::parse(text, "robot.toml").map_err(RobotError::from).and_then(AnyRobot::new);
        // SAFETY: "Pointers" of the header.
        unsafe { made(robot, out) }
    })
}

/// The same robot with another payload.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn legwork_robot_with_payload(
    robot: *const legwork_robot,
    payload: f64,
    out: *mut *mut legwork_robot,
) -> c_int {
    call(|| {
        let changed = with_robot(robot, |robot| Ok(robot.model.with_payload(payload)))?;
        // SAFETY: "Pointers" of the header.
        unsafe { made(changed, out) }
    })
}

/// The same robot in another working mode.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn legwork_robot_with_working_mode(
    robot: *const legwork_robot,
    mode: *const c_char,
    out: *mut *mut legwork_robot,
) -> c_int {
    call(|| {
        // SAFETY: "Pointers" of the header.
        let mode = unsafe { words("mode", mode) }?;
        let changed = with_robot(robot, |robot| Ok(robot.model.with_working_mode(mode)))?;
        // SAFETY: "Pointers" of the header.
        unsafe { made(changed, out) }
    })
}

/// The same robot led to a pose: robots without a closed form are followed from there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn legwork_robot_led_to(
    robot: *const legwork_robot,
    pose: *const f64,
    pose_length: usize,
    out: *mut *mut legwork_robot,
) -> c_int {
    call(|| {
        // SAFETY: "Pointers" of the header.
        let pose = unsafe { crate::border::Given::new("pose", pose, pose_length) }?;
        let changed = with_robot(robot, |robot| {
            let row = legwork::coordinates::StateRow { pose: pose.list(), ..Default::default() };
            Ok(robot.model.led_to(&robot.schema.state_of_row(&row)?))
        })?;
        // SAFETY: "Pointers" of the header.
        unsafe { made(changed, out) }
    })
}

/// Finishes a robot.
#[unsafe(no_mangle)]
pub extern "C" fn legwork_robot_free(robot: *mut legwork_robot) -> c_int {
    call(|| ROBOTS.remove(robot))
}

/// The name of a built-in robot, by its number from 0; null beyond the last.
#[unsafe(no_mangle)]
pub extern "C" fn legwork_built_in(number: usize) -> *const c_char {
    static NAMES: std::sync::OnceLock<Vec<CString>> = std::sync::OnceLock::new();
    let names = NAMES.get_or_init(|| BUILT_IN.iter().map(|robot| c_text(robot.name)).collect());
    names.get(number).map_or(std::ptr::null(), |name| name.as_ptr())
}

/// How many numbers each list has.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn legwork_robot_sizes(
    robot: *const legwork_robot,
    sizes: *mut legwork_sizes,
) -> c_int {
    call(|| {
        with_robot(robot, |robot| {
            // SAFETY: "Pointers" of the header.
            unsafe { put("sizes", sizes, robot.sizes) }
        })
    })
}

/// The robot's name, while the handle lives.
#[unsafe(no_mangle)]
pub extern "C" fn legwork_robot_name(robot: *const legwork_robot) -> *const c_char {
    text_of(robot, |robot| Some(&robot.name))
}

/// A text that lives as long as the handle; null where there is none.
fn text_of(robot: *const legwork_robot, pick: impl FnOnce(&Robot) -> Option<&CString>) -> *const c_char {
    let mut text = std::ptr::null();
    call(|| {
        with_robot(robot, |robot| {
            let found =
                pick(robot).ok_or(Failure::Argument(Code::InvalidInput, "index", "is beyond the list"))?;
            text = found.as_ptr();
            Ok(())
        })
    });
    text
}

fn label(robot: *const legwork_robot, list: c_int, index: usize, part: usize) -> *const c_char {
    text_of(robot, |robot| {
        robot.labels.get(usize::try_from(list).ok()?)?.0.get(index).and_then(|label| label.get(part))
    })
}

/// The name of a number of a list.
#[unsafe(no_mangle)]
pub extern "C" fn legwork_name(robot: *const legwork_robot, list: c_int, index: usize) -> *const c_char {
    label(robot, list, index, 0)
}

/// Its unit.
#[unsafe(no_mangle)]
pub extern "C" fn legwork_unit(robot: *const legwork_robot, list: c_int, index: usize) -> *const c_char {
    label(robot, list, index, 1)
}

/// 1 if the robot has masses, 0 if it has geometry only, negative if the handle is none.
#[unsafe(no_mangle)]
pub extern "C" fn legwork_has_masses(robot: *const legwork_robot) -> c_int {
    let mut has = -1;
    call(|| {
        with_robot(robot, |robot| {
            has = c_int::from(robot.model.has_masses());
            Ok(())
        })
    });
    has
}

/// What the platform carries \[kg\].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn legwork_payload(robot: *const legwork_robot, payload: *mut f64) -> c_int {
    call(|| {
        with_robot(robot, |robot| {
            // SAFETY: "Pointers" of the header.
            unsafe { put("payload", payload, robot.model.payload()) }
        })
    })
}

/// Where the robot rests.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn legwork_home(
    robot: *const legwork_robot,
    pose: *mut f64,
    pose_length: usize,
) -> c_int {
    call(|| {
        with_robot(robot, |robot| {
            // SAFETY: "Pointers" of the header.
            let mut pose = unsafe { Output::new("pose", pose, pose_length, robot.sizes.coordinates) }?;
            robot.schema.coordinates_into(&robot.model.home(), pose.list());
            Ok(())
        })
    })
}

/// Limits of the joints; infinite where there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn legwork_limits(
    robot: *const legwork_robot,
    min: *mut f64,
    max: *mut f64,
    max_effort: *mut f64,
    max_speed: *mut f64,
    joints: usize,
) -> c_int {
    call(|| {
        with_robot(robot, |robot| {
            let lists = [("min", min), ("max", max), ("max_effort", max_effort), ("max_speed", max_speed)];
            apart(&lists.map(|(_, list)| (list.cast_const(), joints)))?;
            for (place, (what, list)) in lists.into_iter().enumerate() {
                // SAFETY: "Pointers" of the header; the lists are apart.
                let mut list = unsafe { Output::new(what, list, joints, robot.sizes.joints) }?;
                for (slot, joint) in list.list().iter_mut().zip(robot.model.joints()) {
                    *slot = match place {
                        0 => joint.min.unwrap_or(f64::NEG_INFINITY),
                        1 => joint.max.unwrap_or(f64::INFINITY),
                        2 => joint.max_effort.unwrap_or(f64::INFINITY),
                        _ => joint.max_speed.unwrap_or(f64::INFINITY),
                    };
                }
            }
            Ok(())
        })
    })
}
