//! Motors, limits, stops and encoders against closed forms and independent integrations.

use legwork_core::drive::{
    Coulomb, CurrentLoop, Encoder, Friction, Gear, JointParts, LoopState, SoftStop, SpeedLimit, after_hold,
    after_ramp,
};
use legwork_core::motion::Passive;
use legwork_core::{Dual, Real};

const LAG: f64 = 2e-3;

fn lagging() -> CurrentLoop {
    CurrentLoop { lag: LAG, ..CurrentLoop::ideal() }
}

/// τ̇ = (u − τ)/T by many short Runge–Kutta steps.
fn integrated(mut effort: f64, command: impl Fn(f64) -> f64, duration: f64) -> f64 {
    let steps = 4000;
    let h = duration / f64::from(steps);
    for k in 0..steps {
        let t = f64::from(k) * h;
        let f = |t: f64, x: f64| (command(t) - x) / LAG;
        let k1 = f(t, effort);
        let k2 = f(t + 0.5 * h, effort + 0.5 * h * k1);
        let k3 = f(t + 0.5 * h, effort + 0.5 * h * k2);
        let k4 = f(t + h, effort + h * k3);
        effort += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    }
    effort
}

#[test]
fn a_step_through_the_lag_is_an_exponential() {
    let (stretch, valid) = lagging().follow(LoopState::default(), 3.0, 0.0);
    assert_eq!(valid, f64::INFINITY);
    for k in 0..50 {
        let t = 1e-3 * f64::from(k);
        assert!((stretch.effort(t) - 3.0 * (1.0 - (-t / LAG).exp())).abs() < 1e-14);
    }
    // a hold in pieces is the same hold
    let mut state = LoopState::default();
    for _ in 0..10 {
        state = lagging().follow(state, 3.0, 0.0).0.end(1e-3);
    }
    assert!((state.effort - stretch.effort(0.01)).abs() < 1e-14);
    assert!((integrated(0.0, |_| 3.0, 0.005) - stretch.effort(0.005)).abs() < 1e-13);
}

#[test]
fn a_ramp_arrives_late_by_the_lag() {
    let slope = 40.0;
    let (stretch, _) = lagging().follow(LoopState::default(), 0.0, slope);
    for t in [0.05, 0.1, 0.3] {
        // e^{-25} of the beginning is left at 0.05 s
        assert!((stretch.effort(t) - slope * (t - LAG)).abs() < 1e-11 + slope * LAG * (-t / LAG).exp());
    }
    assert!((integrated(0.0, |t| slope * t, 0.006) - stretch.effort(0.006)).abs() < 1e-13);
}

/// The formulas satisfy τ̇ = (u − τ)/T, by dual numbers.
#[test]
fn holds_and_ramps_solve_the_equation_of_the_lag() {
    for t in [0.0, 1e-4, 3e-3, 0.02_f64] {
        let decay = Dual::<f64, 1> { re: (-t / LAG).exp(), eps: [-(-t / LAG).exp() / LAG] };
        let one = |x: f64| Dual::<f64, 1>::from_f64(x);
        let h = Dual::<f64, 1> { re: t, eps: [1.0] };
        let hold = after_hold(one(1.5), one(-2.0), decay);
        assert!((hold.eps[0] - (-2.0 - hold.re) / LAG).abs() < 1e-9);
        let ramp = after_ramp(one(1.5), one(-2.0), one(300.0), one(LAG), h, decay);
        assert!((ramp.eps[0] - (-2.0 + 300.0 * t - ramp.re) / LAG).abs() < 1e-9);
    }
}

/// Follows a command from corner to corner.
fn course(
    motor: CurrentLoop,
    mut state: LoopState,
    command: f64,
    slope: f64,
    duration: f64,
) -> (LoopState, usize) {
    let (mut t, mut corners) = (0.0, 0);
    while t < duration {
        let (stretch, valid) = motor.follow(state, command + slope * t, slope);
        let h = legwork_testkit::nan_min(valid, duration - t);
        assert!(h > 0.0, "no crumbs: {h}");
        state = stretch.end(h);
        assert!(stretch.slope.abs() <= motor.rate && state.input.abs() <= motor.limit * (1.0 + 1e-15));
        t += h;
        corners += 1;
        assert!(corners < 10);
    }
    (state, corners)
}

#[test]
fn limits_of_effort_and_rate_are_cut_before_the_lag() {
    let motor = CurrentLoop { lag: LAG, limit: 5.0, rate: 1000.0 };
    // 8 is cut to 5, reached after 5 ms
    let (early, _) = course(motor, LoopState::default(), 8.0, 0.0, 0.004);
    assert!((early.input - 4.0).abs() < 1e-12);
    let (late, corners) = course(motor, LoopState::default(), 8.0, 0.0, 0.02);
    assert_eq!((late.input, corners), (5.0, 2));
    let exact = integrated(0.0, |t| (1000.0 * t).min(5.0), 0.02);
    assert!((late.effort - exact).abs() < 1e-9, "{} {exact}", late.effort);
    // a ramp that is steeper than the rate, meets the limit, and one that comes back through it
    let (up, _) = course(motor, LoopState::default(), 0.0, 4000.0, 0.003);
    assert!((up.input - 3.0).abs() < 1e-12);
    let (top, _) = course(motor, LoopState::default(), 0.0, 500.0, 0.05);
    assert_eq!(top.input, 5.0);
    let (back, _) = course(motor, motor.settled(7.0), 7.0, -200.0, 0.02);
    assert!((back.input - 3.0).abs() < 1e-12, "{back:?}");
    // without lag the effort is the input
    let bare = CurrentLoop { lag: 0.0, ..motor };
    let (state, _) = course(bare, LoopState::default(), -8.0, 0.0, 0.003);
    assert_eq!((state.input, state.effort), (-3.0, -3.0));
}

/// Random commands: neither limit is ever exceeded, whatever the lag.
#[test]
fn no_command_gets_past_the_limits() {
    let mut random = legwork_testkit::Seeded::new(7);
    for lag in [0.0, LAG] {
        let motor = CurrentLoop { lag, limit: 2.0, rate: 300.0 };
        let mut state = LoopState::default();
        for _ in 0..300 {
            let (command, slope) = (random.uniform(-6.0, 6.0), random.uniform(-2000.0, 2000.0));
            let before = state;
            state = course(motor, state, command, slope, 1e-3).0;
            assert!(state.effort.abs() <= 2.0 && (state.input - before.input).abs() <= 0.3 + 1e-12);
        }
    }
}

#[test]
fn a_motor_gives_nothing_beyond_its_speed() {
    let limit = SpeedLimit::new(10.0);
    assert_eq!([0.0, 5.0, 9.5, 9.75, 10.0, 12.0].map(|w| limit.cut(2.0, w)), [2.0, 2.0, 2.0, 1.0, 0.0, 0.0]);
    assert_eq!([-10.0, -12.0].map(|w| limit.cut(2.0, w)), [2.0, 2.0]); // brakes
    assert_eq!(limit.cut(-2.0, -12.0), 0.0);
    // continuous: small changes of speed make small changes
    for k in 0..2000 {
        let w = f64::from(k) * 0.01 - 10.0;
        assert!((limit.cut(2.0, w + 1e-6) - limit.cut(2.0, w)).abs() <= 2.0 / 0.5 * 1.01e-6);
    }
}

#[test]
fn stops_only_push_and_heat_is_never_negative() {
    let stop = SoftStop { min: -1.0, max: 2.0, stiffness: 1000.0, damping: 0.5 };
    assert_eq!(stop.effort(1.9, 5.0), (0.0, 0.0));
    let (push, heat) = stop.effort(2.01, 1.0);
    assert!((push + 10.0 * 1.5).abs() < 1e-9 && (heat - 5.0).abs() < 1e-9);
    for q in [-1.3, -1.01, 2.01, 2.4] {
        for w in [-30.0, -1.0, 0.0, 1.0, 30.0] {
            let (push, heat) = stop.effort(q, w);
            assert!(push * (q - 0.5) <= 0.0 && heat >= 0.0, "{q} {w}: {push} {heat}");
            // what the joint gives goes into the spring or into heat
            let spring = (stop.energy(q + 1e-7 * w) - stop.energy(q - 1e-7 * w)) / 2e-7;
            assert!((-push * w - spring - heat).abs() < 1e-4, "{q} {w}");
        }
    }
    assert_eq!(stop.energy(0.0), 0.0);
}

/// A mass on a stop loses about ⅔ c v of its speed: Hunt and Crossley's own figure.
#[test]
fn an_impact_loses_what_the_damping_says() {
    let (c, v0, mass) = (0.5, 0.05, 0.3);
    let stop = SoftStop { min: 0.0, max: f64::INFINITY, stiffness: 4000.0, damping: c };
    let (mut q, mut v) = (0.0, -v0);
    let h = 1e-6;
    while q <= 0.0 {
        // the midpoint rule
        let (qm, vm) = (q + 0.5 * h * v, v + 0.5 * h * stop.effort(q, v).0 / mass);
        q += h * vm;
        v += h * stop.effort(qm, vm).0 / mass;
    }
    let lost = 1.0 - v / v0;
    assert!((lost / (2.0 / 3.0 * c * v0) - 1.0).abs() < 0.03, "{lost}");
}

#[test]
fn parts_of_a_joint_add_up() {
    let friction = Friction { viscous: 0.2, coulomb: Coulomb::new(1.5) };
    let parts = JointParts { speed_limit: Some(SpeedLimit::new(4.0)), friction, stop: None };
    let acting = parts.acting(0.0, 5.0, 3.0);
    assert_eq!(acting.motor, 0.0);
    assert!((acting.passive + 1.0 + 1.5).abs() < 1e-6 && (acting.heat - 12.5).abs() < 1e-5);
    assert_eq!(friction.effort(0.0), 0.0);
    assert!(parts.is_some() && !JointParts::none().is_some());
    assert_eq!(JointParts::none().acting(1.0, 2.0, 3.0).motor, 3.0);
    assert_eq!(Passive::default(), Passive { power: 0.0, heat: 0.0 });
}

#[test]
fn encoders_read_whole_steps() {
    let encoder = Encoder { resolution: 0.25 };
    assert_eq!(
        [0.0, 0.1, 0.13, -0.1, -0.13, 7.3].map(|q| encoder.read(q)),
        [0.0, 0.0, 0.25, 0.0, -0.25, 7.25]
    );
    assert_eq!(Encoder::ideal().read(0.123), 0.123);
    let fine = Encoder::of_counts(4096.0, 33.0);
    for k in 0..1000 {
        let q = f64::from(k) * 0.00317 - 1.5;
        assert!((fine.read(q) - q).abs() <= 0.5 * fine.resolution * (1.0 + 1e-9));
    }
    assert!((fine.resolution - std::f64::consts::TAU / 135_168.0).abs() < 1e-20);
}

#[test]
fn a_gear_carries_power_without_loss() {
    let gear = Gear { ratio: 33.0 };
    let (torque, speed) = (0.7, 210.0);
    assert!((gear.effort(torque) * gear.speed(speed) - torque * speed).abs() < 1e-12);
    let viscous = 1e-4;
    assert!((gear.squared(viscous) * gear.speed(speed) - gear.effort(viscous * speed)).abs() < 1e-12);
}
