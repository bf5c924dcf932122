//! How the tests of the whole pipeline call the program.

use std::path::{Path, PathBuf};

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
