//! The members that an enumeration makes of what its class body assigns, as text: see [`crate::data_class`].

use std::fmt::Write;

use crate::data_class::{CLASS, VALUE};
use crate::ir::{Assigned, Form, Name};

/// What a class says about its members.
pub struct Kind {
    /// The class of values that members are, too: `int`, `str`, `float`.
    pub mixed_in: Option<&'static str>,
    /// The class has `__new__`, and that sets the value.
    pub creates: bool,
    pub sets_value: bool,
    pub initialises: bool,
    pub is_flag: bool,
    pub is_text: bool,
    /// The class says itself what `auto` is.
    pub generates: bool,
}

/// The text that makes the members.
pub fn text(members: &[&Assigned], kind: &Kind) -> String {
    let mut text = String::new();
    let mut counted = Some(0_u64);
    for (at, member) in members.iter().enumerate() {
        let name = &member.name;
        let value = value(members, at, kind, &mut counted);
        let _ = write!(text, "_value = {VALUE}{name}\n_value_{at} = {value}\n");
        let given = if member.form == Form::Tuple { format!("*_value_{at}") } else { format!("_value_{at}") };
        let spread = !matches!(member.form, Form::Tuple | Form::Literal(_)) && !is_auto(member);
        let call = |what: &str, first: &str| match spread {
            true => {
                format!("{what}({first}*_value_{at}) if isinstance(_value_{at}, tuple) else {what}({first}_value_{at})")
            }
            false => format!("{what}({first}{given})"),
        };
        let made = match (kind.creates, kind.mixed_in) {
            (true, _) => call(&format!("{CLASS}.__new__"), &format!("{CLASS}, ")),
            (false, Some(class)) => call(&format!("{class}.__new__"), &format!("{CLASS}, ")),
            (false, None) => format!("object.__new__({CLASS})"),
        };
        let _ = writeln!(text, "_member_{at} = {made}");
        if !kind.sets_value {
            let _ = writeln!(text, "_member_{at}._value_ = _value_{at}");
        }
        let _ = writeln!(text, "_member_{at}._name_ = \"{name}\"\n_member_{at}.__objclass__ = {CLASS}");
        if kind.initialises {
            let _ = writeln!(text, "{}", call(&format!("_member_{at}.__init__"), ""));
        }
        let _ = writeln!(text, "_named_{at} = _member_{at}");
        // An equal value is another name for the member that has it already.
        for (before, other) in members[..at].iter().enumerate() {
            if kind.sets_value || !differ(member, other) {
                let _ = writeln!(
                    text,
                    "if _member_{before}._value_ == _member_{at}._value_:\n    _named_{at} = _named_{before}"
                );
            }
        }
        let _ = writeln!(text, "{CLASS}.{name} = _named_{at}");
    }
    let pairs = members.iter().enumerate().map(|(at, member)| format!("\"{}\": _named_{at}", member.name));
    let pairs: Vec<String> = pairs.collect();
    let names: Vec<String> = members.iter().map(|member| format!("\"{}\"", member.name)).collect();
    let _ = writeln!(
        text,
        "{CLASS}._member_map_ = {{{}}}\n{CLASS}._member_names_ = [{}]",
        pairs.join(", "),
        names.join(", ")
    );
    text
}

/// Whether two members certainly have different values.
fn differ(one: &Assigned, other: &Assigned) -> bool {
    match (&one.form, &other.form) {
        (Form::Literal(one), Form::Literal(other)) => one != other,
        _ => is_auto(one) && is_auto(other),
    }
}

fn is_auto(member: &Assigned) -> bool {
    matches!(&member.form, Form::Call(called) if called.rsplit('.').next() == Some("auto"))
}

/// What the value of a member is: what `auto` gives is counted as long as the values before are numbers that are written out.
fn value(members: &[&Assigned], at: usize, kind: &Kind, counted: &mut Option<u64>) -> String {
    let member = members[at];
    if !is_auto(member) {
        *counted = match &member.form {
            Form::Literal(text) => text.parse::<u64>().ok().filter(|value| counted.is_some_and(|last| *value >= last)),
            _ => None,
        };
        return "_value".to_owned();
    }
    let before: Vec<String> = (0..at).map(|at| format!("_value_{at}")).collect();
    if kind.generates {
        return format!("{CLASS}._generate_next_value_(\"{}\", 1, {at}, [{}])", member.name, before.join(", "));
    }
    if kind.is_text {
        return format!("\"{}\"", member.name.to_lowercase());
    }
    if let Some(last) = *counted {
        let next = if kind.is_flag { (last + 1).next_power_of_two() } else { last + 1 };
        *counted = Some(next);
        return next.to_string();
    }
    // Some number that comes from those before.
    format!("hash((\"{}\", {}))", member.name, before.join(", "))
}

/// The names that are members, among what a class body assigns.
pub fn is_member_name(name: &Name) -> bool {
    let is_special = name.starts_with("__") || (name.starts_with('_') && name.ends_with('_'));
    !is_special
}
