//! Which numbers of a robot a calibration may change: full and reduced sets, named, with the corrections that they make. Those of
//! legs are here, those of bodies and joints in `joint_parameters`.

use super::joint_parameters::joint_parameters;
use super::joint_terms::Term;
use super::model::{Drawn, Structure};
use legwork::description::{CalibratedLeg, Family, JointCalibration, LegCalibration};
use legwork::engine::{AnyLeg, JointKind, LegCorrection};
use legwork::{AnyRobot, Real, V3};
use serde::{Deserialize, Serialize};

/// How many of the parameters are free.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum ParameterSet {
    /// What a usual set of measurements can tell: lengths, radii, azimuths and zeros of a Delta, base points and zeros of a
    /// hexapod. The default.
    #[default]
    Reduced,
    /// Every length, position, direction and zero of every leg: the 42 of a hexapod.
    Full,
}

/// What one parameter changes in its leg.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Direction of the first joint from the axis of the base, and the joint with it \[rad\].
    Azimuth,
    /// The first joint outward, sideways, up (0, 1, 2) \[m\].
    BaseOut(usize),
    /// The first joint along x, y, z of the base \[m\].
    Base(usize),
    /// The first joint turned about its own outward, sideways, upward direction \[rad\].
    BaseTiltOut(usize),
    /// The first joint turned about x, y, z of the base \[rad\].
    BaseTurn(usize),
    /// A link longer, from 0 \[m\].
    Link(usize),
    /// The joint at the platform outward, sideways, up \[m\].
    PlatformOut(usize),
    /// The joint at the platform along x, y, z of the platform \[m\].
    Platform(usize),
    /// What is added to the reading of the motor that turns \[rad\].
    ZeroAngle,
    /// The same of the motor that slides \[m\].
    ZeroLength,
    /// Frames of joints on their bodies: the terms of the parameter.
    Joints {
        /// Whether it is an angle.
        is_angle: bool,
    },
}

/// One number that may change.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name: `leg1.arm`.
    pub name: String,
    /// Its leg, from 0.
    pub leg: usize,
    /// What it changes.
    pub change: Change,
    /// Its value in the file \[m or rad\]; `None` of a shift, whose value there is 0.
    pub drawn: Option<f64>,
    /// How far it may be from its file, as a standard deviation \[m or rad\].
    pub prior: f64,
    /// What it changes of bodies and joints.
    pub terms: Vec<Term>,
}

impl Parameter {
    /// Whether it is an angle.
    pub fn is_angle(&self) -> bool {
        matches!(
            self.change,
            Change::Azimuth
                | Change::BaseTiltOut(_)
                | Change::BaseTurn(_)
                | Change::ZeroAngle
                | Change::Joints { is_angle: true }
        )
    }

    /// `rad` or `m`.
    pub fn unit(&self) -> &'static str {
        if self.is_angle() { "rad" } else { "m" }
    }
}

/// The parameters of a robot, and the legs that they are of.
#[derive(Clone, Debug)]
pub struct Parameters {
    /// Those that may change.
    pub list: Vec<Parameter>,
    /// First joint of each leg, base frame \[m\].
    base: Vec<V3<f64>>,
    /// Platform joint of each leg, platform's frame \[m\].
    platform: Vec<V3<f64>>,
    /// What the file has calibrated already.
    start: Vec<LegCorrection<f64>>,
    /// The joints of bodies and joints, with the same.
    pub(super) joints: Vec<(String, JointCalibration)>,
    /// What should be known of the choice.
    pub notes: Vec<String>,
}

/// What a leg looks like to a calibration.
struct Shape {
    base: V3<f64>,
    platform: Option<V3<f64>>,
    /// Lengths of its links; zero where there is none.
    links: Vec<f64>,
    /// Kinds of its motors.
    motors: Vec<JointKind>,
    /// Whether its first joint is driven, so that the direction of its axis counts.
    first_is_driven: bool,
    planar: bool,
}

fn shape(leg: &AnyLeg<f64>) -> Shape {
    use legwork::engine::{Attachment, Leg};
    fn chain<const N: usize>(leg: &Leg<f64, N>) -> Shape {
        let norm = |v: V3<f64>| v.norm_sq().sqrt();
        let links = &leg.chain.links;
        let mut lengths: Vec<f64> = links.iter().skip(1).map(|link| norm(link.placement.position)).collect();
        lengths.push(norm(leg.chain.tip));
        let platform = match leg.attachment {
            Attachment::Spherical { point }
            | Attachment::Planar { point, .. }
            | Attachment::Universal { point, .. }
            | Attachment::Revolute { point, .. }
            | Attachment::Carried { point, .. } => Some(point),
            Attachment::Fixed { frame } => Some(frame.position),
            Attachment::Sliding { .. } | Attachment::Turning { .. } => None,
        };
        Shape {
            base: links.first().map_or(V3::zero(), |link| link.placement.position),
            platform,
            links: lengths,
            motors: links.iter().filter(|link| link.active).map(|link| link.kind).collect(),
            first_is_driven: links.first().is_some_and(|link| link.active),
            planar: matches!(leg.attachment, Attachment::Planar { .. }),
        }
    }
    match leg {
        AnyLeg::One(leg) => chain(leg),
        AnyLeg::Two(leg) => chain(leg),
        AnyLeg::Three(leg) => chain(leg),
        AnyLeg::Four(leg) => chain(leg),
        AnyLeg::Five(leg) => chain(leg),
        AnyLeg::Six(leg) => chain(leg),
        AnyLeg::Ups(leg) => Shape {
            base: leg.base,
            platform: Some(leg.platform_point),
            links: Vec::new(),
            motors: vec![JointKind::Prismatic],
            first_is_driven: false,
            planar: false,
        },
    }
}

/// How the links of a family are called.
fn link_name(family: Family, k: usize) -> String {
    let names: &[&str] = match family {
        Family::Delta => &["arm", "", "forearm"],
        Family::Hexa => &["arm", "", "rod"],
        Family::LinearDelta | Family::Hexaglide => &["", "", "rod"],
        Family::FiveBar | Family::Planar3Rrr => &["proximal", "distal"],
        _ => &[],
    };
    match names.get(k) {
        Some(name) if !name.is_empty() => (*name).into(),
        _ => format!("link_{}", k + 1),
    }
}

const OUT: [&str; 3] = ["radius", "sideways", "height"];
pub(super) const XYZ: [&str; 3] = ["x", "y", "z"];

impl Parameters {
    /// The parameters of a robot. `prior` is how far lengths may be off, as a standard deviation \[m\]; zeros of motors may be
    /// off by ten times as much, because nobody draws them.
    pub fn of(robot: &AnyRobot, drawn: &Drawn, set: ParameterSet, prior: f64) -> Self {
        let description = robot.description();
        let joints = match &drawn.structure {
            Structure::Legs(legs) => {
                let start: Vec<_> = description.calibration.iter().map(|leg| leg.value).collect();
                return Self::of_legs(description.family(), legs, drawn.size, set, prior, &start);
            }
            Structure::Joints(joints) => joints,
        };
        let start = &description.joint_calibration;
        let found = joint_parameters(joints, (&drawn.freedoms, drawn.size), set, prior, start);
        Self { list: found.list, notes: found.notes, ..Self::of_joints(drawn, start) }
    }

    pub(super) fn none() -> Self {
        Self {
            list: Vec::new(),
            base: Vec::new(),
            platform: Vec::new(),
            start: Vec::new(),
            joints: Vec::new(),
            notes: Vec::new(),
        }
    }

    fn of_legs(
        family: Family,
        legs: &[AnyLeg<f64>],
        size: f64,
        set: ParameterSet,
        prior: f64,
        start: &[LegCalibration],
    ) -> Self {
        let mut list = Vec::new();
        let shapes: Vec<Shape> = legs.iter().map(shape).collect();
        let radial = matches!(family, Family::Delta | Family::LinearDelta);
        let full = set == ParameterSet::Full;
        for (leg, shape) in shapes.iter().enumerate() {
            let mut push = |name: String, change: Change, drawn: Option<f64>, scale: f64| {
                let name = format!("leg{}.{name}", leg + 1);
                list.push(Parameter { name, leg, change, drawn, prior: prior * scale, terms: Vec::new() });
            };
            let reach = shape.base.norm_sq().sqrt().max(size).max(1e-3);
            let out = (shape.base.x.powi(2) + shape.base.y.powi(2)).sqrt();
            let axes = if shape.planar { 2 } else { 3 };
            let is_shaft = shape.platform.is_none() && shape.motors == [JointKind::Revolute];
            if is_shaft {
                // The fourth axis of a Delta: only its zero is a number of its own.
            } else if radial {
                push("azimuth".into(), Change::Azimuth, Some(shape.base.y.atan2(shape.base.x)), 1.0 / reach);
                push(format!("base_{}", OUT[0]), Change::BaseOut(0), Some(out), 1.0);
                if full {
                    push(format!("base_{}", OUT[1]), Change::BaseOut(1), None, 1.0);
                    push(format!("base_{}", OUT[2]), Change::BaseOut(2), Some(shape.base.z), 1.0);
                    push("axis_out".into(), Change::BaseTiltOut(0), None, 1.0 / reach);
                    push("axis_sideways".into(), Change::BaseTiltOut(1), None, 1.0 / reach);
                }
            } else if full || !shape.first_is_driven || family == Family::FiveBar {
                let places = [shape.base.x, shape.base.y, shape.base.z];
                for k in 0..axes {
                    push(format!("base_{}", XYZ[k]), Change::Base(k), Some(places[k]), 1.0);
                }
                if full && shape.first_is_driven && axes == 3 {
                    for (k, axis) in XYZ.iter().enumerate() {
                        push(format!("axis_{axis}"), Change::BaseTurn(k), None, 1.0 / reach);
                    }
                }
            }
            for (k, length) in shape.links.iter().enumerate() {
                if *length > 1e-9 * reach && !is_shaft && !matches!(family, Family::C5) {
                    push(link_name(family, k), Change::Link(k), Some(*length), 1.0);
                }
            }
            if let Some(point) = shape.platform.filter(|_| full && family != Family::FiveBar) {
                let places = [point.x, point.y, point.z];
                let radius = (point.x.powi(2) + point.y.powi(2)).sqrt();
                for k in 0..axes {
                    if radial {
                        let drawn = [Some(radius), None, Some(point.z)];
                        push(format!("platform_{}", OUT[k]), Change::PlatformOut(k), drawn[k], 1.0);
                    } else {
                        push(format!("platform_{}", XYZ[k]), Change::Platform(k), Some(places[k]), 1.0);
                    }
                }
            }
            for kind in &shape.motors {
                match kind {
                    JointKind::Revolute => push("zero".into(), Change::ZeroAngle, None, 10.0 / reach),
                    JointKind::Prismatic => push("zero_length".into(), Change::ZeroLength, None, 10.0),
                }
            }
        }
        // A motor that slides along a rail and one that turns have one zero each; two of a kind share a correction.
        let mut seen = Vec::new();
        list.retain(|parameter| {
            let new = !seen.contains(&parameter.name);
            seen.push(parameter.name.clone());
            new
        });
        let start = (0..legs.len())
            .map(|k| start.get(k).map_or_else(LegCorrection::none, LegCalibration::correction))
            .collect();
        Self {
            list,
            base: shapes.iter().map(|shape| shape.base).collect(),
            platform: shapes.iter().map(|shape| shape.platform.unwrap_or(V3::zero())).collect(),
            start,
            ..Self::none()
        }
    }

    /// The numbers of a robot's calibration that have a standard deviation, as parameters from where they are, and these.
    pub fn of_sigma(robot: &AnyRobot, drawn: &Drawn) -> (Self, Vec<f64>) {
        let description = robot.description();
        if let Structure::Legs(legs) = &drawn.structure {
            return Self::of_leg_sigma(legs, &description.calibration);
        }
        Self::of_joint_sigma(drawn, &description.joint_calibration)
    }

    fn of_leg_sigma(legs: &[AnyLeg<f64>], calibration: &[CalibratedLeg]) -> (Self, Vec<f64>) {
        let (mut list, mut sigmas) = (Vec::new(), Vec::new());
        for (leg, found) in calibration.iter().enumerate() {
            let mut push = |name: String, change: Change, sigma: f64| {
                if sigma > 0.0 {
                    let name = format!("leg{}.{name}", leg + 1);
                    list.push(Parameter { name, leg, change, drawn: None, prior: sigma, terms: Vec::new() });
                    sigmas.push(sigma);
                }
            };
            let s = &found.sigma;
            for (k, axis) in XYZ.iter().enumerate() {
                push(format!("base_{axis}"), Change::Base(k), s.base_shift[k]);
                push(format!("axis_{axis}"), Change::BaseTurn(k), s.base_turn[k]);
                push(format!("platform_{axis}"), Change::Platform(k), s.platform_shift[k]);
            }
            for (k, sigma) in s.links.iter().enumerate() {
                push(format!("link_{}", k + 1), Change::Link(k), *sigma);
            }
            push("zero".into(), Change::ZeroAngle, s.zero_angle);
            push("zero_length".into(), Change::ZeroLength, s.zero_length);
        }
        let shapes: Vec<Shape> = legs.iter().map(shape).collect();
        let parameters = Self {
            list,
            base: shapes.iter().map(|shape| shape.base).collect(),
            platform: shapes.iter().map(|shape| shape.platform.unwrap_or(V3::zero())).collect(),
            start: calibration.iter().map(|leg| leg.value.correction()).collect(),
            ..Self::none()
        };
        (parameters, sigmas)
    }

    /// The correction of a leg when the parameters have these values; others than those of the leg are not read.
    ///
    /// ```text
    /// p_B + base_shift = Rz(δφ) (p_B + δr e_r + δt e_t + δz e_z)
    /// ```
    pub fn correction<T: Real>(&self, leg: usize, value: impl Fn(usize) -> T) -> LegCorrection<T> {
        let none = LegCorrection::none();
        let mut by = self.start.get(leg).copied().unwrap_or(none).map(T::from_f64);
        let o = T::zero();
        let axes = |point: &V3<f64>| {
            let out = (point.x.powi(2) + point.y.powi(2)).sqrt();
            let (c, s) = if out > 0.0 { (point.x / out, point.y / out) } else { (1.0, 0.0) };
            [V3::new(c, s, 0.0), V3::new(-s, c, 0.0), V3::new(0.0, 0.0, 1.0)]
                .map(|axis| axis.map(T::from_f64))
        };
        let unit = |k: usize| {
            let one = |j: usize| if j == k { T::one() } else { o };
            V3::new(one(0), one(1), one(2))
        };
        let zero = V3::zero();
        let (base, platform) = (self.base.get(leg).unwrap_or(&zero), self.platform.get(leg).unwrap_or(&zero));
        let (around, outward) = (axes(base), axes(platform));
        let at = |list: &[V3<T>; 3], k: usize| list.get(k).copied().unwrap_or_else(V3::zero);
        let (mut azimuth, mut moved) = (o, base.map(T::from_f64));
        for (k, parameter) in self.list.iter().enumerate().filter(|(_, parameter)| parameter.leg == leg) {
            let x = value(k);
            match parameter.change {
                Change::Azimuth => azimuth = azimuth + x,
                Change::BaseOut(axis) => moved = moved + at(&around, axis) * x,
                Change::Base(axis) => moved = moved + unit(axis) * x,
                Change::BaseTiltOut(axis) => by.base_turn = by.base_turn + at(&around, axis) * x,
                Change::BaseTurn(axis) => by.base_turn = by.base_turn + unit(axis) * x,
                Change::Link(link) => {
                    if let Some(slot) = by.links.get_mut(link) {
                        *slot = *slot + x;
                    }
                }
                Change::PlatformOut(axis) => by.platform_shift = by.platform_shift + at(&outward, axis) * x,
                Change::Platform(axis) => by.platform_shift = by.platform_shift + unit(axis) * x,
                Change::ZeroAngle => by.zero_angle = by.zero_angle + x,
                Change::ZeroLength => by.zero_length = by.zero_length + x,
                Change::Joints { .. } => {}
            }
        }
        let (sin, cos) = azimuth.sin_cos();
        let turned = V3::new(cos * moved.x - sin * moved.y, sin * moved.x + cos * moved.y, moved.z);
        by.base_shift = by.base_shift + turned - base.map(T::from_f64);
        by.base_turn = by.base_turn + V3::along_z(azimuth);
        by
    }

    /// How many legs there are.
    pub fn legs(&self) -> usize {
        self.base.len()
    }

    /// Keeps those for which this is true.
    pub fn retain(&mut self, keep: impl Fn(&Parameter) -> bool) {
        self.list.retain(keep);
    }

    /// What the robot file says of a leg with these values.
    pub fn calibration(&self, leg: usize, values: &[f64]) -> LegCalibration {
        let by = self.correction(leg, |k| values.get(k).copied().unwrap_or(0.0));
        LegCalibration {
            base_shift: by.base_shift.to_array(),
            base_turn: by.base_turn.to_array(),
            platform_shift: by.platform_shift.to_array(),
            zero_angle: by.zero_angle,
            zero_length: by.zero_length,
            links: by.links,
        }
    }

    /// The standard deviations of what the file says of a leg, from the covariance of the parameters.
    pub fn calibration_sigma(
        &self,
        leg: usize,
        values: &[f64],
        covariance: &nalgebra::DMatrix<f64>,
    ) -> LegCalibration {
        type One = legwork::Dual<f64, 1>;
        let own: Vec<usize> =
            (0..self.list.len()).filter(|k| self.list.get(*k).is_some_and(|p| p.leg == leg)).collect();
        let slopes: Vec<[f64; 17]> = own
            .iter()
            .map(|variable| {
                let by = self.correction(leg, |k| {
                    let x = values.get(k).copied().unwrap_or(0.0);
                    if k == *variable { One::variable(x, 0) } else { One::constant(x) }
                });
                let mut flat = [0.0; 17];
                let numbers = [by.base_shift, by.base_turn, by.platform_shift]
                    .into_iter()
                    .flat_map(V3::to_array)
                    .chain([by.zero_angle, by.zero_length])
                    .chain(by.links);
                for (slot, number) in flat.iter_mut().zip(numbers) {
                    *slot = number.eps[0];
                }
                flat
            })
            .collect();
        let deviation = |place: usize| {
            let mut sum = 0.0;
            for (a, row) in own.iter().zip(&slopes) {
                for (b, column) in own.iter().zip(&slopes) {
                    sum += row[place] * covariance[(*a, *b)] * column[place];
                }
            }
            sum.max(0.0).sqrt()
        };
        let three = |from: usize| [deviation(from), deviation(from + 1), deviation(from + 2)];
        LegCalibration {
            base_shift: three(0),
            base_turn: three(3),
            platform_shift: three(6),
            zero_angle: deviation(9),
            zero_length: deviation(10),
            links: std::array::from_fn(|k| deviation(11 + k)),
        }
    }
}
