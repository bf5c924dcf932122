//! `getattr(o, "x")` and its like: with known names they are the accesses that they stand for. So are imports by a function,
//! and the dictionaries that `globals()`, `vars()` and `locals()` give.

#![allow(
    clippy::iter_over_hash_type,
    reason = "what is gathered goes into sets and maps, or is sorted before it is used"
)]

use std::collections::{BTreeMap, BTreeSet};

use healguard_rules::schema::{Field, Obj, Point, Var, item_of};
use healguard_rules::{points_to, taint};

use crate::emit::{Emitter, base_name};
use crate::ir::{BodyKind, Constant, Kind, Name, Slot};
use crate::solve::PointsTo;

use crate::world::Entity;

use super::unresolved::UNKNOWN;
use super::{Engine, function_number};

/// A function of the library that stands for accesses to attributes, modules or variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Get,
    Has,
    Set,
    Delete,
    /// `__import__`: gives the package, or the module inside of it.
    Import,
    /// `importlib.import_module`.
    ImportModule,
    Reload,
    Globals,
    /// The `__dict__` of what it is given; the local variables where that is nothing.
    Variables,
    Locals,
    /// `type` with three arguments: makes a class of a name, bases and a namespace.
    MakeClass,
    /// `type.__new__`: the same behind the metaclass.
    CreateClass,
    /// `object.__new__`: a rule says what it gives.
    CreateObject,
    /// The exception that is being handled, between its class and its traceback.
    Handled,
    /// The exception itself.
    HandledItself,
    /// A text about it.
    HandledText,
    /// What `operator.methodcaller` gives.
    CallMethod,
    /// What `operator.attrgetter` gives.
    GetAttributes,
    /// `object.__setattr__`: the class of the object is not asked.
    SetPlainly,
    /// `dataclasses.dataclass`, or what it gives where it is not given a class.
    DataClass,
    /// `collections.namedtuple`.
    NamedTuple,
}

const ACCESSES: [(&str, Access); 22] = [
    ("builtins.getattr", Access::Get),
    ("builtins.hasattr", Access::Has),
    ("builtins.setattr", Access::Set),
    ("builtins.delattr", Access::Delete),
    ("builtins.object.__setattr__", Access::SetPlainly),
    ("builtins.__import__", Access::Import),
    ("importlib.import_module", Access::ImportModule),
    ("importlib.reload", Access::Reload),
    ("builtins.globals", Access::Globals),
    ("builtins.vars", Access::Variables),
    ("builtins.locals", Access::Locals),
    ("builtins.type", Access::MakeClass),
    ("builtins.type.__new__", Access::CreateClass),
    ("builtins.object.__new__", Access::CreateObject),
    ("sys.exc_info", Access::Handled),
    ("sys.exception", Access::HandledItself),
    ("traceback.format_exc", Access::HandledText),
    ("operator.methodcaller.__call__", Access::CallMethod),
    ("operator.attrgetter.__call__", Access::GetAttributes),
    ("collections.namedtuple", Access::NamedTuple),
    ("dataclasses.dataclass", Access::DataClass),
    ("dataclasses.decorator.__call__", Access::DataClass),
];

/// Bases of a class beyond which nobody looks.
const MOST_BASES: usize = 8;

/// Whether calls of a library function are taken apart here.
pub(crate) fn has_rules(name: &str) -> bool {
    ACCESSES.iter().any(|(known, _)| *known == name)
}

/// A call of such a function.
pub(super) struct Call {
    pub point: Point,
    pub access: Access,
    pub arguments: Vec<Var>,
    pub result: Option<Var>,
}

impl Engine<'_, '_> {
    /// Places the accesses that calls of these functions stand for.
    pub(super) fn tell_reflection(&mut self, solved: &PointsTo) {
        for call in self.reflecting_calls(solved) {
            match (call.access, &call.arguments[..]) {
                (Access::Get | Access::Has | Access::Set | Access::Delete, [base, name, ..]) => {
                    let (base, name) = (*base, *name);
                    self.tell_named(solved, &call, name, |engine, text| engine.place_access(&call, base, name, text));
                    if self.told.nameless.contains(&call.point) {
                        self.place_members(solved, &call, base, name);
                    }
                }
                (Access::Import | Access::ImportModule, [name, ..]) => {
                    let name = *name;
                    self.tell_named(solved, &call, name, |engine, text| engine.place_import(&call, name, text));
                }
                // The name comes first, behind the metaclass where `type.__new__` is called as a function.
                (Access::MakeClass, [_, bases, namespace, ..])
                | (Access::CreateClass, [_, bases, namespace] | [_, _, bases, namespace, ..]) => {
                    self.place_class(solved, &call, *bases, *namespace);
                }
                // A call of `type` looks like one of `type.__new__` as well.
                (Access::MakeClass | Access::CreateClass, [object]) => self.place_class_of(solved, &call, *object),
                (Access::CreateClass | Access::CreateObject, _) => {}
                (Access::Reload, [module]) => self.place_reload(solved, &call, *module),
                (Access::Globals, []) => self.place_globals(&call),
                (Access::Variables, [object]) => self.place_variables(&call, *object),
                (Access::Variables | Access::Locals, []) => self.place_locals(&call),
                (Access::Handled | Access::HandledItself, []) | (Access::HandledText, _) => self.place_handled(&call),
                (Access::CallMethod | Access::GetAttributes, [object]) => self.place_kept_names(solved, &call, *object),
                (Access::SetPlainly, [base, name, value]) => {
                    let (base, name, value) = (*base, *name, *value);
                    self.tell_named(solved, &call, name, |engine, text| {
                        if engine.is_answered_by_class(solved, base, text) {
                            engine.place_access(
                                &Call { access: Access::Set, arguments: call.arguments.clone(), ..call },
                                base,
                                name,
                                text,
                            );
                        } else {
                            engine.place_plain_store(&call, [base, name, value], text);
                        }
                    });
                }
                (Access::DataClass, [class]) => self.finish_data_classes(solved, &call, *class),
                (Access::NamedTuple, [name, fields]) => self.make_named_tuple(solved, &call, *name, *fields),
                (Access::DataClass, []) => self.place_decorator(&call),
                _ => self.give_up_on(call.point),
            }
        }
    }

    /// Positions of class patterns: the attributes that `__match_args__` of the class names.
    pub(super) fn tell_positions(&mut self, solved: &PointsTo) {
        for points_to::TakesPosition(point, result, subject, class, index) in self.facts.takes_position.clone() {
            if self.told.unresolved.contains(&point) {
                continue;
            }
            let classes = objects_of(solved, class);
            let mut named = classes.iter().filter(|class| index != 0 || !self.matches_itself(**class)).peekable();
            if named.peek().is_none() {
                continue;
            }
            if named.any(|class| !self.world.is_class(*class) || self.is_library_class(*class)) {
                self.give_up_on(point);
                continue;
            }
            let name = match self.told.positions.get(&point) {
                Some(name) => *name,
                None => self.place_position(point, class, index),
            };
            let call = Call { point, access: Access::Get, arguments: vec![subject, name], result: Some(result) };
            self.tell_named(solved, &call, name, |engine, text| engine.place_access(&call, subject, name, text));
        }
    }

    /// Looks up the name of a position; returns the variable that holds it.
    fn place_position(&mut self, point: Point, class: Var, index: u32) -> Var {
        let (names, key, name) = (self.variable(), self.variable(), self.variable());
        self.told.positions.insert(point, name);
        let Some((placed, _)) = self.bodies.at(point) else { return name };
        let (func, first_var) = (placed.func, placed.first_var);
        let slot = |var: Var| Slot(var.0 - first_var);
        let position = self.world.constant(&Constant::Int(index.to_string().into()));
        self.facts.holds.push(points_to::Holds(func, key, position));
        let attribute = Kind::LoadAttribute { dst: slot(names), base: slot(class), name: Name::from("__match_args__") };
        let item = Kind::LoadItem { dst: slot(name), base: slot(names), key: slot(key) };
        for kind in [attribute, item] {
            let beside = self.pseudo_point(point, func);
            self.place_beside(point, beside);
            self.emit_beside(func, beside, &kind);
        }
        name
    }

    fn is_library_class(&self, class: Obj) -> bool {
        matches!(self.world.entity(class), Some(Entity::Library(_)))
    }

    /// What a call does for each name that it may be given.
    fn tell_named(&mut self, solved: &PointsTo, call: &Call, name: Var, mut place: impl FnMut(&mut Self, &str)) {
        for object in objects_of(solved, name) {
            match self.world.constant_value(object).cloned() {
                Some(Constant::Str(text)) => place(self, &text),
                // An access by a name that nobody knows may read and write anything.
                _ => {
                    self.told.nameless.insert(call.point);
                    self.give_up_on(call.point);
                }
            }
        }
    }

    pub(super) fn give_up_on(&mut self, point: Point) {
        if self.told.unresolved.insert(point) {
            self.facts.unresolved.push(points_to::Unresolved(point));
        }
    }

    fn reflecting_calls(&mut self, solved: &PointsTo) -> Vec<Call> {
        let mut by_object: BTreeMap<Obj, Access> = BTreeMap::new();
        for (name, access) in ACCESSES {
            by_object.insert(self.world.library(name), access);
        }
        let mut points: BTreeMap<Point, Access> = BTreeMap::new();
        for points_to::Invokes(_, point, callee, ..) in &solved.invokes {
            if let Some(access) = by_object.get(callee) {
                points.insert(*point, *access);
            }
        }
        points.retain(|point, _| !self.told.unresolved.contains(point) || self.told.nameless.contains(point));
        let mut calls: Vec<Call> = Vec::new();
        for (point, access) in points {
            let mut arguments: Vec<(u32, Var)> = Vec::new();
            for points_to::Argument(at, position, var) in &self.facts.argument {
                if *at == point {
                    arguments.push((*position, *var));
                }
            }
            arguments.sort_unstable();
            let is_spread = self.facts.spread_argument.iter().any(|points_to::SpreadArgument(at, _)| *at == point);
            let arguments = if is_spread { Vec::new() } else { arguments.into_iter().map(|(_, var)| var).collect() };
            let results = self.facts.call_result.iter();
            let mut results = results.filter(|points_to::CallResult(at, _)| *at == point);
            let result = results.next().map(|points_to::CallResult(_, var)| *var);
            calls.push(Call { point, access, arguments, result });
        }
        calls
    }

    /// One access by one name, at a point beside the call.
    pub(super) fn place_access(&mut self, call: &Call, base: Var, name: Var, text: &str) {
        if !self.told.accesses.insert((call.point, Name::from(text))) {
            return;
        }
        let Some((placed, _)) = self.bodies.at(call.point) else { return };
        let (func, first_var) = (placed.func, placed.first_var);
        let slot = |var: Var| Slot(var.0 - first_var);
        let field = Name::from(text);
        let got = self.variable();
        let kind = match (call.access, call.arguments.get(2)) {
            (Access::Get | Access::Has, _) => Kind::LoadAttribute { dst: slot(got), base: slot(base), name: field },
            (Access::Set, Some(value)) => Kind::StoreAttribute { base: slot(base), name: field, src: slot(*value) },
            (Access::Set, None) => return self.give_up_on(call.point),
            (Access::Delete, _) => Kind::DeleteAttribute { base: slot(base), name: field },
            // The others are no accesses to attributes.
            _ => return,
        };
        let point = self.pseudo_point(call.point, func);
        self.place_beside(call.point, point);
        self.emit_beside(func, point, &kind);
        match call.access {
            Access::Set | Access::Delete => self.facts.names_attribute.push(taint::NamesAttribute(point, base, name)),
            Access::Get if call.arguments.len() < 3 => {}
            _ => self.facts.swallows.push(taint::Swallows(point)),
        }
        let Some(result) = call.result else { return };
        self.facts.derives.push(taint::Derives(point, result, name));
        match call.access {
            Access::Get => {
                let default = call.arguments.get(2).map(|default| points_to::Copies(result, *default));
                self.facts.copies.extend([points_to::Copies(result, got)].into_iter().chain(default));
            }
            Access::Has => {
                let class = self.world.library("builtins.bool");
                self.facts.allocates.push(points_to::Allocates(func, point, result, class));
                self.facts.derives.push(taint::Derives(point, result, got));
                self.facts.derives.push(taint::Derives(point, result, base));
            }
            _ => {
                let none = self.world.constant(&Constant::None);
                self.facts.holds.push(points_to::Holds(func, result, none));
            }
        }
    }

    /// Whether a class of an object has a member of that name which answers where the attribute is set.
    fn is_answered_by_class(&mut self, solved: &PointsTo, object: Var, name: &str) -> bool {
        let objects = objects_of(solved, object);
        let classes = solved.class_of.iter().filter(|points_to::ClassOf(of, _)| objects.contains(of));
        let classes: BTreeSet<Obj> = classes.map(|points_to::ClassOf(_, class)| *class).collect();
        let field = self.world.attribute(name);
        let bases = self.class_bases.clone();
        let above: BTreeSet<Obj> =
            classes.into_iter().flat_map(|class| self.world.resolution_order(class, &bases)).collect();
        let held = solved.field_points_to.iter();
        let held = held.filter(|points_to::FieldPointsTo(class, of, _)| *of == field && above.contains(class));
        held.into_iter().any(|points_to::FieldPointsTo(_, _, member)| !healguard_rules::schema::is_constant(*member))
    }

    /// A store past everything that the class of the object does about it.
    fn place_plain_store(&mut self, call: &Call, [base, name, value]: [Var; 3], text: &str) {
        if !self.told.accesses.insert((call.point, Name::from(text))) {
            return;
        }
        let Some((placed, _)) = self.bodies.at(call.point) else { return };
        let func = placed.func;
        let point = self.pseudo_point(call.point, func);
        self.place_beside(call.point, point);
        let field = self.world.attribute(text);
        self.facts.stores_raw.push(points_to::StoresRaw(point, base, field, value));
        self.facts.operand.extend([base, value].map(|var| points_to::Operand(point, var)));
        self.facts.names_attribute.push(taint::NamesAttribute(point, base, name));
        if let Some(result) = call.result {
            let none = self.world.constant(&Constant::None);
            self.facts.holds.push(points_to::Holds(func, result, none));
        }
    }

    /// The class of an object. Which one that is depends on healed state where there may be several.
    fn place_class_of(&mut self, solved: &PointsTo, call: &Call, object: Var) {
        let Some(result) = call.result else { return };
        if self.told.accesses.insert((call.point, Name::from("__class__"))) {
            self.facts.loads_class.push(points_to::LoadsClass(call.point, result, object));
        }
        let objects = objects_of(solved, object);
        let classes = solved.class_of.iter().filter(|points_to::ClassOf(of, _)| objects.contains(of));
        let classes: BTreeSet<Obj> = classes.map(|points_to::ClassOf(_, class)| *class).collect();
        if classes.len() > 1 && self.told.accesses.insert((call.point, Name::from("several classes"))) {
            self.facts.derives.push(taint::Derives(call.point, result, object));
        }
    }

    /// The exception that is being handled may be any that was raised.
    fn place_handled(&mut self, call: &Call) {
        let (Some((placed, _)), Some(result)) = (self.bodies.at(call.point), call.result) else { return };
        let func = placed.func;
        if !self.told.accesses.insert((call.point, Name::from("exception"))) {
            return;
        }
        let raised = self.world.object(Entity::Raised);
        let error = if call.access == Access::HandledItself { result } else { self.variable() };
        self.facts.loads_place.push(points_to::LoadsPlace(call.point, error, raised, Field::ANY_ITEM));
        if call.access == Access::HandledText {
            self.facts.inspects.push(taint::Inspects(call.point, result, error));
            self.facts.derives.push(taint::Derives(call.point, result, error));
            self.facts.looks_into.push(points_to::LooksInto(error));
        }
        if call.access != Access::Handled {
            return;
        }
        let class = self.variable();
        self.facts.loads_class.push(points_to::LoadsClass(call.point, class, error));
        let trace = self.variable();
        let (unknown, tuple) = (self.world.library(UNKNOWN), self.world.library("builtins.tuple"));
        self.facts.allocates.push(points_to::Allocates(func, call.point, trace, unknown));
        let point = self.pseudo_point(call.point, func);
        self.place_beside(call.point, point);
        self.facts.allocates.push(points_to::Allocates(func, point, result, tuple));
        for (index, held) in [class, error, trace].into_iter().enumerate() {
            let key = self.world.constant(&Constant::Int(index.to_string().into()));
            self.facts.stores_raw.push(points_to::StoresRaw(point, result, item_of(key), held));
        }
    }

    /// An import by a function: the bodies run in order, each at a point of its own.
    fn place_import(&mut self, call: &Call, name: Var, text: &str) {
        if !self.told.accesses.insert((call.point, Name::from(text))) {
            return;
        }
        // A relative name, or what `fromlist` and `level` change.
        if text.starts_with('.') || call.arguments.len() > 4 {
            return self.give_up_on(call.point);
        }
        let Some((placed, _)) = self.bodies.at(call.point) else { return };
        let func = placed.func;
        let ends = text.match_indices('.').map(|(at, _)| at).chain([text.len()]);
        let packages: Vec<&str> = ends.map(|end| &text[..end]).collect();
        for package in &packages {
            let point = self.pseudo_point(call.point, func);
            self.place_beside(call.point, point);
            self.emit_beside(func, point, &Kind::RunModule { module: Name::from(*package), level: 0 });
        }
        let Some(result) = call.result else { return };
        self.facts.derives.push(taint::Derives(call.point, result, name));
        let outermost = packages.first().filter(|_| call.access == Access::Import);
        for module in outermost.into_iter().chain([&text]) {
            let module = self.world.object(Entity::Module(Name::from(*module)));
            self.facts.holds.push(points_to::Holds(func, result, module));
        }
    }

    /// The body of a module runs again.
    fn place_reload(&mut self, solved: &PointsTo, call: &Call, module: Var) {
        for object in objects_of(solved, module) {
            let Some(Entity::Module(name)) = self.world.entity(object).cloned() else { continue };
            if !self.told.accesses.insert((call.point, name.clone())) {
                continue;
            }
            let Some(file) = self.world.module_file(&name) else { continue };
            let body = self.function(file, 0);
            self.facts.runs_module.push(points_to::RunsModule(call.point, object, body));
            self.facts.copies.extend(call.result.map(|result| points_to::Copies(result, module)));
        }
    }

    /// A class that a call makes: the items of the namespace are its members. Where the namespace is that of a class statement, it
    /// is that class.
    fn place_class(&mut self, solved: &PointsTo, call: &Call, bases: Var, namespace: Var) {
        let (Some((placed, _)), Some(result)) = (self.bodies.at(call.point), call.result) else { return };
        let func = placed.func;
        let of_statement = |object: &Obj| {
            let owners = solved.dictionary_of.iter().filter(|points_to::DictionaryOf(of, _)| of == object);
            let mut owners = owners.map(|points_to::DictionaryOf(_, class)| *class);
            owners.any(|class| matches!(self.world.entity(class), Some(Entity::Class(..))))
        };
        let objects = objects_of(solved, namespace);
        let makes_another = objects.iter().any(|object| !of_statement(object));
        if self.told.accesses.insert((call.point, Name::from("type"))) {
            self.facts.gives_class.push(points_to::GivesClass(call.point, namespace, result));
        }
        if !makes_another || !self.told.accesses.insert((call.point, Name::from("class"))) {
            return;
        }
        let class = self.world.object(Entity::MadeClass(call.point.0));
        self.facts.holds.push(points_to::Holds(func, result, class));
        self.facts.namespace_of.push(points_to::NamespaceOf(class, namespace));
        for index in 0..MOST_BASES {
            let key = self.world.constant(&Constant::Int(index.to_string().into()));
            let (base, field) = (self.variable(), self.world.attribute(&base_name(index)));
            self.facts.loads_raw.push(points_to::LoadsRaw(call.point, base, bases, item_of(key)));
            self.facts.stores_place.push(points_to::StoresPlace(call.point, class, field, base));
            self.facts.has_base.push(points_to::HasBase(class, base));
        }
    }

    /// The globals of the module around a call, as a dictionary.
    fn place_globals(&mut self, call: &Call) {
        let Some((placed, _)) = self.bodies.at(call.point) else { return };
        let module = self.world.module_of(placed.file);
        self.place_dictionary(call, Entity::Module(module));
    }

    fn place_dictionary(&mut self, call: &Call, namespace: Entity) {
        let (Some((placed, _)), Some(result)) = (self.bodies.at(call.point), call.result) else { return };
        let func = placed.func;
        if !self.told.accesses.insert((call.point, Name::from("__dict__"))) {
            return;
        }
        let (namespace, class) = (self.world.object(namespace), self.world.library("builtins.dict"));
        let base = self.variable();
        self.facts.holds.push(points_to::Holds(func, base, namespace));
        self.facts.loads_dictionary.push(points_to::LoadsDictionary(call.point, result, base, class));
    }

    /// `vars(x)` is `x.__dict__`.
    fn place_variables(&mut self, call: &Call, object: Var) {
        self.place_access(&Call { access: Access::Get, arguments: vec![object], ..*call }, object, object, "__dict__");
    }

    /// `locals()`: in a module or class the names that it has, in a function those that came with the call.
    fn place_locals(&mut self, call: &Call) {
        let Some((placed, _)) = self.bodies.at(call.point) else { return };
        match placed.ssa.body.kind {
            BodyKind::Module => self.place_globals(call),
            BodyKind::Class => self.place_dictionary(call, Entity::Class(placed.file, placed.body)),
            _ => {}
        }
    }

    /// Writes the facts of an instruction that stands at a point of its own.
    pub(super) fn emit_beside(&mut self, func: healguard_rules::schema::Func, point: Point, kind: &Kind) {
        let Some(placed) = self.bodies.of_func(func) else { return };
        let (functions, owners, next) = (&mut self.functions, &mut self.owners, &mut self.next_func);
        let mut number = |file, body| function_number(functions, owners, next, file, body);
        let emitter = Emitter::new(self.world, &mut self.facts, &mut number, placed);
        self.next_var = emitter.emit_extra(point, kind, self.next_var);
    }
}

pub(super) fn objects_of(solved: &PointsTo, var: Var) -> BTreeSet<Obj> {
    let held = solved.var_points_to.iter().filter(|points_to::VarPointsTo(_, of, _)| *of == var);
    held.map(|points_to::VarPointsTo(_, _, object)| *object).collect()
}
