//! HealCore, version 1: the subset of Python in which healings are written.
//!
//! The subset is an allowlist: [`validate`] accepts a program when every part of its syntax tree is in the
//! list that [`GRAMMAR`] describes, and otherwise says why not, with a [`Code`] and a place for each reason. What text alone
//! cannot decide becomes an [`Obligation`] of the runtime. [`print`] writes an accepted program in one canonical form.

mod bounds;
mod code;
#[cfg(feature = "generator")]
pub mod generator;
mod healing;
mod printer;
mod profile;
mod rejection;
mod source;
mod validator;
pub mod vocabulary;

pub use bounds::Bounds;
pub use code::Code;
pub use healing::{HEALED_RETURN, Healing, Obligation, ObligationKind};
pub use printer::print;
pub use profile::{Binding, Profile};
pub use rejection::Rejection;
pub use validator::validate;

/// The grammar document: EBNF, prose, and every rejection code.
pub const GRAMMAR: &str = include_str!("../GRAMMAR.md");
