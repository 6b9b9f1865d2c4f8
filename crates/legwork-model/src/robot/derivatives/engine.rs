//! Derivatives of a robot of legs: one leg at a time, one direction after the other, so the number of legs, freedoms and
//! motors does not matter.

use super::{ForwardDerivatives, One, dual_twist, hexapod, put, stepped};
use crate::robot::dense::{MAX_FREEDOMS, MAX_MOTORS, solve_spd};
use crate::robot::engine::EngineRobot;
use crate::robot::engine_equations::gyroscopic;
use crate::robot::engine_model::{EngineModel, EngineMotion};
use crate::robot::{AnyLeg, PlatformState, RobotError};
use legwork_core::engine::{JointKind, LegModel, Mechanism, MotionSpace, Pose, Twist};
use legwork_core::{M3, Real, V3};

/// Derivatives in time along the motion of a state, for a proof that differentiates nothing by hand.
#[derive(Clone, Debug)]
pub struct LegsDerivative {
    /// Of the motors.
    pub joints: Vec<f64>,
    /// Of their rates.
    pub rates: Vec<f64>,
    /// Of kinetic and potential energy \[W\].
    pub energies: [f64; 2],
}

impl EngineModel {
    /// How motors, their rates and the energies change along the motion of a state, by dual numbers: exact but for rounding,
    /// whatever the size of the robot.
    pub fn along_motion(&self, platform: &PlatformState) -> LegsDerivative {
        let velocity = Twist::from_vector_linear_first(platform.twist);
        let [x, y, z] = platform.rotation.map(V3::from);
        let here = Pose::new(M3::from_rows(x, y, z), platform.position.into());
        let model = self.at(&here);
        let pose = stepped(&here, velocity);
        let twist = dual_twist(velocity, Twist::from_vector_linear_first(platform.acceleration));
        let legs: Vec<legwork_core::engine::AnyLeg<One>> =
            model.legs.iter().map(|leg| leg.map(One::from_f64)).collect();
        let gravity = model.gravity.map(One::from_f64);
        let (mut joints, mut rates) = (Vec::new(), Vec::new());
        for leg in &legs {
            for joint in leg.effort(&pose, twist, Twist::zero(), gravity).value.active.iter() {
                let value = &joint.value;
                joints.push(match joint.kind {
                    JointKind::Revolute => value.cos.re * value.sin.eps[0] - value.sin.re * value.cos.eps[0],
                    JointKind::Prismatic => value.slide.eps[0],
                });
                rates.push(joint.rate.eps[0]);
            }
        }
        let whole = Mechanism::<_, _, 6, 6> {
            platform: model.platform.map(One::from_f64),
            legs: &legs,
            space: MotionSpace::full(),
            gravity,
        };
        let (kinetic, potential) = whole.energy(&pose, &twist.to_vector_linear_first());
        LegsDerivative { joints, rates, energies: [kinetic.eps[0], potential.eps[0]] }
    }

    /// How the wrench that the platform lacks, F in all six components, changes while the pose takes a small `step` and the
    /// velocity changes by `change`, in a state (pose, velocity, acceleration) under these efforts. Legs without a closed
    /// form must be there, see [`at`](Self::at).
    pub fn imbalance_slope(
        &self,
        (pose, twist, acceleration): (&Pose<f64>, Twist<f64>, Twist<f64>),
        effort: &[f64],
        step: Twist<f64>,
        change: Twist<f64>,
    ) -> [f64; 6] {
        let (near, moving) = (stepped(pose, step), dual_twist(twist, change));
        let acceleration = dual_twist(acceleration, Twist::zero());
        let gravity: V3<One> = self.gravity.map(One::from_f64);
        let inertia = self.platform.map(One::from_f64).spatial(&near, near.position);
        let falling = Twist::new(acceleration.linear - gravity, acceleration.angular);
        let demand = inertia.apply(falling) + gyroscopic(&inertia, moving.angular);
        let mut lacking = demand.to_vector_linear_first();
        let mut efforts = effort.iter().copied();
        for leg in &self.legs {
            let leg: legwork_core::engine::AnyLeg<One> = AnyLeg::map(leg, One::from_f64);
            let own = leg.effort(&near, moving, acceleration, gravity).value;
            for (sum, part) in lacking.iter_mut().zip(own.wrench) {
                *sum = *sum + part;
            }
            for joint in own.active.iter() {
                let missing = joint.effort - One::from_f64(efforts.next().unwrap_or(0.0));
                for (sum, row) in lacking.iter_mut().zip(joint.row) {
                    *sum = *sum + row * missing;
                }
            }
        }
        lacking.map(|x| x.eps[0])
    }
}

impl EngineRobot {
    pub(in crate::robot) fn forward_derivatives_into(
        &self,
        platform: &PlatformState,
        effort: &[f64],
        found: &mut ForwardDerivatives,
    ) -> Result<(), RobotError> {
        let (joints, freedoms) = (effort.len(), self.model().freedoms.len());
        let (mut six, mut qdd) = ([0.0; MAX_FREEDOMS], [0.0; MAX_MOTORS]);
        // Checks everything there is to check.
        self.forward_dynamics_into(platform, effort, &mut six[..freedoms], &mut qdd)?;
        let EngineMotion { pose, twist, .. } = self.motion(platform)?;
        let acceleration = self.model().spread(&six);
        if let (Some(closed), Ok(tau)) = (&self.model().hexapod, effort.try_into()) {
            hexapod::derivatives(&closed.hexapod, &pose, twist, acceleration, tau, found);
            return Ok(());
        }
        let machine = self.model().at(&pose);
        let equation = machine.platform_equation(&pose, twist).value;
        let unit = |place: usize| {
            Twist::from_vector_linear_first(std::array::from_fn(|k| f64::from(u8::from(k == place))))
        };
        let mut columns = [[0.0; 2 * MAX_FREEDOMS]; MAX_FREEDOMS];
        for (j, place) in machine.freedoms.iter().enumerate() {
            let motion = (&pose, twist, acceleration);
            let by_pose = machine.imbalance_slope(motion, effort, unit(*place), Twist::zero());
            let by_velocity = machine.imbalance_slope(motion, effort, Twist::zero(), unit(*place));
            for (row, of) in columns.iter_mut().zip(&machine.freedoms) {
                row[j] = by_pose[*of];
                row[MAX_FREEDOMS + j] = by_velocity[*of];
            }
        }
        let mut inverse = [[0.0; MAX_FREEDOMS]; MAX_FREEDOMS];
        for (k, row) in inverse.iter_mut().enumerate().take(freedoms) {
            let mut unit = [0.0; MAX_FREEDOMS];
            unit[k] = 1.0;
            *row = solve_spd(&equation.mass, &unit, freedoms).value;
        }
        // In room for six freedoms, and then as many as there are.
        let mut six = ForwardDerivatives::default();
        six.make_room(MAX_FREEDOMS, joints);
        put(&inverse, &columns, &equation.motors.rows[..joints], &mut six);
        for (list, from, width) in [
            (&mut found.pose, &six.pose, freedoms),
            (&mut found.velocity, &six.velocity, freedoms),
            (&mut found.effort, &six.effort, joints),
            (&mut found.wrench, &six.wrench, freedoms),
        ] {
            let stride = from.len() / MAX_FREEDOMS;
            let rows = from.chunks_exact(stride.max(1));
            for (slot, row) in list.chunks_exact_mut(width.max(1)).zip(rows) {
                slot.copy_from_slice(&row[..width]);
            }
        }
        Ok(())
    }
}
