//! The formulas of the library, run with numbers that record what is done to them.

mod delta;
mod derivatives;
mod hexapod;
mod legs;
mod legs_dynamics;
mod mechanism;
mod regulator;
mod symbol;

pub use delta::DeltaParts;
pub use regulator::FAULTS;
pub use symbol::Symbol;

use crate::error::CodegenError;
use crate::program::{Function, Group};
use crate::request::Quantity;
use legs::LegsRobot;
use legwork::AnyRobot;
use legwork::random::Random;
use legwork_core::Real;
use legwork_core::trace::Trace;
use mechanism::MechanismParts;
use regulator::Parts;

/// What the code of a straight formula equals.
const FORMULA: &str = "the library's formula, operation by operation";

/// What a wrench from outside is.
const WRENCH: &str = "fx, fy, fz, mx, my, mz on the platform from outside, about the platform point [N, N m]";

/// What shapes the functions besides the robot.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asked {
    /// Parameters that stay arguments.
    pub symbolic: Vec<Symbol>,
    /// Whether a wrench acts on the platform from outside.
    pub wrench: bool,
}

fn margin_group() -> Group {
    let meaning = "positive where the answer means something [1]: 0 at a singularity, serial or parallel; \
                   negative or NaN out of reach, without mass and where an argument or the answer is not finite";
    Group::one("margin", meaning)
}

/// The margin of the geometry where the mass matrix is positive definite; else its smallest pivot, which is not positive.
/// A pivot has a unit, so only its sign counts.
fn with_mass<'t>(margin: Trace<'t>, pivot: Trace<'t>) -> Trace<'t> {
    Trace::select(Trace::zero().lt(pivot), margin, pivot)
}

/// A gap of a search before its last step that is as good as closed: the step after it squares it.
const NEARLY_CLOSED: f64 = 1e-4;

/// A margin where a search closed; one that did not has no answer.
fn closed<'t>(margin: Trace<'t>, gap: Trace<'t>) -> Trace<'t> {
    Trace::select(gap.lt(Trace::from_f64(NEARLY_CLOSED)), margin, -Trace::one())
}

/// A robot in the form in which it is recorded.
pub(crate) enum Subject {
    Delta(Box<DeltaParts>),
    Legs(Box<LegsRobot>),
    Mechanism(Box<MechanismParts>),
}

impl Subject {
    /// Of a robot of any family.
    pub(crate) fn of(robot: &AnyRobot, asked: &Asked) -> Result<Self, CodegenError> {
        if let Some((linkage, model, frame)) = robot.delta_parts() {
            let home = robot.home().position;
            let parts = DeltaParts { linkage: *linkage, model: model.copied(), frame, home };
            return Ok(Self::Delta(Box::new(parts)));
        }
        if robot.engine_model().is_some() {
            return Ok(Self::Legs(Box::new(LegsRobot::new(robot, asked)?)));
        }
        Ok(Self::Mechanism(Box::new(MechanismParts::new(robot, asked)?)))
    }

    /// One quantity as a function.
    pub(crate) fn record(&self, quantity: Quantity, asked: &Asked) -> Option<Function> {
        if let Some(of) = quantity.derivative_of() {
            return derivatives::derived(&self.record(of, asked)?, quantity, &self.turns());
        }
        let plain = Asked::default();
        match quantity {
            Quantity::Regulator | Quantity::ComputedTorque => {
                let computed = quantity == Quantity::ComputedTorque;
                let by_motors = computed && !matches!(self, Self::Mechanism(_));
                let of = if by_motors { Quantity::AxesTorque } else { Quantity::InverseDynamics };
                let (searches, sees) = match self {
                    Self::Delta(_) => (false, false),
                    Self::Legs(robot) => (robot.has_search(), computed),
                    Self::Mechanism(_) => (true, computed),
                };
                let search = |is_needed: bool, quantity: Quantity| -> Option<Option<Function>> {
                    if is_needed { self.record(quantity, &plain).map(Some) } else { Some(None) }
                };
                return regulator::regulator(&Parts {
                    joint_motion: self.record(Quantity::JointMotion, &plain)?,
                    torque: self.record(of, asked)?,
                    reference: search(searches, Quantity::InverseKinematics)?,
                    seen: search(sees, Quantity::ForwardKinematics)?,
                    computed,
                });
            }
            _ => {}
        }
        match self {
            Self::Delta(parts) => parts.record(quantity, asked),
            Self::Legs(robot) => robot.record(quantity, asked),
            Self::Mechanism(parts) => parts.record(quantity, asked),
        }
    }

    /// The axes of the base about which the platform turns.
    fn turns(&self) -> Vec<usize> {
        match self {
            Self::Legs(robot) => robot.turns(),
            Self::Delta(_) | Self::Mechanism(_) => Vec::new(),
        }
    }

    /// The parameters that can stay arguments.
    pub(crate) fn symbols(&self) -> &'static [Symbol] {
        match self {
            Self::Delta(_) => &Symbol::ALL,
            Self::Legs(_) => &[Symbol::Payload, Symbol::Gravity],
            Self::Mechanism(_) => &[],
        }
    }

    /// A pose about home, as the groups of inputs that it is; home itself where `spread` is 0.
    pub(crate) fn scattered(&self, spread: f64, random: &mut Random) -> Vec<(&'static str, Vec<f64>)> {
        match self {
            Self::Delta(parts) => {
                let geometry = parts.linkage.geometry();
                let size = spread * (geometry.arm + geometry.forearm) * 0.5;
                let by = random.triple(size);
                let position = (0..3).map(|k| parts.home[k] + by[k]).collect();
                vec![("position", position)]
            }
            Self::Legs(robot) => robot.scattered(spread, random),
            Self::Mechanism(parts) => parts.scattered(spread, random),
        }
    }

    /// Where searches begin: joints of legs without a closed form, coordinates of a mechanism, at home.
    pub(crate) fn start(&self) -> Vec<(&'static str, Vec<f64>)> {
        match self {
            Self::Delta(_) => Vec::new(),
            Self::Legs(robot) => vec![("joints", robot.seeds())],
            Self::Mechanism(parts) => vec![("coordinates", parts.home().to_vec())],
        }
    }

    /// Why a quantity is none of this robot, for people.
    pub(crate) fn why_not(&self, quantity: Quantity) -> String {
        match (self, quantity) {
            (_, Quantity::SimplifiedInverseDynamics) => {
                "only a rotary Delta has forearms to be lumped".into()
            }
            (Self::Mechanism(_), Quantity::InverseKinematics) => {
                "some motors of it do not follow from the pose, or it has more than six".into()
            }
            (Self::Mechanism(_), Quantity::Regulator | Quantity::ComputedTorque | Quantity::JointMotion) => {
                "the motion of its motors does not follow from that of its platform: some are held, or there are more \
                 than freedoms, or more than six; take `fk` and `torque` and close the loop in your own code"
                    .into()
            }
            (Self::Mechanism(_), Quantity::AxesTorque) => {
                "`torque` of a mechanism takes the motors already".into()
            }
            (Self::Legs(robot), _) => {
                let (freedoms, motors) = robot.sizes();
                format!("no code is generated for {freedoms} freedoms with {motors} motors")
            }
            _ => "it has none".into(),
        }
    }
}
