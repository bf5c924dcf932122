//! The entries of a data file as they are written, and their conversion to typed ones.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::model::{
    Binding, Callback, CallbackArgument, Constant, Copies, Destination, Effect, Flow, Fresh, Hook, Layout, Model,
    Narrowing, Parameters,
};
use super::notation::{is_dotted_name, parse_callback, parse_flow, parse_fresh, parse_hook, parse_parameters};
use super::port::{Base, Port};
use super::special_method;

/// `[[function]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FunctionEntry {
    names: Vec<String>,
    /// `class`, `static` or `property` for a member of a class that is no ordinary method.
    binding: Option<String>,
    parameters: Option<Vec<String>>,
    #[serde(default)]
    flows: Vec<String>,
    #[serde(default)]
    calls: Vec<String>,
    #[serde(default)]
    decides: Vec<String>,
    #[serde(default)]
    result: String,
    #[serde(default)]
    parts: BTreeMap<String, String>,
    copies: Option<CopiesEntry>,
    #[serde(default)]
    narrow: Vec<NarrowEntry>,
    #[serde(default)]
    or_none: bool,
    #[serde(default)]
    or_subclass: bool,
    #[serde(default)]
    resizes: Vec<String>,
    #[serde(default)]
    shuffles: Vec<String>,
    #[serde(default)]
    aligned: bool,
    #[serde(default)]
    selects: String,
    #[serde(default)]
    clears: Vec<String>,
    #[serde(default)]
    removes: bool,
    #[serde(default)]
    sends: String,
    #[serde(default)]
    effects: Vec<String>,
    #[serde(default)]
    unless: Vec<UnlessEntry>,
    #[serde(default = "yes")]
    raises: bool,
    #[serde(default)]
    hooks: Vec<String>,
    #[serde(default)]
    lazy: bool,
    /// First Python version that has all the names; for the test that looks them up, as in the other entries.
    since: Option<String>,
    /// First Python version that lacks a name.
    until: Option<String>,
}

/// One element of `unless`: what holds besides where the argument `given` is not given, or is `None`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct UnlessEntry {
    given: String,
    #[serde(default)]
    flows: Vec<String>,
    #[serde(default)]
    calls: Vec<String>,
    #[serde(default)]
    hooks: Vec<String>,
}

/// `copies`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CopiesEntry {
    from: String,
    deep: bool,
}

/// One element of `narrow`; exactly one of `has` and `lacks` is given.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct NarrowEntry {
    by: String,
    default: String,
    has: Option<String>,
    lacks: Option<String>,
    result: String,
}

/// `[[operator]]`: `self` is the left operand, `arg0` the right one, `arg1` the value that `[]=` stores.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OperatorEntry {
    operators: Vec<String>,
    left: Vec<String>,
    #[serde(default)]
    right: Vec<String>,
    #[serde(default)]
    flows: Vec<String>,
    #[serde(default)]
    calls: Vec<String>,
    #[serde(default)]
    result: String,
    #[serde(default)]
    resizes: Vec<String>,
    #[serde(default)]
    shuffles: Vec<String>,
    #[serde(default)]
    aligned: bool,
    #[serde(default)]
    selects: String,
    #[serde(default = "yes")]
    raises: bool,
    #[serde(default)]
    hooks: Vec<String>,
    #[serde(default)]
    lazy: bool,
}

/// `[[class]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClassEntry {
    pub(super) names: Vec<String>,
    #[serde(default)]
    pub(super) bases: Vec<String>,
    layout: String,
    #[serde(default)]
    pub(super) immutable: bool,
    #[serde(default)]
    pub(super) family: bool,
    #[serde(default)]
    pub(super) any_of: Vec<String>,
    #[serde(default)]
    known_to: String,
    /// An expression for a class that no module has under its name; for the same test.
    found_by: Option<String>,
    since: Option<String>,
    until: Option<String>,
}

/// `[[constant]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ConstantEntry {
    pub(super) names: Vec<String>,
    class: String,
    #[serde(default)]
    shows: String,
    since: Option<String>,
    until: Option<String>,
}

/// `[[alias]]`: everything named `from…` is meant by `to…`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AliasEntry {
    pub(super) from: String,
    pub(super) to: String,
}

/// `[[operation]]`: operations that are not modelled, for the presets.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OperationEntry {
    pub(super) names: Vec<String>,
    effects: Vec<String>,
    since: Option<String>,
    until: Option<String>,
}

fn yes() -> bool {
    true
}

impl FunctionEntry {
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether the entry means another result class for each of its names, so that each needs a model of its own.
    pub(super) fn is_generic(&self) -> bool {
        self.result.contains('@')
    }

    fn parts(&self) -> Result<Vec<(String, Fresh)>, String> {
        let parts = self.parts.iter();
        parts.map(|(attribute, class)| Ok((attribute.clone(), parse_fresh(class, None)?))).collect()
    }

    /// The typed entry for some of its names. `in_class`: whether they are members of a declared class.
    pub(super) fn model(&self, names: &[String], in_class: bool) -> Result<Model, String> {
        check_names(&self.names)?;
        check_versions(self.since.as_deref(), self.until.as_deref())?;
        let binding = parse_binding(self.binding.as_deref(), in_class)?;
        let own_class =
            names.first().and_then(|name| if in_class { Some(name.rsplit_once('.')?.0) } else { Some(name) });
        let mut model = Model {
            names: names.to_vec(),
            binding,
            parameters: self.parameters.as_deref().map(parse_parameters).transpose()?,
            flows: parse_all(&self.flows, parse_flow)?,
            calls: parse_all(&self.calls, parse_callback)?,
            result: parse_optional(&self.result, |text| parse_fresh(text, own_class))?,
            decides: parse_all(&self.decides, Port::parse)?,
            parts: self.parts()?,
            copies: self.copies.as_ref().map(CopiesEntry::copies).transpose()?,
            narrow: self.narrow.iter().map(NarrowEntry::narrowing).collect::<Result<_, _>>()?,
            or_none: self.or_none,
            or_subclass: self.or_subclass,
            resizes: parse_all(&self.resizes, Port::parse)?,
            shuffles: parse_all(&self.shuffles, Port::parse)?,
            aligned: self.aligned,
            selects: parse_optional(&self.selects, Port::parse)?,
            clears: parse_all(&self.clears, Port::parse)?,
            removes: self.removes,
            sends: parse_optional(&self.sends, Port::parse)?,
            effects: parse_all(&self.effects, parse_effect)?,
            supplements: Vec::new(),
            raises: self.raises,
            hooks: parse_all(&self.hooks, parse_hook)?,
            lazy: self.lazy,
        };
        resolve_bases(&mut model)?;
        check_flows(model)
    }

    /// What the entry says besides where some argument is not given: the argument, and a model of its own.
    pub(super) fn supplements(&self, main: &Model) -> Result<Vec<(Base, Model)>, String> {
        self.unless.iter().map(|entry| entry.supplement(main)).collect()
    }
}

impl UnlessEntry {
    fn supplement(&self, main: &Model) -> Result<(Base, Model), String> {
        let mut given = Port::parse(&self.given)?.base;
        if !matches!(given, Base::Argument(_) | Base::Keyword(_)) {
            return Err(format!("`unless`: `{given}` is not an argument"));
        }
        resolve_base(&mut given, main.parameters.as_ref(), false)?;
        let mut model = Model {
            flows: parse_all(&self.flows, parse_flow)?,
            calls: parse_all(&self.calls, parse_callback)?,
            hooks: parse_all(&self.hooks, parse_hook)?,
            decides: Vec::new(),
            resizes: Vec::new(),
            clears: Vec::new(),
            effects: Vec::new(),
            ..main.clone()
        };
        resolve_bases(&mut model)?;
        Ok((given, check_flows(model)?))
    }
}

/// Only what a lazy function gave can be read by it.
fn check_flows(model: Model) -> Result<Model, String> {
    match model.flows.iter().find(|flow| flow.from.base == Base::Result) {
        Some(flow) if !model.lazy => Err(format!("`{flow}`: only what a lazy result holds can flow from it")),
        _ => Ok(model),
    }
}

impl CopiesEntry {
    fn copies(&self) -> Result<Copies, String> {
        Ok(Copies { from: Port::parse(&self.from)?, deep: self.deep })
    }
}

impl NarrowEntry {
    fn narrowing(&self) -> Result<Narrowing, String> {
        let (part, has) = match (&self.has, &self.lacks) {
            (Some(part), None) => (part, true),
            (None, Some(part)) => (part, false),
            _ => return Err("`narrow` needs either `has` or `lacks`".to_owned()),
        };
        let by = Port::parse(&self.by)?.base;
        if !matches!(by, Base::Argument(_) | Base::Keyword(_)) {
            return Err(format!("`narrow`: `{by}` is not an argument"));
        }
        let result = parse_fresh(&self.result, None)?;
        Ok(Narrowing { by, default: self.default.clone(), part: part.clone(), has, result })
    }
}

impl OperatorEntry {
    pub(super) fn label(&self) -> String {
        let operators = self.operators.join(" ");
        format!("operator {operators} ({}; {})", self.left.join(", "), self.right.join(", "))
    }

    pub(super) fn operators(&self) -> &[String] {
        &self.operators
    }

    pub(super) fn left(&self) -> &[String] {
        &self.left
    }

    pub(super) fn right(&self) -> &[String] {
        &self.right
    }

    pub(super) fn model(&self) -> Result<Model, String> {
        for operator in &self.operators {
            let arity = operator_arity(operator).ok_or_else(|| format!("`{operator}` is not an operator"))?;
            if (arity == 1) != self.right.is_empty() {
                return Err(format!("`{operator}` has {arity} operands"));
            }
        }
        if self.operators.is_empty() || self.left.is_empty() {
            return Err("no operator or no left operand".to_owned());
        }
        let names: &[&str] = if self.operators.iter().any(|operator| operator == "[]=") {
            &["key", "value", "/"]
        } else if self.right.is_empty() {
            &[]
        } else {
            &["other", "/"]
        };
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        let mut model = Model {
            names: vec![self.label()],
            binding: Binding::Instance,
            parameters: Some(parse_parameters(&names)?),
            flows: parse_all(&self.flows, parse_flow)?,
            calls: parse_all(&self.calls, parse_callback)?,
            result: parse_optional(&self.result, |text| parse_fresh(text, None))?,
            decides: Vec::new(),
            parts: Vec::new(),
            copies: None,
            narrow: Vec::new(),
            or_none: false,
            or_subclass: false,
            resizes: parse_all(&self.resizes, Port::parse)?,
            shuffles: parse_all(&self.shuffles, Port::parse)?,
            aligned: self.aligned,
            selects: parse_optional(&self.selects, Port::parse)?,
            clears: Vec::new(),
            removes: false,
            sends: None,
            effects: Vec::new(),
            supplements: Vec::new(),
            raises: self.raises,
            hooks: parse_all(&self.hooks, parse_hook)?,
            lazy: self.lazy,
        };
        resolve_bases(&mut model)?;
        Ok(model)
    }
}

/// The number of operands of an operator of the notation; `None` for text that is none. A subscript has two, the value
/// that `[]=` stores not counted.
fn operator_arity(operator: &str) -> Option<usize> {
    special_method(operator)?;
    Some(if operator.starts_with("unary") { 1 } else { 2 })
}

impl ClassEntry {
    pub(super) fn known_to(&self) -> Result<Option<Base>, String> {
        Ok(parse_optional(&self.known_to, Port::parse)?.map(|port| port.base))
    }

    pub(super) fn layout(&self) -> Result<Layout, String> {
        check_names(&self.names)?;
        check_versions(self.since.as_deref(), self.until.as_deref())?;
        if !self.family && !self.any_of.is_empty() {
            return Err("`any_of` belongs to a family".to_owned());
        }
        if self.found_by.is_some() && (self.family || self.names.len() != 1) {
            return Err("`found_by` belongs to a single class of the interpreter".to_owned());
        }
        Layout::ALL
            .into_iter()
            .find(|layout| layout.name() == self.layout)
            .ok_or_else(|| format!("`{}` is not a layout", self.layout))
    }
}

impl ConstantEntry {
    pub(super) fn constant(&self) -> Result<Constant, String> {
        check_names(&self.names)?;
        check_versions(self.since.as_deref(), self.until.as_deref())?;
        let shows = parse_optional(&self.shows, Port::parse)?.map(|port| port.base);
        if shows.as_ref().is_some_and(|base| !matches!(base, Base::World(_))) {
            return Err(format!("`{}` is not a world", self.shows));
        }
        Ok(Constant { class: parse_fresh(&self.class, None)?, shows })
    }
}

impl OperationEntry {
    pub(super) fn effects(&self) -> Result<Vec<Effect>, String> {
        check_names(&self.names)?;
        check_versions(self.since.as_deref(), self.until.as_deref())?;
        parse_all(&self.effects, parse_effect)
    }
}

fn check_names(names: &[String]) -> Result<(), String> {
    if names.is_empty() {
        return Err("no names".to_owned());
    }
    match names.iter().find(|name| !is_dotted_name(name)) {
        Some(name) => Err(format!("`{name}` is not a dotted name")),
        None => Ok(()),
    }
}

/// Versions are `3.x`; anything else would silently never match.
fn check_versions(since: Option<&str>, until: Option<&str>) -> Result<(), String> {
    for version in [since, until].into_iter().flatten() {
        let minor = version.strip_prefix("3.").and_then(|minor| minor.parse::<u8>().ok());
        if minor.is_none() {
            return Err(format!("`{version}` is not a Python version such as `3.12`"));
        }
    }
    Ok(())
}

fn parse_binding(text: Option<&str>, in_class: bool) -> Result<Binding, String> {
    match (text, in_class) {
        (None, false) => Ok(Binding::Function),
        (None, true) => Ok(Binding::Instance),
        (Some("class"), true) => Ok(Binding::Class),
        (Some("static"), true) => Ok(Binding::Static),
        (Some("property"), true) => Ok(Binding::Property),
        (Some(other), true) => Err(format!("`{other}` is not a binding")),
        (Some(other), false) => Err(format!("binding `{other}` of a name that is no member of a declared class")),
    }
}

fn parse_effect(text: &str) -> Result<Effect, String> {
    Effect::ALL.into_iter().find(|effect| effect.name() == text).ok_or_else(|| format!("`{text}` is not an effect"))
}

fn parse_all<T>(texts: &[String], parse: impl Fn(&str) -> Result<T, String>) -> Result<Vec<T>, String> {
    texts.iter().map(|text| parse(text)).collect()
}

fn parse_optional<T>(text: &str, parse: impl Fn(&str) -> Result<T, String>) -> Result<Option<T>, String> {
    if text.is_empty() { Ok(None) } else { parse(text).map(Some) }
}

/// Replaces `arg:name` by its position where it has one, and refuses ports that no call of the function could fill.
fn resolve_bases(model: &mut Model) -> Result<(), String> {
    let parameters = model.parameters.clone();
    let receiver = matches!(model.binding, Binding::Instance | Binding::Class | Binding::Property);
    let resolve = |port: &mut Port| resolve_base(&mut port.base, parameters.as_ref(), receiver);
    for Flow { from, to, .. } in &mut model.flows {
        resolve(from)?;
        resolve(to)?;
    }
    for Callback { callee, arguments, result } in &mut model.calls {
        resolve(callee)?;
        ports_of_call(arguments, result).try_for_each(resolve)?;
    }
    for Hook { target, arguments, result, .. } in &mut model.hooks {
        resolve(target)?;
        ports_of_call(arguments, result).try_for_each(resolve)?;
    }
    for narrowing in &mut model.narrow {
        resolve_base(&mut narrowing.by, parameters.as_ref(), receiver)?;
    }
    if let Some(copies) = &mut model.copies {
        resolve(&mut copies.from)?;
    }
    let lists = [&mut model.resizes, &mut model.shuffles, &mut model.clears, &mut model.decides];
    lists.into_iter().flatten().chain(&mut model.selects).chain(&mut model.sends).try_for_each(resolve)
}

/// Every port in the arguments and the destination of a call.
fn ports_of_call<'a>(
    arguments: &'a mut [CallbackArgument],
    result: &'a mut Option<Destination>,
) -> impl Iterator<Item = &'a mut Port> {
    let handed = arguments.iter_mut().filter_map(|argument| match argument {
        CallbackArgument::At(port)
        | CallbackArgument::Spread(port)
        | CallbackArgument::Keywords(port)
        | CallbackArgument::Computed(port) => Some(port),
        CallbackArgument::Fresh => None,
    });
    handed.chain(result.iter_mut().map(|(_, port)| port))
}

fn resolve_base(base: &mut Base, parameters: Option<&Parameters>, receiver: bool) -> Result<(), String> {
    let known = match (&*base, parameters) {
        (Base::Receiver, _) => receiver,
        (Base::Keyword(name), Some(parameters)) => {
            if let Some(position) = parameters.positional.iter().position(|other| other == name) {
                *base = Base::Argument(position);
                return Ok(());
            }
            parameters.keyword_only.contains(name)
        }
        (Base::Argument(position) | Base::ArgumentsFrom(position), Some(parameters)) => {
            parameters.rest || *position < parameters.positional.len()
        }
        (Base::ExtraKeywords, Some(parameters)) => parameters.extra,
        (Base::Keyword(_) | Base::ExtraKeywords, None) => false,
        _ => true,
    };
    if known { Ok(()) } else { Err(format!("the function has no `{base}`")) }
}
