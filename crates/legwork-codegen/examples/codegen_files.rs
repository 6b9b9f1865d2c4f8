//! Files for the checks of compilers.
//!
//! ```text
//! codegen_files --list [--all]                the robots
//! codegen_files FOLDER ROBOT [STATES]         C in both precisions, Rust and Structured Text of one of them
//! ```
//!
//! With them go harnesses and states: C and Rust have to equal the recorded programs to the bit there, C in single precision to
//! its bound.

use legwork::AnyRobot;
use legwork::description::{BUILT_IN, RobotDescription};
use legwork_codegen::{
    CodegenRequest, Function, GeneratedFile, Group, Language, Precision, Prepared, Quantity, Vector,
    least_size,
};
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// One of every family, and three mechanisms; those that take longest first. The long run takes all that are built in.
const USUAL: [&str; 16] = [
    "tricept",
    "agile-eye",
    "delta-four-axis",
    "gough-stewart",
    "hexaglide",
    "hexa",
    "space-table1",
    "c5",
    "planar-3rrr",
    "3-rps",
    "linear-delta",
    "delta-industrial",
    "delta-direct-drive",
    "five-bar",
    "custom-five-bar",
    "klipper-rotary-delta",
];

/// Robots of our own files: legs whose joints are found by a search, legs that were calibrated, a hexapod without any symmetry,
/// names that are none in any language.
const OF_FILES: [(&str, &str); 5] = [
    ("chains", include_str!("../../legwork/tests/chains/3-prrs.toml")),
    ("calibrated_delta", include_str!("../tests/robots/calibrated-delta.toml")),
    ("calibrated_hexapod", include_str!("../tests/robots/calibrated-hexapod.toml")),
    ("uneven_hexapod", include_str!("../tests/robots/uneven-hexapod.toml")),
    ("odd_names", include_str!("../tests/robots/odd-names.toml")),
];

/// Steps that all states of a function have together in the short run.
const SHORT: usize = 200_000;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["--list"] => print_list(&USUAL),
        ["--list", "--all"] => print_list(&BUILT_IN.iter().map(|entry| entry.name).collect::<Vec<_>>()),
        [folder, robot] => files_of(Path::new(folder), robot, None)?,
        [folder, robot, states] => files_of(Path::new(folder), robot, Some(states.parse()?))?,
        _ => return Err("codegen_files FOLDER ROBOT [STATES]".into()),
    }
    Ok(())
}

fn print_list(names: &[&str]) {
    OF_FILES.iter().map(|(name, _)| name).chain(names).for_each(|name| println!("{name}"));
}

fn files_of(folder: &Path, robot_name: &str, most: Option<usize>) -> Result<(), Box<dyn Error>> {
    let float = folder.join("float");
    fs::create_dir_all(&float)?;
    let robot = match OF_FILES.iter().find(|(name, _)| *name == robot_name) {
        Some((name, text)) => AnyRobot::new(RobotDescription::parse(text, name)?)?,
        None => AnyRobot::open(robot_name)?,
    };
    // What names begin with is the robot's; a figure at the beginning is none.
    let name = robot_name.replace('-', "_");
    let name = if name.starts_with(|c: char| c.is_ascii_digit()) { format!("robot_{name}") } else { name };
    let request =
        |what: Vec<Quantity>| CodegenRequest { what, name: Some(name.clone()), ..CodegenRequest::default() };
    let long =
        |quantity: &Quantity| matches!(quantity, Quantity::InverseDerivatives | Quantity::ForwardDerivatives);
    // Slopes of dynamics are long programs of the same operations: of two robots in the short run.
    let shown = most.is_some() || matches!(robot_name, "delta-industrial" | "five-bar");
    let what: Vec<Quantity> = Quantity::ALL
        .into_iter()
        .filter(|quantity| (shown || !long(quantity)) && CodegenRequest::has(&robot, *quantity))
        .collect();
    let own = request(what);
    let generated = own.prepare(&robot)?;
    for language in [Language::C, Language::Rust, Language::St] {
        write_all(folder, &generated.files(language))?;
    }
    let count = |function: &Function| most.unwrap_or((SHORT / function.steps.len()).clamp(20, 1_000));
    let vectors = own.vectors_for(&robot, count)?;
    for (function, vectors) in generated.functions.iter().zip(&vectors) {
        let wanted = count(function);
        if vectors.len() < wanted {
            return Err(format!("{name} {}: {} states, not {wanted}", function.name, vectors.len()).into());
        }
    }
    write_states(folder, &generated.name, &vectors)?;
    fs::write(folder.join(format!("{name}_bits.c")), c_harness(&generated, &vectors, Precision::Double))?;
    fs::write(folder.join(format!("{name}_bits.rs")), rust_harness(&generated, &vectors))?;
    let single = CodegenRequest { precision: Precision::Float, ..own }.prepare(&robot)?;
    write_all(&float, &single.files(Language::C))?;
    fs::write(float.join(format!("{name}_bits.c")), c_harness(&single, &vectors, Precision::Float))?;
    write_all(&float, &single.files(Language::St))
}

fn write_all(folder: &Path, files: &[GeneratedFile]) -> Result<(), Box<dyn Error>> {
    for file in files {
        fs::write(folder.join(&file.name), &file.text)?;
    }
    Ok(())
}

/// All states: arguments and answers, function by function.
fn write_states(folder: &Path, name: &str, vectors: &[Vec<Vector>]) -> Result<(), Box<dyn Error>> {
    let mut bytes = Vec::new();
    for vector in vectors.iter().flatten() {
        vector.inputs.iter().chain(&vector.outputs).for_each(|x| bytes.extend(x.to_le_bytes()));
    }
    fs::write(folder.join(format!("{name}.states")), bytes)?;
    Ok(())
}

/// Whether a group is both read and written.
fn both(function: &Function, group: &Group) -> bool {
    let has = |list: &[Group]| list.iter().any(|other| other.name == group.name);
    has(&function.inputs) && has(&function.outputs)
}

/// A program that calls every function on the states of a file. In double it compares to the bit, zeros without a sign; in
/// single precision each group to the bound of its function.
fn c_harness(generated: &Prepared, vectors: &[Vec<Vector>], precision: Precision) -> String {
    let name = &generated.name;
    let number = if precision == Precision::Double { "double" } else { "float" };
    let mut c = format!("#include \"{name}.h\"\n#include <math.h>\n#include <stdio.h>\n\n");
    c += "int main(int count, char **words)\n{\n    FILE *file = count > 1 ? fopen(words[1], \"rb\") : 0;\n";
    c += "    int failed = 0;\n    if (!file) return 2;\n";
    for ((function, bound), vectors) in generated.functions.iter().zip(&generated.bounds).zip(vectors) {
        let (inputs, results) = (function.input_count(), function.results.len());
        let _ = writeln!(c, "    {{\n        double worst = 0.0;\n        int differ = 0, judged = 0;");
        let _ = writeln!(c, "        for (int n = 0; n < {}; n++) {{", vectors.len());
        let _ = writeln!(
            c,
            "            double from[{inputs}], expected[{results}];\n            {number} in[{inputs}], found[{results}];"
        );
        c += "            if (fread(from, sizeof from, 1, file) != 1 || fread(expected, sizeof expected, 1, file) != 1) return 2;\n";
        let _ = writeln!(c, "            for (int k = 0; k < {inputs}; k++) in[k] = ({number})from[k];");
        let (mut at, mut arguments) = (0, Vec::new());
        for group in function.arguments() {
            if both(function, group) {
                let start = function.output_place(group.name).unwrap_or(0);
                let _ = writeln!(
                    c,
                    "            for (int k = 0; k < {}; k++) found[{start} + k] = in[{at} + k];",
                    group.count()
                );
                arguments.push(format!("found + {start}"));
            } else if group.len.is_some() {
                arguments.push(format!("in + {at}"));
            } else {
                arguments.push(format!("in[{at}]"));
            }
            at += group.count();
        }
        for group in function.outputs.iter().filter(|group| !both(function, group)) {
            arguments.push(format!("found + {}", function.output_place(group.name).unwrap_or(0)));
        }
        let _ = writeln!(c, "            {name}_{}({});", function.name, arguments.join(", "));
        if precision == Precision::Float {
            let place = function.output_place("margin").unwrap_or(0);
            let _ = writeln!(c, "            if (!(expected[{place}] >= {:e})) continue;", bound.margin);
        }
        c += "            judged++;\n";
        let mut at = 0;
        for group in &function.outputs {
            let end = at + group.count();
            let least = least_size(group);
            // How far a search was before its last step is no answer; in double it is the same all the same.
            let is_gap = Some(group.name) == function.iteration.as_ref().map(|search| search.gap);
            if precision == Precision::Double || !is_gap {
                let _ = writeln!(
                    c,
                    "            {{\n                double e = 0.0, size = {least:?};\n                for (int k = {at}; k < {end}; k++) {{"
                );
                c += "                    const double off = fabs((double)found[k] - expected[k]);\n                    if (!((double)found[k] == expected[k])) differ++;\n";
                c += "                    if (fabs(expected[k]) > size) size = fabs(expected[k]);\n                    if (!(off <= e)) e = off;\n                }\n";
                c += "                if (!(e / size <= worst)) worst = e / size;\n            }\n";
            }
            at = end;
        }
        let (bad, how) = match precision {
            Precision::Double => ("differ > 0 || judged == 0".to_owned(), "to the bit".to_owned()),
            Precision::Float => (
                format!("judged == 0 || !(worst <= {:e})", bound.error),
                format!("bound {:.0e} from margin {:.3}", bound.error, bound.margin),
            ),
        };
        let _ = writeln!(
            c,
            "        }}\n        printf(\"%-46s %6d states, {how}, worst %.1e%s\\n\", \"{name}_{}\", judged, worst, ({bad}) ? \" FAILED\" : \"\");",
            function.name
        );
        let _ = writeln!(c, "        failed |= ({bad}) ? 1 : 0;\n    }}");
    }
    c + "    fclose(file);\n    return failed;\n}\n"
}

/// The same in Rust: to the bit.
fn rust_harness(generated: &Prepared, vectors: &[Vec<Vector>]) -> String {
    let mut rust = format!("#[path = \"{}.rs\"]\n#[allow(dead_code)]\nmod generated;\n\n", generated.name);
    rust += "fn take<const N: usize>(rest: &mut &[u8]) -> [f64; N] {\n    std::array::from_fn(|_| {\n        \
             let (number, after) = rest.split_first_chunk().expect(\"a number\");\n        *rest = after;\n        \
             f64::from_le_bytes(*number)\n    })\n}\n\n\
             fn part<const N: usize>(list: &[f64], start: usize) -> &[f64; N] {\n    \
             list[start..].first_chunk().expect(\"a group\")\n}\n\n\
             fn main() {\n    let bytes = std::fs::read(std::env::args().nth(1).expect(\"a file\")).expect(\"states\");\n    \
             let mut rest = bytes.as_slice();\n    let mut failed = false;\n";
    for (function, vectors) in generated.functions.iter().zip(vectors) {
        let (inputs, results) = (function.input_count(), function.results.len());
        let _ = writeln!(rust, "    let mut differ = 0;\n    for _ in 0..{} {{", vectors.len());
        let _ = writeln!(
            rust,
            "        let input: [f64; {inputs}] = take(&mut rest);\n        let expected: [f64; {results}] = take(&mut rest);"
        );
        let mut at = 0;
        let arguments: Vec<String> = function
            .arguments()
            .map(|group| {
                let start = at;
                at += group.count();
                if group.len.is_some() { format!("part(&input, {start})") } else { format!("input[{start}]") }
            })
            .collect();
        let _ = writeln!(rust, "        let found = generated::{}({});", function.name, arguments.join(", "));
        let outputs: Vec<String> = function
            .outputs
            .iter()
            .map(|group| {
                if group.len.is_some() {
                    format!("&found.{}[..]", group.name)
                } else {
                    format!("&[found.{}]", group.name)
                }
            })
            .collect();
        let _ = writeln!(rust, "        let found = [{}].concat();", outputs.join(", "));
        rust += "        differ += found.iter().zip(&expected).filter(|(a, b)| !(a == b)).count();\n    }\n";
        let _ = writeln!(
            rust,
            "    println!(\"{{:46}} {:6} states, to the bit{{}}\", \"{}_{}\", if differ > 0 {{ \" FAILED\" }} else {{ \"\" }});\n    failed |= differ > 0;",
            vectors.len(),
            generated.name,
            function.name
        );
    }
    rust + "    std::process::exit(i32::from(failed));\n}\n"
}
