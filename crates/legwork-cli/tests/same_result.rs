//! The program adds nothing to a task: its JSON is the library's result, to the bit.

mod program;

use legwork::analysis::map::{Coordinate, Quantity};
use legwork::analysis::sensitivity::Effect;
use legwork::task::{
    CheckRequest, CoordinateRequest, Handle, LinearizeRequest, MapRequest, Mass, Measure, PoseRequest,
    RobotRequest, SensitivityRequest,
};
use program::legwork;
use serde::Serialize;
use serde_json::Value;

fn same(arguments: &str, result: &impl Serialize) {
    let words: Vec<&str> = arguments.split_whitespace().chain(["--json"]).collect();
    let run = legwork(&words, b"");
    assert_eq!(run.code, 0, "{arguments}: {}", run.stderr);
    let printed: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(printed, serde_json::to_value(result).unwrap(), "{arguments}");
}

#[test]
fn the_program_prints_the_result_of_the_library() {
    let none = Handle::none();
    let map = MapRequest {
        robot: RobotRequest { payload: Some(Mass(0.25)), ..RobotRequest::named("delta-industrial") },
        quantities: vec![Quantity::Condition, Quantity::Gravity],
        x: Some(CoordinateRequest::parse(Coordinate::X, "-70mm..200mm/4").unwrap()),
        y: Some(CoordinateRequest::parse(Coordinate::Y, "0..900mm/3").unwrap()),
        ..MapRequest::default()
    };
    // A request that was written and read again is the same request.
    let map: MapRequest = serde_json::from_str(&serde_json::to_string(&map).unwrap()).unwrap();
    same(
        "map delta-industrial condition,gravity --payload 250g --x -70mm..200mm/4 --y 0..900mm/3",
        &map.run(&none).unwrap(),
    );

    let pose =
        |numbers: &[f64]| Some(PoseRequest::Coordinates(numbers.iter().copied().map(Measure::si).collect()));
    let linearize = LinearizeRequest {
        robot: RobotRequest::named("delta-bortoff-b"),
        pose: pose(&[0.0, 0.02, -0.3]),
        lqr: Some([100.0, 1.0, 0.1]),
        ..LinearizeRequest::default()
    };
    same("linearize delta-bortoff-b --pose 0 20mm -300mm --lqr 100 1 0.1", &linearize.run(&none).unwrap());
    let crossing = LinearizeRequest { crossing: true, pose: None, lqr: None, ..linearize };
    same("linearize delta-bortoff-b --crossing", &crossing.run(&none).unwrap());

    let sensitivity = SensitivityRequest {
        robot: RobotRequest::named("five-bar"),
        of: Effect::Shift,
        pose: pose(&[0.05, 0.35]),
        top: Some(3),
        ..SensitivityRequest::default()
    };
    same("sensitivity five-bar --of shift --pose 50mm 350mm --top 3", &sensitivity.run(&none).unwrap());

    let check = CheckRequest { states: Some(7), seed: Some(3), ..CheckRequest::about("planar-3rrr") };
    same("check planar-3rrr --states 7 --seed 3", &check.run(&none).unwrap());
}
