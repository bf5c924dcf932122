//! Reads the notation of flows, callbacks, hooks, fresh classes and parameter lists.

use super::model::{Callback, CallbackArgument, Destination, Flow, FlowKind, Fresh, FreshItems, Hook, Parameters};
use super::port::{Port, is_identifier};

/// Reads `from -> to` or `from ~> to`.
pub(super) fn parse_flow(text: &str) -> Result<Flow, String> {
    let (from, kind, to) = split_arrow(text).ok_or_else(|| format!("`{text}` has no arrow `->` or `~>`"))?;
    Ok(Flow { from: Port::parse(from)?, to: Port::parse(to)?, kind })
}

/// Reads `callee(argument, …)` with or without ` -> port` or ` ~> port` behind it.
pub(super) fn parse_callback(text: &str) -> Result<Callback, String> {
    let (call, result) = split_result(text)?;
    let (callee, arguments) = split_call(call).ok_or_else(|| format!("`{text}` is not a call"))?;
    Ok(Callback { callee: Port::parse(callee)?, arguments: parse_callback_arguments(arguments)?, result })
}

/// Reads `port.__method__` or `port.method(argument, …)`, with or without ` -> port` or ` ~> port` behind it.
pub(super) fn parse_hook(text: &str) -> Result<Hook, String> {
    let wrong = || format!("`{text}` is neither `port.__method__` nor `port.method(…)`");
    let (call, result) = split_result(text)?;
    let (callee, arguments) = split_call(call).map_or((call.trim(), None), |(callee, inner)| (callee, Some(inner)));
    let (target, method) = callee.rsplit_once('.').ok_or_else(wrong)?;
    let special = method.len() > 4 && method.starts_with("__") && method.ends_with("__");
    if !is_identifier(method) || !(special || arguments.is_some()) {
        return Err(wrong());
    }
    Ok(Hook {
        target: Port::parse(target)?,
        method: method.to_owned(),
        arguments: parse_callback_arguments(arguments.unwrap_or_default())?,
        result,
    })
}

/// What stands before an arrow, and the arrow with its destination if there is one.
fn split_result(text: &str) -> Result<(&str, Option<Destination>), String> {
    match split_arrow(text) {
        Some((call, kind, to)) => Ok((call, Some((kind, Port::parse(to)?)))),
        None => Ok((text, None)),
    }
}

/// The callee and the text between the parentheses of a call.
fn split_call(text: &str) -> Option<(&str, &str)> {
    let text = text.trim();
    let opening = opening_parenthesis(text)?;
    Some((&text[..opening], &text[opening + 1..text.len() - 1]))
}

fn parse_callback_arguments(text: &str) -> Result<Vec<CallbackArgument>, String> {
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    text.split(',').map(|argument| parse_callback_argument(argument.trim())).collect()
}

fn parse_callback_argument(text: &str) -> Result<CallbackArgument, String> {
    if text == "_" {
        Ok(CallbackArgument::Fresh)
    } else if let Some(port) = text.strip_prefix("**") {
        Ok(CallbackArgument::Keywords(Port::parse(port)?))
    } else if let Some(port) = text.strip_prefix('*') {
        Ok(CallbackArgument::Spread(Port::parse(port)?))
    } else if let Some(port) = text.strip_prefix('~') {
        Ok(CallbackArgument::Computed(Port::parse(port)?))
    } else {
        Ok(CallbackArgument::At(Port::parse(text)?))
    }
}

/// The parenthesis that the last character of the text closes.
fn opening_parenthesis(text: &str) -> Option<usize> {
    if !text.ends_with(')') {
        return None;
    }
    let mut depth = 0_usize;
    for (index, character) in text.char_indices().rev() {
        match character {
            ')' => depth += 1,
            '(' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(index);
                }
            }
            _ => {}
        }
    }
    None
}

fn split_arrow(text: &str) -> Option<(&str, FlowKind, &str)> {
    if let Some((from, to)) = text.split_once("->") {
        Some((from, FlowKind::Alias, to))
    } else {
        let (from, to) = text.split_once("~>")?;
        Some((from, FlowKind::Depends, to))
    }
}

/// Reads the class of a fresh object: `builtins.str`, `builtins.list[builtins.str]`, `builtins.tuple[builtins.int, _]`,
/// `builtins.dict[builtins.str: builtins.int]`. `own_class` is what `@` stands for.
pub(super) fn parse_fresh(text: &str, own_class: Option<&str>) -> Result<Fresh, String> {
    let text = text.trim();
    let (class, inner) = match text.split_once('[') {
        None => (text, None),
        Some((class, rest)) => {
            let inner = rest.strip_suffix(']');
            (class, Some(inner.ok_or_else(|| format!("`{text}` does not end with `]`"))?))
        }
    };
    let class = if class == "@" { own_class.unwrap_or(class) } else { class };
    if !is_dotted_name(class) {
        return Err(format!("`{class}` is not the dotted name of a class"));
    }
    let (keys, items) = match inner {
        None => (None, FreshItems::None),
        Some(inner) => parse_fresh_content(inner, own_class)?,
    };
    Ok(Fresh { class: class.to_owned(), keys, items })
}

fn parse_fresh_content(text: &str, own_class: Option<&str>) -> Result<(Option<Box<Fresh>>, FreshItems), String> {
    let mut keyed = split_outside_brackets(text, ':')?.into_iter();
    let (keys, items) = match (keyed.next(), keyed.next(), keyed.next()) {
        (Some(items), None, None) => (None, items),
        (Some(keys), Some(items), None) => (parse_fresh_or_nothing(keys, own_class)?, items),
        _ => return Err(format!("`{text}` has more than one colon")),
    };
    let positions = split_outside_brackets(items, ',')?;
    let items = if let [every] = positions.as_slice() {
        parse_fresh_or_nothing(every, own_class)?.map_or(FreshItems::None, |fresh| FreshItems::All(Box::new(fresh)))
    } else {
        let classes = positions.into_iter().map(|text| parse_fresh_or_nothing(text, own_class));
        FreshItems::Each(classes.collect::<Result<_, _>>()?)
    };
    Ok((keys.map(Box::new), items))
}

fn parse_fresh_or_nothing(text: &str, own_class: Option<&str>) -> Result<Option<Fresh>, String> {
    if text.trim() == "_" { Ok(None) } else { parse_fresh(text, own_class).map(Some) }
}

fn split_outside_brackets(text: &str, separator: char) -> Result<Vec<&str>, String> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut depth = 0_usize;
    for (index, character) in text.char_indices() {
        match character {
            '[' => depth += 1,
            ']' => {
                depth = depth.checked_sub(1).ok_or_else(|| format!("unbalanced `]` in `{text}`"))?;
            }
            _ if character == separator && depth == 0 => {
                parts.push(&text[start..index]);
                start = index + character.len_utf8();
            }
            _ => {}
        }
    }
    if depth > 0 {
        return Err(format!("unbalanced `[` in `{text}`"));
    }
    parts.push(&text[start..]);
    Ok(parts)
}

/// Reads a parameter list: names, `/`, `*`, `*name`, `**name`, in the order of a `def` statement.
pub(super) fn parse_parameters(list: &[String]) -> Result<Parameters, String> {
    let mut parameters = Parameters::default();
    let mut keyword_only = false;
    for entry in list {
        let wrong = || format!("`{entry}` cannot stand here in the parameters");
        if parameters.extra {
            return Err(wrong());
        }
        if entry == "/" {
            if keyword_only || parameters.positional.is_empty() || parameters.positional_only > 0 {
                return Err(wrong());
            }
            parameters.positional_only = parameters.positional.len();
        } else if let Some(name) = entry.strip_prefix("**") {
            if !is_identifier(name) {
                return Err(wrong());
            }
            parameters.extra = true;
        } else if let Some(name) = entry.strip_prefix('*') {
            if keyword_only || !(name.is_empty() || is_identifier(name)) {
                return Err(wrong());
            }
            keyword_only = true;
            parameters.rest = !name.is_empty();
        } else {
            let taken = parameters.positional.contains(entry) || parameters.keyword_only.contains(entry);
            if !is_identifier(entry) || taken {
                return Err(wrong());
            }
            let names = if keyword_only { &mut parameters.keyword_only } else { &mut parameters.positional };
            names.push(entry.clone());
        }
    }
    Ok(parameters)
}

/// Whether the text is `a.b.c` with at least two identifiers.
pub(super) fn is_dotted_name(text: &str) -> bool {
    text.contains('.') && text.split('.').all(is_identifier)
}
