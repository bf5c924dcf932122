//! Derivations: right, as low as possible, and the same however the facts are stored.

use std::error::Error;

use healguard_rules::checker::check;
use healguard_rules::database::Database;
use healguard_rules::evaluate::evaluate;
use healguard_rules::program::{Functions, Program};
use healguard_rules::provenance::{Derivation, Evidence, Explainer, Limits, ProvenanceError, Reason, StepId};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

use crate::{colours, reachability};

/// Derives and checks every derived tuple, and compares its height with its rank.
pub fn every_tuple_has_a_lowest_derivation(
    program: &Program,
    functions: &Functions,
    facts: Database,
    database: &Database,
) -> Result<(), TestCaseError> {
    let evaluation = evaluate(program, functions, facts)?;
    let mut explainer = Explainer::new(program, functions, database)?;
    for (name, relation) in database.relations() {
        for tuple in relation.tuples() {
            let derivation = explainer.derive(name, tuple)?;
            check(program, functions, database, &derivation)?;
            prop_assert_eq!(&derivation.goal().relation, name);
            prop_assert_eq!(&derivation.goal().tuple, tuple);
            let rank = evaluation.rank(name, tuple).map(|rank| rank as usize);
            prop_assert_eq!(Some(derivation.height()), rank);
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn every_tuple_of_a_recursive_program_has_a_lowest_derivation(
        edges in vec((0..8_u32, 0..8_u32), 0..16),
    ) {
        every_tuple_has_a_lowest_derivation(
            &reachability::program()?,
            &reachability::functions(),
            reachability::facts(&edges)?,
            &reachability::solve(&edges)?,
        )?;
    }

    #[test]
    fn every_tuple_of_a_program_with_negation_and_functions_has_a_lowest_derivation(
        painting in colours::paintings(),
    ) {
        every_tuple_has_a_lowest_derivation(
            &colours::program()?,
            &colours::functions(),
            colours::facts(&painting)?,
            &colours::solve(&painting)?,
        )?;
    }

    #[test]
    fn the_order_of_rows_does_not_change_a_derivation(
        (edges, shuffled) in vec((0..6_u64, 0..6_u64), 1..14)
            .prop_flat_map(|edges| (Just(edges.clone()), Just(edges).prop_shuffle())),
    ) {
        let program = reachability::program()?;
        let functions = reachability::functions();
        let mut databases = Vec::new();
        for edges in [&edges, &shuffled] {
            let mut facts = Database::new();
            for &(x, y) in edges {
                facts.insert("Edge", &[x, y])?;
            }
            databases.push(evaluate(&program, &functions, facts)?.database().clone());
        }
        let mut first = Explainer::new(&program, &functions, &databases[0])?;
        let mut second = Explainer::new(&program, &functions, &databases[1])?;
        for (name, relation) in databases[0].relations() {
            for tuple in relation.tuples() {
                prop_assert_eq!(first.derive(name, tuple)?, second.derive(name, tuple)?);
            }
        }
    }
}

fn derive(edges: &[(u32, u32)], goal: (u64, u64)) -> Result<Derivation, Box<dyn Error>> {
    let database = reachability::solve(edges)?;
    let (program, functions) = (reachability::program()?, reachability::functions());
    let mut explainer = Explainer::new(&program, &functions, &database)?;
    Ok(explainer.derive("Reach", &[goal.0, goal.1])?)
}

#[test]
fn a_cycle_is_not_proved_by_itself() -> Result<(), Box<dyn Error>> {
    let derivation = derive(&[(1, 2), (2, 1)], (1, 1))?;
    assert_eq!(derivation.height(), 2);
    for (number, step) in derivation.steps().iter().enumerate() {
        assert!(step.supports().all(|support| support.0 < number));
    }
    Ok(())
}

#[test]
fn a_shared_tuple_is_proved_once() -> Result<(), Box<dyn Error>> {
    let database = reachability::solve(&[(1, 2)])?;
    let (program, functions) = (reachability::program()?, reachability::functions());
    let mut explainer = Explainer::new(&program, &functions, &database)?;
    let derivation = explainer.derive("SameGeneration", &[2, 2])?;
    assert_eq!(derivation.steps().len(), 2);
    let Reason::Rule { id, evidence } = &derivation.goal().reason else {
        return Err("the goal is derived".into());
    };
    assert_eq!(id, "reach/siblings");
    assert_eq!(evidence, &[Evidence::Step(StepId(0)), Evidence::Step(StepId(0))]);
    Ok(())
}

#[test]
fn a_fact_is_its_own_derivation() -> Result<(), Box<dyn Error>> {
    let database = reachability::solve(&[(1, 2)])?;
    let (program, functions) = (reachability::program()?, reachability::functions());
    let derivation = Explainer::new(&program, &functions, &database)?.derive("Edge", &[1, 2])?;
    assert_eq!(derivation.height(), 0);
    assert_eq!(derivation.goal().reason, Reason::Fact);
    Ok(())
}

#[test]
fn the_smaller_of_two_lowest_derivations_is_chosen() -> Result<(), Box<dyn Error>> {
    let source = "crepe! {
        @input struct A(N);
        @input struct B(N);
        @output struct Goal(N);
        // [t/two] The larger one is written first.
        Goal(x) <- A(x), B(x);
        // [t/one] The smaller one.
        Goal(x) <- A(x);
        // [t/other] As small, and later.
        Goal(x) <- B(x);
    }";
    let mut facts = Database::new();
    facts.insert("A", &[1])?;
    facts.insert("B", &[1])?;
    let (program, functions) = (Program::parse("t", source)?, Functions::new());
    let evaluation = evaluate(&program, &functions, facts)?;
    let mut explainer = Explainer::new(&program, &functions, evaluation.database())?;
    let derivation = explainer.derive("Goal", &[1])?;
    let Reason::Rule { id, .. } = &derivation.goal().reason else {
        return Err("the goal is derived".into());
    };
    assert_eq!(id, "t/one");
    Ok(())
}

#[test]
fn conditions_and_absent_tuples_are_part_of_a_derivation() -> Result<(), Box<dyn Error>> {
    let painting = colours::Painting { edges: vec![(1, 2), (2, 3)], labels: vec![(2, 5)], starts: vec![1] };
    let database = colours::solve(&painting)?;
    let (program, functions) = (colours::program()?, colours::functions());
    let derivation = Explainer::new(&program, &functions, &database)?.derive("Shade", &[3, 7])?;
    let Reason::Rule { id, evidence } = &derivation.goal().reason else {
        return Err("the goal is derived".into());
    };
    assert_eq!(id, "colour/white");
    let white = Evidence::Compare { left: 5, right: 7, equal: false };
    assert_eq!(evidence[2], white);
    let no_label = Evidence::Absent { relation: "Label".to_owned(), pattern: vec![Some(3), None] };
    assert_eq!(evidence[3], no_label);
    let Evidence::Step(below) = evidence[0] else {
        return Err("the first premise is a tuple".into());
    };
    let below = derivation.step(below).ok_or("the step is there")?;
    let Reason::Rule { evidence, .. } = &below.reason else {
        return Err("the shade below is derived".into());
    };
    let blended =
        Evidence::Let { variable: "d".to_owned(), function: "blend".to_owned(), arguments: vec![0, 5], value: 5 };
    assert_eq!(evidence[3], blended);
    Ok(())
}

#[test]
fn an_absent_tuple_has_no_derivation() -> Result<(), Box<dyn Error>> {
    let failed = derive(&[(1, 2)], (2, 1));
    let error = failed.err().ok_or("there is no such path")?;
    assert_eq!(error.to_string(), "the tuple is not in `Reach`");
    Ok(())
}

#[test]
fn a_tuple_that_only_supports_itself_has_no_derivation() -> Result<(), Box<dyn Error>> {
    let mut database = reachability::solve(&[(1, 2), (2, 1)])?;
    // Nothing leads to 9, but each of these would follow from the other.
    database.insert("Reach", &[1, 9])?;
    database.insert("Reach", &[2, 9])?;
    let (program, functions) = (reachability::program()?, reachability::functions());
    let mut explainer = Explainer::new(&program, &functions, &database)?;
    let relation = "Reach".to_owned();
    assert_eq!(explainer.derive("Reach", &[1, 9]).err(), Some(ProvenanceError::NoDerivation { relation }));
    Ok(())
}

#[test]
fn a_search_that_reaches_its_limits_says_so() -> Result<(), Box<dyn Error>> {
    let edges: Vec<(u32, u32)> = (0..50).map(|node| (node, node + 1)).collect();
    let database = reachability::solve(&edges)?;
    let (program, functions) = (reachability::program()?, reachability::functions());
    let goal = [0, 50];
    for limits in [Limits { instances: 10, ..Limits::default() }, Limits { rows: 10, ..Limits::default() }] {
        let mut explainer = Explainer::new(&program, &functions, &database)?.with_limits(limits);
        let stopped = explainer.derive("Reach", &goal);
        assert!(matches!(stopped, Err(ProvenanceError::LimitReached { .. })), "{stopped:?}");
    }
    let mut explainer = Explainer::new(&program, &functions, &database)?;
    assert_eq!(explainer.derive("Reach", &goal)?.height(), 50);
    Ok(())
}

#[test]
fn a_relation_that_is_not_in_the_database_is_not_taken_for_empty() -> Result<(), Box<dyn Error>> {
    let (program, functions) = (reachability::program()?, reachability::functions());
    let facts = reachability::facts(&[(1, 2)])?;
    let refused = Explainer::new(&program, &functions, &facts).err();
    let relation = "Reach".to_owned();
    assert_eq!(refused, Some(ProvenanceError::MissingRelation { relation }));
    Ok(())
}

#[test]
fn a_function_that_is_not_defined_is_named_with_its_place() -> Result<(), Box<dyn Error>> {
    let program = colours::program()?;
    let database = colours::solve(&colours::Painting::default())?;
    let functions = Functions::new();
    let refused = Explainer::new(&program, &functions, &database).err();
    let error = refused.ok_or("no function is defined")?;
    let mut lines = include_str!("colours.rs").lines();
    let line = lines.position(|line| line.contains("Shade(x, BLACK) <-"));
    let line = 1 + line.ok_or("the rule is there")?;
    assert_eq!(error.to_string(), format!("colours.rs:{line}: the rules use `BLACK`, which is not defined"));
    Ok(())
}
