//! How much of a package is understood: what its files are lowered to, and where its calls lead.
//!
//! No program has crashed here, so that there is no live state to start from: a parameter is unknown, but for the receiver of a
//! method, which is an object of its class or of one below. From there values are followed through the single assignment form of
//! all bodies at once, without regard to order, and a call is sorted by what its callee may be. This is an approximation
//! of what the rules find in a crashed program, meant for whole packages, in seconds; verdicts do not use it.

mod classes;
mod code;
mod flow;
mod library;
mod operands;
mod program;
mod values;

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;

pub use program::{LoweredModule, Package, lower};

use flow::Solver;
use program::Program;

/// What a call may lead to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// A function or a class of the package, or of one that it needs.
    Resolved,
    /// Something of the library that a model or a rule of its own covers.
    Modelled,
    /// Something else, in words.
    Unknown(String),
}

/// The figures of one package.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Coverage {
    /// As the caller named it.
    pub package: String,
    pub files: usize,
    /// Functions, lambdas, generator expressions, class bodies and module bodies.
    pub functions: usize,
    pub instructions: usize,
    pub facts: usize,
    pub calls: usize,
    pub resolved: usize,
    pub modelled: usize,
    pub unknown: usize,
    /// What was called at calls that are unknown, with the number of such calls.
    #[serde(skip)]
    pub unknown_callees: BTreeMap<String, usize>,
    /// Files that could not be lowered.
    pub not_lowered: Vec<PathBuf>,
}

/// Follows values through the modules of a package and of what it needs, and sorts the calls of the package.
#[must_use]
pub fn measure(package: &Package, modules: Vec<LoweredModule>) -> Coverage {
    let mut coverage = Coverage { package: package.name.clone(), ..Coverage::default() };
    for module in modules.iter().filter(|module| module.is_counted) {
        coverage.files += 1;
        coverage.functions += module.codes.len();
        coverage.instructions += module.instructions;
        coverage.facts += module.facts;
    }
    let program = Program::new(modules);
    for target in Solver::new(&program).solve() {
        coverage.calls += 1;
        match target {
            Target::Resolved => coverage.resolved += 1,
            Target::Modelled => coverage.modelled += 1,
            Target::Unknown(callee) => {
                coverage.unknown += 1;
                *coverage.unknown_callees.entry(callee).or_default() += 1;
            }
        }
    }
    coverage
}
