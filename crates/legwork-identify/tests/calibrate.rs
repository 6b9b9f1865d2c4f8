//! Calibration of hidden robots from measurements with noise.

mod hidden;

use hidden::{Hidden, Seen};
use legwork::engine::Pose;
use legwork::task::Handle;
use legwork_identify::geometry::model::wrapped;
use legwork_identify::geometry::parameters::ParameterSet::{Full, Reduced};
use legwork_testkit::largest;

const MICRON: f64 = 1e-6;

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
    ] {
        let hidden = Hidden::new(name, set, 0.5e-3, 3);
        let model = &hidden.model;
        let legs = model.legs(&hidden.truth);
        let pose = hidden.poses(1, 7)[0];
        let (q, _, _) = model.readings(&legs, &pose);
        let slopes = model.slopes(&legs, &hidden.truth, &pose).unwrap().platform;
        for k in 0..hidden.truth.len() {
            let difference = |step: f64| {
                let at = |sign: f64| {
                    let mut values = hidden.truth.clone();
                    values[k] += sign * step;
                    model.pose(&model.legs(&values), &q, &pose).unwrap()
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
    ] {
        let hidden = Hidden::new(name, set, 1e-3, 11);
        let robot = hidden.robot();
        for pose in hidden.poses(5, 13) {
            let legs = hidden.model.legs(&hidden.truth);
            let (q, _, _) = hidden.model.readings(&legs, &pose);
            let own = robot.inverse_kinematics(&hidden.state(&pose)).unwrap().q;
            let gap = largest(own.iter().zip(&q).map(|(a, b)| wrapped(a - b)));
            assert!(gap < 1e-11, "{name}: {gap:e}");
        }
    }
}

fn recovered(name: &str, set: legwork_identify::geometry::parameters::ParameterSet, seen: Seen, most: f64) {
    let hidden = Hidden::new(name, set, 0.5e-3, 5);
    let data = hidden.measured(30, 10.0 * MICRON, &seen, 17);
    let fit = hidden.problem(&data, &seen).fit(true, &Handle::none()).unwrap().unwrap();
    let error = hidden.platform_error(&fit, &seen);
    assert!(error < most, "{name}: {:.1} um", error * 1e6);
    assert!(fit.outliers.is_empty(), "{name}: {:?}", fit.outliers);
    // Determined parameters are where they are, within what the data can say.
    for (k, parameter) in hidden.model.parameters.list.iter().enumerate() {
        let sigma = fit.covariance[(k, k)].sqrt();
        let gap = (fit.values[k] - hidden.truth[k]).abs();
        assert!(gap < 4.5 * sigma, "{name} {}: {gap:e}, sigma {sigma:e}", parameter.name);
    }
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
    recovered("gough-stewart", Full, Seen { rotation: true, ..Seen::known_frame() }, 20.0 * MICRON);
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
    let home = hidden.model.drawn.home;
    let way = Pose::identity().way_to(&(hidden.model.from_user(&hidden.model.to_user(&home)) * home.inverse()));
    assert!(largest(way.to_vector_linear_first()) < 1e-12);
}
