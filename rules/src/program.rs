//! The rules as data: what a `crepe!` block says, read from the same source text that the compiler reads.
//!
//! crepe turns its block into code and keeps nothing to ask afterwards. Provenance, the documentation of the rules and
//! the naive evaluator need the rules themselves, and a second copy of them would drift. So the block is parsed again
//! at run time, together with the `//` comments that give each rule its id and its reason.
//!
//! A rule is written like this, and a rule without such a header is an error:
//!
//! ```text
//! // [taint/assign] A copy of a healed value is healed.
//! // The note: why the rule is sound. It may have several lines.
//! TaintedVar(c, d) <-
//!     Assign(d, s),
//!     TaintedVar(c, s);
//! ```
//!
//! The sentence ends with the first comment line that ends in a full stop; what follows is the note.
//!
//! Of what crepe accepts, a subset is understood: relations without type parameters; premises that are relations,
//! negated relations, `(f(x))`, `(!f(x))`, `(x == y)`, `(x != y)` and `let x = f(y)`; arguments that are variables, `_`
//! and constants (a capital letter or a path). Everything else is refused with its line.

mod combine;
mod documentation;
mod functions;
mod parse;
mod problem;
mod resolve;
mod strata;
mod tokens;

pub use documentation::RuleDoc;
pub(crate) use functions::Linked;
pub use functions::{ColumnFunction, FunctionError, Functions};
pub use problem::{Problem, ProgramError};

/// A parsed and checked set of rules.
///
/// It holds that every rule has an id of its own, relations are used with their number of columns, every variable is
/// bound by an earlier positive premise or `let` before something only reads it, and negation is stratified.
#[derive(Clone, Debug)]
pub struct Program {
    name: String,
    relations: Vec<RelationDeclaration>,
    rules: Vec<Rule>,
    functions: Vec<FunctionUse>,
    /// For each relation the number of negations that its computation has to wait for.
    strata: Vec<usize>,
}

impl Program {
    /// Reads the one `crepe!` block of a Rust source text. `name` is what errors and documentation call the file.
    ///
    /// # Errors
    /// The first thing that is not understood or not sound, with its line.
    pub fn parse(name: &str, rust_source: &str) -> Result<Self, ProgramError> {
        let parsed = parse::parse(name, rust_source)?;
        resolve::resolve(name, parsed)
    }

    /// Reads the files that make up one `crepe!` block, each with its name. Rules may name relations of every file.
    ///
    /// # Errors
    /// The first thing that is not understood or not sound, with its file and line.
    pub fn parse_parts(name: &str, parts: &[(&str, &str)]) -> Result<Self, ProgramError> {
        let mut whole = parse::ParsedProgram::default();
        for (file, text) in parts {
            let part = parse::parse_part(file, text)?;
            whole.relations.extend(part.relations);
            whole.rules.extend(part.rules);
        }
        resolve::resolve(name, whole)
    }

    /// The name given to [`Program::parse`] or [`Program::combine`].
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// All relations in the order of their declarations.
    #[must_use]
    pub fn relations(&self) -> &[RelationDeclaration] {
        &self.relations
    }

    /// The relation of that name.
    #[must_use]
    pub fn relation(&self, name: &str) -> Option<&RelationDeclaration> {
        self.relations.iter().find(|relation| relation.name == name)
    }

    /// All rules in source order.
    #[must_use]
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The rule with that id.
    #[must_use]
    pub fn rule(&self, id: &str) -> Option<&Rule> {
        self.rules.iter().find(|rule| rule.id == id)
    }

    /// The functions and constants that the rules name; a [`Functions`] table has to define them.
    #[must_use]
    pub fn functions(&self) -> &[FunctionUse] {
        &self.functions
    }

    /// The declaration behind a number used in the rules of this program.
    #[must_use]
    pub fn declaration(&self, relation: RelationId) -> &RelationDeclaration {
        &self.relations[relation.0]
    }

    /// The function behind a number used in the rules of this program.
    #[must_use]
    pub fn function(&self, function: FunctionId) -> &FunctionUse {
        &self.functions[function.0]
    }

    pub(crate) fn relation_id(&self, name: &str) -> Option<RelationId> {
        self.relations.iter().position(|relation| relation.name == name).map(RelationId)
    }

    pub(crate) fn stratum(&self, relation: RelationId) -> usize {
        self.strata[relation.0]
    }
}

/// The number of a relation in its program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RelationId(pub(crate) usize);

/// The number of a function in its program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionId(pub(crate) usize);

/// The number of a variable in its rule: its place in [`Rule::variables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VariableId(pub(crate) usize);

impl VariableId {
    /// The place of the variable in [`Rule::variables`].
    #[must_use]
    pub fn position(self) -> usize {
        self.0
    }
}

/// Where the tuples of a relation come from and go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelationKind {
    /// Facts: given, never derived.
    Input,
    /// Derived, and visible only to the rules.
    Intermediate,
    /// Derived and returned by crepe.
    Output,
}

/// A relation as declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelationDeclaration {
    /// The name of its struct.
    pub name: String,
    /// Facts or derived tuples.
    pub kind: RelationKind,
    /// The types of its columns as written.
    pub columns: Vec<String>,
    /// Its documentation comment; empty when there is none.
    pub documentation: String,
    /// The name of the file that declares it.
    pub file: String,
    /// The line of its name.
    pub line: usize,
}

impl RelationDeclaration {
    /// The number of columns.
    #[must_use]
    pub fn arity(&self) -> usize {
        self.columns.len()
    }
}

/// A function or, with no arguments, a constant that rules use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionUse {
    /// The name as written, with its path.
    pub name: String,
    /// The number of arguments.
    pub arity: usize,
    /// The file of the first use.
    pub file: String,
    /// The line of the first use.
    pub line: usize,
}

/// One rule.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The stable id, `layer/name`.
    pub id: String,
    /// What the rule says, in one sentence.
    pub sentence: String,
    /// Why it is sound and what else there is to know; may be empty.
    pub note: String,
    /// The name of the file that has the rule.
    pub file: String,
    /// The line where the rule starts, after its comments.
    pub line: usize,
    /// What the rule derives; without wildcards.
    pub head: Atom,
    /// The premises in source order.
    pub body: Vec<Premise>,
    /// The names of the variables, in order of first use from the head on.
    pub variables: Vec<String>,
}

/// A relation applied to terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    /// The relation.
    pub relation: RelationId,
    /// As many terms as the relation has columns.
    pub terms: Vec<Term>,
}

/// An argument of an atom, a function or a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// A variable of the rule.
    Variable(VariableId),
    /// The value of a function without arguments.
    Constant(FunctionId),
    /// Any value: `_`. Only in atoms of the body.
    Wildcard,
}

/// One part of a rule's body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Premise {
    /// Some tuple of this form is there.
    Holds(Atom),
    /// No tuple of this form is there.
    Absent(Atom),
    /// The function gives true (or false, where `expected` says so).
    Test {
        /// The function; its value must be the code of a `bool`.
        call: Call,
        /// What it has to give.
        expected: bool,
    },
    /// The two terms are the same value (or are not).
    Compare {
        /// The left side; never a wildcard.
        left: Term,
        /// The right side; never a wildcard.
        right: Term,
        /// `true` for `==`, `false` for `!=`.
        equal: bool,
    },
    /// The variable stands for the value of the function.
    Let {
        /// The variable, bound here.
        variable: VariableId,
        /// The function.
        call: Call,
    },
}

/// A function applied to terms, none of which is a wildcard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The function.
    pub function: FunctionId,
    /// As many terms as the function has arguments.
    pub arguments: Vec<Term>,
}

impl Premise {
    /// The variables in the premise, with repetitions.
    #[must_use]
    pub fn variables(&self) -> Vec<VariableId> {
        let terms = match self {
            Self::Holds(atom) | Self::Absent(atom) => atom.terms.clone(),
            Self::Test { call, .. } => call.arguments.clone(),
            Self::Compare { left, right, .. } => vec![*left, *right],
            Self::Let { variable, call } => {
                let mut terms = call.arguments.clone();
                terms.push(Term::Variable(*variable));
                terms
            }
        };
        terms
            .into_iter()
            .filter_map(|term| match term {
                Term::Variable(variable) => Some(variable),
                Term::Constant(_) | Term::Wildcard => None,
            })
            .collect()
    }
}
