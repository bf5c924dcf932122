//! The checker refuses what is not a proof.

use std::error::Error;

use healguard_rules::checker::{Fault, check};
use healguard_rules::database::Database;
use healguard_rules::program::{Functions, Program};
use healguard_rules::provenance::{Derivation, Evidence, Explainer, Reason, Step, StepId};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::{colours, reachability};

/// A change that makes another derivation of the same goal.
#[derive(Clone, Debug)]
enum Mutation {
    /// Another code in some column of a tuple.
    Code(Index, Index, u64),
    /// The id of another rule.
    Rule(Index, Index),
    /// Another step as support.
    Support(Index, Index, Index),
    /// One premise less.
    Removal(Index, Index),
    /// One premise twice.
    Repetition(Index, Index),
    /// Other codes, or the opposite, in what is no tuple.
    Condition(Index, Index),
    /// A fact where there was a rule.
    Claim(Index),
}

fn mutations() -> impl Strategy<Value = Mutation> {
    let at = any::<Index>;
    prop_oneof![
        (at(), at(), 1..9_u64).prop_map(|(s, c, by)| Mutation::Code(s, c, by)),
        (at(), at()).prop_map(|(s, r)| Mutation::Rule(s, r)),
        (at(), at(), at()).prop_map(|(s, p, t)| Mutation::Support(s, p, t)),
        (at(), at()).prop_map(|(s, p)| Mutation::Removal(s, p)),
        (at(), at()).prop_map(|(s, p)| Mutation::Repetition(s, p)),
        (at(), at()).prop_map(|(s, p)| Mutation::Condition(s, p)),
        at().prop_map(Mutation::Claim),
    ]
}

/// The changed derivation; `None` when the change changes nothing.
fn mutate(program: &Program, derivation: &Derivation, mutation: &Mutation) -> Option<Derivation> {
    let mut steps = derivation.steps().to_vec();
    let count = steps.len();
    match mutation {
        Mutation::Code(step, column, by) => {
            let step = step.get_mut(&mut steps);
            *column.get_mut(&mut step.tuple) += by;
        }
        Mutation::Rule(step, rule) => {
            let (id, _) = rule_of(step.get_mut(&mut steps))?;
            id.clone_from(&rule.get(program.rules()).id);
        }
        Mutation::Support(step, premise, target) => {
            let evidence = evidence_of(step.get_mut(&mut steps), premise)?;
            let Evidence::Step(support) = evidence else {
                return None;
            };
            *support = StepId(target.index(count + 1));
        }
        Mutation::Removal(step, premise) => {
            let (_, evidence) = rule_of(step.get_mut(&mut steps))?;
            if evidence.is_empty() {
                return None;
            }
            evidence.remove(premise.index(evidence.len()));
        }
        Mutation::Repetition(step, premise) => {
            let (_, evidence) = rule_of(step.get_mut(&mut steps))?;
            if evidence.is_empty() {
                return None;
            }
            let position = premise.index(evidence.len());
            evidence.insert(position, evidence[position].clone());
        }
        Mutation::Condition(step, premise) => {
            falsify(evidence_of(step.get_mut(&mut steps), premise)?)?;
        }
        Mutation::Claim(step) => {
            let step = step.get_mut(&mut steps);
            rule_of(step)?;
            step.reason = Reason::Fact;
        }
    }
    Derivation::from_steps(steps).filter(|mutated| mutated != derivation)
}

fn rule_of(step: &mut Step) -> Option<(&mut String, &mut Vec<Evidence>)> {
    match &mut step.reason {
        Reason::Fact => None,
        Reason::Rule { id, evidence } => Some((id, evidence)),
    }
}

fn evidence_of<'s>(step: &'s mut Step, premise: &Index) -> Option<&'s mut Evidence> {
    let (_, evidence) = rule_of(step)?;
    (!evidence.is_empty()).then(|| premise.get_mut(evidence))
}

/// Makes a claim that is no tuple a wrong one.
fn falsify(evidence: &mut Evidence) -> Option<()> {
    match evidence {
        Evidence::Step(_) => return None,
        Evidence::Absent { pattern, .. } => {
            let open = pattern.iter_mut().find(|code| code.is_some())?;
            *open = None;
        }
        Evidence::Test { value, .. } => *value = !*value,
        Evidence::Compare { left, right, .. } => std::mem::swap(left, right),
        Evidence::Let { value, .. } => *value += 1,
    }
    Some(())
}

/// Some derivation of a derived tuple of the database.
fn some_derivation(
    program: &Program,
    functions: &Functions,
    database: &Database,
    choice: &Index,
) -> Option<Derivation> {
    let derived: Vec<(&str, &[u64])> = database
        .relations()
        .filter(|(name, _)| program.rules().iter().any(|rule| program.declaration(rule.head.relation).name == *name))
        .flat_map(|(name, relation)| relation.tuples().map(move |tuple| (name, tuple)))
        .collect();
    if derived.is_empty() {
        return None;
    }
    let (name, tuple) = *choice.get(&derived);
    let mut explainer = Explainer::new(program, functions, database).ok()?;
    explainer.derive(name, tuple).ok()
}

/// Whether a changed fact is only another witness for something that the conclusion does not mention, such as a `_`.
/// That makes another derivation, which is as good.
fn is_another_witness(before: &Derivation, after: &Derivation, database: &Database) -> bool {
    let changed = before.steps().iter().zip(after.steps()).find(|(b, a)| b != a);
    changed.is_some_and(|(before, after)| {
        before.reason == Reason::Fact
            && after.reason == Reason::Fact
            && before.tuple != after.tuple
            && database.contains(&after.relation, &after.tuple)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_changed_derivation_of_a_recursive_program_is_refused(
        edges in vec((0..6_u32, 0..6_u32), 1..14),
        choice in any::<Index>(),
        mutation in mutations(),
    ) {
        let (program, functions) = (reachability::program()?, reachability::functions());
        let database = reachability::solve(&edges)?;
        let derivation = some_derivation(&program, &functions, &database, &choice);
        if let Some(derivation) = derivation
            && let Some(mutated) = mutate(&program, &derivation, &mutation)
            && !(["HasSuccessor", "SameGeneration"].contains(&derivation.goal().relation.as_str())
                && is_another_witness(&derivation, &mutated, &database))
        {
            let verdict = check(&program, &functions, &database, &mutated);
            prop_assert!(verdict.is_err(), "{mutation:?} of {derivation:?} gave {mutated:?}");
        }
    }

    #[test]
    fn a_changed_derivation_with_negation_and_functions_is_refused(
        painting in colours::paintings(),
        choice in any::<Index>(),
        mutation in mutations(),
    ) {
        let (program, functions) = (colours::program()?, colours::functions());
        let database = colours::solve(&painting)?;
        let derivation = some_derivation(&program, &functions, &database, &choice);
        if let Some(derivation) = derivation
            && let Some(mutated) = mutate(&program, &derivation, &mutation)
            && !is_another_witness(&derivation, &mutated, &database)
        {
            let verdict = check(&program, &functions, &database, &mutated);
            prop_assert!(verdict.is_err(), "{mutation:?} of {derivation:?} gave {mutated:?}");
        }
    }
}

fn fact(tuple: [u64; 2]) -> Step {
    Step { relation: "Edge".to_owned(), tuple: tuple.to_vec(), reason: Reason::Fact }
}

fn reach(tuple: [u64; 2], rule: &str, supports: &[usize]) -> Step {
    Step {
        relation: "Reach".to_owned(),
        tuple: tuple.to_vec(),
        reason: Reason::Rule {
            id: rule.to_owned(),
            evidence: supports.iter().map(|&support| Evidence::Step(StepId(support))).collect(),
        },
    }
}

/// What the checker says of these steps over the edges 1 → 2 → 1.
fn fault(steps: Vec<Step>) -> Result<Option<Fault>, Box<dyn Error>> {
    let (program, functions) = (reachability::program()?, reachability::functions());
    let database = reachability::solve(&[(1, 2), (2, 1)])?;
    let derivation = Derivation::from_steps(steps).ok_or("there are steps")?;
    Ok(check(&program, &functions, &database, &derivation).err().map(|error| error.fault))
}

#[test]
fn a_proof_written_by_hand_is_accepted() -> Result<(), Box<dyn Error>> {
    let steps =
        vec![fact([2, 1]), reach([2, 1], "reach/edge", &[0]), fact([1, 2]), reach([1, 1], "reach/step", &[2, 1])];
    assert_eq!(fault(steps)?, None);
    Ok(())
}

#[test]
fn a_circular_proof_is_refused() -> Result<(), Box<dyn Error>> {
    let steps =
        vec![fact([1, 2]), fact([2, 1]), reach([1, 1], "reach/step", &[0, 3]), reach([2, 1], "reach/step", &[1, 2])];
    assert_eq!(fault(steps)?, Some(Fault::NotEarlier(1)));
    let own = vec![fact([1, 2]), reach([1, 2], "reach/edge", &[1])];
    assert_eq!(fault(own)?, Some(Fault::NotEarlier(0)));
    Ok(())
}

#[test]
fn each_fault_is_named() -> Result<(), Box<dyn Error>> {
    let invented = vec![fact([1, 5])];
    assert_eq!(fault(invented)?, Some(Fault::NotInDatabase));
    let claimed = Step { relation: "Reach".to_owned(), ..fact([1, 2]) };
    assert_eq!(fault(vec![claimed])?, Some(Fault::NotAnInput));
    let no_rule = vec![fact([1, 2]), reach([1, 2], "reach/none", &[0])];
    let id = "reach/none".to_owned();
    assert_eq!(fault(no_rule)?, Some(Fault::UnknownRule(id)));
    let other_relation = vec![fact([1, 2]), reach([1, 2], "reach/odd-edge", &[0])];
    assert_eq!(fault(other_relation)?, Some(Fault::WrongRelation));
    let too_few = vec![fact([1, 2]), reach([1, 2], "reach/step", &[0])];
    let (expected, found) = (2, 1);
    assert_eq!(fault(too_few)?, Some(Fault::PremiseCount { expected, found }));
    let other_premise = vec![fact([1, 2]), reach([1, 2], "reach/edge", &[0]), reach([1, 2], "reach/edge", &[1])];
    assert_eq!(fault(other_premise)?, Some(Fault::WrongEvidence(0)));
    let no_path = vec![fact([1, 2]), reach([1, 2], "reach/edge", &[0]), reach([1, 2], "reach/step", &[0, 1])];
    assert_eq!(fault(no_path)?, Some(Fault::Disagrees(1)));
    let other_goal = vec![fact([1, 2]), reach([2, 1], "reach/edge", &[0])];
    assert_eq!(fault(other_goal)?, Some(Fault::WrongConclusion));
    Ok(())
}

#[test]
fn an_absence_is_checked_against_the_final_relations() -> Result<(), Box<dyn Error>> {
    let (program, functions) = (colours::program()?, colours::functions());
    let painting = colours::Painting { labels: vec![(1, 3)], ..colours::Painting::default() };
    let mut database = colours::solve(&painting)?;
    let derivation = Explainer::new(&program, &functions, &database)?.derive("Unshaded", &[1])?;
    assert_eq!(check(&program, &functions, &database, &derivation), Ok(()));
    database.insert("Shade", &[1, 6])?;
    let error = check(&program, &functions, &database, &derivation).err();
    assert_eq!(error.map(|error| error.fault), Some(Fault::Present(1)));
    Ok(())
}

#[test]
fn an_absence_from_a_missing_relation_is_refused() -> Result<(), Box<dyn Error>> {
    let (program, functions) = (colours::program()?, colours::functions());
    let painting = colours::Painting { labels: vec![(1, 3)], ..colours::Painting::default() };
    let database = colours::solve(&painting)?;
    let derivation = Explainer::new(&program, &functions, &database)?.derive("Unshaded", &[1])?;
    let mut partial = colours::facts(&painting)?;
    partial.insert("Unshaded", &[1])?;
    let error = check(&program, &functions, &partial, &derivation).err();
    let relation = "Shade".to_owned();
    assert_eq!(error.map(|error| error.fault), Some(Fault::UnknownRelation(relation)));
    Ok(())
}
