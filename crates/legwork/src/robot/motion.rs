//! A robot of the general engine as equations of motion with run-time sizes.

use super::mechanism::{AnyLeg, Machine, Question};
use legwork_core::engine::{Mechanism, MotionSpace, Pose, Twist};
use legwork_core::motion::{
    AnyOpenLegs, Energy, Fault, Formulation, Load, Minimal, PoseState, Quaternion, Rate,
};

/// Pose and full twist of the platform, whatever its freedoms: components that are none stay zero.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MachineMotion<'a>(pub(super) &'a Machine);

type State = PoseState<6>;

impl MachineMotion<'_> {
    /// Its legs as chains of joints, for the forms in all joints.
    pub(crate) fn chains(self) -> Vec<AnyLeg> {
        self.0.legs.iter().map(AnyLeg::as_chain).collect()
    }

    /// The robot with these legs cut open at the platform.
    pub(crate) fn open(self, chains: &[AnyLeg]) -> Result<AnyOpenLegs<'_>, Fault> {
        AnyOpenLegs::new(chains, self.0.platform, &self.0.freedoms, self.0.gravity)
    }

    fn ask<A>(self, question: impl Question<Answer = Result<A, Fault>>) -> Result<A, Fault> {
        // Sizes were checked when the robot was built.
        let unknown = Fault::Count { motors: self.0.motors(), found: 0 };
        self.0.ask(question).unwrap_or(Err(unknown))
    }

    /// The platform with all freedoms: for what does not depend on them.
    fn free(&self) -> Minimal<'_, AnyLeg, 6, 6> {
        Minimal {
            mechanism: Mechanism {
                platform: self.0.platform,
                legs: &self.0.legs,
                space: MotionSpace::full(),
                gravity: self.0.gravity,
            },
        }
    }
}

impl Formulation for MachineMotion<'_> {
    type State = State;

    fn motors(&self) -> usize {
        self.0.motors()
    }

    fn rate(&self, x: &State, load: &Load<'_>) -> Result<Rate<State>, Fault> {
        self.ask(RateOf { x, load })
    }

    fn position_rate(&self, ((_, quaternion), six): &State) -> Result<State, Fault> {
        let twist = Twist::from_vector_linear_first(*six);
        let turning = Quaternion::from_array(*quaternion).rate(twist.angular).to_array();
        Ok(((twist.linear.to_array(), turning), [0.0; 6]))
    }

    fn settle(&self, h: f64, before: &State, after: &mut State) -> Result<bool, Fault> {
        self.free().settle(h, before, after)
    }

    fn without_position_rate(&self, (_, acceleration): &State) -> State {
        (([0.0; 3], [0.0; 4]), *acceleration)
    }

    fn state_at(&self, pose: &Pose<f64>, twist: Twist<f64>) -> Result<State, Fault> {
        self.ask(StateAt { pose, twist })
    }

    fn platform(&self, ((position, quaternion), six): &State) -> (Pose<f64>, Twist<f64>) {
        let rotation = Quaternion::from_array(*quaternion).rotation();
        (Pose::new(rotation, (*position).into()), Twist::from_vector_linear_first(*six))
    }

    fn joints(&self, x: &State, q: &mut [f64], qdot: &mut [f64]) -> Result<(), Fault> {
        self.ask(JointsOf { x, q, qdot })
    }

    fn energy(&self, x: &State) -> Energy {
        self.free().energy(x)
    }

    fn loop_gap(&self, x: &State) -> f64 {
        self.free().loop_gap(x)
    }
}

/// The state of D freedoms, and back.
fn narrow<const D: usize, const K: usize>(
    robot: &Mechanism<'_, f64, AnyLeg, D, K>,
    (place, six): &State,
) -> PoseState<D> {
    (*place, robot.space.project(six))
}

fn wide<const D: usize, const K: usize>(
    robot: &Mechanism<'_, f64, AnyLeg, D, K>,
    (place, rate): PoseState<D>,
) -> State {
    (place, robot.space.twist(&rate).to_vector_linear_first())
}

struct RateOf<'a> {
    x: &'a State,
    load: &'a Load<'a>,
}

impl Question for RateOf<'_> {
    type Answer = Result<Rate<State>, Fault>;
    fn ask<const D: usize, const K: usize>(self, robot: &Mechanism<'_, f64, AnyLeg, D, K>) -> Self::Answer {
        let rate = Minimal { mechanism: *robot }.rate(&narrow(robot, self.x), self.load)?;
        Ok(Rate { state: wide(robot, rate.state), work: rate.work, dissipation: rate.dissipation })
    }
}

struct StateAt<'a> {
    pose: &'a Pose<f64>,
    twist: Twist<f64>,
}

impl Question for StateAt<'_> {
    type Answer = Result<State, Fault>;
    fn ask<const D: usize, const K: usize>(self, robot: &Mechanism<'_, f64, AnyLeg, D, K>) -> Self::Answer {
        Ok(wide(robot, Minimal { mechanism: *robot }.state_at(self.pose, self.twist)?))
    }
}

struct JointsOf<'a> {
    x: &'a State,
    q: &'a mut [f64],
    qdot: &'a mut [f64],
}

impl Question for JointsOf<'_> {
    type Answer = Result<(), Fault>;
    fn ask<const D: usize, const K: usize>(self, robot: &Mechanism<'_, f64, AnyLeg, D, K>) -> Self::Answer {
        Minimal { mechanism: *robot }.joints(&narrow(robot, self.x), self.q, self.qdot)
    }
}
