//! HealGuard: may state changed by a healing reach a protected operation?

pub mod config;
pub mod diagnostic;
pub mod request;
pub mod verdict;
