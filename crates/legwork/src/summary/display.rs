//! A summary as text: names to the left, what is said of them beside it.

use super::property::{drive_texts, leg_text};
use super::{HomeSummary, RobotSummary, facts};
use crate::coordinates::MotorMotion;
use crate::families::properties::{Property, PropertyValue};
use crate::text::{Decimals, columns, fixed, short, short_list, wrap};
use std::fmt;

/// Width of a line of text, and of the names before it.
const WIDTH: usize = 82;
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
        writeln!(f, "{}: a {} robot with {} legs\n", self.name, self.family, self.leg_count)?;
        entry(f, "family", self.meaning)?;
        entry(f, "motors", &self.motors_text())?;
        entry(f, "freedoms", &format!("{}: {}", self.freedoms.len(), self.freedoms.join(", ")))?;
        entry(f, "source", self.source.as_deref().unwrap_or("not given"))?;
        if let Some(note) = &self.note {
            entry(f, "note", note)?;
        }
        let frame = if self.convention.frame.is_some() { "convention" } else { "frame" };
        entry(f, frame, &self.convention.text)?;
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
        writeln!(f)?;
        self.limits(f)?;
        if let Some(reach) = &self.reach {
            let [low, high, radius] = [reach.z_lowest, reach.z_highest, reach.radius].map(|x| short(x * 1e3));
            entry(f, "reach", &format!("z {low} to {high} mm on the axis, up to {radius} mm from the axis"))?;
        }
        self.home(f)
    }
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
        titles.sort_by_key(|(_, slides)| *slides);
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
        let effort = facts::of_motors(joints, |joint| {
            Some(format!("{} {}", short(joint.max_effort?), joint.effort_unit()))
        });
        if let Some(text) = effort {
            entry(f, largest_effort, &text)?;
        }
        let speed =
            facts::of_motors(joints, |joint| Some(format!("{} {}/s", short(joint.max_speed?), joint.unit())));
        speed.map_or(Ok(()), |text| entry(f, "largest speed", &text))
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
            motors.map(|(q, joint)| if joint.slides { q * 1e3 } else { q.to_degrees() }).collect();
        entry(f, values, &format!("({}) {}", short_list(&q), either("deg", "mm")))?;
        if let Some(gravity) = &rest.gravity_effort {
            let unit = either("N m", "N");
            entry(f, effort, &format!("({}) {unit} against gravity", short_list(gravity)))?;
        }
        let is_delta = self.reach.is_some();
        let best = if is_delta { ", 1 the best there is" } else { "" };
        writeln!(f, "distance to singularities there: 0 singular{best}")?;
        let turns_at = self.home.orientation.as_ref().map(|_| self.platform_size);
        for (name, text) in facts::singularity(is_delta, turns_at, &rest.singularity) {
            entry(f, &format!("  {name}"), &text)?;
        }
        if let Some(sketch) = &self.sketch {
            writeln!(f, "\n{}\n\n{}", sketch.title, sketch.picture)?;
        }
        Ok(())
    }
}

/// The properties one below the other; what there is for each leg in one table.
fn properties(f: &mut fmt::Formatter<'_>, list: &[Property]) -> fmt::Result {
    for property in list {
        if let PropertyValue::Legs(legs) = &property.value {
            for (k, leg) in legs.iter().enumerate() {
                entry(f, &format!("  leg {}", k + 1), &leg_text(leg))?;
            }
        } else if let Some(text) = property.value.text() {
            entry(f, &format!("  {}", property.label()), &text)?;
        }
    }
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
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
            let head = if axis == 0 { format!("{heading} x{unit}") } else { name.to_owned() };
            table.push(std::iter::once(head).chain(vectors.iter().map(|v| show(v[axis]))).collect());
        }
    }
    let height = table.iter().map(Vec::len).max().unwrap_or(0);
    let names = (0..height).map(|k| if k == 0 { "  leg".into() } else { format!("  {k}") });
    table.insert(0, names.collect());
    if height == 0 { Ok(()) } else { f.write_str(&columns(&table)) }
}

// Columns of names do not run into their texts.
const _: () = assert!("  platform spacing".len() < NAME);
