//! The path and the law that the options describe.

use crate::args::{LawKind, PathKind, SimulateArgs};
use crate::failure::Failure;
use crate::verb::route::{From, law, path, told};
use legwork::AnyRobot;
use legwork::coordinates::{CoordinateSchema, number};
use legwork::experiment::{TimedPath, around_home, gentle_law};
use legwork::trajectory::Path;
use legwork::units::Quantity;

/// A motion and its words.
pub struct Described {
    pub motion: TimedPath,
    pub path: &'static str,
    pub law: &'static str,
}

/// The motion; `is_codourey` if nothing else is said about it.
pub fn from_args(
    args: &SimulateArgs,
    robot: &AnyRobot,
    schema: &CoordinateSchema,
    is_codourey: bool,
) -> Result<Described, Failure> {
    let options = &args.path;
    let usual = if is_codourey { TimedPath::codourey().map_err(told)? } else { default_motion(robot)? };
    let kind = options.route.path.unwrap_or(PathKind::SemiEllipse);
    let says_path = options.route.is_given() || !args.from.is_empty();
    let start = From { coordinates: &args.from, quaternion: &args.quaternion };
    let mut motion = if says_path {
        let path = path(&options.route, start, schema, robot, usual.path(), kind)?;
        let usual = gentle_law(robot, &path).map_err(told)?.duration();
        let law = law(&options.timing, path.length(), usual)?;
        TimedPath::new(path, law)
    } else {
        let law = law(&options.timing, usual.length(), usual.move_duration())?;
        usual.timed(law)
    };
    if options.back || options.cycles.is_some() || options.pause.is_some() {
        let pause = match &options.pause {
            Some(text) => number("pause", Quantity::Time, text)?.max(0.0),
            None => 0.0,
        };
        motion = motion.there_and_back(pause, options.cycles.unwrap_or(1));
    }
    Ok(Described { motion, path: kind.name(), law: options.timing.law.unwrap_or(LawKind::Sine).name() })
}

fn default_motion(robot: &AnyRobot) -> Result<TimedPath, Failure> {
    let path = around_home(robot).map_err(told)?;
    let law = gentle_law(robot, &path).map_err(told)?;
    Ok(TimedPath::new(path, law))
}
