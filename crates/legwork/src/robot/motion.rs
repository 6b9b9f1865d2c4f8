//! A robot of the general engine as equations of motion with run-time sizes.

use super::mechanism::{AnyLeg, Machine, Question};
use legwork_core::engine::{Hexapod, Mechanism, MotionSpace, Pose, Twist};
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
        if let Some(hexapod) = self.0.hexapod.as_deref()
            && let Some(rate) = hexapod_rate(hexapod, x, load)
        {
            return Ok(rate);
        }
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

/// The rate of six legs in closed form; none where the general way has to say what is wrong.
fn hexapod_rate(hexapod: &Hexapod<f64>, (place, six): &State, load: &Load<'_>) -> Option<Rate<State>> {
    let effort: &[f64; 6] = load.effort.try_into().ok()?;
    let (quaternion, twist) = (Quaternion::from_array(place.1), Twist::from_vector_linear_first(*six));
    let pose = Pose::new(quaternion.rotation(), place.0.into());
    let moving = hexapod.moving(&pose, twist, effort, load.wrench);
    let turning = quaternion.rate(twist.angular).to_array();
    let state = ((twist.linear.to_array(), turning), moving.acceleration.to_vector_linear_first());
    let fine = moving.reach > EDGE && moving.margin > 0.0;
    fine.then_some(Rate { state, work: moving.work, dissipation: moving.dissipation })
}

/// L² sin² q2 \[m²\] below which a leg counts as lying along its first axis, as in [`Minimal`].
const EDGE: f64 = 1e-9;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AnyRobot;
    use crate::robot::Moving;
    use legwork_core::V3;
    use legwork_core::engine::Wrench;
    use legwork_core::integrate::{Dopri5, Settings, Vector};
    use legwork_core::motion::Driven;

    /// The rate in closed form and the general one, in states along a run, with a wrench from outside.
    #[test]
    fn a_hexapod_moves_as_its_mechanism_does() {
        for name in ["gough-stewart", "custom-gough-stewart", "mathworks-stewart"] {
            let robot = AnyRobot::open(name).unwrap();
            let Moving::Engine(fast) = robot.moving().unwrap() else {
                panic!("{name} is no robot of the engine")
            };
            assert!(fast.0.hexapod.is_some(), "{name}");
            let general = Machine { hexapod: None, ..fast.0.clone() };
            let slow = MachineMotion(&general);
            let hold = robot.state(&robot.home()).unwrap().dynamics.unwrap().gravity;
            let effort: [f64; 6] = std::array::from_fn(|k| 0.8 * hold[k] + 3.0 * k as f64);
            let load = Load {
                effort: &effort,
                wrench: Wrench::new(V3::new(5.0, -3.0, 2.0), V3::new(0.5, 1.0, -2.0)),
            };
            let home = robot.home();
            let [x, y, z] = home.rotation.map(V3::from);
            let pose = Pose::new(legwork_core::M3::from_rows(x, y, z), home.position.into());
            let twist = Twist::new(V3::new(0.3, -0.2, 0.1), V3::new(0.5, 0.4, -0.6));
            let start = fast.state_at(&pose, twist).unwrap();
            let mut ends = Vec::new();
            for form in [fast, slow] {
                let mut run = Dopri5::new(0.0, (start, [0.0; 2]), Settings::default().with_tolerance(1e-10));
                run.advance_to(&mut Driven::new(form, effort), 0.2).unwrap();
                ends.push(run.state().0);
            }
            let apart = |a: &State, b: &State| a.zip(b, |a, b| (a - b).abs()).fold(0.0, f64::max);
            let off = apart(&ends[0], &ends[1]);
            assert!(off < 1e-12, "{name}: ends {off:e} apart");
            for x in [start, ends[0]] {
                let (a, b) = (fast.rate(&x, &load).unwrap(), slow.rate(&x, &load).unwrap());
                let size = a.state.fold(1.0, |most: f64, x| most.max(x.abs()));
                // 1e-12: rounding of sums of six legs, times the condition of the mass matrix.
                assert!(apart(&a.state, &b.state) < 1e-12 * size, "{name}: {:e}", apart(&a.state, &b.state));
                assert!((a.work - b.work).abs() < 1e-12 * (1.0 + a.work.abs()), "{name}");
                assert!((a.dissipation - b.dissipation).abs() < 1e-12 * (1.0 + a.dissipation), "{name}");
            }
        }
    }
}
