//! What a variable may hold, as far as calls need to know.

use crate::ir::Name;

/// A body of the program: its module and its number there.
pub type BodyRef = (u32, u32);

/// Number of a text.
pub type Text = u32;

/// Sets that grow beyond this hold something unknown: who wants to know all of it had better look at a run.
const MOST_VALUES: usize = 32;

/// One thing that a variable may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    None,
    /// A module of the program.
    Module(u32),
    /// A module, function, class or value of a library, by its dotted name.
    Library(Text),
    /// An object of a class of the library, with what the library filled in.
    Object(u32),
    /// A member of such an object.
    Member(u32, Text),
    /// A tuple that the instruction with this number makes.
    Tuple(BodyRef, u32),
    Function(BodyRef),
    /// A function that has got its first argument.
    Bound(BodyRef),
    /// A generator or coroutine that runs later.
    Deferred(BodyRef),
    /// A function in a class, behind a decorator of the library.
    Property(BodyRef),
    Static(BodyRef),
    ClassMethod(BodyRef),
    /// What `functools.partial` makes of a function or class, and whether it was given arguments without a name.
    Partial {
        of: BodyRef,
        is_class: bool,
        shifts: bool,
    },
    /// A decorator that gives back what it is given.
    Decorator,
    /// A class of the program, or of one below it where that is said.
    Class(BodyRef, Or),
    Instance(BodyRef, Or),
    /// What `super()` gives in a method of the class.
    Super(BodyRef),
    /// A parameter of the body itself, which whoever calls it knows.
    Parameter(u32),
}

/// Whether a class is meant, or any below it too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Or {
    Itself,
    Below,
}

/// What a variable may hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Values {
    /// In order, each once.
    known: Vec<Value>,
    /// And something else.
    pub unknown: bool,
}

impl Values {
    pub fn unknown() -> Values {
        Values { known: Vec::new(), unknown: true }
    }

    /// Nothing, and something unknown where that is said.
    pub fn nothing_but(unknown: bool) -> Values {
        Values { known: Vec::new(), unknown }
    }

    pub fn one(value: Value) -> Values {
        Values { known: vec![value], unknown: false }
    }

    pub fn iter(&self) -> impl Iterator<Item = Value> + '_ {
        self.known.iter().copied()
    }

    pub fn insert(&mut self, value: Value) {
        match self.known.binary_search(&value) {
            Ok(_) => {}
            Err(_) if self.known.len() >= MOST_VALUES => self.unknown = true,
            Err(at) => self.known.insert(at, value),
        }
    }

    pub fn add(&mut self, others: &Values) {
        self.unknown |= others.unknown;
        others.iter().for_each(|value| self.insert(value));
    }

    /// The same; says whether there was anything to add.
    pub fn grow(&mut self, others: &Values) -> bool {
        let before = (self.known.len(), self.unknown);
        self.add(others);
        before != (self.known.len(), self.unknown)
    }

    /// The same, seen from another body: its parameters are unknown there.
    pub fn outside(mut self) -> Values {
        let before = self.known.len();
        self.known.retain(|value| !matches!(value, Value::Parameter(_)));
        self.unknown |= self.known.len() < before;
        self
    }
}

/// An argument of a call.
pub struct Given<'c> {
    pub positional: Vec<&'c Values>,
    pub keywords: Vec<(&'c Name, &'c Values)>,
    /// Whether there are arguments with a star, or behind one.
    pub spreads: bool,
}
