//! The check of a derivation, step by step, without any search.
//!
//! This is deliberately separate from the code that finds derivations: it knows the rules, the facts and the final
//! relations, and believes nothing that a derivation says. What passes is a proof.

use crate::database::{Database, Relation};
use crate::program::{Atom, Call, Functions, Premise, Program, RelationKind, Rule, Term, VariableId};
use crate::provenance::{Derivation, Evidence, Reason, Step, StepId};

/// The first step that is not right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("step {step} ({relation}): {fault}", step = .step.0)]
pub struct CheckError {
    /// The step.
    pub step: StepId,
    /// The relation of its tuple.
    pub relation: String,
    /// What is wrong with it.
    pub fault: Fault,
}

/// What is wrong with a step.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The program or the database does not have a relation.
    #[error("the program or the database has no relation `{0}`")]
    UnknownRelation(String),
    /// The tuple is not among the final tuples of its relation.
    #[error("the tuple is not in the database")]
    NotInDatabase,
    /// A derived tuple is called a fact.
    #[error("the relation is derived, its tuples are no facts")]
    NotAnInput,
    /// There is no such rule.
    #[error("there is no rule `{0}`")]
    UnknownRule(String),
    /// The rule derives another relation.
    #[error("the rule derives another relation")]
    WrongRelation,
    /// The rule has another number of premises.
    #[error("the rule has {expected} premises, the step has {found}")]
    PremiseCount {
        /// Premises of the rule.
        expected: usize,
        /// Premises of the step.
        found: usize,
    },
    /// The evidence is of another kind than the premise, or for another relation, function or variable.
    #[error("premise {0} is not the one of the rule")]
    WrongEvidence(usize),
    /// A step rests on itself, on a later step, or on none.
    #[error("premise {0} is not an earlier step")]
    NotEarlier(usize),
    /// A variable would have two values, or a code is not the one that the rule asks for.
    #[error("premise {0} does not agree with the other parts of the step")]
    Disagrees(usize),
    /// A condition is false, or a function does not give the value.
    #[error("premise {0} is false")]
    False(usize),
    /// A tuple whose absence is claimed is there.
    #[error("premise {0} claims the absence of a tuple that is there")]
    Present(usize),
    /// The tuple is not the one that the rule derives from the premises.
    #[error("the tuple is not the conclusion of the rule")]
    WrongConclusion,
}

/// Checks that each step is a fact of an input relation or an instance of its rule over earlier steps.
///
/// `database` holds the final relations, inputs and derived ones, all of them: a relation of the program that is not
/// there would make every claim of absence true, so it is an error.
///
/// # Errors
/// The first step that is not right, and why.
pub fn check(
    program: &Program,
    functions: &Functions,
    database: &Database,
    derivation: &Derivation,
) -> Result<(), CheckError> {
    let checker = Checker { program, functions, database, derivation };
    for (number, step) in derivation.steps().iter().enumerate() {
        checker.step(number, step).map_err(|fault| CheckError {
            step: StepId(number),
            relation: step.relation.clone(),
            fault,
        })?;
    }
    Ok(())
}

struct Checker<'a> {
    program: &'a Program,
    functions: &'a Functions,
    database: &'a Database,
    derivation: &'a Derivation,
}

impl<'a> Checker<'a> {
    fn step(&self, number: usize, step: &Step) -> Result<(), Fault> {
        let declared =
            self.program.relation(&step.relation).ok_or_else(|| Fault::UnknownRelation(step.relation.clone()))?;
        if !self.table(&step.relation)?.contains(&step.tuple) {
            return Err(Fault::NotInDatabase);
        }
        match &step.reason {
            Reason::Fact if declared.kind == RelationKind::Input => Ok(()),
            Reason::Fact => Err(Fault::NotAnInput),
            Reason::Rule { id, evidence } => {
                let rule = self.program.rule(id).ok_or_else(|| Fault::UnknownRule(id.clone()))?;
                self.rule_step(number, step, rule, evidence)
            }
        }
    }

    fn rule_step(&self, number: usize, step: &Step, rule: &'a Rule, evidence: &[Evidence]) -> Result<(), Fault> {
        if self.program.declaration(rule.head.relation).name != step.relation {
            return Err(Fault::WrongRelation);
        }
        if rule.body.len() != evidence.len() {
            return Err(Fault::PremiseCount { expected: rule.body.len(), found: evidence.len() });
        }
        let mut instance = Instance { checker: self, number, rule, values: vec![None; rule.variables.len()] };
        for (position, (premise, evidence)) in rule.body.iter().zip(evidence).enumerate() {
            instance.premise(position, premise, evidence)?;
        }
        let conclusion = step.tuple.iter().map(|&code| Some(code));
        if instance.terms(&rule.head.terms).eq(conclusion) { Ok(()) } else { Err(Fault::WrongConclusion) }
    }

    /// The final tuples of a relation.
    fn table(&self, relation: &str) -> Result<&'a Relation, Fault> {
        let declared = self.program.relation(relation);
        self.database
            .relation(relation)
            .filter(|table| declared.is_some_and(|declared| declared.arity() == table.arity()))
            .ok_or_else(|| Fault::UnknownRelation(relation.to_owned()))
    }
}

/// A rule and the values that the evidence so far gives to its variables.
struct Instance<'c, 'a> {
    checker: &'c Checker<'a>,
    /// The number of the step.
    number: usize,
    rule: &'a Rule,
    values: Vec<Option<u64>>,
}

impl Instance<'_, '_> {
    fn premise(&mut self, position: usize, premise: &Premise, evidence: &Evidence) -> Result<(), Fault> {
        match (premise, evidence) {
            (Premise::Holds(atom), Evidence::Step(support)) => self.holds(position, atom, *support),
            (Premise::Absent(atom), Evidence::Absent { relation, pattern }) => {
                self.same_relation(position, atom, relation)?;
                self.absent(position, atom, pattern)
            }
            (Premise::Test { call, expected }, Evidence::Test { function, arguments, value }) => {
                let given = self.call(position, call, function, arguments)?;
                let agrees = expected == value && given == u64::from(*expected);
                agrees.then_some(()).ok_or(Fault::False(position))
            }
            (
                Premise::Compare { left: left_term, right: right_term, equal: expected },
                Evidence::Compare { left, right, equal },
            ) => {
                let codes = [Some(*left), Some(*right)];
                if !self.terms(&[*left_term, *right_term]).eq(codes) {
                    return Err(Fault::Disagrees(position));
                }
                let agrees = expected == equal && (left == right) == *equal;
                agrees.then_some(()).ok_or(Fault::False(position))
            }
            (Premise::Let { variable, call }, Evidence::Let { variable: name, function, arguments, value }) => {
                if self.rule.variables[variable.position()] != *name {
                    return Err(Fault::WrongEvidence(position));
                }
                if self.call(position, call, function, arguments)? != *value {
                    return Err(Fault::False(position));
                }
                self.assign(position, *variable, *value)
            }
            _ => Err(Fault::WrongEvidence(position)),
        }
    }

    fn holds(&mut self, position: usize, atom: &Atom, support: StepId) -> Result<(), Fault> {
        let earlier = (support.0 < self.number)
            .then(|| self.checker.derivation.step(support))
            .flatten()
            .ok_or(Fault::NotEarlier(position))?;
        self.same_relation(position, atom, &earlier.relation)?;
        if earlier.tuple.len() != atom.terms.len() {
            return Err(Fault::Disagrees(position));
        }
        for (&term, &code) in atom.terms.iter().zip(&earlier.tuple) {
            match term {
                Term::Wildcard => {}
                Term::Variable(variable) => self.assign(position, variable, code)?,
                Term::Constant(_) if self.term(term) == Some(code) => {}
                Term::Constant(_) => return Err(Fault::Disagrees(position)),
            }
        }
        Ok(())
    }

    fn absent(&self, position: usize, atom: &Atom, pattern: &[Option<u64>]) -> Result<(), Fault> {
        // The wildcards of the premise are the open columns of the pattern, and a term without a value is none.
        if !self.terms(&atom.terms).eq(pattern.iter().copied()) {
            return Err(Fault::Disagrees(position));
        }
        let name = &self.checker.program.declaration(atom.relation).name;
        let fits = |tuple: &[u64]| {
            let mut columns = pattern.iter().zip(tuple);
            columns.all(|(wanted, code)| wanted.is_none_or(|wanted| wanted == *code))
        };
        if self.checker.table(name)?.tuples().any(fits) {
            return Err(Fault::Present(position));
        }
        Ok(())
    }

    /// The value of a call, computed anew; the evidence must name the function and the arguments of the rule.
    fn call(&self, position: usize, call: &Call, function: &str, arguments: &[u64]) -> Result<u64, Fault> {
        let name = &self.checker.program.function(call.function).name;
        if name != function {
            return Err(Fault::WrongEvidence(position));
        }
        let codes = arguments.iter().map(|&code| Some(code));
        if !self.terms(&call.arguments).eq(codes) {
            return Err(Fault::Disagrees(position));
        }
        self.checker.functions.apply(name, arguments).ok_or(Fault::False(position))
    }

    fn assign(&mut self, position: usize, variable: VariableId, code: u64) -> Result<(), Fault> {
        let value = &mut self.values[variable.position()];
        if *value.get_or_insert(code) == code { Ok(()) } else { Err(Fault::Disagrees(position)) }
    }

    fn same_relation(&self, position: usize, atom: &Atom, name: &str) -> Result<(), Fault> {
        if self.checker.program.declaration(atom.relation).name == name {
            Ok(())
        } else {
            Err(Fault::WrongEvidence(position))
        }
    }

    /// The values of terms, `None` for those that have none.
    fn terms(&self, terms: &[Term]) -> impl Iterator<Item = Option<u64>> {
        terms.iter().map(|&term| self.term(term))
    }

    fn term(&self, term: Term) -> Option<u64> {
        match term {
            Term::Variable(variable) => self.values[variable.position()],
            Term::Constant(function) => {
                let name = &self.checker.program.function(function).name;
                self.checker.functions.apply(name, &[])
            }
            Term::Wildcard => None,
        }
    }
}
