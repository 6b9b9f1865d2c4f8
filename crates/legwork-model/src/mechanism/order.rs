//! The order of rows and columns: complete pivoting once, at several postures together.
//!
//! A number counts as zero only if it is zero in all postures, so the pattern holds in every posture of the branch.

use super::layout::{BlockOrder, Layout};
use super::linkage::Linkage;
use super::owned::{OwnedPlan, Workspace};
use legwork_core::mechanism::{NONE, TreeJoint};

/// Below this, relative to its row, an entry is rounding in every posture.
const ALWAYS_ZERO: f64 = 1e-12;
/// Pivots this much smaller than the largest are taken where they save work.
const WORTH: f64 = 0.2;

/// Why there is no order.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum NoOrder {
    /// A rate of the core that no motor controls.
    FreeCore,
    /// An entry that is a pivot in some postures and zero in others; the rate of its column.
    Singular { freedom: usize },
}

/// One matrix per posture.
struct Stack {
    rows: usize,
    columns: usize,
    postures: Vec<Vec<f64>>,
    /// How many of the postures, from the first, must have a pivot; the others only tell what is zero.
    judges: usize,
    /// What may be something by the pattern of the rows alone, once a pivot was zero in one of the postures.
    pattern: Vec<bool>,
    by_pattern: bool,
}

/// A pivot: row and column, rows below and columns to the right with something in them, its size at home.
struct Found {
    row: usize,
    column: usize,
    below: Vec<usize>,
    right: Vec<usize>,
    home: f64,
}

impl Stack {
    fn at(&self, posture: usize, row: usize, column: usize) -> f64 {
        self.postures[posture][row * self.columns + column]
    }

    /// Smallest and largest size over all postures.
    fn sizes(&self, row: usize, column: usize) -> (f64, f64) {
        let sizes = (0..self.postures.len()).map(|p| (p < self.judges, self.at(p, row, column).abs()));
        sizes.fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), (judge, x)| {
            (if judge { low.min(x) } else { low }, high.max(x))
        })
    }

    fn is_something(&self, row: usize, column: usize) -> bool {
        if self.by_pattern {
            return self.pattern[row * self.columns + column];
        }
        self.sizes(row, column).1 > ALWAYS_ZERO
    }

    /// The pattern of matrices from which nothing has been eliminated.
    fn look(&mut self) {
        self.by_pattern = false;
        let all =
            (0..self.rows * self.columns).map(|k| self.is_something(k / self.columns, k % self.columns));
        self.pattern = all.collect();
    }

    /// Eliminates pivots in these columns from the rows that are left.
    fn eliminate(
        &mut self,
        left: &mut Vec<usize>,
        open: &mut Vec<usize>,
        tolerance: f64,
    ) -> Result<Vec<Found>, usize> {
        let mut found = Vec::new();
        loop {
            let mut best = 0.0;
            let mut only_sometimes = None;
            for row in left.iter() {
                for column in open.iter() {
                    let (low, high) = self.sizes(*row, *column);
                    best = f64::max(best, low);
                    if high > tolerance && low <= tolerance && self.at(0, *row, *column).abs() <= tolerance {
                        only_sometimes = Some(*column);
                    }
                }
            }
            if best <= tolerance {
                return match only_sometimes {
                    Some(column) if !left.is_empty() => Err(column),
                    _ => Ok(found),
                };
            }
            let mut choice: Option<(usize, f64, usize, usize)> = None;
            for row in left.iter() {
                for column in open.iter() {
                    let (low, _) = self.sizes(*row, *column);
                    if low < WORTH * best {
                        continue;
                    }
                    let work = left.iter().filter(|r| **r != *row && self.is_something(**r, *column)).count();
                    let better = match choice {
                        None => true,
                        Some((least, size, ..)) => work < least || (work == least && low > size),
                    };
                    if better {
                        choice = Some((work, low, *row, *column));
                    }
                }
            }
            let Some((_, _, row, column)) = choice else { return Ok(found) };
            left.retain(|r| *r != row);
            open.retain(|c| *c != column);
            let below: Vec<usize> = left.iter().copied().filter(|r| self.is_something(*r, column)).collect();
            let done: Vec<usize> = found.iter().map(|f: &Found| f.column).collect();
            let right: Vec<usize> = (0..self.columns)
                .filter(|c| *c != column && !done.contains(c) && self.is_something(row, *c))
                .collect();
            let home = self.at(0, row, column);
            let columns = self.columns;
            for other in &below {
                for c in 0..columns {
                    self.pattern[other * columns + c] |= self.pattern[row * columns + c];
                }
                self.pattern[other * columns + column] = false;
            }
            self.by_pattern |= self.postures.iter().any(|m| m[row * columns + column].abs() <= tolerance);
            for matrix in &mut self.postures {
                let pivot = matrix[row * columns + column];
                for other in &below {
                    let factor = matrix[other * columns + column] / pivot;
                    for c in 0..columns {
                        matrix[other * columns + c] -= factor * matrix[row * columns + c];
                    }
                    matrix[other * columns + column] = 0.0;
                }
            }
            found.push(Found { row, column, below, right, home });
        }
    }
}

/// Whether a rate is a length per time.
fn is_linear(layout: &Layout, freedom: usize) -> bool {
    let of =
        |node: &&super::layout::Node| (node.freedom..node.freedom + node.joint.freedoms()).contains(&freedom);
    layout.nodes.iter().find(of).is_some_and(|node| match node.joint {
        TreeJoint::Prismatic => true,
        TreeJoint::Cylindrical => freedom == node.freedom,
        TreeJoint::Planar => freedom < node.freedom + 2,
        TreeJoint::Free => freedom >= node.freedom + 3,
        _ => false,
    })
}

/// Rows that are forces, in the natural order of a block.
fn force_rows(linkage: &Linkage, layout: &Layout, block: usize) -> Vec<bool> {
    let mut forces = Vec::new();
    for k in &layout.cuts[block] {
        let kind = linkage.links[*k].kind;
        let rows = 6 - kind.freedoms();
        let count = match kind {
            super::JointType::Prismatic | super::JointType::Cylindrical => 2,
            super::JointType::Planar => 1,
            _ => 3,
        };
        forces.extend((0..rows).map(|row| row < count));
    }
    forces
}

/// The matrices of a block in natural order, in proportion; and the factors of rows and columns.
fn stack(
    linkage: &Linkage,
    layout: &Layout,
    (block, postures, judges): (usize, &[Vec<f64>], usize),
    natural: &OwnedPlan<f64>,
    workspace: &mut Workspace<f64>,
) -> (Stack, Vec<f64>, Vec<f64>) {
    let plan = natural.plan();
    let own = natural.legs.get(block).unwrap_or(&natural.core);
    let (rows, columns, width) = (own.rows.len(), own.columns.len(), own.width * 4);
    let column_scale: Vec<f64> = own
        .columns
        .of(&natural.columns)
        .iter()
        .map(|k| if is_linear(layout, *k) { linkage.length } else { 1.0 })
        .collect();
    let mut row_scale: Vec<f64> = force_rows(linkage, layout, block)
        .into_iter()
        .map(|force| if force { 1.0 / linkage.length } else { 1.0 })
        .collect();
    let mut all = Vec::new();
    for posture in postures {
        let mut memory = workspace.memory();
        plan.place(posture, &mut memory);
        plan.write_rows(own, &mut memory);
        let flat = own.matrix.of(memory.matrix).as_flattened();
        let mut matrix = vec![0.0; rows * columns];
        for row in 0..rows {
            for column in 0..columns {
                matrix[row * columns + column] =
                    flat[row * width + column] * row_scale[row] * column_scale[column];
            }
        }
        all.push(matrix);
    }
    // Rows of length one at home, which stands behind a posture that is the only judge: a row that is nearly nothing there
    // must stay so.
    let home = all.get(usize::from(judges == 1)).or(all.first()).cloned();
    for row in 0..rows {
        let size =
            |m: &Vec<f64>| m[row * columns..(row + 1) * columns].iter().map(|x| x * x).sum::<f64>().sqrt();
        let size = home.as_ref().map_or(1.0, size);
        if size > ALWAYS_ZERO {
            row_scale[row] /= size;
            for matrix in &mut all {
                for entry in &mut matrix[row * columns..(row + 1) * columns] {
                    *entry /= size;
                }
            }
        }
    }
    (
        Stack { rows, columns, postures: all, judges, pattern: Vec::new(), by_pattern: false },
        row_scale,
        column_scale,
    )
}

/// The order of all blocks, legs first, from closed postures, the first of them home; and the smallest pivot there, in
/// proportion.
#[allow(clippy::too_many_lines)] // legs, core, and back to the legs: one bookkeeping
pub(super) fn order(
    linkage: &Linkage,
    layout: &Layout,
    natural: &OwnedPlan<f64>,
    (postures, judges): (&[Vec<f64>], usize),
    tolerance: f64,
) -> Result<(Vec<BlockOrder>, f64), NoOrder> {
    let mut workspace = Workspace::new(&natural.plan());
    let mut smallest = f64::INFINITY;
    let core = layout.blocks.len() - 1;
    let core_columns = layout.natural_columns(linkage, core);
    let all_core = core_columns.concat();
    let (mut core_stack, mut core_row_scale, core_column_scale) =
        stack(linkage, layout, (core, postures, judges), natural, &mut workspace);
    // Where a row of the core comes from: a leg and its natural row, or the core's own.
    let mut origin: Vec<(usize, usize)> = (0..core_stack.rows).map(|row| (core, row)).collect();
    let mut legs = Vec::new();
    let mut by_pattern = false;
    for block in 0..core {
        let (mut own, row_scale, column_scale) =
            stack(linkage, layout, (block, postures, judges), natural, &mut workspace);
        let columns = layout.natural_columns(linkage, block);
        let passive = columns[0].len();
        let (mut left, mut open): (Vec<usize>, Vec<usize>) =
            ((0..own.rows).collect(), (0..passive).collect());
        let natural_columns = columns.concat();
        own.look();
        let found = own
            .eliminate(&mut left, &mut open, tolerance)
            .map_err(|column| NoOrder::Singular { freedom: natural_columns[column] })?;
        for row in &left {
            origin.push((block, *row));
            core_row_scale.push(row_scale[*row]);
            for (posture, matrix) in core_stack.postures.iter_mut().enumerate() {
                let mut line = vec![0.0; all_core.len()];
                for (column, freedom) in natural_columns.iter().enumerate().skip(passive) {
                    if let Some(place) = all_core.iter().position(|k| k == freedom) {
                        line[place] = own.at(posture, *row, column);
                    }
                }
                matrix.extend(line);
            }
            core_stack.rows += 1;
        }
        by_pattern |= own.by_pattern;
        smallest = found.iter().map(|f| f.home.abs()).fold(smallest, f64::min);
        let references: Vec<f64> =
            found.iter().map(|f| row_scale[f.row] * column_scale[f.column] / f.home.abs()).collect();
        legs.push((natural_columns, passive, open, found, references, own.rows));
    }
    let (mut left, mut open): (Vec<usize>, Vec<usize>) =
        ((0..core_stack.rows).collect(), (0..core_columns[0].len()).collect());
    core_stack.look();
    if by_pattern {
        // Values of some posture mean nothing any more.
        core_stack.by_pattern = true;
        core_stack.pattern.fill(true);
    }
    let singular = |column: usize| NoOrder::Singular { freedom: all_core[column] };
    let mut found = core_stack.eliminate(&mut left, &mut open, tolerance).map_err(singular)?;
    if !open.is_empty() {
        return Err(NoOrder::FreeCore);
    }
    let mut motors: Vec<usize> = (core_columns[0].len()..all_core.len()).collect();
    found.extend(core_stack.eliminate(&mut left, &mut motors, tolerance).map_err(singular)?);
    smallest = found.iter().map(|f| f.home.abs()).fold(smallest, f64::min);
    // Independent motors in the user's order.
    let user = |column: &usize| {
        let freedom = all_core[*column];
        layout.nodes.iter().find(|node| node.freedom == freedom).and_then(|node| node.motor)
    };
    motors.sort_by_key(user);
    let pivot_of: Vec<usize> =
        (0..core_stack.rows).map(|row| found.iter().position(|f| f.row == row).unwrap_or(NONE)).collect();
    let final_columns: Vec<usize> = found.iter().map(|f| f.column).chain(motors.iter().copied()).collect();
    let core_place = |column: &usize| final_columns.iter().position(|c| c == column);
    let core_order = BlockOrder {
        columns: final_columns.iter().map(|c| all_core[*c]).collect(),
        rows: (0..origin.iter().filter(|(block, _)| *block == core).count())
            .map(|row| pivot_of[row])
            .collect(),
        kept: found.len(),
        pivots: found
            .iter()
            .map(|f| {
                let mut below: Vec<usize> =
                    f.below.iter().map(|row| pivot_of[*row]).filter(|row| *row != NONE).collect();
                below.sort_unstable();
                let mut right: Vec<usize> = f.right.iter().filter_map(core_place).collect();
                right.sort_unstable();
                // Pivots of the second round see the columns of the first as done.
                let own = pivot_of[f.row];
                right.retain(|column| *column > own);
                let reference = core_row_scale[f.row] * core_column_scale[f.column] / f.home.abs();
                (below, right, reference)
            })
            .collect(),
        ..BlockOrder::default()
    };
    let mut orders = Vec::new();
    for (block, (natural_columns, passive, idle, found, references, rows)) in legs.into_iter().enumerate() {
        let pivots = found.len();
        let mut places: Vec<usize> = vec![NONE; rows];
        for (k, f) in found.iter().enumerate() {
            places[f.row] = k;
        }
        let mut handed: Vec<(usize, usize)> = origin
            .iter()
            .zip(&pivot_of)
            .filter(|((from, _), pivot)| *from == block && **pivot != NONE)
            .map(|((_, row), pivot)| (*pivot, *row))
            .collect();
        handed.sort_unstable();
        for (k, (_, row)) in handed.iter().enumerate() {
            places[*row] = pivots + k;
        }
        let alone = idle.iter().all(|column| {
            let freedom = natural_columns[*column];
            let node = layout
                .nodes
                .iter()
                .position(|node| (node.freedom..node.freedom + node.joint.freedoms()).contains(&freedom));
            let on_node = |other: &&usize| {
                let other = natural_columns[**other];
                node.is_some_and(|k| {
                    let node = &layout.nodes[k];
                    (node.freedom..node.freedom + node.joint.freedoms()).contains(&other)
                })
            };
            let felt = found.iter().any(|f| f.right.contains(column));
            let ball =
                node.is_some_and(|k| layout.is_leaf(k) && layout.nodes[k].joint == TreeJoint::Spherical);
            !felt && ball && idle.iter().filter(on_node).count() == 1
        });
        let columns: Vec<usize> = found
            .iter()
            .map(|f| f.column)
            // A rate that is alone is zero in every row: it has no column.
            .chain(idle.iter().copied().filter(|_| !alone))
            .chain(passive..natural_columns.len())
            .collect();
        let place = |column: &usize| columns.iter().position(|c| c == column);
        orders.push(BlockOrder {
            columns: columns.iter().map(|c| natural_columns[*c]).collect(),
            rows: places.clone(),
            kept: pivots + handed.len(),
            pivots: found
                .iter()
                .zip(references)
                .enumerate()
                .map(|(k, (f, reference))| {
                    let mut below: Vec<usize> =
                        f.below.iter().map(|row| places[*row]).filter(|row| *row != NONE).collect();
                    below.sort_unstable();
                    let mut right: Vec<usize> = f.right.iter().filter_map(place).collect();
                    right.sort_unstable();
                    right.retain(|column| *column > k);
                    (below, right, reference)
                })
                .collect(),
            core_rows: handed.iter().map(|(pivot, _)| *pivot).collect(),
            idle: idle.iter().map(|column| (natural_columns[*column], alone)).collect(),
        });
    }
    orders.push(core_order);
    Ok((orders, smallest))
}
