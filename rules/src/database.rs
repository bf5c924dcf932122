//! Relations as sets of encoded tuples: the common currency of the evaluator, the provenance search and the checker.
//!
//! crepe returns hash sets of typed structs. Everything that reads the rules at run time instead works on rows of
//! `u64`, one code a column, so that one piece of code serves every relation. [`Column`] and [`Tuple`] convert.

mod column;
mod index;

use std::hash::Hasher;

use hashbrown::HashTable;
use indexmap::IndexMap;
use rustc_hash::FxHasher;

pub use column::{Column, Decode, Tuple, column_count};
pub(crate) use index::{ColumnSet, Index, expected_matches};

/// The widest relation that can be stored.
pub const MAX_COLUMNS: usize = 8;

/// Why a tuple or a relation was not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DatabaseError {
    /// A relation was used with two different numbers of columns.
    #[error("relation `{relation}` has {expected} columns, not {found}")]
    Arity {
        /// The relation.
        relation: String,
        /// Its number of columns.
        expected: usize,
        /// The number of columns that was asked for or given.
        found: usize,
    },
    /// A relation is wider than [`MAX_COLUMNS`].
    #[error("relation `{relation}` has {found} columns, at most {MAX_COLUMNS} are supported")]
    TooWide {
        /// The relation.
        relation: String,
        /// Its number of columns.
        found: usize,
    },
    /// Row numbers are 32 bits wide.
    #[error("relation `{relation}` has more than 4294967294 tuples")]
    TooManyTuples {
        /// The relation.
        relation: String,
    },
}

/// Named relations. A relation that is declared and empty differs from one that is not there: what reads a database
/// refuses to take an absent relation for an empty one, because a negated premise would then hold by oversight.
#[derive(Clone, Debug, Default)]
pub struct Database {
    relations: IndexMap<String, Relation>,
}

impl Database {
    /// A database without any relation.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes sure that `relation` is there, with `arity` columns.
    ///
    /// # Errors
    /// The relation is there with another number of columns, or is too wide.
    pub fn declare(&mut self, relation: &str, arity: usize) -> Result<(), DatabaseError> {
        self.relation_mut(relation, arity).map(drop)
    }

    /// Adds one encoded tuple; tells whether it was not there before.
    ///
    /// # Errors
    /// The tuple does not have the relation's number of columns, or the relation is full.
    pub fn insert(&mut self, relation: &str, tuple: &[u64]) -> Result<bool, DatabaseError> {
        let table = self.relation_mut(relation, tuple.len())?;
        table.insert(tuple).ok_or_else(|| DatabaseError::TooManyTuples { relation: relation.to_owned() })
    }

    /// Adds all tuples of one crepe relation, in tuple order: a hash set is a fine argument. The relation is declared
    /// even when there is nothing to add.
    ///
    /// # Errors
    /// As for [`Database::insert`].
    pub fn insert_all<T: Tuple>(&mut self, tuples: impl IntoIterator<Item = T>) -> Result<(), DatabaseError> {
        let mut rows: Vec<T::Row> = tuples.into_iter().map(|tuple| tuple.encode()).collect();
        rows.sort_unstable();
        let table = self.relation_mut(T::RELATION, T::COLUMNS)?;
        table.reserve(rows.len());
        for row in &rows {
            if table.insert(row.as_ref()).is_none() {
                return Err(DatabaseError::TooManyTuples { relation: T::RELATION.to_owned() });
            }
        }
        Ok(())
    }

    /// The relation of that name, if it was declared.
    #[must_use]
    pub fn relation(&self, name: &str) -> Option<&Relation> {
        self.relations.get(name)
    }

    /// All relations with their names, in the order in which they were declared.
    pub fn relations(&self) -> impl Iterator<Item = (&str, &Relation)> {
        self.relations.iter().map(|(name, relation)| (name.as_str(), relation))
    }

    /// Whether the relation is there and has the tuple.
    #[must_use]
    pub fn contains(&self, relation: &str, tuple: &[u64]) -> bool {
        self.relation(relation).is_some_and(|table| table.contains(tuple))
    }

    /// Puts `table` in the place of whatever had that name.
    pub(crate) fn set_relation(&mut self, name: &str, table: Relation) {
        self.relations.insert(name.to_owned(), table);
    }

    fn relation_mut(&mut self, name: &str, arity: usize) -> Result<&mut Relation, DatabaseError> {
        if arity > MAX_COLUMNS {
            return Err(DatabaseError::TooWide { relation: name.to_owned(), found: arity });
        }
        // `entry` would need an owned key on every call, also when the relation is there.
        let position = match self.relations.get_index_of(name) {
            Some(position) => position,
            None => self.relations.insert_full(name.to_owned(), Relation::with_arity(arity)).0,
        };
        let table = &mut self.relations[position];
        if table.arity == arity {
            Ok(table)
        } else {
            Err(DatabaseError::Arity { relation: name.to_owned(), expected: table.arity, found: arity })
        }
    }
}

/// A set of encoded tuples of the same length, numbered in order of insertion.
#[derive(Clone, Debug)]
pub struct Relation {
    arity: usize,
    /// All tuples one after the other; a flat vector takes a third of the memory of boxed tuples.
    cells: Vec<u64>,
    /// Row numbers, found by the hash of the row.
    rows: HashTable<u32>,
}

impl Relation {
    pub(crate) fn with_arity(arity: usize) -> Self {
        Self { arity, cells: Vec::new(), rows: HashTable::new() }
    }

    /// The number of columns.
    #[must_use]
    pub fn arity(&self) -> usize {
        self.arity
    }

    /// The number of tuples.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no tuple.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Whether the tuple is in the set. A tuple of another length is not.
    #[must_use]
    pub fn contains(&self, tuple: &[u64]) -> bool {
        self.find(tuple).is_some()
    }

    /// The tuples, in order of insertion.
    pub fn tuples(&self) -> impl Iterator<Item = &[u64]> {
        self.tuples_from(0)
    }

    /// The same from a row on.
    pub fn tuples_from(&self, first: usize) -> impl Iterator<Item = &[u64]> {
        (first..self.len()).map(|row| &self.cells[row * self.arity..(row + 1) * self.arity])
    }

    /// The number of the row that holds `tuple`.
    pub(crate) fn find(&self, tuple: &[u64]) -> Option<u32> {
        if tuple.len() != self.arity {
            return None;
        }
        self.rows.find(hash_of(tuple.iter().copied()), |&row| self.row(row) == tuple).copied()
    }

    /// The tuple in a row that [`Relation::find`] or an index named.
    pub(crate) fn row(&self, row: u32) -> &[u64] {
        let start = row as usize * self.arity;
        &self.cells[start..start + self.arity]
    }

    /// The number of rows, as wide as row numbers are.
    pub(crate) fn end(&self) -> u32 {
        u32::try_from(self.len()).unwrap_or(u32::MAX)
    }

    /// Adds a tuple of the right length. `Some(false)` when it was there, `None` when there is no row number left.
    pub(crate) fn insert(&mut self, tuple: &[u64]) -> Option<bool> {
        debug_assert_eq!(tuple.len(), self.arity);
        let hash = hash_of(tuple.iter().copied());
        let (cells, arity) = (&self.cells, self.arity);
        let cells_of = |row: u32| &cells[row as usize * arity..][..arity];
        if self.rows.find(hash, |&row| cells_of(row) == tuple).is_some() {
            return Some(false);
        }
        let row = u32::try_from(self.rows.len()).ok().filter(|&row| row < u32::MAX)?;
        self.rows.insert_unique(hash, row, |&other| hash_of(cells_of(other).iter().copied()));
        self.cells.extend_from_slice(tuple);
        Some(true)
    }

    fn reserve(&mut self, additional: usize) {
        self.cells.reserve(additional * self.arity);
        let (cells, arity) = (&self.cells, self.arity);
        self.rows.reserve(additional, |&row| hash_of(cells[row as usize * arity..][..arity].iter().copied()));
    }
}

/// The hash of a row or of a part of it.
fn hash_of(codes: impl Iterator<Item = u64>) -> u64 {
    let mut hasher = FxHasher::default();
    for code in codes {
        hasher.write_u64(code);
    }
    hasher.finish()
}
