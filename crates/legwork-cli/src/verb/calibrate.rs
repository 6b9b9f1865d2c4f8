//! `legwork calibrate`: the geometry of a real robot from what was measured on it.

use crate::args::{CalibrateArgs, CriterionChoice, SetChoice};
use crate::failure::Failure;
use crate::{Outcome, json, task};
use legwork::coordinates::number;
use legwork::table::print_line;
use legwork::task::{Angle, Length, RobotRequest};
use legwork::units::Quantity;
use legwork_identify::geometry::{CalibrateRequest, Criterion, ParameterSet};
use std::io::Write;

pub fn run(args: &CalibrateArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let length = |name: &str, text: Option<&String>| -> Result<Option<Length>, Failure> {
        Ok(text.map(|text| number(name, Quantity::Length, text)).transpose()?.map(Length))
    };
    let three = |name: &str, texts: &[String]| -> Result<Option<[Length; 3]>, Failure> {
        let all = texts.iter().map(|text| number(name, Quantity::Length, text).map(Length));
        Ok(all.collect::<Result<Vec<_>, _>>()?.try_into().ok())
    };
    let turn = args
        .rotation_noise
        .as_ref()
        .map(|text| number("rotation_noise", Quantity::Angle, text))
        .transpose()?;
    let request = CalibrateRequest {
        robot: RobotRequest::named(&args.robot),
        measurements: args.measurements.clone(),
        parameters: match args.parameters {
            SetChoice::Reduced => ParameterSet::Reduced,
            SetChoice::Full => ParameterSet::Full,
        },
        hold: args.hold.clone(),
        robot_frame: args.robot_frame,
        target: three("target", &args.target)?,
        find_target: args.find_target,
        plane_height: length("plane_height", args.plane_height.as_ref())?,
        centre: three("centre", &args.centre)?,
        noise: length("noise", args.noise.as_ref())?,
        rotation_noise: turn.map(Angle),
        expected_error: length("expected_error", args.expected_error.as_ref())?,
        keep_outliers: args.keep_outliers,
        next: args.next,
        criterion: match args.criterion {
            CriterionChoice::Platform => Criterion::Platform,
            CriterionChoice::Parameters => Criterion::Parameters,
        },
        out: args.out.clone(),
        figure: args.figure.clone(),
        #[cfg(feature = "studio")]
        report: args.report.clone(),
        #[cfg(not(feature = "studio"))]
        report: None,
    };
    answer(&request, args.controllers, as_json, out)
}

/// Runs a request and prints what it found.
pub fn answer(
    request: &CalibrateRequest,
    controllers: bool,
    as_json: bool,
    out: &mut dyn Write,
) -> Result<Outcome, Failure> {
    let result = task::run("calibrate", &request.robot.name, |handle| request.run(handle))?;
    if as_json {
        json::print_result(&result, out)?;
    } else {
        result.print(controllers, out)?;
        for (what, path) in
            [("robot file", &request.out), ("picture", &request.figure), ("page", &request.report)]
        {
            if let Some(path) = path {
                print_line(&format!("{what}: {}", path.display()), out)?;
            }
        }
    }
    Ok(Outcome::Done)
}
