//! What the source itself says about protection: decorators and comments.

use ruff_python_ast::token::{TokenKind, Tokens};
use ruff_python_ast::{self as ast, Expr};
use ruff_text_size::{Ranged, TextRange};
use rustc_hash::FxHashSet;

use crate::ir::{MarkedArgument, Marking};

/// Lines (from 1) that carry the comment `# healguard: protected`.
pub(super) fn protected_lines(source: &str, tokens: &Tokens) -> FxHashSet<u32> {
    if !source.contains("healguard:") {
        return FxHashSet::default();
    }
    let comments = tokens.iter().filter(|token| token.kind() == TokenKind::Comment);
    let marked = comments.filter(|token| comment_says(&source[token.range()], "protected"));
    marked.map(|token| source[..token.start().to_usize()].matches('\n').count() as u32 + 1).collect()
}

fn comment_says(comment: &str, word: &str) -> bool {
    let text = comment.trim_start_matches('#').trim();
    text.strip_prefix("healguard:").is_some_and(|said| said.trim() == word)
}

/// Markings of a function: its decorators, and the comment at the end of its `def` line.
pub(super) fn of_definition(source: &str, decorators: &[ast::Decorator], name: TextRange) -> Vec<Marking> {
    let mut markings: Vec<Marking> =
        decorators.iter().filter_map(|decorator| of_decorator(source, &decorator.expression)).collect();
    let rest = &source[name.end().to_usize()..];
    let header = rest.split('\n').next().unwrap_or_default();
    if let Some((_, comment)) = header.split_once('#') {
        if comment_says(comment, "protected") {
            markings.push(protected());
        }
        if comment_says(comment, "endorses") {
            markings.push(Marking::Endorses { guards: false });
        }
    }
    markings
}

fn protected() -> Marking {
    Marking::Protected { arguments: None, receiver: true, reads: None, reason: String::new() }
}

fn of_decorator(source: &str, expression: &Expr) -> Option<Marking> {
    let (function, keywords): (&Expr, &[ast::Keyword]) = match expression {
        Expr::Call(call) => (&call.func, &call.arguments.keywords),
        other => (other, &[]),
    };
    let name = dotted(function)?;
    match name.as_str() {
        // Under whatever name a file that mentions the package imported it: too many marks only protect more.
        _ if name.rsplit('.').next() == Some("protected") && source.contains("healguard") => {
            Some(keywords.iter().fold(protected(), with_keyword))
        }
        // An endorsement counts only where it certainly is one.
        "healguard.endorses" => {
            let guards = keywords.iter().any(|keyword| {
                keyword.arg.as_deref() == Some("mode") && string(&keyword.value).as_deref() == Some("guards")
            });
            Some(Marking::Endorses { guards })
        }
        _ => None,
    }
}

fn with_keyword(marking: Marking, keyword: &ast::Keyword) -> Marking {
    let Marking::Protected { mut arguments, mut receiver, mut reads, mut reason } = marking else { return marking };
    match (keyword.arg.as_deref(), &keyword.value) {
        (Some("arguments"), Expr::List(ast::ExprList { elts, .. }) | Expr::Tuple(ast::ExprTuple { elts, .. })) => {
            let listed: Option<Vec<MarkedArgument>> = elts.iter().map(argument).collect();
            // An entry that cannot be read leaves every argument watched.
            arguments = listed;
        }
        (Some("receiver"), Expr::BooleanLiteral(boolean)) => receiver = boolean.value,
        (Some("reads"), Expr::BooleanLiteral(boolean)) => reads = Some(boolean.value),
        (Some("reason"), value) => reason = string(value).unwrap_or_default(),
        _ => {}
    }
    Marking::Protected { arguments, receiver, reads, reason }
}

fn argument(expression: &Expr) -> Option<MarkedArgument> {
    match expression {
        Expr::NumberLiteral(ast::ExprNumberLiteral { value: ast::Number::Int(int), .. }) => {
            int.to_string().parse().ok().map(MarkedArgument::Position)
        }
        other => string(other).map(MarkedArgument::Name),
    }
}

fn string(expression: &Expr) -> Option<String> {
    match expression {
        Expr::StringLiteral(text) => Some(text.value.to_str().to_owned()),
        _ => None,
    }
}

/// `a.b.c` as text, where the expression is just that.
pub(super) fn dotted(expression: &Expr) -> Option<String> {
    match expression {
        Expr::Name(name) => Some(name.id.to_string()),
        Expr::Attribute(attribute) => Some(format!("{}.{}", dotted(&attribute.value)?, attribute.attr)),
        Expr::Call(call) => dotted(&call.func),
        _ => None,
    }
}
