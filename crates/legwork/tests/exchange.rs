//! Robots to MJCF, URDF and SDF and back, files of others, and files that are wrong.

use legwork::description::{BUILT_IN, RobotDescription};
use legwork::exchange::{self, Dialect, ExchangeError, ImportOptions, JointStates};
use legwork::random::Random;
use legwork::{AnyRobot, PlatformState, rotation};
use legwork_testkit::{largest, nan_max};

fn imported(files: &[(&str, &str)]) -> Result<AnyRobot, ExchangeError> {
    let made = exchange::import(files, &ImportOptions::default())?;
    let description = RobotDescription::parse(&made.robot_file, "imported.toml").expect("a robot file");
    Ok(AnyRobot::new(description).expect("a robot"))
}

/// A motion near home.
fn near(robot: &AnyRobot, random: &mut Random) -> Option<PlatformState> {
    let home = robot.home();
    let (mut state, mut turn) = (home, [0.0; 3]);
    for freedom in robot.freedoms() {
        let value = random.uniform(-0.02, 0.02);
        match freedom.component {
            k @ 0..3 => state.position[k] += value * robot.length(),
            k => turn[k - 3] = value,
        }
    }
    state.rotation = rotation::product(&rotation::from_rotation_vector(turn), &home.rotation);
    let mut state = robot.whole_pose(&state).ok()?;
    for freedom in robot.freedoms() {
        state.twist[freedom.component] = random.uniform(-1.0, 1.0);
        state.acceleration[freedom.component] = random.uniform(-5.0, 5.0);
    }
    Some(state)
}

/// Motors and efforts of two robots at the same states, in proportion.
fn worst(one: &AnyRobot, other: &AnyRobot, seed: u64) -> f64 {
    let mut random = Random::new(seed);
    let mut worst = 0.0_f64;
    let mut compared = 0;
    for _ in 0..2 {
        let Some(state) = near(one, &mut random) else { continue };
        let Ok(a) = one.inverse_kinematics(&state) else { continue };
        let b = other.inverse_kinematics(&state).expect("what the one reaches the other reaches");
        let mut pairs: Vec<(Vec<f64>, Vec<f64>)> = vec![(a.q, b.q)];
        if one.has_masses() {
            pairs.push((one.inverse_dynamics(&state).unwrap(), other.inverse_dynamics(&state).unwrap()));
        }
        compared += 1;
        for (a, b) in pairs {
            assert_eq!(a.len(), b.len());
            let size = largest(a.iter().map(|x| x.abs()).chain([0.1]));
            let off = largest(a.iter().zip(&b).map(|(a, b)| (a - b).abs()));
            worst = nan_max(worst, off / size);
        }
    }
    assert!(compared > 0, "{}: no state in reach", one.name());
    worst
}

/// One robot of each kind of loop, for the other dialects: balls, hinges, cardans, pads, cells.
const ALSO: [&str; 9] = [
    "delta-industrial",
    "gough-stewart",
    "c5",
    "3-upu",
    "quattro",
    "two-deltas",
    "exechon",
    "agile-eye",
    "delta-cardan",
];

#[test]
fn every_robot_comes_back() {
    let mut bad = Vec::new();
    for built_in in BUILT_IN {
        let robot = AnyRobot::open(built_in.name).unwrap();
        for dialect in Dialect::ALL {
            if dialect != Dialect::Mjcf && !ALSO.contains(&built_in.name) {
                continue;
            }
            let made = exchange::export(&robot, dialect).unwrap();
            let mut files = vec![("robot.xml", made.text.as_str())];
            if let Some(sidecar) = &made.sidecar {
                files.push(("robot.yaml", sidecar));
            }
            assert_eq!(exchange::knows(&made.text), Some(dialect));
            let back =
                imported(&files).unwrap_or_else(|error| panic!("{} {dialect:?}: {error}", built_in.name));
            assert_eq!(back.has_masses(), robot.has_masses());
            assert_eq!(back.joints().len(), robot.joints().len());
            assert_eq!(back.freedoms(), robot.freedoms(), "{} {dialect:?}", built_in.name);
            let off = worst(&robot, &back, 11);
            // Three angles round more than a quaternion.
            let bar = if dialect == Dialect::Mjcf { 1e-12 } else { 1e-11 };
            if off.is_nan() || off >= bar {
                bad.push(format!("{} {dialect:?}: {off:e}", built_in.name));
            }
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

#[test]
fn limits_gears_and_friction_come_back() {
    let robot = AnyRobot::open("delta-industrial").unwrap();
    for dialect in Dialect::ALL {
        let made = exchange::export(&robot, dialect).unwrap();
        let mut files = vec![("robot.xml", made.text.as_str())];
        files.extend(made.sidecar.as_deref().map(|text| ("robot.yaml", text)));
        let back = imported(&files).unwrap();
        for (one, other) in robot.joints().iter().zip(back.joints()) {
            assert_eq!(
                (one.min, one.max, one.gear_ratio()),
                (other.min, other.max, other.gear_ratio()),
                "{dialect:?}"
            );
            let near = |a: Option<f64>, b: Option<f64>| match (a, b) {
                (Some(a), Some(b)) => (a - b).abs() < 1e-12 * a,
                (a, b) => a == b,
            };
            assert!(near(one.max_effort, other.max_effort), "{dialect:?} {one:?} {other:?}");
            // MJCF has no limit of speed.
            assert!(dialect == Dialect::Mjcf || near(one.max_speed, other.max_speed), "{dialect:?}");
        }
    }
}

#[test]
fn joints_go_on_over_half_a_turn_and_are_named_as_in_the_urdf() {
    let robot = AnyRobot::open("gough-stewart").unwrap();
    let urdf = exchange::export(&robot, Dialect::Urdf).unwrap().text;
    let mut joints = JointStates::new(&robot).unwrap();
    for name in joints.names() {
        assert!(urdf.contains(&format!("<joint name=\"{name}\" type=")), "{name}");
    }
    let home = robot.home();
    let mut before = joints.at(&home).unwrap();
    for k in 1..=40 {
        let turn = rotation::from_rotation_vector([0.0, 0.0, 0.01 * f64::from(k)]);
        let state = home.turned(rotation::product(&turn, &home.rotation));
        let now = joints.at(&state).unwrap();
        assert!(now.iter().zip(&before).all(|(a, b)| (a - b).abs() < 0.3));
        before = now;
    }
}

const FIVE_BAR: &str = include_str!("../../../ci/peers/models/five_bar.xml");

#[test]
fn a_file_of_others_with_defaults_degrees_and_shapes() {
    let made = exchange::import(&[("five.xml", FIVE_BAR)], &ImportOptions::default()).unwrap();
    let said = made.notes.join("\n");
    assert!(said.contains("<sensor>") && said.contains("<light>") && said.contains("controller"), "{said}");
    let robot = imported(&[("five.xml", FIVE_BAR)]).unwrap();
    assert_eq!(robot.joints().len(), 2);
    assert_eq!(robot.joints()[0].max_effort, Some(10.0));
    let limit = robot.joints()[1].max.unwrap();
    assert!((limit - 170_f64.to_radians()).abs() < 1e-15);
    // Where the file draws it, the first motor is at 120 degrees.
    let q = robot.inverse_kinematics(&robot.home()).unwrap().q;
    assert!((q[0] - 120_f64.to_radians()).abs() < 1e-9 && (q[1] - 60_f64.to_radians()).abs() < 1e-9, "{q:?}");
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let change = |from: &str, to: &str| FIVE_BAR.replace(from, to);
    let mesh = "type=\"mesh\" mesh=\"a\"";
    let cases = [
        (change("mass=\"0.2\"", "mass=\"NaN\""), "no finite number"),
        (change("mass=\"0.2\"", "mass=\"-1\""), "left rod"),
        (change("mass=\"0.2\" ", ""), "has no `mass`"),
        (change("1.5e-3 1.5e-3", "1.5e-3 1.5"), "left rod"),
        (change("1.5e-3 1.5e-3", "1.5e-3"), "needs 3 numbers and has 2"),
        (change("body2=\"right rod\"", "body2=\"none\""), "no body `none`"),
        (change("<sensor>", "<include file=\"a.xml\"/><sensor>"), "<include> is not read"),
        (change("name=\"p2\"", "name=\"p2\" type=\"screw\""), "screw"),
        (change("size=\"0.1 0.01 0.01\"", "size=\"0.1 0.01\""), "a box needs more"),
        (change("type=\"box\"", mesh), "the mass of a mesh is not known"),
        (change("joint=\"m2\"", "joint=\"m3\""), "no joint `m3`"),
        (change("euler=\"0 0 60\"", "quat=\"0 0 0 0\""), "`quat` is zero"),
        (change("<geom type=\"box\" size=\"0.1 0.01 0.01\" pos=\"0.1 0 0\"/>", ""), "no mass"),
        (change("gear=\"2\"", "gear=\"0\""), "`gear` is 0"),
        (change("name=\"right\"", "name=\"left\""), "there twice"),
        (
            change(
                "<connect body1=\"left rod\" body2=\"right rod\" anchor=\"0.3 0 0\"/>",
                "<joint joint1=\"m1\"/>",
            ),
            "<joint> in <equality>",
        ),
    ];
    for (text, what) in cases {
        let changed = FIVE_BAR.lines().zip(text.lines()).position(|(one, other)| one != other).unwrap() + 1;
        // A body is told where it begins.
        let lines = [changed, changed - 2].map(|line| format!("five.xml:{line}:"));
        match exchange::import(&[("five.xml", &text)], &ImportOptions::default()) {
            Err(error) => {
                let error = error.to_string();
                let is_there = lines.iter().any(|line| error.starts_with(line.as_str()));
                assert!(is_there && error.contains(what), "{what}, line {changed}: {error}");
            }
            Ok(_) => panic!("{what}: taken"),
        }
    }
    let cut = FIVE_BAR.replace("</mujoco>", "");
    let error = exchange::import(&[("five.xml", &cut)], &ImportOptions::default()).unwrap_err().to_string();
    assert!(error.contains("five.xml") && error.contains(':'), "{error}");
}

/// What MuJoCo does beyond bodies and joints is told, kept or refused, never passed over.
#[test]
fn what_would_make_another_robot_of_mjcf_is_told_or_refused() {
    let change = |from: &str, to: &str| {
        assert!(FIVE_BAR.contains(from), "{from}");
        FIVE_BAR.replacen(from, to, 1)
    };
    let read = |text: &str| exchange::import(&[("five.xml", text)], &ImportOptions::default());
    let option = |inside: &str| change("<option gravity=\"0 -9.81 0\"/>", inside);
    let told = [
        (option("<option gravity=\"0 -9.81 0\" viscosity=\"0.1\"/>"), "`viscosity` of <option>"),
        (option("<option><flag limit=\"disable\"/></option>"), "disables `limit`"),
        (change("name=\"left\"", "name=\"left\" gravcomp=\"1\""), "`gravcomp`"),
        (change("name=\"m1\"", "name=\"m1\" actuatorfrcrange=\"-1 1\""), "`actuatorfrcrange`"),
        (change("name=\"p1\"", "name=\"p1\" stiffness=\"2\""), "springs"),
    ];
    for (text, words) in told {
        let said = read(&text).unwrap().notes.join("\n");
        assert!(said.contains(words), "{words}: {said}");
    }
    let refused = [
        (change("<compiler ", "<compiler boundmass=\"0.25\" "), "`boundmass`"),
        (change("<compiler ", "<compiler boundinertia=\"1e-4\" "), "`boundinertia`"),
        (change("type=\"box\"", "type=\"box\" shellinertia=\"true\""), "shell"),
        (option("<option><flag equality=\"disable\"/></option>"), "takes all loops away"),
        (change("childclass=\"rod\"", "childclass=\"rods\""), "no default class `rods`"),
    ];
    for (text, words) in refused {
        let error = read(&text).expect_err(words).to_string();
        assert!(error.contains(words), "{words}: {error}");
    }
    // Bounds that no body is below change nothing.
    let same = change("<compiler ", "<compiler boundmass=\"0.01\" boundinertia=\"1e-9\" ");
    let (one, other) =
        (imported(&[("five.xml", &same)]).unwrap(), imported(&[("five.xml", FIVE_BAR)]).unwrap());
    assert_eq!(one.inverse_dynamics(&one.home()), other.inverse_dynamics(&other.home()));
}

/// Gravity, groups of shapes, what stands still and the gear of a class, as MuJoCo has them.
#[test]
fn settings_of_mjcf_hold_for_all_elements() {
    let change = |from: &str, to: &str| FIVE_BAR.replacen(from, to, 1);
    let robot = |text: &str| imported(&[("five.xml", text)]).unwrap();
    let (plain, home) = (robot(FIVE_BAR), robot(FIVE_BAR).home());
    let off = change("<option gravity=\"0 -9.81 0\"/>", "<option><flag gravity=\"disable\"/></option>");
    assert_eq!(robot(&off).inverse_dynamics(&home).unwrap(), [0.0, 0.0]);
    // A shape of a group that does not count, and bodies in the world whose mass nobody knows.
    let more =
        "<geom type=\"sphere\" size=\"0.1\" pos=\"0.1 0 0\" group=\"3\"/><joint name=\"m1\" ref=\"120\"/>";
    let still = "<body><geom type=\"mesh\" mesh=\"a\"/><geom type=\"plane\" size=\"1 1 1\"/></body>";
    let text = change("<compiler ", "<compiler inertiagrouprange=\"0 2\" ");
    let text = text.replacen("<joint name=\"m1\" ref=\"120\"/>", more, 1);
    let text = text.replacen("<light pos=\"0 0 1\"/>", still, 1);
    assert_eq!(robot(&text).inverse_dynamics(&home), plain.inverse_dynamics(&home));
    let all = text.replacen(" inertiagrouprange=\"0 2\"", "", 1);
    assert_ne!(robot(&all).inverse_dynamics(&home), plain.inverse_dynamics(&home));
    // All kinds of actuators share their defaults; a limit that is switched off is none.
    let text = change("<default>", "<default><general gear=\"4\"/>").replacen(" gear=\"2\"", "", 1);
    assert_eq!(robot(&text).joints()[0].max_effort, Some(20.0));
    let text = change("ctrlrange=\"-5 5\"", "ctrlrange=\"-5 5\" ctrllimited=\"false\"");
    assert_eq!(robot(&text).joints()[0].max_effort, None);
}

const FOUR_BAR: &str = include_str!("../../../ci/peers/models/four_bar.sdf");

/// Axes of joints in the frame of the model, as they were in old files.
#[test]
fn axes_of_old_sdf_are_those_of_the_model() {
    let options = ImportOptions { platform: Some("coupler".into()), ..ImportOptions::default() };
    let read = |text: &str| exchange::import(&[("four.sdf", text)], &options);
    let turned =
        FOUR_BAR.replacen("<child>crank</child>", "<child>crank</child><pose>0 0 0 0.5 0 0.3</pose>", 1);
    let new = read(&turned).unwrap().robot_file;
    let plain = turned.replace(" expressed_in=\"__model__\"", "");
    let said = plain.replace("</xyz>", "</xyz><use_parent_model_frame>true</use_parent_model_frame>");
    assert_eq!(read(&said.replace("version=\"1.9\"", "version=\"1.6\"")).unwrap().robot_file, new);
    assert_eq!(read(&plain.replace("version=\"1.9\"", "version=\"1.4\"")).unwrap().robot_file, new);
    // In a new file the axis is that of the joint, which is turned.
    assert!(read(&plain).map_or(true, |made| made.robot_file != new));
    let still = FOUR_BAR.replacen("<link ", "<static>true</static><link ", 1);
    assert!(read(&still).unwrap_err().to_string().contains("static"));
}

#[test]
fn bombs_deep_nesting_and_nonsense_end_soon() {
    let bomb = "<!DOCTYPE mujoco [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;\">]><mujoco>&b;</mujoco>";
    let error = exchange::import(&[("bomb.xml", bomb)], &ImportOptions::default()).unwrap_err();
    assert!(error.to_string().contains("DTD") && error.hint().is_some(), "{error}");
    let deep = format!(
        "<mujoco><worldbody>{}{}</worldbody></mujoco>",
        "<body>".repeat(100_000),
        "</body>".repeat(100_000)
    );
    assert!(exchange::import(&[("deep.xml", &deep)], &ImportOptions::default()).is_err());
    for text in [
        "",
        "<",
        "<mujoco>",
        "<mujoco/>",
        "<robot/>",
        "<sdf/>",
        "<robot><link/></robot>",
        "<sdf><model/></sdf>",
        "<robot><link name='a'/><link name='b'/><joint name='j' type='revolute'><parent link='a'/><child link='b'/></joint></robot>",
        "<robot><link name='a'/><link name='b'/><joint name='j' type='fixed'><parent link='b'/><child link='b'/></joint></robot>",
        "<sdf><model name='m'><frame name='a' attached_to='b'/><frame name='b' attached_to='a'/><link name='l'><pose relative_to='a'/><inertial><mass>1</mass></inertial></link></model></sdf>",
        "<mujoco><default><default/></default></mujoco>",
        "plain text",
        "<html/>",
    ] {
        let error = exchange::import(&[("a.xml", text)], &ImportOptions::default()).unwrap_err();
        assert!(!error.to_string().is_empty());
    }
}

#[test]
fn a_weld_of_three_points_and_a_hinge_of_two() {
    // A four-bar linkage whose last hinge is two points, by Drake's tag without its name space.
    let link = |name: &str, pose: &str, half: f64| {
        format!(
            "<link name='{name}'><pose>{pose}</pose><inertial><pose>{half} 0 0 0 0 0</pose><mass>1</mass><inertia><ixx>0.001</ixx>\
             <iyy>0.01</iyy><izz>0.01</izz></inertia></inertial></link>"
        )
    };
    let joint = |name: &str, parent: &str, child: &str, effort: &str| {
        format!(
            "<joint name='{name}' type='revolute'><parent>{parent}</parent><child>{child}</child><axis><xyz expressed_in='__model__'>0 1 0</xyz>\
             <limit><effort>{effort}</effort></limit></axis></joint>"
        )
    };
    let ball = |y: f64| {
        format!(
            "<drake:ball_constraint><drake:ball_constraint_body_A>coupler</drake:ball_constraint_body_A><drake:ball_constraint_body_B>rocker\
             </drake:ball_constraint_body_B><drake:ball_constraint_p_AP>0.5 {y} 0</drake:ball_constraint_p_AP>\
             <drake:ball_constraint_p_BQ>0.3 {y} 0</drake:ball_constraint_p_BQ></drake:ball_constraint>"
        )
    };
    let down = std::f64::consts::FRAC_PI_2;
    let text = format!(
        "<sdf version='1.9'><model name='four bar'>{}{}{}{}{}{}{}{}</model></sdf>",
        link("crank", &format!("0 0 0 0 {} 0", -down), 0.15),
        link("coupler", "0 0 0.3 0 0 0", 0.25),
        link("rocker", &format!("0.5 0 0 0 {} 0", -down), 0.15),
        joint("a", "world", "crank", "10"),
        joint("b", "crank", "coupler", "0"),
        joint("c", "world", "rocker", "0"),
        ball(0.0),
        ball(0.1),
    );
    let options = ImportOptions { platform: Some("coupler".into()), ..ImportOptions::default() };
    let made = exchange::import(&[("four.sdf", &text)], &options).unwrap();
    assert_eq!(made.robot_file.matches("type = \"revolute\"").count(), 4, "{}", made.robot_file);
    let without = exchange::import(&[("four.sdf", &text)], &ImportOptions::default()).unwrap_err();
    assert!(without.hint().is_some_and(|hint| hint.contains("--platform")), "{without}");
}

#[test]
fn joint_states_of_a_recording_as_lines_and_as_mcap() {
    use legwork::recording::{Column, Metadata, Record as _, Recording};
    let robot = AnyRobot::open("delta-industrial").unwrap();
    let text = robot.description().text.clone().unwrap();
    let columns = [Column::time(), Column::new("x", "m"), Column::new("y", "m"), Column::new("z", "m")];
    let mut recording = Recording::new(&columns, &Metadata::new().with_robot(&*text)).unwrap();
    recording.push(&[0.0, 0.0, 0.0, -0.8]).unwrap();
    recording.push(&[1.25, 0.1, 0.0, -0.8]).unwrap();
    recording.push(&[1.5, 9.0, 0.0, -0.8]).unwrap();
    let stream = exchange::JointStream::of(&recording, "run.csv").unwrap();
    assert_eq!((stream.states.len(), stream.out_of_reach), (2, 1));
    let mut joints = JointStates::new(&robot).unwrap();
    let expected = joints.at(&PlatformState::at([0.1, 0.0, -0.8])).unwrap();
    assert_eq!(stream.states[1].position, expected);
    let line: serde_json::Value = serde_json::from_str(&stream.line(&stream.states[1])).unwrap();
    assert_eq!(line["header"]["stamp"]["nanosec"], 250_000_000);
    assert_eq!(line["name"].as_array().unwrap().len(), expected.len());
    let file = stream.mcap();
    assert!(file.starts_with(b"\x89MCAP0\r\n") && file.ends_with(b"\x89MCAP0\r\n"));
    // The last number of the last message, at a multiple of eight.
    let last = expected.last().unwrap().to_le_bytes();
    assert!(file.windows(8).any(|bytes| bytes == last));
}
