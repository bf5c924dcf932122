//! Strata: a relation stands above every relation that some rule for it negates, and not below those that one reads.

use healguard_rules::program::{Premise, Program, RelationId};
use rustc_hash::FxHashMap;

/// The lowest stratum that each derived relation can have; facts are in stratum 0.
///
/// # Panics
/// Where a relation depends on its own absence.
pub(crate) fn strata(program: &Program) -> FxHashMap<RelationId, usize> {
    let mut strata: FxHashMap<RelationId, usize> = FxHashMap::default();
    loop {
        let mut changed = false;
        for rule in program.rules() {
            let at = |relation: &RelationId| strata.get(relation).copied().unwrap_or(0);
            let least = rule.body.iter().map(|premise| match premise {
                Premise::Holds(atom) => at(&atom.relation),
                Premise::Absent(atom) => at(&atom.relation) + 1,
                Premise::Test { .. } | Premise::Compare { .. } | Premise::Let { .. } => 0,
            });
            let least = least.max().unwrap_or(0);
            // There are no more strata than relations unless a relation is above itself.
            assert!(least <= program.relations().len(), "`{}` depends on its own absence", rule.id);
            let stratum = strata.entry(rule.head.relation).or_insert(0);
            changed |= *stratum < least;
            *stratum = least.max(*stratum);
        }
        if !changed {
            return strata;
        }
    }
}
