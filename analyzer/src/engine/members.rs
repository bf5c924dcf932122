//! Members that are found by a name which is not in the source: any that fits, where nobody knows the name, and those that an
//! `operator.methodcaller` or `operator.attrgetter` keeps.

#![allow(
    clippy::iter_over_hash_type,
    reason = "what is gathered goes into sets and maps, or is sorted before it is used"
)]

use std::collections::BTreeSet;

use healguard_rules::schema::{Field, Func, Obj, Point, Var};
use healguard_rules::{points_to, taint};

use crate::ir::{Callee, Constant, Kind, Name, Slot};
use crate::solve::PointsTo;
use crate::world::Entity;

use super::Engine;
use super::decided::ALTERING;
use super::reflection::{Access, Call, objects_of};

/// The attribute in which the model of such an object keeps its names.
const NAMES: &str = "names";
/// Steps from a name back to what it begins with.
const MAX_STEPS: usize = 8;

impl Engine<'_, '_> {
    /// An access by a name that nobody knows is one by each name that there is.
    pub(super) fn place_members(&mut self, solved: &PointsTo, call: &Call, base: Var, name: Var) {
        let starts = self.starts_of(solved, call.point, name);
        for member in self.members(solved, base, call.access == Access::Set) {
            if starts.iter().any(|start| member.starts_with(start.as_str())) {
                self.place_access(call, base, name, &member);
            }
        }
    }

    /// The names under which the modules and classes of the program have something for what a variable holds: code that an access
    /// may run or give. What objects hold by themselves unknown code gives as well. Only a property, or a part of a function, does
    /// something where it is written.
    fn members(&mut self, solved: &PointsTo, base: Var, written: bool) -> BTreeSet<String> {
        let objects = objects_of(solved, base);
        let classes = solved.class_of.iter().filter(|points_to::ClassOf(object, _)| objects.contains(object));
        let classes: BTreeSet<Obj> = classes.map(|points_to::ClassOf(_, class)| *class).collect();
        let bases = self.class_bases.clone();
        let mut holders: BTreeSet<Obj> = BTreeSet::new();
        for object in objects.iter().chain(&classes) {
            if self.world.is_class(*object) {
                holders.extend(self.world.resolution_order(*object, &bases));
            } else if matches!(self.world.entity(*object), Some(Entity::Module(_))) {
                holders.insert(*object);
            }
        }
        holders.retain(|holder| !matches!(self.world.entity(*holder), Some(Entity::Library(_))));
        let mut names: BTreeSet<String> = holders.iter().flat_map(|holder| self.names_in(*holder)).collect();
        let held =
            solved.field_points_to.iter().filter(|points_to::FieldPointsTo(object, ..)| holders.contains(object));
        names.extend(held.filter_map(|points_to::FieldPointsTo(_, field, _)| self.attribute_name(*field)));
        names.retain(|name| !(name.starts_with('<') || name.starts_with("__") && name.ends_with("__")));
        if written {
            let properties = self.properties(solved, &holders);
            names.retain(|name| properties.contains(name));
            // What is stored in a function under some name may be its code.
            if solved.code_is.iter().any(|points_to::CodeIs(object, _)| objects.contains(object)) {
                names.extend(ALTERING.map(str::to_owned));
            }
        }
        names
    }

    /// The names that the source or the snapshot gives a module or class of the program.
    pub(super) fn names_in(&mut self, holder: Obj) -> Vec<String> {
        match self.world.entity(holder).cloned() {
            Some(Entity::Module(module)) => self.globals_of(&module),
            Some(Entity::Snapshot(id)) => {
                let found = self.world.snapshot.objects.get(&id);
                found.into_iter().flat_map(|object| object.attributes.keys().cloned()).collect()
            }
            Some(Entity::Class(file, body)) => {
                let body = self.world.body(file, body);
                body.into_iter().flat_map(|body| body.owned.iter().map(ToString::to_string)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The names of properties in these classes.
    fn properties(&mut self, solved: &PointsTo, classes: &BTreeSet<Obj>) -> BTreeSet<String> {
        let property = self.world.library("builtins.property");
        let members =
            solved.field_points_to.iter().filter(|points_to::FieldPointsTo(class, ..)| classes.contains(class));
        let properties = members.filter(|points_to::FieldPointsTo(_, _, member)| {
            solved.class_of.contains(&points_to::ClassOf(*member, property))
        });
        properties.filter_map(|points_to::FieldPointsTo(_, field, _)| self.attribute_name(*field)).collect()
    }

    /// What a text begins with: `visit_` where it is `f"visit_{kind}"`. There may be several such beginnings.
    fn starts_of(&self, solved: &PointsTo, point: Point, text: Var) -> Vec<String> {
        let unknown = || vec![String::new()];
        let Some((placed, _)) = self.bodies.at(point) else { return unknown() };
        let nodes = &placed.ssa.body.nodes;
        let mut slot = Slot(text.0.wrapping_sub(placed.first_var));
        for _ in 0..MAX_STEPS {
            let Some(node) = nodes.iter().find(|node| node.kind.defines() == Some(slot)) else { return unknown() };
            let (left, end) = match &node.kind {
                Kind::Copy { src, .. } => {
                    slot = *src;
                    continue;
                }
                Kind::Text { starts, .. } => return vec![starts.to_string()],
                Kind::Operate { operator: "+", left, .. } => (*left, None),
                Kind::Operate { operator: "%", left, .. } => (*left, Some('%')),
                Kind::Call { callee: Callee::Method(base, method), .. } if &**method == "format" => (*base, Some('{')),
                _ => return unknown(),
            };
            let texts = objects_of(solved, placed.var(left)).into_iter().map(|object| {
                match self.world.constant_value(object) {
                    Some(Constant::Str(text)) => {
                        Some(text.split(|letter| Some(letter) == end).next().unwrap_or_default().to_owned())
                    }
                    _ => None,
                }
            });
            return texts.collect::<Option<Vec<String>>>().unwrap_or_else(unknown);
        }
        unknown()
    }

    /// The accesses or the call by the names that an object keeps, to or of what it is called with.
    pub(super) fn place_kept_names(&mut self, solved: &PointsTo, call: &Call, base: Var) {
        let Some(func) = self.bodies.at(call.point).map(|(placed, _)| placed.func) else { return };
        let keepers = self.facts.calls_value.iter().filter(|points_to::CallsValue(at, _)| *at == call.point);
        let keepers: Vec<Var> = keepers.map(|points_to::CallsValue(_, keeper)| *keeper).collect();
        let Some(keeper) = keepers.first().copied() else { return self.give_up_on(call.point) };
        let kept = self.world.attribute(NAMES);
        let keeping = objects_of(solved, keeper);
        let inside = solved
            .field_points_to
            .iter()
            .filter(|points_to::FieldPointsTo(object, field, _)| keeping.contains(object) && *field == kept);
        let inside: BTreeSet<Obj> = inside.map(|points_to::FieldPointsTo(_, _, names)| *names).collect();
        let names =
            solved.field_points_to.iter().filter(|points_to::FieldPointsTo(object, ..)| inside.contains(object));
        let names: BTreeSet<Obj> = names.map(|points_to::FieldPointsTo(_, _, name)| *name).collect();
        for name in names {
            match self.world.constant_value(name).cloned() {
                Some(Constant::Str(text)) => self.place_kept_name(call, func, (keeper, base), &text),
                _ => {
                    self.told.nameless.insert(call.point);
                    self.give_up_on(call.point);
                    for member in self.members(solved, base, false) {
                        self.place_kept_name(call, func, (keeper, base), &member);
                    }
                }
            }
        }
    }

    fn place_kept_name(&mut self, call: &Call, func: Func, (keeper, base): (Var, Var), text: &str) {
        if !self.told.accesses.insert((call.point, Name::from(text))) {
            return;
        }
        let is_call = call.access == Access::CallMethod;
        let mut steps: Vec<&str> = text.split('.').collect();
        let method = if is_call { steps.pop() } else { None };
        let mut got = base;
        for step in steps {
            got = self.place_load(call, func, got, step);
        }
        if let Some(method) = method {
            got = self.place_method(call, func, (keeper, got), method);
        }
        let Some(result) = call.result else { return };
        self.facts.copies.push(points_to::Copies(result, got));
        if !is_call {
            // Of several names it gives a tuple, which is what the model makes.
            let point = self.pseudo_point(call.point, func);
            self.place_beside(call.point, point);
            self.facts.stores_raw.push(points_to::StoresRaw(point, result, Field::ANY_ITEM, got));
        }
    }

    fn place_load(&mut self, call: &Call, func: Func, base: Var, name: &str) -> Var {
        let Some(first_var) = self.bodies.at(call.point).map(|(placed, _)| placed.first_var) else { return base };
        let slot = |var: Var| Slot(var.0.wrapping_sub(first_var));
        let got = self.variable();
        let point = self.pseudo_point(call.point, func);
        self.place_beside(call.point, point);
        self.emit_beside(
            func,
            point,
            &Kind::LoadAttribute { dst: slot(got), base: slot(base), name: Name::from(name) },
        );
        got
    }

    /// The call of a method with the arguments that the caller keeps.
    fn place_method(&mut self, call: &Call, func: Func, (keeper, base): (Var, Var), name: &str) -> Var {
        let point = self.pseudo_point(call.point, func);
        self.place_beside(call.point, point);
        let field = self.world.attribute(name);
        self.facts.calls_method.push(points_to::CallsMethod(point, base, field));
        self.facts.receiver.push(taint::Receiver(point, base));
        self.facts.operand.push(points_to::Operand(point, base));
        let result = self.variable();
        self.facts.call_result.push(points_to::CallResult(point, result));
        for (kept, is_mapping) in [("args", false), ("keywords", true)] {
            let (given, kept) = (self.variable(), self.world.attribute(kept));
            self.facts.loads_raw.push(points_to::LoadsRaw(call.point, given, keeper, kept));
            self.facts.operand.push(points_to::Operand(point, given));
            self.facts.spread_argument.push(points_to::SpreadArgument(point, given));
            if is_mapping {
                self.facts.spread_mapping.push(points_to::SpreadMapping(point, given));
            }
        }
        // Which method that is depends on what is kept.
        self.facts.chooses_callee.push(taint::ChoosesCallee(point, keeper));
        result
    }
}
