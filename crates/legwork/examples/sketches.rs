//! The sketches of the built-in mechanisms in the book, from their files: bodies between their joints, seen from the side
//! and a little from above.
//!
//! `cargo run -p legwork --example sketches -- book/src/figures`

use legwork::AnyRobot;
use legwork::description::{FamilyData, MechanismJointKind, Placement};
use legwork::rotation::rotated;
use legwork_testkit::{nan_max, nan_min};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Name, what it is, and from how far round it is looked at \[deg\].
const ROBOTS: [(&str, &str, f64); 11] = [
    (
        "3-rps",
        "Three legs of a hinge, a driven slide and a ball joint; a platform that rises and tilts.",
        25.0,
    ),
    (
        "z3-head",
        "Three carriages on parallel rails, each with a hinged rod to a ball joint of the spindle.",
        25.0,
    ),
    ("tricept", "Three driven legs around a passive tube that slides in a universal joint.", 25.0),
    ("exechon", "Two legs in one plane and a third across it, all hinged to the platform.", 35.0),
    ("3-upu", "Three legs with universal joints at both ends; a platform that does not turn.", 25.0),
    ("orthoglide", "Three slides at right angles, each with a parallelogram to the platform.", 35.0),
    (
        "quattro",
        "Four arms with two rods each, and a platform of four hinged bars that turns the tool.",
        20.0,
    ),
    ("delta-two-rods", "Three arms, each with two rods: the Delta with all its bodies.", 20.0),
    (
        "delta-cardan",
        "The Delta with two rods for each arm, and a shaft with two universal joints that turns the tool.",
        20.0,
    ),
    ("agile-eye", "Three arms of two curved links whose axes all meet in one point.", -20.0),
    ("two-deltas", "Two Deltas that carry one bar.", 15.0),
];

const ORANGE: &str = "#D55E00";
const INK: &str = "#222222";

/// From metres to the page: an orthographic view.
struct View {
    turn: [f64; 2],
    tilt: [f64; 2],
    scale: f64,
    shift: [f64; 2],
}

impl View {
    fn flat(&self, [x, y, z]: [f64; 3]) -> [f64; 2] {
        let ([s, c], [st, ct]) = (self.turn, self.tilt);
        let (right, away) = (c * x + s * y, c * y - s * x);
        [right, -(ct * z + st * away)]
    }

    fn at(&self, point: [f64; 3]) -> [f64; 2] {
        let [x, y] = self.flat(point);
        [x * self.scale + self.shift[0], y * self.scale + self.shift[1]]
    }

    /// Everything within the left part of the page.
    fn fitting(degrees: f64, points: &[[f64; 3]]) -> Self {
        let (s, c) = degrees.to_radians().sin_cos();
        let (st, ct) = 22.0_f64.to_radians().sin_cos();
        let mut view = Self { turn: [s, c], tilt: [st, ct], scale: 1.0, shift: [0.0; 2] };
        let mut ends = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
        for point in points {
            for (end, x) in ends.iter_mut().zip(view.flat(*point)) {
                *end = [nan_min(end[0], x), nan_max(end[1], x)];
            }
        }
        let [width, height] = ends.map(|[low, high]| nan_max(high - low, 1e-9));
        view.scale = nan_min(420.0 / width, 310.0 / height);
        let middle = ends.map(|[low, high]| f64::midpoint(low, high));
        view.shift = [250.0 - middle[0] * view.scale, 200.0 - middle[1] * view.scale];
        view
    }
}

fn line(page: &mut String, [x, y]: [f64; 2], [u, v]: [f64; 2], color: &str, width: f64) {
    let _ = writeln!(
        page,
        "<line x1=\"{x:.1}\" y1=\"{y:.1}\" x2=\"{u:.1}\" y2=\"{v:.1}\" stroke=\"{color}\" stroke-width=\"{width}\" stroke-linecap=\"round\"/>"
    );
}

fn circle(page: &mut String, [x, y]: [f64; 2], radius: f64, fill: &str, stroke: &str, width: f64) {
    let _ = writeln!(
        page,
        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"{width}\"/>"
    );
}

fn outline(page: &mut String, points: &[[f64; 2]], fill: &str, opacity: f64, stroke: &str, width: f64) {
    let path: Vec<String> = points.iter().map(|[x, y]| format!("{x:.1} {y:.1}")).collect();
    let _ = writeln!(
        page,
        "<path d=\"M{} Z\" fill=\"{fill}\" fill-opacity=\"{opacity}\" stroke=\"{stroke}\" stroke-width=\"{width}\" stroke-linejoin=\"round\"/>",
        path.join(" L")
    );
}

fn words(page: &mut String, [x, y]: [f64; 2], text: &str, size: u32, weight: &str) {
    let _ = writeln!(
        page,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" font-weight=\"{weight}\">{text}</text>"
    );
}

/// The sign of a joint.
fn joint(page: &mut String, at: [f64; 2], kind: MechanismJointKind, driven: bool) {
    let color = if driven { ORANGE } else { INK };
    let [x, y] = at;
    match kind {
        MechanismJointKind::Prismatic | MechanismJointKind::Cylindrical | MechanismJointKind::Planar => {
            let r = if driven { 6.0 } else { 4.5 };
            outline(
                page,
                &[[x - r, y - r], [x + r, y - r], [x + r, y + r], [x - r, y + r]],
                "#ffffff",
                1.0,
                color,
                2.0,
            );
        }
        MechanismJointKind::Universal => {
            circle(page, at, 5.0, "#ffffff", color, 1.8);
            line(page, [x - 3.5, y - 3.5], [x + 3.5, y + 3.5], color, 1.3);
            line(page, [x - 3.5, y + 3.5], [x + 3.5, y - 3.5], color, 1.3);
        }
        MechanismJointKind::Spherical => circle(page, at, 4.0, "#8a8a8a", color, 1.6),
        MechanismJointKind::Revolute => {
            circle(
                page,
                at,
                if driven { 7.0 } else { 4.0 },
                "#ffffff",
                color,
                if driven { 2.4 } else { 1.8 },
            );
            if driven {
                circle(page, at, 2.0, color, color, 1.0);
            }
        }
        MechanismJointKind::Fixed => {}
    }
}

/// The outline of points: the way round those that are outermost.
fn hull(mut points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    let mut outline: Vec<[f64; 2]> = Vec::new();
    for pass in 0..2 {
        let begin = outline.len();
        for point in &points {
            while let [.., a, b] = outline[begin..] {
                let side = (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]);
                if side > 0.0 {
                    break;
                }
                outline.pop();
            }
            outline.push(*point);
        }
        outline.pop();
        if pass == 0 {
            points.reverse();
        }
    }
    outline
}

fn of(place: &Placement, point: [f64; 3]) -> [f64; 3] {
    let turned = rotated(&place.rotation, point);
    [0, 1, 2].map(|i| place.position[i] + turned[i])
}

fn sketch(name: &str, meaning: &str, degrees: f64) -> Result<String, Box<dyn std::error::Error>> {
    let robot = AnyRobot::open(name)?;
    let FamilyData::Mechanism(file) = &robot.description().data else { return Err("no mechanism".into()) };
    let is_guide = |name: &str| name.rsplit('.').next().is_some_and(|own| own.starts_with("guide_"));
    let home = |body: Option<usize>| body.map_or(Placement::IDENTITY, |body| file.bodies[body].home);
    // The points of the joints in each body, in their order.
    let shown: Vec<_> = file.joints.iter().filter(|joint| !is_guide(&joint.name)).collect();
    let point =
        |joint: &legwork::description::MechanismJoint| of(&home(joint.child), joint.child_frame.position);
    let parent_point =
        |joint: &legwork::description::MechanismJoint| of(&home(joint.parent), joint.parent_frame.position);
    let points_of = |body: Option<usize>| -> Vec<[f64; 3]> {
        let mut points: Vec<[f64; 3]> = Vec::new();
        for joint in &shown {
            for (side, point) in [(joint.parent, parent_point(joint)), (joint.child, point(joint))] {
                let is_new = points.iter().all(|p| (0..3).any(|i| (p[i] - point[i]).abs() > 1e-9));
                if side == body && is_new {
                    points.push(point);
                }
            }
        }
        points
    };
    let mut all: Vec<[f64; 3]> = shown.iter().flat_map(|joint| [point(joint), parent_point(joint)]).collect();
    all.push(robot.home().position);
    let view = View::fitting(degrees, &all);
    let mut page = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 400\" width=\"720\" height=\"400\" role=\"img\" \
         aria-labelledby=\"t d\" font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\" font-size=\"14\" fill=\"{INK}\">\n\
         <title id=\"t\">{name}</title>\n<desc id=\"d\">{meaning}</desc>\n<rect width=\"720\" height=\"400\" fill=\"#ffffff\"/>\n"
    );
    let around = |points: &[[f64; 3]]| hull(points.iter().map(|p| view.at(*p)).collect());
    let base = points_of(None);
    if base.len() > 2 {
        outline(&mut page, &around(&base), "#eeeeee", 1.0, "#8a8a8a", 1.2);
    } else if let [a, b] = base[..] {
        line(&mut page, view.at(a), view.at(b), "#8a8a8a", 3.0);
    }
    let driven: BTreeSet<usize> =
        file.joints.iter().filter(|joint| joint.motor.is_some()).filter_map(|joint| joint.child).collect();
    for (body, own) in file.bodies.iter().enumerate().filter(|(body, _)| *body != file.platform) {
        let points = points_of(Some(body));
        let (color, width): (&str, f64) =
            if driven.contains(&body) { ("#0072B2", 7.0) } else { ("#009E73", 3.5) };
        if is_guide(&own.name) {
            continue;
        }
        if points.len() > 2 {
            outline(&mut page, &around(&points), color, 0.25, color, width.min(4.0));
        } else if let [a, b] = points[..] {
            line(&mut page, view.at(a), view.at(b), color, width);
        }
    }
    for one in &shown {
        let slides = matches!(one.kind, MechanismJointKind::Prismatic | MechanismJointKind::Cylindrical);
        if slides {
            let (color, width) = if one.motor.is_some() { ("#0072B2", 7.0) } else { ("#009E73", 3.5) };
            line(&mut page, view.at(parent_point(one)), view.at(point(one)), color, width);
        }
    }
    let platform = points_of(Some(file.platform));
    let tool = robot.home().position;
    if platform.len() > 2 {
        outline(&mut page, &around(&platform), "#E69F00", 0.55, INK, 2.0);
    } else if let [a, b] = platform[..] {
        line(&mut page, view.at(a), view.at(b), "#E69F00", 8.0);
    } else if let [a] = platform[..] {
        line(&mut page, view.at(a), view.at(tool), "#E69F00", 8.0);
    }
    for one in &shown {
        joint(&mut page, view.at(parent_point(one)), one.kind, one.motor.is_some());
    }
    let at = view.at(tool);
    circle(&mut page, at, 4.0, INK, INK, 1.8);
    words(&mut page, [at[0] + 8.0, at[1] + 16.0], "P", 14, "bold");
    legend(&mut page, &shown);
    page.push_str("</svg>\n");
    Ok(page)
}

/// What the signs mean, of those that are there.
fn legend(page: &mut String, shown: &[&legwork::description::MechanismJoint]) {
    let (x, mut y) = (536.0, 130.0);
    let mut row = |page: &mut String, text: &str| {
        y += 26.0;
        words(page, [x + 21.0, y + 5.0], text, 14, "normal");
        [x, y]
    };
    for (kind, text) in [
        (MechanismJointKind::Revolute, "hinge"),
        (MechanismJointKind::Prismatic, "slide"),
        (MechanismJointKind::Universal, "universal joint"),
        (MechanismJointKind::Spherical, "ball joint"),
    ] {
        for driven in [true, false] {
            if shown.iter().any(|one| one.kind == kind && one.motor.is_some() == driven) {
                let text = if driven { format!("{text} with motor") } else { text.into() };
                let at = row(page, &text);
                joint(page, at, kind, driven);
            }
        }
    }
    let [x, y] = row(page, "driven body");
    line(page, [x - 11.0, y], [x + 11.0, y], "#0072B2", 7.0);
    let [x, y] = row(page, "passive body");
    line(page, [x - 11.0, y], [x + 11.0, y], "#009E73", 3.5);
    let [x, y] = row(page, "platform");
    outline(
        page,
        &[[x - 10.0, y - 5.0], [x + 10.0, y - 5.0], [x + 10.0, y + 5.0], [x - 10.0, y + 5.0]],
        "#E69F00",
        0.55,
        INK,
        1.5,
    );
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("say into which folder")?;
    for (name, meaning, degrees) in ROBOTS {
        let path = std::path::Path::new(&folder).join(format!("{name}.svg"));
        std::fs::write(&path, sketch(name, meaning, degrees)?)?;
        println!("{}", path.display());
    }
    Ok(())
}
