//! The identification itself: from logs to base parameters with their deviations, to a robot that can exist, and to what
//! it predicts of motions that were not used.

use super::base::BaseParameters;
use super::doubts::{check_order, check_scale, unexplained};
use super::estimate::{Estimate, Rows, estimate};
use super::feasible::feasible;
use super::filter::rms;
use super::log::Log;
use super::matrix::{Columns, add, dot, norm};
use super::parameters::{MotorNumber, Place};
use super::regressor::Regressor;
use super::series::{Series, SeriesError};
use super::signs::{Trial, check_friction, check_places};
use legwork::description::RobotDescription;
use legwork::task::{Handle, TaskError};
use legwork::{AnyRobot, PlatformState};

/// Rows of a motor that moves slower than this part of its fastest are left out: dry friction changes its sign there.
const SLOW: f64 = 0.02;
/// Below this part of its length a column is, in this log, what the others make of it.
const NOT_EXCITED: f64 = 1e-4;
/// Longest lag that is believed \[s\].
const LONGEST_LAG: f64 = 0.05;

/// How the lag of the drives is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Lag {
    /// Estimated.
    #[default]
    Estimated,
    /// Known \[s\]; zero where measured currents or torques were logged.
    Known(f64),
}

/// How a log is used.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// Cut-off of the low pass \[Hz\]; `None` is ten times the highest frequency of the motion.
    pub cut_off: Option<f64>,
    /// Of the drives.
    pub lag: Lag,
    /// Of the random states that tell the base parameters.
    pub seed: u64,
    /// Whether efforts may be off the file's by any factor.
    pub any_scale: bool,
}

/// One base parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct BaseValue {
    /// Its combination.
    pub name: String,
    /// \[unit\]
    pub unit: &'static str,
    /// In the file.
    pub file: f64,
    /// Estimated; as in the file if the log does not tell it.
    pub value: f64,
    /// Its standard deviation; `None` if the log does not tell it.
    pub sigma: Option<f64>,
}

/// How well a robot predicts a log.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// Root mean square of each motor's effort \[N m or N\], filtered.
    pub effort: Vec<f64>,
    /// Of its error with the robot of the file.
    pub before: Vec<f64>,
    /// With the identified robot.
    pub after: Vec<f64>,
    /// Time of the rows \[s\].
    pub time: Vec<f64>,
    /// Efforts of each motor as measured and as predicted.
    pub measured: Vec<Vec<f64>>,
    /// By the identified robot.
    pub predicted: Vec<Vec<f64>>,
}

impl Prediction {
    /// Error over effort, all motors together, before and after.
    pub fn relative(&self) -> [f64; 2] {
        [&self.before, &self.after].map(|error| norm(error) / norm(&self.effort).max(1e-300))
    }
}

/// A mass on the platform.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PayloadValue {
    /// More than the robot of the file carries, at the platform point \[kg\].
    pub mass: f64,
    /// \[kg\]
    pub sigma: f64,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Identification {
    /// The base parameters.
    pub base: Vec<BaseValue>,
    /// Parameters that efforts do not depend on, whatever the motion.
    pub without_effect: Vec<String>,
    /// Parameters that are known only in combinations.
    pub only_together: Vec<String>,
    /// The smallest singular value that counts and the largest that does not.
    pub gap: [f64; 2],
    /// Condition of the scaled columns of the logs.
    pub condition: f64,
    /// Lag of the drives and its deviation \[s\].
    pub lag: (f64, Option<f64>),
    /// Cut-off of the low pass \[Hz\].
    pub cut_off: f64,
    /// How many rows counted.
    pub rows: usize,
    /// How residuals of rows that follow each other go together.
    pub correlation: f64,
    /// Deviation of a row of each motor \[N m or N\].
    pub noise: Vec<f64>,
    /// The robot with what was found.
    pub robot: AnyRobot,
    /// Its description, motors written out.
    pub description: RobotDescription,
    /// The logs that were used.
    pub fit: Prediction,
    /// Logs that were not used.
    pub validation: Vec<Prediction>,
    /// What the platform carries in other logs.
    pub payloads: Vec<PayloadValue>,
    /// What should be known.
    pub notes: Vec<String>,
}

/// Logs by what they are for.
#[derive(Clone, Debug, Default)]
pub struct Logs {
    /// To identify from.
    pub used: Vec<Log>,
    /// To predict.
    pub unseen: Vec<Log>,
    /// With something on the platform.
    pub loaded: Vec<Log>,
}

pub(super) fn refused(what: impl Into<String>, hint: impl Into<String>) -> TaskError {
    TaskError::Unusable {
        what: "cannot identify from this log".into(),
        cause: what.into(),
        hint: Some(hint.into()),
    }
}

/// Identifies a robot.
#[allow(clippy::too_many_lines)] // one stage after the other
pub fn identify(
    robot: &AnyRobot,
    logs: &Logs,
    settings: &Settings,
    handle: &Handle<'_>,
) -> Result<Identification, TaskError> {
    let mut regressor = Regressor::new(robot)?;
    let base = BaseParameters::of(&regressor, settings.seed)?;
    let prepared = |list: &[Log], regressor: &mut Regressor| -> Result<Vec<Series>, TaskError> {
        list.iter().map(|log| series_of(log, regressor, settings, handle)).collect()
    };
    let used = prepared(&logs.used, &mut regressor)?;
    let unseen = prepared(&logs.unseen, &mut regressor)?;
    let loaded = prepared(&logs.loaded, &mut regressor)?;
    let parameters = regressor.parameters();
    let (file, motors) = (parameters.values(), robot.joints().len());
    let file_base = base.values(&file);
    let mut notes: Vec<String> = logs.used.iter().flat_map(|log| log.notes.clone()).collect();
    // What this motion tells: columns that are not made of the others.
    let all = used_columns(&used, &base, motors);
    let excited = BaseParameters::of_columns_within(&all, NOT_EXCITED);
    if excited.count() == 0 {
        return Err(refused("the motion tells nothing about any parameter", RECORD));
    }
    let mut rows = rows_of(&used, &all.picked(&excited.independent), motors);
    if !settings.any_scale {
        let trial = trial_of(&used, &rows, (&base, &excited, &file_base), motors);
        trial.check(robot)?;
        check_places(robot, trial.as_it_is(), |motor| {
            let turned: Vec<Log> = logs.used.iter().map(|log| turned_log(log, motor)).collect();
            let mut other = Regressor::new(robot).ok()?;
            let series: Result<Vec<Series>, _> =
                turned.iter().map(|log| series_of(log, &mut other, settings, handle)).collect();
            let series = series.ok()?;
            let all = used_columns(&series, &base, motors);
            let rows = rows_of(&series, &all.picked(&excited.independent), motors);
            Some(trial_of(&series, &rows, (&base, &excited, &file_base), motors))
        })?;
    }
    if !settings.any_scale {
        check_scale(robot, &used, &file)?;
        check_order(robot, &used, &file)?;
    }
    let (lag, found) = solved(&used, &mut rows, (&base, &excited, &file_base), settings, motors)?;
    let scaled: Vec<Vec<f64>> =
        rows.columns.0.iter().take(excited.count()).map(|column| unit(column)).collect();
    let values = Columns(scaled).singular_values();
    let condition = values.first().copied().unwrap_or(1.0) / values.last().copied().unwrap_or(1.0);
    let sigma = found.sigma();
    let (mut estimated, mut deviation) = (file_base.clone(), vec![None; base.count()]);
    for (k, place) in excited.independent.iter().enumerate() {
        (estimated[*place], deviation[*place]) = (found.values[k], Some(sigma[k]));
    }
    if !settings.any_scale {
        let told = |motor: usize, number: MotorNumber| {
            let is_it =
                |place: usize| parameters.list[place].place == Place::Motor { motor: Some(motor), number };
            let k = base.independent.iter().position(|place| is_it(*place))?;
            Some((estimated[k], deviation[k]?))
        };
        let effort = |motor: usize| {
            rms(&used.iter().flat_map(|series| series.effort(motor, 0.0)).collect::<Vec<f64>>())
        };
        check_friction(robot, effort, |motor| {
            [told(motor, MotorNumber::Viscous), told(motor, MotorNumber::Coulomb)]
        })?;
    }
    let untold: Vec<&str> = (0..base.count())
        .filter(|k| deviation[*k].is_none())
        .map(|k| parameters.list[base.independent[k]].name.as_str())
        .collect();
    if !untold.is_empty() {
        notes.push(format!(
            "this motion does not tell {}: they stay as in the file; {RECORD}",
            untold.join(", ")
        ));
    }
    let theta = possible(&base, &excited, parameters, &found)
        .ok_or_else(|| refused("no bodies that can exist come near to what was found", RECORD))?;
    let description = parameters.described(&theta);
    let identified = parameters.robot(&theta).map_err(|error| {
        let cause = error.to_string();
        refused(
            format!("what was found makes no robot: {}", cause.lines().next_back().unwrap_or_default()),
            RECORD,
        )
    })?;
    let chosen_lag = lag.0;
    let predict = |series: &[Series]| prediction(series, (&file, &theta), chosen_lag, motors);
    let payloads = loaded
        .iter()
        .map(|series| payload_of(series, &theta, (&base, &excited, &found), chosen_lag, motors))
        .collect();
    let fit = predict(&used);
    notes.extend(unexplained(&fit));
    let names = base.names(parameters);
    let list = base.independent.iter().enumerate().map(|(k, place)| BaseValue {
        name: names[k].clone(),
        unit: parameters.list[*place].unit,
        file: file_base[k],
        value: estimated[k],
        sigma: deviation[k],
    });
    Ok(Identification {
        base: list.collect(),
        without_effect: base.without_effect.iter().map(|k| parameters.list[*k].name.clone()).collect(),
        only_together: base.only_together(parameters).into_iter().map(str::to_owned).collect(),
        gap: base.gap,
        condition,
        lag,
        cut_off: used.first().map_or(f64::NAN, |series| series.cut_off),
        rows: found.rows,
        correlation: found.correlation.first().copied().unwrap_or(0.0),
        noise: found.noise.clone(),
        fit,
        validation: unseen.iter().map(|series| predict(std::slice::from_ref(series))).collect(),
        payloads,
        robot: identified,
        description,
        notes,
    })
}

const RECORD: &str = "record a motion of `legwork excite`, which moves all motors in many ways";

/// A log with the places of a motor the other way.
fn turned_log(log: &Log, motor: usize) -> Log {
    let mut turned = log.clone();
    turned.q.get_mut(motor).into_iter().flatten().for_each(|q| *q = -*q);
    turned
}

/// The efforts of logs against all robots of their kind.
fn trial_of(
    used: &[Series],
    rows: &Rows,
    (base, excited, file_base): (&BaseParameters, &BaseParameters, &[f64]),
    motors: usize,
) -> Trial {
    let list = |of: &dyn Fn(&Series, usize) -> Vec<f64>| -> Vec<f64> {
        used.iter().flat_map(|series| (0..motors).flat_map(move |motor| of(series, motor))).collect()
    };
    let effort = list(&|series, motor| series.effort(motor, 0.0));
    let mut rest = list(&|series, motor| series.known[motor].clone());
    let all = used_columns(used, base, motors);
    for k in (0..base.count()).filter(|k| !excited.independent.contains(k)) {
        add(&mut rest, file_base[k], &all.0[k]);
    }
    Trial::new(rows, &effort, &rest, motors)
}

fn unit(column: &[f64]) -> Vec<f64> {
    let size = norm(column).max(1e-300);
    column.iter().map(|x| x / size).collect()
}

fn series_of(
    log: &Log,
    regressor: &mut Regressor,
    settings: &Settings,
    handle: &Handle<'_>,
) -> Result<Series, TaskError> {
    Series::of(log, regressor, settings.cut_off, handle).map_err(|error| match error {
        SeriesError::Cancelled => TaskError::Cancelled,
        SeriesError::Short(there, needed) => refused(
            format!("{there:.2} s are too short for a filter that needs {needed:.2} s"),
            "record at least ten seconds, or give a higher `cut_off`",
        ),
        SeriesError::Posture(time, q, error) => {
            let robot = regressor.robot();
            let list: Vec<String> = q.iter().map(|q| format!("{q:.4}")).collect();
            let what =
                format!("at {time:.3} s the motors are at {}, which is no posture: {error}", list.join(", "));
            let other = |factor: f64| {
                let q: Vec<f64> = q.iter().map(|q| q * factor).collect();
                let still = vec![0.0; q.len()];
                robot
                    .platform_from_joints(
                        &q,
                        &still,
                        &still,
                        &PlatformState::at(robot.home().position).turned(robot.home().rotation),
                    )
                    .is_ok()
            };
            let turns = robot.joints().iter().all(|joint| !joint.slides);
            let hint = if turns && other(1f64.to_radians()) {
                "in degrees it would be one: name the columns `q1 [deg]`, or give `position_unit = \"deg\"`"
            } else if !turns && other(1e-3) {
                "in millimetres it would be one: name the columns `q1 [mm]`, or give `position_unit = \"mm\"`"
            } else {
                "look for another zero or sign of the motors than the robot file has, and for its lengths"
            };
            refused(what, hint)
        }
    })
}

/// The columns of the base parameters over all logs, motor by motor.
fn used_columns(used: &[Series], base: &BaseParameters, motors: usize) -> Columns {
    let column = |place: &usize| {
        let lists =
            used.iter().flat_map(|series| (0..motors).map(move |motor| &series.columns[motor].0[*place]));
        lists.flatten().copied().collect()
    };
    Columns(base.independent.iter().map(column).collect())
}

/// Rows without their right side.
fn rows_of(used: &[Series], columns: &Columns, motors: usize) -> Rows {
    let (mut stretches, mut kept, mut begin) = (Vec::new(), Vec::new(), 0);
    for series in used {
        for motor in 0..motors {
            let speeds = &series.speed[motor];
            let fastest = speeds.iter().fold(0.0_f64, |most, speed| most.max(speed.abs()));
            kept.extend(speeds.iter().map(|speed| speed.abs() > SLOW * fastest));
            stretches.push((begin..begin + speeds.len(), motor));
            begin += speeds.len();
        }
    }
    Rows { columns: columns.clone(), y: vec![0.0; begin], kept, stretches }
}

/// Efforts less what is known, with a lag.
fn right_side(used: &[Series], motors: usize, lag: f64) -> Vec<f64> {
    let one = |(series, motor): (&Series, usize)| {
        let mut y = series.effort(motor, lag);
        add(&mut y, -1.0, &series.known[motor]);
        y
    };
    used.iter().flat_map(|series| (0..motors).map(move |motor| (series, motor))).flat_map(one).collect()
}

type LagFound = (f64, Option<f64>);

/// Least squares with the lag by Gauss and Newton.
fn solved(
    used: &[Series],
    rows: &mut Rows,
    (base, excited, file_base): (&BaseParameters, &BaseParameters, &[f64]),
    settings: &Settings,
    motors: usize,
) -> Result<(LagFound, Estimate), TaskError> {
    let all = used_columns(used, base, motors);
    // What the motion does not tell is as in the file.
    let mut fixed = vec![0.0; rows.y.len()];
    for k in (0..base.count()).filter(|k| !excited.independent.contains(k)) {
        add(&mut fixed, file_base[k], &all.0[k]);
    }
    let right = |lag: f64| -> Vec<f64> {
        right_side(used, motors, lag).iter().zip(&fixed).map(|(y, fixed)| y - fixed).collect()
    };
    let too_few =
        || refused("there are fewer rows than parameters, or the rows depend on each other", RECORD);
    let mut lag = match settings.lag {
        Lag::Known(lag) => {
            rows.y = right(lag);
            return Ok(((lag, None), estimate(rows, motors).ok_or_else(too_few)?));
        }
        Lag::Estimated => 0.0,
    };
    // T ẏ + y = u, so −∂y/∂T is the rate of y with the same lag. That of the model is taken and not that of what was
    // measured: the noise of efforts goes through the lag, too, and a slope made of it pulls the lag towards less noise.
    let plain = rows.columns.clone();
    let slope_of = |values: &[f64]| -> Vec<f64> {
        let mut at = file_base.to_vec();
        for (of, value) in excited.independent.iter().zip(values) {
            at[*of] = *value;
        }
        let one = |(series, motor): (&Series, usize)| {
            let mut rate = series.known_rate[motor].clone();
            for (place, value) in base.independent.iter().zip(&at) {
                add(&mut rate, *value, &series.column_rates[motor].0[*place]);
            }
            rate
        };
        used.iter().flat_map(|series| (0..motors).map(move |motor| (series, motor))).flat_map(one).collect()
    };
    rows.y = right(0.0);
    let mut values = estimate(rows, motors).ok_or_else(too_few)?.values;
    let mut last = None;
    for _ in 0..20 {
        rows.y = right(lag);
        let slope = slope_of(&values);
        rows.columns = Columns(plain.0.iter().cloned().chain([slope]).collect());
        let found = estimate(rows, motors).ok_or_else(too_few)?;
        values.clone_from(&found.values);
        values.pop();
        let change = *found.values.last().unwrap_or(&0.0);
        // What tells the lag are the reversals of dry friction, and there residuals are larger than elsewhere.
        let sigma = found.sigma().last().map(|sigma| sigma.max(found.last_by_rows));
        lag = (lag + change).clamp(-LONGEST_LAG, LONGEST_LAG);
        last = Some((sigma, found));
        if change.abs() < 1e-6 {
            break;
        }
    }
    let (sigma, mut found) = last.ok_or_else(too_few)?;
    if lag.abs() >= LONGEST_LAG {
        let what = format!("efforts and motion are more than {LONGEST_LAG} s apart");
        return Err(refused(what, "let both columns have the time of one clock, or give `lag`"));
    }
    found.values.pop();
    Ok(((lag, sigma), found))
}

/// Parameters that can exist and agree with what was found.
fn possible(
    base: &BaseParameters,
    excited: &BaseParameters,
    parameters: &super::parameters::Parameters,
    found: &Estimate,
) -> Option<Vec<f64>> {
    // K: what each parameter adds to the base parameters that the log tells; those that it does not tell stay.
    let count = excited.count();
    let mut map = Columns(vec![vec![0.0; count]; parameters.list.len()]);
    for (row, of) in excited.independent.iter().enumerate() {
        map.0[base.independent[*of]][row] += 1.0;
        for (other, factor) in &base.combinations[*of] {
            map.0[*other][row] += factor;
        }
    }
    let mut covariance = super::matrix::Square::zero(count);
    for i in 0..count {
        for j in 0..count {
            covariance.set(i, j, found.covariance.at(i, j));
        }
    }
    feasible(parameters, &map, &found.values, &covariance)
}

/// What robots predict of logs.
fn prediction(series: &[Series], (file, theta): (&[f64], &[f64]), lag: f64, motors: usize) -> Prediction {
    let mut out = Prediction {
        effort: Vec::new(),
        before: Vec::new(),
        after: Vec::new(),
        time: series.iter().flat_map(|series| series.time.clone()).collect(),
        measured: Vec::new(),
        predicted: Vec::new(),
    };
    for motor in 0..motors {
        let (mut measured, mut by_file, mut by_found) = (Vec::new(), Vec::new(), Vec::new());
        for one in series {
            measured.extend(one.effort(motor, lag));
            for (all, values) in [(&mut by_file, file), (&mut by_found, theta)] {
                let mut model = one.columns[motor].times(values);
                add(&mut model, 1.0, &one.known[motor]);
                all.extend(model);
            }
        }
        let error =
            |model: &[f64]| rms(&model.iter().zip(&measured).map(|(a, b)| a - b).collect::<Vec<f64>>());
        out.effort.push(rms(&measured));
        out.before.push(error(&by_file));
        out.after.push(error(&by_found));
        out.measured.push(measured);
        out.predicted.push(by_found);
    }
    out
}

/// The mass on the platform of a log, by what the identified robot does not explain.
fn payload_of(
    series: &Series,
    theta: &[f64],
    (base, excited, found): (&BaseParameters, &BaseParameters, &Estimate),
    lag: f64,
    motors: usize,
) -> PayloadValue {
    let (mut ww, mut wy, mut squares, mut count) = (0.0, 0.0, 0.0, 0.0);
    let mut cross = vec![0.0; excited.count()];
    let mut left = Vec::new();
    for motor in 0..motors {
        let weight = found.noise[motor].powi(-2);
        let mut rest = series.effort(motor, lag);
        add(&mut rest, -1.0, &series.columns[motor].times(theta));
        add(&mut rest, -1.0, &series.known[motor]);
        let w = &series.payload[motor];
        ww += weight * dot(w, w);
        wy += weight * dot(w, &rest);
        for (slot, of) in cross.iter_mut().zip(&excited.independent) {
            *slot += weight * dot(w, &series.columns[motor].0[base.independent[*of]]);
        }
        left.push((weight, rest, w));
    }
    let mass = wy / ww;
    for (weight, rest, w) in left {
        let errors = rest.iter().zip(w).map(|(rest, w)| rest - mass * w);
        squares += weight * errors.map(|error| error * error).sum::<f64>();
        count += w.len() as f64;
    }
    // Its own noise, with neighbours that go together, and what the parameters of the robot leave open.
    let together = 1.0 + 2.0 * found.correlation.iter().sum::<f64>().max(0.0);
    let own = squares / count / ww * together;
    let slope: Vec<f64> = cross.iter().map(|x| -x / ww).collect();
    let mut from_robot = 0.0;
    for (i, a) in slope.iter().enumerate() {
        for (j, b) in slope.iter().enumerate() {
            from_robot += a * b * found.covariance.at(i, j);
        }
    }
    PayloadValue { mass, sigma: (own + from_robot.max(0.0)).sqrt() }
}
