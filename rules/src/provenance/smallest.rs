//! The lowest derivation of each tuple of a graph: Knuth's generalisation of Dijkstra's algorithm, level by level.

use std::cmp::Ordering;

use super::Explainer;
use super::graph::Graph;

/// The chosen derivations.
#[derive(Debug)]
pub(super) struct Choice {
    /// For each node the instance that derives it; `None` for facts and for what has no derivation.
    pub instances: Vec<Option<usize>>,
    /// For each node the height of its lowest derivation, if one was found.
    pub heights: Vec<Option<usize>>,
}

/// Chooses until the goal, node 0, has its derivation or nothing more can be derived.
///
/// In round `h` exactly those instances become ready whose highest premise has height `h - 1`. An instance is therefore
/// a lowest one for its tuple when the tuple had no derivation before the round, and what it rests on is lower: no
/// derivation is circular.
pub(super) fn choose(explainer: &Explainer<'_>, graph: &Graph) -> Choice {
    let mut levels = Levels::start(explainer, graph);
    let mut fresh: Vec<usize> =
        (0..graph.tuples.len()).filter(|&node| explainer.is_input(graph.tuples[node].relation)).collect();
    for &node in &fresh {
        levels.choice.heights[node] = Some(0);
        levels.sizes[node] = 1;
    }
    let mut ready: Vec<usize> = (0..graph.instances.len()).filter(|&instance| levels.waiting[instance] == 0).collect();
    let mut height = 0;
    while levels.choice.heights[0].is_none() {
        levels.release(&fresh, &mut ready);
        if ready.is_empty() {
            break;
        }
        height += 1;
        fresh = levels.derive(&ready, height);
        ready.clear();
    }
    levels.choice
}

struct Levels<'a> {
    explainer: &'a Explainer<'a>,
    graph: &'a Graph,
    choice: Choice,
    /// For each node the number of tuples in the tree of its derivation, at most the largest number there is.
    sizes: Vec<u64>,
    /// For each instance the number of premises that are not derived yet.
    waiting: Vec<usize>,
    /// For each node, where its part of `users` starts; one more entry at the end.
    starts: Vec<usize>,
    /// The instances that need a node, once for each premise.
    users: Vec<usize>,
}

impl<'a> Levels<'a> {
    fn start(explainer: &'a Explainer<'_>, graph: &'a Graph) -> Self {
        let nodes = graph.tuples.len();
        let mut starts = vec![0; nodes + 1];
        for instance in &graph.instances {
            for &node in graph.supports(instance) {
                starts[node + 1] += 1;
            }
        }
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let mut free = starts.clone();
        let mut users = vec![0; starts[nodes]];
        for (number, instance) in graph.instances.iter().enumerate() {
            for &node in graph.supports(instance) {
                users[free[node]] = number;
                free[node] += 1;
            }
        }
        Self {
            explainer,
            graph,
            choice: Choice { instances: vec![None; nodes], heights: vec![None; nodes] },
            sizes: vec![0; nodes],
            waiting: graph.instances.iter().map(|instance| instance.supports.len()).collect(),
            starts,
            users,
        }
    }

    /// Adds the instances that waited for the last of their premises.
    fn release(&mut self, fresh: &[usize], ready: &mut Vec<usize>) {
        for &node in fresh {
            for &instance in &self.users[self.starts[node]..self.starts[node + 1]] {
                self.waiting[instance] -= 1;
                if self.waiting[instance] == 0 {
                    ready.push(instance);
                }
            }
        }
    }

    /// Gives a derivation of this height to the tuples that have none and are derived by ready instances; returns them.
    fn derive(&mut self, ready: &[usize], height: usize) -> Vec<usize> {
        let mut fresh = Vec::new();
        for &number in ready {
            let head = self.graph.instances[number].head;
            match self.choice.heights[head] {
                None => {
                    self.choice.heights[head] = Some(height);
                    fresh.push(head);
                }
                Some(lowest) if lowest < height => continue,
                Some(_) => {}
            }
            let size = self.size(number);
            let better = match self.choice.instances[head] {
                None => true,
                Some(chosen) => {
                    let by_size = size.cmp(&self.sizes[head]);
                    by_size.then_with(|| self.compare(number, chosen)).is_lt()
                }
            };
            if better {
                self.choice.instances[head] = Some(number);
                self.sizes[head] = size;
            }
        }
        fresh
    }

    fn size(&self, instance: usize) -> u64 {
        self.graph
            .supports(&self.graph.instances[instance])
            .iter()
            .fold(1_u64, |size, &node| size.saturating_add(self.sizes[node]))
    }

    /// The order of two instances with the same head: earlier rule first, then smaller tuples.
    fn compare(&self, left: usize, right: usize) -> Ordering {
        let (left, right) = (&self.graph.instances[left], &self.graph.instances[right]);
        let tuples = |instance| self.graph.supports(instance).iter().map(|&node| self.tuple(node));
        left.rule.cmp(&right.rule).then_with(|| tuples(left).cmp(tuples(right)))
    }

    fn tuple(&self, node: usize) -> &[u64] {
        let tuple = self.graph.tuples[node];
        self.explainer.relations[tuple.relation].row(tuple.row)
    }
}
