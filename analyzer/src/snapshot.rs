//! The snapshot of a crash: the live stack and the heap that it reaches, as `crash.json` holds them (FORMATS, section 3).

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;

use indexmap::IndexMap;
use serde::de::{Error, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::diagnostic::{Diagnostic, SourceRange};

/// Number of an object within its snapshot.
pub type ObjectId = u64;

/// A value: a scalar, or a reference to an object.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    None,
    Bool(bool),
    Int(i64),
    Str(String),
    Ref(ObjectId),
    /// An integer of any size, in decimal digits.
    LargeInt(String),
    Float(f64),
    Complex,
    Bytes(Vec<u8>),
    /// A scalar over the limit of the snapshot, or a secret; its class.
    Withheld(String),
    /// Nothing that this reads.
    Other,
}

impl Value {
    /// The object that the value refers to.
    pub fn reference(&self) -> Option<ObjectId> {
        match self {
            Value::Ref(object) => Some(*object),
            _ => None,
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

/// Reads a scalar, or an object with one telling key; a snapshot has tens of thousands of them.
struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a scalar, or an object with one telling key")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::None)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Int(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(i64::try_from(value).map_or_else(|_| Value::LargeInt(value.to_string()), Value::Int))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Str(text.to_owned()))
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Value, E> {
        Ok(Value::Str(text))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut value = Value::Other;
        while let Some(key) = map.next_key::<Cow<'de, str>>()? {
            value = match &*key {
                "ref" => Value::Ref(map.next_value()?),
                "int" => Value::LargeInt(map.next_value()?),
                "float" => Value::Float(map.next_value::<Cow<'de, str>>()?.parse().map_err(A::Error::custom)?),
                "bytes" => {
                    let bytes = bytes_of(&map.next_value::<Cow<'de, str>>()?);
                    Value::Bytes(bytes.ok_or_else(|| A::Error::custom("`bytes` has to be hexadecimal digits"))?)
                }
                "cut" | "redacted" => Value::Withheld(map.next_value()?),
                "complex" => {
                    map.next_value::<IgnoredAny>()?;
                    Value::Complex
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
        }
        Ok(value)
    }
}

/// The bytes that hexadecimal digits stand for.
fn bytes_of(digits: &str) -> Option<Vec<u8>> {
    (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok()).collect()
}

/// One frame of the live stack.
#[derive(Clone, Debug, Deserialize)]
pub struct Frame {
    pub file: String,
    pub module: String,
    /// Qualified name of the code.
    pub function: String,
    pub first_line: u32,
    #[serde(default)]
    pub kind: String,
    /// Range of the failing or calling expression, lines and columns from 1, end exclusive.
    pub line: u32,
    #[serde(default)]
    pub column: Option<u32>,
    #[serde(default)]
    pub end_line: Option<u32>,
    #[serde(default)]
    pub end_column: Option<u32>,
    #[serde(default)]
    pub locals: IndexMap<String, Value>,
    #[serde(default)]
    pub cells: IndexMap<String, Value>,
}

/// Globals of a module.
#[derive(Clone, Debug, Deserialize)]
pub struct Module {
    #[serde(default)]
    pub file: Option<String>,
    pub globals: IndexMap<String, Value>,
}

/// An object of the heap. Which fields are present depends on its kind.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Object {
    pub kind: String,
    /// Dotted name of the class.
    #[serde(rename = "type")]
    pub type_name: String,
    #[serde(default)]
    pub class: Option<Value>,
    #[serde(default)]
    pub attributes: IndexMap<String, Value>,
    #[serde(default)]
    pub items: Option<Vec<Value>>,
    #[serde(default)]
    pub entries: Option<Vec<(Value, Value)>>,
    #[serde(default)]
    pub layout: Option<String>,
    #[serde(default)]
    pub value: Option<Value>,
    #[serde(default)]
    pub cut: bool,
    #[serde(default)]
    pub module: Option<String>,
    #[serde(default)]
    pub qualname: Option<String>,
    #[serde(default)]
    pub name: Option<String>,
    #[serde(default)]
    pub file: Option<String>,
    #[serde(default)]
    pub first_line: Option<u32>,
    #[serde(default)]
    pub defaults: Vec<Value>,
    #[serde(default)]
    pub keyword_defaults: IndexMap<String, Value>,
    #[serde(default)]
    pub closure: IndexMap<String, Value>,
    #[serde(default)]
    pub mro: Vec<Value>,
    #[serde(default)]
    pub bases: Vec<Value>,
    /// Functions of properties, static and class methods, bound methods, partials.
    #[serde(default)]
    pub get: Option<Value>,
    #[serde(default)]
    pub set: Option<Value>,
    #[serde(default)]
    pub delete: Option<Value>,
    #[serde(default)]
    pub function: Option<Value>,
    #[serde(default, rename = "self")]
    pub receiver: Option<Value>,
    #[serde(default)]
    pub contents: Option<Value>,
    #[serde(default)]
    pub referents: Vec<Value>,
    #[serde(default)]
    pub arguments: Option<Vec<Value>>,
    #[serde(default)]
    pub keywords: Option<IndexMap<String, Value>>,
    #[serde(default)]
    pub locals: IndexMap<String, Value>,
    /// A generator or coroutine that may be resumed: behind the expression in this range where it has started.
    #[serde(default)]
    pub suspended: bool,
    #[serde(default)]
    pub started: bool,
    #[serde(default)]
    pub line: Option<u32>,
    #[serde(default)]
    pub column: Option<u32>,
    #[serde(default)]
    pub end_line: Option<u32>,
    #[serde(default)]
    pub end_column: Option<u32>,
}

impl Object {
    /// A suspended generator as the frame that it keeps.
    pub fn suspended_frame(&self) -> Option<Frame> {
        let (Some(file), Some(Value::Str(function)), Some(first_line)) = (&self.file, &self.function, self.first_line)
        else {
            return None;
        };
        self.suspended.then(|| Frame {
            file: file.clone(),
            module: String::new(),
            function: function.clone(),
            first_line,
            kind: self.kind.clone(),
            line: self.line.unwrap_or(first_line),
            column: self.column,
            end_line: self.end_line,
            end_column: self.end_column,
            locals: self.locals.clone(),
            cells: IndexMap::new(),
        })
    }
}

/// What the program died of.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Exception {
    #[serde(rename = "type")]
    pub type_name: String,
    #[serde(default)]
    pub message: Option<serde_json::Value>,
}

/// A whole snapshot.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Snapshot {
    pub schema: i64,
    #[serde(default)]
    pub directory: String,
    #[serde(default)]
    pub search_path: Vec<String>,
    pub exception: Exception,
    /// Live stack, innermost first.
    pub frames: Vec<Frame>,
    #[serde(default)]
    pub modules: BTreeMap<String, Module>,
    /// Names of everything that was imported, whether `modules` has it or not.
    #[serde(default)]
    pub loaded: BTreeSet<String>,
    #[serde(default)]
    pub objects: BTreeMap<ObjectId, Object>,
    /// Which objects are the `__dict__` of what: of another object, or of the module that a text names.
    #[serde(default)]
    pub dictionaries: Vec<(ObjectId, Value)>,
    #[serde(default)]
    pub cut: bool,
}

impl Snapshot {
    /// Reads `crash.json`.
    ///
    /// # Errors
    /// One diagnostic where the file cannot be read, is not JSON, is no snapshot, or has another schema.
    pub fn read(path: &Path) -> Result<Snapshot, Diagnostic> {
        let mend = "write it with `healcheck snapshot -- python main.py`";
        let text = std::fs::read_to_string(path).map_err(|error| {
            Diagnostic::new(format!("the snapshot cannot be read: {error}")).in_file(path).mend(mend)
        })?;
        let snapshot: Snapshot = serde_json::from_str(&text).map_err(|error| {
            Diagnostic::new(format!("not a snapshot: {error}"))
                .in_file(path)
                .at(place(error.line(), error.column()))
                .mend(mend)
        })?;
        if snapshot.schema != crate::config::SCHEMA {
            let message = format!("the snapshot has schema {}, this reads schema 1", snapshot.schema);
            return Err(Diagnostic::new(message).in_file(path).at(place(1, 1)).mend(mend));
        }
        if snapshot.frames.is_empty() {
            return Err(Diagnostic::new("the snapshot has no frames").in_file(path).at(place(1, 1)).mend(mend));
        }
        Ok(snapshot)
    }

    /// The object that a value refers to.
    pub fn object(&self, value: &Value) -> Option<&Object> {
        self.objects.get(&value.reference()?)
    }
}

fn place(line: usize, column: usize) -> SourceRange {
    let line = u32::try_from(line.max(1)).unwrap_or(u32::MAX);
    let column = u32::try_from(column.max(1)).unwrap_or(u32::MAX);
    SourceRange { line, column, end_line: line, end_column: column }
}
