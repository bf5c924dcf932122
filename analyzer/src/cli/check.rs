//! `healcheck check`: one crash, one case, or many cases.

use std::fmt::Write;
use std::path::PathBuf;

use super::arguments::{CheckArguments, Format, MessageArguments};
use super::sets::named_cases;
use super::{Checked, FLAGGED, Guard, NOTHING_FLAGGED, Streams, UNUSABLE, asking};
use crate::config::ResumeMode;
use crate::diagnostic::Diagnostic;
use crate::report::{self, Appearance};
use crate::request::{CaseRequest, CrashRequest};
use crate::verdict::Verdict;

/// Checks what the arguments name, and writes the report.
///
/// Where anything is unusable, every such input gets its message and no report is written.
pub(super) fn run(
    arguments: &CheckArguments,
    messages: &MessageArguments,
    guard: &dyn Guard,
    streams: &mut Streams<'_>,
) -> Result<u8, Diagnostic> {
    let (requests, are_set) = requests_of(arguments)?;
    let mut checked = Vec::with_capacity(requests.len());
    let mut unusable = false;
    for answer in answers(&requests, arguments.analysis.jobs(), guard) {
        match answer {
            Ok(answer) => checked.push(answer),
            Err(diagnostic) => {
                streams.show(&diagnostic);
                unusable = true;
            }
        }
    }
    if unusable {
        return Ok(UNUSABLE);
    }
    if messages.verbose {
        show_figures(&checked, streams);
    }
    let appearance = arguments.report.appearance(messages, streams);
    let report = report_of(&checked, are_set, arguments, appearance)?;
    arguments.report.write(&report, messages, streams)?;
    let flagged = checked.iter().any(|(verdict, _)| verdict.flagged);
    Ok(if flagged { FLAGGED } else { NOTHING_FLAGGED })
}

enum Request {
    Case(CaseRequest),
    Crash(CrashRequest),
}

/// The requests, and whether several were asked for.
fn requests_of(arguments: &CheckArguments) -> Result<(Vec<Request>, bool), Diagnostic> {
    let explain = arguments.explain || arguments.report.format == Format::Json;
    let options = arguments.analysis.options(explain);
    let crash = (&arguments.repository, &arguments.crash, &arguments.heal);
    if let (Some(repository), Some(crash), Some(heal)) = crash {
        let request = Request::Crash(CrashRequest {
            repository: repository.clone(),
            crash: crash.clone(),
            heal: heal.clone(),
            resume: arguments.resume.map_or(ResumeMode::Retry, ResumeMode::from),
            protect: arguments.protect.clone(),
            options,
        });
        return Ok((vec![request], false));
    }
    let request = |folder: PathBuf| Request::Case(CaseRequest { folder, options: options.clone() });
    let cases = named_cases(&arguments.cases)?;
    Ok((cases.folders.into_iter().map(request).collect(), cases.are_set))
}

/// The answers to all requests, in their order, with at most `jobs` of them in work at a time.
fn answers(requests: &[Request], jobs: usize, guard: &dyn Guard) -> Vec<Result<Checked, Diagnostic>> {
    let mut slots: Vec<_> = requests.iter().map(|_| None).collect();
    let ask = |index: usize, request: &Request, give: &mut dyn FnMut(_)| give((index, answer_to(request, guard)));
    asking::each(requests, jobs, ask, |(index, answer): (usize, _)| slots[index] = Some(answer));
    slots.into_iter().map(|slot| slot.unwrap_or_else(|| Err(asking::no_thread()))).collect()
}

fn answer_to(request: &Request, guard: &dyn Guard) -> Result<Checked, Diagnostic> {
    match request {
        Request::Case(request) => asking::answer(&request.folder, || guard.check_case(request)),
        Request::Crash(request) => asking::answer(&request.heal, || guard.check_crash(request)),
    }
}

/// The whole report.
fn report_of(
    checked: &[Checked],
    are_set: bool,
    arguments: &CheckArguments,
    appearance: Appearance,
) -> Result<String, Diagnostic> {
    let verdicts: Vec<&Verdict> = checked.iter().map(|(verdict, _)| verdict).collect();
    if arguments.report.format == Format::Json {
        return report::json::report(&verdicts, are_set).map_err(|error| {
            Diagnostic::new(format!("the verdict cannot be written as JSON: {error}"))
                .mend("please report this defect of healcheck")
        });
    }
    let mut text = String::new();
    for (verdict, sources) in checked {
        if arguments.explain {
            text.push_str(&report::text::explanation(verdict, sources.as_ref(), appearance));
        } else if are_set {
            text.push_str(&report::text::case_line(verdict, appearance));
        } else {
            text.push_str(&report::text::summary(verdict, appearance));
        }
        if arguments.explain && are_set {
            text.push('\n');
        }
    }
    if are_set {
        text.push_str(&report::text::totals(&verdicts));
    }
    Ok(text)
}

/// The figures of all stages, as messages.
fn show_figures(checked: &[Checked], streams: &mut Streams<'_>) {
    let mut text = String::new();
    for (verdict, _) in checked {
        let _ = writeln!(text, "{}", verdict.case);
        let stages = &verdict.stages;
        for (stage, figures) in [
            ("slice", &stages.slice),
            ("facts", &stages.facts),
            ("rules", &stages.rules),
            ("feasibility", &stages.feasibility),
            ("replay", &stages.replay),
        ] {
            let figures: Vec<String> = figures.iter().map(|(figure, value)| format!("{figure} {value}")).collect();
            let _ = writeln!(text, "  {stage}: {}", figures.join(", "));
        }
    }
    // Where messages cannot be shown, the report still can.
    let _ = streams.messages.write_all(text.as_bytes());
}
