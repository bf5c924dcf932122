//! Every file of the standard library and of the installed packages, given as each kind of input: the program never
//! panics, and answers unusable input with one diagnostic.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use healcheck::check::Analysis;
use healcheck::cli::{self, Streams};
use healcheck::frontend;
use healcheck::ssa::SsaBody;
use healguard_tests::healcheck as call;
use tempfile::TempDir;

/// Dies in its third line.
const CRASHING_PROGRAM: &str = "prices = {}\nname = 'tea'\nprint(prices[name])\n";
/// The packages that demonstrations run through; others may be installed beside them.
const DEMONSTRATED: [&str; 3] = ["boltons", "prettytable", "werkzeug"];
/// One file in so many is also given as the program that crashed.
const SAMPLED: usize = 200;
const HEALING: &str = "prices[name] = 1\n";
const PROTECTION: &str = "schema = 1\n\n[[operation]]\nname = \"builtins.print\"\n";

/// Python files below the folders that the interpreter and the demonstrations import from.
fn files() -> Vec<PathBuf> {
    let output = Command::new("python3")
        .args(["-c", "import sysconfig; print(sysconfig.get_path('stdlib'))"])
        .output()
        .expect("python3 is on the search path");
    let library = PathBuf::from(String::from_utf8(output.stdout).expect("a path").trim());
    let packages =
        DEMONSTRATED.map(|key| Path::new(env!("CARGO_MANIFEST_DIR")).join("../.venv/repositories").join(key));
    for package in &packages {
        assert!(package.is_dir(), "{} is missing: run `make setup` first", package.display());
    }
    let mut found = Vec::new();
    let mut pending: Vec<PathBuf> = [library.clone()].into_iter().chain(packages).collect();
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(&folder).expect("a folder that can be read") {
            let path = entry.expect("an entry of a folder").path();
            // What else is installed on the machine is not part of the test.
            let is_elsewhere = path.parent() == Some(&library) && path.ends_with("site-packages");
            if path.is_dir() && !is_elsewhere {
                pending.push(path);
            } else if path.extension().is_some_and(|extension| extension == "py") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// A folder with a crash, and where a check of it finds each input.
struct Crash {
    folder: TempDir,
}

impl Crash {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let inputs = [("main.py", CRASHING_PROGRAM), ("heal.py", HEALING), ("protect.toml", PROTECTION)];
        for (name, text) in inputs {
            fs::write(folder.path().join(name), text).expect("the folder can be written");
        }
        call(folder.path(), ["snapshot", "--", "python3", "main.py"]).code(0);
        Crash { folder }
    }

    fn input(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Exit status, report and messages of a check in which the file stands for one of the inputs.
    fn check(&self, replaced: &str, file: &Path) -> (u8, String, String) {
        let mut arguments: Vec<OsString> = vec!["healcheck".into(), "check".into()];
        let inputs =
            [("--repository", "."), ("--crash", "crash.json"), ("--heal", "heal.py"), ("--protect", "protect.toml")];
        for (option, name) in inputs {
            let input = if name == replaced { file.to_owned() } else { self.input(name) };
            arguments.extend([option.into(), input.into()]);
        }
        let (mut reports, mut messages) = (Vec::new(), Vec::new());
        let mut streams = Streams::plain(&mut reports, &mut messages);
        let status = cli::run(arguments, &Analysis, &mut streams);
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
        (status, text(reports), text(messages))
    }
}

/// Runs `examine` on every file.
fn on_every_file(examine: impl Fn(&Path) -> Result<(), String> + Sync) {
    let files = files();
    assert!(files.len() > 500, "{} files are not the standard library", files.len());
    on_files(&files, examine);
}

/// Runs `examine` on the files, on all processors; fails with everything that it complains about.
fn on_files(files: &[PathBuf], examine: impl Fn(&Path) -> Result<(), String> + Sync) {
    let next = AtomicUsize::new(0);
    let complaints = Mutex::new(Vec::new());
    let work = || {
        while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(complaint) = examine(file) {
                complaints.lock().expect("no test thread panics").push(format!("{}: {complaint}", file.display()));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let complaints = complaints.into_inner().expect("no test thread panics");
    assert!(complaints.is_empty(), "{} of {} files:\n{}", complaints.len(), files.len(), complaints.join("\n"));
}

/// One diagnostic and no report, or nothing to complain about.
fn unusable((status, report, messages): &(u8, String, String)) -> Result<(), String> {
    let errors = messages.lines().filter(|line| line.starts_with("error")).count();
    if messages.contains("a defect of healcheck") {
        return Err(format!("a panic: {messages}"));
    }
    match (*status, errors, report.is_empty()) {
        (2, 1, true) => Ok(()),
        _ => Err(format!("exit status {status} with {errors} diagnostics and the report `{report}`")),
    }
}

#[test]
fn as_a_healing_it_gets_a_verdict_or_one_diagnostic() {
    let crash = Crash::new();
    on_every_file(|file| {
        let answer = crash.check("heal.py", file);
        match answer.0 {
            0 | 1 if answer.2.is_empty() => Ok(()),
            _ => unusable(&answer),
        }
    });
}

#[test]
fn as_a_snapshot_it_is_one_diagnostic() {
    let crash = Crash::new();
    on_every_file(|file| unusable(&crash.check("crash.json", file)));
}

#[test]
fn as_protection_it_is_one_diagnostic_unless_it_is_empty() {
    let crash = Crash::new();
    on_every_file(|file| {
        let says_nothing = fs::read_to_string(file)
            .is_ok_and(|text| text.lines().all(|line| line.is_empty() || line.starts_with('#')));
        let answer = crash.check("protect.toml", file);
        if says_nothing && !answer.2.contains("a defect of healcheck") { Ok(()) } else { unusable(&answer) }
    });
}

#[test]
fn as_a_file_of_the_repository_it_is_lowered_or_one_syntax_error() {
    on_every_file(|file| {
        let bytes = fs::read(file).map_err(|error| error.to_string())?;
        let lowered = frontend::lower_file(&String::from_utf8_lossy(&bytes), &Default::default());
        for body in lowered.into_iter().flat_map(|lowered| lowered.bodies) {
            let nodes = body.nodes.len();
            let converted = SsaBody::new(body);
            if converted.reachable.len() != nodes {
                return Err(format!("{} instructions became {}", nodes, converted.reachable.len()));
            }
        }
        Ok(())
    });
}

#[test]
fn as_the_program_that_crashed_it_is_one_diagnostic_or_a_verdict() {
    // Each of these may be a whole analysis: a sample is looked at.
    let files: Vec<PathBuf> = files().into_iter().step_by(SAMPLED).collect();
    on_files(&files, |file| {
        // The snapshot is of another program: what stands at the line that failed is whatever the file has there.
        let crash = Crash::new();
        fs::copy(file, crash.input("main.py")).map_err(|error| error.to_string())?;
        let answer = crash.check("", Path::new(""));
        match answer.0 {
            0 | 1 if answer.2.is_empty() => Ok(()),
            _ => unusable(&answer),
        }
    });
}
