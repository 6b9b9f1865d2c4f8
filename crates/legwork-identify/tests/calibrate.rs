//! Calibration of hidden robots from measurements with noise.

#![allow(clippy::needless_pass_by_value, clippy::needless_borrows_for_generic_args)] // tests

mod book;
mod hidden;

use hidden::{Hidden, Seen};
use legwork::engine::Pose;
use legwork::task::Handle;
use legwork_identify::geometry::model::wrapped;
use legwork_identify::geometry::parameters::ParameterSet::{Full, Reduced};
use legwork_testkit::largest;

const MICRON: f64 = 1e-6;

/// Three carriages along x, y and z with rods to a platform that translates, as legs of one's own.
const ORTHOGLIDE: &str = r#"
family = "custom"
freedoms = "translational"

[home]
position = [0, 0, 0]

[[leg]]
repeat = { times = 3, about = [1, 1, 1] }

[[leg.joint]]
type = "prismatic"
active = true
axis = [1, 0, 0]
start = "-300 mm"

[[leg.joint]]
type = "revolute"
axis = [0, 1, 0]

[[leg.joint]]
type = "revolute"
axis = [0, 0, 1]

[leg.attachment]
type = "spherical"
tip = ["300 mm", 0, 0]
"#;

#[test]
fn parameter_slopes_are_those_of_differences() {
    for (name, set) in [
        ("delta-industrial", Full),
        ("linear-delta", Full),
        ("gough-stewart", Full),
        ("five-bar", Full),
        ("planar-3rrr", Full),
        ("hexa", Full),
        ("hexaglide", Full),
        ("delta-four-axis", Full),
        ("3-rps", Full),
        ("tricept", Full),
        ("3-upu", Full),
        ("agile-eye", Full),
        ("quattro", Full),
        ("delta-two-rods", Full),
    ] {
        // Where constraints repeat each other, loops of a robot that is not as drawn close to a tenth of a micrometre only, and
        // slopes are those of closed loops.
        let error = if name == "quattro" { 0.0 } else { 0.5e-3 };
        let hidden = Hidden::new(name, set, error, 3);
        let model = &hidden.model;
        let built = model.built(&hidden.truth);
        let near = &hidden.poses(1, 7)[0];
        let q = model.readings(&built, near);
        let place = model.pose(&built, &q, near).unwrap();
        let slopes = model.slopes(&built, &hidden.truth, &place).unwrap().platform;
        for k in 0..hidden.truth.len() {
            let difference = |step: f64| {
                let at = |sign: f64| {
                    let mut values = hidden.truth.clone();
                    values[k] += sign * step;
                    model.pose(&model.built(&values), &q, &place).unwrap().pose
                };
                at(-1.0).way_to(&at(1.0)).to_vector_linear_first().map(|x| x / (2.0 * step))
            };
            // Two steps, so that the error of the fourth order is left.
            let (wide, narrow) = (difference(2e-5), difference(1e-5));
            let difference: Vec<f64> = (0..6).map(|j| (4.0 * narrow[j] - wide[j]) / 3.0).collect();
            for (j, difference) in difference.into_iter().enumerate() {
                let gap = (slopes[(j, k)] - difference).abs();
                let scale = 1.0 + difference.abs();
                assert!(gap < 1e-6 * scale, "{name} {} {j}: {gap:e}", model.parameters.list[k].name);
            }
        }
    }
}

#[test]
fn the_file_of_a_calibrated_robot_moves_as_the_model_does() {
    for (name, set) in [
        ("delta-industrial", Full),
        ("linear-delta", Full),
        ("gough-stewart", Full),
        ("five-bar", Full),
        ("planar-3rrr", Full),
        ("hexa", Full),
        ("3-rps", Full),
        ("tricept", Full),
        ("agile-eye", Full),
        ("delta-two-rods", Full),
    ] {
        let hidden = Hidden::new(name, set, 1e-3, 11);
        let robot = hidden.robot();
        for pose in hidden.poses(5, 13) {
            let q = hidden.model.readings(&hidden.model.built(&hidden.truth), &pose);
            let own = robot.inverse_kinematics(&hidden.state(&pose)).unwrap().q;
            let gap = largest(own.iter().zip(&q).map(|(a, b)| wrapped(a - b)));
            assert!(gap < 1e-11, "{name}: {gap:e}");
        }
    }
}

fn recovered(
    name: &str,
    set: legwork_identify::geometry::parameters::ParameterSet,
    seen: Seen,
    most: f64,
) -> usize {
    recovered_of(&Hidden::new(name, set, 0.5e-3, 5), seen, most)
}

/// How many combinations were determined.
fn recovered_of(hidden: &Hidden, seen: Seen, most: f64) -> usize {
    let name = hidden.model.robot.name();
    let data = hidden.measured(30, 10.0 * MICRON, &seen, 17);
    let fit = hidden.problem(&data, &seen).fit(true, &Handle::none()).unwrap().unwrap();
    let error = hidden.platform_error(&fit, &seen);
    println!(
        "{name}: {:.1} um, {} of {} directions determined",
        error * 1e6,
        fit.directions.determined,
        hidden.truth.len()
    );
    assert!(error < most, "{name}: {:.1} um", error * 1e6);
    assert!(fit.outliers.is_empty(), "{name}: {:?}", fit.outliers);
    // Determined parameters are where they are, within what the data can say.
    for (k, parameter) in hidden.model.parameters.list.iter().enumerate() {
        let sigma = fit.covariance[(k, k)].sqrt();
        let gap = (fit.values[k] - hidden.truth[k]).abs();
        assert!(gap < 4.5 * sigma, "{name} {}: {gap:e}, sigma {sigma:e}", parameter.name);
    }
    fit.directions.determined
}

#[test]
fn thirty_poses_at_ten_micrometres_give_a_delta_to_twenty() {
    recovered("delta-industrial", Reduced, Seen::known_frame(), 20.0 * MICRON);
    recovered("delta-industrial", Reduced, Seen::default(), 20.0 * MICRON);
}

#[test]
fn thirty_poses_at_ten_micrometres_give_a_linear_delta_to_twenty() {
    recovered("linear-delta", Reduced, Seen::known_frame(), 20.0 * MICRON);
    recovered("linear-delta", Reduced, Seen::default(), 20.0 * MICRON);
}

#[test]
fn thirty_poses_at_ten_micrometres_give_the_42_of_a_hexapod_to_twenty() {
    // In the robot's own frame all of them are determined; a tracker of unknown place and turn leaves the axes of both plates open.
    let whole = Seen { rotation: true, ..Seen::known_frame() };
    assert_eq!(recovered("gough-stewart", Full, whole, 20.0 * MICRON), 42);
    recovered("gough-stewart", Full, Seen { rotation: true, ..Seen::default() }, 20.0 * MICRON);
}

#[test]
fn thirty_poses_at_ten_micrometres_give_a_five_bar_to_twenty() {
    recovered("five-bar", Full, Seen::known_frame(), 20.0 * MICRON);
}

#[test]
fn one_in_ten_that_is_a_millimetre_off_is_named_and_spoils_nothing() {
    for (name, set, seen) in [
        ("delta-industrial", Reduced, Seen::default()),
        ("gough-stewart", Full, Seen { rotation: true, ..Seen::default() }),
    ] {
        let hidden = Hidden::new(name, set, 0.5e-3, 5);
        let mut data = hidden.measured(30, 10.0 * MICRON, &seen, 17);
        for (row, axis, by) in [(4, 0, 1e-3), (12, 2, -1e-3), (25, 1, 1e-3)] {
            data.rows[row].position[axis] = data.rows[row].position[axis].map(|x| x + by);
        }
        let fit = hidden.problem(&data, &seen).fit(true, &Handle::none()).unwrap().unwrap();
        let rows: Vec<usize> = fit.outliers.iter().map(|outlier| outlier.0).collect();
        assert_eq!(rows, [4, 12, 25], "{name}");
        let error = hidden.platform_error(&fit, &seen);
        assert!(error < 20.0 * MICRON, "{name}: {:.1} um", error * 1e6);
        let plain = hidden.problem(&data, &seen).fit(false, &Handle::none()).unwrap().unwrap();
        assert!(hidden.platform_error(&plain, &seen) > 2.0 * error, "{name}: the test tests nothing");
    }
}

#[test]
fn home_is_a_pose_of_the_model() {
    let hidden = Hidden::new("gough-stewart", Full, 0.0, 1);
    let home = hidden.model.drawn.home.pose;
    let way =
        Pose::identity().way_to(&(hidden.model.from_user(&hidden.model.to_user(&home)) * home.inverse()));
    assert!(largest(way.to_vector_linear_first()) < 1e-12);
}

#[test]
fn sigma_is_honest_in_a_few_trials() {
    coverage("delta-industrial", Reduced, 8);
    coverage("five-bar", Full, 8);
    coverage("3-rps", Reduced, 4);
}

#[test]
#[ignore = "a campaign: some minutes"]
fn sigma_is_honest_in_a_hundred_trials() {
    let mut lines = vec![
        "| robot | parameters | trials | within 3 σ | within 1 σ |".to_owned(),
        "|---|---|---|---|---|".to_owned(),
    ];
    for (name, set) in [
        ("delta-industrial", Reduced),
        ("linear-delta", Reduced),
        ("five-bar", Reduced),
        ("gough-stewart", Full),
        ("3-rps", Reduced),
        ("tricept", Reduced),
    ] {
        let ([within, narrow], count) = coverage(name, set, 100);
        let set = if set == Full { "full" } else { "reduced" };
        lines.push(format!("| {name} | {set}, {count} | 100 | {within:.1} % | {narrow:.1} % |"));
    }
    book::table("calibrate.md", "coverage", &lines);
}

/// Of all parameters in all trials 95 % are within three of their deviations, and within one no more than a share that
/// deviations made too large would give.
fn coverage(
    name: &str,
    set: legwork_identify::geometry::parameters::ParameterSet,
    trials: u64,
) -> ([f64; 2], usize) {
    let seen =
        Seen { rotation: ["gough-stewart", "3-rps", "tricept"].contains(&name), ..Seen::known_frame() };
    let (mut within, mut narrow, mut all, mut count) = (0.0, 0.0, 0.0, 0);
    for trial in 0..trials {
        let hidden = Hidden::new(name, set, 0.5e-3, 100 + trial);
        let data = hidden.measured(30, 10.0 * MICRON, &seen, 500 + trial);
        let fit = hidden.problem(&data, &seen).fit(true, &Handle::none()).unwrap().unwrap();
        count = hidden.truth.len();
        for (k, truth) in hidden.truth.iter().enumerate() {
            let off = (fit.values[k] - truth).abs() / fit.covariance[(k, k)].sqrt();
            all += 1.0;
            within += f64::from(u8::from(off < 3.0));
            narrow += f64::from(u8::from(off < 1.0));
        }
    }
    assert!(within / all >= 0.95, "{name}: {}", within / all);
    assert!(narrow / all < 0.93, "{name}: sigma is too large: {}", narrow / all);
    ([within, narrow].map(|number| 100.0 * number / all), count)
}

#[test]
fn a_robot_of_leg_tables_is_found() {
    // Legs that no closed form fits.
    let description = legwork::description::RobotDescription::parse(ORTHOGLIDE, "orthoglide.toml").unwrap();
    let robot = legwork::AnyRobot::new(description).unwrap();
    recovered_of(&Hidden::of(robot, Reduced, 0.5e-3, 5), Seen::known_frame(), 20.0 * MICRON);
    recovered("custom-delta", Reduced, Seen::known_frame(), 20.0 * MICRON);
    recovered("custom-five-bar", Full, Seen::known_frame(), 20.0 * MICRON);
}

#[test]
fn equal_legs_are_the_family() {
    // A calibration of zeros only says that the legs are as drawn: kinematics and dynamics are those of the closed form.
    for name in ["delta-industrial", "linear-delta", "gough-stewart", "five-bar"] {
        let robot = legwork::AnyRobot::open(name).unwrap();
        let mut description = robot.description().clone();
        description.calibration =
            vec![legwork::description::CalibratedLeg::default(); description.data.leg_count()];
        let same = legwork::AnyRobot::new(description).unwrap();
        let mut state = robot.home();
        state.acceleration[0] = 3.0;
        state.twist[1] = 0.4;
        let (a, b) = (robot.state(&state).unwrap(), same.state(&state).unwrap());
        assert!(legwork_testkit::gap(&a.q, &b.q) < 1e-12, "{name}");
        let (a, b) = (a.dynamics.unwrap(), b.dynamics.unwrap());
        assert!(legwork_testkit::relative_error(&a.motor, &b.motor) < 1e-11, "{name}");
        assert!(
            legwork_testkit::relative_error(&a.mass_matrix.concat(), &b.mass_matrix.concat()) < 1e-11,
            "{name}"
        );
    }
}

#[test]
fn every_verb_computes_with_what_was_found() {
    let hidden = Hidden::new("delta-industrial", Full, 1e-3, 11);
    let file =
        legwork::description::calibration_text(&hidden.model.calibrated(&hidden.truth, None).calibration);
    let text = format!("{}\n{file}", hidden.model.robot.description().text.as_deref().unwrap());
    let description = legwork::description::RobotDescription::parse(&text, "built.toml").unwrap();
    // To the bit through the file.
    assert_eq!(description.calibration, hidden.model.calibrated(&hidden.truth, None).calibration);
    assert_eq!(
        legwork::description::without_calibration(&text).trim_end(),
        hidden.model.robot.description().text.as_deref().unwrap().trim_end()
    );
    let robot = legwork::AnyRobot::new(description).unwrap();
    // Efforts of the chain that it is, found by Newton, and forward after inverse.
    let chains = robot.as_chains().unwrap();
    let mut state = robot.home();
    state.acceleration[0] = 3.0;
    let (a, b) = (robot.state(&state).unwrap(), chains.state(&state).unwrap());
    assert!(legwork_testkit::relative_error(&a.dynamics.unwrap().motor, &b.dynamics.unwrap().motor) < 1e-9);
    let back = robot.forward_kinematics(&a.q, &robot.home()).unwrap();
    assert!(legwork_testkit::gap(&back.position, &state.position) < 1e-10);
    // The drawn robot is elsewhere: the calibration is not left out.
    let drawn = hidden.model.robot.forward_kinematics(&a.q, &robot.home()).unwrap();
    assert!(legwork_testkit::gap(&drawn.position, &state.position) > 1e-4);
}

#[test]
fn what_cannot_be_known_is_named_and_stays_as_drawn() {
    // A Delta only translates: base and platform radius count by their difference alone.
    let hidden = Hidden::new("delta-industrial", Full, 0.3e-3, 5);
    let seen = Seen::known_frame();
    let data = hidden.measured(40, 10.0 * MICRON, &seen, 17);
    let problem = hidden.problem(&data, &seen);
    let fit = problem.fit(true, &Handle::none()).unwrap().unwrap();
    assert!(fit.directions.exact >= 9, "{}", fit.directions.exact);
    assert!(fit.directions.gap.unwrap() > 1e3, "{:?}", fit.directions.gap);
    let list = &hidden.model.parameters.list;
    let at = |name: &str| list.iter().position(|parameter| parameter.name == name).unwrap();
    let (base, platform) = (at("leg1.base_radius"), at("leg1.platform_radius"));
    // In equal shares on both sides: nothing is made up.
    assert!(
        (fit.values[base] + fit.values[platform]).abs() < 2e-6,
        "{:e}",
        fit.values[base] + fit.values[platform]
    );
    assert!(fit.covariance[(base, base)].sqrt() > 0.2 * list[base].prior);
    assert!(hidden.platform_error(&fit, &seen) < 20.0 * MICRON);
}

#[test]
fn residuals_of_joints_and_of_poses_agree() {
    // Another formulation: readings against the inverse kinematics at the measured poses, weighed by the Jacobian.
    let hidden = Hidden::new("delta-industrial", Reduced, 0.5e-3, 5);
    let seen = Seen::known_frame();
    let data = hidden.measured(30, 10.0 * MICRON, &seen, 17);
    let fit = hidden.problem(&data, &seen).fit(false, &Handle::none()).unwrap().unwrap();
    let model = &hidden.model;
    let mut values = vec![0.0; hidden.truth.len()];
    for _ in 0..8 {
        let legs = model.legs(&values);
        let n = values.len();
        let (mut normal, mut right) = (nalgebra::DMatrix::zeros(n, n), nalgebra::DVector::zeros(n));
        for row in &data.rows {
            let [x, y, z] = row.position.map(Option::unwrap);
            let pose = model.from_user(&Pose::translation(legwork::V3::new(x, y, z)));
            let q = model.leg_readings(&legs, &pose).0;
            let built = model.built(&values);
            let jacobian = model.slopes(&built, &values, &pose.into()).unwrap().motors;
            let gap = nalgebra::DVector::from_fn(3, |k, _| wrapped(row.q[k] - q[k]));
            let slopes = &jacobian * model.reading_slopes(&legs, &values, &pose) / 1e-5;
            let residual = jacobian * gap / 1e-5;
            normal += slopes.transpose() * &slopes;
            right += slopes.transpose() * residual;
        }
        for k in 0..n {
            normal[(k, k)] += (fit.scale / model.parameters.list[k].prior).powi(2);
            right[k] -= (fit.scale / model.parameters.list[k].prior).powi(2) * values[k];
        }
        let step = normal.cholesky().unwrap().solve(&right);
        values.iter_mut().zip(step.iter()).for_each(|(value, step)| *value += step);
    }
    for (k, value) in values.iter().enumerate() {
        let sigma = fit.covariance[(k, k)].sqrt();
        let gap = (value - fit.values[k]).abs();
        assert!(gap < 0.3 * sigma, "{}: {gap:e}, sigma {sigma:e}", model.parameters.list[k].name);
    }
}

#[test]
fn a_mirrored_measurement_gives_the_mirrored_robot() {
    // In the mirror y → −y leg 1 of a Delta stays and legs 2 and 3 change places; azimuths change their sign.
    let hidden = Hidden::new("delta-industrial", Reduced, 0.5e-3, 5);
    let seen = Seen::known_frame();
    let data = hidden.measured(30, 10.0 * MICRON, &seen, 17);
    let mut mirrored = data.clone();
    for row in &mut mirrored.rows {
        row.q.swap(1, 2);
        row.position[1] = row.position[1].map(|y| -y);
    }
    let one = hidden.problem(&data, &seen).fit(true, &Handle::none()).unwrap().unwrap();
    let other = hidden.problem(&mirrored, &seen).fit(true, &Handle::none()).unwrap().unwrap();
    let list = &hidden.model.parameters.list;
    for (k, parameter) in list.iter().enumerate() {
        let name = match parameter.leg {
            0 => parameter.name.clone(),
            1 => parameter.name.replace("leg2", "leg3"),
            _ => parameter.name.replace("leg3", "leg2"),
        };
        let twin = list.iter().position(|other| other.name == name).unwrap();
        let sign = if parameter.name.ends_with("azimuth") { -1.0 } else { 1.0 };
        let gap = (one.values[k] - sign * other.values[twin]).abs();
        assert!(gap < 1e-9, "{}: {gap:e}", parameter.name);
    }
}

#[test]
fn planes_distances_and_sensors_give_the_geometry_too() {
    let seen = Seen::known_frame();
    let hidden = Hidden::new("linear-delta", Reduced, 0.5e-3, 5);
    let built = hidden.model.built(&hidden.truth);
    let mut random = legwork::random::Random::new(4);
    let noise = |random: &mut legwork::random::Random| 10.0 * MICRON * random.normal();
    // A ball bar about a point below, of poses all over; its centre is not known.
    let centre = legwork::V3::new(0.03, -0.02, -0.6);
    let mut data = hidden.measured(60, 10.0 * MICRON, &seen, 17);
    for (row, pose) in data.rows.iter_mut().zip(hidden.poses(60, 17)) {
        row.position = [None; 3];
        let length = (hidden.model.to_user(&pose.pose).position - centre).norm_sq().sqrt();
        row.distance = Some((length + noise(&mut random), None));
    }
    let fit = hidden.problem(&data, &seen).fit(true, &Handle::none()).unwrap().unwrap();
    for block in &fit.blocks {
        assert!(largest(block.residual.iter()) < 6.0, "row {}", block.row);
    }
    // A sensor at the hinge of the first rod, its zero not known.
    let mut data = hidden.measured(30, 10.0 * MICRON, &seen, 17);
    data.sensors = vec![(0, 1)];
    for (row, pose) in data.rows.iter_mut().zip(hidden.poses(30, 17)) {
        let angle = hidden.model.joint(&built, &hidden.truth, &pose, (0, 1)).unwrap().0;
        row.sensors = vec![angle - 0.2 + 1e-4 * random.normal()];
    }
    let fit = hidden.problem(&data, &seen).fit(true, &Handle::none()).unwrap().unwrap();
    assert!((fit.unknowns.zeros[0] - 0.2).abs() < 1e-3, "{}", fit.unknowns.zeros[0]);
    assert!(hidden.platform_error(&fit, &seen) < 20.0 * MICRON);
    // Points touched on a plane: what it is, and the robot flat on it.
    let normal = legwork::V3::new(0.01, -0.02, 1.0) * (1.0 / (1.0_f64 + 0.0005).sqrt());
    let mut data = hidden.measured(40, 0.0, &seen, 17);
    for (row, pose) in data.rows.iter_mut().zip(hidden.poses(40, 17)) {
        let place = hidden.model.to_user(&pose.pose).position;
        row.position = [None; 3];
        row.plane = Some((0, normal.dot(place) + 0.1 + noise(&mut random)));
    }
    let fit = hidden.problem(&data, &seen).fit(true, &Handle::none()).unwrap().unwrap();
    assert!(fit.outliers.is_empty());
    for block in &fit.blocks {
        assert!(largest(block.residual.iter()) < 6.0, "row {}", block.row);
    }
}

#[test]
fn bodies_and_joints_have_as_many_numbers_as_their_legs() {
    // Found here from the loops alone: the 42 of a hexapod, and how far the two axes of each universal joint pass each other,
    // which a leg in closed form does not have. A five-bar has the same ten.
    let of = |name: &str, set| Hidden::of(hidden::as_bodies(name), set, 0.0, 1).truth.len();
    assert_eq!(of("gough-stewart", Full), 42 + 6);
    assert_eq!(of("gough-stewart", Reduced), 42 + 6);
    assert_eq!(of("five-bar", Reduced), 10);
}

#[test]
fn thirty_poses_at_ten_micrometres_give_bodies_and_joints_to_twenty() {
    let rotation = |seen: Seen| Seen { rotation: true, ..seen };
    for name in ["3-rps", "tricept", "exechon", "z3-head"] {
        recovered(name, Reduced, rotation(Seen::known_frame()), 20.0 * MICRON);
        recovered(name, Reduced, rotation(Seen::default()), 20.0 * MICRON);
    }
    recovered("delta-two-rods", Reduced, rotation(Seen::known_frame()), 20.0 * MICRON);
    recovered_of(
        &Hidden::of(hidden::as_bodies("gough-stewart"), Full, 0.5e-3, 5),
        rotation(Seen::default()),
        20.0 * MICRON,
    );
}
