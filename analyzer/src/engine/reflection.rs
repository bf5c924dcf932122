//! `getattr(o, "x")` and its like: with known names they are the accesses that they stand for.

#![allow(
    clippy::iter_over_hash_type,
    reason = "what is gathered goes into sets and maps, or is sorted before it is used"
)]

use std::collections::{BTreeMap, BTreeSet};

use healguard_rules::schema::{Obj, Point, Var};
use healguard_rules::{points_to, taint};

use crate::emit::Emitter;
use crate::ir::{Constant, Kind, Name, Slot};
use crate::solve::PointsTo;

use super::{Engine, function_number};

/// A built-in function that works on the attribute whose name it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    Get,
    Has,
    Set,
    Delete,
}

const ACCESSES: [(&str, Access); 4] = [
    ("builtins.getattr", Access::Get),
    ("builtins.hasattr", Access::Has),
    ("builtins.setattr", Access::Set),
    ("builtins.delattr", Access::Delete),
];

/// A call of such a function.
struct Call {
    point: Point,
    access: Access,
    arguments: Vec<Var>,
    result: Option<Var>,
}

impl Engine<'_, '_> {
    /// Whether calls of a library function are taken apart here.
    pub(super) fn is_reflection(name: &str) -> bool {
        ACCESSES.iter().any(|(known, _)| *known == name)
    }

    /// Places the accesses that calls of these functions stand for.
    pub(super) fn tell_reflection(&mut self, solved: &PointsTo) {
        for call in self.reflecting_calls(solved) {
            let [base, name, ..] = call.arguments[..] else {
                self.give_up_on(call.point);
                continue;
            };
            for object in objects_of(solved, name) {
                match self.world.constant_value(object).cloned() {
                    Some(Constant::Str(text)) => self.place_access(&call, base, name, &text),
                    // An access by a name that nobody knows may read and write anything.
                    _ => self.give_up_on(call.point),
                }
            }
        }
    }

    fn give_up_on(&mut self, point: Point) {
        if self.told.unresolved.insert(point) {
            self.facts.unresolved.push(points_to::Unresolved(point));
        }
    }

    fn reflecting_calls(&mut self, solved: &PointsTo) -> Vec<Call> {
        let mut by_object: BTreeMap<Obj, Access> = BTreeMap::new();
        for (name, access) in ACCESSES {
            by_object.insert(self.world.library(name), access);
        }
        let mut points: BTreeMap<Point, Access> = BTreeMap::new();
        for points_to::Invokes(_, point, callee, ..) in &solved.invokes {
            if let Some(access) = by_object.get(callee) {
                points.insert(*point, *access);
            }
        }
        points.retain(|point, _| !self.told.unresolved.contains(point));
        let mut calls: Vec<Call> = Vec::new();
        for (point, access) in points {
            let mut arguments: Vec<(u32, Var)> = Vec::new();
            for points_to::Argument(at, position, var) in &self.facts.argument {
                if *at == point {
                    arguments.push((*position, *var));
                }
            }
            arguments.sort_unstable();
            let is_spread = self.facts.spread_argument.iter().any(|points_to::SpreadArgument(at, _)| *at == point);
            let arguments = if is_spread { Vec::new() } else { arguments.into_iter().map(|(_, var)| var).collect() };
            let results = self.facts.call_result.iter();
            let mut results = results.filter(|points_to::CallResult(at, _)| *at == point);
            let result = results.next().map(|points_to::CallResult(_, var)| *var);
            calls.push(Call { point, access, arguments, result });
        }
        calls
    }

    /// One access by one name, at a point beside the call.
    fn place_access(&mut self, call: &Call, base: Var, name: Var, text: &str) {
        if !self.told.accesses.insert((call.point, Name::from(text))) {
            return;
        }
        let Some((placed, _)) = self.bodies.at(call.point) else { return };
        let (func, first_var) = (placed.func, placed.first_var);
        let slot = |var: Var| Slot(var.0 - first_var);
        let field = Name::from(text);
        let got = self.variable();
        let kind = match (call.access, call.arguments.get(2)) {
            (Access::Get | Access::Has, _) => Kind::LoadAttribute { dst: slot(got), base: slot(base), name: field },
            (Access::Set, Some(value)) => Kind::StoreAttribute { base: slot(base), name: field, src: slot(*value) },
            (Access::Set, None) => return self.give_up_on(call.point),
            (Access::Delete, _) => Kind::DeleteAttribute { base: slot(base), name: field },
        };
        let point = self.pseudo_point(call.point, func);
        self.place_beside(call.point, point);
        self.emit_beside(func, point, &kind);
        let Some(result) = call.result else { return };
        self.facts.derives.push(taint::Derives(point, result, name));
        match call.access {
            Access::Get => {
                let default = call.arguments.get(2).map(|default| points_to::Copies(result, *default));
                self.facts.copies.extend([points_to::Copies(result, got)].into_iter().chain(default));
            }
            Access::Has => {
                let class = self.world.library("builtins.bool");
                self.facts.allocates.push(points_to::Allocates(func, point, result, class));
                self.facts.derives.push(taint::Derives(point, result, got));
                self.facts.derives.push(taint::Derives(point, result, base));
            }
            Access::Set | Access::Delete => {
                let none = self.world.constant(&Constant::None);
                self.facts.holds.push(points_to::Holds(func, result, none));
            }
        }
    }

    /// Writes the facts of an instruction that stands at a point of its own.
    fn emit_beside(&mut self, func: healguard_rules::schema::Func, point: Point, kind: &Kind) {
        let Some(placed) = self.bodies.of_func(func) else { return };
        let (functions, owners, next) = (&mut self.functions, &mut self.owners, &mut self.next_func);
        let mut number = |file, body| function_number(functions, owners, next, file, body);
        let emitter = Emitter::new(self.world, &mut self.facts, &mut number, placed);
        self.next_var = emitter.emit_extra(point, kind, self.next_var);
    }
}

fn objects_of(solved: &PointsTo, var: Var) -> BTreeSet<Obj> {
    let held = solved.var_points_to.iter().filter(|points_to::VarPointsTo(_, of, _)| *of == var);
    held.map(|points_to::VarPointsTo(_, _, object)| *object).collect()
}
