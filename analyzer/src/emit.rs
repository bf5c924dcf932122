//! Bodies to facts.

use healguard_rules::schema::{FAR, Field, Func, Obj, Point, Var, item_of};
use healguard_rules::{effects, points_to, taint};

use crate::bodies::Placed;
use crate::facts::Facts;
use crate::ir::{
    BodyId, BodyKind, Callee, ClassStep, Constant, Element, Kind, Layout, Name, NodeId, Passing, Slot, Test, Unpacked,
};
use crate::world::{Entity, FileId, World, last_name};

/// Writes the facts of one body.
pub struct Emitter<'e, 'w, 's> {
    pub world: &'w mut World<'s>,
    pub facts: &'e mut Facts,
    /// Functions by file and body, for definitions inside the body.
    pub functions: &'e mut dyn FnMut(FileId, BodyId) -> Func,
    pub placed: &'e Placed,
    next_extra: u32,
}

impl<'e, 'w, 's> Emitter<'e, 'w, 's> {
    pub fn new(
        world: &'w mut World<'s>,
        facts: &'e mut Facts,
        functions: &'e mut dyn FnMut(FileId, BodyId) -> Func,
        placed: &'e Placed,
    ) -> Self {
        let next_extra = placed.first_var + placed.ssa.origin.len() as u32;
        Emitter { world, facts, functions, placed, next_extra }
    }

    /// Writes what is known of the body before any of its instructions; returns the first variable that is free behind it.
    pub fn emit_head(mut self) -> u32 {
        self.emit_shape();
        self.emit_parameters();
        self.next_extra
    }

    /// Writes instructions, and values that arrive at joins; returns the first variable that is free behind it.
    pub fn emit(mut self, nodes: &[NodeId], joins: &[(Var, Var)], next_var: u32) -> u32 {
        self.next_extra = next_var;
        if self.placed.is_fallible() {
            self.facts.fallible.push(points_to::Fallible(self.placed.func));
        }
        for id in nodes {
            let node = &self.placed.ssa.body.nodes[*id];
            let point = self.placed.point(*id);
            self.facts.in_function.push(points_to::InFunction(point, self.placed.func));
            if node.healed {
                self.facts.healing_point.push(effects::HealingPoint(point));
            }
            if !matches!(node.kind, Kind::Call { .. }) {
                self.facts.protocol.push(points_to::Protocol(point));
            }
            self.emit_kind(point, &node.kind);
        }
        self.facts.copies.extend(joins.iter().map(|(dst, source)| points_to::Copies(*dst, *source)));
        self.next_extra
    }

    fn emit_shape(&mut self) {
        let (placed, facts) = (self.placed, &mut *self.facts);
        let ssa = &placed.ssa;
        facts.entry.push(taint::Entry(placed.func, placed.point(ssa.body.entry)));
        facts.exit.push(taint::Exit(placed.func, placed.point(ssa.body.exit)));
        if ssa.body.is_deferred() && !placed.is_live {
            let class = match ssa.body.kind {
                BodyKind::Coroutine => "builtins.coroutine",
                BodyKind::AsyncGenerator => "builtins.async_generator",
                _ => "builtins.generator",
            };
            let class = self.world.library(class);
            self.facts.deferred.push(points_to::Deferred(placed.func, class));
        }
    }

    fn emit_parameters(&mut self) {
        let placed = self.placed;
        let (func, body) = (placed.func, &placed.ssa.body);
        if placed.is_live {
            return;
        }
        let listed = body.parameters.names.len();
        for (index, slot) in body.parameter_slots.iter().enumerate() {
            let var = placed.var(*slot);
            if index >= listed {
                self.emit_rest(var, body.parameters.vararg.is_some() && index == listed);
                continue;
            }
            if index < body.parameters.positional {
                self.facts.parameter.push(points_to::Parameter(func, index as u32, var));
            } else {
                // Keyword-only parameters have no position; this one lets defaults and callbacks find them.
                let behind = KEYWORD_ONLY + index as u32;
                self.facts.parameter.push(points_to::Parameter(func, behind, var));
            }
            let position = if index < body.parameters.positional { index as u32 } else { KEYWORD_ONLY + index as u32 };
            let default = self.world.attribute(&default_name(index));
            self.facts.default.push(points_to::Default(func, position, default));
            if index >= body.parameters.positional_only {
                let text = self.world.constant(&Constant::Str(body.parameters.names[index].clone()));
                self.facts.parameter_item.push(points_to::ParameterItem(func, item_of(text), var));
                let name = self.world.name(&body.parameters.names[index]);
                self.facts.named_parameter.push(points_to::NamedParameter(func, name, var));
            }
        }
    }

    /// `*args` and `**kwargs`. The mapping is named by the end of the body, so that the two are two objects.
    fn emit_rest(&mut self, var: Var, is_sequence: bool) {
        let (func, body) = (self.placed.func, &self.placed.ssa.body);
        let entry = self.placed.point(body.entry);
        if !is_sequence {
            let made = self.placed.point(body.exit);
            let class = self.world.library("builtins.dict");
            self.facts.allocates.push(points_to::Allocates(func, made, var, class));
            self.facts.rest_names.push(points_to::RestNames(func, entry, made));
            return;
        }
        let class = self.world.library("builtins.tuple");
        self.facts.allocates.push(points_to::Allocates(func, entry, var, class));
        self.facts.rest_parameter.push(points_to::RestParameter(func, entry));
        let positional = body.parameters.positional as u32;
        for position in positional..FAR {
            let key = self.world.constant(&Constant::Int((position - positional).to_string().into()));
            self.facts.rest_item.push(points_to::RestItem(func, position, item_of(key)));
        }
    }

    fn extra(&mut self) -> Var {
        let var = Var(self.next_extra);
        self.next_extra += 1;
        var
    }

    /// Writes the facts of an instruction that is not in the body, at a point of its own; returns the first variable that is
    /// free behind it.
    pub fn emit_extra(mut self, point: Point, kind: &Kind, next_var: u32) -> u32 {
        self.next_extra = next_var;
        self.emit_kind(point, kind);
        self.next_extra
    }

    fn emit_kind(&mut self, point: Point, kind: &Kind) {
        // Whether a variable is bound does not depend on its value.
        let used = if matches!(kind, Kind::Bound { .. }) { Vec::new() } else { kind.uses() };
        for slot in used {
            self.facts.operand.push(points_to::Operand(point, self.placed.var(slot)));
        }
        let func = self.placed.func;
        let var = |slot: &Slot| self.placed.var(*slot);
        match kind {
            Kind::Entry | Kind::Exit | Kind::Join | Kind::Bound { .. } | Kind::Unbind { .. } => {}
            Kind::Constant { dst, value } => {
                let object = self.world.constant(value);
                self.facts.holds.push(points_to::Holds(func, var(dst), object));
            }
            Kind::Copy { dst, src } => self.facts.copies.push(points_to::Copies(var(dst), var(src))),
            Kind::Merge { dst, sources } => {
                self.facts.copies.extend(sources.iter().map(|source| points_to::Copies(var(dst), var(source))));
            }
            Kind::Guarded { dst, src, .. } => {
                self.facts.passes_guard.push(taint::PassesGuard(var(dst), var(src)));
            }
            Kind::Recall { dst, src } => {
                self.facts.copies.push(points_to::Copies(var(dst), var(src)));
                self.facts.recalls.push(points_to::Recalls(var(dst), var(src)));
            }
            Kind::Heal { dst, src } => {
                self.facts.heals.push(points_to::Heals(var(dst), var(src)));
                self.facts.derives.push(taint::Derives(point, var(dst), var(src)));
            }
            Kind::GuardedPlaces { .. } => {}
            Kind::Opaque { dst, .. } => {
                self.facts.unresolved.push(points_to::Unresolved(point));
                self.facts.call_result.push(points_to::CallResult(point, var(dst)));
            }
            Kind::LoadGlobal { .. }
            | Kind::StoreGlobal { .. }
            | Kind::DeleteGlobal { .. }
            | Kind::LoadCell { .. }
            | Kind::StoreCell { .. }
            | Kind::LoadNamespace { .. }
            | Kind::StoreNamespace { .. }
            | Kind::FrameLocal { .. }
            | Kind::RunModule { .. }
            | Kind::ImportModule { .. }
            | Kind::ImportFrom { .. }
            | Kind::ImportStar { .. } => self.emit_name(point, kind),
            Kind::LoadAttribute { .. }
            | Kind::StoreAttribute { .. }
            | Kind::DeleteAttribute { .. }
            | Kind::LoadItem { .. }
            | Kind::StoreItem { .. }
            | Kind::DeleteItem { .. }
            | Kind::Slice { .. }
            | Kind::LoadSlice { .. }
            | Kind::StoreSlice { .. }
            | Kind::DeleteSlice { .. } => self.emit_access(point, kind),
            Kind::Operate { .. } | Kind::Text { .. } => self.emit_operator(point, kind),
            Kind::Build { dst, layout, elements } => self.emit_build(point, *dst, *layout, elements),
            Kind::Accumulate { container, element } => {
                self.emit_element(point, *container, element, None);
                self.emit_distinction(point, *container, element);
            }
            Kind::Keep { dst, made, value } => {
                self.facts.loads_raw.push(points_to::LoadsRaw(point, var(dst), var(value), Field::ANY_ITEM));
                for kept in [value, dst] {
                    self.facts.keeps.push(points_to::Keeps(point, var(made), var(kept)));
                }
            }
            Kind::Call { .. } => self.emit_call(point, kind),
            Kind::Function { dst, body, defaults } => self.emit_function(point, *dst, *body, defaults),
            Kind::Class { dst, body, bases, keywords, namespace } => {
                self.emit_class(point, *dst, *body, bases);
                self.emit_class_header(*body, bases, keywords, *namespace);
            }
            Kind::ClassStep { .. } => self.emit_class_step(point, kind),
            Kind::Iterate { dst, src } => {
                self.facts.copies.push(points_to::Copies(var(dst), var(src)));
                self.emit_special(point, *src, "__iter__", Some(*dst));
            }
            Kind::Next { dst, iterator } => {
                self.facts.nexts.push(points_to::Nexts(point, var(dst), var(iterator)));
                self.facts.derives.push(taint::Derives(point, var(dst), var(iterator)));
                self.facts.drives.push(points_to::Drives(point, var(iterator)));
                self.emit_special(point, *iterator, "__next__", Some(*dst));
            }
            Kind::UnpackItem { dst, src, at } => {
                let index = if let Unpacked::At(index) = at { Some(*index) } else { None };
                self.emit_unpack(point, *dst, *src, index);
            }
            Kind::UnpackRest { dst, src, .. } => {
                let class = self.world.library("builtins.list");
                self.facts.allocates.push(points_to::Allocates(func, point, var(dst), class));
                self.facts.spreads.push(points_to::Spreads(point, var(dst), var(src)));
            }
            Kind::Branch { condition } => {
                self.facts.decides.push(taint::Decides(point, var(condition)));
                self.emit_truth(point, *condition);
            }
            Kind::Test { test, operands } => self.emit_test(point, *test, operands),
            Kind::Position { dst, subject, class, index } => {
                let fact = points_to::TakesPosition(point, var(dst), var(subject), var(class), *index);
                self.facts.takes_position.push(fact);
                self.facts.call_result.push(points_to::CallResult(point, var(dst)));
                self.facts.derives.push(taint::Derives(point, var(dst), var(subject)));
                self.facts.derives.push(taint::Derives(point, var(dst), var(class)));
            }
            Kind::Return { src } => self.facts.returns.push(points_to::Returns(func, point, var(src))),
            Kind::Raise { operands, .. } => {
                let raised = self.world.object(Entity::Raised);
                for operand in operands {
                    let store = points_to::StoresPlace(point, raised, Field::ANY_ITEM, var(operand));
                    self.facts.stores_place.push(store);
                    // `raise Class` makes an object of it.
                    self.facts.calls_value.push(points_to::CallsValue(point, var(operand)));
                    let made = self.extra();
                    self.facts.call_result.push(points_to::CallResult(point, made));
                    self.facts.stores_place.push(points_to::StoresPlace(point, raised, Field::ANY_ITEM, made));
                }
            }
            Kind::Caught { dst } => {
                let raised = self.world.object(Entity::Raised);
                self.facts.loads_place.push(points_to::LoadsPlace(point, var(dst), raised, Field::ANY_ITEM));
                let class = self.world.library("builtins.Exception");
                self.facts.allocates.push(points_to::Allocates(func, point, var(dst), class));
            }
            Kind::Yield { dst, src } => {
                self.facts.yields.push(points_to::Yields(func, point, var(src)));
                self.facts.suspends.push(taint::Suspends(func, point));
                // What is sent in is not followed: it may be anything, or nothing.
                self.facts.call_result.push(points_to::CallResult(point, var(dst)));
                let is_read = self.placed.ssa.body.nodes.iter().any(|node| node.kind.uses().contains(dst));
                if is_read {
                    let none = self.world.constant(&Constant::None);
                    self.facts.holds.push(points_to::Holds(func, var(dst), Obj::UNTOLD));
                    self.facts.holds.push(points_to::Holds(func, var(dst), none));
                }
            }
            Kind::Delegate { dst, src, awaits } => self.emit_delegate(point, *dst, *src, *awaits),
            Kind::Resume { dst } => self.facts.call_result.push(points_to::CallResult(point, var(dst))),
        }
    }

    /// `yield from` and `await`: the result is what the inner body returns. With `yield from`, its yields are yields of this
    /// one; what waits below an `await` yields to the loop alone, which runs whatever waits for its turn.
    fn emit_delegate(&mut self, point: Point, dst: Slot, src: Slot, awaits: bool) {
        let (dst, src) = (self.placed.var(dst), self.placed.var(src));
        self.facts.drives.push(points_to::Drives(point, src));
        self.facts.call_result.push(points_to::CallResult(point, dst));
        self.facts.loads_raw.push(points_to::LoadsRaw(point, dst, src, Field::RETURNED));
        self.facts.derives.push(taint::Derives(point, dst, src));
        self.facts.suspends.push(taint::Suspends(self.placed.func, point));
        if awaits {
            self.facts.switches.push(points_to::Switches(point));
            return;
        }
        let element = self.extra();
        self.facts.starts.push(points_to::Starts(point, src));
        self.facts.nexts.push(points_to::Nexts(point, element, src));
        self.facts.yields.push(points_to::Yields(self.placed.func, point, element));
    }

    fn emit_unpack(&mut self, point: Point, dst: Slot, src: Slot, index: Option<u32>) {
        self.emit_special(point, src, "__next__", Some(dst));
        let (dst, src) = (self.placed.var(dst), self.placed.var(src));
        self.facts.derives.push(taint::Derives(point, dst, src));
        self.facts.drives.push(points_to::Drives(point, src));
        match index {
            // Sequences give the item at the position, and `Nexts` covers everything else that can be iterated over.
            Some(index) => {
                let key = self.world.constant(&Constant::Int(index.to_string().into()));
                let position = self.extra();
                self.facts.holds.push(points_to::Holds(self.placed.func, position, key));
                self.facts.loads_item.push(points_to::LoadsItem(point, dst, src, position));
                self.facts.loads_raw.push(points_to::LoadsRaw(point, dst, src, Field::KEYS));
            }
            None => self.facts.nexts.push(points_to::Nexts(point, dst, src)),
        }
    }

    /// Truth of an object of a user class calls `__bool__` or `__len__`.
    fn emit_truth(&mut self, point: Point, condition: Slot) {
        let truth = self.extra();
        self.facts.decides.push(taint::Decides(point, truth));
        self.facts.call_result.push(points_to::CallResult(point, truth));
        let base = self.placed.var(condition);
        for name in ["__bool__", "__len__"] {
            let field = self.world.attribute(name);
            self.facts.calls_special.push(points_to::CallsSpecial(point, base, field));
        }
        self.facts.receiver.push(taint::Receiver(point, base));
    }

    /// A test looks at the class of its subject, or at its shape; what an object of the program is asked may look at more.
    fn emit_test(&mut self, point: Point, test: Test, operands: &[Slot]) {
        let truth = self.extra();
        self.facts.decides.push(taint::Decides(point, truth));
        for operand in operands {
            self.facts.derives.push(taint::Derives(point, truth, self.placed.var(*operand)));
        }
        let [subject, classes @ ..] = operands else { return };
        let subject = self.placed.var(*subject);
        match test {
            Test::Handles => {}
            Test::Instance => {
                self.facts.call_result.push(points_to::CallResult(point, truth));
                self.facts.argument.push(points_to::Argument(point, 0, subject));
                for class in classes {
                    self.emit_special(point, *class, "__instancecheck__", None);
                    let class = self.placed.var(*class);
                    self.facts.asks_class.push(taint::AsksClass(point, truth, subject, class));
                }
                self.facts.looks_into.push(points_to::LooksInto(subject));
            }
            Test::Sequence | Test::Mapping => {
                self.facts.inspects_shape.push(taint::InspectsShape(point, truth, subject));
                self.facts.asks_object.push(taint::AsksObject(point, truth, subject));
                self.facts.looks_into.push(points_to::LooksInto(subject));
                self.emit_special(point, operands[0], "__len__", None);
                self.facts.call_result.push(points_to::CallResult(point, truth));
            }
        }
    }

    fn emit_special(&mut self, point: Point, base: Slot, name: &str, result: Option<Slot>) {
        let field = self.world.attribute(name);
        let base = self.placed.var(base);
        self.facts.calls_special.push(points_to::CallsSpecial(point, base, field));
        self.facts.receiver.push(taint::Receiver(point, base));
        if let Some(result) = result {
            self.facts.call_result.push(points_to::CallResult(point, self.placed.var(result)));
        }
    }

    // ------------------------------------------------------------------ names

    fn emit_name(&mut self, point: Point, kind: &Kind) {
        let func = self.placed.func;
        match kind {
            Kind::LoadGlobal { dst, name } => {
                let dst = self.placed.var(*dst);
                self.emit_global_load(point, dst, name);
            }
            Kind::StoreGlobal { name, src } => {
                let module = self.module();
                let field = self.world.attribute(name);
                self.facts.stores_place.push(points_to::StoresPlace(point, module, field, self.placed.var(*src)));
            }
            Kind::DeleteGlobal { name } => {
                let module = self.module();
                let field = self.world.attribute(name);
                let base = self.extra();
                self.facts.holds.push(points_to::Holds(func, base, module));
                self.facts.deletes_attribute.push(points_to::DeletesAttribute(point, base, field));
            }
            Kind::LoadCell { dst, owner, name } => {
                let cells = self.cells(*owner);
                let field = self.world.attribute(name);
                let dst = self.placed.var(*dst);
                self.facts.loads_raw.push(points_to::LoadsRaw(point, dst, cells, field));
                if self.placed.ssa.body.kind == BodyKind::Class {
                    self.emit_namespace_load(point, dst, name);
                }
            }
            Kind::StoreCell { owner, name, src } => {
                let cells = self.cells(*owner);
                let field = self.world.attribute(name);
                self.facts.stores_raw.push(points_to::StoresRaw(point, cells, field, self.placed.var(*src)));
            }
            Kind::LoadNamespace { dst, name } => {
                let dst = self.placed.var(*dst);
                self.emit_namespace_load(point, dst, name);
                self.emit_global_load(point, dst, name);
            }
            Kind::StoreNamespace { name, src } => {
                let class = self.world.object(Entity::Class(self.placed.file, self.placed.body));
                let field = self.world.attribute(name);
                self.facts.stores_place.push(points_to::StoresPlace(point, class, field, self.placed.var(*src)));
            }
            Kind::FrameLocal { dst, name } => self.emit_frame_local(*dst, name),
            Kind::RunModule { module, level } => self.emit_module_run(point, module, *level),
            Kind::ImportModule { dst, module, root } => {
                let name = if *root { module.split('.').next().unwrap_or_default() } else { module };
                let object = self.world.object(Entity::Module(Name::from(name)));
                self.facts.holds.push(points_to::Holds(func, self.placed.var(*dst), object));
            }
            Kind::ImportFrom { dst, module, level, name } => {
                let module = self.absolute(module, *level);
                let object = self.world.object(Entity::Module(module));
                let field = self.world.attribute(name);
                let dst = self.placed.var(*dst);
                self.facts.loads_place.push(points_to::LoadsPlace(point, dst, object, field));
                self.facts.imports_name.push(points_to::ImportsName(point, object, field));
                self.facts.call_result.push(points_to::CallResult(point, dst));
            }
            Kind::ImportStar { module, level } => self.emit_star_import(point, module, *level),
            _ => {}
        }
    }

    fn emit_namespace_load(&mut self, point: Point, dst: Var, name: &str) {
        let class = self.world.object(Entity::Class(self.placed.file, self.placed.body));
        let field = self.world.attribute(name);
        self.facts.loads_place.push(points_to::LoadsPlace(point, dst, class, field));
    }

    fn emit_global_load(&mut self, point: Point, dst: Var, name: &str) {
        let module = self.module();
        let field = self.world.attribute(name);
        self.facts.loads_place.push(points_to::LoadsPlace(point, dst, module, field));
        let builtins = self.world.object(Entity::Module(Name::from("builtins")));
        self.facts.loads_builtin.push(points_to::LoadsBuiltin(point, dst, builtins, field));
    }

    fn emit_module_run(&mut self, point: Point, module: &str, level: u32) {
        let module = self.absolute(module, level);
        let Some(file) = self.world.fresh_module(&module) else { return };
        let body = (self.functions)(file, 0);
        let module = self.world.object(Entity::Module(module));
        self.facts.runs_module.push(points_to::RunsModule(point, module, body));
    }

    fn emit_star_import(&mut self, point: Point, module: &str, level: u32) {
        let source = self.absolute(module, level);
        let names = match self.world.module_file(&source) {
            Some(file) => self.world.files[file].lowered.as_ref().map(|file| file.globals.clone()).unwrap_or_default(),
            None => Vec::new(),
        };
        let source = self.world.object(Entity::Module(source));
        let target = self.module();
        for name in names {
            let field = self.world.attribute(&name);
            let value = self.extra();
            self.facts.loads_place.push(points_to::LoadsPlace(point, value, source, field));
            self.facts.stores_place.push(points_to::StoresPlace(point, target, field, value));
        }
    }

    fn emit_frame_local(&mut self, dst: Slot, name: &str) {
        let Some(value) = self.placed.locals.get(name).cloned() else { return };
        let object = self.world.value(&value).unwrap_or(Obj::UNTOLD);
        self.facts.holds.push(points_to::Holds(self.placed.func, self.placed.var(dst), object));
    }

    fn module(&mut self) -> Obj {
        let module = self.world.module_of(self.placed.file);
        self.world.object(Entity::Module(module))
    }

    /// `from ..x import y`, seen from this file's package.
    fn absolute(&mut self, module: &str, level: u32) -> Name {
        if level == 0 {
            return Name::from(module);
        }
        let file = &self.world.files[self.placed.file];
        let is_package = file.path.file_stem().is_some_and(|stem| stem == "__init__");
        let here = self.world.module_of(self.placed.file);
        let mut parts: Vec<&str> = here.split('.').collect();
        let up = if is_package { level - 1 } else { level };
        parts.truncate(parts.len().saturating_sub(up as usize));
        parts.extend(module.split('.').filter(|part| !part.is_empty()));
        Name::from(parts.join(".").as_str())
    }

    /// The variable that holds the cells of `owner`: this body's own, or those that came with the function.
    fn cells(&mut self, owner: BodyId) -> Var {
        let var = self.extra();
        let func = self.placed.func;
        if owner == self.placed.body && !self.placed.is_live {
            let class = self.world.library("builtins.cell");
            let point = self.placed.point(self.placed.ssa.body.entry);
            self.facts.allocates.push(points_to::Allocates(func, point, var, class));
        } else if owner == self.placed.body || self.placed.is_live {
            let cells = self.world.object(Entity::Cells(self.placed.file, owner));
            self.facts.holds.push(points_to::Holds(func, var, cells));
        } else {
            let field = self.world.attribute(&cells_name(owner));
            self.facts.environment.push(points_to::Environment(func, field, var));
        }
        var
    }

    // ------------------------------------------------------------------ attributes and items

    fn emit_access(&mut self, point: Point, kind: &Kind) {
        let var = |slot: &Slot| self.placed.var(*slot);
        match kind {
            Kind::LoadAttribute { dst, base, name } => {
                let field = self.world.attribute(name);
                self.facts.loads_attribute.push(points_to::LoadsAttribute(point, var(dst), var(base), field));
                if &**name == "__dict__" {
                    let class = self.world.library("builtins.dict");
                    let fact = points_to::LoadsDictionary(point, var(dst), var(base), class);
                    self.facts.loads_dictionary.push(fact);
                }
                if &**name == "__class__" {
                    self.facts.loads_class.push(points_to::LoadsClass(point, var(dst), var(base)));
                }
                self.facts.call_result.push(points_to::CallResult(point, var(dst)));
                self.facts.derives.push(taint::Derives(point, var(dst), var(base)));
                self.facts.receiver.push(taint::Receiver(point, var(base)));
            }
            Kind::StoreAttribute { base, name, src } => {
                let field = self.world.attribute(name);
                if &**name == "__class__" {
                    self.facts.stores_class.push(points_to::StoresClass(var(base), var(src)));
                }
                self.facts.stores_attribute.push(points_to::StoresAttribute(point, var(base), field, var(src)));
                self.facts.receiver.push(taint::Receiver(point, var(base)));
                self.facts.argument.push(points_to::Argument(point, 0, var(src)));
                self.facts.argument.push(points_to::Argument(point, 1, var(src)));
            }
            Kind::DeleteAttribute { base, name } => {
                let field = self.world.attribute(name);
                self.facts.deletes_attribute.push(points_to::DeletesAttribute(point, var(base), field));
                self.emit_special(point, *base, "__delattr__", None);
            }
            Kind::LoadItem { dst, base, key } => {
                self.facts.loads_item.push(points_to::LoadsItem(point, var(dst), var(base), var(key)));
                self.facts.looks_into.push(points_to::LooksInto(var(key)));
                self.facts.derives.push(taint::Derives(point, var(dst), var(base)));
                self.facts.derives.push(taint::Derives(point, var(dst), var(key)));
                self.facts.argument.push(points_to::Argument(point, 0, var(key)));
                self.facts.keyed.push(points_to::Keyed(point, var(key)));
                self.emit_special(point, *base, "__getitem__", Some(*dst));
                self.emit_special(point, *base, "__missing__", Some(*dst));
                self.emit_special(point, *key, "__index__", Some(*dst));
            }
            Kind::StoreItem { base, key, src } => {
                self.facts.stores_item.push(points_to::StoresItem(point, var(base), var(key), var(src)));
                self.facts.argument.push(points_to::Argument(point, 0, var(key)));
                self.facts.argument.push(points_to::Argument(point, 1, var(src)));
                self.facts.keyed.push(points_to::Keyed(point, var(key)));
                self.emit_special(point, *base, "__setitem__", None);
                self.emit_special(point, *key, "__index__", None);
            }
            Kind::DeleteItem { base, key } => {
                self.facts.deletes_item.push(effects::DeletesItem(point, var(base), var(key)));
                self.facts.shifts.push(points_to::Shifts(point, var(base)));
                self.facts.argument.push(points_to::Argument(point, 0, var(key)));
                self.facts.keyed.push(points_to::Keyed(point, var(key)));
                self.emit_special(point, *base, "__delitem__", None);
                self.emit_special(point, *key, "__index__", None);
            }
            Kind::Slice { dst, parts } => {
                let class = self.world.library("builtins.slice");
                self.facts.allocates.push(points_to::Allocates(self.placed.func, point, var(dst), class));
                for (name, part) in ["start", "stop", "step"].into_iter().zip(parts) {
                    let field = self.world.attribute(name);
                    self.facts.stores_raw.push(points_to::StoresRaw(point, var(dst), field, var(part)));
                }
            }
            Kind::LoadSlice { dst, base, key, bounds, .. } => {
                self.facts.argument.push(points_to::Argument(point, 0, var(key)));
                self.facts.operates.push(points_to::Operates(point, var(dst), var(base)));
                self.facts.derives.push(taint::Derives(point, var(dst), var(base)));
                for bound in bounds {
                    self.facts.derives.push(taint::Derives(point, var(dst), var(bound)));
                    self.emit_special(point, *bound, "__index__", None);
                }
                self.emit_special(point, *base, "__getitem__", Some(*dst));
            }
            Kind::StoreSlice { base, key, bounds, src } => {
                self.facts.argument.push(points_to::Argument(point, 0, var(key)));
                self.facts.spreads.push(points_to::Spreads(point, var(base), var(src)));
                self.facts.resizes.push(effects::Resizes(point, var(base)));
                if !bounds.is_empty() {
                    self.facts.shifts.push(points_to::Shifts(point, var(base)));
                }
                self.facts.argument.push(points_to::Argument(point, 1, var(src)));
                let any = self.world.constant(&Constant::Complex);
                for bound in bounds {
                    // The bounds select what is replaced: storing under them is storing under a key nobody knows.
                    self.facts.stores_item.push(points_to::StoresItem(point, var(base), var(bound), var(src)));
                    self.facts.keyed.push(points_to::Keyed(point, var(bound)));
                    self.emit_special(point, *bound, "__index__", None);
                }
                self.facts.starts.push(points_to::Starts(point, var(src)));
                self.facts.drives.push(points_to::Drives(point, var(src)));
                let unknown = self.extra();
                self.facts.holds.push(points_to::Holds(self.placed.func, unknown, any));
                self.facts.stores_item.push(points_to::StoresItem(point, var(base), unknown, var(src)));
                self.emit_special(point, *base, "__setitem__", None);
            }
            Kind::DeleteSlice { base, key, bounds } => {
                self.facts.argument.push(points_to::Argument(point, 0, var(key)));
                for bound in bounds {
                    self.facts.deletes_item.push(effects::DeletesItem(point, var(base), var(bound)));
                    self.facts.keyed.push(points_to::Keyed(point, var(bound)));
                    self.emit_special(point, *bound, "__index__", None);
                }
                self.facts.resizes.push(effects::Resizes(point, var(base)));
                if !bounds.is_empty() {
                    self.facts.shifts.push(points_to::Shifts(point, var(base)));
                }
                self.emit_special(point, *base, "__delitem__", None);
            }
            _ => {}
        }
    }

    // ------------------------------------------------------------------ operators

    fn emit_operator(&mut self, point: Point, kind: &Kind) {
        let var = |slot: &Slot| self.placed.var(*slot);
        match kind {
            Kind::Operate { dst, operator, left, right } => {
                let operands = std::iter::once(*left).chain(*right);
                let result = Operator::of(operator);
                for operand in operands {
                    self.facts.derives.push(taint::Derives(point, var(dst), var(&operand)));
                    match result.gives {
                        Gives::Truth if result.identity => {}
                        Gives::Truth if result.asks_right && Some(operand) == *right => {
                            self.facts.seeks.push(taint::Seeks(point, var(dst), var(&operand)));
                            self.facts.looks_into.push(points_to::LooksInto(var(&operand)));
                        }
                        Gives::Truth if *operator == "not" => {
                            self.facts.inspects_shape.push(taint::InspectsShape(point, var(dst), var(&operand)));
                        }
                        Gives::Truth => {
                            if result.asks_right {
                                self.facts.inspects_any.push(taint::InspectsAny(point, var(dst), var(&operand)));
                            } else {
                                self.facts.inspects.push(taint::Inspects(point, var(dst), var(&operand)));
                            }
                            self.facts.looks_into.push(points_to::LooksInto(var(&operand)));
                        }
                        Gives::Value => self.facts.operates.push(points_to::Operates(point, var(dst), var(&operand))),
                    }
                }
                if result.gives == Gives::Truth {
                    let class = self.world.library("builtins.bool");
                    self.facts.allocates.push(points_to::Allocates(self.placed.func, point, var(dst), class));
                } else if *operator == "/" || *operator == "%" || *operator == "/=" {
                    let class = self.world.library("builtins.float");
                    self.facts.allocates.push(points_to::Allocates(self.placed.func, point, var(dst), class));
                }
                if operator.len() > 1 && operator.ends_with('=') && result.gives == Gives::Value {
                    self.facts.updates_in_place.push(points_to::UpdatesInPlace(point, var(left)));
                }
                self.emit_operator_methods(point, *dst, *left, *right, &result);
            }
            Kind::Text { dst, parts, .. } => {
                let class = self.world.library("builtins.str");
                self.facts.allocates.push(points_to::Allocates(self.placed.func, point, var(dst), class));
                for part in parts {
                    self.facts.derives.push(taint::Derives(point, var(dst), var(part)));
                    self.facts.inspects.push(taint::Inspects(point, var(dst), var(part)));
                    self.facts.looks_into.push(points_to::LooksInto(var(part)));
                    for name in ["__format__", "__str__", "__repr__"] {
                        self.emit_special(point, *part, name, Some(*dst));
                    }
                }
            }
            _ => {}
        }
    }

    fn emit_operator_methods(&mut self, point: Point, dst: Slot, left: Slot, right: Option<Slot>, operator: &Operator) {
        let Some(right) = right else {
            for name in operator.methods {
                self.emit_special(point, left, name, Some(dst));
            }
            return;
        };
        // Membership asks the container on the right.
        if operator.asks_right {
            self.facts.argument.push(points_to::Argument(point, 0, self.placed.var(left)));
            for name in operator.methods {
                self.emit_special(point, right, name, Some(dst));
            }
            let (container, method) = (self.placed.var(right), self.world.attribute("__contains__"));
            self.facts.keyed.push(points_to::Keyed(point, self.placed.var(left)));
            self.facts.searches.push(points_to::Searches(point, container, method));
            self.facts.drives.push(points_to::Drives(point, container));
            return;
        }
        self.facts.argument.push(points_to::Argument(point, 0, self.placed.var(right)));
        for name in operator.methods {
            self.emit_special(point, left, name, Some(dst));
        }
        for name in operator.reflected {
            let field = self.world.attribute(name);
            let base = self.placed.var(right);
            self.facts.calls_reflected.push(points_to::CallsReflected(point, base, field));
            self.facts.receiver.push(taint::Receiver(point, base));
        }
    }

    // ------------------------------------------------------------------ displays

    fn emit_build(&mut self, point: Point, dst: Slot, layout: Layout, elements: &[Element]) {
        let class = match layout {
            Layout::List => "builtins.list",
            Layout::Tuple => "builtins.tuple",
            Layout::Set => "builtins.set",
            Layout::Dict => "builtins.dict",
        };
        let class = self.world.library(class);
        let allocates = points_to::Allocates(self.placed.func, point, self.placed.var(dst), class);
        self.facts.allocates.push(allocates);
        for (index, element) in elements.iter().enumerate() {
            let position = (layout == Layout::List || layout == Layout::Tuple).then_some(index);
            self.emit_element(point, dst, element, position);
        }
        let is_one = matches!(elements, [Element::Item(_)]);
        if layout == Layout::Set && !is_one {
            for element in elements {
                self.emit_distinction(point, dst, element);
            }
        }
    }

    /// Which elements of a set are equal decides how many it has.
    fn emit_distinction(&mut self, point: Point, container: Slot, element: &Element) {
        if let Element::Item(value) | Element::Spread(value) = element {
            let (container, value) = (self.placed.var(container), self.placed.var(*value));
            self.facts.keyed.push(points_to::Keyed(point, value));
            self.facts.adds_element.push(taint::AddsElement(point, container, value));
        }
    }

    /// A display does what this method does, where the class of the display has it.
    fn emit_like(&mut self, point: Point, container: Var, method: &str, arguments: &[Var]) {
        let method = self.world.attribute(method);
        self.facts.acts_like.push(points_to::ActsLike(point, container, method));
        for (index, argument) in arguments.iter().enumerate() {
            self.facts.argument.push(points_to::Argument(point, index as u32, *argument));
        }
    }

    fn emit_element(&mut self, point: Point, container: Slot, element: &Element, position: Option<usize>) {
        let var = |slot: &Slot| self.placed.var(*slot);
        let base = var(&container);
        match element {
            Element::Item(value) => {
                let field = match position {
                    Some(index) => {
                        let key = self.world.constant(&Constant::Int(index.to_string().into()));
                        item_of(key)
                    }
                    None => Field::ANY_ITEM,
                };
                self.facts.stores_raw.push(points_to::StoresRaw(point, base, field, var(value)));
                if position.is_none() {
                    self.facts.resizes.push(effects::Resizes(point, base));
                    self.emit_like(point, base, "add", &[var(value)]);
                }
            }
            Element::Pair(key, value) => {
                self.facts.stores_item.push(points_to::StoresItem(point, base, var(key), var(value)));
                self.facts.keyed.push(points_to::Keyed(point, var(key)));
                self.emit_like(point, base, "__setitem__", &[var(key), var(value)]);
            }
            Element::Spread(value) | Element::Mapping(value) => {
                if matches!(element, Element::Mapping(_)) {
                    self.facts.spread_mapping.push(points_to::SpreadMapping(point, var(value)));
                } else {
                    self.facts.starts.push(points_to::Starts(point, var(value)));
                }
                for method in ["update", "extend"] {
                    self.emit_like(point, base, method, &[var(value)]);
                }
                self.facts.spreads.push(points_to::Spreads(point, base, var(value)));
                self.facts.drives.push(points_to::Drives(point, var(value)));
            }
        }
    }

    // ------------------------------------------------------------------ calls

    fn emit_call(&mut self, point: Point, kind: &Kind) {
        let Kind::Call { dst, callee, arguments } = kind else { return };
        self.facts.call_result.push(points_to::CallResult(point, self.placed.var(*dst)));
        match callee {
            Callee::Value(function) => {
                let function = self.placed.var(*function);
                self.facts.calls_value.push(points_to::CallsValue(point, function));
            }
            Callee::Method(base, name) => {
                let field = self.world.attribute(name);
                let base = self.placed.var(*base);
                self.facts.calls_method.push(points_to::CallsMethod(point, base, field));
                self.facts.receiver.push(taint::Receiver(point, base));
            }
            Callee::Special(base, name) => self.emit_special(point, *base, name, None),
        }
        let first_star = arguments.iter().position(|argument| matches!(argument.passing, Passing::Star));
        for (at, argument) in arguments.iter().enumerate() {
            let value = self.placed.var(argument.value);
            if first_star == Some(at) {
                self.facts.star_begins.push(points_to::StarBegins(point, value, at as u32));
            }
            match &argument.passing {
                Passing::Position(index) => self.facts.argument.push(points_to::Argument(point, *index, value)),
                Passing::Keyword(name) if &**name == ".self" => self.emit_super(point, *dst, value),
                Passing::Keyword(name) if &**name == ".locals" => {
                    self.facts.locals_given.push(points_to::LocalsGiven(point, value));
                }
                Passing::Keyword(name) => {
                    let text = self.world.constant(&Constant::Str(name.clone()));
                    let name = self.world.name(name);
                    self.facts.name_item.push(points_to::NameItem(name, item_of(text)));
                    self.facts.name_text.push(points_to::NameText(name, text));
                    self.facts.keyword_argument.push(points_to::KeywordArgument(point, name, value));
                }
                Passing::Star | Passing::DoubleStar => {
                    if matches!(argument.passing, Passing::DoubleStar) {
                        self.facts.spread_mapping.push(points_to::SpreadMapping(point, value));
                    } else {
                        self.facts.starts.push(points_to::Starts(point, value));
                    }
                    self.facts.spread_argument.push(points_to::SpreadArgument(point, value));
                    self.facts.drives.push(points_to::Drives(point, value));
                }
            }
        }
    }

    /// `super()`: stands for the receiver, looked up behind the class around this body.
    fn emit_super(&mut self, point: Point, dst: Slot, receiver: Var) {
        let mut around = Some(self.placed.body);
        while let Some(body) = around.and_then(|id| self.world.body(self.placed.file, id)) {
            if body.kind == BodyKind::Class {
                break;
            }
            around = body.parent;
        }
        let Some(class) = around else { return };
        let class = (self.functions)(self.placed.file, class);
        self.facts.super_call.push(points_to::SuperCall(point, self.placed.var(dst), receiver, class));
    }

    fn emit_function(&mut self, point: Point, dst: Slot, body: BodyId, defaults: &[(usize, Slot)]) {
        let code = (self.functions)(self.placed.file, body);
        let var = self.placed.var(dst);
        self.facts.makes_function.push(points_to::MakesFunction(self.placed.func, point, var, code));
        let name = self.world.body(self.placed.file, body).map(|body| last_name(&body.qualified_name).to_owned());
        let name = self.world.constant(&Constant::Str(name.unwrap_or_default().into()));
        let text = self.world.some_text();
        for (name, value) in [("__name__", name), ("__qualname__", text), ("__module__", text), ("__doc__", text)] {
            let (field, held) = (self.world.attribute(name), self.extra());
            self.facts.holds.push(points_to::Holds(self.placed.func, held, value));
            self.facts.stores_raw.push(points_to::StoresRaw(point, var, field, held));
        }
        for (index, default) in defaults {
            let field = self.world.attribute(&default_name(*index));
            self.facts.stores_raw.push(points_to::StoresRaw(point, var, field, self.placed.var(*default)));
        }
        for (owner, cells) in self.visible_cells() {
            let field = self.world.attribute(&cells_name(owner));
            self.facts.cells_field.push(points_to::CellsField(field));
            self.facts.stores_raw.push(points_to::StoresRaw(point, var, field, cells));
        }
    }

    /// The cells that a definition here takes along: those of this body and of the bodies around it.
    fn visible_cells(&mut self) -> Vec<(BodyId, Var)> {
        let mut cells = Vec::new();
        let mut around = Some(self.placed.body);
        while let Some(id) = around {
            let Some(body) = self.world.body(self.placed.file, id) else { break };
            let (has_cells, parent) = (body.has_cells, body.parent);
            if has_cells {
                cells.push((id, self.cells(id)));
            }
            around = parent;
        }
        cells
    }

    fn emit_class(&mut self, point: Point, dst: Slot, body: BodyId, bases: &[Slot]) {
        let code = (self.functions)(self.placed.file, body);
        let class = self.world.object(Entity::Class(self.placed.file, body));
        self.facts.holds.push(points_to::Holds(self.placed.func, self.placed.var(dst), class));
        self.facts.class_body.push(points_to::ClassBody(point, class, code));
        for (index, base) in bases.iter().enumerate() {
            let field = self.world.attribute(&base_name(index));
            self.facts.stores_place.push(points_to::StoresPlace(point, class, field, self.placed.var(*base)));
        }
        for (owner, cells) in self.visible_cells() {
            let field = self.world.attribute(&cells_name(owner));
            self.facts.internal.push(points_to::Internal(field));
            self.facts.stores_place.push(points_to::StoresPlace(point, class, field, cells));
        }
    }
}

// ---------------------------------------------------------------------- classes

impl Emitter<'_, '_, '_> {
    /// The metaclass of a class: the one given, or that of a base. The namespace is a dictionary of the class.
    fn emit_class_header(&mut self, body: BodyId, bases: &[Slot], keywords: &[(Name, Slot)], namespace: Option<Slot>) {
        let class = self.world.object(Entity::Class(self.placed.file, body));
        for base in bases {
            self.facts.has_base.push(points_to::HasBase(class, self.placed.var(*base)));
        }
        if let Some((_, metaclass)) = keywords.iter().find(|(name, _)| &**name == "metaclass") {
            self.facts.gives_metaclass.push(points_to::GivesMetaclass(class, self.placed.var(*metaclass)));
        }
        if let Some(namespace) = namespace {
            self.facts.namespace_of.push(points_to::NamespaceOf(class, self.placed.var(namespace)));
        }
    }

    fn emit_class_step(&mut self, point: Point, kind: &Kind) {
        let Kind::ClassStep { dst, step, class, metaclass, arguments, keywords } = kind else { return };
        let var = |slot: &Slot| self.placed.var(*slot);
        let class = var(class);
        self.facts.call_result.push(points_to::CallResult(point, var(dst)));
        let [name, bases] = arguments;
        match step {
            ClassStep::NameMembers => {
                self.facts.names_members.push(points_to::NamesMembers(point, class));
                self.facts.argument.push(points_to::Argument(point, 0, class));
                let (text, held) = (self.world.some_text(), self.extra());
                self.facts.holds.push(points_to::Holds(self.placed.func, held, text));
                self.facts.argument.push(points_to::Argument(point, 1, held));
                return;
            }
            ClassStep::Prepare => {
                self.facts.prepares_class.push(points_to::PreparesClass(point, class));
                for (at, value) in [var(name), var(bases)].into_iter().enumerate() {
                    self.facts.argument.push(points_to::Argument(point, at as u32, value));
                }
            }
            ClassStep::Subclass => self.facts.makes_subclass.push(points_to::MakesSubclass(point, class)),
            ClassStep::Create | ClassStep::Initialize => {
                if *step == ClassStep::Create {
                    self.facts.creates_class.push(points_to::CreatesClass(point, class));
                    let given = metaclass.iter().map(|metaclass| points_to::MetaclassCall(point, var(metaclass)));
                    self.facts.metaclass_call.extend(given);
                } else {
                    self.facts.initializes_class.push(points_to::InitializesClass(point, class));
                }
                let (namespace, dictionary) = (self.extra(), self.world.library("builtins.dict"));
                self.facts.loads_dictionary.push(points_to::LoadsDictionary(point, namespace, class, dictionary));
                for (at, value) in [var(name), var(bases), namespace].into_iter().enumerate() {
                    self.facts.argument.push(points_to::Argument(point, at as u32, value));
                }
            }
        }
        for (name, value) in keywords {
            let value = self.placed.var(*value);
            if &**name == "**" {
                self.facts.spread_argument.push(points_to::SpreadArgument(point, value));
            } else {
                let text = self.world.constant(&Constant::Str(name.clone()));
                let name = self.world.name(name);
                self.facts.name_item.push(points_to::NameItem(name, item_of(text)));
                self.facts.name_text.push(points_to::NameText(name, text));
                self.facts.keyword_argument.push(points_to::KeywordArgument(point, name, value));
            }
        }
    }
}

/// Positions of keyword-only parameters start here.
const KEYWORD_ONLY: u32 = 500;

/// Hidden attribute of a function object: the default of a parameter.
pub fn default_name(index: usize) -> String {
    format!("<default {index}>")
}

/// Hidden attribute of a function object: the cells of a body around it.
pub fn cells_name(owner: BodyId) -> String {
    format!("<cells {owner}>")
}

/// Hidden attribute of a class: a base.
pub fn base_name(index: usize) -> String {
    format!("<base {index}>")
}

/// The method that answers for an operator, the one that answers from the right side, and whether the answer is a truth.
pub fn operator_methods(symbol: &str) -> Option<(&'static str, Option<&'static str>, bool)> {
    // An operator in place may change its left operand, and `!=` turns the answer of another method round.
    let is_in_place = symbol.len() > 1 && symbol.ends_with('=') && !matches!(symbol, "==" | "<=" | ">=" | "!=");
    let operator = Operator::of(symbol);
    if is_in_place || operator.identity || matches!(symbol, "not" | "!=" | "%") {
        return None;
    }
    Some((operator.methods.first()?, operator.reflected.first().copied(), operator.gives == Gives::Truth))
}

#[derive(PartialEq, Eq, Clone, Copy)]
enum Gives {
    /// A boolean.
    Truth,
    /// A value of the operands' classes.
    Value,
}

struct Operator {
    gives: Gives,
    identity: bool,
    asks_right: bool,
    methods: &'static [&'static str],
    reflected: &'static [&'static str],
}

impl Operator {
    /// Special methods of an operator (language reference, section 3.3.8).
    fn of(symbol: &str) -> Operator {
        let value = |methods, reflected| Operator {
            gives: Gives::Value,
            identity: false,
            asks_right: false,
            methods,
            reflected,
        };
        let truth = |methods, reflected| Operator {
            gives: Gives::Truth,
            identity: false,
            asks_right: false,
            methods,
            reflected,
        };
        match symbol {
            "+" => value(&["__add__"], &["__radd__"]),
            "-" => value(&["__sub__"], &["__rsub__"]),
            "*" => value(&["__mul__"], &["__rmul__"]),
            "@" => value(&["__matmul__"], &["__rmatmul__"]),
            "/" => value(&["__truediv__"], &["__rtruediv__"]),
            "%" => value(&["__mod__", "__str__"], &["__rmod__", "__str__", "__repr__"]),
            "**" => value(&["__pow__"], &["__rpow__"]),
            "<<" => value(&["__lshift__"], &["__rlshift__"]),
            ">>" => value(&["__rshift__"], &["__rrshift__"]),
            "|" => value(&["__or__"], &["__ror__"]),
            "^" => value(&["__xor__"], &["__rxor__"]),
            "&" => value(&["__and__"], &["__rand__"]),
            "//" => value(&["__floordiv__"], &["__rfloordiv__"]),
            "+=" => value(&["__iadd__", "__add__"], &["__radd__"]),
            "-=" => value(&["__isub__", "__sub__"], &["__rsub__"]),
            "*=" => value(&["__imul__", "__mul__"], &["__rmul__"]),
            "@=" => value(&["__imatmul__", "__matmul__"], &["__rmatmul__"]),
            "/=" => value(&["__itruediv__", "__truediv__"], &["__rtruediv__"]),
            "%=" => value(&["__imod__", "__mod__"], &["__rmod__", "__str__", "__repr__"]),
            "**=" => value(&["__ipow__", "__pow__"], &["__rpow__"]),
            "<<=" => value(&["__ilshift__", "__lshift__"], &["__rlshift__"]),
            ">>=" => value(&["__irshift__", "__rshift__"], &["__rrshift__"]),
            "|=" => value(&["__ior__", "__or__"], &["__ror__"]),
            "^=" => value(&["__ixor__", "__xor__"], &["__rxor__"]),
            "&=" => value(&["__iand__", "__and__"], &["__rand__"]),
            "//=" => value(&["__ifloordiv__", "__floordiv__"], &["__rfloordiv__"]),
            "~" => value(&["__invert__"], &[]),
            "unary +" => value(&["__pos__"], &[]),
            "unary -" => value(&["__neg__"], &[]),
            "==" => truth(&["__eq__"], &["__eq__"]),
            "!=" => truth(&["__ne__", "__eq__"], &["__ne__", "__eq__"]),
            "<" => truth(&["__lt__"], &["__gt__"]),
            "<=" => truth(&["__le__"], &["__ge__"]),
            ">" => truth(&["__gt__"], &["__lt__"]),
            ">=" => truth(&["__ge__"], &["__le__"]),
            "is" | "is not" => Operator { identity: true, ..truth(&[], &[]) },
            "in" | "not in" => Operator { asks_right: true, ..truth(&["__contains__"], &[]) },
            _ => truth(&["__bool__", "__len__"], &[]),
        }
    }
}
