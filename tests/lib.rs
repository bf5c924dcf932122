//! Tests of the whole pipeline live in this crate's test targets.
