//! Random programs against the definition: try all values for all variables until nothing is added. What naive evaluation
//! derives is compared, too.

use std::collections::BTreeMap;
use std::fmt::Write;

use healguard_rules::database::Database;
use healguard_rules::evaluate::evaluate;
use healguard_rules::program::{Functions, Premise, Program, RelationKind, Rule, Term};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::derivations::every_tuple_has_a_lowest_derivation;

/// All values are below this.
const VALUES: u64 = 3;
const VARIABLES: [&str; 4] = ["w", "x", "y", "z"];

/// A premise, made of variables by their numbers where these are bound.
#[derive(Clone, Debug)]
enum Part {
    Positive(Index, [usize; 2], bool),
    Negative(Index, [Index; 2], bool),
    Equal(Index, Index, bool),
    Parity(Index, bool),
    Sum(Index, Index),
}

fn parts() -> impl Strategy<Value = Part> {
    let at = any::<Index>;
    let positive = (at(), [0..3_usize, 0..3_usize], any::<bool>()).prop_map(|(r, v, wild)| Part::Positive(r, v, wild));
    prop_oneof![
        4 => positive,
        1 => (at(), [at(), at()], any::<bool>()).prop_map(|(r, v, w)| Part::Negative(r, v, w)),
        1 => (at(), at(), any::<bool>()).prop_map(|(a, b, equal)| Part::Equal(a, b, equal)),
        1 => (at(), any::<bool>()).prop_map(|(a, even)| Part::Parity(a, even)),
        1 => (at(), at()).prop_map(|(a, b)| Part::Sum(a, b)),
    ]
}

/// The text of a rule. Relations are in order of their strata, and a rule negates only earlier ones than it derives.
fn rule_text(number: usize, head: &Index, head_terms: &[Index; 2], parts: &[Part]) -> String {
    const RELATIONS: [&str; 5] = ["A", "B", "P", "Q", "S"];
    let head_number = 2 + head.index(3);
    let mut bound: Vec<&str> = Vec::new();
    let mut body: Vec<String> = Vec::new();
    for part in parts {
        let any_bound = |index: &Index| bound[index.index(bound.len())];
        if bound.is_empty() && !matches!(part, Part::Positive(..)) {
            continue;
        }
        match part {
            Part::Positive(relation, variables, wild) => {
                // P and Q are in one stratum, S is above them.
                let readable = if head_number == 4 { 5 } else { 4 };
                let relation = RELATIONS[relation.index(readable)];
                let [first, second] = variables.map(|variable| VARIABLES[variable]);
                // crepe cannot repeat a variable in one premise; a constant takes its place.
                let second = match (*wild, first == second) {
                    (true, _) => "_",
                    (false, true) => "ONE",
                    (false, false) => second,
                };
                body.push(format!("{relation}({first}, {second})"));
                bound.push(first);
                bound.extend(Some(second).filter(|second| VARIABLES.contains(second)));
            }
            Part::Negative(relation, variables, wild) => {
                let refutable = if head_number == 4 { 4 } else { 2 };
                let relation = RELATIONS[relation.index(refutable)];
                let second = if *wild { "_" } else { any_bound(&variables[1]) };
                body.push(format!("!{relation}({}, {second})", any_bound(&variables[0])));
            }
            Part::Equal(left, right, equal) => {
                let sign = if *equal { "==" } else { "!=" };
                body.push(format!("({} {sign} {})", any_bound(left), any_bound(right)));
            }
            Part::Parity(of, even) => {
                let not = if *even { "" } else { "!" };
                body.push(format!("({not}even({}))", any_bound(of)));
            }
            Part::Sum(left, right) => {
                if !bound.contains(&"z") {
                    body.push(format!("let z = sum({}, {})", any_bound(left), any_bound(right)));
                    bound.push("z");
                }
            }
        }
    }
    let term = |index: &Index| match bound.len() {
        0 => "ONE",
        length => bound[index.index(length)],
    };
    let [first, second] = head_terms;
    let head = format!("{}({}, {})", RELATIONS[head_number], term(first), term(second));
    let arrow = if body.is_empty() { "" } else { " <- " };
    format!("// [r/{number}] Rule.\n{head}{arrow}{};\n", body.join(", "))
}

fn programs() -> impl Strategy<Value = String> {
    let at = any::<Index>;
    vec((at(), [at(), at()], vec(parts(), 0..5)), 1..7).prop_map(|rules| {
        let mut source = String::from(
            "crepe! { @input struct A(N, N); @input struct B(N, N);
            @output struct P(N, N); @output struct Q(N, N); @output struct S(N, N);\n",
        );
        for (number, (head, head_terms, parts)) in rules.iter().enumerate() {
            source.push_str(&rule_text(number, head, head_terms, parts));
        }
        source.push('}');
        source
    })
}

fn even(value: u64) -> bool {
    value.is_multiple_of(2)
}

fn sum(left: u64, right: u64) -> u64 {
    (left + right) % VALUES
}

fn functions() -> Functions {
    let mut functions = Functions::new();
    functions.define("even", even);
    functions.define("sum", sum);
    functions.constant("ONE", 1_u64);
    functions
}

type Tuples = BTreeMap<(usize, Vec<u64>), u32>;

/// The number of a relation: its letter's place in the declarations.
fn relation_number(program: &Program, premise_or_head: &healguard_rules::program::Atom) -> usize {
    let name = &program.declaration(premise_or_head.relation).name;
    let names = program.relations().iter();
    names.take_while(|declared| declared.name != *name).count()
}

/// All tuples with their ranks, by the definition.
fn by_definition(program: &Program, facts: &Tuples) -> Tuples {
    let mut tuples = facts.clone();
    // S is the only relation that may be derived from the absence of derived tuples.
    for last_of_stratum in [3, 4] {
        for round in 1.. {
            let mut added = Tuples::new();
            for rule in program.rules() {
                let head = relation_number(program, &rule.head);
                if (head > 3) != (last_of_stratum > 3) {
                    continue;
                }
                for values in assignments(rule.variables.len()) {
                    if holds(program, rule, &values, &tuples, round) {
                        let tuple = rule.head.terms.iter().map(|&term| value(term, &values));
                        added.insert((head, tuple.flatten().collect()), round);
                    }
                }
            }
            for (tuple, rank) in added {
                tuples.entry(tuple).or_insert(rank);
            }
            if tuples.values().all(|&rank| rank < round) {
                break;
            }
        }
    }
    tuples
}

fn assignments(count: usize) -> Vec<Vec<u64>> {
    (0..count).fold(vec![Vec::new()], |shorter, _| {
        let longer = shorter.iter().flat_map(|values| (0..VALUES).map(|value| [values.as_slice(), &[value]].concat()));
        longer.collect()
    })
}

fn value(term: Term, values: &[u64]) -> Option<u64> {
    match term {
        Term::Variable(variable) => Some(values[variable.position()]),
        Term::Constant(_) => Some(1),
        Term::Wildcard => None,
    }
}

fn holds(program: &Program, rule: &Rule, values: &[u64], tuples: &Tuples, round: u32) -> bool {
    let matching = |atom: &healguard_rules::program::Atom, below: u32| {
        let number = relation_number(program, atom);
        let wanted: Vec<Option<u64>> = atom.terms.iter().map(|&term| value(term, values)).collect();
        tuples.iter().any(|((relation, tuple), &rank)| {
            let mut columns = wanted.iter().zip(tuple);
            *relation == number
                && rank < below
                && columns.all(|(wanted, code)| wanted.is_none_or(|wanted| wanted == *code))
        })
    };
    rule.body.iter().all(|premise| match premise {
        Premise::Holds(atom) => matching(atom, round),
        Premise::Absent(atom) => !matching(atom, u32::MAX),
        Premise::Test { call, expected } => value(call.arguments[0], values).map(even) == Some(*expected),
        Premise::Compare { left, right, equal } => (value(*left, values) == value(*right, values)) == *equal,
        Premise::Let { variable, call } => {
            let left = value(call.arguments[0], values);
            let right = value(call.arguments[1], values);
            left.zip(right).map(|(left, right)| sum(left, right)) == Some(values[variable.position()])
        }
    })
}

/// The tuples of each relation.
fn relations(database: &Database) -> healguard_naive::Relations {
    let relations = database.relations();
    relations.map(|(name, table)| (name.to_owned(), table.tuples().map(<[u64]>::to_vec).collect())).collect()
}

fn rows() -> impl Strategy<Value = Vec<(u64, u64)>> {
    vec((0..VALUES, 0..VALUES), 0..5)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn evaluation_and_derivations_of_random_programs_follow_the_definition(
        source in programs(),
        a in rows(),
        b in rows(),
    ) {
        let program = match Program::parse("random", &source) {
            Ok(program) => program,
            Err(error) => return Err(TestCaseError::fail(format!("{error} in\n{source}"))),
        };
        let mut facts = Database::new();
        let mut tuples = Tuples::new();
        for (number, (name, rows)) in [("A", &a), ("B", &b)].into_iter().enumerate() {
            facts.declare(name, 2)?;
            for &(x, y) in rows {
                facts.insert(name, &[x, y])?;
                tuples.insert((number, vec![x, y]), 0);
            }
        }
        let expected = by_definition(&program, &tuples);
        let evaluation = evaluate(&program, &functions(), facts.clone())?;
        let mut found = Tuples::new();
        for (number, relation) in program.relations().iter().enumerate() {
            prop_assert_eq!(relation.kind == RelationKind::Input, number < 2);
            let table = evaluation.database().relation(&relation.name);
            for tuple in table.into_iter().flat_map(|table| table.tuples()) {
                let rank = evaluation.rank(&relation.name, tuple);
                found.extend(rank.map(|rank| ((number, tuple.to_vec()), rank)));
            }
        }
        let mut context = source.clone();
        write!(context, "\nA {a:?} B {b:?}")?;
        prop_assert_eq!(found, expected, "{}", context);
        let naive = healguard_naive::evaluate(&program, &functions(), &facts);
        prop_assert_eq!(naive, relations(evaluation.database()), "{}", context);
        every_tuple_has_a_lowest_derivation(&program, &functions(), facts, evaluation.database())?;
    }
}
