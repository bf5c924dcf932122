//! Facts: the input relations of the rules, gathered from bodies, models and the snapshot.

use healguard_rules::{effects, points_to, taint};

macro_rules! facts {
    ($($field:ident: $relation:path),* $(,)?) => {
        /// All facts of one check.
        #[derive(Default)]
        pub struct Facts {
            $(pub $field: Vec<$relation>,)*
        }

        impl Facts {
            /// Number of facts.
            pub fn len(&self) -> usize {
                0 $(+ self.$field.len())*
            }

            /// Whether there are none.
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }
        }
    };
}

facts! {
    root: points_to::Root,
    in_function: points_to::InFunction,
    holds: points_to::Holds,
    allocates: points_to::Allocates,
    makes_function: points_to::MakesFunction,
    copies: points_to::Copies,
    loads_place: points_to::LoadsPlace,
    stores_place: points_to::StoresPlace,
    loads_raw: points_to::LoadsRaw,
    stores_raw: points_to::StoresRaw,
    loads_attribute: points_to::LoadsAttribute,
    stores_attribute: points_to::StoresAttribute,
    loads_item: points_to::LoadsItem,
    stores_item: points_to::StoresItem,
    spreads: points_to::Spreads,
    iterates_keys: points_to::IteratesKeys,
    nexts: points_to::Nexts,
    element_class: points_to::ElementClass,
    operates: points_to::Operates,
    updates_in_place: points_to::UpdatesInPlace,
    value_class: points_to::ValueClass,
    calls_value: points_to::CallsValue,
    calls_method: points_to::CallsMethod,
    calls_special: points_to::CallsSpecial,
    protocol: points_to::Protocol,
    calls_reflected: points_to::CallsReflected,
    call_result: points_to::CallResult,
    argument: points_to::Argument,
    keyword_argument: points_to::KeywordArgument,
    spread_argument: points_to::SpreadArgument,
    operand: points_to::Operand,
    parameter: points_to::Parameter,
    named_parameter: points_to::NamedParameter,
    rest_parameter: points_to::RestParameter,
    default: points_to::Default,
    environment: points_to::Environment,
    returns: points_to::Returns,
    yields: points_to::Yields,
    deferred: points_to::Deferred,
    resumes: points_to::Resumes,
    super_call: points_to::SuperCall,
    class_body: points_to::ClassBody,
    base_constructor: points_to::BaseConstructor,
    drives: points_to::Drives,
    initially: points_to::Initially,
    instance_of: points_to::InstanceOf,
    code_of: points_to::CodeOf,
    is_class: points_to::IsClass,
    is_namespace: points_to::IsNamespace,
    owner: points_to::Owner,
    super_owner: points_to::SuperOwner,
    missing: points_to::Missing,
    descriptor: points_to::Descriptor,
    some_name: points_to::SomeName,
    plain_method: points_to::PlainMethod,
    static_wrapper: points_to::StaticWrapper,
    class_wrapper: points_to::ClassWrapper,
    getter: points_to::Getter,
    setter: points_to::Setter,
    bound_class: points_to::BoundClass,
    special: points_to::Special,
    known_member: points_to::KnownMember,
    modelled: points_to::Modelled,
    unmodelled: points_to::Unmodelled,
    unresolved: points_to::Unresolved,
    model_makes: points_to::ModelMakes,
    model_makes_inner: points_to::ModelMakesInner,
    model_nests: points_to::ModelNests,
    library_property: points_to::LibraryProperty,
    model_gives: points_to::ModelGives,
    model_alias: points_to::ModelAlias,
    model_lazy: points_to::ModelLazy,
    model_selects: points_to::ModelSelects,
    model_hook: points_to::ModelHook,
    model_calls_back: points_to::ModelCallsBack,
    port_position: points_to::PortPosition,
    port_name: points_to::PortName,
    model_touches: points_to::ModelTouches,
    world: points_to::World,
    looks_into: points_to::LooksInto,

    deletes_attribute: effects::DeletesAttribute,
    deletes_item: effects::DeletesItem,
    resizes: effects::Resizes,
    model_writes: effects::ModelWrites,
    healing_point: effects::HealingPoint,
    repeat_point: effects::RepeatPoint,
    abandoned_root: effects::AbandonedRoot,

    edge: taint::Edge,
    handler: taint::Handler,
    entry: taint::Entry,
    exit: taint::Exit,
    controls: taint::Controls,
    controls_if_caught: taint::ControlsIfCaught,
    gate: taint::Gate,
    decides: taint::Decides,
    inspects: taint::Inspects,
    derives: taint::Derives,
    may_raise: taint::MayRaise,
    receiver: taint::Receiver,
    kills: taint::Kills,
    model_flow: taint::ModelFlow,
    healed_variable: taint::HealedVariable,
    healed_at: taint::HealedAt,
    endorses: taint::Endorses,
    guarded: taint::Guarded,
    passes_guard: taint::PassesGuard,
    protected: taint::Protected,
    protected_code: taint::ProtectedCode,
    operation_point: taint::OperationPoint,
    operation_name: taint::OperationName,
    watches: taint::Watches,
    watches_receiver: taint::WatchesReceiver,
    body_reads: taint::BodyReads,
}
