//! Healings as they are really written: all accepted, and printed without change of meaning.

use std::fmt::Write;

use crate::snippets;
use healcore_grammar::{Bounds, ObligationKind, Profile, print, validate};
use ruff_python_ast::comparable::ComparableModModule;

#[test]
fn every_ordinary_healing_is_accepted_and_prints_to_the_same_tree() {
    let table = snippets::read(include_str!("ordinary.md"));
    assert!(table.len() >= 90, "only {} ordinary healings", table.len());
    let mut wrong = String::new();
    for snippet in &table {
        assert!(snippet.codes.is_empty(), "{}: an accepted healing has no codes", snippet.line);
        match validate(&snippet.source, &Profile::core()) {
            Err(rejections) => {
                write!(wrong, "{} ({}):\n{}\n  {rejections:?}\n", snippet.kind, snippet.line, snippet.source)
                    .expect("a string");
            }
            Ok(healing) => {
                let printed = print(&healing);
                let again = validate(&printed, &Profile::core()).unwrap_or_else(|found| panic!("{printed}\n{found:?}"));
                assert_eq!(
                    ComparableModModule::from(healing.module()),
                    ComparableModModule::from(again.module()),
                    "{printed}"
                );
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// The obligations of an accepted program, as text and kind.
fn obligations(source: &str) -> Vec<(String, ObligationKind)> {
    let healing = validate(source, &Profile::core()).unwrap_or_else(|rejections| panic!("{rejections:?}"));
    healing
        .obligations()
        .iter()
        .map(|obligation| (source[obligation.range].to_owned(), obligation.kind.clone()))
        .collect()
}

#[test]
fn what_text_cannot_decide_becomes_an_obligation() {
    assert_eq!(obligations("cart.update(rows)"), [("cart".to_owned(), ObligationKind::Receiver("update".to_owned()))]);
    assert_eq!(obligations("x = len(y)"), [("len".to_owned(), ObligationKind::Builtin("len".to_owned()))]);
    assert_eq!(obligations("x = a * b"), [("a * b".to_owned(), ObligationKind::Growth)]);
    assert_eq!(obligations("for a in b:\n    pass"), [("b".to_owned(), ObligationKind::Iterations)]);
    assert_eq!(obligations("for a in (1, 2):\n    x = 2 * 3 + 1"), []);
}

#[test]
fn the_returned_value_is_found_where_it_is_assigned_last() {
    let healing = validate("x = 1\nhealed_return = x + 1\n", &Profile::core()).expect("accepted");
    let value = healing.healed_return().expect("a returned value");
    assert_eq!(&healing.source()[ruff_text_size::Ranged::range(value)], "x + 1");
    let healing = validate("x = 1\n", &Profile::core()).expect("accepted");
    assert!(healing.healed_return().is_none());
}

#[test]
fn bounds_can_be_tightened_and_read_by_the_runtime() {
    let bounds = Bounds { statements: 1, ..Bounds::VERSION_1 };
    let json = bounds.to_json().expect("integers serialize");
    assert!(json.contains("\"statements\": 1,"), "{json}");
    let rejections = validate("a = 1\nb = 2\n", &Profile::core().with_bounds(bounds)).expect_err("two statements");
    assert_eq!(rejections[0].code.as_str(), "HC006");
}
