//! Rotations of the desk, as matrices by rows: the one place where they are made from angles, axes and
//! quaternions, and turned back into them.
//!
//! A matrix maps vectors of the platform to the base. Quaternions are `[w, x, y, z]`, real part first. Roll, pitch
//! and yaw turn about the fixed axes x, then y, then z: R = Rz(yaw) Ry(pitch) Rx(roll).

use legwork_core::Real;

/// Three numbers along x, y, z.
pub type Vector = [f64; 3];
/// A rotation by rows.
pub type Matrix = [[f64; 3]; 3];

/// No rotation.
pub const IDENTITY: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// The vector of length 1 with the same direction.
pub fn unit(vector: Vector) -> Vector {
    // Scaled first: squares of very large or small numbers would not fit.
    let size = vector.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let scaled = vector.map(|x| x / size);
    let length = dot(scaled, scaled).sqrt();
    scaled.map(|x| x / length)
}

/// a · b
pub fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// a × b
pub fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// R v
pub fn rotated(rotation: &Matrix, vector: Vector) -> Vector {
    rotation.map(|row| dot(row, vector))
}

/// Aᵀ
pub fn transposed(m: &Matrix) -> Matrix {
    [0, 1, 2].map(|i| m.map(|row| row[i]))
}

/// A B
pub fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let columns = transposed(b);
    a.map(|row| columns.map(|column| dot(row, column)))
}

/// Largest difference of two entries; NaN if one of them is.
pub fn difference(a: &Matrix, b: &Matrix) -> f64 {
    let pairs = a.as_flattened().iter().zip(b.as_flattened());
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, Real::max)
}

/// A rotation by `angle` \[rad\] about the unit vector `axis` (Rodrigues).
pub fn about_axis(axis: Vector, angle: f64) -> Matrix {
    let (sin, cos) = angle.sin_cos();
    let [x, y, z] = axis;
    let rest = 1.0 - cos;
    [
        [x * x * rest + cos, x * y * rest - z * sin, x * z * rest + y * sin],
        [y * x * rest + z * sin, y * y * rest + cos, y * z * rest - x * sin],
        [z * x * rest - y * sin, z * y * rest + x * sin, z * z * rest + cos],
    ]
}

/// A rotation by `angle` \[rad\] about the axis 0, 1 or 2: x, y or z.
pub fn about_coordinate(axis: usize, angle: f64) -> Matrix {
    let (sin, cos) = angle.sin_cos();
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut rotation = IDENTITY;
    (rotation[i][i], rotation[i][j], rotation[j][i], rotation[j][j]) = (cos, -sin, sin, cos);
    rotation
}

/// The angle \[rad\] of a rotation that is one about the axis 0, 1 or 2.
pub fn angle_about_coordinate(axis: usize, rotation: &Matrix) -> f64 {
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    (rotation[j][i] - rotation[i][j]).atan2(rotation[i][i] + rotation[j][j])
}

/// The rotation of a rotation vector, its axis times its angle \[rad\].
pub fn from_rotation_vector(vector: Vector) -> Matrix {
    let angle = dot(vector, vector).sqrt();
    if angle == 0.0 { IDENTITY } else { about_axis(vector.map(|x| x / angle), angle) }
}

/// The rotation vector of a rotation, its axis times its angle of at most half a turn \[rad\].
pub fn rotation_vector(r: &Matrix) -> Vector {
    let [w, x, y, z] = to_quaternion(r);
    let size = dot([x, y, z], [x, y, z]).sqrt();
    let angle = 2.0 * size.atan2(w);
    if size == 0.0 { [0.0; 3] } else { [x, y, z].map(|v| v / size * angle) }
}

/// R = Rz(yaw) Ry(pitch) Rx(roll) \[rad\].
pub fn from_roll_pitch_yaw([roll, pitch, yaw]: Vector) -> Matrix {
    let ((sr, cr), (sp, cp), (sy, cy)) = (roll.sin_cos(), pitch.sin_cos(), yaw.sin_cos());
    [
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ]
}

/// Roll, pitch, yaw \[rad\] of a rotation; pitch within ±90°, where roll is set to 0 if it is ±90°.
pub fn to_roll_pitch_yaw(r: &Matrix) -> Vector {
    let pitch = (-r[2][0]).atan2(r[0][0].hypot(r[1][0]));
    if r[0][0].hypot(r[1][0]) < 1e-9 {
        return [0.0, pitch, (-r[0][1]).atan2(r[1][1])];
    }
    [r[2][1].atan2(r[2][2]), pitch, r[1][0].atan2(r[0][0])]
}

/// The rotation of a quaternion of any length but zero.
pub fn from_quaternion(quaternion: [f64; 4]) -> Matrix {
    let size = quaternion.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let [w, x, y, z] = quaternion.map(|q| q / size);
    let twice = 2.0 / (w * w + x * x + y * y + z * z);
    [
        [1.0 - twice * (y * y + z * z), twice * (x * y - w * z), twice * (x * z + w * y)],
        [twice * (x * y + w * z), 1.0 - twice * (x * x + z * z), twice * (y * z - w * x)],
        [twice * (x * z - w * y), twice * (y * z + w * x), 1.0 - twice * (x * x + y * y)],
    ]
}

/// The quaternion of a rotation with w ≥ 0; from the largest of its four parts, so that nothing cancels.
pub fn to_quaternion(r: &Matrix) -> [f64; 4] {
    let [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]] = *r;
    // Four times the square of each part.
    let squares = [1.0 + xx + yy + zz, 1.0 + xx - yy - zz, 1.0 - xx + yy - zz, 1.0 - xx - yy + zz];
    let columns = [
        [squares[0], zy - yz, xz - zx, yx - xy],
        [zy - yz, squares[1], yx + xy, xz + zx],
        [xz - zx, yx + xy, squares[2], zy + yz],
        [yx - xy, xz + zx, zy + yz, squares[3]],
    ];
    let largest = (0..4).max_by(|i, j| squares[*i].total_cmp(&squares[*j])).unwrap_or(0);
    let length = 2.0 * squares[largest].sqrt();
    let sign = if columns[largest][0] < 0.0 { -1.0 } else { 1.0 };
    columns[largest].map(|part| sign * part / length)
}

/// Two unit vectors across a unit vector and at a right angle to each other; x and y for z.
pub fn across(axis: Vector) -> [Vector; 2] {
    let [x, y, _] = IDENTITY;
    let second = unit(cross(axis, if axis[0].abs() < 0.8 { x } else { y }));
    [cross(second, axis), second]
}

/// How far a matrix is from a rotation: the largest entry of R Rᵀ − 1; NaN for a mirror.
pub fn error(m: &Matrix) -> f64 {
    let square = product(m, &transposed(m));
    let largest = difference(&square, &IDENTITY);
    if dot(m[0], cross(m[1], m[2])) < 0.0 && largest < 0.5 { f64::NAN } else { largest }
}

/// The rotation near a matrix that is one but for its printed digits (Gram and Schmidt).
pub fn cleaned(m: &Matrix) -> Matrix {
    if error(m) < 1e-14 {
        return *m;
    }
    let x = unit(m[0]);
    let along = dot(m[1], x);
    let y = unit([0, 1, 2].map(|i| m[1][i] - along * x[i]));
    [x, y, cross(x, y)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::FRAC_PI_2;

    const ANGLES: [Vector; 5] =
        [[0.1, -0.2, 0.3], [3.1, 0.0, 0.0], [0.0, 1.5, 3.0], [0.0, 0.0, -3.1], [2.0, -1.0, 2.5]];

    fn near(a: &Matrix, b: &Matrix) -> bool {
        difference(a, b) < 2e-15
    }

    #[test]
    fn rotation_vectors_there_and_back() {
        for vector in [[0.0; 3], [0.3, -0.2, 0.9], [-2.0, 1.5, 0.7], [1e-9, 0.0, -1e-9], [0.0, 3.1, 0.0]] {
            let back = rotation_vector(&from_rotation_vector(vector));
            assert!(back.iter().zip(vector).all(|(a, b)| (a - b).abs() < 1e-14), "{back:?} {vector:?}"); // rounding
        }
    }

    #[test]
    fn a_quaternion_and_its_matrix_come_back() {
        for angles in ANGLES {
            let matrix = from_roll_pitch_yaw(angles);
            let q = to_quaternion(&matrix);
            assert!((q.iter().map(|q| q * q).sum::<f64>() - 1.0).abs() < 1e-15);
            assert!(q[0] >= 0.0 && near(&from_quaternion(q), &matrix), "{angles:?}");
            // Its length does not count.
            assert!(near(&from_quaternion(q.map(|q| -1e200 * q)), &matrix), "{angles:?}");
        }
    }

    #[test]
    fn three_angles_are_three_rotations_one_after_the_other() {
        let [x, y, z] = IDENTITY;
        for angles @ [roll, pitch, yaw] in ANGLES {
            let matrix = from_roll_pitch_yaw(angles);
            let by_axes = product(&about_axis(z, yaw), &product(&about_axis(y, pitch), &about_axis(x, roll)));
            assert!(near(&matrix, &by_axes), "{angles:?}");
            assert!(near(&from_roll_pitch_yaw(to_roll_pitch_yaw(&matrix)), &matrix), "{angles:?}");
        }
    }

    #[test]
    fn one_axis_is_one_of_the_three_angles() {
        for axis in 0..3 {
            let mut angles = [0.0; 3];
            angles[axis] = 0.7;
            let rotation = about_coordinate(axis, 0.7);
            assert!(near(&rotation, &from_roll_pitch_yaw(angles)));
            assert!(near(&rotation, &about_axis(IDENTITY[axis], 0.7)));
            assert!(near(&rotation, &from_rotation_vector(angles)));
            assert!((angle_about_coordinate(axis, &rotation) - 0.7).abs() < 1e-15);
        }
    }

    #[test]
    fn a_right_angle_turns_one_axis_to_the_next() {
        let [x, y, z] = IDENTITY;
        for (axis, from, to) in [(x, y, z), (y, z, x), (z, x, y)] {
            let reached = rotated(&about_axis(axis, FRAC_PI_2), from);
            assert!(reached.iter().zip(to).all(|(a, b)| (a - b).abs() < 1e-15));
        }
    }

    #[test]
    fn printed_digits_are_cleaned_and_a_mirror_is_told() {
        let matrix = from_roll_pitch_yaw([0.3, -0.2, 1.1]);
        assert!(error(&matrix) < 1e-15);
        let printed = matrix.map(|row| row.map(|x| (x * 1e7).round() / 1e7));
        assert!(error(&printed) > 1e-9 && error(&cleaned(&printed)) < 1e-15);
        assert!(error(&[[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]]).is_nan());
        assert_eq!(error(&[[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 1.0]]), 3.0);
        let mut with_nan = IDENTITY;
        with_nan[1][1] = f64::NAN;
        assert!(difference(&with_nan, &IDENTITY).is_nan());
    }
}
