//! Postures of a mechanism with its motors where they are, by an honest search: what it finds is there, what it does not
//! find may be there too.

use super::{MechanismRobot, as_pose};
use crate::assembly::{Completeness, PathWork};
use crate::random::{DEFAULT_SEED, Random};
use crate::robot::{AssemblyMode, AssemblyModes, PlatformSolution, RobotError};
use crate::sorting::sort_by;
use legwork_core::engine::{Pose, Route, Twist};

/// Starts of the search for a mechanism of seven bodies, as a 3-RPS; fewer for larger ones, because each start closes all
/// joints at once, and the work of that grows faster than the square of the bodies.
const STARTS: usize = 120;
const BODIES: usize = 7;
/// No search has fewer starts than this.
const FEWEST_STARTS: usize = 10;

/// Two postures nearer to each other than this, in lengths of the mechanism and \[rad\], are one.
const APART: f64 = 1e-5;

/// A posture: where its bodies are, and how far its loops are open.
struct Posture {
    bodies: Vec<Pose<f64>>,
    solution: PlatformSolution,
    is_reached_from_home: bool,
}

impl MechanismRobot {
    /// The postures that are found from bodies scattered more and more about their places at home.
    pub(in crate::robot) fn assembly_modes(&self, q: &[f64]) -> Result<AssemblyModes, RobotError> {
        self.counted("joint values", q)?;
        let mut found: Vec<Posture> = Vec::new();
        if let Ok(own) = self.gone_by(q, &self.home()).map(|room| room.at.clone()) {
            found.push(self.posture(&own, true));
        }
        let home = self.body_poses(&self.start.0);
        let starts = (STARTS * BODIES.pow(2) / home.len().max(BODIES).pow(2)).max(FEWEST_STARTS);
        let mut random = Random::new(DEFAULT_SEED);
        for k in 0..starts {
            // From a tenth of the whole range up to all of it.
            let part = 0.1 + 0.9 * k as f64 / starts as f64;
            let rough: Vec<Pose<f64>> =
                home.iter().map(|pose| self.scattered(pose, &mut random, part)).collect();
            let Ok(closed) = self.model.assemble(&rough, Some(q)) else { continue };
            let posture = self.posture(&closed, false);
            if !found.iter().any(|other| self.is_same(other, &posture)) {
                found.push(posture);
            }
        }
        sort_by(&mut found, |a, b| a.solution.position[2].total_cmp(&b.solution.position[2]));
        let completeness = Completeness::Searched { real: found.len(), starts };
        let modes = found.into_iter().enumerate().map(|(k, posture)| AssemblyMode {
            solution: PlatformSolution { mode: format!("{}", k + 1), ..posture.solution },
            working_mode: None,
            is_own_mode: posture.is_reached_from_home,
            is_reached_from_home: posture.is_reached_from_home,
            is_singular: false,
        });
        Ok(AssemblyModes { modes: modes.collect(), completeness, work: PathWork::default() })
    }

    fn posture(&self, at: &crate::mechanism::Configuration, is_reached_from_home: bool) -> Posture {
        let mut workspace = self.model.workspace();
        let pose = self.pose(at);
        Posture {
            bodies: self.model.body_poses(at, &mut workspace).iter().map(as_pose).collect(),
            solution: PlatformSolution {
                mode: String::new(),
                position: pose.position.to_array(),
                rotation: pose.rotation.to_rows(),
                iterations: 0,
                residual: self.model.closing_gap(at, &mut workspace),
                route: if is_reached_from_home { Route::Continuous } else { Route::Unknown },
            },
            is_reached_from_home,
        }
    }

    /// A pose moved by up to `part` of the mechanism's length and of half a turn.
    fn scattered(&self, pose: &Pose<f64>, random: &mut Random, part: f64) -> Pose<f64> {
        let [linear, angular] =
            [self.model.length() * part, std::f64::consts::PI * part].map(|size| random.triple(size));
        pose.moved(&Twist::new(linear.into(), angular.into()))
    }

    /// Whether the platform and every body that moves with it or with a motor is at the same place. Bodies that spin
    /// idly about their own axis are not told apart by that: their origins are compared, not their rotations.
    fn is_same(&self, a: &Posture, b: &Posture) -> bool {
        let near = |a: f64, b: f64, unit: f64| (a - b).abs() <= APART * unit;
        let length = self.model.length();
        let platform = a.solution.rotation.as_flattened().iter().zip(b.solution.rotation.as_flattened());
        let origins = a
            .bodies
            .iter()
            .zip(&b.bodies)
            .flat_map(|(a, b)| a.position.to_array().into_iter().zip(b.position.to_array()));
        platform.into_iter().all(|(a, b)| near(*a, *b, 1.0))
            && origins.into_iter().all(|(a, b)| near(a, b, length))
    }
}
