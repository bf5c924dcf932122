//! Why a tuple was derived, and why another was not.
//!
//! crepe returns the tuples and not how it found them. Evaluating everything again with provenance would cost more than
//! the analysis itself, so the search starts from the one tuple that is asked about: `graph` collects backwards, layer by layer, the
//! rule instances that could have led to it, all of whose premises are among the final tuples; `smallest` then goes
//! forwards from the facts and gives each tuple its lowest derivation, which cannot be circular. What comes out is
//! checked by code that shares nothing with this search: [`check`](crate::checker::check).

mod absence;
mod derivation;
mod graph;
mod smallest;
mod write;

pub use absence::{Attempt, Failure, WhyNot};
pub use derivation::{Derivation, Evidence, Reason, Step, StepId};

use graph::Graph;

use crate::database::{Database, Relation};
use crate::evaluate::join::{Budget, Indices, View};
use crate::evaluate::plan::{Plan, Planner};
use crate::program::{FunctionError, Functions, Linked, Premise, Program, RelationKind, Rule, Term};

/// How much a search may look at before it gives up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Rule instances that are collected.
    pub instances: usize,
    /// Rows that are looked at while premises are matched.
    pub rows: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { instances: 1_000_000, rows: 100_000_000 }
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProvenanceError {
    /// The functions do not fit the program.
    #[error(transparent)]
    Functions(#[from] FunctionError),
    /// The database does not have a relation of the program, which is not the same as an empty one.
    #[error(
        "the database does not have the relation `{relation}`: derived relations must be outputs, and empty ones declared"
    )]
    MissingRelation {
        /// The relation.
        relation: String,
    },
    /// The program does not have the relation.
    #[error("the program has no relation `{relation}`")]
    UnknownRelation {
        /// The relation.
        relation: String,
    },
    /// A relation or a goal does not have the declared number of columns.
    #[error("`{relation}` has {expected} columns, not {found}")]
    Arity {
        /// The relation.
        relation: String,
        /// The declared number.
        expected: usize,
        /// The number found.
        found: usize,
    },
    /// The tuple to derive is not in the database.
    #[error("the tuple is not in `{relation}`")]
    NotThere {
        /// The relation.
        relation: String,
    },
    /// The tuple is in the database, and no rules and facts of the database lead to it.
    #[error("the tuple is in `{relation}`, and nothing in the database derives it")]
    NoDerivation {
        /// The relation.
        relation: String,
    },
    /// The tuple whose absence is asked about is there, or a rule derives it.
    #[error("the tuple of `{relation}` is not absent: rule `{rule}` derives it")]
    NotAbsent {
        /// The relation.
        relation: String,
        /// A rule that derives it; empty for a fact.
        rule: String,
    },
    /// The search was stopped by its [`Limits`]. Nothing follows from that about the tuple.
    #[error("the search stopped after {instances} rule instances and {rows} rows")]
    LimitReached {
        /// The instances collected until then.
        instances: usize,
        /// The rows looked at until then.
        rows: u64,
    },
}

/// Answers questions about one database. It keeps the indices that it builds, so further questions are cheaper.
pub struct Explainer<'a> {
    program: &'a Program,
    functions: Linked<'a>,
    /// The relations of the program, by number.
    relations: Vec<&'a Relation>,
    /// The number of rows of each relation.
    ends: Vec<u32>,
    /// For each relation, the rules that derive it.
    rules_for: Vec<Vec<usize>>,
    indices: Indices,
    /// For each rule, the plan to match its body when its head is known.
    plans: Vec<Option<Plan>>,
    limits: Limits,
}

impl<'a> Explainer<'a> {
    /// Prepares for questions about `database`, which must hold all relations of the program as they are at the end of
    /// its evaluation, inputs and derived ones.
    ///
    /// # Errors
    /// The functions or the database do not fit the program.
    pub fn new(
        program: &'a Program,
        functions: &'a Functions,
        database: &'a Database,
    ) -> Result<Self, ProvenanceError> {
        let relations = program
            .relations()
            .iter()
            .map(|declared| {
                let relation = || declared.name.clone();
                let table = database
                    .relation(&declared.name)
                    .ok_or_else(|| ProvenanceError::MissingRelation { relation: relation() })?;
                if table.arity() == declared.arity() {
                    Ok(table)
                } else {
                    Err(ProvenanceError::Arity {
                        relation: relation(),
                        expected: declared.arity(),
                        found: table.arity(),
                    })
                }
            })
            .collect::<Result<Vec<&Relation>, _>>()?;
        let mut rules_for = vec![Vec::new(); relations.len()];
        for (number, rule) in program.rules().iter().enumerate() {
            rules_for[rule.head.relation.0].push(number);
        }
        Ok(Self {
            program,
            functions: functions.link(program)?,
            ends: relations.iter().map(|table| table.end()).collect(),
            relations,
            rules_for,
            indices: Indices::default(),
            plans: program.rules().iter().map(|_| None).collect(),
            limits: Limits::default(),
        })
    }

    /// The same with other limits for each question.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The lowest derivation of a tuple. Among the lowest, every part of it is also as low as it can be, then it has the
    /// smallest tree, then the earliest rules, then the smallest tuples: the answer depends on nothing else, in
    /// particular not on the order of rows.
    ///
    /// # Errors
    /// The tuple is not in the database, or does not follow from it, or the limits are reached.
    pub fn derive(&mut self, relation: &str, tuple: &[u64]) -> Result<Derivation, ProvenanceError> {
        let number = self.goal(relation, tuple)?;
        let Some(row) = self.relations[number].find(tuple) else {
            return Err(ProvenanceError::NotThere { relation: relation.to_owned() });
        };
        self.search(graph::Tuple { relation: number, row })?
            .ok_or_else(|| ProvenanceError::NoDerivation { relation: relation.to_owned() })
    }

    /// The lowest derivation of a tuple of the database, if it has one.
    ///
    /// A derivation of height `h` has no tuple that is more than `h` steps away from the goal. So the graph grows step by
    /// step, and once there is a derivation that is not higher than the graph is deep, no part of the graph that is still
    /// missing could change it.
    fn search(&mut self, goal: graph::Tuple) -> Result<Option<Derivation>, ProvenanceError> {
        let mut graph = Graph::of(goal);
        let mut budget = Budget(self.limits.rows);
        let mut lowest = usize::MAX;
        let mut instances_seen = 0;
        let mut depth = 0;
        loop {
            depth += 1;
            self.expand_layer(&mut graph, &mut budget)?;
            // Choosing takes time for each instance, so it waits until there are twice as many.
            let has_doubled = lowest == usize::MAX && graph.instances.len() >= 2 * instances_seen;
            if !(has_doubled || lowest <= depth || graph.is_complete()) {
                continue;
            }
            instances_seen = graph.instances.len();
            let choice = smallest::choose(self, &graph);
            lowest = choice.heights[0].unwrap_or(usize::MAX);
            if lowest <= depth || graph.is_complete() {
                return Ok(self.write(&graph, &choice));
            }
        }
    }

    /// The number of the relation that a goal is about.
    fn goal(&self, relation: &str, tuple: &[u64]) -> Result<usize, ProvenanceError> {
        let number = self
            .program
            .relation_id(relation)
            .ok_or_else(|| ProvenanceError::UnknownRelation { relation: relation.to_owned() })?
            .0;
        let expected = self.relations[number].arity();
        if expected == tuple.len() {
            Ok(number)
        } else {
            Err(ProvenanceError::Arity { relation: relation.to_owned(), expected, found: tuple.len() })
        }
    }

    fn is_input(&self, relation: usize) -> bool {
        self.program.relations()[relation].kind == RelationKind::Input
    }

    /// The values of a rule's variables that follow when its head is `tuple`, with zero for the others; `None` when the
    /// head cannot be that tuple.
    fn unify_head(&self, rule: &Rule, tuple: &[u64]) -> Option<Vec<u64>> {
        let mut values = vec![0; rule.variables.len()];
        let mut bound = vec![false; rule.variables.len()];
        for (&term, &code) in rule.head.terms.iter().zip(tuple) {
            let known = match term {
                Term::Variable(variable) if !bound[variable.0] => {
                    bound[variable.0] = true;
                    values[variable.0] = code;
                    continue;
                }
                _ => self.functions.value(term, &values),
            };
            if known != Some(code) {
                return None;
            }
        }
        Some(values)
    }

    /// A plan for the first `count` premises of a rule whose head is known.
    fn plan_below_head(&mut self, rule: &Rule, count: usize) -> Plan {
        let mut bound = vec![false; rule.variables.len()];
        for term in &rule.head.terms {
            if let Term::Variable(variable) = term {
                bound[variable.0] = true;
            }
        }
        let (relations, functions, indices) = (&self.relations, &self.functions, &mut self.indices);
        let mut planner = Planner { relations, functions, indices, trial: None };
        planner.plan(rule, bound, None, count)
    }

    fn view(&self) -> View<'_> {
        View {
            relations: &self.relations,
            visible: &self.ends,
            limited: None,
            functions: &self.functions,
            indices: &self.indices,
        }
    }
}

/// The premises of a rule that are tuples, with their relations.
fn positive_premises(rule: &Rule) -> impl Iterator<Item = (usize, usize)> + '_ {
    rule.body.iter().enumerate().filter_map(|(position, premise)| match premise {
        Premise::Holds(atom) => Some((position, atom.relation.0)),
        _ => None,
    })
}
