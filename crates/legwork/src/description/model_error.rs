//! A robot that is not quite as its file says: every family with its masses, lengths and
//! friction larger or smaller by given parts.

use super::parts::{Bar, Body, LinearMotor, Motor, Placement, PlanarBody};
use super::{CustomAttachment, CustomJoint, JointKind, Model, RobotDescription};

/// By how much a robot differs from its file; 0.1 is ten per cent more.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ModelError {
    /// Masses of all bodies and with them their inertias; the payload stays what it is.
    pub mass: f64,
    /// Inertias of rotors and gears.
    pub motor_inertia: f64,
    /// All lengths; with them centres of mass and, with their square, inertias. Limits, angles
    /// and the home position stay.
    pub length: f64,
    /// Viscous and Coulomb friction.
    pub friction: f64,
}

impl ModelError {
    /// Its parts with their names; none may be −1 or less, friction may be −1.
    pub(crate) fn parts(&self) -> [(&'static str, f64); 4] {
        [
            ("mass", self.mass),
            ("motor inertia", self.motor_inertia),
            ("length", self.length),
            ("friction", self.friction),
        ]
    }

    /// This error, and then another one of the robot that has it.
    pub(crate) fn and_then(&self, next: &Self) -> Self {
        let both = |first: f64, second: f64| (1.0 + first) * (1.0 + second) - 1.0;
        Self {
            mass: both(self.mass, next.mass),
            motor_inertia: both(self.motor_inertia, next.motor_inertia),
            length: both(self.length, next.length),
            friction: both(self.friction, next.friction),
        }
    }

    fn factors(&self) -> Factors {
        Factors {
            mass: 1.0 + self.mass,
            motor: 1.0 + self.motor_inertia,
            length: 1.0 + self.length,
            friction: 1.0 + self.friction,
        }
    }
}

impl RobotDescription {
    /// The same robot with these errors.
    #[must_use]
    pub fn with_model_error(mut self, error: &ModelError) -> Self {
        error.factors().model(&mut self.model);
        self
    }
}

#[derive(Clone, Copy)]
struct Factors {
    mass: f64,
    motor: f64,
    length: f64,
    friction: f64,
}

impl Factors {
    fn lengths<'a>(&self, lengths: impl IntoIterator<Item = &'a mut f64>) {
        lengths.into_iter().for_each(|length| *length *= self.length);
    }

    fn points<'a>(&self, points: impl IntoIterator<Item = &'a mut [f64; 3]>) {
        points.into_iter().for_each(|point| self.lengths(point));
    }

    fn masses<'a>(&self, masses: impl IntoIterator<Item = &'a mut f64>) {
        masses.into_iter().for_each(|mass| *mass *= self.mass);
    }

    fn inertias<'a>(&self, inertias: impl IntoIterator<Item = &'a mut f64>) {
        inertias.into_iter().for_each(|inertia| *inertia *= self.mass * self.length * self.length);
    }

    fn frictions<'a>(&self, frictions: impl IntoIterator<Item = &'a mut f64>) {
        frictions.into_iter().for_each(|friction| *friction *= self.friction);
    }

    fn bodies<'a>(&self, bodies: impl IntoIterator<Item = &'a mut Body>) {
        for body in bodies {
            self.masses([&mut body.mass]);
            self.points([&mut body.centre]);
            self.inertias(body.inertia.as_flattened_mut());
        }
    }

    /// What is carried keeps its mass; where it is moves with the lengths.
    fn payload(&self, body: &mut Body) {
        self.points([&mut body.centre]);
    }

    fn bars<'a>(&self, bars: impl IntoIterator<Item = &'a mut Bar>) {
        for bar in bars {
            self.masses([&mut bar.mass]);
            self.lengths([&mut bar.centre]);
            self.inertias([&mut bar.inertia]);
        }
    }

    fn planar_body(&self, body: &mut PlanarBody) {
        self.masses([&mut body.mass]);
        self.lengths(&mut body.centre);
        self.inertias([&mut body.inertia]);
    }

    fn motor(&self, motor: &mut Motor) {
        motor.rotor_inertia *= self.motor;
        motor.gear_inertia *= self.motor;
        self.frictions([&mut motor.viscous_friction, &mut motor.coulomb_friction]);
    }

    fn linear_motors<'a>(&self, motors: impl IntoIterator<Item = &'a mut LinearMotor>) {
        for motor in motors {
            motor.actuator_inertia *= self.motor;
            self.frictions([&mut motor.viscous_friction, &mut motor.coulomb_friction]);
        }
    }

    fn joint(&self, joint: &mut CustomJoint) {
        self.placement(&mut joint.placement);
        self.bodies([&mut joint.body]);
        joint.drive.actuator_inertia *= self.motor;
        self.frictions([&mut joint.drive.viscous_friction, &mut joint.drive.coulomb_friction]);
        if joint.kind == JointKind::Prismatic {
            self.lengths([&mut joint.start]);
        }
    }

    fn placement(&self, placement: &mut Placement) {
        self.points([&mut placement.position]);
    }

    fn attachment(&self, attachment: &mut CustomAttachment) {
        match attachment {
            CustomAttachment::Spherical { point }
            | CustomAttachment::Planar { point, .. }
            | CustomAttachment::Universal { point, .. }
            | CustomAttachment::Revolute { point, .. } => self.points([point]),
            CustomAttachment::Sliding { distance, .. } => self.lengths([distance]),
            CustomAttachment::Fixed { placement } => self.placement(placement),
        }
    }

    fn model(&self, model: &mut Model) {
        match model {
            Model::Delta(d) => {
                let g = &mut d.geometry;
                self.lengths([&mut g.base_radius, &mut g.platform_radius, &mut g.arm, &mut g.forearm]);
                self.motor(&mut d.motor);
                if let Some(m) = &mut d.mass {
                    self.masses([&mut m.platform, &mut m.arm, &mut m.forearm, &mut m.elbow]);
                    self.lengths([&mut m.arm_centre, &mut m.forearm_centre]);
                    self.inertias([&mut m.arm_inertia, &mut m.forearm_inertia]);
                }
            }
            Model::GoughStewart(d) => {
                self.points(d.geometry.base_points.iter_mut().chain(&mut d.geometry.platform_points));
                self.linear_motors([&mut d.motor]);
                if let Some(m) = &mut d.mass {
                    self.bodies([&mut m.cylinder, &mut m.rod, &mut m.platform]);
                    self.payload(&mut m.payload);
                }
            }
            Model::Space(d) => {
                self.points(d.geometry.base_points.iter_mut().chain(&mut d.geometry.platform_points));
                self.motor(&mut d.rotary_motor);
                self.linear_motors([&mut d.linear_motor]);
                if let Some(m) = &mut d.mass {
                    self.bodies([&mut m.cylinder, &mut m.rod, &mut m.platform]);
                    self.payload(&mut m.payload);
                }
            }
            Model::C5(d) => {
                self.points(&mut d.geometry.base_points);
                self.lengths(&mut d.geometry.face_distances);
                self.linear_motors(&mut d.motors);
                if let Some(m) = &mut d.mass {
                    self.masses(&mut m.legs);
                    self.bodies([&mut m.platform]);
                    self.payload(&mut m.payload);
                }
            }
            Model::Hexa(d) => {
                let g = &mut d.geometry;
                self.lengths([&mut g.base_radius, &mut g.base_spacing, &mut g.platform_radius]);
                self.lengths([&mut g.platform_spacing, &mut g.arm, &mut g.rod]);
                self.motor(&mut d.motor);
                if let Some(m) = &mut d.mass {
                    self.masses([&mut m.elbow]);
                    self.bars([&mut m.arm, &mut m.rod]);
                    self.bodies([&mut m.platform]);
                    self.payload(&mut m.payload);
                }
            }
            Model::Hexaglide(d) => {
                let g = &mut d.geometry;
                self.points(g.rails.iter_mut().map(|rail| &mut rail.point).chain(&mut g.platform_points));
                self.lengths([&mut g.rod]);
                self.linear_motors([&mut d.motor]);
                if let Some(m) = &mut d.mass {
                    self.masses([&mut m.carriage]);
                    self.bars([&mut m.rod]);
                    self.bodies([&mut m.platform]);
                    self.payload(&mut m.payload);
                }
            }
            Model::LinearDelta(d) => {
                let g = &mut d.geometry;
                self.lengths([&mut g.base_radius, &mut g.platform_radius, &mut g.rod]);
                self.linear_motors([&mut d.motor]);
                if let Some(m) = &mut d.mass {
                    self.masses([&mut m.platform, &mut m.carriage]);
                    self.bars([&mut m.rod]);
                }
            }
            Model::FiveBar(d) => {
                let g = &mut d.geometry;
                self.lengths([&mut g.motor_offset, &mut g.proximal, &mut g.distal]);
                self.motor(&mut d.motor);
                if let Some(m) = &mut d.mass {
                    self.masses([&mut m.platform]);
                    self.bars([&mut m.proximal, &mut m.distal]);
                }
            }
            Model::Planar3Rrr(d) => {
                let g = &mut d.geometry;
                self.lengths([&mut g.base_radius, &mut g.platform_radius, &mut g.proximal, &mut g.distal]);
                self.motor(&mut d.motor);
                if let Some(m) = &mut d.mass {
                    self.bars([&mut m.proximal, &mut m.distal]);
                    self.planar_body(&mut m.platform);
                    self.lengths(&mut m.payload.centre);
                }
            }
            Model::Custom(d) => {
                for leg in &mut d.legs {
                    leg.joints.iter_mut().for_each(|joint| self.joint(joint));
                    self.points([&mut leg.tip]);
                    self.attachment(&mut leg.attachment);
                }
                self.bodies(&mut d.platform);
                self.payload(&mut d.payload);
            }
        }
    }
}
