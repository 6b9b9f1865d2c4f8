//! A summary as text: names to the left, what is said of them beside it.

use super::property::{body_text, drive_texts, joint_text, leg_text};
use super::{HomeSummary, MobilitySummary, RobotSummary, facts};
use crate::Joint;
use crate::coordinates::MotorMotion;
use crate::description::Placement;
use crate::families::JointCone;
use crate::families::properties::{Property, PropertyValue};
use crate::rotation::to_roll_pitch_yaw;
use crate::sorting::sort_by;
use crate::text::{Decimals, columns, fixed, in_rpm, short, short_list, wrap};
use std::fmt;

/// Width of a line of text, and of the names before it.
const WIDTH: usize = 80;
const NAME: usize = 20;

/// A name and its text, wrapped beside it.
fn entry(f: &mut fmt::Formatter<'_>, name: &str, text: &str) -> fmt::Result {
    for (i, line) in wrap(text, WIDTH - NAME).iter().enumerate() {
        writeln!(f, "{:<NAME$}{line}", if i == 0 { name } else { "" })?;
    }
    Ok(())
}

impl fmt::Display for RobotSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.mobility {
            Some(it) => {
                writeln!(f, "{}: a mechanism of {} bodies and {} joints\n", self.name, it.bodies, it.joints)?;
            }
            None => writeln!(f, "{}: a {} robot with {} legs\n", self.name, self.family, self.leg_count)?,
        }
        entry(f, "family", self.meaning)?;
        entry(f, "motors", &self.motors_text())?;
        entry(f, "freedoms", &format!("{}: {}", self.freedoms.len(), self.freedoms.join(", ")))?;
        for (name, text) in self.mobility.iter().flat_map(MobilitySummary::lines) {
            entry(f, name, &text)?;
        }
        entry(f, "source", self.source.as_deref().unwrap_or("not given"))?;
        if let Some(note) = &self.note {
            entry(f, "note", note)?;
        }
        let frame = if self.convention.frame.is_some() { "convention" } else { "frame" };
        entry(f, frame, &self.convention.text)?;
        if let Some(cell) = &self.cell {
            entry(
                f,
                "cell",
                &format!("its frame stands at {}; poses are given in the frame of the cell", place(cell)),
            )?;
        }
        if let Some(tool) = &self.tool {
            entry(
                f,
                "tool",
                &format!("its point is at {} of the platform; poses are of the tool", place(tool)),
            )?;
        }
        writeln!(f, "\ngeometry")?;
        properties(f, &self.geometry)?;
        if let Some(branches) = &self.branches {
            entry(f, "  working mode", &format!("{} {}", branches.what, self.working_mode))?;
        }
        if self.bodies.is_empty() {
            writeln!(f)?;
            entry(f, "masses", "not given, so there are no torques")?;
        } else {
            writeln!(f, "\nmasses")?;
            properties(f, &self.bodies)?;
            entry(f, "  gravity", &self.gravity_text())?;
        }
        self.drives(f)?;
        if !self.identified.is_empty() {
            writeln!(f, "\nidentified")?;
            for motor in &self.identified {
                entry(f, &format!("  {}", motor.joint), &motor.text())?;
            }
        }
        writeln!(f)?;
        self.limits(f)?;
        if let Some(reach) = &self.reach {
            let [low, high, radius] = [reach.z_lowest, reach.z_highest, reach.radius].map(|x| short(x * 1e3));
            entry(
                f,
                "reach",
                &format!("z {low} to {high} mm on the axis, and all around it up to {radius} mm away"),
            )?;
        }
        self.home(f)
    }
}

/// A length \[mm\] or an angle \[deg\] without the rounding about zero.
fn noiseless(value: f64) -> f64 {
    if value.abs() < 1e-9 { 0.0 } else { value }
}

impl RobotSummary {
    /// "3 that turn"; "6: 3 turn, 3 slide".
    fn motors_text(&self) -> String {
        let count = self.motors.len();
        match self.motion {
            MotorMotion::Turn => format!("{count} that turn"),
            MotorMotion::Slide => format!("{count} that slide"),
            MotorMotion::Both => {
                format!("{count}: {}", facts::turn_and_slide(self.motors.iter().map(|joint| joint.slides)))
            }
        }
    }

    /// "9.81 m/s^2", and where it pulls if that is not down.
    fn gravity_text(&self) -> String {
        let size = short(self.gravity);
        if self.gravity_direction == [0.0, 0.0, -1.0] || self.gravity == 0.0 {
            format!("{size} m/s^2")
        } else {
            format!("{size} m/s^2 along ({})", short_list(&self.gravity_direction))
        }
    }

    /// The motors by what they drive, those that turn first.
    fn drives(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut titles: Vec<(&str, bool)> = Vec::new();
        for drive in self.drives.list() {
            if !titles.contains(&(drive.title, drive.slides)) {
                titles.push((drive.title, drive.slides));
            }
        }
        sort_by(&mut titles, |(_, a), (_, b)| a.cmp(b));
        for (title, _) in titles {
            writeln!(f, "\n{title}")?;
            let drives: Vec<_> = self.drives.list().iter().filter(|drive| drive.title == title).collect();
            for (name, text) in drive_texts(&drives) {
                entry(f, &format!("  {name}"), &text)?;
            }
        }
        Ok(())
    }

    /// How far, how fast and how strong the motors are.
    fn limits(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (range, largest_effort) = match self.motion {
            MotorMotion::Turn => ("motor angles", "largest torque"),
            MotorMotion::Slide => ("motor positions", "largest force"),
            MotorMotion::Both => ("joints", "largest effort"),
        };
        let joints = &self.motors;
        entry(f, range, &facts::limits(joints).unwrap_or_else(|| "no limits given".into()))?;
        if let Some(cone) = &self.joint_cone {
            let from = match cone {
                JointCone::OutOfPlane { .. } => "out of the plane of their legs",
                JointCone::AboutHome { .. } => "from where they are at home, at both ends",
            };
            entry(f, "rods lean", &format!("up to {} deg {from}", short(cone.most().to_degrees())))?;
        }
        // Both sides of a gear, or the one side that there is.
        let sides = |joint: &Joint, at_joint: String, at_motor: String| {
            if joint.gear.is_some() {
                format!("{at_joint} at the arm, {at_motor} at the motor")
            } else {
                at_joint
            }
        };
        let effort = facts::of_motors(joints, |joint| {
            let (effort, unit) = (joint.max_effort?, joint.effort_unit());
            let at_motor = format!("{} {unit}", short(joint.motor_effort(effort)));
            Some(sides(joint, format!("{} {unit}", short(effort)), at_motor))
        });
        if let Some(text) = effort {
            entry(f, largest_effort, &text)?;
        }
        let speed = facts::of_motors(joints, |joint| {
            let (speed, unit) = (joint.max_speed?, joint.unit());
            let at_motor = format!("{} rpm", short(in_rpm(joint.motor_speed(speed))));
            Some(sides(joint, format!("{} {unit}/s", short(speed)), at_motor))
        });
        if let Some(text) = speed {
            entry(f, "largest speed", &text)?;
        }
        facts::side_not_named(joints).map_or(Ok(()), |note| entry(f, "", note))
    }

    fn home(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let HomeSummary { place, is_given, at_rest, .. } = &self.home;
        let chosen = match (is_given, &self.reach) {
            (true, _) => "",
            (false, Some(_)) => ", chosen in the middle of the reach",
            (false, None) => ", chosen as the file gives none",
        };
        entry(f, "home", &format!("{place}{chosen}"))?;
        let Some(rest) = at_rest else {
            return writeln!(f, "  home is singular: speeds and torques have no answer there");
        };
        let (values, effort) = match self.motion {
            MotorMotion::Turn => ("  motor angles", "  holding torque"),
            MotorMotion::Slide => ("  positions", "  holding force"),
            MotorMotion::Both => ("  joints", "  holding effort"),
        };
        let either = |turning: &str, sliding: &str| match self.motion {
            MotorMotion::Turn => turning.to_owned(),
            MotorMotion::Slide => sliding.to_owned(),
            MotorMotion::Both => format!("{turning}, {sliding}"),
        };
        let motors = rest.q.iter().zip(&self.motors);
        let q: Vec<f64> =
            motors.map(|(q, joint)| noiseless(if joint.slides { q * 1e3 } else { q.to_degrees() })).collect();
        entry(f, values, &format!("({}) {}", short_list(&q), either("deg", "mm")))?;
        let outside = rest.q.iter().zip(&self.motors).filter(|(q, joint)| joint.is_outside(**q));
        let names: Vec<&str> = outside.map(|(_, joint)| joint.name.as_str()).collect();
        if !names.is_empty() {
            entry(f, "  outside", &format!("{} outside the limits there", names.join(", ")))?;
        }
        if let Some(gravity) = &rest.gravity_effort {
            let unit = either("N m", "N");
            entry(f, effort, &format!("({}) {unit} against gravity", short_list(gravity)))?;
        }
        let is_delta = self.reach.is_some();
        let best = if is_delta { ", 1 the best there is" } else { "" };
        writeln!(f, "distance to singularities there: 0 singular{best}")?;
        let turns_at = self.home.orientation.as_ref().map(|_| self.platform_size);
        for (name, text) in facts::singularity(is_delta, self.mobility.is_some(), turns_at, &rest.singularity)
        {
            entry(f, &format!("  {name}"), &text)?;
        }
        if let Some(sketch) = &self.sketch {
            writeln!(f, "\n{}\n\n{}", sketch.title, sketch.picture)?;
        }
        Ok(())
    }
}

/// "(300, 0, 1000) mm", and the angles if it is turned.
fn place(placement: &Placement) -> String {
    let position = short_list(&placement.position.map(|x| x * 1e3));
    if placement.rotation == Placement::IDENTITY.rotation {
        return format!("({position}) mm");
    }
    let angles = to_roll_pitch_yaw(&placement.rotation).map(f64::to_degrees);
    format!("({position}) mm, roll pitch yaw ({}) deg", short_list(&angles))
}

/// The properties one below the other; what there is for each leg in one table.
fn properties(f: &mut fmt::Formatter<'_>, list: &[Property]) -> fmt::Result {
    for property in list {
        if let PropertyValue::Legs(legs) = &property.value {
            for (k, leg) in legs.iter().enumerate() {
                entry(f, &format!("  leg {}", k + 1), &leg_text(leg))?;
            }
        } else if let PropertyValue::Joints(joints) = &property.value {
            for joint in joints {
                entry(f, &format!("  {}", joint.name), &joint_text(joint))?;
            }
        } else if let PropertyValue::Bodies(bodies) = &property.value {
            for (name, body) in bodies {
                entry(f, &format!("  {name}"), &body_text(body))?;
            }
        } else if let Some(text) = property.value.text() {
            entry(f, &format!("  {}", property.label()), &text)?;
        }
    }
    // A table that is too wide goes on below, with the legs' numbers again; three columns stay together.
    let mut table: Vec<Vec<String>> = Vec::new();
    for property in list {
        let (heading, unit, vectors): (_, _, Vec<[f64; 3]>) = match &property.value {
            PropertyValue::Points { heading, points } => {
                (heading, " [mm]", points.iter().map(|point| point.map(|x| x * 1e3)).collect())
            }
            PropertyValue::Axes { heading, axes } => (heading, "", axes.clone()),
            _ => continue,
        };
        let decimals = Decimals::of(vectors.as_flattened());
        let show = |x: f64| if unit.is_empty() { fixed(x, 4) } else { decimals.show(x) };
        let more = ["x", "y", "z"].into_iter().enumerate().map(|(axis, name)| {
            let head = if axis == 0 { format!("{heading} x{unit}") } else { name.to_owned() };
            std::iter::once(head).chain(vectors.iter().map(|v| show(v[axis]))).collect::<Vec<String>>()
        });
        let wider: Vec<Vec<String>> = table.iter().cloned().chain(more).collect();
        if !table.is_empty() && of_legs(&wider).lines().any(|line| line.chars().count() > WIDTH) {
            writeln!(f, "{}", of_legs(&table))?;
            table = wider.into_iter().skip(table.len()).collect();
        } else {
            table = wider;
        }
    }
    if table.is_empty() { Ok(()) } else { f.write_str(&of_legs(&table)) }
}

/// Columns with a number for each leg, behind the number of the leg.
fn of_legs(table: &[Vec<String>]) -> String {
    let height = table.iter().map(Vec::len).max().unwrap_or(0);
    let names = (0..height).map(|k| if k == 0 { "  leg".into() } else { format!("  {k}") });
    let mut all = vec![names.collect()];
    all.extend_from_slice(table);
    columns(&all)
}

// Columns of names do not run into their texts.
const _: () = assert!("  platform spacing".len() < NAME);
