//! What a mechanism is to the kernel: a tree of bodies, cut joints, and lists made once at set-up.

use super::Frame;
use crate::engine::{Drive, RigidBody};
use crate::{Real, V3};

/// An index that stands for nothing: larger than every list.
pub const NONE: usize = (u32::MAX >> 8) as usize;

/// How a body hangs on its parent in the tree. Frames P of the parent and C of the child coincide at zero;
/// the child's own frame is C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeJoint {
    /// Turns about z by one coordinate.
    Revolute,
    /// Slides along z by one coordinate.
    Prismatic,
    /// Slides along z, then turns about z.
    Cylindrical,
    /// Turns about z of the parent, then about y of the child.
    Universal,
    /// Turns about any axis: a quaternion (w, x, y, z). Rates are about the axes of the child.
    Spherical,
    /// Slides along x and y, then turns about z.
    Planar,
    /// Held by nothing: position of its frame, then a quaternion. Rates are the twist (ω, v) about O.
    Free,
}

impl TreeJoint {
    /// How many rates it has.
    pub const fn freedoms(self) -> usize {
        match self {
            Self::Revolute | Self::Prismatic => 1,
            Self::Cylindrical | Self::Universal => 2,
            Self::Spherical | Self::Planar => 3,
            Self::Free => 6,
        }
    }

    /// How many coordinates it has.
    pub const fn coordinates(self) -> usize {
        match self {
            Self::Spherical => 4,
            Self::Free => 7,
            _ => self.freedoms(),
        }
    }
}

/// What a body adds to the sums over all bodies. Efforts and accelerations are the same whichever is chosen; only what
/// joints carry needs the bodies as they are ([`TreeBody::body`]).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Share<T> {
    /// A rigid body: its own, and the turning inertias of bodies that slide on it and turn with it.
    Whole(RigidBody<T>),
    /// Its mass at its centre: its parent, on which it slides, has its inertia.
    Point {
        /// \[kg\]
        mass: T,
        /// In the body's frame \[m\].
        centre: V3<T>,
    },
    /// It turns about a fixed axis of the ground.
    Axis {
        /// About the axis \[kg·m²\].
        inertia: T,
        /// m c_x and m c_y in the body's frame \[kg·m\].
        moment: [T; 2],
    },
}

/// A body and the joint by which it hangs on its parent.
///
/// Rates and coordinates stand in the order of the bodies, without a gap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreeBody<T> {
    /// The joint to the parent.
    pub joint: TreeJoint,
    /// 0 for the ground, k for body k − 1 of the list, which stands before this one.
    pub parent: usize,
    /// Its first rate.
    pub freedom: usize,
    /// Its first coordinate.
    pub coordinate: usize,
    /// Frame P of the joint in the parent's frame.
    pub frame: Frame<T>,
    /// Mass and inertia in the body's own frame, C of its joint.
    pub body: RigidBody<T>,
    /// What of it the sums see.
    pub share: Share<T>,
}

/// A joint that the tree leaves out, and that its rows close.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutJoint {
    /// Three forces at the centre.
    Spherical,
    /// Three forces and the moment z_P × y_C.
    Universal,
    /// Three forces and moments about x_P and y_P.
    Revolute,
    /// Forces along x_P and y_P, three moments.
    Prismatic,
    /// Forces along x_P and y_P, moments about them.
    Cylindrical,
    /// A force along z_P, moments about x_P and y_P.
    Planar,
    /// Three forces and three moments.
    Fixed,
}

impl CutJoint {
    /// How many forces it passes on.
    pub const fn forces(self) -> usize {
        match self {
            Self::Spherical | Self::Universal | Self::Revolute | Self::Fixed => 3,
            Self::Prismatic | Self::Cylindrical => 2,
            Self::Planar => 1,
        }
    }

    /// How many moments it passes on.
    pub const fn moments(self) -> usize {
        match self {
            Self::Spherical => 0,
            Self::Universal => 1,
            Self::Revolute | Self::Cylindrical | Self::Planar => 2,
            Self::Prismatic | Self::Fixed => 3,
        }
    }

    /// Whether both frames have their origin at one point.
    pub const fn has_centre(self) -> bool {
        matches!(self, Self::Spherical | Self::Universal | Self::Revolute | Self::Fixed)
    }
}

/// Part of a list: from `start` up to `end`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// First place.
    pub start: usize,
    /// Behind the last place.
    pub end: usize,
}

impl Span {
    /// The part of a list, empty if the list is too short.
    #[inline(always)]
    pub fn of<'a, V>(&self, list: &'a [V]) -> &'a [V] {
        list.get(self.start..self.end).unwrap_or_default()
    }

    /// The part of a list, empty if the list is too short.
    #[inline(always)]
    pub fn of_mut<'a, V>(&self, list: &'a mut [V]) -> &'a mut [V] {
        list.get_mut(self.start..self.end).unwrap_or_default()
    }

    /// How many.
    pub const fn len(&self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// Whether there is nothing.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// One rate on the way from the ground to a cut joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// Which rate.
    pub freedom: usize,
    /// In which column of the block it stands.
    pub column: usize,
}

/// One side of a cut joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Side<T> {
    /// 0 for the ground, k for body k − 1.
    pub body: usize,
    /// The joint's frame in that of the body.
    pub frame: Frame<T>,
    /// The rates that move this side and not the other.
    pub terms: Span,
    /// First of the six columns of a free body that moves this side, or [`NONE`].
    pub free: usize,
}

/// A cut joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cut<T> {
    /// What it lets its bodies do.
    pub joint: CutJoint,
    /// The side of frame P.
    pub parent: Side<T>,
    /// The side of frame C.
    pub child: Side<T>,
    /// Whether the directions of the forces are fixed in the child; else in the parent.
    pub on_child: bool,
    /// Directions of the forces in the frame of that **body** (its columns), and the joint's centre there.
    /// Joints that slide have those of frame P.
    pub directions: Frame<T>,
    /// In which row of the block each force and each moment stands; [`NONE`] for a row that depends on others.
    pub rows: [usize; 6],
}

/// A row from which a multiple of a pivot's row is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The pivot, and its row, in the block.
    pub pivot: usize,
    /// The row below.
    pub row: usize,
}

/// A pivot and what its elimination does to later rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pivot<T> {
    /// Rows below in which its column is not always zero, part of [`Plan::steps`].
    pub steps: Span,
    /// One over its size where the plan was made: the margin is one there.
    pub reference: T,
    /// Columns to its right in which its row is not always zero, part of [`Plan::entries`].
    pub entries: Span,
}

/// A leg with the rows that close it, or the core with the rows that legs hand over.
///
/// Its matrix has the pivot columns first, in the order of their rows, then the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// Its bodies, part of [`Plan::bodies`].
    pub bodies: Span,
    /// Its cut joints, part of [`Plan::cuts`].
    pub cuts: Span,
    /// Rates of its columns, part of [`Plan::columns`].
    pub columns: Span,
    /// Its rows in lists of one number per row; pivot rows first.
    pub rows: Span,
    /// Its pivots, part of [`Plan::pivots`]; in memory the same places.
    pub pivots: Span,
    /// The steps of all its pivots, part of [`Plan::steps`].
    pub steps: Span,
    /// Its matrix in the memory, in groups of four columns.
    pub matrix: Span,
    /// Groups of four columns in a row.
    pub width: usize,
    /// Rows of the core that its rows without a pivot become, part of [`Plan::targets`].
    pub core_rows: Span,
    /// Columns of the core that its columns without a pivot become, part of [`Plan::targets`].
    pub core_columns: Span,
    /// Idle rates, the first columns without a pivot; part of [`Plan::idle`].
    pub idle: Span,
}

/// A rate that neither motors nor platform feel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Idle<T> {
    /// Which rate.
    pub freedom: usize,
    /// Its body, from 1.
    pub body: usize,
    /// Whether moving it moves no other rate and no other body: then its momentum is that of one body.
    pub alone: bool,
    /// Of one that is alone, an axis e of its ball: I_c e in the body's axes \[kg·m²\].
    pub spin: V3<T>,
    /// m e × c in the body's axes \[kg·m\]; `None` for a body whose centre is on the axis.
    pub swing: Option<V3<T>>,
    /// Inertia about the axis \[kg·m²\].
    pub inertia: T,
}

/// A driven rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motor<T> {
    /// Which rate.
    pub freedom: usize,
    /// Its coordinate.
    pub coordinate: usize,
    /// Place among the independent motors, or [`NONE`].
    pub independent: usize,
    /// Inertia and friction on its axis.
    pub drive: Drive<T>,
    /// What its effort counts beside those of other motors, where there are more of them than freedoms; one for each
    /// gives the smallest norm.
    pub weight: T,
    /// The effort that it should have as far as the motion leaves a choice \[N m or N\].
    pub preload: T,
}

/// A linear spring between two points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring<T> {
    /// The bodies, 0 for the ground.
    pub bodies: [usize; 2],
    /// The points, in the frames of the bodies \[m\].
    pub points: [V3<T>; 2],
    /// \[N/m\]
    pub stiffness: T,
    /// Length without force \[m\].
    pub free_length: T,
}

/// The platform: a body, a point of it, and the axes in which its rotation is told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Platform<T> {
    /// The body, from 1.
    pub body: usize,
    /// Point and axes in the body's frame.
    pub frame: Frame<T>,
}

/// A mechanism prepared for the kernel. All lists belong to the caller.
///
/// Bodies stand parents first: those of the core, then leg by leg.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a, T> {
    /// The tree.
    pub bodies: &'a [TreeBody<T>],
    /// Joints that the tree leaves out, leg by leg, those of the core last.
    pub cuts: &'a [Cut<T>],
    /// Rates that move one side of a cut joint.
    pub terms: &'a [Term],
    /// The legs.
    pub legs: &'a [Block],
    /// The core.
    pub core: Block,
    /// Rates of the columns of all blocks.
    pub columns: &'a [usize],
    /// Pivots of all blocks.
    pub pivots: &'a [Pivot<T>],
    /// Rows below pivots, in the order of the pivots.
    pub steps: &'a [Step],
    /// Columns right of pivots.
    pub entries: &'a [Term],
    /// Rows and columns of the core.
    pub targets: &'a [usize],
    /// Rates that nobody feels.
    pub idle: &'a [Idle<T>],
    /// Driven rates, in the user's order.
    pub motors: &'a [Motor<T>],
    /// Inertia of the motor on each rate \[kg·m² or kg\].
    pub rotors: &'a [T],
    /// Passive rates with inertia or friction of their own.
    pub drags: &'a [Motor<T>],
    /// Springs between bodies.
    pub springs: &'a [Spring<T>],
    /// The platform.
    pub platform: Platform<T>,
    /// Acceleration of free fall \[m/s²\].
    pub gravity: V3<T>,
    /// Rates of the tree.
    pub freedoms: usize,
    /// Coordinates of the tree.
    pub coordinates: usize,
}

/// How much memory a plan needs, see [`Memory`](super::Memory).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// Bodies and the ground.
    pub bodies: usize,
    /// Rates.
    pub freedoms: usize,
    /// Cut joints.
    pub cuts: usize,
    /// Groups of four in all matrices.
    pub matrix: usize,
    /// Rows of all blocks.
    pub rows: usize,
    /// Pivots of all blocks.
    pub pivots: usize,
    /// Steps of all eliminations.
    pub steps: usize,
    /// Groups of four in the widest row.
    pub width: usize,
    /// Motors.
    pub motors: usize,
    /// Independent motors.
    pub independent: usize,
    /// Groups of four for the independent motors.
    pub groups: usize,
    /// Idle rates.
    pub idle: usize,
}

impl<T: Real> Plan<'_, T> {
    /// How many motors are independent.
    pub const fn independent(&self) -> usize {
        self.core.columns.len().saturating_sub(self.core.pivots.len())
    }

    /// How many groups of four the independent motors fill.
    #[inline(always)]
    pub const fn groups(&self) -> usize {
        self.independent().div_ceil(4)
    }

    /// How much memory it needs.
    pub fn sizes(&self) -> Sizes {
        let independent = self.independent();
        Sizes {
            bodies: self.bodies.len() + 1,
            freedoms: self.freedoms,
            cuts: self.cuts.len(),
            matrix: self.core.matrix.end,
            rows: self.core.rows.end,
            pivots: self.pivots.len(),
            steps: self.steps.len(),
            width: self.legs.iter().map(|leg| leg.width).fold(self.core.width, usize::max),
            motors: self.motors.len(),
            independent,
            groups: independent.div_ceil(4),
            idle: self.idle.len(),
        }
    }
}
