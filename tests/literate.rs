//! The literate cases: what reaches is flagged, and what is safe is not.
//!
//! Verdicts that are known to be wrong stand in `literate/known-defects.txt`, one on a line. The test fails for any other
//! wrong verdict, and for a listed one that is right by now: then its line has to go. Cases listed as `slow` are not run.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use healguard_tests::{each, known_defects, literate_cases, name_of, program};

/// What is wrong with a verdict; nothing where it is right.
fn defect(is_unsafe: bool, status: Option<i32>) -> Option<&'static str> {
    match (is_unsafe, status) {
        (true, Some(1)) | (false, Some(0)) => None,
        (true, Some(0)) => Some("missed"),
        (false, Some(1)) => Some("alarm"),
        _ => Some("no-verdict"),
    }
}

/// The defect of one case.
fn check(folder: &Path) -> Option<&'static str> {
    let case = fs::read_to_string(folder.join("case.toml")).expect("a case");
    let is_unsafe = case.lines().any(|line| line == "label = \"unsafe\"");
    let status = Command::new(program())
        .args(["check", "--quiet"])
        .arg(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("the program runs");
    defect(is_unsafe, status.code())
}

#[test]
fn every_literate_case_has_the_right_verdict_or_is_a_known_defect() {
    let output = tempfile::tempdir().expect("a temporary folder");
    let folders = literate_cases(output.path());
    let count = folders.len();
    assert!(count > 400, "there are {count} cases");
    let known = known_defects();
    let slow = |folder: &PathBuf| known.contains(&format!("slow {}", name_of(folder)));
    let (not_run, run): (Vec<PathBuf>, Vec<PathBuf>) = folders.into_iter().partition(slow);
    let slow: BTreeSet<String> = not_run.iter().map(|folder| format!("slow {}", name_of(folder))).collect();
    let found = each(run, check);
    let wrong = found.iter().filter_map(|(name, defect)| Some(format!("{} {name}", (*defect)?)));
    let wrong: BTreeSet<String> = wrong.chain(slow).collect();
    let fresh: Vec<&String> = wrong.difference(&known).collect();
    let mended: Vec<&String> = known.difference(&wrong).collect();
    assert!(fresh.is_empty(), "of {count} cases these are newly wrong: {fresh:#?}");
    assert!(mended.is_empty(), "these are right now, or gone: take them out of the list: {mended:#?}");
}
