//! Rotations as matrices by rows, and as quaternions with the real part first.

pub type Matrix = [[f64; 3]; 3];

/// Turned by `angle` about axis 0, 1 or 2: x, y or z.
pub fn about(axis: usize, angle: f64) -> Matrix {
    let (sin, cos) = angle.sin_cos();
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut turn = legwork::IDENTITY;
    (turn[i][i], turn[i][j], turn[j][i], turn[j][j]) = (cos, -sin, sin, cos);
    turn
}

/// A B
pub fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let entry = |i: usize, j: usize| (0..3).map(|k| a[i][k] * b[k][j]).sum();
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| entry(i, j)))
}

/// Aᵀ
pub fn transposed(a: &Matrix) -> Matrix {
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| a[j][i]))
}

/// R v
pub fn turned(rotation: &Matrix, v: [f64; 3]) -> [f64; 3] {
    rotation.map(|row| row.iter().zip(v).map(|(r, v)| r * v).sum())
}

/// Largest difference of two entries.
pub fn difference(a: &Matrix, b: &Matrix) -> f64 {
    a.as_flattened().iter().zip(b.as_flattened()).fold(0.0, |m, (a, b)| m.max((a - b).abs()))
}

/// The rotation of a quaternion of length 1.
pub fn from_quaternion([w, x, y, z]: [f64; 4]) -> Matrix {
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ]
}

/// The quaternion of a rotation with w ≥ 0; from the largest of its four parts, so that nothing cancels.
pub fn quaternion(r: &Matrix) -> [f64; 4] {
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

#[cfg(test)]
mod tests {
    use super::*;
    use legwork::rotation_from_roll_pitch_yaw;

    #[test]
    fn a_quaternion_and_its_matrix_come_back() {
        for angles in [[0.1, -0.2, 0.3], [3.1, 0.0, 0.0], [0.0, 1.5, 3.0], [0.0, 0.0, -3.1], [2.0, -1.0, 2.5]]
        {
            let matrix = rotation_from_roll_pitch_yaw(angles);
            let q = quaternion(&matrix);
            assert!((q.iter().map(|q| q * q).sum::<f64>() - 1.0).abs() < 1e-15);
            assert!(q[0] >= 0.0 && difference(&from_quaternion(q), &matrix) < 1e-15, "{angles:?}");
        }
    }

    #[test]
    fn a_turn_about_one_axis_is_one_of_the_three_angles() {
        for axis in 0..3 {
            let mut angles = [0.0; 3];
            angles[axis] = 0.7;
            assert!(difference(&about(axis, 0.7), &rotation_from_roll_pitch_yaw(angles)) < 1e-16);
        }
        let turn = about(2, 0.4);
        assert!(difference(&product(&turn, &transposed(&turn)), &legwork::IDENTITY) < 1e-15);
        assert!((turned(&turn, [1.0, 0.0, 0.0])[1] - 0.4_f64.sin()).abs() < 1e-16);
    }
}
