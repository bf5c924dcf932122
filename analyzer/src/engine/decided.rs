//! Branches that go one way only: a condition that is always true, or always false.
//!
//! Healed values are only known by their classes here: other healings give other values of the same classes, and no other
//! live objects (A6). So what a condition says about classes or `None` holds for healed values too, and nothing else does.
//!
//! Each body begins with all edges left out that may turn out to be never taken, and those come back that what is known so far
//! does not show to be dead: values only ever become more, so that an edge that is back stays. What is left in the end is the
//! least part of the program that no execution leaves: the first one to take an edge that is not there would, up to there, be one
//! that the solution covers. (Conditional constant propagation, Wegman and Zadeck 1991, over sets of objects.)
//!
//! What healed state does not arrive in is known only when the third layer has run. Until then it is supposed to arrive nowhere but
//! in what the healing writes; then the edges that were left out on that ground come back.

#![allow(
    clippy::iter_over_hash_type,
    reason = "what is gathered goes into sets and maps, or is sorted before it is used"
)]

use std::collections::BTreeSet;

use healguard_rules::schema::{Obj, Var, is_constant};
use healguard_rules::{points_to, taint};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::bodies::{DeadEdges, Placed};
use crate::ir::{Callee, Constant, Element, Kind, Layout, Name, NodeId, Passing, Slot, Test};
use crate::solve::{PointsTo, Taint};
use crate::world::Entity;

use super::known::Known;
use super::{Engine, constants};

/// How an edge is judged that waits for values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Patience {
    /// It is left out: they may still come.
    Waits,
    /// They do not come any more as things are: the first of a body comes back.
    Stuck,
    /// Every edge comes back that is not known to be dead.
    None,
    /// So does every edge of a branch.
    Spent,
}

/// What is known of an edge that is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Dead,
    Open,
    /// Nothing is known yet of what decides it.
    Waits,
}

/// Classes of the library of which displays and library functions make objects as they are. An `int` may be a `bool`.
const PLAIN: [&str; 8] = [
    "builtins.str",
    "builtins.bytes",
    "builtins.float",
    "builtins.list",
    "builtins.tuple",
    "builtins.dict",
    "builtins.set",
    "builtins.frozenset",
];
/// Classes of the library that nothing can be derived from.
const FINAL: [&str; 2] = ["builtins.bool", "builtins.NoneType"];
/// Built-in classes whose objects match no pattern of a sequence.
const NO_SEQUENCE: [&str; 10] = [
    "builtins.NoneType",
    "builtins.bool",
    "builtins.bytes",
    "builtins.complex",
    "builtins.dict",
    "builtins.float",
    "builtins.frozenset",
    "builtins.int",
    "builtins.set",
    "builtins.str",
];
/// Built-in classes whose objects match no pattern of a mapping.
const NO_MAPPING: [&str; 11] = [
    "builtins.NoneType",
    "builtins.bool",
    "builtins.bytes",
    "builtins.complex",
    "builtins.float",
    "builtins.frozenset",
    "builtins.int",
    "builtins.list",
    "builtins.set",
    "builtins.str",
    "builtins.tuple",
];
/// Attributes of functions that change what a call of them does.
pub(super) const ALTERING: [&str; 3] = ["__defaults__", "__kwdefaults__", "__code__"];
/// Steps from a condition back to what decides it.
pub(super) const MAX_STEPS: usize = 8;
/// Steps from a condition back to what it waits for.
const WAITING_STEPS: usize = 3;

impl Engine<'_, '_> {
    /// Tells which classes decide alone what their instances are.
    pub(super) fn tell_plain_checks(&mut self, solved: &PointsTo) {
        let asked: FxHashSet<Var> = self.facts.asks_class.iter().map(|taint::AsksClass(.., class)| *class).collect();
        if asked.is_empty() {
            return;
        }
        self.learned.read(solved, &self.facts, &self.bodies);
        let values = &self.learned.values;
        let held = asked.iter().filter_map(|var| values.get(var));
        let mut classes: Vec<Obj> = held.flatten().copied().collect();
        classes.sort_unstable();
        classes.dedup();
        classes.retain(|class| self.has_plain_metaclass(values, *class, MAX_STEPS));
        self.facts.plain_check.extend(classes.into_iter().map(taint::PlainCheck));
    }

    /// Lets edges come back that are not dead, as far as is known; says whether there were any. Without a result of the third layer,
    /// healed state is supposed to arrive nowhere.
    pub(super) fn revive(&mut self, solved: &PointsTo, tainted: Option<&Taint>, patience: Patience) -> bool {
        let (bodies, learned) = self.learn(solved);
        let mut known = Known::new(&bodies, &learned, self.world);
        known.waits = matches!(patience, Patience::Waits | Patience::Stuck);
        known.healed =
            tainted.into_iter().flat_map(|taint| &taint.tainted_var).map(|taint::TaintedVar(_, var)| *var).collect();
        let is_altered = self.alters_functions(&learned.values, solved);
        let mut revived: Vec<(usize, DeadEdges)> = Vec::new();
        for (at, body) in bodies.iter().enumerate() {
            let open = if is_altered { body.dead.clone() } else { self.open(&known, body, patience) };
            if !open.is_empty() {
                revived.push((at, body.dead.difference(&open).copied().collect()));
            }
        }
        (self.bodies, self.learned) = (bodies, learned);
        for (at, dead) in &revived {
            self.bodies.leave_out(*at, dead.clone());
            self.tell_new(*at);
        }
        !revived.is_empty()
    }

    /// The edges of a body that come back.
    fn open(&mut self, known: &Known<'_>, body: &Placed, patience: Patience) -> DeadEdges {
        let mut open = DeadEdges::new();
        let mut stuck: Option<NodeId> = None;
        for (from, to) in body.dead.iter().copied().filter(|(from, _)| body.ssa.reachable[*from]) {
            let is_branch = from != to;
            if !is_branch && known.waits && !body.ssa.has_handlers(from) {
                continue;
            }
            let is_open = match self.fate(known, body, (from, to)) {
                Fate::Dead => is_branch && patience == Patience::Spent,
                Fate::Open => true,
                Fate::Waits if patience == Patience::Stuck => !is_branch || *stuck.get_or_insert(from) == from,
                Fate::Waits => false,
            };
            if is_open {
                open.insert((from, to));
            }
        }
        open
    }

    fn fate(&mut self, known: &Known<'_>, body: &Placed, (from, to): (NodeId, NodeId)) -> Fate {
        let awaits = |slot: &Slot| known.waits && known.awaits(body, *slot, WAITING_STEPS);
        let truth = match &body.ssa.body.nodes[from].kind {
            _ if from == to && known.is_awaited(body, from) => return Fate::Waits,
            _ if from == to => {
                let is_silent = self.raised(known, body, from, 1).is_some_and(|raised| raised.is_empty());
                return if is_silent { Fate::Dead } else { Fate::Open };
            }
            Kind::Branch { condition } if awaits(condition) => return Fate::Waits,
            Kind::Branch { condition } => self.truth(known, body, *condition, MAX_STEPS),
            Kind::Test { operands, .. } if operands.iter().any(awaits) => return Fate::Waits,
            Kind::Test { test, operands } => self.passes(known, body, *test, operands),
            _ => None,
        };
        match (truth, body.ssa.fork(from)) {
            (Some(truth), [if_true, if_false]) if to == if truth { *if_false } else { *if_true } => Fate::Dead,
            _ => Fate::Open,
        }
    }

    /// Whether the program replaces built-in functions, or what belongs to a function: then names may mean something else.
    pub(super) fn alters_functions(&self, values: &FxHashMap<Var, FxHashSet<Obj>>, solved: &PointsTo) -> bool {
        let is_builtins = |object: &Obj| match self.world.entity(*object) {
            Some(Entity::Module(name) | Entity::Library(name)) => &**name == "builtins",
            _ => false,
        };
        let altering = ALTERING.map(|name| self.world.known_attribute(name));
        self.facts.stores_attribute.iter().any(|points_to::StoresAttribute(_, base, name, _)| {
            altering.contains(&Some(*name)) || values.get(base).is_some_and(|bases| bases.iter().any(is_builtins))
        }) || solved.dictionary_of.iter().any(|points_to::DictionaryOf(_, object)| is_builtins(object))
    }

    /// Whether the subject of a pattern passes a test, in every execution.
    fn passes(&mut self, known: &Known<'_>, body: &Placed, test: Test, operands: &[Slot]) -> Option<bool> {
        match (test, operands) {
            (Test::Handles, [exception, classes]) => self.handles(known, body, *exception, *classes),
            (Test::Instance, [subject, class]) => {
                self.is_instance(known, body.var(*subject), *known.only(body.var(*class))?)
            }
            (Test::Sequence, [subject]) => {
                let classes = self.exact_classes(known, body.var(*subject))?;
                classes.iter().all(|class| NO_SEQUENCE.contains(&class.as_ref())).then_some(false)
            }
            (Test::Mapping, [subject]) => {
                let classes = self.exact_classes(known, body.var(*subject))?;
                classes.iter().all(|class| NO_MAPPING.contains(&class.as_ref())).then_some(false)
            }
            _ => None,
        }
    }

    /// The truth of a condition in every execution.
    fn truth(&mut self, known: &Known<'_>, body: &Placed, condition: Slot, steps: usize) -> Option<bool> {
        let var = body.var(condition);
        if steps == 0 {
            return None;
        }
        let objects = known.values.get(&var)?;
        if let Some(truth) = self.common_truth(objects, known.is_healed(var)) {
            return Some(truth);
        }
        if let Some(value) = self.value(known, body, condition, steps) {
            return constants::truth(&value);
        }
        match known.definition(body, condition)? {
            Kind::Copy { src, .. } => self.truth(known, body, *src, steps - 1),
            Kind::Operate { operator: "not", left, .. } => {
                self.truth(known, body, *left, steps - 1).map(|truth| !truth)
            }
            Kind::Operate { operator, left, right: Some(right), .. } => {
                self.compare(known, body, operator, *left, *right)
            }
            Kind::Call { callee: Callee::Value(function), arguments, .. } => {
                let [object, class] = arguments.as_slice() else { return None };
                (*known.only(body.var(*function))? == known.isinstance)
                    .then(|| self.is_instance_of_any(known, body, object.value, class.value))?
            }
            _ => None,
        }
    }

    /// A comparison that the classes of its operands decide.
    fn compare(&mut self, known: &Known<'_>, body: &Placed, operator: &str, left: Slot, right: Slot) -> Option<bool> {
        let same = match operator {
            "is" | "is not" => self
                .is_none(known, body, left, right)
                .or_else(|| self.share_no_class(known, body, left, right).then_some(false))
                .or_else(|| self.are_one_class(known, body, left, right).then_some(true))
                .or_else(|| self.is_class_of(known, body, left, right))
                .or_else(|| self.is_class_of(known, body, right, left)),
            "==" | "!=" => self.have_other_classes(known, body, left, right).then_some(false),
            _ => None,
        }?;
        Some(same == matches!(operator, "is" | "=="))
    }

    /// Whether two values are of built-in classes whose objects are never equal.
    fn have_other_classes(&self, known: &Known<'_>, body: &Placed, left: Slot, right: Slot) -> bool {
        let kinds = |slot: Slot| -> Option<BTreeSet<&str>> {
            let classes = self.exact_classes(known, body.var(slot))?;
            classes.iter().map(|class| constants::kind_of_class(class)).collect()
        };
        match (kinds(left), kinds(right)) {
            (Some(left), Some(right)) => left.is_disjoint(&right),
            _ => false,
        }
    }

    /// Whether two values are the same class of the library, or of the snapshot.
    fn are_one_class(&self, known: &Known<'_>, body: &Placed, left: Slot, right: Slot) -> bool {
        match [left, right].map(|slot| known.only(body.var(slot))) {
            [Some(left), Some(right)] => {
                let is_single = matches!(self.world.entity(*left), Some(Entity::Library(_) | Entity::Snapshot(_)));
                left == right && is_single && self.world.is_class(*left)
            }
            _ => false,
        }
    }

    /// Whether two values are of different built-in classes: then they are not the same object.
    fn share_no_class(&self, known: &Known<'_>, body: &Placed, left: Slot, right: Slot) -> bool {
        let classes = [left, right].map(|slot| self.exact_classes(known, body.var(slot)));
        matches!(classes, [Some(left), Some(right)] if left.is_disjoint(&right))
    }

    /// The classes of the library that the objects of a variable are of, where they are of no class below.
    fn exact_classes(&self, known: &Known<'_>, var: Var) -> Option<BTreeSet<Name>> {
        let mut names = BTreeSet::new();
        for object in known.values.get(&var)? {
            for class in known.classes.get(object)? {
                let Some(Entity::Library(name)) = self.world.entity(*class) else { return None };
                let is_final = FINAL.contains(&name.as_ref()) || self.is_exact(*object, *class);
                if !is_final {
                    return None;
                }
                names.insert(name.clone());
            }
        }
        (!names.is_empty()).then_some(names)
    }

    /// `type(x) is C`.
    fn is_class_of(&self, known: &Known<'_>, body: &Placed, asked: Slot, class: Slot) -> Option<bool> {
        let Kind::Call { callee: Callee::Value(function), arguments, .. } = known.definition(body, asked)? else {
            return None;
        };
        let [object] = arguments.as_slice() else { return None };
        if *known.only(body.var(*function))? != known.type_class {
            return None;
        }
        let wanted = *known.only(body.var(class))?;
        if !self.world.is_class(wanted) || !self.is_told(wanted) {
            return None;
        }
        let mut common = None;
        for object in known.values.get(&body.var(object.value))? {
            for class in known.classes.get(object)? {
                if !self.is_told(*class) || !self.is_exact(*object, *class) {
                    return None;
                }
                let truth = *class == wanted;
                if common.is_some_and(|known| known != truth) {
                    return None;
                }
                common = Some(truth);
            }
        }
        common
    }

    /// The one value that a slot has in every execution.
    fn value(&self, known: &Known<'_>, body: &Placed, slot: Slot, steps: usize) -> Option<Constant> {
        let var = body.var(slot);
        if steps == 0 || known.is_healed(var) {
            return None;
        }
        if let Some(object) = known.only(var)
            && let Some(value) = self.world.constant_value(*object)
        {
            return constants::is_exact(value).then(|| value.clone());
        }
        match known.definition(body, slot)? {
            Kind::Copy { src, .. } => self.value(known, body, *src, steps - 1),
            Kind::Operate { operator, left, right: None, .. } => {
                constants::unary(operator, &self.value(known, body, *left, steps - 1)?)
            }
            Kind::Operate { operator: operator @ ("in" | "not in"), left, right: Some(right), .. } => {
                let left = self.value(known, body, *left, steps - 1)?;
                let is_in = match self.value(known, body, *right, steps - 1) {
                    Some(text) => constants::contains(&text, &left)?,
                    None => self
                        .display(known, body, *right, steps)?
                        .iter()
                        .try_fold(false, |found, item| constants::equal(&left, item).map(|equal| found || equal))?,
                };
                Some(Constant::Bool(is_in == (*operator == "in")))
            }
            Kind::Operate { operator, left, right: Some(right), .. } => {
                let left = self.value(known, body, *left, steps - 1)?;
                constants::binary(operator, &left, &self.value(known, body, *right, steps - 1)?)
            }
            Kind::Call { callee: Callee::Value(function), arguments, .. } => {
                let [argument] = arguments.as_slice() else { return None };
                if *known.only(body.var(*function))? != known.len {
                    return None;
                }
                match (self.value(known, body, argument.value, steps - 1), &argument.passing) {
                    (Some(text), Passing::Position(0)) => constants::length(&text),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The values in a display that nothing but its reader has.
    fn display(&self, known: &Known<'_>, body: &Placed, slot: Slot, steps: usize) -> Option<Vec<Constant>> {
        let Kind::Build { layout: Layout::List | Layout::Tuple | Layout::Set, elements, .. } =
            known.definition(body, slot)?
        else {
            return None;
        };
        let items = elements.iter().map(|element| match element {
            Element::Item(item) => self.value(known, body, *item, steps - 1),
            _ => None,
        });
        items.collect()
    }

    /// `left is right`, where one of them is `None`.
    fn is_none(&self, known: &Known<'_>, body: &Placed, left: Slot, right: Slot) -> Option<bool> {
        let (left, right) = (body.var(left), body.var(right));
        let is_none = |object: &Obj| self.world.constant_value(*object) == Some(&Constant::None);
        let (left, right) = (known.values.get(&left)?, known.values.get(&right)?);
        let (other, _) = if right.iter().all(is_none) {
            (left, right)
        } else if left.iter().all(is_none) {
            (right, left)
        } else {
            return None;
        };
        let nones = other.iter().filter(|object| is_none(object)).count();
        // An object that nothing is known of may be anything.
        let made = self.world.known_some_text();
        let is_known = |object: &Obj| {
            Some(*object) != made
                && (is_constant(*object)
                    || known
                        .classes
                        .get(object)
                        .is_some_and(|classes| classes.iter().all(|class| self.is_told(*class))))
        };
        match nones {
            0 if other.iter().all(is_known) => Some(false),
            count if count == other.len() => Some(true),
            _ => None,
        }
    }

    /// Whether a class is one of the program or an exact one of the library.
    pub(super) fn is_told(&self, class: Obj) -> bool {
        match self.world.entity(class) {
            Some(Entity::Library(name)) => self.world.models.class(name).is_some_and(|class| !class.family),
            Some(Entity::Snapshot(_) | Entity::Class(..) | Entity::MadeClass(_)) => true,
            _ => false,
        }
    }

    /// `isinstance` with a class, or a tuple or union of classes.
    fn is_instance_of_any(&mut self, known: &Known<'_>, body: &Placed, object: Slot, class: Slot) -> Option<bool> {
        if let Some(class) = known.only(body.var(class))
            && self.world.is_class(*class)
        {
            return self.is_instance(known, body.var(object), *class);
        }
        let parts: Vec<Slot> = match known.definition(body, class)? {
            Kind::Build { layout: Layout::Tuple, elements, .. } => {
                let items = elements.iter().map(|element| match element {
                    Element::Item(item) => Some(*item),
                    _ => None,
                });
                items.collect::<Option<_>>()?
            }
            Kind::Operate { operator: "|", left, right: Some(right), .. } => vec![*left, *right],
            _ => return None,
        };
        let mut answers = Vec::new();
        for part in parts {
            answers.push(self.is_instance_of_any(known, body, object, part));
        }
        if answers.contains(&Some(true)) {
            return Some(true);
        }
        answers.iter().all(|answer| *answer == Some(false)).then_some(false)
    }

    fn is_instance(&mut self, known: &Known<'_>, object: Var, wanted: Obj) -> Option<bool> {
        if !self.world.is_class(wanted) || !self.is_told(wanted) {
            return None;
        }
        let mut common = None;
        for object in known.values.get(&object)? {
            for class in known.classes.get(object)? {
                if !self.is_told(*class) {
                    return None;
                }
                let bases = self.class_bases.clone();
                let truth = self.world.resolution_order(*class, &bases).contains(&wanted);
                let is_certain =
                    self.is_exact(*object, *class) && self.has_plain_metaclass(&known.values, wanted, MAX_STEPS);
                if !truth && !is_certain {
                    return None;
                }
                if common.is_some_and(|known| known != truth) {
                    return None;
                }
                common = Some(truth);
            }
        }
        common
    }

    /// Whether an object is of the class itself and of none below. A caught exception, or what a library function made, may
    /// be of one below; so may a text that stands for anything that a library function hands over.
    pub(super) fn is_exact(&self, object: Obj, class: Obj) -> bool {
        if Some(object) == self.world.known_some_text() {
            return false;
        }
        is_constant(object)
            || object.is_table()
            || match self.world.entity(class) {
                Some(Entity::Library(name)) => PLAIN.contains(&&**name),
                _ => true,
            }
    }

    /// Whether `isinstance` looks at nothing but the classes above.
    pub(super) fn has_plain_metaclass(
        &self,
        values: &FxHashMap<Var, FxHashSet<Obj>>,
        class: Obj,
        steps: usize,
    ) -> bool {
        match self.world.entity(class) {
            Some(Entity::Class(..)) => {
                let gives = |points_to::GivesMetaclass(of, _): &points_to::GivesMetaclass| *of == class;
                let bases = self.facts.has_base.iter().filter(|points_to::HasBase(of, _)| *of == class);
                let mut bases = bases.map(|points_to::HasBase(_, base)| values.get(base));
                let is_plain = |base: &Obj| self.has_plain_metaclass(values, *base, steps - 1);
                steps > 0
                    && !self.facts.gives_metaclass.iter().any(gives)
                    && bases.all(|bases| bases.is_some_and(|bases| bases.iter().all(is_plain)))
            }
            Some(Entity::Library(name)) => name.starts_with("builtins."),
            Some(Entity::Snapshot(id)) => {
                let snapshot = self.world.snapshot;
                let metaclass = snapshot.objects.get(id).and_then(|object| object.class.as_ref());
                let metaclass = metaclass.and_then(|class| snapshot.object(class));
                metaclass.is_some_and(|class| class.qualname.as_deref() == Some("type"))
            }
            _ => false,
        }
    }

    /// The truth that all of these objects have in common; of healed ones only the class counts.
    fn common_truth(&self, objects: &FxHashSet<Obj>, healed: bool) -> Option<bool> {
        let mut common = None;
        for object in objects {
            let truth = match self.world.constant_value(*object)? {
                Constant::None => false,
                _ if healed => return None,
                value => constants::truth(value)?,
            };
            if common.is_some_and(|known| known != truth) {
                return None;
            }
            common = Some(truth);
        }
        common
    }
}
