//! Bodies that have been given numbers, and how to find the one that a number belongs to.

use healguard_rules::schema::{Func, Point, Var};
use healguard_rules::taint;
use indexmap::IndexMap;
use rustc_hash::FxHashMap;

use crate::facts::Facts;
use crate::frontend::may_raise;
use crate::ir::{BodyId, Kind, NodeId, Slot, Span};
use crate::snapshot::Value;
use crate::ssa::SsaBody;
use crate::world::FileId;

/// A body that has been given numbers.
#[derive(Debug)]
pub struct Placed {
    pub func: Func,
    pub file: FileId,
    /// Number of the body in its file; for the rest of a live frame, of the body that it is the rest of.
    pub body: BodyId,
    pub ssa: SsaBody,
    pub first_point: u32,
    pub first_var: u32,
    /// Whether it is the rest of a live frame.
    pub is_live: bool,
    /// Locals of the live frame.
    pub locals: IndexMap<String, Value>,
    /// File of the healing's instructions, where the body has some.
    pub healing_file: Option<FileId>,
}

impl Placed {
    /// The point of an instruction.
    pub fn point(&self, node: NodeId) -> Point {
        Point(self.first_point + node as u32)
    }

    /// The variable of a version.
    pub fn var(&self, slot: Slot) -> Var {
        Var(self.first_var + slot.0)
    }

    /// File and range of an instruction.
    pub fn place(&self, node: NodeId) -> (FileId, Span) {
        let node = &self.ssa.body.nodes[node];
        let file = if node.healed { self.healing_file.unwrap_or(self.file) } else { self.file };
        (file, node.span)
    }

    /// Whether it does anything that may raise but to look attributes of its first parameter up.
    pub fn is_fallible(&self) -> bool {
        let body = &self.ssa.body;
        let receiver = body.parameter_slots.first();
        let is_look_up = |kind: &Kind| matches!(kind, Kind::LoadAttribute { base, .. } if Some(base) == receiver);
        let mut nodes = body.nodes.iter().enumerate().filter(|(id, _)| self.ssa.reachable[*id]);
        nodes.any(|(_, node)| may_raise(&node.kind) && !is_look_up(&node.kind))
    }

    /// Each join with each value that it may be.
    pub fn joins(&self) -> impl Iterator<Item = (Var, Var)> + '_ {
        let phis = self.ssa.phis.iter();
        phis.flat_map(|phi| phi.values().into_iter().map(|source| (self.var(phi.dst), self.var(source))))
    }

    /// Facts about where control goes and what decides that.
    pub fn tell_control(&self, facts: &mut Facts) {
        let ssa = &self.ssa;
        let point = |node: &NodeId| self.point(*node);
        for (id, node) in ssa.body.nodes.iter().enumerate().filter(|(id, _)| ssa.reachable[*id]) {
            facts.edge.extend(node.successors.iter().map(|to| taint::Edge(self.point(id), point(to))));
            facts.handler.extend(node.handlers.iter().map(|to| taint::Handler(self.point(id), point(to))));
        }
        facts.controls.extend(ssa.controls.iter().map(|(branch, node)| taint::Controls(point(branch), point(node))));
        facts.bound_by.extend(ssa.bound_by.iter().map(|(read, branch)| taint::BoundBy(point(read), point(branch))));
        facts.recovers.extend(ssa.recovers.iter().map(|node| taint::Recovers(point(node))));
        let if_caught = ssa.controls_if_caught.iter();
        facts
            .controls_if_caught
            .extend(if_caught.map(|(branch, node)| taint::ControlsIfCaught(point(branch), point(node))));
        for phi in &ssa.phis {
            facts.gate.extend(phi.gates.iter().map(|gate| taint::Gate(self.var(phi.dst), point(gate))));
        }
    }
}

/// All placed bodies, in the order of their numbers.
#[derive(Debug, Default)]
pub struct Bodies {
    placed: Vec<Placed>,
    by_func: FxHashMap<Func, usize>,
    /// Calls that a library function makes, with the instruction that calls the library function.
    callbacks: FxHashMap<Point, Point>,
}

impl Bodies {
    /// Adds a body, whose numbers are higher than all before.
    pub fn add(&mut self, body: Placed) {
        self.by_func.insert(body.func, self.placed.len());
        self.placed.push(body);
    }

    /// Notes that `callback` is a call that the library makes while the instruction at `origin` runs.
    pub fn add_callback(&mut self, callback: Point, origin: Point) {
        let origin = self.origin(origin);
        self.callbacks.insert(callback, origin);
    }

    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.placed.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.placed.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Placed> {
        self.placed.iter()
    }

    /// The body of a function.
    pub fn of_func(&self, func: Func) -> Option<&Placed> {
        self.by_func.get(&func).map(|at| &self.placed[*at])
    }

    /// Each body with what it is called in every run: file, number, and its place among the remains of live frames.
    pub fn with_keys(&self) -> impl Iterator<Item = (&Placed, (FileId, BodyId, Option<usize>))> {
        let mut live = 0..;
        self.placed.iter().map(move |body| {
            let place = if body.is_live { live.next() } else { None };
            (body, (body.file, body.body, place))
        })
    }

    /// How many remains of live frames there are.
    pub fn live_count(&self) -> usize {
        self.placed.iter().filter(|body| body.is_live).count()
    }

    /// The instruction of the program that a point belongs to.
    pub fn origin(&self, point: Point) -> Point {
        self.callbacks.get(&point).copied().unwrap_or(point)
    }

    /// Whether the point is a call that library code makes.
    pub fn is_callback(&self, point: Point) -> bool {
        self.callbacks.contains_key(&point)
    }

    /// Body and instruction of a point.
    pub fn at(&self, point: Point) -> Option<(&Placed, NodeId)> {
        let point = self.origin(point);
        let at = self.placed.partition_point(|body| body.first_point <= point.0);
        let body = &self.placed[at.checked_sub(1)?];
        let node = (point.0 - body.first_point) as usize;
        (node < body.ssa.body.nodes.len()).then_some((body, node))
    }

    /// What the instruction at a point does; calls that library code makes have no instruction.
    pub fn kind(&self, point: Point) -> Option<&Kind> {
        let (body, node) = self.at(point).filter(|_| !self.is_callback(point))?;
        Some(&body.ssa.body.nodes[node].kind)
    }

    /// File and range of the instruction at a point.
    pub fn place(&self, point: Point) -> Option<(FileId, Span)> {
        self.at(point).map(|(body, node)| body.place(node))
    }

    /// The body that a variable belongs to.
    pub fn of_var(&self, var: Var) -> Option<&Placed> {
        let at = self.placed.partition_point(|body| body.first_var <= var.0);
        at.checked_sub(1).map(|at| &self.placed[at])
    }
}
