//! Layer 3: where healed state arrives: variables, places at program points, branches, protected operations.
//!
//! Reachability over program points and places. A place is tainted *on entry to* a point; what a point itself writes is
//! tainted behind it. Calls are entered and left in the context of their site; along the live stack every live call is
//! one such site.

#![allow(
    clippy::iter_over_hash_type,
    reason = "crepe iterates over its own sets; what it computes does not depend on the order"
)]
#![allow(unused_imports, reason = "the functions are named by rules, which the crate of the evaluator reads as text")]

use crate::crepe;
use crate::schema::{
    Ctx, FIRST, Field, Func, Model, Obj, Operation, Point, Port, Role, SECOND, Shift, Var, allocated, binds_receiver,
    chosen_by_library, gives_result, is_constant, is_contained, is_entry, is_far, is_hook, is_item, is_opaque,
    is_table, item_of, may_be_same, opaque, parameter_of,
};

crepe! {
    // ---------------------------------------------------------------- facts, as in the layers before

    @input
    pub struct InFunction(pub Point, pub Func);
    @input
    pub struct Copies(pub Var, pub Var);
    @input
    pub struct LoadsPlace(pub Point, pub Var, pub Obj, pub Field);
    @input
    pub struct StoresPlace(pub Point, pub Obj, pub Field, pub Var);
    @input
    pub struct LoadsRaw(pub Point, pub Var, pub Var, pub Field);
    @input
    pub struct StoresRaw(pub Point, pub Var, pub Field, pub Var);
    @input
    pub struct LoadsAttribute(pub Point, pub Var, pub Var, pub Field);
    @input
    pub struct StoresAttribute(pub Point, pub Var, pub Field, pub Var);
    @input
    pub struct LoadsItem(pub Point, pub Var, pub Var, pub Var);
    @input
    pub struct StoresItem(pub Point, pub Var, pub Var, pub Var);
    @input
    pub struct DeletesItem(pub Point, pub Var, pub Var);
    @input
    pub struct DeletesAttribute(pub Point, pub Var, pub Field);
    @input
    pub struct CreatesObject(pub Obj);
    @input
    pub struct KeepsDefaults(pub Field, pub Obj);
    @input
    pub struct DefaultsOf(pub Obj, pub Obj);
    @input
    pub struct Ancestor(pub Obj, pub Obj);
    @input
    pub struct ClassData(pub Obj, pub Field);
    @input
    pub struct ClassPart(pub Obj, pub Obj);
    @input
    pub struct FallsBack(pub Ctx, pub Point);
    @input
    pub struct StopHolds(pub Obj, pub Obj, pub Field);
    @input
    pub struct EndsBy(pub Ctx, pub Point);
    @input
    pub struct ModelSends(pub Model, pub Port);
    @input
    pub struct Spreads(pub Point, pub Var, pub Var);
    @input
    pub struct Shifts(pub Point, pub Var);
    @input
    pub struct SliceClass(pub Obj);
    @input
    pub struct IteratesKeys(pub Obj);
    @input
    pub struct Nexts(pub Point, pub Var, pub Var);
    @input
    pub struct Operates(pub Point, pub Var, pub Var);
    @input
    pub struct CallsValue(pub Point, pub Var);
    @input
    pub struct CallsMethod(pub Point, pub Var, pub Field);
    @input
    pub struct CallResult(pub Point, pub Var);
    @input
    pub struct Argument(pub Point, pub u32, pub Var);
    @input
    pub struct KeywordArgument(pub Point, pub u32, pub Var);
    @input
    pub struct SpreadArgument(pub Point, pub Var);
    @input
    pub struct Operand(pub Point, pub Var);
    @input
    pub struct Parameter(pub Func, pub u32, pub Var);
    @input
    pub struct NamedParameter(pub Func, pub u32, pub Var);
    @input
    pub struct RestParameter(pub Func, pub Point);
    @input
    pub struct RestItem(pub Func, pub u32, pub Field);
    @input
    pub struct RestNames(pub Func, pub Point, pub Point);
    @input
    pub struct NameItem(pub u32, pub Field);
    @input
    pub struct KeepsDefault(pub Ctx, pub Point, pub Ctx, pub Obj, pub Var, pub Field);
    @input
    pub struct Returns(pub Func, pub Point, pub Var);
    @input
    pub struct Yields(pub Func, pub Point, pub Var);
    @input
    pub struct Deferred(pub Func, pub Obj);
    @input
    pub struct Resumes(pub Point, pub Func);
    @input
    pub struct RemainsOf(pub Func, pub Func);
    @input
    pub struct Cached(pub Obj, pub Field);
    @input
    pub struct PortPosition(pub Model, pub u32, pub Port);
    @input
    pub struct PortName(pub Model, pub u32, pub Port);
    @input
    pub struct Reachable(pub Ctx, pub Func);
    @input
    pub struct VarPointsTo(pub Ctx, pub Var, pub Obj);
    @input
    pub struct FieldPointsTo(pub Obj, pub Field, pub Obj);
    @input
    pub struct ClassOf(pub Obj, pub Obj);
    @input
    pub struct CallTo(pub Ctx, pub Point, pub Ctx, pub Obj, pub Func, pub Shift);
    @input
    pub struct Invokes(pub Ctx, pub Point, pub Obj, pub Shift, pub Obj);
    @input
    pub struct ModelCall(pub Ctx, pub Point, pub Model, pub Obj);
    @input
    pub struct Hub(pub Point, pub Point);
    @input
    pub struct UnknownCall(pub Ctx, pub Point);
    @input
    pub struct Escapes(pub Ctx, pub Point, pub Obj);
    @input
    pub struct Remembered(pub Func);
    @input
    pub struct Got(pub Ctx, pub Point, pub Ctx, pub Func);
    @input
    pub struct Runs(pub Ctx, pub Point, pub Ctx, pub Func);
    @input
    pub struct CopyOf(pub Ctx, pub Point, pub Obj, pub Obj);
    @input
    pub struct ModelCopies(pub Model, pub Port);
    @input
    pub struct ModelCopiesDeep(pub Model, pub Port);
    @input
    pub struct Iterates(pub Ctx, pub Point, pub Obj);
    @input
    pub struct IteratorOf(pub Ctx, pub Point, pub Obj, pub Obj);
    @input
    pub struct YieldedTo(pub Ctx, pub Point, pub Obj, pub Ctx, pub Func);
    @input
    pub struct Asked(pub Ctx, pub Point, pub Model, pub Obj);
    @input
    pub struct Lookup(pub Obj, pub Field, pub Obj, pub Obj);
    @input
    pub struct CallsSpecial(pub Point, pub Var, pub Field);
    @input
    pub struct IsNamespace(pub Obj);
    @input
    pub struct UpdatesInPlace(pub Point, pub Var);
    @input
    pub struct Missing(pub Obj, pub Field);
    @input
    pub struct Special(pub Field, pub Role);
    @input
    pub struct Immutable(pub Obj);
    @input
    pub struct HookArgument(pub Model, pub Port, pub Field, pub Field);
    @input
    pub struct Searches(pub Point, pub Var, pub Field);
    @input
    pub struct Keyed(pub Point, pub Var);
    @input
    pub struct ElementOf(pub Ctx, pub Point, pub Obj, pub Ctx, pub Func);
    @input
    pub struct GeneratorOf(pub Obj, pub Ctx, pub Func);
    @input
    pub struct PortHolds(pub Ctx, pub Point, pub Model, pub Port, pub Obj);
    @input
    pub struct Reaches(pub Obj, pub Obj);
    @input
    pub struct Contains(pub Obj, pub Obj);
    @input
    pub struct PortContent(pub Ctx, pub Point, pub Model, pub Port, pub Field, pub Obj);
    @input
    pub struct LibraryClass(pub Obj);
    @input
    pub struct MemberFound(pub Ctx, pub Point, pub Obj, pub Field, pub Obj, pub Obj);
    @input
    pub struct ClassMember(pub Ctx, pub Point, pub Obj, pub Field, pub Obj, pub Obj);
    @input
    pub struct CallsReflected(pub Point, pub Var, pub Field);
    @input
    pub struct CodeIs(pub Obj, pub Func);
    @input
    pub struct AlignedMirror(pub Obj, pub Field, pub Obj);
    @input
    pub struct ChangedClass(pub Obj);
    @input
    pub struct ModelAligned(pub Model, pub Port, pub Field, pub Port);
    @input
    pub struct CopiedBy(pub Ctx, pub Point, pub Obj, pub Field, pub Ctx, pub Func);
    @input
    pub struct NamedField(pub Model, pub u32, pub Port, pub Field);
    @input
    pub struct TakesItems(pub Model, pub Port);
    @input
    pub struct TakesAttributes(pub Model, pub Port);
    @input
    pub struct KeepsPositions(pub Obj, pub Field);
    @input
    pub struct AttributeKey(pub Field, pub Field);
    @input
    pub struct DictionaryOf(pub Obj, pub Obj);
    @input
    pub struct Mirrors(pub Obj, pub Field, pub Obj, pub Field);
    @input
    pub struct ModelLazy(pub Model);
    @input
    pub struct ModelSelects(pub Model, pub Port);
    @input
    pub struct Writes(pub Ctx, pub Point, pub Obj, pub Field);
    @input
    pub struct AddsKey(pub Ctx, pub Point, pub Obj);
    @input
    pub struct Healing(pub Ctx, pub Point);
    @input
    pub struct Repeats(pub Ctx, pub Point);
    @input
    pub struct Skipped(pub Obj, pub Field);

    // ---------------------------------------------------------------- facts of this layer

    @input
    /// `edge(p, q)`: control goes from `p` to `q`.
    pub struct Edge(pub Point, pub Point);
    @input
    /// `handler(p, q)`: an exception raised at `p` is caught at `q`.
    pub struct Handler(pub Point, pub Point);
    @input
    /// `suspends(f, p)`: `f` may give control away at `p`, and goes on there later.
    pub struct Suspends(pub Func, pub Point);
    @input
    /// `class_field(x)`: the class of an object is its attribute `x`.
    pub struct ClassField(pub Field);
    @input
    pub struct LoadsClass(pub Point, pub Var, pub Var);
    @input
    /// `swallows(p)`: an exception that says that an attribute is missing goes no further than `p`.
    pub struct Swallows(pub Point);
    @input
    /// `chooses_callee(p, v)`: `v` keeps the name of the method that `p` calls.
    pub struct ChoosesCallee(pub Point, pub Var);
    @input
    /// `names_attribute(p, b, v)`: what `v` holds is the name under which `p` writes an attribute of `b`.
    pub struct NamesAttribute(pub Point, pub Var, pub Var);
    @input
    /// `bound_by(p, q)`: whether the variable that `p` reads is bound is decided at `q`.
    pub struct BoundBy(pub Point, pub Point);
    @input
    /// `recovers(p)`: when `p` raises, the body may go on behind a handler.
    pub struct Recovers(pub Point);
    @input
    /// `entry(f, p)`: `f` begins at `p`.
    pub struct Entry(pub Func, pub Point);
    @input
    /// `exit(f, p)`: `f` ends at `p`.
    pub struct Exit(pub Func, pub Point);
    @input
    /// `controls(p, q)`: whether `q` runs is decided at `p`.
    pub struct Controls(pub Point, pub Point);
    @input
    /// `controls_if_caught(p, q)`: so it is where an exception that leaves the body is caught outside.
    pub struct ControlsIfCaught(pub Point, pub Point);
    @input
    /// `gate(v, p)`: which value `v` has at a join is decided at `p`.
    pub struct Gate(pub Var, pub Point);
    @input
    /// `decides(p, v)`: the branch at `p` looks at `v`.
    pub struct Decides(pub Point, pub Var);
    @input
    /// `inspects(p, v, s)`: `v` is computed from everything inside of `s`.
    pub struct Inspects(pub Point, pub Var, pub Var);
    @input
    /// `seeks(p, v, s)`: `v` is whether something is in `s`.
    pub struct Seeks(pub Point, pub Var, pub Var);
    @input
    /// `inspects_shape(p, v, s)`: `v` is computed from the number of what is inside of `s`.
    pub struct InspectsShape(pub Point, pub Var, pub Var);
    @input
    /// `asks_object(p, v, s)`: `v` is what the class of `s` answers for it.
    pub struct AsksObject(pub Point, pub Var, pub Var);
    @input
    /// `asks_class(p, v, s, k)`: `v` says whether `s` is an instance of the class in `k`.
    pub struct AsksClass(pub Point, pub Var, pub Var, pub Var);
    @input
    /// `plain_shape(k)`: an object of the library class `k` answers by its shape alone.
    pub struct PlainShape(pub Obj);
    @input
    /// `plain_check(k)`: whether something is an instance of `k` is decided by its class alone.
    pub struct PlainCheck(pub Obj);
    @input
    /// `inspects_any(p, v, s)`: so it is, whatever class `s` has.
    pub struct InspectsAny(pub Point, pub Var, pub Var);
    @input
    /// `derives(p, v, s)`: `v` is computed from the value `s` itself.
    pub struct Derives(pub Point, pub Var, pub Var);
    @input
    /// `answering(x)`: what the special method `x` answers decides what is asked next: a comparison, a truth, a hash.
    pub struct Answering(pub Field);
    @input
    /// `distinct(k)`: an object of class `k` keeps one of equal elements.
    pub struct Distinct(pub Obj);
    @input
    /// `adds_element(p, b, v)`: `v`, or what is in it, becomes an element of `b`, beside others.
    pub struct AddsElement(pub Point, pub Var, pub Var);
    @input
    /// `may_raise(p)`: `p` may raise for some values of its operands.
    pub struct MayRaise(pub Point);
    @input
    /// `steady(p)`: whether `p` raises is decided by what it calls, and not by the values of its operands.
    pub struct Steady(pub Point);
    @input
    /// `answered(p)`: what the operator at `p` gives is what methods of the program return.
    pub struct Answered(pub Point);
    @input
    /// `receiver(p, b)`: `b` becomes the receiver of what `p` calls.
    pub struct Receiver(pub Point, pub Var);
    @input
    /// `kills(c, p, o, x)`: `p` certainly overwrites the place `o.x`.
    pub struct Kills(pub Ctx, pub Point, pub Obj, pub Field);
    @input
    /// `clears(c, p, o)`: `p` certainly takes out everything that the container `o` held.
    pub struct Clears(pub Ctx, pub Point, pub Obj);
    @input
    /// `placed(c, p, v)`: of the items in `v` it is known where `p` puts each, or which one it takes.
    pub struct Placed(pub Ctx, pub Point, pub Var);
    @input
    /// `lands(c, p, o, x, t, y)`: then `p` puts the item `x` of `o` to the position `y` of `t`.
    pub struct Lands(pub Ctx, pub Point, pub Obj, pub Field, pub Obj, pub Field);
    @input
    /// `picks(c, p, o, x)`: or the item of `o` that `p` reads or writes is `x`.
    pub struct Picks(pub Ctx, pub Point, pub Obj, pub Field);
    @input
    /// `arrives(c, p, o, x, i)`: or the item `x` of `o` becomes argument `i` of the call at `p`.
    pub struct Arrives(pub Ctx, pub Point, pub Obj, pub Field, pub u32);
    @input
    /// `meets(c, p, o, x, n)`: or the argument with the name `n`.
    pub struct Meets(pub Ctx, pub Point, pub Obj, pub Field, pub u32);
    @input
    /// `model_flow(m, a, x, y, b, z, w)`: what port `b`, path `z.w` holds depends on port `a`, path `x.y`.
    pub struct ModelFlow(pub Model, pub Port, pub Field, pub Field, pub Port, pub Field, pub Field);
    @input
    pub struct PortVariable(pub Point, pub Model, pub Port, pub Field, pub Field, pub Var);
    @input
    pub struct PortInfluence(pub Point, pub Point, pub Model, pub Port, pub Field, pub Field, pub Var);
    @input
    /// `model_reads(m, a, x, y)`: what port `a`, path `x.y` holds influences something.
    pub struct ModelReads(pub Model, pub Port, pub Field, pub Field);
    @input
    /// `model_decides(m, a, x, y)`: whether the function calls back depends on what port `a`, path `x.y` holds.
    pub struct ModelDecides(pub Model, pub Port, pub Field, pub Field);
    @input
    /// `calls_back(p, m, q)`: the model `m` called at `p` makes the call `q`.
    pub struct CallsBack(pub Point, pub Model, pub Point);
    @input
    /// `built_in(k)`: `k` is a class of the library, or has one above it that is more than `object`.
    pub struct BuiltIn(pub Obj);
    @input
    /// `idle(k)`: what the class `k` does for operators and texts looks at which object it is given, and at nothing inside.
    pub struct Idle(pub Obj);
    @input
    /// `healed_variable(v)`: the healing wrote `v`, or `v` is stale because of it.
    pub struct HealedVariable(pub Var);
    @input
    /// `healed_at(p)`: the last point of the healing.
    pub struct HealedAt(pub Point);
    @input
    /// `endorses(f)`: what `f` returns is no longer healed state.
    pub struct Endorses(pub Func);
    @input
    /// `guarded(c, v, s)`: `v` is `s` behind a guard that let it pass.
    pub struct Guarded(pub Ctx, pub Var, pub Var);
    @input
    /// `passes_guard(v, s)`: `v` is `s` behind something that may be a guard.
    pub struct PassesGuard(pub Var, pub Var);

    @input
    /// `protected(o, n)`: calling `o` is the operation `n`.
    pub struct Protected(pub Obj, pub Operation);
    @input
    /// `protected_code(f, n)`: entering the body `f` is the operation `n`.
    pub struct ProtectedCode(pub Func, pub Operation);
    @input
    /// `constructor_code(f, n)`: entering the body `f` makes an object of the class that is the operation `n`.
    pub struct ConstructorCode(pub Func, pub Operation);
    @input
    /// `constructs(k, f, n)`: so does entering `f`, which a class above has, for an object of class `k`.
    pub struct Constructs(pub Obj, pub Func, pub Operation);
    @input
    /// `watches_parameter(f, n, v)`: the operation `n`, whose body is `f`, watches its parameter `v`.
    pub struct WatchesParameter(pub Func, pub Operation, pub Var);
    @input
    /// `operation_point(p, n)`: `p` is part of the statement that is the operation `n`, or may call it by its name.
    pub struct OperationPoint(pub Point, pub Operation);
    @input
    /// `operation_name(p, n)`: unknown code called at `p` may be the operation `n`: it has its name.
    pub struct OperationName(pub Point, pub Operation);
    @input
    /// `watches(p, n, v)`: a call of `n` at `p` watches `v`.
    pub struct Watches(pub Point, pub Operation, pub Var);
    @input
    /// `watches_receiver(n)`: calls of `n` watch their receiver.
    pub struct WatchesReceiver(pub Operation);
    @input
    /// `body_reads(n, f, p, v)`: the body `f` of `n` reads a global or cell into `v` at `p`.
    pub struct BodyReads(pub Operation, pub Func, pub Point, pub Var);

    // ---------------------------------------------------------------- derived

    @output
    /// `tainted(c, v)`: the value of `v` depends on healed state.
    pub struct TaintedVar(pub Ctx, pub Var);
    @output
    /// `tainted_place(c, p, o, x)`: on entry to `p`, what `o.x` holds depends on healed state.
    pub struct TaintedPlace(pub Ctx, pub Point, pub Obj, pub Field);
    @output
    /// `tainted_after(c, p, o, x)`: `p` leaves a value in `o.x` that depends on healed state.
    pub struct TaintedAfter(pub Ctx, pub Point, pub Obj, pub Field);
    @output
    /// `regards(o)`: operators and texts look into `o`.
    pub struct Regards(pub Obj);
    @output
    /// `regards_at(c, p, o)`: `p` looks into `o`.
    pub struct RegardsAt(pub Ctx, pub Point, pub Obj);
    @output
    /// `touched(c, o)`: code that runs in context `c`, or is called there, has `o` at hand.
    pub struct Touched(pub Ctx, pub Obj);
    @output
    /// `held(o)`: `o` is there whether or not a variable has it.
    pub struct Held(pub Obj);
    @output
    /// `calling(c)`: something is called in context `c`.
    pub struct Calling(pub Ctx);
    @output
    /// `kept(c, o)`: `o` may be used in context `c` when a call there has ended.
    pub struct Kept(pub Ctx, pub Obj);
    @output
    /// `tainted_branch(c, p)`: which way control goes at `p` depends on healed state.
    pub struct TaintedBranch(pub Ctx, pub Point);
    @output
    /// `branch_controlled(c, p)`: whether `p` runs in its activation depends on healed state.
    pub struct BranchControlled(pub Ctx, pub Point);
    @output
    /// `invoked(c, f)`: whether `f` is entered depends on healed state.
    pub struct Invoked(pub Ctx, pub Func);
    @output
    /// `controlled(c, p)`: whether `p` runs depends on healed state.
    pub struct Controlled(pub Ctx, pub Point);
    @output
    /// `tainted_callee(c, p)`: what `p` calls depends on healed state.
    pub struct TaintedCallee(pub Ctx, pub Point);
    @output
    /// `tainted_raise(c, p)`: whether `p` raises depends on healed state.
    pub struct TaintedRaise(pub Ctx, pub Point);
    @output
    /// `caught(c, f)`: an exception that leaves `f` is caught, and the program goes on.
    pub struct Caught(pub Ctx, pub Func);
    @output
    /// `handled(c, f)`: an exception that leaves `f` comes to a handler, which may raise it again.
    pub struct Handled(pub Ctx, pub Func);
    @output
    /// `raises_tainted(c, f)`: whether an exception leaves `f` depends on healed state.
    pub struct RaisesTainted(pub Ctx, pub Func);
    @output
    /// `port_tainted(c, p, m, a)`: the value given at port `a` depends on healed state.
    pub struct PortTainted(pub Ctx, pub Point, pub Model, pub Port);
    @output
    /// `flow_tainted(c, p, m, a, x, y)`: what the model reads at port `a`, path `x.y`, depends on healed state.
    pub struct FlowTainted(pub Ctx, pub Point, pub Model, pub Port, pub Field, pub Field);
    @output
    /// `unknown_tainted(c, p)`: unknown code at `p` is given healed state.
    pub struct UnknownTainted(pub Ctx, pub Point);
    @output
    /// `yields_tainted(c, p)`: what the generators that `p` runs yield depends on healed state.
    pub struct YieldsTainted(pub Ctx, pub Point);
    @output
    /// `tainted_key(c, p, v)`: the key `v`, or what it contains, depends on healed state.
    pub struct TaintedKey(pub Ctx, pub Point, pub Var);
    @output
    /// `tainted_answer(c, p)`: what special methods that `p` calls answer depends on healed state.
    pub struct TaintedAnswer(pub Ctx, pub Point);
    @output
    /// `operation_call(c, p, n)`: `p` performs the operation `n`.
    pub struct OperationCall(pub Ctx, pub Point, pub Operation);
    @output
    /// `watched_object(c, p, n, o)`: the operation watches the object `o`.
    pub struct WatchedObject(pub Ctx, pub Point, pub Operation, pub Obj);
    @output
    /// `reached(n, c, p)`: healed state reaches the operation through a value.
    pub struct ReachedExplicit(pub Operation, pub Ctx, pub Point);
    @output
    /// `reached_implicit(n, c, p)`: healed state decides whether the operation runs.
    pub struct ReachedImplicit(pub Operation, pub Ctx, pub Point);
    @output
    /// `reached_direct(n, c, p)`: the healing performs the operation.
    pub struct ReachedDirect(pub Operation, pub Ctx, pub Point);
    @output
    /// `reached_repeat(n, c, p)`: the retried statement performs the operation twice.
    pub struct ReachedRepeat(pub Operation, pub Ctx, pub Point);

    // ---------------------------------------------------------------- sources

    // [taint/healed-variable] A variable that the healing wrote is healed state.
    TaintedVar(Ctx::LIVE, v) <-
        HealedVariable(v);

    // [taint/healed-place] So is a place.
    TaintedAfter(c, p, o, x) <-
        Healing(c, p),
        Writes(c, p, o, x);

    // [taint/skipped-place] And a place that is stale because its write was skipped.
    TaintedAfter(Ctx::LIVE, p, o, x) <-
        Skipped(o, x),
        HealedAt(p);

    // ---------------------------------------------------------------- variables

    // [taint/copy] A copy of healed state is healed state.
    TaintedVar(c, w) <-
        TaintedVar(c, v),
        Copies(w, v);

    // [taint/derive] So is what is computed from it.
    TaintedVar(c, w) <-
        TaintedVar(c, v),
        Derives(p, w, v),
        !Answered(p);

    // [taint/join] Which value arrives at a join depends on the branches that lead there.
    TaintedVar(c, w) <-
        TaintedBranch(c, p),
        Gate(w, p);

    // [taint/guard] What passes something that is not a guard stays what it is.
    TaintedVar(c, w) <-
        TaintedVar(c, v),
        PassesGuard(w, v),
        !Guarded(c, w, v);

    // [taint/regard] What is built in looks into objects of the library.
    Regards(o) <-
        ClassOf(o, k),
        BuiltIn(k);

    // [taint/regard-changed] And into those whose classes may have been given methods that do.
    Regards(o) <-
        ClassOf(o, k),
        ChangedClass(k);

    // [taint/regard-opaque] And into those of which nothing is known.
    Regards(o) <-
        VarPointsTo(_, _, o),
        (is_opaque(o));

    // [taint/regard-method] What an object does without Python code may look into it, too.
    RegardsAt(c, p, o) <-
        CallsSpecial(p, b, x),
        VarPointsTo(c, b, o),
        ClassOf(o, k),
        Lookup(k, x, m, q),
        !Idle(q),
        !CodeIs(m, _);

    // [taint/regard-reflected] On the right of an operator as well.
    RegardsAt(c, p, o) <-
        CallsReflected(p, b, x),
        VarPointsTo(c, b, o),
        ClassOf(o, k),
        Lookup(k, x, m, q),
        !Idle(q),
        !CodeIs(m, _);

    // [taint/operate-content] An operator on containers looks at what they hold.
    TaintedVar(c, w) <-
        TaintedPlace(c, p, o, _),
        Regards(o),
        VarPointsTo(c, v, o),
        Operates(p, w, v),
        !Answered(p);

    // [taint/operate-content-method] So may one on an object that does it without Python code.
    TaintedVar(c, w) <-
        TaintedPlace(c, p, o, _),
        RegardsAt(c, p, o),
        VarPointsTo(c, v, o),
        Operates(p, w, v),
        !Placed(c, p, v);

    // [taint/operate-shape] Or at how much that is, where it is known which item goes where.
    TaintedVar(c, w) <-
        TaintedPlace(c, p, o, z),
        (!is_entry(z)),
        VarPointsTo(c, v, o),
        Operates(p, w, v);

    // [taint/land] Items take the positions that they are put to.
    TaintedAfter(c, p, t, y) <-
        TaintedPlace(c, p, o, z),
        Lands(c, p, o, x, t, y),
        (may_be_same(x, z));

    // [taint/inspect-content] A comparison or a text looks at what an object holds.
    TaintedVar(c, w) <-
        TaintedPlace(c, p, o, _),
        Regards(o),
        VarPointsTo(c, v, o),
        Inspects(p, w, v),
        !Answered(p);

    // [taint/inspect-content-method] Or what an object does without Python code.
    TaintedVar(c, w) <-
        TaintedPlace(c, p, o, _),
        RegardsAt(c, p, o),
        VarPointsTo(c, v, o),
        Inspects(p, w, v);

    // [taint/inspect-content-member] Or membership, which goes through objects of any class.
    TaintedVar(c, w) <-
        TaintedPlace(c, p, o, _),
        VarPointsTo(c, v, o),
        InspectsAny(p, w, v);

    // [taint/inspect-deep] And at what can be reached from there.
    TaintedVar(c, w) <-
        TaintedPlace(c, p, q, _),
        Reaches(o, q),
        Regards(o),
        VarPointsTo(c, v, o),
        Inspects(p, w, v),
        !Answered(p);

    // [taint/seek-content] A search looks through what a container holds.
    TaintedVar(c, w) <-
        TaintedPlace(c, p, o, _),
        VarPointsTo(c, v, o),
        Seeks(p, w, v),
        ClassOf(o, k),
        !IteratesKeys(k);

    // [taint/seek-deep] And at what can be reached from there.
    TaintedVar(c, w) <-
        TaintedPlace(c, p, q, _),
        Reaches(o, q),
        VarPointsTo(c, v, o),
        Seeks(p, w, v),
        ClassOf(o, k),
        !IteratesKeys(k);

    // [taint/seek-key] In a mapping, which keys there are.
    TaintedVar(c, w) <-
        TaintedPlace(c, p, o, z),
        (!is_entry(z)),
        VarPointsTo(c, v, o),
        Seeks(p, w, v);

    // [taint/seek-key-content] And what the keys hold.
    TaintedVar(c, w) <-
        TaintedPlace(c, p, y, _),
        FieldPointsTo(o, Field::KEYS, y),
        VarPointsTo(c, v, o),
        Seeks(p, w, v);

    // [taint/seek-key-deep] Further inside.
    TaintedVar(c, w) <-
        TaintedPlace(c, p, q, _),
        Reaches(y, q),
        FieldPointsTo(o, Field::KEYS, y),
        VarPointsTo(c, v, o),
        Seeks(p, w, v);

    // [taint/inspect-shape] A test of emptiness looks at how many there are.
    TaintedVar(c, w) <-
        TaintedPlace(c, p, o, Field::SHAPE),
        VarPointsTo(c, v, o),
        InspectsShape(p, w, v);

    // [taint/inspect-unknown] Of something that may hold healed state anywhere.
    TaintedVar(c, w) <-
        TaintedPlace(c, p, o, Field::ANY),
        VarPointsTo(c, v, o),
        InspectsShape(p, w, v);

    // [taint/ask-object] An object of another class may answer by anything that it holds.
    TaintedVar(c, w) <-
        TaintedPlace(c, p, o, _),
        VarPointsTo(c, v, o),
        AsksObject(p, w, v),
        ClassOf(o, k),
        !PlainShape(k);

    // [taint/ask-unknown] So may one of which not even the class is known.
    TaintedVar(c, w) <-
        TaintedPlace(c, p, o, _),
        VarPointsTo(c, v, o),
        AsksObject(p, w, v),
        !ClassOf(o, _);

    // [taint/ask-object-deep] And by what can be reached from there.
    TaintedVar(c, w) <-
        TaintedPlace(c, p, q, _),
        Reaches(o, q),
        VarPointsTo(c, v, o),
        AsksObject(p, w, v),
        ClassOf(o, k),
        !PlainShape(k);

    // [taint/ask-class] A class with a metaclass of its own may look at what its instances hold.
    TaintedVar(c, w) <-
        TaintedPlace(c, p, o, _),
        VarPointsTo(c, v, o),
        AsksClass(p, w, v, s),
        VarPointsTo(c, s, k),
        !PlainCheck(k);

    // [taint/ask-class-deep] And at what can be reached from there.
    TaintedVar(c, w) <-
        TaintedPlace(c, p, q, _),
        Reaches(o, q),
        VarPointsTo(c, v, o),
        AsksClass(p, w, v, s),
        VarPointsTo(c, s, k),
        !PlainCheck(k);

    // [taint/inspect-deep-method] So may such a method.
    TaintedVar(c, w) <-
        TaintedPlace(c, p, q, _),
        Reaches(o, q),
        RegardsAt(c, p, o),
        VarPointsTo(c, v, o),
        Inspects(p, w, v);

    // [taint/inspect-deep-member] And membership.
    TaintedVar(c, w) <-
        TaintedPlace(c, p, q, _),
        Reaches(o, q),
        VarPointsTo(c, v, o),
        InspectsAny(p, w, v);

    // ---------------------------------------------------------------- loads

    // [taint/load-global] A global that holds healed state.
    TaintedVar(c, v) <-
        TaintedPlace(c, p, o, z),
        LoadsPlace(p, v, o, x),
        (may_be_same(x, z));

    // [taint/load-raw] A cell that holds healed state.
    TaintedVar(c, v) <-
        TaintedPlace(c, p, o, z),
        VarPointsTo(c, b, o),
        LoadsRaw(p, v, b, x),
        (may_be_same(x, z));

    // [taint/load-attribute] An attribute that holds healed state.
    TaintedVar(c, v) <-
        TaintedPlace(c, p, o, z),
        VarPointsTo(c, b, o),
        LoadsAttribute(p, v, b, x),
        (may_be_same(x, z));

    // [taint/load-member] An attribute found in a class that holds healed state.
    TaintedVar(c, v) <-
        TaintedPlace(c, p, q, z),
        MemberFound(c, p, _, x, _, q),
        (may_be_same(x, z)),
        LoadsAttribute(p, v, _, x);

    // [taint/load-class-attribute] An attribute of a class that holds healed state.
    TaintedVar(c, v) <-
        TaintedPlace(c, p, q, z),
        ClassMember(c, p, _, x, _, q),
        (may_be_same(x, z)),
        LoadsAttribute(p, v, _, x);

    // [taint/load-picked] An item that is counted from the end.
    TaintedVar(c, v) <-
        TaintedPlace(c, p, o, z),
        Picks(c, p, o, x),
        (may_be_same(x, z)),
        VarPointsTo(c, b, o),
        LoadsItem(p, v, b, _);

    // [taint/load-item] An item that holds healed state.
    TaintedVar(c, v) <-
        TaintedPlace(c, p, o, z),
        VarPointsTo(c, b, o),
        LoadsItem(p, v, b, k),
        !Placed(c, p, b),
        VarPointsTo(c, k, i),
        let t = item_of(i),
        (may_be_same(t, z));

    // [taint/load-position] Which item stands at a position depends on the shape.
    TaintedVar(c, v) <-
        TaintedPlace(c, p, o, Field::SHAPE),
        VarPointsTo(c, b, o),
        LoadsItem(p, v, b, _);

    // [taint/key] A key that is healed state.
    TaintedKey(c, p, v) <-
        TaintedVar(c, v),
        Keyed(p, v);

    // [taint/key-content] Or one that holds it.
    TaintedKey(c, p, v) <-
        TaintedPlace(c, p, q, z),
        (is_contained(z)),
        VarPointsTo(c, v, q),
        Keyed(p, v);

    // [taint/key-inside] Further inside.
    TaintedKey(c, p, v) <-
        TaintedPlace(c, p, q, z),
        (is_contained(z)),
        Contains(o, q),
        VarPointsTo(c, v, o),
        Keyed(p, v);

    // [taint/load-key] Which item is found depends on the key.
    TaintedVar(c, v) <-
        TaintedKey(c, p, k),
        LoadsItem(p, v, _, k);

    // [taint/search-key] Or whether there is one.
    TaintedVar(c, v) <-
        TaintedKey(c, p, _),
        Searches(p, _, _),
        CallResult(p, v);

    // [taint/next-item] An element of a sequence that holds healed state.
    TaintedVar(c, v) <-
        TaintedPlace(c, p, o, z),
        (is_item(z)),
        VarPointsTo(c, s, o),
        Nexts(p, v, s),
        !Placed(c, p, s),
        ClassOf(o, k),
        !IteratesKeys(k);

    // [taint/next-picked] Or the one that is known to be taken.
    TaintedVar(c, v) <-
        TaintedPlace(c, p, o, z),
        Picks(c, p, o, x),
        (may_be_same(x, z)),
        VarPointsTo(c, s, o),
        Nexts(p, v, s);

    // [taint/next-unknown] An element of something unknown.
    TaintedVar(c, v) <-
        TaintedPlace(c, p, o, Field::ANY),
        VarPointsTo(c, s, o),
        Nexts(p, v, s);

    // [taint/next-key] A key of a mapping whose keys are healed state.
    TaintedVar(c, v) <-
        TaintedPlace(c, p, o, Field::KEYS),
        VarPointsTo(c, s, o),
        Nexts(p, v, s);

    // [taint/next-shape] Which element comes next depends on the shape.
    TaintedVar(c, v) <-
        TaintedPlace(c, p, o, Field::SHAPE),
        VarPointsTo(c, s, o),
        Nexts(p, v, s);

    // [taint/next-yield] An element that a generator yields.
    TaintedVar(c, v) <-
        YieldsTainted(c, p),
        Nexts(p, v, _);

    // ---------------------------------------------------------------- stores

    // [taint/store-global] Storing healed state in a global.
    TaintedAfter(c, p, o, x) <-
        TaintedVar(c, s),
        StoresPlace(p, o, x, s);

    // [taint/store-raw] In a cell.
    TaintedAfter(c, p, o, x) <-
        TaintedVar(c, s),
        StoresRaw(p, b, x, s),
        VarPointsTo(c, b, o),
        (!is_constant(o));

    // [taint/store-attribute] In an attribute.
    TaintedAfter(c, p, o, x) <-
        TaintedVar(c, s),
        StoresAttribute(p, b, x, s),
        VarPointsTo(c, b, o),
        (!is_constant(o));

    // [taint/store-through] In an object that healed state selects.
    TaintedAfter(c, p, o, x) <-
        TaintedVar(c, b),
        VarPointsTo(c, b, o),
        (!is_constant(o)),
        StoresAttribute(p, b, x, _);

    // [taint/store-picked] In an item that is counted from the end.
    TaintedAfter(c, p, o, x) <-
        TaintedVar(c, s),
        StoresItem(p, b, _, s),
        VarPointsTo(c, b, o),
        Picks(c, p, o, x);

    // [taint/store-item] In an item.
    TaintedAfter(c, p, o, t) <-
        TaintedVar(c, s),
        StoresItem(p, b, k, s),
        !Placed(c, p, b),
        VarPointsTo(c, b, o),
        (!is_constant(o)),
        VarPointsTo(c, k, i),
        let t = item_of(i);

    // [taint/store-item-through] In an item of a container that healed state selects.
    TaintedAfter(c, p, o, Field::ANY) <-
        TaintedVar(c, b),
        VarPointsTo(c, b, o),
        (!is_constant(o)),
        StoresItem(p, b, _, _);

    // [taint/store-item-key] Under a key that healed state selects.
    TaintedAfter(c, p, o, Field::ANY) <-
        TaintedKey(c, p, k),
        StoresItem(p, b, k, _),
        VarPointsTo(c, b, o),
        (!is_constant(o));

    // [taint/delete-key] Deleting the item that healed state selects.
    TaintedAfter(c, p, o, Field::ANY) <-
        TaintedKey(c, p, k),
        DeletesItem(p, b, k),
        VarPointsTo(c, b, o),
        (!is_constant(o));

    // [taint/delete-through] Or an item of a container that it selects.
    TaintedAfter(c, p, o, Field::ANY) <-
        TaintedVar(c, b),
        DeletesItem(p, b, _),
        VarPointsTo(c, b, o),
        (!is_constant(o));

    // [taint/delete-attribute-through] Or an attribute of such an object.
    TaintedAfter(c, p, o, x) <-
        TaintedVar(c, b),
        DeletesAttribute(p, b, x),
        VarPointsTo(c, b, o),
        (!is_constant(o));

    // [taint/shift] What holds healed state behind an item that comes or goes takes another position.
    TaintedAfter(c, p, o, Field::ANY_ITEM) <-
        TaintedPlace(c, p, o, x),
        (is_item(x)),
        Shifts(p, b),
        VarPointsTo(c, b, o),
        ClassOf(o, k),
        !IteratesKeys(k);

    // [taint/store-named] An attribute whose name healed state chooses is written, or another one.
    TaintedAfter(c, p, o, x) <-
        TaintedVar(c, v),
        NamesAttribute(p, b, v),
        VarPointsTo(c, b, o),
        (!is_constant(o)),
        StoresAttribute(p, b, x, _);

    // [taint/delete-named] Or deleted.
    TaintedAfter(c, p, o, x) <-
        TaintedVar(c, v),
        NamesAttribute(p, b, v),
        VarPointsTo(c, b, o),
        (!is_constant(o)),
        DeletesAttribute(p, b, x);

    // [taint/store-named-shape] So that it is there, or is not.
    TaintedAfter(c, p, o, Field::SHAPE) <-
        TaintedVar(c, v),
        NamesAttribute(p, b, v),
        VarPointsTo(c, b, o),
        (!is_constant(o));

    // [taint/shift-slice] So it is where a slice is stored to that stands in a variable.
    TaintedAfter(c, p, o, Field::ANY_ITEM) <-
        TaintedPlace(c, p, o, x),
        (is_item(x)),
        StoresItem(p, b, t, _),
        VarPointsTo(c, b, o),
        VarPointsTo(c, t, i),
        ClassOf(i, s),
        SliceClass(s),
        ClassOf(o, k),
        !IteratesKeys(k);

    // [taint/add-element] How many elements a set has depends on which of them are equal.
    TaintedAfter(c, p, o, Field::SHAPE) <-
        TaintedKey(c, p, v),
        AddsElement(p, b, v),
        VarPointsTo(c, b, o),
        ClassOf(o, k),
        Distinct(k);

    // [taint/in-place] An operator in place changes an object of the library by its other operand, unless a model says how.
    TaintedAfter(c, p, o, Field::ANY) <-
        TaintedVar(c, r),
        Operates(p, _, r),
        UpdatesInPlace(p, b),
        VarPointsTo(c, b, o),
        ClassOf(o, k),
        LibraryClass(k),
        !IsNamespace(o),
        !Immutable(k),
        CallsSpecial(p, b, x),
        Special(x, Role::IN_PLACE),
        Missing(k, x);

    // [taint/in-place-content] By what that holds.
    TaintedAfter(c, p, o, Field::ANY) <-
        TaintedPlace(c, p, q, _),
        VarPointsTo(c, r, q),
        Operates(p, _, r),
        UpdatesInPlace(p, b),
        VarPointsTo(c, b, o),
        ClassOf(o, k),
        LibraryClass(k),
        !IsNamespace(o),
        !Immutable(k),
        CallsSpecial(p, b, x),
        Special(x, Role::IN_PLACE),
        Missing(k, x);

    // [taint/spread] Items of a container that healed state selects.
    TaintedAfter(c, p, t, Field::ANY) <-
        TaintedVar(c, s),
        Spreads(p, b, s),
        VarPointsTo(c, b, t),
        (!is_constant(t));

    // [taint/spread-item] Items that hold healed state.
    TaintedAfter(c, p, t, Field::ANY_ITEM) <-
        TaintedPlace(c, p, o, _),
        VarPointsTo(c, s, o),
        Spreads(p, b, s),
        !Placed(c, p, s),
        VarPointsTo(c, b, t),
        (!is_constant(t));

    // [taint/spread-shape] How many there are, and which keys.
    TaintedAfter(c, p, t, z) <-
        TaintedPlace(c, p, o, z),
        (!is_entry(z)),
        VarPointsTo(c, s, o),
        Spreads(p, b, s),
        VarPointsTo(c, b, t),
        (!is_constant(t));

    // [taint/store-controlled] Whatever is written where healed state decides that it is.
    TaintedAfter(c, p, o, x) <-
        Controlled(c, p),
        Writes(c, p, o, x);

    // [taint/key-controlled] Which keys there are where healed state decides that one is added.
    TaintedAfter(c, p, o, Field::SHAPE) <-
        Controlled(c, p),
        AddsKey(c, p, o);

    // ---------------------------------------------------------------- what a callee can see

    // [taint/touch] Code that has an object in a variable can look into it.
    Touched(c, o) <-
        VarPointsTo(c, _, o),
        (!is_constant(o));

    // [taint/touch-inside] And into what can be reached from it, where the whole of it is looked at.
    Touched(c, q) <-
        VarPointsTo(c, _, o),
        Reaches(o, q);

    // [taint/touch-load] Globals are looked up in their modules.
    Touched(c, o) <-
        LoadsPlace(p, _, o, _),
        InFunction(p, f),
        Reachable(c, f);

    // [taint/touch-store] And stored there.
    Touched(c, o) <-
        StoresPlace(p, o, _, _),
        InFunction(p, f),
        Reachable(c, f);

    // [taint/touch-member] Members are looked up in classes.
    Touched(c, q) <-
        MemberFound(c, _, _, _, _, q);

    // [taint/touch-class-member] Also in the class that is asked itself.
    Touched(c, q) <-
        ClassMember(c, _, _, _, _, q);

    // [taint/touch-callee] Defaults are read from the function.
    Touched(c, o) <-
        CallTo(c, _, _, o, _, _);

    // [taint/touch-defaults] And from what keeps them.
    Touched(c, t) <-
        Touched(c, o),
        DefaultsOf(t, o);

    // [taint/touch-class] Who looks at an object sees what its classes hold.
    Touched(c, q) <-
        Touched(c, o),
        ClassOf(o, k),
        Ancestor(k, q);

    // [taint/touch-class-part] And what that holds.
    Touched(c, y) <-
        Touched(c, o),
        ClassPart(o, y);

    // [taint/touch-port] Library functions look into what they are given.
    Touched(c, o) <-
        PortHolds(c, _, _, _, o),
        (!is_constant(o));

    // [taint/touch-port-inside] And into what that holds.
    Touched(c, q) <-
        PortHolds(c, _, _, _, o),
        FieldPointsTo(o, _, q),
        (!is_constant(q));

    // [taint/touch-port-deep] All the way.
    Touched(c, q) <-
        PortHolds(c, _, _, _, o),
        Reaches(o, q);

    // [taint/touch-unknown] Unknown code looks into everything.
    Touched(c, o) <-
        Escapes(c, _, o);

    // [taint/touch-mirror] Who looks into a view looks into what it shows.
    Touched(c, o) <-
        Touched(c, u),
        Mirrors(o, _, u, _);

    // [taint/touch-mirror-aligned] Also under the same positions.
    Touched(c, o) <-
        Touched(c, u),
        AlignedMirror(o, _, u);

    // [taint/touch-dictionary] So with the attributes of an object as a dictionary.
    Touched(c, o) <-
        Touched(c, made),
        DictionaryOf(made, o);

    // [taint/touch-call] What is called can do so as well.
    Touched(c, o) <-
        Touched(d, o),
        CallTo(c, _, d, _, _, _);

    // [taint/touch-run] And what runs.
    Touched(c, o) <-
        Touched(d, o),
        Runs(c, _, d, _);

    // [taint/keep-variable] An object outlives a call where the caller has it.
    Kept(c, o) <-
        VarPointsTo(c, _, o),
        (!is_constant(o));

    // [taint/keep-held] Or something else has it.
    Kept(c, o) <-
        Held(o),
        Calling(c);

    // [taint/keep-iterator] Or goes through it.
    Kept(c, r) <-
        IteratorOf(c, _, _, r);

    // [taint/hold] An object has what its fields hold.
    Held(o) <-
        FieldPointsTo(_, _, o),
        (!is_constant(o));

    // [taint/hold-generator] A generator keeps what its variables hold while it waits.
    Held(o) <-
        GeneratorOf(_, d, _),
        VarPointsTo(d, _, o),
        (!is_constant(o));

    // [taint/hold-table] What was there before the crash outlives every call.
    Held(o) <-
        VarPointsTo(_, _, o),
        (is_table(o));

    // [taint/hold-world] The world outside is there anyway.
    Held(o) <-
        PortHolds(_, _, _, _, o),
        (is_table(o));

    // [taint/hold-module] As modules and cells are.
    Held(o) <-
        StoresPlace(_, o, _, _);

    // [taint/calling] A context in which something is called.
    Calling(c) <-
        CallTo(c, _, _, _, _, _);

    // ---------------------------------------------------------------- along control flow

    // [taint/after] What a point leaves behind is there on entry to the next.
    TaintedPlace(c, q, o, x) <-
        TaintedAfter(c, p, o, x),
        Edge(p, q);

    // [taint/flow] A place stays tainted until it is certainly overwritten.
    TaintedPlace(c, q, o, x) <-
        TaintedPlace(c, p, o, x),
        !Kills(c, p, o, x),
        !Clears(c, p, o),
        Edge(p, q);

    // [taint/mirror] A view shows what its source holds.
    TaintedPlace(c, p, u, w) <-
        TaintedPlace(c, p, o, z),
        Mirrors(o, x, u, w),
        (may_be_same(x, z));

    // [taint/mirror-aligned] Under the same positions and keys where the source keeps them.
    TaintedPlace(c, p, u, x) <-
        TaintedPlace(c, p, o, x),
        (is_item(x)),
        AlignedMirror(o, z, u),
        ClassOf(o, k),
        KeepsPositions(k, z);

    // [taint/mirror-aligned-other] Or anywhere.
    TaintedPlace(c, p, u, Field::ANY_ITEM) <-
        TaintedPlace(c, p, o, x),
        (is_item(x)),
        AlignedMirror(o, z, u),
        ClassOf(o, k),
        !KeepsPositions(k, z);

    // [taint/mirror-aligned-opaque] So with an object that nothing is known of.
    TaintedPlace(c, p, u, Field::ANY_ITEM) <-
        TaintedPlace(c, p, o, x),
        (is_item(x)),
        AlignedMirror(o, _, u),
        (is_opaque(o));

    // [taint/dictionary] What is put into the `__dict__` of an object under a name is the attribute of that name.
    TaintedPlace(c, p, o, x) <-
        TaintedPlace(c, p, made, t),
        AttributeKey(t, x),
        DictionaryOf(made, o);

    // [taint/dictionary-any] Under another key, it may be any.
    TaintedPlace(c, p, o, Field::ANY) <-
        TaintedPlace(c, p, made, t),
        (t != Field::ATTRIBUTES),
        !AttributeKey(t, _),
        DictionaryOf(made, o);

    // [taint/flow-raise] An exception carries the state to its handler, before the write or after.
    TaintedPlace(c, q, o, x) <-
        TaintedPlace(c, p, o, x),
        Handler(p, q);

    // [taint/after-raise] Or after it.
    TaintedPlace(c, q, o, x) <-
        TaintedAfter(c, p, o, x),
        Handler(p, q);

    // [taint/enter] A call takes the state along.
    TaintedPlace(d, e, o, x) <-
        TaintedPlace(c, p, o, x),
        CallTo(c, p, d, _, f, _),
        !Deferred(f, _),
        Touched(d, o),
        Entry(f, e);

    // [taint/leave] And brings it back.
    TaintedAfter(c, p, o, x) <-
        TaintedPlace(d, e, o, x),
        Exit(f, e),
        !Deferred(f, _),
        CallTo(c, p, d, _, f, _),
        Kept(c, o);

    // [taint/leave-by-raise] An exception may leave a callee at any point.
    TaintedPlace(c, q, o, x) <-
        TaintedPlace(d, r, o, x),
        InFunction(r, f),
        Handled(d, f),
        CallTo(c, p, d, _, f, _),
        Kept(c, o),
        Handler(p, q);

    // [taint/live-enter] A live call takes the state along.
    TaintedPlace(Ctx::LIVE, e, o, x) <-
        TaintedPlace(Ctx::LIVE, p, o, x),
        Resumes(p, f),
        Entry(f, e);

    // [taint/live-leave] The live frame inside returns to the one around it.
    TaintedAfter(Ctx::LIVE, p, o, x) <-
        TaintedPlace(Ctx::LIVE, e, o, x),
        Exit(f, e),
        Resumes(p, f);

    // [taint/live-yield] Or gives control away to it.
    TaintedAfter(Ctx::LIVE, p, o, x) <-
        TaintedPlace(Ctx::LIVE, y, o, x),
        Suspends(f, y),
        Resumes(p, f);

    // [taint/live-leave-by-raise] Or leaves by an exception.
    TaintedPlace(Ctx::LIVE, q, o, x) <-
        TaintedPlace(Ctx::LIVE, r, o, x),
        InFunction(r, f),
        Resumes(p, f),
        Handler(p, q);

    // [taint/run] Running a generator takes the state into its body.
    TaintedPlace(d, e, o, x) <-
        TaintedPlace(c, p, o, x),
        Runs(c, p, d, f),
        Touched(d, o),
        Entry(f, e);

    // [taint/run-on] Also where it goes on after it gave control away.
    TaintedAfter(d, y, o, x) <-
        TaintedPlace(c, p, o, x),
        Runs(c, p, d, f),
        Touched(d, o),
        Suspends(f, y);

    // [taint/run-out] Giving control away brings it back.
    TaintedAfter(c, p, o, x) <-
        TaintedPlace(d, y, o, x),
        Suspends(f, y),
        Runs(c, p, d, f);

    // [taint/run-end] So does the end of the body.
    TaintedAfter(c, p, o, x) <-
        TaintedPlace(d, e, o, x),
        Exit(f, e),
        Runs(c, p, d, f);

    // ---------------------------------------------------------------- calls

    // [taint/argument] Healed state is passed as an argument.
    TaintedVar(d, w) <-
        TaintedVar(c, v),
        Argument(p, i, v),
        CallTo(c, p, d, _, f, s),
        let j = parameter_of(i, s),
        Parameter(f, j, w);

    // [taint/keyword] By name.
    TaintedVar(d, w) <-
        TaintedVar(c, v),
        KeywordArgument(p, n, v),
        CallTo(c, p, d, _, f, _),
        NamedParameter(f, n, w);

    // [taint/reflected-argument] As the left operand.
    TaintedVar(d, w) <-
        TaintedVar(c, v),
        Operates(p, _, v),
        CallTo(c, p, d, _, f, Shift::REFLECTED),
        Parameter(f, SECOND, w);

    // [taint/receiver] As the receiver.
    TaintedVar(d, w) <-
        TaintedVar(c, b),
        Receiver(p, b),
        CallTo(c, p, d, _, f, s),
        (binds_receiver(s)),
        Parameter(f, FIRST, w);

    // [taint/hook-receiver] A hook is given the object that healed state selects.
    TaintedVar(d, w) <-
        TaintedVar(c, b),
        Receiver(p, b),
        CallTo(c, p, d, _, f, Shift::HOOK),
        Parameter(f, _, w);

    // [taint/hook-value] Or a healed value that is stored.
    TaintedVar(d, w) <-
        TaintedVar(c, v),
        StoresAttribute(p, _, _, v),
        CallTo(c, p, d, _, f, Shift::HOOK),
        Parameter(f, _, w);

    // [taint/hook-port] Or what a library function is given.
    TaintedVar(d, w) <-
        PortTainted(c, p, _, _),
        CallTo(c, p, d, _, f, s),
        (is_hook(s)),
        Parameter(f, _, w);

    // [taint/hook-argument] Or what that holds.
    TaintedVar(d, w) <-
        FlowTainted(c, p, m, a, x, y),
        HookArgument(m, a, x, y),
        CallTo(c, p, d, _, f, s),
        (is_hook(s)),
        Parameter(f, _, w);

    // [taint/spread-argument] In a starred argument.
    TaintedVar(d, w) <-
        TaintedVar(c, v),
        SpreadArgument(p, v),
        CallTo(c, p, d, _, f, _),
        Parameter(f, _, w);

    // [taint/spread-argument-item] As an item of one.
    TaintedVar(d, w) <-
        TaintedPlace(c, p, o, _),
        VarPointsTo(c, v, o),
        SpreadArgument(p, v),
        !Placed(c, p, v),
        CallTo(c, p, d, _, f, _),
        Parameter(f, _, w);

    // [taint/spread-argument-shape] How many items there are.
    TaintedVar(d, w) <-
        TaintedPlace(c, p, o, z),
        (!is_entry(z)),
        VarPointsTo(c, v, o),
        SpreadArgument(p, v),
        CallTo(c, p, d, _, f, _),
        Parameter(f, _, w);

    // [taint/arrive] Which is known to become an argument.
    TaintedVar(d, w) <-
        TaintedPlace(c, p, o, z),
        Arrives(c, p, o, x, i),
        (may_be_same(x, z)),
        CallTo(c, p, d, _, f, s),
        let j = parameter_of(i, s),
        Parameter(f, j, w);

    // [taint/meet] Or one with a name.
    TaintedVar(d, w) <-
        TaintedPlace(c, p, o, z),
        Meets(c, p, o, x, n),
        (may_be_same(x, z)),
        CallTo(c, p, d, _, f, _),
        NamedParameter(f, n, w);

    // [taint/spread-yielded] As what a generator yields.
    TaintedVar(d, w) <-
        YieldsTainted(c, p),
        SpreadArgument(p, _),
        CallTo(c, p, d, _, f, _),
        Parameter(f, _, w);

    // [taint/rest-yielded] Into `*args`.
    TaintedAfter(d, q, o, Field::ANY) <-
        YieldsTainted(c, p),
        SpreadArgument(p, _),
        CallTo(c, p, d, _, f, _),
        RestParameter(f, q),
        let o = allocated(q, d);

    // [taint/rest] In `*args`.
    TaintedAfter(d, q, o, x) <-
        TaintedVar(c, v),
        Argument(p, i, v),
        CallTo(c, p, d, _, f, s),
        RestParameter(f, q),
        let j = parameter_of(i, s),
        RestItem(f, j, x),
        let o = allocated(q, d);

    // [taint/rest-receiver] So does a receiver without a parameter.
    TaintedAfter(d, q, o, x) <-
        TaintedVar(c, b),
        Receiver(p, b),
        CallTo(c, p, d, _, f, s),
        (binds_receiver(s)),
        RestParameter(f, q),
        RestItem(f, FIRST, x),
        let o = allocated(q, d);

    // [taint/rest-reflected] Or the left operand of a reflected operator.
    TaintedAfter(d, q, o, x) <-
        TaintedVar(c, v),
        Operates(p, _, v),
        CallTo(c, p, d, _, f, Shift::REFLECTED),
        RestParameter(f, q),
        RestItem(f, SECOND, x),
        let o = allocated(q, d);

    // [taint/rest-far] Somewhere, where there are many or library code chooses them.
    TaintedAfter(d, q, o, Field::ANY_ITEM) <-
        TaintedVar(c, v),
        Argument(p, i, v),
        CallTo(c, p, d, _, f, s),
        RestParameter(f, q),
        let j = parameter_of(i, s),
        (is_far(j)),
        let o = allocated(q, d);

    // [taint/rest-keyword] In `**kwargs`.
    TaintedAfter(d, q, o, x) <-
        TaintedVar(c, v),
        KeywordArgument(p, n, v),
        CallTo(c, p, d, _, f, _),
        RestNames(f, q, r),
        !NamedParameter(f, n, _),
        NameItem(n, x),
        let o = allocated(r, d);

    // [taint/rest-spread] From a starred argument into `*args`.
    TaintedAfter(d, q, o, Field::ANY) <-
        TaintedVar(c, v),
        SpreadArgument(p, v),
        CallTo(c, p, d, _, f, _),
        RestParameter(f, q),
        let o = allocated(q, d);

    // [taint/rest-spread-names] Or into `**kwargs`.
    TaintedAfter(d, q, o, Field::ANY) <-
        TaintedVar(c, v),
        SpreadArgument(p, v),
        CallTo(c, p, d, _, f, _),
        RestNames(f, q, r),
        let o = allocated(r, d);

    // [taint/rest-spread-item] From an item of one.
    TaintedAfter(d, q, o, Field::ANY) <-
        TaintedPlace(c, p, t, _),
        VarPointsTo(c, v, t),
        SpreadArgument(p, v),
        !Placed(c, p, v),
        CallTo(c, p, d, _, f, _),
        RestParameter(f, q),
        let o = allocated(q, d);

    // [taint/rest-spread-item-names] Or into `**kwargs`.
    TaintedAfter(d, q, o, Field::ANY) <-
        TaintedPlace(c, p, t, _),
        VarPointsTo(c, v, t),
        SpreadArgument(p, v),
        !Placed(c, p, v),
        CallTo(c, p, d, _, f, _),
        RestNames(f, q, r),
        let o = allocated(r, d);

    // [taint/rest-shape] How many arguments there are depends on how much there is to be starred.
    TaintedAfter(d, q, o, Field::ANY) <-
        TaintedPlace(c, p, t, z),
        (!is_entry(z)),
        VarPointsTo(c, v, t),
        SpreadArgument(p, v),
        CallTo(c, p, d, _, f, _),
        RestParameter(f, q),
        let o = allocated(q, d);

    // [taint/rest-shape-names] Or which names.
    TaintedAfter(d, q, o, Field::ANY) <-
        TaintedPlace(c, p, t, z),
        (!is_entry(z)),
        VarPointsTo(c, v, t),
        SpreadArgument(p, v),
        CallTo(c, p, d, _, f, _),
        RestNames(f, q, r),
        let o = allocated(r, d);

    // [taint/rest-arrive] An item that is known to become an argument without a parameter.
    TaintedAfter(d, q, made, y) <-
        TaintedPlace(c, p, o, z),
        Arrives(c, p, o, x, i),
        (may_be_same(x, z)),
        CallTo(c, p, d, _, f, s),
        RestParameter(f, q),
        let j = parameter_of(i, s),
        RestItem(f, j, y),
        let made = allocated(q, d);

    // [taint/rest-meet] Or one with a name that no parameter has.
    TaintedAfter(d, q, made, x) <-
        TaintedPlace(c, p, o, z),
        Meets(c, p, o, x, n),
        (may_be_same(x, z)),
        CallTo(c, p, d, _, f, _),
        RestNames(f, q, r),
        !NamedParameter(f, n, _),
        let made = allocated(r, d);

    // [taint/default] As a default value.
    TaintedVar(d, w) <-
        TaintedPlace(c, p, o, x),
        KeepsDefault(c, p, d, o, w, x);

    // [taint/default-item] Or as an item of what keeps the defaults.
    TaintedVar(d, w) <-
        TaintedPlace(c, p, t, _),
        DefaultsOf(t, o),
        KeepsDefault(c, p, d, o, w, _);

    // [taint/default-kept] Or because healed state decides which defaults there are.
    TaintedVar(d, w) <-
        TaintedPlace(c, p, o, x),
        KeepsDefaults(x, _),
        KeepsDefault(c, p, d, o, w, _);

    // [taint/return] Healed state is returned.
    TaintedVar(c, v) <-
        TaintedVar(d, r),
        Returns(f, _, r),
        !Deferred(f, _),
        !Endorses(f),
        CallTo(c, p, d, _, f, s),
        (gives_result(s)),
        CallResult(p, v);

    // [taint/return-branch] Which value is returned depends on healed state.
    TaintedVar(c, v) <-
        BranchControlled(d, q),
        Returns(f, q, _),
        !Deferred(f, _),
        !Endorses(f),
        CallTo(c, p, d, _, f, s),
        (gives_result(s)),
        CallResult(p, v);

    // [taint/return-remembered] What a cached property gave before is given again.
    TaintedVar(c, v) <-
        TaintedVar(_, r),
        Returns(f, _, r),
        Remembered(f),
        !Endorses(f),
        CallTo(c, p, _, _, f, _),
        CallResult(p, v);

    // [taint/return-remembered-branch] Which value that was depends on healed state.
    TaintedVar(c, v) <-
        BranchControlled(_, q),
        Returns(f, q, _),
        Remembered(f),
        !Endorses(f),
        CallTo(c, p, _, _, f, _),
        CallResult(p, v);

    // [taint/element] An element is healed state.
    TaintedPlace(c, p, o, Field::ANY_ITEM) <-
        TaintedVar(d, r),
        Returns(f, _, r),
        !Endorses(f),
        ElementOf(c, p, o, d, f);

    // [taint/element-branch] Which element it is depends on healed state.
    TaintedPlace(c, p, o, Field::ANY_ITEM) <-
        BranchControlled(d, q),
        Returns(f, q, _),
        !Endorses(f),
        ElementOf(c, p, o, d, f);

    // [taint/element-end] So does how many there are, where an exception that depends on it ends them.
    TaintedPlace(c, p, o, Field::SHAPE) <-
        RaisesTainted(d, f),
        ElementOf(c, p, o, d, f);

    // [taint/element-yielded] So it is where an object is gone through by a generator.
    TaintedPlace(c, p, o, Field::ANY_ITEM) <-
        TaintedVar(d, y),
        Yields(f, _, y),
        YieldedTo(c, p, o, d, f);

    // [taint/element-yielded-branch] Whether there is an element depends on healed state.
    TaintedPlace(c, p, o, Field::ANY_ITEM) <-
        BranchControlled(d, q),
        Yields(f, q, _),
        YieldedTo(c, p, o, d, f);

    // [taint/element-yielded-shape] And so how many there are.
    TaintedPlace(c, p, o, Field::SHAPE) <-
        BranchControlled(d, q),
        Yields(f, q, _),
        YieldedTo(c, p, o, d, f);

    // [taint/element-of-iterator] An object has the elements that its iterator gives.
    TaintedPlace(c, p, o, x) <-
        TaintedPlace(c, p, r, x),
        IteratorOf(c, p, o, r);

    // [taint/element-of-new-iterator] Also where that is new.
    TaintedPlace(c, p, o, x) <-
        TaintedAfter(c, p, r, x),
        IteratorOf(c, p, o, r);

    // [taint/element-iterator] Which iterator it is depends on healed state.
    TaintedPlace(c, p, o, Field::ANY) <-
        TaintedVar(d, v),
        VarPointsTo(d, v, r),
        IteratorOf(c, p, o, r),
        Returns(f, _, v),
        CallTo(c, p, d, _, f, Shift::ASKED);

    // [taint/cached-live-return] A cached function gives again what a live call of it returned.
    TaintedVar(c, v) <-
        TaintedVar(Ctx::LIVE, r),
        Returns(g, _, r),
        RemainsOf(g, f),
        !Endorses(g),
        CallTo(c, p, Ctx::SHARED, _, f, _),
        CallResult(p, v);

    // [taint/cached-live-return-branch] Which value that was depends on healed state.
    TaintedVar(c, v) <-
        BranchControlled(Ctx::LIVE, q),
        Returns(g, q, _),
        RemainsOf(g, f),
        !Endorses(g),
        CallTo(c, p, Ctx::SHARED, _, f, _),
        CallResult(p, v);

    // [taint/cached-argument] Whether a cached function runs depends on what it is given.
    Invoked(Ctx::SHARED, f) <-
        TaintedVar(c, v),
        Operand(p, v),
        CallTo(c, p, Ctx::SHARED, _, f, _);

    // [taint/cached-content] Also on what that holds.
    Invoked(Ctx::SHARED, f) <-
        TaintedPlace(c, p, o, _),
        VarPointsTo(c, v, o),
        Operand(p, v),
        CallTo(c, p, Ctx::SHARED, _, f, _);

    // [taint/cached-kept] What its cache holds depends on healed state where the function runs because of it.
    TaintedAfter(c, p, m, Field::SHAPE) <-
        Invoked(Ctx::SHARED, f),
        CallTo(c, p, Ctx::SHARED, _, f, _),
        Invokes(c, p, m, _, _),
        ClassOf(m, k),
        Cached(k, _);

    // [taint/create-object] A value of a library class is made of the arguments that `__new__` is given.
    TaintedVar(c, v) <-
        TaintedVar(c, a),
        Argument(p, _, a),
        Invokes(c, p, m, _, _),
        CreatesObject(m),
        CallResult(p, v);

    // [taint/create-object-items] And of what they hold.
    TaintedAfter(c, p, made, Field::ANY) <-
        TaintedPlace(c, p, o, _),
        VarPointsTo(c, a, o),
        Argument(p, _, a),
        Invokes(c, p, m, _, _),
        CreatesObject(m),
        let made = allocated(p, c);

    // [taint/live-return] A live frame returns healed state.
    TaintedVar(Ctx::LIVE, v) <-
        TaintedVar(Ctx::LIVE, r),
        Returns(f, _, r),
        !Endorses(f),
        Resumes(p, f),
        CallResult(p, v);

    // [taint/live-return-branch] Which value it returns depends on healed state.
    TaintedVar(Ctx::LIVE, v) <-
        BranchControlled(Ctx::LIVE, q),
        Returns(f, q, _),
        !Endorses(f),
        Resumes(p, f),
        CallResult(p, v);

    // [taint/live-yield-value] A live generator yields healed state.
    TaintedVar(Ctx::LIVE, v) <-
        TaintedVar(Ctx::LIVE, y),
        Yields(f, _, y),
        Resumes(p, f),
        CallResult(p, v);

    // [taint/live-yield-branch] Which value it yields depends on healed state.
    TaintedVar(Ctx::LIVE, v) <-
        BranchControlled(Ctx::LIVE, q),
        Yields(f, q, _),
        Resumes(p, f),
        CallResult(p, v);

    // [taint/send] Unknown code that runs a generator may send healed state into it.
    TaintedVar(d, w) <-
        UnknownTainted(c, p),
        Runs(c, p, d, f),
        Yields(f, y, _),
        CallResult(y, w);

    // [taint/send-value] Healed state is sent into a generator.
    TaintedVar(d, w) <-
        PortTainted(c, p, m, a),
        ModelSends(m, a),
        PortHolds(c, p, m, Port::RECEIVER, g),
        GeneratorOf(g, d, f),
        Yields(f, y, _),
        CallResult(y, w);

    // [taint/yield] A generator that runs here yields healed state.
    YieldsTainted(c, p) <-
        TaintedVar(d, y),
        Yields(f, _, y),
        Runs(c, p, d, f);

    // [taint/yield-branch] Which values it yields depends on healed state.
    YieldsTainted(c, p) <-
        BranchControlled(d, q),
        Yields(f, q, _),
        Runs(c, p, d, f);

    // [taint/deferred-return] What it returns is healed state, for whoever waits for it.
    TaintedPlace(c, p, g, Field::RETURNED) <-
        TaintedVar(d, r),
        Returns(f, _, r),
        GeneratorOf(g, d, f),
        Runs(c, p, d, f);

    // [taint/deferred-return-branch] Or depends on it.
    TaintedPlace(c, p, g, Field::RETURNED) <-
        BranchControlled(d, q),
        Returns(f, q, _),
        GeneratorOf(g, d, f),
        Runs(c, p, d, f);

    // [taint/stop-value] Also in the exception by which it ends.
    TaintedAfter(c, p, o, x) <-
        TaintedPlace(c, p, g, Field::RETURNED),
        GeneratorOf(g, d, f),
        Runs(c, p, d, f),
        EndsBy(c, p),
        StopHolds(_, o, x);

    // [taint/yield-result] A library function that runs the generator gives what it yields.
    TaintedVar(c, v) <-
        YieldsTainted(c, p),
        CallResult(p, v);

    // [taint/yield-write] Or writes it.
    TaintedAfter(c, p, o, x) <-
        YieldsTainted(c, p),
        Writes(c, p, o, x);

    // [taint/callee] A called value that is healed state.
    TaintedCallee(c, p) <-
        TaintedVar(c, v),
        CallsValue(p, v);

    // [taint/callee-named] A method whose name is.
    TaintedCallee(c, p) <-
        TaintedVar(c, v),
        ChoosesCallee(p, v);

    // [taint/callee-attribute] A method that healed state replaced in its object.
    TaintedCallee(c, p) <-
        TaintedPlace(c, p, o, z),
        VarPointsTo(c, b, o),
        CallsMethod(p, b, x),
        (may_be_same(x, z));

    // [taint/callee-member] Or in its class.
    TaintedCallee(c, p) <-
        TaintedPlace(c, p, q, z),
        MemberFound(c, p, _, x, _, q),
        (may_be_same(x, z)),
        CallsMethod(p, _, x);

    // [taint/callee-class-member] Or in the class that it is called on.
    TaintedCallee(c, p) <-
        TaintedPlace(c, p, q, z),
        ClassMember(c, p, _, x, _, q),
        (may_be_same(x, z)),
        CallsMethod(p, _, x);

    // [taint/callee-dispatch] A healed receiver whose class decides between several methods.
    TaintedCallee(c, p) <-
        TaintedVar(c, b),
        Receiver(p, b),
        CallTo(c, p, _, _, f, _),
        CallTo(c, p, _, _, g, _),
        (f != g);

    // [taint/callee-class] Or one whose class was replaced because of healed state.
    TaintedCallee(c, p) <-
        TaintedPlace(c, p, o, x),
        ClassField(x),
        VarPointsTo(c, b, o),
        Receiver(p, b),
        CallTo(c, p, _, _, f, _),
        CallTo(c, p, _, _, g, _),
        (f != g);

    // [taint/load-of-class] Then other members are found in it.
    TaintedVar(c, v) <-
        TaintedPlace(c, p, o, x),
        ClassField(x),
        VarPointsTo(c, b, o),
        LoadsAttribute(p, v, b, y),
        MemberFound(c, p, o, y, m, _),
        MemberFound(c, p, o, y, n, _),
        (m != n);

    // [taint/load-class] It is another class.
    TaintedVar(c, v) <-
        TaintedPlace(c, p, o, x),
        ClassField(x),
        VarPointsTo(c, b, o),
        LoadsClass(p, v, b);

    // [taint/model-class] Library functions that ask for it are told another one.
    FlowTainted(c, p, m, a, Field::TYPE, y) <-
        TaintedPlace(c, p, o, x),
        ClassField(x),
        PortHolds(c, p, m, a, o),
        ModelReads(m, a, Field::TYPE, y);

    // [taint/callee-got] A call of what a property or module gave, when asked for its name.
    TaintedCallee(c, p) <-
        Got(c, p, d, f),
        Returns(f, _, r),
        TaintedVar(d, r);

    // [taint/callee-remembered] Or of what a cached property gave before.
    TaintedCallee(c, p) <-
        Got(c, p, _, f),
        Remembered(f),
        Returns(f, _, r),
        TaintedVar(_, r);

    // [taint/callee-got-branch] Which one it gave depends on healed state.
    TaintedCallee(c, p) <-
        Got(c, p, d, f),
        Returns(f, q, _),
        BranchControlled(d, q);

    // [taint/callee-result] The result of a call that healed state selects.
    TaintedVar(c, v) <-
        TaintedCallee(c, p),
        CallResult(p, v);

    // ---------------------------------------------------------------- library models

    // [taint/port-argument] A library function is given healed state.
    PortTainted(c, p, m, a) <-
        TaintedVar(c, v),
        Argument(p, i, v),
        ModelCall(c, p, m, _),
        PortPosition(m, i, a);

    // [taint/port-keyword] By name.
    PortTainted(c, p, m, a) <-
        TaintedVar(c, v),
        KeywordArgument(p, n, v),
        ModelCall(c, p, m, _),
        PortName(m, n, a);

    // [taint/port-spread] In a starred argument.
    PortTainted(c, p, m, a) <-
        TaintedVar(c, v),
        SpreadArgument(p, v),
        ModelCall(c, p, m, _),
        PortPosition(m, _, a);

    // [taint/port-spread-item] As an item of one.
    PortTainted(c, p, m, a) <-
        TaintedPlace(c, p, o, _),
        ModelCall(c, p, m, _),
        VarPointsTo(c, v, o),
        SpreadArgument(p, v),
        PortPosition(m, _, a);

    // [taint/port-spread-yielded] As what a generator yields.
    PortTainted(c, p, m, a) <-
        YieldsTainted(c, p),
        SpreadArgument(p, _),
        ModelCall(c, p, m, _),
        PortPosition(m, _, a);

    // [taint/asked-argument] A construct is given it.
    PortTainted(c, p, m, a) <-
        TaintedVar(c, v),
        Argument(p, i, v),
        Asked(c, p, m, _),
        PortPosition(m, i, a);

    // [taint/asked-receiver] Or looks into it.
    PortTainted(c, p, m, Port::RECEIVER) <-
        TaintedVar(c, b),
        Receiver(p, b),
        Asked(c, p, m, _);

    // [taint/port-receiver] As the receiver.
    PortTainted(c, p, m, Port::RECEIVER) <-
        TaintedVar(c, b),
        Receiver(p, b),
        ModelCall(c, p, m, _);

    // [taint/model-value] A flow starts at a value that is healed state.
    FlowTainted(c, p, m, a, x, y) <-
        PortTainted(c, p, m, a),
        ModelReads(m, a, x, y);

    // [taint/model-field] At a field that holds it.
    FlowTainted(c, p, m, a, x, y) <-
        TaintedPlace(c, p, o, z),
        PortHolds(c, p, m, a, o),
        ModelReads(m, a, x, y),
        (may_be_same(x, z));

    // [taint/model-deep] At anything inside.
    FlowTainted(c, p, m, a, Field::DEEP, y) <-
        TaintedPlace(c, p, o, _),
        PortHolds(c, p, m, a, o),
        ModelReads(m, a, Field::DEEP, y);

    // [taint/model-deep-inside] Further inside.
    FlowTainted(c, p, m, a, Field::DEEP, y) <-
        TaintedPlace(c, p, q, _),
        Reaches(o, q),
        PortHolds(c, p, m, a, o),
        ModelReads(m, a, Field::DEEP, y);

    // [taint/model-nested] At anything that it contains.
    FlowTainted(c, p, m, a, Field::NESTED, y) <-
        TaintedPlace(c, p, o, z),
        (is_contained(z)),
        PortHolds(c, p, m, a, o),
        ModelReads(m, a, Field::NESTED, y);

    // [taint/model-nested-state] At the state of an object of the library.
    FlowTainted(c, p, m, a, Field::NESTED, y) <-
        TaintedPlace(c, p, o, _),
        PortHolds(c, p, m, a, o),
        ModelReads(m, a, Field::NESTED, y),
        ClassOf(o, k),
        LibraryClass(k);

    // [taint/model-nested-inside] Further inside.
    FlowTainted(c, p, m, a, Field::NESTED, y) <-
        TaintedPlace(c, p, q, z),
        (is_contained(z)),
        Contains(o, q),
        PortHolds(c, p, m, a, o),
        ModelReads(m, a, Field::NESTED, y);

    // [taint/model-nested-inside-state] Also there.
    FlowTainted(c, p, m, a, Field::NESTED, y) <-
        TaintedPlace(c, p, q, _),
        ClassOf(q, k),
        LibraryClass(k),
        Contains(o, q),
        PortHolds(c, p, m, a, o),
        ModelReads(m, a, Field::NESTED, y);

    // [taint/model-second-deep] At anything inside of a field.
    FlowTainted(c, p, m, a, x, Field::DEEP) <-
        TaintedPlace(c, p, q, _),
        PortContent(c, p, m, a, x, q),
        ModelReads(m, a, x, Field::DEEP);

    // [taint/model-second-deep-inside] Further inside.
    FlowTainted(c, p, m, a, x, Field::DEEP) <-
        TaintedPlace(c, p, r, _),
        Reaches(q, r),
        PortContent(c, p, m, a, x, q),
        ModelReads(m, a, x, Field::DEEP);

    // [taint/model-second-nested] At anything that a field contains.
    FlowTainted(c, p, m, a, x, Field::NESTED) <-
        TaintedPlace(c, p, q, z),
        (is_contained(z)),
        PortContent(c, p, m, a, x, q),
        ModelReads(m, a, x, Field::NESTED);

    // [taint/model-second-nested-state] Where it is an object of the library.
    FlowTainted(c, p, m, a, x, Field::NESTED) <-
        TaintedPlace(c, p, q, _),
        ClassOf(q, k),
        LibraryClass(k),
        PortContent(c, p, m, a, x, q),
        ModelReads(m, a, x, Field::NESTED);

    // [taint/model-second-nested-inside] Further inside.
    FlowTainted(c, p, m, a, x, Field::NESTED) <-
        TaintedPlace(c, p, r, _),
        Contains(q, r),
        PortContent(c, p, m, a, x, q),
        ModelReads(m, a, x, Field::NESTED);

    // [taint/model-second] At a field of a field.
    FlowTainted(c, p, m, a, x, y) <-
        TaintedPlace(c, p, q, z),
        FieldPointsTo(o, w, q),
        PortHolds(c, p, m, a, o),
        ModelReads(m, a, x, y),
        (may_be_same(x, w)),
        (may_be_same(y, z));

    // [taint/model-selected] At the item that the key of the call selects.
    FlowTainted(c, p, m, Port::RECEIVER, Field::SELECTED, y) <-
        TaintedPlace(c, p, o, z),
        PortHolds(c, p, m, Port::RECEIVER, o),
        PortHolds(c, p, m, a, i),
        let t = item_of(i),
        (may_be_same(t, z)),
        ModelSelects(m, a),
        ModelReads(m, Port::RECEIVER, Field::SELECTED, y);

    // [taint/model-store-selected] That item of the receiver does.
    TaintedAfter(c, p, o, t) <-
        FlowTainted(c, p, m, a, x, y),
        ModelFlow(m, a, x, y, Port::RECEIVER, Field::SELECTED, _),
        PortHolds(c, p, m, Port::RECEIVER, o),
        (!is_constant(o)),
        PortHolds(c, p, m, b, i),
        let t = item_of(i),
        ModelSelects(m, b);

    // [taint/model-result] The result depends on it.
    TaintedVar(c, v) <-
        FlowTainted(c, p, m, a, x, y),
        ModelFlow(m, a, x, y, Port::RESULT, Field::ITSELF, _),
        CallResult(p, v);

    // [taint/model-store] A field of what is given or made does.
    TaintedAfter(c, p, t, z) <-
        FlowTainted(c, p, m, a, x, y),
        ModelFlow(m, a, x, y, b, z, Field::ITSELF),
        (z != Field::ITSELF),
        (z != Field::SELECTED),
        PortHolds(c, p, m, b, t),
        (!is_constant(t));

    // [taint/model-store-state] The state of what is given does, whatever that is.
    TaintedAfter(c, p, t, Field::ITSELF) <-
        FlowTainted(c, p, m, a, x, y),
        ModelFlow(m, a, x, y, b, Field::ITSELF, _),
        (b != Port::RESULT),
        PortHolds(c, p, m, b, t),
        (!is_constant(t));

    // [taint/model-store-second] A field of a field does.
    TaintedAfter(c, p, u, w) <-
        FlowTainted(c, p, m, a, x, y),
        ModelFlow(m, a, x, y, b, z, w),
        (w != Field::ITSELF),
        PortHolds(c, p, m, b, t),
        FieldPointsTo(t, s, u),
        (may_be_same(s, z)),
        (!is_constant(u));

    // [taint/model-aligned] Items keep their positions and keys.
    TaintedAfter(c, p, t, x) <-
        TaintedPlace(c, p, o, x),
        (is_item(x)),
        PortHolds(c, p, m, a, o),
        ModelAligned(m, a, z, b),
        ClassOf(o, k),
        KeepsPositions(k, z),
        PortHolds(c, p, m, b, t),
        (!is_constant(t));

    // [taint/model-aligned-other] Where the source may give them in another order, they may come anywhere.
    TaintedAfter(c, p, t, Field::ANY_ITEM) <-
        TaintedPlace(c, p, o, x),
        (is_item(x)),
        PortHolds(c, p, m, a, o),
        ModelAligned(m, a, z, b),
        ClassOf(o, k),
        !KeepsPositions(k, z),
        PortHolds(c, p, m, b, t),
        (!is_constant(t));

    // [taint/model-aligned-opaque] So with an object that nothing is known of.
    TaintedAfter(c, p, t, Field::ANY_ITEM) <-
        TaintedPlace(c, p, o, x),
        (is_item(x)),
        PortHolds(c, p, m, a, o),
        ModelAligned(m, a, _, b),
        (is_opaque(o)),
        PortHolds(c, p, m, b, t),
        (!is_constant(t));

    // [taint/model-aligned-value] Which container they come from depends on healed state.
    TaintedAfter(c, p, t, Field::ANY_ITEM) <-
        PortTainted(c, p, m, a),
        ModelAligned(m, a, _, b),
        PortHolds(c, p, m, b, t),
        (!is_constant(t));

    // [taint/model-named] Arguments with names of their own keep them.
    TaintedAfter(c, p, t, x) <-
        TaintedVar(c, v),
        KeywordArgument(p, n, v),
        ModelCall(c, p, m, _),
        NamedField(m, n, b, x),
        PortHolds(c, p, m, b, t),
        (!is_constant(t));

    // [taint/model-named-spread] So do those in a mapping with two stars.
    TaintedAfter(c, p, t, x) <-
        TaintedPlace(c, p, o, x),
        (is_contained(x)),
        VarPointsTo(c, v, o),
        SpreadArgument(p, v),
        ModelCall(c, p, m, _),
        TakesItems(m, b),
        PortHolds(c, p, m, b, t),
        (!is_constant(t));

    // [taint/model-named-attribute] Its keys name attributes.
    TaintedAfter(c, p, t, z) <-
        TaintedPlace(c, p, o, x),
        AttributeKey(x, z),
        VarPointsTo(c, v, o),
        SpreadArgument(p, v),
        ModelCall(c, p, m, _),
        TakesAttributes(m, b),
        PortHolds(c, p, m, b, t),
        (!is_constant(t));

    // [taint/model-named-attribute-any] Any of them where it is not known which.
    TaintedAfter(c, p, t, Field::ANY) <-
        TaintedPlace(c, p, o, x),
        !AttributeKey(x, _),
        VarPointsTo(c, v, o),
        SpreadArgument(p, v),
        ModelCall(c, p, m, _),
        TakesAttributes(m, b),
        PortHolds(c, p, m, b, t),
        (!is_constant(t));

    // [taint/model-named-value] Which mapping it is depends on healed state.
    TaintedAfter(c, p, t, Field::ANY) <-
        TaintedVar(c, v),
        SpreadArgument(p, v),
        ModelCall(c, p, m, _),
        TakesItems(m, b),
        PortHolds(c, p, m, b, t),
        (!is_constant(t));

    // [taint/model-named-value-attribute] For attributes, too.
    TaintedAfter(c, p, t, Field::ANY) <-
        TaintedVar(c, v),
        SpreadArgument(p, v),
        ModelCall(c, p, m, _),
        TakesAttributes(m, b),
        PortHolds(c, p, m, b, t),
        (!is_constant(t));

    // [taint/copy-field] A copy holds what its original held.
    TaintedAfter(c, p, made, x) <-
        TaintedPlace(c, p, o, x),
        CopyOf(c, p, made, o);

    // [taint/copy-field-by] Or what a class makes of an object itself.
    TaintedAfter(c, p, made, x) <-
        TaintedVar(d, v),
        Returns(f, _, v),
        CopiedBy(c, p, made, x, d, f);

    // [taint/copy-field-by-branch] Which object that is depends on healed state.
    TaintedAfter(c, p, made, x) <-
        BranchControlled(d, q),
        Returns(f, q, _),
        CopiedBy(c, p, made, x, d, f);

    // [taint/copy-value] Which object is copied depends on healed state.
    TaintedVar(c, v) <-
        PortTainted(c, p, m, a),
        ModelCopies(m, a),
        CallResult(p, v);

    // [taint/copy-value-deep] Deep or not.
    TaintedVar(c, v) <-
        PortTainted(c, p, m, a),
        ModelCopiesDeep(m, a),
        CallResult(p, v);

    // [taint/answer] What a special method answers depends on healed state.
    TaintedAnswer(c, p) <-
        TaintedVar(d, r),
        Returns(f, _, r),
        !Endorses(f),
        CallTo(c, p, d, g, f, s),
        (is_hook(s)),
        Lookup(_, h, g, _),
        Answering(h);

    // [taint/answer-branch] Which answer it gives does.
    TaintedAnswer(c, p) <-
        BranchControlled(d, q),
        Returns(f, q, _),
        !Endorses(f),
        CallTo(c, p, d, g, f, s),
        (is_hook(s)),
        Lookup(_, h, g, _),
        Answering(h);

    // [taint/answer-asked] Whatever it is that a construct asks.
    TaintedAnswer(c, p) <-
        TaintedVar(d, r),
        Returns(f, _, r),
        !Endorses(f),
        CallTo(c, p, d, _, f, Shift::ASKED),
        Asked(c, p, _, _);

    // [taint/answer-result] So does what is made of it.
    TaintedVar(c, v) <-
        TaintedAnswer(c, p),
        CallResult(p, v);

    // [taint/answer-write] Or written.
    TaintedAfter(c, p, o, x) <-
        TaintedAnswer(c, p),
        Writes(c, p, o, x);

    // [taint/answer-key] Or which keys there are.
    TaintedAfter(c, p, o, Field::SHAPE) <-
        TaintedAnswer(c, p),
        AddsKey(c, p, o);

    // [taint/answer-asks] Or what is asked next.
    Invoked(d, f) <-
        TaintedAnswer(c, p),
        CallTo(c, p, d, _, f, s),
        (is_hook(s));

    // [taint/answer-calls] Or called.
    Controlled(c, q) <-
        TaintedAnswer(c, p),
        CallsBack(p, _, q);

    // [taint/asked-because] Whether a comparison asks goes by what it compares.
    Invoked(d, f) <-
        FlowTainted(c, p, m, a, x, y),
        Asked(c, p, m, _),
        HookArgument(m, a, x, y),
        CallTo(c, p, d, _, f, Shift::ASKED);

    // [taint/stop] A library function that stops early decides how far a generator runs.
    Invoked(d, f) <-
        FlowTainted(c, p, m, a, x, y),
        ModelDecides(m, a, x, y),
        Runs(c, p, d, f);

    // [taint/stop-yielded] By what the generator itself yields.
    Invoked(d, f) <-
        YieldsTainted(c, p),
        ModelCall(c, p, m, _),
        ModelDecides(m, _, _, _),
        Runs(c, p, d, f);

    // [taint/stop-result] So does a function that is asked how far to go.
    Invoked(d, f) <-
        TaintedVar(c, v),
        PortInfluence(_, p, _, Port::RESULT, Field::SHAPE, _, v),
        Runs(c, p, d, f);

    // [taint/stop-shape] So does whatever else decides how many elements a view has.
    Invoked(d, f) <-
        FlowTainted(c, p, m, a, x, y),
        ModelFlow(m, a, x, y, Port::RESULT, Field::SHAPE, _),
        ModelLazy(m),
        Runs(c, p, d, f);

    // [taint/stop-shorter] Another generator that may end first does.
    Invoked(d, f) <-
        BranchControlled(e, q),
        Yields(g, q, _),
        Runs(c, p, e, g),
        ModelCall(c, p, m, _),
        ModelLazy(m),
        Runs(c, p, d, f);

    // [taint/stop-search] So does a search.
    Invoked(d, f) <-
        TaintedVar(c, v),
        CallResult(p, v),
        Searches(p, _, _),
        Runs(c, p, d, f);

    // [taint/callback-variable] A library function calls back with healed state.
    TaintedVar(c, v) <-
        FlowTainted(c, p, m, a, x, y),
        PortVariable(p, m, a, x, y, v);

    // [taint/callback-store] And puts what it is given back into a field.
    TaintedAfter(c, q, t, z) <-
        TaintedVar(c, v),
        PortInfluence(q, p, m, a, z, Field::ITSELF, v),
        (z != Field::ITSELF),
        (z != Field::SELECTED),
        PortHolds(c, p, m, a, t),
        (!is_constant(t));

    // [taint/callback-store-selected] Or into the item that the key of the call selects.
    TaintedAfter(c, q, t, s) <-
        TaintedVar(c, v),
        PortInfluence(q, p, m, a, Field::SELECTED, _, v),
        ModelSelects(m, b),
        PortHolds(c, p, m, b, i),
        let s = item_of(i),
        PortHolds(c, p, m, a, t),
        (!is_constant(t));

    // [taint/callback-store-inner] Or into a field of a field.
    TaintedAfter(c, q, u, w) <-
        TaintedVar(c, v),
        PortInfluence(q, p, m, a, z, w, v),
        (w != Field::ITSELF),
        PortHolds(c, p, m, a, t),
        FieldPointsTo(t, s, u),
        (may_be_same(s, z)),
        (!is_constant(u));

    // [taint/callback-control] A library function that healed state selects for calls back as often as that says.
    Controlled(c, q) <-
        PortTainted(c, p, m, _),
        CallsBack(p, m, q);

    // [taint/callback-control-shape] Or as often as a container has items.
    Controlled(c, q) <-
        TaintedPlace(c, p, o, Field::SHAPE),
        PortHolds(c, p, m, _, o),
        CallsBack(p, m, q);

    // [taint/callback-control-unknown] Or something unknown does.
    Controlled(c, q) <-
        TaintedPlace(c, p, o, Field::ANY),
        PortHolds(c, p, m, _, o),
        CallsBack(p, m, q);

    // [taint/callback-control-yield] Or a generator yields.
    Controlled(c, q) <-
        YieldsTainted(c, p),
        CallsBack(p, _, q);

    // [taint/callback-control-result] Or until it is given back something.
    Controlled(c, q) <-
        TaintedVar(c, v),
        PortInfluence(q, _, _, _, Field::SHAPE, _, v);

    // [taint/callback-control-decided] Or as something else says that the function looks at.
    Controlled(c, q) <-
        FlowTainted(c, p, m, a, x, y),
        ModelDecides(m, a, x, y),
        CallsBack(p, m, q);

    // [taint/callback-control-on] A call that is made because of healed state calls back because of it.
    Controlled(c, q) <-
        Controlled(c, p),
        CallsBack(p, _, q);

    // ---------------------------------------------------------------- unknown code

    // [taint/unknown-operand] Unknown code is given healed state.
    UnknownTainted(c, p) <-
        TaintedVar(c, v),
        Operand(p, v),
        UnknownCall(c, p);

    // [taint/unknown-place] Or something that holds it.
    UnknownTainted(c, p) <-
        TaintedPlace(c, p, o, _),
        Escapes(c, p, o);

    // [taint/unknown-after] Or something in which a callback leaves it.
    UnknownTainted(c, p) <-
        TaintedAfter(c, p, o, _),
        Escapes(c, p, o);

    // [taint/unknown-callback] Or gets it from a callback.
    UnknownTainted(c, p) <-
        TaintedVar(d, r),
        Returns(f, _, r),
        CallTo(c, p, d, _, f, s),
        (chosen_by_library(s)),
        UnknownCall(c, p);

    // [taint/unknown-result] Then it may give it back.
    TaintedVar(c, v) <-
        UnknownTainted(c, p),
        CallResult(p, v);

    // [taint/unknown-write] Or store it anywhere.
    TaintedAfter(c, p, o, Field::ANY) <-
        UnknownTainted(c, p),
        Escapes(c, p, o);

    // [taint/unknown-content] Or inside of what it gives back.
    TaintedAfter(c, p, o, Field::ANY) <-
        UnknownTainted(c, p),
        Hub(p, h),
        let o = opaque(h);

    // [taint/unknown-callback-argument] Or pass it to a callback.
    TaintedVar(d, w) <-
        UnknownTainted(c, p),
        CallTo(c, p, d, _, f, s),
        (chosen_by_library(s)),
        Parameter(f, _, w);

    // [taint/unknown-callback-call] Or let it decide whether to call back.
    Invoked(d, f) <-
        UnknownTainted(c, p),
        CallTo(c, p, d, _, f, s),
        (chosen_by_library(s));

    // ---------------------------------------------------------------- control

    // [taint/branch] A branch that looks at healed state.
    TaintedBranch(c, p) <-
        TaintedVar(c, v),
        Decides(p, v);

    // [taint/branch-shape] At whether a container that holds it is empty.
    TaintedBranch(c, p) <-
        TaintedPlace(c, p, o, Field::SHAPE),
        VarPointsTo(c, v, o),
        Decides(p, v);

    // [taint/branch-unknown] At something that may hold it anywhere.
    TaintedBranch(c, p) <-
        TaintedPlace(c, p, o, Field::ANY),
        VarPointsTo(c, v, o),
        Decides(p, v);

    // [taint/branch-iterator] How often a loop runs over something that healed state selects.
    TaintedBranch(c, p) <-
        TaintedVar(c, s),
        Nexts(p, _, s);

    // [taint/branch-iteration] Or over something whose shape depends on it.
    TaintedBranch(c, p) <-
        TaintedPlace(c, p, o, Field::SHAPE),
        VarPointsTo(c, s, o),
        Nexts(p, _, s);

    // [taint/branch-iteration-unknown] Or over something unknown that holds it.
    TaintedBranch(c, p) <-
        TaintedPlace(c, p, o, Field::ANY),
        VarPointsTo(c, s, o),
        Nexts(p, _, s);

    // [taint/branch-generator] Or over a generator whose yields depend on it.
    TaintedBranch(c, p) <-
        BranchControlled(d, q),
        Yields(f, q, _),
        Runs(c, p, d, f);

    // [taint/branch-raise] Whether an operation on healed state raises, inside of a `try`.
    TaintedBranch(c, p) <-
        TaintedRaise(c, p),
        Handler(p, _);

    // [taint/control] What a branch decides depends on what the branch looks at.
    BranchControlled(c, q) <-
        TaintedBranch(c, p),
        Controls(p, q);

    // [taint/control-on] So do the branches that it decides.
    BranchControlled(c, q) <-
        BranchControlled(c, p),
        Controls(p, q);

    // [taint/control-caught] Leaving a body by an exception counts where somebody catches it.
    BranchControlled(c, q) <-
        TaintedBranch(c, p),
        ControlsIfCaught(p, q),
        InFunction(p, f),
        Caught(c, f);

    // [taint/control-caught-on] And on.
    BranchControlled(c, q) <-
        BranchControlled(c, p),
        ControlsIfCaught(p, q),
        InFunction(p, f),
        Caught(c, f);

    // [taint/control-behind-raise] What stands behind an operation that may raise runs only if it did not.
    BranchControlled(c, q) <-
        TaintedRaise(c, p),
        InFunction(p, f),
        Caught(c, f),
        Edge(p, q);

    // [taint/control-behind-raise-on] And what stands behind that.
    BranchControlled(c, q) <-
        TaintedRaise(c, r),
        InFunction(r, f),
        Caught(c, f),
        InFunction(p, f),
        BranchControlled(c, p),
        Edge(p, q);

    // [taint/raise] An operation on healed state may raise.
    TaintedRaise(c, p) <-
        TaintedVar(c, v),
        Operand(p, v),
        MayRaise(p),
        !Steady(p);

    // [taint/raise-key] So may one that looks for a key which holds healed state.
    TaintedRaise(c, p) <-
        TaintedPlace(c, p, o, _),
        VarPointsTo(c, k, o),
        LoadsItem(p, _, _, k),
        MayRaise(p);

    // [taint/raise-key-deep] Or holds it further inside.
    TaintedRaise(c, p) <-
        TaintedPlace(c, p, q, _),
        Reaches(o, q),
        VarPointsTo(c, k, o),
        LoadsItem(p, _, _, k),
        MayRaise(p);

    // [taint/raise-content] Or an operator on something that holds it.
    TaintedRaise(c, p) <-
        TaintedPlace(c, p, o, _),
        VarPointsTo(c, v, o),
        Operates(p, _, v),
        MayRaise(p);

    // [taint/raise-model] Or a library function that reads it.
    TaintedRaise(c, p) <-
        FlowTainted(c, p, _, _, _, _),
        MayRaise(p);

    // [taint/raise-unknown] Or unknown code that is given it.
    TaintedRaise(c, p) <-
        UnknownTainted(c, p),
        MayRaise(p);

    // [taint/raise-missing] So may one that looks for a part of an object whose parts depend on it.
    TaintedRaise(c, p) <-
        TaintedPlace(c, p, o, Field::SHAPE),
        VarPointsTo(c, v, o),
        Operand(p, v),
        MayRaise(p);

    // [taint/raise-missing-any] So may one of an object whose parts nobody knows.
    TaintedRaise(c, p) <-
        TaintedPlace(c, p, o, Field::ANY),
        VarPointsTo(c, v, o),
        Operand(p, v),
        MayRaise(p);

    // [taint/raise-missing-name] Or for a name that may be missing.
    TaintedRaise(c, p) <-
        TaintedPlace(c, p, o, Field::SHAPE),
        LoadsPlace(p, _, o, _),
        MayRaise(p);

    // [taint/raise-unbound] Or for a variable that healed state may have left unbound.
    TaintedRaise(c, p) <-
        TaintedBranch(c, q),
        BoundBy(p, q);

    // [taint/raise-call] A call may let an exception through.
    TaintedRaise(c, p) <-
        RaisesTainted(d, f),
        CallTo(c, p, d, _, f, _);

    // [taint/raise-live] So may a live call.
    TaintedRaise(Ctx::LIVE, p) <-
        RaisesTainted(Ctx::LIVE, f),
        Resumes(p, f);

    // [taint/raise-run] So may running a generator.
    TaintedRaise(c, p) <-
        RaisesTainted(d, f),
        Runs(c, p, d, f);

    // [taint/raise-out] An exception that depends on healed state leaves a body.
    RaisesTainted(c, f) <-
        TaintedRaise(c, p),
        InFunction(p, f),
        Handled(c, f);

    // [taint/raise-controlled] Or one that is raised where healed state decides that it is.
    RaisesTainted(c, f) <-
        BranchControlled(c, p),
        MayRaise(p),
        InFunction(p, f),
        Handled(c, f);

    // [taint/caught] A call where the program recovers is caught.
    Caught(d, f) <-
        CallTo(_, p, d, _, f, _),
        Recovers(p);

    // [taint/caught-on] So is what it calls.
    Caught(d, g) <-
        Caught(c, f),
        InFunction(p, f),
        CallTo(c, p, d, _, g, _);

    // [taint/caught-live] A live call where the program recovers is caught.
    Caught(Ctx::LIVE, f) <-
        Resumes(p, f),
        Recovers(p);

    // [taint/caught-live-on] So is what it waits for.
    Caught(Ctx::LIVE, g) <-
        Caught(Ctx::LIVE, f),
        InFunction(p, f),
        Resumes(p, g);

    // [taint/caught-run] And a generator that runs there.
    Caught(d, f) <-
        Runs(_, p, d, f),
        Recovers(p);

    // [taint/caught-run-on] Or inside of what is called there.
    Caught(d, g) <-
        Caught(c, f),
        InFunction(p, f),
        Runs(c, p, d, g);

    // [taint/caught-element] An exception that ends the elements is caught by whoever asked for one.
    Caught(d, f) <-
        ElementOf(_, _, _, d, f);

    // [taint/handled-element] There it ends.
    Handled(d, f) <-
        ElementOf(_, _, _, d, f);

    // [taint/caught-missing] An exception that says that an attribute is missing ends where a default takes its place.
    Caught(d, f) <-
        CallTo(_, p, d, _, f, _),
        Swallows(p);

    // [taint/handled-missing] There it ends.
    Handled(d, f) <-
        CallTo(_, p, d, _, f, _),
        Swallows(p);

    // [taint/swallow] So that the result depends on whether there was one.
    TaintedVar(c, v) <-
        RaisesTainted(d, f),
        CallTo(c, p, d, _, f, _),
        Swallows(p),
        CallResult(p, v);

    // [taint/caught-fallback] So does one behind which `__getattr__` answers.
    Caught(d, f) <-
        FallsBack(c, p),
        CallTo(c, p, d, _, f, _);

    // [taint/handled-fallback] There it ends.
    Handled(d, f) <-
        FallsBack(c, p),
        CallTo(c, p, d, _, f, _);

    // [taint/fallback] Which of both answers depends on whether there was one.
    TaintedVar(c, v) <-
        RaisesTainted(d, f),
        CallTo(c, p, d, _, f, _),
        FallsBack(c, p),
        CallResult(p, v);

    // [taint/fallback-call] And so does whether `__getattr__` runs.
    Invoked(e, g) <-
        RaisesTainted(d, f),
        CallTo(c, p, d, _, f, _),
        FallsBack(c, p),
        CallTo(c, p, e, _, g, Shift::HOOK);

    // [taint/handled] A call inside of a `try` comes to a handler.
    Handled(d, f) <-
        CallTo(_, p, d, _, f, _),
        Handler(p, _);

    // [taint/handled-on] So is what it calls.
    Handled(d, g) <-
        Handled(c, f),
        InFunction(p, f),
        CallTo(c, p, d, _, g, _);

    // [taint/handled-live] A live call inside of a `try` comes to a handler.
    Handled(Ctx::LIVE, f) <-
        Resumes(p, f),
        Handler(p, _);

    // [taint/handled-live-on] So is what it waits for.
    Handled(Ctx::LIVE, g) <-
        Handled(Ctx::LIVE, f),
        InFunction(p, f),
        Resumes(p, g);

    // [taint/handled-run] And a generator that runs there.
    Handled(d, f) <-
        Runs(_, p, d, f),
        Handler(p, _);

    // [taint/handled-run-on] Or inside of what is called there.
    Handled(d, g) <-
        Handled(c, f),
        InFunction(p, f),
        Runs(c, p, d, g);

    // [taint/controlled] A point that a tainted branch decides.
    Controlled(c, p) <-
        BranchControlled(c, p);

    // [taint/controlled-body] Every point of a body that is entered because of healed state.
    Controlled(c, p) <-
        Invoked(c, f),
        InFunction(p, f);

    // [taint/invoke] A body that is called where healed state decides that it is.
    Invoked(d, f) <-
        Controlled(c, p),
        CallTo(c, p, d, _, f, _);

    // [taint/invoke-callee] A body that healed state selects.
    Invoked(d, f) <-
        TaintedCallee(c, p),
        CallTo(c, p, d, _, f, _);

    // [taint/invoke-run] A generator that runs where healed state decides that it does.
    Invoked(d, f) <-
        Controlled(c, p),
        Runs(c, p, d, f);

    // ---------------------------------------------------------------- operations

    // [taint/operation] A call of a protected function.
    OperationCall(c, p, n) <-
        Invokes(c, p, o, _, _),
        Protected(o, n);

    // [taint/operation-code] A call that enters a protected body.
    OperationCall(c, p, n) <-
        CallTo(c, p, _, _, f, _),
        ProtectedCode(f, n);

    // [taint/operation-constructor] A call that enters the constructor of a protected class, also for a class below.
    OperationCall(c, p, n) <-
        CallTo(c, p, _, _, f, _),
        ConstructorCode(f, n);

    // [taint/operation-inherited-constructor] Or the one that a protected class has from a class above.
    OperationCall(c, p, n) <-
        CallTo(c, p, d, _, f, _),
        Constructs(k, f, n),
        Parameter(f, FIRST, v),
        VarPointsTo(d, v, o),
        ClassOf(o, k);

    // [taint/operation-point] A protected statement.
    OperationCall(c, p, n) <-
        OperationPoint(p, n),
        InFunction(p, f),
        Reachable(c, f);

    // [taint/operation-name] Unknown code with the name of an operation may be it.
    OperationCall(c, p, n) <-
        OperationName(p, n),
        UnknownCall(c, p);

    // [taint/watched] The operation watches its arguments.
    WatchedObject(c, p, n, o) <-
        OperationCall(c, p, n),
        Watches(p, n, v),
        VarPointsTo(c, v, o),
        (!is_constant(o));

    // [taint/watched-class-part] And what the classes of these hold.
    WatchedObject(c, p, n, y) <-
        WatchedObject(c, p, n, o),
        ClassPart(o, y);

    // [taint/watched-class-part-deep] Also of what is inside.
    WatchedObject(c, p, n, y) <-
        WatchedObject(c, p, n, o),
        Reaches(o, q),
        ClassPart(q, y);

    // [taint/watched-receiver] And its receiver.
    WatchedObject(c, p, n, o) <-
        Invokes(c, p, m, s, o),
        Protected(m, n),
        (binds_receiver(s)),
        WatchesReceiver(n),
        (!is_constant(o));

    // [taint/watched-code-receiver] Also of methods with a body.
    WatchedObject(c, p, n, o) <-
        CallTo(c, p, _, m, f, s),
        ProtectedCode(f, n),
        (binds_receiver(s)),
        Invokes(c, p, m, s, o),
        WatchesReceiver(n),
        (!is_constant(o));

    // [taint/watched-model-receiver] Also of library methods.
    WatchedObject(c, p, n, o) <-
        Invokes(c, p, m, _, o),
        Protected(m, n),
        (m != o),
        WatchesReceiver(n),
        (!is_constant(o));

    // [taint/reach-argument] Healed state arrives as a watched value.
    ReachedExplicit(n, c, p) <-
        TaintedVar(c, v),
        Watches(p, n, v),
        OperationCall(c, p, n);

    // [taint/reach-parameter] Or as a parameter, whoever gave it: a default can be healed state too.
    ReachedExplicit(n, c, p) <-
        TaintedVar(d, v),
        WatchesParameter(f, n, v),
        CallTo(c, p, d, _, f, _),
        OperationCall(c, p, n);

    // [taint/reach-parameter-content] Or inside of one.
    ReachedExplicit(n, c, p) <-
        TaintedPlace(d, e, o, _),
        Entry(f, e),
        WatchesParameter(f, n, v),
        VarPointsTo(d, v, o),
        CallTo(c, p, d, _, f, _),
        OperationCall(c, p, n);

    // [taint/reach-parameter-deep] Or further inside.
    ReachedExplicit(n, c, p) <-
        TaintedPlace(d, e, q, _),
        Entry(f, e),
        Reaches(o, q),
        WatchesParameter(f, n, v),
        VarPointsTo(d, v, o),
        CallTo(c, p, d, _, f, _),
        OperationCall(c, p, n);

    // [taint/reach-parameter-class] Or in its class.
    ReachedExplicit(n, c, p) <-
        TaintedPlace(d, e, q, z),
        ClassData(q, x),
        (may_be_same(x, z)),
        Ancestor(k, q),
        Entry(f, e),
        WatchesParameter(f, n, v),
        VarPointsTo(d, v, o),
        ClassOf(o, k),
        CallTo(c, p, d, _, f, _),
        OperationCall(c, p, n);

    // [taint/reach-receiver] Or as the receiver.
    ReachedExplicit(n, c, p) <-
        TaintedVar(c, b),
        CallsMethod(p, b, _),
        OperationCall(c, p, n),
        WatchesReceiver(n);

    // [taint/reach-content] Or inside of a watched object.
    ReachedExplicit(n, c, p) <-
        TaintedPlace(c, p, o, _),
        WatchedObject(c, p, n, o);

    // [taint/reach-deep] Or further inside.
    ReachedExplicit(n, c, p) <-
        TaintedPlace(c, p, q, _),
        Reaches(o, q),
        WatchedObject(c, p, n, o);

    // [taint/reach-class] Or in its class.
    ReachedExplicit(n, c, p) <-
        TaintedPlace(c, p, q, z),
        ClassData(q, x),
        (may_be_same(x, z)),
        Ancestor(k, q),
        ClassOf(o, k),
        WatchedObject(c, p, n, o);

    // [taint/reach-class-deep] Or in the class of something inside.
    ReachedExplicit(n, c, p) <-
        TaintedPlace(c, p, q, z),
        ClassData(q, x),
        (may_be_same(x, z)),
        Ancestor(k, q),
        ClassOf(r, k),
        Reaches(o, r),
        WatchedObject(c, p, n, o);

    // [taint/reach-yield] Or in what a generator yields to it.
    ReachedExplicit(n, c, p) <-
        YieldsTainted(c, p),
        OperationCall(c, p, n);

    // [taint/reach-read] Or in a global or cell that the operation's body reads.
    ReachedExplicit(n, c, p) <-
        TaintedVar(d, v),
        BodyReads(n, f, _, v),
        CallTo(c, p, d, _, f, _),
        OperationCall(c, p, n);

    // [taint/reach-read-content] Or inside of one.
    ReachedExplicit(n, c, p) <-
        TaintedPlace(d, q, o, _),
        VarPointsTo(d, v, o),
        BodyReads(n, f, q, v),
        CallTo(c, p, d, _, f, _),
        OperationCall(c, p, n);

    // [taint/reach-read-deep] Or further inside.
    ReachedExplicit(n, c, p) <-
        TaintedPlace(d, q, r, _),
        Reaches(o, r),
        VarPointsTo(d, v, o),
        BodyReads(n, f, q, v),
        CallTo(c, p, d, _, f, _),
        OperationCall(c, p, n);

    // [taint/reach-running] Or in the body of an operation that is running already.
    ReachedExplicit(n, Ctx::LIVE, p) <-
        TaintedVar(Ctx::LIVE, v),
        Operand(q, v),
        InFunction(q, f),
        Resumes(p, f),
        ProtectedCode(f, n);

    // [taint/reach-control] Healed state decides whether the operation runs.
    ReachedImplicit(n, c, p) <-
        OperationCall(c, p, n),
        Controlled(c, p);

    // [taint/reach-dispatch] Or whether it is this operation that runs.
    ReachedImplicit(n, c, p) <-
        OperationCall(c, p, n),
        TaintedCallee(c, p);

    // [taint/reach-direct] The healing performs the operation itself.
    ReachedDirect(n, c, p) <-
        OperationCall(c, p, n),
        Healing(c, p);

    // [taint/reach-repeat] The retried statement performs it a second time.
    ReachedRepeat(n, c, p) <-
        OperationCall(c, p, n),
        Repeats(c, p);
}
