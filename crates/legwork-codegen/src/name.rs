//! Names that every language takes.

use crate::error::CodegenError;

/// Words of C and C++, headers of the C library (`math.h` beside a `math.h` of ours), words of Rust and of Structured Text:
/// none of them can be what names and files begin with. Small letters, because Structured Text knows no others.
const RESERVED: &str = "
    asm auto bool break case catch char class const constexpr continue decltype default delete do double else enum explicit
    export extern false float for friend goto if inline int long mutable namespace new noexcept nullptr operator private
    protected public register restrict return short signed sizeof static struct switch template this throw true try typedef
    typeid typename union unsigned using virtual void volatile wchar_t while main
    assert complex ctype errno fenv inttypes iso646 limits locale math setjmp signal stdarg stdatomic stdbool stddef stdint
    stdio stdlib string tgmath threads time uchar wchar wctype
    abstract as async await become box crate dyn final fn impl in let loop macro match mod move mut override priv pub ref self
    super trait type unsafe unsized use where yield std core libm
    abs absolute acos action add and any any_num any_real array asin at atan begin by byte configuration constant cos date dint
    dt dword e en end_action end_case end_configuration end_for end_function end_function_block end_if end_program end_repeat
    end_resource end_step end_struct end_transition end_type end_var end_while eno eq exit exp expt f_edge function
    function_block ge gt initial_step interval jmp le len limit lint ln log lreal lt lword max min mul mux ne nil non_retain
    not of on or pou pointer program r_edge read_only read_write real reference repeat resource retain rol ror sel shl shr sin
    single sint sqrt step sub tan task then time_of_day to tod transition trunc udint uint ulint until usint var var_access
    var_config var_external var_global var_in_out var_input var_output var_temp with word wstring xor";

/// What all names begin with: the name that was given, or that of the robot with `_` for `-`, `.` and blanks.
pub(crate) fn function_name(given: Option<&str>, robot: &str) -> Result<String, CodegenError> {
    let name = given.map_or_else(|| robot.replace(['-', '.', ' '], "_"), str::to_owned);
    let why = if name.is_empty() {
        "it is empty"
    } else if name.len() > 40 {
        "it is longer than 40 letters"
    } else if !name.is_ascii() || name.contains(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
        "only the letters a to z, digits and `_` can be in it"
    } else if name.starts_with(|c: char| c.is_ascii_digit()) {
        "it begins with a digit"
    } else if name.starts_with('_') || name.ends_with('_') || name.contains("__") {
        "names that begin or end with `_`, or have two of them side by side, belong to compilers"
    } else if is_reserved(&name) {
        "it is a word of C, Rust or Structured Text, or a header of C"
    } else {
        return Ok(name);
    };
    Err(CodegenError::Name { found: name.clone(), why, instead: corrected(&name) })
}

/// Whether one of the languages has this word for itself.
pub(crate) fn is_reserved(name: &str) -> bool {
    let small = name.to_lowercase();
    RESERVED.split_whitespace().any(|word| word == small)
}

/// A name like it that can be one: letters with marks without them, as far as they are usual.
fn corrected(name: &str) -> String {
    let mut letters = String::new();
    for c in name.chars() {
        match c {
            'ä' => letters.push_str("ae"),
            'ö' => letters.push_str("oe"),
            'ü' => letters.push_str("ue"),
            'Ä' => letters.push_str("Ae"),
            'Ö' => letters.push_str("Oe"),
            'Ü' => letters.push_str("Ue"),
            'ß' => letters.push_str("ss"),
            c if c.is_ascii_alphanumeric() => letters.push(c),
            _ => letters.push('_'),
        }
    }
    let letters: String = letters.chars().take(30).collect();
    let words: Vec<&str> = letters.split('_').filter(|word| !word.is_empty()).collect();
    let joined = words.join("_");
    if joined.is_empty() {
        "robot".into()
    } else if joined.starts_with(|c: char| c.is_ascii_digit()) || is_reserved(&joined) {
        format!("robot_{joined}")
    } else {
        joined
    }
}
