//! Several programs as one.

use std::error::Error;

use healguard_rules::checker::check;
use healguard_rules::database::Database;
use healguard_rules::evaluate::evaluate;
use healguard_rules::program::{Functions, Problem, Program};
use healguard_rules::provenance::Explainer;

const CALLS: &str = "crepe! {
    @input struct Call(P, F);
    @output struct Edge(F, F);
    // [calls/edge] A call is an edge.
    Edge(p, f) <- Call(p, f), (ordinary(f));
}";

const FLOWS: &str = "crepe! {
    @input struct Start(F);
    @input struct Edge(F, F);
    @output struct Flow(F);
    // [flows/start] A flow starts.
    Flow(f) <- Start(f);
    // [flows/edge] A flow goes on.
    Flow(g) <- Flow(f), Edge(f, g), (ordinary(g));
}";

fn combine(layers: &[(&str, &str)]) -> Result<Program, Box<dyn Error>> {
    let mut programs = Vec::new();
    for (name, source) in layers {
        programs.push(Program::parse(name, source)?);
    }
    Ok(Program::combine("all", &programs)?)
}

#[test]
fn a_derivation_runs_through_all_layers() -> Result<(), Box<dyn Error>> {
    let program = combine(&[("calls", CALLS), ("flows", FLOWS)])?;
    let mut functions = Functions::new();
    functions.define("ordinary", |f: u64| f != 9);
    let mut facts = Database::new();
    facts.insert("Start", &[1])?;
    facts.insert("Call", &[1, 2])?;
    facts.insert("Call", &[2, 3])?;
    facts.insert("Call", &[3, 9])?;
    let evaluation = evaluate(&program, &functions, facts)?;
    let database = evaluation.database();
    assert!(!database.contains("Flow", &[9]));
    let derivation = Explainer::new(&program, &functions, database)?.derive("Flow", &[3])?;
    check(&program, &functions, database, &derivation)?;
    let relations: Vec<&str> = derivation.steps().iter().map(|step| step.relation.as_str()).collect();
    assert_eq!(relations, ["Start", "Flow", "Call", "Edge", "Flow", "Call", "Edge", "Flow"]);
    assert_eq!(program.documentation()[1].file, "flows");
    Ok(())
}

#[test]
fn layers_that_would_feed_back_are_refused() -> Result<(), Box<dyn Error>> {
    let refused = combine(&[("flows", FLOWS), ("calls", CALLS)]).err();
    let message = refused.ok_or("the order is wrong")?.to_string();
    assert!(message.starts_with("calls:3: `Edge` is also declared at flows:3"), "{message}");
    Ok(())
}

#[test]
fn layers_that_clash_are_refused() -> Result<(), Box<dyn Error>> {
    let calls = Program::parse("calls", CALLS)?;
    let clash = |source: &str| -> Result<Option<Problem>, Box<dyn Error>> {
        let other = Program::parse("other", source)?;
        let combined = Program::combine("all", &[calls.clone(), other]);
        Ok(combined.err().map(|error| error.problem))
    };
    let width = Problem::RelationArity { relation: "Edge".to_owned(), expected: 2, found: 3 };
    assert_eq!(clash("crepe! { @input struct Edge(F, F, F); }")?, Some(width));
    let id = clash(
        "crepe! { @input struct A(F); @output struct B(F);
        // [calls/edge] T.
        B(x) <- A(x); }",
    )?;
    assert!(matches!(id, Some(Problem::DuplicateId { .. })), "{id:?}");
    let function = clash(
        "crepe! { @input struct A(F); @output struct B(F);
        // [a/b] T.
        B(x) <- A(x), (ordinary(x, x)); }",
    )?;
    assert!(matches!(function, Some(Problem::FunctionArity { .. })), "{function:?}");
    Ok(())
}
