//! `healcheck audit`: labels and verdicts beside what programs do when they run.

use std::path::{Path, PathBuf};

use super::arguments::{AuditArguments, Format, MessageArguments};
use super::progress::Progress;
use super::sets::named_cases;
use super::{FLAGGED, Guard, NOTHING_FLAGGED, Streams, UNUSABLE, asking, random_audit};
use crate::audit::{CaseAudit, NotRun};
use crate::diagnostic::Diagnostic;
use crate::report::audit as report;
use crate::request::CaseRequest;

/// Audits what the arguments name, and writes the report.
pub(super) fn run(
    arguments: &AuditArguments,
    messages: &MessageArguments,
    guard: &dyn Guard,
    streams: &mut Streams<'_>,
) -> Result<u8, Diagnostic> {
    match arguments.random {
        Some(count) => random_audit::run(count, arguments, messages, guard, streams),
        None => run_sets(arguments, messages, guard, streams),
    }
}

/// The exit status of an audit: what was found counts more than what could not be looked at.
pub(super) fn status(found: bool, not_run: bool) -> u8 {
    match (found, not_run) {
        (true, _) => FLAGGED,
        (false, true) => UNUSABLE,
        (false, false) => NOTHING_FLAGGED,
    }
}

/// Audits every case of the sets; one that is unusable is shown, and hides none of the others.
fn run_sets(
    arguments: &AuditArguments,
    messages: &MessageArguments,
    guard: &dyn Guard,
    streams: &mut Streams<'_>,
) -> Result<u8, Diagnostic> {
    let options = arguments.analysis.options(false);
    let request = |folder: PathBuf| CaseRequest { folder, options: options.clone() };
    let requests: Vec<CaseRequest> = named_cases(&arguments.sets)?.folders.into_iter().map(request).collect();
    let mut progress = Progress::new(!messages.quiet);
    let mut slots: Vec<Option<Result<CaseAudit, Diagnostic>>> = requests.iter().map(|_| None).collect();
    let mut done = 0;
    let ask = |index: usize, request: &CaseRequest, give: &mut dyn FnMut(_)| give((index, audited(request, guard)));
    asking::each(&requests, arguments.analysis.jobs(), ask, |(index, audit): (usize, _)| {
        slots[index] = Some(audit);
        done += 1;
        progress.show(streams, || format!("{done} of {} cases", requests.len()));
    });
    progress.clear(streams);
    let (mut audits, mut not_run) = (Vec::new(), Vec::new());
    for (slot, request) in slots.into_iter().zip(&requests) {
        match slot.unwrap_or_else(|| Err(asking::no_thread())) {
            Ok(audit) => audits.push(audit),
            Err(diagnostic) => {
                streams.show(&diagnostic);
                not_run.push(no_audit(&request.folder, diagnostic));
            }
        }
    }
    let appearance = arguments.report.appearance(messages, streams);
    let text = match arguments.report.format {
        Format::Json => report::cases_json(&audits, &not_run)?,
        Format::Text => report::cases_text(&audits, &not_run, appearance),
    };
    arguments.report.write(&text, messages, streams)?;
    let found = audits.iter().any(|audit| audit.wrong_label() || audit.comparison().missed_flow());
    Ok(status(found, !not_run.is_empty()))
}

/// The audit of one case.
fn audited(request: &CaseRequest, guard: &dyn Guard) -> Result<CaseAudit, Diagnostic> {
    let observation = guard.observe_case(request)?;
    let (verdict, _) = asking::answer(&request.folder, || guard.check_case(request))?;
    Ok(CaseAudit::new(request.folder.clone(), observation, &verdict))
}

fn no_audit(folder: &Path, diagnostic: Diagnostic) -> NotRun {
    NotRun { input: folder.display().to_string(), reason: diagnostic.message }
}
