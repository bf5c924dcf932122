//! Calls: of built-ins, of methods, and in the repository profile of functions of the repository.

use ruff_python_ast::{Expr, ExprAttribute, ExprCall, ExprName};
use ruff_text_size::Ranged;

use super::{Use, Validator};
use crate::code::Code;
use crate::healing::ObligationKind;
use crate::profile::Binding;
use crate::vocabulary::{Effect, Method, builtin, method, refused_builtin, static_method};

impl Validator<'_> {
    pub(super) fn call(&mut self, call: &ExprCall, usage: Use) {
        match &*call.func {
            Expr::Name(function) => self.function_call(call, function, usage),
            Expr::Attribute(attribute) => self.attribute_call(call, attribute, usage),
            computed => {
                self.reject(Code::ComputedCallee, computed, "the callee is computed");
                self.expression(computed, Use::Value);
                self.plain_arguments(call);
            }
        }
    }

    fn function_call(&mut self, call: &ExprCall, function: &ExprName, usage: Use) {
        let name = function.id.as_str();
        if self.is_hidden(name) || self.is_comprehension_name(name) {
            self.repository_call(call, name);
        } else if let Some(builtin) = builtin(name) {
            self.oblige(ObligationKind::Builtin(name.to_owned()), function);
            if usage == Use::Statement {
                self.reject(Code::NoEffect, call, format!("the result of `{name}` is not used"));
            }
            if builtin.lazy && usage != Use::Consumed && !iterates_fresh_container(call) {
                self.reject(Code::LazyKept, call, format!("the iterator that `{name}` returns would be kept"));
            }
            self.arguments(call, name, &builtin.signature);
        } else if let Some(code) = refused_builtin(name) {
            self.reject(code, function, format!("`{name}` may not be called"));
            self.plain_arguments(call);
        } else if name.starts_with('_') {
            self.read_name(function);
            self.plain_arguments(call);
        } else {
            self.repository_call(call, name);
        }
    }

    fn attribute_call(&mut self, call: &ExprCall, attribute: &ExprAttribute, usage: Use) {
        let name = attribute.attr.as_str();
        self.attribute_name(&attribute.attr, attribute);
        if matches!(name, "format" | "format_map") {
            self.reject(Code::FormatMethod, attribute, format!("`{name}` reaches attributes through its fields"));
            self.receiver(&attribute.value);
            self.plain_arguments(call);
            return;
        }
        if let Some((class, signature)) = self.static_signature(attribute) {
            self.oblige(ObligationKind::Builtin(class.to_owned()), &*attribute.value);
            self.arguments(call, name, signature);
            return;
        }
        if let Some(path) = Self::dotted(&call.func).filter(|path| self.profile.resolves(path)) {
            self.repository_call(call, &path);
            return;
        }
        if self.calls_module(&attribute.value) {
            let message = format!("`{}` is a function of a module", self.text(attribute));
            self.reject(Code::Module, attribute, message);
            self.plain_arguments(call);
            return;
        }
        match method(name) {
            Some(method) => self.method_call(call, attribute, method, usage),
            None => {
                // A name that is refused for itself needs no second reason.
                if !name.starts_with('_') {
                    let message = format!("`{name}` is not a listed method of built-in containers and strings");
                    self.reject(Code::MethodNotListed, &attribute.attr, message);
                }
                self.receiver(&attribute.value);
                self.plain_arguments(call);
            }
        }
    }

    fn method_call(&mut self, call: &ExprCall, attribute: &ExprAttribute, method: &Method, usage: Use) {
        match (method.effect, usage) {
            (Effect::Pure, Use::Statement) => {
                self.reject(Code::NoEffect, call, format!("the result of `{}` is not used", method.name));
            }
            (Effect::Mutates, Use::Value | Use::Consumed | Use::Assigned)
            | (Effect::Takes, Use::Value | Use::Consumed) => {
                self.reject(Code::Mutation, call, format!("`{}` changes its receiver", method.name));
            }
            (Effect::Pure, _) | (Effect::Mutates | Effect::Takes, Use::Statement) | (Effect::Takes, Use::Assigned) => {}
        }
        self.receiver(&attribute.value);
        self.oblige(ObligationKind::Receiver(method.name.to_owned()), &*attribute.value);
        self.arguments(call, method.name, &method.signature);
        self.method_growth(&attribute.value, method.name, &call.arguments.args, call.range());
    }

    fn receiver(&mut self, receiver: &Expr) {
        if self.module_of(receiver).is_none() {
            self.expression(receiver, Use::Value);
        }
    }

    /// The listed method of a built-in type that an attribute names, as in `dict.fromkeys`.
    fn static_signature<'e>(
        &self,
        attribute: &'e ExprAttribute,
    ) -> Option<(&'e str, &'static crate::vocabulary::Signature)> {
        let Expr::Name(class) = &*attribute.value else { return None };
        let class = class.id.as_str();
        if self.is_hidden(class) {
            return None;
        }
        static_method(class, attribute.attr.as_str()).map(|signature| (class, signature))
    }

    /// Whether the receiver of a call is known to be a module.
    fn calls_module(&self, receiver: &Expr) -> bool {
        matches!(receiver, Expr::Name(name) if self.profile.binding(name.id.as_str()) == Some(Binding::Module))
    }

    /// A call of a function of the repository, which only the repository profile allows.
    fn repository_call(&mut self, call: &ExprCall, path: &str) {
        if !self.profile.resolves(path) {
            let message = if self.profile.allows_repository() {
                format!("`{path}` is not one function of the repository for certain")
            } else {
                format!("`{path}` is not a listed built-in")
            };
            self.reject(Code::UnknownFunction, &*call.func, message);
        } else if self.comprehension_depth > 0 {
            self.reject(Code::Mutation, call, format!("`{path}` could change state in a comprehension"));
        }
        self.oblige(ObligationKind::Repository(path.to_owned()), &*call.func);
        self.plain_arguments(call);
    }

    /// Arguments of a call of which nothing is known: any expressions, no stars.
    fn plain_arguments(&mut self, call: &ExprCall) {
        self.too_many_items(call.arguments.len(), call);
        for argument in &call.arguments.args {
            match argument {
                Expr::Starred(starred) => {
                    self.reject(Code::StarArgument, argument, "the number of arguments is computed");
                    self.expression(&starred.value, Use::Consumed);
                }
                other => self.expression(other, Use::Value),
            }
        }
        for keyword in &call.arguments.keywords {
            if keyword.arg.is_none() {
                self.reject(Code::StarArgument, keyword, "the names of arguments are computed");
            }
            self.keyword_name(keyword);
            self.expression(&keyword.value, Use::Value);
        }
    }
}

/// `iter` of a container made on the spot: what is kept then reads nothing that could change or run code.
fn iterates_fresh_container(call: &ExprCall) -> bool {
    let iterates = matches!(&*call.func, Expr::Name(function) if function.id.as_str() == "iter");
    iterates
        && matches!(
            &call.arguments.args[..],
            [Expr::List(_) | Expr::Tuple(_) | Expr::StringLiteral(_) | Expr::ListComp(_)]
        )
}
