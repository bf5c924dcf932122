//! Models of library functions as facts.

use healguard_rules::models::{
    Base, Binding, Effect, Flow, FlowKind, Fresh, FreshItems, Hook, Model as LibraryModel, ModelId, Port as ModelPort,
    Step, World as Outside,
};
use healguard_rules::schema::{Field, Model, Obj, Point, Port, inner_of_part, is_made, item_of};
use healguard_rules::{effects, points_to, taint};
use rustc_hash::FxHashMap;

use crate::ir::Constant;
use crate::snapshot::Object;
use crate::solve::PointsTo;
use crate::world::{Entity, dotted_name};

use super::Engine;
use super::callbacks::port_of;

/// No model tells arguments from this position on apart.
const POSITIONS: u32 = 16;

/// The special methods that a model calls are a model of their own, for constructs that do the rest by their own rules.
const ASKS: u32 = 2 * FREE;
/// So many operands of a construct arrive at ports.
const OPERANDS: usize = 3;

const EXTRA_KEYWORDS: u32 = 3;
const FROM: u32 = 200;
const NAMED: u32 = 1000;
/// Models from this number on are those of methods that are taken from their class.
const FREE: u32 = 1 << 20;

impl Engine<'_, '_> {
    /// State outside the program, as objects at ports.
    pub(super) fn tell_outside(&mut self) {
        for (kind, _) in Outside::ALL.iter().enumerate() {
            let object = self.world.object(Entity::Outside(kind as u32));
            self.facts.world.push(points_to::World(Port::world(kind as u32), object));
            for known in self.known_to(Outside::ALL[kind]) {
                self.facts.initially.push(points_to::Initially(object, Field::ANY_ITEM, known));
            }
            if Outside::ALL[kind] == Outside::Tasks {
                self.facts.pool.push(points_to::Pool(object));
            }
        }
    }

    /// The objects of the snapshot that a kind of state outside the program knows by their class.
    fn known_to(&mut self, kind: Outside) -> Vec<Obj> {
        let classes = self.world.models.classes().filter(|class| class.known_to == Some(Base::World(kind)));
        let names: Vec<&str> = classes.map(|class| class.name.as_str()).collect();
        let snapshot = self.world.snapshot;
        let class_of = |object: &Object| object.class.as_ref().and_then(|class| snapshot.object(class));
        let is_known = |class: &Object| {
            let above = class.mro.iter().filter_map(|entry| snapshot.object(entry));
            above.filter_map(dotted_name).any(|name| names.contains(&name.as_str()))
        };
        let known = snapshot.objects.iter().filter(|(_, object)| class_of(object).is_some_and(is_known));
        let known: Vec<_> = known.map(|(id, _)| *id).collect();
        known.into_iter().map(|id| self.world.object(Entity::Snapshot(id))).collect()
    }

    /// The number of a model, whose facts are not written by that.
    fn model_number(&self, id: ModelId) -> u32 {
        self.world.models.iter().position(|(known, _)| known == id).unwrap_or(0) as u32
    }

    /// The model with a number.
    pub(super) fn model_of(&self, model: Model) -> Option<&'static LibraryModel> {
        self.world.models.iter().nth((model.0 % FREE) as usize).map(|(_, source)| source)
    }

    /// The number of a method's model where the receiver is its first argument: `list.append(lines, line)`.
    pub(super) fn free_model(&self, id: ModelId) -> Model {
        Model(FREE + self.model_number(id))
    }

    /// Writes the facts of such models when they are called.
    pub(super) fn tell_free_models(&mut self, solved: &PointsTo) {
        for points_to::ModelCall(_, _, model, _) in sorted_calls(solved) {
            if model.0 >= FREE && !self.told.models.contains(&model.0) {
                self.tell_model_as(model);
            }
        }
    }

    /// Writes the facts of a model, once.
    pub(super) fn tell_model(&mut self, id: ModelId) -> Model {
        let model = Model(self.model_number(id));
        self.tell_model_as(model);
        model
    }

    fn tell_model_as(&mut self, model: Model) {
        if !self.told.models.insert(model.0) {
            return;
        }
        let Some(source) = self.model_of(model) else { return };
        if source.effects.contains(&Effect::Threads) {
            // Threads take turns where they meet.
            let tasks = self.port(&Base::World(Outside::Tasks));
            self.facts.model_touches.push(points_to::ModelTouches(model, tasks));
        }
        for (given, supplement) in &source.supplements {
            let (supplement, given) = (self.tell_model(*supplement), self.port(given));
            self.facts.supplements.push(points_to::Supplements(model, supplement, given));
        }
        for flow in &source.flows {
            if flow.from.base == Base::ExtraKeywords
                && flow.from.path.is_empty()
                && self.takes_names(model, source, flow)
            {
                continue;
            }
            if let Some(read) = aligned_flow(source, flow) {
                let (from, to) = (self.port(&flow.from.base), self.port(&flow.to.base));
                self.facts.model_aligned.push(points_to::ModelAligned(model, from, read, to));
                self.facts.model_writes.extend((to != Port::RESULT).then_some(effects::ModelWrites(
                    model,
                    to,
                    Field::ANY_ITEM,
                )));
                // Keys that iteration gives have no positions.
                if read == Field::KEYS {
                    self.tell_flow(
                        model,
                        (from, Field::KEYS, Field::ITSELF),
                        (to, Field::ANY_ITEM, Field::ITSELF),
                        flow.kind == FlowKind::Alias,
                    );
                }
                continue;
            }
            for from in self.paths(model, &flow.from, source) {
                for to in self.paths(model, &flow.to, source) {
                    self.tell_flow(model, from, to, flow.kind == FlowKind::Alias);
                }
            }
        }
        self.tell_changes(model, source);
        self.tell_result(model, source);
        for hook in &source.hooks {
            for (port, first, second, method) in self.tell_hook(model, source, hook) {
                self.facts.model_hook.push(points_to::ModelHook(model, port, first, second, method));
            }
        }
        for port in &source.decides {
            for (port, first, second) in self.paths(model, port, source) {
                self.facts.model_reads.push(taint::ModelReads(model, port, first, second));
                self.facts.model_decides.push(taint::ModelDecides(model, port, first, second));
            }
        }
        if let Some(copies) = &source.copies {
            let port = self.port(&copies.from.base);
            if copies.deep {
                self.facts.model_copies_deep.push(points_to::ModelCopiesDeep(model, port));
            } else {
                self.facts.model_copies.push(points_to::ModelCopies(model, port));
            }
        }
        self.tell_callback_paths(model, source);
        if source.lazy {
            self.facts.model_lazy.push(points_to::ModelLazy(model));
        }
        if let Some(selects) = &source.selects {
            let port = self.port(&selects.base);
            self.facts.model_selects.push(points_to::ModelSelects(model, port));
        }
        if source.clears.iter().any(|port| port.base == Base::Receiver && port.path.is_empty()) {
            self.emptying.insert(model);
        }
        if source.removes {
            self.removing.insert(model);
        }
        if let Some(sends) = &source.sends {
            let port = self.port(&sends.base);
            self.facts.model_sends.push(points_to::ModelSends(model, port));
        }
    }

    /// Writes the special methods that a model calls as a model of their own, once.
    pub(super) fn tell_asks(&mut self, id: ModelId) -> Model {
        let number = ASKS + self.world.models.iter().position(|(known, _)| known == id).unwrap_or(0) as u32;
        let model = Model(number);
        if !self.told.models.insert(number) {
            return model;
        }
        let source = self.world.models.model(id);
        for position in 0..OPERANDS {
            self.tell_bound_position(model, source, position, position as u32);
        }
        for hook in &source.hooks {
            for (port, first, second, method) in self.tell_hook(model, source, hook) {
                self.facts.model_asks.push(points_to::ModelAsks(model, port, first, second, method));
                if port == Port::RECEIVER {
                    self.facts.asks_through.push(points_to::AsksThrough(model, first));
                }
            }
        }
        model
    }

    /// Where the objects are whose special methods a model calls, and which ones; tells what these are given.
    fn tell_hook(&mut self, model: Model, source: &LibraryModel, hook: &Hook) -> Vec<(Port, Field, Field, Field)> {
        // `str` is `repr` where a class has nothing else.
        let methods = match hook.method.as_str() {
            "__str__" | "__repr__" => vec!["__str__", "__repr__"],
            method => vec![method],
        };
        // Keys have a hash, and so has what they contain and what they are compared with.
        let hashes = |port: &ModelPort| {
            port.path.contains(&Step::Keys)
                || source.hooks.iter().any(|other| other.method == "__hash__" && other.target == *port)
        };
        let is_hashed = hashes(&hook.target) || hook.arguments.iter().filter_map(port_of).any(hashes);
        let mut called = Vec::new();
        for (port, first, second) in self.paths(model, &hook.target, source) {
            self.facts.model_path.push(points_to::ModelPath(model, port, first, second));
            if is_hashed {
                self.facts.model_hashes.push(points_to::ModelHashes(model, port, first, second));
            }
            called.extend(methods.iter().map(|method| (port, first, second, self.world.attribute(method))));
        }
        for argument in &hook.arguments {
            let Some(port) = port_of(argument) else {
                self.facts.hook_text.push(points_to::HookText(model));
                continue;
            };
            for (port, first, second) in self.paths(model, port, source) {
                self.facts.model_path.push(points_to::ModelPath(model, port, first, second));
                self.facts.model_reads.push(taint::ModelReads(model, port, first, second));
                self.facts.hook_argument.push(points_to::HookArgument(model, port, first, second));
            }
        }
        called
    }

    /// Arguments arrive at ports by their positions; which positions there are is known from the calls.
    pub(super) fn tell_argument_positions(&mut self, solved: &PointsTo) {
        let mut positions: FxHashMap<Point, Vec<u32>> = FxHashMap::default();
        for points_to::Argument(point, position, _) in &self.facts.argument {
            positions.entry(*point).or_default().push(*position);
        }
        for points_to::SpreadArgument(point, _) in &self.facts.spread_argument {
            positions.entry(*point).or_default().extend(0..POSITIONS);
        }
        for points_to::ModelCall(_, point, model, _) in sorted_calls(solved) {
            for position in positions.get(&point).into_iter().flatten() {
                self.tell_position(model, *position);
            }
        }
    }

    fn tell_position(&mut self, model: Model, position: u32) {
        if !self.told.argument_positions.insert((model.0, position)) {
            return;
        }
        let is_free = model.0 >= FREE;
        if is_free && position == 0 {
            self.facts.port_position.push(points_to::PortPosition(model, position, Port::RECEIVER));
            return;
        }
        let Some(source) = self.model_of(model) else { return };
        let listed = (position - u32::from(is_free)) as usize;
        self.tell_bound_position(model, source, listed, position);
    }

    /// The argument at `position` arrives where the model lists the one at `listed`.
    fn tell_bound_position(&mut self, model: Model, source: &LibraryModel, listed: usize, position: u32) {
        let bound = match &source.parameters {
            Some(parameters) => parameters.bind_position(listed),
            None => Some(Base::Argument(listed)),
        };
        if let Some(Base::Argument(at)) = bound {
            let ports = argument_ports(at as u32).into_iter();
            self.facts.port_position.extend(ports.map(|port| points_to::PortPosition(model, position, port)));
        }
    }

    /// Arguments that are given by name arrive at ports as well; which names there are is known from the calls.
    pub(super) fn tell_keywords(&mut self, solved: &PointsTo) {
        let mut called: Vec<(u32, u32)> = Vec::new();
        let by_point: FxHashMap<_, Vec<u32>> =
            self.facts.keyword_argument.iter().fold(FxHashMap::default(), |mut map, fact| {
                let points_to::KeywordArgument(point, name, _) = fact;
                map.entry(*point).or_insert_with(Vec::new).push(*name);
                map
            });
        for points_to::ModelCall(_, point, model, _) in &sorted_calls(solved) {
            for name in by_point.get(point).into_iter().flatten() {
                called.push((model.0, *name));
            }
        }
        for (number, name) in called {
            if !self.told.keywords.insert((number, name)) {
                continue;
            }
            let text = self.world.name_text(name).to_owned();
            let Some(source) = self.model_of(Model(number)) else { continue };
            let bound = source.parameters.as_ref().and_then(|parameters| parameters.bind_keyword(&text));
            if bound == Some(Base::ExtraKeywords) {
                self.tell_named_field(Model(number), source, name, &text);
            }
            let ports = match bound {
                Some(Base::Argument(at)) => argument_ports(at as u32),
                Some(base) => vec![self.port(&base), Port::ARGUMENTS],
                // A name that the model does not know: it may go anywhere.
                None => (0..POSITIONS).flat_map(argument_ports).collect(),
            };
            for port in ports {
                self.facts.port_name.push(points_to::PortName(Model(number), name, port));
            }
        }
    }

    /// Whether a flow puts arguments with names of their own somewhere under their names; then it says so.
    fn takes_names(&mut self, model: Model, source: &LibraryModel, flow: &Flow) -> bool {
        let Some((port, is_item)) = self.named_destination(model, source, flow) else { return false };
        if is_item {
            self.facts.takes_items.push(points_to::TakesItems(model, port));
        } else {
            self.facts.takes_attributes.push(points_to::TakesAttributes(model, port));
        }
        if !is_made(port) {
            let field = if is_item { Field::ANY_ITEM } else { Field::ANY };
            self.facts.model_writes.push(effects::ModelWrites(model, port, field));
        }
        true
    }

    /// The port at which such arguments become items or attributes, and which of the two.
    fn named_destination(&mut self, model: Model, source: &LibraryModel, flow: &Flow) -> Option<(Port, bool)> {
        let (last, steps) = flow.to.path.split_last()?;
        let is_item = match last {
            Step::Items if flow.kind == FlowKind::Alias => true,
            Step::Attrs => false,
            _ => return None,
        };
        if steps.is_empty() {
            return Some((self.port(&flow.to.base), is_item));
        }
        let (port, rest) = self.inner_port(model, &flow.to, source)?;
        (rest.len() == 1).then_some((port, is_item))
    }

    /// Where an argument of this name, which no parameter has, is put.
    fn tell_named_field(&mut self, model: Model, source: &LibraryModel, name: u32, text: &str) {
        let flows =
            source.flows.iter().filter(|flow| flow.from.base == Base::ExtraKeywords && flow.from.path.is_empty());
        for flow in flows {
            let Some((port, is_item)) = self.named_destination(model, source, flow) else { continue };
            let field = if is_item {
                item_of(self.world.constant(&Constant::Str(text.into())))
            } else {
                self.world.attribute(text)
            };
            self.facts.named_field.push(points_to::NamedField(model, name, port, field));
        }
    }

    /// Which calls may leave out an argument that decides what the function does.
    pub(super) fn tell_omitted(&mut self, solved: &PointsTo) {
        for points_to::ModelCall(_, point, model, _) in sorted_calls(solved) {
            let Some((_, source)) = self.world.models.iter().nth(model.0 as usize) else { continue };
            for (given, _) in &source.supplements {
                let port = self.port(given);
                if !self.is_given(point, source, given) && self.told.omitted.insert((point, model.0, port)) {
                    self.facts.omits.push(points_to::Omits(point, model, port));
                }
            }
        }
    }

    /// Whether a call certainly gives an argument. Called through its class, a method takes its receiver as the first one.
    fn is_given(&self, point: Point, source: &LibraryModel, base: &Base) -> bool {
        if *base == Base::Receiver {
            return !self.told.unread.contains(&point);
        }
        let Some(parameters) = &source.parameters else { return false };
        let names = self.facts.keyword_argument.iter().filter(|points_to::KeywordArgument(at, ..)| *at == point);
        let mut names = names.map(|points_to::KeywordArgument(_, name, _)| self.world.name_text(*name));
        let positions = self.facts.argument.iter().filter(|points_to::Argument(at, ..)| *at == point);
        let mut positions = positions.map(|points_to::Argument(_, position, _)| *position as usize);
        let is_function = source.binding == Binding::Function;
        names.any(|name| parameters.bind_keyword(name).as_ref() == Some(base))
            || (is_function && positions.any(|position| parameters.bind_position(position).as_ref() == Some(base)))
    }

    fn port(&mut self, base: &Base) -> Port {
        match base {
            Base::Receiver => Port::RECEIVER,
            Base::Result => Port::RESULT,
            Base::Arguments => Port::ARGUMENTS,
            Base::ExtraKeywords => Port(EXTRA_KEYWORDS),
            Base::Argument(position) => Port::argument(*position as u32),
            Base::ArgumentsFrom(position) => Port(FROM + *position as u32),
            Base::Keyword(name) => Port(NAMED + self.world.name(name)),
            Base::World(kind) => {
                let number = Outside::ALL.iter().position(|known| known == kind).unwrap_or(0);
                Port::world(number as u32)
            }
        }
    }

    /// A port as base and two fields. Some steps stand for several fields.
    pub(super) fn paths(&mut self, model: Model, port: &ModelPort, source: &LibraryModel) -> Vec<(Port, Field, Field)> {
        let base = self.port(&port.base);
        if matches!(port.base, Base::World(_)) {
            self.facts.model_touches.push(points_to::ModelTouches(model, base));
            return vec![(base, Field::ANY_ITEM, Field::ITSELF)];
        }
        let selected = port.base == Base::Receiver && source.selects.is_some();
        let (base, path) = self.inner_port(model, port, source).unwrap_or((base, &port.path));
        let mut steps = path.iter();
        let firsts = match steps.next() {
            None => return vec![(base, Field::ITSELF, Field::ITSELF)],
            Some(Step::Items) if selected => vec![Field::SELECTED],
            Some(step) => self.fields(step),
        };
        let seconds = match steps.next() {
            None => vec![Field::ITSELF],
            Some(Step::Type) => vec![Field::ITSELF],
            // Three steps or more are seen as everything inside of the second.
            Some(_) if steps.next().is_some() => vec![Field::ANY],
            Some(step) => self.fields(step),
        };
        let pairs = firsts.iter().flat_map(|first| seconds.iter().map(move |second| (*first, *second)));
        pairs.map(|(first, second)| (base, first, second)).collect()
    }

    /// The new object inside of the result that all steps but the last lead to, and the rest of the steps.
    fn inner_port<'p>(
        &mut self,
        model: Model,
        port: &'p ModelPort,
        source: &LibraryModel,
    ) -> Option<(Port, &'p [Step])> {
        let fresh = source.result.as_ref().filter(|_| port.base == Base::Result)?;
        let (last, steps) = port.path.split_last().filter(|(_, steps)| !steps.is_empty())?;
        // `.type`, `.nested` and `.deep` speak of what stands before them.
        let is_field = !matches!(last, Step::Type | Step::Nested | Step::Deep);
        let part = match steps {
            [Step::Attr(name)] => source.parts.iter().position(|(part, _)| part == name),
            _ => None,
        };
        let part = part.map(|part| (inner_of_part(part as u32), 1));
        let (number, used) = inner_number(fresh, steps).or(part).filter(|_| is_field)?;
        let inner = Port::inner(number)?;
        self.facts.inner_port.push(points_to::InnerPort(model, number, inner));
        Some((inner, &port.path[used..]))
    }

    fn fields(&mut self, step: &Step) -> Vec<Field> {
        match step {
            Step::Items => vec![Field::ANY_ITEM],
            Step::Item(position) => vec![self.position(*position)],
            Step::Keys => vec![Field::KEYS],
            Step::Each => vec![Field::ANY_ITEM, Field::KEYS],
            Step::Shape => vec![Field::SHAPE],
            Step::Type => vec![Field::TYPE],
            Step::Returned => vec![Field::RETURNED],
            Step::Attr(name) => vec![self.world.attribute(name)],
            Step::Attrs => vec![Field::ANY],
            Step::Nested => vec![Field::NESTED],
            Step::Deep => vec![Field::DEEP],
        }
    }

    fn tell_flow(&mut self, model: Model, from: (Port, Field, Field), to: (Port, Field, Field), alias: bool) {
        let (a, x, y) = from;
        let (b, z, w) = to;
        // A flow into everything inside of a port may change any field of it.
        let (z, w) = if matches!(z, Field::DEEP | Field::NESTED) { (Field::ANY, Field::ITSELF) } else { (z, w) };
        self.facts.model_flow.push(points_to::ModelFlow(model, a, x, y, b, z, w));
        self.facts.model_reads.push(taint::ModelReads(model, a, x, y));
        if alias || matches!(y, Field::DEEP | Field::NESTED) {
            self.facts.model_path.push(points_to::ModelPath(model, a, x, y));
            self.facts.model_alias.push(points_to::ModelAlias(model, a, x, y, b, z, w));
        }
        if !is_made(b) {
            self.facts.model_writes.push(effects::ModelWrites(model, b, z));
        }
    }

    fn tell_changes(&mut self, model: Model, source: &LibraryModel) {
        let written = |ports: &[ModelPort]| ports.iter().map(|port| port.base.clone()).collect::<Vec<_>>();
        for base in written(&source.resizes) {
            let port = self.port(&base);
            self.facts.model_writes.push(effects::ModelWrites(model, port, Field::SHAPE));
        }
        for base in written(&source.clears) {
            let port = self.port(&base);
            self.facts.model_writes.push(effects::ModelWrites(model, port, Field::ANY));
        }
        for base in written(&source.shuffles) {
            let port = self.port(&base);
            let everything = (port, Field::ANY_ITEM, Field::ITSELF);
            self.tell_flow(model, everything, everything, true);
        }
    }

    fn tell_result(&mut self, model: Model, source: &LibraryModel) {
        let flows_to_result = source
            .flows
            .iter()
            .any(|flow| flow.to.base == Base::Result && flow.to.path.is_empty() && flow.kind == FlowKind::Alias);
        let gives_something = source.result.is_some() || flows_to_result || source.copies.is_some();
        if source.or_none || !gives_something {
            let none = self.world.constant(&Constant::None);
            self.facts.model_gives.push(points_to::ModelGives(model, none));
        }
        let Some(fresh) = &source.result else { return };
        for (number, (attribute, part)) in source.parts.iter().enumerate() {
            let field = self.world.attribute(attribute);
            let classes = self.members_of(&part.class);
            let parts = classes.into_iter().map(|class| points_to::ModelPart(model, field, number as u32, class));
            self.facts.model_part.extend(parts);
        }
        let classes = self.members_of(&fresh.class);
        self.facts.model_makes.extend(classes.into_iter().map(|class| points_to::ModelMakes(model, class)));
        let filled = self.tell_inside(model, fresh, &mut 0);
        for (field, number) in filled {
            self.facts.model_fills.push(points_to::ModelFills(model, field, number));
            // Who waits for it gets the same.
            if field != Field::KEYS {
                self.facts.model_fills.push(points_to::ModelFills(model, Field::RETURNED, number));
            }
        }
    }

    /// The classes that the name of a class stands for. Nested data stays what it is as well: its elements are of its own kind.
    pub(super) fn members_of(&mut self, class: &str) -> Vec<Obj> {
        let members = self.world.models.class(class).map(|class| class.any_of.as_slice()).unwrap_or_default();
        let itself = (members.is_empty() || class == "builtins.data").then_some(class);
        members.iter().map(String::as_str).chain(itself).map(|class| self.world.library(class)).collect()
    }

    /// Numbers the fresh objects inside of a fresh object and tells their classes; gives the fields in which it has those of the
    /// first level. What has no keys of its own kind has its items as keys, too.
    fn tell_inside(&mut self, model: Model, fresh: &Fresh, next: &mut u32) -> Vec<(Field, u32)> {
        let mut filled: Vec<(Field, u32)> = Vec::new();
        for (step, part) in parts_of(fresh) {
            let field = match step {
                Step::Item(at) => self.position(at),
                Step::Keys => Field::KEYS,
                _ => Field::ANY_ITEM,
            };
            let number = *next;
            *next += 1;
            let classes = self.members_of(&part.class).into_iter();
            let made = classes.map(|class| points_to::ModelMakesInner(model, number, class));
            self.facts.model_makes_inner.extend(made);
            for (inner_field, inner) in self.tell_inside(model, part, next) {
                let fact = points_to::ModelFillsInner(model, number, inner_field, inner);
                self.facts.model_fills_inner.push(fact);
            }
            filled.push((field, number));
        }
        if fresh.keys.is_none() {
            let keys: Vec<_> = filled.iter().map(|(_, number)| (Field::KEYS, *number)).collect();
            filled.extend(keys);
        }
        filled
    }

    fn position(&mut self, at: usize) -> Field {
        item_of(self.world.constant(&Constant::Int(at.to_string().into())))
    }
}

/// The fresh objects directly inside of a fresh object, each with the step that leads there.
fn parts_of(fresh: &Fresh) -> Vec<(Step, &Fresh)> {
    let mut parts: Vec<(Step, &Fresh)> = match &fresh.items {
        FreshItems::None => Vec::new(),
        FreshItems::All(item) => vec![(Step::Items, item)],
        FreshItems::Each(items) => {
            let placed = items.iter().enumerate();
            placed.filter_map(|(at, item)| Some((Step::Item(at), item.as_ref()?))).collect()
        }
    };
    parts.extend(fresh.keys.as_deref().map(|keys| (Step::Keys, keys)));
    parts
}

/// How many fresh objects are inside of a fresh object, at any depth.
fn parts_below(fresh: &Fresh) -> u32 {
    parts_of(fresh).into_iter().map(|(_, part)| 1 + parts_below(part)).sum()
}

/// The number of the fresh object that the first steps lead to, as many of them as there are such objects for; and how many steps
/// that took.
fn inner_number(fresh: &Fresh, steps: &[Step]) -> Option<(u32, usize)> {
    let wanted = steps.first()?;
    let mut number = 0;
    for (step, part) in parts_of(fresh) {
        if step == *wanted {
            return Some(match inner_number(part, &steps[1..]) {
                Some((below, used)) => (number + 1 + below, used + 1),
                None => (number, 1),
            });
        }
        number += 1 + parts_below(part);
    }
    None
}

/// Whether the items of the source of a flow stand under the same positions and keys at its destination; by which field iteration
/// and plain items are told apart.
fn aligned_flow(source: &LibraryModel, flow: &Flow) -> Option<Field> {
    let is_shuffled = source.shuffles.iter().any(|port| port.base == flow.to.base || port.base == flow.from.base);
    if !source.aligned || is_shuffled || source.selects.is_some() || flow.to.path != [Step::Items] {
        return None;
    }
    match flow.from.path.as_slice() {
        [Step::Items] => Some(Field::ANY_ITEM),
        [Step::Each] => Some(Field::KEYS),
        _ => None,
    }
}

fn argument_ports(position: u32) -> Vec<Port> {
    let from = (0..=position.min(POSITIONS)).map(|first| Port(FROM + first));
    [Port::argument(position), Port::ARGUMENTS].into_iter().chain(from).collect()
}

pub(super) fn sorted_calls(solved: &PointsTo) -> Vec<points_to::ModelCall> {
    let mut calls: Vec<_> = solved.model_call.iter().copied().collect();
    calls.sort_unstable_by_key(|points_to::ModelCall(ctx, point, model, object)| (*point, *model, *ctx, *object));
    calls
}
