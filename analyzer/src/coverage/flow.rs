//! Follows values through all bodies until nothing is added.

use std::collections::VecDeque;
use std::rc::Rc;

use healguard_rules::models::{Fresh, Models};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::ir::{Argument, BodyKind, Callee, Constant, Element, Kind, Layout, Name, Passing, Slot, Unpacked};

use super::Target;
use super::classes::Order;
use super::code::Code;
use super::program::{Program, absolute};
use super::values::{BodyRef, Given, Or, Text, Value, Values};

/// A set in the order of insertion.
type Set<T> = IndexSet<T, FxBuildHasher>;

/// What bodies share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    Global(u32, Text),
    Cell(BodyRef, Text),
    /// What a class holds, by its body.
    Member(BodyRef, Text),
    /// What its methods, or others, store in its objects.
    Field(BodyRef, Text),
    /// One of the last two of any class.
    AnyMember(Text),
    Element(BodyRef, u32, u32),
    /// What a parameter is where it is not given.
    Default(BodyRef, u32),
    Returns(BodyRef),
    Yields(BodyRef),
    Bases(BodyRef),
    Metaclass(BodyRef),
    /// The bases of all classes.
    Hierarchy,
}

/// What is known so far.
pub(super) struct Solver<'p> {
    pub program: &'p Program,
    pub models: &'static Models,
    pub texts: Set<Name>,
    pub shapes: Set<Fresh>,
    table: FxHashMap<Key, Values>,
    /// The bodies that looked at a key.
    readers: FxHashMap<Key, Set<BodyRef>>,
    /// The classes that have a member of that name, or whose objects do.
    pub definers: FxHashMap<Text, Set<BodyRef>>,
    pub orders: FxHashMap<BodyRef, Rc<Order>>,
    waiting: VecDeque<BodyRef>,
    is_waiting: FxHashSet<BodyRef>,
    /// The body that is looked at.
    pub here: BodyRef,
}

impl<'p> Solver<'p> {
    pub fn new(program: &'p Program) -> Self {
        Solver {
            program,
            models: Models::builtin(),
            texts: Set::default(),
            shapes: Set::default(),
            table: FxHashMap::default(),
            readers: FxHashMap::default(),
            definers: FxHashMap::default(),
            orders: FxHashMap::default(),
            waiting: VecDeque::new(),
            is_waiting: FxHashSet::default(),
            here: (0, 0),
        }
    }

    /// Where the calls of what is measured lead, in the order of the sources.
    pub fn solve(mut self) -> Vec<Target> {
        let program = self.program;
        let modules = program.modules.iter().enumerate();
        let all = modules
            .flat_map(|(module, lowered)| (0..lowered.codes.len()).map(move |body| (module as u32, body as u32)));
        let all: Vec<BodyRef> = all.collect();
        // Definitions first: what functions do with them is looked at once they are known.
        let (namespaces, functions): (Vec<BodyRef>, Vec<BodyRef>) =
            all.iter().partition(|body| matches!(program.code(**body).kind, BodyKind::Module | BodyKind::Class));
        for bodies in [namespaces, functions] {
            bodies.into_iter().for_each(|body| self.wake(body));
            while let Some(body) = self.waiting.pop_front() {
                self.is_waiting.remove(&body);
                self.run(body);
            }
        }
        let counted = all.into_iter().filter(|(module, _)| program.modules[*module as usize].is_counted);
        counted.collect::<Vec<_>>().into_iter().flat_map(|body| self.targets(body)).collect()
    }

    fn wake(&mut self, body: BodyRef) {
        if self.is_waiting.insert(body) {
            self.waiting.push_back(body);
        }
    }

    // ------------------------------------------------------------------ what bodies share

    pub fn text(&mut self, text: &str) -> Text {
        match self.texts.get_index_of(text) {
            Some(number) => number as Text,
            None => self.texts.insert_full(Name::from(text)).0 as Text,
        }
    }

    /// What a key holds; the body that is looked at wants to know of more.
    pub fn read(&mut self, key: Key) -> Values {
        self.watch(key);
        self.table.get(&key).cloned().unwrap_or_default()
    }

    pub fn watch(&mut self, key: Key) {
        self.readers.entry(key).or_default().insert(self.here);
    }

    fn write(&mut self, key: Key, values: &Values) {
        if !self.table.entry(key).or_default().grow(values) {
            return;
        }
        self.changed(key);
        match key {
            Key::Member(class, name) | Key::Field(class, name) => {
                self.definers.entry(name).or_default().insert(class);
                self.changed(Key::AnyMember(name));
            }
            Key::Bases(_) => {
                self.orders.clear();
                self.changed(Key::Hierarchy);
            }
            _ => {}
        }
    }

    fn changed(&mut self, key: Key) {
        let Some(readers) = self.readers.get(&key) else { return };
        let readers: Vec<BodyRef> = readers.iter().copied().collect();
        readers.into_iter().for_each(|reader| self.wake(reader));
    }

    // ------------------------------------------------------------------ one body

    /// Looks at a body with what is known; gives what its variables hold.
    fn run(&mut self, body: BodyRef) -> Vec<Values> {
        self.here = body;
        let code = self.program.code(body);
        let mut slots = vec![Values::default(); code.slots];
        for slot in &code.opaque {
            slots[slot.0 as usize].unknown = true;
        }
        for (index, slot) in code.parameter_slots.iter().enumerate() {
            slots[slot.0 as usize] = self.parameter(code, index);
        }
        loop {
            let mut grown = false;
            for (number, kind) in code.instructions.iter().enumerate() {
                let values = self.execute(code, number as u32, kind, &slots);
                if let Some(slot) = kind.defines() {
                    grown |= slots[slot.0 as usize].grow(&values);
                }
            }
            for (slot, sources) in &code.joins {
                for source in sources {
                    let values = slots[source.0 as usize].clone();
                    grown |= slots[slot.0 as usize].grow(&values);
                }
            }
            if !grown {
                return slots;
            }
        }
    }

    /// Where the calls of a body lead.
    fn targets(&mut self, body: BodyRef) -> Vec<Target> {
        let slots = self.run(body);
        let code = self.program.code(body);
        let calls = code.instructions.iter().filter_map(|kind| match kind {
            Kind::Call { callee: Callee::Special(..), .. } => None,
            Kind::Call { callee, arguments, .. } => Some((callee, arguments)),
            _ => None,
        });
        calls.map(|(callee, arguments)| self.call(callee, arguments, &slots).0).collect()
    }

    /// What a parameter is when nobody knows who calls.
    fn parameter(&mut self, code: &Code, index: usize) -> Values {
        let parameters = &code.parameters;
        match index.checked_sub(parameters.names.len()) {
            Some(0) if parameters.vararg.is_some() => return self.object("builtins.tuple"),
            Some(_) => return self.object("builtins.dict"),
            None => {}
        }
        let class = code.parent.map(|parent| (self.here.0, parent as u32));
        let class = class.filter(|class| self.program.code(*class).kind == BodyKind::Class);
        let last = code.qualified_name.rsplit('.').next().unwrap_or_default();
        let has = |decorator: &str| code.decorators.iter().any(|name| &**name == decorator);
        match class {
            Some(class) if index == 0 && code.is_function() && !has("staticmethod") => {
                let takes_class =
                    has("classmethod") || ["__new__", "__init_subclass__", "__class_getitem__"].contains(&last);
                Values::one(if takes_class {
                    Value::Class(class, Or::Below)
                } else {
                    Value::Instance(class, Or::Below)
                })
            }
            _ => Values::one(Value::Parameter(index as u32)),
        }
    }

    /// What an instruction gives; what it stores is stored.
    fn execute(&mut self, code: &Code, number: u32, kind: &Kind, slots: &[Values]) -> Values {
        let module = self.here.0;
        let value = |slot: &Slot| &slots[slot.0 as usize];
        match kind {
            Kind::Constant { value: Constant::None, .. } => Values::one(Value::None),
            Kind::Constant { value, .. } => self.object(value.class()),
            Kind::Copy { src, .. } | Kind::Iterate { src, .. } => value(src).clone(),
            Kind::Merge { sources, .. } => all(sources.iter().map(value)),
            Kind::Text { .. } => self.object("builtins.str"),
            Kind::LoadGlobal { name, .. } => {
                let name = self.text(name);
                self.name(module, name)
            }
            Kind::LoadNamespace { name, .. } | Kind::LoadCell { name, .. } if self.is_own(code, name) => {
                let name = self.text(name);
                self.read(Key::Member(self.here, name))
            }
            Kind::LoadNamespace { name, .. } => {
                let name = self.text(name);
                self.name(module, name)
            }
            Kind::LoadCell { owner, name, .. } => {
                let name = self.text(name);
                self.read(Key::Cell((module, *owner as u32), name))
            }
            Kind::StoreGlobal { name, src } => self.store(|name| Key::Global(module, name), name, value(src)),
            Kind::StoreCell { owner, name, src } => {
                self.store(|name| Key::Cell((module, *owner as u32), name), name, value(src))
            }
            Kind::StoreNamespace { name, src } => {
                let class = self.here;
                self.store(|name| Key::Member(class, name), name, value(src))
            }
            Kind::LoadAttribute { base, name, .. } => {
                let name = self.text(name);
                self.attribute(value(base), name)
            }
            Kind::StoreAttribute { base, name, src } => self.store_attribute(value(base), name, value(src)),
            Kind::LoadItem { base, .. } => self.item(value(base)),
            Kind::LoadSlice { base, .. } => self.part(value(base)),
            Kind::Operate { operator, left, right, .. } => {
                self.operate(operator, value(left), right.as_ref().map(value))
            }
            Kind::Build { layout, elements, .. } => self.build(number, *layout, elements, slots),
            Kind::Call { callee: Callee::Special(base, name), .. } => self.enter(value(base), name),
            Kind::Call { callee, arguments, .. } => self.call(callee, arguments, slots).1,
            Kind::Function { body, defaults, .. } => {
                let function = (module, *body as u32);
                for (index, default) in defaults {
                    self.write(Key::Default(function, *index as u32), &value(default).clone().outside());
                }
                Values::one(Value::Function(function))
            }
            Kind::Class { body, bases, keywords, .. } => {
                let class = (module, *body as u32);
                self.write(Key::Bases(class), &all(bases.iter().map(value)).outside());
                for (_, metaclass) in keywords.iter().filter(|(name, _)| &**name == "metaclass") {
                    self.write(Key::Metaclass(class), &value(metaclass).clone().outside());
                }
                Values::one(Value::Class(class, Or::Itself))
            }
            Kind::Next { iterator, .. } => self.elements(value(iterator)),
            Kind::UnpackItem { src, at: Unpacked::At(at), .. } => self.element_at(value(src), *at),
            Kind::UnpackItem { src, .. } => self.elements(value(src)),
            Kind::UnpackRest { .. } => self.object("builtins.list"),
            Kind::Return { src } => {
                self.write(Key::Returns(self.here), value(src));
                Values::default()
            }
            Kind::Yield { src, .. } => {
                self.write(Key::Yields(self.here), &value(src).clone().outside());
                Values::unknown()
            }
            Kind::Delegate { src, awaits, .. } => {
                if !awaits {
                    let elements = self.elements(value(src));
                    self.write(Key::Yields(self.here), &elements.outside());
                }
                self.returned(value(src))
            }
            Kind::ImportModule { module: name, root, .. } => {
                let first = name.split('.').next().filter(|_| *root).unwrap_or(name);
                Values::one(self.module(first))
            }
            Kind::ImportFrom { module: from, level, name, .. } => {
                let from = absolute(&self.program.modules[module as usize], from, *level);
                let (from, name) = (self.module(&from), self.text(name));
                self.attribute(&Values::one(from), name)
            }
            _ => Values::default(),
        }
    }

    /// Whether a name of a class body is bound there.
    fn is_own(&self, code: &Code, name: &str) -> bool {
        code.kind == BodyKind::Class && code.owned.contains(name)
    }

    fn store(&mut self, key: impl Fn(Text) -> Key, name: &str, values: &Values) -> Values {
        let name = self.text(name);
        self.write(key(name), &values.clone().outside());
        Values::default()
    }

    fn store_attribute(&mut self, base: &Values, name: &Name, values: &Values) -> Values {
        let name = self.text(name);
        let values = values.clone().outside();
        for base in base.iter() {
            match base {
                Value::Instance(class, _) => self.write(Key::Field(class, name), &values),
                Value::Class(class, _) => self.write(Key::Member(class, name), &values),
                Value::Module(module) => self.write(Key::Global(module, name), &values),
                _ => {}
            }
        }
        Values::default()
    }

    fn build(&mut self, number: u32, layout: Layout, elements: &[Element], slots: &[Values]) -> Values {
        let class = match layout {
            Layout::List => "builtins.list",
            Layout::Set => "builtins.set",
            Layout::Dict => "builtins.dict",
            Layout::Tuple => "builtins.tuple",
        };
        let items: Option<Vec<Slot>> =
            elements.iter().map(|element| if let Element::Item(slot) = element { Some(*slot) } else { None }).collect();
        let Some(items) = items.filter(|_| layout == Layout::Tuple) else { return self.object(class) };
        for (at, item) in items.into_iter().enumerate() {
            let values = slots[item.0 as usize].clone().outside();
            self.write(Key::Element(self.here, number, at as u32), &values);
        }
        Values::one(Value::Tuple(self.here, number))
    }

    /// The elements of a tuple that an instruction makes.
    pub fn tuple(&mut self, body: BodyRef, number: u32) -> Vec<Values> {
        let code = self.program.code(body);
        let Kind::Build { elements, .. } = &code.instructions[number as usize] else { return Vec::new() };
        (0..elements.len()).map(|at| self.read(Key::Element(body, number, at as u32))).collect()
    }

    // ------------------------------------------------------------------ names

    /// A module by its whole name.
    pub fn module(&mut self, name: &str) -> Value {
        match self.program.by_name.get(name) {
            Some(module) => Value::Module(*module as u32),
            None => Value::Library(self.text(name)),
        }
    }

    /// A name as a body of a module reads it: the module's own, or a built-in one.
    fn name(&mut self, module: u32, name: Text) -> Values {
        if let Some(values) = self.global(module, name, &mut FxHashSet::default()) {
            return values;
        }
        let builtin = format!("builtins.{}", self.texts[name as usize]);
        match &*builtin {
            "builtins.__name__" | "builtins.__file__" | "builtins.__doc__" => self.object("builtins.str"),
            _ => Values::one(Value::Library(self.text(&builtin))),
        }
    }

    /// A name that a module binds itself, or imports with a star.
    pub fn global(&mut self, module: u32, name: Text, seen: &mut FxHashSet<u32>) -> Option<Values> {
        let key = Key::Global(module, name);
        let program = self.program;
        if program.bound[module as usize].contains(&self.texts[name as usize]) || self.table.contains_key(&key) {
            return Some(self.read(key));
        }
        if !seen.insert(module) {
            return None;
        }
        for from in &program.stars[module as usize] {
            match self.module(from) {
                Value::Module(from) => {
                    if let Some(values) = self.global(from, name, seen) {
                        return Some(values);
                    }
                }
                _ => {
                    let dotted = format!("{from}.{}", self.texts[name as usize]);
                    if self.is_known(&dotted) {
                        return Some(Values::one(Value::Library(self.text(&dotted))));
                    }
                }
            }
        }
        None
    }

    // ------------------------------------------------------------------ calls

    /// Where a call leads, and what it gives.
    fn call(&mut self, callee: &Callee, arguments: &[Argument], slots: &[Values]) -> (Target, Values) {
        let mut given = Given { positional: Vec::new(), keywords: Vec::new(), spreads: false };
        for argument in arguments {
            let values = &slots[argument.value.0 as usize];
            match &argument.passing {
                Passing::Position(_) => given.positional.push(values),
                Passing::Keyword(name) => given.keywords.push((name, values)),
                Passing::Star | Passing::DoubleStar => given.spreads = true,
            }
        }
        match callee {
            Callee::Value(slot) | Callee::Special(slot, _) => {
                self.invoke(&slots[slot.0 as usize], &given, "a value that is not known")
            }
            Callee::Method(base, name) => {
                let what = format!(".{name}");
                let name = self.text(name);
                let callee = self.attribute(&slots[base.0 as usize], name);
                self.invoke(&callee, &given, &what)
            }
        }
    }
}

/// Everything that any of them holds.
pub(super) fn all<'v>(values: impl Iterator<Item = &'v Values>) -> Values {
    let mut together = Values::default();
    values.for_each(|values| together.add(values));
    together
}
