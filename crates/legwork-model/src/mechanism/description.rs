//! A mechanism as plain data: bodies, joints, motors, a platform and a home.

use legwork_core::V3;
use legwork_core::engine::{Drive, Pose, RigidBody};

/// The name of the ground.
pub const WORLD: &str = "world";

/// Bodies and joints, with loops of any number. SI units; frames as in the golden files of mechanisms.
#[derive(Clone, Debug, PartialEq)]
pub struct MechanismDescription {
    /// Its name.
    pub name: String,
    /// All bodies but the ground, which is called `world`.
    pub bodies: Vec<BodyDescription>,
    /// All joints.
    pub joints: Vec<JointDescription>,
    /// Names of the driven joints, in the order of all lists of motors.
    pub motors: Vec<String>,
    /// Name of the body that does the work.
    pub platform: String,
    /// The platform's point, in the frame of that body \[m\].
    pub platform_point: V3<f64>,
    /// Components of the platform's twist (vx, vy, vz, wx, wy, wz from 0) that stand for its motion; without
    /// them they are chosen.
    pub coordinates: Option<Vec<usize>>,
    /// Names of motors that are held where they are told to be, where the motors move in more ways than the platform; if
    /// there are none, and some are needed, they are chosen from the end of the list.
    pub held: Vec<String>,
    /// Linear springs.
    pub springs: Vec<SpringDescription>,
    /// Acceleration of free fall \[m/s²\].
    pub gravity: V3<f64>,
}

/// A body.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyDescription {
    /// Its name.
    pub name: String,
    /// Mass, centre and inertia about the centre, in the body's frame.
    pub body: RigidBody<f64>,
    /// Where it is at home: its frame in the world. May be rough; the mechanism is assembled from it.
    pub home: Pose<f64>,
}

/// What a joint lets its child do. Frames P of the parent and C of the child coincide at zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointType {
    /// Turns about z.
    Revolute,
    /// Slides along z.
    Prismatic,
    /// Slides along z and turns about z.
    Cylindrical,
    /// Turns about z of P, then about y of C.
    Universal,
    /// Turns about a point.
    Spherical,
    /// Slides in the plane of x and y, and turns about z.
    Planar,
    /// Nothing.
    Fixed,
}

impl JointType {
    /// All of them, with their names in files.
    pub const ALL: [(&'static str, Self); 7] = [
        ("revolute", Self::Revolute),
        ("prismatic", Self::Prismatic),
        ("cylindrical", Self::Cylindrical),
        ("universal", Self::Universal),
        ("spherical", Self::Spherical),
        ("planar", Self::Planar),
        ("fixed", Self::Fixed),
    ];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }

    /// How many freedoms it leaves.
    pub fn freedoms(self) -> usize {
        match self {
            Self::Fixed => 0,
            Self::Revolute | Self::Prismatic => 1,
            Self::Cylindrical | Self::Universal => 2,
            Self::Spherical | Self::Planar => 3,
        }
    }

    /// Its coordinates \[m, rad\] where frame C of the child is seen from frame P of the parent:
    ///
    /// ```text
    /// revolute     angle about z                     prismatic   length along z
    /// cylindrical  length along z, angle about it    universal   a, b of Rz(a) Ry(b)
    /// spherical    a, b, c of Rx(a) Ry(b) Rz(c)      planar      lengths along x and y of P, angle about z
    /// ```
    ///
    /// Angles are within half a turn; of a spherical joint b is within a quarter, and c is zero where b is a quarter.
    pub fn coordinates(self, seen: &Pose<f64>) -> Vec<f64> {
        let (r, [x, y, z]) = (seen.rotation.to_rows(), seen.position.to_array());
        let about_z = || r[1][0].atan2(r[0][0]);
        match self {
            Self::Fixed => Vec::new(),
            Self::Revolute => vec![about_z()],
            Self::Prismatic => vec![z],
            Self::Cylindrical => vec![z, about_z()],
            Self::Universal => vec![(-r[0][1]).atan2(r[1][1]), (-r[2][0]).atan2(r[2][2])],
            Self::Spherical => {
                let level = r[0][0].hypot(r[0][1]);
                let b = r[0][2].atan2(level);
                if level < 1e-9 {
                    return vec![r[2][1].atan2(r[1][1]), b, 0.0];
                }
                vec![(-r[1][2]).atan2(r[2][2]), b, (-r[0][1]).atan2(r[0][0])]
            }
            Self::Planar => vec![x, y, about_z()],
        }
    }

    /// Whether its value as a motor is a length.
    pub fn slides(self) -> bool {
        self == Self::Prismatic
    }
}

/// A joint between two bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct JointDescription {
    /// Its name.
    pub name: String,
    /// What it lets its child do.
    pub kind: JointType,
    /// Name of the parent.
    pub parent: String,
    /// Frame P in the parent's frame.
    pub parent_frame: Pose<f64>,
    /// Name of the child.
    pub child: String,
    /// Frame C in the child's frame.
    pub child_frame: Pose<f64>,
    /// Inertia and friction of its motor, if it has one. Only joints that turn or slide can.
    pub motor: Option<Drive<f64>>,
    /// Inertia and friction of a joint without a motor, if it has some. Only joints that turn or slide can.
    pub drag: Option<Drive<f64>>,
}

/// A linear spring between two points.
#[derive(Clone, Debug, PartialEq)]
pub struct SpringDescription {
    /// Names of the bodies.
    pub bodies: [String; 2],
    /// The points, in their frames \[m\].
    pub points: [V3<f64>; 2],
    /// \[N/m\]
    pub stiffness: f64,
    /// Length without force \[m\].
    pub free_length: f64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rotation::{about_coordinate, difference, product};
    use legwork_core::M3;

    #[test]
    fn coordinates_come_back() {
        let turn = |axis, angle| about_coordinate(axis, angle);
        let [a, b, c] = [0.7, -0.4, 2.1];
        let cases = [
            (JointType::Universal, product(&turn(2, a), &turn(1, b)), vec![a, b]),
            (JointType::Spherical, product(&product(&turn(0, a), &turn(1, b)), &turn(2, c)), vec![a, b, c]),
            (JointType::Revolute, turn(2, c), vec![c]),
            (JointType::Cylindrical, turn(2, c), vec![0.3, c]),
            (JointType::Planar, turn(2, c), vec![0.1, 0.2, c]),
            (JointType::Prismatic, turn(2, 0.0), vec![0.3]),
            (JointType::Fixed, turn(2, 0.0), vec![]),
        ];
        for (kind, rotation, expected) in cases {
            let [x, y, z] = rotation.map(V3::from);
            let found = kind.coordinates(&Pose::new(M3::from_rows(x, y, z), V3::new(0.1, 0.2, 0.3)));
            let near = found.len() == expected.len()
                && found.iter().zip(&expected).all(|(found, expected)| (found - expected).abs() < 1e-15);
            assert!(near, "{kind:?} {found:?} {expected:?}");
        }
        // A quarter of a turn about y: the other two angles add up.
        let quarter = product(&product(&turn(0, a), &turn(1, std::f64::consts::FRAC_PI_2)), &turn(2, 0.4));
        let [x, y, z] = quarter.map(V3::from);
        let found = JointType::Spherical.coordinates(&Pose::new(M3::from_rows(x, y, z), V3::zero()));
        let back = product(&product(&turn(0, found[0]), &turn(1, found[1])), &turn(2, found[2]));
        assert!(difference(&back, &quarter) < 1e-15, "{found:?}");
    }
}
