//! A robot that differs from its file by its working mode, its payload, errors of its model or its forearms.

use super::{AnyRobot, Kind, RobotError};
use crate::description::{
    EffortChoice, FamilyData, ForearmModel, ModelError, RobotDescription, RobotVariant,
};
use std::collections::BTreeMap;

impl AnyRobot {
    /// The refusal of what only a rotary Delta in closed form has.
    pub fn no_closed_form(&self, what: &'static str) -> RobotError {
        let is_delta = matches!(self.description().data, FamilyData::Delta(_));
        RobotError::OtherFamily { what, robot: self.name().into(), is_delta }
    }

    /// The robot that [`open`](Self::open) gives, as it is in this variant.
    pub fn open_variant(name_or_path: &str, variant: &RobotVariant) -> Result<Self, RobotError> {
        Self::open(name_or_path)?.with_variant(variant)
    }

    /// The same robot, differing by what the variant says.
    pub fn with_variant(&self, variant: &RobotVariant) -> Result<Self, RobotError> {
        let mut robot = self.clone();
        if let Some(payload) = variant.payload {
            robot = robot.with_payload(payload)?;
        }
        if let Some(error) = &variant.model_error {
            robot = robot.with_model_error(error)?;
        }
        if let Some(model) = variant.forearm_model {
            robot = robot.with_forearm_model(model)?;
        }
        if let Some(mode) = &variant.working_mode {
            robot = robot.with_working_mode(mode)?;
        }
        if let Some(choice) = &variant.effort_choice {
            robot = robot.with_effort_choice(choice)?;
        }
        if let Some(held) = &variant.held {
            robot = robot.with_held(held)?;
        }
        Ok(robot)
    }

    /// The motors that are held, for people: `q7 (delta.leg1_joint1)`.
    pub fn held_texts(&self) -> Vec<String> {
        let text = |motor: &usize| {
            let own = self.motor_name(*motor).filter(|own| *own != self.joints()[*motor].name);
            let own = own.map_or_else(String::new, |own| format!(" ({own})"));
            format!("{}{own}", self.joints()[*motor].name)
        };
        self.held_motors().iter().map(text).collect()
    }

    /// The name that a joint has in the file of a mechanism.
    fn motor_name(&self, motor: usize) -> Option<&str> {
        self.mechanism_model()?.motors().get(motor).map(|info| info.name.as_str())
    }

    /// The same robot with motors that the platform's pose does not tell held at these values \[rad or m\], by `q7` or the
    /// name of the joint; others where they are. See [`held_motors`](Self::held_motors).
    pub fn with_held(&self, values: &BTreeMap<String, f64>) -> Result<Self, RobotError> {
        let (mut q, still) = (self.held_values(), vec![0.0; self.held_motors().len()]);
        for (name, value) in values {
            let is_it = |motor: &usize| {
                self.joints()[*motor].name == *name || self.motor_name(*motor).is_some_and(|own| own == name)
            };
            let place = self.held_motors().iter().position(is_it);
            let Some(slot) = place.and_then(|place| q.get_mut(place)) else {
                let (robot, held) = (self.name().into(), self.held_texts());
                return Err(RobotError::NotHeld { robot, name: name.clone(), held });
            };
            *slot = *value;
        }
        let Kind::Mechanism(robot) = &self.kind else { return Ok(self.clone()) };
        let kind = Kind::Mechanism(Box::new(robot.holding(&q, &still, &still)?));
        let mut all = self.variant.held.clone().unwrap_or_default();
        all.extend(values.clone());
        let held = (!all.is_empty()).then_some(all);
        let variant = RobotVariant { held, ..self.variant.clone() };
        Ok(Self { variant, kind, ..self.clone() })
    }

    /// By what the robot differs from its file.
    pub fn variant(&self) -> &RobotVariant {
        &self.variant
    }

    /// How many of its legs have two branches.
    pub(crate) fn branching_legs(&self) -> usize {
        match &self.kind {
            Kind::Delta(_) => 3,
            Kind::Engine(robot) => robot.branching_legs(),
            Kind::Mechanism(_) => 0,
        }
    }

    /// The same robot with this payload \[kg\] instead of its file's, at the platform point.
    pub fn with_payload(&self, payload: f64) -> Result<Self, RobotError> {
        if !payload.is_finite() || payload < 0.0 {
            return Err(RobotError::Payload { mass: payload });
        }
        if !self.has_masses() {
            return Err(RobotError::NoMasses { robot: self.name().into() });
        }
        self.rebuilt(RobotVariant { payload: Some(payload), ..self.variant.clone() })
    }

    /// The robot as it is if its masses, lengths and friction differ by these parts.
    pub fn with_model_error(&self, error: &ModelError) -> Result<Self, RobotError> {
        for (what, value) in error.parts() {
            let leaves_something = value > -1.0 || (what == "friction" && value == -1.0);
            if !value.is_finite() || !leaves_something {
                return Err(RobotError::ModelError { what, value });
            }
        }
        let both = self.variant.model_error.map_or(*error, |before| before.and_then(error));
        self.rebuilt(RobotVariant { model_error: Some(both), ..self.variant.clone() })
    }

    /// The robot of the same file with payload and model error of this variant, with this one's working mode and
    /// forearm model, by the same tier. Always from the file, so that the variant alone gives it again to the bit.
    fn rebuilt(&self, variant: RobotVariant) -> Result<Self, RobotError> {
        let mut description = RobotDescription::clone(&self.file);
        if let Some(payload) = variant.payload {
            description.data.set_payload(payload);
        }
        if let Some(error) = &variant.model_error {
            description = description.with_model_error(error);
        }
        let mut robot = Self::new(description)?;
        match (&self.kind, &mut robot.kind) {
            (Kind::Delta(old), Kind::Delta(new)) => **new = new.in_the_manner_of(old),
            (Kind::Engine(_), Kind::Delta(_)) => {
                robot = robot.through_the_engine()?.with_working_mode(&self.working_mode())?;
            }
            _ => robot = robot.with_working_mode(&self.working_mode())?,
        }
        if let Kind::Engine(engine) = &self.kind
            && engine.is_chains()
        {
            robot = robot.as_chains()?;
        }
        if let Some(choice) = &variant.effort_choice {
            robot = robot.with_effort_choice(choice)?;
        }
        if let Some(held) = &variant.held {
            robot = robot.with_held(held)?;
        }
        Ok(Self { file: self.file.clone(), variant, ..robot })
    }

    /// The same robot with a choice of efforts, for a mechanism with more motors than freedoms.
    pub fn with_effort_choice(&self, choice: &EffortChoice) -> Result<Self, RobotError> {
        let Kind::Mechanism(robot) = &self.kind else {
            let robot = self.name().into();
            return Err(RobotError::NoEffortChoice { robot });
        };
        let kind = Kind::Mechanism(Box::new(robot.with_effort_choice(choice)?));
        let variant = RobotVariant { effort_choice: Some(choice.clone()), ..self.variant.clone() };
        Ok(Self { variant, kind, ..self.clone() })
    }

    /// The same robot with another model of its forearms; only a rotary Delta has them.
    pub fn with_forearm_model(&self, model: ForearmModel) -> Result<Self, RobotError> {
        match &self.kind {
            Kind::Delta(robot) => Ok(Self {
                kind: Kind::Delta(Box::new(robot.with_forearm_model(model))),
                variant: RobotVariant { forearm_model: Some(model), ..self.variant.clone() },
                ..self.clone()
            }),
            Kind::Engine(_) | Kind::Mechanism(_) if model == ForearmModel::Complete => Ok(self.clone()),
            Kind::Engine(_) | Kind::Mechanism(_) => Err(self.no_closed_form("a model of the forearms")),
        }
    }

    /// The same robot in the working mode with this name: one word for each leg that
    /// has two branches, as in `out-in-out`; one word alone for all of them.
    pub fn with_working_mode(&self, name: &str) -> Result<Self, RobotError> {
        let kind = match &self.kind {
            Kind::Delta(robot) => Kind::Delta(Box::new(robot.with_mode_name(name)?)),
            Kind::Engine(robot) => Kind::Engine(Box::new(robot.with_mode(name)?)),
            Kind::Mechanism(robot) => Kind::Mechanism(Box::new(robot.with_mode(name)?)),
        };
        let mut robot = Self { kind, ..self.clone() };
        robot.variant.working_mode = Some(robot.working_mode());
        Ok(robot)
    }
}
