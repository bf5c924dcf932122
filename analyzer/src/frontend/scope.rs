//! Scopes: which names a body binds, and which it takes from the bodies around it.
//!
//! Follows the language reference, section 4.2 (naming and binding). Comprehension variables are left to the
//! lowering of comprehensions, which are part of the body around them.

use std::collections::BTreeSet;

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{self as ast, Expr, Pattern, Stmt};

/// Names of one body, before they are resolved.
#[derive(Debug, Default)]
pub struct ScopeNames {
    /// Bound here: assigned, imported, defined, deleted, caught, captured.
    pub bound: BTreeSet<String>,
    pub globals: BTreeSet<String>,
    pub nonlocals: BTreeSet<String>,
    /// Used here or, free, in an inner body.
    pub used: BTreeSet<String>,
    /// Free in an inner function: what has to live in a cell if it is bound here.
    pub captured: BTreeSet<String>,
    /// `yield` stands in this body itself.
    pub yields: bool,
}

impl ScopeNames {
    /// Names of a module, class or function body without its parameters.
    pub fn of_body(body: &[Stmt]) -> Self {
        let mut collector = Collector::default();
        collector.visit_body(body);
        collector.names
    }

    /// Names of an expression that is a body of its own: a lambda's, or an element of a generator expression.
    pub fn of_expressions<'a>(expressions: impl IntoIterator<Item = &'a Expr>) -> Self {
        let mut collector = Collector::default();
        expressions.into_iter().for_each(|expression| collector.visit_expr(expression));
        collector.names
    }

    /// Adds the parameters to what is bound.
    pub fn bind_parameters(&mut self, parameters: &ast::Parameters) {
        for parameter in parameters {
            self.bound.insert(parameter.name().to_string());
        }
    }

    /// Names that this body takes from outside when it is a function.
    pub fn free(&self) -> impl Iterator<Item = &String> {
        self.used.union(&self.nonlocals).filter(|name| {
            !self.globals.contains(*name) && (self.nonlocals.contains(*name) || !self.bound.contains(*name))
        })
    }
}

#[derive(Default)]
struct Collector {
    names: ScopeNames,
    /// Variables of the comprehensions around the current expression.
    comprehension: Vec<BTreeSet<String>>,
}

impl Collector {
    fn bind(&mut self, name: &str) {
        self.names.bound.insert(name.to_owned());
    }

    fn inner(&mut self, inner: &ScopeNames, is_class: bool) {
        let free: Vec<String> = if is_class {
            // A class body looks names up in its namespace first and outside next, even those it binds.
            inner.used.iter().chain(&inner.captured).chain(&inner.nonlocals).cloned().collect()
        } else {
            inner.free().cloned().collect()
        };
        for name in free {
            self.names.captured.insert(name.clone());
            self.names.used.insert(name);
        }
    }

    fn function(&mut self, parameters: Option<&ast::Parameters>, names: ScopeNames) {
        let mut names = names;
        if let Some(parameters) = parameters {
            names.bind_parameters(parameters);
            for parameter in parameters.iter_non_variadic_params() {
                if let Some(default) = parameter.default() {
                    self.visit_expr(default);
                }
            }
            parameters.iter().filter_map(|parameter| parameter.annotation()).for_each(|part| self.visit_expr(part));
        }
        self.inner(&names, false);
    }

    fn comprehension(&mut self, elements: &[&Expr], generators: &[ast::Comprehension]) {
        self.comprehension.push(target_names(generators));
        for generator in generators {
            self.visit_expr(&generator.iter);
            generator.ifs.iter().for_each(|test| self.visit_expr(test));
        }
        elements.iter().for_each(|element| self.visit_expr(element));
        self.comprehension.pop();
    }
}

/// Names that the targets of a comprehension bind.
pub fn target_names(generators: &[ast::Comprehension]) -> BTreeSet<String> {
    let mut targets = Collector::default();
    generators.iter().for_each(|generator| targets.visit_expr(&generator.target));
    targets.names.bound
}

impl<'a> Visitor<'a> for Collector {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::FunctionDef(definition) => {
                self.bind(&definition.name);
                definition.decorator_list.iter().for_each(|decorator| self.visit_expr(&decorator.expression));
                definition.returns.iter().for_each(|annotation| self.visit_expr(annotation));
                self.function(Some(&definition.parameters), ScopeNames::of_body(&definition.body));
            }
            Stmt::ClassDef(definition) => {
                self.bind(&definition.name);
                definition.decorator_list.iter().for_each(|decorator| self.visit_expr(&decorator.expression));
                if let Some(arguments) = &definition.arguments {
                    self.visit_arguments(arguments);
                }
                self.inner(&ScopeNames::of_body(&definition.body), true);
            }
            Stmt::Global(global) => {
                self.names.globals.extend(global.names.iter().map(ToString::to_string));
            }
            Stmt::Nonlocal(nonlocal) => {
                self.names.nonlocals.extend(nonlocal.names.iter().map(ToString::to_string));
            }
            Stmt::Import(import) => import.names.iter().for_each(|alias| self.bind(imported_name(alias))),
            Stmt::ImportFrom(import) => {
                import
                    .names
                    .iter()
                    .filter(|alias| &*alias.name != "*")
                    .for_each(|alias| self.bind(imported_name(alias)));
            }
            Stmt::Try(attempt) => {
                for ast::ExceptHandler::ExceptHandler(handler) in &attempt.handlers {
                    if let Some(name) = &handler.name {
                        self.bind(name);
                    }
                }
                visitor::walk_stmt(self, statement);
            }
            Stmt::AnnAssign(assignment) => {
                self.visit_expr(&assignment.target);
                // In a function it is not evaluated: then its names are used for nothing.
                self.visit_expr(&assignment.annotation);
                if let Some(value) = &assignment.value {
                    self.visit_expr(value);
                }
            }
            Stmt::AugAssign(assignment) => {
                if let Expr::Name(name) = &*assignment.target {
                    self.names.used.insert(name.id.to_string());
                }
                visitor::walk_stmt(self, statement);
            }
            _ => visitor::walk_stmt(self, statement),
        }
    }

    fn visit_expr(&mut self, expression: &'a Expr) {
        match expression {
            Expr::Name(name) => {
                if self.comprehension.iter().any(|targets| targets.contains(name.id.as_str())) {
                    return;
                }
                if matches!(name.ctx, ast::ExprContext::Load) {
                    self.names.used.insert(name.id.to_string());
                } else {
                    self.bind(&name.id);
                }
            }
            Expr::Lambda(lambda) => {
                let names = ScopeNames::of_expressions([&*lambda.body]);
                self.function(lambda.parameters.as_deref(), names);
            }
            Expr::ListComp(ast::ExprListComp { elt, generators, .. })
            | Expr::SetComp(ast::ExprSetComp { elt, generators, .. }) => self.comprehension(&[elt], generators),
            Expr::DictComp(ast::ExprDictComp { key, value, generators, .. }) => {
                let elements: Vec<&Expr> = key.as_deref().into_iter().chain([&**value]).collect();
                self.comprehension(&elements, generators);
            }
            Expr::Generator(generator) => {
                if let Some(first) = generator.generators.first() {
                    self.visit_expr(&first.iter);
                }
                self.inner(&generator_names(generator), false);
            }
            Expr::Yield(_) | Expr::YieldFrom(_) => {
                self.names.yields = true;
                visitor::walk_expr(self, expression);
            }
            _ => visitor::walk_expr(self, expression),
        }
    }

    fn visit_pattern(&mut self, pattern: &'a Pattern) {
        match pattern {
            Pattern::MatchAs(ast::PatternMatchAs { name: Some(name), .. })
            | Pattern::MatchStar(ast::PatternMatchStar { name: Some(name), .. })
            | Pattern::MatchMapping(ast::PatternMatchMapping { rest: Some(name), .. }) => self.bind(name),
            _ => {}
        }
        visitor::walk_pattern(self, pattern);
    }
}

/// Names of the body of a generator expression: all of it but the first iterable.
pub fn generator_names(generator: &ast::ExprGenerator) -> ScopeNames {
    let targets = generator.generators.iter().map(|part| &part.target);
    let tests = generator.generators.iter().flat_map(|part| &part.ifs);
    let iterables = generator.generators.iter().skip(1).map(|part| &part.iter);
    ScopeNames::of_expressions(targets.chain(tests).chain(iterables).chain([&*generator.elt]))
}

/// The name that an `import` binds: the alias, or the first part of the path.
pub fn imported_name(alias: &ast::Alias) -> &str {
    match &alias.asname {
        Some(name) => name,
        None => alias.name.split('.').next().unwrap_or_default(),
    }
}
