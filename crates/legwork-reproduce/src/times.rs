//! How long the four tasks of \[Codourey1998, Table 1\] take on this machine.

use crate::{BoxError, Findings};
use legwork::V3;
use legwork::analysis::timing::median_time;
use legwork::report::{Axis, Table};
use legwork::robots::catalog;
use legwork::robots::delta::{Forearm, Motion};
use legwork::task::Handle;
use legwork::trajectory::{Law, Path, SemiEllipse, Shape, Trajectory};

/// Median time of a call \[µs\].
fn measured<S, R>(states: &[S], call: impl FnMut(&S) -> R) -> f64 {
    median_time(states, call) * 1e6
}

pub(crate) fn table_1(_: &Handle<'_>) -> Result<Findings, BoxError> {
    let [from, to] = [-0.125, 0.125].map(|x| V3::new(x, 0.0, -0.35));
    let path = SemiEllipse::new(from, to, V3::along_z(0.06))?;
    let law = Law::by_peak_acceleration(Shape::sine(), path.length(), 80.0)?;
    let run = Trajectory { path, law };
    let instants: Vec<f64> = (0..20).map(|k| run.duration() * f64::from(k) / 19.0).collect();
    let states: Vec<Motion<f64>> = instants.iter().map(|t| run.at(*t).motion()).collect();
    let delta = catalog::delta_direct_drive().with_forearm(Forearm::SIMPLIFIED);
    let rows = [
        ("trajectory", 149.0, measured(&instants, |t| run.at(*t).motion())),
        (
            "coordinate transformation",
            244.0,
            measured(&states, |m| delta.linkage().posture_at(m.position).value.angles()),
        ),
        ("dynamics", 704.0, measured(&states, |m| delta.torque_for(m, V3::zero()).value.torque)),
        (
            "mass matrix",
            233.0,
            measured(&states, |m| delta.mass_matrix(&delta.linkage().posture_at(m.position).value)),
        ),
    ];
    let mut findings = Findings::default();
    let columns = [("task", ""), ("T800, 1998", "µs"), ("here", "µs"), ("times faster", "")];
    let mut table = Table::new("Computation times", columns.map(|(name, unit)| Axis::new(name, unit)));
    for (what, then, now) in rows {
        // Times of two machines are no agreement, and a bar of 1998 could not be missed.
        findings.context(format!("{what}, {then:.0} µs on the T800"), "µs", now);
        table = table.with_row([
            what.into(),
            format!("{then:.0}"),
            format!("{now:.3}"),
            format!("{:.0}", then / now),
        ]);
    }
    let sums = rows.iter().fold((0.0, 0.0), |(then, now), row| (then + row.1, now + row.2));
    findings.context(format!("all four, {:.0} µs on the T800, of a period of 1000 µs", sums.0), "µs", sums.1);
    findings.show(table);
    Ok(findings)
}
