//! Motors that the platform's pose does not tell.

use clap::Args;
use legwork::units::Quantity;
use std::collections::BTreeMap;

/// Where motors are held.
#[derive(Debug, Args)]
pub struct HeldArgs {
    /// Where a motor is held that the platform's pose does not tell [rad, m], as in q7=30deg; several with commas [default: at home]
    #[arg(long, value_name = "MOTOR=VALUE", value_delimiter = ',', value_parser = held_at)]
    pub held: Vec<(String, f64)>,
}

impl HeldArgs {
    /// As a request has them.
    pub fn values(&self) -> Option<BTreeMap<String, f64>> {
        (!self.held.is_empty()).then(|| self.held.iter().cloned().collect())
    }
}

fn held_at(text: &str) -> Result<(String, f64), String> {
    let Some((motor, value)) = text.split_once('=') else {
        return Err("give the motor and where it is held, as in q7=30deg".into());
    };
    // An angle, or a length where the motor slides.
    let read = |quantity: Quantity| quantity.parse_request(value.trim(), None);
    let value = read(Quantity::Angle)
        .or_else(|error| read(Quantity::Length).map_err(|_| format!("{error}; {}", error.hint())))?;
    Ok((motor.trim().into(), value))
}
