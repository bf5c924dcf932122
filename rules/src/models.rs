//! What the functions and classes of the library do, as data.
//!
//! The entries are TOML files below `rules/models/`, embedded in the crate. [`Models::builtin`] is the table of all of
//! them. An entry says where objects and values go ([`Flow`], between [`Port`]s), what is called back, and which
//! effects there are. A function without an entry is unknown code: whatever goes in may come out anywhere.

mod entries;
mod error;
mod load;
mod model;
mod notation;
mod port;
mod sources;
mod written;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use indexmap::IndexMap;

pub use error::ModelError;
pub use model::{
    Binding, Callback, CallbackArgument, Class, Constant, Copies, Destination, Effect, Flow, FlowKind, Fresh,
    FreshItems, Hook, Layout, Model, Narrowing, Parameters,
};
pub use port::{Base, Port, Step, World};
pub use sources::SOURCES;
pub use written::written;

/// Identity of a model in one table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModelId(u32);

/// A table of models.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Models {
    models: Vec<Model>,
    functions: IndexMap<String, ModelId>,
    classes: IndexMap<String, Class>,
    /// By operator, then by class of the left operand, then by class of the right one (empty for unary operators).
    operators: BTreeMap<String, BTreeMap<String, BTreeMap<String, ModelId>>>,
    constants: IndexMap<String, Constant>,
    /// Prefix to its replacement.
    aliases: BTreeMap<String, String>,
    /// Dotted names that have effects, modelled or not.
    effects: BTreeMap<String, Vec<Effect>>,
}

/// The operand class that stands for every class.
const ANY_CLASS: &str = "*";

impl Models {
    /// The models that come with this crate.
    ///
    /// # Panics
    ///
    /// When an embedded file is malformed, which a test of this crate rules out.
    #[must_use]
    pub fn builtin() -> &'static Models {
        static BUILTIN: OnceLock<Models> = OnceLock::new();
        BUILTIN.get_or_init(|| Models::from_sources(SOURCES).unwrap_or_else(|error| panic!("embedded models: {error}")))
    }

    /// Reads one file that refers to nothing outside itself. `name` is used in messages.
    ///
    /// # Errors
    ///
    /// The first defect found, with file and entry.
    pub fn parse(name: &str, text: &str) -> Result<Models, ModelError> {
        Models::from_sources(&[(name, text)])
    }

    /// Reads several files, given as name and text, into one table.
    ///
    /// # Errors
    ///
    /// The first defect found, with file and entry: TOML syntax, an unknown key, a malformed port, a name that is
    /// taken, a class that no file declares.
    pub fn from_sources(sources: &[(&str, &str)]) -> Result<Models, ModelError> {
        load::load(sources)
    }

    /// The model of a function, of a constructor (by the name of its class), or of a member that the class itself, not a
    /// base, has. Names that the interpreter uses internally (`_io.open`, `posixpath.join`) are understood.
    #[must_use]
    pub fn get(&self, dotted: &str) -> Option<(ModelId, &Model)> {
        let id = match self.functions.get(dotted) {
            Some(id) => *id,
            None => *self.functions.get(&self.canonical(dotted)?)?,
        };
        Some((id, self.model(id)))
    }

    /// The model of an identity that this table gave out.
    #[must_use]
    pub fn model(&self, id: ModelId) -> &Model {
        &self.models[id.0 as usize]
    }

    /// All models with their identities, operators included.
    pub fn iter(&self) -> impl Iterator<Item = (ModelId, &Model)> {
        (0..).map(ModelId).zip(&self.models)
    }

    /// A declared class.
    #[must_use]
    pub fn class(&self, dotted: &str) -> Option<&Class> {
        self.classes.get(dotted).or_else(|| self.classes.get(&self.canonical(dotted)?))
    }

    /// All declared classes, in the order of their declaration.
    pub fn classes(&self) -> impl Iterator<Item = &Class> {
        self.classes.values()
    }

    /// A value of a module or class that is no function (`math.pi`, `sys.stdout`).
    #[must_use]
    pub fn constant(&self, dotted: &str) -> Option<&Constant> {
        self.constants.get(dotted).or_else(|| self.constants.get(&self.canonical(dotted)?))
    }

    /// The class and its bases, nearest first, each once; empty for a class that is not declared.
    #[must_use]
    pub fn ancestry(&self, class: &str) -> Vec<&str> {
        let mut found: Vec<&str> = Vec::new();
        let mut open: Vec<&Class> = self.class(class).into_iter().collect();
        while let Some(class) = open.pop() {
            // A class that several paths reach stands behind all of them, as in the interpreter's order.
            found.retain(|name| *name != class.name);
            found.push(&class.name);
            open.extend(class.bases.iter().rev().filter_map(|base| self.classes.get(base)));
        }
        found
    }

    /// The member `name` of a class, own or inherited. `None`: not modelled, to be treated as unknown code.
    #[must_use]
    pub fn method(&self, class: &str, name: &str) -> Option<ModelId> {
        self.ancestry(class).into_iter().find_map(|class| self.functions.get(&format!("{class}.{name}")).copied())
    }

    /// What an operator does with operands of these classes (which may inherit from declared ones). `right` is empty for a unary
    /// operator, the class of the key for a subscript. An augmented operator without an entry is the plain one.
    ///
    /// Operators: `+ - * / // % ** @ << >> & | ^`, each also with `=`; `== != < <= > >= in`; `[]`, `[]=`, `del []`;
    /// `unary -`, `unary +`, `unary ~`. In the model, `self` is the left operand and `arg0` the right one, except for
    /// `in`, where the container, which stands on the right, is `self`; `arg1` is the value that `[]=` stores.
    ///
    /// Asked for library classes only: a user class that inherits from one may override the operator.
    #[must_use]
    pub fn operator(&self, operator: &str, left: &str, right: &str) -> Option<ModelId> {
        let (receiver, other) = if operator == "in" { (right, left) } else { (left, right) };
        self.class(receiver)?;
        self.operator_entry(operator, receiver, other)
            .or_else(|| self.method(receiver, special_method(operator)?))
            .or_else(|| self.operator(plain_operator(operator)?, left, right))
    }

    /// The `[[operator]]` entry of the nearest bases of the left, then of the right operand.
    fn operator_entry(&self, operator: &str, left: &str, right: &str) -> Option<ModelId> {
        let with_any = |class| self.ancestry(class).into_iter().chain(std::iter::once(ANY_CLASS));
        let by_left = self.operators.get(operator)?;
        with_any(left).find_map(|left| {
            let by_right = by_left.get(left)?;
            if right.is_empty() {
                return by_right.get("").copied();
            }
            with_any(right).find_map(|right| by_right.get(right).copied())
        })
    }

    /// The effects of an operation, modelled or not; empty when none are known.
    #[must_use]
    pub fn effects(&self, dotted: &str) -> &[Effect] {
        let direct = self.effects.get(dotted);
        direct.or_else(|| self.effects.get(&self.canonical(dotted)?)).map_or(&[], Vec::as_slice)
    }

    /// The dotted names of the operations that a preset of `protect.toml` covers, sorted; `None` for a name that is no
    /// preset.
    #[must_use]
    pub fn preset(&self, name: &str) -> Option<Vec<&str>> {
        let preset = Effect::PRESETS.into_iter().find(|effect| effect.name() == name)?;
        let covered = self.effects.iter().filter(|(_, effects)| effects.contains(&preset));
        Some(covered.map(|(name, _)| name.as_str()).collect())
    }

    /// The name under which the models know an object: an internal name of the interpreter is replaced by the public one.
    #[must_use]
    pub fn canonical_name(&self, dotted: &str) -> String {
        self.canonical(dotted).unwrap_or_else(|| dotted.to_owned())
    }

    /// The name under which an internal name of the interpreter is declared: the longest alias that is a prefix
    /// of it, replaced. `None` when there is none.
    fn canonical(&self, dotted: &str) -> Option<String> {
        let ends = dotted.rmatch_indices('.').map(|(index, _)| index);
        std::iter::once(dotted.len()).chain(ends).find_map(|end| {
            let target = self.aliases.get(&dotted[..end])?;
            Some(format!("{target}{}", &dotted[end..]))
        })
    }
}

/// The special method behind an operator.
fn special_method(operator: &str) -> Option<&'static str> {
    Some(match operator {
        "+" => "__add__",
        "-" => "__sub__",
        "*" => "__mul__",
        "/" => "__truediv__",
        "//" => "__floordiv__",
        "%" => "__mod__",
        "**" => "__pow__",
        "@" => "__matmul__",
        "<<" => "__lshift__",
        ">>" => "__rshift__",
        "&" => "__and__",
        "|" => "__or__",
        "^" => "__xor__",
        "+=" => "__iadd__",
        "-=" => "__isub__",
        "*=" => "__imul__",
        "/=" => "__itruediv__",
        "//=" => "__ifloordiv__",
        "%=" => "__imod__",
        "**=" => "__ipow__",
        "@=" => "__imatmul__",
        "<<=" => "__ilshift__",
        ">>=" => "__irshift__",
        "&=" => "__iand__",
        "|=" => "__ior__",
        "^=" => "__ixor__",
        "==" => "__eq__",
        "!=" => "__ne__",
        "<" => "__lt__",
        "<=" => "__le__",
        ">" => "__gt__",
        ">=" => "__ge__",
        "in" => "__contains__",
        "[]" => "__getitem__",
        "[]=" => "__setitem__",
        "del []" => "__delitem__",
        "unary -" => "__neg__",
        "unary +" => "__pos__",
        "unary ~" => "__invert__",
        _ => return None,
    })
}

/// `+` for `+=`, and so on; `None` for an operator that is not augmented.
fn plain_operator(operator: &str) -> Option<&str> {
    let compares = matches!(operator, "==" | "!=" | "<=" | ">=" | "[]=");
    operator.strip_suffix('=').filter(|_| !compares)
}
