//! Whether efforts can be those of the robot: units, gears, signs and the order of the columns.

use super::identify::{Prediction, refused};
use super::matrix::{add, dot};
use super::series::Series;
use legwork::AnyRobot;
use legwork::task::TaskError;
use legwork::text::short;

/// Efforts that follow the motion less than this, as a correlation, are not those of this motor.
const UNLIKE: f64 = -0.5;
/// And those that follow the motion of another motor as well as this are that motor's.
const ALIKE: f64 = 0.95;
/// A share of the efforts that no robot of this kind explains, beyond which something is wrong with a log.
const UNEXPLAINED: f64 = 0.2;

/// What the robot of the file needs of a motor.
fn modelled(series: &Series, motor: usize, file: &[f64]) -> Vec<f64> {
    let mut model = series.columns[motor].times(file);
    add(&mut model, 1.0, &series.known[motor]);
    model
}

/// Refuses efforts that are off by the factor of a unit, of a gear or of a sign.
pub(super) fn check_scale(robot: &AnyRobot, used: &[Series], file: &[f64]) -> Result<(), TaskError> {
    let (mut along, mut size) = (0.0, 0.0);
    for series in used {
        for motor in 0..robot.joints().len() {
            let model = modelled(series, motor, file);
            along += dot(&model, &series.effort(motor, 0.0));
            size += dot(&model, &model);
        }
    }
    let factor = along / size;
    let gear = robot.joints().first().map_or(1.0, legwork::Joint::gear_ratio);
    let near = |value: f64| (factor / value).abs().ln().abs() < 0.35;
    let what = |reason: &str| {
        format!("the efforts are about {factor:.3} times what the robot of the file needs: {reason}")
    };
    let hint = "say so in the column, `tau1 [mN m]`, or by `effort_unit`, `motor_constant`, `at_motor`; with `any_scale` they are taken as they are";
    let reason = if factor < 0.0 && factor > -10.0 {
        "they have the other sign; positive is in the direction of q"
    } else if (0.3..3.0).contains(&factor) {
        return Ok(());
    } else if gear > 3.0 && near(1.0 / gear) {
        "one over the gear ratio, so they may count at the motor's shaft"
    } else if gear > 3.0 && near(gear) {
        "the gear ratio, so the gear may be counted twice"
    } else if near(1000.0) || near(0.001) {
        "a thousand, so mA may be taken for A, or mN m for N m"
    } else if near(57.3) || near(1.0 / 57.3) {
        "57.3, so degrees may be taken for radians"
    } else if !(0.05..20.0).contains(&factor) {
        "too far off to be another mass"
    } else {
        return Ok(());
    };
    Err(refused(what(reason), hint))
}

/// How alike two lists go up and down: their correlation.
fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let about_mean = |list: &[f64]| -> Vec<f64> {
        let mean = list.iter().sum::<f64>() / list.len().max(1) as f64;
        list.iter().map(|x| x - mean).collect()
    };
    let (a, b) = (about_mean(a), about_mean(b));
    dot(&a, &b) / (dot(&a, &a) * dot(&b, &b)).sqrt()
}

/// Refuses a motor whose efforts go up where the motion needs less, and motors whose columns are in another order.
pub(super) fn check_order(robot: &AnyRobot, used: &[Series], file: &[f64]) -> Result<(), TaskError> {
    let motors = robot.joints().len();
    let name = |motor: usize| robot.joints().get(motor).map_or("a motor", |joint| joint.name.as_str());
    let hint = "look at the columns of the log; with `any_scale` they are taken as they are";
    for series in used {
        let needed: Vec<Vec<f64>> = (0..motors).map(|motor| modelled(series, motor, file)).collect();
        for motor in 0..motors {
            let effort = series.effort(motor, 0.0);
            let own = correlation(&effort, &needed[motor]);
            let of_other = |other: &usize| {
                *other != motor && own < ALIKE - 0.2 && {
                    let theirs = correlation(&series.effort(*other, 0.0), &needed[motor]);
                    correlation(&effort, &needed[*other]) > ALIKE && theirs > ALIKE
                }
            };
            if let Some(other) = (0..motors).find(of_other) {
                let (a, b) = (name(motor), name(other));
                return Err(refused(format!("the efforts of {a} and {b} are those of {b} and {a}"), hint));
            }
            if own < UNLIKE {
                let what = format!(
                    "the effort of {} goes down where its motion needs more (correlation {}): it has the other sign",
                    name(motor),
                    short((100.0 * own).round() / 100.0)
                );
                return Err(refused(what, hint));
            }
        }
    }
    Ok(())
}

/// What to say where much of the efforts is left over.
pub(super) fn unexplained(fit: &Prediction) -> Option<String> {
    let [_, after] = fit.relative();
    (after > UNEXPLAINED).then(|| {
        let share = short((100.0 * after).round());
        format!(
            "{share} % of the efforts are not explained by any robot of this kind: look at signs, order and gears of the \
             motors, at their constants, and for something that the robot touched"
        )
    })
}
