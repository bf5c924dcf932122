//! In which order, and with which look-ups, the premises of a rule are matched.

use std::ops::Range;

use super::join::{IndexSlot, Indices};
use super::trial::{Tables, Trial};
use crate::database::{ColumnSet, Relation};
use crate::program::{Atom, FunctionId, Linked, Premise, Rule, Term};

/// A value known when a step starts.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source {
    Variable(usize),
    Value(u64),
}

/// The steps that find all substitutions of a rule, given values for some of its variables.
#[derive(Debug)]
pub(crate) struct Plan {
    pub steps: Vec<Step>,
    /// The number of premises of the rule.
    pub premises: usize,
}

#[derive(Debug)]
pub(crate) enum Step {
    /// For each row of a relation with these codes.
    Match(Match),
    /// Go on if no row has these codes.
    Absent {
        relation: usize,
        lookup: Lookup,
    },
    Call {
        function: FunctionId,
        arguments: Vec<Source>,
        outcome: Outcome,
    },
    /// Go on if the values are equal, or are not.
    Compare {
        left: Source,
        right: Source,
        equal: bool,
    },
}

#[derive(Debug)]
pub(crate) struct Match {
    /// The number of the premise in the rule.
    pub premise: usize,
    pub relation: usize,
    pub lookup: Lookup,
    /// Columns whose code becomes the value of a variable.
    pub bind: Vec<(usize, usize)>,
    /// Columns that must have the value of a variable bound by this very step.
    pub same: Vec<(usize, usize)>,
}

/// How rows with known codes are found.
#[derive(Debug)]
pub(crate) enum Lookup {
    /// No code is known.
    All,
    /// All codes are known, in column order.
    Tuple(Vec<Source>),
    /// The codes of the indexed columns, in column order.
    Index(IndexSlot, Vec<Source>),
}

/// What is done with the value of a function.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Outcome {
    /// It must be this code.
    Is(u64),
    /// It must be the value of the variable.
    Equals(usize),
    /// It becomes the value of the variable.
    Binds(usize),
}

/// What plans are made from.
pub(crate) struct Planner<'a> {
    /// The relations of the program, by number.
    pub relations: &'a [&'a Relation],
    pub functions: &'a Linked<'a>,
    pub indices: &'a mut Indices,
    /// Rows of the first premise to try the plan with, and for each relation how many rows a premise sees.
    pub trial: Option<(Range<u32>, &'a [u32])>,
}

impl Planner<'_> {
    /// A plan for the first `count` premises of a rule. `bound` tells which variables have values before it starts.
    /// Premise `first`, if given, is matched before all others; these follow by how few rows they are expected to match.
    pub(crate) fn plan(&mut self, rule: &Rule, bound: Vec<bool>, first: Option<usize>, count: usize) -> Plan {
        let mut building = Building::new(rule, bound, count);
        if let Some(premise) = first {
            building.place(self, premise);
            building.start_trial(self);
        }
        loop {
            let next = building.ready_test().or_else(|| building.cheapest_match(self));
            let Some(premise) = next else { return building.plan };
            building.place(self, premise);
            building.advance_trial(self);
        }
    }

    fn tables(&self) -> Option<Tables<'_>> {
        let (_, visible) = self.trial.as_ref()?;
        Some(Tables { relations: self.relations, visible, functions: self.functions, indices: self.indices })
    }

    fn lookup(&mut self, relation: usize, arity: usize, known: ColumnSet, key: Vec<Source>) -> Lookup {
        if known.len() == arity {
            Lookup::Tuple(key)
        } else if known.is_empty() {
            Lookup::All
        } else {
            Lookup::Index(self.indices.slot(relation, known), key)
        }
    }
}

struct Building<'r> {
    rule: &'r Rule,
    bound: Vec<bool>,
    placed: Vec<bool>,
    plan: Plan,
    trial: Option<Trial>,
}

impl<'r> Building<'r> {
    fn new(rule: &'r Rule, bound: Vec<bool>, count: usize) -> Self {
        Self {
            rule,
            bound,
            placed: vec![false; count],
            plan: Plan { steps: Vec::with_capacity(count), premises: rule.body.len() },
            trial: None,
        }
    }

    fn start_trial(&mut self, planner: &Planner<'_>) {
        let (Some(tables), Some((rows, _)), Some(step)) = (planner.tables(), &planner.trial, self.plan.steps.last())
        else {
            return;
        };
        self.trial = Some(Trial::start(&tables, step, rows, self.rule.variables.len()));
    }

    fn advance_trial(&mut self, planner: &Planner<'_>) {
        if let (Some(tables), Some(trial), Some(step)) = (planner.tables(), &mut self.trial, self.plan.steps.last()) {
            trial.advance(&tables, step);
        }
    }

    /// A premise that is not matched against rows and whose variables all have values.
    fn ready_test(&self) -> Option<usize> {
        self.open().find(|&premise| match &self.rule.body[premise] {
            Premise::Holds(_) => false,
            Premise::Absent(atom) => self.known(&atom.terms),
            Premise::Test { call, .. } | Premise::Let { call, .. } => self.known(&call.arguments),
            Premise::Compare { left, right, .. } => self.known(&[*left, *right]),
        })
    }

    /// The positive premise that is expected to match the fewest rows; the earlier one among equals.
    fn cheapest_match(&self, planner: &mut Planner<'_>) -> Option<usize> {
        let open: Vec<usize> = self.open().collect();
        let costs = open.into_iter().filter_map(|premise| match &self.rule.body[premise] {
            Premise::Holds(atom) => Some((premise, self.cost(planner, premise, atom))),
            _ => None,
        });
        costs.min_by(|(_, left), (_, right)| left.total_cmp(right)).map(|(premise, _)| premise)
    }

    fn cost(&self, planner: &mut Planner<'_>, premise: usize, atom: &Atom) -> f64 {
        let (known, key) = self.key(planner, atom);
        if known.len() == atom.terms.len() {
            return 0.0;
        }
        let relation = planner.relations[atom.relation.0];
        let lookup = planner.lookup(atom.relation.0, atom.terms.len(), known, key);
        let expected = match lookup {
            Lookup::Index(slot, _) => planner.indices.expected(slot, relation),
            Lookup::All | Lookup::Tuple(_) => relation.len() as f64,
        };
        let step = Match { premise, relation: atom.relation.0, lookup, bind: Vec::new(), same: Vec::new() };
        let tried = self.trial.as_ref().zip(planner.tables());
        let tried = tried.and_then(|(trial, tables)| trial.cost(&tables, &Step::Match(step)));
        tried.unwrap_or(expected)
    }

    fn open(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.placed.len()).filter(|&premise| !self.placed[premise])
    }

    /// Whether all terms that are no wildcards have values.
    fn known(&self, terms: &[Term]) -> bool {
        terms.iter().all(|term| match term {
            Term::Variable(variable) => self.bound[variable.0],
            Term::Constant(_) | Term::Wildcard => true,
        })
    }

    fn place(&mut self, planner: &mut Planner<'_>, premise: usize) {
        self.placed[premise] = true;
        let step = match &self.rule.body[premise] {
            Premise::Holds(atom) => Some(Step::Match(self.match_step(planner, premise, atom))),
            Premise::Absent(atom) => {
                let (known, key) = self.key(planner, atom);
                let (relation, arity) = (atom.relation.0, atom.terms.len());
                let lookup = planner.lookup(relation, arity, known, key);
                Some(Step::Absent { relation, lookup })
            }
            Premise::Test { call, expected } => {
                let outcome = Outcome::Is(u64::from(*expected));
                Some(self.call_step(planner, call.function, &call.arguments, outcome))
            }
            Premise::Let { variable, call } => {
                let outcome = if std::mem::replace(&mut self.bound[variable.0], true) {
                    Outcome::Equals(variable.0)
                } else {
                    Outcome::Binds(variable.0)
                };
                Some(self.call_step(planner, call.function, &call.arguments, outcome))
            }
            Premise::Compare { left, right, equal } => source(planner, *left)
                .zip(source(planner, *right))
                .map(|(left, right)| Step::Compare { left, right, equal: *equal }),
        };
        self.plan.steps.extend(step);
    }

    fn match_step(&mut self, planner: &mut Planner<'_>, premise: usize, atom: &Atom) -> Match {
        let (known, key) = self.key(planner, atom);
        let mut bind: Vec<(usize, usize)> = Vec::new();
        let mut same = Vec::new();
        for (column, term) in atom.terms.iter().enumerate() {
            if let Term::Variable(variable) = term
                && !known.contains(column)
            {
                let list = if self.bound[variable.0] { &mut same } else { &mut bind };
                list.push((column, variable.0));
                self.bound[variable.0] = true;
            }
        }
        let (relation, arity) = (atom.relation.0, atom.terms.len());
        Match { premise, relation, lookup: planner.lookup(relation, arity, known, key), bind, same }
    }

    /// The columns of an atom whose codes are known, and where these come from.
    fn key(&self, planner: &Planner<'_>, atom: &Atom) -> (ColumnSet, Vec<Source>) {
        let mut known = ColumnSet::default();
        let mut key = Vec::new();
        for (column, &term) in atom.terms.iter().enumerate() {
            if self.known(&[term])
                && let Some(source) = source(planner, term)
            {
                known = known.with(column);
                key.push(source);
            }
        }
        (known, key)
    }

    fn call_step(&self, planner: &Planner<'_>, function: FunctionId, arguments: &[Term], outcome: Outcome) -> Step {
        Step::Call {
            function,
            arguments: arguments.iter().filter_map(|&argument| source(planner, argument)).collect(),
            outcome,
        }
    }
}

/// Where the value of a term comes from; `None` for a wildcard.
fn source(planner: &Planner<'_>, term: Term) -> Option<Source> {
    match term {
        Term::Variable(variable) => Some(Source::Variable(variable.0)),
        Term::Constant(_) => planner.functions.value(term, &[]).map(Source::Value),
        Term::Wildcard => None,
    }
}
