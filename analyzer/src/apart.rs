//! Checks in a process of their own, which always ends and takes nothing else along.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde::Deserialize;

use crate::cli::{FLAGGED, NOTHING_FLAGGED};
use crate::conclusion::UNFINISHED;
use crate::diagnostic::Diagnostic;
use crate::request::{CrashRequest, Options};
use crate::runtime_process::{ends_within, interpreter};

/// Whether the verdict for a crash is flagged; nothing where there is none in time, or where the analysis was not finished.
///
/// # Errors
///
/// A check that ends without a verdict.
pub fn is_flagged(request: &CrashRequest, patience: Duration) -> Result<Option<bool>, Diagnostic> {
    let unusable = |why: String| {
        Diagnostic::new(why).in_file(&request.repository).mend("check it alone, and look at what is said")
    };
    let [program, words @ ..] = &check_command(&request.options)?[..] else { return Ok(None) };
    let verdict = request.repository.join("verdict.json");
    let mut child = Command::new(program)
        .args(words)
        .arg("--repository")
        .arg(&request.repository)
        .arg("--crash")
        .arg(&request.crash)
        .arg("--heal")
        .arg(&request.heal)
        .args(["--resume", request.resume.word(), "--format", "json", "--output"])
        .arg(&verdict)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| unusable(format!("the check cannot be run: {error}")))?;
    let in_time = ends_within(&child, patience);
    // An error says that it has ended.
    let _ = child.kill();
    let status = child.wait().map_err(|error| unusable(format!("the check cannot be waited for: {error}")))?;
    match status.code() {
        _ if !in_time => Ok(None),
        Some(code) if code == i32::from(NOTHING_FLAGGED) => Ok(Some(false)),
        Some(code) if code == i32::from(FLAGGED) => {
            let text = fs::read(&verdict).map_err(|error| Diagnostic::unreadable(&verdict, &error))?;
            let verdict: Flagged = serde_json::from_slice(&text).map_err(|error| unusable(error.to_string()))?;
            Ok((!verdict.assumptions.iter().any(|one| one.id == UNFINISHED)).then_some(true))
        }
        _ => Err(unusable(format!("the check ended without a verdict ({status})"))),
    }
}

/// What is read of a flagged verdict.
#[derive(Deserialize)]
struct Flagged {
    assumptions: Vec<Named>,
}

#[derive(Deserialize)]
struct Named {
    id: String,
}

/// The words that check a case, whose folder is to follow, or a crash: only the exit status tells.
///
/// # Errors
///
/// This program, or the folder that it runs in, is gone.
pub fn check_command(options: &Options) -> Result<Vec<String>, Diagnostic> {
    let this = std::env::current_exe().map_err(|error| {
        Diagnostic::new(format!("healcheck does not find itself: {error}")).mend("install it again")
    })?;
    let shown = |path: &Path| path.to_string_lossy().into_owned();
    let mut words = vec![shown(&this), "check".to_owned(), "-q".to_owned()];
    words.extend(["--python".to_owned(), shown(&interpreter(&options.python)?)]);
    let left_out = [("--no-snapshot", options.snapshot), ("--no-smt", options.smt), ("--no-replay", options.replay)];
    words.extend(left_out.iter().filter(|(_, wanted)| !wanted).map(|(option, _)| (*option).to_owned()));
    Ok(words)
}
