//! The layers of rules as crepe compiles them, from the same text that the evaluator reads.
//!
//! Each module has `solve`, from the input relations of the layer to its output relations.

use healguard_relations::compile as crepe;
use healguard_rules::{database, schema};

#[path = "../../src/effects.rs"]
pub mod effects;
#[path = "../../src/points_to.rs"]
pub mod points_to;
#[path = "../../src/taint.rs"]
pub mod taint;
