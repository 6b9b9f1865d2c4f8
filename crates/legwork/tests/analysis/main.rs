//! Maps, pictures, sensitivities and reports.

mod figure;
mod map;
mod report;
mod sensitivity;
