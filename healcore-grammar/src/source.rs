//! What is checked on the text before its tree is looked at: size, characters, coding comments, syntax.

use ruff_python_ast::token::TokenKind;
use ruff_python_ast::{ModModule, PythonVersion};
use ruff_python_parser::{Mode, ParseOptions, parse_unchecked};
use ruff_text_size::{Ranged, TextLen, TextRange, TextSize};
use unicode_normalization::{UnicodeNormalization, is_nfkc};

use crate::code::Code;
use crate::rejection::Findings;

/// Checks the text and parses it.
///
/// Returns the tree, or nothing when there is none worth looking at; what is wrong goes to `findings`.
/// The stack must suffice for a tree as deep as the text is long.
pub(crate) fn parse(source: &str, findings: &mut Findings) -> Option<ModModule> {
    forbidden_characters(source, findings);
    coding_declaration(source, findings);
    if !findings.is_empty() {
        return None;
    }
    let options = ParseOptions::from(Mode::Module).with_target_version(PythonVersion::PY311);
    let parsed = parse_unchecked(source, options).try_into_module()?;
    if let Some(error) = parsed.errors().first() {
        findings.push(Code::Syntax, error.location, format!("not valid Python: {}", error.error));
        return None;
    }
    for token in parsed.tokens().iter().filter(|token| token.kind() == TokenKind::Name) {
        let spelled = source.get(token.range().to_std_range()).unwrap_or_default();
        identifier_spelling(spelled, token.range(), findings);
    }
    for error in parsed.unsupported_syntax_errors() {
        findings.push(Code::NewerSyntax, error.range(), error.to_string());
    }
    Some(parsed.into_syntax())
}

/// Control characters, on which readers of Python disagree, and characters that make text look other than it is.
fn forbidden_characters(source: &str, findings: &mut Findings) {
    let mut characters = source.char_indices().peekable();
    while let Some((offset, character)) = characters.next() {
        let line_end = character == '\r' && characters.peek().is_some_and(|(_, next)| *next == '\n');
        if line_end || !is_forbidden(character) {
            continue;
        }
        let Ok(offset) = TextSize::try_from(offset) else { return };
        findings.push(
            Code::ForbiddenCharacter,
            TextRange::at(offset, character.text_len()),
            format!("the character U+{:04X} may not occur", u32::from(character)),
        );
    }
}

/// Whether the character may not occur in a program; in a string it may be written as an escape.
pub(crate) fn is_forbidden(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        '\u{61C}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}' => true,
        _ => character.is_control(),
    }
}

/// A coding comment makes a reader of the file see other text than the validator.
fn coding_declaration(source: &str, findings: &mut Findings) {
    let mut start = TextSize::new(0);
    for line in source.split_inclusive('\n').take(2) {
        let text = line.trim();
        let declares =
            text.strip_prefix('#').is_some_and(|comment| comment.contains("coding:") || comment.contains("coding="));
        if declares {
            let range = TextRange::at(start, line.trim_end().text_len());
            findings.push(Code::CodingDeclaration, range, "a coding declaration may not occur");
        }
        start += line.text_len();
    }
}

/// Python reads an identifier in its NFKC form, and so does the tree; one that is spelled in another way hides what it means.
fn identifier_spelling(spelled: &str, range: TextRange, findings: &mut Findings) {
    if !is_nfkc(spelled) {
        let meant: String = spelled.nfkc().collect();
        findings.push(Code::NotNormalized, range, format!("Python reads this identifier as `{meant}`"));
    }
}
