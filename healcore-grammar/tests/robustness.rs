//! Any text is decided: no panic, no exhausted stack, and no refusal without a reason.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::snippets;
use healcore_grammar::{Bounds, Profile, validate};
use proptest::prelude::*;

/// Bounds under which the walk goes through everything, instead of stopping at the size of the text.
fn wide() -> Bounds {
    Bounds {
        source_bytes: usize::MAX,
        statements: usize::MAX,
        block_depth: usize::MAX,
        expression_depth: usize::MAX,
        comprehension_depth: usize::MAX,
        loop_depth: usize::MAX,
        rejections: 2000,
        ..Bounds::VERSION_1
    }
}

/// Decides a text under ordinary and wide bounds; both refusals must give reasons that lie inside the text.
fn decide(source: &str) {
    for bounds in [Bounds::VERSION_1, wide()] {
        if let Err(rejections) = validate(source, &Profile::core().with_bounds(bounds)) {
            assert!(!rejections.is_empty());
            for rejection in rejections {
                let inside = source.get(rejection.range.to_std_range()).is_some();
                assert!(inside && rejection.line >= 1 && rejection.column >= 1, "{rejection:?}");
                assert!(
                    (rejection.line, rejection.column) <= (rejection.end_line, rejection.end_column),
                    "{rejection:?}"
                );
                assert!(!rejection.message.is_empty() && !rejection.help.is_empty());
            }
        }
    }
}

fn python_files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() && !path.is_symlink() {
            if path.file_name().is_some_and(|name| name != "site-packages") {
                python_files(&path, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "py") {
            found.push(path);
        }
    }
}

#[test]
fn every_file_of_the_standard_library_is_decided() {
    let program = "import sysconfig; print(sysconfig.get_paths()['stdlib'])";
    let output = Command::new("python3").args(["-c", program]).output().expect("python3 runs");
    let folder = String::from_utf8(output.stdout).expect("a path");
    let mut files = Vec::new();
    python_files(Path::new(folder.trim()), &mut files);
    assert!(files.len() > 100, "only {} files in {folder}", files.len());
    for file in files {
        let bytes = std::fs::read(&file).expect("a readable file");
        decide(&String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn every_prefix_of_the_tables_is_decided() {
    let tables = [include_str!("ordinary.md"), include_str!("hostile.md")];
    for snippet in tables.into_iter().flat_map(snippets::read) {
        for (end, _) in snippet.source.char_indices() {
            decide(&snippet.source[..end]);
        }
    }
}

/// Texts made of the pieces that grammars trip over.
fn pieces() -> impl Strategy<Value = String> {
    let piece = proptest::sample::select(vec![
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ":",
        ",",
        ".",
        "=",
        ":=",
        "*",
        "**",
        "-",
        "~",
        "not ",
        "if ",
        "else ",
        "for ",
        "in ",
        "lambda ",
        "f'",
        "f\"\"\"",
        "'",
        "\"",
        "\\",
        "\n",
        "\n    ",
        "\n\t",
        ";",
        "@",
        "->",
        "!",
        "%",
        "$",
        "?",
        "`",
        "_",
        "x",
        "é",
        "\u{FF3F}",
        "\u{202E}",
        "0x",
        "1e",
        "1_",
        "#",
        "\r",
        "\0",
        "async ",
        "await ",
        "yield ",
        "match x:",
        "case _:",
        "class A:",
        "def f():",
        "del ",
        "import ",
        "type ",
        "healed_return = ",
        "range(",
        "1 << ",
        "...",
        "t'{",
        "{{",
        "}}",
        "print ",
        "\u{FEFF}",
        "é\u{301}",
        "10 ** 9",
        "%s' % ",
    ]);
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_text_is_decided(source in any::<String>()) {
        decide(&source);
    }

    #[test]
    fn random_bytes_are_decided(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        decide(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn random_pieces_of_python_are_decided(source in pieces()) {
        decide(&source);
    }

    #[test]
    fn repeated_pieces_are_decided(start in pieces(), middle in pieces(), times in 1_usize..2000) {
        decide(&format!("{start}{}", middle.repeat(times)));
    }
}
