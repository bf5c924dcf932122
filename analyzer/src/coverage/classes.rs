//! Classes of the program: their bases, and what they and their objects have.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::flow::{Key, Solver};
use super::values::{BodyRef, Or, Text, Value, Values};

/// A class with all classes above it.
#[derive(Default)]
pub struct Order {
    /// Those of the program, nearest first.
    pub classes: Vec<BodyRef>,
    above: FxHashSet<BodyRef>,
    /// Those of the library.
    pub libraries: Vec<Text>,
    /// Whether there are others.
    pub has_unknown: bool,
}

/// How a member is taken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Through {
    Object,
    Class,
}

impl Solver<'_> {
    /// The classes above a class, itself first.
    pub fn order(&mut self, class: BodyRef) -> Rc<Order> {
        self.watch(Key::Hierarchy);
        self.order_below(class, &mut Vec::new())
    }

    fn order_below(&mut self, class: BodyRef, below: &mut Vec<BodyRef>) -> Rc<Order> {
        if let Some(order) = self.orders.get(&class) {
            return Rc::clone(order);
        }
        let mut order = Order { classes: vec![class], ..Order::default() };
        let bases = self.read(Key::Bases(class));
        order.has_unknown = bases.unknown;
        below.push(class);
        for base in bases.iter() {
            match base {
                // A name that several classes had makes circles of bases.
                Value::Class(base, _) if below.contains(&base) => {}
                Value::Class(base, _) => {
                    let above = self.order_below(base, below);
                    order.classes.retain(|class| !above.above.contains(class));
                    order.classes.extend(&above.classes);
                    order.libraries.extend(&above.libraries);
                    order.has_unknown |= above.has_unknown;
                }
                Value::Library(base) => order.libraries.push(base),
                Value::None => {}
                _ => order.has_unknown = true,
            }
        }
        below.pop();
        order.above = order.classes.iter().copied().collect();
        let object = self.text("builtins.object");
        order.libraries.retain(|library| *library != object);
        if below.is_empty() {
            order.libraries.push(object);
            order.libraries.dedup();
        }
        let order = Rc::new(order);
        if below.is_empty() {
            self.orders.insert(class, Rc::clone(&order));
        }
        order
    }

    fn has(&mut self, class: BodyRef, name: Text) -> bool {
        let program = self.program;
        let is_owned = program.code(class).owned.contains(&self.texts[name as usize]);
        is_owned || self.read(Key::Member(class, name)) != Values::default()
    }

    /// What the nearest of the classes has under a name.
    fn member(&mut self, classes: &[BodyRef], name: Text) -> Option<Values> {
        let owner = classes.iter().copied().find(|class| self.has(*class, name))?;
        Some(self.read(Key::Member(owner, name)))
    }

    /// Classes below that have something under a name.
    fn definers_below(&mut self, class: BodyRef, or: Or, name: Text) -> Vec<BodyRef> {
        if or == Or::Itself {
            return Vec::new();
        }
        self.watch(Key::AnyMember(name));
        let definers: Vec<BodyRef> = self.definers.get(&name).into_iter().flatten().copied().collect();
        let is_below = |definer: &BodyRef| *definer != class && self.order(*definer).above.contains(&class);
        definers.into_iter().filter(is_below).collect()
    }

    /// An attribute of an object.
    pub fn attribute_of_object(&mut self, class: BodyRef, or: Or, name: Text) -> Values {
        let order = self.order(class);
        let mut found = Values::default();
        for above in &order.classes {
            found.add(&self.read(Key::Field(*above, name)));
        }
        if let Some(member) = self.member(&order.classes, name) {
            found.add(&self.taken(&member, Through::Object, class, or));
        }
        for below in self.definers_below(class, or, name) {
            found.add(&self.read(Key::Field(below, name)));
            let member = self.read(Key::Member(below, name));
            found.add(&self.taken(&member, Through::Object, below, or));
        }
        if found != Values::default() {
            return found;
        }
        match &*self.texts[name as usize].clone() {
            "__class__" => Values::one(Value::Class(class, or)),
            "__dict__" => self.object("builtins.dict"),
            _ => self.inherited(&order, name, Through::Object),
        }
    }

    /// An attribute of a class.
    pub fn attribute_of_class(&mut self, class: BodyRef, or: Or, name: Text) -> Values {
        let order = self.order(class);
        let mut found = Values::default();
        if let Some(member) = self.member(&order.classes, name) {
            found.add(&self.taken(&member, Through::Class, class, or));
        }
        for below in self.definers_below(class, or, name) {
            let member = self.read(Key::Member(below, name));
            found.add(&self.taken(&member, Through::Class, below, or));
        }
        for above in &order.classes {
            for metaclass in self.read(Key::Metaclass(*above)).iter() {
                if let (Value::Class(metaclass, _), true) = (metaclass, found == Values::default()) {
                    let order = self.order(metaclass);
                    let member = self.member(&order.classes, name).unwrap_or_default();
                    found.add(&self.taken(&member, Through::Object, metaclass, Or::Below));
                }
            }
        }
        if found != Values::default() {
            return found;
        }
        match &*self.texts[name as usize].clone() {
            "__name__" | "__qualname__" | "__module__" | "__doc__" => self.object("builtins.str"),
            _ => self.inherited(&order, name, Through::Class),
        }
    }

    /// An attribute that is looked up behind a class.
    pub fn attribute_behind(&mut self, class: BodyRef, name: Text) -> Values {
        let order = self.order(class);
        match self.member(&order.classes[1..], name) {
            Some(member) => self.taken(&member, Through::Object, class, Or::Below),
            None => self.inherited(&order, name, Through::Object),
        }
    }

    /// A member as an object or a class gives it.
    fn taken(&mut self, member: &Values, through: Through, class: BodyRef, or: Or) -> Values {
        let mut taken = Values::nothing_but(member.unknown);
        let is_enum = through == Through::Class && self.is_enum(class);
        for value in member.iter() {
            match value {
                Value::Static(function) => taken.insert(Value::Function(function)),
                Value::ClassMethod(function) => taken.insert(Value::Bound(function)),
                Value::Function(function) if through == Through::Object && !self.is_creator(function) => {
                    taken.insert(Value::Bound(function));
                }
                Value::Property(function) if through == Through::Object => {
                    taken.add(&self.read(Key::Returns(function)).outside());
                }
                Value::Instance(descriptor, _) if self.is_descriptor(descriptor) => taken.unknown = true,
                Value::Object(_) | Value::Tuple(..) | Value::None if is_enum => {
                    taken.insert(Value::Instance(class, or));
                }
                _ => taken.insert(value),
            }
        }
        taken
    }

    fn is_enum(&mut self, class: BodyRef) -> bool {
        let order = self.order(class);
        order.libraries.iter().any(|library| self.texts[*library as usize].starts_with("enum."))
    }

    /// Whether a function is `__new__`, which is no method.
    fn is_creator(&self, function: BodyRef) -> bool {
        self.program.code(function).qualified_name.ends_with(".__new__")
    }

    fn is_descriptor(&mut self, class: BodyRef) -> bool {
        let (order, get) = (self.order(class), self.text("__get__"));
        self.member(&order.classes, get).is_some()
    }

    /// What classes of the library give, or what nobody knows.
    fn inherited(&mut self, order: &Order, name: Text, through: Through) -> Values {
        let text = self.texts[name as usize].clone();
        for library in &order.libraries {
            let class = self.texts[*library as usize].clone();
            let dotted = format!("{class}.{text}");
            if !self.is_known(&dotted) {
                continue;
            }
            return match through {
                Through::Object if &*text != "__new__" => {
                    let object = self.shape(&class);
                    self.attribute_of_shape(object, name)
                }
                _ => Values::one(Value::Library(self.text(&dotted))),
            };
        }
        let (get, access) = (self.text("__getattr__"), self.text("__getattribute__"));
        let is_asked = [get, access].into_iter().any(|hook| self.member(&order.classes, hook).is_some());
        let foreign = order.libraries.iter().find(|class| self.models.class(&self.texts[**class as usize]).is_none());
        match foreign {
            Some(class) if !order.has_unknown && !is_asked => {
                let dotted = format!("{}.{text}", self.texts[*class as usize]);
                Values::one(Value::Library(self.text(&dotted)))
            }
            _ => Values::nothing_but(order.has_unknown || is_asked),
        }
    }
}
