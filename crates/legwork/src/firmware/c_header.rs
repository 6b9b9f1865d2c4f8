//! The `#define` lines of a C header as its compiler sees them: without comments, by the conditions around them, and
//! with values that may be sums of other names.
//!
//! A configuration of Marlin has the lengths of a Delta in it even if it is for another machine: they stand between
//! `#if ENABLED(DELTA)` and `#endif`, and `#define DELTA` is a comment. So conditions are followed. What cannot be
//! decided here (the board, a version) counts as possible, and a value that depends on it is refused.

use super::FirmwareError;
use std::collections::BTreeMap;

/// Sums within sums and names of names; more than any header has, and an end for one that names itself.
const DEPTH: usize = 32;
/// Numbers and names that one value may need.
const WORK: usize = 10_000;

/// What a name stands for.
#[derive(Clone, Debug, Default)]
struct Meaning {
    value: String,
    /// Another value, under a condition that cannot be decided here.
    other: Option<String>,
}

/// The names of a header and what they stand for.
#[derive(Clone, Debug, Default)]
pub(super) struct Defines {
    names: BTreeMap<String, Meaning>,
    /// Names in conditions that were not met.
    pub(super) left_out: Vec<String>,
}

/// Whether lines count: by all conditions around them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Truth {
    No,
    Perhaps,
    Yes,
}

impl Truth {
    fn of(value: bool) -> Self {
        if value { Self::Yes } else { Self::No }
    }

    fn not(self) -> Self {
        match self {
            Self::No => Self::Yes,
            Self::Perhaps => Self::Perhaps,
            Self::Yes => Self::No,
        }
    }

    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::No, _) | (_, Self::No) => Self::No,
            (Self::Yes, Self::Yes) => Self::Yes,
            _ => Self::Perhaps,
        }
    }

    fn or(self, other: Self) -> Self {
        self.not().and(other.not()).not()
    }
}

/// A condition that is open: whether its present branch counts, and whether one of its branches did.
struct Condition {
    here: Truth,
    before: Truth,
}

impl Defines {
    pub(super) fn new(texts: &[&str]) -> Self {
        let mut defines = Self::default();
        for text in texts {
            defines.take(&without_comments(text));
        }
        defines
    }

    fn take(&mut self, text: &str) {
        let mut open: Vec<Condition> = Vec::new();
        for line in text.lines() {
            let Some(line) = line.trim().strip_prefix('#') else { continue };
            let line = line.trim_start();
            let (word, rest) = line
                .split_once(|c: char| !c.is_alphanumeric())
                .map_or((line, ""), |(word, _)| (word, line.get(word.len()..).unwrap_or_default().trim()));
            let outside = open.iter().fold(Truth::Yes, |all, condition| all.and(condition.here));
            match word {
                "if" | "ifdef" | "ifndef" => {
                    let here = match word {
                        "if" => self.condition(rest),
                        "ifdef" => self.is_defined(rest),
                        _ => self.is_defined(rest).not(),
                    };
                    if here == Truth::No {
                        self.left_out.push(rest.to_owned());
                    }
                    open.push(Condition { here, before: here });
                }
                "elif" => {
                    let asked = self.condition(rest);
                    if let Some(condition) = open.last_mut() {
                        condition.here = condition.before.not().and(asked);
                        condition.before = condition.before.or(asked);
                    }
                }
                "else" => {
                    if let Some(condition) = open.last_mut() {
                        condition.here = condition.before.not();
                        condition.before = Truth::Yes;
                    }
                }
                "endif" => drop(open.pop()),
                "define" => self.define(rest, outside),
                "undef" if outside == Truth::Yes => drop(self.names.remove(rest)),
                _ => {}
            }
        }
    }

    fn define(&mut self, rest: &str, truth: Truth) {
        let (name, value) =
            rest.split_once(char::is_whitespace).map_or((rest, ""), |(name, value)| (name, value.trim()));
        let value = value.to_owned();
        match (truth, self.names.get_mut(name)) {
            (Truth::Perhaps, Some(meaning)) if meaning.value != value => meaning.other = Some(value),
            (Truth::No, _) | (Truth::Perhaps, Some(_)) => {}
            (Truth::Perhaps | Truth::Yes, _) => {
                drop(self.names.insert(name.to_owned(), Meaning { value, other: None }));
            }
        }
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.names.contains_key(name)
    }

    /// Whether a feature is switched on, as Marlin's `ENABLED` says.
    pub(super) fn is_on(&self, name: &str) -> bool {
        self.is_enabled(name) == Truth::Yes
    }

    /// The text that a name stands for; none if there is no such name.
    pub(super) fn text(&self, name: &str) -> Result<Option<&str>, FirmwareError> {
        match self.names.get(name) {
            None => Ok(None),
            Some(Meaning { value, other: None }) => Ok(Some(value)),
            Some(Meaning { value, other: Some(other) }) => Err(FirmwareError::Undecided {
                setting: name.to_owned(),
                values: [value, other].map(|text| text.chars().take(40).collect()),
            }),
        }
    }

    /// The number that a name stands for; none if there is no such name.
    pub(super) fn number(&self, name: &str) -> Result<Option<f64>, FirmwareError> {
        self.text(name)?.map(|text| self.value(name, text)).transpose()
    }

    /// The number that a text is, the value of this name.
    pub(super) fn value(&self, name: &str, text: &str) -> Result<f64, FirmwareError> {
        let not_a_number = || FirmwareError::NotANumber {
            setting: format!("`{name}`"),
            found: text.trim().chars().take(40).collect(),
        };
        let mut work = WORK;
        match self.sum_of(text, DEPTH, &mut work)? {
            Some(value) if value.is_finite() => Ok(value),
            _ => Err(not_a_number()),
        }
    }

    fn sum_of(&self, text: &str, depth: usize, work: &mut usize) -> Result<Option<f64>, FirmwareError> {
        let mut reader = Reader { rest: text.trim_start() };
        let value = self.sum(&mut reader, depth, work)?;
        Ok(value.filter(|_| reader.rest.is_empty()))
    }

    /// sum = product (+|- product)*
    fn sum(&self, text: &mut Reader, depth: usize, work: &mut usize) -> Result<Option<f64>, FirmwareError> {
        let Some(mut sum) = self.product(text, depth, work)? else { return Ok(None) };
        while let Some(sign) = text.one_of("+-") {
            let Some(next) = self.product(text, depth, work)? else { return Ok(None) };
            sum = if sign == '+' { sum + next } else { sum - next };
        }
        Ok(Some(sum))
    }

    /// product = factor (*|/ factor)*
    fn product(
        &self,
        text: &mut Reader,
        depth: usize,
        work: &mut usize,
    ) -> Result<Option<f64>, FirmwareError> {
        let Some(mut product) = self.factor(text, depth, work)? else { return Ok(None) };
        while let Some(sign) = text.one_of("*/") {
            let Some(next) = self.factor(text, depth, work)? else { return Ok(None) };
            product = if sign == '*' { product * next } else { product / next };
        }
        Ok(Some(product))
    }

    /// factor = (+|-) factor, ( sum ), sqrt( sum ), a number, or a name
    fn factor(
        &self,
        text: &mut Reader,
        depth: usize,
        work: &mut usize,
    ) -> Result<Option<f64>, FirmwareError> {
        let (Some(depth), Some(left)) = (depth.checked_sub(1), work.checked_sub(1)) else { return Ok(None) };
        *work = left;
        if let Some(sign) = text.one_of("+-") {
            let value = self.factor(text, depth, work)?;
            return Ok(value.map(|value| if sign == '-' { -value } else { value }));
        }
        if text.one_of("(").is_some() {
            let value = self.sum(text, depth, work)?;
            return Ok(value.filter(|_| text.one_of(")").is_some()));
        }
        let word = text.word();
        if word.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
            return Ok(word.trim_end_matches(['f', 'F']).parse().ok());
        }
        if matches!(word, "sqrt" | "SQRT") {
            return Ok(self.factor(text, depth, work)?.map(f64::sqrt));
        }
        match self.text(word)? {
            Some(meaning) => self.sum_of(meaning, depth, work),
            None => Ok(None),
        }
    }

    fn is_defined(&self, name: &str) -> Truth {
        Truth::of(self.has(name.trim()))
    }

    /// As Marlin's `ENABLED`: defined, and not as 0 or false.
    fn is_enabled(&self, name: &str) -> Truth {
        let off = |meaning: &Meaning| matches!(meaning.value.as_str(), "0" | "false");
        Truth::of(self.names.get(name.trim()).is_some_and(|meaning| !off(meaning)))
    }

    fn condition(&self, text: &str) -> Truth {
        let mut reader = Reader { rest: text.trim_start() };
        let truth = self.any(&mut reader, DEPTH);
        if reader.rest.is_empty() { truth } else { Truth::Perhaps }
    }

    /// any = all (|| all)*
    fn any(&self, text: &mut Reader, depth: usize) -> Truth {
        let mut truth = self.all(text, depth);
        while text.pair("||") {
            truth = truth.or(self.all(text, depth));
        }
        truth
    }

    /// all = one (&& one)*
    fn all(&self, text: &mut Reader, depth: usize) -> Truth {
        let mut truth = self.one(text, depth);
        while text.pair("&&") {
            truth = truth.and(self.one(text, depth));
        }
        truth
    }

    /// one = ! one, ( any ), defined NAME, ENABLED(NAME...) and its kin, 0, 1; anything else may be either.
    fn one(&self, text: &mut Reader, depth: usize) -> Truth {
        let Some(depth) = depth.checked_sub(1) else { return Truth::Perhaps };
        if text.one_of("!").is_some() {
            return self.one(text, depth).not();
        }
        if text.one_of("(").is_some() {
            let truth = self.any(text, depth);
            return if text.one_of(")").is_some() { truth } else { Truth::Perhaps };
        }
        let word = text.word();
        match word {
            "0" => return Truth::No,
            "1" => return Truth::Yes,
            "defined" if !text.rest.starts_with('(') => return self.is_defined(text.word()),
            _ => {}
        }
        let Some((inside, after)) = text.rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) else {
            return Truth::Perhaps;
        };
        let names = || inside.split(',').map(|name| self.is_enabled(name));
        let truth = match word {
            "defined" => self.is_defined(inside),
            "ENABLED" | "ALL" | "BOTH" => names().fold(Truth::Yes, Truth::and),
            "ANY" | "EITHER" => names().fold(Truth::No, Truth::or),
            "DISABLED" | "NONE" | "NEITHER" => names().fold(Truth::No, Truth::or).not(),
            _ => return Truth::Perhaps,
        };
        text.rest = after.trim_start();
        truth
    }
}

/// A line, read from its beginning.
struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn one_of(&mut self, signs: &str) -> Option<char> {
        let sign = self.rest.chars().next().filter(|sign| signs.contains(*sign))?;
        self.rest = self.rest.get(sign.len_utf8()..)?.trim_start();
        Some(sign)
    }

    fn pair(&mut self, sign: &str) -> bool {
        let after = self.rest.strip_prefix(sign);
        self.rest = after.map_or(self.rest, str::trim_start);
        after.is_some()
    }

    /// Letters, digits, `_` and the point, up to what is none of them.
    fn word(&mut self) -> &'a str {
        let inside = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
        let end = self.rest.find(|c| !inside(c)).unwrap_or(self.rest.len());
        let (word, after) = self.rest.split_at(end);
        self.rest = after.trim_start();
        word
    }
}

/// Without `//` to the end of the line and without `/* */`, but not inside quotes; lines that end in `\` go on.
fn without_comments(text: &str) -> String {
    let text = text.replace("\\\r\n", " ").replace("\\\n", " ");
    let mut kept = String::with_capacity(text.len());
    let (mut quoted, mut line_comment, mut block_comment) = (false, false, false);
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        let next = signs.peek().copied();
        match (sign, next) {
            ('\n', _) => {
                (quoted, line_comment) = (false, false);
                kept.push('\n');
            }
            ('*', Some('/')) if block_comment => {
                signs.next();
                block_comment = false;
                kept.push(' ');
            }
            _ if line_comment || block_comment => {}
            ('/', Some('/')) if !quoted => line_comment = true,
            ('/', Some('*')) if !quoted => {
                signs.next();
                block_comment = true;
            }
            _ => {
                quoted ^= sign == '"';
                kept.push(sign);
            }
        }
    }
    kept
}
