//! A robot of legs of the general engine, recorded: closed forms where it has them, else one step of Newton's method for a
//! loop around it.

use super::{Asked, FORMULA, Symbol, closed, margin_group};
use crate::error::CodegenError;
use crate::program::{Function, Group, Iteration, Recording};
use crate::request::Quantity;
use legwork::AnyRobot;
use legwork::EngineModel;
use legwork::random::Random;
use legwork_core::engine::{
    AnyLeg, JointKind, Leg, LegInverse, LegModel, Mechanism, MotionSpace, Pose, RigidBody, Twist,
};
use legwork_core::trace::{Tape, Trace};
use legwork_core::{M3, Margin, Real, V3};

/// Steps of a search: from a start within reach six are enough.
pub(super) const MOST_STEPS: usize = 20;
/// A gap of the motors that is rounding: turns \[rad\], slides in sizes of the platform.
pub(super) const CLOSED: f64 = 1e-10;

/// How the orientation of the platform is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Orientation {
    /// It does not turn.
    Fixed,
    /// It turns about one axis of the base by an angle, counted from home.
    Angle(usize),
    /// A rotation matrix.
    Matrix,
}

/// A robot of legs.
pub(crate) struct LegsRobot {
    pub(super) model: EngineModel,
    home: Pose<f64>,
    has_masses: bool,
    /// The platform without payload, and where a payload is, if its mass is an argument.
    pub(super) bare: Option<(RigidBody<f64>, V3<f64>)>,
    orientation: Orientation,
    /// Mean size of the legs \[m\].
    leg_size: f64,
}

pub(super) type Output<'t> = (Group, Vec<Trace<'t>>);

/// The pose of the platform as inputs, and as what it is.
pub(super) struct Place<'t> {
    pub pose: Pose<Trace<'t>>,
    angle: Option<Trace<'t>>,
}

/// The same for a chain with any number of joints.
macro_rules! chains {
    ($leg:expr, $it:ident => $body:expr, else $other:expr) => {
        match $leg {
            AnyLeg::One($it) => $body,
            AnyLeg::Two($it) => $body,
            AnyLeg::Three($it) => $body,
            AnyLeg::Four($it) => $body,
            AnyLeg::Five($it) => $body,
            AnyLeg::Six($it) => $body,
            AnyLeg::Ups(_) => $other,
        }
    };
}

/// Joints of a leg that are found by Newton's method.
fn searched(leg: &AnyLeg<f64>) -> usize {
    fn of<const N: usize>(leg: &Leg<f64, N>) -> usize {
        if matches!(leg.inverse, LegInverse::Numerical { .. }) { N } else { 0 }
    }
    chains!(leg, it => of(it), else 0)
}

/// The leg with its search beginning at these joints.
fn seeded<'t, const N: usize>(leg: &mut Leg<Trace<'t>, N>, joints: &mut &[Trace<'t>], steps: usize) {
    if matches!(leg.inverse, LegInverse::Numerical { .. }) {
        let (own, rest) = joints.split_at(N);
        leg.inverse = LegInverse::Numerical { seed: std::array::from_fn(|k| own[k]), steps };
        *joints = rest;
    }
}

/// One step of the search for a leg's joints: the joints after it, and the gap before it.
fn stepped<'t, const N: usize>(
    leg: &Leg<Trace<'t>, N>,
    pose: &Pose<Trace<'t>>,
) -> Option<(Vec<Trace<'t>>, Trace<'t>)> {
    let LegInverse::Numerical { seed, .. } = leg.inverse else { return None };
    let step = leg.newton_step(pose, &seed, &[Trace::zero(); N]);
    let next = seed.iter().zip(step.damped()).map(|(q, by)| *q + by).collect();
    Some((next, step.gap))
}

/// Active joints of a leg that is searched for, by their place in it.
fn active_places<const N: usize>(leg: &Leg<Trace<'_>, N>) -> Vec<usize> {
    (0..N).filter(|k| leg.chain.links[*k].active).collect()
}

impl LegsRobot {
    pub(crate) fn new(robot: &AnyRobot, asked: &Asked) -> Result<Self, CodegenError> {
        let model = robot.engine_model().ok_or(CodegenError::Nothing)?.clone();
        let turning: Vec<usize> = model.freedoms.iter().copied().filter(|place| *place >= 3).collect();
        let orientation = match turning.as_slice() {
            [] => Orientation::Fixed,
            [place] => Orientation::Angle(place - 3),
            _ => Orientation::Matrix,
        };
        let bare = if asked.symbolic.contains(&Symbol::Payload) && robot.has_masses() {
            let body = |payload: f64| -> Result<RigidBody<f64>, CodegenError> {
                let loaded = robot.with_payload(payload)?;
                Ok(loaded.engine_model().map_or(model.platform, |model| model.platform))
            };
            let (empty, loaded) = (body(0.0)?, body(1.0)?);
            // Where a mass of 1 kg moves the first moment to is where it stands.
            let point = loaded.first_moment() - empty.first_moment();
            let size = model.length;
            Some((empty, point.map(|x| if x.abs() < 1e-12 * size { 0.0 } else { x })))
        } else {
            None
        };
        let home = robot.home();
        let [x, y, z] = home.rotation.map(V3::from);
        let home = Pose::new(M3::from_rows(x, y, z), home.position.into());
        let leg_size = robot.length();
        Ok(Self { model, home, has_masses: robot.has_masses(), bare, orientation, leg_size })
    }

    /// The axes of the base about which the platform turns.
    pub(super) fn turns(&self) -> Vec<usize> {
        self.model.freedoms.iter().filter(|place| **place >= 3).map(|place| place - 3).collect()
    }

    fn shifts(&self) -> Vec<usize> {
        self.model.freedoms.iter().copied().filter(|place| *place < 3).collect()
    }

    /// Names of the components of a motion, with units.
    pub(super) fn components(&self, linear: [&str; 3], angular: [&str; 3]) -> String {
        let names: Vec<&str> = self
            .model
            .freedoms
            .iter()
            .map(|place| if *place < 3 { linear[*place] } else { angular[place - 3] })
            .collect();
        names.join(", ")
    }

    /// How many motors there are.
    pub(super) fn motors(&self) -> usize {
        self.model.legs.iter().map(LegModel::active_joints).sum()
    }

    fn kinds(&self) -> Vec<JointKind> {
        let kinds = |leg: &AnyLeg<f64>| -> Vec<JointKind> {
            leg.kinematics(&self.home).value.iter().map(|joint| joint.kind).collect()
        };
        self.model.legs.iter().flat_map(kinds).collect()
    }

    /// `rad` or `m` of all motors.
    pub(super) fn motor_unit(&self) -> &'static str {
        let kinds = self.kinds();
        match kinds.iter().filter(|kind| **kind == JointKind::Prismatic).count() {
            0 => "rad",
            slides if slides == kinds.len() => "m",
            _ => "rad or m",
        }
    }

    pub(super) fn effort_unit(&self) -> &'static str {
        match self.motor_unit() {
            "rad" => "N m",
            "m" => "N",
            _ => "N m or N",
        }
    }

    /// Joints of all legs that are found by Newton's method.
    fn searched(&self) -> usize {
        self.model.legs.iter().map(searched).sum()
    }

    pub(super) fn place<'t>(&self, recording: &mut Recording<'t>) -> Place<'t> {
        let shifts = self.shifts();
        let mut pose = self.home.map(Trace::from_f64);
        if !shifts.is_empty() {
            let names: Vec<&str> = shifts.iter().map(|place| ["x", "y", "z"][*place]).collect();
            let meaning = format!("{} of the platform [m]", names.join(", "));
            let given = recording.list("position", shifts.len(), meaning);
            let mut position = pose.position.to_array();
            shifts.iter().zip(given).for_each(|(place, x)| position[*place] = x);
            pose.position = V3::from(position);
        }
        let mut angle = None;
        match self.orientation {
            Orientation::Fixed => {}
            Orientation::Angle(axis) => {
                let name = ["x", "y", "z"][axis];
                let given = recording.one("angle", format!("turn about {name} of the base, from home [rad]"));
                pose.rotation = turn(axis, given) * pose.rotation;
                angle = Some(given);
            }
            Orientation::Matrix => {
                let r = recording.array::<9>("rotation", "axes of the platform in the base, row by row [1]");
                let row = |k: usize| V3::new(r[3 * k], r[3 * k + 1], r[3 * k + 2]);
                pose.rotation = M3::from_rows(row(0), row(1), row(2));
            }
        }
        Place { pose, angle }
    }

    /// The legs, those without a closed form begun at the joints that are the next input.
    pub(super) fn legs<'t>(&self, recording: &mut Recording<'t>, steps: usize) -> Vec<AnyLeg<Trace<'t>>> {
        let mut legs: Vec<AnyLeg<Trace<'t>>> =
            self.model.legs.iter().map(|leg| leg.map(Trace::from_f64)).collect();
        if self.searched() > 0 {
            let meaning = "all joints of the legs without a closed form, where inverse_kinematics found them [rad or m]";
            let given = recording.list("joints", self.searched(), meaning);
            let mut rest = given.as_slice();
            for leg in &mut legs {
                chains!(leg, it => seeded(it, &mut rest, steps), else ());
            }
        }
        legs
    }

    /// One quantity as a function; `None` if there is none of this robot.
    pub(super) fn record(&self, quantity: Quantity, asked: &Asked) -> Option<Function> {
        if quantity == Quantity::SimplifiedInverseDynamics || (quantity.needs_masses() && !self.has_masses) {
            return None;
        }
        macro_rules! sizes {
            ($(($d:literal, $k:literal)),*) => {
                match (self.model.freedoms.len(), self.motors()) {
                    $(($d, $k) => self.sized::<$d, $k>(quantity, asked),)*
                    _ => None,
                }
            };
        }
        sizes!(
            (1, 1),
            (1, 2),
            (2, 2),
            (2, 3),
            (2, 4),
            (3, 3),
            (3, 4),
            (3, 6),
            (4, 4),
            (4, 5),
            (4, 6),
            (5, 5),
            (5, 6),
            (6, 6),
            (6, 7),
            (6, 8),
            (6, 12)
        )
    }

    /// Whether its numbers of freedoms and motors are among those that code is generated for.
    pub(crate) fn sizes(&self) -> (usize, usize) {
        (self.model.freedoms.len(), self.motors())
    }

    /// Whether some leg is found by Newton's method.
    pub(super) fn has_search(&self) -> bool {
        self.searched() > 0
    }

    /// Where the searches for joints begin at home.
    pub(super) fn seeds(&self) -> Vec<f64> {
        let seed = |leg: &AnyLeg<f64>| leg.seed().map_or(Vec::new(), |seed| seed[..searched(leg)].to_vec());
        self.model.legs.iter().flat_map(seed).collect()
    }

    /// A pose about home, as the groups of inputs that it is.
    pub(super) fn scattered(&self, spread: f64, random: &mut Random) -> Vec<(&'static str, Vec<f64>)> {
        let mut found = Vec::new();
        let home = self.home.position.to_array();
        let size = spread * self.leg_size;
        let position: Vec<f64> =
            self.shifts().iter().map(|place| home[*place] + random.uniform(-size, size)).collect();
        if !position.is_empty() {
            found.push(("position", position));
        }
        match self.orientation {
            Orientation::Fixed => {}
            Orientation::Angle(_) => found.push(("angle", vec![random.uniform(-spread, spread)])),
            Orientation::Matrix => {
                let mut twist = [0.0; 6];
                for axis in self.turns() {
                    twist[3 + axis] = random.uniform(-spread, spread);
                }
                let pose = self.home.moved(&Twist::from_vector_linear_first(twist));
                found.push(("rotation", pose.rotation.to_rows().as_flattened().to_vec()));
            }
        }
        found
    }

    pub(super) fn space<'t, const D: usize>(&self) -> MotionSpace<Trace<'t>, D> {
        let places: [usize; D] = std::array::from_fn(|k| self.model.freedoms[k]);
        MotionSpace::<f64, D>::of_components(places).with_length(self.model.length).map(Trace::from_f64)
    }

    fn sized<const D: usize, const K: usize>(&self, quantity: Quantity, asked: &Asked) -> Option<Function> {
        let tape = Tape::new();
        let mut recording = Recording::new(&tape);
        let name = (quantity.function_name(), quantity.meaning(), FORMULA);
        match quantity {
            Quantity::InverseKinematics if self.searched() > 0 => Some(self.search_joints::<D, K>(recording)),
            Quantity::ForwardKinematics => Some(self.search_pose::<D, K>(recording)),
            Quantity::InverseKinematics | Quantity::Jacobian => {
                let outputs = self.kinematics::<D, K>(quantity, &mut recording);
                Some(recording.finish(name, outputs))
            }
            _ => {
                let outputs = self.dynamics::<D, K>(quantity, asked, &mut recording)?;
                let mut function = recording.finish(name, outputs);
                if asked.symbolic.is_empty() && !asked.wrench {
                    function.rolled = self.hexapod_in_a_loop(quantity);
                }
                Some(function)
            }
        }
    }

    pub(super) fn q(&self) -> Group {
        Group::list("q", self.motors(), format!("motors [{}]", self.motor_unit()))
    }

    /// Positions of the motors and the Jacobian.
    fn kinematics<'t, const D: usize, const K: usize>(
        &self,
        quantity: Quantity,
        recording: &mut Recording<'t>,
    ) -> Vec<Output<'t>> {
        let place = self.place(recording);
        let legs = self.legs(recording, LegInverse::<f64, 1>::FOUND_STEPS);
        let robot = self.massless::<D, K>(&legs);
        let Margin { value: active, margin: least } = robot.kinematics(&place.pose);
        let factors = robot.space.scales().motor_factors(&active.kinds, &active.rows);
        let margin = least.min(factors.margin());
        let found = if quantity == Quantity::Jacobian {
            let meaning = format!(
                "J of V = J qd, row by row: {} [per {} of a motor]",
                self.components(["vx", "vy", "vz"], ["wx", "wy", "wz"]),
                self.motor_unit()
            );
            (Group::list("jacobian", D * K, meaning), factors.inverse().as_flattened().to_vec())
        } else {
            (self.q(), active.coordinates().to_vec())
        };
        vec![found, (margin_group(), vec![margin])]
    }

    pub(super) fn massless<'a, 't, const D: usize, const K: usize>(
        &self,
        legs: &'a [AnyLeg<Trace<'t>>],
    ) -> Mechanism<'a, Trace<'t>, AnyLeg<Trace<'t>>, D, K> {
        Mechanism { platform: RigidBody::massless(), legs, space: self.space(), gravity: V3::zero() }
    }

    /// The joints after one step of the search of every leg that has one, and the largest gap before it.
    fn next_joints<'t>(legs: &[AnyLeg<Trace<'t>>], pose: &Pose<Trace<'t>>) -> (Vec<Trace<'t>>, Trace<'t>) {
        let (mut joints, mut gap) = (Vec::new(), Trace::zero());
        for leg in legs {
            if let Some((next, own)) = chains!(leg, it => stepped(it, pose), else None) {
                joints.extend(next);
                gap = gap.max(own);
            }
        }
        (joints, gap)
    }

    /// Inverse kinematics where legs have no closed form: one step of Newton's method for all of them.
    fn search_joints<const D: usize, const K: usize>(&self, mut recording: Recording<'_>) -> Function {
        let place = self.place(&mut recording);
        let legs = self.legs(&mut recording, 1);
        let robot = self.massless::<D, K>(&legs);
        let Margin { value: active, margin: least } = robot.kinematics(&place.pose);
        let factors = robot.space.scales().motor_factors(&active.kinds, &active.rows);
        let (joints, gap) = Self::next_joints(&legs, &place.pose);
        // A motor of a leg that is searched for is where the search has led it, beyond ±π too.
        let (mut q, mut at) = (Vec::new(), 0);
        let mut own = active.coordinates().into_iter();
        for (leg, described) in legs.iter().zip(&self.model.legs) {
            let count = searched(described);
            let places = chains!(leg, it => active_places(it), else vec![0]);
            for place in places {
                let closed = own.next().unwrap_or(Trace::zero());
                q.push(if count > 0 { joints[at + place] } else { closed });
            }
            at += count;
        }
        let group = Group::list("joints", joints.len(), "the same joints, closed [rad or m]");
        let outputs = vec![
            (self.q(), q),
            (group, joints),
            (
                Group::one("gap", "largest gap of a leg before the last step, in sizes of the leg [1]"),
                vec![gap],
            ),
            (margin_group(), vec![closed(least.min(factors.margin()), gap)]),
        ];
        let quantity = Quantity::InverseKinematics;
        let formula = "the library's step of Newton's method, operation by operation; here with a bounded loop around it";
        let mut function = recording.finish((quantity.function_name(), quantity.meaning(), formula), outputs);
        let carried = vec![["joints", "joints"]];
        function.iteration = Some(Iteration { carried, gap: "gap", tolerance: CLOSED, most: MOST_STEPS });
        function
    }

    /// Forward kinematics: one step of Newton's method towards the pose with the motors at q.
    fn search_pose<const D: usize, const K: usize>(&self, mut recording: Recording<'_>) -> Function {
        let q = recording.array::<K>("q", format!("motors [{}]", self.motor_unit()));
        let place = self.place(&mut recording);
        let legs = self.legs(&mut recording, LegInverse::<f64, 1>::FOUND_STEPS);
        let robot = self.massless::<D, K>(&legs);
        let Margin { value: step, margin } = robot.newton_step(&place.pose, &q);
        let mut outputs = Vec::new();
        let mut carried = Vec::new();
        let shifts = self.shifts();
        if !shifts.is_empty() {
            let position = (place.pose.position + step.twist.linear).to_array();
            let found = shifts.iter().map(|place| position[*place]).collect();
            outputs.push((Group::list("position", shifts.len(), "where the platform is [m]"), found));
            carried.push(["position", "position"]);
        }
        match self.orientation {
            Orientation::Fixed => {}
            Orientation::Angle(axis) => {
                let by = step.twist.angular.to_array()[axis];
                let angle = place.angle.unwrap_or(Trace::zero()) + by;
                outputs.push((Group::one("angle", "turn of the platform, from home [rad]"), vec![angle]));
                carried.push(["angle", "angle"]);
            }
            Orientation::Matrix => {
                let rows = step.pose.rotation.to_rows().as_flattened().to_vec();
                outputs.push((Group::list("rotation", 9, "axes of the platform, row by row [1]"), rows));
                carried.push(["rotation", "rotation"]);
            }
        }
        if self.searched() > 0 {
            let (joints, _) = Self::next_joints(&legs, &place.pose);
            outputs.push((Group::list("joints", joints.len(), "joints of the legs [rad or m]"), joints));
            carried.push(["joints", "joints"]);
        }
        let gap = "gap of the motors before the last step: turns [rad], slides in sizes of the platform";
        outputs.push((Group::one("gap", gap), vec![step.gap]));
        outputs.push((margin_group(), vec![closed(margin, step.gap)]));
        let quantity = Quantity::ForwardKinematics;
        let formula = "the library's step of Newton's method, operation by operation; here with a bounded loop around it";
        let mut function = recording.finish((quantity.function_name(), quantity.meaning(), formula), outputs);
        function.iteration = Some(Iteration { carried, gap: "gap", tolerance: CLOSED, most: MOST_STEPS });
        function
    }
}

/// A turn about axis k of the base.
fn turn<T: Real>(axis: usize, angle: T) -> M3<T> {
    let (sin, cos) = angle.sin_cos();
    let (o, i) = (T::zero(), T::one());
    let row = |a, b, c| V3::new(a, b, c);
    match axis {
        0 => M3::from_rows(row(i, o, o), row(o, cos, -sin), row(o, sin, cos)),
        1 => M3::from_rows(row(cos, o, sin), row(o, i, o), row(-sin, o, cos)),
        _ => M3::from_rows(row(cos, -sin, o), row(sin, cos, o), row(o, o, i)),
    }
}
