//! Motions: fastest timing, sizing, several moves, rows of files.

mod moves;
mod plan;
mod rows;
mod size;
