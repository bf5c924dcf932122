//! Answers to what the rules look up: names in modules and classes, owners of members, bases of classes.

use std::path::Path;

use healguard_rules::schema::{Ctx, Field, Func, Obj, is_untold, item_of};
use healguard_rules::{points_to, taint};
use rustc_hash::FxHashSet;

use crate::emit::base_name;
use crate::ir::{Constant, Name};
use crate::solve::PointsTo;
use crate::world::{Entity, dotted_name, modelled_prefixes};

use super::Engine;
use super::entities::NAMES;
use super::reflection::has_rules;

impl Engine<'_, '_> {
    pub(super) fn attribute_name(&self, field: Field) -> Option<String> {
        field.as_attribute().map(|name| self.world.name_text(name).to_owned())
    }

    /// Names that were looked up in modules, classes and library objects.
    pub(super) fn answer_namespaces(&mut self, solved: &PointsTo) {
        let mut requests: Vec<(Obj, Field)> = solved
            .namespace_request
            .iter()
            .map(|points_to::NamespaceRequest(object, field)| (*object, *field))
            .filter(|request| !self.told.namespaces.contains(request))
            .collect();
        requests.sort_unstable();
        for (object, field) in requests {
            self.told.namespaces.insert((object, field));
            if field == Field::ANY {
                self.request_all(object);
            }
            let Some(name) = self.attribute_name(field) else { continue };
            for value in self.find(object, &name) {
                self.facts.initially.push(points_to::Initially(object, field, value));
            }
            self.tell_lacking(object, field, &name);
        }
    }

    /// Everything that a module or class holds, for one who looks it up under any name.
    fn request_all(&mut self, object: Obj) {
        for name in self.names_in(object) {
            let field = self.world.attribute(&name);
            self.world.constant(&Constant::Str(name.as_str().into()));
            if self.told.namespaces.insert((object, field)) {
                for value in self.find(object, &name) {
                    self.facts.initially.push(points_to::Initially(object, field, value));
                }
            }
        }
    }

    /// `sys.modules` holds what was imported, and what can be.
    pub(super) fn tell_module_table(&mut self) {
        let Some(table) = self.world.known_library(MODULE_TABLE) else { return };
        if self.told.module_names.is_empty() {
            let snapshot = self.world.snapshot;
            for name in snapshot.modules.keys().chain(&snapshot.loaded) {
                self.world.constant(&Constant::Str(name.as_str().into()));
            }
            self.world.constant(&Constant::Str(MAIN.into()));
        }
        let names: Vec<(Obj, String)> = self
            .world
            .constant_objects()
            .filter(|(object, _)| !self.told.module_names.contains(object))
            .filter_map(|(object, constant)| match constant {
                Constant::Str(text) => Some((object, text.to_string())),
                _ => None,
            })
            .collect();
        for (key, name) in names {
            self.told.module_names.insert(key);
            let snapshot = self.world.snapshot;
            let is_loaded = snapshot.modules.contains_key(&name) || snapshot.loaded.contains(&name);
            let module = if name == MAIN { self.world.main_module() } else { name.clone() };
            if is_loaded || name == MAIN || self.world.fresh_module(&name).is_some() {
                let module = self.world.object(Entity::Module(Name::from(module.as_str())));
                self.facts.initially.push(points_to::Initially(table, item_of(key), module));
                self.facts.initially.push(points_to::Initially(table, Field::KEYS, key));
            }
        }
    }

    /// The globals that a module has by itself.
    pub(super) fn globals_of(&mut self, module: &str) -> Vec<String> {
        if let Some(captured) = self.world.snapshot.modules.get(module) {
            return captured.globals.keys().cloned().collect();
        }
        let file = self.world.module_file(module);
        let lowered = file.and_then(|file| self.world.files[file].lowered.as_ref().ok());
        lowered.into_iter().flat_map(|file| file.globals.iter().map(ToString::to_string)).collect()
    }

    /// A module that does not have a name is asked for it, if it can answer.
    fn tell_lacking(&mut self, object: Obj, field: Field, name: &str) {
        let Some(Entity::Module(module)) = self.world.entity(object).cloned() else { return };
        let globals = self.globals_of(&module);
        let has = |wanted: &str| globals.iter().any(|global| global == wanted);
        let is_given = name.starts_with("__") && name.ends_with("__");
        if has("__getattr__") && !has(name) && !is_given {
            let text = self.world.constant(&Constant::Str(name.into()));
            self.facts.module_lacks.push(points_to::ModuleLacks(object, field, text));
        }
    }

    /// What a name of a namespace is at first.
    fn find(&mut self, object: Obj, name: &str) -> Vec<Obj> {
        match self.world.entity(object).cloned() {
            Some(Entity::Module(module)) => self.find_in_module(&module, name),
            Some(Entity::Snapshot(id)) => {
                let source = self.world.snapshot.objects.get(&id);
                let value = source.and_then(|object| object.attributes.get(name));
                if self.told.finished.get(&object).is_some_and(|stored| stored.contains(name)) {
                    // The module that finishes the class says what that is.
                    return Vec::new();
                }
                match value {
                    Some(value) => vec![self.world.value(value).unwrap_or(Obj::UNTOLD)],
                    None if NAMES.contains(&name) => self.find_name(object, name),
                    None => Vec::new(),
                }
            }
            Some(Entity::Class(..)) if NAMES.contains(&name) => self.find_name(object, name),
            Some(Entity::Library(base)) => self.find_in_library(&base, name),
            _ => Vec::new(),
        }
    }

    fn find_name(&mut self, class: Obj, name: &str) -> Vec<Obj> {
        let dotted = self.world.dotted(class).unwrap_or_default();
        self.name_values(&dotted, name)
    }

    fn find_in_library(&mut self, base: &str, name: &str) -> Vec<Obj> {
        let inherited = self.world.models.ancestry(base).into_iter().find_map(|class| {
            let dotted = format!("{class}.{name}");
            let known = self.world.models.get(&dotted).is_some() || self.world.models.constant(&dotted).is_some();
            known.then_some(dotted)
        });
        let is_module = modelled_prefixes().contains(base)
            || self.world.snapshot.loaded.contains(base)
            || self.world.module_file(base).is_some()
            || self.world.written_module(base).is_some();
        let is_told = inherited.is_some() || is_module || self.is_known_to_models(base);
        let dotted = inherited.unwrap_or_else(|| format!("{base}.{name}"));
        // What belongs to something that nobody knows stands for nothing else than that; there is no end to it.
        if is_told || self.is_named_by_operation(&dotted) {
            return vec![self.world.library(&dotted)];
        }
        let object = self.world.library(base);
        self.told.with_members.insert(object);
        vec![object]
    }

    fn find_in_module(&mut self, module: &str, name: &str) -> Vec<Obj> {
        let snapshot = self.world.snapshot;
        let dotted = format!("{module}.{name}");
        if let Some(value) = snapshot.modules.get(module).and_then(|captured| captured.globals.get(name)) {
            return vec![self.world.value(value).unwrap_or(Obj::UNTOLD)];
        }
        if has_rules(&dotted) && self.world.own_module_file(module).is_none() {
            return vec![self.world.library(&dotted)];
        }
        if self.defines(module, name) {
            return Vec::new();
        }
        if snapshot.modules.contains_key(module) {
            // What is not there now comes from elsewhere.
        } else if self.is_known_to_models(&dotted) && self.world.own_module_file(module).is_none() {
            return vec![self.world.library(&dotted)];
        } else if self.world.written_module(module).is_some() {
            // Its own source is not looked at.
        } else if let Some(file) = self.world.module_file(module) {
            let globals = self.world.files[file].lowered.as_ref().map(|file| file.globals.clone()).unwrap_or_default();
            if globals.iter().any(|global| &**global == name) {
                if self.told.modules.insert(file) {
                    let body = self.function(file, 0);
                    self.facts.root.push(points_to::Root(Ctx::SHARED, body));
                }
                return Vec::new();
            }
        }
        if snapshot.modules.contains_key(&dotted) || self.world.module_file(&dotted).is_some() {
            return vec![self.world.object(Entity::Module(Name::from(dotted.as_str())))];
        }
        let builtin = format!("builtins.{name}");
        if self.is_known_to_models(&builtin) || has_rules(&builtin) {
            return vec![self.world.library(&builtin)];
        }
        if snapshot.modules.contains_key(module) {
            // The module is known whole: the name does not exist unless something stores it.
            return Vec::new();
        }
        vec![self.world.library(&dotted)]
    }

    /// Whether a module that is written for the analysis has the name: then its body, which only defines, says what it is.
    fn defines(&mut self, module: &str, name: &str) -> bool {
        let Some(file) = self.world.written_module(module) else { return false };
        let lowered = self.world.files[file].lowered.as_ref();
        let defines = lowered.is_ok_and(|file| file.globals.iter().any(|global| &**global == name));
        if defines && healguard_rules::models::written(module).is_some() && self.told.modules.insert(file) {
            let body = self.function(file, 0);
            self.facts.root.push(points_to::Root(Ctx::SHARED, body));
        }
        defines
    }

    fn is_known_to_models(&self, dotted: &str) -> bool {
        let models = self.world.models;
        models.get(dotted).is_some() || models.class(dotted).is_some() || models.constant(dotted).is_some()
    }

    /// Members that were looked up on classes.
    pub(super) fn answer_members(&mut self, solved: &PointsTo) {
        let mut requests: Vec<(Obj, Field)> = solved
            .member_request
            .iter()
            .map(|points_to::MemberRequest(class, field)| (*class, *field))
            .filter(|request| !self.told.members.contains(request))
            .collect();
        requests.sort_unstable();
        for (class, field) in requests {
            self.told.members.insert((class, field));
            let Some(name) = self.attribute_name(field) else { continue };
            let bases = self.class_bases.clone();
            let order = self.world.resolution_order(class, &bases);
            match self.owner(&order, &name) {
                Some(owner) => self.tell_owner(class, field, owner),
                // Every object has these, whatever its class says.
                None if matches!(name.as_str(), "__class__" | "__dict__" | "__doc__") => {}
                None => self.facts.missing.push(points_to::Missing(class, field)),
            }
        }
    }

    /// A class that a member is stored in owns it from then on, whatever its definition says. One behind the class that has the
    /// member by its definition is not asked, unless somebody deletes it there.
    pub(super) fn answer_stored_members(&mut self, solved: &PointsTo) {
        let classes: FxHashSet<Obj> = self.facts.is_class.iter().map(|points_to::IsClass(class)| *class).collect();
        let told =
            self.facts.initially.iter().map(|points_to::Initially(class, field, value)| (*class, *field, *value));
        let told: FxHashSet<(Obj, Field, Obj)> = told.filter(|(class, ..)| classes.contains(class)).collect();
        let stored = solved
            .field_points_to
            .iter()
            .filter(|points_to::FieldPointsTo(class, field, value)| {
                classes.contains(class) && field.as_attribute().is_some() && !told.contains(&(*class, *field, *value))
            })
            .map(|points_to::FieldPointsTo(class, field, _)| (*field, *class));
        let stored: FxHashSet<(Field, Obj)> = stored.collect();
        let stored_fields: FxHashSet<Field> = stored.iter().map(|(field, _)| *field).collect();
        let deleted = self.facts.deletes_attribute.iter();
        let deleted: FxHashSet<Field> = deleted.map(|points_to::DeletesAttribute(_, _, field)| *field).collect();
        let mut requests: Vec<(Obj, Field)> = solved
            .member_request
            .iter()
            .map(|points_to::MemberRequest(class, field)| (*class, *field))
            .filter(|(_, field)| stored_fields.contains(field))
            .collect();
        requests.sort_unstable();
        let bases = self.class_bases.clone();
        for (class, field) in requests {
            for owner in self.world.resolution_order(class, &bases) {
                if stored.contains(&(field, owner)) {
                    self.tell_owner(class, field, owner);
                }
                let name = self.attribute_name(field).unwrap_or_default();
                if self.world.owns(owner, &name) == Some(true) && !deleted.contains(&field) {
                    break;
                }
            }
        }
    }

    fn tell_owner(&mut self, class: Obj, field: Field, owner: Obj) {
        if self.told.owners.insert((class, field, owner)) {
            self.facts.owner.push(points_to::Owner(class, field, owner));
        }
    }

    /// The first class of a resolution order that has the member, or may have it.
    pub(super) fn owner(&mut self, order: &[Obj], name: &str) -> Option<Obj> {
        order.iter().copied().find(|class| match self.world.owns(*class, name) {
            Some(owns) => owns,
            // A class that nobody knows is taken to have every ordinary name; special methods are only asked for.
            None => !name.starts_with("__"),
        })
    }

    pub(super) fn answer_supers(&mut self, solved: &PointsTo) {
        let mut requests: Vec<(Obj, Func, Field)> = solved
            .super_request
            .iter()
            .map(|points_to::SuperRequest(class, code, field)| (*class, *code, *field))
            .filter(|request| !self.told.supers.contains(request))
            .collect();
        requests.sort_unstable();
        for (class, code, field) in requests {
            self.told.supers.insert((class, code, field));
            let Some(name) = self.attribute_name(field) else { continue };
            let bases = self.class_bases.clone();
            let order = self.world.resolution_order(class, &bases);
            let behind = order.iter().position(|entry| self.has_code(*entry, code)).map_or(1, |at| at + 1);
            let rest = order.get(behind..).unwrap_or_default().to_vec();
            if let Some(owner) = self.owner(&rest, &name) {
                self.facts.super_owner.push(points_to::SuperOwner(class, code, field, owner));
            }
        }
    }

    /// Whether a class was defined by the class body `code`.
    fn has_code(&self, class: Obj, code: Func) -> bool {
        let Some((file, body)) = self.owners.get(&code).copied() else { return false };
        match self.world.entity(class) {
            Some(Entity::Class(in_file, in_body)) => (*in_file, *in_body) == (file, body),
            Some(Entity::Snapshot(id)) => {
                let Some(object) = self.world.snapshot.objects.get(id) else { return false };
                let Some(ir) = self.world.body(file, body) else { return false };
                let same_name = object.qualname.as_deref() == Some(&*ir.qualified_name);
                let same_file =
                    object.file.as_deref().is_none_or(|path| Path::new(path) == self.world.files[file].path);
                let same_module = object.module.as_deref() == Some(&*self.world.module_of(file));
                same_name && (same_module || same_file)
            }
            _ => false,
        }
    }

    /// Bases of classes that are known by their definition, and what calling such a class does in the library.
    pub(super) fn learn_bases(&mut self, solved: &PointsTo) {
        for index in 0..8 {
            let field = self.world.attribute(&base_name(index));
            let mut found: Vec<(Obj, Obj)> = solved
                .field_points_to
                .iter()
                .filter(|points_to::FieldPointsTo(_, of, _)| *of == field)
                .map(|points_to::FieldPointsTo(class, _, base)| (*class, *base))
                .collect();
            found.sort_unstable();
            for (class, base) in found {
                let bases = self.class_bases.entry(class).or_default();
                if !bases.contains(&base) {
                    bases.push(base);
                    // What was looked up before is looked up again.
                    self.told.members.retain(|(of, _)| *of != class);
                    self.told.constructors.remove(&class);
                }
            }
        }
        let mut classes: Vec<Obj> = self.facts.is_class.iter().map(|points_to::IsClass(class)| *class).collect();
        classes.retain(|class| !self.told.constructors.contains(class));
        for class in classes {
            self.told.constructors.insert(class);
            if matches!(self.world.entity(class), Some(Entity::Snapshot(_) | Entity::Class(..) | Entity::MadeClass(_)))
            {
                self.tell_base_constructor(class);
                self.tell_foreign_members(class);
                self.tell_above(class);
            }
        }
    }

    /// The classes above `class`, itself included, and whether one of them is built in.
    fn tell_above(&mut self, class: Obj) {
        let bases = self.class_bases.clone();
        for above in self.world.resolution_order(class, &bases) {
            self.facts.above.push(points_to::Above(class, above));
            let is_known = match self.world.entity(above) {
                Some(Entity::Library(name)) => is_plain_base(name),
                Some(Entity::Snapshot(_) | Entity::Class(..) | Entity::MadeClass(_)) => true,
                _ => false,
            };
            if !is_known {
                self.facts.built_in.push(taint::BuiltIn(class));
            }
        }
    }

    /// The nearest class of the library above `class` whose constructor does something; says whether there is one.
    pub(super) fn tell_base_constructor(&mut self, class: Obj) -> bool {
        let bases = self.class_bases.clone();
        let order = self.world.resolution_order(class, &bases);
        for base in order {
            let Some(Entity::Library(name)) = self.world.entity(base).cloned() else { continue };
            if is_plain_base(&name) || base == class {
                continue;
            }
            match self.world.models.get(&name).map(|(id, _)| id) {
                Some(id) => {
                    let model = self.tell_model(id);
                    self.facts.base_constructor.push(points_to::BaseConstructor(class, model));
                }
                None => self.facts.unmodelled.push(points_to::Unmodelled(class)),
            }
            return true;
        }
        false
    }

    /// The members of a class that has a class of the library above it. The models of what is built in say which special
    /// methods it calls; of other classes, methods without a model may call whatever a class below overrides.
    fn tell_foreign_members(&mut self, class: Obj) {
        let bases = self.class_bases.clone();
        let order = self.world.resolution_order(class, &bases);
        let libraries: Vec<Name> = order
            .iter()
            .filter_map(|base| match self.world.entity(*base) {
                Some(Entity::Library(name)) => Some(name.clone()),
                _ => None,
            })
            .filter(|name| !name.starts_with("builtins.") && !SILENT_BASES.contains(&&**name))
            .collect();
        if libraries.is_empty() {
            return;
        }
        let is_made_by_library = libraries.iter().any(|name| self.world.models.class(name).is_none());
        if is_made_by_library && matches!(self.world.entity(class), Some(Entity::Class(..))) {
            self.facts.foreign_class.push(points_to::ForeignClass(class));
        }
        for owner in order {
            let names: Vec<String> = match self.world.entity(owner) {
                Some(Entity::Snapshot(id)) => {
                    let members = self.world.snapshot.objects.get(id).map(|object| object.attributes.keys());
                    members.into_iter().flatten().cloned().collect()
                }
                Some(Entity::Class(file, body)) => {
                    let members = self.world.body(*file, *body).map(|body| body.owned.iter());
                    members.into_iter().flatten().map(|name| name.to_string()).collect()
                }
                _ => continue,
            };
            for name in names {
                let field = self.world.attribute(&name);
                self.facts.foreign_member.push(points_to::ForeignMember(class, field));
            }
        }
    }

    /// Methods that are called on unknown objects may be any method of that name in a class of the snapshot.
    pub(super) fn answer_names(&mut self, solved: &PointsTo) {
        let opaque: FxHashSet<_> = solved
            .var_points_to
            .iter()
            .filter(|points_to::VarPointsTo(_, _, object)| is_untold(*object))
            .map(|points_to::VarPointsTo(_, var, _)| *var)
            .collect();
        let mut fields: Vec<Field> = self
            .facts
            .calls_method
            .iter()
            .filter(|points_to::CallsMethod(_, base, field)| opaque.contains(base) && !self.told.names.contains(field))
            .map(|points_to::CallsMethod(_, _, field)| *field)
            .collect();
        fields.sort_unstable();
        fields.dedup();
        for field in fields {
            self.told.names.insert(field);
            let Some(name) = self.attribute_name(field) else { continue };
            let snapshot = self.world.snapshot;
            let classes =
                snapshot.objects.values().filter(|object| object.kind == "class" && dotted_name(object).is_some());
            let members: Vec<_> = classes.filter_map(|class| class.attributes.get(&name)).collect();
            for member in members {
                let is_function = snapshot.object(member).is_some_and(|object| object.kind == "function");
                if is_function && let Some(object) = self.world.value(member) {
                    self.facts.known_member.push(points_to::KnownMember(field, object));
                }
            }
        }
    }
}

/// The modules by their names.
const MODULE_TABLE: &str = "sys.modules";
/// What the program's main file is called there.
const MAIN: &str = "__main__";

/// Classes of the library that call nothing of the classes below them; their constructors do nothing that flows.
const SILENT_BASES: [&str; 5] = ["builtins.object", "abc.ABC", "typing.Generic", "typing.Protocol", "builtins.type"];

/// Whether the constructor of a class of the library does nothing that flows.
pub(crate) fn is_plain_base(name: &str) -> bool {
    // What `super()` gives has rules of its own.
    let others = ["builtins.super", "typing.NamedTuple"];
    SILENT_BASES.contains(&name) || others.contains(&name)
}
