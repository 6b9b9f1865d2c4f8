//! SIMD lanes as scalars: four states in `f64` or eight in `f32` side by side.
//!
//! A lane does what the plain scalar does, to the bit, in every formula without
//! trigonometry. `sin_cos` and `atan2` are those of `wide`: about one unit in the
//! last place from the plain scalar for the angles of a robot. A NaN stays in
//! its own lane.
//!
//! `wide` picks its registers when the program is compiled: build for
//! `x86-64-v3` or better, otherwise a vector is a pair of SSE2 registers.
//!
//! ```
//! use legwork_core::V3;
//! use legwork_core::lanes::{f64x4, pack4, unpack4};
//! let states = [0.0, 1.0, 2.0, 3.0].map(|x| V3::new(x, 3.0, 4.0));
//! let lengths = pack4(states).norm_sq();
//! assert_eq!(lengths, f64x4::new([25.0, 26.0, 29.0, 34.0]));
//! assert_eq!(unpack4(pack4(states)), states);
//! ```

use crate::{Real, V3};
use core::array::from_fn;

pub use wide::{f32x8, f64x4};

macro_rules! lanes {
    ($vector:ident, $element:ident, $n:literal, $pack:ident, $unpack:ident) => {
        impl Real for $vector {
            // All bits of a lane set or none, as `wide` has it.
            type Mask = Self;
            #[inline(always)]
            fn from_f64(value: f64) -> Self {
                Self::splat($element::from_f64(value))
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                $vector::sqrt(self)
            }
            #[inline(always)]
            fn abs(self) -> Self {
                $vector::abs(self)
            }
            #[inline(always)]
            fn sin_cos(self) -> (Self, Self) {
                $vector::sin_cos(self)
            }
            #[inline(always)]
            fn atan2(self, x: Self) -> Self {
                $vector::atan2(self, x)
            }
            #[inline(always)]
            fn lt(self, other: Self) -> Self {
                self.simd_lt(other)
            }
            #[inline(always)]
            fn select(mask: Self, yes: Self, no: Self) -> Self {
                $vector::select(mask, yes, no)
            }
        }

        /// One vector per state to one lane per state.
        #[inline(always)]
        pub fn $pack(states: [V3<$element>; $n]) -> V3<$vector> {
            V3::new(
                $vector::new(states.map(|v| v.x)),
                $vector::new(states.map(|v| v.y)),
                $vector::new(states.map(|v| v.z)),
            )
        }

        /// One lane per state to one vector per state.
        #[allow(clippy::indexing_slicing)] // i counts the lanes
        #[inline(always)]
        pub fn $unpack(lanes: V3<$vector>) -> [V3<$element>; $n] {
            let V3 { x, y, z } = lanes.map($vector::to_array);
            from_fn(|i| V3::new(x[i], y[i], z[i]))
        }
    };
}

lanes!(f64x4, f64, 4, pack4, unpack4);
lanes!(f32x8, f32, 8, pack8, unpack8);
