//! Branches that go one way only: a condition that is always true, or always false.
//!
//! Healed values are only known by their classes here: other healings give other values of the same classes, and no other
//! live objects (A6). So what a condition says about classes or `None` holds for healed values too, and nothing else does.
//!
//! The edges that are never taken are left out, and everything is solved again: there may be less to run, and more
//! conditions that are decided. What healed state does not arrive in is known only when the third layer has run. Until
//! then it is supposed to arrive nowhere but in what the healing writes, and what was left out on that ground is checked by the
//! solution itself: an edge that it does not justify is never left out again. A solution that justifies all edges that it goes
//! without holds for every execution: the first one to take such an edge would, up to there, be one that the solution covers.

#![allow(
    clippy::iter_over_hash_type,
    reason = "what is gathered goes into sets and maps, or is sorted before it is used"
)]

use std::collections::{BTreeMap, BTreeSet};

use healguard_rules::schema::{Field, Func, Obj, Point, Var, is_constant};
use healguard_rules::{points_to, taint};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::bodies::{Bodies, Placed};
use crate::frontend::may_raise;
use crate::ir::{BodyId, Callee, Constant, Element, Kind, Layout, Name, NodeId, Passing, Slot, Test};
use crate::solve::{PointsTo, Taint};
use crate::world::{Entity, FileId};

use super::{Engine, constants};

/// A body in every run of the engine: file, number, and for what remains of a live frame its place among these.
pub(super) type BodyKey = (FileId, BodyId, Option<usize>);
/// Edges that control never takes. One from an instruction to itself stands for those to its handlers: it raises nothing.
pub(super) type DeadEdges = BTreeMap<BodyKey, BTreeSet<(NodeId, NodeId)>>;

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
const ALTERING: [&str; 3] = ["__defaults__", "__kwdefaults__", "__code__"];
/// Steps from a condition back to what decides it.
pub(super) const MAX_STEPS: usize = 8;

/// What a solution says of values and calls, for the search for what never happens.
pub(super) struct Known<'b> {
    bodies: &'b Bodies,
    pub values: FxHashMap<Var, FxHashSet<Obj>>,
    pub classes: FxHashMap<Obj, Vec<Obj>>,
    /// Variables that healed state arrives in.
    healed: FxHashSet<Var>,
    /// Where slots get their values.
    pub definitions: FxHashMap<Func, FxHashMap<Slot, NodeId>>,
    /// The bodies that an instruction enters.
    pub calls: FxHashMap<Point, BTreeSet<Func>>,
    /// Instructions that run code of a library, or unknown code.
    foreign: FxHashSet<Point>,
    /// Mappings with keys that are no constants.
    pub object_keys: FxHashSet<Obj>,
    /// Methods of classes that have a body in the program.
    pub methods: FxHashSet<(Obj, Field)>,
    isinstance: Obj,
    len: Obj,
    type_class: Obj,
}

impl<'b> Known<'b> {
    /// The instruction that gives a slot its value, where there is one.
    pub(super) fn definition<'p>(&self, body: &'p Placed, slot: Slot) -> Option<&'p Kind> {
        let node = self.definitions.get(&body.func)?.get(&slot)?;
        Some(&body.ssa.body.nodes[*node].kind)
    }

    /// The body of a function.
    pub(super) fn body(&self, func: Func) -> Option<&'b Placed> {
        self.bodies.of_func(func)
    }

    /// What the instruction at a point does.
    pub(super) fn at(&self, point: Point) -> Option<(&'b Placed, NodeId)> {
        self.bodies.at(point)
    }

    /// Whether an instruction runs code of a library, or unknown code.
    pub(super) fn is_foreign(&self, point: Point) -> bool {
        self.foreign.contains(&point)
    }

    /// Whether an instruction enters bodies of the program, and nothing else.
    pub(super) fn is_user_call(&self, point: Point) -> bool {
        self.calls.contains_key(&point) && !self.foreign.contains(&point)
    }

    /// Whether a body may come to run another one.
    pub(super) fn leads_to(&self, from: Func, to: Func) -> bool {
        let mut seen = FxHashSet::default();
        let mut open = vec![from];
        while let Some(func) = open.pop() {
            if func == to {
                return true;
            }
            let Some(body) = self.body(func).filter(|_| seen.insert(func)) else { continue };
            let points = (0..body.ssa.body.nodes.len()).map(|node| body.point(node));
            open.extend(points.filter_map(|point| self.calls.get(&point)).flatten());
        }
        false
    }

    fn is_healed(&self, var: Var) -> bool {
        self.healed.contains(&var)
    }

    /// The one object that a variable holds.
    pub(super) fn only(&self, var: Var) -> Option<&Obj> {
        let mut objects = self.values.get(&var)?.iter();
        objects.next().filter(|_| objects.next().is_none())
    }
}

/// What each variable holds in any context.
fn values_of(solved: &PointsTo) -> FxHashMap<Var, FxHashSet<Obj>> {
    let mut values: FxHashMap<Var, FxHashSet<Obj>> = FxHashMap::default();
    for points_to::VarPointsTo(_, var, object) in &solved.var_points_to {
        values.entry(*var).or_default().insert(*object);
    }
    values
}

impl Engine<'_, '_> {
    /// Tells which classes decide alone what their instances are.
    pub(super) fn tell_plain_checks(&mut self, solved: &PointsTo) {
        let asked: FxHashSet<Var> = self.facts.asks_class.iter().map(|taint::AsksClass(.., class)| *class).collect();
        if asked.is_empty() {
            return;
        }
        let values = values_of(solved);
        let held = asked.iter().filter_map(|var| values.get(var));
        let mut classes: Vec<Obj> = held.flatten().copied().collect();
        classes.sort_unstable();
        classes.dedup();
        classes.retain(|class| self.has_plain_metaclass(&values, *class, MAX_STEPS));
        self.facts.plain_check.extend(classes.into_iter().map(taint::PlainCheck));
    }

    /// What a solution says. Without a result of the third layer, healed state is supposed to arrive nowhere.
    pub(super) fn known<'b>(&mut self, bodies: &'b Bodies, solved: &PointsTo, tainted: Option<&Taint>) -> Known<'b> {
        let mut classes: FxHashMap<Obj, Vec<Obj>> = FxHashMap::default();
        for points_to::ClassOf(object, class) in &solved.class_of {
            classes.entry(*object).or_default().push(*class);
        }
        let healed = tainted.into_iter().flat_map(|taint| &taint.tainted_var);
        let healed = healed.map(|taint::TaintedVar(_, var)| *var).collect();
        let mut definitions: FxHashMap<Func, FxHashMap<Slot, NodeId>> = FxHashMap::default();
        for body in bodies.iter() {
            let nodes = body.ssa.body.nodes.iter().enumerate().filter(|(id, _)| body.ssa.reachable[*id]);
            let defined = nodes.filter_map(|(id, node)| Some((node.kind.defines()?, id)));
            definitions.insert(body.func, defined.collect());
        }
        let mut calls: FxHashMap<Point, BTreeSet<Func>> = FxHashMap::default();
        for points_to::CallTo(_, point, _, _, func, _) in &solved.call_to {
            calls.entry(bodies.origin(*point)).or_default().insert(*func);
        }
        let modelled = solved.model_call.iter().map(|points_to::ModelCall(_, point, ..)| *point);
        let unknown = solved.unknown_call.iter().map(|points_to::UnknownCall(_, point)| *point);
        let unresolved = self.facts.unresolved.iter().map(|points_to::Unresolved(point)| *point);
        let foreign = modelled.chain(unknown).chain(unresolved).map(|point| bodies.origin(point)).collect();
        let keys = solved.field_points_to.iter();
        let keys = keys.filter(|points_to::FieldPointsTo(_, field, key)| *field == Field::KEYS && !is_constant(*key));
        let object_keys = keys.map(|points_to::FieldPointsTo(object, ..)| *object).collect();
        let coded: FxHashSet<Obj> = solved.code_is.iter().map(|points_to::CodeIs(method, _)| *method).collect();
        let found = solved.lookup.iter().filter(|points_to::Lookup(_, _, method, _)| coded.contains(method));
        let methods = found.map(|points_to::Lookup(class, name, ..)| (*class, *name)).collect();
        let [isinstance, len, type_class] =
            ["builtins.isinstance", "builtins.len", "builtins.type"].map(|name| self.world.library(name));
        let values = values_of(solved);
        Known {
            bodies,
            values,
            classes,
            healed,
            definitions,
            calls,
            foreign,
            object_keys,
            methods,
            isinstance,
            len,
            type_class,
        }
    }

    /// The edges that no execution takes. Without a result of the third layer, healed state is supposed to arrive nowhere.
    pub(super) fn dead_edges(&mut self, solved: &PointsTo, tainted: Option<&Taint>) -> DeadEdges {
        let bodies = std::mem::take(&mut self.bodies);
        let known = self.known(&bodies, solved, tainted);
        let mut dead = DeadEdges::new();
        if !self.alters_functions(&known.values, solved) {
            for (body, key) in bodies.with_keys() {
                let never = self.never(&known, body);
                if !never.is_empty() {
                    dead.insert(key, never);
                }
            }
        }
        self.bodies = bodies;
        self.left_out_vainly(&mut dead);
        dead
    }

    fn never(&mut self, known: &Known<'_>, body: &Placed) -> BTreeSet<(NodeId, NodeId)> {
        let mut never = BTreeSet::new();
        for (id, node) in body.ssa.body.nodes.iter().enumerate().filter(|(id, _)| body.ssa.reachable[*id]) {
            // Whether a variable is bound is told with its reads.
            let is_read = matches!(node.kind, Kind::Bound { .. });
            if may_raise(&node.kind)
                && !is_read
                && self.raised(known, body, id, 1).is_some_and(|raised| raised.is_empty())
            {
                never.insert((id, id));
            }
            let [if_true, if_false] = *body.ssa.fork(id) else { continue };
            if if_true == if_false {
                continue;
            }
            let truth = match &node.kind {
                Kind::Branch { condition } => self.truth(known, body, *condition, MAX_STEPS),
                Kind::Test { test, operands } => self.passes(known, body, *test, operands),
                _ => None,
            };
            if let Some(truth) = truth {
                never.insert((id, if truth { if_false } else { if_true }));
            }
        }
        never
    }

    /// Edges that were left out of code that does not run at all hold as they did.
    fn left_out_vainly(&self, dead: &mut DeadEdges) {
        let placed: FxHashMap<BodyKey, &Placed> = self.bodies.with_keys().map(|(body, key)| (key, body)).collect();
        for (key, edges) in &self.dead {
            let runs = |node: NodeId| placed.get(key).is_some_and(|body| body.ssa.reachable[node]);
            let vain = edges.iter().filter(|(from, _)| !runs(*from));
            dead.entry(*key).or_default().extend(vain);
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
