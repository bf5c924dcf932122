//! Naive evaluation of the rules, as chapter 3 of Ullman's *Principles of Database and Knowledge-Base Systems* (volume I,
//! 1988) defines what a Datalog program with stratified negation means.
//!
//! Stratum by stratum, every rule is applied to everything that is known, until nothing is added. A rule is applied by
//! nested loops: its premises are made true from left to right, and each substitution that makes all of them true gives the
//! tuple in the head. There is no plan, no difference between old tuples and fresh ones, and no rank. Of the production
//! evaluator nothing is used but what both read: the parsed program, its functions, and relations as rows of codes.
//!
//! Two things are here for speed, neither of which can change a result. A rule is left alone while nothing that it reads has
//! grown; and a premise looks its tuples up by the columns that are known (see `table`).

mod rule;
mod strata;
mod table;

use std::collections::{BTreeMap, BTreeSet};

use healguard_rules::database::Database;
use healguard_rules::program::{Functions, Program, RelationKind};
use rustc_hash::FxHashMap;

use rule::Prepared;
use table::Table;

/// The tuples of each relation of a program.
pub type Relations = BTreeMap<String, BTreeSet<Vec<u64>>>;

/// What is known so far, by relation.
type Tables<'p> = FxHashMap<&'p str, Table>;

/// Everything that follows from the facts, which are included. Relations that are no inputs of the program are not read.
///
/// # Panics
/// Where the program names functions that are not defined, or negates through recursion. [`Program::parse`] accepts neither.
#[must_use]
pub fn evaluate(program: &Program, functions: &Functions, facts: &Database) -> Relations {
    let mut tables = read(program, facts);
    let strata = strata::strata(program);
    let rules =
        program.rules().iter().map(|rule| (strata[&rule.head.relation], Prepared::new(program, functions, rule)));
    let rules: Vec<(usize, Prepared<'_>)> = rules.collect();
    let highest = rules.iter().map(|(stratum, _)| *stratum).max().unwrap_or(0);
    for stratum in 0..=highest {
        let rules = rules.iter().filter(|(of, _)| *of == stratum).map(|(_, rule)| rule);
        saturate(&rules.collect::<Vec<_>>(), &mut tables);
    }
    let written = tables.into_iter().map(|(name, table)| (name.to_owned(), table.into_tuples()));
    written.collect()
}

/// The facts of a program; everything else is empty at first.
fn read<'p>(program: &'p Program, facts: &Database) -> Tables<'p> {
    let mut tables = Tables::default();
    for relation in program.relations() {
        let table = tables.entry(relation.name.as_str()).or_default();
        if relation.kind == RelationKind::Input {
            let tuples = facts.relation(&relation.name).into_iter().flat_map(|relation| relation.tuples());
            for tuple in tuples {
                table.insert(tuple.to_vec());
            }
        }
    }
    tables
}

/// Applies the rules until none of them adds anything.
fn saturate<'p>(rules: &[&Prepared<'p>], tables: &mut Tables<'p>) {
    // How much each rule could read when it was applied last.
    let mut read: Vec<Option<usize>> = vec![None; rules.len()];
    loop {
        let mut added = false;
        for (rule, read) in rules.iter().zip(&mut read) {
            let now = Some(rule.readable(tables));
            if *read == now {
                continue;
            }
            *read = now;
            let derived = rule.apply(tables);
            let table = tables.get_mut(rule.head()).expect("every relation has a table");
            for tuple in derived {
                added |= table.insert(tuple);
            }
        }
        if !added {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REACHABILITY: &str = "crepe! {
        @input struct Edge(N, N);
        @output struct Path(N, N);
        @output struct Apart(N, N);
        // [a/edge] An edge is a path.
        Path(x, y) <- Edge(x, y);
        // [a/join] Paths make longer paths.
        Path(x, z) <- Path(x, y), Edge(y, z);
        // [a/apart] Where there is no way back.
        Apart(x, y) <- Path(x, y), !Path(y, x);
    }";

    #[test]
    fn negation_waits_for_the_fixpoint_of_what_it_negates() {
        let program = Program::parse("reachability", REACHABILITY).expect("a program");
        let mut facts = Database::new();
        for edge in [[1, 2], [2, 1], [2, 3]] {
            facts.insert("Edge", &edge).expect("a fact");
        }
        let relations = evaluate(&program, &Functions::new(), &facts);
        let tuples = |name: &str| relations[name].iter().map(|tuple| (tuple[0], tuple[1])).collect::<Vec<_>>();
        assert_eq!(tuples("Path"), [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3)]);
        assert_eq!(tuples("Apart"), [(1, 3), (2, 3)]);
    }
}
