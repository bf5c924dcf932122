//! Classes that a function of the library finishes: the methods that it adds are written as text and analysed like the program's own.

use healguard_rules::points_to;
use healguard_rules::schema::{Ctx, Field, Obj, Point, Var, is_item};
use rustc_hash::FxHashSet;

use crate::data_class::{self, CLASS, DECORATOR, DataField, Declared, KEPT, Options};
use crate::enumeration;
use crate::ir::{Assigned, Body, Constant, Form, Kind, Name};
use crate::named_tuple::{self, TupleField};
use crate::snapshot::{Object, ObjectId, Value};
use crate::solve::PointsTo;
use crate::world::{Entity, FileId, last_name};

use super::Engine;
use super::reflection::{Call, objects_of};
use super::requests::is_plain_base;

/// The class of what `dataclasses.dataclass` gives where it is not given a class.
const DECORATOR_CLASS: &str = "dataclasses.decorator";
const NAMED_TUPLE: &str = "typing.NamedTuple";
/// Classes of values that the members of an enumeration may be of.
const MIXED_IN: [&str; 3] = ["int", "str", "float"];
const FIELDS: &str = "__dataclass_fields__";
/// Decorators of classes that make no data classes of them.
const PLAIN_DECORATORS: [&str; 4] = ["total_ordering", "final", "runtime_checkable", "unique"];

impl<'s> Engine<'_, 's> {
    /// What the decorator gives with keywords alone waits for the class.
    pub(super) fn place_decorator(&mut self, call: &Call) {
        let (Some((placed, _)), Some(result)) = (self.bodies.at(call.point), call.result) else { return };
        let func = placed.func;
        if self.told.accesses.insert((call.point, Name::from(DECORATOR))) {
            let class = self.world.library(DECORATOR_CLASS);
            self.facts.allocates.push(points_to::Allocates(func, call.point, result, class));
        }
    }

    /// Finishes the classes that the decorator is given.
    pub(super) fn finish_data_classes(&mut self, solved: &PointsTo, call: &Call, class: Var) {
        let has_keywords =
            self.facts.keyword_argument.iter().any(|points_to::KeywordArgument(at, ..)| *at == call.point);
        if has_keywords {
            return self.give_up_on(call.point);
        }
        if self.told.accesses.insert((call.point, Name::from(DECORATOR))) {
            self.facts.copies.extend(call.result.map(|result| points_to::Copies(result, class)));
        }
        for object in objects_of(solved, class) {
            let Some(Entity::Class(file, body)) = self.world.entity(object).cloned() else {
                self.give_up_on(call.point);
                continue;
            };
            let name = Name::from(format!("data class {file} {body}").as_str());
            let has_bases = self.facts.has_base.iter().filter(|points_to::HasBase(of, _)| *of == object);
            let has_bases = has_bases.map(|points_to::HasBase(_, base)| *base).collect::<Vec<Var>>();
            // A base that is not known yet may have fields.
            if has_bases.into_iter().any(|base| objects_of(solved, base).is_empty()) {
                continue;
            }
            if !self.told.accesses.insert((call.point, name)) {
                continue;
            }
            match self.data_class_text(object, file, body) {
                Some(text) => {
                    let (module, run) = self.finishing_module(object, &text);
                    self.facts.runs_module.push(points_to::RunsModule(call.point, module, run));
                }
                None => self.give_up_on(call.point),
            }
        }
    }

    /// What the decorator adds to a class of the program.
    fn data_class_text(&mut self, class: Obj, file: FileId, body: usize) -> Option<String> {
        let source = self.world.body(file, body)?.clone();
        let options = self.options(file, &source)?;
        let mut fields = self.inherited_fields(class)?;
        merge(&mut fields, self.declared_fields(file, &source, options)?);
        let calls_post_init = self.has_member(class, "__post_init__");
        let bound = |name: &str| source.owned.iter().any(|owned| &**owned == name);
        Some(data_class::text(&fields, options, calls_post_init, &bound))
    }

    /// What the decorator of a class is told; nothing where that is not to be seen.
    fn options(&self, file: FileId, body: &Body) -> Option<Options> {
        let is_it = |name: &Name| self.means(file, name, DECORATOR);
        match body.options.iter().find(|(name, _)| is_it(name)) {
            Some((_, keywords)) => Options::of(keywords),
            None if body.decorators.iter().any(is_it) => Some(Options::default()),
            None => None,
        }
    }

    fn declared_fields(&self, file: FileId, body: &Body, options: Options) -> Option<Vec<DataField>> {
        data_class::own_fields(body, options, &|name| self.imported_name(file, name))
    }

    /// Whether a name of a file, as it is written, means the one of the library.
    fn means(&self, file: FileId, written: &str, meant: &str) -> bool {
        let last = written.rsplit('.').next().unwrap_or(written);
        self.imported_name(file, written).as_deref().unwrap_or(last) == meant
    }

    /// What a global of a file was called where it was imported from.
    fn imported_name(&self, file: FileId, name: &str) -> Option<Name> {
        let nodes = &self.world.body(file, 0)?.nodes;
        let stored = nodes.iter().find_map(|node| match &node.kind {
            Kind::StoreGlobal { name: stored, src } if &**stored == name => Some(*src),
            _ => None,
        })?;
        nodes.iter().find_map(|node| match &node.kind {
            Kind::ImportFrom { dst, name, .. } if *dst == stored => Some(name.clone()),
            _ => None,
        })
    }

    /// The fields of the classes above, which these keep.
    fn inherited_fields(&mut self, class: Obj) -> Option<Vec<DataField>> {
        let bases = self.class_bases.clone();
        let mut fields = Vec::new();
        for base in self.world.resolution_order(class, &bases).into_iter().rev().filter(|base| *base != class) {
            let own = match self.world.entity(base).cloned() {
                Some(Entity::Snapshot(id)) => self.finished_fields(id).unwrap_or_default(),
                Some(Entity::Class(file, body)) => {
                    let source = self.world.body(file, body)?.clone();
                    match self.options(file, &source) {
                        Some(options) => self.declared_fields(file, &source, options)?,
                        None if source.decorators.iter().all(|name| self.adds_no_fields(file, name)) => Vec::new(),
                        None => return None,
                    }
                }
                Some(Entity::Library(name)) if is_plain_base(&name) || self.world.models.class(&name).is_some() => {
                    Vec::new()
                }
                _ => return None,
            };
            merge(&mut fields, own.into_iter().map(|field| DataField { declared: Declared::Above, ..field }).collect());
        }
        Some(fields)
    }

    fn adds_no_fields(&self, file: FileId, decorator: &str) -> bool {
        PLAIN_DECORATORS.iter().any(|plain| self.means(file, decorator, plain))
    }

    fn has_member(&mut self, class: Obj, name: &str) -> bool {
        let bases = self.class_bases.clone();
        let order = self.world.resolution_order(class, &bases);
        order.into_iter().any(|class| self.world.owns(class, name) == Some(true))
    }

    /// The module that finishes a class.
    fn finishing_module(&mut self, class: Obj, text: &str) -> (Obj, healguard_rules::schema::Func) {
        let dotted = self.world.dotted(class).unwrap_or_default();
        let name = format!("class {dotted} {}", class.0);
        let file = self.world.add_module(&name, text);
        let module = self.world.object(Entity::Module(Name::from(name.as_str())));
        let field = self.world.attribute(data_class::CLASS);
        self.facts.initially.push(points_to::Initially(module, field, class));
        self.told.namespaces.insert((module, field));
        let stored = self.tell_kept(file);
        self.told.finished.insert(class, stored);
        self.facts.finished.push(points_to::Finished(class));
        (module, self.function(file, 0))
    }

    /// Says which attributes no program sees; gives all that a finishing module stores.
    fn tell_kept(&mut self, file: FileId) -> FxHashSet<Name> {
        let nodes = self.world.body(file, 0).map(|body| body.nodes.as_slice()).unwrap_or_default();
        let stored = nodes.iter().filter_map(|node| match &node.kind {
            Kind::StoreAttribute { name, .. } => Some(name.clone()),
            _ => None,
        });
        let stored: FxHashSet<Name> = stored.collect();
        let mut kept: Vec<&Name> = stored.iter().filter(|name| name.starts_with(KEPT)).collect();
        kept.sort_unstable();
        for name in kept {
            let field = self.world.attribute(name);
            self.facts.internal.push(points_to::Internal(field));
        }
        stored
    }

    // ------------------------------------------------------------------ named tuples

    /// The class that `namedtuple` makes, where its fields are to be seen.
    pub(super) fn make_named_tuple(&mut self, solved: &PointsTo, call: &Call, name: Var, fields: Var) {
        let given = self.facts.keyword_argument.iter().filter(|points_to::KeywordArgument(at, ..)| *at == call.point);
        let given: Vec<(u32, Var)> = given.map(|points_to::KeywordArgument(_, name, var)| (*name, *var)).collect();
        let given: Vec<(String, Var)> =
            given.into_iter().map(|(name, var)| (self.world.name_text(name).to_owned(), var)).collect();
        let defaults = given.iter().find(|(name, _)| name == "defaults").map(|(_, var)| *var);
        let (Some(names), Some(text), true) =
            (self.field_names_given(solved, fields), self.only_text(solved, name), self.is_plain(&given))
        else {
            // What it is given may not be known yet.
            if !objects_of(solved, fields).is_empty() {
                self.give_up_on(call.point);
            }
            return;
        };
        if !self.told.accesses.insert((call.point, Name::from("named tuple"))) {
            return;
        }
        let Some(result) = call.result else { return };
        let fields = names.iter().enumerate().map(|(at, name)| TupleField {
            name: name.clone(),
            // Defaults belong to the last fields.
            default: defaults.map(|_| format!("_defaults[{at} - {} + len(_defaults)]", names.len())),
        });
        let fields: Vec<TupleField> = fields.collect();
        let source = named_tuple::made_class(&text) + &named_tuple::text(&fields, &|_| false);
        let module = format!("class {text} {}", call.point.0);
        let file = self.world.add_module(&module, &source);
        let module = self.world.object(Entity::Module(Name::from(module.as_str())));
        let field = self.world.attribute("_defaults");
        self.told.namespaces.insert((module, field));
        self.facts.stores_place.extend(defaults.map(|var| points_to::StoresPlace(call.point, module, field, var)));
        self.tell_kept(file);
        let bodies = self.world.files[file].lowered.as_ref().map(|file| file.bodies.as_slice()).unwrap_or_default();
        let made = bodies.iter().position(|body| *body.qualified_name == *text);
        if let Some(made) = made {
            let made = self.world.object(Entity::Class(file, made));
            self.facts.closed.push(points_to::Closed(made));
        }
        let run = self.function(file, 0);
        self.facts.runs_module.push(points_to::RunsModule(call.point, module, run));
        let field = self.world.attribute(data_class::CLASS);
        self.facts.loads_place.push(points_to::LoadsPlace(call.point, result, module, field));
    }

    /// Whether nothing is given but what changes no field.
    fn is_plain(&self, given: &[(String, Var)]) -> bool {
        given.iter().all(|(name, _)| matches!(name.as_str(), "defaults" | "module"))
    }

    fn only_text(&self, solved: &PointsTo, var: Var) -> Option<String> {
        let objects = objects_of(solved, var);
        let mut objects = objects.iter();
        match self.world.constant_value(*objects.next()?) {
            Some(Constant::Str(text)) if objects.next().is_none() => Some(text.to_string()),
            _ => None,
        }
    }

    /// The names of fields in one text, or in a list of texts.
    fn field_names_given(&self, solved: &PointsTo, var: Var) -> Option<Vec<Name>> {
        let split = |text: &str| -> Vec<Name> { text.replace(',', " ").split_whitespace().map(Name::from).collect() };
        if let Some(text) = self.only_text(solved, var) {
            return Some(split(&text)).filter(|names| !names.is_empty());
        }
        let objects = objects_of(solved, var);
        let list = objects.first().filter(|_| objects.len() == 1)?;
        let held = solved.field_points_to.iter().filter(|points_to::FieldPointsTo(of, ..)| of == list);
        let mut names: Vec<Option<Name>> = Vec::new();
        for points_to::FieldPointsTo(_, field, value) in held {
            if !is_item(*field) {
                continue;
            }
            let place = self.facts.place_of.iter().find(|points_to::PlaceOf(item, _)| item == field);
            let points_to::PlaceOf(_, place) = place?;
            let Some(Constant::Str(text)) = self.world.constant_value(*value) else { return None };
            let place = *place as usize;
            names.resize(names.len().max(place + 1), None);
            if names[place].replace(text.clone()).is_some() {
                return None;
            }
        }
        let names: Option<Vec<Name>> = names.into_iter().collect();
        names.filter(|names| !names.is_empty())
    }

    /// Finishes the classes of the program that are named tuples.
    pub(super) fn tell_named_tuples(&mut self, solved: &PointsTo) {
        let base = self.world.library(NAMED_TUPLE);
        for points_to::MakesSubclass(point, var) in self.facts.makes_subclass.clone() {
            for class in objects_of(solved, var) {
                let is_one = self.class_bases.get(&class).is_some_and(|bases| bases.contains(&base));
                let Some(Entity::Class(file, body)) = self.world.entity(class).cloned() else { continue };
                if !is_one || self.told.finished.contains_key(&class) {
                    continue;
                }
                let Some(source) = self.world.body(file, body).cloned() else { continue };
                let fields = source.annotated.iter().map(|annotated| TupleField {
                    name: annotated.name.clone(),
                    default: annotated.has_value.then(|| format!("{CLASS}.{KEPT}declared_{}", annotated.name)),
                });
                let bound = |name: &str| source.owned.iter().any(|owned| &**owned == name);
                let text = named_tuple::text(&fields.collect::<Vec<_>>(), &bound);
                let (module, run) = self.finishing_module(class, &text);
                self.facts.closed.push(points_to::Closed(class));
                self.facts.runs_module.push(points_to::RunsModule(point, module, run));
            }
        }
    }

    // ------------------------------------------------------------------ enumerations

    /// Makes the members of the enumerations of the program.
    pub(super) fn tell_enumerations(&mut self, solved: &PointsTo) {
        for points_to::MakesSubclass(point, var) in self.facts.makes_subclass.clone() {
            for class in objects_of(solved, var) {
                let Some(Entity::Class(file, body)) = self.world.entity(class).cloned() else { continue };
                if self.told.finished.contains_key(&class) || !self.is_enumeration(class) {
                    continue;
                }
                let Some(source) = self.world.body(file, body).cloned() else { continue };
                match self.members_of_enumeration(solved, class, &source) {
                    Some(Some((members, kind))) => {
                        let members: Vec<&Assigned> = members.iter().collect();
                        let text = enumeration::text(&members, &kind);
                        let (module, run) = self.finishing_module(class, &text);
                        self.hand_values_on(class, module, &members);
                        if !members.is_empty() {
                            self.facts.closed.push(points_to::Closed(class));
                        }
                        self.facts.runs_module.push(points_to::RunsModule(point, module, run));
                    }
                    // What a member is to be is not known yet.
                    Some(None) => {}
                    None => {
                        self.told.finished.insert(class, FxHashSet::default());
                        self.facts.foreign_class.push(points_to::ForeignClass(class));
                    }
                }
            }
        }
    }

    fn is_enumeration(&mut self, class: Obj) -> bool {
        let bases = self.class_bases.clone();
        let order = self.world.resolution_order(class, &bases);
        order.into_iter().any(|base| base != class && self.world.dotted(base).as_deref() == Some("enum.Enum"))
    }

    /// The members that a class body declares, and what is to be known to make them. Nothing where that cannot be seen; nothing
    /// inside where it cannot be seen yet.
    fn members_of_enumeration(
        &mut self,
        solved: &PointsTo,
        class: Obj,
        source: &Body,
    ) -> Option<Option<(Vec<Assigned>, enumeration::Kind)>> {
        let mut members: Vec<Assigned> = Vec::new();
        for assigned in source.assigned.as_ref()?.iter().filter(|assigned| enumeration::is_member_name(&assigned.name))
        {
            let field = self.world.attribute(&assigned.name);
            let stored: Vec<Var> = self.stores_of(class, field).map(|points_to::StoresPlace(.., var)| *var).collect();
            let values: Vec<Obj> = stored.into_iter().flat_map(|var| objects_of(solved, var)).collect();
            if values.is_empty() {
                return Some(None);
            }
            let is_code = |object: &Obj| solved.code_is.iter().any(|points_to::CodeIs(method, _)| method == object);
            let is_called = matches!(&assigned.form, Form::Call(called) if !matches!(last_name(called), "auto"));
            let no_members = values.iter().filter(|value| is_code(value) || self.world.is_class(**value)).count();
            if no_members == values.len() {
                continue;
            }
            // A descriptor is no member, and `member` and `nonmember` say what is one.
            let is_strange = |value: &Obj| !self.is_member_value(solved, *value);
            if no_members > 0 || (is_called && values.iter().any(is_strange)) {
                return None;
            }
            if members.iter().any(|known| known.name == assigned.name) {
                return None;
            }
            members.push(assigned.clone());
        }
        let bases = self.class_bases.clone();
        let order = self.world.resolution_order(class, &bases);
        let names: Vec<String> = order.iter().filter_map(|base| self.world.dotted(*base)).collect();
        let has = |wanted: &str| names.iter().any(|name| name == wanted);
        let mixed = MIXED_IN.iter().find(|name| has(&format!("builtins.{name}")));
        let is_known = |base: &Obj| match self.world.entity(*base) {
            Some(Entity::Library(name)) => {
                is_plain_base(name) || MIXED_IN.iter().any(|mixed| name.strip_prefix("builtins.") == Some(mixed))
            }
            Some(Entity::Class(..) | Entity::Snapshot(_)) => true,
            _ => false,
        };
        if !order.iter().all(is_known) {
            return None;
        }
        let own = |engine: &Self, name: &str| {
            order.iter().any(|class| {
                let is_library = engine.world.dotted(*class).is_some_and(|name| name.starts_with("enum."));
                !is_library && engine.is_program_class(*class) && engine.world.owns(*class, name) == Some(true)
            })
        };
        let creates = own(self, "__new__");
        Some(Some((
            members,
            enumeration::Kind {
                mixed_in: mixed.copied(),
                creates,
                sets_value: creates && self.stores_value(&order),
                initialises: own(self, "__init__"),
                is_flag: has("enum.Flag"),
                is_text: has("enum.StrEnum"),
                generates: own(self, "_generate_next_value_"),
            },
        )))
    }

    fn stores_of(&self, class: Obj, field: Field) -> impl Iterator<Item = &points_to::StoresPlace> {
        let stores = self.facts.stores_place.iter();
        stores.filter(move |points_to::StoresPlace(_, object, of, _)| *object == class && *of == field)
    }

    fn is_program_class(&self, class: Obj) -> bool {
        matches!(self.world.entity(class), Some(Entity::Class(..) | Entity::Snapshot(_)))
    }

    /// Whether a value that a call gave makes a member: it is plain, or what `auto` gives.
    fn is_member_value(&self, solved: &PointsTo, value: Obj) -> bool {
        let classes = solved.class_of.iter().filter(|points_to::ClassOf(object, _)| *object == value);
        let mut classes = classes.map(|points_to::ClassOf(_, class)| *class).peekable();
        classes.peek().is_some()
            && classes.all(|class| {
                let dotted = self.world.dotted(class).unwrap_or_default();
                self.world.models.class(&dotted).is_some_and(|class| class.immutable) || dotted == "enum.auto"
            })
    }

    /// Whether `__new__` of one of these classes sets the value of a member.
    fn stores_value(&self, order: &[Obj]) -> bool {
        let field = self.world.known_attribute("_value_");
        let is_named = |file: FileId, body: usize| {
            self.world.body(file, body).is_some_and(|body| last_name(&body.qualified_name) == "__new__")
        };
        let files = order.iter().filter_map(|class| match self.world.entity(*class) {
            Some(Entity::Class(file, _)) => Some(*file),
            _ => None,
        });
        field.is_some()
            && files.into_iter().any(|file| {
                let bodies = self.world.files[file].lowered.as_ref().map(|file| file.bodies.len()).unwrap_or_default();
                (0..bodies).filter(|body| is_named(file, *body)).any(|body| {
                    let nodes = self.world.body(file, body).map(|body| body.nodes.as_slice()).unwrap_or_default();
                    nodes
                        .iter()
                        .any(|node| matches!(&node.kind, Kind::StoreAttribute { name, .. } if &**name == "_value_"))
                })
            })
    }

    /// What the body of a class assigns is what the members are made of.
    fn hand_values_on(&mut self, class: Obj, module: Obj, members: &[&Assigned]) {
        for member in members {
            let field = self.world.attribute(&member.name);
            let target = self.world.attribute(&format!("{}{}", enumeration::VALUE, member.name));
            self.told.namespaces.insert((module, target));
            let stores: Vec<(Point, Var)> =
                self.stores_of(class, field).map(|points_to::StoresPlace(point, .., var)| (*point, *var)).collect();
            let handed = stores.into_iter().map(|(point, var)| points_to::StoresPlace(point, module, target, var));
            self.facts.stores_place.extend(handed);
        }
    }

    // ------------------------------------------------------------------ classes from before the crash

    /// Writes the methods of a named tuple from before the crash.
    fn tell_finished_tuple(&mut self, class: Obj, source: &'s Object) {
        let snapshot = self.world.snapshot;
        let is_tuple = |base: &Object| base.qualname.as_deref() == Some("tuple");
        let is_tuple = source.mro.iter().filter_map(|base| snapshot.object(base)).any(is_tuple);
        let made = source.attributes.get("__new__").and_then(|value| snapshot.object(value));
        let names = source.attributes.get("_fields").and_then(|value| snapshot.object(value));
        let (true, Some(_), Some(names)) = (is_tuple, made, names) else { return };
        let defaults = source.attributes.get("_field_defaults").and_then(|value| snapshot.object(value));
        let defaults = defaults.and_then(|defaults| defaults.entries.as_deref()).unwrap_or_default();
        let fields = names.items.as_deref().unwrap_or_default().iter().filter_map(|name| match name {
            Value::Str(name) => Some(TupleField {
                name: Name::from(name.as_str()),
                default: defaults
                    .iter()
                    .any(|(key, _)| key == &Value::Str(name.clone()))
                    .then(|| format!("{CLASS}.{KEPT}defaults[\"{name}\"]")),
            }),
            _ => None,
        });
        let text = named_tuple::text(&fields.collect::<Vec<_>>(), &|_| false);
        let text = text.replace(&format!("{KEPT}defaults["), "_field_defaults[");
        let text = text.lines().filter(|line| !line.starts_with(&format!("{CLASS}._field")));
        let (_, run) = self.finishing_module(class, &text.collect::<Vec<_>>().join("\n"));
        self.facts.closed.push(points_to::Closed(class));
        self.facts.root.push(points_to::Root(Ctx::SHARED, run));
    }

    /// Writes the methods of a class that was finished before the crash.
    pub(super) fn tell_finished_class(&mut self, class: Obj, source: &'s Object, id: ObjectId) {
        let Some(fields) = self.finished_fields(id) else { return self.tell_finished_tuple(class, source) };
        let Some(options) = self.finished_options(source) else { return };
        let bound = |engine: &mut Self, name: &str| !engine.is_written_by_library(source, name);
        let names = source.attributes.keys().map(String::as_str).collect::<Vec<_>>();
        let bound: Vec<&str> = names.into_iter().filter(|name| bound(self, name)).collect();
        let is_bound = |name: &str| name == "__match_args__" || name == "__hash__" || bound.contains(&name);
        let calls_post_init = self.has_member(class, "__post_init__");
        let text = data_class::text(&fields, options, calls_post_init, &is_bound);
        let (_, run) = self.finishing_module(class, &text);
        self.facts.root.push(points_to::Root(Ctx::SHARED, run));
    }

    /// Whether an attribute of a class from before the crash is a method that the decorator wrote.
    fn is_written_by_library(&mut self, class: &Object, name: &str) -> bool {
        let Some(member) = class.attributes.get(name).and_then(|value| self.world.snapshot.object(value)) else {
            return false;
        };
        member.kind == "function"
            && (member.module.as_deref() == Some("dataclasses") || self.world.code_of(member).is_none())
    }

    fn finished_options(&self, class: &Object) -> Option<Options> {
        let told = class.attributes.get("__dataclass_params__").and_then(|value| self.world.snapshot.object(value))?;
        let truth = |name: &str| matches!(told.attributes.get(name), Some(Value::Bool(true)));
        Some(Options {
            init: truth("init"),
            repr: truth("repr"),
            eq: truth("eq"),
            order: truth("order"),
            unsafe_hash: truth("unsafe_hash"),
            frozen: truth("frozen"),
            ..Options::default()
        })
    }

    /// The fields of a class that was finished before the crash.
    fn finished_fields(&self, id: ObjectId) -> Option<Vec<DataField>> {
        let snapshot = self.world.snapshot;
        let fields = snapshot.objects.get(&id)?.attributes.get(FIELDS)?;
        let entries = snapshot.object(fields)?.entries.as_deref()?;
        let fields = entries.iter().map(|(_, field)| {
            let field = snapshot.object(field)?;
            let truth = |name: &str| matches!(field.attributes.get(name), Some(Value::Bool(true)));
            let is_given = |name: &str| {
                let value = field.attributes.get(name).and_then(|value| snapshot.object(value));
                value.is_none_or(|value| value.type_name != "dataclasses._MISSING_TYPE")
            };
            let Some(Value::Str(name)) = field.attributes.get("name") else { return None };
            let kind = field.attributes.get("_field_type").and_then(|value| snapshot.object(value))?;
            let Some(Value::Str(kind)) = kind.attributes.get("name") else { return None };
            let hash = match field.attributes.get("hash") {
                Some(Value::Bool(hash)) => Some(*hash),
                _ => None,
            };
            let field = DataField {
                name: Name::from(name.as_str()),
                declared: Declared::Finished,
                for_init: kind == "_FIELD_INITVAR",
                has_default: is_given("default"),
                has_factory: is_given("default_factory"),
                init: truth("init"),
                repr: truth("repr"),
                compare: truth("compare"),
                hash,
                by_name: truth("kw_only"),
            };
            Some((kind != "_FIELD_CLASSVAR").then_some(field))
        });
        let fields: Option<Vec<Option<DataField>>> = fields.collect();
        Some(fields?.into_iter().flatten().collect())
    }
}

/// A field that a class declares again keeps the place that it has above.
fn merge(fields: &mut Vec<DataField>, own: Vec<DataField>) {
    for field in own {
        match fields.iter_mut().find(|known| known.name == field.name) {
            Some(known) => *known = field,
            None => fields.push(field),
        }
    }
}
