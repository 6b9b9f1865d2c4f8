//! Rotations of a robot file, as matrices by rows.

use super::parts::Placement;

type Vector = [f64; 3];
type Matrix = [[f64; 3]; 3];

/// The vector of length 1 with the same direction.
pub(super) fn unit(vector: Vector) -> Vector {
    // Scaled first: squares of very large or small numbers would not fit.
    let size = vector.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let scaled = vector.map(|x| x / size);
    let length = dot(scaled, scaled).sqrt();
    scaled.map(|x| x / length)
}

pub(super) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// R v
pub(super) fn turned(rotation: Matrix, vector: Vector) -> Vector {
    rotation.map(|row| dot(row, vector))
}

fn transposed(m: Matrix) -> Matrix {
    [0, 1, 2].map(|i| m.map(|row| row[i]))
}

/// A B
pub(super) fn product(a: Matrix, b: Matrix) -> Matrix {
    let columns = transposed(b);
    a.map(|row| columns.map(|column| dot(row, column)))
}

/// A frame in a frame.
pub(super) fn placed(outer: Placement, inner: Placement) -> Placement {
    let offset = turned(outer.rotation, inner.position);
    Placement {
        position: [0, 1, 2].map(|i| outer.position[i] + offset[i]),
        rotation: product(outer.rotation, inner.rotation),
    }
}

/// Turned by `angle` about the unit vector `axis` (Rodrigues).
pub(super) fn about(axis: Vector, angle: f64) -> Matrix {
    let (sin, cos) = angle.sin_cos();
    let [x, y, z] = axis;
    let rest = 1.0 - cos;
    [
        [x * x * rest + cos, x * y * rest - z * sin, x * z * rest + y * sin],
        [y * x * rest + z * sin, y * y * rest + cos, y * z * rest - x * sin],
        [z * x * rest - y * sin, z * y * rest + x * sin, z * z * rest + cos],
    ]
}

/// Two unit vectors across a unit vector and at a right angle to each other; x and y for z.
pub(super) fn across(axis: Vector) -> [Vector; 2] {
    let [x, y, _] = Placement::IDENTITY.rotation;
    let second = unit(cross(axis, if axis[0].abs() < 0.8 { x } else { y }));
    [cross(second, axis), second]
}

/// Rz(yaw) Ry(pitch) Rx(roll)
pub(super) fn from_roll_pitch_yaw([roll, pitch, yaw]: Vector) -> Matrix {
    let [x, y, z] = Placement::IDENTITY.rotation;
    product(about(z, yaw), product(about(y, pitch), about(x, roll)))
}

/// The rotation of a quaternion of any length but zero, real part first.
pub(super) fn from_quaternion(quaternion: [f64; 4]) -> Matrix {
    let size = quaternion.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let [w, x, y, z] = quaternion.map(|q| q / size);
    let twice = 2.0 / (w * w + x * x + y * y + z * z);
    [
        [1.0 - twice * (y * y + z * z), twice * (x * y - w * z), twice * (x * z + w * y)],
        [twice * (x * y + w * z), 1.0 - twice * (x * x + z * z), twice * (y * z - w * x)],
        [twice * (x * z - w * y), twice * (y * z + w * x), 1.0 - twice * (x * x + y * y)],
    ]
}

/// Largest entry of R Rᵀ − 1; NaN for a mirror.
pub(super) fn error(m: Matrix) -> f64 {
    let square = product(m, transposed(m));
    let off = |i: usize, j: usize| (square[i][j] - f64::from(u8::from(i == j))).abs();
    let largest = (0..9).map(|k| off(k / 3, k % 3)).fold(0.0, f64::max);
    if dot(m[0], cross(m[1], m[2])) < 0.0 && largest < 0.5 { f64::NAN } else { largest }
}

/// The rotation near a matrix that is one but for its printed digits (Gram and Schmidt).
pub(super) fn cleaned(m: Matrix) -> Matrix {
    if error(m) < 1e-14 {
        return m;
    }
    let x = unit(m[0]);
    let along = dot(m[1], x);
    let y = unit([0, 1, 2].map(|i| m[1][i] - along * x[i]));
    [x, y, cross(x, y)]
}

/// Parameters of Khalil and Kleinfinger: Rz(γ) Tz(b) Rx(α) Tx(d) Rz(θ) Tz(r).
#[derive(Clone, Copy)]
pub(super) struct ModifiedDh {
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
        let turn = |axis, angle, position| Placement { position, rotation: about(axis, angle) };
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

    fn near(a: Matrix, b: Matrix) -> bool {
        a.as_flattened().iter().zip(b.as_flattened()).all(|(a, b)| (a - b).abs() < 1e-15)
    }

    #[test]
    fn a_right_angle_turns_one_axis_to_the_next() {
        let [x, y, z] = Placement::IDENTITY.rotation;
        for (axis, from, to) in [(x, y, z), (y, z, x), (z, x, y)] {
            let reached = turned(about(axis, FRAC_PI_2), from);
            assert!(reached.iter().zip(to).all(|(a, b)| (a - b).abs() < 1e-15));
        }
    }

    #[test]
    fn angles_and_quaternions_agree() {
        let (roll, pitch, yaw) = (0.3_f64, -0.2_f64, 1.1_f64);
        // The product of the three half-angle quaternions, written out.
        let ((sx, cx), (sy, cy), (sz, cz)) =
            ((roll / 2.0).sin_cos(), (pitch / 2.0).sin_cos(), (yaw / 2.0).sin_cos());
        let quaternion = [
            cx * cy * cz + sx * sy * sz,
            sx * cy * cz - cx * sy * sz,
            cx * sy * cz + sx * cy * sz,
            cx * cy * sz - sx * sy * cz,
        ];
        let matrix = from_roll_pitch_yaw([roll, pitch, yaw]);
        assert!(near(matrix, from_quaternion(quaternion)));
        assert!(near(matrix, from_quaternion(quaternion.map(|q| -1e200 * q))));
        assert!(error(matrix) < 1e-15);
        let printed = matrix.map(|row| row.map(|x| (x * 1e7).round() / 1e7));
        assert!(error(printed) > 1e-9 && error(cleaned(printed)) < 1e-15);
        assert!(error([[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]]).is_nan());
        assert_eq!(error([[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 1.0]]), 3.0);
    }

    #[test]
    fn the_leg_of_khalil_and_ibrahim_has_its_axes() {
        // a1 = (0, 1, 0), a3 = (c1 s2, −c2, −s1 s2) turned by Rz(γ); B = Rz(γ) (d, 0, 0).
        let (gamma, d, q1, q2) = (0.4, 0.6, -1.3, 1.2);
        let dh = |gamma, alpha, d, theta, r| ModifiedDh { gamma, b: 0.0, alpha, d, theta, r }.placement();
        let first = dh(gamma, -FRAC_PI_2, d, q1, 0.0);
        let second = placed(first, dh(0.0, FRAC_PI_2, 0.0, q2, 0.0));
        let third = placed(second, dh(0.0, FRAC_PI_2, 0.0, 0.0, 0.7));
        let base = about([0.0, 0.0, 1.0], gamma + TAU);
        let axis = |place: Placement| turned(place.rotation, [0.0, 0.0, 1.0]);
        let a3 = turned(base, [q1.cos() * q2.sin(), -q2.cos(), -q1.sin() * q2.sin()]);
        let pairs = [
            (axis(first), turned(base, [0.0, 1.0, 0.0])),
            (axis(third), a3),
            (first.position, turned(base, [d, 0.0, 0.0])),
            (third.position, [0, 1, 2].map(|i| first.position[i] + 0.7 * a3[i])),
        ];
        for (found, expected) in pairs {
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{found:?} {expected:?}");
        }
    }
}
