//! Efforts, accelerations and energies of a robot of any type. The equation of motion is
//!
//! ```text
//! τ = M(q) q̈ + C(q, q̇) + G(q) + F(q̇) − Jᵀ w
//! ```
//!
//! with efforts τ \[N m or N\] at the joint side of the gears, positive in the direction of q; w is the wrench
//! that acts on the platform from outside. With more motors than freedoms efforts are those of smallest norm.
//! Every call pays for its own answer only, and in the caller's memory allocates nothing, but for a mechanism of bodies
//! and joints, which follows its branch from home with lists of its own. A robot with geometry only has none of them:
//! [`RobotError::NoMasses`].

use super::kinematics::{by_rows, finite, sized};
use super::{AnyRobot, Kind, either};
use super::{Energies, ForwardDynamics, LegForce, PlatformState, RobotError, State};
use crate::mechanism::JointReaction;

impl AnyRobot {
    /// Inverse dynamics: what the motors must give for a motion of the platform, friction included, τ
    /// \[N m or N\].
    pub fn inverse_dynamics(&self, platform: &PlatformState) -> Result<Vec<f64>, RobotError> {
        let mut effort = vec![0.0; self.joints().len()];
        self.inverse_dynamics_into(platform, &mut effort)?;
        Ok(effort)
    }

    /// [`inverse_dynamics`](Self::inverse_dynamics) in the caller's memory, a number for each joint.
    pub fn inverse_dynamics_into(
        &self,
        platform: &PlatformState,
        effort: &mut [f64],
    ) -> Result<(), RobotError> {
        sized("efforts", effort, self.joints().len())?;
        either!(self, robot => robot.inverse_dynamics_into(platform, effort))?;
        finite("efforts", effort)
    }

    /// Forward dynamics: accelerations under these efforts of the motors \[N m or N\], of which friction takes
    /// its part, in this position and with this velocity; the acceleration given is ignored. Passes through
    /// parallel singularities.
    pub fn forward_dynamics(
        &self,
        platform: &PlatformState,
        effort: &[f64],
    ) -> Result<ForwardDynamics, RobotError> {
        let (mut platform_acceleration, mut joint) =
            (vec![0.0; self.freedoms().len()], vec![0.0; self.joints().len()]);
        self.forward_dynamics_into(platform, effort, &mut platform_acceleration, &mut joint)?;
        Ok(ForwardDynamics { platform: platform_acceleration, joint })
    }

    /// [`forward_dynamics`](Self::forward_dynamics) in the caller's memory: `acceleration` has a number for each
    /// freedom of the platform, `qdd` one for each joint.
    pub fn forward_dynamics_into(
        &self,
        platform: &PlatformState,
        effort: &[f64],
        acceleration: &mut [f64],
        qdd: &mut [f64],
    ) -> Result<(), RobotError> {
        sized("accelerations of the platform", acceleration, self.freedoms().len())?;
        sized("accelerations of the joints", qdd, self.joints().len())?;
        either!(self, robot => robot.forward_dynamics_into(platform, effort, acceleration, qdd))?;
        finite("accelerations of the platform", acceleration)?;
        finite("accelerations of the joints", qdd)
    }

    /// The mass matrix M(q) at the joints, by rows \[kg m², kg m or kg\].
    pub fn mass_matrix(&self, platform: &PlatformState) -> Result<Vec<Vec<f64>>, RobotError> {
        let joints = self.joints().len();
        let mut flat = vec![0.0; joints * joints];
        self.mass_matrix_into(platform, &mut flat)?;
        Ok(by_rows(&flat, joints))
    }

    /// [`mass_matrix`](Self::mass_matrix) in the caller's memory, row after row.
    pub fn mass_matrix_into(&self, platform: &PlatformState, rows: &mut [f64]) -> Result<(), RobotError> {
        sized("entries of the mass matrix", rows, self.joints().len().pow(2))?;
        either!(self, robot => robot.mass_matrix_into(platform, rows))?;
        finite("mass matrix", rows)
    }

    /// The mass matrix J⁻ᵀ M J⁻¹ that the platform feels in its freedoms, by rows \[kg, kg m or kg m²\]. Exists
    /// also at parallel singularities.
    pub fn platform_mass_matrix(&self, platform: &PlatformState) -> Result<Vec<Vec<f64>>, RobotError> {
        let freedoms = self.freedoms().len();
        let mut flat = vec![0.0; freedoms * freedoms];
        self.platform_mass_matrix_into(platform, &mut flat)?;
        Ok(by_rows(&flat, freedoms))
    }

    /// [`platform_mass_matrix`](Self::platform_mass_matrix) in the caller's memory, row after row.
    pub fn platform_mass_matrix_into(
        &self,
        platform: &PlatformState,
        rows: &mut [f64],
    ) -> Result<(), RobotError> {
        sized("entries of the mass matrix", rows, self.freedoms().len().pow(2))?;
        either!(self, robot => robot.platform_mass_matrix_into(platform, rows))?;
        finite("mass matrix", rows)
    }

    /// Coriolis and centrifugal efforts C(q, q̇) \[N m or N\]: what motion without joint acceleration, weight
    /// and friction asks for.
    pub fn coriolis(&self, platform: &PlatformState) -> Result<Vec<f64>, RobotError> {
        let mut effort = vec![0.0; self.joints().len()];
        self.coriolis_into(platform, &mut effort)?;
        Ok(effort)
    }

    /// [`coriolis`](Self::coriolis) in the caller's memory, a number for each joint.
    pub fn coriolis_into(&self, platform: &PlatformState, effort: &mut [f64]) -> Result<(), RobotError> {
        sized("efforts", effort, self.joints().len())?;
        either!(self, robot => robot.coriolis_into(platform, effort))?;
        finite("Coriolis efforts", effort)
    }

    /// The efforts G(q) \[N m or N\] that hold the robot at rest against its weight. Velocity, acceleration and
    /// wrench are ignored.
    pub fn gravity(&self, platform: &PlatformState) -> Result<Vec<f64>, RobotError> {
        let mut effort = vec![0.0; self.joints().len()];
        self.gravity_into(platform, &mut effort)?;
        Ok(effort)
    }

    /// [`gravity`](Self::gravity) in the caller's memory, a number for each joint.
    pub fn gravity_into(&self, platform: &PlatformState, effort: &mut [f64]) -> Result<(), RobotError> {
        // At rest without a wrench nothing but weight asks for effort: dry friction is zero at zero speed.
        let still = PlatformState::at(platform.position).turned(platform.rotation);
        self.inverse_dynamics_into(&still, effort)
    }

    /// Kinetic and potential energy of the whole robot \[J\].
    pub fn energies(&self, platform: &PlatformState) -> Result<Energies, RobotError> {
        let found = either!(self, robot => robot.energies(platform))?;
        finite("energies", &[found.kinetic, found.potential])?;
        Ok(found)
    }

    /// What each leg does to the platform while the motors give what
    /// [`inverse_dynamics`](Self::inverse_dynamics) says.
    pub fn leg_forces(&self, platform: &PlatformState) -> Result<Vec<LegForce>, RobotError> {
        let mut forces = vec![LegForce::default(); self.leg_count()];
        self.leg_forces_into(platform, &mut forces)?;
        Ok(forces)
    }

    /// [`leg_forces`](Self::leg_forces) in the caller's memory, one for each leg.
    pub fn leg_forces_into(
        &self,
        platform: &PlatformState,
        forces: &mut [LegForce],
    ) -> Result<(), RobotError> {
        let (expected, found) = (self.leg_count(), forces.len());
        if found != expected {
            return Err(RobotError::Count { what: "forces of the legs", expected, found });
        }
        either!(self, robot => robot.leg_forces_into(platform, forces))?;
        forces.iter().try_for_each(|leg| {
            finite("forces of the legs", &leg.force)?;
            finite("forces of the legs", &[leg.axial])
        })
    }

    /// What each joint of a mechanism carries while the motors give what
    /// [`inverse_dynamics`](Self::inverse_dynamics) says: force and moment that the parent gives to the child, in the
    /// axes of the base, the moment about the joint's point. Fixed joints, which make one body of two, are left out.
    /// Where a mechanism has more constraints than it needs ([`mobility`](Self::mobility)), it is one of many answers. A
    /// robot with legs has none: see [`leg_forces`](Self::leg_forces).
    pub fn joint_reactions(&self, platform: &PlatformState) -> Result<Vec<JointReaction>, RobotError> {
        let Kind::Mechanism(robot) = &self.kind else { return Ok(Vec::new()) };
        let found = robot.joint_reactions(platform)?;
        for reaction in &found {
            finite("forces of joints", &reaction.force)?;
            finite("moments of joints", &reaction.moment)?;
        }
        Ok(found)
    }

    /// Everything about one state: joints, Jacobian, singularities, torques, energies. Ask for less where less
    /// is needed.
    pub fn state(&self, platform: &PlatformState) -> Result<State, RobotError> {
        let found = either!(self, robot => robot.state(platform))?;
        found.check_finite()?;
        self.check_joint_cones(platform)?;
        Ok(found)
    }
}
