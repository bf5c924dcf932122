//! Runs the rule layers over the facts, and keeps their results as a database for explanations.

use healguard_rules::database::{Database, DatabaseError, Decode, Relation};
use healguard_rules::evaluate::{EvaluationError, Incremental, Limits};
use healguard_rules::layers::{self, Contexts};
use healguard_rules::program::{Program, RelationKind};
use healguard_rules::{effects, points_to, taint};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::facts::Facts;

/// The tuples of a relation, in the order in which they were derived.
pub type Tuples<T> = IndexSet<T, FxBuildHasher>;

/// Declares what a layer derives, how to run it, and how its tuples get into a database.
macro_rules! layer {
    ($(#[$about:meta])* $name:ident from $module:ident { $($field:ident: $relation:ident),* $(,)? }) => {
        $(#[$about])*
        #[derive(Default, PartialEq, Eq)]
        pub struct $name {
            $(pub $field: Tuples<$module::$relation>,)*
        }

        impl $name {
            /// Number of derived tuples.
            pub fn len(&self) -> usize {
                0 $(+ self.$field.len())*
            }

            /// Whether nothing was derived.
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// Takes over what was derived since the last time; `read` counts the rows that are known, by relation.
            fn read_new(&mut self, evaluation: &Incremental<'_>, read: &mut Vec<usize>) {
                let mut number = 0;
                $(
                    if read.len() <= number {
                        read.push(0);
                    }
                    if let Some(table) = evaluation.relation(stringify!($relation)) {
                        self.$field.extend(table.tuples_from(read[number]).filter_map($module::$relation::decode));
                        read[number] = table.len();
                    }
                    number += 1;
                )*
                debug_assert_eq!(number, read.len());
            }

            fn record(&self, database: &mut Database) -> Result<(), DatabaseError> {
                $(database.insert_all(self.$field.iter().copied())?;)*
                Ok(())
            }
        }
    };
}

layer! {
    /// What points where, and what calls what.
    PointsTo from points_to {
        reachable: Reachable,
        var_points_to: VarPointsTo,
        field_points_to: FieldPointsTo,
        class_of: ClassOf,
        call_to: CallTo,
        invokes: Invokes,
        model_call: ModelCall,
        unknown_call: UnknownCall,
        escapes: Escapes,
        runs: Runs,
        member_request: MemberRequest,
        super_request: SuperRequest,
        namespace_request: NamespaceRequest,
        port_holds: PortHolds,
        reaches: Reaches,
        member_found: MemberFound,
        new: New,
        class_member: ClassMember,
        mirrors: Mirrors,
        aligned_mirror: AlignedMirror,
        changed_class: ChangedClass,
        method: Method,
        lookup: Lookup,
        code_is: CodeIs,
        access_hook: AccessHook,
        dictionary_of: DictionaryOf,
        lacks: Lacks,
        holder: Holder,
        alterable: Alterable,
        callback: Callback,
        nest_seed: NestSeed,
        contained: Contained,
        contains: Contains,
        reach_seed: ReachSeed,
        port_content: PortContent,
        port_content_deep: PortContentDeep,
        generator_of: GeneratorOf,
        copy_of: CopyOf,
        copied_by: CopiedBy,
        iterates: Iterates,
        iterator_of: IteratorOf,
        yielded_to: YieldedTo,
        asked: Asked,
        element_of: ElementOf,
        super_object: SuperObject,
        module_asked: ModuleAsked,
        got: Got,
        remembered: Remembered,
        remembered_return: RememberedReturn,
        local_variables: LocalVariables,
        created: Created,
        keeps_default: KeepsDefault,
        defaults_of: DefaultsOf,
        shown: Shown,
        class_data: ClassData,
        class_part: ClassPart,
        shows_class: ShowsClass,
        detours: Detours,
        keeping: Keeping,
        falls_back: FallsBack,
        ends_by: EndsBy,
    }
}

layer! {
    /// What is written, healed, repeated and skipped.
    Effects from effects {
        writes: Writes,
        adds_key: AddsKey,
        healing: Healing,
        repeats: Repeats,
        abandoned: Abandoned,
        skipped: Skipped,
    }
}

layer! {
    /// Where healed state arrives.
    Taint from taint {
        regards: Regards,
        regards_at: RegardsAt,
        compares_inside: ComparesInside,
        tainted_var: TaintedVar,
        tainted_place: TaintedPlace,
        tainted_after: TaintedAfter,
        holds_healed: HoldsHealed,
        touched: Touched,
        held: Held,
        calling: Calling,
        kept: Kept,
        tainted_branch: TaintedBranch,
        branch_controlled: BranchControlled,
        invoked: Invoked,
        controlled: Controlled,
        tainted_callee: TaintedCallee,
        tainted_raise: TaintedRaise,
        caught: Caught,
        handled: Handled,
        raises_tainted: RaisesTainted,
        port_tainted: PortTainted,
        flow_tainted: FlowTainted,
        unknown_tainted: UnknownTainted,
        yields_tainted: YieldsTainted,
        tainted_key: TaintedKey,
        tainted_answer: TaintedAnswer,
        operation_call: OperationCall,
        watched_object: WatchedObject,
        reached_explicit: ReachedExplicit,
        reached_implicit: ReachedImplicit,
        reached_direct: ReachedDirect,
        reached_repeat: ReachedRepeat,
    }
}

/// The first layer, solved again whenever there are more facts.
///
/// crepe starts over at every call, and scans a whole relation wherever the first premise of a rule is not the one that grew;
/// with the many rounds of an exploration on demand that costs most of the time. So the exploration runs the same rules,
/// read from the same text, on the evaluator, which goes on from where it was.
pub struct Exploration {
    evaluation: Incremental<'static>,
    sent: Vec<usize>,
    read: Vec<usize>,
    derived: PointsTo,
}

impl Exploration {
    /// Starts with no facts.
    ///
    /// # Errors
    /// Never with the rules that are compiled in.
    pub fn start(contexts: Contexts) -> Result<Self, EvaluationError> {
        let functions = layers::functions_with(contexts);
        let evaluation = Incremental::start(layers::first(), functions, limits(contexts))?;
        Ok(Exploration { evaluation, sent: Vec::new(), read: Vec::new(), derived: PointsTo::default() })
    }

    /// Everything that follows from the facts, which only ever grow.
    ///
    /// # Errors
    /// A relation is full.
    pub fn solve(&mut self, facts: &Facts) -> Result<&PointsTo, EvaluationError> {
        let more = facts.send_new(&mut self.sent).map_err(|_| too_many())?;
        self.evaluation.add(&more)?;
        self.derived.read_new(&self.evaluation, &mut self.read);
        Ok(&self.derived)
    }

    /// What was derived last.
    pub fn derived(&self) -> &PointsTo {
        &self.derived
    }

    /// The same, where no more facts will follow.
    pub fn finish(self) -> PointsTo {
        self.derived
    }
}

/// What the first layer may cost before a slice is too large for these contexts.
fn limits(contexts: Contexts) -> Limits {
    let (tuples, rows) = match contexts {
        Contexts::Path => (150_000, 10_000_000),
        Contexts::TwoSites => (300_000, 20_000_000),
        Contexts::OneSite => (600_000, 40_000_000),
        Contexts::Merged => (2_000_000, 80_000_000),
    };
    Limits { tuples, rows }
}

/// The same for each of the layers above.
fn limits_above(contexts: Contexts) -> Limits {
    let Limits { tuples, rows } = limits(contexts);
    Limits { tuples: 3 * tuples, rows: 3 * rows }
}

/// Layer 2: what is written, healed, repeated and skipped.
///
/// # Errors
/// A relation is full.
pub fn effects(facts: &Facts, below: &PointsTo, contexts: Contexts) -> Result<Effects, EvaluationError> {
    let mut known = Database::new();
    facts.record(&mut known).and_then(|()| below.record(&mut known)).map_err(|_| too_many())?;
    let mut effects = Effects::default();
    effects.read_new(&evaluate(layers::second(), &known, contexts)?, &mut Vec::new());
    Ok(effects)
}

/// Layer 3: where healed state arrives.
///
/// # Errors
/// A relation is full.
pub fn taint(facts: &Facts, below: &PointsTo, effects: &Effects, contexts: Contexts) -> Result<Taint, EvaluationError> {
    let known = database(facts, below, effects, &Taint::default()).map_err(|_| too_many())?;
    let mut taint = Taint::default();
    taint.read_new(&evaluate(layers::third(), &known, contexts)?, &mut Vec::new());
    Ok(taint)
}

/// Everything that the rules of one layer derive from what is known.
fn evaluate(
    layer: &'static Program,
    known: &Database,
    contexts: Contexts,
) -> Result<Incremental<'static>, EvaluationError> {
    let mut evaluation = Incremental::start(layer, layers::functions(), limits_above(contexts))?;
    let mut inputs = Database::new();
    for relation in layer.relations().iter().filter(|relation| relation.kind == RelationKind::Input) {
        for tuple in known.relation(&relation.name).into_iter().flat_map(Relation::tuples) {
            inputs.insert(&relation.name, tuple).map_err(|_| too_many())?;
        }
    }
    evaluation.add(&inputs)?;
    Ok(evaluation)
}

fn too_many() -> EvaluationError {
    EvaluationError::TooManyTuples { relation: "facts".to_owned() }
}

/// Everything that is known, by the names that the rules use.
///
/// # Errors
/// When a relation has more tuples than a database holds.
pub fn database(
    facts: &Facts,
    points_to: &PointsTo,
    effects: &Effects,
    taint: &Taint,
) -> Result<Database, DatabaseError> {
    let mut database = Database::new();
    facts.record(&mut database)?;
    points_to.record(&mut database)?;
    effects.record(&mut database)?;
    taint.record(&mut database)?;
    Ok(database)
}
