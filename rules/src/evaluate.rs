//! Bottom-up evaluation of a [`Program`], with planned joins and, where wanted, step by step: what the analysis runs on. A
//! test compares what it derives with what crepe derives.
//!
//! A tuple's *rank* is the round in which it first appears: facts have rank 0, and a derived tuple has one more than the
//! largest rank among the tuples that the earliest rule instance for it needs. Ranks run on through all strata, so the
//! rank of a tuple is the height of its lowest derivation, where a negated premise counts nothing.

pub(crate) mod join;
pub(crate) mod plan;
mod trial;

use std::ops::{ControlFlow, Range};

use rustc_hash::FxHashMap;

use crate::database::{Database, Relation};
use crate::program::{FunctionError, Functions, Linked, Premise, Program, RelationKind, Rule};
use join::{Budget, Found, Indices, Stop, View};
use plan::{Plan, Planner};

/// Why a program could not be evaluated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvaluationError {
    /// The functions do not fit the program.
    #[error(transparent)]
    Functions(#[from] FunctionError),
    /// The facts have a relation that is no input of the program.
    #[error("`{relation}` is not an input relation of the program")]
    NoInput {
        /// The relation.
        relation: String,
    },
    /// A relation of the facts does not have the declared number of columns.
    #[error("`{relation}` has {expected} columns, the facts have {found}")]
    Arity {
        /// The relation.
        relation: String,
        /// The declared number.
        expected: usize,
        /// The number in the facts.
        found: usize,
    },
    /// There are more tuples than the caller allows.
    #[error("there are more than {limit} tuples")]
    Tuples {
        /// What the caller allows.
        limit: usize,
    },
    /// The joins look at more rows than the caller allows.
    #[error("the rules look at more than {limit} rows")]
    Rows {
        /// What the caller allows.
        limit: u64,
    },
    /// A relation has more tuples than can be numbered.
    #[error("`{relation}` has too many tuples")]
    TooManyTuples {
        /// The relation.
        relation: String,
    },
}

/// What an evaluation may cost before it refuses to go on. Both are counts, so that it does not depend on the machine where
/// an evaluation ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Tuples, facts included.
    pub tuples: usize,
    /// Rows that the joins look at.
    pub rows: u64,
}

impl Limits {
    /// No limits but those of the machine.
    pub const NONE: Limits = Limits { tuples: usize::MAX, rows: u64::MAX };
}

/// All tuples of a program over some facts.
#[derive(Clone, Debug)]
pub struct Evaluation {
    database: Database,
    /// The rank of each row of each relation of the database.
    ranks: FxHashMap<String, Vec<u32>>,
}

impl Evaluation {
    /// All relations of the program, facts included.
    #[must_use]
    pub fn database(&self) -> &Database {
        &self.database
    }

    /// The round in which the tuple first appears; `None` when it does not.
    #[must_use]
    pub fn rank(&self, relation: &str, tuple: &[u64]) -> Option<u32> {
        let row = self.database.relation(relation)?.find(tuple)?;
        self.ranks.get(relation)?.get(row as usize).copied()
    }
}

/// Computes all tuples that follow from `inputs`, stratum by stratum. An input relation that is not there is empty.
///
/// Rules whose `let` makes ever new values need not have a finite answer; evaluation then ends only when a relation is
/// full. crepe would not end either.
///
/// # Errors
/// The functions or the facts do not fit the program, or a relation is full.
pub fn evaluate(program: &Program, functions: &Functions, inputs: Database) -> Result<Evaluation, EvaluationError> {
    let linked = functions.link(program)?;
    let mut rounds = Rounds::start(program, linked, &inputs)?;
    let strata = program.rules().iter().map(|rule| program.stratum(rule.head.relation));
    for current in 0..=strata.max().unwrap_or(0) {
        rounds.stratum(current)?;
    }
    Ok(rounds.finish())
}

/// An evaluation that goes on when more facts arrive.
///
/// Only for programs that negate nothing but input relations, where a fact of such a relation comes before, or together with,
/// the first tuple that asks for it: then more facts never take a tuple back.
pub struct Incremental<'a> {
    rounds: Rounds<'a>,
    round: u32,
}

impl<'a> Incremental<'a> {
    /// Starts with no facts. Beyond the limits, [`Incremental::add`] refuses to go on.
    ///
    /// # Errors
    /// The functions do not fit the program.
    pub fn start(program: &'a Program, functions: &'a Functions, limits: Limits) -> Result<Self, EvaluationError> {
        let mut rounds = Rounds::start(program, functions.link(program)?, &Database::new())?;
        rounds.limits = limits;
        Ok(Incremental { rounds, round: 0 })
    }

    /// Adds facts and computes all that follows.
    ///
    /// # Errors
    /// The facts do not fit the program, or a limit is reached: what there is then is not everything.
    pub fn add(&mut self, facts: &Database) -> Result<(), EvaluationError> {
        self.rounds.insert(facts, self.round)?;
        while self.round <= self.rounds.highest_rank() {
            self.round += 1;
            self.rounds.round(self.round, None)?;
        }
        Ok(())
    }

    /// A relation of the program, in the order in which its tuples were derived.
    #[must_use]
    pub fn relation(&self, name: &str) -> Option<&Relation> {
        self.rounds.program.relation_id(name).map(|relation| &self.rounds.tables[relation.0])
    }
}

/// A plan starts with a premise other than the one with fresh rows where it has so many times fewer rows.
const FEWER: usize = 4;

/// Rows that a plan may look at before its order is tried on rows.
const REVIEW_AT: u64 = 4096;

/// A plan and what it has cost.
struct Planned {
    plan: Plan,
    looked_at: u64,
    found: u64,
    review_at: u64,
}

impl Planned {
    /// Whether the plan has looked at many rows in vain.
    fn is_wasteful(&self) -> bool {
        self.looked_at > self.review_at && self.looked_at > 8 * self.found
    }
}

struct Rounds<'a> {
    program: &'a Program,
    functions: Linked<'a>,
    tables: Vec<Relation>,
    /// The rank of each row; it never falls from one row to the next.
    ranks: Vec<Vec<u32>>,
    /// For each relation, the rows that appeared in the round before: those that positive premises see end with them. Rows of
    /// an earlier stratum may have higher ranks, and their turn comes later.
    fresh: Vec<Range<u32>>,
    /// For each relation, the premises that ask for it, by rule.
    premises: Vec<Vec<(usize, usize)>>,
    indices: Indices,
    plans: Plans,
    /// The number of tuples for which the plans were made.
    planned_at: usize,
    limits: Limits,
    /// Rows that the joins have looked at.
    looked_at: u64,
}

/// The plan for each rule, the premise that sees fresh rows only, and the premise that the plan starts with.
type Plans = FxHashMap<(usize, Option<(usize, usize)>), Planned>;

impl<'a> Rounds<'a> {
    fn start(program: &'a Program, functions: Linked<'a>, inputs: &Database) -> Result<Self, EvaluationError> {
        let tables = program.relations().iter().map(|relation| Relation::with_arity(relation.arity()));
        let tables: Vec<Relation> = tables.collect();
        let mut premises = vec![Vec::new(); tables.len()];
        for (number, rule) in program.rules().iter().enumerate() {
            positive(rule).for_each(|(premise, relation)| premises[relation].push((number, premise)));
        }
        let mut rounds = Self {
            program,
            functions,
            ranks: vec![Vec::new(); tables.len()],
            fresh: vec![0..0; tables.len()],
            premises,
            tables,
            indices: Indices::default(),
            plans: FxHashMap::default(),
            planned_at: 0,
            limits: Limits::NONE,
            looked_at: 0,
        };
        rounds.insert(inputs, 0)?;
        Ok(rounds)
    }

    /// Adds facts as tuples of one rank, which is not below any that is there.
    fn insert(&mut self, inputs: &Database, rank: u32) -> Result<(), EvaluationError> {
        for (name, table) in inputs.relations() {
            let declared = self
                .program
                .relation(name)
                .filter(|relation| relation.kind == RelationKind::Input)
                .ok_or_else(|| EvaluationError::NoInput { relation: name.to_owned() })?;
            if declared.arity() != table.arity() {
                return Err(EvaluationError::Arity {
                    relation: name.to_owned(),
                    expected: declared.arity(),
                    found: table.arity(),
                });
            }
            let number = self.program.relation_id(name).map_or(0, |relation| relation.0);
            self.extend(number, table, rank)?;
        }
        Ok(())
    }

    /// Adds tuples of one rank to a relation.
    fn extend(&mut self, relation: usize, more: &Relation, rank: u32) -> Result<(), EvaluationError> {
        for tuple in more.tuples() {
            let added = self.tables[relation].insert(tuple).ok_or_else(|| EvaluationError::TooManyTuples {
                relation: self.program.relations()[relation].name.clone(),
            })?;
            if added {
                self.ranks[relation].push(rank);
            }
        }
        Ok(())
    }

    /// Runs the rules of one stratum until nothing new appears.
    fn stratum(&mut self, current: usize) -> Result<(), EvaluationError> {
        let mut round = 1;
        while round - 1 <= self.highest_rank() {
            self.round(round, Some(current))?;
            round += 1;
        }
        Ok(())
    }

    fn highest_rank(&self) -> u32 {
        let last = self.ranks.iter().filter_map(|ranks| ranks.last());
        last.max().copied().unwrap_or(0)
    }

    /// Makes everything that appeared before `round` visible to it.
    fn begin(&mut self, round: u32) {
        self.indices.extend(&self.tables);
        self.refresh_plans();
        for (fresh, ranks) in self.fresh.iter_mut().zip(&self.ranks) {
            let start = ranks.partition_point(|&other| other + 1 < round);
            let end = ranks.partition_point(|&other| other < round);
            *fresh = start as u32..end as u32;
        }
    }

    /// Forgets the plans when the relations have grown much since they were made.
    fn refresh_plans(&mut self) {
        let tuples = self.len();
        if tuples > 2 * self.planned_at {
            self.plans.clear();
            self.planned_at = tuples;
        }
    }

    fn len(&self) -> usize {
        self.tables.iter().map(Relation::len).sum()
    }

    /// Adds what the rules, of one stratum or of all, derive from tuples of lower rank, at least one of which appeared in the
    /// round before.
    fn round(&mut self, round: u32, stratum: Option<usize>) -> Result<(), EvaluationError> {
        self.begin(round);
        let mut derived: Vec<Relation> = self.tables.iter().map(|table| Relation::with_arity(table.arity())).collect();
        let Limits { tuples, rows } = self.limits;
        let room = tuples.checked_sub(self.len()).ok_or(EvaluationError::Tuples { limit: tuples })?;
        let relations: Vec<&Relation> = self.tables.iter().collect();
        let visible: Vec<u32> = self.fresh.iter().map(|rows| rows.end).collect();
        let mut joins = Joins {
            rules: self.program.rules(),
            functions: &self.functions,
            relations: &relations,
            visible: &visible,
            indices: &mut self.indices,
            plans: &mut self.plans,
            room: room.saturating_add(1),
            budget: Budget(rows - self.looked_at),
        };
        for (number, premise) in due(self.program, &self.premises, &self.fresh, round, stratum) {
            let fresh = premise.map(|(premise, relation)| (premise, self.fresh[relation].clone()));
            let head = self.program.rules()[number].head.relation.0;
            joins.instances(number, fresh, &mut derived[head]);
            if joins.room == 0 {
                return Err(EvaluationError::Tuples { limit: tuples });
            }
            if joins.budget.0 == 0 {
                return Err(EvaluationError::Rows { limit: rows });
            }
        }
        self.looked_at = rows - joins.budget.0;
        for (relation, more) in derived.iter().enumerate() {
            self.extend(relation, more, round)?;
        }
        Ok(())
    }

    fn finish(self) -> Evaluation {
        let mut database = Database::new();
        let mut ranks = FxHashMap::default();
        let declarations = self.program.relations().iter();
        for ((relation, table), rank) in declarations.zip(self.tables).zip(self.ranks) {
            database.set_relation(&relation.name, table);
            ranks.insert(relation.name.clone(), rank);
        }
        Evaluation { database, ranks }
    }
}

/// The premises of a rule that are tuples, with their relations.
fn positive(rule: &Rule) -> impl Iterator<Item = (usize, usize)> + '_ {
    rule.body.iter().enumerate().filter_map(|(premise, part)| match part {
        Premise::Holds(atom) => Some((premise, atom.relation.0)),
        _ => None,
    })
}

/// Rules to run in a round, in their order: each with a premise that has fresh rows, and its relation. Rules without premises
/// that are tuples are run once.
fn due(
    program: &Program,
    premises: &[Vec<(usize, usize)>],
    fresh: &[Range<u32>],
    round: u32,
    stratum: Option<usize>,
) -> Vec<(usize, Option<(usize, usize)>)> {
    let rules = program.rules();
    let grown = (0..fresh.len()).filter(|relation| !fresh[*relation].is_empty());
    let asking = grown.flat_map(|relation| premises[relation].iter().map(move |asking| (relation, asking)));
    let mut due: Vec<_> = asking.map(|(relation, (number, premise))| (*number, Some((*premise, relation)))).collect();
    if round == 1 {
        let is_ground = |number: &usize| positive(&rules[*number]).next().is_none();
        due.extend((0..rules.len()).filter(is_ground).map(|number| (number, None)));
    }
    due.retain(|(number, _)| stratum.is_none_or(|stratum| program.stratum(rules[*number].head.relation) == stratum));
    due.sort_unstable();
    due
}

/// What the joins of one round share.
struct Joins<'r> {
    rules: &'r [Rule],
    functions: &'r Linked<'r>,
    relations: &'r [&'r Relation],
    /// For each relation, the number of rows that positive premises see.
    visible: &'r [u32],
    indices: &'r mut Indices,
    plans: &'r mut Plans,
    /// How many more tuples there may be.
    room: usize,
    /// How many more rows may be looked at.
    budget: Budget,
}

impl Joins<'_> {
    /// Collects the heads, as far as they are new, of all instances that see only tuples from before this round. Stops
    /// where there are more of them than allowed.
    fn instances(&mut self, number: usize, fresh: Option<(usize, Range<u32>)>, derived: &mut Relation) {
        let rule = &self.rules[number];
        let Some(start) = self.start(rule, fresh.as_ref()) else { return };
        let key = (number, fresh.as_ref().map(|(premise, _)| (*premise, start)));
        self.prepare(key, &fresh);
        let Some(planned) = self.plans.get_mut(&key) else { return };
        let view = View {
            relations: self.relations,
            visible: self.visible,
            limited: fresh,
            functions: self.functions,
            indices: self.indices,
        };
        let known = self.relations[rule.head.relation.0];
        let before = derived.len();
        let room = self.room;
        let mut tuple = Vec::with_capacity(known.arity());
        let mut collect = |found: Found<'_>| {
            tuple.clear();
            tuple.extend(rule.head.terms.iter().map_while(|&term| self.functions.value(term, found.substitution)));
            if tuple.len() == known.arity() && !known.contains(&tuple) {
                derived.insert(&tuple);
            }
            if derived.len() - before >= room { ControlFlow::Break(Stop::Exhausted) } else { ControlFlow::Continue(()) }
        };
        let mut substitution = vec![0; rule.variables.len()];
        // Where this stops, there is no room or no budget left, which is found out by who asks for more.
        let unspent = self.budget.0;
        let _ = view.run(&planned.plan, &mut substitution, &mut self.budget, &mut collect);
        let found = derived.len() - before;
        planned.looked_at += unspent - self.budget.0;
        planned.found += found as u64;
        self.room -= found;
    }

    /// The premise to start with: the one with fresh rows, or one that has far fewer; none where one has no rows at all.
    fn start(&self, rule: &Rule, fresh: Option<&(usize, Range<u32>)>) -> Option<usize> {
        let Some((premise, rows)) = fresh else { return Some(0) };
        let others = positive(rule).filter(|(other, _)| other != premise);
        let fewest = others.map(|(other, relation)| (self.visible[relation] as usize, other)).min();
        match fewest {
            Some((0, _)) => None,
            Some((count, other)) if count * FEWER < rows.len() => Some(other),
            _ => Some(*premise),
        }
    }

    /// Makes a plan where there is none, or where the one that is there wastes time.
    fn prepare(&mut self, key: (usize, Option<(usize, usize)>), fresh: &Option<(usize, Range<u32>)>) {
        let rule = &self.rules[key.0];
        let review_at = match self.plans.get(&key) {
            None => REVIEW_AT,
            Some(planned) if planned.is_wasteful() => 4 * planned.looked_at,
            Some(_) => return,
        };
        let start = key.1.map(|(_, start)| start);
        let rows = fresh.as_ref().zip(start).map(|((premise, rows), start)| match &rule.body[start] {
            Premise::Holds(atom) if start != *premise => 0..self.visible[atom.relation.0],
            _ => rows.clone(),
        });
        let trial = rows.filter(|_| review_at > REVIEW_AT).map(|rows| (rows, self.visible));
        let (relations, functions) = (self.relations, self.functions);
        let mut planner = Planner { relations, functions, indices: self.indices, trial };
        let plan = planner.plan(rule, vec![false; rule.variables.len()], start, rule.body.len());
        self.plans.insert(key, Planned { plan, looked_at: review_at / 4, found: 0, review_at });
    }
}
