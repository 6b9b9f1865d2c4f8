//! What made a recording.

use super::error::WriteError;
use std::collections::BTreeMap;

/// Keys and values that say what made a recording: program, command line, robot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata(BTreeMap<String, String>);

/// The key of the request that made a recording, as JSON.
pub const REQUEST_KEY: &str = "request";
/// Keys that begin like this belong to the file formats.
pub(super) const RESERVED: &str = "legwork.";

impl Metadata {
    /// Only the program and its version.
    pub fn new() -> Self {
        Self::default().with("program", concat!("legwork ", env!("CARGO_PKG_VERSION")))
    }

    /// One more key, or a new value for it. Keys must not be empty or begin with `legwork.`.
    #[must_use]
    pub fn with(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.0.insert(key.into(), value.into());
        self
    }

    /// With the text of the robot file.
    #[must_use]
    pub fn with_robot(self, text: impl Into<String>) -> Self {
        self.with("robot", text)
    }

    /// With the command line of the run.
    #[must_use]
    pub fn with_command(self, line: impl Into<String>) -> Self {
        self.with("command", line)
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(String::as_str)
    }

    /// Text of the robot file, for [`RobotDescription::parse`](crate::description::RobotDescription::parse).
    pub fn robot(&self) -> Option<&str> {
        self.get("robot")
    }

    /// The command line of the run.
    pub fn command(&self) -> Option<&str> {
        self.get("command")
    }

    /// The program that made it and its version.
    pub fn program(&self) -> Option<&str> {
        self.get("program")
    }

    /// Every key with its value, sorted by key.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// Refuses keys that the formats need for themselves.
    pub(super) fn check(&self) -> Result<(), WriteError> {
        match self.0.keys().find(|key| key.is_empty() || key.starts_with(RESERVED)) {
            Some(key) => Err(WriteError::Key { key: key.clone() }),
            None => Ok(()),
        }
    }

    pub(super) fn insert(&mut self, key: String, value: String) {
        self.0.insert(key, value);
    }
}
