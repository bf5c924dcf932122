//! How long one question takes on a large database.

use std::error::Error;
use std::time::{Duration, Instant};

use healguard_rules::checker::check;
use healguard_rules::database::Database;
use healguard_rules::evaluate::evaluate;
use healguard_rules::program::{Functions, Program};
use healguard_rules::provenance::Explainer;

/// The shape of the taint rules: flow along assignments in a context, and through calls by points-to.
const FLOWS: &str = "crepe! {
    @input struct Source(C, V);
    @input struct Assign(V, V);
    @input struct Call(P, V, V);
    @input struct PointsTo(C, V, F);
    @input struct Parameter(F, V);
    @output struct CallEdge(C, P, F);
    @output struct Tainted(C, V);
    // [flow/call-edge] A call reaches what its callee points to.
    CallEdge(c, p, f) <- Call(p, v, _), PointsTo(c, v, f);
    // [flow/source] A source is tainted.
    Tainted(c, v) <- Source(c, v);
    // [flow/assign] A copy of a tainted value is tainted.
    Tainted(c, d) <- Assign(d, s), Tainted(c, s);
    // [flow/argument] A tainted argument taints the parameter.
    Tainted(c, q) <- CallEdge(c, p, f), Call(p, _, a), Tainted(c, a), Parameter(f, q);
}";

/// About 200,000 tuples, of which some thousand lead to the last variable.
fn facts() -> Result<Database, Box<dyn Error>> {
    let mut facts = Database::new();
    for context in 0..20 {
        facts.insert("Source", &[context, 0])?;
        for variable in 0..4_000 {
            facts.insert("PointsTo", &[context, variable, variable % 500])?;
        }
    }
    for variable in 1..3_000 {
        facts.insert("Assign", &[variable, variable.saturating_sub(2)])?;
        facts.insert("Assign", &[variable, variable - 1])?;
        facts.insert("Call", &[variable, variable, variable / 3])?;
    }
    for function in 0..500 {
        facts.insert("Parameter", &[function, 3_000 + function])?;
    }
    Ok(facts)
}

#[test]
#[ignore = "measures time: run it alone, with --release"]
fn one_derivation_on_200_000_tuples_takes_less_than_20_milliseconds() -> Result<(), Box<dyn Error>> {
    let (program, functions) = (Program::parse("flows", FLOWS)?, Functions::new());
    let evaluation = evaluate(&program, &functions, facts()?)?;
    let database = evaluation.database();
    let tuples: usize = database.relations().map(|(_, table)| table.len()).sum();
    assert!(tuples > 190_000, "{tuples} tuples");
    let start = Instant::now();
    let mut explainer = Explainer::new(&program, &functions, database)?;
    let derivation = explainer.derive("Tainted", &[7, 2_999])?;
    let first = start.elapsed();
    check(&program, &functions, database, &derivation)?;
    let checked = start.elapsed() - first;
    let again = explainer.derive("Tainted", &[8, 3_499])?;
    check(&program, &functions, database, &again)?;
    let report = format!("{tuples} tuples, {} steps: {first:?}, check {checked:?}", derivation.steps().len());
    assert!(derivation.steps().len() > 2_000, "{report}");
    assert!(first < Duration::from_millis(20), "{report}");
    Ok(())
}
