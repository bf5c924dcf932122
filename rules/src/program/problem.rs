//! What can be wrong with a rule file.

/// An error in a rule file, with its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {problem}")]
pub struct ProgramError {
    /// The name of the file.
    pub file: String,
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub problem: Problem,
}

/// What is wrong at the line of a [`ProgramError`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// A string, comment or bracket has no end.
    #[error("this {what} has no end")]
    Unterminated {
        /// What was begun.
        what: &'static str,
    },
    /// There is no `crepe!` block.
    #[error("there is no `crepe!` block")]
    NoProgram,
    /// There is a second `crepe!` block.
    #[error("this is a second `crepe!` block, the first is on line {first}")]
    SeveralPrograms {
        /// The line of the first block.
        first: usize,
    },
    /// Something stands where something else has to.
    #[error("expected {expected}, found {found}")]
    Unexpected {
        /// What had to be there.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// Valid for crepe, and not understood here.
    #[error("{what} not supported in rules: {instead}")]
    Unsupported {
        /// The construct, with its verb.
        what: &'static str,
        /// What to write.
        instead: &'static str,
    },
    /// A rule has no `// [layer/name] …` comment.
    #[error("the rule has no id: put a comment `// [layer/name] One sentence.` above it")]
    MissingId,
    /// Two ids stand above one rule.
    #[error("a second id `{id}` before a rule, which already has `{first}`")]
    SeveralIds {
        /// The second id.
        id: String,
        /// The first.
        first: String,
    },
    /// Two rules have the same id.
    #[error("the id `{id}` is taken by the rule at {file}:{line}")]
    DuplicateId {
        /// The id.
        id: String,
        /// The file of the first rule with it.
        file: String,
        /// Its line.
        line: usize,
    },
    /// An id has no rule.
    #[error("the id `{id}` is not followed by a rule")]
    OrphanId {
        /// The id.
        id: String,
    },
    /// An id has no sentence that ends in a full stop.
    #[error("the rule `{id}` has no sentence that ends a comment line with a full stop")]
    MissingSentence {
        /// The id.
        id: String,
    },
    /// A relation is declared twice.
    #[error("the relation `{relation}` is already declared at {file}:{line}")]
    DuplicateRelation {
        /// The relation.
        relation: String,
        /// The file of the other declaration.
        file: String,
        /// Its line.
        line: usize,
    },
    /// A relation has more columns than a database can hold.
    #[error("the relation `{relation}` has {found} columns, at most {most} are supported")]
    TooManyColumns {
        /// The relation.
        relation: String,
        /// Its number of columns.
        found: usize,
        /// The limit.
        most: usize,
    },
    /// A relation is used and not declared.
    #[error("there is no relation `{relation}`")]
    UnknownRelation {
        /// The name.
        relation: String,
    },
    /// A relation is used with the wrong number of columns.
    #[error("`{relation}` has {expected} columns, not {found}")]
    RelationArity {
        /// The relation.
        relation: String,
        /// The declared number.
        expected: usize,
        /// The number used.
        found: usize,
    },
    /// A function is used with different numbers of arguments.
    #[error("`{function}` has {found} arguments here and {expected} on line {line}")]
    FunctionArity {
        /// The function.
        function: String,
        /// The number at its first use.
        expected: usize,
        /// The line of that use.
        line: usize,
        /// The number here.
        found: usize,
    },
    /// A rule derives a relation of facts.
    #[error("`{relation}` is an input, no rule may derive it")]
    DerivedInput {
        /// The relation.
        relation: String,
    },
    /// A wildcard stands where a value is needed.
    #[error("`_` cannot stand for a value here")]
    Wildcard,
    /// A variable is read before a positive premise or a `let` binds it.
    #[error("the variable `{variable}` is not bound by an earlier premise")]
    Unbound {
        /// The variable.
        variable: String,
    },
    /// A `let` gives a name that is taken; Rust would shadow, not compare.
    #[error("`let {variable}` hides the variable that is already bound: compare with `(a == b)`")]
    Rebound {
        /// The variable.
        variable: String,
    },
    /// A relation depends on its own absence.
    #[error("`{relation}` is negated here and depends on `{head}`: negation is not stratified")]
    NotStratified {
        /// The negated relation.
        relation: String,
        /// The relation derived by the rule.
        head: String,
    },
    /// A private relation of one layer has the name of a relation of another.
    #[error(
        "`{relation}` is also declared at {file}:{line}, and only an output read by a later layer as input may be shared"
    )]
    SharedRelation {
        /// The relation.
        relation: String,
        /// The file of the other declaration.
        file: String,
        /// Its line.
        line: usize,
    },
}
