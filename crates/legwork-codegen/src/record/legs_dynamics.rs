//! The dynamics of a robot of legs, recorded.

use super::legs::{LegsRobot, Output};
use super::{Asked, Symbol, margin_group, with_mass};
use crate::program::{Group, Recording};
use crate::request::Quantity;
use legwork_core::engine::{
    AnyLeg, Hexapod, LegInverse, Mechanism, PlatformMotion, RigidBody, Twist, Ups, Wrench,
};
use legwork_core::trace::Trace;
use legwork_core::{Margin, Real, V3};

impl LegsRobot {
    /// The platform and gravity, some of them arguments.
    fn body<'t>(
        &self,
        asked: &Asked,
        recording: &mut Recording<'t>,
    ) -> (RigidBody<Trace<'t>>, V3<Trace<'t>>) {
        let mut platform = self.model.platform.map(Trace::from_f64);
        let mut gravity = self.model.gravity.map(Trace::from_f64);
        for symbol in &asked.symbolic {
            match (symbol, &self.bare) {
                (Symbol::Payload, Some((bare, point))) => {
                    let mass = recording.one(symbol.name(), symbol.meaning());
                    let load = RigidBody::point(mass, point.map(Trace::from_f64));
                    platform = bare.map(Trace::from_f64).joined(&load);
                }
                (Symbol::Gravity, _) => {
                    gravity = V3::from(recording.array(symbol.name(), symbol.meaning()));
                }
                _ => {}
            }
        }
        (platform, gravity)
    }

    #[allow(clippy::too_many_lines)] // the arguments in their order, then one arm for each quantity
    pub(super) fn dynamics<'t, const D: usize, const K: usize>(
        &self,
        quantity: Quantity,
        asked: &Asked,
        recording: &mut Recording<'t>,
    ) -> Option<Vec<Output<'t>>> {
        let place = self.place(recording);
        let moves = matches!(quantity, Quantity::InverseDynamics | Quantity::ForwardDynamics);
        let moves = moves || matches!(quantity, Quantity::JointMotion | Quantity::AxesTorque);
        let velocity = || self.components(["vx", "vy", "vz"], ["wx", "wy", "wz"]);
        let by_axes = quantity == Quantity::AxesTorque;
        let mut qd = [Trace::zero(); K];
        let mut qdd = [Trace::zero(); K];
        if by_axes {
            qd = recording.array("qd", format!("speeds of the motors [{}/s]", self.motor_unit()));
            qdd = recording.array("qdd", format!("accelerations of the motors [{}/s2]", self.motor_unit()));
        }
        let rate: [Trace<'t>; D] = if moves && !by_axes {
            recording.array("velocity", format!("{} of the platform [m/s, rad/s]", velocity()))
        } else {
            [Trace::zero(); D]
        };
        let acceleration = format!(
            "{} of the platform [m/s2, rad/s2]",
            self.components(["ax", "ay", "az"], ["alpha_x", "alpha_y", "alpha_z"])
        );
        let effort = format!("efforts of the motors, friction included [{}]", self.effort_unit());
        let (mut tau, mut wanted) = ([Trace::zero(); K], [Trace::zero(); D]);
        match quantity {
            Quantity::InverseDynamics | Quantity::JointMotion => {
                wanted = recording.array("acceleration", acceleration.clone());
            }
            Quantity::ForwardDynamics => tau = recording.array("effort", effort.clone()),
            _ => {}
        }
        let external = if asked.wrench
            && matches!(
                quantity,
                Quantity::InverseDynamics | Quantity::ForwardDynamics | Quantity::AxesTorque
            ) {
            Wrench::from_vector_linear_first(recording.array("wrench", super::WRENCH))
        } else {
            Wrench::zero()
        };
        let legs = self.legs(recording, LegInverse::<f64, 1>::FOUND_STEPS);
        let (platform, gravity) = self.body(asked, recording);
        let robot = Mechanism::<Trace<'t>, AnyLeg<Trace<'t>>, D, K> {
            platform,
            legs: &legs,
            space: self.space(),
            gravity,
        };
        let hexapod = self.hexapod(&legs, platform, gravity);
        let six = |list: &[Trace<'t>]| Twist::from_vector_linear_first(std::array::from_fn(|k| list[k]));
        Some(match quantity {
            Quantity::InverseDynamics => {
                let found = if let Some(hexapod) = hexapod {
                    let Margin { value, .. } =
                        hexapod.inverse_dynamics(&place.pose, six(&rate), six(&wanted), external);
                    let postures = hexapod.legs.map(|leg| leg.posture(&place.pose));
                    let rows = postures.map(|at| Ups::row(&at).to_vector_linear_first());
                    let margin = self.hexapod_margin(&rows, &postures.map(|at| at.margin));
                    Margin { value: value.to_vec(), margin }
                } else {
                    let motion = PlatformMotion { pose: place.pose, rate, acceleration: wanted };
                    let Margin { value, margin } = robot.inverse_dynamics(&motion, external);
                    Margin { value: value.effort.to_vec(), margin }
                };
                vec![(Group::list("effort", K, effort), found.value), (margin_group(), vec![found.margin])]
            }
            Quantity::ForwardDynamics => {
                let Margin { value: active, margin: reach } = robot.kinematics(&place.pose);
                let held = robot.space.scales().motor_factors(&active.kinds, &active.rows).margin();
                let (platform, joint, pivot) = if let Some(hexapod) = hexapod {
                    let tau = std::array::from_fn(|k| tau[k]);
                    let found = hexapod.direct_dynamics(&place.pose, six(&rate), &tau, external);
                    let platform = found.value.platform.to_vector_linear_first().to_vec();
                    (platform, found.value.joint.to_vec(), found.margin)
                } else {
                    let found = robot.direct_dynamics(&place.pose, &rate, &tau, external);
                    (found.value.platform.to_vec(), found.value.joint.to_vec(), found.margin)
                };
                let qdd = format!("accelerations of the motors [{}/s2]", self.motor_unit());
                vec![
                    (Group::list("acceleration", D, acceleration), platform),
                    (Group::list("qdd", K, qdd), joint),
                    (margin_group(), vec![with_mass(reach.min(held), pivot)]),
                ]
            }
            Quantity::JointMotion => {
                let still = self.massless::<D, K>(&legs);
                let motion = PlatformMotion { pose: place.pose, rate, acceleration: wanted };
                let active = still.kinematics(&place.pose).value;
                let Margin { value, margin } = still.inverse_dynamics(&motion, external);
                let unit = self.motor_unit();
                let group = |name, what: &str| Group::list(name, K, format!("{what} of the motors [{unit}"));
                let named = |name, what: &str, end: &str| {
                    let group = group(name, what);
                    Group { meaning: format!("{}{end}]", group.meaning), ..group }
                };
                vec![
                    (self.q(), active.coordinates().to_vec()),
                    (named("qd", "speeds", "/s"), value.rate.to_vec()),
                    (named("qdd", "accelerations", "/s2"), value.acceleration.to_vec()),
                    (margin_group(), vec![margin]),
                ]
            }
            Quantity::AxesTorque => {
                let Margin { value: active, .. } = robot.kinematics(&place.pose);
                let factors = robot.space.scales().motor_factors(&active.kinds, &active.rows);
                let (rate, _) = factors.solve(&qd);
                let Margin { value: task, .. } = robot.task_dynamics(&place.pose, &rate);
                let driven: [Trace<'t>; K] = std::array::from_fn(|k| qdd[k] - task.active.bias[k]);
                let (acceleration, _) = factors.solve(&driven);
                let motion = PlatformMotion { pose: place.pose, rate, acceleration };
                let Margin { value, margin } = robot.inverse_dynamics(&motion, external);
                vec![
                    (Group::list("effort", K, effort), value.effort.to_vec()),
                    (margin_group(), vec![margin]),
                ]
            }
            Quantity::MassMatrix | Quantity::Gravity => {
                let Margin { value: task, margin: least } = robot.task_dynamics(&place.pose, &rate);
                let Margin { value: joint, margin } = task.joint_dynamics();
                let margin = (margin_group(), vec![least.min(margin)]);
                if quantity == Quantity::Gravity {
                    let meaning = format!("efforts that hold the robot at rest [{}]", self.effort_unit());
                    vec![(Group::list("effort", K, meaning), joint.gravity.to_vec()), margin]
                } else {
                    let meaning = "mass matrix at the motors, row by row [kg m2, kg m or kg]";
                    vec![(Group::list("mass", K * K, meaning), joint.mass.as_flattened().to_vec()), margin]
                }
            }
            _ => return None,
        })
    }

    /// Six UPS legs and all freedoms: the closed form with its own solvers.
    fn hexapod<'t>(
        &self,
        legs: &[AnyLeg<Trace<'t>>],
        platform: RigidBody<Trace<'t>>,
        gravity: V3<Trace<'t>>,
    ) -> Option<Hexapod<Trace<'t>>> {
        let closed = |leg: &AnyLeg<Trace<'t>>| if let AnyLeg::Ups(leg) = leg { Some(*leg) } else { None };
        let legs: Vec<Ups<Trace<'t>>> = legs.iter().map(closed).collect::<Option<_>>()?;
        let legs: [Ups<Trace<'t>>; 6] = legs.try_into().ok()?;
        (self.model.freedoms == [0, 1, 2, 3, 4, 5]).then_some(Hexapod { legs, platform, gravity })
    }
}
