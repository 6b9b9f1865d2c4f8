//! The studio: a page that holds the whole library.

use serde_json::{Value, json};

/// What `build.rs` found; empty if there is no page.
const PAGE: &str = include_str!(concat!(env!("OUT_DIR"), "/studio.html"));

/// Where the page is told which robot to open.
const SETTINGS: &str = "<!--SETTINGS-->";

/// What the studio opens with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StudioStart {
    /// A built-in robot, or what the file of `text` is called, without an ending. Default: the one of the page.
    pub robot: Option<String>,
    /// A robot file, TOML.
    pub text: Option<String>,
}

/// The studio as one HTML file that loads nothing else; nothing where it was not built into this crate.
pub fn studio_page(start: &StudioStart) -> Option<String> {
    let (head, foot) = PAGE.split_once(SETTINGS)?;
    let robot = start.robot.as_ref().map_or(Value::Null, |name| json!({ "name": name, "text": start.text }));
    // Inside a script element only `<` can end it or begin a comment.
    let settings = json!({ "robot": robot }).to_string().replace('<', "\\u003c");
    Some(format!("{head}<script type=\"application/json\" id=\"settings\">{settings}</script>{foot}"))
}

/// What to do where the studio was not built: one line for the user.
pub const WITHOUT_STUDIO: &str = "run `ci/studio.sh` in the sources of legwork and build again; the wheel of pylegwork has the studio in it";
