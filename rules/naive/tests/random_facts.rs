//! The rules of each layer over random facts: naive evaluation and the evaluator derive the same.
//!
//! Facts that have nothing to do with each other derive nothing. So these are the facts of random derivations: a rule is taken
//! by chance, values for its variables, and for each premise that has to be derived a rule for it, a few steps down.

use std::cell::RefCell;
use std::collections::BTreeSet;

use healguard_rules::database::{Column, Database, Relation};
use healguard_rules::evaluate::evaluate;
use healguard_rules::layers::{self, Contexts};
use healguard_rules::program::{Functions, Premise, Program, RelationDeclaration, RelationKind, Rule, Term};
use healguard_rules::schema::{Ctx, Field, Obj, Point, Port, Role, Shift, allocated, opaque};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Sets of facts for each layer.
const CASES: u32 = 120;

/// How far down premises are derived.
const STEPS: usize = 3;

/// What a case is made of: numbers that decide. Behind the last one it is always the first choice.
struct Choices(std::vec::IntoIter<u16>);

impl Choices {
    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[usize::from(self.0.next().unwrap_or(0)) % all.len()]
    }

    /// A value for a column of that type.
    fn value(&mut self, column: &str) -> u64 {
        let contexts = [Ctx::LIVE, Ctx::SHARED, Ctx::ABANDONED, Ctx(20), Ctx(21)];
        let points = [Point(1), Point(2), Point(3), Point(4)];
        match column {
            "Ctx" => self.one_of(&contexts).encode(),
            "Point" => self.one_of(&points).encode(),
            "Port" => self.one_of(&[Port::RECEIVER, Port::RESULT, Port::ARGUMENTS, Port::argument(0)]).encode(),
            "Shift" => {
                let shifts =
                    [Shift::NONE, Shift::METHOD, Shift::CALLBACK, Shift::HOOK, Shift::ASKED, Shift::INITIALIZE];
                self.one_of(&shifts).encode()
            }
            "Role" => self.one_of(&[Role::READ, Role::WRITE, Role::CALL, Role::COPY, Role::IN_PLACE]).encode(),
            "Obj" => {
                let made = allocated(self.one_of(&points), self.one_of(&contexts));
                let objects = [Obj::table(0), Obj::table(1), Obj::table(2), Obj::constant(0), opaque(Point(1)), made];
                self.one_of(&objects).encode()
            }
            "Field" => {
                let special = [Field::ANY_ITEM, Field::KEYS, Field::SHAPE, Field::ANY, Field::ITSELF, Field::DEEP];
                let fields = [Field::attribute(0), Field::attribute(1), Field::key(0), self.one_of(&special)];
                self.one_of(&fields).encode()
            }
            "Var" | "Func" | "Model" | "Operation" | "u32" => self.one_of(&[0_u64, 1, 2]),
            _ => panic!("no values for `{column}`"),
        }
    }
}

/// Gathers the facts of derivations.
struct Gatherer<'p> {
    program: &'p Program,
    functions: &'p Functions,
    choices: Choices,
    facts: Database,
}

impl Gatherer<'_> {
    /// The facts of an instance of a rule that derives `head`, as far as there is one; of any without that.
    fn instance(&mut self, rule: &Rule, head: Option<&[u64]>, steps: usize) {
        let mut values: Vec<Option<u64>> = vec![None; rule.variables.len()];
        for (term, code) in rule.head.terms.iter().zip(head.into_iter().flatten()) {
            if let Term::Variable(variable) = term {
                values[variable.position()] = Some(*code);
            }
        }
        for premise in &rule.body {
            match premise {
                Premise::Holds(atom) => {
                    let relation = self.program.declaration(atom.relation);
                    let terms = atom.terms.iter().zip(&relation.columns);
                    let tuple: Vec<u64> = terms.map(|(term, column)| self.term(*term, column, &mut values)).collect();
                    self.tuple(relation, &tuple, steps);
                }
                Premise::Let { variable, call } => {
                    let arguments = call.arguments.iter().map(|term| self.term(*term, "", &mut values));
                    let arguments: Vec<u64> = arguments.collect();
                    values[variable.position()] = self.apply(&self.program.function(call.function).name, &arguments);
                }
                // Chance has to see to these.
                Premise::Absent(_) | Premise::Test { .. } | Premise::Compare { .. } => {}
            }
        }
    }

    /// Sees to it that a tuple is there, or at least some facts for it.
    fn tuple(&mut self, relation: &RelationDeclaration, tuple: &[u64], steps: usize) {
        if relation.kind == RelationKind::Input {
            self.facts.insert(&relation.name, tuple).expect("a fact");
            return;
        }
        let program = self.program;
        let derives = |rule: &&Rule| program.declaration(rule.head.relation) == relation;
        let deriving: Vec<&Rule> = program.rules().iter().filter(derives).collect();
        if steps > 0 && !deriving.is_empty() {
            let rule = self.choices.one_of(&deriving);
            self.instance(rule, Some(tuple), steps - 1);
        }
    }

    /// The value of a term; a variable that has none gets one that suits its column.
    fn term(&mut self, term: Term, column: &str, values: &mut [Option<u64>]) -> u64 {
        match term {
            Term::Variable(variable) => *values[variable.position()].get_or_insert_with(|| self.choices.value(column)),
            Term::Constant(constant) => {
                self.apply(&self.program.function(constant).name, &[]).expect("the constants of the rules are defined")
            }
            Term::Wildcard => self.choices.value(column),
        }
    }

    fn apply(&self, function: &str, arguments: &[u64]) -> Option<u64> {
        self.functions.apply(function, arguments)
    }
}

/// Calls are told apart by two sites: facts made by chance call in circles, through which there are too many paths for naive
/// evaluation.
fn functions() -> &'static Functions {
    layers::functions_with(Contexts::TwoSites)
}

/// The facts that these numbers decide on.
fn facts(program: &Program, numbers: Vec<u16>) -> Database {
    let choices = Choices(numbers.into_iter());
    let mut gatherer = Gatherer { program, functions: functions(), choices, facts: Database::new() };
    let rules: Vec<&Rule> = program.rules().iter().collect();
    while gatherer.choices.0.len() > 0 {
        let rule = gatherer.choices.one_of(&rules);
        gatherer.instance(rule, None, STEPS);
    }
    gatherer.facts
}

fn tuples(database: &Database, name: &str) -> BTreeSet<Vec<u64>> {
    database.relation(name).into_iter().flat_map(Relation::tuples).map(<[u64]>::to_vec).collect()
}

/// Compares both evaluations over random facts, which have to make something of most relations that are derived.
fn compare(program: &Program) {
    let filled: RefCell<BTreeSet<&str>> = RefCell::default();
    let derived = program.relations().iter().filter(|relation| relation.kind != RelationKind::Input);
    let derived: Vec<&str> = derived.map(|relation| relation.name.as_str()).collect();
    let config = Config { failure_persistence: None, ..Config::with_cases(CASES) };
    // The same facts in every run, so that what they fill is the same.
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let outcome = runner.run(&vec(any::<u16>(), 1..150), |numbers| {
        let facts = facts(program, numbers);
        let naive = healguard_naive::evaluate(program, functions(), &facts);
        let planned = evaluate(program, functions(), facts)?;
        for (name, expected) in &naive {
            prop_assert_eq!(&tuples(planned.database(), name), expected, "`{}` differs", name);
        }
        filled.borrow_mut().extend(derived.iter().filter(|name| !naive[**name].is_empty()));
        Ok(())
    });
    assert!(outcome.is_ok(), "{outcome:?}");
    let filled = filled.borrow().len();
    assert!(filled * 5 > derived.len() * 2, "only {filled} of {} derived relations had tuples", derived.len());
}

#[test]
fn the_first_layer_derives_the_same_from_random_facts() {
    compare(layers::first());
}

#[test]
fn the_second_layer_derives_the_same_from_random_facts() {
    compare(layers::second());
}

#[test]
fn the_third_layer_derives_the_same_from_random_facts() {
    compare(layers::third());
}
