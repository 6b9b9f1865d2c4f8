//! The closed loop between its samples, exact.
//!
//! The machine about a pose where it rests, its drives, and what its encoders give at the sample k,
//!
//! ```text
//! M ẍ + (D + Jᵀ V J) ẋ + K x = E τ,   T_i τ̇_i = u_i − τ_i,   q = J x                            (1)
//! q̂_k = q((k − d − p) T),   v̂_k = (q̂_k − q̂_{k−1})/T, or q̇ of the same instant with tachometers   (2)
//! ```
//!
//! with u held over a period T, d whole samples and a part p of one by which encoders are late. Over a period (1) is a
//! matrix exponential. With what the encoders remember and the regulator's integral it is one linear map
//!
//! ```text
//! s⁺ = A s + B u,   u = U s                                                                     (3)
//! ```
//!
//! and nothing in it is an approximation of sampling, holding or lagging. There is no delay of computation: a command
//! begins at the sample that it is computed from, as in [`sim`](crate::sim).

use super::TuningError;
use super::law::LinearLaw;
use crate::analysis::linear::{Coordinates, DMatrix, LinearError, Reduced};
use crate::experiment::{ControllerKind, Experiment, ResolvedGains};
use nalgebra::Cholesky;

/// The most numbers that a loop may remember.
const MOST_STATES: usize = 240;
/// A lag of a smaller share of the period is none.
const NO_LAG: f64 = 1e-6;

/// A loop in the form (3).
#[derive(Clone, Debug, PartialEq)]
pub struct SampledLoop {
    /// A, with the loop open.
    pub open: DMatrix<f64>,
    /// B, from the commands.
    pub input: DMatrix<f64>,
    /// U, to the commands.
    pub feedback: DMatrix<f64>,
    /// Joints of the machine at a sample, of s.
    pub joints: DMatrix<f64>,
    /// What a reference of the motors adds to the integral.
    pub(super) to_integral: DMatrix<f64>,
    /// T \[s\]
    pub period: f64,
    /// One unit of command \[N m or N\]: keeps the numbers of (3) near each other.
    pub effort_unit: f64,
}

/// The machine and the robot that the controller knows, at rest half-way, in platform coordinates; at the start of the
/// motion if they cannot be there.
pub(super) fn half_way(experiment: &Experiment<'_>) -> Result<[Reduced; 2], TuningError> {
    let machine = experiment.plant().robot_at_start(experiment.robot())?;
    let both = |place| -> Result<[Reduced; 2], LinearError> {
        let at = |robot| Reduced::within(robot, &place, Coordinates::Platform);
        Ok([at(&machine)?, at(experiment.known_at_start())?])
    };
    let motion = experiment.motion();
    Ok(both(motion.middle()).or_else(|_| both(motion.platform(0.0)))?)
}

/// The machine and its drives over a time \[s\]: s ↦ Φ s + Γ u.
struct Machine {
    a: DMatrix<f64>,
    b: DMatrix<f64>,
}

impl Machine {
    /// (1) in continuous time, with efforts in units of `unit`.
    fn new(
        machine: &Reduced,
        lags: &[f64],
        viscous: &[f64],
        period: f64,
        unit: f64,
    ) -> Result<Self, LinearError> {
        let (n, m) = (machine.order(), lags.len());
        let mass = Cholesky::new(machine.mass.clone());
        let inverse = mass.ok_or(LinearError::NotFinite { what: "the mass matrix" })?.inverse();
        let rubbing = DMatrix::from_fn(m, m, |i, j| if i == j { viscous[i] } else { 0.0 });
        let damping = &machine.damping + machine.to_joints.transpose() * rubbing * &machine.to_joints;
        let push = &inverse * &machine.input * unit;
        let late: Vec<usize> = (0..m).filter(|k| lags[*k] > NO_LAG * period).collect();
        let size = 2 * n + late.len();
        let (mut a, mut b) = (DMatrix::zeros(size, size), DMatrix::zeros(size, m));
        a.view_mut((0, n), (n, n)).fill_with_identity();
        a.view_mut((n, 0), (n, n)).copy_from(&-(&inverse * &machine.stiffness));
        a.view_mut((n, n), (n, n)).copy_from(&-(&inverse * damping));
        for k in 0..m {
            match late.iter().position(|late| *late == k) {
                Some(place) => {
                    a.view_mut((n, 2 * n + place), (n, 1)).copy_from(&push.column(k));
                    a[(2 * n + place, 2 * n + place)] = -1.0 / lags[k];
                    b[(2 * n + place, k)] = 1.0 / lags[k];
                }
                None => b.view_mut((n, k), (n, 1)).copy_from(&push.column(k)),
            }
        }
        Ok(Self { a, b })
    }

    /// Φ and Γ after a time \[s\] of held commands.
    fn after(&self, time: f64) -> (DMatrix<f64>, DMatrix<f64>) {
        let (n, m) = self.b.shape();
        let mut both = DMatrix::zeros(n + m, n + m);
        both.view_mut((0, 0), (n, n)).copy_from(&(&self.a * time));
        both.view_mut((0, n), (n, m)).copy_from(&(&self.b * time));
        let over = both.exp();
        (over.view((0, 0), (n, n)).into_owned(), over.view((0, n), (n, m)).into_owned())
    }
}

impl SampledLoop {
    /// The loop of a regulator of an experiment.
    pub fn of(experiment: &Experiment<'_>, kind: ControllerKind) -> Result<Self, TuningError> {
        let gains = experiment.resolved_gains(kind)?;
        Self::at_frequency(experiment, &half_way(experiment)?, kind, &gains, None)
    }

    /// The same with gains that are known, and by another frequency \[rad/s\] if one is given.
    pub(super) fn at_frequency(
        experiment: &Experiment<'_>,
        [machine, known]: &[Reduced; 2],
        kind: ControllerKind,
        gains: &ResolvedGains,
        frequency: Option<f64>,
    ) -> Result<Self, TuningError> {
        let (plant, period) = (experiment.plant(), experiment.period());
        let law = LinearLaw::of(experiment, known, kind, gains, frequency)?;
        let m = law.position.nrows();
        let largest = law.position.amax().max(law.rate.amax() / period);
        let unit = if largest.is_finite() && largest > 0.0 { largest } else { 1.0 };
        let body = Machine::new(machine, &plant.lags(m), &plant.viscous(m), period, unit)?;
        let (step, push) = body.after(period);
        let (physical, n) = (step.nrows(), machine.order());
        let has_speeds = plant.has_tachometers();
        let seen = if has_speeds { 2 * m } else { m };
        // What a reading is of the machine's state.
        let mut read = DMatrix::zeros(seen, physical);
        read.view_mut((0, 0), (m, n)).copy_from(&machine.to_joints);
        if has_speeds {
            read.view_mut((m, n), (m, n)).copy_from(&machine.to_joints);
        }
        let (whole, part) = plant.delay_in_samples(period);
        let between = part > 0.0;
        let has_integral = law.integral.amax() > 0.0;
        // Readings that are remembered: those on their way, and the one before for its difference.
        let ring = whole.saturating_add(usize::from(!has_speeds));
        let memory = seen.saturating_mul(ring.saturating_add(usize::from(between)));
        let states = physical.saturating_add(memory).saturating_add(if has_integral { m } else { 0 });
        if states > MOST_STATES {
            return Err(TuningError::TooLarge { states, most: MOST_STATES });
        }
        let (mut a, mut b) = (DMatrix::zeros(states, states), DMatrix::zeros(states, m));
        a.view_mut((0, 0), (physical, physical)).copy_from(&step);
        b.view_mut((0, 0), (physical, m)).copy_from(&push);
        // The reading of this sample, of the whole state.
        let mut fresh = DMatrix::zeros(seen, states);
        let mut next = physical;
        if between {
            // It was made between the last sample and this one.
            let (step, push) = body.after((1.0 - part) * period);
            a.view_mut((next, 0), (seen, physical)).copy_from(&(&read * step));
            b.view_mut((next, 0), (seen, m)).copy_from(&(&read * push));
            fresh.view_mut((0, next), (seen, seen)).fill_with_identity();
            next += seen;
        } else {
            fresh.view_mut((0, 0), (seen, physical)).copy_from(&read);
        }
        // The readings of this sample and of those before.
        let mut readings = vec![fresh];
        for _ in 0..ring {
            if let Some(newer) = readings.last() {
                a.view_mut((next, 0), (seen, states)).copy_from(newer);
            }
            let mut older = DMatrix::zeros(seen, states);
            older.view_mut((0, next), (seen, seen)).fill_with_identity();
            readings.push(older);
            next += seen;
        }
        let position = readings[whole].rows(0, m).into_owned(); // (2)
        let rate = if has_speeds {
            readings[whole].rows(m, m).into_owned()
        } else {
            (&position - readings[whole + 1].rows(0, m)) / period
        };
        let mut feedback = -(&law.position * &position + &law.rate * &rate) / unit;
        let mut to_integral = DMatrix::zeros(states, m);
        if has_integral {
            let gathered = &law.integral * period / unit;
            let mut sums = -(&gathered * &position);
            for k in 0..m {
                sums[(k, next + k)] += 1.0;
            }
            a.view_mut((next, 0), (m, states)).copy_from(&sums);
            let kept = feedback.columns(next, m) + &law.weight;
            feedback.columns_mut(next, m).copy_from(&kept);
            to_integral.view_mut((next, 0), (m, m)).copy_from(&gathered);
        }
        let mut joints = DMatrix::zeros(m, states);
        joints.view_mut((0, 0), (m, n)).copy_from(&machine.to_joints);
        Ok(Self { open: a, input: b, feedback, joints, to_integral, period, effort_unit: unit })
    }

    /// A + g B U: the closed loop with all gains g times as large.
    pub fn closed(&self, factor: f64) -> DMatrix<f64> {
        &self.open + &self.input * &self.feedback * factor
    }

    /// Motors.
    pub fn motors(&self) -> usize {
        self.input.ncols()
    }
}
