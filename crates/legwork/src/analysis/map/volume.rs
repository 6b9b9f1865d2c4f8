//! How large the workspace is, and its boundary.

use super::extent::{Extent, Reach};
use super::mesh::{Lattice, Mesh};
use super::posed::Posed;
use super::{Coordinate, Grid, MapError, parallel};
use crate::robot::AnyRobot;
use crate::text::bytes;
use std::sync::atomic::{AtomicBool, Ordering};

/// Halvings of an edge of the lattice: a millionth of it.
const HALVINGS: u32 = 20;

/// Memory for a node of the lattice \[bytes\]: flags, and the share of the nodes that are at the boundary.
const NODE_BYTES: u64 = 10;

/// How often the box is widened by a tenth on each side.
const WIDENINGS: usize = 8;

/// A workspace to be measured: the positions that the platform reaches from home, turned as it is
/// there, without passing a parallel singularity and within the limits of the motors.
pub struct VolumeTask<'a> {
    robot: &'a AnyRobot,
    grid: Grid,
    cells: usize,
    counts_limits: bool,
    threads: usize,
    stop: Option<&'a AtomicBool>,
}

/// The size of a workspace.
#[derive(Clone, Debug, PartialEq)]
pub struct Volume {
    /// Volume \[m³\]; for a robot in a plane its area \[m²\].
    pub size: f64,
    /// How far it may be off: a third of what half as many cells change, as for any rule of second order.
    pub error: f64,
    /// `m^3` or `m^2`.
    pub unit: &'static str,
    /// Least and largest coordinate along x, y, z \[m\].
    pub bounds: [(f64, f64); 3],
    /// The boundary; `None` in a plane.
    pub mesh: Option<Mesh>,
}

impl<'a> VolumeTask<'a> {
    /// With the orientation of home, or that of a grid.
    pub fn new(robot: &'a AnyRobot, grid: Grid) -> Self {
        Self { robot, grid, cells: 48, counts_limits: true, threads: 0, stop: None }
    }

    /// With this many cells along the longest side; 48 by default, 4 at least.
    #[must_use]
    pub fn with_cells(self, cells: usize) -> Self {
        Self { cells: cells.clamp(4, 400), ..self }
    }

    /// With poses that are outside the limits of the motors.
    #[must_use]
    pub fn ignoring_limits(self) -> Self {
        Self { counts_limits: false, ..self }
    }

    /// On this many threads; 0 for one per core.
    #[must_use]
    pub fn on_threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Stops soon after the flag is set; there is then no answer.
    #[must_use]
    pub fn until(self, stop: &'a AtomicBool) -> Self {
        Self { stop: Some(stop), ..self }
    }

    /// How large the work is: the lattice and its memory, at most.
    pub fn size_text(&self) -> String {
        let directions = Coordinate::of(self.robot).iter().filter(|c| !c.turns()).count().min(3);
        let side = self.cells as u64 + 3;
        let nodes = (0..directions).fold(1_u64, |nodes, _| nodes.saturating_mul(side));
        // Two flags of each node, and what the edges at the boundary keep.
        let memory = bytes(nodes.saturating_mul(NODE_BYTES));
        format!(
            "a lattice of at most {nodes} nodes, {} cells along its longest side, about {memory} of memory",
            self.cells
        )
    }

    /// Measures it; `None` if it was stopped.
    pub fn run(self) -> Result<Option<Volume>, MapError> {
        let robot = || self.robot.name().to_owned();
        let lengths: Vec<Coordinate> =
            Coordinate::of(self.robot).into_iter().filter(|c| !c.turns()).collect();
        if lengths.len() < 2 {
            return Err(MapError::NoVolume { robot: robot() });
        }
        let centre = self.grid.coordinates(0);
        let reach = Reach::new(self.robot, &self.grid, self.counts_limits);
        if !reach.holds(centre, &mut Posed::default()) {
            let platform = self.grid.platform(centre);
            if let Err(error) = self.robot.state(&platform) {
                return Err(MapError::HomeOutOfReach(Box::new(error)));
            }
        }
        let extent = Extent::of(self.robot, &self.grid, &lengths, self.counts_limits);
        if !extent.is_bounded {
            let distance = extent.ranges.iter().map(|(_, from, to)| to - from).fold(0.0, f64::max) * 16.0;
            return Err(MapError::Unbounded { robot: robot(), distance });
        }
        let holds = |place: [f64; 3], posed: &mut Posed| {
            let mut coordinates = centre;
            for (k, (coordinate, ..)) in extent.ranges.iter().enumerate() {
                coordinates[*coordinate as usize] = place[k];
            }
            reach.holds(coordinates, posed)
        };
        let home = [0, 1, 2].map(|k| extent.ranges.get(k).map_or(0.0, |(c, ..)| centre[*c as usize]));
        let mut sides: Vec<(f64, f64)> = extent.ranges.iter().map(|(_, from, to)| (*from, *to)).collect();
        // A thin part may slip through the search for the box: widen it until nothing touches its border.
        for _ in 0..WIDENINGS {
            let body = Body { holds: &holds, home, sides: &sides, threads: self.threads, stop: self.stop };
            if !body.touches(self.cells / 2) {
                break;
            }
            sides = sides.iter().map(|(a, b)| (a - 0.1 * (b - a), b + 0.1 * (b - a))).collect();
        }
        let body = Body { holds: &holds, home, sides: &sides, threads: self.threads, stop: self.stop };
        let Some((coarse, ..)) = body.enclose(self.cells / 2) else { return Ok(None) };
        let Some((size, mesh, bounds)) = body.enclose(self.cells) else { return Ok(None) };
        let mut all = [(centre[0], centre[0]), (centre[1], centre[1]), (centre[2], centre[2])];
        for (k, (coordinate, ..)) in extent.ranges.iter().enumerate() {
            all[*coordinate as usize] = bounds[k];
        }
        let unit = if sides.len() == 3 { "m^3" } else { "m^2" };
        Ok(Some(Volume { size, error: (size - coarse).abs() / 3.0, unit, bounds: all, mesh }))
    }
}

/// Size, boundary, and least and largest coordinates.
type Enclosed = (f64, Option<Mesh>, [(f64, f64); 3]);

/// Whether a place is inside.
type Holds<'a> = &'a (dyn Fn([f64; 3], &mut Posed) -> bool + Sync);

/// A body that is known by one question.
struct Body<'a> {
    holds: Holds<'a>,
    /// A point of the part that counts.
    home: [f64; 3],
    sides: &'a [(f64, f64)],
    threads: usize,
    stop: Option<&'a AtomicBool>,
}

impl Body<'_> {
    fn lattice(&self, cells: usize) -> Lattice {
        let longest = self.sides.iter().map(|(from, to)| to - from).fold(0.0, f64::max);
        let step = longest / cells as f64;
        let (mut counts, mut corner) = ([1; 3], [0.0; 3]);
        for (k, (from, to)) in self.sides.iter().enumerate() {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 400 cells")]
            let cells = ((to - from) / step).ceil() as usize + 2;
            counts[k] = cells + 1;
            // Centred, one cell of air around.
            corner[k] = f64::midpoint(*from, *to) - 0.5 * step * cells as f64;
        }
        Lattice { counts, corner, step: [step; 3] }
    }

    /// Size, boundary and bounds of the part that hangs together with home; `None` if stopped.
    fn enclose(&self, cells: usize) -> Option<Enclosed> {
        let lattice = self.lattice(cells.max(2));
        let mut inside = self.part_of_home(&lattice);
        // What would go on beyond the box is cut there, so that the boundary closes.
        (0..inside.len()).filter(|n| self.is_border(&lattice, *n)).for_each(|n| inside[n] = false);
        let dimension = self.sides.len();
        let edges = lattice.edges(&inside, dimension);
        let mut points = vec![[0.0; 3]; edges.len()];
        parallel::blocks(&mut points, 64, self.threads, self.stop, |first, block| {
            let mut posed = Posed::default();
            for (k, point) in block.iter_mut().enumerate() {
                let (a, b) = edges[first + k];
                *point = self.border(lattice.place(a), lattice.place(b), &mut posed);
            }
        });
        if self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return None;
        }
        let bounds = [0, 1, 2].map(|k| {
            points
                .iter()
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), p| (low.min(p[k]), high.max(p[k])))
        });
        if dimension == 3 {
            let mesh = lattice.mesh(&inside, &edges, points);
            Some((mesh.volume(), Some(mesh), bounds))
        } else {
            Some((lattice.area(&inside, &edges, &points), None, bounds))
        }
    }

    /// Whether the part of home goes on beyond the box.
    fn touches(&self, cells: usize) -> bool {
        let lattice = self.lattice(cells.max(2));
        let inside = self.part_of_home(&lattice);
        (0..inside.len()).any(|n| inside[n] && self.is_border(&lattice, n))
    }

    fn is_border(&self, lattice: &Lattice, number: usize) -> bool {
        let node = lattice.node(number);
        (0..self.sides.len()).any(|k| node[k] == 0 || node[k] + 1 == lattice.counts[k])
    }

    /// The nodes inside that hang together with home.
    fn part_of_home(&self, lattice: &Lattice) -> Vec<bool> {
        let mut inside = vec![false; lattice.len()];
        parallel::blocks(&mut inside, 256, self.threads, self.stop, |first, block| {
            let mut posed = Posed::default();
            for (k, inside) in block.iter_mut().enumerate() {
                *inside = (self.holds)(lattice.place(first + k), &mut posed);
            }
        });
        self.keep_part_of_home(lattice, &mut inside);
        inside
    }

    /// The last place inside on the way from one place to another.
    fn border(&self, mut inside: [f64; 3], mut outside: [f64; 3], posed: &mut Posed) -> [f64; 3] {
        for _ in 0..HALVINGS {
            let middle = [0, 1, 2].map(|k| f64::midpoint(inside[k], outside[k]));
            if (self.holds)(middle, posed) {
                inside = middle;
            } else {
                outside = middle;
            }
        }
        [0, 1, 2].map(|k| f64::midpoint(inside[k], outside[k]))
    }

    /// Leaves only the nodes that neighbours connect with the one nearest to home.
    fn keep_part_of_home(&self, lattice: &Lattice, inside: &mut [bool]) {
        let distance = |n: &usize| {
            let place = lattice.place(*n);
            (0..3).map(|k| (place[k] - self.home[k]).powi(2)).sum::<f64>()
        };
        let nearest =
            (0..inside.len()).filter(|n| inside[*n]).min_by(|a, b| distance(a).total_cmp(&distance(b)));
        let mut part = vec![false; inside.len()];
        let mut open: Vec<usize> = nearest.into_iter().collect();
        for n in &open {
            part[*n] = true;
        }
        while let Some(n) = open.pop() {
            let node = lattice.node(n);
            for k in 0..3 {
                let mut step = |node: [usize; 3]| {
                    let next = lattice.number(node);
                    if inside[next] && !part[next] {
                        part[next] = true;
                        open.push(next);
                    }
                };
                let mut moved = node;
                if node[k] > 0 {
                    moved[k] = node[k] - 1;
                    step(moved);
                }
                if node[k] + 1 < lattice.counts[k] {
                    moved[k] = node[k] + 1;
                    step(moved);
                }
            }
        }
        inside.copy_from_slice(&part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    fn body<'a>(holds: Holds<'a>, home: [f64; 3], sides: &'a [(f64, f64)]) -> Body<'a> {
        Body { holds, home, sides, threads: 0, stop: None }
    }

    #[test]
    fn a_ball_has_the_volume_of_a_ball() {
        let ball = |[x, y, z]: [f64; 3], _: &mut Posed| x * x + y * y + z * z < 1.0;
        let sides = [(-1.03, 1.01); 3];
        let body = body(&ball, [0.1; 3], &sides);
        let of = |cells| body.enclose(cells).unwrap();
        let ((coarse, ..), (fine, mesh, bounds)) = (of(16), of(32));
        let exact = 4.0 / 3.0 * PI;
        // Chords cut a share of about h²/4 of a unit ball, and a fourth of it when h is halved.
        assert!((fine / exact - 1.0).abs() < 0.004, "{fine}");
        let (error, estimate) = ((fine - exact).abs(), (fine - coarse).abs() / 3.0);
        assert!(error < 1.5 * estimate && estimate < 1.5 * error, "{error} {estimate}");
        assert!(mesh.unwrap().is_closed());
        assert!(bounds.iter().all(|(low, high)| (low + 1.0).abs() < 0.01 && (high - 1.0).abs() < 0.01));
    }

    #[test]
    fn a_disc_has_the_area_of_a_disc_and_another_beside_it_does_not_count() {
        let two = |[x, y, _]: [f64; 3], _: &mut Posed| x * x + y * y < 1.0 || (x - 2.5).powi(2) + y * y < 1.0;
        let sides = [(-1.1, 3.6), (-1.1, 1.1)];
        let (area, mesh, bounds) = body(&two, [0.0; 3], &sides).enclose(96).unwrap();
        assert!((area / PI - 1.0).abs() < 1e-3 && mesh.is_none(), "{area}");
        assert!(bounds[0].1 < 1.01);
    }

    #[test]
    fn a_run_that_is_stopped_has_no_answer() {
        let all = |_: [f64; 3], _: &mut Posed| true;
        let stop = AtomicBool::new(true);
        let sides = [(0.0, 1.0); 3];
        assert!(Body { stop: Some(&stop), ..body(&all, [0.5; 3], &sides) }.enclose(8).is_none());
    }
}
