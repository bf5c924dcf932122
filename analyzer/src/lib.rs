//! HealGuard: may state changed by a healing reach a protected operation?

pub mod audit;
pub mod bodies;
pub mod check;
pub mod cli;
pub mod conclusion;
pub mod config;
pub mod continuation;
pub mod diagnostic;
pub mod emit;
pub mod engine;
pub mod explain;
pub mod facts;
pub mod frontend;
pub mod graph;
pub mod healed_values;
pub mod ir;
pub mod laboratory;
pub mod names;
pub mod report;
pub mod request;
pub mod runtime_process;
pub mod snapshot;
pub mod solve;
pub mod ssa;
pub mod verdict;
pub mod world;
