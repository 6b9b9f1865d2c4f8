//! What an MJCF file says once for all: angles, defaults by class, orientations.

use super::super::ExchangeError;
use super::super::reading::{Source, children, matrix, short};
use crate::rotation::{about_axis, about_coordinate, product};
use legwork_core::engine::Pose;
use legwork_core::{M3, V3};
use roxmltree::Node;
use std::collections::BTreeMap;

/// Attributes of elements, by class and element.
type Defaults<'t> = BTreeMap<String, BTreeMap<(String, String), &'t str>>;

pub(super) struct Settings<'t> {
    pub degrees: bool,
    pub euler: String,
    /// `auto`, `true` or `false`.
    pub from_geoms: String,
    pub autolimits: bool,
    /// The first and the last group of shapes whose masses count.
    pub groups: [f64; 2],
    /// The least mass \[kg\] and the least inertia \[kg m²\] of a body, which MuJoCo raises smaller ones to.
    pub least: [f64; 2],
    defaults: Defaults<'t>,
}

/// Elements that are actuators.
const ACTUATORS: [&str; 9] =
    ["general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder", "muscle", "adhesion"];

/// The class of all.
const MAIN: &str = "main";

impl<'t> Settings<'t> {
    pub fn read(root: Node<'t, '_>, source: &mut Source<'_>) -> Result<Self, ExchangeError> {
        let mut settings = Self {
            degrees: true,
            euler: "xyz".into(),
            from_geoms: "auto".into(),
            autolimits: true,
            groups: [0.0, 5.0],
            least: [0.0; 2],
            defaults: Defaults::new(),
        };
        settings.defaults.insert(MAIN.into(), BTreeMap::new());
        for node in children(root) {
            match node.tag_name().name() {
                "compiler" => settings.compiler(node, source)?,
                "default" => settings.class(node, None, source)?,
                _ => {}
            }
        }
        Ok(settings)
    }

    fn compiler(&mut self, node: Node<'_, '_>, source: &Source<'_>) -> Result<(), ExchangeError> {
        for attribute in node.attributes() {
            let value = attribute.value();
            match attribute.name() {
                "angle" => {
                    self.degrees = match value {
                        "degree" => true,
                        "radian" => false,
                        _ => {
                            return Err(source.fault(
                                node,
                                format!("`angle` is `{}`, not degree or radian", short(value)),
                            ));
                        }
                    }
                }
                "eulerseq" => {
                    if value.len() != 3 || !value.chars().all(|c| "xyzXYZ".contains(c)) {
                        return Err(source.fault(node, "`eulerseq` needs three of x, y, z, X, Y and Z"));
                    }
                    self.euler = value.into();
                }
                "coordinate" if value != "local" => {
                    return Err(source.fault_with(
                        node,
                        "`coordinate=\"global\"` is not read",
                        "MuJoCo itself gave it up in 2.3.4: load the file in an older one and save it",
                    ));
                }
                "inertiagrouprange" => self.groups = source.exactly(node, "inertiagrouprange", value)?,
                "boundmass" => self.least[0] = source.number(node, "boundmass", value)?,
                "boundinertia" => self.least[1] = source.number(node, "boundinertia", value)?,
                "inertiafromgeom" => self.from_geoms = value.into(),
                "autolimits" => self.autolimits = value != "false",
                "settotalmass" if value.trim().parse::<f64>().is_ok_and(|mass| mass > 0.0) => {
                    return Err(source.fault_with(
                        node,
                        "`settotalmass` is not read",
                        "write the masses out",
                    ));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// A class with what it inherits.
    fn class(
        &mut self,
        node: Node<'t, '_>,
        parent: Option<&str>,
        source: &Source<'_>,
    ) -> Result<(), ExchangeError> {
        let name = match (node.attribute("class"), parent) {
            (Some(name), _) => name.to_owned(),
            (None, None) => MAIN.to_owned(),
            (None, Some(_)) => {
                return Err(source.fault(node, "a default class within another needs a name, `class`"));
            }
        };
        let mut own = parent.and_then(|parent| self.defaults.get(parent)).cloned().unwrap_or_default();
        if parent.is_none()
            && let Some(known) = self.defaults.get(&name)
        {
            own.extend(known.clone());
        }
        for element in children(node).filter(|element| element.tag_name().name() != "default") {
            for attribute in element.attributes() {
                let key = (element.tag_name().name().to_owned(), attribute.name().to_owned());
                own.insert(key, attribute.value());
            }
        }
        self.defaults.insert(name.clone(), own);
        for inner in children(node).filter(|element| element.tag_name().name() == "default") {
            self.class(inner, Some(&name), source)?;
        }
        Ok(())
    }

    /// An attribute of an element: its own, of its class, of the class of its body, of all.
    pub fn get(&self, node: Node<'t, '_>, childclass: Option<&str>, key: &str) -> Option<&'t str> {
        if let Some(own) = node.attribute(key) {
            return Some(own);
        }
        let class = node.attribute("class").or(childclass).unwrap_or(MAIN);
        let element = node.tag_name().name();
        let of =
            |element: &str| self.defaults.get(class)?.get(&(element.to_owned(), key.to_owned())).copied();
        // Defaults of all closings are those of `equality`; all kinds of actuators share theirs.
        of(element).or_else(|| match element {
            "connect" | "weld" => of("equality"),
            _ if ACTUATORS.contains(&element) => ACTUATORS.iter().find_map(|other| of(other)),
            _ => None,
        })
    }

    /// Refuses a class that no default has.
    pub fn check_classes(&self, root: Node<'t, '_>, source: &Source<'_>) -> Result<(), ExchangeError> {
        let elements =
            root.descendants().filter(|node| node.is_element() && node.tag_name().name() != "default");
        for node in elements {
            for key in ["class", "childclass"] {
                if let Some(name) = node.attribute(key).filter(|name| !self.defaults.contains_key(*name)) {
                    return Err(source.fault(node, format!("there is no default class `{}`", short(name))));
                }
            }
        }
        Ok(())
    }

    /// An angle of the file \[rad\].
    pub fn angle(&self, value: f64) -> f64 {
        if self.degrees { value.to_radians() } else { value }
    }

    /// How an element is turned: `quat`, `euler`, `axisangle`, `xyaxes` or `zaxis`.
    pub fn turned(
        &self,
        node: Node<'t, '_>,
        class: Option<&str>,
        source: &Source<'_>,
    ) -> Result<M3<f64>, ExchangeError> {
        let mut found = None;
        for key in ["quat", "euler", "axisangle", "xyaxes", "zaxis"] {
            // What an element says itself goes before its class.
            let own = node.attribute(key);
            if own.is_some() || (found.is_none() && self.get(node, class, key).is_some()) {
                found = Some((key, own.or_else(|| self.get(node, class, key)).unwrap_or_default()));
            }
        }
        let Some((key, text)) = found else { return Ok(M3::diagonal(V3::new(1.0, 1.0, 1.0))) };
        Ok(match key {
            "quat" => {
                let q: [f64; 4] = source.exactly(node, key, text)?;
                if q.iter().map(|x| x * x).sum::<f64>() < 1e-20 {
                    return Err(source.fault(node, "`quat` is zero"));
                }
                matrix(&crate::rotation::from_quaternion(q))
            }
            "euler" => {
                let angles: [f64; 3] = source.exactly(node, key, text)?;
                let mut turn = crate::rotation::IDENTITY;
                for (letter, angle) in self.euler.chars().zip(angles) {
                    let axis = match letter.to_ascii_lowercase() {
                        'x' => 0,
                        'y' => 1,
                        _ => 2,
                    };
                    let one = about_coordinate(axis, self.angle(angle));
                    // Small letters turn about axes that go along, capitals about fixed ones.
                    turn =
                        if letter.is_ascii_lowercase() { product(&turn, &one) } else { product(&one, &turn) };
                }
                matrix(&turn)
            }
            "axisangle" => {
                let [x, y, z, angle]: [f64; 4] = source.exactly(node, key, text)?;
                let axis = source.unit(node, key, V3::new(x, y, z))?;
                matrix(&about_axis(axis.to_array(), self.angle(angle)))
            }
            "xyaxes" => {
                let [a, b, c, d, e, f]: [f64; 6] = source.exactly(node, key, text)?;
                let x = source.unit(node, key, V3::new(a, b, c))?;
                let y = V3::new(d, e, f);
                let y = source.unit(node, key, y - x * x.dot(y))?;
                M3::from_columns(x, y, x.cross(y))
            }
            _ => {
                let axis: [f64; 3] = source.exactly(node, key, text)?;
                z_to(source.unit(node, key, axis.into())?)
            }
        })
    }

    /// Where an element is: `pos` and how it is turned.
    pub fn placed(
        &self,
        node: Node<'t, '_>,
        class: Option<&str>,
        source: &Source<'_>,
    ) -> Result<Pose<f64>, ExchangeError> {
        let position = match self.get(node, class, "pos") {
            Some(text) => source.exactly(node, "pos", text)?,
            None => [0.0; 3],
        };
        Ok(Pose::new(self.turned(node, class, source)?, position.into()))
    }
}

/// The least rotation that brings z to a direction.
pub(super) fn z_to(direction: V3<f64>) -> M3<f64> {
    let axis = V3::along_z(1.0).cross(direction);
    let sin = axis.norm_sq().sqrt();
    if sin < 1e-12 {
        let down = V3::new(1.0, 0.0, 0.0);
        return if direction.z > 0.0 {
            M3::diagonal(V3::new(1.0, 1.0, 1.0))
        } else {
            matrix(&about_axis(down.to_array(), std::f64::consts::PI))
        };
    }
    matrix(&about_axis((axis * (1.0 / sin)).to_array(), sin.atan2(direction.z)))
}
