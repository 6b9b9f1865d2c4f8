//! The robots: families in closed form, families of the general engine, and a
//! catalogue of real machines.

pub mod c5;
pub mod catalog;
pub mod delta;
pub mod delta_legs;
pub mod five_bar;
pub mod gough_stewart;
pub mod hexa;
pub mod hexaglide;
pub mod linear_delta;
pub mod rrr3;
pub mod space;
