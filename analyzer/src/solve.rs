//! Runs the rule layers over the facts, and keeps their results as a database for explanations.

use healguard_rules::database::{Database, DatabaseError, Decode};
use healguard_rules::evaluate::{EvaluationError, Incremental};
use healguard_rules::layers;
use healguard_rules::{effects, points_to, taint};
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::facts::Facts;

/// Declares what a layer derives, how to run it, and how its tuples get into a database.
macro_rules! layer {
    ($(#[$about:meta])* $name:ident from $module:ident { $($field:ident: $relation:ident),* $(,)? }) => {
        $(#[$about])*
        #[derive(Default)]
        pub struct $name {
            $(pub $field: FxHashSet<$module::$relation>,)*
        }

        impl $name {
            fn run(runtime: $module::Crepe) -> Self {
                let ($($field,)*) = runtime.run_with_hasher::<FxBuildHasher>();
                $name { $($field),* }
            }

            /// Number of derived tuples.
            pub fn len(&self) -> usize {
                0 $(+ self.$field.len())*
            }

            /// Whether nothing was derived.
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// Takes over what was derived since the last time; `read` counts the rows that are known, by relation.
            #[allow(dead_code, reason = "only the first layer is solved step by step")]
            fn read_new(&mut self, evaluation: &Incremental<'_>, read: &mut Vec<usize>) {
                let mut number = 0;
                $(
                    if read.len() <= number {
                        read.push(0);
                    }
                    if let Some(table) = evaluation.relation(stringify!($relation)) {
                        self.$field.extend(table.tuples().skip(read[number]).filter_map($module::$relation::decode));
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

/// Hands tuples of one layer to the relations of the same name in another.
macro_rules! carry {
    ($runtime:ident, $from:ident => $to:ident { $($source:expr => $relation:ident($($column:ident),*)),* $(,)? }) => {
        $(
            $runtime.extend($source.iter().map(|$from::$relation($($column),*)| $to::$relation($(*$column),*)));
        )*
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
        super_object: SuperObject,
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
        tainted_var: TaintedVar,
        tainted_place: TaintedPlace,
        tainted_after: TaintedAfter,
        touched: Touched,
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
    pub fn start() -> Result<Self, EvaluationError> {
        let evaluation = Incremental::start(layers::first(), layers::functions(), LIMIT)?;
        Ok(Exploration { evaluation, sent: Vec::new(), read: Vec::new(), derived: PointsTo::default() })
    }

    /// Everything that follows from the facts, which only ever grow.
    ///
    /// # Errors
    /// A relation is full.
    pub fn solve(&mut self, facts: &Facts) -> Result<&PointsTo, EvaluationError> {
        let more = facts
            .send_new(&mut self.sent)
            .map_err(|_| EvaluationError::TooManyTuples { relation: "facts".to_owned() })?;
        self.evaluation.add(&more)?;
        self.derived.read_new(&self.evaluation, &mut self.read);
        Ok(&self.derived)
    }

    /// What was derived last.
    pub fn finish(self) -> PointsTo {
        self.derived
    }
}

/// Tuples of the first layer, facts included, beyond which a slice is refused as too large.
const LIMIT: usize = 200_000;

/// The first layer by crepe: what the exploration is compared with.
pub fn points_to(facts: &Facts) -> PointsTo {
    let mut runtime = points_to::Crepe::new();
    facts.send_points_to(&mut runtime);
    PointsTo::run(runtime)
}

/// Layer 2.
pub fn effects(facts: &Facts, below: &PointsTo) -> Effects {
    let mut runtime = effects::Crepe::new();
    carry!(runtime, points_to => effects {
        facts.in_function => InFunction(a, b),
        below.reachable => Reachable(a, b),
        below.var_points_to => VarPointsTo(a, b, c),
        below.call_to => CallTo(a, b, c, d, e, f),
        below.model_call => ModelCall(a, b, c, d),
        below.port_holds => PortHolds(a, b, c, d, e),
        below.escapes => Escapes(a, b, c),
        facts.stores_place => StoresPlace(a, b, c, d),
        facts.stores_raw => StoresRaw(a, b, c, d),
        facts.stores_attribute => StoresAttribute(a, b, c, d),
        facts.stores_item => StoresItem(a, b, c, d),
        facts.spreads => Spreads(a, b, c),
        facts.updates_in_place => UpdatesInPlace(a, b),
        facts.model_selects => ModelSelects(a, b),
        facts.deletes_attribute => DeletesAttribute(a, b, c),
    });
    facts.send_effects(&mut runtime);
    Effects::run(runtime)
}

/// Layer 3.
pub fn taint(facts: &Facts, below: &PointsTo, effects: &Effects) -> Taint {
    let mut runtime = taint::Crepe::new();
    carry!(runtime, points_to => taint {
        facts.in_function => InFunction(a, b),
        facts.copies => Copies(a, b),
        facts.loads_place => LoadsPlace(a, b, c, d),
        facts.stores_place => StoresPlace(a, b, c, d),
        facts.loads_raw => LoadsRaw(a, b, c, d),
        facts.stores_raw => StoresRaw(a, b, c, d),
        facts.loads_attribute => LoadsAttribute(a, b, c, d),
        facts.stores_attribute => StoresAttribute(a, b, c, d),
        facts.loads_item => LoadsItem(a, b, c, d),
        facts.stores_item => StoresItem(a, b, c, d),
        facts.spreads => Spreads(a, b, c),
        facts.iterates_keys => IteratesKeys(a),
        facts.nexts => Nexts(a, b, c),
        facts.operates => Operates(a, b, c),
        facts.calls_value => CallsValue(a, b),
        facts.calls_method => CallsMethod(a, b, c),
        facts.call_result => CallResult(a, b),
        facts.argument => Argument(a, b, c),
        facts.keyword_argument => KeywordArgument(a, b, c),
        facts.spread_argument => SpreadArgument(a, b),
        facts.operand => Operand(a, b),
        facts.parameter => Parameter(a, b, c),
        facts.named_parameter => NamedParameter(a, b, c),
        facts.rest_parameter => RestParameter(a, b, c),
        facts.default => Default(a, b, c),
        facts.returns => Returns(a, b, c),
        facts.yields => Yields(a, b, c),
        facts.deferred => Deferred(a, b),
        facts.resumes => Resumes(a, b),
        facts.port_position => PortPosition(a, b, c),
        facts.port_name => PortName(a, b, c),
        below.reachable => Reachable(a, b),
        below.var_points_to => VarPointsTo(a, b, c),
        below.field_points_to => FieldPointsTo(a, b, c),
        below.class_of => ClassOf(a, b),
        below.call_to => CallTo(a, b, c, d, e, f),
        below.invokes => Invokes(a, b, c, d, e),
        below.model_call => ModelCall(a, b, c, d),
        below.unknown_call => UnknownCall(a, b),
        below.escapes => Escapes(a, b, c),
        below.runs => Runs(a, b, c, d),
        below.port_holds => PortHolds(a, b, c, d, e),
        below.reaches => Reaches(a, b),
        below.contains => Contains(a, b),
        below.port_content => PortContent(a, b, c, d, e, f),
        facts.library_class => LibraryClass(a),
        below.member_found => MemberFound(a, b, c, d, e, f),
        below.class_member => ClassMember(a, b, c, d, e, f),
        below.mirrors => Mirrors(a, b, c, d),
        below.dictionary_of => DictionaryOf(a, b),
        facts.attribute_key => AttributeKey(a, b),
        facts.model_selects => ModelSelects(a, b),
        facts.model_flow => ModelFlow(a, b, c, d, e, f, g),
        facts.port_variable => PortVariable(a, b, c, d, e, f),
    });
    carry!(runtime, effects => taint {
        effects.writes => Writes(a, b, c, d),
        effects.adds_key => AddsKey(a, b, c),
        effects.healing => Healing(a, b),
        effects.repeats => Repeats(a, b),
        effects.skipped => Skipped(a, b),
        facts.port_influence => PortInfluence(a, b, c, d, e, f, g),
    });
    facts.send_taint(&mut runtime);
    Taint::run(runtime)
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
