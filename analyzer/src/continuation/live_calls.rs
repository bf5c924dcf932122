//! Live calls: what remains of an instruction that the frame inside returns to.

use crate::frontend::may_raise;
use crate::ir::{Callee, Kind, Name, Node, NodeId, Slot};

use super::{Builder, RECEIVER, push};

/// Special methods that operators of containers call on what these hold.
const ASKED_BY_CONTAINERS: [&str; 10] =
    ["__bool__", "__eq__", "__ge__", "__gt__", "__hash__", "__index__", "__le__", "__lt__", "__ne__", "__next__"];

impl Builder<'_> {
    pub(super) fn resume_at_statement(&mut self) -> Vec<NodeId> {
        let statements = self.standing.statements.clone();
        statements
            .into_iter()
            .map(|id| {
                let statement = &self.original.statements[id];
                let (first, after, span) = (statement.first, statement.after, statement.span);
                let dst = self.temporary();
                let node = push(&mut self.body, Kind::Resume { dst }, span, id);
                self.body.nodes[node].handlers = self.original.nodes[first].handlers.clone();
                // Nobody knows how much of it ran.
                let inside =
                    (0..self.original.nodes.len()).filter(|inside| self.original.nodes[*inside].statement == id);
                self.body.nodes[node].successors.extend(inside.chain([after]));
                node
            })
            .collect()
    }

    /// The instructions that the frame inside may have been called by. CPython gives the range of the whole statement for
    /// what a header calls: `__enter__`, `__next__`, `__bool__`.
    pub(super) fn live_nodes(&self, inner: &str) -> Vec<NodeId> {
        let mut live = Vec::new();
        for statement in &self.standing.statements {
            let nodes = 0..self.original.nodes.len();
            let inside = nodes.filter(|id| {
                let node = &self.original.nodes[*id];
                node.statement == *statement && may_raise(&node.kind)
            });
            let inside: Vec<NodeId> = inside.collect();
            let exact = inside.iter().copied().filter(|id| self.original.nodes[*id].span == self.standing.span);
            let exact: Vec<NodeId> = exact.collect();
            let is_call = |id: &NodeId| matches!(self.original.nodes[*id].kind, Kind::Call { .. });
            if let Some(call) = exact.iter().copied().rfind(is_call) {
                live.push(call);
                continue;
            }
            let around = if exact.is_empty() { inside } else { exact };
            let called: Vec<NodeId> =
                around.iter().copied().filter(|id| self.may_run(&self.original.nodes[*id].kind, inner)).collect();
            live.extend(if called.is_empty() { around } else { called });
        }
        live
    }

    /// Whether an instruction may call a function of this name by itself.
    fn may_run(&self, kind: &Kind, inner: &str) -> bool {
        let is_special = inner.starts_with("__") && inner.ends_with("__");
        match kind {
            // Library code stands between the two.
            _ if inner.is_empty() => true,
            Kind::Call { callee: Callee::Special(_, name), .. } => &**name == inner,
            Kind::Branch { .. } => matches!(inner, "__bool__" | "__len__"),
            Kind::Next { .. } => inner == "__next__" || !is_special,
            _ => true,
        }
    }

    /// Replaces a live call by its return. Where the frame inside may have been called through library code, that code may also go
    /// on: then the instruction runs as a whole, and what the frame inside returned may be in what it makes and in what it was given.
    pub(super) fn resume_at(&mut self, node: NodeId, qualified: &str) -> NodeId {
        let (class, inner) = qualified.rsplit_once('.').unwrap_or(("", qualified));
        let inner_class = class.rsplit('.').next().unwrap_or_default();
        let original = self.original.nodes[node].clone();
        let dst = self.temporary();
        let resume = self.push_like(&original, Kind::Resume { dst });
        self.body.nodes[resume].handlers = original.handlers.clone();
        let ends: Vec<NodeId> = match (&original.kind, original.successors.as_slice()) {
            // What `__bool__` gives decides which way it goes.
            (Kind::Branch { .. }, ways) => {
                let branch = self.push_like(&original, Kind::Branch { condition: dst });
                self.body.nodes[branch].successors = ways.to_vec();
                vec![branch]
            }
            // A loop that waits for its iterator has an element.
            (Kind::Next { .. }, [more, ..]) => vec![*more],
            (_, ends) => ends.to_vec(),
        };
        let is_direct = self.calls_itself(&original.kind, inner);
        let Some(result) = original.kind.defines() else {
            self.body.nodes[resume].successors = ends;
            if !is_direct {
                self.goes_on(resume, &original, original.kind.clone(), original.successors.clone());
            }
            return resume;
        };
        let is_made = !is_direct && inner == "__init__" && matches!(original.kind, Kind::Call { .. });
        let (returned, value) = if is_made { self.made(&original, resume) } else { (resume, dst) };
        let copy = self.push_like(&original, Kind::Copy { dst: result, src: value });
        self.body.nodes[returned].successors.push(copy);
        self.body.nodes[copy].successors = ends.clone();
        if is_direct && !original.kind.is_branch() || is_made && self.calls_class(&original.kind, inner_class) {
            return resume;
        }
        let (mut kind, other) = (original.kind.clone(), self.temporary());
        kind.rename(&mut |slot| slot, &mut |_| other);
        let merge = self.push_like(&original, Kind::Merge { dst: result, sources: vec![value, other] });
        self.body.nodes[merge].successors = ends;
        let kept = self.keep(&original, other, value);
        self.body.nodes[kept].successors.push(merge);
        // A loop that waits for its iterator may have no element.
        let done = original.successors.get(1).copied().filter(|_| original.kind.is_branch());
        self.goes_on(returned, &original, kind, [kept].into_iter().chain(done).collect());
        resume
    }

    /// What a live `__init__` makes: the frame inside holds it already. The instruction that has it, and it.
    fn made(&mut self, original: &Node, resume: NodeId) -> (NodeId, Slot) {
        let dst = self.temporary();
        let made = self.push_like(original, Kind::FrameLocal { dst, name: Name::from(RECEIVER) });
        self.body.nodes[resume].successors.push(made);
        (made, dst)
    }

    /// Library code that goes on behind a live call, whose value the instruction `returned` has: an instruction that may have
    /// called the frame inside runs as a whole.
    fn goes_on(&mut self, returned: NodeId, original: &Node, kind: Kind, successors: Vec<NodeId>) {
        let mut from = returned;
        if let Some(value) = self.body.nodes[returned].kind.defines() {
            for operand in kind.uses() {
                let kept = self.keep(original, operand, value);
                self.body.nodes[from].successors.push(kept);
                from = kept;
            }
        }
        let again = self.push_like(original, kind);
        self.body.nodes[again].handlers = original.handlers.clone();
        self.body.nodes[again].successors = successors;
        self.body.nodes[from].successors.push(again);
        self.goes_on.push((again, returned));
    }

    /// A value that library code was given may be in what it made.
    fn keep(&mut self, original: &Node, made: Slot, value: Slot) -> NodeId {
        let dst = self.temporary();
        self.push_like(original, Kind::Keep { dst, made, value })
    }

    fn push_like(&mut self, original: &Node, kind: Kind) -> NodeId {
        push(&mut self.body, kind, original.span, original.statement)
    }

    /// Whether an instruction calls a class by its own name.
    fn calls_class(&self, kind: &Kind, class: &str) -> bool {
        let Kind::Call { callee: Callee::Value(callee), .. } = kind else { return false };
        self.names_of(*callee).any(|name| &*name == class)
    }

    /// Whether an instruction does nothing but to call the frame inside, whose result is its own.
    fn calls_itself(&self, kind: &Kind, inner: &str) -> bool {
        match kind {
            _ if inner.is_empty() => false,
            Kind::Call { callee: Callee::Method(_, name) | Callee::Special(_, name), .. } => &**name == inner,
            Kind::Call { callee: Callee::Value(function), .. } => self.names_of(*function).any(|name| &*name == inner),
            Kind::LoadAttribute { .. } | Kind::StoreAttribute { .. } | Kind::DeleteAttribute { .. } => true,
            Kind::Branch { .. } | Kind::RunModule { .. } | Kind::ImportStar { .. } => true,
            Kind::LoadItem { .. } => matches!(inner, "__getitem__" | "__missing__" | "__class_getitem__"),
            Kind::StoreItem { .. } => inner == "__setitem__",
            Kind::DeleteItem { .. } => inner == "__delitem__",
            // A container asks what it holds.
            Kind::Operate { .. } => !ASKED_BY_CONTAINERS.contains(&inner),
            // What is waited for is the coroutine or generator that a call made.
            Kind::Delegate { src, .. } => self.is_made_by(*src, inner),
            _ => false,
        }
    }

    /// Whether a call of a function by its own name wrote a slot.
    fn is_made_by(&self, slot: Slot, inner: &str) -> bool {
        self.original.nodes.iter().filter(|node| node.kind.defines() == Some(slot)).any(|node| match &node.kind {
            Kind::Merge { sources, .. } => sources.iter().any(|source| self.is_made_by(*source, inner)),
            Kind::Call { .. } => self.calls_itself(&node.kind, inner),
            _ => false,
        })
    }

    /// Names of the variable that a slot was read from.
    fn names_of(&self, slot: Slot) -> impl Iterator<Item = Name> + '_ {
        let own = self.original.slots.get(slot.0 as usize).cloned().flatten();
        let read = self.original.nodes.iter().filter(move |node| node.kind.defines() == Some(slot));
        own.into_iter().chain(read.filter_map(|node| match &node.kind {
            Kind::LoadGlobal { name, .. } | Kind::LoadCell { name, .. } | Kind::LoadNamespace { name, .. } => {
                Some(name.clone())
            }
            Kind::LoadAttribute { name, .. } => Some(name.clone()),
            _ => None,
        }))
    }
}
