//! Base parameters: the combinations of parameters that motion can tell.
//!
//! Over many random states the columns of the regressor are put one after the other, in the order of the list. One that
//! the columns before it do not give stands for a base parameter; another one is a sum of them,
//!
//! ```text
//! w_d = Σ_b k_bd w_b,   so   W θ = Σ_b w_b (θ_b + Σ_d k_bd θ_d)              (1)
//! ```
//!
//! and what stands in the parentheses is all that efforts tell of its parameters. Found with numbers, not from the
//! structure of the robot, so closed chains need no theory of their own; the gap between the smallest singular value that
//! counts and the largest one that does not says how sure the count is.

use super::matrix::{Columns, add, dot, norm};
use super::parameters::Parameters;
use super::regressor::Regressor;
use legwork::random::Random;
use legwork::{AnyRobot, PlatformState, RobotError, rotation};
use std::fmt::Write;

/// Below this a column is what the others make of it: rounding of efforts, times the condition of postures.
const DEPENDENT: f64 = 1e-7;
/// Below this a coefficient is rounding.
const NOTHING: f64 = 1e-7;

/// The base parameters of a robot.
#[derive(Clone, Debug, PartialEq)]
pub struct BaseParameters {
    /// Places of the parameters that stand for a base parameter each.
    pub independent: Vec<usize>,
    /// For each of them the other parameters in its combination, with their factors.
    pub combinations: Vec<Vec<(usize, f64)>>,
    /// Parameters that efforts do not depend on at all.
    pub without_effect: Vec<usize>,
    /// The smallest singular value that counts, and the largest one that does not, in units of the largest.
    pub gap: [f64; 2],
}

impl BaseParameters {
    /// Over random states of a robot about its home; the seed repeats them.
    pub fn of(regressor: &Regressor, seed: u64) -> Result<Self, RobotError> {
        let count = regressor.parameters().list.len();
        let motors = regressor.robot().joints().len();
        let states = random_states(regressor.robot(), (3 * count).div_ceil(motors).max(20), seed)?;
        let mut columns = Columns(vec![Vec::new(); count]);
        for state in &states {
            let rows = regressor.rows(state)?;
            for (all, own) in columns.0.iter_mut().zip(rows.columns.0) {
                all.extend(own);
            }
        }
        Ok(Self::of_columns(&columns))
    }

    /// Of the columns of many rows.
    pub fn of_columns(columns: &Columns) -> Self {
        Self::of_columns_within(columns, DEPENDENT)
    }

    /// The same where a column counts as a sum of others if less than this part of its length is across them.
    pub fn of_columns_within(columns: &Columns, dependent: f64) -> Self {
        let sizes: Vec<f64> = columns.0.iter().map(|column| norm(column)).collect();
        let largest = sizes.iter().copied().fold(0.0, f64::max);
        let mut base = Self {
            independent: Vec::new(),
            combinations: Vec::new(),
            without_effect: Vec::new(),
            gap: [0.0; 2],
        };
        let mut basis: Vec<Vec<f64>> = Vec::new();
        // Each basis vector as a sum of the independent columns.
        let mut made: Vec<Vec<f64>> = Vec::new();
        let mut units = Vec::new();
        for (k, column) in columns.0.iter().enumerate() {
            if sizes[k].is_nan() || sizes[k] <= 1e-13 * largest {
                base.without_effect.push(k);
                continue;
            }
            let mut rest: Vec<f64> = column.iter().map(|x| x / sizes[k]).collect();
            units.push(rest.clone());
            let mut parts = vec![0.0; basis.len()];
            // Twice, so that what is left is across the others to rounding.
            for _ in 0..2 {
                for (part, direction) in parts.iter_mut().zip(&basis) {
                    let along = dot(direction, &rest);
                    *part += along;
                    add(&mut rest, -along, direction);
                }
            }
            let left = norm(&rest);
            let mut sum = vec![0.0; base.independent.len()];
            for (part, made) in parts.iter().zip(&made) {
                add(&mut sum, *part, made);
            }
            if left > dependent {
                base.independent.push(k);
                base.combinations.push(Vec::new());
                basis.push(rest.iter().map(|x| x / left).collect());
                for made in &mut made {
                    made.push(0.0);
                }
                let mut own: Vec<f64> = sum.iter().map(|x| -x / left).collect();
                own.push(left.recip());
                made.push(own);
            } else {
                for (of, (independent, factor)) in base.independent.iter().zip(&sum).enumerate() {
                    if factor.abs() > NOTHING {
                        base.combinations[of].push((k, factor * sizes[k] / sizes[*independent]));
                    }
                }
            }
        }
        let values = Columns(units).singular_values();
        let count = base.independent.len();
        let part = |k: usize| values.get(k).map_or(0.0, |value| value / values[0]);
        base.gap = [if count == 0 { 0.0 } else { part(count - 1) }, part(count)];
        base
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.independent.len()
    }

    /// Their values for values of the parameters (1).
    pub fn values(&self, parameters: &[f64]) -> Vec<f64> {
        let value = |(place, others): (&usize, &Vec<(usize, f64)>)| {
            parameters[*place] + others.iter().map(|(other, factor)| factor * parameters[*other]).sum::<f64>()
        };
        self.independent.iter().zip(&self.combinations).map(value).collect()
    }

    /// Their names: `arm.izz + motors.inertia + 0.0900 elbow.mass`.
    pub fn names(&self, parameters: &Parameters) -> Vec<String> {
        let name = |(place, others): (&usize, &Vec<(usize, f64)>)| {
            let mut text = parameters.list[*place].name.clone();
            for (other, factor) in others {
                let (sign, size) = if *factor < 0.0 { ('-', -factor) } else { ('+', *factor) };
                let size =
                    if (size - 1.0).abs() < 1e-6 { String::new() } else { format!("{} ", short(size)) };
                let _ = write!(text, " {sign} {size}{}", parameters.list[*other].name);
            }
            text
        };
        self.independent.iter().zip(&self.combinations).map(name).collect()
    }

    /// Names of parameters that are known only together with others.
    pub fn only_together<'a>(&self, parameters: &'a Parameters) -> Vec<&'a str> {
        let alone = |k: usize| {
            let place = self.independent.iter().position(|place| *place == k);
            place.is_some_and(|place| self.combinations[place].is_empty())
        };
        let names = parameters.list.iter().enumerate();
        names
            .filter(|(k, _)| !alone(*k) && !self.without_effect.contains(k))
            .map(|(_, parameter)| parameter.name.as_str())
            .collect()
    }
}

/// Four digits.
fn short(x: f64) -> String {
    let digits = 3 - x.abs().log10().floor().clamp(-12.0, 3.0) as i32;
    let text = format!("{x:.*}", usize::try_from(digits.max(0)).unwrap_or(0));
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
}

/// Random states about home, within the limits of the motors and away from singularities: everywhere where motion can
/// be. Fewer than asked for if the robot is narrow.
pub fn random_states(robot: &AnyRobot, count: usize, seed: u64) -> Result<Vec<PlatformState>, RobotError> {
    let mut random = Random::new(seed);
    let home = robot.home();
    let clear = robot.singularity(&home)?.parallel * 0.2;
    let mut states = Vec::new();
    let (mut size, most) = (0.3, 60 * count);
    for tries in 1..=most {
        // A robot that reaches less than a third of its size is asked nearer to home.
        if tries % (10 * count) == 0 {
            size *= 0.5;
        }
        let Some(state) = random_state(robot, &home, size, &mut random) else { continue };
        let q = robot.inverse_kinematics(&state).map(|found| found.q);
        let inside = q.is_ok_and(|q| robot.outside_limits(&q).is_ok_and(|outside| outside.is_empty()));
        let is_clear = robot.singularity(&state).is_ok_and(|found| found.parallel > clear);
        if inside && is_clear && robot.inverse_dynamics(&state).is_ok() {
            states.push(state);
            if states.len() == count {
                break;
            }
        }
    }
    Ok(states)
}

/// A state of a pose that is off home by parts of the robot's size.
fn random_state(
    robot: &AnyRobot,
    home: &PlatformState,
    size: f64,
    random: &mut Random,
) -> Option<PlatformState> {
    let length = robot.length();
    let rate = (9.81 / length).sqrt();
    let mut state = *home;
    for freedom in robot.freedoms() {
        let (scale, component) = (if freedom.turns() { 1.0 } else { length }, freedom.component);
        let off = random.uniform(-size, size) * scale;
        state.twist[component] = 3.0 * rate * random.uniform(-1.0, 1.0) * scale;
        state.acceleration[component] = 5.0 * rate * rate * random.uniform(-1.0, 1.0) * scale;
        if freedom.turns() {
            let turn = rotation::about_coordinate(component - 3, off);
            state.rotation = rotation::product(&turn, &state.rotation);
        } else {
            state.position[component] += off;
        }
    }
    // Of a mechanism the independent components count, the others follow.
    robot.whole_pose(&state).ok().map(|whole| PlatformState {
        twist: state.twist,
        acceleration: state.acceleration,
        ..whole
    })
}
