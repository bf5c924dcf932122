//! Small programs in which healed state reaches the operation: flows that an earlier version missed.

use std::fs;

use healguard_tests::{healcheck, report};

/// In front of every program: the crash is the first `state['k']`, and `pay` is protected.
const START: &str = "import sys\nstate = {}\ndef pay(amount):\n    sys.stderr.write(str(amount))\n";

fn assert_alarm(program: &str) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let main = format!("{START}{program}");
    let protection = "schema = 1\n\n[[operation]]\nname = \"main.pay\"\n";
    for (name, text) in [("main.py", main.as_str()), ("heal.py", "state['k'] = 1\n"), ("protect.toml", protection)] {
        fs::write(folder.path().join(name), text).expect("the folder can be written");
    }
    healcheck(folder.path(), ["snapshot", "--", "python3", "main.py"]).code(0);
    let call = ["check", "--repository", ".", "--crash", "crash.json", "--heal", "heal.py"];
    let output = healcheck(folder.path(), call);
    assert!(report(&output).starts_with("alarm"), "{program}\n{}", report(&output));
}

#[test]
fn a_caught_exception_may_be_of_a_class_below() {
    assert_alarm(
        "x = state['k']\ntry:\n    int('q')\nexcept Exception as e:\n    if isinstance(e, ValueError):\n        pay(x)\n",
    );
}

#[test]
fn a_class_owns_what_is_stored_in_it() {
    assert_alarm("class C: pass\nc = C()\nx = state['k']\nC.v = x\npay(c.v)\n");
}

#[test]
fn a_class_that_a_member_is_stored_in_stands_before_the_one_above() {
    assert_alarm("class B:\n    v = 0\nclass C(B): pass\nc = C()\nx = state['k']\nC.v = x\npay(c.v)\n");
}

#[test]
fn a_method_may_be_stored_in_a_class() {
    assert_alarm("class C: pass\nc = C()\nx = state['k']\nC.go = lambda self: pay(x)\nc.go()\n");
}

#[test]
fn a_lambda_leaves_its_state_behind() {
    assert_alarm("box = {}\nf = lambda v: box.update(a=v)\nx = state['k']\nf(x)\npay(box['a'])\n");
}

#[test]
fn members_of_a_module_that_nobody_knows_are_not_one_object() {
    assert_alarm("x = state['k']\nimport nowhere\nnowhere.a.b.v = x\nnowhere.a.c.v = 0\npay(nowhere.a.b.v)\n");
}
