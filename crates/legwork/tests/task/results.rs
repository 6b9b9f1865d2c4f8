//! Requests and results as plain data: written and read again they are the same, unknown keys are refused, and a
//! saved copy of a robot gives the results of the original.

use legwork::analysis::linear::{Coordinates, Pole};
use legwork::analysis::map::{Coordinate, Quantity};
use legwork::analysis::sensitivity::Effect;
use legwork::coordinates::{CoordinateSchema, Group, Values};
use legwork::description::BUILT_IN;
use legwork::task::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Through TOML and through JSON.
fn round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let text = serde_json::to_string(value).unwrap();
    assert_eq!(&serde_json::from_str::<T>(&text).unwrap(), value, "{text}");
    let text = toml::to_string(value).unwrap();
    assert_eq!(&toml::from_str::<T>(&text).unwrap(), value, "{text}");
}

fn map(robot: RobotRequest) -> MapRequest {
    MapRequest {
        robot,
        quantities: vec![Quantity::Reachable, Quantity::Condition],
        x: Some(CoordinateRequest::parse(Coordinate::X, "-7mm..110mm/3").unwrap()),
        ..MapRequest::default()
    }
}

#[test]
fn requests_come_back_from_toml_and_json() {
    let robot = RobotRequest { payload: Some(Mass(0.1)), ..RobotRequest::named("delta-industrial") };
    round_trip(&MapRequest::default());
    round_trip(&MapRequest {
        y: Some(CoordinateRequest::parse(Coordinate::Y, "30 mm").unwrap()),
        direction: Some([0.0, 0.1, 1.0 / 3.0]),
        ignore_limits: true,
        out: vec!["a.csv".into(), "b.svg".into()],
        ..map(robot.clone())
    });
    round_trip(&LinearizeRequest {
        robot: robot.clone(),
        pose: Some(PoseRequest::Coordinates(vec![0.1.into(), 0.2.into(), (1.0 / 7.0).into()])),
        form: LinearForm::Constrained,
        coordinates: Some(Coordinates::Platform),
        pole: Some(0.3),
        damping: Some([0.1, 0.2, 0.3]),
        lqr: Some([1e4, 10.0, 0.01]),
        place: Some(vec![
            PoleRequest(Pole { re: -8.1, im: 6.0 / 7.0 }),
            PoleRequest(Pole { re: -1.0 / 3.0, im: 0.0 }),
        ]),
        ..LinearizeRequest::default()
    });
    round_trip(&SensitivityRequest { of: Effect::Pole, top: Some(3), ..SensitivityRequest::default() });
    round_trip(&CheckRequest { states: Some(3), seed: Some(7), ..CheckRequest::about("five-bar") });
    round_trip(&CheckRequest::about("golden.json"));
    round_trip(&ReportRequest { recordings: vec!["a.csv".into()], ..ReportRequest::default() });
}

#[test]
fn unknown_keys_are_refused() {
    fn refused<T: DeserializeOwned + Debug>() {
        let error = toml::from_str::<T>("colour = 'red'").unwrap_err().to_string();
        assert!(error.contains("unknown field `colour`"), "{error}");
        assert!(serde_json::from_str::<T>(r#"{"colour": "red"}"#).is_err());
    }
    refused::<MapRequest>();
    refused::<LinearizeRequest>();
    refused::<SensitivityRequest>();
    refused::<CheckRequest>();
    refused::<ReportRequest>();
    let error = toml::from_str::<MapRequest>("x = { from = 1, to = 2, step = 3 }").unwrap_err().to_string();
    assert!(error.contains("unknown field `step`"), "{error}");
    let error = toml::from_str::<MapRequest>("quantities = ['conditon']").unwrap_err().to_string();
    assert!(error.contains("unknown variant `conditon`"), "{error}");
}

#[test]
fn results_come_back_from_toml_and_json() {
    let none = Handle::none();
    round_trip(&map(RobotRequest::named("delta-industrial")).run(&none).unwrap());
    let linear = LinearizeRequest { robot: RobotRequest::named("five-bar"), ..LinearizeRequest::default() };
    round_trip(&linear.run(&none).unwrap());
    let crossing =
        LinearizeRequest { robot: RobotRequest::named("delta-bortoff-b"), crossing: true, ..linear };
    round_trip(&crossing.run(&none).unwrap());
    let sensitivity = SensitivityRequest {
        robot: RobotRequest::named("delta-industrial"),
        of: Effect::Shift,
        ..SensitivityRequest::default()
    };
    let found = sensitivity.run(&none).unwrap();
    let text = serde_json::to_string(&found).unwrap();
    let back: SensitivityResult = serde_json::from_str(&text).unwrap();
    assert_eq!(serde_json::to_string(&back).unwrap(), text);
    round_trip(&CheckRequest { states: Some(5), ..CheckRequest::about("five-bar") }.run(&none).unwrap());
}

#[test]
fn poses_out_of_reach_are_null_in_json() {
    let request: MapRequest =
        toml::from_str("robot = 'delta-industrial'\nquantities = ['condition']\nx = '0..3m/2'").unwrap();
    let MapResult::Field(field) = request.run(&Handle::none()).unwrap() else { panic!() };
    let text = serde_json::to_string(&field).unwrap();
    assert!(text.contains("[null]"), "{text}");
    let back: FieldResult = serde_json::from_str(&text).unwrap();
    assert!(back.rows.unwrap()[1][0].is_nan());
}

/// The result of a request, whatever the robot is called in it.
fn json(result: &Result<impl Serialize, TaskError>) -> String {
    match result {
        Ok(result) => serde_json::to_string(result).unwrap(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_saved_copy_gives_the_results_of_the_original() {
    let none = Handle::none();
    let folder = std::env::temp_dir().join(format!("legwork-tasks-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    // Of the mechanisms, which take their time without optimisation, the first.
    let is_mechanism = |text: &str| text.contains("family = \"mechanism\"");
    let first = BUILT_IN.iter().position(|built_in| is_mechanism(built_in.text));
    let chosen = BUILT_IN.iter().enumerate().filter(|(k, it)| !is_mechanism(it.text) || Some(*k) == first);
    for (_, built_in) in chosen {
        let copy = folder.join("copy.toml");
        std::fs::write(&copy, built_in.text).unwrap();
        let copy = RobotRequest::named(copy.to_str().unwrap());
        let original = RobotRequest::named(built_in.name);
        let both = |ask: &dyn Fn(RobotRequest) -> String| {
            assert_eq!(ask(copy.clone()), ask(original.clone()), "{}", built_in.name);
        };
        both(&|robot| json(&map(robot).run(&none)));
        both(&|robot| json(&LinearizeRequest { robot, ..LinearizeRequest::default() }.run(&none)));
        both(&|robot| {
            let request = SensitivityRequest { robot, of: Effect::Shift, ..SensitivityRequest::default() };
            json(&request.run(&none))
        });
        both(&|robot| {
            let request = CheckRequest { robot: Some(robot), states: Some(3), ..CheckRequest::default() };
            json(&request.run(&none))
        });
        both(&|robot| {
            let task = InverseTask::open(&robot, false).unwrap();
            let row = home(&task);
            format!("{:?}", task.object(&task.answers(&row).unwrap()))
        });
        both(&|robot| {
            let task = ForwardTask::open(&robot, &ForwardOptions::default()).unwrap();
            let q = task.robot.inverse_kinematics(&task.robot.home()).unwrap().q;
            let mut row = Values::default();
            task.schema().fill(&mut row, "", &[Group::Joints], &q).unwrap();
            format!(
                "{:?}",
                task.answers(&row).map(|answers| task.object(&answers)).map_err(|e| e.to_string())
            )
        });
        for parts in [StateParts::Efforts, StateParts::Everything] {
            both(&|robot| match MotionTask::open(&robot, parts, None, false) {
                Ok(task) => {
                    let row = home(&task);
                    let answers = task.answers(&row).map(|answers| task.object(&answers));
                    format!("{:?}", answers.map_err(|error| error.to_string()))
                }
                Err(error) => error.to_string(),
            });
        }
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// The coordinates of home.
fn home(task: &impl StateTask) -> Values {
    let schema: &CoordinateSchema = task.schema();
    let mut row = Values::default();
    schema.fill(&mut row, "", &[Group::Position], &schema.home_position()).unwrap();
    row
}

#[test]
fn a_map_tells_its_progress_and_can_be_cancelled() {
    let request = MapRequest { threads: 1, ..map(RobotRequest::named("delta-industrial")) };
    let request =
        MapRequest { x: Some(CoordinateRequest::parse(Coordinate::X, "-0.1..0.1/2000").unwrap()), ..request };
    let heard = Mutex::new(Vec::new());
    let stop = AtomicBool::new(false);
    let listener = |progress: Progress<'_>| {
        heard.lock().unwrap().push(progress.done);
        stop.store(true, Ordering::Relaxed);
    };
    let handle = Handle::none().with_progress(&listener).cancelled_by(&stop);
    let MapResult::Field(field) = request.run(&handle).unwrap() else { panic!() };
    assert!(field.is_partial() && field.done > 0, "{} of {}", field.done, field.poses);
    assert!(!heard.lock().unwrap().is_empty());
    let volume =
        MapRequest { robot: request.robot.clone(), volume: true, cells: Some(8), ..MapRequest::default() };
    assert!(matches!(volume.run(&handle), Err(TaskError::Cancelled)));
}

#[test]
fn files_and_pages_go_to_the_caller() {
    let files = Mutex::new(Vec::new());
    let taker = |path: &Path, bytes: &[u8]| {
        files.lock().unwrap().push((path.to_owned(), bytes.len()));
        Ok(())
    };
    let pages = |report: &legwork::report::Report, is_static: bool| {
        assert_eq!(report.command.as_deref(), Some("test"));
        Ok(Page { bytes: report.title.clone().into_bytes(), is_static })
    };
    let handle = Handle::none().with_files(&taker).with_pages(&pages).started_by("test");
    let request =
        MapRequest { out: vec!["a.svg".into(), "b.html".into()], ..map(RobotRequest::named("five-bar")) };
    request.run(&handle).unwrap();
    let linear = LinearizeRequest {
        robot: RobotRequest::named("five-bar"),
        out: Some("c.npz".into()),
        ..LinearizeRequest::default()
    };
    linear.run(&handle).unwrap();
    let files = files.into_inner().unwrap();
    let names: Vec<&str> = files.iter().map(|(path, _)| path.to_str().unwrap()).collect();
    assert_eq!(names, ["a.svg", "b.html", "c.npz"]);
    assert!(files.iter().all(|(_, size)| *size > 0));
    let page_alone = MapRequest { out: vec!["b.html".into()], ..request };
    let refused = page_alone.run(&Handle::none()).unwrap_err().to_string();
    assert!(refused.contains("cannot be made here"), "{refused}");
}
