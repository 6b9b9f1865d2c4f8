//! A rotary Delta in closed form, recorded in the user's frame and signs.

use super::{Asked, FORMULA, Symbol, margin_group};
use crate::program::{Function, Group, Recording};
use crate::request::Quantity;
use legwork::description::Frame;
use legwork_core::robots::delta::{Assembly, Delta, Forearm, Linkage, Posture};
use legwork_core::trace::{Tape, Trace};
use legwork_core::{M3, Margin, Real, V3};

/// The robot: its lengths, its masses if it has any, and the user's frame.
#[derive(Clone, Copy, Debug)]
pub struct DeltaParts {
    /// In our own frame.
    pub linkage: Linkage<f64>,
    /// With its masses.
    pub model: Option<Delta<f64>>,
    /// The user's frame.
    pub frame: Frame,
    /// Where the platform is at home, in the user's frame \[m\].
    pub home: [f64; 3],
}

/// The user's frame in any scalar.
#[derive(Clone, Copy)]
pub(super) struct InFrame<T> {
    pub offset: V3<T>,
    pub sign: T,
    zero: T,
}

impl<T: Real> InFrame<T> {
    pub(super) fn new(frame: &Frame) -> Self {
        let number = T::from_f64;
        let offset = V3::from(frame.offset.map(number));
        Self { offset, sign: number(frame.angle_sign), zero: number(frame.angle_zero) }
    }

    pub(super) fn angle_to_user(&self, angle: T) -> T {
        self.sign * angle + self.zero
    }

    pub(super) fn angle_from_user(&self, angle: T) -> T {
        self.sign * (angle - self.zero)
    }
}

/// The smaller of D²/b² (a leg stretched or folded) and |det S|/b³ (forearms in a plane). The library's
/// [`Model`](legwork_core::control::Model) has the same margin, worked out with roots and divisions; det S here is the one of
/// the Jacobian, so it is recorded once.
pub(super) fn margin<T: Real>(linkage: &Linkage<T>, reach: T, posture: &Posture<T>) -> T {
    let r = linkage.geometry().forearm.recip();
    let V3 { x, y, z } = posture.forearms().0;
    let volume = x.dot(y.cross(z)).abs() * (r * r * r);
    (reach * (r * r)).min(volume)
}

/// The model with its parameters folded in, or with some of them as arguments.
pub(super) fn with_symbols<'t>(
    delta: &Delta<f64>,
    asked: &Asked,
    recording: &mut Recording<'t>,
) -> Delta<Trace<'t>> {
    let baked: Delta<Trace<'t>> = delta.cast();
    if asked.symbolic.is_empty() {
        return baked;
    }
    let (mut inertia, mut motor) = (*baked.inertia(), *baked.motor());
    for symbol in &asked.symbolic {
        let slot = match symbol {
            Symbol::Payload => &mut inertia.payload,
            Symbol::Platform => &mut inertia.platform,
            Symbol::Arm => &mut inertia.arm,
            Symbol::Forearm => &mut inertia.forearm,
            Symbol::Elbow => &mut inertia.elbow,
            Symbol::Viscous => &mut motor.viscous,
            Symbol::Coulomb => &mut motor.coulomb,
            Symbol::Gravity => {
                inertia.gravity = V3::from(recording.array(symbol.name(), symbol.meaning()));
                continue;
            }
        };
        *slot = recording.one(symbol.name(), symbol.meaning());
    }
    Delta::unchecked(*baked.linkage(), inertia, motor).with_forearm(delta.forearm())
}

/// The force on the platform from outside: an argument if it was asked for.
fn outside<'t>(asked: &Asked, recording: &mut Recording<'t>) -> V3<Trace<'t>> {
    if asked.wrench {
        V3::from(recording.array::<3>("force", "fx, fy, fz on the platform from outside [N]"))
    } else {
        V3::zero()
    }
}

fn list(v: V3<Trace<'_>>) -> Vec<Trace<'_>> {
    v.to_array().to_vec()
}

fn rows(m: M3<Trace<'_>>) -> Vec<Trace<'_>> {
    m.to_rows().as_flattened().to_vec()
}

fn position() -> Group {
    Group::list("position", 3, "platform point x, y, z [m]")
}

/// A named output.
type Output<'t> = (Group, Vec<Trace<'t>>);

impl DeltaParts {
    /// One quantity as a function; `None` if there is none of this robot.
    pub(super) fn record(&self, quantity: Quantity, asked: &Asked) -> Option<Function> {
        let tape = Tape::new();
        let mut recording = Recording::new(&tape);
        let outputs = match quantity {
            Quantity::ForwardKinematics => self.forward_kinematics(&mut recording),
            Quantity::InverseKinematics | Quantity::Jacobian => self.kinematics(quantity, &mut recording),
            Quantity::JointMotion => self.joint_motion(&mut recording),
            Quantity::AxesTorque => self.axes_torque(asked, &mut recording)?,
            _ => self.dynamics(quantity, asked, &mut recording)?,
        };
        Some(recording.finish((quantity.function_name(), quantity.meaning(), FORMULA), outputs))
    }

    fn forward_kinematics<'t>(&self, recording: &mut Recording<'t>) -> Vec<Output<'t>> {
        let (frame, linkage) = (InFrame::new(&self.frame), self.linkage.map(Trace::from_f64));
        let q = V3::from(recording.array::<3>("q", "motor angles [rad]"));
        let angles = q.map(|angle| frame.angle_from_user(angle));
        let Margin { value: posture, margin: height } = linkage.posture_of(angles, Assembly::Below);
        let margin = margin(&linkage, height, &posture);
        vec![(position(), list(posture.position + frame.offset)), (margin_group(), vec![margin])]
    }

    /// The posture at the position that is the next input, and its margin.
    fn posture<'t>(&self, x: V3<Trace<'t>>) -> (Linkage<Trace<'t>>, Margin<Posture<Trace<'t>>, Trace<'t>>) {
        let linkage = self.linkage.map(Trace::from_f64);
        let found = linkage.posture_at(x - InFrame::new(&self.frame).offset);
        (linkage, found)
    }

    fn kinematics<'t>(&self, quantity: Quantity, recording: &mut Recording<'t>) -> Vec<Output<'t>> {
        let frame = InFrame::new(&self.frame);
        let x = V3::from(recording.array::<3>("position", position().meaning));
        let (linkage, Margin { value: posture, margin: reach }) = self.posture(x);
        let found = if quantity == Quantity::Jacobian {
            let group = Group::list("jacobian", 9, "J of v = J qd, row by row [m/rad]");
            (group, rows(posture.jacobian() * frame.sign))
        } else {
            let angles = posture.angles().map(|angle| frame.angle_to_user(angle));
            (Group::list("q", 3, "motor angles [rad]"), list(angles))
        };
        vec![found, (margin_group(), vec![margin(&linkage, reach, &posture)])]
    }

    fn joint_motion<'t>(&self, recording: &mut Recording<'t>) -> Vec<Output<'t>> {
        let frame = InFrame::new(&self.frame);
        let x = V3::from(recording.array::<3>("position", position().meaning));
        let v = V3::from(recording.array::<3>("velocity", "vx, vy, vz of the platform [m/s]"));
        let a = V3::from(recording.array::<3>("acceleration", "ax, ay, az of the platform [m/s2]"));
        let (linkage, Margin { value: posture, margin: reach }) = self.posture(x);
        let angles = posture.angles().map(|angle| frame.angle_to_user(angle));
        vec![
            (Group::list("q", 3, "motor angles [rad]"), list(angles)),
            (Group::list("qd", 3, "motor speeds [rad/s]"), list(posture.joint_velocity(v) * frame.sign)),
            (
                Group::list("qdd", 3, "motor accelerations [rad/s2]"),
                list(posture.joint_acceleration(v, a) * frame.sign),
            ),
            (margin_group(), vec![margin(&linkage, reach, &posture)]),
        ]
    }

    fn axes_torque<'t>(&self, asked: &Asked, recording: &mut Recording<'t>) -> Option<Vec<Output<'t>>> {
        let (own, frame) = (self.model?, InFrame::new(&self.frame));
        let linkage = self.linkage.map(Trace::from_f64);
        let q = V3::from(recording.array::<3>("q", "motor angles [rad]"));
        let qd = V3::from(recording.array::<3>("qd", "motor speeds [rad/s]")) * frame.sign;
        let qdd = V3::from(recording.array::<3>("qdd", "motor accelerations [rad/s2]")) * frame.sign;
        let force = outside(asked, recording);
        let delta = with_symbols(&own, asked, recording);
        let angles = q.map(|angle| frame.angle_from_user(angle));
        let Margin { value: posture, margin: height } = linkage.posture_of(angles, Assembly::Below);
        let v = posture.platform_velocity(qd);
        let a = posture.platform_acceleration(v, qd, qdd);
        let found = delta.torque(&posture, v, a, force);
        let torque = (found.torque + delta.friction(found.qdot)) * frame.sign;
        // A leg that is stretched: s·b is zero.
        let legs = posture.legs.map(|leg| leg.k * leg.k).min();
        let r = (linkage.geometry().forearm * linkage.geometry().arm).recip();
        let margin = margin(&linkage, height, &posture).min(legs * (r * r));
        let group = Group::list("torque", 3, "motor torques, friction included [N m]");
        Some(vec![(group, list(torque)), (margin_group(), vec![margin])])
    }

    fn dynamics<'t>(
        &self,
        quantity: Quantity,
        asked: &Asked,
        recording: &mut Recording<'t>,
    ) -> Option<Vec<Output<'t>>> {
        let sign = InFrame::new(&self.frame).sign;
        let simplified = quantity == Quantity::SimplifiedInverseDynamics;
        let own =
            self.model.map(|own| if simplified { own.with_forearm(Forearm::SIMPLIFIED) } else { own })?;
        let x = V3::from(recording.array::<3>("position", position().meaning));
        let (linkage, Margin { value: posture, margin: reach }) = self.posture(x);
        let moves = matches!(
            quantity,
            Quantity::InverseDynamics | Quantity::SimplifiedInverseDynamics | Quantity::ForwardDynamics
        );
        if !moves {
            let delta = with_symbols(&own, asked, recording);
            let found = match quantity {
                Quantity::Gravity => {
                    let group = Group::list("torque", 3, "torques that hold the robot at rest [N m]");
                    (group, list(delta.gravity_torque(&posture) * sign))
                }
                Quantity::MassMatrix => {
                    let group = Group::list("mass", 9, "mass matrix at the motors, row by row [kg m2]");
                    (group, rows(delta.mass_matrix(&posture).to_matrix()))
                }
                _ => return None,
            };
            return Some(vec![found, (margin_group(), vec![margin(&linkage, reach, &posture)])]);
        }
        let v = V3::from(recording.array::<3>("velocity", "vx, vy, vz of the platform [m/s]"));
        let forward = quantity == Quantity::ForwardDynamics;
        let (name, meaning) = if forward {
            ("torque", "motor torques [N m]")
        } else {
            ("acceleration", "ax, ay, az of the platform [m/s2]")
        };
        let third = V3::from(recording.array::<3>(name, meaning));
        let force = outside(asked, recording);
        let delta = with_symbols(&own, asked, recording);
        if !forward {
            let found = delta.torque(&posture, v, third, force);
            let torque = (found.torque + delta.friction(found.qdot)) * sign;
            let group = Group::list("torque", 3, "motor torques, friction included [N m]");
            let margin = margin(&linkage, reach, &posture);
            return Some(vec![(group, list(torque)), (margin_group(), vec![margin])]);
        }
        let driving = third * sign - delta.friction(posture.joint_velocity(v));
        let Margin { value: found, margin: pivot } = delta.acceleration(&posture, v, driving, force);
        let margin = margin(&linkage, reach, &posture);
        Some(vec![
            (Group::list("acceleration", 3, "ax, ay, az of the platform [m/s2]"), list(found.platform)),
            (Group::list("qdd", 3, "accelerations of the motors [rad/s2]"), list(found.joint * sign)),
            (margin_group(), vec![super::with_mass(margin, pivot)]),
        ])
    }
}
