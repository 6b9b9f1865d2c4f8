//! Frames of a robot file: one placed in another, and the parameters of Khalil and Kleinfinger.

use super::parts::Placement;
use crate::rotation::{about_axis, product, rotated, transposed};

/// A frame in a frame.
pub(crate) fn placed(outer: Placement, inner: Placement) -> Placement {
    let offset = rotated(&outer.rotation, inner.position);
    Placement {
        position: [0, 1, 2].map(|i| outer.position[i] + offset[i]),
        rotation: product(&outer.rotation, &inner.rotation),
    }
}

/// The reference seen from a frame.
pub(crate) fn inverse(frame: Placement) -> Placement {
    let rotation = transposed(&frame.rotation);
    Placement { position: rotated(&rotation, frame.position).map(|x| -x), rotation }
}

/// Parameters of Khalil and Kleinfinger: Rz(γ) Tz(b) Rx(α) Tx(d) Rz(θ) Tz(r).
#[derive(Clone, Copy)]
pub(crate) struct ModifiedDh {
    pub gamma: f64,
    pub b: f64,
    pub alpha: f64,
    pub d: f64,
    pub theta: f64,
    pub r: f64,
}

impl ModifiedDh {
    /// The frame of the link in that of the link before it, its joint at zero.
    pub fn placement(&self) -> Placement {
        let [x, _, z] = Placement::IDENTITY.rotation;
        let turn = |axis, angle, position| Placement { position, rotation: about_axis(axis, angle) };
        placed(
            turn(z, self.gamma, [0.0, 0.0, self.b]),
            placed(turn(x, self.alpha, [self.d, 0.0, 0.0]), turn(z, self.theta, [0.0, 0.0, self.r])),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{FRAC_PI_2, TAU};

    #[test]
    fn the_leg_of_khalil_and_ibrahim_has_its_axes() {
        // a1 = (0, 1, 0), a3 = (c1 s2, −c2, −s1 s2) turned by Rz(γ); B = Rz(γ) (d, 0, 0).
        let (gamma, d, q1, q2) = (0.4, 0.6, -1.3, 1.2);
        let dh = |gamma, alpha, d, theta, r| ModifiedDh { gamma, b: 0.0, alpha, d, theta, r }.placement();
        let first = dh(gamma, -FRAC_PI_2, d, q1, 0.0);
        let second = placed(first, dh(0.0, FRAC_PI_2, 0.0, q2, 0.0));
        let third = placed(second, dh(0.0, FRAC_PI_2, 0.0, 0.0, 0.7));
        let base = about_axis([0.0, 0.0, 1.0], gamma + TAU);
        let axis = |place: Placement| rotated(&place.rotation, [0.0, 0.0, 1.0]);
        let a3 = rotated(&base, [q1.cos() * q2.sin(), -q2.cos(), -q1.sin() * q2.sin()]);
        let pairs = [
            (axis(first), rotated(&base, [0.0, 1.0, 0.0])),
            (axis(third), a3),
            (first.position, rotated(&base, [d, 0.0, 0.0])),
            (third.position, [0, 1, 2].map(|i| first.position[i] + 0.7 * a3[i])),
        ];
        for (found, expected) in pairs {
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{found:?} {expected:?}");
        }
    }
}
