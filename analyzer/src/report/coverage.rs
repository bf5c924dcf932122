//! How much of packages is understood, as text and as JSON.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;

use super::one_line;
use crate::coverage::Coverage;
use crate::diagnostic::Diagnostic;

/// A line a package, one for all of them, and so many callees that are unknown.
pub fn text(coverages: &[Coverage], unknown: usize) -> String {
    let total = total(coverages);
    let rows = coverages.iter().chain((coverages.len() > 1).then_some(&total));
    let width = rows.clone().map(|row| row.package.chars().count()).max().unwrap_or(0).max(7);
    let mut text = format!(
        "{:width$}  {:>5}  {:>9}  {:>12}  {:>7}  {:>8}  {:>8}  {:>8}\n",
        "package", "files", "functions", "instructions", "calls", "resolved", "modelled", "unknown"
    );
    for row in rows {
        let share = |count: usize| format!("{:.1} %", 100.0 * count as f64 / row.calls.max(1) as f64);
        let _ = writeln!(
            text,
            "{:width$}  {:>5}  {:>9}  {:>12}  {:>7}  {:>8}  {:>8}  {:>8}",
            one_line(&row.package),
            row.files,
            row.functions,
            row.instructions,
            row.calls,
            share(row.resolved),
            share(row.modelled),
            share(row.unknown)
        );
    }
    let callees = most_frequent(&total.unknown_callees, unknown);
    if !callees.is_empty() {
        text.push_str("\nunknown calls of\n");
    }
    for callee in callees {
        let _ = writeln!(text, "{:>7}  {}", callee.calls, one_line(callee.callee));
    }
    for file in &total.not_lowered {
        let _ = writeln!(text, "not lowered: {}", file.display());
    }
    text
}

/// The same as JSON.
///
/// # Errors
///
/// A value that JSON does not have.
pub fn json(coverages: &[Coverage], unknown: usize) -> Result<String, Diagnostic> {
    #[derive(Serialize)]
    struct Report<'a> {
        schema: u32,
        packages: Vec<Row<'a>>,
    }
    #[derive(Serialize)]
    struct Row<'a> {
        #[serde(flatten)]
        coverage: &'a Coverage,
        unknown_callees: Vec<Callee<'a>>,
    }
    fn row(coverage: &Coverage, unknown: usize) -> Row<'_> {
        Row { coverage, unknown_callees: most_frequent(&coverage.unknown_callees, unknown) }
    }
    let packages = coverages.iter().map(|coverage| row(coverage, unknown)).collect();
    let report = Report { schema: 1, packages };
    let text = serde_json::to_string_pretty(&report).map_err(|error| {
        Diagnostic::new(format!("the figures cannot be written as JSON: {error}"))
            .mend("please report this defect of healcheck")
    })?;
    Ok(text + "\n")
}

/// Something unknown that is called, and at how many calls.
#[derive(Serialize)]
struct Callee<'a> {
    callee: &'a str,
    calls: usize,
}

fn most_frequent(callees: &BTreeMap<String, usize>, count: usize) -> Vec<Callee<'_>> {
    let mut callees: Vec<Callee<'_>> = callees.iter().map(|(callee, calls)| Callee { callee, calls: *calls }).collect();
    callees.sort_by_key(|callee| std::cmp::Reverse(callee.calls));
    callees.truncate(count);
    callees
}

fn total(coverages: &[Coverage]) -> Coverage {
    let mut total = Coverage { package: "all".to_owned(), ..Coverage::default() };
    for one in coverages {
        total.files += one.files;
        total.functions += one.functions;
        total.instructions += one.instructions;
        total.facts += one.facts;
        total.calls += one.calls;
        total.resolved += one.resolved;
        total.modelled += one.modelled;
        total.unknown += one.unknown;
        total.not_lowered.extend(one.not_lowered.iter().cloned());
        for (callee, calls) in &one.unknown_callees {
            *total.unknown_callees.entry(callee.clone()).or_default() += calls;
        }
    }
    total
}
