//! Logs of machines: which column is what, in which unit, and whether the numbers can be used.
//!
//! Time, the place of every motor and its effort are looked for under the names that people give them: `t`, `time_ms`,
//! `q1`, `pos_1 [deg]`, `joint2.position`, `tau1`, `torque_3`, `effort[0]`, `i1_mA`, `current_2 (A)`. Numbers count from one, or from
//! zero if there is a zero.

use super::filter::median;
use super::names::{Meaning, understood};
use legwork::AnyRobot;
use legwork::recording::Recording;
use legwork::text::short;
use legwork::units::Quantity;
use std::f64::consts::TAU;

/// A log in SI units, efforts at the joints.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Log {
    /// \[s\], rising
    pub time: Vec<f64>,
    /// Of each motor \[rad or m\].
    pub q: Vec<Vec<f64>>,
    /// Of each motor, at its joint \[N m or N\].
    pub effort: Vec<Vec<f64>>,
    /// Which columns were taken for what.
    pub columns: Vec<String>,
    /// What should be known about it.
    pub notes: Vec<String>,
}

/// What a reader of a log must know beside its columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LogSettings {
    /// Torque or force of the motors for one ampere \[N m/A or N/A\], at the motor's shaft; one, or one for each motor.
    pub motor_constant: Option<Vec<f64>>,
    /// Whether torques without a word about it count at the motor's shaft, in front of the gear.
    pub at_motor: bool,
    /// The unit of positions whose columns do not say it.
    pub position_unit: Option<String>,
    /// Counts of the encoders for one turn of the joint, or for one metre of one that slides.
    pub counts: Option<f64>,
    /// The unit of efforts or currents whose columns do not say it.
    pub effort_unit: Option<String>,
    /// The letters of the columns of efforts, where there are several: `u`.
    pub effort_columns: Option<String>,
}

/// What is wrong with a log, and what to do.
#[derive(Clone, Debug, PartialEq)]
pub struct LogError {
    /// What is wrong.
    pub what: String,
    /// What to record, or to say, instead.
    pub hint: String,
}

fn refuse<T>(what: impl Into<String>, hint: impl Into<String>) -> Result<T, LogError> {
    Err(LogError { what: what.into(), hint: hint.into() })
}

/// Fewest rows that are worth an estimate.
const FEWEST_ROWS: usize = 50;

struct Found<'a> {
    name: String,
    number: usize,
    unit: Option<String>,
    values: &'a [f64],
    /// The letters in front of the number.
    letters: String,
}

impl Log {
    /// The columns of a recording that say something about the motors of a robot.
    pub fn of(recording: &Recording, robot: &AnyRobot, settings: &LogSettings) -> Result<Self, LogError> {
        let motors = robot.joints().len();
        let own: Vec<String> = robot
            .mechanism_model()
            .map_or_else(Vec::new, |model| model.motors().iter().map(|motor| motor.name.clone()).collect());
        let (mut time, mut groups) = (None, [const { Vec::new() }; 4]);
        for (column, values) in recording.columns().iter().zip(recording.all_values()) {
            let (meaning, number, unit) = understood(&column.name, &column.unit, &own);
            let letters = column.name.split(|c: char| c.is_ascii_digit()).next().unwrap_or("").to_lowercase();
            let found = || Found {
                name: column.name.clone(),
                number: number.unwrap_or(1),
                unit: unit.clone(),
                values,
                letters: letters.clone(),
            };
            match meaning {
                Meaning::Time if time.is_none() => time = Some(found()),
                Meaning::Position if number.is_some() || motors == 1 => groups[0].push(found()),
                Meaning::Effort if number.is_some() || motors == 1 => groups[1].push(found()),
                Meaning::Command if number.is_some() || motors == 1 => groups[2].push(found()),
                Meaning::Current if number.is_some() || motors == 1 => groups[3].push(found()),
                _ => {}
            }
        }
        let [positions, efforts, commands, currents] = groups;
        let names: Vec<&str> = recording.columns().iter().map(|column| column.name.as_str()).collect();
        let there = || format!("its columns are {}", shown(&names));
        let Some(time) = time else {
            return refuse("the log has no column of time", format!("name it `t` or `time`; {}", there()));
        };
        let positions = one_each(positions, motors, &["m", "meas", "act", "enc", "q", "pos"]);
        let Some(positions) = positions else {
            let hint = format!("name the places of the {motors} motors q1 to q{motors}; {}", there());
            return refuse("the log does not say where all motors are", hint);
        };
        let wanted = settings.effort_columns.as_deref().map(str::to_lowercase);
        let mut choices = [(efforts, false), (commands, false), (currents, true)].into_iter();
        let chosen = choices.find_map(|(group, are_currents)| {
            let group: Vec<Found<'_>> = group
                .into_iter()
                .filter(|found| {
                    wanted.as_ref().is_none_or(|word| found.letters.trim_end_matches(['_', '[']) == *word)
                })
                .collect();
            one_each(group, motors, &["tau", "torque", "effort", "force", "u"])
                .map(|group| (group, are_currents))
        });
        let Some((efforts, are_currents)) = chosen else {
            let what = "the log has no efforts and no currents of all motors";
            let hint = format!(
                "name them tau1 to tau{motors}, or i1 to i{motors} with `motor_constant`; {}",
                there()
            );
            return refuse(what, hint);
        };
        let mut log = Self { columns: vec![time.name.clone()], ..Self::default() };
        log.columns.extend(positions.iter().chain(&efforts).map(|found| found.name.clone()));
        log.time = in_unit(&time, Quantity::Time, time.unit.as_deref())?;
        for (joint, found) in robot.joints().iter().zip(&positions) {
            let quantity = if joint.slides { Quantity::Length } else { Quantity::Angle };
            let of_counts = settings.counts.map(|_| "counts");
            let unit = found.unit.as_deref().or(settings.position_unit.as_deref()).or(of_counts);
            let q = if unit.is_some_and(|unit| COUNTS.contains(&unit)) {
                from_counts(found, joint.slides, settings.counts)?
            } else {
                in_unit(found, quantity, unit)?
            };
            let most = q.iter().fold(0.0_f64, |most, q| if q.abs() > most { q.abs() } else { most });
            // More than a turn and a half, or twenty robots: most likely another unit.
            let (doubt, likely) = if joint.slides { (20.0 * robot.length(), "mm") } else { (9.5, "deg") };
            if unit.is_none() && most > doubt {
                let what = format!("`{}` goes up to {most:.1} {}", found.name, joint.unit());
                let hint = if found.values.iter().all(|x| x.fract() == 0.0) {
                    "these are whole numbers: if they are counts of an encoder, give `counts_per_turn`"
                        .to_owned()
                } else {
                    let name = &found.name;
                    format!(
                        "if that is {likely}, name the column `{name} [{likely}]` or give `position_unit`"
                    )
                };
                return refuse(what, hint);
            }
            log.q.push(q);
        }
        log.take_efforts(robot, &efforts, are_currents, settings)?;
        log.check(robot)?;
        Ok(log)
    }

    fn take_efforts(
        &mut self,
        robot: &AnyRobot,
        efforts: &[Found<'_>],
        are_currents: bool,
        settings: &LogSettings,
    ) -> Result<(), LogError> {
        for (k, (joint, found)) in robot.joints().iter().zip(efforts).enumerate() {
            let quantity = if joint.slides { Quantity::Force } else { Quantity::Torque };
            let unit = found.unit.as_deref().or(settings.effort_unit.as_deref());
            let is_current = are_currents || unit.is_some_and(|unit| ["A", "a", "mA", "ma"].contains(&unit));
            let ratio = joint.gear_ratio();
            if !is_current {
                let side = if settings.at_motor { ratio } else { 1.0 };
                self.effort.push(in_unit(found, quantity, unit)?.iter().map(|x| x * side).collect());
                continue;
            }
            let amperes = match unit {
                None | Some("A" | "a") => 1.0,
                Some("mA" | "ma") => 1e-3,
                Some(other) => {
                    return refuse(
                        format!("`{}` is a current in `{other}`", found.name),
                        "its unit is A or mA: `i1 [mA]`",
                    );
                }
            };
            let Some(constants) = &settings.motor_constant else {
                let what = format!(
                    "`{}` is a current, and how much torque or force it makes is not known",
                    found.name
                );
                return refuse(
                    what,
                    "give `motor_constant`: N m/A at the motor's shaft, or N/A of one that slides",
                );
            };
            let constant = constants.get(if constants.len() == 1 { 0 } else { k }).copied();
            let Some(constant) = constant.filter(|constant| constant.is_finite() && *constant != 0.0) else {
                let what =
                    format!("`motor_constant` has {} numbers for {} motors", constants.len(), efforts.len());
                return refuse(what, "give one number that is not zero, or one for each motor");
            };
            self.effort.push(found.values.iter().map(|x| x * amperes * constant * ratio).collect());
        }
        Ok(())
    }

    /// Refuses what cannot be used, and notes what is odd.
    fn check(&mut self, robot: &AnyRobot) -> Result<(), LogError> {
        let rows = self.time.len();
        if rows < FEWEST_ROWS {
            let hint = "record at least ten seconds at 200 Hz or more, along a motion of `legwork excite`";
            return refuse(format!("the log has {rows} rows; {FEWEST_ROWS} are the least"), hint);
        }
        let joints = robot.joints().iter().map(|joint| joint.name.as_str());
        let lists =
            self.q.iter().map(|list| ("place", list)).chain(self.effort.iter().map(|list| ("effort", list)));
        let named = joints.clone().chain(joints).zip(lists);
        for (name, (what, list)) in named {
            if let Some(row) = list.iter().position(|x| !x.is_finite()) {
                let hint = "leave out rows in which something is missing, or fill them in";
                return refuse(format!("row {}: the {what} of {name} is no number", row + 1), hint);
            }
        }
        if let Some(row) = self.time.iter().position(|t| !t.is_finite()) {
            return refuse(format!("row {}: the time is no number", row + 1), "leave the row out");
        }
        let steps: Vec<f64> = self.time.windows(2).map(|two| two[1] - two[0]).collect();
        if let Some(row) = steps.iter().position(|step| *step < 0.0) {
            let what = format!("time goes back by {} s after row {}", short(-steps[row]), row + 1);
            return refuse(what, "sort the rows, or give two runs as two logs");
        }
        let step = median(&steps);
        if step.is_nan() || step <= 0.0 {
            let hint = "a time of its own for every row; times that are rounded to whole steps of the clock are not enough";
            return refuse("most rows have the time of the row before", hint);
        }
        // Rows that came twice say nothing new.
        let twice = steps.iter().filter(|step| **step == 0.0).count();
        if twice > 0 {
            self.drop_repeated();
            self.notes.push(format!("{twice} rows have the time of the row before and were left out"));
        }
        if let Some(row) = steps.iter().position(|other| *other > 20.0 * step) {
            let [gap, usual] = [steps[row], step].map(short);
            let what = format!("{gap} s are missing after row {}, where rows are {usual} s apart", row + 1);
            return refuse(what, "give what is before and after the gap as two logs");
        }
        if step > 0.02 {
            // A thousand rows a second, or a hundred, in another unit.
            let unit = [("ms", 1e-3), ("us", 1e-6), ("ns", 1e-9)].into_iter().find(|(_, s)| step * s < 0.02);
            let hint = match unit.filter(|_| step >= 0.5) {
                Some((unit, _)) => {
                    format!("if the time is in {unit}, name its column `{} [{unit}]`", self.columns[0])
                }
                None => "record at 200 Hz or more: accelerations cannot be had from fewer rows".to_owned(),
            };
            return refuse(format!("the log has {} rows a second", short(1.0 / step)), hint);
        }
        for (joint, (q, effort)) in robot.joints().iter().zip(self.q.iter().zip(&self.effort)) {
            let spread = |list: &[f64]| {
                let (low, high) =
                    list.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(*x), b.max(*x)));
                high - low
            };
            if spread(q) < 1e-4 * if joint.slides { robot.length() } else { 1.0 } {
                let what = format!("{} does not move in this log", joint.name);
                return refuse(what, "record a motion of all motors: `legwork excite` writes one");
            }
            if spread(effort) == 0.0 {
                let what = format!("the effort of {} is always {}", joint.name, effort[0]);
                return refuse(what, "record what the drive gives, not a column that nobody fills");
            }
        }
        Ok(())
    }

    fn drop_repeated(&mut self) {
        let keep: Vec<bool> =
            (0..self.time.len()).map(|k| k == 0 || self.time[k] > self.time[k - 1]).collect();
        let kept = |list: &mut Vec<f64>| {
            let mut k = 0;
            list.retain(|_| {
                k += 1;
                keep[k - 1]
            });
        };
        self.q.iter_mut().chain(&mut self.effort).for_each(kept);
        kept(&mut self.time);
    }
}

/// One column for each motor: those of the letters that are complete, the preferred ones first.
fn one_each<'a>(group: Vec<Found<'a>>, motors: usize, preferred: &[&str]) -> Option<Vec<Found<'a>>> {
    let mut letters: Vec<String> = Vec::new();
    for found in &group {
        if !letters.contains(&found.letters) {
            letters.push(found.letters.clone());
        }
    }
    let place = |word: &String| {
        let word = word.trim_end_matches(['_', '[', '.', ' ']);
        preferred.iter().position(|known| word.ends_with(known)).unwrap_or(preferred.len())
    };
    letters.sort_by_key(place);
    let mut sets: Vec<Vec<Found<'a>>> = letters.iter().map(|_| Vec::new()).collect();
    for found in group {
        let at = letters.iter().position(|word| *word == found.letters)?;
        sets[at].push(found);
    }
    let complete = |set: &Vec<Found<'a>>| {
        let least = set.iter().map(|found| found.number).min()?;
        let first = least.min(1);
        (0..motors)
            .map(|k| set.iter().position(|found| found.number == first + k))
            .collect::<Option<Vec<usize>>>()
    };
    // Columns of joints by name have letters of their own each: then all of them together.
    let at = sets.iter().position(|set| complete(set).is_some());
    let set = match at {
        Some(at) => sets.swap_remove(at),
        None => sets.into_iter().flatten().collect(),
    };
    let order = complete(&set)?;
    let mut slots: Vec<Option<Found<'a>>> = set.into_iter().map(Some).collect();
    order.into_iter().map(|k| slots.get_mut(k)?.take()).collect()
}

/// Units of numbers that an encoder counts.
const COUNTS: &[&str] = &["count", "counts", "ticks", "inc"];

/// Counts of an encoder in rad or m.
fn from_counts(found: &Found<'_>, slides: bool, counts: Option<f64>) -> Result<Vec<f64>, LogError> {
    let Some(counts) = counts.filter(|counts| counts.is_finite() && *counts != 0.0) else {
        let what = format!("`{}` counts an encoder, and how far one count goes is not known", found.name);
        let hint =
            "give `counts_per_turn`: counts for one turn of the joint, gear included, or for one metre";
        return refuse(what, hint);
    };
    let factor = if slides { 1.0 } else { TAU } / counts;
    Ok(found.values.iter().map(|x| x * factor).collect())
}

/// The numbers of a column in SI.
fn in_unit(found: &Found<'_>, quantity: Quantity, unit: Option<&str>) -> Result<Vec<f64>, LogError> {
    let Some(unit) = unit.filter(|unit| !unit.is_empty()) else { return Ok(found.values.to_vec()) };
    let unit = match unit {
        "degree" | "degrees" => "deg",
        "nm" | "Nm" if quantity == Quantity::Torque => "N m",
        "mnm" | "mNm" if quantity == Quantity::Torque => "mN m",
        "n" if quantity == Quantity::Force => "N",
        "kn" if quantity == Quantity::Force => "kN",
        other => other,
    };
    let factor = match (unit, quantity) {
        ("rev" | "revs" | "turn" | "turns", Quantity::Angle) => TAU,
        ("%", _) => {
            let what = format!("`{}` is in per cent", found.name);
            return refuse(what, "per cent of what is not in the log: record N m, N or A");
        }
        ("ns", Quantity::Time) => 1e-9,
        ("us" | "µs", Quantity::Time) => 1e-6,
        _ => match quantity.parse(&format!("1 {unit}")) {
            Ok(measure) => measure.value,
            Err(error) => {
                return refuse(format!("`{}` has the unit `{unit}`: {error}", found.name), error.hint());
            }
        },
    };
    Ok(found.values.iter().map(|x| x * factor).collect())
}

fn shown(names: &[&str]) -> String {
    let few: Vec<String> = names.iter().take(30).map(|name| format!("`{name}`")).collect();
    format!("{}{}", few.join(", "), if names.len() > 30 { ", ..." } else { "" })
}
