//! The checked form for `f64`: margins become typed errors with the numbers in them.

use super::{
    Acceleration, Assembly, Delta, Effort, Geometry, Inertia, Linkage, Motion, Motor, Posture, WorkingMode,
};
use crate::{M3, Margin, Sym3, V3};
use core::fmt;

/// Below this transmission a leg counts as stretched or folded: D is the root of a
/// difference of squares, so rounding of a few 1e-16 leaves up to 1e-7 of noise in it.
const STRETCHED: f64 = 1e-6;
/// Below this volume of the unit forearm vectors (or of the elbow triangle over the
/// arm's square) a posture counts as parallel singular: torques are then a
/// thousand million times too large.
const FLAT: f64 = 1e-9;

/// Why a robot cannot be built from these numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParameterError {
    /// The field, with its group: `geometry.arm`.
    pub field: &'static str,
    /// What is wrong with it.
    pub fault: ParameterFault,
}

/// What is wrong with a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ParameterFault {
    /// NaN or infinite.
    NotFinite {
        /// The value.
        value: f64,
    },
    /// Must be larger than zero.
    NotPositive {
        /// The value.
        value: f64,
    },
    /// Must not be negative.
    Negative {
        /// The value.
        value: f64,
    },
    /// Must lie on the link.
    OutsideLink {
        /// Distance from the first end \[m\].
        value: f64,
        /// Length of the link \[m\].
        length: f64,
    },
    /// The base is so wide that arm and forearm cannot bridge it anywhere.
    CannotClose {
        /// |R_A − R_B| \[m\].
        offset: f64,
        /// Arm and forearm \[m\].
        reach: f64,
    },
    /// Two legs point in the same direction.
    SameAzimuth {
        /// First leg, from 0.
        first: usize,
        /// Second leg.
        second: usize,
        /// The direction \[rad\].
        azimuth: f64,
    },
    /// Nothing on the platform has mass: its acceleration would be undefined.
    NoMass,
}

impl fmt::Display for ParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` ", self.field)?;
        match self.fault {
            ParameterFault::NotFinite { value } => write!(f, "is {value}, not a number one can build"),
            ParameterFault::NotPositive { value } => write!(f, "is {value}; it must be larger than zero"),
            ParameterFault::Negative { value } => write!(f, "is {value}; it must not be negative"),
            ParameterFault::OutsideLink { value, length } => {
                write!(f, "is {:.6} mm, outside its link of {:.6} mm", value * 1e3, length * 1e3)
            }
            ParameterFault::CannotClose { offset, reach } => write!(
                f,
                "makes the triangle impossible: base radius and platform radius differ by {:.3} mm, \
                 but arm and forearm together reach only {:.3} mm",
                offset * 1e3,
                reach * 1e3
            ),
            ParameterFault::SameAzimuth { first, second, azimuth } => write!(
                f,
                "puts legs {} and {} in the same direction, {:.3} deg",
                first + 1,
                second + 1,
                azimuth.to_degrees()
            ),
            ParameterFault::NoMass => {
                write!(f, "is zero and so are payload and forearms: nothing to accelerate")
            }
        }
    }
}

impl core::error::Error for ParameterError {}

/// How a leg misses a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Arm and forearm stretched are too short.
    TooFar,
    /// Arm and forearm folded are still too long.
    TooClose,
    /// The forearm does not reach sideways out of the plane of the arm.
    Sideways,
}

/// How three arms fail to carry a platform.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MeetError {
    /// The elbows are further apart than the forearms can bridge, by `gap` \[m\].
    TooFarApart {
        /// Missing length of each forearm \[m\].
        gap: f64,
    },
    /// The elbows lie on a line: the platform could swing around it.
    CollinearElbows {
        /// Area of the elbow triangle \[m²\].
        area: f64,
    },
}

/// Why a question about a position, or about motor angles, has no answer.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum PostureError {
    /// An input is NaN or infinite, or finite inputs are too large for the answer.
    NotFinite {
        /// Which input, or which result.
        what: &'static str,
        /// Which component, from 0.
        component: usize,
        /// Its value.
        value: f64,
    },
    /// A leg cannot reach the position.
    Unreachable {
        /// Which leg, from 0.
        leg: usize,
        /// In which way.
        reach: Reach,
        /// By how much \[m\].
        gap: f64,
    },
    /// The arms cannot carry a platform at these angles.
    CannotMeet(MeetError),
    /// A leg is stretched or folded: the motor does not move the platform.
    SerialSingularity {
        /// Which leg, from 0.
        leg: usize,
        /// s·b/(a b), see [`Singularity`](super::Singularity).
        transmission: f64,
    },
    /// The forearms lie in a plane: the motors do not hold the platform.
    ParallelSingularity {
        /// det S/b³, see [`Singularity`](super::Singularity).
        volume: f64,
    },
}

impl fmt::Display for PostureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NotFinite { what, component, value } => {
                write!(f, "component {} of the {what} is {value}", component + 1)
            }
            Self::Unreachable { leg, reach, gap } => {
                let how = match reach {
                    Reach::TooFar => "too short, even stretched",
                    Reach::TooClose => "too long, even folded",
                    Reach::Sideways => "too short sideways",
                };
                write!(f, "out of reach: leg {} is {} mm {how}", leg + 1, Millimetres(gap))
            }
            Self::CannotMeet(MeetError::TooFarApart { gap }) => {
                write!(f, "the arms cannot meet: every forearm is {} mm too short", Millimetres(gap))
            }
            Self::CannotMeet(MeetError::CollinearElbows { area }) => write!(
                f,
                "the elbows are collinear (triangle of {:.3e} mm2): the platform is not determined",
                area * 1e6
            ),
            Self::SerialSingularity { leg, transmission } => write!(
                f,
                "serial singularity: leg {} is stretched or folded (transmission {transmission:.1e})",
                leg + 1
            ),
            Self::ParallelSingularity { volume } => write!(
                f,
                "parallel singularity: the forearms lie in a plane (volume {volume:.1e}), the motors do not hold \
                 the platform"
            ),
        }
    }
}

impl core::error::Error for PostureError {}

/// A length in metres, shown in millimetres: to a micrometre, or with an exponent where that would be endless.
struct Millimetres(f64);

impl fmt::Display for Millimetres {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mm = self.0 * 1e3;
        if mm.abs() < 1e9 { write!(f, "{mm:.3}") } else { write!(f, "{mm:.3e}") }
    }
}

fn finite(what: &'static str, v: V3<f64>) -> Result<(), PostureError> {
    v.to_array().iter().enumerate().try_for_each(|(component, &value)| {
        if value.is_finite() { Ok(()) } else { Err(PostureError::NotFinite { what, component, value }) }
    })
}

fn checked(
    field: &'static str,
    value: f64,
    rule: fn(f64) -> Option<ParameterFault>,
) -> Result<(), ParameterError> {
    let fault = if value.is_finite() { rule(value) } else { Some(ParameterFault::NotFinite { value }) };
    fault.map_or(Ok(()), |fault| Err(ParameterError { field, fault }))
}

fn positive(value: f64) -> Option<ParameterFault> {
    (value <= 0.0).then_some(ParameterFault::NotPositive { value })
}

fn not_negative(value: f64) -> Option<ParameterFault> {
    (value < 0.0).then_some(ParameterFault::Negative { value })
}

impl Linkage<f64> {
    /// A linkage whose legs can meet, all elbows out.
    pub fn new(geometry: Geometry<f64>) -> Result<Self, ParameterError> {
        let g = &geometry;
        checked("geometry.arm", g.arm, positive)?;
        checked("geometry.forearm", g.forearm, positive)?;
        checked("geometry.base_radius", g.base_radius, not_negative)?;
        checked("geometry.platform_radius", g.platform_radius, not_negative)?;
        for value in g.azimuth.to_array() {
            checked("geometry.azimuth", value, |_| None)?;
        }
        let (offset, reach) = ((g.base_radius - g.platform_radius).abs(), g.arm + g.forearm);
        if offset >= reach {
            let fault = ParameterFault::CannotClose { offset, reach };
            return Err(ParameterError { field: "geometry.base_radius", fault });
        }
        let linkage = Self::unchecked(geometry);
        let d = linkage.direction;
        for (first, second, (c1, s1), (c2, s2)) in [(0, 1, d.x, d.y), (0, 2, d.x, d.z), (1, 2, d.y, d.z)] {
            // Legs closer than a millionth of a radian are one leg.
            if (c1 - c2).abs().max((s1 - s2).abs()) < 1e-6 {
                let fault = ParameterFault::SameAzimuth { first, second, azimuth: f64::atan2_of(s1, c1) };
                return Err(ParameterError { field: "geometry.azimuth", fault });
            }
        }
        Ok(linkage)
    }

    /// The posture at a platform position \[m\], in the linkage's working mode.
    pub fn posture(&self, x: V3<f64>) -> Result<Posture<f64>, PostureError> {
        finite("position", x)?;
        let Margin { value, margin } = self.posture_at(x);
        // A joint on its own motor axis leaves that motor's angle open: 0/0.
        let open = value.legs.to_array().iter().position(|leg| leg.a_cos.is_nan());
        // D² = 0 is a leg just stretched: it has a posture, though a singular one.
        match open {
            None if margin >= 0.0 => Ok(value),
            Some(leg) if margin >= 0.0 => Err(PostureError::SerialSingularity { leg, transmission: 0.0 }),
            _ => Err(self.unreachable(x)),
        }
    }

    /// Inverse kinematics: motor angles \[rad\] at a platform position \[m\], in the linkage's working mode.
    pub fn inverse_kinematics(&self, x: V3<f64>) -> Result<V3<f64>, PostureError> {
        self.posture(x).map(|posture| posture.angles())
    }

    /// All eight inverse-kinematic solutions, all elbows out first.
    pub fn all_inverse_kinematics(&self, x: V3<f64>) -> Result<[(WorkingMode, V3<f64>); 8], PostureError> {
        self.posture(x)?;
        Ok(WorkingMode::all().map(|mode| (mode, self.with_working_mode(mode).posture_at(x).value.angles())))
    }

    /// The posture at motor angles \[rad\].
    pub fn posture_from(&self, q: V3<f64>, assembly: Assembly) -> Result<Posture<f64>, PostureError> {
        finite("motor angles", q)?;
        let Margin { value, margin } = self.posture_of(q, assembly);
        let (radius, area) = self.assembly_figures(q);
        let g = self.geometry();
        // A triangle thinner than a billionth of the arm's square has no usable normal.
        if area.is_nan() || area <= FLAT * g.arm * g.arm {
            Err(PostureError::CannotMeet(MeetError::CollinearElbows { area }))
        } else if margin >= 0.0 {
            Ok(value)
        } else {
            Err(PostureError::CannotMeet(MeetError::TooFarApart { gap: radius - g.forearm }))
        }
    }

    /// Forward kinematics: the platform position \[m\] at motor angles \[rad\].
    pub fn forward_kinematics(&self, q: V3<f64>, assembly: Assembly) -> Result<V3<f64>, PostureError> {
        self.posture_from(q, assembly).map(|posture| posture.position)
    }

    /// Which leg misses the position most, how and by how much.
    fn unreachable(&self, x: V3<f64>) -> PostureError {
        let g = self.geometry();
        let legs = self.direction.map(|(cos, sin)| {
            let (u, side) = (x.x * cos + x.y * sin - self.offset, (x.y * cos - x.x * sin).abs());
            if side >= g.forearm {
                return (Reach::Sideways, side - g.forearm);
            }
            // In the plane of the arm the forearm appears shortened.
            let forearm = f64::root(g.forearm * g.forearm - side * side);
            let distance = f64::root(u * u + x.z * x.z);
            let (far, close) = (distance - (g.arm + forearm), (g.arm - forearm).abs() - distance);
            if far >= close { (Reach::TooFar, far) } else { (Reach::TooClose, close) }
        });
        let mut worst = (0, legs.x);
        for (leg, candidate) in [(1, legs.y), (2, legs.z)] {
            if candidate.1 > worst.1.1 {
                worst = (leg, candidate);
            }
        }
        let (leg, (reach, gap)) = worst;
        PostureError::Unreachable { leg, reach, gap: gap.max(0.0) }
    }
}

/// `f64` functions by way of [`Real`](crate::Real), where `core` has none.
trait Functions {
    fn root(x: f64) -> f64;
    fn atan2_of(y: f64, x: f64) -> f64;
}

impl Functions for f64 {
    fn root(x: f64) -> f64 {
        crate::Real::sqrt(x)
    }
    fn atan2_of(y: f64, x: f64) -> f64 {
        crate::Real::atan2(y, x)
    }
}

impl Posture<f64> {
    /// The posture itself if no leg is stretched or folded: then motor speeds follow from the platform's.
    pub fn not_serial(self) -> Result<Self, PostureError> {
        let serial = self.transmission().to_array();
        serial.iter().enumerate().try_for_each(|(leg, &transmission)| {
            if transmission.abs() > STRETCHED {
                Ok(())
            } else {
                Err(PostureError::SerialSingularity { leg, transmission })
            }
        })?;
        Ok(self)
    }

    /// The posture itself if the forearms span space: then torques hold the platform.
    pub fn not_parallel(self) -> Result<Self, PostureError> {
        let volume = self.forearm_volume();
        if volume.abs() > FLAT { Ok(self) } else { Err(PostureError::ParallelSingularity { volume }) }
    }
}

impl Delta<f64> {
    /// A Delta that can be built: its legs meet, its masses are possible.
    pub fn new(
        linkage: Linkage<f64>,
        inertia: Inertia<f64>,
        motor: Motor<f64>,
    ) -> Result<Self, ParameterError> {
        let m = &inertia;
        for (field, value) in [
            ("mass.platform", m.platform),
            ("mass.payload", m.payload),
            ("mass.arm", m.arm),
            ("mass.arm_inertia", m.arm_inertia),
            ("mass.elbow", m.elbow),
            ("mass.forearm", m.forearm),
            ("mass.forearm_inertia", m.forearm_inertia),
            ("motor.rotor_inertia", motor.inertia),
            ("motor.viscous_friction", motor.viscous),
            ("motor.coulomb_friction", motor.coulomb),
        ] {
            checked(field, value, not_negative)?;
        }
        for component in m.gravity.to_array() {
            checked("gravity", component, |_| None)?;
        }
        let g = linkage.geometry();
        checked("mass.arm_centre", m.arm_centre, |_| None)?;
        checked("mass.forearm_centre", m.forearm_centre, |_| None)?;
        if !(0.0..=g.forearm).contains(&m.forearm_centre) {
            let fault = ParameterFault::OutsideLink { value: m.forearm_centre, length: g.forearm };
            return Err(ParameterError { field: "mass.forearm_centre", fault });
        }
        let delta = Self::unchecked(linkage, inertia, motor);
        if delta.constants.mass > 0.0 {
            Ok(delta)
        } else {
            Err(ParameterError { field: "mass.platform", fault: ParameterFault::NoMass })
        }
    }

    /// Inverse dynamics: motor torques \[N·m\] for a motion of the platform while
    /// `force` \[N\] acts on it from outside. Friction apart: [`Delta::friction`].
    pub fn inverse_dynamics(
        &self,
        motion: &Motion<f64>,
        force: V3<f64>,
    ) -> Result<Effort<f64>, PostureError> {
        finite("velocity", motion.velocity)?;
        finite("acceleration", motion.acceleration)?;
        finite("force", force)?;
        let posture = self.linkage().posture(motion.position)?.not_serial()?.not_parallel()?;
        let found = self.torque(&posture, motion.velocity, motion.acceleration, force);
        finite("resulting torque", found.torque)?;
        Ok(found)
    }

    /// Forward dynamics: accelerations for motor torques \[N·m\] at platform position and velocity.
    pub fn forward_dynamics(
        &self,
        position: V3<f64>,
        velocity: V3<f64>,
        tau: V3<f64>,
        force: V3<f64>,
    ) -> Result<Acceleration<f64>, PostureError> {
        finite("velocity", velocity)?;
        finite("torque", tau)?;
        finite("force", force)?;
        let posture = self.linkage().posture(position)?.not_serial()?;
        let found = self.acceleration(&posture, velocity, tau, force).value;
        finite("resulting acceleration", found.platform)?;
        finite("resulting joint acceleration", found.joint)?;
        Ok(found)
    }

    /// Mass matrix in joint space \[kg·m²\] at a platform position, see [`Delta::mass_matrix`].
    pub fn mass_matrix_at(&self, position: V3<f64>) -> Result<Sym3<f64>, PostureError> {
        let posture = self.linkage().posture(position)?.not_serial()?.not_parallel()?;
        let found = self.mass_matrix(&posture);
        finite("resulting mass matrix", found.diagonal)?;
        finite("resulting mass matrix", found.off)?;
        Ok(found)
    }
}

impl Linkage<f64> {
    /// Jacobian ẋ = J q̇ \[m/rad\] at a platform position.
    pub fn jacobian_at(&self, position: V3<f64>) -> Result<M3<f64>, PostureError> {
        Ok(self.posture(position)?.not_parallel()?.jacobian())
    }
}
