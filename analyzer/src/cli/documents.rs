//! The documents that the program carries along: grammar and rules.

use std::fmt::Write;

use healguard_rules::program::RuleDoc;

use super::{Guard, NOTHING_FLAGGED, Streams};
use crate::diagnostic::Diagnostic;

/// `healcheck grammar`.
pub(super) fn print_grammar(guard: &dyn Guard, streams: &mut Streams<'_>) -> Result<u8, Diagnostic> {
    let mut text = guard.grammar().to_owned();
    if !text.ends_with('\n') {
        text.push('\n');
    }
    streams.write_report(&text, None)?;
    Ok(NOTHING_FLAGGED)
}

/// `healcheck rules`: a line for each rule.
pub(super) fn list_rules(guard: &dyn Guard, streams: &mut Streams<'_>) -> Result<u8, Diagnostic> {
    let rules = guard.rules();
    let width = rules.iter().map(|rule| rule.id.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for rule in &rules {
        let _ = writeln!(text, "{:width$}  {}", rule.id, rule.sentence);
    }
    streams.write_report(&text, None)?;
    Ok(NOTHING_FLAGGED)
}

/// `healcheck explain RULE_ID`.
pub(super) fn explain_rule(id: &str, guard: &dyn Guard, streams: &mut Streams<'_>) -> Result<u8, Diagnostic> {
    let rules = guard.rules();
    let Some(rule) = rules.iter().find(|rule| rule.id == id) else {
        return Err(no_such_rule(id, &rules));
    };
    streams.write_report(&page(rule), None)?;
    Ok(NOTHING_FLAGGED)
}

fn no_such_rule(id: &str, rules: &[RuleDoc]) -> Diagnostic {
    let nearest = rules.iter().min_by_key(|rule| strsim::damerau_levenshtein(&rule.id, id));
    let mend = match nearest {
        Some(rule) => format!("did you mean `{}`? `healcheck rules` lists all", rule.id),
        None => "`healcheck rules` lists all".to_owned(),
    };
    Diagnostic::new(format!("there is no rule `{}`", id.escape_debug())).mend(mend)
}

/// The page of one rule.
fn page(rule: &RuleDoc) -> String {
    let mut text = format!("{}\n\n{}\n", rule.id, rule.sentence);
    for part in [&rule.datalog, &rule.inference] {
        if !part.trim().is_empty() {
            let _ = write!(text, "\n{}", indented(part));
        }
    }
    if !rule.note.trim().is_empty() {
        let _ = write!(text, "\nWhy it is sound:\n{}", indented(&rule.note));
    }
    let _ = writeln!(text, "\nStated in {}:{}", rule.file, rule.line);
    text
}

fn indented(part: &str) -> String {
    let line = |line: &str| if line.is_empty() { "\n".to_owned() } else { format!("    {line}\n") };
    part.trim_end().lines().map(line).collect()
}
