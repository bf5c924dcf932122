//! Programs that must be refused, each with the codes that say why.

use std::collections::BTreeSet;

use crate::snippets;
use healcore_grammar::{Binding, Bounds, Code, Profile, validate};

/// The codes with which a program is refused; empty when it is accepted.
fn codes(source: &str, profile: &Profile<'_>) -> BTreeSet<&'static str> {
    validate(source, profile).err().unwrap_or_default().iter().map(|rejection| rejection.code.as_str()).collect()
}

#[test]
fn every_hostile_healing_is_refused_with_the_codes_beside_it() {
    let table = snippets::read(include_str!("hostile.md"));
    assert!(table.len() >= 170, "only {} hostile healings", table.len());
    let mut wrong = String::new();
    for snippet in &table {
        let expected: BTreeSet<&str> = snippet.codes.iter().map(String::as_str).collect();
        let found = codes(&snippet.source, &Profile::core());
        if expected.is_empty() || found != expected {
            wrong += &format!(
                "{} ({}):\n{}\n  expected {expected:?}, found {found:?}\n",
                snippet.kind, snippet.line, snippet.source
            );
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn every_code_is_shown_by_some_hostile_healing() {
    let shown: BTreeSet<String> = snippets::read(include_str!("hostile.md"))
        .into_iter()
        .flat_map(|snippet| snippet.codes)
        .chain(generated().into_iter().map(|(code, _)| code.as_str().to_owned()))
        .collect();
    let missing: Vec<&str> = Code::ALL.iter().map(|code| code.as_str()).filter(|code| !shown.contains(*code)).collect();
    assert!(missing.is_empty(), "no hostile healing shows {missing:?}");
}

/// Programs that are too large to write out.
fn generated() -> Vec<(Code, String)> {
    let wrap = |open: &str, inner: &str, close: &str, times: usize| {
        format!("x = {}{inner}{}\n", open.repeat(times), close.repeat(times))
    };
    let blocks = |depth: usize| -> String {
        let headers: String = (0..depth).map(|level| format!("{}if a:\n", "    ".repeat(level))).collect();
        headers + &"    ".repeat(depth) + "pass\n"
    };
    vec![
        (Code::SourceTooLong, wrap("(", "1", ")", 100_000)),
        (Code::SourceTooLong, format!("x = {}1\n", "-".repeat(100_000))),
        (Code::SourceTooLong, format!("x = a{}\n", ".b".repeat(100_000))),
        (Code::SourceTooLong, format!("x = a{}\n", " + a".repeat(100_000))),
        (Code::SourceTooLong, format!("x = '{}'\n", "x".repeat(1_000_000))),
        (Code::SourceTooLong, format!("x = {}\n", "9".repeat(1_000_000))),
        (Code::SourceTooLong, "x = 1\n".repeat(10_000)),
        (Code::ExpressionTooDeep, wrap("[", "1", "]", 7_000)),
        (Code::ExpressionTooDeep, wrap("{1: ", "1", "}", 2_500)),
        (Code::ExpressionTooDeep, wrap("not ", "a", "", 4_000)),
        (Code::ExpressionTooDeep, wrap("-", "1", "", 16_000)),
        (Code::ExpressionTooDeep, wrap("~", "1", "", 41)),
        (Code::ExpressionTooDeep, format!("x = a{}\n", ".b".repeat(8_000))),
        (Code::ExpressionTooDeep, format!("x = a{}\n", "[0]".repeat(5_000))),
        (Code::ExpressionTooDeep, format!("x = a{}\n", " + a".repeat(4_000))),
        (Code::ExpressionTooDeep, format!("x = {}a\n", "a ** ".repeat(3_000))),
        (Code::ExpressionTooDeep, format!("x = {}a\n", "a if a else ".repeat(1_300))),
        (Code::ExpressionTooDeep, format!("a{} = 1\n", ".b".repeat(8_000))),
        (Code::ExpressionTooDeep, format!("{}a{} = 1\n", "[".repeat(8_000), "]".repeat(8_000))),
        (Code::ExpressionTooDeep, format!("for {}a{} in b:\n    pass\n", "[".repeat(8_000), "]".repeat(8_000))),
        (Code::ExpressionTooDeep, format!("x = {}a{}\n", "len(".repeat(3_000), ")".repeat(3_000))),
        (Code::ExpressionTooDeep, format!("x = a{}\n", ".strip()".repeat(2_000))),
        (Code::ExpressionTooDeep, wrap("f'{ ", "1", "}'", 1).replace('1', &format!("{}1", "-".repeat(9_000)))),
        (Code::BlocksTooDeep, blocks(7)),
        (Code::BlocksTooDeep, blocks(80)),
        (Code::TooManyStatements, "x = 1\n".repeat(201)),
        (Code::TooManyStatements, format!("x = 1{}\n", "; x = 1".repeat(300))),
        (Code::IntegerTooLarge, format!("x = {}\n", "9".repeat(2_000))),
        (Code::IntegerTooLarge, format!("x = 0x{}\n", "f".repeat(2_000))),
        (Code::StringTooLong, format!("x = '{}'\n", "x".repeat(5_000))),
        (Code::StringTooLong, format!("x = {}\n", "'0123456789' ".repeat(500))),
        (Code::StringTooLong, format!("x = b'{}'\n", "x".repeat(5_000))),
        (Code::StringTooLong, format!("x = f'{}{{a}}'\n", "x".repeat(5_000))),
        (Code::DisplayTooLarge, format!("x = [{}]\n", "0, ".repeat(501))),
        (Code::DisplayTooLarge, format!("x = {{{}}}\n", "0: 0, ".repeat(501))),
        (Code::DisplayTooLarge, format!("x = a{}\n", " or a".repeat(600))),
        (Code::DisplayTooLarge, format!("x = a{}\n", " < a".repeat(600))),
        (Code::Syntax, format!("x = {}\n", "(".repeat(16_000))),
        (Code::Syntax, format!("x = {}\n", "[".repeat(16_000))),
        (Code::Syntax, format!("x = {}\n", "f'{".repeat(5_000))),
        (Code::Syntax, "if a: ".repeat(2_600)),
        (Code::Lambda, format!("x = {}1\n", "lambda: ".repeat(2_000))),
        (Code::Syntax, format!("x = {}a\n", "await ".repeat(2_500))),
    ]
}

#[test]
fn huge_and_deep_programs_are_refused_without_exhausting_the_stack() {
    for (code, source) in generated() {
        let found = codes(&source, &Profile::core());
        let start: String = source.chars().take(40).collect();
        assert!(found.contains(code.as_str()), "{start}…: expected {code}, found {found:?}");
    }
}

#[test]
fn rejections_are_bounded_sorted_and_inside_the_source() {
    let source = "import os\n".repeat(150);
    let rejections = validate(&source, &Profile::core()).expect_err("imports are refused");
    assert_eq!(rejections.len(), Bounds::VERSION_1.rejections);
    assert!(rejections.is_sorted_by_key(|rejection| rejection.range.start()));
    assert!(rejections.iter().all(|rejection| rejection.range.end().to_usize() <= source.len()));
}

#[test]
fn positions_count_characters_from_one() {
    let rejections = validate("x = 1\ntäglich = eval\n", &Profile::core()).expect_err("`eval` is refused");
    let [rejection] = rejections.as_slice() else { panic!("{rejections:?}") };
    assert_eq!((rejection.line, rejection.column), (2, 11));
    assert_eq!((rejection.end_line, rejection.end_column), (2, 15));
}

#[test]
fn a_deep_program_is_refused_on_a_small_stack() {
    let decide = || codes(&format!("x = {}1\n", "-".repeat(16_000)), &Profile::core());
    let found = std::thread::Builder::new().stack_size(128 * 1024).spawn(decide).expect("a thread").join();
    assert_eq!(found.expect("no overflow"), BTreeSet::from(["HC008"]));
}

#[test]
fn repository_calls_pass_only_where_the_whole_path_resolves() {
    let resolves = |path: &str| matches!(path, "shop.recompute" | "normalize");
    let profile = Profile::repository(&resolves);
    for accepted in ["total = shop.recompute(cart, rate=2)", "x = normalize(x)", "shop.recompute(cart)"] {
        assert!(validate(accepted, &profile).is_ok(), "{accepted}");
        assert!(validate(accepted, &Profile::core()).is_err(), "{accepted}");
    }
    for (code, refused) in [
        ("HC085", "x = guess(cart)"),
        ("HC087", "x = shop.guess(cart)"),
        ("HC086", "x = shops[0].recompute(cart)()"),
        ("HC087", "x = shops[0].recompute(cart)"),
        ("HC089", "x = normalize(*arguments)"),
        ("HC089", "x = normalize(**arguments)"),
        ("HC062", "x = normalize(_trusted=True)"),
        ("HC049", "x = [normalize(i) for i in items]"),
        ("HC066", "x = normalize(eval)"),
        ("HC048", "x = normalize(i for i in items)"),
        ("HC091", "x = sorted(items, key=normalize)"),
    ] {
        assert!(codes(refused, &profile).contains(code), "{refused}: {:?}", codes(refused, &profile));
    }
}

#[test]
fn names_that_the_frame_binds_are_variables_and_no_built_ins() {
    let frame = |name: &str| match name {
        "input" | "len" => Binding::Variable,
        "tools" => Binding::Module,
        _ => Binding::Unbound,
    };
    let profile = Profile::core().with_frame(&frame);
    for accepted in ["input['a'] = 1", "x = input + 1", "len = 3", "sys = 1", "requests = requests + [1]"] {
        assert!(validate(accepted, &profile).is_ok(), "{accepted}: {:?}", codes(accepted, &profile));
    }
    for (code, refused) in [
        ("HC085", "x = len(items)"),
        ("HC085", "x = input()"),
        ("HC069", "x = tools.copy(a)"),
        ("HC091", "x = sorted(items, key=len)"),
        ("HC114", "x = [0] * len(items)"),
        ("HC100", "x = len(items) % 2"),
    ] {
        assert!(codes(refused, &profile).contains(code), "{refused}: {:?}", codes(refused, &profile));
    }
}
