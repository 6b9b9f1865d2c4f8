//! A mechanism of bodies and joints, recorded. Its state are the coordinates of its tree: forward and inverse kinematics find
//! them by one step of Newton's method with a loop around it, everything else reads them.

use super::legs::{CLOSED, MOST_STEPS};
use super::{Asked, FORMULA, closed, margin_group, with_mass};
use crate::error::CodegenError;
use crate::program::{Function, Group, Iteration, Recording};
use crate::request::Quantity;
use legwork::AnyRobot;
use legwork::mechanism::{MechanismModel, OwnedPlan, Workspace};
use legwork::random::Random;
use legwork_core::engine::Wrench;
use legwork_core::engine::matrix::Qr;
use legwork_core::mechanism::{Memory, Motion, Plan};
use legwork_core::trace::{Tape, Trace};
use legwork_core::{M3, Real, V3};
use std::cell::OnceCell;

/// A mechanism.
pub(crate) struct MechanismParts {
    plan: OwnedPlan<f64>,
    home: Vec<f64>,
    /// The platform at home, by position and rows of its rotation.
    home_pose: ([f64; 3], [[f64; 3]; 3]),
    /// What the kernel's platform is off by \[m\].
    origin: V3<f64>,
    length: f64,
    /// The components of the platform's twist that the motors decide.
    components: Vec<usize>,
    has_masses: bool,
    slides: Vec<bool>,
    /// Forward kinematics, once it was asked for.
    forward: OnceCell<Option<Function>>,
}

type Output<'t> = (Group, Vec<Trace<'t>>);

impl MechanismParts {
    pub(crate) fn new(robot: &AnyRobot, _asked: &Asked) -> Result<Self, CodegenError> {
        let model: &MechanismModel = robot.mechanism_model().ok_or(CodegenError::Nothing)?;
        let home = robot.home();
        let mut workspace = model.workspace();
        let mut memory = workspace.memory();
        let plan = model.plan();
        plan.place(model.home().coordinates(), &mut memory);
        let origin = V3::from(home.position) - plan.platform_frame(&memory).origin;
        Ok(Self {
            plan: model.owned_plan().clone(),
            home: model.home().coordinates().to_vec(),
            home_pose: (home.position, home.rotation),
            origin,
            length: model.length(),
            components: model.mobility().coordinates.clone(),
            has_masses: robot.has_masses(),
            slides: robot.joints().iter().map(|joint| joint.slides).collect(),
            forward: OnceCell::new(),
        })
    }

    pub(super) fn home(&self) -> &[f64] {
        &self.home
    }

    /// A pose about home that its motors lead to.
    pub(super) fn scattered(&self, spread: f64, random: &mut Random) -> Vec<(&'static str, Vec<f64>)> {
        let (position, rotation) = self.home_pose;
        let rest = vec![("position", position.to_vec()), ("rotation", rotation.as_flattened().to_vec())];
        let forward =
            self.forward.get_or_init(|| self.record(Quantity::ForwardKinematics, &Asked::default()));
        let Some(forward) = forward else { return rest };
        let plan = self.plan.plan();
        let mut inputs: Vec<f64> = vec![0.0; self.count()];
        for (motor, slides) in plan.motors.iter().zip(&self.slides) {
            if let Some(slot) = inputs.get_mut(motor.independent) {
                let size = if *slides { spread * self.length } else { spread };
                *slot = self.home[motor.coordinate] + random.uniform(-size, size);
            }
        }
        inputs.extend(&self.home);
        let found = forward.evaluate(&inputs);
        let part = |name: &str, count: usize| -> Option<Vec<f64>> {
            let start = forward.output_place(name)?;
            Some(found[start..start + count].to_vec())
        };
        match (part("position_there", 3), part("rotation_there", 9)) {
            (Some(position), Some(rotation)) => vec![("position", position), ("rotation", rotation)],
            _ => rest,
        }
    }

    fn unit(&self) -> &'static str {
        match self.slides.iter().filter(|slides| **slides).count() {
            0 => "rad",
            slides if slides == self.slides.len() => "m",
            _ => "rad or m",
        }
    }

    /// How many motors are independent.
    fn count(&self) -> usize {
        self.plan.plan().independent()
    }

    fn coordinates<'t>(&self, recording: &mut Recording<'t>) -> Vec<Trace<'t>> {
        let meaning =
            "coordinates of all joints of the tree, closed: as forward_kinematics leaves them [rad, m, 1]";
        recording.list("coordinates", self.plan.coordinates, meaning)
    }

    fn motors<'t>(&self, name: &'static str, what: &str, recording: &mut Recording<'t>) -> Vec<Trace<'t>> {
        recording.list(name, self.count(), format!("{what} of the independent motors"))
    }

    /// One quantity as a function; `None` if there is none of this robot.
    pub(super) fn record(&self, quantity: Quantity, asked: &Asked) -> Option<Function> {
        if quantity.needs_masses() && !self.has_masses {
            return None;
        }
        let tape = Tape::new();
        let mut recording = Recording::new(&tape);
        let owned: OwnedPlan<Trace<'_>> = self.plan.map(Trace::from_f64);
        let plan = owned.plan();
        let mut workspace = Workspace::new(&plan);
        let mut memory = workspace.memory();
        let name = (quantity.function_name(), quantity.meaning(), FORMULA);
        let search = Iteration {
            carried: vec![["coordinates", "coordinates"]],
            gap: "gap",
            tolerance: CLOSED,
            most: MOST_STEPS,
        };
        match quantity {
            Quantity::ForwardKinematics => {
                let outputs = self.towards_motors(&plan, &mut memory, &mut recording);
                let mut function = recording.finish(name, outputs);
                function.iteration = Some(search);
                Some(function)
            }
            Quantity::InverseKinematics => {
                let outputs = self.towards_pose(&plan, &mut memory, &mut recording)?;
                let mut function = recording.finish(name, outputs);
                function.iteration = Some(search);
                Some(function)
            }
            _ => {
                let outputs =
                    self.at_rest_or_moving((quantity, asked), &plan, &mut memory, &mut recording)?;
                Some(recording.finish(name, outputs))
            }
        }
    }

    fn rest<'a, 't>(coordinates: &'a [Trace<'t>], rates: &'a [Trace<'t>]) -> Motion<'a, Trace<'t>> {
        Motion { coordinates, rates, idle: None, wrench: Wrench::zero() }
    }

    fn at_rest_or_moving<'t>(
        &self,
        (quantity, asked): (Quantity, &Asked),
        plan: &Plan<'_, Trace<'t>>,
        memory: &mut Memory<'_, Trace<'t>>,
        recording: &mut Recording<'t>,
    ) -> Option<Vec<Output<'t>>> {
        let coordinates = self.coordinates(recording);
        let outside = |recording: &mut Recording<'t>| {
            if asked.wrench {
                Wrench::from_vector_linear_first(recording.array("wrench", super::WRENCH))
            } else {
                Wrench::zero()
            }
        };
        let (count, motors) = (self.count(), plan.motors.len());
        let still = vec![Trace::zero(); count];
        let effort = || Group::list("effort", motors, "efforts of all motors, friction included [N m or N]");
        Some(match quantity {
            Quantity::InverseDynamics | Quantity::Gravity => {
                let moves = quantity == Quantity::InverseDynamics;
                let (rates, accelerations) = if moves {
                    (self.motors("qd", "speeds", recording), self.motors("qdd", "accelerations", recording))
                } else {
                    (still.clone(), still)
                };
                let wrench = if moves { outside(recording) } else { Wrench::zero() };
                let mut efforts = vec![Trace::zero(); motors];
                let motion = Motion { wrench, ..Self::rest(&coordinates, &rates) };
                let margin = plan.inverse_dynamics(&motion, &accelerations, &mut efforts, memory);
                vec![(effort(), efforts), (margin_group(), vec![margin.abs()])]
            }
            Quantity::ForwardDynamics => {
                let rates = self.motors("qd", "speeds", recording);
                let given = recording.list("effort", motors, "efforts of all motors [N m or N]");
                let wrench = outside(recording);
                let mut found = vec![Trace::zero(); count];
                let motion = Motion { wrench, ..Self::rest(&coordinates, &rates) };
                let (margin, pivot) = plan.forward_dynamics(&motion, &given, &mut found, memory);
                let group = Group::list("qdd", count, "accelerations of the independent motors");
                vec![(group, found), (margin_group(), vec![with_mass(margin.abs(), pivot)])]
            }
            Quantity::JointMotion => self.joint_motion(&coordinates, plan, memory, recording)?,
            Quantity::MassMatrix => {
                plan.place(&coordinates, memory);
                let margin = plan.close(memory).abs();
                plan.prepare_idle_rates(memory);
                plan.write_mass_matrix(memory);
                let mass = (0..count).flat_map(|i| (0..count).map(move |j| (i, j)));
                let mass = mass.map(|(i, j)| plan.mass(i, j, memory)).collect();
                let meaning = "mass matrix of the independent motors, row by row [kg m2, kg m or kg]";
                vec![(Group::list("mass", count * count, meaning), mass), (margin_group(), vec![margin])]
            }
            Quantity::Jacobian => {
                plan.place(&coordinates, memory);
                let margin = plan.close(memory).abs();
                plan.write_slopes(memory);
                let columns: Vec<[Trace<'t>; 6]> =
                    (0..count).map(|k| plan.jacobian_column(k, memory).to_vector_linear_first()).collect();
                let rows = (0..6).flat_map(|row| columns.iter().map(move |column| column[row])).collect();
                let meaning = "J of V = J qd, six rows: vx, vy, vz, wx, wy, wz by the independent motors";
                vec![(Group::list("jacobian", 6 * count, meaning), rows), (margin_group(), vec![margin])]
            }
            _ => return None,
        })
    }

    /// The motion of the independent motors for that of the platform.
    fn joint_motion<'t>(
        &self,
        coordinates: &[Trace<'t>],
        plan: &Plan<'_, Trace<'t>>,
        memory: &mut Memory<'_, Trace<'t>>,
        recording: &mut Recording<'t>,
    ) -> Option<Vec<Output<'t>>> {
        let count = self.count();
        if self.components.len() != count {
            return None; // motors that the platform does not tell
        }
        let of = "of the platform; what its motors do not decide is not read";
        let twist = recording.array::<6>("velocity", format!("vx, vy, vz, wx, wy, wz {of} [m/s, rad/s]"));
        let meaning = format!("ax, ay, az, alpha_x, alpha_y, alpha_z {of} [m/s2, rad/s2]");
        let acceleration = recording.array::<6>("acceleration", meaning);
        plan.place(coordinates, memory);
        let closed = plan.close(memory).abs();
        plan.write_slopes(memory);
        let columns: Vec<[Trace<'t>; 6]> =
            (0..count).map(|k| plan.jacobian_column(k, memory).to_vector_linear_first()).collect();
        let (rates, held) = self.solved(&columns, &twist)?;
        // What the platform does while its motors do not accelerate.
        plan.prepare(&Self::rest(coordinates, &rates), memory);
        plan.spread_accelerations(&vec![Trace::zero(); count], memory);
        plan.accelerate_bodies(memory);
        let drift = plan.platform_acceleration(memory).to_vector_linear_first();
        let (accelerations, _) =
            self.solved(&columns, &std::array::from_fn(|k| acceleration[k] - drift[k]))?;
        let unit = self.unit();
        let group = |name, what: &str, end: &str| {
            Group::list(name, count, format!("{what} of the independent motors [{unit}{end}]"))
        };
        Some(vec![
            (group("q", "positions", ""), self.independent(plan, coordinates)),
            (group("qd", "speeds", "/s"), rates),
            (group("qdd", "accelerations", "/s2"), accelerations),
            (margin_group(), vec![closed.min(held)]),
        ])
    }

    /// Where the independent motors are.
    fn independent<'t>(&self, plan: &Plan<'_, Trace<'t>>, coordinates: &[Trace<'t>]) -> Vec<Trace<'t>> {
        let mut q = vec![Trace::zero(); self.count()];
        for motor in plan.motors {
            if let Some(slot) = q.get_mut(motor.independent) {
                *slot = coordinates[motor.coordinate];
            }
        }
        q
    }

    /// What every search gives: the coordinates after the step, the platform and the motors there, the gap before.
    fn after<'t>(
        &self,
        plan: &Plan<'_, Trace<'t>>,
        memory: &mut Memory<'_, Trace<'t>>,
        mut coordinates: Vec<Trace<'t>>,
        gap: Trace<'t>,
        margin: Trace<'t>,
    ) -> Vec<Output<'t>> {
        let by: Vec<Trace<'t>> = memory.accelerations.to_vec();
        plan.step(&mut coordinates, &by);
        plan.place(&coordinates, memory);
        let frame = plan.platform_frame(memory).to_pose();
        let position = frame.position + self.origin.map(Trace::from_f64);
        let q = self.independent(plan, &coordinates);
        let count = coordinates.len();
        vec![
            (Group::list("coordinates", count, "the same coordinates, closed [rad, m, 1]"), coordinates),
            (Group::list("q_there", self.count(), format!("independent motors there [{}]", self.unit())), q),
            (
                Group::list("position_there", 3, "platform point there [m]").with_least(self.length),
                position.to_array().to_vec(),
            ),
            (
                Group::list("rotation_there", 9, "axes of the platform there, row by row [1]"),
                frame.rotation.to_rows().as_flattened().to_vec(),
            ),
            (
                Group::one(
                    "gap",
                    "how far it was from there before the last step, in sizes of the robot [1]",
                ),
                vec![gap],
            ),
            (margin_group(), vec![closed(margin, gap)]),
        ]
    }

    fn towards_motors<'t>(
        &self,
        plan: &Plan<'_, Trace<'t>>,
        memory: &mut Memory<'_, Trace<'t>>,
        recording: &mut Recording<'t>,
    ) -> Vec<Output<'t>> {
        let wanted = recording.list("q", self.count(), format!("independent motors [{}]", self.unit()));
        let coordinates = self.coordinates(recording);
        plan.place(&coordinates, memory);
        let (forces, moments) = plan.gaps(memory);
        let margin = plan.close(memory).abs();
        let r = Trace::from_f64(1.0 / self.length);
        let mut by = vec![Trace::zero(); self.count()];
        let mut open = forces * (r * r) + moments;
        for (motor, slides) in plan.motors.iter().zip(&self.slides) {
            if let (Some(slot), Some(wanted)) = (by.get_mut(motor.independent), wanted.get(motor.independent))
            {
                *slot = *wanted - coordinates[motor.coordinate];
                let size = if *slides { *slot * r } else { *slot };
                open = open + size * size;
            }
        }
        plan.closing_step(&by, memory);
        self.after(plan, memory, coordinates, open.sqrt(), margin)
    }

    fn towards_pose<'t>(
        &self,
        plan: &Plan<'_, Trace<'t>>,
        memory: &mut Memory<'_, Trace<'t>>,
        recording: &mut Recording<'t>,
    ) -> Option<Vec<Output<'t>>> {
        if self.components.len() != self.count() {
            return None; // motors that the pose does not tell
        }
        let position = V3::from(recording.array::<3>("position", "platform point x, y, z [m]"));
        let r = recording.array::<9>("rotation", "axes of the platform in the base, row by row [1]");
        let row = |k: usize| V3::new(r[3 * k], r[3 * k + 1], r[3 * k + 2]);
        let wanted = M3::from_rows(row(0), row(1), row(2)).columns();
        let coordinates = self.coordinates(recording);
        plan.place(&coordinates, memory);
        let (forces, moments) = plan.gaps(memory);
        let margin = plan.close(memory).abs();
        plan.write_slopes(memory);
        let here = plan.platform_frame(memory).to_pose();
        let away = position - self.origin.map(Trace::from_f64) - here.position;
        // R_wanted Rᵀ is a small turn by ½ Σ (axis × wanted axis).
        let axes = here.rotation.columns();
        let turn =
            (axes.x.cross(wanted.x) + axes.y.cross(wanted.y) + axes.z.cross(wanted.z)) * Trace::from_f64(0.5);
        let error = [away.x, away.y, away.z, turn.x, turn.y, turn.z];
        let columns: Vec<[Trace<'t>; 6]> =
            (0..self.count()).map(|k| plan.jacobian_column(k, memory).to_vector_linear_first()).collect();
        let (by, held) = self.solved(&columns, &error)?;
        let r = Trace::from_f64(1.0 / self.length);
        let mut open = forces * (r * r) + moments;
        for place in &self.components {
            let size = if *place < 3 { error[*place] * r } else { error[*place] };
            open = open + size * size;
        }
        plan.closing_step(&by, memory);
        Some(self.after(plan, memory, coordinates, open.sqrt(), margin.min(held)))
    }

    /// Displacements of the independent motors for a small motion of the platform, and the margin of J.
    fn solved<'t>(
        &self,
        columns: &[[Trace<'t>; 6]],
        error: &[Trace<'t>; 6],
    ) -> Option<(Vec<Trace<'t>>, Trace<'t>)> {
        fn of<'t, const N: usize>(
            parts: &MechanismParts,
            columns: &[[Trace<'t>; 6]],
            error: &[Trace<'t>; 6],
        ) -> (Vec<Trace<'t>>, Trace<'t>) {
            let lever =
                |place: usize| if place < 3 { Trace::from_f64(1.0 / parts.length) } else { Trace::one() };
            let place = |i: usize| parts.components[i];
            let rows: [[Trace<'t>; N]; N] =
                std::array::from_fn(|i| std::array::from_fn(|k| columns[k][place(i)] * lever(place(i))));
            let right: [Trace<'t>; N] = std::array::from_fn(|i| error[place(i)] * lever(place(i)));
            let qr = Qr::new(&rows);
            (qr.solve(&right).0.to_vec(), qr.margin())
        }
        Some(match self.count() {
            1 => of::<1>(self, columns, error),
            2 => of::<2>(self, columns, error),
            3 => of::<3>(self, columns, error),
            4 => of::<4>(self, columns, error),
            5 => of::<5>(self, columns, error),
            6 => of::<6>(self, columns, error),
            _ => return None,
        })
    }
}
