//! What one entry of the models says, after reading.

use std::fmt;

use super::ModelId;
use super::port::{Base, Port};

/// How the value at the destination of a flow is related to the value at its source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FlowKind {
    /// `->`: the very objects of the source may stand at the destination. Implies dependence.
    Alias,
    /// `~>`: the destination depends on the source. What stands there is fresh, or was chosen by the source.
    Depends,
}

/// `from -> to` or `from ~> to`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Flow {
    /// Read when the call begins (see [`Model::lazy`]).
    pub from: Port,
    /// Written by the call.
    pub to: Port,
    /// Alias or mere dependence.
    pub kind: FlowKind,
}

/// Where the result of a callback or hook goes, and how.
pub type Destination = (FlowKind, Port);

/// One argument that a library function hands to a callback.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CallbackArgument {
    /// `port`: the objects at the port, at this position.
    At(Port),
    /// `*port`: the objects at the port may stand at this or any later position, any number of them.
    Spread(Port),
    /// `**port`: the objects at the port may be the value of any keyword.
    Keywords(Port),
    /// `~port`: a fresh object of a class that is not said, computed from the objects at the port.
    Computed(Port),
    /// `_`: a fresh object of a class that is not said, made from nothing that flows.
    Fresh,
}

/// `callee(argument, …) -> result`: the function may call the objects at `callee`, any number of times.
///
/// A callee that ends with `.attr(name)` is the attribute as an access from Python would find it: a bound method of a user
/// class, or the modelled method of a library class.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Callback {
    /// What is called. Objects that cannot be called (`None` for an absent `key=`) are skipped.
    pub callee: Port,
    /// What it is called with.
    pub arguments: Vec<CallbackArgument>,
    /// Where its result goes; `None` when it is dropped.
    pub result: Option<Destination>,
}

/// `port.__name__(argument, …) -> result`: a method that is called on the objects at a port whose class is a user class
/// that has it.
///
/// `__iter__` stands for the whole protocol of iteration: `__next__` of what it returns, `__getitem__` and `__len__` where
/// there is no `__iter__`. A binary method stands for its reflection on the other operand too. Without an arrow,
/// what the hook returns stands for what the built-in object would have given: the objects that `__iter__` yields are
/// `port.each`, the result of `__len__` is `port.shape`, and the result of any other hook influences every destination of a
/// flow that starts at the port.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hook {
    /// The objects that it is called on.
    pub target: Port,
    /// `__len__`, `__str__`, `keys` …
    pub method: String,
    /// What it is called with.
    pub arguments: Vec<CallbackArgument>,
    /// Where its result goes, when the notation says it.
    pub result: Option<Destination>,
}

/// The class of an object that a call creates, and the classes of the fresh objects inside it.
///
/// The data files write `@` for the class that the entry's own name names or is a member of. The result of a class method
/// is an object of the class that it is called on, even if that is a user class.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fresh {
    /// Dotted name of a declared class.
    pub class: String,
    /// Class of fresh keys.
    pub keys: Option<Box<Fresh>>,
    /// Classes of fresh items.
    pub items: FreshItems,
}

/// The fresh objects inside a fresh object. An item that is not fresh is what a flow brings there.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FreshItems {
    /// None, or nothing known of them.
    None,
    /// `[C]`: every item.
    All(Box<Fresh>),
    /// `[C, _, D]`: each position; `_` where the item is not fresh.
    Each(Vec<Option<Fresh>>),
}

/// The result is a copy of objects, each of the class of its original: all attributes, keys and items correspond.
/// An original that is immutable through and through, a function, a class or a module is its own copy.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Copies {
    /// The originals.
    pub from: Port,
    /// Whether what the original holds is copied too, or shared.
    pub deep: bool,
}

/// The class of the result when an argument is a known text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Narrowing {
    /// The argument.
    pub by: Base,
    /// Its value when it is not given.
    pub default: String,
    /// A part of the text.
    pub part: String,
    /// Whether the text has the part, or lacks it.
    pub has: bool,
    /// What the result is then, in the place of [`Model::result`].
    pub result: Fresh,
}

/// The effects of a call outside the program's objects. The first five are the presets of `protect.toml`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Changes, or opens for change, a database.
    Database,
    /// Changes, or opens for change, files or folders.
    Filesystem,
    /// Sends to, or connects to, another machine.
    Network,
    /// Starts, signals, or ends processes.
    Process,
    /// Makes objects of arbitrary classes, or runs code, from bytes.
    Deserialization,
    /// Writes to standard output or standard error.
    Stdout,
    /// Consumes standard input.
    Stdin,
    /// Changes the environment of this process and its children.
    Environment,
    /// Changes the shared random generators.
    Random,
    /// Hands a record to log handlers.
    Log,
    /// Changes library state that the whole process shares.
    Interpreter,
    /// Starts or synchronises threads.
    Threads,
}

impl Effect {
    /// Every effect, presets first.
    pub const ALL: [Effect; 12] = [
        Effect::Database,
        Effect::Filesystem,
        Effect::Network,
        Effect::Process,
        Effect::Deserialization,
        Effect::Stdout,
        Effect::Stdin,
        Effect::Environment,
        Effect::Random,
        Effect::Log,
        Effect::Interpreter,
        Effect::Threads,
    ];

    /// The effects that are presets.
    pub const PRESETS: [Effect; 5] =
        [Effect::Database, Effect::Filesystem, Effect::Network, Effect::Process, Effect::Deserialization];

    /// The name in the data files and in `protect.toml`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Effect::Database => "database",
            Effect::Filesystem => "filesystem",
            Effect::Network => "network",
            Effect::Process => "process",
            Effect::Deserialization => "deserialization",
            Effect::Stdout => "stdout",
            Effect::Stdin => "stdin",
            Effect::Environment => "environment",
            Effect::Random => "random",
            Effect::Log => "log",
            Effect::Interpreter => "interpreter",
            Effect::Threads => "threads",
        }
    }
}

/// What `self` is in a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Binding {
    /// A function of a module or a constructor: no receiver.
    Function,
    /// A method: `self` is the object. Called through its class, the first argument is the receiver.
    Instance,
    /// A class method: `self` is the class.
    Class,
    /// A static method: no receiver.
    Static,
    /// A property: reading the attribute is the call; `self` is the object.
    Property,
}

/// The parameters of a function, receiver excluded.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Parameters {
    /// Parameters with a position, in order.
    pub positional: Vec<String>,
    /// How many of them cannot be given by keyword.
    pub positional_only: usize,
    /// Whether there is a `*args`.
    pub rest: bool,
    /// Parameters that can only be given by keyword.
    pub keyword_only: Vec<String>,
    /// Whether there is a `**kwargs`.
    pub extra: bool,
}

impl Parameters {
    /// The base that a positional argument binds to; `None` where the call would raise `TypeError`.
    #[must_use]
    pub fn bind_position(&self, position: usize) -> Option<Base> {
        (position < self.positional.len() || self.rest).then_some(Base::Argument(position))
    }

    /// The base that a keyword argument binds to ([`Base::ExtraKeywords`] for one of `**kwargs`); `None` where the call
    /// would raise `TypeError`.
    #[must_use]
    pub fn bind_keyword(&self, name: &str) -> Option<Base> {
        let position = self.positional.iter().position(|parameter| parameter == name);
        match position {
            Some(position) if position >= self.positional_only => Some(Base::Argument(position)),
            _ if self.keyword_only.iter().any(|parameter| parameter == name) => Some(Base::Keyword(name.to_owned())),
            _ => self.extra.then_some(Base::ExtraKeywords),
        }
    }
}

/// What a function, method, constructor, property or operator of the library does.
///
/// Whatever an entry does not say does not happen, with these exceptions, which hold for all of them:
/// the result is `None` where neither `result` nor a flow says otherwise; an exception that the call raises depends on
/// everything reachable from the receiver and the arguments; and a flow that starts at a port also carries what
/// taints a prefix of that port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Model {
    /// All dotted names of the entry; for an operator, one readable label.
    pub names: Vec<String>,
    /// What `self` is.
    pub binding: Binding,
    /// Parameter names. `None`: the function takes arguments by position only, any number of them; a call of it with
    /// keywords is unknown code.
    pub parameters: Option<Parameters>,
    /// What goes where.
    pub flows: Vec<Flow>,
    /// What it calls back.
    pub calls: Vec<Callback>,
    /// What decides, besides the arguments, whether it calls back.
    pub decides: Vec<Port>,
    /// Class of a fresh result. `None`: the result is only what flows to it with `->`, else the constant `None`.
    pub result: Option<Fresh>,
    /// Fresh objects in attributes of the fresh result: by attribute, each with its class.
    pub parts: Vec<(String, Fresh)>,
    /// The result is a copy of these objects.
    pub copies: Option<Copies>,
    /// Better known classes of the result for known arguments.
    pub narrow: Vec<Narrowing>,
    /// The result may also be the constant `None`.
    pub or_none: bool,
    /// The fresh result may also be of a declared class that inherits from the one that `result` names.
    pub or_subclass: bool,
    /// Containers that may have another number of items afterwards. The dependence of the shape is said by flows.
    pub resizes: Vec<Port>,
    /// Containers whose items may have changed places afterwards; the result is one of them when its order is not that of the
    /// source.
    pub shuffles: Vec<Port>,
    /// In every flow between items of containers, positions and keys correspond: what was at one position or key of the
    /// source is at the same one of the destination. Containers in [`Model::shuffles`] are excepted.
    pub aligned: bool,
    /// `self.items`, `self.keys` and `self.shape` stand for one entry of the receiver only: the one whose position or key
    /// is the value at this port. A slice selects several.
    pub selects: Option<Port>,
    /// Containers that lose everything they held before.
    pub clears: Vec<Port>,
    /// Whether the entry that [`Model::selects`] names is gone afterwards.
    pub removes: bool,
    /// What the generator that is the receiver is given where it waits.
    pub sends: Option<Port>,
    /// What it does outside the objects of the program.
    pub effects: Vec<Effect>,
    /// What it does besides where an argument is not given, or is `None`: the argument, and a model that says it.
    pub supplements: Vec<(Base, ModelId)>,
    /// Whether it may raise for some values of its inputs. `false`: it raises for no arguments, whatever their classes,
    /// when their number is right and the hooks do not raise; an operator raises for no operands of its classes.
    pub raises: bool,
    /// Methods that it calls on objects of user classes.
    pub hooks: Vec<Hook>,
    /// The result is an iterator or a view: flows, callbacks and hooks take place each time it is used,
    /// and read what the arguments hold then.
    pub lazy: bool,
}

/// How the objects of a class hold other objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layout {
    /// A mutable sequence: items by position.
    List,
    /// A mapping: items by key.
    Dict,
    /// A set: items without position.
    Set,
    /// An immutable sequence: items by position.
    Tuple,
    /// Text or bytes: a value without parts.
    Str,
    /// A number: a value without parts.
    Number,
    /// Yields its items, each once.
    Iterator,
    /// A stream.
    File,
    /// Any other object: attributes only.
    Plain,
}

impl Layout {
    /// Every layout.
    pub const ALL: [Layout; 9] = [
        Layout::List,
        Layout::Dict,
        Layout::Set,
        Layout::Tuple,
        Layout::Str,
        Layout::Number,
        Layout::Iterator,
        Layout::File,
        Layout::Plain,
    ];

    /// The name in the data files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Layout::List => "list",
            Layout::Dict => "dict",
            Layout::Set => "set",
            Layout::Tuple => "tuple",
            Layout::Str => "str",
            Layout::Number => "number",
            Layout::Iterator => "iterator",
            Layout::File => "file",
            Layout::Plain => "plain",
        }
    }
}

/// A class of the library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Class {
    /// Dotted name.
    pub name: String,
    /// Declared base classes, in order. Bases that matter to no model are left out.
    pub bases: Vec<String>,
    /// How its objects hold others.
    pub layout: Layout,
    /// Its objects never change, so that it does not matter whether a result is fresh or the receiver itself.
    pub immutable: bool,
    /// It stands for several classes of the interpreter and is none itself (`builtins.data`, `builtins.number`).
    pub family: bool,
    /// The state outside the program that knows every object of the class, and of those below it.
    pub known_to: Option<Base>,
    /// The classes that a family stands for, exactly; empty when there may be others. A method of an object of the family
    /// is the method of each of these.
    pub any_of: Vec<String>,
}

/// A module-level or class-level value of the library that is not a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Constant {
    /// Its class.
    pub class: Fresh,
    /// The state that it shows, if it shows any.
    pub shows: Option<Base>,
}

impl fmt::Display for FlowKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            FlowKind::Alias => "->",
            FlowKind::Depends => "~>",
        })
    }
}

impl fmt::Display for Flow {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {} {}", self.from, self.kind, self.to)
    }
}
