//! What instructions may raise, as far as the classes of their operands say: then they go to no handler, or to known ones.
//!
//! Classes hold for healed values too (A6). That memory, time or the stack runs out is left out of account, as everywhere.

#![allow(clippy::iter_over_hash_type, reason = "what is gathered goes into sets, or only its agreement counts")]

use std::collections::BTreeSet;

use healguard_rules::schema::{Func, Obj, Var, is_constant};

use crate::bodies::Placed;
use crate::ir::{Argument, Callee, Element, Kind, Layout, Name, NodeId, Passing, Slot, Test};
use crate::world::Entity;

use super::Engine;
use super::decided::MAX_STEPS;
use super::known::Known;

/// Classes of exceptions; `None`: any.
type Raised = Option<BTreeSet<Obj>>;

/// Classes whose objects have a truth, a text and an order of their own.
const SCALARS: [&str; 6] =
    ["builtins.NoneType", "builtins.bool", "builtins.bytes", "builtins.float", "builtins.int", "builtins.str"];
const INTEGERS: [&str; 2] = ["builtins.bool", "builtins.int"];
const NUMBERS: [&str; 3] = ["builtins.bool", "builtins.float", "builtins.int"];
/// Exceptions whose constructors take anything.
const PLAIN_EXCEPTIONS: [&str; 16] = [
    "builtins.ArithmeticError",
    "builtins.AssertionError",
    "builtins.AttributeError",
    "builtins.BaseException",
    "builtins.Exception",
    "builtins.IndexError",
    "builtins.KeyError",
    "builtins.LookupError",
    "builtins.NotImplementedError",
    "builtins.OverflowError",
    "builtins.RuntimeError",
    "builtins.StopIteration",
    "builtins.SystemExit",
    "builtins.TypeError",
    "builtins.ValueError",
    "builtins.ZeroDivisionError",
];
/// Methods of texts that take no arguments and always answer.
const TEXT_METHODS: [&str; 13] = [
    "capitalize",
    "casefold",
    "isalpha",
    "isdigit",
    "islower",
    "isspace",
    "isupper",
    "lower",
    "lstrip",
    "rstrip",
    "strip",
    "title",
    "upper",
];
/// Bodies that an instruction may enter before nobody looks any further.
const MAX_DEPTH: usize = 6;

fn nothing() -> Raised {
    Some(BTreeSet::new())
}

impl Engine<'_, '_> {
    /// The classes of the exceptions that an instruction may raise.
    pub(super) fn raised(&mut self, known: &Known<'_>, body: &Placed, node: NodeId, depth: usize) -> Raised {
        let kind = &body.ssa.body.nodes[node].kind;
        match kind {
            _ if known.is_awaited(body, node) => nothing(),
            Kind::Operate { operator, left, right: Some(right), .. } => {
                self.raised_by_operator(known, body, operator, [*left, *right])
            }
            Kind::Operate { operator, left, right: None, .. } => {
                let allowed: &[&str] = match *operator {
                    "not" => return self.raised_by_truth(known, body, *left),
                    "~" => &INTEGERS,
                    "unary +" | "unary -" => &NUMBERS,
                    _ => return None,
                };
                self.all_of(known, body.var(*left), allowed).then(BTreeSet::new)
            }
            Kind::Branch { condition } => self.raised_by_truth(known, body, *condition),
            Kind::Test { test, operands } => self.raised_by_test(known, body, *test, operands),
            Kind::Position { class, .. } => {
                let class = known.only(body.var(*class))?;
                self.matches_itself(*class).then(BTreeSet::new)
            }
            Kind::Text { parts, formats: false, .. } => {
                parts.iter().all(|part| self.has_text(known, body.var(*part))).then(BTreeSet::new)
            }
            Kind::Build { layout, elements, .. } => self.raised_by_display(known, body, *layout, elements),
            Kind::Bound { .. } => (!body.ssa.is_unbound_read(node)).then(BTreeSet::new),
            Kind::Iterate { src: sequence, .. } | Kind::Next { iterator: sequence, .. } => {
                let quiet = ["builtins.list", "builtins.tuple", "builtins.str", "builtins.range"];
                self.all_of(known, body.var(*sequence), &quiet).then(BTreeSet::new)
            }
            Kind::LoadGlobal { .. } | Kind::LoadCell { .. } => self.named(&["builtins.NameError"]),
            Kind::LoadItem { base, key, .. } => self.raised_by_item(known, body, *base, *key),
            Kind::StoreItem { base, key, .. } => {
                let raised = self.raised_by_item(known, body, *base, *key)?;
                if self.all_of(known, body.var(*base), &["builtins.dict"]) { nothing() } else { Some(raised) }
            }
            Kind::Raise { asserts: true, .. } => self.named(&["builtins.AssertionError"]),
            Kind::Raise { operands, .. } => self.raised_by_raise(known, body, node, operands, depth),
            Kind::Call { callee, arguments, .. } => self.raised_by_call(known, body, node, callee, arguments, depth),
            kind if !crate::frontend::may_raise(kind) => nothing(),
            _ => None,
        }
    }

    /// The classes of the exceptions that come to where `slot` is the exception that was caught.
    pub(super) fn raised_into(&mut self, known: &Known<'_>, body: &Placed, slot: Slot, depth: usize) -> Raised {
        let nodes = &body.ssa.body.nodes;
        let caught = body.ssa.definition(slot)?;
        if !matches!(nodes[caught].kind, Kind::Caught { .. }) || depth == 0 {
            return None;
        }
        let leads_here = |join: &NodeId| matches!(nodes[*join].kind, Kind::Join) && nodes[*join].successors == [caught];
        let from: Vec<NodeId> = (0..nodes.len())
            .filter(|node| body.ssa.reachable[*node] && nodes[*node].handlers.iter().any(leads_here))
            .collect();
        let is_entered_otherwise = nodes.iter().enumerate().any(|(id, node)| {
            body.ssa.reachable[id]
                && !leads_here(&id)
                && node.successors.iter().any(|to| *to == caught || leads_here(to))
        });
        if is_entered_otherwise {
            return None;
        }
        self.union(known, body, &from, depth - 1)
    }

    fn union(&mut self, known: &Known<'_>, body: &Placed, nodes: &[NodeId], depth: usize) -> Raised {
        let mut all = BTreeSet::new();
        for node in nodes {
            all.extend(self.raised(known, body, *node, depth)?);
        }
        Some(all)
    }

    fn named(&mut self, names: &[&str]) -> Raised {
        Some(names.iter().map(|name| self.world.library(name)).collect())
    }

    /// Whether a variable holds objects of these classes of the library alone.
    pub(super) fn all_of(&self, known: &Known<'_>, var: Var, names: &[&str]) -> bool {
        let Some(objects) = known.values.get(&var).filter(|objects| !objects.is_empty()) else { return false };
        objects.iter().all(|object| {
            let classes = known.classes.get(object).filter(|classes| !classes.is_empty());
            classes.is_some_and(|classes| {
                classes.iter().all(|class| match self.world.entity(*class) {
                    Some(Entity::Library(name)) => {
                        let is_integer = INTEGERS.contains(&&**name);
                        names.contains(&&**name) && (is_integer || self.is_exact(*object, *class))
                    }
                    _ => false,
                })
            })
        })
    }

    /// Whether turning a value into a text cannot fail: an integer that was computed may have too many digits.
    fn has_text(&self, known: &Known<'_>, var: Var) -> bool {
        let is_told = |object: &Obj| is_constant(*object) && Some(*object) != self.world.known_some_text();
        self.all_of(known, var, &["builtins.str", "builtins.float", "builtins.NoneType"])
            || self.all_of(known, var, &SCALARS)
                && known.values.get(&var).is_some_and(|objects| objects.iter().all(is_told))
    }

    fn raised_by_truth(&self, known: &Known<'_>, body: &Placed, slot: Slot) -> Raised {
        let containers = ["builtins.list", "builtins.tuple", "builtins.dict", "builtins.set", "builtins.frozenset"];
        let allowed: Vec<&str> = SCALARS.into_iter().chain(containers).collect();
        self.all_of(known, body.var(slot), &allowed).then(BTreeSet::new)
    }

    fn raised_by_operator(&mut self, known: &Known<'_>, body: &Placed, operator: &str, operands: [Slot; 2]) -> Raised {
        let vars = operands.map(|slot| body.var(slot));
        let both = |engine: &Self, names: &[&str]| vars.iter().all(|var| engine.all_of(known, *var, names));
        let symbol =
            if matches!(operator, "==" | "<=" | ">=" | "!=") { operator } else { operator.trim_end_matches('=') };
        let text: &[&str] = &["builtins.str"];
        let never = match symbol {
            "is" | "is not" => true,
            "==" | "!=" => both(self, &SCALARS),
            "<" | "<=" | ">" | ">=" => both(self, &NUMBERS) || both(self, text),
            "in" | "not in" => both(self, text),
            "+" => {
                let alike = ["builtins.float", "builtins.str", "builtins.bytes", "builtins.list", "builtins.tuple"];
                both(self, &INTEGERS) || alike.iter().any(|name| both(self, &[name]))
            }
            "-" | "*" => both(self, &INTEGERS) || both(self, &["builtins.float"]),
            "&" | "|" | "^" => both(self, &INTEGERS),
            _ => false,
        };
        if never {
            return nothing();
        }
        match symbol {
            "//" | "%" if both(self, &INTEGERS) || both(self, &["builtins.float"]) => {
                self.named(&["builtins.ZeroDivisionError"])
            }
            "/" if both(self, &NUMBERS) => self.named(&["builtins.ZeroDivisionError", "builtins.OverflowError"]),
            _ => None,
        }
    }

    fn raised_by_test(&mut self, known: &Known<'_>, body: &Placed, test: Test, operands: &[Slot]) -> Raised {
        let is_quiet = match (test, operands) {
            (Test::Handles, [_, class]) => {
                let classes = known.values.get(&body.var(*class))?;
                !classes.is_empty() && classes.iter().all(|class| self.world.is_class(*class))
            }
            (Test::Instance, [_, class]) => {
                let classes = known.values.get(&body.var(*class))?;
                let is_plain = |class: &Obj| {
                    self.world.is_class(*class) && self.has_plain_metaclass(&known.values, *class, MAX_STEPS)
                };
                !classes.is_empty() && classes.iter().all(is_plain)
            }
            (Test::Sequence | Test::Mapping, [subject]) => self.raised_by_truth(known, body, *subject).is_some(),
            _ => false,
        };
        is_quiet.then(BTreeSet::new)
    }

    fn raised_by_display(&self, known: &Known<'_>, body: &Placed, layout: Layout, elements: &[Element]) -> Raised {
        let is_hashed = |slot: &Slot| self.all_of(known, body.var(*slot), &SCALARS);
        let is_quiet = elements.iter().all(|element| match (layout, element) {
            (Layout::List | Layout::Tuple, Element::Item(_)) => true,
            (Layout::Set, Element::Item(key)) | (Layout::Dict, Element::Pair(key, _)) => is_hashed(key),
            _ => false,
        });
        is_quiet.then(BTreeSet::new)
    }

    /// Looking for an item. Keys of other classes may compare themselves in ways of their own.
    fn raised_by_item(&mut self, known: &Known<'_>, body: &Placed, base: Slot, key: Slot) -> Raised {
        let (base, key) = (body.var(base), body.var(key));
        let has_plain_keys = known.values.get(&base)?.iter().all(|object| !known.object_keys.contains(object));
        if self.all_of(known, base, &["builtins.dict"]) && self.all_of(known, key, &SCALARS) && has_plain_keys {
            return self.named(&["builtins.KeyError"]);
        }
        let sequences = ["builtins.list", "builtins.tuple", "builtins.str", "builtins.bytes"];
        if self.all_of(known, base, &sequences) && self.all_of(known, key, &INTEGERS) {
            return self.named(&["builtins.IndexError"]);
        }
        None
    }

    fn raised_by_raise(
        &mut self,
        known: &Known<'_>,
        body: &Placed,
        node: NodeId,
        operands: &[Slot],
        depth: usize,
    ) -> Raised {
        let [exception, causes @ ..] = operands else { return None };
        if known.definition(body, *exception).is_some_and(|kind| matches!(kind, Kind::Caught { .. }))
            && causes.is_empty()
        {
            return self.raised_into(known, body, *exception, depth);
        }
        let base = self.world.library("builtins.BaseException");
        let mut all = BTreeSet::new();
        for object in known.values.get(&body.var(*exception))?.clone() {
            let class = if self.world.is_class(object) { object } else { self.made_of(known, object)? };
            let bases = self.class_bases.clone();
            if !self.world.resolution_order(class, &bases).contains(&base) {
                return None;
            }
            all.insert(class);
        }
        // `raise Class` calls it.
        let point = body.point(node);
        for func in known.calls.get(&point).cloned().unwrap_or_default() {
            all.extend(self.raised_in(known, func, depth)?);
        }
        (!all.is_empty()).then_some(all)
    }

    /// The class that an object is of and no class below: one of the program, or the one whose call made it.
    fn made_of(&self, known: &Known<'_>, object: Obj) -> Option<Obj> {
        let [class] = known.classes.get(&object)?.as_slice() else { return None };
        if !matches!(self.world.entity(*class)?, Entity::Library(_)) {
            return self.is_told(*class).then_some(*class);
        }
        if object.is_table() {
            return Some(*class);
        }
        let point = object.point().filter(|_| object.is_allocated())?;
        let (body, node) = known.at(point)?;
        let Kind::Call { callee: Callee::Value(called), .. } = &body.ssa.body.nodes[node].kind else { return None };
        (known.only(body.var(*called)) == Some(class)).then_some(*class)
    }

    /// What may leave a body.
    fn raised_in(&mut self, known: &Known<'_>, func: Func, depth: usize) -> Raised {
        if depth == 0 {
            return None;
        }
        let Some(body) = known.body(func) else { return known.waits.then(BTreeSet::new) };
        if body.ssa.body.is_deferred() {
            return nothing();
        }
        let nodes: Vec<NodeId> = (0..body.ssa.body.nodes.len()).filter(|node| body.ssa.reachable[*node]).collect();
        self.union(known, body, &nodes, depth - 1)
    }

    fn raised_by_call(
        &mut self,
        known: &Known<'_>,
        body: &Placed,
        node: NodeId,
        callee: &Callee,
        arguments: &[Argument],
        depth: usize,
    ) -> Raised {
        let point = body.point(node);
        let positions: Option<Vec<Var>> = arguments
            .iter()
            .map(|argument| matches!(argument.passing, Passing::Position(_)).then(|| body.var(argument.value)))
            .collect();
        if !known.is_user_call(point) {
            return match (callee, positions?.as_slice()) {
                (Callee::Value(called), positions) => {
                    let Some(Entity::Library(name)) = self.world.entity(*known.only(body.var(*called))?) else {
                        return None;
                    };
                    let name = name.clone();
                    self.raised_by_library(known, &name, positions)
                }
                (Callee::Method(base, name), positions) => {
                    self.is_quiet_method(known, body.var(*base), name, positions).then(BTreeSet::new)
                }
                (Callee::Special(..), _) => None,
            };
        }
        // Arguments that do not fit, and a stack that is too deep.
        let mut all = self.named(&["builtins.TypeError", "builtins.RecursionError"])?;
        if matches!(callee, Callee::Method(..)) {
            all.extend(self.named(&["builtins.AttributeError"])?);
        }
        for func in known.calls.get(&point).cloned().unwrap_or_default() {
            all.extend(self.raised_in(known, func, depth)?);
        }
        Some(all)
    }

    fn raised_by_library(&mut self, known: &Known<'_>, name: &Name, arguments: &[Var]) -> Raised {
        let text: &[&str] = &["builtins.str"];
        let is_quiet = match (&**name, arguments) {
            (name, _) if PLAIN_EXCEPTIONS.contains(&name) => true,
            ("builtins.type" | "builtins.id" | "builtins.callable", [_]) => true,
            ("builtins.len", [of]) => {
                let containers = ["builtins.list", "builtins.tuple", "builtins.dict", "builtins.set", "builtins.str"];
                self.all_of(known, *of, &containers)
            }
            ("builtins.str" | "builtins.repr", [of]) => self.has_text(known, *of),
            ("builtins.bool", [of]) => self.all_of(known, *of, &SCALARS),
            ("builtins.int", [of]) if self.all_of(known, *of, text) => return self.named(&["builtins.ValueError"]),
            ("builtins.float", [of]) if self.all_of(known, *of, text) => return self.named(&["builtins.ValueError"]),
            ("builtins.int", [of]) => self.all_of(known, *of, &INTEGERS),
            ("builtins.abs", [of]) => self.all_of(known, *of, &NUMBERS),
            ("builtins.min" | "builtins.max", [_, _, ..]) => {
                arguments.iter().all(|argument| self.all_of(known, *argument, &NUMBERS))
            }
            ("builtins.range", [_] | [_, _]) => {
                arguments.iter().all(|argument| self.all_of(known, *argument, &INTEGERS))
            }
            _ => false,
        };
        is_quiet.then(BTreeSet::new)
    }

    /// Whether a method of a built-in class cannot fail.
    fn is_quiet_method(&self, known: &Known<'_>, base: Var, name: &str, arguments: &[Var]) -> bool {
        match (name, arguments) {
            ("add_note", [note]) => {
                let made =
                    known.values.get(&base).into_iter().flatten().all(|object| self.made_of(known, *object).is_some());
                made && self.all_of(known, *note, &["builtins.str"])
            }
            ("append", [_]) => self.all_of(known, base, &["builtins.list"]),
            ("keys" | "values" | "items", []) => self.all_of(known, base, &["builtins.dict"]),
            ("copy" | "clear", []) => self.all_of(known, base, &["builtins.list", "builtins.dict", "builtins.set"]),
            (name, []) if TEXT_METHODS.contains(&name) => self.all_of(known, base, &["builtins.str"]),
            _ => false,
        }
    }

    /// Whether it is not the operands of a call that decide whether it raises, but what it enters.
    pub(super) fn is_steady(&self, known: &Known<'_>, body: &Placed, node: NodeId) -> bool {
        let point = body.point(node);
        let (callee, arguments) = match &body.ssa.body.nodes[node].kind {
            Kind::Call { callee, arguments, .. } => (callee, arguments),
            // What is stored says nothing about whether it can be.
            Kind::StoreAttribute { base, .. } => {
                let classes = known.values.get(&body.var(*base)).into_iter().flatten();
                let mut classes = classes.map(|object| known.classes.get(object).filter(|classes| !classes.is_empty()));
                let is_own = |class: &Obj| {
                    self.is_told(*class) && !matches!(self.world.entity(*class), Some(Entity::Library(_)))
                };
                return !known.is_foreign(point)
                    && classes.all(|classes| classes.is_some_and(|classes| classes.iter().all(is_own)));
            }
            _ => return false,
        };
        let is_plain = |argument: &Argument| matches!(argument.passing, Passing::Position(_) | Passing::Keyword(_));
        if !known.is_user_call(point) || !arguments.iter().all(is_plain) {
            return false;
        }
        let mut entered = known.calls.get(&point).into_iter().flatten();
        let (Some(func), None) = (entered.next(), entered.next()) else { return false };
        let has_one_target = match callee {
            Callee::Value(called) => known.only(body.var(*called)).is_some(),
            Callee::Method(base, _) => {
                let objects = known.values.get(&body.var(*base));
                let classes = objects.into_iter().flatten().map(|object| known.classes.get(object));
                let classes: Option<BTreeSet<&Vec<Obj>>> = classes.collect();
                classes.is_some_and(|classes| classes.len() == 1 && classes.iter().all(|of| of.len() == 1))
            }
            Callee::Special(..) => false,
        };
        has_one_target && !known.leads_to(*func, body.func)
    }

    /// Whether an `except` clause catches whatever comes to it: always, never, or perhaps.
    pub(super) fn handles(&mut self, known: &Known<'_>, body: &Placed, exception: Slot, classes: Slot) -> Option<bool> {
        let raised = self.raised_into(known, body, exception, MAX_DEPTH)?;
        let wanted = self.classes_in(known, body, classes, MAX_STEPS)?;
        let mut common = None;
        for class in raised {
            let bases = self.class_bases.clone();
            let order = self.world.resolution_order(class, &bases);
            let catches = order.iter().any(|above| wanted.contains(above));
            if common.is_some_and(|known| known != catches) {
                return None;
            }
            common = Some(catches);
        }
        common
    }

    /// The classes that an `except` clause names.
    fn classes_in(&self, known: &Known<'_>, body: &Placed, slot: Slot, steps: usize) -> Option<BTreeSet<Obj>> {
        if let Some(class) = known.only(body.var(slot))
            && self.world.is_class(*class)
        {
            return Some(BTreeSet::from([*class]));
        }
        let Kind::Build { layout: Layout::Tuple, elements, .. } = known.definition(body, slot)? else { return None };
        let mut all = BTreeSet::new();
        for element in elements {
            let Element::Item(item) = element else { return None };
            all.extend(self.classes_in(known, body, *item, steps.checked_sub(1)?)?);
        }
        Some(all)
    }
}
