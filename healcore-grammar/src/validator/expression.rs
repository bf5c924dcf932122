//! Expressions.

use ruff_python_ast::{CmpOp, Comprehension, Expr, ExprAttribute, ExprCompare, ExprDict, Operator};
use ruff_text_size::Ranged;

use super::{Use, Validator};
use crate::code::Code;

/// What the parser puts in the place of a surrogate.
pub(super) const LOST: char = char::REPLACEMENT_CHARACTER;

impl Validator<'_> {
    /// Runs `visit` one level deeper, unless that is too deep.
    pub(super) fn nested(&mut self, node: impl Ranged, visit: impl FnOnce(&mut Self)) {
        if self.findings.is_full() {
            return;
        }
        if self.expression_depth >= self.bounds().expression_depth {
            let message = format!("expressions are nested more than {} deep", self.bounds().expression_depth);
            self.reject(Code::ExpressionTooDeep, node, message);
            return;
        }
        self.expression_depth += 1;
        visit(self);
        self.expression_depth -= 1;
    }

    /// An expression whose value is used as `usage` says.
    pub(super) fn expression(&mut self, expression: &Expr, usage: Use) {
        self.nested(expression, |validator| validator.expression_form(expression, usage));
    }

    fn expression_form(&mut self, expression: &Expr, usage: Use) {
        match expression {
            Expr::Name(name) => self.read_name(name),
            Expr::Attribute(attribute) => self.read_attribute(attribute),
            Expr::Subscript(subscript) => {
                self.expression(&subscript.value, Use::Value);
                self.subscript(&subscript.slice);
            }
            Expr::Call(call) => self.call(call, usage),
            Expr::BinOp(operation) => {
                self.expression(&operation.left, Use::Value);
                self.expression(&operation.right, Use::Value);
                self.operation(&operation.left, operation.op, &operation.right, operation.range());
            }
            Expr::UnaryOp(operation) => self.expression(&operation.operand, Use::Value),
            Expr::BoolOp(operation) => self.operands(&operation.values, expression),
            Expr::Compare(comparison) => self.comparison(comparison),
            Expr::If(conditional) => {
                self.expression(&conditional.test, Use::Value);
                let branch = if usage == Use::Consumed { Use::Consumed } else { Use::Value };
                self.expression(&conditional.body, branch);
                self.expression(&conditional.orelse, branch);
            }
            Expr::List(list) => self.elements(&list.elts, expression),
            Expr::Tuple(tuple) => self.elements(&tuple.elts, expression),
            Expr::Set(set) => self.elements(&set.elts, expression),
            Expr::Dict(dict) => self.dict(dict),
            Expr::ListComp(list) => self.comprehension(&[&list.elt], &list.generators, expression),
            Expr::SetComp(set) => self.comprehension(&[&set.elt], &set.generators, expression),
            Expr::DictComp(dict) => match &dict.key {
                Some(key) => self.comprehension(&[key, &dict.value], &dict.generators, expression),
                None => self.reject(Code::Star, expression, "a comprehension cannot unpack"),
            },
            Expr::Generator(generator) => {
                if usage != Use::Consumed {
                    self.reject(Code::LazyKept, expression, "a generator would be kept");
                }
                self.comprehension(&[&generator.elt], &generator.generators, expression);
            }
            Expr::FString(text) => self.f_string(text, expression),
            Expr::StringLiteral(literal) => {
                self.literal_length(literal.value.to_str().len(), expression);
                self.surrogates(
                    literal.value.to_str().chars().filter(|character| *character == LOST).count(),
                    expression,
                );
            }
            Expr::BytesLiteral(literal) => self.literal_length(literal.value.len(), expression),
            Expr::NumberLiteral(_) => self.integer_literal(expression),
            Expr::BooleanLiteral(_) | Expr::NoneLiteral(_) => {}
            Expr::EllipsisLiteral(_) => self.reject(Code::Ellipsis, expression, "`...` is not a value here"),
            Expr::Starred(_) => self.reject(Code::Star, expression, "a star may stand in a display only"),
            Expr::Slice(_) => self.reject(Code::Syntax, expression, "a slice may stand in brackets only"),
            Expr::Lambda(_) => self.reject(Code::Lambda, expression, "a healing defines no functions"),
            Expr::Named(named) => {
                self.reject(Code::Walrus, expression, "an expression cannot assign");
                self.target(&named.target);
                self.expression(&named.value, Use::Value);
            }
            Expr::Await(awaited) => {
                self.reject(Code::Await, expression, "a healing runs synchronously");
                self.expression(&awaited.value, Use::Value);
            }
            Expr::Yield(_) | Expr::YieldFrom(_) => self.reject(Code::Yield, expression, "a healing is not a generator"),
            Expr::TString(_) => self.reject(Code::TemplateString, expression, "a template string is not text"),
            Expr::IpyEscapeCommand(_) => self.reject(Code::Syntax, expression, "not valid Python: an escape command"),
        }
    }

    /// An escape such as `\ud800` makes a string in Python that no text in UTF-8 can hold: the tree has another
    /// character in its place. `lost` counts these in the tree; more than in the source text are not meant.
    pub(super) fn surrogates(&mut self, lost: usize, literal: &Expr) {
        if lost > self.text(literal).chars().filter(|character| *character == LOST).count() {
            self.reject(Code::ForbiddenCharacter, literal, "an escape stands for a surrogate, which is not text");
        }
    }

    fn read_attribute(&mut self, attribute: &ExprAttribute) {
        self.attribute_name(&attribute.attr, attribute);
        if self.module_of(&attribute.value).is_none() {
            self.expression(&attribute.value, Use::Value);
        }
        if attribute.attr.as_str() == "format" && self.is_text(&attribute.value) {
            self.reject(Code::FormatMethod, attribute, "`format` of a string is used as a value");
        }
    }

    /// What stands in the brackets of a subscription.
    pub(super) fn subscript(&mut self, index: &Expr) {
        match index {
            Expr::Slice(slice) => {
                for part in [&slice.lower, &slice.upper, &slice.step].into_iter().flatten() {
                    self.expression(part, Use::Value);
                }
            }
            Expr::Tuple(tuple) if tuple.elts.iter().any(Expr::is_slice_expr) => {
                self.nested(index, |validator| tuple.elts.iter().for_each(|element| validator.subscript(element)));
            }
            Expr::Tuple(tuple) if tuple.elts.iter().any(Expr::is_starred_expr) => {
                self.reject(Code::Star, index, "a star may stand in a display only");
            }
            other => {
                self.item_key(other);
                self.expression(other, Use::Value);
            }
        }
    }

    fn operands(&mut self, operands: &[Expr], whole: &Expr) {
        self.too_many_items(operands.len(), whole);
        operands.iter().for_each(|operand| self.expression(operand, Use::Value));
    }

    fn comparison(&mut self, comparison: &ExprCompare) {
        self.too_many_items(comparison.comparators.len(), comparison);
        self.expression(&comparison.left, Use::Value);
        for (operator, operand) in comparison.ops.iter().zip(&comparison.comparators) {
            let usage = match operator {
                CmpOp::In | CmpOp::NotIn => Use::Consumed,
                CmpOp::Eq
                | CmpOp::NotEq
                | CmpOp::Lt
                | CmpOp::LtE
                | CmpOp::Gt
                | CmpOp::GtE
                | CmpOp::Is
                | CmpOp::IsNot => Use::Value,
            };
            self.expression(operand, usage);
        }
    }

    /// The items of a list, tuple or set display.
    fn elements(&mut self, elements: &[Expr], whole: &Expr) {
        self.too_many_items(elements.len(), whole);
        for element in elements {
            match element {
                Expr::Starred(starred) => self.nested(element, |validator| {
                    validator.expression(&starred.value, Use::Consumed);
                }),
                other => self.expression(other, Use::Value),
            }
        }
    }

    fn dict(&mut self, dict: &ExprDict) {
        self.too_many_items(dict.items.len(), dict);
        for item in &dict.items {
            if let Some(key) = &item.key {
                self.expression(key, Use::Value);
            }
            self.expression(&item.value, Use::Value);
        }
    }

    pub(super) fn too_many_items(&mut self, count: usize, whole: impl Ranged) {
        let limit = self.bounds().display_items;
        if count > limit {
            self.reject(Code::DisplayTooLarge, whole, format!("{count} items of at most {limit}"));
        }
    }

    /// A comprehension: its clauses open scopes from left to right, its results are computed in all of them.
    /// The iterable of the first clause is evaluated once, outside.
    fn comprehension(&mut self, results: &[&Expr], clauses: &[Comprehension], whole: &Expr) {
        let limit = self.bounds().comprehension_depth;
        if self.comprehension_depth >= limit {
            let message = format!("comprehensions are nested more than {limit} deep");
            self.reject(Code::ComprehensionTooDeep, whole, message);
            return;
        }
        if let Some(first) = clauses.first() {
            self.expression(&first.iter, Use::Consumed);
        }
        self.comprehension_depth += 1;
        let (facts, loops, names) = (self.facts.clone(), self.loops.len(), self.comprehension_names.len());
        for (position, clause) in clauses.iter().enumerate() {
            if position > 0 {
                self.expression(&clause.iter, Use::Consumed);
            }
            self.clause(clause);
        }
        for result in results {
            self.expression(result, Use::Value);
        }
        self.facts = facts;
        self.loops.truncate(loops);
        self.comprehension_names.truncate(names);
        self.comprehension_depth -= 1;
    }

    /// The target and the conditions of a clause, whose iterable was checked before.
    fn clause(&mut self, clause: &Comprehension) {
        if clause.is_async {
            self.reject(Code::Async, clause, "a healing runs synchronously");
        }
        self.loop_target(&clause.target, Code::ComprehensionTarget);
        let entered = self.enter_loop(&clause.iter, clause);
        self.loops.push(entered);
        self.bind_loop(&clause.target, &clause.iter);
        self.remember_names(&clause.target);
        clause.ifs.iter().for_each(|condition| self.expression(condition, Use::Value));
    }

    fn remember_names(&mut self, target: &Expr) {
        match target {
            Expr::Name(name) => self.comprehension_names.push(name.id.to_string()),
            Expr::Tuple(tuple) => tuple.elts.iter().for_each(|element| self.remember_names(element)),
            Expr::List(list) => list.elts.iter().for_each(|element| self.remember_names(element)),
            Expr::Starred(starred) => self.remember_names(&starred.value),
            _ => {}
        }
    }

    /// Whether an expression is certainly a string, by its form.
    pub(super) fn is_text(&self, expression: &Expr) -> bool {
        match expression {
            Expr::StringLiteral(_) | Expr::FString(_) => true,
            Expr::BinOp(operation) if operation.op == Operator::Add => {
                matches!(&*operation.left, Expr::StringLiteral(_) | Expr::FString(_))
                    || matches!(&*operation.right, Expr::StringLiteral(_) | Expr::FString(_))
            }
            Expr::Call(call) => matches!(&*call.func, Expr::Name(name)
                if matches!(name.id.as_str(), "str" | "repr" | "ascii") && !self.is_hidden(name.id.as_str())),
            _ => false,
        }
    }
}
