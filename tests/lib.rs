//! How the tests of the whole pipeline call the program, and how they go through the literate cases.

pub mod comparison;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Mutex;
use std::thread;

use snapbox::cmd::{Command, OutputAssert};

/// Calls `healcheck` with these arguments in a folder.
///
/// # Panics
/// Where the program is not built: `make test` builds it first.
pub fn healcheck<'a>(folder: &Path, arguments: impl IntoIterator<Item = &'a str>) -> OutputAssert {
    Command::new(program()).current_dir(folder).args(arguments).assert()
}

/// The same for a program that imports from `site`, a folder of installed packages.
///
/// # Panics
/// Where the program is not built: `make test` builds it first.
pub fn healcheck_with<'a>(site: &Path, folder: &Path, arguments: impl IntoIterator<Item = &'a str>) -> OutputAssert {
    Command::new(program()).env("PYTHONPATH", site).current_dir(folder).args(arguments).assert()
}

/// What the call wrote to standard output.
///
/// # Panics
/// Where that is not UTF-8.
pub fn report(output: &OutputAssert) -> String {
    String::from_utf8(output.get_output().stdout.clone()).expect("reports are UTF-8")
}

/// What the call wrote to standard error.
///
/// # Panics
/// Where that is not UTF-8.
pub fn messages(output: &OutputAssert) -> String {
    String::from_utf8(output.get_output().stderr.clone()).expect("messages are UTF-8")
}

/// The program lies one folder above the test that runs.
///
/// # Panics
/// Where the program is not built: `make test` builds it first.
pub fn program() -> PathBuf {
    let test = std::env::current_exe().expect("a running test knows its own file");
    let built = test.ancestors().nth(2).expect("tests are built in a folder of their own");
    let program = built.join("healcheck").with_extension(std::env::consts::EXE_EXTENSION);
    assert!(program.is_file(), "{} is missing: run `cargo build --package healcheck` first", program.display());
    program
}

/// Makes a case of every program below `tests/literate`, each in a folder inside of `output`.
///
/// # Panics
/// Where they cannot be made.
pub fn literate_cases(output: &Path) -> Vec<PathBuf> {
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime");
    let made = std::process::Command::new("python3")
        .args(["-m", "healguard_lab.literate", "../tests/literate", "--output"])
        .arg(output)
        .current_dir(runtime)
        .stdout(Stdio::null())
        .status();
    assert!(made.is_ok_and(|status| status.success()), "the literate cases can be extracted");
    let folders = fs::read_dir(output).expect("the cases").map(|entry| entry.expect("an entry").path());
    let mut folders: Vec<PathBuf> = folders.collect();
    folders.sort();
    folders
}

/// The lines of the list of wrong verdicts that are known: what is wrong, and the name of the case.
///
/// # Panics
/// Where there is no list.
pub fn known_defects() -> BTreeSet<String> {
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("literate/known-defects.txt");
    let list = fs::read_to_string(list).expect("the list of known defects");
    list.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
}

/// The name of a case.
///
/// # Panics
/// Where the folder has none.
pub fn name_of(folder: &Path) -> String {
    folder.file_name().expect("a name").to_string_lossy().into_owned()
}

/// What is found out about cases, by their names, by as many threads as there are processors.
///
/// # Panics
/// Where `look` does.
pub fn each<T: Send>(folders: Vec<PathBuf>, look: impl Fn(&Path) -> T + Sync) -> BTreeMap<String, T> {
    let (pending, found) = (Mutex::new(folders), Mutex::new(BTreeMap::new()));
    let work = || {
        loop {
            let Some(folder) = pending.lock().expect("no thread panics with it").pop() else { return };
            let result = look(&folder);
            found.lock().expect("no thread panics with it").insert(name_of(&folder), result);
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    found.into_inner().expect("no thread panicked with it")
}

/// Says something past what captures the output of tests.
///
/// # Panics
/// Where messages cannot be written.
pub fn say(what: &str) {
    writeln!(std::io::stderr(), "{what}").expect("messages can be written");
}
