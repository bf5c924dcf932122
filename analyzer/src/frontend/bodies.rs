//! Bodies: modules, functions, lambdas, classes, generator expressions, and how names find their way between them.

use std::time::Duration;

use ruff_python_ast::{self as ast, Expr, Stmt};
use ruff_text_size::{Ranged, TextRange, TextSize};
use rustc_hash::FxHashSet;

use crate::ir::{
    Annotated, Assigned, Binding, Body, BodyId, BodyKind, ClassStep, Constant, Element, Form, Kind, Layout,
    LoweredFile, Marking, Name, NodeId, Parameters, Slot, Span,
};

use super::builder::Builder;
use super::markings::FileMarks;
use super::scope::{self, ScopeNames};
use super::{markings, span};

/// State of the lowering of one file.
pub(super) struct Lowering<'a> {
    pub source: &'a str,
    pub guard_names: &'a FxHashSet<String>,
    pub marks: FileMarks,
    /// `from __future__ import annotations` stands in the file.
    postpones_annotations: bool,
    /// The statement from which the body may be left by a `return` that is not in the source.
    pub leaving: Option<Span>,
    line_starts: Vec<u32>,
    finished: Vec<Option<Body>>,
    /// The bodies around the current place, outermost first.
    pub scopes: Vec<Builder<'a>>,
}

impl<'a> Lowering<'a> {
    pub fn new(source: &'a str, guard_names: &'a FxHashSet<String>, marks: FileMarks) -> Self {
        let newlines = source.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let line_starts = std::iter::once(0).chain(newlines.map(|(at, _)| at as u32 + 1)).collect();
        Lowering {
            source,
            guard_names,
            marks,
            postpones_annotations: false,
            leaving: None,
            line_starts,
            finished: Vec::new(),
            scopes: Vec::new(),
        }
    }

    pub fn finish(self) -> LoweredFile {
        let bodies: Vec<Body> = self.finished.into_iter().flatten().collect();
        let globals = bodies.first().map(|module| module.owned.clone()).unwrap_or_default();
        LoweredFile { bodies, globals, parsing: Duration::ZERO }
    }

    /// Line of a byte offset, from 1.
    pub fn line(&self, offset: u32) -> u32 {
        self.line_starts.partition_point(|start| *start <= offset) as u32
    }

    /// The body that is being lowered.
    pub fn here(&mut self) -> &mut Builder<'a> {
        self.scopes.last_mut().expect("a body is always open while its parts are lowered")
    }

    pub fn lower_module(&mut self, suite: &'a [Stmt]) {
        self.postpones_annotations = suite.iter().any(|statement| match statement {
            Stmt::ImportFrom(import) => {
                let is_future = import.module.as_ref().is_some_and(|module| &**module == "__future__");
                is_future && import.names.iter().any(|alias| &*alias.name == "annotations")
            }
            _ => false,
        });
        let names = ScopeNames::of_body(suite);
        let owned = names.bound.iter().map(|name| Name::from(name.as_str())).collect();
        let whole = Span { start: 0, end: self.source.len() as u32 };
        let mut body = empty_body(BodyKind::Module, "<module>", None, 1, whole);
        body.owned = owned;
        self.open_body(body, names, None);
        self.lower_suite(suite);
        self.close_body();
    }

    /// Lowers a healing behind the instructions of `body`.
    pub fn lower_healing(&mut self, suite: &'a [Stmt], body: Body, id: BodyId) -> (Body, NodeId, NodeId) {
        let mut names = ScopeNames::of_body(suite);
        // What the healing binds and the body does not know is a variable of the healing's own.
        names.bound.retain(|name| !matches!(body.binding(name), Some(Binding::Cell(_) | Binding::Global)));
        let locals = body.bindings.iter().filter_map(|(name, binding)| match binding {
            Binding::Local(slot) => Some((name.to_string(), *slot)),
            _ => None,
        });
        let locals = locals.collect();
        let mut builder = Builder::new(id, body, names);
        builder.locals = locals;
        builder.healed = true;
        self.scopes.push(builder);
        let first = self.here().detached(Kind::Join);
        self.here().continue_at(first);
        self.lower_suite(suite);
        let last = self.here().emit(Kind::Join);
        let builder = self.scopes.pop().expect("pushed above");
        (builder.body, first, last)
    }

    fn open_body(&mut self, body: Body, names: ScopeNames, parameters: Option<&ast::Parameters>) -> BodyId {
        let id = self.finished.len();
        self.finished.push(None);
        let mut builder = Builder::new(id, body, names);
        builder.span = builder.body.span;
        let entry = builder.emit(Kind::Entry);
        builder.body.entry = entry;
        self.scopes.push(builder);
        if let Some(parameters) = parameters {
            self.bind_parameters(parameters);
        }
        self.bind_outer_names();
        id
    }

    /// Records the bindings of names that live outside, so that a healing in this body can be resolved later.
    fn bind_outer_names(&mut self) {
        let names: Vec<String> = {
            let names = &self.here().names;
            names.bound.iter().chain(&names.used).chain(&names.globals).chain(&names.nonlocals).cloned().collect()
        };
        for name in names {
            let binding = self.resolve(&name);
            let body = &mut self.here().body;
            if !matches!(binding, Binding::Local(_)) && body.binding(&name).is_none() {
                body.bindings.push((Name::from(name.as_str()), binding));
            }
        }
    }

    fn close_body(&mut self) {
        let here = self.here();
        here.span = Span { start: here.body.span.end, end: here.body.span.end };
        if !here.open.is_empty() && here.body.kind != BodyKind::Module && here.body.kind != BodyKind::Class {
            let src = here.value(|dst| Kind::Constant { dst, value: crate::ir::Constant::None });
            here.emit(Kind::Return { src });
        }
        let exit = here.detached(Kind::Exit);
        here.connect(exit);
        here.body.exit = exit;
        here.drop_certain_reads();
        let Some(mut builder) = self.scopes.pop() else { return };
        for node in &mut builder.body.nodes {
            if matches!(node.kind, Kind::Return { .. }) && node.successors.is_empty() {
                node.successors.push(exit);
            }
        }
        self.finished[builder.id] = Some(builder.body);
    }

    fn bind_parameters(&mut self, parameters: &ast::Parameters) {
        let listed = parameters.iter_non_variadic_params().map(|parameter| parameter.name().to_string());
        let listed: Vec<String> = listed.collect();
        let vararg = parameters.vararg.as_ref().map(|parameter| parameter.name.to_string());
        let kwarg = parameters.kwarg.as_ref().map(|parameter| parameter.name.to_string());
        self.here().body.parameters = Parameters {
            names: listed.iter().map(|name| Name::from(name.as_str())).collect(),
            positional: parameters.posonlyargs.len() + parameters.args.len(),
            positional_only: parameters.posonlyargs.len(),
            vararg: vararg.as_deref().map(Name::from),
            kwarg: kwarg.as_deref().map(Name::from),
        };
        for name in listed.iter().chain(&vararg).chain(&kwarg) {
            self.bind_parameter(name);
        }
    }

    /// A parameter arrives in a slot; where inner bodies use it, it moves on into its cell.
    fn bind_parameter(&mut self, name: &str) {
        let id = self.here().id;
        if self.here().names.captured.contains(name) {
            let slot = self.here().named(name);
            self.here().body.parameter_slots.push(slot);
            self.here().body.has_cells = true;
            self.here().emit(Kind::StoreCell { owner: id, name: Name::from(name), src: slot });
        } else {
            let slot = self.here().local(name);
            self.here().body.parameter_slots.push(slot);
        }
    }

    /// Where a name lives, seen from the current body.
    pub fn resolve(&mut self, name: &str) -> Binding {
        let depth = self.scopes.len() - 1;
        let here = &mut self.scopes[depth];
        if let Some(slot) = here.comprehension.iter().rev().find_map(|targets| targets.get(name)) {
            return Binding::Local(*slot);
        }
        if here.healed {
            return resolve_in_healing(here, name);
        }
        match here.body.kind {
            BodyKind::Module => return Binding::Global,
            _ if here.names.globals.contains(name) => return Binding::Global,
            BodyKind::Class if here.names.bound.contains(name) && !here.names.nonlocals.contains(name) => {
                return Binding::Namespace;
            }
            BodyKind::Class => {}
            _ if here.names.bound.contains(name) && !here.names.nonlocals.contains(name) => {
                if here.names.captured.contains(name) {
                    here.body.has_cells = true;
                    return Binding::Cell(here.id);
                }
                return Binding::Local(here.local(name));
            }
            _ => {}
        }
        self.resolve_outside(name, depth)
    }

    fn resolve_outside(&mut self, name: &str, depth: usize) -> Binding {
        for outer in self.scopes[..depth].iter_mut().rev() {
            let in_comprehension = outer.comprehension.iter().any(|targets| targets.contains_key(name));
            let is_function = !matches!(outer.body.kind, BodyKind::Module | BodyKind::Class);
            if is_function && outer.names.globals.contains(name) && !in_comprehension {
                return Binding::Global;
            }
            let bound = outer.names.bound.contains(name) && !outer.names.nonlocals.contains(name);
            if in_comprehension || (is_function && bound) {
                outer.body.has_cells = true;
                return Binding::Cell(outer.id);
            }
        }
        Binding::Global
    }

    /// Reads a variable.
    pub fn load_name(&mut self, name: &str) -> Slot {
        match self.resolve(name) {
            Binding::Local(slot) => {
                if self.may_be_unbound(name, slot) {
                    self.here().emit(Kind::Bound { src: slot });
                }
                slot
            }
            Binding::Cell(owner) => self.here().value(|dst| Kind::LoadCell { dst, owner, name: Name::from(name) }),
            Binding::Global => self.here().value(|dst| Kind::LoadGlobal { dst, name: Name::from(name) }),
            Binding::Namespace => self.here().value(|dst| Kind::LoadNamespace { dst, name: Name::from(name) }),
        }
    }

    /// Whether a local variable is one that a path through the body may leave unbound: no parameter, and none of a comprehension.
    fn may_be_unbound(&mut self, name: &str, slot: Slot) -> bool {
        let here = self.here();
        !here.healed && here.locals.get(name) == Some(&slot) && !here.body.parameter_slots.contains(&slot)
    }

    /// Writes a variable.
    pub fn store_name(&mut self, name: &str, src: Slot) {
        self.here().binds(name);
        self.share_with_functions(name, src);
        match self.resolve(name) {
            Binding::Local(dst) => self.here().emit(Kind::Copy { dst, src }),
            Binding::Cell(owner) => self.here().emit(Kind::StoreCell { owner, name: Name::from(name), src }),
            Binding::Global => self.here().emit(Kind::StoreGlobal { name: Name::from(name), src }),
            Binding::Namespace => self.here().emit(Kind::StoreNamespace { name: Name::from(name), src }),
        };
    }

    /// A variable of a comprehension that functions inside use lives in a cell as well: they see what it held last.
    fn share_with_functions(&mut self, name: &str, src: Slot) {
        let here = self.here();
        let is_target = here.comprehension.iter().any(|targets| targets.contains_key(name));
        if is_target && here.captured.iter().any(|captured| captured.contains(name)) {
            here.body.has_cells = true;
            let owner = here.id;
            here.emit(Kind::StoreCell { owner, name: Name::from(name), src });
        }
    }

    /// The name of a definition as it stands in the text: private names are changed where they are used, not in what a
    /// function or class is called.
    fn plain<'n>(&self, name: &'n ast::Identifier) -> &'n str
    where
        'a: 'n,
    {
        let written = &self.source[name.range];
        if written.starts_with("__") { written } else { &name.id }
    }

    fn qualified(&mut self, name: &str, is_global: bool) -> String {
        let here = self.here();
        match here.body.kind {
            BodyKind::Module => name.to_owned(),
            _ if is_global => name.to_owned(),
            BodyKind::Class => format!("{}.{name}", here.body.qualified_name),
            _ => format!("{}.<locals>.{name}", here.body.qualified_name),
        }
    }

    fn qualified_definition(&mut self, name: &ast::Identifier) -> String {
        let is_global = self.here().names.globals.contains(name.as_str());
        self.qualified(self.plain(name), is_global)
    }

    /// The default values of parameters, evaluated where the function is defined.
    fn defaults(&mut self, parameters: &'a ast::Parameters) -> Vec<(usize, Slot)> {
        let mut defaults = Vec::new();
        for (index, parameter) in parameters.iter_non_variadic_params().enumerate() {
            if let Some(default) = parameter.default() {
                defaults.push((index, self.expression(default)));
            }
        }
        defaults
    }

    pub fn lower_function(&mut self, definition: &'a ast::StmtFunctionDef) {
        let decorators: Vec<Slot> =
            definition.decorator_list.iter().map(|decorator| self.expression(&decorator.expression)).collect();
        let defaults = self.defaults(&definition.parameters);
        let annotations = definition.parameters.iter().filter_map(|parameter| parameter.annotation());
        annotations.chain(definition.returns.as_deref()).for_each(|annotation| self.annotation(annotation));
        let mut names = ScopeNames::of_body(&definition.body);
        names.bind_parameters(&definition.parameters);
        let kind = match (definition.is_async, names.yields) {
            (false, false) => BodyKind::Function,
            (false, true) => BodyKind::Generator,
            (true, false) => BodyKind::Coroutine,
            (true, true) => BodyKind::AsyncGenerator,
        };
        let qualified = self.qualified_definition(&definition.name);
        let first_line = self.line(definition.range.start().to_u32());
        let mut body = empty_body(kind, &qualified, Some(self.here().id), first_line, span(definition));
        body.name_span = span(&definition.name);
        body.decorators = decorator_names(&definition.decorator_list);
        let last =
            definition.returns.as_ref().map_or(definition.parameters.range().end(), |returns| returns.range().end());
        body.markings = self.markings(&definition.decorator_list, definition.name.range(), last);
        let id = self.open_body(body, names, Some(&definition.parameters));
        self.lower_suite(&definition.body);
        self.close_body();
        let function = self.here().value(|dst| Kind::Function { dst, body: id, defaults });
        let decorated = self.decorate(function, decorators);
        self.store_name(&definition.name, decorated);
    }

    /// An annotation is evaluated where it stands, unless the file postpones that.
    pub fn annotation(&mut self, annotation: &'a Expr) {
        if !self.postpones_annotations {
            self.expression(annotation);
        }
    }

    pub fn lower_lambda(&mut self, lambda: &'a ast::ExprLambda) -> Slot {
        let defaults = lambda.parameters.as_deref().map(|parameters| self.defaults(parameters)).unwrap_or_default();
        let mut names = ScopeNames::of_expressions([&*lambda.body]);
        if let Some(parameters) = lambda.parameters.as_deref() {
            names.bind_parameters(parameters);
        }
        let kind = if names.yields { BodyKind::Generator } else { BodyKind::Function };
        let qualified = self.qualified("<lambda>", false);
        let first_line = self.line(lambda.range.start().to_u32());
        let body = empty_body(kind, &qualified, Some(self.here().id), first_line, span(lambda));
        let id = self.open_body(body, names, lambda.parameters.as_deref());
        self.lower_returned(&lambda.body);
        self.close_body();
        self.here().value(|dst| Kind::Function { dst, body: id, defaults })
    }

    fn lower_returned(&mut self, expression: &'a Expr) {
        let protected = self.is_protected_line(expression.range());
        let (id, outer) = self.here().begin_statement(span(expression), protected);
        let src = self.expression(expression);
        self.here().emit(Kind::Return { src });
        self.here().open.clear();
        self.here().end_statement(id, outer);
    }

    /// A generator expression: a generator function that is called at once with its first iterable.
    pub fn lower_generator(&mut self, generator: &'a ast::ExprGenerator) -> Slot {
        let Some(first) = generator.generators.first() else {
            return self.here().value(|dst| Kind::Opaque { dst, operands: Vec::new() });
        };
        let iterable = self.expression(&first.iter);
        let iterator = self.iterator(iterable, first.is_async);
        let qualified = self.qualified("<genexpr>", false);
        let is_async = generator.generators.iter().any(|part| part.is_async);
        let kind = if is_async { BodyKind::AsyncGenerator } else { BodyKind::Generator };
        let first_line = self.line(generator.range.start().to_u32());
        let mut body = empty_body(kind, &qualified, Some(self.here().id), first_line, span(generator));
        body.parameters =
            Parameters { names: vec![Name::from(".0")], positional: 1, positional_only: 1, ..Parameters::default() };
        let id = self.open_body(body, scope::generator_names(generator), None);
        let parameter = self.here().local(".0");
        self.here().body.parameter_slots.push(parameter);
        let protected = self.is_protected_line(generator.range);
        let (statement, outer) = self.here().begin_statement(span(generator), protected);
        self.generator_loops(&generator.generators, Some(parameter), &mut |lowering| {
            let src = lowering.expression(&generator.elt);
            lowering.here().value(|dst| Kind::Yield { dst, src });
        });
        self.here().end_statement(statement, outer);
        self.close_body();
        let function = self.here().value(|dst| Kind::Function { dst, body: id, defaults: Vec::new() });
        let argument = crate::ir::Argument { passing: crate::ir::Passing::Position(0), value: iterator };
        self.here().value(|dst| Kind::Call {
            dst,
            callee: crate::ir::Callee::Value(function),
            arguments: vec![argument],
        })
    }

    pub fn lower_class(&mut self, definition: &'a ast::StmtClassDef) {
        let decorators: Vec<Slot> =
            definition.decorator_list.iter().map(|decorator| self.expression(&decorator.expression)).collect();
        let mut bases = Vec::new();
        let mut keywords = Vec::new();
        if let Some(arguments) = &definition.arguments {
            bases.extend(arguments.args.iter().map(|base| self.expression(base)));
            for keyword in &arguments.keywords {
                let value = self.expression(&keyword.value);
                let name = keyword.arg.as_ref().map_or("**", |name| name.as_str());
                keywords.push((Name::from(name), value));
            }
        }
        let namespace = self.prepare(self.plain(&definition.name), &bases, &keywords);
        let names = ScopeNames::of_body(&definition.body);
        let qualified = self.qualified_definition(&definition.name);
        let first_line = self.line(definition.range.start().to_u32());
        let mut body = empty_body(BodyKind::Class, &qualified, Some(self.here().id), first_line, span(definition));
        body.name_span = span(&definition.name);
        body.owned = names.bound.iter().map(|name| Name::from(name.as_str())).collect();
        let last = definition.arguments.as_ref().map_or(definition.name.range().end(), |bases| bases.range().end());
        body.markings = self.markings(&definition.decorator_list, definition.name.range(), last);
        body.decorators = decorator_names(&definition.decorator_list);
        body.annotated = self.annotated(&definition.body);
        body.options = self.options(&definition.decorator_list);
        body.assigned = self.assigned(&definition.body);
        let id = self.open_body(body, names, None);
        self.lower_suite(&definition.body);
        self.close_body();
        let made = self.make_class(self.plain(&definition.name), id, bases, keywords, namespace);
        let decorated = self.decorate(made, decorators);
        self.store_name(&definition.name, decorated);
    }

    /// The names that the statements of a class body annotate, not those inside of a branch or loop.
    fn annotated(&self, suite: &[Stmt]) -> Vec<Annotated> {
        let text = |range: TextRange| Name::from(&self.source[range]);
        let statements = suite.iter().filter_map(|statement| statement.as_ann_assign_stmt());
        let annotated = statements.filter_map(|statement| {
            let name = statement.target.as_name_expr()?;
            let call = statement.value.as_deref().and_then(|value| value.as_call_expr());
            Some(Annotated {
                name: Name::from(name.id.as_str()),
                annotation: text(statement.annotation.range()),
                has_value: statement.value.is_some(),
                call: call.map(|call| (text(call.func.range()), self.keywords(&call.arguments))),
            })
        });
        annotated.collect()
    }

    /// What a class body that only defines and assigns gives to names.
    fn assigned(&self, suite: &[Stmt]) -> Option<Vec<Assigned>> {
        let mut assigned = Vec::new();
        for statement in suite {
            let (targets, value) = match statement {
                Stmt::FunctionDef(_) | Stmt::ClassDef(_) | Stmt::Expr(_) | Stmt::Pass(_) => continue,
                Stmt::Assign(assignment) => (assignment.targets.iter().collect(), Some(&*assignment.value)),
                Stmt::AnnAssign(assignment) => (vec![&*assignment.target], assignment.value.as_deref()),
                _ => return None,
            };
            let Some(value) = value else { continue };
            for target in targets {
                let name = Name::from(target.as_name_expr()?.id.as_str());
                assigned.push(Assigned { name, form: self.form(value) });
            }
        }
        Some(assigned)
    }

    fn form(&self, value: &Expr) -> Form {
        let text = |range: TextRange| Name::from(&self.source[range]);
        match value {
            Expr::NumberLiteral(_) | Expr::StringLiteral(_) => Form::Literal(text(value.range())),
            Expr::Tuple(tuple) if !tuple.elts.iter().any(Expr::is_starred_expr) => Form::Tuple,
            Expr::Call(call) => Form::Call(text(call.func.range())),
            _ => Form::Other,
        }
    }

    /// The keywords of decorators that are called.
    fn options(&self, decorators: &[ast::Decorator]) -> Vec<(Name, Vec<(Name, Name)>)> {
        let calls = decorators.iter().filter_map(|decorator| decorator.expression.as_call_expr());
        let calls = calls.map(|call| (Name::from(&self.source[call.func.range()]), self.keywords(&call.arguments)));
        calls.collect()
    }

    /// The keywords of a call with their values as they are written; what is spread has the name `**`.
    fn keywords(&self, arguments: &ast::Arguments) -> Vec<(Name, Name)> {
        let keywords = arguments.keywords.iter().map(|keyword| {
            let name = keyword.arg.as_ref().map_or("**", |name| name.as_str());
            (Name::from(name), Name::from(&self.source[keyword.value.range()]))
        });
        keywords.collect()
    }

    /// The name and the bases of a class, as its metaclass is given them.
    fn class_arguments(&mut self, name: &str, bases: &[Slot]) -> [Slot; 2] {
        let name = Constant::Str(name.into());
        let name = self.here().value(|dst| Kind::Constant { dst, value: name });
        let elements = bases.iter().map(|base| Element::Item(*base)).collect();
        [name, self.here().value(|dst| Kind::Build { dst, layout: Layout::Tuple, elements })]
    }

    /// The namespace that `__prepare__` of a metaclass gives; one that is inherited from a base is not asked.
    fn prepare(&mut self, name: &str, bases: &[Slot], keywords: &[(Name, Slot)]) -> Option<Slot> {
        let metaclass = keywords.iter().find(|(name, _)| &**name == METACLASS).map(|(_, slot)| *slot)?;
        let arguments = self.class_arguments(name, bases);
        let keywords = keywords.iter().filter(|(name, _)| &**name != METACLASS).cloned().collect();
        let (step, class) = (ClassStep::Prepare, metaclass);
        Some(self.here().value(|dst| Kind::ClassStep { dst, step, class, metaclass: None, arguments, keywords }))
    }

    /// Runs the body of a class, and what its metaclass, its members and its bases make of it.
    fn make_class(
        &mut self,
        name: &str,
        body: BodyId,
        bases: Vec<Slot>,
        mut keywords: Vec<(Name, Slot)>,
        namespace: Option<Slot>,
    ) -> Slot {
        let arguments = self.class_arguments(name, &bases);
        let is_statement = bases.is_empty() && keywords.is_empty();
        let class = self.here().value(|dst| Kind::Class { dst, body, bases, keywords: keywords.clone(), namespace });
        let metaclass = keywords.iter().find(|(name, _)| &**name == METACLASS).map(|(_, slot)| *slot);
        keywords.retain(|(name, _)| &**name != METACLASS);
        let made = self.here().temporary();
        self.here().emit(Kind::Copy { dst: made, src: class });
        for step in [ClassStep::Create, ClassStep::NameMembers, ClassStep::Subclass, ClassStep::Initialize] {
            // A class without bases and keywords is made by `type`, which asks its members alone.
            if is_statement && step != ClassStep::NameMembers {
                continue;
            }
            let keywords = keywords.clone();
            let given = self.here().value(|dst| Kind::ClassStep { dst, step, class, metaclass, arguments, keywords });
            if step == ClassStep::Create && metaclass.is_some() {
                self.here().emit(Kind::Merge { dst: made, sources: vec![class, given] });
            }
        }
        made
    }

    fn decorate(&mut self, definition: Slot, decorators: Vec<Slot>) -> Slot {
        decorators.into_iter().rev().fold(definition, |value, decorator| {
            let argument = crate::ir::Argument { passing: crate::ir::Passing::Position(0), value };
            self.here().value(|dst| Kind::Call {
                dst,
                callee: crate::ir::Callee::Value(decorator),
                arguments: vec![argument],
            })
        })
    }

    /// Whether the last line of a statement carries `# healguard: protected`.
    pub fn is_protected_line(&self, range: TextRange) -> bool {
        let lines = &self.marks.protected_lines;
        !lines.is_empty() && lines.contains(&self.line(range.end().to_u32()))
    }

    /// Markings of a definition whose header goes from its name to `last`.
    fn markings(&self, decorators: &[ast::Decorator], name: TextRange, last: TextSize) -> Vec<Marking> {
        let header = [self.line(name.start().to_u32()), self.line(last.to_u32())];
        self.marks.of_definition(decorators, header)
    }

    /// Adds one element to the container that a comprehension builds.
    pub fn accumulate(&mut self, container: Slot, element: Element) {
        self.here().emit(Kind::Accumulate { container, element });
    }
}

/// Names in a healing: those of the body around it; what nobody binds is a global, or the healing's own.
fn resolve_in_healing(here: &mut Builder<'_>, name: &str) -> Binding {
    let known = here.body.binding(name).cloned();
    match known {
        Some(binding) => binding,
        None if here.names.bound.contains(name) => match here.body.kind {
            BodyKind::Module => Binding::Global,
            BodyKind::Class => Binding::Namespace,
            _ => Binding::Local(here.local(name)),
        },
        None => Binding::Global,
    }
}

/// The keyword of a class statement that is no keyword for others.
const METACLASS: &str = "metaclass";

fn decorator_names(decorators: &[ast::Decorator]) -> Vec<Name> {
    let dotted = decorators.iter().filter_map(|decorator| markings::dotted(&decorator.expression));
    dotted.map(|name| Name::from(name.as_str())).collect()
}

fn empty_body(kind: BodyKind, qualified: &str, parent: Option<BodyId>, first_line: u32, span: Span) -> Body {
    Body {
        kind,
        qualified_name: Name::from(qualified),
        first_line,
        span,
        name_span: span,
        parent,
        parameters: Parameters::default(),
        parameter_slots: Vec::new(),
        slots: Vec::new(),
        nodes: Vec::new(),
        entry: 0,
        exit: 0,
        statements: Vec::new(),
        bindings: Vec::new(),
        has_cells: false,
        owned: Vec::new(),
        annotated: Vec::new(),
        options: Vec::new(),
        assigned: None,
        decorators: Vec::new(),
        markings: Vec::new(),
    }
}
