//! The machine that the options describe.

use super::positive;
use crate::args::PlantArgs;
use crate::failure::{Failure, Message};
use legwork::coordinates::{CoordinateSchema, Values, WRENCH, number};
use legwork::sim::{Delay, ModelError, PerMotor, Plant};
use legwork::text::{short, short_list};
use legwork::units::Quantity;

/// The plant, and what is said about it.
pub fn from_args(
    args: &PlantArgs,
    schema: &CoordinateSchema,
    payload: f64,
) -> Result<(Plant, Vec<String>), Failure> {
    let mut plant = Plant::ideal();
    let mut said = Vec::new();
    let efforts = schema.each(Quantity::Torque, Quantity::Force);
    let speeds = schema.each(Quantity::AngularSpeed, Quantity::Speed);
    let places = schema.each(Quantity::Angle, Quantity::Length);
    let rates = schema.each(Quantity::Ratio, Quantity::Ratio);
    let effort_unit = schema.either("N m", "N");
    let place_unit = schema.either("rad", "m");
    if let Some(lag) = &args.lag {
        let lag = not_negative("lag", number("lag", Quantity::Time, lag)?)?;
        said.push(format!("lag {} ms", short(lag * 1e3)));
        plant = plant.with_lag(lag);
    }
    if let Some(limit) = per_motor("effort-limit", &args.effort_limit, &efforts)? {
        said.push(format!("efforts up to {} {effort_unit}", listed(&limit)));
        plant = plant.with_effort_limit(limit);
    }
    if let Some(limit) = per_motor("rate-limit", &args.rate_limit, &rates)? {
        said.push(format!("efforts change by up to {} {}", listed(&limit), schema.either("N m/s", "N/s")));
        plant = plant.with_rate_limit(limit);
    }
    if let Some(limit) = per_motor("speed-limit", &args.speed_limit, &speeds)? {
        said.push(format!("driven up to {} {}", listed(&limit), schema.either("rad/s", "m/s")));
        plant = plant.with_speed_limit(limit);
    }
    if args.file_limits {
        said.push("limits of the file".into());
        plant = plant.with_limits_of_the_robot();
    }
    if let Some(viscous) = args.friction.first() {
        let viscous = not_negative("friction", number("friction", Quantity::Ratio, viscous)?)?;
        let coulomb = match args.friction.get(1) {
            Some(text) => not_negative("friction", number("friction", efforts[0], text)?)?,
            None => 0.0,
        };
        said.push(format!(
            "friction {} {} and {} {effort_unit}",
            short(viscous),
            schema.either("N m s/rad", "N s/m"),
            short(coulomb)
        ));
        plant = plant.with_friction(viscous, coulomb);
    }
    if let Some(stiffness) = args.stops.first() {
        let stiffness = positive("stops", number("stops", Quantity::Ratio, stiffness)?)?;
        let damping = match args.stops.get(1) {
            Some(text) => not_negative("stops", number("stops", Quantity::Ratio, text)?)?,
            None => 0.0,
        };
        said.push(format!("soft stops of {} {}", short(stiffness), schema.either("N m/rad", "N/m")));
        plant = plant.with_stops(stiffness, damping);
    }
    if let Some(resolution) = per_motor("encoder", &args.encoder, &places)? {
        said.push(format!("encoder steps of {} {place_unit}", listed(&resolution)));
        plant = plant.with_encoder(resolution);
    }
    if let Some(noise) = per_motor("noise", &args.noise, &places)? {
        said.push(format!("noise of {} {place_unit}", listed(&noise)));
        plant = plant.with_noise(noise);
    }
    if let Some(delay) = &args.delay {
        let delay = not_negative("delay", number("delay", Quantity::Time, delay)?)?;
        said.push(format!("read {} ms late", short(delay * 1e3)));
        plant = plant.with_delay(Delay::Time(delay));
    }
    if let Some(seed) = args.seed {
        plant = plant.with_seed(seed);
    }
    if !args.model_error.is_empty() {
        let error = model_error("model-error", &args.model_error)?;
        said.extend(off(&error));
        plant = plant.with_model_error(error);
    }
    for (at, mass) in payloads(args)? {
        said.push(if mass > 0.0 {
            format!("{} kg picked up at {} s", short(mass), short(at))
        } else {
            format!("put down at {} s", short(at))
        });
        // What is picked up comes to what is carried all the time.
        plant = plant.carrying(at, payload + mass);
    }
    if !args.force.is_empty() {
        said.push("a steady force on the platform".into());
    }
    for text in &args.push {
        let (from, until, wrench) = push(text, schema)?;
        said.push(format!("pushed from {} s to {} s", short(from), short(until)));
        plant = plant.pushed(from, until, wrench);
    }
    Ok((plant, said))
}

fn listed(values: &PerMotor) -> String {
    match values {
        PerMotor::All(value) => short(*value),
        PerMotor::Each(values) => short_list(values),
    }
}

/// One number for all motors of a kind, or one for each.
fn per_motor(option: &str, texts: &[String], kinds: &[Quantity]) -> Result<Option<PerMotor>, Failure> {
    let read = |kind: Quantity, text: &String| -> Result<f64, Failure> {
        positive(option, number(option, kind, text)?)
    };
    match texts {
        [] => Ok(None),
        [one] if kinds.iter().all(|kind| *kind == kinds[0]) => Ok(Some(PerMotor::All(read(kinds[0], one)?))),
        _ if texts.len() == kinds.len() => {
            let values = kinds.iter().zip(texts).map(|(kind, text)| read(*kind, text));
            Ok(Some(PerMotor::Each(values.collect::<Result<_, _>>()?)))
        }
        _ => {
            let error = format!(
                "`--{option}` needs one number for all motors or {}, one for each, and {} are given",
                kinds.len(),
                texts.len()
            );
            Err(Message::new(error).into())
        }
    }
}

fn not_negative(option: &str, value: f64) -> Result<f64, Failure> {
    if value >= 0.0 {
        return Ok(value);
    }
    Err(Message::new(format!("`--{option}` is {value}; it must not be less than zero")).into())
}

/// Times and masses of `--pick` and `--put`, in order.
fn payloads(args: &PlantArgs) -> Result<Vec<(f64, f64)>, Failure> {
    let mut all = Vec::new();
    for text in &args.pick {
        let Some((at, mass)) = text.split_once(':') else {
            let message = Message::new(format!("`--pick {text}` is not a time and a mass"));
            return Err(message.hint("write them as 0.2s:1.5kg").into());
        };
        let at = not_negative("pick", number("pick", Quantity::Time, at)?)?;
        all.push((at, positive("pick", number("pick", Quantity::Mass, mass)?)?));
    }
    for text in &args.put {
        all.push((not_negative("put", number("put", Quantity::Time, text)?)?, 0.0));
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    Ok(all)
}

fn push(text: &str, schema: &CoordinateSchema) -> Result<(f64, f64, [f64; 6]), Failure> {
    let parts: Vec<&str> = text.split(':').collect();
    let [from, until, force] = parts[..] else {
        let message = Message::new(format!("`--push {text}` is not two times and a force"));
        return Err(message.hint("write them as 0.1s:0.15s:30N,0N,-5N").into());
    };
    let from = not_negative("push", number("push", Quantity::Time, from)?)?;
    let until = number("push", Quantity::Time, until)?;
    if until <= from {
        return Err(Message::new(format!("`--push {text}` ends before it begins")).into());
    }
    let numbers: Vec<String> = force.split(',').map(str::to_owned).collect();
    let mut row = Values::default();
    schema.read(&mut row, "--push", WRENCH, &numbers)?;
    Ok((from, until, schema.wrench(&row)))
}

/// What a model error says: "masses off by 10 %".
pub fn off(error: &ModelError) -> Vec<String> {
    let parts = [
        ("masses", error.mass),
        ("motor inertia", error.motor_inertia),
        ("lengths", error.length),
        ("friction", error.friction),
    ];
    let off = parts.iter().filter(|(_, part)| *part != 0.0);
    off.map(|(name, part)| format!("{name} off by {} %", short(part * 100.0))).collect()
}

pub fn model_error(option: &str, texts: &[String]) -> Result<ModelError, Failure> {
    let mut error = ModelError::default();
    for text in texts {
        let hint = "write a part and its per cent, such as mass=10; parts are mass, motor, length, friction";
        let unknown = || Message::new(format!("`--{option} {text}` says nothing")).hint(hint);
        let (part, percent) = text.split_once('=').ok_or_else(unknown)?;
        let part = match part {
            "mass" => &mut error.mass,
            "motor" => &mut error.motor_inertia,
            "length" => &mut error.length,
            "friction" => &mut error.friction,
            _ => return Err(unknown().into()),
        };
        let percent = percent.strip_suffix('%').unwrap_or(percent);
        *part = number(option, Quantity::Ratio, percent)? / 100.0;
    }
    Ok(error)
}
