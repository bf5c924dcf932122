//! What a caller asks of the checker, as plain data.

use std::path::PathBuf;

use crate::config::ResumeMode;

/// Which stages run, and what they run with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Use live values of the snapshot; without them only its stack counts.
    pub snapshot: bool,
    /// Decide path conditions with Z3.
    pub smt: bool,
    /// Replay alarms.
    pub replay: bool,
    /// Keep what a full explanation needs.
    pub explain: bool,
    /// The interpreter that runs cases and replays.
    pub python: PathBuf,
    /// Folders of installed packages, searched before those that the snapshot names.
    pub site: Vec<PathBuf>,
}

impl Default for Options {
    /// All stages, run with `python3`.
    fn default() -> Self {
        Self {
            snapshot: true,
            smt: true,
            replay: true,
            explain: false,
            python: PathBuf::from("python3"),
            site: Vec::new(),
        }
    }
}

/// Asks for the verdict on a controlled case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseRequest {
    /// The folder that holds `case.toml`.
    pub folder: PathBuf,
    pub options: Options,
}

/// Asks for the verdict on the healing of a real crash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrashRequest {
    /// The folder of the program's source.
    pub repository: PathBuf,
    /// The snapshot, `crash.json`.
    pub crash: PathBuf,
    /// The healing.
    pub heal: PathBuf,
    pub resume: ResumeMode,
    /// The protection file; absent: what the repository declares.
    pub protect: Option<PathBuf>,
    pub options: Options,
}
