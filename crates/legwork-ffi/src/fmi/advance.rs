//! A state of the equations of motion, some time later.

use legwork::integrate::{Dopri5, List, Settings, System};
use legwork::motion::Fault;
use legwork::sim::{MOST_NUMBERS, MotionEquations, MotionState};

type Numbers = List<f64, MOST_NUMBERS>;

/// The equations under a load that holds.
struct Loaded<'a> {
    equations: &'a MotionEquations<'a>,
    efforts: &'a [f64],
    wrench: &'a [f64; 6],
    /// The last state that was taken, with what is not integrated.
    last: MotionState,
    /// Memory for the states that are looked at.
    here: MotionState,
}

impl System<f64> for Loaded<'_> {
    type State = Numbers;
    type Stop = Fault;

    fn derivative(&mut self, _t: f64, x: &Numbers) -> Result<Numbers, Fault> {
        self.here.clone_from(&self.last);
        self.equations.set_numbers(&mut self.here, x.as_slice());
        let mut rate = Numbers::zeros(x.as_slice().len());
        self.equations.rate(&self.here, self.efforts, self.wrench, rate.as_mut_slice())?;
        Ok(rate)
    }

    fn settle(&mut self, h: f64, _before: &Numbers, x: &mut Numbers) -> Result<bool, Fault> {
        let mut after = self.last.clone();
        self.equations.set_numbers(&mut after, x.as_slice());
        let changed = self.equations.settle(h, &self.last, &mut after)?;
        self.equations.numbers(&after, x.as_mut_slice());
        self.last = after;
        Ok(changed)
    }
}

/// Advances a state by a time \[s\] with efforts and a wrench that hold meanwhile.
pub fn advance(
    equations: &MotionEquations<'_>,
    state: &mut MotionState,
    duration: f64,
    (efforts, wrench): (&[f64], &[f64; 6]),
    tolerance: f64,
) -> Result<(), String> {
    let mut start = Numbers::zeros(equations.count());
    equations.numbers(state, start.as_mut_slice());
    let settings = Settings::default().with_tolerance(tolerance).with_horizon(duration);
    let mut run = Dopri5::new(0.0, start, settings);
    let mut system = Loaded { equations, efforts, wrench, last: state.clone(), here: state.clone() };
    run.advance_to(&mut system, duration).map_err(|halt| format!("the motion cannot go on: {halt}"))?;
    *state = system.last;
    equations.set_numbers(state, run.state().as_slice());
    Ok(())
}
