//! What the source itself says about protection: decorators and comments.

use ruff_python_ast::token::{TokenKind, Tokens};
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{self as ast, Expr, Stmt};
use ruff_text_size::Ranged;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{MarkedArgument, Marking};

/// What the comments and imports of a file say, by which its marks are found.
#[derive(Default)]
pub(super) struct FileMarks {
    /// Lines (from 1) that end in `# healguard: protected`.
    pub protected_lines: FxHashSet<u32>,
    /// Lines that end in `# healguard: endorses`.
    endorsing_lines: FxHashSet<u32>,
    /// Names under which the file imported the package, or something of it, with what they mean.
    imported: FxHashMap<String, String>,
    /// Whether the file mentions the package.
    mentions: bool,
}

impl FileMarks {
    /// What the comments say.
    pub fn of_comments(source: &str, tokens: &Tokens) -> Self {
        if !source.contains(PACKAGE) {
            return FileMarks::default();
        }
        let lines = |word: &str| {
            let comments = tokens.iter().filter(|token| token.kind() == TokenKind::Comment);
            let marked = comments.filter(|token| comment_says(&source[token.range()], word));
            marked.map(|token| source[..token.start().to_usize()].matches('\n').count() as u32 + 1).collect()
        };
        FileMarks {
            protected_lines: lines("protected"),
            endorsing_lines: lines("endorses"),
            mentions: true,
            ..FileMarks::default()
        }
    }

    /// And what the imports at the top level of the file say.
    pub fn with_imports(mut self, suite: &[Stmt]) -> Self {
        if self.mentions {
            let mut imports = Imports::default();
            imports.visit_body(suite);
            self.imported = imports.0;
        }
        self
    }

    /// Markings of a function or class: its decorators, and a comment at the end of the first or the last line of its header.
    pub fn of_definition(&self, decorators: &[ast::Decorator], header: [u32; 2]) -> Vec<Marking> {
        let decorators = decorators.iter().filter_map(|decorator| self.of_decorator(&decorator.expression));
        let ends_in = |lines: &FxHashSet<u32>| header.iter().any(|line| lines.contains(line));
        let protects = ends_in(&self.protected_lines).then(protected);
        let endorses = ends_in(&self.endorsing_lines).then_some(Marking::Endorses { guards: false });
        decorators.chain(protects).chain(endorses).collect()
    }

    fn of_decorator(&self, expression: &Expr) -> Option<Marking> {
        let (function, keywords): (&Expr, &[ast::Keyword]) = match expression {
            Expr::Call(call) => (&call.func, &call.arguments.keywords),
            other => (other, &[]),
        };
        let name = self.meaning(&dotted(function)?);
        let last = name.rsplit('.').next();
        let is_own = name.split('.').next() == Some(PACKAGE);
        match last {
            // Whatever a file that mentions the package calls so: too many marks only protect more.
            Some("protected") if self.mentions => Some(keywords.iter().fold(protected(), with_keyword)),
            // An endorsement counts only where it certainly is one.
            Some("endorses") if is_own => {
                let guards = keywords.iter().any(|keyword| {
                    keyword.arg.as_deref() == Some("mode") && string(&keyword.value).as_deref() == Some("guards")
                });
                Some(Marking::Endorses { guards })
            }
            _ => None,
        }
    }

    /// A dotted name with what its first part was imported as.
    fn meaning(&self, name: &str) -> String {
        let (first, rest) = name.split_once('.').map_or((name, None), |(first, rest)| (first, Some(rest)));
        let first = self.imported.get(first).map_or(first, String::as_str);
        rest.map_or_else(|| first.to_owned(), |rest| format!("{first}.{rest}"))
    }
}

/// The package of the marks.
const PACKAGE: &str = "healguard";

/// Imports from the package at the top level of a file, conditional ones too.
#[derive(Default)]
struct Imports(FxHashMap<String, String>);

impl<'a> Visitor<'a> for Imports {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::Import(import) => {
                for alias in &import.names {
                    if let (PACKAGE, Some(name)) = (alias.name.split('.').next().unwrap_or_default(), &alias.asname) {
                        self.0.insert(name.to_string(), alias.name.to_string());
                    }
                }
            }
            Stmt::ImportFrom(import) if import.level == 0 => {
                let Some(module) = import.module.as_ref().filter(|module| module.split('.').next() == Some(PACKAGE))
                else {
                    return;
                };
                for alias in &import.names {
                    let name = alias.asname.as_ref().unwrap_or(&alias.name);
                    self.0.insert(name.to_string(), format!("{module}.{}", alias.name));
                }
            }
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => {}
            _ => visitor::walk_stmt(self, statement),
        }
    }
}

fn comment_says(comment: &str, word: &str) -> bool {
    let text = comment.trim_start_matches('#').trim();
    text.strip_prefix("healguard:").is_some_and(|said| said.trim() == word)
}

fn protected() -> Marking {
    Marking::Protected { arguments: None, receiver: true, reads: None, reason: String::new() }
}

fn with_keyword(marking: Marking, keyword: &ast::Keyword) -> Marking {
    let Marking::Protected { mut arguments, mut receiver, mut reads, mut reason } = marking else { return marking };
    match (keyword.arg.as_deref(), &keyword.value) {
        (Some("arguments"), Expr::List(ast::ExprList { elts, .. }) | Expr::Tuple(ast::ExprTuple { elts, .. })) => {
            let listed: Option<Vec<MarkedArgument>> = elts.iter().map(argument).collect();
            // An entry that cannot be read leaves every argument watched.
            arguments = listed;
        }
        (Some("receiver"), Expr::BooleanLiteral(boolean)) => receiver = boolean.value,
        (Some("reads"), Expr::BooleanLiteral(boolean)) => reads = Some(boolean.value),
        (Some("reason"), value) => reason = string(value).unwrap_or_default(),
        _ => {}
    }
    Marking::Protected { arguments, receiver, reads, reason }
}

fn argument(expression: &Expr) -> Option<MarkedArgument> {
    match expression {
        Expr::NumberLiteral(ast::ExprNumberLiteral { value: ast::Number::Int(int), .. }) => {
            int.to_string().parse().ok().map(MarkedArgument::Position)
        }
        other => string(other).map(MarkedArgument::Name),
    }
}

fn string(expression: &Expr) -> Option<String> {
    match expression {
        Expr::StringLiteral(text) => Some(text.value.to_str().to_owned()),
        _ => None,
    }
}

/// `a.b.c` as text, where the expression is just that.
pub(super) fn dotted(expression: &Expr) -> Option<String> {
    match expression {
        Expr::Name(name) => Some(name.id.to_string()),
        Expr::Attribute(attribute) => Some(format!("{}.{}", dotted(&attribute.value)?, attribute.attr)),
        Expr::Call(call) => dotted(&call.func),
        _ => None,
    }
}
