//! Calls that library functions make: `sorted(items, key=f)` calls `f`.
//!
//! Each of them becomes a call of its own, beside the instruction that calls the library function, so that the rules for calls
//! hold for it: what is called may be a function, a class, a bound method or another library function.

use healguard_rules::models::{
    Base, Callback, CallbackArgument, Destination, FlowKind, Model as LibraryModel, Port, Step,
};
use healguard_rules::schema::{Field, Func, Model, Point, Var};
use healguard_rules::{effects, points_to, taint};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::solve::PointsTo;
use crate::world::Entity;

use super::Engine;
use super::models::sorted_calls;
use super::reflection::objects_of;
use super::unresolved::UNKNOWN;

/// Library functions that call library functions: beyond this depth they are unknown code.
const MAX_DEPTH: usize = 3;
/// The library function that raises an exception in a generator.
const THROW: &str = "builtins.generator.throw";
/// A callback that is given some arguments in no known order has at most so many parameters by position.
const UNORDERED: u32 = 8;

/// A call of a library function that calls back.
#[derive(Clone, Copy)]
struct Calling {
    point: Point,
    model: Model,
    func: Func,
}

impl Engine<'_, '_> {
    /// The paths that callbacks read, once for each model.
    pub(super) fn tell_callback_paths(&mut self, model: Model, source: &LibraryModel) {
        for call in &source.calls {
            let (callee, _) = callee_of(call);
            let given = call.arguments.iter().filter_map(port_of);
            let read: Vec<Port> = given.cloned().chain([callee]).collect();
            for port in read {
                for (base, first, second) in self.paths(model, &port, source) {
                    self.facts.model_path.push(points_to::ModelPath(model, base, first, second));
                    self.facts.model_reads.push(taint::ModelReads(model, base, first, second));
                }
            }
        }
    }

    /// Places the calls that library functions make, for each call of such a function.
    pub(super) fn tell_callbacks(&mut self, solved: &PointsTo) {
        for points_to::ModelCall(_, point, model, _) in sorted_calls(solved) {
            let Some(source) = self.model_of(model) else { continue };
            if source.calls.is_empty() || !self.told.callbacks.insert((point, model.0)) {
                continue;
            }
            let Some(func) = self.bodies.at(point).map(|(body, _)| body.func) else { continue };
            if self.callback_depth(point) >= MAX_DEPTH {
                self.told.unresolved.insert(point);
                self.facts.unresolved.push(points_to::Unresolved(point));
                continue;
            }
            for call in &source.calls {
                self.place_callback(Calling { point, model, func }, source, call);
            }
        }
    }

    /// What is thrown into a generator may be caught anywhere.
    pub(super) fn tell_thrown(&mut self, solved: &PointsTo) {
        for points_to::ModelCall(_, point, model, _) in sorted_calls(solved) {
            let throws = self.model_of(model).is_some_and(|model| model.names.iter().any(|name| name == THROW));
            if !throws || !self.told.callbacks.insert((point, model.0)) {
                continue;
            }
            if self.facts.spread_argument.iter().any(|points_to::SpreadArgument(at, _)| *at == point) {
                self.give_up_on(point);
            }
            let arguments = self.facts.argument.iter().filter(|points_to::Argument(at, ..)| *at == point);
            let arguments: Vec<Var> = arguments.map(|points_to::Argument(_, _, var)| *var).collect();
            let raised = self.world.object(Entity::Raised);
            for var in arguments {
                // A class makes an object of itself there.
                if objects_of(solved, var).into_iter().any(|object| self.world.is_class(object)) {
                    self.give_up_on(point);
                }
                self.facts.stores_place.push(points_to::StoresPlace(point, raised, Field::ANY_ITEM, var));
            }
        }
    }

    fn callback_depth(&self, point: Point) -> usize {
        let mut depth = 0;
        let mut at = point;
        while let Some(taint::CallsBack(outer, ..)) =
            self.facts.calls_back.iter().find(|taint::CallsBack(_, _, inner)| *inner == at)
        {
            at = *outer;
            depth += 1;
        }
        depth
    }

    fn place_callback(&mut self, calling: Calling, source: &LibraryModel, call: &Callback) {
        let point = self.callback_point(calling);
        let (callee, method) = callee_of(call);
        let called = self.port_variable(calling, source, &callee);
        self.facts.operand.push(points_to::Operand(point, called));
        match method {
            Some(name) => {
                let field = self.world.attribute(&name);
                self.facts.calls_method.push(points_to::CallsMethod(point, called, field));
                self.facts.receiver.push(taint::Receiver(point, called));
            }
            None => self.facts.calls_value.push(points_to::CallsValue(point, called)),
        }
        let is_spread = |argument: &CallbackArgument| {
            matches!(argument, CallbackArgument::Spread(_) | CallbackArgument::Keywords(_))
        };
        // The function hands on what it was given, which need not be all that its model speaks of. One argument alone is always there,
        // and names that are passed on are told one by one.
        let unnamed = || call.arguments.iter().filter(|argument| !matches!(argument, CallbackArgument::Keywords(_)));
        if unnamed().count() > 1 || unnamed().any(is_spread) {
            self.facts.gives_fewer.push(points_to::GivesFewer(point));
        }
        for (index, argument) in call.arguments.iter().enumerate() {
            let before = &call.arguments[..index];
            let first = before.iter().filter(|argument| !is_spread(argument)).count() as u32;
            let is_exact = !before.iter().any(is_spread) && !is_spread(argument);
            // Behind a spread, which may be empty, nothing has a position that is known.
            let positions = first..if is_exact { first + 1 } else { UNORDERED };
            self.give(calling, source, point, positions, argument);
        }
        let result = self.variable();
        self.facts.call_result.push(points_to::CallResult(point, result));
        if let Some(returned) = self.returned.get(&self.bodies.origin(calling.point)) {
            self.facts.copies.push(points_to::Copies(result, *returned));
        }
        if let Some((FlowKind::Depends, _)) = &call.result {
            self.ask_result(calling, point, result);
        }
        if let Some(destination) = &call.result {
            self.take_back(calling, source, point, destination, result);
        }
        // What a lazy function calls may be a library function that calls on: that waits as well.
        let made_at = self.facts.lazy_callback.iter().filter(|points_to::LazyCallback(_, at)| *at == calling.point);
        let mut made_at: Vec<Point> = made_at.map(|points_to::LazyCallback(made, _)| *made).collect();
        made_at.extend(source.lazy.then_some(calling.point));
        self.facts.lazy_callback.extend(made_at.into_iter().map(|made| points_to::LazyCallback(made, point)));
    }

    /// A library function that does not hand on what it is given back asks it something: whether it is true, or less than another.
    fn ask_result(&mut self, calling: Calling, given: Point, result: Var) {
        let point = self.pseudo_point(calling.point, calling.func);
        self.place_beside(given, point);
        for name in ["__bool__", "__len__", "__eq__", "__lt__", "__gt__", "__hash__"] {
            let method = self.world.attribute(name);
            self.facts.calls_special.push(points_to::CallsSpecial(point, result, method));
        }
        let answer = self.variable();
        self.facts.receiver.push(taint::Receiver(point, result));
        self.facts.operand.push(points_to::Operand(point, result));
        self.facts.argument.push(points_to::Argument(point, 0, result));
        self.facts.call_result.push(points_to::CallResult(point, answer));
        self.facts.copies.push(points_to::Copies(result, answer));
    }

    /// A point beside the call of the library function: it may run any number of times before control goes on.
    fn callback_point(&mut self, calling: Calling) -> Point {
        let point = self.pseudo_point(calling.point, calling.func);
        self.facts.calls_back.push(taint::CallsBack(calling.point, calling.model, point));
        self.place_beside(calling.point, point);
        point
    }

    /// Lets control pass through `point` any number of times while the instruction at `outer` runs.
    pub(super) fn place_beside(&mut self, outer: Point, point: Point) {
        self.beside.push((outer, point));
    }

    /// Tells where control goes from the points that stand beside instructions, and what decides whether it comes there.
    pub(super) fn tell_beside(&mut self, marked: &FxHashSet<Point>) {
        let controls = self.facts.controls.iter().map(|taint::Controls(branch, point)| (*point, *branch));
        let controls = gathered(controls);
        let if_caught = self.facts.controls_if_caught.iter();
        let if_caught = gathered(if_caught.map(|taint::ControlsIfCaught(branch, point)| (*point, *branch)));
        for (outer, point) in &self.beside {
            let (outer, point, facts) = (*outer, *point, &mut self.facts);
            facts.may_raise.push(taint::MayRaise(point));
            let origin = self.bodies.origin(outer);
            if let Some((body, node)) = self.bodies.at(origin) {
                let instruction = &body.ssa.body.nodes[node];
                for next in &instruction.successors {
                    facts.edge.push(taint::Edge(point, body.point(*next)));
                    facts.onward.push(taint::Onward(point, body.point(body.awake(*next, marked))));
                }
                let handlers = instruction.handlers.iter();
                facts.handler.extend(handlers.map(|handler| taint::Handler(point, body.point(*handler))));
                facts.recovers.extend(body.ssa.recovers.contains(&node).then_some(taint::Recovers(point)));
            }
            [(outer, point), (point, point), (point, outer)].into_iter().for_each(|(from, to)| facts.lead(from, to));
            let deciding = controls.get(&origin).into_iter().flatten();
            facts.controls.extend(deciding.map(|branch| taint::Controls(*branch, point)));
            let deciding = if_caught.get(&origin).into_iter().flatten();
            facts.controls_if_caught.extend(deciding.map(|branch| taint::ControlsIfCaught(*branch, point)));
        }
    }

    pub(super) fn pseudo_point(&mut self, origin: Point, func: Func) -> Point {
        let point = Point(self.next_point);
        self.next_point += 1;
        self.bodies.add_callback(point, origin);
        self.facts.in_function.push(points_to::InFunction(point, func));
        self.facts.protocol.push(points_to::Protocol(point));
        point
    }

    pub(super) fn variable(&mut self) -> Var {
        let var = Var(self.next_var);
        self.next_var += 1;
        var
    }

    /// A variable that holds what is at a port.
    fn port_variable(&mut self, calling: Calling, source: &LibraryModel, port: &Port) -> Var {
        let var = self.variable();
        for (base, first, second) in self.paths(calling.model, port, source) {
            let fact = points_to::PortVariable(calling.point, calling.model, base, first, second, var);
            self.facts.port_variable.push(fact);
        }
        var
    }

    fn give(
        &mut self,
        calling: Calling,
        source: &LibraryModel,
        point: Point,
        positions: std::ops::Range<u32>,
        argument: &CallbackArgument,
    ) {
        if let CallbackArgument::Keywords(port) = argument
            && port.base == Base::ExtraKeywords
            && port.path.is_empty()
        {
            return self.pass_names(calling, source, point);
        }
        let value = match argument {
            CallbackArgument::At(port) | CallbackArgument::Spread(port) | CallbackArgument::Keywords(port) => {
                self.port_variable(calling, source, port)
            }
            CallbackArgument::Computed(port) => {
                let from = self.port_variable(calling, source, port);
                let made = self.made(calling);
                self.facts.derives.push(taint::Derives(point, made, from));
                self.facts.inspects_any.push(taint::InspectsAny(point, made, from));
                self.facts.looks_into.push(points_to::LooksInto(from));
                made
            }
            CallbackArgument::Fresh => self.made(calling),
        };
        self.facts.operand.push(points_to::Operand(point, value));
        match argument {
            CallbackArgument::Spread(_) | CallbackArgument::Keywords(_) => {
                let container = self.variable();
                let at = self.pseudo_point(calling.point, calling.func);
                self.facts.lead(at, point);
                self.facts.lead(calling.point, at);
                let class = self.world.library("builtins.tuple");
                self.facts.allocates.push(points_to::Allocates(calling.func, at, container, class));
                self.facts.stores_raw.push(points_to::StoresRaw(at, container, Field::ANY_ITEM, value));
                self.facts.operand.push(points_to::Operand(point, container));
                self.facts.spread_argument.push(points_to::SpreadArgument(point, container));
            }
            _ => {}
        }
        // A library function that is called finds what is spread at any port.
        self.facts.argument.extend(positions.map(|at| points_to::Argument(point, at, value)));
    }

    /// Gives all arguments on whose names no parameter of the library function has.
    fn pass_names(&mut self, calling: Calling, source: &LibraryModel, point: Point) {
        let named =
            self.facts.keyword_argument.iter().filter(|points_to::KeywordArgument(at, ..)| *at == calling.point);
        let named: Vec<(u32, Var)> = named.map(|points_to::KeywordArgument(_, name, var)| (*name, *var)).collect();
        for (name, var) in named {
            let text = self.world.name_text(name);
            let parameters = source.parameters.as_ref();
            if parameters.and_then(|parameters| parameters.bind_keyword(text)) == Some(Base::ExtraKeywords) {
                self.facts.keyword_argument.push(points_to::KeywordArgument(point, name, var));
                self.facts.operand.push(points_to::Operand(point, var));
            }
        }
        let spread = self.facts.spread_argument.iter().filter(|points_to::SpreadArgument(at, _)| *at == calling.point);
        let spread: Vec<Var> = spread.map(|points_to::SpreadArgument(_, var)| *var).collect();
        for var in spread {
            self.facts.spread_argument.push(points_to::SpreadArgument(point, var));
            self.facts.operand.push(points_to::Operand(point, var));
        }
    }

    /// A new object of which only that is known that the library made it.
    fn made(&mut self, calling: Calling) -> Var {
        let at = self.pseudo_point(calling.point, calling.func);
        let var = self.variable();
        let class = self.world.library(UNKNOWN);
        self.facts.allocates.push(points_to::Allocates(calling.func, at, var, class));
        var
    }

    fn take_back(
        &mut self,
        calling: Calling,
        source: &LibraryModel,
        point: Point,
        (kind, to): &Destination,
        result: Var,
    ) {
        let Calling { point: outer, model, .. } = calling;
        let is_alias = *kind == FlowKind::Alias;
        let mut from = result;
        if !is_alias {
            from = self.variable();
            self.facts.derives.push(taint::Derives(point, from, result));
            self.facts.inspects_any.push(taint::InspectsAny(point, from, result));
            self.facts.looks_into.push(points_to::LooksInto(result));
        }
        for (base, first, second) in self.paths(model, to, source) {
            let is_result = base == healguard_rules::schema::Port::RESULT && first == Field::ITSELF;
            if is_result {
                let results: Vec<Var> = {
                    let results = self.facts.call_result.iter();
                    let results = results.filter(|points_to::CallResult(at, _)| *at == outer);
                    results.map(|points_to::CallResult(_, var)| *var).collect()
                };
                for var in results {
                    if is_alias {
                        self.facts.copies.push(points_to::Copies(var, from));
                    } else {
                        self.facts.derives.push(taint::Derives(point, var, from));
                    }
                }
                continue;
            }
            if is_alias {
                self.facts.port_store.push(points_to::PortStore(outer, model, base, first, second, from));
            }
            let influence = effects::PortInfluence(point, outer, model, base, first, second, from);
            self.facts.port_influence.push(influence);
        }
    }
}

/// What is called: the objects at a port, or a member of them.
fn callee_of(call: &Callback) -> (Port, Option<String>) {
    let mut callee = call.callee.clone();
    match callee.path.pop() {
        Some(Step::Attr(name)) => (callee, Some(name)),
        Some(step) => {
            callee.path.push(step);
            (callee, None)
        }
        None => (callee, None),
    }
}

pub(super) fn port_of(argument: &CallbackArgument) -> Option<&Port> {
    match argument {
        CallbackArgument::At(port)
        | CallbackArgument::Spread(port)
        | CallbackArgument::Keywords(port)
        | CallbackArgument::Computed(port) => Some(port),
        CallbackArgument::Fresh => None,
    }
}

/// What each point is paired with.
fn gathered(pairs: impl Iterator<Item = (Point, Point)>) -> FxHashMap<Point, Vec<Point>> {
    let mut gathered: FxHashMap<Point, Vec<Point>> = FxHashMap::default();
    pairs.for_each(|(point, other)| gathered.entry(point).or_default().push(other));
    gathered
}
