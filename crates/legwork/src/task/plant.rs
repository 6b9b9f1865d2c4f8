//! The machine of a run, in a request.

use super::error::{not_negative, positive};
use super::{BaseRequest, Components, Handle, Mass, Measure, MotorValues, TaskError, Time, wrench};
use crate::AnyRobot;
use crate::coordinates::CoordinateSchema;
use crate::description::ModelError;
use crate::sim::{Delay, PerMotor, Plant};
use crate::sorting::sort_by;
use crate::text::{short, short_list};
use crate::units::Quantity;
use serde::{Deserialize, Serialize};

/// What the simulated machine has that the ideal one has not. Everything counts at the joints, behind the gear.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlantRequest {
    /// Current lag of the motors, first order. Default: none in an open loop, 2 ms in a closed one.
    pub lag: Option<Time>,
    /// Largest torque or force of the motors. Default: none.
    pub effort_limit: MotorValues,
    /// Fastest change of a motor's torque or force \[N m/s, N/s\]. Default: none.
    pub rate_limit: MotorValues,
    /// Speed beyond which a motor does not drive; its last 5 % fade. Default: none.
    pub speed_limit: MotorValues,
    /// Whether the limits of torque and speed in the robot's file hold where no others are given. Default: no.
    pub file_limits: bool,
    /// Friction besides that of the file. Default: none.
    pub friction: Option<FrictionRequest>,
    /// Soft stops at the limits of the joints in the file. Default: nothing stops a joint.
    pub stops: Option<StopsRequest>,
    /// One step of the encoders. Default: they read exactly.
    pub encoder: MotorValues,
    /// Standard deviation of the noise before the encoder counts. Default: none.
    pub noise: MotorValues,
    /// How late the encoders are read. Default: at once.
    pub delay: Option<Time>,
    /// Seed of the noise. Default: 1998.
    pub seed: Option<u64>,
    /// By how much the machine differs from the robot's file, as shares. Default: not at all.
    pub model_error: Option<ModelError>,
    /// Masses that are picked up in motion, besides what is carried all the time. Default: none.
    pub pick: Vec<PickRequest>,
    /// When what was picked up is put down. Default: never.
    pub put: Vec<Time>,
    /// Forces for a time. Default: none.
    pub push: Vec<PushRequest>,
    /// How the base moves; poses and speeds are those that it sees. Default: not at all.
    pub base: Option<BaseRequest>,
}

/// Friction of every motor.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FrictionRequest {
    /// What grows with speed \[N m s/rad, N s/m\].
    pub viscous: f64,
    /// What only has a sign, a torque or a force. Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coulomb: Option<Measure>,
}

/// Soft stops of every joint.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StopsRequest {
    /// \[N m/rad, N/m\]
    pub stiffness: f64,
    /// \[s/rad, s/m\]. Default: 0.
    #[serde(default)]
    pub damping: f64,
}

/// A mass that is picked up.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PickRequest {
    /// When.
    pub at: Time,
    /// How much.
    pub mass: Mass,
}

/// A force, and a moment if the platform turns, for a time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PushRequest {
    /// When it begins.
    pub from: Time,
    /// When it ends.
    pub until: Time,
    /// Force \[N\], then moment about the platform point \[N m\], in base axes.
    pub wrench: Components,
}

fn listed(values: &PerMotor) -> String {
    match values {
        PerMotor::All(value) => short(*value),
        PerMotor::Each(values) => short_list(values),
    }
}

/// What a model error is, in words: "masses off by 10 %".
pub(super) fn model_error_phrases(error: &ModelError) -> Vec<String> {
    let parts = [
        ("masses", error.mass),
        ("motor inertia", error.motor_inertia),
        ("lengths", error.length),
        ("friction", error.friction),
    ];
    let off = parts.iter().filter(|(_, part)| *part != 0.0);
    off.map(|(name, part)| format!("{name} off by {} %", short(part * 100.0))).collect()
}

impl PlantRequest {
    /// What the machine is, in words.
    pub fn describe(&self, robot: &AnyRobot) -> Result<Vec<String>, TaskError> {
        Ok(self.resolve(robot, &CoordinateSchema::of(robot), &Handle::none())?.1)
    }

    /// The plant, and what it is in words.
    pub(super) fn resolve(
        &self,
        robot: &AnyRobot,
        schema: &CoordinateSchema,
        handle: &Handle<'_>,
    ) -> Result<(Plant, Vec<String>), TaskError> {
        let mut phrases = Vec::new();
        let plant = self.motors(Plant::ideal(), schema, &mut phrases)?;
        let mut plant = self.sensors(plant, schema, &mut phrases)?;
        if let Some(error) = self.model_error {
            phrases.extend(model_error_phrases(&error));
            plant = plant.with_model_error(error);
        }
        let carried = robot.payload();
        for (at, mass) in self.payloads()? {
            phrases.push(if mass > 0.0 {
                format!("{} kg picked up at {} s", short(mass), short(at))
            } else {
                format!("put down at {} s", short(at))
            });
            // What is picked up comes to what is carried all the time.
            plant = plant.carrying(at, carried + mass);
        }
        for push in &self.push {
            let (from, until) = (not_negative("push", push.from.0)?, push.until.0);
            if until <= from {
                let what =
                    format!("a `push` from {} s to {} s ends before it begins", short(from), short(until));
                return Err(TaskError::request(what));
            }
            phrases.push(format!("pushed from {} s to {} s", short(from), short(until)));
            plant = plant.pushed(from, until, wrench(schema, "push", &push.wrench)?);
        }
        if let Some(base) = &self.base {
            let (course, words) = base.resolve(handle)?;
            phrases.extend(words);
            plant = plant.on_base(course);
        }
        Ok((plant, phrases))
    }

    /// The same without files.
    pub(super) fn self_contained(&self) -> Result<Self, TaskError> {
        let base = self.base.as_ref().map(BaseRequest::self_contained).transpose()?;
        Ok(Self { base, ..self.clone() })
    }

    /// Motors, friction and stops.
    fn motors(
        &self,
        mut plant: Plant,
        schema: &CoordinateSchema,
        phrases: &mut Vec<String>,
    ) -> Result<Plant, TaskError> {
        let efforts = schema.each(Quantity::Torque, Quantity::Force);
        let speeds = schema.each(Quantity::AngularSpeed, Quantity::Speed);
        let rates = vec![Quantity::Ratio; efforts.len()];
        let effort_unit = schema.either("N m", "N");
        if let Some(Time(lag)) = self.lag {
            let lag = not_negative("lag", lag)?;
            phrases.push(format!("lag {} ms", short(lag * 1e3)));
            plant = plant.with_lag(lag);
        }
        if let Some(limit) = self.effort_limit.positive("effort_limit", &efforts)? {
            phrases.push(format!("efforts up to {} {effort_unit}", listed(&limit)));
            plant = plant.with_effort_limit(limit);
        }
        if let Some(limit) = self.rate_limit.positive("rate_limit", &rates)? {
            let unit = schema.either("N m/s", "N/s");
            phrases.push(format!("efforts change by up to {} {unit}", listed(&limit)));
            plant = plant.with_rate_limit(limit);
        }
        if let Some(limit) = self.speed_limit.positive("speed_limit", &speeds)? {
            phrases.push(format!("driven up to {} {}", listed(&limit), schema.either("rad/s", "m/s")));
            plant = plant.with_speed_limit(limit);
        }
        if self.file_limits {
            phrases.push("limits of the file".into());
            plant = plant.with_limits_of_the_robot();
        }
        if let Some(FrictionRequest { viscous, coulomb }) = self.friction {
            let viscous = not_negative("friction", viscous)?;
            let kind = efforts.first().copied().unwrap_or(Quantity::Torque);
            let coulomb = match coulomb {
                Some(coulomb) => not_negative("friction", coulomb.expect("friction", kind)?)?,
                None => 0.0,
            };
            let unit = schema.either("N m s/rad", "N s/m");
            phrases.push(format!("friction {} {unit} and {} {effort_unit}", short(viscous), short(coulomb)));
            plant = plant.with_friction(viscous, coulomb);
        }
        if let Some(StopsRequest { stiffness, damping }) = self.stops {
            let (stiffness, damping) = (positive("stops", stiffness)?, not_negative("stops", damping)?);
            phrases.push(format!("soft stops of {} {}", short(stiffness), schema.either("N m/rad", "N/m")));
            plant = plant.with_stops(stiffness, damping);
        }
        Ok(plant)
    }

    fn sensors(
        &self,
        mut plant: Plant,
        schema: &CoordinateSchema,
        phrases: &mut Vec<String>,
    ) -> Result<Plant, TaskError> {
        let places = schema.each(Quantity::Angle, Quantity::Length);
        let unit = schema.either("rad", "m");
        if let Some(resolution) = self.encoder.positive("encoder", &places)? {
            phrases.push(format!("encoder steps of {} {unit}", listed(&resolution)));
            plant = plant.with_encoder(resolution);
        }
        if let Some(noise) = self.noise.positive("noise", &places)? {
            phrases.push(format!("noise of {} {unit}", listed(&noise)));
            plant = plant.with_noise(noise);
        }
        if let Some(Time(delay)) = self.delay {
            let delay = not_negative("delay", delay)?;
            phrases.push(format!("read {} ms late", short(delay * 1e3)));
            plant = plant.with_delay(Delay::Time(delay));
        }
        if let Some(seed) = self.seed {
            plant = plant.with_seed(seed);
        }
        Ok(plant)
    }

    /// Times \[s\] and masses \[kg\] of what is picked up and put down, in order; zero is put down.
    fn payloads(&self) -> Result<Vec<(f64, f64)>, TaskError> {
        let picked = self
            .pick
            .iter()
            .map(|pick| Ok((not_negative("pick", pick.at.0)?, positive("pick", pick.mass.0)?)));
        let put = self.put.iter().map(|at| Ok((not_negative("put", at.0)?, 0.0)));
        let mut all: Vec<(f64, f64)> = picked.chain(put).collect::<Result<_, TaskError>>()?;
        // At one instant what is carried is put down before something else is picked up.
        sort_by(&mut all, |a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let mut carries = false;
        for &(at, mass) in &all {
            let picks = mass > 0.0;
            if picks == carries {
                let at = short(at);
                return Err(if picks {
                    TaskError::request(format!(
                        "`pick` at {at} s: what was picked up before is still carried"
                    ))
                    .or("`put` it down before, or pick up both masses at once")
                } else {
                    TaskError::request(format!("`put` at {at} s: nothing is picked up before"))
                        .or("`pick` something up before, or leave it out")
                });
            }
            carries = picks;
        }
        Ok(all)
    }
}
