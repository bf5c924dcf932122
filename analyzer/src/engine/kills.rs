//! Strong updates: where a place is certainly overwritten, and which guards certainly ran.

#![allow(
    clippy::iter_over_hash_type,
    reason = "what is gathered goes into sets and maps, or is sorted before it is used"
)]

use std::collections::BTreeSet;

use healguard_rules::schema::{Ctx, Field, Func, Obj, Point, Var, is_constant, item_of};
use healguard_rules::{effects, points_to, taint};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::bodies::Placed;
use crate::ir::{Kind, Name, Node, NodeId, Slot};
use crate::solve::PointsTo;
use crate::world::{Entity, FileId};

use super::Engine;
use super::single::Once;

/// A place, or everything that a container holds.
type Overwritten = (Obj, Option<Field>);

impl Engine<'_, '_> {
    /// Tells the rules every certain overwrite.
    pub(super) fn find_kills(&mut self, solved: &PointsTo) {
        let values = Values::new(solved);
        let once = self.entered_once(solved);
        let mut kills: FxHashSet<(Ctx, Point, Obj, Field)> = FxHashSet::default();
        let by_func = Self::contexts(solved);
        let contexts = |point: Point| {
            let func = self.bodies.at(point).map(|(body, _)| body.func);
            func.and_then(|func| by_func.get(&func)).into_iter().flatten().copied()
        };
        let single = |ctx, var| values.only(ctx, var).filter(|object| self.is_single(&once, *object));
        // What a setter or another special method does with the value is its own affair.
        let calling = calling(solved);
        let is_plain = |ctx, point| !calling.contains(&(ctx, point));
        for points_to::StoresPlace(point, object, field, _) in &self.facts.stores_place {
            if self.is_single(&once, *object) {
                kills.extend(contexts(*point).map(|ctx| (ctx, *point, *object, *field)));
            }
        }
        let stored = self.facts.stores_attribute.iter().map(|points_to::StoresAttribute(p, b, x, _)| (*p, *b, *x));
        let deleted = self.facts.deletes_attribute.iter().map(|points_to::DeletesAttribute(p, b, x)| (*p, *b, *x));
        for (point, base, field) in stored.chain(deleted) {
            for ctx in contexts(point).filter(|ctx| is_plain(*ctx, point)) {
                kills.extend(single(ctx, base).map(|object| (ctx, point, object, field)));
            }
        }
        // The bounds of a slice are no keys.
        let is_slice = |point| matches!(self.bodies.kind(point), Some(Kind::StoreSlice { .. }));
        for points_to::StoresItem(point, base, key, _) in self.facts.stores_item.iter().filter(|s| !is_slice(s.0)) {
            for ctx in contexts(*point).filter(|ctx| is_plain(*ctx, *point)) {
                let key = values.only(ctx, *key).and_then(exact_item);
                kills.extend(single(ctx, *base).zip(key).map(|(object, field)| (ctx, *point, object, field)));
            }
        }
        let dictionaries = self.objects_of(solved, &["builtins.dict"]);
        for effects::DeletesItem(point, base, key) in &self.facts.deletes_item {
            for ctx in contexts(*point).filter(|ctx| is_plain(*ctx, *point)) {
                let container = single(ctx, *base).filter(|object| dictionaries.contains(object));
                let key = values.only(ctx, *key).and_then(exact_item);
                kills.extend(container.zip(key).map(|(object, field)| (ctx, *point, object, field)));
            }
        }
        let clears = self.find_clears(solved, &values, &once, &mut kills);
        self.find_guards(solved, &values, &once, &mut kills);
        let kills = kills.into_iter().map(|(ctx, point, object, field)| (ctx, point, (object, Some(field))));
        let clears = clears.into_iter().map(|(ctx, point, object)| (ctx, point, (object, None)));
        let mut overwrites: BTreeSet<(Ctx, Point, Overwritten)> = kills.chain(clears).collect();
        self.find_overwriting_calls(solved, &mut overwrites);
        for (ctx, point, (object, field)) in overwrites {
            match field {
                Some(field) => self.facts.kills.push(taint::Kills(ctx, point, object, field)),
                None => self.facts.clears.push(taint::Clears(ctx, point, object)),
            }
        }
    }

    /// The contexts that each body runs in.
    pub(super) fn contexts(solved: &PointsTo) -> FxHashMap<Func, Vec<Ctx>> {
        let mut contexts: FxHashMap<Func, Vec<Ctx>> = FxHashMap::default();
        for points_to::Reachable(ctx, func) in &solved.reachable {
            contexts.entry(*func).or_default().push(*ctx);
        }
        contexts
    }

    /// The objects that are of one of these classes of the library, and not of a class below.
    pub(super) fn objects_of(&self, solved: &PointsTo, classes: &[&str]) -> FxHashSet<Obj> {
        let classes: Vec<Obj> = classes.iter().filter_map(|class| self.world.known_library(class)).collect();
        let (mut known, mut others) = (FxHashSet::default(), FxHashSet::default());
        for points_to::ClassOf(object, class) in &solved.class_of {
            let set = if classes.contains(class) { &mut known } else { &mut others };
            set.insert(*object);
        }
        known.difference(&others).copied().collect()
    }

    /// Behind a call that only enters guards, its arguments are clean, and the places that they were read from.
    fn find_guards(
        &mut self,
        solved: &PointsTo,
        values: &Values,
        once: &Once,
        kills: &mut FxHashSet<(Ctx, Point, Obj, Field)>,
    ) {
        let truths = self.world.library("builtins.bool");
        let truths = Truths::new(solved, truths);
        let guarding = self.guarding_calls(solved);
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
                for ctx in guarding.get(&body.point(*call)).into_iter().flatten().copied() {
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
                ReadPlace::Attribute(base, name) => (values.only(ctx, base), Some(self.world.attribute(&name))),
                ReadPlace::Item(base, key) => (values.only(ctx, base), values.only(ctx, key).and_then(exact_item)),
            };
            if let (Some(object), Some(field)) = (object.filter(|object| self.is_single(once, *object)), field) {
                kills.insert((ctx, point, object, field));
            }
        }
    }

    /// The calls that enter nothing but guards, with the contexts in which they do.
    fn guarding_calls(&self, solved: &PointsTo) -> FxHashMap<Point, Vec<Ctx>> {
        let mut calls: FxHashMap<(Ctx, Point), bool> = FxHashMap::default();
        for points_to::CallTo(ctx, point, _, _, func, _) in &solved.call_to {
            *calls.entry((*ctx, *point)).or_insert(true) &= self.is_guard(*func);
        }
        let mut guarding: FxHashMap<Point, Vec<Ctx>> = FxHashMap::default();
        for ((ctx, point), _) in calls.into_iter().filter(|(_, enters_guards)| *enters_guards) {
            if !solved.unknown_call.contains(&points_to::UnknownCall(ctx, point)) {
                guarding.entry(point).or_default().push(ctx);
            }
        }
        guarding.values_mut().for_each(|contexts| contexts.sort_unstable());
        guarding
    }

    /// A place that a callee may overwrite does not flow around the call: it flows through it, and comes back where it was
    /// not overwritten.
    fn find_overwriting_calls(&self, solved: &PointsTo, overwrites: &mut BTreeSet<(Ctx, Point, Overwritten)>) {
        let deferred: FxHashSet<Func> = self.facts.deferred.iter().map(|points_to::Deferred(func, _)| *func).collect();
        let mut leaks: FxHashSet<(Ctx, Point)> = FxHashSet::default();
        let mut entering: FxHashMap<(Ctx, Func), FxHashSet<(Ctx, Point)>> = FxHashMap::default();
        for points_to::CallTo(ctx, point, inner, _, func, _) in &solved.call_to {
            if deferred.contains(func) {
                leaks.insert((*ctx, *point));
            }
            entering.entry((*inner, *func)).or_default().insert((*ctx, *point));
        }
        leaks.extend(solved.model_call.iter().map(|points_to::ModelCall(ctx, point, ..)| (*ctx, *point)));
        leaks.extend(solved.unknown_call.iter().map(|points_to::UnknownCall(ctx, point)| (*ctx, *point)));
        for calls in entering.values_mut() {
            calls.retain(|call| !leaks.contains(call) && self.only_calls(call.1));
        }
        // Whatever a body overwrites, so do the calls that enter it, and with them the bodies that these stand in.
        let mut open: Vec<(Ctx, Point, Overwritten)> = overwrites.iter().copied().collect();
        let mut within: FxHashSet<(Ctx, Func, Overwritten)> = FxHashSet::default();
        while let Some((ctx, point, place)) = open.pop() {
            let Some(func) = self.bodies.at(point).map(|(body, _)| body.func) else { continue };
            if !within.insert((ctx, func, place)) {
                continue;
            }
            for (ctx, point) in entering.get(&(ctx, func)).into_iter().flatten() {
                overwrites.insert((*ctx, *point, place));
                open.push((*ctx, *point, place));
            }
        }
    }

    /// Whether the instruction does nothing but enter what it calls; what library code calls may not run at all.
    pub(super) fn only_calls(&self, point: Point) -> bool {
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
fn is_answer(body: &Placed, mut answer: Slot, call: NodeId) -> bool {
    let nodes = &body.ssa.body.nodes;
    for _ in 0..nodes.len() {
        match body.ssa.definition(answer) {
            Some(definition) if definition == call => return true,
            Some(definition) => match &nodes[definition].kind {
                Kind::Copy { src, .. } => answer = *src,
                _ => return false,
            },
            None => return false,
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
    fn may_be_given(&self, values: &Values, ctx: Ctx, body: &Placed, call: NodeId) -> bool {
        let result = body.ssa.body.nodes[call].kind.defines().map(|slot| body.var(slot));
        let objects = result.map(|var| values.of(ctx, var)).unwrap_or_default();
        objects.iter().any(|object| self.truths.contains(object) || !self.told.contains(object))
    }
}

/// Instructions that call something.
pub(super) fn calling(solved: &PointsTo) -> FxHashSet<(Ctx, Point)> {
    let entered = solved.call_to.iter().map(|points_to::CallTo(ctx, point, ..)| (*ctx, *point));
    let unknown = solved.unknown_call.iter().map(|points_to::UnknownCall(ctx, point)| (*ctx, *point));
    let library = solved.model_call.iter().map(|points_to::ModelCall(ctx, point, ..)| (*ctx, *point));
    entered.chain(unknown).chain(library).collect()
}

/// The one item that a key selects.
pub(super) fn exact_item(key: Obj) -> Option<Field> {
    let field = is_constant(key).then(|| item_of(key));
    field.filter(|field| field.as_key().is_some())
}

/// What variables hold.
pub(super) struct Values(FxHashMap<(Ctx, Var), Vec<Obj>>);

impl Values {
    pub(super) fn new(solved: &PointsTo) -> Self {
        let mut values: FxHashMap<(Ctx, Var), Vec<Obj>> = FxHashMap::default();
        for points_to::VarPointsTo(ctx, var, object) in &solved.var_points_to {
            values.entry((*ctx, *var)).or_default().push(*object);
        }
        Values(values)
    }

    /// Everything that a variable may hold.
    pub(super) fn of(&self, ctx: Ctx, var: Var) -> &[Obj] {
        self.0.get(&(ctx, var)).map(Vec::as_slice).unwrap_or_default()
    }

    /// The one object that a variable holds.
    pub(super) fn only(&self, ctx: Ctx, var: Var) -> Option<Obj> {
        match self.of(ctx, var) {
            [object] => Some(*object),
            _ => None,
        }
    }
}
