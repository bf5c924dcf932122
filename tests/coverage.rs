//! `healcheck coverage`: what a package is lowered to, and where its calls lead.

use std::fs;
use std::path::{Path, PathBuf};

use healguard_tests::{healcheck, messages, report};
use serde_json::Value;

/// A folder with the package `shop`, which needs the module `ledger` beside it.
fn shop(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::create_dir(folder.path().join("shop")).expect("a folder of its own");
    let beside = [("shop/__init__.py", ""), ("ledger.py", "def enter(entry):\n    return [entry]\n")];
    for (name, text) in beside.iter().chain(files) {
        fs::write(folder.path().join(name), text).expect("the folder can be written");
    }
    folder
}

/// The figures of the package.
fn figures(folder: &Path) -> Value {
    let output = healcheck(folder, ["coverage", "shop", "--format", "json", "--unknown", "9"]).code(0);
    let report: Value = serde_json::from_str(&report(&output)).expect("one JSON object");
    report["packages"][0].clone()
}

/// How many calls of a module with this text are resolved, modelled and unknown.
fn shares(text: &str) -> [u64; 3] {
    let folder = shop(&[("shop/till.py", text)]);
    let figures = figures(folder.path());
    ["resolved", "modelled", "unknown"].map(|share| figures[share].as_u64().expect("a number"))
}

#[test]
fn functions_lambdas_classes_and_modules_are_lowered() {
    let text = "class Till:\n    def open(self):\n        return lambda: [n for n in (x for x in self.sums)]\n";
    let folder = shop(&[("shop/till.py", text)]);
    let figures = figures(folder.path());
    assert_eq!(figures["files"], 2);
    // Two modules, the class, its method, the lambda and the generator expression.
    assert_eq!(figures["functions"], 6);
    assert!(figures["facts"].as_u64() > Some(10), "{figures}");
}

#[test]
fn a_call_of_a_function_a_class_or_a_method_of_the_package_or_of_what_it_needs_is_resolved() {
    assert_eq!(
        shares("import ledger\nfrom ledger import enter\n\ndef pay():\n    enter(ledger.enter(1))\n"),
        [2, 0, 0]
    );
    let classes = "class Base:\n    def sum(self):\n        return self.tax()\n\nclass Till(Base):\n    def tax(self):\n        return 1\n\n\
                   Till().sum()\n";
    assert_eq!(shares(classes), [3, 0, 0]);
}

#[test]
fn a_call_of_what_the_models_know_is_modelled() {
    assert_eq!(shares("import json\n\ndef show(x):\n    return json.dumps(str(x).strip())\n"), [0, 3, 0]);
    assert_eq!(shares("def parts():\n    return [part.strip() for part in 'a,b'.split(',')]\n"), [0, 2, 0]);
}

#[test]
fn a_call_of_a_parameter_or_of_what_has_no_model_is_unknown() {
    assert_eq!(shares("def run(job):\n    job()\n    job.close()\n"), [0, 0, 2]);
    let folder = shop(&[("shop/till.py", "import numpy\n\nnumpy.zeros(1)\nnumpy.zeros(2)\n")]);
    let figures = figures(folder.path());
    assert_eq!(figures["unknown_callees"][0]["callee"], "numpy.zeros");
    assert_eq!(figures["unknown_callees"][0]["calls"], 2);
}

#[test]
fn values_come_through_returns_attributes_closures_and_decorators() {
    assert_eq!(shares("def make():\n    return 'a'\n\ndef use():\n    return make().upper()\n"), [1, 1, 0]);
    let attribute = "class Till:\n    def __init__(self):\n        self.sums = []\n\n    def add(self, x):\n        self.sums.append(x)\n";
    assert_eq!(shares(attribute), [0, 1, 0]);
    let given_back = "def same(f):\n    return f\n\n@same\ndef pay():\n    pass\n\npay()\n";
    assert_eq!(shares(given_back), [2, 0, 0]);
    let wrapped =
        "def twice(f):\n    def inner():\n        f()\n    return inner\n\n@twice\ndef pay():\n    pass\n\npay()\n";
    // What is in the closure is the parameter of a function that anybody may call.
    assert_eq!(shares(wrapped), [2, 0, 1]);
}

#[test]
fn a_call_that_may_lead_elsewhere_too_is_unknown() {
    assert_eq!(shares("def pay():\n    pass\n\ndef run(job):\n    (job or pay)()\n"), [0, 0, 1]);
}

#[test]
fn a_file_that_is_not_python_is_named_with_its_line_and_hides_no_other() {
    let folder = shop(&[("shop/till.py", "print(1)\n"), ("shop/torn.py", "x = 1\ndef (:\n")]);
    let output = healcheck(folder.path(), ["coverage", "shop"]).code(1);
    let (report, messages) = (report(&output), messages(&output));
    assert!(messages.contains("torn.py:2:5"), "{messages}");
    assert!(report.contains("not lowered") && report.contains("torn.py"), "{report}");
    assert!(report.lines().any(|line| line.starts_with("shop ") && line.contains("100.0 %")), "{report}");
}

#[test]
fn a_path_without_python_is_one_message() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for path in ["absent", "."] {
        let output = healcheck(folder.path(), ["coverage", path]).code(2);
        assert_eq!(report(&output), "");
        assert_eq!(messages(&output).matches("error").count(), 1, "{}", messages(&output));
    }
}

#[test]
fn an_installed_package_is_lowered_whole() {
    let site = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.venv/repositories/boltons/site-packages/boltons");
    let site: PathBuf = fs::canonicalize(site).expect("run `make setup` first");
    let output = healcheck(Path::new("."), ["coverage", site.to_str().expect("a readable path"), "--format", "json"]);
    let report: Value = serde_json::from_str(&report(&output.code(0))).expect("one JSON object");
    let figures = &report["packages"][0];
    // As many as CPython's own syntax tree has.
    assert_eq!((&figures["files"], &figures["functions"]), (&Value::from(30), &Value::from(1101)));
    let count = |share: &str| figures[share].as_u64().expect("a number");
    assert_eq!(count("resolved") + count("modelled") + count("unknown"), count("calls"));
    assert!(count("unknown") * 2 < count("calls"), "{figures}");
}
