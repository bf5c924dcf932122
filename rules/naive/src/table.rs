//! The tuples of one relation.

use std::collections::BTreeSet;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

/// A set of tuples that only grows.
#[derive(Default)]
pub(crate) struct Table {
    tuples: IndexSet<Vec<u64>, FxBuildHasher>,
    /// By columns, the numbers of the tuples that have the same codes there.
    lookups: FxHashMap<Vec<usize>, Lookup>,
}

/// What is known of some columns.
#[derive(Default)]
struct Lookup {
    /// How many tuples are entered.
    entered: usize,
    numbers: FxHashMap<Vec<u64>, Vec<usize>>,
}

impl Table {
    /// Adds a tuple; says whether it is new.
    pub(crate) fn insert(&mut self, tuple: Vec<u64>) -> bool {
        self.tuples.insert(tuple)
    }

    pub(crate) fn len(&self) -> usize {
        self.tuples.len()
    }

    /// Makes ready for [`Table::matching`] with these columns.
    pub(crate) fn enter(&mut self, columns: &[usize]) {
        if !self.lookups.contains_key(columns) {
            self.lookups.insert(columns.to_vec(), Lookup::default());
        }
        let Some(lookup) = self.lookups.get_mut(columns) else { return };
        for (number, tuple) in self.tuples.iter().enumerate().skip(lookup.entered) {
            let key = columns.iter().map(|&column| tuple[column]).collect();
            lookup.numbers.entry(key).or_default().push(number);
        }
        lookup.entered = self.tuples.len();
    }

    /// The tuples that have the codes `key` in these columns.
    pub(crate) fn matching<'t>(&'t self, columns: &[usize], key: &[u64]) -> impl Iterator<Item = &'t [u64]> + use<'t> {
        let numbers = self.lookups.get(columns).and_then(|lookup| lookup.numbers.get(key));
        numbers.into_iter().flatten().map(|&number| self.tuples[number].as_slice())
    }

    pub(crate) fn into_tuples(self) -> BTreeSet<Vec<u64>> {
        self.tuples.into_iter().collect()
    }
}
