//! Tables of text for people, as wide as a terminal.

use crate::text::{aligned, printable, wrap};
use std::io::{self, Write};

/// Columns of a terminal that every table fits.
pub const WIDTH: usize = 80;
/// A last column of words is wrapped if it has room for so many characters.
const WORDS: usize = 24;
/// A first column of a table that is too wide is wrapped at so many.
const NAMES: usize = 36;

/// Rows of cells: the first column to the left, the others to the right. A table that is wider than a terminal is
/// folded: a last column of words is wrapped, other columns go below each other, each part with the first column again.
#[derive(Debug, Default)]
pub struct Table {
    rows: Vec<Vec<String>>,
    left: Vec<usize>,
    folds: Vec<usize>,
}

impl Table {
    /// A table whose columns `left` are also to the left.
    pub fn with_left(left: &[usize]) -> Self {
        Self { left: left.to_vec(), ..Self::default() }
    }

    /// Where columns belong together: a table that is too wide is folded before one of these, if it can be.
    pub fn folding_before(self, folds: Vec<usize>) -> Self {
        Self { folds, ..self }
    }

    /// One more row, without control characters.
    pub fn row(&mut self, cells: impl IntoIterator<Item = impl Into<String>>) {
        self.rows.push(cells.into_iter().map(|cell| printable(&cell.into()).into_owned()).collect());
    }

    /// With these rows.
    pub fn with_rows<const N: usize>(mut self, rows: impl IntoIterator<Item = [String; N]>) -> Self {
        rows.into_iter().for_each(|row| self.row(row));
        self
    }

    /// A name, then numbers with common decimals.
    pub fn numbers(&mut self, name: &str, numbers: &[f64]) {
        self.row(std::iter::once(name.to_owned()).chain(aligned(numbers)));
    }

    /// The cells, row by row.
    pub fn rows(&self) -> &[Vec<String>] {
        &self.rows
    }

    /// Prints all rows.
    pub fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max()
        };
        let mut widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
        if !self.narrow_words(&mut widths)
            && columns > 2
            && let Some(first) = widths.first_mut()
        {
            // One word is not cut.
            let words =
                self.rows.iter().filter_map(|row| row.first()).flat_map(|cell| cell.split_whitespace());
            let longest = words.map(|word| word.chars().count()).max().unwrap_or(0);
            *first = (*first).min(longest.max(NAMES));
            self.narrow_words(&mut widths);
        }
        for (k, part) in self.parts(&widths).iter().enumerate() {
            if k > 0 {
                writeln!(out)?;
            }
            self.print_part(part, &widths, out)?;
        }
        Ok(())
    }

    /// Makes the widest column of words so narrow that the table fits; false where it cannot.
    fn narrow_words(&self, widths: &mut [usize]) -> bool {
        let total = widths.iter().map(|width| width + 2).sum::<usize>().saturating_sub(2);
        if total <= WIDTH {
            return true;
        }
        let words = self.left.iter().copied().filter(|column| *column > 0 && *column < widths.len());
        let Some(widest) = words.max_by_key(|column| widths[*column]) else { return false };
        let others = total - widths[widest];
        let fits = others + WORDS <= WIDTH;
        if fits {
            widths[widest] = WIDTH - others;
        }
        fits
    }

    /// The columns that stand side by side, part by part.
    fn parts(&self, widths: &[usize]) -> Vec<Vec<usize>> {
        let Some(first) = widths.first() else { return Vec::new() };
        // A column of words takes what is left.
        let last = widths.len() - 1;
        let needed = |column: usize| {
            let is_wrapped = column == last && self.left.contains(&column);
            if is_wrapped { widths[column].min(WORDS) } else { widths[column] }
        };
        let total = |columns: &[usize]| columns.iter().map(|column| needed(*column) + 2).sum::<usize>() - 2;
        let all: Vec<usize> = (0..widths.len()).collect();
        if last == 0 || total(&all) <= WIDTH {
            return vec![all];
        }
        let mut parts = vec![vec![0]];
        let mut used = *first;
        for column in 1..=last {
            // Up to the next fold, or to the end.
            let group_end =
                self.folds.iter().copied().filter(|fold| *fold > column).min().unwrap_or(last + 1);
            let group: Vec<usize> = (column..group_end).collect();
            let opens_group = self.folds.contains(&column);
            let fits_group = used + 2 + total(&group) <= WIDTH || first + 2 + total(&group) > WIDTH;
            let fits = used + 2 + needed(column) <= WIDTH && (!opens_group || fits_group);
            if let Some(part) = parts.last_mut()
                && (fits || part.len() == 1)
            {
                part.push(column);
                used += 2 + needed(column);
            } else {
                parts.push(vec![0, column]);
                used = first + 2 + needed(column);
            }
        }
        parts
    }

    fn print_part(&self, part: &[usize], widths: &[usize], out: &mut dyn Write) -> io::Result<()> {
        let is_left = |column: usize| column == 0 || self.left.contains(&column);
        let (Some(&last), empty) = (part.last(), String::new()) else { return Ok(()) };
        let before: usize =
            part.iter().filter(|column| **column != last).map(|column| widths[*column] + 2).sum();
        let room = WIDTH.saturating_sub(before).max(WORDS);
        for row in &self.rows {
            let cell = |column: usize| row.get(column).unwrap_or(&empty);
            // One list of lines for each cell: words are wrapped, numbers never.
            let lines = |column: usize| {
                let room = if column == last && last > 0 { room } else { widths[column] };
                let is_long = is_left(column) && cell(column).chars().count() > room;
                if is_long { wrap(cell(column), room) } else { vec![cell(column).clone()] }
            };
            let cells: Vec<(usize, Vec<String>)> =
                part.iter().map(|column| (*column, lines(*column))).collect();
            for k in 0..cells.iter().map(|(_, lines)| lines.len()).max().unwrap_or(0) {
                let shown = cells.iter().map(|(column, lines)| {
                    let (text, width) = (lines.get(k).unwrap_or(&empty), widths[*column]);
                    if is_left(*column) { format!("{text:<width$}") } else { format!("{text:>width$}") }
                });
                writeln!(out, "{}", shown.collect::<Vec<_>>().join("  ").trim_end())?;
            }
        }
        Ok(())
    }
}

/// Prints a line; one that is wider than a terminal goes on below, indented.
pub fn print_line(text: &str, out: &mut dyn Write) -> io::Result<()> {
    if text.chars().count() <= WIDTH {
        return writeln!(out, "{text}");
    }
    let lines = wrap(text, WIDTH - 2);
    lines
        .iter()
        .enumerate()
        .try_for_each(|(k, line)| writeln!(out, "{}{line}", if k == 0 { "" } else { "  " }))
}

/// Prints text in lines of at most `width` characters.
pub fn print_wrapped(text: &str, width: usize, out: &mut dyn Write) -> io::Result<()> {
    wrap(text, width).iter().try_for_each(|line| writeln!(out, "{line}"))
}

/// The text, cut at `width` characters.
pub fn shortened(text: &str, width: usize) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() <= width {
        return text;
    }
    let cut: String = text.chars().take(width - 3).collect();
    format!("{}...", cut.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(table: &Table) -> Vec<String> {
        let mut out = Vec::new();
        table.print(&mut out).unwrap();
        String::from_utf8(out).unwrap().lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_wide_table_goes_on_below_with_its_first_column() {
        let mut table = Table::default().folding_before(vec![4]);
        for row in 0..2 {
            table.row((0..7).map(|column| format!("row {row} column {column}")));
        }
        let lines = printed(&table);
        assert!(lines.iter().all(|line| line.chars().count() <= WIDTH), "{lines:#?}");
        assert_eq!(lines[0], "row 0 column 0  row 0 column 1  row 0 column 2  row 0 column 3");
        assert_eq!(lines[2..4], ["", "row 0 column 0  row 0 column 4  row 0 column 5  row 0 column 6"]);
        assert_eq!(lines.len(), 5);
    }

    #[test]
    fn words_at_the_end_are_wrapped_and_one_word_is_not_cut() {
        let mut table = Table::with_left(&[1]);
        table.row(["name".to_owned(), "word ".repeat(30)]);
        table.row(["file".to_owned(), "x".repeat(90)]);
        let lines = printed(&table);
        assert_eq!(lines[1], format!("      {}", ["word"; 15].join(" ")));
        assert_eq!(lines.last().unwrap(), &format!("file  {}", "x".repeat(90)));
    }

    #[test]
    fn long_text_is_cut() {
        assert_eq!(shortened("one two three", 8), "one t...");
        assert_eq!(shortened("one\ntwo", 8), "one two");
    }
}
