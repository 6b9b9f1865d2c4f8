//! CSV: a header that names the columns, or numbers in a fixed order.

use super::column;
use crate::failure::{self, Message};
use legwork::coordinates::{
    ACCELERATION, CoordinateName, CoordinateSchema, Group, POSE, UnitChoice, VELOCITY, Values, WRENCH,
    unit_in_name,
};
use legwork::task::StateInput;
use legwork::units::Quantity;

/// How the cells of a line become numbers.
pub struct Layout {
    separator: Separator,
    columns: Option<Vec<Heading>>,
    /// What a line without header gives, block by block.
    order: Vec<Block>,
    /// Units of numbers without one.
    units: UnitChoice,
}

/// Numbers that stand together in a line without header: the platform's position alone, or position and angles.
type Block = Vec<(Group, usize, CoordinateName)>;

/// A column of the header.
struct Heading {
    name: String,
    unit: Option<String>,
    /// `None` for a column that is ignored.
    means: Option<(Group, usize, Quantity)>,
}

#[derive(Clone, Copy)]
enum Separator {
    /// Of ASCII.
    Character(u8),
    Space,
}

const PLATFORM: &[&[Group]] = &[POSE, VELOCITY, ACCELERATION, WRENCH];
const JOINTS: &[&[Group]] = &[&[Group::Joints], &[Group::JointSpeeds], &[Group::JointAccelerations], WRENCH];

impl Layout {
    /// The layout that the first line shows, and whether that line is a header.
    pub fn from_first(
        line: &str,
        input: StateInput,
        schema: &CoordinateSchema,
    ) -> Result<(Self, bool), Message> {
        let separator = [b',', b';', b'\t']
            .into_iter()
            .find(|c| line.as_bytes().contains(c))
            .map_or(Separator::Space, Separator::Character);
        let blocks = if input == StateInput::Joints { JOINTS } else { PLATFORM };
        let order = blocks.iter().map(|groups| block(groups, schema)).collect();
        let cells = split(line, separator);
        if cells.iter().any(|cell| is_number(cell)) {
            return Ok((Self { separator, columns: None, order, units: schema.choice() }, false));
        }
        // `x [mm]` has a space of its own
        let cells = match separator {
            Separator::Space => join_units(&cells),
            Separator::Character(_) => cells,
        };
        let columns = cells.iter().map(|cell| Heading::read(cell, schema)).collect::<Result<Vec<_>, _>>()?;
        check(&columns, input, schema)?;
        Ok((Self { separator, columns: Some(columns), order, units: schema.choice() }, true))
    }

    /// Puts the numbers of a line into a row.
    pub fn read(&self, line: &str, row: &mut Values) -> Result<(), Message> {
        let cells = split(line, self.separator);
        match &self.columns {
            Some(columns) => read_named(columns, &cells, row),
            None => read_in_order(&self.order, self.units, &cells, row),
        }
    }
}

fn block(groups: &[Group], schema: &CoordinateSchema) -> Block {
    let names = |group: &Group| {
        let names = schema.group(*group).names.clone();
        names.into_iter().enumerate().map(|(component, name)| (*group, component, name)).collect::<Vec<_>>()
    };
    groups.iter().flat_map(names).collect()
}

fn read_named(columns: &[Heading], cells: &[String], row: &mut Values) -> Result<(), Message> {
    if cells.len() != columns.len() {
        let (needed, given) = (columns.len(), cells.len());
        let other = cells.iter().any(|cell| cell.contains(';'));
        let why = if other { ": it is separated by `;` and the header is not" } else { "" };
        return Err(Message::new(format!("the header has {needed} columns, this line {given}{why}")));
    }
    for (heading, cell) in columns.iter().zip(cells).rev() {
        // A line that already failed in an earlier program of a pipe keeps its reason.
        if heading.name == "error" && !cell.is_empty() {
            return Err(Message::new(cell.as_str()));
        }
        if let Some((group, component, kind)) = heading.means {
            row.set(group, component, number(&heading.name, kind, cell, heading.unit.as_deref())?);
        }
    }
    Ok(())
}

fn read_in_order(
    order: &[Block],
    units: UnitChoice,
    cells: &[String],
    row: &mut Values,
) -> Result<(), Message> {
    let counts = counts(order);
    if !counts.contains(&cells.len()) {
        let counts: Vec<String> = counts.iter().map(usize::to_string).collect();
        let (last, rest) = counts.split_last().map_or(("", &[][..]), |(last, rest)| (last.as_str(), rest));
        let counts = format!("{} or {last} numbers are needed without a header", rest.join(", "));
        return Err(Message::new(format!("{counts}, this line has {}", cells.len())));
    }
    for ((group, component, name), cell) in order.iter().flatten().zip(cells) {
        row.set(*group, *component, number(&name.text, name.quantity, cell, units.of_bare(name.quantity))?);
    }
    Ok(())
}

/// How many numbers a line without header may have: whole blocks, or the position alone.
fn counts(order: &[Block]) -> Vec<usize> {
    let first = order.first().map_or(0, |block| {
        block.iter().filter(|(group, ..)| matches!(group, Group::Position | Group::Joints)).count()
    });
    let mut counts = vec![first];
    let mut sum = 0;
    for block in order {
        sum += block.len();
        counts.push(sum);
    }
    counts.dedup();
    counts
}

fn number(name: &str, kind: Quantity, cell: &str, unit: Option<&str>) -> Result<f64, Message> {
    if cell.is_empty() {
        return Err(Message::new(format!("`{name}` is empty")));
    }
    kind.parse_request(cell, unit)
        .or_else(|error| decimal_comma(cell).map_or(Err(error), |cell| kind.parse_request(&cell, unit)))
        .map_err(|unreadable| Message::new(format!("`{name}` is {}: {}", kind.described(), unreadable)))
}

/// `-0,8` as it stands between semicolons.
fn decimal_comma(cell: &str) -> Option<String> {
    let (whole, rest) = cell.split_once(',')?;
    let is_digits = |text: &str| text.chars().next().is_some_and(|c| c.is_ascii_digit());
    let is_whole =
        is_digits(whole.trim_start_matches(['+', '-', '−'])) && is_digits(rest) && !rest.contains([',', '.']);
    is_whole.then(|| format!("{whole}.{rest}"))
}

impl Heading {
    /// `x`, `x [mm]` or `x (mm)`.
    fn read(cell: &str, schema: &CoordinateSchema) -> Result<Self, Message> {
        let bracket = cell
            .split_once(['[', '('])
            .and_then(|(name, rest)| Some((name.trim(), rest.strip_suffix([']', ')'])?.trim())));
        let (name, unit) = bracket.map_or((cell, None), |(name, unit)| (name, Some(unit.to_owned())));
        let (name, unit, means) = match column(name, schema) {
            Ok(means) => (name.to_owned(), unit, means),
            Err(unknown) => spelled_otherwise(name, unit.as_deref(), schema).ok_or(unknown)?,
        };
        if let (Some((_, _, kind)), Some(unit)) = (means, &unit) {
            kind.parse_request("0", Some(unit)).map_err(|unreadable| {
                let error = format!("column `{name}` is {}: {}", kind.described(), unreadable);
                Message::new(error).hint(unreadable.hint())
            })?;
        }
        let bare = means.and_then(|(_, _, kind)| schema.choice().of_bare(kind)).map(str::to_owned);
        Ok(Self { name, unit: unit.or(bare), means })
    }
}

type Spelled = (String, Option<String>, Option<(Group, usize, Quantity)>);

/// `X` is x, and `x_mm` is x in mm.
fn spelled_otherwise(name: &str, unit: Option<&str>, schema: &CoordinateSchema) -> Option<Spelled> {
    let lower = name.to_lowercase();
    if let Ok(means) = column(&lower, schema) {
        return Some((lower, unit.map(str::to_owned), means));
    }
    if unit.is_some() {
        return None;
    }
    let means = |name: &str| column(name, schema).ok().flatten();
    let (name, unit) = unit_in_name(name, |name| means(name).map(|(_, _, kind)| kind))?;
    let means = means(&name);
    Some((name, Some(unit), means))
}

/// Refuses a header that names a column twice or lacks one that is needed.
fn check(columns: &[Heading], input: StateInput, schema: &CoordinateSchema) -> Result<(), Message> {
    for (i, heading) in columns.iter().enumerate() {
        if columns[..i].iter().any(|before| before.name == heading.name) {
            return Err(Message::new(format!("the header has the column `{}` twice", heading.name)));
        }
        let place = |heading: &Heading| heading.means.map(|(group, component, _)| (group, component));
        let same = |before: &&Heading| place(before).is_some() && place(before) == place(heading);
        if let Some(before) = columns[..i].iter().find(same) {
            let (first, second) = (&before.name, &heading.name);
            return Err(Message::new(format!(
                "the columns `{first}` and `{second}` are two names of one thing"
            )));
        }
    }
    let has = |group: Group, component: usize| {
        columns
            .iter()
            .filter_map(|heading| heading.means)
            .any(|means| (means.0, means.1) == (group, component))
    };
    let missing = |group: Group| {
        let mut names = schema.group(group).names.iter().enumerate();
        names.find(|(component, _)| !has(group, *component)).map(|(_, name)| &name.text)
    };
    let needed = match input {
        StateInput::Joints => Group::Joints,
        StateInput::Either if !has(Group::Position, 0) && missing(Group::Joints).is_none() => Group::Joints,
        StateInput::Platform | StateInput::Either => Group::Position,
    };
    if let Some(name) = missing(needed) {
        let known = schema.group(needed).list().replace(' ', ",");
        return Err(Message::new(format!("the header has no column `{name}`"))
            .hint(format!("the first line names the columns, at least {known}")));
    }
    let side = if needed == Group::Position { PLATFORM } else { JOINTS };
    let used = |group: Group| {
        let turn = needed == Group::Position && matches!(group, Group::Quaternion | Group::Rotation);
        turn || side.iter().any(|groups| groups.contains(&group))
    };
    let unused = columns.iter().filter(|heading| heading.means.is_some_and(|(group, ..)| !used(group)));
    let unused: Vec<&str> = unused.map(|heading| heading.name.as_str()).collect();
    if !unused.is_empty() {
        failure::print_to_stderr(&format!("note: not used here: {}", unused.join(", ")));
    }
    Ok(())
}

/// Whether a cell of the first line is a value and not a name.
fn is_number(cell: &str) -> bool {
    let unsigned = cell.trim_start_matches(['+', '-', '−']).trim_start_matches('.');
    unsigned.starts_with(|c: char| c.is_ascii_digit())
        || ["nan", "inf"].contains(&unsigned.to_lowercase().as_str())
}

/// The cells of a line without the space and quotes around them.
fn split(line: &str, separator: Separator) -> Vec<String> {
    let Separator::Character(separator) = separator else {
        return line.split_whitespace().map(str::to_owned).collect();
    };
    let mut builder = csv::ReaderBuilder::new();
    builder.has_headers(false).delimiter(separator).trim(csv::Trim::All).buffer_capacity(line.len().max(1));
    let record = builder.from_reader(line.as_bytes()).into_records().next();
    // A text in memory can be read, and it is UTF-8.
    let cells = record.and_then(Result::ok).unwrap_or_default();
    cells.iter().map(|cell| without_quotes(cell).to_owned()).collect()
}

/// Quotes with space before them, which are not those of CSV but common.
fn without_quotes(cell: &str) -> &str {
    cell.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(cell)
}

/// "x", "[mm]" is one heading.
fn join_units(words: &[String]) -> Vec<String> {
    let mut joined: Vec<String> = Vec::new();
    let mut open = false;
    for word in words {
        match joined.last_mut() {
            Some(last) if open || word.starts_with(['[', '(']) => {
                last.push(' ');
                last.push_str(word);
            }
            _ => joined.push(word.clone()),
        }
        open = (open || word.contains(['[', '('])) && !word.ends_with([']', ')']);
    }
    joined
}

/// A cell of text, in quotes where it needs them.
pub fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_may_be_quoted() {
        let comma = Separator::Character(b',');
        assert_eq!(split(r#" a ,"b, c","d ""e""",, "#, comma), ["a", "b, c", "d \"e\"", "", ""]);
        assert_eq!(split(r#"a, "b" "#, comma), ["a", "b"]);
        assert_eq!(split(" 1   2\t3", Separator::Space), ["1", "2", "3"]);
        assert_eq!(quoted("a, \"b\""), r#""a, ""b""""#);
    }

    #[test]
    fn a_line_without_header_has_whole_blocks() {
        for (robot, input, expected) in [
            ("delta-industrial", StateInput::Either, &[3, 6, 9, 12][..]),
            ("five-bar", StateInput::Platform, &[2, 4, 6, 8]),
            ("planar-3rrr", StateInput::Platform, &[2, 3, 6, 9, 12]),
            ("gough-stewart", StateInput::Platform, &[3, 6, 12, 18, 24]),
            ("gough-stewart", StateInput::Joints, &[6, 12, 18, 24]),
        ] {
            let schema = CoordinateSchema::of(&legwork::AnyRobot::open(robot).unwrap());
            let (layout, _) = Layout::from_first("1 2", input, &schema).unwrap();
            assert_eq!(counts(&layout.order), expected, "{robot}");
        }
    }

    #[test]
    fn a_header_is_a_line_without_numbers() {
        let schema = CoordinateSchema::of(&legwork::AnyRobot::open("delta-industrial").unwrap());
        for line in ["x,y,z", "x [mm];y;z", "x\ty\tz", "x [mm/s] y z", "z , x,y"] {
            let header = Layout::from_first(line, StateInput::Platform, &schema);
            assert_eq!(header.map(|(_, is_header)| is_header).ok(), (!line.contains("mm/s")).then_some(true));
        }
        for line in ["1,2,3", "-.5 0 1", "nan,0,0", "abc,1,2", "100mm,0,-0.8"] {
            assert!(
                matches!(Layout::from_first(line, StateInput::Platform, &schema), Ok((_, false))),
                "{line}"
            );
        }
    }
}
