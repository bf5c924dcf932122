//! HealCore.
