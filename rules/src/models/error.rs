//! What can be wrong with a data file of models.

/// A defect of a data file. Every message names the file, and the entry where there is one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// The file is not TOML.
    #[error("{file}: {message}")]
    Syntax {
        /// Name of the file.
        file: String,
        /// What the TOML reader says.
        message: String,
    },
    /// The file has a top-level key that does not belong there, or misses `schema = 1`.
    #[error("{file}: {message}")]
    File {
        /// Name of the file.
        file: String,
        /// What is wrong.
        message: String,
    },
    /// An entry is malformed, or contradicts another one.
    #[error("{file}: {entry}: {message}")]
    Entry {
        /// Name of the file.
        file: String,
        /// First name of the entry, or its kind and number where it has none.
        entry: String,
        /// What is wrong.
        message: String,
    },
}
