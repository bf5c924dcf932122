//! Why a tuple was not derived: for each rule that could have, the first premise that fails.

use std::ops::ControlFlow;

use super::{Explainer, ProvenanceError};
use crate::evaluate::join::{Budget, Found, Stop};
use crate::program::{Premise, Rule, Term};

/// Why a tuple is absent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WhyNot {
    /// The relation of the tuple.
    pub relation: String,
    /// The codes of its columns.
    pub tuple: Vec<u64>,
    /// One entry for each rule of the relation, in source order; empty for an input, which no rule derives.
    pub attempts: Vec<Attempt>,
}

/// How one rule fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The id of the rule.
    pub rule: String,
    /// Where it fails.
    pub failure: Failure,
}

/// Where a rule fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The rule cannot conclude this tuple, whatever is true.
    Conclusion,
    /// Nothing makes the premises up to this one true together, while those before it can be true.
    Premise {
        /// Its position in the body.
        position: usize,
        /// The premise as text, with the names of the variables.
        text: String,
        /// Values of the variables for which the conclusion fits and all earlier premises are true.
        values: Vec<(String, u64)>,
    },
}

impl Explainer<'_> {
    /// For each rule that could have derived the absent tuple, the first premise that fails.
    ///
    /// # Errors
    /// The tuple is there, or follows from the database, or the limits are reached.
    pub fn why_not(&mut self, relation: &str, tuple: &[u64]) -> Result<WhyNot, ProvenanceError> {
        let number = self.goal(relation, tuple)?;
        let not_absent =
            |rule: &str| ProvenanceError::NotAbsent { relation: relation.to_owned(), rule: rule.to_owned() };
        if self.relations[number].contains(tuple) {
            let derivation = self.derive(relation, tuple)?;
            return Err(match &derivation.goal().reason {
                super::Reason::Fact => not_absent(""),
                super::Reason::Rule { id, .. } => not_absent(id),
            });
        }
        let mut budget = Budget(self.limits.rows);
        let mut attempts = Vec::new();
        for position in 0..self.rules_for[number].len() {
            let rule = &self.program.rules()[self.rules_for[number][position]];
            let failure = self.attempt(rule, tuple, &mut budget)?.ok_or_else(|| not_absent(&rule.id))?;
            attempts.push(Attempt { rule: rule.id.clone(), failure });
        }
        Ok(WhyNot { relation: relation.to_owned(), tuple: tuple.to_vec(), attempts })
    }

    /// Where a rule fails; `None` when it does not.
    fn attempt(&mut self, rule: &Rule, tuple: &[u64], budget: &mut Budget) -> Result<Option<Failure>, ProvenanceError> {
        let Some(head) = self.unify_head(rule, tuple) else {
            return Ok(Some(Failure::Conclusion));
        };
        let mut satisfied = head.clone();
        for position in 0..rule.body.len() {
            match self.first_match(rule, position + 1, &head, budget)? {
                Some(substitution) => satisfied = substitution,
                None => {
                    return Ok(Some(Failure::Premise {
                        position,
                        text: self.program.premise_text(rule, &rule.body[position]),
                        values: values_before(rule, position, &satisfied),
                    }));
                }
            }
        }
        Ok(None)
    }

    /// Values that make the first `count` premises true.
    fn first_match(
        &mut self,
        rule: &Rule,
        count: usize,
        head: &[u64],
        budget: &mut Budget,
    ) -> Result<Option<Vec<u64>>, ProvenanceError> {
        let plan = self.plan_below_head(rule, count);
        let mut first = None;
        let mut keep = |found: Found<'_>| {
            first = Some(found.substitution.to_vec());
            ControlFlow::Break(Stop::Satisfied)
        };
        let ended = self.view().run(&plan, &mut head.to_vec(), budget, &mut keep);
        if ended == ControlFlow::Break(Stop::Exhausted) {
            return Err(ProvenanceError::LimitReached { instances: 0, rows: self.limits.rows });
        }
        Ok(first)
    }
}

/// The variables of the head and of the first `count` premises, with their values.
fn values_before(rule: &Rule, count: usize, substitution: &[u64]) -> Vec<(String, u64)> {
    let mut bound = vec![false; rule.variables.len()];
    let premises = rule.body[..count].iter().flat_map(Premise::variables);
    let head = rule.head.terms.iter().filter_map(|term| match term {
        Term::Variable(variable) => Some(*variable),
        _ => None,
    });
    for variable in head.chain(premises) {
        bound[variable.0] = true;
    }
    let named = rule.variables.iter().zip(substitution).zip(bound);
    named.filter(|(_, bound)| *bound).map(|((name, &code), _)| (name.clone(), code)).collect()
}
