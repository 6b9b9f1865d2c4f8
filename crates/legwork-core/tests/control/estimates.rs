//! The estimates beside a law, payload and disturbance, against closed forms, and their bounds.
#![allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)] // counts of samples

use crate::control_support::watched::{brake, guard};
use crate::control_support::{PickAndPlace, Plant, reference};
use legwork_core::control::{
    Carrying, Joints, Limits, Measured, Model, ObserverSettings, PayloadEstimate, PayloadSettings, Platform,
    Reference, Regulator, Settings, SettingsFault, Supervisor,
};
use legwork_core::engine::{Pose, Twist};
use legwork_core::robots::catalog;
use legwork_core::robots::delta::{Assembly, Delta};
use legwork_core::{Margin, V3};
use legwork_testkit::{Seeded, Worst, largest, nan_max, nan_min, relative_error};

/// A mass on a rail: u = A q̈. The smallest robot there is, so that loops have closed forms.
#[derive(Clone, Copy, Debug)]
struct Slide {
    mass: f64,
}

fn sure<V>(value: V) -> Margin<V, f64> {
    Margin { value, margin: 1.0 }
}

fn along(x: f64) -> Twist<f64> {
    Twist::new(V3::new(x, 0.0, 0.0), V3::zero())
}

impl Model<f64, 1> for Slide {
    fn joints(&self, platform: &Platform<f64>) -> Margin<Joints<f64, 1>, f64> {
        sure(Joints {
            q: [platform.pose.position.x],
            qdot: [platform.twist.linear.x],
            qddot: [platform.acceleration.linear.x],
        })
    }
    fn platform(&self, q: &[f64; 1], qdot: &[f64; 1], _: &Pose<f64>) -> Margin<(Pose<f64>, Twist<f64>), f64> {
        sure((Pose::translation(V3::new(q[0], 0.0, 0.0)), along(qdot[0])))
    }
    fn effort(&self, platform: &Platform<f64>) -> Margin<[f64; 1], f64> {
        sure([self.mass * platform.acceleration.linear.x])
    }
    fn joint_mass_matrix(&self, _: &Pose<f64>) -> Margin<[[f64; 1]; 1], f64> {
        sure([[self.mass]])
    }
    fn platform_acceleration(
        &self,
        _: &Pose<f64>,
        _: &Twist<f64>,
        qddot: &[f64; 1],
    ) -> Margin<Twist<f64>, f64> {
        sure(along(qddot[0]))
    }
}

const A: f64 = 2.0;
const KP: f64 = 3200.0;
const KD: f64 = 112.0;
const L: f64 = 60.0;

fn rest() -> Reference<f64, 1> {
    Reference::at(&Slide { mass: A }, &Platform::rest(Pose::translation(V3::zero()))).value
}

fn observed(most: f64) -> Settings<f64, 1> {
    Settings::pd([KP], [KD]).with_observer(ObserverSettings::equal(L, most))
}

/// Holds a slide at zero against a disturbance d(t) with period `dt`; calls `judge` with time, place and estimate.
fn hold(
    settings: Settings<f64, 1>,
    dt: f64,
    samples: u32,
    disturbance: impl Fn(f64) -> f64,
    mut judge: impl FnMut(f64, f64, f64),
) {
    let mut regulator = Regulator::new(Slide { mass: A }, settings, &rest()).unwrap();
    let (mut q, mut v) = (0.0, 0.0);
    for k in 0..samples {
        let time = f64::from(k) * dt;
        let command = regulator.update(&rest(), &Measured::angles([q]), dt);
        let acceleration = (command.effort[0] - disturbance(time)) / A;
        q += v * dt + 0.5 * acceleration * dt * dt;
        v += acceleration * dt;
        judge(time + dt, q, regulator.disturbance()[0]);
    }
}

/// The poles (3): with d̂ = d (1 − e^{−Lt}) the place obeys A q̈ + K_d q̇ + K_p q = −d e^{−Lt}, solved here in closed form.
#[test]
fn a_step_dies_out_with_the_poles_of_the_pd_and_one_of_the_observer() {
    let d = 40.0;
    let c = -d / (A * L * L - KD * L + KP);
    let (sigma, omega) = (KD / (2.0 * A), (KP / A - (KD / (2.0 * A)).powi(2)).sqrt());
    let closed = |t: f64| {
        c * (-L * t).exp()
            + (-sigma * t).exp() * (-c * (omega * t).cos() + c * (L - sigma) / omega * (omega * t).sin())
    };
    let most = largest((0..400).map(|k| closed(f64::from(k) * 5e-4)));
    let mut worst = Worst::of("the place after a step");
    hold(observed(1e3), 1e-5, 20_000, |_| d, |t, q, _| worst.see((q - closed(t)) / most));
    // 0.005: differences and hold are two samples of 10 µs late, beside time constants of 17 ms and more
    worst.below(0.005);
}

#[test]
fn a_constant_disturbance_leaves_no_error_and_one_beyond_the_bound_what_is_beyond() {
    let (mut place, mut found) = (f64::NAN, f64::NAN);
    hold(observed(1e3), 1e-3, 3000, |_| 40.0, |_, q, d| (place, found) = (q, d));
    // Rounding of second differences by a squared millisecond
    assert!(place.abs() < 1e-9 && (found - 40.0).abs() < 1e-6, "{place} {found}");
    hold(
        observed(25.0),
        1e-3,
        3000,
        |_| 40.0,
        |_, q, d| {
            assert!(d.abs() <= 25.0);
            (place, found) = (q, d);
        },
    );
    assert!((place + (40.0 - 25.0) / KP).abs() < 1e-9 && found == 25.0, "{place} {found}");
}

#[test]
fn a_ramp_leaves_the_error_that_the_bandwidth_says() {
    let (mut place, rate) = (f64::NAN, 30.0);
    hold(observed(1e3), 1e-3, 3000, |t| rate * t, |_, q, _| place = q);
    // ḋ/(L K_p), and a sample and a half: the middle of two intervals, with a disturbance that is held as well. 1e-9: what
    // the poles leave of the start after 3 s, and rounding
    let late = 1.0 / L + 1.5e-3;
    assert!((place * KP / (rate * late) + 1.0).abs() < 1e-9, "{place} {}", rate * late / KP);
}

/// (4) by the worst readings there are: the signs of the impulse response, backwards.
#[test]
fn noise_of_readings_stays_below_its_bound_and_reaches_it() {
    let (dt, noise, samples) = (1e-3, 1e-5, 400_usize);
    let alpha = L * dt / (1.0 + L * dt);
    let bound = 2.0 * alpha * (1.0 + alpha) * A * noise / (dt * dt);
    // Motors that give nothing: the estimate is that of the readings alone.
    let settings = Settings::pd([0.0], [0.0])
        .with_observer(ObserverSettings::equal(L, 1e6))
        .with_limits(Limits::equal(f64::MIN_POSITIVE, f64::INFINITY));
    let last = |reading: &mut dyn FnMut(usize) -> f64| {
        let mut regulator = Regulator::new(Slide { mass: A }, settings, &rest()).unwrap();
        // While the start is there, and without it.
        let mut worst = [0.0_f64; 2];
        for k in 0..samples {
            regulator.update(&rest(), &Measured::angles([reading(k)]), dt);
            let part = &mut worst[k / (samples / 2)];
            *part = nan_max(*part, regulator.disturbance()[0].abs());
        }
        (worst, regulator.disturbance()[0].abs())
    };
    // The signs of the impulse response, backwards: the newest counts +, the one before −, all others +.
    let (_, reached) = last(&mut |k| if k + 2 == samples { -noise } else { noise });
    assert!((reached / bound - 1.0).abs() < 1e-9, "{reached} {bound}");
    for seed in 0..20 {
        let mut random = Seeded::new(seed);
        let ([start, worst], _) = last(&mut |_| random.uniform(-noise, noise));
        assert!(worst <= bound && worst > 0.1 * bound, "{worst} {bound}");
        assert!(start <= 2.0 * bound, "{start} {bound}");
    }
}

/// At a limit of effort the estimate is that of the disturbance, not of what was wanted, however long it lasts.
#[test]
fn the_estimate_does_not_wind_up_at_a_limit() {
    let limits = Limits::equal(10.0, f64::INFINITY);
    for seconds in [0.05, 0.5] {
        let mut found = f64::NAN;
        // Pushed against a stop that gives way a little: 40 N for a while, of which 10 can be held.
        let push = move |t: f64| if t < seconds { 10.5 } else { 0.0 };
        let mut after = Vec::new();
        hold(observed(1e3).with_limits(limits), 1e-3, 4000, push, |t, q, d| {
            if t <= seconds {
                found = d;
            } else {
                after.push((q, d));
            }
        });
        let shape = 10.5 * (1.0 - (-L * seconds).exp());
        // 1 N: three samples until the first residual and two of delay
        assert!((found - shape).abs() < 1.0, "{seconds}: {found} {shape}");
        // What is left of the estimate falls as (1 − α)ⁿ: within 0.2 s by e⁻¹²
        assert!(after[200].1.abs() < 1e-3, "{seconds}: {:?}", after[200]);
        assert!(after.last().unwrap().0.abs() < 1e-6);
    }
}

const PAYLOAD: PayloadSettings<f64> =
    PayloadSettings { most: 3.0, start: 0.0, memory: 0.05, bandwidth: 300.0, least: 0.02 };

/// Weighted least squares in one sum, over data filtered in one sum.
#[test]
fn recursive_least_squares_are_least_squares() {
    let (dt, mut random) = (1e-3, Seeded::new(20));
    let data: Vec<([f64; 3], [f64; 3])> =
        (0..300).map(|_| (random.triple(2.0), random.triple(1.0))).collect();
    let settings = PayloadSettings { most: 1e3, start: 0.0, ..PAYLOAD };
    let mut estimate = PayloadEstimate::new(settings).unwrap();
    let alpha = settings.bandwidth * dt / (1.0 + settings.bandwidth * dt);
    let keep = settings.memory / (settings.memory + dt);
    let filtered = |n: usize, pick: &dyn Fn(usize) -> [f64; 3]| -> [f64; 3] {
        let start = pick(0).map(|x| x * (1.0 - alpha).powi(n as i32));
        (1..=n).fold(start, |sum, k| {
            let weight = alpha * (1.0 - alpha).powi((n - k) as i32);
            std::array::from_fn(|i| sum[i] + weight * pick(k)[i])
        })
    };
    let dot = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let shifted = 5.0; // keeps all sums above zero, where the estimate is not clamped
    let y = |k: usize| -> [f64; 3] { std::array::from_fn(|i| data[k].0[i] + shifted * data[k].1[i]) };
    let phi = |k: usize| data[k].1;
    for n in 0..data.len() {
        let found = estimate.update(&y(n), &phi(n), dt);
        let (mut above, mut below) = (0.0, 0.0);
        for k in 0..=n {
            let (y, phi, weight) = (filtered(k, &y), filtered(k, &phi), keep.powi((n - k) as i32));
            above += weight * dot(phi, y);
            below += weight * dot(phi, phi);
        }
        if below > settings.least.powi(2) / (1.0 - keep) && above > 0.0 {
            // 1e-9: sums of hundreds of products
            assert!((found - above / below).abs() < 1e-9 * (above / below), "{n}: {found} {}", above / below);
        }
        if n % 50 == 49 {
            assert!((estimate.covariance().unwrap() * below - 1.0).abs() < 1e-9);
        }
    }
}

/// (5) for noise that is not white, in a hundred runs.
#[test]
fn the_error_of_the_mass_stays_below_its_bound() {
    let (dt, samples) = (1e-3, 400);
    for seed in 0..100 {
        let mut random = Seeded::new(seed);
        let mass = random.uniform(0.2, 2.5);
        // The filter off, so that w is what is put in.
        let settings = PayloadSettings { bandwidth: 1e12, ..PAYLOAD };
        let mut estimate = PayloadEstimate::<f64, 3>::new(settings).unwrap();
        let keep = settings.memory / (settings.memory + dt);
        let (mut share, mut first) = (f64::NAN, None);
        for k in 0..samples {
            let swing = (0.02 * f64::from(k)).sin();
            let phi = [1.0 + swing, 0.5 - swing, random.uniform(0.2, 0.4)];
            let size = phi.iter().map(|x| x * x).sum::<f64>().sqrt();
            share = share.max(0.05 / size);
            let w = random.triple(0.05 / 3.0_f64.sqrt()).map(f64::abs); // one-sided
            let y = std::array::from_fn(|i| mass * phi[i] + w[i]);
            let found = estimate.update(&y, &phi, dt);
            let information = estimate.covariance().unwrap().recip();
            let first = *first.get_or_insert(information);
            let left = keep.powi(k) * first / information;
            assert!((found - mass).abs() <= left * mass + share, "seed {seed}, sample {k}: {found} {mass}");
        }
        assert!(share < 0.1);
    }
}

#[test]
fn without_excitation_nothing_grows_and_the_mass_stays_in_its_range() {
    let (dt, mut random) = (1e-3, Seeded::new(3));
    let mut estimate = PayloadEstimate::<f64, 3>::new(PayloadSettings { start: 1.2, ..PAYLOAD }).unwrap();
    let keep = PAYLOAD.memory / (PAYLOAD.memory + dt);
    let most = (1.0 - keep) / PAYLOAD.least.powi(2);
    for _ in 0..100_000 {
        estimate.update(&random.triple(1.0), &[0.0; 3], dt);
        assert!(estimate.covariance().unwrap() <= most * (1.0 + 1e-12));
    }
    assert_eq!(estimate.mass(), 1.2);
    // A first sample after that moves it by no more than its bound.
    let (y, phi) = ([1.0, -2.0, 0.5], [1e-3, 2e-3, -1e-3]);
    let norm = |v: [f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    let miss = std::array::from_fn(|i| y[i] - phi[i] * 1.2);
    let moved = (estimate.update(&y, &phi, dt) - 1.2).abs();
    assert!(moved <= norm(phi) * norm(miss) * most, "{moved}");
    // Whatever is measured.
    for k in 0..50_000 {
        let size = 10.0_f64.powi(k % 12 - 4);
        let (y, phi) = (random.triple(size), random.triple(1.0));
        let y = if k % 97 == 0 { [f64::NAN, 0.0, f64::INFINITY] } else { y };
        let mass = estimate.update(&y, &phi, dt);
        assert!((0.0..=PAYLOAD.most).contains(&mass), "{mass}");
    }
}

/// Torque from the energies alone, by dual numbers: no line in common with the model.
#[test]
fn a_mass_between_two_models_is_that_mass() {
    let delta = catalog::delta_direct_drive();
    let mut random = Seeded::new(8);
    for _ in 0..50 {
        let mass = random.uniform(0.0, 4.0);
        let carrying = Carrying::with_mass(delta.with_payload(0.0), delta.with_payload(1.5), 1.5, mass);
        let place = Pose::translation(V3::from(random.triple(0.1)) + V3::along_z(-0.32));
        let motion = Platform {
            pose: place,
            twist: Twist::new(V3::from(random.triple(2.0)), V3::zero()),
            acceleration: Twist::new(V3::from(random.triple(50.0)), V3::zero()),
        };
        let true_robot = delta.with_payload(mass);
        let joints = Model::<f64, 3>::joints(&carrying, &motion).value;
        let lagrange = |qdot: [f64; 3], qddot: [f64; 3]| {
            let [q, qdot, qddot] = [joints.q, qdot, qddot].map(V3::from);
            true_robot.lagrange_torque(q, qdot, qddot, Assembly::Below).to_array()
        };
        let wanted = lagrange(joints.qdot, joints.qddot);
        // 1e-11: rounding of differences of two models, by the share
        assert!(relative_error(&carrying.effort(&motion).value, &wanted) < 1e-11);
        let from = carrying.effort_from_joints(&place, &motion.twist, &joints.qddot).value;
        assert!(relative_error(&from, &wanted) < 1e-10);
        let zero = [0.0; 3];
        assert!(relative_error(&carrying.gravity(&place).value, &lagrange(zero, zero)) < 1e-11);
        let rows = Model::<f64, 3>::joint_mass_matrix(&carrying, &place).value;
        let weight = lagrange(zero, zero);
        for k in 0..3 {
            let unit = std::array::from_fn(|i| if i == k { 1.0 } else { 0.0 });
            let column: [f64; 3] = std::array::from_fn(|i| lagrange(zero, unit)[i] - weight[i]);
            assert!(relative_error(&rows.map(|row| row[k]), &column) < 1e-10);
        }
    }
}

/// There and back with a kilogram that the controller was not told of; the largest error \[rad\] of the last cycle and
/// the regulator after it.
fn carried(
    robot: &Delta<f64>,
    lag: f64,
    regulator: Regulator<Delta<f64>, f64, 3>,
) -> (f64, Regulator<Delta<f64>, f64, 3>) {
    let path = PickAndPlace::new(40.0);
    let mut regulator = regulator;
    let mut plant = Plant::at_rest(robot, path.at(0.0).pose.position, lag);
    let (dt, mut worst) = (1e-3, 0.0_f64);
    let moves = 6;
    let each = (path.duration / dt).ceil() as u32 + 20;
    // In the end it stands for 0.2 s.
    for k in 0..moves * each + 200 {
        let count = if k / each < moves { k / each } else { moves - 1 };
        let within = f64::from(k - count * each) * dt;
        let platform = if count % 2 == 0 {
            path.at(within)
        } else {
            let back = path.at(path.duration - nan_min(within, path.duration));
            Platform { twist: back.twist * -1.0, ..back }
        };
        let reference = reference(robot, &platform);
        let command = regulator.update(&reference, &plant.measured(), dt);
        if count + 1 == moves {
            worst = nan_max(worst, largest(command.error));
        }
        plant.hold(V3::from(command.effort), dt, 2);
    }
    (worst, regulator)
}

#[test]
fn a_delta_learns_a_kilogram_that_nobody_told() {
    let known = catalog::delta_direct_drive();
    let machine = known.with_payload(1.0);
    let lag = 2e-3;
    let start = reference(&known, &PickAndPlace::new(40.0).at(0.0));
    let settings = Settings::pd([704.0; 3], [7.85; 3]).with_model().with_drive_lag(lag);
    let fresh = |settings| Regulator::new(known, settings, &start).unwrap();
    let (blind, _) = carried(&machine, lag, fresh(settings));
    let (told, _) = carried(&machine, lag, Regulator::new(machine, settings, &start).unwrap());
    let adaptive = fresh(settings).adapting(known.with_payload(1.0), 1.0, PAYLOAD).unwrap();
    let (learned, adaptive) = carried(&machine, lag, adaptive);
    let mass = adaptive.payload().unwrap().mass();
    assert!((mass - 1.0).abs() < 0.02, "{mass}");
    assert!(learned < 1.1 * told && learned < 0.5 * blind, "{learned} {told} {blind}");
    // An observer sees the same kilogram as a disturbance that changes with the motion.
    let observer = ObserverSettings::equal(60.0, 50.0);
    let (observed, regulator) = carried(&machine, lag, fresh(settings.with_observer(observer)));
    assert!(observed < 0.7 * blind, "{observed} {blind}");
    // At rest it is the weight of the kilogram: the weight of the machine less that of the model.
    let place = Pose::translation(PickAndPlace::new(40.0).at(0.0).pose.position);
    let [heavy, light] = [machine, known].map(|delta| Model::<f64, 3>::gravity(&delta, &place).value);
    let weight: [f64; 3] = std::array::from_fn(|k| heavy[k] - light[k]);
    assert!(
        relative_error(regulator.disturbance(), &weight) < 0.2,
        "{:?} {weight:?}",
        regulator.disturbance()
    );
}

/// A supervisor resets what was measured and keeps what is carried; it brakes with the mass that was learned.
#[test]
fn a_supervisor_keeps_the_mass_and_forgets_the_disturbance() {
    let known = catalog::delta_direct_drive();
    let machine = known.with_payload(1.0);
    let start = reference(&known, &PickAndPlace::new(40.0).at(0.0));
    let settings =
        Settings::pd([704.0; 3], [7.85; 3]).with_model().with_observer(ObserverSettings::equal(60.0, 20.0));
    let regulator = Regulator::new(known, settings, &start).unwrap();
    let regulator = regulator.adapting(known.with_payload(1.0), 1.0, PAYLOAD).unwrap();
    let mut watched = Supervisor::new(regulator, guard(brake()), &start).unwrap();
    let mut plant = Plant::at_rest(&machine, PickAndPlace::new(40.0).at(0.0).pose.position, 0.0);
    let mut step = |watched: &mut Supervisor<_, f64, 3>, measured: Option<Measured<f64, 3>>| {
        let command = watched.update(&start, measured.as_ref(), 1e-3);
        assert!(command.effort.iter().all(|u| u.is_finite()));
        plant.hold(V3::from(command.effort), 1e-3, 2);
        (plant.measured(), command)
    };
    let mut seen = Measured::angles(start.q);
    for _ in 0..600 {
        seen = step(&mut watched, Some(seen)).0;
    }
    let mass = |watched: &Supervisor<Regulator<Delta<f64>, f64, 3>, f64, 3>| {
        watched.regulator().payload().unwrap().mass()
    };
    let learned = mass(&watched);
    assert!((learned - 1.0).abs() < 0.02, "{learned}");
    // The sensors fail: the safe command holds the machine with the mass it has learned.
    let mut given = [f64::NAN; 3];
    for _ in 0..100 {
        given = step(&mut watched, Some(Measured::angles([f64::NAN; 3]))).1.effort;
    }
    assert!(watched.fault().is_some());
    let place = Pose::translation(plant.position());
    let weight = Model::<f64, 3>::gravity(&machine, &place).value;
    assert!(relative_error(&given, &weight) < 0.03, "{given:?} {weight:?}");
    watched.reset(&reference(&known, &Platform::rest(place)));
    assert_eq!(mass(&watched), learned);
    assert_eq!(*watched.regulator().disturbance(), [0.0; 3]);
}

#[test]
fn settings_that_make_no_estimate_are_refused() {
    let start = rest();
    let new = |settings| Regulator::new(Slide { mass: A }, settings, &start);
    for (bandwidth, most) in [(0.0, 1.0), (f64::NAN, 1.0), (10.0, 0.0), (10.0, f64::INFINITY)] {
        let settings = Settings::pd([1.0], [1.0]).with_observer(ObserverSettings::equal(bandwidth, most));
        assert!(new(settings).unwrap_err().field.starts_with("observer."));
    }
    let late = Settings::pd([1.0], [1.0]).with_drive_lag(-1e-3);
    assert_eq!(new(late).unwrap_err().fault, SettingsFault::Negative { value: -1e-3 });
    let plain = || new(Settings::pd([1.0], [1.0])).unwrap();
    let heavier = Slide { mass: A + 1.0 };
    assert!(plain().adapting(heavier, 1.0, PAYLOAD).is_ok());
    assert_eq!(plain().adapting(heavier, 0.0, PAYLOAD).unwrap_err().field, "payload.difference");
    for bad in [
        PayloadSettings { most: f64::INFINITY, ..PAYLOAD },
        PayloadSettings { start: -1.0, ..PAYLOAD },
        PayloadSettings { memory: 0.0, ..PAYLOAD },
        PayloadSettings { bandwidth: f64::NAN, ..PAYLOAD },
        PayloadSettings { least: 0.0, ..PAYLOAD },
    ] {
        assert!(plain().adapting(heavier, 1.0, bad).unwrap_err().field.starts_with("payload."));
    }
}
