//! Protected operations and endorsements: which objects and bodies they are, and what a call of one watches.

#![allow(
    clippy::iter_over_hash_type,
    reason = "what is gathered goes into sets and maps, or is sorted before it is used"
)]

use std::collections::BTreeSet;

use healguard_rules::schema::{Field, Func, Obj, Operation, Point, Shift, Var, chosen_by_library, parameter_of};
use healguard_rules::{points_to, taint};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::bodies::Placed;
use crate::config::{ArgumentSelector, EndorsementMode};
use crate::ir::{Body, BodyKind, Kind, MarkedArgument, Marking};
use crate::solve::PointsTo;
use crate::world::{Entity, FileId, last_name};

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
        self.operations.push(operation);
        number
    }

    /// Everything that is seen of a variable is watched.
    fn show(&mut self, var: Var) {
        self.facts.looks_into.push(points_to::LooksInto(var));
        self.facts.shows.push(points_to::Shows(var));
    }

    /// The classes of the program above what an operation looks at.
    pub(super) fn tell_ancestors(&mut self, solved: &PointsTo) {
        let shown: FxHashSet<Obj> = solved.shown.iter().map(|points_to::Shown(object)| *object).collect();
        let classes = solved.class_of.iter().filter(|points_to::ClassOf(object, _)| shown.contains(object));
        let known: FxHashSet<Obj> = self.facts.is_class.iter().map(|points_to::IsClass(class)| *class).collect();
        let held = solved.field_points_to.iter().filter(|points_to::FieldPointsTo(object, ..)| shown.contains(object));
        let held = held.map(|points_to::FieldPointsTo(_, _, held)| *held).filter(|held| known.contains(held));
        let classes = classes.map(|points_to::ClassOf(_, class)| *class).chain(held);
        let classes: BTreeSet<Obj> = classes.collect();
        let bases = self.class_bases.clone();
        for class in classes {
            for above in self.world.resolution_order(class, &bases) {
                let entity = self.world.entity(above);
                let is_own = matches!(entity, Some(Entity::Class(..) | Entity::MadeClass(_) | Entity::Snapshot(_)));
                if is_own && self.told.ancestors.insert((class, above)) {
                    self.facts.ancestor.push(points_to::Ancestor(class, above));
                }
            }
        }
    }

    /// Tells which operations watch their receiver, when all marks in the sources are known.
    pub(super) fn tell_receivers(&mut self) {
        let watching = self.operations.iter().enumerate().filter(|(_, operation)| operation.receiver);
        self.facts.watches_receiver.extend(watching.map(|(at, _)| taint::WatchesReceiver(Operation(at as u32))));
    }

    fn matching(&self, dotted: &str) -> Vec<Operation> {
        let matches = |operation: &KnownOperation| self.same_name(&operation.name, dotted);
        let found = self.operations.iter().enumerate().filter(|(_, operation)| matches(operation));
        found.map(|(at, _)| Operation(at as u32)).collect()
    }

    /// Whether the name of an operation is this one, or one below.
    pub(super) fn is_named_by_operation(&self, dotted: &str) -> bool {
        let dotted = self.plain(dotted);
        self.operations.iter().any(|operation| {
            let rest =
                self.plain(&operation.name).strip_prefix(&dotted).map(|rest| rest.is_empty() || rest.starts_with('.'));
            rest == Some(true)
        })
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
        let markings = self.markings(object);
        for operation in self.operations_of(&dotted, &markings) {
            self.facts.protected.push(taint::Protected(object, operation));
        }
    }

    /// What the source says about a function or class, where it is its definition. A class of the snapshot is looked up only where
    /// the decorator left its mark on it.
    fn markings(&mut self, object: Obj) -> Vec<Marking> {
        let Some(source) = self.world.snapshot_object(object) else {
            let Some(Entity::Class(file, body)) = self.world.entity(object) else { return Vec::new() };
            return self.world.body(*file, *body).map(|body| body.markings.clone()).unwrap_or_default();
        };
        let located = match source.kind.as_str() {
            "function" => self.world.code_of(source),
            "class" if source.attributes.contains_key(MARKS) => self.world.class_body(source),
            _ => None,
        };
        let body = located.and_then(|(file, body)| self.world.body(file, body));
        body.map(|body| body.markings.clone()).unwrap_or_default()
    }

    /// The operations that a name is: the one that a mark in the source declares, or else those that the file names.
    fn operations_of(&mut self, dotted: &str, markings: &[Marking]) -> Vec<Operation> {
        match self.marked_operation(dotted, markings) {
            Some(marked) => vec![marked],
            None => self.matching(dotted),
        }
    }

    /// Tells what developers said about a body: by name, by decorator, by comment.
    pub(super) fn mark_body(&mut self, placed: &Placed) {
        let Some(body) = self.world.body(placed.file, placed.body).cloned() else { return };
        let dotted = format!("{}.{}", self.world.module_of(placed.file), body.qualified_name);
        for operation in self.operations_of(&dotted, &body.markings) {
            self.facts.protected_code.push(taint::ProtectedCode(placed.func, operation));
            self.tell_watched(operation, placed, self.operations[operation.0 as usize].receiver);
        }
        for operation in self.constructed(&dotted, &body, placed.file) {
            self.facts.constructor_code.push(taint::ConstructorCode(placed.func, operation));
            self.tell_watched(operation, placed, false);
        }
        if self.endorses(&dotted, &body, EndorsementMode::Returns) {
            self.facts.endorses.push(taint::Endorses(placed.func));
        }
        self.mark_statements(placed);
    }

    /// The protected classes whose constructor a body is: `__init__` runs for every object of the class and of those below.
    fn constructed(&mut self, dotted: &str, body: &Body, file: FileId) -> Vec<Operation> {
        let Some((class, name)) = dotted.rsplit_once('.') else { return Vec::new() };
        let around = body.parent.and_then(|parent| self.world.body(file, parent));
        let Some(around) = around.filter(|around| around.kind == BodyKind::Class) else { return Vec::new() };
        if !CONSTRUCTORS.contains(&name) {
            return Vec::new();
        }
        let markings = around.markings.clone();
        self.operations_of(class, &markings)
    }

    /// What running a protected body watches besides the arguments that a call gives: what it reads, what hangs below its
    /// receiver, and the parameters that keep their defaults.
    fn tell_watched(&mut self, operation: Operation, placed: &Placed, receiver: bool) {
        let known = self.operations[operation.0 as usize].clone();
        if known.reads {
            self.tell_reads(operation, placed);
        }
        let takes_receiver = self.takes_receiver(placed.func);
        let body = &placed.ssa.body;
        if receiver
            && takes_receiver
            && let Some(slot) = body.parameter_slots.first()
        {
            self.show(placed.var(*slot));
        }
        let skipped = usize::from(takes_receiver);
        for (at, slot) in body.parameter_slots.iter().enumerate().skip(skipped).take(body.parameters.names.len()) {
            let Some(name) = body.parameters.names.get(at) else { continue };
            let is_selected = |selector: &ArgumentSelector| match selector {
                ArgumentSelector::Name(selected) => **selected == **name,
                ArgumentSelector::Position(position) => position + skipped == at,
            };
            if known.arguments.as_ref().is_none_or(|selectors| selectors.iter().any(is_selected)) {
                let var = placed.var(*slot);
                self.facts.watches_parameter.push(taint::WatchesParameter(placed.func, operation, var));
                self.show(var);
            }
        }
    }

    /// Whether the first parameter of a body is the object, or class, that it is called on.
    fn takes_receiver(&self, func: Func) -> bool {
        let Some((file, body)) = self.bodies_of(func) else { return false };
        let around = body.parent.and_then(|parent| self.world.body(file, parent));
        let is_static = body.decorators.iter().any(|decorator| last_name(decorator) == "staticmethod");
        around.is_some_and(|around| around.kind == BodyKind::Class) && !is_static
    }

    /// The body of a function, with its file.
    fn bodies_of(&self, func: Func) -> Option<(FileId, &Body)> {
        let placed = self.bodies.of_func(func).map(|placed| (placed.file, placed.body));
        let (file, body) = placed.or_else(|| self.owners.get(&func).copied())?;
        self.world.body(file, body).map(|body| (file, body))
    }

    /// Where a protected class has the constructor of a class above it, that one constructs it too.
    fn tell_inherited_constructors(&mut self, solved: &PointsTo) {
        let bases = self.class_bases.clone();
        let mut classes: Vec<Obj> = self.facts.is_class.iter().map(|points_to::IsClass(class)| *class).collect();
        classes.sort_unstable();
        classes.dedup();
        let is_class = |object: &Obj| classes.binary_search(object).is_ok();
        let protected = self.facts.protected.iter().map(|taint::Protected(object, operation)| (*object, *operation));
        let protected: Vec<(Obj, Operation)> = protected.filter(|(object, _)| is_class(object)).collect();
        for (class, operation) in protected {
            let order = self.world.resolution_order(class, &bases);
            for name in CONSTRUCTORS {
                let field = self.world.attribute(name);
                let Some(owner) = self.owner(&order, name).filter(|owner| *owner != class) else { continue };
                let inherited = solved
                    .field_points_to
                    .iter()
                    .filter(|points_to::FieldPointsTo(object, of, _)| (*object, *of) == (owner, field));
                let inherited: BTreeSet<Obj> = inherited.map(|points_to::FieldPointsTo(.., value)| *value).collect();
                let code = solved.code_is.iter().filter(|points_to::CodeIs(object, _)| inherited.contains(object));
                let code: BTreeSet<Func> = code.map(|points_to::CodeIs(_, func)| *func).collect();
                for below in &classes {
                    if self.world.resolution_order(*below, &bases).contains(&class) {
                        let facts = code.iter().map(|func| taint::Constructs(*below, *func, operation));
                        self.facts.constructs.extend(facts);
                    }
                }
            }
        }
    }

    fn marked_operation(&mut self, dotted: &str, markings: &[Marking]) -> Option<Operation> {
        let marking = markings.iter().find_map(|marking| match marking {
            Marking::Protected { arguments, receiver, reads, reason } => Some((arguments, receiver, reads, reason)),
            Marking::Endorses { .. } => None,
        })?;
        let (arguments, receiver, reads, reason) = marking;
        let selectors = arguments.as_ref().map(|listed| {
            let selector = |argument: &MarkedArgument| match argument {
                MarkedArgument::Name(name) => ArgumentSelector::Name(name.clone()),
                MarkedArgument::Position(position) => ArgumentSelector::Position(*position as usize),
            };
            listed.iter().map(selector).collect()
        });
        let marked = KnownOperation {
            name: dotted.to_owned(),
            arguments: selectors,
            receiver: *receiver,
            reads: reads.unwrap_or(true),
            reason: reason.clone(),
            is_pattern: false,
        };
        let is_same = |known: &KnownOperation| !known.is_pattern && self.same_name(&known.name, dotted);
        match self.operations.iter().position(is_same) {
            // The mark wins over what the file says of the same operation.
            Some(known) => {
                self.operations[known] = KnownOperation { name: self.operations[known].name.clone(), ..marked };
                Some(Operation(known as u32))
            }
            None => Some(self.declare(marked)),
        }
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
                self.show(var);
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
                    self.show(placed.var(slot));
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
        self.tell_inherited_constructors(solved);
        let mut calls = self.operation_calls(solved);
        calls.extend(self.named_calls());
        calls.sort_unstable();
        calls.dedup();
        calls.retain(|call| !self.told.watched.contains(&(call.point, call.operation.0)));
        let arguments = Arguments::new(self);
        let mut found: Vec<(Point, Operation, Var)> = Vec::new();
        for call in &calls {
            self.told.watched.insert((call.point, call.operation.0));
            let watched = self.watched(&arguments, call);
            found.extend(watched.into_iter().map(|var| (call.point, call.operation, var)));
        }
        for (point, operation, var) in found {
            self.facts.watches.push(taint::Watches(point, operation, var));
            self.show(var);
        }
        for taint::Receiver(point, base) in self.facts.receiver.clone() {
            if calls.iter().any(|call| call.point == point) {
                self.show(base);
            }
        }
        !calls.is_empty()
    }

    fn operation_calls(&self, solved: &PointsTo) -> Vec<OperationCall> {
        let mut by_object: FxHashMap<Obj, Vec<Operation>> = FxHashMap::default();
        for taint::Protected(object, operation) in &self.facts.protected {
            by_object.entry(*object).or_default().push(*operation);
        }
        let mut by_code: FxHashMap<Func, Vec<(Operation, bool)>> = FxHashMap::default();
        for taint::ProtectedCode(func, operation) in &self.facts.protected_code {
            by_code.entry(*func).or_default().push((*operation, false));
        }
        for taint::ConstructorCode(func, operation) in &self.facts.constructor_code {
            by_code.entry(*func).or_default().push((*operation, true));
        }
        for taint::Constructs(_, func, operation) in &self.facts.constructs {
            by_code.entry(*func).or_default().push((*operation, true));
        }
        let mut calls = Vec::new();
        let mut entered: FxHashSet<(Point, Operation)> = FxHashSet::default();
        for points_to::CallTo(_, point, _, _, func, shift) in &solved.call_to {
            for (operation, constructs) in by_code.get(func).into_iter().flatten() {
                entered.insert((*point, *operation));
                calls.push(OperationCall {
                    point: *point,
                    operation: *operation,
                    entered: Some((*func, *shift)),
                    constructs: *constructs,
                });
            }
        }
        for points_to::Invokes(_, point, object, ..) in &solved.invokes {
            for operation in by_object.get(object).into_iter().flatten() {
                // Where a body is entered, its parameters tell which arguments these are.
                if !entered.contains(&(*point, *operation)) {
                    calls.push(OperationCall::by_name(*point, *operation));
                }
            }
        }
        calls
    }

    /// Method calls that may be an operation by their name, where the receiver is not known.
    fn named_calls(&mut self) -> Vec<OperationCall> {
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
                    calls.push(OperationCall::by_name(*point, *operation));
                }
            }
        }
        self.facts.operation_name.extend(calls.iter().map(|call| taint::OperationName(call.point, call.operation)));
        calls
    }

    /// The variables that a call of an operation watches, its receiver aside, unless that is given like an argument.
    fn watched(&self, arguments: &Arguments, call: &OperationCall) -> Vec<Var> {
        let known = &self.operations[call.operation.0 as usize];
        let names = self.parameters(known, call.entered.map(|(func, _)| func));
        let receivers = usize::from(call.entered.is_some_and(|(func, _)| self.takes_receiver(func)));
        // The parameter that an argument by position meets; where library code chooses the arguments, it may be any.
        let parameter = |at: usize| match call.entered {
            None => Some(at),
            Some((_, shift)) if chosen_by_library(shift) || shift == Shift::REFLECTED => None,
            Some((_, shift)) => Some(parameter_of(at as u32, shift) as usize),
        };
        let named = |index: usize, name: &str| {
            names.as_ref().is_none_or(|names| names.get(index).is_none_or(|known| known == name))
        };
        let selects = |given: &Given, selector: &ArgumentSelector| match (selector, &given.place) {
            // A starred argument may be any of them.
            (_, GivenAs::Spread) => true,
            (ArgumentSelector::Position(position), GivenAs::Position(at)) => {
                parameter(*at).is_none_or(|index| index == position + receivers)
            }
            (ArgumentSelector::Position(position), GivenAs::Keyword(name)) => named(position + receivers, name),
            (ArgumentSelector::Name(name), GivenAs::Keyword(given)) => name == given,
            (ArgumentSelector::Name(name), GivenAs::Position(at)) => {
                parameter(*at).is_none_or(|index| named(index, name))
            }
        };
        let is_watched = |given: &&Given| match given.place {
            GivenAs::Position(at) if receivers > 0 && parameter(at) == Some(0) => known.receiver && !call.constructs,
            _ => {
                let selectors = known.arguments.as_ref();
                selectors.is_none_or(|selectors| selectors.iter().any(|selector| selects(given, selector)))
            }
        };
        arguments.of(call.point).iter().filter(is_watched).map(|given| given.value).collect()
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

/// The mark that the decorators leave on what they decorate.
const MARKS: &str = "__healguard__";
/// What makes an object of a class.
const CONSTRUCTORS: [&str; 2] = ["__init__", "__new__"];

/// A call of an operation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct OperationCall {
    point: Point,
    operation: Operation,
    /// The body that it enters, and how.
    entered: Option<(Func, Shift)>,
    /// It constructs an object of a protected class.
    constructs: bool,
}

impl OperationCall {
    /// A call that is known by what is called, or by its name.
    fn by_name(point: Point, operation: Operation) -> Self {
        OperationCall { point, operation, entered: None, constructs: false }
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
        Arguments { given }
    }

    fn of(&self, point: Point) -> &[Given] {
        self.given.get(&point).map_or(&[], Vec::as_slice)
    }
}
