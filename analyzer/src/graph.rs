//! Graph algorithms on control flow: dominators, post-dominators, control dependence.

use rustc_hash::FxHashSet;

/// A directed graph over `0..len`, with its edges both ways.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    pub successors: Vec<Vec<usize>>,
    pub predecessors: Vec<Vec<usize>>,
}

impl Graph {
    pub fn new(len: usize) -> Self {
        Graph { successors: vec![Vec::new(); len], predecessors: vec![Vec::new(); len] }
    }

    pub fn len(&self) -> usize {
        self.successors.len()
    }

    pub fn is_empty(&self) -> bool {
        self.successors.is_empty()
    }

    pub fn add_edge(&mut self, from: usize, to: usize) {
        if !self.successors[from].contains(&to) {
            self.successors[from].push(to);
            self.predecessors[to].push(from);
        }
    }

    /// The graph with every edge turned around.
    pub fn reversed(&self) -> Graph {
        Graph { successors: self.predecessors.clone(), predecessors: self.successors.clone() }
    }

    /// Whether each node can be reached from `start`.
    pub fn reachable(&self, start: usize) -> Vec<bool> {
        self.reachable_from([start])
    }

    /// Whether each node can be reached from one of these.
    pub fn reachable_from(&self, starts: impl IntoIterator<Item = usize>) -> Vec<bool> {
        let mut seen = vec![false; self.len()];
        let mut pending: Vec<usize> = starts.into_iter().collect();
        while let Some(node) = pending.pop() {
            if !std::mem::replace(&mut seen[node], true) {
                pending.extend(&self.successors[node]);
            }
        }
        seen
    }

    /// Reachable nodes in reverse postorder from `start`.
    pub fn reverse_postorder(&self, start: usize) -> Vec<usize> {
        let mut seen = vec![false; self.len()];
        let mut order = Vec::new();
        let mut stack = vec![(start, 0)];
        seen[start] = true;
        while let Some((node, next)) = stack.pop() {
            match self.successors[node].get(next) {
                Some(successor) => {
                    stack.push((node, next + 1));
                    if !std::mem::replace(&mut seen[*successor], true) {
                        stack.push((*successor, 0));
                    }
                }
                None => order.push(node),
            }
        }
        order.reverse();
        order
    }

    /// Immediate dominators from `start` (Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm"); `None` for
    /// `start` itself and for what it does not reach.
    pub fn immediate_dominators(&self, start: usize) -> Vec<Option<usize>> {
        let order = self.reverse_postorder(start);
        let mut position = vec![usize::MAX; self.len()];
        for (at, node) in order.iter().enumerate() {
            position[*node] = at;
        }
        let mut dominators: Vec<Option<usize>> = vec![None; self.len()];
        dominators[start] = Some(start);
        let mut changed = true;
        while changed {
            changed = false;
            for node in order.iter().skip(1) {
                let known = self.predecessors[*node].iter().copied().filter(|before| dominators[*before].is_some());
                let meet = known.reduce(|left, right| intersect(&dominators, &position, left, right));
                if meet.is_some() && dominators[*node] != meet {
                    dominators[*node] = meet;
                    changed = true;
                }
            }
        }
        dominators[start] = None;
        dominators
    }

    /// Control dependence (Ferrante, Ottenstein, Warren 1987): pairs `(branch, node)` such that `branch` has a successor from which `node`
    /// is always reached, and another from which it may not be. `exit` must be reachable from every node of interest.
    pub fn control_dependence(&self, exit: usize) -> Vec<(usize, usize)> {
        let post = self.reversed().immediate_dominators(exit);
        let mut pairs = Vec::new();
        for branch in 0..self.len() {
            if self.successors[branch].len() < 2 {
                continue;
            }
            let mut seen = FxHashSet::default();
            for successor in &self.successors[branch] {
                let mut node = Some(*successor);
                while let Some(current) = node.filter(|current| Some(*current) != post[branch]) {
                    if current == exit || !seen.insert(current) {
                        break;
                    }
                    pairs.push((branch, current));
                    node = post[current];
                }
            }
        }
        pairs
    }
}

fn intersect(dominators: &[Option<usize>], position: &[usize], left: usize, right: usize) -> usize {
    let (mut left, mut right) = (left, right);
    while left != right {
        while position[left] > position[right] {
            left = dominators[left].unwrap_or(right);
        }
        while position[right] > position[left] {
            right = dominators[right].unwrap_or(left);
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(len: usize, edges: &[(usize, usize)]) -> Graph {
        let mut graph = Graph::new(len);
        edges.iter().for_each(|(from, to)| graph.add_edge(*from, *to));
        graph
    }

    #[test]
    fn the_join_of_a_diamond_is_dominated_by_its_branch() {
        let diamond = graph(4, &[(0, 1), (0, 2), (1, 3), (2, 3)]);
        assert_eq!(diamond.immediate_dominators(0), vec![None, Some(0), Some(0), Some(0)]);
    }

    #[test]
    fn the_arms_of_a_diamond_depend_on_its_branch_and_the_join_does_not() {
        let diamond = graph(4, &[(0, 1), (0, 2), (1, 3), (2, 3)]);
        assert_eq!(diamond.control_dependence(3), vec![(0, 1), (0, 2)]);
    }

    #[test]
    fn a_loop_header_controls_its_body_and_itself() {
        let cycle = graph(4, &[(0, 1), (1, 2), (2, 1), (1, 3)]);
        assert_eq!(cycle.control_dependence(3), vec![(1, 2), (1, 1)]);
    }
}
