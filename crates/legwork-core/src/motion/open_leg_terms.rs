//! One leg cut open at the platform: what it adds to the equations of motion in all joints.
#![allow(clippy::indexing_slicing, clippy::needless_range_loop)] // every index is bounded by N ≤ 6

use super::{Fault, put_at};
use crate::engine::attachment::AttachmentMotion;
use crate::engine::leg::leg_inverse;
use crate::engine::{AnyLeg, Leg, LegModel, Pose, StateError, Twist};
use crate::{Margin, V3};

/// Six numbers for the joints of a leg; those beyond its last joint are zero.
pub(super) type Six = [f64; 6];

/// A leg with its joints where they are, not where the platform wants them. Lists and
/// matrices of N joints are filled up with zeros.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenLegTerms {
    /// A_i
    pub mass: [Six; 6],
    /// J_i
    pub own: [Six; 6],
    /// J_vi
    pub platform: [Six; 6],
    /// J_i⁻¹
    pub inverse: [Six; 6],
    /// Smallest |r_kk| of J_i over the largest |J_i|: zero for a stretched leg.
    pub margin: f64,
    /// h_i: platform minus leg.
    pub gap: Six,
    /// J̇_vi V_P − J̇_i q̇_i
    pub product: Six,
    /// Coriolis, centrifugal forces and weight.
    pub bias: Six,
    /// The weight alone.
    pub weight: Six,
    /// What friction takes.
    pub friction: Six,
    /// ∂T/∂q at fixed rates.
    pub gradient: Six,
    /// T and V \[J\].
    pub energy: [f64; 2],
}

impl OpenLegTerms {
    /// No leg at all.
    pub const NONE: Self = Self {
        mass: [[0.0; 6]; 6],
        own: [[0.0; 6]; 6],
        platform: [[0.0; 6]; 6],
        inverse: [[0.0; 6]; 6],
        margin: 1.0,
        gap: [0.0; 6],
        product: [0.0; 6],
        bias: [0.0; 6],
        weight: [0.0; 6],
        friction: [0.0; 6],
        gradient: [0.0; 6],
        energy: [0.0; 2],
    };
}

/// Where the platform is and how it moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Carried {
    pub pose: Pose<f64>,
    pub twist: Twist<f64>,
}

fn six<const N: usize>(list: &[f64; N]) -> Six {
    let mut out = [0.0; 6];
    put_at(&mut out, 0, list);
    out
}

fn square<const N: usize, const R: usize>(rows: &[[f64; R]; N]) -> [Six; 6] {
    let mut out = [[0.0; 6]; 6];
    for (to, row) in out.iter_mut().zip(rows) {
        put_at(to, 0, row);
    }
    out
}

fn first<const N: usize>(list: &[f64]) -> [f64; N] {
    let mut out = [0.0; N];
    put_at(&mut out, 0, list);
    out
}

/// The leg with its joints at `q`, moving with `rate`.
fn cut<const N: usize>(
    leg: &Leg<f64, N>,
    q: &[f64],
    rate: &[f64],
    at: &Carried,
    gravity: V3<f64>,
) -> OpenLegTerms {
    let Carried { pose, twist } = at;
    let rate: [f64; N] = first(rate);
    let chain = leg.chain.posture(&leg.chain.values(&first(q)));
    let inertias = leg.chain.inertias(&chain);
    let tip = chain.tip_rotation();
    let moving = leg.chain.motion(&chain, &rate);
    let meeting = AttachmentMotion {
        pose,
        twist: *twist,
        tip: chain.tip_rotation(),
        leg_point: chain.point,
        leg_twist: moving.tip(),
        leg_product: moving.tip_product(),
    };
    let passed = leg.attached(pose, &chain);
    let product = leg.attachment.velocity_products(&passed, &meeting);
    let mut gap = [0.0; N];
    for k in 0..N {
        gap[k] = leg.attachment.gap(k, pose, tip, chain.point);
    }
    let own = passed.of_leg(&chain.screws);
    let size = leg.chain.size(chain.point, pose.position);
    let Margin { value: inverse, margin } =
        leg_inverse(own, passed.first_rotation(), size, &leg.chain.column_units(size));
    let kinetic = leg.chain.kinetic_energy(&chain, &rate);
    OpenLegTerms {
        mass: square(&leg.chain.mass_matrix(&chain, &inertias)),
        own: square(&own),
        platform: square(&passed.of_platform()),
        inverse: square(&inverse),
        margin,
        gap: six(&gap),
        product: six(&product),
        bias: six(&leg.chain.effort(&chain, &moving, &[0.0; N], gravity)),
        weight: six(&leg.chain.weight(&chain, &inertias, gravity)),
        friction: six(&leg.chain.friction(&rate)),
        gradient: six(&leg.chain.kinetic_gradient(&chain, &inertias, &rate)),
        energy: [kinetic, leg.chain.potential_energy(&chain, gravity)],
    }
}

/// Joints and rates of the closed leg.
fn closed<const N: usize>(leg: &Leg<f64, N>, number: usize, at: &Carried) -> Result<(Six, Six), Fault> {
    let Margin { value, margin } = leg.posture(&at.pose);
    if margin.is_nan() || margin < 0.0 {
        return Err(StateError::Unreachable { leg: number, margin }.into());
    }
    let rate = value.following(at.twist);
    Ok((six(&leg.chain.coordinates(&value.joints)), six(&rate)))
}

fn active<const N: usize>(leg: &Leg<f64, N>) -> [bool; 6] {
    let mut out = [false; 6];
    for (to, link) in out.iter_mut().zip(&leg.chain.links) {
        *to = link.active;
    }
    out
}

macro_rules! any {
    ($self:expr, $leg:ident => $body:expr) => {
        match $self {
            AnyLeg::One($leg) => $body,
            AnyLeg::Two($leg) => $body,
            AnyLeg::Three($leg) => $body,
            AnyLeg::Four($leg) => $body,
            AnyLeg::Five($leg) => $body,
            AnyLeg::Six($leg) => $body,
            AnyLeg::Ups(closed_form) => {
                let $leg = &closed_form.leg();
                $body
            }
        }
    };
}

/// Number of joints of a leg.
pub(super) fn joints(leg: &AnyLeg<f64>) -> usize {
    match leg {
        AnyLeg::One(_) => 1,
        AnyLeg::Two(_) => 2,
        AnyLeg::Three(_) | AnyLeg::Ups(_) => 3,
        AnyLeg::Four(_) => 4,
        AnyLeg::Five(_) => 5,
        AnyLeg::Six(_) => 6,
    }
}

/// Number of motors of a leg.
pub(super) fn motors(leg: &AnyLeg<f64>) -> usize {
    leg.active_joints()
}

/// Which joints of a leg have motors.
pub(super) fn driven(leg: &AnyLeg<f64>) -> [bool; 6] {
    any!(leg, leg => active(leg))
}

/// A leg of any length cut open.
pub(super) fn cut_any(
    leg: &AnyLeg<f64>,
    q: &[f64],
    rate: &[f64],
    at: &Carried,
    gravity: V3<f64>,
) -> OpenLegTerms {
    any!(leg, leg => cut(leg, q, rate, at, gravity))
}

/// Joints and rates of a leg that is closed.
pub(super) fn closed_any(leg: &AnyLeg<f64>, number: usize, at: &Carried) -> Result<(Six, Six), Fault> {
    any!(leg, leg => closed(leg, number, at))
}
