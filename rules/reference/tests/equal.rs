//! crepe and the evaluator derive the same from the facts of the literate cases: one in ten, or every one where
//! `HEALGUARD_EVERY_CASE` is set, as `make reference` does. How many were compared is said aloud.

use std::path::Path;

use healcheck::check::solve_case;
use healcheck::engine::Solution;
use healcheck::request::{CaseRequest, Options};
use healcheck::solve;
use healguard_reference::{effects, points_to, taint};
use healguard_rules::database::{Database, DatabaseError};
use healguard_rules::evaluate::evaluate;
use healguard_rules::layers::{self, Contexts};
use healguard_rules::program::Program;
use healguard_tests::comparison::{difference, given_to, is_too_large, taken_cases, tuples};
use healguard_tests::{each, say};

/// A layer as the evaluator reads it, and as crepe compiled it, with what that derives.
struct Layer {
    program: &'static Program,
    compiled: fn(&Database) -> Result<Database, DatabaseError>,
    derived: &'static [&'static str],
}

fn layers_of_rules() -> [Layer; 3] {
    [
        Layer { program: layers::first(), compiled: points_to::solve, derived: points_to::DERIVED },
        Layer { program: layers::second(), compiled: effects::solve, derived: effects::DERIVED },
        Layer { program: layers::third(), compiled: taint::solve, derived: taint::DERIVED },
    ]
}

#[test]
fn crepe_derives_the_same_from_the_facts_of_literate_cases() {
    let output = tempfile::tempdir().expect("a temporary folder");
    let taken = taken_cases(output.path());
    let found = each(taken, look_at);
    let compared = || found.iter().filter_map(|(name, finding)| Some((name, finding.as_ref()?)));
    let (count, derived) = (compared().count(), compared().map(|(_, (derived, _))| derived).sum::<usize>());
    let too_large = found.len() - count;
    say(&format!(
        "crepe: compared on {count} literate cases, {derived} tuples; left out: {too_large} that are too large"
    ));
    let wrong = compared().flat_map(|(name, (_, wrong))| wrong.iter().map(move |what| format!("{name}: {what}")));
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(derived > 1000 * count, "healed state goes on");
    assert!(too_large * 50 < found.len(), "{too_large} of {} cases are too large", found.len());
}

/// How many tuples crepe derives for a case, and what differs; nothing where it would take too long.
fn look_at(folder: &Path) -> Option<(usize, Vec<String>)> {
    let request = CaseRequest { folder: folder.to_owned(), options: Options::default() };
    let solution = solve_case(&request).unwrap_or_else(|error| panic!("{}: {error:?}", folder.display()));
    let solution = solution.unwrap_or_else(|| panic!("{}: the healing is rejected", folder.display()));
    let Solution { facts, points_to, effects, taint, contexts, .. } = &solution;
    // crepe's programs tell calls apart by their paths, which was too much for the others.
    if *contexts != Contexts::Path {
        return None;
    }
    let all = solve::database(facts, points_to, effects, taint).expect("a database");
    let (mut count, mut wrong) = (0, Vec::new());
    for layer in layers_of_rules() {
        let given = given_to(layer.program, &all);
        if is_too_large(&given) {
            return None;
        }
        let compiled = (layer.compiled)(&given).expect("a database");
        let planned = evaluate(layer.program, layers::functions(), given).expect("an evaluation");
        for name in layer.derived {
            let (expected, found) = (tuples(&compiled, name), tuples(planned.database(), name));
            count += expected.len();
            wrong.extend(difference(&expected, &found).map(|what| format!("`{name}`: {what}")));
        }
    }
    Some((count, wrong))
}
