//! The same bits whatever the number of threads, whatever the run, whatever the build.

use crate::{Found, Length, robots_of_legs};
use legwork::analysis::map::{Coordinate, Grid, MapTask, Quantity, Range, VolumeTask};
use legwork::{AnyRobot, PlatformStates, StateMark};
use legwork_testkit::Seeded;

/// FNV-1a over the bits of numbers; all NaN count as one, because their bits say nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest(u64);

impl Digest {
    const START: Self = Self(0xcbf2_9ce4_8422_2325);

    fn add(&mut self, number: f64) {
        let bits = if number.is_nan() { f64::NAN.to_bits() } else { number.to_bits() };
        for byte in bits.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn all(mut self, numbers: impl IntoIterator<Item = f64>) -> Self {
        numbers.into_iter().for_each(|x| self.add(x));
        self
    }
}

/// A map of three coordinates about home.
fn map(robot: &AnyRobot, threads: usize, side: usize) -> Option<Digest> {
    let home = Grid::at_home(robot).coordinates(0);
    let size = robot.platform_size() + 0.1 * legwork_testkit::largest(home);
    let mut grid = Grid::at_home(robot);
    for (coordinate, at) in [(Coordinate::X, home[0]), (Coordinate::Y, home[1])] {
        grid = grid.along(Range::new(coordinate, at - size, at + size, side)).ok()?;
    }
    let mut asked = vec![Quantity::Reachable, Quantity::Condition, Quantity::Serial, Quantity::Parallel];
    if robot.has_masses() {
        asked.extend([Quantity::MassMatrix, Quantity::Gravity]);
    }
    let map = MapTask::new(robot, grid, &asked).ok()?.on_threads(threads).run();
    Some(Digest::START.all((0..map.grid.len()).flat_map(|pose| map.at(pose).to_vec())))
}

fn volume(robot: &AnyRobot, threads: usize) -> Digest {
    let task = VolumeTask::new(robot, Grid::at_home(robot)).with_cells(6).on_threads(threads);
    match task.run() {
        Ok(Some(volume)) => {
            let bounds = volume.bounds.into_iter().flat_map(|(low, high)| [low, high]);
            let vertices = volume.mesh.iter().flat_map(|mesh| mesh.vertices.iter().flatten().copied());
            Digest::START.all([volume.size, volume.error]).all(bounds).all(vertices)
        }
        _ => Digest::START,
    }
}

fn batch(robot: &AnyRobot, threads: usize, count: usize) -> Digest {
    let mut random = Seeded::new(5);
    let home = robot.home();
    let size = 0.3 * (robot.platform_size() + 0.1 * legwork_testkit::largest(home.position));
    let freedoms: Vec<usize> = robot.freedoms().iter().map(|freedom| freedom.component).collect();
    let (mut positions, mut rotations, mut twists) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..count {
        let (mut position, mut twist) = (home.position, [0.0; 6]);
        for k in &freedoms {
            if *k < 3 {
                position[*k] += random.uniform(-size, size);
            }
            twist[*k] = random.uniform(-1.0, 1.0);
        }
        positions.extend(position);
        rotations.extend(home.rotation.as_flattened());
        twists.extend(twist);
    }
    let states = PlatformStates::at(&positions).turned(&rotations).moving(&twists, &twists);
    let (joints, batch) = (robot.joints().len(), robot.batch().on_threads(threads));
    let mut marks = vec![StateMark::Other; count];
    let [mut q, mut efforts] = [vec![0.0; count * joints], vec![0.0; count * joints]];
    let mut jacobians = vec![0.0; count * joints * freedoms.len()];
    let mut conditions = vec![0.0; count];
    let answered = batch.inverse_kinematics(&states, &mut q, &mut marks).map_or(f64::NAN, |n| n as f64);
    let _ = batch.jacobian(&states, &mut jacobians, &mut conditions, &mut marks);
    if robot.has_masses() {
        let _ = batch.inverse_dynamics(&states, &mut efforts, &mut marks);
    }
    let marks = marks.iter().map(|mark| f64::from(*mark as u8));
    Digest::START.all([answered]).all(q).all(jacobians).all(conditions).all(efforts).all(marks)
}

/// Robots whose workspace is measured: a volume takes longer than all the rest.
const MEASURED: [&str; 4] = ["delta-industrial", "gough-stewart", "five-bar", "linear-delta"];

/// The digest of everything, with one line for each robot: two builds that print the same compute the same.
///
/// # Panics
/// If a built-in robot cannot be built.
pub fn digest(threads: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for entry in robots_of_legs() {
        let robot = AnyRobot::open(entry.name).unwrap_or_else(|error| panic!("{}: {error}", entry.name));
        let map = map(&robot, threads, 21).map_or(0, |digest| digest.0);
        let volume = if MEASURED.contains(&entry.name) { volume(&robot, threads).0 } else { 0 };
        let batch = batch(&robot, threads, 500).0;
        lines.push(format!("{} {map:016x} {volume:016x} {batch:016x}", entry.name));
    }
    lines
}

/// One, two and four threads, and one again.
pub fn run(length: Length, _seed: u64) -> Found {
    let mut found = Found::default();
    let rounds: &[usize] = length.pick(&[2, 4, 1], &[2, 3, 4, 7, 1, 1, 4]);
    let one = digest(1);
    for line in one.iter().filter(|line| line.split(' ').nth(1) == Some("0000000000000000")) {
        found.fail(format!("no map: {line}"));
    }
    for threads in rounds {
        for (a, b) in one.iter().zip(digest(*threads)) {
            if *a != b {
                found.fail(format!("on {threads} threads: {b}, on one: {a}"));
            }
        }
    }
    let threads = rounds.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    found.figure = format!(
        "maps, volumes and batches of {} robots: the same bits on 1 thread and, in runs of their own, on {threads}",
        one.len()
    );
    found
}

/// Two digests, of two builds: what is the same, or which robots differ.
///
/// # Errors
/// If a robot differs, or is in one of them only, or there is none.
pub fn compare(one: &str, other: &str) -> Result<String, String> {
    let (one, other): (Vec<&str>, Vec<&str>) = (one.lines().collect(), other.lines().collect());
    let names = |all: &[&str]| -> Vec<String> {
        all.iter().map(|line| line.split(' ').next().unwrap_or("").to_owned()).collect()
    };
    if one.is_empty() || names(&one) != names(&other) {
        return Err(format!("digests of other robots: {} and {}", one.len(), other.len()));
    }
    let differ: Vec<String> =
        one.iter().zip(&other).filter(|(a, b)| a != b).map(|(a, b)| format!("{a} and {b}")).collect();
    if differ.is_empty() {
        Ok(format!("maps, volumes and batches of {} robots: no bit differs", one.len()))
    } else {
        Err(format!("{} of {} robots differ in some bits:\n{}", differ.len(), one.len(), differ.join("\n")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_compared_robot_by_robot() {
        let one = "a 01 02 03\nb 04 05 06\n";
        assert!(compare(one, one).unwrap().contains("2 robots"));
        assert!(compare(one, "a 01 02 03\nb 04 05 07\n").unwrap_err().starts_with("1 of 2 robots differ"));
        assert!(compare(one, "a 01 02 03\n").is_err() && compare("", "").is_err());
    }
}
