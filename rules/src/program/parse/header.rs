//! The comments above rules and relations.

use super::super::problem::Problem;
use super::super::tokens::{Token, TokenKind};

/// What the comment above a rule says.
#[derive(Debug)]
pub(in super::super) struct Header {
    pub id: String,
    pub sentence: String,
    pub note: String,
    pub line: usize,
}

impl Header {
    /// The error for a header that no rule follows.
    pub(super) fn orphan(self) -> (usize, Problem) {
        (self.line, Problem::OrphanId { id: self.id })
    }
}

/// The header in the comments before an item: from the line with the id on. What stands above it is a heading.
pub(super) fn find_header(comments: &[Token<'_>]) -> Result<Option<Header>, (usize, Problem)> {
    let mut starts = comments
        .iter()
        .enumerate()
        .filter(|(_, comment)| comment.kind == TokenKind::Comment)
        .filter_map(|(position, comment)| split_id(comment.text.trim()).map(|(id, rest)| (position, id, rest)));
    let Some((position, id, rest)) = starts.next() else {
        return Ok(None);
    };
    if let Some((second, other, _)) = starts.next() {
        return Err((comments[second].line, Problem::SeveralIds { id: other.to_owned(), first: id.to_owned() }));
    }
    let line = comments[position].line;
    let lines: Vec<&str> = std::iter::once(rest)
        .chain(comments[position + 1..].iter().map(|comment| comment.text))
        .map(str::trim)
        .collect();
    let end = lines
        .iter()
        .position(|line| line.ends_with('.'))
        .ok_or_else(|| (line, Problem::MissingSentence { id: id.to_owned() }))?;
    Ok(Some(Header {
        id: id.to_owned(),
        sentence: join_lines(&lines[..=end]),
        note: join_lines(&lines[end + 1..]),
        line,
    }))
}

/// `[layer/name] rest` as its id and the rest.
fn split_id(comment: &str) -> Option<(&str, &str)> {
    let (id, rest) = comment.strip_prefix('[')?.split_once(']')?;
    let (layer, name) = id.split_once('/')?;
    let is_word = |word: &str| {
        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    (is_word(layer) && is_word(name)).then_some((id, rest))
}

/// Lines as one text; an empty line separates paragraphs.
fn join_lines(lines: &[&str]) -> String {
    lines
        .split(|line| line.is_empty())
        .filter(|paragraph| !paragraph.is_empty())
        .map(|paragraph| paragraph.join(" "))
        .collect::<Vec<_>>()
        .join("\n\n")
}

/// The lines of the `///` comments among `comments`.
pub(super) fn collect_documentation(comments: &[Token<'_>]) -> Vec<String> {
    comments
        .iter()
        .filter(|comment| comment.kind == TokenKind::DocComment)
        .map(|comment| comment.text.strip_prefix(' ').unwrap_or(comment.text))
        .map(|line| line.trim_end().to_owned())
        .collect()
}
