//! What the reader of rule files understands, and what it says about the rest.

use std::error::Error;

use healguard_rules::program::{Premise, Problem, Program, RelationKind, Term};
use proptest::prelude::*;

use crate::{colours, reachability};

/// The relations that the snippets below may use.
const RELATIONS: &str = "use crepe::crepe;
crepe! {
    @input struct In(N, N);
    @input struct One(N);
    @output struct Out(N, N);
    struct Private(N);
";

/// The first line of a snippet in its file.
const FIRST: usize = 7;

/// The line, counted from the first of the snippet, and the problem found in it.
fn problem(snippet: &str) -> Result<(usize, Problem), Box<dyn Error>> {
    let error = Program::parse("rules.rs", &format!("{RELATIONS}{snippet}\n}}\n"))
        .err()
        .ok_or_else(|| format!("nothing wrong was found in {snippet}"))?;
    assert_eq!(error.file, "rules.rs");
    Ok((error.line - FIRST, error.problem))
}

/// The line and the message for what is wrong with a snippet.
fn message(snippet: &str) -> Result<(usize, String), Box<dyn Error>> {
    problem(snippet).map(|(line, problem)| (line, problem.to_string()))
}

#[test]
fn relations_are_read_with_kind_columns_and_documentation() -> Result<(), Box<dyn Error>> {
    let program = reachability::program()?;
    let edge = program.relation("Edge").ok_or("edge is declared")?;
    assert_eq!(edge.kind, RelationKind::Input);
    assert_eq!(edge.columns, ["Node", "Node"]);
    assert_eq!(edge.documentation, "`edge(x, y)`: an edge leads from `x` to `y`.");
    let line = include_str!("reachability.rs").lines().nth(edge.line - 1);
    assert_eq!(line.map(str::trim), Some("pub struct Edge(pub Node, pub Node);"));
    let reach = program.relation("Reach").ok_or("reach is declared")?;
    assert_eq!(reach.kind, RelationKind::Output);
    Ok(())
}

#[test]
fn rules_are_read_with_id_sentence_note_and_premises() -> Result<(), Box<dyn Error>> {
    let program = colours::program()?;
    let blend = program.rule("colour/blend").ok_or("the rule is there")?;
    assert_eq!(blend.variables, ["y", "d", "x", "c", "e"]);
    assert!(matches!(blend.body[3], Premise::Let { .. }));
    assert!(matches!(blend.body[4], Premise::Test { expected: true, .. }));
    assert!(matches!(blend.body[5], Premise::Compare { equal: false, .. }));
    let white = program.rule("colour/white").ok_or("the rule is there")?;
    assert!(matches!(white.head.terms[1], Term::Constant(_)));
    assert!(matches!(&white.body[3], Premise::Absent(atom) if atom.terms[1] == Term::Wildcard));
    let always = program.rule("colour/always").ok_or("the rule is there")?;
    assert!(always.body.is_empty());
    let step = reachability::program()?;
    let step = step.rule("reach/step").ok_or("the rule is there")?;
    assert_eq!(step.sentence, "An edge before a path is a path.");
    assert_eq!(step.note, "Sound because paths can be put together.");
    Ok(())
}

#[test]
fn a_sentence_and_a_note_may_take_several_lines() -> Result<(), Box<dyn Error>> {
    let source = format!(
        "{RELATIONS}
    // [a/b] A sentence that
    // goes on.
    // The note
    // goes on too.
    //
    // And has a second part.
    Out(x, y) <- In(x, y);
}}"
    );
    let program = Program::parse("rules.rs", &source)?;
    let rule = &program.rules()[0];
    assert_eq!(rule.sentence, "A sentence that goes on.");
    assert_eq!(rule.note, "The note goes on too.\n\nAnd has a second part.");
    Ok(())
}

#[test]
fn code_in_strings_and_comments_is_not_taken_for_rules() -> Result<(), Box<dyn Error>> {
    let source = r###"
        /* crepe! { /* nested */ */ // crepe! {
        const A: &str = "crepe! { \" ";
        const B: &str = r#"crepe! { " "#;
        const C: char = '"'; const D: char = '\''; const E: u8 = b'{';
        fn f<'a>(r#type: &'a str) -> &'a str { r#type }
        crepe::crepe! {
            @input pub struct In(pub crate::Node, pub Option<(u8, u8)>,);
            @output #[derive(Debug, PartialOrd)] pub(crate) struct Out(pub(crate) Node);
            // [a/b] Text.
            Out(x) <- In(x, /* ignored */ _);
        }
    "###;
    let program = Program::parse("rules.rs", source)?;
    assert_eq!(program.relations()[0].columns, ["crate::Node", "Option<(u8,u8)>"]);
    assert_eq!(program.rules().len(), 1);
    Ok(())
}

#[test]
fn a_rule_needs_an_id_of_its_own() -> Result<(), Box<dyn Error>> {
    assert_eq!(problem("\nOut(x, y) <- In(x, y);")?, (1, Problem::MissingId));
    assert_eq!(problem("// [Upper/case] Not an id.\nOut(x, y) <- In(x, y);")?, (1, Problem::MissingId));
    assert_eq!(
        problem("// [a/b] T.\nOut(x, y) <- In(x, y);\n// [a/b] T.\nOut(x, y) <- In(y, x);")?,
        (2, Problem::DuplicateId { id: "a/b".to_owned(), file: "rules.rs".to_owned(), line: FIRST + 1 })
    );
    assert_eq!(
        message("// [a/b] T.\n// [a/c] T.\nOut(x, y) <- In(x, y);")?,
        (1, "a second id `a/c` before a rule, which already has `a/b`".to_owned())
    );
    assert_eq!(problem("// [a/b] T.")?, (0, Problem::OrphanId { id: "a/b".to_owned() }));
    assert_eq!(problem("// [a/b] T.\n@input struct More(N);")?, (0, Problem::OrphanId { id: "a/b".to_owned() }));
    assert_eq!(
        problem("// [a/b] No full stop\nOut(x, y) <- In(x, y);")?,
        (0, Problem::MissingSentence { id: "a/b".to_owned() })
    );
    Ok(())
}

#[test]
fn relations_must_be_declared_once_and_used_as_declared() -> Result<(), Box<dyn Error>> {
    let cases = [
        ("\n@input struct In(N);", 1, "the relation `In` is already declared at rules.rs:3"),
        (
            "@input struct Wide(N, N, N, N, N, N, N, N, N);",
            0,
            "the relation `Wide` has 9 columns, at most 8 are supported",
        ),
        ("// [a/b] T.\nOut(x, y) <- \n Un(x, y);", 2, "there is no relation `Un`"),
        ("// [a/b] T.\nOut(x, y) <-\n In(x, y),\n One(x, y);", 3, "`One` has 1 columns, not 2"),
        ("// [a/b] T.\nOut(x) <- In(x, y);", 1, "`Out` has 2 columns, not 1"),
        ("// [a/b] T.\nOne(x) <- In(x, y);", 1, "`One` is an input, no rule may derive it"),
    ];
    for (snippet, line, text) in cases {
        assert_eq!(message(snippet)?, (line, text.to_owned()), "{snippet}");
    }
    Ok(())
}

#[test]
fn variables_must_be_bound_before_they_are_read() -> Result<(), Box<dyn Error>> {
    let cases = [
        ("Out(x, z) <- In(x, y);", "z"),
        ("Out(x, y) <- !One(x), In(x, y);", "x"),
        ("Out(x, y) <- (f(x)), In(x, y);", "x"),
        ("Out(x, y) <- (x == y), In(x, y);", "x"),
        ("Out(x, y) <- One(x), let y = f(x, z);", "z"),
        ("Out(x, y) <- One(x), let z = f(z);", "z"),
        ("Out(x, x) <- One(x), !In(x, w);", "w"),
    ];
    for (rule, variable) in cases {
        let variable = variable.to_owned();
        let found = problem(&format!("// [a/b] T.\n{rule}"))?;
        assert_eq!(found, (1, Problem::Unbound { variable }), "{rule}");
    }
    let hidden = problem("// [a/b] T.\nOut(x, y) <- In(x, y), let y = f(x);")?;
    let variable = "y".to_owned();
    assert_eq!(hidden, (1, Problem::Rebound { variable }));
    Ok(())
}

#[test]
fn a_wildcard_stands_for_no_value() -> Result<(), Box<dyn Error>> {
    for rule in [
        "Out(x, _) <- One(x);",
        "Out(x, y) <- In(x, y), (f(_));",
        "Out(x, y) <- In(x, y), (x == _);",
        "Out(x, y) <- One(x), let y = f(_);",
    ] {
        let found = problem(&format!("// [a/b] T.\n{rule}"))?;
        assert_eq!(found, (1, Problem::Wildcard), "{rule}");
    }
    Ok(())
}

#[test]
fn what_crepe_knows_and_rules_do_not_is_refused() -> Result<(), Box<dyn Error>> {
    let cases = [
        ("Out(x, y) <- One(x), for y in 0..3;", "`for` is not supported"),
        ("Out(x, 1) <- One(x);", "literals are not supported"),
        ("Out(x, true) <- One(x);", "literals are not supported"),
        ("Out(x, x) <- (true);", "literals are not supported"),
        ("Out(x, y) <- In(x, y), (x < y);", "expected `(`, `==` or `!=`, found `<`"),
        ("Out(x, y) <- In(x, y), (f(x) == y);", "expected `)` after one test"),
        ("Out(x, y) <- In(x, y), (x.is_some());", "expected `(`, `==` or `!=`, found `.`"),
        ("Out(x, y) <- In(x, f(y));", "expected `,` or `)`"),
        ("Out(x, y) <- In(x, ref y);", "expected a variable, `_` or a constant"),
        ("Out(x, y) <- In(x, Some(y));", "expected `,` or `)`"),
        ("Out(x, y) <- One(x), let Some(y) = f(x);", "patterns are not supported"),
        ("Out(x, y) <- One(x), let y = x + x;", "expected `(`, found `+`"),
        ("Out(x, y), One(x) <- In(x, y);", "expected `<-` or `;`, found `,`"),
        ("Out(x, y) <- In(x, y),;", "expected a relation, found `;`"),
        ("Out(x, y) <- In(x, y)", "expected `,` or `;`, found the end of the block"),
        ("Out x;", "expected `(`, found `x`"),
    ];
    for (rule, text) in cases {
        let (line, found) = message(&format!("// [a/b] T.\n{rule}"))?;
        assert!(found.starts_with(text), "{rule}: {found}");
        // The one error at the end of the block is on the line of its brace.
        assert_eq!(line, if text.ends_with("block") { 2 } else { 1 }, "{rule}");
    }
    Ok(())
}

#[test]
fn bad_declarations_are_refused() -> Result<(), Box<dyn Error>> {
    let cases = [
        ("@goal struct A(N);", "expected `input` or `output`, found `goal`"),
        ("@input enum A {}", "expected `struct`, found `enum`"),
        ("@input struct A<'a>(&'a str);", "type parameters are not supported"),
        ("@input struct A { x: N }", "expected `(`, found `{`"),
        ("@input struct A(N)\n", "expected `;`"),
        ("@input struct A(, N);", "expected the type of a column, found `,`"),
    ];
    for (snippet, text) in cases {
        let (_, found) = message(snippet)?;
        assert!(found.starts_with(text), "{snippet}: {found}");
    }
    Ok(())
}

#[test]
fn a_function_has_one_number_of_arguments() -> Result<(), Box<dyn Error>> {
    let snippet = "// [a/b] T.\nOut(x, y) <- In(x, y), (f(x)),\n (f(x, y));";
    let expected = Problem::FunctionArity { function: "f".to_owned(), expected: 1, line: FIRST + 1, found: 2 };
    assert_eq!(problem(snippet)?, (2, expected));
    Ok(())
}

#[test]
fn negation_must_be_stratified() -> Result<(), Box<dyn Error>> {
    let snippet = "// [a/b] T.
        Private(x) <- One(x), Out(x, x);
        // [a/c] T.
        Out(x, y) <- In(x, y), !Private(x);";
    let expected = Problem::NotStratified { relation: "Private".to_owned(), head: "Out".to_owned() };
    assert_eq!(problem(snippet)?, (3, expected));
    Ok(())
}

#[test]
fn a_file_has_exactly_one_block() {
    let outcome = |source: &str| Program::parse("f", source).map_err(|e| (e.line, e.problem));
    let none = outcome("fn main() {}\n// crepe! {}\n");
    assert_eq!(none.err(), Some((2, Problem::NoProgram)));
    let two = outcome("crepe! {}\n\ncrepe! {}");
    assert_eq!(two.err(), Some((3, Problem::SeveralPrograms { first: 1 })));
    let open = outcome("\ncrepe! { ( }");
    let what = "`crepe!` block";
    assert_eq!(open.err(), Some((2, Problem::Unterminated { what })));
    let text = outcome("\nlet a = \"");
    let what = "literal";
    assert_eq!(text.err(), Some((2, Problem::Unterminated { what })));
    let comment = outcome("\n/* /* */");
    let what = "comment";
    assert_eq!(comment.err(), Some((2, Problem::Unterminated { what })));
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,80}") {
        // What is asserted is that this returns.
        let _ = Program::parse("any", &text);
        let _ = Program::parse("any", &format!("{RELATIONS}{text}}}"));
    }

    #[test]
    fn any_mix_of_pieces_is_read_or_refused(
        pieces in proptest::collection::vec(
            proptest::sample::select(vec![
                "crepe! {", "}", "(", ")", "@input", "@output", "pub", "struct", "In", "Out", "x",
                "y", "_", "<-", ",", ";", "!", "==", "!=", "let", "=", "// [a/b] T.\n", "/// d\n",
                "#[", "]", "A::B", "::", "'a", "'", "\"", "r#\"", "/*", "*/", "1", "é", "\n",
            ]),
            0..40,
        ),
    ) {
        let text = pieces.join(" ");
        let _ = Program::parse("any", &text);
        let _ = Program::parse("any", &format!("{RELATIONS}{text}}}"));
    }

    #[test]
    fn a_rule_file_cut_anywhere_is_read_or_refused(cut in 0..4000_usize) {
        let text: String = include_str!("colours.rs").chars().take(cut).collect();
        let _ = Program::parse("cut", &text);
    }
}
