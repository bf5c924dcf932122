//! Abstract objects that stand for one object only: a store to them is a strong update.

#![allow(
    clippy::iter_over_hash_type,
    reason = "what is gathered goes into sets and maps, or is sorted before it is used"
)]

use healguard_rules::points_to;
use healguard_rules::schema::{Ctx, Func, Obj, Point, Shift};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::Kind;
use crate::solve::PointsTo;
use crate::world::Entity;

use super::Engine;

/// A call that enters a body.
pub(super) type Entry = (Ctx, Point, Shift);

/// What is entered at most once, live frames aside.
#[derive(Default)]
pub(super) struct Once {
    /// Bodies, in a context.
    bodies: FxHashSet<(Ctx, Func)>,
    /// Bodies, in all contexts together.
    anywhere: FxHashSet<Func>,
}

impl Engine<'_, '_> {
    /// Whether an abstract object stands for one object only.
    pub(super) fn is_single(&self, once: &Once, object: Obj) -> bool {
        match self.world.entity(object) {
            Some(Entity::Cells(..) | Entity::OwnCells(..) | Entity::Raised | Entity::Stopped | Entity::Outside(_)) => {
                false
            }
            // A class statement that runs several times makes several classes.
            Some(Entity::Class(file, body)) => {
                let body = self.functions.get(&(*file, *body));
                body.is_some_and(|body| once.anywhere.contains(body))
            }
            Some(_) => !self.told.with_members.contains(&object),
            None => {
                object.is_allocated() && object.point().is_some_and(|point| self.runs_once(once, object.ctx(), point))
            }
        }
    }

    /// Whether an instruction runs at most once in a context. The instructions of live frames do, outside of loops.
    fn runs_once(&self, once: &Once, ctx: Ctx, point: Point) -> bool {
        let at = self.bodies.at(point).filter(|_| !self.bodies.is_callback(point));
        at.is_some_and(|(body, node)| {
            let is_entered_once = body.is_live && ctx == Ctx::LIVE || once.bodies.contains(&(ctx, body.func));
            is_entered_once && !body.ssa.in_loop[node]
        })
    }

    /// A body is entered once where one call alone enters it, which itself runs once. A generator has one body for each
    /// call.
    pub(super) fn entered_once(&self, solved: &PointsTo) -> Once {
        let mut entries: FxHashMap<(Ctx, Func), Vec<Entry>> = FxHashMap::default();
        for points_to::CallTo(ctx, point, inner, _, func, shift) in &solved.call_to {
            entries.entry((*inner, *func)).or_default().push((*ctx, *point, *shift));
        }
        let mut contexts: FxHashMap<Func, usize> = FxHashMap::default();
        entries.keys().for_each(|(_, func)| *contexts.entry(*func).or_default() += 1);
        let single = entries.into_iter().filter_map(|(body, calls)| match calls.as_slice() {
            [(ctx, point, shift)] if self.enters_once(*point, *shift) => Some((body, *ctx, *point)),
            _ => None,
        });
        let single: Vec<_> = single.collect();
        let mut once = Once::default();
        // From the live frames inwards: what only enters itself is never found.
        loop {
            let found = single.iter().filter(|(_, ctx, point)| self.runs_once(&once, *ctx, *point));
            let found: FxHashSet<(Ctx, Func)> = found.map(|(body, ..)| *body).collect();
            if found.len() == once.bodies.len() {
                let anywhere = found.iter().map(|(_, func)| *func);
                once.anywhere = anywhere.filter(|func| contexts.get(func) == Some(&1)).collect();
                return once;
            }
            once.bodies = found;
        }
    }

    /// Whether the instruction enters what it calls once when it runs: the program calls, and the program chooses what.
    fn enters_once(&self, point: Point, shift: Shift) -> bool {
        let is_call = matches!(self.bodies.kind(point), Some(Kind::Call { .. } | Kind::Class { .. }));
        is_call && matches!(shift, Shift::NONE | Shift::METHOD | Shift::INITIALIZE)
    }
}
