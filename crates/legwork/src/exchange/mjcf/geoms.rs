//! Mass and inertia of simple shapes.

use super::super::ExchangeError;
use super::super::reading::{Source, short};
use super::settings::{Settings, z_to};
use legwork_core::engine::{Pose, RigidBody};
use legwork_core::{Sym3, V3};
use roxmltree::Node;
use std::f64::consts::PI;

/// Water, MuJoCo's default \[kg/m³\].
const DENSITY: f64 = 1000.0;

/// A shape as a body in the frame of what it belongs to. `None` if it weighs nothing.
pub(super) fn body<'t>(
    settings: &Settings<'t>,
    node: Node<'t, '_>,
    class: Option<&str>,
    source: &Source<'_>,
) -> Result<Option<RigidBody<f64>>, ExchangeError> {
    let number =
        |key: &str| settings.get(node, class, key).map(|text| source.number(node, key, text)).transpose();
    let mass = number("mass")?;
    let density = number("density")?.unwrap_or(DENSITY);
    if mass.is_some_and(|mass| mass < 0.0) || density < 0.0 {
        return Err(source.fault(node, "a shape has a negative mass or density"));
    }
    if mass == Some(0.0) || (mass.is_none() && density == 0.0) {
        return Ok(None);
    }
    let kind = settings.get(node, class, "type").unwrap_or("sphere");
    let group = number("group")?.unwrap_or(0.0);
    if matches!(kind, "plane" | "hfield") || group < settings.groups[0] || group > settings.groups[1] {
        return Ok(None);
    }
    if settings.get(node, class, "shellinertia") == Some("true") {
        return Err(source.fault_with(
            node,
            "the inertia of a shell (`shellinertia`) is not known",
            "give its body an <inertial>",
        ));
    }
    let size = settings
        .get(node, class, "size")
        .map_or_else(|| Ok(Vec::new()), |text| source.numbers(node, "size", text))?;
    let mut place = settings.placed(node, class, source)?;
    let mut length = None;
    if let Some(text) = settings.get(node, class, "fromto") {
        let [a, b, c, d, e, f]: [f64; 6] = source.exactly(node, "fromto", text)?;
        let (from, to) = (V3::new(a, b, c), V3::new(d, e, f));
        let along = source.unit(node, "fromto", from - to)?;
        length = Some((to - from).norm_sq().sqrt() / 2.0);
        place = Pose::new(z_to(along), (from + to) * 0.5);
    }
    let need = |k: usize| {
        let value = size.get(k).copied().filter(|value| *value > 0.0);
        value.ok_or_else(|| {
            source.fault(node, format!("a {} needs more positive numbers in `size`", short(kind)))
        })
    };
    // Volume, and inertia of one kilogram.
    let (volume, [x, y, z]) = match kind {
        "sphere" => {
            let r = need(0)?;
            (4.0 / 3.0 * PI * r.powi(3), [0.4 * r * r; 3])
        }
        "box" | "ellipsoid" => {
            let [a, b, c] = match length {
                None => [need(0)?, need(1)?, need(2)?],
                // As MuJoCo has it, square or round across, whatever else `size` says.
                Some(half) => [need(0)?, need(0)?, half],
            };
            let (volume, part) = if kind == "box" { (8.0, 1.0 / 3.0) } else { (4.0 / 3.0 * PI, 0.2) };
            (volume * a * b * c, [part * (b * b + c * c), part * (a * a + c * c), part * (a * a + b * b)])
        }
        "cylinder" => {
            let (r, h) = (need(0)?, length.map_or_else(|| need(1), Ok)?);
            let across = r * r / 4.0 + h * h / 3.0;
            (2.0 * PI * r * r * h, [across, across, r * r / 2.0])
        }
        "capsule" => {
            let (r, h) = (need(0)?, length.map_or_else(|| need(1), Ok)?);
            let (middle, caps) = (2.0 * PI * r * r * h, 4.0 / 3.0 * PI * r.powi(3));
            let all = middle + caps;
            // Two half balls, their centres 3/8 r beyond the ends.
            let across = middle * (r * r / 4.0 + h * h / 3.0) + caps * (0.4 * r * r + h * h + 0.75 * h * r);
            (all, [across / all, across / all, (middle * r * r / 2.0 + caps * 0.4 * r * r) / all])
        }
        _ => {
            return Err(source.fault_with(
                node,
                format!("the mass of a {} is not known", short(kind)),
                "give its body an <inertial>, or the shape `mass=\"0\"`",
            ));
        }
    };
    let mass = mass.unwrap_or(density * volume);
    let own = RigidBody {
        mass,
        centre: V3::zero(),
        inertia: Sym3 { diagonal: V3::new(x, y, z) * mass, off: V3::zero() },
    };
    Ok(Some(own.seen_from(&place)))
}
