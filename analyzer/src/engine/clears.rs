//! Containers that certainly lose what they held: all of it, or one entry.

#![allow(
    clippy::iter_over_hash_type,
    reason = "what is gathered goes into sets and maps, or is sorted before it is used"
)]

use healguard_rules::points_to;
use healguard_rules::schema::{Ctx, Field, Func, Model, Obj, Point, Port, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::Kind;
use crate::solve::PointsTo;

use super::Engine;
use super::kills::{Values, exact_item};
use super::single::Once;

/// Containers that hold nothing but their items and keys.
const CONTAINERS: [&str; 6] = [
    "builtins.list",
    "builtins.dict",
    "builtins.set",
    "builtins.bytearray",
    "collections.OrderedDict",
    "collections.Counter",
];

impl Engine<'_, '_> {
    /// Every certain emptying; entries that are certainly taken out are kills.
    pub(super) fn find_clears(
        &self,
        solved: &PointsTo,
        values: &Values,
        once: &Once,
        kills: &mut FxHashSet<(Ctx, Point, Obj, Field)>,
    ) -> Vec<(Ctx, Point, Obj)> {
        let containers = self.objects_of(solved, &CONTAINERS);
        let is_known = |object: &Obj| containers.contains(object) && self.is_single(once, *object);
        let mut clears = Vec::new();
        for (ctx, point, base) in self.whole_slices(solved) {
            let object = values.only(ctx, base).filter(is_known);
            clears.extend(object.map(|object| (ctx, point, object)));
        }
        let keys = selecting_keys(solved, &self.facts.model_selects);
        for (ctx, point, model, receiver) in self.certain_model_calls(solved) {
            if !is_known(&receiver) {
                continue;
            }
            if self.emptying.contains(&model) {
                clears.push((ctx, point, receiver));
            }
            let key = keys.get(&(ctx, point, model)).filter(|_| self.removing.contains(&model));
            let field = key.and_then(|keys| exact_item(*keys.first().filter(|_| keys.len() == 1)?));
            kills.extend(field.map(|field| (ctx, point, receiver, field)));
        }
        clears
    }

    /// `del xs[:]` and `xs[:] = ys`.
    fn whole_slices(&self, solved: &PointsTo) -> Vec<(Ctx, Point, Var)> {
        let by_func: FxHashMap<Func, Vec<Ctx>> = Self::contexts(solved);
        let calling = super::kills::calling(solved);
        let mut found = Vec::new();
        for body in self.bodies.iter() {
            for (id, node) in body.ssa.body.nodes.iter().enumerate() {
                let (Kind::StoreSlice { base, bounds, .. } | Kind::DeleteSlice { base, bounds, .. }) = &node.kind
                else {
                    continue;
                };
                let point = body.point(id);
                let contexts = by_func.get(&body.func).into_iter().flatten().filter(|_| bounds.is_empty());
                let plain = contexts.filter(|ctx| !calling.contains(&(**ctx, point)));
                found.extend(plain.map(|ctx| (*ctx, point, body.var(*base))));
            }
        }
        found
    }

    /// Calls of the program that are calls of one library function, and do nothing else.
    fn certain_model_calls(&self, solved: &PointsTo) -> Vec<(Ctx, Point, Model, Obj)> {
        let mut invoked: FxHashMap<(Ctx, Point), usize> = FxHashMap::default();
        for points_to::Invokes(ctx, point, ..) in &solved.invokes {
            *invoked.entry((*ctx, *point)).or_default() += 1;
        }
        let unknown: FxHashSet<_> = solved.unknown_call.iter().map(|points_to::UnknownCall(c, p)| (*c, *p)).collect();
        let calls = solved.model_call.iter().map(|points_to::ModelCall(c, p, model, object)| (*c, *p, *model, *object));
        calls
            .filter(|(ctx, point, ..)| self.only_calls(*point) && invoked.get(&(*ctx, *point)) == Some(&1))
            .filter(|(ctx, point, ..)| !unknown.contains(&(*ctx, *point)))
            .collect()
    }
}

/// What may stand at the port that selects an entry.
fn selecting_keys(solved: &PointsTo, selects: &[points_to::ModelSelects]) -> FxHashMap<(Ctx, Point, Model), Vec<Obj>> {
    let selects: FxHashSet<(Model, Port)> = selects.iter().map(|points_to::ModelSelects(m, a)| (*m, *a)).collect();
    let mut keys: FxHashMap<(Ctx, Point, Model), Vec<Obj>> = FxHashMap::default();
    for points_to::PortHolds(ctx, point, model, port, object) in &solved.port_holds {
        if selects.contains(&(*model, *port)) {
            keys.entry((*ctx, *point, *model)).or_default().push(*object);
        }
    }
    keys
}
