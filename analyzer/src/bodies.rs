//! Bodies that have been given numbers, and how to find the one that a number belongs to.

use std::collections::BTreeSet;

use healguard_rules::schema::{Func, Point, Var};
use healguard_rules::taint;
use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};

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
    /// Edges that nothing shows control to take; they are left out.
    pub dead: DeadEdges,
    told: Told,
}

/// Edges of a body that control does not take. One from an instruction to itself stands for those to its handlers: it raises
/// nothing.
pub type DeadEdges = BTreeSet<(NodeId, NodeId)>;

/// What the rules know of a body.
#[derive(Debug, Default)]
struct Told {
    nodes: BTreeSet<NodeId>,
    joins: BTreeSet<(Var, Var)>,
}

impl Placed {
    /// A body of a file, with its first point and its first variable.
    pub fn new(func: Func, (file, body): (FileId, BodyId), (point, var): (u32, u32), ssa: SsaBody) -> Self {
        Placed {
            func,
            file,
            body,
            ssa,
            first_point: point,
            first_var: var,
            is_live: false,
            locals: IndexMap::new(),
            healing_file: None,
            dead: DeadEdges::new(),
            told: Told::default(),
        }
    }

    /// Leaves out every edge that something may show to be dead.
    pub fn begin(&mut self) {
        for (id, node) in self.ssa.body.nodes.iter().enumerate().filter(|(id, _)| self.ssa.reachable[*id]) {
            // Whether a variable is bound is told with its reads.
            if may_raise(&node.kind) && !matches!(node.kind, Kind::Bound { .. }) {
                self.dead.insert((id, id));
            }
            if let (Kind::Branch { .. } | Kind::Test { .. }, [if_true, if_false]) = (&node.kind, self.ssa.fork(id))
                && if_true != if_false
            {
                self.dead.extend([(id, *if_true), (id, *if_false)]);
            }
        }
        self.ssa.cut(&self.dead);
    }

    /// Leaves out these edges and no others.
    pub fn leave_out(&mut self, dead: DeadEdges) {
        self.dead = dead;
        self.ssa.cut(&self.dead);
    }

    /// Instructions that control may come to, and values that may arrive at joins, as far as they were not taken before.
    pub fn take_new(&mut self) -> (Vec<NodeId>, Vec<(Var, Var)>) {
        let nodes = (0..self.ssa.body.nodes.len()).filter(|node| self.ssa.reachable[*node]);
        let nodes: Vec<NodeId> = nodes.filter(|node| !self.told.nodes.contains(node)).collect();
        let joins: Vec<(Var, Var)> = self.joins().filter(|join| !self.told.joins.contains(join)).collect();
        self.told.nodes.extend(&nodes);
        self.told.joins.extend(&joins);
        (nodes, joins)
    }

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
    fn joins(&self) -> impl Iterator<Item = (Var, Var)> + '_ {
        let phis = self.ssa.phis.iter();
        phis.flat_map(|phi| phi.values().into_iter().map(|source| (self.var(phi.dst), self.var(source))))
    }

    /// The first instruction from here on that an object may matter to.
    pub fn awake(&self, mut node: NodeId, marked: &FxHashSet<Point>) -> NodeId {
        let nodes = &self.ssa.body.nodes;
        let is_passed = |id: NodeId| {
            matches!(nodes[id].kind, Kind::Join | Kind::Constant { .. } | Kind::Copy { .. } | Kind::Merge { .. })
                && nodes[id].handlers.is_empty()
                && !nodes[id].healed
                && !marked.contains(&self.point(id))
        };
        let mut steps = 0..nodes.len();
        while let ([next], Some(_)) = (nodes[node].successors.as_slice(), steps.next().filter(|_| is_passed(node))) {
            node = *next;
        }
        node
    }

    /// Facts about where control goes, what raises, and what decides that.
    /// `marked` points are protected themselves.
    pub fn tell_control(&self, marked: &FxHashSet<Point>, facts: &mut Facts) {
        let ssa = &self.ssa;
        let point = |node: &NodeId| self.point(*node);
        for (id, node) in ssa.body.nodes.iter().enumerate().filter(|(id, _)| ssa.reachable[*id]) {
            let is_quiet =
                ssa.silent.contains(&id) || matches!(node.kind, Kind::Bound { .. }) && !ssa.is_unbound_read(id);
            if may_raise(&node.kind) && !is_quiet {
                facts.may_raise.push(taint::MayRaise(self.point(id)));
            }
            for to in &node.successors {
                facts.edge.push(taint::Edge(self.point(id), point(to)));
                facts.onward.push(taint::Onward(self.point(id), point(&self.awake(*to, marked))));
            }
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

    /// Leaves out these edges, and no others, of the body with this place among all.
    pub fn leave_out(&mut self, at: usize, dead: DeadEdges) {
        self.placed[at].leave_out(dead);
    }

    /// What [`Placed::take_new`] gives for the body with this place among all.
    pub fn take_new(&mut self, at: usize) -> (Vec<NodeId>, Vec<(Var, Var)>) {
        self.placed[at].take_new()
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Placed> {
        self.placed.iter_mut()
    }

    /// The body of a function.
    pub fn of_func(&self, func: Func) -> Option<&Placed> {
        self.by_func.get(&func).map(|at| &self.placed[*at])
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
