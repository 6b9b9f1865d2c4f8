//! The part of YAML that sidecars of URDF files are written in: keys with lists, pairs, words and numbers on one line.

use super::super::ExchangeError;
use super::super::reading::short;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Yaml {
    Word(String),
    List(Vec<Yaml>),
    Pairs(Vec<(String, Yaml)>),
}

impl Yaml {
    pub fn word(&self) -> Option<&str> {
        if let Self::Word(word) = self { Some(word) } else { None }
    }

    pub fn list(&self) -> &[Self] {
        if let Self::List(list) = self { list } else { &[] }
    }

    pub fn number(&self) -> Option<f64> {
        self.word()?.parse().ok().filter(|value: &f64| value.is_finite())
    }

    /// Names with numbers.
    pub fn numbers(&self) -> Vec<(&str, f64)> {
        let Self::Pairs(pairs) = self else { return Vec::new() };
        pairs.iter().filter_map(|(name, value)| Some((name.as_str(), value.number()?))).collect()
    }
}

/// Lists deeper within each other than this are refused.
const DEEPEST: usize = 8;

struct Reader<'a> {
    file: &'a str,
    line: u32,
    text: &'a str,
    at: usize,
}

/// The keys of a file with their values.
pub(super) fn read(file: &str, text: &str) -> Result<Vec<(String, Yaml)>, ExchangeError> {
    let mut all = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        let mut reader = Reader { file, line, text, at: 0 };
        reader.space();
        if reader.rest().is_empty() || reader.rest() == "---" {
            continue;
        }
        let key = reader.scalar(":")?;
        reader.expect(':')?;
        reader.space();
        let value = reader.value(0)?;
        reader.space();
        if !reader.rest().is_empty() {
            return Err(reader.fault("something stands after the value"));
        }
        all.push((key, value));
    }
    Ok(all)
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn fault(&self, what: &str) -> ExchangeError {
        let column = u32::try_from(self.text.get(..self.at).unwrap_or("").chars().count()).unwrap_or(0) + 1;
        ExchangeError::Fault {
            file: self.file.into(),
            place: (self.line, column),
            what: what.into(),
            hint: Some("a line of a sidecar is `key: value`, its lists in [ ] and its pairs in { }".into()),
        }
    }

    /// Over spaces, and over a comment.
    fn space(&mut self) {
        let rest = self.rest();
        let blank = rest.len() - rest.trim_start().len();
        self.at += blank;
        if self.rest().starts_with('#') {
            self.at = self.text.len();
        }
    }

    fn expect(&mut self, c: char) -> Result<(), ExchangeError> {
        self.space();
        if self.rest().starts_with(c) {
            self.at += c.len_utf8();
            Ok(())
        } else {
            Err(self.fault(&format!("`{c}` is missing")))
        }
    }

    /// A word or a number, with or without quotes; without them up to one of the ends.
    fn scalar(&mut self, ends: &str) -> Result<String, ExchangeError> {
        let rest = self.rest().to_owned();
        let quote = rest.chars().next().filter(|c| *c == '\'' || *c == '"');
        if let Some(quote) = quote {
            let inner = &rest[1..];
            let Some(end) = inner.find(quote) else { return Err(self.fault("a quotation mark is missing")) };
            self.at += end + 2;
            return Ok(inner[..end].to_owned());
        }
        let end = rest.find(|c: char| ends.contains(c)).unwrap_or(rest.len());
        let word = rest[..end].trim_end();
        if word.is_empty() {
            return Err(self.fault("a value is missing"));
        }
        self.at += end;
        Ok(word.to_owned())
    }

    fn value(&mut self, depth: usize) -> Result<Yaml, ExchangeError> {
        if depth > DEEPEST {
            return Err(self.fault("lists are too deep within each other"));
        }
        self.space();
        let (open, close) = match self.rest().chars().next() {
            Some('[') => ('[', ']'),
            Some('{') => ('{', '}'),
            Some(c @ ('-' | '|' | '>' | '&' | '*' | '!'))
                if !self.rest()[1..].starts_with(|d: char| d.is_ascii_digit() || d == '.') =>
            {
                return Err(self.fault(&format!("`{}` is not read here", short(&c.to_string()))));
            }
            _ => return self.scalar(if depth == 0 { "#" } else { ",]}:" }).map(Yaml::Word),
        };
        self.expect(open)?;
        let (mut list, mut pairs) = (Vec::new(), Vec::new());
        loop {
            self.space();
            if self.rest().starts_with(close) {
                self.at += 1;
                break;
            }
            if open == '{' {
                let key = self.scalar(":,}")?;
                self.expect(':')?;
                pairs.push((key, self.value(depth + 1)?));
            } else {
                list.push(self.value(depth + 1)?);
            }
            self.space();
            if self.rest().starts_with(',') {
                self.at += 1;
            } else if !self.rest().starts_with(close) {
                return Err(self.fault(&format!("`,` or `{close}` is missing")));
            }
        }
        Ok(if open == '{' { Yaml::Pairs(pairs) } else { Yaml::List(list) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_pairs_and_words() {
        let text = "# loops\nclosed_loop: [['a_1', b], [\"c\", d]] # two\ngravity: [0, -0.5, -9.81]\nrest: {'q 1': 1.5e-3, r: 2}\nname: x\n";
        let all = read("a.yaml", text).unwrap();
        assert_eq!(all[0].1.list()[0].list()[0].word(), Some("a_1"));
        assert_eq!(all[1].1.list().iter().filter_map(Yaml::number).sum::<f64>(), -10.31);
        assert_eq!(all[2].1.numbers(), [("q 1", 1.5e-3), ("r", 2.0)]);
        assert_eq!(all[3].1.word(), Some("x"));
    }

    #[test]
    fn bad_lines_are_told_with_their_place() {
        for text in [
            "a",
            "a: [1",
            "a: ['x]",
            "a: {b 1}",
            "a: [1] 2",
            "a: - 1",
            "a:",
            &format!("a: {}", "[".repeat(99)),
            "a: [é",
            "'é: 1",
        ] {
            let error = read("a.yaml", text).unwrap_err().to_string();
            assert!(error.starts_with("a.yaml:1:"), "{text}: {error}");
        }
    }
}
