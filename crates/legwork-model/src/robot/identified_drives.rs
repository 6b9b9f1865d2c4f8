//! Motors with inertia, friction and offset of their own, as `[[identified.motor]]` gives them.

use super::{AnyRobot, Kind, RobotError};
use crate::description::{IdentifiedMotor, MechanismDescription, MechanismJointKind, RobotDescription};
use crate::families::blueprint::{AnyLeg, Blueprint, Branch, LegChoice};
use legwork_core::engine::{Drive, JointKind, LegModel};

/// What differs from the family's motors, by the place of the motor.
#[derive(Clone, Debug, Default)]
pub(super) struct IdentifiedDrives(Vec<(usize, IdentifiedMotor)>);

impl IdentifiedDrives {
    /// Of a robot whose motors slide or turn so.
    pub(super) fn of(description: &RobotDescription, slides: &[bool]) -> Result<Self, RobotError> {
        let mut all: Vec<(usize, IdentifiedMotor)> = Vec::new();
        for motor in &description.identified.motors {
            let place = motor.place().filter(|place| slides.get(*place) == Some(&motor.slides));
            let place = place.filter(|place| all.iter().all(|(other, _)| other != place));
            let Some(place) = place else {
                let (robot, joint) = (description.name.clone(), motor.joint.clone());
                return Err(RobotError::IdentifiedMotor { robot, joint, slides: slides.to_vec() });
            };
            all.push((place, motor.clone()));
        }
        Ok(Self(all))
    }

    /// The drives of legs as they are, in the order of the motors.
    pub(super) fn of_legs(legs: &[AnyLeg]) -> Self {
        let mut all = Vec::new();
        for leg in legs {
            let _ = leg.with_drives(&mut |_, drive| {
                let motor = IdentifiedMotor {
                    joint: String::new(),
                    slides: false,
                    inertia: Some(drive.inertia),
                    viscous_friction: Some(drive.viscous),
                    coulomb_friction: Some(drive.coulomb),
                    offset: drive.offset,
                };
                all.push((all.len(), motor));
            });
        }
        Self(all)
    }

    /// The drive of a motor as it was identified.
    pub(super) fn change(&self, motor: usize, drive: &mut Drive<f64>) {
        let Some((_, found)) = self.0.iter().find(|(place, _)| *place == motor) else { return };
        drive.inertia = found.inertia.unwrap_or(drive.inertia);
        drive.viscous = found.viscous_friction.unwrap_or(drive.viscous);
        drive.coulomb = found.coulomb_friction.unwrap_or(drive.coulomb);
        drive.offset = found.offset;
    }

    /// The same robot with these drives.
    pub(super) fn in_legs(&self, mut blueprint: Blueprint) -> Blueprint {
        let mut before = 0;
        for choice in &mut blueprint.legs {
            let changed = |leg: AnyLeg| leg.with_drives(&mut |k, drive| self.change(before + k, drive));
            let branch =
                |branch: Branch| Branch { leg: changed(branch.leg), chain: changed(branch.chain), ..branch };
            *choice = LegChoice { own: branch(choice.own), other: choice.other.map(branch) };
            before += choice.own.leg.active_joints();
        }
        blueprint
    }
}

/// Whether each motor of legs slides.
pub(super) fn legs_slide(blueprint: &Blueprint) -> Vec<bool> {
    let kinds = |choice: &LegChoice| {
        let found = choice.own.leg.kinematics(&blueprint.home).value;
        found.iter().map(|joint| joint.kind == JointKind::Prismatic).collect::<Vec<_>>()
    };
    blueprint.legs.iter().flat_map(kinds).collect()
}

/// Whether each motor of bodies and joints slides.
pub(super) fn joints_slide(file: &MechanismDescription) -> Vec<bool> {
    file.driven().map(|joint| joint.kind == MechanismJointKind::Prismatic).collect()
}

impl AnyRobot {
    /// Inertia, friction and offset of each motor, as its joint feels them.
    pub fn drives(&self) -> Result<Vec<Drive<f64>>, RobotError> {
        let mut all = Vec::new();
        match &self.kind {
            Kind::Delta(robot) => {
                let massless = || RobotError::NoMasses { robot: self.name().into() };
                let motor = robot.model().ok_or_else(massless)?.motor();
                let (inertia, viscous, coulomb) = (motor.inertia, motor.viscous, motor.coulomb);
                all = vec![Drive { inertia, viscous, coulomb, ..Drive::ideal() }; 3];
            }
            Kind::Engine(robot) => {
                for leg in robot.legs() {
                    let _ = leg.with_drives(&mut |_, drive| all.push(*drive));
                }
            }
            Kind::Mechanism(robot) => {
                let joints = &robot.model().description().joints;
                all.extend(joints.iter().filter_map(|joint| joint.motor));
            }
        }
        Ok(all)
    }
}
