//! Operators that methods of the program answer: the result is what the methods return, and nothing else of the operands.

#![allow(clippy::iter_over_hash_type, reason = "what is gathered goes into sets, or only its agreement counts")]

use std::collections::BTreeSet;

use healguard_rules::schema::{Obj, Point};
use healguard_rules::taint;

use crate::bodies::Placed;
use crate::emit::operator_methods;
use crate::ir::{Kind, NodeId, Slot};
use crate::solve::PointsTo;
use crate::world::Entity;

use super::Engine;
use super::known::Known;

/// Classes of values that operators give up on where the other operand is an object of the program.
const YIELDING: [&str; 8] = [
    "builtins.NoneType",
    "builtins.bool",
    "builtins.bytes",
    "builtins.dict",
    "builtins.float",
    "builtins.int",
    "builtins.str",
    "builtins.tuple",
];
/// Classes of truths: what a comparison makes of an answer depends on its value alone.
const TRUTHS: [&str; 5] = ["builtins.NoneType", "builtins.bool", "builtins.float", "builtins.int", "builtins.str"];

impl Engine<'_, '_> {
    /// Tells which instructions raise because of what they call, and which operators methods of the program answer.
    pub(super) fn tell_calls(&mut self, solved: &PointsTo) {
        let (bodies, learned) = self.learn(solved);
        let known = Known::new(&bodies, &learned, self.world);
        let altered = self.alters_functions(&known.values, solved);
        for body in bodies.iter().filter(|_| !altered) {
            for node in (0..body.ssa.body.nodes.len()).filter(|node| body.ssa.reachable[*node]) {
                let point = body.point(node);
                if self.is_steady(&known, body, node) {
                    self.facts.steady.push(taint::Steady(point));
                }
                if self.is_answered(&known, body, node, point) {
                    self.facts.answered.push(taint::Answered(point));
                }
            }
        }
        (self.bodies, self.learned) = (bodies, learned);
    }

    fn is_answered(&mut self, known: &Known<'_>, body: &Placed, node: NodeId, point: Point) -> bool {
        if !known.is_user_call(point) {
            return false;
        }
        match &body.ssa.body.nodes[node].kind {
            Kind::LoadItem { base, .. } => self.all_have(known, body, *base, "__getitem__", true),
            Kind::Operate { dst, operator, left, right } => {
                let Some((own, reflected, is_truth)) = operator_methods(operator) else { return false };
                let asked = if matches!(*operator, "in" | "not in") { right.unwrap_or(*left) } else { *left };
                let answers = self.all_have(known, body, asked, own, false)
                    && right.is_none_or(|right| self.leaves_answer(known, body, right))
                    || right.zip(reflected).is_some_and(|(right, name)| {
                        self.all_of(known, body.var(*left), &YIELDING) && self.all_have(known, body, right, name, true)
                    });
                answers && (!is_truth || self.all_of(known, body.var(*dst), &TRUTHS))
            }
            _ => false,
        }
    }

    /// Whether no class of the library that an operand may be of answers where a method of the program does not.
    fn leaves_answer(&self, known: &Known<'_>, body: &Placed, slot: Slot) -> bool {
        let objects = known.values.get(&body.var(slot)).into_iter().flatten();
        let mut classes = objects.map(|object| known.classes.get(object).filter(|classes| !classes.is_empty()));
        classes.all(|classes| {
            classes.is_some_and(|classes| {
                classes.iter().all(|class| match self.world.entity(*class) {
                    Some(Entity::Library(name)) => YIELDING.contains(&&**name) || &**name == "builtins.list",
                    _ => self.is_told(*class),
                })
            })
        })
    }

    /// Whether all objects of a variable are of classes of the program with a method of this name in the program; `plain`:
    /// and of no class of the library.
    fn all_have(&mut self, known: &Known<'_>, body: &Placed, slot: Slot, name: &str, plain: bool) -> bool {
        let Some(field) = self.world.known_attribute(name) else { return false };
        let Some(objects) = known.values.get(&body.var(slot)).filter(|objects| !objects.is_empty()) else {
            return false;
        };
        let mut classes: BTreeSet<Obj> = BTreeSet::new();
        for object in objects {
            match known.classes.get(object).map(Vec::as_slice) {
                Some([class]) => classes.insert(*class),
                _ => return false,
            };
        }
        classes
            .into_iter()
            .all(|class| known.methods.contains(&(class, field)) && (!plain || self.has_no_library_base(class)))
    }

    fn has_no_library_base(&mut self, class: Obj) -> bool {
        let bases = self.class_bases.clone();
        let order = self.world.resolution_order(class, &bases);
        let object = self.world.library("builtins.object");
        order.iter().all(|above| *above == object || !matches!(self.world.entity(*above), Some(Entity::Library(_))))
    }
}
