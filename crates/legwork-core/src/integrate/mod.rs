//! Integrators: from a rate of change to a motion. No heap, no clock, the same
//! bits on every run.
//!
//! | | order | step | for |
//! |---|---|---|---|
//! | [`rk4_step`], [`Fixed`] | 4 | fixed | any scalar, also lanes; hard real time |
//! | [`semi_implicit_euler_step`], [`Fixed`] | 1 | fixed | any scalar; what game engines do |
//! | [`Dopri5`] | 5(4) | by its own error | `f64`; dense output and events |
//!
//! A system with jumps in its input is integrated from jump to jump: every
//! `advance_to` ends exactly on the instant it is given, and
//! [`restart`](Dopri5::restart) tells the integrator that the rate has jumped.
//!
//! No run is endless: time that does not advance, more steps than a bound, a stiff system and steps that are too
//! short for the way that is left each end it with a [`Halt`] that says so.
//!
//! ```
//! use legwork_core::integrate::{Dopri5, Settings, System};
//! use core::convert::Infallible;
//!
//! struct Pendulum;
//! impl System<f64> for Pendulum {
//!     type State = [f64; 2];
//!     type Stop = Infallible;
//!     fn derivative(&mut self, _t: f64, &[q, w]: &[f64; 2]) -> Result<[f64; 2], Infallible> {
//!         Ok([w, -q])
//!     }
//! }
//! let mut run = Dopri5::new(0.0, [1.0, 0.0], Settings::default().with_tolerance(1e-10));
//! run.advance_to(&mut Pendulum, 1.0)?;
//! assert!((run.state()[0] - 0.5403023058681398).abs() < 1e-9); // cos 1
//! # Ok::<(), legwork_core::integrate::Halt<Infallible>>(())
//! ```

mod dopri5;
mod fixed;
mod settings;
mod tableau;
mod vector;
mod work;

pub use dopri5::{Dopri5, Ending};
pub use fixed::{Fixed, FixedMethod, equal_steps, rk4_step, semi_implicit_euler_step};
pub use settings::{Halt, MOST_STEPS, Settings, Statistics};
pub use tableau::Dense;
pub use vector::{List, Vector, not_finite};

/// A rate of change: ẋ = f(t, x).
pub trait System<T> {
    /// x, and its rate.
    type State: Vector<T>;
    /// Why there is no rate here: out of reach, singular.
    type Stop;

    /// ẋ at a time and state.
    fn derivative(&mut self, t: T, x: &Self::State) -> Result<Self::State, Self::Stop>;

    /// Looks at a step of length `h` before it is taken: brings its end back to where
    /// it belongs (closed loops) and tells whether it changed anything, or refuses it,
    /// because the step went where it cannot have gone. Nothing by default.
    #[inline(always)]
    fn settle(&mut self, h: T, before: &Self::State, x: &mut Self::State) -> Result<bool, Self::Stop> {
        let _ = (h, before, x);
        Ok(false)
    }
}

/// A system whose state is positions and velocities.
pub trait Partitioned<T>: System<T> {
    /// The rate of the positions at a state, all other components zero.
    fn position_rate(&mut self, t: T, x: &Self::State) -> Result<Self::State, Self::Stop>;

    /// A rate with the part of the positions set to zero.
    fn without_position_rate(&self, rate: &Self::State) -> Self::State;
}
