//! Linear models: poles, zeros, regulators, files.

mod delta;
mod export;
mod regulator;
mod robots;
