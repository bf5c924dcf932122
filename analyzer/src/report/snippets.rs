//! Source lines with marked ranges, in the form that the renderer takes.

use std::borrow::Cow;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Element, Origin, Snippet};

use super::one_line;
use super::sources::SourceProvider;
use crate::verdict::Location;

/// A range to mark, and what to write at it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub location: Location,
    pub label: String,
    pub kind: AnnotationKind,
}

/// Marks of one file, as one snippet from the first marked line to the last. Where the text is not at hand, or has not
/// as many lines, the places are named and their labels are lost: without the source they say nothing.
pub(super) fn of_file(file: &str, marks: &[Mark], sources: &dyn SourceProvider) -> Vec<Element<'static>> {
    let lines = marks.iter().map(|mark| mark.location.line);
    let window = lines.clone().min().zip(lines.max());
    let text = sources.text(file).map(with_plain_line_ends);
    let excerpt = window.zip(text).and_then(|((first, last), text)| lines_between(&text, first, last));
    match (window, excerpt) {
        (Some((first, _)), Some(excerpt)) => {
            let annotations: Vec<_> = marks
                .iter()
                .map(|mark| {
                    let bytes = bytes_from_line(&excerpt, first, &mark.location);
                    mark.kind.span(bytes).label(mark.label.clone())
                })
                .collect();
            let snippet =
                Snippet::source(excerpt).line_start(first as usize).path(one_line(file)).annotations(annotations);
            vec![snippet.into()]
        }
        _ => marks.iter().map(|mark| origin(&mark.location).into()).collect(),
    }
}

fn origin(location: &Location) -> Origin<'static> {
    Origin::path(one_line(&location.file)).line(location.line as usize).char_column(location.column as usize)
}

/// The text with `\n` wherever Python ends a line; offsets stay the same.
fn with_plain_line_ends(text: &str) -> Cow<'_, str> {
    if !text.contains('\r') {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let ends_line = character == '\r' && characters.peek() != Some(&'\n');
        plain.push(if ends_line { '\n' } else { character });
    }
    Cow::Owned(plain)
}

/// The lines from `first` to `last`, counted from 1; nothing where there are not so many.
fn lines_between(text: &str, first: u32, last: u32) -> Option<String> {
    let before = usize::try_from(first.checked_sub(1)?).ok()?;
    let count = usize::try_from(last - first).ok()? + 1;
    let lines: Vec<&str> = text.split('\n').skip(before).take(count).collect();
    (lines.len() == count).then(|| lines.join("\n"))
}

/// The bytes of a location in an excerpt whose first line has the number `first`. A location over several lines is
/// marked to the end of its first line.
fn bytes_from_line(excerpt: &str, first: u32, location: &Location) -> Range<usize> {
    let mut start = 0;
    for (line, number) in excerpt.split('\n').zip(first..) {
        if number == location.line {
            let end_column = if location.end_line > number { u32::MAX } else { location.end_column };
            let bytes = bytes_of_columns(line, location.column, end_column);
            return start + bytes.start..start + bytes.end;
        }
        start += line.len() + 1;
    }
    excerpt.len()..excerpt.len()
}

/// The bytes of these columns of a line, counted in characters from 1; columns past the line mean its end.
pub(super) fn bytes_of_columns(line: &str, column: u32, end_column: u32) -> Range<usize> {
    let line = line.trim_end_matches('\r');
    let byte = |column: u32| {
        let characters = usize::try_from(column.saturating_sub(1)).unwrap_or(usize::MAX);
        line.char_indices().nth(characters).map_or(line.len(), |(byte, _)| byte)
    };
    let start = byte(column);
    start..byte(end_column).max(start)
}
