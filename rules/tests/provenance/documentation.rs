//! Rules as text.

use std::error::Error;

use crate::{colours, reachability};

#[test]
fn each_rule_is_documented_in_source_order() -> Result<(), Box<dyn Error>> {
    let documentation = reachability::program()?.documentation();
    let ids: Vec<&str> = documentation.iter().map(|rule| rule.id.as_str()).collect();
    assert_eq!(ids[..3], ["reach/edge", "reach/step", "reach/odd-edge"]);
    let step = &documentation[1];
    assert_eq!(step.sentence, "An edge before a path is a path.");
    assert_eq!(step.note, "Sound because paths can be put together.");
    assert_eq!(step.file, "reachability.rs");
    let line = include_str!("reachability.rs").lines().nth(step.line - 1);
    assert_eq!(line.map(str::trim), Some("Reach(x, z) <-"));
    Ok(())
}

#[test]
fn a_rule_reads_as_datalog_and_as_an_inference_rule() -> Result<(), Box<dyn Error>> {
    let documentation = colours::program()?.documentation();
    let of = |id: &str| documentation.iter().find(|rule| rule.id == id);
    let blend = of("colour/blend").ok_or("the rule is there")?;
    assert_eq!(
        blend.datalog,
        "Shade(y, d) ←
    Shade(x, c),
    Edge(x, y),
    Label(y, e),
    d = blend(c, e),
    is_warm(d),
    x ≠ y."
    );
    let white = of("colour/white").ok_or("the rule is there")?;
    assert_eq!(
        white.inference,
        "Shade(x, c)
Edge(x, y)
c ≠ Colour::WHITE
not Label(y, _)
─────────────────────── [colour/white]
Shade(y, Colour::WHITE)"
    );
    let always = of("colour/always").ok_or("the rule is there")?;
    assert_eq!(always.datalog, "Always(Colour::WHITE).");
    Ok(())
}
