//! A robot as points and lines: what a picture of it is drawn from. The parts
//! are the same in every pose, only the points move.

use super::engine_model::AnyLeg;
use super::state::Joint;
use crate::sorting::sort_by;
use legwork_core::V3;
use legwork_core::engine::{Attachment, JointKind, Leg, Pose, Ups};
use legwork_core::robots::delta::{Geometry, Posture};

/// What a part of a [`Skeleton`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PartKind {
    /// Outline of the base: closed, does not move.
    Base,
    /// A rail in the base on which a carriage slides.
    Rail,
    /// A bar, or several in a row.
    Link,
    /// A bar that grows and shrinks: cylinder first, then rod.
    Slide,
    /// Outline of the platform: closed.
    Platform,
}

impl PartKind {
    /// One word: `base`, `rail`, `link`, `slide`, `platform`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Base => "base",
            Self::Rail => "rail",
            Self::Link => "link",
            Self::Slide => "slide",
            Self::Platform => "platform",
        }
    }
}

/// Points that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What it is.
    pub kind: PartKind,
    /// The leg it belongs to, from 0; `None` for base and platform.
    pub leg: Option<usize>,
    /// Its points, as places in [`Skeleton::points`], in order.
    pub points: Vec<usize>,
}

/// A robot as points and lines, in the user's frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skeleton {
    /// \[m\]
    pub points: Vec<[f64; 3]>,
    /// What joins them.
    pub parts: Vec<Part>,
    /// The joints of each leg from the base to the platform, as places in `points`.
    pub legs: Vec<Vec<usize>>,
    /// Where the motors are, as places in `points`.
    pub motors: Vec<usize>,
    /// The platform point, as a place in `points`.
    pub platform: usize,
}

impl Skeleton {
    /// The joints of a leg from the base to the platform \[m\].
    pub fn joints(&self, leg: usize) -> Vec<[f64; 3]> {
        let places = self.legs.get(leg).map_or(&[][..], Vec::as_slice);
        places.iter().filter_map(|place| self.points.get(*place).copied()).collect()
    }

    pub(super) fn point(&mut self, point: V3<f64>) -> usize {
        self.points.push(point.to_array());
        self.points.len() - 1
    }

    pub(super) fn part(&mut self, kind: PartKind, leg: Option<usize>, points: Vec<usize>) {
        self.parts.push(Part { kind, leg, points });
    }

    /// The rotary Delta. The spacing of the two bars of a forearm is in no file, because no equation
    /// needs it; `base` is where the middle of its motors stands and `tool` the offset of its tool \[m\]. They are drawn 0.8 of a platform radius apart, or of a fifth of the arm if that is more.
    pub(super) fn of_delta(
        geometry: &Geometry<f64>,
        posture: &Posture<f64>,
        base: V3<f64>,
        tool: V3<f64>,
    ) -> Self {
        let mut skeleton = Self::default();
        skeleton.platform = skeleton.point(posture.position + base + tool);
        let (mut motors, mut platform) = (Vec::new(), Vec::new());
        let legs = posture.legs.to_array().into_iter().zip(geometry.azimuth.to_array());
        for (number, (leg, azimuth)) in legs.enumerate() {
            let (sin, cos) = azimuth.sin_cos();
            let (out, along) = (V3::new(cos, sin, 0.0), V3::new(-sin, cos, 0.0));
            let half = along * (0.4 * geometry.platform_radius.max(0.2 * geometry.arm));
            let motor = out * geometry.base_radius + base;
            let elbow = motor + leg.arm();
            let end = elbow + leg.s;
            let [motor, elbow_at, end_at] = [motor, elbow, end].map(|point| skeleton.point(point));
            skeleton.motors.push(motor);
            skeleton.legs.push(vec![motor, elbow_at, end_at]);
            skeleton.part(PartKind::Link, Some(number), vec![motor, elbow_at]);
            let [left, right] = [half * -1.0, half].map(|side| {
                let bar = [elbow + side, end + side].map(|point| skeleton.point(point));
                skeleton.part(PartKind::Link, Some(number), bar.to_vec());
                bar
            });
            skeleton.part(PartKind::Link, Some(number), vec![left[0], right[0]]);
            motors.push(motor);
            platform.extend([left[1], right[1]]);
        }
        let plate = Pose::translation(posture.position + base);
        skeleton.outline(PartKind::Base, motors, &Pose::identity());
        skeleton.outline(PartKind::Platform, platform, &plate);
        skeleton.tool(&plate, tool);
        skeleton
    }

    /// A robot of the general engine. `joints` are its motors, in order.
    /// The frame of its base is `base`, the frame of its tool in that of the platform `tool`.
    pub(super) fn of_legs(
        legs: &[AnyLeg],
        joints: &[Joint],
        pose: &Pose<f64>,
        [base, tool]: [&Pose<f64>; 2],
    ) -> Self {
        let mut skeleton = Self::default();
        skeleton.platform = skeleton.point(pose.position);
        let plate = *pose * tool.inverse();
        let (mut motors, mut shafts) = (joints.iter(), Vec::new());
        for (number, leg) in legs.iter().enumerate() {
            match leg {
                AnyLeg::One(leg) if matches!(leg.attachment, Attachment::Turning { .. }) => {
                    motors.next();
                    shafts.push(number);
                    skeleton.shaft(number, leg, &plate);
                }
                AnyLeg::One(leg) => skeleton.chain(number, leg, &mut motors, pose),
                AnyLeg::Two(leg) => skeleton.chain(number, leg, &mut motors, pose),
                AnyLeg::Three(leg) => skeleton.chain(number, leg, &mut motors, pose),
                AnyLeg::Four(leg) => skeleton.chain(number, leg, &mut motors, pose),
                AnyLeg::Five(leg) => skeleton.chain(number, leg, &mut motors, pose),
                AnyLeg::Six(leg) => skeleton.chain(number, leg, &mut motors, pose),
                AnyLeg::Ups(leg) => {
                    motors.next();
                    skeleton.ups(number, leg, pose);
                }
            }
        }
        // A leg that begins on a rail begins on its carriage, which moves.
        let on_rail = |leg: usize| {
            let rails = skeleton.parts.iter().filter(|part| part.kind == PartKind::Rail);
            rails.into_iter().any(|rail| rail.leg == Some(leg))
        };
        let chains = skeleton.legs.iter().enumerate().filter(|(k, _)| !shafts.contains(k));
        let starts: Vec<usize> = chains
            .clone()
            .filter(|(k, _)| !on_rail(*k))
            .filter_map(|(_, leg)| leg.first().copied())
            .collect();
        let platform: Vec<usize> = chains.filter_map(|(_, leg)| leg.last().copied()).collect();
        skeleton.outline(PartKind::Base, starts, base);
        if legs.iter().any(slides_on_platform) {
            // Its ends move on the platform: no outline, but a line to each.
            let centre = skeleton.platform;
            for end in platform {
                skeleton.part(PartKind::Platform, None, vec![centre, end]);
            }
        } else {
            // A plate that does not turn with its tool keeps the axes of the base.
            let outline = if shafts.is_empty() { plate } else { Pose::new(base.rotation, plate.position) };
            skeleton.outline(PartKind::Platform, platform, &outline);
        }
        skeleton.tool(&plate, tool.position);
        skeleton
    }

    /// A line from the origin of the platform to the tool point, which is a given point of its frame, if they differ.
    fn tool(&mut self, platform: &Pose<f64>, tool: V3<f64>) {
        if tool.norm_sq() > 1e-18 {
            let ends = vec![self.point(platform.position), self.platform];
            self.part(PartKind::Platform, None, ends);
        }
    }

    /// A telescopic shaft from the base to the platform, and a line on the platform that turns with it.
    fn shaft(&mut self, number: usize, leg: &Leg<f64, 1>, platform: &Pose<f64>) {
        let [link] = &leg.chain.links;
        let [start, end] = [link.placement.position, platform.position];
        let ahead = leg.posture(platform).value.chain.tip_rotation().columns().x;
        let pointer = end + ahead * (0.05 * (end - start).norm_sq().sqrt());
        let [start, end, pointer] = [start, end, pointer].map(|point| self.point(point));
        self.motors.push(start);
        self.legs.push(vec![start, end]);
        self.part(PartKind::Slide, Some(number), vec![start, end]);
        self.part(PartKind::Platform, None, vec![end, pointer]);
    }

    fn ups(&mut self, number: usize, leg: &Ups<f64>, pose: &Pose<f64>) {
        let ends = [leg.base, pose.of(leg.platform_point)].map(|point| self.point(point));
        self.motors.push(ends[0]);
        self.legs.push(ends.to_vec());
        self.part(PartKind::Slide, Some(number), ends.to_vec());
    }

    /// Joint origins along the chain. A joint that sits on the one before it by its placement adds no
    /// point, in any pose, so that the parts stay the same.
    fn chain<'a, const N: usize>(
        &mut self,
        number: usize,
        leg: &Leg<f64, N>,
        motors: &mut impl Iterator<Item = &'a Joint>,
        pose: &Pose<f64>,
    ) {
        let posture = leg.posture(pose).value.chain;
        let mut before = Pose::identity();
        let mut places: Vec<usize> = Vec::new();
        for (link, frame) in leg.chain.links.iter().zip(posture.frames) {
            let placed = before * link.placement;
            before = frame;
            let is_apart = link.placement.position.norm_sq() > 1e-18; // 1 nm
            let mut at = match places.last() {
                Some(last) if !is_apart => *last,
                Some(last) => {
                    let (last, at) = (*last, self.point(placed.position));
                    self.part(PartKind::Link, Some(number), vec![last, at]);
                    places.push(at);
                    at
                }
                None => {
                    places.push(self.point(placed.position));
                    places[0]
                }
            };
            let motor = if link.active { motors.next() } else { None };
            if link.kind == JointKind::Prismatic {
                let end = self.point(frame.position);
                let is_first = N > 1 && leg.chain.links.first() == Some(link) && places.len() == 1;
                if is_first {
                    self.rail(number, placed, motor, at, end);
                    places.clear();
                    at = end;
                } else {
                    self.part(PartKind::Slide, Some(number), vec![at, end]);
                }
                places.push(end);
            }
            if link.active {
                self.motors.push(at);
            }
        }
        if leg.chain.tip.norm_sq() > 1e-18
            && let Some(last) = places.last().copied()
        {
            let end = self.point(leg.attachment.point(pose, posture.point));
            self.part(PartKind::Link, Some(number), vec![last, end]);
            places.push(end);
        }
        self.legs.push(places);
    }

    /// From limit to limit, or from zero to the carriage.
    fn rail(&mut self, leg: usize, placed: Pose<f64>, motor: Option<&Joint>, zero: usize, carriage: usize) {
        let at = |q: f64| placed.position + placed.rotation.columns().z * q;
        let ends = match motor.and_then(|joint| Some([joint.min?, joint.max?])) {
            Some(limits) => limits.map(|q| self.point(at(q))).to_vec(),
            None => vec![zero, carriage],
        };
        self.part(PartKind::Rail, Some(leg), ends);
    }

    /// A closed line through points that are fixed in a frame, in their order about its z axis. Fewer
    /// than two points make none.
    pub(super) fn outline(&mut self, kind: PartKind, mut points: Vec<usize>, frame: &Pose<f64>) {
        if points.len() < 2 {
            return;
        }
        let seen = frame.inverse();
        let own = |place: &usize| seen.of(V3::from(self.points.get(*place).copied().unwrap_or_default()));
        let middle = points.iter().map(own).fold(V3::zero(), |sum, point| sum + point);
        let middle = middle * (1.0 / points.len() as f64);
        // Rounded, so that rounding errors do not change the order from pose to pose.
        let angle = |place: &usize| {
            let offset = own(place) - middle;
            let angle = (offset.y.atan2(offset.x) * 1e6).round();
            if angle < -3_141_592.0 { -angle } else { angle }
        };
        sort_by(&mut points, |a, b| angle(a).total_cmp(&angle(b)));
        self.part(kind, None, points);
    }
}

/// Whether the end of a leg is not a fixed point of the platform.
fn slides_on_platform(leg: &AnyLeg) -> bool {
    // A leg with a sliding end passes on one component, so it has one joint.
    matches!(leg, AnyLeg::One(leg) if matches!(leg.attachment, Attachment::Sliding { .. }))
}
