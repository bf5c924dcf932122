//! Rules.

pub mod checker;
pub mod database;
pub mod effects;
pub mod evaluate;
pub mod layers;
pub mod models;
pub mod points_to;
pub mod program;
pub mod provenance;
pub mod schema;
pub mod taint;

use healguard_relations::declare as crepe;
