//! Robots given by their legs: the same robots as those of their families.

use legwork::description::{
    CustomAttachment, CustomDescription, CustomLeg, FamilyData, JointKind, Placement, PlatformFreedom,
    RobotDescription,
};
use legwork_testkit::gap;
use serde_json::Value;

fn parse(text: &str) -> CustomDescription {
    let robot = RobotDescription::parse(text, "robot.toml").unwrap_or_else(|error| panic!("{error}"));
    let FamilyData::Custom(robot) = robot.data else { panic!("{:?}", robot.data) };
    robot
}

fn golden(name: &str) -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/");
    serde_json::from_str(&std::fs::read_to_string(format!("{path}{name}.json")).unwrap()).unwrap()
}

/// All numbers below a value, in order.
fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(items) => items.iter().flat_map(numbers).collect(),
        _ => vec![value.as_f64().unwrap()],
    }
}

/// A frame in a frame.
fn after(outer: Placement, inner: Placement) -> Placement {
    let dot = |row: [f64; 3], v: [f64; 3]| row[0] * v[0] + row[1] * v[1] + row[2] * v[2];
    let column = |j: usize| inner.rotation.map(|row| row[j]);
    Placement {
        position: [0, 1, 2].map(|i| outer.position[i] + dot(outer.rotation[i], inner.position)),
        rotation: outer.rotation.map(|row| [0, 1, 2].map(|j| dot(row, column(j)))),
    }
}

/// Where a leg ends, in the base.
fn tip(leg: &CustomLeg, q: &[f64]) -> [f64; 3] {
    let mut frame = Placement::IDENTITY;
    for (joint, q) in leg.joints.iter().zip(q) {
        let [x, y, z] = joint.axis;
        let moved = match joint.kind {
            JointKind::Prismatic => Placement { position: joint.axis.map(|a| a * q), ..Placement::IDENTITY },
            JointKind::Revolute => {
                // 1 + sin q [a] + (1 - cos q) [a]^2
                let (s, c) = (q.sin(), 1.0 - q.cos());
                let rotation = [
                    [1.0 - c * (y * y + z * z), c * x * y - s * z, c * x * z + s * y],
                    [c * x * y + s * z, 1.0 - c * (x * x + z * z), c * y * z - s * x],
                    [c * x * z - s * y, c * y * z + s * x, 1.0 - c * (x * x + y * y)],
                ];
                Placement { rotation, ..Placement::IDENTITY }
            }
        };
        frame = after(after(frame, joint.placement), moved);
    }
    after(frame, Placement { position: leg.tip, ..Placement::IDENTITY }).position
}

fn custom(name: &str) -> CustomDescription {
    let robot = RobotDescription::built_in(name).unwrap_or_else(|error| panic!("{error}"));
    let FamilyData::Custom(robot) = robot.data else { panic!("{:?}", robot.data) };
    robot
}

/// A point of the platform in a golden state, in the base.
fn platform_point(state: &Value, attachment: &CustomAttachment) -> [f64; 3] {
    let (CustomAttachment::Spherical { point } | CustomAttachment::Planar { point, .. }) = attachment else {
        panic!()
    };
    let mut position = numbers(&state["platform"]["position"]);
    position.resize(3, 0.0);
    let rotation = match &state["platform"]["rotation"] {
        Value::Null => Placement::IDENTITY.rotation,
        rows => [0, 1, 2].map(|i| numbers(&rows[i]).try_into().unwrap()),
    };
    let frame = Placement { position: position.try_into().unwrap(), rotation };
    after(frame, Placement { position: *point, ..Placement::IDENTITY }).position
}

#[track_caller]
fn near(found: [f64; 3], expected: [f64; 3]) {
    let gap = gap(found, expected);
    assert!(gap < 1e-14, "{gap}"); // golden positions and joints are good to the last digits
}

#[test]
fn the_custom_hexapod_closes_at_the_golden_states() {
    let robot = custom("custom-gough-stewart");
    assert_eq!(robot.freedoms, PlatformFreedom::ALL);
    for state in golden("gough_stewart")["states"].as_array().unwrap() {
        let lengths = numbers(&state["joint"]["q"]);
        for ((leg, length), angle) in
            robot.legs.iter().zip(lengths).zip([-10_f64, 10.0, 110.0, 130.0, 230.0, 250.0])
        {
            let p = platform_point(state, &leg.attachment);
            let (s, c) = angle.to_radians().sin_cos();
            let w = [p[0] * c + p[1] * s - 0.6, p[1] * c - p[0] * s, p[2]];
            let q1 = (-w[2]).atan2(w[0]);
            let q2 = w[0].hypot(w[2]).atan2(-w[1]);
            near(tip(leg, &[q1, q2, length]), p);
        }
    }
}

#[test]
fn the_custom_delta_closes_at_the_golden_states() {
    let robot = custom("custom-delta");
    assert_eq!(robot.freedoms, [PlatformFreedom::Vx, PlatformFreedom::Vy, PlatformFreedom::Vz]);
    assert_eq!(robot.legs.len(), 3);
    for state in golden("delta_industrial")["states"].as_array().unwrap() {
        for (i, q1) in numbers(&state["joint"]["q"]).into_iter().enumerate() {
            let leg = &robot.legs[i];
            let p = platform_point(state, &leg.attachment);
            let (s, c) = (i as f64 * std::f64::consts::TAU / 3.0).sin_cos();
            // The rod in the plane of the leg: (-sin f cos q3, sin q3, -cos f cos q3).
            let rod = [
                (p[0] * c + p[1] * s - 0.2 - 0.35 * q1.cos()) / 0.8,
                (p[1] * c - p[0] * s) / 0.8,
                (p[2] + 0.35 * q1.sin()) / 0.8,
            ];
            near(tip(leg, &[q1, (-rod[0]).atan2(-rod[2]) - q1, rod[1].asin()]), p);
        }
    }
}

#[test]
fn the_custom_five_bar_closes_at_the_golden_states() {
    let robot = custom("custom-five-bar");
    assert_eq!(robot.freedoms, [PlatformFreedom::Vx, PlatformFreedom::Vy]);
    for state in golden("fivebar")["states"].as_array().unwrap() {
        for (leg, q1) in robot.legs.iter().zip(numbers(&state["joint"]["q"])) {
            let p = platform_point(state, &leg.attachment);
            let base = leg.joints[0].placement.position[0];
            let (dx, dy) = (p[0] - base - 0.25 * q1.cos(), p[1] - 0.25 * q1.sin());
            near(tip(leg, &[q1, dy.atan2(dx) - q1]), p);
        }
    }
}

#[test]
fn an_attachment_of_every_type_has_its_leg() {
    let attachments = [
        ("sliding", 1, "normal = [0, 2, 0]\ndistance = \"3 mm\""),
        ("planar", 2, "point = [1, 2, 3]"),
        ("spherical", 3, ""),
        ("universal", 4, "leg_axis = [1, 0, 0]\nplatform_axis = [0, 3, 0]"),
        ("revolute", 5, "leg_axis = [1, 0, 0]\nplatform_axis = [0, 0, 4]"),
        ("fixed", 6, "orientation = [0, 0, \"90 deg\"]"),
    ];
    for (word, joints, keys) in attachments {
        let joint = "[[leg.joint]]\ntype = \"prismatic\"\nactive = true\n";
        let text = format!(
            "family = \"custom\"\nfreedoms = [\"wz\"]\n[[leg]]\n{}[leg.attachment]\ntype = \"{word}\"\n{keys}\n",
            joint.repeat(joints)
        );
        let robot = parse(&text);
        assert_eq!((robot.legs[0].attachment.components(), robot.platform), (joints, None));
        match robot.legs[0].attachment {
            CustomAttachment::Sliding { normal, distance } => {
                assert_eq!((normal, distance), ([0.0, 1.0, 0.0], 0.003));
            }
            CustomAttachment::Planar { point, directions, .. } => {
                assert_eq!(point, [1.0, 2.0, 3.0]);
                assert_eq!(directions, [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
            }
            CustomAttachment::Universal { platform_axis, .. } => assert_eq!(platform_axis, [0.0, 1.0, 0.0]),
            CustomAttachment::Revolute { platform_normals, .. } => {
                assert_eq!(platform_normals, [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
            }
            CustomAttachment::Fixed { placement } => assert!((placement.rotation[1][0] - 1.0).abs() < 1e-15),
            CustomAttachment::Spherical { point } => assert_eq!(point, [0.0; 3]),
        }
    }
}
