//! What the models say of the library, for values.

use healguard_rules::models::{Base, Binding, FlowKind, Fresh, FreshItems, Layout, Model, ModelId, Port, Step};

use crate::engine::{has_rules, is_plain_base, is_whole};
use crate::world::member_model;

use super::flow::{Solver, all};
use super::operands::Found;
use super::values::{Given, Text, Value, Values};

/// Functions of the library that give back what they are given, as far as calls are concerned.
const TRANSPARENT: [&str; 13] = [
    "abc.abstractmethod",
    "contextlib.asynccontextmanager",
    "contextlib.contextmanager",
    "dataclasses.dataclass",
    "enum.unique",
    "functools.cache",
    "functools.lru_cache",
    "functools.total_ordering",
    "typing.cast",
    "typing.final",
    "typing.no_type_check",
    "typing.overload",
    "typing.runtime_checkable",
];

impl Solver<'_> {
    // ------------------------------------------------------------------ objects

    /// Some object of a class of the library.
    pub fn object(&mut self, class: &str) -> Values {
        Values::one(Value::Object(self.shape(class)))
    }

    pub fn shape(&mut self, class: &str) -> u32 {
        self.fresh(Fresh { class: class.to_owned(), keys: None, items: FreshItems::None })
    }

    fn fresh(&mut self, fresh: Fresh) -> u32 {
        self.shapes.insert_full(fresh).0 as u32
    }

    /// Objects as a model describes them.
    fn described(&mut self, fresh: &Fresh) -> Values {
        match (fresh.class.as_str(), self.models.class(&fresh.class)) {
            ("builtins.unknown", _) => Values::unknown(),
            ("builtins.NoneType", _) => Values::one(Value::None),
            (_, Some(class)) if !class.any_of.is_empty() => {
                let objects: Vec<Values> = class.any_of.iter().map(|class| self.object(class)).collect();
                all(objects.iter())
            }
            _ => Values::one(Value::Object(self.fresh(fresh.clone()))),
        }
    }

    pub fn items_of(&mut self, object: u32) -> Values {
        let fresh = self.shapes[object as usize].clone();
        match fresh.items {
            FreshItems::All(item) => self.described(&item),
            FreshItems::Each(items) => {
                let items: Vec<Values> = items.iter().map(|item| self.described_item(item.as_ref())).collect();
                all(items.iter())
            }
            FreshItems::None => self.elements_by_class(&fresh.class),
        }
    }

    pub fn elements_of(&mut self, object: u32) -> Values {
        let fresh = &self.shapes[object as usize];
        let is_mapping = self.models.class(&fresh.class).is_some_and(|class| class.layout == Layout::Dict);
        if !is_mapping {
            return self.items_of(object);
        }
        match fresh.keys.clone() {
            Some(keys) => self.described(&keys),
            None => Values::unknown(),
        }
    }

    pub fn element_of_at(&mut self, object: u32, at: u32) -> Values {
        match &self.shapes[object as usize].items {
            FreshItems::Each(items) => {
                let item = items.get(at as usize).cloned().unwrap_or_default();
                self.described_item(item.as_ref())
            }
            _ => self.elements_of(object),
        }
    }

    fn described_item(&mut self, item: Option<&Fresh>) -> Values {
        item.map_or_else(Values::unknown, |item| self.described(item))
    }

    // ------------------------------------------------------------------ names

    /// Whether the models or rules of the engine's know a dotted name.
    pub fn is_known(&self, dotted: &str) -> bool {
        let is_member = member_model(self.models, dotted).is_some() || self.models.constant(dotted).is_some();
        is_member || self.models.class(dotted).is_some() || has_rules(dotted)
    }

    pub fn is_class(&self, library: Text) -> bool {
        let name = &*self.texts[library as usize];
        self.models.class(name).is_some() || name.starts_with("typing.")
    }

    pub fn attribute_of_library(&mut self, library: Text, name: Text) -> Values {
        let dotted = format!("{}.{}", self.texts[library as usize], self.texts[name as usize]);
        match self.models.constant(&dotted) {
            Some(constant) => self.described(&constant.class),
            None => Values::one(self.module(&dotted)),
        }
    }

    pub fn attribute_of_shape(&mut self, object: u32, name: Text) -> Values {
        let (class, text) = (self.shapes[object as usize].class.clone(), self.texts[name as usize].clone());
        let dotted = format!("{class}.{text}");
        match member_model(self.models, &dotted) {
            Some((id, model)) if model.binding == Binding::Property => {
                let given = Given { positional: Vec::new(), keywords: Vec::new(), spreads: false };
                self.modelled(id, Some(Value::Object(object)), &given)
            }
            Some(_) => Values::one(Value::Member(object, name)),
            None => match self
                .models
                .ancestry(&class)
                .iter()
                .find_map(|class| self.models.constant(&format!("{class}.{text}")))
            {
                Some(constant) => self.described(&constant.class),
                None if &*text == "__class__" => Values::one(Value::Library(self.text(&class))),
                // The access raises.
                None if is_whole(&class) && !text.starts_with("__") => Values::default(),
                None => Values::one(Value::Member(object, name)),
            },
        }
    }

    // ------------------------------------------------------------------ calls

    /// A call of a member of an object of the library.
    pub fn invoke_member(&mut self, object: u32, name: Text, given: &Given<'_>, found: &mut Found) {
        let dotted = format!("{}.{}", self.shapes[object as usize].class, self.texts[name as usize]);
        match member_model(self.models, &dotted) {
            // A property is given what decorates its setter, which is called where the attribute is stored.
            Some(_) if dotted.starts_with("builtins.property.") => {
                let gives = given.positional.first().map(|first| self.wrapped(first, Value::Property));
                found.modelled(&gives.unwrap_or_default());
            }
            Some((id, _)) => found.modelled(&self.modelled(id, Some(Value::Object(object)), given)),
            None if has_rules(&dotted) => found.modelled(&Values::unknown()),
            None => found.unknown(&dotted),
        }
    }

    /// A call of a function or class of the library.
    pub fn invoke_library(&mut self, name: Text, given: &Given<'_>, found: &mut Found) {
        let dotted = self.texts[name as usize].clone();
        let model = member_model(self.models, &dotted);
        if let Some(gives) = self.special(&dotted, given) {
            match model.is_some() || has_rules(&dotted) || is_plain_base(&dotted) {
                true => found.modelled(&gives),
                false => found.unknown(&dotted),
            }
            return;
        }
        match model {
            Some((id, model)) => {
                let takes_receiver = model.binding == Binding::Instance;
                let receiver =
                    given.positional.first().and_then(|first| first.iter().next()).filter(|_| takes_receiver);
                let behind = usize::from(takes_receiver).min(given.positional.len());
                let (positional, keywords) = (given.positional[behind..].to_vec(), given.keywords.clone());
                let given = Given { positional, keywords, spreads: given.spreads };
                found.modelled(&self.modelled(id, receiver, &given));
            }
            None if has_rules(&dotted) => found.modelled(&Values::unknown()),
            None if self.has_plain_constructor(&dotted) => found.modelled(&self.object(&dotted)),
            None => found.unknown(&dotted),
        }
    }

    /// Whether a class without a constructor of its own has one above that the models know, or none that does anything.
    fn has_plain_constructor(&self, dotted: &str) -> bool {
        if self.models.class(dotted).is_none() {
            return false;
        }
        let mut above = self.models.ancestry(dotted).into_iter().skip(1).filter(|class| !is_plain_base(class));
        above.next().map_or_else(|| is_plain_base(dotted), |class| self.models.get(class).is_some())
    }

    /// What the functions give that say which class or function something is.
    fn special(&mut self, dotted: &str, given: &Given<'_>) -> Option<Values> {
        let first = given.positional.first().copied();
        Some(match (dotted, first) {
            ("builtins.super", None) => self.behind_here(),
            ("builtins.super", Some(classes)) => {
                let behind = |value| if let Value::Class(class, _) = value { Some(Value::Super(class)) } else { None };
                mapped(classes, behind)
            }
            ("builtins.property" | "functools.cached_property" | "abc.abstractproperty", Some(function)) => {
                self.wrapped(function, Value::Property)
            }
            ("builtins.staticmethod", Some(function)) => self.wrapped(function, Value::Static),
            ("builtins.classmethod", Some(function)) => self.wrapped(function, Value::ClassMethod),
            ("functools.partial", Some(callables)) => {
                let shifts = given.positional.len() > 1 || given.spreads;
                mapped(callables, |value| match value {
                    Value::Function(of) => Some(Value::Partial { of, is_class: false, shifts }),
                    Value::Bound(of) => Some(Value::Partial { of, is_class: false, shifts: true }),
                    Value::Class(of, _) => Some(Value::Partial { of, is_class: true, shifts }),
                    _ => None,
                })
            }
            ("builtins.type", Some(objects)) if given.positional.len() == 1 => {
                let class_of =
                    |value| if let Value::Instance(class, or) = value { Some(Value::Class(class, or)) } else { None };
                mapped(objects, class_of)
            }
            (_, Some(classes)) if dotted.ends_with(".__new__") => {
                let made =
                    |value| if let Value::Class(class, or) = value { Some(Value::Instance(class, or)) } else { None };
                mapped(classes, made)
            }
            ("typing.cast", _) => given.positional.get(1).map_or_else(Values::unknown, |second| (*second).clone()),
            ("functools.wraps", _) => Values::one(Value::Decorator),
            _ if TRANSPARENT.contains(&dotted) => match first {
                Some(first) if first.iter().any(|value| matches!(value, Value::Function(_) | Value::Class(..))) => {
                    first.clone()
                }
                _ => Values::one(Value::Decorator),
            },
            _ => return None,
        })
    }

    /// What `super()` gives in the body that is looked at.
    fn behind_here(&mut self) -> Values {
        let (module, mut body) = self.here;
        loop {
            let code = self.program.code((module, body));
            let Some(parent) = code.parent else { return Values::unknown() };
            body = parent as u32;
            if self.program.code((module, body)).kind == crate::ir::BodyKind::Class {
                return Values::one(Value::Super((module, body)));
            }
        }
    }

    fn wrapped(&self, functions: &Values, wrapper: fn((u32, u32)) -> Value) -> Values {
        mapped(functions, |value| match value {
            Value::Function(function) | Value::Bound(function) => Some(wrapper(function)),
            _ => None,
        })
    }

    pub fn operated(&mut self, operator: &str, left: &str, right: &str) -> Values {
        match self.models.operator(operator, left, right) {
            Some(id) => {
                let (left, right) = (self.object(left), self.object(right));
                let given = Given { positional: vec![&right], keywords: Vec::new(), spreads: false };
                self.modelled(id, left.iter().next(), &given)
            }
            None => Values::unknown(),
        }
    }

    /// What a call gives by its model.
    fn modelled(&mut self, id: ModelId, receiver: Option<Value>, given: &Given<'_>) -> Values {
        let models = self.models;
        let model = models.model(id);
        let mut gives = Values::default();
        for fresh in model.result.iter().chain(model.narrow.iter().map(|narrowing| &narrowing.result)) {
            gives.add(&self.described(fresh));
        }
        if model.or_none {
            gives.insert(Value::None);
        }
        let is_result = |port: &Port| port.base == Base::Result && port.path.is_empty();
        for flow in model.flows.iter().filter(|flow| flow.kind == FlowKind::Alias && is_result(&flow.to)) {
            gives.add(&self.at_port(model, &flow.from, receiver, given));
        }
        let results = model.calls.iter().filter_map(|call| call.result.as_ref());
        let is_called = results.into_iter().any(|(kind, to)| *kind == FlowKind::Alias && is_result(to));
        let hooks = model.hooks.iter().filter_map(|hook| hook.result.as_ref());
        let is_hooked = hooks.into_iter().any(|(kind, to)| *kind == FlowKind::Alias && is_result(to));
        gives.unknown |=
            is_called || model.copies.is_some() || is_hooked && !given.positional.iter().all(|values| is_plain(values));
        if gives == Values::default() {
            gives.insert(Value::None);
        }
        gives
    }

    /// What is at a port of a call.
    fn at_port(&mut self, model: &Model, port: &Port, receiver: Option<Value>, given: &Given<'_>) -> Values {
        let by_name =
            |wanted: &str| given.keywords.iter().find(|(name, _)| &***name == wanted).map(|(_, values)| *values);
        let mut values = match &port.base {
            Base::Receiver => receiver.map_or_else(Values::unknown, Values::one),
            Base::Argument(at) => {
                let name = model.parameters.as_ref().and_then(|parameters| parameters.positional.get(*at));
                let argument = given.positional.get(*at).copied().or_else(|| by_name(name?));
                argument.cloned().unwrap_or(Values::nothing_but(given.spreads))
            }
            Base::Keyword(name) => by_name(name).cloned().unwrap_or_default(),
            Base::ArgumentsFrom(at) => all(given.positional.iter().skip(*at).copied()),
            _ => Values::unknown(),
        };
        for step in &port.path {
            values = match step {
                Step::Each => self.elements(&values),
                Step::Items | Step::Item(_) => self.item(&values),
                _ => Values::unknown(),
            };
        }
        values
    }
}

/// Each value as another one; unknown where there is none for it.
fn mapped(values: &Values, map: impl Fn(Value) -> Option<Value>) -> Values {
    let mut mapped = Values::nothing_but(values.unknown);
    for value in values.iter() {
        match map(value) {
            Some(value) => mapped.insert(value),
            None => mapped.unknown = true,
        }
    }
    mapped
}

/// Whether all are objects of the library.
fn is_plain(values: &Values) -> bool {
    !values.unknown && values.iter().all(|value| matches!(value, Value::Object(_) | Value::Tuple(..) | Value::None))
}
