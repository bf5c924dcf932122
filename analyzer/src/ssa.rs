//! Static single assignment form of a body, with what the rules need to know of its control flow.
//!
//! Phi placement and renaming after Cytron et al. 1991. An exception leaves an instruction before it has written its
//! destination, so exception edges carry the state before the instruction.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::Graph;
use crate::ir::{Body, Kind, NodeId, Slot};

/// A phi: `dst` is one of `sources` when control arrives at `node`.
#[derive(Clone, Debug)]
pub struct Phi {
    pub node: NodeId,
    pub dst: Slot,
    /// What it is, by the instruction that control comes from.
    pub sources: Vec<(NodeId, Slot)>,
    /// Branches that decide which source it is.
    pub gates: Vec<NodeId>,
}

impl Phi {
    /// The values that it may be.
    pub fn values(&self) -> Vec<Slot> {
        let mut values: Vec<Slot> = self.sources.iter().map(|(_, slot)| *slot).collect();
        values.sort_unstable();
        values.dedup();
        values
    }
}

/// A body in which every slot is written once.
#[derive(Clone, Debug)]
pub struct SsaBody {
    /// The body; its slots are now versions.
    pub body: Body,
    /// Original slot of each version.
    pub origin: Vec<Slot>,
    pub phis: Vec<Phi>,
    /// Instructions that can be reached.
    pub reachable: Vec<bool>,
    /// `(branch, node)`: whether `node` runs is decided at `branch`.
    pub controls: Vec<(NodeId, NodeId)>,
    /// The same, where an exception that leaves the body is caught outside.
    pub controls_if_caught: Vec<(NodeId, NodeId)>,
    /// Versions of variables that nothing wrote, or that were deleted.
    unbound: Vec<Slot>,
    /// `(read, branch)`: whether the variable that `read` reads is bound is decided at `branch`.
    pub bound_by: Vec<(NodeId, NodeId)>,
    /// Instructions that may raise an exception behind which the body goes on.
    pub recovers: Vec<NodeId>,
    /// Instructions that may run more than once in one activation.
    pub in_loop: Vec<bool>,
    /// The instructions that give versions their values.
    definitions: FxHashMap<Slot, NodeId>,
    whole: Whole,
    /// Instructions that are known to raise nothing.
    pub silent: BTreeSet<NodeId>,
}

/// The edges and joins of a body before any edge is left out.
#[derive(Clone, Debug)]
struct Whole {
    successors: Vec<Vec<NodeId>>,
    handlers: Vec<Vec<NodeId>>,
    phis: Vec<Phi>,
}

impl SsaBody {
    /// Converts a body. What decides which instructions run is told by [`SsaBody::settle`].
    pub fn new(mut body: Body) -> Self {
        let graph = flow_graph(&body);
        let reachable = graph.reachable(body.entry);
        let dominators = graph.immediate_dominators(body.entry);
        let placed = place_phis(&body, &graph, &reachable, &dominators);
        let mut renaming = Renaming::new(&body, placed);
        renaming.run(&mut body, &dominators);
        let Renaming { origin, phis, unbound, .. } = renaming;
        let phis = phis.into_iter().map(|phi| {
            let mut sources: Vec<(NodeId, Slot)> = phi.sources.into_iter().collect();
            sources.retain(|(_, source)| *source != phi.dst);
            sources.sort_unstable();
            Phi { node: phi.node, dst: phi.dst, sources, gates: Vec::new() }
        });
        let phis: Vec<Phi> = phis.filter(|phi| !phi.sources.is_empty()).collect();
        let nodes = body.nodes.iter().enumerate().filter(|(id, _)| reachable[*id]);
        let definitions = nodes.filter_map(|(id, node)| Some((node.kind.defines()?, id))).collect();
        let whole = Whole {
            successors: body.nodes.iter().map(|node| node.successors.clone()).collect(),
            handlers: body.nodes.iter().map(|node| node.handlers.clone()).collect(),
            phis: phis.clone(),
        };
        SsaBody {
            unbound,
            bound_by: Vec::new(),
            in_loop: vec![false; body.nodes.len()],
            body,
            origin,
            phis,
            reachable,
            controls: Vec::new(),
            controls_if_caught: Vec::new(),
            recovers: Vec::new(),
            definitions,
            whole,
            silent: BTreeSet::new(),
        }
    }

    /// Leaves out edges that control never takes, and no others; one from an instruction to itself stands for those to its
    /// handlers. Versions stay what they are; joins lose the values that do not arrive.
    pub fn cut(&mut self, dead: &BTreeSet<(NodeId, NodeId)>) {
        let is_dead = |from: NodeId, to: NodeId| dead.contains(&(from, to));
        self.silent = dead.iter().filter(|(from, to)| from == to).map(|(from, _)| *from).collect();
        for (id, node) in self.body.nodes.iter_mut().enumerate() {
            let (successors, handlers) = (&self.whole.successors[id], &self.whole.handlers[id]);
            node.successors = successors.iter().copied().filter(|to| !is_dead(id, *to)).collect();
            node.handlers = if is_dead(id, id) { Vec::new() } else { handlers.clone() };
        }
        self.reachable = flow_graph(&self.body).reachable(self.body.entry);
        for node in (0..self.reachable.len()).filter(|node| !self.reachable[*node]) {
            self.body.nodes[node].successors.clear();
            self.body.nodes[node].handlers.clear();
        }
        self.phis = self.whole.phis.clone();
        for phi in &mut self.phis {
            let arrives = |(from, _): &(NodeId, Slot)| {
                let from = &self.body.nodes[*from];
                from.successors.contains(&phi.node) || from.handlers.contains(&phi.node)
            };
            phi.sources.retain(arrives);
        }
    }

    /// Finds out what decides which instructions run, and which value a join is.
    pub fn settle(&mut self) {
        let graph = flow_graph(&self.body);
        let control = Control::new(&self.body, &graph, &self.reachable);
        let dominators = graph.immediate_dominators(self.body.entry);
        let mut gates = Gates::new(&graph, &dominators, &control);
        for phi in &mut self.phis {
            phi.gates = if phi.values().len() > 1 { gates.of(phi.node) } else { Vec::new() };
        }
        self.in_loop = loops(&graph, &self.reachable);
        self.recovers = recovering(&self.body, &graph, &self.in_loop);
        self.controls = control.always;
        self.controls_if_caught = control.if_caught;
        self.find_unbound_reads();
    }

    /// The instruction that gives a version its value, where control comes to one.
    pub fn definition(&self, slot: Slot) -> Option<NodeId> {
        self.definitions.get(&slot).copied().filter(|node| self.reachable[*node])
    }

    /// Whether an exception of an instruction is caught in the body, edges that are left out included.
    pub fn has_handlers(&self, node: NodeId) -> bool {
        !self.whole.handlers[node].is_empty()
    }

    /// Where an instruction leads to, edges that are left out included.
    pub fn fork(&self, node: NodeId) -> &[NodeId] {
        &self.whole.successors[node]
    }
}

impl SsaBody {
    /// Whether the variable that an instruction reads may not be bound.
    pub fn is_unbound_read(&self, node: NodeId) -> bool {
        matches!(self.body.nodes[node].kind, Kind::Bound { src } if self.unbound_versions().contains(&src))
    }

    /// Versions of variables that may not be bound: a join is not where one of its values is not.
    fn unbound_versions(&self) -> FxHashSet<Slot> {
        let mut unbound: FxHashSet<Slot> = self.unbound.iter().copied().collect();
        loop {
            let before = unbound.len();
            for phi in &self.phis {
                if phi.sources.iter().any(|(_, source)| unbound.contains(source)) {
                    unbound.insert(phi.dst);
                }
            }
            if unbound.len() == before {
                return unbound;
            }
        }
    }

    /// The branches that decide whether a variable is bound are those of the joins which it came through.
    fn find_unbound_reads(&mut self) {
        self.bound_by.clear();
        let has_reads = self.body.nodes.iter().any(|node| matches!(node.kind, Kind::Bound { .. }));
        let unbound = if has_reads { self.unbound_versions() } else { FxHashSet::default() };
        for (id, node) in self.body.nodes.iter().enumerate().filter(|(id, _)| self.reachable[*id]) {
            let Kind::Bound { src } = node.kind else { continue };
            let mut seen: BTreeSet<Slot> = BTreeSet::new();
            let mut pending = vec![src];
            let mut gates: BTreeSet<NodeId> = BTreeSet::new();
            while let Some(version) = pending.pop().filter(|version| unbound.contains(version)) {
                if !seen.insert(version) {
                    continue;
                }
                for phi in self.phis.iter().filter(|phi| phi.dst == version) {
                    gates.extend(&phi.gates);
                    pending.extend(phi.sources.iter().map(|(_, source)| *source).filter(|slot| unbound.contains(slot)));
                }
            }
            self.bound_by.extend(gates.into_iter().map(|gate| (id, gate)));
        }
    }
}

/// Control flow with exception edges.
fn flow_graph(body: &Body) -> Graph {
    let mut graph = Graph::new(body.nodes.len());
    for (id, node) in body.nodes.iter().enumerate() {
        node.successors.iter().chain(&node.handlers).for_each(|to| graph.add_edge(id, *to));
    }
    graph
}

/// Instructions with a handler from which control gets to the end of the body, or into a loop that may never end.
fn recovering(body: &Body, graph: &Graph, in_loop: &[bool]) -> Vec<NodeId> {
    let on_cycle = (0..graph.len()).filter(|node| in_loop[*node]);
    let goes_on = graph.reversed().reachable_from(on_cycle.chain([body.exit]));
    let nodes = body.nodes.iter().enumerate();
    nodes.filter(|(_, node)| node.handlers.iter().any(|handler| goes_on[*handler])).map(|(id, _)| id).collect()
}

/// Instructions on a cycle: those that can reach themselves.
fn loops(graph: &Graph, reachable: &[bool]) -> Vec<bool> {
    let mut result = vec![false; graph.len()];
    for component in strongly_connected(graph, reachable) {
        let is_cycle = component.len() > 1 || graph.successors[component[0]].contains(&component[0]);
        if is_cycle {
            component.iter().for_each(|node| result[*node] = true);
        }
    }
    result
}

/// Strongly connected components of the reachable part (Kosaraju).
fn strongly_connected(graph: &Graph, reachable: &[bool]) -> Vec<Vec<usize>> {
    let mut order = Vec::new();
    let mut seen: Vec<bool> = reachable.iter().map(|is| !is).collect();
    for start in 0..graph.len() {
        let mut stack = vec![(start, 0)];
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        while let Some((node, next)) = stack.pop() {
            match graph.successors[node].get(next) {
                Some(to) => {
                    stack.push((node, next + 1));
                    if !std::mem::replace(&mut seen[*to], true) {
                        stack.push((*to, 0));
                    }
                }
                None => order.push(node),
            }
        }
    }
    let mut seen: Vec<bool> = reachable.iter().map(|is| !is).collect();
    let mut components = Vec::new();
    for start in order.into_iter().rev() {
        let mut component = Vec::new();
        let mut pending = vec![start];
        while let Some(node) = pending.pop() {
            if !std::mem::replace(&mut seen[node], true) {
                component.push(node);
                pending.extend(&graph.predecessors[node]);
            }
        }
        if !component.is_empty() {
            components.push(component);
        }
    }
    components
}

struct Control {
    always: Vec<(NodeId, NodeId)>,
    if_caught: Vec<(NodeId, NodeId)>,
    of: FxHashMap<NodeId, Vec<NodeId>>,
}

impl Control {
    /// An execution that dies reaches nothing (DESIGN section 2), so a path that ends in an uncaught exception decides
    /// nothing about the others; it does where a caller catches.
    fn new(body: &Body, graph: &Graph, reachable: &[bool]) -> Self {
        let len = graph.len();
        let finishes = graph.reversed().reachable(body.exit);
        let mut normal = Graph::new(len);
        let mut total = Graph::new(len + 1);
        let end = len;
        for node in (0..len).filter(|node| reachable[*node]) {
            for to in &graph.successors[node] {
                total.add_edge(node, *to);
                if finishes[node] && finishes[*to] {
                    normal.add_edge(node, *to);
                }
            }
            if graph.successors[node].is_empty() {
                total.add_edge(node, end);
            }
        }
        connect_endless(&mut total, reachable, end);
        let mut always = normal.control_dependence(body.exit);
        let with_raises = total.control_dependence(end);
        always.extend(with_raises.iter().copied().filter(|(_, node)| !finishes[*node]));
        let known: FxHashSet<_> = always.iter().copied().collect();
        let if_caught = with_raises.into_iter().filter(|pair| !known.contains(pair)).collect();
        let mut of: FxHashMap<NodeId, Vec<NodeId>> = FxHashMap::default();
        always.iter().for_each(|(branch, node)| of.entry(*node).or_default().push(*branch));
        Control { always, if_caught, of }
    }
}

/// Lets loops that never end lead to `end`, so that post-dominance is defined for them.
fn connect_endless(graph: &mut Graph, reachable: &[bool], end: usize) {
    loop {
        let ends = graph.reversed().reachable(end);
        let stuck = (0..reachable.len()).rev().find(|node| reachable[*node] && !ends[*node]);
        match stuck {
            Some(node) => graph.add_edge(node, end),
            None => return,
        }
    }
}

struct PendingPhi {
    node: NodeId,
    slot: Slot,
    dst: Slot,
    sources: FxHashMap<NodeId, Slot>,
}

fn place_phis(
    body: &Body,
    graph: &Graph,
    reachable: &[bool],
    dominators: &[Option<usize>],
) -> FxHashMap<NodeId, Vec<Slot>> {
    let frontiers = dominance_frontiers(graph, reachable, dominators);
    let mut definitions: FxHashMap<Slot, Vec<NodeId>> = FxHashMap::default();
    for slot in &body.parameter_slots {
        definitions.entry(*slot).or_default().push(body.entry);
    }
    for (id, node) in body.nodes.iter().enumerate().filter(|(id, _)| reachable[*id]) {
        if let Some(slot) = node.kind.defines() {
            definitions.entry(slot).or_default().push(id);
        }
    }
    // A variable is also what it was at the entry: not bound. A temporary is written before it is read.
    let is_variable = |slot: &Slot| body.slots[slot.0 as usize].is_some();
    let mut several: Vec<_> =
        definitions.into_iter().filter(|(slot, nodes)| nodes.len() > 1 || is_variable(slot)).collect();
    several.sort_unstable_by_key(|(slot, _)| *slot);
    let mut placed: FxHashMap<NodeId, Vec<Slot>> = FxHashMap::default();
    for (slot, mut pending) in several {
        let mut has_phi = FxHashSet::default();
        while let Some(node) = pending.pop() {
            for join in &frontiers[node] {
                if has_phi.insert(*join) {
                    placed.entry(*join).or_default().push(slot);
                    pending.push(*join);
                }
            }
        }
    }
    placed
}

fn dominance_frontiers(graph: &Graph, reachable: &[bool], dominators: &[Option<usize>]) -> Vec<Vec<usize>> {
    let mut frontiers = vec![Vec::new(); graph.len()];
    for node in (0..graph.len()).filter(|node| reachable[*node] && graph.predecessors[*node].len() > 1) {
        for before in graph.predecessors[node].iter().filter(|before| reachable[**before]) {
            let mut runner = *before;
            while Some(runner) != dominators[node] {
                if !frontiers[runner].contains(&node) {
                    frontiers[runner].push(node);
                }
                match dominators[runner] {
                    Some(above) => runner = above,
                    None => break,
                }
            }
        }
    }
    frontiers
}

struct Renaming {
    origin: Vec<Slot>,
    unbound: Vec<Slot>,
    current: FxHashMap<Slot, Vec<Slot>>,
    phis: Vec<PendingPhi>,
    at: FxHashMap<NodeId, Vec<usize>>,
}

impl Renaming {
    fn new(body: &Body, placed: FxHashMap<NodeId, Vec<Slot>>) -> Self {
        let mut placed: Vec<_> = placed.into_iter().collect();
        placed.sort_unstable_by_key(|(node, _)| *node);
        let mut renaming = Renaming {
            origin: Vec::new(),
            unbound: Vec::new(),
            current: FxHashMap::default(),
            phis: Vec::new(),
            at: FxHashMap::default(),
        };
        for (node, slots) in placed {
            for slot in slots {
                let dst = renaming.version(slot);
                renaming.at.entry(node).or_default().push(renaming.phis.len());
                renaming.phis.push(PendingPhi { node, slot, dst, sources: FxHashMap::default() });
            }
        }
        debug_assert!(body.entry < body.nodes.len());
        renaming
    }

    fn version(&mut self, slot: Slot) -> Slot {
        self.origin.push(slot);
        Slot(self.origin.len() as u32 - 1)
    }

    /// The version that is current; a variable that nothing wrote has one of its own, which holds nothing.
    fn read(&mut self, slot: Slot) -> Slot {
        match self.current.get(&slot).and_then(|versions| versions.last()) {
            Some(version) => *version,
            None => {
                let unbound = self.version(slot);
                self.unbound.push(unbound);
                self.current.entry(slot).or_default().insert(0, unbound);
                unbound
            }
        }
    }

    fn write(&mut self, slot: Slot) -> Slot {
        let version = self.version(slot);
        self.current.entry(slot).or_default().push(version);
        version
    }

    fn run(&mut self, body: &mut Body, dominators: &[Option<usize>]) {
        let children = children(dominators);
        let parameters = body.parameter_slots.clone();
        body.parameter_slots = parameters.into_iter().map(|slot| self.write(slot)).collect();
        let mut stack = vec![(body.entry, false)];
        let mut written: FxHashMap<NodeId, Vec<Slot>> = FxHashMap::default();
        while let Some((node, done)) = stack.pop() {
            if done {
                for slot in written.remove(&node).unwrap_or_default() {
                    self.current.entry(slot).or_default().pop();
                }
                continue;
            }
            stack.push((node, true));
            let slots = self.visit(body, node);
            written.insert(node, slots);
            stack.extend(children[node].iter().rev().map(|child| (*child, false)));
        }
    }

    /// Renames one instruction; returns the original slots that it wrote.
    fn visit(&mut self, body: &mut Body, node: NodeId) -> Vec<Slot> {
        let mut written = Vec::new();
        for phi in self.at.get(&node).cloned().unwrap_or_default() {
            let (slot, dst) = (self.phis[phi].slot, self.phis[phi].dst);
            self.current.entry(slot).or_default().push(dst);
            written.push(slot);
        }
        let mut kind = std::mem::replace(&mut body.nodes[node].kind, Kind::Join);
        kind.rename(&mut |slot| self.read(slot), &mut |slot| slot);
        for handler in body.nodes[node].handlers.clone() {
            self.feed(node, handler);
        }
        if let Some(slot) = kind.defines() {
            let version = self.write(slot);
            if matches!(kind, Kind::Unbind { .. }) {
                self.unbound.push(version);
            }
            kind.rename(&mut |slot| slot, &mut |_| version);
            written.push(slot);
        }
        body.nodes[node].kind = kind;
        for successor in body.nodes[node].successors.clone() {
            self.feed(node, successor);
        }
        written
    }

    fn feed(&mut self, from: NodeId, to: NodeId) {
        for phi in self.at.get(&to).cloned().unwrap_or_default() {
            let slot = self.phis[phi].slot;
            let version = self.read(slot);
            self.phis[phi].sources.insert(from, version);
        }
    }
}

struct Gates<'a> {
    graph: &'a Graph,
    dominators: &'a [Option<usize>],
    control: &'a Control,
    /// When a walk through the tree of dominators comes to each node, and when it leaves it.
    walk: Vec<(usize, usize)>,
    /// The gates of the joins that were asked for: one join has many phis.
    found: FxHashMap<NodeId, Vec<NodeId>>,
}

impl<'a> Gates<'a> {
    fn new(graph: &'a Graph, dominators: &'a [Option<usize>], control: &'a Control) -> Self {
        Gates { graph, dominators, control, walk: walk(dominators), found: FxHashMap::default() }
    }

    /// The gates of a join.
    fn of(&mut self, join: NodeId) -> Vec<NodeId> {
        if let Some(gates) = self.found.get(&join) {
            return gates.clone();
        }
        let gates = self.find(join);
        self.found.insert(join, gates.clone());
        gates
    }

    /// Branches below the immediate dominator of a join that decide by which edge control arrives there.
    fn find(&self, join: NodeId) -> Vec<NodeId> {
        let Some(top) = self.dominators[join] else { return Vec::new() };
        let mut gates: BTreeSet<NodeId> = BTreeSet::new();
        let mut pending: Vec<NodeId> = Vec::new();
        for before in &self.graph.predecessors[join] {
            if self.graph.successors[*before].len() > 1 {
                pending.push(*before);
            }
            pending.extend(self.control.of.get(before).into_iter().flatten());
        }
        while let Some(branch) = pending.pop() {
            if !gates.contains(&branch) && self.dominates(top, branch) {
                gates.insert(branch);
                pending.extend(self.control.of.get(&branch).into_iter().flatten());
            }
        }
        gates.into_iter().collect()
    }

    fn dominates(&self, top: NodeId, node: NodeId) -> bool {
        let ((from, to), (at, _)) = (self.walk[top], self.walk[node]);
        from <= at && at < to
    }
}

/// When a walk through the tree of dominators comes to each node, and when it leaves it.
fn walk(dominators: &[Option<usize>]) -> Vec<(usize, usize)> {
    let children = children(dominators);
    let mut walk = vec![(0, 0); dominators.len()];
    let mut time = 0;
    for root in (0..dominators.len()).filter(|node| dominators[*node].is_none()) {
        let mut stack = vec![(root, false)];
        while let Some((node, done)) = stack.pop() {
            if done {
                walk[node].1 = time;
                continue;
            }
            walk[node].0 = time;
            time += 1;
            stack.push((node, true));
            stack.extend(children[node].iter().map(|child| (*child, false)));
        }
    }
    walk
}

/// The tree of dominators from above.
fn children(dominators: &[Option<usize>]) -> Vec<Vec<usize>> {
    let mut children = vec![Vec::new(); dominators.len()];
    for (node, dominator) in dominators.iter().enumerate() {
        if let Some(dominator) = dominator {
            children[*dominator].push(node);
        }
    }
    children
}
