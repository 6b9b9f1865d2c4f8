//! Motors for a cycle: what it asks of them, and which motors of a table can do it with which gears.
//!
//! ```
//! use legwork::AnyRobot;
//! use legwork::analysis::size::{Demand, MotorTable, Requirements, choices};
//! use legwork::experiment::{TimedPath, gentle_law};
//! use legwork::plan::adept_cycle;
//!
//! let robot = AnyRobot::open("delta-industrial")?;
//! let path = adept_cycle(&robot)?;
//! let law = gentle_law(&robot, &path)?;
//! let demand = Demand::of(&robot, &TimedPath::new(path, law).there_and_back(0.1, 1))?;
//! assert!(demand.joints[0].rms_effort < demand.joints[0].peak_effort);
//! let all = choices(&demand, &MotorTable::sample(), &Requirements::default())?;
//! assert!(all.iter().any(|choice| choice.is_feasible()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! With the effort τ of a joint without its motor, its motion q, a gear of ratio n and efficiency η (for a joint
//! that slides n = 2π/lead), and the inertias J of rotor and gear on the motor side:
//!
//! ```text
//! ω = n q̇                                                                          (1)
//! T = τ/(n η) + J n q̈    while τ q̇ ≥ 0: the motor drives                            (2)
//! T = τ η/n + J n q̈      while τ q̇ < 0: the robot drives the motor                  (3)
//! T_rms² = 1/T_c ∫ T² dt                                                           (4)
//! ```
//!
//! At the joint, J acts as n² J q̈. The inertia that the robot's own file gives its motors is taken off first.

mod choice;
mod demand;
mod error;
mod figure;
mod rotors;
mod table;

pub use choice::{Check, Choice, Duty, Margin, Requirements, choices};
pub use demand::{Demand, Instant, JointDemand, Moment, MotorSide};
pub use error::SizeError;
pub use table::{Motor, MotorTable, Transmission};
