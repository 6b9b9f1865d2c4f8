//! Golden files that say something in vain, twice, half or against themselves.

use super::golden::{edited, judged, spoil};
use legwork_testkit::numbers;
use serde_json::Value;

/// A golden file, a change of it, and what must be said about it.
type Case<'a> = (&'a str, &'a dyn Fn(&mut Value), &'a str);

/// Whatever a file says that would be ignored, twice, half or against itself is an error that names it.
#[test]
fn a_golden_file_says_nothing_in_vain() {
    let remove = |file: &mut Value, pointer: &str, key: &str| {
        file.pointer_mut(pointer).unwrap().as_object_mut().unwrap().remove(key).unwrap()
    };
    let cases: [Case<'_>; 20] = [
        (
            "hexa.json",
            &|f| {
                let rows = f["states"][4]["platform"]["rotation"].as_array_mut().unwrap();
                rows.swap(0, 1);
            },
            "state 5, /states/4/platform/rotation: does not agree with what a rotation is",
        ),
        ("hexa.json", &|f| f["colour"] = "blue".into(), "/colour: no such key here"),
        (
            "hexa.json",
            &|f| f["states"][3]["colour"] = "blue".into(),
            "state 4, /states/3/colour: no such key here",
        ),
        (
            "hexa.json",
            &|f| {
                let qd = remove(f, "/states/2/joint", "qd");
                f["states"][2]["joint"]["qD"] = qd;
            },
            "state 3, /states/2/joint/qD: no such key here: did you mean `qd`?",
        ),
        (
            "hexa.json",
            &|f| drop(remove(f, "/states/5", "effort")),
            "state 6, /states/5/effort: missing, while other",
        ),
        (
            "hexa.json",
            &|f| drop(remove(f, "/states/5/forward", "qdd")),
            "state 6, /states/5/forward/qdd: missing",
        ),
        (
            "hexa.json",
            &|f| f["states"][1]["effort"] = Value::Null,
            "state 2, /states/1/effort: null is no value",
        ),
        (
            "hexa.json",
            &|f| f["states"][1]["effort"][2] = Value::Null,
            "state 2, /states/1/effort/2: null is no value",
        ),
        (
            "gough_stewart.json",
            &|f| f["parameters"]["m_payload"] = 50.into(),
            "/parameters/m_payload: no such key here",
        ),
        (
            "gough_stewart.json",
            &|f| f["parameters"]["leg_rod"]["radius"] = 1.into(),
            "/parameters/leg_rod/radius: no",
        ),
        (
            "gough_stewart.json",
            &|f| f["parameters"]["actuation"] = "space".into(),
            "/parameters/actuation: does not agree",
        ),
        (
            "space_radial.json",
            &|f| f["parameters"]["u_axis1"][0][1] = 1.into(),
            "/parameters/u_axis1: does not agree with `gamma`",
        ),
        (
            "hexa.json",
            &|f| f["parameters"]["platform"]["inertia_com"][2][0] = 0.25.into(),
            "/parameters/platform/inertia_com: does not agree with itself: an inertia is symmetric",
        ),
        (
            "gough_stewart.json",
            &|f| f["parameters"]["u_axis1"][3] = serde_json::json!([0.0, 2.0, 0.0]),
            "/parameters/u_axis1: does not agree with what a direction is",
        ),
        ("hexa.json", &|f| f["states"] = Value::Array(Vec::new()), "it holds no states"),
        (
            "hexa.json",
            &|f| f["states"][4]["platform"]["quaternion_wxyz"] = serde_json::json!([1.0, 0.0, 0.0, 0.0]),
            "state 5, /states/4/platform/quaternion_wxyz: does not agree with `rotation`",
        ),
        (
            "hexa.json",
            &|f| f["states"][4]["platform"]["rotation"][0][0] = 0.5.into(),
            "state 5, /states/4/platform/rotation: does not agree with what a rotation is",
        ),
        (
            "hexa.json",
            &|f| f["actuated"] = 5.into(),
            "/actuated: does not agree with the robot, which has 6 motors",
        ),
        (
            "rrr3.json",
            &|f| f["platform_rate_order"] = serde_json::json!(["vy", "vx", "wz"]),
            "/platform_rate_order: does not agree",
        ),
        ("delta_swing.json", &|f| f["samples"].as_array_mut().unwrap().truncate(1), "it holds no states"),
    ];
    assert_refused(&cases);
}

/// A platform is somewhere and turned somehow, all ways of saying so agree, and a millionth is more than printing with nine
/// digits explains.
#[test]
fn a_golden_platform_is_told_right() {
    let cases: [Case<'_>; 6] = [
        (
            "hexa.json",
            &|f| spoil(f, "/states/4/platform/rotation", 1e-6),
            "state 5, /states/4/platform/rotation: does not agree with what a rotation is",
        ),
        (
            "hexa.json",
            &|f| {
                let half = 0.5e-6;
                let q = numbers(&f["states"][4]["platform"]["quaternion_wxyz"]);
                // The product with the quaternion (1, half, 0, 0) of a turn by a millionth.
                let turned = [q[0] - half * q[1], q[1] + half * q[0], q[2] - half * q[3], q[3] + half * q[2]];
                f["states"][4]["platform"]["quaternion_wxyz"] = serde_json::json!(turned);
            },
            "state 5, /states/4/platform/quaternion_wxyz: does not agree with `rotation`",
        ),
        (
            "hexa.json",
            &|f| {
                for state in f["states"].as_array_mut().unwrap() {
                    state["platform"].as_object_mut().unwrap().remove("rotation").unwrap();
                    for part in state["platform"]["quaternion_wxyz"].as_array_mut().unwrap() {
                        *part = (part.as_f64().unwrap() * (1.0 + 1e-6)).into();
                    }
                }
            },
            "state 1, /states/0/platform/quaternion_wxyz: does not agree with what a quaternion",
        ),
        (
            "hexa.json",
            &|f| {
                for state in f["states"].as_array_mut().unwrap() {
                    let platform = state["platform"].as_object_mut().unwrap();
                    drop((platform.remove("rotation").unwrap(), platform.remove("quaternion_wxyz").unwrap()));
                }
            },
            "no numbers at /states/0/platform/rotation",
        ),
        (
            "hexa.json",
            &|f| f["states"][4]["platform"]["rotation"][2].as_array_mut().unwrap().push(0.into()),
            "state 5, /states/4/platform/rotation: does not agree with what a rotation is",
        ),
        (
            "hexa.json",
            &|f| drop(f["states"][4]["platform"]["twist"].as_array_mut().unwrap().pop()),
            "no numbers at /states/4/platform/twist",
        ),
    ];
    assert_refused(&cases);
}

/// Answers need their question, and a motion its instants.
#[test]
fn a_golden_file_asks_what_it_answers() {
    let cases: [Case<'_>; 7] = [
        (
            "hexa.json",
            &|f| {
                for state in f["states"].as_array_mut().unwrap() {
                    state["forward"].as_object_mut().unwrap().remove("effort").unwrap();
                }
            },
            "no numbers at /states/0/forward/effort",
        ),
        (
            "hexa.json",
            &|f| {
                for state in f["states"].as_array_mut().unwrap() {
                    state["external"].as_object_mut().unwrap().remove("wrench").unwrap();
                }
            },
            "no numbers at /states/0/external/wrench",
        ),
        (
            "delta_swing.json",
            &|f| f["actuated"] = 5.into(),
            "/actuated: does not agree with the robot, which has 3 motors",
        ),
        (
            "delta_swing.json",
            &|f| f["samples"][2]["twist"] = serde_json::json!([0.0, 0.0, 0.0]),
            "/samples/0/twist: missing",
        ),
        (
            "delta_swing.json",
            &|f| {
                for sample in f["samples"].as_array_mut().unwrap() {
                    sample["twist"] = sample["velocity"].clone();
                }
            },
            "/samples/0/velocity: does not agree with `twist`, which is another name for it",
        ),
        ("delta_swing.json", &|f| f["samples"][1]["t"] = "soon".into(), "no numbers at /samples/1/t"),
        (
            "delta_swing.json",
            &|f| f["samples"][2]["t"] = f["samples"][1]["t"].clone(),
            "sample 3, /samples/2/t: does not agree with the sample before it",
        ),
    ];
    assert_refused(&cases);
}

fn assert_refused(cases: &[Case<'_>]) {
    for (name, edit, expected) in cases {
        let error = edited(name, edit).unwrap_err().to_string();
        assert!(error.contains(expected), "{name}: {error}");
    }
}

/// As text: a JSON value has each key once.
#[test]
fn a_golden_file_says_nothing_twice() {
    for (name, old, new, expected) in [
        ("hexa.json", "\"robot\"", "\"actuated\": 6, \"robot\"", "/actuated: the key stands twice"),
        ("hexa.json", "\"LA\"", "\"LA\": 9, \"LA\"", "/parameters/LA: the key stands twice"),
        (
            "fivebar.json",
            "\"qdd\"",
            "\"q\": [0, 0], \"qdd\"",
            "state 1, /states/0/joint/q: the key stands twice",
        ),
        ("delta_swing.json", "\"t\"", "\"t\": 0, \"t\"", "sample 1, /samples/0/t: the key stands twice"),
    ] {
        let error = judged(name, |text| text.replacen(old, new, 1)).unwrap_err().to_string();
        assert!(error.contains(expected), "{name}: {error}");
    }
}

#[test]
fn a_golden_mechanism_says_nothing_in_vain() {
    let cases: [Case<'_>; 15] = [
        (
            "mechanisms/rps3.json",
            &|f| f["joints"][0]["type"] = "helical".into(),
            "/joints/0/type: `helical` is none of: revolute",
        ),
        (
            "mechanisms/rps3.json",
            &|f| f["joints"][0]["actuator_inertia"] = 3.into(),
            "/joints/0/actuator_inertia: does not agree with `motor`",
        ),
        (
            "mechanisms/rps3.json",
            &|f| f["joints"][1]["actuator_inertia"] = (-3).into(),
            "/joints/1/actuator_inertia: does not agree with what an inertia is",
        ),
        (
            "mechanisms/rps3.json",
            &|f| drop(f["states"][1]["effort"].as_array_mut().unwrap().pop()),
            "state 2, /states/1/effort: 2 numbers where 3 are expected",
        ),
        (
            "mechanisms/rps3.json",
            &|f| drop(f["states"][1]["motor"]["qd"].as_array_mut().unwrap().pop()),
            "state 2, /states/1/motor/qd: 2 numbers where 3 are expected",
        ),
        (
            "mechanisms/rps3.json",
            &|f| f["states"][1]["platform"]["rotation"][0][0] = 0.5.into(),
            "state 2, /states/1/platform/rotation: does not agree with what a rotation is",
        ),
        (
            "mechanisms/rps3.json",
            &|f| f["home"]["bodies"]["rod1"]["rotation"][0][0] = 0.5.into(),
            "/home/bodies/rod1/rotation: does not agree with what a rotation is",
        ),
        (
            "mechanisms/rps3.json",
            &|f| spoil(f, "/home/bodies/rod1/rotation", 1e-6),
            "/home/bodies/rod1/rotation: does not agree with what a rotation is",
        ),
        (
            "mechanisms/rps3.json",
            &|f| f["states"][1]["platform"]["position"].as_array_mut().unwrap().push(0.into()),
            "state 2, /states/1/platform/position: 4 numbers where 3 are expected",
        ),
        (
            "mechanisms/rps3.json",
            &|f| drop(f["states"][1]["external"]["wrench"].as_array_mut().unwrap().pop()),
            "state 2, /states/1/external/wrench: 5 numbers where 6 are expected",
        ),
        (
            "mechanisms/rps3.json",
            &|f| drop(f["home"]["q"].as_array_mut().unwrap().pop()),
            "/home/q: 2 numbers where 3 are expected",
        ),
        (
            "mechanisms/rps3.json",
            &|f| {
                for state in f["states"].as_array_mut().unwrap() {
                    state["forward"].as_object_mut().unwrap().remove("effort").unwrap();
                }
            },
            "no numbers at /states/0/forward/effort",
        ),
        (
            "mechanisms/rps3.json",
            &|f| {
                for state in f["states"].as_array_mut().unwrap() {
                    state["external"].as_object_mut().unwrap().remove("wrench").unwrap();
                }
            },
            "no numbers at /states/0/external/wrench",
        ),
        (
            "mechanisms/rps3_swing.json",
            &|f| f["samples"][2]["t"] = (-1).into(),
            "sample 3, /samples/2/t: does not agree with the sample before it",
        ),
        (
            "mechanisms/rps3.json",
            &|f| f["springs"] = serde_json::json!({"stiffness": 100}),
            "no numbers at /springs",
        ),
    ];
    assert_refused(&cases);
}
