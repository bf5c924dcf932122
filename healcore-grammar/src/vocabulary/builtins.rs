//! Built-in functions and types that a healing may call.

use super::{Check, Signature};

/// A built-in that may be called by its plain name.
#[derive(Debug, Clone, Copy)]
pub struct Builtin {
    /// Its name.
    pub name: &'static str,
    /// The arguments it takes.
    pub signature: Signature,
    /// Whether it returns a lazy iterator, which then has to be consumed on the spot.
    pub lazy: bool,
}

const fn eager(name: &'static str, signature: Signature) -> Builtin {
    Builtin { name, signature, lazy: false }
}

const fn lazy(name: &'static str, signature: Signature) -> Builtin {
    Builtin { name, signature: signature.consuming(), lazy: true }
}

const fn takes(least: usize, most: usize) -> Signature {
    Signature::new(least, most)
}

/// Most positional arguments of the built-ins that take any number.
const MANY: usize = 64;

/// All built-ins that may be called, by name.
pub const BUILTINS: &[Builtin] = &[
    eager("abs", takes(1, 1)),
    eager("all", takes(1, 1).consuming()),
    eager("any", takes(1, 1).consuming()),
    eager("ascii", takes(1, 1)),
    eager("bin", takes(1, 1)),
    eager("bool", takes(0, 1)),
    eager("bytearray", takes(0, 2).consuming().check(Check::ByteSize)),
    eager("bytes", takes(0, 2).consuming().check(Check::ByteSize)),
    eager("callable", takes(1, 1)),
    eager("chr", takes(1, 1)),
    eager("complex", takes(0, 2)),
    eager("dict", takes(0, 1).consuming().any_keywords()),
    eager("divmod", takes(2, 2)),
    lazy("enumerate", takes(1, 2).keywords(&["start"])),
    lazy("filter", takes(2, 2).check(Check::FunctionOrNone)),
    eager("float", takes(0, 1)),
    eager("frozenset", takes(0, 1).consuming()),
    eager("getattr", takes(2, 3).check(Check::AttributeName)),
    eager("hasattr", takes(2, 2).check(Check::AttributeName)),
    eager("hex", takes(1, 1)),
    eager("int", takes(0, 2)),
    eager("isinstance", takes(2, 2).check(Check::Classes)),
    lazy("iter", takes(1, 1)),
    eager("len", takes(1, 1)),
    eager("list", takes(0, 1).consuming()),
    lazy("map", takes(2, MANY).check(Check::Function)),
    eager("max", takes(1, MANY).consuming().star().keywords(&["key", "default"]).check(Check::Key)),
    eager("min", takes(1, MANY).consuming().star().keywords(&["key", "default"]).check(Check::Key)),
    eager("next", takes(1, 2).consuming().check(Check::FreshIterator)),
    eager("oct", takes(1, 1)),
    eager("ord", takes(1, 1)),
    eager("range", takes(1, 3).check(Check::Range)),
    eager("repr", takes(1, 1)),
    lazy("reversed", takes(1, 1)),
    eager("round", takes(1, 2).keywords(&["ndigits"]).check(Check::Digits)),
    eager("set", takes(0, 1).consuming()),
    eager("sorted", takes(1, 1).consuming().keywords(&["key", "reverse"]).check(Check::Key)),
    eager("str", takes(0, 1)),
    eager("sum", takes(1, 2).consuming().keywords(&["start"]).check(Check::SumStart)),
    eager("tuple", takes(0, 1).consuming()),
    lazy("zip", takes(0, MANY).star().keywords(&["strict"])),
];

/// The built-in of this name, if it may be called.
pub fn builtin(name: &str) -> Option<&'static Builtin> {
    BUILTINS.iter().find(|builtin| builtin.name == name)
}
