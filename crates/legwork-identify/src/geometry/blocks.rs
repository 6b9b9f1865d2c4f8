//! What was found as settings of controllers, as far as these have names for it; what they cannot have is said.

use super::model::Model;
use super::parameters::Change;
use legwork::description::Family;
use legwork::text::{short, wrap};
use std::fmt::Write;

/// Settings of one controller.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ControllerBlock {
    /// Whose: `klipper`, `marlin`, `linuxcnc`, `twincat`.
    pub controller: String,
    /// The settings, with comments that say what they leave out.
    pub text: String,
}

/// The legs of a Delta as controllers count them: lengths in mm, angles in deg.
struct Legs {
    azimuth: [f64; 3],
    /// Base radius less platform radius.
    radius: [f64; 3],
    height: [f64; 3],
    arm: [f64; 3],
    rod: [f64; 3],
    zero: [f64; 3],
    /// Found, but in no setting.
    left_out: Vec<String>,
}

impl Legs {
    fn of(model: &Model, values: &[f64], arms: bool) -> Option<Self> {
        let mut left_out = Vec::new();
        for (parameter, value) in model.parameters.list.iter().zip(values) {
            let sideways = matches!(
                parameter.change,
                Change::BaseOut(1) | Change::BaseTiltOut(_) | Change::PlatformOut(1) | Change::BaseTurn(_)
            );
            if sideways && value.abs() > 1e-9 {
                left_out.push(parameter.name.clone());
            }
        }
        let legs = model.legs(values);
        let [a, b, c] = legs.get(..3)? else { return None };
        let parts = [a, b, c].map(|leg| match leg {
            legwork::engine::AnyLeg::Three(leg) => {
                let base = leg.chain.links[0].placement.position;
                let (legwork::engine::Attachment::Spherical { point }
                | legwork::engine::Attachment::Carried { point, .. }) = leg.attachment
                else {
                    return None;
                };
                let norm = |v: legwork::V3<f64>| v.norm_sq().sqrt();
                // A platform that does not turn: only the way from its joint to the base counts. A rod that swings about
                // a point stands where that points; an arm in the plane across its motor's axis.
                let across = base - point;
                let azimuth = if arms { base.y.atan2(base.x) } else { across.y.atan2(across.x) };
                let radius = across.x * azimuth.cos() + across.y * azimuth.sin();
                Some((
                    azimuth.to_degrees().rem_euclid(360.0),
                    radius * 1e3,
                    (base.z - point.z) * 1e3,
                    norm(leg.chain.links[1].placement.position) * 1e3,
                    norm(leg.chain.tip) * 1e3,
                ))
            }
            _ => None,
        });
        let [Some(a), Some(b), Some(c)] = parts else { return None };
        let zero = |leg: usize| {
            let by = model.parameters.calibration(leg, values);
            if by.zero_length == 0.0 { by.zero_angle.to_degrees() } else { by.zero_length * 1e3 }
        };
        Some(Self {
            azimuth: [a.0, b.0, c.0],
            radius: [a.1, b.1, c.1],
            height: [a.2, b.2, c.2],
            arm: [a.3, b.3, c.3],
            rod: [a.4, b.4, c.4],
            zero: [zero(0), zero(1), zero(2)],
            left_out,
        })
    }

    fn mean(list: [f64; 3]) -> f64 {
        list.iter().sum::<f64>() / 3.0
    }

    /// By how much legs differ from their mean.
    fn spread(list: [f64; 3]) -> f64 {
        let mean = Self::mean(list);
        list.iter().fold(0.0_f64, |most, x| most.max((x - mean).abs()))
    }

    fn left_out(&self, comment: &str, more: &[String]) -> String {
        let all: Vec<&str> = self.left_out.iter().chain(more).map(String::as_str).collect();
        if all.is_empty() {
            String::new()
        } else {
            let text = format!("Not in these settings: {}.", all.join(", "));
            format!("{comment} {}\n", wrap(&text, 76).join(&format!("\n{comment} ")))
        }
    }
}

fn number(x: f64) -> String {
    format!("{x:.5}")
}

/// Every controller that has settings for this robot.
pub fn blocks(model: &Model, values: &[f64]) -> Vec<ControllerBlock> {
    let block = |controller: &str, text: String| ControllerBlock { controller: controller.into(), text };
    let family = model.robot.description().family();
    match family {
        Family::LinearDelta => match Legs::of(model, values, false) {
            Some(legs) => vec![
                block("klipper", klipper_towers(&legs)),
                block("marlin", marlin(&legs)),
                block("linuxcnc", linuxcnc_towers(&legs)),
                block("twincat", twincat(&legs, false)),
            ],
            None => Vec::new(),
        },
        Family::Delta => match Legs::of(model, values, true) {
            Some(legs) => vec![
                block("klipper", klipper_arms(&legs)),
                block("linuxcnc", linuxcnc_arms(&legs)),
                block("twincat", twincat(&legs, true)),
            ],
            None => Vec::new(),
        },
        Family::GoughStewart => vec![block("linuxcnc", linuxcnc_hexapod(model, values))],
        _ => Vec::new(),
    }
}

fn klipper_towers(legs: &Legs) -> String {
    let spread = Legs::spread(legs.radius);
    let more =
        if spread > 1e-6 { vec![format!("radii that differ by {} mm", short(spread))] } else { vec![] };
    let mut text = legs.left_out("#", &more);
    let _ = write!(text, "[printer]\nkinematics: delta\ndelta_radius: {}\n", number(Legs::mean(legs.radius)));
    for (k, name) in ["a", "b", "c"].iter().enumerate() {
        let _ = write!(
            text,
            "\n[stepper_{name}]\nangle: {}\narm_length: {}\n# position_endstop: add {} mm to what it is\n",
            number(legs.azimuth[k]),
            number(legs.rod[k]),
            number(legs.zero[k])
        );
    }
    text
}

fn klipper_arms(legs: &Legs) -> String {
    let mut more = Vec::new();
    for (what, list) in [("radii", legs.radius), ("heights", legs.height)] {
        if Legs::spread(list) > 1e-6 {
            more.push(format!("{what} that differ by {} mm", short(Legs::spread(list))));
        }
    }
    let mut text = legs.left_out("#", &more);
    let _ = write!(
        text,
        "[printer]\nkinematics: rotary_delta\nshoulder_radius: {}\n# shoulder_height: add {} mm to what it is\n",
        number(Legs::mean(legs.radius)),
        number(Legs::mean(legs.height))
    );
    for (k, name) in ["a", "b", "c"].iter().enumerate() {
        let _ = write!(
            text,
            "\n[stepper_{name}]\nangle: {}\nupper_arm_length: {}\nlower_arm_length: {}\n# position_endstop: the angle there is \
             {} deg larger, downward,\n# than its motor reads\n",
            number(legs.azimuth[k]),
            number(legs.arm[k]),
            number(legs.rod[k]),
            number(legs.zero[k])
        );
    }
    text
}

fn marlin(legs: &Legs) -> String {
    let (radius, rod) = (Legs::mean(legs.radius), Legs::mean(legs.rod));
    let mut text = legs.left_out(";", &[]);
    // Towers of Marlin stand at 210, 330 and 90 deg.
    let trims = [210.0, 330.0, 90.0]
        .iter()
        .zip(legs.azimuth)
        .map(|(own, at)| (at - own + 540.0).rem_euclid(360.0) - 180.0);
    let trims: Vec<f64> = trims.collect();
    let _ = write!(text, "M665 L{} R{}", number(rod), number(radius));
    if trims.iter().any(|trim| trim.abs() > 10.0) {
        text.insert_str(
            0,
            "; The towers stand elsewhere than Marlin's: X, Y and Z of M665, their angles, are left out.\n",
        );
    } else {
        for (letter, trim) in ["X", "Y", "Z"].iter().zip(&trims) {
            let _ = write!(text, " {letter}{}", number(*trim));
        }
    }
    for (letter, length) in ["A", "B", "C"].iter().zip(legs.rod) {
        let _ = write!(text, " {letter}{}", number(length - rod));
    }
    // Endstops are counted down from the highest one.
    let most = legs.zero.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    text += "\nM666";
    for (letter, zero) in ["X", "Y", "Z"].iter().zip(legs.zero) {
        let _ = write!(text, " {letter}{}", number(zero - most));
    }
    let _ =
        write!(text, "\n; Add the M666 to what it is, and {} mm to H of M665, the height.\n", number(most));
    if Legs::spread(legs.radius) > 1e-6 {
        let [a, b, c] = legs.radius.map(|own| number(own - radius));
        let _ = write!(
            text,
            "; Radii that differ are no setting of M665: they stand in Configuration.h,\n; #define DELTA_RADIUS_TRIM_TOWER {{ \
             {a}, {b}, {c} }}\n"
        );
    }
    text
}

fn linuxcnc_towers(legs: &Legs) -> String {
    let more: Vec<String> = [("radii", legs.radius), ("rods", legs.rod)]
        .iter()
        .filter(|(_, list)| Legs::spread(*list) > 1e-6)
        .map(|(what, list)| format!("{what} that differ by {} mm", short(Legs::spread(*list))))
        .collect();
    let mut text = legs.left_out("#", &more);
    let _ = write!(
        text,
        "setp lineardeltakins.R {}\nsetp lineardeltakins.L {}\n",
        number(Legs::mean(legs.radius)),
        number(Legs::mean(legs.rod))
    );
    for (k, zero) in legs.zero.iter().enumerate() {
        let _ = writeln!(text, "# [JOINT_{k}] HOME_OFFSET: add {} mm", number(*zero));
    }
    text
}

fn linuxcnc_arms(legs: &Legs) -> String {
    let more: Vec<String> = [("radii", legs.radius), ("arms", legs.arm), ("rods", legs.rod)]
        .iter()
        .filter(|(_, list)| Legs::spread(*list) > 1e-6)
        .map(|(what, list)| format!("{what} that differ by {} mm", short(Legs::spread(*list))))
        .collect();
    let mut text = legs.left_out("#", &more);
    let _ = write!(
        text,
        "setp rotarydeltakins.platformradius {}\nsetp rotarydeltakins.footradius 0\nsetp rotarydeltakins.thighlength {}\nsetp \
         rotarydeltakins.shinlength {}\n# The radii count by their difference only.\n",
        number(Legs::mean(legs.radius)),
        number(Legs::mean(legs.arm)),
        number(Legs::mean(legs.rod))
    );
    for (k, zero) in legs.zero.iter().enumerate() {
        let _ = writeln!(text, "# [JOINT_{k}] HOME_OFFSET: add {} deg", number(*zero));
    }
    text
}

fn linuxcnc_hexapod(model: &Model, values: &[f64]) -> String {
    let mut text = String::new();
    for (k, leg) in model.legs(values).iter().enumerate() {
        let legwork::engine::AnyLeg::Ups(leg) = leg else { continue };
        for (what, point) in [("base", leg.base), ("platform", leg.platform_point)] {
            for (axis, x) in ["x", "y", "z"].iter().zip(point.to_array()) {
                let _ = writeln!(text, "setp genhexkins.{what}.{k}.{axis} {}", number(x * 1e3));
            }
        }
        let _ = writeln!(text, "# [JOINT_{k}] HOME_OFFSET: add {} mm", number(leg.zero_length() * 1e3));
    }
    text
}

fn twincat(legs: &Legs, arms: bool) -> String {
    let mut text = String::from(
        "// Beckhoff publishes no file format for the parameters of its Delta kinematics\n// (TF5110 to TF5113): these are the \
         numbers of its parameter page. It has one\n// number for all legs; deviations of single legs are below it.\n",
    );
    text += &legs.left_out("//", &[]);
    let mut all = vec![("base radius less platform radius", legs.radius, "mm"), ("rod", legs.rod, "mm")];
    if arms {
        all.insert(1, ("arm", legs.arm, "mm"));
    }
    for (what, list, unit) in all {
        let mean = Legs::mean(list);
        let [a, b, c] = list.map(|x| number(x - mean));
        let _ = writeln!(text, "// {what}: {} {unit}\n//   legs: {a}, {b}, {c}", number(mean));
    }
    let [a, b, c] = legs.azimuth.map(number);
    let _ = writeln!(text, "// directions of the legs: {a}, {b}, {c} deg");
    let [a, b, c] = legs.zero.map(number);
    let _ = writeln!(
        text,
        "// NC axes, parameter `Encoder: Position Bias`:\n//   add {a}, {b}, {c} {}",
        if arms { "deg" } else { "mm" }
    );
    text
}
