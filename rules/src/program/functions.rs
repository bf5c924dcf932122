//! The functions and constants that rules name, by name and on codes.

use std::collections::BTreeMap;

use super::{Call, FunctionId, Program, Term};
use crate::database::Column;

/// Why the functions do not fit a program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FunctionError {
    /// A function is not in the table.
    #[error("{file}:{line}: the rules use `{function}`, which is not defined")]
    Missing {
        /// The function.
        function: String,
        /// The file that uses it.
        file: String,
        /// The line of the first use.
        line: usize,
    },
    /// A function has another number of arguments than the rules give it.
    #[error("{file}:{line}: the rules use `{function}` with {found} arguments, it has {expected}")]
    Arity {
        /// The function.
        function: String,
        /// The file that uses it.
        file: String,
        /// The line of the first use.
        line: usize,
        /// Its number of arguments.
        expected: usize,
        /// The number of arguments in the rules.
        found: usize,
    },
}

/// A table of the functions that the rules call. Fill it with the very functions that the `crepe!` block calls:
///
/// ```
/// # use healguard_rules::program::Functions;
/// fn twice(x: u32) -> u32 { x.saturating_mul(2) }
/// const ANY: u32 = 0;
///
/// let mut functions = Functions::new();
/// functions.define("twice", twice);
/// functions.constant("ANY", ANY);
/// assert_eq!(functions.apply("twice", &[21]), Some(42));
/// ```
#[derive(Default)]
pub struct Functions {
    table: BTreeMap<String, Entry>,
}

struct Entry {
    arity: usize,
    apply: Box<Apply>,
}

type Apply = dyn Fn(&[u64]) -> Option<u64> + Send + Sync;

impl std::fmt::Debug for Functions {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names = self.table.iter().map(|(name, entry)| (name, entry.arity));
        formatter.debug_map().entries(names).finish()
    }
}

impl Functions {
    /// An empty table.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Defines a function of up to six columns. It must depend on nothing but its arguments: it is called again
    /// whenever a step is checked.
    pub fn define<Arguments, F>(&mut self, name: &str, function: F)
    where
        F: ColumnFunction<Arguments> + Send + Sync + 'static,
    {
        let entry = Entry { arity: F::ARITY, apply: Box::new(move |codes| function.apply(codes)) };
        self.table.insert(name.to_owned(), entry);
    }

    /// Defines a constant.
    pub fn constant<C: Column>(&mut self, name: &str, value: C) {
        let code = value.encode();
        self.define(name, move || code);
    }

    /// The value of the function on these codes; `None` when there is no such function of that many arguments, or a
    /// code stands for no value of the argument's type.
    #[must_use]
    pub fn apply(&self, name: &str, arguments: &[u64]) -> Option<u64> {
        let entry = self.table.get(name)?;
        (entry.apply)(arguments)
    }

    /// Looks up every function of a program once.
    pub(crate) fn link<'f>(&'f self, program: &Program) -> Result<Linked<'f>, FunctionError> {
        let mut applies = Vec::with_capacity(program.functions.len());
        for used in &program.functions {
            let entry = self.table.get(&used.name).ok_or_else(|| FunctionError::Missing {
                function: used.name.clone(),
                file: used.file.clone(),
                line: used.line,
            })?;
            if entry.arity != used.arity {
                return Err(FunctionError::Arity {
                    function: used.name.clone(),
                    file: used.file.clone(),
                    line: used.line,
                    expected: entry.arity,
                    found: used.arity,
                });
            }
            applies.push(&*entry.apply);
        }
        Ok(Linked { applies })
    }
}

/// The functions of one program, by number.
pub(crate) struct Linked<'f> {
    applies: Vec<&'f Apply>,
}

impl Linked<'_> {
    /// The value of a function on codes.
    pub(crate) fn apply(&self, function: FunctionId, arguments: &[u64]) -> Option<u64> {
        self.applies[function.0](arguments)
    }

    /// The value of a term under a substitution; `None` for a wildcard.
    pub(crate) fn value(&self, term: Term, substitution: &[u64]) -> Option<u64> {
        match term {
            Term::Variable(variable) => Some(substitution[variable.0]),
            Term::Constant(function) => self.apply(function, &[]),
            Term::Wildcard => None,
        }
    }

    /// The arguments of a call under a substitution.
    pub(crate) fn arguments(&self, call: &Call, substitution: &[u64]) -> Option<Vec<u64>> {
        call.arguments.iter().map(|&argument| self.value(argument, substitution)).collect()
    }
}

/// A Rust function of columns, as a function of codes. Implemented for functions and closures of up to six arguments
/// that take and return [`Column`]s.
pub trait ColumnFunction<Arguments> {
    /// The number of arguments.
    const ARITY: usize;

    /// The code of the result; `None` when there are not [`ColumnFunction::ARITY`] codes, or one of them stands for no
    /// value.
    fn apply(&self, codes: &[u64]) -> Option<u64>;
}

macro_rules! column_functions {
    ($($arity:literal: ($($argument:ident $code:ident),*);)*) => {$(
        impl<F, R, $($argument),*> ColumnFunction<($($argument,)*)> for F
        where
            F: Fn($($argument),*) -> R,
            R: Column,
            $($argument: Column,)*
        {
            const ARITY: usize = $arity;

            fn apply(&self, codes: &[u64]) -> Option<u64> {
                let &[$($code),*] = codes else {
                    return None;
                };
                Some(self($($argument::decode($code)?),*).encode())
            }
        }
    )*};
}

column_functions! {
    0: ();
    1: (A a);
    2: (A a, B b);
    3: (A a, B b, C c);
    4: (A a, B b, C c, D d);
    5: (A a, B b, C c, D d, E e);
    6: (A a, B b, C c, D d, E e, G g);
}
