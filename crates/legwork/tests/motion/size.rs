//! Motors for a cycle: dense sums, a case in closed form, the energy balance, the rotor in the dynamics, tables.

use legwork::analysis::size::{Check, Demand, MotorTable, Requirements, SizeError, Transmission, choices};
use legwork::description::{BUILT_IN, RobotDescription};
use legwork::experiment::{AnyPath, ReferenceMotion, TimedPath};
use legwork::plan::{PlanLimits, PlanTask, adept_cycle};
use legwork::trajectory::{Law, Line, Path, Reversed, Shape};
use legwork::{AnyRobot, V3};
use legwork_testkit::nan_max;

fn text(name: &str) -> String {
    BUILT_IN.iter().find(|robot| robot.name == name).unwrap().text.to_owned()
}

fn built(text: &str) -> AnyRobot {
    AnyRobot::new(RobotDescription::parse(text, "test").unwrap()).unwrap()
}

/// The Adept cycle there and back by a law of this duration, with rests.
fn cycle(robot: &AnyRobot, shape: Shape<f64>, duration: f64, pause: f64) -> TimedPath {
    let path = adept_cycle(robot).unwrap();
    let law = Law::by_duration(shape, path.length(), duration).unwrap();
    TimedPath::new(path, law).there_and_back(pause, 1)
}

#[test]
fn peaks_and_means_are_those_of_a_dense_sum() {
    const COUNT: u32 = 6000;
    let robot = AnyRobot::open("delta-industrial").unwrap();
    let motion = cycle(&robot, Shape::sine(), 0.25, 0.05);
    let demand = Demand::of(&robot, &motion).unwrap();
    let (mut squares, mut peaks, mut speeds, mut energy) = ([0.0; 3], [0.0_f64; 3], [0.0_f64; 3], 0.0);
    let step = motion.cycle_duration() / f64::from(COUNT);
    for k in 0..COUNT {
        let state = robot.state(&motion.platform((f64::from(k) + 0.5) * step)).unwrap();
        let efforts = state.dynamics.unwrap().motor;
        for (j, effort) in efforts.iter().enumerate() {
            squares[j] += effort * effort * step;
            peaks[j] = nan_max(peaks[j], effort.abs());
            speeds[j] = nan_max(speeds[j], state.qd[j].abs());
            energy += (effort * state.qd[j]).max(0.0) * step;
        }
    }
    for (j, joint) in demand.joints.iter().enumerate() {
        let rms = (squares[j] / motion.cycle_duration()).sqrt();
        // 1e-6: the midpoint rule with steps of 1e-4 s, where a move lasts 0.25 s.
        assert!((joint.rms_effort / rms - 1.0).abs() < 1e-6, "{} {rms}", joint.rms_effort);
        // 5e-5: the sum passes the peaks, which last milliseconds in the corners, by up to half a step.
        let above = |found: f64, dense: f64| found >= dense && found < dense * (1.0 + 5e-5);
        assert!(above(joint.peak_effort, peaks[j]), "{} {}", joint.peak_effort, peaks[j]);
        assert!(above(joint.peak_speed, speeds[j]), "{} {}", joint.peak_speed, speeds[j]);
    }
    // 1e-4: where the power changes its sign the dense sum has an error of a step.
    assert!((demand.energy_without_regeneration / energy - 1.0).abs() < 1e-4);
}

/// Straight up and down, all of a Delta on vertical rails moves as one body: each of three motors carries a third,
/// F = m/3 (a + g) + m_motor a.
#[test]
fn a_lift_in_closed_form() {
    let robot = AnyRobot::open("linear-delta").unwrap();
    let home = V3::from(robot.home().position);
    let up = V3::along_z(0.1);
    let path = AnyPath::new(Line::new(home, home + up).unwrap());
    let law = Law::by_duration(Shape::parabolic(), 0.1, 0.2).unwrap();
    let demand = Demand::of(&robot, &TimedPath::new(path, law).there_and_back(0.3, 1)).unwrap();
    // Parabolic: a = 4 L/T² for half of the time, then −a.
    let a = 4.0 * 0.1 / 0.04;
    let rest = robot.state(&robot.home()).unwrap().dynamics.unwrap();
    let weight = rest.motor[0]; // m g/3
    let inertia = demand.joints[0].load_inertia[0] + demand.joints[0].own_inertia;
    let mass: f64 = rest.mass_matrix[0].iter().sum(); // all three together
    let third = weight / 9.81;
    // The weight and the mass matrix are other formulas; the masses are the same. 1e-12: rounding.
    assert!((mass - demand.joints[0].own_inertia - third).abs() < 1e-12 * mass, "{mass} {third}");
    assert!(inertia > 0.0);
    let (more, less) = (weight + mass * a, weight - mass * a);
    let (moving, resting) = (0.4, 0.6);
    // Up: a then −a, down: −a then a: each for half of 0.4 s.
    let square = 0.5 * moving * (more * more + less * less) + resting * weight * weight;
    for joint in &demand.joints {
        assert!((joint.peak_effort - more).abs() < 1e-9 * more, "{} {more}", joint.peak_effort);
        assert!((joint.rms_effort - square.sqrt()).abs() < 1e-9 * more, "{}", joint.rms_effort);
        assert!((joint.peak_speed - a * 0.1).abs() < 1e-8); // 1e-8: looked at 1e-9 of a panel beside the peak
    }
    // Half the way up takes more, half the way, up or down, takes what is less than the weight; the rest comes back.
    let lift = 3.0 * 0.05 * (more + less.abs());
    assert!((demand.energy_without_regeneration - lift).abs() < 1e-9 * lift, "{lift}");
    assert!(demand.energy.abs() < 1e-9 * lift, "{}", demand.energy);
}

/// Over a closed cycle the work of the motors is what friction takes.
#[test]
fn energy_is_balanced() {
    for (name, duration) in [("delta-industrial", 0.2), ("delta-bortoff-b", 0.4)] {
        let robot = AnyRobot::open(name).unwrap();
        for shape in
            [Shape::sine(), Shape::parabolic(), Shape::Quintic, Shape::SCurve { ramp: 0.4, smooth: 0.3 }]
        {
            let path = legwork::experiment::around_home(&robot).unwrap();
            let law = Law::by_duration(shape, path.length(), duration).unwrap();
            let motion = TimedPath::new(path, law).there_and_back(0.05, 1);
            let demand = Demand::of(&robot, &motion).unwrap();
            let scale = demand.energy_without_regeneration;
            // 1e-9 of the energy that goes round: the quadrature of smooth parts.
            assert!(
                demand.imbalance.abs() < 1e-9 * scale,
                "{name} {shape:?}: {} of {scale}",
                demand.imbalance
            );
            assert_eq!(demand.dissipated > 0.0, name == "delta-bortoff-b");
        }
        // Corners that begin and end on the way.
        let demand =
            Demand::of(&robot, &cycle(&AnyRobot::open("delta-industrial").unwrap(), Shape::sine(), 0.3, 0.0));
        if name == "delta-industrial" {
            let demand = demand.unwrap();
            assert!(
                demand.imbalance.abs() < 1e-9 * demand.energy_without_regeneration,
                "{}",
                demand.imbalance
            );
        }
    }
}

/// The rotor of a candidate is in the dynamics: at the joint it acts as n² J q̈, and the robot whose file has this
/// motor needs the same torque.
#[test]
fn the_rotor_is_part_of_the_robot() {
    let table = MotorTable::sample();
    let motor = table.motors.iter().find(|motor| motor.name == "servo-750").unwrap();
    let robot = AnyRobot::open("delta-industrial").unwrap();
    let motion = cycle(&robot, Shape::sine(), 0.25, 0.0);
    let demand = Demand::of(&robot, &motion).unwrap();
    // 1e-12: 0.02 kg m² of the file, by a difference.
    assert!((demand.joints[0].own_inertia - 0.02).abs() < 1e-12);
    let inertia = motor.rotor_inertia + motor.gear_inertia;
    let own = text("delta-industrial")
        .replace("rotor_inertia = \"0.02 kg m^2\"", &format!("rotor_inertia = {inertia:e}\ngear_ratio = 20"));
    let with_motor = built(&own);
    let free = legwork::analysis::size::Motor { efficiency: 1.0, ..motor.clone() };
    for instant in demand.instants.iter().step_by(37) {
        let state = with_motor.state(&motion.platform(instant.time)).unwrap();
        for (k, moment) in instant.joints.iter().enumerate() {
            let expected = state.dynamics.as_ref().unwrap().motor[k];
            let (torque, speed) = free.at(Transmission::Gear(20.0), moment);
            // 1e-9: rounding of torques of 100 N m.
            assert!((20.0 * torque - expected).abs() < 1e-9, "{torque} {expected}");
            assert!((speed - 20.0 * state.qd[k]).abs() < 1e-9);
            let bare = moment.load + 400.0 * inertia * moment.acceleration;
            assert!((20.0 * torque - bare).abs() < 1e-9);
        }
    }
}

#[test]
fn a_gear_that_loses_takes_more_to_drive_and_less_to_brake() {
    let table = MotorTable::parse(
        "[[motor]]\nname='m'\nrated_torque=1\npeak_torque=2\nrated_speed=100\nmax_speed=200\nrotor_inertia=1e-4\n\
         efficiency=0.5\npeak_torque_at_max_speed=1",
    )
    .unwrap();
    let motor = &table.motors[0];
    let moment = |speed| legwork::analysis::size::Moment {
        speed,
        acceleration: 0.0,
        effort: 3.0,
        load: 3.0,
        friction: 0.0,
    };
    assert_eq!(motor.at(Transmission::Gear(10.0), &moment(1.0)), (0.6, 10.0));
    assert_eq!(motor.at(Transmission::Gear(10.0), &moment(-1.0)), (0.15, -10.0));
    assert_eq!([0.0, 100.0, 150.0, 200.0].map(|speed| motor.peak_at(speed)), [2.0, 2.0, 1.5, 1.0]);
}

#[test]
fn choices_are_ranked_and_the_others_say_why() {
    let robot = AnyRobot::open("delta-industrial").unwrap();
    let demand = Demand::of(&robot, &cycle(&robot, Shape::sine(), 0.25, 0.1)).unwrap();
    let table = MotorTable::sample();
    let all = choices(&demand, &table, &Requirements::default()).unwrap();
    assert_eq!(all.len(), table.motors.iter().map(|motor| motor.gear_ratios.len()).sum::<usize>());
    let feasible = all.iter().take_while(|choice| choice.is_feasible()).count();
    assert!(feasible > 0 && feasible < all.len());
    assert!(all.iter().skip(feasible).all(|choice| !choice.is_feasible()));
    assert!(all[..feasible].windows(2).all(|pair| pair[0].margin() >= pair[1].margin()));
    for choice in &all[feasible..] {
        let worst = choice.shortfalls()[0];
        assert!(worst.share < 0.0 && worst.needed > worst.available, "{worst:?}");
    }
    // What is asked for on top makes fewer feasible.
    let strict = Requirements { inertia_ratio: Some(5.0), reserve: 0.2 };
    let fewer = choices(&demand, &table, &strict).unwrap();
    let count = fewer.iter().filter(|choice| choice.is_feasible()).count();
    assert!(count < feasible, "{count} of {feasible}");
    for choice in fewer.iter().filter(|choice| choice.is_feasible()) {
        assert!(choice.duties.iter().all(|duty| duty.inertia_ratio * 1.2 <= 5.0));
        assert!(choice.margins.iter().any(|margin| margin.check == Check::InertiaRatio));
    }
}

/// The fastest cycle has jumps at every grid point; the balance holds all the same.
#[test]
fn a_planned_cycle_can_be_sized_for() {
    let robot = AnyRobot::open("delta-industrial").unwrap();
    let path = adept_cycle(&robot).unwrap();
    let limits = PlanLimits::of(&robot).with_effort(&[60.0]).unwrap();
    let there = PlanTask::new(&robot, &path, limits.clone()).with_intervals(200).run().unwrap();
    let back = PlanTask::new(&robot, &Reversed(&path), limits).with_intervals(200).run().unwrap();
    let motion = TimedPath::new(path, there.law).there_and_back(0.0, 1).back_by(back.law);
    let demand = Demand::of(&robot, &motion).unwrap();
    // The bulge between 200 intervals; the plan's own grid is finer.
    assert!(demand.joints.iter().all(|joint| joint.peak_effort < 60.0 * (1.0 + 1e-4)));
    assert!(demand.joints.iter().any(|joint| joint.peak_effort > 59.0));
    assert!(demand.imbalance.abs() < 1e-9 * demand.energy_without_regeneration, "{}", demand.imbalance);
}

/// A demand that is not a number is kept by no motor.
#[test]
fn no_motor_is_feasible_for_a_nan() {
    let robot = AnyRobot::open("delta-industrial").unwrap();
    let demand = Demand::of(&robot, &cycle(&robot, Shape::sine(), 1.0, 0.0)).unwrap();
    let feasible = |demand: &Demand| {
        let all = choices(demand, &MotorTable::sample(), &Requirements::default()).unwrap();
        all.iter().filter(|choice| choice.is_feasible()).count()
    };
    assert!(feasible(&demand) > 0);
    for joint in 0..3 {
        for instant in [0, demand.instants.len() / 2, demand.instants.len() - 1] {
            let mut planted = demand.clone();
            planted.instants[instant].joints[joint].load = f64::NAN;
            assert_eq!(feasible(&planted), 0, "a torque of joint {joint}");
            let mut planted = demand.clone();
            planted.instants[instant].joints[joint].speed = f64::NAN;
            assert_eq!(feasible(&planted), 0, "a speed of joint {joint}");
        }
    }
}

#[test]
fn tables_that_cannot_be_used_say_where() {
    let good = "[[motor]]\nname = \"a\"\nrated_torque = \"1 N m\"\npeak_torque = \"3 N m\"\nrated_speed = \"3000 rpm\"\n\
                max_speed = \"6000 rpm\"\nrotor_inertia = \"0.2 kg cm^2\"\n";
    assert_eq!(MotorTable::parse(good).unwrap().motors[0].gear_ratios, [1.0]);
    let error = |text: &str| MotorTable::parse(text).unwrap_err();
    let missing = error(&good.replace("rotor_inertia", "rotor_inertias"));
    assert_eq!(missing.to_string(), "line 7: motor `a` has no key `rotor_inertias`");
    assert_eq!(missing.hint().unwrap(), "did you mean `rotor_inertia`?");
    let missing = error(&good.replace("peak_torque = \"3 N m\"\n", ""));
    assert_eq!(missing.to_string(), "line 1: motor `a` lacks `peak_torque`");
    assert!(matches!(missing, SizeError::MissingKey { key: "peak_torque", .. }));
    let unit = error(&good.replace("3 N m", "3 kg"));
    assert!(unit.to_string().starts_with("line 4: `peak_torque` of motor `a`: "), "{unit}");
    let value = error(&good.replace("\"3 N m\"", "0.5"));
    assert_eq!(value.to_string(), "line 4: `peak_torque` of motor `a` must be at least `rated_torque`");
    let zero = error(&good.replace("0.2 kg cm^2", "0 kg m^2"));
    assert_eq!(
        zero.to_string(),
        "line 7: `rotor_inertia` of motor `a` must be a moment of inertia larger than zero"
    );
    assert_eq!(error(&format!("{good}{good}")).to_string(), "line 8: motor `a` is there twice");
    assert!(matches!(error(""), SizeError::Empty));
    assert!(matches!(error("[[motors]]\n"), SizeError::UnknownKey { nearest: Some("motor"), .. }));
    assert!(matches!(error("[[motor]\n"), SizeError::Syntax { line: 1, .. }));
    assert!(matches!(
        error(&format!("{good}gear_ratios = []\n")),
        SizeError::Value { key: "gear_ratios", .. }
    ));
    assert!(!MotorTable::sample().motors.is_empty());
}

#[test]
fn robots_that_cannot_be_sized_say_why() {
    let massless = AnyRobot::open("irb360-1600").unwrap();
    let motion = cycle(&massless, Shape::sine(), 1.0, 0.0);
    assert!(matches!(Demand::of(&massless, &motion), Err(SizeError::Robot(_))));
    let robot = AnyRobot::open("delta-industrial").unwrap();
    let far = AnyPath::new(Line::new(V3::new(0.0, 0.0, -0.8), V3::new(2.0, 0.0, -0.8)).unwrap());
    let law = Law::by_duration(Shape::sine(), far.length(), 1.0).unwrap();
    assert!(matches!(Demand::of(&robot, &TimedPath::new(far, law)), Err(SizeError::At { .. })));
    // Motors for turning joints do not drive sliding ones.
    let sliding = AnyRobot::open("linear-delta").unwrap();
    let path = legwork::experiment::around_home(&sliding).unwrap();
    let law = Law::by_duration(Shape::sine(), path.length(), 1.0).unwrap();
    let demand = Demand::of(&sliding, &TimedPath::new(path, law)).unwrap();
    let turning = MotorTable::parse(
        "[[motor]]\nname='m'\nrated_torque=1\npeak_torque=2\nrated_speed=100\nmax_speed=200\nrotor_inertia=1e-4",
    );
    let refused = choices(&demand, &turning.unwrap(), &Requirements::default()).unwrap_err();
    assert_eq!(refused, SizeError::NoTransmission { slides: true });
    assert!(!choices(&demand, &MotorTable::sample(), &Requirements::default()).unwrap().is_empty());
}

/// Six motors for five freedoms: each is sized by what least effort gives it, as in inverse dynamics. A rotor of a table that is
/// that of the file may change how motors share, and not what they do: the difference does no work.
#[test]
fn more_motors_than_freedoms_are_sized_by_least_effort() {
    let robot = AnyRobot::open("two-deltas").unwrap();
    assert!(robot.joints().len() > robot.freedoms().len());
    let home = V3::from(robot.home().position);
    let path = AnyPath::new(Line::new(home, home + V3::new(0.08, 0.03, 0.05)).unwrap());
    let law = Law::by_duration(Shape::sine(), path.length(), 0.2).unwrap();
    let motion = TimedPath::new(path, law);
    let demand = Demand::of(&robot, &motion).unwrap();
    let (mut worked, mut shared) = (0.0_f64, 0.0_f64);
    for instant in demand.instants.iter().step_by(97) {
        let state = robot.state(&motion.platform(instant.time)).unwrap();
        let wanted = state.dynamics.unwrap().motor;
        for (moment, wanted) in instant.joints.iter().zip(&wanted) {
            // 1e-9: a pose that was led to twice.
            assert!((moment.effort - wanted).abs() < 1e-9 * 20.0, "{moment:?} {wanted}");
        }
        let apart = |moment: &legwork::analysis::size::Moment| {
            moment.load + 0.02 * moment.acceleration - moment.effort
        };
        worked = nan_max(worked, instant.joints.iter().map(|m| apart(m) * m.speed).sum::<f64>().abs());
        shared =
            nan_max(shared, instant.joints.iter().map(apart).fold(0.0, |most, x| nan_max(most, x.abs())));
    }
    // Of 100 W; the difference itself is no rounding.
    assert!(worked < 1e-7 && shared > 1e-4, "{worked} W, {shared} N m");
    for joint in &demand.joints {
        // 1e-9: of the file, from energies.
        assert!((joint.own_inertia - 0.02).abs() < 1e-9, "{}", joint.own_inertia);
        assert!(joint.load_inertia[0] > 0.0);
    }
    assert!(demand.imbalance.abs() < 1e-8, "{}", demand.imbalance);
    assert!(!choices(&demand, &MotorTable::sample(), &Requirements::default()).unwrap().is_empty());
}
