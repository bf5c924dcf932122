//! The layers by crepe: what the evaluator is compared with.

use healguard_rules::{effects, points_to, taint};

use super::{Effects, PointsTo, Taint};
use crate::facts::Facts;

/// Hands tuples of one layer to the relations of the same name in another.
macro_rules! carry {
    ($runtime:ident, $from:ident => $to:ident { $($source:expr => $relation:ident($($column:ident),*)),* $(,)? }) => {
        $(
            $runtime.extend($source.iter().map(|$from::$relation($($column),*)| $to::$relation($(*$column),*)));
        )*
    };
}

/// Layer 1.
pub fn points_to(facts: &Facts) -> PointsTo {
    let mut runtime = points_to::Crepe::new();
    facts.send_points_to(&mut runtime);
    PointsTo::run(runtime)
}

/// Layer 2.
pub fn effects(facts: &Facts, below: &PointsTo) -> Effects {
    let mut runtime = effects::Crepe::new();
    carry!(runtime, points_to => effects {
        facts.in_function => InFunction(a, b),
        below.reachable => Reachable(a, b),
        below.var_points_to => VarPointsTo(a, b, c),
        below.call_to => CallTo(a, b, c, d, e, f),
        below.model_call => ModelCall(a, b, c, d),
        below.port_holds => PortHolds(a, b, c, d, e),
        below.escapes => Escapes(a, b, c),
        facts.stores_place => StoresPlace(a, b, c, d),
        facts.stores_raw => StoresRaw(a, b, c, d),
        facts.stores_attribute => StoresAttribute(a, b, c, d),
        facts.stores_item => StoresItem(a, b, c, d),
        facts.spreads => Spreads(a, b, c),
        facts.updates_in_place => UpdatesInPlace(a, b),
        facts.model_selects => ModelSelects(a, b),
        facts.deletes_attribute => DeletesAttribute(a, b, c),
    });
    facts.send_effects(&mut runtime);
    Effects::run(runtime)
}

/// Layer 3.
pub fn taint(facts: &Facts, below: &PointsTo, effects: &Effects) -> Taint {
    let mut runtime = taint::Crepe::new();
    carry!(runtime, points_to => taint {
        facts.in_function => InFunction(a, b),
        facts.copies => Copies(a, b),
        facts.loads_place => LoadsPlace(a, b, c, d),
        facts.stores_place => StoresPlace(a, b, c, d),
        facts.loads_raw => LoadsRaw(a, b, c, d),
        facts.stores_raw => StoresRaw(a, b, c, d),
        facts.loads_attribute => LoadsAttribute(a, b, c, d),
        facts.stores_attribute => StoresAttribute(a, b, c, d),
        facts.loads_item => LoadsItem(a, b, c, d),
        facts.stores_item => StoresItem(a, b, c, d),
        facts.spreads => Spreads(a, b, c),
        facts.iterates_keys => IteratesKeys(a),
        facts.nexts => Nexts(a, b, c),
        facts.operates => Operates(a, b, c),
        facts.calls_value => CallsValue(a, b),
        facts.calls_method => CallsMethod(a, b, c),
        facts.call_result => CallResult(a, b),
        facts.argument => Argument(a, b, c),
        facts.keyword_argument => KeywordArgument(a, b, c),
        facts.spread_argument => SpreadArgument(a, b),
        facts.operand => Operand(a, b),
        facts.parameter => Parameter(a, b, c),
        facts.named_parameter => NamedParameter(a, b, c),
        facts.rest_parameter => RestParameter(a, b, c),
        facts.default => Default(a, b, c),
        facts.returns => Returns(a, b, c),
        facts.yields => Yields(a, b, c),
        facts.deferred => Deferred(a, b),
        facts.resumes => Resumes(a, b),
        facts.port_position => PortPosition(a, b, c),
        facts.port_name => PortName(a, b, c),
        below.reachable => Reachable(a, b),
        below.var_points_to => VarPointsTo(a, b, c),
        below.field_points_to => FieldPointsTo(a, b, c),
        below.class_of => ClassOf(a, b),
        below.call_to => CallTo(a, b, c, d, e, f),
        below.invokes => Invokes(a, b, c, d, e),
        below.model_call => ModelCall(a, b, c, d),
        below.unknown_call => UnknownCall(a, b),
        below.escapes => Escapes(a, b, c),
        below.runs => Runs(a, b, c, d),
        below.port_holds => PortHolds(a, b, c, d, e),
        below.reaches => Reaches(a, b),
        below.contains => Contains(a, b),
        below.port_content => PortContent(a, b, c, d, e, f),
        facts.library_class => LibraryClass(a),
        below.member_found => MemberFound(a, b, c, d, e, f),
        below.class_member => ClassMember(a, b, c, d, e, f),
        below.mirrors => Mirrors(a, b, c, d),
        below.dictionary_of => DictionaryOf(a, b),
        facts.attribute_key => AttributeKey(a, b),
        facts.model_selects => ModelSelects(a, b),
        facts.model_flow => ModelFlow(a, b, c, d, e, f, g),
        facts.port_variable => PortVariable(a, b, c, d, e, f),
    });
    carry!(runtime, effects => taint {
        effects.writes => Writes(a, b, c, d),
        effects.adds_key => AddsKey(a, b, c),
        effects.healing => Healing(a, b),
        effects.repeats => Repeats(a, b),
        effects.skipped => Skipped(a, b),
        facts.port_influence => PortInfluence(a, b, c, d, e, f, g),
    });
    facts.send_taint(&mut runtime);
    Taint::run(runtime)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::check::Analysis;
    use crate::cli::{self, Streams};
    use crate::config::{Protection, ResumeMode};
    use crate::engine::{Engine, Question, Solution};
    use crate::snapshot::Snapshot;
    use crate::world::{SearchPath, World};

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
        let mut streams =
            Streams { reports: &mut reports, messages: &mut messages, colour_reports: false, colour_messages: false };
        assert_eq!(cli::run(arguments, &Analysis, &mut streams), 0, "{}", String::from_utf8_lossy(&messages));
        let snapshot = Snapshot::read(&crash).expect("a snapshot");
        let protection = Protection::load(&file("protect.toml")).expect("a protection");
        let search = SearchPath { repository: folder.path().to_owned(), ..SearchPath::default() };
        let mut world = World::new(&snapshot, search, Default::default());
        let (healing, healing_file) = ("RATES[name] = 5\n", file("heal.py"));
        let question =
            Question { healing, healing_file: &healing_file, mode: ResumeMode::Retry, protection: &protection };
        Engine::solve(&mut world, &question).expect("a solution")
    }

    #[test]
    fn crepe_derives_the_same_from_the_facts_of_a_crash() {
        let solution = solution();
        let Solution { facts, points_to: below, effects: middle, taint: above, .. } = &solution;
        assert!(above.tainted_var.len() > 10, "healed state goes on");
        assert!(points_to(facts) == *below, "layer 1");
        assert!(effects(facts, below) == *middle, "layer 2");
        assert!(taint(facts, below, middle) == *above, "layer 3");
    }
}
