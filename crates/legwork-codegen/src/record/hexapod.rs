//! Six UPS legs with a loop over them: what a leg does is recorded once, with the numbers that differ from leg to leg in
//! tables. Step for step the library's [`Hexapod`](legwork_core::engine::Hexapod): a check holds both equal to the bit.

use super::legs::LegsRobot;
use super::with_mass;
use crate::program::{Operation, Recording, Rolled, Value, finite_margin, steps_of};
use crate::request::Quantity;
use legwork_core::engine::matrix::Qr;
use legwork_core::engine::{AnyLeg, JointKind, PlatformMass, Pose, Twist, Ups, Wrench};
use legwork_core::linalg::{solve_qr, solve_spd};
use legwork_core::trace::{Tape, Trace};
use legwork_core::{M3, Margin, Real, Sym3, V3};

/// The inputs that both parts of a function read.
struct Inputs<'t> {
    pose: Pose<Trace<'t>>,
    twist: Twist<Trace<'t>>,
    third: [Trace<'t>; 6],
}

impl LegsRobot {
    fn six_inputs<'t>(&self, tape: &'t Tape) -> Inputs<'t> {
        let mut recording = Recording::new(tape);
        let place = self.place(&mut recording);
        let twist = Twist::from_vector_linear_first(recording.array("velocity", ""));
        Inputs { pose: place.pose, twist, third: recording.array("third", "") }
    }

    /// Inverse or forward dynamics of a hexapod in its loop form.
    pub(super) fn hexapod_in_a_loop(&self, quantity: Quantity) -> Option<Rolled> {
        let forward = match quantity {
            Quantity::InverseDynamics => false,
            Quantity::ForwardDynamics => true,
            _ => return None,
        };
        let closed = |leg: &AnyLeg<f64>| if let AnyLeg::Ups(leg) = leg { Some(*leg) } else { None };
        let legs: Vec<Ups<f64>> = self.model.legs.iter().map(closed).collect::<Option<_>>()?;
        if legs.len() != 6 || self.model.freedoms != [0, 1, 2, 3, 4, 5] {
            return None;
        }
        // The numbers of the legs, and which of them differ.
        let numbers: Vec<Vec<f64>> = legs
            .iter()
            .map(|leg| {
                let mut list = Vec::new();
                leg.map(|x| list.push(x));
                list
            })
            .collect();
        let differs = |k: usize| numbers.iter().any(|list| list[k] != numbers[0][k]);
        let places: Vec<usize> = (0..numbers[0].len()).filter(|k| differs(*k)).collect();
        let tables = places.iter().map(|k| numbers.iter().map(|list| list[*k]).collect()).collect();

        let tape = Tape::new();
        let inputs = self.six_inputs(&tape);
        let count = 24;
        let tau = tape.input("tau");
        let mut at = 0;
        let leg = legs[0].map(|x| {
            at += 1;
            if places.contains(&(at - 1)) { tape.input("table") } else { Trace::from_f64(x) }
        });
        let gravity = self.model.gravity.map(Trace::from_f64);
        let results = if forward {
            direct_share(&leg, &inputs, tau, gravity)
        } else {
            inverse_share(&leg, &inputs, gravity)
        };
        let width = results.len();
        let (body, body_results) = steps_of(&tape, &results);
        let of_body = |value: Value| match value {
            Value::Input(k) if k == count => Value::InputOfLeg(18),
            Value::Input(k) if k > count => Value::Table(k - count - 1),
            other => other,
        };
        let body: Vec<Operation> = body.into_iter().map(|step| step.map(of_body)).collect();
        let body_results = body_results.into_iter().map(of_body).collect();

        let tape = Tape::new();
        let inputs = self.six_inputs(&tape);
        let shares: Vec<Vec<Trace<'_>>> =
            (0..6).map(|_| (0..width).map(|_| tape.input("leg")).collect()).collect();
        let results = if forward { self.forward(&inputs, &shares) } else { self.inverse(&inputs, &shares) };
        let (steps, results) = steps_of(&tape, &results);
        let of_main = |value: Value| match value {
            Value::Input(k) if k >= count => Value::OfLeg((k - count) % width, (k - count) / width),
            other => other,
        };
        let steps = steps.into_iter().map(|step| step.map(of_main)).collect();
        let results = results.into_iter().map(of_main).collect();
        Some(Rolled { legs: 6, tables, body, body_results, steps, results })
    }

    fn inverse<'t>(&self, inputs: &Inputs<'t>, shares: &[Vec<Trace<'t>>]) -> Vec<Trace<'t>> {
        let inertia = self.model.platform.map(Trace::from_f64).spatial(&inputs.pose, inputs.pose.position);
        let gravity = self.model.gravity.map(Trace::from_f64);
        let acceleration = Twist::from_vector_linear_first(inputs.third);
        let falling = Twist::new(acceleration.linear - gravity, acceleration.angular);
        let w = inputs.twist.angular;
        let gyroscopic = Wrench::new(w.cross(w.cross(inertia.first)), w.cross(inertia.inertia * w));
        let demand = (inertia.apply(falling) + gyroscopic).to_vector_linear_first();
        let held: [Trace<'t>; 6] = std::array::from_fn(|k| demand[k] + total(shares, 6 + k));
        let columns: [[Trace<'t>; 6]; 6] = std::array::from_fn(|i| std::array::from_fn(|leg| shares[leg][i]));
        let Margin { value, .. } = solve_qr(&columns, &held);
        let effort: Vec<_> = (0..6).map(|leg| shares[leg][12] + value[leg]).collect();
        let rows = std::array::from_fn(|leg| std::array::from_fn(|k| shares[leg][k]));
        let margin = self.hexapod_margin(&rows, &std::array::from_fn(|leg| shares[leg][13]));
        effort.iter().copied().chain([finite_margin(margin, &effort)]).collect()
    }

    fn forward<'t>(&self, inputs: &Inputs<'t>, shares: &[Vec<Trace<'t>>]) -> Vec<Trace<'t>> {
        let inertia = self.model.platform.map(Trace::from_f64).spatial(&inputs.pose, inputs.pose.position);
        let gravity = self.model.gravity.map(Trace::from_f64);
        let weight = inertia.apply(Twist::new(gravity, V3::zero()));
        let w = inputs.twist.angular;
        let gyroscopic = Wrench::new(w.cross(w.cross(inertia.first)), w.cross(inertia.inertia * w));
        let own = (weight - gyroscopic).to_vector_linear_first();
        let push: [Trace<'t>; 6] = std::array::from_fn(|k| own[k] + total(shares, 6 + k));
        let sum = |k: usize| total(shares, 14 + k);
        let three = |k: usize| V3::new(sum(k), sum(k + 1), sum(k + 2));
        let legs = PlatformMass {
            linear: Sym3 { diagonal: three(0), off: three(3) },
            coupling: M3(V3::new(three(6), three(9), three(12))),
            angular: Sym3 { diagonal: three(15), off: three(18) },
        };
        let mass = inertia.blocks() + legs;
        let Margin { value, margin } = solve_spd(&mass.to_matrix(), &push);
        let platform = Twist::from_vector_linear_first(value);
        let joint = (0..6).map(|leg| {
            let row = Wrench::from_vector_linear_first(std::array::from_fn(|k| shares[leg][k]));
            row.power(platform) + shares[leg][12]
        });
        let answer: Vec<_> = value.into_iter().chain(joint).collect();
        let rows = std::array::from_fn(|leg| std::array::from_fn(|k| shares[leg][k]));
        let space = self.space::<6>();
        let held = space.scales().motor_factors(&[JointKind::Prismatic; 6], &rows).margin();
        let reach = least(&std::array::from_fn(|leg| shares[leg][13]));
        let margin = with_mass(reach.min(held), margin.min(reach));
        answer.iter().copied().chain([finite_margin(margin, &answer)]).collect()
    }

    /// The margin of six UPS legs where the factors of J_r^{−T}, by columns, are at hand: the smaller of sin² q2 of the legs and
    /// |det J_r⁻¹|/ℓ³, which is the product of the pivots whose smallest one the other functions have. Neither has a unit.
    pub(super) fn hexapod_margin<'t>(&self, rows: &[[Trace<'t>; 6]; 6], reach: &[Trace<'t>; 6]) -> Trace<'t> {
        let columns: [[Trace<'t>; 6]; 6] = std::array::from_fn(|i| std::array::from_fn(|leg| rows[leg][i]));
        let size = self.model.length.powi(-3);
        least(reach).min(Qr::new(&columns).determinant().abs() * Trace::from_f64(size))
    }
}

/// Row, wrench of the passive joints, effort, margin.
fn inverse_share<'t>(leg: &Ups<Trace<'t>>, inputs: &Inputs<'t>, gravity: V3<Trace<'t>>) -> Vec<Trace<'t>> {
    let at = leg.posture(&inputs.pose);
    let (v, a) = Ups::point_motion(&at, inputs.twist, Twist::from_vector_linear_first(inputs.third));
    let f = leg.forces(&at, v, a, gravity);
    let across = Wrench::new(f.across, at.offset.cross(f.across));
    let row = Ups::row(&at).to_vector_linear_first();
    row.into_iter().chain(across.to_vector_linear_first()).chain([f.along, at.margin]).collect()
}

/// Row, push, bias, margin, mass.
fn direct_share<'t>(
    leg: &Ups<Trace<'t>>,
    inputs: &Inputs<'t>,
    tau: Trace<'t>,
    gravity: V3<Trace<'t>>,
) -> Vec<Trace<'t>> {
    let at = leg.posture(&inputs.pose);
    let w = inputs.twist.angular;
    let turning = w.cross(at.offset);
    let f = leg.forces(&at, inputs.twist.linear + turning, w.cross(turning), gravity);
    let force = at.z * (tau - f.along) - f.across;
    let push = Wrench::new(force, at.offset.cross(force)).to_vector_linear_first();
    // J_vᵀ A J_v with J_v = [1, −d^], from its three blocks.
    let (a, d) = (leg.mass(&at), at.offset);
    let columns = a.to_matrix().0.map(|column| d.cross(column));
    let b = M3::from_columns(columns.x, columns.y, columns.z);
    let c = b.0.map(|row| d.cross(row));
    let list = |v: V3<Trace<'t>>| v.to_array();
    let mut found = Ups::row(&at).to_vector_linear_first().to_vec();
    found.extend(push);
    found.extend([f.acceleration, at.margin]);
    found.extend(list(a.diagonal).into_iter().chain(list(a.off)));
    found.extend(b.0.to_array().into_iter().flat_map(list));
    found.extend([c.x.x, c.y.y, c.z.z, c.y.z, c.z.x, c.x.y]);
    found
}

/// The sum over the legs in the library's order: 1 to 4 and below them 5 and 6.
fn total<'t>(shares: &[Vec<Trace<'t>>], k: usize) -> Trace<'t> {
    let s = |leg: usize| shares[leg][k];
    ((s(0) + s(4)) + (s(1) + s(5))) + (s(2) + s(3))
}

fn least<'t>([a, b, c, d, e, f]: &[Trace<'t>; 6]) -> Trace<'t> {
    a.min(*b).min(*c).min(*d).min(*e).min(*f)
}
