//! Calls of the command line, answered by a guard that gives prepared verdicts.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::sync::Mutex;

use clap::CommandFactory;
use healguard_rules::program::RuleDoc;

use super::arguments::Arguments;
use super::{Checked, FLAGGED, Guard, NOTHING_FLAGGED, Streams, UNUSABLE, run};
use crate::audit::{Difference, Event, Observation};
use crate::config::{Label, ResumeMode};
use crate::diagnostic::Diagnostic;
use crate::request::{CaseRequest, CrashRequest, Options};
use crate::verdict::{Outcome, Stages, Verdict};

/// Gives the verdict that the name of the input begins with; refuses `broken…`, and falls over at `panic…`.
#[derive(Default)]
struct PreparedGuard {
    crashes: Mutex<Vec<CrashRequest>>,
    cases: Mutex<Vec<CaseRequest>>,
}

fn prepared(input: &Path) -> Result<Checked, Diagnostic> {
    let name = input.file_stem().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
    if name.starts_with("broken") {
        return Err(Diagnostic::new("this input is broken").in_file(input).mend("mend it"));
    }
    assert!(!name.starts_with("panic"), "the guard has a defect");
    let known = [Outcome::Safe, Outcome::Alarm, Outcome::Rejected];
    let outcome = known.into_iter().find(|outcome| name.starts_with(outcome.word())).unwrap_or(Outcome::Pruned);
    let mut stages = Stages::default();
    stages.slice.insert("functions", 41.into());
    let verdict = Verdict {
        schema: 1,
        case: name,
        verdict: outcome,
        flagged: outcome.flagged(),
        action: outcome.action(),
        operations: Vec::new(),
        rejections: Vec::new(),
        assumptions: Vec::new(),
        stages,
    };
    Ok((verdict, Box::new(std::collections::BTreeMap::new())))
}

/// What the name of a case ends in: the label that it is given, and the one that executions show.
fn observed(folder: &Path) -> Result<Observation, Diagnostic> {
    let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let labels: Vec<Label> = name
        .split('-')
        .skip(1)
        .filter_map(|word| match word {
            "safe" => Some(Label::Safe),
            "unsafe" => Some(Label::Unsafe),
            _ => None,
        })
        .collect();
    let [said, executed] = labels[..] else {
        return Err(Diagnostic::new("this case cannot be run").in_file(folder).mend("mend it"));
    };
    let event = |value: &str| Event {
        operation: "shop.charge".to_owned(),
        differs: [("amount".to_owned(), value.to_owned())].into(),
    };
    let difference = Difference {
        event: 1,
        executions: ["heal.py".to_owned(), "alternatives/1.py".to_owned()],
        seen: [Some(event("1")), None],
    };
    Ok(Observation { said, executed, difference: (executed == Label::Unsafe).then_some(difference) })
}

impl Guard for PreparedGuard {
    fn check_case(&self, request: &CaseRequest) -> Result<Checked, Diagnostic> {
        self.cases.lock().expect("no test panics with it").push(request.clone());
        prepared(&request.folder)
    }

    fn check_crash(&self, request: &CrashRequest) -> Result<Checked, Diagnostic> {
        self.crashes.lock().expect("no test panics with it").push(request.clone());
        prepared(&request.heal)
    }

    fn observe_case(&self, request: &CaseRequest) -> Result<Observation, Diagnostic> {
        observed(&request.folder)
    }

    fn grammar(&self) -> &str {
        "healing = { statement } ;"
    }

    fn rules(&self) -> Vec<RuleDoc> {
        let rule = |id: &str, sentence: &str| RuleDoc {
            id: id.to_owned(),
            sentence: sentence.to_owned(),
            note: "Because.\n\nAnd so.".to_owned(),
            datalog: "Tainted(p) <-\n    Healed(p).".to_owned(),
            inference: String::new(),
            file: "taint.rs".to_owned(),
            line: 12,
        };
        vec![rule("taint/healed", "Healed places are tainted."), rule("taint/load", "Loads carry.")]
    }
}

struct Answer {
    status: u8,
    report: String,
    messages: String,
}

fn call_with(guard: &dyn Guard, arguments: &[&str]) -> Answer {
    let (mut reports, mut messages) = (Vec::new(), Vec::new());
    let mut streams = Streams::plain(&mut reports, &mut messages);
    let arguments = ["healcheck"].iter().chain(arguments).map(OsString::from);
    let status = run(arguments, guard, &mut streams);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("all output is UTF-8");
    Answer { status, report: text(reports), messages: text(messages) }
}

fn call(arguments: &[&str]) -> Answer {
    call_with(&PreparedGuard::default(), arguments)
}

/// A set with one case of each name.
fn set_of(names: &[&str]) -> tempfile::TempDir {
    let set = tempfile::tempdir().expect("a temporary folder can be made");
    for name in names {
        fs::create_dir(set.path().join(name)).expect("it can be made");
        fs::write(set.path().join(name).join("case.toml"), "").expect("it can be written");
    }
    set
}

fn path(folder: &tempfile::TempDir, name: &str) -> String {
    folder.path().join(name).to_str().expect("temporary paths are UTF-8").to_owned()
}

#[test]
fn the_exit_status_says_whether_anything_is_flagged() {
    let set = set_of(&["safe", "pruned", "alarm", "rejected"]);
    for (name, status) in
        [("safe", NOTHING_FLAGGED), ("pruned", NOTHING_FLAGGED), ("alarm", FLAGGED), ("rejected", FLAGGED)]
    {
        let answer = call(&["check", &path(&set, name)]);
        assert_eq!((answer.status, answer.messages.as_str()), (status, ""), "{name}");
        assert!(answer.report.starts_with(&format!("{name}: {name}")), "{}", answer.report);
    }
}

#[test]
fn a_set_gets_a_line_for_each_case_in_order_and_totals() {
    let set = set_of(&["safe-b", "alarm-c", "safe-a"]);
    for jobs in ["1", "3", "64"] {
        let answer = call(&["check", &path(&set, ""), "--jobs", jobs]);
        assert_eq!(answer.status, FLAGGED);
        let expected =
            "alarm      alarm-c\nsafe       safe-a\nsafe       safe-b\n3 cases: 2 safe, 1 alarm; 1 flagged\n";
        assert_eq!(answer.report, expected);
    }
}

#[test]
fn unusable_cases_get_a_message_each_and_no_report_is_written() {
    let set = set_of(&["safe", "broken-1", "broken-2", "alarm"]);
    let output = path(&set, "report.txt");
    let answer = call(&["check", &path(&set, ""), "--output", &output]);
    assert_eq!((answer.status, answer.report.as_str()), (UNUSABLE, ""));
    assert_eq!(answer.messages.matches("error: this input is broken").count(), 2, "{}", answer.messages);
    assert!(!Path::new(&output).exists());
}

#[test]
fn a_defect_of_the_guard_is_no_verdict() {
    let set = set_of(&["panic"]);
    let answer = call(&["check", &path(&set, "panic")]);
    assert_eq!((answer.status, answer.report.as_str()), (UNUSABLE, ""));
    assert!(answer.messages.contains("a defect of healcheck"), "{}", answer.messages);
}

#[test]
fn json_is_an_object_for_one_case_and_an_array_for_a_set() {
    let set = set_of(&["safe"]);
    let json = |folder: &str| {
        let answer = call(&["check", folder, "--format", "json", "-q"]);
        serde_json::from_str::<serde_json::Value>(&answer.report).expect("the report is JSON")
    };
    assert_eq!(json(&path(&set, "safe"))["verdict"], "safe");
    assert_eq!(json(&path(&set, ""))[0]["verdict"], "safe");
}

#[test]
fn quiet_prints_nothing_and_verbose_prints_figures_as_messages() {
    let set = set_of(&["alarm"]);
    let quiet = call(&["check", &path(&set, "alarm"), "-q"]);
    assert_eq!((quiet.status, quiet.report.as_str(), quiet.messages.as_str()), (FLAGGED, "", ""));
    let verbose = call(&["check", &path(&set, "alarm"), "-v"]);
    assert!(verbose.messages.contains("slice: functions 41"), "{}", verbose.messages);
    assert!(!verbose.report.contains("functions"), "{}", verbose.report);
}

#[test]
fn a_report_in_a_file_replaces_the_old_one_and_leaves_nothing_else() {
    let set = set_of(&["alarm"]);
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let output = path(&folder, "report.txt");
    fs::write(&output, "old").expect("it can be written");
    let answer = call(&["check", &path(&set, "alarm"), "--output", &output]);
    assert_eq!((answer.status, answer.report.as_str()), (FLAGGED, ""));
    assert!(fs::read_to_string(&output).is_ok_and(|text| text.starts_with("alarm: alarm")));
    assert_eq!(fs::read_dir(folder.path()).map(Iterator::count).ok(), Some(1));
}

#[test]
fn a_report_that_cannot_be_written_is_a_diagnostic() {
    let set = set_of(&["alarm"]);
    for output in ["absent/report.txt", "alarm"] {
        let answer = call(&["check", &path(&set, "alarm"), "--output", &path(&set, output)]);
        assert_eq!(answer.status, UNUSABLE, "{output}");
        assert_eq!(answer.messages.matches("error:").count(), 1, "{}", answer.messages);
    }
}

#[test]
fn colour_follows_the_option() {
    let set = set_of(&["alarm"]);
    let with = |colour: &str| call(&["check", &path(&set, "alarm"), "--color", colour]).report;
    assert!(with("always").contains('\u{1b}'));
    assert!(!with("auto").contains('\u{1b}'));
    assert!(!with("never").contains('\u{1b}'));
}

#[test]
fn the_form_for_a_real_crash_passes_on_everything_that_was_said() {
    let guard = PreparedGuard::default();
    let words = "check --repository repo --crash crash.json --heal safe.py --resume skip --protect p.toml \
                 --site a --site b --python py --no-snapshot --no-smt --no-replay --explain";
    let answer = call_with(&guard, &words.split_whitespace().collect::<Vec<_>>());
    assert_eq!(answer.status, NOTHING_FLAGGED, "{}", answer.messages);
    let expected = CrashRequest {
        repository: "repo".into(),
        crash: "crash.json".into(),
        heal: "safe.py".into(),
        resume: ResumeMode::Skip,
        protect: Some("p.toml".into()),
        options: Options {
            snapshot: false,
            smt: false,
            replay: false,
            explain: true,
            python: "py".into(),
            site: vec!["a".into(), "b".into()],
        },
    };
    assert_eq!(*guard.crashes.lock().expect("no thread panicked"), [expected]);
}

#[test]
fn all_stages_run_and_the_statement_is_retried_unless_something_else_is_said() {
    let guard = PreparedGuard::default();
    call_with(&guard, &["check", "--repository", "r", "--crash", "c", "--heal", "safe.py"]);
    let set = set_of(&["safe"]);
    call_with(&guard, &["check", &path(&set, "safe")]);
    let crashes = guard.crashes.lock().expect("no thread panicked");
    let cases = guard.cases.lock().expect("no thread panicked");
    assert_eq!(crashes[0].resume, ResumeMode::Retry);
    assert_eq!((&crashes[0].options, &cases[0].options), (&Options::default(), &Options::default()));
}

// Names of these cases: the verdict, the label that is given, the label that executions show.

#[test]
fn an_audit_without_findings_has_status_0_and_shows_the_totals() {
    let set = set_of(&["safe-safe-safe", "alarm-unsafe-unsafe", "alarm-safe-safe"]);
    let answer = call(&["audit", &path(&set, "")]);
    assert_eq!((answer.status, answer.messages.as_str()), (NOTHING_FLAGGED, ""));
    insta::assert_snapshot!(answer.report, @r"
    false alarm  alarm-safe-safe
    3 cases by execution: 1 unsafe, 1 of them flagged; 2 safe, 1 of them flagged
    0 wrong labels, 0 missed flows, 0 cases not run
    ");
}

#[test]
fn a_missed_flow_or_a_wrong_label_is_a_finding() {
    let missed = set_of(&["safe-unsafe-unsafe"]);
    let answer = call(&["audit", &path(&missed, "safe-unsafe-unsafe")]);
    assert_eq!(answer.status, FLAGGED);
    insta::assert_snapshot!(answer.report, @r"
    missed flow  safe-unsafe-unsafe
      heal.py: `shop.charge` runs, amount is 1
      alternatives/1.py: no further operation runs
    1 case by execution: 1 unsafe, 0 of them flagged; 0 safe, 0 of them flagged
    0 wrong labels, 1 missed flow, 0 cases not run
    ");
    let wrong = set_of(&["safe-unsafe-safe", "alarm-safe-unsafe"]);
    let answer = call(&["audit", &path(&wrong, "")]);
    assert_eq!(answer.status, FLAGGED);
    insta::assert_snapshot!(answer.report, @r"
    wrong label  alarm-safe-unsafe: labelled safe, executions show unsafe
      heal.py: `shop.charge` runs, amount is 1
      alternatives/1.py: no further operation runs
    wrong label  safe-unsafe-safe: labelled unsafe, executions show safe
    2 cases by execution: 1 unsafe, 1 of them flagged; 1 safe, 0 of them flagged
    2 wrong labels, 0 missed flows, 0 cases not run
    ");
}

#[test]
fn a_case_that_cannot_be_audited_hides_no_other_one() {
    let set = set_of(&["safe-safe-safe", "safe-unknown", "broken-safe-safe", "panic-safe-safe"]);
    let answer = call(&["audit", &path(&set, "")]);
    assert_eq!(answer.status, UNUSABLE);
    assert_eq!(answer.messages.matches("error").count(), 3, "{}", answer.messages);
    assert!(answer.report.contains("1 case by execution"), "{}", answer.report);
    assert!(answer.report.contains("3 cases not run"), "{}", answer.report);
    let set = set_of(&["safe-unsafe-unsafe", "safe-unknown"]);
    assert_eq!(call(&["audit", &path(&set, "")]).status, FLAGGED);
}

#[test]
fn an_audit_as_json_says_of_every_case_what_is_wrong_with_it() {
    let set = set_of(&["safe-unsafe-unsafe", "alarm-safe-safe", "safe-unknown"]);
    let answer = call(&["audit", &path(&set, ""), "--format", "json", "-q"]);
    let report: serde_json::Value = serde_json::from_str(&answer.report).expect("the report is JSON");
    let [alarm, missed] = &report["cases"].as_array().expect("a list")[..] else { panic!("{report}") };
    assert_eq!((&alarm["case"], &alarm["false_alarm"]), (&"alarm-safe-safe".into(), &true.into()));
    assert_eq!((&missed["missed_flow"], &missed["wrong_label"]), (&true.into(), &false.into()));
    assert_eq!((&missed["executed"], &missed["verdict"]), (&"unsafe".into(), &"safe".into()));
    assert_eq!(missed["difference"]["executions"][1], "alternatives/1.py");
    assert_eq!(report["not_run"][0]["reason"], "this case cannot be run");
}

#[test]
fn calls_that_make_no_sense_are_refused_with_a_message() {
    let set = set_of(&["safe"]);
    let safe = path(&set, "safe");
    let empty = tempfile::tempdir().expect("a temporary folder can be made");
    let empty_path = path(&empty, "");
    for arguments in [
        &[][..],
        &["check"],
        &["chek", &safe],
        &["check", &safe, "--format", "sarif"],
        &["check", &safe, "--jobs", "0"],
        &["check", &safe, "--repository", "r", "--crash", "c", "--heal", "h"],
        &["check", &safe, "--resume", "skip"],
        &["check", "--repository", "r"],
        &["check", "--repository", "r", "--crash", "c", "--heal", "h", "--resume", "again"],
        &["check", "absent-folder"],
        &["check", &empty_path],
        &["check", "Cargo.toml"],
        &["audit"],
        &["audit", "absent-folder"],
        &["audit", &safe, "--random", "3"],
        &["audit", &safe, "--seed", "3"],
        &["audit", "--random", "0"],
        &["snapshot"],
        &["snapshot", "--", "app.py"],
        &["snapshot", "--timeout", "0", "--", "python", "app.py"],
        &["explain"],
        &["explain", "taint/laod"],
    ] {
        let answer = call(arguments);
        assert_eq!((answer.status, answer.report.as_str()), (UNUSABLE, ""), "{arguments:?}");
        assert!(!answer.messages.trim().is_empty(), "{arguments:?}");
    }
    assert!(call(&["explain", "taint/laod"]).messages.contains("did you mean `taint/load`?"));
}

#[test]
fn the_file_of_a_case_stands_for_its_folder() {
    let set = set_of(&["safe"]);
    let guard = PreparedGuard::default();
    call_with(&guard, &["check", &path(&set, "safe/case.toml")]);
    let cases = guard.cases.lock().expect("no thread panicked");
    assert!(cases[0].folder.join("case.toml").exists());
}

#[test]
fn the_documents_are_printed() {
    assert_eq!(call(&["grammar"]).report, "healing = { statement } ;\n");
    insta::assert_snapshot!(call(&["rules"]).report + "\n" + &call(&["explain", "taint/load"]).report);
}

#[test]
fn help_shows_examples_and_exit_statuses() {
    let helps = [&["--help"][..], &["check", "--help"], &["audit", "--help"], &["snapshot", "--help"]].map(call);
    for help in &helps {
        assert_eq!((help.status, help.messages.as_str()), (NOTHING_FLAGGED, ""));
        assert!(help.report.contains("Examples:"), "{}", help.report);
    }
}

#[test]
fn help_names_all_options() {
    // The width is fixed here: otherwise it is that of the terminal that the test runs in.
    let mut command = Arguments::command().term_width(100);
    command.build();
    let mut helps = vec![command.render_long_help().to_string()];
    for name in ["check", "audit", "coverage", "snapshot"] {
        let subcommand = command.find_subcommand_mut(name).expect("the subcommand is there");
        helps.push(subcommand.render_long_help().to_string());
    }
    insta::assert_snapshot!(helps.join("\n=====\n"));
}
