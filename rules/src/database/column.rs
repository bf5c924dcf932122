//! Conversion between the typed columns of crepe structs and codes.

use super::MAX_COLUMNS;

/// A value that fits into one column.
///
/// `decode(encode(v))` is `Some(v)`, and different values have different codes. [`impl_column!`](crate::impl_column)
/// writes this for a newtype.
pub trait Column: Copy {
    /// The code of the value.
    fn encode(self) -> u64;

    /// The value of the code; `None` when no value has it.
    fn decode(code: u64) -> Option<Self>;
}

macro_rules! unsigned_columns {
    ($($integer:ty),*) => {$(
        impl Column for $integer {
            fn encode(self) -> u64 {
                self as u64
            }

            fn decode(code: u64) -> Option<Self> {
                Self::try_from(code).ok()
            }
        }
    )*};
}

macro_rules! signed_columns {
    ($($integer:ty),*) => {$(
        impl Column for $integer {
            fn encode(self) -> u64 {
                (self as i64).cast_unsigned()
            }

            fn decode(code: u64) -> Option<Self> {
                Self::try_from(code.cast_signed()).ok()
            }
        }
    )*};
}

unsigned_columns!(u8, u16, u32, u64, usize);
signed_columns!(i8, i16, i32, i64, isize);

impl Column for bool {
    fn encode(self) -> u64 {
        u64::from(self)
    }

    fn decode(code: u64) -> Option<Self> {
        match code {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl Column for char {
    fn encode(self) -> u64 {
        u64::from(self)
    }

    fn decode(code: u64) -> Option<Self> {
        u32::try_from(code).ok().and_then(Self::from_u32)
    }
}

/// A tuple of one crepe relation. [`impl_tuple!`](crate::impl_tuple) writes this.
pub trait Tuple {
    /// The name of the relation, as in the rules.
    const RELATION: &'static str;
    /// Its number of columns.
    const COLUMNS: usize;
    /// An array of [`Tuple::COLUMNS`] codes.
    type Row: AsRef<[u64]> + Ord;

    /// The codes of the columns, in order.
    fn encode(&self) -> Self::Row;
}

/// A tuple that can be read back from its codes. [`impl_tuple!`](crate::impl_tuple) writes this.
pub trait Decode: Sized {
    /// The tuple of these codes; `None` when there is none.
    fn decode(row: &[u64]) -> Option<Self>;
}

impl<T: Tuple> Tuple for &T {
    const RELATION: &'static str = T::RELATION;
    const COLUMNS: usize = T::COLUMNS;
    type Row = T::Row;

    fn encode(&self) -> T::Row {
        T::encode(self)
    }
}

/// Implements [`Column`] for newtypes over a column: `impl_column!(Variable, Point)`.
#[macro_export]
macro_rules! impl_column {
    ($($newtype:ident),* $(,)?) => {$(
        impl $crate::database::Column for $newtype {
            fn encode(self) -> u64 {
                $crate::database::Column::encode(self.0)
            }

            fn decode(code: u64) -> Option<Self> {
                $crate::database::Column::decode(code).map($newtype)
            }
        }
    )*};
}

/// Implements [`Tuple`] for crepe relations: `impl_tuple!(Assign(target, source), Blocked(point))`. The names in
/// parentheses are free; there must be one for each column, and the compiler says so when there is not. A relation
/// wider than [`MAX_COLUMNS`] does not compile.
#[macro_export]
macro_rules! impl_tuple {
    ($($relation:ident($($column:ident),* $(,)?)),* $(,)?) => {$(
        impl $crate::database::Tuple for $relation {
            const RELATION: &'static str = stringify!($relation);
            const COLUMNS: usize = $crate::database::column_count([$(stringify!($column)),*]);
            type Row = [u64; <Self as $crate::database::Tuple>::COLUMNS];

            fn encode(&self) -> Self::Row {
                let $relation($($column),*) = *self;
                [$($crate::database::Column::encode($column)),*]
            }
        }

        impl $crate::database::Decode for $relation {
            fn decode(row: &[u64]) -> Option<Self> {
                let mut columns = row.iter().copied();
                $(let $column = $crate::database::Column::decode(columns.next()?)?;)*
                Some($relation($($column),*))
            }
        }
    )*};
}

/// The number of columns that [`impl_tuple!`](crate::impl_tuple) was given names for.
#[doc(hidden)]
#[must_use]
pub const fn column_count<const N: usize>(_names: [&str; N]) -> usize {
    assert!(N <= MAX_COLUMNS, "the relation has too many columns");
    N
}
