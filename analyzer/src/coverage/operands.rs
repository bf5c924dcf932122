//! What attributes, items, elements and operators give, and where callees lead.

use healguard_rules::models::Layout;
use rustc_hash::FxHashSet;

use crate::engine::is_whole;
use crate::ir::{BodyKind, Name};

use super::Target;
use super::flow::{Key, Solver, all};
use super::values::{BodyRef, Given, Or, Text, Value, Values};

/// What the parts of a callee lead to.
#[derive(Default)]
pub struct Found {
    resolved: bool,
    modelled: bool,
    unknown: Option<String>,
    gives: Values,
}

impl Found {
    fn resolved(&mut self, gives: &Values) {
        self.resolved = true;
        self.gives.add(gives);
    }

    pub fn modelled(&mut self, gives: &Values) {
        self.modelled = true;
        self.gives.add(gives);
    }

    /// Something unknown is called; what is named says more than what is not.
    pub fn unknown(&mut self, what: &str) {
        let said = self.unknown.get_or_insert_default();
        if said.is_empty() || said.starts_with(['.', 'a']) && !what.starts_with(['.', 'a']) {
            *said = what.to_owned();
        }
        self.gives.unknown = true;
    }

    fn target(self, what: &str) -> (Target, Values) {
        let target = match self {
            Found { unknown: Some(callee), .. } => Target::Unknown(callee),
            Found { modelled: true, .. } => Target::Modelled,
            Found { resolved: true, .. } => Target::Resolved,
            _ => Target::Unknown(what.to_owned()),
        };
        (target, self.gives)
    }
}

impl Solver<'_> {
    /// Where a call of these values leads, and what it gives. `what` says what is called where nothing is known of it.
    pub fn invoke(&mut self, callee: &Values, given: &Given<'_>, what: &str) -> (Target, Values) {
        let mut found = Found::default();
        if callee.unknown {
            found.unknown(what);
        }
        for value in callee.iter() {
            self.invoke_one(value, given, what, &mut found);
        }
        let gives = found.gives.clone();
        let (target, _) = found.target(what);
        (target, gives)
    }

    fn invoke_one(&mut self, callee: Value, given: &Given<'_>, what: &str, found: &mut Found) {
        match callee {
            Value::Function(function) | Value::Static(function) => found.resolved(&self.result(function, given, 0)),
            Value::Bound(function) => found.resolved(&self.result(function, given, 1)),
            Value::Class(class, or) => {
                let made = self.made(class, or, given);
                found.resolved(&made);
            }
            Value::Instance(class, or) => {
                let call = self.text("__call__");
                let methods = self.attribute_of_object(class, or, call);
                if methods.unknown || methods == Values::default() {
                    found.unknown(what);
                }
                for method in methods.iter().filter(|method| !matches!(method, Value::Instance(..))) {
                    self.invoke_one(method, given, what, found);
                }
            }
            Value::Partial { of, is_class, shifts } => {
                // What was given before is not known here.
                let positional = if shifts { Vec::new() } else { given.positional.clone() };
                let given = Given { positional, keywords: given.keywords.clone(), spreads: true };
                let made = if is_class { self.made(of, Or::Itself, &given) } else { self.result(of, &given, 0) };
                found.resolved(&made);
            }
            Value::Library(name) => self.invoke_library(name, given, found),
            // A call of what certainly cannot be called raises.
            Value::Object(object) if is_whole(&self.shapes[object as usize].class) => {}
            Value::Object(object) => {
                let call = self.text("__call__");
                self.invoke_member(object, call, given, found);
            }
            Value::Member(object, name) => self.invoke_member(object, name, given, found),
            Value::Decorator => {
                found.modelled(&given.positional.first().map(|first| (*first).clone()).unwrap_or_default())
            }
            // A call of it raises.
            Value::None | Value::Module(_) | Value::Tuple(..) | Value::Deferred(_) | Value::Super(_) => {}
            Value::Property(_) | Value::ClassMethod(_) | Value::Parameter(_) => found.unknown(what),
        }
    }

    /// What a function gives, with what it is given in the place of its parameters.
    fn result(&mut self, function: BodyRef, given: &Given<'_>, bound: usize) -> Values {
        let code = self.program.code(function);
        if matches!(code.kind, BodyKind::Generator | BodyKind::Coroutine | BodyKind::AsyncGenerator) {
            return Values::one(Value::Deferred(function));
        }
        let returned = self.read(Key::Returns(function));
        let mut gives = Values::nothing_but(returned.unknown);
        for value in returned.iter() {
            let Value::Parameter(index) = value else {
                gives.insert(value);
                continue;
            };
            let index = index as usize;
            let at = index.checked_sub(bound).filter(|_| index < code.parameters.positional);
            let named = code.parameters.names.get(index);
            let by_name = given.keywords.iter().find(|(name, _)| Some(*name) == named).map(|(_, values)| *values);
            match at.and_then(|at| given.positional.get(at).copied()).or(by_name) {
                Some(values) => gives.add(values),
                None if given.spreads => gives.unknown = true,
                None => gives.add(&self.read(Key::Default(function, index as u32))),
            }
        }
        gives
    }

    /// What calling a class gives.
    fn made(&mut self, class: BodyRef, or: Or, given: &Given<'_>) -> Values {
        let mut made = Values::one(Value::Instance(class, or));
        let create = self.text("__new__");
        let creators = self.attribute_of_class(class, or, create);
        made.unknown |= creators.unknown;
        for creator in creators.iter() {
            match creator {
                Value::Function(creator) => made.add(&self.result(creator, given, 1)),
                // It makes what was made already.
                Value::Library(_) => {}
                _ => made.unknown = true,
            }
        }
        made
    }

    /// What a generator or coroutine returns.
    pub fn returned(&mut self, values: &Values) -> Values {
        let mut returned = Values::nothing_but(values.unknown);
        for value in values.iter() {
            match value {
                Value::Deferred(body) => returned.add(&self.read(Key::Returns(body)).outside()),
                Value::None => {}
                _ => returned.unknown = true,
            }
        }
        returned
    }

    /// What a `with` statement binds.
    pub fn enter(&mut self, values: &Values, method: &Name) -> Values {
        let mut entered = Values::nothing_but(values.unknown);
        let name = self.text(method);
        for value in values.iter() {
            match value {
                Value::Deferred(body) => entered.add(&self.read(Key::Yields(body))),
                _ => {
                    let methods = self.attribute(&Values::one(value), name);
                    let given = Given { positional: Vec::new(), keywords: Vec::new(), spreads: true };
                    entered.add(&self.invoke(&methods, &given, "").1);
                }
            }
        }
        entered
    }

    // ------------------------------------------------------------------ attributes

    pub fn attribute(&mut self, base: &Values, name: Text) -> Values {
        let mut found = Values::nothing_but(base.unknown);
        for value in base.iter() {
            found.add(&self.attribute_of(value, name));
        }
        found
    }

    fn attribute_of(&mut self, base: Value, name: Text) -> Values {
        match base {
            Value::None => Values::default(),
            Value::Module(module) => self.attribute_of_module(module, name),
            Value::Library(library) => self.attribute_of_library(library, name),
            Value::Object(object) => self.attribute_of_shape(object, name),
            Value::Tuple(..) => self.attribute_of_made("builtins.tuple", name),
            Value::Property(_) => self.attribute_of_made("builtins.property", name),
            Value::Deferred(body) => {
                let is_coroutine = self.program.code(body).kind == BodyKind::Coroutine;
                self.attribute_of_made(if is_coroutine { "builtins.coroutine" } else { "builtins.generator" }, name)
            }
            Value::Class(class, or) => self.attribute_of_class(class, or, name),
            Value::Instance(class, or) => self.attribute_of_object(class, or, name),
            Value::Super(class) => self.attribute_behind(class, name),
            Value::Function(_) | Value::Bound(_) => match &*self.texts[name as usize] {
                "__name__" | "__qualname__" | "__module__" | "__doc__" => self.object("builtins.str"),
                _ => Values::unknown(),
            },
            Value::Partial { .. } => self.attribute_of_made("functools.partial", name),
            Value::Member(..) | Value::Static(_) | Value::ClassMethod(_) | Value::Decorator | Value::Parameter(_) => {
                Values::unknown()
            }
        }
    }

    fn attribute_of_made(&mut self, class: &str, name: Text) -> Values {
        let object = self.shape(class);
        self.attribute_of_shape(object, name)
    }

    fn attribute_of_module(&mut self, module: u32, name: Text) -> Values {
        if let Some(values) = self.global(module, name, &mut FxHashSet::default()) {
            return values;
        }
        let inside = format!("{}.{}", self.program.modules[module as usize].name, self.texts[name as usize]);
        match self.module(&inside) {
            Value::Module(module) => Values::one(Value::Module(module)),
            _ => Values::unknown(),
        }
    }

    // ------------------------------------------------------------------ items and elements

    /// What a subscript gives.
    pub fn item(&mut self, base: &Values) -> Values {
        let mut items = Values::nothing_but(base.unknown);
        let (get, class_item) = (self.text("__getitem__"), self.text("__class_getitem__"));
        for value in base.iter() {
            match value {
                Value::None => {}
                Value::Object(object) => items.add(&self.items_of(object)),
                Value::Tuple(body, number) => items.add(&all(self.tuple(body, number).iter())),
                Value::Instance(class, or) => {
                    let methods = self.attribute_of_object(class, or, get);
                    let given = Given { positional: Vec::new(), keywords: Vec::new(), spreads: true };
                    items.add(&self.invoke(&methods, &given, "").1);
                }
                // What is generic is the same class with any arguments.
                Value::Class(class, or) if self.attribute_of_class(class, or, class_item).iter().all(is_library) => {
                    items.insert(value);
                }
                Value::Library(name) if self.is_class(name) => items.insert(value),
                _ => items.unknown = true,
            }
        }
        items
    }

    /// What a slice gives: a part of something is of its class.
    pub fn part(&mut self, base: &Values) -> Values {
        let mut parts = Values::nothing_but(base.unknown);
        for value in base.iter() {
            match value {
                Value::Object(_) => parts.insert(value),
                Value::Tuple(..) => parts.add(&self.object("builtins.tuple")),
                Value::None => {}
                _ => parts.unknown = true,
            }
        }
        parts
    }

    /// What iteration gives.
    pub fn elements(&mut self, base: &Values) -> Values {
        let mut elements = Values::nothing_but(base.unknown);
        for value in base.iter() {
            match value {
                Value::None => {}
                Value::Object(object) => elements.add(&self.elements_of(object)),
                Value::Tuple(body, number) => elements.add(&all(self.tuple(body, number).iter())),
                Value::Deferred(body) => elements.add(&self.read(Key::Yields(body))),
                Value::Instance(class, or) => elements.add(&self.iterated(class, or)),
                _ => elements.unknown = true,
            }
        }
        elements
    }

    /// What iteration over an object of the program gives.
    fn iterated(&mut self, class: BodyRef, or: Or) -> Values {
        let (iterate, next) = (self.text("__iter__"), self.text("__next__"));
        let given = Given { positional: Vec::new(), keywords: Vec::new(), spreads: true };
        let iterators = self.attribute_of_object(class, or, iterate);
        let (_, iterators) = self.invoke(&iterators, &given, "");
        let mut elements = Values::nothing_but(iterators.unknown);
        for iterator in iterators.iter() {
            let given_one = match iterator {
                Value::Instance(iterator, or) => {
                    let next = self.attribute_of_object(iterator, or, next);
                    self.invoke(&next, &given, "").1
                }
                _ => self.elements(&Values::one(iterator)),
            };
            elements.add(&given_one);
        }
        elements
    }

    /// The element at a position of what is unpacked.
    pub fn element_at(&mut self, base: &Values, at: u32) -> Values {
        let mut elements = Values::nothing_but(base.unknown);
        for value in base.iter() {
            let given = match value {
                Value::Tuple(body, number) => self.tuple(body, number).into_iter().nth(at as usize).unwrap_or_default(),
                Value::Object(object) => self.element_of_at(object, at),
                _ => self.elements(&Values::one(value)),
            };
            elements.add(&given);
        }
        elements
    }

    // ------------------------------------------------------------------ operators

    pub fn operate(&mut self, operator: &str, left: &Values, right: Option<&Values>) -> Values {
        if matches!(operator, "not" | "is" | "is not" | "in" | "not in") {
            return self.object("builtins.bool");
        }
        let mut result = Values::nothing_but(left.unknown);
        for left in left.iter() {
            let Some(class) = self.class_of(left) else {
                result.unknown |= left != Value::None;
                continue;
            };
            let rights: Vec<Option<String>> = match right {
                None => vec![Some(String::new())],
                Some(values) if values.unknown => vec![None],
                Some(values) => values.iter().map(|value| self.class_of(value)).collect(),
            };
            for right in rights {
                // What formats with a text gives one, whatever is formatted.
                let is_format = operator == "%" && class == "builtins.str";
                match right.or(is_format.then(String::new)) {
                    _ if is_format => result.add(&self.object("builtins.str")),
                    Some(right) => result.add(&self.operated(operator, &class, &right)),
                    None => result.unknown = true,
                }
            }
        }
        result
    }

    /// The class of an object of the library.
    fn class_of(&mut self, value: Value) -> Option<String> {
        match value {
            Value::Object(object) => Some(self.shapes[object as usize].class.clone()),
            Value::Tuple(..) => Some("builtins.tuple".to_owned()),
            Value::None => Some("builtins.NoneType".to_owned()),
            _ => None,
        }
    }

    /// The elements of an object of the library, by what is known of its class.
    pub fn elements_by_class(&mut self, class: &str) -> Values {
        match (self.models.class(class).map(|class| class.layout), class) {
            (Some(Layout::Str), "builtins.str") => self.object("builtins.str"),
            (Some(Layout::Str), _) | (_, "builtins.range") => self.object("builtins.int"),
            (Some(Layout::File), _) => {
                let mut lines = self.object("builtins.str");
                lines.add(&self.object("builtins.bytes"));
                lines
            }
            (Some(Layout::Number), _) => Values::default(),
            _ => Values::unknown(),
        }
    }
}

fn is_library(value: Value) -> bool {
    matches!(value, Value::Library(_))
}
