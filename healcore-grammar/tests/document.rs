//! The grammar document and the code say the same.

use std::collections::BTreeSet;

use healcore_grammar::vocabulary::{BUILTINS, Effect, FUNCTION_ARGUMENTS, METHODS, STATIC_METHODS};
use healcore_grammar::{Bounds, Code, GRAMMAR};

/// The cells of the table rows whose first cell starts as given.
fn rows(start: &str) -> Vec<Vec<&'static str>> {
    GRAMMAR
        .lines()
        .filter(|line| line.starts_with(&format!("| {start}")))
        .map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect())
        .collect()
}

#[test]
fn every_code_stands_in_the_document_with_its_meaning_and_mend() {
    let documented: Vec<Vec<&str>> = rows("HC");
    let defined: Vec<Vec<&str>> = Code::ALL.iter().map(|code| vec![code.as_str(), code.title(), code.help()]).collect();
    assert_eq!(documented, defined);
}

#[test]
fn codes_are_unique_and_ascending() {
    assert!(Code::ALL.windows(2).all(|pair| pair[0].as_str() < pair[1].as_str()));
    assert!(Code::ALL.iter().all(|code| code.as_str().len() == 5));
}

#[test]
fn every_bound_stands_in_the_document_with_its_value() {
    let json = Bounds::VERSION_1.to_json().expect("integers serialize");
    let defined: BTreeSet<String> = json
        .lines()
        .filter_map(|line| line.trim().trim_end_matches(',').split_once(": "))
        .map(|(name, value)| format!("{} {value}", name.trim_matches('"')))
        .collect();
    let documented: BTreeSet<String> =
        rows("`").iter().map(|cells| format!("{} {}", cells[0].trim_matches('`'), cells[1])).collect();
    assert_eq!(documented, defined);
}

/// The words in backquotes between a phrase and the next full stop at the end of a line.
fn words_after(phrase: &str) -> BTreeSet<&'static str> {
    let (_, rest) = GRAMMAR.split_once(phrase).expect("the phrase stands in the document");
    let (list, _) = rest.split_once(".\n").expect("the list ends");
    list.split('`').skip(1).step_by(2).collect()
}

#[test]
fn the_lists_of_callable_words_are_those_of_the_code() {
    let methods = |effect: Effect| -> BTreeSet<&str> {
        METHODS.iter().filter(|method| method.effect == effect).map(|method| method.name).collect()
    };
    assert_eq!(words_after("**Built-ins.** "), BUILTINS.iter().map(|builtin| builtin.name).collect());
    assert_eq!(words_after("\nPure: "), methods(Effect::Pure));
    assert_eq!(words_after("\nMutating, as a statement: "), methods(Effect::Mutates));
    assert_eq!(
        words_after("\nMutating with a result, as a statement or as the whole right side of an assignment: "),
        methods(Effect::Takes)
    );
    let functions = words_after("`key=`, `map` and `filter` take one of ");
    assert!(FUNCTION_ARGUMENTS.iter().all(|function| functions.contains(function)));
    for (class, method, _) in STATIC_METHODS {
        assert!(GRAMMAR.contains(&format!("`{class}.{method}`")), "{class}.{method}");
    }
}
