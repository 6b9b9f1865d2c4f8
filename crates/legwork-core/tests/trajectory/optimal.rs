//! The fastest motion: known answers, limits on a finer grid, a linear program as judge, errors.

use legwork_core::V3;
use legwork_core::engine::Pose;
use legwork_core::robots::delta::{Delta, Motor, PostureError};
use legwork_core::robots::{catalog, delta_legs};
use legwork_core::trajectory::optimal::{
    FromEfforts, GridPoint, Limit, Limits, MechanismFault, OptimalError, OptimalLaw, PathDynamics, PathModel,
    Settings, time_optimal,
};
use legwork_core::trajectory::{
    Arc, CheckSettings, Ends, Geodesic, Line, Path, PickAndPlace, PlatformState, Reversed, SemiEllipse,
    TimeLaw, Turning, WayPoints, check_path,
};
use legwork_testkit::{Seeded, nan_max, nan_min, numbers};

fn line(length: f64) -> Line<f64> {
    Line::new(V3::zero(), V3::new(length, 0.0, 0.0)).unwrap()
}

/// Largest relative excess over the limits at `finer` points within each interval, by the model itself.
fn worst_excess<P: Path, M: PathModel<K>, const K: usize>(
    path: &P,
    model: &M,
    limits: &Limits<K>,
    law: &OptimalLaw<'_, K>,
    finer: usize,
) -> f64
where
    M::Fault: std::fmt::Debug,
{
    let mut worst = f64::NEG_INFINITY;
    for pair in law.grid().windows(2) {
        let u = pair[0].acceleration;
        for k in 0..=finer {
            let s = pair[0].s + (pair[1].s - pair[0].s) * k as f64 / finer as f64;
            let x = pair[0].speed_sq + 2.0 * u * (s - pair[0].s);
            let place = path.at(s);
            let c = model.along(&place).unwrap();
            for m in 0..K {
                let effort = c.inertia[m] * u
                    + c.square[m] * x
                    + c.viscous[m] * x.max(0.0).sqrt()
                    + c.constant[m]
                    + c.coulomb[m];
                let [low, high] = limits.effort[m];
                worst = nan_max(worst, nan_max(effort / high - 1.0, effort / low - 1.0));
                worst = nan_max(worst, c.rates[m].abs() * x.max(0.0).sqrt() / limits.speed[m] - 1.0);
            }
            worst = nan_max(worst, u.abs() / limits.tangential - 1.0);
            let bend = place.second.linear.norm_sq().sqrt();
            worst = nan_max(worst, bend * x / limits.normal - 1.0);
        }
    }
    worst
}

/// From rest to rest, one round: without drawing the limits in.
fn bare() -> Settings {
    let mut settings = Settings::default();
    settings.rounds = 1;
    settings
}

fn ends(start: f64, end: f64) -> Settings {
    let mut settings = Settings::default();
    (settings.start_speed, settings.end_speed) = (start, end);
    settings
}

fn adept() -> PickAndPlace {
    PickAndPlace::adept(V3::new(0.0, 0.0, -0.8), 0.025).unwrap()
}

/// A mass on a line, one motor, viscous friction.
fn cart(mass: f64, drag: f64) -> impl PathModel<1, Fault = ()> {
    FromEfforts(move |state: &PlatformState<f64>| {
        Ok(([mass * state.acceleration.linear.x + drag * state.twist.linear.x], [state.twist.linear.x]))
    })
}

#[test]
fn a_mass_is_driven_bang_bang() {
    let (mass, force, length) = (2.5, 10.0, 0.4);
    let (model, limits) = (cart(mass, 0.0), Limits::effort(force));
    let mut grid = vec![GridPoint::<1>::EMPTY; 401];
    let law = time_optimal(&line(length), &model, &limits, &Settings::default(), &mut grid).unwrap();
    let expected = 2.0 * (length * mass / force).sqrt();
    assert!((law.duration() / expected - 1.0).abs() < 1e-12, "{}", law.duration());
    let names: Vec<_> = law.stretches().map(|stretch| stretch.limit).collect();
    assert_eq!(names, [Limit::EffortAbove { motor: 0 }, Limit::EffortBelow { motor: 0 }]);
    // The law in between, and its ends.
    let now = law.at(0.25 * expected);
    assert!((now.distance - length / 8.0).abs() < 1e-12 && (now.acceleration - force / mass).abs() < 1e-9);
    let (time, push) = (0.3 * expected, force / mass); // not on a grid point
    let now = law.at(time);
    assert!((now.distance - 0.5 * push * time * time).abs() < 1e-12 && (now.rate - push * time).abs() < 1e-9);
    assert_eq!((law.at(-1.0).distance, law.at(9.0).distance, law.at(9.0).rate), (0.0, length, 0.0));
    // With a speed limit: a cruise between. v = 0.5 m/s, a = 4 m/s².
    let slow = limits.with_speed(0.5);
    let law = time_optimal(&line(length), &model, &slow, &Settings::default(), &mut grid).unwrap();
    // 1e-4: the switch to the cruise falls between grid points.
    assert!((law.duration() / (0.4 / 0.5 + 0.5 / 4.0) - 1.0).abs() < 1e-4, "{}", law.duration());
    assert_eq!(law.stretches().nth(1).unwrap().limit, Limit::Speed { motor: 0 });
    // From 1 m/s to 0.6 m/s within 4 m/s²: v² = 1 + 8 s = 0.36 + 8 (L − s), T = 2 v_top/a − (1 + 0.6)/a.
    let law = time_optimal(&line(length), &model, &limits, &ends(1.0, 0.6), &mut grid).unwrap();
    let top = (f64::midpoint(1.0, 0.36) + 4.0 * length).sqrt();
    assert!((law.duration() / ((2.0 * top - 1.6) / 4.0) - 1.0).abs() < 1e-4, "{}", law.duration());
}

#[test]
fn a_mass_with_viscous_friction() {
    // m v' = ±F − d v: distances and times of both parts in closed form, the switch by halving.
    let (m, f, d, length) = (2.0, 10.0, 6.0, 0.5);
    let (tau, v_end) = (m / d, f / d);
    let speeding = |v: f64| {
        let t = -tau * (1.0 - v / v_end).ln();
        (t, v_end * t - tau * v)
    };
    let braking = |v: f64| {
        let t = tau * (1.0 + v / v_end).ln();
        (t, tau * v - v_end * t)
    };
    let (mut low, mut high) = (0.0, v_end);
    for _ in 0..100 {
        let v = 0.5 * (low + high);
        if speeding(v).1 + braking(v).1 < length { low = v } else { high = v }
    }
    let expected = speeding(low).0 + braking(low).0;
    let (model, limits) = (cart(m, d), Limits::effort(f));
    let mut grid = vec![GridPoint::<1>::EMPTY; 2001];
    let law = time_optimal(&line(length), &model, &limits, &Settings::default(), &mut grid).unwrap();
    // First order in the step: a constant push stands for one that falls with speed.
    assert!((law.duration() / expected - 1.0).abs() < 2e-3, "{} {expected}", law.duration());
    assert!(law.duration() > expected, "no faster than possible");
    // √x is no parabola in the first interval, from rest.
    assert!(worst_excess(&line(length), &model, &limits, &law, 10) < 1e-3);
}

/// Independent judge: all grid points at once by linear programming, on a Lagrangian of its own.
#[test]
fn linear_programming_finds_the_same_motion() {
    let golden: serde_json::Value =
        serde_json::from_str(include_str!("../golden/time_optimal.json")).expect("JSON");
    let delta = catalog::delta_industrial();
    for case in golden["cases"].as_array().expect("cases") {
        let number = |key: &str| case[key].as_f64().expect("a number");
        let name = case["name"].as_str().expect("a name");
        let path: Box<dyn Path> = if name == "arc" {
            let (centre, normal) = (V3::new(0.05, 0.02, -0.8), V3::new(0.6, 0.0, 0.8));
            Box::new(Arc::about(centre, normal, centre + V3::new(0.0, 0.15, 0.0), 4.0).unwrap())
        } else {
            Box::new(adept())
        };
        assert!((path.length() - number("length")).abs() < 1e-12, "{name}");
        let limits = Limits::<3>::effort(number("effort")).with_speed(number("speed"));
        let intervals = usize::try_from(case["intervals"].as_u64().expect("a count")).expect("small");
        let mut settings = bare();
        let speeds = numbers(&case["ends"]);
        (settings.start_speed, settings.end_speed) = (speeds[0], speeds[1]);
        let mut grid = vec![GridPoint::<3>::EMPTY; intervals + 1];
        let law = time_optimal(&&*path, &delta, &limits, &settings, &mut grid).unwrap();
        let (s, x) = (numbers(&case["s"]), numbers(&case["speed_sq"]));
        let every = (law.grid().len() / 150).max(1);
        // Near a point without inertia a larger x_i can cost a smaller x_{i+1}: there the program, which
        // maximises the sum, and the two passes, which take the largest x first, differ by what the grid leaves open.
        let (time, place) = if every > 1 { (1e-6, 2e-3) } else { (5e-4, 6e-2) };
        let mut same = 0;
        for ((point, s), x) in law.grid().iter().step_by(every).zip(&s).zip(&x) {
            assert!((point.s - s).abs() < 1e-12, "{name}");
            let off = (point.speed_sq - x).abs() / (1.0 + x);
            assert!(off < place, "{name} at {s}: {} {x}", point.speed_sq);
            same += usize::from(off < 1e-4);
        }
        assert!(10 * same > 9 * s.len(), "{name}: {same} of {}", s.len());
        assert!((law.duration() / number("duration") - 1.0).abs() < time, "{name}: {}", law.duration());
    }
}

#[test]
fn the_adept_cycle_of_the_industrial_delta() {
    let (delta, path) = (catalog::delta_industrial(), adept());
    let limits = Limits::<3>::effort(60.0).with_speed(12.0);
    let mut grid = vec![GridPoint::<3>::EMPTY; 1001];
    let law = time_optimal(&path, &delta, &limits, &Settings::default(), &mut grid).unwrap();
    let worst = worst_excess(&path, &delta, &limits, &law, 10);
    assert!(worst < 1e-6, "{worst:e}");
    let there = law.duration();
    // What the linear program finds without drawing limits in, and at most a thousandth more.
    assert!(there > 0.161_793 && there < 0.161_793 * 1.001, "{there}");
    // Motors 2 and 3 lift, motor 1 drives and brakes.
    let motors: Vec<_> = law.stretches().map(|stretch| stretch.limit).collect();
    assert_eq!(motors[0], Limit::EffortBelow { motor: 1 });
    assert!(
        motors.contains(&Limit::EffortBelow { motor: 0 })
            && motors.contains(&Limit::EffortAbove { motor: 0 })
    );
    // At some limit everywhere, but for the intervals in which the limit changes.
    let free = law.grid().iter().take(1000).filter(|point| point.margin > 0.01).count();
    assert!(free < 5, "{free}");
    let mut home = vec![GridPoint::<3>::EMPTY; 1001];
    let back = time_optimal(&Reversed(path), &delta, &limits, &Settings::default(), &mut home).unwrap();
    // A coarser grid is slower: limits at both ends of longer steps. First order.
    let mut coarse = vec![GridPoint::<3>::EMPTY; 251];
    let slower = time_optimal(&path, &delta, &limits, &Settings::default(), &mut coarse).unwrap().duration();
    assert!(slower > there && slower < there * 1.01);
    // The direction does not matter for the time: no friction, and time can be reversed. To what the grid gives.
    assert!((back.duration() / there - 1.0).abs() < 1e-3, "{} {there}", back.duration());
}

#[test]
fn a_function_and_the_engine_give_the_same_motion() {
    let delta = catalog::delta_industrial();
    let motor = Motor { inertia: 0.02, viscous: 0.3, coulomb: 0.8 };
    let rough = Delta::new(*delta.linkage(), *delta.inertia(), motor).unwrap();
    let function = FromEfforts(|state: &PlatformState<f64>| {
        let effort = rough.inverse_dynamics(&state.motion(), V3::zero())?;
        Ok::<_, PostureError>((
            (effort.torque + rough.friction(effort.qdot)).to_array(),
            effort.qdot.to_array(),
        ))
    });
    let path = adept();
    let pairs = [0.01, 0.1, 0.2, 0.33].map(|s| {
        let place = path.at(s);
        (rough.along(&place).unwrap(), function.along(&place).unwrap())
    });
    for (closed, asked) in pairs {
        let lists =
            |c: PathDynamics<3>| [c.inertia, c.square, c.viscous, c.constant, c.coulomb, c.rates].concat();
        for (a, b) in lists(closed).into_iter().zip(lists(asked)) {
            assert!((a - b).abs() < 1e-9 * (1.0 + a.abs()), "{a} {b}"); // differences of efforts of some 1e4
        }
    }
    let limits = Limits::<3>::effort(60.0);
    let mut grid = vec![GridPoint::<3>::EMPTY; 501];
    let law = time_optimal(&path, &rough, &limits, &Settings::default(), &mut grid).unwrap();
    let duration = law.duration();
    let worst = worst_excess(&path, &rough, &limits, &law, 10);
    assert!(worst < 1e-4, "{worst:e}");
    // Through the general engine, without friction.
    let legs = delta_legs::delta_legs(&delta);
    let smooth = time_optimal(&path, &delta, &limits, &Settings::default(), &mut grid).unwrap().duration();
    let general = time_optimal(&path, &legs, &limits, &Settings::default(), &mut grid).unwrap().duration();
    assert!((smooth / general - 1.0).abs() < 1e-9, "{smooth} {general}");
    assert!(duration > smooth, "friction costs time");
    // A platform that cannot turn does not.
    let turn = Geodesic::new(path.at(0.0).pose.rotation, Pose::rotation_z(0.3).rotation).unwrap();
    let turning = Turning { path, orientation: turn };
    let error = time_optimal(&turning, &legs, &limits, &Settings::default(), &mut grid).unwrap_err();
    assert!(
        matches!(error, OptimalError::Robot { fault: MechanismFault::OutsideMotionSpace { .. }, .. }),
        "{error:?}"
    );
}

/// Coefficients of one's own along a line.
struct Made<F>(F);

impl<F: Fn(f64) -> PathDynamics<2>> PathModel<2> for Made<F> {
    type Fault = ();
    fn along(&self, point: &legwork_core::trajectory::PathPoint<f64>) -> Result<PathDynamics<2>, ()> {
        Ok((self.0)(point.pose.position.x))
    }
}

#[test]
fn a_point_without_inertia_is_passed_at_its_speed() {
    // Motor 2 feels no acceleration at s = 0.5 and allows x ≤ 1/b = 0.25 there.
    let model = Made(|s: f64| PathDynamics {
        inertia: [1.0, s - 0.5],
        square: [0.0, 4.0 - 2.0 * (s - 0.5)],
        ..PathDynamics::ZERO
    });
    let limits = Limits { effort: [[-1.0, 1.0]; 2], ..Limits::none() };
    // With the grid on that point, and beside it.
    for points in [201, 200] {
        let mut grid = vec![GridPoint::<2>::EMPTY; points];
        let law = time_optimal(&line(1.0), &model, &limits, &Settings::default(), &mut grid).unwrap();
        assert!(worst_excess(&line(1.0), &model, &limits, &law, 10) < 1e-6);
        let there = law.grid().iter().min_by(|a, b| (a.s - 0.5).abs().total_cmp(&(b.s - 0.5).abs())).unwrap();
        assert!((there.speed_sq - 0.25).abs() < 0.01, "{points}: {}", there.speed_sq);
        // No chatter: acceleration changes sign a few times, not at every point.
        let flips = law.grid().windows(2).filter(|p| p[0].acceleration * p[1].acceleration < 0.0).count();
        assert!(flips < 8, "{points}: {flips}");
    }
}

/// A motor that turns twice as fast in the middle of every interval as at its ends: the middle decides.
#[test]
fn speeds_between_the_grid_points_are_kept() {
    const INTERVALS: usize = 20;
    let path = line(1.0);
    let rate = |s: f64| 1.0 + (s * INTERVALS as f64 * std::f64::consts::PI).sin().abs();
    let model =
        Made(|s: f64| PathDynamics { inertia: [1.0, 1.0], rates: [rate(s), 1.0], ..PathDynamics::ZERO });
    let limits = Limits::effort(100.0).with_speed(1.0);
    let mut grid = vec![GridPoint::<2>::EMPTY; INTERVALS + 1];
    let law = time_optimal(&path, &model, &limits, &Settings::default(), &mut grid).unwrap();
    for pair in law.grid().windows(2) {
        let speed = f64::midpoint(pair[0].speed_sq, pair[1].speed_sq).sqrt();
        let rate = rate(f64::midpoint(pair[0].s, pair[1].s));
        assert!((rate - 2.0).abs() < 1e-9 && rate * speed <= 1.0 + 1e-6, "{rate} {speed}");
    }
    // And no more than that: away from the ends the limit is used.
    let middle = law.at(0.5 * law.duration()).rate;
    assert!((middle - 0.5).abs() < 1e-3, "{middle}");
}

#[test]
fn a_motion_that_must_not_stop() {
    // Motor 2 cannot hold the weight in the middle at rest: b x + c ≤ 1 with c = 2, b = −4: x ≥ 0.25.
    let model = Made(|s: f64| PathDynamics {
        inertia: [1.0, 0.0],
        square: [0.0, -4.0],
        constant: [0.0, if (0.4..0.6).contains(&s) { 2.0 } else { 0.0 }],
        ..PathDynamics::ZERO
    });
    let limits = Limits { effort: [[-1.0, 1.0], [-9.0, 1.0]], ..Limits::none() };
    let mut grid = vec![GridPoint::<2>::EMPTY; 101];
    let law = time_optimal(&line(1.0), &model, &limits, &Settings::default(), &mut grid).unwrap();
    assert!(law.grid().iter().filter(|p| (0.4..0.6).contains(&p.s)).all(|p| p.speed_sq >= 0.25 - 1e-9));
    // A start so slow that it cannot be fast enough in time.
    let short = Made(|_: f64| PathDynamics {
        inertia: [1.0, 0.0],
        square: [0.0, -4.0],
        constant: [0.0, 2.0],
        ..PathDynamics::ZERO
    });
    let error = time_optimal(&line(1.0), &short, &limits, &ends(0.0, 1.0), &mut grid).unwrap_err();
    let OptimalError::StartSpeed { range: [low, _], .. } = error else { panic!("{error:?}") };
    assert!((low - 0.5).abs() < 1e-9);
}

#[test]
fn what_cannot_be_done_is_named() {
    let (delta, path) = (catalog::delta_industrial(), adept());
    let mut grid = vec![GridPoint::<3>::EMPTY; 101];
    // Too weak to hold the arms: a motor is named.
    let weak =
        time_optimal(&path, &delta, &Limits::effort(2.0), &Settings::default(), &mut grid).unwrap_err();
    let OptimalError::Infeasible { limits, .. } = weak else { panic!("{weak:?}") };
    assert!(
        limits.iter().any(|l| matches!(l, Limit::EffortBelow { .. } | Limit::EffortAbove { .. })),
        "{weak}"
    );
    let fast = time_optimal(&path, &delta, &Limits::effort(60.0), &ends(30.0, 0.0), &mut grid).unwrap_err();
    assert!(matches!(fast, OptimalError::StartSpeed { speed: 30.0, .. }));
    let far = Line::new(V3::new(0.0, 0.0, -0.8), V3::new(0.0, 0.0, -2.0)).unwrap();
    let out = time_optimal(&far, &delta, &Limits::effort(60.0), &Settings::default(), &mut grid).unwrap_err();
    assert!(matches!(out, OptimalError::Robot { fault: PostureError::Unreachable { .. }, .. }), "{out}");
    let mut bad = Limits::<3>::effort(60.0);
    bad.effort[1] = [5.0, 5.0];
    let error = time_optimal(&path, &delta, &bad, &Settings::default(), &mut grid).unwrap_err();
    assert_eq!(error.to_string(), "the effort range of motor 2 is 0; it must be larger than zero");
    for value in [0.0, -1.0, f64::NAN] {
        let sound = Limits::<3>::effort(60.0);
        for (what, limits) in [
            ("speed limit along the path", Limits { path_speed: value, ..sound }),
            ("limit of the tangential acceleration", Limits { tangential: value, ..sound }),
            ("limit of the normal acceleration", Limits { normal: value, ..sound }),
        ] {
            let error = time_optimal(&path, &delta, &limits, &Settings::default(), &mut grid).unwrap_err();
            assert!(matches!(error, OptimalError::Limits { what: named, .. } if named == what), "{error}");
        }
        assert!(
            time_optimal(&path, &delta, &Limits::effort(60.0), &ends(value - 1.0, 0.0), &mut grid).is_err()
        );
    }
    let few = time_optimal(&path, &delta, &Limits::effort(60.0), &Settings::default(), &mut grid[..1]);
    assert!(matches!(few, Err(OptimalError::TooFewPoints { points: 1 })));
}

#[test]
fn limits_of_the_path_itself() {
    let (delta, path) = (catalog::delta_industrial(), adept());
    let limits = Limits { path_speed: 2.0, tangential: 40.0, normal: 30.0, ..Limits::<3>::effort(60.0) };
    let mut grid = vec![GridPoint::<3>::EMPTY; 1001];
    let law = time_optimal(&path, &delta, &limits, &Settings::default(), &mut grid).unwrap();
    assert!(worst_excess(&path, &delta, &limits, &law, 10) < 1e-6);
    let names: Vec<_> = law.stretches().map(|stretch| stretch.limit).collect();
    for limit in [Limit::PathSpeed, Limit::Tangential, Limit::Normal] {
        assert!(names.contains(&limit), "{limit}: {names:?}");
    }
}

/// A random path within `size` \[m\] of a point: any shape, any direction, corners from nearly sharp to as round as
/// they go. None if the points that were drawn make no such path.
fn random_path(random: &mut Seeded, middle: V3<f64>, size: f64) -> Option<Box<dyn Path>> {
    let size = size * 10_f64.powf(random.uniform(-3.0, 0.0));
    let [a, b, c] = [(); 3].map(|()| middle + V3::from(random.triple(size)));
    let way = (b - a).norm_sq().sqrt();
    // Upright on the way, in the plane of a third point.
    let lift = (c - a) - (b - a) * ((c - a).dot(b - a) / (way * way));
    let shape = random.uniform(0.0, 5.0);
    let reach = lift.norm_sq().sqrt().min(0.5 * way) * 10_f64.powf(random.uniform(-3.0, 0.0));
    Some(if shape < 1.0 {
        Box::new(Line::new(a, b).ok()?)
    } else if shape < 2.0 {
        Box::new(Arc::through(a, c, b).ok()?)
    } else if shape < 3.0 {
        Box::new(SemiEllipse::new(a, b, lift).ok()?)
    } else if shape < 4.0 {
        Box::new(PickAndPlace::new(a, b, lift, reach).ok()?)
    } else {
        Box::new(WayPoints::new(&[a, c, b], Ends::Natural).ok()?)
    })
}

/// Random paths with random limits that leave every motor two per cent or more beyond what holding the robot and its
/// dry friction take: a slow motion always exists, so no path may be refused. How many were timed both ways.
fn timed_random_paths(delta: &Delta<f64>, middle: V3<f64>, size: f64, count: u32, seed: u64) -> u32 {
    let mut random = Seeded::new(seed);
    let mut timed = 0;
    for number in 0..count {
        let path = random_path(&mut random, middle, size);
        let more = 1.0 + 10_f64.powf(random.uniform(-1.7, 1.5));
        let speed = 10_f64.powf(random.uniform(-2.0, 3.0));
        let Some(path) = path.as_deref() else { continue };
        let mut settings = CheckSettings::default();
        settings.intervals = 60;
        // Out of reach and singular paths are another matter.
        if check_path::<_, _, 3>(&path, delta, &settings).is_err() {
            continue;
        }
        let length = path.length();
        let mut hold = [0.0; 3];
        for k in 0..=60 {
            let c = delta.along(&path.at(length * f64::from(k) / 60.0)).unwrap();
            hold = std::array::from_fn(|m| nan_max(hold[m], c.constant[m].abs() + c.coulomb[m].abs()));
        }
        let least = 1e-3 * hold.iter().fold(1e-3, |most, hold| nan_max(most, *hold));
        let effort = hold.map(|hold| more * nan_max(hold, least)).map(|most| [-most, most]);
        let limits = Limits { effort, ..Limits::none() }.with_speed(speed);
        let what = format!("seed {seed}, path {number} of {length:.3e} m, {more:.3} of holding");
        let mut grid = vec![GridPoint::EMPTY; 31];
        for back in [false, true] {
            let law = if back {
                time_optimal(&Reversed(&path), delta, &limits, &Settings::default(), &mut grid)
            } else {
                time_optimal(&path, delta, &limits, &Settings::default(), &mut grid)
            };
            let law = law.unwrap_or_else(|error| panic!("{what}: {error}"));
            assert!(law.duration() > 0.0 && law.duration().is_finite(), "{what}: {} s", law.duration());
            // A limit is used up somewhere, or it would not be the fastest.
            let least = law.grid().iter().take(30).fold(1.0, |least, point| nan_min(least, point.margin));
            assert!(least < 0.1, "{what}: {least}");
        }
        timed += 1;
    }
    timed
}

fn with_friction(delta: Delta<f64>, viscous: f64, coulomb: f64) -> Delta<f64> {
    let motor = Motor { viscous, coulomb, ..*delta.motor() };
    Delta::new(*delta.linkage(), *delta.inertia(), motor).unwrap()
}

/// Deltas with and without friction, of all sizes.
fn timed_on_all_deltas(count: u32) -> u32 {
    let robots = [
        (catalog::delta_industrial(), V3::new(0.0, 0.0, -0.8), 0.4),
        (catalog::delta_direct_drive(), V3::new(0.0, 0.0, -0.3), 0.2),
        (catalog::delta_ngoc_kim(), V3::new(0.0, 0.0, -0.5), 0.3),
        (with_friction(catalog::delta_industrial(), 0.5, 2.0), V3::new(0.0, 0.0, -0.8), 0.4),
        (with_friction(catalog::delta_industrial(), 20.0, 0.0), V3::new(0.0, 0.0, -0.8), 0.4),
    ];
    (1..)
        .zip(robots)
        .map(|(seed, (delta, middle, size))| timed_random_paths(&delta, middle, size, count, seed))
        .sum()
}

#[test]
fn random_paths_have_a_timing() {
    let timed = timed_on_all_deltas(40);
    assert!(timed > 100, "{timed}");
}

#[test]
#[ignore = "half a minute without optimisation: ./ci.sh test runs it"]
fn ten_thousand_random_paths_have_a_timing() {
    let timed = timed_on_all_deltas(2000);
    println!("{timed} of 10000 paths can be taken, and have a timing both ways");
    assert!(timed > 5000, "{timed}");
}
