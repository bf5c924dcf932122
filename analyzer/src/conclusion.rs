//! From the relations to the verdict: which operations are reached, by which derivation, and what the verdict rests on.

use std::time::{Duration, Instant};

use healguard_rules::schema::{Ctx, Operation, Point};
use healguard_rules::taint;
use serde_json::{Value, json};

use crate::config::Protection;
use crate::engine::{Assumed, Place, Solution};
use crate::explain::{Explanation, Goal};
use crate::verdict::{Assumption, Feasibility, Feasible, FlowKind, OperationVerdict, Outcome, Replay, Stages, Verdict};
use crate::world::World;

/// Puts the verdict together. `solving` is how long it took to get the solution, from the snapshot on.
pub fn verdict(world: &mut World<'_>, solution: &Solution, name: &str, solving: Duration) -> Verdict {
    let started = Instant::now();
    let explanation = Explanation::new(solution);
    let mut operations: Vec<OperationVerdict> = (0..solution.operations.len())
        .map(|number| conclude(world, solution, &explanation, Operation(number as u32)))
        .collect();
    let presets = |operation: &OperationVerdict| operation.reason.starts_with("preset") && !operation.verdict.flagged();
    operations.retain(|operation| !presets(operation));
    let outcome = operations.iter().map(|operation| operation.verdict).max().unwrap_or(Outcome::Safe);
    let assumptions = assumptions(world, solution);
    let mut stages = stages(world, solution, solving);
    stages.rules.insert("explanation_seconds", seconds(started.elapsed()));
    Verdict {
        schema: 1,
        case: name.to_owned(),
        verdict: outcome,
        flagged: outcome.flagged(),
        action: outcome.action(),
        operations,
        rejections: Vec::new(),
        assumptions,
        stages,
    }
}

/// The assumption of a verdict where the analysis was not finished.
pub const UNFINISHED: &str = "A7";

/// The verdict where the analysis was not finished: every operation that the protection names is taken to be reached.
pub fn unfinished(protection: &Protection, name: &str, why: &str) -> Verdict {
    let outcome = Outcome::Alarm;
    let operations = protection.operations.iter().map(|operation| OperationVerdict {
        name: operation.name.clone(),
        reason: operation.reason.clone(),
        verdict: outcome,
        kind: None,
        watched: String::new(),
        trace: Vec::new(),
        derivation: None,
        stopped: Vec::new(),
        feasibility: Feasibility { result: Feasible::Unknown, condition: String::new(), core: Vec::new() },
        replay: Replay { result: "not run", detail: String::new() },
    });
    let text = format!("the slice is too large ({why}): every protected operation is taken to be reached");
    Verdict {
        schema: 1,
        case: name.to_owned(),
        verdict: outcome,
        flagged: outcome.flagged(),
        action: outcome.action(),
        operations: operations.collect(),
        rejections: Vec::new(),
        assumptions: vec![Assumption { id: UNFINISHED.to_owned(), place: String::new(), text }],
        stages: Stages::default(),
    }
}

fn conclude(
    world: &World<'_>,
    solution: &Solution,
    explanation: &Explanation<'_>,
    number: Operation,
) -> OperationVerdict {
    let operation = &solution.operations[number.0 as usize];
    let goals = goals(solution, number);
    let explained = explanation.best(world, &goals);
    let kind = goals.first().map(|goal| goal.kind);
    let (trace, derivation, watched) = explained.unwrap_or_default();
    OperationVerdict {
        name: operation.name.clone(),
        reason: operation.reason.clone(),
        verdict: if kind.is_some() { Outcome::Alarm } else { Outcome::Safe },
        kind,
        watched,
        trace,
        derivation,
        stopped: if kind.is_none() { explanation.stopped(world, number) } else { Vec::new() },
        feasibility: Feasibility { result: Feasible::Unknown, condition: String::new(), core: Vec::new() },
        replay: Replay { result: "not run", detail: String::new() },
    }
}

/// The tuples that reach an operation, of the most telling kind that there is.
fn goals(solution: &Solution, number: Operation) -> Vec<Goal> {
    let taint = &solution.taint;
    let mine = |of: Operation, ctx: Ctx, point: Point, kind, relation| {
        (of == number).then_some(Goal { kind, relation, operation: of, ctx, point })
    };
    let direct = taint
        .reached_direct
        .iter()
        .filter_map(|taint::ReachedDirect(of, ctx, point)| mine(*of, *ctx, *point, FlowKind::Direct, "ReachedDirect"));
    let explicit = taint.reached_explicit.iter().filter_map(|taint::ReachedExplicit(of, ctx, point)| {
        mine(*of, *ctx, *point, FlowKind::Explicit, "ReachedExplicit")
    });
    let implicit = taint.reached_implicit.iter().filter_map(|taint::ReachedImplicit(of, ctx, point)| {
        mine(*of, *ctx, *point, FlowKind::Implicit, "ReachedImplicit")
    });
    let repeat = taint
        .reached_repeat
        .iter()
        .filter_map(|taint::ReachedRepeat(of, ctx, point)| mine(*of, *ctx, *point, FlowKind::Repeat, "ReachedRepeat"));
    let mut goals: Vec<Goal> = direct.chain(explicit).chain(implicit).chain(repeat).collect();
    goals.sort_unstable_by_key(|goal| (goal.kind, goal.point, goal.ctx));
    if let Some(kind) = goals.first().map(|goal| goal.kind) {
        goals.retain(|goal| goal.kind == kind);
    }
    goals
}

fn assumptions(world: &World<'_>, solution: &Solution) -> Vec<Assumption> {
    let mut assumptions: Vec<Assumption> = solution
        .assumptions
        .iter()
        .map(|(assumed, place)| {
            let (id, text) = words(*assumed);
            Assumption {
                id: id.to_owned(),
                place: place.map(|place| line_of(world, place)).unwrap_or_default(),
                text: text.to_owned(),
            }
        })
        .collect();
    assumptions.sort();
    assumptions.dedup();
    assumptions
}

/// Id and text of an assumption; UNSOUNDNESS.md says more.
fn words(assumed: Assumed) -> (&'static str, &'static str) {
    match assumed {
        Assumed::UnknownCode => {
            ("A1", "unknown code is called: it calls nothing but the functions it is given, and no protected operation")
        }
        Assumed::Recomputed => (
            "A2",
            "a loop that was running is taken to run over what its expression means now; its variables changed since",
        ),
        Assumed::Cut => ("A3", "the snapshot is not complete: what it leaves out is taken as unknown"),
        Assumed::NoSource => {
            ("A4", "a live frame has no source: it does nothing but pass on what the frame inside gives")
        }
        Assumed::Suspended => ("A5", "a generator whose place is not known reaches no protected operation"),
        Assumed::HealedIdentity => (
            "A6",
            "other healings give values of the same classes, and no other live object in place of the one given here",
        ),
    }
}

fn line_of(world: &World<'_>, (file, span): Place) -> String {
    let source = &world.files[file];
    let line = source.text[..(span.start as usize).min(source.text.len())].matches('\n').count() + 1;
    format!("{}:{line}", source.shown)
}

fn stages(world: &World<'_>, solution: &Solution, solving: Duration) -> Stages {
    let lowered = world.files.iter().filter_map(|file| file.lowered.as_ref().ok());
    let parsing: Duration = lowered.map(|lowered| lowered.parsing).sum();
    let gathering = solving.saturating_sub(world.lowering).saturating_sub(solution.evaluation);
    let mut stages = Stages::default();
    stages.slice.insert("files", json!(world.files.len()));
    stages.slice.insert("bytes", json!(world.files.iter().map(|file| file.text.len()).sum::<usize>()));
    stages.slice.insert("functions", json!(solution.bodies.len()));
    stages.slice.insert("rounds", json!(solution.rounds));
    stages.slice.insert("parsing_seconds", seconds(parsing));
    stages.slice.insert("seconds", seconds(world.lowering));
    stages.facts.insert("tuples", json!(solution.facts.len()));
    stages.facts.insert("seconds", seconds(gathering));
    stages.rules.insert("tuples", json!(solution.points_to.len() + solution.effects.len() + solution.taint.len()));
    stages.rules.insert("seconds", seconds(solution.evaluation));
    stages
}

fn seconds(duration: Duration) -> Value {
    json!(duration.as_secs_f64())
}
