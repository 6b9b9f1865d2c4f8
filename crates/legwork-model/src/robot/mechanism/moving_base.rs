//! A mechanism whose base moves: what inertial forces of all its bodies come to in the freedoms of the platform.
//!
//! With ΔW_b what the motion of the base adds to the wrench that body b needs, V_b,y its twist per unit of the independent
//! motor y, and J_s the independent components of the platform's twist per unit of y,
//!
//! ```text
//! (1)  f_y = Σ_b ΔW_b · V_b,y,   w_s = −J_s⁻ᵀ f
//! ```

use super::{MechanismRobot, state_of};
use crate::RobotError;
use crate::robot::PlatformState;
use legwork_core::engine::{BaseMotion, Pose, Twist, Wrench};
use legwork_core::mechanism::Motion;

impl MechanismRobot {
    /// The wrench on the platform that stands for the motion of the base, zero where it has no freedom of its own.
    pub(in crate::robot) fn inertial_wrench(
        &self,
        pose: &Pose<f64>,
        twist: Twist<f64>,
        [at_rest, moving_base]: [&BaseMotion<f64>; 2],
    ) -> Result<[f64; 6], RobotError> {
        let mut asked = PlatformState { twist: twist.to_vector_linear_first(), ..state_of(pose) };
        for (place, component) in asked.twist.iter_mut().enumerate() {
            if !self.freedoms().iter().any(|freedom| freedom.component == place) {
                *component = 0.0;
            }
        }
        let mut moving = self.moving(&asked)?;
        let (model, workspace, at) = moving.room.parts(&self.model);
        let (plan, mut memory) = (model.plan(), workspace.memory());
        let motion = Motion {
            coordinates: at.coordinates(),
            rates: &moving.rates[..plan.independent()],
            idle: None,
            wrench: Wrench::zero(),
        };
        plan.prepare(&motion, &mut memory);
        plan.write_slopes(&mut memory);
        let mut added = Vec::new();
        for (k, body) in plan.bodies.iter().enumerate() {
            let (frame, v) = (memory.frames[k + 1].to_pose(), memory.twists[k + 1]);
            let place = Pose::new(frame.rotation, frame.position + self.origin());
            let needs = |base: &BaseMotion<f64>| {
                base.platform_wrench(&body.body, &place, v.at(frame.position), Twist::zero())
            };
            added.push((frame.position, needs(moving_base) - needs(at_rest)));
        }
        let mut forces = vec![0.0; plan.independent()];
        for (y, force) in forces.iter_mut().enumerate() {
            for freedom in 0..plan.freedoms {
                memory.rates[freedom] = plan.slope(freedom, y, &memory);
            }
            plan.move_bodies(&mut memory);
            let twists = memory.twists.iter().skip(1);
            *force = added.iter().zip(twists).map(|((at, wrench), v)| wrench.power(v.at(*at))).sum(); // (1)
        }
        let mut wrench = [0.0; 6];
        for (place, freedom) in self.freedoms().iter().enumerate() {
            let seen = moving.inverse.iter().zip(forces.iter()).map(|(row, force)| row[place] * force);
            wrench[freedom.component] = -seen.sum::<f64>();
        }
        Ok(wrench)
    }
}
