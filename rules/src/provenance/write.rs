//! From chosen instances to a [`Derivation`].

use super::graph::{Graph, Instance};
use super::smallest::Choice;
use super::{Derivation, Evidence, Explainer, Reason, Step, StepId};
use crate::program::{Atom, Premise, Rule, Term};

impl Explainer<'_> {
    /// The derivation of the goal, node 0; `None` when it has none.
    pub(super) fn write(&self, graph: &Graph, choice: &Choice) -> Option<Derivation> {
        choice.heights[0]?;
        let mut steps: Vec<Step> = Vec::new();
        let mut step_of: Vec<Option<StepId>> = vec![None; graph.tuples.len()];
        // Depth first, without recursion: a derivation can be as high as a program is long.
        let mut open = vec![0];
        while let Some(&node) = open.last() {
            if step_of[node].is_some() {
                open.pop();
                continue;
            }
            let instance = choice.instances[node].map(|number| &graph.instances[number]);
            let supports = instance.map_or(&[][..], |instance| graph.supports(instance));
            let before = open.len();
            open.extend(supports.iter().rev().filter(|&&node| step_of[node].is_none()));
            if open.len() > before {
                continue;
            }
            open.pop();
            let tuple = graph.tuples[node];
            let reason = match instance {
                None => Reason::Fact,
                Some(instance) => self.reason(graph, instance, &step_of)?,
            };
            steps.push(Step {
                relation: self.program.relations()[tuple.relation].name.clone(),
                tuple: self.relations[tuple.relation].row(tuple.row).to_vec(),
                reason,
            });
            step_of[node] = Some(StepId(steps.len() - 1));
        }
        Derivation::from_steps(steps)
    }

    /// The rule of an instance with what makes its premises true.
    fn reason(&self, graph: &Graph, instance: &Instance, step_of: &[Option<StepId>]) -> Option<Reason> {
        let rule = &self.program.rules()[instance.rule];
        let mut supports = graph.supports(instance).iter();
        let mut values = vec![0; rule.variables.len()];
        let mut evidence = Vec::with_capacity(rule.body.len());
        for premise in &rule.body {
            let node = match premise {
                Premise::Holds(_) => supports.next(),
                _ => None,
            };
            evidence.push(match (premise, node) {
                (Premise::Holds(atom), Some(&node)) => {
                    let tuple = graph.tuples[node];
                    bind(atom, self.relations[tuple.relation].row(tuple.row), &mut values);
                    Evidence::Step(step_of[node]?)
                }
                _ => self.evidence(rule, premise, &mut values)?,
            });
        }
        Some(Reason::Rule { id: rule.id.clone(), evidence })
    }

    /// What makes a premise that is no tuple true; binds the variable of a `let`.
    fn evidence(&self, rule: &Rule, premise: &Premise, values: &mut [u64]) -> Option<Evidence> {
        let name = |function| self.program.function(function).name.clone();
        Some(match premise {
            Premise::Holds(_) => return None,
            Premise::Absent(atom) => Evidence::Absent {
                relation: self.program.declaration(atom.relation).name.clone(),
                pattern: atom.terms.iter().map(|&term| self.functions.value(term, values)).collect(),
            },
            Premise::Test { call, expected } => Evidence::Test {
                function: name(call.function),
                arguments: self.functions.arguments(call, values)?,
                value: *expected,
            },
            Premise::Compare { left, right, equal } => Evidence::Compare {
                left: self.functions.value(*left, values)?,
                right: self.functions.value(*right, values)?,
                equal: *equal,
            },
            Premise::Let { variable, call } => {
                let arguments = self.functions.arguments(call, values)?;
                let value = self.functions.apply(call.function, &arguments)?;
                values[variable.0] = value;
                Evidence::Let {
                    variable: rule.variables[variable.0].clone(),
                    function: name(call.function),
                    arguments,
                    value,
                }
            }
        })
    }
}

/// Gives the variables of an atom the codes of the tuple that it matches.
fn bind(atom: &Atom, tuple: &[u64], values: &mut [u64]) {
    for (term, &code) in atom.terms.iter().zip(tuple) {
        if let Term::Variable(variable) = term {
            values[variable.0] = code;
        }
    }
}
