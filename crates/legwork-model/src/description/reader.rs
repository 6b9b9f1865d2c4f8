//! The tables of a robot file against the tables it may have: which keys are there, which belong elsewhere,
//! which exclude each other.
//!
//! Nothing stops at the first problem: what cannot be read is noted, NaN or nothing stands in for it, and the
//! file is refused at the end. The values of the keys are read in [`super::values`].

use super::convention::{CONVENTIONS, Convention};
use super::fields::{self, Alternatives, Field, Need, Table};
use super::file_value::described;
use super::problem::{Location, Problem, ProblemKind, Suggestion};
use crate::families::{Family, FamilyRow};
use crate::nearest::nearest;
use std::ops;
use std::path::PathBuf;
use std::sync::Arc;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The text of a file and what is wrong with it so far.
pub(crate) struct Notes<'t> {
    pub text: &'t str,
    /// The first of them; each is looked up in the text, and nobody reads a thousand.
    pub problems: Vec<Problem>,
    /// How many more there are.
    pub more: usize,
    /// The folder that paths in the file are from.
    pub folder: PathBuf,
    /// How many files name this one, from one to the next.
    pub depth: usize,
    /// Robot files that it names and carries, by the path that it names them by.
    pub carried: Vec<(String, String)>,
    /// The same of those that were read from other files.
    pub found: Vec<(String, Arc<str>)>,
}

impl Notes<'_> {
    /// Note a problem; without a span it concerns the whole file.
    pub fn note(&mut self, span: Option<ops::Range<usize>>, kind: ProblemKind) {
        if self.problems.len() >= MOST_PROBLEMS {
            self.more += 1;
            return;
        }
        let location = span.map(|span| Location::of(self.text, &span));
        self.problems.push(Problem { kind, location });
    }
}

/// So many problems of a file are told, and of the others how many they are.
const MOST_PROBLEMS: usize = 100;

/// No file has more tables of one name inside another.
const MOST_TABLES: usize = 1000;

/// The key whose word decides about the other keys of its table.
pub(crate) const TYPE: &str = "type";

/// One table of the file with the keys it may have.
pub(crate) struct Reader<'n, 't> {
    pub notes: &'n mut Notes<'t>,
    /// The family, whose other tables may be where a key belongs.
    pub family: Family,
    /// The table as it should be.
    pub place: &'static Table,
    /// The table as it is; `None` if it is not there.
    pub table: Option<&'n DeTable<'t>>,
    /// The table's header, to point at when a key is missing.
    pub header: Option<ops::Range<usize>>,
    /// The convention that decides what a bare number means here.
    pub convention: Convention,
    /// Whether bare numbers are SI; otherwise only zero needs no unit.
    pub bare_numbers: bool,
}

impl<'n, 't> Reader<'n, 't> {
    /// The value of a key, if it is there.
    pub fn value(&self, key: &str) -> Option<&'n Spanned<DeValue<'t>>> {
        self.table?.iter().find(|(name, _)| name.get_ref() == key).map(|(_, value)| value)
    }

    /// Whether a key is there.
    pub fn has(&self, key: &str) -> bool {
        self.value(key).is_some()
    }

    /// Where a key stands.
    fn key_span(&self, key: &str) -> Option<ops::Range<usize>> {
        self.table?.iter().find(|(name, _)| name.get_ref() == key).map(|(name, _)| name.span())
    }

    /// A table inside this one; `None` if it is not there. Its keys are checked here.
    pub fn open(&mut self, table: &'static Table) -> Option<Reader<'_, 't>> {
        self.open_with(table, table.fields)
    }

    /// The same, with other keys than the table's own.
    pub fn open_with(&mut self, table: &'static Table, keys: &[Field]) -> Option<Reader<'_, 't>> {
        let Some(value) = self.value(table.key()) else {
            if table.required && !table.unless.is_some_and(|other| self.has(other)) {
                self.notes.note(self.header.clone(), ProblemKind::MissingTable { table });
            }
            return None;
        };
        match value.get_ref() {
            DeValue::Table(found) => Some(self.inner(table, Some(found), Some(value.span()), keys)),
            other => {
                let kind = ProblemKind::NotATable { table, found: described(other) };
                self.notes.note(Some(value.span()), kind);
                None
            }
        }
    }

    /// A table inside this one; if it is not there, an empty one.
    pub fn open_or_empty(&mut self, table: &'static Table) -> Reader<'_, 't> {
        let found = self.value(table.key()).map(|value| (value.span(), value.get_ref()));
        match found {
            Some((span, DeValue::Table(found))) => self.inner(table, Some(found), Some(span), table.fields),
            Some((span, other)) => {
                let kind = ProblemKind::NotATable { table, found: described(other) };
                self.notes.note(Some(span), kind);
                self.inner(table, None, None, table.fields)
            }
            None => self.inner(table, None, None, table.fields),
        }
    }

    /// Read each of the tables `[[name]]` inside this one.
    pub fn each<T>(&mut self, table: &'static Table, read: impl FnMut(&mut Reader<'_, 't>) -> T) -> Vec<T> {
        self.each_of_at_most(MOST_TABLES, table, read)
    }

    /// The same; of more than so many tables none is read.
    pub fn each_of_at_most<T>(
        &mut self,
        most: usize,
        table: &'static Table,
        mut read: impl FnMut(&mut Reader<'_, 't>) -> T,
    ) -> Vec<T> {
        let Some(value) = self.value(table.key()) else {
            if table.required && !table.unless.is_some_and(|other| self.has(other)) {
                self.notes.note(self.header.clone(), ProblemKind::MissingTable { table });
            }
            return Vec::new();
        };
        let DeValue::Array(items) = value.get_ref() else {
            let kind = ProblemKind::NotATable { table, found: described(value.get_ref()) };
            self.notes.note(Some(value.span()), kind);
            return Vec::new();
        };
        if items.is_empty() && table.required {
            self.notes.note(Some(value.span()), ProblemKind::MissingTable { table });
        }
        if items.len() > most {
            let kind = ProblemKind::TooManyTables { table, most, found: items.len() };
            self.notes.note(Some(value.span()), kind);
            return Vec::new();
        }
        let mut all = Vec::new();
        for item in items {
            match item.get_ref() {
                DeValue::Table(found) => {
                    let mut reader = self.inner(table, Some(found), Some(item.span()), table.fields);
                    all.push(read(&mut reader));
                }
                other => {
                    let kind = ProblemKind::NotATable { table, found: described(other) };
                    self.notes.note(Some(item.span()), kind);
                }
            }
        }
        all
    }

    fn inner<'s>(
        &'s mut self,
        place: &'static Table,
        table: Option<&'s DeTable<'t>>,
        header: Option<ops::Range<usize>>,
        keys: &[Field],
    ) -> Reader<'s, 't> {
        let mut reader = Reader {
            notes: self.notes,
            family: self.family,
            place,
            table,
            header,
            convention: self.convention,
            bare_numbers: true,
        };
        let tables: Vec<&'static Table> = place.tables.iter().collect();
        reader.refuse_unknown_keys(keys, &tables);
        for group in place.alternatives {
            reader.refuse_two_alternatives(group, keys);
        }
        reader
    }

    /// The word behind `type`, if the table knows it.
    pub fn type_word(&self) -> Option<&'static str> {
        let DeValue::String(word) = self.value(TYPE)?.get_ref() else { return None };
        self.place.types.iter().map(|of| of.word).find(|known| known == word)
    }

    /// The keys that the table's `type` adds; those of every type if it is not known.
    fn type_fields(&self) -> impl Iterator<Item = &'static Field> {
        let word = self.type_word();
        let fits = move |known: &str| word.is_none_or(|word| word == known);
        self.place.types.iter().filter(move |of| fits(of.word)).flat_map(|of| of.fields)
    }

    /// Note every key that is none of `fields`, of the table's type, or of `tables`, which are read elsewhere.
    pub fn refuse_unknown_keys(&mut self, fields: &[Field], tables: &[&'static Table]) {
        let Some(table) = self.table else { return };
        let of_type = self.type_fields().map(|field| field.key);
        let allowed: Vec<&'static str> = fields.iter().map(|field| field.key).chain(of_type).collect();
        for (key, value) in table {
            let name: &str = key.get_ref();
            if allowed.contains(&name) || tables.iter().any(|table| table.key() == name) {
                continue;
            }
            let is_table = matches!(value.get_ref(), DeValue::Table(_)) || is_tables(value.get_ref());
            let kind = if self.place.name.is_empty() && is_table {
                self.unknown_table(name)
            } else {
                let inner = tables.iter().map(|table| table.key());
                let known: Vec<_> = allowed.iter().copied().chain(inner).collect();
                let suggestion = self.suggest(name, &known);
                ProblemKind::UnknownKey { table: self.place, key: name.into(), suggestion }
            };
            self.notes.note(Some(key.span()), kind);
        }
    }

    fn unknown_table(&self, name: &str) -> ProblemKind {
        let nearest = nearest(name, self.family.row().tables().map(|table| table.name));
        let has = |family: &&Family| family.row().tables().any(|table| table.name == name);
        let families = Family::ALL.iter().filter(has).copied().collect();
        ProblemKind::UnknownTable { name: name.into(), nearest, families }
    }

    /// What an unknown key may have meant.
    fn suggest(&self, key: &str, allowed: &[&'static str]) -> Option<Suggestion> {
        if self.place.name == fields::GEOMETRY_NAME
            && let Some(suggestion) = self.suggest_by_convention(key)
        {
            return Some(suggestion);
        }
        if let Some(of) = self.place.types.iter().find(|of| of.fields.iter().any(|field| field.key == key)) {
            return Some(Suggestion::Type(of.word));
        }
        let has = |table: &&'static Table| {
            table.every_field().any(|field| field.key == key) || self.in_geometry(table.name, key)
        };
        let top_has = |row: &FamilyRow| row.top().any(|field| field.key == key);
        if !self.place.name.is_empty() && top_has(self.family.row()) {
            return Some(Suggestion::Table(&fields::TOP));
        }
        if let Some(known) = other_names(key).iter().find_map(|name| allowed.iter().find(|key| *key == name))
        {
            return Some(Suggestion::Key(known));
        }
        let near = || nearest(key, allowed.iter().copied()).map(Suggestion::Key);
        let mut tables = self.family.row().tables().flat_map(Table::all);
        let home = tables.find(|table| table.name != self.place.name && has(table)).map(Suggestion::Table);
        let family = || {
            let mut others = Family::ALL.iter().filter(|_| self.place.name.is_empty());
            others.find(|family| top_has(family.row())).map(|family| Suggestion::Family(*family))
        };
        home.or_else(family).or_else(near)
    }

    fn in_geometry(&self, table: &str, key: &str) -> bool {
        self.family.row().has_conventions
            && table == fields::GEOMETRY_NAME
            && self.convention.row().geometry.iter().any(|(field, _)| field.key == key)
    }

    /// The key belongs to another convention: name that one, or our own key of the same meaning.
    fn suggest_by_convention(&self, key: &str) -> Option<Suggestion> {
        if !self.family.row().has_conventions {
            return None;
        }
        // The letters of the forum tutorial, from which many sketches come.
        let letters = [
            ("f", "base_triangle_mm"),
            ("e", "end_effector_triangle_mm"),
            ("rf", "crank_mm"),
            ("re", "linkage_mm"),
        ];
        if let Some((_, name)) = letters.iter().find(|(letter, _)| *letter == key.to_lowercase()) {
            return Some(match self.convention {
                Convention::FluidNc => Suggestion::Key(name),
                _ => Suggestion::KeyOf(Convention::FluidNc, name),
            });
        }
        let mut others = CONVENTIONS.iter().filter(|row| row.convention != self.convention);
        let (other, gives) = others.find_map(|row| {
            let (_, gives) = row.geometry.iter().find(|(field, _)| field.key == key)?;
            Some((row.convention, std::mem::discriminant(gives)))
        })?;
        if self.convention == Convention::Legwork {
            return Some(Suggestion::Convention(other));
        }
        let own =
            self.convention.row().geometry.iter().find(|(_, own)| std::mem::discriminant(own) == gives)?;
        Some(Suggestion::Key(own.0.key))
    }

    /// Note the keys of a second way to say the same thing, or that there is none.
    fn refuse_two_alternatives(&mut self, group: &Alternatives, fields: &[Field]) {
        if self.table.is_none() {
            return;
        }
        let present = |keys: &[&'static str]| keys.iter().copied().find(|key| self.has(key));
        let used: Vec<_> = group
            .choices
            .iter()
            .filter_map(|choice| Some((choice, present(choice.needs).or(present(choice.may))?)))
            .collect();
        let Some((choice, key)) = used.first() else {
            if group.required {
                let keys = group.choices.iter().filter_map(|choice| choice.needs.first().copied()).collect();
                let kind = ProblemKind::NoAlternative { table: self.place, keys };
                self.notes.note(self.header.clone(), kind);
            }
            return;
        };
        for missing in choice.needs {
            let field = fields.iter().find(|field| field.key == *missing);
            if let Some(field) = field.filter(|field| !self.has(field.key)) {
                let kind = ProblemKind::MissingKey { table: self.place, field: *field };
                self.notes.note(self.header.clone(), kind);
            }
        }
        for (other, _) in &used[1..] {
            for second in other.needs.iter().chain(other.may) {
                if let Some(span) = self.key_span(second) {
                    self.notes.note(Some(span), ProblemKind::TwoAlternatives { key: second, other: key });
                }
            }
        }
    }

    /// Whether any of these tables is there; then note which of the needed ones are not.
    pub fn any_of(&mut self, needed: &[&'static Table], others: &[&'static Table]) -> bool {
        let has = |table: &&&'static Table| self.has(table.key());
        let any = needed.iter().chain(others).any(|table| has(&table));
        let missing: Vec<_> = needed.iter().filter(|table| any && !has(table)).collect();
        for table in missing {
            self.notes.note(None, ProblemKind::MissingTable { table });
        }
        any
    }

    /// Note that a key is missing, if it must be there.
    pub fn missing(&mut self, field: &Field) {
        if field.need == Need::Required {
            let kind = ProblemKind::MissingKey { table: self.place, field: *field };
            self.notes.note(self.header.clone(), kind);
        }
    }
}

/// Whether a value is written `[[name]]`.
fn is_tables(value: &DeValue<'_>) -> bool {
    let DeValue::Array(items) = value else { return false };
    items.iter().next().is_some_and(|item| matches!(item.get_ref(), DeValue::Table(_)))
}

/// Our keys for what others call so, the first that a table has.
fn other_names(key: &str) -> &'static [&'static str] {
    match key.to_lowercase().as_str() {
        "rod" | "rods" | "lower_arm" | "lower_arms" | "linkage" | "diagonal_rod" | "forearm" | "shin" => {
            &["forearm", "rod"]
        }
        "upper_arm" | "upper_arms" | "bicep" | "crank" | "thigh" | "arm_length" => &["arm", "rod"],
        "radius" | "delta_radius" | "base" => &["base_radius"],
        "effector_radius" | "end_effector_radius" | "effector" | "tcp_radius" => &["platform_radius"],
        "load" | "tool_mass" => &["payload"],
        "effector_mass" | "end_effector" | "mass" => &["platform"],
        "ratio" | "gear" | "reduction" => &["gear_ratio"],
        // The numbers of a data sheet are those of the shaft.
        "torque" | "peak_torque" | "rated_torque" => &["motor_torque", "max_torque"],
        "speed" | "rated_speed" | "velocity" => &["motor_speed", "max_speed"],
        "roll_pitch_yaw" | "rpy" | "euler" | "angles" => &["orientation"],
        "position" | "tcp" | "tip" | "length" => &["offset"],
        "com" | "cog" | "center" | "centre_of_mass" | "center_of_mass" => &["centre"],
        _ => &[],
    }
}
