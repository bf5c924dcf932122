//! Classes that the library finishes: the methods that it adds are written as text and analysed like the program's own.

use healguard_rules::points_to;
use healguard_rules::schema::{Field, Func, Obj, Point, Var};
use rustc_hash::FxHashSet;

use crate::data_class::{self, KEPT};
use crate::ir::{Kind, Name};
use crate::world::{Entity, FileId};

use super::Engine;

impl Engine<'_, '_> {
    /// The module that finishes a class.
    pub(super) fn finishing_module(&mut self, class: Obj, text: &str) -> (Obj, Func) {
        let dotted = self.world.dotted(class).unwrap_or_default();
        let name = format!("class {dotted} {}", class.0);
        let file = self.world.add_module(&name, text);
        let module = self.world.object(Entity::Module(Name::from(name.as_str())));
        let field = self.world.attribute(data_class::CLASS);
        self.facts.initially.push(points_to::Initially(module, field, class));
        self.told.namespaces.insert((module, field));
        let stored = self.tell_kept(file);
        self.told.finished.insert(class, stored);
        self.facts.finished.push(points_to::Finished(class));
        (module, self.function(file, 0))
    }

    /// Says which attributes no program sees; gives all that a finishing module stores.
    pub(super) fn tell_kept(&mut self, file: FileId) -> FxHashSet<Name> {
        let nodes = self.world.body(file, 0).map(|body| body.nodes.as_slice()).unwrap_or_default();
        let stored = nodes.iter().filter_map(|node| match &node.kind {
            Kind::StoreAttribute { name, .. } => Some(name.clone()),
            _ => None,
        });
        let stored: FxHashSet<Name> = stored.collect();
        let mut kept: Vec<&Name> = stored.iter().filter(|name| name.starts_with(KEPT)).collect();
        kept.sort_unstable();
        for name in kept {
            let field = self.world.attribute(name);
            self.facts.internal.push(points_to::Internal(field));
        }
        stored
    }

    pub(super) fn stores_of(&self, class: Obj, field: Field) -> impl Iterator<Item = &points_to::StoresPlace> {
        let stores = self.facts.stores_place.iter();
        stores.filter(move |points_to::StoresPlace(_, object, of, _)| *object == class && *of == field)
    }

    /// Hands on what the body of a class assigns to names, to the module that finishes the class.
    pub(super) fn hand_values_on(&mut self, class: Obj, module: Obj, names: &[Name]) {
        for name in names {
            let field = self.world.attribute(name);
            let target = self.world.attribute(&format!("{}{name}", data_class::VALUE));
            self.told.namespaces.insert((module, target));
            let stores: Vec<(Point, Var)> =
                self.stores_of(class, field).map(|points_to::StoresPlace(point, .., var)| (*point, *var)).collect();
            let handed = stores.into_iter().map(|(point, var)| points_to::StoresPlace(point, module, target, var));
            self.facts.stores_place.extend(handed);
        }
    }
}
