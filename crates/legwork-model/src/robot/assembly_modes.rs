//! Every posture that a robot of any type can have with its motors where they are.

use super::closure::Closure;
use super::engine::EngineRobot;
use super::{AnyRobot, FORWARD_STARTS, Kind, PlatformSolution, RobotError};
use crate::assembly::{
    ClosedPose, Completeness, Constraint, OriginConstraint, OriginPlace, PathWork, PlanarLeg, PlanarPose,
    Poses, PreparedGeometry, origin_places, planar_poses,
};
use crate::families::blueprint::LegChoice;
use crate::random::DEFAULT_SEED;
use crate::sorting::sort_by;
use legwork_core::engine::{Forward, JointValue, LegModel, Pose, Route};
use legwork_core::robots::delta::Assembly;
use legwork_core::{M3, V3};

/// One posture.
#[derive(Clone, Debug, PartialEq)]
pub struct AssemblyMode {
    /// Where the platform is. Its name is its number, lowest platform first, or `below` and `above` of a Delta.
    pub solution: PlatformSolution,
    /// Name of the working mode that the legs are in: `out-in-out`; `None` if no branch of a leg that is known has
    /// this posture.
    pub working_mode: Option<String>,
    /// Whether the legs are in the working mode of the robot.
    pub is_own_mode: bool,
    /// Whether the motors lead there from home in a straight line, without a singularity.
    pub is_reached_from_home: bool,
    /// Whether two or more assembly modes meet there.
    pub is_singular: bool,
}

/// All of them, and what may be said of the list.
#[derive(Clone, Debug, PartialEq)]
pub struct AssemblyModes {
    /// The postures, lowest platform first.
    pub modes: Vec<AssemblyMode>,
    /// What may be said.
    pub completeness: Completeness,
    /// Paths that were followed, and what that took.
    pub work: PathWork,
}

/// Finds all postures for one set of joint values after the other: the geometry of six legs is prepared once, as long
/// as only their lengths change.
#[derive(Clone, Debug, Default)]
pub struct AssemblySolver {
    prepared: Option<PreparedGeometry>,
    /// What was asked for the last time.
    last: Option<[Constraint; 6]>,
}

/// A posture that closes the legs, and by how much it misses them \[m\].
struct Closed {
    pose: Pose<f64>,
    is_singular: bool,
    off: f64,
}

/// The largest gap; NaN if one is.
fn worst(gaps: impl Iterator<Item = f64>) -> f64 {
    gaps.map(f64::abs).fold(0.0, |a, b| if b > a || b.is_nan() { b } else { a })
}

impl AnyRobot {
    /// Every posture with the actuated joints at `q` \[rad or m\], in every working mode, and what may be said of the
    /// list.
    pub fn assembly_modes(&self, q: &[f64]) -> Result<AssemblyModes, RobotError> {
        AssemblySolver::default().modes(self, q)
    }
}

impl AssemblySolver {
    /// Every posture of a robot with its actuated joints at `q` \[rad or m\].
    pub fn modes(&mut self, robot: &AnyRobot, q: &[f64]) -> Result<AssemblyModes, RobotError> {
        let found = match &robot.kind {
            Kind::Delta(robot) => {
                let mut modes = Vec::new();
                for assembly in [Assembly::Below, Assembly::Above] {
                    let solution = robot.forward_kinematics(q, assembly)?;
                    let is_below = assembly == Assembly::Below;
                    let mode = if is_below { robot.working_mode_at(q).ok() } else { None };
                    let is_own_mode = mode.is_some_and(|mode| mode == robot.linkage().working_mode());
                    modes.push(AssemblyMode {
                        solution,
                        working_mode: mode.map(|mode| mode.to_string()),
                        is_own_mode,
                        is_reached_from_home: is_own_mode,
                        is_singular: false,
                    });
                }
                let completeness = Completeness::ClosedForm { real: modes.len() };
                AssemblyModes { modes, completeness, work: PathWork::default() }
            }
            Kind::Engine(robot) => self.engine_modes(robot, q)?,
            Kind::Mechanism(robot) => robot.assembly_modes(q)?,
        };
        found.modes.iter().try_for_each(|mode| mode.solution.check_finite())?;
        Ok(found)
    }

    fn engine_modes(&mut self, robot: &EngineRobot, q: &[f64]) -> Result<AssemblyModes, RobotError> {
        let motors = robot.counted("joint values", q)?;
        let (poses, completeness, work) = match robot.closure(&motors) {
            Closure::Free(constraints) => match <[Constraint; 6]>::try_from(constraints) {
                Ok(six) => self.free(&six),
                Err(_) => return Self::searched(robot, q),
            },
            Closure::Translation { rotation, constraints } => {
                let Ok(three) = <[OriginConstraint; 3]>::try_from(constraints) else {
                    return Self::searched(robot, q);
                };
                let (places, completeness) = origin_places(&three);
                let pose = |position: [f64; 3]| Pose::new(rotation, position.into());
                let off = |p: [f64; 3]| worst(three.iter().map(|one| one.gap(p)));
                let one = |place: &OriginPlace| Closed {
                    pose: pose(place.position),
                    is_singular: place.is_singular,
                    off: off(place.position),
                };
                let poses = places.iter().map(one).collect();
                (poses, completeness, PathWork::default())
            }
            Closure::Plane { axes: [u, v, normal], height, legs } => {
                let Ok(three) = <[PlanarLeg; 3]>::try_from(legs) else { return Self::searched(robot, q) };
                let (found, completeness) = planar_poses(&three);
                let home = robot.home_pose().rotation;
                let pose = |[x, y]: [f64; 2], angle: f64| {
                    let (sin, cos) = angle.sin_cos();
                    let frame = M3::from_columns(u, v, normal);
                    let turned = M3::from_columns(u * cos + v * sin, v * cos - u * sin, normal);
                    Pose::new(turned * frame.transpose() * home, u * x + v * y + normal * height)
                };
                let one = |found: &PlanarPose| Closed {
                    pose: pose(found.position, found.angle),
                    is_singular: found.is_singular,
                    off: worst(three.iter().map(|leg| leg.gap(found.position, found.angle))),
                };
                let poses = found.iter().map(one).collect();
                (poses, completeness, PathWork::default())
            }
            Closure::Nowhere => (Vec::new(), Completeness::ClosedForm { real: 0 }, PathWork::default()),
            Closure::Other => return Self::searched(robot, q),
        };
        Ok(AssemblyModes { modes: robot.judged(q, poses)?, completeness, work })
    }

    /// Six legs: prepared when the same geometry is asked for again.
    fn free(&mut self, six: &[Constraint; 6]) -> (Vec<Closed>, Completeness, PathWork) {
        let is_same = |other: &[Constraint; 6]| other.iter().zip(six).all(|(a, b)| a.has_geometry_of(b));
        let again = self.last.as_ref().is_some_and(is_same);
        self.last = Some(*six);
        let found = match &self.prepared {
            Some(prepared) if prepared.is_of(six) => prepared.poses(six),
            _ => {
                let (found, prepared) = if again { Poses::prepared(six) } else { Poses::once(six) };
                self.prepared = prepared;
                found
            }
        };
        let pose = |rotation: [[f64; 3]; 3], position: [f64; 3]| {
            let [x, y, z] = rotation.map(V3::from);
            Pose::new(M3::from_rows(x, y, z), position.into())
        };
        let one = |found: &ClosedPose| Closed {
            pose: pose(found.rotation, found.position),
            is_singular: !found.is_certified,
            off: worst(six.iter().map(|leg| leg.gap(&found.position, &found.rotation))),
        };
        let poses = found.real.iter().map(one).collect();
        (poses, found.completeness, found.work)
    }

    /// What seeded starts find.
    fn searched(robot: &EngineRobot, q: &[f64]) -> Result<AssemblyModes, RobotError> {
        let poses = robot.searched(q, FORWARD_STARTS, DEFAULT_SEED)?;
        let completeness = Completeness::Searched { real: poses.len(), starts: FORWARD_STARTS };
        let poses =
            poses.into_iter().map(|pose| Closed { pose, is_singular: false, off: f64::NAN }).collect();
        Ok(AssemblyModes { modes: robot.judged(q, poses)?, completeness, work: PathWork::default() })
    }
}

impl EngineRobot {
    /// Postures with their working modes and gaps, lowest first.
    fn judged(&self, q: &[f64], poses: Vec<Closed>) -> Result<Vec<AssemblyMode>, RobotError> {
        let motors = self.counted("joint values", q)?;
        let home = self.pose_from_joints(q, &self.home()).ok();
        let home = home.filter(|found| found.route == Route::Continuous).map(|found| found.pose);
        let mut modes: Vec<(Pose<f64>, AssemblyMode)> = Vec::new();
        for Closed { pose, is_singular, off } in poses {
            let choices = self.branches_at(&pose, q);
            let own = choices.as_ref().is_some_and(|(_, is_own)| *is_own);
            let robot = choices.map(|(choices, _)| self.in_branches(choices));
            let Some(judge) = &robot else {
                // Closed, in a branch that no leg of the model has: the legs' own gaps are all there is.
                let solution = Self::platform_solution(pose, 0, off / self.size(), 0, Route::Unknown);
                let one = AssemblyMode {
                    solution,
                    working_mode: None,
                    is_own_mode: false,
                    is_reached_from_home: false,
                    is_singular,
                };
                modes.push((pose, one));
                continue;
            };
            // Newton's last step takes out what other coordinates rounded.
            let (polished, gap, margin) = judge.model().newton_steps(&motors, &pose, 1);
            let (_, before, _) = judge.model().newton_steps(&motors, &pose, 0);
            let (pose, gap) = if gap < before && margin > 1e-9 { (polished, gap) } else { (pose, before) };
            let reached = home.as_ref().is_some_and(|home| self.distance(home, &pose) < 1e-6 * self.reach());
            let solution = Self::platform_solution(pose, 0, gap, 0, Route::Unknown);
            modes.push((
                pose,
                AssemblyMode {
                    solution,
                    working_mode: Some(judge.mode()),
                    is_own_mode: own,
                    is_reached_from_home: own && reached,
                    is_singular,
                },
            ));
        }
        sort_by(&mut modes, |a, b| self.lower(&a.0, &b.0));
        for (k, (_, mode)) in modes.iter_mut().enumerate() {
            mode.solution.mode = format!("{}", k + 1);
        }
        Ok(modes.into_iter().map(|(_, mode)| mode).collect())
    }

    /// The branches of the legs that have the motors at `q` in this pose, and whether they are the robot's own; `None` if
    /// a leg has none.
    fn branches_at(&self, pose: &Pose<f64>, q: &[f64]) -> Option<(Vec<LegChoice>, bool)> {
        let mut rest = q;
        let mut choices = Vec::new();
        let mut is_own = true;
        for choice in self.choices() {
            let (own, others) = rest.split_at(choice.own.leg.active_joints().min(rest.len()));
            rest = others;
            let fits = |choice: &LegChoice| {
                let found = choice.own.leg.kinematics(pose);
                found.margin > -1e-9
                    && found.value.iter().zip(own).all(|(joint, q)| {
                        let off = JointValue::of(joint.kind, *q).minus(&joint.value, joint.kind).abs();
                        let unit = if joint.kind == legwork_core::engine::JointKind::Prismatic {
                            self.leg_size()
                        } else {
                            1.0
                        };
                        off < 1e-6 * unit
                    })
            };
            if fits(choice) {
                choices.push(*choice);
            } else {
                is_own = false;
                choices.push(choice.flipped().filter(fits)?);
            }
        }
        Some((choices, is_own))
    }

    /// Poses that many seeded starts find: a lower bound on their number, not a proof that there are no more.
    fn searched(&self, q: &[f64], starts: usize, seed: u64) -> Result<Vec<Pose<f64>>, RobotError> {
        let q = self.counted("joint values", q)?;
        let mut random = crate::random::Random::new(seed);
        let mut found: Vec<Pose<f64>> = Vec::new();
        let reach = self.reach();
        let settings = super::engine::newton_settings().anywhere();
        for k in 0..starts {
            let start = if k == 0 { self.home_pose() } else { self.scattered(&mut random, reach) };
            if let Forward::Converged { pose, .. } = self.model().forward_kinematics(&q, &start, settings)
                && !found.iter().any(|other| self.distance(other, &pose) < 1e-6 * reach)
            {
                found.push(pose);
            }
        }
        Ok(found)
    }
}
