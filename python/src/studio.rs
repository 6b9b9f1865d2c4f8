//! The studio as a page.

use crate::robot::Robot;
use legwork::description::BUILT_IN;
use legwork_studio::{StudioStart, WITHOUT_STUDIO};
use pyo3::prelude::*;

/// The studio with a robot to begin with; nothing where it was not built in.
#[pyfunction]
#[pyo3(signature = (robot))]
pub fn studio_page(robot: Option<PyRef<'_, Robot>>) -> Option<String> {
    let start = robot.map_or_else(StudioStart::default, |robot| {
        let model = &robot.model;
        let text = model.description().text.as_deref().unwrap_or_default();
        let is_built_in = BUILT_IN.iter().any(|robot| robot.name == model.name() && robot.text == text);
        StudioStart { robot: Some(model.name().to_owned()), text: (!is_built_in).then(|| text.to_owned()) }
    });
    legwork_studio::studio_page(&start)
}

/// What to do where it was not.
#[pyfunction]
pub fn without_studio() -> &'static str {
    WITHOUT_STUDIO
}
