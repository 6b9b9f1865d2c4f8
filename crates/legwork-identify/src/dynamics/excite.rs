//! Exciting motions: sums of sines of all motors that tell as much as they can of the base parameters.
//!
//! ```text
//! q_k(t) = q_k⁰ + s Σ_n [a_kn sin nωt + b_kn (cos nωt − 1)] / n,   Σ_n a_kn = 0,   Σ_n n b_kn = 0        (1)
//! ```
//!
//! so that the motion begins and ends at home, at rest and without acceleration. For some coefficients s is made as large
//! as limits, reach and the distance from singularities allow; coefficients are then varied, first at random and
//! later about the best ones, until the columns of the base regressor are as well conditioned as the work that was
//! allowed gives. The same seed gives the same motion.

use super::base::BaseParameters;
use super::filter::rms;
use super::matrix::{Columns, norm};
use super::regressor::Regressor;
use legwork::random::Random;
use legwork::task::{Handle, TaskError};
use legwork::{AnyRobot, PlatformState};
use std::f64::consts::TAU;

/// What an exciting motion may be.
#[derive(Clone, Debug, PartialEq)]
pub struct ExciteSettings {
    /// Of one period \[s\].
    pub duration: f64,
    /// How many sines each motor has.
    pub harmonics: usize,
    /// How many motions are tried.
    pub trials: usize,
    /// Smallest distance from parallel and serial singularities, as a part of that at home.
    pub clearance: f64,
    /// Part of the limits of speed and effort that is used.
    pub share: f64,
    /// Largest acceleration of the motors \[rad/s² or m/s²\]; `None` is four times what gravity does to a pendulum as long as
    /// the robot.
    pub acceleration: Option<f64>,
    /// Of the random numbers.
    pub seed: u64,
}

impl Default for ExciteSettings {
    fn default() -> Self {
        Self {
            duration: 4.0,
            harmonics: 5,
            trials: 60,
            clearance: 0.3,
            share: 0.8,
            acceleration: None,
            seed: 1,
        }
    }
}

/// Rows a period is looked at before it is believed.
const CHECKED: usize = 120;
/// Rows a period that the condition is computed from.
const JUDGED: usize = 60;
/// Farthest from home \[rad, or lengths of the robot\].
const FARTHEST: f64 = 0.7;
/// How often a motion is made smaller before it is given up.
const SMALLER: usize = 24;

/// A motion of the motors (1).
#[derive(Clone, Debug, PartialEq)]
pub struct ExcitingMotion {
    /// Of one period \[s\].
    pub duration: f64,
    home: Vec<f64>,
    /// s a and s b of each motor.
    waves: Vec<Vec<[f64; 2]>>,
    /// Condition of the scaled columns of the base regressor.
    pub condition: f64,
    /// That of the first motion that could be used.
    pub first_condition: f64,
    /// How many motions were tried.
    pub trials: usize,
    /// How many base parameters it is about.
    pub base_count: usize,
}

impl ExcitingMotion {
    /// Places, speeds and accelerations of the motors at a time (1).
    pub fn at(&self, time: f64) -> [Vec<f64>; 3] {
        let omega = TAU / self.duration;
        let motors = self.home.len();
        let mut out = [self.home.clone(), vec![0.0; motors], vec![0.0; motors]];
        for (motor, waves) in self.waves.iter().enumerate() {
            for (k, [a, b]) in waves.iter().enumerate() {
                let n = (k + 1) as f64;
                let (sin, cos) = (n * omega * time).sin_cos();
                out[0][motor] += (a * sin + b * (cos - 1.0)) / n;
                out[1][motor] += (a * cos - b * sin) * omega;
                out[2][motor] -= (a * sin + b * cos) * n * omega * omega;
            }
        }
        out
    }

    fn scaled(&self, factor: f64) -> Self {
        let waves = self.waves.iter().map(|list| list.iter().map(|two| two.map(|x| x * factor)).collect());
        Self { waves: waves.collect(), ..self.clone() }
    }

    /// Platform states along a period; `None` where the robot does not come along.
    fn states(
        &self,
        robot: &AnyRobot,
        rows: usize,
        settings: &ExciteSettings,
        clear: [f64; 2],
    ) -> Option<Vec<PlatformState>> {
        let mut led = robot.clone();
        let mut near = robot.home();
        let mut states = Vec::new();
        for row in 0..rows {
            let [q, qd, qdd] = self.at(self.duration * row as f64 / rows as f64);
            for ((joint, q), qd) in robot.joints().iter().zip(&q).zip(&qd) {
                let too_fast = joint.max_speed.is_some_and(|most| qd.abs() > settings.share * most);
                if joint.is_outside(*q) || too_fast {
                    return None;
                }
            }
            let state = led.platform_from_joints(&q, &qd, &qdd, &near).ok()?;
            near = PlatformState::at(state.position).turned(state.rotation);
            if led.is_followed() && row % 10 == 9 {
                led = led.led_to(&near).ok()?;
            }
            let singular = led.singularity(&state).ok()?;
            let serial = singular.serial.iter().fold(f64::INFINITY, |least, x| least.min(x.abs()));
            if !(singular.parallel > clear[0] && serial > clear[1]) || led.inverse_kinematics(&near).is_err()
            {
                return None;
            }
            let effort = led.inverse_dynamics(&state).ok()?;
            let too_strong = robot.joints().iter().zip(&effort).any(|(joint, effort)| {
                joint.max_effort.is_some_and(|most| effort.abs() > settings.share * most)
            });
            if too_strong {
                return None;
            }
            states.push(state);
        }
        Some(states)
    }
}

/// The best motion that so many trials find.
pub fn exciting_motion(
    robot: &AnyRobot,
    settings: &ExciteSettings,
    handle: &Handle<'_>,
) -> Result<ExcitingMotion, TaskError> {
    if robot.joints().len() != robot.freedoms().len() {
        let what = format!(
            "`{}` has {} motors for {} freedoms, so its motors cannot be moved one by one",
            robot.name(),
            robot.joints().len(),
            robot.freedoms().len()
        );
        return Err(
            TaskError::request(what).or("record a motion of the platform in all its freedoms instead")
        );
    }
    let mut regressor = Regressor::new(robot)?;
    let base = BaseParameters::of(&regressor, settings.seed)?;
    let home = robot.inverse_kinematics(&robot.home())?.q;
    let at_home = robot.singularity(&robot.home())?;
    let serial = at_home.serial.iter().fold(f64::INFINITY, |least, x| least.min(x.abs()));
    let clear = [at_home.parallel, serial].map(|clear| settings.clearance * clear);
    let most = settings.acceleration.unwrap_or(4.0 * 9.81 / robot.length());
    let mut random = Random::new(settings.seed);
    let empty = ExcitingMotion {
        duration: settings.duration,
        home,
        waves: Vec::new(),
        condition: f64::INFINITY,
        first_condition: f64::INFINITY,
        trials: 0,
        base_count: base.count(),
    };
    let mut best = empty.clone();
    for trial in 0..settings.trials.max(1) {
        handle.go_on()?;
        handle.report(trial as f64 / settings.trials.max(1) as f64, "motions");
        // The first half at random, then about the best one, nearer and nearer.
        let about = (2 * trial >= settings.trials && best.condition.is_finite()).then_some(&best);
        let spread = 0.6 * (1.5 - trial as f64 / settings.trials.max(1) as f64).powi(4);
        let Some(motion) = candidate(robot, settings, (&empty, about, spread, most), &mut random) else {
            continue;
        };
        let fitting = (0..SMALLER).find_map(|k| {
            let smaller = motion.scaled(0.8_f64.powi(i32::try_from(k).unwrap_or(0)));
            smaller.states(robot, CHECKED, settings, clear).map(|states| (smaller, states))
        });
        let Some((mut motion, states)) = fitting else { continue };
        motion.condition = condition(&mut regressor, &base, &states)?;
        if !best.first_condition.is_finite() {
            best.first_condition = motion.condition;
        }
        if motion.condition < best.condition {
            motion.first_condition = best.first_condition;
            best = motion;
        }
    }
    best.trials = settings.trials.max(1);
    if best.waves.is_empty() {
        let what = format!("no motion of all motors of `{}` about its home keeps its limits", robot.name());
        return Err(TaskError::request(what)
            .or("give it a `home` in the middle of its reach, or a smaller `clearance`"));
    }
    Ok(best)
}

/// Coefficients that begin and end at rest, as large as accelerations allow.
fn candidate(
    robot: &AnyRobot,
    settings: &ExciteSettings,
    (empty, about, spread, most): (&ExcitingMotion, Option<&ExcitingMotion>, f64, f64),
    random: &mut Random,
) -> Option<ExcitingMotion> {
    let harmonics = settings.harmonics.max(2);
    let mut waves = Vec::new();
    for (motor, joint) in robot.joints().iter().enumerate() {
        let size = if joint.slides { 0.1 * robot.length() } else { 0.4 };
        let mut own: Vec<[f64; 2]> =
            (0..harmonics).map(|_| [(); 2].map(|()| size * random.uniform(-1.0, 1.0))).collect();
        if let Some(best) = about {
            for (slot, best) in own.iter_mut().zip(&best.waves[motor]) {
                *slot = [0, 1].map(|k| best[k] + spread * slot[k]);
            }
        }
        let mean = own.iter().map(|two| two[0]).sum::<f64>() / harmonics as f64;
        let number = |k: usize| (k + 1) as f64;
        let (along, squares) = own.iter().enumerate().fold((0.0, 0.0), |(along, squares), (k, two)| {
            (along + number(k) * two[1], squares + number(k) * number(k))
        });
        for (k, two) in own.iter_mut().enumerate() {
            *two = [two[0] - mean, two[1] - number(k) * along / squares];
        }
        waves.push(own);
    }
    let motion = ExcitingMotion { waves, ..empty.clone() };
    let [mut largest, mut farthest] = [0.0_f64; 2];
    for row in 0..CHECKED {
        let [q, _, qdd] = motion.at(motion.duration * row as f64 / CHECKED as f64);
        for (k, joint) in robot.joints().iter().enumerate() {
            let size = if joint.slides { robot.length() } else { 1.0 };
            largest = largest.max(qdd[k].abs() / size);
            farthest = farthest.max((q[k] - motion.home[k]).abs() / size);
        }
    }
    // As far as legs go without leaving what they were built for, and as fast as asked.
    (largest > 0.0).then(|| motion.scaled((most / largest).min(FARTHEST / farthest)))
}

/// Condition of the columns, each row over the size of its motor's effort, each column over its length.
fn condition(
    regressor: &mut Regressor,
    base: &BaseParameters,
    states: &[PlatformState],
) -> Result<f64, TaskError> {
    let motors = regressor.robot().joints().len();
    let mut columns = vec![Columns(vec![Vec::new(); base.count()]); motors];
    let mut efforts = vec![Vec::new(); motors];
    let values = regressor.parameters().values();
    let home = regressor.robot().clone();
    for state in states.iter().step_by((states.len() / JUDGED).max(1)) {
        regressor.lead(state)?;
        let rows = regressor.rows(state)?;
        let effort = rows.columns.times(&values);
        for motor in 0..motors {
            for (all, place) in columns[motor].0.iter_mut().zip(&base.independent) {
                all.push(rows.columns.0[*place][motor]);
            }
            efforts[motor].push(effort[motor] + rows.known[motor]);
        }
    }
    if home.is_followed() {
        regressor.lead_back(&home)?;
    }
    let mut all: Vec<Vec<f64>> = vec![Vec::new(); base.count()];
    for (columns, effort) in columns.iter().zip(&efforts) {
        let size = rms(effort).max(1e-300);
        for (all, own) in all.iter_mut().zip(&columns.0) {
            all.extend(own.iter().map(|x| x / size));
        }
    }
    let scaled = all.iter().map(|column| {
        let size = norm(column).max(1e-300);
        column.iter().map(|x| x / size).collect()
    });
    let found = Columns(scaled.collect()).singular_values();
    Ok(found.first().copied().unwrap_or(1.0) / found.last().copied().unwrap_or(1.0).max(1e-300))
}
