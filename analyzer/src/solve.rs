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
        callback: Callback,
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
        tainted_branch: TaintedBranch,
        branch_controlled: BranchControlled,
        invoked: Invoked,
        controlled: Controlled,
        tainted_callee: TaintedCallee,
        tainted_raise: TaintedRaise,
        caught: Caught,
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
        let more = points_to_inputs(facts, &mut self.sent)
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

/// Facts of the first layer that were not sent yet, as a database.
fn points_to_inputs(facts: &Facts, sent: &mut Vec<usize>) -> Result<Database, DatabaseError> {
    let mut database = Database::new();
    sent.resize(FIRST_LAYER, 0);
    let mut counts = sent.iter_mut();
    macro_rules! send {
        ($($field:ident),* $(,)?) => {$(
            if let Some(count) = counts.next() {
                database.insert_all(facts.$field[*count..].iter().copied())?;
                *count = facts.$field.len();
            }
        )*};
    }
    send!(
        root,
        in_function,
        holds,
        allocates,
        makes_function,
        copies,
        loads_place,
        stores_place,
        loads_raw,
        stores_raw,
        loads_attribute,
        stores_attribute,
        loads_item,
        stores_item,
        spreads,
        iterates_keys,
        nexts,
        element_class,
        operates,
        updates_in_place,
        value_class,
        calls_value,
        calls_method,
        calls_special,
        calls_reflected,
        protocol,
        call_result,
        argument,
        keyword_argument,
        spread_argument,
        operand,
        parameter,
        named_parameter,
        rest_parameter,
        default,
        environment,
        returns,
        yields,
        deferred,
        resumes,
        super_call,
        class_body,
        base_constructor,
        drives,
        initially,
        instance_of,
        code_of,
        is_class,
        is_namespace,
        owner,
        super_owner,
        plain_method,
        missing,
        descriptor,
        some_name,
        static_wrapper,
        class_wrapper,
        getter,
        setter,
        bound_class,
        special,
        known_member,
        modelled,
        unmodelled,
        unresolved,
        model_makes,
        model_makes_inner,
        model_nests,
        library_property,
        model_gives,
        model_alias,
        model_flow,
        model_lazy,
        model_selects,
        model_hook,
        model_calls_back,
        port_position,
        port_name,
        looks_into,
        model_touches,
        world,
    );
    // What may be a guard lets its arguments pass.
    if let Some(count) = counts.next() {
        let guarded = facts.passes_guard[*count..].iter();
        database.insert_all(guarded.map(|taint::PassesGuard(v, s)| points_to::Copies(*v, *s)))?;
        *count = facts.passes_guard.len();
    }
    Ok(database)
}

/// Tuples of the first layer, facts included, beyond which a slice is refused as too large.
const LIMIT: usize = 200_000;

/// Number of relations that the first layer reads.
const FIRST_LAYER: usize = 82;

/// The first layer by crepe: what the exploration is compared with.
pub fn points_to(facts: &Facts) -> PointsTo {
    let mut runtime = points_to::Crepe::new();
    runtime.extend(facts.root.iter().copied());
    runtime.extend(facts.in_function.iter().copied());
    runtime.extend(facts.holds.iter().copied());
    runtime.extend(facts.allocates.iter().copied());
    runtime.extend(facts.makes_function.iter().copied());
    runtime.extend(facts.copies.iter().copied());
    runtime.extend(facts.loads_place.iter().copied());
    runtime.extend(facts.stores_place.iter().copied());
    runtime.extend(facts.loads_raw.iter().copied());
    runtime.extend(facts.stores_raw.iter().copied());
    runtime.extend(facts.loads_attribute.iter().copied());
    runtime.extend(facts.stores_attribute.iter().copied());
    runtime.extend(facts.loads_item.iter().copied());
    runtime.extend(facts.stores_item.iter().copied());
    runtime.extend(facts.spreads.iter().copied());
    runtime.extend(facts.iterates_keys.iter().copied());
    runtime.extend(facts.nexts.iter().copied());
    runtime.extend(facts.element_class.iter().copied());
    runtime.extend(facts.operates.iter().copied());
    runtime.extend(facts.updates_in_place.iter().copied());
    runtime.extend(facts.value_class.iter().copied());
    runtime.extend(facts.calls_value.iter().copied());
    runtime.extend(facts.calls_method.iter().copied());
    runtime.extend(facts.calls_special.iter().copied());
    runtime.extend(facts.calls_reflected.iter().copied());
    runtime.extend(facts.protocol.iter().copied());
    runtime.extend(facts.call_result.iter().copied());
    runtime.extend(facts.argument.iter().copied());
    runtime.extend(facts.keyword_argument.iter().copied());
    runtime.extend(facts.spread_argument.iter().copied());
    runtime.extend(facts.operand.iter().copied());
    runtime.extend(facts.parameter.iter().copied());
    runtime.extend(facts.named_parameter.iter().copied());
    runtime.extend(facts.rest_parameter.iter().copied());
    runtime.extend(facts.default.iter().copied());
    runtime.extend(facts.environment.iter().copied());
    runtime.extend(facts.returns.iter().copied());
    runtime.extend(facts.yields.iter().copied());
    runtime.extend(facts.deferred.iter().copied());
    runtime.extend(facts.resumes.iter().copied());
    runtime.extend(facts.super_call.iter().copied());
    runtime.extend(facts.class_body.iter().copied());
    runtime.extend(facts.base_constructor.iter().copied());
    runtime.extend(facts.drives.iter().copied());
    runtime.extend(facts.initially.iter().copied());
    runtime.extend(facts.instance_of.iter().copied());
    runtime.extend(facts.code_of.iter().copied());
    runtime.extend(facts.is_class.iter().copied());
    runtime.extend(facts.is_namespace.iter().copied());
    runtime.extend(facts.owner.iter().copied());
    runtime.extend(facts.super_owner.iter().copied());
    runtime.extend(facts.plain_method.iter().copied());
    runtime.extend(facts.missing.iter().copied());
    runtime.extend(facts.descriptor.iter().copied());
    runtime.extend(facts.some_name.iter().copied());
    runtime.extend(facts.static_wrapper.iter().copied());
    runtime.extend(facts.class_wrapper.iter().copied());
    runtime.extend(facts.getter.iter().copied());
    runtime.extend(facts.setter.iter().copied());
    runtime.extend(facts.bound_class.iter().copied());
    runtime.extend(facts.special.iter().copied());
    runtime.extend(facts.known_member.iter().copied());
    runtime.extend(facts.modelled.iter().copied());
    runtime.extend(facts.unmodelled.iter().copied());
    runtime.extend(facts.unresolved.iter().copied());
    runtime.extend(facts.model_makes.iter().copied());
    runtime.extend(facts.model_makes_inner.iter().copied());
    runtime.extend(facts.model_nests.iter().copied());
    runtime.extend(facts.library_property.iter().copied());
    runtime.extend(facts.model_gives.iter().copied());
    runtime.extend(facts.model_alias.iter().copied());
    carry!(runtime, taint => points_to { facts.model_flow => ModelFlow(a, b, c, d, e, f, g) });
    runtime.extend(facts.model_lazy.iter().copied());
    runtime.extend(facts.model_selects.iter().copied());
    runtime.extend(facts.model_hook.iter().copied());
    runtime.extend(facts.model_calls_back.iter().copied());
    runtime.extend(facts.port_position.iter().copied());
    runtime.extend(facts.port_name.iter().copied());
    runtime.extend(facts.looks_into.iter().copied());
    runtime.extend(facts.model_touches.iter().copied());
    runtime.extend(facts.world.iter().copied());
    // What may be a guard lets its arguments pass.
    runtime.extend(facts.passes_guard.iter().map(|taint::PassesGuard(v, s)| points_to::Copies(*v, *s)));
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
    });
    runtime.extend(facts.deletes_attribute.iter().copied());
    runtime.extend(facts.deletes_item.iter().copied());
    runtime.extend(facts.resizes.iter().copied());
    runtime.extend(facts.model_writes.iter().copied());
    runtime.extend(facts.healing_point.iter().copied());
    runtime.extend(facts.repeat_point.iter().copied());
    runtime.extend(facts.abandoned_root.iter().copied());
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
        below.member_found => MemberFound(a, b, c, d, e, f),
        below.class_member => ClassMember(a, b, c, d, e, f),
        below.mirrors => Mirrors(a, b, c, d),
        facts.model_selects => ModelSelects(a, b),
    });
    carry!(runtime, effects => taint {
        effects.writes => Writes(a, b, c, d),
        effects.healing => Healing(a, b),
        effects.repeats => Repeats(a, b),
        effects.skipped => Skipped(a, b),
    });
    runtime.extend(facts.edge.iter().copied());
    runtime.extend(facts.handler.iter().copied());
    runtime.extend(facts.entry.iter().copied());
    runtime.extend(facts.exit.iter().copied());
    runtime.extend(facts.controls.iter().copied());
    runtime.extend(facts.controls_if_caught.iter().copied());
    runtime.extend(facts.gate.iter().copied());
    runtime.extend(facts.decides.iter().copied());
    runtime.extend(facts.inspects.iter().copied());
    runtime.extend(facts.derives.iter().copied());
    runtime.extend(facts.may_raise.iter().copied());
    runtime.extend(facts.receiver.iter().copied());
    runtime.extend(facts.kills.iter().copied());
    runtime.extend(facts.model_flow.iter().copied());
    runtime.extend(facts.healed_variable.iter().copied());
    runtime.extend(facts.healed_at.iter().copied());
    runtime.extend(facts.endorses.iter().copied());
    runtime.extend(facts.guarded.iter().copied());
    runtime.extend(facts.passes_guard.iter().copied());
    runtime.extend(facts.protected.iter().copied());
    runtime.extend(facts.protected_code.iter().copied());
    runtime.extend(facts.operation_point.iter().copied());
    runtime.extend(facts.operation_name.iter().copied());
    runtime.extend(facts.watches.iter().copied());
    runtime.extend(facts.watches_receiver.iter().copied());
    runtime.extend(facts.body_reads.iter().copied());
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
    database.insert_all(facts.root.iter().copied())?;
    database.insert_all(facts.in_function.iter().copied())?;
    database.insert_all(facts.holds.iter().copied())?;
    database.insert_all(facts.allocates.iter().copied())?;
    database.insert_all(facts.makes_function.iter().copied())?;
    database.insert_all(facts.copies.iter().copied())?;
    database.insert_all(facts.loads_place.iter().copied())?;
    database.insert_all(facts.stores_place.iter().copied())?;
    database.insert_all(facts.loads_raw.iter().copied())?;
    database.insert_all(facts.stores_raw.iter().copied())?;
    database.insert_all(facts.loads_attribute.iter().copied())?;
    database.insert_all(facts.stores_attribute.iter().copied())?;
    database.insert_all(facts.loads_item.iter().copied())?;
    database.insert_all(facts.stores_item.iter().copied())?;
    database.insert_all(facts.spreads.iter().copied())?;
    database.insert_all(facts.iterates_keys.iter().copied())?;
    database.insert_all(facts.nexts.iter().copied())?;
    database.insert_all(facts.element_class.iter().copied())?;
    database.insert_all(facts.operates.iter().copied())?;
    database.insert_all(facts.updates_in_place.iter().copied())?;
    database.insert_all(facts.value_class.iter().copied())?;
    database.insert_all(facts.calls_value.iter().copied())?;
    database.insert_all(facts.calls_method.iter().copied())?;
    database.insert_all(facts.calls_special.iter().copied())?;
    database.insert_all(facts.calls_reflected.iter().copied())?;
    database.insert_all(facts.protocol.iter().copied())?;
    database.insert_all(facts.call_result.iter().copied())?;
    database.insert_all(facts.argument.iter().copied())?;
    database.insert_all(facts.keyword_argument.iter().copied())?;
    database.insert_all(facts.spread_argument.iter().copied())?;
    database.insert_all(facts.operand.iter().copied())?;
    database.insert_all(facts.parameter.iter().copied())?;
    database.insert_all(facts.named_parameter.iter().copied())?;
    database.insert_all(facts.rest_parameter.iter().copied())?;
    database.insert_all(facts.default.iter().copied())?;
    database.insert_all(facts.environment.iter().copied())?;
    database.insert_all(facts.returns.iter().copied())?;
    database.insert_all(facts.yields.iter().copied())?;
    database.insert_all(facts.deferred.iter().copied())?;
    database.insert_all(facts.resumes.iter().copied())?;
    database.insert_all(facts.super_call.iter().copied())?;
    database.insert_all(facts.class_body.iter().copied())?;
    database.insert_all(facts.base_constructor.iter().copied())?;
    database.insert_all(facts.drives.iter().copied())?;
    database.insert_all(facts.initially.iter().copied())?;
    database.insert_all(facts.instance_of.iter().copied())?;
    database.insert_all(facts.code_of.iter().copied())?;
    database.insert_all(facts.is_class.iter().copied())?;
    database.insert_all(facts.is_namespace.iter().copied())?;
    database.insert_all(facts.owner.iter().copied())?;
    database.insert_all(facts.super_owner.iter().copied())?;
    database.insert_all(facts.plain_method.iter().copied())?;
    database.insert_all(facts.missing.iter().copied())?;
    database.insert_all(facts.descriptor.iter().copied())?;
    database.insert_all(facts.some_name.iter().copied())?;
    database.insert_all(facts.static_wrapper.iter().copied())?;
    database.insert_all(facts.class_wrapper.iter().copied())?;
    database.insert_all(facts.getter.iter().copied())?;
    database.insert_all(facts.setter.iter().copied())?;
    database.insert_all(facts.bound_class.iter().copied())?;
    database.insert_all(facts.special.iter().copied())?;
    database.insert_all(facts.known_member.iter().copied())?;
    database.insert_all(facts.modelled.iter().copied())?;
    database.insert_all(facts.unmodelled.iter().copied())?;
    database.insert_all(facts.unresolved.iter().copied())?;
    database.insert_all(facts.model_makes.iter().copied())?;
    database.insert_all(facts.model_makes_inner.iter().copied())?;
    database.insert_all(facts.model_nests.iter().copied())?;
    database.insert_all(facts.library_property.iter().copied())?;
    database.insert_all(facts.model_gives.iter().copied())?;
    database.insert_all(facts.model_alias.iter().copied())?;
    database.insert_all(facts.model_lazy.iter().copied())?;
    database.insert_all(facts.model_selects.iter().copied())?;
    database.insert_all(facts.model_hook.iter().copied())?;
    database.insert_all(facts.model_calls_back.iter().copied())?;
    database.insert_all(facts.port_position.iter().copied())?;
    database.insert_all(facts.port_name.iter().copied())?;
    database.insert_all(facts.model_touches.iter().copied())?;
    database.insert_all(facts.world.iter().copied())?;
    database.insert_all(facts.looks_into.iter().copied())?;
    database.insert_all(facts.deletes_attribute.iter().copied())?;
    database.insert_all(facts.deletes_item.iter().copied())?;
    database.insert_all(facts.resizes.iter().copied())?;
    database.insert_all(facts.model_writes.iter().copied())?;
    database.insert_all(facts.healing_point.iter().copied())?;
    database.insert_all(facts.repeat_point.iter().copied())?;
    database.insert_all(facts.abandoned_root.iter().copied())?;
    database.insert_all(facts.edge.iter().copied())?;
    database.insert_all(facts.handler.iter().copied())?;
    database.insert_all(facts.entry.iter().copied())?;
    database.insert_all(facts.exit.iter().copied())?;
    database.insert_all(facts.controls.iter().copied())?;
    database.insert_all(facts.controls_if_caught.iter().copied())?;
    database.insert_all(facts.gate.iter().copied())?;
    database.insert_all(facts.decides.iter().copied())?;
    database.insert_all(facts.inspects.iter().copied())?;
    database.insert_all(facts.derives.iter().copied())?;
    database.insert_all(facts.may_raise.iter().copied())?;
    database.insert_all(facts.receiver.iter().copied())?;
    database.insert_all(facts.kills.iter().copied())?;
    database.insert_all(facts.model_flow.iter().copied())?;
    database.insert_all(facts.healed_variable.iter().copied())?;
    database.insert_all(facts.healed_at.iter().copied())?;
    database.insert_all(facts.endorses.iter().copied())?;
    database.insert_all(facts.guarded.iter().copied())?;
    database.insert_all(facts.passes_guard.iter().copied())?;
    database.insert_all(facts.protected.iter().copied())?;
    database.insert_all(facts.protected_code.iter().copied())?;
    database.insert_all(facts.operation_point.iter().copied())?;
    database.insert_all(facts.operation_name.iter().copied())?;
    database.insert_all(facts.watches.iter().copied())?;
    database.insert_all(facts.watches_receiver.iter().copied())?;
    database.insert_all(facts.body_reads.iter().copied())?;
    points_to.record(&mut database)?;
    effects.record(&mut database)?;
    taint.record(&mut database)?;
    Ok(database)
}
