//! Robots of any size prove themselves, and what is recognised in `[[leg]]` tables is what they describe.

use crate::robot_support::{Seeded, some_state};
use legwork::check::{CheckSummary, DEFAULT_SEED, check_robot};
use legwork::description::{BUILT_IN, RobotDescription};
use legwork::{AnyRobot, Dynamics};
use legwork_testkit::{nan_max, relative_error};
use std::fmt::Write;

fn robot(text: &str) -> AnyRobot {
    AnyRobot::new(
        RobotDescription::parse(text, "test.toml").unwrap_or_else(|error| panic!("{error}\n{text}")),
    )
    .unwrap()
}

fn proved(what: &str, robot: &AnyRobot) -> CheckSummary {
    let found = check_robot(robot, 20, DEFAULT_SEED);
    for finding in &found.findings {
        println!("{what}: {:52} {:.1e} {:?}", finding.name, finding.worst, finding.failed);
    }
    println!("{what}: {} of {}, {:?} {:?}", found.states, found.sampled, found.refused, found.failed);
    assert!(found.holds(), "{what}: {found:#?}");
    assert_eq!(found.states, 20, "{what}");
    found
}

/// Numbers of a file: lengths times `l`, masses times `m`.
#[derive(Clone, Copy)]
struct Units {
    l: f64,
    m: f64,
}

impl Units {
    fn point(self, point: [f64; 3]) -> String {
        let [x, y, z] = point.map(|x| x * self.l);
        format!("[{x:e}, {y:e}, {z:e}]")
    }

    fn body(self, mass: f64, centre: [f64; 3], inertia: [f64; 3]) -> String {
        let [a, b, c] = inertia.map(|x| x * self.m * self.l * self.l);
        let (mass, centre) = (mass * self.m, self.point(centre));
        format!("mass = {mass:e}, centre = {centre}, inertia = [{a:e}, {b:e}, {c:e}]")
    }

    fn platform(self, mass: f64) -> String {
        let body = self.body(mass, [0.01, -0.015, 0.06], [0.62, 0.58, 1.05]);
        format!("[platform]\n{}\n", body.replace(", centre", "\ncentre").replace(", inertia", "\ninertia"))
    }
}

fn gough_stewart(units: Units) -> String {
    let Units { l, m: _ } = units;
    let lines = |body: String| body.replace(", centre", "\ncentre").replace(", inertia", "\ninertia");
    format!(
        "family = \"gough-stewart\"\n[geometry]\nbase_radius = {:e}\nbase_spread = \"10 deg\"\n\
         platform_radius = {:e}\nplatform_spread = \"10 deg\"\nplatform_turn = \"60 deg\"\n\
         [cylinder]\n{}\n[rod]\n{}\n{}[home]\nposition = {}\n",
        0.6 * l,
        0.35 * l,
        lines(units.body(2.4, [0.0, 0.0, 0.22], [0.052, 0.052, 0.0031])),
        lines(units.body(1.1, [0.0, 0.0, -0.26], [0.031, 0.031, 0.00042])),
        units.platform(14.0),
        units.point([0.0, 0.0, 0.8]),
    )
}

fn five_bar(l: f64, link: f64, platform: f64) -> String {
    let i = link * l * l;
    format!(
        "family = \"five-bar\"\nworking_mode = [\"left\", \"right\"]\n[geometry]\nmotor_offset = {:e}\n\
         proximal = {:e}\ndistal = {:e}\n[mass]\nproximal = {link:e}\nproximal_centre = {:e}\n\
         proximal_inertia = {:e}\ndistal = {link:e}\ndistal_centre = {:e}\ndistal_inertia = {:e}\n\
         platform = {platform:e}\n[home]\nposition = [0, {:e}]\n",
        0.4 * l,
        l,
        1.4 * l,
        0.44 * l,
        0.1 * i,
        0.68 * l,
        0.2 * i,
        1.44 * l,
    )
}

/// Three legs R, P in a plane through the base's origin, the slides driven. `plane` are its two axes and its normal.
fn rpr3(units: Units, plane: [usize; 3], freedoms: &str) -> String {
    rpr3_driven(units, plane, freedoms, [[false, true]; 3])
}

/// The same with turn and slide of each leg driven or not.
fn rpr3_driven(units: Units, plane: [usize; 3], freedoms: &str, driven: [[bool; 2]; 3]) -> String {
    let [u, v, w] = plane;
    let at = |x: f64, y: f64| {
        let mut point = [0.0; 3];
        (point[u], point[v]) = (x, y);
        units.point(point)
    };
    let mut axis = [0; 3];
    axis[w] = 1;
    // The slide along the first axis of the plane, turned about its normal.
    let mut slide = [0; 3];
    slide[u] = 1;
    let turn = if (u + 1) % 3 == v { 1.0 } else { -1.0 };
    let down: Vec<i32> = (0..3).map(|k| -i32::from(k == v)).collect();
    let mut text = format!(
        "family = \"custom\"\nfreedoms = {freedoms}\ngravity_direction = {down:?}\n{}[home]\nposition = {}\n",
        units.platform(2.0),
        at(0.0, 0.0)
    );
    for ((place, tip, start), [turns, slides]) in [
        ((0.4, 0.02), (0.1, 0.0), 180.0),
        ((-0.2, 0.3464), (-0.05, 0.0866), -60.0),
        ((-0.3, -0.3464), (-0.05, -0.0866), 60.0),
    ]
    .into_iter()
    .zip(driven)
    {
        let body = units.body(0.5, [0.03, 0.02, 0.01], [0.002, 0.003, 0.0025]);
        write!(
            text,
            "[[leg]]\nattachment = {{ type = \"planar\", point = {}, normal = {axis:?} }}\n\
             [[leg.joint]]\ntype = \"revolute\"\nactive = {turns}\norigin = {}\naxis = {axis:?}\nstart = \"{} deg\"\n\
             body = {{ {body} }}\n[[leg.joint]]\ntype = \"prismatic\"\nactive = {slides}\naxis = {slide:?}\nstart = {:e}\nbody = {{ {body} }}\n",
            at(tip.0, tip.1),
            at(place.0, place.1),
            turn * start,
            0.3 * units.l,
        )
        .unwrap();
    }
    text
}

/// Six legs R, U, S: motors, elbows and platform joints where no symmetry puts them. With the universal joints counted
/// from their other side if asked.
fn rus6(units: Units, other_side: bool, with_cross: bool) -> String {
    let mut text = format!(
        "family = \"custom\"\n{}[home]\nposition = {}\n",
        units.platform(3.0),
        units.point([0.0, 0.0, -0.7])
    );
    let cross = if with_cross {
        units.body(0.2, [0.02, 0.01, 0.015], [0.002, 0.003, 0.0025])
    } else {
        "mass = 0".into()
    };
    let arm = units.body(0.8, [0.12, 0.01, 0.02], [0.003, 0.012, 0.012]);
    let rod = units.body(0.4, [0.01, 0.015, -0.3], [0.016, 0.017, 0.002]);
    let (second, third) = if other_side { ("200 deg", "175 deg") } else { ("20 deg", "5 deg") };
    for (k, turn) in [-9.0, 14.0, 108.0, 133.0, 235.0, 251.0_f64].into_iter().enumerate() {
        let platform = turn + [31.0, -35.0, 28.0, -31.0, 33.0, -29.0][k];
        let (r, p) = (0.25 + 0.01 * k as f64, 0.14 + 0.005 * k as f64);
        let (s, c) = turn.to_radians().sin_cos();
        let (ps, pc) = platform.to_radians().sin_cos();
        write!(
            text,
            "[[leg]]\nattachment = {{ type = \"spherical\", tip = {}, point = {} }}\n\
             [[leg.joint]]\ntype = \"revolute\"\nactive = true\norigin = {}\norientation = [0, 0, \"{turn} deg\"]\n\
             axis = [0, 1, 0]\nstart = \"20 deg\"\nbody = {{ {arm} }}\n\
             [[leg.joint]]\ntype = \"revolute\"\norigin = {}\naxis = [0, 1, 0]\nstart = \"{second}\"\nbody = {{ {cross} }}\n\
             [[leg.joint]]\ntype = \"revolute\"\naxis = [1, 0, 0]\nstart = \"{third}\"\nbody = {{ {rod} }}\n",
            units.point([0.0, 0.0, -0.7]),
            units.point([p * pc, p * ps, 0.01 * k as f64]),
            units.point([r * c, r * s, 0.02 * k as f64]),
            units.point([0.3, 0.0, 0.0]),
        )
        .unwrap();
    }
    text
}

const HERE: Units = Units { l: 1.0, m: 1.0 };

#[test]
fn the_verdict_does_not_depend_on_size_and_mass() {
    let sizes = [(1.0, 1.0), (0.01, 1.0), (1000.0, 1.0), (1e-6, 1e-9), (1.0, 1e-9), (1e4, 1e7)];
    for (l, m) in sizes {
        let units = Units { l, m };
        proved(&format!("gough-stewart {l} {m}"), &robot(&gough_stewart(units)));
        proved(&format!("3-RPR {l} {m}"), &robot(&rpr3(units, [0, 1, 2], "\"planar\"")));
    }
    for (l, link, platform) in
        [(0.25, 0.5, 0.5), (25e-6, 1e-9, 1e6), (25e-6, 1e-12, 1e-12), (2.5e3, 1e6, 1e-3)]
    {
        let found = proved(&format!("five-bar {l} {link} {platform}"), &robot(&five_bar(l, link, platform)));
        assert_eq!(found.findings.len(), 15);
    }
}

/// Turning and sliding motors in one robot: as many as freedoms, and one more.
#[test]
fn the_verdict_does_not_depend_on_size_where_motors_turn_and_slide() {
    for (l, m) in [(1.0, 1.0), (1e-3, 1.0), (1e-6, 1e-6), (1e-6, 1e3), (1e3, 1.0), (1e6, 1.0)] {
        for driven in
            [[[true, false], [false, true], [false, true]], [[true, true], [false, true], [false, true]]]
        {
            let text = rpr3_driven(Units { l, m }, [0, 1, 2], "\"planar\"", driven);
            proved(&format!("3-RPR {l} {m} {driven:?}"), &robot(&text));
        }
    }
}

/// Rotors that are a thousand million times heavier than all that moves with the platform, and friction beside which
/// inertia is nothing: the models are right, and what is left of a small term is rounding of a large one.
#[test]
fn the_verdict_does_not_depend_on_what_is_heavy() {
    let delta = |masses: [f64; 3], motor: &str| {
        let [platform, arm, forearm] = masses;
        format!(
            "name = 'd'\nfamily = 'delta'\n[geometry]\nbase_radius = '0.35 mm'\nplatform_radius = '0.1 mm'\n\
             arm = '0.34 mm'\nforearm = '0.92 mm'\n[mass]\nplatform = {platform}\narm = {arm}\n\
             forearm = {forearm}\n[motor]\n{motor}\n"
        )
    };
    for (masses, motor) in [
        ([7e-7, 0.016, 7e-6], "rotor_inertia = '1.4 kg cm^2'\ngear_ratio = 25"),
        ([3e-4, 7e-5, 2e-6], "viscous_friction = '40 N m s/rad'"),
        ([500.0, 1e-6, 1e-6], "rotor_inertia = 0"),
        ([1e-6, 500.0, 1e-6], "rotor_inertia = 0"),
    ] {
        proved(&format!("{masses:?} {motor}"), &robot(&delta(masses, motor)));
    }
}

/// Legs that lie flat at home pass their own axes not far from it. Behind them there are two ways to count the joints.
#[test]
fn a_flat_robot_proves_itself() {
    for entry in BUILT_IN.iter().filter(|entry| entry.name.starts_with("space-")) {
        for height in [0.05, 0.01] {
            let lines = entry.text.lines().map(|line| match line.split(" = ").next() {
                Some("position") => format!("position = [0, 0, {height}]"),
                _ => line.to_owned(),
            });
            let flat = robot(&lines.collect::<Vec<_>>().join("\n"));
            proved(&format!("{} at {height} m", entry.name), &flat);
        }
    }
}

/// With more motors than freedoms the smallest efforts are the same whatever the unit of length: the same forces in a
/// robot of another size and the same masses, and torques in proportion to its lengths.
#[test]
fn the_smallest_efforts_do_not_depend_on_the_unit() {
    let driven = [[true, true], [false, true], [false, true]];
    let efforts = |l: f64| {
        let robot = robot(&rpr3_driven(Units { l, m: 1.0 }, [0, 1, 2], "\"planar\"", driven));
        robot.inverse_dynamics(&robot.home()).unwrap()
    };
    let here = efforts(1.0);
    for l in [1e-6, 1e-2, 1e3] {
        let mut found = efforts(l);
        found[0] /= l;
        assert!(relative_error(&found, &here) < 1e-11, "{l}: {found:?} {here:?}"); // rounding, times the condition
    }
}

#[test]
fn robots_without_symmetry_and_in_other_planes_prove_themselves() {
    proved("3-RPR in x-z", &robot(&rpr3(HERE, [0, 2, 1], "[\"vx\", \"vz\", \"wy\"]")));
    proved("3-RPR in y-z", &robot(&rpr3(HERE, [1, 2, 0], "[\"vy\", \"vz\", \"wx\"]")));
    for (l, m) in [(1.0, 1.0), (1e-3, 1e-6), (1e3, 1.0)] {
        proved(&format!("6-RUS {l}"), &robot(&rus6(Units { l, m }, false, true)));
    }
}

/// Six legs U, P, S or P, U, S, with mass in the cross of the universal joint if asked; the joint counted from its other
/// side if asked.
fn ups_or_pus(slide_first: bool, other_side: bool, with_cross: bool) -> String {
    let units = HERE;
    let mut text = format!("family = \"custom\"\n{}[home]\nposition = [0, 0, 0.8]\n", units.platform(3.0));
    let cross = if with_cross {
        units.body(0.2, [0.02, 0.01, 0.015], [0.002, 0.003, 0.0025])
    } else {
        "mass = 0".into()
    };
    let (rod, carriage) =
        (units.body(0.4, [0.01, 0.015, 0.3], [0.016, 0.017, 0.002]), units.body(0.9, [0.0; 3], [0.01; 3]));
    let (first, second) = if other_side { (180, 180) } else { (0, 0) };
    for (k, turn) in [-9.0, 14.0, 108.0, 133.0, 235.0, 251.0_f64].into_iter().enumerate() {
        let platform = turn + [31.0, -35.0, 28.0, -31.0, 33.0, -29.0][k];
        let (r, p) = (0.55 + 0.01 * k as f64, 0.3 + 0.005 * k as f64);
        let (s, c) = turn.to_radians().sin_cos();
        let (ps, pc) = platform.to_radians().sin_cos();
        let (base, point) = ([r * c, r * s, 0.02 * k as f64], [p * pc, p * ps, 0.01 * k as f64]);
        let joint = |kind: &str, active: bool, origin: [f64; 3], axis: &str, start: String, body: &str| {
            format!(
                "[[leg.joint]]\ntype = \"{kind}\"\nactive = {active}\norigin = {}\naxis = {axis}\nstart = {start}\n\
                 body = {{ {body} }}\n",
                units.point(origin)
            )
        };
        let turns = [format!("\"{first} deg\""), format!("\"{second} deg\"")];
        let [one, two] = turns;
        let tip = if slide_first { [0.0, 0.0, 0.85] } else { [0.0; 3] };
        write!(
            text,
            "[[leg]]\nattachment = {{ type = \"spherical\", tip = {}, point = {} }}\n",
            units.point(tip),
            units.point(point)
        )
        .unwrap();
        let zero = [0.0; 3];
        let joints = if slide_first {
            [
                joint("prismatic", true, base, "[0, 0, 1]", "0".into(), &carriage),
                joint("revolute", false, zero, "[1, 0, 0]", one, &cross),
                joint("revolute", false, zero, "[0, 1, 0]", two, &rod),
            ]
        } else {
            [
                joint("revolute", false, base, "[1, 0, 0]", one, &cross),
                joint("revolute", false, zero, "[0, 1, 0]", two, &rod),
                joint("prismatic", true, zero, "[0, 0, 1]", "0.85".into(), &rod),
            ]
        };
        text.push_str(&joints.concat());
    }
    text
}

/// Two legs R, R, the elbows outward or both to one side.
fn rr(second: [f64; 2]) -> String {
    let text = AnyRobot::open("custom-five-bar").unwrap();
    let text = text.description().text.clone().unwrap();
    let text = text.replacen("start = \"30 deg\"", &format!("start = \"{} deg\"", second[0]), 1);
    text.replacen("start = \"120 deg\"", &format!("start = \"{} deg\"", second[1]), 1)
}

/// Largest difference of efforts and masses, relative to the largest of each.
fn difference(a: &Dynamics, b: &Dynamics) -> f64 {
    assert!(a.effort.iter().chain(&b.effort).all(|x| x.is_finite()) && a.effort.len() == b.effort.len());
    let efforts = [
        relative_error(&a.effort, &b.effort),
        relative_error(&a.gravity, &b.gravity),
        relative_error(&a.coriolis, &b.coriolis),
    ];
    let masses = relative_error(&a.mass_matrix.concat(), &b.mass_matrix.concat());
    efforts.into_iter().fold(masses, nan_max)
}

/// Every shape with a closed form, from both sides, against the same robot as plain chains: 340 % were possible.
#[test]
fn what_is_recognised_is_what_the_tables_describe() {
    let cases = [
        ("RUS", rus6(HERE, false, true), Some(rus6(HERE, true, true)), 6),
        ("PUS", ups_or_pus(true, false, true), Some(ups_or_pus(true, true, true)), 6),
        ("UPS", ups_or_pus(false, false, false), Some(ups_or_pus(false, true, false)), 0),
        (
            "UPS with mass in the cross",
            ups_or_pus(false, false, true),
            Some(ups_or_pus(false, true, true)),
            6,
        ),
        ("RR", rr([30.0, 120.0]), Some(rr([110.0, -120.0])), 2),
    ];
    for (shape, text, other, branches) in cases {
        let sides = [robot(&text), robot(&other.unwrap_or_default())];
        let mut random = Seeded(5);
        let mut apart = 0.0_f64;
        for _ in 0..10 {
            let platform = some_state(&sides[0], &mut random);
            let found = sides.each_ref().map(|robot| {
                // A robot with closed forms has two branches for each leg, or as UPS the formula of its own.
                assert_eq!(
                    robot.working_mode().split('-').filter(|word| *word != "only").count(),
                    branches,
                    "{shape}"
                );
                let chains = robot.as_chains().unwrap().led_to(&platform).unwrap();
                let [fast, plain] = [robot, &chains].map(|robot| robot.state(&platform).unwrap());
                let [fast_dynamics, plain] = [&fast, &plain].map(|state| state.dynamics.clone().unwrap());
                let off = difference(&fast_dynamics, &plain);
                assert!(off < 1e-10, "{shape}: {off:.1e}"); // rounding, times the condition
                fast_dynamics
            });
            apart = nan_max(apart, difference(&found[0], &found[1]));
        }
        // Turned over it is another robot: the test can tell the sides apart.
        println!("{shape}: the two sides differ by {:.0} %", 100.0 * apart);
        assert!(apart > 1e-3, "{shape}: {apart:.1e}");
        for robot in &sides {
            proved(shape, robot);
        }
    }
}

/// A leg that is not quite of a shape stays the chain that it is.
#[test]
fn a_leg_that_only_looks_like_a_shape_stays_a_chain() {
    // The universal joint's second axis passes its first one at a distance of a thousandth of the leg.
    for units in [HERE, Units { l: 1e-5, m: 1e-9 }] {
        let text = rus6(units, false, true);
        let beside = text.replace(
            "[[leg.joint]]\ntype = \"revolute\"\naxis = [1, 0, 0]",
            &format!(
                "[[leg.joint]]\ntype = \"revolute\"\norigin = {}\naxis = [1, 0, 0]",
                units.point([0.001, 0.0, 0.001])
            ),
        );
        assert_ne!(text, beside);
        assert_ne!(robot(&text).working_mode(), "only");
        let robot = robot(&beside);
        assert_eq!(robot.working_mode(), "only");
        proved("RUS with skew axes", &robot);
    }
}

/// Distances to singularities of a robot and of the same one in other sizes.
#[test]
fn margins_do_not_depend_on_the_unit() {
    let shapes: [(&str, &dyn Fn(Units) -> String); 4] = [
        ("gough-stewart", &gough_stewart),
        ("3-RPR", &|units| rpr3(units, [0, 1, 2], "\"planar\"")),
        ("6-RUS", &|units| rus6(units, false, true)),
        ("five-bar", &|Units { l, m }| five_bar(0.25 * l, m, m)),
    ];
    for (shape, text) in shapes {
        let here = robot(&text(HERE));
        let known = here.singularity(&here.home()).unwrap();
        for l in [1e-6, 1e-3, 1e3] {
            let other = robot(&text(Units { l, m: 1.0 }));
            let found = other.singularity(&other.home()).unwrap();
            let pairs = found.serial.iter().zip(&known.serial).chain([(&found.condition, &known.condition)]);
            for (a, b) in pairs {
                assert!((a - b).abs() < 1e-9 * b.abs(), "{shape} {l}: {a} {b}"); // rounding, times the condition
            }
        }
    }
}
