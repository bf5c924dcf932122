//! How verdicts and diagnostics look. Nothing here decides anything.

pub mod audit;
pub mod coverage;
mod derivation;
pub mod json;
mod ledger;
mod snippets;
mod sources;
pub mod text;
mod trace;

#[cfg(test)]
mod tests;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet, normalize_untrusted_str};

pub use sources::SourceProvider;

use crate::diagnostic::{Diagnostic, SourceRange};

/// How a text looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Appearance {
    /// Whether escape sequences for colour are used.
    pub colour: bool,
    /// Number of columns to stay within where possible.
    pub width: usize,
}

impl Appearance {
    fn renderer(self) -> Renderer {
        let renderer = if self.colour { Renderer::styled() } else { Renderer::plain() };
        renderer.term_width(self.width)
    }

    /// The text of a footnote named `name`, broken into lines that fit. The renderer indents the further lines.
    fn footnote(self, name: &str, text: &str) -> String {
        // What precedes the text: line numbers of up to five digits, ` = `, the name, `: `.
        let room = self.width.saturating_sub(name.len() + 10).max(20);
        textwrap::fill(&with_whole_quotes(&one_line(text)), room).replace(UNBROKEN_SPACE, " ")
    }
}

/// A space at which no line is broken.
const UNBROKEN_SPACE: char = '\u{a0}';

/// The text with unbroken spaces inside backticks: code that is to be copied stays on one line.
fn with_whole_quotes(text: &str) -> String {
    let parts = text.split('`').enumerate();
    let unbroken = |(index, part): (usize, &str)| match index % 2 {
        0 => part.to_owned(),
        _ => part.replace(' ', UNBROKEN_SPACE.encode_utf8(&mut [0; 4])),
    };
    parts.map(unbroken).collect::<Vec<_>>().join("`")
}

/// The text without line ends and without control characters, so that nothing in it can move the cursor.
fn one_line(text: &str) -> String {
    let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
    normalize_untrusted_str(&joined)
}

/// A diagnostic as text, without a line end.
pub fn diagnostic_text(diagnostic: &Diagnostic, appearance: Appearance) -> String {
    let path = diagnostic.file.as_ref().map(|file| one_line(&file.display().to_string()));
    let title = Level::ERROR.primary_title(one_line(&diagnostic.message));
    let mut group = Group::with_title(title);
    match (&path, diagnostic.range, &diagnostic.excerpt) {
        (Some(path), Some(range), Some(excerpt)) => {
            let marked = AnnotationKind::Primary.span(bytes_in_excerpt(excerpt, range));
            let snippet = Snippet::source(excerpt).line_start(range.line as usize).path(path).annotation(marked);
            group = group.element(snippet);
        }
        (Some(path), Some(range), None) => {
            let origin = Origin::path(path).line(range.line as usize).char_column(range.column as usize);
            group = group.element(origin);
        }
        (Some(path), None, _) => group = group.element(Origin::path(path)),
        (None, ..) => {}
    }
    if let Some(mend) = &diagnostic.mend {
        group = group.element(Level::HELP.message(appearance.footnote("help", mend)));
    }
    appearance.renderer().render(&[group])
}

/// The bytes of `range` in an excerpt that starts with its first line. A range over several lines is shown to the end
/// of the first: what is wrong starts there.
fn bytes_in_excerpt(excerpt: &str, range: SourceRange) -> std::ops::Range<usize> {
    let line = excerpt.split('\n').next().unwrap_or_default();
    let end_column = if range.end_line > range.line { u32::MAX } else { range.end_column };
    snippets::bytes_of_columns(line, range.column, end_column)
}
