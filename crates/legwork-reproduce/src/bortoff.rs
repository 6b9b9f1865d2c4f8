//! \[Bortoff2018\]: small motions.

use crate::{BoxError, Expected, Findings, Item, Paper, Source, Work, bortoff_motion};
use Paper::Bortoff2018;
use Source::{Independent, Paper as Printed, Theory};
use legwork::Real;
use legwork::analysis::linear::{
    Constrained, DMatrix, Pole, Reduced, largest_real_part, order, stability, zeros,
};
use legwork::report::{Axis, Cloud, Lines, Marker, Multiples, Table};
use legwork::task::Handle;
use legwork::{AnyRobot, PlatformState};
use std::f64::consts::FRAC_PI_4;

const SWING: &str = "Robot delta-bortoff-b with its damping at all three angles of each arm, from π/4 at rest; torques \
    u_g (1 + 0.25 sin(2πt + phase)), a third of a turn between the motors; 5 s; Dormand–Prince 5(4), absolute tolerance a \
    thousandth of the relative one.";

/// In the order of the paper.
pub(crate) const ITEMS: &[Item] = &[
    Item::drawing(Bortoff2018, "fig1", "Delta robot"),
    Item::drawing(Bortoff2018, "fig2", "Coordinates of an arm"),
    Item::drawing(Bortoff2018, "fig3", "Coordinates from below"),
    Item {
        open: "a list of parameters without numbers",
        ..Item::drawing(Bortoff2018, "table1", "Parameters")
    },
    Item {
        paper: Bortoff2018,
        id: "drift",
        title: "Drift off the closed loops (section II)",
        statement: "With Baumgarte's stabilisation the drift is less than microns for typical tolerances, and smaller with \
                    smaller tolerances.",
        conditions: SWING,
        open: "The robot, the run and the tolerance of the paper are not given. The drift depends on the step control, so of \
               the independent program's figures the size is compared.",
        work: Work::Compute(bortoff_motion::drift),
    },
    Item {
        paper: Bortoff2018,
        id: "cost",
        title: "Cost of the constrained form (section II)",
        statement: "Simulation is an order of magnitude faster than with dummy derivatives.",
        conditions: "As the drift, with the damping of the motors only, which both forms can have; the minimal form is in \
                     closed form. Times are those of this machine.",
        open: "The order of magnitude: dummy derivatives are made by that author's tool. What can be compared is the \
               constrained form against minimal coordinates, and that both run to the same place.",
        work: Work::Compute(bortoff_motion::cost),
    },
    Item::drawing(Bortoff2018, "fig4", "Screenshot of the library and of a controller"),
    Item {
        paper: Bortoff2018,
        id: "newton",
        title: "Newton's method for the forward kinematics (section IV.A)",
        statement: "Converges to seven decimal places in two to three iterations from the last sample.",
        conditions: "Along the run of the drift; from the angles of the sample before, until the loops close to 1e-7 m.",
        open: "An independent program counted 1.7, 2.0 and 2.1 on average, at most 3, but its criterion is not recorded: only \
               the range of the paper is compared.",
        work: Work::Compute(bortoff_motion::newton),
    },
    Item {
        paper: Bortoff2018,
        id: "fig5",
        title: "Poles and zeros at two equilibria",
        statement: "12 pole–zero pairs at −5. At π/4 the six others are all near −0.5 ± 5.5j; at 0 four are at about −2 ± j, \
                    \"moving slightly\", one at −6.5 and an unstable one at 5.2.",
        conditions: "The laboratory's parameters are not printed. Three sets of ours, fitted to the printed poles: A with a \
                     damping for each angle, B without the condition −2 ± j, C with one damping. The constrained form with \
                     the loops' poles at −5, exact derivatives.",
        open: "−2 ± j: it contradicts \"moving slightly\" from −0.5 ± 5.5j, and no robot with sound masses meets it together \
               with the others; set C comes within 0.8 of it.",
        work: Work::Compute(poles),
    },
    Item {
        paper: Bortoff2018,
        id: "crossing",
        title: "Where the robot turns unstable (section IV.E)",
        statement: "The unstable root crosses the axis at about 22°.",
        conditions: "Sets A, B, C; all motors at one angle from −45° to 85°.",
        open: "",
        work: Work::Compute(crossing),
    },
    Item {
        paper: Bortoff2018,
        id: "workspace",
        title: "The unstable share of the workspace (section IV.E)",
        statement: "The open loop is unstable for a significant range of the workspace.",
        conditions: "Set B, x and y within ±0.2 m, a grid of 4 cm, motor angles from −45° to 85°; z down.",
        open: "\"Significant\" is no number. The share depends on the square: over the whole reach it is about 65 %.",
        work: Work::Compute(workspace),
    },
    Item {
        paper: Bortoff2018,
        id: "gravity",
        title: "Gravity compensation (section IV.E)",
        statement: "A gravity-compensating inner loop makes every equilibrium exponentially stable.",
        conditions: "Set B at 17°. With a PD around it: K_p = 2 N m/rad, K_d = 0.1 N m s/rad.",
        open: "The claim does not hold, see the errata: every pose becomes an equilibrium and three poles stay at 0. Our \
               numbers are compared with the independent program.",
        work: Work::Compute(gravity),
    },
];

/// A robot fitted to the printed poles, and what an independent program found for it.
struct Set {
    letter: char,
    name: &'static str,
    damping: [f64; 3],
    /// π/4: vertical and lateral pair.
    vertical: [&'static str; 2],
    lateral: [&'static str; 2],
    /// 0: the two real poles, the lateral pair.
    falling: [&'static str; 2],
    swaying: [&'static str; 2],
    crossing: &'static str,
}

const SETS: [Set; 3] = [
    Set {
        letter: 'A',
        name: "delta-bortoff-a",
        damping: [0.0895, 0.2094, 0.0567],
        vertical: ["-0.69", "5.26"],
        lateral: ["-0.60", "5.63"],
        falling: ["5.29", "-6.47"],
        swaying: ["-1.60", "1.60"],
        crossing: "22.01",
    },
    Set {
        letter: 'B',
        name: "delta-bortoff-b",
        damping: [0.0412, 0.0009, 0.0521],
        vertical: ["-0.502", "5.506"],
        lateral: ["-0.499", "5.499"],
        falling: ["5.19", "-6.50"],
        swaying: ["-0.93", "3.99"],
        crossing: "21.98",
    },
    Set {
        letter: 'C',
        name: "delta-bortoff-c",
        damping: [0.0863; 3],
        vertical: ["-0.61", "5.25"],
        lateral: ["-0.68", "5.63"],
        falling: ["5.25", "-6.55"],
        swaying: ["-1.50", "1.68"],
        crossing: "22.08",
    },
];

impl Set {
    fn robot(&self) -> Result<AnyRobot, BoxError> {
        Ok(AnyRobot::open(self.name)?)
    }

    /// Small motions with all motors at an angle.
    fn reduced(&self, angle: f64) -> Result<Reduced, BoxError> {
        let robot = self.robot()?;
        let pose = stability::common_motor_path(&robot)(angle)?;
        Ok(Reduced::at(&robot, &pose)?.with_arm_damping(&robot, &pose, self.damping)?)
    }
}

/// The pole that is nearest to an expected one.
fn nearest(poles: &[Pole], [re, im]: [&str; 2]) -> Pole {
    let wanted = Pole { re: re.parse().unwrap_or(0.0), im: im.parse().unwrap_or(0.0) };
    let near = poles.iter().min_by(|a, b| a.distance(&wanted).total_cmp(&b.distance(&wanted)));
    near.copied().unwrap_or(Pole { re: f64::NAN, im: f64::NAN })
}

/// How many poles there are at the place of one.
fn times(poles: &[Pole], pole: Pole) -> f64 {
    poles.iter().filter(|other| other.distance(&pole) < 1e-6).count() as f64
}

fn poles(handle: &Handle<'_>) -> Result<Findings, BoxError> {
    let mut findings = Findings::default();
    let columns = ["set", "π/4: vertical", "π/4: lateral, twice", "0: vertical", "0: lateral, twice"];
    let mut table = Table::new("Poles [1/s]", columns.map(|name| Axis::new(name, "")));
    table = table.with_row(["paper", "−0.5 ± 5.5j", "−0.5 ± 5.5j", "5.2, −6.5", "−2 ± j"]);
    for set in &SETS {
        handle.go_on()?;
        let (low, high) = (set.reduced(FRAC_PI_4)?.poles()?, set.reduced(0.0)?.poles()?);
        let mut cells = vec![format!("set {}", set.letter)];
        for (list, place, name, expected, count) in [
            (&low, "π/4", "vertical pair", set.vertical, 1),
            (&low, "π/4", "lateral pair", set.lateral, 2),
            (&high, "0", "lateral pair", set.swaying, 2),
        ] {
            let pole = nearest(list, expected);
            let what = format!("set {}, {place}: {name}", set.letter);
            let [re, im] = expected.map(Expected::printed);
            findings.number(format!("{what}, real part"), "1/s", pole.re, re, Independent);
            findings.number(format!("{what}, imaginary part"), "rad/s", pole.im, im, Independent);
            findings.number(
                format!("{what}, how often"),
                "",
                times(list, pole),
                Expected::count(count),
                Theory,
            );
            cells.push(format!("{:.2} ± {:.2}j", pole.re, pole.im));
        }
        let falling = set.falling.map(|text| (text, nearest(&high, [text, "0"]).re));
        for (text, value) in falling {
            let what = format!("set {}, 0: real pole", set.letter);
            findings.number(what, "1/s", value, Expected::printed(text), Independent);
        }
        cells.insert(3, format!("{:.2}, {:.2}", falling[0].1, falling[1].1));
        table = table.with_row(cells);
        for (angle, place) in [(FRAC_PI_4, "π/4"), (0.0, "0")] {
            at_the_loops(&mut findings, set, angle, place)?;
        }
    }
    // Set B against the paper: its printed digits.
    let (low, high) = (SETS[1].reduced(FRAC_PI_4)?.poles()?, SETS[1].reduced(0.0)?.poles()?);
    let off =
        low.iter().map(|pole| Pole { im: pole.im.abs(), ..*pole }.distance(&Pole { re: -0.5, im: 5.5 }));
    let near = Expected::AtMost(0.1);
    findings.number(
        "π/4, set B: all six from −0.5 ± 5.5j, at most",
        "1/s",
        off.fold(0.0, Real::max),
        near,
        Printed,
    );
    for text in ["5.2", "-6.5"] {
        let pole = nearest(&high, [text, "0"]).re;
        findings.number("0, set B: real pole", "1/s", pole, Expected::printed(text), Printed);
    }
    let sway = nearest(&SETS[2].reduced(0.0)?.poles()?, SETS[2].swaying);
    let apart = sway.distance(&Pole { re: -2.0, im: 1.0 });
    findings.number("0, set C: lateral pair from −2 ± j", "1/s", apart, Expected::Open, Printed);
    findings.show(table);
    findings.show(maps()?);
    Ok(findings)
}

/// Poles and zeros of the loops, and the orders.
fn at_the_loops(findings: &mut Findings, set: &Set, angle: f64, place: &str) -> Result<(), BoxError> {
    let robot = set.robot()?;
    let pose = stability::common_motor_path(&robot)(angle)?;
    let form = Constrained::at(&robot, &pose, 5.0, Some(set.damping))?;
    let what = |what: &str| format!("set {}, {place}: {what}", set.letter);
    let twelve = Expected::count(12);
    for (name, list) in [("poles", form.model.poles()?), ("zeros", zeros::invariant_zeros(&form.model)?)] {
        let (count, scatter) = form.at_the_loops(&list);
        findings.number(what(&format!("{name} at −5")), "", count as f64, twelve, Printed);
        // A cluster of twelve: √(ε × condition).
        let scattered = what(&format!("{name} at −5, scatter"));
        findings.number(scattered, "1/s", scatter, Expected::AtMost(1e-3), Theory);
    }
    let moved = order::controllable(&form.model);
    findings.number(what("controllable states"), "", moved.order as f64, Expected::count(6), Printed);
    findings.number(what("next singular value"), "", moved.largest_dropped, Expected::AtMost(1e-10), Theory);
    let shown = order::observable(&form.model).order as f64;
    findings.number(what("states that the motor angles show"), "", shown, Expected::Open, Theory);
    Ok(())
}

/// The two panels of the figure, with set B.
fn maps() -> Result<Multiples, BoxError> {
    let set = &SETS[1];
    let robot = set.robot()?;
    let mut several = Multiples::new("Poles and zeros, set B", 2);
    for (angle, title) in [(FRAC_PI_4, "motors at π/4"), (0.0, "motors at 0")] {
        let pose = stability::common_motor_path(&robot)(angle)?;
        let model = Constrained::at(&robot, &pose, 5.0, Some(set.damping))?.model;
        let points = |list: Vec<Pole>| list.iter().map(|pole| [pole.re, pole.im]).collect::<Vec<_>>();
        let axes = (Axis::new("real part", "1/s"), Axis::new("imaginary part", "rad/s"));
        let plot = Cloud::new(title, axes.0, axes.1)
            .with_points("poles", Marker::Cross, &points(model.poles()?))
            .with_points("zeros", Marker::Circle, &points(zeros::invariant_zeros(&model)?));
        several = several.with(plot);
    }
    Ok(several)
}

fn crossing(handle: &Handle<'_>) -> Result<Findings, BoxError> {
    let mut findings = Findings::default();
    let axes = (Axis::new("angle of all motors", "deg"), Axis::new("largest real part", "1/s"));
    let mut plot = Lines::new("Largest real part of all poles", axes.0, axes.1);
    for set in &SETS {
        handle.go_on()?;
        let robot = set.robot()?;
        let range = [(-45_f64).to_radians(), 85_f64.to_radians()];
        let found = stability::crossings(&robot, stability::common_motor_path(&robot), range, 131)?;
        let what = format!("set {}", set.letter);
        findings.number(
            format!("{what}: crossings"),
            "",
            found.found.len() as f64,
            Expected::count(1),
            Printed,
        );
        let angle = found.found.first().map_or(f64::NAN, |one| one.parameter.to_degrees());
        // "Approximately 22°": to the degree.
        findings.number(
            format!("{what}: angle"),
            "deg",
            angle,
            Expected::Near { value: 22.0, tolerance: 0.5 },
            Printed,
        );
        findings.number(format!("{what}: angle"), "deg", angle, Expected::printed(set.crossing), Independent);
        let above = found.found.first().is_some_and(|one| one.stable_after);
        findings.claim(format!("{what}: stable beyond it, unstable before"), above, Printed);
        let (mut x, mut y) = (Vec::new(), Vec::new());
        for degrees in -30..=80 {
            let Ok(small) = set.reduced(f64::from(degrees).to_radians()) else { continue };
            x.push(f64::from(degrees));
            y.push(small.poles()?.first().map_or(f64::NAN, |pole| pole.re));
        }
        plot = plot.with_curve(what, &x, &y);
    }
    findings.show(plot);
    Ok(findings)
}

fn workspace(handle: &Handle<'_>) -> Result<Findings, BoxError> {
    let mut findings = Findings::default();
    let robot = SETS[1].robot()?;
    let (mut all, mut unstable) = (0, 0);
    let (mut depths, mut shares) = (Vec::new(), Vec::new());
    let (mut above, mut below) = (true, true);
    for level in 0..12 {
        handle.go_on()?;
        let depth = 0.15 + 0.04 * f64::from(level);
        let (mut here, mut falling) = (0, 0);
        for (i, j) in (-5..=5).flat_map(|i| (-5..=5).map(move |j| (i, j))) {
            let pose = PlatformState::at([0.04 * f64::from(i), 0.04 * f64::from(j), -depth]);
            let Ok(found) = robot.inverse_kinematics(&pose) else { continue };
            if found.q.iter().all(|q| (-45.0..=85.0).contains(&q.to_degrees()))
                && let Ok(worst) = largest_real_part(&robot, &pose)
            {
                here += 1;
                falling += i32::from(worst > 0.0);
            }
        }
        all += here;
        unstable += falling;
        let share = 100.0 * f64::from(falling) / f64::from(here);
        match level {
            0..=4 => above &= falling == here,
            5 => findings.number("unstable at 0.35 m", "%", share, Expected::printed("87"), Independent),
            _ => below &= falling == 0,
        }
        if here > 0 {
            depths.push(depth);
            shares.push(share);
        }
    }
    let share = 100.0 * f64::from(unstable) / f64::from(all);
    findings.number("unstable share", "%", share, Expected::printed("61"), Independent);
    findings.number("unstable share", "%", share, Expected::AtLeast(10.0), Printed);
    findings.claim("every pose down to 0.31 m is unstable", above, Independent);
    findings.claim("no pose from 0.39 m on is unstable", below, Independent);
    let axes = (Axis::new("depth below the motors", "m"), Axis::new("unstable poses", "%"));
    findings
        .show(Lines::new("Unstable share at each depth", axes.0, axes.1).with_curve("", &depths, &shares));
    Ok(findings)
}

fn gravity(_: &Handle<'_>) -> Result<Findings, BoxError> {
    let mut findings = Findings::default();
    let free = SETS[1].reduced(17_f64.to_radians())?.with_gravity_compensation();
    let poles = free.poles()?;
    for (k, (pole, text)) in poles.iter().zip(["0.00", "0.00", "0.00", "-0.96", "-1.47", "-1.47"]).enumerate()
    {
        let what = format!("gravity compensation alone: pole {}", k + 1);
        findings.number(what, "1/s", pole.re, Expected::printed(text), Independent);
    }
    let eye = |x: f64| DMatrix::from_diagonal_element(3, 3, x);
    // In joint coordinates a PD at the motors is a spring and a damper for each.
    let held = Reduced { stiffness: eye(2.0), damping: &free.damping + eye(0.1), ..free };
    let held = held.poles()?;
    for pair in [["-1.64", "6.6"], ["-1.64", "5.8"]] {
        let pole = nearest(&held, pair);
        let [re, im] = pair.map(Expected::printed);
        findings.number("with a PD: real part", "1/s", pole.re, re, Independent);
        findings.number("with a PD: imaginary part", "rad/s", pole.im, im, Independent);
    }
    findings.claim(
        "with a PD around it every pole is stable",
        held.iter().all(|pole| pole.re < 0.0),
        Independent,
    );
    Ok(findings)
}
