//! Named tuples: which fields they have, and where the text that adds their methods runs.

use healguard_rules::points_to;
use healguard_rules::schema::{Ctx, Obj, Var, is_item};

use crate::data_class::{self, CLASS, KEPT, VALUE};
use crate::ir::{Constant, Name};
use crate::named_tuple::{self, TupleField};
use crate::snapshot::{Object, Value};
use crate::solve::PointsTo;
use crate::world::Entity;

use super::Engine;
use super::reflection::{Call, objects_of};

/// The base of a named tuple that is a class statement.
const NAMED_TUPLE: &str = "typing.NamedTuple";

impl<'s> Engine<'_, 's> {
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
                    default: annotated.has_value.then(|| format!("{VALUE}{}", annotated.name)),
                });
                let bound = |name: &str| source.owned.iter().any(|owned| &**owned == name);
                let text = named_tuple::text(&fields.collect::<Vec<_>>(), &bound);
                let (module, run) = self.finishing_module(class, &text);
                let names: Vec<Name> = source.annotated.iter().map(|annotated| annotated.name.clone()).collect();
                self.hand_values_on(class, module, &names);
                self.facts.closed.push(points_to::Closed(class));
                self.facts.runs_module.push(points_to::RunsModule(point, module, run));
            }
        }
    }

    /// Writes the methods of a named tuple from before the crash.
    pub(super) fn tell_finished_tuple(&mut self, class: Obj, source: &'s Object) {
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
}
