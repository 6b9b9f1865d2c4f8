//! XML, read: attributes as numbers, faults with line and column, and a count of what was passed over.

use super::ExchangeError;
use crate::rotation::{Matrix, from_quaternion, from_roll_pitch_yaw};
use legwork_core::engine::{Pose, RigidBody};
use legwork_core::{M3, Sym3, V3};
use roxmltree::{Document, Node, ParsingOptions};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Most elements of a file; a large model of others has ten thousand.
const MOST_NODES: u32 = 1_000_000;

/// Elements deeper within each other than this are refused: what reads them calls itself.
const DEEPEST: usize = 150;

/// A file being read.
pub(super) struct Source<'a> {
    pub file: &'a str,
    /// How often which element was passed over.
    pub dropped: BTreeMap<String, usize>,
}

/// The document of a text. Document types, and with them entities of one's own, are refused.
pub(super) fn document<'t>(file: &str, text: &'t str) -> Result<Document<'t>, ExchangeError> {
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MOST_NODES, ..ParsingOptions::default() };
    // The parser calls itself for each of them.
    if let Some(at) = too_deep(text) {
        let before = text.get(..at).unwrap_or("");
        let row = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
        let place = [row, column].map(|number| u32::try_from(number).unwrap_or(u32::MAX));
        let what = format!("elements are more than {DEEPEST} deep within each other");
        return Err(ExchangeError::Fault {
            file: file.into(),
            place: (place[0], place[1]),
            what,
            hint: None,
        });
    }
    Document::parse_with_options(text, options)
        .map_err(|error| ExchangeError::Syntax { file: file.into(), message: error.to_string() })
}

/// Where an element is too deep within others.
fn too_deep(text: &str) -> Option<usize> {
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(found) = text.get(at..)?.find('<') {
        at += found;
        let rest = text.get(at..)?;
        let end = match rest {
            rest if rest.starts_with("<!--") => rest.find("-->").map(|end| end + 3),
            rest if rest.starts_with("<![CDATA[") => rest.find("]]>").map(|end| end + 3),
            rest if rest.starts_with("<?") => rest.find("?>").map(|end| end + 2),
            rest if rest.starts_with("</") => {
                depth = depth.saturating_sub(1);
                rest.find('>').map(|end| end + 1)
            }
            rest if rest.starts_with("<!") => rest.find('>').map(|end| end + 1),
            rest => {
                let mut quote = None;
                let closed = rest.char_indices().find(|(_, c)| {
                    match quote {
                        Some(mark) if *c == mark => quote = None,
                        None if matches!(c, '"' | '\'') => quote = Some(*c),
                        _ => {}
                    }
                    quote.is_none() && *c == '>'
                });
                if closed.is_some_and(|(end, _)| !rest[..end].ends_with('/')) {
                    depth += 1;
                }
                closed.map(|(end, _)| end + 1)
            }
        };
        if depth > DEEPEST {
            return Some(at);
        }
        at += end?;
    }
    None
}

/// Prefixes that files of others use without saying whose they are: Drake does not mind.
const PREFIXES: [&str; 5] = ["drake", "legwork", "gazebo", "gz", "xacro"];

/// The text with name spaces for such prefixes at its first element; lines stay as they are.
pub(super) fn with_name_spaces(text: &str) -> Cow<'_, str> {
    let missing =
        |prefix: &&&str| text.contains(&format!("<{prefix}:")) && !text.contains(&format!("xmlns:{prefix}="));
    let spaces: Vec<String> =
        PREFIXES.iter().filter(missing).map(|prefix| format!(" xmlns:{prefix}=\"{prefix}\"")).collect();
    let spaces = spaces.concat();
    let first = ["<robot", "<sdf", "<mujoco"]
        .iter()
        .filter_map(|word| text.find(word).map(|at| at + word.len()))
        .min();
    match first {
        Some(at) if !spaces.is_empty() => Cow::Owned(format!("{}{spaces}{}", &text[..at], &text[at..])),
        _ => Cow::Borrowed(text),
    }
}

impl<'a> Source<'a> {
    pub fn new(file: &'a str) -> Self {
        Self { file, dropped: BTreeMap::new() }
    }

    pub fn fault(&self, node: Node<'_, '_>, what: impl Into<String>) -> ExchangeError {
        let at = node.document().text_pos_at(node.range().start);
        let (place, what) = ((at.row, at.col), what.into());
        ExchangeError::Fault { file: self.file.into(), place, what, hint: None }
    }

    pub fn fault_with(&self, node: Node<'_, '_>, what: impl Into<String>, way_out: &str) -> ExchangeError {
        match self.fault(node, what) {
            ExchangeError::Fault { file, place, what, .. } => {
                ExchangeError::Fault { file, place, what, hint: Some(way_out.into()) }
            }
            other => other,
        }
    }

    pub fn drop(&mut self, node: Node<'_, '_>) {
        *self.dropped.entry(node.tag_name().name().to_owned()).or_default() += 1;
    }

    /// The elements that were passed over, as a note.
    pub fn dropped_note(&self) -> Option<String> {
        let all: Vec<String> =
            self.dropped.iter().map(|(name, count)| format!("{count} × <{name}>")).collect();
        (!all.is_empty()).then(|| format!("Not taken over: {}.", all.join(", ")))
    }

    /// Finite numbers of a text.
    pub fn numbers(&self, node: Node<'_, '_>, key: &str, text: &str) -> Result<Vec<f64>, ExchangeError> {
        let number = |word: &str| {
            let value: Option<f64> = word.parse().ok().filter(|value: &f64| value.is_finite());
            value.ok_or_else(|| {
                self.fault(node, format!("`{key}` has `{}`, which is no finite number", short(word)))
            })
        };
        text.split_whitespace().map(number).collect()
    }

    pub fn exactly<const N: usize>(
        &self,
        node: Node<'_, '_>,
        key: &str,
        text: &str,
    ) -> Result<[f64; N], ExchangeError> {
        let found = self.numbers(node, key, text)?;
        let count = found.len();
        found.try_into().map_err(|_| self.fault(node, format!("`{key}` needs {N} numbers and has {count}")))
    }

    pub fn number(&self, node: Node<'_, '_>, key: &str, text: &str) -> Result<f64, ExchangeError> {
        self.exactly::<1>(node, key, text).map(|[value]| value)
    }

    /// An attribute that has to be there.
    pub fn required<'t>(&self, node: Node<'t, '_>, key: &str) -> Result<&'t str, ExchangeError> {
        let name = node.tag_name().name();
        node.attribute(key).ok_or_else(|| self.fault(node, format!("<{name}> has no `{key}`")))
    }

    /// A body with its numbers checked.
    pub fn checked(
        &self,
        node: Node<'_, '_>,
        name: &str,
        body: RigidBody<f64>,
    ) -> Result<RigidBody<f64>, ExchangeError> {
        body.checked().map_err(|fault| self.fault(node, format!("body `{}`: {fault}", short(name))))
    }

    pub fn unit(&self, node: Node<'_, '_>, key: &str, v: V3<f64>) -> Result<V3<f64>, ExchangeError> {
        let length = v.norm_sq().sqrt();
        if length > 1e-12 && length.is_finite() {
            Ok(v * (1.0 / length))
        } else {
            Err(self.fault(node, format!("`{key}` has no direction")))
        }
    }
}

/// A word of a file for a message.
pub(super) fn short(word: &str) -> String {
    let word = crate::text::printable(word);
    if word.chars().count() <= 60 {
        word.into_owned()
    } else {
        word.chars().take(60).chain("…".chars()).collect()
    }
}

pub(super) fn children<'a, 'i>(node: Node<'a, 'i>) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(Node::is_element)
}

pub(super) fn child<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    children(node).find(|one| one.tag_name().name() == name)
}

pub(super) fn matrix(m: &Matrix) -> M3<f64> {
    let [x, y, z] = m.map(V3::from);
    M3::from_rows(x, y, z)
}

pub(super) fn pose_of_angles(position: [f64; 3], angles: [f64; 3]) -> Pose<f64> {
    Pose::new(matrix(&from_roll_pitch_yaw(angles)), position.into())
}

pub(super) fn pose_of_quaternion(position: [f64; 3], wxyz: [f64; 4]) -> Pose<f64> {
    Pose::new(matrix(&from_quaternion(wxyz)), position.into())
}

/// An inertia from its six numbers.
pub(super) fn inertia([xx, yy, zz]: [f64; 3], [xy, xz, yz]: [f64; 3]) -> Sym3<f64> {
    Sym3 { diagonal: V3::new(xx, yy, zz), off: V3::new(yz, xz, xy) }
}
