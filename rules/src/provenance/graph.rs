//! All rule instances that could lead to a goal, collected backwards.

use std::ops::{ControlFlow, Range};

use rustc_hash::FxHashMap;

use super::{Explainer, ProvenanceError, positive_premises};
use crate::evaluate::join::{Budget, Found, Stop};

/// A tuple of the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Tuple {
    pub relation: usize,
    pub row: u32,
}

/// A rule whose premises are all true for some values of its variables.
#[derive(Debug)]
pub(super) struct Instance {
    pub rule: usize,
    /// The node of the tuple that it derives.
    pub head: usize,
    /// The part of [`Graph::supports`] with the nodes of its positive premises, in their order.
    pub supports: Range<usize>,
}

/// Tuples as nodes, and instances that lead from several of them to one.
#[derive(Debug, Default)]
pub(super) struct Graph {
    /// The goal is first, then the others by their distance from it.
    pub tuples: Vec<Tuple>,
    pub instances: Vec<Instance>,
    supports: Vec<usize>,
    nodes: FxHashMap<Tuple, usize>,
    /// The number of nodes, from the first, whose instances have been collected.
    expanded: usize,
}

impl Graph {
    pub(super) fn of(goal: Tuple) -> Self {
        let mut graph = Self::default();
        graph.node(goal);
        graph
    }

    /// Whether the instances of all nodes have been collected.
    pub(super) fn is_complete(&self) -> bool {
        self.expanded == self.tuples.len()
    }

    /// The nodes that an instance needs.
    pub(super) fn supports(&self, instance: &Instance) -> &[usize] {
        &self.supports[instance.supports.clone()]
    }

    fn node(&mut self, tuple: Tuple) -> usize {
        *self.nodes.entry(tuple).or_insert_with(|| {
            self.tuples.push(tuple);
            self.tuples.len() - 1
        })
    }

    fn add(&mut self, rule: usize, head: usize, premises: impl Iterator<Item = Tuple>) {
        let start = self.supports.len();
        for premise in premises {
            let node = self.node(premise);
            self.supports.push(node);
        }
        if self.supports[start..].contains(&head) {
            // A tuple that is needed for itself: no lowest derivation has this instance.
            self.supports.truncate(start);
            return;
        }
        self.instances.push(Instance { rule, head, supports: start..self.supports.len() });
    }
}

impl Explainer<'_> {
    /// Adds the instances that derive the nodes which the last call added: the nodes that are one step further from the
    /// goal.
    pub(super) fn expand_layer(&mut self, graph: &mut Graph, budget: &mut Budget) -> Result<(), ProvenanceError> {
        for node in graph.expanded..graph.tuples.len() {
            let tuple = graph.tuples[node];
            if !self.is_input(tuple.relation) {
                self.expand(graph, node, tuple, budget)?;
            }
            graph.expanded += 1;
        }
        Ok(())
    }

    /// Adds the instances that derive one tuple.
    fn expand(
        &mut self,
        graph: &mut Graph,
        node: usize,
        tuple: Tuple,
        budget: &mut Budget,
    ) -> Result<(), ProvenanceError> {
        let codes = self.relations[tuple.relation].row(tuple.row);
        for position in 0..self.rules_for[tuple.relation].len() {
            let number = self.rules_for[tuple.relation][position];
            let rule = &self.program.rules()[number];
            let Some(mut substitution) = self.unify_head(rule, codes) else {
                continue;
            };
            if self.plans[number].is_none() {
                self.plans[number] = Some(self.plan_below_head(rule, rule.body.len()));
            }
            let Some(plan) = &self.plans[number] else {
                continue;
            };
            let most = self.limits.instances;
            let mut collect = |found: Found<'_>| {
                if graph.instances.len() == most {
                    return ControlFlow::Break(Stop::Exhausted);
                }
                let premises =
                    positive_premises(rule).map(|(premise, relation)| Tuple { relation, row: found.rows[premise] });
                graph.add(number, node, premises);
                ControlFlow::Continue(())
            };
            let ended = self.view().run(plan, &mut substitution, budget, &mut collect);
            if ended.is_break() {
                return Err(ProvenanceError::LimitReached {
                    instances: graph.instances.len(),
                    rows: self.limits.rows - budget.0,
                });
            }
        }
        Ok(())
    }
}
