//! Regulators: from where the robot should be and where it is to the efforts of
//! its motors. One call per sample, state in the struct, bounded work.
//!
//! One [`Regulator`] is put together from few parts by its [`Settings`]:
//!
//! ```text
//! u = feed-forward(t) + W ( K_p e + K_i ∫e + K_d ė ) + bias,    e = q_d(t − T_m) − q      (1)
//! u = inverse dynamics at (x, ẋ, ẍ_d + k₂ (ẋ_d − ẋ) + k₁ (x_d − x))                       (2)
//! ```
//!
//! | regulator | settings | source |
//! |---|---|---|
//! | PD, PID with anti-windup | [`Settings::pd`], [`Settings::pid`] | \[Codourey1998, Sec. 5\] regulator 1 |
//! | + constant inertia Ī q̈_d | [`with_constant_inertia`](Settings::with_constant_inertia) | regulator 2 |
//! | + model at the reference | [`with_model`](Settings::with_model) | regulator 3; simplified or complete is a matter of the model |
//! | + phase shift T_m | [`with_shift`](Settings::with_shift) | regulator 4 |
//! | mass matrix in series | [`with_mass_matrix`](Settings::with_mass_matrix) | W = A(q)/Ī |
//! | gravity compensation | [`with_gravity`](Settings::with_gravity) | \[Bortoff2018, Fig. 4\], u_g = NᵀG |
//! | state feedback: LQR, pole placement | [`Settings::state_feedback`] | (1) with full matrices K_p, K_d and no integral |
//! | computed torque in joint space | [`Settings::computed_torque`] | (1) with W = A(q) and the model at the measured state |
//! | feedback linearisation, computed torque in platform space | [`Settings::platform`] | (2), \[Bortoff2018, Sec. IV\], any robot of the engine |
//! | disturbance observer beside any law | [`with_observer`](Settings::with_observer) | [`ObserverSettings`]; \[Ohnishi1996\], \[DeLuca2006\] |
//! | payload estimated by recursive least squares | [`Regulator::adapting`] | [`PayloadSettings`]; \[AstromWittenmark1995, Chap. 2\] |
//!
//! What the laws need of a robot is the [`Model`]. A [`Supervisor`] around a regulator
//! judges every sample and answers a bad one with a stated safe command and a [`Fault`].
//!
//! ```
//! use legwork_core::V3;
//! use legwork_core::control::{Measured, Platform, Reference, Regulator, Settings};
//! use legwork_core::engine::Pose;
//! use legwork_core::robots::{catalog, delta::Forearm};
//!
//! let delta = catalog::delta_direct_drive().with_forearm(Forearm::SIMPLIFIED);
//! let start = Platform::rest(Pose::translation(V3::new(0.0, 0.0, -0.35)));
//! let reference = Reference::at(&delta, &start).value;
//! let settings = Settings::pd([704.0; 3], [7.85; 3]).with_model().with_shift(2);
//! let mut regulator = Regulator::new(delta, settings, &reference)?;
//! let command = regulator.update(&reference, &Measured::angles(reference.q), 1e-3);
//! assert!(command.effort[0] < 0.0); // holds the arm up
//! # Ok::<(), legwork_core::control::SettingsError>(())
//! ```

mod delay;
mod fault;
mod guard;
mod limits;
mod memory;
mod model;
mod model_delta;
mod model_engine;
mod model_hexapod;
mod observer;
mod orientation;
mod payload;
mod regulator;
mod residual;
mod settings;
mod signal;
mod supervisor;

pub use delay::{Differences, MOST_SHIFT};
pub use fault::{Fault, FaultInUnit};
pub use guard::{Guard, SafeCommand};
pub use limits::Limits;
pub use memory::MemoryVisitor;
pub use model::Model;
pub use model_delta::AssembledDelta;
pub use observer::ObserverSettings;
pub use orientation::{rotation_by, rotation_vector};
pub use payload::{Carrying, PayloadEstimate, PayloadSettings};
pub use regulator::{Regulate, Regulator};
pub use settings::{
    AntiWindup, Derivatives, FeedForward, Gains, Integration, JointLaw, Law, PlatformLaw, Settings,
    SettingsError, SettingsFault, StateLaw, Weight,
};
pub use signal::{Command, Joints, Measured, Platform, Reference};
pub use supervisor::Supervisor;

use crate::Real;

/// A scalar that a controller computes with and can compare: `f64` or `f32`.
pub trait Number: Real<Mask = bool> + PartialOrd + Into<f64> + core::fmt::Debug {}

impl<T: Real<Mask = bool> + PartialOrd + Into<f64> + core::fmt::Debug> Number for T {}

/// Neither NaN nor infinite.
fn finite<T: Number>(x: T) -> bool {
    x.into().is_finite()
}

/// The first number that is not finite, with its place.
fn first_bad<T: Number>(list: &[T]) -> Option<(usize, f64)> {
    list.iter().enumerate().find(|(_, x)| !finite(**x)).map(|(place, x)| (place, (*x).into()))
}
