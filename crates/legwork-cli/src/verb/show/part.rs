//! Parts of a robot: one value each, printed as text and as JSON.

use super::{NAME, entry};
use crate::table::Table;
use legwork::description::{Bar, Body, PlanarBody};
use legwork::text::{Decimals, fixed, short, short_list};
use serde_json::{Value as Json, json};
use std::io::{self, Write};

/// A part with its name in JSON; text shows spaces for its underscores.
pub struct Part {
    pub key: &'static str,
    pub value: Value,
}

/// What a part is, in SI units.
pub enum Value {
    Length(f64),
    Lengths(Vec<f64>),
    Angle(f64),
    Angles(Vec<f64>),
    /// From +x, counter-clockwise.
    Directions(Vec<f64>),
    /// One for each leg, with the heading of its columns.
    Points(&'static str, Vec<[f64; 3]>),
    /// Unit vectors, one for each leg.
    Axes(&'static str, Vec<[f64; 3]>),
    Mass(f64),
    Masses(Vec<f64>),
    /// A bar, and where its centre is measured from.
    Bar(Bar, &'static str),
    Body(Body),
    Planar(PlanarBody),
    /// A number with its unit.
    Plain(f64, &'static str),
    Numbers(Vec<f64>, &'static str),
    Word(String),
    /// A line for each leg, and what JSON says.
    Lines(Vec<String>, Json),
}

impl Part {
    pub fn new(key: &'static str, value: Value) -> Self {
        Self { key, value }
    }

    pub fn length(key: &'static str, length: f64) -> Self {
        Self::new(key, Value::Length(length))
    }
}

/// The parts, one below the other; what there is for each leg in one table.
pub fn print(parts: &[Part], out: &mut dyn Write) -> io::Result<()> {
    for part in parts {
        let name = format!("  {}", part.key.replace('_', " "));
        match &part.value {
            Value::Points(..) | Value::Axes(..) => {}
            Value::Lines(lines, _) => {
                for (k, line) in lines.iter().enumerate() {
                    entry(&format!("  leg {}", k + 1), line, out)?;
                }
            }
            value => entry(&name, &value.text(), out)?,
        }
    }
    let mut table = Table::default();
    let mut columns: Vec<Vec<String>> = Vec::new();
    for part in parts {
        let (heading, unit, vectors): (_, _, Vec<[f64; 3]>) = match &part.value {
            Value::Points(heading, points) => {
                (heading, " [mm]", points.iter().map(|point| point.map(|x| x * 1e3)).collect())
            }
            Value::Axes(heading, axes) => (heading, "", axes.clone()),
            _ => continue,
        };
        let decimals = Decimals::of(vectors.as_flattened());
        let show = |x: f64| if unit.is_empty() { fixed(x, 4) } else { decimals.show(x) };
        for (k, axis) in ["x", "y", "z"].into_iter().enumerate() {
            let head = if k == 0 { format!("{heading} x{unit}") } else { axis.to_owned() };
            columns.push(std::iter::once(head).chain(vectors.iter().map(|v| show(v[k]))).collect());
        }
    }
    let legs = columns.iter().map(Vec::len).max().unwrap_or(0);
    for k in 0..legs {
        let name = if k == 0 { "  leg".into() } else { format!("  {k}") };
        let cells = columns.iter().map(|column| column.get(k).cloned().unwrap_or_default());
        table.row(std::iter::once(name).chain(cells));
    }
    table.print(out)
}

impl Value {
    fn text(&self) -> String {
        let millimetres = |list: &[f64]| short_list(&list.iter().map(|x| x * 1e3).collect::<Vec<_>>());
        let degrees = |list: &[f64]| short_list(&list.iter().map(|x| x.to_degrees()).collect::<Vec<_>>());
        match self {
            Self::Length(x) => format!("{} mm", short(x * 1e3)),
            Self::Lengths(list) => format!("{} mm", millimetres(list)),
            Self::Angle(x) => format!("{} deg", short(x.to_degrees())),
            Self::Angles(list) => format!("{} deg", degrees(list)),
            Self::Directions(list) => format!("at {} deg from +x", degrees(list)),
            Self::Mass(mass) => format!("{} kg", short(*mass)),
            Self::Masses(list) => format!("{} kg", short_list(list)),
            Self::Bar(bar, from) => format!(
                "{} kg, centre {} mm from the {from}, {} kg m^2 about it",
                short(bar.mass),
                short(bar.centre * 1e3),
                short(bar.inertia)
            ),
            Self::Body(body) => body_text(body),
            Self::Planar(body) if body.mass == 0.0 => "0 kg".into(),
            Self::Planar(body) => format!(
                "{} kg, centre ({}) mm, {} kg m^2 about it",
                short(body.mass),
                millimetres(&body.centre),
                short(body.inertia)
            ),
            Self::Plain(x, "") => short(*x),
            Self::Plain(x, unit) => format!("{} {unit}", short(*x)),
            Self::Numbers(list, unit) => format!("{} {unit}", short_list(list)),
            Self::Word(word) => word.clone(),
            Self::Points(..) | Self::Axes(..) | Self::Lines(..) => String::new(),
        }
    }

    pub fn json(&self) -> Json {
        match self {
            Self::Length(x) | Self::Angle(x) | Self::Mass(x) | Self::Plain(x, _) => json!(x),
            Self::Lengths(list)
            | Self::Angles(list)
            | Self::Directions(list)
            | Self::Masses(list)
            | Self::Numbers(list, _) => {
                json!(list)
            }
            Self::Points(_, list) | Self::Axes(_, list) => json!(list),
            Self::Bar(bar, _) => json!({ "mass": bar.mass, "centre": bar.centre, "inertia": bar.inertia }),
            Self::Body(body) => body_json(body),
            Self::Planar(body) => {
                json!({ "mass": body.mass, "centre": body.centre, "inertia": body.inertia })
            }
            Self::Word(word) => json!(word),
            Self::Lines(_, object) => object.clone(),
        }
    }
}

pub fn body_json(body: &Body) -> Json {
    json!({ "mass": body.mass, "centre": body.centre, "inertia": body.inertia })
}

/// "2.4 kg, centre (0, 0, 220) mm, about it xx yy zz (0.052, 0.052, 0.0031) kg m^2"
fn body_text(body: &Body) -> String {
    let [[xx, xy, xz], [_, yy, yz], [_, _, zz]] = body.inertia;
    let mut parts = vec![format!("{} kg", short(body.mass))];
    if body.mass != 0.0 {
        parts.push(format!("centre ({}) mm", short_list(&body.centre.map(|x| x * 1e3))));
    }
    if body.mass != 0.0 && [xx, yy, zz] != [0.0; 3] {
        parts.push(format!("about it xx yy zz ({})", short_list(&[xx, yy, zz])));
        if [xy, xz, yz] != [0.0; 3] {
            parts.push(format!("xy xz yz ({})", short_list(&[xy, xz, yz])));
        }
        return parts.join(", ") + " kg m^2";
    }
    parts.join(", ")
}

/// Columns of names do not run into their texts.
const _: () = assert!("  platform spacing".len() < NAME);
