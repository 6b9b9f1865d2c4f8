//! Numbers of motors.

use super::SimulationError;

/// One number for all motors, or one for each.
#[derive(Clone, Debug, PartialEq)]
pub enum PerMotor {
    /// The same for all.
    All(f64),
    /// One for each.
    Each(Vec<f64>),
}

impl PerMotor {
    /// Those of so many motors.
    pub(super) fn of(&self, motors: usize) -> impl Iterator<Item = f64> + '_ {
        (0..motors).map(move |k| match self {
            Self::All(value) => *value,
            Self::Each(values) => values.get(k).copied().unwrap_or(f64::NAN),
        })
    }

    /// Refuses another number of them, and values that are not good.
    pub(super) fn check(
        &self,
        what: &'static str,
        motors: usize,
        is_good: fn(f64) -> bool,
    ) -> Result<(), SimulationError> {
        if let Self::Each(values) = self
            && values.len() != motors
        {
            return Err(SimulationError::Count { what, expected: motors, found: values.len() });
        }
        match self.of(motors).enumerate().find(|(_, value)| !is_good(*value)) {
            Some((motor, value)) => Err(SimulationError::Plant { what, motor: Some(motor), value }),
            None => Ok(()),
        }
    }
}

impl From<f64> for PerMotor {
    fn from(value: f64) -> Self {
        Self::All(value)
    }
}

impl From<Vec<f64>> for PerMotor {
    fn from(values: Vec<f64>) -> Self {
        Self::Each(values)
    }
}
