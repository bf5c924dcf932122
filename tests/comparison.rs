//! What the comparisons of evaluators share: which cases they look at, and how relations are compared.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use healguard_rules::database::{Database, Relation};
use healguard_rules::program::{Program, RelationKind};

use crate::{known_defects, literate_cases, name_of, say};

/// Asks for every case.
const EVERY: &str = "HEALGUARD_EVERY_CASE";

/// Otherwise one case in so many is taken.
const SAMPLE: usize = 10;

/// Facts of one layer beyond which the others take minutes.
const MOST_FACTS: usize = 30_000;

/// The literate cases that evaluators are compared on, made inside of `output`; those that take long are left out, aloud.
///
/// # Panics
/// Where they cannot be made.
pub fn taken_cases(output: &Path) -> Vec<PathBuf> {
    let known = known_defects();
    let step = if std::env::var_os(EVERY).is_some() { 1 } else { SAMPLE };
    let is_slow = |folder: &PathBuf| known.contains(&format!("slow {}", name_of(folder)));
    let (slow, taken): (Vec<PathBuf>, Vec<PathBuf>) =
        literate_cases(output).into_iter().step_by(step).partition(is_slow);
    if !slow.is_empty() {
        say(&format!("{} slow cases are left out", slow.len()));
    }
    taken
}

/// What is known of the relations that a layer reads.
///
/// # Panics
/// Where nobody tells one of them.
pub fn given_to(layer: &Program, known: &Database) -> Database {
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

/// Whether there are too many facts to compare what follows from them.
pub fn is_too_large(given: &Database) -> bool {
    given.relations().map(|(_, relation)| relation.len()).sum::<usize>() > MOST_FACTS
}

/// The tuples of a relation, in order.
pub fn tuples(database: &Database, name: &str) -> BTreeSet<Vec<u64>> {
    database.relation(name).into_iter().flat_map(Relation::tuples).map(<[u64]>::to_vec).collect()
}

/// What distinguishes what was found from what is expected; nothing where they are the same.
pub fn difference(expected: &BTreeSet<Vec<u64>>, found: &BTreeSet<Vec<u64>>) -> Option<String> {
    let (missing, extra) = (expected.difference(found), found.difference(expected));
    let counts = (missing.clone().count(), extra.clone().count());
    let example = missing.chain(extra).next()?;
    Some(format!("{} tuples are missing, {} are too many: {example:?}", counts.0, counts.1))
}
