//! The closed forms over a block of states. A kernel is the `f64` formula in a loop, compiled for any machine
//! and once more for AVX2; which of the two runs is found out when the program runs. The same operations in the
//! same order: the same bits, and those of one state alone.
//!
//! `good` is 1 where the state has an answer beyond doubt. Elsewhere the checked call for one state decides, so a
//! kernel needs no error of its own. Numbers of a state that are not finite spoil its answer or are looked at, and
//! an answer that is not finite is not good: finite numbers can be too large for what is made of them.
#![allow(clippy::needless_range_loop)] // many lists with one index
#![allow(clippy::needless_bitwise_bool)] // a branch would keep the compiler from making vectors

use super::block::{Block, Lane, Rows, WIDTH, pose, twist, vector, wrench};
use crate::description::Frame;
use legwork_core::engine::Hexapod;
use legwork_core::robots::delta::{Delta, Linkage, Posture};
use legwork_core::{Margin, V3};
use multiversion::multiversion;

/// 0 if all numbers are finite, else NaN: x·0 is 0 for every finite x.
#[inline(always)]
fn vanishing(v: V3<f64>) -> f64 {
    v.x * 0.0 + v.y * 0.0 + v.z * 0.0
}

/// 0 if all numbers are 0.
#[inline(always)]
fn size(v: V3<f64>) -> f64 {
    v.x.abs() + v.y.abs() + v.z.abs()
}

#[inline(always)]
fn vanishing_six(numbers: &[f64; 6]) -> f64 {
    vanishing(vector(numbers, 0)) + vanishing(vector(numbers, 3))
}

#[inline(always)]
fn flag(good: bool) -> f64 {
    if good { 1.0 } else { 0.0 }
}

/// `good` is 1 where a platform is not turned, 0 elsewhere.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn upright(rotations: &Rows<9>, good: &mut Lane) {
    for i in 0..WIDTH {
        let [xx, xy, xz, yx, yy, yz, zx, zy, zz] = rotations[i];
        let off = size(V3::new(xx - 1.0, yy - 1.0, zz - 1.0)) + size(V3::new(xy, xz, yx));
        good[i] = flag(off + size(V3::new(yz, zx, zy)) == 0.0);
    }
}

/// A platform position in our own frame.
#[inline(always)]
fn position(frame: &Frame, numbers: &[f64; 3]) -> V3<f64> {
    frame.position_from_user(*numbers).into()
}

/// Four times the square of the checked layer's thresholds: what is between is left to it.
const CLEARLY_BENT: f64 = 4e-12;
const CLEARLY_SPATIAL: f64 = 4e-18;

/// Whether no leg is stretched or folded: D² of the inverse kinematics is (s·b)²/a².
#[inline(always)]
fn is_bent(linkage: &Linkage<f64>, margin: f64) -> bool {
    let forearm = linkage.geometry().forearm;
    margin > CLEARLY_BENT * (forearm * forearm)
}

/// Whether the forearms span space.
#[inline(always)]
fn is_spatial(linkage: &Linkage<f64>, posture: &Posture<f64>) -> bool {
    let V3 { x, y, z } = posture.legs.map(|leg| leg.s);
    let volume = x.dot(y.cross(z));
    let forearm_sq = linkage.geometry().forearm * linkage.geometry().forearm;
    volume * volume > CLEARLY_SPATIAL * (forearm_sq * forearm_sq * forearm_sq)
}

/// 0 if a platform that only translates can move so and all numbers are finite; the linear parts aside.
#[inline(always)]
fn odd(block: &Block<'_>, i: usize) -> f64 {
    size(vector(&block.twists[i], 3))
        + size(vector(&block.accelerations[i], 3))
        + vanishing(vector(&block.wrenches[i], 3))
}

/// Sines and cosines of the motor angles, times the length of the arm.
#[multiversion(targets("x86_64+avx2"))]
pub(super) fn delta_inverse_kinematics<'a>(
    linkage: &Linkage<f64>,
    frame: &Frame,
    block: &Block<'a>,
    arms: &mut Rows<6>,
    good: &mut Lane,
) {
    for i in 0..WIDTH {
        let Margin { value, margin } = linkage.posture_at(position(frame, &block.positions[i]));
        let V3 { x, y, z } = value.legs;
        arms[i] = [x.a_sin, x.a_cos, y.a_sin, y.a_cos, z.a_sin, z.a_cos];
        let linear = vanishing(vector(&block.twists[i], 0))
            + vanishing(vector(&block.accelerations[i], 0))
            + vanishing(vector(&block.wrenches[i], 0));
        let found = vanishing(value.legs.map(|leg| leg.a_cos + leg.a_sin));
        good[i] = flag((margin >= 0.0) & (odd(block, i) + linear + found == 0.0));
    }
}

#[multiversion(targets("x86_64+avx2"))]
pub(super) fn delta_inverse_dynamics<'a>(
    delta: &Delta<f64>,
    frame: &Frame,
    block: &Block<'a>,
    effort: &mut Rows<3>,
    good: &mut Lane,
) {
    for i in 0..WIDTH {
        let (v, a) = (vector(&block.twists[i], 0), vector(&block.accelerations[i], 0));
        let linkage = delta.linkage();
        let Margin { value, margin } = linkage.posture_at(position(frame, &block.positions[i]));
        let found = delta.torque(&value, v, a, vector(&block.wrenches[i], 0));
        let motor = (found.torque + delta.friction(found.qdot)) * frame.angle_sign;
        effort[i] = motor.to_array();
        let regular = is_bent(linkage, margin) & is_spatial(linkage, &value);
        good[i] = flag(regular & (odd(block, i) + vanishing(motor) == 0.0));
    }
}

#[multiversion(targets("x86_64+avx2"))]
pub(super) fn delta_forward_dynamics<'a>(
    delta: &Delta<f64>,
    frame: &Frame,
    block: &Block<'a>,
    efforts: &Rows<3>,
    answer: (&mut Rows<3>, &mut Rows<3>),
    good: &mut Lane,
) {
    let (platform, joint) = answer;
    for i in 0..WIDTH {
        let v = vector(&block.twists[i], 0);
        let linkage = delta.linkage();
        let Margin { value, margin } = linkage.posture_at(position(frame, &block.positions[i]));
        let torque = vector(&efforts[i], 0) * frame.angle_sign;
        let driving = torque - delta.friction(value.joint_velocity(v));
        let found = delta.acceleration(&value, v, driving, vector(&block.wrenches[i], 0)).value;
        platform[i] = found.platform.to_array();
        joint[i] = (found.joint * frame.angle_sign).to_array();
        let numbers = vanishing(vector(&block.accelerations[i], 0)) + vanishing(found.joint);
        good[i] =
            flag(is_bent(linkage, margin) & (odd(block, i) + numbers + vanishing(found.platform) == 0.0));
    }
}

/// What the checked layer asks of a margin.
const REGULAR: f64 = 1e-9;
/// A little less than what the checked layer takes for a rotation, so that nothing passes here that it refuses.
const CLEARLY_A_ROTATION: f64 = 0.99e-5;

/// Whether the matrix is a rotation.
#[inline(always)]
fn is_rotation(rotation: &[f64; 9]) -> bool {
    let (x, y, z) = (vector(rotation, 0), vector(rotation, 3), vector(rotation, 6));
    let near = |off: f64| off.abs() <= CLEARLY_A_ROTATION;
    let units = near(x.norm_sq() - 1.0) & near(y.norm_sq() - 1.0) & near(z.norm_sq() - 1.0);
    units & near(x.dot(y)) & near(y.dot(z)) & near(z.dot(x)) & (x.dot(y.cross(z)) > 0.0)
}

#[multiversion(targets("x86_64+avx2"))]
pub(super) fn hexapod_inverse_kinematics<'a>(
    hexapod: &Hexapod<f64>,
    block: &Block<'a>,
    q: &mut Rows<6>,
    good: &mut Lane,
) {
    for i in 0..WIDTH {
        let at = pose(&block.positions[i], &block.rotations[i]);
        let Margin { value, margin } = hexapod.slides(&at);
        q[i] = value;
        let numbers = vanishing_six(&block.twists[i])
            + vanishing_six(&block.accelerations[i])
            + vanishing_six(&block.wrenches[i])
            + vanishing_six(&value);
        good[i] = flag((margin > REGULAR) & is_rotation(&block.rotations[i]) & (numbers == 0.0));
    }
}

#[multiversion(targets("x86_64+avx2"))]
pub(super) fn hexapod_inverse_dynamics<'a>(
    hexapod: &Hexapod<f64>,
    block: &Block<'a>,
    effort: &mut Rows<6>,
    good: &mut Lane,
) {
    for i in 0..WIDTH {
        let at = pose(&block.positions[i], &block.rotations[i]);
        let (v, a) = (twist(&block.twists[i]), twist(&block.accelerations[i]));
        let Margin { value, margin } = hexapod.inverse_dynamics(&at, v, a, wrench(&block.wrenches[i]));
        effort[i] = value;
        let numbers = vanishing_six(&value);
        good[i] = flag((margin > REGULAR) & is_rotation(&block.rotations[i]) & (numbers == 0.0));
    }
}

#[multiversion(targets("x86_64+avx2"))]
pub(super) fn hexapod_forward_dynamics<'a>(
    hexapod: &Hexapod<f64>,
    block: &Block<'a>,
    efforts: &Rows<6>,
    answer: (&mut Rows<6>, &mut Rows<6>),
    good: &mut Lane,
) {
    let (platform, joint) = answer;
    for i in 0..WIDTH {
        let at = pose(&block.positions[i], &block.rotations[i]);
        let v = twist(&block.twists[i]);
        let Margin { value, margin } =
            hexapod.direct_dynamics(&at, v, &efforts[i], wrench(&block.wrenches[i]));
        platform[i] = value.platform.to_vector_linear_first();
        joint[i] = value.joint;
        let a = twist(&block.accelerations[i]);
        let numbers = vanishing(value.platform.linear)
            + vanishing(value.platform.angular)
            + (vanishing(a.linear) + vanishing(a.angular))
            + vanishing_six(&value.joint);
        good[i] = flag((margin > REGULAR) & is_rotation(&block.rotations[i]) & (numbers == 0.0));
    }
}
