//! How the base of a simulated robot moves over time: swaying, or as a table says.

use super::SimulationError;
use crate::MovingBase;
use crate::rotation::{cross, from_roll_pitch_yaw, rotated, transposed};
use std::f64::consts::TAU;

/// A sinusoid of one coordinate of the base.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sway {
    /// Which coordinate, from 0: x, y, z \[m\], roll, pitch, yaw \[rad\].
    pub component: usize,
    /// How far \[m or rad\].
    pub amplitude: f64,
    /// How often \[Hz\].
    pub frequency: f64,
    /// Where it begins \[rad\]: the coordinate is amplitude · sin(2π frequency t + phase).
    pub phase: f64,
}

/// Places of the base over time: cubic splines through rows, free of bending at both ends.
#[derive(Clone, Debug, PartialEq)]
struct Places {
    times: Vec<f64>,
    rows: Vec<[f64; 6]>,
    /// Second derivatives at the rows.
    bends: Vec<[f64; 6]>,
}

/// How the frame in which poses are given moves in the world: position, and roll, pitch, yaw about fixed axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BaseCourse {
    sways: Vec<Sway>,
    places: Option<Places>,
}

impl BaseCourse {
    /// The same with a sinusoid more.
    #[must_use]
    pub fn swaying(mut self, sway: Sway) -> Self {
        self.sways.push(sway);
        self
    }

    /// The same through these places \[m, rad\] at these times \[s\], smooth in between.
    pub fn through(self, times: &[f64], rows: &[[f64; 6]]) -> Result<Self, SimulationError> {
        if times.len() != rows.len() || times.len() < 2 {
            let (expected, found) = (times.len().max(2), rows.len());
            return Err(SimulationError::Count { what: "places of the base", expected, found });
        }
        let ascends = |k: &usize| times[*k].is_finite() && (*k == 0 || times[*k] > times[*k - 1]);
        if let Some(row) = (0..times.len()).find(|row| !ascends(row)) {
            return Err(SimulationError::TimesNotAscending { row, time: times[row] });
        }
        if let Some(value) = rows.as_flattened().iter().find(|value| !value.is_finite()) {
            return Err(SimulationError::Plant { what: "place of the base", motor: None, value: *value });
        }
        let bends = bends(times, rows);
        Ok(Self { places: Some(Places { times: times.to_vec(), rows: rows.to_vec(), bends }), ..self })
    }

    /// Refuses numbers that make no motion, and a table that ends before a run of `duration` \[s\].
    pub(super) fn check(&self, duration: f64) -> Result<(), SimulationError> {
        for sway in &self.sways {
            let numbers = [("amplitude of the base", sway.amplitude), ("phase of the base", sway.phase)];
            for (what, value) in numbers {
                if !value.is_finite() {
                    return Err(SimulationError::Plant { what, motor: None, value });
                }
            }
            if !(sway.frequency.is_finite() && sway.frequency >= 0.0) {
                let (what, value) = ("frequency of the base", sway.frequency);
                return Err(SimulationError::Plant { what, motor: None, value });
            }
        }
        if let Some(places) = &self.places
            && let (Some(first), Some(last)) = (places.times.first(), places.times.last())
            && (*first > 0.0 || *last < duration * (1.0 - 1e-12))
        {
            return Err(SimulationError::BaseTooShort { first: *first, last: *last, duration });
        }
        Ok(())
    }

    /// The base at a time \[s\].
    pub fn at(&self, time: f64) -> MovingBase {
        let [mut place, mut rate, mut bend] =
            self.places.as_ref().map_or([[0.0; 6]; 3], |places| places.at(time));
        for sway in &self.sways {
            let w = TAU * sway.frequency;
            let (sin, cos) = (w * time + sway.phase).sin_cos();
            let lists = [&mut place, &mut rate, &mut bend];
            for (list, value) in lists.into_iter().zip([sin, w * cos, -w * w * sin]) {
                if let Some(slot) = list.get_mut(sway.component) {
                    *slot += sway.amplitude * value;
                }
            }
        }
        moving(place, rate, bend)
    }
}

/// Coordinates, their rates and second rates as a motion in the axes of the base.
///
/// ```text
/// R = Rz(y) Ry(p) Rx(r),   ω = ẏ z + ṗ e₂ + ṙ e₁,   e₂ = Rz y,   e₁ = Rz Ry x
/// α = ÿ z + p̈ e₂ + r̈ e₁ + ẏ z × ṗ e₂ + (ẏ z + ṗ e₂) × ṙ e₁
/// ```
fn moving(place: [f64; 6], rate: [f64; 6], bend: [f64; 6]) -> MovingBase {
    let angles = [place[3], place[4], place[5]];
    let rotation = from_roll_pitch_yaw(angles);
    let back = transposed(&rotation);
    let e3 = [0.0, 0.0, 1.0];
    let e2 = rotated(&from_roll_pitch_yaw([0.0, 0.0, angles[2]]), [0.0, 1.0, 0.0]);
    let e1 = rotated(&from_roll_pitch_yaw([0.0, angles[1], angles[2]]), [1.0, 0.0, 0.0]);
    let times = |v: [f64; 3], s: f64| v.map(|x| x * s);
    let sum = |list: &[[f64; 3]]| std::array::from_fn::<f64, 3, _>(|k| list.iter().map(|v| v[k]).sum());
    let (turning, pitching, rolling) = (times(e3, rate[5]), times(e2, rate[4]), times(e1, rate[3]));
    let angular_velocity = sum(&[turning, pitching, rolling]);
    let angular_acceleration = sum(&[
        times(e3, bend[5]),
        times(e2, bend[4]),
        times(e1, bend[3]),
        cross(turning, pitching),
        cross(sum(&[turning, pitching]), rolling),
    ]);
    let six = |linear: [f64; 3], angular: [f64; 3]| {
        let ([a, b, c], [d, e, f]) = (rotated(&back, linear), rotated(&back, angular));
        [a, b, c, d, e, f]
    };
    MovingBase {
        rotation,
        twist: six([rate[0], rate[1], rate[2]], angular_velocity),
        acceleration: six([bend[0], bend[1], bend[2]], angular_acceleration),
    }
}

/// Second derivatives of natural cubic splines, by the tridiagonal equations
/// h₀ m₀ + 2 (h₀ + h₁) m₁ + h₁ m₂ = 6 (d₁ − d₀).
fn bends(times: &[f64], rows: &[[f64; 6]]) -> Vec<[f64; 6]> {
    let count = times.len();
    let mut upper = vec![0.0; count];
    let mut bends = vec![[0.0; 6]; count];
    for k in 1..count - 1 {
        let (h0, h1) = (times[k] - times[k - 1], times[k + 1] - times[k]);
        let pivot = 2.0 * (h0 + h1) - h0 * upper[k - 1];
        upper[k] = h1 / pivot;
        for c in 0..6 {
            let (d0, d1) = ((rows[k][c] - rows[k - 1][c]) / h0, (rows[k + 1][c] - rows[k][c]) / h1);
            bends[k][c] = (6.0 * (d1 - d0) - h0 * bends[k - 1][c]) / pivot;
        }
    }
    for k in (1..count - 1).rev() {
        let next = bends[k + 1];
        bends[k].iter_mut().zip(next).for_each(|(bend, next)| *bend -= upper[k] * next);
    }
    bends
}

impl Places {
    /// Coordinates, rates and second rates; beyond both ends at rest there.
    fn at(&self, time: f64) -> [[f64; 6]; 3] {
        let next = self.times.partition_point(|t| *t <= time).clamp(1, self.times.len() - 1);
        let (t0, t1) = (self.times[next - 1], self.times[next]);
        if time < t0 || time > t1 {
            let row = if time < t0 { self.rows[next - 1] } else { self.rows[next] };
            return [row, [0.0; 6], [0.0; 6]];
        }
        let (h, (a, b)) = (t1 - t0, ((t1 - time) / (t1 - t0), (time - t0) / (t1 - t0)));
        let mut all = [[0.0; 6]; 3];
        let [place, rate, bend] = &mut all;
        for c in 0..6 {
            let (y0, y1) = (self.rows[next - 1][c], self.rows[next][c]);
            let (m0, m1) = (self.bends[next - 1][c], self.bends[next][c]);
            place[c] = a * y0 + b * y1 + ((a * a * a - a) * m0 + (b * b * b - b) * m1) * h * h / 6.0;
            rate[c] = (y1 - y0) / h + ((3.0 * b * b - 1.0) * m1 - (3.0 * a * a - 1.0) * m0) * h / 6.0;
            bend[c] = a * m0 + b * m1;
        }
        all
    }
}
