//! Files that are read, and files that are refused: each with one diagnostic that names file, line and mend.

use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::{ArgumentSelector, Case, EndorsementMode, Label, Preset, Protection, ResumeMode};
use crate::diagnostic::Diagnostic;

const PROTECT: &str = r#"
schema = 1
presets = ["database", "process"]

[[operation]]
name = "shop.payments.charge"
arguments = ["amount", 0]
receiver = false
reads = false
reason = "moves money"

[[operation]]
name = "sqlite3.Connection.commit"

[[operation]]
name = "shop.audit.*"

[[endorsement]]
name = "shop.checks.valid_amount"
mode = "returns"

[[endorsement]]
name = "shop.checks.require"
mode = "guards"
"#;

const CASE: &str = r#"
schema = 1
id = "jinja2-sibling-attribute-unsafe"
family = "sibling-attribute"
label = "unsafe"
repository = "jinja2"
title = "what flows where"

[program]
entry = "main.py"

[crash]
file = "site:jinja2/environment.py"
line = 41
function = "Cart.load"
exception = "KeyError"

[heal]
code = "heal.py"
resume = "retry"
alternatives = ["alternatives/1.py", "alternatives/2.py"]
"#;

fn protect(text: &str) -> Result<Protection, Diagnostic> {
    Protection::parse(Path::new("protect.toml"), text)
}

fn case(text: &str) -> Result<Case, Diagnostic> {
    Case::parse(Path::new("cases/one/case.toml"), text)
}

#[test]
fn every_key_of_a_protection_is_read() {
    let protection = protect(PROTECT).expect("the file is good");
    assert_eq!(protection.presets, [Preset::Database, Preset::Process]);
    let [charge, commit, audit] = &protection.operations[..] else { panic!("{protection:?}") };
    let watched = [ArgumentSelector::Name("amount".to_owned()), ArgumentSelector::Position(0)];
    assert_eq!(charge.arguments.as_deref(), Some(&watched[..]));
    assert_eq!((charge.receiver, charge.reads, charge.reason.as_str()), (false, false, "moves money"));
    assert_eq!((charge.declared.file.as_str(), charge.declared.line), ("protect.toml", 6));
    assert_eq!((&commit.arguments, commit.receiver, commit.reads), (&None, true, true));
    assert_eq!(audit.name, "shop.audit.*");
    let modes: Vec<EndorsementMode> = protection.endorsements.iter().map(|endorsement| endorsement.mode).collect();
    assert_eq!(modes, [EndorsementMode::Returns, EndorsementMode::Guards]);
}

#[test]
fn every_key_of_a_case_is_read() {
    let case = case(CASE).expect("the file is good");
    assert_eq!(case.folder, Path::new("cases/one"));
    assert_eq!((case.id.as_str(), case.label), ("jinja2-sibling-attribute-unsafe", Label::Unsafe));
    assert_eq!(case.repository.as_deref(), Some("jinja2"));
    assert_eq!(case.program.entry, Path::new("main.py"));
    assert_eq!((case.crash.file.as_str(), case.crash.line), ("site:jinja2/environment.py", 41));
    assert_eq!((case.heal.code.as_path(), case.heal.resume), (Path::new("heal.py"), ResumeMode::Retry));
    let alternatives = [PathBuf::from("alternatives/1.py"), PathBuf::from("alternatives/2.py")];
    assert_eq!(case.heal.alternatives, alternatives);
}

#[test]
fn a_case_without_a_package_has_no_repository() {
    let case = case(&CASE.replace("\"jinja2\"", "\"\"")).expect("the file is good");
    assert_eq!(case.repository, None);
}

#[test]
fn the_tables_of_a_protection_are_read_from_pyproject() {
    let nested = PROTECT
        .replace("schema = 1", "[project]\nname = \"shop\"\n[tool.healcheck]\nschema = 1")
        .replace("[[operation]]", "[[tool.healcheck.operation]]")
        .replace("[[endorsement]]", "[[tool.healcheck.endorsement]]");
    let read = Protection::in_pyproject(Path::new("pyproject.toml"), &nested).expect("the file is good");
    let (read, plain) = (read.expect("it has our table"), protect(PROTECT).expect("the file is good"));
    let names = |protection: &Protection| {
        protection.operations.iter().map(|operation| operation.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(&read), names(&plain));
    assert_eq!(read.presets, plain.presets);
    let none = Protection::in_pyproject(Path::new("pyproject.toml"), "[tool.other]\nx = 1\n");
    assert_eq!(none, Ok(None));
}

/// A change of a good file, the line of the diagnostic for it, and parts of its message and mend.
struct Broken {
    from: &'static str,
    to: &'static str,
    line: u32,
    message: &'static str,
    mend: &'static str,
}

const fn broken(from: &'static str, to: &'static str, line: u32, message: &'static str, mend: &'static str) -> Broken {
    Broken { from, to, line, message, mend }
}

const BROKEN_PROTECTIONS: [Broken; 28] = [
    broken("schema = 1\n", "\n", 1, "`schema` is missing", "add `schema = 1`"),
    broken("schema = 1", "schema = 2", 2, "schema 2 is not known", "`schema = 1`"),
    broken("schema = 1", "schema = \"1\"", 2, "must be an integer", "replace this string"),
    broken("schema = 1", "schema = 1e0", 2, "must be an integer", "replace this float"),
    broken("schema = 1", "schema = 99999999999999999999999", 2, "64 bits", "an integer"),
    broken("schema = 1", "schema = 1\nschema = 1", 3, "not valid TOML: duplicate key", "TOML syntax"),
    broken("presets = ", "preset = ", 3, "unknown key `preset`", "did you mean `presets`?"),
    broken("\"database\"", "\"databse\"", 3, "`databse` is not a known preset", "did you mean `database`?"),
    broken("\"process\"", "\"database\"", 3, "named twice", "once"),
    broken("[\"database\", \"process\"]", "\"database\"", 3, "must be an array", "replace this string"),
    broken("\"process\"]", "3]", 3, "must be an array of strings", "replace this integer"),
    broken("\"process\"]", "\"process\"", 5, "not valid TOML", "TOML syntax"),
    broken("[[operation]]", "[[operations]]", 5, "unknown key `operations`", "did you mean `operation`?"),
    broken("[[endorsement]]", "[[endorse]]", 18, "unknown key `endorse`", "did you mean `endorsement`?"),
    broken("arguments = ", "argument = ", 7, "unknown key `argument` in `[[operation]]`", "did you mean `arguments`?"),
    broken("receiver = ", "reciever = ", 8, "unknown key `reciever`", "did you mean `receiver`?"),
    broken("receiver = false", "receiver = \"no\"", 8, "must be true or false", "replace this string"),
    broken("reads = false", "reads = 0", 9, "must be true or false", "replace this integer"),
    broken("reason = \"moves money\"", "reason = []", 10, "must be a string", "replace this array"),
    broken("name = \"shop.payments.charge\"\n", "", 5, "`name` is missing in `[[operation]]`", "add `name = "),
    broken("\"shop.payments.charge\"", "\"\"", 6, "`name` is empty", "write the name"),
    broken("\"shop.payments.charge\"", "\"shop..charge\"", 6, "not a dotted name", "`module.function`"),
    broken("\"shop.payments.charge\"", "\"*\"", 6, "not a dotted name", "`module.*`"),
    broken("\"shop.payments.charge\"", "\"shop.*.charge\"", 6, "not a dotted name", "`module.*`"),
    broken("\"shop.audit.*\"", "\"shop.payments.charge\"", 16, "declared twice, first on line 6", "keep one"),
    broken("\"amount\", 0", "\"amount\", -1", 7, "names and positions from 0", "replace this integer"),
    broken("\"amount\", 0", "\"amount\", \"amount\"", 7, "named twice", "once"),
    broken("\"amount\", 0", "\"**options\"", 7, "not the name of a parameter", "without stars"),
];

const BROKEN_ENDORSEMENTS: [Broken; 5] = [
    broken("mode = \"guards\"", "mode = \"guard\"", 24, "`guard` is not a known mode", "did you mean `guards`?"),
    broken("mode = \"guards\"\n", "", 22, "`mode` is missing in `[[endorsement]]`", "`returns`, `guards`"),
    broken("mode = \"guards\"", "modus = \"guards\"", 24, "unknown key `modus`", "did you mean `mode`?"),
    broken("\"shop.checks.require\"", "\"shop.checks.valid_amount\"", 23, "declared twice, first on line 19", "keep"),
    broken("\"shop.checks.require\"", "\"1shop\"", 23, "not a dotted name", "`module.function`"),
];

const BROKEN_CASES: [Broken; 24] = [
    broken("schema = 1\n", "\n", 1, "`schema` is missing", "add `schema = 1`"),
    broken("schema = 1", "schema = 0", 2, "schema 0 is not known", "`schema = 1`"),
    broken("id = ", "name = ", 3, "unknown key `name`", "known here: `schema`, `id`"),
    broken("id = \"jinja2-sibling-attribute-unsafe\"", "id = \" \"", 3, "`id` is empty", "write the id"),
    broken(
        "\"sibling-attribute\"",
        "\"sibling-atribute\"",
        4,
        "not a known family",
        "did you mean `sibling-attribute`?",
    ),
    broken("family = \"sibling-attribute\"\n", "", 1, "`family` is missing", "one of `local-flow`"),
    broken("\"unsafe\"", "\"insecure\"", 5, "`insecure` is not a known label", "known here: `unsafe`, `safe`"),
    broken("repository = \"jinja2\"", "repository = 3", 6, "must be a string", "replace this integer"),
    broken("title = ", "titel = ", 7, "unknown key `titel`", "did you mean `title`?"),
    broken("[program]\nentry = \"main.py\"\n", "", 1, "the table `[program]` is missing", "the keys `entry`"),
    broken("[program]", "[[program]]", 9, "must be a table", "`[program]`"),
    broken("[program]", "[programm]", 9, "unknown key `programm`", "did you mean `program`?"),
    broken("entry = ", "entyr = ", 10, "unknown key `entyr` in `[program]`", "did you mean `entry`?"),
    broken("\"main.py\"", "\"../main.py\"", 10, "not a path inside the folder", "without `..`"),
    broken("\"main.py\"", "\"/main.py\"", 10, "not a path inside the folder", "relative"),
    broken("\"main.py\"", "\"main\\u0000.py\"", 10, "`main\\0.py` is not a path", "relative"),
    broken("\"site:jinja2/environment.py\"", "\"site:\"", 13, "not a path inside the folder", "relative"),
    broken("line = 41", "line = 0", 14, "0 is not the number of a line", "from 1"),
    broken("line = 41", "line = 41.0", 14, "must be an integer", "replace this float"),
    broken("line = 41\n", "", 12, "`line` is missing in `[crash]`", "add `line = 1`"),
    broken("exception = ", "exeption = ", 16, "unknown key `exeption`", "did you mean `exception`?"),
    broken("\"retry\"", "\"rerty\"", 20, "`rerty` is not a known resume", "did you mean `retry`?"),
    broken("\"heal.py\"", "[\"heal.py\"]", 19, "must be a string", "replace this array"),
    broken("\"alternatives/2.py\"", "\"alternatives/../../2.py\"", 21, "not a path inside", "without `..`"),
];

fn assert_refused<T: std::fmt::Debug>(
    good: &str,
    broken: &Broken,
    file: &str,
    read: fn(&str) -> Result<T, Diagnostic>,
) {
    let text = good.replacen(broken.from, broken.to, 1);
    assert_ne!(text, good, "{} is not in the good file", broken.from);
    let diagnostic = read(&text).expect_err(broken.to);
    let Diagnostic { message, file: named, range, mend, .. } = &diagnostic;
    assert_eq!(named.as_deref(), Some(Path::new(file)), "{diagnostic}");
    assert_eq!(range.map(|range| range.line), Some(broken.line), "{diagnostic}");
    assert!(message.contains(broken.message), "{diagnostic}");
    assert!(mend.as_ref().is_some_and(|mend| mend.contains(broken.mend)), "{diagnostic}");
}

#[test]
fn each_broken_protection_gets_one_diagnostic_with_line_and_mend() {
    for broken in BROKEN_PROTECTIONS.iter().chain(&BROKEN_ENDORSEMENTS) {
        assert_refused(PROTECT, broken, "protect.toml", protect);
    }
}

#[test]
fn each_broken_case_gets_one_diagnostic_with_line_and_mend() {
    for broken in &BROKEN_CASES {
        assert_refused(CASE, broken, "cases/one/case.toml", case);
    }
}

#[test]
fn of_several_mistakes_the_first_in_the_file_is_reported() {
    let text = "zeta = 1\nalpha = 2\nschema = 3\n";
    let diagnostic = protect(text).expect_err("nothing in it is known");
    assert!(diagnostic.message.contains("`zeta`"), "{diagnostic}");
}

#[test]
fn mistakes_in_pyproject_name_their_line_in_it() {
    for (text, line, message) in [
        ("[tool.healcheck]\npresets = []\n", 1, "`schema` is missing in `[tool.healcheck]`"),
        ("[tool]\nhealcheck = 3\n", 2, "`tool.healcheck` must be a table"),
        ("[project]\nname = \"x\"\n[tool.healcheck]\nschema = 1\noperatoin = []\n", 5, "unknown key `operatoin`"),
        ("tool = true\n", 1, "`tool` must be a table"),
        ("[tool.healcheck\n", 1, "not valid TOML"),
    ] {
        let diagnostic = Protection::in_pyproject(Path::new("pyproject.toml"), text).expect_err(text);
        assert_eq!(diagnostic.range.map(|range| range.line), Some(line), "{diagnostic}");
        assert!(diagnostic.message.contains(message), "{diagnostic}");
        assert!(diagnostic.mend.is_some(), "{diagnostic}");
    }
}

fn folder_with(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("it can be written");
    }
    folder
}

#[test]
fn a_case_whose_files_are_missing_is_refused_at_the_line_that_names_them() {
    let case = CASE.replace("\"alternatives/1.py\", \"alternatives/2.py\"", "\"1.py\"");
    let files = [("case.toml", case.as_str()), ("main.py", ""), ("heal.py", ""), ("1.py", "")];
    assert!(Case::load(folder_with(&files).path()).is_ok());
    for (missing, line) in [("main.py", 10), ("heal.py", 19), ("1.py", 21)] {
        let folder = folder_with(&files);
        std::fs::remove_file(folder.path().join(missing)).expect("it is there");
        let diagnostic = Case::load(folder.path()).expect_err("a file is missing");
        assert_eq!(diagnostic.range.map(|range| range.line), Some(line), "{diagnostic}");
        assert!(diagnostic.message.contains(missing), "{diagnostic}");
    }
    let diagnostic = Case::load(folder_with(&[]).path()).expect_err("there is no case");
    assert!(diagnostic.message.contains("has no `case.toml`"), "{diagnostic}");
}

#[test]
fn a_repository_declares_in_one_place_or_not_at_all() {
    let pyproject = "[tool.healcheck]\nschema = 1\npresets = [\"network\"]\n";
    let of = |files: &[(&str, &str)]| Protection::of_repository(folder_with(files).path());
    assert_eq!(of(&[]), Ok(Protection::default()));
    assert_eq!(of(&[("pyproject.toml", "[project]\n")]), Ok(Protection::default()));
    let presets = |protection: Result<Protection, Diagnostic>| protection.map(|protection| protection.presets);
    assert_eq!(presets(of(&[("pyproject.toml", pyproject)])), Ok(vec![Preset::Network]));
    let in_file = [("protect.toml", PROTECT), ("pyproject.toml", "[project]\n")];
    assert_eq!(presets(of(&in_file)), Ok(vec![Preset::Database, Preset::Process]));
    let both = of(&[("protect.toml", PROTECT), ("pyproject.toml", pyproject)]).expect_err("one must be ignored");
    assert!(both.mend.is_some_and(|mend| mend.contains("--protect")));
}

#[test]
fn a_pyproject_that_a_user_names_must_have_our_table() {
    let folder = folder_with(&[("pyproject.toml", "[project]\n")]);
    let diagnostic = Protection::load(&folder.path().join("pyproject.toml")).expect_err("it has not");
    assert!(diagnostic.message.contains("[tool.healcheck]"), "{diagnostic}");
}

/// Every diagnostic about text names the file, a line that the text has, and a mend.
fn assert_well_formed<T: std::fmt::Debug>(text: &str, read: Result<T, Diagnostic>) {
    if let Err(diagnostic) = read {
        let line = diagnostic.range.map_or(0, |range| range.line as usize);
        assert!((1..=text.split('\n').count()).contains(&line), "{diagnostic}: {text:?}");
        assert!(diagnostic.file.is_some() && diagnostic.mend.is_some(), "{diagnostic}: {text:?}");
        assert!(!diagnostic.message.contains('\n'), "{diagnostic}: {text:?}");
    }
}

fn read_as_everything(text: &str) {
    assert_well_formed(text, protect(text));
    assert_well_formed(text, case(text));
    assert_well_formed(text, Protection::in_pyproject(Path::new("pyproject.toml"), text));
}

proptest! {
    #[test]
    fn arbitrary_text_is_read_or_refused(text in any::<String>()) {
        read_as_everything(&text);
    }

    #[test]
    fn text_of_toml_pieces_is_read_or_refused(
        pieces in prop::collection::vec(prop::sample::select(&[
            "schema", "presets", "operation", "name", "mode", "crash", "heal", "line", "tool", "healcheck", "é",
            " = ", "1", "-1", "\"x\"", "''", "[", "]", "[[", "]]", "{", "}", ",", ".", "\n", "\r\n", "#", "true",
            "1979-05-27", "nan", "\"\"\"", "\\u0000", "\u{feff}",
        ][..]), 0..40)
    ) {
        read_as_everything(&pieces.concat());
    }

    #[test]
    fn good_files_with_a_piece_cut_out_are_read_or_refused(
        (start, length) in (0..CASE.len(), 0..60usize),
    ) {
        for good in [CASE, PROTECT] {
            let start = start.min(good.len());
            let end = (start + length).min(good.len());
            read_as_everything(&format!("{}{}", &good[..start], &good[end..]));
        }
    }
}
