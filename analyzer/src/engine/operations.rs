//! Protected operations and endorsements: which objects and bodies they are, and what a call of one watches.

#![allow(
    clippy::iter_over_hash_type,
    reason = "what is gathered goes into sets and maps, or is sorted before it is used"
)]

use healguard_rules::schema::{Field, Func, Obj, Operation, Point, Var};
use healguard_rules::{points_to, taint};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::bodies::Placed;
use crate::config::{ArgumentSelector, EndorsementMode};
use crate::ir::{Body, Kind, MarkedArgument, Marking};
use crate::solve::PointsTo;
use crate::world::FileId;

use super::Engine;

/// A protected operation that the analysis looks for.
#[derive(Clone, Debug)]
pub struct KnownOperation {
    /// Dotted name, or `file:line` of a protected statement.
    pub name: String,
    pub arguments: Option<Vec<ArgumentSelector>>,
    pub receiver: bool,
    pub reads: bool,
    pub reason: String,
    /// The name ends in `.*`.
    pub is_pattern: bool,
}

impl Engine<'_, '_> {
    /// Operations that the protection names.
    pub(super) fn declare_operations(&mut self) {
        let protection = self.protection;
        for operation in &protection.operations {
            self.declare(KnownOperation {
                name: operation.name.clone(),
                arguments: operation.arguments.clone(),
                receiver: operation.receiver,
                reads: operation.reads,
                reason: operation.reason.clone(),
                is_pattern: operation.name.ends_with(".*"),
            });
        }
        for preset in &protection.presets {
            let names = self.world.models.preset(preset.word()).unwrap_or_default();
            for name in names {
                self.declare(KnownOperation {
                    name: name.to_owned(),
                    arguments: None,
                    receiver: true,
                    reads: false,
                    reason: format!("preset `{}`", preset.word()),
                    is_pattern: false,
                });
            }
        }
    }

    fn declare(&mut self, operation: KnownOperation) -> Operation {
        let number = Operation(self.operations.len() as u32);
        if operation.receiver {
            self.facts.watches_receiver.push(taint::WatchesReceiver(number));
        }
        self.operations.push(operation);
        number
    }

    fn matching(&self, dotted: &str) -> Vec<Operation> {
        let matches = |operation: &KnownOperation| self.same_name(&operation.name, dotted);
        let found = self.operations.iter().enumerate().filter(|(_, operation)| matches(operation));
        found.map(|(at, _)| Operation(at as u32)).collect()
    }

    /// Whether a name in `protect.toml` means the object with this dotted name.
    fn same_name(&self, written: &str, dotted: &str) -> bool {
        let (written, dotted) = (self.plain(written), self.plain(dotted));
        match written.strip_suffix(".*") {
            Some(prefix) => dotted.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('.')),
            None => written == dotted,
        }
    }

    /// One spelling for each name: `builtins.open` and `open`, `__main__.f` and `main.f`, `_io.open` and `open`.
    fn plain(&self, name: &str) -> String {
        let name = self.world.models.canonical_name(name);
        let name = name.strip_prefix("builtins.").unwrap_or(&name);
        match name.strip_prefix("__main__.") {
            Some(rest) => format!("{}.{rest}", self.world.main_module()),
            None => name.to_owned(),
        }
    }

    /// Tells whether an object is a protected operation.
    pub(super) fn tell_protection(&mut self, object: Obj) {
        let Some(dotted) = self.world.dotted(object) else { return };
        for operation in self.matching(&dotted) {
            self.facts.protected.push(taint::Protected(object, operation));
        }
    }

    /// Tells what developers said about a body: by name, by decorator, by comment.
    pub(super) fn mark_body(&mut self, placed: &Placed) {
        let Some(body) = self.world.body(placed.file, placed.body).cloned() else { return };
        let dotted = format!("{}.{}", self.world.module_of(placed.file), body.qualified_name);
        let mut operations = self.matching(&dotted);
        operations.extend(self.marked_operation(&dotted, &body));
        for operation in operations {
            self.facts.protected_code.push(taint::ProtectedCode(placed.func, operation));
            if self.operations[operation.0 as usize].reads {
                self.tell_reads(operation, placed);
            }
        }
        if self.endorses(&dotted, &body, EndorsementMode::Returns) {
            self.facts.endorses.push(taint::Endorses(placed.func));
        }
        self.mark_statements(placed);
    }

    fn marked_operation(&mut self, dotted: &str, body: &Body) -> Option<Operation> {
        let marking = body.markings.iter().find_map(|marking| match marking {
            Marking::Protected { arguments, receiver, reads, reason } => Some((arguments, receiver, reads, reason)),
            Marking::Endorses { .. } => None,
        })?;
        let (arguments, receiver, reads, reason) = marking;
        if let Some(known) = self.operations.iter().position(|operation| operation.name == dotted) {
            return Some(Operation(known as u32));
        }
        let selectors = arguments.as_ref().map(|listed| {
            let selector = |argument: &MarkedArgument| match argument {
                MarkedArgument::Name(name) => ArgumentSelector::Name(name.clone()),
                MarkedArgument::Position(position) => ArgumentSelector::Position(*position as usize),
            };
            listed.iter().map(selector).collect()
        });
        Some(self.declare(KnownOperation {
            name: dotted.to_owned(),
            arguments: selectors,
            receiver: *receiver,
            reads: reads.unwrap_or(true),
            reason: reason.clone(),
            is_pattern: false,
        }))
    }

    fn endorses(&self, dotted: &str, body: &Body, mode: EndorsementMode) -> bool {
        let by_name = self.protection.endorsements.iter();
        let by_name = by_name.filter(|endorsement| endorsement.mode == mode);
        let marked = Marking::Endorses { guards: mode == EndorsementMode::Guards };
        body.markings.contains(&marked) || by_name.into_iter().any(|entry| self.same_name(&entry.name, dotted))
    }

    /// Whether every body that the call enters endorses its arguments.
    pub(super) fn is_guard(&self, func: Func) -> bool {
        let Some((file, id)) = self.bodies.of_func(func).map(|body| (body.file, body.body)) else {
            return false;
        };
        let Some(body) = self.world.body(file, id) else { return false };
        let dotted = format!("{}.{}", self.world.module_of(file), body.qualified_name);
        self.endorses(&dotted, body, EndorsementMode::Guards)
    }

    fn tell_reads(&mut self, operation: Operation, placed: &Placed) {
        for (id, node) in placed.ssa.body.nodes.iter().enumerate() {
            if let Kind::LoadGlobal { dst, .. } | Kind::LoadCell { dst, .. } = &node.kind {
                let var = placed.var(*dst);
                self.facts.body_reads.push(taint::BodyReads(operation, placed.func, placed.point(id), var));
                self.facts.looks_into.push(points_to::LooksInto(var));
            }
        }
    }

    /// Statements that carry `# healguard: protected`: everything that they read is watched.
    fn mark_statements(&mut self, placed: &Placed) {
        let body = &placed.ssa.body;
        for (number, statement) in body.statements.iter().enumerate().filter(|(_, statement)| statement.protected) {
            let name = self.statement_name(placed.file, statement.span.start);
            let known = self.operations.iter().position(|operation| operation.name == name);
            let operation = known.map_or_else(|| self.declare(statement_operation(name)), |at| Operation(at as u32));
            for (id, node) in body.nodes.iter().enumerate() {
                let inside = node.statement == number || statement.span.contains(node.span);
                if !inside || matches!(node.kind, Kind::Join | Kind::Entry | Kind::Exit) || node.healed {
                    continue;
                }
                let point = placed.point(id);
                self.facts.operation_point.push(taint::OperationPoint(point, operation));
                for slot in node.kind.uses() {
                    self.facts.watches.push(taint::Watches(point, operation, placed.var(slot)));
                    self.facts.looks_into.push(points_to::LooksInto(placed.var(slot)));
                }
            }
        }
    }

    fn statement_name(&self, file: FileId, offset: u32) -> String {
        let source = &self.world.files[file];
        let line = source.text[..offset as usize].matches('\n').count() + 1;
        format!("{}:{line}", source.shown)
    }

    // ------------------------------------------------------------------ calls

    /// Tells what each call of an operation watches; says whether there was a new one.
    pub(super) fn watch(&mut self, solved: &PointsTo) -> bool {
        let mut calls = self.operation_calls(solved);
        calls.extend(self.named_calls());
        calls.sort_unstable();
        calls.dedup();
        calls.retain(|(point, operation, _)| !self.told.watched.contains(&(*point, operation.0)));
        let arguments = Arguments::new(self);
        let mut found: Vec<(Point, Operation, Var)> = Vec::new();
        for (point, operation, func) in &calls {
            self.told.watched.insert((*point, operation.0));
            for var in self.watched(&arguments, *point, *operation, *func) {
                found.push((*point, *operation, var));
            }
        }
        for (point, operation, var) in found {
            self.facts.watches.push(taint::Watches(point, operation, var));
            self.facts.looks_into.push(points_to::LooksInto(var));
        }
        for taint::Receiver(point, base) in self.facts.receiver.clone() {
            if calls.iter().any(|(called, _, _)| *called == point) {
                self.facts.looks_into.push(points_to::LooksInto(base));
            }
        }
        !calls.is_empty()
    }

    fn operation_calls(&self, solved: &PointsTo) -> Vec<(Point, Operation, Option<Func>)> {
        let mut by_object: FxHashMap<Obj, Vec<Operation>> = FxHashMap::default();
        for taint::Protected(object, operation) in &self.facts.protected {
            by_object.entry(*object).or_default().push(*operation);
        }
        let mut by_code: FxHashMap<Func, Vec<Operation>> = FxHashMap::default();
        for taint::ProtectedCode(func, operation) in &self.facts.protected_code {
            by_code.entry(*func).or_default().push(*operation);
        }
        let mut calls = Vec::new();
        for points_to::Invokes(_, point, object, ..) in &solved.invokes {
            for operation in by_object.get(object).into_iter().flatten() {
                calls.push((*point, *operation, None));
            }
        }
        for points_to::CallTo(_, point, _, _, func, _) in &solved.call_to {
            for operation in by_code.get(func).into_iter().flatten() {
                calls.push((*point, *operation, Some(*func)));
            }
        }
        calls
    }

    /// Method calls that may be an operation by their name, where the receiver is not known.
    fn named_calls(&mut self) -> Vec<(Point, Operation, Option<Func>)> {
        let mut by_field: FxHashMap<Field, Vec<Operation>> = FxHashMap::default();
        for at in 0..self.operations.len() {
            let name = self.operations[at].name.rsplit('.').next().unwrap_or_default().to_owned();
            let field = self.world.attribute(&name);
            by_field.entry(field).or_default().push(Operation(at as u32));
        }
        let mut calls = Vec::new();
        for points_to::CallsMethod(point, _, field) in &self.facts.calls_method {
            for operation in by_field.get(field).into_iter().flatten() {
                if !self.told.watched.contains(&(*point, operation.0)) {
                    calls.push((*point, *operation, None));
                }
            }
        }
        self.facts
            .operation_name
            .extend(calls.iter().map(|(point, operation, _)| taint::OperationName(*point, *operation)));
        calls
    }

    /// The variables that a call of an operation watches, its receiver aside.
    fn watched(&self, arguments: &Arguments, point: Point, operation: Operation, func: Option<Func>) -> Vec<Var> {
        let known = &self.operations[operation.0 as usize];
        let given = arguments.of(point);
        let Some(selectors) = &known.arguments else { return given.iter().map(|given| given.value).collect() };
        let parameters = self.parameters(known, func);
        let is_method = arguments.methods.contains(&point);
        let selects = |given: &Given, selector: &ArgumentSelector| match (selector, &given.place) {
            // A starred argument may be any of them.
            (_, GivenAs::Spread) => true,
            (ArgumentSelector::Position(position), GivenAs::Position(at)) => position == at,
            (ArgumentSelector::Position(position), GivenAs::Keyword(name)) => match &parameters {
                Some(names) => {
                    names.get(*position + usize::from(is_method && func.is_some())).is_none_or(|known| known == name)
                }
                None => true,
            },
            (ArgumentSelector::Name(name), GivenAs::Keyword(given)) => name == given,
            (ArgumentSelector::Name(name), GivenAs::Position(at)) => match &parameters {
                Some(names) => {
                    let shift = usize::from(is_method && func.is_some());
                    names.get(at + shift).is_none_or(|known| known == name)
                        || names.get(*at).is_some_and(|known| known == name)
                }
                None => true,
            },
        };
        let watched = given.iter().filter(|given| selectors.iter().any(|selector| selects(given, selector)));
        watched.map(|given| given.value).collect()
    }

    fn parameters(&self, operation: &KnownOperation, func: Option<Func>) -> Option<Vec<String>> {
        if let Some((file, body)) = func.and_then(|func| self.owners.get(&func)) {
            let body = self.world.body(*file, *body)?;
            return Some(body.parameters.names.iter().map(ToString::to_string).collect());
        }
        let (_, model) = self.world.models.get(&operation.name)?;
        Some(model.parameters.as_ref()?.positional.clone())
    }
}

fn statement_operation(name: String) -> KnownOperation {
    KnownOperation {
        name,
        arguments: None,
        receiver: true,
        reads: false,
        reason: "protected statement".to_owned(),
        is_pattern: false,
    }
}

enum GivenAs {
    Position(usize),
    Keyword(String),
    Spread,
}

struct Given {
    place: GivenAs,
    value: Var,
}

/// Arguments of all calls by point.
struct Arguments {
    given: FxHashMap<Point, Vec<Given>>,
    methods: FxHashSet<Point>,
}

impl Arguments {
    fn new(engine: &Engine<'_, '_>) -> Self {
        let mut given: FxHashMap<Point, Vec<Given>> = FxHashMap::default();
        let facts = &engine.facts;
        for points_to::Argument(point, position, value) in &facts.argument {
            let place = GivenAs::Position(*position as usize);
            given.entry(*point).or_default().push(Given { place, value: *value });
        }
        for points_to::KeywordArgument(point, name, value) in &facts.keyword_argument {
            let place = GivenAs::Keyword(engine.world.name_text(*name).to_owned());
            given.entry(*point).or_default().push(Given { place, value: *value });
        }
        for points_to::SpreadArgument(point, value) in &facts.spread_argument {
            given.entry(*point).or_default().push(Given { place: GivenAs::Spread, value: *value });
        }
        let methods = facts.calls_method.iter().map(|points_to::CallsMethod(point, ..)| *point).collect();
        Arguments { given, methods }
    }

    fn of(&self, point: Point) -> &[Given] {
        self.given.get(&point).map_or(&[], Vec::as_slice)
    }
}
