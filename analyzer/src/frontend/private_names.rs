//! Private names of classes: `__x` in class `C` is `_C__x`, whatever it names there.
//!
//! Follows the language reference, section 6.2.2 (private name mangling), and CPython where that is silent: what `import` looks
//! for, and the keywords of class patterns, keep their names.

use ruff_python_ast::visitor::transformer::{self, Transformer};
use ruff_python_ast::{
    self as ast, ExceptHandler, Expr, Identifier, Keyword, Parameter, Pattern, Stmt, TypeParam, TypeParamParamSpec,
    TypeParamTypeVar, TypeParamTypeVarTuple, name::Name,
};

/// Gives the private names in a file the names that they have when it runs. The text of the file keeps its offsets.
pub(super) fn mangle(suite: &mut [Stmt]) {
    InClass { class: "" }.visit_body(suite);
}

/// Code with this class around it, or with none.
struct InClass<'c> {
    class: &'c str,
}

impl InClass<'_> {
    fn mangled(&self, name: &str) -> Option<Name> {
        let class = self.class.trim_start_matches('_');
        let is_private = !class.is_empty() && name.starts_with("__") && !name.ends_with("__") && !name.contains('.');
        is_private.then(|| Name::from(format!("_{class}{name}")))
    }

    fn rename(&self, name: &mut Identifier) {
        if let Some(mangled) = self.mangled(&name.id) {
            name.id = mangled;
        }
    }

    fn rename_all<'n>(&self, names: impl IntoIterator<Item = &'n mut Identifier>) {
        names.into_iter().for_each(|name| self.rename(name));
    }

    /// The class itself belongs to what is around it; its body is its own.
    fn rename_class(&self, definition: &mut ast::StmtClassDef) {
        definition.decorator_list.iter_mut().for_each(|decorator| self.visit_decorator(decorator));
        if let Some(arguments) = &mut definition.arguments {
            self.visit_arguments(arguments);
        }
        let inside = InClass { class: &definition.name.id };
        if let Some(parameters) = &mut definition.type_params {
            inside.visit_type_params(parameters);
        }
        inside.visit_body(&mut definition.body);
        self.rename(&mut definition.name);
    }
}

impl Transformer for InClass<'_> {
    fn visit_stmt(&self, statement: &mut Stmt) {
        match statement {
            Stmt::ClassDef(definition) => return self.rename_class(definition),
            Stmt::FunctionDef(definition) => self.rename(&mut definition.name),
            Stmt::Global(declared) => self.rename_all(&mut declared.names),
            Stmt::Nonlocal(declared) => self.rename_all(&mut declared.names),
            Stmt::Import(import) => import.names.iter_mut().for_each(|alias| {
                let bound = alias.asname.as_ref().unwrap_or(&alias.name);
                if let Some(mangled) = self.mangled(&bound.id) {
                    alias.asname = Some(Identifier::new(mangled, bound.range));
                }
            }),
            Stmt::ImportFrom(import) => import.names.iter_mut().for_each(|alias| {
                self.rename(&mut alias.name);
                self.rename_all(&mut alias.asname);
            }),
            _ => {}
        }
        transformer::walk_stmt(self, statement);
    }

    fn visit_expr(&self, expression: &mut Expr) {
        match expression {
            Expr::Name(name) => {
                if let Some(mangled) = self.mangled(&name.id) {
                    name.id = mangled;
                }
            }
            Expr::Attribute(attribute) => self.rename(&mut attribute.attr),
            _ => {}
        }
        transformer::walk_expr(self, expression);
    }

    fn visit_keyword(&self, keyword: &mut Keyword) {
        self.rename_all(&mut keyword.arg);
        transformer::walk_keyword(self, keyword);
    }

    fn visit_parameter(&self, parameter: &mut Parameter) {
        self.rename(&mut parameter.name);
        transformer::walk_parameter(self, parameter);
    }

    fn visit_except_handler(&self, handler: &mut ExceptHandler) {
        let ExceptHandler::ExceptHandler(named) = handler;
        self.rename_all(&mut named.name);
        transformer::walk_except_handler(self, handler);
    }

    fn visit_pattern(&self, pattern: &mut Pattern) {
        match pattern {
            Pattern::MatchAs(captured) => self.rename_all(&mut captured.name),
            Pattern::MatchStar(captured) => self.rename_all(&mut captured.name),
            Pattern::MatchMapping(mapping) => self.rename_all(&mut mapping.rest),
            _ => {}
        }
        transformer::walk_pattern(self, pattern);
    }

    fn visit_type_param(&self, parameter: &mut TypeParam) {
        let (TypeParam::TypeVar(TypeParamTypeVar { name, .. })
        | TypeParam::TypeVarTuple(TypeParamTypeVarTuple { name, .. })
        | TypeParam::ParamSpec(TypeParamParamSpec { name, .. })) = parameter;
        self.rename(name);
        transformer::walk_type_param(self, parameter);
    }
}
