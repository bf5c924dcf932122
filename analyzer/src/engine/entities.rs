//! What the rules are told of objects that exist once, when the first body or value mentions them.

use healguard_rules::models::{Binding as ModelBinding, World};
use healguard_rules::schema::{Field, Obj, Role, item_of};
use healguard_rules::{effects, points_to, taint};

use crate::emit::{cells_name, default_name};
use crate::ir::{Binding, BodyId, Constant, Kind, Name};
use crate::snapshot::{Object, ObjectId, Value};
use crate::world::{Entity, FileId, last_name, member_model};

use super::reflection::has_rules;
use super::requests::is_plain_base;
use super::{Assumed, Engine};

/// Containers with more entries than this are told as a whole: some item, some key.
const EXACT_ENTRIES: usize = 256;
/// Methods that make an object of the class that they are given.
const CREATING: [&str; 4] =
    ["builtins.tuple.__new__", "builtins.int.__new__", "builtins.str.__new__", "builtins.float.__new__"];
/// No function has more parameters than this that a starred argument fills.
const MOST_PLACES: u32 = 256;
/// In containers with more entries than this, scalars are told by their class only.
const EXACT_SCALARS: usize = 16;

/// Classes of which an object is the only thing that a pattern of the class finds at a position.
const SELF_MATCHING: [&str; 11] = [
    "builtins.bool",
    "builtins.bytearray",
    "builtins.bytes",
    "builtins.dict",
    "builtins.float",
    "builtins.frozenset",
    "builtins.int",
    "builtins.list",
    "builtins.set",
    "builtins.str",
    "builtins.tuple",
];
/// Classes of the library whose objects are asked for nothing but the number of what they hold.
const PLAIN_SHAPE: [&str; 16] = [
    "builtins.NoneType",
    "builtins.bool",
    "builtins.bytes",
    "builtins.dict",
    "builtins.float",
    "builtins.frozenset",
    "builtins.int",
    "builtins.list",
    "builtins.range",
    "builtins.set",
    "builtins.str",
    "builtins.tuple",
    "collections.Counter",
    "collections.OrderedDict",
    "collections.defaultdict",
    "collections.deque",
];
/// Classes of what is called: to look at such an object is not to look at what it refers to.
const CALLABLE: [&str; 5] = [
    "builtins.function",
    "builtins.method",
    "builtins.builtin_function_or_method",
    "builtins.method_descriptor",
    "builtins.wrapper_descriptor",
];
/// Classes of what a class holds for its objects to do something else than what it is.
const MEMBERS: [&str; 4] =
    ["builtins.property", "builtins.staticmethod", "builtins.classmethod", "functools.cached_property"];
/// Special methods that change an object in place where its class has them.
const IN_PLACE: [&str; 13] = [
    "__iadd__",
    "__iand__",
    "__ifloordiv__",
    "__ilshift__",
    "__imatmul__",
    "__imod__",
    "__imul__",
    "__ior__",
    "__ipow__",
    "__irshift__",
    "__isub__",
    "__itruediv__",
    "__ixor__",
];
/// Special methods whose answer decides what is asked next.
const ANSWERING: [&str; 10] =
    ["__bool__", "__contains__", "__eq__", "__ge__", "__gt__", "__hash__", "__le__", "__len__", "__lt__", "__ne__"];
/// Views: what they show is what their source holds at any time.
const VIEWS: [&str; 3] = ["builtins.dict_keys", "builtins.dict_values", "builtins.memoryview"];
/// Iterators that give what their source holds, as it is.
const PLAIN_ITERATORS: [&str; 7] = [
    "builtins.dict_keyiterator",
    "builtins.dict_valueiterator",
    "builtins.list_iterator",
    "builtins.list_reverseiterator",
    "builtins.reversed",
    "builtins.set_iterator",
    "builtins.tuple_iterator",
];
/// What `functools.total_ordering` derives from one another.
const ORDER: [&str; 4] = ["__ge__", "__gt__", "__le__", "__lt__"];
/// What every class and function says of itself.
pub(super) const NAMES: [&str; 4] = ["__name__", "__qualname__", "__module__", "__doc__"];
/// Texts up to this length are taken as possible names of attributes.
const LONGEST_NAME: usize = 64;
const SUPER: &str = "builtins.super";
/// The class of what `functools.lru_cache` makes.
const CACHED_FUNCTION: &str = "functools._lru_cache_wrapper";

/// Classes of values that a healing may write instead of `None`.
const SCALARS: [&str; 4] = ["builtins.bool", "builtins.int", "builtins.float", "builtins.str"];

impl<'s> Engine<'_, 's> {
    /// Facts that hold in every program: the classes that the rules give a part to.
    pub(super) fn tell_language(&mut self) {
        let special = [
            ("__getattr__", Role::READ),
            ("__getattribute__", Role::READ_ALWAYS),
            ("__setattr__", Role::WRITE),
            ("__get__", Role::DESCRIPTOR_GET),
            ("__set__", Role::DESCRIPTOR_SET),
            ("__init__", Role::INITIALIZE),
            ("__new__", Role::CREATE),
            ("__call__", Role::CALL),
            ("__prepare__", Role::PREPARE),
            ("__set_name__", Role::NAME),
            ("__init_subclass__", Role::SUBCLASS),
            ("__iter__", Role::ITERATE),
            ("__next__", Role::NEXT),
            ("__getitem__", Role::INDEX),
            ("__copy__", Role::COPY),
            ("__deepcopy__", Role::COPY_DEEP),
            ("__delete__", Role::DESCRIPTOR_DELETE),
            ("__class_getitem__", Role::CLASS_ITEM),
            ("keys", Role::KEYS),
            ("__eq__", Role::EQUAL),
            ("__post_init__", Role::POST_INITIALIZE),
            ("__code__", Role::CODE),
        ];
        let in_place = IN_PLACE.into_iter().map(|name| (name, Role::IN_PLACE));
        for (name, role) in special.into_iter().chain(in_place) {
            let field = self.world.attribute(name);
            self.facts.special.push(points_to::Special(field, role));
        }
        let function = self.world.library("builtins.function");
        self.facts.function_class.push(points_to::FunctionClass(function));
        for name in ANSWERING {
            let field = self.world.attribute(name);
            self.facts.answering.push(taint::Answering(field));
        }
        for name in ORDER {
            for other in ORDER.into_iter().filter(|other| *other != name) {
                let (name, other) = (self.world.attribute(name), self.world.attribute(other));
                self.facts.derived_order.push(points_to::DerivedOrder(name, other));
            }
        }
        for (class, field) in [("builtins.property", "fget"), ("functools.cached_property", "func")] {
            let (class, field) = (self.world.library(class), self.world.attribute(field));
            self.facts.getter.push(points_to::Getter(class, field));
        }
        let slice = self.world.library("builtins.slice");
        self.facts.slice_class.push(points_to::SliceClass(slice));
        for class in ["builtins.int", "builtins.bool"] {
            let class = self.world.library(class);
            self.facts.integer_class.push(effects::IntegerClass(class));
        }
        let list = self.world.library("builtins.list");
        self.facts.keeps_length.push(effects::KeepsLength(list));
        let cached = self.world.library("functools.cached_property");
        self.facts.remembers.push(points_to::Remembers(cached));
        let (property, setter) = (self.world.library("builtins.property"), self.world.attribute("fset"));
        self.facts.setter.push(points_to::Setter(property, setter));
        let deleter = self.world.attribute("fdel");
        self.facts.deleter.push(points_to::Deleter(property, deleter));
        let (function, receiver) = (self.world.attribute("__func__"), self.world.attribute("__self__"));
        let method = self.world.library("builtins.method");
        self.facts.bound_class.push(points_to::BoundClass(method, function, receiver));
        let wrapper = self.world.library("builtins.staticmethod");
        self.facts.static_wrapper.push(points_to::StaticWrapper(wrapper, function));
        let wrapper = self.world.library("builtins.classmethod");
        self.facts.class_wrapper.push(points_to::ClassWrapper(wrapper, function));
        let (cached, wrapped) = (self.world.library(CACHED_FUNCTION), self.world.attribute("__wrapped__"));
        self.facts.cached.push(points_to::Cached(cached, wrapped));
        self.facts.initially.push(points_to::Initially(Obj::UNTOLD, Field::ANY, Obj::UNTOLD));
        let name = self.world.some_text();
        self.facts.some_name.push(points_to::SomeName(name));
        let position = self.world.constant(&Constant::Some("builtins.int"));
        self.facts.some_index.extend([name, position].map(points_to::SomeIndex));
        for place in 0..MOST_PLACES {
            let key = self.world.constant(&Constant::Int(place.to_string().into()));
            self.facts.place_of.push(points_to::PlaceOf(item_of(key), place));
        }
        let metaclass = self.world.library("builtins.type");
        self.facts.gives_class_of.push(points_to::GivesClassOf(metaclass));
        for class in CALLABLE.into_iter().chain(MEMBERS) {
            let class = self.world.library(class);
            self.facts.behaviour.push(points_to::Behaviour(class));
        }
        for (name, class) in [("__defaults__", "builtins.tuple"), ("__kwdefaults__", "builtins.dict")] {
            let (field, class) = (self.world.attribute(name), self.world.library(class));
            self.facts.keeps_defaults.push(points_to::KeepsDefaults(field, class));
        }
        let (field, class) = (self.world.attribute("__closure__"), self.world.library("builtins.tuple"));
        self.facts.keeps_cells.push(points_to::KeepsCells(field, class));
        let contents = self.world.attribute("cell_contents");
        self.facts.cell_contents.push(points_to::CellContents(contents));
        let class = self.world.attribute("__class__");
        self.facts.class_field.push(taint::ClassField(class));
        self.tell_stop();
        for name in SELF_MATCHING {
            let class = self.world.library(name);
            self.facts.self_matching.push(points_to::SelfMatching(class));
        }
        for name in PLAIN_SHAPE {
            let class = self.world.library(name);
            self.facts.plain_shape.push(taint::PlainShape(class));
        }
        let none = self.world.library("builtins.NoneType");
        self.facts.none_class.push(points_to::NoneClass(none));
        let view = self.world.library("builtins.memoryview");
        self.facts.view_class.push(points_to::ViewClass(view));
        self.tell_library_classes();
        self.tell_outside();
        self.tell_streams();
    }

    /// The streams of the interpreter are variables: what a program puts there is written to instead.
    fn tell_streams(&mut self) {
        let class = self.world.library("io.TextIOWrapper");
        self.facts.stream.push(points_to::Stream(class));
        let module = self.world.object(Entity::Module(Name::from("sys")));
        for (kind, name) in [(World::Stdout, "stdout"), (World::Stdout, "stderr"), (World::Stdin, "stdin")] {
            let outside = World::ALL.iter().position(|known| *known == kind).unwrap_or(0) as u32;
            let outside = self.world.object(Entity::Outside(outside));
            let field = self.world.attribute(name);
            self.facts.goes_through.push(points_to::GoesThrough(outside, module, field));
        }
    }

    /// The exception by which a generator ends: it is its own arguments, and holds what was returned.
    fn tell_stop(&mut self) {
        let (raised, stop) = (self.world.object(Entity::Raised), self.world.object(Entity::Stopped));
        let class = self.world.library("builtins.StopIteration");
        self.facts.instance_of.push(points_to::InstanceOf(stop, class));
        let arguments = self.world.attribute("args");
        self.facts.initially.push(points_to::Initially(stop, arguments, stop));
        for field in [self.world.attribute("value"), Field::ANY_ITEM] {
            self.facts.stop_holds.push(points_to::StopHolds(raised, stop, field));
        }
    }

    /// Whether a pattern of the class finds the object itself at its first position, and nothing at another one.
    pub(super) fn matches_itself(&self, class: Obj) -> bool {
        SELF_MATCHING.iter().any(|name| self.world.known_library(name) == Some(class))
    }

    fn tell_library_classes(&mut self) {
        use healguard_rules::models::Layout;
        let classes: Vec<_> = self.world.models.classes().collect();
        for class in classes {
            let (name, layout) = (&class.name, class.layout);
            let object = self.world.library(name);
            if CALLABLE.contains(&name.as_str()) {
                self.facts.fixed.push(points_to::Fixed(object));
            } else {
                self.facts.library_class.push(points_to::LibraryClass(object));
            }
            if class.immutable {
                self.facts.immutable.push(points_to::Immutable(object));
                if !matches!(layout, Layout::Tuple | Layout::Set) {
                    self.facts.inert.push(points_to::Inert(object));
                }
            }
            let is_ordered = matches!(layout, Layout::List | Layout::Tuple);
            let kept = [(Field::ANY_ITEM, is_ordered || layout == Layout::Dict), (Field::KEYS, is_ordered)];
            let kept = kept.into_iter().filter(|(_, keeps)| *keeps);
            self.facts.keeps_positions.extend(kept.map(|(field, _)| points_to::KeepsPositions(object, field)));
            match layout {
                Layout::Iterator => self.facts.iterator_class.push(effects::IteratorClass(object)),
                Layout::Dict => self.facts.iterates_keys.push(points_to::IteratesKeys(object)),
                Layout::Set => self.facts.distinct.push(taint::Distinct(object)),
                Layout::Str => {
                    let element = if name == "builtins.str" { "builtins.str" } else { "builtins.int" };
                    let element = self.world.library(element);
                    self.facts.element_class.push(points_to::ElementClass(object, element));
                }
                Layout::File => {
                    for element in ["builtins.str", "builtins.bytes"] {
                        let element = self.world.library(element);
                        self.facts.element_class.push(points_to::ElementClass(object, element));
                    }
                }
                _ => {}
            }
            let is_value = !matches!(layout, Layout::Plain | Layout::Iterator | Layout::File)
                || name.starts_with("datetime.")
                || name.starts_with("decimal.")
                || name.starts_with("pathlib.")
                || name.starts_with("fractions.")
                || name == "builtins.data"
                || name == "builtins.number";
            if is_value {
                self.facts.value_class.push(points_to::ValueClass(object));
            }
        }
        for (class, element) in [("builtins.range", "builtins.int"), ("builtins.data", "builtins.data")] {
            let (class, element) = (self.world.library(class), self.world.library(element));
            self.facts.element_class.push(points_to::ElementClass(class, element));
        }
    }

    /// Tells everything about entities and constants that are new since the last time.
    pub(super) fn tell_entities(&mut self) {
        while self.told.entities < self.world.entity_count() {
            let object = Obj::table(self.told.entities as u32);
            self.told.entities += 1;
            if let Some(entity) = self.world.entity(object).cloned() {
                self.tell_entity(object, &entity);
            }
        }
        let fresh: Vec<(Obj, Constant)> = self
            .world
            .constant_objects()
            .filter(|(object, _)| !self.told.constants.contains(object))
            .map(|(object, constant)| (object, constant.clone()))
            .collect();
        for (object, constant) in fresh {
            self.told.constants.insert(object);
            let class = self.world.library(constant.class());
            self.facts.instance_of.push(points_to::InstanceOf(object, class));
            let valueless = self.world.without_value(object);
            self.facts.valueless.push(points_to::Valueless(object, valueless));
            if constant == Constant::None {
                // Its class has no other value: where one healing says that there is nothing, others say what there is.
                let others = SCALARS.map(|class| self.world.constant(&Constant::Some(class)));
                self.facts.valueless.extend(others.map(|other| points_to::Valueless(object, other)));
            }
            if let Constant::Str(text) = &constant
                && text.len() <= LONGEST_NAME
            {
                let attribute = self.world.attribute(text);
                self.facts.attribute_key.push(points_to::AttributeKey(item_of(object), attribute));
            }
        }
        if self.told.entities < self.world.entity_count() || self.told.constants.len() < self.world.constant_count() {
            self.tell_entities();
        }
    }

    fn tell_entity(&mut self, object: Obj, entity: &Entity) {
        match entity {
            Entity::Snapshot(id) => self.tell_snapshot_object(object, *id),
            Entity::Module(_) => self.facts.is_namespace.push(points_to::IsNamespace(object)),
            Entity::Library(name) => self.tell_library(object, name),
            Entity::Class(..) | Entity::MadeClass(_) => {
                self.tell_class(object);
                let metaclass = self.world.library("builtins.type");
                self.facts.instance_of.push(points_to::InstanceOf(object, metaclass));
            }
            Entity::Cells(file, owner) => self.tell_cells(object, *file, *owner),
            Entity::OwnCells(function, owner) => self.tell_own_cells(object, *function, *owner),
            Entity::Outside(_) | Entity::Raised | Entity::Stopped => {}
        }
        self.tell_protection(object);
    }

    /// A class that defines equality and no hash has `None` for it.
    fn tell_hash(&mut self, object: Obj, source: &Object) {
        let order = source.mro.iter().filter_map(|class| self.world.snapshot.object(class));
        let mut hashes = order.filter_map(|class| class.attributes.get("__hash__"));
        if hashes.next().is_some_and(|hash| matches!(hash, Value::None)) {
            self.facts.unhashable.push(points_to::Unhashable(object));
        }
    }

    fn tell_class(&mut self, object: Obj) {
        self.facts.is_class.push(points_to::IsClass(object));
        self.facts.is_namespace.push(points_to::IsNamespace(object));
    }

    fn tell_library(&mut self, object: Obj, name: &Name) {
        self.facts.is_namespace.push(points_to::IsNamespace(object));
        let is_class = self.world.models.class(name).is_some();
        if &**name == "builtins.object" {
            self.facts.idle.push(taint::Idle(object));
        }
        if !is_plain_base(name) {
            self.facts.built_in.push(taint::BuiltIn(object));
        }
        if is_class {
            self.facts.is_class.push(points_to::IsClass(object));
            let metaclass = self.world.library("builtins.type");
            self.facts.instance_of.push(points_to::InstanceOf(object, metaclass));
        }
        if let Some(constant) = self.world.models.constant(name) {
            for class in self.members_of(&constant.class.class) {
                self.facts.instance_of.push(points_to::InstanceOf(object, class));
            }
            return;
        }
        if CREATING.contains(&&**name) {
            self.facts.creates_object.push(points_to::CreatesObject(object));
        }
        let found = member_model(self.world.models, name).map(|(id, model)| (id, model.binding));
        match found {
            Some((id, binding)) => {
                let model = self.tell_model(id);
                self.facts.modelled.push(points_to::Modelled(object, model));
                if self.answers(name) {
                    self.facts.answers.push(points_to::Answers(object));
                } else if !self.world.models.model(id).hooks.is_empty() {
                    let asks = self.tell_asks(id);
                    self.facts.asks.push(points_to::Asks(object, asks));
                }
                if binding == ModelBinding::Instance {
                    let free = self.free_model(id);
                    self.facts.modelled_free.push(points_to::ModelledFree(object, free));
                }
                if matches!(binding, ModelBinding::Instance | ModelBinding::Class) {
                    self.facts.plain_method.push(points_to::PlainMethod(object));
                }
                if binding == ModelBinding::Property {
                    self.facts.library_property.push(points_to::LibraryProperty(object));
                    self.facts.descriptor.push(points_to::Descriptor(object));
                }
            }
            None if has_rules(name) => {
                if matches!(&**name, "builtins.locals" | "builtins.vars") {
                    self.facts.gives_locals.push(points_to::GivesLocals(object));
                }
                if name.ends_with(".__call__") {
                    self.facts.plain_method.push(points_to::PlainMethod(object));
                }
                if &**name == "builtins.object.__new__" {
                    self.facts.creates_object.push(points_to::CreatesObject(object));
                }
            }
            None if !is_class => {
                self.facts.unmodelled.push(points_to::Unmodelled(object));
                self.facts.plain_method.push(points_to::PlainMethod(object));
            }
            // Rules of its own say what `super` gives.
            None if &**name == SUPER => {}
            // Of a class without a constructor of its own, one above may say what it does.
            None => {
                if !self.tell_base_constructor(object) && !is_plain_base(name) {
                    self.facts.unmodelled.push(points_to::Unmodelled(object));
                }
            }
        }
    }

    /// Whether a member of the library has to be called where a construct asks for it. The rules of constructs cover what
    /// containers and values do with what they hold, not what other objects do, nor what is done about a missing key.
    fn answers(&self, name: &str) -> bool {
        use healguard_rules::models::Layout;
        let Some((class, member)) = name.rsplit_once('.') else { return false };
        let Some(class) = self.world.models.class(class) else { return false };
        let is_special = member.starts_with("__") && member.ends_with("__");
        let has_state = class.layout == Layout::Plain && class.name != "builtins.object";
        is_special && (has_state || member == "__missing__")
    }

    /// What a class or function says of itself under one of the names of `NAMES`.
    pub(super) fn name_values(&mut self, dotted: &str, name: &str) -> Vec<Obj> {
        let text = match name {
            "__name__" => self.world.constant(&Constant::Str(last_name(dotted).into())),
            _ => self.world.some_text(),
        };
        let none = (name == "__doc__").then(|| self.world.constant(&Constant::None));
        [text].into_iter().chain(none).collect()
    }

    fn holds(&mut self, object: Obj, field: Field, value: &Value) {
        let held = self.world.value(value).unwrap_or(Obj::UNTOLD);
        self.facts.initially.push(points_to::Initially(object, field, held));
    }

    /// An element of a container: in a large one, a scalar is told by its class only.
    fn holds_element(&mut self, object: Obj, field: Field, value: &Value, entries: usize) {
        let held = self.world.value(value).unwrap_or(Obj::UNTOLD);
        let held = if entries > EXACT_SCALARS { self.world.without_value(held) } else { held };
        let fact = points_to::Initially(object, field, held);
        if entries <= EXACT_SCALARS || self.facts.initially.last().is_none_or(|last| *last != fact) {
            self.facts.initially.push(fact);
        }
    }

    fn holds_attribute(&mut self, object: Obj, name: &str, value: Option<&Value>) {
        if let Some(value) = value {
            let field = self.world.attribute(name);
            self.holds(object, field, value);
        }
    }

    fn tell_snapshot_object(&mut self, object: Obj, id: ObjectId) {
        let Some(source) = self.world.snapshot.objects.get(&id) else {
            self.facts.initially.push(points_to::Initially(object, Field::ANY, Obj::UNTOLD));
            return;
        };
        match source.kind.as_str() {
            "function" => self.tell_function(object, source),
            "class" => {
                self.tell_class(object);
                self.tell_instance_class(object, source);
                self.tell_hash(object, source);
                self.tell_finished_class(object, source, id);
            }
            "method" => {
                self.tell_library_instance(object, "builtins.method");
                self.holds_attribute(object, "__func__", source.function.as_ref());
                self.holds_attribute(object, "__self__", source.receiver.as_ref());
            }
            "builtin" => {
                // A method of a library object that was bound already.
                self.tell_library_instance(object, "builtins.method");
                let function = self.world.library(source.name.as_deref().unwrap_or("?"));
                let field = self.world.attribute("__func__");
                self.facts.initially.push(points_to::Initially(object, field, function));
                self.holds_attribute(object, "__self__", source.receiver.as_ref());
            }
            "property" => {
                self.facts.descriptor.push(points_to::Descriptor(object));
                self.tell_instance_class(object, source);
                self.holds_attribute(object, "fget", source.get.as_ref());
                self.holds_attribute(object, "fset", source.set.as_ref());
                self.holds_attribute(object, "fdel", source.delete.as_ref());
            }
            "staticmethod" | "classmethod" => {
                self.tell_library_instance(object, &format!("builtins.{}", source.kind));
                self.holds_attribute(object, "__func__", source.function.as_ref());
            }
            "partial" => {
                self.tell_instance_class(object, source);
                self.holds_attribute(object, "func", source.function.as_ref());
                for argument in
                    source.arguments.iter().flatten().chain(source.keywords.iter().flat_map(|map| map.values()))
                {
                    self.holds(object, Field::ANY_ITEM, argument);
                }
            }
            "generator" | "coroutine" | "async_generator" => {
                self.tell_instance_class(object, source);
                if !self.tell_suspended(object, source) {
                    self.facts.initially.push(points_to::Initially(object, Field::ANY, Obj::UNTOLD));
                    for value in source.locals.values() {
                        self.holds(object, Field::ANY, value);
                    }
                    self.assumptions.insert((Assumed::Suspended, None));
                }
            }
            _ => self.tell_instance(object, source),
        }
    }

    fn tell_library_instance(&mut self, object: Obj, class: &str) {
        let class = self.world.library(class);
        self.facts.instance_of.push(points_to::InstanceOf(object, class));
    }

    fn tell_instance_class(&mut self, object: Obj, source: &'s Object) {
        let class = self.world.class_of(source);
        self.facts.instance_of.push(points_to::InstanceOf(object, class));
    }

    fn tell_instance(&mut self, object: Obj, source: &'s Object) {
        self.tell_instance_class(object, source);
        if self.is_descriptor(source) {
            self.facts.descriptor.push(points_to::Descriptor(object));
        }
        for (name, value) in &source.attributes {
            let field = self.world.attribute(name);
            self.facts.present.push(points_to::Present(object, field));
            self.holds(object, field, value);
        }
        if source.type_name == CACHED_FUNCTION {
            // What it holds inside is the function, and results that nobody sees but through it.
            self.facts.plain_method.push(points_to::PlainMethod(object));
            return;
        }
        let items = source.items.as_deref().unwrap_or_default();
        let has_positions = matches!(source.layout.as_deref().unwrap_or(&source.kind), "list" | "tuple" | "deque");
        for (index, value) in items.iter().enumerate() {
            let field = if has_positions && items.len() <= EXACT_ENTRIES {
                let key = self.world.constant(&crate::ir::Constant::Int(index.to_string().into()));
                item_of(key)
            } else {
                Field::ANY_ITEM
            };
            self.holds_element(object, field, value, items.len());
        }
        for (name, value) in self.field_names(source).into_iter().zip(items) {
            self.holds_attribute(object, &name, Some(value));
        }
        let entries = source.entries.as_deref().unwrap_or_default();
        for (key, value) in entries {
            let key_object = self.world.value(key).unwrap_or(Obj::UNTOLD);
            let field = if entries.len() <= EXACT_ENTRIES { item_of(key_object) } else { Field::ANY_ITEM };
            self.holds_element(object, field, value, entries.len());
            self.holds_element(object, Field::KEYS, key, entries.len());
        }
        // What an object of a modelled class holds inside is reached through its methods only.
        let is_modelled = self.world.models.class(&source.type_name).is_some();
        let inside = if is_modelled { self.world.attribute("<inside>") } else { Field::ANY };
        for value in source.referents.iter().chain(&source.contents) {
            self.holds(object, inside, value);
        }
        self.tell_shown(object, source);
        self.tell_dictionary(object);
        if source.cut && !is_modelled {
            self.facts.initially.push(points_to::Initially(object, Field::ANY, Obj::UNTOLD));
            self.assumptions.insert((Assumed::Cut, None));
        }
    }

    /// Whose attributes a dictionary of the snapshot holds.
    fn tell_dictionary(&mut self, object: Obj) {
        let Some(Entity::Snapshot(id)) = self.world.entity(object).cloned() else { return };
        for (_, owner) in self.world.snapshot.dictionaries.iter().filter(|(dictionary, _)| *dictionary == id) {
            let owner = match owner {
                Value::Str(module) => Some(self.world.object(Entity::Module(Name::from(module.as_str())))),
                owner => self.world.value(owner),
            };
            let told = owner.map(|owner| points_to::KeepsAttributes(object, owner));
            self.facts.keeps_attributes.extend(told);
        }
    }

    /// What an iterator or view of the snapshot goes through.
    fn tell_shown(&mut self, object: Obj, source: &'s Object) {
        use healguard_rules::models::Layout;
        let Some(class) = self.world.models.class(&source.type_name) else { return };
        let name = class.name.as_str();
        let is_view = VIEWS.contains(&name);
        if class.layout != Layout::Iterator && !is_view {
            return;
        }
        for value in &source.referents {
            if let Some(shown) = self.world.value(value) {
                self.facts.goes_over.push(points_to::GoesOver(object, shown));
            }
            let is_code = |value: &Object| matches!(value.kind.as_str(), "function" | "method" | "builtin");
            if self.world.snapshot.object(value).is_some_and(is_code) {
                self.facts.runs_code.push(points_to::RunsCode(object));
            }
        }
        if is_view || PLAIN_ITERATORS.contains(&name) {
            self.facts.passes_on.push(points_to::PassesOn(object));
        }
    }

    /// The names under which the items of a named tuple are its attributes.
    fn field_names(&self, source: &'s Object) -> Vec<String> {
        let snapshot = self.world.snapshot;
        let Some(class) = source.class.as_ref().and_then(|class| snapshot.object(class)) else { return Vec::new() };
        let order = class.mro.iter().filter_map(|entry| snapshot.object(entry));
        let fields =
            order.filter_map(|class| class.attributes.get("_fields")).find_map(|fields| snapshot.object(fields));
        let names = fields.and_then(|fields| fields.items.as_deref()).unwrap_or_default();
        let text = |name: &Value| if let Value::Str(name) = name { Some(name.clone()) } else { None };
        names.iter().filter_map(text).collect()
    }

    /// Whether the class of an object has `__get__`.
    fn is_descriptor(&mut self, source: &'s Object) -> bool {
        let class = self.world.class_of(source);
        let order = self.world.resolution_order(class, &std::collections::BTreeMap::new());
        order.into_iter().any(|class| self.world.owns(class, "__get__") == Some(true))
    }

    fn tell_function(&mut self, object: Obj, source: &'s Object) {
        self.facts.plain_method.push(points_to::PlainMethod(object));
        self.tell_library_instance(object, "builtins.function");
        for name in NAMES.into_iter().filter(|name| !source.attributes.contains_key(*name)) {
            let field = self.world.attribute(name);
            for value in self.name_values(source.qualname.as_deref().unwrap_or_default(), name) {
                self.facts.initially.push(points_to::Initially(object, field, value));
            }
        }
        for (name, value) in &source.attributes {
            let field = self.world.attribute(name);
            self.holds(object, field, value);
        }
        let Some((file, body)) = self.world.code_of(source) else {
            self.facts.unmodelled.push(points_to::Unmodelled(object));
            for value in source.closure.values().chain(&source.defaults) {
                self.holds(object, Field::ANY_ITEM, value);
            }
            return;
        };
        let func = self.function(file, body);
        self.facts.code_of.push(points_to::CodeOf(object, func));
        self.tell_defaults(object, source, file, body);
        self.tell_closure(object, source, file, body);
    }

    fn tell_defaults(&mut self, object: Obj, source: &'s Object, file: FileId, body: BodyId) {
        let Some(parameters) = self.world.body(file, body).map(|body| body.parameters.clone()) else { return };
        let first = parameters.positional.saturating_sub(source.defaults.len());
        for (index, value) in source.defaults.iter().enumerate() {
            let field = self.world.attribute(&default_name(first + index));
            self.holds(object, field, value);
        }
        for (name, value) in &source.keyword_defaults {
            if let Some(index) = parameters.names.iter().position(|parameter| **parameter == **name) {
                let field = self.world.attribute(&default_name(index));
                self.holds(object, field, value);
            }
        }
    }

    /// A function of the snapshot sees the cells of the bodies around its definition.
    fn tell_closure(&mut self, object: Obj, source: &'s Object, file: FileId, body: BodyId) {
        let identity = match self.world.entity(object) {
            Some(Entity::Snapshot(id)) if !source.cut && !source.closure.is_empty() => Some(*id),
            _ => None,
        };
        let mut around = self.world.body(file, body).and_then(|body| body.parent);
        while let Some(owner) = around {
            let Some(outer) = self.world.body(file, owner) else { return };
            let (has_cells, parent) = (outer.has_cells, outer.parent);
            if has_cells {
                let own = identity.filter(|_| self.is_finished(file, owner));
                let cells = own.map_or(Entity::Cells(file, owner), |id| Entity::OwnCells(id, owner));
                let cells = self.world.object(cells);
                let func = self.function(file, owner);
                let field = self.world.attribute(&cells_name(owner));
                self.facts.cells_field.push(points_to::CellsField(field));
                self.facts.shares_cells.push(points_to::SharesCells(cells, func));
                self.facts.initially.push(points_to::Initially(object, field, cells));
            }
            around = parent;
        }
    }

    /// Whether nothing stores into the cells of a body's activations from before the crash: it stands on no stack, and only it
    /// stores into them.
    fn is_finished(&mut self, file: FileId, owner: BodyId) -> bool {
        if let Some(known) = self.told.ended.get(&(file, owner)) {
            return *known;
        }
        let snapshot = self.world.snapshot;
        let suspended = snapshot.objects.values().filter_map(Object::suspended_frame);
        let suspended = suspended.map(|frame| (frame.file.clone(), frame.function.clone(), frame.first_line));
        let live = snapshot.frames.iter().map(|frame| (frame.file.clone(), frame.function.clone(), frame.first_line));
        let activations: Vec<_> = suspended.chain(live).collect();
        let stands = activations.into_iter().any(|(path, function, line)| {
            self.world.locate(std::path::Path::new(&path), &function, line) == Some((file, owner))
        });
        let Ok(lowered) = &self.world.files[file].lowered else { return false };
        let others = lowered.bodies.iter().enumerate().filter(|(id, _)| *id != owner);
        let stores = |kind: &Kind| matches!(kind, Kind::StoreCell { owner: into, .. } if *into == owner);
        let is_finished = !stands && !others.flat_map(|(_, body)| &body.nodes).any(|node| stores(&node.kind));
        self.told.ended.insert((file, owner), is_finished);
        is_finished
    }

    /// What the cells that came with a function hold.
    fn tell_own_cells(&mut self, cells: Obj, function: ObjectId, owner: BodyId) {
        let Some(source) = self.world.snapshot.objects.get(&function) else { return };
        let Some((file, body)) = self.world.code_of(source) else { return };
        let mut seen: Vec<(String, &'s Value)> = Vec::new();
        self.cells_seen(Some((file, body)), (file, owner), &source.closure, &mut seen);
        for (name, value) in seen {
            let field = self.world.attribute(&name);
            self.holds(cells, field, value);
        }
    }

    /// What the cells of a body hold: the snapshot shows them in frames and in closures, without saying which activation
    /// they belong to.
    fn tell_cells(&mut self, cells: Obj, file: FileId, owner: BodyId) {
        let snapshot = self.world.snapshot;
        let mut seen: Vec<(String, &'s Value)> = Vec::new();
        for frame in &snapshot.frames {
            let located = self.world.locate(std::path::Path::new(&frame.file), &frame.function, frame.first_line);
            self.cells_seen(located, (file, owner), &frame.cells, &mut seen);
        }
        for object in snapshot.objects.values().filter(|object| object.kind == "function" && !object.closure.is_empty())
        {
            let located = self.world.code_of(object);
            self.cells_seen(located, (file, owner), &object.closure, &mut seen);
        }
        for (name, value) in seen {
            let field = self.world.attribute(&name);
            self.holds(cells, field, value);
        }
    }

    fn cells_seen(
        &mut self,
        located: Option<(FileId, BodyId)>,
        (file, owner): (FileId, BodyId),
        values: &'s indexmap::IndexMap<String, Value>,
        seen: &mut Vec<(String, &'s Value)>,
    ) {
        let Some((in_file, body)) = located.filter(|(in_file, _)| *in_file == file) else { return };
        let Some(ir) = self.world.body(in_file, body) else { return };
        for (name, value) in values {
            if ir.binding(name) == Some(&Binding::Cell(owner)) {
                seen.push((name.clone(), value));
            }
        }
    }
}
