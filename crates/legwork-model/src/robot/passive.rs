//! Where the joints without a motor are.

use super::delta::DeltaRobot;
use super::engine::EngineRobot;
use super::engine_model::AnyLeg;
use super::{AnyRobot, Kind, PlatformState, RobotError};
use legwork_core::V3;
use legwork_core::engine::{JointKind, Leg, Pose};

impl AnyRobot {
    /// The angles of the passive joints \[rad\], leg after leg, as [`passive_names`](Self::passive_names) says.
    ///
    /// A leg of a Delta has two: `elbow`, between arm and forearm, and `swing`, of the forearm out of
    /// the plane of its arm. A UPS leg has two: how far its direction leans from the vertical of the
    /// base and from that of the platform. Other legs have theirs joint by joint.
    pub fn passive_angles(&self, platform: &PlatformState) -> Result<Vec<f64>, RobotError> {
        match &self.kind {
            Kind::Delta(robot) => robot.passive_angles(robot.only_translated(platform)?),
            Kind::Engine(robot) => robot.passive_angles(platform),
            Kind::Mechanism(robot) => robot.passive_angles(platform),
        }
    }

    /// A name for each passive angle: `passive2_swing`, leg first.
    pub fn passive_names(&self) -> Vec<String> {
        match &self.kind {
            Kind::Delta(_) => (1..=3)
                .flat_map(|leg| ["elbow", "swing"].map(|joint| format!("passive{leg}_{joint}")))
                .collect(),
            Kind::Engine(robot) => robot.passive_names(),
            Kind::Mechanism(robot) => robot.passive_names(),
        }
    }

    /// How many legs it has; a mechanism of bodies and joints has none.
    pub fn leg_count(&self) -> usize {
        match &self.kind {
            Kind::Delta(_) => 3,
            Kind::Engine(robot) => robot.legs().len(),
            Kind::Mechanism(_) => 0,
        }
    }
}

impl DeltaRobot {
    fn passive_angles(&self, position: [f64; 3]) -> Result<Vec<f64>, RobotError> {
        let position = self.frame().position_from_user(position);
        let posture = self.linkage().posture(position.into())?;
        let angles = posture.legs.map(|leg| {
            let arm = leg.arm();
            // b is at right angles to the arm in the plane of the leg; their cross product leaves it.
            let normal = leg.b().cross(arm);
            let swing = (leg.s.dot(normal) / (leg.s.norm_sq() * normal.norm_sq()).sqrt()).asin();
            [angle(arm, leg.s), swing]
        });
        Ok(angles.to_array().concat())
    }
}

impl EngineRobot {
    /// z of the base and of the platform.
    fn verticals(&self, pose: &Pose<f64>) -> [V3<f64>; 2] {
        let [base, tool] = self.mounting();
        [base.rotation, pose.rotation * tool.rotation.transpose()].map(|turn| turn.columns().z)
    }

    fn passive_angles(&self, platform: &PlatformState) -> Result<Vec<f64>, RobotError> {
        // Refuses what is out of reach.
        self.inverse_kinematics(platform)?;
        let pose = self.pose(platform)?;
        let ups = self.verticals(&pose);
        Ok(self.model().legs_at(&pose).flat_map(|leg| leg_angles(&leg, &pose, ups)).collect())
    }

    fn passive_names(&self) -> Vec<String> {
        let home = self.home_pose();
        let named = |(k, leg): (usize, &AnyLeg)| {
            let count = leg_angles(leg, &home, self.verticals(&home)).len();
            let is_ups = matches!(leg, AnyLeg::Ups(_));
            (0..count)
                .map(|joint| match (is_ups, joint) {
                    (true, 0) => format!("passive{}_base", k + 1),
                    (true, _) => format!("passive{}_platform", k + 1),
                    _ => format!("passive{}_{}", k + 1, joint + 1),
                })
                .collect::<Vec<_>>()
        };
        self.legs().iter().enumerate().flat_map(named).collect()
    }
}

fn angle(a: V3<f64>, b: V3<f64>) -> f64 {
    a.cross(b).norm_sq().sqrt().atan2(a.dot(b))
}

fn leg_angles(leg: &AnyLeg, pose: &Pose<f64>, [base, platform]: [V3<f64>; 2]) -> Vec<f64> {
    match leg {
        AnyLeg::One(leg) => chain_angles(leg, pose),
        AnyLeg::Two(leg) => chain_angles(leg, pose),
        AnyLeg::Three(leg) => chain_angles(leg, pose),
        AnyLeg::Four(leg) => chain_angles(leg, pose),
        AnyLeg::Five(leg) => chain_angles(leg, pose),
        AnyLeg::Six(leg) => chain_angles(leg, pose),
        AnyLeg::Ups(leg) => {
            let along = leg.posture(pose).z;
            vec![angle(base, along), angle(platform, along)]
        }
    }
}

fn chain_angles<const N: usize>(leg: &Leg<f64, N>, pose: &Pose<f64>) -> Vec<f64> {
    let joints = leg.inverse.solve(&leg.chain, &leg.attachment, pose).value;
    let links = leg.chain.links.iter().zip(joints);
    links
        .filter(|(link, _)| !link.active && link.kind == JointKind::Revolute)
        .map(|(link, joint)| joint.coordinate(link.kind))
        .collect()
}
