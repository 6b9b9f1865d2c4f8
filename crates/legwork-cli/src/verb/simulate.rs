//! `legwork simulate`: a robot in time under given efforts, or regulators along a path.

use crate::Outcome;
use crate::args::{SimulateArgs, checked_page};
use crate::failure::{Failure, Message};
use crate::result::simulate::{follow, simulate};
use std::io::Write;

pub fn run(args: &SimulateArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    if let Some((option, part)) = args.part_given_twice() {
        return Err(Message::new(format!("`{option}` has `{part}` twice")).into());
    }
    checked_page(args.page().as_ref())?;
    if !args.follows() {
        return simulate(&args.simulate_request(as_json && args.out.is_none()), as_json, out);
    }
    if let Some(option) = args.open_loop_option() {
        let message = Message::new(format!("`{option}` is for a run without a path and a controller"));
        let hint = match option {
            "--duration" => "a motion is as long as it is: `--move-time`, `--cycles`, `--settle`",
            "--force" => "push for a time: --push 0s:1s:FX,FY,FZ",
            _ if args.robot.is_none() => "name a robot: `legwork simulate ROBOT`",
            _ => "leave the options of the path and of the controller out",
        };
        return Err(message.hint(hint).into());
    }
    follow(&args.follow_request()?, as_json, out)
}
