//! Statements.

use ruff_python_ast::{
    Expr, Operator, Stmt, StmtAssign, StmtAugAssign, StmtClassDef, StmtFor, StmtFunctionDef, StmtIf, StmtImportFrom,
};
use ruff_text_size::{Ranged, TextRange, TextSize};

use super::{Loop, Use, Validator};
use crate::code::Code;
use crate::healing::{HEALED_RETURN, ObligationKind};

impl Validator<'_> {
    /// The whole program. Only its last statement may assign `healed_return`.
    pub(super) fn program(&mut self, body: &[Stmt]) {
        let Some((last, before)) = body.split_last() else { return };
        for statement in before {
            self.statement(statement);
        }
        match last {
            Stmt::Assign(assign) if assigns_healed_return(assign) => {
                self.count_statement(last);
                self.expression(&assign.value, Use::Assigned);
            }
            _ => self.statement(last),
        }
    }

    /// The statements of a block inside another one.
    fn block(&mut self, body: &[Stmt]) {
        self.block_depth += 1;
        if self.block_depth > self.bounds().block_depth {
            let message = format!("blocks are nested more than {} deep", self.bounds().block_depth);
            if let Some(first) = body.first() {
                self.reject(Code::BlocksTooDeep, self.header(first), message);
            }
        } else {
            for statement in body {
                self.statement(statement);
            }
        }
        self.block_depth -= 1;
    }

    fn count_statement(&mut self, statement: &Stmt) {
        self.statements += 1;
        if self.statements == self.bounds().statements.saturating_add(1) {
            let message = format!("the healing has more than {} statements", self.bounds().statements);
            self.reject(Code::TooManyStatements, self.header(statement), message);
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        if self.findings.is_full() {
            return;
        }
        self.count_statement(statement);
        let header = self.header(statement);
        match statement {
            Stmt::Assign(assign) => self.assign(assign),
            Stmt::AugAssign(assign) => self.augmented_assign(assign),
            Stmt::Delete(delete) => delete.targets.iter().for_each(|target| self.deletion(target)),
            Stmt::If(conditional) => self.conditional(conditional),
            Stmt::For(repeat) => self.repeat(repeat, header),
            Stmt::Expr(expression) => self.effect(&expression.value),
            Stmt::Pass(_) => {}
            Stmt::Break(_) | Stmt::Continue(_) => {
                if self.loops.is_empty() {
                    self.reject(Code::OutsideLoop, header, "no loop encloses this statement");
                }
            }
            Stmt::FunctionDef(function) => self.function_definition(function, header),
            Stmt::ClassDef(class) => self.class_definition(class, header),
            Stmt::Import(_) => self.reject(Code::Import, header, "a healing imports nothing"),
            Stmt::ImportFrom(import) => self.import_from(import, header),
            Stmt::While(repeat) => {
                self.reject(Code::While, header, "`while` has no bound on its iterations");
                self.expression(&repeat.test, Use::Value);
                self.foreign_loop(&repeat.body);
                self.block(&repeat.orelse);
            }
            Stmt::Try(attempt) => {
                self.reject(Code::Try, header, "a healing handles no exceptions");
                self.block(&attempt.body);
                for ruff_python_ast::ExceptHandler::ExceptHandler(handler) in &attempt.handlers {
                    self.block(&handler.body);
                }
                self.block(&attempt.orelse);
                self.block(&attempt.finalbody);
            }
            Stmt::With(with) => {
                self.reject(Code::With, header, "a healing enters no context managers");
                if with.is_async {
                    self.reject(Code::Async, header, "a healing runs synchronously");
                }
                with.items.iter().for_each(|item| self.expression(&item.context_expr, Use::Value));
                self.block(&with.body);
            }
            Stmt::Match(choice) => {
                self.reject(Code::Match, header, "`match` calls methods of the classes it names");
                self.expression(&choice.subject, Use::Value);
                choice.cases.iter().for_each(|case| self.block(&case.body));
            }
            Stmt::Raise(_) => self.reject(Code::Raise, header, "a healing raises nothing"),
            Stmt::Assert(assert) => {
                self.reject(Code::Assert, header, "`assert` raises, or vanishes under `-O`");
                self.expression(&assert.test, Use::Value);
            }
            Stmt::Return(_) => self.reject(Code::Return, header, "a healing is not a function"),
            Stmt::Global(_) => self.reject(Code::Global, header, "a healing declares no scopes"),
            Stmt::Nonlocal(_) => self.reject(Code::Nonlocal, header, "a healing declares no scopes"),
            Stmt::TypeAlias(_) => self.reject(Code::TypeParameters, header, "a healing defines no types"),
            Stmt::AnnAssign(assign) => {
                self.reject(Code::Annotation, &*assign.annotation, "an annotation is evaluated and has no use here");
                self.target(&assign.target);
                if let Some(value) = &assign.value {
                    self.expression(value, Use::Assigned);
                }
            }
            Stmt::IpyEscapeCommand(_) => self.reject(Code::Syntax, header, "not valid Python: an escape command"),
        }
    }

    fn assign(&mut self, assign: &StmtAssign) {
        let usage = if assign.targets.len() == 1 { Use::Assigned } else { Use::Value };
        self.expression(&assign.value, usage);
        for target in &assign.targets {
            self.target(target);
            self.self_growth(target, &assign.value, 2);
            if let Expr::Subscript(item) = target
                && item.slice.is_slice_expr()
            {
                self.grows_iterated(&item.value, assign.range());
            }
        }
        let fact = self.fact(&assign.value);
        assign.targets.iter().for_each(|target| match target {
            Expr::Name(name) => self.facts.bind(name.id.as_str(), fact),
            other => self.facts.forget_target(other),
        });
    }

    fn augmented_assign(&mut self, assign: &StmtAugAssign) {
        self.expression(&assign.value, Use::Value);
        match &*assign.target {
            Expr::Name(_) | Expr::Attribute(_) | Expr::Subscript(_) => self.target(&assign.target),
            other => self.reject(Code::AssignmentTarget, other, "this cannot be assigned to"),
        }
        self.operation(&assign.target, assign.op, &assign.value, assign.range());
        if matches!(assign.op, Operator::Add | Operator::Mult) {
            self.self_growth(&assign.target, &assign.value, 1);
            self.grows_iterated(&assign.target, assign.range());
        }
        self.facts.forget_target(&assign.target);
    }

    fn deletion(&mut self, target: &Expr) {
        match target {
            Expr::Name(_) | Expr::Attribute(_) | Expr::Subscript(_) => {
                self.target(target);
                self.facts.forget_target(target);
            }
            other => self.reject(Code::DeletionTarget, other, "only a name, an attribute or an item can be deleted"),
        }
    }

    fn conditional(&mut self, conditional: &StmtIf) {
        self.expression(&conditional.test, Use::Value);
        let before = self.facts.clone();
        self.block(&conditional.body);
        let mut after = std::mem::replace(&mut self.facts, before.clone());
        let mut exhaustive = false;
        for clause in &conditional.elif_else_clauses {
            match &clause.test {
                Some(test) => self.expression(test, Use::Value),
                None => exhaustive = true,
            }
            self.block(&clause.body);
            after.join(&std::mem::replace(&mut self.facts, before.clone()));
        }
        if !exhaustive {
            after.join(&before);
        }
        self.facts = after;
    }

    fn repeat(&mut self, repeat: &StmtFor, header: TextRange) {
        if repeat.is_async {
            self.reject(Code::Async, header, "a healing runs synchronously");
        }
        self.loop_target(&repeat.target, Code::LoopTarget);
        self.expression(&repeat.iter, Use::Consumed);
        let entered = self.enter_loop(&repeat.iter, header);
        self.loops.push(entered);
        self.forget_bound(&repeat.body);
        self.bind_loop(&repeat.target, &repeat.iter);
        self.block(&repeat.body);
        self.forget_bound(&repeat.body);
        self.facts.forget_target(&repeat.target);
        self.loops.pop();
        self.block(&repeat.orelse);
        self.forget_bound(&repeat.orelse);
    }

    /// The body of a loop that is refused itself: `break` in it is no further defect.
    fn foreign_loop(&mut self, body: &[Stmt]) {
        self.loops.push(Loop { iterations: None, iterated: None });
        self.forget_bound(body);
        self.block(body);
        self.forget_bound(body);
        self.loops.pop();
    }

    /// Forgets what is known of the names that a block may bind, because it may run again or not at all.
    fn forget_bound(&mut self, body: &[Stmt]) {
        for statement in body {
            match statement {
                Stmt::Assign(assign) => assign.targets.iter().for_each(|target| self.facts.forget_target(target)),
                Stmt::AugAssign(assign) => self.facts.forget_target(&assign.target),
                Stmt::AnnAssign(assign) => self.facts.forget_target(&assign.target),
                Stmt::Delete(delete) => delete.targets.iter().for_each(|target| self.facts.forget_target(target)),
                Stmt::For(repeat) => {
                    self.facts.forget_target(&repeat.target);
                    self.forget_bound(&repeat.body);
                    self.forget_bound(&repeat.orelse);
                }
                Stmt::If(conditional) => {
                    self.forget_bound(&conditional.body);
                    conditional.elif_else_clauses.iter().for_each(|clause| self.forget_bound(&clause.body));
                }
                // The program is refused for every other statement with a body, so facts no longer matter.
                _ => {}
            }
        }
    }

    /// An expression as a statement: a call that changes something.
    fn effect(&mut self, expression: &Expr) {
        if matches!(expression, Expr::Call(_) | Expr::Await(_) | Expr::Yield(_) | Expr::YieldFrom(_)) {
            self.expression(expression, Use::Statement);
        } else {
            self.reject(Code::NoEffect, expression, "the value is not used");
            self.expression(expression, Use::Value);
        }
    }

    fn function_definition(&mut self, function: &StmtFunctionDef, header: TextRange) {
        self.reject(Code::FunctionDefinition, header, format!("a healing defines no functions: `{}`", function.name));
        if function.is_async {
            self.reject(Code::Async, header, "a healing runs synchronously");
        }
        if let Some(parameters) = &function.type_params {
            self.reject(Code::TypeParameters, &**parameters, "a healing defines no types");
        }
        if let Some(parameter) = function.parameters.posonlyargs.first() {
            self.reject(Code::PositionalOnly, parameter, "a healing declares no parameters");
        }
        for decorator in &function.decorator_list {
            self.reject(Code::Decorator, decorator, "a decorator is a call");
        }
    }

    fn class_definition(&mut self, class: &StmtClassDef, header: TextRange) {
        self.reject(Code::ClassDefinition, header, format!("a healing defines no classes: `{}`", class.name));
        if let Some(parameters) = &class.type_params {
            self.reject(Code::TypeParameters, &**parameters, "a healing defines no types");
        }
        for decorator in &class.decorator_list {
            self.reject(Code::Decorator, decorator, "a decorator is a call");
        }
    }

    fn import_from(&mut self, import: &StmtImportFrom, header: TextRange) {
        let code =
            if import.names.iter().any(|alias| alias.name.as_str() == "*") { Code::StarImport } else { Code::Import };
        self.reject(code, header, "a healing imports nothing");
    }

    /// A loop over `iterable`, checked for its length alone and together with the loops around it.
    pub(super) fn enter_loop(&mut self, iterable: &Expr, range: impl Ranged) -> Loop {
        let iterations = self.iterations(iterable);
        let together =
            self.loops.iter().filter_map(|outer| outer.iterations).fold(iterations.unwrap_or(1), u64::saturating_mul);
        if iterations.is_none() {
            self.oblige(ObligationKind::Iterations, iterable);
        }
        if self.loops.len() >= self.bounds().loop_depth {
            let message = format!("loops are nested more than {} deep", self.bounds().loop_depth);
            self.reject(Code::LoopsTooDeep, range, message);
        } else if together > self.bounds().loop_iterations && !self.loops.is_empty() {
            self.reject(Code::LoopsTooDeep, range, format!("these loops run {together} times together"));
        }
        Loop { iterations, iterated: self.iterated_place(iterable) }
    }

    pub(super) fn bind_loop(&mut self, target: &Expr, iterable: &Expr) {
        let profile = self.profile;
        let hidden = |name: &str| profile.hides(name);
        let calls = self.calls(&hidden);
        self.facts.bind_loop(target, iterable, calls);
    }

    /// The first line of a statement, which is what a rejection of the statement points at.
    fn header(&self, statement: &Stmt) -> TextRange {
        let range = statement.range();
        let line = self.text(range).lines().next().unwrap_or_default();
        TextSize::try_from(line.len()).map_or(range, |length| TextRange::at(range.start(), length))
    }
}

fn assigns_healed_return(assign: &StmtAssign) -> bool {
    matches!(assign.targets.as_slice(), [Expr::Name(name)] if name.id.as_str() == HEALED_RETURN)
}
