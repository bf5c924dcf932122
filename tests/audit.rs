//! Audits: labels and verdicts beside what programs do when they run.

use std::fs;
use std::path::Path;

use healguard_tests::{healcheck, messages, report};
use serde_json::Value;

/// In front of every program: the crash is on line 4, and `pay` is protected.
const START: &str = "state = {}\ndef pay(amount):\n    pass\nx = state['k']\n";

/// Writes a case whose program ends with `rest`.
fn write_case(set: &Path, name: &str, label: &str, rest: &str) {
    let folder = set.join(name);
    fs::create_dir_all(folder.join("alternatives")).expect("the folder can be made");
    let write = |file: &str, text: &str| fs::write(folder.join(file), text).expect("it can be written");
    write("main.py", &format!("{START}{rest}"));
    write("protect.toml", "schema = 1\n[[operation]]\nname = 'main.pay'\n");
    write("heal.py", "state['k'] = 1\n");
    for number in 1..4 {
        write(&format!("alternatives/{number}.py"), &format!("state['k'] = {}\n", 10 * number));
    }
    let case = format!(
        "schema = 1\nid = '{name}'\nfamily = 'local-flow'\nlabel = '{label}'\nrepository = ''\ntitle = 'x'\n\
        [program]\nentry = 'main.py'\n\
        [crash]\nfile = 'main.py'\nline = 4\nfunction = '<module>'\nexception = 'KeyError'\n\
        [heal]\ncode = 'heal.py'\nresume = 'retry'\n\
        alternatives = ['alternatives/1.py', 'alternatives/2.py', 'alternatives/3.py']\n"
    );
    write("case.toml", &case);
}

#[test]
fn right_labels_and_right_verdicts_leave_nothing_to_say() {
    let set = tempfile::tempdir().expect("a temporary folder");
    write_case(set.path(), "flow", "unsafe", "pay(x)\n");
    write_case(set.path(), "none", "safe", "pay(2)\n");
    let output = healcheck(set.path(), ["audit", "."]).code(0);
    let expected = "2 cases by execution: 1 unsafe, 1 of them flagged; 1 safe, 0 of them flagged\n\
        0 wrong labels, 0 missed flows, 0 cases not run\n";
    assert_eq!(report(&output), expected);
    let single = healcheck(set.path(), ["audit", "none", "--jobs", "1"]).code(0);
    assert!(report(&single).starts_with("1 case by execution: 0 unsafe"), "{}", report(&single));
}

#[test]
fn a_wrong_label_is_found_by_running_the_case() {
    let set = tempfile::tempdir().expect("a temporary folder");
    write_case(set.path(), "flow", "safe", "pay(x)\n");
    let output = healcheck(set.path(), ["audit", "."]).code(1);
    let text = report(&output);
    for part in [
        "wrong label  flow: labelled safe, executions show unsafe\n",
        "  heal.py: `main.pay` runs, argument amount is 1\n",
    ] {
        assert!(text.contains(part), "`{part}` is not in:\n{text}");
    }
}

#[test]
fn a_flow_against_an_assumption_is_a_missed_flow_and_names_the_assumption() {
    let set = tempfile::tempdir().expect("a temporary folder");
    // Code that is made at run time: what UNSOUNDNESS.md says below A1.
    let rest = "exec(''.join(reversed(')x(yap')))\n";
    write_case(set.path(), "hidden", "unsafe", rest);
    let output = healcheck(set.path(), ["audit", ".", "--format", "json"]).code(1);
    let audit: Value = serde_json::from_str(&report(&output)).expect("one JSON object");
    let case = &audit["cases"][0];
    assert_eq!((&case["executed"], &case["missed_flow"]), (&Value::from("unsafe"), &Value::from(true)));
    let assumptions = case["assumptions"].as_array().expect("a list");
    assert!(assumptions.contains(&Value::from("A1")), "{assumptions:?}");
}

#[test]
fn a_case_that_does_nothing_protected_is_not_run_and_the_others_are() {
    let set = tempfile::tempdir().expect("a temporary folder");
    write_case(set.path(), "flow", "unsafe", "pay(x)\n");
    write_case(set.path(), "idle", "safe", "x + 1\n");
    write_case(set.path(), "elsewhere", "safe", "pay(2)\n");
    let main = set.path().join("elsewhere/main.py");
    let moved = format!("import os\n{}", fs::read_to_string(&main).expect("it is there"));
    fs::write(&main, moved).expect("it can be written");
    let output = healcheck(set.path(), ["audit", "."]).code(2);
    let (text, said) = (report(&output), messages(&output));
    assert!(text.contains("1 case by execution: 1 unsafe, 1 of them flagged"), "{text}");
    assert!(text.contains("2 cases not run"), "{text}");
    assert!(
        said.contains("no protected operation runs") && said.contains("no statement of <module> starts on this line"),
        "{said}"
    );
}

#[test]
fn random_programs_are_the_same_for_the_same_numbers() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let audit = |jobs: &str| {
        let call = ["audit", "--random", "4", "--seed", "7", "--first", "2", "--format", "json", "--jobs", jobs];
        let output = healcheck(folder.path(), call);
        serde_json::from_str::<Value>(&report(&output)).expect("one JSON object")
    };
    let first = audit("1");
    assert_eq!((&first["programs"], &first["seed"], &first["first"]), (&4.into(), &7.into(), &2.into()));
    assert_eq!(first, audit("2"));
    assert_eq!(fs::read_dir(folder.path()).map(Iterator::count).ok(), Some(0), "nothing is left behind");
}
