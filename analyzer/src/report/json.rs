//! Verdicts as JSON, as described by `verdict.schema.json`.

use crate::verdict::Verdict;

/// The JSON Schema of a verdict.
pub const SCHEMA: &str = include_str!("../../verdict.schema.json");

/// One verdict as an object, or several as an array, with a line end.
///
/// `are_set` says that several were asked for, though there may be one only.
///
/// # Errors
///
/// A value that JSON does not have.
pub fn report(verdicts: &[&Verdict], are_set: bool) -> serde_json::Result<String> {
    let mut text = match verdicts {
        [verdict] if !are_set => serde_json::to_string_pretty(verdict)?,
        verdicts => serde_json::to_string_pretty(verdicts)?,
    };
    text.push('\n');
    Ok(text)
}
