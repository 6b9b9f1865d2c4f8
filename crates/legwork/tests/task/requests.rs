//! Requests as text: written and read again they are equal, and what is wrong in them is told with its place.

use legwork::description::ModelError;
use legwork::experiment::ControllerKind;
use legwork::task::{
    Acceleration, BaseCoordinate, BaseRequest, BaseRows, BetweenRows, ControllerRequest, CycleRequest,
    EffortFile, EffortRows, EffortsRequest, FollowRequest, FormulationChoice, Frequency, FrictionRequest,
    IntegratorChoice, LawKind, LawRequest, Length, LimitsRequest, Mass, Measure, MotionRequest, MotionRows,
    MotorOrder, MotorValues, MotorsRequest, MoveRequest, PathKind, PathRequest, PickRequest, PlacedPose,
    PlanRequest, PlantRequest, PoseRequest, PushRequest, Request, RequestFormat, RobotRequest,
    SimulateRequest, SizeRequest, SolverRequest, Speed, StopsRequest, SwayRequest, Time,
};

fn numbers(list: &[f64]) -> Vec<Measure> {
    list.iter().map(|x| Measure::si(*x)).collect()
}

fn motors(list: &[f64]) -> MotorValues {
    MotorValues(numbers(list))
}

fn pose(list: &[f64]) -> PoseRequest {
    PoseRequest::Coordinates(numbers(list))
}

fn robot() -> RobotRequest {
    RobotRequest {
        text: Some("family = \"delta\"\n".into()),
        working_mode: Some("in".into()),
        payload: Some(Mass(0.1)),
        model_error: Some(ModelError { mass: 1.0 / 3.0, ..ModelError::default() }),
        ..RobotRequest::named("own")
    }
}

fn plant() -> PlantRequest {
    PlantRequest {
        lag: Some(Time(2e-3)),
        effort_limit: motors(&[60.0]),
        rate_limit: motors(&[5e3, 4e3, 3e3]),
        speed_limit: motors(&[12.0]),
        file_limits: true,
        friction: Some(FrictionRequest { viscous: 0.2, coulomb: Some(Measure::si(0.1)) }),
        stops: Some(StopsRequest { stiffness: 2e4, damping: 0.2 }),
        encoder: motors(&[1e-5]),
        noise: motors(&[2e-6]),
        delay: Some(Time(3e-3)),
        seed: Some(7),
        model_error: Some(ModelError { length: -0.005, ..ModelError::default() }),
        pick: vec![PickRequest { at: Time(0.2), mass: Mass(1.5) }],
        put: vec![Time(0.6)],
        push: vec![PushRequest { from: Time(0.1), until: Time(0.15), wrench: numbers(&[30.0, 0.0, -5.0]) }],
        base: Some(BaseRequest {
            sway: vec![SwayRequest {
                coordinate: BaseCoordinate::Roll,
                amplitude: Measure::si(0.1),
                frequency: Frequency(0.2),
                phase: Some(Measure::si(0.3)),
            }],
            file: Some("deck.csv".into()),
            table: Some(BaseRows { times: vec![0.0, 1.0], rows: vec![vec![0.0; 6], vec![1.0 / 3.0; 6]] }),
        }),
    }
}

fn path() -> PathRequest {
    PathRequest {
        kind: Some(PathKind::WayPoints),
        from: Some(pose(&[0.1, 0.2, 1.0 / 3.0])),
        to: Some(PoseRequest::Placed(PlacedPose {
            position: numbers(&[0.0, 0.1, -0.7]),
            quaternion: Some([1.0, 0.0, 0.0, 0.0]),
            ..PlacedPose::default()
        })),
        via: vec![pose(&[0.0, 0.0, -0.6])],
        height: Some(Length(0.06)),
        lift: Some(Length(0.08)),
        lower: Some(Length(0.05)),
        corner: Some(Length(0.02)),
    }
}

fn cycle(law: &LawRequest) -> CycleRequest {
    let to = || MoveRequest::to(pose(&[0.1, 0.0, -0.7]));
    let whole = MoveRequest {
        path: Some(PathKind::PickAndPlace),
        via: vec![pose(&[0.0, 0.0, -0.6])],
        height: Some(Length(0.05)),
        lift: Some(Length(0.08)),
        lower: Some(Length(0.05)),
        corner: Some(Length(0.02)),
        blend: Some(Length(0.01)),
        law: Some(law.clone()),
        fastest: Some(false),
        dwell: Some(Time(0.03)),
        pick: Some(Mass(2.0)),
        put: true,
        ..to()
    };
    CycleRequest {
        from: Some(pose(&[0.0, 0.0, -0.7])),
        pick: Some(Mass(0.5)),
        moves: vec![to(), whole],
        law: law.clone(),
        fastest: true,
    }
}

fn controller() -> ControllerRequest {
    ControllerRequest {
        regulators: vec![
            ControllerKind::ModelShifted,
            ControllerKind::Lqr,
            ControllerKind::Adaptive,
            ControllerKind::Observer,
        ],
        period: Time(2e-3),
        frequency: Some(Frequency(15.4)),
        damping: Some(0.8),
        kp: motors(&[700.0]),
        kd: motors(&[7.0, 8.0, 9.0]),
        ki: motors(&[1.0]),
        lqr_weights: Some([100.0, 1.0, 0.1]),
        shift: Some(Time(1e-3)),
        decouple: true,
        exact_derivatives: true,
        no_bias: true,
        observer_bandwidth: Some(Frequency(4.0)),
        disturbance_limit: motors(&[12.0]),
        payload_limit: Some(Mass(2.0)),
        payload_memory: Some(Time(0.03)),
        command_limit: motors(&[20.0]),
        known_error: Some(ModelError { mass: 0.1, motor_inertia: 0.1, ..ModelError::default() }),
        known_forearms: Some(legwork::ForearmModel::Simplified1996),
        known_robot: Some(RobotRequest::named("five-bar")),
        known_payload: Some(Mass(0.5)),
        ignores_loads: true,
    }
}

/// Every task, with nothing given and with everything.
#[allow(clippy::too_many_lines)] // one of each
fn requests() -> Vec<Request> {
    let law = LawRequest {
        shape: Some(LawKind::SCurve),
        move_time: Some(Time(0.1)),
        peak: vec![Acceleration(80.0), Acceleration(40.0)],
        average_speed: Some(Speed(0.3)),
        limits: Some([2.0, 50.0, 5000.0].map(Measure::si)),
    };
    let solver = SolverRequest {
        formulation: FormulationChoice::Constrained,
        pole: Some(10.0),
        integrator: IntegratorChoice::Rk4,
        tolerance: Some(1e-9),
        step: Some(Time(5e-4)),
    };
    let limits = LimitsRequest {
        torque_limit: motors(&[60.0]),
        speed_limit: motors(&[12.0]),
        path_speed: Some(Speed(1.5)),
        acceleration: Some(Acceleration(20.0)),
        normal_acceleration: Some(Acceleration(30.0)),
    };
    let file = EffortFile { path: "torques.csv".into(), between: BetweenRows::Linear };
    let rows =
        EffortRows { times: vec![0.0, 0.1], rows: vec![vec![1.0, 1.0 / 3.0]; 2], between: BetweenRows::Hold };
    let mut all = vec![
        Request::Simulate(Box::default()),
        Request::Follow(Box::default()),
        Request::Plan(Box::default()),
        Request::Size(Box::default()),
        Request::Follow(Box::new(FollowRequest {
            robot: robot(),
            path: path(),
            law: law.clone(),
            fastest: true,
            limits: limits.clone(),
            cycle: Some(cycle(&law)),
            motion: Some(MotionRequest::File("motion.csv".into())),
            carry: Some(Mass(1.5)),
            back: true,
            cycles: Some(3),
            pause: Some(Time(0.1)),
            settle: Some(Time(0.2)),
            band: Some(Length(1e-4)),
            controller: controller(),
            plant: plant(),
            solver,
            sample: Some(Time(1e-3)),
            out: Some("run.parquet".into()),
            report: Some("run.html".into()),
        })),
        Request::Plan(Box::new(PlanRequest {
            robot: robot(),
            path: path(),
            limits: limits.clone(),
            cycle: Some(cycle(&law)),
            carry: Some(Mass(1.5)),
            one_way: true,
            pause: Some(Time(0.0)),
            intervals: Some(100),
            out: vec!["a.csv".into(), "a.svg".into()],
            sample: Time(2e-3),
        })),
        Request::Size(Box::new(SizeRequest {
            robot: robot(),
            path: path(),
            cycle: Some(cycle(&law)),
            motion: Some(MotionRequest::Rows(MotionRows {
                columns: vec!["t".into(), "x".into()],
                rows: vec![vec![0.0, 1.0 / 3.0], vec![0.1, 0.5]],
            })),
            carry: Some(Mass(1.5)),
            law,
            fastest: true,
            limits,
            one_way: true,
            pause: None,
            motors: Some(MotorsRequest::File("motors.toml".into())),
            inertia_ratio: Some(5.0),
            reserve: 0.2,
            by: MotorOrder::Size,
            out: vec!["a.csv".into()],
            sample: Time(2e-3),
        })),
    ];
    for efforts in [
        EffortsRequest::HoldStart,
        EffortsRequest::HoldAt(pose(&[0.0, 0.0, -0.8])),
        EffortsRequest::Constant(numbers(&[1.0, 2.0, 3.0])),
        EffortsRequest::File(file),
        EffortsRequest::Table(rows),
    ] {
        all.push(Request::Simulate(Box::new(SimulateRequest {
            robot: robot(),
            from: Some(pose(&[0.15, -0.1, -0.72])),
            velocity: numbers(&[0.0, 0.2, 0.0]),
            force: numbers(&[0.0, 0.0, -100.0]),
            efforts,
            duration: Time(0.2),
            sample: Time(5e-3),
            plant: plant(),
            solver,
            keep_samples: true,
            out: Some("run.csv".into()),
            report: Some("run.html".into()),
        })));
    }
    all
}

#[test]
fn every_request_that_is_written_and_read_again_is_equal() {
    for request in requests() {
        let (json, toml) = (request.to_json(), request.to_toml());
        assert_eq!(Request::parse(&json, RequestFormat::Json).unwrap(), request, "{json}");
        assert_eq!(Request::parse(&toml, RequestFormat::Toml).unwrap(), request, "{toml}");
        assert_eq!(serde_json::from_str::<Request>(&json).unwrap(), request);
    }
}

fn refusal(text: &str) -> String {
    let format = if text.starts_with('{') { RequestFormat::Json } else { RequestFormat::Toml };
    let error = Request::parse(text, format).unwrap_err();
    format!("{error}; {}", error.hint().unwrap_or_default())
}

#[test]
fn what_is_wrong_is_told_with_its_place_and_the_nearest_word() {
    for (text, expected) in [
        (
            "task = 'simulate'\nduraton = 1\n",
            "line 2, column 1: unknown word `duraton`, did you mean `duration`?",
        ),
        (
            "{\"task\": \"simulate\",\n \"duraton\": 1}",
            "line 2, column 2: unknown word `duraton`, did you mean `duration`?",
        ),
        (
            "task = 'follow'\n[controller]\nregulators = ['pd', 'modl']\n",
            "line 3, column 21: unknown word `modl`, did you mean `model`?",
        ),
        ("task = 'plan'\n[limits]\ntorqe_limit = 60\n", "line 3, column 1: unknown word `torqe_limit`"),
        (
            "task = 'size'\nrobot = { nme = 'x' }\n",
            "line 2, column 11: unknown word `nme`, did you mean `name`?",
        ),
        ("task = 'simulate'\nduration = '3 kg'\n", "line 2, column 12: `kg` is a mass; use s, ms, us, min"),
        ("task = 'plan'\nlimits = [60]\n", "line 2, column 10: invalid type: sequence"),
        ("task = 'simulate'\nfrom = [0, 0\n", "line 2"),
        ("task = 'simulat'\n", "there is no task `simulat`; did you mean `simulate`?"),
        ("duration = 1\n", "it does not say its `task`"),
        ("{}", "it does not say its `task`"),
    ] {
        let found = refusal(text);
        assert!(found.contains(expected), "{text}\n{found}");
    }
}
