//! Rules.

pub mod models;
