//! IEC 61131-3 Structured Text: a function block for each function, and a program that tests them.
//!
//! Inputs and outputs are single numbers, because arrays of one's own types are not compatible across a call in every
//! compiler. Locals are used again as soon as nobody reads them any more, so an instance is small.

use super::{GeneratedFile, Module, closed, input_at, is_carried, literal, outputs, text};
use crate::name::is_reserved;
use crate::program::{Function, Group, Operation, Value};
use crate::request::Precision;
use crate::rounding::group_size;
use std::fmt::Write;

/// The files.
pub(crate) fn st_files(module: &Module<'_>) -> Vec<GeneratedFile> {
    let number = if module.precision == Precision::Double { "LREAL" } else { "REAL" };
    let mut out = comment(&text::heading(module));
    out += "(* No compiler of a vendor has seen this text: it was parsed by two free grammars and executed from the tree of \
            one of them.\n   It counts on IEEE 754: the root of a negative number is NaN, a division by zero infinite or NaN, and both show in the\n   \
            margin. On a controller that stops there, call it for poses in reach only. *)\n\n";
    out += &helpers(module, number);
    for function in module.functions {
        out += &block(module, function, number);
    }
    let test = program(module, number);
    let file = |end: &str, text| GeneratedFile { name: format!("{}{end}", module.name), text };
    vec![file(".st", out), file("_test.st", test)]
}

fn comment(lines: &[String]) -> String {
    let mut out = String::from("(*\n");
    for line in lines {
        let _ = writeln!(out, "{}", format!("   {line}").trim_end());
    }
    out + "*)\n"
}

/// `1.0E-5`: always with a point.
fn real(value: f64, precision: Precision) -> String {
    let text = literal(value, precision).to_uppercase();
    match text.split_once('E') {
        Some((head, power)) if !head.contains('.') => format!("{head}.0E{power}"),
        _ => text,
    }
}

fn helpers(module: &Module<'_>, number: &str) -> String {
    let (name, zero) = (module.name, "0.0");
    let mut out = String::new();
    let uses = |test: fn(&Operation) -> bool| module.functions.iter().flat_map(Function::all_steps).any(test);
    if uses(|step| matches!(step, Operation::Least(..))) {
        let _ = write!(
            out,
            "(* The smaller one; NaN if either is. *)\nFUNCTION {name}_least : {number}\nVAR_INPUT\n    a : {number};\n    b : {number};\nEND_VAR\n\
             IF (a < b) OR (a <> a) THEN\n    {name}_least := a;\nELSE\n    {name}_least := b;\nEND_IF;\nEND_FUNCTION\n\n"
        );
    }
    if uses(|step| matches!(step, Operation::Atan2(..))) {
        let (pi, half) = (
            real(std::f64::consts::PI, module.precision),
            real(std::f64::consts::FRAC_PI_2, module.precision),
        );
        let _ = write!(
            out,
            "(* Angle of the point (x, y). *)\nFUNCTION {name}_atan2 : {number}\nVAR_INPUT\n    y : {number};\n    x : {number};\nEND_VAR\n\
             IF x > {zero} THEN\n    {name}_atan2 := ATAN(y / x);\nELSIF x < {zero} THEN\n    IF y < {zero} THEN\n        \
             {name}_atan2 := ATAN(y / x) - {pi};\n    ELSE\n        {name}_atan2 := ATAN(y / x) + {pi};\n    END_IF;\n\
             ELSIF y > {zero} THEN\n    {name}_atan2 := {half};\nELSIF y < {zero} THEN\n    {name}_atan2 := -{half};\nELSE\n    \
             {name}_atan2 := {zero};\nEND_IF;\nEND_FUNCTION\n\n"
        );
    }
    out
}

/// The name of number `place` of a group: `q_0`; `dt_value`, because `DT` is a word of the language.
fn variable(group: &Group, place: usize) -> String {
    let name = group.name;
    match group.len {
        Some(_) => format!("{name}_{place}"),
        None if is_reserved(name) => format!("{name}_value"),
        None => name.into(),
    }
}

/// The name of an output: beside an input of the same name it is the next one.
fn result(function: &Function, group: &Group, place: usize) -> String {
    let name = variable(group, place);
    if is_carried(function, group) { format!("next_{name}") } else { name }
}

/// An input that a search before the steps finds, as the output of its block.
fn found_by(function: &Function, group: &Group, place: usize) -> Option<String> {
    let has = |search: &Function| search.outputs.iter().any(|other| other.name == group.name);
    let k = function.before.iter().position(has)?;
    Some(format!("search_{k}.{}", result(&function.before[k], group, place)))
}

/// The local of each step, and how many there are: a local is free when its last reader has read it.
fn locals(function: &Function) -> (Vec<usize>, usize) {
    let mut last = vec![0; function.steps.len()];
    for (k, step) in function.steps.iter().enumerate() {
        for value in step.reads() {
            if let Value::Step(source) = value {
                last[source] = k;
            }
        }
    }
    for value in &function.results {
        if let Value::Step(source) = value {
            last[*source] = usize::MAX;
        }
    }
    let mut free: Vec<usize> = Vec::new();
    let (mut slots, mut count) = (Vec::with_capacity(last.len()), 0);
    for (k, step) in function.steps.iter().enumerate() {
        let mut freed: Vec<usize> = step
            .reads()
            .filter_map(|value| if let Value::Step(source) = value { Some(source) } else { None })
            .filter(|source| last[*source] == k)
            .map(|source: usize| slots[source])
            .collect();
        freed.sort_unstable();
        freed.dedup();
        free.extend(freed);
        let slot = free.pop().unwrap_or_else(|| {
            count += 1;
            count - 1
        });
        slots.push(slot);
    }
    (slots, count)
}

fn block(module: &Module<'_>, function: &Function, number: &str) -> String {
    let name = module.name;
    let mut out: String = function.before.iter().map(|search| block(module, search, number)).collect();
    out += &comment(&text::about(function));
    let _ = writeln!(out, "FUNCTION_BLOCK {name}_{}\nVAR_INPUT", function.name);
    let each = |group: &Group| (0..group.count()).map(|place| variable(group, place)).collect::<Vec<_>>();
    for group in function.arguments() {
        for variable in each(group) {
            let _ = writeln!(out, "    {variable} : {number};");
        }
    }
    out += "END_VAR\nVAR_OUTPUT\n";
    for group in &function.outputs {
        for place in 0..group.count() {
            let _ = writeln!(out, "    {} : {number};", result(function, group, place));
        }
    }
    out += "END_VAR\nVAR\n";
    let (slots, count) = locals(function);
    for slot in 0..count {
        let _ = writeln!(out, "    t{slot} : {number};");
    }
    let carried: Vec<String> = match &function.iteration {
        Some(_) => {
            function.inputs.iter().filter(|group| is_carried(function, group)).flat_map(each).collect()
        }
        None => Vec::new(),
    };
    for variable in &carried {
        let _ = writeln!(out, "    from_{variable} : {number};");
    }
    if function.iteration.is_some() {
        out += "    n : INT;\n";
    }
    for (k, search) in function.before.iter().enumerate() {
        let _ = writeln!(out, "    search_{k} : {name}_{};", search.name);
    }
    out += "END_VAR\n";
    let value = |value: Value| match value {
        Value::Constant(c) => real(c, module.precision),
        Value::Step(k) => format!("t{}", slots[k]),
        Value::Input(k) => match input_at(function, k) {
            Some((group, place)) if function.iteration.is_some() && is_carried(function, group) => {
                format!("from_{}", variable(group, place))
            }
            Some((group, place)) => found_by(function, group, place).unwrap_or(variable(group, place)),
            None => "0.0".into(),
        },
        // Structured Text has the straight form.
        Value::Table(_) | Value::InputOfLeg(_) | Value::OfLeg(..) => String::new(),
    };
    for (k, search) in function.before.iter().enumerate() {
        let given: Vec<String> =
            search.inputs.iter().flat_map(each).map(|input| format!("{input} := {input}")).collect();
        let _ = writeln!(out, "search_{k}({});", given.join(", "));
    }
    let indent = if let Some(search) = &function.iteration {
        for variable in &carried {
            let _ = writeln!(out, "from_{variable} := {variable};");
        }
        let _ = writeln!(out, "FOR n := 1 TO {} DO", search.most);
        "    "
    } else {
        ""
    };
    for (k, step) in function.steps.iter().enumerate() {
        let text = match *step {
            Operation::Neg(a) => format!("-{}", value(a)),
            Operation::Add(a, b) => format!("{} + {}", value(a), value(b)),
            Operation::Sub(a, b) => format!("{} - {}", value(a), value(b)),
            Operation::Mul(a, b) => format!("{} * {}", value(a), value(b)),
            Operation::Div(a, b) => format!("{} / {}", value(a), value(b)),
            Operation::Sqrt(a) => format!("SQRT({})", value(a)),
            Operation::Abs(a) => format!("ABS({})", value(a)),
            Operation::Sin(a) => format!("SIN({})", value(a)),
            Operation::Cos(a) => format!("COS({})", value(a)),
            Operation::Atan2(y, x) => format!("{name}_atan2({}, {})", value(y), value(x)),
            Operation::Least(a, b) => format!("{name}_least({}, {})", value(a), value(b)),
            Operation::Select([a, b, yes, no]) => {
                format!("SEL({} < {}, {}, {})", value(a), value(b), value(no), value(yes))
            }
        };
        let _ = writeln!(out, "{indent}t{} := {text};", slots[k]);
    }
    for (group, values) in outputs(function) {
        for (place, found) in values.iter().enumerate() {
            let _ = writeln!(out, "{indent}{} := {};", result(function, group, place), value(*found));
        }
    }
    if let Some(search) = &function.iteration {
        let _ = writeln!(
            out,
            "    IF {} <= {} THEN\n        EXIT;\n    END_IF;",
            search.gap,
            real(closed(search, module.precision), module.precision)
        );
        for variable in &carried {
            let _ = writeln!(out, "    from_{variable} := next_{variable};");
        }
        out += "END_FOR;\n";
    }
    out + "END_FUNCTION_BLOCK\n\n"
}

fn program(module: &Module<'_>, number: &str) -> String {
    let name = module.name;
    let mut out = comment(&[
        format!(
            "{name}: self-test of {name}.st. After one cycle `failed` is TRUE if an answer is wrong, and `worst` is the"
        ),
        "worst error, relative to the largest number of its group.".into(),
    ]);
    let _ = writeln!(out, "PROGRAM {name}_test\nVAR");
    for function in module.functions {
        let _ = writeln!(out, "    f_{0} : {name}_{0};", function.name);
    }
    let _ = writeln!(
        out,
        "    worst : {number};\n    e : {number};\n    failed : BOOL;\nEND_VAR\nworst := 0.0;\nfailed := FALSE;"
    );
    for ((function, vectors), bound) in module.functions.iter().zip(module.vectors).zip(module.bounds) {
        let own = format!("f_{}", function.name);
        for vector in vectors {
            let mut at = 0;
            let mut arguments = Vec::new();
            for group in function.arguments() {
                for place in 0..group.count() {
                    arguments.push(format!(
                        "{} := {}",
                        variable(group, place),
                        real(vector.inputs[at], module.precision)
                    ));
                    at += 1;
                }
            }
            let _ = writeln!(out, "{own}({});", arguments.join(", "));
            let mut at = 0;
            for group in &function.outputs {
                let expected = &vector.outputs[at..at + group.count()];
                at += group.count();
                if Some(group.name) == function.iteration.as_ref().map(|search| search.gap) {
                    continue;
                }
                let size = group_size(group, expected);
                for (place, expected) in expected.iter().enumerate() {
                    let found = format!("{own}.{}", result(function, group, place));
                    let (expected, size) = (real(*expected, module.precision), real(size, module.precision));
                    let _ = writeln!(out, "e := ABS({found} - ({expected})) / {size};");
                    let _ = writeln!(
                        out,
                        "IF NOT (e <= {}) THEN\n    failed := TRUE;\nEND_IF;",
                        real(bound.error, module.precision)
                    );
                    out += "IF e > worst THEN\n    worst := e;\nEND_IF;\n";
                }
            }
        }
    }
    out + "END_PROGRAM\n"
}
