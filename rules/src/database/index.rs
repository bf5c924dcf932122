//! Look-up of rows by some of their columns.

use hashbrown::HashTable;

use super::{Relation, hash_of};

/// A set of column positions of one relation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ColumnSet(u8);

impl ColumnSet {
    pub(crate) fn with(self, column: usize) -> Self {
        Self(self.0 | (1 << column))
    }

    pub(crate) fn contains(self, column: usize) -> bool {
        self.0 & (1 << column) != 0
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The codes of a row in these columns.
    fn project(self, row: &[u64]) -> impl Iterator<Item = u64> + '_ {
        row.iter().enumerate().filter(move |&(column, _)| self.contains(column)).map(|(_, &code)| code)
    }
}

/// The rows of a relation by the codes in some columns. It does not own the relation: it must always be used with the
/// one it was built from, which may have grown since.
#[derive(Debug)]
pub(crate) struct Index {
    columns: ColumnSet,
    /// The last row of each chain of rows with the same key.
    heads: HashTable<u32>,
    /// For each row the one before it in its chain; a row that names itself is the first.
    before: Vec<u32>,
}

impl Index {
    pub(crate) fn new(columns: ColumnSet, relation: &Relation) -> Self {
        let mut index = Self { columns, heads: HashTable::new(), before: Vec::new() };
        index.extend(relation);
        index
    }

    /// Takes in the rows that were added since the last call.
    pub(crate) fn extend(&mut self, relation: &Relation) {
        let columns = self.columns;
        let hash = |row: u32| hash_of(columns.project(relation.row(row)));
        self.before.reserve(relation.len() - self.before.len());
        for row in self.before.len() as u32..relation.end() {
            let same_key = |&other: &u32| columns.project(relation.row(other)).eq(columns.project(relation.row(row)));
            let before = match self.heads.find_mut(hash(row), same_key) {
                Some(head) => std::mem::replace(head, row),
                None => {
                    self.heads.insert_unique(hash(row), row, |&other| hash(other));
                    row
                }
            };
            self.before.push(before);
        }
    }

    /// The rows whose codes in the indexed columns are `key`, latest first.
    pub(crate) fn rows(&self, relation: &Relation, key: &[u64]) -> impl Iterator<Item = u32> + '_ {
        let head = self
            .heads
            .find(hash_of(key.iter().copied()), |&row| self.columns.project(relation.row(row)).eq(key.iter().copied()))
            .copied();
        std::iter::successors(head, |&row| {
            let before = self.before[row as usize];
            (before != row).then_some(before)
        })
    }
}

/// About how many rows share their codes in `columns` with a row picked at random.
///
/// The share of equal pairs in a sample estimates exactly that. Counting distinct keys would need a pass over the
/// relation for each set of columns, which costs as much as the index that the answer may make needless.
pub(crate) fn expected_matches(relation: &Relation, columns: ColumnSet) -> f64 {
    const SAMPLE: usize = 256;
    let length = relation.len();
    if columns.is_empty() || length < 2 {
        return length as f64;
    }
    let mut keys: Vec<u64> = if length <= SAMPLE {
        relation.tuples().map(|row| hash_of(columns.project(row))).collect()
    } else {
        // Tuples are often sorted, so evenly spaced rows would hide that neighbours share a key.
        let mut state = 0;
        (0..SAMPLE)
            .map(|_| relation.row((scatter(&mut state) % length as u64) as u32))
            .map(|row| hash_of(columns.project(row)))
            .collect()
    };
    keys.sort_unstable();
    let equal_pairs: usize =
        keys.chunk_by(|left, right| left == right).map(|run| run.len() * (run.len() - 1) / 2).sum();
    let pairs = keys.len() * (keys.len() - 1) / 2;
    (length as f64 * equal_pairs as f64 / pairs as f64).max(1.0)
}

/// The next number of a fixed sequence that looks random (the SplitMix64 generator).
fn scatter(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
