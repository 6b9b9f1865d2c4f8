//! Short questions about a robot, and their answers in words.

use crate::description::Convention;
use crate::families::Branches;
use crate::rotation::to_roll_pitch_yaw;
use crate::summary::ConventionSummary;
use crate::text::short;
use crate::{AnyRobot, Freedom, Joint, PlatformState, Singularity};
use legwork_core::Real;
use serde::Serialize;

/// The two branches that legs of a robot have: the ways they can reach the platform.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LegBranches {
    /// What differs: "elbows".
    pub what: &'static str,
    /// The names of the two.
    pub names: &'static [&'static str],
    /// How many legs have two.
    pub legs: usize,
}

impl LegBranches {
    /// How a working mode is written: "give `out` or `in` for each of its 3 legs, or one word for all".
    pub fn hint(&self) -> String {
        let names: Vec<String> = self.names.iter().map(|name| format!("`{name}`")).collect();
        format!("give {} for each of its {} legs, or one word for all", names.join(" or "), self.legs)
    }
}

impl AnyRobot {
    /// What its platform carries \[kg\].
    pub fn payload(&self) -> f64 {
        self.description().data.payload()
    }

    /// The two branches of its legs, if they have two. One name for each such leg, or one for all, is a
    /// [working mode](Self::with_working_mode).
    pub fn branches(&self) -> Option<LegBranches> {
        let Branches { what, names } = self.description().family().row().branches?;
        let legs = self.branching_legs();
        (legs > 0).then_some(LegBranches { what, names, legs })
    }

    /// "elbows out-out-in"; `None` for a robot whose legs have one branch.
    pub fn working_mode_text(&self, mode: &str) -> Option<String> {
        self.branches().map(|branches| format!("{} {mode}", branches.what))
    }

    /// Limits of the motors as the user counts them: "-40 to 90 deg"; where they differ, with the names of the
    /// motors. `None` if there are none.
    pub fn limits_text(&self) -> Option<String> {
        limits(self.joints())
    }

    /// Coordinates of a whole pose that follow from the others, with their units: positions \[m\], and of roll, pitch and
    /// yaw those that are not free \[rad\]. None for a robot whose platform moves in its freedoms only.
    pub fn following(&self, platform: &PlatformState) -> Vec<(&'static str, f64, &'static str)> {
        let Some(mobility) = self.mobility() else { return Vec::new() };
        let angles = to_roll_pitch_yaw(&platform.rotation);
        let one = |place: &usize| match place {
            0..=2 => (["x", "y", "z"][*place], platform.position[*place], "m"),
            _ => (["roll", "pitch", "yaw"][*place % 3], angles[*place % 3], "rad"),
        };
        mobility.following.iter().map(one).collect()
    }

    /// "x -0.62 mm, y 0 mm, yaw 0.1355 deg follow"; `None` where nothing does.
    pub fn following_text(&self, platform: &PlatformState) -> Option<String> {
        let parts: Vec<String> = self
            .following(platform)
            .iter()
            .map(|(name, value, unit)| {
                let shown = if *unit == "m" { value * 1e3 } else { value.to_degrees() };
                // Rounding of a metre or a turn is nothing.
                let shown = if shown.abs() < 1e-9 { 0.0 } else { shown };
                format!("{name} {} {}", short(shown), if *unit == "m" { "mm" } else { "deg" })
            })
            .collect();
        let verb = if parts.len() == 1 { "follows" } else { "follow" };
        (!parts.is_empty()).then(|| format!("{} {verb}", parts.join(", ")))
    }

    /// "the pose does not tell q7, q8, q9: held at (36.87, 36.87, 36.87) deg"; `None` where it tells all motors.
    pub fn held_text(&self) -> Option<String> {
        let places = self.held_motors();
        let joints: Vec<&Joint> = places.iter().filter_map(|place| self.joints().get(*place)).collect();
        if joints.is_empty() {
            return None;
        }
        let names: Vec<&str> = joints.iter().map(|joint| joint.name.as_str()).collect();
        let shown = self.held_values().into_iter().zip(&joints).map(|(value, joint)| {
            if joint.slides {
                format!("{} mm", short(value * 1e3))
            } else {
                format!("{} deg", short(value.to_degrees()))
            }
        });
        let shown: Vec<String> = shown.collect();
        Some(format!("the pose does not tell {}: held at {}", names.join(", "), shown.join(", ")))
    }

    /// A sentence about a pose of a mechanism that is beyond a singularity, as one mirrored through its base is; `None` where
    /// the motors lead there from home.
    pub fn branch_text(&self, platform: &PlatformState) -> Option<&'static str> {
        self.leaves_branch(platform).is_ok_and(|leaves| leaves).then_some(
            "beyond a posture in which its motors do not hold it: from home they do not\nlead here, it would have to be assembled \
             so",
        )
    }

    /// "motors 1 and 3 are outside the limits, -40 to 90 deg", of numbers from 0; `None` if all are inside.
    pub fn outside_limits_text(&self, joints: &[usize]) -> Option<String> {
        Some(format!("{} outside the limits, {}", motors_are(joints)?, self.limits_text()?))
    }

    /// What the measures of singularities run from and to.
    pub fn singularity_scale(&self) -> &'static str {
        if self.linkage().is_some() { "0 singular, 1 the best there is" } else { "0 singular" }
    }

    /// The measures of singularities, each with its name and a word of meaning.
    pub fn singularity_text(&self, measures: &Singularity) -> Vec<(&'static str, String)> {
        let turns = self.freedoms().iter().any(Freedom::turns).then(|| self.platform_size());
        singularity(self.linkage().is_some(), self.mobility().is_some(), turns, measures)
    }
}

/// The measures of a Delta, or of another robot whose turns are measured at this distance \[m\].
pub(super) fn singularity(
    is_delta: bool,
    is_mechanism: bool,
    turns_at: Option<f64>,
    measures: &Singularity,
) -> Vec<(&'static str, String)> {
    let Singularity { serial, parallel, condition } = measures;
    let legs = serial.iter().map(|x| format!("{x:.4}")).collect::<Vec<_>>().join(", ");
    let alike = "of the Jacobian; 1 is best";
    if !is_delta {
        let measured =
            turns_at.map_or_else(String::new, |size| format!(", turns measured at {} mm", short(size * 1e3)));
        return vec![
            ("serial", format!("{legs}: margin {}", if is_mechanism { "by motor" } else { "of each leg" })),
            ("parallel", format!("{parallel:.4}: one over the condition")),
            ("condition", format!("{} {alike}{measured}", short(*condition))),
        ];
    }
    let weakest = serial.iter().copied().fold(f64::INFINITY, Real::min);
    vec![
        ("serial", format!("{legs}: the motors move the platform {}", word(weakest))),
        ("parallel", format!("{parallel:.4}: the legs hold the platform {}", word(*parallel))),
        ("condition", format!("{} {alike}", short(*condition))),
    ]
}

/// In a word, how good a measure between 0 and 1 is.
fn word(measure: f64) -> &'static str {
    match measure {
        m if m >= 0.5 => "well",
        m if m >= 0.2 => "fairly well",
        m if m >= Singularity::NEAR => "weakly",
        _ => "barely, close to a singularity",
    }
}

/// "3 turn, 3 slide", of motors that slide or not.
pub(super) fn turn_and_slide(slides: impl Iterator<Item = bool>) -> String {
    let (sliding, turning): (Vec<bool>, Vec<bool>) = slides.partition(|slides| *slides);
    let kinds = [(turning.len(), "turn"), (sliding.len(), "slide")];
    let kinds: Vec<String> =
        kinds.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
    kinds.join(", ")
}

/// What is said of the motors, with the names of those it is said of.
pub(super) fn alike<T: PartialEq>(joints: &[Joint], say: impl Fn(&Joint) -> T) -> Vec<(T, Vec<&str>)> {
    let mut groups: Vec<(T, Vec<&str>)> = Vec::new();
    for joint in joints {
        let said = say(joint);
        match groups.iter_mut().find(|(other, _)| *other == said) {
            Some((_, names)) => names.push(&joint.name),
            None => groups.push((said, vec![&joint.name])),
        }
    }
    groups
}

/// One text if it holds for all motors, otherwise each with the names of the motors it holds for.
pub(super) fn of_motors(joints: &[Joint], say: impl Fn(&Joint) -> Option<String>) -> Option<String> {
    let groups = alike(joints, say);
    let alone = groups.len() == 1;
    let text = |(text, names): &(Option<String>, Vec<&str>)| {
        let text = text.clone()?;
        Some(if alone { text } else { format!("{} {text}", names.join(" ")) })
    };
    let texts: Vec<String> = groups.iter().filter_map(text).collect();
    (!texts.is_empty()).then(|| texts.join(", "))
}

pub(super) fn limits(joints: &[Joint]) -> Option<String> {
    of_motors(joints, |joint| {
        let unit = if joint.slides { "mm" } else { "deg" };
        let text = |q: f64| short(if joint.slides { q * 1e3 } else { q.to_degrees() });
        match (joint.min, joint.max) {
            (Some(low), Some(high)) => Some(format!("{} to {} {unit}", text(low), text(high))),
            (Some(low), None) => Some(format!("from {} {unit}", text(low))),
            (None, Some(high)) => Some(format!("up to {} {unit}", text(high))),
            (None, None) => None,
        }
    })
}

/// "motor 2 is", "motors 1 and 3 are", of numbers from 0; `None` for none.
pub fn motors_are(joints: &[usize]) -> Option<String> {
    let names: Vec<String> = joints.iter().map(|joint| (joint + 1).to_string()).collect();
    match names.as_slice() {
        [] => None,
        [one] => Some(format!("motor {one} is")),
        [rest @ .., last] => Some(format!("motors {} and {last} are", rest.join(", "))),
    }
}

impl ConventionSummary {
    pub(super) fn of(robot: &AnyRobot) -> Self {
        let description = robot.description();
        let name = description.convention.name();
        let Some(delta) = description.as_delta() else {
            return Self { name, text: description.family().row().frame.into(), frame: None };
        };
        let frame = &delta.frame;
        let is_own = description.convention == Convention::Legwork;
        let system = if is_own { "its own" } else { description.convention.row().system };
        let direction = if frame.angle_sign < 0.0 { "up" } else { "down" };
        let text = format!(
            "{name} ({system}): z up, the motors at z = {} mm; angle {} deg is the arm horizontal, positive {direction}",
            short(frame.offset[2] * 1e3),
            short(frame.angle_zero.to_degrees())
        );
        Self { name, text, frame: Some(frame.into()) }
    }
}

/// What is said of limits whose side of a gear only the documentation tells.
const SIDE_NOT_NAMED: &str = "max_torque and max_speed of the file count at the arm, behind the gear; those of a data \
                              sheet are motor_torque and motor_speed";

/// A note about motors with a gear that are limited by keys which do not name their side of it.
pub fn side_not_named(joints: &[Joint]) -> Option<&'static str> {
    let unsaid = |joint: &Joint| joint.gear.is_some_and(|gear| gear.side_is_not_named);
    joints.iter().any(unsaid).then_some(SIDE_NOT_NAMED)
}
