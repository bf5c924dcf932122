//! The command line: reads arguments, asks the guard, writes the report, gives the exit status.
//!
//! Nothing here decides anything: verdicts come from a [`Guard`], their looks from [`crate::report`].

pub mod arguments;
mod asking;
mod audit;
mod check;
mod coverage;
mod documents;
mod output;
mod progress;
mod random_audit;
mod sets;
mod snapshot;

#[cfg(test)]
mod tests;

use std::ffi::OsString;

use clap::Parser;
use healguard_rules::program::RuleDoc;

use crate::audit::Observation;
use crate::diagnostic::Diagnostic;
use crate::report::SourceProvider;
use crate::request::{CaseRequest, CrashRequest};
use crate::verdict::Verdict;
use arguments::{Arguments, Command};
pub use output::Streams;

/// Nothing is flagged.
pub const NOTHING_FLAGGED: u8 = 0;
/// Something is flagged.
pub const FLAGGED: u8 = 1;
/// The input or the call is unusable.
pub const UNUSABLE: u8 = 2;

/// A verdict, and the text of the files that it shows.
pub type Checked = (Verdict, Box<dyn SourceProvider>);

/// What the command line asks the rest of the program for.
pub trait Guard: Sync {
    /// The verdict for a controlled case.
    ///
    /// # Errors
    ///
    /// An unusable input.
    fn check_case(&self, request: &CaseRequest) -> Result<Checked, Diagnostic>;

    /// The verdict for a real crash.
    ///
    /// # Errors
    ///
    /// An unusable input.
    fn check_crash(&self, request: &CrashRequest) -> Result<Checked, Diagnostic>;

    /// What executions of a controlled case show.
    ///
    /// # Errors
    ///
    /// An unusable input.
    fn observe_case(&self, request: &CaseRequest) -> Result<Observation, Diagnostic>;

    /// The grammar document of HealCore.
    fn grammar(&self) -> &str;

    /// The documentation of all rules, in the order of their layers.
    fn rules(&self) -> Vec<RuleDoc>;
}

/// Runs one call of `healcheck` and gives its exit status.
///
/// `arguments` starts with the name of the program. Every unusable input ends as one message and [`UNUSABLE`].
pub fn run(arguments: impl IntoIterator<Item = OsString>, guard: &dyn Guard, streams: &mut Streams<'_>) -> u8 {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => return answer_instead(&error, streams),
    };
    streams.choose_colour(arguments.messages.color);
    let status = match &arguments.command {
        Command::Check(check) => check::run(check, &arguments.messages, guard, streams),
        Command::Audit(audit) => audit::run(audit, &arguments.messages, guard, streams),
        Command::Coverage(coverage) => coverage::run(coverage, &arguments.messages, streams),
        Command::Snapshot(command) => snapshot::run(command),
        Command::Grammar => documents::print_grammar(guard, streams),
        Command::Rules => documents::list_rules(guard, streams),
        Command::Explain { rule } => documents::explain_rule(rule, guard, streams),
    };
    status.unwrap_or_else(|diagnostic| {
        streams.show(&diagnostic);
        UNUSABLE
    })
}

/// Shows the help or the version that was asked for, or what is wrong with the call.
fn answer_instead(error: &clap::Error, streams: &mut Streams<'_>) -> u8 {
    let text = error.render();
    if error.use_stderr() {
        let text = if streams.colour_messages { text.ansi().to_string() } else { text.to_string() };
        // Where messages cannot be shown, the exit status still tells.
        let _ = streams.messages.write_all(text.as_bytes());
        return UNUSABLE;
    }
    let text = if streams.colour_reports { text.ansi().to_string() } else { text.to_string() };
    match streams.write_report(&text, None) {
        Ok(()) => NOTHING_FLAGGED,
        Err(diagnostic) => {
            streams.show(&diagnostic);
            UNUSABLE
        }
    }
}
