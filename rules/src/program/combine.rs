//! Several layers as one program, so that a derivation can run through all of them.

use super::problem::{Problem, ProgramError};
use super::{
    Atom, Call, FunctionId, Premise, Program, RelationDeclaration, RelationId, RelationKind, Rule, Term, strata,
};

impl Program {
    /// Puts programs together that run one after the other, where inputs of a later one may be inputs or outputs of
    /// earlier ones. Relations are the same when they have the same name.
    ///
    /// # Errors
    /// Two rules share an id; two relations share a name and are not the same relation (a private or derived relation
    /// in both, an input of an earlier program that a later one derives, another number of columns); a function is
    /// used with different numbers of arguments.
    pub fn combine(name: &str, layers: &[Self]) -> Result<Self, ProgramError> {
        let mut combined = Self {
            name: name.to_owned(),
            relations: Vec::new(),
            rules: Vec::new(),
            functions: Vec::new(),
            strata: Vec::new(),
        };
        for layer in layers {
            combined.add_layer(layer)?;
        }
        combined.strata = strata::stratify(&combined)?;
        Ok(combined)
    }

    fn add_layer(&mut self, layer: &Self) -> Result<(), ProgramError> {
        let relations =
            layer.relations.iter().map(|relation| self.shared_relation(relation)).collect::<Result<Vec<_>, _>>()?;
        let functions = self.shared_functions(layer)?;
        let renumbering = Renumbering { relations, functions };
        for rule in &layer.rules {
            if let Some(other) = self.rule(&rule.id) {
                return Err(ProgramError {
                    file: rule.file.clone(),
                    line: rule.line,
                    problem: Problem::DuplicateId { id: rule.id.clone(), file: other.file.clone(), line: other.line },
                });
            }
            self.rules.push(renumbering.rule(rule));
        }
        Ok(())
    }

    /// The relation in the combined program that a layer's relation is.
    fn shared_relation(&mut self, relation: &RelationDeclaration) -> Result<RelationId, ProgramError> {
        let Some(known) = self.relation_id(&relation.name) else {
            self.relations.push(relation.clone());
            return Ok(RelationId(self.relations.len() - 1));
        };
        let other = self.declaration(known);
        let problem = if relation.kind != RelationKind::Input || other.kind == RelationKind::Intermediate {
            Problem::SharedRelation { relation: relation.name.clone(), file: other.file.clone(), line: other.line }
        } else if other.arity() != relation.arity() {
            Problem::RelationArity { relation: relation.name.clone(), expected: other.arity(), found: relation.arity() }
        } else {
            return Ok(known);
        };
        Err(ProgramError { file: relation.file.clone(), line: relation.line, problem })
    }

    fn shared_functions(&mut self, layer: &Self) -> Result<Vec<FunctionId>, ProgramError> {
        let mut numbers = Vec::with_capacity(layer.functions.len());
        for function in &layer.functions {
            let known = self.functions.iter().position(|other| other.name == function.name);
            let Some(position) = known else {
                self.functions.push(function.clone());
                numbers.push(FunctionId(self.functions.len() - 1));
                continue;
            };
            let first = &self.functions[position];
            if first.arity != function.arity {
                return Err(ProgramError {
                    file: function.file.clone(),
                    line: function.line,
                    problem: Problem::FunctionArity {
                        function: function.name.clone(),
                        expected: first.arity,
                        line: first.line,
                        found: function.arity,
                    },
                });
            }
            numbers.push(FunctionId(position));
        }
        Ok(numbers)
    }
}

/// From a layer's numbers to those of the combined program.
struct Renumbering {
    relations: Vec<RelationId>,
    functions: Vec<FunctionId>,
}

impl Renumbering {
    fn rule(&self, rule: &Rule) -> Rule {
        let mut renumbered = rule.clone();
        self.atom(&mut renumbered.head);
        for premise in &mut renumbered.body {
            match premise {
                Premise::Holds(atom) | Premise::Absent(atom) => self.atom(atom),
                Premise::Test { call, .. } | Premise::Let { call, .. } => self.call(call),
                Premise::Compare { left, right, .. } => {
                    self.term(left);
                    self.term(right);
                }
            }
        }
        renumbered
    }

    fn atom(&self, atom: &mut Atom) {
        atom.relation = self.relations[atom.relation.0];
        atom.terms.iter_mut().for_each(|term| self.term(term));
    }

    fn call(&self, call: &mut Call) {
        call.function = self.functions[call.function.0];
        call.arguments.iter_mut().for_each(|term| self.term(term));
    }

    fn term(&self, term: &mut Term) {
        if let Term::Constant(function) = term {
            *function = self.functions[function.0];
        }
    }
}
