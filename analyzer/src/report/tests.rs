//! Reports of verdicts made by hand.

use std::collections::BTreeMap;

use jsonschema::Validator;
use textwrap::core::display_width;

use super::{Appearance, diagnostic_text, json, text};
use crate::diagnostic::Diagnostic;
use crate::verdict::{
    Assumption, Derivation, Feasibility, Feasible, FlowKind, Location, OperationVerdict, Outcome, Rejection, Replay,
    Stages, Stopped, TraceStep, Verdict,
};

const PLAIN: Appearance = Appearance { colour: false, width: 80 };

const HEAL: &str = "cart[\"total\"] = 0\n";
const CART: &str = "\
class Cart(dict):
    def total(self):
        amount = self[\"total\"]
        return amount
";
const CHECKOUT: &str = "\
import payments


def checkout(cart, customer):
    total = cart.total()
    if customer.active:
        payments.charge(customer, total)
";

fn sources() -> BTreeMap<String, String> {
    [("heal.py", HEAL), ("site:shopkit/cart.py", CART), ("shop/checkout.py", CHECKOUT)]
        .map(|(file, text)| (file.to_owned(), text.to_owned()))
        .into()
}

fn location(file: &str, line: u32, column: u32, end_column: u32) -> Location {
    Location { file: file.to_owned(), line, column, end_line: line, end_column }
}

fn step(step: &'static str, location: Location, place: &str) -> TraceStep {
    TraceStep { location, step, rule: format!("taint/{step}"), place: place.to_owned() }
}

fn node(tuple: &str, rule: &str, premises: Vec<Derivation>) -> Derivation {
    Derivation { tuple: tuple.to_owned(), rule: rule.to_owned(), location: None, premises }
}

fn operation(verdict: Outcome) -> OperationVerdict {
    OperationVerdict {
        name: "shop.payments.charge".to_owned(),
        reason: String::new(),
        verdict,
        kind: None,
        watched: String::new(),
        trace: Vec::new(),
        derivation: None,
        stopped: Vec::new(),
        feasibility: Feasibility { result: Feasible::Unknown, condition: String::new(), core: Vec::new() },
        replay: Replay { result: "not run", detail: String::new() },
    }
}

fn verdict(outcome: Outcome, operations: Vec<OperationVerdict>) -> Verdict {
    Verdict {
        schema: 1,
        case: "shop-total".to_owned(),
        verdict: outcome,
        flagged: outcome.flagged(),
        action: outcome.action(),
        operations,
        rejections: Vec::new(),
        assumptions: Vec::new(),
        stages: Stages::default(),
    }
}

fn alarm() -> Verdict {
    let fact = Derivation {
        location: Some(location("heal.py", 1, 1, 14)),
        ..node("healed(cart[\"total\"])", "fact", Vec::new())
    };
    let healed = node("tainted(checkout:5, cart[\"total\"])", "taint/healed", vec![fact]);
    let killed = node("killed(checkout:5..7, total)", "absent", Vec::new());
    let mut operation = operation(Outcome::Alarm);
    operation.reason = "moves money".to_owned();
    operation.kind = Some(FlowKind::Explicit);
    operation.watched = "watched argument `amount`".to_owned();
    operation.trace = vec![
        step("healed", location("heal.py", 1, 1, 14), "cart[\"total\"]"),
        step("load", location("site:shopkit/cart.py", 3, 18, 31), "amount"),
        step("return", location("site:shopkit/cart.py", 4, 16, 22), "amount"),
        step("assign", location("shop/checkout.py", 5, 5, 10), "total"),
        step("operation", location("shop/checkout.py", 7, 35, 40), "total"),
    ];
    operation.derivation = Some(node("tainted(checkout:7, total)", "taint/assign", vec![healed, killed]));
    operation.feasibility =
        Feasibility { result: Feasible::Feasible, condition: "customer.active".to_owned(), core: Vec::new() };
    let assumption = |id: &str, place: &str, text: &str| Assumption {
        id: id.to_owned(),
        place: place.to_owned(),
        text: text.to_owned(),
    };
    Verdict {
        assumptions: vec![
            assumption("A10", "", "no other thread writes the healed places"),
            assumption("A3", "shop/checkout.py:7", "code that is not Python keeps to its model"),
            assumption("A3", "site:shopkit/cart.py:3", "code that is not Python keeps to its model"),
            assumption("A3", "shop/checkout.py:7", "code that is not Python keeps to its model"),
        ],
        ..verdict(Outcome::Alarm, vec![operation])
    }
}

fn safe() -> Verdict {
    let mut operation = operation(Outcome::Safe);
    operation.stopped = vec![
        Stopped { location: location("shop/checkout.py", 5, 5, 10), text: "`total` is overwritten here".to_owned() },
        Stopped {
            location: location("site:shopkit/cart.py", 4, 16, 22),
            text: "only the constant 0 is returned".to_owned(),
        },
    ];
    verdict(Outcome::Safe, vec![operation])
}

fn rejected() -> Verdict {
    Verdict {
        rejections: vec![Rejection {
            code: "HC012".to_owned(),
            message: "a healing may not assign to this item".to_owned(),
            line: 1,
            column: 1,
            end_line: 1,
            end_column: 14,
            help: "assign to a local first".to_owned(),
        }],
        ..verdict(Outcome::Rejected, Vec::new())
    }
}

/// An alarm whose trace goes through `count` lines of one file.
fn long_alarm(count: u32) -> (Verdict, BTreeMap<String, String>) {
    let mut alarm = alarm();
    let steps = (1..=count).map(|line| step("assign", location("long.py", line, 1, 3), &format!("x{line}")));
    alarm.operations[0].trace = steps.collect();
    let text = (1..=count).map(|line| format!("x{line} = x{}\n", line - 1)).collect();
    (alarm, [("long.py".to_owned(), text)].into())
}

/// A derivation that is one chain of `count` rules.
fn chain(count: usize) -> Derivation {
    let fact = node("healed(x)", "fact", Vec::new());
    (1..=count).fold(fact, |below, level| node(&format!("tainted(main:{level}, x)"), "taint/assign", vec![below]))
}

#[test]
fn an_alarm_shows_its_trace_through_three_files_its_derivation_and_its_ledger() {
    insta::assert_snapshot!(text::explanation(&alarm(), &sources(), PLAIN));
}

#[test]
fn a_safe_verdict_shows_what_stops_each_candidate() {
    insta::assert_snapshot!(text::explanation(&safe(), &sources(), PLAIN));
}

#[test]
fn a_pruned_verdict_shows_the_conditions_that_contradict_each_other() {
    let alarm = alarm();
    let mut pruned = Verdict { assumptions: Vec::new(), ..verdict(Outcome::Pruned, alarm.operations) };
    pruned.operations[0].verdict = Outcome::Pruned;
    pruned.operations[0].feasibility = Feasibility {
        result: Feasible::Infeasible,
        condition: String::new(),
        core: vec!["customer.active is True (line 6)".to_owned(), "customer.active is False (snapshot)".to_owned()],
    };
    insta::assert_snapshot!(text::explanation(&pruned, &sources(), PLAIN));
}

#[test]
fn a_confirmed_verdict_says_what_the_replay_showed() {
    let mut confirmed = alarm();
    confirmed.operations[0].verdict = Outcome::Confirmed;
    confirmed.operations[0].replay =
        Replay { result: "difference", detail: "`amount` is 0 where another healing gives 12".to_owned() };
    let shown = text::explanation(&confirmed, &sources(), PLAIN);
    let note = "= replay: confirmed by difference, `amount` is 0 where another healing\n";
    assert!(shown.contains(note), "{shown}");
    assert!(shown.contains("confirmed: healed state reaches `shop.payments.charge`"), "{shown}");
}

#[test]
fn a_rejection_is_shown_in_the_healing() {
    insta::assert_snapshot!(text::explanation(&rejected(), &sources(), PLAIN));
}

#[test]
fn a_long_trace_is_folded_in_the_middle() {
    let (alarm, sources) = long_alarm(40);
    insta::assert_snapshot!(text::explanation(&alarm, &sources, PLAIN));
}

#[test]
fn a_trace_that_is_one_step_too_long_is_not_folded() {
    let (alarm, sources) = long_alarm(17);
    assert!(!text::explanation(&alarm, &sources, PLAIN).contains("left out"));
}

#[test]
fn files_come_in_the_order_of_the_flow() {
    let mut alarm = alarm();
    alarm.operations[0].trace.rotate_left(3);
    let shown = text::explanation(&alarm, &sources(), PLAIN);
    let places = ["1. now in `total`", "2. watched argument", "3. `cart[\"total\"]` is healed"];
    let found: Vec<Option<usize>> = places.iter().map(|place| shown.find(place)).collect();
    assert!(found.iter().all(Option::is_some) && found.is_sorted(), "{shown}");
}

#[test]
fn steps_of_one_file_that_go_back_up_stay_in_the_order_of_the_flow() {
    let mut alarm = alarm();
    alarm.operations[0].trace = vec![
        step("assign", location("shop/checkout.py", 7, 35, 40), "late"),
        step("assign", location("shop/checkout.py", 5, 5, 10), "early"),
    ];
    let shown = text::explanation(&alarm, &sources(), PLAIN);
    assert!(shown.find("now in `late`") < shown.find("now in `early`"), "{shown}");
}

#[test]
fn deep_derivations_go_on_in_sub_proofs_and_shared_parts_are_shown_once() {
    let shared = node("tainted(shared, y)", "taint/load", vec![node("healed(y)", "fact", Vec::new())]);
    let mut alarm = alarm();
    alarm.operations[0].derivation =
        Some(node("reaches(charge)", "taint/operation", vec![shared.clone(), chain(24), shared]));
    let shown = text::explanation(&alarm, &sources(), PLAIN);
    assert_eq!(shown.matches("healed(y)").count(), 1, "{shown}");
    insta::assert_snapshot!(shown.split_once("\n\nreaches").map(|(_, tree)| format!("reaches{tree}")).unwrap_or(shown));
}

#[test]
fn huge_derivations_end_with_a_note() {
    let leaves = (0..500).map(|leaf| node(&format!("healed(x{leaf})"), "fact", Vec::new())).collect();
    let mut alarm = alarm();
    alarm.operations[0].derivation = Some(node("reaches(charge)", "taint/operation", leaves));
    let shown = text::explanation(&alarm, &sources(), PLAIN);
    assert!(shown.contains("… the rest is left out; `--format json` has all"), "{shown}");
    assert!(shown.lines().count() < 240, "{shown}");
}

#[test]
fn reports_fit_eighty_columns_though_lines_and_words_are_long() {
    let mut alarm = alarm();
    let long = format!("{}    payments.charge(customer, total)  # {}\n", "    ".repeat(20), "long ".repeat(60));
    let column = 80 + 5 + 26;
    let operation = &mut alarm.operations[0];
    operation.reason = "moves money of customers to merchants, ".repeat(6);
    operation.feasibility.condition = "cart.items is empty and customer.active ".repeat(6);
    if let Some(last) = operation.trace.last_mut() {
        last.location = location("long.py", 1, column, column + 5);
    }
    if let Some(root) = &mut operation.derivation {
        root.tuple = format!("tainted(checkout:7, {})", "customer.cart.items ".repeat(8));
    }
    alarm.assumptions[0].text = "no other thread writes the healed places ".repeat(4);
    let mut sources = sources();
    sources.insert("long.py".to_owned(), long);
    let shown = text::explanation(&alarm, &sources, PLAIN);
    let wide: Vec<&str> = shown.lines().filter(|line| display_width(line) > 80).collect();
    assert_eq!(wide, Vec::<&str>::new(), "{shown}");
}

#[test]
fn colour_is_used_only_where_it_is_asked_for() {
    let (long, long_sources) = long_alarm(40);
    for verdict in [alarm(), safe(), rejected(), long] {
        let sources: BTreeMap<_, _> = sources().into_iter().chain(long_sources.clone()).collect();
        let with = |colour| {
            let appearance = Appearance { colour, ..PLAIN };
            let summary = text::summary(&verdict, appearance);
            summary + &text::explanation(&verdict, &sources, appearance) + &text::case_line(&verdict, appearance)
        };
        assert!(!with(false).contains('\u{1b}'));
        assert!(with(true).contains('\u{1b}'));
    }
}

#[test]
fn nothing_in_a_verdict_can_move_the_cursor() {
    let mut alarm = alarm();
    let hostile = "\u{1b}[2J\r\u{8}\u{202e}x\nforged: line";
    alarm.case = hostile.to_owned();
    let operation = &mut alarm.operations[0];
    operation.name = hostile.to_owned();
    operation.reason = hostile.to_owned();
    operation.watched = hostile.to_owned();
    operation.trace[1].place = hostile.to_owned();
    operation.trace[2].location.file = hostile.to_owned();
    operation.trace[3].rule = hostile.to_owned();
    operation.derivation = Some(node(hostile, hostile, vec![node(hostile, "absent", Vec::new())]));
    alarm.assumptions[0].text = hostile.to_owned();
    alarm.assumptions[1].place = hostile.to_owned();
    let mut sources = sources();
    sources.insert("heal.py".to_owned(), hostile.to_owned());
    let shown =
        text::summary(&alarm, PLAIN) + &text::case_line(&alarm, PLAIN) + &text::explanation(&alarm, &sources, PLAIN);
    let control = |character: char| character != '\n' && (character.is_control() || character == '\u{202e}');
    assert!(!shown.contains(control), "{shown:?}");
    let forged = shown.lines().any(|line| line.starts_with("forged"));
    assert!(!forged, "{shown}");
}

#[test]
fn locations_that_the_source_does_not_have_are_named_without_panic() {
    let mut alarm = alarm();
    let trace = &mut alarm.operations[0].trace;
    trace[0].location = Location { end_line: 0, ..location("heal.py", 1, 99, 3) };
    trace[1].location = location("site:shopkit/cart.py", 999, 1, 1);
    trace[2].location = location("absent.py", 7, 2, 3);
    trace[3].location = location("shop/checkout.py", 0, 0, 0);
    trace[4].location = Location { end_line: 99, ..location("shop/checkout.py", 7, 35, 1) };
    let shown = text::explanation(&alarm, &sources(), PLAIN);
    assert!(shown.contains("site:shopkit/cart.py:999:1"), "{shown}");
    assert!(shown.contains("absent.py:7:2"), "{shown}");
}

#[test]
fn columns_count_characters_and_lone_carriage_returns_end_lines() {
    let mut alarm = alarm();
    alarm.operations[0].trace = vec![step("operation", location("odd.py", 2, 9, 12), "ß")];
    let sources: BTreeMap<String, String> = [("odd.py".to_owned(), "a = 1\r\"é\" + f(ß+1)\n".to_owned())].into();
    let shown = text::explanation(&alarm, &sources, PLAIN);
    insta::assert_snapshot!(shown.split_once("\n\ntainted").map(|(head, _)| head.to_owned()).unwrap_or(shown));
}

#[test]
fn a_summary_names_each_operation_and_where_healed_state_arrives() {
    let mut mixed = alarm();
    mixed.operations.push(OperationVerdict { name: "audit.log".to_owned(), ..operation(Outcome::Safe) });
    let summaries = [mixed, safe(), rejected()].map(|verdict| text::summary(&verdict, PLAIN));
    insta::assert_snapshot!(summaries.join("\n"));
}

#[test]
fn several_cases_get_a_line_each_and_totals() {
    let verdicts = [alarm(), safe(), rejected()];
    let lines: String = verdicts.iter().map(|verdict| text::case_line(verdict, PLAIN)).collect();
    let verdicts: Vec<&Verdict> = verdicts.iter().collect();
    insta::assert_snapshot!(lines + &text::totals(&verdicts));
}

fn schema() -> Validator {
    let schema = serde_json::from_str(json::SCHEMA).expect("the schema is JSON");
    jsonschema::validator_for(&schema).expect("the schema is a JSON Schema")
}

#[test]
fn json_reports_match_the_schema() {
    let (long, _) = long_alarm(40);
    let mut deep = alarm();
    deep.operations[0].derivation = Some(chain(30));
    let verdicts = [alarm(), safe(), rejected(), long, deep];
    let all: Vec<&Verdict> = verdicts.iter().collect();
    let single = all.iter().map(|verdict| json::report(&[*verdict], false));
    for report in single.chain([json::report(&all, true), json::report(&[], true)]) {
        let report = report.expect("a verdict can be written");
        let value = serde_json::from_str(&report).expect("the report is JSON");
        let errors: Vec<String> = schema().iter_errors(&value).map(|error| error.to_string()).collect();
        assert_eq!(errors, Vec::<String>::new());
    }
}

#[test]
fn the_schema_refuses_verdicts_that_contradict_themselves() {
    type Breakage = (&'static str, fn(&mut Verdict));
    let break_verdict: [Breakage; 5] = [
        ("safe and flagged", |verdict| verdict.flagged = !verdict.flagged),
        ("another schema", |verdict| verdict.schema = 2),
        ("line 0", |verdict| verdict.operations[0].trace[0].location.line = 0),
        ("rejected for nothing", |verdict| verdict.verdict = Outcome::Rejected),
        ("an unnamed operation", |verdict| verdict.operations[0].name.clear()),
    ];
    for (what, break_it) in break_verdict {
        let mut broken = alarm();
        break_it(&mut broken);
        let value = serde_json::to_value(&broken).expect("a verdict can be written");
        assert!(!schema().is_valid(&value), "{what}");
    }
}

#[test]
fn a_diagnostic_shows_the_line_the_place_and_the_mend() {
    let text = "schema = 1\n\n[[operation]]\nname = \"f\"\nargument = [\"é\"]\n";
    let start = text.find("argument").expect("the text has it");
    let diagnostic = Diagnostic::new("unknown key `argument` in `[[operation]]`")
        .in_file("protect.toml")
        .at_bytes_of(text, start..start + 8)
        .mend("did you mean `arguments`? known here: `name`, `arguments`, `receiver`, `reads`, `reason`");
    let whole_file = Diagnostic::new("no such file").in_file("heal.py").mend("check the path");
    let no_file = Diagnostic::new("there is no rule `x`").mend("`healcheck rules` lists all");
    let shown = [diagnostic, whole_file, no_file].map(|diagnostic| diagnostic_text(&diagnostic, PLAIN));
    insta::assert_snapshot!(shown.join("\n\n"));
}
