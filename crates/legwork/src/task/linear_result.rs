//! A linear model as plain data.

use super::linearize::{LinearForm, LinearModel};
use super::{TaskError, number};
use crate::analysis::linear::order::Order as StateOrder;
use crate::analysis::linear::{DMatrix, Mode, Pole, Signal};
use serde::de::{Deserializer, Error, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use std::fmt;

/// A pole to be placed: a number, or a text such as `-8+6j`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoleRequest(pub Pole);

impl PoleRequest {
    /// A pole as people write it: `-10`, `-8+6j`, `-8-6i`, `5j`.
    pub fn parse(text: &str) -> Result<Self, TaskError> {
        let text = text.replace('\u{2212}', "-");
        let read = |part: &str| part.parse::<f64>().ok().filter(|x| x.is_finite());
        let pole = match text.strip_suffix(['j', 'i']) {
            None => read(&text).map(|re| Pole { re, im: 0.0 }),
            Some(body) => {
                // The last sign that is no exponent's divides the parts.
                let divides = |(at, c): &(usize, char)| {
                    "+-".contains(*c) && *at > 0 && !body[..*at].ends_with(['e', 'E'])
                };
                match body.char_indices().rev().find(divides) {
                    Some((at, _)) => read(&body[..at]).zip(read(&body[at..])).map(|(re, im)| Pole { re, im }),
                    None => read(body).map(|im| Pole { re: 0.0, im }),
                }
            }
        };
        pole.map(Self).ok_or_else(|| {
            TaskError::request(format!("`place`: `{text}` is no pole"))
                .or("write -10 for a real one, -8+6j -8-6j for a pair")
        })
    }
}

impl Serialize for PoleRequest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Pole { re, im } = self.0;
        if im == 0.0 {
            serializer.serialize_f64(re)
        } else {
            serializer.serialize_str(&format!("{re}{im:+}j"))
        }
    }
}

impl<'de> Deserialize<'de> for PoleRequest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NumberOrText;
        impl Visitor<'_> for NumberOrText {
            type Value = PoleRequest;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a pole: a number, or a text such as `-8+6j`")
            }
            fn visit_f64<E: Error>(self, re: f64) -> Result<PoleRequest, E> {
                Ok(PoleRequest(Pole { re, im: 0.0 }))
            }
            fn visit_i64<E: Error>(self, value: i64) -> Result<PoleRequest, E> {
                self.visit_f64(value as f64)
            }
            fn visit_u64<E: Error>(self, value: u64) -> Result<PoleRequest, E> {
                self.visit_f64(value as f64)
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<PoleRequest, E> {
                PoleRequest::parse(text).map_err(E::custom)
            }
        }
        deserializer.deserialize_any(NumberOrText)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for PoleRequest {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "PoleRequest".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "A pole [1/s]: a number, or a text such as \"-8+6j\".",
            "type": ["number", "string"]
        })
    }
}

/// A linear model: ẋ = A x + B u, y = C x + D u; all numbers are differences from the pose.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LinearModelResult {
    /// `legwork-state-space-1`
    pub format: String,
    /// Name of the robot.
    pub robot: String,
    /// Which equations.
    pub form: LinearForm,
    /// What the states are: `joints`, `platform`, `angles of the arms`.
    pub coordinates: String,
    /// The pose, in words.
    pub pose: String,
    /// Names of the states.
    pub state_names: Vec<String>,
    /// Their units.
    pub state_units: Vec<String>,
    /// Names of the inputs.
    pub input_names: Vec<String>,
    /// Their units.
    pub input_units: Vec<String>,
    /// Names of the outputs.
    pub output_names: Vec<String>,
    /// Their units.
    pub output_units: Vec<String>,
    /// A, by rows.
    #[serde(rename = "A")]
    pub a: Vec<Vec<f64>>,
    /// B, by rows.
    #[serde(rename = "B")]
    pub b: Vec<Vec<f64>>,
    /// C, by rows.
    #[serde(rename = "C")]
    pub c: Vec<Vec<f64>>,
    /// D, by rows.
    #[serde(rename = "D")]
    pub d: Vec<Vec<f64>>,
    /// Efforts that hold the robot at the pose: one row \[N m, N\].
    pub hold: Vec<Vec<f64>>,
    /// Mass matrix of the reduced form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mass: Option<Vec<Vec<f64>>>,
    /// Damping matrix of the reduced form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping: Option<Vec<Vec<f64>>>,
    /// Stiffness matrix of the reduced form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<Vec<Vec<f64>>>,
    /// Gains F of u = hold + F (reference − state), if they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gain: Option<Vec<Vec<f64>>>,
    /// Platform point \[m\].
    pub position: [f64; 3],
    /// Orientation by rows.
    pub rotation: [[f64; 3]; 3],
    /// Whether no motion grows.
    pub stable: bool,
    /// Poles, least stable first.
    pub poles: Vec<PoleResult>,
    /// Modes, least stable first.
    pub modes: Vec<ModeResult>,
    /// Invariant zeros from the motors to their joints.
    pub zeros: Vec<PoleResult>,
    /// What the motors can move.
    pub controllable: OrderResult,
    /// What the joints show.
    pub observable: OrderResult,
    /// Hankel singular values.
    pub hankel: HankelResult,
    /// Poles with the gains.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed_loop_poles: Option<Vec<PoleResult>>,
    /// What is left over in the equation of the gains, relative.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gain_residual: Option<f64>,
    /// The poles that close the loops of the constrained form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loops: Option<LoopResult>,
}

/// A pole or a zero.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PoleResult {
    /// Growth \[1/s\]; positive is unstable.
    pub re: f64,
    /// Angular frequency \[rad/s\].
    pub im: f64,
    /// Frequency \[Hz\].
    pub frequency_hz: f64,
    /// Damping ratio; absent at zero.
    #[serde(default)]
    pub damping: Option<f64>,
}

impl From<&Pole> for PoleResult {
    fn from(pole: &Pole) -> Self {
        Self {
            re: pole.re + 0.0,
            im: pole.im + 0.0,
            frequency_hz: pole.frequency_hz(),
            damping: pole.damping(),
        }
    }
}

impl PoleResult {
    /// The pole itself.
    pub fn pole(&self) -> Pole {
        Pole { re: self.re, im: self.im }
    }
}

/// A mode.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ModeResult {
    /// Its pole; of a pair the one with positive frequency.
    #[serde(flatten)]
    pub pole: PoleResult,
    /// How often it is there.
    pub times: usize,
    /// Shapes: change of the actuated joints, the largest 1 \[rad or m\].
    pub motors: Vec<Vec<f64>>,
    /// The same motions of the platform, rotations times the size of the platform, the largest 1 \[m\].
    pub platform: Vec<Vec<f64>>,
    /// Share of each freedom.
    pub shares: Vec<f64>,
    /// Whether all parts move in step.
    pub in_step: bool,
    /// What moves.
    pub words: String,
}

impl From<&Mode> for ModeResult {
    fn from(mode: &Mode) -> Self {
        let Mode { pole, times, motors, platform, shares, in_step, words } = mode.clone();
        Self { pole: (&pole).into(), times, motors, platform, shares, in_step, words }
    }
}

/// How many states can be moved or seen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OrderResult {
    /// So many.
    pub order: usize,
    /// Of so many.
    pub states: usize,
    /// Singular values, step by step of the staircase.
    pub singular_values: Vec<Vec<f64>>,
    /// The smallest that counts.
    #[serde(with = "number::one")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub smallest_kept: f64,
    /// The largest that does not.
    #[serde(with = "number::one")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub largest_dropped: f64,
}

impl From<&StateOrder> for OrderResult {
    fn from(found: &StateOrder) -> Self {
        let StateOrder { order, states, stairs, smallest_kept, largest_dropped } = found.clone();
        Self { order, states, singular_values: stairs, smallest_kept, largest_dropped }
    }
}

/// Hankel singular values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HankelResult {
    /// The values, largest first.
    #[serde(with = "number::list")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Option<f64>>"))]
    pub values: Vec<f64>,
    /// Signals are weighted by exp(−shift t) where not all poles decay \[1/s\].
    pub shift: f64,
    /// How many states matter: the others are below 1e-6 of the largest.
    pub order: usize,
}

/// The poles and zeros that close the loops.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LoopResult {
    /// Where they are \[1/s\].
    pub pole: f64,
    /// How many poles there.
    pub poles: usize,
    /// How far they scatter \[1/s\].
    pub scatter: f64,
    /// How many invariant zeros there.
    pub zeros: usize,
    /// How far those scatter \[1/s\].
    pub zero_scatter: f64,
}

/// A matrix by rows, zero for minus zero.
fn rows(matrix: &DMatrix<f64>) -> Vec<Vec<f64>> {
    matrix.row_iter().map(|row| row.iter().map(|x| x + 0.0).collect()).collect()
}

fn poles(list: &[Pole]) -> Vec<PoleResult> {
    list.iter().map(PoleResult::from).collect()
}

impl LinearModelResult {
    /// A model as plain data.
    pub fn of(found: &LinearModel) -> Self {
        let names = |signals: &[Signal]| signals.iter().map(|signal| signal.name.clone()).collect();
        let units = |signals: &[Signal]| signals.iter().map(|signal| signal.unit.clone()).collect();
        let (model, reduced) = (&found.model, &found.reduced);
        let is_reduced = found.form == LinearForm::Reduced;
        let feedback = found.feedback.as_ref();
        Self {
            format: "legwork-state-space-1".into(),
            robot: found.robot.clone(),
            form: found.form,
            coordinates: found.coordinates().into(),
            pose: found.place.clone(),
            state_names: names(&model.states),
            state_units: units(&model.states),
            input_names: names(&model.inputs),
            input_units: units(&model.inputs),
            output_names: names(&model.outputs),
            output_units: units(&model.outputs),
            a: rows(&model.a),
            b: rows(&model.b),
            c: rows(&model.c),
            d: rows(&model.d),
            hold: vec![reduced.hold.iter().map(|x| x + 0.0).collect()],
            mass: is_reduced.then(|| rows(&reduced.mass)),
            damping: is_reduced.then(|| rows(&reduced.damping)),
            stiffness: is_reduced.then(|| rows(&reduced.stiffness)),
            gain: feedback.map(|feedback| rows(&feedback.gain)),
            position: found.platform.position,
            rotation: found.platform.rotation,
            stable: found.modes.iter().all(|mode| mode.pole.re <= 0.0),
            poles: poles(&found.poles),
            modes: found.modes.iter().map(ModeResult::from).collect(),
            zeros: poles(&found.zeros),
            controllable: (&found.controllable).into(),
            observable: (&found.observable).into(),
            hankel: HankelResult {
                values: found.balanced.hankel.clone(),
                shift: found.balanced.shift,
                order: found.balanced.order(),
            },
            closed_loop_poles: feedback.map(|feedback| poles(&feedback.poles)),
            gain_residual: feedback.map(|feedback| feedback.residual),
            loops: found.constrained.as_ref().map(|form| {
                let (count, scatter) = form.at_the_loops(&found.poles);
                let (zeros, zero_scatter) = form.at_the_loops(&found.zeros);
                LoopResult { pole: -form.pole, poles: count, scatter, zeros, zero_scatter }
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn poles_are_read_as_people_write_them() {
        for (text, re, im) in [
            ("-10", -10.0, 0.0),
            ("\u{2212}8+6j", -8.0, 6.0),
            ("-8-6i", -8.0, -6.0),
            ("5j", 0.0, 5.0),
            ("-1e-2+2.5e+1j", -0.01, 25.0),
        ] {
            let pole = PoleRequest::parse(text).unwrap();
            assert_eq!(pole.0, Pole { re, im }, "{text}");
            let written = serde_json::to_string(&pole).unwrap();
            assert_eq!(serde_json::from_str::<PoleRequest>(&written).unwrap(), pole, "{written}");
        }
        for text in ["", "j", "x", "1+j2", "nan", "inf"] {
            assert!(PoleRequest::parse(text).is_err(), "{text}");
        }
    }
}
