//! Why a verdict is what it is: derivations in words and places, and what stops the flows that arrive nowhere.

use std::cell::OnceCell;
use std::sync::OnceLock;

use healguard_rules::checker;
use healguard_rules::database::Database;
use healguard_rules::layers;
use healguard_rules::program::Program;
use healguard_rules::provenance::{Derivation as Proof, Evidence, Explainer, Limits, Reason, Step, StepId};
use healguard_rules::schema::{Ctx, Field, Obj, Operation, Point, Var};
use healguard_rules::taint;
use rustc_hash::FxHashSet;

use crate::diagnostic::SourceRange;
use crate::engine::{Place, Solution};
use crate::ir::{Kind, Span};
use crate::solve;
use crate::verdict::{Derivation, FlowKind, Location, Stopped, TraceStep};
use crate::world::World;

/// Goals that are tried for the lowest derivation of an operation.
const TRIED_GOALS: usize = 4;
/// Bounds on the search for one derivation.
const LIMITS: Limits = Limits { instances: 1_000_000, rows: 100_000_000 };
/// Entries of the list of what stops a flow.
const SHOWN_STOPS: usize = 8;
/// Longest text of an expression that stands for a place.
const LONGEST_TEXT: usize = 40;

/// A tuple that says that an operation is reached.
#[derive(Clone, Copy, Debug)]
pub struct Goal {
    pub kind: FlowKind,
    pub relation: &'static str,
    pub operation: Operation,
    pub ctx: Ctx,
    pub point: Point,
}

/// Explains one solution.
pub struct Explanation<'s> {
    solution: &'s Solution,
    database: OnceCell<Option<Database>>,
}

/// The rule by which a place keeps what it holds from one instruction to the next.
const FLOW: &str = "taint/flow";

/// Where a run of steps from one instruction to the next begins: the run is shown as one step.
fn start_of_flow(proof: &Proof, mut id: StepId) -> StepId {
    while let Some(step) = proof.step(id).filter(|step| rule_of(step) == FLOW) {
        let places = step.supports().filter(|id| proof.step(*id).is_some_and(|step| step.relation == "TaintedPlace"));
        let Some(before) = places.last() else { break };
        id = before;
    }
    id
}

/// The rules that a derivation goes through: those of the layers that follow healed state. What the first layer says, what points
/// where and what calls what, stands in it as a fact.
fn explained() -> &'static Program {
    static PROGRAM: OnceLock<Program> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let layers = [layers::second().clone(), layers::third().clone()];
        Program::combine("rules", &layers).unwrap_or_else(|error| panic!("layers that were combined before: {error}"))
    })
}

impl<'s> Explanation<'s> {
    pub fn new(solution: &'s Solution) -> Self {
        Explanation { solution, database: OnceCell::new() }
    }

    /// The lowest derivation of one of the goals: its trace, its tree, and what is reached, in words. The derivation is
    /// checked step by step; one that does not pass is not shown.
    pub fn best(&self, world: &World<'_>, goals: &[Goal]) -> Option<(Vec<TraceStep>, Option<Derivation>, String)> {
        let first = goals.first()?;
        let database = self.database.get_or_init(|| {
            let Solution { facts, points_to, effects, taint, .. } = self.solution;
            solve::database(facts, points_to, effects, taint).ok()
        });
        let proof = database.as_ref().and_then(|database| {
            let mut explainer = Explainer::new(explained(), layers::functions(), database).ok()?.with_limits(LIMITS);
            let proofs = goals.iter().take(TRIED_GOALS).filter_map(|goal| {
                let tuple = [u64::from(goal.operation.0), u64::from(goal.ctx.0), u64::from(goal.point.0)];
                explainer.derive(goal.relation, &tuple).ok()
            });
            let lowest = proofs.min_by_key(Proof::height)?;
            checker::check(explained(), layers::functions(), database, &lowest).ok()?;
            Some(lowest)
        });
        let Some(proof) = proof else {
            let step = self.step(world, first.point, "operation", first.relation, String::new());
            return Some((step.into_iter().collect(), None, String::new()));
        };
        let trace = self.trace(world, &proof);
        let watched = self.watched(world, &proof);
        Some((trace, Some(self.tree(world, &proof, proof.goal_id(), &mut FxHashSet::default())), watched))
    }

    // ------------------------------------------------------------------ traces

    /// The steps from the healing to the operation, along the first premise that carries healed state.
    fn trace(&self, world: &World<'_>, proof: &Proof) -> Vec<TraceStep> {
        let mut steps: Vec<TraceStep> = Vec::new();
        let mut at = Some(proof.goal_id());
        while let Some(step) = at.and_then(|id| proof.step(id)) {
            if let Some(shown) = self.trace_step(world, step) {
                let repeated = steps.last().is_some_and(|last| last.location == shown.location);
                if !repeated {
                    steps.push(shown);
                }
            }
            at = step.supports().find(|id| proof.step(*id).is_some_and(|premise| carries(&premise.relation)));
            if at.is_none() {
                at = step.supports().find(|id| proof.step(*id).is_some_and(|premise| premise.relation == "Healing"));
            }
        }
        steps.reverse();
        steps
    }

    fn trace_step(&self, world: &World<'_>, step: &Step) -> Option<TraceStep> {
        let rule = rule_of(step);
        let word = word_of(rule);
        match step.relation.as_str() {
            "TaintedVar" | "HealedVariable" => {
                let var = Var(*step.tuple.last()? as u32);
                let place = self.definition(var)?;
                let text = self.variable(world, var);
                let word = if step.relation == "HealedVariable" { "healed" } else { word };
                Some(self.located(world, place, word, rule, text))
            }
            "TaintedAfter" => {
                let text = self.field(world, Obj(step.tuple[2]), Field(step.tuple[3] as u32));
                self.step(world, Point(step.tuple[1] as u32), word, rule, text)
            }
            "TaintedBranch" => self.step(world, Point(step.tuple[1] as u32), "branch", rule, String::new()),
            "UnknownTainted" | "TaintedCallee" => {
                self.step(world, Point(step.tuple[1] as u32), "call", rule, String::new())
            }
            "ReachedExplicit" | "ReachedImplicit" | "ReachedDirect" | "ReachedRepeat" => {
                self.step(world, Point(step.tuple[2] as u32), "operation", rule, String::new())
            }
            _ => None,
        }
    }

    fn step(
        &self,
        world: &World<'_>,
        point: Point,
        word: &'static str,
        rule: &str,
        place: String,
    ) -> Option<TraceStep> {
        let at = self.solution.bodies.place(point)?;
        (at.1 != Span::default()).then(|| self.located(world, at, word, rule, place))
    }

    fn located(
        &self,
        world: &World<'_>,
        (file, span): Place,
        word: &'static str,
        rule: &str,
        place: String,
    ) -> TraceStep {
        TraceStep { location: location(world, (file, span)), step: word, rule: rule.to_owned(), place }
    }

    /// Where a variable gets its value.
    fn definition(&self, var: Var) -> Option<Place> {
        let body = self.solution.bodies.of_var(var)?;
        let slot = var.0 - body.first_var;
        let writes = |kind: &Kind| kind.defines().is_some_and(|dst| dst.0 == slot);
        let mut nodes = body.ssa.body.nodes.iter().enumerate();
        if let Some((id, _)) = nodes.find(|(id, node)| body.ssa.reachable[*id] && writes(&node.kind)) {
            let place = body.place(id);
            return (place.1 != Span::default()).then_some(place);
        }
        if body.ssa.body.parameter_slots.iter().any(|parameter| parameter.0 == slot) {
            return Some((body.file, body.ssa.body.name_span));
        }
        let phi = body.ssa.phis.iter().find(|phi| phi.dst.0 == slot)?;
        let place = body.place(phi.node);
        (place.1 != Span::default()).then_some(place)
    }

    // ------------------------------------------------------------------ words

    /// A variable as a person would write it: its name, or the expression that it is the value of.
    fn variable(&self, world: &World<'_>, var: Var) -> String {
        let Some(body) = self.solution.bodies.of_var(var) else { return String::new() };
        let slot = (var.0 - body.first_var) as usize;
        let name =
            body.ssa.origin.get(slot).and_then(|origin| body.ssa.body.slots.get(origin.0 as usize)).cloned().flatten();
        if let Some(name) = name {
            return name.to_string();
        }
        match self.definition(var) {
            Some(place) => text_of(world, place),
            None => "a value".to_owned(),
        }
    }

    fn field(&self, world: &World<'_>, object: Obj, field: Field) -> String {
        let owner = match object.point().and_then(|point| self.solution.bodies.place(point)) {
            Some(place) => text_of(world, place),
            None => world.describe(object),
        };
        if let Some(name) = field.as_attribute() {
            return format!("{owner}.{}", world.name_text(name));
        }
        if let Some(key) = field.as_key() {
            return format!("{owner}[{}]", constant_text(world, Obj::constant(key)));
        }
        match field {
            Field::KEYS => format!("keys of {owner}"),
            Field::SHAPE => format!("number and order of the items of {owner}"),
            Field::ANY => format!("everything in {owner}"),
            _ => format!("items of {owner}"),
        }
    }

    /// What the operation watches and healed state arrives in.
    fn watched(&self, world: &World<'_>, proof: &Proof) -> String {
        let goal = proof.goal();
        match goal.relation.as_str() {
            "ReachedImplicit" => "whether it runs".to_owned(),
            "ReachedDirect" => "called by the healing".to_owned(),
            "ReachedRepeat" => "performed a second time".to_owned(),
            _ => {
                let premises: Vec<&Step> = goal.supports().filter_map(|id| proof.step(id)).collect();
                let value =
                    premises.iter().find(|step| step.relation == "TaintedVar").and_then(|step| step.tuple.last());
                let object = premises.iter().find(|step| step.relation == "TaintedPlace");
                match (value, object) {
                    (Some(var), _) => format!("watched value `{}`", self.variable(world, Var(*var as u32))),
                    (None, Some(place)) => {
                        format!(
                            "watched object: `{}`",
                            self.field(world, Obj(place.tuple[2]), Field(place.tuple[3] as u32))
                        )
                    }
                    _ => String::new(),
                }
            }
        }
    }

    // ------------------------------------------------------------------ trees

    fn tree(&self, world: &World<'_>, proof: &Proof, id: StepId, seen: &mut FxHashSet<usize>) -> Derivation {
        let Some(step) = proof.step(id) else {
            return Derivation { tuple: String::new(), rule: "fact".to_owned(), location: None, premises: Vec::new() };
        };
        let mut premises = Vec::new();
        if seen.insert(id.0)
            && let Reason::Rule { evidence, .. } = &step.reason
        {
            for part in evidence {
                match part {
                    Evidence::Step(premise) if proof.step(*premise).is_some_and(|step| is_shown(&step.relation)) => {
                        let premise = if rule_of(step) == FLOW { start_of_flow(proof, *premise) } else { *premise };
                        premises.push(self.tree(world, proof, premise, seen));
                    }
                    _ => {}
                }
            }
        }
        let (tuple, location) = self.tuple(world, step);
        let rule = match &step.reason {
            Reason::Fact => "fact".to_owned(),
            Reason::Rule { .. } => rule_of(step).to_owned(),
        };
        Derivation { tuple, rule, location, premises }
    }

    fn tuple(&self, world: &World<'_>, step: &Step) -> (String, Option<Location>) {
        let at = |column: usize| {
            let point = Point(step.tuple[column] as u32);
            let place = self.solution.bodies.place(point)?;
            (place.1 != Span::default()).then(|| location(world, place))
        };
        let short = |location: &Option<Location>| location.as_ref().map_or_else(|| "start".to_owned(), short_place);
        match step.relation.as_str() {
            "TaintedVar" | "HealedVariable" => {
                let var = Var(step.tuple.last().copied().unwrap_or_default() as u32);
                let location = self.definition(var).map(|place| location(world, place));
                let word = if step.relation == "TaintedVar" { "tainted" } else { "healed" };
                (format!("{word}({}, {})", short(&location), self.variable(world, var)), location)
            }
            "TaintedPlace" | "TaintedAfter" => {
                let location = at(1);
                let place = self.field(world, Obj(step.tuple[2]), Field(step.tuple[3] as u32));
                let word = if step.relation == "TaintedPlace" { "tainted" } else { "tainted_behind" };
                (format!("{word}({}, {place})", short(&location)), location)
            }
            "ReachedExplicit" | "ReachedImplicit" | "ReachedDirect" | "ReachedRepeat" => {
                let location = at(2);
                let name =
                    self.solution.operations.get(step.tuple[0] as usize).map_or("?", |operation| &operation.name);
                (format!("reached({}, {name})", short(&location)), location)
            }
            "Invoked" | "Caught" | "RaisesTainted" => (snake(&step.relation), None),
            relation => {
                let location = at(1);
                (format!("{}({})", snake(relation), short(&location)), location)
            }
        }
    }

    // ------------------------------------------------------------------ what stops a flow

    /// For an operation that nothing reaches: why not.
    pub fn stopped(&self, world: &World<'_>, operation: Operation) -> Vec<Stopped> {
        let taint = &self.solution.taint;
        let mut stops: Vec<Stopped> = Vec::new();
        let mut calls: Vec<Point> = taint
            .operation_call
            .iter()
            .filter(|taint::OperationCall(_, _, of)| *of == operation)
            .map(|taint::OperationCall(_, point, _)| *point)
            .collect();
        calls.sort_unstable();
        calls.dedup();
        for point in calls {
            if let Some(place) = self.solution.bodies.place(point) {
                let text = "nothing that the operation watches here depends on healed state".to_owned();
                stops.push(Stopped { location: location(world, place), text });
            }
        }
        if stops.is_empty() {
            return stops;
        }
        let mut kills: Vec<&taint::Kills> = self
            .solution
            .facts
            .kills
            .iter()
            .filter(|taint::Kills(ctx, point, object, field)| {
                taint.tainted_place.contains(&taint::TaintedPlace(*ctx, *point, *object, *field))
            })
            .collect();
        kills.sort_unstable_by_key(|taint::Kills(_, point, object, field)| (*point, *object, *field));
        for taint::Kills(_, point, object, field) in kills {
            let is_call = matches!(self.solution.bodies.kind(*point), Some(Kind::Call { .. }));
            if let Some(place) = self.solution.bodies.place(*point).filter(|_| !is_call) {
                let text = format!("`{}` is overwritten here", self.field(world, *object, *field));
                stops.push(Stopped { location: location(world, place), text });
            }
        }
        stops.dedup();
        stops.truncate(SHOWN_STOPS);
        stops
    }
}

/// Relations that say that something depends on healed state.
fn carries(relation: &str) -> bool {
    matches!(
        relation,
        "TaintedVar"
            | "TaintedPlace"
            | "TaintedAfter"
            | "TaintedBranch"
            | "BranchControlled"
            | "Invoked"
            | "Controlled"
            | "TaintedCallee"
            | "TaintedRaise"
            | "RaisesTainted"
            | "PortTainted"
            | "FlowTainted"
            | "UnknownTainted"
            | "YieldsTainted"
            | "HealedVariable"
    )
}

/// Relations that a derivation shows; what points where stays below it.
fn is_shown(relation: &str) -> bool {
    carries(relation) || matches!(relation, "OperationCall" | "Healing" | "Repeats" | "Skipped")
}

fn rule_of(step: &Step) -> &str {
    match &step.reason {
        Reason::Fact => "fact",
        Reason::Rule { id, .. } => id,
    }
}

/// What a person calls the step that a rule makes.
fn word_of(rule: &str) -> &'static str {
    let name = rule.rsplit('/').next().unwrap_or(rule);
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    if starts(&["healed", "skipped"]) {
        "healed"
    } else if starts(&["load", "next"]) {
        "load"
    } else if starts(&["store", "spread", "model-store", "unknown-write"]) {
        "store"
    } else if starts(&["argument", "keyword", "receiver", "reflected", "rest", "callee", "unknown"]) {
        "call"
    } else if starts(&["return", "leave", "live", "yield", "model-result"]) {
        "return"
    } else if starts(&["branch", "control", "join"]) {
        "branch"
    } else {
        "assign"
    }
}

fn snake(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

/// A place of a source file as the report shows it.
pub fn location(world: &World<'_>, (file, span): Place) -> Location {
    let source = &world.files[file];
    SourceRange::of_bytes(&source.text, span.start as usize..span.end as usize).in_shown_file(source.shown.clone())
}

fn short_place(location: &Location) -> String {
    let file = location.file.rsplit(['/', ':']).next().unwrap_or(&location.file);
    format!("{}:{}", file.trim_end_matches(".py"), location.line)
}

/// The source text of a place, on one line.
fn text_of(world: &World<'_>, (file, span): Place) -> String {
    let text = world.files[file].text.get(span.start as usize..span.end as usize).unwrap_or_default();
    let mut line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() > LONGEST_TEXT {
        line = line.chars().take(LONGEST_TEXT - 1).collect::<String>() + "…";
    }
    line
}

fn constant_text(world: &World<'_>, constant: Obj) -> String {
    use crate::ir::Constant;
    match world.constant_value(constant) {
        Some(Constant::Str(text)) => format!("{text:?}"),
        Some(Constant::Int(digits)) => digits.to_string(),
        Some(Constant::None) => "None".to_owned(),
        _ => "…".to_owned(),
    }
}
