//! Arguments of listed built-ins and methods: their number, and the conditions that some of them meet.

use ruff_python_ast::{Expr, ExprCall, Operator};
use ruff_text_size::Ranged;

use super::facts::Kind;
use super::{Use, Validator};
use crate::code::Code;
use crate::vocabulary::{
    CLASSES, CODEC_ERRORS, CODECS, Check, FUNCTION_ARGUMENTS, Keywords, Signature, builtin, is_exception,
};

/// How many items a byte string made from an unknown argument may have is not known: these kinds of literal are.
const COLLECTIONS: &[&str] = &["bytes", "bytearray", "list", "tuple", "sorted", "set", "map", "range"];

impl Validator<'_> {
    /// The arguments of a call with a known signature.
    pub(super) fn arguments(&mut self, call: &ExprCall, name: &str, signature: &Signature) {
        self.argument_count(call, name, signature);
        self.range_limits(call, signature.check);
        for (position, argument) in call.arguments.args.iter().enumerate() {
            if !self.checked_argument(position, argument, signature.check, call) {
                self.argument(argument, signature);
            }
        }
        for keyword in &call.arguments.keywords {
            let Some(identifier) = &keyword.arg else {
                self.reject(Code::StarArgument, keyword, "the names of arguments are computed");
                self.expression(&keyword.value, Use::Value);
                continue;
            };
            self.keyword_name(keyword);
            let known = match signature.keywords {
                Keywords::Only(names) => names.contains(&identifier.as_str()),
                Keywords::Any => true,
            };
            if !known && !identifier.as_str().starts_with('_') {
                self.reject(Code::Arguments, keyword, format!("`{name}` takes no argument `{identifier}`"));
            }
            if !self.checked_keyword(identifier.as_str(), &keyword.value, signature.check) {
                self.expression(&keyword.value, Use::Value);
            }
        }
    }

    fn argument_count(&mut self, call: &ExprCall, name: &str, signature: &Signature) {
        let positional = &call.arguments.args;
        let star = positional.iter().any(Expr::is_starred_expr);
        let (least, most) = (signature.least, signature.most);
        if positional.len() > most || (positional.len() < least && !star) {
            let message = if least == most {
                format!("`{name}` takes {most} positional arguments here, not {}", positional.len())
            } else {
                format!("`{name}` takes {least} to {most} positional arguments here, not {}", positional.len())
            };
            self.reject(Code::Arguments, call, message);
        }
    }

    fn argument(&mut self, argument: &Expr, signature: &Signature) {
        let usage = if signature.consumes { Use::Consumed } else { Use::Value };
        match argument {
            Expr::Starred(starred) => {
                if !signature.star {
                    self.reject(Code::StarArgument, argument, "the number of arguments is computed");
                }
                self.expression(&starred.value, Use::Consumed);
            }
            other => self.expression(other, usage),
        }
    }

    /// Checks the argument at a position for which there is a condition. Returns whether that was all there is
    /// to check about it.
    fn checked_argument(&mut self, position: usize, argument: &Expr, check: Check, call: &ExprCall) -> bool {
        match (check, position) {
            (Check::AttributeName, 1) => self.literal_attribute(argument),
            (Check::Classes, 1) => self.classes(argument),
            (Check::Function, 0) => self.function(argument),
            (Check::FunctionOrNone, 0) => {
                if !argument.is_none_literal_expr() {
                    self.function(argument);
                }
            }
            (Check::Digits, 1) => self.digits(argument),
            (Check::ByteSize, 0) => return self.byte_size(argument, call),
            (Check::ByteSize, 1) => self.codec(argument, CODECS),
            (Check::SumStart, 1) => return self.sum_start(argument),
            (Check::FreshIterator, 0) => return self.fresh_iterator(argument),
            (Check::Width, 0) => self.bounded_size(argument, self.bounds().format_width, "width"),
            (Check::Codec, 0) => self.codec(argument, CODECS),
            (Check::Codec, 1) => self.codec(argument, CODEC_ERRORS),
            (Check::ItemKey, 0) => {
                self.item_key(argument);
                return false;
            }
            _ => return false,
        }
        true
    }

    fn checked_keyword(&mut self, keyword: &str, value: &Expr, check: Check) -> bool {
        match (check, keyword) {
            (Check::Key, "key") => {
                if !value.is_none_literal_expr() {
                    self.function(value);
                }
            }
            (Check::Digits, "ndigits") => self.digits(value),
            (Check::SumStart, "start") => return self.sum_start(value),
            (Check::Width, "tabsize") => self.bounded_size(value, self.bounds().format_width, "width"),
            (Check::Codec, "encoding") => self.codec(value, CODECS),
            (Check::Codec, "errors") => self.codec(value, CODEC_ERRORS),
            _ => return false,
        }
        true
    }

    fn range_limits(&mut self, call: &ExprCall, check: Check) {
        if check != Check::Range {
            return;
        }
        let limit = self.bounds().loop_iterations;
        if let Some(length) = self.range_length(&call.arguments.args).filter(|length| *length > limit) {
            self.reject(Code::LoopTooLong, call, format!("the range has {length} items of at most {limit}"));
        }
    }

    /// The name in `getattr(object, "name")`: a literal that would pass as an attribute.
    fn literal_attribute(&mut self, argument: &Expr) {
        match argument {
            Expr::StringLiteral(literal) if is_identifier(literal.value.to_str()) => {
                self.attribute_literal(literal.value.to_str(), literal.range());
            }
            other => {
                self.reject(Code::ComputedAttribute, other, "the attribute name is not a literal identifier");
                self.argument_expression(other);
            }
        }
    }

    /// Classes in `isinstance`: built-in ones, or expressions that name a class.
    fn classes(&mut self, argument: &Expr) {
        self.nested(argument, |validator| match argument {
            Expr::Name(name) => {
                let class = name.id.as_str();
                let builtin = CLASSES.contains(&class) || is_exception(class);
                if !builtin || validator.is_hidden(class) {
                    validator.read_name(name);
                }
            }
            Expr::Tuple(tuple) => tuple.elts.iter().for_each(|element| validator.classes(element)),
            Expr::BinOp(union) if union.op == Operator::BitOr => {
                validator.classes(&union.left);
                validator.classes(&union.right);
            }
            Expr::NoneLiteral(_) => {}
            other => validator.argument_expression(other),
        });
    }

    fn function(&mut self, argument: &Expr) {
        let listed = matches!(argument, Expr::Name(name)
            if FUNCTION_ARGUMENTS.contains(&name.id.as_str()) && !self.is_hidden(name.id.as_str())
                && !self.is_comprehension_name(name.id.as_str()));
        if listed {
            let kind = crate::healing::ObligationKind::Builtin(self.text(argument).to_owned());
            self.oblige(kind, argument);
        } else {
            let message = format!("`{}` is not a listed pure built-in", self.text(argument));
            self.reject(Code::FunctionArgument, argument, message);
        }
    }

    fn digits(&mut self, argument: &Expr) {
        self.argument_expression(argument);
        let limit = self.bounds().round_digits;
        let known =
            argument.is_none_literal_expr() || self.fact(argument).magnitude().is_some_and(|digits| digits <= limit);
        if !known {
            self.reject(Code::SizeUnbounded, argument, format!("the digits are not known to be at most {limit}"));
        }
    }

    /// `bytes(n)` makes n bytes; only arguments that are certainly no large number pass.
    fn byte_size(&mut self, argument: &Expr, call: &ExprCall) -> bool {
        let fact = self.fact(argument);
        let hidden = |name: &str| self.is_hidden(name);
        let collection = matches!(argument, Expr::Set(_) | Expr::SetComp(_) | Expr::Generator(_))
            || self.calls(&hidden).builtin(argument).is_some_and(|(name, _)| COLLECTIONS.contains(&name));
        let limit = self.bounds().sequence_items;
        let small = fact.is_number() && fact.ceiling().is_some_and(|size| size <= limit);
        if call.arguments.args.len() == 1 && fact.kind != Kind::Sequence && !collection && !small {
            self.reject(Code::SizeUnbounded, argument, "this could be a large number of bytes");
        }
        false
    }

    fn sum_start(&mut self, argument: &Expr) -> bool {
        if !self.fact(argument).is_number() {
            self.reject(
                Code::SumOfCollections,
                argument,
                "the start could be a collection, which `sum` copies each time",
            );
        }
        false
    }

    /// `next` may only advance an iterator that nobody else sees.
    fn fresh_iterator(&mut self, argument: &Expr) -> bool {
        let hidden = |name: &str| self.is_hidden(name);
        let call = self.calls(&hidden).builtin(argument);
        let fresh = argument.is_generator_expr()
            || call.is_some_and(|(name, _)| builtin(name).is_some_and(|builtin| builtin.lazy));
        if !fresh {
            self.reject(Code::AdvancesIterator, argument, "an existing iterator would lose an item");
        }
        false
    }

    fn codec(&mut self, argument: &Expr, listed: &[&str]) {
        match argument {
            Expr::StringLiteral(literal) if listed.contains(&literal.value.to_str()) => {}
            other => {
                self.reject(Code::Codec, other, format!("`{}` is not a listed literal", self.text(other)));
                self.argument_expression(other);
            }
        }
    }

    /// An argument that was refused already or needs nothing special: its parts are still checked.
    fn argument_expression(&mut self, argument: &Expr) {
        match argument {
            Expr::Starred(starred) => {
                self.reject(Code::StarArgument, argument, "the number of arguments is computed");
                self.expression(&starred.value, Use::Consumed);
            }
            other => self.expression(other, Use::Value),
        }
    }
}

fn is_identifier(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|character: char| character.is_ascii_digit())
        && text.chars().all(|character| character.is_alphanumeric() || character == '_')
}
