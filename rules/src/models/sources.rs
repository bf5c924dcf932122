//! The embedded data files.

/// Name and text of each file below `rules/models/`, files that declare classes before those that use them.
pub const SOURCES: &[(&str, &str)] = &[("classes.toml", include_str!("../../models/classes.toml"))];
