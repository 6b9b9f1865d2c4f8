//! A robot of any legs with each of them cut open at the platform. Sizes are run-time
//! numbers below fixed bounds, so there is one such code for every robot.
#![allow(clippy::indexing_slicing, clippy::needless_range_loop)] // indices are bounded by the counts checked in `new`

use super::open_leg_terms::{Carried, OpenLegTerms, Six, closed_any, cut_any, driven, joints, motors};
use super::{Fault, MOST_MOTORS, Quaternion, put_at};
use crate::V3;
use crate::engine::{AnyLeg, Pose, RigidBody, SpatialInertia, Twist};
use crate::integrate::List;

/// The most legs a robot may have in a form of all joints.
pub const MOST_LEGS: usize = 12;
/// The most joints all legs together may have there.
pub const MOST_JOINTS: usize = 48;

/// Joints leg by leg, position and quaternion of the platform.
pub type Configuration = List<f64, { MOST_JOINTS + 7 }>;
/// Joint rates, then the platform's twist with linear part first; or momenta in the same places.
pub type Speeds = List<f64, { MOST_JOINTS + 6 }>;
/// One number for each component that a leg passes on.
pub(super) type Loops = [Six; MOST_LEGS];

/// Legs of any shape and a platform; the closure h says that each leg ends in its
/// attachment \[KhalilIbrahim2007, Eq. 18, 19\].
#[derive(Clone, Copy, Debug)]
pub struct AnyOpenLegs<'a> {
    legs: &'a [AnyLeg<f64>],
    pub(super) platform: RigidBody<f64>,
    pub(super) free: [bool; 6],
    pub(super) gravity: V3<f64>,
    pub(super) joints: usize,
    motors: usize,
}

/// All legs cut open at one state.
pub(super) struct Cuts {
    pub legs: [OpenLegTerms; MOST_LEGS],
    pub count: usize,
    pub at: Carried,
    /// The platform about its origin.
    pub body: SpatialInertia<f64>,
}

impl<'a> AnyOpenLegs<'a> {
    /// Legs, platform, places of its freedoms in the twist, gravity in base axes \[m/s²\].
    pub fn new(
        legs: &'a [AnyLeg<f64>],
        platform: RigidBody<f64>,
        freedoms: &[usize],
        gravity: V3<f64>,
    ) -> Result<Self, Fault> {
        let all = legs.iter().map(joints).sum();
        let driven = legs.iter().map(motors).sum();
        for (what, most, found) in
            [("legs", MOST_LEGS, legs.len()), ("joints", MOST_JOINTS, all), ("motors", MOST_MOTORS, driven)]
        {
            if found > most {
                return Err(Fault::TooMany { what, most, found });
            }
        }
        let mut free = [false; 6];
        for place in freedoms {
            if let Some(slot) = free.get_mut(*place) {
                *slot = true;
            }
        }
        Ok(Self { legs, platform, free, gravity, joints: all, motors: driven })
    }

    pub(super) fn motors(&self) -> usize {
        self.motors
    }

    pub(super) fn still(&self) -> Speeds {
        List::zeros(self.joints + 6)
    }

    pub(super) fn pose(&self, q: &Configuration) -> Pose<f64> {
        match q.as_slice().get(self.joints..) {
            Some([x, y, z, quaternion @ ..]) => {
                let mut four = [0.0; 4];
                put_at(&mut four, 0, quaternion);
                Pose::new(Quaternion::from_array(four).rotation(), V3::new(*x, *y, *z))
            }
            _ => Pose::identity(),
        }
    }

    pub(super) fn twist(&self, v: &Speeds) -> Twist<f64> {
        let mut six = [0.0; 6];
        put_at(&mut six, 0, v.as_slice().get(self.joints..).unwrap_or(&[]));
        Twist::from_vector_linear_first(six)
    }

    /// The components of a twist that the platform can have.
    pub(super) fn freed(&self, mut six: Six) -> Six {
        for (x, free) in six.iter_mut().zip(self.free) {
            *x = if free { *x } else { 0.0 };
        }
        six
    }

    /// A leg, its place in the lists, its number of joints and its driven ones.
    pub(super) fn each_leg(&self) -> impl Iterator<Item = (usize, &AnyLeg<f64>, usize)> {
        let mut next = 0;
        self.legs.iter().map(move |leg| {
            let at = next;
            next += joints(leg);
            (at, leg, next - at)
        })
    }

    #[allow(clippy::large_stack_arrays)] // 17 kB, and no heap here
    pub(super) fn cut(&self, q: &Configuration, v: &Speeds) -> Cuts {
        let (pose, twist) = (self.pose(q), self.twist(v));
        let at = Carried { pose, twist };
        let body = self.platform.spatial(&pose, pose.position);
        let mut cuts = Cuts { legs: [OpenLegTerms::NONE; MOST_LEGS], count: self.legs.len(), at, body };
        let (q, v) = (q.as_slice(), v.as_slice());
        for (slot, (from, leg, n)) in cuts.legs.iter_mut().zip(self.each_leg()) {
            let part = |list: &'_ [f64]| -> Six {
                let mut six = [0.0; 6];
                put_at(&mut six, 0, list.get(from..from + n).unwrap_or(&[]));
                six
            };
            *slot = cut_any(leg, &part(q), &part(v), &at, self.gravity);
        }
        cuts
    }

    /// A closed state with the platform at a pose with a twist.
    pub(super) fn closed_at(
        &self,
        pose: &Pose<f64>,
        twist: Twist<f64>,
    ) -> Result<(Configuration, Speeds), Fault> {
        let n = self.joints;
        let (mut q, mut v) = (List::zeros(n + 7), self.still());
        let six = self.freed(twist.to_vector_linear_first());
        let at = Carried { pose: *pose, twist: Twist::from_vector_linear_first(six) };
        for (number, (from, leg, count)) in self.each_leg().enumerate() {
            let (place, rate) = closed_any(leg, number, &at)?;
            put_at(q.as_mut_slice(), from, place.get(..count).unwrap_or(&[]));
            put_at(v.as_mut_slice(), from, rate.get(..count).unwrap_or(&[]));
        }
        put_at(q.as_mut_slice(), n, &pose.position.to_array());
        put_at(q.as_mut_slice(), n + 3, &Quaternion::of_rotation(pose.rotation).to_array());
        put_at(v.as_mut_slice(), n, &six);
        Ok((q, v))
    }

    pub(super) fn configuration_rate(&self, q: &Configuration, v: &Speeds) -> Configuration {
        let n = self.joints;
        let mut rate = List::zeros(n + 7);
        put_at(rate.as_mut_slice(), 0, v.as_slice().get(..n).unwrap_or(&[]));
        let twist = self.twist(v);
        let mut quaternion = [0.0; 4];
        put_at(&mut quaternion, 0, q.as_slice().get(n + 3..).unwrap_or(&[]));
        let turning = Quaternion::from_array(quaternion).rate(twist.angular).to_array();
        put_at(rate.as_mut_slice(), n, &twist.linear.to_array());
        put_at(rate.as_mut_slice(), n + 3, &turning);
        rate
    }

    /// Motor positions, or speeds, out of a list of all joints.
    pub(super) fn of_motors(&self, list: &[f64], out: &mut [f64]) {
        let mut slots = out.iter_mut();
        for (from, leg, n) in self.each_leg() {
            for (value, _) in list.iter().skip(from).take(n).zip(driven(leg)).filter(|(_, driven)| *driven) {
                if let Some(slot) = slots.next() {
                    *slot = *value;
                }
            }
        }
    }

    /// Motor efforts in their places among all joints.
    pub(super) fn in_joints(&self, effort: &[f64]) -> Result<Speeds, Fault> {
        let (motors, found) = (self.motors, effort.len());
        if found != motors {
            return Err(Fault::Count { motors, found });
        }
        let mut all = self.still();
        let mut efforts = effort.iter();
        for (from, leg, n) in self.each_leg() {
            for (slot, driven) in all.as_mut_slice().iter_mut().skip(from).take(n).zip(driven(leg)) {
                if driven {
                    *slot = efforts.next().copied().unwrap_or(0.0);
                }
            }
        }
        Ok(all)
    }

    /// H v: how fast the loops open.
    pub(super) fn opening(&self, cuts: &Cuts, v: &Speeds) -> Loops {
        let v = v.as_slice();
        let mut six = [0.0; 6];
        put_at(&mut six, 0, v.get(self.joints..).unwrap_or(&[]));
        let mut out = [[0.0; 6]; MOST_LEGS];
        for (k, (from, _, n)) in self.each_leg().enumerate() {
            let mut rate = [0.0; 6];
            put_at(&mut rate, 0, v.get(from..from + n).unwrap_or(&[]));
            for i in 0..n {
                out[k][i] = super::ldl::dot(&cuts.legs[k].platform[i], &six)
                    - super::ldl::dot(&cuts.legs[k].own[i], &rate);
            }
        }
        out
    }

    /// M v
    pub(super) fn momentum(&self, cuts: &Cuts, v: &Speeds) -> Speeds {
        let mut p = self.still();
        let out = p.as_mut_slice();
        for (k, (from, _, n)) in self.each_leg().enumerate() {
            let mut rate = [0.0; 6];
            put_at(&mut rate, 0, v.as_slice().get(from..from + n).unwrap_or(&[]));
            let own = cuts.legs[k].mass.map(|row| super::ldl::dot(&row, &rate));
            put_at(out, from, own.get(..n).unwrap_or(&[]));
        }
        let own = cuts.body.apply(self.twist(v)).to_vector_linear_first();
        put_at(out, self.joints, &self.freed(own));
        p
    }
}

impl Cuts {
    /// The largest gap \[m\].
    pub(super) fn gap(&self) -> f64 {
        let legs = self.legs.iter().take(self.count);
        legs.flat_map(|leg| leg.gap).fold(0.0, |most, h| super::larger(most, h.abs()))
    }

    pub(super) fn each(&self, of: impl Fn(&OpenLegTerms) -> Six) -> Loops {
        let mut out = [[0.0; 6]; MOST_LEGS];
        for (slot, leg) in out.iter_mut().zip(self.legs.iter().take(self.count)) {
            *slot = of(leg);
        }
        out
    }
}
