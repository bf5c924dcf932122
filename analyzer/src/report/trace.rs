//! The trace of an operation: its steps in the order of the flow, each at its line.

use annotate_snippets::{AnnotationKind, Element, Level};

use super::snippets::{self, Mark};
use super::sources::SourceProvider;
use crate::verdict::{OperationVerdict, TraceStep};

/// Number of steps shown at each end of a trace that is too long.
const SHOWN_AT_EACH_END: usize = 8;

/// The elements that show a trace. A snippet holds the steps that follow each other in one file, downwards; where the
/// flow goes to another file, or back up, the next snippet starts.
pub(super) fn elements(operation: &OperationVerdict, sources: &dyn SourceProvider) -> Vec<Element<'static>> {
    let marks = marks(operation);
    let left_out = marks.len().saturating_sub(2 * SHOWN_AT_EACH_END);
    // One step left out would save nothing.
    if left_out < 2 {
        return snippets_of(&marks, sources);
    }
    let mut elements = snippets_of(&marks[..SHOWN_AT_EACH_END], sources);
    let note = format!("… {left_out} steps left out; `--format json` has all");
    elements.push(Level::NOTE.no_name().message(note).into());
    elements.extend(snippets_of(&marks[marks.len() - SHOWN_AT_EACH_END..], sources));
    elements
}

fn marks(operation: &OperationVerdict) -> Vec<Mark> {
    let numbered = operation.trace.len() > 2;
    let last = operation.trace.len().saturating_sub(1);
    let mark = |(index, step): (usize, &TraceStep)| {
        let label = super::one_line(&label(step, operation));
        Mark {
            location: step.location.clone(),
            label: if numbered { format!("{}. {label}", index + 1) } else { label },
            kind: if index == last { AnnotationKind::Primary } else { AnnotationKind::Context },
        }
    };
    operation.trace.iter().enumerate().map(mark).collect()
}

fn snippets_of(marks: &[Mark], sources: &dyn SourceProvider) -> Vec<Element<'static>> {
    let follows =
        |one: &Mark, next: &Mark| one.location.file == next.location.file && one.location.line <= next.location.line;
    let runs = marks.chunk_by(follows).filter_map(|run| Some((&run.first()?.location.file, run)));
    runs.flat_map(|(file, run)| snippets::of_file(file, run, sources)).collect()
}

/// What a step does, in words.
fn label(step: &TraceStep, operation: &OperationVerdict) -> String {
    let place = &step.place;
    match step.step {
        "healed" if place.is_empty() => "healed here".to_owned(),
        "healed" => format!("`{place}` is healed here"),
        "operation" if operation.watched.is_empty() => format!("calls `{}`", operation.name),
        "operation" => operation.watched.clone(),
        "assign" => format!("now in `{place}`"),
        "load" => format!("read into `{place}`"),
        "store" => format!("stored in `{place}`"),
        "call" => format!("passed as `{place}`"),
        "return" => format!("returned as `{place}`"),
        "branch" if place.is_empty() => "healed state decides this".to_owned(),
        "branch" => format!("`{place}` decides this"),
        other if place.is_empty() => other.to_owned(),
        other => format!("{other}: `{place}`"),
    }
}
