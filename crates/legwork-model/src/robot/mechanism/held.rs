//! Motors that the platform's pose does not tell, where the motors move in more ways than the platform: they are held.

use super::rooms::Room;
use super::{MechanismRobot, as_pose};
use crate::RobotError;
use crate::mechanism::Configuration;
use legwork_core::engine::Pose;
use std::sync::Arc;

impl MechanismRobot {
    /// The motors that are held, as places in the list of joints.
    pub(in crate::robot) fn held(&self) -> &[usize] {
        &self.model.mobility().held
    }

    /// Where the motors that are held are \[rad or m\].
    pub(in crate::robot) fn held_values(&self) -> Vec<f64> {
        let all = self.model.motor_values(&self.start.0);
        self.held().iter().filter_map(|motor| all.get(*motor).copied()).collect()
    }

    /// The same with the motors that are held elsewhere, all others where they are at home and where searches begin; they
    /// move so. Lists have a number for each motor that is held.
    pub(in crate::robot) fn holding(
        &self,
        values: &[f64],
        rates: &[f64],
        accelerations: &[f64],
    ) -> Result<Self, RobotError> {
        for (what, list) in [
            ("values of held motors", values),
            ("speeds of held motors", rates),
            ("accelerations of held motors", accelerations),
        ] {
            super::super::kinematics::sized(what, list, self.held().len())?;
            if let Some((component, value)) = list.iter().enumerate().find(|(_, value)| !value.is_finite()) {
                return Err(RobotError::NotFinite { what, component, value: *value });
            }
        }
        let mut same = self.clone();
        (same.held_rates, same.held_accelerations) = (rates.to_vec(), accelerations.to_vec());
        if self.held_values() != values {
            let at_home = self.home == self.start.1;
            same.start = self.held_at(&self.start.0, values)?;
            same.home = if at_home { same.start.1 } else { self.held_at(self.model.home(), values)?.1 };
        }
        if let Some(smooth) = &mut same.smooth {
            let smooth = Arc::make_mut(smooth);
            smooth.start.clone_from(&same.start);
            smooth.home = same.home;
            smooth.held_rates.clone_from(&same.held_rates);
            smooth.held_accelerations.clone_from(&same.held_accelerations);
        }
        Ok(same)
    }

    /// Where it comes to from a configuration when the held motors go to these values and the others stand still, and the
    /// pose there.
    fn held_at(
        &self,
        from: &Configuration,
        values: &[f64],
    ) -> Result<(Configuration, Pose<f64>), RobotError> {
        let mut q = self.model.motor_values(from);
        for (motor, value) in self.held().iter().zip(values) {
            q[*motor] = *value;
        }
        let mut taken = self.room();
        let Room { ordered, at } = &mut *taken;
        at.set(from);
        ordered.go(&self.model, at, &mut |model, at, room| model.go_by(&q, at, room))?;
        // Exactly where they were told to be.
        for (motor, value) in self.held().iter().zip(values) {
            at.round(self.model.plan().motors[*motor].coordinate, *value);
        }
        let (model, workspace, at) = taken.parts(&self.model);
        let pose = as_pose(&model.platform_pose(at, workspace));
        Ok((at.clone(), pose))
    }
}
