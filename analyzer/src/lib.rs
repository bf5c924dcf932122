//! HealGuard: may state changed by a healing reach a protected operation?

pub mod verdict;
