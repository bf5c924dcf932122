//! Fills a table from data files.

use serde::de::DeserializeOwned;
use toml::{Table, Value};

use super::entries::{AliasEntry, ClassEntry, ConstantEntry, FunctionEntry, OperationEntry, OperatorEntry};
use super::error::ModelError;
use super::model::{Class, Effect, FlowKind, Fresh, FreshItems, Model};
use super::notation::is_dotted_name;
use super::port::{Base, Step};
use super::{ANY_CLASS, ModelId, Models};

/// The kinds of entries, in the order in which they are read: classes first, because the rest refers to them.
const KINDS: [&str; 6] = ["class", "alias", "constant", "function", "operator", "operation"];

pub(super) fn load(sources: &[(&str, &str)]) -> Result<Models, ModelError> {
    let files: Vec<(&str, Table)> =
        sources.iter().map(|&(file, text)| Ok((file, read_table(file, text)?))).collect::<Result<_, ModelError>>()?;
    let mut models = Models::default();
    for kind in KINDS {
        for (file, table) in &files {
            for (number, value) in entries_of(file, table, kind)?.iter().enumerate() {
                add_entry(&mut models, kind, value).map_err(|message| ModelError::Entry {
                    file: (*file).to_owned(),
                    entry: entry_name(kind, number, value),
                    message,
                })?;
            }
        }
        if kind == "class" {
            check_bases(&models, &files)?;
        }
    }
    Ok(models)
}

fn read_table(file: &str, text: &str) -> Result<Table, ModelError> {
    let table: Table = text
        .parse()
        .map_err(|error: toml::de::Error| ModelError::Syntax { file: file.to_owned(), message: error.to_string() })?;
    let wrong = |message: String| Err(ModelError::File { file: file.to_owned(), message });
    if table.get("schema") != Some(&Value::Integer(1)) {
        return wrong("`schema = 1` is missing".to_owned());
    }
    match table.keys().find(|key| *key != "schema" && !KINDS.contains(&key.as_str())) {
        Some(key) => wrong(format!("unknown key `{key}`")),
        None => Ok(table),
    }
}

fn entries_of<'a>(file: &str, table: &'a Table, kind: &str) -> Result<&'a [Value], ModelError> {
    match table.get(kind) {
        None => Ok(&[]),
        Some(Value::Array(entries)) => Ok(entries),
        Some(_) => Err(ModelError::File {
            file: file.to_owned(),
            message: format!("`{kind}` is not a list of tables `[[{kind}]]`"),
        }),
    }
}

/// How messages call an entry: its first name, or, before it has one that can be read, its kind and number.
fn entry_name(kind: &str, number: usize, value: &Value) -> String {
    let first = |key: &str| match value.get(key) {
        Some(Value::Array(names)) => names.first().and_then(Value::as_str),
        Some(Value::String(name)) => Some(name.as_str()),
        _ => None,
    };
    match (first("names"), first("from"), first("operators"), first("left")) {
        (Some(name), ..) | (None, Some(name), ..) => name.to_owned(),
        (None, None, Some(operator), Some(left)) => format!("operator {operator} of {left}"),
        _ => format!("{kind} {}", number + 1),
    }
}

fn add_entry(models: &mut Models, kind: &str, value: &Value) -> Result<(), String> {
    match kind {
        "class" => add_class(models, &read(value)?),
        "alias" => add_alias(models, read(value)?),
        "constant" => add_constant(models, &read(value)?),
        "function" => add_function(models, &read(value)?),
        "operator" => add_operator(models, &read(value)?),
        _ => add_operation(models, &read(value)?),
    }
}

fn read<T: DeserializeOwned>(value: &Value) -> Result<T, String> {
    value.clone().try_into().map_err(|error: toml::de::Error| error.message().to_owned())
}

fn add_class(models: &mut Models, entry: &ClassEntry) -> Result<(), String> {
    let layout = entry.layout()?;
    for name in &entry.names {
        let class = Class {
            name: name.clone(),
            bases: entry.bases.clone(),
            layout,
            immutable: entry.immutable,
            family: entry.family,
            known_to: entry.known_to()?,
            any_of: entry.any_of.clone(),
        };
        if models.classes.insert(name.clone(), class).is_some() {
            return Err(format!("class `{name}` is declared twice"));
        }
    }
    Ok(())
}

/// Every base is declared, no class inherits from itself, and families consist of declared classes that are no families.
fn check_bases(models: &Models, files: &[(&str, Table)]) -> Result<(), ModelError> {
    for (place, class) in models.classes.values().enumerate() {
        if let Err(message) = check_relatives(models, place, class) {
            let file = files.iter().find(|(_, table)| declares_class(table, &class.name));
            return Err(ModelError::Entry {
                file: file.map_or("", |(file, _)| file).to_owned(),
                entry: class.name.clone(),
                message,
            });
        }
    }
    Ok(())
}

fn check_relatives(models: &Models, place: usize, class: &Class) -> Result<(), String> {
    for base in &class.bases {
        // A base is declared in an earlier place: this orders the classes, so that there is no cycle.
        match models.classes.get_index_of(base) {
            None => return Err(format!("base `{base}` is not declared")),
            Some(other) if other >= place => return Err(format!("base `{base}` must be declared before")),
            Some(_) => {}
        }
    }
    for member in &class.any_of {
        if models.classes.get(member).is_none_or(|member| member.family) {
            return Err(format!("`{member}` of `any_of` is not a declared class of the interpreter"));
        }
    }
    Ok(())
}

fn declares_class(table: &Table, name: &str) -> bool {
    let classes = table.get("class").and_then(Value::as_array);
    let mut names = classes.into_iter().flatten().filter_map(|class| class.get("names")?.as_array());
    names.any(|names| names.iter().any(|other| other.as_str() == Some(name)))
}

fn add_alias(models: &mut Models, entry: AliasEntry) -> Result<(), String> {
    if entry.from == entry.to || entry.from.is_empty() || entry.to.is_empty() {
        return Err("an alias leads from one name to another".to_owned());
    }
    match models.aliases.insert(entry.from, entry.to) {
        Some(other) => Err(format!("it is an alias of `{other}` already")),
        None => Ok(()),
    }
}

fn add_constant(models: &mut Models, entry: &ConstantEntry) -> Result<(), String> {
    let constant = entry.constant()?;
    check_fresh(models, &constant.class)?;
    for name in &entry.names {
        if models.constants.insert(name.clone(), constant.clone()).is_some() {
            return Err(format!("constant `{name}` is declared twice"));
        }
    }
    Ok(())
}

fn add_function(models: &mut Models, entry: &FunctionEntry) -> Result<(), String> {
    let is_member = |name: &str| {
        name.rsplit_once('.').is_some_and(|(class, _)| models.classes.contains_key(class))
            && !models.classes.contains_key(name)
    };
    if entry.names().is_empty() {
        return Err("no names".to_owned());
    }
    let members = entry.names().iter().filter(|name| is_member(name)).count();
    if members != 0 && members != entry.names().len() {
        return Err("one entry names members of classes and other functions".to_owned());
    }
    let groups = entry.names().chunks(if entry.is_generic() { 1 } else { entry.names().len() });
    for names in groups {
        let mut model = entry.model(names, members != 0)?;
        for (given, supplement) in entry.supplements(&model)? {
            model.supplements.push((given, add_model(models, supplement)?));
        }
        let id = add_model(models, model)?;
        for name in names {
            if models.functions.insert(name.clone(), id).is_some() || models.constants.contains_key(name) {
                return Err(format!("`{name}` is modelled twice"));
            }
            let effects = models.model(id).effects.clone();
            add_effects(models, name, effects);
        }
    }
    Ok(())
}

fn add_model(models: &mut Models, model: Model) -> Result<ModelId, String> {
    if let Some(fresh) = &model.result {
        check_fresh(models, fresh)?;
    }
    model.parts.iter().try_for_each(|(_, fresh)| check_fresh(models, fresh))?;
    check_parts(&model)?;
    model.narrow.iter().try_for_each(|narrowing| check_fresh(models, &narrowing.result))?;
    let id = u32::try_from(models.models.len()).map_err(|_| "too many models".to_owned())?;
    models.models.push(model);
    Ok(ModelId(id))
}

/// What goes *into* an attribute of a fresh result needs an object there: a part, or one that another flow brings.
fn check_parts(model: &Model) -> Result<(), String> {
    let into = model.flows.iter().map(|flow| &flow.to);
    let given = model.calls.iter().filter_map(|call| call.result.as_ref()).map(|(_, port)| port);
    for port in into.chain(given) {
        let [Step::Attr(attribute), _, ..] = port.path.as_slice() else { continue };
        let is_brought = model
            .flows
            .iter()
            .any(|flow| flow.kind == FlowKind::Alias && flow.to.base == port.base && flow.to.path == port.path[..1]);
        let is_part = model.parts.iter().any(|(part, _)| part == attribute);
        if port.base == Base::Result && !is_part && !is_brought {
            return Err(format!("`{port}`: nothing is in `{attribute}`, neither a part nor what a flow brings there"));
        }
    }
    Ok(())
}

fn check_fresh(models: &Models, fresh: &Fresh) -> Result<(), String> {
    if !models.classes.contains_key(&fresh.class) {
        return Err(format!("class `{}` is not declared", fresh.class));
    }
    if let Some(keys) = &fresh.keys {
        check_fresh(models, keys)?;
    }
    match &fresh.items {
        FreshItems::None => Ok(()),
        FreshItems::All(items) => check_fresh(models, items),
        FreshItems::Each(items) => items.iter().flatten().try_for_each(|item| check_fresh(models, item)),
    }
}

fn add_operator(models: &mut Models, entry: &OperatorEntry) -> Result<(), String> {
    let id = add_model(models, entry.model()?)?;
    let unary = [String::new()];
    let right_classes = if entry.right().is_empty() { &unary } else { entry.right() };
    for class in entry.left().iter().chain(entry.right()) {
        if class != ANY_CLASS && !models.classes.contains_key(class) {
            return Err(format!("class `{class}` is not declared"));
        }
    }
    for operator in entry.operators() {
        let by_left = models.operators.entry(operator.clone()).or_default();
        for left in entry.left() {
            let by_right = by_left.entry(left.clone()).or_default();
            for right in right_classes {
                if by_right.insert(right.clone(), id).is_some() {
                    return Err(format!("`{operator}` of `{left}` and `{right}` is modelled twice"));
                }
            }
        }
    }
    Ok(())
}

fn add_operation(models: &mut Models, entry: &OperationEntry) -> Result<(), String> {
    let effects = entry.effects()?;
    if effects.is_empty() {
        return Err("an operation without effects".to_owned());
    }
    for name in &entry.names {
        if !is_dotted_name(name) || models.functions.contains_key(name) {
            return Err(format!("`{name}` is modelled already"));
        }
        if models.effects.contains_key(name) {
            return Err(format!("`{name}` is listed twice"));
        }
        add_effects(models, name, effects.clone());
    }
    Ok(())
}

fn add_effects(models: &mut Models, name: &str, effects: Vec<Effect>) {
    if !effects.is_empty() {
        models.effects.insert(name.to_owned(), effects);
    }
}
