//! Mechanisms of bodies and joints with loops, of any number: kinematics and dynamics of a prepared [`Plan`].
//!
//! The bodies hang in a tree of joints; joints that the tree leaves out close the loops. A few bodies form the
//! **core**, the others **legs**: each leg is eliminated by itself, what is left of its closure are rows of the
//! core, and a small dense system on the core finishes. With every body in the core it is the plain dense method;
//! both are this one program.
//!
//! A plan is made once (in crate `legwork`, with a heap): tree, core, order of rows and columns. It is run in
//! memory of the caller, without a search and without a branch on a number, so that every [`Real`](crate::Real)
//! works: derivatives come from [`Dual`](crate::Dual). Functions are total; they return the smallest pivot as the
//! margin.
//!
//! Order of calls: [`place`](Plan::place) (frames), [`close`](Plan::close) (elimination), then rates, bodies,
//! efforts; [`inverse_dynamics`](Plan::inverse_dynamics) and [`forward_dynamics`](Plan::forward_dynamics) do all of
//! it.

mod closure;
mod dynamics;
mod elimination;
mod frame;
mod idle;
mod mass;
mod memory;
mod motion;
mod plan;
mod position;
mod reactions;
mod rows;

pub use closure::CutAxes;
pub use dynamics::Motion;
pub use frame::{Frame, axes_of_quaternion, normalized, quaternion_product, small_turn};
pub use memory::{Blank, Group, Memory};
pub use plan::{
    Block, Cut, CutJoint, Idle, Motor, NONE, Pivot, Plan, Platform, Share, Side, Sizes, Span, Spring, Step,
    Term, TreeBody, TreeJoint,
};
