//! What `torque`, `state` and `acceleration` share: a motion of the platform or of the joints.

use crate::answer::{Asked, in_units, near, opened};
use crate::args::MotionArgs;
use crate::failure::Failure;
use crate::measures;
use legwork::coordinates::{ACCELERATION, Group, VELOCITY, Values, WRENCH};
use legwork::task::{MotionTask, RobotRequest, StateParts, StateTask};

/// The question of a verb.
pub fn asked<'a>(
    verb: &'static str,
    parts: StateParts,
    args: &'a MotionArgs,
) -> Result<Asked<'a, MotionTask>, Failure> {
    let robot = RobotRequest {
        working_mode: args.mode.clone(),
        payload: measures::mass("payload", args.payload.as_ref())?,
        forearm_model: args.model.changed(),
        held: args.held.values(),
        effort_choice: measures::effort_choice(&args.effort_weights, &args.preload)?,
        ..RobotRequest::named(&args.robot)
    };
    let start = near(&args.start.near)?;
    let task = MotionTask::open(&robot, parts, start.as_ref(), args.start.follow);
    let task = opened(task, verb, &args.robot)?;
    let task = match measures::moving_base(&args.base_velocity, &args.base_acceleration)? {
        Some(base) => opened(task.on_base(base), verb, &args.robot)?,
        None => task,
    };
    let robot = task.robot.clone();
    let task = in_units(task, &robot, args.units.units.as_deref())?;
    let (schema, mut row) = (task.schema(), Values::default());
    for (option, groups, texts) in [
        ("--velocity", VELOCITY, &args.velocity),
        ("--acceleration", ACCELERATION, &args.acceleration),
        ("--force", WRENCH, &args.force),
        ("--joints", &[Group::Joints], &args.joints),
        ("--joint-velocity", &[Group::JointSpeeds], &args.joint_velocity),
        ("--joint-acceleration", &[Group::JointAccelerations], &args.joint_acceleration),
    ] {
        if !texts.is_empty() {
            schema.read(&mut row, option, groups, texts)?;
        }
    }
    schema.read_pose(&mut row, &args.position, &args.quaternion)?;
    let is_whole = schema.has_pose(&row) || row.has(Group::Joints);
    Ok(Asked { verb, robot: &args.robot, task, row, is_whole })
}
