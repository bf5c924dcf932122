//! Facts: the input relations of the rules, gathered from bodies, models and the snapshot.

use healguard_rules::database::{Database, DatabaseError};
use healguard_rules::schema::Point;
use healguard_rules::{effects, points_to, taint};

/// Declares the facts, grouped by the layer that reads them first.
macro_rules! facts {
    ($($layer:ident { $($field:ident: $relation:ident),* $(,)? })*) => {
        /// All facts of one check.
        #[derive(Clone, Default)]
        pub struct Facts {
            $($(pub $field: Vec<$layer::$relation>,)*)*
        }

        impl Facts {
            /// Number of facts.
            pub fn len(&self) -> usize {
                0 $($(+ self.$field.len())*)*
            }

            /// Lets control go from one point to another.
            pub fn lead(&mut self, from: Point, to: Point) {
                self.edge.push(taint::Edge(from, to));
                self.onward.push(taint::Onward(from, to));
            }

            /// Whether there are none.
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// Copies all facts.
            ///
            /// # Errors
            /// When a relation has more tuples than a database holds.
            pub fn record(&self, database: &mut Database) -> Result<(), DatabaseError> {
                $($(database.insert_all(self.$field.iter().copied())?;)*)*
                Ok(())
            }

            $(facts!(@layer $layer { $($field),* });)*
        }
    };
    (@layer points_to { $($field:ident),* }) => {
        /// Facts of the first layer that were not sent yet; `sent` counts those that were, by relation.
        ///
        /// # Errors
        /// When a relation has more tuples than a database holds.
        pub fn send_new(&self, sent: &mut Vec<usize>) -> Result<Database, DatabaseError> {
            let mut database = Database::new();
            let mut number = 0;
            let mut first_new = |length: usize| {
                if sent.len() <= number {
                    sent.push(0);
                }
                number += 1;
                std::mem::replace(&mut sent[number - 1], length)
            };
            $(
                let first = first_new(self.$field.len());
                database.insert_all(self.$field[first..].iter().copied())?;
            )*
            let first = first_new(self.passes_guard.len());
            database.insert_all(self.passing_guards(first))?;
            Ok(database)
        }
    };
    (@layer $above:ident { $($field:ident),* }) => {};
}

impl Facts {
    /// To the first layer, what may be a guard lets its arguments pass.
    fn passing_guards(&self, first: usize) -> impl Iterator<Item = points_to::Copies> + '_ {
        self.passes_guard[first..].iter().map(|taint::PassesGuard(v, s)| points_to::Copies(*v, *s))
    }
}

facts! {
    points_to {
        root: Root,
        in_function: InFunction,
        holds: Holds,
        allocates: Allocates,
        makes_function: MakesFunction,
        copies: Copies,
        heals: Heals,
        recalls: Recalls,
        valueless: Valueless,
        loads_place: LoadsPlace,
        loads_builtin: LoadsBuiltin,
        keeps_attributes: KeepsAttributes,
        keeps_cells: KeepsCells,
        cells_field: CellsField,
        cell_contents: CellContents,
        shares_cells: SharesCells,
        stores_place: StoresPlace,
        loads_raw: LoadsRaw,
        stores_raw: StoresRaw,
        keeps: Keeps,
        loads_attribute: LoadsAttribute,
        loads_class: LoadsClass,
        loads_dictionary: LoadsDictionary,
        attribute_key: AttributeKey,
        stores_attribute: StoresAttribute,
        loads_item: LoadsItem,
        stores_item: StoresItem,
        spreads: Spreads,
        shifts: Shifts,
        slice_class: SliceClass,
        iterates_keys: IteratesKeys,
        nexts: Nexts,
        element_class: ElementClass,
        operates: Operates,
        updates_in_place: UpdatesInPlace,
        value_class: ValueClass,
        calls_value: CallsValue,
        calls_method: CallsMethod,
        calls_special: CallsSpecial,
        protocol: Protocol,
        answers: Answers,
        acts_like: ActsLike,
        asks: Asks,
        asks_through: AsksThrough,
        starts: Starts,
        searches: Searches,
        keyed: Keyed,
        derived_order: DerivedOrder,
        calls_reflected: CallsReflected,
        call_result: CallResult,
        argument: Argument,
        keyword_argument: KeywordArgument,
        name_text: NameText,
        spread_argument: SpreadArgument,
        spread_mapping: SpreadMapping,
        some_index: SomeIndex,
        operand: Operand,
        parameter: Parameter,
        named_parameter: NamedParameter,
        rest_parameter: RestParameter,
        rest_item: RestItem,
        rest_names: RestNames,
        name_item: NameItem,
        default: Default,
        environment: Environment,
        returns: Returns,
        yields: Yields,
        deferred: Deferred,
        resumes: Resumes,
        remains_of: RemainsOf,
        super_call: SuperCall,
        class_body: ClassBody,
        has_base: HasBase,
        gives_metaclass: GivesMetaclass,
        namespace_of: NamespaceOf,
        prepares_class: PreparesClass,
        creates_class: CreatesClass,
        metaclass_call: MetaclassCall,
        initializes_class: InitializesClass,
        names_members: NamesMembers,
        gives_class: GivesClass,
        creates_object: CreatesObject,
        makes_subclass: MakesSubclass,
        runs_module: RunsModule,
        imports_name: ImportsName,
        module_lacks: ModuleLacks,
        locals_given: LocalsGiven,
        finished: Finished,
        closed: Closed,
        star_begins: StarBegins,
        parameter_item: ParameterItem,
        place_of: PlaceOf,
        gives_class_of: GivesClassOf,
        keeps_defaults: KeepsDefaults,
        gives_fewer: GivesFewer,
        ancestor: Ancestor,
        internal: Internal,
        behaviour: Behaviour,
        shows: Shows,
        stop_holds: StopHolds,
        fallible: Fallible,
        model_sends: ModelSends,
        modelled_free: ModelledFree,
        gives_locals: GivesLocals,
        base_constructor: BaseConstructor,
        drives: Drives,
        suspended_in: SuspendedIn,
        switches: Switches,
        pool: Pool,
        initially: Initially,
        instance_of: InstanceOf,
        code_of: CodeOf,
        is_class: IsClass,
        is_namespace: IsNamespace,
        owner: Owner,
        super_owner: SuperOwner,
        missing: Missing,
        descriptor: Descriptor,
        present: Present,
        deletes_attribute: DeletesAttribute,
        immutable: Immutable,
        inert: Inert,
        cached: Cached,
        some_name: SomeName,
        function_class: FunctionClass,
        plain_method: PlainMethod,
        static_wrapper: StaticWrapper,
        class_wrapper: ClassWrapper,
        getter: Getter,
        remembers: Remembers,
        setter: Setter,
        deleter: Deleter,
        stores_class: StoresClass,
        bound_class: BoundClass,
        special: Special,
        foreign_member: ForeignMember,
        foreign_class: ForeignClass,
        known_member: KnownMember,
        modelled: Modelled,
        unmodelled: Unmodelled,
        hub: Hub,
        unresolved: Unresolved,
        model_makes: ModelMakes,
        model_makes_inner: ModelMakesInner,
        inner_port: InnerPort,
        model_fills: ModelFills,
        model_fills_inner: ModelFillsInner,
        model_aligned: ModelAligned,
        keeps_positions: KeepsPositions,
        supplements: Supplements,
        named_field: NamedField,
        takes_items: TakesItems,
        takes_attributes: TakesAttributes,
        omits: Omits,
        none_class: NoneClass,
        above: Above,
        model_part: ModelPart,
        model_copies: ModelCopies,
        model_copies_deep: ModelCopiesDeep,
        fixed: Fixed,
        library_property: LibraryProperty,
        model_gives: ModelGives,
        model_alias: ModelAlias,
        model_lazy: ModelLazy,
        view_class: ViewClass,
        goes_over: GoesOver,
        passes_on: PassesOn,
        runs_code: RunsCode,
        goes_through: GoesThrough,
        stream: Stream,
        model_selects: ModelSelects,
        model_hook: ModelHook,
        model_asks: ModelAsks,
        model_hashes: ModelHashes,
        unhashable: Unhashable,
        hook_argument: HookArgument,
        hook_text: HookText,
        library_class: LibraryClass,
        model_path: ModelPath,
        port_variable: PortVariable,
        port_store: PortStore,
        lazy_callback: LazyCallback,
        port_position: PortPosition,
        port_name: PortName,
        model_touches: ModelTouches,
        world: World,
        looks_into: LooksInto,
        takes_position: TakesPosition,
        self_matching: SelfMatching,
        model_flow: ModelFlow,
    }
    effects {
        integer_class: IntegerClass,
        iterator_class: IteratorClass,
        keeps_length: KeepsLength,
        deletes_item: DeletesItem,
        resizes: Resizes,
        model_writes: ModelWrites,
        port_influence: PortInfluence,
        healing_point: HealingPoint,
        repeat_point: RepeatPoint,
        abandoned_root: AbandonedRoot,
    }
    taint {
        edge: Edge,
        onward: Onward,
        handler: Handler,
        suspends: Suspends,
        class_field: ClassField,
        swallows: Swallows,
        chooses_callee: ChoosesCallee,
        names_attribute: NamesAttribute,
        bound_by: BoundBy,
        recovers: Recovers,
        entry: Entry,
        exit: Exit,
        controls: Controls,
        controls_if_caught: ControlsIfCaught,
        gate: Gate,
        decides: Decides,
        inspects: Inspects,
        seeks: Seeks,
        inspects_shape: InspectsShape,
        asks_object: AsksObject,
        asks_class: AsksClass,
        plain_shape: PlainShape,
        plain_check: PlainCheck,
        inspects_any: InspectsAny,
        built_in: BuiltIn,
        idle: Idle,
        derives: Derives,
        answering: Answering,
        distinct: Distinct,
        adds_element: AddsElement,
        may_raise: MayRaise,
        steady: Steady,
        answered: Answered,
        receiver: Receiver,
        kills: Kills,
        clears: Clears,
        placed: Placed,
        lands: Lands,
        picks: Picks,
        arrives: Arrives,
        meets: Meets,
        model_reads: ModelReads,
        model_decides: ModelDecides,
        calls_back: CallsBack,
        healed_variable: HealedVariable,
        healed_at: HealedAt,
        endorses: Endorses,
        guarded: Guarded,
        passes_guard: PassesGuard,
        protected: Protected,
        protected_code: ProtectedCode,
        constructor_code: ConstructorCode,
        constructs: Constructs,
        watches_parameter: WatchesParameter,
        operation_point: OperationPoint,
        operation_name: OperationName,
        watches: Watches,
        watches_receiver: WatchesReceiver,
        body_reads: BodyReads,
    }
}
