//! What was identified of the motors, with standard deviations.

use crate::description::Identified;
use crate::text::short;
use serde::Serialize;

/// A number that was identified.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FoundNumber {
    /// What it is: `viscous`, `coulomb`, `offset`.
    pub what: &'static str,
    /// Its value \[`unit`\].
    pub value: f64,
    /// Its standard deviation \[`unit`\], if the file has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sigma: Option<f64>,
    /// The unit of both.
    pub unit: &'static str,
}

/// A motor as it was identified.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct IdentifiedSummary {
    /// Its joint: `q1`.
    pub joint: String,
    /// Friction and offset.
    pub numbers: Vec<FoundNumber>,
}

impl IdentifiedSummary {
    /// The motors of the table `[identified]`.
    pub(super) fn of(identified: &Identified) -> Vec<Self> {
        let sigma = |name: String| {
            identified.parameters.iter().find(|parameter| parameter.name == name).map(|found| found.sigma)
        };
        let motor = |motor: &crate::description::IdentifiedMotor| {
            let [rate, effort] = if motor.slides { ["N s/m", "N"] } else { ["N m s/rad", "N m"] };
            let each = [
                ("viscous", motor.viscous_friction, rate),
                ("coulomb", motor.coulomb_friction, effort),
                ("offset", Some(motor.offset), effort),
            ];
            let number = |(what, value, unit): (&'static str, Option<f64>, &'static str)| {
                let sigma = sigma(format!("{}.{what}", motor.joint));
                Some(FoundNumber { what, value: value?, sigma, unit })
            };
            Self { joint: motor.joint.clone(), numbers: each.into_iter().filter_map(number).collect() }
        };
        identified.motors.iter().map(motor).collect()
    }

    /// `viscous 0.334 +- 0.014 N m s/rad, coulomb ...`
    pub(super) fn text(&self) -> String {
        let one = |number: &FoundNumber| {
            let FoundNumber { what, value, sigma, unit } = number;
            match sigma {
                Some(sigma) => format!("{what} {} +- {} {unit}", three_digits(*value), three_digits(*sigma)),
                None => format!("{what} {} {unit}", three_digits(*value)),
            }
        };
        self.numbers.iter().map(one).collect::<Vec<_>>().join(", ")
    }
}

/// A number to three digits.
fn three_digits(x: f64) -> String {
    format!("{x:.2e}").parse().map_or_else(|_| x.to_string(), short)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::{IdentifiedMotor, IdentifiedParameter};

    #[test]
    fn friction_has_its_deviation_and_what_is_not_there_is_not_said() {
        let motor = IdentifiedMotor {
            joint: "q1".into(),
            slides: false,
            inertia: None,
            viscous_friction: Some(0.33366),
            coulomb_friction: None,
            offset: -0.11381,
        };
        let sigma = IdentifiedParameter {
            name: "q1.viscous".into(),
            value: 0.33366,
            sigma: 0.01376,
            unit: Some("N m s/rad".into()),
        };
        let file = Identified { motors: vec![motor], parameters: vec![sigma], ..Identified::default() };
        let [found] = IdentifiedSummary::of(&file).try_into().expect("one motor");
        assert_eq!(found.text(), "viscous 0.334 +- 0.0138 N m s/rad, offset -0.114 N m");
    }
}
