//! The embedded data files.

/// Embeds files of `rules/models/` under their names.
macro_rules! embed {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../models/", $name)))),*]
    };
}

/// Name and text of each file below `rules/models/`. Of two files that declare classes, the one with the bases comes first.
pub const SOURCES: &[(&str, &str)] = embed![
    "classes.toml",
    "builtins.toml",
    "exceptions.toml",
    "text.toml",
    "numbers.toml",
    "containers.toml",
    "mappings.toml",
    "sets.toml",
    "iterators.toml",
    "files.toml",
    "operators.toml",
    "abstract.toml",
    "collections.toml",
    "asyncio.toml",
    "concurrency.toml",
    "database.toml",
    "enum.toml",
    "file_operations.toml",
    "functional.toml",
    "matching.toml",
    "mathematics.toml",
    "network.toml",
    "os.toml",
    "os_path.toml",
    "packages.toml",
    "paths.toml",
    "process.toml",
    "queues.toml",
    "runtime.toml",
    "security.toml",
    "serialization.toml",
    "time.toml",
];
