//! `healcheck check`: one crash, one case, or many cases.

use std::fmt::Write;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::arguments::{CheckArguments, Colour, Format, MessageArguments};
use super::sets::named_cases;
use super::{Checked, FLAGGED, Guard, NOTHING_FLAGGED, Streams, UNUSABLE};
use crate::config::ResumeMode;
use crate::diagnostic::Diagnostic;
use crate::report::{self, Appearance};
use crate::request::{CaseRequest, CrashRequest, Options};
use crate::verdict::Verdict;

/// Stack of a thread that checks: source trees may be nested deeply, and the pages of it are taken only when used.
const CHECK_STACK: usize = 256 << 20;

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
    let jobs = arguments.jobs.or_else(|| thread::available_parallelism().ok());
    let mut checked = Vec::with_capacity(requests.len());
    let mut unusable = false;
    for answer in answers(&requests, jobs.map_or(1, NonZeroUsize::get), guard) {
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
    let mut appearance = streams.report_appearance();
    // A file is no terminal.
    appearance.colour &= arguments.output.is_none() || messages.color == Colour::Always;
    let report = report_of(&checked, are_set, arguments, appearance)?;
    let wanted = !messages.quiet || arguments.format == Format::Json || arguments.output.is_some();
    if wanted {
        streams.write_report(&report, arguments.output.as_deref())?;
    }
    let flagged = checked.iter().any(|(verdict, _)| verdict.flagged);
    Ok(if flagged { FLAGGED } else { NOTHING_FLAGGED })
}

enum Request {
    Case(CaseRequest),
    Crash(CrashRequest),
}

/// The requests, and whether several were asked for.
fn requests_of(arguments: &CheckArguments) -> Result<(Vec<Request>, bool), Diagnostic> {
    let options = Options {
        snapshot: !arguments.no_snapshot,
        smt: !arguments.no_smt,
        replay: !arguments.no_replay,
        explain: arguments.explain || arguments.format == Format::Json,
        python: arguments.python.clone(),
        site: arguments.site.clone(),
    };
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
    let next = AtomicUsize::new(0);
    let slots: Vec<_> = requests.iter().map(|_| Mutex::new(None)).collect();
    let work = || {
        while let Some((request, slot)) = {
            let index = next.fetch_add(1, Ordering::Relaxed);
            requests.get(index).zip(slots.get(index))
        } {
            let answer = answer(request, guard);
            if let Ok(mut slot) = slot.lock() {
                *slot = Some(answer);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..jobs.min(requests.len()) {
            // Where the system grants no more threads, those that there are do the work.
            let _ = thread::Builder::new().stack_size(CHECK_STACK).spawn_scoped(scope, work);
        }
    });
    let answer_in = |slot: Mutex<Option<_>>| slot.into_inner().ok().flatten().unwrap_or_else(|| Err(not_checked()));
    slots.into_iter().map(answer_in).collect()
}

fn not_checked() -> Diagnostic {
    Diagnostic::new("the system grants no thread to check with").mend("free memory, or raise the limit on threads")
}

/// The answer to one request. A panic is a defect of this program; it must not look like a verdict.
fn answer(request: &Request, guard: &dyn Guard) -> Result<Checked, Diagnostic> {
    let ask = || match request {
        Request::Case(request) => guard.check_case(request),
        Request::Crash(request) => guard.check_crash(request),
    };
    catch_unwind(AssertUnwindSafe(ask)).unwrap_or_else(|_| {
        let input = match request {
            Request::Case(request) => &request.folder,
            Request::Crash(request) => &request.heal,
        };
        Err(Diagnostic::new("a defect of healcheck ended the check of this input")
            .in_file(input)
            .mend("please report it, with the input"))
    })
}

/// The whole report.
fn report_of(
    checked: &[Checked],
    are_set: bool,
    arguments: &CheckArguments,
    appearance: Appearance,
) -> Result<String, Diagnostic> {
    let verdicts: Vec<&Verdict> = checked.iter().map(|(verdict, _)| verdict).collect();
    if arguments.format == Format::Json {
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
