//! A map as a table in a file.

use super::{Map, MapError};
use crate::recording::{Column, Metadata, Recorder};
use std::path::Path;

impl Map {
    /// The columns of its table: the coordinates that vary, then the numbers.
    pub fn table_columns(&self) -> Vec<Column> {
        let range = |range: &super::Range| {
            Column::new(range.coordinate.name(), range.coordinate.unit()).in_frame("base")
        };
        self.grid.ranges().iter().map(range).chain(self.columns.iter().cloned()).collect()
    }

    /// Writes one row for each pose, in SI units, as `.csv` or `.parquet`. A map that was stopped says so.
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
            row.extend(self.at(pose));
            recorder.push(&row)?;
        }
        let (done, all) = (self.done, self.grid.len());
        let ending = if self.is_partial() {
            format!("stopped after {done} of {all} poses")
        } else {
            "complete".into()
        };
        Ok(recorder.finish(&ending)?)
    }
}
