//! A derivation as a tree of text. Deep parts become numbered sub-proofs, parts that were shown are named only, and
//! the whole stays within a number of lines.

use std::collections::VecDeque;
use std::fmt::Write;

use indexmap::IndexMap;
use textwrap::core::display_width;

use super::{Appearance, one_line};
use crate::verdict::Derivation;

/// Levels of a tree that are shown before a sub-proof starts: each costs three columns.
const LEVELS: usize = 9;
/// Lines that are shown at most.
const MOST_LINES: usize = 160;
/// Columns between a tuple and its rule.
const GAP: usize = 2;

/// The tree, its height, and a line end.
pub(super) fn text(derivation: &Derivation, appearance: Appearance) -> String {
    let mut tree = Tree::default();
    tree.grow(derivation);
    let mut text = aligned(&tree.lines, appearance.width);
    if tree.left_out {
        text.push_str("… the rest is left out; `--format json` has all\n");
    }
    let _ = writeln!(text, "derivation: height {}, checked", derivation.height());
    text
}

/// One line of a tree.
struct Line {
    /// The branches that lead to the tuple, on the line of the tuple and below it.
    branches: [String; 2],
    tuple: String,
    /// What gave the tuple.
    origin: String,
}

#[derive(Default)]
struct Tree<'d> {
    lines: Vec<Line>,
    /// Derived tuples that are shown with their premises.
    shown: IndexMap<(&'d str, &'d str), Vec<&'d Derivation>>,
    /// Sub-proofs that are announced and not shown yet.
    waiting: VecDeque<(usize, &'d Derivation)>,
    announced: usize,
    left_out: bool,
}

impl<'d> Tree<'d> {
    fn grow(&mut self, root: &'d Derivation) {
        self.node(root, "", ["", ""], 0);
        while let Some((number, sub_proof)) = self.waiting.pop_front() {
            self.lines.push(Line { branches: Default::default(), tuple: String::new(), origin: String::new() });
            self.node(sub_proof, &format!("[{number}] "), ["", ""], 0);
        }
    }

    fn node(&mut self, node: &'d Derivation, mark: &str, branches: [&str; 2], level: usize) {
        if self.lines.len() >= MOST_LINES {
            self.left_out = true;
            return;
        }
        let mut origin = origin_of(node);
        let is_leaf = node.premises.is_empty();
        let goes_on = if is_leaf {
            false
        } else if self.is_shown(node) {
            origin = "shown above".to_owned();
            false
        } else if level >= LEVELS {
            self.announced += 1;
            self.waiting.push_back((self.announced, node));
            origin = format!("see [{}]", self.announced);
            false
        } else {
            true
        };
        self.lines.push(Line {
            branches: branches.map(str::to_owned),
            tuple: format!("{mark}{}", words_of(node)),
            origin,
        });
        if goes_on {
            self.shown.entry((&node.tuple, &node.rule)).or_default().push(node);
            let last = node.premises.len().saturating_sub(1);
            for (index, premise) in node.premises.iter().enumerate() {
                let [fork, bar] = if index == last { ["└─ ", "   "] } else { ["├─ ", "│  "] };
                let below = branches[1];
                self.node(premise, "", [&format!("{below}{fork}"), &format!("{below}{bar}")], level + 1);
            }
        }
    }

    fn is_shown(&self, node: &Derivation) -> bool {
        let alike = self.shown.get(&(node.tuple.as_str(), node.rule.as_str()));
        alike.is_some_and(|alike| alike.contains(&node))
    }
}

fn words_of(node: &Derivation) -> String {
    let tuple = one_line(&node.tuple);
    match node.rule.as_str() {
        "fact" => format!("fact {tuple}"),
        "absent" => format!("not {tuple}"),
        _ => tuple,
    }
}

fn origin_of(node: &Derivation) -> String {
    match (node.rule.as_str(), &node.location) {
        ("fact", Some(location)) => format!("{}:{}", one_line(&location.file), location.line),
        ("fact", None) => String::new(),
        ("absent", _) => "no such tuple".to_owned(),
        (rule, _) => format!("[{}]", one_line(rule)),
    }
}

/// The lines with their origins in one column. A tuple that leaves no room beside it goes on in further lines.
fn aligned(lines: &[Line], width: usize) -> String {
    let widest = |text: fn(&Line) -> usize| lines.iter().map(text).max().unwrap_or(0);
    let origins = widest(|line| display_width(&line.origin));
    let tuples = widest(|line| display_width(&line.branches[0]) + display_width(&line.tuple));
    let column = tuples.min(width.saturating_sub(origins + GAP)).max(width / 2);
    let mut text = String::new();
    for line in lines {
        let room = column.saturating_sub(display_width(&line.branches[0])).max(16);
        let parts = textwrap::wrap(&line.tuple, textwrap::Options::new(room).subsequent_indent("  "));
        for (index, part) in parts.iter().enumerate() {
            let first = index == 0;
            let branches = &line.branches[usize::from(!first)];
            let written = format!("{branches}{part}");
            let padding = column.saturating_sub(display_width(&written)) + GAP;
            let origin = if first { line.origin.as_str() } else { "" };
            let _ = writeln!(text, "{}", format!("{written}{:padding$}{origin}", "").trim_end());
        }
    }
    text
}
