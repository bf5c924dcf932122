//! What the README shows works as it says.

use std::fs;
use std::path::Path;

use healguard_tests::{healcheck, report};
use serde_json::Value;

/// The text of each fenced block of the README with this language, in order.
fn blocks(readme: &str, language: &str) -> Vec<String> {
    let fences = readme.split("```").skip(1).step_by(2);
    fences.filter_map(|block| Some(block.strip_prefix(language)?.strip_prefix('\n')?.to_owned())).collect()
}

#[test]
fn the_example_of_protection_is_an_alarm_at_the_protected_operation() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join("README.md");
    let readme = fs::read_to_string(path).expect("the README is there");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [program, healing] = blocks(&readme, "python").try_into().expect("a program and a healing");
    let [protect] = blocks(&readme, "toml").try_into().expect("one `protect.toml`");
    for (name, text) in [("shop.py", program), ("heal.py", healing), ("protect.toml", protect)] {
        fs::write(folder.path().join(name), text).expect("the folder can be written");
    }
    healcheck(folder.path(), ["snapshot", "--", "python3", "shop.py"]).code(0);
    let call = ["check", "--repository", ".", "--crash", "crash.json", "--heal", "heal.py", "--format", "json"];
    let output = healcheck(folder.path(), call).code(1);
    let verdict: Value = serde_json::from_str(&report(&output)).expect("one JSON object");
    assert_eq!(verdict["verdict"], "alarm");
    assert_eq!(verdict["operations"][0]["name"], "shop.charge");
    assert_eq!(verdict["operations"][0]["verdict"], "alarm");
}
