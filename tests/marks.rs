//! What the source says about protection: decorators under the names that a file imported them by, and comments.

use std::fs;

use healguard_tests::{healcheck, report};

/// In front of every program: the crash is the first `state["k"]`.
const START: &str = "import healguard\nfrom healguard import endorses as checked, protected as guarded\nstate = {}\n";

fn verdict(program: &str, protection: &str) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let main = format!("{START}{program}");
    let protection = format!("schema = 1\n{protection}");
    let files = [("main.py", &*main), ("heal.py", "state[\"k\"] = 1\n"), ("protect.toml", &*protection)];
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("the folder can be written");
    }
    healcheck(folder.path(), ["snapshot", "--", "python3", "main.py"]).code(0);
    let call = ["check", "--repository", ".", "--crash", "crash.json", "--heal", "heal.py"];
    let said = report(&healcheck(folder.path(), call));
    said.split(':').next().unwrap_or_default().to_owned()
}

const SEND: &str = "def send(amount, label):\n    pass\nsend(state[\"k\"], \"l\")\n";

#[test]
fn a_decorator_protects_under_any_name_that_it_was_imported_by() {
    assert_eq!(verdict(&format!("@guarded\n{SEND}"), ""), "alarm");
    assert_eq!(verdict(&format!("import healguard as marks\n@marks.protected\n{SEND}"), ""), "alarm");
}

#[test]
fn a_decorator_says_which_arguments_are_watched() {
    assert_eq!(verdict(&format!("@guarded(arguments=[\"label\"])\n{SEND}"), ""), "safe");
    assert_eq!(verdict(&format!("@guarded(arguments=[0])\n{SEND}"), ""), "alarm");
}

#[test]
fn a_mark_in_the_source_wins_over_the_file() {
    let file = "[[operation]]\nname = \"main.send\"\n";
    assert_eq!(verdict(SEND, file), "alarm");
    assert_eq!(verdict(&format!("@guarded(arguments=[\"label\"])\n{SEND}"), file), "safe");
    let file = "[[operation]]\nname = \"main.*\"\n";
    assert_eq!(verdict(&format!("@guarded(arguments=[\"label\"])\n{SEND}"), file), "safe");
}

#[test]
fn a_marked_class_is_protected_as_its_constructor_also_for_classes_below() {
    let class =
        "class Wire:\n    def __init__(self, amount, note):\n        self.note = note\nclass Refund(Wire): pass\n";
    let made = "Refund(state[\"k\"], \"n\")\n";
    assert_eq!(verdict(&format!("@guarded\n{class}{made}"), ""), "alarm");
    assert_eq!(verdict(&format!("@guarded(arguments=[\"note\"])\n{class}{made}"), ""), "safe");
}

#[test]
fn an_endorsing_decorator_counts_under_the_names_that_it_was_imported_by() {
    let check =
        "def check(value):\n    return value\n@guarded\ndef send(amount):\n    pass\nsend(check(state[\"k\"]))\n";
    assert_eq!(verdict(&format!("@checked\n{check}"), ""), "safe");
    assert_eq!(verdict(&format!("def endorses(target):\n    return target\n@endorses\n{check}"), ""), "alarm");
}

#[test]
fn a_decorator_makes_a_guard() {
    let check =
        "def check(value):\n    if value != 1:\n        raise ValueError\n@guarded\ndef send(amount):\n    pass\n";
    let run = "def run(amount):\n    check(amount)\n    send(amount)\nrun(state[\"k\"])\n";
    assert_eq!(verdict(&format!("@checked(mode=\"guards\")\n{check}{run}"), ""), "safe");
    assert_eq!(verdict(&format!("@checked\n{check}{run}"), ""), "alarm");
}
