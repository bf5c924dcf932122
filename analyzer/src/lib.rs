//! HealGuard: may state changed by a healing reach a protected operation?

pub mod config;
pub mod diagnostic;
pub mod request;
pub mod verdict;
pub mod frontend;
pub mod ir;
pub mod graph;
pub mod snapshot;
pub mod ssa;
pub mod world;
pub mod facts;
pub mod emit;
pub mod cli;
pub mod report;
pub mod runtime_process;
pub mod continuation;
pub mod solve;
pub mod engine;
pub mod check;
pub mod names;
pub mod conclusion;
pub mod explain;
