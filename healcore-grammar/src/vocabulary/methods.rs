//! Methods of built-in containers and strings that a healing may call.

use super::{Check, Signature};

/// What a method does to its receiver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    Pure,
    /// Changes it and returns nothing of use: allowed as a statement.
    Mutates,
    /// Changes it and returns a value: allowed as a statement and as the whole right side of an assignment.
    Takes,
}

/// A method that may be called on a receiver whose type is exactly a built-in container or string.
#[derive(Debug, Clone, Copy)]
pub struct Method {
    /// Its name.
    pub name: &'static str,
    /// The arguments it takes, over all types that have it.
    pub signature: Signature,
    /// What it does to the receiver.
    pub effect: Effect,
    /// Whether it puts further items into a sequence that it is called on.
    pub grows: bool,
}

const fn pure(name: &'static str, signature: Signature) -> Method {
    Method { name, signature, effect: Effect::Pure, grows: false }
}

const fn mutates(name: &'static str, signature: Signature) -> Method {
    Method { name, signature, effect: Effect::Mutates, grows: false }
}

const fn grows(name: &'static str, signature: Signature) -> Method {
    Method { name, signature, effect: Effect::Mutates, grows: true }
}

const fn value_of(name: &'static str, signature: Signature) -> Method {
    Method { name, signature, effect: Effect::Takes, grows: false }
}

const fn takes(least: usize, most: usize) -> Signature {
    Signature::new(least, most)
}

/// Any number of iterables, each read to its end.
const fn iterables() -> Signature {
    Signature::new(0, 64).consuming().star()
}

/// All methods that may be called, by name.
pub const METHODS: &[Method] = &[
    mutates("add", takes(1, 1)),
    grows("append", takes(1, 1)),
    grows("appendleft", takes(1, 1)),
    pure("capitalize", takes(0, 0)),
    pure("casefold", takes(0, 0)),
    pure("center", takes(1, 2).check(Check::Width)),
    mutates("clear", takes(0, 0)),
    pure("copy", takes(0, 0)),
    pure("count", takes(1, 3)),
    pure("decode", takes(0, 2).keywords(&["encoding", "errors"]).check(Check::Codec)),
    pure("difference", iterables()),
    mutates("difference_update", iterables()),
    mutates("discard", takes(1, 1)),
    pure("encode", takes(0, 2).keywords(&["encoding", "errors"]).check(Check::Codec)),
    pure("endswith", takes(1, 3)),
    pure("expandtabs", takes(0, 1).keywords(&["tabsize"]).check(Check::Width)),
    grows("extend", takes(1, 1).consuming()),
    grows("extendleft", takes(1, 1).consuming()),
    pure("find", takes(1, 3)),
    pure("get", takes(1, 2).check(Check::ItemKey)),
    pure("hex", takes(0, 2)),
    pure("index", takes(1, 3)),
    grows("insert", takes(2, 2)),
    pure("intersection", iterables()),
    mutates("intersection_update", iterables()),
    pure("isalnum", takes(0, 0)),
    pure("isalpha", takes(0, 0)),
    pure("isascii", takes(0, 0)),
    pure("isdecimal", takes(0, 0)),
    pure("isdigit", takes(0, 0)),
    pure("isdisjoint", takes(1, 1).consuming()),
    pure("isidentifier", takes(0, 0)),
    pure("islower", takes(0, 0)),
    pure("isnumeric", takes(0, 0)),
    pure("isprintable", takes(0, 0)),
    pure("isspace", takes(0, 0)),
    pure("issubset", takes(1, 1).consuming()),
    pure("issuperset", takes(1, 1).consuming()),
    pure("istitle", takes(0, 0)),
    pure("isupper", takes(0, 0)),
    pure("items", takes(0, 0)),
    pure("join", takes(1, 1).consuming()),
    pure("keys", takes(0, 0)),
    pure("ljust", takes(1, 2).check(Check::Width)),
    pure("lower", takes(0, 0)),
    pure("lstrip", takes(0, 1)),
    pure("most_common", takes(0, 1)),
    mutates("move_to_end", takes(1, 1).keywords(&["last"])),
    pure("partition", takes(1, 1)),
    value_of("pop", takes(0, 2).check(Check::ItemKey)),
    value_of("popitem", takes(0, 0).keywords(&["last"])),
    value_of("popleft", takes(0, 0)),
    mutates("remove", takes(1, 1)),
    pure("removeprefix", takes(1, 1)),
    pure("removesuffix", takes(1, 1)),
    pure("replace", takes(2, 3)),
    mutates("reverse", takes(0, 0)),
    pure("rfind", takes(1, 3)),
    pure("rindex", takes(1, 3)),
    pure("rjust", takes(1, 2).check(Check::Width)),
    mutates("rotate", takes(0, 1)),
    pure("rpartition", takes(1, 1)),
    pure("rsplit", takes(0, 2).keywords(&["sep", "maxsplit"])),
    pure("rstrip", takes(0, 1)),
    value_of("setdefault", takes(1, 2).check(Check::ItemKey)),
    mutates("sort", takes(0, 0).keywords(&["key", "reverse"]).check(Check::Key)),
    pure("split", takes(0, 2).keywords(&["sep", "maxsplit"])),
    pure("splitlines", takes(0, 1).keywords(&["keepends"])),
    pure("startswith", takes(1, 3)),
    pure("strip", takes(0, 1)),
    pure("swapcase", takes(0, 0)),
    pure("symmetric_difference", takes(1, 1).consuming()),
    mutates("symmetric_difference_update", takes(1, 1).consuming()),
    pure("title", takes(0, 0)),
    pure("union", iterables()),
    mutates("update", iterables().any_keywords()),
    pure("upper", takes(0, 0)),
    pure("values", takes(0, 0)),
    pure("zfill", takes(1, 1).check(Check::Width)),
];

/// Methods that may be called on the built-in type itself: type, name, arguments.
pub const STATIC_METHODS: &[(&str, &str, Signature)] = &[
    ("bytes", "fromhex", takes(1, 1)),
    ("dict", "fromkeys", takes(1, 2).consuming()),
    ("int", "from_bytes", takes(1, 2).keywords(&["byteorder", "signed"])),
];

/// The method of this name, if it may be called.
pub fn method(name: &str) -> Option<&'static Method> {
    METHODS.iter().find(|method| method.name == name)
}

/// The signature of a method of a built-in type, if it may be called on the type.
pub fn static_method(class: &str, name: &str) -> Option<&'static Signature> {
    STATIC_METHODS
        .iter()
        .find(|(listed, method, _)| *listed == class && *method == name)
        .map(|(_, _, signature)| signature)
}
