//! The families of flows that controlled cases belong to.

/// All families, in the order in which they are documented.
pub const FAMILIES: [&str; 19] = [
    "local-flow",
    "skipped-statement",
    "sibling-attribute",
    "container-key",
    "container-position",
    "alias",
    "call-chain",
    "method-dispatch",
    "closure-cell",
    "module-global",
    "branch-implicit",
    "infeasible-path",
    "loop-carried",
    "exception-path",
    "generator-iterator",
    "endorsement",
    "object-protocol",
    "callback-registry",
    "library-roundtrip",
];
