//! What the rules found nothing for: it becomes unknown code, so that nothing is ever silently empty.

#![allow(
    clippy::iter_over_hash_type,
    reason = "what is gathered goes into sets and maps, or is sorted before it is used"
)]

use healguard_rules::points_to;
use healguard_rules::schema::{Ctx, Func, Obj, Point, Var, is_constant};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::bodies::Placed;
use crate::ir::{Callee, Kind, NodeId, Slot};
use crate::solve::PointsTo;
use crate::world::Entity;

use super::Engine;

/// Containers whose contents the analysis knows whole.
const CONTAINERS: [&str; 9] = [
    "builtins.list",
    "builtins.tuple",
    "builtins.dict",
    "builtins.set",
    "builtins.frozenset",
    "builtins.generator",
    "builtins.coroutine",
    "builtins.NoneType",
    "builtins.bool",
];

/// Classes whose public members all have a model: what has none does not exist.
const WHOLE: [&str; 11] = [
    "builtins.str",
    "builtins.bytes",
    "builtins.int",
    "builtins.float",
    "builtins.bool",
    "builtins.list",
    "builtins.tuple",
    "builtins.dict",
    "builtins.set",
    "builtins.frozenset",
    "builtins.NoneType",
];

/// The class of an object of which only that is known that the library made it.
pub(super) const UNKNOWN: &str = "builtins.unknown";

/// What a round found, in the form that the search for gaps needs.
struct Found {
    objects: FxHashMap<(Ctx, Var), Vec<Obj>>,
    classes: FxHashMap<Obj, Vec<Obj>>,
    /// Calls that some rule has found a target for.
    called: FxHashSet<(Ctx, Point)>,
    /// Calls of something, and whether anything of it is more than a constant: those cannot be called.
    invoked: FxHashMap<(Ctx, Point), bool>,
}

impl Found {
    fn new(solved: &PointsTo) -> Self {
        let mut objects: FxHashMap<(Ctx, Var), Vec<Obj>> = FxHashMap::default();
        for points_to::VarPointsTo(ctx, var, object) in &solved.var_points_to {
            objects.entry((*ctx, *var)).or_default().push(*object);
        }
        let mut classes: FxHashMap<Obj, Vec<Obj>> = FxHashMap::default();
        for points_to::ClassOf(object, class) in &solved.class_of {
            classes.entry(*object).or_default().push(*class);
        }
        let entered = solved.call_to.iter().map(|points_to::CallTo(ctx, point, ..)| (*ctx, *point));
        let modelled = solved.model_call.iter().map(|points_to::ModelCall(ctx, point, ..)| (*ctx, *point));
        let unknown = solved.unknown_call.iter().map(|points_to::UnknownCall(ctx, point)| (*ctx, *point));
        let made = solved.new.iter().map(|points_to::New(ctx, point, ..)| (*ctx, *point));
        let mut invoked: FxHashMap<(Ctx, Point), bool> = FxHashMap::default();
        for points_to::Invokes(ctx, point, callee, ..) in &solved.invokes {
            *invoked.entry((*ctx, *point)).or_default() |= !is_constant(*callee);
        }
        Found { objects, classes, invoked, called: entered.chain(modelled).chain(unknown).chain(made).collect() }
    }
}

impl Engine<'_, '_> {
    /// Makes unknown code of what gave nothing although its operands are known; says whether there was any.
    pub(super) fn give_up(&mut self, solved: &PointsTo) -> bool {
        let found = Found::new(solved);
        let mut reachable: Vec<(Ctx, Func)> =
            solved.reachable.iter().map(|points_to::Reachable(ctx, func)| (*ctx, *func)).collect();
        reachable.sort_unstable();
        let mut gaps: Vec<(Point, Option<Var>)> = Vec::new();
        for (ctx, func) in reachable {
            let Some(body) = self.bodies.of_func(func) else { continue };
            let nodes = (0..body.ssa.body.nodes.len()).filter(|id| body.ssa.reachable[*id]);
            for id in nodes.filter(|id| self.is_gap(&found, ctx, body, *id)) {
                let result = body.ssa.body.nodes[id].kind.defines().map(|slot| body.var(slot));
                gaps.push((body.point(id), result));
            }
        }
        gaps.extend(self.callback_gaps(&found));
        gaps.sort_unstable();
        gaps.dedup();
        for (point, result) in &gaps {
            self.told.unresolved.insert(*point);
            self.facts.unresolved.push(points_to::Unresolved(*point));
            self.facts.call_result.extend(result.map(|var| points_to::CallResult(*point, var)));
        }
        !gaps.is_empty()
    }

    /// Calls by library code that entered nothing, although what they call can be called.
    fn callback_gaps(&self, found: &Found) -> Vec<(Point, Option<Var>)> {
        let callees = self.facts.calls_value.iter().map(|points_to::CallsValue(point, var)| (*var, (*point, false)));
        let methods =
            self.facts.calls_method.iter().map(|points_to::CallsMethod(point, var, _)| (*var, (*point, true)));
        let callees: FxHashMap<Var, (Point, bool)> = callees
            .chain(methods)
            .filter(|(_, (point, _))| self.bodies.is_callback(*point) && !self.told.unresolved.contains(point))
            .collect();
        let mut gaps = Vec::new();
        for ((ctx, var), objects) in &found.objects {
            let Some((point, by_name)) = callees.get(var) else { continue };
            let can_be_called = objects.iter().any(|object| self.can_be_called(found, *object, *by_name));
            let is_nothing =
                found.called.contains(&(*ctx, *point)) || found.invoked.get(&(*ctx, *point)) == Some(&false);
            if can_be_called && !is_nothing {
                gaps.push((*point, None));
            }
        }
        gaps
    }

    /// Whether an object, or a method of it, may be called although the rules find nothing to call.
    fn can_be_called(&self, found: &Found, object: Obj, by_name: bool) -> bool {
        let classes = found.classes.get(&object).map_or(&[][..], Vec::as_slice);
        classes.iter().any(|class| match self.world.entity(*class) {
            Some(Entity::Library(name)) if by_name => &**name != "builtins.NoneType",
            Some(Entity::Library(name)) => self.world.models.class(name).is_none_or(|class| class.name == UNKNOWN),
            _ => by_name,
        })
    }

    /// Whether an instruction should have given something and did not.
    fn is_gap(&self, found: &Found, ctx: Ctx, body: &Placed, id: NodeId) -> bool {
        let point = body.point(id);
        let kind = &body.ssa.body.nodes[id].kind;
        if self.told.unresolved.contains(&point) || found.called.contains(&(ctx, point)) {
            return false;
        }
        let is_known = |slot: Slot| found.objects.contains_key(&(ctx, body.var(slot)));
        let gives = match kind {
            Kind::Call { callee: Callee::Special(..), .. } | Kind::Resume { .. } => false,
            Kind::LoadGlobal { .. }
            | Kind::LoadCell { .. }
            | Kind::LoadNamespace { .. }
            | Kind::LoadAttribute { .. }
            | Kind::LoadItem { .. }
            | Kind::LoadSlice { .. }
            | Kind::Operate { .. }
            | Kind::Call { .. }
            | Kind::Next { .. }
            | Kind::UnpackItem { .. }
            | Kind::ImportFrom { .. }
            | Kind::Delegate { .. } => true,
            _ => false,
        };
        gives
            && kind.defines().is_some_and(|slot| !is_known(slot))
            && kind.uses().into_iter().all(is_known)
            && found.invoked.get(&(ctx, point)) != Some(&false)
            && !self.reads_nothing(found, ctx, body, kind)
    }

    /// Whether an instruction reads from objects that are known to hold nothing: then it gives nothing.
    fn reads_nothing(&self, found: &Found, ctx: Ctx, body: &Placed, kind: &Kind) -> bool {
        let base = match kind {
            Kind::Next { iterator, .. } => *iterator,
            Kind::UnpackItem { src, .. } => *src,
            Kind::LoadAttribute { base, name, .. } | Kind::Call { callee: Callee::Method(base, name), .. }
                if self.has_no_member(found, ctx, body.var(*base), name) =>
            {
                return true;
            }
            Kind::LoadItem { base, .. } | Kind::LoadAttribute { base, .. } => *base,
            Kind::Call { callee: Callee::Value(base) | Callee::Method(base, _), .. } => {
                return self.all(found, ctx, body.var(*base), &["builtins.NoneType"]);
            }
            _ => return false,
        };
        let known =
            if matches!(kind, Kind::LoadAttribute { .. }) { &["builtins.NoneType"][..] } else { &CONTAINERS[..] };
        self.all(found, ctx, body.var(base), known)
    }

    /// Whether everything that a variable holds is of a class that is known whole and has no such member.
    fn has_no_member(&self, found: &Found, ctx: Ctx, var: Var, name: &str) -> bool {
        let is_modelled = |class: &str| {
            let dotted = format!("{class}.{name}");
            self.world.models.get(&dotted).is_some() || self.world.models.constant(&dotted).is_some()
        };
        let has_none = |class: &str| !self.world.models.ancestry(class).into_iter().any(is_modelled);
        !name.starts_with("__")
            && WHOLE.iter().all(|class| has_none(class) || !self.holds_class(found, ctx, var, class))
            && self.all(found, ctx, var, &WHOLE)
    }

    fn holds_class(&self, found: &Found, ctx: Ctx, var: Var, name: &str) -> bool {
        let objects = found.objects.get(&(ctx, var)).into_iter().flatten();
        let mut classes = objects.filter_map(|object| found.classes.get(object)).flatten();
        classes.any(|class| matches!(self.world.entity(*class), Some(Entity::Library(known)) if &**known == name))
    }

    /// Whether everything that a variable holds is of one of these classes.
    fn all(&self, found: &Found, ctx: Ctx, var: Var, names: &[&str]) -> bool {
        let is_named = |class: &Obj| match self.world.entity(*class) {
            Some(Entity::Library(name)) => names.contains(&&**name),
            _ => false,
        };
        let Some(objects) = found.objects.get(&(ctx, var)) else { return false };
        objects.iter().all(|object| {
            found.classes.get(object).is_some_and(|classes| !classes.is_empty() && classes.iter().all(is_named))
        })
    }
}
