//! Finding the `crepe!` block among the tokens of a file.

use super::super::problem::Problem;
use super::super::tokens::{Token, TokenKind};

/// What stands between the brackets of the macro call.
pub(super) struct Block<'t> {
    pub tokens: &'t [Token<'t>],
    pub last_line: usize,
}

/// The one block of the file.
pub(super) fn find<'t>(tokens: &'t [Token<'t>]) -> Result<Block<'t>, (usize, Problem)> {
    let mut found: Option<(usize, Block<'t>)> = None;
    let mut position = 0;
    while position < tokens.len() {
        let Some(open) = opening_bracket(&tokens[position..]) else {
            position += 1;
            continue;
        };
        let line = tokens[position].line;
        if let Some((first, _)) = found {
            return Err((line, Problem::SeveralPrograms { first }));
        }
        let open = position + open;
        let close = closing_bracket(tokens, open).ok_or((line, Problem::Unterminated { what: "`crepe!` block" }))?;
        let block = Block { tokens: &tokens[open + 1..close], last_line: tokens[close].line };
        found = Some((line, block));
        position = close;
    }
    let last_line = tokens.last().map_or(1, |token| token.line);
    found.map(|(_, block)| block).ok_or((last_line, Problem::NoProgram))
}

/// Where the bracket of `crepe! {` is, if the tokens start with that.
fn opening_bracket(tokens: &[Token<'_>]) -> Option<usize> {
    if !tokens.first()?.is_word("crepe") {
        return None;
    }
    let mut code = tokens.iter().enumerate().skip(1).filter(|(_, token)| token.kind != TokenKind::Comment);
    let (_, mark) = code.next()?;
    let (open, bracket) = code.next()?;
    let opens = ["{", "(", "["].iter().any(|open| bracket.is(open));
    (mark.is("!") && opens).then_some(open)
}

/// The bracket that closes the one at `open`, whatever kind the ones between are.
fn closing_bracket(tokens: &[Token<'_>], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (position, token) in tokens.iter().enumerate().skip(open) {
        if ["{", "(", "["].iter().any(|bracket| token.is(bracket)) {
            depth += 1;
        } else if ["}", ")", "]"].iter().any(|bracket| token.is(bracket)) {
            depth -= 1;
            if depth == 0 {
                return Some(position);
            }
        }
    }
    None
}
