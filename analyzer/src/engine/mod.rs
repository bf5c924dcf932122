//! The engine: from a snapshot and a healing to the relations of the rules.
//!
//! Bodies, classes and models come in on demand. Each round solves the first layer and answers what it requested; when
//! nothing new is requested, what is still unresolved becomes unknown code, and the rounds go on until nothing changes.
//! Then the layers above run once.

mod answers;
mod callbacks;
mod clears;
mod constants;
mod data_classes;
mod decided;
mod entities;
mod enumerations;
mod formats;
mod kills;
mod known;
mod layouts;
mod makers;
mod members;
mod models;
mod named_tuples;
mod operations;
mod raises;
mod reflection;
mod requests;
mod single;
mod stack;
mod unresolved;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use healguard_rules::evaluate::EvaluationError;
use healguard_rules::layers::Contexts;
use healguard_rules::schema::{Field, Func, Model, Obj, Point, Port, Var};
use healguard_rules::{points_to, taint};
use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::bodies::{Bodies, Placed};
use crate::config::{Protection, ResumeMode};
use crate::emit::Emitter;
use crate::facts::Facts;
use crate::ir::{BodyId, Name, Span};
use crate::snapshot::Value;
use crate::solve::{self, Effects, Exploration, PointsTo, Taint};
use crate::ssa::SsaBody;
use crate::world::{FileId, World};

use decided::Patience;
use known::Learned;

pub use operations::KnownOperation;
pub(crate) use reflection::has_rules;
pub(crate) use requests::is_plain_base;
pub use stack::StackError;
pub(crate) use stack::offset;
pub(crate) use unresolved::is_whole;

/// Rounds after which the engine gives up and says so.
const MAX_ROUNDS: usize = 2000;

/// Runs of the third layer that ask which branches healed state decides; behind them, all are taken to be open.
const MAX_RUNS: usize = 8;

/// What the engine is asked.
pub struct Question<'q> {
    /// The healing's source, and the file that people know it by.
    pub healing: &'q str,
    pub healing_file: &'q std::path::Path,
    pub mode: ResumeMode,
    pub protection: &'q Protection,
}

/// Why there is no solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsolved {
    /// The healing cannot be placed on the live stack.
    Unplaced(StackError),
    /// The slice is too large for the rules, as this says.
    TooLarge(String),
}

impl From<StackError> for Unsolved {
    fn from(error: StackError) -> Self {
        Unsolved::Unplaced(error)
    }
}

/// One assumption that was made, before it is put into words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Assumed {
    /// Unknown code was called: it is assumed to call nothing but what it was given, and no protected operation.
    UnknownCode,
    /// A value on the interpreter's stack was computed again from variables that may have changed.
    Recomputed,
    /// The snapshot was cut.
    Cut,
    /// A live frame has no source.
    NoSource,
    /// A generator that is suspended outside of the live stack is taken as unknown.
    Suspended,
    /// Healed values keep their class and are no aliases of other live objects.
    HealedIdentity,
}

/// A place in a source file.
pub type Place = (FileId, Span);

/// Everything that is known when the rules have run.
pub struct Solution {
    pub facts: Facts,
    pub points_to: PointsTo,
    pub effects: Effects,
    pub taint: Taint,
    pub bodies: Bodies,
    pub operations: Vec<KnownOperation>,
    pub assumptions: IndexSet<(Assumed, Option<Place>)>,
    pub rounds: usize,
    /// How long the rules took.
    pub evaluation: Duration,
    /// What calls of the same body were told apart by.
    pub contexts: Contexts,
}

/// Builds a solution.
pub struct Engine<'w, 's> {
    world: &'w mut World<'s>,
    protection: &'w Protection,
    contexts: Contexts,
    /// Points that stand beside instructions, with these.
    beside: Vec<(Point, Point)>,
    facts: Facts,
    bodies: Bodies,
    /// Functions by file and body; placed when they become reachable.
    functions: IndexMap<(FileId, BodyId), Func>,
    owners: IndexMap<Func, (FileId, BodyId)>,
    /// What remains of the live frames, innermost first; nothing of library code that its model covers.
    live: Vec<Option<Func>>,
    /// Library code that goes on behind a live call, with what the frame inside returned to it.
    returned: FxHashMap<Point, Var>,
    next_func: u32,
    next_point: u32,
    next_var: u32,
    told: Told,
    learned: Learned,
    class_bases: BTreeMap<Obj, Vec<Obj>>,
    operations: Vec<KnownOperation>,
    assumptions: IndexSet<(Assumed, Option<Place>)>,
    /// Library functions that empty their receiver, or take the selected entry out of it.
    emptying: FxHashSet<Model>,
    removing: FxHashSet<Model>,
    evaluation: Duration,
}

/// What the rules were told or answered already.
#[derive(Default)]
struct Told {
    entities: usize,
    constants: FxHashSet<Obj>,
    namespaces: FxHashSet<(Obj, Field)>,
    members: FxHashSet<(Obj, Field)>,
    owners: FxHashSet<(Obj, Field, Obj)>,
    supers: FxHashSet<(Obj, Func, Field)>,
    names: FxHashSet<Field>,
    models: FxHashSet<u32>,
    keywords: FxHashSet<(u32, u32)>,
    argument_positions: FxHashSet<(u32, u32)>,
    callbacks: FxHashSet<(Point, u32)>,
    omitted: FxHashSet<(Point, u32, Port)>,
    /// Calls of `format` whose templates are taken apart, with the templates.
    formats: FxHashSet<(Point, Obj)>,
    /// Calls of `format` whose templates are not all known.
    unread: FxHashSet<Point>,
    accesses: FxHashSet<(Point, crate::ir::Name)>,
    /// Calls that find a member by a name that nobody knows.
    nameless: FxHashSet<Point>,
    ancestors: FxHashSet<(Obj, Obj)>,
    constructors: FxHashSet<Obj>,
    modules: FxHashSet<FileId>,
    /// Texts that were looked at as names of modules.
    module_names: FxHashSet<Obj>,
    /// Bodies, and whether nothing stores any more into the cells that their activations left.
    ended: FxHashMap<(FileId, BodyId), bool>,
    /// Library objects that stand for what belongs to them as well.
    with_members: FxHashSet<Obj>,
    unresolved: FxHashSet<Point>,
    hubs: IndexMap<Point, Point>,
    watched: FxHashSet<(Point, u32)>,
    /// The variables with the names of positions of class patterns.
    positions: IndexMap<Point, Var>,
    /// Classes that a function of the library has finished, and what that stores in them.
    finished: IndexMap<Obj, FxHashSet<Name>>,
}

impl<'w, 's> Engine<'w, 's> {
    /// Solves the question.
    ///
    /// # Errors
    /// Where the live stack and the healing do not fit together, or the slice is too large.
    pub fn solve(world: &mut World<'s>, question: &Question<'w>) -> Result<Solution, Unsolved> {
        let precise = [Contexts::Path, Contexts::TwoSites, Contexts::OneSite];
        for contexts in precise {
            match Engine::solve_with(world, question, contexts) {
                Err(Unsolved::TooLarge(_)) => {}
                result => return result,
            }
        }
        Engine::solve_with(world, question, Contexts::Merged)
    }

    fn solve_with(world: &mut World<'s>, question: &Question<'w>, contexts: Contexts) -> Result<Solution, Unsolved> {
        let mut engine = Engine {
            world,
            contexts,
            protection: question.protection,
            facts: Facts::default(),
            bodies: Bodies::default(),
            beside: Vec::new(),
            functions: IndexMap::new(),
            owners: IndexMap::new(),
            live: Vec::new(),
            returned: FxHashMap::default(),
            next_func: 0,
            next_point: 1,
            next_var: 0,
            told: Told::default(),
            learned: Learned::default(),
            class_bases: BTreeMap::new(),
            operations: Vec::new(),
            assumptions: IndexSet::new(),
            emptying: FxHashSet::default(),
            removing: FxHashSet::default(),
            evaluation: Duration::ZERO,
        };
        engine.declare_operations();
        engine.tell_language();
        engine.place_stack(question)?;
        engine.run()
    }

    fn run(mut self) -> Result<Solution, Unsolved> {
        let mut exploration = Exploration::start(self.contexts).map_err(too_large)?;
        let mut rounds = 0;
        let mut runs = 0;
        loop {
            self.explore(&mut exploration, &mut rounds)?;
            let (facts, effects, taint) = self.solve_above(exploration.derived())?;
            runs += 1;
            let patience = if runs < MAX_RUNS { Patience::None } else { Patience::Spent };
            if self.revive(exploration.derived(), Some(&taint), patience) {
                continue;
            }
            self.note_assumptions(exploration.derived());
            return Ok(Solution {
                facts,
                points_to: exploration.finish(),
                effects,
                taint,
                bodies: self.bodies,
                operations: self.operations,
                assumptions: self.assumptions,
                rounds,
                evaluation: self.evaluation,
                contexts: self.contexts,
            });
        }
    }

    /// Solves the first layer and answers what it requests until nothing changes.
    fn explore(&mut self, exploration: &mut Exploration, rounds: &mut usize) -> Result<(), Unsolved> {
        loop {
            *rounds += 1;
            if *rounds > MAX_ROUNDS {
                return Err(Unsolved::TooLarge(format!("nothing is settled after {MAX_ROUNDS} rounds")));
            }
            self.tell_entities();
            let started = Instant::now();
            let solved = exploration.solve(&self.facts).map_err(too_large)?;
            self.evaluation += started.elapsed();
            let is_answered = self.answer(solved);
            let is_revived = self.revive(solved, None, Patience::Waits);
            let changed = is_answered
                || is_revived
                || self.revive(solved, None, Patience::Stuck)
                || self.give_up(solved)
                || self.watch(solved);
            if !changed && !self.revive(solved, None, Patience::None) {
                return Ok(());
            }
        }
    }

    /// Solves the layers above the first one, over the facts and what only they need to know.
    fn solve_above(&mut self, points_to: &PointsTo) -> Result<(Facts, Effects, Taint), Unsolved> {
        let explored = self.facts.clone();
        for body in self.bodies.iter_mut() {
            body.ssa.settle();
        }
        let marked = self.facts.operation_point.iter().map(|taint::OperationPoint(point, _)| *point).collect();
        self.bodies.iter().for_each(|body| body.tell_control(&marked, &mut self.facts));
        self.tell_beside(&marked);
        self.tell_receivers();
        self.tell_plain_checks(points_to);
        self.tell_calls(points_to);
        self.find_kills(points_to);
        let started = Instant::now();
        let effects = solve::effects(&self.facts, points_to, self.contexts).map_err(too_large)?;
        self.evaluation += started.elapsed();
        self.find_layouts(points_to, &effects);
        let started = Instant::now();
        let taint = solve::taint(&self.facts, points_to, &effects, self.contexts).map_err(too_large)?;
        self.evaluation += started.elapsed();
        Ok((std::mem::replace(&mut self.facts, explored), effects, taint))
    }

    /// Answers the requests of a round; says whether there was anything to answer.
    fn answer(&mut self, solved: &PointsTo) -> bool {
        let before = self.extent();
        self.place_reachable(solved);
        self.learn_bases(solved);
        self.answer_namespaces(solved);
        self.tell_module_table();
        self.answer_members(solved);
        self.answer_stored_members(solved);
        self.answer_supers(solved);
        self.answer_names(solved);
        self.tell_hubs(solved);
        self.tell_argument_positions(solved);
        self.tell_free_models(solved);
        self.tell_ancestors(solved);
        self.tell_keywords(solved);
        self.tell_formats(solved);
        self.tell_omitted(solved);
        self.tell_callbacks(solved);
        self.tell_thrown(solved);
        self.tell_reflection(solved);
        self.tell_named_tuples(solved);
        self.tell_enumerations(solved);
        self.tell_positions(solved);
        before != self.extent()
    }

    /// How much there is: facts, and what the next round is told facts of.
    fn extent(&self) -> (usize, usize, usize) {
        (self.facts.len(), self.world.entity_count(), self.world.constant_count())
    }

    /// The number of a function.
    fn function(&mut self, file: FileId, body: BodyId) -> Func {
        function_number(&mut self.functions, &mut self.owners, &mut self.next_func, file, body)
    }

    /// Gives a body its numbers and writes its facts. `locals` are those of the snapshot, for what remains of a live frame.
    fn place(
        &mut self,
        func: Func,
        (file, body): (FileId, BodyId),
        ssa: SsaBody,
        locals: Option<IndexMap<String, Value>>,
        healing_file: Option<FileId>,
    ) {
        let points = ssa.body.nodes.len() as u32;
        let mut placed = Placed::new(func, (file, body), (self.next_point, self.next_var), ssa);
        placed.is_live = locals.is_some();
        placed.locals = locals.unwrap_or_default();
        placed.healing_file = healing_file;
        placed.begin();
        self.next_point += points;
        let (functions, owners, next) = (&mut self.functions, &mut self.owners, &mut self.next_func);
        let mut number = |file, body| function_number(functions, owners, next, file, body);
        self.next_var = Emitter::new(self.world, &mut self.facts, &mut number, &placed).emit_head();
        self.mark_body(&placed);
        let at = self.bodies.len();
        self.bodies.add(placed);
        self.tell_new(at);
    }

    /// Tells the rules what control may come to now, in the body with this place among all.
    fn tell_new(&mut self, at: usize) {
        let (nodes, joins) = self.bodies.take_new(at);
        let (functions, owners, next) = (&mut self.functions, &mut self.owners, &mut self.next_func);
        let mut number = |file, body| function_number(functions, owners, next, file, body);
        let Some(placed) = self.bodies.iter().nth(at) else { return };
        let emitter = Emitter::new(self.world, &mut self.facts, &mut number, placed);
        self.next_var = emitter.emit(&nodes, &joins, self.next_var);
    }

    fn place_reachable(&mut self, solved: &PointsTo) {
        let mut pending: Vec<Func> = solved.reachable.iter().map(|points_to::Reachable(_, func)| *func).collect();
        pending.sort_unstable();
        pending.dedup();
        for func in pending {
            if self.bodies.of_func(func).is_some() {
                continue;
            }
            let Some(owner) = self.owners.get(&func).copied() else { continue };
            let Some(ir) = self.world.body(owner.0, owner.1).cloned() else { continue };
            self.place(func, owner, SsaBody::new(ir), None, None);
        }
    }

    fn note_assumptions(&mut self, solved: &PointsTo) {
        let mut unknown: Vec<Point> =
            solved.unknown_call.iter().map(|points_to::UnknownCall(_, point)| *point).collect();
        unknown.sort_unstable();
        unknown.dedup();
        for point in unknown {
            let Some(place) = self.bodies.place(point) else { continue };
            self.assumptions.insert((Assumed::UnknownCode, Some(place)));
        }
        if self.world.snapshot.cut {
            self.assumptions.insert((Assumed::Cut, None));
        }
        self.assumptions.insert((Assumed::HealedIdentity, None));
    }
}

fn too_large(error: EvaluationError) -> Unsolved {
    Unsolved::TooLarge(error.to_string())
}

fn function_number(
    functions: &mut IndexMap<(FileId, BodyId), Func>,
    owners: &mut IndexMap<Func, (FileId, BodyId)>,
    next: &mut u32,
    file: FileId,
    body: BodyId,
) -> Func {
    *functions.entry((file, body)).or_insert_with(|| {
        let func = Func(*next);
        *next += 1;
        owners.insert(func, (file, body));
        func
    })
}
