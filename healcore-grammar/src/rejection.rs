//! Rejections, and the list in which the validator collects them.

use ruff_source_file::LineIndex;
use ruff_text_size::{Ranged, TextRange, TextSize};

use crate::code::Code;

/// One reason why a program is not HealCore, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    /// The kind of reason.
    pub code: Code,
    /// What is wrong here, naming the construct.
    pub message: String,
    /// Bytes of the source that are refused.
    pub range: TextRange,
    /// First line, from 1.
    pub line: usize,
    /// First column, in characters from 1.
    pub column: usize,
    /// Line in which the range ends, from 1.
    pub end_line: usize,
    /// Column after the last character, in characters from 1.
    pub end_column: usize,
    /// What to write instead.
    pub help: String,
}

/// Rejections in the making: positions are computed once, at the end.
#[derive(Debug)]
pub(crate) struct Findings {
    found: Vec<(Code, TextRange, String)>,
    limit: usize,
}

impl Findings {
    /// An empty list that keeps the first `limit` findings, and at least one.
    pub(crate) fn with_limit(limit: usize) -> Self {
        Findings { found: Vec::new(), limit: limit.max(1) }
    }

    pub(crate) fn push(&mut self, code: Code, range: TextRange, message: impl Into<String>) {
        if self.is_full() {
            return;
        }
        let known = |found: &(Code, TextRange, String)| found.0 == code && found.1 == range;
        if !self.found.iter().any(known) {
            self.found.push((code, range, message.into()));
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Whether further findings would be dropped, so that looking for them is pointless.
    pub(crate) fn is_full(&self) -> bool {
        self.found.len() >= self.limit
    }

    /// The findings in source order, with lines and columns.
    pub(crate) fn into_rejections(mut self, source: &str) -> Vec<Rejection> {
        self.found.sort_by_key(|(code, range, _)| (range.start(), range.end(), *code));
        let lines = LineIndex::from_source_text(source);
        let place = |offset: TextSize| {
            let offset = offset.min(TextSize::of(source));
            let position = lines.line_column(offset, source);
            (position.line.get(), position.column.get())
        };
        self.found
            .into_iter()
            .map(|(code, range, message)| {
                let (line, column) = place(range.start());
                let (end_line, end_column) = place(range.end());
                Rejection { code, message, range, line, column, end_line, end_column, help: code.help().to_owned() }
            })
            .collect()
    }
}

impl Ranged for Rejection {
    fn range(&self) -> TextRange {
        self.range
    }
}
