//! The words that requests take, for forms.

use legwork::experiment::ControllerKind;
use legwork::task::{Choice, FormulationChoice, IntegratorChoice, LawKind, MotorOrder, PathKind, Request};
use legwork_codegen::Quantity;
use serde::Serialize;

/// A word and what it means.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Word {
    /// The word in a request.
    pub name: String,
    /// What it means.
    pub meaning: String,
}

/// All of them.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Choices {
    /// Version of the library.
    pub version: String,
    /// The tasks.
    pub tasks: Vec<String>,
    /// `path.kind`
    pub paths: Vec<Word>,
    /// `law.kind`
    pub laws: Vec<Word>,
    /// `controller.regulators`
    pub regulators: Vec<Word>,
    /// `solver.formulation`
    pub formulations: Vec<Word>,
    /// `solver.integrator`
    pub integrators: Vec<Word>,
    /// `order` of a sizing
    pub orders: Vec<Word>,
    /// Formulas that code can be generated for.
    pub code: Vec<Word>,
}

fn words<T: Choice>() -> Vec<Word> {
    T::CHOICES
        .iter()
        .map(|(_, name, meaning)| Word { name: (*name).into(), meaning: (*meaning).into() })
        .collect()
}

impl Choices {
    pub(crate) fn all() -> Self {
        let code = |quantity: &Quantity| Word {
            // Its word in a request is that of serde.
            name: serde_json::to_value(quantity)
                .ok()
                .and_then(|word| Some(word.as_str()?.to_owned()))
                .unwrap_or_default(),
            meaning: quantity.meaning().into(),
        };
        Self {
            version: env!("CARGO_PKG_VERSION").into(),
            tasks: Request::TASKS.iter().map(|task| (*task).to_owned()).collect(),
            paths: words::<PathKind>(),
            laws: words::<LawKind>(),
            regulators: words::<ControllerKind>(),
            formulations: words::<FormulationChoice>(),
            integrators: words::<IntegratorChoice>(),
            orders: words::<MotorOrder>(),
            code: Quantity::ALL.iter().map(code).collect(),
        }
    }
}
