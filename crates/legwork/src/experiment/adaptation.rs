//! What a controller that finds its payload out is made of, and its bounds where none are given.

use super::controller::Adaptation;
use super::{Experiment, ExperimentError, ResolvedGains};
use crate::AnyRobot;
use legwork_core::control::PayloadSettings;

/// The payload \[kg\] that tells how efforts depend on one. Any would do: they are affine in it.
const COMPARED: f64 = 1.0;
/// Accelerations of the platform, weight included, that are smaller than this tell nothing of a payload \[m/s²\].
const TELLING: f64 = 0.5;

impl Experiment<'_> {
    /// The robot without a payload, and what is needed to find one.
    pub(super) fn adaptation(
        &self,
        gains: &ResolvedGains,
    ) -> Result<(&AnyRobot, Adaptation<'_>), ExperimentError> {
        let [bare, heavier] = self.weighed()?;
        let settings = self.payload_settings(bare, heavier, gains)?;
        let heavier = heavier.control_model()?.0;
        Ok((bare, Adaptation { heavier, difference: COMPARED, settings }))
    }

    /// The robot that the controller knows without a payload, and with [`COMPARED`].
    fn weighed(&self) -> Result<&[AnyRobot; 2], ExperimentError> {
        if let Some(pair) = self.weighed.get() {
            return Ok(pair);
        }
        let pair = [self.known.with_payload(0.0)?, self.known.with_payload(COMPARED)?];
        Ok(self.weighed.get_or_init(|| pair))
    }

    /// What is estimated of a payload, and its bounds. The gains' bias is what holds the machine at the start beyond the
    /// model; at rest there the estimate would be what explains it best.
    fn payload_settings(
        &self,
        bare: &AnyRobot,
        heavier: &AnyRobot,
        gains: &ResolvedGains,
    ) -> Result<PayloadSettings<f64>, ExperimentError> {
        let start = self.motion.platform(0.0);
        let [own, more] = [self.inertia(bare, &start)?, self.inertia(heavier, &start)?];
        // A_kk(m) = A_kk(0) + m (J J)_kk: how far the platform goes with a motor, and what doubles A_kk.
        let per_mass: Vec<f64> = own.iter().zip(&more).map(|(own, more)| (more - own) / COMPARED).collect();
        let doubling = own.iter().zip(&per_mass).map(|(own, each)| own / each);
        let doubling = doubling.filter(|mass| *mass > 0.0 && mass.is_finite()).fold(f64::INFINITY, f64::min);
        let reach = per_mass.iter().fold(0.0, |sum: f64, each| sum + each.max(0.0)).sqrt();
        let weight = |robot: &AnyRobot| -> Result<Vec<f64>, ExperimentError> {
            Ok(robot.state(&start)?.dynamics.map(|dynamics| dynamics.gravity).unwrap_or_default())
        };
        let (_, frame) = self.known.control_model()?;
        let (mut seen, mut size) = (0.0, 0.0);
        for ((own, more), bias) in weight(bare)?.iter().zip(weight(heavier)?).zip(&gains.bias) {
            let each = (more - own) / COMPARED * frame.angle_sign;
            seen += each * bias;
            size += each * each;
        }
        let least = TELLING * reach;
        let found = if size > least * least { seen / size } else { 0.0 };
        Ok(PayloadSettings {
            most: self.tuning.payload_limit.unwrap_or(doubling),
            start: (self.known_at_start().payload() + found).max(0.0),
            memory: self.tuning.payload_memory,
            bandwidth: self.tuning.frequency,
            least,
        })
    }

    /// How late the drives are, as a controller would know from their data sheet: the longest lag, and what sensors are
    /// late by \[s\].
    pub(super) fn known_lag(&self) -> f64 {
        let (samples, part) = self.plant.delay_in_samples(self.period);
        self.plant.longest_lag(self.robot.joints().len()) + (samples as f64 + part) * self.period
    }
}
