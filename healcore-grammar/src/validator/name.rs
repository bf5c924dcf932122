//! Names, attributes, keyword names and item keys.

use ruff_python_ast::{Expr, ExprAttribute, ExprName, Identifier, Keyword};
use ruff_text_size::{Ranged, TextRange};
use unicode_normalization::UnicodeNormalization;

use super::Validator;
use crate::code::Code;
use crate::healing::HEALED_RETURN;
use crate::profile::Binding;
use crate::vocabulary::{is_builtin_name, is_introspection, module_attribute_is_refused, refused_module};

impl Validator<'_> {
    /// A name whose value is read.
    pub(super) fn read_name(&mut self, name: &ExprName) {
        let identifier = name.id.as_str();
        if !self.identifier(identifier, name.range(), Code::UnderscoreName) {
            return;
        }
        if identifier == HEALED_RETURN {
            self.reject(Code::HealedReturn, name, "`healed_return` cannot be read");
        } else if self.is_comprehension_name(identifier) {
            // Bound right here, so the frame and the built-ins do not matter.
        } else if is_builtin_name(identifier) && !self.is_hidden(identifier) {
            self.reject(Code::BuiltinValue, name, format!("the built-in `{identifier}` is used as a value"));
        } else if self.is_refused_module(identifier) {
            self.reject(Code::Module, name, format!("the module `{identifier}` is used as a value"));
        }
    }

    /// A name that the healing binds or deletes.
    pub(super) fn bound_name(&mut self, name: &ExprName) {
        let identifier = name.id.as_str();
        if !self.identifier(identifier, name.range(), Code::UnderscoreName) {
            return;
        }
        if identifier == HEALED_RETURN {
            let message = "`healed_return` can only be assigned alone, by the last statement";
            self.reject(Code::HealedReturn, name, message);
        } else if is_builtin_name(identifier) && !self.is_hidden(identifier) {
            self.reject(Code::BuiltinRebound, name, format!("`{identifier}` would hide the built-in"));
        } else if self.is_refused_module(identifier) {
            self.reject(Code::Module, name, format!("`{identifier}` would hide or replace the module"));
        }
    }

    /// Whether the name means a module that is out of reach; without knowledge of the frame it may.
    pub(super) fn is_refused_module(&self, name: &str) -> bool {
        refused_module(name)
            && !self.is_comprehension_name(name)
            && self.profile.binding(name).is_none_or(|binding| binding == Binding::Module)
    }

    pub(super) fn is_comprehension_name(&self, name: &str) -> bool {
        self.comprehension_names.iter().any(|bound| bound == name)
    }

    /// The name of an attribute that is read, written or called.
    pub(super) fn attribute_name(&mut self, attribute: &Identifier, whole: &ExprAttribute) {
        if self.identifier(attribute.as_str(), attribute.range(), Code::UnderscoreAttribute) {
            self.introspection(attribute.as_str(), attribute.range());
        }
        if let Some(module) = self.module_of(&whole.value)
            && module_attribute_is_refused(module, attribute.as_str())
        {
            let message = format!("`{module}.{attribute}` is not data that a healing may touch");
            self.reject(Code::Module, whole, message);
        }
    }

    /// The refused module that an expression names.
    pub(super) fn module_of<'e>(&self, expression: &'e Expr) -> Option<&'e str> {
        match expression {
            Expr::Name(name) if self.is_refused_module(name.id.as_str()) => Some(name.id.as_str()),
            _ => None,
        }
    }

    /// An attribute name given as a literal string. `getattr` does not normalize it, so it has to be in NFKC already.
    pub(super) fn attribute_literal(&mut self, attribute: &str, range: TextRange) {
        let normalized: String = attribute.nfkc().collect();
        if normalized != attribute {
            self.reject(Code::NotNormalized, range, format!("this is not the identifier `{normalized}`"));
        }
        if self.identifier(&normalized, range, Code::UnderscoreAttribute) {
            self.introspection(&normalized, range);
        }
    }

    fn introspection(&mut self, attribute: &str, range: TextRange) {
        if is_introspection(attribute) {
            self.reject(Code::Introspection, range, format!("`{attribute}` leads to interpreter internals"));
        }
    }

    /// The name of a keyword argument.
    pub(super) fn keyword_name(&mut self, keyword: &Keyword) {
        if let Some(name) = &keyword.arg {
            self.identifier(name.as_str(), name.range(), Code::UnderscoreKeyword);
        }
    }

    /// A string that is used as the key of an item.
    pub(super) fn item_key(&mut self, key: &Expr) {
        let Expr::StringLiteral(literal) = key else { return };
        let normalized: String = literal.value.to_str().nfkc().collect();
        if normalized.len() > 4 && normalized.starts_with("__") && normalized.ends_with("__") {
            self.reject(Code::DunderKey, key, format!("the key `{normalized}` names a Python internal"));
        }
    }

    /// Checks an identifier in its normal form. Returns whether it may be used at all.
    fn identifier(&mut self, identifier: &str, range: TextRange, underscore: Code) -> bool {
        let private = identifier.starts_with('_');
        if private {
            self.reject(underscore, range, format!("`{identifier}` starts with an underscore"));
        }
        !private
    }
}
