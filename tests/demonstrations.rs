//! The demonstrations: each gets the verdict of its label, in both forms of the call, and an alarm shows its way through the
//! package.

use std::fs;
use std::path::{Path, PathBuf};

use healguard_tests::{healcheck, healcheck_with, report};
use serde_json::Value;

/// A case below `controlled-cases/demo`, with what its file says.
struct Demonstration {
    folder: PathBuf,
    repository: String,
    resume: String,
    is_unsafe: bool,
}

impl Demonstration {
    fn all() -> Vec<Demonstration> {
        let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../controlled-cases/demo");
        let folders = fs::read_dir(demo).expect("the demonstrations").map(|entry| entry.expect("an entry").path());
        let mut folders: Vec<PathBuf> = folders.collect();
        folders.sort();
        folders.into_iter().map(Demonstration::read).collect()
    }

    fn read(folder: PathBuf) -> Demonstration {
        let text = fs::read_to_string(folder.join("case.toml")).expect("a case");
        let value = |key: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(&format!("{key} = ")));
            line.unwrap_or_else(|| panic!("{} has no `{key}`", folder.display())).trim_matches('"').to_owned()
        };
        Demonstration {
            repository: value("repository"),
            resume: value("resume"),
            is_unsafe: value("label") == "unsafe",
            folder: fs::canonicalize(&folder).expect("the folder exists"),
        }
    }

    fn site(&self) -> PathBuf {
        let relative = format!("../.venv/repositories/{}/site-packages", self.repository);
        fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join(relative)).expect("run `make setup` first")
    }

    /// The verdict on the case folder.
    fn check_case(&self) -> Value {
        let folder = self.folder.to_str().expect("a readable path");
        let output = healcheck(Path::new("."), ["check", folder, "--format", "json"]);
        serde_json::from_str(&report(&output)).expect("a report")
    }

    /// The verdict on a snapshot that is taken in a copy of the folder.
    fn check_crash(&self) -> Value {
        let copy = tempfile::tempdir().expect("a temporary folder");
        for entry in fs::read_dir(&self.folder).expect("the folder of the case") {
            let path = entry.expect("an entry").path();
            if path.is_file() {
                fs::copy(&path, copy.path().join(path.file_name().expect("a name"))).expect("a copy");
            }
        }
        let site = self.site();
        healcheck_with(&site, copy.path(), ["snapshot", "--", "python3", "main.py"]).code(0);
        let site = site.to_str().expect("a readable path");
        let output = healcheck(
            copy.path(),
            [
                "check",
                "--repository",
                ".",
                "--crash",
                "crash.json",
                "--heal",
                "heal.py",
                "--resume",
                &self.resume,
                "--protect",
                "protect.toml",
                "--site",
                site,
                "--format",
                "json",
            ],
        );
        serde_json::from_str(&report(&output)).expect("a report")
    }
}

/// What both forms have to agree on: the verdicts, and where healed state arrives.
fn essence(report: &Value) -> Vec<(String, String, Vec<String>)> {
    let operations = report["operations"].as_array().expect("operations");
    operations
        .iter()
        .map(|operation| {
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let trace = operation["trace"].as_array().into_iter().flatten();
            let trace = trace.map(|step| format!("{}:{}", text(&step["file"]), step["line"])).collect();
            (text(&operation["name"]), text(&operation["verdict"]), trace)
        })
        .collect()
}

#[test]
fn there_are_six_three_of_them_unsafe() {
    let demonstrations = Demonstration::all();
    assert_eq!(demonstrations.len(), 6);
    assert_eq!(demonstrations.iter().filter(|demonstration| demonstration.is_unsafe).count(), 3);
}

#[test]
fn each_gets_the_verdict_of_its_label_and_an_alarm_names_lines_of_the_package() {
    for demonstration in Demonstration::all() {
        let report = demonstration.check_case();
        let name = demonstration.folder.display();
        assert_eq!(report["flagged"], demonstration.is_unsafe, "{name}: {}", report["verdict"]);
        if demonstration.is_unsafe {
            let lines = essence(&report).into_iter().flat_map(|(_, _, trace)| trace);
            assert!(
                lines.into_iter().any(|line| line.starts_with("site:")),
                "{name}: no line of the package in a trace"
            );
        }
    }
}

#[test]
fn a_snapshot_gets_the_same_verdict_as_the_case() {
    for demonstration in Demonstration::all() {
        let (case, crash) = (demonstration.check_case(), demonstration.check_crash());
        assert_eq!(essence(&case), essence(&crash), "{}", demonstration.folder.display());
        assert_eq!(case["verdict"], crash["verdict"], "{}", demonstration.folder.display());
    }
}
