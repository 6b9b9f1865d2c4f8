//! The numbers of `legwork linearize`, read and checked together.

use crate::args::{LinearForm, LinearizeArgs};
use crate::failure::{Failure, Message};
use legwork::analysis::linear::Pole;
use legwork::coordinates::number;
use legwork::units::Quantity;

/// What the options ask for.
pub struct Wanted {
    pub damping: Option<[f64; 3]>,
    pub pole: Option<f64>,
    pub regulator: Option<Regulator>,
}

/// How a regulator is found.
pub enum Regulator {
    /// Weights of places, rates and efforts.
    Lqr([f64; 3]),
    Place(Vec<Pole>),
}

impl Wanted {
    pub fn from_args(args: &LinearizeArgs) -> Result<Self, Failure> {
        let constrained = args.form == LinearForm::Constrained;
        let refused = |option: &str, form: &str| {
            let message = Message::new(format!("`{option}` is for the {form} form"));
            message.hint(format!("add `--form {form}`, or leave it out"))
        };
        if args.pole.is_some() && !constrained {
            return Err(refused("--pole", "constrained").into());
        }
        let only_reduced = [
            ("--lqr", !args.lqr.is_empty()),
            ("--place", !args.place.is_empty()),
            ("--gravity-compensation", args.gravity_compensation),
            ("--coordinates", args.coordinates.is_some()),
        ];
        if let Some((option, _)) = only_reduced.iter().find(|(_, given)| *given && constrained) {
            return Err(refused(option, "reduced").into());
        }
        let regulator = match (three("lqr", &args.lqr)?, args.place.as_slice()) {
            (Some(weights), _) => Some(Regulator::Lqr(weights)),
            (None, []) => None,
            (None, texts) => {
                Some(Regulator::Place(texts.iter().map(|text| root(text)).collect::<Result<_, _>>()?))
            }
        };
        let pole = args.pole.as_deref().map(|text| number("pole", Quantity::Ratio, text)).transpose()?;
        Ok(Self { damping: three("damping", &args.damping)?, pole, regulator })
    }
}

/// Three plain numbers, or none.
pub fn three(name: &str, texts: &[String]) -> Result<Option<[f64; 3]>, Message> {
    let numbers: Vec<f64> =
        texts.iter().map(|text| number(name, Quantity::Ratio, text)).collect::<Result<_, _>>()?;
    Ok(numbers.try_into().ok())
}

/// A pole as it is written: `-10`, `-8+6j`, `-8-6i`, `5j`.
fn root(text: &str) -> Result<Pole, Message> {
    let text = text.replace('\u{2212}', "-");
    let read = |part: &str| part.parse::<f64>().ok().filter(|x| x.is_finite());
    let pole = match text.strip_suffix(['j', 'i']) {
        None => read(&text).map(|re| Pole { re, im: 0.0 }),
        Some(body) => {
            // The last sign that is no exponent's divides the parts.
            let divides =
                |(at, c): &(usize, char)| "+-".contains(*c) && *at > 0 && !body[..*at].ends_with(['e', 'E']);
            match body.char_indices().rev().find(divides) {
                Some((at, _)) => read(&body[..at]).zip(read(&body[at..])).map(|(re, im)| Pole { re, im }),
                None => read(body).map(|im| Pole { re: 0.0, im }),
            }
        }
    };
    pole.ok_or_else(|| {
        Message::new(format!("`--place`: `{text}` is no pole"))
            .hint("write -10 for a real one, -8+6j -8-6j for a pair")
    })
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
            assert_eq!(root(text), Ok(Pole { re, im }), "{text}");
        }
        for text in ["", "j", "x", "1+j2", "nan", "inf"] {
            assert!(root(text).is_err(), "{text}");
        }
    }
}
