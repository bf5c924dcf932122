//! What remains of a live frame, as a body of its own.
//!
//! The body starts with the locals that the snapshot holds. In the crashed frame the healing comes next, and then the
//! place where the resume mode goes on; in every other frame the live call returns. A value that the interpreter kept on its stack
//! (the iterator of a loop, an argument that was evaluated already) is computed again from what it was
//! computed from.

mod live_calls;

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::config::ResumeMode;
use crate::frontend::{LoweredHealing, may_raise};
use crate::healed_values::forget_values;
use crate::ir::{Binding, Body, Constant, Kind, Name, Node, NodeId, Slot, Span, StatementId, Unpacked};
use crate::snapshot::Frame;

/// Where a live frame stands.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// Copies of the innermost statement: `finally` bodies are lowered once for each way out.
    pub statements: Vec<StatementId>,
    /// The failing or calling instruction in each copy, where it is known.
    pub nodes: Vec<NodeId>,
    /// The failing or calling expression.
    span: Span,
}

/// What remains of a frame.
#[derive(Debug)]
pub struct Continuation {
    pub body: Body,
    /// Live calls: the frame inside returns here.
    pub resumes: Vec<NodeId>,
    /// Instructions that library code may go on with behind a live call, each with the one that has what the frame inside returned.
    pub goes_on: Vec<(NodeId, NodeId)>,
    /// Instructions that run a second time when the statement is retried.
    pub repeated: Vec<NodeId>,
    /// The last instruction before execution goes on.
    pub healed_at: Option<NodeId>,
    /// Sources of values that were computed again although they may have been others: calls, and variables that may have
    /// changed since.
    pub recomputed: Vec<Span>,
}

/// Finds where a frame stands in its body. `span` is the range of the failing or calling expression.
pub fn standing(body: &Body, span: Span) -> Option<Standing> {
    let around = body.statements.iter().enumerate().filter(|(_, statement)| statement.span.contains(span));
    let (_, innermost) = around.min_by_key(|(_, statement)| statement.span.end - statement.span.start)?;
    let innermost = innermost.span;
    let copies = body.statements.iter().enumerate().filter(|(_, statement)| statement.span == innermost);
    let statements: Vec<StatementId> = copies.map(|(id, _)| id).collect();
    let nodes = statements.iter().filter_map(|statement| failing_node(body, *statement, span)).collect();
    Some(Standing { statements, nodes, span })
}

/// The instruction of a statement that CPython describes by the range of an expression.
fn failing_node(body: &Body, statement: StatementId, span: Span) -> Option<NodeId> {
    let inside = |id: &NodeId| body.nodes[*id].statement == statement && may_raise(&body.nodes[*id].kind);
    let exact = |id: &NodeId| body.nodes[*id].span == span;
    // Of a call that is waited for, the frame inside is found at the waiting.
    let is_call = |id: &NodeId| matches!(body.nodes[*id].kind, Kind::Call { .. } | Kind::Delegate { .. });
    let nodes = || (0..body.nodes.len()).filter(inside);
    nodes().filter(exact).rfind(is_call).or_else(|| nodes().rfind(exact))
}

/// Builds the continuation of a frame.
pub struct Builder<'a> {
    body: Body,
    original: &'a Body,
    frames: &'a [&'a Frame],
    standing: &'a Standing,
    goes_on: Vec<(NodeId, NodeId)>,
    recomputed: Vec<Span>,
    known: FxHashMap<Slot, Slot>,
    tail: NodeId,
}

impl<'a> Builder<'a> {
    /// `frames` are the frames that run in the body: one, or a comprehension's and the one around it, innermost first.
    pub fn new(original: &'a Body, frames: &'a [&'a Frame], standing: &'a Standing) -> Self {
        let mut body = original.clone();
        body.parameter_slots.clear();
        let entry = push(&mut body, Kind::Entry, Span::default(), 0);
        body.entry = entry;
        Builder {
            body,
            original,
            frames,
            standing,
            goes_on: Vec::new(),
            recomputed: Vec::new(),
            known: FxHashMap::default(),
            tail: entry,
        }
    }

    /// The crashed frame: locals, values computed again, the healing, and what the resume mode leaves.
    pub fn healed(mut self, healing: LoweredHealing, mode: ResumeMode) -> Result<Continuation, MissingReturn> {
        let offset = self.append_healing(&healing);
        self.locals();
        let targets = self.targets(mode);
        self.recompute(&targets);
        self.chain_to(healing.first - self.original.nodes.len() + offset);
        self.tail = healing.last - self.original.nodes.len() + offset;
        if mode == ResumeMode::Skip {
            self.stale();
        }
        let healed_at = self.tail;
        match mode {
            ResumeMode::Return => {
                let returned = healing.returned.ok_or(MissingReturn)?;
                self.leave(returned);
            }
            _ => self.body.nodes[healed_at].successors.extend(&targets),
        }
        let repeated = if mode == ResumeMode::Retry { self.repeated() } else { Vec::new() };
        Ok(Continuation {
            body: self.body,
            resumes: Vec::new(),
            goes_on: Vec::new(),
            repeated,
            healed_at: Some(healed_at),
            recomputed: self.recomputed,
        })
    }

    /// Returns from the crashed body: `finally` and `with` run on the way out.
    fn leave(&mut self, returned: Slot) {
        let ways: Vec<(NodeId, Slot)> =
            self.standing.statements.iter().filter_map(|id| self.original.statements[*id].leave).collect();
        let span = self.body.nodes[self.tail].span;
        for (_, slot) in &ways {
            self.append(Kind::Copy { dst: *slot, src: returned }, span);
        }
        if ways.is_empty() {
            let node = self.append(Kind::Return { src: returned }, span);
            let exit = self.body.exit;
            self.body.nodes[node].successors.push(exit);
        }
        let tail = self.tail;
        self.body.nodes[tail].successors.extend(ways.iter().map(|(entry, _)| *entry));
    }

    /// What would have run without the crash: the failing statement, and with `return` everything behind it.
    pub fn abandoned(mut self, mode: ResumeMode) -> Continuation {
        self.locals();
        let targets = self.targets(ResumeMode::Retry);
        self.recompute(&targets);
        self.body.nodes[self.tail].successors.extend(&targets);
        if mode == ResumeMode::Skip {
            for statement in &self.standing.statements {
                let (after, exit) = (self.body.statements[*statement].after, self.body.exit);
                self.body.nodes[after].successors = vec![exit];
            }
        }
        Continuation {
            body: self.body,
            resumes: Vec::new(),
            goes_on: Vec::new(),
            repeated: Vec::new(),
            healed_at: None,
            recomputed: self.recomputed,
        }
    }

    /// A frame around the crashed one: the live call returns, or raises. `inner` is the qualified name of the function inside, empty
    /// where library code stands between.
    pub fn waiting(mut self, inner: &str) -> Continuation {
        self.locals();
        let live = self.live_nodes(inner.rsplit('.').next().unwrap_or_default());
        let resumes = if live.is_empty() {
            self.resume_at_statement()
        } else {
            live.into_iter().map(|node| self.resume_at(node, inner)).collect()
        };
        self.recompute(&resumes);
        self.body.nodes[self.tail].successors.extend(&resumes);
        Continuation {
            body: self.body,
            resumes,
            goes_on: self.goes_on,
            repeated: Vec::new(),
            healed_at: None,
            recomputed: self.recomputed,
        }
    }

    /// A generator that is suspended at a `yield`, or waits for another one at `yield from` or `await`.
    pub fn suspended(mut self) -> Option<Continuation> {
        self.locals();
        let mut targets = Vec::new();
        for statement in self.standing.statements.clone() {
            let is_here = |node: &Node| node.statement == statement && node.span == self.standing.span;
            let waits = |node: &Node| matches!(node.kind, Kind::Yield { .. } | Kind::Delegate { .. });
            targets.extend((0..self.original.nodes.len()).filter(|id| {
                let node = &self.original.nodes[*id];
                is_here(node) && waits(node)
            }));
        }
        let resumed: Vec<NodeId> = targets.into_iter().map(|node| self.behind_yield(node)).collect();
        if resumed.is_empty() {
            return None;
        }
        self.recompute(&resumed);
        self.body.nodes[self.tail].successors.extend(&resumed);
        Some(self.without_calls())
    }

    /// A generator in front of its first statement: its parameters are bound.
    pub fn unstarted(mut self) -> Continuation {
        self.locals();
        let first = self.original.nodes[self.original.entry].successors.clone();
        self.body.nodes[self.tail].successors.extend(&first);
        self.without_calls()
    }

    /// A `yield` gives what is sent, which is unknown. What waits for another generator goes on waiting.
    fn behind_yield(&mut self, node: NodeId) -> NodeId {
        let yielded = self.original.nodes[node].clone();
        let Kind::Yield { dst, .. } = yielded.kind else { return node };
        let is_used = self.original.nodes.iter().any(|other| other.kind.uses().contains(&dst));
        let kind = if is_used { Kind::Opaque { dst, operands: Vec::new() } } else { Kind::Join };
        let sent = push(&mut self.body, kind, yielded.span, yielded.statement);
        self.body.nodes[sent].successors = yielded.successors;
        self.body.nodes[sent].handlers = yielded.handlers;
        sent
    }

    fn without_calls(self) -> Continuation {
        Continuation {
            body: self.body,
            resumes: Vec::new(),
            goes_on: Vec::new(),
            repeated: Vec::new(),
            healed_at: None,
            recomputed: self.recomputed,
        }
    }

    // ------------------------------------------------------------------ parts

    fn append(&mut self, kind: Kind, span: Span) -> NodeId {
        let statement = self.standing.statements.first().copied().unwrap_or(0);
        let node = push(&mut self.body, kind, span, statement);
        self.chain_to(node);
        self.tail = node;
        node
    }

    fn chain_to(&mut self, node: NodeId) {
        self.body.nodes[self.tail].successors.push(node);
    }

    fn append_healing(&mut self, healing: &LoweredHealing) -> usize {
        let (from, to) = (self.original.nodes.len(), self.body.nodes.len());
        let shift = |node: &NodeId| if *node >= from { node - from + to } else { *node };
        let added = healing.body.nodes[from..].iter().map(|node| {
            let mut node = node.clone();
            node.successors = node.successors.iter().map(shift).collect();
            node.handlers = node.handlers.iter().map(shift).collect();
            node
        });
        let added: Vec<Node> = added.collect();
        self.body.nodes.extend(added);
        self.body.slots = healing.body.slots.clone();
        self.body.bindings = healing.body.bindings.clone();
        self.body.statements = healing.body.statements.clone();
        forget_values(&mut self.body, to);
        to
    }

    /// Locals of the snapshot: those of a comprehension shadow those of the body around it.
    fn locals(&mut self) {
        let mut values: BTreeMap<&str, ()> = BTreeMap::new();
        for frame in self.frames {
            values.extend(frame.locals.keys().map(|name| (name.as_str(), ())));
        }
        let bindings = self.body.bindings.clone();
        for (name, binding) in bindings {
            if let (Binding::Local(slot), true) = (binding, values.contains_key(&*name)) {
                self.append(Kind::FrameLocal { dst: slot, name }, Span::default());
            }
        }
    }

    fn targets(&self, mode: ResumeMode) -> Vec<NodeId> {
        let statements = self.standing.statements.iter().map(|id| &self.original.statements[*id]);
        match mode {
            ResumeMode::Retry => statements.map(|statement| statement.first).collect(),
            ResumeMode::Skip => statements.map(|statement| statement.after).collect(),
            ResumeMode::Return => statements.filter_map(|statement| Some(statement.leave?.0)).collect(),
        }
    }

    /// What the skipped statement would have bound keeps its old value because of the healing.
    fn stale(&mut self) {
        let mut names: Vec<Name> = Vec::new();
        for statement in &self.standing.statements {
            names.extend(self.original.statements[*statement].binds.iter().cloned());
        }
        names.sort();
        names.dedup();
        let span = self.standing.statements.first().map(|id| self.original.statements[*id].span).unwrap_or_default();
        for name in names {
            let binding = self.body.binding(&name).cloned();
            let value = Slot(self.body.slots.len() as u32);
            self.body.slots.push(None);
            let (load, store) = match binding {
                Some(Binding::Local(slot)) => (
                    Kind::Constant { dst: value, value: Constant::None },
                    Kind::Merge { dst: slot, sources: vec![slot, value] },
                ),
                Some(Binding::Cell(owner)) => (
                    Kind::LoadCell { dst: value, owner, name: name.clone() },
                    Kind::StoreCell { owner, name: name.clone(), src: value },
                ),
                Some(Binding::Namespace) => (
                    Kind::LoadNamespace { dst: value, name: name.clone() },
                    Kind::StoreNamespace { name: name.clone(), src: value },
                ),
                Some(Binding::Global) | None => (
                    Kind::LoadGlobal { dst: value, name: name.clone() },
                    Kind::StoreGlobal { name: name.clone(), src: value },
                ),
            };
            for kind in [load, store] {
                let node = self.append(kind, span);
                self.body.nodes[node].healed = true;
            }
        }
    }

    /// Instructions of the failing statement that ran before it failed.
    fn repeated(&self) -> Vec<NodeId> {
        let mut repeated = FxHashSet::default();
        for (at, statement) in self.standing.statements.iter().enumerate() {
            let inside = |node: &NodeId| self.original.nodes[*node].statement == *statement;
            match self.standing.nodes.get(at) {
                Some(failing) => {
                    let mut pending = vec![*failing];
                    while let Some(node) = pending.pop() {
                        for before in (0..self.original.nodes.len()).filter(inside) {
                            let leads = self.original.nodes[before].successors.contains(&node);
                            if leads && repeated.insert(before) {
                                pending.push(before);
                            }
                        }
                    }
                }
                None => repeated.extend((0..self.original.nodes.len()).filter(inside)),
            }
        }
        for failing in &self.standing.nodes {
            repeated.remove(failing);
        }
        let mut repeated: Vec<NodeId> = repeated.into_iter().collect();
        repeated.sort_unstable();
        repeated
    }

    fn temporary(&mut self) -> Slot {
        self.body.slots.push(None);
        Slot(self.body.slots.len() as u32 - 1)
    }

    // ------------------------------------------------------------------ values on the interpreter's stack

    /// Computes the temporaries again that are alive at the targets.
    fn recompute(&mut self, targets: &[NodeId]) {
        for slot in self.alive(targets) {
            let value = self.recomputed_value(slot);
            if value != slot {
                self.append(Kind::Copy { dst: slot, src: value }, Span::default());
            }
        }
    }

    /// Temporaries that are read behind the targets before they are written (liveness, restricted to temporaries and to
    /// variables that the snapshot does not show).
    fn alive(&self, targets: &[NodeId]) -> Vec<Slot> {
        let body = &self.body;
        let shown: FxHashSet<Slot> = body
            .bindings
            .iter()
            .filter_map(|(_, binding)| match binding {
                Binding::Local(slot) => Some(*slot),
                _ => None,
            })
            .collect();
        let mut reachable = vec![false; body.nodes.len()];
        let mut pending: Vec<NodeId> = targets.to_vec();
        while let Some(node) = pending.pop() {
            if !std::mem::replace(&mut reachable[node], true) {
                pending.extend(body.nodes[node].successors.iter().chain(&body.nodes[node].handlers));
            }
        }
        let mut live: Vec<FxHashSet<Slot>> = vec![FxHashSet::default(); body.nodes.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for node in (0..body.nodes.len()).rev().filter(|node| reachable[*node]) {
                let mut after: FxHashSet<Slot> = FxHashSet::default();
                for next in body.nodes[node].successors.iter().chain(&body.nodes[node].handlers) {
                    after.extend(live[*next].iter().copied());
                }
                if let Some(slot) = body.nodes[node].kind.defines() {
                    after.remove(&slot);
                }
                after.extend(body.nodes[node].kind.uses().into_iter().filter(|slot| !shown.contains(slot)));
                if after.len() != live[node].len() {
                    live[node] = after;
                    changed = true;
                }
            }
        }
        let mut alive: Vec<Slot> = targets.iter().flat_map(|target| live[*target].iter().copied()).collect();
        alive.sort_unstable();
        alive.dedup();
        alive
    }

    fn is_shown(&self, slot: Slot) -> bool {
        self.body.bindings.iter().any(|(_, binding)| *binding == Binding::Local(slot))
    }

    /// The value of a temporary, computed again in front of the resumption.
    fn recomputed_value(&mut self, slot: Slot) -> Slot {
        if let Some(known) = self.known.get(&slot) {
            return *known;
        }
        if self.is_shown(slot) {
            return slot;
        }
        let value = self.temporary();
        self.known.insert(slot, value);
        let writers: Vec<NodeId> = (0..self.original.nodes.len())
            .filter(|node| self.original.nodes[*node].kind.defines() == Some(slot))
            .collect();
        let mut sources = Vec::new();
        for writer in writers {
            sources.push(self.recomputed_node(writer));
        }
        match sources.as_slice() {
            [] => self.append(Kind::Opaque { dst: value, operands: Vec::new() }, Span::default()),
            [only] => self.append(Kind::Copy { dst: value, src: *only }, Span::default()),
            _ => self.append(Kind::Merge { dst: value, sources }, Span::default()),
        };
        self.recompute_elements(slot, value);
        value
    }

    fn recomputed_node(&mut self, writer: NodeId) -> Slot {
        let node = self.original.nodes[writer].clone();
        let mut kind = node.kind.clone();
        let mut replaced: FxHashMap<Slot, Slot> = FxHashMap::default();
        for slot in kind.uses() {
            self.note_if_changed(slot, writer);
            let value = self.recomputed_value(slot);
            replaced.insert(slot, value);
        }
        let dst = self.temporary();
        kind.rename(&mut |slot| replaced.get(&slot).copied().unwrap_or(slot), &mut |_| dst);
        if let Kind::Next { iterator, .. } = kind {
            kind = Kind::UnpackItem { dst, src: iterator, at: Unpacked::Some };
        }
        if !matches!(kind, Kind::Call { .. }) {
            self.append(kind, node.span);
            return dst;
        }
        self.append(kind, node.span);
        self.recomputed.push(node.span);
        let recalled = self.temporary();
        self.append(Kind::Recall { dst: recalled, src: dst }, node.span);
        recalled
    }

    /// What a comprehension has collected so far.
    fn recompute_elements(&mut self, container: Slot, value: Slot) {
        for node in 0..self.original.nodes.len() {
            let Kind::Accumulate { container: filled, element } = &self.original.nodes[node].kind else { continue };
            if *filled != container {
                continue;
            }
            let mut kind = Kind::Accumulate { container: value, element: element.clone() };
            let mut replaced: FxHashMap<Slot, Slot> = FxHashMap::default();
            for slot in kind.uses() {
                let again = if slot == value { value } else { self.recomputed_value(slot) };
                replaced.insert(slot, again);
            }
            kind.rename(&mut |slot| replaced.get(&slot).copied().unwrap_or(slot), &mut |slot| slot);
            let span = self.original.nodes[node].span;
            self.append(kind, span);
        }
    }

    /// A variable that is written again behind its use may hold something else now than it did then.
    fn note_if_changed(&mut self, slot: Slot, used_at: NodeId) {
        let writes = |node: &Node| node.kind.defines() == Some(slot);
        if self.is_shown(slot) && self.original.nodes[used_at..].iter().any(writes) {
            self.recomputed.push(self.original.nodes[used_at].span);
        }
    }
}

/// Name under which a waiting frame finds the receiver of the frame inside.
pub const RECEIVER: &str = ".receiver";

/// A healing that resumes with `return` has to assign `healed_return`.
#[derive(Debug)]
pub struct MissingReturn;

fn push(body: &mut Body, kind: Kind, span: Span, statement: StatementId) -> NodeId {
    body.nodes.push(Node { kind, span, statement, successors: Vec::new(), handlers: Vec::new(), healed: false });
    body.nodes.len() - 1
}
