//! `legwork joint-states`: all joints along a recording, for viewers of ROS.

use crate::args::JointStatesArgs;
use crate::failure::{self, Failure, Message};
use crate::{Outcome, json};
use legwork::exchange::JointStream;
use legwork::files::{self, FileRoles};
use legwork::recording::{Format, Recording};
use serde_json::json;
use std::io::Write;

pub fn run(args: &JointStatesArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let name = args.recording.display().to_string();
    let recording = Recording::open(&args.recording).map_err(|error| {
        let message = Message::new(format!("`{name}` cannot be read")).caused_by(error.to_string());
        Failure::Message(Message { hint: error.hint(), ..message })
    })?;
    let stream = JointStream::of(&recording, &name)?;
    if stream.out_of_reach > 0 {
        let (missing, all) = (stream.out_of_reach, recording.len());
        failure::print_to_stderr(&format!(
            "note: the robot does not come to {missing} of {all} rows: they are left out"
        ));
    }
    let Some(path) = &args.out else {
        for state in &stream.states {
            writeln!(out, "{}", stream.line(state))?;
        }
        return Ok(Outcome::Done);
    };
    let mut roles = FileRoles::default();
    roles.reads("the recording", &args.recording);
    roles.writes("--out", path);
    roles.check().map_err(|conflict| Failure::Message(Message::new(conflict.to_string())))?;
    let bytes = if Format::of(path) == Some(Format::Mcap) {
        stream.mcap()
    } else {
        stream.states.iter().flat_map(|state| (stream.line(state) + "\n").into_bytes()).collect()
    };
    files::write(path, &bytes).map_err(|error| {
        Message::new(format!("`{}` cannot be written", path.display())).caused_by(error.to_string())
    })?;
    if as_json {
        let answer = json!({ "file": path, "joints": stream.names, "messages": stream.states.len() });
        json::print(&answer, out)?;
    } else {
        let (messages, joints) = (stream.states.len(), stream.names.len());
        writeln!(out, "{}: {messages} messages of {joints} joints", path.display())?;
    }
    Ok(Outcome::Done)
}
