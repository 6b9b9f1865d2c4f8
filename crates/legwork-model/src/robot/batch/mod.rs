//! Many states in one call: lists in the caller's memory, vectors inside, threads outside.
//!
//! A list holds one state after the other, matrices by rows. A state without an answer is marked, its numbers are
//! NaN, and the others do not notice. The bits do not depend on the number of threads, on the machine, or on
//! whether a state is asked alone or with others.

mod block;
mod kernels;
mod rows;
mod spread;

pub use rows::{Places, RowAngles, RowLayout, RowList, StateRows};

use super::kinematics::{finite, sized};
use super::{AnyRobot, Kind, PlatformState, RobotError, either};
use block::{Rows, WIDTH, rows, write};
use spread::{Lists, Moves, in_blocks, one_by_one};

/// States of a platform in the caller's memory, one after the other, in the user's frame. What is not given is
/// no rotation, no motion, no wrench.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlatformStates<'a> {
    /// Platform points \[m\], 3 numbers each.
    pub positions: &'a [f64],
    /// Orientations, 9 numbers each: matrices by rows that map vectors of the platform to the base.
    pub rotations: Option<&'a [f64]>,
    /// Velocities \[m/s, rad/s\], 6 numbers each, linear first.
    pub twists: Option<&'a [f64]>,
    /// Accelerations \[m/s², rad/s²\], 6 numbers each, linear first.
    pub accelerations: Option<&'a [f64]>,
    /// External wrenches \[N, N m\], 6 numbers each, force first.
    pub wrenches: Option<&'a [f64]>,
}

impl<'a> PlatformStates<'a> {
    /// At rest, nothing pulling.
    pub fn at(positions: &'a [f64]) -> Self {
        Self { positions, rotations: None, twists: None, accelerations: None, wrenches: None }
    }

    /// With these orientations.
    #[must_use]
    pub fn turned(self, rotations: &'a [f64]) -> Self {
        Self { rotations: Some(rotations), ..self }
    }

    /// With these velocities and accelerations.
    #[must_use]
    pub fn moving(self, twists: &'a [f64], accelerations: &'a [f64]) -> Self {
        Self { twists: Some(twists), accelerations: Some(accelerations), ..self }
    }

    /// While these wrenches act.
    #[must_use]
    pub fn with_wrenches(self, wrenches: &'a [f64]) -> Self {
        Self { wrenches: Some(wrenches), ..self }
    }

    /// How many there are; an error if a list has another length.
    fn count(&self) -> Result<usize, RobotError> {
        let count = self.positions.len() / 3;
        sized("positions", self.positions, 3 * count)?;
        for (what, list, width) in [
            ("rotations", self.rotations, 9),
            ("velocities", self.twists, 6),
            ("accelerations", self.accelerations, 6),
            ("wrenches", self.wrenches, 6),
        ] {
            if let Some(list) = list {
                sized(what, list, width * count)?;
            }
        }
        Ok(count)
    }

    /// One of them.
    fn get(&self, number: usize) -> PlatformState {
        fn numbers<const C: usize>(list: Option<&[f64]>, number: usize) -> Option<[f64; C]> {
            list?.as_chunks::<C>().0.get(number).copied()
        }
        let mut state = PlatformState::at(numbers(Some(self.positions), number).unwrap_or([f64::NAN; 3]));
        if let Some([a, b, c, d, e, f, g, h, i]) = numbers(self.rotations, number) {
            state.rotation = [[a, b, c], [d, e, f], [g, h, i]];
        }
        state.twist = numbers(self.twists, number).unwrap_or_default();
        state.acceleration = numbers(self.accelerations, number).unwrap_or_default();
        state.wrench = numbers(self.wrenches, number).unwrap_or_default();
        state
    }
}

/// States of a batch, as their memory holds them.
#[allow(clippy::large_enum_variant)] // one for a whole batch, and without a heap
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BatchStates<'a> {
    /// Positions, matrices and all six numbers of twists and wrenches.
    Lists(PlatformStates<'a>),
    /// Rows of the numbers that the robot can have.
    Rows(StateRows<'a>),
}

impl<'a> From<&PlatformStates<'a>> for BatchStates<'a> {
    fn from(states: &PlatformStates<'a>) -> Self {
        Self::Lists(*states)
    }
}

impl<'a> From<&StateRows<'a>> for BatchStates<'a> {
    fn from(states: &StateRows<'a>) -> Self {
        Self::Rows(*states)
    }
}

impl BatchStates<'_> {
    fn count(&self) -> Result<usize, RobotError> {
        match self {
            Self::Lists(states) => states.count(),
            Self::Rows(rows) => match rows.wrong_list() {
                None => Ok(rows.count),
                Some((what, expected, found)) => Err(RobotError::Count { what, expected, found }),
            },
        }
    }

    /// One of them.
    fn get(&self, number: usize) -> PlatformState {
        match self {
            Self::Lists(states) => states.get(number),
            Self::Rows(rows) => rows.get(number),
        }
    }
}

/// Whether a state of a batch has an answer, or what kind of error it has; the call for one state says more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum StateMark {
    /// It has an answer.
    #[default]
    Answered = 0,
    /// A number is NaN or infinite, or the answer would be.
    NotFinite = 1,
    /// The matrix is no rotation.
    NotARotation = 2,
    /// The platform cannot move or turn so.
    NotAFreedom = 3,
    /// A leg does not reach.
    Unreachable = 4,
    /// A leg is stretched, folded or along its own axis.
    SerialSingularity = 5,
    /// The motors do not hold the platform.
    ParallelSingularity = 6,
    /// Some motion of the platform moves no mass.
    NoMass = 7,
    /// Anything else.
    Other = 8,
}

/// Questions about many states to one robot, see [`AnyRobot::batch`].
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    robot: &'a AnyRobot,
    threads: usize,
}

impl AnyRobot {
    /// Questions about many states at once, on one thread per core.
    ///
    /// ```
    /// use legwork::{AnyRobot, PlatformStates, StateMark};
    ///
    /// let robot = AnyRobot::open("delta-industrial")?;
    /// let positions = [0.1, -0.05, -0.8, 0.0, 0.0, -0.9, 0.0, 0.0, -9.0];
    /// let (mut efforts, mut marks) = ([0.0; 9], [StateMark::Answered; 3]);
    /// let answered = robot.batch().inverse_dynamics(&PlatformStates::at(&positions), &mut efforts, &mut marks)?;
    /// assert_eq!(answered, 2);
    /// assert_eq!(marks[2], StateMark::Unreachable);
    /// assert!(efforts[..6].iter().all(|torque| *torque < 0.0)); // N m; the motors hold the arms up
    /// assert!(efforts[6..].iter().all(|torque| torque.is_nan()));
    /// # Ok::<(), legwork::RobotError>(())
    /// ```
    pub fn batch(&self) -> Batch<'_> {
        Batch { robot: self, threads: 0 }
    }
}

impl Batch<'_> {
    /// On this many threads; 0 for one per core. Where no threads can be made, the caller's does it all.
    #[must_use]
    pub fn on_threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// [`AnyRobot::inverse_kinematics`] of each state: `q` \[rad or m\] has a number for each joint and state.
    /// Returns how many states have an answer.
    pub fn inverse_kinematics<'s>(
        &self,
        states: impl Into<BatchStates<'s>>,
        q: &mut [f64],
        marks: &mut [StateMark],
    ) -> Result<usize, RobotError> {
        let (robot, states) = (self.robot, &states.into());
        let lists = Lists::new(states.count()?, [("joint values", q, robot.joints().len())], marks)?;
        let one =
            |_: usize, state: &PlatformState, [q]: [&mut [f64]; 1]| robot.inverse_kinematics_into(state, q);
        Ok(lists.spread(self.threads, self.grain(), &|first, lists| match &robot.kind {
            Kind::Delta(it) => {
                let (linkage, frame) = (it.linkage(), it.frame());
                let mut arms: Rows<6> = [[0.0; 6]; WIDTH];
                in_blocks(states, first, lists, Moves::Straight, &one, |block, _, [q], good| {
                    kernels::delta_inverse_kinematics(linkage, &frame, block, &mut arms, good);
                    for (q, arms) in q.chunks_exact_mut(3).zip(&arms) {
                        for (q, arm) in q.iter_mut().zip(arms.as_chunks::<2>().0) {
                            let [sin, cos] = arm;
                            *q = frame.angle_to_user(sin.atan2(*cos));
                        }
                    }
                })
            }
            Kind::Engine(it) => match &it.model().hexapod {
                Some(closed) => {
                    in_blocks(states, first, lists, Moves::Freely, &one, |block, _, [q], good| {
                        write(q, |q| kernels::hexapod_inverse_kinematics(&closed.hexapod, block, q, good));
                    })
                }
                None => one_by_one(states, first, lists, &one),
            },
            Kind::Mechanism(_) => one_by_one(states, first, lists, &one),
        }))
    }

    /// [`AnyRobot::inverse_dynamics`] of each state: `efforts` \[N m or N\] has a number for each joint and state.
    /// Returns how many states have an answer.
    pub fn inverse_dynamics<'s>(
        &self,
        states: impl Into<BatchStates<'s>>,
        efforts: &mut [f64],
        marks: &mut [StateMark],
    ) -> Result<usize, RobotError> {
        let (robot, states) = (self.robot, &states.into());
        self.massive()?;
        let lists = Lists::new(states.count()?, [("efforts", efforts, robot.joints().len())], marks)?;
        let one = |_: usize, state: &PlatformState, [effort]: [&mut [f64]; 1]| {
            robot.inverse_dynamics_into(state, effort)
        };
        Ok(lists.spread(self.threads, self.grain(), &|first, lists| match &robot.kind {
            Kind::Delta(it) => match it.model() {
                Some(delta) => {
                    let frame = it.frame();
                    in_blocks(states, first, lists, Moves::Straight, &one, |block, _, [efforts], good| {
                        write(efforts, |efforts| {
                            kernels::delta_inverse_dynamics(delta, &frame, block, efforts, good);
                        });
                    })
                }
                None => one_by_one(states, first, lists, &one),
            },
            Kind::Engine(it) => match &it.model().hexapod {
                Some(closed) => {
                    in_blocks(states, first, lists, Moves::Freely, &one, |block, _, [efforts], good| {
                        write(efforts, |efforts| {
                            kernels::hexapod_inverse_dynamics(&closed.hexapod, block, efforts, good);
                        });
                    })
                }
                None => one_by_one(states, first, lists, &one),
            },
            Kind::Mechanism(_) => one_by_one(states, first, lists, &one),
        }))
    }

    /// [`AnyRobot::forward_dynamics`] of each state under its `efforts` \[N m or N\], a number for each joint and
    /// state. `accelerations` \[m/s² or rad/s²\] gets a number for each freedom of the platform and state, `qdd`
    /// \[rad/s² or m/s²\] one for each joint and state. Returns how many states have an answer.
    pub fn forward_dynamics<'s>(
        &self,
        states: impl Into<BatchStates<'s>>,
        efforts: &[f64],
        accelerations: &mut [f64],
        qdd: &mut [f64],
        marks: &mut [StateMark],
    ) -> Result<usize, RobotError> {
        let (robot, states) = (self.robot, &states.into());
        self.massive()?;
        let (joints, freedoms, count) = (robot.joints().len(), robot.freedoms().len(), states.count()?);
        sized("efforts", efforts, joints * count)?;
        let lists = [
            ("accelerations of the platform", accelerations, freedoms),
            ("accelerations of the joints", qdd, joints),
        ];
        let lists = Lists::new(count, lists, marks)?;
        let one = |number: usize, state: &PlatformState, [acceleration, qdd]: [&mut [f64]; 2]| {
            let own = &efforts[number * joints..(number + 1) * joints];
            robot.forward_dynamics_into(state, own, acceleration, qdd)
        };
        Ok(lists.spread(self.threads, self.grain(), &|first, lists| match &robot.kind {
            Kind::Delta(it) => match it.model() {
                Some(delta) => {
                    let (frame, mut room) = (it.frame(), [[0.0; 3]; WIDTH]);
                    in_blocks(
                        states,
                        first,
                        lists,
                        Moves::Straight,
                        &one,
                        |block, at, [platform, qdd], good| {
                            let tau = rows(efforts, at.start, at.len(), &mut room);
                            write(platform, |platform| {
                                write(qdd, |qdd| {
                                    let answer = (platform, qdd);
                                    kernels::delta_forward_dynamics(delta, &frame, block, tau, answer, good);
                                });
                            });
                        },
                    )
                }
                None => one_by_one(states, first, lists, &one),
            },
            Kind::Engine(it) => match &it.model().hexapod {
                Some(closed) => {
                    let mut room = [[0.0; 6]; WIDTH];
                    in_blocks(
                        states,
                        first,
                        lists,
                        Moves::Freely,
                        &one,
                        |block, at, [platform, qdd], good| {
                            let tau = rows(efforts, at.start, at.len(), &mut room);
                            write(platform, |platform| {
                                write(qdd, |qdd| {
                                    let answer = (platform, qdd);
                                    kernels::hexapod_forward_dynamics(
                                        &closed.hexapod,
                                        block,
                                        tau,
                                        answer,
                                        good,
                                    );
                                });
                            });
                        },
                    )
                }
                None => one_by_one(states, first, lists, &one),
            },
            Kind::Mechanism(_) => one_by_one(states, first, lists, &one),
        }))
    }

    /// [`AnyRobot::jacobian`] of each state, by rows, and the condition number of each, see
    /// [`Singularity`](crate::Singularity). Returns how many states have an answer.
    pub fn jacobian<'s>(
        &self,
        states: impl Into<BatchStates<'s>>,
        jacobians: &mut [f64],
        conditions: &mut [f64],
        marks: &mut [StateMark],
    ) -> Result<usize, RobotError> {
        let (robot, states) = (self.robot, &states.into());
        let width = robot.joints().len() * robot.freedoms().len();
        let lists = [("entries of the Jacobians", jacobians, width), ("conditions", conditions, 1)];
        let lists = Lists::new(states.count()?, lists, marks)?;
        let one = |_: usize, state: &PlatformState, [jacobian, condition]: [&mut [f64]; 2]| {
            condition[0] = either!(robot, it => it.jacobian_and_condition_into(state, jacobian))?;
            finite("Jacobian", jacobian)?;
            if condition[0] == f64::INFINITY { Ok(()) } else { finite("condition number", condition) }
        };
        Ok(lists.spread(self.threads, self.grain(), &|first, lists| one_by_one(states, first, lists, &one)))
    }

    fn massive(&self) -> Result<(), RobotError> {
        if self.robot.has_masses() {
            Ok(())
        } else {
            Err(RobotError::NoMasses { robot: self.robot.name().into() })
        }
    }

    /// States that are worth another thread: about 50 µs of work.
    fn grain(&self) -> usize {
        match &self.robot.kind {
            Kind::Delta(_) => 64 * WIDTH,
            Kind::Engine(robot) if robot.model().hexapod.is_some() => 16 * WIDTH,
            Kind::Engine(_) | Kind::Mechanism(_) => WIDTH,
        }
    }
}

impl RobotError {
    /// What kind of error it is.
    pub fn mark(&self) -> StateMark {
        use crate::mechanism::MechanismError;
        use legwork_core::engine::StateError;
        use legwork_core::robots::delta::PostureError;
        match self {
            Self::NotFinite { .. }
            | Self::Overflow { .. }
            | Self::Posture(PostureError::NotFinite { .. })
            | Self::State(StateError::NotFinite { .. }) => StateMark::NotFinite,
            Self::NotARotation { .. } | Self::Mirrored => StateMark::NotARotation,
            Self::NotAFreedom { .. } | Self::Turned { .. } | Self::Follows { .. } => StateMark::NotAFreedom,
            Self::Posture(PostureError::Unreachable { .. } | PostureError::CannotMeet(_))
            | Self::State(StateError::Unreachable { .. } | StateError::BranchEnds { .. })
            | Self::JointCone { .. }
            | Self::PassiveLimit { .. }
            | Self::PassiveCone { .. } => StateMark::Unreachable,
            Self::Posture(PostureError::SerialSingularity { .. })
            | Self::State(StateError::SingularLeg { .. }) => StateMark::SerialSingularity,
            Self::Posture(PostureError::ParallelSingularity { .. })
            | Self::State(StateError::Singular { .. }) => StateMark::ParallelSingularity,
            Self::State(StateError::NoMass { .. }) => StateMark::NoMass,
            Self::MechanismState(fault) => match **fault {
                MechanismError::EndOfBranch { .. }
                | MechanismError::EndOfReach { .. }
                | MechanismError::OffPose { .. } => StateMark::Unreachable,
                MechanismError::Singular { .. } => StateMark::ParallelSingularity,
                MechanismError::Coordinates { .. } => StateMark::SerialSingularity,
                MechanismError::NotFinite { .. } => StateMark::NotFinite,
                _ => StateMark::Other,
            },
            _ => StateMark::Other,
        }
    }
}
