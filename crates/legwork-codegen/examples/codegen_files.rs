//! Files for the checks of compilers: `codegen_files FOLDER [STATES]` writes C in both precisions, Rust and Structured Text of every
//! family, and for C a harness with states on which it has to equal the library.

use legwork::AnyRobot;
use legwork_codegen::{CodegenRequest, Function, Language, Precision, Quantity, Vector};
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// One of every family, `[[leg]]` robots with and without a closed form, and mechanisms.
const ROBOTS: [&str; 16] = [
    "delta-industrial",
    "delta-direct-drive",
    "delta-four-axis",
    "gough-stewart",
    "space-table1",
    "c5",
    "hexa",
    "hexaglide",
    "linear-delta",
    "five-bar",
    "planar-3rrr",
    "custom-five-bar",
    "custom-gough-stewart",
    "quattro",
    "orthoglide",
    "tricept",
];

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("codegen_files FOLDER")?;
    let folder = Path::new(&folder);
    let most: Option<usize> = std::env::args().nth(2).map(|word| word.parse()).transpose()?;
    fs::create_dir_all(folder.join("float"))?;
    for robot_name in ROBOTS {
        let robot = AnyRobot::open(robot_name)?;
        let long = |quantity: &Quantity| {
            matches!(quantity, Quantity::InverseDerivatives | Quantity::ForwardDerivatives)
        };
        let shown = matches!(robot_name, "delta-industrial" | "five-bar");
        let request = |what: Vec<Quantity>| CodegenRequest { what, ..CodegenRequest::default() };
        let has = |quantity: &Quantity| CodegenRequest::has(&robot, *quantity);
        let what: Vec<Quantity> = Quantity::ALL
            .into_iter()
            .filter(|quantity| (shown || !long(quantity)) && has(quantity))
            .collect();
        let own = request(what.clone());
        let generated = own.run_for(&robot)?;
        for file in &generated.files {
            fs::write(folder.join(&file.name), &file.text)?;
        }
        let cost: usize = generated.functions.iter().map(|function| function.steps.len()).sum();
        let states = most.unwrap_or((3_000_000 / cost).clamp(50, 10_000));
        let vectors = own.vectors_for(&robot, states)?;
        harness(folder, &generated.name, &generated.functions, &vectors)?;
        for (language, precision) in [(Language::Rust, Precision::Double), (Language::C, Precision::Float)] {
            let request = CodegenRequest { language, precision, ..own.clone() };
            let place = if precision == Precision::Float { folder.join("float") } else { folder.into() };
            for file in request.run_for(&robot)?.files {
                fs::write(place.join(&file.name), file.text)?;
            }
        }
        if matches!(robot_name, "delta-industrial" | "five-bar" | "planar-3rrr") {
            let what =
                vec![Quantity::InverseKinematics, Quantity::ForwardKinematics, Quantity::InverseDynamics];
            for precision in [Precision::Double, Precision::Float] {
                let request = CodegenRequest { language: Language::St, precision, ..request(what.clone()) };
                let place = if precision == Precision::Float { folder.join("float") } else { folder.into() };
                for file in request.run_for(&robot)?.files {
                    fs::write(place.join(&file.name), file.text)?;
                }
            }
        }
    }
    Ok(())
}

/// A program that calls every function on the states of a file and compares with what stands there: to the bit, zeros
/// without a sign, where no trigonometric function is called, else to 1e-13 of the largest number of a group.
fn harness(
    folder: &Path,
    name: &str,
    functions: &[Function],
    vectors: &[Vec<Vector>],
) -> Result<(), Box<dyn Error>> {
    let mut bytes = Vec::new();
    for vector in vectors.iter().flatten() {
        let numbers = vector.inputs.iter().chain(&vector.outputs);
        numbers.for_each(|x| bytes.extend(x.to_le_bytes()));
    }
    fs::write(folder.join(format!("{name}.states")), bytes)?;
    let mut c = format!(
        "#include \"{name}.h\"\n#include <math.h>\n#include <stdio.h>\n\nint main(int count, char **words)\n{{\n"
    );
    c += "    FILE *file = count > 1 ? fopen(words[1], \"rb\") : 0;\n    int failed = 0;\n    if (!file) return 2;\n";
    for (function, vectors) in functions.iter().zip(vectors) {
        let (inputs, results) = (function.input_count(), function.results.len());
        let exact = !function.has_trigonometry();
        let _ = writeln!(c, "    {{\n        double worst = 0.0;\n        int differ = 0;");
        let _ = writeln!(
            c,
            "        for (int n = 0; n < {}; n++) {{\n            double in[{inputs}], expected[{results}], found[{results}];",
            vectors.len()
        );
        c += "            if (fread(in, sizeof in, 1, file) != 1 || fread(expected, sizeof expected, 1, file) != 1) return 2;\n";
        let both = |name: &str| {
            function.inputs.iter().any(|g| g.name == name) && function.outputs.iter().any(|g| g.name == name)
        };
        let (mut at, mut arguments) = (0, Vec::new());
        for group in &function.inputs {
            if both(group.name) {
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
        for group in function.outputs.iter().filter(|group| !both(group.name)) {
            arguments.push(format!("found + {}", function.output_place(group.name).unwrap_or(0)));
        }
        let _ = writeln!(c, "            {name}_{}({});", function.name, arguments.join(", "));
        let mut at = 0;
        for group in &function.outputs {
            let end = at + group.count();
            if Some(group.name) != function.iteration.as_ref().map(|search| search.gap) {
                let _ = writeln!(
                    c,
                    "            {{\n                double e = 0.0, size = 1e-9;\n                for (int k = {at}; k < {end}; k++) {{"
                );
                c += "                    if (!(found[k] == expected[k])) differ++;\n                    if (fabs(expected[k]) > size) size = fabs(expected[k]);\n";
                c += "                    if (!(fabs(found[k] - expected[k]) <= e)) e = fabs(found[k] - expected[k]);\n                }\n";
                c += "                if (!(e / size <= worst)) worst = e / size;\n            }\n";
            }
            at = end;
        }
        let bad = if exact { "differ" } else { "!(worst <= TOLERANCE)" };
        let bad = bad.replace("TOLERANCE", if function.iteration.is_some() { "1e-9" } else { "1e-12" });
        let _ = writeln!(
            c,
            "        }}\n        printf(\"%-46s %6d states, {}, worst %.1e%s\\n\", \"{name}_{}\", {}, worst, {bad} ? \" FAILED\" : \"\");",
            if exact { "to the bit" } else { "rounding" },
            function.name,
            vectors.len()
        );
        let _ = writeln!(c, "        failed |= {bad} ? 1 : 0;\n    }}");
    }
    c += "    fclose(file);\n    return failed;\n}\n";
    fs::write(folder.join(format!("{name}_bits.c")), c)?;
    Ok(())
}
