//! The built program, called as a user calls it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use healguard_tests::{healcheck, messages, report};
use serde_json::Value;
use tempfile::TempDir;

/// Dies with a `KeyError` in its third line.
const CRASHING_PROGRAM: &str = "prices = {}\nname = 'tea'\nprint(prices[name])\n";

fn folder_with(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("the folder can be written");
    }
    folder
}

/// A folder with a program, the snapshot of its crash, and a healing.
fn crashed(healing: &str) -> TempDir {
    let folder = folder_with(&[("main.py", CRASHING_PROGRAM), ("heal.py", healing)]);
    healcheck(folder.path(), ["snapshot", "--", "python3", "main.py"]).code(0);
    folder
}

fn check_crash(folder: &Path, more: &[&str]) -> snapbox::cmd::OutputAssert {
    let call = ["check", "--repository", ".", "--crash", "crash.json", "--heal", "heal.py"];
    healcheck(folder, call.into_iter().chain(more.iter().copied()))
}

/// One diagnostic that holds all of `parts`, and no report: the only answer to unusable input.
fn assert_unusable(output: snapbox::cmd::OutputAssert, parts: &[&str]) {
    let output = output.code(2);
    let said = messages(&output);
    assert_eq!(report(&output), "", "no verdict is given for unusable input");
    assert_eq!(said.lines().filter(|line| line.starts_with("error")).count(), 1, "one diagnostic:\n{said}");
    for part in parts {
        assert!(said.contains(part), "`{part}` is not in:\n{said}");
    }
}

// ---------------------------------------------------------------------- documents

#[test]
fn the_grammar_that_is_printed_is_the_grammar_document() {
    let output = healcheck(Path::new("."), ["grammar"]).code(0);
    assert_eq!(report(&output), healcore_grammar::GRAMMAR);
}

#[test]
fn every_rule_is_listed_once_and_has_a_page() {
    let output = healcheck(Path::new("."), ["rules"]).code(0);
    let listing = report(&output);
    let ids: Vec<&str> = listing.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let distinct: BTreeSet<&str> = ids.iter().copied().collect();
    let stated = healguard_rules::layers::program().documentation();
    let stated: BTreeSet<&str> = stated.iter().map(|rule| rule.id.as_str()).collect();
    assert_eq!(distinct, stated);
    assert_eq!(ids.len(), distinct.len(), "an id is listed twice");
    assert!(ids.len() > 300, "only {} rules", ids.len());
}

#[test]
fn the_page_of_a_rule_shows_its_datalog_and_where_it_is_stated() {
    let output = healcheck(Path::new("."), ["explain", "taint/copy"]).code(0);
    let page = report(&output);
    for part in ["taint/copy\n", "TaintedVar(c, w)", "Copies(w, v)", "Stated in taint/variables.rules:"] {
        assert!(page.contains(part), "`{part}` is not in:\n{page}");
    }
}

#[test]
fn an_unknown_rule_is_answered_with_the_nearest_one() {
    assert_unusable(healcheck(Path::new("."), ["explain", "taint/copi"]), &["`taint/copi`", "`taint/copy`"]);
}

// ---------------------------------------------------------------------- unusable input

#[test]
fn a_missing_case_folder_is_one_diagnostic() {
    let folder = folder_with(&[]);
    assert_unusable(healcheck(folder.path(), ["check", "absent"]), &["absent"]);
}

#[test]
fn a_folder_without_a_case_is_one_diagnostic() {
    let folder = folder_with(&[("main.py", CRASHING_PROGRAM)]);
    assert_unusable(healcheck(folder.path(), ["check", "."]), &["case.toml"]);
}

#[test]
fn a_program_that_does_not_crash_leaves_no_snapshot() {
    let folder = folder_with(&[("main.py", "print('fine')\n")]);
    healcheck(folder.path(), ["snapshot", "--", "python3", "main.py"]).code(2);
    assert!(!folder.path().join("crash.json").exists());
}

#[test]
fn a_snapshot_that_is_not_json_is_refused_with_the_way_to_take_one() {
    let folder = folder_with(&[("heal.py", "prices['tea'] = 1\n"), ("crash.json", "not JSON")]);
    assert_unusable(check_crash(folder.path(), &[]), &["crash.json", "healcheck snapshot"]);
}

#[test]
fn a_missing_snapshot_is_one_diagnostic() {
    let folder = folder_with(&[("heal.py", "prices['tea'] = 1\n")]);
    assert_unusable(check_crash(folder.path(), &[]), &["crash.json"]);
}

#[test]
fn a_missing_healing_is_one_diagnostic() {
    let folder = crashed("prices['tea'] = 1\n");
    fs::remove_file(folder.path().join("heal.py")).expect("it was there");
    assert_unusable(check_crash(folder.path(), &[]), &["heal.py"]);
}

#[test]
fn an_unknown_key_in_protect_toml_is_refused_with_its_place_and_the_nearest_key() {
    let folder = crashed("prices['tea'] = 1\n");
    fs::write(folder.path().join("other.toml"), "schema = 1\n[[operatio]]\nname = 'print'\n")
        .expect("it can be written");
    let output = check_crash(folder.path(), &["--protect", "other.toml"]);
    assert_unusable(output, &["other.toml:2:3", "`operatio`", "`operation`"]);
}

#[test]
fn broken_toml_is_one_diagnostic_that_names_the_file() {
    let folder = crashed("prices['tea'] = 1\n");
    fs::write(folder.path().join("protect.toml"), "schema = = 1\n").expect("it can be written");
    assert_unusable(check_crash(folder.path(), &[]), &["protect.toml:1:"]);
}

#[test]
fn a_protected_operation_that_does_not_exist_is_refused_with_the_nearest_that_does() {
    let folder = crashed("prices['tea'] = 1\n");
    let protect = "schema = 1\n[[operation]]\nname = 'subprocess.runn'\n";
    fs::write(folder.path().join("protect.toml"), protect).expect("it can be written");
    assert_unusable(check_crash(folder.path(), &[]), &["protect.toml:3:", "`subprocess.runn`", "`subprocess.run`"]);
}

// ---------------------------------------------------------------------- healings that are not HealCore

#[test]
fn a_healing_outside_of_healcore_is_rejected_with_its_code_and_line() {
    let folder = crashed("prices['tea'] = 1\nimport os\n");
    let output = check_crash(folder.path(), &[]).code(1);
    let text = report(&output);
    assert!(text.starts_with("rejected: heal.py (action: block)\n"), "{text}");
    assert!(text.contains("HC010") && text.contains("line 2"), "{text}");
}

#[test]
fn a_rejection_as_json_names_the_code_and_the_range() {
    let folder = crashed("import os\n");
    let output = check_crash(folder.path(), &["--format", "json"]).code(1);
    let verdict: Value = serde_json::from_str(&report(&output)).expect("one JSON object");
    assert_eq!(verdict["verdict"], "rejected");
    assert_eq!(verdict["flagged"], true);
    assert_eq!(verdict["action"], "block");
    assert_eq!(verdict["rejections"][0]["code"], "HC010");
    assert_eq!(verdict["rejections"][0]["line"], 1);
}

#[test]
fn a_rejected_case_is_rejected_in_both_forms_of_the_call() {
    let case = "schema = 1\nid = 'tea-price'\nfamily = 'local-flow'\nlabel = 'unsafe'\nrepository = ''\ntitle = 'refused'\n\
        [program]\nentry = 'main.py'\n\
        [crash]\nfile = 'main.py'\nline = 3\nfunction = '<module>'\nexception = 'KeyError'\n\
        [heal]\ncode = 'heal.py'\nresume = 'retry'\nalternatives = []\n";
    let folder = crashed("while True:\n    pass\n");
    fs::write(folder.path().join("case.toml"), case).expect("it can be written");
    let as_crash = check_crash(folder.path(), &["--format", "json"]).code(1);
    let as_case = healcheck(folder.path(), ["check", ".", "--format", "json"]).code(1);
    let verdict = |text: String| serde_json::from_str::<Value>(&text).expect("one JSON object");
    let (as_crash, as_case) = (verdict(report(&as_crash)), verdict(report(&as_case)));
    assert_eq!(as_case["case"], "tea-price");
    assert_eq!(as_case["verdict"], "rejected");
    assert_eq!(as_case["rejections"], as_crash["rejections"]);
}
