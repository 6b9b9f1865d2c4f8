//! C99: a header, a source and a self-test. No memory is asked for, and of the library only sin, cos, sqrt and atan2.

use super::{GeneratedFile, Module, closed, input_at, is_carried, literal, outputs, text};
use crate::program::{Function, Group, Operation, Rolled, Value};
use crate::request::Precision;
use crate::rounding::least_size;
use std::fmt::Write;

/// Types, suffixes and names of functions in one precision.
struct Kind {
    number: &'static str,
    literal: &'static str,
    function: &'static str,
    precision: Precision,
}

const DOUBLE: Kind = Kind { number: "double", literal: "", function: "", precision: Precision::Double };
const FLOAT: Kind = Kind { number: "float", literal: "f", function: "f", precision: Precision::Float };

impl Kind {
    fn literal(&self, value: f64) -> String {
        let text = format!("{}{}", literal(value, self.precision), self.literal);
        if text.starts_with('-') { format!("({text})") } else { text }
    }
}

/// The files.
pub(crate) fn c_files(module: &Module<'_>) -> Vec<GeneratedFile> {
    let kind = if module.precision == Precision::Double { &DOUBLE } else { &FLOAT };
    let file = |end: &str, text: String| GeneratedFile { name: format!("{}{end}", module.name), text };
    vec![
        file(".h", header(module, kind)),
        file(".c", source(module, kind)),
        file("_test.c", test(module, kind)),
    ]
}

fn comment(lines: &[String]) -> String {
    let mut out = String::from("/*\n");
    for line in lines {
        let _ = writeln!(out, "{}", format!(" * {line}").trim_end());
    }
    out + " */\n"
}

/// The arguments: inputs, then outputs; what is both stands among the inputs.
fn arguments(function: &Function, kind: &Kind) -> String {
    let number = kind.number;
    let input = |group: &Group| match (group.len, is_carried(function, group)) {
        (Some(len), false) => format!("const {number} {}[{len}]", group.name),
        (None, false) => format!("{number} {}", group.name),
        (Some(len), true) => format!("{number} {}[{len}]", group.name),
        (None, true) => format!("{number} *{}", group.name),
    };
    let output = |group: &Group| match group.len {
        Some(len) => format!("{number} {}[{len}]", group.name),
        None => format!("{number} *{}", group.name),
    };
    let own = function.outputs.iter().filter(|group| !is_carried(function, group)).map(output);
    function.arguments().map(input).chain(own).collect::<Vec<_>>().join(", ")
}

/// The names of the arguments, as they are handed on.
fn names(function: &Function) -> String {
    let own = function.outputs.iter().filter(|group| !is_carried(function, group));
    function.inputs.iter().chain(own).map(|group| group.name).collect::<Vec<_>>().join(", ")
}

fn header(module: &Module<'_>, kind: &Kind) -> String {
    let guard = format!("{}_H", module.name.to_uppercase());
    let mut out = comment(&text::heading(module));
    let _ =
        write!(out, "#ifndef {guard}\n#define {guard}\n\n#ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n");
    for function in module.functions {
        out += &comment(&text::about(function));
        let _ = writeln!(out, "void {}_{}({});\n", module.name, function.name, arguments(function, kind));
    }
    out += "#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
    out
}

/// The input with this number, plus an index where its group is a list.
fn input_of_leg(function: &Function, number: usize) -> String {
    match input_at(function, number) {
        Some((group, 0)) => format!("{}[i]", group.name),
        Some((group, place)) => format!("{}[i + {place}]", group.name),
        None => "0".into(),
    }
}

fn value(function: &Function, value: Value, kind: &Kind) -> String {
    match value {
        Value::Table(k) => format!("table{k}[i]"),
        Value::InputOfLeg(k) => input_of_leg(function, k),
        Value::OfLeg(result, leg) => format!("leg{result}[{leg}]"),
        Value::Constant(c) => kind.literal(c),
        Value::Step(k) => format!("t{k}"),
        Value::Input(k) => match input_at(function, k) {
            Some((group, place)) if is_carried(function, group) => format!("{}_{place}", group.name),
            Some((group, place)) if group.len.is_some() => format!("{}[{place}]", group.name),
            Some((group, _)) => group.name.into(),
            None => "0".into(),
        },
    }
}

fn expression(function: &Function, step: &Operation, kind: &Kind, name: &str) -> String {
    expression_with(step, kind, name, &|x: Value| value(function, x, kind))
}

fn expression_with(step: &Operation, kind: &Kind, name: &str, v: &dyn Fn(Value) -> String) -> String {
    let f = kind.function;
    match *step {
        Operation::Neg(a) => format!("-{}", v(a)),
        Operation::Add(a, b) => format!("{} + {}", v(a), v(b)),
        Operation::Sub(a, b) => format!("{} - {}", v(a), v(b)),
        Operation::Mul(a, b) => format!("{} * {}", v(a), v(b)),
        Operation::Div(a, b) => format!("{} / {}", v(a), v(b)),
        Operation::Sqrt(a) => format!("sqrt{f}({})", v(a)),
        Operation::Abs(a) => format!("{name}_size({})", v(a)),
        Operation::Sin(a) => format!("sin{f}({})", v(a)),
        Operation::Cos(a) => format!("cos{f}({})", v(a)),
        Operation::Atan2(y, x) => format!("atan2{f}({}, {})", v(y), v(x)),
        Operation::Least(a, b) => format!("{name}_least({}, {})", v(a), v(b)),
        Operation::Select([a, b, yes, no]) => format!("{} < {} ? {} : {}", v(a), v(b), v(yes), v(no)),
    }
}

fn uses(module: &Module<'_>, test: impl Fn(&Operation) -> bool) -> bool {
    module.functions.iter().flat_map(Function::all_steps).any(test)
}

fn source(module: &Module<'_>, kind: &Kind) -> String {
    let (name, number) = (module.name, kind.number);
    let mut out = comment(&[
        format!(
            "{name}: see {name}.h. To equal the library to the bit: no contraction (-ffp-contract=off), and with gcc for"
        ),
        "machines that have fused operations -fno-tree-slp-vectorize.".into(),
    ]);
    let _ = writeln!(out, "#include \"{name}.h\"\n");
    let calls = |step: &Operation| {
        matches!(step, Operation::Sqrt(_) | Operation::Sin(_) | Operation::Cos(_) | Operation::Atan2(..))
    };
    if uses(module, calls) {
        out += "#include <math.h>\n\n";
    }
    if uses(module, |step| matches!(step, Operation::Least(..))) {
        out += "/* The smaller one; NaN if either is. */\n";
        let _ = writeln!(
            out,
            "static inline {number} {name}_least({number} a, {number} b)\n{{\n    return (a < b || a != a) ? a : b;\n}}\n"
        );
    }
    if uses(module, |step| matches!(step, Operation::Abs(_))) {
        let zero = kind.literal(0.0);
        let _ = writeln!(
            out,
            "static inline {number} {name}_size({number} a)\n{{\n    return a < {zero} ? -a : a;\n}}\n"
        );
    }
    for function in module.functions {
        out += &body(module, function, kind, "");
    }
    out
}

fn body(module: &Module<'_>, function: &Function, kind: &Kind, scope: &str) -> String {
    let (name, number) = (module.name, kind.number);
    let mut out: String =
        function.before.iter().map(|search| body(module, search, kind, "static ")).collect();
    let own = match &function.iteration {
        Some(_) => format!("static void {name}_{}_step", function.name),
        None => format!("{scope}void {name}_{}", function.name),
    };
    let _ = writeln!(out, "{own}({})\n{{", arguments(function, kind));
    for search in &function.before {
        let found: Vec<&Group> = search.outputs.iter().filter(|group| !is_carried(search, group)).collect();
        for group in &found {
            let len = group.len.map_or(String::new(), |len| format!("[{len}]"));
            let _ = writeln!(out, "    {number} {}{len};", group.name);
        }
        let given = search.inputs.iter().map(|group| group.name.to_owned());
        let address =
            |group: &&Group| if group.len.is_some() { group.name.into() } else { format!("&{}", group.name) };
        let list: Vec<String> = given.chain(found.iter().map(address)).collect();
        let _ = writeln!(out, "    {name}_{}({});", search.name, list.join(", "));
    }
    let read: Vec<usize> = function
        .steps
        .iter()
        .flat_map(Operation::reads)
        .chain(function.results.iter().copied())
        .filter_map(|value| if let Value::Input(k) = value { Some(k) } else { None })
        .collect();
    let mut number_of = 0;
    for group in &function.inputs {
        let used = (number_of..number_of + group.count()).any(|k| read.contains(&k));
        for place in 0..group.count() {
            if is_carried(function, group) && read.contains(&(number_of + place)) {
                let at = if group.len.is_some() {
                    format!("{}[{place}]", group.name)
                } else {
                    format!("*{}", group.name)
                };
                let _ = writeln!(out, "    const {number} {}_{place} = {at};", group.name);
            }
        }
        if !used && !is_carried(function, group) {
            let _ = writeln!(out, "    (void){};", group.name);
        }
        number_of += group.count();
    }
    let (steps, results) = match &function.rolled {
        Some(rolled) => {
            out += &loops(rolled, function, kind, name);
            (&rolled.steps, &rolled.results)
        }
        None => (&function.steps, &function.results),
    };
    for (k, step) in steps.iter().enumerate() {
        let _ = writeln!(out, "    const {number} t{k} = {};", expression(function, step, kind, name));
    }
    let mut found = results.iter();
    for (group, _) in outputs(function) {
        for (place, result) in found.by_ref().take(group.count()).enumerate() {
            let at = if group.len.is_some() {
                format!("{}[{place}]", group.name)
            } else {
                format!("*{}", group.name)
            };
            let _ = writeln!(out, "    {at} = {};", value(function, *result, kind));
        }
    }
    out += "}\n\n";
    if let Some(search) = &function.iteration {
        let _ = writeln!(out, "{scope}void {name}_{}({})\n{{", function.name, arguments(function, kind));
        let _ = writeln!(out, "    for (int step = 0; step < {}; step++) {{", search.most);
        let _ = writeln!(out, "        {name}_{}_step({});", function.name, names(function));
        let _ = writeln!(
            out,
            "        if (*{} <= {}) {{\n            break;\n        }}\n    }}\n}}\n",
            search.gap,
            kind.literal(closed(search, kind.precision))
        );
    }
    out
}

/// Whether a step of a loop is the same for every leg.
fn same_for_all(rolled: &Rolled) -> Vec<bool> {
    let mut same: Vec<bool> = Vec::with_capacity(rolled.body.len());
    for step in &rolled.body {
        let is_same = step.reads().all(|value| match value {
            Value::Step(k) => same[k],
            Value::Table(_) | Value::InputOfLeg(_) => false,
            _ => true,
        });
        same.push(is_same);
    }
    same
}

/// In which of several loops a step stands: roots, which set `errno` and keep a compiler from making vectors, are in loops of
/// their own, the odd ones.
fn levels(rolled: &Rolled) -> Vec<usize> {
    let mut levels: Vec<usize> = Vec::with_capacity(rolled.body.len());
    for step in &rolled.body {
        let after = |value: Value| if let Value::Step(k) = value { levels[k].next_multiple_of(2) } else { 0 };
        let level = step.reads().map(after).max().unwrap_or(0);
        levels.push(if matches!(step, Operation::Sqrt(_)) { level + 1 } else { level });
    }
    levels
}

/// The loops over the legs; what each leg gives is left in arrays.
fn loops(rolled: &Rolled, function: &Function, kind: &Kind, name: &str) -> String {
    let (number, legs) = (kind.number, rolled.legs);
    let (same, levels) = (same_for_all(rolled), levels(rolled));
    let mut out = String::new();
    let values = || rolled.body.iter().flat_map(Operation::reads).chain(rolled.body_results.iter().copied());
    for (k, table) in rolled.tables.iter().enumerate() {
        // What differs from leg to leg may still not matter, as where a cylinder that only turns about its end has its mass.
        if !values().any(|value| matches!(value, Value::Table(own) if own == k)) {
            continue;
        }
        let _ = writeln!(out, "    static const {number} table{k}[{legs}] = {{{}}};", numbers(table, kind));
    }
    // What a later loop reads has to be kept.
    let mut kept = vec![false; rolled.body.len()];
    for (k, step) in rolled.body.iter().enumerate() {
        for value in step.reads() {
            if let Value::Step(source) = value {
                kept[source] |= levels[source] != levels[k] && !same[source];
            }
        }
    }
    for k in (0..kept.len()).filter(|k| kept[*k]) {
        let _ = writeln!(out, "    {number} x{k}[{legs}];");
    }
    for k in 0..rolled.body_results.len() {
        let _ = writeln!(out, "    {number} leg{k}[{legs}];");
    }
    let read = |it: Value, level: usize| match it {
        Value::Step(k) if same[k] || levels[k] == level => format!("s{k}"),
        Value::Step(k) => format!("x{k}[i]"),
        other => value(function, other, kind),
    };
    for (k, step) in rolled.body.iter().enumerate().filter(|(k, _)| same[*k]) {
        let text = expression_with(step, kind, name, &|value| read(value, levels[k]));
        let _ = writeln!(out, "    const {number} s{k} = {text};");
    }
    let level_of = |value: &Value| if let Value::Step(k) = value { levels[*k] } else { 0 };
    let last = levels.iter().copied().max().unwrap_or(0);
    for level in 0..=last {
        let own: Vec<usize> = (0..levels.len()).filter(|k| levels[*k] == level && !same[*k]).collect();
        let results: Vec<usize> =
            (0..rolled.body_results.len()).filter(|k| level_of(&rolled.body_results[*k]) == level).collect();
        if own.is_empty() && results.is_empty() {
            continue;
        }
        let _ = writeln!(out, "    for (int i = 0; i < {legs}; i++) {{");
        for k in own {
            let text = expression_with(&rolled.body[k], kind, name, &|value| read(value, level));
            let _ = writeln!(out, "        const {number} s{k} = {text};");
            if kept[k] {
                let _ = writeln!(out, "        x{k}[i] = s{k};");
            }
        }
        for k in results {
            let _ = writeln!(out, "        leg{k}[i] = {};", read(rolled.body_results[k], level));
        }
        out += "    }\n";
    }
    out
}

fn numbers(list: &[f64], kind: &Kind) -> String {
    list.iter().map(|x| literal(*x, kind.precision) + kind.literal).collect::<Vec<_>>().join(", ")
}

fn test(module: &Module<'_>, kind: &Kind) -> String {
    let (name, number) = (module.name, kind.number);
    let zero = kind.literal(0.0);
    let mut out = comment(&[
        format!(
            "{name}: self-test. Prints the worst error of each function, relative to the largest number of a group,"
        ),
        "and returns 1 if one is too large, 0 otherwise.".into(),
    ]);
    let _ = writeln!(out, "#include \"{name}.h\"\n\n#include <stdio.h>\n");
    let _ = writeln!(
        out,
        "/* The error of a group over its largest number, or over `size` if that is larger; infinite for NaN. */\n\
         static double error_of(const {number} *found, const {number} *expected, int count, double size)\n{{\n    \
         double worst = 0.0;\n    \
         for (int k = 0; k < count; k++) {{\n        \
         const double e = (double)expected[k] - (double)found[k];\n        \
         const double a = e < 0.0 ? -e : e, s = expected[k] < {zero} ? -(double)expected[k] : (double)expected[k];\n        \
         worst = a <= worst ? worst : (a == a ? a : 1e30);\n        \
         size = s > size ? s : size;\n    }}\n    return worst / size;\n}}\n"
    );
    out += "int main(void)\n{\n    int failed = 0;\n";
    for ((function, vectors), bound) in module.functions.iter().zip(module.vectors).zip(module.bounds) {
        let _ = writeln!(out, "    {{");
        let (inputs, results) = (function.input_count(), function.results.len());
        let _ = writeln!(out, "        static const {number} in[{}][{inputs}] = {{", vectors.len());
        for vector in vectors {
            let _ = writeln!(out, "            {{{}}},", numbers(&vector.inputs, kind));
        }
        let _ = writeln!(
            out,
            "        }};\n        static const {number} expected[{}][{results}] = {{",
            vectors.len()
        );
        for vector in vectors {
            let _ = writeln!(out, "            {{{}}},", numbers(&vector.outputs, kind));
        }
        let _ = writeln!(out, "        }};\n        double worst = 0.0;");
        let _ = writeln!(
            out,
            "        for (int n = 0; n < {}; n++) {{\n            {number} found[{results}];",
            vectors.len()
        );
        out += &call(module, function, kind);
        let mut at = 0;
        for group in &function.outputs {
            let (count, least) = (group.count(), least_size(group));
            if Some(group.name) != function.iteration.as_ref().map(|search| search.gap) {
                let _ = writeln!(
                    out,
                    "            {{\n                const double e = error_of(found + {at}, expected[n] + {at}, {count}, {least:?});"
                );
                out += "                worst = e > worst ? e : worst;\n            }\n";
            }
            at += count;
        }
        let _ = writeln!(
            out,
            "        }}\n        printf(\"%-40s worst error %.2e\\n\", \"{name}_{}\", worst);",
            function.name
        );
        let _ = writeln!(out, "        failed = failed || !(worst <= {:e});\n    }}", bound.error);
    }
    out += "    printf(failed ? \"FAILED\\n\" : \"passed\\n\");\n    return failed;\n}\n";
    out
}

/// The call of a function with a row of `in`, its answers into `found`.
fn call(module: &Module<'_>, function: &Function, kind: &Kind) -> String {
    let mut out = String::new();
    let place = |name: &str| function.output_place(name).unwrap_or(0);
    let mut arguments = Vec::new();
    let mut at = 0;
    for group in function.arguments() {
        if is_carried(function, group) {
            let start = place(group.name);
            let _ = writeln!(
                out,
                "            for (int k = 0; k < {}; k++) {{\n                found[{start} + k] = in[n][{at} + k];\n            }}",
                group.count()
            );
            arguments.push(format!("found + {start}"));
        } else if group.len.is_some() {
            arguments.push(format!("in[n] + {at}"));
        } else {
            arguments.push(format!("in[n][{at}]"));
        }
        at += group.count();
    }
    for group in function.outputs.iter().filter(|group| !is_carried(function, group)) {
        arguments.push(format!("found + {}", place(group.name)));
    }
    let _ = kind;
    let _ = writeln!(out, "            {}_{}({});", module.name, function.name, arguments.join(", "));
    out
}
