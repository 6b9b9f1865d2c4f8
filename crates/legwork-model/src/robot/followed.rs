//! A robot whose legs have no closed form, as equations of motion: where its legs are is carried along with the state.

use super::dense;
use super::engine_model::{AnyLeg, EngineModel};
use super::motion::{EDGE, EngineForm, State, place_rate, platform_of};
use legwork_core::engine::{LegInverse, LegModel, Lost, Pose, StateError, Twist};
use legwork_core::integrate::Vector;
use legwork_core::motion::{Energy, Fault, Formulation, Load, Rate};
use legwork_core::{Margin, Real};
use std::borrow::Cow;

/// Room for the legs of any robot.
const MAX_LEGS: usize = 24;

/// Where legs without a closed form are: joints that close them with the platform at a pose. They are followed from
/// there along the straight motion to the next pose.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Configuration {
    pose: Pose<f64>,
    /// Leg by leg \[rad or m\]; turns run on beyond ±π.
    joints: [[f64; 6]; MAX_LEGS],
}

impl Configuration {
    /// Where the legs of a model are at its anchor.
    fn of(model: &EngineModel) -> Self {
        let mut joints = [[0.0; 6]; MAX_LEGS];
        for (slot, leg) in joints.iter_mut().zip(&model.legs) {
            *slot = leg.seed().unwrap_or_default();
        }
        Self { pose: model.anchor, joints }
    }
}

/// Pose and twist of the platform, which are integrated, and the configuration of the legs, which is not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FollowedState {
    moving: State,
    /// None in a rate.
    legs: Option<Configuration>,
}

impl FollowedState {
    fn rate(moving: State) -> Self {
        Self { moving, legs: None }
    }

    /// Shows the numbers that tell where the legs are, which may be changed: always as many.
    pub(crate) fn visit_legs(&mut self, visitor: &mut dyn FnMut(&mut f64)) {
        let mut is_there = f64::from(u8::from(self.legs.is_some()));
        visitor(&mut is_there);
        let nowhere = Configuration { pose: Pose::identity(), joints: [[0.0; 6]; MAX_LEGS] };
        let mut legs = self.legs.unwrap_or(nowhere);
        let (rows, position) = (&mut legs.pose.rotation.0, &mut legs.pose.position);
        for row in [&mut rows.x, &mut rows.y, &mut rows.z, position] {
            [&mut row.x, &mut row.y, &mut row.z].into_iter().for_each(&mut *visitor);
        }
        legs.joints.as_flattened_mut().iter_mut().for_each(&mut *visitor);
        self.legs = (is_there == 1.0).then_some(legs);
    }
}

impl Vector<f64> for FollowedState {
    const LENGTH: usize = State::LENGTH;

    fn zero() -> Self {
        Self::rate(State::zero())
    }

    fn map(&self, f: impl FnMut(f64) -> f64) -> Self {
        Self { moving: self.moving.map(f), legs: self.legs }
    }

    fn zip(&self, other: &Self, f: impl FnMut(f64, f64) -> f64) -> Self {
        Self { moving: self.moving.zip(&other.moving, f), legs: self.legs.or(other.legs) }
    }

    fn add_scaled(&mut self, h: f64, k: &Self) {
        self.moving.add_scaled(h, &k.moving);
        self.legs = self.legs.or(k.legs);
    }

    fn fold<A>(&self, start: A, f: impl FnMut(A, f64) -> A) -> A {
        self.moving.fold(start, f)
    }
}

/// The equations of motion of [`EngineForm`] where legs are followed: from the end of one step to that of the next, and
/// from there to every place that the integrator looks at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FollowedForm<'a>(pub(crate) EngineForm<'a>);

impl<'a> FollowedForm<'a> {
    fn model(self) -> &'a EngineModel {
        self.0.0
    }

    /// The legs where they are in a state.
    fn legs(self, x: &FollowedState) -> impl Iterator<Item = Cow<'a, AnyLeg>> {
        let model = self.model();
        let from = x.legs.unwrap_or_else(|| Configuration::of(model));
        let pose = platform_of(&x.moving).0;
        model.legs.iter().zip(from.joints).map(move |(leg, joints)| {
            let there = leg.with_seed(&joints, LegInverse::<f64, 1>::FOUND_STEPS).followed(&from.pose, &pose);
            there.map_or(Cow::Borrowed(leg), Cow::Owned)
        })
    }

    /// The configuration in a state.
    fn configuration(self, x: &FollowedState) -> Configuration {
        let mut found = Configuration { pose: platform_of(&x.moving).0, joints: [[0.0; 6]; MAX_LEGS] };
        for (slot, leg) in found.joints.iter_mut().zip(self.legs(x)) {
            *slot = leg.seed().unwrap_or_default();
        }
        found
    }

    /// Which leg is at fault, or nearly so; if none is, a motion that moves no mass.
    #[cold]
    fn fault(self, x: &FollowedState, margin: f64) -> Fault {
        let model = self.model();
        let pose = platform_of(&x.moving).0;
        let from = x.legs.unwrap_or_else(|| Configuration::of(model));
        for (leg, (it, joints)) in model.legs.iter().zip(from.joints).enumerate() {
            let lost = it.with_seed(&joints, LegInverse::<f64, 1>::FOUND_STEPS).lost(&from.pose, &pose);
            if let Some(Lost { way, joint, margin, .. }) = lost {
                return StateError::BranchEnds { leg, joint, way, margin }.into();
            }
        }
        let mut margins = self.legs(x).map(|leg| leg.kinematics(&pose).margin).enumerate();
        let edge = margins.find(|(_, margin)| *margin <= EDGE);
        let edge = edge.map(|(leg, margin)| StateError::SingularLeg { leg, margin });
        edge.unwrap_or(StateError::NoMass { margin }).into()
    }
}

impl Formulation for FollowedForm<'_> {
    type State = FollowedState;

    fn motors(&self) -> usize {
        self.model().motors()
    }

    fn rate(&self, x: &FollowedState, load: &Load<'_>) -> Result<Rate<FollowedState>, Fault> {
        let model = self.model();
        let effort = self.0.efforts(load.effort)?;
        let (pose, twist) = platform_of(&x.moving);
        let Margin { value: equation, margin: reach } =
            model.platform_equation_of(self.legs(x), &pose, twist);
        let outside = model.picked(&load.wrench.to_vector_linear_first());
        let Margin { value, margin } = equation.acceleration(&effort, &outside); // (28)
        if margin.is_nan() || margin <= 0.0 || reach.is_nan() || reach <= EDGE {
            return Err(self.fault(x, Real::min(margin, reach)));
        }
        let Rate { state, work, dissipation } =
            model.rate_of(&x.moving, &equation, &effort, &outside, &value);
        Ok(Rate { state: FollowedState::rate(state), work, dissipation })
    }

    fn position_rate(&self, x: &FollowedState) -> Result<FollowedState, Fault> {
        let rate = place_rate(&x.moving.0.1, platform_of(&x.moving).1);
        Ok(FollowedState::rate((rate, [0.0; 6])))
    }

    /// Follows the legs to the end of the step. Refuses one towards a stretched leg, and one on which a leg is lost.
    fn settle(&self, h: f64, before: &FollowedState, after: &mut FollowedState) -> Result<bool, Fault> {
        let (pose, twist) = platform_of(&before.moving);
        let back = pose.moved(&(twist * (-1e-6 * h)));
        for (number, leg) in self.legs(before).enumerate() {
            let margin = leg.kinematics(&pose).margin;
            // By a difference of a millionth of the step.
            let rate = if h > 0.0 { (margin - leg.kinematics(&back).margin) / (1e-6 * h) } else { 0.0 };
            // As in the other forms: a step towards zero is tried again, shorter.
            if margin + h * rate < 0.0 {
                return Err(StateError::SingularLeg { leg: number, margin }.into());
            }
        }
        let from = before.legs.or(after.legs);
        *after = FollowedState { legs: from, ..*after };
        let end = platform_of(&after.moving).0;
        let open = |margin: f64| margin.is_nan() || margin <= 0.0;
        if self.legs(after).any(|leg| open(leg.kinematics(&end).margin)) {
            return Err(self.fault(after, 0.0));
        }
        after.legs = Some(self.configuration(after));
        Ok(true)
    }

    fn without_position_rate(&self, rate: &FollowedState) -> FollowedState {
        FollowedState::rate((([0.0; 3], [0.0; 4]), rate.moving.1))
    }

    fn state_at(&self, pose: &Pose<f64>, twist: Twist<f64>) -> Result<FollowedState, Fault> {
        let moving = self.0.state_at(pose, twist)?;
        let legs = Configuration::of(self.model());
        let start = FollowedState { moving, legs: Some(legs) };
        Ok(FollowedState { legs: Some(self.configuration(&start)), ..start })
    }

    fn platform(&self, x: &FollowedState) -> (Pose<f64>, Twist<f64>) {
        platform_of(&x.moving)
    }

    fn joints(&self, x: &FollowedState, q: &mut [f64], qdot: &mut [f64]) -> Result<(), Fault> {
        let (model, pose) = (self.model(), platform_of(&x.moving).0);
        let Margin { value: motors, margin } = model.kinematics_of(self.legs(x), &pose);
        if margin.is_nan() || margin <= 0.0 {
            return Err(self.fault(x, margin));
        }
        let rates = dense::times(&motors.rows, &model.picked(&x.moving.1), model.freedoms.len());
        for (k, (q, qdot)) in q.iter_mut().zip(qdot).enumerate() {
            (*q, *qdot) = (motors.coordinate(k), rates[k]);
        }
        Ok(())
    }

    fn energy(&self, x: &FollowedState) -> Energy {
        let (model, (pose, twist)) = (self.model(), platform_of(&x.moving));
        let (mut kinetic, mut potential) = model.platform_energy(&pose, twist);
        for leg in self.legs(x) {
            let (t, v) = leg.energy(&pose, twist, model.gravity);
            kinetic += t;
            potential += v;
        }
        Energy { kinetic, potential }
    }

    fn loop_gap(&self, x: &FollowedState) -> f64 {
        let pose = platform_of(&x.moving).0;
        self.legs(x)
            .map(|leg| leg.loop_gap(&pose))
            .fold(0.0, |worst, gap| if f64::is_nan(worst) || worst > gap { worst } else { gap })
    }
}
