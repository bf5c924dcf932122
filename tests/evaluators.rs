//! The evaluator that the analysis runs on derives what naive evaluation derives, and nothing that must not be.
//!
//! Both are asked about the literate cases: one in ten, or every one where `HEALGUARD_EVERY_CASE` is set, as
//! `make reference` does. How many were compared is said aloud.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use healcheck::check::solve_case;
use healcheck::engine::Solution;
use healcheck::request::{CaseRequest, Options};
use healcheck::solve;
use healguard_rules::database::{Database, Relation};
use healguard_rules::evaluate::evaluate;
use healguard_rules::layers;
use healguard_rules::program::{Functions, Program, RelationKind};
use healguard_tests::{each, known_defects, literate_cases, name_of};

/// Asks for every case.
const EVERY: &str = "HEALGUARD_EVERY_CASE";

/// Otherwise one case in so many is taken.
const SAMPLE: usize = 10;

/// Facts of one layer beyond which naive evaluation takes minutes.
const MOST_FACTS: usize = 30_000;

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
    let folders = literate_cases(output.path());
    let (count, known) = (folders.len(), known_defects());
    let step = if std::env::var_os(EVERY).is_some() { 1 } else { SAMPLE };
    let is_slow = |folder: &PathBuf| known.contains(&format!("slow {}", name_of(folder)));
    let (slow, taken): (Vec<PathBuf>, Vec<PathBuf>) = folders.into_iter().step_by(step).partition(is_slow);
    let found = each(taken, look_at);
    let too_large = found.values().filter(|finding| finding.is_too_large).count();
    let more = found.values().filter(|finding| finding.has_more).count();
    let tuples: usize = found.values().map(|finding| finding.tuples).sum();
    say(&format!(
        "evaluators: compared on {} of {count} literate cases, {tuples} tuples; left out: {} slow, {too_large} too large; \
         {more} with more tuples bit by bit than at once",
        found.len() - too_large,
        slow.len(),
    ));
    let wrong =
        found.iter().flat_map(|(name, finding)| finding.wrong.iter().map(move |what| format!("{name}: {what}")));
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(too_large * 50 < found.len(), "{too_large} of {} cases are too large", found.len());
    assert!(more * 20 < found.len(), "{more} of {} cases have more tuples bit by bit", found.len());
}

/// Says something past what captures the output of tests.
fn say(what: &str) {
    writeln!(std::io::stderr(), "{what}").expect("messages can be written");
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
        if given.relations().map(|(_, relation)| relation.len()).sum::<usize>() > MOST_FACTS {
            return Finding { is_too_large: true, ..Finding::default() };
        }
        compare(layer, functions, given, &all, &mut finding);
    }
    finding
}

/// What is known of the relations that a layer reads; each of them has to be known.
fn given_to(layer: &Program, known: &Database) -> Database {
    let mut given = Database::new();
    for relation in layer.relations().iter().filter(|relation| relation.kind == RelationKind::Input) {
        let table = known.relation(&relation.name);
        let table = table.unwrap_or_else(|| panic!("nobody tells `{}` to `{}`", relation.name, layer.name()));
        given.declare(&relation.name, relation.arity()).expect("a relation");
        for tuple in table.tuples() {
            given.insert(&relation.name, tuple).expect("a tuple");
        }
    }
    given
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

fn tuples(database: &Database, name: &str) -> BTreeSet<Vec<u64>> {
    database.relation(name).into_iter().flat_map(Relation::tuples).map(<[u64]>::to_vec).collect()
}

/// What distinguishes what was found from what is expected; nothing where they are the same.
fn difference(expected: &BTreeSet<Vec<u64>>, found: &BTreeSet<Vec<u64>>) -> Option<String> {
    let (missing, extra) = (expected.difference(found), found.difference(expected));
    let counts = (missing.clone().count(), extra.clone().count());
    let example = missing.chain(extra).next()?;
    Some(format!("{} tuples are missing, {} are too many: {example:?}", counts.0, counts.1))
}
