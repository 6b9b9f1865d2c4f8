//! A robot of the general engine as equations of motion with run-time sizes.

use super::dense::{self, MAX_MOTORS, PerFreedom, PerMotor};
use super::engine_model::{AnyLeg, EngineModel, PlatformEquation};
use super::mechanism::MechanismRobot;
use crate::RobotError;
use legwork_core::engine::{Hexapod, LegModel, Pose, StateError, Twist};
use legwork_core::motion::{Energy, Fault, Formulation, Load, Minimal, PoseState, Quaternion, Rate};
use legwork_core::{Margin, Real};

/// Pose and full twist of the platform, whatever its freedoms: components that are none stay zero. The steps
/// are those of [`Minimal`], whose sizes are constants.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EngineForm<'a>(pub(super) &'a EngineModel);

pub(super) type State = PoseState<6>;

impl EngineModel {
    /// The rate of a state, its accelerations found.
    pub(super) fn rate_of(
        &self,
        x: &State,
        equation: &PlatformEquation,
        effort: &PerMotor,
        outside: &PerFreedom,
        acceleration: &PerFreedom,
    ) -> Rate<State> {
        let (_, twist) = platform_of(x);
        let rate = self.picked(&x.1);
        let sum = |a: &[f64], b: &[f64]| a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + a * b);
        Rate {
            state: (place_rate(&x.0.1, twist), self.spread(acceleration).to_vector_linear_first()),
            work: sum(effort, &equation.motors.rate) + sum(outside, &rate),
            dissipation: sum(&equation.friction, &rate),
        }
    }
}

impl EngineForm<'_> {
    /// Whether some leg has no closed form, so that its motion takes a [`FollowedForm`](super::FollowedForm).
    pub(crate) fn is_followed(self) -> bool {
        self.0.is_followed()
    }

    /// The robot as bodies and joints, put together with its platform at a pose, for the forms in all joints.
    pub(crate) fn as_mechanism(self, name: &str, at: &Pose<f64>) -> Result<MechanismRobot, RobotError> {
        MechanismRobot::of_legs(name, self.0, &[], at)
    }

    /// The platform with all freedoms: for what does not depend on them.
    fn free(&self) -> Minimal<'_, AnyLeg, 6, 6> {
        Minimal { mechanism: self.0.free() }
    }

    pub(super) fn efforts(self, list: &[f64]) -> Result<PerMotor, Fault> {
        let motors = self.0.motors();
        if list.len() != motors {
            return Err(Fault::Count { motors, found: list.len() });
        }
        let mut out = [0.0; MAX_MOTORS];
        out.iter_mut().zip(list).for_each(|(slot, value)| *slot = *value);
        Ok(out)
    }

    /// Which leg is at fault, or nearly so; if none is, a motion that moves no mass.
    #[cold]
    fn fault(self, pose: &Pose<f64>, margin: f64) -> Fault {
        let legs = self.0.legs.iter().enumerate();
        let near =
            legs.map(|(leg, it)| (leg, it.kinematics(pose).margin)).find(|(_, margin)| *margin <= EDGE);
        let edge = near.map(|(leg, margin)| StateError::SingularLeg { leg, margin });
        self.0.leg_fault(pose).or(edge).unwrap_or(StateError::NoMass { margin }).into()
    }
}

/// The pose of a state, and its twist.
pub(super) fn platform_of(((position, quaternion), six): &State) -> (Pose<f64>, Twist<f64>) {
    let rotation = Quaternion::from_array(*quaternion).rotation();
    (Pose::new(rotation, (*position).into()), Twist::from_vector_linear_first(*six))
}

/// The rate of position and orientation.
pub(super) fn place_rate(quaternion: &[f64; 4], twist: Twist<f64>) -> ([f64; 3], [f64; 4]) {
    let turning = Quaternion::from_array(*quaternion).rate(twist.angular).to_array();
    (twist.linear.to_array(), turning)
}

impl Formulation for EngineForm<'_> {
    type State = State;

    fn motors(&self) -> usize {
        self.0.motors()
    }

    fn rate(&self, x: &State, load: &Load<'_>) -> Result<Rate<State>, Fault> {
        if let Some(closed) = self.0.hexapod.as_deref()
            && let Some(rate) = hexapod_rate(&closed.hexapod, x, load)
        {
            return Ok(rate);
        }
        let effort = self.efforts(load.effort)?;
        let (pose, twist) = platform_of(x);
        let Margin { value: equation, margin: reach } = self.0.platform_equation(&pose, twist);
        let outside = self.0.picked(&load.wrench.to_vector_linear_first());
        let Margin { value, margin } = equation.acceleration(&effort, &outside); // (28)
        if margin.is_nan() || margin <= 0.0 || reach.is_nan() || reach <= EDGE {
            return Err(self.fault(&pose, Real::min(margin, reach)));
        }
        Ok(self.0.rate_of(x, &equation, &effort, &outside, &value))
    }

    fn position_rate(&self, x: &State) -> Result<State, Fault> {
        Ok((place_rate(&x.0.1, platform_of(x).1), [0.0; 6]))
    }

    fn settle(&self, h: f64, before: &State, after: &mut State) -> Result<bool, Fault> {
        self.free().settle(h, before, after)
    }

    fn without_position_rate(&self, (_, acceleration): &State) -> State {
        (([0.0; 3], [0.0; 4]), *acceleration)
    }

    fn state_at(&self, pose: &Pose<f64>, twist: Twist<f64>) -> Result<State, Fault> {
        self.0.accept_legs(pose, self.0.kinematics(pose))?;
        let six = self.0.spread(&self.0.picked(&twist.to_vector_linear_first()));
        let orientation = Quaternion::of_rotation(pose.rotation).to_array();
        Ok(((pose.position.to_array(), orientation), six.to_vector_linear_first()))
    }

    fn platform(&self, x: &State) -> (Pose<f64>, Twist<f64>) {
        platform_of(x)
    }

    fn joints(&self, x: &State, q: &mut [f64], qdot: &mut [f64]) -> Result<(), Fault> {
        let (pose, _) = platform_of(x);
        let motors = self.0.accept_legs(&pose, self.0.kinematics(&pose))?;
        let rates = dense::times(&motors.rows, &self.0.picked(&x.1), self.0.freedoms.len());
        for (k, (q, qdot)) in q.iter_mut().zip(qdot).enumerate() {
            (*q, *qdot) = (motors.coordinate(k), rates[k]);
        }
        Ok(())
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

/// sin² q2 below which a leg counts as lying along its first axis, as in [`Minimal`].
pub(super) const EDGE: f64 = 1e-9;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AnyRobot;
    use crate::robot::Moving;
    use legwork_core::V3;
    use legwork_core::engine::Wrench;
    use legwork_core::integrate::{Dopri5, Settings, Vector};
    use legwork_core::motion::Driven;
    use legwork_testkit::nan_max;

    /// The rate in closed form and the general one, in states along a run, with a wrench from outside.
    #[test]
    fn a_hexapod_moves_as_its_mechanism_does() {
        for name in ["gough-stewart", "custom-gough-stewart", "mathworks-stewart"] {
            let robot = AnyRobot::open(name).unwrap();
            let Moving::Engine(fast) = robot.moving().unwrap() else {
                panic!("{name} is no robot of the engine")
            };
            assert!(fast.0.hexapod.is_some(), "{name}");
            let mut general = fast.0.clone();
            general.hexapod = None;
            let slow = EngineForm(&general);
            let hold = robot.gravity(&robot.home()).unwrap();
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
            let apart = |a: &State, b: &State| a.zip(b, |a, b| (a - b).abs()).fold(0.0, nan_max);
            let off = apart(&ends[0], &ends[1]);
            assert!(off < 1e-12, "{name}: ends {off:e} apart");
            for x in [start, ends[0]] {
                let (a, b) = (fast.rate(&x, &load).unwrap(), slow.rate(&x, &load).unwrap());
                let size = a.state.fold(1.0, |most: f64, x| nan_max(most, x.abs()));
                // 1e-12: rounding of sums of six legs, times the condition of the mass matrix.
                assert!(apart(&a.state, &b.state) < 1e-12 * size, "{name}: {:e}", apart(&a.state, &b.state));
                assert!((a.work - b.work).abs() < 1e-12 * (1.0 + a.work.abs()), "{name}");
                assert!((a.dissipation - b.dissipation).abs() < 1e-12 * (1.0 + a.dissipation), "{name}");
            }
        }
    }
}
