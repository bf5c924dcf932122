//! The evaluator against crepe.

use std::collections::BTreeSet;
use std::error::Error;

use healguard_rules::database::Database;
use healguard_rules::evaluate::{EvaluationError, evaluate};
use healguard_rules::program::Program;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::{colours, reachability};

/// The tuples of each relation, for comparison.
pub fn contents(database: &Database) -> Vec<(&str, BTreeSet<&[u64]>)> {
    let mut contents: Vec<_> =
        database.relations().map(|(name, relation)| (name, relation.tuples().collect())).collect();
    contents.sort();
    contents
}

proptest! {
    #[test]
    fn recursion_gives_the_tuples_that_crepe_gives(edges in vec((0..9_u32, 0..9_u32), 0..20)) {
        let program = reachability::program()?;
        let facts = reachability::facts(&edges)?;
        let evaluation = evaluate(&program, &reachability::functions(), facts)?;
        let solution = reachability::solve(&edges)?;
        prop_assert_eq!(contents(evaluation.database()), contents(&solution));
    }

    #[test]
    fn negation_functions_and_constants_give_the_tuples_that_crepe_gives(
        painting in colours::paintings(),
    ) {
        let program = colours::program()?;
        let facts = colours::facts(&painting)?;
        let evaluation = evaluate(&program, &colours::functions(), facts)?;
        let solution = colours::solve(&painting)?;
        prop_assert_eq!(contents(evaluation.database()), contents(&solution));
    }
}

#[test]
fn the_rank_of_a_tuple_is_the_round_in_which_it_first_appears() -> Result<(), Box<dyn Error>> {
    let facts = reachability::facts(&[(1, 2), (2, 3), (3, 4), (1, 3)])?;
    let evaluation = evaluate(&reachability::program()?, &reachability::functions(), facts)?;
    assert_eq!(evaluation.rank("Edge", &[1, 2]), Some(0));
    assert_eq!(evaluation.rank("Reach", &[1, 3]), Some(1));
    assert_eq!(evaluation.rank("Reach", &[1, 4]), Some(2));
    assert_eq!(evaluation.rank("Reach", &[4, 1]), None);
    Ok(())
}

#[test]
fn a_long_chain_is_evaluated_in_linear_many_joins() -> Result<(), Box<dyn Error>> {
    let source = "crepe! {
        @input struct Edge(N, N);
        @input struct Start(N);
        @output struct Seen(N);
        // [a/start] Start.
        Seen(x) <- Start(x);
        // [a/step] Step.
        Seen(y) <- Seen(x), Edge(x, y);
    }";
    let mut facts = Database::new();
    facts.insert("Start", &[0])?;
    for node in 0..20_000 {
        facts.insert("Edge", &[node, node + 1])?;
    }
    let program = Program::parse("chain", source)?;
    let evaluation = evaluate(&program, &reachability::functions(), facts)?;
    assert_eq!(evaluation.rank("Seen", &[20_000]), Some(20_001));
    Ok(())
}

#[test]
fn facts_for_a_derived_relation_are_refused() -> Result<(), Box<dyn Error>> {
    let mut facts = Database::new();
    facts.insert("Reach", &[1, 2])?;
    let refused = evaluate(&reachability::program()?, &reachability::functions(), facts);
    let relation = "Reach".to_owned();
    assert_eq!(refused.err(), Some(EvaluationError::NoInput { relation }));
    Ok(())
}

#[test]
fn facts_of_another_width_are_refused() -> Result<(), Box<dyn Error>> {
    let mut facts = Database::new();
    facts.insert("Edge", &[1, 2, 3])?;
    let refused = evaluate(&reachability::program()?, &reachability::functions(), facts);
    let expected = EvaluationError::Arity { relation: "Edge".to_owned(), expected: 2, found: 3 };
    assert_eq!(refused.err(), Some(expected));
    Ok(())
}
