//! Running a plan: all substitutions that make the premises of a rule true in given relations.

use std::cell::{Cell, OnceCell};
use std::ops::ControlFlow;

use rustc_hash::FxHashMap;

use super::plan::{Lookup, Match, Outcome, Plan, Source, Step};
use crate::database::{ColumnSet, Index, MAX_COLUMNS, Relation, expected_matches};
use crate::program::{FunctionId, Linked};

/// The number of an index in [`Indices`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct IndexSlot(usize);

/// Indices by relation and columns, built when first looked at.
#[derive(Debug, Default)]
pub(crate) struct Indices {
    slots: Vec<Slot>,
    by_columns: FxHashMap<(usize, ColumnSet), IndexSlot>,
}

#[derive(Debug)]
struct Slot {
    relation: usize,
    columns: ColumnSet,
    index: OnceCell<Index>,
    /// The number of rows that a look-up is expected to find, and that of the rows that there were when this was asked.
    expected: Cell<Option<(f64, usize)>>,
}

impl Indices {
    /// The slot for an index of a relation; its index need not be there yet.
    pub(crate) fn slot(&mut self, relation: usize, columns: ColumnSet) -> IndexSlot {
        *self.by_columns.entry((relation, columns)).or_insert_with(|| {
            self.slots.push(Slot { relation, columns, index: OnceCell::new(), expected: Cell::new(None) });
            IndexSlot(self.slots.len() - 1)
        })
    }

    /// Brings the indices that are there up to date with relations that have grown.
    pub(crate) fn extend(&mut self, relations: &[Relation]) {
        for slot in &mut self.slots {
            if let Some(index) = slot.index.get_mut() {
                index.extend(&relations[slot.relation]);
            }
        }
    }

    /// Whether an index was looked at before.
    pub(crate) fn is_built(&self, slot: IndexSlot) -> bool {
        self.slots[slot.0].index.get().is_some()
    }

    /// The number of rows that a look-up is expected to find, asked again when the relation has twice as many rows.
    pub(crate) fn expected(&self, slot: IndexSlot, relation: &Relation) -> f64 {
        let Slot { columns, expected, .. } = &self.slots[slot.0];
        match expected.get() {
            Some((matches, rows)) if relation.len() <= 2 * rows => matches,
            _ => {
                let matches = expected_matches(relation, *columns);
                expected.set(Some((matches, relation.len())));
                matches
            }
        }
    }

    fn get(&self, slot: IndexSlot, relation: &Relation) -> &Index {
        let Slot { columns, index, .. } = &self.slots[slot.0];
        index.get_or_init(|| Index::new(*columns, relation))
    }
}

/// Which rows of which relations a join sees.
pub(crate) struct View<'a> {
    /// The relations of the program, by number.
    pub relations: &'a [&'a Relation],
    /// For each relation, the number of rows that positive premises see.
    pub visible: &'a [u32],
    /// A premise that sees some rows only, and these.
    pub limited: Option<(usize, std::ops::Range<u32>)>,
    pub functions: &'a Linked<'a>,
    pub indices: &'a Indices,
}

/// The rows that may still be looked at before a search gives up.
pub(crate) struct Budget(pub u64);

/// Why a join ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The budget is spent.
    Exhausted,
    /// The visitor has what it wants.
    Satisfied,
}

/// What a visitor sees of one match: the value of each variable, and for each positive premise the row.
pub(crate) struct Found<'a> {
    pub substitution: &'a [u64],
    pub rows: &'a [u32],
}

impl View<'_> {
    /// Calls `visit` for each way to make all steps of a plan true that extends `substitution`.
    pub(crate) fn run(
        &self,
        plan: &Plan,
        substitution: &mut [u64],
        budget: &mut Budget,
        visit: &mut dyn FnMut(Found<'_>) -> ControlFlow<Stop>,
    ) -> ControlFlow<Stop> {
        let (steps, rows) = (plan.steps.as_slice(), vec![0; plan.premises]);
        Run { view: self, steps, substitution, rows, budget, visit }.from(0)
    }

    /// The same for a single step; the visitor is not told rows.
    pub(crate) fn run_step(
        &self,
        step: &Step,
        substitution: &mut [u64],
        budget: &mut Budget,
        visit: &mut dyn FnMut(Found<'_>) -> ControlFlow<Stop>,
    ) -> ControlFlow<Stop> {
        let premises = if let Step::Match(step) = step { step.premise + 1 } else { 0 };
        let (steps, rows) = (std::slice::from_ref(step), vec![0; premises]);
        Run { view: self, steps, substitution, rows, budget, visit }.from(0)
    }
}

struct Run<'a, 'v> {
    view: &'a View<'a>,
    steps: &'a [Step],
    substitution: &'a mut [u64],
    rows: Vec<u32>,
    budget: &'a mut Budget,
    visit: &'v mut dyn FnMut(Found<'_>) -> ControlFlow<Stop>,
}

impl<'a> Run<'a, '_> {
    /// Runs the steps from number `position` on.
    fn from(&mut self, position: usize) -> ControlFlow<Stop> {
        let Some(step) = self.steps.get(position) else {
            return (self.visit)(Found { substitution: self.substitution, rows: &self.rows });
        };
        match step {
            Step::Match(step) => return self.each_row(step, position),
            Step::Absent { relation, lookup } => {
                if self.any_row(*relation, lookup) {
                    return ControlFlow::Continue(());
                }
            }
            Step::Call { function, arguments, outcome } => {
                if !self.call(*function, arguments, *outcome) {
                    return ControlFlow::Continue(());
                }
            }
            Step::Compare { left, right, equal } => {
                if (self.value(*left) == self.value(*right)) != *equal {
                    return ControlFlow::Continue(());
                }
            }
        }
        self.from(position + 1)
    }

    fn each_row(&mut self, step: &Match, position: usize) -> ControlFlow<Stop> {
        let view = self.view;
        let relation = view.relations[step.relation];
        let visible = match &view.limited {
            Some((premise, rows)) if *premise == step.premise => rows.clone(),
            _ => 0..view.visible[step.relation],
        };
        match &step.lookup {
            Lookup::All => {
                for row in visible {
                    self.row(step, relation, row, position)?;
                }
            }
            Lookup::Tuple(key) => {
                if let Some(row) = relation.find(&self.values(key))
                    && visible.contains(&row)
                {
                    self.row(step, relation, row, position)?;
                }
            }
            Lookup::Index(slot, key) => {
                let key = self.values(key);
                let latest_first = view.indices.get(*slot, relation).rows(relation, &key);
                for row in latest_first.take_while(|row| *row >= visible.start) {
                    if row < visible.end {
                        self.row(step, relation, row, position)?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn row(&mut self, step: &Match, relation: &'a Relation, row: u32, position: usize) -> ControlFlow<Stop> {
        let Some(left) = self.budget.0.checked_sub(1) else {
            return ControlFlow::Break(Stop::Exhausted);
        };
        self.budget.0 = left;
        let cells = relation.row(row);
        for &(column, variable) in &step.bind {
            self.substitution[variable] = cells[column];
        }
        let fits = step.same.iter().all(|&(column, variable)| self.substitution[variable] == cells[column]);
        if !fits {
            return ControlFlow::Continue(());
        }
        self.rows[step.premise] = row;
        self.from(position + 1)
    }

    /// Whether a negated premise is refuted. All rows count, visible or not: the relation is complete.
    fn any_row(&self, relation: usize, lookup: &Lookup) -> bool {
        let table = self.view.relations[relation];
        match lookup {
            Lookup::All => !table.is_empty(),
            Lookup::Tuple(key) => table.contains(&self.values(key)),
            Lookup::Index(slot, key) => {
                self.view.indices.get(*slot, table).rows(table, &self.values(key)).next().is_some()
            }
        }
    }

    fn call(&mut self, function: FunctionId, arguments: &[Source], outcome: Outcome) -> bool {
        let arguments = self.values(arguments);
        let Some(value) = self.view.functions.apply(function, &arguments) else {
            return false;
        };
        match outcome {
            Outcome::Is(code) => value == code,
            Outcome::Equals(variable) => self.substitution[variable] == value,
            Outcome::Binds(variable) => {
                self.substitution[variable] = value;
                true
            }
        }
    }

    fn value(&self, source: Source) -> u64 {
        match source {
            Source::Variable(variable) => self.substitution[variable],
            Source::Value(code) => code,
        }
    }

    fn values(&self, sources: &[Source]) -> Codes {
        let mut codes = Codes { codes: [0; MAX_COLUMNS], length: sources.len().min(MAX_COLUMNS) };
        for (code, &source) in codes.codes.iter_mut().zip(sources) {
            *code = self.value(source);
        }
        codes
    }
}

/// A few codes without an allocation: joins spend most of their time on look-ups by such keys. Relations have at most
/// [`MAX_COLUMNS`] columns and functions fewer arguments.
struct Codes {
    codes: [u64; MAX_COLUMNS],
    length: usize,
}

impl std::ops::Deref for Codes {
    type Target = [u64];

    fn deref(&self) -> &[u64] {
        &self.codes[..self.length]
    }
}
