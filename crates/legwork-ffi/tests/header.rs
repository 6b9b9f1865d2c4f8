//! The header and the library say the same: every function with its arguments, every structure, every code.

use legwork_c::Code;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Without comments, white space in one piece.
fn plain(text: &str, begin: &str, end: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(begin) {
        out.push_str(before);
        out.push('\n');
        rest = after.split_once(end).map_or("", |(_, rest)| rest);
    }
    out.push_str(rest);
    out
}

/// A type of Rust as C writes it.
fn c_type(rust: &str) -> String {
    let rust = rust.trim();
    if let Some(rest) = rust.strip_prefix("*const ") {
        return format!("const {}*", c_type(rest));
    }
    if let Some(rest) = rust.strip_prefix("*mut ") {
        return format!("{}*", c_type(rest));
    }
    match rust {
        "f64" => "double".into(),
        "usize" => "size_t".into(),
        "u8" => "uint8_t".into(),
        "c_int" => "int".into(),
        "c_char" => "char".into(),
        "c_void" => "void".into(),
        other => other.into(),
    }
}

/// A function or field: arguments with type and name, and what it gives.
type Signature = (Vec<(String, String)>, String);

/// "const double *q" -> ("const double*", "q")
fn of_c(declaration: &str) -> (String, String) {
    let declaration = declaration.trim();
    let at = declaration.rfind([' ', '*']).expect("a type and a name") + 1;
    let (kind, name) = declaration.split_at(at);
    let kind: Vec<&str> = kind.split_whitespace().collect();
    (kind.join(" ").replace(" *", "*"), name.into())
}

fn functions_of_header(text: &str) -> BTreeMap<String, Signature> {
    let mut found = BTreeMap::new();
    for statement in text.split(';') {
        let statement = statement.rsplit(['}', '{', '\n']).next().unwrap_or("").trim();
        let Some((head, arguments)) = statement.split_once('(') else { continue };
        if !head.contains("legwork_") {
            continue;
        }
        let (gives, name) = of_c(head);
        let arguments = arguments.trim_end_matches(')');
        let list = if arguments == "void" { Vec::new() } else { arguments.split(',').map(of_c).collect() };
        assert!(found.insert(name.clone(), (list, gives)).is_none(), "{name} is there twice");
    }
    found
}

fn sources() -> Vec<PathBuf> {
    let files = fs::read_dir(folder().join("src")).expect("sources");
    files
        .map(|file| file.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|e| e == "rs"))
        .collect()
}

fn of_rust(declaration: &str) -> (String, String) {
    let (name, kind) = declaration.split_once(':').expect("a name and a type");
    (c_type(kind), name.trim().into())
}

fn functions_of_library() -> BTreeMap<String, Signature> {
    let mut found = BTreeMap::new();
    for path in sources() {
        let text = fs::read_to_string(&path).expect("a source");
        for part in text.split("#[unsafe(no_mangle)]").skip(1) {
            let part = part.split_once("extern \"C\" fn ").expect("a function").1;
            let (name, rest) = part.split_once('(').expect("arguments");
            let (arguments, rest) = rest.split_once(')').expect("arguments");
            let gives = rest.split_once('{').expect("a body").0.trim().trim_start_matches("->");
            let list = arguments.split(',').filter(|it| !it.trim().is_empty()).map(of_rust).collect();
            found.insert(name.to_owned(), (list, c_type(gives)));
        }
    }
    found
}

fn header() -> String {
    let text = fs::read_to_string(folder().join("include/legwork.h")).expect("the header");
    plain(&text, "/*", "*/")
}

#[test]
fn every_function_has_the_same_arguments_in_both() {
    let (in_header, in_library) = (functions_of_header(&header()), functions_of_library());
    let ours: BTreeMap<_, _> =
        in_library.into_iter().filter(|(name, _)| name.starts_with("legwork_")).collect();
    assert!(ours.len() > 40, "{}", ours.len());
    assert_eq!(in_header.keys().collect::<Vec<_>>(), ours.keys().collect::<Vec<_>>());
    for (name, signature) in &ours {
        assert_eq!(&in_header[name], signature, "{name}");
    }
}

#[test]
fn every_structure_has_the_same_fields_in_both() {
    let mut rust = BTreeMap::new();
    for path in sources() {
        let text = plain(&fs::read_to_string(&path).expect("a source"), "///", "\n");
        for part in text.split("#[repr(C)]").skip(1) {
            let part = part.split_once("pub struct ").expect("a structure").1;
            let (name, rest) = part.split_once('{').expect("fields");
            let fields = rest.split_once('}').expect("an end").0;
            if fields.contains("_opaque") {
                continue;
            }
            let fields: Vec<_> = fields
                .split(',')
                .map(|field| field.trim().trim_start_matches("pub "))
                .filter(|field| !field.is_empty())
                .map(of_rust)
                .collect();
            rust.insert(name.trim().to_owned(), fields);
        }
    }
    let text = header();
    let mut c = BTreeMap::new();
    for part in text.split("typedef struct ").skip(1) {
        let (name, rest) = part.split_once(['{', ';']).expect("a structure");
        if name.contains(' ') && name.trim().contains(' ') {
            continue;
        }
        let fields = rest.split_once('}').expect("an end").0;
        let fields: Vec<_> = fields.split(';').filter(|field| !field.trim().is_empty()).map(of_c).collect();
        c.insert(name.trim().to_owned(), fields);
    }
    assert_eq!(rust.len(), 4);
    assert_eq!(c, rust);
}

#[test]
fn every_code_has_the_same_number_in_both() {
    let text = header();
    let codes = text.split_once("enum {").expect("codes").1.split_once('}').expect("an end").0;
    let in_header: Vec<(String, i32)> = codes
        .split(',')
        .map(|line| {
            let (name, number) = line.split_once('=').expect("a number");
            (name.trim().to_owned(), number.trim().parse().expect("a number"))
        })
        .collect();
    let ours = Code::ALL.map(|code| (code.name().to_str().expect("ASCII").to_owned(), code as i32));
    assert_eq!(in_header, ours);
}
