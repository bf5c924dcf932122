//! The loader of the models, and the models that are embedded.

use healguard_rules::models::{Models, SOURCES};

#[test]
fn the_embedded_models_load() {
    if let Err(error) = Models::from_sources(SOURCES) {
        panic!("{error}");
    }
}
