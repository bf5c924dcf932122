//! What the first layer says of values and calls, for the search for what never happens.

use std::collections::BTreeSet;

use healguard_rules::points_to;
use healguard_rules::schema::{Field, Func, Obj, Point, Var, is_constant};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::bodies::{Bodies, Placed};
use crate::facts::Facts;
use crate::ir::{Kind, NodeId, Slot};
use crate::solve::{PointsTo, Tuples};
use crate::world::World;

use super::Engine;

/// What has been read of the first layer, whose relations only grow: each tuple is read once.
#[derive(Default)]
pub(super) struct Learned {
    /// What each variable holds in any context.
    pub values: FxHashMap<Var, FxHashSet<Obj>>,
    pub classes: FxHashMap<Obj, Vec<Obj>>,
    /// The bodies that an instruction enters.
    pub calls: FxHashMap<Point, BTreeSet<Func>>,
    /// Instructions that run code of a library, or unknown code.
    foreign: FxHashSet<Point>,
    /// Calls that make objects.
    making: FxHashSet<Point>,
    /// Mappings with keys that are no constants.
    pub object_keys: FxHashSet<Obj>,
    /// Methods of classes that have a body in the program.
    pub methods: FxHashSet<(Obj, Field)>,
    coded: FxHashSet<Obj>,
    /// Methods that may have a body yet, and where they are found.
    uncoded: FxHashMap<Obj, Vec<(Obj, Field)>>,
    read: Read,
}

/// How many tuples of each relation were read.
#[derive(Default)]
struct Read {
    values: usize,
    classes: usize,
    calls: usize,
    models: usize,
    unknown: usize,
    unresolved: usize,
    new: usize,
    fields: usize,
    code: usize,
    lookups: usize,
}

/// The tuples behind those that were read before.
fn fresh<'t, T>(tuples: &'t Tuples<T>, read: &mut usize) -> impl Iterator<Item = &'t T> + use<'t, T> {
    let first = std::mem::replace(read, tuples.len());
    tuples.as_slice()[first..].iter()
}

impl Learned {
    /// Reads what is new.
    pub(super) fn read(&mut self, solved: &PointsTo, facts: &Facts, bodies: &Bodies) {
        let read = &mut self.read;
        for points_to::VarPointsTo(_, var, object) in fresh(&solved.var_points_to, &mut read.values) {
            self.values.entry(*var).or_default().insert(*object);
        }
        for points_to::ClassOf(object, class) in fresh(&solved.class_of, &mut read.classes) {
            self.classes.entry(*object).or_default().push(*class);
        }
        for points_to::CallTo(_, point, _, _, func, _) in fresh(&solved.call_to, &mut read.calls) {
            self.calls.entry(bodies.origin(*point)).or_default().insert(*func);
        }
        let models = fresh(&solved.model_call, &mut read.models).map(|points_to::ModelCall(_, point, ..)| *point);
        let unknown = fresh(&solved.unknown_call, &mut read.unknown).map(|points_to::UnknownCall(_, point)| *point);
        let unresolved = facts.unresolved[read.unresolved..].iter().map(|points_to::Unresolved(point)| *point);
        self.foreign.extend(models.chain(unknown).chain(unresolved).map(|point| bodies.origin(point)));
        read.unresolved = facts.unresolved.len();
        let new = fresh(&solved.new, &mut read.new);
        self.making.extend(new.map(|points_to::New(_, point, ..)| bodies.origin(*point)));
        for points_to::FieldPointsTo(object, field, key) in fresh(&solved.field_points_to, &mut read.fields) {
            if *field == Field::KEYS && !is_constant(*key) {
                self.object_keys.insert(*object);
            }
        }
        for points_to::CodeIs(method, _) in fresh(&solved.code_is, &mut read.code) {
            self.coded.insert(*method);
            self.methods.extend(self.uncoded.remove(method).into_iter().flatten());
        }
        for points_to::Lookup(class, name, method, _) in fresh(&solved.lookup, &mut read.lookups) {
            if self.coded.contains(method) {
                self.methods.insert((*class, *name));
            } else {
                self.uncoded.entry(*method).or_default().push((*class, *name));
            }
        }
    }
}

impl Engine<'_, '_> {
    /// Takes the bodies out, with what the first layer says of them; who asks puts them back.
    pub(super) fn learn(&mut self, solved: &PointsTo) -> (Bodies, Learned) {
        self.learned.read(solved, &self.facts, &self.bodies);
        (std::mem::take(&mut self.bodies), std::mem::take(&mut self.learned))
    }
}

/// What is known of the bodies at one time.
pub(super) struct Known<'b> {
    bodies: &'b Bodies,
    learned: &'b Learned,
    /// Variables that healed state arrives in.
    pub healed: FxHashSet<Var>,
    /// Whether what nothing is known of is still waited for.
    pub waits: bool,
    pub isinstance: Obj,
    pub len: Obj,
    pub type_class: Obj,
}

impl std::ops::Deref for Known<'_> {
    type Target = Learned;

    fn deref(&self) -> &Learned {
        self.learned
    }
}

impl<'b> Known<'b> {
    /// What is known where healed state is supposed to arrive nowhere, and nothing is waited for.
    pub(super) fn new(bodies: &'b Bodies, learned: &'b Learned, world: &mut World<'_>) -> Self {
        let [isinstance, len, type_class] =
            ["builtins.isinstance", "builtins.len", "builtins.type"].map(|name| world.library(name));
        Known { bodies, learned, healed: FxHashSet::default(), waits: false, isinstance, len, type_class }
    }

    /// The instruction that gives a slot its value, where there is one.
    pub(super) fn definition<'p>(&self, body: &'p Placed, slot: Slot) -> Option<&'p Kind> {
        Some(&body.ssa.body.nodes[body.ssa.definition(slot)?].kind)
    }

    /// The body of a function.
    pub(super) fn body(&self, func: Func) -> Option<&'b Placed> {
        self.bodies.of_func(func)
    }

    /// What the instruction at a point does.
    pub(super) fn at(&self, point: Point) -> Option<(&'b Placed, NodeId)> {
        self.bodies.at(point)
    }

    /// Whether an instruction runs code of a library, or unknown code.
    pub(super) fn is_foreign(&self, point: Point) -> bool {
        self.foreign.contains(&point)
    }

    /// Whether nothing is known yet of a value, or of what it is made of.
    pub(super) fn awaits(&self, body: &Placed, slot: Slot, steps: usize) -> bool {
        let is_unknown = self.values.get(&body.var(slot)).is_none_or(FxHashSet::is_empty);
        let awaits_part = || match self.definition(body, slot) {
            Some(kind @ (Kind::Copy { .. } | Kind::Operate { .. } | Kind::Call { .. } | Kind::Build { .. })) => {
                kind.uses().into_iter().any(|part| self.awaits(body, part, steps - 1))
            }
            _ => false,
        };
        is_unknown || steps > 0 && awaits_part()
    }

    /// Whether an instruction waits for operands, or for what it calls, and is waited for.
    pub(super) fn is_awaited(&self, body: &Placed, node: NodeId) -> bool {
        let kind = &body.ssa.body.nodes[node].kind;
        let point = body.point(node);
        let has_target =
            || self.calls.contains_key(&point) || self.foreign.contains(&point) || self.making.contains(&point);
        self.waits
            && (kind.uses().into_iter().any(|slot| self.awaits(body, slot, 0))
                || matches!(kind, Kind::Call { .. }) && !has_target())
    }

    /// Whether an instruction enters bodies of the program, and nothing else.
    pub(super) fn is_user_call(&self, point: Point) -> bool {
        self.calls.contains_key(&point) && !self.foreign.contains(&point)
    }

    /// Whether a body may come to run another one.
    pub(super) fn leads_to(&self, from: Func, to: Func) -> bool {
        let mut seen = FxHashSet::default();
        let mut open = vec![from];
        while let Some(func) = open.pop() {
            if func == to {
                return true;
            }
            let Some(body) = self.body(func).filter(|_| seen.insert(func)) else { continue };
            let points = (0..body.ssa.body.nodes.len()).map(|node| body.point(node));
            open.extend(points.filter_map(|point| self.calls.get(&point)).flatten());
        }
        false
    }

    pub(super) fn is_healed(&self, var: Var) -> bool {
        self.healed.contains(&var)
    }

    /// The one object that a variable holds.
    pub(super) fn only(&self, var: Var) -> Option<&Obj> {
        let mut objects = self.values.get(&var)?.iter();
        objects.next().filter(|_| objects.next().is_none())
    }
}
