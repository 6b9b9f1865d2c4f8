//! Derivatives of a recorded function: its steps run once more with dual numbers that record.

use crate::program::{Function, Group, Recording};
use crate::request::Quantity;
use legwork_core::trace::{Tape, Trace};
use legwork_core::{Dual, Real};

/// A number and its slope along one direction.
type Slope<'t> = Dual<Trace<'t>, 1>;

/// The slopes of the first output of a function along every freedom of its pose, velocity and third argument; the
/// output itself and the margin are kept. `turns` are the axes of the base about which the platform turns.
pub(super) fn derived(base: &Function, quantity: Quantity, turns: &[usize]) -> Option<Function> {
    let tape = Tape::new();
    let mut recording = Recording::new(&tape);
    let groups: Vec<(&Group, Vec<Trace<'_>>)> =
        base.inputs.iter().map(|group| (group, recording.again(group))).collect();
    let plain: Vec<Trace<'_>> = groups.iter().flat_map(|(_, list)| list.iter().copied()).collect();
    let own = base.outputs.first()?;
    let rows = own.count();
    let along = |seed: Vec<_>| slopes_along(base, &plain, &seed, rows);
    let value = base.pass(&plain);
    let mut outputs = vec![(own.clone(), value[..rows].to_vec())];
    let mut first = 0;
    let (mut by_pose, mut pose_columns) = (Vec::new(), 0);
    for (group, list) in &groups {
        let zero = || vec![Trace::zero(); plain.len()];
        let columns: Vec<Vec<Trace<'_>>> = match group.name {
            // A small turn about axis k of the base moves every column of the rotation, (k × column).
            "rotation" => turns
                .iter()
                .map(|&axis| {
                    let mut seed = zero();
                    let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
                    for column in 0..3 {
                        seed[first + 3 * next + column] = -list[3 * last + column];
                        seed[first + 3 * last + column] = list[3 * next + column];
                    }
                    along(seed)
                })
                .collect(),
            "position" | "angle" | "velocity" | "acceleration" | "torque" | "effort" | "qd" | "qdd" => (0
                ..list.len())
                .map(|k| {
                    let mut seed = zero();
                    seed[first + k] = Trace::one();
                    along(seed)
                })
                .collect(),
            _ => Vec::new(),
        };
        first += list.len();
        let is_pose = matches!(group.name, "position" | "angle" | "rotation");
        if is_pose {
            pose_columns += columns.len();
            by_pose.extend(columns);
        } else if !columns.is_empty() {
            let (name, count) = (slope_name(group.name), columns.len());
            let meaning = format!("slope by {}, {rows} rows of {count}", group.name);
            outputs.push((Group::list(name, rows * count, meaning), transposed(&columns, rows)));
        }
    }
    if pose_columns > 0 {
        let meaning = format!(
            "slope by a small step of the pose, {rows} rows of {pose_columns}: translations [m], then a rotation vector in \
             the axes of the base [rad]"
        );
        let group = Group::list("by_pose", rows * pose_columns, meaning);
        outputs.insert(1, (group, transposed(&by_pose, rows)));
    }
    let margin = base.output_place("margin")?;
    let group = base.outputs.iter().find(|group| group.name == "margin")?;
    outputs.push((group.clone(), vec![value[margin]]));
    let formula = "the slopes of that function by dual numbers, operation by operation";
    Some(recording.finish((quantity.function_name(), quantity.meaning(), formula), outputs))
}

/// The slopes of the first outputs where the inputs move by `seed`.
fn slopes_along<'t>(base: &Function, at: &[Trace<'t>], seed: &[Trace<'t>], rows: usize) -> Vec<Trace<'t>> {
    let inputs: Vec<Slope<'t>> = at.iter().zip(seed).map(|(re, eps)| Dual { re: *re, eps: [*eps] }).collect();
    base.pass(&inputs).iter().take(rows).map(|slope| slope.eps[0]).collect()
}

fn slope_name(input: &str) -> &'static str {
    match input {
        "velocity" => "by_velocity",
        "acceleration" => "by_acceleration",
        "qd" => "by_qd",
        "qdd" => "by_qdd",
        _ => "by_effort",
    }
}

fn transposed<'t>(columns: &[Vec<Trace<'t>>], rows: usize) -> Vec<Trace<'t>> {
    (0..rows).flat_map(|row| columns.iter().map(move |column| column[row])).collect()
}
