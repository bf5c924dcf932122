//! What exists: source files, modules, classes, functions and objects, found on demand.
//!
//! The world answers the requests of the rules: what a name of a module is, which class owns a member, what an object of
//! the snapshot holds, which body a function has. It knows sources through the front end's lowered files only.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use healguard_rules::models::{self, Model, ModelId, Models};
use healguard_rules::schema::{FIRST_INEXACT_CONSTANT, Field, Obj};
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxHashSet;

use crate::frontend::{self, SyntaxError};
use crate::ir::{Body, BodyId, BodyKind, Constant, LoweredFile, Name, Span};
use crate::snapshot::{Object, ObjectId, Snapshot, Value};

/// Number of a source file.
pub type FileId = usize;

/// A source file of the slice.
#[derive(Debug)]
pub struct SourceFile {
    pub path: PathBuf,
    /// Path as shown to people.
    pub shown: String,
    pub text: Arc<str>,
    pub lowered: Result<LoweredFile, SyntaxError>,
}

/// Something that exists once.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Entity {
    /// An object of the snapshot.
    Snapshot(ObjectId),
    /// A module, by its dotted name.
    Module(Name),
    /// A function, class or value of a library that is known by its dotted name only.
    Library(Name),
    /// A class by its definition.
    Class(FileId, BodyId),
    /// A class that the call at a program point makes.
    MadeClass(u32),
    /// The cells of activations of a body that ended before the crash, or that the snapshot does not tell apart.
    Cells(FileId, BodyId),
    /// The cells of an activation of a body that a function of the snapshot came with, where nothing stores into them any more.
    OwnCells(ObjectId, BodyId),
    /// State outside the program, by kind.
    Outside(u32),
    /// Every exception that is raised somewhere.
    Raised,
    /// Every exception by which a generator ends.
    Stopped,
}

/// Where sources are looked for.
#[derive(Clone, Debug, Default)]
pub struct SearchPath {
    /// The repository; files inside are shown relative to it.
    pub repository: PathBuf,
    /// Folders of installed packages; files inside are shown as `site:…`.
    pub site: Vec<PathBuf>,
    /// Other folders that modules are imported from.
    pub other: Vec<PathBuf>,
}

/// The world of one check.
pub struct World<'a> {
    pub snapshot: &'a Snapshot,
    pub models: &'static Models,
    pub search: SearchPath,
    pub files: Vec<SourceFile>,
    /// How long it took to read and lower the files, parsing included.
    pub lowering: Duration,
    guard_names: FxHashSet<String>,
    by_path: IndexMap<PathBuf, Option<FileId>>,
    names: IndexSet<Name>,
    constants: IndexSet<Constant>,
    inexact: IndexSet<Constant>,
    entities: IndexSet<Entity>,
    /// Bodies by file, qualified name and first line.
    located: IndexMap<(FileId, Name, u32), BodyId>,
    /// Modules by the file that they were loaded from.
    module_of_file: BTreeMap<PathBuf, Name>,
    /// Modules whose text is written for the analysis, or that there is none of.
    texts: BTreeMap<String, Option<FileId>>,
    /// Functions of the snapshot that have no source, and the body that says what they do.
    bodies_given: BTreeMap<ObjectId, (FileId, BodyId)>,
}

impl<'a> World<'a> {
    pub fn new(snapshot: &'a Snapshot, search: SearchPath, guard_names: FxHashSet<String>) -> Self {
        let mut module_of_file: BTreeMap<PathBuf, Name> = BTreeMap::new();
        for (name, module) in &snapshot.modules {
            if let Some(file) = &module.file {
                module_of_file.insert(PathBuf::from(file), Name::from(name.as_str()));
            }
        }
        for frame in &snapshot.frames {
            module_of_file.entry(PathBuf::from(&frame.file)).or_insert_with(|| Name::from(frame.module.as_str()));
        }
        World {
            snapshot,
            models: Models::builtin(),
            search,
            files: Vec::new(),
            guard_names,
            by_path: IndexMap::new(),
            lowering: Duration::ZERO,
            names: IndexSet::new(),
            constants: IndexSet::new(),
            inexact: IndexSet::new(),
            entities: IndexSet::new(),
            located: IndexMap::new(),
            module_of_file,
            texts: BTreeMap::new(),
            bodies_given: BTreeMap::new(),
        }
    }

    // ------------------------------------------------------------------ names, constants, entities

    /// Number of a name.
    pub fn name(&mut self, name: &str) -> u32 {
        match self.names.get_index_of(name) {
            Some(index) => index as u32,
            None => self.names.insert_full(Name::from(name)).0 as u32,
        }
    }

    /// The name with a number.
    pub fn name_text(&self, index: u32) -> &str {
        self.names.get_index(index as usize).map_or("?", |name| name)
    }

    /// The field of an attribute.
    pub fn attribute(&mut self, name: &str) -> Field {
        Field::attribute(self.name(name))
    }

    /// The field of an attribute whose name was mentioned before.
    pub fn known_attribute(&self, name: &str) -> Option<Field> {
        self.names.get_index_of(name).map(|index| Field::attribute(index as u32))
    }

    /// A constant as an object. Equal keys are one constant: `True`, `1` and `1.0` select the same item.
    pub fn constant(&mut self, constant: &Constant) -> Obj {
        let plain = match constant {
            Constant::Bool(value) => Some(Constant::Int(if *value { "1" } else { "0" }.into())),
            Constant::Int(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => Some(constant.clone()),
            Constant::Str(_) | Constant::Bytes(_) | Constant::None | Constant::Ellipsis => Some(constant.clone()),
            Constant::Int(_) | Constant::Float(_) | Constant::Complex | Constant::Some(_) | Constant::Handed => None,
        };
        match (plain, constant) {
            // Booleans keep a class of their own; what they select as keys is decided by `key_constant`.
            (Some(_), Constant::Bool(_)) | (None, _) => {
                Obj::constant(FIRST_INEXACT_CONSTANT + self.inexact.insert_full(constant.clone()).0 as u32)
            }
            (Some(plain), _) => Obj::constant(self.constants.insert_full(plain).0 as u32),
        }
    }

    /// The constant behind an object.
    pub fn constant_value(&self, object: Obj) -> Option<&Constant> {
        if !healguard_rules::schema::is_constant(object) {
            return None;
        }
        let index = object.index();
        match index.checked_sub(FIRST_INEXACT_CONSTANT) {
            Some(inexact) => self.inexact.get_index(inexact as usize),
            None => self.constants.get_index(index as usize),
        }
    }

    /// An entity as an object.
    pub fn object(&mut self, entity: Entity) -> Obj {
        Obj::table(self.entities.insert_full(entity).0 as u32)
    }

    /// The entity behind an object.
    pub fn entity(&self, object: Obj) -> Option<&Entity> {
        if !object.is_table() {
            return None;
        }
        self.entities.get_index(object.index() as usize)
    }

    /// Number of entities so far.
    pub fn entity_count(&self) -> usize {
        self.entities.len()
    }

    /// Number of constants so far.
    pub fn constant_count(&self) -> usize {
        self.constants.len() + self.inexact.len()
    }

    /// Constants by number, with their objects.
    pub fn constant_objects(&self) -> impl Iterator<Item = (Obj, &Constant)> {
        let exact = self.constants.iter().enumerate().map(|(at, constant)| (Obj::constant(at as u32), constant));
        let inexact = self.inexact.iter().enumerate();
        let inexact = inexact.map(|(at, constant)| (Obj::constant(FIRST_INEXACT_CONSTANT + at as u32), constant));
        exact.chain(inexact)
    }

    /// A function, class or value of a library.
    pub fn library(&mut self, dotted: &str) -> Obj {
        self.object(Entity::Library(Name::from(dotted)))
    }

    /// The same, where it was mentioned before.
    pub fn known_library(&self, dotted: &str) -> Option<Obj> {
        let index = self.entities.get_index_of(&Entity::Library(Name::from(dotted)))?;
        Some(Obj::table(index as u32))
    }

    // ------------------------------------------------------------------ files

    /// Reads and lowers a file, once.
    pub fn file(&mut self, path: &Path) -> Option<FileId> {
        if let Some(known) = self.by_path.get(path) {
            return *known;
        }
        let started = Instant::now();
        let text = std::fs::read(path).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let loaded = text.map(|text| self.add_source(path, &text));
        self.by_path.insert(path.to_owned(), loaded);
        self.lowering += started.elapsed();
        loaded
    }

    fn add_source(&mut self, path: &Path, text: &str) -> FileId {
        let lowered = frontend::lower_file(text, &self.guard_names);
        let file = self.files.len();
        if let Ok(lowered) = &lowered {
            for (id, body) in lowered.bodies.iter().enumerate() {
                self.located.entry((file, body.qualified_name.clone(), body.first_line)).or_insert(id);
            }
        }
        let shown = self.shown(path);
        self.files.push(SourceFile { path: path.to_owned(), shown, text: text.into(), lowered });
        file
    }

    /// Adds a module that is written for the analysis, once.
    pub fn add_module(&mut self, name: &str, text: &str) -> FileId {
        if let Some(Some(file)) = self.texts.get(name) {
            return *file;
        }
        let path = PathBuf::from(format!("<{name}>"));
        self.module_of_file.insert(path.clone(), Name::from(name));
        let file = self.add_source(&path, text);
        self.texts.insert(name.to_owned(), Some(file));
        file
    }

    /// The text that is written for a module, or that stands in for one of the library.
    pub fn written_module(&mut self, name: &str) -> Option<FileId> {
        if let Some(known) = self.texts.get(name) {
            return *known;
        }
        let text = models::written(name).filter(|_| self.own_module_file(name).is_none());
        let Some(text) = text else {
            self.texts.insert(name.to_owned(), None);
            return None;
        };
        Some(self.add_module(name, text))
    }

    /// Says what a function of the snapshot does that has no source.
    pub fn give_body(&mut self, function: ObjectId, file: FileId, name: &str) {
        let Ok(lowered) = &self.files[file].lowered else { return };
        if let Some(body) = lowered.bodies.iter().position(|body| &*body.qualified_name == name) {
            self.bodies_given.insert(function, (file, body));
        }
    }

    /// The body of a function of the snapshot that has no source.
    pub fn given_body(&self, function: ObjectId) -> Option<(FileId, BodyId)> {
        self.bodies_given.get(&function).copied()
    }

    /// The body that is written for a function of the library.
    fn written_body(&mut self, file: FileId, body: BodyId) -> Option<(FileId, BodyId)> {
        let name = self.body(file, body)?.qualified_name.clone();
        let module = self.module_of(file);
        let written = self.written_module(&module)?;
        let bodies = &self.files[written].lowered.as_ref().ok()?.bodies;
        bodies.iter().position(|body| body.qualified_name == name).map(|body| (written, body))
    }

    /// The one body that begins in a line.
    fn at_line(&mut self, path: &Path, line: u32) -> Option<(FileId, BodyId)> {
        let file = self.file(path)?;
        let bodies = self.files[file].lowered.as_ref().ok()?.bodies.iter().enumerate();
        let mut there = bodies.filter(|(_, body)| body.first_line == line && body.kind != BodyKind::Module);
        there.next().filter(|_| there.next().is_none()).map(|(body, _)| (file, body))
    }

    /// Adds a text that is not part of the program: a healing.
    pub fn add_text(&mut self, path: &Path, text: &str) -> FileId {
        let lowered = Ok(LoweredFile { bodies: Vec::new(), globals: Vec::new(), parsing: Duration::ZERO });
        let shown = self.shown(path);
        self.files.push(SourceFile { path: path.to_owned(), shown, text: text.into(), lowered });
        self.files.len() - 1
    }

    /// A path as shown to people.
    pub fn shown(&self, path: &Path) -> String {
        if let Ok(inside) = path.strip_prefix(&self.search.repository) {
            return inside.to_string_lossy().into_owned();
        }
        let site = self.search.site.iter().find_map(|site| path.strip_prefix(site).ok());
        match site {
            Some(inside) => format!("site:{}", inside.to_string_lossy()),
            None => path.to_string_lossy().into_owned(),
        }
    }

    /// A body.
    pub fn body(&self, file: FileId, body: BodyId) -> Option<&Body> {
        self.files.get(file)?.lowered.as_ref().ok()?.bodies.get(body)
    }

    /// The body that CPython describes by qualified name and first line.
    pub fn locate(&mut self, path: &Path, qualified: &str, first_line: u32) -> Option<(FileId, BodyId)> {
        let file = self.file(path)?;
        let key = (file, Name::from(qualified), first_line);
        self.located.get(&key).map(|body| (file, *body))
    }

    /// The module that a file belongs to.
    pub fn module_of(&self, file: FileId) -> Name {
        let path = &self.files[file].path;
        match self.module_of_file.get(path) {
            Some(name) => name.clone(),
            None => Name::from(self.dotted_path(path).as_str()),
        }
    }

    fn dotted_path(&self, path: &Path) -> String {
        let roots = self.search.site.iter().chain([&self.search.repository]).chain(&self.search.other);
        let inside =
            roots.filter_map(|root| path.strip_prefix(root).ok()).min_by_key(|inside| inside.components().count());
        let inside = inside.unwrap_or(path).with_extension("");
        let mut parts: Vec<String> =
            inside.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
        if parts.last().is_some_and(|last| last == "__init__") {
            parts.pop();
        }
        parts.join(".")
    }

    /// The module of the program's main file.
    pub fn main_module(&self) -> String {
        self.snapshot.frames.last().map_or_else(|| "main".to_owned(), |frame| frame.module.clone())
    }

    /// The file of a module.
    pub fn module_file(&mut self, dotted: &str) -> Option<FileId> {
        let path = self.module_path(dotted)?;
        self.file(&path)
    }

    /// The file of a module of the program itself, which hides one of the library that has its name.
    pub fn own_module_file(&mut self, dotted: &str) -> Option<FileId> {
        let path = self.module_path_in(dotted, std::slice::from_ref(&self.search.repository))?;
        self.module_of_file.entry(path.clone()).or_insert_with(|| Name::from(dotted));
        self.file(&path)
    }

    /// Where the file of a module is; it is not looked into.
    fn module_path(&mut self, dotted: &str) -> Option<PathBuf> {
        let captured = self.snapshot.modules.get(dotted).and_then(|module| module.file.clone());
        if let Some(file) = captured {
            return Some(PathBuf::from(file)).filter(|file| file.is_file());
        }
        let roots: Vec<PathBuf> =
            [&self.search.repository].into_iter().chain(&self.search.site).chain(&self.search.other).cloned().collect();
        let path = self.module_path_in(dotted, &roots)?;
        self.module_of_file.entry(path.clone()).or_insert_with(|| Name::from(dotted));
        Some(path)
    }

    fn module_path_in(&self, dotted: &str, roots: &[PathBuf]) -> Option<PathBuf> {
        if dotted.is_empty() {
            return None;
        }
        let relative: PathBuf = dotted.split('.').collect();
        let candidates = roots.iter().flat_map(|root| {
            let module = root.join(&relative).with_extension("py");
            [root.join(&relative).join("__init__.py"), module]
        });
        candidates.into_iter().find(|candidate| candidate.is_file())
    }

    /// A body with a way out from one of its statements.
    pub fn body_leaving(&self, file: FileId, body: BodyId, statement: Span) -> Option<Body> {
        let lowered = frontend::lower_file_leaving(&self.files[file].text, &self.guard_names, statement);
        lowered.ok()?.bodies.into_iter().nth(body)
    }

    /// The file of a module whose body runs when it is imported: nothing imported it before the crash. What the models say of a
    /// module stands for its body, and the bodies of the standard library do nothing but define.
    pub fn fresh_module(&mut self, dotted: &str) -> Option<FileId> {
        if self.snapshot.modules.contains_key(dotted) || self.snapshot.loaded.contains(dotted) {
            return None;
        }
        let file = match self.own_module_file(dotted) {
            Some(file) => file,
            None if modelled_prefixes().contains(dotted) => return None,
            None => self.module_file(dotted)?,
        };
        let source = &self.files[file];
        (source.lowered.is_ok() && !self.is_standard(&source.path)).then_some(file)
    }

    /// Whether a file belongs to the standard library.
    fn is_standard(&self, path: &Path) -> bool {
        let mut installed = [&self.search.repository].into_iter().chain(&self.search.site);
        let mut standard = self.search.other.iter().filter(|root| root.join("os.py").is_file());
        !installed.any(|root| path.starts_with(root)) && standard.any(|root| path.starts_with(root))
    }

    // ------------------------------------------------------------------ values of the snapshot

    /// A value of the snapshot as an object; `None` where the snapshot does not tell.
    pub fn value(&mut self, value: &Value) -> Option<Obj> {
        let constant = match value {
            Value::None => Constant::None,
            Value::Bool(value) => Constant::Bool(*value),
            Value::Int(value) => Constant::Int(value.to_string().into()),
            Value::Str(text) => Constant::Str(text.as_str().into()),
            Value::LargeInt(digits) => Constant::Int(digits.as_str().into()),
            Value::Float(value) => Constant::Float(value.to_bits()),
            Value::Complex => Constant::Complex,
            Value::Bytes(bytes) => Constant::Bytes(bytes.as_slice().into()),
            Value::Ref(object) => return Some(self.reference(*object)),
            Value::Withheld(class) => return self.scalar_of(class),
            Value::Other => return None,
        };
        Some(self.constant(&constant))
    }

    /// Some constant of a class whose value is not known: one that equals no other.
    fn scalar_of(&mut self, class: &str) -> Option<Obj> {
        match class.rsplit('.').next() {
            Some("str") => Some(self.constant(&Constant::Some("builtins.str"))),
            Some("int") => Some(self.constant(&Constant::Some("builtins.int"))),
            _ => None,
        }
    }

    /// A string that nothing is known of.
    pub fn some_text(&mut self) -> Obj {
        self.constant(&Constant::Handed)
    }

    /// The same, where it was mentioned before.
    pub fn known_some_text(&self) -> Option<Obj> {
        let index = self.inexact.get_index_of(&Constant::Handed)?;
        Some(Obj::constant(FIRST_INEXACT_CONSTANT + index as u32))
    }

    /// A scalar by its class only; other objects as they are.
    pub fn without_value(&mut self, object: Obj) -> Obj {
        let constant = self.constant_value(object).map(Constant::without_value);
        constant.map_or(object, |constant| self.constant(&constant))
    }

    /// An object of the snapshot; library functions, classes and modules go by their names.
    fn reference(&mut self, id: ObjectId) -> Obj {
        let Some(object) = self.snapshot.objects.get(&id) else { return self.object(Entity::Snapshot(id)) };
        match object.kind.as_str() {
            "module" => {
                let name = object.name.clone().unwrap_or_default();
                self.object(Entity::Module(Name::from(name.as_str())))
            }
            "builtin" if object.receiver.is_none() => {
                let name = object.name.clone().unwrap_or_default();
                self.library(&name)
            }
            "class" | "function" => match self.library_name(object) {
                Some(name) => self.library(&name),
                None => self.object(Entity::Snapshot(id)),
            },
            _ => self.object(Entity::Snapshot(id)),
        }
    }

    /// The dotted name under which the models know a class or function of the snapshot, or under which it is only known
    /// because it has no source.
    fn library_name(&mut self, object: &Object) -> Option<String> {
        let dotted = dotted_name(object)?;
        let modelled = self.models.class(&dotted).is_some()
            || self.models.get(&dotted).is_some()
            || TAKEN_APART.contains(&dotted.as_str());
        let has_source = match object.kind.as_str() {
            // A class of Python code may have nothing but a name.
            "class" => {
                let module = object.module.clone().unwrap_or_default();
                object.file.is_some() || !object.attributes.is_empty() || self.module_path(&module).is_some()
            }
            _ => object.file.is_some(),
        };
        (modelled || !has_source).then_some(dotted)
    }

    /// The object of the snapshot behind an entity.
    pub fn snapshot_object(&self, object: Obj) -> Option<&'a Object> {
        match self.entity(object)? {
            Entity::Snapshot(id) => self.snapshot.objects.get(id),
            _ => None,
        }
    }

    /// The class of an object of the snapshot.
    pub fn class_of(&mut self, object: &'a Object) -> Obj {
        match object.class.as_ref().and_then(Value::reference) {
            Some(class) if self.snapshot.objects.contains_key(&class) => self.reference(class),
            _ => self.library(&object.type_name),
        }
    }

    // ------------------------------------------------------------------ classes

    /// The method resolution order of a class, itself first. `bases` gives the bases of classes that are known by their definition.
    pub fn resolution_order(&mut self, class: Obj, bases: &BTreeMap<Obj, Vec<Obj>>) -> Vec<Obj> {
        match self.entity(class).cloned() {
            Some(Entity::Snapshot(id)) => {
                let order = self.snapshot.objects.get(&id).map(|object| object.mro.clone()).unwrap_or_default();
                let order: Vec<Obj> = order.iter().filter_map(|entry| self.value(entry)).collect();
                if order.is_empty() { vec![class] } else { order }
            }
            Some(Entity::Library(name)) => {
                let ancestry: Vec<String> = self.models.ancestry(&name).into_iter().map(str::to_owned).collect();
                if ancestry.is_empty() {
                    return vec![class, self.library("builtins.object")];
                }
                ancestry.iter().map(|ancestor| self.library(ancestor)).collect()
            }
            Some(Entity::Class(..) | Entity::MadeClass(_)) => {
                let mut order = vec![class];
                // A name that several classes had makes circles of bases: a class is taken up once on the way.
                let mut others = bases.clone();
                let direct = others.remove(&class).unwrap_or_default();
                for base in direct {
                    let above = if base == class { Vec::new() } else { self.resolution_order(base, &others) };
                    order.retain(|known| !above.contains(known));
                    order.extend(above);
                }
                if order.len() == 1 {
                    order.push(self.library("builtins.object"));
                }
                order
            }
            _ => vec![class],
        }
    }

    /// Whether a class itself has a member of that name. `None`: it cannot be told.
    pub fn owns(&self, class: Obj, name: &str) -> Option<bool> {
        match self.entity(class)? {
            Entity::Snapshot(id) => {
                let object = self.snapshot.objects.get(id)?;
                if object.attributes.contains_key(name) {
                    return Some(true);
                }
                (!object.cut).then_some(false)
            }
            Entity::Library(class) => {
                let dotted = format!("{class}.{name}");
                let known = self.models.get(&dotted).is_some() || self.models.constant(&dotted).is_some();
                // What `super()` finds for a plain store stays unknown; rules of their own cover the stores themselves.
                let is_taken = TAKEN_APART.contains(&dotted.as_str()) && dotted != "builtins.object.__setattr__";
                if known || is_taken {
                    return Some(true);
                }
                self.models.class(class).is_some().then_some(false)
            }
            Entity::Class(file, body) => Some(self.body(*file, *body)?.owned.iter().any(|owned| &**owned == name)),
            // It owns what is stored in it.
            Entity::MadeClass(_) => Some(false),
            _ => None,
        }
    }

    /// Whether an object is a class.
    pub fn is_class(&self, object: Obj) -> bool {
        match self.entity(object) {
            Some(Entity::Snapshot(id)) => self.snapshot.objects.get(id).is_some_and(|object| object.kind == "class"),
            Some(Entity::Library(name)) => self.models.class(name).is_some(),
            Some(Entity::Class(..) | Entity::MadeClass(_)) => true,
            _ => false,
        }
    }

    // ------------------------------------------------------------------ functions

    /// The body of a function object of the snapshot. One that took the name of another over stands where its line says.
    pub fn code_of(&mut self, object: &Object) -> Option<(FileId, BodyId)> {
        let path = PathBuf::from(object.file.as_deref()?);
        let located = self.locate(&path, object.qualname.as_deref()?, object.first_line?);
        let (file, body) = located.or_else(|| self.at_line(&path, object.first_line?))?;
        self.written_body(file, body).or(Some((file, body)))
    }

    /// The body of a class of the snapshot.
    pub fn class_body(&mut self, class: &Object) -> Option<(FileId, BodyId)> {
        let file = match &class.file {
            Some(path) => self.file(Path::new(path))?,
            None => self.module_file(class.module.as_deref()?)?,
        };
        let qualified = class.qualname.as_deref()?;
        let bodies = &self.files[file].lowered.as_ref().ok()?.bodies;
        let is_it = |body: &Body| body.kind == BodyKind::Class && &*body.qualified_name == qualified;
        bodies.iter().position(is_it).map(|body| (file, body))
    }

    /// The dotted name by which developers call an object: `shop.payments.charge`.
    pub fn dotted(&self, object: Obj) -> Option<String> {
        match self.entity(object)? {
            Entity::Library(name) | Entity::Module(name) => Some(name.to_string()),
            Entity::Snapshot(id) => dotted_name(self.snapshot.objects.get(id)?),
            Entity::Class(file, body) => {
                Some(format!("{}.{}", self.module_of(*file), self.body(*file, *body)?.qualified_name))
            }
            _ => None,
        }
    }

    /// A short description of an object for traces.
    pub fn describe(&self, object: Obj) -> String {
        match self.entity(object) {
            Some(Entity::Snapshot(id)) => match self.snapshot.objects.get(id) {
                Some(object) => dotted_name(object)
                    .unwrap_or_else(|| object.type_name.rsplit('.').next().unwrap_or("object").to_owned()),
                None => "object".to_owned(),
            },
            Some(Entity::Outside(_)) => "the world outside".to_owned(),
            Some(Entity::Raised | Entity::Stopped) => "exception".to_owned(),
            Some(Entity::Cells(..) | Entity::OwnCells(..)) => "cell".to_owned(),
            _ => self.dotted(object).unwrap_or_else(|| "object".to_owned()),
        }
    }

    /// Whether the body is a class or module body, which runs once.
    pub fn is_namespace_body(&self, file: FileId, body: BodyId) -> bool {
        self.body(file, body).is_some_and(|body| matches!(body.kind, BodyKind::Module | BodyKind::Class))
    }
}

/// Functions of the library without a model whose calls the engine takes apart.
const TAKEN_APART: [&str; 9] = [
    "collections.namedtuple",
    "builtins.object.__setattr__",
    "dataclasses.dataclass",
    "dataclasses.decorator.__call__",
    "importlib.import_module",
    "importlib.reload",
    "builtins.type.__new__",
    "builtins.object.__new__",
    "operator.methodcaller.__call__",
];

/// Everything that a dotted name of the models starts with.
pub fn modelled_prefixes() -> &'static FxHashSet<&'static str> {
    static PREFIXES: OnceLock<FxHashSet<&str>> = OnceLock::new();
    PREFIXES.get_or_init(|| {
        let models = Models::builtin();
        let names = models.iter().flat_map(|(_, model)| model.names.iter().map(String::as_str));
        let names = names.chain(models.classes().map(|class| class.name.as_str()));
        names.flat_map(|name| name.match_indices('.').map(|(at, _)| &name[..at])).collect()
    })
}

/// The model of a library function; a method may be one of a class above.
pub fn member_model<'m>(models: &'m Models, name: &str) -> Option<(ModelId, &'m Model)> {
    models.get(name).or_else(|| {
        let (class, member) = name.rsplit_once('.')?;
        let above = models.ancestry(class).into_iter().chain(["builtins.object"]);
        models.class(class)?;
        above.into_iter().find_map(|above| models.get(&format!("{above}.{member}")))
    })
}

/// The last part of a dotted name.
pub fn last_name(dotted: &str) -> &str {
    dotted.rsplit('.').next().unwrap_or(dotted)
}

/// `module.qualname` of a class or function of the snapshot.
pub fn dotted_name(object: &Object) -> Option<String> {
    let name = object.qualname.as_deref()?;
    match object.module.as_deref() {
        Some(module) if !module.is_empty() => Some(format!("{module}.{name}")),
        _ => Some(name.to_owned()),
    }
}
