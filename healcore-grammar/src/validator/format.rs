//! f-strings and literal `%` formats: their widths are fixed and their fields simple.

use ruff_python_ast::visitor::{Visitor, walk_expr};
use ruff_python_ast::{Expr, ExprFString, FStringPart, InterpolatedElement, InterpolatedStringElement};
use ruff_text_size::Ranged;

use super::expression::LOST;
use super::{Use, Validator};
use crate::code::Code;
use crate::healing::ObligationKind;

impl Validator<'_> {
    /// An f-string; `whole` is the same as an expression.
    pub(super) fn f_string(&mut self, text: &ExprFString, whole: &Expr) {
        self.oblige(ObligationKind::Growth, text);
        let mut parts: Vec<&str> = Vec::new();
        for part in &text.value {
            match part {
                FStringPart::Literal(literal) => parts.push(&literal.value),
                FStringPart::FString(part) => {
                    for element in &part.elements {
                        match element {
                            InterpolatedStringElement::Literal(literal) => parts.push(&literal.value),
                            InterpolatedStringElement::Interpolation(field) => self.field(field),
                        }
                    }
                }
            }
        }
        self.literal_length(parts.iter().map(|part| part.len()).sum(), whole);
        self.surrogates(
            parts.iter().flat_map(|part| part.chars()).filter(|character| *character == LOST).count(),
            whole,
        );
    }

    fn field(&mut self, field: &InterpolatedElement) {
        if field.debug_text.is_some() {
            self.reject(Code::DebugField, field, "`=` prints the source of the field");
        }
        let mut complex = ComplexText { found: false };
        complex.visit_expr(&field.expression);
        if complex.found {
            let message = "a field may hold no f-string, and no string with quotes, backslashes or control characters";
            self.reject(Code::FieldTooComplex, &*field.expression, message);
        }
        self.expression(&field.expression, Use::Value);
        for element in field.format_spec.iter().flat_map(|spec| &spec.elements) {
            match element {
                InterpolatedStringElement::Literal(spec) => self.format_spec(&spec.value, spec),
                InterpolatedStringElement::Interpolation(nested) => {
                    self.reject(Code::ComputedFormat, nested, "the format is computed");
                }
            }
        }
    }

    /// A literal format specification: any text whose numbers are small.
    fn format_spec(&mut self, spec: &str, range: impl Ranged) {
        let unreadable = |character: char| {
            matches!(character, '"' | '\'' | '\\' | '{' | '}' | LOST) || character.is_control()
                // Python reads decimal digits of every script as a width.
                || (character.is_numeric() && !character.is_ascii_digit())
        };
        // Python versions differ in whether they decode escapes here, so that the text must not hold any.
        if spec.contains(unreadable) || self.text(&range).contains('\\') {
            self.reject(Code::ComputedFormat, range, "the format holds characters that cannot be judged");
        } else if self.has_large_number(spec) {
            let message = format!("the format has a width or precision over {}", self.bounds().format_width);
            self.reject(Code::FormatTooWide, range, message);
        }
    }

    /// A literal format on the left of `%`.
    pub(super) fn percent_format(&mut self, format: &str, literal: &Expr) {
        self.oblige(ObligationKind::Growth, literal);
        let mut rest = format;
        while let Some((_, after)) = rest.split_once('%') {
            let after = match after.strip_prefix('(') {
                Some(key) => {
                    let Some(end) = key_end(key) else {
                        self.reject(Code::ComputedFormat, literal, "a key in the format is not closed");
                        return;
                    };
                    &key[end..]
                }
                None => after,
            };
            let conversion = after.find(|character: char| character.is_ascii_alphabetic() || character == '%');
            let (options, tail) = after.split_at(conversion.unwrap_or(after.len()));
            if options.contains('*') {
                self.reject(Code::ComputedFormat, literal, "`*` takes the width from the arguments");
            } else if self.has_large_number(options) {
                let message = format!("the format has a width or precision over {}", self.bounds().format_width);
                self.reject(Code::FormatTooWide, literal, message);
            }
            rest = tail.get(1..).unwrap_or_default();
        }
    }

    fn has_large_number(&self, text: &str) -> bool {
        let limit = self.bounds().format_width;
        text.split(|character: char| !character.is_ascii_digit())
            .filter(|digits| !digits.is_empty())
            .any(|digits| digits.parse::<u64>().map_or(true, |number| number > limit))
    }
}

/// Where the key of `%(key)s` ends, after its closing parenthesis. Parentheses in keys nest.
fn key_end(key: &str) -> Option<usize> {
    let mut depth = 1_usize;
    for (offset, character) in key.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(offset + 1);
        }
    }
    None
}

/// Looks for text inside a field that could not be written there before Python 3.12.
struct ComplexText {
    found: bool,
}

impl<'a> Visitor<'a> for ComplexText {
    fn visit_expr(&mut self, expression: &'a Expr) {
        let simple = |character: char| !matches!(character, '"' | '\'' | '\\' | '#') && !character.is_control();
        match expression {
            Expr::FString(_) | Expr::TString(_) => self.found = true,
            Expr::StringLiteral(literal) => self.found |= !literal.value.to_str().chars().all(simple),
            Expr::BytesLiteral(literal) => {
                self.found |= !literal.value.bytes().all(|byte| byte.is_ascii() && simple(char::from(byte)));
            }
            _ => walk_expr(self, expression),
        }
    }
}
