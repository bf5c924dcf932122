//! Why a tuple is not there.

use std::error::Error;

use healguard_rules::provenance::{Explainer, Failure, ProvenanceError};

use crate::{colours, reachability};

fn failures(
    painting: &colours::Painting,
    relation: &str,
    tuple: &[u64],
) -> Result<Vec<(String, String)>, Box<dyn Error>> {
    let database = colours::solve(painting)?;
    let (program, functions) = (colours::program()?, colours::functions());
    let why = Explainer::new(&program, &functions, &database)?.why_not(relation, tuple)?;
    let failures = why.attempts.into_iter().map(|attempt| {
        let failure = match attempt.failure {
            Failure::Conclusion => "conclusion".to_owned(),
            Failure::Premise { text, values, .. } => {
                let values: Vec<String> = values.into_iter().map(|(name, code)| format!("{name}={code}")).collect();
                format!("{text} with {}", values.join(" "))
            }
        };
        (attempt.rule, failure)
    });
    Ok(failures.collect())
}

#[test]
fn the_first_premise_that_fails_is_named_for_each_rule() -> Result<(), Box<dyn Error>> {
    let painting = colours::Painting { edges: vec![(1, 2)], labels: vec![(2, 4)], starts: vec![1] };
    let expected = [
        ("colour/start", "conclusion"),
        ("colour/blend", "is_warm(d) with y=2 d=4 x=1 c=0 e=4"),
        ("colour/white", "conclusion"),
    ];
    let found = failures(&painting, "Shade", &[2, 4])?;
    let found: Vec<(&str, &str)> = found.iter().map(|(r, f)| (r.as_str(), f.as_str())).collect();
    assert_eq!(found, expected);
    let white = failures(&painting, "Shade", &[2, 7])?;
    assert_eq!(white[2].1, "not Label(y, _) with y=2 x=1 c=0");
    let start = failures(&painting, "Shade", &[3, 0])?;
    assert_eq!(start[0].1, "Start(x) with x=3");
    Ok(())
}

#[test]
fn no_rule_derives_a_missing_fact() -> Result<(), Box<dyn Error>> {
    let painting = colours::Painting::default();
    assert_eq!(failures(&painting, "Edge", &[1, 2])?, []);
    Ok(())
}

#[test]
fn a_tuple_that_is_there_is_not_explained_away() -> Result<(), Box<dyn Error>> {
    let database = reachability::solve(&[(1, 2)])?;
    let (program, functions) = (reachability::program()?, reachability::functions());
    let mut explainer = Explainer::new(&program, &functions, &database)?;
    let not_absent = |relation: &str, rule: &str| {
        Some(ProvenanceError::NotAbsent { relation: relation.to_owned(), rule: rule.to_owned() })
    };
    let derived = explainer.why_not("Reach", &[1, 2]).err();
    assert_eq!(derived, not_absent("Reach", "reach/edge"));
    let fact = explainer.why_not("Edge", &[1, 2]).err();
    assert_eq!(fact, not_absent("Edge", ""));
    Ok(())
}

#[test]
fn a_tuple_that_a_rule_derives_and_the_database_lacks_is_reported() -> Result<(), Box<dyn Error>> {
    let mut database = reachability::solve(&[])?;
    database.insert("Edge", &[1, 2])?;
    let (program, functions) = (reachability::program()?, reachability::functions());
    let mut explainer = Explainer::new(&program, &functions, &database)?;
    let expected = ProvenanceError::NotAbsent { relation: "Reach".to_owned(), rule: "reach/edge".to_owned() };
    assert_eq!(explainer.why_not("Reach", &[1, 2]).err(), Some(expected));
    Ok(())
}

#[test]
fn a_goal_must_fit_the_program() -> Result<(), Box<dyn Error>> {
    let database = reachability::solve(&[])?;
    let (program, functions) = (reachability::program()?, reachability::functions());
    let mut explainer = Explainer::new(&program, &functions, &database)?;
    let relation = "Unknown".to_owned();
    let unknown = explainer.why_not("Unknown", &[1]).err();
    assert_eq!(unknown, Some(ProvenanceError::UnknownRelation { relation }));
    let narrow = explainer.derive("Reach", &[1]).err();
    let expected = ProvenanceError::Arity { relation: "Reach".to_owned(), expected: 2, found: 1 };
    assert_eq!(narrow, Some(expected));
    Ok(())
}
