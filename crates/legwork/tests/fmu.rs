//! Descriptions of functional mock-up units: well formed, nothing twice, nothing undefined, for every robot with masses. What a
//! unit does is tried by importers of others (`./ci.sh c-library`).

use legwork::AnyRobot;
use legwork::description::BUILT_IN;
use legwork::fmu::{Causality, FmuModel, FmuRequest, FmuVersion};
use legwork::task::{ControllerRequest, RobotRequest};
use std::collections::BTreeSet;

fn request(robot: &str, has_regulator: bool) -> FmuRequest {
    let controller = has_regulator.then(ControllerRequest::default);
    FmuRequest { robot: RobotRequest::named(robot), controller, ..FmuRequest::default() }
}

#[test]
fn descriptions_are_well_formed_and_complete() {
    let mut seen = 0;
    for robot in BUILT_IN.iter().map(|robot| robot.name) {
        if !AnyRobot::open(robot).unwrap().has_masses() {
            let refused = FmuModel::of(&request(robot, false)).unwrap_err().to_string();
            assert!(refused.contains("geometry only"), "{robot}: {refused}");
            continue;
        }
        for has_regulator in [false, true] {
            let model = FmuModel::of(&request(robot, has_regulator)).unwrap();
            let names: BTreeSet<&str> = model.variables().iter().map(|it| it.name.as_str()).collect();
            assert_eq!(names.len(), model.variables().len(), "{robot}: a name is there twice");
            for variable in model.variables() {
                let is_set = !matches!(
                    variable.causality,
                    Causality::Independent | Causality::Output | Causality::Local
                );
                let is_number = variable.start.is_some_and(f64::is_finite);
                assert_eq!(variable.start.is_some(), is_set, "{robot}: {}", variable.name);
                assert!(!is_set || is_number, "{robot}: {}", variable.name);
            }
            assert_eq!(model.states() == 0, has_regulator, "{robot}");
            for version in [FmuVersion::Two, FmuVersion::Three] {
                described(robot, &model, version);
                seen += 1;
            }
        }
    }
    assert!(seen > 40, "{seen}");
}

fn described(robot: &str, model: &FmuModel, version: FmuVersion) {
    let text = model.description(version);
    let document = roxmltree::Document::parse(&text).unwrap();
    let units: BTreeSet<&str> = document
        .descendants()
        .filter(|it| it.has_tag_name("Unit"))
        .filter_map(|it| it.attribute("name"))
        .collect();
    let mut references = BTreeSet::new();
    for node in document.descendants() {
        if let Some(unit) = node.attribute("unit") {
            assert!(units.contains(unit), "{robot}: the unit `{unit}` is not defined");
        }
        if let (Some(name), Some(reference)) = (node.attribute("name"), node.attribute("valueReference")) {
            let reference: usize = reference.parse().unwrap();
            assert_eq!(model.variables()[reference].name, name, "{robot}");
            assert!(references.insert(reference), "{robot}: {name}");
        }
    }
    // Outputs are unknowns of the structure, twice: as outputs, and at the start.
    let outputs = model.variables().iter().filter(|it| it.causality == Causality::Output).count();
    let is_unknown = |name: &str| matches!(name, "Unknown" | "Output" | "InitialUnknown");
    let unknowns = document.descendants().filter(|it| is_unknown(it.tag_name().name())).count();
    let states = if version == FmuVersion::Two { model.states() } else { 0 };
    assert_eq!(unknowns, 2 * outputs + 3 * states, "{robot}");
}

#[test]
fn a_unit_is_told_from_others_by_its_request() {
    let token = |request: &FmuRequest| FmuModel::of(request).unwrap().token();
    let first = request("five-bar", false);
    assert_eq!(token(&first), token(&first.clone()));
    assert_ne!(token(&first), token(&request("five-bar", true)));
    assert_ne!(token(&first), token(&request("delta-industrial", false)));
    assert_ne!(token(&first), token(&FmuRequest { tolerance: 1e-6, ..first.clone() }));
    assert!(FmuModel::of(&FmuRequest { tolerance: 0.0, ..first }).is_err());
}

#[test]
fn identifiers_are_those_of_c() {
    for robot in ["3-rps", "delta-industrial"] {
        let name = FmuModel::of(&request(robot, false)).unwrap().identifier();
        assert!(name.starts_with(|c: char| c.is_ascii_alphabetic()), "{name}");
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'), "{name}");
    }
}
