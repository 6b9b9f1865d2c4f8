//! Writes generated files for the checks of compilers: `codegen_files FOLDER`.

use legwork_codegen::{CodegenRequest, Language, Precision, Quantity};
use std::error::Error;
use std::fs;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("codegen_files FOLDER")?;
    for entry in legwork::description::BUILT_IN {
        let robot = legwork::AnyRobot::open(entry.name)?;
        let name = format!("r_{}", entry.name.replace('-', "_"));
        let has = |quantity: &Quantity| {
            let what = vec![*quantity];
            let request = CodegenRequest { what, name: Some(name.clone()), ..CodegenRequest::default() };
            request.run_for(&robot).is_ok()
        };
        let what: Vec<Quantity> = Quantity::ALL.into_iter().filter(has).collect();
        for precision in [Precision::Double, Precision::Float] {
            let kind = if precision == Precision::Double { "double" } else { "float" };
            fs::create_dir_all(format!("{folder}/{kind}"))?;
            for language in [Language::C, Language::Rust, Language::St] {
                let (what, name) = (what.clone(), Some(name.clone()));
                let request = CodegenRequest { what, language, precision, name, ..CodegenRequest::default() };
                for file in request.run_for(&robot)?.files {
                    fs::write(format!("{folder}/{kind}/{}", file.name), file.text)?;
                }
            }
        }
    }
    Ok(())
}
