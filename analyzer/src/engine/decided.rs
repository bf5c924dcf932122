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

use healguard_rules::schema::{Obj, Var, is_constant};
use healguard_rules::{points_to, taint};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::bodies::Placed;
use crate::ir::{BodyId, Callee, Constant, Kind, NodeId, Slot};
use crate::solve::{PointsTo, Taint};
use crate::world::{Entity, FileId};

use super::Engine;

/// A body in every run of the engine: file, number, and for what remains of a live frame its place among these.
pub(super) type BodyKey = (FileId, BodyId, Option<usize>);
/// Edges that control never takes.
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
/// Steps from a condition back to what decides it.
const MAX_STEPS: usize = 8;

/// What a solution says of values, for the search for decided conditions.
struct Known {
    values: FxHashMap<Var, FxHashSet<Obj>>,
    classes: FxHashMap<Obj, Vec<Obj>>,
    /// Variables that healed state arrives in.
    healed: FxHashSet<Var>,
    isinstance: Obj,
}

impl Known {
    fn is_healed(&self, var: Var) -> bool {
        self.healed.contains(&var)
    }
}

impl Engine<'_, '_> {
    /// The edges that no execution takes. Without a result of the third layer, healed state is supposed to arrive nowhere.
    pub(super) fn dead_edges(&mut self, solved: &PointsTo, tainted: Option<&Taint>) -> DeadEdges {
        let mut values: FxHashMap<Var, FxHashSet<Obj>> = FxHashMap::default();
        for points_to::VarPointsTo(_, var, object) in &solved.var_points_to {
            values.entry(*var).or_default().insert(*object);
        }
        let mut classes: FxHashMap<Obj, Vec<Obj>> = FxHashMap::default();
        for points_to::ClassOf(object, class) in &solved.class_of {
            classes.entry(*object).or_default().push(*class);
        }
        let healed = tainted.into_iter().flat_map(|taint| &taint.tainted_var);
        let healed = healed.map(|taint::TaintedVar(_, var)| *var).collect();
        let isinstance = self.world.library("builtins.isinstance");
        let known = Known { values, classes, healed, isinstance };
        let bodies = std::mem::take(&mut self.bodies);
        let mut dead = DeadEdges::new();
        for (body, key) in bodies.with_keys() {
            for (id, node) in body.ssa.body.nodes.iter().enumerate().filter(|(id, _)| body.ssa.reachable[*id]) {
                let Kind::Branch { condition } = node.kind else { continue };
                let [if_true, if_false] = *body.ssa.fork(id) else { continue };
                if if_true == if_false {
                    continue;
                }
                if let Some(truth) = self.truth(&known, body, condition, MAX_STEPS) {
                    let never = if truth { if_false } else { if_true };
                    dead.entry(key).or_default().insert((id, never));
                }
            }
        }
        self.bodies = bodies;
        self.left_out_vainly(&mut dead);
        dead
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

    /// The truth of a condition in every execution.
    fn truth(&mut self, known: &Known, body: &Placed, condition: Slot, steps: usize) -> Option<bool> {
        let var = body.var(condition);
        if steps == 0 {
            return None;
        }
        let objects = known.values.get(&var)?;
        if let Some(truth) = self.common_truth(objects, known.is_healed(var)) {
            return Some(truth);
        }
        let is_defined_by = |kind: &Kind| kind.defines() == Some(condition);
        let mut nodes = body.ssa.body.nodes.iter().enumerate();
        let (_, node) = nodes.find(|(id, node)| body.ssa.reachable[*id] && is_defined_by(&node.kind))?;
        match &node.kind {
            Kind::Copy { src, .. } => self.truth(known, body, *src, steps - 1),
            Kind::Operate { operator: "not", left, .. } => {
                self.truth(known, body, *left, steps - 1).map(|truth| !truth)
            }
            Kind::Operate { operator, left, right: Some(right), .. } if *operator == "is" || *operator == "is not" => {
                let same = self.is_none(known, body, *left, *right)?;
                Some(same == (*operator == "is"))
            }
            Kind::Call { callee: Callee::Value(function), arguments, .. } => {
                let [object, class] = arguments.as_slice() else { return None };
                let function = known.values.get(&body.var(*function))?;
                let is_isinstance = function.iter().all(|object| *object == known.isinstance);
                if is_isinstance {
                    self.is_instance(known, body.var(object.value), body.var(class.value))
                } else {
                    None
                }
            }
            _ => None,
        }
    }

    /// `left is right`, where one of them is `None`.
    fn is_none(&self, known: &Known, body: &Placed, left: Slot, right: Slot) -> Option<bool> {
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
    fn is_told(&self, class: Obj) -> bool {
        match self.world.entity(class) {
            Some(Entity::Library(name)) => self.world.models.class(name).is_some_and(|class| !class.family),
            Some(Entity::Snapshot(_) | Entity::Class(..) | Entity::MadeClass(_)) => true,
            _ => false,
        }
    }

    fn is_instance(&mut self, known: &Known, object: Var, class: Var) -> Option<bool> {
        let mut wanted = known.values.get(&class)?.iter();
        let (Some(wanted), None) = (wanted.next().copied(), wanted.next()) else { return None };
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
                let is_certain = self.is_exact(*object, *class) && self.has_plain_metaclass(wanted);
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
    fn is_exact(&self, object: Obj, class: Obj) -> bool {
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
    fn has_plain_metaclass(&self, class: Obj) -> bool {
        match self.world.entity(class) {
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
                Constant::Bool(value) => *value,
                Constant::Str(text) => !text.is_empty(),
                Constant::Bytes(bytes) => !bytes.is_empty(),
                Constant::Int(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                    digits.bytes().any(|digit| digit != b'0')
                }
                _ => return None,
            };
            if common.is_some_and(|known| known != truth) {
                return None;
            }
            common = Some(truth);
        }
        common
    }
}
