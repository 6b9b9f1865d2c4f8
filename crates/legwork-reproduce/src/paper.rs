//! The five papers.

use crate::item::Item;
use crate::{bortoff, codourey, khalil_ibrahim, ngoc_kim};

/// One of the five papers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paper {
    /// \[Codourey1996\]
    Codourey1996,
    /// \[Codourey1998\]
    Codourey1998,
    /// \[KhalilIbrahim2007\]
    KhalilIbrahim2007,
    /// \[Bortoff2018\]
    Bortoff2018,
    /// \[NgocKim2010\]
    NgocKim2010,
}

impl Paper {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Codourey1996,
        Self::Codourey1998,
        Self::KhalilIbrahim2007,
        Self::NgocKim2010,
        Self::Bortoff2018,
    ];

    /// As the program names it: `codourey1998`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Codourey1996 => "codourey1996",
            Self::Codourey1998 => "codourey1998",
            Self::KhalilIbrahim2007 => "khalil-ibrahim2007",
            Self::Bortoff2018 => "bortoff2018",
            Self::NgocKim2010 => "ngoc-kim2010",
        }
    }

    /// Authors, title, year.
    pub fn citation(self) -> &'static str {
        match self {
            Self::Codourey1996 => {
                "A. Codourey, Dynamic modelling and mass matrix evaluation of the DELTA parallel robot for \
                 axes decoupling control, 1996"
            }
            Self::Codourey1998 => {
                "A. Codourey, Dynamic modeling of parallel robots for computed-torque control \
                 implementation, 1998"
            }
            Self::KhalilIbrahim2007 => {
                "W. Khalil, O. Ibrahim, General solution for the dynamic modeling of parallel robots, 2007"
            }
            Self::Bortoff2018 => "S. A. Bortoff, Object-oriented modeling and control of delta robots, 2018",
            Self::NgocKim2010 => {
                "P. V. B. Ngoc, H. S. Kim, Inverse dynamics analysis of a Delta-type parallel-kinematic robot, 2010"
            }
        }
    }

    pub(crate) fn items(self) -> &'static [Item] {
        match self {
            Self::Codourey1996 => codourey::ITEMS_1996,
            Self::Codourey1998 => codourey::ITEMS_1998,
            Self::KhalilIbrahim2007 => khalil_ibrahim::ITEMS,
            Self::Bortoff2018 => bortoff::ITEMS,
            Self::NgocKim2010 => ngoc_kim::ITEMS,
        }
    }
}
