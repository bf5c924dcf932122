//! From the paths that a user names to the folders of cases.

use std::path::{Path, PathBuf};

use crate::config::case::CASE_FILE;
use crate::diagnostic::Diagnostic;

/// The cases that a user named.
pub(super) struct NamedCases {
    pub folders: Vec<PathBuf>,
    /// Whether several were asked for, though there may be one only.
    pub are_set: bool,
}

/// The cases that the paths name: each a case, or a set, which is a folder of case folders.
///
/// # Errors
///
/// A path that is neither.
pub(super) fn named_cases(paths: &[PathBuf]) -> Result<NamedCases, Diagnostic> {
    let mut folders = Vec::new();
    let mut are_set = paths.len() > 1;
    for path in paths {
        if path.join(CASE_FILE).exists() {
            folders.push(path.clone());
        } else if path.is_dir() {
            folders.extend(cases_of_set(path)?);
            are_set = true;
        } else {
            folders.push(folder_of_case_file(path)?);
        }
    }
    Ok(NamedCases { folders, are_set })
}

/// The case folders directly in a folder, by name.
fn cases_of_set(set: &Path) -> Result<Vec<PathBuf>, Diagnostic> {
    let unreadable = |error: std::io::Error| Diagnostic::unreadable(set, &error);
    let mut cases = Vec::new();
    for entry in std::fs::read_dir(set).map_err(unreadable)? {
        let folder = entry.map_err(unreadable)?.path();
        if folder.join(CASE_FILE).exists() {
            cases.push(folder);
        }
    }
    cases.sort();
    match cases.is_empty() {
        false => Ok(cases),
        true => Err(Diagnostic::new(format!("neither this folder nor a folder in it has a `{CASE_FILE}`"))
            .in_file(set)
            .mend("name the folder of a case, or a folder of such folders")),
    }
}

/// Accepts the file `case.toml` itself for its folder.
fn folder_of_case_file(path: &Path) -> Result<PathBuf, Diagnostic> {
    match std::fs::metadata(path) {
        Err(error) => Err(Diagnostic::unreadable(path, &error)),
        Ok(_) if path.file_name().is_some_and(|name| name == CASE_FILE) => {
            Ok(path.parent().unwrap_or(Path::new("")).join("."))
        }
        Ok(_) => Err(Diagnostic::new("a case is a folder, and this is a file")
            .in_file(path)
            .mend(format!("name the folder that holds `{CASE_FILE}`"))),
    }
}
