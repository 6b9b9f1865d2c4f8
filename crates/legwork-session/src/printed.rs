//! What the program prints about a state, to every digit.

use crate::opened::Opened;
use legwork::printed;
use legwork::task::StateAnswer;
use serde::Serialize;
use std::io;

/// What the program prints for a command.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Printed {
    /// The command.
    pub command: String,
    /// All that it prints.
    pub text: String,
    /// Of that, the lines above the table of the motors.
    pub heading: Vec<String>,
    /// The table of the motors; its first row names them.
    pub rows: Vec<PrintedRow>,
    /// What is out of its limits.
    pub notes: Vec<String>,
}

/// A row of the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PrintedRow {
    /// What it is, with its unit.
    pub name: String,
    /// A cell for each motor, in the printed digits.
    pub cells: Vec<String>,
    /// The equation it comes from, as in `Equation.quantity`; nothing where there is none.
    pub quantity: Option<String>,
}

impl Printed {
    /// What `legwork torque` prints.
    pub(crate) fn torque(opened: &Opened, answer: &StateAnswer, command: String) -> Self {
        Self::of(opened, answer, command, &|out| printed::torque(&opened.task, answer, out))
    }

    /// What `legwork state` prints.
    pub(crate) fn state(opened: &Opened, answer: &StateAnswer, command: String) -> Self {
        Self::of(opened, answer, command, &|out| printed::state(&opened.task, answer, out))
    }

    fn of(
        opened: &Opened,
        answer: &StateAnswer,
        command: String,
        print: &dyn Fn(&mut Vec<u8>) -> io::Result<()>,
    ) -> Self {
        let mut above = None;
        let row = |row: &Vec<String>| {
            let name = row.first().cloned().unwrap_or_default();
            above = quantity(&name, above);
            PrintedRow {
                name,
                cells: row.get(1..).unwrap_or_default().to_vec(),
                quantity: above.map(str::to_owned),
            }
        };
        Self {
            command,
            text: text(print),
            heading: printed::heading(&opened.task, answer),
            rows: printed::motors(&opened.task, answer).rows().iter().map(row).collect(),
            notes: printed::notes(&opened.task, answer),
        }
    }
}

/// The equation behind a row; a part of the row above has the one of that row, if it has none of its own.
fn quantity(name: &str, above: Option<&'static str>) -> Option<&'static str> {
    match name.trim_start().split([' ', '[']).next().unwrap_or("") {
        "" => None,
        "angle" | "position" | "joint" => Some("joints"),
        "speed" | "acceleration" => Some("jacobian"),
        "motor" | "Coriolis" | "external" | "friction" | "moving" | "leg" => Some("torque"),
        "inertia" => Some("mass-matrix"),
        "gravity" => Some("gravity"),
        _ => above,
    }
}

/// What is printed, as text.
pub(crate) fn text(print: &dyn Fn(&mut Vec<u8>) -> io::Result<()>) -> String {
    let mut out = Vec::new();
    // Writing to memory cannot fail.
    let _ = print(&mut out);
    String::from_utf8_lossy(&out).into_owned()
}
