//! Ports: the places that a model speaks about, and their notation.
//!
//! A port is a base (`self`, `arg0`, `result`, `world.clock` …) followed by steps (`.items`, `.attr(name)` …). The
//! notation is read by [`Port::parse`] and written by its `Display`; the two are inverse to each other.

use std::fmt;

/// Where a port starts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Base {
    /// `self`: the object that the method is called on; the class itself for a class method.
    Receiver,
    /// `arg0`, `arg1`, …: one argument, counted without the receiver.
    Argument(usize),
    /// `arg:name` of a parameter that can only be given by keyword. A name that also has a position is read as
    /// [`Base::Argument`].
    Keyword(String),
    /// `arg1+`: every argument of this position or a later one, given by position or by keyword, and everything in
    /// `*args` behind it. Keyword-only arguments are not among them.
    ArgumentsFrom(usize),
    /// `kwargs`: every keyword argument that is not the name of a parameter.
    ExtraKeywords,
    /// `args`: every argument, however it is given.
    Arguments,
    /// `result`: what the call returns.
    Result,
    /// `world.clock` …: state that is no Python object.
    World(World),
}

/// State outside the objects of the program, one cell for each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum World {
    /// Files, folders, and everything that depends on them, the working directory included.
    Filesystem,
    /// Environment variables, command line, platform, user and host.
    Environment,
    /// Clocks and time zones.
    Clock,
    /// The shared random generators and the sources of the system.
    Random,
    /// Standard output and standard error.
    Stdout,
    /// Standard input.
    Stdin,
    /// Everything behind a socket.
    Network,
    /// Databases.
    Database,
    /// Other processes, signals, exit.
    Process,
    /// What log handlers receive.
    Log,
    /// State that the library keeps for the whole process: warning filters, decimal contexts, registered codecs,
    /// loggers and their levels, imported modules.
    Interpreter,
    /// What waits for its turn: tasks, threads, callbacks of an event loop. Whatever deals with it may let them run.
    Tasks,
}

impl World {
    /// Every kind, in the order of the declaration.
    pub const ALL: [World; 12] = [
        World::Filesystem,
        World::Environment,
        World::Clock,
        World::Random,
        World::Stdout,
        World::Stdin,
        World::Network,
        World::Database,
        World::Process,
        World::Log,
        World::Interpreter,
        World::Tasks,
    ];

    /// The name behind `world.` in the notation.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            World::Filesystem => "filesystem",
            World::Environment => "environment",
            World::Clock => "clock",
            World::Random => "random",
            World::Stdout => "stdout",
            World::Stdin => "stdin",
            World::Network => "network",
            World::Database => "database",
            World::Process => "process",
            World::Log => "log",
            World::Interpreter => "interpreter",
            World::Tasks => "tasks",
        }
    }
}

/// One step from an object to what it holds. A port is tainted when any prefix of it is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// `.items`: all elements of a sequence or set; all values of a mapping.
    Items,
    /// `.item(2)`: the element at one position of a sequence; one of [`Step::Items`].
    Item(usize),
    /// `.keys`: the keys of a mapping; nothing for every other object.
    Keys,
    /// `.each`: what iteration over the object yields. The keys of a mapping, the elements of every other container,
    /// what a generator or an iterator of a user class yields, for any other library class what its modelled
    /// `__next__` returns. Reading it uses up an iterator. The order of a set or a mapping is part of its shape: of
    /// these, `.each` depends on the shape too.
    Each,
    /// `.shape`: which keys, how many elements, in which order; what `len` and the number of iterations depend on.
    Shape,
    /// `.type`: the class of the object and nothing else of it.
    Type,
    /// `.attr(name)`: one attribute.
    Attr(String),
    /// `.attrs`: the attributes, where `kwargs` flow: each argument becomes the one of its name.
    Attrs,
    /// `.returned`: what a generator, coroutine or task returns to whoever waits for it.
    Returned,
    /// `.nested`: the object and everything reachable from it through items, keys, and the state of library objects, not
    /// through the attributes that user classes add: what `repr`, `==` and `hash` look at, when the methods of user
    /// classes (those that `dataclass` and its like generate, too) are called as hooks. Only `.type` follows.
    Nested,
    /// `.deep`: the object and everything reachable from it through attributes and items. Only `.type` follows.
    Deep,
}

/// A place that a model speaks about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Port {
    /// Where it starts.
    pub base: Base,
    /// The steps from there, outermost first.
    pub path: Vec<Step>,
}

impl Port {
    /// Reads the notation of a port.
    ///
    /// # Errors
    ///
    /// Says what is wrong with the text: an unknown base or step, a malformed number, a step that cannot stand behind `.deep`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut parts = split_steps(text.trim())?.into_iter();
        let first = parts.next().unwrap_or_default();
        let base = if first == "world" {
            let name = parts.next().unwrap_or_default();
            let world = World::ALL.into_iter().find(|world| world.name() == name);
            Base::World(world.ok_or_else(|| format!("`world.{name}` is not a kind of world"))?)
        } else {
            parse_base(first)?
        };
        let path: Vec<Step> = parts.map(parse_step).collect::<Result<_, _>>()?;
        let closing = path.iter().position(|step| matches!(step, Step::Nested | Step::Deep));
        if closing.is_some_and(|place| path[place + 1..].iter().any(|step| *step != Step::Type)) {
            return Err(format!("only `.type` may follow `.nested` or `.deep` in `{text}`"));
        }
        // What a world holds can be called by the name of a method, and has no other steps.
        if matches!(base, Base::World(_)) && !matches!(path.as_slice(), [] | [Step::Attr(_)]) {
            return Err(format!("`{text}`: a world has no steps"));
        }
        Ok(Port { base, path })
    }
}

/// Splits at the dots that are not inside parentheses.
fn split_steps(text: &str) -> Result<Vec<&str>, String> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut inside = false;
    for (index, character) in text.char_indices() {
        match character {
            '(' if !inside => inside = true,
            ')' if inside => inside = false,
            '(' | ')' => return Err(format!("unbalanced parentheses in `{text}`")),
            '.' if !inside => {
                parts.push(&text[start..index]);
                start = index + 1;
            }
            _ => {}
        }
    }
    if inside {
        return Err(format!("unbalanced parentheses in `{text}`"));
    }
    parts.push(&text[start..]);
    Ok(parts)
}

fn parse_base(text: &str) -> Result<Base, String> {
    match text {
        "self" => return Ok(Base::Receiver),
        "args" => return Ok(Base::Arguments),
        "kwargs" => return Ok(Base::ExtraKeywords),
        "result" => return Ok(Base::Result),
        _ => {}
    }
    let unknown = || format!("`{text}` is not the base of a port");
    let rest = text.strip_prefix("arg").ok_or_else(unknown)?;
    if let Some(name) = rest.strip_prefix(':') {
        return if is_identifier(name) { Ok(Base::Keyword(name.to_owned())) } else { Err(unknown()) };
    }
    if let Some(position) = rest.strip_suffix('+') {
        return Ok(Base::ArgumentsFrom(parse_position(position).ok_or_else(unknown)?));
    }
    Ok(Base::Argument(parse_position(rest).ok_or_else(unknown)?))
}

fn parse_step(text: &str) -> Result<Step, String> {
    let unknown = || format!("`.{text}` is not a step of a port");
    Ok(match text {
        "items" => Step::Items,
        "keys" => Step::Keys,
        "each" => Step::Each,
        "shape" => Step::Shape,
        "type" => Step::Type,
        "nested" => Step::Nested,
        "deep" => Step::Deep,
        "returned" => Step::Returned,
        "attrs" => Step::Attrs,
        _ => {
            let (kind, argument) = text.strip_suffix(')').and_then(|text| text.split_once('(')).ok_or_else(unknown)?;
            match kind {
                "item" => Step::Item(parse_position(argument).ok_or_else(unknown)?),
                "attr" if is_identifier(argument) => Step::Attr(argument.to_owned()),
                _ => return Err(unknown()),
            }
        }
    })
}

/// A decimal number without sign or leading zero, so that each position has one spelling.
fn parse_position(text: &str) -> Option<usize> {
    let canonical = text == "0" || !text.starts_with('0');
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (canonical && digits).then(|| text.parse().ok()).flatten()
}

/// Whether the text can be the name of a parameter or an attribute (ASCII, which is all that the library uses).
pub(super) fn is_identifier(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

impl fmt::Display for Base {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Base::Receiver => formatter.write_str("self"),
            Base::Argument(position) => write!(formatter, "arg{position}"),
            Base::Keyword(name) => write!(formatter, "arg:{name}"),
            Base::ArgumentsFrom(position) => write!(formatter, "arg{position}+"),
            Base::ExtraKeywords => formatter.write_str("kwargs"),
            Base::Arguments => formatter.write_str("args"),
            Base::Result => formatter.write_str("result"),
            Base::World(world) => write!(formatter, "world.{}", world.name()),
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Items => formatter.write_str(".items"),
            Step::Item(position) => write!(formatter, ".item({position})"),
            Step::Keys => formatter.write_str(".keys"),
            Step::Each => formatter.write_str(".each"),
            Step::Shape => formatter.write_str(".shape"),
            Step::Type => formatter.write_str(".type"),
            Step::Returned => formatter.write_str(".returned"),
            Step::Attrs => formatter.write_str(".attrs"),
            Step::Attr(name) => write!(formatter, ".attr({name})"),
            Step::Nested => formatter.write_str(".nested"),
            Step::Deep => formatter.write_str(".deep"),
        }
    }
}

impl fmt::Display for Port {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.base)?;
        self.path.iter().try_for_each(|step| write!(formatter, "{step}"))
    }
}
