//! The literate cases: what reaches is flagged, and what is safe is not.
//!
//! Verdicts that are known to be wrong stand in `literate/known-defects.txt`, one on a line. The test fails for any other
//! wrong verdict, and for a listed one that is right by now: then its line has to go. Cases listed as `slow` are not run.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;

use healguard_tests::program;

/// What is wrong with a verdict; nothing where it is right.
fn defect(is_unsafe: bool, status: Option<i32>) -> Option<&'static str> {
    match (is_unsafe, status) {
        (true, Some(1)) | (false, Some(0)) => None,
        (true, Some(0)) => Some("missed"),
        (false, Some(1)) => Some("alarm"),
        _ => Some("no-verdict"),
    }
}

/// Makes a case of every program below `tests/literate`.
fn extract(output: &Path) -> Vec<PathBuf> {
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime");
    let made = Command::new("python3")
        .args(["-m", "healguard_lab.literate", "../tests/literate", "--output"])
        .arg(output)
        .current_dir(runtime)
        .stdout(Stdio::null())
        .status();
    assert!(made.is_ok_and(|status| status.success()), "the literate cases can be extracted");
    let folders = fs::read_dir(output).expect("the cases").map(|entry| entry.expect("an entry").path());
    folders.collect()
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

/// The defects by case, found by as many threads as there are processors.
fn check_all(folders: Vec<PathBuf>) -> BTreeMap<String, &'static str> {
    let (pending, found) = (Mutex::new(folders), Mutex::new(BTreeMap::new()));
    let work = || {
        loop {
            let Some(folder) = pending.lock().expect("no thread panics with it").pop() else { return };
            if let Some(defect) = check(&folder) {
                found.lock().expect("no thread panics with it").insert(name_of(&folder), defect);
            }
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    found.into_inner().expect("no thread panicked with it")
}

#[test]
fn every_literate_case_has_the_right_verdict_or_is_a_known_defect() {
    let output = tempfile::tempdir().expect("a temporary folder");
    let folders = extract(output.path());
    let count = folders.len();
    assert!(count > 400, "there are {count} cases");
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("literate/known-defects.txt");
    let list = fs::read_to_string(list).expect("the list of known defects");
    let known: BTreeSet<String> = list.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect();
    let slow = |folder: &PathBuf| known.contains(&format!("slow {}", name_of(folder)));
    let (not_run, run): (Vec<PathBuf>, Vec<PathBuf>) = folders.into_iter().partition(slow);
    let slow: BTreeSet<String> = not_run.iter().map(|folder| format!("slow {}", name_of(folder))).collect();
    let found = check_all(run);
    let wrong: BTreeSet<String> = found.iter().map(|(name, defect)| format!("{defect} {name}")).chain(slow).collect();
    let fresh: Vec<&String> = wrong.difference(&known).collect();
    let mended: Vec<&String> = known.difference(&wrong).collect();
    assert!(fresh.is_empty(), "of {count} cases these are newly wrong: {fresh:#?}");
    assert!(mended.is_empty(), "these are right now, or gone: take them out of the list: {mended:#?}");
}

fn name_of(folder: &Path) -> String {
    folder.file_name().expect("a name").to_string_lossy().into_owned()
}
