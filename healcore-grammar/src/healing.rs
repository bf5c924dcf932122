//! A healing that passed the validator.

use ruff_python_ast::{Expr, ModModule, Stmt};
use ruff_text_size::TextRange;

/// The name whose assignment gives the value to return with `resume = "return"`.
pub const HEALED_RETURN: &str = "healed_return";

/// A program that is HealCore. Only [`crate::validate`] makes one.
#[derive(Debug, Clone)]
pub struct Healing {
    module: ModModule,
    source: String,
    obligations: Vec<Obligation>,
}

impl Healing {
    pub(crate) fn accepted(module: ModModule, source: String, obligations: Vec<Obligation>) -> Self {
        Healing { module, source, obligations }
    }

    /// The syntax tree. It holds only the forms that the grammar lists.
    pub fn module(&self) -> &ModModule {
        &self.module
    }

    /// The text the tree was parsed from; ranges in the tree index its bytes.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// What the text alone cannot decide and the runtime therefore has to enforce, in source order.
    pub fn obligations(&self) -> &[Obligation] {
        &self.obligations
    }

    /// The expression assigned to `healed_return` by the last statement, if it is.
    pub fn healed_return(&self) -> Option<&Expr> {
        match self.module.body.last() {
            Some(Stmt::Assign(assign)) => match assign.targets.as_slice() {
                [Expr::Name(name)] if name.id.as_str() == HEALED_RETURN => Some(&assign.value),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Something that was accepted on a condition which only the running program can answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Obligation {
    /// The condition.
    pub kind: ObligationKind,
    /// The expression or statement it is about.
    pub range: TextRange,
}

/// The conditions under which a healing was accepted. Where one does not hold, the healing must not go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ObligationKind {
    /// The name must mean the built-in when the call runs.
    Builtin(String),
    /// The receiver must be exactly a built-in container or string (or one from `collections`), not
    /// an object of the repository that has a method of this name.
    Receiver(String),
    /// The called dotted name must still be what the repository profile resolved it to.
    Repository(String),
    /// The value must stay within `integer_bits` and `sequence_items`.
    Growth,
    /// The iterations must stay within `loop_iterations`.
    Iterations,
}
