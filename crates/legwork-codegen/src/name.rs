//! Names that every language takes.

use crate::error::CodegenError;

/// Words that cannot begin a name of ours, in one of the languages.
const RESERVED: [&str; 12] =
    ["int", "double", "float", "static", "fn", "mod", "type", "var", "program", "function", "real", "lreal"];

/// What all names begin with: the name that was given, or that of the robot with `_` for `-`, `.` and blanks.
pub(crate) fn function_name(given: Option<&str>, robot: &str) -> Result<String, CodegenError> {
    let name = given.map_or_else(|| robot.replace(['-', '.', ' '], "_"), str::to_owned);
    let why = if name.is_empty() {
        "it is empty"
    } else if name.len() > 40 {
        "it is longer than 40 letters"
    } else if !name.is_ascii() || name.contains(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
        "only letters, digits and `_` can be in it"
    } else if name.starts_with(|c: char| c.is_ascii_digit()) {
        "it begins with a digit"
    } else if name.starts_with('_') || name.ends_with('_') || name.contains("__") {
        "names that begin or end with `_`, or have two of them side by side, belong to compilers"
    } else if RESERVED.contains(&name.to_lowercase().as_str()) {
        "it is a word of the language"
    } else {
        return Ok(name);
    };
    Err(CodegenError::Name { found: name.clone(), why, instead: corrected(&name) })
}

/// A name like it that can be one.
fn corrected(name: &str) -> String {
    let letters: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).take(30).collect();
    let words: Vec<&str> = letters.split('_').filter(|word| !word.is_empty()).collect();
    let joined = words.join("_");
    if joined.is_empty() { "robot".into() } else { format!("robot_{joined}") }
}
