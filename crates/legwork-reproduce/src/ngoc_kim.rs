//! \[NgocKim2010\]: torques along straight lines.

use crate::{BoxError, Expected, Findings, Item, Paper, Source, Work};
use Paper::NgocKim2010;
use Source::Independent;
use legwork::Real;
use legwork::V3;
use legwork::report::{Axis, Lines, Multiples, Table};
use legwork::robots::catalog;
use legwork::robots::delta::{Delta, Inertia};
use legwork::task::Handle;
use legwork::trajectory::{Law, Line, Path, Shape, Trajectory};

/// In the order of the paper.
pub(crate) const ITEMS: &[Item] = &[
    Item::drawing(NgocKim2010, "fig1", "Joint angles"),
    Item {
        open: "a list of parameters: those of the robot delta-ngoc-kim",
        ..Item::drawing(NgocKim2010, "table1", "Design parameters")
    },
    Item {
        paper: NgocKim2010,
        id: "fig2",
        title: "Torques of the inverse dynamics",
        statement: "\"Actuator forces\" for three cubic trajectories with an average velocity of 1000 mm/s; what is shown are \
                    torques.",
        conditions: "Robot delta-ngoc-kim (Table 1, 48.2 g is one rod). Straight lines of ours, cubic law, 1000 mm/s on \
                     average; torques along θ, that is upwards.",
        open: "The curves of the figure: the three trajectories are not given.",
        work: Work::Compute(torques),
    },
];

/// A line \[mm\] and what an independent program found along it: start, middle, end, largest; largest with
/// thin rods, and with 48.2 g for the whole parallelogram.
struct Course {
    from: [f64; 3],
    to: [f64; 3],
    duration: &'static str,
    torques: [[&'static str; 3]; 3],
    largest: [&'static str; 3],
}

const COURSES: [Course; 4] = [
    Course {
        from: [-50.0, 0.0, -200.0],
        to: [50.0, 0.0, -200.0],
        duration: "0.1000",
        torques: [
            ["2.0494", "-0.4109", "-0.4109"],
            ["0.1091", "0.0926", "0.0926"],
            ["-1.1300", "1.1690", "1.1690"],
        ],
        largest: ["2.049", "1.747", "1.403"],
    },
    Course {
        from: [0.0, -50.0, -200.0],
        to: [0.0, 50.0, -200.0],
        duration: "0.1000",
        torques: [
            ["0.3532", "1.8065", "-0.9418"],
            ["0.0872", "0.1036", "0.1036"],
            ["0.3532", "-0.9418", "1.8065"],
        ],
        largest: ["1.807", "1.537", "1.237"],
    },
    Course {
        from: [0.0, 0.0, -230.0],
        to: [0.0, 0.0, -170.0],
        duration: "0.0600",
        torques: [
            ["1.7138", "1.7138", "1.7138"],
            ["0.2265", "0.2265", "0.2265"],
            ["-1.3628", "-1.3628", "-1.3628"],
        ],
        largest: ["1.714", "1.673", "1.174"],
    },
    Course {
        from: [-40.0, -40.0, -190.0],
        to: [40.0, 40.0, -220.0],
        duration: "0.1170",
        torques: [
            ["1.1526", "0.5141", "-1.0524"],
            ["0.0862", "0.0912", "0.1466"],
            ["-0.3450", "0.1749", "1.8427"],
        ],
        largest: ["1.843", "1.603", "1.262"],
    },
];

impl Course {
    /// Cubic law with 1 m/s on average.
    fn trajectory(&self) -> Result<Trajectory<Line<f64>, Law<f64>>, BoxError> {
        let [from, to] = [self.from, self.to].map(|p| V3::from(p) * 1e-3);
        let path = Line::new(from, to)?;
        let length = path.length();
        Ok(Trajectory { path, law: Law::by_duration(Shape::Cubic, length, length / 1.0)? })
    }

    fn name(&self) -> String {
        let place = |[x, y, z]: [f64; 3]| format!("({x:.0}, {y:.0}, {z:.0})").replace('-', "−");
        format!("{} → {} mm", place(self.from), place(self.to))
    }
}

/// The moments of a course \[s\], both ends inside the law.
fn instants(duration: f64) -> impl Iterator<Item = f64> {
    (0..=400).map(move |k| duration * (1e-12 + (1.0 - 2e-12) * f64::from(k) / 400.0))
}

/// Torques along θ \[N m\] with forearms lumped half and half.
pub(crate) fn lumped(delta: &Delta<f64>, run: &Trajectory<Line<f64>, Law<f64>>, t: f64) -> [f64; 3] {
    let m = run.at(t).motion();
    let found = delta.to_ngoc_kim().inverse_dynamics(m.position, m.velocity, m.acceleration);
    found.value.torque.to_array()
}

fn torques(_: &Handle<'_>) -> Result<Findings, BoxError> {
    let mut findings = Findings::default();
    let delta = catalog::delta_ngoc_kim();
    // 48.2 g for both rods together.
    let g = delta.linkage().geometry();
    let light = Delta::unchecked(
        *delta.linkage(),
        Inertia { gravity: delta.inertia().gravity, ..Inertia::thin_rods(g, 0.0836, 0.0829, 0.0482, 0.0) },
        *delta.motor(),
    );
    let mut several = Multiples::new("Torques along four lines, cubic law, 1000 mm/s on average", 2);
    let columns = ["line", "thin rods", "half and half", "48.2 g for both rods"];
    let mut table = Table::new("Largest torque [N m]", columns.map(|name| Axis::new(name, "")));
    for course in &COURSES {
        let run = course.trajectory()?;
        let (name, duration) = (course.name(), run.duration());
        findings.number(
            format!("{name}: duration"),
            "s",
            duration,
            Expected::printed(course.duration),
            Independent,
        );
        let times = [1e-12 * duration, 0.5 * duration, duration * (1.0 - 1e-12)];
        for ((time, place), printed) in times.into_iter().zip(["start", "middle", "end"]).zip(course.torques)
        {
            for (k, (torque, text)) in lumped(&delta, &run, time).into_iter().zip(printed).enumerate() {
                let what = format!("{name}: torque {} at the {place}", k + 1);
                findings.number(what, "N m", torque, Expected::printed(text), Independent);
            }
        }
        let largest = |torque: &dyn Fn(f64) -> [f64; 3]| {
            instants(duration).flat_map(torque).fold(0.0_f64, |m, x| Real::max(m, x.abs()))
        };
        let exact = |t: f64| delta.torque_for(&run.at(t).motion(), V3::zero()).value.torque.to_array();
        let found =
            [largest(&|t| lumped(&delta, &run, t)), largest(&exact), largest(&|t| lumped(&light, &run, t))];
        let whats = ["half and half", "thin rods", "48.2 g for both rods"];
        for ((value, text), what) in found.into_iter().zip(course.largest).zip(whats) {
            let what = format!("{name}: largest torque, {what}");
            findings.number(what, "N m", value, Expected::printed(text), Independent);
        }
        let [half, thin, both] = found.map(|x| format!("{x:.3}"));
        table = table.with_row([name.clone(), thin, half, both]);
        let times: Vec<f64> = instants(duration).collect();
        let plot = Lines::new(name, Axis::new("time", "ms"), Axis::new("torque", "N m"));
        let milliseconds: Vec<f64> = times.iter().map(|t| t * 1e3).collect();
        let plot = (0..3).fold(plot, |plot, k| {
            let y: Vec<f64> = times.iter().map(|t| lumped(&delta, &run, *t)[k]).collect();
            plot.with_curve(format!("motor {}", k + 1), &milliseconds, &y)
        });
        several = several.with(plot);
    }
    findings.show(several);
    findings.show(table);
    Ok(findings)
}
