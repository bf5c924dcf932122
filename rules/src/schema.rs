//! The columns of relations: compact names for the things that facts speak about.
//!
//! Column order in every relation is context, subject, object.

use crate::impl_column;

/// A calling context: a live frame, or the call site that entered the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ctx(pub u32);

/// A program point: one instruction of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point(pub u32);

/// A version of a local variable or temporary (SSA), or the hub of a call of unknown code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var(pub u32);

/// A code body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Func(pub u32);

/// A model of a library function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Model(pub u32);

/// A protected operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Operation(pub u32);

/// A base of a port within a call: receiver, argument, result, world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Port(pub u32);

/// How the arguments of a call meet the parameters of a callee: how many parameters are taken by the receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shift(pub u32);

/// What a special method name is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Role(pub u32);

impl Role {
    /// `__getattr__`.
    pub const READ: Role = Role(1);
    /// `__getattribute__`.
    pub const READ_ALWAYS: Role = Role(7);
    /// `__setattr__`.
    pub const WRITE: Role = Role(2);
    /// `__get__`.
    pub const DESCRIPTOR_GET: Role = Role(3);
    /// `__set__`.
    pub const DESCRIPTOR_SET: Role = Role(4);
    /// `__init__`.
    pub const INITIALIZE: Role = Role(5);
    /// `__new__`.
    pub const CREATE: Role = Role(8);
    /// `__call__`.
    pub const CALL: Role = Role(6);
    /// `__prepare__`.
    pub const PREPARE: Role = Role(22);
    /// `__set_name__`.
    pub const NAME: Role = Role(20);
    /// `__init_subclass__`, which is given the class.
    pub const SUBCLASS: Role = Role(21);
    /// `__iadd__` and its like.
    pub const IN_PLACE: Role = Role(23);
    /// `__iter__`.
    pub const ITERATE: Role = Role(9);
    /// `__next__`.
    pub const NEXT: Role = Role(10);
    /// `__getitem__`.
    pub const INDEX: Role = Role(11);
    /// `__copy__`.
    pub const COPY: Role = Role(12);
    /// `__deepcopy__`.
    pub const COPY_DEEP: Role = Role(13);
    /// `__delete__`.
    pub const DESCRIPTOR_DELETE: Role = Role(17);
    /// `__class_getitem__`.
    pub const CLASS_ITEM: Role = Role(18);
    /// `__post_init__`, which what `dataclass` makes calls behind its constructor.
    pub const POST_INITIALIZE: Role = Role(16);
    /// `__eq__`.
    pub const EQUAL: Role = Role(15);
    /// `keys`, which a mapping is asked for.
    pub const KEYS: Role = Role(14);
    /// `__code__`, which says what a function does.
    pub const CODE: Role = Role(24);
}

/// The first parameter.
pub const FIRST: u32 = 0;
/// The second parameter.
pub const SECOND: u32 = 1;

/// The third parameter.
pub const THIRD: u32 = 2;

/// An abstract object.
///
/// Objects that exist once (snapshot objects, classes, modules, functions of the library, constants) have no context;
/// allocated ones carry the point and the context of their allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Obj(pub u64);

/// A field of an object: an attribute, an item, or one of the special fields below.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Field(pub u32);

impl_column!(Ctx, Point, Var, Func, Model, Operation, Port, Shift, Role, Obj, Field);

impl Ctx {
    /// The context of what ran before the crash.
    pub const PAST: Ctx = Ctx(0);
    /// The context of abandoned code: what a skipped statement would have done.
    pub const ABANDONED: Ctx = Ctx(1);
    /// The context of the live frames. Each frame has a body of its own, so one context serves them all.
    pub const LIVE: Ctx = Ctx(2);
    /// The one context of a function whose calls share their results, and of module bodies that run after the crash.
    pub const SHARED: Ctx = Ctx(3);
    const FIRST_CALL: u32 = 16;
}

impl Port {
    pub const RECEIVER: Port = Port(0);
    pub const RESULT: Port = Port(1);
    /// Any argument.
    pub const ARGUMENTS: Port = Port(2);
    const FIRST_INNER: u32 = 4;
    const FIRST_WORLD: u32 = 16;
    const FIRST_ARGUMENT: u32 = 64;

    /// The port of an argument by position.
    #[must_use]
    pub fn argument(position: u32) -> Port {
        Port(Port::FIRST_ARGUMENT + position)
    }

    /// The port of an object that the call makes inside of its result, by its number; there are no ports for those far behind.
    #[must_use]
    pub fn inner(number: u32) -> Option<Port> {
        (number <= PARTS).then_some(Port(Port::FIRST_INNER + number))
    }

    /// The port of a kind of state outside the program.
    #[must_use]
    pub fn world(kind: u32) -> Port {
        Port(Port::FIRST_WORLD + kind)
    }
}

impl Shift {
    /// Called as a plain function.
    pub const NONE: Shift = Shift(0);
    /// Called as a method: the receiver takes the first parameter.
    pub const METHOD: Shift = Shift(1);
    /// Called by library code, which chooses the arguments; the receiver, if there is one, is bound already.
    pub const CALLBACK: Shift = Shift(1000);
    /// The same for a method: library code chooses all arguments but the receiver.
    pub const HOOK: Shift = Shift(1001);
    /// A reflected operator: the left operand becomes the argument.
    pub const REFLECTED: Shift = Shift(1002);
    /// A new object is initialised: called as a method, and what it returns is not what the call gives.
    pub const INITIALIZE: Shift = Shift(1003);
    /// A method that library code asks for an element: the result becomes an element of the receiver.
    pub const ELEMENT: Shift = Shift(1004);
    /// A special method that a construct asks something on the way: the construct gives something else.
    pub const ASKED: Shift = Shift(1005);
}

/// The parameter that an argument meets.
#[must_use]
pub fn parameter_of(position: u32, shift: Shift) -> u32 {
    position.saturating_add(if shift == Shift::INITIALIZE { Shift::METHOD.0 } else { shift.0 })
}

/// The position of an item of a starred argument that begins at `first`.
#[must_use]
pub fn behind(first: u32, place: u32) -> u32 {
    first.saturating_add(place)
}

/// The argument that meets a parameter; none where the receiver or library code gives it.
#[must_use]
pub fn argument_of(parameter: u32, shift: Shift) -> u32 {
    match shift {
        Shift::NONE => parameter,
        Shift::METHOD | Shift::INITIALIZE => parameter.wrapping_sub(1),
        _ => u32::MAX,
    }
}

/// Parameters from this number on are not told apart.
pub const FAR: u32 = 24;

/// Whether a parameter is one of those that are not told apart.
#[must_use]
pub fn is_far(parameter: u32) -> bool {
    parameter >= FAR
}

/// Whether the receiver takes the first parameter.
#[must_use]
pub fn binds_receiver(shift: Shift) -> bool {
    matches!(shift, Shift::METHOD | Shift::HOOK | Shift::REFLECTED | Shift::INITIALIZE | Shift::ELEMENT | Shift::ASKED)
}

/// Whether a call gives what the body returns.
#[must_use]
pub fn gives_result(shift: Shift) -> bool {
    !matches!(shift, Shift::INITIALIZE | Shift::ELEMENT | Shift::ASKED)
}

/// Whether a special method is called for a library function or a construct, which gives it its arguments.
#[must_use]
pub fn is_hook(shift: Shift) -> bool {
    matches!(shift, Shift::HOOK | Shift::ASKED)
}

/// Whether what stands at a port is made by the call.
#[must_use]
pub fn is_made(port: Port) -> bool {
    port == Port::RESULT || (Port::FIRST_INNER..Port::FIRST_WORLD).contains(&port.0)
}

/// Whether a special method makes a copy of its object.
#[must_use]
pub fn is_copier(role: Role) -> bool {
    matches!(role, Role::COPY | Role::COPY_DEEP)
}

/// Whether library code chooses the arguments.
#[must_use]
pub fn chosen_by_library(shift: Shift) -> bool {
    matches!(shift, Shift::CALLBACK | Shift::HOOK)
}

const TAG: u32 = 60;
const STATIC: u64 = 0;
const ALLOCATED: u64 = 1;
const INNER: u64 = 2;
const OPAQUE: u64 = 3;
const CONSTANT: u64 = 4;
const BOUND: u64 = 5;
/// The first of the tags of parts.
const PART: u64 = 6;
/// How many parts of what a library call makes are told apart.
const PARTS: u32 = 10;

impl Obj {
    /// An object of the tables: from the snapshot, a class, a module, a library function.
    #[must_use]
    pub fn table(index: u32) -> Obj {
        Obj(STATIC << TAG | u64::from(index) << 32)
    }

    /// A constant.
    #[must_use]
    pub fn constant(index: u32) -> Obj {
        Obj(CONSTANT << TAG | u64::from(index) << 32)
    }

    /// An object that the snapshot does not tell anything about: it may be any.
    pub const UNTOLD: Obj = Obj(OPAQUE << TAG);

    fn tag(self) -> u64 {
        self.0 >> TAG
    }

    /// Index into the table of static objects or of constants.
    #[must_use]
    pub fn index(self) -> u32 {
        (self.0 >> 32 & 0x0fff_ffff) as u32
    }

    /// The point of the allocation, for objects that have one.
    #[must_use]
    pub fn point(self) -> Option<Point> {
        (self.tag() != STATIC && self.tag() != CONSTANT).then(|| Point(self.index()))
    }

    /// The context of the allocation.
    #[must_use]
    pub fn ctx(self) -> Ctx {
        Ctx(self.0 as u32)
    }

    #[must_use]
    pub fn is_table(self) -> bool {
        self.tag() == STATIC
    }

    #[must_use]
    pub fn is_allocated(self) -> bool {
        self.tag() == ALLOCATED
    }
}

/// Whether an object is a constant: it has no fields, and nothing can change it.
#[must_use]
pub fn is_constant(object: Obj) -> bool {
    object.tag() == CONSTANT
}

/// Whether an object is made by an instruction of the slice, or by a library function that it calls.
#[must_use]
pub fn is_allocated(object: Obj) -> bool {
    object.is_allocated()
}

/// Whether an object stands for whatever unknown code may give back.
#[must_use]
pub fn is_opaque(object: Obj) -> bool {
    object.tag() == OPAQUE
}

/// Whether an object is one that the snapshot does not tell anything about.
#[must_use]
pub fn is_untold(object: Obj) -> bool {
    object == Obj::UNTOLD
}

/// Whether an object exists once: it is part of the snapshot, the program or the library.
#[must_use]
pub fn is_table(object: Obj) -> bool {
    object.is_table()
}

/// The context of a body that was entered at `point` by code that runs in `caller`: the call sites from the live stack down to
/// some depth, and the last two. All are kept as digests; where digests agree, contexts are merged, which loses precision and
/// nothing else.
#[must_use]
pub fn call_context(caller: Ctx, point: Point) -> Ctx {
    let digest = |value: u32, bits: u32| value.wrapping_mul(0x9e37_79b1) >> (u32::BITS - bits);
    let (depth, path) = match caller.0 {
        caller if caller < Ctx::FIRST_CALL => (0, caller),
        caller => (caller >> (PATH_BITS + 2 * SITE_BITS), caller >> (2 * SITE_BITS) & ((1 << PATH_BITS) - 1)),
    };
    let is_near = depth < NEAR;
    let path = if is_near { digest(path ^ point.0 << PATH_BITS, PATH_BITS) } else { path };
    let depth = if is_near { depth + 1 } else { depth };
    let (outer, inner) = (caller.0 & ((1 << SITE_BITS) - 1), digest(point.0, SITE_BITS));
    Ctx(((depth << PATH_BITS | path) << SITE_BITS | outer) << SITE_BITS | inner)
}

/// Calls from the live stack on that a context knows.
const NEAR: u32 = 7;
/// Bits of a context for these.
const PATH_BITS: u32 = 11;
/// Bits of a context for each of the last two call sites.
const SITE_BITS: u32 = 9;

/// The same with two call sites, of which the outer one is kept as a digest.
#[must_use]
pub fn call_context_of_sites(caller: Ctx, point: Point) -> Ctx {
    let inner = (point.0 + Ctx::FIRST_CALL) % (1 << INNER_BITS);
    let outer = (caller.0 % (1 << INNER_BITS)).wrapping_mul(0x9e37_79b1) >> INNER_BITS;
    Ctx(outer << INNER_BITS | inner)
}

/// The same with one call site.
#[must_use]
pub fn call_context_of_site(_caller: Ctx, point: Point) -> Ctx {
    Ctx(point.0.saturating_add(Ctx::FIRST_CALL))
}

/// The same with none: all calls of a body are one.
#[must_use]
pub fn call_context_of_none(_caller: Ctx, _point: Point) -> Ctx {
    Ctx(Ctx::FIRST_CALL)
}

/// Bits of a context that are the inner call site.
const INNER_BITS: u32 = 20;

fn at(tag: u64, point: Point, ctx: Ctx) -> Obj {
    Obj(tag << TAG | u64::from(point.0) << 32 | u64::from(ctx.0))
}

/// The object that is made at `point`.
#[must_use]
pub fn allocated(point: Point, ctx: Ctx) -> Obj {
    at(ALLOCATED, point, ctx)
}

/// An object that a library call makes inside of what it gives: the tuples of what `zip` gives. Those with other numbers
/// share their identities with the parts, counted from the other end.
#[must_use]
pub fn inner(point: Point, ctx: Ctx, number: u32) -> Obj {
    match number % (PARTS + 1) {
        0 => at(INNER, point, ctx),
        number => part(point, ctx, PARTS - number),
    }
}

/// The number under which [`inner`] knows a part.
#[must_use]
pub fn inner_of_part(number: u32) -> u32 {
    PARTS - number % PARTS
}

/// Another object that a library call makes, inside of an attribute of what it gives.
#[must_use]
pub fn part(point: Point, ctx: Ctx, number: u32) -> Obj {
    at(PART + u64::from(number % PARTS), point, ctx)
}

/// The copy of an object that a library call makes. Copies of some objects are taken to be one.
#[must_use]
pub fn copied(point: Point, ctx: Ctx, original: Obj) -> Obj {
    let digest = original.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    part(point, ctx, digest as u32)
}

/// What unknown code gives back that is one with what is called at `point`: any object that it could reach, or a new one.
#[must_use]
pub fn opaque(point: Point) -> Obj {
    at(OPAQUE, point, Ctx::PAST)
}

/// The bound method that an attribute access at `point` makes.
#[must_use]
pub fn bound(point: Point, ctx: Ctx) -> Obj {
    at(BOUND, point, ctx)
}

const FIELD_TAG: u32 = 30;
const ATTRIBUTE: u32 = 0;
const KEY: u32 = 1;
const SPECIAL: u32 = 2;

impl Field {
    /// Some item: the position or key is not known.
    pub const ANY_ITEM: Field = Field(SPECIAL << FIELD_TAG);
    /// The keys of a mapping, as objects.
    pub const KEYS: Field = Field(SPECIAL << FIELD_TAG | 1);
    /// Which keys or how many items there are, and in which order.
    pub const SHAPE: Field = Field(SPECIAL << FIELD_TAG | 2);
    /// In the `__dict__` of an object: what the attributes of the object hold.
    pub const ATTRIBUTES: Field = Field(SPECIAL << FIELD_TAG | 8);
    /// Any field at all.
    pub const ANY: Field = Field(SPECIAL << FIELD_TAG | 3);
    /// In paths of ports: the object itself.
    pub const ITSELF: Field = Field(SPECIAL << FIELD_TAG | 4);
    /// In paths of ports: everything that can be reached from the object.
    pub const DEEP: Field = Field(SPECIAL << FIELD_TAG | 5);
    /// In paths of ports: the object and everything that it contains, not through the attributes of user classes.
    pub const NESTED: Field = Field(SPECIAL << FIELD_TAG | 9);
    /// What a generator, coroutine or task returns to whoever waits for it.
    pub const RETURNED: Field = Field(SPECIAL << FIELD_TAG | 10);
    /// In paths of ports: the item that the key of the call selects.
    pub const SELECTED: Field = Field(SPECIAL << FIELD_TAG | 7);
    /// In paths of ports: the class of the object only.
    pub const TYPE: Field = Field(SPECIAL << FIELD_TAG | 6);

    /// An attribute by the index of its name.
    #[must_use]
    pub fn attribute(name: u32) -> Field {
        Field(ATTRIBUTE << FIELD_TAG | name)
    }

    /// An item by the index of its constant key.
    #[must_use]
    pub fn key(constant: u32) -> Field {
        Field(KEY << FIELD_TAG | constant)
    }

    /// The attribute's name index.
    #[must_use]
    pub fn as_attribute(self) -> Option<u32> {
        (self.0 >> FIELD_TAG == ATTRIBUTE).then_some(self.0)
    }

    /// The key's constant index.
    #[must_use]
    pub fn as_key(self) -> Option<u32> {
        (self.0 >> FIELD_TAG == KEY).then_some(self.0 & !(3 << FIELD_TAG))
    }
}

/// Whether two fields may be the same place.
#[must_use]
pub fn may_be_same(left: Field, right: Field) -> bool {
    left == right
        || left == Field::ANY
        || right == Field::ANY
        || (is_several(left) && is_item(right))
        || (is_several(right) && is_item(left))
}

/// Whether a field is an item, or items, and nothing more.
#[must_use]
pub fn is_entry(field: Field) -> bool {
    field == Field::ANY_ITEM || field.as_key().is_some()
}

/// Whether a field stands for items whose positions or keys are not known.
#[must_use]
pub fn is_several(field: Field) -> bool {
    field == Field::ANY_ITEM || field == Field::ATTRIBUTES
}

/// Whether a field is an attribute of a known name.
#[must_use]
pub fn is_named(field: Field) -> bool {
    field.as_attribute().is_some()
}

/// Whether a field is the item of a known position or key.
#[must_use]
pub fn is_placed(field: Field) -> bool {
    field.as_key().is_some()
}

/// Whether a field holds what the object contains: an item.
#[must_use]
pub fn is_item(field: Field) -> bool {
    field == Field::ANY || is_several(field) || field.as_key().is_some()
}

/// Whether a field holds what the object contains or says something of it: an item, a key, the shape.
#[must_use]
pub fn is_contained(field: Field) -> bool {
    is_item(field) || field == Field::KEYS || field == Field::SHAPE
}

/// The item that a key object selects: exact for constants whose equality is plain.
#[must_use]
pub fn item_of(key: Obj) -> Field {
    if is_constant(key) && key.index() < FIRST_INEXACT_CONSTANT { Field::key(key.index()) } else { Field::ANY_ITEM }
}

/// Constants from this index on have no exact item: negative numbers (they count from the end of a sequence), and
/// values whose equality with other constants is not plain.
pub const FIRST_INEXACT_CONSTANT: u32 = 1 << 27;
