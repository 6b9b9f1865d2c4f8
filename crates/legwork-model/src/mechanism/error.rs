//! Why a mechanism cannot be had, or cannot answer.

use legwork_core::engine::BodyError;
use std::fmt;

/// Why a mechanism cannot be had, or cannot answer. Lengths in m, angles in rad.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum MechanismError {
    /// A name that nothing has.
    UnknownName {
        /// Where it is used: "joint `elbow`, parent".
        place: String,
        /// The name.
        name: String,
    },
    /// Two bodies or two joints with one name.
    DuplicateName {
        /// The name.
        name: String,
    },
    /// A joint from a body to itself.
    SameBody {
        /// The joint.
        joint: String,
    },
    /// A number that is not finite, or a matrix that is no rotation.
    Numbers {
        /// Where: "joint `elbow`, frame in the parent".
        place: String,
    },
    /// A body that cannot exist.
    Body {
        /// Its name.
        body: String,
        /// Why not.
        fault: BodyError,
    },
    /// A motor on a joint that neither turns nor slides only.
    MotorJoint {
        /// The joint.
        joint: String,
        /// What it is.
        kind: &'static str,
    },
    /// The list of motors and the joints with motors do not agree.
    MotorList {
        /// The joint.
        joint: String,
    },
    /// No motor.
    NoMotors,
    /// Bodies that no chain of joints ties to the ground.
    Disconnected {
        /// Their names.
        bodies: Vec<String>,
    },
    /// The platform is fixed to the ground.
    PlatformFixed {
        /// The platform.
        platform: String,
    },
    /// A loop that cannot be closed from home.
    OpenLoop {
        /// The joint with the widest gap.
        joint: String,
        /// Its bodies.
        bodies: [String; 2],
        /// How far its frames are apart \[m\].
        distance: f64,
        /// How far they are turned against each other \[rad\].
        angle: f64,
        /// Steps that were tried.
        steps: usize,
    },
    /// A loop that closes only with an axis turned round.
    FlippedAxis {
        /// The joint.
        joint: String,
        /// Its bodies.
        bodies: [String; 2],
    },
    /// Nothing can move.
    NoFreedom {
        /// Constraint rows.
        rows: usize,
        /// Idle freedoms that there are nevertheless.
        idle: usize,
        /// The joints that hold everything.
        joints: Vec<String>,
    },
    /// Fewer motors than freedoms.
    Underactuated {
        /// Freedoms, without idle ones.
        freedoms: usize,
        /// Motors.
        motors: usize,
        /// Bodies that move while all motors stand still.
        bodies: Vec<String>,
    },
    /// Enough motors, but while they stand still the platform moves.
    NotHeld {
        /// Freedoms that no motor controls.
        free: usize,
        /// Motors.
        motors: usize,
        /// Motors that follow from others, or cannot move at all.
        dependent: Vec<String>,
        /// Bodies that move while all motors stand still.
        bodies: Vec<String>,
    },
    /// The number of freedoms at home is not that nearby: a bifurcation.
    MobilityChanges {
        /// Freedoms at home.
        home: usize,
        /// Freedoms nearby.
        nearby: usize,
        /// Bodies whose freedom is lost.
        bodies: Vec<String>,
        /// The joints of those bodies.
        joints: Vec<String>,
    },
    /// Rows that are neither dependent nor independent: the geometry is rounded, or nearly singular.
    Undecided {
        /// Smallest size of rows that were kept.
        kept: f64,
        /// Largest size of rows that were dropped.
        dropped: f64,
    },
    /// The mechanism is in a singular posture.
    Singular {
        /// Smallest pivot, relative to home.
        margin: f64,
        /// The joint or body whose rows or freedom it is.
        at: String,
    },
    /// A branch ends before the target.
    EndOfBranch {
        /// How much of the way was gone, between 0 and 1.
        reached: f64,
        /// Smallest pivot there, relative to home.
        margin: f64,
        /// The joint with the widest gap when the next step failed.
        joint: String,
    },
    /// The motors cannot take the platform further along its way: a leg is stretched or folded.
    EndOfReach {
        /// How much of the way was gone, between 0 and 1.
        reached: f64,
    },
    /// The platform's pose is not one that the mechanism can have.
    OffPose {
        /// How far the platform's point stays away \[m\].
        distance: f64,
        /// How far the platform stays turned \[rad\].
        angle: f64,
    },
    /// Motors whose values contradict those of the others.
    Contradiction {
        /// The motor.
        motor: String,
        /// Its value, as the others make it.
        follows: f64,
        /// The value that was given.
        given: f64,
    },
    /// Components of the platform's twist that do not determine its motion.
    Coordinates {
        /// How many there must be.
        freedoms: usize,
        /// Smallest size of a direction in which they stand still, between 0 and 1.
        margin: f64,
    },
    /// Motors that are held and freedoms of the platform are not as many as the ways in which the motors move.
    SelfMotion {
        /// Ways in which the motors move.
        freedoms: usize,
        /// Freedoms of the platform with the held motors at rest.
        platform: usize,
        /// Motors that are held.
        held: usize,
    },
    /// A motor that is held follows from the joints and the motors held before it.
    HeldTwice {
        /// Its joint.
        motor: String,
    },
    /// A list has the wrong length.
    Count {
        /// What the list is.
        what: &'static str,
        /// How many there must be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A number that was given is not finite.
    NotFinite {
        /// Which list.
        what: &'static str,
    },
    /// A weight of a motor's effort that is not positive.
    Weight {
        /// The motor.
        motor: String,
        /// The weight.
        weight: f64,
    },
    /// A preload where the motion leaves no choice of efforts.
    NoChoice {
        /// The motor.
        motor: String,
        /// Motors, as many as freedoms.
        motors: usize,
    },
    /// A payload no mechanism can carry.
    Payload {
        /// Why not.
        fault: BodyError,
    },
}

fn list(names: &[String]) -> String {
    const SHOWN: usize = 6;
    let text = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let rest = names.len().saturating_sub(SHOWN);
    if rest == 0 { text } else { format!("{text} and {rest} more") }
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn moving(bodies: &[String]) -> &'static str {
    if bodies.len() == 1 { "moves" } else { "move" }
}

impl fmt::Display for MechanismError {
    #[allow(clippy::too_many_lines)] // one line for each error
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownName { place, name } => write!(f, "{place}: there is no `{name}`"),
            Self::DuplicateName { name } => write!(f, "two things are called `{name}`"),
            Self::SameBody { joint } => write!(f, "joint `{joint}` joins a body to itself"),
            Self::Numbers { place } => {
                write!(f, "{place}: a number is not finite, or the rotation is none")
            }
            Self::Body { body, fault } => write!(f, "body `{body}` cannot exist: {fault}"),
            Self::MotorJoint { joint, kind } => write!(
                f,
                "joint `{joint}` is {kind} and has a motor; motors are for revolute and prismatic joints"
            ),
            Self::MotorList { joint } => {
                write!(
                    f,
                    "`{joint}` must be in the list of motors exactly once, and its joint must have a motor"
                )
            }
            Self::NoMotors => f.write_str("no joint has a motor"),
            Self::Disconnected { bodies } => {
                write!(f, "no chain of joints ties {} to the ground; add the missing joint", list(bodies))
            }
            Self::PlatformFixed { platform } => {
                write!(f, "the platform `{platform}` is fixed to the ground")
            }
            Self::OpenLoop { joint, bodies: [a, b], distance, angle, steps } => write!(
                f,
                "the loop through joint `{joint}` between `{a}` and `{b}` does not close: its frames stay {distance:.3e} m \
                 and {angle:.3e} rad apart after {steps} steps from home; check its frames and the home poses"
            ),
            Self::FlippedAxis { joint, bodies: [a, b] } => write!(
                f,
                "the loop closes only with the axis of joint `{joint}` between `{a}` and `{b}` turned round; check the \
                 home poses and the direction of its frames"
            ),
            Self::NoFreedom { rows, idle, joints } => {
                write!(
                    f,
                    "nothing that a motor or the platform feels can move: the {rows} constraint rows of the joints {} leave ",
                    list(joints)
                )?;
                if *idle == 0 {
                    f.write_str("no freedom")?;
                } else {
                    write!(f, "{idle} idle freedoms only")?;
                }
                f.write_str("; take a joint away, or give one more freedom")
            }
            Self::Underactuated { freedoms, motors, bodies } => write!(
                f,
                "{} for {}: with all motors at rest {} still {}; add motors",
                counted(*motors, "motor"),
                counted(*freedoms, "freedom"),
                list(bodies),
                moving(bodies)
            ),
            Self::NotHeld { free, motors, dependent, bodies } => {
                write!(
                    f,
                    "the {} leave {} free: with all of them at rest {} still {}",
                    counted(*motors, "motor"),
                    counted(*free, "freedom"),
                    list(bodies),
                    moving(bodies)
                )?;
                if !dependent.is_empty() {
                    let verb = if dependent.len() == 1 { "repeats" } else { "repeat" };
                    write!(f, "; {} only {verb} what the others do", list(dependent))?;
                }
                Ok(())
            }
            Self::MobilityChanges { home, nearby, bodies, joints } => write!(
                f,
                "the mechanism has {} at home and {nearby} nearby (what is lost moves {} in the joints {}): home is a \
                 bifurcation; choose another home",
                counted(*home, "freedom"),
                list(bodies),
                list(joints)
            ),
            Self::Undecided { kept, dropped } => write!(
                f,
                "constraint rows of relative size {kept:.1e} were kept and rows of {dropped:.1e} taken for dependent, too \
                 near to tell apart; give the geometry with more digits, or leave the singular home"
            ),
            Self::Singular { margin, at } => {
                write!(f, "singular at {at}: its smallest pivot is {margin:.1e} of that at home")
            }
            Self::EndOfBranch { reached, margin, joint } => write!(
                f,
                "the way ends after {:.1} %: the loop through `{joint}` cannot be closed further (smallest pivot {margin:.1e} \
                 of that at home)",
                reached * 100.0
            ),
            Self::EndOfReach { reached } => write!(
                f,
                "the way ends after {:.1} %: there the motors move and the platform does not, as at a stretched leg; what \
                 lies beyond is another branch",
                reached * 100.0
            ),
            Self::OffPose { distance, angle } => write!(
                f,
                "the platform cannot be there: with its independent coordinates as asked for, its pose is off by \
                 {distance:.3e} m and {angle:.3e} rad"
            ),
            Self::Contradiction { motor, follows, given } => {
                write!(f, "motor `{motor}` cannot be at {given}: the other motors put it at {follows}")
            }
            Self::Coordinates { freedoms, margin } => write!(
                f,
                "the platform has {freedoms} freedoms, and the coordinates given do not tell its motion (margin {margin:.1e})"
            ),
            Self::SelfMotion { platform: 0, held, .. } => write!(
                f,
                "with {} held the platform does not move; name fewer in `held`",
                counted(*held, "motor")
            ),
            Self::SelfMotion { freedoms, platform, held } => write!(
                f,
                "the motors move in {freedoms} ways; with {} held the platform moves in {platform}, and {} more must be \
                 named in `held`, or none for a choice",
                counted(*held, "motor"),
                freedoms.saturating_sub(platform + held)
            ),
            Self::HeldTwice { motor } => write!(
                f,
                "motor `{motor}` in `held` follows from the motors that are held before it; leave it out"
            ),
            Self::Count { what, expected, found } => {
                write!(f, "{what}: {expected} numbers expected, {found} given")
            }
            Self::NotFinite { what } => write!(f, "{what}: a number is not finite"),
            Self::Weight { motor, weight } => {
                write!(f, "motor `{motor}`: the weight of its effort is {weight}; give a positive number")
            }
            Self::NoChoice { motor, motors } => write!(
                f,
                "motor `{motor}`: a preload needs more motors than freedoms, and there are {motors} of each; leave it out"
            ),
            Self::Payload { fault } => write!(f, "a payload that cannot exist: {fault}"),
        }
    }
}

impl std::error::Error for MechanismError {}
