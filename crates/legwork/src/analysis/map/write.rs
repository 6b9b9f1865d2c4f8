//! A map as a table in a file.

use super::{Map, MapError};
use crate::recording::{Column, Metadata, Recorder};
use std::path::Path;

/// The column of a map that was stopped which tells what was computed.
const COMPUTED: &str = "computed";

impl Map {
    /// The columns of its table: the coordinates that vary, whether the pose was computed if the run was stopped, then
    /// the numbers.
    pub fn table_columns(&self) -> Vec<Column> {
        let range = |range: &super::Range| {
            Column::new(range.coordinate.name(), range.coordinate.unit()).in_frame("base")
        };
        let mark = self.is_partial().then(|| Column::new(COMPUTED, ""));
        self.grid.ranges().iter().map(range).chain(mark).chain(self.columns.iter().cloned()).collect()
    }

    /// Writes one row for each pose, in SI units, as `.csv` or `.parquet`. A map that was stopped says so, and has a
    /// column `computed`: 1, or 0 for a pose that was not looked at; one that is out of reach has a 1 and NaN.
    pub fn save(&self, path: impl AsRef<Path>, metadata: &Metadata) -> Result<(), MapError> {
        let rest = self.grid.rest().into_iter();
        let metadata = rest.fold(metadata.clone(), |metadata, (coordinate, value)| {
            metadata.with(coordinate.name(), format!("{value:?} {}", coordinate.unit()))
        });
        let mut recorder = Recorder::start_table(path, &self.table_columns(), &metadata)?;
        let mut row = Vec::new();
        for pose in 0..self.grid.len() {
            let coordinates = self.grid.coordinates(pose);
            row.clear();
            row.extend(self.grid.ranges().iter().map(|range| coordinates[range.coordinate as usize]));
            row.extend(self.is_partial().then(|| f64::from(u8::from(self.is_computed(pose)))));
            row.extend(self.at(pose));
            recorder.push(&row)?;
        }
        let ending = self.stopped().unwrap_or_else(|| "complete".into());
        Ok(recorder.finish(&ending)?)
    }
}
