//! The words of HealCore: built-ins and methods that may be called, and names that are out of reach.
//!
//! Everything here is data. What is callable is an allowlist; the lists of refused names only choose which of the
//! rejection codes explains best what is not in the allowlist, or keep plain attribute reads away from
//! interpreter internals.

mod builtins;
mod methods;
mod refused;

pub use builtins::{BUILTINS, Builtin, builtin};
pub use methods::{Effect, METHODS, Method, STATIC_METHODS, method, static_method};
pub(crate) use refused::{
    CLASSES, is_builtin_name, is_exception, is_introspection, module_attribute_is_refused, refused_builtin,
    refused_module,
};

/// Functions that may be given as `key=`, to `map` and to `filter`: pure and total on what they take.
pub const FUNCTION_ARGUMENTS: &[&str] =
    &["abs", "bool", "float", "int", "len", "list", "repr", "set", "sorted", "str", "sum", "tuple"];

/// Text encodings that `encode` and `decode` may name.
pub const CODECS: &[&str] =
    &["ascii", "cp1252", "iso-8859-1", "latin-1", "latin1", "utf-16", "utf-32", "utf-8", "utf-8-sig", "utf8"];

/// Error handlers that `encode` and `decode` may name.
pub const CODEC_ERRORS: &[&str] = &[
    "backslashreplace",
    "ignore",
    "namereplace",
    "replace",
    "strict",
    "surrogateescape",
    "surrogatepass",
    "xmlcharrefreplace",
];

/// How many arguments a call takes, which keywords, and what is special about them.
#[derive(Debug, Clone, Copy)]
pub struct Signature {
    /// Fewest positional arguments.
    pub least: usize,
    /// Most positional arguments.
    pub most: usize,
    /// Keyword arguments.
    pub keywords: Keywords,
    /// Whether positional arguments are read to their end before the call returns, so that lazy iterators may be given.
    pub consumes: bool,
    /// Whether `*iterable` may stand among the arguments.
    pub star: bool,
    /// A further condition on the arguments.
    pub check: Check,
}

impl Signature {
    pub(crate) const fn new(least: usize, most: usize) -> Self {
        Signature { least, most, keywords: Keywords::Only(&[]), consumes: false, star: false, check: Check::None }
    }

    pub(crate) const fn keywords(mut self, keywords: &'static [&'static str]) -> Self {
        self.keywords = Keywords::Only(keywords);
        self
    }

    pub(crate) const fn any_keywords(mut self) -> Self {
        self.keywords = Keywords::Any;
        self
    }

    pub(crate) const fn consuming(mut self) -> Self {
        self.consumes = true;
        self
    }

    pub(crate) const fn star(mut self) -> Self {
        self.star = true;
        self
    }

    pub(crate) const fn check(mut self, check: Check) -> Self {
        self.check = check;
        self
    }
}

/// Which keyword arguments a call takes.
#[derive(Debug, Clone, Copy)]
pub enum Keywords {
    /// These names.
    Only(&'static [&'static str]),
    /// Every name that does not start with an underscore: they become keys.
    Any,
}

/// A condition on the arguments of one call, beyond their number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Check {
    /// No further condition.
    None,
    /// The second argument is a literal attribute name.
    AttributeName,
    /// The second argument names classes.
    Classes,
    /// The first argument is a function from [`FUNCTION_ARGUMENTS`].
    Function,
    /// As `Function`, or `None`.
    FunctionOrNone,
    /// The keyword `key` is a function from [`FUNCTION_ARGUMENTS`].
    Key,
    /// The arguments bound a range.
    Range,
    /// The second argument is a small number of digits.
    Digits,
    /// The only argument is not a large size; a second names a codec.
    ByteSize,
    /// The start of the sum is a number.
    SumStart,
    /// The first argument is an iterator made on the spot.
    FreshIterator,
    /// The first argument is a bounded width.
    Width,
    /// All arguments are literal codec names.
    Codec,
    /// The first argument is a key that names no internals.
    ItemKey,
}
