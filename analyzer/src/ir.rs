//! The intermediate representation: one control-flow graph of simple instructions for each code body.
//!
//! A *body* is a module, a class body, a function, a lambda or a generator expression. Comprehensions are part of the
//! body around them. The front end writes bodies; everything behind it reads only this module.

use std::time::Duration;

use std::sync::Arc;

/// A name of the program: a variable, an attribute, a module.
pub type Name = Arc<str>;

/// A source range of a file, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    /// Whether `other` lies within this range.
    pub fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }
}

/// A storage location of one body: a local variable or a temporary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot(pub u32);

/// Index of an instruction within its body.
pub type NodeId = usize;

/// Index of a body within its file; the module body is number 0.
pub type BodyId = usize;

/// Index of a statement within its body.
pub type StatementId = usize;

/// A literal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Constant {
    None,
    Ellipsis,
    Bool(bool),
    /// An integer as written; in decimal digits wherever it fits a machine word.
    Int(Arc<str>),
    /// A float as its bits, so that constants can be compared and hashed.
    Float(u64),
    Complex,
    Str(Arc<str>),
    Bytes(Arc<[u8]>),
    /// Some value of a class of the library; nothing else is known of it.
    Some(&'static str),
    /// The text that stands for whatever a library function hands over, and may be anything.
    Handed,
}

impl Constant {
    /// The class of the constant, by its dotted name.
    pub fn class(&self) -> &'static str {
        match self {
            Constant::None => "builtins.NoneType",
            Constant::Ellipsis => "builtins.ellipsis",
            Constant::Bool(_) => "builtins.bool",
            Constant::Int(_) => "builtins.int",
            Constant::Float(_) => "builtins.float",
            Constant::Complex => "builtins.complex",
            Constant::Str(_) | Constant::Handed => "builtins.str",
            Constant::Bytes(_) => "builtins.bytes",
            Constant::Some(class) => class,
        }
    }

    /// The same by its class only. There is one `None`.
    pub fn without_value(&self) -> Constant {
        match self {
            Constant::None | Constant::Ellipsis | Constant::Handed => self.clone(),
            _ => Constant::Some(self.class()),
        }
    }
}

/// The layout of a display: what kind of container it makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layout {
    List,
    Tuple,
    Set,
    Dict,
}

/// One element of a display.
#[derive(Clone, Debug)]
pub enum Element {
    Item(Slot),
    Pair(Slot, Slot),
    /// `*xs`, or an element added by a comprehension: its position is not known.
    Spread(Slot),
    /// `**mapping`.
    Mapping(Slot),
}

/// What happens between a class statement's body and its decorators (language reference, section 3.3.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClassStep {
    /// `__prepare__` of the metaclass, which stands for the class that is not there yet.
    Prepare,
    /// `__new__` of the metaclass, or whatever else is given as one.
    Create,
    /// `__set_name__` of what the class holds.
    NameMembers,
    /// `__init_subclass__` of the bases.
    Subclass,
    /// `__init__` of the metaclass.
    Initialize,
}

/// Which element of an unpacked sequence a target takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unpacked {
    At(u32),
    /// Behind a starred target: counted from the end, which has the number 1.
    FromEnd(u32),
    /// Any.
    Some,
}

/// How an argument is passed.
#[derive(Clone, Debug)]
pub enum Passing {
    Position(u32),
    Keyword(Name),
    /// `*xs`, or a positional argument behind one.
    Star,
    /// `**mapping`.
    DoubleStar,
}

/// An argument of a call.
#[derive(Clone, Debug)]
pub struct Argument {
    pub passing: Passing,
    pub value: Slot,
}

/// What a test asks of its first operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// Whether it is an exception of the class, or of one of the classes, in the second operand.
    Handles,
    /// Whether it is an instance of the class in the second operand.
    Instance,
    /// Whether it is a sequence of a fitting length.
    Sequence,
    /// Whether it is a mapping with enough keys.
    Mapping,
}

/// What is called.
#[derive(Clone, Debug)]
pub enum Callee {
    Value(Slot),
    /// `base.name(…)`, kept together so that receiver and method stay paired.
    Method(Slot, Name),
    /// A special method looked up on the class of `base`: `__enter__`.
    Special(Slot, Name),
}

/// What an instruction does.
#[derive(Clone, Debug)]
pub enum Kind {
    Entry,
    /// Normal end of the body.
    Exit,
    /// Does nothing: a point where control meets or a statement ends.
    Join,
    Constant {
        dst: Slot,
        value: Constant,
    },
    Copy {
        dst: Slot,
        src: Slot,
    },
    /// `dst` is any of the sources.
    Merge {
        dst: Slot,
        sources: Vec<Slot>,
    },
    /// A value that the analysis knows nothing about, computed from the operands.
    Opaque {
        dst: Slot,
        operands: Vec<Slot>,
    },
    LoadGlobal {
        dst: Slot,
        name: Name,
    },
    StoreGlobal {
        name: Name,
        src: Slot,
    },
    DeleteGlobal {
        name: Name,
    },
    /// A variable of an enclosing body, or of this one where inner bodies use it.
    LoadCell {
        dst: Slot,
        owner: BodyId,
        name: Name,
    },
    StoreCell {
        owner: BodyId,
        name: Name,
        src: Slot,
    },
    /// A name in a class body: its namespace first, then the globals.
    LoadNamespace {
        dst: Slot,
        name: Name,
    },
    StoreNamespace {
        name: Name,
        src: Slot,
    },
    LoadAttribute {
        dst: Slot,
        base: Slot,
        name: Name,
    },
    StoreAttribute {
        base: Slot,
        name: Name,
        src: Slot,
    },
    DeleteAttribute {
        base: Slot,
        name: Name,
    },
    LoadItem {
        dst: Slot,
        base: Slot,
        key: Slot,
    },
    StoreItem {
        base: Slot,
        key: Slot,
        src: Slot,
    },
    DeleteItem {
        base: Slot,
        key: Slot,
    },
    /// The object that says which part is meant: start, stop and step.
    Slice {
        dst: Slot,
        parts: [Slot; 3],
    },
    /// `base[start:stop]`; `key` is the object that is made of the bounds.
    LoadSlice {
        dst: Slot,
        base: Slot,
        key: Slot,
        bounds: Vec<Slot>,
        /// Which of start, stop and step the bounds are.
        given: [bool; 3],
    },
    StoreSlice {
        base: Slot,
        key: Slot,
        bounds: Vec<Slot>,
        src: Slot,
    },
    DeleteSlice {
        base: Slot,
        key: Slot,
        bounds: Vec<Slot>,
    },
    /// Arithmetic, comparison, membership, identity, `not`; `operator` is the symbol, `+=` where in place.
    Operate {
        dst: Slot,
        operator: &'static str,
        left: Slot,
        right: Option<Slot>,
    },
    /// An f-string or t-string; `starts` is what it begins with, whatever its parts are.
    Text {
        dst: Slot,
        parts: Vec<Slot>,
        starts: Name,
        /// Whether a part has a format of its own.
        formats: bool,
    },
    Build {
        dst: Slot,
        layout: Layout,
        elements: Vec<Element>,
    },
    /// Adds to the container that a comprehension builds.
    Accumulate {
        container: Slot,
        element: Element,
    },
    /// What library code made may hold a value that the code was given, or what that holds, which is `dst`.
    Keep {
        dst: Slot,
        made: Slot,
        value: Slot,
    },
    Call {
        dst: Slot,
        callee: Callee,
        arguments: Vec<Argument>,
    },
    /// Makes a function object; defaults are `(parameter index, value)`.
    Function {
        dst: Slot,
        body: BodyId,
        defaults: Vec<(usize, Slot)>,
    },
    /// Runs a class body and makes the class.
    Class {
        dst: Slot,
        body: BodyId,
        bases: Vec<Slot>,
        keywords: Vec<(Name, Slot)>,
        /// What `__prepare__` gave.
        namespace: Option<Slot>,
    },
    /// A step of making the class in `class`, which asks other classes what to do; `arguments` are its name and its bases.
    ClassStep {
        dst: Slot,
        step: ClassStep,
        class: Slot,
        metaclass: Option<Slot>,
        arguments: [Slot; 2],
        keywords: Vec<(Name, Slot)>,
    },
    Iterate {
        dst: Slot,
        src: Slot,
    },
    /// First successor: there is a next element, now in `dst`; second: the iterator is exhausted.
    Next {
        dst: Slot,
        iterator: Slot,
    },
    /// An element of an unpacked sequence.
    UnpackItem {
        dst: Slot,
        src: Slot,
        at: Unpacked,
    },
    /// The starred rest of an unpacked sequence: all but so many elements at the beginning and at the end.
    UnpackRest {
        dst: Slot,
        src: Slot,
        before: u32,
        behind: u32,
    },
    /// A local variable is read that may not be bound.
    Bound {
        src: Slot,
    },
    /// A local variable is deleted: it is bound no more.
    Unbind {
        dst: Slot,
    },
    /// First successor where the condition is true, second where it is false.
    Branch {
        condition: Slot,
    },
    /// A test of a `match` pattern or an `except` clause over the operands; branches like `Branch`.
    Test {
        test: Test,
        operands: Vec<Slot>,
    },
    /// What a class pattern with the class `class` compares its sub-pattern number `index` with.
    Position {
        dst: Slot,
        subject: Slot,
        class: Slot,
        index: u32,
    },
    Return {
        src: Slot,
    },
    /// What fails where an `assert` does raises an error of its own, with the operand as its message.
    Raise {
        operands: Vec<Slot>,
        asserts: bool,
    },
    /// The exception that a handler caught.
    Caught {
        dst: Slot,
    },
    Yield {
        dst: Slot,
        src: Slot,
    },
    /// `yield from` and `await`.
    Delegate {
        dst: Slot,
        src: Slot,
        awaits: bool,
    },
    /// Runs the body of a module that was not imported before; with a level, of one beside this file's module.
    RunModule {
        module: Name,
        level: u32,
    },
    ImportModule {
        dst: Slot,
        module: Name,
        root: bool,
    },
    ImportFrom {
        dst: Slot,
        module: Name,
        level: u32,
        name: Name,
    },
    ImportStar {
        module: Name,
        level: u32,
    },
    /// A local of a live frame, as the snapshot holds it.
    FrameLocal {
        dst: Slot,
        name: Name,
    },
    /// The call at which a live frame waits for the frame inside it.
    Resume {
        dst: Slot,
    },
    /// `dst` is what a healing could give instead of `src`.
    Heal {
        dst: Slot,
        src: Slot,
    },
    /// `dst` is `src`, or where that is a new object, the one of its class that was made before the crash.
    Recall {
        dst: Slot,
        src: Slot,
    },
    /// From here on `dst` is what a guard let pass: `src` where the call at `call` endorses its arguments. Its `answer` was
    /// found to be true, where somebody looked.
    Guarded {
        dst: Slot,
        src: Slot,
        call: NodeId,
        answer: Option<Slot>,
    },
    /// The same for the places that the arguments were read from.
    GuardedPlaces {
        call: NodeId,
        answer: Option<Slot>,
    },
}

/// One instruction.
#[derive(Clone, Debug)]
pub struct Node {
    pub kind: Kind,
    pub span: Span,
    pub statement: StatementId,
    /// Where control goes next; more than one for branches.
    pub successors: Vec<NodeId>,
    /// Where an exception raised here is caught within the body.
    pub handlers: Vec<NodeId>,
    /// Part of the healing.
    pub healed: bool,
}

/// One statement of a body.
#[derive(Clone, Debug)]
pub struct Statement {
    pub span: Span,
    /// First instruction.
    pub first: NodeId,
    /// The join behind the statement.
    pub after: NodeId,
    /// Local variables that it may bind.
    pub binds: Vec<Name>,
    /// Carries the comment `# healguard: protected`.
    pub protected: bool,
    /// Where the body is left from this statement, and the slot with what it returns: only for the statement that the front
    /// end was asked for.
    pub leave: Option<(NodeId, Slot)>,
}

/// What kind of body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyKind {
    Module,
    Class,
    Function,
    Generator,
    Coroutine,
    AsyncGenerator,
}

/// Parameters in order; `vararg` and `kwarg` come behind.
#[derive(Clone, Debug, Default)]
pub struct Parameters {
    /// Positional-only, positional and keyword-only, in this order.
    pub names: Vec<Name>,
    /// How many of `names` can be given by position.
    pub positional: usize,
    /// How many of `names` can be given by position only.
    pub positional_only: usize,
    pub vararg: Option<Name>,
    pub kwarg: Option<Name>,
}

/// Where a name of a body lives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Binding {
    Local(Slot),
    Cell(BodyId),
    Global,
    /// The namespace of a class body.
    Namespace,
}

/// What the source says about protection, by decorator or comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Marking {
    Protected { arguments: Option<Vec<MarkedArgument>>, receiver: bool, reads: Option<bool>, reason: String },
    Endorses { guards: bool },
}

/// A watched argument named in a decorator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MarkedArgument {
    Name(String),
    Position(u32),
}

/// `name: annotation = value` in a class body. Expressions are as they are written.
#[derive(Clone, Debug)]
pub struct Annotated {
    pub name: Name,
    pub annotation: Name,
    pub has_value: bool,
    /// Where the value is a call: what is called, and the keywords that are given.
    pub call: Option<(Name, Vec<(Name, Name)>)>,
}

/// `name = value` in a class body.
#[derive(Clone, Debug)]
pub struct Assigned {
    pub name: Name,
    pub form: Form,
}

/// What a value looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// A number or a text, as it is written.
    Literal(Name),
    Tuple,
    /// A call, and what is called, as it is written.
    Call(Name),
    Other,
}

/// One code body.
#[derive(Clone, Debug)]
pub struct Body {
    pub kind: BodyKind,
    /// Qualified name as CPython writes it, `<module>` for the module body.
    pub qualified_name: Name,
    /// Line of the `def`, or of the first decorator: CPython's `co_firstlineno`.
    pub first_line: u32,
    pub span: Span,
    /// Span of the name in the header, where there is one.
    pub name_span: Span,
    pub parent: Option<BodyId>,
    pub parameters: Parameters,
    /// The slots of the parameters, `vararg` and `kwarg` behind the others.
    pub parameter_slots: Vec<Slot>,
    /// Names of slots; temporaries have none.
    pub slots: Vec<Option<Name>>,
    pub nodes: Vec<Node>,
    pub entry: NodeId,
    pub exit: NodeId,
    pub statements: Vec<Statement>,
    pub bindings: Vec<(Name, Binding)>,
    /// Whether inner bodies use variables of this one.
    pub has_cells: bool,
    /// For class bodies: the names that the body binds.
    pub owned: Vec<Name>,
    /// For class bodies: the names that it annotates, in order.
    pub annotated: Vec<Annotated>,
    /// For class bodies: what is assigned to names, in order; nothing where the body does other things than to assign and define.
    pub assigned: Option<Vec<Assigned>>,
    /// For class bodies: the keywords that a decorator is called with, by its name.
    pub options: Vec<(Name, Vec<(Name, Name)>)>,
    /// Decorators of a `def` or `class`, innermost last, as dotted names where they are.
    pub decorators: Vec<Name>,
    pub markings: Vec<Marking>,
}

impl Body {
    /// Where `name` lives in this body.
    pub fn binding(&self, name: &str) -> Option<&Binding> {
        self.bindings.iter().find(|(bound, _)| &**bound == name).map(|(_, binding)| binding)
    }

    /// Whether calling it makes an object that runs later.
    pub fn is_deferred(&self) -> bool {
        matches!(self.kind, BodyKind::Generator | BodyKind::Coroutine | BodyKind::AsyncGenerator)
    }
}

/// A lowered file.
#[derive(Clone, Debug)]
pub struct LoweredFile {
    pub bodies: Vec<Body>,
    /// Names that the module binds at its top level.
    pub globals: Vec<Name>,
    /// How long it took to parse the file, and nothing else.
    pub parsing: Duration,
}

impl Kind {
    /// The slots that the instruction reads.
    pub fn uses(&self) -> Vec<Slot> {
        use Kind::*;
        match self {
            Entry
            | Exit
            | Join
            | Constant { .. }
            | LoadGlobal { .. }
            | DeleteGlobal { .. }
            | LoadCell { .. }
            | LoadNamespace { .. }
            | Caught { .. }
            | RunModule { .. }
            | ImportModule { .. }
            | ImportFrom { .. }
            | ImportStar { .. }
            | FrameLocal { .. }
            | Unbind { .. }
            | Resume { .. } => Vec::new(),
            Copy { src, .. }
            | StoreGlobal { src, .. }
            | StoreCell { src, .. }
            | StoreNamespace { src, .. }
            | Iterate { src, .. }
            | UnpackItem { src, .. }
            | UnpackRest { src, .. }
            | Return { src }
            | Bound { src }
            | Yield { src, .. }
            | Delegate { src, .. }
            | Heal { src, .. }
            | Recall { src, .. } => vec![*src],
            Guarded { src, answer, .. } => std::iter::once(*src).chain(*answer).collect(),
            GuardedPlaces { answer, .. } => answer.iter().copied().collect(),
            Merge { sources, .. } => sources.clone(),
            Opaque { operands, .. } | Test { operands, .. } | Raise { operands, .. } => operands.clone(),
            Position { subject, class, .. } => vec![*subject, *class],
            Keep { made, value, .. } => vec![*made, *value],
            Text { parts, .. } => parts.clone(),
            LoadAttribute { base, .. } | DeleteAttribute { base, .. } => vec![*base],
            StoreAttribute { base, src, .. } => vec![*base, *src],
            LoadItem { base, key, .. } | DeleteItem { base, key } => vec![*base, *key],
            StoreItem { base, key, src } => vec![*base, *key, *src],
            Slice { parts, .. } => parts.to_vec(),
            LoadSlice { base, key, bounds, .. } | DeleteSlice { base, key, bounds } => with(bounds, &[*base, *key]),
            StoreSlice { base, key, bounds, src } => with(bounds, &[*base, *key, *src]),
            Operate { left, right, .. } => std::iter::once(*left).chain(*right).collect(),
            Build { elements, .. } => elements.iter().flat_map(Element::uses).collect(),
            Accumulate { container, element } => with(&element.uses(), &[*container]),
            Call { callee, arguments, .. } => {
                let base = match callee {
                    Callee::Value(slot) | Callee::Method(slot, _) | Callee::Special(slot, _) => *slot,
                };
                std::iter::once(base).chain(arguments.iter().map(|argument| argument.value)).collect()
            }
            Function { defaults, .. } => defaults.iter().map(|(_, slot)| *slot).collect(),
            Class { bases, keywords, namespace, .. } => {
                bases.iter().copied().chain(keywords.iter().map(|(_, slot)| *slot)).chain(*namespace).collect()
            }
            ClassStep { class, metaclass, arguments, keywords, .. } => {
                let keywords = keywords.iter().map(|(_, slot)| *slot);
                std::iter::once(*class).chain(*metaclass).chain(*arguments).chain(keywords).collect()
            }
            Next { iterator, .. } => vec![*iterator],
            Branch { condition } => vec![*condition],
        }
    }

    /// The slot that the instruction writes.
    pub fn defines(&self) -> Option<Slot> {
        use Kind::*;
        match self {
            Constant { dst, .. }
            | Copy { dst, .. }
            | Merge { dst, .. }
            | Opaque { dst, .. }
            | LoadGlobal { dst, .. }
            | LoadCell { dst, .. }
            | LoadNamespace { dst, .. }
            | LoadAttribute { dst, .. }
            | LoadItem { dst, .. }
            | Slice { dst, .. }
            | LoadSlice { dst, .. }
            | Operate { dst, .. }
            | Text { dst, .. }
            | Build { dst, .. }
            | Call { dst, .. }
            | Function { dst, .. }
            | Class { dst, .. }
            | ClassStep { dst, .. }
            | Iterate { dst, .. }
            | Next { dst, .. }
            | UnpackItem { dst, .. }
            | UnpackRest { dst, .. }
            | Position { dst, .. }
            | Keep { dst, .. }
            | Caught { dst }
            | Yield { dst, .. }
            | Delegate { dst, .. }
            | ImportModule { dst, .. }
            | ImportFrom { dst, .. }
            | FrameLocal { dst, .. }
            | Resume { dst }
            | Unbind { dst }
            | Guarded { dst, .. }
            | Heal { dst, .. }
            | Recall { dst, .. } => Some(*dst),
            _ => None,
        }
    }

    /// Replaces every slot: `read` for the ones used, `write` for the one defined.
    pub fn rename(&mut self, read: &mut dyn FnMut(Slot) -> Slot, write: &mut dyn FnMut(Slot) -> Slot) {
        use Kind::*;
        match self {
            Entry | Exit | Join | DeleteGlobal { .. } | RunModule { .. } | ImportStar { .. } => {}
            Constant { dst, .. }
            | LoadGlobal { dst, .. }
            | LoadCell { dst, .. }
            | LoadNamespace { dst, .. }
            | Caught { dst }
            | ImportModule { dst, .. }
            | ImportFrom { dst, .. }
            | FrameLocal { dst, .. }
            | Unbind { dst }
            | Resume { dst } => *dst = write(*dst),
            StoreGlobal { src, .. }
            | StoreCell { src, .. }
            | StoreNamespace { src, .. }
            | Return { src }
            | Bound { src } => {
                *src = read(*src);
            }
            Copy { dst, src }
            | Iterate { dst, src }
            | UnpackItem { dst, src, .. }
            | UnpackRest { dst, src, .. }
            | Yield { dst, src }
            | Delegate { dst, src, .. }
            | Heal { dst, src }
            | Recall { dst, src } => {
                *src = read(*src);
                *dst = write(*dst);
            }
            Guarded { dst, src, answer, .. } => {
                *src = read(*src);
                answer.iter_mut().for_each(|slot| *slot = read(*slot));
                *dst = write(*dst);
            }
            GuardedPlaces { answer, .. } => answer.iter_mut().for_each(|slot| *slot = read(*slot)),
            Merge { dst, sources: slots } | Opaque { dst, operands: slots } | Text { dst, parts: slots, .. } => {
                slots.iter_mut().for_each(|slot| *slot = read(*slot));
                *dst = write(*dst);
            }
            Test { operands, .. } | Raise { operands, .. } => operands.iter_mut().for_each(|slot| *slot = read(*slot)),
            Position { dst, subject: one, class: other, .. } | Keep { dst, made: one, value: other } => {
                *one = read(*one);
                *other = read(*other);
                *dst = write(*dst);
            }
            LoadAttribute { dst, base, .. } => {
                *base = read(*base);
                *dst = write(*dst);
            }
            DeleteAttribute { base, .. } => *base = read(*base),
            StoreAttribute { base, src, .. } => {
                *base = read(*base);
                *src = read(*src);
            }
            LoadItem { dst, base, key } => {
                *base = read(*base);
                *key = read(*key);
                *dst = write(*dst);
            }
            DeleteItem { base, key } => {
                *base = read(*base);
                *key = read(*key);
            }
            StoreItem { base, key, src } => {
                *base = read(*base);
                *key = read(*key);
                *src = read(*src);
            }
            Slice { dst, parts } => {
                parts.iter_mut().for_each(|slot| *slot = read(*slot));
                *dst = write(*dst);
            }
            LoadSlice { dst, base, key, bounds, .. } => {
                *base = read(*base);
                *key = read(*key);
                bounds.iter_mut().for_each(|slot| *slot = read(*slot));
                *dst = write(*dst);
            }
            StoreSlice { base, key, bounds, src } => {
                *base = read(*base);
                *key = read(*key);
                bounds.iter_mut().for_each(|slot| *slot = read(*slot));
                *src = read(*src);
            }
            DeleteSlice { base, key, bounds } => {
                *base = read(*base);
                *key = read(*key);
                bounds.iter_mut().for_each(|slot| *slot = read(*slot));
            }
            Operate { dst, left, right, .. } => {
                *left = read(*left);
                right.iter_mut().for_each(|slot| *slot = read(*slot));
                *dst = write(*dst);
            }
            Build { dst, elements, .. } => {
                elements.iter_mut().for_each(|element| element.rename(read));
                *dst = write(*dst);
            }
            Accumulate { container, element } => {
                *container = read(*container);
                element.rename(read);
            }
            Call { dst, callee, arguments } => {
                match callee {
                    Callee::Value(slot) | Callee::Method(slot, _) | Callee::Special(slot, _) => *slot = read(*slot),
                }
                arguments.iter_mut().for_each(|argument| argument.value = read(argument.value));
                *dst = write(*dst);
            }
            Function { dst, defaults, .. } => {
                defaults.iter_mut().for_each(|(_, slot)| *slot = read(*slot));
                *dst = write(*dst);
            }
            Class { dst, bases, keywords, namespace, .. } => {
                namespace.iter_mut().for_each(|slot| *slot = read(*slot));
                bases.iter_mut().for_each(|slot| *slot = read(*slot));
                keywords.iter_mut().for_each(|(_, slot)| *slot = read(*slot));
                *dst = write(*dst);
            }
            ClassStep { dst, class, metaclass, arguments, keywords, .. } => {
                *class = read(*class);
                metaclass.iter_mut().for_each(|slot| *slot = read(*slot));
                arguments.iter_mut().for_each(|slot| *slot = read(*slot));
                keywords.iter_mut().for_each(|(_, slot)| *slot = read(*slot));
                *dst = write(*dst);
            }
            Next { dst, iterator } => {
                *iterator = read(*iterator);
                *dst = write(*dst);
            }
            Branch { condition } => *condition = read(*condition),
        }
    }

    /// Whether control can go two ways from here by a value.
    pub fn is_branch(&self) -> bool {
        matches!(self, Kind::Branch { .. } | Kind::Next { .. } | Kind::Test { .. })
    }
}

impl Element {
    fn uses(&self) -> Vec<Slot> {
        match self {
            Element::Item(slot) | Element::Spread(slot) | Element::Mapping(slot) => vec![*slot],
            Element::Pair(key, value) => vec![*key, *value],
        }
    }

    fn rename(&mut self, read: &mut dyn FnMut(Slot) -> Slot) {
        match self {
            Element::Item(slot) | Element::Spread(slot) | Element::Mapping(slot) => *slot = read(*slot),
            Element::Pair(key, value) => {
                *key = read(*key);
                *value = read(*value);
            }
        }
    }
}

fn with(slots: &[Slot], more: &[Slot]) -> Vec<Slot> {
    more.iter().chain(slots).copied().collect()
}
