//! Strong updates: where a place is certainly overwritten, and which guards certainly ran.

#![allow(
    clippy::iter_over_hash_type,
    reason = "what is gathered goes into sets and maps, or is sorted before it is used"
)]

use healguard_rules::schema::{Ctx, Field, Func, Obj, Point, Var, is_constant, item_of};
use healguard_rules::{points_to, taint};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::Kind;
use crate::solve::PointsTo;
use crate::world::Entity;

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
            Some(Entity::Cells(..) | Entity::Raised | Entity::Outside(_)) => false,
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

    /// Behind a call that only enters guards, its arguments are clean.
    fn find_guards(
        &mut self,
        solved: &PointsTo,
        values: &FxHashMap<(Ctx, Var), Vec<Obj>>,
        kills: &mut FxHashSet<(Ctx, Point, Obj, Field)>,
    ) {
        let mut guarded = Vec::new();
        let mut checked: Vec<(Point, Point, Var, String)> = Vec::new();
        for body in self.bodies.iter() {
            for (id, node) in body.ssa.body.nodes.iter().enumerate() {
                match &node.kind {
                    Kind::Guarded { dst, src, call } => {
                        let call = body.point(*call);
                        for ctx in self.guarding_contexts(solved, call) {
                            guarded.push(taint::Guarded(ctx, body.var(*dst), body.var(*src)));
                        }
                    }
                    Kind::GuardedAttribute { base, name, call } => {
                        checked.push((body.point(id), body.point(*call), body.var(*base), name.to_string()));
                    }
                    _ => {}
                }
            }
        }
        self.facts.guarded.extend(guarded);
        for (point, call, base, name) in checked {
            let field = self.world.attribute(&name);
            for ctx in self.guarding_contexts(solved, call) {
                if let Some(object) = only(values, ctx, base).filter(|object| self.is_single(*object)) {
                    kills.insert((ctx, point, object, field));
                }
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
