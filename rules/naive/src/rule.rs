//! One rule applied to everything that is known.

use healguard_rules::program::{Atom, Call, FunctionId, Functions, Premise, Program, Rule, Term};
use rustc_hash::FxHashMap;

use crate::Tables;

/// A rule, and what can be said of it without tuples.
pub(crate) struct Prepared<'p> {
    program: &'p Program,
    functions: &'p Functions,
    rule: &'p Rule,
    /// For each premise, the columns whose codes are known when it is looked at.
    known: Vec<Vec<usize>>,
    constants: FxHashMap<FunctionId, u64>,
}

impl<'p> Prepared<'p> {
    pub(crate) fn new(program: &'p Program, functions: &'p Functions, rule: &'p Rule) -> Self {
        let mut prepared = Prepared { program, functions, rule, known: Vec::new(), constants: FxHashMap::default() };
        let mut bound = vec![false; rule.variables.len()];
        for premise in &rule.body {
            let known = match premise {
                Premise::Holds(atom) | Premise::Absent(atom) => known_columns(atom, &bound),
                Premise::Test { .. } | Premise::Compare { .. } | Premise::Let { .. } => Vec::new(),
            };
            prepared.known.push(known);
            premise.variables().into_iter().for_each(|variable| bound[variable.position()] = true);
        }
        prepared.constants = prepared.constants();
        prepared
    }

    /// The relation that the rule derives.
    pub(crate) fn head(&self) -> &'p str {
        self.name(&self.rule.head)
    }

    /// How many tuples the relations of its premises have in all.
    pub(crate) fn readable(&self, tables: &Tables<'_>) -> usize {
        self.atoms().map(|(atom, _)| tables[self.name(atom)].len()).sum()
    }

    /// The heads of all instances whose premises are true.
    pub(crate) fn apply(&self, tables: &mut Tables<'p>) -> Vec<Vec<u64>> {
        for (atom, columns) in self.atoms() {
            tables.get_mut(self.name(atom)).expect("every relation has a table").enter(columns);
        }
        let mut derived = Vec::new();
        self.satisfy(0, &mut vec![0; self.rule.variables.len()], tables, &mut derived);
        derived
    }

    /// Makes the premises from number `next` on true in every way, where those before are. `values` are those of the variables, by
    /// their positions; variables that are not bound yet have any.
    fn satisfy(&self, next: usize, values: &mut [u64], tables: &Tables<'_>, derived: &mut Vec<Vec<u64>>) {
        let Some(premise) = self.rule.body.get(next) else {
            derived.push(self.values(&self.rule.head.terms, values));
            return;
        };
        match premise {
            Premise::Holds(atom) => {
                for tuple in self.matching(next, atom, values, tables) {
                    if self.unify(atom, tuple, values) {
                        self.satisfy(next + 1, values, tables, derived);
                    }
                }
            }
            Premise::Absent(atom) => {
                if self.matching(next, atom, values, tables).next().is_none() {
                    self.satisfy(next + 1, values, tables, derived);
                }
            }
            Premise::Test { call, expected } => {
                if self.call(call, values) == u64::from(*expected) {
                    self.satisfy(next + 1, values, tables, derived);
                }
            }
            Premise::Compare { left, right, equal } => {
                if (self.value(*left, values) == self.value(*right, values)) == *equal {
                    self.satisfy(next + 1, values, tables, derived);
                }
            }
            Premise::Let { variable, call } => {
                values[variable.position()] = self.call(call, values);
                self.satisfy(next + 1, values, tables, derived);
            }
        }
    }

    /// The tuples that an atom, which is premise number `premise`, may stand for: those with the codes that are known.
    fn matching<'t>(
        &self,
        premise: usize,
        atom: &Atom,
        values: &[u64],
        tables: &'t Tables<'_>,
    ) -> impl Iterator<Item = &'t [u64]> + use<'t> {
        let columns = &self.known[premise];
        let key: Vec<u64> = columns.iter().map(|&column| self.value(atom.terms[column], values)).collect();
        tables[self.name(atom)].matching(columns, &key)
    }

    /// Binds the variables of an atom to what a tuple has in their columns; `false` where a variable would stand for two values.
    fn unify(&self, atom: &Atom, tuple: &[u64], values: &mut [u64]) -> bool {
        for (term, code) in atom.terms.iter().zip(tuple) {
            if let Term::Variable(variable) = term {
                values[variable.position()] = *code;
            }
        }
        let mut columns = atom.terms.iter().zip(tuple);
        columns.all(|(term, code)| *term == Term::Wildcard || self.value(*term, values) == *code)
    }

    fn value(&self, term: Term, values: &[u64]) -> u64 {
        match term {
            Term::Variable(variable) => values[variable.position()],
            Term::Constant(constant) => self.constants[&constant],
            Term::Wildcard => unreachable!("a wildcard has no value"),
        }
    }

    fn values(&self, terms: &[Term], values: &[u64]) -> Vec<u64> {
        terms.iter().map(|&term| self.value(term, values)).collect()
    }

    fn call(&self, call: &Call, values: &[u64]) -> u64 {
        self.function(call.function, &self.values(&call.arguments, values))
    }

    fn function(&self, function: FunctionId, arguments: &[u64]) -> u64 {
        let name = &self.program.function(function).name;
        let value = self.functions.apply(name, arguments);
        value.unwrap_or_else(|| panic!("`{name}` is not defined for {arguments:?}"))
    }

    /// The premises that are relations, negated or not, and their known columns.
    fn atoms(&self) -> impl Iterator<Item = (&Atom, &[usize])> {
        self.rule.body.iter().zip(&self.known).filter_map(|(premise, columns)| match premise {
            Premise::Holds(atom) | Premise::Absent(atom) => Some((atom, columns.as_slice())),
            Premise::Test { .. } | Premise::Compare { .. } | Premise::Let { .. } => None,
        })
    }

    fn name(&self, atom: &Atom) -> &'p str {
        &self.program.declaration(atom.relation).name
    }

    /// The values of all constants that the rule names.
    fn constants(&self) -> FxHashMap<FunctionId, u64> {
        let mut terms = self.rule.head.terms.clone();
        for premise in &self.rule.body {
            match premise {
                Premise::Holds(atom) | Premise::Absent(atom) => terms.extend(&atom.terms),
                Premise::Test { call, .. } | Premise::Let { call, .. } => terms.extend(&call.arguments),
                Premise::Compare { left, right, .. } => terms.extend([left, right]),
            }
        }
        let constants = terms.into_iter().filter_map(|term| match term {
            Term::Constant(constant) => Some((constant, self.function(constant, &[]))),
            Term::Variable(_) | Term::Wildcard => None,
        });
        constants.collect()
    }
}

/// The columns of an atom whose terms have a value before it is looked at.
fn known_columns(atom: &Atom, bound: &[bool]) -> Vec<usize> {
    let is_known = |term: &Term| match term {
        Term::Variable(variable) => bound[variable.position()],
        Term::Constant(_) => true,
        Term::Wildcard => false,
    };
    let columns = atom.terms.iter().enumerate().filter(|(_, term)| is_known(term));
    columns.map(|(column, _)| column).collect()
}
