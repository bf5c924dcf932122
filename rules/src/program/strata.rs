//! Stratification: which relations must be complete before others may ask what is absent from them.

use super::problem::{Problem, ProgramError};
use super::{Premise, Program, RelationId, Rule};

/// For each relation the largest number of negations on a chain of rules that ends in it.
///
/// # Errors
/// A rule negates a relation that depends on what the rule derives.
pub(super) fn stratify(program: &Program) -> Result<Vec<usize>, ProgramError> {
    for rule in &program.rules {
        refuse_negated_cycle(program, rule)?;
    }
    let mut strata = vec![0; program.relations.len()];
    // No cycle has a negation, so the strata are bounded and this ends.
    let mut changed = true;
    while changed {
        changed = false;
        for rule in &program.rules {
            let least = dependencies(rule)
                .map(|(relation, negated)| strata[relation.0] + usize::from(negated))
                .max()
                .unwrap_or(0);
            let stratum = &mut strata[rule.head.relation.0];
            if *stratum < least {
                *stratum = least;
                changed = true;
            }
        }
    }
    Ok(strata)
}

/// The relations that a rule reads, and whether it reads their absence.
fn dependencies(rule: &Rule) -> impl Iterator<Item = (RelationId, bool)> + '_ {
    rule.body.iter().filter_map(|premise| match premise {
        Premise::Holds(atom) => Some((atom.relation, false)),
        Premise::Absent(atom) => Some((atom.relation, true)),
        Premise::Test { .. } | Premise::Compare { .. } | Premise::Let { .. } => None,
    })
}

fn refuse_negated_cycle(program: &Program, rule: &Rule) -> Result<(), ProgramError> {
    for (negated, is_negated) in dependencies(rule) {
        if is_negated && depends_on(program, negated, rule.head.relation) {
            return Err(ProgramError {
                file: rule.file.clone(),
                line: rule.line,
                problem: Problem::NotStratified {
                    relation: program.declaration(negated).name.clone(),
                    head: program.declaration(rule.head.relation).name.clone(),
                },
            });
        }
    }
    Ok(())
}

/// Whether some chain of rules leads from `target` to `relation`.
fn depends_on(program: &Program, relation: RelationId, target: RelationId) -> bool {
    let mut seen = vec![false; program.relations.len()];
    let mut open = vec![relation];
    while let Some(current) = open.pop() {
        if current == target {
            return true;
        }
        if std::mem::replace(&mut seen[current.0], true) {
            continue;
        }
        for rule in &program.rules {
            if rule.head.relation == current {
                open.extend(dependencies(rule).map(|(relation, _)| relation));
            }
        }
    }
    false
}
