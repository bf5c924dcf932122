//! Verdicts as text for people.

use std::fmt::Write;

use annotate_snippets::renderer::{AnsiColor, Effects, Style};
use annotate_snippets::{AnnotationKind, Element, Group, Level, Padding};

use super::snippets::{self, Mark};
use super::sources::SourceProvider;
use super::{Appearance, derivation, ledger, one_line, trace};
use crate::verdict::{
    Feasibility, Feasible, FlowKind, Location, OperationVerdict, Outcome, Rejection, Replay, Verdict,
};

/// The verdict in a line or two for each operation.
pub fn summary(verdict: &Verdict, appearance: Appearance) -> String {
    let mut text = format!("{}\n", headline(verdict, appearance));
    for rejection in &verdict.rejections {
        let _ = writeln!(text, "  {}  line {}: {}", rejection.code, rejection.line, one_line(&rejection.message));
    }
    for operation in &verdict.operations {
        let word = coloured(operation.verdict, 9, appearance);
        let _ = writeln!(text, "  {word}  {}", one_line(&operation.name));
        if let Some(where_and_what) = arrival(operation) {
            let _ = writeln!(text, "             {where_and_what}");
        }
    }
    text
}

/// The verdict in one line, as one of several.
pub fn case_line(verdict: &Verdict, appearance: Appearance) -> String {
    let mut text = format!("{}  {}", coloured(verdict.verdict, 9, appearance), one_line(&verdict.case));
    if let Some(rejection) = verdict.rejections.first() {
        let _ = write!(text, "  {} on line {}", rejection.code, rejection.line);
    } else if let Some(operation) = worst_operation(verdict) {
        let _ = write!(text, "  {}", one_line(&operation.name));
        if let Some(location) = last_location(operation) {
            let _ = write!(text, " at {}", shown(location));
        }
    }
    text.push('\n');
    text
}

/// How many verdicts of each kind there are, in one line.
pub fn totals(verdicts: &[&Verdict]) -> String {
    let all = [Outcome::Safe, Outcome::Pruned, Outcome::Alarm, Outcome::Confirmed, Outcome::Rejected];
    let count = |outcome| verdicts.iter().filter(|verdict| verdict.verdict == outcome).count();
    let counts: Vec<String> = all
        .into_iter()
        .map(|outcome| (outcome, count(outcome)))
        .filter(|(_, count)| *count > 0)
        .map(|(outcome, count)| format!("{count} {}", outcome.word()))
        .collect();
    let flagged = verdicts.iter().filter(|verdict| verdict.flagged).count();
    let cases = if verdicts.len() == 1 { "case" } else { "cases" };
    format!("{} {cases}: {}; {flagged} flagged\n", verdicts.len(), counts.join(", "))
}

/// The verdict and everything that it rests on.
pub fn explanation(verdict: &Verdict, sources: &dyn SourceProvider, appearance: Appearance) -> String {
    let mut parts = vec![format!("{}\n", headline(verdict, appearance))];
    let renderer = appearance.renderer();
    for rejection in &verdict.rejections {
        let group = rejection_group(rejection, sources, appearance);
        parts.push(format!("{}\n", renderer.render(&[group])));
    }
    for operation in &verdict.operations {
        let group = operation_group(operation, sources, appearance);
        parts.push(format!("{}\n", renderer.render(&[group])));
        parts.extend(operation.derivation.iter().map(|tree| derivation::text(tree, appearance)));
    }
    parts.push(ledger::text(&verdict.assumptions, appearance));
    parts.retain(|part| !part.is_empty());
    parts.join("\n")
}

fn headline(verdict: &Verdict, appearance: Appearance) -> String {
    let word = coloured(verdict.verdict, 0, appearance);
    let action = match serde_json::to_value(verdict.action) {
        Ok(serde_json::Value::String(action)) => format!(" (action: {action})"),
        _ => String::new(),
    };
    format!("{word}: {}{action}", one_line(&verdict.case))
}

/// The word of an outcome, followed by spaces up to `width`.
fn coloured(outcome: Outcome, width: usize, appearance: Appearance) -> String {
    let word = outcome.word();
    let padding = width.saturating_sub(word.len());
    if !appearance.colour {
        return format!("{word}{:padding$}", "");
    }
    let colour = match outcome {
        Outcome::Safe | Outcome::Pruned => AnsiColor::Green,
        Outcome::Alarm => AnsiColor::Yellow,
        Outcome::Confirmed | Outcome::Rejected => AnsiColor::Red,
    };
    let style: Style = colour.on_default().effects(Effects::BOLD);
    format!("{style}{word}{style:#}{:padding$}", "")
}

fn worst_operation(verdict: &Verdict) -> Option<&OperationVerdict> {
    let flagged = verdict.operations.iter().filter(|operation| operation.verdict.flagged());
    flagged.rev().max_by_key(|operation| operation.verdict)
}

fn last_location(operation: &OperationVerdict) -> Option<&Location> {
    operation.trace.last().map(|step| &step.location)
}

fn shown(location: &Location) -> String {
    format!("{}:{}:{}", one_line(&location.file), location.line, location.column)
}

/// Where healed state arrives at an operation, and how.
fn arrival(operation: &OperationVerdict) -> Option<String> {
    let location = last_location(operation)?;
    let how = match operation.kind {
        Some(FlowKind::Direct) => "called by the healing",
        Some(FlowKind::Explicit) => "explicit",
        Some(FlowKind::Implicit) => "implicit",
        Some(FlowKind::Repeat) => "performed again",
        None => "",
    };
    let words = [how, operation.watched.as_str()].into_iter().filter(|word| !word.is_empty());
    let how = words.map(one_line).collect::<Vec<_>>().join(", ");
    Some(if how.is_empty() { shown(location) } else { format!("{} ({how})", shown(location)) })
}

fn rejection_group(rejection: &Rejection, sources: &dyn SourceProvider, appearance: Appearance) -> Group<'static> {
    let title =
        Level::ERROR.with_name("rejected").primary_title(one_line(&rejection.message)).id(one_line(&rejection.code));
    let mark = Mark {
        location: Location {
            file: sources.healing().to_owned(),
            line: rejection.line,
            column: rejection.column,
            end_line: rejection.end_line,
            end_column: rejection.end_column,
        },
        label: String::new(),
        kind: AnnotationKind::Primary,
    };
    let group = Group::with_title(title).elements(snippets::of_file(sources.healing(), &[mark], sources));
    if rejection.help.is_empty() {
        return group;
    }
    group.element(Level::HELP.message(appearance.footnote("help", &rejection.help)))
}

fn operation_group(
    operation: &OperationVerdict,
    sources: &dyn SourceProvider,
    appearance: Appearance,
) -> Group<'static> {
    let name = one_line(&operation.name);
    let level = match operation.verdict {
        Outcome::Safe | Outcome::Pruned => Level::NOTE,
        Outcome::Alarm => Level::WARNING,
        Outcome::Confirmed | Outcome::Rejected => Level::ERROR,
    };
    let title = level.with_name(operation.verdict.word()).primary_title(sentence(operation, &name));
    let mut elements = trace::elements(operation, sources);
    elements.extend(stops(operation, sources));
    let notes = footnotes(operation);
    if elements.is_empty() && notes.is_empty() {
        elements.push(Padding.into());
    }
    let notes = notes.into_iter().map(|(name, text)| {
        let level = if name == "help" { Level::HELP } else { Level::NOTE.with_name(name) };
        Element::from(level.message(appearance.footnote(name, &text)))
    });
    elements.extend(notes);
    Group::with_title(title).elements(elements)
}

/// The verdict of an operation in a sentence.
fn sentence(operation: &OperationVerdict, name: &str) -> String {
    match (operation.verdict, operation.kind) {
        (Outcome::Safe, _) => format!("no healed state reaches `{name}`"),
        (Outcome::Pruned, _) => format!("no path that can be taken brings healed state to `{name}`"),
        (Outcome::Rejected, _) => format!("the healing is not HealCore, so `{name}` is not judged"),
        (_, Some(FlowKind::Direct)) => format!("the healing itself calls `{name}`"),
        (_, Some(FlowKind::Implicit)) => format!("healed state decides about `{name}`"),
        (_, Some(FlowKind::Repeat)) => format!("retrying performs `{name}` a second time"),
        (_, Some(FlowKind::Explicit)) => format!("healed state reaches `{name}`"),
        (_, None) => format!("healed state may reach `{name}`: the analysis was not finished"),
    }
}

/// What stops each candidate flow: a snippet a file, in the order in which the files come.
fn stops(operation: &OperationVerdict, sources: &dyn SourceProvider) -> Vec<Element<'static>> {
    let mut elements = Vec::new();
    for run in operation.stopped.chunk_by(|one, next| one.location.file == next.location.file) {
        let marks: Vec<Mark> = run
            .iter()
            .map(|stop| Mark {
                location: stop.location.clone(),
                label: one_line(&stop.text),
                kind: AnnotationKind::Primary,
            })
            .collect();
        if let Some(first) = run.first() {
            elements.extend(snippets::of_file(&first.location.file, &marks, sources));
        }
    }
    elements
}

/// Names and texts of what is said below the snippets.
fn footnotes(operation: &OperationVerdict) -> Vec<(&'static str, String)> {
    let mut notes = Vec::new();
    if !operation.reason.is_empty() {
        notes.push(("protected", operation.reason.clone()));
    }
    if operation.verdict != Outcome::Safe && operation.verdict != Outcome::Rejected {
        notes.push(("path", path_words(&operation.feasibility)));
        notes.push(("replay", replay_words(&operation.replay)));
    }
    if operation.verdict.flagged() {
        notes.extend(help_words(operation).map(|help| ("help", help)));
    }
    notes
}

fn path_words(feasibility: &Feasibility) -> String {
    let result = match feasibility.result {
        Feasible::Feasible => "feasible",
        Feasible::Infeasible => "infeasible",
        Feasible::Unknown => "not decided",
    };
    if !feasibility.core.is_empty() {
        return format!("{result}, these contradict each other: {}", feasibility.core.join("; "));
    }
    match feasibility.condition.as_str() {
        "" => result.to_owned(),
        condition => format!("{result} ({condition})"),
    }
}

fn replay_words(replay: &Replay) -> String {
    match (replay.result, replay.detail.as_str()) {
        (result @ ("taint" | "difference"), "") => format!("confirmed by {result}"),
        (result @ ("taint" | "difference"), detail) => format!("confirmed by {result}, {detail}"),
        (result, "") => result.to_owned(),
        (result, detail) => format!("{result}, {detail}"),
    }
}

/// What to do about a flagged operation, with the rule to read about.
fn help_words(operation: &OperationVerdict) -> Option<String> {
    let rule = operation.trace.iter().rev().map(|step| step.rule.as_str()).find(|rule| !rule.is_empty())?;
    let advice = match operation.kind {
        Some(FlowKind::Direct) => "leave the call out of the healing",
        Some(FlowKind::Repeat) => "resume with `skip`, or repair the state that the statement left",
        _ => "endorse the value, or let the monitor stop here",
    };
    Some(format!("{advice}: `healcheck explain {rule}`"))
}
