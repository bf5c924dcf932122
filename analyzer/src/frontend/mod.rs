//! The front end: Python source to the intermediate representation. Only this module knows `ruff_*`.

mod bodies;
mod builder;
mod expressions;
mod markings;
mod patterns;
mod private_names;
mod scope;
mod statements;

pub(crate) use builder::may_raise;

use std::time::Instant;

use ruff_python_ast::Stmt;
use ruff_python_parser::{Mode, ParseOptions, parse_unchecked};
use ruff_text_size::Ranged;
use rustc_hash::FxHashSet;

use crate::ir::{Binding, Body, BodyId, LoweredFile, Name, NodeId, Slot, Span};
use bodies::Lowering;
use markings::FileMarks;

/// A syntax error of a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    pub message: String,
    pub offset: u32,
}

/// Lowers a whole file: its module body and every body inside.
///
/// `guard_names` are the last names of endorsements in mode `guards`: behind calls of these the lowering leaves a mark
/// where the checked variables become clean.
///
/// # Errors
/// The first syntax error, where the source is not Python.
pub fn lower_file(source: &str, guard_names: &FxHashSet<String>) -> Result<LoweredFile, SyntaxError> {
    lower(source, guard_names, None)
}

/// The same; the statement at `leaving` gets a way out of its body: see [`crate::ir::Statement::leave`].
///
/// # Errors
/// As for [`lower_file`].
pub fn lower_file_leaving(
    source: &str,
    guard_names: &FxHashSet<String>,
    leaving: Span,
) -> Result<LoweredFile, SyntaxError> {
    lower(source, guard_names, Some(leaving))
}

fn lower(source: &str, guard_names: &FxHashSet<String>, leaving: Option<Span>) -> Result<LoweredFile, SyntaxError> {
    let started = Instant::now();
    let parsed = parse_unchecked(source, ParseOptions::from(Mode::Module));
    let parsing = started.elapsed();
    if let Some(error) = parsed.errors().first() {
        return Err(SyntaxError { message: error.error.to_string(), offset: error.location.start().to_u32() });
    }
    let marks = FileMarks::of_comments(source, parsed.tokens());
    let mut suite = parsed.try_into_module().map(|module| module.into_suite()).unwrap_or_default();
    private_names::mangle(&mut suite);
    let mut lowering = Lowering::new(source, guard_names, marks.with_imports(&suite));
    lowering.leaving = leaving;
    lowering.lower_module(&suite);
    Ok(LoweredFile { parsing, ..lowering.finish() })
}

/// Instructions of a healing, lowered into the names of the body that it runs in.
pub struct LoweredHealing {
    /// The body with the instructions of the healing behind its own; nothing leads to them yet.
    pub body: Body,
    /// First and last instruction of the healing.
    pub first: NodeId,
    pub last: NodeId,
    /// Local variables that the healing binds, by name.
    pub binds: Vec<(Name, Slot)>,
    /// Where `healed_return` ended up, when the healing assigns it.
    pub returned: Option<Slot>,
}

/// Lowers a healing as if it stood in `body`, which is number `id` of its file.
///
/// # Errors
/// The first syntax error; a validated healing has none.
pub fn lower_healing(source: &str, body: &Body, id: BodyId) -> Result<LoweredHealing, SyntaxError> {
    let parsed = parse_unchecked(source, ParseOptions::from(Mode::Module));
    if let Some(error) = parsed.errors().first() {
        return Err(SyntaxError { message: error.error.to_string(), offset: error.location.start().to_u32() });
    }
    let parsed = parsed.try_into_module();
    let suite: &[Stmt] = parsed.as_ref().map_or(&[], |module| module.suite());
    let no_guards = FxHashSet::default();
    let mut lowering = Lowering::new(source, &no_guards, FileMarks::default());
    let (body, first, last) = lowering.lower_healing(suite, body.clone(), id);
    let bound = scope::ScopeNames::of_body(suite).bound;
    let binds = bound.iter().filter_map(|name| match body.binding(name) {
        Some(Binding::Local(slot)) => Some((Name::from(name.as_str()), *slot)),
        _ => None,
    });
    let binds: Vec<_> = binds.collect();
    let returned = binds.iter().find(|(name, _)| &**name == "healed_return").map(|(_, slot)| *slot);
    Ok(LoweredHealing { body, first, last, binds, returned })
}

fn span(part: &impl Ranged) -> Span {
    let range = part.range();
    Span { start: range.start().to_u32(), end: range.end().to_u32() }
}
