//! From names to numbers, with the checks that make the evaluator, the search and the checker total.

use super::parse::{ParsedAtom, ParsedCall, ParsedPremise, ParsedProgram, ParsedRule, ParsedTerm, ParsedTermKind};
use super::problem::{Problem, ProgramError};
use super::{
    Atom, Call, FunctionId, FunctionUse, Premise, Program, RelationDeclaration, RelationKind, Rule, Term, VariableId,
    strata,
};
use crate::database::MAX_COLUMNS;

/// Checks the pieces and puts them together.
pub(super) fn resolve(name: &str, parsed: ParsedProgram) -> Result<Program, ProgramError> {
    let mut resolver = Resolver {
        file: String::new(),
        program: Program {
            name: name.to_owned(),
            relations: Vec::new(),
            rules: Vec::new(),
            functions: Vec::new(),
            strata: Vec::new(),
        },
    };
    let pieces = resolver.pieces(parsed);
    pieces.map_err(|(line, problem)| ProgramError { file: resolver.file.clone(), line, problem })?;
    let mut program = resolver.program;
    program.strata = strata::stratify(&program)?;
    Ok(program)
}

/// A problem and its line.
type Resolved<T> = Result<T, (usize, Problem)>;

struct Resolver {
    /// The file of the piece at hand.
    file: String,
    program: Program,
}

impl Resolver {
    fn pieces(&mut self, parsed: ParsedProgram) -> Resolved<()> {
        for relation in parsed.relations {
            self.file.clone_from(&relation.file);
            self.relation(relation)?;
        }
        for rule in parsed.rules {
            self.file.clone_from(&rule.file);
            self.rule(rule)?;
        }
        Ok(())
    }

    fn relation(&mut self, relation: RelationDeclaration) -> Resolved<()> {
        if let Some(other) = self.program.relation(&relation.name) {
            return Err((
                relation.line,
                Problem::DuplicateRelation { relation: relation.name, file: other.file.clone(), line: other.line },
            ));
        }
        if relation.arity() > MAX_COLUMNS {
            return Err((
                relation.line,
                Problem::TooManyColumns { found: relation.arity(), relation: relation.name, most: MAX_COLUMNS },
            ));
        }
        self.program.relations.push(relation);
        Ok(())
    }

    fn rule(&mut self, parsed: ParsedRule) -> Resolved<()> {
        let header = parsed.header;
        if let Some(other) = self.program.rule(&header.id) {
            return Err((
                header.line,
                Problem::DuplicateId { id: header.id, file: other.file.clone(), line: other.line },
            ));
        }
        let mut scope = Scope::default();
        // The head is read first so that variables are numbered in reading order; that they are bound is checked last.
        let head = self.atom(&parsed.head, &mut scope)?;
        if head.terms.contains(&Term::Wildcard) {
            return Err((parsed.head.line, Problem::Wildcard));
        }
        let declaration = self.program.declaration(head.relation);
        if declaration.kind == RelationKind::Input {
            let relation = declaration.name.clone();
            return Err((parsed.head.line, Problem::DerivedInput { relation }));
        }
        let mut body = Vec::with_capacity(parsed.body.len());
        for premise in &parsed.body {
            body.push(self.premise(premise, &mut scope)?);
        }
        scope.all_bound(&head.terms, &parsed.head.terms)?;
        self.program.rules.push(Rule {
            id: header.id,
            sentence: header.sentence,
            note: header.note,
            file: self.file.clone(),
            line: parsed.line,
            head,
            body,
            variables: scope.names,
        });
        Ok(())
    }

    fn premise(&mut self, parsed: &ParsedPremise, scope: &mut Scope) -> Resolved<Premise> {
        match parsed {
            ParsedPremise::Holds(parsed) => {
                let atom = self.atom(parsed, scope)?;
                scope.bind_all(&atom.terms);
                Ok(Premise::Holds(atom))
            }
            ParsedPremise::Absent(parsed) => {
                let atom = self.atom(parsed, scope)?;
                scope.all_bound(&atom.terms, &parsed.terms)?;
                Ok(Premise::Absent(atom))
            }
            ParsedPremise::Test { call, expected } => {
                Ok(Premise::Test { call: self.call(call, scope)?, expected: *expected })
            }
            ParsedPremise::Compare { left, right, equal } => {
                Ok(Premise::Compare { left: self.value(left, scope)?, right: self.value(right, scope)?, equal: *equal })
            }
            ParsedPremise::Let { variable, call, line } => {
                let call = self.call(call, scope)?;
                let id = scope.variable(variable);
                if scope.bound[id.0] {
                    let variable = variable.clone();
                    return Err((*line, Problem::Rebound { variable }));
                }
                scope.bound[id.0] = true;
                Ok(Premise::Let { variable: id, call })
            }
        }
    }

    fn atom(&mut self, parsed: &ParsedAtom, scope: &mut Scope) -> Resolved<Atom> {
        let Some(relation) = self.program.relation_id(&parsed.relation) else {
            let relation = parsed.relation.clone();
            return Err((parsed.line, Problem::UnknownRelation { relation }));
        };
        let expected = self.program.declaration(relation).arity();
        if expected != parsed.terms.len() {
            return Err((
                parsed.line,
                Problem::RelationArity { relation: parsed.relation.clone(), expected, found: parsed.terms.len() },
            ));
        }
        let terms = parsed.terms.iter().map(|term| self.term(term, scope)).collect::<Resolved<_>>()?;
        Ok(Atom { relation, terms })
    }

    fn call(&mut self, parsed: &ParsedCall, scope: &mut Scope) -> Resolved<Call> {
        let arguments: Vec<Term> =
            parsed.arguments.iter().map(|argument| self.value(argument, scope)).collect::<Resolved<_>>()?;
        Ok(Call { function: self.function(&parsed.function, arguments.len(), parsed.line)?, arguments })
    }

    /// A term that must already have a value.
    fn value(&mut self, parsed: &ParsedTerm, scope: &mut Scope) -> Resolved<Term> {
        let term = self.term(parsed, scope)?;
        if term == Term::Wildcard {
            return Err((parsed.line, Problem::Wildcard));
        }
        scope.all_bound(&[term], std::slice::from_ref(parsed))?;
        Ok(term)
    }

    fn term(&mut self, parsed: &ParsedTerm, scope: &mut Scope) -> Resolved<Term> {
        Ok(match &parsed.kind {
            ParsedTermKind::Variable(name) => Term::Variable(scope.variable(name)),
            ParsedTermKind::Wildcard => Term::Wildcard,
            ParsedTermKind::Constant(name) => Term::Constant(self.function(name, 0, parsed.line)?),
        })
    }

    fn function(&mut self, name: &str, arity: usize, line: usize) -> Resolved<FunctionId> {
        let functions = &mut self.program.functions;
        let Some(position) = functions.iter().position(|other| other.name == name) else {
            functions.push(FunctionUse { name: name.to_owned(), arity, file: self.file.clone(), line });
            return Ok(FunctionId(functions.len() - 1));
        };
        let first = &functions[position];
        if first.arity == arity {
            return Ok(FunctionId(position));
        }
        Err((
            line,
            Problem::FunctionArity { function: name.to_owned(), expected: first.arity, line: first.line, found: arity },
        ))
    }
}

/// The variables of one rule.
#[derive(Default)]
struct Scope {
    names: Vec<String>,
    bound: Vec<bool>,
}

impl Scope {
    fn variable(&mut self, name: &str) -> VariableId {
        if let Some(position) = self.names.iter().position(|other| other == name) {
            return VariableId(position);
        }
        self.names.push(name.to_owned());
        self.bound.push(false);
        VariableId(self.names.len() - 1)
    }

    fn bind_all(&mut self, terms: &[Term]) {
        for term in terms {
            if let Term::Variable(variable) = term {
                self.bound[variable.0] = true;
            }
        }
    }

    /// Checks that the variables among `terms` are bound; `parsed` has the same terms with their lines.
    fn all_bound(&self, terms: &[Term], parsed: &[ParsedTerm]) -> Resolved<()> {
        for (term, parsed) in terms.iter().zip(parsed) {
            if let Term::Variable(variable) = term
                && !self.bound[variable.0]
            {
                let variable = self.names[variable.0].clone();
                return Err((parsed.line, Problem::Unbound { variable }));
            }
        }
        Ok(())
    }
}
