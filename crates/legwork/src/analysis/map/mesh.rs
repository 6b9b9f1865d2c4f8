//! The boundary of a body as triangles, from the question "is this point inside?" alone.

use crate::files::{self, FileFault};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// Triangles in space, their normals outward.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Corners \[m\].
    pub vertices: Vec<[f64; 3]>,
    /// Three corners each, anticlockwise seen from outside.
    pub triangles: Vec<[usize; 3]>,
}

/// The six tetrahedra of a cube about its diagonal 0–7; corner k is at (k & 1, k >> 1 & 1, k >> 2).
/// Neighbouring cubes cut their common face the same way, so the mesh closes.
const TETRAHEDRA: [[usize; 4]; 6] =
    [[0, 1, 3, 7], [0, 3, 2, 7], [0, 2, 6, 7], [0, 6, 4, 7], [0, 4, 5, 7], [0, 5, 1, 7]];

/// The same for a square and its diagonal 0–3.
const TRIANGLES: [[usize; 3]; 2] = [[0, 1, 3], [0, 3, 2]];

/// Nodes of a lattice.
pub(super) struct Lattice {
    /// Nodes along x, y, z; one along z for a plane.
    pub counts: [usize; 3],
    pub corner: [f64; 3],
    pub step: [f64; 3],
}

impl Lattice {
    pub fn len(&self) -> usize {
        self.counts.iter().product()
    }

    pub fn node(&self, number: usize) -> [usize; 3] {
        let [nx, ny, _] = self.counts;
        [number % nx, number / nx % ny, number / nx / ny]
    }

    pub fn number(&self, [i, j, k]: [usize; 3]) -> usize {
        i + self.counts[0] * (j + self.counts[1] * k)
    }

    pub fn place(&self, number: usize) -> [f64; 3] {
        let node = self.node(number);
        [0, 1, 2].map(|k| self.corner[k] + self.step[k] * node[k] as f64)
    }

    /// The mean of some nodes.
    fn middle(&self, nodes: &[usize]) -> [f64; 3] {
        let add = |sum: [f64; 3], n: &usize| {
            let place = self.place(*n);
            [0, 1, 2].map(|k| sum[k] + place[k])
        };
        nodes.iter().fold([0.0; 3], add).map(|x| x / nodes.len() as f64)
    }

    /// The nodes of a cell from its lowest one, for dimension 2 or 3; `None` at the upper border.
    fn cell(&self, number: usize, dimension: usize) -> Option<Vec<usize>> {
        let node = self.node(number);
        if (0..dimension).any(|k| node[k] + 1 >= self.counts[k]) {
            return None;
        }
        let corner = |c: usize| [0, 1, 2].map(|k| node[k] + (c >> k & 1));
        Some((0..1 << dimension).map(|c| self.number(corner(c))).collect())
    }

    /// The simplices of all cells that the boundary cuts.
    fn cut(&self, inside: &[bool], dimension: usize) -> Vec<Vec<usize>> {
        let simplices: Vec<&[usize]> = if dimension == 3 {
            TETRAHEDRA.iter().map(<[usize; 4]>::as_slice).collect()
        } else {
            TRIANGLES.iter().map(<[usize; 3]>::as_slice).collect()
        };
        let cells = (0..self.len()).filter_map(|number| self.cell(number, dimension));
        let mixed = |nodes: &[usize]| nodes.iter().any(|n| inside[*n]) && !nodes.iter().all(|n| inside[*n]);
        let mut found = Vec::new();
        for cell in cells.filter(|cell| mixed(cell)) {
            let all = simplices.iter().map(|simplex| simplex.iter().map(|c| cell[*c]).collect::<Vec<_>>());
            found.extend(all.filter(|nodes| mixed(nodes)));
        }
        found
    }

    /// The edges that the boundary cuts, inner node first, each once, in order.
    pub fn edges(&self, inside: &[bool], dimension: usize) -> Vec<(usize, usize)> {
        let mut edges: Vec<(usize, usize)> = Vec::new();
        for simplex in self.cut(inside, dimension) {
            for &a in simplex.iter().filter(|a| inside[**a]) {
                edges.extend(simplex.iter().filter(|b| !inside[**b]).map(|b| (a, *b)));
            }
        }
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    /// The triangles between points on the edges that [`edges`](Self::edges) gives.
    pub fn mesh(&self, inside: &[bool], edges: &[(usize, usize)], points: Vec<[f64; 3]>) -> Mesh {
        let number: BTreeMap<(usize, usize), usize> =
            edges.iter().enumerate().map(|(k, e)| (*e, k)).collect();
        let mut mesh = Mesh { vertices: points, triangles: Vec::new() };
        for simplex in self.cut(inside, 3) {
            let (within, without): (Vec<usize>, Vec<usize>) = simplex.iter().partition(|n| inside[**n]);
            let edge = |a: usize, b: usize| (within[a], without[b]);
            let triangles = match within.len() {
                1 => vec![[edge(0, 0), edge(0, 1), edge(0, 2)]],
                3 => vec![[edge(0, 0), edge(1, 0), edge(2, 0)]],
                _ => vec![[edge(0, 0), edge(0, 1), edge(1, 1)], [edge(0, 0), edge(1, 1), edge(1, 0)]],
            };
            let outward = minus(self.middle(&without), self.middle(&within));
            for triangle in triangles {
                // Halves of the edges say which way it is turned, also where its points coincide.
                let [a, b, c] = triangle.map(|(a, b)| self.middle(&[a, b]));
                let [x, y, z] = triangle.map(|edge| number.get(&edge).copied().unwrap_or(0));
                let is_outward = dot(cross(minus(b, a), minus(c, a)), outward) > 0.0;
                mesh.triangles.push(if is_outward { [x, y, z] } else { [x, z, y] });
            }
        }
        mesh
    }

    /// The area inside, by the theorem of Gauss over the segments between points on the edges.
    pub fn area(&self, inside: &[bool], edges: &[(usize, usize)], points: &[[f64; 3]]) -> f64 {
        let number: BTreeMap<(usize, usize), usize> =
            edges.iter().enumerate().map(|(k, e)| (*e, k)).collect();
        let mut twice = 0.0;
        for simplex in self.cut(inside, 2) {
            let (within, without): (Vec<usize>, Vec<usize>) = simplex.iter().partition(|n| inside[**n]);
            let pairs: Vec<(usize, usize)> =
                within.iter().flat_map(|a| without.iter().map(move |b| (*a, *b))).collect();
            let [p, q] = [pairs[0], pairs[1]].map(|(a, b)| self.middle(&[a, b]));
            let outward = minus(self.middle(&without), self.middle(&within));
            // The inside is to the left of p → q.
            let is_left = (q[0] - p[0]) * outward[1] - (q[1] - p[1]) * outward[0] < 0.0;
            let [a, b] = [pairs[0], pairs[1]].map(|pair| number.get(&pair).map_or([0.0; 3], |k| points[*k]));
            let (a, b) = if is_left { (a, b) } else { (b, a) };
            twice += a[0] * b[1] - b[0] * a[1];
        }
        0.5 * twice
    }
}

impl Mesh {
    /// The volume inside \[m³\], by the theorem of Gauss.
    pub fn volume(&self) -> f64 {
        let origin = self.vertices.first().copied().unwrap_or_default();
        let corner = |k: usize| minus(self.vertices[k], origin);
        let six = self.triangles.iter().map(|t| dot(corner(t[0]), cross(corner(t[1]), corner(t[2]))));
        six.sum::<f64>() / 6.0
    }

    /// Whether every edge belongs to exactly two triangles, once in each direction.
    pub fn is_closed(&self) -> bool {
        let mut edges: BTreeMap<(usize, usize), i32> = BTreeMap::new();
        for [a, b, c] in &self.triangles {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                *edges.entry((*from.min(to), *from.max(to))).or_insert(0) += if from < to { 1 } else { -1 };
            }
        }
        edges.values().all(|balance| *balance == 0)
    }

    /// Whether the name of a file ends in `.stl` or `.obj`.
    pub fn is_name_of_mesh(path: impl AsRef<Path>) -> bool {
        has_ending(path.as_ref(), "stl") || has_ending(path.as_ref(), "obj")
    }

    /// Writes `.stl` (binary) or `.obj`; metres. Any other name is an invalid file name.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), FileFault> {
        let wrong = || FileFault::System(io::ErrorKind::InvalidFilename);
        files::write(&path, &self.to_bytes(&path).ok_or_else(wrong)?)
    }

    /// The bytes of a file with this name; `None` if it does not say a format.
    pub fn to_bytes(&self, name: impl AsRef<Path>) -> Option<Vec<u8>> {
        if has_ending(name.as_ref(), "stl") {
            return Some(self.to_stl());
        }
        has_ending(name.as_ref(), "obj").then(|| {
            let vertices = self.vertices.iter().map(|[x, y, z]| format!("v {x} {y} {z}\n"));
            let faces = self.triangles.iter().map(|[a, b, c]| format!("f {} {} {}\n", a + 1, b + 1, c + 1));
            vertices.chain(faces).collect::<String>().into_bytes()
        })
    }

    fn to_stl(&self) -> Vec<u8> {
        let mut out = vec![0; 80];
        out[..21].copy_from_slice(b"legwork, workspace, m");
        out.extend(u32::try_from(self.triangles.len()).unwrap_or(u32::MAX).to_le_bytes());
        for triangle in &self.triangles {
            let [a, b, c] = triangle.map(|k| self.vertices[k]);
            let n = cross(minus(b, a), minus(c, a));
            let length = dot(n, n).sqrt().max(f64::MIN_POSITIVE);
            #[expect(clippy::cast_possible_truncation, reason = "STL has floats")]
            let mut vector = |v: [f64; 3]| v.iter().for_each(|x| out.extend((*x as f32).to_le_bytes()));
            vector(n.map(|x| x / length));
            [a, b, c].into_iter().for_each(&mut vector);
            out.extend([0, 0]);
        }
        out
    }
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending))
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
