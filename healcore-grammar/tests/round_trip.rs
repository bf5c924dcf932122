//! What the printer writes reads back as the same tree, and is still HealCore.

use healcore_grammar::{Profile, generator, print, validate};
use proptest::prelude::*;
use ruff_python_ast::comparable::ComparableModModule;

/// Validates, prints, validates what was printed, and compares the trees and the texts.
fn assert_round_trip(source: &str) {
    let healing =
        validate(source, &Profile::core()).unwrap_or_else(|rejections| panic!("refused:\n{source}\n{rejections:#?}"));
    let printed = print(&healing);
    let again = validate(&printed, &Profile::core())
        .unwrap_or_else(|rejections| panic!("printed text refused:\n{source}\n{printed}\n{rejections:#?}"));
    assert_eq!(
        ComparableModModule::from(healing.module()),
        ComparableModModule::from(again.module()),
        "the tree changed:\n{source}\n{printed}"
    );
    assert_eq!(print(&again), printed, "printing is not stable");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn generated_programs_are_accepted_and_print_to_the_same_tree(source in generator::program()) {
        assert_round_trip(&source);
    }

    #[test]
    fn truncated_programs_are_decided_without_panic(source in generator::program(), cut in any::<prop::sample::Index>()) {
        let ends: Vec<usize> = source.char_indices().map(|(offset, _)| offset).chain([source.len()]).collect();
        if let Err(rejections) = validate(&source[..ends[cut.index(ends.len())]], &Profile::core()) {
            prop_assert!(!rejections.is_empty());
        }
    }
}

#[test]
fn spellings_that_need_care_keep_their_tree() {
    for source in [
        "x = (1).real\n",
        "x = (a, b)[0]\n",
        "x = -(2 ** n.bit) if a else (b if c else d)\n".replace("n.bit", "2").as_str(),
        "x = (a if b else c) if d else e\n",
        "x = not (a == b)\n",
        "x = (not a) == b\n",
        "x = (a < b) < c\n",
        "x = a < (b < c)\n",
        "x = a - (b - c) - d\n",
        "x = (a ** 2) ** 2\n",
        "x = a ** 2 ** 2\n",
        "x = (-a) ** -2\n",
        "x = {**(a or b)}\n",
        "x = [*(a or b)]\n",
        "x = [i for i in (a if b else c) if (d if e else f)]\n",
        "x = (a and b) and c\n",
        "x = a and (b and c)\n",
        "x = (a or b) and c\n",
        "x = f\"{ {1: 2}[1] }\"\n",
        "x = f'{a!r:>5}' 'b' f'{{}}'\n",
        "x = f\"{a if b else c}\"\n",
        "x[1:2, ::3] = ()\n",
        "x[a:b:c,] = 1,\n",
        "x = 1e309\n",
        "x = -1e309j\n",
        "a, *b = c = d, e\n",
        "if a:\n    pass\nelif b:\n    pass\n",
        "for a, in b:\n    break\nelse:\n    pass\n",
        "x = '''a\n'b\"c'''\n",
        "",
    ] {
        assert_round_trip(source);
    }
}
