//! The validator: walks the syntax tree and collects every part that the grammar does not list.
//!
//! The matches over statements and expressions name every variant, so that a form which a later parser adds does
//! not compile until somebody decides about it.

mod argument;
mod call;
mod expression;
mod facts;
mod format;
mod growth;
mod name;
mod place;
mod statement;

use ruff_python_ast::Expr;
use ruff_text_size::{Ranged, TextRange};

use crate::bounds::Bounds;
use crate::code::Code;
use crate::healing::{Healing, Obligation, ObligationKind};
use crate::profile::Profile;
use crate::rejection::{Findings, Rejection};
use crate::source;
use facts::{Calls, Fact, Facts};

/// Stack for each byte of source. The parser grows its own stack; dropping and reading its tree recurse at
/// most once a byte.
const STACK_PER_BYTE: usize = 2048;
const STACK_BASE: usize = 2 << 20;

/// Decides whether a program is HealCore.
///
/// Takes any text, and the profile that says which calls and bounds apply. Never panics and never exhausts the
/// stack.
///
/// # Errors
/// Every reason for refusal, in source order, at most [`Bounds::rejections`] of them and at least one.
pub fn validate(source: &str, profile: &Profile<'_>) -> Result<Healing, Vec<Rejection>> {
    let bounds = profile.bounds();
    let mut findings = Findings::with_limit(bounds.rejections);
    let limit = bounds.source_bytes;
    if source.len() > limit {
        let message = format!("the healing has {} bytes of at most {limit}", source.len());
        findings.push(Code::SourceTooLong, TextRange::default(), message);
        return Err(findings.into_rejections(source));
    }
    let stack = STACK_BASE + STACK_PER_BYTE * source.len();
    stacker::maybe_grow(stack, stack, || validate_bounded(source, profile, findings))
}

fn validate_bounded(source: &str, profile: &Profile<'_>, mut findings: Findings) -> Result<Healing, Vec<Rejection>> {
    let Some(module) = source::parse(source, &mut findings) else {
        return Err(findings.into_rejections(source));
    };
    let mut validator = Validator::over(source, profile, findings);
    validator.program(&module.body);
    let Validator { findings, mut obligations, .. } = validator;
    if findings.is_empty() {
        obligations.sort_by_key(|obligation| (obligation.range.start(), obligation.range.end()));
        Ok(Healing::accepted(module, source.to_owned(), obligations))
    } else {
        Err(findings.into_rejections(source))
    }
}

/// How the value of an expression is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    /// As an operand, argument or stored value.
    Value,
    /// As an iterable that is read to its end before anything else happens.
    Consumed,
    /// Not at all: the expression is a statement.
    Statement,
    /// As the whole right side of an assignment.
    Assigned,
}

/// A `for` loop or `for` clause around the current node.
struct Loop {
    /// Its iterations, where they are certain.
    iterations: Option<u64>,
    /// The text of the place whose elements it visits.
    iterated: Option<String>,
}

/// The state of a walk.
struct Validator<'a> {
    source: &'a str,
    profile: &'a Profile<'a>,
    findings: Findings,
    obligations: Vec<Obligation>,
    facts: Facts,
    loops: Vec<Loop>,
    /// Names that comprehensions around the current node bind.
    comprehension_names: Vec<String>,
    statements: usize,
    block_depth: usize,
    expression_depth: usize,
    comprehension_depth: usize,
    self_growth: usize,
}

impl<'a> Validator<'a> {
    fn over(source: &'a str, profile: &'a Profile<'a>, findings: Findings) -> Self {
        Validator {
            source,
            profile,
            findings,
            obligations: Vec::new(),
            facts: Facts::default(),
            loops: Vec::new(),
            comprehension_names: Vec::new(),
            statements: 0,
            block_depth: 0,
            expression_depth: 0,
            comprehension_depth: 0,
            self_growth: 0,
        }
    }

    fn bounds(&self) -> &'a Bounds {
        self.profile.bounds()
    }

    fn reject(&mut self, code: Code, node: impl Ranged, message: impl Into<String>) {
        self.findings.push(code, node.range(), message);
    }

    fn oblige(&mut self, kind: ObligationKind, node: impl Ranged) {
        let range = node.range();
        self.obligations.push(Obligation { kind, range });
    }

    /// The source text of a node.
    fn text(&self, node: impl Ranged) -> &'a str {
        self.source.get(node.range().to_std_range()).unwrap_or_default()
    }

    /// What is certain about the value of an expression here.
    fn fact(&self, expression: &Expr) -> Fact {
        let hidden = |name: &str| self.is_hidden(name);
        self.facts.of(expression, self.calls(&hidden))
    }

    fn calls<'c>(&self, hidden: &'c dyn Fn(&str) -> bool) -> Calls<'c> {
        Calls { depth: self.bounds().expression_depth, hidden }
    }

    /// Whether the name does not mean the built-in here.
    fn is_hidden(&self, name: &str) -> bool {
        self.profile.hides(name)
    }

    /// The path of names and attributes that an expression spells, such as `self.cart.items`.
    fn dotted(expression: &Expr) -> Option<String> {
        match expression {
            Expr::Name(name) => Some(name.id.to_string()),
            Expr::Attribute(attribute) => {
                let mut path = Self::dotted(&attribute.value)?;
                path.push('.');
                path.push_str(attribute.attr.as_str());
                Some(path)
            }
            _ => None,
        }
    }
}
