//! Data classes: which fields they have, and where the text that adds their methods runs.

use healguard_rules::points_to;
use healguard_rules::schema::{Ctx, Obj, Var};

use crate::data_class::{self, DECORATOR, DataField, Declared, Options};
use crate::ir::{Body, Kind, Name};
use crate::snapshot::{Object, ObjectId, Value};
use crate::solve::PointsTo;
use crate::world::{Entity, FileId};

use super::Engine;
use super::reflection::{Call, objects_of};
use super::requests::is_plain_base;

/// The class of what `dataclasses.dataclass` gives where it is not given a class.
const DECORATOR_CLASS: &str = "dataclasses.decorator";
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
                    let annotated = self.world.body(file, body).map(|body| body.annotated.as_slice());
                    let names = annotated.unwrap_or_default().iter().map(|annotated| annotated.name.clone());
                    let names: Vec<Name> = names.collect();
                    self.hand_values_on(object, module, &names);
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

    // ------------------------------------------------------------------ classes from before the crash

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
