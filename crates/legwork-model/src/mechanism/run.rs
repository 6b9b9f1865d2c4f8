//! A mechanism in time under constant efforts, exact to rounding: Gragg's midpoint steps, extrapolated
//! \[HairerNorsettWanner1993, Sec. II.9\].
//!
//! The state is all coordinates of the tree, the rates of the independent motors and those of the idle freedoms. After
//! every step the loops are closed again by Newton's method, and the elimination is ordered anew where it has to be.

use super::model::{Configuration, MechanismModel, largest};
use super::owned::Workspace;
use super::{MechanismEnergies, MechanismError};
use legwork_core::engine::Wrench;
use legwork_core::mechanism::{Motion, TreeJoint};

/// Numbers of midpoint steps that are extrapolated.
const PARTS: [usize; 8] = [2, 4, 6, 8, 10, 12, 14, 16];
/// Error of a step, relative to the size of what moves.
const TOLERANCE: f64 = 1e-13;
/// Steps between two instants at most.
const MOST_STEPS: usize = 20_000;
/// With a smaller margin, beside that where the order was chosen, the elimination is ordered anew.
const REORDER: f64 = 0.05;

/// A mechanism at an instant.
#[derive(Clone, Debug, PartialEq)]
pub struct MechanismSample {
    /// \[s\]
    pub time: f64,
    /// Where it is.
    pub at: Configuration,
    /// Rates of all motors \[rad/s or m/s\].
    pub rates: Vec<f64>,
    /// Energies, with what idle freedoms have \[J\].
    pub energies: MechanismEnergies,
}

/// Coordinates, rates of the independent motors, idle rates; and how they change.
struct Flow<'a> {
    model: &'a MechanismModel,
    workspace: Workspace<f64>,
    efforts: &'a [f64],
}

impl Flow<'_> {
    fn derivative(&mut self, state: &[f64], out: &mut [f64]) -> f64 {
        let plan = self.model.plan();
        let (coordinates, rest) = state.split_at(plan.coordinates);
        let (rates, idle) = rest.split_at(plan.independent());
        let mut memory = self.workspace.memory();
        let motion = Motion { coordinates, rates, idle: Some(idle), wrench: Wrench::zero() };
        let (flow, rest) = out.split_at_mut(plan.coordinates);
        let (accelerations, idle_accelerations) = rest.split_at_mut(plan.independent());
        let (margin, _) = plan.forward_dynamics(&motion, self.efforts, accelerations, &mut memory);
        plan.flow(coordinates, memory.rates, flow);
        for (idle, out) in plan.idle.iter().zip(idle_accelerations) {
            *out = memory.accelerations[idle.freedom];
        }
        margin
    }

    /// One extrapolated step: the state behind it and the error.
    fn step(&mut self, state: &[f64], length: f64, scale: &[f64]) -> (Vec<f64>, f64) {
        let n = state.len();
        let mut first = vec![0.0; n];
        self.derivative(state, &mut first);
        let mut table: Vec<Vec<f64>> = Vec::new();
        let (mut slope, mut error) = (vec![0.0; n], f64::INFINITY);
        for (row, parts) in PARTS.iter().enumerate() {
            let h = length / *parts as f64;
            let mut before = state.to_vec();
            let mut here: Vec<f64> = state.iter().zip(&first).map(|(x, d)| x + h * d).collect();
            for _ in 1..*parts {
                self.derivative(&here, &mut slope);
                let next: Vec<f64> = before.iter().zip(&slope).map(|(x, d)| x + 2.0 * h * d).collect();
                before = std::mem::replace(&mut here, next);
            }
            // Gragg's smoothing of the last step.
            self.derivative(&here, &mut slope);
            let ends: Vec<f64> = (0..n).map(|k| 0.5 * (here[k] + before[k] + h * slope[k])).collect();
            // Aitken–Neville in the squares of the steps.
            let mut column = vec![ends];
            for (k, known) in table.iter().enumerate() {
                let ratio = (*parts as f64 / PARTS[row - 1 - k] as f64).powi(2) - 1.0;
                let last = &column[k];
                let better: Vec<f64> = last.iter().zip(known).map(|(a, b)| a + (a - b) / ratio).collect();
                column.push(better);
            }
            if row > 0 {
                let (best, second) = (&column[row], &column[row - 1]);
                error = largest((0..n).map(|k| (best[k] - second[k]) / scale[k]));
            }
            table = column;
            if error <= TOLERANCE {
                break;
            }
        }
        (table.pop().unwrap_or_default(), error)
    }
}

impl MechanismModel {
    /// Motion under constant efforts of all motors from a configuration with these rates of the motors: where the
    /// mechanism is at each of these instants, the first of which is the start. Idle freedoms start without momentum.
    pub fn run(
        &self,
        start: &Configuration,
        rates: &[f64],
        efforts: &[f64],
        times: &[f64],
    ) -> Result<Vec<MechanismSample>, MechanismError> {
        self.check_motors("efforts", efforts)?;
        if times.windows(2).any(|pair| !(pair[1] > pair[0])) || times.iter().any(|t| !t.is_finite()) {
            return Err(MechanismError::NotFinite { what: "instants, which must grow" });
        }
        let mut workspace = self.workspace();
        let (mut rates, _) = self.motor_rates(start, rates, &vec![0.0; rates.len()], &mut workspace)?;
        let mut idle: Vec<f64> =
            self.plan().idle.iter().map(|idle| workspace.memory().rates[idle.freedom]).collect();
        let mut at = start.clone();
        let mut model = self.clone();
        let mut samples = Vec::new();
        let mut length = f64::INFINITY;
        let Some(mut time) = times.first().copied() else { return Ok(samples) };
        for until in times {
            let mut steps = 0;
            while time < *until {
                steps += 1;
                if steps > MOST_STEPS {
                    let margin = model.margin(&at, &mut workspace);
                    let reached = (time - times[0]) / (until - times[0]);
                    return Err(MechanismError::EndOfBranch { reached, margin, joint: String::new() });
                }
                if !(model.margin(&at, &mut workspace) > REORDER * model.margin_of_order) {
                    let all =
                        model.tree_rates(&at, (&model.independent(&rates), Some(&idle)), &mut workspace);
                    model = model.ordered_for(&at)?;
                    workspace = model.workspace();
                    // Idle rates are told by other joints now.
                    idle = model.plan().idle.iter().map(|idle| all[idle.freedom]).collect();
                }
                let left = until - time;
                length = length.min(left);
                let state: Vec<f64> =
                    at.0.iter()
                        .copied()
                        .chain(model.independent(&rates))
                        .chain(idle.iter().copied())
                        .collect();
                let scale = model.scales(&state);
                let mut flow = Flow { model: &model, workspace, efforts };
                let (next, error) = flow.step(&state, length, &scale);
                workspace = flow.workspace;
                if !(error <= 10.0 * TOLERANCE) {
                    length *= 0.5;
                    continue;
                }
                time = if length >= left { *until } else { time + length };
                length *= if error < 0.01 * TOLERANCE { 1.5 } else { 1.1 };
                let (coordinates, rest) = next.split_at(at.0.len());
                let (y, spins) = rest.split_at(model.plan().independent());
                idle.copy_from_slice(spins);
                at = model.closed(&Configuration(model.normalized(coordinates)), &mut workspace)?;
                let all: Vec<f64> = model
                    .plan()
                    .motors
                    .iter()
                    .map(|m| y.get(m.independent).copied().unwrap_or(0.0))
                    .collect();
                (rates, _) = model.motor_rates(&at, &all, &vec![0.0; all.len()], &mut workspace)?;
            }
            let energies = model.energies_of(&at, &rates, Some(&idle), &mut workspace)?;
            samples.push(MechanismSample { time: *until, at: at.clone(), rates: rates.clone(), energies });
        }
        Ok(samples)
    }

    /// What an error of each number of the state is compared with.
    fn scales(&self, state: &[f64]) -> Vec<f64> {
        let plan = self.plan();
        let speed = largest(state[plan.coordinates..].iter().copied()).max(1e-3);
        let place = |k: usize| if k < plan.coordinates { 1.0 } else { speed };
        (0..state.len()).map(place).collect()
    }

    /// Coordinates with quaternions of length one.
    fn normalized(&self, coordinates: &[f64]) -> Vec<f64> {
        let mut q = coordinates.to_vec();
        for body in self.plan().bodies {
            let from = match body.joint {
                TreeJoint::Spherical => body.coordinate,
                TreeJoint::Free => body.coordinate + 3,
                _ => continue,
            };
            if let Some([w, x, y, z]) = q.get_mut(from..from + 4) {
                [*w, *x, *y, *z] = legwork_core::mechanism::normalized([*w, *x, *y, *z]);
            }
        }
        q
    }
}
