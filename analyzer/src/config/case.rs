//! A controlled case: the file `case.toml` and the files that it names.

use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::ResumeMode;
use super::family::FAMILIES;
use super::toml_source::{Found, LARGEST_FILE, Section, TomlFile, quoted};
use crate::diagnostic::{Diagnostic, read_text};

/// Name of the file that makes a folder a case.
pub const CASE_FILE: &str = "case.toml";

const FILE_KEYS: [&str; 9] = ["schema", "id", "family", "label", "repository", "title", "program", "crash", "heal"];
const PROGRAM_KEYS: [&str; 1] = ["entry"];
const CRASH_KEYS: [&str; 4] = ["file", "line", "function", "exception"];
const HEAL_KEYS: [&str; 3] = ["code", "resume", "alternatives"];
const LABELS: [(&str, Label); 2] = [("unsafe", Label::Unsafe), ("safe", Label::Safe)];

/// A controlled case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The folder of the case, as the user named it.
    pub folder: PathBuf,
    pub id: String,
    /// One of [`FAMILIES`].
    pub family: String,
    pub label: Label,
    /// Key of the package that the case runs, where it runs one.
    pub repository: Option<String>,
    /// What flows where, or why it does not; empty where nobody said.
    pub title: String,
    pub program: Program,
    pub crash: CrashSite,
    pub heal: Heal,
}

/// What executions of the case showed. No analysis may look at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Label {
    /// Healed state does not reach a protected operation.
    Safe,
    /// Healed state reaches a protected operation.
    Unsafe,
}

/// The program that crashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The script, relative to the folder of the case.
    pub entry: PathBuf,
}

/// Where the program dies when nothing heals it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrashSite {
    /// Relative to the folder of the case, or `site:…` for an installed package.
    pub file: String,
    /// First line of the failing statement, from 1.
    pub line: u32,
    /// Qualified name, `<module>` for module code.
    pub function: String,
    /// Name of the exception's class, with or without `builtins.`.
    pub exception: String,
}

/// How the crash is healed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heal {
    /// The healing, relative to the folder of the case.
    pub code: PathBuf,
    pub resume: ResumeMode,
    /// Healings of the same places with other values, relative to the folder of the case.
    pub alternatives: Vec<PathBuf>,
}

impl Case {
    /// Reads the case in `folder` and makes sure that the files it names are there.
    ///
    /// # Errors
    ///
    /// No `case.toml`, one that is broken or is not a case, and files that it names and that are not there.
    pub fn load(folder: &Path) -> Result<Self, Diagnostic> {
        let path = folder.join(CASE_FILE);
        if folder.is_dir() && !path.exists() {
            return Err(Diagnostic::new(format!("this folder has no `{CASE_FILE}`"))
                .in_file(folder)
                .mend("name the folder of a case, or a folder of such folders"));
        }
        let text = read_text(&path, LARGEST_FILE)?;
        let file = TomlFile { path: &path, text: &text };
        let exists = |found: &Found<&str>| match folder.join(found.value).is_file() {
            true => Ok(()),
            false => Err(file
                .refuse(found.bytes.clone(), format!("there is no file {}", quoted(found.value)))
                .mend("name a file in the folder of the case")),
        };
        read_case(file, folder, exists)
    }

    /// Reads the text of a `case.toml`, reported under the name `file`; the files that it names are not looked for.
    ///
    /// # Errors
    ///
    /// TOML that is broken, or is not a case.
    pub fn parse(file: &Path, text: &str) -> Result<Self, Diagnostic> {
        let folder = file.parent().unwrap_or(Path::new(""));
        read_case(TomlFile { path: file, text }, folder, |_| Ok(()))
    }
}

fn read_case(
    file: TomlFile<'_>,
    folder: &Path,
    exists: impl Fn(&Found<&str>) -> Result<(), Diagnostic>,
) -> Result<Case, Diagnostic> {
    let document = file.parse()?;
    let section = Section::open(file, "this file", 0..0, document.get_ref(), &FILE_KEYS)?;
    section.check_schema()?;
    let text = |key: &str, example: &str| {
        let found = section.required(key, Section::text, example)?;
        Ok(found.value.to_owned())
    };
    let optional = |key| Ok(section.string(key)?.map(|found| found.value.to_owned()));
    Ok(Case {
        folder: folder.to_owned(),
        id: text("id", "\"name-of-the-case\"")?,
        family: section.required_choice("family", &FAMILIES.map(|family| (family, family)))?.to_owned(),
        label: section.required_choice("label", &LABELS)?,
        repository: optional("repository")?.filter(|key| !key.is_empty()),
        title: optional("title")?.unwrap_or_default(),
        program: read_program(&section.required_section("program", &PROGRAM_KEYS)?, &exists)?,
        crash: read_crash(&section.required_section("crash", &CRASH_KEYS)?)?,
        heal: read_heal(&section.required_section("heal", &HEAL_KEYS)?, &exists)?,
    })
}

fn read_program(
    section: &Section<'_>,
    exists: impl Fn(&Found<&str>) -> Result<(), Diagnostic>,
) -> Result<Program, Diagnostic> {
    let entry = section.required("entry", Section::text, "\"main.py\"")?;
    Ok(Program { entry: file_of_case(section, &entry, exists)? })
}

fn read_crash(section: &Section<'_>) -> Result<CrashSite, Diagnostic> {
    let file = section.required("file", Section::text, "\"main.py\"")?;
    let relative = file.value.strip_prefix("site:").unwrap_or(file.value);
    check_relative(section.file, &file, relative)?;
    let line = section.required("line", Section::integer, "1")?;
    let Some(number) = u32::try_from(line.value).ok().filter(|number| *number > 0) else {
        return Err(section
            .file
            .refuse(line.bytes, format!("{} is not the number of a line", line.value))
            .mend("write the first line of the failing statement, from 1"));
    };
    let text = |key: &str, example: &str| {
        let found = section.required(key, Section::text, example)?;
        Ok(found.value.to_owned())
    };
    Ok(CrashSite {
        file: file.value.to_owned(),
        line: number,
        function: text("function", "\"<module>\"")?,
        exception: text("exception", "\"KeyError\"")?,
    })
}

fn read_heal(
    section: &Section<'_>,
    exists: impl Fn(&Found<&str>) -> Result<(), Diagnostic>,
) -> Result<Heal, Diagnostic> {
    let code = section.required("code", Section::text, "\"heal.py\"")?;
    let resume = section.required_choice("resume", &ResumeMode::ALL.map(|mode| (mode.word(), mode)))?;
    let alternatives = section.strings("alternatives")?.unwrap_or_default();
    Ok(Heal {
        code: file_of_case(section, &code, &exists)?,
        resume,
        alternatives: alternatives
            .iter()
            .map(|alternative| file_of_case(section, alternative, &exists))
            .collect::<Result<_, _>>()?,
    })
}

/// The path of a file that must be in the folder of the case.
fn file_of_case(
    section: &Section<'_>,
    found: &Found<&str>,
    exists: impl Fn(&Found<&str>) -> Result<(), Diagnostic>,
) -> Result<PathBuf, Diagnostic> {
    check_relative(section.file, found, found.value)?;
    exists(found)?;
    Ok(PathBuf::from(found.value))
}

/// Refuses paths that lead out of the folder they are relative to.
fn check_relative(file: TomlFile<'_>, found: &Found<&str>, path: &str) -> Result<(), Diagnostic> {
    let stays = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    if !path.is_empty() && !path.contains('\0') && Path::new(path).components().all(stays) {
        return Ok(());
    }
    Err(file
        .refuse(found.bytes.clone(), format!("{} is not a path inside the folder", quoted(found.value)))
        .mend("write a path relative to the folder of the case, without `..`"))
}
