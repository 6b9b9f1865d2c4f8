//! Motions: fastest timing, sizing, several moves, rows of files.

mod moves;
mod plan;
mod planned_rows;
mod rows;
mod size;
