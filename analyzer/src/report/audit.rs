//! Audits as text and as JSON.

use std::fmt::Write;

use annotate_snippets::renderer::{AnsiColor, Effects, Style};
use serde::Serialize;

use super::{Appearance, one_line};
use crate::audit::{CaseAudit, Difference, Event, MissedProgram, NotRun, RandomAudit};
use crate::config::Label;
use crate::diagnostic::Diagnostic;

/// Audits of cases as text: a paragraph for everything that is not as it should be, and the totals.
pub fn cases_text(audits: &[CaseAudit], not_run: &[NotRun], appearance: Appearance) -> String {
    let mut text = String::new();
    for audit in audits {
        case_findings(&mut text, audit, appearance);
    }
    for one in not_run {
        finding(&mut text, Finding::NotRun, &format!("{}: {}", one.input, one.reason), appearance);
    }
    text + &case_totals(audits, not_run)
}

/// The totals of audits of cases, in a line or two.
fn case_totals(audits: &[CaseAudit], not_run: &[NotRun]) -> String {
    let count = |is: fn(&CaseAudit) -> bool| audits.iter().filter(|audit| is(audit)).count() as u64;
    let reach = count(|audit| audit.executed == Label::Unsafe);
    let missed = count(|audit| audit.comparison().missed_flow());
    let safe = audits.len() as u64 - reach;
    format!(
        "{} by execution: {reach} unsafe, {} of them flagged; {safe} safe, {} of them flagged\n{}, {}, {}\n",
        counted(audits.len() as u64, "case"),
        reach - missed,
        count(|audit| audit.comparison().false_alarm()),
        counted(count(CaseAudit::wrong_label), "wrong label"),
        counted(missed, "missed flow"),
        counted(not_run.len() as u64, "case") + " not run",
    )
}

/// An audit of random programs as text: every missed flow with its program, and the totals.
pub fn random_text(audit: &RandomAudit, appearance: Appearance) -> String {
    let mut text = String::new();
    for missed in &audit.missed {
        missed_program(&mut text, audit.seed, missed, appearance);
    }
    for one in &audit.not_run {
        finding(&mut text, Finding::NotRun, &format!("{}: {}", one.input, one.reason), appearance);
    }
    text + &random_totals(audit)
}

/// The totals of an audit of random programs, in a line or two.
fn random_totals(audit: &RandomAudit) -> String {
    let missed = audit.missed.len() as u64;
    format!(
        "{} of seed {}: {} observed, {} of them flagged; {} without, {} of them flagged\n{}, {} undecided, {} not run\n",
        counted(audit.programs, "program"),
        audit.seed,
        counted(audit.flows, "flow"),
        audit.flows - missed,
        audit.programs - audit.flows,
        audit.safe_flagged.len(),
        counted(missed, "missed flow"),
        audit.undecided.len(),
        audit.not_run.len(),
    )
}

/// Audits of cases as JSON.
///
/// # Errors
///
/// A value that JSON does not have.
pub fn cases_json(audits: &[CaseAudit], not_run: &[NotRun]) -> Result<String, Diagnostic> {
    #[derive(Serialize)]
    struct Report<'a> {
        schema: u32,
        cases: Vec<Row<'a>>,
        not_run: &'a [NotRun],
    }
    #[derive(Serialize)]
    struct Row<'a> {
        #[serde(flatten)]
        audit: &'a CaseAudit,
        wrong_label: bool,
        missed_flow: bool,
        false_alarm: bool,
    }
    fn row(audit: &CaseAudit) -> Row<'_> {
        let comparison = audit.comparison();
        let (missed_flow, false_alarm) = (comparison.missed_flow(), comparison.false_alarm());
        Row { audit, wrong_label: audit.wrong_label(), missed_flow, false_alarm }
    }
    json(&Report { schema: 1, cases: audits.iter().map(row).collect(), not_run })
}

/// An audit of random programs as JSON.
///
/// # Errors
///
/// A value that JSON does not have.
pub fn random_json(audit: &RandomAudit) -> Result<String, Diagnostic> {
    #[derive(Serialize)]
    struct Report<'a> {
        schema: u32,
        #[serde(flatten)]
        audit: &'a RandomAudit,
    }
    json(&Report { schema: 1, audit })
}

fn json(report: &impl Serialize) -> Result<String, Diagnostic> {
    let text = serde_json::to_string_pretty(report).map_err(|error| {
        Diagnostic::new(format!("the audit cannot be written as JSON: {error}"))
            .mend("please report this defect of healcheck")
    })?;
    Ok(text + "\n")
}

/// What may be wrong with a case.
#[derive(Clone, Copy)]
enum Finding {
    MissedFlow,
    WrongLabel,
    FalseAlarm,
    NotRun,
}

impl Finding {
    fn word(self) -> &'static str {
        match self {
            Self::MissedFlow => "missed flow",
            Self::WrongLabel => "wrong label",
            Self::FalseAlarm => "false alarm",
            Self::NotRun => "not run",
        }
    }

    fn colour(self) -> AnsiColor {
        match self {
            Self::MissedFlow | Self::WrongLabel => AnsiColor::Red,
            Self::FalseAlarm | Self::NotRun => AnsiColor::Yellow,
        }
    }
}

fn finding(text: &mut String, finding: Finding, about: &str, appearance: Appearance) {
    let word = format!("{:11}", finding.word());
    let style: Style = finding.colour().on_default().effects(Effects::BOLD);
    let word = if appearance.colour { format!("{style}{word}{style:#}") } else { word };
    let _ = writeln!(text, "{word}  {}", one_line(about));
}

/// Everything that is wrong with one case.
fn case_findings(text: &mut String, audit: &CaseAudit, appearance: Appearance) {
    if audit.comparison().missed_flow() {
        let about = format!("{}{}", audit.case, assuming(&audit.assumptions));
        finding(text, Finding::MissedFlow, &about, appearance);
    }
    if audit.wrong_label() {
        let (said, executed) = (word(audit.label), word(audit.executed));
        let about = format!("{}: labelled {said}, executions show {executed}", audit.case);
        finding(text, Finding::WrongLabel, &about, appearance);
    }
    if audit.comparison().missed_flow() || audit.wrong_label() {
        audit.difference.iter().for_each(|difference| differing(text, difference));
    }
    if audit.comparison().false_alarm() {
        finding(text, Finding::FalseAlarm, &audit.case, appearance);
    }
}

/// What two executions did differently, a line for each.
fn differing(text: &mut String, difference: &Difference) {
    for (healing, event) in difference.executions.iter().zip(&difference.seen) {
        let did = event.as_ref().map_or_else(|| "no further operation runs".to_owned(), event_text);
        let _ = writeln!(text, "  {}: {}", one_line(healing), one_line(&did));
    }
}

fn event_text(event: &Event) -> String {
    let differs: Vec<String> = event.differs.iter().map(|(what, value)| format!("{what} is {value}")).collect();
    format!("`{}` runs, {}", event.operation, differs.join(", "))
}

fn missed_program(text: &mut String, seed: u64, missed: &MissedProgram, appearance: Appearance) {
    let size = if missed.shrunk { "made small" } else { "as it was generated" };
    let assumed = assuming(&missed.assumptions);
    let about = format!("program {} of seed {seed}, {size}, resume {}{assumed}", missed.index, missed.resume.word());
    finding(text, Finding::MissedFlow, &about, appearance);
    indented(text, &missed.program);
    for (file, healing) in &missed.healings {
        let _ = writeln!(text, "  {file}");
        indented(text, healing);
    }
    text.push('\n');
}

fn indented(text: &mut String, lines: &str) {
    for line in lines.lines() {
        let _ = writeln!(text, "{}", format!("    {line}").trim_end());
    }
}

fn assuming(assumptions: &[String]) -> String {
    if assumptions.is_empty() { String::new() } else { format!(" (assumes {})", assumptions.join(", ")) }
}

fn word(label: Label) -> &'static str {
    match label {
        Label::Safe => "safe",
        Label::Unsafe => "unsafe",
    }
}

fn counted(count: u64, what: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {what}{ending}")
}
