//! Branches that go one way only: a condition that healed state does not touch and that is always true, or always false.
//!
//! The `__exit__` of most context managers returns nothing, so that a `with` statement around a call catches nothing.

#![allow(
    clippy::iter_over_hash_type,
    reason = "what is gathered goes into sets and maps, or is sorted before it is used"
)]

use std::collections::BTreeMap;

use healguard_rules::schema::{Ctx, Func, Obj, Var};
use healguard_rules::{points_to, taint};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{Constant, Kind, NodeId};
use crate::solve::{PointsTo, Taint};

use super::Engine;

/// Edges of a body that control never takes.
type DeadEdges = BTreeMap<Func, Vec<(NodeId, NodeId)>>;

impl Engine<'_, '_> {
    /// Takes out edges that control never takes; says whether there were any.
    pub(super) fn prune_decided(&mut self, solved: &PointsTo, tainted: &Taint) -> bool {
        let dead = self.dead_edges(solved, tainted);
        for (func, edges) in &dead {
            self.prune(*func, edges);
        }
        !dead.is_empty()
    }

    fn dead_edges(&self, solved: &PointsTo, tainted: &Taint) -> DeadEdges {
        let mut values: FxHashMap<Var, FxHashSet<(Ctx, Obj)>> = FxHashMap::default();
        for points_to::VarPointsTo(ctx, var, object) in &solved.var_points_to {
            values.entry(*var).or_default().insert((*ctx, *object));
        }
        let healed: FxHashSet<Var> = tainted.tainted_var.iter().map(|taint::TaintedVar(_, var)| *var).collect();
        let mut dead = DeadEdges::new();
        for body in self.bodies.iter() {
            for (id, node) in body.ssa.body.nodes.iter().enumerate().filter(|(id, _)| body.ssa.reachable[*id]) {
                let Kind::Branch { condition } = node.kind else { continue };
                let [if_true, if_false] = node.successors[..] else { continue };
                let condition = body.var(condition);
                if healed.contains(&condition) || if_true == if_false {
                    continue;
                }
                let objects = values.get(&condition).into_iter().flatten();
                match self.truth(objects.map(|(_, object)| *object)) {
                    Some(true) => dead.entry(body.func).or_default().push((id, if_false)),
                    Some(false) => dead.entry(body.func).or_default().push((id, if_true)),
                    None => {}
                }
            }
        }
        dead
    }

    /// The truth that all of these objects have in common.
    fn truth(&self, objects: impl Iterator<Item = Obj>) -> Option<bool> {
        let mut common = None;
        for object in objects {
            let truth = match self.world.constant_value(object)? {
                Constant::None => false,
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

    /// Control dependence and joins of a body without these edges.
    fn prune(&mut self, func: Func, edges: &[(NodeId, NodeId)]) {
        let Some(body) = self.bodies.of_func_mut(func) else { return };
        let joins: FxHashSet<(Var, Var)> = body.joins().collect();
        body.ssa.prune(edges);
        let arriving: FxHashSet<(Var, Var)> = body.joins().collect();
        let mut dead: Vec<_> = joins.difference(&arriving).map(|(dst, source)| taint::Dead(*dst, *source)).collect();
        dead.sort_unstable_by_key(|taint::Dead(dst, source)| (*dst, *source));
        self.facts.dead.extend(dead);
        let Some(body) = self.bodies.of_func(func) else { return };
        let points = body.first_point..body.first_point + body.ssa.body.nodes.len() as u32;
        let within = |point: &healguard_rules::schema::Point| points.contains(&point.0);
        let facts = &mut self.facts;
        facts.edge.retain(|taint::Edge(from, to)| !(within(from) && within(to)));
        facts.handler.retain(|taint::Handler(from, to)| !(within(from) && within(to)));
        facts.controls.retain(|taint::Controls(branch, node)| !(within(branch) && within(node)));
        facts.controls_if_caught.retain(|taint::ControlsIfCaught(branch, _)| !within(branch));
        facts.recovers.retain(|taint::Recovers(point)| !within(point));
        facts.gate.retain(|taint::Gate(_, branch)| !within(branch));
        body.tell_control(facts);
    }
}
