//! Statements to control flow.

use ruff_python_ast::{self as ast, Expr, Stmt};
use ruff_text_size::Ranged;

use crate::ir::{Argument, BodyKind, Callee, Constant, Kind, Name, NodeId, Passing, Slot, StatementId, Test};

use super::bodies::Lowering;
use super::builder::Unwind;
use super::{scope, span};

impl<'a> Lowering<'a> {
    pub fn lower_suite(&mut self, suite: &'a [Stmt]) {
        suite.iter().for_each(|statement| self.lower_statement(statement));
    }

    fn lower_statement(&mut self, statement: &'a Stmt) {
        let protected = self.is_protected_line(statement.range());
        let (id, outer) = self.here().begin_statement(span(statement), protected);
        self.lower_simple_or_compound(statement);
        self.here().end_statement(id, outer);
        if self.leaving == Some(span(statement)) {
            self.lower_leaving(id);
        }
    }

    /// A `return` in the place of a statement: what `finally` and `with` do on the way out.
    fn lower_leaving(&mut self, id: StatementId) {
        let behind = std::mem::take(&mut self.here().open);
        let entry = self.here().detached(Kind::Join);
        self.here().continue_at(entry);
        let returned = self.here().temporary();
        self.leave_for_return(returned);
        self.here().body.statements[id].leave = Some((entry, returned));
        self.here().open = behind;
    }

    fn lower_simple_or_compound(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::FunctionDef(definition) => self.lower_function(definition),
            Stmt::ClassDef(definition) => self.lower_class(definition),
            Stmt::Return(ast::StmtReturn { value, .. }) => {
                let src = self.optional(value.as_deref());
                self.leave_for_return(src);
            }
            Stmt::Delete(delete) => delete.targets.iter().for_each(|target| self.delete(target)),
            Stmt::TypeAlias(alias) => {
                let value = self.expression(&alias.value);
                self.assign(&alias.name, value);
            }
            Stmt::Assign(assignment) => {
                let slot = self.expression(&assignment.value);
                for target in &assignment.targets {
                    self.keep_answer(target, &assignment.value);
                    self.assign(target, slot);
                }
            }
            Stmt::AugAssign(assignment) => self.lower_augmented(assignment),
            Stmt::AnnAssign(assignment) => {
                if let Some(value) = &assignment.value {
                    let value = self.expression(value);
                    self.assign(&assignment.target, value);
                }
                // In a function they are not evaluated.
                if matches!(self.here().body.kind, BodyKind::Module | BodyKind::Class) {
                    self.annotation(&assignment.annotation);
                }
            }
            Stmt::For(iteration) => self.lower_for(iteration),
            Stmt::While(iteration) => self.lower_while(iteration),
            Stmt::If(choice) => self.lower_if(choice),
            Stmt::With(with) => self.lower_with(&with.items, &with.body, with.is_async),
            Stmt::Match(choice) => self.lower_match(choice),
            Stmt::Raise(raise) => {
                let parts = raise.exc.iter().chain(&raise.cause);
                let operands: Vec<Slot> = parts.map(|part| self.expression(part)).collect();
                self.raise(operands);
            }
            Stmt::Try(attempt) => self.lower_try(attempt),
            Stmt::Assert(assertion) => {
                let (holds, fails) = self.condition(&assertion.test);
                self.here().continue_at(fails);
                let operands: Vec<Slot> = assertion.msg.iter().map(|message| self.expression(message)).collect();
                self.leave_by(Kind::Raise { operands, asserts: true });
                self.here().continue_at(holds);
            }
            Stmt::Import(import) => import.names.iter().for_each(|alias| self.lower_import(alias)),
            Stmt::ImportFrom(import) => self.lower_import_from(import),
            Stmt::Expr(ast::StmtExpr { value, .. }) => {
                self.expression(value);
                self.guard_passed(value, None);
            }
            Stmt::Break(_) => self.leave_loop(true),
            Stmt::Continue(_) => self.leave_loop(false),
            Stmt::Global(_) | Stmt::Nonlocal(_) | Stmt::Pass(_) | Stmt::IpyEscapeCommand(_) => {}
        }
    }

    fn optional(&mut self, value: Option<&'a Expr>) -> Slot {
        match value {
            Some(value) => self.expression(value),
            None => self.here().value(|dst| Kind::Constant { dst, value: Constant::None }),
        }
    }

    fn raise(&mut self, operands: Vec<Slot>) {
        self.leave_by(Kind::Raise { operands, asserts: false });
    }

    fn leave_by(&mut self, raise: Kind) {
        let node = self.here().emit(raise);
        self.here().body.nodes[node].successors.clear();
        self.here().open.clear();
    }

    fn lower_augmented(&mut self, assignment: &'a ast::StmtAugAssign) {
        let operator = in_place(assignment.op);
        let outer = self.here().at(assignment);
        match &*assignment.target {
            Expr::Name(name) => {
                let left = self.load_name(&name.id);
                let value = self.augment(operator, left, &assignment.value);
                self.store_name(&name.id, value);
            }
            Expr::Attribute(attribute) => {
                let base = self.expression(&attribute.value);
                let name = Name::from(attribute.attr.as_str());
                let field = name.clone();
                let left = self.here().value(|dst| Kind::LoadAttribute { dst, base, name: field });
                let src = self.augment(operator, left, &assignment.value);
                self.here().emit(Kind::StoreAttribute { base, name, src });
            }
            Expr::Subscript(subscript) => {
                let base = self.expression(&subscript.value);
                let key = self.expression(&subscript.slice);
                let left = self.here().value(|dst| Kind::LoadItem { dst, base, key });
                let src = self.augment(operator, left, &assignment.value);
                self.here().emit(Kind::StoreItem { base, key, src });
            }
            other => {
                let left = self.expression(other);
                self.augment(operator, left, &assignment.value);
            }
        }
        self.here().span = outer;
    }

    fn augment(&mut self, operator: &'static str, left: Slot, value: &'a Expr) -> Slot {
        let right = self.expression(value);
        self.here().value(|dst| Kind::Operate { dst, operator, left, right: Some(right) })
    }

    fn lower_if(&mut self, choice: &'a ast::StmtIf) {
        let (mut holds, mut fails) = self.condition(&choice.test);
        let mut ends = Vec::new();
        self.here().continue_at(holds);
        self.lower_suite(&choice.body);
        ends.append(&mut self.here().open);
        for clause in &choice.elif_else_clauses {
            self.here().continue_at(fails);
            match &clause.test {
                Some(test) => {
                    (holds, fails) = self.condition(test);
                    self.here().continue_at(holds);
                    self.lower_suite(&clause.body);
                    ends.append(&mut self.here().open);
                }
                None => {
                    self.lower_suite(&clause.body);
                    ends.append(&mut self.here().open);
                    self.here().open = ends;
                    return;
                }
            }
        }
        ends.push(fails);
        self.here().open = ends;
    }

    fn lower_while(&mut self, iteration: &'a ast::StmtWhile) {
        let head = self.here().emit(Kind::Join);
        let (holds, fails) = self.condition(&iteration.test);
        let after = self.lower_loop_body(head, holds, &iteration.body);
        self.here().continue_at(fails);
        self.lower_suite(&iteration.orelse);
        self.here().connect(after);
        self.here().continue_at(after);
    }

    /// Lowers a loop's body from `first`, back to `head`; returns the node that `break` goes to.
    fn lower_loop_body(&mut self, head: NodeId, first: NodeId, body: &'a [Stmt]) -> NodeId {
        let after = self.here().detached(Kind::Join);
        self.here().unwind.push(Unwind::Loop { break_to: after, continue_to: head });
        self.here().continue_at(first);
        self.lower_suite(body);
        self.here().connect(head);
        self.here().unwind.pop();
        after
    }

    fn lower_for(&mut self, iteration: &'a ast::StmtFor) {
        let iterable = self.expression(&iteration.iter);
        let outer = self.here().at(&*iteration.iter);
        let iterator = self.iterator(iterable, iteration.is_async);
        let head = self.here().emit(Kind::Join);
        let (element, more, exhausted) = self.next_element(iterator, iteration.is_async);
        self.here().span = outer;
        self.here().continue_at(more);
        self.assign(&iteration.target, element);
        let body = self.here().emit(Kind::Join);
        let after = self.lower_loop_body(head, body, &iteration.body);
        self.here().continue_at(exhausted);
        self.lower_suite(&iteration.orelse);
        self.here().connect(after);
        self.here().continue_at(after);
    }

    /// What a loop over `iterable` asks for elements.
    pub(super) fn iterator(&mut self, iterable: Slot, is_async: bool) -> Slot {
        if is_async {
            return self.call_special(iterable, "__aiter__", &[], false);
        }
        self.here().value(|dst| Kind::Iterate { dst, src: iterable })
    }

    /// The next element, and the first nodes of the arms: there is one, there is none.
    pub(super) fn next_element(&mut self, iterator: Slot, is_async: bool) -> (Slot, NodeId, NodeId) {
        if !is_async {
            let element = self.here().temporary();
            let (more, exhausted) = self.here().fork(Kind::Next { dst: element, iterator });
            return (element, more, exhausted);
        }
        // `StopAsyncIteration` ends the loop, every other exception goes on.
        let raised = self.here().detached(Kind::Join);
        self.here().handlers.push(raised);
        let element = self.call_special(iterator, "__anext__", &[], true);
        self.here().handlers.pop();
        let more = self.here().emit(Kind::Join);
        self.here().continue_at(raised);
        let exception = self.here().value(|dst| Kind::Caught { dst });
        let decided = self.here().emit(Kind::Join);
        let exhausted = self.here().emit(Kind::Join);
        self.here().continue_at(decided);
        self.raise(vec![exception]);
        (element, more, exhausted)
    }

    /// `with a as x, b as y: body`, one manager at a time.
    fn lower_with(&mut self, items: &'a [ast::WithItem], body: &'a [Stmt], is_async: bool) {
        let Some((item, rest)) = items.split_first() else {
            self.lower_suite(body);
            return;
        };
        let manager = self.expression(&item.context_expr);
        let outer = self.here().at(&item.context_expr);
        let entered = self.call_special(manager, if is_async { "__aenter__" } else { "__enter__" }, &[], is_async);
        self.here().span = outer;
        if let Some(target) = &item.optional_vars {
            self.assign(target, entered);
        }
        let caught = self.here().detached(Kind::Join);
        let handlers = self.here().handlers.clone();
        self.here().unwind.push(Unwind::Leave { manager, is_async, handlers });
        self.here().handlers.push(caught);
        self.lower_with(rest, body, is_async);
        self.here().handlers.pop();
        self.here().unwind.pop();
        let outer = self.here().at(&item.context_expr);
        if !self.here().open.is_empty() {
            self.leave_manager(manager, is_async);
        }
        let mut ends = std::mem::take(&mut self.here().open);
        // An exception in the body goes to `__exit__`, which may swallow it.
        self.here().continue_at(caught);
        let exception = self.here().value(|dst| Kind::Caught { dst });
        let name = if is_async { "__aexit__" } else { "__exit__" };
        let swallowed = self.call_special(manager, name, &[exception, exception, exception], is_async);
        let (swallows, raises) = self.here().fork(Kind::Branch { condition: swallowed });
        self.here().continue_at(raises);
        self.raise(vec![exception]);
        ends.push(swallows);
        self.here().open = ends;
        self.here().span = outer;
    }

    fn leave_manager(&mut self, manager: Slot, is_async: bool) {
        let none = self.here().value(|dst| Kind::Constant { dst, value: Constant::None });
        let name = if is_async { "__aexit__" } else { "__exit__" };
        self.call_special(manager, name, &[none, none, none], is_async);
    }

    fn call_special(&mut self, base: Slot, name: &str, arguments: &[Slot], awaited: bool) -> Slot {
        let arguments = arguments.iter().enumerate();
        let arguments =
            arguments.map(|(at, value)| Argument { passing: Passing::Position(at as u32), value: *value }).collect();
        let callee = Callee::Special(base, Name::from(name));
        let result = self.here().value(|dst| Kind::Call { dst, callee, arguments });
        if awaited { self.wait_for(result) } else { result }
    }

    /// `await value`: of an object that is no coroutine, `__await__` gives what is waited for.
    pub(super) fn wait_for(&mut self, value: Slot) -> Slot {
        let given = self.call_special(value, "__await__", &[], false);
        let src = self.here().value(|dst| Kind::Merge { dst, sources: vec![value, given] });
        self.here().value(|dst| Kind::Delegate { dst, src, awaits: true })
    }

    fn lower_try(&mut self, attempt: &'a ast::StmtTry) {
        let has_finally = !attempt.finalbody.is_empty();
        let outer_handlers = self.here().handlers.clone();
        let finally_entry = has_finally.then(|| self.here().detached(Kind::Join));
        if let Some(entry) = finally_entry {
            self.here().handlers.push(entry);
            self.here().unwind.push(Unwind::Finally { body: &attempt.finalbody, handlers: outer_handlers.clone() });
        }
        let dispatch = (!attempt.handlers.is_empty()).then(|| self.here().detached(Kind::Join));
        self.here().handlers.extend(dispatch);
        self.lower_suite(&attempt.body);
        if dispatch.is_some() {
            self.here().handlers.pop();
        }
        self.lower_suite(&attempt.orelse);
        let mut ends = std::mem::take(&mut self.here().open);
        if let Some(dispatch) = dispatch {
            self.here().continue_at(dispatch);
            self.lower_handlers(&attempt.handlers, &mut ends);
        }
        self.here().open = ends;
        if let Some(entry) = finally_entry {
            self.here().handlers.pop();
            self.here().unwind.pop();
            self.lower_suite(&attempt.finalbody);
            let ends = std::mem::take(&mut self.here().open);
            self.here().continue_at(entry);
            let exception = self.here().value(|dst| Kind::Caught { dst });
            self.lower_suite(&attempt.finalbody);
            if !self.here().open.is_empty() {
                self.raise(vec![exception]);
            }
            self.here().open = ends;
        }
    }

    fn lower_handlers(&mut self, handlers: &'a [ast::ExceptHandler], ends: &mut Vec<NodeId>) {
        let exception = self.here().value(|dst| Kind::Caught { dst });
        for ast::ExceptHandler::ExceptHandler(handler) in handlers {
            let mut next = None;
            if let Some(kind) = &handler.type_ {
                let outer = self.here().at(&**kind);
                let class = self.expression(kind);
                let (matches, other) =
                    self.here().fork(Kind::Test { test: Test::Handles, operands: vec![exception, class] });
                self.here().span = outer;
                self.here().continue_at(matches);
                next = Some(other);
            }
            if let Some(name) = &handler.name {
                self.store_name(name, exception);
            }
            self.lower_suite(&handler.body);
            ends.append(&mut self.here().open);
            match next {
                Some(other) => self.here().continue_at(other),
                None => return,
            }
        }
        self.raise(vec![exception]);
    }

    fn leave_for_return(&mut self, src: Slot) {
        // Kept in a slot of its own: a `finally` may rebind the variable that was returned.
        let returned = self.here().value(|dst| Kind::Copy { dst, src });
        self.unwind_to(0);
        if !self.here().open.is_empty() {
            self.here().emit(Kind::Return { src: returned });
            self.here().open.clear();
        }
    }

    fn leave_loop(&mut self, is_break: bool) {
        let is_loop = |unwind: &Unwind<'_>| matches!(unwind, Unwind::Loop { .. });
        let Some(depth) = self.here().unwind.iter().rposition(is_loop) else { return };
        let Unwind::Loop { break_to, continue_to } = self.here().unwind[depth] else { return };
        self.unwind_to(depth + 1);
        self.here().connect(if is_break { break_to } else { continue_to });
    }

    /// Runs what stands between here and the region at `depth` before control leaves: `finally` bodies and `__exit__`.
    fn unwind_to(&mut self, depth: usize) {
        let unwinds = self.here().unwind.clone();
        let handlers = self.here().handlers.clone();
        for (at, unwind) in unwinds.iter().enumerate().skip(depth).rev() {
            self.here().unwind.truncate(at);
            match unwind {
                Unwind::Finally { body, handlers } => {
                    self.here().handlers = handlers.clone();
                    self.lower_suite(body);
                }
                Unwind::Leave { manager, is_async, handlers } => {
                    self.here().handlers = handlers.clone();
                    self.leave_manager(*manager, *is_async);
                }
                Unwind::Loop { .. } => {}
            }
        }
        self.here().unwind = unwinds;
        self.here().handlers = handlers;
    }

    fn lower_import(&mut self, alias: &'a ast::Alias) {
        let outer = self.here().at(alias);
        let module = Name::from(alias.name.as_str());
        let root = alias.asname.is_none();
        self.run_modules(&module, 0);
        let value = self.here().value(|dst| Kind::ImportModule { dst, module, root });
        self.store_name(scope::imported_name(alias), value);
        self.here().span = outer;
    }

    fn lower_import_from(&mut self, import: &'a ast::StmtImportFrom) {
        let module = Name::from(import.module.as_ref().map_or("", |module| module.as_str()));
        let level = import.level;
        self.run_modules(&module, level);
        for alias in &import.names {
            let outer = self.here().at(alias);
            if &*alias.name == "*" {
                self.here().emit(Kind::ImportStar { module: module.clone(), level });
            } else {
                let (module, name) = (module.clone(), Name::from(alias.name.as_str()));
                // What is imported from a package may be a module of it.
                let inside = Name::from(format!("{module}.{name}").trim_start_matches('.'));
                self.here().emit(Kind::RunModule { module: inside, level });
                let value = self.here().value(|dst| Kind::ImportFrom { dst, module, level, name });
                self.store_name(scope::imported_name(alias), value);
            }
            self.here().span = outer;
        }
    }

    /// The bodies that an import runs, outermost package first: each sees what those before it did.
    fn run_modules(&mut self, module: &str, level: u32) {
        if level > 0 {
            self.here().emit(Kind::RunModule { module: Name::from(""), level });
        }
        let ends = module.match_indices('.').map(|(at, _)| at).chain([module.len()]);
        for end in ends.filter(|end| *end > 0) {
            self.here().emit(Kind::RunModule { module: Name::from(&module[..end]), level });
        }
    }
}

fn in_place(operator: ast::Operator) -> &'static str {
    use ast::Operator::*;
    match operator {
        Add => "+=",
        Sub => "-=",
        Mult => "*=",
        MatMult => "@=",
        Div => "/=",
        Mod => "%=",
        Pow => "**=",
        LShift => "<<=",
        RShift => ">>=",
        BitOr => "|=",
        BitXor => "^=",
        BitAnd => "&=",
        FloorDiv => "//=",
    }
}
