//! Protected operations and endorsements: `protect.toml`, or `[tool.healcheck]` in `pyproject.toml`.

use std::path::Path;

use indexmap::IndexMap;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::toml_source::{Found, LARGEST_FILE, Section, TomlFile, as_i64, nearest_of, quoted};
use crate::diagnostic::{Diagnostic, read_text};
use crate::verdict::Location;

const FILE_KEYS: [&str; 4] = ["schema", "presets", "operation", "endorsement"];
const OPERATION_KEYS: [&str; 5] = ["name", "arguments", "receiver", "reads", "reason"];
const ENDORSEMENT_KEYS: [&str; 2] = ["name", "mode"];

/// What developers declared about one repository.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Protection {
    /// In the order of the file; no name occurs twice.
    pub operations: Vec<Operation>,
    /// In the order of the file; no name occurs twice.
    pub endorsements: Vec<Endorsement>,
    /// In the order of the file; none occurs twice.
    pub presets: Vec<Preset>,
}

/// A protected operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Dotted name of a function, method, class or built-in; `shop.payments.*` names all in a module or class.
    /// The module of the script is `main`.
    pub name: String,
    /// The watched arguments; absent: all of them.
    pub arguments: Option<Vec<ArgumentSelector>>,
    /// Whether the object a method is called on is watched.
    pub receiver: bool,
    /// Whether what the body reads while it runs is watched, where there is a body.
    pub reads: bool,
    /// Why it is protected; empty where nobody said.
    pub reason: String,
    /// Where it was declared.
    pub declared: Location,
}

/// Which argument is watched.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ArgumentSelector {
    /// By the name of its parameter.
    Name(String),
    /// By its position, from 0, the receiver not counted.
    Position(usize),
}

/// A check that makes healed state acceptable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endorsement {
    /// Dotted name of a function or method; `shop.checks.*` names all in a module or class.
    pub name: String,
    pub mode: EndorsementMode,
    /// Where it was declared.
    pub declared: Location,
}

/// What an endorsement makes clean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EndorsementMode {
    /// Its result.
    Returns,
    /// Its arguments and the places they came from, on the paths where it returned, truthy if it returns a bool.
    Guards,
}

impl EndorsementMode {
    /// All modes with the word used in files, in the order in which they are documented.
    pub const ALL: [(&str, Self); 2] = [("returns", Self::Returns), ("guards", Self::Guards)];
}

/// A list of effectful operations of the standard library and of common packages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Preset {
    Database,
    Filesystem,
    Network,
    Process,
    Deserialization,
}

impl Preset {
    /// All presets, in the order in which they are documented.
    pub const ALL: [Self; 5] = [Self::Database, Self::Filesystem, Self::Network, Self::Process, Self::Deserialization];

    /// The word used in files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Database => "database",
            Self::Filesystem => "filesystem",
            Self::Network => "network",
            Self::Process => "process",
            Self::Deserialization => "deserialization",
        }
    }
}

impl Protection {
    /// What a repository declares: its `protect.toml`, or else `[tool.healcheck]` of its `pyproject.toml`; nothing
    /// where neither is there.
    ///
    /// # Errors
    ///
    /// An unusable file, and declarations in both places, since one of them would have to be ignored.
    pub fn of_repository(folder: &Path) -> Result<Self, Diagnostic> {
        let protect = folder.join("protect.toml");
        let pyproject = folder.join("pyproject.toml");
        let in_file = protect.exists().then(|| Self::load(&protect)).transpose()?;
        let in_project = match pyproject.exists() {
            true => Self::in_pyproject(&pyproject, &read_text(&pyproject, LARGEST_FILE)?)?,
            false => None,
        };
        match (in_file, in_project) {
            (Some(_), Some(_)) => {
                Err(Diagnostic::new("operations are declared in `protect.toml` and under `[tool.healcheck]`")
                    .in_file(pyproject)
                    .mend("keep one of the two, or name the one that counts with `--protect`"))
            }
            (in_file, in_project) => Ok(in_file.or(in_project).unwrap_or_default()),
        }
    }

    /// Reads the file that a user named: a `pyproject.toml`, or else a file in the form of `protect.toml`.
    ///
    /// # Errors
    ///
    /// An unusable file, and a `pyproject.toml` without `[tool.healcheck]`.
    pub fn load(file: &Path) -> Result<Self, Diagnostic> {
        let text = read_text(file, LARGEST_FILE)?;
        if file.file_name().is_some_and(|name| name == "pyproject.toml") {
            return Self::in_pyproject(file, &text)?.ok_or_else(|| {
                Diagnostic::new("this file has no table `[tool.healcheck]`")
                    .in_file(file)
                    .mend("add `[tool.healcheck]` with `schema = 1`, or name another file")
            });
        }
        Self::parse(file, &text)
    }

    /// Reads the text of a `protect.toml`, reported under the name `file`.
    ///
    /// # Errors
    ///
    /// TOML that is broken, or is not a protection.
    pub fn parse(file: &Path, text: &str) -> Result<Self, Diagnostic> {
        let file = TomlFile { path: file, text };
        let document = file.parse()?;
        read_protection(file, "this file", 0..0, document.get_ref())
    }

    /// Reads the table `[tool.healcheck]` in the text of a `pyproject.toml`; nothing where there is none.
    ///
    /// # Errors
    ///
    /// TOML that is broken, or a table that is not a protection.
    pub fn in_pyproject(file: &Path, text: &str) -> Result<Option<Self>, Diagnostic> {
        let file = TomlFile { path: file, text };
        let document = file.parse()?;
        let Some(tool) = document.get_ref().get("tool") else {
            return Ok(None);
        };
        let Some(ours) = table_or_refuse(file, "tool", tool)?.get("healcheck") else {
            return Ok(None);
        };
        let table = table_or_refuse(file, "tool.healcheck", ours)?;
        read_protection(file, "`[tool.healcheck]`", ours.span(), table).map(Some)
    }
}

fn table_or_refuse<'d>(
    file: TomlFile<'d>,
    key: &str,
    value: &'d Spanned<DeValue<'d>>,
) -> Result<&'d DeTable<'d>, Diagnostic> {
    value.get_ref().as_table().ok_or_else(|| {
        file.refuse(value.span(), format!("`{key}` must be a table")).mend(format!("write it as `[{key}]`"))
    })
}

fn read_protection<'d>(
    file: TomlFile<'d>,
    name: &str,
    bytes: std::ops::Range<usize>,
    table: &'d DeTable<'d>,
) -> Result<Protection, Diagnostic> {
    let section = Section::open(file, name, bytes, table, &FILE_KEYS)?;
    section.check_schema()?;
    let mut declared = Declarations::default();
    let operations = section
        .sections("operation", &OPERATION_KEYS)?
        .iter()
        .map(|operation| read_operation(operation, &mut declared))
        .collect::<Result<_, _>>()?;
    let mut declared = Declarations::default();
    let endorsements = section
        .sections("endorsement", &ENDORSEMENT_KEYS)?
        .iter()
        .map(|endorsement| read_endorsement(endorsement, &mut declared))
        .collect::<Result<_, _>>()?;
    Ok(Protection { operations, endorsements, presets: read_presets(&section)? })
}

/// Names declared so far, each with its line.
#[derive(Default)]
struct Declarations(IndexMap<String, u32>);

impl Declarations {
    /// Enters a name and gives where it stands.
    ///
    /// # Errors
    ///
    /// A name that is there already.
    fn declare(&mut self, file: TomlFile<'_>, what: &str, name: &Found<&str>) -> Result<Location, Diagnostic> {
        let range = file.range(name.bytes.clone());
        if let Some(first) = self.0.insert(name.value.to_owned(), range.line) {
            let message = format!("{what} {} is declared twice, first on line {first}", quoted(name.value));
            return Err(file.refuse(name.bytes.clone(), message).mend("keep one of the two declarations"));
        }
        Ok(range.in_shown_file(file.path.display().to_string()))
    }
}

fn read_operation(section: &Section<'_>, declared: &mut Declarations) -> Result<Operation, Diagnostic> {
    let name = section.required("name", Section::text, "\"module.function\"")?;
    check_dotted_name(section.file, &name)?;
    let flag = |key| Ok(section.boolean(key)?.is_none_or(|found| found.value));
    Ok(Operation {
        declared: declared.declare(section.file, "operation", &name)?,
        name: name.value.to_owned(),
        arguments: read_arguments(section)?,
        receiver: flag("receiver")?,
        reads: flag("reads")?,
        reason: section.string("reason")?.map_or_else(String::new, |found| found.value.to_owned()),
    })
}

fn read_arguments(section: &Section<'_>) -> Result<Option<Vec<ArgumentSelector>>, Diagnostic> {
    let Some(array) = section.array("arguments")? else {
        return Ok(None);
    };
    let mut selectors = Vec::new();
    for item in array.value {
        let selector = read_argument(section, item)?;
        if selectors.contains(&selector) {
            return Err(section
                .file
                .refuse(item.span(), "this argument is named twice")
                .mend("name each watched argument once"));
        }
        selectors.push(selector);
    }
    Ok(Some(selectors))
}

fn read_argument(section: &Section<'_>, item: &Spanned<DeValue<'_>>) -> Result<ArgumentSelector, Diagnostic> {
    let value = item.get_ref();
    if let Some(name) = value.as_str() {
        if is_identifier(name) {
            return Ok(ArgumentSelector::Name(name.to_owned()));
        }
        return Err(section
            .file
            .refuse(item.span(), format!("{} is not the name of a parameter", quoted(name)))
            .mend("write the parameter's name, without stars, or its position from 0"));
    }
    as_i64(value)
        .and_then(|position| usize::try_from(position).ok())
        .map(ArgumentSelector::Position)
        .ok_or_else(|| section.wrong_type("arguments", "names and positions from 0", item))
}

fn read_endorsement(section: &Section<'_>, declared: &mut Declarations) -> Result<Endorsement, Diagnostic> {
    let name = section.required("name", Section::text, "\"module.function\"")?;
    check_dotted_name(section.file, &name)?;
    Ok(Endorsement {
        declared: declared.declare(section.file, "endorsement", &name)?,
        name: name.value.to_owned(),
        mode: section.required_choice("mode", &EndorsementMode::ALL)?,
    })
}

fn read_presets(section: &Section<'_>) -> Result<Vec<Preset>, Diagnostic> {
    let mut presets = Vec::new();
    for word in section.strings("presets")?.unwrap_or_default() {
        let Some(preset) = Preset::ALL.into_iter().find(|preset| preset.word() == word.value) else {
            let message = format!("{} is not a known preset", quoted(word.value));
            let mend = nearest_of(word.value, &Preset::ALL.map(Preset::word));
            return Err(section.file.refuse(word.bytes, message).mend(mend));
        };
        if presets.contains(&preset) {
            return Err(section
                .file
                .refuse(word.bytes, format!("preset `{}` is named twice", word.value))
                .mend("name each preset once"));
        }
        presets.push(preset);
    }
    Ok(presets)
}

/// Demands identifiers joined by dots, with `*` allowed as the last of several.
fn check_dotted_name(file: TomlFile<'_>, name: &Found<&str>) -> Result<(), Diagnostic> {
    let parts: Vec<&str> = name.value.split('.').collect();
    let (last, before) = parts.split_last().map_or(("", &[][..]), |(last, before)| (*last, before));
    let is_part = |part: &str| is_identifier(part) || part == "<locals>";
    let last_is_good = is_part(last) || (last == "*" && !before.is_empty());
    if last_is_good && before.iter().all(|part| is_part(part)) {
        return Ok(());
    }
    Err(file
        .refuse(name.bytes.clone(), format!("{} is not a dotted name", quoted(name.value)))
        .mend("write `module.function`, `module.Class.method`, or `module.*` for all in it"))
}

fn is_identifier(text: &str) -> bool {
    let mut characters = text.chars();
    let starts = characters.next().is_some_and(|first| first == '_' || first.is_alphabetic());
    starts && characters.all(|rest| rest == '_' || rest.is_alphanumeric())
}
