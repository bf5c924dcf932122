//! Strong updates: where a place is certainly overwritten, and which guards certainly ran.

#![allow(
    clippy::iter_over_hash_type,
    reason = "what is gathered goes into sets and maps, or is sorted before it is used"
)]

use healguard_rules::schema::{Ctx, Field, Func, Obj, Point, Var, is_constant, item_of};
use healguard_rules::{points_to, taint};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::bodies::Placed;
use crate::ir::{Kind, Name, Node, NodeId, Slot};
use crate::solve::PointsTo;
use crate::world::{Entity, FileId};

use super::Engine;

type PlaceOf = (Obj, Field);

impl Engine<'_, '_> {
    /// Tells the rules every certain overwrite.
    pub(super) fn find_kills(&mut self, solved: &PointsTo) {
        let values = values(solved);
        let mut kills: FxHashSet<(Ctx, Point, Obj, Field)> = FxHashSet::default();
        let by_func = Self::contexts(solved);
        let contexts = |point: Point| {
            let func = self.bodies.at(point).map(|(body, _)| body.func);
            func.and_then(|func| by_func.get(&func)).into_iter().flatten().copied()
        };
        for points_to::StoresPlace(point, object, field, _) in &self.facts.stores_place {
            if self.is_single(*object) {
                kills.extend(contexts(*point).map(|ctx| (ctx, *point, *object, *field)));
            }
        }
        for points_to::StoresAttribute(point, base, field, _) in &self.facts.stores_attribute {
            for ctx in contexts(*point) {
                if let Some(object) = only(&values, ctx, *base).filter(|object| self.is_single(*object)) {
                    kills.insert((ctx, *point, object, *field));
                }
            }
        }
        for points_to::StoresItem(point, base, key, _) in &self.facts.stores_item {
            for ctx in contexts(*point) {
                let container = only(&values, ctx, *base).filter(|object| self.is_single(*object));
                let key = only(&values, ctx, *key).filter(|key| is_constant(*key)).map(item_of);
                if let (Some(object), Some(field)) = (container, key.filter(|field| field.as_key().is_some())) {
                    kills.insert((ctx, *point, object, field));
                }
            }
        }
        self.find_guards(solved, &values, &mut kills);
        self.find_kills_of_calls(solved, &mut kills);
        let mut kills: Vec<_> = kills.into_iter().collect();
        kills.sort_unstable();
        self.facts
            .kills
            .extend(kills.into_iter().map(|(ctx, point, object, field)| taint::Kills(ctx, point, object, field)));
    }

    /// The contexts that each body runs in.
    fn contexts(solved: &PointsTo) -> FxHashMap<Func, Vec<Ctx>> {
        let mut contexts: FxHashMap<Func, Vec<Ctx>> = FxHashMap::default();
        for points_to::Reachable(ctx, func) in &solved.reachable {
            contexts.entry(*func).or_default().push(*ctx);
        }
        contexts
    }

    /// Whether an abstract object stands for one object only.
    fn is_single(&self, object: Obj) -> bool {
        match self.world.entity(object) {
            Some(Entity::Cells(..) | Entity::Raised | Entity::Stopped | Entity::Outside(_)) => false,
            Some(_) => true,
            // What a live frame makes outside of loops is made once: live frames run once.
            None => {
                object.is_allocated()
                    && object.ctx() == Ctx::LIVE
                    && object.point().is_some_and(|point| self.runs_once(point))
            }
        }
    }

    fn runs_once(&self, point: Point) -> bool {
        let at = self.bodies.at(point).filter(|_| !self.bodies.is_callback(point));
        at.is_some_and(|(body, node)| body.is_live && !body.ssa.in_loop[node])
    }

    /// Behind a call that only enters guards, its arguments are clean, and the places that they were read from.
    fn find_guards(
        &mut self,
        solved: &PointsTo,
        values: &FxHashMap<(Ctx, Var), Vec<Obj>>,
        kills: &mut FxHashSet<(Ctx, Point, Obj, Field)>,
    ) {
        let truths = self.world.library("builtins.bool");
        let truths = Truths::new(solved, truths);
        let mut guarded = Vec::new();
        let mut read: Vec<(Ctx, Point, ReadPlace)> = Vec::new();
        for body in self.bodies.iter() {
            for (id, node) in body.ssa.body.nodes.iter().enumerate() {
                let (Kind::Guarded { call, answer, .. } | Kind::GuardedPlaces { call, answer }) = &node.kind else {
                    continue;
                };
                if answer.is_some_and(|answer| !is_answer(body, answer, *call)) {
                    continue;
                }
                for ctx in self.guarding_contexts(solved, body.point(*call)) {
                    if answer.is_none() && truths.may_be_given(values, ctx, body, *call) {
                        continue;
                    }
                    match &node.kind {
                        Kind::Guarded { dst, src, .. } if body.ssa.body.nodes[*call].kind.uses().contains(src) => {
                            guarded.push(taint::Guarded(ctx, body.var(*dst), body.var(*src)));
                        }
                        Kind::GuardedPlaces { .. } => {
                            let places = read_places(body, *call).into_iter();
                            read.extend(places.map(|place| (ctx, body.point(id), place)));
                        }
                        _ => {}
                    }
                }
            }
        }
        self.facts.guarded.extend(guarded);
        for (ctx, point, place) in read {
            let (object, field) = match place {
                ReadPlace::Global(file, name) => {
                    let module = self.world.module_of(file);
                    (Some(self.world.object(Entity::Module(module))), Some(self.world.attribute(&name)))
                }
                ReadPlace::Attribute(base, name) => (only(values, ctx, base), Some(self.world.attribute(&name))),
                ReadPlace::Item(base, key) => {
                    let key = only(values, ctx, key).filter(|key| is_constant(*key)).map(item_of);
                    (only(values, ctx, base), key.filter(|field| field.as_key().is_some()))
                }
            };
            if let (Some(object), Some(field)) = (object.filter(|object| self.is_single(*object)), field) {
                kills.insert((ctx, point, object, field));
            }
        }
    }

    /// Contexts in which a call enters nothing but guards.
    fn guarding_contexts(&self, solved: &PointsTo, call: Point) -> Vec<Ctx> {
        let targets: Vec<(Ctx, Func)> = solved
            .call_to
            .iter()
            .filter(|points_to::CallTo(_, point, ..)| *point == call)
            .map(|points_to::CallTo(ctx, _, _, _, func, _)| (*ctx, *func))
            .collect();
        let mut contexts: Vec<Ctx> = targets.iter().map(|(ctx, _)| *ctx).collect();
        contexts.sort_unstable();
        contexts.dedup();
        let unknown = |ctx: Ctx| solved.unknown_call.contains(&points_to::UnknownCall(ctx, call));
        contexts.retain(|ctx| {
            !unknown(*ctx) && targets.iter().filter(|(of, _)| of == ctx).all(|(_, func)| self.is_guard(*func))
        });
        contexts
    }

    /// A place that a callee may overwrite does not flow around the call: it flows through it, and comes back where it was
    /// not overwritten.
    fn find_kills_of_calls(&self, solved: &PointsTo, kills: &mut FxHashSet<(Ctx, Point, Obj, Field)>) {
        let deferred: FxHashSet<Func> = self.facts.deferred.iter().map(|points_to::Deferred(func, _)| *func).collect();
        let mut targets: FxHashMap<(Ctx, Point), Vec<(Ctx, Func)>> = FxHashMap::default();
        let mut leaks: FxHashSet<(Ctx, Point)> = FxHashSet::default();
        for points_to::CallTo(ctx, point, inner, _, func, _) in &solved.call_to {
            if deferred.contains(func) {
                leaks.insert((*ctx, *point));
            }
            targets.entry((*ctx, *point)).or_default().push((*inner, *func));
        }
        leaks.extend(solved.model_call.iter().map(|points_to::ModelCall(ctx, point, ..)| (*ctx, *point)));
        leaks.extend(solved.unknown_call.iter().map(|points_to::UnknownCall(ctx, point)| (*ctx, *point)));
        targets.retain(|call, _| !leaks.contains(call));
        targets.retain(|(_, point), _| self.only_calls(*point));
        let mut within: FxHashMap<(Ctx, Func), FxHashSet<PlaceOf>> = FxHashMap::default();
        let owner = |point: Point| self.bodies.at(point).map(|(body, _)| body.func);
        for (ctx, point, object, field) in kills.iter() {
            if let Some(func) = owner(*point) {
                within.entry((*ctx, func)).or_default().insert((*object, *field));
            }
        }
        let mut calls: Vec<_> = targets.into_iter().collect();
        calls.sort_unstable();
        let mut changed = true;
        while changed {
            changed = false;
            for ((ctx, point), entered) in &calls {
                let mut places: FxHashSet<PlaceOf> = FxHashSet::default();
                for target in entered {
                    places.extend(within.get(target).into_iter().flatten().copied());
                }
                let Some(func) = owner(*point) else { continue };
                let known = within.entry((*ctx, func)).or_default();
                for place in places {
                    changed |= known.insert(place);
                    kills.insert((*ctx, *point, place.0, place.1));
                }
            }
        }
    }

    /// Whether the instruction does nothing but enter what it calls; what library code calls may not run at all.
    fn only_calls(&self, point: Point) -> bool {
        matches!(self.bodies.kind(point), Some(Kind::Call { .. }))
    }
}

/// A place that an argument of a call was read from.
enum ReadPlace {
    Global(FileId, Name),
    Attribute(Var, Name),
    Item(Var, Var),
}

/// The places that are written as arguments of a call.
fn read_places(body: &Placed, call: NodeId) -> Vec<ReadPlace> {
    let nodes = &body.ssa.body.nodes;
    let Kind::Call { arguments, .. } = &nodes[call].kind else { return Vec::new() };
    let is_read_for =
        |node: &Node, slot: Slot| node.kind.defines() == Some(slot) && nodes[call].span.contains(node.span);
    let place = |node: &Node| match &node.kind {
        Kind::LoadGlobal { name, .. } => Some(ReadPlace::Global(body.file, name.clone())),
        Kind::LoadAttribute { base, name, .. } => Some(ReadPlace::Attribute(body.var(*base), name.clone())),
        Kind::LoadItem { base, key, .. } => Some(ReadPlace::Item(body.var(*base), body.var(*key))),
        _ => None,
    };
    let read = arguments.iter().filter_map(|argument| nodes.iter().find(|node| is_read_for(node, argument.value)));
    read.filter_map(place).collect()
}

/// Whether a value is what the call gave, and nothing else.
fn is_answer(body: &Placed, answer: Slot, call: NodeId) -> bool {
    let nodes = &body.ssa.body.nodes;
    let mut answer = answer;
    for _ in 0..nodes.len() {
        if nodes[call].kind.defines() == Some(answer) {
            return true;
        }
        let writer = nodes.iter().find(|node| node.kind.defines() == Some(answer));
        match writer.map(|node| &node.kind) {
            Some(Kind::Copy { src, .. }) => answer = *src,
            _ => return false,
        }
    }
    false
}

/// What may be a boolean.
struct Truths {
    truths: FxHashSet<Obj>,
    told: FxHashSet<Obj>,
}

impl Truths {
    fn new(solved: &PointsTo, class: Obj) -> Self {
        let mut known = Truths { truths: FxHashSet::default(), told: FxHashSet::default() };
        for points_to::ClassOf(object, of) in &solved.class_of {
            known.told.insert(*object);
            if *of == class {
                known.truths.insert(*object);
            }
        }
        known
    }

    /// Whether a call may give one: then it says something, and somebody has to look.
    fn may_be_given(&self, values: &FxHashMap<(Ctx, Var), Vec<Obj>>, ctx: Ctx, body: &Placed, call: NodeId) -> bool {
        let result = body.ssa.body.nodes[call].kind.defines().map(|slot| body.var(slot));
        let objects = result.and_then(|var| values.get(&(ctx, var)));
        objects.into_iter().flatten().any(|object| self.truths.contains(object) || !self.told.contains(object))
    }
}

fn values(solved: &PointsTo) -> FxHashMap<(Ctx, Var), Vec<Obj>> {
    let mut values: FxHashMap<(Ctx, Var), Vec<Obj>> = FxHashMap::default();
    for points_to::VarPointsTo(ctx, var, object) in &solved.var_points_to {
        values.entry((*ctx, *var)).or_default().push(*object);
    }
    values
}

/// The one object that a variable holds.
fn only(values: &FxHashMap<(Ctx, Var), Vec<Obj>>, ctx: Ctx, var: Var) -> Option<Obj> {
    match values.get(&(ctx, var))?.as_slice() {
        [object] => Some(*object),
        _ => None,
    }
}
