//! Rules as text for people.

use super::{Atom, Call, Premise, Program, Rule, Term};

/// What is known about one rule, for `explain` and for lists of rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleDoc {
    /// The stable id, `layer/name`.
    pub id: String,
    /// What the rule says.
    pub sentence: String,
    /// Why it is sound; may be empty. An empty line separates paragraphs.
    pub note: String,
    /// The rule as Datalog, a premise a line.
    pub datalog: String,
    /// The rule as an inference rule: the premises, a bar with the id, the conclusion.
    pub inference: String,
    /// The name of the file.
    pub file: String,
    /// The line where the rule starts.
    pub line: usize,
}

impl Program {
    /// The documentation of all rules, in source order.
    #[must_use]
    pub fn documentation(&self) -> Vec<RuleDoc> {
        self.rules
            .iter()
            .map(|rule| RuleDoc {
                id: rule.id.clone(),
                sentence: rule.sentence.clone(),
                note: rule.note.clone(),
                datalog: self.datalog(rule),
                inference: self.inference(rule),
                file: rule.file.clone(),
                line: rule.line,
            })
            .collect()
    }

    /// One premise of a rule of this program as text, for instance `not Blocked(p)` or `c = push(d, p)`.
    #[must_use]
    pub fn premise_text(&self, rule: &Rule, premise: &Premise) -> String {
        match premise {
            Premise::Holds(atom) => self.atom_text(rule, atom),
            Premise::Absent(atom) => format!("not {}", self.atom_text(rule, atom)),
            Premise::Test { call, expected } => {
                let not = if *expected { "" } else { "not " };
                format!("{not}{}", self.call_text(rule, call))
            }
            Premise::Compare { left, right, equal } => format!(
                "{} {} {}",
                self.term_text(rule, *left),
                if *equal { "=" } else { "≠" },
                self.term_text(rule, *right)
            ),
            Premise::Let { variable, call } => {
                format!("{} = {}", rule.variables[variable.0], self.call_text(rule, call))
            }
        }
    }

    fn datalog(&self, rule: &Rule) -> String {
        let head = self.atom_text(rule, &rule.head);
        if rule.body.is_empty() {
            return format!("{head}.");
        }
        format!("{head} ←\n    {}.", self.premises(rule).join(",\n    "))
    }

    fn inference(&self, rule: &Rule) -> String {
        let head = self.atom_text(rule, &rule.head);
        let premises = self.premises(rule);
        let width = premises.iter().chain([&head]).map(|line| line.chars().count()).max().unwrap_or(0);
        let bar = format!("{} [{}]", "─".repeat(width), rule.id);
        let mut lines = premises;
        lines.push(bar);
        lines.push(head);
        lines.join("\n")
    }

    fn premises(&self, rule: &Rule) -> Vec<String> {
        rule.body.iter().map(|premise| self.premise_text(rule, premise)).collect()
    }

    fn atom_text(&self, rule: &Rule, atom: &Atom) -> String {
        let name = &self.declaration(atom.relation).name;
        format!("{name}({})", self.terms_text(rule, &atom.terms))
    }

    fn call_text(&self, rule: &Rule, call: &Call) -> String {
        let name = &self.function(call.function).name;
        if call.arguments.is_empty() {
            return name.clone();
        }
        format!("{name}({})", self.terms_text(rule, &call.arguments))
    }

    fn terms_text(&self, rule: &Rule, terms: &[Term]) -> String {
        let terms: Vec<&str> = terms.iter().map(|&term| self.term_text(rule, term)).collect();
        terms.join(", ")
    }

    fn term_text<'a>(&'a self, rule: &'a Rule, term: Term) -> &'a str {
        match term {
            Term::Variable(variable) => &rule.variables[variable.0],
            Term::Constant(function) => &self.function(function).name,
            Term::Wildcard => "_",
        }
    }
}
