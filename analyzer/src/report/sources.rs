//! Where the reports get source text from.

use std::collections::BTreeMap;

/// Gives the text of the files that a verdict shows.
pub trait SourceProvider: Send {
    /// The whole text of the file that locations show as `shown`; nothing where it is not at hand.
    fn text(&self, shown: &str) -> Option<&str>;

    /// How the file of the healing is shown.
    fn healing(&self) -> &str {
        "heal.py"
    }
}

impl SourceProvider for BTreeMap<String, String> {
    fn text(&self, shown: &str) -> Option<&str> {
        self.get(shown).map(String::as_str)
    }
}
