//! The arguments of `healcheck`, as clap reads them.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::config::ResumeMode;
use crate::request::Options;

const ABOUT: &str = "May state changed by a healing reach a protected operation?";

const EXAMPLES: &str = "\
Examples:
  healcheck check controlled-cases/demo/boltons-unsafe --explain
  healcheck snapshot -- python app.py --port 8080
  healcheck check --repository . --crash crash.json --heal heal.py
  healcheck audit controlled-cases/demo
  healcheck explain taint/propagate-assign

Exit status:
  0  nothing is flagged
  1  something is flagged: alarm, confirmed, or rejected; for `audit` and `coverage`,
     see there
  2  the input or the call is unusable; one message says why and how to mend it";

const CHECK_EXAMPLES: &str = "\
Examples:
  healcheck check CASE --explain            one case, and why
  healcheck check SET --jobs 4              every case in a folder of cases
  healcheck check CASE --format json        one object; several cases give an array
  healcheck check --repository . --crash crash.json --heal heal.py --resume skip

A case is a folder with a file `case.toml`; the program in it is run until it
dies. With `--repository`, the crash is read from a snapshot instead.";

const AUDIT_EXAMPLES: &str = "\
Examples:
  healcheck audit controlled-cases/demo            every case of a set
  healcheck audit --random 500 --seed 7 --jobs 2   programs made by chance
  healcheck audit --random 1 --seed 7 --first 341  one of them again

Every case is run with its healing and with each alternative. Where these runs
differ in their protected operations, healed state reached one.

Exit status:
  0  every label is right, and every flow that a run showed is flagged
  1  a label is wrong, or the verdict missed a flow
  2  the call is unusable, or an input is and nothing worse was found";

const COVERAGE_EXAMPLES: &str = "\
Examples:
  healcheck coverage .venv/repositories/boltons/site-packages/boltons
  healcheck coverage src/shop --unknown 20     and what the unknown calls call
  healcheck coverage A B C --format json

Every module body, class body, function, lambda and generator expression is
lowered to instructions, to single assignment form and to facts; a defect that
hinders this is shown with its file. Then each call in the source that control
can get to is one of these:

  resolved  it leads to functions or classes of the package, or of other
            packages in Python beside it, and nowhere else
  modelled  at least one of the things it leads to is a function, method or
            class of a library, and models or rules cover all of these
  unknown   anything else may be called, or nothing is found

Nothing has crashed, so nothing is known of live state: parameters are unknown,
except that a method has an object of its class or of a class below, or where
it returns what a caller gave. Values are followed through variables, modules,
closures, attributes, tuples and what functions return, in the whole package at
once and in no order; an attribute holds what is stored in it through objects
whose class is known. Items of lists, dicts and sets are unknown, unless a
library function made the container. Calls that operators, loops and `with`
make are not counted; one in a `finally` block is, for each way through it.

It is an estimate: a check of a crash knows live state, and follows what this
does not.

Exit status:
  0  every file was lowered
  1  a file could not be lowered; a message says why
  2  the call is unusable";

const SNAPSHOT_EXAMPLES: &str = "\
Examples:
  healcheck snapshot -- python app.py --port 8080
  healcheck snapshot --output /tmp/crash.json -- .venv/bin/python -X dev app.py
  healcheck snapshot --python .venv/bin/python -- app.py

Exit status:
  0  the program crashed, and the snapshot is written
  2  there is no snapshot; one message says why";

/// All that was said on the command line.
#[derive(Debug, Parser)]
#[command(name = "healcheck", version, about = ABOUT, after_help = EXAMPLES, max_term_width = 100)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
    #[command(flatten)]
    pub messages: MessageArguments,
}

/// What to say besides the report.
#[derive(Args, Debug)]
pub struct MessageArguments {
    /// When to use colour
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = Colour::Auto)]
    pub color: Colour,
    /// Print no text report; the exit status tells
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Print the figures of each stage to standard error
    #[arg(short, long, global = true)]
    pub verbose: bool,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Colour {
    /// On a terminal, unless the variable `NO_COLOR` is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Say whether the healed state of a crash may reach a protected operation
    Check(Box<CheckArguments>),
    /// Compare labels and verdicts with what programs do when they run
    Audit(Box<AuditArguments>),
    /// Count what a package is lowered to, and where its calls lead
    Coverage(CoverageArguments),
    /// Run a program, and write a snapshot of its stack and heap when it dies
    Snapshot(SnapshotArguments),
    /// Print the grammar of HealCore, the language that healings are written in
    Grammar,
    /// List the rules of the analysis
    Rules,
    /// Print the documentation of one rule
    Explain {
        /// Id of the rule, as reports show it
        #[arg(value_name = "RULE_ID")]
        rule: String,
    },
}

#[derive(Args, Debug)]
#[command(after_help = CHECK_EXAMPLES)]
pub struct CheckArguments {
    /// Folders of cases, or folders that hold such folders
    #[arg(
        value_name = "CASE",
        required_unless_present = "repository",
        conflicts_with_all = ["repository", "crash", "heal", "resume", "protect"]
    )]
    pub cases: Vec<PathBuf>,

    /// The source of the program that crashed
    #[arg(long, value_name = "DIR", requires_all = ["crash", "heal"], help_heading = "A real crash")]
    pub repository: Option<PathBuf>,
    /// The snapshot that was written when the program died
    #[arg(long, value_name = "FILE", requires = "repository", help_heading = "A real crash")]
    pub crash: Option<PathBuf>,
    /// The healing: HealCore that runs in the crashed frame
    #[arg(long, value_name = "FILE", requires = "repository", help_heading = "A real crash")]
    pub heal: Option<PathBuf>,
    /// Where execution goes on after the healing [default: retry]
    #[arg(long, value_name = "MODE", requires = "repository", help_heading = "A real crash")]
    pub resume: Option<ResumeArgument>,
    /// Protected operations, instead of those that the repository declares
    #[arg(long, value_name = "FILE", requires = "repository", help_heading = "A real crash")]
    pub protect: Option<PathBuf>,

    #[command(flatten)]
    pub analysis: AnalysisArguments,

    /// Say in full why this is the verdict
    #[arg(long, help_heading = "Report")]
    pub explain: bool,
    #[command(flatten)]
    pub report: ReportArguments,
}

/// What runs, and with what.
#[derive(Args, Debug)]
pub struct AnalysisArguments {
    /// A folder of installed packages, searched first; may be repeated
    #[arg(long, value_name = "DIR", help_heading = "Analysis")]
    pub site: Vec<PathBuf>,
    /// The interpreter that runs cases and replays
    #[arg(long, value_name = "EXE", default_value = "python3", help_heading = "Analysis")]
    pub python: PathBuf,
    /// Use only the stack of the snapshot, not its live values
    #[arg(long, help_heading = "Analysis")]
    pub no_snapshot: bool,
    /// Do not decide path conditions with Z3
    #[arg(long, help_heading = "Analysis")]
    pub no_smt: bool,
    /// Do not replay alarms
    #[arg(long, help_heading = "Analysis")]
    pub no_replay: bool,
    /// Cases checked at the same time [default: the number of processors]
    #[arg(long, value_name = "N", help_heading = "Analysis")]
    pub jobs: Option<NonZeroUsize>,
}

impl AnalysisArguments {
    /// How many inputs are in work at a time.
    pub fn jobs(&self) -> usize {
        jobs(self.jobs)
    }

    /// The same as a caller asks for it.
    pub fn options(&self, explain: bool) -> Options {
        Options {
            snapshot: !self.no_snapshot,
            smt: !self.no_smt,
            replay: !self.no_replay,
            explain,
            python: self.python.clone(),
            site: self.site.clone(),
        }
    }
}

/// In which form the report goes where.
#[derive(Args, Debug)]
pub struct ReportArguments {
    /// Form of the report
    #[arg(long, value_enum, default_value_t = Format::Text, help_heading = "Report")]
    pub format: Format,
    /// Write the report to this file instead of standard output
    #[arg(long, value_name = "FILE", help_heading = "Report")]
    pub output: Option<PathBuf>,
}

/// Form of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// For programs, as described by `verdict.schema.json`
    Json,
}

/// [`ResumeMode`] as a value on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ResumeArgument {
    /// The failing statement runs again
    Retry,
    /// Execution goes on after the failing statement
    Skip,
    /// The crashed function returns `healed_return`
    Return,
}

impl From<ResumeArgument> for ResumeMode {
    fn from(argument: ResumeArgument) -> Self {
        match argument {
            ResumeArgument::Retry => Self::Retry,
            ResumeArgument::Skip => Self::Skip,
            ResumeArgument::Return => Self::Return,
        }
    }
}

#[derive(Args, Debug)]
#[command(after_help = AUDIT_EXAMPLES)]
pub struct AuditArguments {
    /// Folders of cases, or folders that hold such folders
    #[arg(
        value_name = "SET",
        required_unless_present = "random",
        conflicts_with_all = ["random", "seed", "first", "keep", "timeout", "no_shrink"]
    )]
    pub sets: Vec<PathBuf>,

    /// Audit this many random programs instead
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Random programs")]
    pub random: Option<u64>,
    /// Which random programs: every seed gives a sequence of its own [default: 0]
    #[arg(long, value_name = "S", requires = "random", help_heading = "Random programs")]
    pub seed: Option<u64>,
    /// Number of the first program in the sequence [default: 0]
    #[arg(long, value_name = "I", requires = "random", help_heading = "Random programs")]
    pub first: Option<u64>,
    /// Write the case folders of missed flows below this folder
    #[arg(long, value_name = "DIR", requires = "random", help_heading = "Random programs")]
    pub keep: Option<PathBuf>,
    /// Give up on a program after this time [default: 60]
    #[arg(
        long,
        value_name = "SECONDS",
        requires = "random",
        value_parser = clap::value_parser!(u64).range(1..),
        help_heading = "Random programs"
    )]
    pub timeout: Option<u64>,
    /// Show missed flows as they were generated, without making their programs smaller
    #[arg(long, requires = "random", help_heading = "Random programs")]
    pub no_shrink: bool,

    #[command(flatten)]
    pub analysis: AnalysisArguments,
    #[command(flatten)]
    pub report: ReportArguments,
}

#[derive(Args, Debug)]
#[command(after_help = COVERAGE_EXAMPLES)]
pub struct CoverageArguments {
    /// Folders of packages, or single modules
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,
    /// List the most frequent callees of unknown calls
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub unknown: usize,
    /// Files in work at the same time [default: the number of processors]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    #[command(flatten)]
    pub report: ReportArguments,
}

impl CoverageArguments {
    /// How many files are in work at a time.
    pub fn jobs(&self) -> usize {
        jobs(self.jobs)
    }
}

/// What was asked for, or what there is.
fn jobs(wanted: Option<NonZeroUsize>) -> usize {
    wanted.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
}

#[derive(Args, Debug)]
#[command(after_help = SNAPSHOT_EXAMPLES)]
pub struct SnapshotArguments {
    /// The file to write
    #[arg(long, value_name = "FILE", default_value = "crash.json")]
    pub output: PathBuf,
    /// The interpreter, instead of the first word of the command
    #[arg(long, value_name = "EXE")]
    pub python: Option<PathBuf>,
    /// Stop the program after this time; it then reads nothing from the terminal
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub timeout: Option<u64>,
    /// The program as it is run without `healcheck`
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}
