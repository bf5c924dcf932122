//! Enumerations: which members they have, and where the text that makes these runs.

use healguard_rules::points_to;
use healguard_rules::schema::{Obj, Var};
use rustc_hash::FxHashSet;

use crate::enumeration;
use crate::ir::{Assigned, Body, Form, Kind, Name};
use crate::solve::PointsTo;
use crate::world::{Entity, FileId, last_name};

use super::Engine;
use super::reflection::objects_of;
use super::requests::is_plain_base;

/// Classes of values that the members of an enumeration may be of.
const MIXED_IN: [&str; 3] = ["int", "str", "float"];

impl Engine<'_, '_> {
    /// Makes the members of the enumerations of the program.
    pub(super) fn tell_enumerations(&mut self, solved: &PointsTo) {
        for points_to::MakesSubclass(point, var) in self.facts.makes_subclass.clone() {
            for class in objects_of(solved, var) {
                let Some(Entity::Class(file, body)) = self.world.entity(class).cloned() else { continue };
                if self.told.finished.contains_key(&class) || !self.is_enumeration(class) {
                    continue;
                }
                let Some(source) = self.world.body(file, body).cloned() else { continue };
                match self.members_of_enumeration(solved, class, &source) {
                    Some(Some((members, kind))) => {
                        let members: Vec<&Assigned> = members.iter().collect();
                        let text = enumeration::text(&members, &kind);
                        let (module, run) = self.finishing_module(class, &text);
                        let names: Vec<Name> = members.iter().map(|member| member.name.clone()).collect();
                        self.hand_values_on(class, module, &names);
                        if !members.is_empty() {
                            self.facts.closed.push(points_to::Closed(class));
                        }
                        self.facts.runs_module.push(points_to::RunsModule(point, module, run));
                    }
                    // What a member is to be is not known yet.
                    Some(None) => {}
                    None => {
                        self.told.finished.insert(class, FxHashSet::default());
                        self.facts.foreign_class.push(points_to::ForeignClass(class));
                    }
                }
            }
        }
    }

    fn is_enumeration(&mut self, class: Obj) -> bool {
        let bases = self.class_bases.clone();
        let order = self.world.resolution_order(class, &bases);
        order.into_iter().any(|base| base != class && self.world.dotted(base).as_deref() == Some("enum.Enum"))
    }

    /// The members that a class body declares, and what is to be known to make them. Nothing where that cannot be seen; nothing
    /// inside where it cannot be seen yet.
    fn members_of_enumeration(
        &mut self,
        solved: &PointsTo,
        class: Obj,
        source: &Body,
    ) -> Option<Option<(Vec<Assigned>, enumeration::Kind)>> {
        let mut members: Vec<Assigned> = Vec::new();
        for assigned in source.assigned.as_ref()?.iter().filter(|assigned| enumeration::is_member_name(&assigned.name))
        {
            let field = self.world.attribute(&assigned.name);
            let stored: Vec<Var> = self.stores_of(class, field).map(|points_to::StoresPlace(.., var)| *var).collect();
            let values: Vec<Obj> = stored.into_iter().flat_map(|var| objects_of(solved, var)).collect();
            if values.is_empty() {
                return Some(None);
            }
            let is_code = |object: &Obj| solved.code_is.iter().any(|points_to::CodeIs(method, _)| method == object);
            let is_called = matches!(&assigned.form, Form::Call(called) if !matches!(last_name(called), "auto"));
            let no_members = values.iter().filter(|value| is_code(value) || self.world.is_class(**value)).count();
            if no_members == values.len() {
                continue;
            }
            // A descriptor is no member, and `member` and `nonmember` say what is one.
            let is_strange = |value: &Obj| !self.is_member_value(solved, *value);
            if no_members > 0 || (is_called && values.iter().any(is_strange)) {
                return None;
            }
            if members.iter().any(|known| known.name == assigned.name) {
                return None;
            }
            members.push(assigned.clone());
        }
        let bases = self.class_bases.clone();
        let order = self.world.resolution_order(class, &bases);
        let names: Vec<String> = order.iter().filter_map(|base| self.world.dotted(*base)).collect();
        let has = |wanted: &str| names.iter().any(|name| name == wanted);
        let mixed = MIXED_IN.iter().find(|name| has(&format!("builtins.{name}")));
        let is_known = |base: &Obj| match self.world.entity(*base) {
            Some(Entity::Library(name)) => {
                is_plain_base(name) || MIXED_IN.iter().any(|mixed| name.strip_prefix("builtins.") == Some(mixed))
            }
            Some(Entity::Class(..) | Entity::Snapshot(_)) => true,
            _ => false,
        };
        if !order.iter().all(is_known) {
            return None;
        }
        let own = |engine: &Self, name: &str| {
            order.iter().any(|class| {
                let is_library = engine.world.dotted(*class).is_some_and(|name| name.starts_with("enum."));
                !is_library && engine.is_program_class(*class) && engine.world.owns(*class, name) == Some(true)
            })
        };
        let creates = own(self, "__new__");
        Some(Some((
            members,
            enumeration::Kind {
                mixed_in: mixed.copied(),
                creates,
                sets_value: creates && self.stores_value(&order),
                initialises: own(self, "__init__"),
                is_flag: has("enum.Flag"),
                is_text: has("enum.StrEnum"),
                generates: own(self, "_generate_next_value_"),
            },
        )))
    }

    fn is_program_class(&self, class: Obj) -> bool {
        matches!(self.world.entity(class), Some(Entity::Class(..) | Entity::Snapshot(_)))
    }

    /// Whether a value that a call gave makes a member: it is plain, or what `auto` gives.
    fn is_member_value(&self, solved: &PointsTo, value: Obj) -> bool {
        let classes = solved.class_of.iter().filter(|points_to::ClassOf(object, _)| *object == value);
        let mut classes = classes.map(|points_to::ClassOf(_, class)| *class).peekable();
        classes.peek().is_some()
            && classes.all(|class| {
                let dotted = self.world.dotted(class).unwrap_or_default();
                self.world.models.class(&dotted).is_some_and(|class| class.immutable) || dotted == "enum.auto"
            })
    }

    /// Whether `__new__` of one of these classes sets the value of a member.
    fn stores_value(&self, order: &[Obj]) -> bool {
        let field = self.world.known_attribute("_value_");
        let is_named = |file: FileId, body: usize| {
            self.world.body(file, body).is_some_and(|body| last_name(&body.qualified_name) == "__new__")
        };
        let files = order.iter().filter_map(|class| match self.world.entity(*class) {
            Some(Entity::Class(file, _)) => Some(*file),
            _ => None,
        });
        field.is_some()
            && files.into_iter().any(|file| {
                let bodies = self.world.files[file].lowered.as_ref().map(|file| file.bodies.len()).unwrap_or_default();
                (0..bodies).filter(|body| is_named(file, *body)).any(|body| {
                    let nodes = self.world.body(file, body).map(|body| body.nodes.as_slice()).unwrap_or_default();
                    nodes
                        .iter()
                        .any(|node| matches!(&node.kind, Kind::StoreAttribute { name, .. } if &**name == "_value_"))
                })
            })
    }
}
