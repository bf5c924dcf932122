//! The control-flow graph of one body while it is being built.

use std::collections::{BTreeMap, BTreeSet};

use ruff_python_ast::{ExprCall, Stmt};
use ruff_text_size::Ranged;

use crate::ir::{Binding, Body, BodyId, Kind, Name, Node, NodeId, Slot, Span, Statement, StatementId};

use super::scope::ScopeNames;

/// What has to run before control may leave a region: innermost last.
#[derive(Clone)]
pub(super) enum Unwind<'a> {
    /// The `finally` of a `try`; its own exceptions go to the handlers around it.
    Finally { body: &'a [Stmt], handlers: Vec<NodeId> },
    /// The `__exit__` of a `with`.
    Leave { manager: Slot, is_async: bool, handlers: Vec<NodeId> },
    /// A loop: `break` and `continue` stop unwinding here.
    Loop { break_to: NodeId, continue_to: NodeId },
}

/// One body under construction.
pub(super) struct Builder<'a> {
    pub id: BodyId,
    pub body: Body,
    pub names: ScopeNames,
    /// Nodes whose next successor is the node that is emitted next.
    pub open: Vec<NodeId>,
    pub statement: StatementId,
    pub span: Span,
    /// Innermost handler last: the target of exceptions raised here.
    pub handlers: Vec<NodeId>,
    pub unwind: Vec<Unwind<'a>>,
    pub comprehension: Vec<BTreeMap<String, Slot>>,
    /// What functions inside of the comprehensions around the current place use of them.
    pub captured: Vec<BTreeSet<String>>,
    pub locals: BTreeMap<String, Slot>,
    pub healed: bool,
    /// Variables that keep the answer of what may be a guard, with its call.
    pub answers: BTreeMap<String, (&'a ExprCall, NodeId)>,
}

impl<'a> Builder<'a> {
    pub fn new(id: BodyId, body: Body, names: ScopeNames) -> Self {
        Builder {
            id,
            body,
            names,
            open: Vec::new(),
            statement: 0,
            span: Span::default(),
            handlers: Vec::new(),
            unwind: Vec::new(),
            comprehension: Vec::new(),
            captured: Vec::new(),
            locals: BTreeMap::new(),
            healed: false,
            answers: BTreeMap::new(),
        }
    }

    /// Adds an instruction behind the open ends and makes it the open end.
    pub fn emit(&mut self, kind: Kind) -> NodeId {
        let node = self.detached(kind);
        self.connect(node);
        self.open = vec![node];
        node
    }

    /// Adds an instruction that nothing leads to yet.
    pub fn detached(&mut self, kind: Kind) -> NodeId {
        let handlers = if may_raise(&kind) { self.handlers.last().copied().into_iter().collect() } else { Vec::new() };
        let node = Node {
            kind,
            span: self.span,
            statement: self.statement,
            successors: Vec::new(),
            handlers,
            healed: self.healed,
        };
        self.body.nodes.push(node);
        self.body.nodes.len() - 1
    }

    /// Lets the open ends lead to `node`.
    pub fn connect(&mut self, node: NodeId) {
        for open in std::mem::take(&mut self.open) {
            self.body.nodes[open].successors.push(node);
        }
    }

    /// Emits a two-way instruction; returns the first node of each arm.
    pub fn fork(&mut self, kind: Kind) -> (NodeId, NodeId) {
        let branch = self.emit(kind);
        self.open.clear();
        let first = self.detached(Kind::Join);
        let second = self.detached(Kind::Join);
        self.body.nodes[branch].successors.extend([first, second]);
        (first, second)
    }

    /// Goes on at `node`.
    pub fn continue_at(&mut self, node: NodeId) {
        self.open = vec![node];
    }

    /// A fresh temporary.
    pub fn temporary(&mut self) -> Slot {
        self.body.slots.push(None);
        Slot(u32::try_from(self.body.slots.len() - 1).unwrap_or(u32::MAX))
    }

    /// The slot of a local variable, made on first use.
    pub fn local(&mut self, name: &str) -> Slot {
        if let Some(slot) = self.locals.get(name) {
            return *slot;
        }
        let slot = self.named(name);
        self.locals.insert(name.to_owned(), slot);
        self.body.bindings.push((Name::from(name), Binding::Local(slot)));
        slot
    }

    /// A fresh slot that carries a name without being found by it.
    pub fn named(&mut self, name: &str) -> Slot {
        let slot = self.temporary();
        self.body.slots[slot.0 as usize] = Some(Name::from(name));
        slot
    }

    /// Emits an instruction with a fresh destination and returns that.
    pub fn value(&mut self, make: impl FnOnce(Slot) -> Kind) -> Slot {
        let dst = self.temporary();
        self.emit(make(dst));
        dst
    }

    /// Runs `work` with the source range of `part`, and restores the range behind it.
    pub fn at(&mut self, part: &impl Ranged) -> Span {
        let range = part.range();
        std::mem::replace(&mut self.span, Span { start: range.start().to_u32(), end: range.end().to_u32() })
    }

    /// Opens a statement: everything emitted until [`Builder::end_statement`] belongs to it.
    pub fn begin_statement(&mut self, span: Span, protected: bool) -> (StatementId, StatementId) {
        let id = self.body.statements.len();
        self.body.statements.push(Statement { span, first: 0, after: 0, binds: Vec::new(), protected, leave: None });
        let outer = std::mem::replace(&mut self.statement, id);
        self.span = span;
        let first = self.emit(Kind::Join);
        self.body.statements[id].first = first;
        (id, outer)
    }

    /// Closes a statement.
    pub fn end_statement(&mut self, id: StatementId, outer: StatementId) {
        self.span = self.body.statements[id].span;
        let after = self.emit(Kind::Join);
        self.body.statements[id].after = after;
        self.statement = outer;
    }

    /// Takes out the reads of variables that are bound on every path that leads there.
    pub fn drop_certain_reads(&mut self) {
        let nodes = &self.body.nodes;
        let read = |node: &Node| if let Kind::Bound { src } = node.kind { Some(src) } else { None };
        let slots: BTreeSet<Slot> = nodes.iter().filter_map(read).collect();
        let mut certain: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::new();
        for slot in slots {
            let unbound = self.unbound_at(slot);
            let reads = nodes.iter().enumerate().filter(|(_, node)| read(node) == Some(slot));
            let bound = reads.filter(|(id, node)| !unbound[*id] && node.successors.len() == 1);
            certain.extend(bound.map(|(id, node)| (id, node.successors.clone())));
        }
        for node in &mut self.body.nodes {
            // A read may lead to another one.
            while let Some(at) = node.successors.iter().position(|to| certain.contains_key(to)) {
                let to = certain[&node.successors[at]][0];
                node.successors[at] = to;
            }
        }
    }

    /// The instructions before which a variable may not be bound.
    fn unbound_at(&self, slot: Slot) -> Vec<bool> {
        let nodes = &self.body.nodes;
        let mut unbound = vec![false; nodes.len()];
        let deletes = |node: &Node| matches!(node.kind, Kind::Unbind { dst } if dst == slot);
        let deleting = nodes.iter().filter(|node| deletes(node)).flat_map(|node| node.successors.iter().copied());
        let mut pending: Vec<NodeId> = deleting.chain([self.body.entry]).collect();
        while let Some(id) = pending.pop() {
            if std::mem::replace(&mut unbound[id], true) {
                continue;
            }
            let node = &nodes[id];
            // An exception leaves an instruction before it has written anything.
            pending.extend(&node.handlers);
            if node.kind.defines() != Some(slot) {
                pending.extend(&node.successors);
            }
        }
        unbound
    }

    /// Records that the statement being built may bind `name`, and so may those around it.
    pub fn binds(&mut self, name: &str) {
        let span = self.body.statements.get(self.statement).map(|statement| statement.span);
        let Some(span) = span else { return };
        for statement in &mut self.body.statements {
            if statement.span.contains(span) && !statement.binds.iter().any(|bound| &**bound == name) {
                statement.binds.push(Name::from(name));
            }
        }
    }
}

/// Whether executing the instruction can raise for some values.
pub(crate) fn may_raise(kind: &Kind) -> bool {
    !matches!(
        kind,
        Kind::Entry
            | Kind::Exit
            | Kind::Join
            | Kind::Constant { .. }
            | Kind::Copy { .. }
            | Kind::Merge { .. }
            | Kind::Slice { .. }
            | Kind::Function { .. }
            | Kind::Caught { .. }
            | Kind::FrameLocal { .. }
            | Kind::Guarded { .. }
            | Kind::Heal { .. }
            | Kind::Recall { .. }
            | Kind::Keep { .. }
            | Kind::GuardedPlaces { .. }
            | Kind::Unbind { .. }
            | Kind::Return { .. }
            | Kind::StoreGlobal { .. }
            | Kind::StoreCell { .. }
    )
}
