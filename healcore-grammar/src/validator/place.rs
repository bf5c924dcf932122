//! Places: what may be assigned, deleted, or bound by a loop.

use ruff_python_ast::{Expr, ExprAttribute, ExprSubscript};

use super::{Use, Validator};
use crate::code::Code;

impl Validator<'_> {
    /// An assignment target: a name, an attribute, an item, or a tuple of these.
    pub(super) fn target(&mut self, target: &Expr) {
        match target {
            Expr::Name(name) => self.bound_name(name),
            Expr::Attribute(attribute) => self.attribute_place(attribute),
            Expr::Subscript(subscript) => self.item_place(subscript),
            Expr::Tuple(tuple) => self.unpacking(&tuple.elts, target),
            Expr::List(list) => self.unpacking(&list.elts, target),
            other => self.reject(Code::AssignmentTarget, other, "this cannot be assigned to"),
        }
    }

    fn unpacking(&mut self, elements: &[Expr], whole: &Expr) {
        if elements.iter().filter(|element| element.is_starred_expr()).count() > 1 {
            self.reject(Code::AssignmentTarget, whole, "more than one star");
        }
        self.too_many_items(elements.len(), whole);
        self.nested(whole, |validator| {
            for element in elements {
                match element {
                    Expr::Starred(starred) if !starred.value.is_starred_expr() => validator.target(&starred.value),
                    other => validator.target(other),
                }
            }
        });
    }

    fn attribute_place(&mut self, attribute: &ExprAttribute) {
        if let Some(module) = self.module_of(&attribute.value) {
            self.reject(Code::Module, attribute, format!("an attribute of the module `{module}` is rebound"));
            return;
        }
        self.nested(attribute, |validator| {
            validator.expression(&attribute.value, Use::Value);
            validator.attribute_name(&attribute.attr, attribute);
        });
    }

    fn item_place(&mut self, subscript: &ExprSubscript) {
        self.nested(subscript, |validator| {
            validator.expression(&subscript.value, Use::Value);
            validator.subscript(&subscript.slice);
        });
    }

    /// The target of a loop or comprehension: names, and tuples of names.
    ///
    /// Attributes and items are refused: they would be written by what reads like a binding.
    pub(super) fn loop_target(&mut self, target: &Expr, code: Code) {
        match target {
            Expr::Name(name) => self.bound_name(name),
            Expr::Tuple(tuple) => self.loop_unpacking(&tuple.elts, target, code),
            Expr::List(list) => self.loop_unpacking(&list.elts, target, code),
            other => self.reject(code, other, "only names can be bound here"),
        }
    }

    fn loop_unpacking(&mut self, elements: &[Expr], whole: &Expr, code: Code) {
        if elements.iter().filter(|element| element.is_starred_expr()).count() > 1 {
            self.reject(Code::AssignmentTarget, whole, "more than one star");
        }
        self.nested(whole, |validator| {
            for element in elements {
                match element {
                    Expr::Starred(starred) if !starred.value.is_starred_expr() => {
                        validator.loop_target(&starred.value, code);
                    }
                    other => validator.loop_target(other, code),
                }
            }
        });
    }
}
