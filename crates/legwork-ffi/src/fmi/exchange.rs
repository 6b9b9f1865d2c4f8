//! Model exchange: continuous states, their rates, and what happens between two steps of somebody else's integrator.

use super::unit::Unit;
use legwork::sim::{MotionEquations, MotionState};

/// Departures from closed loops and unit quaternions above this are put back at an event of model exchange.
const OFF: f64 = 1e-10;

impl Unit {
    /// The continuous states.
    pub fn continuous_states(&mut self, out: &mut [f64]) -> Result<(), String> {
        self.ready()?;
        if let (Some(robot), Some(state)) = (&self.robot, &self.state) {
            MotionEquations::of(robot).map_err(|error| error.to_string())?.numbers(state, out);
        }
        Ok(())
    }

    /// Other continuous states.
    pub fn set_continuous_states(&mut self, numbers: &[f64]) -> Result<(), String> {
        if let Some(place) = numbers.iter().position(|x| !x.is_finite()) {
            return Err(format!("state {} cannot be {}", place + 1, numbers[place]));
        }
        self.ready()?;
        self.outputs = None;
        if let (Some(robot), Some(state)) = (&self.robot, &mut self.state) {
            MotionEquations::of(robot).map_err(|error| error.to_string())?.set_numbers(state, numbers);
        }
        Ok(())
    }

    /// The rates of the continuous states.
    pub fn derivatives(&mut self, out: &mut [f64]) -> Result<(), String> {
        self.ready()?;
        let (efforts, wrench) = (self.efforts(), self.wrench()?);
        if let (Some(robot), Some(state)) = (&self.robot, &self.state) {
            let equations = MotionEquations::of(robot).map_err(|error| error.to_string())?;
            equations.rate(state, &efforts, &wrench, out).map_err(|fault| fault.to_string())?;
        }
        Ok(())
    }

    /// A step was taken. Tells whether the states are so far off closed loops that they should be put back.
    pub fn completed_step(&mut self) -> Result<bool, String> {
        let Some((settled, off)) = self.settled()? else { return Ok(false) };
        if off <= OFF {
            // Where legs are is known from here on; the numbers stay those of the integrator.
            let mut numbers = vec![0.0; self.states()];
            self.continuous_states(&mut numbers)?;
            self.state = Some(settled);
            self.set_continuous_states(&numbers)?;
        }
        Ok(off > OFF)
    }

    /// At an event: puts the states back onto closed loops; tells whether they changed.
    pub fn put_back(&mut self) -> Result<bool, String> {
        let Some((settled, off)) = self.settled()? else { return Ok(false) };
        let changes = off > OFF;
        if changes {
            (self.state, self.outputs) = (Some(settled), None);
        }
        Ok(changes)
    }

    /// The state put back onto closed loops, and by how much its numbers change.
    fn settled(&mut self) -> Result<Option<(MotionState, f64)>, String> {
        self.ready()?;
        let (Some(robot), Some(state)) = (&self.robot, &self.state) else { return Ok(None) };
        let equations = MotionEquations::of(robot).map_err(|error| error.to_string())?;
        let mut settled = state.clone();
        equations.settle(0.0, state, &mut settled).map_err(|fault| fault.to_string())?;
        let mut both = [vec![0.0; equations.count()], vec![0.0; equations.count()]];
        equations.numbers(state, &mut both[0]);
        equations.numbers(&settled, &mut both[1]);
        let apart = both[0].iter().zip(&both[1]).map(|(a, b)| (a - b).abs());
        Ok(Some((settled, apart.fold(0.0, f64::max))))
    }
}
