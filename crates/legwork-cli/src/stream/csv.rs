//! CSV: a header that names the columns, or numbers in a fixed order.

use super::column;
use crate::answer::Reads;
use crate::failure::{self, Message};
use crate::quantity::Kind;
use crate::row::{GROUPS, Group, Row};

/// How the cells of a line become numbers.
pub struct Layout {
    separator: Separator,
    columns: Option<Vec<Heading>>,
    /// The groups of a line without header, in order.
    order: &'static [Group],
}

/// A column of the header.
struct Heading {
    name: String,
    unit: Option<String>,
    /// `None` for a column that is read over.
    means: Option<(Group, usize)>,
}

#[derive(Clone, Copy)]
enum Separator {
    Character(char),
    Space,
}

const PLATFORM: &[Group] = &[Group::Position, Group::Velocity, Group::Acceleration, Group::Force];
const JOINTS: &[Group] = &[Group::Angles, Group::Speeds, Group::AngularAccelerations, Group::Force];

impl Layout {
    /// The layout that the first line shows, and whether that line is a header.
    pub fn from_first(line: &str, reads: Reads) -> Result<(Self, bool), Message> {
        let separator = [',', ';', '\t']
            .into_iter()
            .find(|c| line.contains(*c))
            .map_or(Separator::Space, Separator::Character);
        let order = if reads == Reads::Joints { JOINTS } else { PLATFORM };
        let cells = split(line, separator);
        if cells.iter().any(|cell| is_number(cell)) {
            return Ok((Self { separator, columns: None, order }, false));
        }
        // `x [mm]` has a space of its own
        let cells = match separator {
            Separator::Space => join_units(&cells),
            Separator::Character(_) => cells,
        };
        let columns = cells.iter().map(|cell| Heading::read(cell)).collect::<Result<Vec<_>, _>>()?;
        check(&columns, reads)?;
        Ok((Self { separator, columns: Some(columns), order }, true))
    }

    /// Puts the numbers of a line into a row.
    pub fn read(&self, line: &str, row: &mut Row) -> Result<(), Message> {
        let cells = split(line, self.separator);
        match &self.columns {
            Some(columns) => read_named(columns, &cells, row),
            None => read_in_order(self.order, &cells, row),
        }
    }
}

fn read_named(columns: &[Heading], cells: &[String], row: &mut Row) -> Result<(), Message> {
    if cells.len() != columns.len() {
        let (needed, given) = (columns.len(), cells.len());
        return Err(Message::new(format!("the header has {needed} columns, this line {given}")));
    }
    for (heading, cell) in columns.iter().zip(cells).rev() {
        // A line that already failed in an earlier program of a pipe keeps its reason.
        if heading.name == "error" && !cell.is_empty() {
            return Err(Message::new(cell.as_str()));
        }
        if let Some((group, component)) = heading.means {
            let value = number(&heading.name, group.row().kind, cell, heading.unit.as_deref())?;
            row.set(group, component, value);
        }
    }
    Ok(())
}

fn read_in_order(order: &[Group], cells: &[String], row: &mut Row) -> Result<(), Message> {
    if !cells.len().is_multiple_of(3) || cells.len() > 3 * order.len() {
        let counts = "3, 6, 9 or 12 numbers are needed without a header";
        return Err(Message::new(format!("{counts}, this line has {}", cells.len())));
    }
    for (group, three) in order.iter().zip(cells.chunks(3)) {
        for (component, cell) in three.iter().enumerate() {
            let value = number(group.row().columns[component], group.row().kind, cell, None)?;
            row.set(*group, component, value);
        }
    }
    Ok(())
}

fn number(name: &str, kind: Kind, cell: &str, unit: Option<&str>) -> Result<f64, Message> {
    if cell.is_empty() {
        return Err(Message::new(format!("`{name}` is empty")));
    }
    kind.parse(cell, unit).map_err(|unreadable| {
        Message::new(format!("`{name}` is {}: {}", kind.described(), unreadable.reason))
    })
}

impl Heading {
    /// `x`, `x [mm]` or `x (mm)`.
    fn read(cell: &str) -> Result<Self, Message> {
        let bracket = cell
            .split_once(['[', '('])
            .and_then(|(name, rest)| Some((name.trim(), rest.strip_suffix([']', ')'])?.trim())));
        let (name, unit) = bracket.map_or((cell, None), |(name, unit)| (name, Some(unit.to_owned())));
        let means = column(name)?;
        if let (Some((group, _)), Some(unit)) = (means, &unit) {
            let kind = group.row().kind;
            kind.parse("0", Some(unit)).map_err(|unreadable| {
                let error = format!("column `{name}` is {}: {}", kind.described(), unreadable.reason);
                Message::new(error).hint(unreadable.hint)
            })?;
        }
        Ok(Self { name: name.to_owned(), unit, means })
    }
}

/// Refuses a header that names a column twice or lacks one that is needed.
fn check(columns: &[Heading], reads: Reads) -> Result<(), Message> {
    for (i, heading) in columns.iter().enumerate() {
        if columns[..i].iter().any(|before| before.name == heading.name) {
            return Err(Message::new(format!("the header has the column `{}` twice", heading.name)));
        }
    }
    let missing = |group: Group| {
        let names = group.row().columns.iter();
        names.copied().find(|name| !columns.iter().any(|heading| heading.name == *name))
    };
    let needed = match reads {
        Reads::Joints => Group::Angles,
        Reads::Either if columns.iter().any(|heading| heading.name == "x") => Group::Position,
        Reads::Either if missing(Group::Angles).is_none() => Group::Angles,
        Reads::Platform | Reads::Either => Group::Position,
    };
    if let Some(name) = missing(needed) {
        let known = needed.row().columns.join(",");
        return Err(Message::new(format!("the header has no column `{name}`"))
            .hint(format!("the first line names the columns, at least {known}")));
    }
    let side = if needed == Group::Position { PLATFORM } else { JOINTS };
    let other = GROUPS.iter().filter(|row| !side.contains(&row.group)).flat_map(|row| row.columns);
    let unused: Vec<_> = other.filter(|name| columns.iter().any(|heading| heading.name == *name)).collect();
    if !unused.is_empty() {
        failure::tell(&format!("note: not used here: {}", unused.join(", ")));
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
    let mut cells = vec![String::new()];
    let mut in_quotes = false;
    let mut letters = line.chars().peekable();
    while let Some(c) = letters.next() {
        match c {
            // A quote in quotes is written twice.
            '"' if in_quotes && letters.peek() == Some(&'"') => {
                letters.next();
                push(&mut cells, '"');
            }
            '"' => in_quotes = !in_quotes,
            c if c == separator && !in_quotes => cells.push(String::new()),
            c => push(&mut cells, c),
        }
    }
    cells.iter().map(|cell| cell.trim().to_owned()).collect()
}

fn push(cells: &mut [String], c: char) {
    if let Some(cell) = cells.last_mut() {
        cell.push(c);
    }
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
        let comma = Separator::Character(',');
        assert_eq!(split(r#" a ,"b, c","d ""e""",, "#, comma), ["a", "b, c", "d \"e\"", "", ""]);
        assert_eq!(split(" 1   2\t3", Separator::Space), ["1", "2", "3"]);
        assert_eq!(quoted("a, \"b\""), r#""a, ""b""""#);
    }

    #[test]
    fn a_header_is_a_line_without_numbers() {
        for line in ["x,y,z", "x [mm];y;z", "x\ty\tz", "x [mm/s] y z", "z , x,y"] {
            let header = Layout::from_first(line, Reads::Platform);
            assert_eq!(header.map(|(_, is_header)| is_header).ok(), (!line.contains("mm/s")).then_some(true));
        }
        for line in ["1,2,3", "-.5 0 1", "nan,0,0", "abc,1,2", "100mm,0,-0.8"] {
            assert!(matches!(Layout::from_first(line, Reads::Platform), Ok((_, false))), "{line}");
        }
    }
}
