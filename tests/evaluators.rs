//! The evaluator that the analysis runs on derives what naive evaluation derives, and nothing that must not be.
//!
//! Both are asked about the literate cases: one in ten, or every one where `HEALGUARD_EVERY_CASE` is set, as
//! `make reference` does. How many were compared is said aloud.

use std::path::Path;

use healcheck::check::solve_case;
use healcheck::engine::Solution;
use healcheck::request::{CaseRequest, Options};
use healcheck::solve;
use healguard_rules::database::Database;
use healguard_rules::evaluate::evaluate;
use healguard_rules::layers;
use healguard_rules::program::{Functions, Program, RelationKind};
use healguard_tests::comparison::{difference, given_to, is_too_large, taken_cases, tuples};
use healguard_tests::{each, say};

/// What was found out about one case.
#[derive(Default)]
struct Finding {
    /// The tuples of all layers, facts included.
    tuples: usize,
    is_too_large: bool,
    /// Whether more was derived bit by bit than at once: a fact that denies something came later than what it denies.
    has_more: bool,
    wrong: Vec<String>,
}

#[test]
fn naive_evaluation_derives_the_same_for_literate_cases_and_every_assertion_holds() {
    let output = tempfile::tempdir().expect("a temporary folder");
    let taken = taken_cases(output.path());
    let found = each(taken, look_at);
    let too_large = found.values().filter(|finding| finding.is_too_large).count();
    let more = found.values().filter(|finding| finding.has_more).count();
    let tuples: usize = found.values().map(|finding| finding.tuples).sum();
    say(&format!(
        "evaluators: compared on {} literate cases, {tuples} tuples; left out: {too_large} that are too large; \
         {more} with more tuples bit by bit than at once",
        found.len() - too_large,
    ));
    let wrong =
        found.iter().flat_map(|(name, finding)| finding.wrong.iter().map(move |what| format!("{name}: {what}")));
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(too_large * 50 < found.len(), "{too_large} of {} cases are too large", found.len());
    assert!(more * 20 < found.len(), "{more} of {} cases have more tuples bit by bit", found.len());
}

/// Compares all layers of a case.
fn look_at(folder: &Path) -> Finding {
    let request = CaseRequest { folder: folder.to_owned(), options: Options::default() };
    let solution = solve_case(&request).unwrap_or_else(|error| panic!("{}: {error:?}", folder.display()));
    let solution = solution.unwrap_or_else(|| panic!("{}: the healing is rejected", folder.display()));
    let Solution { facts, points_to, effects, taint, contexts, .. } = &solution;
    let first = facts.send_new(&mut Vec::new()).expect("a database");
    let all = solve::database(facts, points_to, effects, taint).expect("a database");
    let layers = [
        (layers::first(), layers::functions_with(*contexts), &first),
        (layers::second(), layers::functions(), &all),
        (layers::third(), layers::functions(), &all),
        (layers::assertions(), layers::functions(), &all),
    ];
    let mut finding = Finding::default();
    for (layer, functions, known) in layers {
        let given = given_to(layer, known);
        if is_too_large(&given) {
            return Finding { is_too_large: true, ..Finding::default() };
        }
        compare(layer, functions, given, &all, &mut finding);
    }
    finding
}

/// Compares all relations of a layer: as naive evaluation and the evaluator derive them from what is given, and as they are
/// in `all`, where the evaluator was given the facts bit by bit: no tuple may be missing there. What assertions derive is wrong in any case.
fn compare(layer: &Program, functions: &Functions, given: Database, all: &Database, finding: &mut Finding) {
    let naive = healguard_naive::evaluate(layer, functions, &given);
    let planned = evaluate(layer, functions, given).expect("an evaluation");
    for relation in layer.relations() {
        let (name, expected) = (&relation.name, &naive[&relation.name]);
        finding.tuples += expected.len();
        let found = tuples(planned.database(), name);
        finding.wrong.extend(difference(expected, &found).map(|what| format!("`{name}` at once: {what}")));
        if relation.kind != RelationKind::Output {
            continue;
        }
        if layer.name() == layers::assertions().name() {
            let example = expected.iter().next();
            finding.wrong.extend(example.map(|tuple| format!("`{name}` has {} tuples: {tuple:?}", expected.len())));
        } else {
            let found = tuples(all, name);
            let missing = expected.difference(&found).next();
            finding.wrong.extend(missing.map(|tuple| format!("`{name}` bit by bit: {tuple:?} is missing")));
            finding.has_more |= found.len() > expected.len();
        }
    }
}
