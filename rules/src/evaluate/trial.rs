//! Trying a plan while it is made: which premise comes next is decided by what the premises match for some of the rows that
//! the plan is for. Averages over whole relations do not show that most look-ups of a join find nothing.

use std::ops::{ControlFlow, Range};

use super::join::{Budget, Indices, Stop, View};
use super::plan::{Lookup, Step};
use crate::database::Relation;
use crate::program::Linked;

/// Substitutions that are carried from step to step.
const CARRIED: usize = 16;
/// Rows that are looked at for one substitution.
const MOST_ROWS: u64 = 256;

/// What a plan is tried on.
pub(crate) struct Trial {
    substitutions: Vec<Vec<u64>>,
}

/// What a trial looks at.
pub(crate) struct Tables<'a> {
    pub relations: &'a [&'a Relation],
    /// For each relation, the number of rows that positive premises see.
    pub visible: &'a [u32],
    pub functions: &'a Linked<'a>,
    pub indices: &'a Indices,
}

impl Trial {
    /// Starts a plan whose first step sees `rows`, for a rule with so many variables.
    pub(crate) fn start(tables: &Tables<'_>, step: &Step, rows: &Range<u32>, variables: usize) -> Self {
        let mut trial = Self { substitutions: Vec::new() };
        let stride = (rows.len() / CARRIED).max(1);
        for row in rows.clone().step_by(stride).take(CARRIED) {
            trial.carry(tables, step, &vec![0; variables], Some(row..row + 1));
        }
        trial
    }

    /// Takes a step, one that starts with what those before it left.
    pub(crate) fn advance(&mut self, tables: &Tables<'_>, step: &Step) {
        for substitution in std::mem::take(&mut self.substitutions) {
            self.carry(tables, step, &substitution, None);
        }
    }

    /// The mean number of rows that a step looks at; `None` where this cannot be told at little cost.
    pub(crate) fn cost(&self, tables: &Tables<'_>, step: &Step) -> Option<f64> {
        let is_quick = match step {
            Step::Match(step) => match step.lookup {
                Lookup::Index(slot, _) => tables.indices.is_built(slot),
                Lookup::Tuple(_) => true,
                Lookup::All => false,
            },
            _ => false,
        };
        if !is_quick || self.substitutions.is_empty() {
            return None;
        }
        let rows = self.substitutions.iter().map(|substitution| run(tables, step, substitution, None, |_| {}));
        Some(rows.sum::<u64>() as f64 / self.substitutions.len() as f64)
    }

    fn carry(&mut self, tables: &Tables<'_>, step: &Step, substitution: &[u64], rows: Option<Range<u32>>) {
        run(tables, step, substitution, rows, |found| {
            // The later substitutions are as telling as the first ones, and come from other rows.
            if self.substitutions.len() < CARRIED {
                self.substitutions.push(found.to_vec());
            }
        });
    }
}

/// Runs one step; says how many rows were looked at.
fn run(
    tables: &Tables<'_>,
    step: &Step,
    substitution: &[u64],
    first_rows: Option<Range<u32>>,
    mut found: impl FnMut(&[u64]),
) -> u64 {
    let Tables { relations, visible, functions, indices } = *tables;
    let limited = match step {
        Step::Match(step) => first_rows.map(|rows| (step.premise, rows)),
        _ => None,
    };
    let view = View { relations, visible, limited, functions, indices };
    let mut budget = Budget(MOST_ROWS);
    let mut visit = |match_: super::join::Found<'_>| {
        found(match_.substitution);
        ControlFlow::Continue(())
    };
    let ended = view.run_step(step, &mut substitution.to_vec(), &mut budget, &mut visit);
    if ended == ControlFlow::Break(Stop::Exhausted) { MOST_ROWS } else { MOST_ROWS - budget.0 }
}
