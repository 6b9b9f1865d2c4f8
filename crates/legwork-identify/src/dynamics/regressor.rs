//! Efforts as a linear function of the parameters of a robot: the regressor.
//!
//! ```text
//! τ(θ) = τ_known + W(q, q̇, q̈) θ                                             (1)
//! W P_g = [τ(θ₀ + p_1) − τ(θ₀), ...]                                        (2)
//! ```
//!
//! There is no formula of its own here: columns are differences (2) of the one inverse dynamics that every robot has, for
//! robots that differ by increments p of one group of parameters, P_g the matrix of these increments. Because (1) is
//! linear the differences are exact, whatever the size of p.

use super::matrix::Columns;
use super::parameters::{Parameters, Probe};
use legwork::{AnyRobot, PlatformState, RobotError};

/// How many rows of a motion are asked before legs without a closed form are led on.
const LEAD_EVERY: usize = 20;

/// A robot and those that differ from it by one parameter.
#[derive(Clone, Debug)]
pub struct Regressor {
    robot: AnyRobot,
    /// The same with its motors written out one by one.
    written: AnyRobot,
    parameters: Parameters,
    probes: Vec<Probe>,
    /// The same with a kilogram more on its platform.
    loaded: AnyRobot,
    rows: usize,
}

/// Efforts of one state: a row for each motor.
#[derive(Clone, Debug, PartialEq)]
pub struct RegressorRows {
    /// W, a list for each parameter with a number for each motor.
    pub columns: Columns,
    /// What does not depend on the parameters \[N m or N\].
    pub known: Vec<f64>,
    /// What a kilogram at the platform point adds \[N m or N\].
    pub payload: Vec<f64>,
}

impl Regressor {
    /// Of a robot with masses.
    pub fn new(robot: &AnyRobot) -> Result<Self, RobotError> {
        if !robot.has_masses() {
            return Err(RobotError::NoMasses { robot: robot.name().into() });
        }
        let parameters = Parameters::of(robot)?;
        let (written, probes) = (parameters.robot(&parameters.values())?, parameters.probes()?);
        let loaded = robot.with_payload(robot.payload() + 1.0)?;
        Ok(Self { robot: robot.clone(), written, parameters, probes, loaded, rows: 0 })
    }

    /// The parameters, in the order of the columns.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The robot itself.
    pub fn robot(&self) -> &AnyRobot {
        &self.robot
    }

    /// Leads robots whose legs are followed to a pose of a motion, from time to time.
    pub fn lead(&mut self, platform: &PlatformState) -> Result<(), RobotError> {
        self.rows += 1;
        if !self.robot.is_followed() || !self.rows.is_multiple_of(LEAD_EVERY) {
            return Ok(());
        }
        let probes = self.probes.iter_mut().flat_map(|probe| &mut probe.robots);
        for robot in [&mut self.robot, &mut self.written, &mut self.loaded].into_iter().chain(probes) {
            *robot = robot.led_to(platform)?;
        }
        Ok(())
    }

    /// Leads robots whose legs are followed back to where another one of them is.
    pub(super) fn lead_back(&mut self, robot: &AnyRobot) -> Result<(), RobotError> {
        self.rows = LEAD_EVERY - 1;
        self.lead(&robot.led_pose())
    }

    /// The rows of one state.
    pub fn rows(&self, platform: &PlatformState) -> Result<RegressorRows, RobotError> {
        let motors = self.robot.joints().len();
        let own = self.robot.inverse_dynamics(platform)?;
        let written = self.written.inverse_dynamics(platform)?;
        let mut columns = vec![vec![0.0; motors]; self.parameters.list.len()];
        let mut effort = vec![0.0; motors];
        for probe in &self.probes {
            let from = if probe.of_motors { &written } else { &own };
            for (k, robot) in probe.robots.iter().enumerate() {
                robot.inverse_dynamics_into(platform, &mut effort)?;
                for (row, place) in probe.places.iter().enumerate() {
                    let factor = probe.inverse.at(k, row);
                    for ((slot, effort), from) in columns[*place].iter_mut().zip(&effort).zip(from) {
                        *slot += factor * (effort - from); // (2)
                    }
                }
            }
        }
        let columns = Columns(columns);
        self.loaded.inverse_dynamics_into(platform, &mut effort)?;
        let payload = effort.iter().zip(&own).map(|(with, without)| with - without).collect();
        let mut known = own;
        for (slot, part) in known.iter_mut().zip(columns.times(&self.parameters.values())) {
            *slot -= part;
        }
        Ok(RegressorRows { columns, known, payload })
    }
}
