//! Code for a controller.

use crate::opened::Opened;
use crate::{Failure, TakenFile};
use legwork_codegen::{CodegenRequest, Language, Precision, Quantity};
use serde::{Deserialize, Serialize};

/// Which code.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CodeAsk {
    /// Which formulas, by the words of `Choices.code`. Default: kinematics and, with masses, dynamics.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub what: Vec<Quantity>,
    /// `c`, `rust` or `st`. Default: `c`.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub language: Language,
    /// `double` or `float`. Default: `double`.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub precision: Precision,
}

/// The code.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CodeFiles {
    /// What all names begin with.
    pub name: String,
    /// The files, text.
    pub files: Vec<TakenFile>,
}

pub(crate) fn code(opened: &Opened, ask: &CodeAsk) -> Result<CodeFiles, Failure> {
    let CodeAsk { what, language, precision } = ask.clone();
    let request = CodegenRequest { what, language, precision, ..CodegenRequest::default() };
    let made = request.run_for(opened.robot()).map_err(|error| Failure::of_code(&error))?;
    let files = made.files.iter().map(|file| TakenFile::new(&file.name, file.text.as_bytes())).collect();
    Ok(CodeFiles { name: made.name, files })
}
