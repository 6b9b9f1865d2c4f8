//! The robot that a golden file describes, from its parameters.

use super::GoldenError;
use crate::description::{Convention, Identified, RobotDescription};
use crate::families::golden::{GoldenParameters, ParameterFault};
use crate::families::{Family, FamilyData};
use serde_json::Value;

impl From<ParameterFault> for GoldenError {
    fn from(fault: ParameterFault) -> Self {
        match fault {
            ParameterFault::Missing { pointer } => Self::Missing { pointer },
            ParameterFault::Contradiction { pointer, of } => Self::Contradiction { pointer, of },
        }
    }
}

/// The robot that a file describes: of the families whose parameters it has, the one that asks for the most. Its
/// first state is taken as home.
pub(super) fn description(file: &Value) -> Result<RobotDescription, GoldenError> {
    let name = file["robot"].as_str().unwrap_or("golden").to_owned();
    // A trajectory has its pose beside the time, a state has it in a table of its own.
    let platform = file["states"][0].get("platform").unwrap_or(&file["samples"][0]);
    let parameters = GoldenParameters::new(&file["parameters"], platform);
    let keys = |family: &Family| family.row().golden_keys;
    let fits = |family: &Family| !keys(family).is_empty() && parameters.has(keys(family));
    let Some(family) = Family::ALL.iter().copied().filter(fits).max_by_key(|family| keys(family).len())
    else {
        return Err(GoldenError::UnknownRobot { robot: name });
    };
    let (gravity, data) = (parameters.number("g")?, FamilyData::from_golden(family, &parameters)?);
    if let Some(pointer) = parameters.unread() {
        return Err(GoldenError::UnknownKey { pointer, meant: None });
    }
    Ok(RobotDescription {
        name,
        source: None,
        note: None,
        convention: Convention::Legwork,
        gravity,
        gravity_direction: family.row().down(),
        cell: None,
        tool: None,
        calibration: Vec::new(),
        joint_calibration: Vec::new(),
        data,
        identified: Identified::default(),
        motion_defaults: None,
        controller_defaults: None,
        text: None,
    })
}
