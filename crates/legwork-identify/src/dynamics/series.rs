//! From a log to rows for least squares: evenly spaced, filtered, differentiated, thinned out.
//!
//! Places are filtered at twice the cut-off and differentiated; efforts and all columns of the regressor then go through
//! the same low pass, so that what it takes away it takes away on both sides; in the end only as many rows are kept as the
//! filter leaves independent.

use super::filter::{at_even_times, derivatives, highest_frequency, lagged, low_pass, median};
use super::log::Log;
use super::matrix::Columns;
use super::parameters::{MotorNumber, Place};
use super::regressor::Regressor;
use legwork::task::Handle;
use legwork::{PlatformState, RobotError};

/// A log on its way to rows.
#[derive(Clone, Debug)]
pub struct Series {
    /// Time of each row \[s\].
    pub time: Vec<f64>,
    /// Cut-off of the low pass \[Hz\].
    pub cut_off: f64,
    /// Columns of the regressor, of each motor, filtered.
    pub columns: Vec<Columns>,
    /// What does not depend on parameters, of each motor.
    pub known: Vec<Vec<f64>>,
    /// How fast the columns change, of each motor \[1/s\].
    pub column_rates: Vec<Columns>,
    /// How fast what is known changes.
    pub known_rate: Vec<Vec<f64>>,
    /// What a kilogram on the platform adds, of each motor.
    pub payload: Vec<Vec<f64>>,
    /// Speeds of each motor.
    pub speed: Vec<Vec<f64>>,
    /// Efforts as they were logged, at the even times.
    raw: Vec<Vec<f64>>,
    rate: f64,
    middle_rate: f64,
    every: [usize; 2],
    inside: std::ops::Range<usize>,
    start: f64,
}

/// Why a log gives no rows.
#[derive(Debug)]
pub enum SeriesError {
    /// The robot cannot be there, or efforts cannot be had: time \[s\], places of the motors.
    Posture(f64, Vec<f64>, Box<RobotError>),
    /// So much is cut away at the ends that nothing is left: what there is and what is needed \[s\].
    Short(f64, f64),
    /// The caller cancelled.
    Cancelled,
}

impl Series {
    /// Of a log; a cut-off \[Hz\] is chosen if none is given.
    pub fn of(
        log: &Log,
        regressor: &mut Regressor,
        cut_off: Option<f64>,
        handle: &Handle<'_>,
    ) -> Result<Self, SeriesError> {
        let step = median(&log.time.windows(2).map(|two| two[1] - two[0]).collect::<Vec<f64>>());
        let (start, end) = (log.time[0], log.time[log.time.len() - 1]);
        let count = ((end - start) / step * (1.0 + 1e-9)).floor() as usize + 1;
        let even = |list: &Vec<f64>| at_even_times(&log.time, list, start, step, count);
        let q: Vec<Vec<f64>> = log.q.iter().map(even).collect();
        let raw: Vec<Vec<f64>> = log.effort.iter().map(even).collect();
        let rate = 1.0 / step;
        let cut_off =
            cut_off.unwrap_or_else(|| (10.0 * highest_frequency(&q, rate)).max(5.0)).min(0.1 * rate);
        // Eight rows in a period of the cut-off for the regressor, then what the filter leaves.
        let first = ((rate / (8.0 * cut_off)).floor() as usize).max(1);
        let middle_rate = rate / first as f64;
        let last = ((middle_rate / (2.0 * cut_off)).floor() as usize).max(1);
        let smooth: Vec<Vec<f64>> = q.iter().map(|q| low_pass(q, rate, 2.0 * cut_off)).collect();
        let rates: Vec<[Vec<f64>; 2]> = smooth.iter().map(|q| derivatives(q, step)).collect();
        // Dry friction jumps: its sign goes through the same filter as efforts, before rows are left out.
        let signs: Vec<Vec<f64>> = rates
            .iter()
            .map(|[speed, _]| {
                low_pass(&speed.iter().map(|w| sign(*w)).collect::<Vec<f64>>(), rate, 2.0 * cut_off)
            })
            .collect();
        let dry = dry_columns(regressor);
        let motors = q.len();
        let parameters = regressor.parameters().list.len();
        let mut columns = vec![Columns(vec![Vec::new(); parameters]); motors];
        let [mut known, mut payload, mut speed] =
            [const { Vec::new() }; 3].map(|_: Vec<Vec<f64>>| vec![Vec::new(); motors]);
        let mut near = regressor.robot().led_pose();
        let rows = count.div_ceil(first);
        for (row, k) in (0..count).step_by(first).enumerate() {
            if row % 64 == 0 {
                handle.go_on().map_err(|_| SeriesError::Cancelled)?;
                handle.report(row as f64 / rows as f64, "regressor");
            }
            let at = |lists: &dyn Fn(usize) -> f64| -> Vec<f64> { (0..motors).map(lists).collect() };
            let (q, qd, qdd) = (at(&|m| smooth[m][k]), at(&|m| rates[m][0][k]), at(&|m| rates[m][1][k]));
            let refused = |error| SeriesError::Posture(start + step * k as f64, q.clone(), Box::new(error));
            let state = regressor.robot().platform_from_joints(&q, &qd, &qdd, &near).map_err(refused)?;
            near = PlatformState::at(state.position).turned(state.rotation);
            regressor.lead(&near).map_err(refused)?;
            let mut found = regressor.rows(&state).map_err(refused)?;
            for (column, motor) in &dry {
                let factor = signs[*motor][k] * sign(qd[*motor]);
                found.columns.0[*column].iter_mut().for_each(|x| *x *= factor);
            }
            for motor in 0..motors {
                for (all, own) in columns[motor].0.iter_mut().zip(&found.columns.0) {
                    all.push(own[motor]);
                }
                known[motor].push(found.known[motor]);
                payload[motor].push(found.payload[motor]);
                speed[motor].push(qd[motor]);
            }
        }
        // Two periods of the cut-off at either end are the filter's.
        let lost = (2.0 * middle_rate / cut_off).ceil() as usize;
        if rows <= 2 * lost + 10 {
            return Err(SeriesError::Short(end - start, (2 * lost + 60) as f64 / middle_rate));
        }
        let inside = lost..rows - lost;
        let mut series = Self {
            time: Vec::new(),
            cut_off,
            columns: Vec::new(),
            known: Vec::new(),
            column_rates: Vec::new(),
            known_rate: Vec::new(),
            payload: Vec::new(),
            speed: Vec::new(),
            raw,
            rate,
            middle_rate,
            every: [first, last],
            inside,
            start,
        };
        let thin = |list: &Vec<f64>| series.thinned(list);
        let all = columns.iter().map(|columns| Columns(columns.0.iter().map(thin).collect())).collect();
        let rate_of = |list: &Vec<f64>| series.thinned(&derivatives(list, 1.0 / middle_rate)[0]);
        let rates: Vec<Columns> =
            columns.iter().map(|columns| Columns(columns.0.iter().map(rate_of).collect())).collect();
        let known_rate = known.iter().map(rate_of).collect();
        let [known, payload] = [known, payload].map(|lists| lists.iter().map(thin).collect());
        let picked = |list: &Vec<f64>| list[series.inside.clone()].iter().step_by(last).copied().collect();
        let speed = speed.iter().map(picked).collect();
        (series.columns, series.known, series.payload, series.speed) = (all, known, payload, speed);
        (series.column_rates, series.known_rate) = (rates, known_rate);
        let times = series.inside.clone().step_by(last);
        series.time = times.map(|k| series.start + (k * first) as f64 * step).collect();
        Ok(series)
    }

    /// The last low pass and the last thinning.
    fn thinned(&self, list: &[f64]) -> Vec<f64> {
        let filtered = low_pass(list, self.middle_rate, self.cut_off);
        filtered[self.inside.clone()].iter().step_by(self.every[1]).copied().collect()
    }

    /// The efforts of a motor that was told what was logged and has this lag \[s\], in the rows.
    pub fn effort(&self, motor: usize, lag: f64) -> Vec<f64> {
        let given = lagged(&self.raw[motor], 1.0 / self.rate, lag);
        let smooth = low_pass(&given, self.rate, 2.0 * self.cut_off);
        let middle: Vec<f64> = smooth.iter().step_by(self.every[0]).copied().collect();
        self.thinned(&middle)
    }

    /// Rows a second.
    pub fn row_rate(&self) -> f64 {
        self.middle_rate / self.every[1] as f64
    }
}

/// −1, 0 or 1.
fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

/// Columns of dry friction, each with its motor.
fn dry_columns(regressor: &Regressor) -> Vec<(usize, usize)> {
    let list = regressor.parameters().list.iter().enumerate();
    list.filter_map(|(k, parameter)| match parameter.place {
        Place::Motor { motor: Some(motor), number: MotorNumber::Coulomb } => Some((k, motor)),
        _ => None,
    })
    .collect()
}
