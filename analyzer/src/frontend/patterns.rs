//! `match` statements.

use ruff_python_ast::{self as ast, Pattern};

use crate::ir::{Constant, Kind, Name, Slot, Test};

use super::expressions::unpacked;

use super::bodies::Lowering;

impl<'a> Lowering<'a> {
    pub fn lower_match(&mut self, choice: &'a ast::StmtMatch) {
        let subject = self.expression(&choice.subject);
        let mut ends = Vec::new();
        for case in &choice.cases {
            let outer = self.here().at(&case.pattern);
            let mut misses = Vec::new();
            self.pattern(&case.pattern, subject, &mut misses);
            self.here().span = outer;
            if let Some(guard) = &case.guard {
                let (holds, fails) = self.condition(guard);
                misses.push(fails);
                self.here().continue_at(holds);
            }
            self.lower_suite(&case.body);
            ends.append(&mut self.here().open);
            self.here().open = misses;
            self.here().emit(Kind::Join);
        }
        ends.append(&mut self.here().open);
        self.here().open = ends;
    }

    /// Tests `subject` against a pattern and binds its captures; what does not match goes to `misses`.
    fn pattern(&mut self, pattern: &'a Pattern, subject: Slot, misses: &mut Vec<usize>) {
        match pattern {
            Pattern::MatchValue(value) => {
                let value = self.expression(&value.value);
                let equal =
                    self.here().value(|dst| Kind::Operate { dst, operator: "==", left: subject, right: Some(value) });
                self.must_hold(Kind::Branch { condition: equal }, misses);
            }
            Pattern::MatchSingleton(singleton) => {
                let value = match singleton.value {
                    ast::Singleton::None => Constant::None,
                    ast::Singleton::True => Constant::Bool(true),
                    ast::Singleton::False => Constant::Bool(false),
                };
                let value = self.here().value(|dst| Kind::Constant { dst, value });
                let same =
                    self.here().value(|dst| Kind::Operate { dst, operator: "is", left: subject, right: Some(value) });
                self.must_hold(Kind::Branch { condition: same }, misses);
            }
            Pattern::MatchSequence(sequence) => {
                self.must_hold(Kind::Test { test: Test::Sequence, operands: vec![subject] }, misses);
                self.sequence(&sequence.patterns, subject, misses);
            }
            Pattern::MatchMapping(mapping) => {
                self.must_hold(Kind::Test { test: Test::Mapping, operands: vec![subject] }, misses);
                for (key, inner) in mapping.keys.iter().zip(&mapping.patterns) {
                    let key = self.expression(key);
                    let item = self.part(|dst| Kind::LoadItem { dst, base: subject, key }, misses);
                    self.pattern(inner, item, misses);
                }
                if let Some(rest) = &mapping.rest {
                    let elements = vec![crate::ir::Element::Mapping(subject)];
                    let rest_value =
                        self.here().value(|dst| Kind::Build { dst, layout: crate::ir::Layout::Dict, elements });
                    self.store_name(rest, rest_value);
                }
            }
            Pattern::MatchClass(class) => self.class_pattern(class, subject, misses),
            Pattern::MatchStar(star) => {
                if let Some(name) = &star.name {
                    self.store_name(name, subject);
                }
            }
            Pattern::MatchAs(capture) => {
                if let Some(inner) = &capture.pattern {
                    self.pattern(inner, subject, misses);
                }
                if let Some(name) = &capture.name {
                    self.store_name(name, subject);
                }
            }
            Pattern::MatchOr(alternatives) => self.alternatives(&alternatives.patterns, subject, misses),
        }
    }

    /// A part of the subject; where there is none, an exception says so, and the pattern does not match.
    fn part(&mut self, kind: impl FnOnce(Slot) -> Kind, misses: &mut Vec<usize>) -> Slot {
        let outer = self.here().handlers.last().copied();
        let missing = self.here().detached(Kind::Join);
        self.here().handlers.push(missing);
        let dst = self.here().temporary();
        let node = self.here().emit(kind(dst));
        self.here().handlers.pop();
        // Other exceptions leave the statement.
        self.here().body.nodes[node].handlers.extend(outer);
        misses.push(missing);
        dst
    }

    fn must_hold(&mut self, kind: Kind, misses: &mut Vec<usize>) {
        let (holds, fails) = self.here().fork(kind);
        misses.push(fails);
        self.here().continue_at(holds);
    }

    fn sequence(&mut self, patterns: &'a [Pattern], subject: Slot, misses: &mut Vec<usize>) {
        let src = self.here().value(|dst| Kind::Iterate { dst, src: subject });
        let star = patterns.iter().position(|inner| matches!(inner, Pattern::MatchStar(_)));
        for (index, inner) in patterns.iter().enumerate() {
            let item = self.here().value(|dst| unpacked(dst, src, index, star, patterns.len()));
            self.pattern(inner, item, misses);
        }
    }

    fn class_pattern(&mut self, class: &'a ast::PatternMatchClass, subject: Slot, misses: &mut Vec<usize>) {
        let kind = self.expression(&class.cls);
        self.must_hold(Kind::Test { test: Test::Instance, operands: vec![subject, kind] }, misses);
        for (index, inner) in class.arguments.patterns.iter().enumerate() {
            let index = index as u32;
            let value = self.part(|dst| Kind::Position { dst, subject, class: kind, index }, misses);
            self.pattern(inner, value, misses);
        }
        for keyword in &class.arguments.keywords {
            let name = Name::from(keyword.attr.as_str());
            let value = self.part(|dst| Kind::LoadAttribute { dst, base: subject, name }, misses);
            self.pattern(&keyword.pattern, value, misses);
        }
    }

    fn alternatives(&mut self, patterns: &'a [Pattern], subject: Slot, misses: &mut Vec<usize>) {
        let mut ends = Vec::new();
        for inner in patterns {
            let mut next = Vec::new();
            self.pattern(inner, subject, &mut next);
            ends.append(&mut self.here().open);
            self.here().open = next;
            self.here().emit(Kind::Join);
        }
        misses.append(&mut self.here().open);
        self.here().open = ends;
        self.here().emit(Kind::Join);
    }
}
