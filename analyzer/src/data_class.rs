//! The methods that `dataclasses.dataclass` writes for a class, as text.
//!
//! The text is a module body that finishes the class, which it finds in a global. What it keeps for itself is kept in attributes of
//! the class whose names begin with [`KEPT`].

use std::fmt::Write;

use crate::ir::{Annotated, Body, Name};

/// Begins the names of attributes that no program sees.
pub const KEPT: &str = "_written_";
/// Begins the globals of the text that hold what the class body assigned.
pub const VALUE: &str = "_value_of_";
/// The global of the text that holds the class.
pub const CLASS: &str = "_class";
/// What a decorator, and what the value of a field, is called.
pub const DECORATOR: &str = "dataclass";
const FIELD: &str = "field";

/// Where the default of a field stands before the class is finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Declared {
    /// In what the class body assigns.
    Value,
    /// In what `field` gave there.
    Field,
    /// In `__dataclass_fields__` of a class that was finished before the crash.
    Finished,
    /// A class above has it.
    Above,
}

/// One field of a data class.
#[derive(Clone, Debug)]
pub struct DataField {
    pub name: Name,
    pub declared: Declared,
    /// Only handed on to `__post_init__`.
    pub for_init: bool,
    pub has_default: bool,
    pub has_factory: bool,
    pub init: bool,
    pub repr: bool,
    pub compare: bool,
    pub hash: Option<bool>,
    pub by_name: bool,
}

/// What the decorator is told.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub init: bool,
    pub repr: bool,
    pub eq: bool,
    pub order: bool,
    pub unsafe_hash: bool,
    pub frozen: bool,
    pub match_args: bool,
    pub by_name: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            init: true,
            repr: true,
            eq: true,
            order: false,
            unsafe_hash: false,
            frozen: false,
            match_args: true,
            by_name: false,
        }
    }
}

impl Options {
    /// The options among keywords as they are written; nothing where one of them is no constant.
    pub fn of(keywords: &[(Name, Name)]) -> Option<Options> {
        let mut options = Options::default();
        for (name, value) in keywords {
            let value = truth(value)?;
            match &**name {
                "init" => options.init = value,
                "repr" => options.repr = value,
                "eq" => options.eq = value,
                "order" => options.order = value,
                "unsafe_hash" => options.unsafe_hash = value,
                "frozen" => options.frozen = value,
                "match_args" => options.match_args = value,
                "kw_only" => options.by_name = value,
                "slots" | "weakref_slot" => {}
                _ => return None,
            }
        }
        Some(options)
    }
}

fn truth(text: &str) -> Option<bool> {
    match text {
        "True" => Some(true),
        "False" => Some(false),
        _ => None,
    }
}

/// Whether a value in the body of a data class is what `field` gives.
fn is_declaration(annotated: &Annotated, imported: &dyn Fn(&str) -> Option<Name>) -> bool {
    annotated.call.as_ref().is_some_and(|(called, _)| match imported(called) {
        Some(name) => &*name == FIELD,
        None => last(called) == FIELD,
    })
}

/// The fields that the body of a class declares itself; nothing where one of them is told something that is no constant.
pub fn own_fields(body: &Body, options: Options, imported: &dyn Fn(&str) -> Option<Name>) -> Option<Vec<DataField>> {
    let mut fields: Vec<DataField> = Vec::new();
    let mut by_name = options.by_name;
    for annotated in &body.annotated {
        let for_init = match kind_of(&annotated.annotation, imported).as_str() {
            "KW_ONLY" => {
                by_name = true;
                continue;
            }
            "ClassVar" => continue,
            kind => kind == "InitVar",
        };
        let mut field = DataField {
            name: annotated.name.clone(),
            declared: Declared::Value,
            for_init,
            has_default: annotated.has_value,
            has_factory: false,
            init: true,
            repr: true,
            compare: true,
            hash: None,
            by_name,
        };
        if is_declaration(annotated, imported) {
            let keywords = annotated.call.as_ref().map(|(_, keywords)| keywords.as_slice()).unwrap_or_default();
            declare(&mut field, keywords)?;
        }
        fields.retain(|known| known.name != field.name);
        fields.push(field);
    }
    Some(fields)
}

fn declare(field: &mut DataField, keywords: &[(Name, Name)]) -> Option<()> {
    field.declared = Declared::Field;
    field.has_default = false;
    for (name, value) in keywords {
        match &**name {
            "default" => field.has_default = true,
            "default_factory" => field.has_factory = true,
            "init" => field.init = truth(value)?,
            "repr" => field.repr = truth(value)?,
            "compare" => field.compare = truth(value)?,
            "kw_only" => field.by_name = truth(value)?,
            "hash" if &**value == "None" => {}
            "hash" => field.hash = Some(truth(value)?),
            "metadata" => {}
            _ => return None,
        }
    }
    Some(())
}

/// The last name of what an annotation stands for, without what it is given in brackets.
fn kind_of(annotation: &str, imported: &dyn Fn(&str) -> Option<Name>) -> String {
    let bare = annotation.trim_matches(['"', '\'', ' ']);
    let name = bare.split('[').next().unwrap_or_default().trim();
    imported(name).map_or_else(|| last(name).to_owned(), |name| name.to_string())
}

fn last(dotted: &str) -> &str {
    dotted.rsplit('.').next().unwrap_or(dotted)
}

/// The text for a class with these fields, in their order, of which it binds the names `bound` itself.
pub fn text(fields: &[DataField], options: Options, calls_post_init: bool, bound: &dyn Fn(&str) -> bool) -> String {
    let writer = Writer { fields, options, calls_post_init, bound };
    let mut text = String::from("from dataclasses import LEFT, FrozenInstanceError, _Left, field\n");
    for field in fields {
        writer.declaration(&mut text, field);
    }
    writer.summary(&mut text);
    for (name, definition) in writer.methods() {
        if !bound(name) {
            let _ = write!(text, "\n{definition}\n{CLASS}.{name} = {name}\n");
        }
    }
    text
}

struct Writer<'f> {
    fields: &'f [DataField],
    options: Options,
    calls_post_init: bool,
    bound: &'f dyn Fn(&str) -> bool,
}

impl Writer<'_> {
    fn real(&self) -> impl Iterator<Item = &DataField> {
        self.fields.iter().filter(|field| !field.for_init)
    }

    fn declaration(&self, text: &mut String, field: &DataField) {
        let name = &field.name;
        let (from, keeps) = match field.declared {
            Declared::Above => return,
            Declared::Value => (format!("{VALUE}{name}"), true),
            Declared::Field => (format!("{VALUE}{name}"), false),
            Declared::Finished => (format!("{CLASS}.__dataclass_fields__[\"{name}\"]"), false),
        };
        if field.has_default {
            let value = if keeps { from.clone() } else { format!("{from}.default") };
            let _ = writeln!(text, "{CLASS}.{KEPT}default_{name} = {value}");
            if field.declared == Declared::Field {
                let _ = writeln!(text, "{CLASS}.{name} = {value}");
            }
        }
        if field.has_factory {
            let _ = writeln!(text, "{CLASS}.{KEPT}factory_{name} = {from}.default_factory");
        }
        let made = match field.declared {
            Declared::Value if field.has_default => format!("field(default={CLASS}.{KEPT}default_{name})"),
            Declared::Value => "field()".to_owned(),
            _ => from,
        };
        let _ = writeln!(text, "{CLASS}.{KEPT}field_{name} = {made}\n{CLASS}.{KEPT}field_{name}.name = \"{name}\"");
    }

    /// What programs ask of the class.
    fn summary(&self, text: &mut String) {
        let is_finished = self.fields.iter().any(|field| field.declared == Declared::Finished);
        if !is_finished {
            let fields = self.real().map(|field| format!("\"{0}\": {CLASS}.{KEPT}field_{0}", field.name));
            let _ = writeln!(text, "{CLASS}.__dataclass_fields__ = {{{}}}", join(fields));
        }
        if self.options.match_args && !(self.bound)("__match_args__") {
            let names = self.fields.iter().filter(|field| field.init && !field.by_name);
            let names: String = names.map(|field| format!("\"{}\", ", field.name)).collect();
            let _ = writeln!(text, "{CLASS}.__match_args__ = ({names})");
        }
    }

    fn methods(&self) -> Vec<(&'static str, String)> {
        let options = self.options;
        let mut methods = vec![
            ("_written_asdict", self.as_dict()),
            ("_written_astuple", self.as_tuple()),
            ("_written_replace", self.replace()),
        ];
        methods.extend(options.init.then(|| ("__init__", self.init())));
        methods.extend(options.repr.then(|| ("__repr__", self.repr())));
        methods.extend(options.eq.then(|| ("__eq__", self.comparison("__eq__", "=="))));
        if options.order {
            let operators = [("__lt__", "<"), ("__le__", "<="), ("__gt__", ">"), ("__ge__", ">=")];
            methods.extend(operators.map(|(name, operator)| (name, self.comparison(name, operator))));
        }
        if options.unsafe_hash || (options.eq && options.frozen) {
            methods.push(("__hash__", self.hash()));
        } else if options.eq {
            methods.push(("__hash__", "__hash__ = None".to_owned()));
        }
        if options.frozen {
            methods.push(("__setattr__", self.frozen("__setattr__", ", value")));
            methods.push(("__delattr__", self.frozen("__delattr__", "")));
        }
        methods
    }

    fn init(&self) -> String {
        let given = self.fields.iter().filter(|field| field.init);
        let (by_name, by_position): (Vec<_>, Vec<_>) = given.partition(|field| field.by_name);
        let mut parameters = vec!["self".to_owned()];
        parameters.extend(by_position.into_iter().map(parameter));
        if !by_name.is_empty() {
            parameters.push("*".to_owned());
        }
        parameters.extend(by_name.into_iter().map(parameter));
        let mut text = format!("def __init__({}):\n    pass\n", parameters.join(", "));
        for field in self.real() {
            let name = &field.name;
            let made = format!("{CLASS}.{KEPT}factory_{name}()");
            let value = match (field.init, field.has_factory) {
                (true, true) => format!("{made} if isinstance({name}, _Left) else {name}"),
                (true, false) => name.to_string(),
                (false, true) => made,
                (false, false) => continue,
            };
            let _ = match self.options.frozen {
                true => writeln!(text, "    object.__setattr__(self, \"{name}\", {value})"),
                false => writeln!(text, "    self.{name} = {value}"),
            };
        }
        if self.calls_post_init {
            let given = self.fields.iter().filter(|field| field.for_init).map(|field| field.name.to_string());
            let _ = writeln!(text, "    self.__post_init__({})", join(given));
        }
        text
    }

    fn repr(&self) -> String {
        let shown = self.real().filter(|field| field.repr).map(|field| format!("{0}={{self.{0}!r}}", field.name));
        format!("def __repr__(self):\n    return self.__class__.__qualname__ + f\"({})\"\n", join(shown))
    }

    fn comparison(&self, name: &str, operator: &str) -> String {
        let compared: Vec<&DataField> = self.real().filter(|field| field.compare).collect();
        let sides = ["self", "other"].map(|side| tuple(compared.iter().map(|field| format!("{side}.{}", field.name))));
        let [left, right] = sides;
        format!(
            "def {name}(self, other):\n    if other.__class__ is self.__class__:\n        return {left} {operator} {right}\n    \
             return NotImplemented\n"
        )
    }

    fn hash(&self) -> String {
        let hashed = self.real().filter(|field| field.hash.unwrap_or(field.compare));
        format!("def __hash__(self):\n    return hash({})\n", tuple(hashed.map(|field| format!("self.{}", field.name))))
    }

    fn frozen(&self, name: &str, rest: &str) -> String {
        let names: String = self.real().map(|field| format!("\"{}\", ", field.name)).collect();
        let given = rest.trim_start_matches(", ");
        format!(
            "def {name}(self, name{rest}):\n    if type(self) is {CLASS} or name in ({names}):\n        raise \
             FrozenInstanceError(name)\n    object.{name}(self, name{})\n",
            if given.is_empty() { "" } else { ", value" }
        )
    }

    fn as_dict(&self) -> String {
        let pairs = join(self.real().map(|field| format!("\"{0}\": inner(self.{0})", field.name)));
        let items = join(self.real().map(|field| format!("(\"{0}\", inner(self.{0}))", field.name)));
        format!(
            "def _written_asdict(self, inner, factory):\n    if factory is dict:\n        return {{{pairs}}}\n    \
             return factory([{items}])\n"
        )
    }

    fn as_tuple(&self) -> String {
        let items: Vec<String> = self.real().map(|field| format!("inner(self.{})", field.name)).collect();
        format!(
            "def _written_astuple(self, inner, factory):\n    if factory is tuple:\n        return {}\n    \
             return factory([{}])\n",
            tuple(items.iter().cloned()),
            items.join(", ")
        )
    }

    fn replace(&self) -> String {
        let given: Vec<&DataField> = self.fields.iter().filter(|field| field.init).collect();
        let parameters: String = given.iter().map(|field| format!(", {}=LEFT", field.name)).collect();
        let star = if given.is_empty() { "" } else { ", *" };
        let passed = given.iter().map(|field| {
            let name = &field.name;
            match (field.for_init, field.has_default) {
                (true, false) => format!("{name}={name}"),
                (true, true) => format!("{name}={CLASS}.{KEPT}default_{name} if isinstance({name}, _Left) else {name}"),
                (false, _) => format!("{name}=self.{name} if isinstance({name}, _Left) else {name}"),
            }
        });
        format!(
            "def _written_replace(self{star}{parameters}):\n    cls = self.__class__\n    return cls({})\n",
            join(passed)
        )
    }
}

fn parameter(field: &DataField) -> String {
    let name = &field.name;
    if field.has_factory {
        format!("{name}=LEFT")
    } else if field.has_default {
        format!("{name}={CLASS}.{KEPT}default_{name}")
    } else {
        name.to_string()
    }
}

fn tuple(items: impl Iterator<Item = String>) -> String {
    let items: String = items.map(|item| format!("{item}, ")).collect();
    format!("({items})")
}

fn join(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(", ")
}
