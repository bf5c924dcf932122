//! Expressions, with the parentheses that their tree needs.

use ruff_python_ast::{
    Comprehension, ConversionFlag, Expr, ExprCall, ExprCompare, ExprDict, ExprFString, ExprTuple, FStringPart,
    InterpolatedElement, InterpolatedStringElement, Operator, OperatorPrecedence, UnaryOp,
};

use super::{Printer, literal};

impl Printer<'_> {
    /// Prints an expression where only operators that bind at least as tightly as `context` may stand bare.
    pub(super) fn expression(&mut self, expression: &Expr, context: OperatorPrecedence) {
        // A bare number would swallow the dot of an attribute.
        let number = context == OperatorPrecedence::CallAttribute && expression.is_number_literal_expr();
        if number || expression.precedence() < context {
            self.push("(");
            self.form(expression);
            self.push(")");
        } else {
            self.form(expression);
        }
    }

    fn any(&mut self, expression: &Expr) {
        self.expression(expression, OperatorPrecedence::None);
    }

    fn form(&mut self, expression: &Expr) {
        match expression {
            Expr::Name(name) => self.push(name.id.as_str()),
            Expr::Attribute(attribute) => {
                self.expression(&attribute.value, OperatorPrecedence::CallAttribute);
                self.push(".");
                self.push(attribute.attr.as_str());
            }
            Expr::Subscript(subscript) => {
                self.expression(&subscript.value, OperatorPrecedence::CallAttribute);
                self.push("[");
                self.subscript(&subscript.slice);
                self.push("]");
            }
            Expr::Call(call) => self.call(call),
            Expr::BinOp(operation) => self.binary(&operation.left, operation.op, &operation.right),
            Expr::UnaryOp(operation) => {
                self.push(match operation.op {
                    UnaryOp::Not => "not ",
                    UnaryOp::UAdd => "+",
                    UnaryOp::USub => "-",
                    UnaryOp::Invert => "~",
                });
                self.expression(&operation.operand, expression.precedence());
            }
            Expr::BoolOp(operation) => {
                let precedence = OperatorPrecedence::from(operation.op);
                for (position, value) in operation.values.iter().enumerate() {
                    if position > 0 {
                        self.push(" ");
                        self.push(operation.op.as_str());
                        self.push(" ");
                    }
                    self.expression(value, above(precedence));
                }
            }
            Expr::Compare(comparison) => self.comparison(comparison),
            Expr::If(conditional) => {
                self.expression(&conditional.body, OperatorPrecedence::Or);
                self.push(" if ");
                self.expression(&conditional.test, OperatorPrecedence::Or);
                self.push(" else ");
                self.expression(&conditional.orelse, OperatorPrecedence::IfElse);
            }
            Expr::List(list) => self.display("[", &list.elts, "]"),
            Expr::Set(set) => self.display("{", &set.elts, "}"),
            Expr::Tuple(tuple) => self.tuple(tuple),
            Expr::Dict(dict) => self.dict(dict),
            Expr::ListComp(list) => self.comprehension("[", &[&list.elt], &list.generators, "]"),
            Expr::SetComp(set) => self.comprehension("{", &[&set.elt], &set.generators, "}"),
            Expr::Generator(generator) => self.comprehension("(", &[&generator.elt], &generator.generators, ")"),
            Expr::DictComp(dict) => match &dict.key {
                Some(key) => self.comprehension("{", &[key, &dict.value], &dict.generators, "}"),
                None => self.verbatim(expression),
            },
            Expr::FString(text) => self.f_string(text),
            Expr::StringLiteral(string) => self.push(&literal::string(string.value.to_str(), self.in_field)),
            Expr::BytesLiteral(bytes) => self.push(&literal::bytes(bytes.value.bytes(), self.in_field)),
            Expr::NumberLiteral(number) => self.push(&literal::number(&number.value)),
            Expr::BooleanLiteral(boolean) => self.push(if boolean.value { "True" } else { "False" }),
            Expr::NoneLiteral(_) => self.push("None"),
            Expr::Starred(starred) => {
                self.push("*");
                self.expression(&starred.value, OperatorPrecedence::BitOr);
            }
            Expr::Slice(_) => self.subscript(expression),
            // Not HealCore, so that no healing holds it.
            Expr::Named(_)
            | Expr::Lambda(_)
            | Expr::Await(_)
            | Expr::Yield(_)
            | Expr::YieldFrom(_)
            | Expr::TString(_)
            | Expr::EllipsisLiteral(_)
            | Expr::IpyEscapeCommand(_) => self.verbatim(expression),
        }
    }

    fn binary(&mut self, left: &Expr, operator: Operator, right: &Expr) {
        let precedence = OperatorPrecedence::from(operator);
        let (before, after) = if operator == Operator::Pow {
            // `**` binds tighter than a unary operator on its left, and looser than one on its right.
            (above(precedence), OperatorPrecedence::PosNegBitNot)
        } else {
            (precedence, above(precedence))
        };
        self.expression(left, before);
        self.push(" ");
        self.push(operator.as_str());
        self.push(" ");
        self.expression(right, after);
    }

    fn comparison(&mut self, comparison: &ExprCompare) {
        self.expression(&comparison.left, OperatorPrecedence::BitOr);
        for (operator, operand) in comparison.ops.iter().zip(&comparison.comparators) {
            self.push(" ");
            self.push(operator.as_str());
            self.push(" ");
            self.expression(operand, OperatorPrecedence::BitOr);
        }
    }

    fn call(&mut self, call: &ExprCall) {
        self.expression(&call.func, OperatorPrecedence::CallAttribute);
        self.push("(");
        for (position, argument) in call.arguments.iter_source_order().enumerate() {
            if position > 0 {
                self.push(", ");
            }
            match argument {
                ruff_python_ast::ArgOrKeyword::Arg(argument) => self.any(argument),
                ruff_python_ast::ArgOrKeyword::Keyword(keyword) => {
                    match &keyword.arg {
                        Some(name) => {
                            self.push(name.as_str());
                            self.push("=");
                        }
                        None => self.push("**"),
                    }
                    self.any(&keyword.value);
                }
            }
        }
        self.push(")");
    }

    fn subscript(&mut self, index: &Expr) {
        match index {
            Expr::Slice(slice) => {
                self.optional(slice.lower.as_deref());
                self.push(":");
                self.optional(slice.upper.as_deref());
                if slice.step.is_some() {
                    self.push(":");
                    self.optional(slice.step.as_deref());
                }
            }
            Expr::Tuple(tuple) if tuple.elts.iter().any(Expr::is_slice_expr) => {
                self.list(&tuple.elts, Self::subscript);
                if tuple.elts.len() == 1 {
                    self.push(",");
                }
            }
            other => self.any(other),
        }
    }

    fn optional(&mut self, expression: Option<&Expr>) {
        if let Some(expression) = expression {
            self.any(expression);
        }
    }

    fn display(&mut self, open: &str, elements: &[Expr], close: &str) {
        self.push(open);
        self.list(elements, Self::any);
        self.push(close);
    }

    fn tuple(&mut self, tuple: &ExprTuple) {
        let close = if tuple.elts.len() == 1 { ",)" } else { ")" };
        self.display("(", &tuple.elts, close);
    }

    fn dict(&mut self, dict: &ExprDict) {
        self.push("{");
        self.list(&dict.items, |printer, item| match &item.key {
            Some(key) => {
                printer.any(key);
                printer.push(": ");
                printer.any(&item.value);
            }
            None => {
                printer.push("**");
                printer.expression(&item.value, OperatorPrecedence::BitOr);
            }
        });
        self.push("}");
    }

    fn comprehension(&mut self, open: &str, results: &[&Expr], clauses: &[Comprehension], close: &str) {
        self.push(open);
        for (position, result) in results.iter().enumerate() {
            if position > 0 {
                self.push(": ");
            }
            self.any(result);
        }
        for clause in clauses {
            self.push(" for ");
            self.any(&clause.target);
            self.push(" in ");
            self.expression(&clause.iter, OperatorPrecedence::Or);
            for condition in &clause.ifs {
                self.push(" if ");
                self.expression(condition, OperatorPrecedence::Or);
            }
        }
        self.push(close);
    }

    fn f_string(&mut self, text: &ExprFString) {
        self.push("f\"");
        for part in &text.value {
            match part {
                FStringPart::Literal(part) => self.push(&literal::field_text(&part.value)),
                FStringPart::FString(part) => {
                    for element in &part.elements {
                        match element {
                            InterpolatedStringElement::Literal(part) => self.push(&literal::field_text(&part.value)),
                            InterpolatedStringElement::Interpolation(field) => self.field(field),
                        }
                    }
                }
            }
        }
        self.push("\"");
    }

    fn field(&mut self, field: &InterpolatedElement) {
        self.push("{");
        let outer = std::mem::replace(&mut self.in_field, true);
        let start = self.text.len();
        self.any(&field.expression);
        self.in_field = outer;
        // Two braces in a row would be read as an escaped brace.
        if self.text[start..].starts_with('{') {
            self.text.insert(start, ' ');
        }
        match field.conversion {
            ConversionFlag::None => {}
            ConversionFlag::Str => self.push("!s"),
            ConversionFlag::Ascii => self.push("!a"),
            ConversionFlag::Repr => self.push("!r"),
        }
        if let Some(spec) = &field.format_spec {
            self.push(":");
            for element in &spec.elements {
                match element {
                    InterpolatedStringElement::Literal(part) => self.push(&part.value),
                    InterpolatedStringElement::Interpolation(nested) => self.verbatim(nested),
                }
            }
        }
        self.push("}");
    }
}

/// The precedence just above: what an operand must have that may not be the same operator bare.
fn above(precedence: OperatorPrecedence) -> OperatorPrecedence {
    use OperatorPrecedence as P;
    match precedence {
        P::Or => P::And,
        P::And => P::Not,
        P::BitOr => P::BitXor,
        P::BitXor => P::BitAnd,
        P::BitAnd => P::LeftRightShift,
        P::LeftRightShift => P::AddSub,
        P::AddSub => P::MulDivRemain,
        P::MulDivRemain => P::PosNegBitNot,
        P::Exponent => P::Await,
        _ => P::Atomic,
    }
}
