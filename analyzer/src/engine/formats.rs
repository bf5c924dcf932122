//! `"{0.name}".format(…)`: with a known template it is the accesses that the template names, and the text of what they give.

use healguard_rules::points_to;
use healguard_rules::schema::{Obj, Point, Var};

use crate::ir::{Constant, Kind, Name, Slot};
use crate::solve::PointsTo;

use super::Engine;
use super::models::sorted_calls;
use super::reflection::objects_of;

const FORMAT: &str = "builtins.str.format";

/// One replacement field of a template: the argument that it starts at, and the way from there.
#[derive(Debug, PartialEq, Eq)]
struct Field {
    argument: Selector,
    steps: Vec<Access>,
}

#[derive(Debug, PartialEq, Eq)]
enum Selector {
    Position(u32),
    Name(String),
}

#[derive(Debug, PartialEq, Eq)]
enum Access {
    Attribute(String),
    Index(String),
    Key(String),
}

impl Engine<'_, '_> {
    /// Places the accesses that templates name. A call of which some template is not known, or not understood, is noted as such.
    pub(super) fn tell_formats(&mut self, solved: &PointsTo) {
        let Some((id, _)) = self.world.models.get(FORMAT) else { return };
        let number = self.world.models.iter().position(|(known, _)| known == id).unwrap_or(0) as u32;
        let calls = sorted_calls(solved);
        let calls = calls.iter().filter(|points_to::ModelCall(_, _, model, _)| model.0 == number);
        let mut templates: Vec<(Point, Obj)> =
            calls.map(|points_to::ModelCall(_, point, _, template)| (*point, *template)).collect();
        templates.dedup();
        for (point, template) in templates {
            if self.told.unread.contains(&point) || !self.told.formats.insert((point, template)) {
                continue;
            }
            if self.place_format(solved, point, template).is_none() {
                self.told.unread.insert(point);
            }
        }
    }

    /// `None` where the template is not known.
    fn place_format(&mut self, solved: &PointsTo, point: Point, template: Obj) -> Option<()> {
        let methods = self.facts.calls_method.iter().filter(|points_to::CallsMethod(at, ..)| *at == point);
        let receivers: Vec<Var> = methods.map(|points_to::CallsMethod(_, base, _)| *base).collect();
        let is_method = receivers.iter().any(|base| objects_of(solved, *base).contains(&template));
        let is_spread = self.facts.spread_argument.iter().any(|points_to::SpreadArgument(at, _)| *at == point);
        let Some(Constant::Str(text)) = self.world.constant_value(template).cloned() else { return None };
        if !is_method || is_spread || self.bodies.is_callback(point) {
            return None;
        }
        let (func, first_var) = self.bodies.at(point).map(|(body, _)| (body.func, body.first_var))?;
        let results = self.facts.call_result.iter();
        let mut results = results.filter(|points_to::CallResult(at, _)| *at == point);
        let Some(result) = results.next().map(|points_to::CallResult(_, var)| *var) else { return Some(()) };
        let slot = |var: Var| Slot(var.0 - first_var);
        let mut parts: Vec<Slot> = Vec::new();
        for field in fields_of(&text)? {
            // An argument that is not there raises.
            let Some(mut var) = self.formatted(point, &field.argument) else { continue };
            for step in field.steps {
                var = self.place_step(point, first_var, var, step);
            }
            parts.push(slot(var));
        }
        let at = self.pseudo_point(point, func);
        self.place_beside(point, at);
        self.emit_beside(func, at, &Kind::Text { dst: slot(result), parts, starts: Name::from(""), formats: true });
        Some(())
    }

    /// The argument of a call that a field starts at.
    fn formatted(&self, point: Point, argument: &Selector) -> Option<Var> {
        match argument {
            Selector::Position(position) => {
                let mut arguments = self.facts.argument.iter();
                let found = arguments.find(|points_to::Argument(at, index, _)| at == &point && index == position);
                found.map(|points_to::Argument(_, _, var)| *var)
            }
            Selector::Name(name) => {
                let mut arguments = self.facts.keyword_argument.iter();
                let found = arguments.find(|points_to::KeywordArgument(at, given, _)| {
                    at == &point && self.world.name_text(*given) == name
                });
                found.map(|points_to::KeywordArgument(_, _, var)| *var)
            }
        }
    }

    /// One access on the way; gives what it finds.
    fn place_step(&mut self, point: Point, first_var: u32, base: Var, step: Access) -> Var {
        let slot = |var: Var| Slot(var.0 - first_var);
        let Some(func) = self.bodies.at(point).map(|(body, _)| body.func) else { return base };
        let found = self.variable();
        let (dst, base) = (slot(found), slot(base));
        let kind = match step {
            Access::Attribute(name) => Kind::LoadAttribute { dst, base, name: Name::from(name.as_str()) },
            Access::Index(index) => self.load_item(func, dst, base, &Constant::Int(index.as_str().into()), slot),
            Access::Key(key) => self.load_item(func, dst, base, &Constant::Str(key.as_str().into()), slot),
        };
        let at = self.pseudo_point(point, func);
        self.place_beside(point, at);
        self.emit_beside(func, at, &kind);
        found
    }

    fn load_item(
        &mut self,
        func: healguard_rules::schema::Func,
        dst: Slot,
        base: Slot,
        key: &Constant,
        slot: impl Fn(Var) -> Slot,
    ) -> Kind {
        let (held, key) = (self.variable(), self.world.constant(key));
        self.facts.holds.push(points_to::Holds(func, held, key));
        Kind::LoadItem { dst, base, key: slot(held) }
    }
}

/// The replacement fields of a template, those inside of format specifications included; `None` where it is malformed.
fn fields_of(template: &str) -> Option<Vec<Field>> {
    let mut found = Vec::new();
    let mut next = 0;
    let characters: Vec<char> = template.chars().collect();
    collect(&characters, &mut next, &mut found)?;
    Some(found)
}

/// `next` is the number of the next field without a name.
fn collect(text: &[char], next: &mut u32, found: &mut Vec<Field>) -> Option<()> {
    let mut at = 0;
    while at < text.len() {
        match text[at] {
            '{' | '}' if text.get(at + 1) == Some(&text[at]) => at += 2,
            '}' => return None,
            '{' => {
                let end = closing(text, at)?;
                let inside = &text[at + 1..end];
                let name_end = name_length(inside);
                found.push(field(&inside[..name_end], next)?);
                collect(&inside[name_end..], next, found)?;
                at = end + 1;
            }
            _ => at += 1,
        }
    }
    Some(())
}

/// The brace that closes the one at `opening`.
fn closing(text: &[char], opening: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, character) in text.iter().enumerate().skip(opening) {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// The part of a field before `!` and `:`, which may stand in brackets.
fn name_length(inside: &[char]) -> usize {
    let mut in_brackets = false;
    for (at, character) in inside.iter().enumerate() {
        match character {
            '[' => in_brackets = true,
            ']' => in_brackets = false,
            '!' | ':' if !in_brackets => return at,
            _ => {}
        }
    }
    inside.len()
}

fn field(name: &[char], next: &mut u32) -> Option<Field> {
    let first_end = name.iter().position(|character| matches!(character, '.' | '[')).unwrap_or(name.len());
    let first: String = name[..first_end].iter().collect();
    if first.contains(['{', '}']) {
        return None;
    }
    let argument = if first.is_empty() {
        *next += 1;
        Selector::Position(*next - 1)
    } else if first.chars().all(|character| character.is_ascii_digit()) {
        Selector::Position(first.parse().ok()?)
    } else {
        Selector::Name(first)
    };
    let mut steps = Vec::new();
    let mut rest = &name[first_end..];
    while let Some((kind, behind)) = rest.split_first() {
        let end = match kind {
            '.' => behind.iter().position(|character| matches!(character, '.' | '[')).unwrap_or(behind.len()),
            '[' => behind.iter().position(|character| *character == ']')?,
            _ => return None,
        };
        let text: String = behind[..end].iter().collect();
        let is_index = !text.is_empty() && text.chars().all(|character| character.is_ascii_digit());
        steps.push(match kind {
            '.' => Access::Attribute(text),
            // Written as the number itself would be.
            _ if is_index => Access::Index(text.parse::<u64>().ok()?.to_string()),
            _ => Access::Key(text),
        });
        rest = if *kind == '.' { &behind[end..] } else { &behind[end + 1..] };
    }
    Some(Field { argument, steps })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_name_arguments_and_ways_from_there() {
        let position = |position, steps| Field { argument: Selector::Position(position), steps };
        let attribute = |name: &str| Access::Attribute(name.to_owned());
        let key = |name: &str| Access::Key(name.to_owned());
        assert_eq!(fields_of("{} {{}} {}"), Some(vec![position(0, vec![]), position(1, vec![])]));
        assert_eq!(
            fields_of("{0.a[b!c].d!r:>{1}}"),
            Some(vec![position(0, vec![attribute("a"), key("b!c"), attribute("d")]), position(1, vec![])])
        );
        assert_eq!(fields_of("{0[01]}"), Some(vec![position(0, vec![Access::Index("1".to_owned())])]));
        let named = Field { argument: Selector::Name("name".to_owned()), steps: vec![] };
        assert_eq!(fields_of("{name:04}"), Some(vec![named]));
        assert_eq!(fields_of("{"), None);
        assert_eq!(fields_of("}"), None);
    }
}
