//! A symplectic step of a mechanism: RATTLE for a mass matrix that depends on the configuration
//! \[HairerLubichWanner2006, Sec. VII.1.4\], in the chart around where the step begins.
//!
//! ```text
//! (1)  p½ = p₀ + h/2 ( F(0, p½) + H₀ᵀ λ )
//! (2)  ξ₁ = h/2 ( M₀⁻¹ p½ + M(ξ₁)⁻¹ p½ ),   gap(ξ₁) = 0
//! (3)  p₁ = p½ + h/2 ( F(ξ₁, p½) + H₁ᵀ μ ),   H₁ M₁⁻¹ p₁ = 0
//! (4)  F = Bᵀ (Ṁ u − holding + Γ) + Ḃᵀ M u
//! ```
//!
//! Going from one chart to the next is a canonical change of coordinates, so the whole run is symplectic. (1) and (2) are
//! solved together by fixed-point iteration with the Newton correction of λ in it, down to rounding.

use super::form::Coordinates;
use super::open_form::{OpenTreeForm, Rates, State};
use crate::mechanism::{Chart, OpenRoom, factored, solved};
use legwork_core::integrate::Vector;
use legwork_core::motion::{Fault, Load};

/// Iterations at most; each gains a factor of about h times the frequencies of the robot.
const MOST_ITERATIONS: u16 = 80;
/// Size of a correction that is rounding, for angles of a few radians.
const ROUNDING: f64 = 1e-15;

/// Matrices of a step.
#[derive(Debug, Default)]
pub(super) struct RattleRoom {
    /// Of the tree, where the step begins and where it ends; factored.
    masses: [Vec<f64>; 2],
    /// Independent rows of H₀, by rows; M₀⁻¹ H₀ᵀ by columns; H₀ M₀⁻¹ H₀ᵀ, factored.
    rows: Vec<f64>,
    images: Vec<f64>,
    square: Vec<f64>,
    places: Vec<usize>,
    multipliers: Vec<f64>,
    more: Vec<f64>,
}

/// What a motion does at one end of a step.
struct End {
    force: Rates,
    /// Work and dissipation \[W\].
    books: [f64; 2],
}

impl OpenTreeForm<'_> {
    /// Bodies whose joints in the tree move nothing that has mass.
    pub(crate) fn massless_bodies(&self) -> Vec<String> {
        let plan = self.tree.plan();
        let mut masses: Vec<f64> = plan.bodies.iter().map(|body| body.body.mass).collect();
        for (k, body) in plan.bodies.iter().enumerate().rev() {
            if let Some(parent) = body.parent.checked_sub(1) {
                masses[parent] += masses[k];
            }
        }
        let moved = |body: &legwork_core::mechanism::TreeBody<f64>| {
            (body.freedom..body.freedom + body.joint.freedoms()).all(|freedom| plan.rotors[freedom] > 0.0)
        };
        let lonely = |k: &usize| masses[*k] <= 0.0 && !moved(&plan.bodies[*k]);
        (0..masses.len()).filter(lonely).map(|k| self.robot.model().tree_body(k).to_owned()).collect()
    }

    /// The mass matrix of the tree at the frames that are placed, factored.
    fn factor_mass(&self, room: &mut OpenRoom, mass: &mut Vec<f64>) -> Result<(), Fault> {
        let n = self.tree.freedoms();
        mass.resize(n * n, 0.0);
        let mut unit = self.still();
        for (k, row) in mass.chunks_exact_mut(n.max(1)).enumerate() {
            unit.as_mut_slice().fill(0.0);
            unit.as_mut_slice()[k] = 1.0;
            self.tree.momenta(unit.as_slice(), room, row);
        }
        let margin = factored(mass, n);
        // Without mass on every joint there are no velocities for momenta.
        if margin.is_nan() || margin <= 1e-12 { Err(Fault::Singular { margin }) } else { Ok(()) }
    }

    /// (4) where ξ is, at the frames that are placed.
    fn push(&self, at: (&Coordinates, &Rates), v: &Rates, load: &Load<'_>, room: &mut OpenRoom) -> End {
        let ((coordinates, xi), plan) = (at, self.tree.plan());
        let chart = Chart(xi.as_slice());
        let mut rates = *v;
        chart.rates(&plan, rates.as_mut_slice());
        let (mut force, work, dissipation) = self.applied(&rates, load, room);
        let flow = self.flow(coordinates, &rates);
        let (mut changing, mut momenta) = (self.still(), self.still());
        let along = (coordinates.as_slice(), flow.as_slice());
        self.tree.momenta_rate(along, rates.as_slice(), room, changing.as_mut_slice());
        force = force.zip(&changing, |a, b| a + b);
        chart.momenta(&plan, force.as_mut_slice());
        self.tree.momenta(rates.as_slice(), room, momenta.as_mut_slice());
        chart.add_turning(&plan, v.as_slice(), momenta.as_slice(), force.as_mut_slice());
        End { force, books: [work, dissipation] }
    }

    /// The configuration at ξ.
    fn displaced(&self, from: &Coordinates, xi: &Rates) -> Coordinates {
        let mut there = *from;
        self.tree.plan().step(there.as_mut_slice(), xi.as_slice());
        there
    }

    /// One step of length h \[s\] from a state of momenta on closed loops; then work and dissipation \[J\].
    pub(crate) fn rattle_step(
        &self,
        (q0, p0): &State,
        load: &Load<'_>,
        h: f64,
    ) -> Result<(State, [f64; 2]), Fault> {
        let (tree, plan, n, half) = (&self.tree, self.tree.plan(), self.tree.freedoms(), 0.5 * h);
        let room = &mut *self.room.borrow_mut();
        let matrices = &mut *self.rattle.borrow_mut();
        self.eliminated(q0, room)?;
        self.prepare_loops(room, matrices)?;
        let count = matrices.places.len();
        let [near_mass, far_mass] = &mut matrices.masses;
        let through = |mass: &[f64], p: &Rates| {
            let mut v = *p;
            solved(mass, n, v.as_mut_slice());
            v
        };
        let along = |lambda: &[f64], scale: f64, rows: &[f64]| {
            let mut sum = self.still();
            for (l, row) in lambda.iter().zip(rows.chunks_exact(n.max(1))) {
                sum.as_mut_slice().iter_mut().zip(row).for_each(|(slot, x)| *slot += scale * l * x);
            }
            sum
        };
        let plus = |a: &Rates, b: &Rates| a.zip(b, |a, b| a + b);
        let zero = self.still();
        matrices.multipliers.fill(0.0);
        let mut p = *p0;
        let mut xi = through(near_mass, &p).map(|v| v * h);
        let (mut last, mut iterations) = (f64::INFINITY, 0);
        loop {
            iterations += 1;
            tree.place(q0.as_slice(), room);
            let begin = self.push((q0, &zero), &through(near_mass, &p), load, room);
            let pushed = plus(
                &plus(p0, &begin.force.map(|f| f * half)),
                &along(&matrices.multipliers, half, &matrices.rows),
            ); // (1)
            tree.place(self.displaced(q0, &xi).as_slice(), room);
            self.factor_mass(room, far_mass)?;
            let chart = Chart(xi.as_slice());
            let mut far = pushed;
            chart.tree_momenta(&plan, far.as_mut_slice());
            solved(far_mass, n, far.as_mut_slice());
            chart.velocities(&plan, far.as_mut_slice());
            let moved = plus(&through(near_mass, &pushed), &far).map(|v| v * half); // (2)
            tree.place(self.displaced(q0, &moved).as_slice(), room);
            for (more, place) in matrices.more.iter_mut().zip(&matrices.places) {
                *more = -room.gaps[*place] / (half * h);
            }
            solved(&matrices.square, count, &mut matrices.more);
            let there = plus(&moved, &along(&matrices.more, half * h, &matrices.images));
            let correction = there
                .zip(&xi, |a, b| a - b)
                .fold(0.0, |most: f64, x| if x.abs() > most || x.is_nan() { x.abs() } else { most });
            xi = there;
            p = plus(&pushed, &along(&matrices.more, half, &matrices.rows));
            for (lambda, more) in matrices.multipliers.iter_mut().zip(&matrices.more) {
                *lambda += more;
            }
            // Below a few roundings no iteration gets better; one more would only wander.
            if correction <= ROUNDING || (correction >= last && correction <= 1e3 * ROUNDING) {
                break;
            }
            if correction.is_nan() || iterations == MOST_ITERATIONS {
                return Err(Fault::NoConvergence { iterations, correction });
            }
            last = correction;
        }
        tree.place(q0.as_slice(), room);
        let begin = self.push((q0, &zero), &through(near_mass, &p), load, room);
        let q1 = self.displaced(q0, &xi);
        self.eliminated(&q1, room)?;
        self.factor_mass(room, far_mass)?;
        let chart = Chart(xi.as_slice());
        let mut v = p;
        chart.tree_momenta(&plan, v.as_mut_slice());
        solved(far_mass, n, v.as_mut_slice());
        chart.velocities(&plan, v.as_mut_slice());
        let end = self.push((&q1, &xi), &v, load, room);
        let mut p1 = plus(&p, &end.force.map(|f| f * half)); // (3)
        chart.tree_momenta(&plan, p1.as_mut_slice());
        let rates = self.rates(&p1, room);
        let p1 = self.second(&rates, room);
        let books = [0, 1].map(|k| half * (begin.books[k] + end.books[k]));
        Ok(((q1, p1), books))
    }

    /// M₀ factored, the independent rows, and what joins them.
    fn prepare_loops(&self, room: &mut OpenRoom, matrices: &mut RattleRoom) -> Result<(), Fault> {
        let n = self.tree.freedoms();
        matrices.places.clear();
        matrices.places.extend(self.tree.independent_rows(room));
        let count = matrices.places.len();
        matrices.rows.clear();
        for place in &matrices.places {
            matrices.rows.extend(self.tree.row(*place, room));
        }
        self.factor_mass(room, &mut matrices.masses[0])?;
        matrices.images.clear();
        matrices.images.extend(&matrices.rows);
        for image in matrices.images.chunks_exact_mut(n.max(1)) {
            solved(&matrices.masses[0], n, image);
        }
        matrices.square.resize(count * count, 0.0);
        for i in 0..count {
            for j in 0..=i {
                let (row, image) = (&matrices.rows[i * n..(i + 1) * n], &matrices.images[j * n..(j + 1) * n]);
                matrices.square[i * count + j] = row.iter().zip(image).map(|(a, b)| a * b).sum();
            }
        }
        matrices.multipliers.resize(count, 0.0);
        matrices.more.resize(count, 0.0);
        let margin = factored(&mut matrices.square, count);
        if margin.is_nan() || margin <= 0.0 { Err(Fault::Singular { margin }) } else { Ok(()) }
    }
}
