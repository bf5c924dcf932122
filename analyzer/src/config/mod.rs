//! Files that people write: protected operations and controlled cases.
//!
//! All of them are read strictly: what is not known is an error that names the file, the line and the nearest
//! known word.

pub mod case;
pub mod family;
pub mod protect;
mod toml_source;

#[cfg(test)]
mod tests;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use case::{Case, CrashSite, Heal, Label, Program};
pub use protect::{ArgumentSelector, Endorsement, EndorsementMode, Operation, Preset, Protection};

/// Version of every file format that this reads.
pub const SCHEMA: i64 = 1;

/// Where execution goes on after a healing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ResumeMode {
    /// The failing statement runs again.
    Retry,
    /// Execution goes on after the failing statement.
    Skip,
    /// The crashed function returns the value that the healing assigned to `healed_return`.
    Return,
}

impl ResumeMode {
    /// All modes, in the order in which they are documented.
    pub const ALL: [Self; 3] = [Self::Retry, Self::Skip, Self::Return];

    /// The word used in files and on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Retry => "retry",
            Self::Skip => "skip",
            Self::Return => "return",
        }
    }
}

impl fmt::Display for ResumeMode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.word())
    }
}
