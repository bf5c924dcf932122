//! A tokenizer for Rust source that keeps comments, which token streams of the compiler do not.
//!
//! It knows just enough of Rust to find a `crepe!` block in any file: what is a comment, a string or a character is
//! never taken for code.

use super::problem::Problem;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    Identifier,
    /// One character, or one of [`JOINED`].
    Punctuation,
    /// A number, string or character.
    Literal,
    Lifetime,
    /// A `//` comment; the text is what follows the slashes.
    Comment,
    /// A `///` comment; the text is what follows the slashes.
    DocComment,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'s> {
    pub kind: TokenKind,
    pub text: &'s str,
    pub line: usize,
}

impl Token<'_> {
    pub(super) fn is(&self, punctuation: &str) -> bool {
        self.kind == TokenKind::Punctuation && self.text == punctuation
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        self.kind == TokenKind::Identifier && self.text == word
    }
}

/// Punctuation of two characters that rules use; all other punctuation is one character a token.
const JOINED: [&str; 4] = ["<-", "==", "!=", "::"];

/// Splits `source` into tokens.
///
/// # Errors
/// The line of a string or comment without end.
pub(super) fn tokenize(source: &str) -> Result<Vec<Token<'_>>, (usize, Problem)> {
    let mut scanner = Scanner { source, offset: 0, line: 1 };
    let mut tokens = Vec::new();
    while let Some(token) = scanner.token()? {
        tokens.push(token);
    }
    Ok(tokens)
}

struct Scanner<'s> {
    source: &'s str,
    offset: usize,
    line: usize,
}

impl<'s> Scanner<'s> {
    fn rest(&self) -> &'s str {
        &self.source[self.offset..]
    }

    /// Takes `length` bytes, which must end between two characters.
    fn take(&mut self, length: usize) -> &'s str {
        let text = &self.rest()[..length];
        self.line += text.matches('\n').count();
        self.offset += length;
        text
    }

    fn take_while(&mut self, accept: impl Fn(char) -> bool) -> &'s str {
        let rest = self.rest();
        let length = rest.find(|c| !accept(c)).unwrap_or(rest.len());
        self.take(length)
    }

    fn token(&mut self) -> Result<Option<Token<'s>>, (usize, Problem)> {
        loop {
            self.take_while(char::is_whitespace);
            let rest = self.rest();
            if rest.starts_with("/*") {
                self.block_comment()?;
                continue;
            }
            let line = self.line;
            let (kind, text) = if rest.starts_with("//") {
                self.line_comment()
            } else if let Some(literal) = self.quoted()? {
                (TokenKind::Literal, literal)
            } else if let Some(first) = rest.chars().next() {
                self.plain(first)
            } else {
                return Ok(None);
            };
            return Ok(Some(Token { kind, text, line }));
        }
    }

    fn line_comment(&mut self) -> (TokenKind, &'s str) {
        let text = self.take_while(|c| c != '\n');
        match text.strip_prefix("///") {
            // Four slashes are an ordinary comment, as for the compiler.
            Some(documentation) if !documentation.starts_with('/') => (TokenKind::DocComment, documentation),
            _ => (TokenKind::Comment, text.trim_start_matches('/')),
        }
    }

    /// Skips a block comment; these nest.
    fn block_comment(&mut self) -> Result<(), (usize, Problem)> {
        let start = self.line;
        let mut depth = 0_usize;
        loop {
            let rest = self.rest();
            if rest.starts_with("/*") {
                depth += 1;
                self.take(2);
            } else if rest.starts_with("*/") {
                depth -= 1;
                self.take(2);
                if depth == 0 {
                    return Ok(());
                }
            } else if let Some(next) = rest.chars().next() {
                self.take(next.len_utf8());
            } else {
                return Err((start, Problem::Unterminated { what: "comment" }));
            }
        }
    }

    /// A string or character literal, if one starts here.
    fn quoted(&mut self) -> Result<Option<&'s str>, (usize, Problem)> {
        let rest = self.rest();
        let prefix = ["br", "cr", "r", "b", "c", ""]
            .into_iter()
            .find(|prefix| rest.strip_prefix(prefix).is_some_and(|after| after.starts_with(['"', '\'', '#'])));
        let Some(prefix) = prefix else {
            return Ok(None);
        };
        let opening = &rest[prefix.len()..];
        let hashes = opening.len() - opening.trim_start_matches('#').len();
        let length = if prefix.ends_with('r') && opening[hashes..].starts_with('"') {
            raw_string_length(&opening[hashes + 1..], hashes).map(|inner| hashes + 1 + inner)
        } else if let Some(text) = opening.strip_prefix('"') {
            escaped_length(text, '"').map(|inner| 1 + inner)
        } else if let Some(text) = opening.strip_prefix('\'').filter(|text| is_character(text)) {
            escaped_length(text, '\'').map(|inner| 1 + inner)
        } else {
            return Ok(None);
        };
        match length {
            Some(length) => Ok(Some(self.take(prefix.len() + length))),
            None => Err((self.line, Problem::Unterminated { what: "literal" })),
        }
    }

    /// A token that starts with `first` and is no comment, string or character.
    fn plain(&mut self, first: char) -> (TokenKind, &'s str) {
        let in_word = |c: char| c.is_alphanumeric() || c == '_';
        if first.is_ascii_digit() {
            (TokenKind::Literal, self.take_while(in_word))
        } else if in_word(first) {
            (TokenKind::Identifier, self.take_while(in_word))
        } else if first == '\'' {
            self.take(1);
            (TokenKind::Lifetime, self.take_while(in_word))
        } else {
            let length = JOINED
                .iter()
                .find(|joined| self.rest().starts_with(**joined))
                .map_or(first.len_utf8(), |joined| joined.len());
            (TokenKind::Punctuation, self.take(length))
        }
    }
}

/// Whether the quote before `text` opens a character literal, not a lifetime.
fn is_character(text: &str) -> bool {
    let mut characters = text.chars();
    match characters.next() {
        Some('\\') => true,
        Some(_) => characters.next() == Some('\''),
        None => false,
    }
}

/// The length up to and with the closing quote.
fn escaped_length(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (offset, character) in text.char_indices() {
        if escaped {
            escaped = false;
        } else if character == '\\' {
            escaped = true;
        } else if character == quote {
            return Some(offset + 1);
        }
    }
    None
}

/// The length up to and with the closing quote and its hash signs.
fn raw_string_length(text: &str, hashes: usize) -> Option<usize> {
    text.match_indices('"')
        .map(|(offset, _)| offset + 1)
        .find(|&end| text[end..].bytes().take_while(|&byte| byte == b'#').count() >= hashes)
        .map(|end| end + hashes)
}
