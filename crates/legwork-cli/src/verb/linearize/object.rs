//! A linear model as JSON.

use super::Found;
use legwork::analysis::linear::order::Order;
use legwork::analysis::linear::{Mode, Pole};
use legwork::coordinates::CoordinateSchema;
use serde_json::{Value, json};

pub fn object(found: &Found, schema: &CoordinateSchema) -> Value {
    let mut object = found.export(schema).json();
    let modes: Vec<Value> = found.modes.iter().map(mode).collect();
    let entries = json!({
        "position": found.platform.position,
        "rotation": found.platform.rotation,
        "stable": found.is_stable(),
        "poles": found.poles.iter().map(pole).collect::<Vec<_>>(),
        "modes": modes,
        "zeros": found.zeros.iter().map(pole).collect::<Vec<_>>(),
        "controllable": order(&found.controllable),
        "observable": order(&found.observable),
        "hankel": { "values": found.balanced.hankel, "shift": found.balanced.shift, "order": found.balanced.order() },
    });
    if let (Some(object), Value::Object(entries)) = (object.as_object_mut(), entries) {
        object.extend(entries);
        if let Some(feedback) = &found.feedback {
            let poles: Vec<Value> = feedback.poles.iter().map(pole).collect();
            object.insert("closed_loop_poles".into(), json!(poles));
            object.insert("gain_residual".into(), json!(feedback.residual));
        }
        if let Some(constrained) = &found.constrained {
            let (count, scatter) = constrained.at_the_loops(&found.poles);
            object.insert(
                "loops".into(),
                json!({ "pole": -constrained.pole, "poles": count, "scatter": scatter }),
            );
        }
    }
    object
}

pub fn pole(pole: &Pole) -> Value {
    json!({ "re": pole.re + 0.0, "im": pole.im + 0.0, "frequency_hz": pole.frequency_hz(), "damping": pole.damping() })
}

fn mode(mode: &Mode) -> Value {
    let mut object = pole(&mode.pole);
    if let Some(entries) = object.as_object_mut() {
        entries.insert("times".into(), json!(mode.times));
        entries.insert("motors".into(), json!(mode.motors));
        entries.insert("platform".into(), json!(mode.platform));
        entries.insert("shares".into(), json!(mode.shares));
        entries.insert("in_step".into(), json!(mode.in_step));
        entries.insert("words".into(), json!(mode.words));
    }
    object
}

fn order(order: &Order) -> Value {
    json!({
        "order": order.order,
        "states": order.states,
        "singular_values": order.stairs,
        "smallest_kept": order.smallest_kept,
        "largest_dropped": order.largest_dropped,
    })
}
