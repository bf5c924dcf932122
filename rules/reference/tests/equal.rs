//! crepe and the evaluator derive the same from the same facts.

use std::fs;

use healcheck::check::Analysis;
use healcheck::cli::{self, Streams};
use healcheck::config::{Protection, ResumeMode};
use healcheck::engine::{Engine, Question, Solution};
use healcheck::snapshot::Snapshot;
use healcheck::solve;
use healcheck::world::{SearchPath, World};
use healguard_reference::{effects, points_to, taint};
use healguard_rules::database::{Database, Relation};

const PROGRAM: &str = r#"
import contextlib


class Basket:
    def __init__(self, items):
        self.items = items

    def __getattr__(self, name):
        return len(self.items)

    @property
    def first(self):
        return min(self.items, key=lambda item: item[1])

    def prices(self):
        for name, price in self.items:
            yield price * RATES[name]


RATES = {"tea": 2}


@contextlib.contextmanager
def shown(title):
    print(title)
    yield title


def pay(amount):
    print(amount)


def main():
    basket = Basket([("tea", 1), ("milk", 3)])
    with shown("basket"):
        total = 0
        for price in basket.prices():
            total += price
    if total > basket.size:
        pay(total)
    pay(basket.first)


main()
"#;

/// The solution for a crash of the program above.
fn solution() -> Solution {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = |name: &str| folder.path().join(name);
    fs::write(file("main.py"), PROGRAM).expect("a file");
    fs::write(file("protect.toml"), "schema = 1\n\n[[operation]]\nname = \"__main__.pay\"\n").expect("a file");
    let (crash, main) = (file("crash.json"), file("main.py"));
    let arguments = ["healcheck", "snapshot", "--output"].map(Into::into).into_iter();
    let arguments = arguments.chain([crash.clone().into(), "--".into(), "python3".into(), main.into()]);
    let (mut reports, mut messages) = (Vec::new(), Vec::new());
    let mut streams = Streams::plain(&mut reports, &mut messages);
    assert_eq!(cli::run(arguments, &Analysis, &mut streams), 0, "{}", String::from_utf8_lossy(&messages));
    let snapshot = Snapshot::read(&crash).expect("a snapshot");
    let protection = Protection::load(&file("protect.toml")).expect("a protection");
    let search = SearchPath { repository: folder.path().to_owned(), ..SearchPath::default() };
    let mut world = World::new(&snapshot, search, Default::default());
    let (healing, healing_file) = ("RATES[name] = 5\n", file("heal.py"));
    let question = Question { healing, healing_file: &healing_file, mode: ResumeMode::Retry, protection: &protection };
    Engine::solve(&mut world, &question).expect("a solution")
}

#[test]
fn crepe_derives_the_same_from_the_facts_of_a_crash() {
    let Solution { facts, points_to: first, effects: second, taint: third, .. } = solution();
    assert!(third.tainted_var.len() > 10, "healed state goes on");
    let all = solve::database(&facts, &first, &second, &third).expect("a database");
    let first_facts = facts.send_new(&mut Vec::new()).expect("a database");
    let derived = [
        (points_to::solve(&first_facts), points_to::DERIVED),
        (effects::solve(&all), effects::DERIVED),
        (taint::solve(&all), taint::DERIVED),
    ];
    for (derived, names) in derived {
        let derived = derived.expect("a database");
        for name in names {
            assert!(tuples(&derived, name) == tuples(&all, name), "`{name}` differs");
        }
    }
}

fn tuples(database: &Database, name: &str) -> Vec<Vec<u64>> {
    let mut tuples: Vec<_> =
        database.relation(name).into_iter().flat_map(Relation::tuples).map(<[u64]>::to_vec).collect();
    tuples.sort_unstable();
    tuples
}
