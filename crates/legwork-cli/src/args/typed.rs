//! Words and numbers of the command line as the types of requests.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use legwork::description::ModelError;
use legwork::task::{
    Acceleration, BaseCoordinate, Choice, Frequency, Length, Mass, Measure, PickRequest, PoseRequest,
    PushRequest, Speed, SwayRequest, Time,
};
use legwork::units::{Quantity, UnitError};

/// One of the words of a choice, with their meanings in the help.
pub fn one_of<T: Choice + Send + Sync>() -> impl TypedValueParser<Value = T> {
    let words = T::CHOICES.iter().map(|(_, word, meaning)| PossibleValue::new(*word).help(*meaning));
    PossibleValuesParser::new(words)
        .try_map(|word| T::from_word(&word).ok_or_else(|| format!("`{word}` is not known")))
}

#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
fn with_hint(error: UnitError) -> String {
    format!("{error}; {}", error.hint())
}

macro_rules! parsers {
    ($($name:ident: $type:ident),*) => {
        $(pub fn $name(text: &str) -> Result<$type, String> {
            $type::parse(text).map_err(with_hint)
        })*
    };
}
parsers!(
    time: Time, length: Length, mass: Mass, speed: Speed, acceleration: Acceleration, frequency: Frequency,
    measure: Measure
);

pub fn ratio(text: &str) -> Result<f64, String> {
    Quantity::Ratio.parse_request(text, None).map_err(with_hint)
}

/// A share, given in per cent.
pub fn per_cent(text: &str) -> Result<f64, String> {
    Ok(ratio(text.trim_end_matches('%'))? / 100.0)
}

fn list(text: &str) -> Result<Vec<Measure>, String> {
    text.split(',').map(|part| measure(part.trim())).collect()
}

/// `X,Y,Z`
pub fn point(text: &str) -> Result<PoseRequest, String> {
    list(text).map(PoseRequest::Coordinates)
}

/// `0.2s:1.5kg`
pub fn pick(text: &str) -> Result<PickRequest, String> {
    let (at, carried) = text.split_once(':').ok_or("write a time and a mass, as 0.2s:1.5kg")?;
    Ok(PickRequest { at: time(at)?, mass: mass(carried)? })
}

/// `0.1s:0.15s:30N,0N,-5N`
pub fn push(text: &str) -> Result<PushRequest, String> {
    let parts: Vec<&str> = text.split(':').collect();
    let [from, until, force] = parts[..] else {
        return Err("write two times and a force, as 0.1s:0.15s:30N,0N,-5N".into());
    };
    Ok(PushRequest { from: time(from)?, until: time(until)?, wrench: list(force)? })
}

/// `roll:5deg:0.1Hz`, or with a phase `roll:5deg:0.1Hz:90deg`
pub fn sway(text: &str) -> Result<SwayRequest, String> {
    let how = "write a coordinate, how far and how often, as roll:5deg:0.1Hz; coordinates are x, y, z, roll, pitch, yaw";
    let parts: Vec<&str> = text.split(':').collect();
    let (name, far, often, begin) = match parts[..] {
        [name, far, often] => (name, far, often, None),
        [name, far, often, begin] => (name, far, often, Some(begin)),
        _ => return Err(how.into()),
    };
    Ok(SwayRequest {
        coordinate: BaseCoordinate::from_word(name).ok_or(how)?,
        amplitude: measure(far)?,
        frequency: frequency(often)?,
        phase: begin.map(measure).transpose()?,
    })
}

/// `mass=10`, a part of a model error and its per cent.
pub fn error_part(text: &str) -> Result<ModelError, String> {
    let unknown = "write a part and its per cent, such as mass=10; parts are mass, motor, length, friction";
    let (part, share) = text.split_once('=').ok_or(unknown)?;
    let (share, none) = (per_cent(share)?, ModelError::default());
    match part {
        "mass" => Ok(ModelError { mass: share, ..none }),
        "motor" => Ok(ModelError { motor_inertia: share, ..none }),
        "length" => Ok(ModelError { length: share, ..none }),
        "friction" => Ok(ModelError { friction: share, ..none }),
        _ => Err(unknown.into()),
    }
}

/// The part of a model error that is there twice, if one is.
pub fn part_given_twice(parts: &[ModelError]) -> Option<&'static str> {
    let given = |part: fn(&ModelError) -> f64| parts.iter().filter(|error| part(error) != 0.0).count();
    let counts = [
        ("mass", given(|error| error.mass)),
        ("motor", given(|error| error.motor_inertia)),
        ("length", given(|error| error.length)),
        ("friction", given(|error| error.friction)),
    ];
    counts.into_iter().find(|(_, count)| *count > 1).map(|(part, _)| part)
}

/// All parts of a model error together; `None` if there are none.
pub fn model_error(parts: &[ModelError]) -> Option<ModelError> {
    parts.iter().copied().reduce(|sum, part| ModelError {
        mass: sum.mass + part.mass,
        motor_inertia: sum.motor_inertia + part.motor_inertia,
        length: sum.length + part.length,
        friction: sum.friction + part.friction,
    })
}

/// A pose from coordinates and a quaternion; `None` without coordinates.
pub fn pose(coordinates: &[Measure], quaternion: &[f64]) -> Option<PoseRequest> {
    match (coordinates, quaternion) {
        ([], _) => None,
        (list, [w, x, y, z]) => Some(PoseRequest::Placed(legwork::task::PlacedPose {
            position: list.to_vec(),
            quaternion: Some([*w, *x, *y, *z]),
            ..Default::default()
        })),
        (list, _) => Some(PoseRequest::Coordinates(list.to_vec())),
    }
}
