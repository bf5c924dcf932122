//! The methods that `collections.namedtuple` and `typing.NamedTuple` write for a class, as text: see [`crate::data_class`].

use crate::data_class::{CLASS, KEPT};
use crate::ir::Name;

/// A field and where its default is found, where it has one.
pub struct TupleField {
    pub name: Name,
    pub default: Option<String>,
}

/// The statement that makes a class of this name, for which [`text`] is then written.
pub fn made_class(name: &str) -> String {
    format!("class {name}(tuple):\n    pass\n\n{CLASS} = {name}\n")
}

/// The text for a class with these fields, of which it binds the names `bound` itself.
pub fn text(fields: &[TupleField], bound: &dyn Fn(&str) -> bool) -> String {
    let names: String = fields.iter().map(|field| format!("\"{}\", ", field.name)).collect();
    let listed: Vec<String> = fields.iter().map(|field| field.name.to_string()).collect();
    let items: Vec<String> = (0..fields.len()).map(|at| format!("self[{at}]")).collect();
    let joined = |parts: Vec<String>| parts.join(", ");
    let parameters = fields.iter().map(|field| match &field.default {
        Some(_) => format!("{0}={CLASS}.{KEPT}default_{0}", field.name),
        None => field.name.to_string(),
    });
    let parameters = joined(parameters.collect());
    let pairs = fields.iter().zip(&items).map(|(field, item)| format!("\"{}\": {item}", field.name));
    let pairs = joined(pairs.collect());
    let shown = fields.iter().zip(&items).map(|(field, item)| format!("{}={{{item}!r}}", field.name));
    let shown = joined(shown.collect());
    let kept = joined(fields.iter().map(|field| format!("{}=LEFT", field.name)).collect());
    let star = if fields.is_empty() { "" } else { ", *, " };
    let replaced = fields.iter().zip(&items);
    let replaced = replaced.map(|(field, item)| format!("{item} if isinstance({0}, _Left) else {0}", field.name));
    let replaced = joined(replaced.collect());
    let mut text = String::from("from dataclasses import LEFT, _Left\n");
    for field in fields {
        if let Some(default) = &field.default {
            text += &format!("{CLASS}.{KEPT}default_{} = {default}\n", field.name);
        }
    }
    let defaults = fields.iter().filter(|field| field.default.is_some());
    let defaults = defaults.map(|field| format!("\"{0}\": {CLASS}.{KEPT}default_{0}", field.name));
    text += &format!("{CLASS}._fields = {CLASS}.__match_args__ = ({names})\n");
    text += &format!("{CLASS}._field_defaults = {{{}}}\n", joined(defaults.collect()));
    let methods = [
        (
            "__new__",
            format!(
                "def __new__(_cls, {parameters}):\n    return tuple.__new__(_cls, ({},))\n",
                joined(listed.clone())
            ),
        ),
        ("_make", "@classmethod\ndef _make(cls, iterable):\n    return cls(*iterable)\n".to_owned()),
        (
            "_replace",
            format!("def _replace(self{star}{kept}):\n    cls = self.__class__\n    return cls({replaced})\n"),
        ),
        ("_asdict", format!("def _asdict(self):\n    return {{{pairs}}}\n")),
        ("__repr__", format!("def __repr__(self):\n    return self.__class__.__name__ + f\"({shown})\"\n")),
        ("__getnewargs__", format!("def __getnewargs__(self):\n    return ({},)\n", joined(items.clone()))),
    ];
    for (name, definition) in methods {
        if !bound(name) {
            text += &format!("\n{definition}\n{CLASS}.{name} = {name}\n");
        }
    }
    for (field, item) in fields.iter().zip(&items) {
        text += &format!("\n{CLASS}.{} = property(lambda self: {item})\n", field.name);
    }
    text
}
