//! Tables for people.

use legwork::text::{aligned, printable, wrap};
use std::io::{self, Write};

/// Rows of cells: the first column to the left, the others to the right.
#[derive(Debug, Default)]
pub struct Table {
    rows: Vec<Vec<String>>,
    left: Vec<usize>,
}

impl Table {
    /// A table whose columns `left` are also to the left.
    pub fn with_left(left: &[usize]) -> Self {
        Self { rows: Vec::new(), left: left.to_vec() }
    }

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

    pub fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max()
        };
        let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
        for row in &self.rows {
            let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
                if column == 0 || self.left.contains(&column) {
                    format!("{cell:<width$}")
                } else {
                    format!("{cell:>width$}")
                }
            });
            writeln!(out, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
        }
        Ok(())
    }
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

    #[test]
    fn long_text_is_cut() {
        assert_eq!(shortened("one two three", 8), "one t...");
        assert_eq!(shortened("one\ntwo", 8), "one two");
    }
}
