//! The printer: one canonical text for each accepted tree.
//!
//! Parsing what it prints gives the same tree again. It spells everything in the syntax of Python 3.11: strings in
//! double quotes, strings inside f-string fields in single quotes, parentheses only where the tree needs them.

mod expression;
mod literal;

use ruff_python_ast::{Expr, OperatorPrecedence, Stmt};

use crate::healing::Healing;

/// Prints a healing in canonical form: four spaces a block, one statement a line, a line feed after each.
pub fn print(healing: &Healing) -> String {
    let mut printer = Printer { source: healing.source(), text: String::new(), indent: 0, in_field: false };
    for statement in &healing.module().body {
        printer.statement(statement);
    }
    printer.text
}

struct Printer<'a> {
    source: &'a str,
    text: String,
    indent: usize,
    /// Inside the field of an f-string, where double quotes would end it.
    in_field: bool,
}

impl Printer<'_> {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Pushes `items` with commas between them.
    fn list<T>(&mut self, items: &[T], mut item: impl FnMut(&mut Self, &T)) {
        for (position, element) in items.iter().enumerate() {
            if position > 0 {
                self.push(", ");
            }
            item(self, element);
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        self.line_start();
        match statement {
            Stmt::Assign(assign) => {
                for target in &assign.targets {
                    self.expression(target, OperatorPrecedence::None);
                    self.push(" = ");
                }
                self.expression(&assign.value, OperatorPrecedence::None);
            }
            Stmt::AugAssign(assign) => {
                self.expression(&assign.target, OperatorPrecedence::None);
                self.push(" ");
                self.push(assign.op.as_str());
                self.push("= ");
                self.expression(&assign.value, OperatorPrecedence::None);
            }
            Stmt::Delete(delete) => {
                self.push("del ");
                self.list(&delete.targets, |printer, target| printer.expression(target, OperatorPrecedence::None));
            }
            Stmt::Expr(expression) => self.expression(&expression.value, OperatorPrecedence::None),
            Stmt::Pass(_) => self.push("pass"),
            Stmt::Break(_) => self.push("break"),
            Stmt::Continue(_) => self.push("continue"),
            Stmt::If(conditional) => {
                self.push("if ");
                self.condition(&conditional.test, &conditional.body);
                for clause in &conditional.elif_else_clauses {
                    self.line_start();
                    match &clause.test {
                        Some(test) => {
                            self.push("elif ");
                            self.condition(test, &clause.body);
                        }
                        None => {
                            self.push("else:");
                            self.block(&clause.body);
                        }
                    }
                }
                return;
            }
            Stmt::For(repeat) => {
                self.push("for ");
                self.expression(&repeat.target, OperatorPrecedence::None);
                self.push(" in ");
                self.condition(&repeat.iter, &repeat.body);
                if !repeat.orelse.is_empty() {
                    self.line_start();
                    self.push("else:");
                    self.block(&repeat.orelse);
                }
                return;
            }
            // Not HealCore, so that no healing holds it; its own text is the closest to printing it.
            Stmt::FunctionDef(_)
            | Stmt::ClassDef(_)
            | Stmt::Return(_)
            | Stmt::TypeAlias(_)
            | Stmt::AnnAssign(_)
            | Stmt::While(_)
            | Stmt::With(_)
            | Stmt::Match(_)
            | Stmt::Raise(_)
            | Stmt::Try(_)
            | Stmt::Assert(_)
            | Stmt::Import(_)
            | Stmt::ImportFrom(_)
            | Stmt::Global(_)
            | Stmt::Nonlocal(_)
            | Stmt::IpyEscapeCommand(_) => self.verbatim(statement),
        }
        self.push("\n");
    }

    fn line_start(&mut self) {
        for _ in 0..self.indent {
            self.push("    ");
        }
    }

    /// The rest of a header line, and its block.
    fn condition(&mut self, expression: &Expr, body: &[Stmt]) {
        self.expression(expression, OperatorPrecedence::None);
        self.push(":");
        self.block(body);
    }

    fn block(&mut self, body: &[Stmt]) {
        self.push("\n");
        self.indent += 1;
        body.iter().for_each(|statement| self.statement(statement));
        self.indent -= 1;
    }

    fn verbatim(&mut self, node: impl ruff_text_size::Ranged) {
        let source = self.source;
        self.push(source.get(node.range().to_std_range()).unwrap_or_default());
    }
}
