//! Strict reading of TOML: every table is opened with its known keys, every value with its type, and everything
//! else is a diagnostic that names the file, the line and the nearest known word.

use std::fmt::Display;
use std::ops::Range;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::SCHEMA;
use crate::diagnostic::{Diagnostic, SourceRange};

/// Largest configuration file that is read.
pub(super) const LARGEST_FILE: u64 = 4 << 20;

/// The text of a TOML file and the name to report it under.
#[derive(Clone, Copy)]
pub(super) struct TomlFile<'t> {
    pub path: &'t Path,
    pub text: &'t str,
}

impl<'t> TomlFile<'t> {
    /// Parses the whole file.
    ///
    /// # Errors
    ///
    /// The first syntax error.
    pub fn parse(self) -> Result<Spanned<DeTable<'t>>, Diagnostic> {
        DeTable::parse(self.text).map_err(|error| {
            let message = error.message().lines().collect::<Vec<_>>().join(", ");
            let bytes = error.span().unwrap_or(0..0);
            self.refuse(bytes, format!("not valid TOML: {message}")).mend("mend the TOML syntax here")
        })
    }

    /// A diagnostic about these bytes of the file.
    pub fn refuse(self, bytes: Range<usize>, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(message).in_file(self.path).at_bytes_of(self.text, bytes)
    }

    /// Line and columns of these bytes.
    pub fn range(self, bytes: Range<usize>) -> SourceRange {
        SourceRange::of_bytes(self.text, bytes)
    }
}

/// A value of the expected type, and where it stands.
pub(super) struct Found<T> {
    pub value: T,
    pub bytes: Range<usize>,
}

/// One table of a file, whose keys are all known.
pub(super) struct Section<'d> {
    pub file: TomlFile<'d>,
    /// As a person would write it: `[crash]`, `[[operation]]`.
    name: String,
    /// Where the table stands; what is missing in it is reported there.
    bytes: Range<usize>,
    table: &'d DeTable<'d>,
}

impl<'d> Section<'d> {
    /// Opens a table.
    ///
    /// # Errors
    ///
    /// The first key, in the order of the file, that is not in `known`.
    pub fn open(
        file: TomlFile<'d>,
        name: impl Into<String>,
        bytes: Range<usize>,
        table: &'d DeTable<'d>,
        known: &[&str],
    ) -> Result<Self, Diagnostic> {
        let name = name.into();
        let unknown =
            table.keys().filter(|key| !known.contains(&key.get_ref().as_ref())).min_by_key(|key| key.span().start);
        match unknown {
            None => Ok(Self { file, name, bytes, table }),
            Some(key) => {
                let written = key.get_ref();
                let message = format!("unknown key {} in {name}", quoted(written));
                Err(file.refuse(key.span(), message).mend(nearest_of(written, known)))
            }
        }
    }

    /// Demands `schema = 1`.
    ///
    /// # Errors
    ///
    /// No schema, or another one.
    pub fn check_schema(&self) -> Result<(), Diagnostic> {
        let schema = self.required("schema", Self::integer, format!("{SCHEMA}"))?;
        if schema.value == SCHEMA {
            return Ok(());
        }
        let message = format!("schema {} is not known here", schema.value);
        Err(self
            .file
            .refuse(schema.bytes, message)
            .mend(format!("write `schema = {SCHEMA}`, and the rest of the file in that format")))
    }

    /// The value that `read` finds under `key`, which must be there.
    ///
    /// # Errors
    ///
    /// What `read` refuses, and a missing key, with an `example` of its value.
    pub fn required<T>(
        &self,
        key: &str,
        read: impl FnOnce(&Self, &str) -> Result<Option<T>, Diagnostic>,
        example: impl Display,
    ) -> Result<T, Diagnostic> {
        read(self, key)?.ok_or_else(|| self.missing(&format!("`{key}`")).mend(format!("add `{key} = {example}`")))
    }

    /// The one of `choices` whose word stands under `key`, which must be there.
    ///
    /// # Errors
    ///
    /// Another type, another word, and a missing key.
    pub fn required_choice<T: Copy>(&self, key: &str, choices: &[(&str, T)]) -> Result<T, Diagnostic> {
        let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
        let found = self.string(key)?.ok_or_else(|| {
            self.missing(&format!("`{key}`")).mend(format!("add `{key} = \"…\"` with one of {}", listed(&words)))
        })?;
        let chosen = choices.iter().find(|(word, _)| *word == found.value);
        chosen.map(|(_, choice)| *choice).ok_or_else(|| {
            let message = format!("{} is not a known {key}", quoted(found.value));
            self.file.refuse(found.bytes, message).mend(nearest_of(found.value, &words))
        })
    }

    /// The table under `key`, which must be there, as the section `[key]` with the keys `known`.
    ///
    /// # Errors
    ///
    /// Another type, an unknown key in it, and a missing table.
    pub fn required_section(&self, key: &str, known: &[&str]) -> Result<Section<'d>, Diagnostic> {
        self.section(key, known)?.ok_or_else(|| {
            self.missing(&format!("the table `[{key}]`")).mend(format!("add `[{key}]` with the keys {}", listed(known)))
        })
    }

    fn missing(&self, what: &str) -> Diagnostic {
        let message = format!("{what} is missing in {}", self.name);
        self.file.refuse(self.bytes.clone(), message)
    }

    /// The string under `key`.
    ///
    /// # Errors
    ///
    /// Another type.
    pub fn string(&self, key: &str) -> Result<Option<Found<&'d str>>, Diagnostic> {
        self.typed(key, "a string", DeValue::as_str)
    }

    /// The string under `key`, which must not be empty.
    ///
    /// # Errors
    ///
    /// Another type, or nothing but white space.
    pub fn text(&self, key: &str) -> Result<Option<Found<&'d str>>, Diagnostic> {
        let found = self.string(key)?;
        match found {
            Some(found) if found.value.trim().is_empty() => {
                Err(self.file.refuse(found.bytes, format!("`{key}` is empty")).mend(format!("write the {key}")))
            }
            found => Ok(found),
        }
    }

    /// The integer under `key`.
    ///
    /// # Errors
    ///
    /// Another type, or an integer outside 64 bits.
    pub fn integer(&self, key: &str) -> Result<Option<Found<i64>>, Diagnostic> {
        self.typed(key, "an integer of 64 bits", as_i64)
    }

    /// The truth value under `key`.
    ///
    /// # Errors
    ///
    /// Another type.
    pub fn boolean(&self, key: &str) -> Result<Option<Found<bool>>, Diagnostic> {
        self.typed(key, "true or false", DeValue::as_bool)
    }

    /// The array under `key`.
    ///
    /// # Errors
    ///
    /// Another type.
    pub fn array(&self, key: &str) -> Result<Option<Found<&'d [Spanned<DeValue<'d>>]>>, Diagnostic> {
        self.typed(key, "an array", |value| value.as_array().map(|array| &array[..]))
    }

    /// The strings of the array under `key`.
    ///
    /// # Errors
    ///
    /// Another type, or an item of another type.
    pub fn strings(&self, key: &str) -> Result<Option<Vec<Found<&'d str>>>, Diagnostic> {
        let Some(array) = self.array(key)? else {
            return Ok(None);
        };
        let read = |item: &'d Spanned<DeValue<'d>>| {
            let value = item.get_ref().as_str();
            let value = value.ok_or_else(|| self.wrong_type(key, "an array of strings", item))?;
            Ok(Found { value, bytes: item.span() })
        };
        array.value.iter().map(read).collect::<Result<_, _>>().map(Some)
    }

    /// The table under `key`, as the section `[key]` with the keys `known`.
    ///
    /// # Errors
    ///
    /// Another type, or an unknown key in it.
    pub fn section(&self, key: &str, known: &[&str]) -> Result<Option<Section<'d>>, Diagnostic> {
        let expected = format!("a table, written `[{key}]`");
        let found = self.typed(key, &expected, DeValue::as_table)?;
        found.map(|found| Section::open(self.file, format!("`[{key}]`"), found.bytes, found.value, known)).transpose()
    }

    /// The tables under `key`, as sections `[[key]]` with the keys `known`.
    ///
    /// # Errors
    ///
    /// Another type, or an unknown key in one of them.
    pub fn sections(&self, key: &str, known: &[&str]) -> Result<Vec<Section<'d>>, Diagnostic> {
        let expected = format!("an array of tables, written `[[{key}]]`");
        let array = self.typed(key, &expected, |value| value.as_array().map(|array| &array[..]))?;
        let items = array.map_or(&[][..], |array| array.value);
        let open = |item: &'d Spanned<DeValue<'d>>| {
            let table = item.get_ref().as_table();
            let table = table.ok_or_else(|| self.wrong_type(key, &expected, item))?;
            Section::open(self.file, format!("`[[{key}]]`"), item.span(), table, known)
        };
        items.iter().map(open).collect()
    }

    /// Says that `key` must be `expected`, which `value` is not.
    pub fn wrong_type(&self, key: &str, expected: &str, value: &Spanned<DeValue<'_>>) -> Diagnostic {
        let found = value.get_ref().type_str();
        let message = format!("`{key}` in {} must be {expected}", self.name);
        self.file.refuse(value.span(), message).mend(format!("replace this {found} by {expected}"))
    }

    fn typed<T>(
        &self,
        key: &str,
        expected: &str,
        read: impl FnOnce(&'d DeValue<'d>) -> Option<T>,
    ) -> Result<Option<Found<T>>, Diagnostic> {
        let Some(value) = self.table.get(key) else {
            return Ok(None);
        };
        match read(value.get_ref()) {
            Some(found) => Ok(Some(Found { value: found, bytes: value.span() })),
            None => Err(self.wrong_type(key, expected, value)),
        }
    }
}

/// The integer, where it is one that fits 64 bits.
pub(super) fn as_i64(value: &DeValue<'_>) -> Option<i64> {
    let integer = value.as_integer()?;
    i64::from_str_radix(integer.as_str(), integer.radix()).ok()
}

/// What the user wrote, in a form that stays on one line and is not too long.
pub(super) fn quoted(written: &str) -> String {
    const LONGEST: usize = 60;
    let mut shown: String = written.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if written.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    format!("`{shown}`")
}

/// Names the word of `known` that is nearest to what was written, and the others.
pub(super) fn nearest_of(written: &str, known: &[&str]) -> String {
    // Only the beginning is compared: a long text must not cost quadratic time.
    let beginning: String = written.chars().take(64).collect();
    let distance = |word: &str| strsim::damerau_levenshtein(&beginning, word);
    match known.iter().min_by_key(|word| distance(word)) {
        Some(nearest) if known.len() > 1 => {
            format!("did you mean `{nearest}`? known here: {}", listed(known))
        }
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => "nothing may be written here".to_owned(),
    }
}

/// The words in backticks, separated by commas.
fn listed(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    quoted.join(", ")
}
