//! Masses shared out among bodies so that the sums over them are short: the same efforts and accelerations.

use super::owned::OwnedPlan;
use legwork_core::V3;
use legwork_core::engine::{Pose, RigidBody};
use legwork_core::mechanism::{Share, TreeJoint};

impl OwnedPlan<f64> {
    /// Shares of all bodies, and what idle rates move, from the bodies as they are.
    ///
    /// A body that slides on its parent turns with it: its inertia becomes the parent's. A body on a revolute joint of
    /// the ground only turns about that axis.
    pub(super) fn share_out(&mut self) {
        let mut whole: Vec<RigidBody<f64>> = self.bodies.iter().map(|body| body.body).collect();
        for k in (0..self.bodies.len()).rev() {
            let (own, body) = (whole[k], &mut self.bodies[k]);
            body.share = match (body.joint, body.parent) {
                (TreeJoint::Prismatic, parent) => {
                    if let Some(parent) = parent.checked_sub(1) {
                        let turned = Pose { position: V3::zero(), ..body.frame.to_pose() };
                        let still = RigidBody { mass: 0.0, centre: V3::zero(), inertia: own.inertia };
                        whole[parent].inertia = whole[parent].inertia + still.seen_from(&turned).inertia;
                    }
                    Share::Point { mass: own.mass, centre: own.centre }
                }
                (TreeJoint::Revolute, 0) => {
                    let (mass, c) = (own.mass, own.centre);
                    Share::Axis {
                        inertia: own.inertia.diagonal.z + mass * (c.x * c.x + c.y * c.y),
                        moment: [mass * c.x, mass * c.y],
                    }
                }
                _ => Share::Whole(own),
            };
        }
        for idle in self.idle.iter_mut().filter(|idle| idle.alone) {
            let Some(body) = idle.body.checked_sub(1).map(|k| &self.bodies[k]) else { continue };
            let mut axis = [0.0; 3];
            axis[idle.freedom - body.freedom] = 1.0;
            let (e, own) = (V3::from(axis), &body.body);
            idle.spin = own.inertia * e;
            let arm = e.cross(own.centre);
            let on_axis = arm.norm_sq() <= 1e-30 * own.centre.norm_sq();
            idle.swing = (!on_axis).then(|| arm * own.mass);
            idle.inertia = e.dot(idle.spin) + own.mass * arm.norm_sq() + self.rotors[idle.freedom];
        }
    }
}
