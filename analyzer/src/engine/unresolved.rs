//! What the rules found nothing for: it becomes unknown code, so that nothing is ever silently empty.

#![allow(
    clippy::iter_over_hash_type,
    reason = "what is gathered goes into sets and maps, or is sorted before it is used"
)]

use healguard_rules::models::Layout;
use healguard_rules::points_to;
use healguard_rules::schema::{Ctx, Field, Func, Obj, Point, Var, is_constant};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::bodies::Placed;
use crate::facts::Facts;
use crate::ir::{Callee, Kind, NodeId, Slot};
use crate::solve::PointsTo;
use crate::world::{Entity, dotted_name};

use super::Engine;

const NONE: &str = "builtins.NoneType";

/// Classes whose public members all have a model: what has none does not exist.
const WHOLE: [&str; 14] = [
    "builtins.object",
    "abc.ABC",
    "typing.Generic",
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

/// Whether all public members of a class of the library have a model.
pub(crate) fn is_whole(class: &str) -> bool {
    WHOLE.contains(&class)
}

/// So many calls of unknown code have hubs of their own.
const OWN_HUBS: usize = 20;

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
    /// Members that a class does not have.
    missing: FxHashSet<(Obj, Field)>,
}

impl Found {
    fn new(facts: &Facts, solved: &PointsTo) -> Self {
        let missing = facts.missing.iter().map(|points_to::Missing(class, field)| (*class, *field)).collect();
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
        Found {
            objects,
            classes,
            invoked,
            missing,
            called: entered.chain(modelled).chain(unknown).chain(made).collect(),
        }
    }
}

impl Engine<'_, '_> {
    /// Gives each call of unknown code a hub. Everything that came from one hub goes through every other, so that many hubs cost
    /// their number squared: beyond some, calls share one.
    pub(super) fn tell_hubs(&mut self, solved: &PointsTo) {
        let points = solved.unknown_call.iter().map(|points_to::UnknownCall(_, point)| *point);
        let mut fresh: Vec<Point> = points.filter(|point| !self.told.hubs.contains_key(point)).collect();
        fresh.sort_unstable();
        fresh.dedup();
        for point in fresh {
            let shared = self.told.hubs.get_index(OWN_HUBS - 1).map(|(point, _)| *point);
            let hub = shared.unwrap_or(point);
            self.told.hubs.insert(point, hub);
            self.facts.hub.push(points_to::Hub(point, hub));
        }
    }

    /// Makes unknown code of what gave nothing although its operands are known; says whether there was any.
    pub(super) fn give_up(&mut self, solved: &PointsTo) -> bool {
        let found = Found::new(&self.facts, solved);
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
            Some(Entity::Library(name)) if by_name => &**name != NONE,
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
                return self.all(found, ctx, body.var(*base), |name| name == NONE);
            }
            _ => return false,
        };
        let is_attribute = matches!(kind, Kind::LoadAttribute { .. });
        self.all(found, ctx, body.var(base), |name| name == NONE || (!is_attribute && self.is_container(name)))
    }

    /// Whether everything that a variable holds is of a class that is known whole and has no such member: the access raises.
    fn has_no_member(&self, found: &Found, ctx: Ctx, var: Var, name: &str) -> bool {
        let Some(field) = self.world.known_attribute(name) else { return false };
        let Some(hook) = self.world.known_attribute("__getattr__") else { return false };
        let lacks = |class: &Obj| {
            let is_missing = |field: Field| found.missing.contains(&(*class, field));
            is_missing(field) && is_missing(hook) && self.is_whole(*class)
        };
        let Some(objects) = found.objects.get(&(ctx, var)) else { return false };
        !name.starts_with("__")
            && objects.iter().all(|object| {
                found.classes.get(object).is_some_and(|classes| !classes.is_empty() && classes.iter().all(lacks))
            })
    }

    /// Whether all public members of a class are known.
    fn is_whole(&self, class: Obj) -> bool {
        let is_plain = is_whole;
        match self.world.entity(class) {
            Some(Entity::Library(name)) => is_plain(name),
            Some(Entity::Snapshot(id)) => {
                let snapshot = self.world.snapshot;
                let Some(object) = snapshot.objects.get(id) else { return false };
                let mut order = object.mro.iter().map(|entry| snapshot.object(entry));
                !object.mro.is_empty()
                    && order.all(|entry| {
                        entry.is_some_and(|entry| {
                            let dotted = dotted_name(entry).unwrap_or_default();
                            let is_library = self.world.models.class(&dotted).is_some();
                            if is_library { is_plain(&dotted) } else { !entry.cut && !entry.attributes.is_empty() }
                        })
                    })
            }
            Some(Entity::Class(..)) => {
                let bases = self.class_bases.get(&class);
                bases.into_iter().flatten().all(|base| *base != class && self.is_whole(*base))
            }
            _ => false,
        }
    }

    /// Whether what an object of a library class contains is known whole.
    fn is_container(&self, name: &str) -> bool {
        let Some(class) = self.world.models.class(name) else { return false };
        match class.layout {
            Layout::List | Layout::Tuple | Layout::Dict | Layout::Set => true,
            Layout::Iterator => name.starts_with("builtins.") || name.starts_with("itertools."),
            // Nothing is inside of a number.
            _ => class.immutable && name.starts_with("builtins."),
        }
    }

    /// Whether everything that a variable holds is of a library class of which `holds` is true.
    fn all(&self, found: &Found, ctx: Ctx, var: Var, holds: impl Fn(&str) -> bool) -> bool {
        let is_named = |class: &Obj| match self.world.entity(*class) {
            Some(Entity::Library(name)) => holds(name),
            _ => false,
        };
        let Some(objects) = found.objects.get(&(ctx, var)) else { return false };
        objects.iter().all(|object| {
            found.classes.get(object).is_some_and(|classes| !classes.is_empty() && classes.iter().all(is_named))
        })
    }
}
