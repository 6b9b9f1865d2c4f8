//! Rust without the standard library: one module with its test.

use super::{GeneratedFile, Module, closed, input_at, is_carried, literal, outputs, text};
use crate::program::{Function, Group, Operation, Value};
use crate::request::Precision;
use crate::rounding::least_size;
use std::fmt::Write;

/// The file.
pub(crate) fn rust_files(module: &Module<'_>) -> Vec<GeneratedFile> {
    let (number, f) = match module.precision {
        Precision::Double => ("f64", ""),
        Precision::Float => ("f32", "f"),
    };
    let mut out = String::new();
    for line in text::heading(module) {
        let _ = writeln!(out, "{}", format!("//! {line}").trim_end());
    }
    let _ = write!(
        out,
        "//!\n//! Needs nothing of the standard library: its mathematics is that of the crate `libm`, or, with the feature `std`,\n\
         //! that of the system.\n\
         #![allow(clippy::all, clippy::pedantic, unused_parens)]\n\n\
         #[cfg(feature = \"std\")]\nextern crate std;\n\n\
         #[allow(dead_code)]\nmod math {{\n"
    );
    for (name, arguments) in [("sqrt", "x"), ("sin", "x"), ("cos", "x"), ("atan2", "y, x")] {
        let list = arguments.split(", ").map(|a| format!("{a}: {number}")).collect::<Vec<_>>().join(", ");
        let _ = write!(
            out,
            "    #[inline(always)]\n    pub fn {name}({list}) -> {number} {{\n        \
             #[cfg(feature = \"std\")]\n        return {number}::{name}({arguments});\n        \
             #[cfg(not(feature = \"std\"))]\n        return libm::{name}{f}({arguments});\n    }}\n"
        );
    }
    let _ = write!(
        out,
        "    /// The smaller one; NaN if either is.\n    #[inline(always)]\n    pub fn least(a: {number}, b: {number}) -> {number} {{\n        \
         if a < b || a.is_nan() {{ a }} else {{ b }}\n    }}\n    #[inline(always)]\n    \
         pub fn size(a: {number}) -> {number} {{\n        if a < 0.0 {{ -a }} else {{ a }}\n    }}\n    #[inline(always)]\n    \
         pub fn select(yes_if: bool, yes: {number}, no: {number}) -> {number} {{\n        if yes_if {{ yes }} else {{ no }}\n    }}\n}}\n\n"
    );
    for function in module.functions {
        for search in &function.before {
            out += &structure(search, number);
            out += &body(module, search, number, "");
        }
        out += &structure(function, number);
        out += &body(module, function, number, "pub ");
    }
    out += &test(module, number);
    vec![GeneratedFile { name: format!("{}.rs", module.name), text: out }]
}

/// `InverseDynamics` of `inverse_dynamics`.
fn type_name(name: &str) -> String {
    name.split('_').map(|word| word[..1].to_uppercase() + &word[1..]).collect()
}

fn type_of(group: &Group, number: &str) -> String {
    group.len.map_or_else(|| number.into(), |len| format!("[{number}; {len}]"))
}

fn structure(function: &Function, number: &str) -> String {
    let mut out = format!(
        "/// The answer of [`{}`].\n#[derive(Clone, Copy, Debug, PartialEq)]\npub struct {} {{\n",
        function.name,
        type_name(&function.name)
    );
    for group in &function.outputs {
        let _ = writeln!(
            out,
            "    /// {}\n    pub {}: {},",
            escaped(&group.meaning),
            group.name,
            type_of(group, number)
        );
    }
    out + "}\n\n"
}

/// Brackets of units are no links.
fn escaped(text: &str) -> String {
    text.replace('[', "\\[").replace(']', "\\]")
}

fn arguments(function: &Function, number: &str) -> String {
    let input = |group: &Group| match group.len {
        Some(len) => format!("{}: &[{number}; {len}]", group.name),
        None => format!("{}: {number}", group.name),
    };
    function.arguments().map(input).collect::<Vec<_>>().join(", ")
}

fn value(module: &Module<'_>, function: &Function, value: Value) -> String {
    match value {
        Value::Constant(c) => {
            let text = literal(c, module.precision);
            if text.starts_with('-') { format!("({text})") } else { text }
        }
        Value::Step(k) => format!("t{k}"),
        Value::Input(k) => match input_at(function, k) {
            Some((group, place)) if group.len.is_some() => format!("{}[{place}]", group.name),
            Some((group, _)) => group.name.into(),
            None => "0.0".into(),
        },
        // Rust has the straight form.
        Value::Table(_) | Value::InputOfLeg(_) | Value::OfLeg(..) => String::new(),
    }
}

fn expression(module: &Module<'_>, function: &Function, step: &Operation) -> String {
    let v = |x: Value| value(module, function, x);
    match *step {
        Operation::Neg(a) => format!("-{}", v(a)),
        Operation::Add(a, b) => format!("{} + {}", v(a), v(b)),
        Operation::Sub(a, b) => format!("{} - {}", v(a), v(b)),
        Operation::Mul(a, b) => format!("{} * {}", v(a), v(b)),
        Operation::Div(a, b) => format!("{} / {}", v(a), v(b)),
        Operation::Sqrt(a) => format!("math::sqrt({})", v(a)),
        Operation::Abs(a) => format!("math::size({})", v(a)),
        Operation::Sin(a) => format!("math::sin({})", v(a)),
        Operation::Cos(a) => format!("math::cos({})", v(a)),
        Operation::Atan2(y, x) => format!("math::atan2({}, {})", v(y), v(x)),
        Operation::Least(a, b) => format!("math::least({}, {})", v(a), v(b)),
        Operation::Select([a, b, yes, no]) => {
            format!("math::select({} < {}, {}, {})", v(a), v(b), v(yes), v(no))
        }
    }
}

fn body(module: &Module<'_>, function: &Function, number: &str, scope: &str) -> String {
    let (name, kind) = (&function.name, type_name(&function.name));
    let mut out = String::new();
    for line in text::about(function) {
        let _ = writeln!(out, "/// {}  ", escaped(&line));
    }
    if let Some(search) = &function.iteration {
        let _ = writeln!(out, "{scope}fn {name}({}) -> {kind} {{", arguments(function, number));
        let carried: Vec<&Group> =
            function.inputs.iter().filter(|group| is_carried(function, group)).collect();
        let first = |group: &&Group| match group.len {
            Some(_) => format!("&{}", group.name),
            None => group.name.to_owned(),
        };
        for group in &carried {
            let at = if group.len.is_some() { format!("*{}", group.name) } else { group.name.to_owned() };
            let _ = writeln!(out, "    let mut {} = {at};", group.name);
        }
        let call: Vec<String> = function
            .inputs
            .iter()
            .map(|group| if is_carried(function, group) { first(&group) } else { group.name.to_owned() })
            .collect();
        let call = format!("{name}_step({})", call.join(", "));
        let _ = writeln!(out, "    let mut found = {call};\n    for _ in 1..{} {{", search.most);
        let _ = writeln!(
            out,
            "        if found.{} <= {} {{\n            break;\n        }}",
            search.gap,
            literal(closed(search, module.precision), module.precision)
        );
        for group in &carried {
            let _ = writeln!(out, "        {0} = found.{0};", group.name);
        }
        let _ = writeln!(out, "        found = {call};\n    }}\n    found\n}}\n");
    }
    let own =
        if function.iteration.is_some() { format!("fn {name}_step") } else { format!("{scope}fn {name}") };
    let _ = writeln!(out, "{own}({}) -> {kind} {{", arguments(function, number));
    for search in &function.before {
        let given: Vec<&str> = search.inputs.iter().map(|group| group.name).collect();
        let _ = writeln!(out, "    let found = {}({});", search.name, given.join(", "));
        for group in &search.outputs {
            let by = if group.len.is_some() { "&" } else { "" };
            let _ = writeln!(out, "    let {0} = {by}found.{0};", group.name);
        }
    }
    let read: Vec<usize> = function
        .steps
        .iter()
        .flat_map(Operation::reads)
        .chain(function.results.iter().copied())
        .filter_map(|value| if let Value::Input(k) = value { Some(k) } else { None })
        .collect();
    let mut at = 0;
    for group in &function.inputs {
        if !(at..at + group.count()).any(|k| read.contains(&k)) {
            let _ = writeln!(out, "    let _ = {};", group.name);
        }
        at += group.count();
    }
    for (k, step) in function.steps.iter().enumerate() {
        let _ = writeln!(out, "    let t{k} = {};", expression(module, function, step));
    }
    let _ = writeln!(out, "    {kind} {{");
    for (group, values) in outputs(function) {
        let list: Vec<String> = values.iter().map(|result| value(module, function, *result)).collect();
        let list = list.join(", ");
        let _ = if group.len.is_some() {
            writeln!(out, "        {}: [{list}],", group.name)
        } else {
            writeln!(out, "        {}: {list},", group.name)
        };
    }
    out + "    }\n}\n\n"
}

fn test(module: &Module<'_>, number: &str) -> String {
    let list =
        |list: &[f64]| list.iter().map(|x| literal(*x, module.precision)).collect::<Vec<_>>().join(", ");
    let mut out = format!(
        "#[cfg(test)]\nmod tests {{\n    use super::*;\n\n    \
         /// Relative to the largest number of a group; NaN is refused.\n    \
         fn close(found: &[{number}], expected: &[{number}], least: {number}, bound: {number}) {{\n        \
         let size = expected.iter().fold(least, |size: {number}, x| if x.abs() > size {{ x.abs() }} else {{ size }});\n        \
         for (found, expected) in found.iter().zip(expected) {{\n            \
         assert!((found - expected).abs() / size <= bound, \"{{found}} for {{expected}}\");\n        }}\n    }}\n"
    );
    for ((function, vectors), bound) in module.functions.iter().zip(module.vectors).zip(module.bounds) {
        let _ = writeln!(out, "\n    #[test]\n    fn {}_equals_the_library() {{", function.name);
        for vector in vectors {
            let mut at = 0;
            let arguments: Vec<String> = function
                .arguments()
                .map(|group| {
                    let part = list(&vector.inputs[at..at + group.count()]);
                    at += group.count();
                    if group.len.is_some() { format!("&[{part}]") } else { part }
                })
                .collect();
            let _ = writeln!(out, "        let found = {}({});", function.name, arguments.join(", "));
            let mut at = 0;
            for group in &function.outputs {
                let part = list(&vector.outputs[at..at + group.count()]);
                at += group.count();
                if Some(group.name) == function.iteration.as_ref().map(|search| search.gap) {
                    continue;
                }
                let own = if group.len.is_some() {
                    format!("&found.{}", group.name)
                } else {
                    format!("&[found.{}]", group.name)
                };
                let least = least_size(group);
                let _ = writeln!(out, "        close({own}, &[{part}], {least:?}, {:e});", bound.error);
            }
        }
        out += "    }\n";
    }
    out + "}\n"
}
