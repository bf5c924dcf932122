//! Expressions to instructions, in evaluation order; targets of assignments; conditions.

use std::collections::BTreeMap;

use ruff_python_ast::{self as ast, Expr};

use crate::ir::{Argument, BodyKind, Callee, Constant, Element, Kind, Layout, Name, NodeId, Passing, Slot, Unpacked};

use super::bodies::Lowering;
use super::scope;

impl<'a> Lowering<'a> {
    /// Evaluates an expression; returns where its value is.
    pub fn expression(&mut self, expression: &'a Expr) -> Slot {
        let outer = self.here().at(expression);
        let value = self.evaluate(expression);
        self.here().span = outer;
        value
    }

    fn evaluate(&mut self, expression: &'a Expr) -> Slot {
        match expression {
            Expr::Name(name) => self.load_name(&name.id),
            Expr::BoolOp(_) | Expr::If(_) => self.conditional(expression),
            Expr::Compare(compare) => self.compare(compare),
            Expr::Named(named) => {
                let value = self.expression(&named.value);
                self.assign(&named.target, value);
                value
            }
            Expr::BinOp(operation) => {
                let left = self.expression(&operation.left);
                let right = self.expression(&operation.right);
                let operator = operation.op.as_str();
                self.here().value(|dst| Kind::Operate { dst, operator, left, right: Some(right) })
            }
            Expr::UnaryOp(operation) => {
                let left = self.expression(&operation.operand);
                let operator = match operation.op {
                    ast::UnaryOp::Invert => "~",
                    ast::UnaryOp::Not => "not",
                    ast::UnaryOp::UAdd => "unary +",
                    ast::UnaryOp::USub => "unary -",
                };
                if let Some(value) = self.negative_literal(operation) {
                    return self.here().value(|dst| Kind::Constant { dst, value });
                }
                self.here().value(|dst| Kind::Operate { dst, operator, left, right: None })
            }
            Expr::Lambda(lambda) => self.lower_lambda(lambda),
            Expr::Generator(generator) => self.lower_generator(generator),
            Expr::List(list) => self.display(Layout::List, &list.elts),
            Expr::Tuple(tuple) => self.display(Layout::Tuple, &tuple.elts),
            Expr::Set(set) => self.display(Layout::Set, &set.elts),
            Expr::Dict(dict) => self.dict_display(dict),
            Expr::ListComp(list) => self.comprehension(Layout::List, &list.generators, None, &list.elt),
            Expr::SetComp(set) => self.comprehension(Layout::Set, &set.generators, None, &set.elt),
            Expr::DictComp(dict) => {
                self.comprehension(Layout::Dict, &dict.generators, dict.key.as_deref(), &dict.value)
            }
            Expr::Await(awaiting) => {
                let src = self.expression(&awaiting.value);
                self.wait_for(src)
            }
            Expr::YieldFrom(delegation) => {
                let src = self.expression(&delegation.value);
                self.here().value(|dst| Kind::Delegate { dst, src, awaits: false })
            }
            Expr::Yield(yielding) => {
                let src = match yielding.value.as_deref() {
                    Some(value) => self.expression(value),
                    None => self.here().value(|dst| Kind::Constant { dst, value: Constant::None }),
                };
                self.here().value(|dst| Kind::Yield { dst, src })
            }
            Expr::Call(call) => self.call(call),
            Expr::FString(text) => self.text(text.value.elements()),
            Expr::TString(text) => self.text(text.value.elements()),
            Expr::Attribute(attribute) => {
                let base = self.expression(&attribute.value);
                let name = Name::from(attribute.attr.as_str());
                self.here().value(|dst| Kind::LoadAttribute { dst, base, name })
            }
            Expr::Subscript(subscript) => {
                let base = self.expression(&subscript.value);
                match &*subscript.slice {
                    Expr::Slice(slice) => {
                        let (key, bounds) = self.slice(slice);
                        let given = [&slice.lower, &slice.upper, &slice.step].map(|bound| bound.is_some());
                        self.here().value(|dst| Kind::LoadSlice { dst, base, key, bounds, given })
                    }
                    key => {
                        let key = self.expression(key);
                        self.here().value(|dst| Kind::LoadItem { dst, base, key })
                    }
                }
            }
            Expr::Slice(slice) => self.slice(slice).0,
            Expr::Starred(starred) => self.expression(&starred.value),
            Expr::StringLiteral(_)
            | Expr::BytesLiteral(_)
            | Expr::NumberLiteral(_)
            | Expr::BooleanLiteral(_)
            | Expr::NoneLiteral(_)
            | Expr::EllipsisLiteral(_) => {
                let value = literal(expression);
                self.here().value(|dst| Kind::Constant { dst, value })
            }
            Expr::IpyEscapeCommand(_) => self.here().value(|dst| Kind::Opaque { dst, operands: Vec::new() }),
        }
    }

    fn negative_literal(&mut self, operation: &ast::ExprUnaryOp) -> Option<Constant> {
        let (ast::UnaryOp::USub, Expr::NumberLiteral(number)) = (operation.op, &*operation.operand) else {
            return None;
        };
        match &number.value {
            ast::Number::Int(int) => Some(Constant::Int(format!("-{int}").into())),
            ast::Number::Float(float) => Some(Constant::Float((-float).to_bits())),
            ast::Number::Complex { .. } => None,
        }
    }

    /// The object that a slice makes, and the bounds that are written there.
    fn slice(&mut self, slice: &'a ast::ExprSlice) -> (Slot, Vec<Slot>) {
        let bounds = [&slice.lower, &slice.upper, &slice.step];
        let bounds = bounds.map(|bound| bound.as_deref().map(|bound| self.expression(bound)));
        let parts = bounds.map(|bound| match bound {
            Some(bound) => bound,
            None => self.here().value(|dst| Kind::Constant { dst, value: Constant::None }),
        });
        let key = self.here().value(|dst| Kind::Slice { dst, parts });
        (key, bounds.into_iter().flatten().collect())
    }

    /// `and`, `or` and conditional expressions: each operand that decides the value is copied into the result.
    fn conditional(&mut self, expression: &'a Expr) -> Slot {
        let result = self.here().temporary();
        match expression {
            Expr::If(choice) => {
                let (holds, fails) = self.condition(&choice.test);
                self.here().continue_at(holds);
                let value = self.expression(&choice.body);
                self.here().emit(Kind::Copy { dst: result, src: value });
                let mut ends = std::mem::take(&mut self.here().open);
                self.here().continue_at(fails);
                let value = self.expression(&choice.orelse);
                self.here().emit(Kind::Copy { dst: result, src: value });
                ends.append(&mut self.here().open);
                self.here().open = ends;
            }
            Expr::BoolOp(operation) => {
                let mut ends = Vec::new();
                let last = operation.values.len().saturating_sub(1);
                for (at, operand) in operation.values.iter().enumerate() {
                    let value = self.expression(operand);
                    self.here().emit(Kind::Copy { dst: result, src: value });
                    if at < last {
                        let (holds, fails) = self.here().fork(Kind::Branch { condition: result });
                        let (next, end) =
                            if operation.op == ast::BoolOp::And { (holds, fails) } else { (fails, holds) };
                        ends.push(end);
                        self.here().continue_at(next);
                    }
                }
                ends.append(&mut self.here().open);
                self.here().open = ends;
            }
            _ => {}
        }
        self.here().emit(Kind::Join);
        result
    }

    /// `a < b < c`: each comparison decides whether the next one is made.
    fn compare(&mut self, compare: &'a ast::ExprCompare) -> Slot {
        let result = self.here().temporary();
        let mut left = self.expression(&compare.left);
        let mut ends = Vec::new();
        let last = compare.ops.len().saturating_sub(1);
        for (at, (operator, right)) in compare.ops.iter().zip(&compare.comparators).enumerate() {
            let right = self.expression(right);
            let operator = operator.as_str();
            let value = self.here().value(|dst| Kind::Operate { dst, operator, left, right: Some(right) });
            if last == 0 {
                return value;
            }
            self.here().emit(Kind::Copy { dst: result, src: value });
            if at < last {
                let (holds, fails) = self.here().fork(Kind::Branch { condition: result });
                ends.push(fails);
                self.here().continue_at(holds);
            }
            left = right;
        }
        ends.append(&mut self.here().open);
        self.here().open = ends;
        self.here().emit(Kind::Join);
        result
    }

    /// Lowers a condition into control flow; returns where it goes on when it holds, and when not.
    pub fn condition(&mut self, test: &'a Expr) -> (NodeId, NodeId) {
        match test {
            Expr::UnaryOp(ast::ExprUnaryOp { op: ast::UnaryOp::Not, operand, .. }) => {
                let (holds, fails) = self.condition(operand);
                (fails, holds)
            }
            Expr::BoolOp(operation) => {
                let is_and = operation.op == ast::BoolOp::And;
                let mut ends = Vec::new();
                let mut on = None;
                for operand in &operation.values {
                    if let Some(next) = on {
                        self.here().continue_at(next);
                    }
                    let (holds, fails) = self.condition(operand);
                    let (next, end) = if is_and { (holds, fails) } else { (fails, holds) };
                    ends.push(end);
                    on = Some(next);
                }
                self.here().open = ends;
                let end = self.here().emit(Kind::Join);
                let next = on.unwrap_or(end);
                if is_and { (next, end) } else { (end, next) }
            }
            _ => {
                let value = self.expression(test);
                let outer = self.here().at(test);
                let (holds, fails) = self.here().fork(Kind::Branch { condition: value });
                self.here().continue_at(holds);
                self.guard_passed(test, Some(value));
                let holds = self.here().emit(Kind::Join);
                self.here().span = outer;
                (holds, fails)
            }
        }
    }

    /// Behind a call of a possible guard its arguments may be clean: gives them a new version. `answer` is what was found to be
    /// true; whether it is the answer of that call, and is about these versions, is decided where both are known.
    pub fn guard_passed(&mut self, test: &'a Expr, answer: Option<Slot>) {
        let Some((call, node)) = self.guarding_call(test) else { return };
        let arguments = call.arguments.args.iter().chain(call.arguments.keywords.iter().map(|keyword| &keyword.value));
        for argument in arguments {
            let Expr::Name(name) = argument else { continue };
            if let crate::ir::Binding::Local(slot) = self.resolve(&name.id) {
                self.here().emit(Kind::Guarded { dst: slot, src: slot, call: node, answer });
            }
        }
        self.here().emit(Kind::GuardedPlaces { call: node, answer });
    }

    /// The call whose answer an expression is, where its name is one of a guard.
    fn guarding_call(&mut self, test: &'a Expr) -> Option<(&'a ast::ExprCall, NodeId)> {
        let call = match test {
            Expr::Call(call) => call,
            Expr::Named(named) => return self.guarding_call(&named.value),
            Expr::Name(name) => return self.here().answers.get(name.id.as_str()).copied(),
            _ => return None,
        };
        let last_name = match &*call.func {
            Expr::Name(name) => name.id.as_str(),
            Expr::Attribute(attribute) => attribute.attr.as_str(),
            _ => return None,
        };
        if !self.guard_names.contains(last_name) {
            return None;
        }
        let is_call = |node: &crate::ir::Node| matches!(node.kind, Kind::Call { .. });
        self.here().body.nodes.iter().rposition(is_call).map(|node| (call, node))
    }

    /// Remembers which variable keeps the answer of a possible guard.
    pub fn keep_answer(&mut self, target: &Expr, value: &'a Expr) {
        let Expr::Name(target) = target else { return };
        match self.guarding_call(value) {
            Some(call) => self.here().answers.insert(target.id.to_string(), call),
            None => self.here().answers.remove(target.id.as_str()),
        };
    }

    fn display(&mut self, layout: Layout, elements: &'a [Expr]) -> Slot {
        let mut spread = false;
        let elements = elements.iter().map(|element| {
            let is_star = matches!(element, Expr::Starred(_));
            let value = self.expression(element);
            if is_star {
                spread = true;
                return Element::Spread(self.here().value(|dst| Kind::Iterate { dst, src: value }));
            }
            if spread { Element::Spread(self.single(value)) } else { Element::Item(value) }
        });
        let elements = elements.collect();
        self.here().value(|dst| Kind::Build { dst, layout, elements })
    }

    /// An element behind a starred one has no known position: it is added as a spread of one.
    fn single(&mut self, value: Slot) -> Slot {
        let elements = vec![Element::Item(value)];
        self.here().value(|dst| Kind::Build { dst, layout: Layout::Tuple, elements })
    }

    fn dict_display(&mut self, dict: &'a ast::ExprDict) -> Slot {
        let elements = dict.items.iter().map(|item| match &item.key {
            Some(key) => {
                let key = self.expression(key);
                Element::Pair(key, self.expression(&item.value))
            }
            None => Element::Mapping(self.expression(&item.value)),
        });
        let elements = elements.collect();
        self.here().value(|dst| Kind::Build { dst, layout: Layout::Dict, elements })
    }

    fn comprehension(
        &mut self,
        layout: Layout,
        generators: &'a [ast::Comprehension],
        key: Option<&'a Expr>,
        element: &'a Expr,
    ) -> Slot {
        let container = self.here().value(|dst| Kind::Build { dst, layout, elements: Vec::new() });
        let tests = generators.iter().flat_map(|part| &part.ifs);
        let iterables = generators.iter().map(|part| &part.iter);
        let inside = scope::ScopeNames::of_expressions(tests.chain(iterables).chain(key).chain([element]));
        self.here().captured.push(inside.captured);
        self.generator_loops(generators, None, &mut |lowering| {
            let added = match key {
                Some(key) => {
                    let key = lowering.expression(key);
                    Element::Pair(key, lowering.expression(element))
                }
                None => Element::Item(lowering.expression(element)),
            };
            lowering.accumulate(container, added);
        });
        self.here().captured.pop();
        container
    }

    /// The loops of a comprehension around `element`; `first` is its first iterator where that exists already.
    pub fn generator_loops(
        &mut self,
        generators: &'a [ast::Comprehension],
        first: Option<Slot>,
        element: &mut dyn FnMut(&mut Self),
    ) {
        let in_generator = first.is_some();
        let iterator = first.or_else(|| {
            let first = generators.first()?;
            let iterable = self.expression(&first.iter);
            let outer = self.here().at(&first.iter);
            let iterator = self.iterator(iterable, first.is_async);
            self.here().span = outer;
            Some(iterator)
        });
        if !in_generator {
            let mut targets = BTreeMap::new();
            for name in scope::target_names(generators) {
                let slot = self.here().named(&name);
                targets.insert(name, slot);
            }
            self.bind_comprehension(&targets);
            self.here().comprehension.push(targets);
        }
        self.generator_loop(generators, iterator, element);
        if !in_generator {
            self.here().comprehension.pop();
        }
    }

    /// Lets a snapshot of a comprehension's frame find the variables by name.
    fn bind_comprehension(&mut self, targets: &BTreeMap<String, Slot>) {
        let body = &mut self.here().body;
        for (name, slot) in targets {
            if body.binding(name).is_none() {
                body.bindings.push((Name::from(name.as_str()), crate::ir::Binding::Local(*slot)));
            }
        }
    }

    fn generator_loop(
        &mut self,
        generators: &'a [ast::Comprehension],
        iterator: Option<Slot>,
        element: &mut dyn FnMut(&mut Self),
    ) {
        let Some((generator, rest)) = generators.split_first() else {
            element(self);
            return;
        };
        let iterator = match iterator {
            Some(iterator) => iterator,
            None => {
                let iterable = self.expression(&generator.iter);
                self.iterator(iterable, generator.is_async)
            }
        };
        let outer = self.here().at(&generator.iter);
        let head = self.here().emit(Kind::Join);
        let (item, more, exhausted) = self.next_element(iterator, generator.is_async);
        self.here().span = outer;
        self.here().continue_at(more);
        self.assign(&generator.target, item);
        for test in &generator.ifs {
            let (holds, fails) = self.condition(test);
            self.here().continue_at(fails);
            self.here().connect(head);
            self.here().continue_at(holds);
        }
        self.generator_loop(rest, None, element);
        self.here().connect(head);
        self.here().continue_at(exhausted);
        self.here().emit(Kind::Join);
    }

    fn text<'b>(&mut self, elements: impl Iterator<Item = &'b ast::InterpolatedStringElement>) -> Slot
    where
        'a: 'b,
        'b: 'a,
    {
        let mut parts = Vec::new();
        let mut elements = elements.peekable();
        let starts = match elements.peek() {
            Some(ast::InterpolatedStringElement::Literal(literal)) => Name::from(&*literal.value),
            _ => Name::from(""),
        };
        let formats = self.text_parts(elements, &mut parts);
        self.here().value(|dst| Kind::Text { dst, parts, starts, formats })
    }

    /// The values in a text; says whether one of them has a format of its own.
    fn text_parts(
        &mut self,
        elements: impl Iterator<Item = &'a ast::InterpolatedStringElement>,
        parts: &mut Vec<Slot>,
    ) -> bool {
        let mut formats = false;
        for element in elements {
            if let ast::InterpolatedStringElement::Interpolation(interpolation) = element {
                parts.push(self.expression(&interpolation.expression));
                if let Some(format) = &interpolation.format_spec {
                    formats = true;
                    self.text_parts(format.elements.iter(), parts);
                }
            }
        }
        formats
    }

    fn call(&mut self, call: &'a ast::ExprCall) -> Slot {
        let callee = match &*call.func {
            Expr::Attribute(attribute) if !is_super_call(&attribute.value) => {
                let base = self.expression(&attribute.value);
                Callee::Method(base, Name::from(attribute.attr.as_str()))
            }
            function => Callee::Value(self.expression(function)),
        };
        let mut arguments = Vec::new();
        let mut starred = false;
        for (at, argument) in call.arguments.args.iter().enumerate() {
            let is_star = matches!(argument, Expr::Starred(_));
            let value = self.expression(argument);
            let passing = if is_star || starred { Passing::Star } else { Passing::Position(at as u32) };
            let value = if starred && !is_star { self.single(value) } else { value };
            starred |= is_star;
            arguments.push(Argument { passing, value });
        }
        for keyword in &call.arguments.keywords {
            let value = self.expression(&keyword.value);
            let passing = match &keyword.arg {
                Some(name) => Passing::Keyword(Name::from(name.as_str())),
                None => Passing::DoubleStar,
            };
            arguments.push(Argument { passing, value });
        }
        if matches!(&*call.func, Expr::Name(name) if name.id == "super") {
            arguments = self.super_arguments(call, arguments);
        }
        let gives_locals = matches!(&*call.func, Expr::Name(name) if name.id == "locals" || name.id == "vars");
        if gives_locals && arguments.is_empty() {
            let value = self.local_variables();
            arguments.push(Argument { passing: Passing::Keyword(Name::from(".locals")), value });
        }
        self.here().value(|dst| Kind::Call { dst, callee, arguments })
    }

    /// The variables of a function as a dictionary: what `locals()` gives.
    fn local_variables(&mut self) -> Slot {
        let is_function = !matches!(self.here().body.kind, BodyKind::Module | BodyKind::Class);
        let names: Vec<String> =
            if is_function { self.here().names.bound.iter().cloned().collect() } else { Vec::new() };
        let pairs = names.iter().map(|name| {
            let value = Constant::Str(name.as_str().into());
            let key = self.here().value(|dst| Kind::Constant { dst, value });
            Element::Pair(key, self.load_name(name))
        });
        let elements = pairs.collect();
        self.here().value(|dst| Kind::Build { dst, layout: Layout::Dict, elements })
    }

    /// `super()` is `super(__class__, first parameter)`; the class is found by the rules through the receiver. So is the one of
    /// `super(C, x)` inside of the class `C`.
    fn super_arguments(&mut self, call: &'a ast::ExprCall, arguments: Vec<Argument>) -> Vec<Argument> {
        let receiver = match (&*call.arguments.args, &arguments[..]) {
            ([], []) => {
                let first = self.here().body.parameters.names.first().cloned();
                first.map(|first| self.load_name(&first))
            }
            ([Expr::Name(class), _], [_, second]) if self.class_around() == class.id.as_str() => Some(second.value),
            _ => None,
        };
        match receiver {
            Some(value) => vec![Argument { passing: Passing::Keyword(Name::from(".self")), value }],
            None => arguments,
        }
    }

    /// The name of the class that the code stands in, or nothing.
    fn class_around(&self) -> &str {
        let class = self.scopes.iter().rev().find(|scope| scope.body.kind == BodyKind::Class);
        class.and_then(|class| class.body.qualified_name.rsplit('.').next()).unwrap_or_default()
    }

    /// Assigns to a name, attribute, item or slice, or unpacks.
    pub fn assign(&mut self, target: &'a Expr, value: Slot) {
        let outer = self.here().at(target);
        match target {
            Expr::Name(name) => self.store_name(&name.id, value),
            Expr::Attribute(attribute) => {
                let base = self.expression(&attribute.value);
                let name = Name::from(attribute.attr.as_str());
                self.here().emit(Kind::StoreAttribute { base, name, src: value });
            }
            Expr::Subscript(subscript) => {
                let base = self.expression(&subscript.value);
                match &*subscript.slice {
                    Expr::Slice(slice) => {
                        let (key, bounds) = self.slice(slice);
                        self.here().emit(Kind::StoreSlice { base, key, bounds, src: value });
                    }
                    key => {
                        let key = self.expression(key);
                        self.here().emit(Kind::StoreItem { base, key, src: value });
                    }
                }
            }
            Expr::Tuple(ast::ExprTuple { elts, .. }) | Expr::List(ast::ExprList { elts, .. }) => {
                self.unpack(elts, value);
            }
            Expr::Starred(starred) => self.assign(&starred.value, value),
            // Not a target in valid Python; evaluated for its effects.
            other => {
                self.expression(other);
            }
        }
        self.here().span = outer;
    }

    fn unpack(&mut self, targets: &'a [Expr], src: Slot) {
        let src = self.here().value(|dst| Kind::Iterate { dst, src });
        let star = targets.iter().position(|target| matches!(target, Expr::Starred(_)));
        for (index, target) in targets.iter().enumerate() {
            let value = self.here().value(|dst| unpacked(dst, src, index, star, targets.len()));
            self.assign(target, value);
        }
    }

    pub fn delete(&mut self, target: &'a Expr) {
        let outer = self.here().at(target);
        match target {
            Expr::Name(name) => match self.resolve(&name.id) {
                crate::ir::Binding::Global => {
                    self.here().emit(Kind::DeleteGlobal { name: Name::from(name.id.as_str()) });
                }
                crate::ir::Binding::Local(dst) => {
                    self.here().binds(&name.id);
                    self.here().emit(Kind::Unbind { dst });
                }
                // An unbound variable has no value that could flow; a later read dies.
                _ => self.here().binds(&name.id),
            },
            Expr::Attribute(attribute) => {
                let base = self.expression(&attribute.value);
                let name = Name::from(attribute.attr.as_str());
                self.here().emit(Kind::DeleteAttribute { base, name });
            }
            Expr::Subscript(subscript) => {
                let base = self.expression(&subscript.value);
                match &*subscript.slice {
                    Expr::Slice(slice) => {
                        let (key, bounds) = self.slice(slice);
                        self.here().emit(Kind::DeleteSlice { base, key, bounds });
                    }
                    key => {
                        let key = self.expression(key);
                        self.here().emit(Kind::DeleteItem { base, key });
                    }
                }
            }
            Expr::Tuple(ast::ExprTuple { elts, .. }) | Expr::List(ast::ExprList { elts, .. }) => {
                elts.iter().for_each(|element| self.delete(element));
            }
            other => {
                self.expression(other);
            }
        }
        self.here().span = outer;
    }
}

fn is_super_call(expression: &Expr) -> bool {
    let Expr::Call(call) = expression else { return false };
    matches!(&*call.func, Expr::Name(name) if name.id == "super")
}

/// The value of a literal expression; other expressions give `...`, and nobody asks.
fn literal(expression: &Expr) -> Constant {
    match expression {
        Expr::NoneLiteral(_) => Constant::None,
        Expr::BooleanLiteral(boolean) => Constant::Bool(boolean.value),
        Expr::StringLiteral(text) => Constant::Str(text.value.to_str().into()),
        Expr::BytesLiteral(bytes) => {
            Constant::Bytes(bytes.value.iter().flat_map(|part| part.value.iter().copied()).collect())
        }
        Expr::NumberLiteral(number) => match &number.value {
            ast::Number::Int(int) => Constant::Int(int.to_string().into()),
            ast::Number::Float(float) => Constant::Float(float.to_bits()),
            ast::Number::Complex { .. } => Constant::Complex,
        },
        _ => Constant::Ellipsis,
    }
}

/// What target number `index` of `count` takes of an unpacked sequence, where target number `star` takes the rest.
pub fn unpacked(dst: Slot, src: Slot, index: usize, star: Option<usize>, count: usize) -> Kind {
    let behind = (count - index) as u32;
    match star {
        Some(star) if star == index => Kind::UnpackRest { dst, src, before: index as u32, behind: behind - 1 },
        Some(star) if star < index => Kind::UnpackItem { dst, src, at: Unpacked::FromEnd(behind) },
        _ => Kind::UnpackItem { dst, src, at: Unpacked::At(index as u32) },
    }
}
