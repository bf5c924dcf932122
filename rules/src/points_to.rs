//! Layer 1: which objects a variable or field may hold, and which bodies a call may enter.
//!
//! Flow-insensitive for fields, flow-sensitive for locals (they are in SSA form), with one call site of context.
//! Nothing here is ever silently empty: the engine turns what stays unresolved into unknown code (`Unresolved`) and
//! solves again.

#![allow(
    clippy::iter_over_hash_type,
    reason = "crepe iterates over its own sets; what it computes does not depend on the order"
)]
#![allow(unused_imports, reason = "the functions are named by rules, which the crate of the evaluator reads as text")]

use crate::crepe;
use crate::schema::{
    Ctx, FIRST, Field, Func, Model, Obj, Point, Port, Role, SECOND, Shift, THIRD, Var, allocated, argument_of,
    binds_receiver, bound, call_context, chosen_by_library, copied, gives_result, inner, is_allocated, is_constant,
    is_contained, is_copier, is_far, is_hook, is_item, is_made, is_opaque, is_table, is_untold, item_of, may_be_same,
    opaque, parameter_of, part,
};

crepe! {
    // ---------------------------------------------------------------- facts of bodies

    @input
    /// `root(c, f)`: body `f` runs in context `c` without being called.
    pub struct Root(pub Ctx, pub Func);
    @input
    /// `in_function(p, f)`: instruction `p` belongs to body `f`.
    pub struct InFunction(pub Point, pub Func);
    @input
    /// `holds(f, v, o)`: variable `v` of body `f` holds exactly the object `o`.
    pub struct Holds(pub Func, pub Var, pub Obj);
    @input
    /// `allocates(f, p, v, k)`: in `f`, `p` puts a new object of class `k` into `v`.
    pub struct Allocates(pub Func, pub Point, pub Var, pub Obj);
    @input
    /// `makes_function(f, p, v, g)`: in `f`, `p` puts a new function object with the code `g` into `v`.
    pub struct MakesFunction(pub Func, pub Point, pub Var, pub Func);
    @input
    /// `copies(v, s)`: `v` may hold what `s` holds.
    pub struct Copies(pub Var, pub Var);
    @input
    /// `heals(v, s)`: `v` holds what a healing could give instead of what `s` holds.
    pub struct Heals(pub Var, pub Var);
    @input
    /// `recalls(v, s)`: `v` may hold an object from before the crash instead of a new one in `s`.
    pub struct Recalls(pub Var, pub Var);
    @input
    /// `valueless(o, w)`: `w` is the constant `o` by its class only.
    pub struct Valueless(pub Obj, pub Obj);
    @input
    /// `loads_place(p, v, o, x)`: `v = o.x`, where `o` is one known object.
    pub struct LoadsPlace(pub Point, pub Var, pub Obj, pub Field);
    @input
    /// `stores_place(p, o, x, s)`: `o.x = s`, where `o` is one known object.
    pub struct StoresPlace(pub Point, pub Obj, pub Field, pub Var);
    @input
    /// `loads_raw(p, v, b, x)`: `v` is the field `x` of `b` itself, past every protocol.
    pub struct LoadsRaw(pub Point, pub Var, pub Var, pub Field);
    @input
    /// `stores_raw(p, b, x, s)`: the field `x` of `b` itself becomes `s`, past every protocol.
    pub struct StoresRaw(pub Point, pub Var, pub Field, pub Var);
    @input
    /// `loads_attribute(p, v, b, x)`: `v = b.x`.
    pub struct LoadsAttribute(pub Point, pub Var, pub Var, pub Field);
    @input
    /// `loads_class(p, v, b)`: `v` is the class of `b`.
    pub struct LoadsClass(pub Point, pub Var, pub Var);
    @input
    /// `loads_dictionary(p, v, b, k)`: `v` is the `__dict__` of `b`, an object of class `k`.
    pub struct LoadsDictionary(pub Point, pub Var, pub Var, pub Obj);
    @input
    /// `attribute_key(t, x)`: the item `t` of a `__dict__` is the attribute `x`.
    pub struct AttributeKey(pub Field, pub Field);
    @input
    /// `stores_attribute(p, b, x, s)`: `b.x = s`.
    pub struct StoresAttribute(pub Point, pub Var, pub Field, pub Var);
    @input
    /// `loads_item(p, v, b, k)`: `v = b[k]`.
    pub struct LoadsItem(pub Point, pub Var, pub Var, pub Var);
    @input
    /// `stores_item(p, b, k, s)`: `b[k] = s`.
    pub struct StoresItem(pub Point, pub Var, pub Var, pub Var);
    @input
    /// `spreads(p, b, s)`: the items of `s` become items of `b` at unknown positions.
    pub struct Spreads(pub Point, pub Var, pub Var);
    @input
    /// `shifts(p, b)`: `p` takes items of the sequence `b` away or puts some in between, so that others change their positions.
    pub struct Shifts(pub Point, pub Var);
    @input
    /// `slice_class(k)`: as a key, an object of class `k` selects several items.
    pub struct SliceClass(pub Obj);
    @input
    /// `iterates_keys(k)`: iterating over an object of class `k` gives its keys.
    pub struct IteratesKeys(pub Obj);
    @input
    /// `nexts(p, v, s)`: `v` is the next element that iterating over `s` gives.
    pub struct Nexts(pub Point, pub Var, pub Var);
    @input
    /// `element_class(k, e)`: the elements of an object of library class `k` are new objects of class `e`.
    pub struct ElementClass(pub Obj, pub Obj);
    @input
    /// `operates(p, v, l)`: `v` is computed by an operator from the operand `l` (one fact for each operand).
    pub struct Operates(pub Point, pub Var, pub Var);
    @input
    /// `updates_in_place(p, l)`: an augmented assignment may change the object in `l`.
    pub struct UpdatesInPlace(pub Point, pub Var);
    @input
    /// `value_class(k)`: `k` is a class of the library whose operators give objects of the same class.
    pub struct ValueClass(pub Obj);

    // ---------------------------------------------------------------- facts of calls

    @input
    /// `calls_value(p, v)`: `p` calls what `v` holds.
    pub struct CallsValue(pub Point, pub Var);
    @input
    /// `calls_method(p, b, x)`: `p` calls the attribute `x` of `b`.
    pub struct CallsMethod(pub Point, pub Var, pub Field);
    @input
    /// `calls_special(p, b, x)`: `p` calls the special method `x` of the class of `b`, where it has one.
    pub struct CallsSpecial(pub Point, pub Var, pub Field);
    @input
    /// `protocol(p)`: the special methods that `p` calls belong to an operator or another construct with rules of its own.
    pub struct Protocol(pub Point);
    @input
    /// `answers(m)`: no rule of a construct covers what the special method `m` of the library does: it is called for it.
    pub struct Answers(pub Obj);
    @input
    /// `acts_like(p, b, x)`: `p` does to `b` what the method `x` of its class does, where that is a class of the library.
    pub struct ActsLike(pub Point, pub Var, pub Field);
    @input
    /// `asks(m, n)`: a construct that does what the method `m` of the library does calls the special methods that `n` says.
    pub struct Asks(pub Obj, pub Model);
    @input
    /// `asks_through(n, x)`: some of them are methods of what the receiver has in its field `x`.
    pub struct AsksThrough(pub Model, pub Field);
    @input
    /// `starts(p, v)`: `p` asks `v` for an iterator and goes through what that gives.
    pub struct Starts(pub Point, pub Var);
    @input
    /// `searches(p, v, x)`: so it does where the class of `v` has no method `x`.
    pub struct Searches(pub Point, pub Var, pub Field);
    @input
    /// `keyed(p, v)`: `p` compares `v`, and what it contains, with the keys or elements of a container.
    pub struct Keyed(pub Point, pub Var);
    @input
    /// `derived_order(x, y)`: where a class has no method `x`, the one called `y` may stand in for it.
    pub struct DerivedOrder(pub Field, pub Field);
    @input
    /// `calls_reflected(p, b, x)`: the same for the right operand of an operator.
    pub struct CallsReflected(pub Point, pub Var, pub Field);
    @input
    /// `call_result(p, v)`: the result of the call at `p` is in `v`.
    pub struct CallResult(pub Point, pub Var);
    @input
    /// `argument(p, i, v)`: `v` is argument `i` of the call at `p`.
    pub struct Argument(pub Point, pub u32, pub Var);
    @input
    /// `keyword_argument(p, n, v)`: `v` is given for the name `n`.
    pub struct KeywordArgument(pub Point, pub u32, pub Var);
    @input
    /// `name_text(n, o)`: the name `n` of an argument is the text `o`.
    pub struct NameText(pub u32, pub Obj);
    @input
    /// `spread_argument(p, v)`: the items of `v` are given at unknown positions or names.
    pub struct SpreadArgument(pub Point, pub Var);
    @input
    /// `spread_mapping(p, v)`: what is spread at `p` are the values of the mapping `v`, under its keys.
    pub struct SpreadMapping(pub Point, pub Var);
    @input
    /// `some_index(o)`: `o` is a position or key that nothing is known of.
    pub struct SomeIndex(pub Obj);
    @input
    /// `operand(p, v)`: the instruction reads `v`.
    pub struct Operand(pub Point, pub Var);
    @input
    /// `parameter(f, i, v)`: parameter `i` of `f` arrives in `v`.
    pub struct Parameter(pub Func, pub u32, pub Var);
    @input
    /// `named_parameter(f, n, v)`: the parameter that can be given by the name `n`.
    pub struct NamedParameter(pub Func, pub u32, pub Var);
    @input
    /// `rest_parameter(f, q)`: extra arguments of `f` become items of a new tuple, which is made at the entry `q`.
    pub struct RestParameter(pub Func, pub Point);
    @input
    /// `rest_item(f, i, x)`: what parameter number `i` of `f` would be, if there were so many, is the item `x` of that tuple.
    pub struct RestItem(pub Func, pub u32, pub Field);
    @input
    /// `rest_names(f, q, r)`: extra arguments with names become items of a new mapping, which is there at the entry `q` and is
    /// named by the point `r`.
    pub struct RestNames(pub Func, pub Point, pub Point);
    @input
    /// `name_item(n, x)`: the item `x` of a mapping has the name `n` as its key.
    pub struct NameItem(pub u32, pub Field);
    @input
    /// `default(f, i, x)`: the default of parameter `i` is kept in field `x` of the function object.
    pub struct Default(pub Func, pub u32, pub Field);
    @input
    /// `environment(f, x, v)`: the cells of an enclosing body, kept in field `x` of the function object, arrive in `v`.
    pub struct Environment(pub Func, pub Field, pub Var);
    @input
    /// `returns(f, p, v)`: `f` returns `v` at `p`.
    pub struct Returns(pub Func, pub Point, pub Var);
    @input
    /// `yields(f, p, v)`: `f` yields `v` at `p`.
    pub struct Yields(pub Func, pub Point, pub Var);
    @input
    /// `deferred(f, k)`: calling `f` makes an object of class `k` that runs later.
    pub struct Deferred(pub Func, pub Obj);
    @input
    /// `resumes(p, f)`: the call at `p` is live: what remains of it is the body `f`.
    pub struct Resumes(pub Point, pub Func);
    @input
    /// `remains_of(g, f)`: the body `g` is what remains of a live call of `f`.
    pub struct RemainsOf(pub Func, pub Func);
    @input
    /// `super_call(p, v, b)`: `v` is `super()` in a method of the class whose code is `b`, for the object in the receiver.
    pub struct SuperCall(pub Point, pub Var, pub Var, pub Func);
    @input
    /// `class_body(p, k, f)`: `p` runs the body `f` of the class `k`.
    pub struct ClassBody(pub Point, pub Obj, pub Func);
    @input
    /// `has_base(k, v)`: `v` is a base of the class `k`.
    pub struct HasBase(pub Obj, pub Var);
    @input
    /// `gives_metaclass(k, v)`: `v` is given as the metaclass of the class `k`.
    pub struct GivesMetaclass(pub Obj, pub Var);
    @input
    /// `namespace_of(k, v)`: the body of the class `k` runs in the mapping `v`.
    pub struct NamespaceOf(pub Obj, pub Var);
    @input
    /// `prepares_class(p, v)`: `p` calls `__prepare__` of the metaclass in `v`.
    pub struct PreparesClass(pub Point, pub Var);
    @input
    /// `creates_class(p, v)`: `p` calls `__new__` of the metaclass for the class in `v`.
    pub struct CreatesClass(pub Point, pub Var);
    @input
    /// `metaclass_call(p, v)`: `p` calls what is given as a metaclass in `v`.
    pub struct MetaclassCall(pub Point, pub Var);
    @input
    /// `initializes_class(p, v)`: `p` calls `__init__` of the metaclass for the class in `v`.
    pub struct InitializesClass(pub Point, pub Var);
    @input
    /// `names_members(p, v)`: `p` tells the members of the class in `v` their names.
    pub struct NamesMembers(pub Point, pub Var);
    @input
    /// `gives_class(p, s, v)`: `p` puts the class whose namespace is in `s` into `v`.
    pub struct GivesClass(pub Point, pub Var, pub Var);
    @input
    /// `creates_object(o)`: calling `o` makes an object of the class that it is given.
    pub struct CreatesObject(pub Obj);
    @input
    /// `makes_subclass(p, v)`: `p` tells the bases of the class in `v` of it.
    pub struct MakesSubclass(pub Point, pub Var);
    @input
    /// `runs_module(p, m, f)`: `p` imports the module `m`, whose body `f` runs if nothing imported it before.
    pub struct RunsModule(pub Point, pub Obj, pub Func);
    @input
    /// `imports_name(p, m, x)`: `p` imports the name `x` from the module `m`.
    pub struct ImportsName(pub Point, pub Obj, pub Field);
    @input
    /// `module_lacks(m, x, n)`: the module `m`, which has `__getattr__`, has no global `x` at first; `n` is that name as a text.
    pub struct ModuleLacks(pub Obj, pub Field, pub Obj);
    @input
    /// `locals_given(p, v)`: `v` is a dictionary of the local variables at the call `p`.
    pub struct LocalsGiven(pub Point, pub Var);
    @input
    /// `gives_class_of(k)`: calling the class `k` with one argument gives the class of that, and makes nothing.
    pub struct GivesClassOf(pub Obj);
    @input
    /// `keeps_defaults(x, k)`: the attribute `x` of a function holds its defaults, in an object of class `k`.
    pub struct KeepsDefaults(pub Field, pub Obj);
    @input
    /// `ancestor(k, q)`: the class `q` of the program is the class `k`, or a class above it.
    pub struct Ancestor(pub Obj, pub Obj);
    @input
    /// `behaviour(k)`: in a class, objects of class `k` say what its objects do.
    pub struct Behaviour(pub Obj);
    @input
    /// `internal(x)`: no program sees the field `x` of a class.
    pub struct Internal(pub Field);
    @input
    /// `shows(v)`: a protected operation looks at all that is seen of `v`.
    pub struct Shows(pub Var);
    @input
    /// `stop_holds(r, o, x)`: where exceptions are in `r`, the one that ends a generator is `o`, whose field `x` holds what it returned.
    pub struct StopHolds(pub Obj, pub Obj, pub Field);
    @input
    /// `fallible(f)`: the body `f` does more than look attributes of its receiver up.
    pub struct Fallible(pub Func);
    @input
    /// `model_sends(m, a)`: the generator at the receiver is given what is at port `a`, where it waits.
    pub struct ModelSends(pub Model, pub Port);
    @input
    /// `modelled_free(o, m)`: called with its receiver as the first argument, the method `o` does what model `m` says.
    pub struct ModelledFree(pub Obj, pub Model);
    @input
    /// `gives_locals(o)`: calling `o` gives the local variables of the caller.
    pub struct GivesLocals(pub Obj);
    @input
    /// `base_constructor(k, m)`: calling the class `k` does what model `m` of a class of the library above it says.
    pub struct BaseConstructor(pub Obj, pub Model);
    @input
    /// `drives(p, s)`: `p` runs the generator or coroutine in `s`.
    pub struct Drives(pub Point, pub Var);
    @input
    /// `suspended_in(o, f)`: the generator `o` of the snapshot goes on with the body `f`.
    pub struct SuspendedIn(pub Obj, pub Func);
    @input
    /// `switches(p)`: at `p` control is given away, and what waits for its turn may run.
    pub struct Switches(pub Point);
    @input
    /// `pool(o)`: what `o` holds waits for its turn: tasks, threads, callbacks of a loop.
    pub struct Pool(pub Obj);

    // ---------------------------------------------------------------- facts of objects

    @input
    /// `initially(o, x, y)`: at first the field `x` of `o` holds `y`.
    pub struct Initially(pub Obj, pub Field, pub Obj);
    @input
    /// `instance_of(o, k)`: `o` is an object of class `k`.
    pub struct InstanceOf(pub Obj, pub Obj);
    @input
    /// `code_of(o, f)`: `o` is a function object with the code `f`.
    pub struct CodeOf(pub Obj, pub Func);
    @input
    /// `is_class(o)`: `o` is a class.
    pub struct IsClass(pub Obj);
    @input
    /// `is_namespace(o)`: the fields of `o` are looked up on demand: a module, a class, a library object.
    pub struct IsNamespace(pub Obj);
    @input
    /// `owner(k, x, q)`: looking `x` up on an object of class `k` finds it in the class `q`.
    pub struct Owner(pub Obj, pub Field, pub Obj);
    @input
    /// `super_owner(k, b, x, q)`: so does `super().x` in the class with the code `b`.
    pub struct SuperOwner(pub Obj, pub Func, pub Field, pub Obj);
    @input
    /// `plain_method(o)`: a function that becomes a bound method when found through a class.
    pub struct PlainMethod(pub Obj);
    @input
    /// `wrapper(k, x)`: objects of class `k` found in a class stand for the function in their field `x`: static methods.
    pub struct StaticWrapper(pub Obj, pub Field);
    @input
    /// The same for class methods.
    pub struct ClassWrapper(pub Obj, pub Field);
    @input
    /// `getter(k, x)`: reading a member of class `k` calls the function in its field `x`.
    pub struct Getter(pub Obj, pub Field);
    @input
    /// `remembers(k)`: what the getter of a member of class `k` gave is kept in the object, and given again.
    pub struct Remembers(pub Obj);
    @input
    /// `setter(k, x)`: writing a member of class `k` calls the function in its field `x`.
    pub struct Setter(pub Obj, pub Field);
    @input
    /// `deleter(k, x)`: deleting a member of class `k` calls the function in its field `x`.
    pub struct Deleter(pub Obj, pub Field);
    @input
    /// `stores_class(b, s)`: `b.__class__ = s`.
    pub struct StoresClass(pub Var, pub Var);
    @input
    /// `bound_class(k, f, s)`: objects of class `k` call their field `f` with their field `s` as receiver.
    pub struct BoundClass(pub Obj, pub Field, pub Field);
    @input
    /// `missing(k, x)`: no class above `k` has the member `x`.
    pub struct Missing(pub Obj, pub Field);
    @input
    /// `descriptor(o)`: found in a class, `o` computes what it is read as.
    pub struct Descriptor(pub Obj);
    @input
    /// `present(o, x)`: the object `o` of the snapshot has the attribute `x` itself.
    pub struct Present(pub Obj, pub Field);
    @input
    /// `deletes_attribute(p, b, x)`: `del b.x`.
    pub struct DeletesAttribute(pub Point, pub Var, pub Field);
    @input
    /// `immutable(k)`: no code can change what an object of class `k` holds.
    pub struct Immutable(pub Obj);
    @input
    /// `inert(k)`: an object of class `k` holds no other object and cannot change: a number, text, a date.
    pub struct Inert(pub Obj);
    @input
    /// `cached(k, x)`: objects of class `k` answer for the function in their field `x`, and keep its results.
    pub struct Cached(pub Obj, pub Field);
    @input
    /// `some_name(o)`: `o` is a string that nothing is known of: the name that an access hook is given.
    pub struct SomeName(pub Obj);
    @input
    /// `named(x, n)`: the roles of special names: see `Role`.
    pub struct Special(pub Field, pub Role);
    @input
    /// `foreign_member(k, x)`: a class above `k`, whose code is not known, may call the member `x` of its objects.
    pub struct ForeignMember(pub Obj, pub Field);
    @input
    /// `foreign_class(k)`: a class above `k` is not known, and so its metaclass is not, which may make anything of `k`.
    pub struct ForeignClass(pub Obj);
    @input
    /// `known_member(x, o)`: some class of the slice has the function `o` under the name `x`.
    pub struct KnownMember(pub Field, pub Obj);

    // ---------------------------------------------------------------- facts of library models

    @input
    /// `modelled(o, m)`: calling `o` does what model `m` says.
    pub struct Modelled(pub Obj, pub Model);
    @input
    /// `unmodelled(o)`: nothing is known of what calling `o` does.
    pub struct Unmodelled(pub Obj);
    @input
    /// `hub(p, h)`: unknown code that is called at `p` is taken to be one with what is called at `h`.
    pub struct Hub(pub Point, pub Point);
    @input
    /// `unresolved(p)`: the rules found nothing for `p`: it may do anything with its operands.
    pub struct Unresolved(pub Point);
    @input
    /// `model_makes(m, k)`: a call makes a new object of class `k`.
    pub struct ModelMakes(pub Model, pub Obj);
    @input
    /// `inner_port(m, n, b)`: port `b` is the new object number `n` inside of what a call makes.
    pub struct InnerPort(pub Model, pub u32, pub Port);
    @input
    /// `model_makes_inner(m, n, k)`: inside of what it makes is the new object number `n`, of class `k`.
    pub struct ModelMakesInner(pub Model, pub u32, pub Obj);
    @input
    /// `model_fills(m, x, n)`: what it makes has the new object number `n` in its field `x`.
    pub struct ModelFills(pub Model, pub Field, pub u32);
    @input
    /// `model_fills_inner(m, i, x, n)`: so has the new object number `i`.
    pub struct ModelFillsInner(pub Model, pub u32, pub Field, pub u32);
    @input
    /// `model_aligned(m, a, x, b)`: the items at port `a` become items at port `b`, under the same positions or keys; `x` is `KEYS`
    /// where iteration gives them.
    pub struct ModelAligned(pub Model, pub Port, pub Field, pub Port);
    @input
    /// `keeps_positions(k, x)`: items are read from an object of class `k` under the positions or keys that it has them under; `x`
    /// as there.
    pub struct KeepsPositions(pub Obj, pub Field);
    @input
    /// `named_field(m, n, b, x)`: an argument of `m` whose name `n` is that of no parameter is put into the field `x` at port `b`.
    pub struct NamedField(pub Model, pub u32, pub Port, pub Field);
    @input
    /// `takes_items(m, b)`: `m` puts all such arguments into items at port `b`.
    pub struct TakesItems(pub Model, pub Port);
    @input
    /// `takes_attributes(m, b)`: or into attributes.
    pub struct TakesAttributes(pub Model, pub Port);
    @input
    /// `supplements(m, n, a)`: a call does what model `n` says, too, where nothing or `None` is given at port `a`.
    pub struct Supplements(pub Model, pub Model, pub Port);
    @input
    /// `above(k, b)`: the class `b` stands above `k`, or is it.
    pub struct Above(pub Obj, pub Obj);
    @input
    /// `omits(p, m, a)`: the call at `p` may give nothing at port `a` of the model `m`.
    pub struct Omits(pub Point, pub Model, pub Port);
    @input
    /// `none_class(k)`: `None` is the only object of class `k`.
    pub struct NoneClass(pub Obj);
    @input
    /// `model_part(m, x, n, k)`: what a call makes has in its field `x` the new object number `n`, of class `k`.
    pub struct ModelPart(pub Model, pub Field, pub u32, pub Obj);
    @input
    /// `model_copies(m, a)`: a call gives copies of the objects at port `a`, which share what those hold.
    pub struct ModelCopies(pub Model, pub Port);
    @input
    /// `model_copies_deep(m, a)`: a call gives copies of the objects at port `a`, and of what they hold.
    pub struct ModelCopiesDeep(pub Model, pub Port);
    @input
    /// `fixed(k)`: a copy of an object of class `k` is that object.
    pub struct Fixed(pub Obj);
    @input
    /// `library_property(o)`: reading the member `o` is a call of it.
    pub struct LibraryProperty(pub Obj);
    @input
    /// `model_gives(m, o)`: a call may give the constant `o`.
    pub struct ModelGives(pub Model, pub Obj);
    @input
    /// `model_alias(m, a, x, y, b, z, w)`: the objects at port `a`, path `x.y`, may stand at port `b`, path `z.w`.
    pub struct ModelAlias(pub Model, pub Port, pub Field, pub Field, pub Port, pub Field, pub Field);
    @input
    /// `model_flow(m, a, x, y, b, z, w)`: what port `b`, path `z.w` holds depends on port `a`, path `x.y`.
    pub struct ModelFlow(pub Model, pub Port, pub Field, pub Field, pub Port, pub Field, pub Field);
    @input
    /// `model_lazy(m)`: the result is a view: its flows take place whenever it is used.
    pub struct ModelLazy(pub Model);
    @input
    /// `view_class(k)`: a part of an object of class `k` shows the same place as the object.
    pub struct ViewClass(pub Obj);
    @input
    /// `goes_over(o, q)`: the iterator or view `o` of the snapshot goes through `q`.
    pub struct GoesOver(pub Obj, pub Obj);
    @input
    /// `passes_on(o)`: it gives the elements as they are.
    pub struct PassesOn(pub Obj);
    @input
    /// `runs_code(o)`: the iterator `o` of the snapshot calls functions that it has inside.
    pub struct RunsCode(pub Obj);
    @input
    /// `goes_through(w, o, x)`: the state `w` outside the program is written through what `o.x` holds.
    pub struct GoesThrough(pub Obj, pub Obj, pub Field);
    @input
    /// `stream(k)`: objects of class `k` lead to the state outside the program themselves.
    pub struct Stream(pub Obj);
    @input
    /// `model_selects(m, a)`: the item of the receiver that the function is about has the key at port `a`.
    pub struct ModelSelects(pub Model, pub Port);
    @input
    /// `model_hook(m, a, x, y, h)`: the special method `h` of the objects at port `a`, path `x.y`, is called.
    pub struct ModelHook(pub Model, pub Port, pub Field, pub Field, pub Field);
    @input
    /// `model_asks(m, a, x, y, h)`: the same for a construct that asks on the way.
    pub struct ModelAsks(pub Model, pub Port, pub Field, pub Field, pub Field);
    @input
    /// `model_hashes(m, a, x, y)`: what is at port `a`, path `x.y`, has to have a hash.
    pub struct ModelHashes(pub Model, pub Port, pub Field, pub Field);
    @input
    /// `unhashable(k)`: objects of class `k` have no hash.
    pub struct Unhashable(pub Obj);
    @input
    /// `hook_argument(m, a, x, y)`: a special method is given what port `a`, path `x.y` holds.
    pub struct HookArgument(pub Model, pub Port, pub Field, pub Field);
    @input
    /// `hook_text(m)`: a special method is given something that the function makes.
    pub struct HookText(pub Model);
    @input
    /// `library_class(k)`: `k` is a class of the library.
    pub struct LibraryClass(pub Obj);
    @input
    /// `model_path(m, a, x, y)`: the objects at port `a`, path `x.y`, go somewhere.
    pub struct ModelPath(pub Model, pub Port, pub Field, pub Field);
    @input
    /// `port_variable(p, m, a, x, y, v)`: `v` holds what the model `m` called at `p` has at port `a`, path `x.y`.
    pub struct PortVariable(pub Point, pub Model, pub Port, pub Field, pub Field, pub Var);
    @input
    /// `port_store(p, m, a, x, y, v)`: the model `m` called at `p` puts `v` to port `a`, path `x.y`.
    pub struct PortStore(pub Point, pub Model, pub Port, pub Field, pub Field, pub Var);
    @input
    /// `lazy_callback(p, q)`: the view that is made at `p` makes the call `q` whenever it is used.
    pub struct LazyCallback(pub Point, pub Point);
    @input
    /// `port_position(m, i, a)`: argument `i` arrives at port `a`.
    pub struct PortPosition(pub Model, pub u32, pub Port);
    @input
    /// `port_name(m, n, a)`: the argument named `n` arrives at port `a`.
    pub struct PortName(pub Model, pub u32, pub Port);
    @input
    /// `looks_into(v)`: what can be reached from `v` has to be known: a watched or compared value.
    pub struct LooksInto(pub Var);
    @input
    /// `takes_position(p, v, s, k, i)`: `v` is what a pattern with the class in `k` finds at position `i` of `s`.
    pub struct TakesPosition(pub Point, pub Var, pub Var, pub Var, pub u32);
    @input
    /// `self_matching(k)`: the one position of an object of the library class `k` is the object itself.
    pub struct SelfMatching(pub Obj);
    @input
    /// `model_touches(m, a)`: the function reads or writes the state outside the program at port `a`.
    pub struct ModelTouches(pub Model, pub Port);
    @input
    /// `world(a, o)`: the state outside the program behind port `a`, as an object.
    pub struct World(pub Port, pub Obj);

    // ---------------------------------------------------------------- derived

    @output
    pub struct Reachable(pub Ctx, pub Func);
    @output
    pub struct VarPointsTo(pub Ctx, pub Var, pub Obj);
    @output
    pub struct FieldPointsTo(pub Obj, pub Field, pub Obj);
    @output
    pub struct ClassOf(pub Obj, pub Obj);
    @output
    /// `call_to(c, p, d, o, f, s)`: the call at `p` in context `c` enters body `f` of function `o` in context `d`.
    pub struct CallTo(pub Ctx, pub Point, pub Ctx, pub Obj, pub Func, pub Shift);
    @output
    /// `receives(d, f, o)`: in context `d` the receiver of `f` is `o`.
    pub struct Invokes(pub Ctx, pub Point, pub Obj, pub Shift, pub Obj);
    @output
    pub struct ModelCall(pub Ctx, pub Point, pub Model, pub Obj);
    @output
    pub struct UnknownCall(pub Ctx, pub Point);
    @output
    pub struct Escapes(pub Ctx, pub Point, pub Obj);
    @output
    /// `runs(c, p, d, f)`: `p` drives the deferred body `f` of context `d`.
    pub struct Runs(pub Ctx, pub Point, pub Ctx, pub Func);
    @output
    pub struct MemberRequest(pub Obj, pub Field);
    @output
    pub struct SuperRequest(pub Obj, pub Func, pub Field);
    @output
    pub struct NamespaceRequest(pub Obj, pub Field);
    @output
    pub struct PortHolds(pub Ctx, pub Point, pub Model, pub Port, pub Obj);
    @output
    pub struct Reaches(pub Obj, pub Obj);
    @output
    /// `accesses(c, p, o, x)`: the attribute or item access at `p` reads or writes the place `o.x`.
    pub struct MemberFound(pub Ctx, pub Point, pub Obj, pub Field, pub Obj, pub Obj);
    @output
    /// `new(c, p, v, k)`: `p` puts a new object of class `k` into `v`.
    pub struct New(pub Ctx, pub Point, pub Var, pub Obj);
    @output
    /// `class_member(c, p, k, x, m, q)`: an access at `p` finds the member `m` of `q` through the class `k` itself.
    pub struct ClassMember(pub Ctx, pub Point, pub Obj, pub Field, pub Obj, pub Obj);
    @output
    /// `mirrors(o, x, u, w)`: whatever the place `o.x` holds at any time is seen in `u.w`.
    pub struct Mirrors(pub Obj, pub Field, pub Obj, pub Field);
    @output
    /// `method(o)`: a function that becomes a bound method when found through a class.
    pub struct Method(pub Obj);
    @output
    pub struct Lookup(pub Obj, pub Field, pub Obj, pub Obj);
    @output
    pub struct CodeIs(pub Obj, pub Func);
    @output
    /// `access_hook(h)`: the special method `h` is given the name of an attribute.
    pub struct AccessHook(pub Field);
    @output
    /// `dictionary_of(d, o)`: `d` is the `__dict__` of `o`.
    pub struct DictionaryOf(pub Obj, pub Obj);
    @output
    /// `lacks(o, k, x)`: it may be that neither `o` nor its class `k`, which has `__getattr__`, has the attribute `x`.
    pub struct Lacks(pub Obj, pub Obj, pub Field);
    @output
    /// `holder(o)`: unknown code can do something with `o`: change it, look into it, call it.
    pub struct Holder(pub Obj);
    @output
    /// `alterable(o)`: unknown code can change what `o` holds.
    pub struct Alterable(pub Obj);
    @output
    pub struct Callback(pub Ctx, pub Point, pub Obj);
    @output
    pub struct NestSeed(pub Obj);
    @output
    pub struct Contained(pub Obj, pub Obj);
    @output
    /// `contains(o, q)`: `q` is an item or key of `o`, or of something that `o` contains.
    pub struct Contains(pub Obj, pub Obj);
    @output
    pub struct ReachSeed(pub Obj);
    @output
    pub struct PortContent(pub Ctx, pub Point, pub Model, pub Port, pub Field, pub Obj);
    @output
    pub struct PortContentDeep(pub Ctx, pub Point, pub Model, pub Port, pub Field, pub Field, pub Obj);
    @output
    pub struct GeneratorOf(pub Obj, pub Ctx, pub Func);
    struct HealedContainer(Obj);
    @output
    /// `module_asked(c, p, g, n)`: `p` asks `g`, the `__getattr__` of a module, for the name `n`.
    pub struct ModuleAsked(pub Ctx, pub Point, pub Obj, pub Obj);
    @output
    /// `got(c, p, d, f)`: the call at `p` calls what the body `f`, which it enters first in context `d`, returns.
    pub struct Got(pub Ctx, pub Point, pub Ctx, pub Func);
    @output
    /// `remembered(f)`: what `f` returned is kept somewhere, and given again where `f` seems to be called.
    pub struct Remembered(pub Func);
    @output
    /// `keeps_default(c, p, d, o, w, x)`: the call at `p`, which enters `o` in context `d`, leaves its parameter `w` to the default in
    /// the field `x` of `o`.
    pub struct KeepsDefault(pub Ctx, pub Point, pub Ctx, pub Obj, pub Var, pub Field);
    @output
    /// `defaults_of(t, o)`: the object `t` holds defaults of the function `o`.
    pub struct DefaultsOf(pub Obj, pub Obj);
    @output
    /// `shown(o)`: a protected operation may look at `o`.
    pub struct Shown(pub Obj);
    @output
    /// `class_data(q, x)`: what the class `q` has under the name `x` may be data, and no part of its behaviour.
    pub struct ClassData(pub Obj, pub Field);
    @output
    /// `class_part(o, y)`: a class above the one of `o` holds `y` as data.
    pub struct ClassPart(pub Obj, pub Obj);
    @output
    /// `ends_by(c, p)`: at `p` a generator may end by an exception that the program sees.
    pub struct EndsBy(pub Ctx, pub Point);
    @output
    /// `falls_back(c, p)`: where looking an attribute up at `p` fails, `__getattr__` answers.
    pub struct FallsBack(pub Ctx, pub Point);
    @output
    /// `created(c, p, d, f)`: the class that `p` calls has the `__new__` with the code `f`, which runs in context `d`.
    pub struct Created(pub Ctx, pub Point, pub Ctx, pub Func);
    @output
    /// `local_variables(c, p, v)`: the call at `p` gives the dictionary of local variables in `v`.
    pub struct LocalVariables(pub Ctx, pub Point, pub Var);
    @output
    /// `copy_of(c, p, w, o)`: the call at `p` makes `w` as a copy of `o`.
    pub struct CopyOf(pub Ctx, pub Point, pub Obj, pub Obj);
    // `is_own_copy(o)`: a copy of `o` is `o`.
    struct IsOwnCopy(Obj);
    // `copied_plainly(k, h)`: a copy of an object of class `k` takes its fields over: its special method `h` does nothing else.
    struct CopiedPlainly(Obj, Field);
    @output
    /// `copied_by(c, p, w, x, d, f)`: the field `x` of the copy `w` that the call at `p` makes is what the body `f` returns in context `d`.
    pub struct CopiedBy(pub Ctx, pub Point, pub Obj, pub Field, pub Ctx, pub Func);
    @output
    /// `changed_class(k)`: unknown code, or code that chooses the name, may have given `k` or a class above it members.
    pub struct ChangedClass(pub Obj);
    @output
    /// `aligned_mirror(o, x, u)`: the items of `o` are seen in `u` under the same positions or keys; `x` as in `model_aligned`.
    pub struct AlignedMirror(pub Obj, pub Field, pub Obj);
    @output
    /// `iterates(c, p, o)`: `p` goes through the elements of `o`.
    pub struct Iterates(pub Ctx, pub Point, pub Obj);
    @output
    /// `iterator_of(c, p, o, r)`: going through `o` at `p` is going through `r`.
    pub struct IteratorOf(pub Ctx, pub Point, pub Obj, pub Obj);
    @output
    /// `yielded_to(c, p, o, d, f)`: what the body `f` yields in context `d` are elements of `o` at `p`.
    pub struct YieldedTo(pub Ctx, pub Point, pub Obj, pub Ctx, pub Func);
    @output
    /// `asked(c, p, n, o)`: the construct at `p` calls the special methods that `n` says for the object `o` of the library.
    pub struct Asked(pub Ctx, pub Point, pub Model, pub Obj);
    // `peculiar(o)`: `o` is an object of a class of the program, or contains one.
    struct Peculiar(Obj);
    // `peculiar_at(o, x)`: one is in the field `x` of `o`.
    struct PeculiarAt(Obj, Field);
    @output
    /// `element_of(c, p, o, d, f)`: what the body `f` returns in context `d` is an element of `o` at `p`.
    pub struct ElementOf(pub Ctx, pub Point, pub Obj, pub Ctx, pub Func);
    @output
    pub struct SuperObject(pub Obj, pub Obj, pub Func);

    // ---------------------------------------------------------------- bodies

    // [points-to/root] What runs without being called is reachable.
    Reachable(c, f) <-
        Root(c, f);

    // [points-to/enter] A call makes the body that it enters reachable.
    Reachable(d, f) <-
        CallTo(_, _, d, _, f, _);

    // [points-to/resume] The rest of a live call runs in the context of the live stack.
    Reachable(Ctx::LIVE, f) <-
        Reachable(_, g),
        InFunction(p, g),
        Resumes(p, f);

    // ---------------------------------------------------------------- variables

    // [points-to/holds] A literal, a definition or a snapshot value is just that object.
    VarPointsTo(c, v, o) <-
        Reachable(c, f),
        Holds(f, v, o);

    // [points-to/allocate] A display makes a new object at each context.
    New(c, p, v, k) <-
        Reachable(c, f),
        Allocates(f, p, v, k);

    // [points-to/new-variable] The variable that receives a new object holds it.
    VarPointsTo(c, v, made) <-
        New(c, p, v, _),
        let made = allocated(p, c);

    // [points-to/new-class] A new object has the class that it was made of.
    ClassOf(made, k) <-
        New(c, p, _, k),
        let made = allocated(p, c);

    // [points-to/function] A definition makes a new function object, whose cells differ by context.
    VarPointsTo(c, v, made) <-
        Reachable(c, f),
        MakesFunction(f, p, v, _),
        let made = allocated(p, c);

    // [points-to/function-code] A definition makes a new function object, whose cells differ by context.
    CodeIs(made, g) <-
        Reachable(c, f),
        MakesFunction(f, p, _, g),
        let made = allocated(p, c);

    // [points-to/copy] An assignment or a join copies references.
    VarPointsTo(c, v, o) <-
        VarPointsTo(c, s, o),
        Copies(v, s);

    // [points-to/heal] What a healing writes is some value of its class: other healings write others.
    VarPointsTo(c, v, w) <-
        VarPointsTo(c, s, o),
        Heals(v, s),
        Valueless(o, w);

    // [points-to/heal-object] An object is the one that it is.
    VarPointsTo(c, v, o) <-
        VarPointsTo(c, s, o),
        Heals(v, s),
        (!is_constant(o));

    // [points-to/healed-container] Of a container that the healing makes, other healings make others.
    HealedContainer(o) <-
        VarPointsTo(_, s, o),
        Heals(_, s),
        (is_allocated(o));

    // [points-to/healed-container-inside] And of those in it.
    HealedContainer(q) <-
        HealedContainer(o),
        FieldPointsTo(o, _, q),
        (is_allocated(q));

    // [points-to/healed-item] Which have other items: some value, at any key.
    FieldPointsTo(o, Field::ANY_ITEM, w) <-
        HealedContainer(o),
        SomeName(w);

    // [points-to/healed-item-class] Of the classes of those that are there.
    FieldPointsTo(o, Field::ANY_ITEM, w) <-
        HealedContainer(o),
        FieldPointsTo(o, x, y),
        (is_item(x)),
        Valueless(y, w);

    // [points-to/healed-item-object] Or what is there, at another key.
    FieldPointsTo(o, Field::ANY_ITEM, q) <-
        HealedContainer(o),
        FieldPointsTo(o, x, q),
        (is_item(x)),
        (!is_constant(q));

    // [points-to/healed-key] The keys are others, too.
    FieldPointsTo(o, Field::KEYS, w) <-
        HealedContainer(o),
        FieldPointsTo(o, Field::KEYS, y),
        Valueless(y, w);

    // [points-to/recall] Where a call from before the crash is computed again, what it made is an object of the same class.
    VarPointsTo(c, v, o) <-
        VarPointsTo(c, s, made),
        Recalls(v, s),
        (is_allocated(made)),
        ClassOf(made, k),
        InstanceOf(o, k),
        (is_table(o));

    // [points-to/initially] Objects of the snapshot hold what the snapshot says.
    FieldPointsTo(o, x, y) <-
        Initially(o, x, y);

    // [points-to/instance] Objects of the snapshot have the class that the snapshot says.
    ClassOf(o, k) <-
        InstanceOf(o, k);

    // [points-to/code] Function objects of the snapshot have code.
    CodeIs(o, f) <-
        CodeOf(o, f);

    // ---------------------------------------------------------------- places

    // [points-to/method] A function of the snapshot or of the library is a method when a class has it.
    Method(m) <-
        PlainMethod(m);

    // [points-to/method-code] So is one that the slice defines.
    Method(m) <-
        CodeIs(m, _);

    // [points-to/load-place] A global is a field of its module.
    VarPointsTo(c, v, y) <-
        Reachable(c, f),
        InFunction(p, f),
        LoadsPlace(p, v, o, x),
        FieldPointsTo(o, z, y),
        (may_be_same(x, z));

    // [points-to/request-place] A global that was not looked up yet is requested.
    NamespaceRequest(o, x) <-
        Reachable(_, f),
        InFunction(p, f),
        LoadsPlace(p, _, o, x),
        IsNamespace(o);

    // [points-to/store-place] A store to a global fills the field of its module.
    FieldPointsTo(o, x, y) <-
        VarPointsTo(_, s, y),
        StoresPlace(_, o, x, s);

    // [points-to/load-raw] A raw load reads the field of each object.
    VarPointsTo(c, v, y) <-
        VarPointsTo(c, b, o),
        LoadsRaw(_, v, b, x),
        FieldPointsTo(o, z, y),
        (may_be_same(x, z));

    // [points-to/store-raw] A raw store fills the field of each object.
    FieldPointsTo(o, x, y) <-
        VarPointsTo(c, b, o),
        (!is_constant(o)),
        StoresRaw(_, b, x, s),
        VarPointsTo(c, s, y);

    // [points-to/load-attribute] An attribute of the object itself.
    VarPointsTo(c, v, y) <-
        VarPointsTo(c, b, o),
        LoadsAttribute(_, v, b, x),
        FieldPointsTo(o, z, y),
        (may_be_same(x, z));

    // [points-to/load-class] The class of an object.
    VarPointsTo(c, v, k) <-
        VarPointsTo(c, b, o),
        LoadsClass(_, v, b),
        ClassOf(o, k);

    // [points-to/load-dictionary] The attributes of an object as a dictionary.
    VarPointsTo(c, v, made) <-
        VarPointsTo(c, b, _),
        LoadsDictionary(p, v, b, _),
        let made = allocated(p, c);

    // [points-to/dictionary-class] It is a dictionary.
    ClassOf(made, k) <-
        VarPointsTo(c, b, _),
        LoadsDictionary(p, _, b, k),
        let made = allocated(p, c);

    // [points-to/dictionary-of] It belongs to the object.
    DictionaryOf(made, o) <-
        VarPointsTo(c, b, o),
        (!is_constant(o)),
        LoadsDictionary(p, _, b, _),
        let made = allocated(p, c);

    // [points-to/dictionary-item] What the attributes hold are its items.
    FieldPointsTo(made, Field::ATTRIBUTES, y) <-
        DictionaryOf(made, o),
        !IsNamespace(o),
        FieldPointsTo(o, _, y);

    // [points-to/dictionary-key] Its keys are names.
    FieldPointsTo(made, Field::KEYS, n) <-
        DictionaryOf(made, _),
        SomeName(n);

    // [points-to/dictionary-store] What is put into it under a name becomes the attribute of that name.
    FieldPointsTo(o, x, y) <-
        FieldPointsTo(made, t, y),
        AttributeKey(t, x),
        DictionaryOf(made, o);

    // [points-to/dictionary-store-any] Under another key, it may become any.
    FieldPointsTo(o, Field::ANY, y) <-
        FieldPointsTo(made, t, y),
        (t != Field::ATTRIBUTES),
        (t != Field::KEYS),
        !AttributeKey(t, _),
        DictionaryOf(made, o);

    // [points-to/dictionary-mirror] Whatever happens to the attributes is seen in it.
    Mirrors(o, Field::ANY, made, Field::ATTRIBUTES) <-
        DictionaryOf(made, o),
        !IsNamespace(o);

    // [points-to/namespace-item] The names of a module or class are its items, each by itself.
    FieldPointsTo(made, t, y) <-
        DictionaryOf(made, o),
        IsNamespace(o),
        FieldPointsTo(o, x, y),
        AttributeKey(t, x);

    // [points-to/namespace-mirror] What happens to the name is seen there.
    Mirrors(o, x, made, t) <-
        DictionaryOf(made, o),
        IsNamespace(o),
        FieldPointsTo(o, x, _),
        AttributeKey(t, x);

    // [points-to/request-namespace-item] A name that is looked up there is requested.
    NamespaceRequest(o, x) <-
        LoadsItem(_, _, b, k),
        VarPointsTo(c, b, made),
        DictionaryOf(made, o),
        IsNamespace(o),
        VarPointsTo(c, k, i),
        let t = item_of(i),
        AttributeKey(t, x);

    // [points-to/request-namespace-any] Under a key that is not known, all names are.
    NamespaceRequest(o, Field::ANY) <-
        LoadsItem(_, _, b, k),
        VarPointsTo(c, b, made),
        DictionaryOf(made, o),
        IsNamespace(o),
        VarPointsTo(c, k, i),
        let t = item_of(i),
        (t == Field::ANY_ITEM);

    // [points-to/request-namespace-loop] A loop over it sees all names.
    NamespaceRequest(o, Field::ANY) <-
        Nexts(_, _, b),
        VarPointsTo(_, b, made),
        DictionaryOf(made, o),
        IsNamespace(o);

    // [points-to/request-namespace-spread] So does what takes its items over.
    NamespaceRequest(o, Field::ANY) <-
        Spreads(_, _, b),
        VarPointsTo(_, b, made),
        DictionaryOf(made, o),
        IsNamespace(o);

    // [points-to/request-namespace-operate] Or an operator.
    NamespaceRequest(o, Field::ANY) <-
        Operates(_, _, b),
        VarPointsTo(_, b, made),
        DictionaryOf(made, o),
        IsNamespace(o);

    // [points-to/request-namespace-star] Or a call that is given them as arguments.
    NamespaceRequest(o, Field::ANY) <-
        SpreadArgument(_, b),
        VarPointsTo(_, b, made),
        DictionaryOf(made, o),
        IsNamespace(o);

    // [points-to/request-namespace-port] Or a library function.
    NamespaceRequest(o, Field::ANY) <-
        PortHolds(_, _, _, _, made),
        DictionaryOf(made, o),
        IsNamespace(o);

    // [points-to/request-namespace-unknown] Or unknown code.
    NamespaceRequest(o, Field::ANY) <-
        Escapes(_, _, made),
        DictionaryOf(made, o),
        IsNamespace(o);

    // [points-to/request-namespace-look] So does what watches or compares it.
    NamespaceRequest(o, Field::ANY) <-
        LooksInto(b),
        VarPointsTo(_, b, made),
        DictionaryOf(made, o),
        IsNamespace(o);

    // [points-to/request-namespace-look-inside] Or something that holds it.
    NamespaceRequest(o, Field::ANY) <-
        LooksInto(b),
        VarPointsTo(_, b, q),
        Reaches(q, made),
        DictionaryOf(made, o),
        IsNamespace(o);

    // [points-to/request-attribute] An attribute of a module, class or library object is requested.
    NamespaceRequest(o, x) <-
        VarPointsTo(_, b, o),
        IsNamespace(o),
        LoadsAttribute(_, _, b, x);

    // [points-to/store-attribute] A store fills the attribute of each object.
    FieldPointsTo(o, x, y) <-
        VarPointsTo(c, b, o),
        (!is_constant(o)),
        StoresAttribute(_, b, x, s),
        VarPointsTo(c, s, y);

    // [points-to/load-item] An item by a constant key, or any item.
    VarPointsTo(c, v, y) <-
        VarPointsTo(c, b, o),
        LoadsItem(_, v, b, k),
        VarPointsTo(c, k, i),
        let t = item_of(i),
        FieldPointsTo(o, z, y),
        (may_be_same(t, z));

    // [points-to/request-class-item] A class may have `__class_getitem__`.
    MemberRequest(k, h) <-
        LoadsItem(_, _, b, _),
        VarPointsTo(_, b, k),
        IsClass(k),
        Special(h, Role::CLASS_ITEM);

    // [points-to/class-item] That gives the item of the class itself.
    Invokes(c, p, g, Shift::METHOD, k) <-
        LoadsItem(p, _, b, _),
        VarPointsTo(c, b, k),
        IsClass(k),
        Special(h, Role::CLASS_ITEM),
        Lookup(k, h, g, _),
        CodeIs(g, _);

    // [points-to/class-item-method] Where the snapshot has it as a class method, too.
    Invokes(c, p, g, Shift::METHOD, k) <-
        LoadsItem(p, _, b, _),
        VarPointsTo(c, b, k),
        IsClass(k),
        Special(h, Role::CLASS_ITEM),
        Lookup(k, h, w, _),
        ClassOf(w, r),
        ClassWrapper(r, f),
        FieldPointsTo(w, f, g);

    // [points-to/load-item-value] Items of library values such as strings are new objects.
    New(c, p, v, e) <-
        VarPointsTo(c, b, o),
        LoadsItem(p, v, b, _),
        ClassOf(o, k),
        ElementClass(k, e);

    // [points-to/store-item] A store fills the item, and its key becomes one of the keys.
    FieldPointsTo(o, t, y) <-
        VarPointsTo(c, b, o),
        (!is_constant(o)),
        StoresItem(_, b, k, s),
        VarPointsTo(c, k, i),
        let t = item_of(i),
        VarPointsTo(c, s, y);

    // [points-to/store-item-field] A store fills the item, and its key becomes one of the keys.
    FieldPointsTo(o, Field::KEYS, i) <-
        VarPointsTo(c, b, o),
        (!is_constant(o)),
        StoresItem(_, b, k, s),
        VarPointsTo(c, s, _),
        VarPointsTo(c, k, i);

    // [points-to/shift] What stands behind an item that comes or goes takes another position.
    FieldPointsTo(o, Field::ANY_ITEM, y) <-
        Shifts(_, b),
        VarPointsTo(_, b, o),
        ClassOf(o, k),
        !IteratesKeys(k),
        FieldPointsTo(o, x, y),
        (is_item(x));

    // [points-to/shift-slice] So it is where a slice is stored to that stands in a variable.
    FieldPointsTo(o, Field::ANY_ITEM, y) <-
        StoresItem(_, b, t, _),
        VarPointsTo(c, t, i),
        ClassOf(i, s),
        SliceClass(s),
        VarPointsTo(c, b, o),
        ClassOf(o, k),
        !IteratesKeys(k),
        FieldPointsTo(o, x, y),
        (is_item(x));

    // [points-to/spread] The items of one container become items of another.
    FieldPointsTo(t, Field::ANY_ITEM, y) <-
        VarPointsTo(c, s, o),
        Spreads(_, b, s),
        VarPointsTo(c, b, t),
        (!is_constant(t)),
        FieldPointsTo(o, x, y),
        (is_item(x));

    // [points-to/spread-keys] So do its keys.
    FieldPointsTo(t, Field::KEYS, y) <-
        VarPointsTo(c, s, o),
        Spreads(_, b, s),
        VarPointsTo(c, b, t),
        (!is_constant(t)),
        FieldPointsTo(o, Field::KEYS, y);

    // ---------------------------------------------------------------- iteration

    // [points-to/next-item] Iterating over a sequence gives its items.
    VarPointsTo(c, v, y) <-
        VarPointsTo(c, s, o),
        Nexts(_, v, s),
        FieldPointsTo(o, x, y),
        (is_item(x));

    // [points-to/next-key] Iterating over a mapping gives its keys.
    VarPointsTo(c, v, y) <-
        VarPointsTo(c, s, o),
        Nexts(_, v, s),
        ClassOf(o, k),
        IteratesKeys(k),
        FieldPointsTo(o, Field::KEYS, y);

    // [points-to/next-value] Iterating over a string, a range or a file gives new objects.
    New(c, p, v, e) <-
        VarPointsTo(c, s, o),
        Nexts(p, v, s),
        ClassOf(o, k),
        ElementClass(k, e);

    // [points-to/iterate-model] Library functions go through what they are given.
    Iterates(c, p, o) <-
        PortContentDeep(c, p, m, a, x, y, o),
        ModelHook(m, a, x, y, h),
        Special(h, Role::ITERATE);

    // [points-to/iterate-asked] So do constructs.
    Iterates(c, p, o) <-
        PortContentDeep(c, p, m, a, x, y, o),
        ModelAsks(m, a, x, y, h),
        Special(h, Role::ITERATE);

    // [points-to/iterate-next] Loops and unpacking do.
    Iterates(c, p, o) <-
        VarPointsTo(c, s, o),
        Nexts(p, _, s);

    // [points-to/iterate-start] Stars do.
    Iterates(c, p, o) <-
        VarPointsTo(c, s, o),
        Starts(p, s);

    // [points-to/iterate-mapping] Two stars ask for keys.
    Iterates(c, p, o) <-
        VarPointsTo(c, s, o),
        SpreadMapping(p, s);

    // [points-to/iterate-search] A search does where the class has no method for it.
    Iterates(c, p, o) <-
        Searches(p, s, x),
        VarPointsTo(c, s, o),
        ClassOf(o, k),
        Missing(k, x);

    // [points-to/iterate-element] So does a library function that asks for an element.
    Iterates(c, p, o) <-
        PortContentDeep(c, p, m, a, x, y, o),
        ModelHook(m, a, x, y, h),
        Special(h, Role::NEXT);

    // [points-to/run-live] An iterator from before the crash runs code that is not followed.
    UnknownCall(c, p) <-
        Iterates(c, p, o),
        RunsCode(o);

    // [points-to/start] They ask for an iterator.
    Invokes(c, p, g, Shift::ASKED, o) <-
        Starts(p, s),
        VarPointsTo(c, s, o),
        ClassOf(o, k),
        Lookup(k, h, g, _),
        Special(h, Role::ITERATE),
        CodeIs(g, _);

    // [points-to/start-search] So does a search.
    Invokes(c, p, g, Shift::ASKED, o) <-
        Searches(p, s, x),
        VarPointsTo(c, s, o),
        ClassOf(o, k),
        Missing(k, x),
        Lookup(k, h, g, _),
        Special(h, Role::ITERATE),
        CodeIs(g, _);

    // [points-to/iterator-of] What `__iter__` gives is what is gone through.
    IteratorOf(c, p, o, r) <-
        Iterates(c, p, o),
        ClassOf(o, k),
        Lookup(k, h, g, _),
        Special(h, Role::ITERATE),
        CodeIs(g, f),
        !Deferred(f, _),
        let d = call_context(c, p),
        Returns(f, _, v),
        VarPointsTo(d, v, r);

    // [points-to/iterate-iterator] And so on.
    Iterates(c, p, r) <-
        IteratorOf(c, p, _, r);

    // [points-to/yielded-to] Where `__iter__` is a generator function, its body is gone through.
    YieldedTo(c, p, o, d, f) <-
        Iterates(c, p, o),
        ClassOf(o, k),
        Lookup(k, h, g, _),
        Special(h, Role::ITERATE),
        let d = call_context(c, p),
        CallTo(c, p, d, g, f, _),
        Deferred(f, _);

    // [points-to/run-yielded] It runs.
    Runs(c, p, d, f) <-
        YieldedTo(c, p, _, d, f);

    // [points-to/run-iterator] So does a generator that is gone through.
    Runs(c, p, d, f) <-
        Iterates(c, p, g),
        GeneratorOf(g, d, f);

    // [points-to/element-yielded] An object is found to have the elements that it yields.
    FieldPointsTo(o, Field::ANY_ITEM, y) <-
        YieldedTo(_, _, o, d, f),
        Yields(f, _, v),
        VarPointsTo(d, v, y);

    // [points-to/request-iterate] Its class may have methods for that.
    MemberRequest(k, h) <-
        Iterates(_, _, o),
        ClassOf(o, k),
        Special(h, Role::ITERATE);

    // [points-to/request-element] And for the elements.
    MemberRequest(k, h) <-
        Iterates(_, _, o),
        ClassOf(o, k),
        Special(h, Role::NEXT);

    // [points-to/request-index] By position.
    MemberRequest(k, h) <-
        Iterates(_, _, o),
        ClassOf(o, k),
        Special(h, Role::INDEX);

    // [points-to/request-key] Or by key.
    MemberRequest(k, h) <-
        SpreadMapping(_, v),
        VarPointsTo(_, v, o),
        ClassOf(o, k),
        Special(h, Role::INDEX);

    // [points-to/search-equal] A search compares the elements with what it looks for.
    Invokes(c, p, g, Shift::ASKED, y) <-
        Searches(p, s, x),
        VarPointsTo(c, s, o),
        ClassOf(o, k),
        Missing(k, x),
        FieldPointsTo(o, z, y),
        (is_item(z)),
        ClassOf(y, q),
        Lookup(q, h, g, _),
        Special(h, Role::EQUAL),
        CodeIs(g, _);

    // [points-to/search-equal-reflected] And that with the elements.
    Invokes(c, p, g, Shift::ASKED, y) <-
        Searches(p, s, x),
        VarPointsTo(c, s, o),
        ClassOf(o, k),
        Missing(k, x),
        Argument(p, _, v),
        VarPointsTo(c, v, y),
        ClassOf(y, q),
        Lookup(q, h, g, _),
        Special(h, Role::EQUAL),
        CodeIs(g, _);

    // [points-to/request-equal] Their classes are asked for that.
    MemberRequest(q, h) <-
        Searches(_, s, _),
        VarPointsTo(_, s, o),
        FieldPointsTo(o, z, y),
        (is_item(z)),
        ClassOf(y, q),
        Special(h, Role::EQUAL);

    // [points-to/request-equal-reflected] Both.
    MemberRequest(q, h) <-
        Searches(p, _, _),
        Argument(p, _, v),
        VarPointsTo(_, v, y),
        ClassOf(y, q),
        Special(h, Role::EQUAL);

    // [points-to/searched] The element is what the search looks for, or is compared with it.
    VarPointsTo(d, w, y) <-
        CallTo(c, p, d, _, f, Shift::ASKED),
        Searches(p, s, _),
        VarPointsTo(c, s, o),
        FieldPointsTo(o, z, y),
        (is_item(z)),
        Parameter(f, SECOND, w);

    // [points-to/searched-for] So is the other.
    VarPointsTo(d, w, y) <-
        CallTo(c, p, d, _, f, Shift::ASKED),
        Searches(p, _, _),
        Argument(p, _, v),
        VarPointsTo(c, v, y),
        Parameter(f, SECOND, w);

    // [points-to/element-next] An iterator is asked for the next element.
    Invokes(c, p, g, Shift::ELEMENT, o) <-
        Iterates(c, p, o),
        ClassOf(o, k),
        Lookup(k, h, g, _),
        Special(h, Role::NEXT),
        CodeIs(g, _);

    // [points-to/element-index] What has no iterator is asked for the element at a position.
    Invokes(c, p, g, Shift::ELEMENT, o) <-
        Iterates(c, p, o),
        ClassOf(o, k),
        Missing(k, i),
        Special(i, Role::ITERATE),
        Lookup(k, h, g, _),
        Special(h, Role::INDEX),
        CodeIs(g, _);

    // [points-to/element-key] A mapping is asked for the value of a key.
    Invokes(c, p, g, Shift::ELEMENT, o) <-
        SpreadMapping(p, v),
        VarPointsTo(c, v, o),
        ClassOf(o, k),
        Lookup(k, h, g, _),
        Special(h, Role::INDEX),
        CodeIs(g, _);

    // [points-to/element-argument] Which position or key that is is not known.
    VarPointsTo(d, w, n) <-
        CallTo(_, _, d, _, f, Shift::ELEMENT),
        SomeIndex(n),
        Parameter(f, SECOND, w);

    // [points-to/element-of] What such a method returns is an element.
    ElementOf(c, p, o, d, f) <-
        Invokes(c, p, g, Shift::ELEMENT, o),
        CodeIs(g, f),
        let d = call_context(c, p);

    // [points-to/element] An object is found among the elements of the receiver.
    FieldPointsTo(o, Field::ANY_ITEM, y) <-
        ElementOf(_, _, o, d, f),
        Returns(f, _, v),
        VarPointsTo(d, v, y);

    // [points-to/element-of-iterator] And of what the receiver is the iterator of.
    FieldPointsTo(o, Field::ANY_ITEM, y) <-
        IteratorOf(_, _, o, r),
        FieldPointsTo(r, x, y),
        (is_item(x));

    // [points-to/request-keys] A mapping is asked for its keys.
    MemberRequest(k, h) <-
        SpreadMapping(_, v),
        VarPointsTo(_, v, o),
        ClassOf(o, k),
        Special(h, Role::KEYS);

    // [points-to/keys] By a method.
    Invokes(c, p, g, Shift::ASKED, o) <-
        SpreadMapping(p, v),
        VarPointsTo(c, v, o),
        ClassOf(o, k),
        Lookup(k, h, g, _),
        Special(h, Role::KEYS),
        CodeIs(g, _);

    // ---------------------------------------------------------------- operators

    // [points-to/operate] Operators on library values give new values of the operands' classes.
    New(c, p, v, k) <-
        VarPointsTo(c, l, o),
        Operates(p, v, l),
        ClassOf(o, k),
        ValueClass(k);

    // [points-to/operate-items] The new value may contain what the operands contain.
    FieldPointsTo(made, Field::ANY_ITEM, y) <-
        VarPointsTo(c, l, o),
        Operates(p, _, l),
        let made = allocated(p, c),
        ClassOf(o, k),
        ValueClass(k),
        FieldPointsTo(o, x, y),
        (is_item(x));

    // [points-to/operate-keys] And its keys.
    FieldPointsTo(made, Field::KEYS, y) <-
        VarPointsTo(c, l, o),
        Operates(p, _, l),
        let made = allocated(p, c),
        ClassOf(o, k),
        ValueClass(k),
        FieldPointsTo(o, Field::KEYS, y);

    // [points-to/position-itself] A pattern of a class like `str` with one position finds the subject there.
    VarPointsTo(c, v, o) <-
        TakesPosition(p, v, s, k, FIRST),
        VarPointsTo(c, k, q),
        SelfMatching(q),
        VarPointsTo(c, s, o);

    // [points-to/in-place] An augmented assignment may keep the object of its target.
    VarPointsTo(c, v, o) <-
        VarPointsTo(c, l, o),
        (!is_constant(o)),
        UpdatesInPlace(p, l),
        Operates(p, v, l);

    // [points-to/in-place-items] And fill it with what the operands contain.
    FieldPointsTo(t, Field::ANY_ITEM, y) <-
        VarPointsTo(c, r, o),
        Operates(p, _, r),
        UpdatesInPlace(p, l),
        VarPointsTo(c, l, t),
        (!is_constant(t)),
        FieldPointsTo(o, x, y),
        (is_item(x));

    // [points-to/operate-opaque] With an unknown operand the result is unknown.
    UnknownCall(c, p) <-
        VarPointsTo(c, l, o),
        (is_opaque(o)),
        Operates(p, _, l);

    // ---------------------------------------------------------------- members of classes

    // [points-to/request-member] What an access looks up on a class is requested.
    MemberRequest(k, x) <-
        VarPointsTo(_, b, o),
        LoadsAttribute(_, _, b, x),
        ClassOf(o, k);
    // [points-to/request-stored] A store looks for a property.
    MemberRequest(k, x) <-
        VarPointsTo(_, b, o),
        StoresAttribute(_, b, x, _),
        ClassOf(o, k);
    // [points-to/request-method] A call of a method looks it up.
    MemberRequest(k, x) <-
        VarPointsTo(_, b, o),
        CallsMethod(_, b, x),
        ClassOf(o, k);
    // [points-to/request-special] So does an operator or protocol.
    MemberRequest(k, x) <-
        VarPointsTo(_, b, o),
        CallsSpecial(_, b, x),
        ClassOf(o, k);
    // [points-to/request-reflected] And a reflected operator.
    MemberRequest(k, x) <-
        VarPointsTo(_, b, o),
        CallsReflected(_, b, x),
        ClassOf(o, k);
    // [points-to/request-access-hook] `__getattr__`, `__setattr__` and their like are looked up on every access.
    MemberRequest(k, h) <-
        MemberRequest(k, _),
        Special(h, _);
    // [points-to/request-member-class] What is found in a class may be a descriptor.
    MemberRequest(k, h) <-
        Lookup(_, _, m, _),
        ClassOf(m, k),
        Special(h, _);
    // [points-to/request-hook] A library function looks a special method up on what it is given.
    MemberRequest(k, h) <-
        PortContentDeep(_, _, m, a, x, y, o),
        ModelHook(m, a, x, y, h),
        ClassOf(o, k);
    // [points-to/request-receiver] A method of a module, class or library object is requested.
    NamespaceRequest(o, x) <-
        VarPointsTo(_, b, o),
        IsNamespace(o),
        CallsMethod(_, b, x);

    // [points-to/lookup] A member is what the owning class holds under its name.
    Lookup(k, x, m, q) <-
        MemberRequest(k, x),
        Owner(k, x, q),
        FieldPointsTo(q, x, m);

    // [points-to/request-owner] The class that owns a member is asked for it.
    NamespaceRequest(q, x) <-
        MemberRequest(k, x),
        Owner(k, x, q),
        IsNamespace(q);

    // [points-to/member-load] Reading an attribute may find a member of the class.
    MemberFound(c, p, o, x, m, q) <-
        Lookup(k, x, m, q),
        LoadsAttribute(p, _, b, x),
        ClassOf(o, k),
        VarPointsTo(c, b, o);

    // [points-to/member-method] Calling a method may find one.
    MemberFound(c, p, o, x, m, q) <-
        Lookup(k, x, m, q),
        CallsMethod(p, b, x),
        ClassOf(o, k),
        VarPointsTo(c, b, o);

    // [points-to/member-super] `super()` looks a member up behind the class that it stands in.
    MemberFound(c, p, o, x, m, q) <-
        SuperObject(s, o, g),
        SuperOwner(k, g, x, q),
        ClassOf(o, k),
        LoadsAttribute(p, _, b, x),
        VarPointsTo(c, b, s),
        FieldPointsTo(q, x, m);

    // [points-to/request-super] That look-up is requested.
    SuperRequest(k, g, x) <-
        SuperObject(s, o, g),
        VarPointsTo(_, b, s),
        LoadsAttribute(_, _, b, x),
        ClassOf(o, k);

    // [points-to/request-super-owner] And so is what its owner holds.
    NamespaceRequest(q, x) <-
        SuperRequest(k, g, x),
        SuperOwner(k, g, x, q),
        IsNamespace(q);

    // [points-to/super] `super()` gives an object that stands for the receiver.
    VarPointsTo(c, v, made) <-
        VarPointsTo(c, s, _),
        SuperCall(p, v, s, _),
        let made = allocated(p, c);

    // [points-to/super-stands-for] `super()` gives an object that stands for the receiver.
    SuperObject(made, o, g) <-
        VarPointsTo(c, s, o),
        SuperCall(p, _, s, g),
        let made = allocated(p, c);

    // [points-to/changed-class] Unknown code that has a class can put methods into it.
    ChangedClass(k) <-
        Escapes(_, _, b),
        Above(k, b);

    // [points-to/changed-class-any] Or code that does so under a name that is not known.
    ChangedClass(k) <-
        FieldPointsTo(b, Field::ANY, _),
        Above(k, b);

    // [points-to/request-class-attribute] What an access looks up on a class object itself is requested.
    MemberRequest(k, x) <-
        VarPointsTo(_, b, k),
        IsClass(k),
        LoadsAttribute(_, _, b, x);

    // [points-to/request-class-method] So is what a call looks up there.
    MemberRequest(k, x) <-
        VarPointsTo(_, b, k),
        IsClass(k),
        CallsMethod(_, b, x);

    // [points-to/class-attribute] Reading an attribute of a class finds its member as it is.
    ClassMember(c, p, k, x, m, q) <-
        Lookup(k, x, m, q),
        IsClass(k),
        LoadsAttribute(p, _, b, x),
        VarPointsTo(c, b, k);

    // [points-to/class-method] So does calling one.
    ClassMember(c, p, k, x, m, q) <-
        Lookup(k, x, m, q),
        IsClass(k),
        CallsMethod(p, b, x),
        VarPointsTo(c, b, k);

    // [points-to/load-class-attribute] The member itself.
    VarPointsTo(c, v, m) <-
        ClassMember(c, p, _, _, m, _),
        LoadsAttribute(p, v, _, _);

    // [points-to/call-class-method] It is called without a receiver.
    Invokes(c, p, m, Shift::NONE, k) <-
        ClassMember(c, p, k, _, m, _),
        CallsMethod(p, _, _);

    // [points-to/load-member] A member that is no function is found as it is.
    VarPointsTo(c, v, m) <-
        MemberFound(c, p, _, _, m, _),
        !PlainMethod(m),
        !Descriptor(m),
        LoadsAttribute(p, v, _, _);

    // [points-to/load-method] A function found in the class of an object becomes a bound method.
    VarPointsTo(c, v, method) <-
        MemberFound(c, p, _, _, m, _),
        Method(m),
        let method = bound(p, c),
        LoadsAttribute(p, v, _, _);

    // [points-to/bind-method] A bound method keeps its function and its receiver.
    Invokes(c, p, m, Shift::METHOD, o) <-
        MemberFound(c, p, o, _, m, _),
        CallsMethod(p, _, _);

    // [points-to/bound-function] What a bound method holds can be called.
    FieldPointsTo(method, f, m) <-
        MemberFound(c, p, _, _, m, _),
        let method = bound(p, c),
        LoadsAttribute(p, _, _, _),
        BoundClass(_, f, _);

    // [points-to/bound-function-field] What a bound method holds can be called.
    FieldPointsTo(method, s, o) <-
        MemberFound(c, p, o, _, _, _),
        let method = bound(p, c),
        LoadsAttribute(p, _, _, _),
        BoundClass(_, _, s);

    // [points-to/bound-function-class] What a bound method holds can be called.
    ClassOf(method, k) <-
        MemberFound(c, p, _, _, _, _),
        let method = bound(p, c),
        LoadsAttribute(p, _, _, _),
        BoundClass(k, _, _);

    // [points-to/getter] Reading a property calls its getter.
    Invokes(c, p, g, Shift::METHOD, o) <-
        MemberFound(c, p, o, _, m, _),
        LoadsAttribute(p, _, _, _),
        ClassOf(m, k),
        Getter(k, x),
        FieldPointsTo(m, x, g);

    // [points-to/setter] Writing one calls its setter.
    Invokes(c, p, g, Shift::METHOD, o) <-
        Lookup(q, x, m, _),
        StoresAttribute(p, b, x, _),
        ClassOf(o, q),
        VarPointsTo(c, b, o),
        ClassOf(m, k),
        Setter(k, z),
        FieldPointsTo(m, z, g);

    // [points-to/request-deleted] A deletion looks for a property.
    MemberRequest(k, x) <-
        VarPointsTo(_, b, o),
        DeletesAttribute(_, b, x),
        ClassOf(o, k);

    // [points-to/deleter] Deleting one calls its deleter.
    Invokes(c, p, g, Shift::METHOD, o) <-
        Lookup(q, x, m, _),
        DeletesAttribute(p, b, x),
        ClassOf(o, q),
        VarPointsTo(c, b, o),
        ClassOf(m, k),
        Deleter(k, z),
        FieldPointsTo(m, z, g);

    // [points-to/descriptor-delete] A member whose class has `__delete__` is told.
    Invokes(c, p, g, Shift::METHOD, m) <-
        Lookup(q, x, m, _),
        DeletesAttribute(p, b, x),
        ClassOf(o, q),
        VarPointsTo(c, b, o),
        ClassOf(m, k),
        Lookup(k, h, g, _),
        Special(h, Role::DESCRIPTOR_DELETE),
        Method(g);

    // [points-to/deleted-owner] Of which object.
    VarPointsTo(d, w, o) <-
        Lookup(q, x, m, _),
        DeletesAttribute(p, b, x),
        ClassOf(o, q),
        VarPointsTo(c, b, o),
        ClassOf(m, k),
        Lookup(k, h, g, _),
        Special(h, Role::DESCRIPTOR_DELETE),
        let d = call_context(c, p),
        CodeIs(g, f),
        Parameter(f, SECOND, w);

    // [points-to/store-class] The class of an object can be replaced.
    ClassOf(o, k) <-
        StoresClass(b, s),
        VarPointsTo(c, b, o),
        (!is_constant(o)),
        VarPointsTo(c, s, k),
        IsClass(k);

    // [points-to/lacks] An object may lack an attribute that neither it nor its class is known to have.
    Lacks(o, k, x) <-
        Lookup(k, h, _, _),
        Special(h, Role::READ),
        Missing(k, x),
        ClassOf(o, k),
        !Present(o, x);

    // [points-to/lacks-deleted] Or one that is deleted somewhere.
    Lacks(o, k, x) <-
        Lookup(k, h, _, _),
        Special(h, Role::READ),
        Missing(k, x),
        DeletesAttribute(_, _, x),
        ClassOf(o, k);

    // [points-to/lacks-escaped] Or any, once unknown code could delete it.
    Lacks(o, k, x) <-
        Escapes(_, _, o),
        ClassOf(o, k),
        Lookup(k, h, _, _),
        Special(h, Role::READ),
        Missing(k, x);

    // [points-to/lacks-property] Or one whose property fails.
    Lacks(o, k, x) <-
        Lookup(k, h, _, _),
        Special(h, Role::READ),
        Lookup(k, x, m, _),
        ClassOf(m, j),
        Getter(j, z),
        FieldPointsTo(m, z, g),
        CodeIs(g, f),
        Fallible(f),
        ClassOf(o, k);

    // [points-to/lacks-property-inside] Because it looks up what the object lacks.
    Lacks(o, k, x) <-
        Lacks(o, k, y),
        LoadsAttribute(p, _, b, y),
        InFunction(p, f),
        Parameter(f, FIRST, b),
        CodeIs(g, f),
        FieldPointsTo(m, z, g),
        ClassOf(m, j),
        Getter(j, z),
        Lookup(k, x, m, _);

    // [points-to/lacks-descriptor] Or whose descriptor fails.
    Lacks(o, k, x) <-
        Lookup(k, h, _, _),
        Special(h, Role::READ),
        Lookup(k, x, m, _),
        ClassOf(m, j),
        Lookup(j, i, g, _),
        Special(i, Role::DESCRIPTOR_GET),
        CodeIs(g, _),
        ClassOf(o, k);

    // [points-to/lacks-always] Or any that `__getattribute__` fails to give.
    Lacks(o, k, x) <-
        Lookup(k, h, _, _),
        Special(h, Role::READ),
        Lookup(k, i, g, _),
        Special(i, Role::READ_ALWAYS),
        CodeIs(g, _),
        ClassOf(o, k),
        VarPointsTo(_, b, o),
        LoadsAttribute(_, _, b, x);

    // [points-to/falls-back] Then what answered first failed.
    FallsBack(c, p) <-
        Lacks(o, k, x),
        LoadsAttribute(p, _, b, x),
        VarPointsTo(c, b, o),
        Lookup(k, h, _, _),
        Special(h, Role::READ);

    // [points-to/falls-back-method] Also where the attribute is called.
    FallsBack(c, p) <-
        Lacks(o, k, x),
        CallsMethod(p, b, x),
        VarPointsTo(c, b, o),
        Lookup(k, h, _, _),
        Special(h, Role::READ);

    // [points-to/access-hook] `__getattr__` answers for what an object lacks.
    Invokes(c, p, g, Shift::HOOK, o) <-
        Lookup(k, h, g, _),
        Special(h, Role::READ),
        Lacks(o, k, x),
        LoadsAttribute(p, _, b, x),
        VarPointsTo(c, b, o);

    // [points-to/access-always] `__getattribute__` answers everything.
    Invokes(c, p, g, Shift::HOOK, o) <-
        Lookup(k, h, g, _),
        Special(h, Role::READ_ALWAYS),
        CodeIs(g, _),
        VarPointsTo(c, b, o),
        LoadsAttribute(p, _, b, _),
        ClassOf(o, k);

    // [points-to/method-access-hook] It answers for methods as well, and what it gives is called.
    UnknownCall(c, p) <-
        Lookup(k, h, g, _),
        Special(h, Role::READ),
        Method(g),
        Lacks(o, k, x),
        CallsMethod(p, b, x),
        VarPointsTo(c, b, o);

    // [points-to/method-access-hook-invoke] It is entered for that.
    Invokes(c, p, g, Shift::HOOK, o) <-
        Lookup(k, h, g, _),
        Special(h, Role::READ),
        Method(g),
        Lacks(o, k, x),
        CallsMethod(p, b, x),
        VarPointsTo(c, b, o);

    // [points-to/method-access-hook-got] What it gives is called.
    Got(c, p, d, f) <-
        Lookup(k, h, g, _),
        Special(h, Role::READ),
        Lacks(o, k, x),
        CallsMethod(p, b, x),
        VarPointsTo(c, b, o),
        CodeIs(g, f),
        let d = call_context(c, p);

    // [points-to/method-access-always-invoke] `__getattribute__` is entered for every method.
    Invokes(c, p, g, Shift::HOOK, o) <-
        Lookup(k, h, g, _),
        Special(h, Role::READ_ALWAYS),
        CodeIs(g, _),
        VarPointsTo(c, b, o),
        CallsMethod(p, b, _),
        ClassOf(o, k);

    // [points-to/method-access-always-got] What it gives is called.
    Got(c, p, d, f) <-
        Lookup(k, h, g, _),
        Special(h, Role::READ_ALWAYS),
        VarPointsTo(c, b, o),
        CallsMethod(p, b, _),
        ClassOf(o, k),
        CodeIs(g, f),
        let d = call_context(c, p);

    // [points-to/method-access-always] `__getattribute__` answers for every method.
    UnknownCall(c, p) <-
        Lookup(k, h, g, _),
        Special(h, Role::READ_ALWAYS),
        CodeIs(g, _),
        VarPointsTo(c, b, o),
        CallsMethod(p, b, _),
        ClassOf(o, k);

    // [points-to/call-getter] Calling what a property gives calls its getter first.
    Invokes(c, p, g, Shift::METHOD, o) <-
        MemberFound(c, p, o, _, m, _),
        CallsMethod(p, _, _),
        ClassOf(m, k),
        Getter(k, x),
        FieldPointsTo(m, x, g);

    // [points-to/remembered] The getter of a cached property is not asked again.
    Remembered(f) <-
        Remembers(k),
        ClassOf(m, k),
        Getter(k, x),
        FieldPointsTo(m, x, g),
        CodeIs(g, f);

    // [points-to/remembered-result] What it gave before is given again.
    VarPointsTo(c, v, o) <-
        Remembered(f),
        !Deferred(f, _),
        CallTo(c, p, _, _, f, _),
        CallResult(p, v),
        Returns(f, _, r),
        VarPointsTo(_, r, o);

    // [points-to/got] And then what the getter returned.
    Got(c, p, d, f) <-
        MemberFound(c, p, _, _, m, _),
        CallsMethod(p, _, _),
        ClassOf(m, k),
        Getter(k, x),
        FieldPointsTo(m, x, g),
        CodeIs(g, f),
        let d = call_context(c, p);

    // [points-to/call-got] What was got is called.
    Invokes(c, p, y, Shift::NONE, y) <-
        Got(c, p, d, f),
        Returns(f, _, r),
        VarPointsTo(d, r, y);

    // [points-to/call-remembered] Or what it returned before.
    Invokes(c, p, y, Shift::NONE, y) <-
        Got(c, p, _, f),
        Remembered(f),
        Returns(f, _, r),
        VarPointsTo(_, r, y);

    // ---------------------------------------------------------------- modules that answer for names

    // [points-to/request-module-hook] A module that lacks a name may have `__getattr__`.
    NamespaceRequest(m, h) <-
        ModuleLacks(m, _, _),
        Special(h, Role::READ);

    // [points-to/module-asked] Reading a name that a module lacks asks it.
    ModuleAsked(c, p, g, n) <-
        ModuleLacks(m, x, n),
        LoadsAttribute(p, _, b, x),
        VarPointsTo(c, b, m),
        Special(h, Role::READ),
        FieldPointsTo(m, h, g);

    // [points-to/module-asked-call] Calling one does.
    ModuleAsked(c, p, g, n) <-
        ModuleLacks(m, x, n),
        CallsMethod(p, b, x),
        VarPointsTo(c, b, m),
        Special(h, Role::READ),
        FieldPointsTo(m, h, g);

    // [points-to/module-asked-import] Importing one does.
    ModuleAsked(c, p, g, n) <-
        ModuleLacks(m, x, n),
        ImportsName(p, m, x),
        InFunction(p, f),
        Reachable(c, f),
        Special(h, Role::READ),
        FieldPointsTo(m, h, g);

    // [points-to/module-hook] Its `__getattr__` answers.
    Invokes(c, p, g, Shift::CALLBACK, g) <-
        ModuleAsked(c, p, g, _);

    // [points-to/module-hook-name] For the name.
    VarPointsTo(d, w, n) <-
        ModuleAsked(c, p, g, n),
        CodeIs(g, f),
        let d = call_context(c, p),
        Parameter(f, FIRST, w);

    // [points-to/module-hook-got] What it gives for a name that is called is called.
    Got(c, p, d, f) <-
        ModuleAsked(c, p, g, _),
        CallsMethod(p, _, _),
        CodeIs(g, f),
        let d = call_context(c, p);

    // [points-to/local-variables] `locals()` gives what the variables hold.
    LocalVariables(c, p, v) <-
        Invokes(c, p, m, _, _),
        GivesLocals(m),
        LocalsGiven(p, v);

    // [points-to/local-variables-result] As the result.
    VarPointsTo(c, r, o) <-
        LocalVariables(c, p, v),
        VarPointsTo(c, v, o),
        CallResult(p, r);

    // [points-to/call-descriptor] What another descriptor gives is called: that is not followed.
    UnknownCall(c, p) <-
        MemberFound(c, p, _, _, m, _),
        CallsMethod(p, _, _),
        Descriptor(m),
        ClassOf(m, k),
        !Getter(k, _);

    // [points-to/call-library-property] Nor is what a property of the library gives.
    UnknownCall(c, p) <-
        MemberFound(c, p, _, _, m, _),
        CallsMethod(p, _, _),
        LibraryProperty(m);

    // [points-to/store-hook] `__setattr__` may answer every write.
    Invokes(c, p, g, Shift::METHOD, o) <-
        Lookup(k, h, g, _),
        Special(h, Role::WRITE),
        Method(g),
        ClassOf(o, k),
        VarPointsTo(c, b, o),
        StoresAttribute(p, b, _, _);

    // [points-to/descriptor-get] A member whose class has `__get__` is asked for the value.
    Invokes(c, p, g, Shift::HOOK, m) <-
        MemberFound(c, p, _, _, m, _),
        LoadsAttribute(p, _, _, _),
        ClassOf(m, k),
        Lookup(k, h, g, _),
        Special(h, Role::DESCRIPTOR_GET),
        Method(g);

    // [points-to/descriptor-get-class] Also where it is found in the class itself.
    Invokes(c, p, g, Shift::HOOK, m) <-
        ClassMember(c, p, _, _, m, _),
        LoadsAttribute(p, _, _, _),
        ClassOf(m, k),
        Lookup(k, h, g, _),
        Special(h, Role::DESCRIPTOR_GET),
        Method(g);

    // [points-to/descriptor-class] Then it is given that class.
    VarPointsTo(d, w, o) <-
        Invokes(c, p, g, Shift::HOOK, m),
        ClassMember(c, p, o, _, m, _),
        let d = call_context(c, p),
        CodeIs(g, f),
        Parameter(f, THIRD, w);

    // [points-to/descriptor-set] One whose class has `__set__` takes the value.
    Invokes(c, p, g, Shift::HOOK, m) <-
        Lookup(q, x, m, _),
        StoresAttribute(p, b, x, _),
        ClassOf(o, q),
        VarPointsTo(c, b, o),
        ClassOf(m, k),
        Lookup(k, h, g, _),
        Special(h, Role::DESCRIPTOR_SET),
        Method(g);

    // ---------------------------------------------------------------- calls

    // [points-to/call] A call invokes what the callee holds.
    Invokes(c, p, o, Shift::NONE, o) <-
        VarPointsTo(c, v, o),
        CallsValue(p, v);

    // [points-to/call-attribute] A method call may find a callable in the object itself.
    Invokes(c, p, m, Shift::NONE, m) <-
        VarPointsTo(c, b, o),
        CallsMethod(p, b, x),
        FieldPointsTo(o, z, m),
        (may_be_same(x, z));

    // [points-to/call-special] An operator or protocol invokes the special method of the class.
    Invokes(c, p, m, Shift::METHOD, o) <-
        Lookup(k, x, m, _),
        CallsSpecial(p, b, x),
        ClassOf(o, k),
        VarPointsTo(c, b, o),
        CodeIs(m, _);

    // [points-to/call-special-library] A `with` statement calls methods of library objects; every other protocol has rules of its own
    // for these.
    Invokes(c, p, m, Shift::METHOD, o) <-
        Lookup(k, x, m, _),
        CallsSpecial(p, b, x),
        !Protocol(p),
        VarPointsTo(c, b, o),
        ClassOf(o, k);

    // [points-to/call-in-place] An in-place operator of a library object changes it as its model says.
    Invokes(c, p, m, Shift::METHOD, o) <-
        Lookup(k, x, m, _),
        Special(x, Role::IN_PLACE),
        CallsSpecial(p, b, x),
        VarPointsTo(c, b, o),
        ClassOf(o, k);

    // [points-to/request-like] What a construct does like a method is looked up.
    MemberRequest(k, x) <-
        VarPointsTo(_, b, o),
        ActsLike(_, b, x),
        ClassOf(o, k);

    // [points-to/peculiar] An object of a class of the program may have special methods.
    Peculiar(o) <-
        ClassOf(o, k),
        !LibraryClass(k),
        !Fixed(k),
        (!is_constant(o)),
        !IsNamespace(o);

    // [points-to/peculiar-inside] So may what is in a container.
    Peculiar(o) <-
        Contained(o, q),
        Peculiar(q);

    // [points-to/peculiar-key] As a key.
    PeculiarAt(o, Field::KEYS) <-
        FieldPointsTo(o, Field::KEYS, q),
        Peculiar(q);

    // [points-to/peculiar-item] As an item.
    PeculiarAt(o, Field::ANY_ITEM) <-
        FieldPointsTo(o, x, q),
        (is_item(x)),
        Peculiar(q);

    // [points-to/peculiar-itself] As itself, or anywhere inside.
    PeculiarAt(o, x) <-
        Peculiar(o),
        AsksThrough(_, x),
        (x != Field::KEYS),
        (x != Field::ANY_ITEM);

    // [points-to/ask] An operator or protocol of a library object calls special methods of what that holds.
    Asked(c, p, n, o) <-
        Asks(m, n),
        AsksThrough(n, z),
        PeculiarAt(o, z),
        ClassOf(o, k),
        Lookup(k, x, m, _),
        CallsSpecial(p, b, x),
        Protocol(p),
        VarPointsTo(c, b, o);

    // [points-to/ask-argument] And of what it is given.
    Asked(c, p, n, o) <-
        Peculiar(q),
        VarPointsTo(c, v, q),
        Argument(p, _, v),
        Protocol(p),
        CallsSpecial(p, b, x),
        VarPointsTo(c, b, o),
        ClassOf(o, k),
        Lookup(k, x, m, _),
        Asks(m, n);

    // [points-to/ask-reflected] And of the left operand.
    Asked(c, p, n, o) <-
        Peculiar(q),
        VarPointsTo(c, v, q),
        Operates(p, _, v),
        CallsReflected(p, b, x),
        VarPointsTo(c, b, o),
        ClassOf(o, k),
        Lookup(k, x, m, _),
        Asks(m, n);

    // [points-to/ask-like] So does what acts like a method.
    Asked(c, p, n, o) <-
        Asks(m, n),
        AsksThrough(n, z),
        PeculiarAt(o, z),
        ClassOf(o, k),
        Lookup(k, x, m, _),
        ActsLike(p, b, x),
        VarPointsTo(c, b, o);

    // [points-to/ask-like-argument] With what it is given.
    Asked(c, p, n, o) <-
        Peculiar(q),
        VarPointsTo(c, v, q),
        Argument(p, _, v),
        ActsLike(p, b, x),
        VarPointsTo(c, b, o),
        ClassOf(o, k),
        Lookup(k, x, m, _),
        Asks(m, n);

    // [points-to/asked-receiver] The object is at the port of the receiver.
    PortHolds(c, p, n, Port::RECEIVER, o) <-
        Asked(c, p, n, o);

    // [points-to/asked-argument] The operand at the port of the argument.
    PortHolds(c, p, n, a, o) <-
        Asked(c, p, n, _),
        Argument(p, i, v),
        PortPosition(n, i, a),
        VarPointsTo(c, v, o);

    // [points-to/asked-left] Also the left one.
    PortHolds(c, p, n, a, o) <-
        Asked(c, p, n, _),
        CallsReflected(p, _, _),
        Operates(p, _, v),
        PortPosition(n, FIRST, a),
        VarPointsTo(c, v, o);

    // [points-to/request-asked] The special method is looked up.
    MemberRequest(k, h) <-
        PortContentDeep(_, _, m, a, x, y, o),
        ModelAsks(m, a, x, y, h),
        ClassOf(o, k);

    // [points-to/asked-method] And called.
    Invokes(c, p, g, Shift::ASKED, o) <-
        PortContentDeep(c, p, m, a, x, y, o),
        ModelAsks(m, a, x, y, h),
        !ModelHashes(m, a, x, y),
        ClassOf(o, k),
        Lookup(k, h, g, _),
        CodeIs(g, _);

    // [points-to/asked-key] Of keys as well, which are objects that can be hashed.
    Invokes(c, p, g, Shift::ASKED, o) <-
        PortContentDeep(c, p, m, a, x, y, o),
        ModelAsks(m, a, x, y, h),
        ModelHashes(m, a, x, y),
        ClassOf(o, k),
        !Unhashable(k),
        Lookup(k, h, g, _),
        CodeIs(g, _);

    // [points-to/request-order] A derived ordering asks for the method that is there.
    MemberRequest(k, y) <-
        VarPointsTo(_, b, o),
        CallsSpecial(_, b, x),
        DerivedOrder(x, y),
        ClassOf(o, k),
        Missing(k, x);

    // [points-to/derived-order] And calls that.
    Invokes(c, p, g, Shift::METHOD, o) <-
        VarPointsTo(c, b, o),
        CallsSpecial(p, b, x),
        DerivedOrder(x, y),
        ClassOf(o, k),
        Missing(k, x),
        Lookup(k, y, g, _),
        CodeIs(g, _);

    // [points-to/call-special-opaque] An unknown object may do anything in its special methods.
    UnknownCall(c, p) <-
        VarPointsTo(c, b, o),
        (is_opaque(o)),
        CallsSpecial(p, b, _),
        !Protocol(p);

    // [points-to/call-special-model] But for methods that do more than these rules.
    Invokes(c, p, m, Shift::METHOD, o) <-
        Lookup(k, x, m, _),
        Answers(m),
        CallsSpecial(p, b, x),
        VarPointsTo(c, b, o),
        ClassOf(o, k);

    // [points-to/call-reflected] The right operand's class may answer an operator.
    Invokes(c, p, m, Shift::REFLECTED, o) <-
        Lookup(k, x, m, _),
        CallsReflected(p, b, x),
        ClassOf(o, k),
        VarPointsTo(c, b, o),
        CodeIs(m, _);

    // [points-to/call-opaque-method] A method of an object that the snapshot does not tell of may be any method of that name.
    Invokes(c, p, m, Shift::METHOD, o) <-
        VarPointsTo(c, b, o),
        (is_untold(o)),
        CallsMethod(p, b, x),
        KnownMember(x, m);

    // [points-to/call-opaque] Or something that is not known.
    UnknownCall(c, p) <-
        Invokes(c, p, m, _, _),
        (is_opaque(m));

    // [points-to/call-opaque-receiver] A method of an unknown object is unknown code too.
    UnknownCall(c, p) <-
        VarPointsTo(c, b, o),
        (is_opaque(o)),
        CallsMethod(p, b, _);

    // [points-to/invoke-function] A function is entered in the context of its call site.
    CallTo(c, p, d, m, f, s) <-
        Invokes(c, p, m, s, _),
        let d = call_context(c, p),
        CodeIs(m, f);

    // [points-to/invoke-bound] A bound method is called with its receiver.
    Invokes(c, p, g, Shift::METHOD, o) <-
        Invokes(c, p, m, _, _),
        ClassOf(m, k),
        BoundClass(k, f, s),
        FieldPointsTo(m, f, g),
        FieldPointsTo(m, s, o);

    // [points-to/invoke-static] A static method is called without one.
    Invokes(c, p, g, Shift::NONE, g) <-
        Invokes(c, p, m, _, _),
        ClassOf(m, k),
        StaticWrapper(k, x),
        FieldPointsTo(m, x, g);

    // [points-to/invoke-cached] A cached function is entered in one context for all calls: they may give the same object.
    CallTo(c, p, Ctx::SHARED, g, f, s) <-
        Invokes(c, p, m, s, _),
        ClassOf(m, k),
        Cached(k, x),
        FieldPointsTo(m, x, g),
        CodeIs(g, f);

    // [points-to/cached-receiver] Its receiver takes the first parameter.
    VarPointsTo(Ctx::SHARED, v, o) <-
        Invokes(_, _, m, s, o),
        (binds_receiver(s)),
        ClassOf(m, k),
        Cached(k, x),
        FieldPointsTo(m, x, g),
        CodeIs(g, f),
        Parameter(f, FIRST, v);

    // [points-to/cached-result] It may give what it gave before the crash: any object of the class of what it returns.
    VarPointsTo(c, v, o) <-
        CallTo(c, p, Ctx::SHARED, _, f, _),
        Returns(f, _, r),
        CallResult(p, v),
        VarPointsTo(Ctx::SHARED, r, y),
        Alterable(y),
        ClassOf(y, k),
        InstanceOf(o, k);

    // [points-to/cached-live-result] Or what a live call of it is going to return.
    VarPointsTo(c, v, o) <-
        CallTo(c, p, Ctx::SHARED, _, f, _),
        CallResult(p, v),
        RemainsOf(g, f),
        Returns(g, _, r),
        VarPointsTo(Ctx::LIVE, r, o);

    // [points-to/invoke-cached-model] The library's functions can be cached as well.
    Invokes(c, p, g, s, o) <-
        Invokes(c, p, m, s, o),
        ClassOf(m, k),
        Cached(k, x),
        FieldPointsTo(m, x, g),
        IsNamespace(g);

    // [points-to/invoke-class-method] A class method is called with the class of its receiver.
    Invokes(c, p, g, Shift::METHOD, q) <-
        Invokes(c, p, m, s, o),
        (binds_receiver(s)),
        ClassOf(m, k),
        ClassWrapper(k, x),
        FieldPointsTo(m, x, g),
        ClassOf(o, q);

    // [points-to/invoke-class-method-found] With the class that it was found in.
    Invokes(c, p, g, Shift::METHOD, o) <-
        Invokes(c, p, m, s, o),
        (!binds_receiver(s)),
        IsClass(o),
        ClassOf(m, k),
        ClassWrapper(k, x),
        FieldPointsTo(m, x, g);

    // [points-to/invoke-class-method-taken] With some class where it was taken out of one before.
    Invokes(c, p, g, Shift::METHOD, q) <-
        Invokes(c, p, m, s, o),
        (!binds_receiver(s)),
        !IsClass(o),
        !CallsMethod(p, _, _),
        ClassOf(m, k),
        ClassWrapper(k, x),
        FieldPointsTo(m, x, g),
        ClassOf(o, q);

    // [points-to/invoke-class-method-of-class] Or with the class that it is called on.
    Invokes(c, p, g, Shift::METHOD, q) <-
        Invokes(c, p, m, _, _),
        CallsMethod(p, b, _),
        VarPointsTo(c, b, q),
        IsClass(q),
        ClassOf(m, k),
        ClassWrapper(k, x),
        FieldPointsTo(m, x, g);

    // [points-to/instantiate] Calling a class makes an object of it.
    New(c, p, v, k) <-
        Invokes(c, p, k, _, _),
        !Modelled(k, _),
        !GivesClassOf(k),
        IsClass(k),
        CallResult(p, v);

    // [points-to/base-constructor] A class of the library above does its part.
    ModelCall(c, p, n, k) <-
        Invokes(c, p, k, _, _),
        BaseConstructor(k, n);

    // [points-to/base-constructor-result] On the new object.
    PortHolds(c, p, n, Port::RESULT, made) <-
        Invokes(c, p, k, _, _),
        let made = allocated(p, c),
        BaseConstructor(k, n);

    // [points-to/class-body] Defining a class runs its body.
    CallTo(c, p, d, k, f, Shift::NONE) <-
        Reachable(c, g),
        InFunction(p, g),
        let d = call_context(c, p),
        ClassBody(p, k, f);

    // [points-to/metaclass] A class is an object of the metaclass that is given.
    ClassOf(k, m) <-
        GivesMetaclass(k, v),
        VarPointsTo(_, v, m),
        IsClass(m);

    // [points-to/metaclass-base] Or of that of a base.
    ClassOf(k, m) <-
        HasBase(k, v),
        VarPointsTo(_, v, b),
        IsClass(b),
        ClassOf(b, m);

    // [points-to/prepared] The mapping that the body runs in is a dictionary of the class.
    DictionaryOf(made, k) <-
        NamespaceOf(k, v),
        VarPointsTo(_, v, made),
        (!is_constant(made));

    // [points-to/request-prepare] A metaclass may make it.
    MemberRequest(m, h) <-
        PreparesClass(_, v),
        VarPointsTo(_, v, m),
        IsClass(m),
        Special(h, Role::PREPARE);

    // [points-to/prepare] By a class method.
    Invokes(c, p, g, Shift::METHOD, m) <-
        PreparesClass(p, v),
        VarPointsTo(c, v, m),
        Special(h, Role::PREPARE),
        Lookup(m, h, w, _),
        ClassOf(w, r),
        ClassWrapper(r, f),
        FieldPointsTo(w, f, g);

    // [points-to/give-class] The class of a namespace.
    VarPointsTo(c, v, k) <-
        GivesClass(_, s, v),
        VarPointsTo(c, s, made),
        DictionaryOf(made, k);

    // [points-to/request-class-creator] A metaclass may have `__new__`.
    MemberRequest(m, h) <-
        CreatesClass(_, v),
        VarPointsTo(_, v, k),
        ClassOf(k, m),
        Special(h, Role::CREATE);

    // [points-to/create-class] That is given the metaclass.
    Invokes(c, p, g, Shift::METHOD, m) <-
        CreatesClass(p, v),
        VarPointsTo(c, v, k),
        ClassOf(k, m),
        Special(h, Role::CREATE),
        Lookup(m, h, g, _),
        CodeIs(g, _);

    // [points-to/create-class-static] Also where the snapshot has it as a static method.
    Invokes(c, p, g, Shift::METHOD, m) <-
        CreatesClass(p, v),
        VarPointsTo(c, v, k),
        ClassOf(k, m),
        Special(h, Role::CREATE),
        Lookup(m, h, w, _),
        ClassOf(w, q),
        StaticWrapper(q, x),
        FieldPointsTo(w, x, g);

    // [points-to/create-class-call] Something else that is given as a metaclass is called.
    Invokes(c, p, g, Shift::NONE, g) <-
        MetaclassCall(p, v),
        VarPointsTo(c, v, g),
        !IsClass(g);

    // [points-to/request-class-initializer] Or `__init__`.
    MemberRequest(m, h) <-
        InitializesClass(_, v),
        VarPointsTo(_, v, k),
        ClassOf(k, m),
        Special(h, Role::INITIALIZE);

    // [points-to/initialize-class] That is given the class.
    Invokes(c, p, g, Shift::INITIALIZE, k) <-
        InitializesClass(p, v),
        VarPointsTo(c, v, k),
        ClassOf(k, m),
        Special(h, Role::INITIALIZE),
        Lookup(m, h, g, _),
        CodeIs(g, _);

    // [points-to/request-member-namer] What a class holds may want to know its name.
    MemberRequest(q, h) <-
        NamesMembers(_, v),
        VarPointsTo(_, v, k),
        FieldPointsTo(k, _, m),
        ClassOf(m, q),
        Special(h, Role::NAME);

    // [points-to/name-member] It is told.
    Invokes(c, p, g, Shift::INITIALIZE, m) <-
        NamesMembers(p, v),
        VarPointsTo(c, v, k),
        FieldPointsTo(k, _, m),
        ClassOf(m, q),
        Special(h, Role::NAME),
        Lookup(q, h, g, _),
        CodeIs(g, _);

    // [points-to/request-subclass] A base may want to know what is made of it.
    MemberRequest(b, h) <-
        HasBase(_, v),
        VarPointsTo(_, v, b),
        IsClass(b),
        Special(h, Role::SUBCLASS);

    // [points-to/subclass] It is told the new class.
    Invokes(c, p, g, Shift::INITIALIZE, k) <-
        MakesSubclass(p, v),
        VarPointsTo(c, v, k),
        HasBase(k, s),
        VarPointsTo(c, s, b),
        Special(h, Role::SUBCLASS),
        Lookup(b, h, g, _),
        CodeIs(g, _);

    // [points-to/subclass-method] Where the snapshot has that as a class method, too.
    Invokes(c, p, g, Shift::INITIALIZE, k) <-
        MakesSubclass(p, v),
        VarPointsTo(c, v, k),
        HasBase(k, s),
        VarPointsTo(c, s, b),
        Special(h, Role::SUBCLASS),
        Lookup(b, h, w, _),
        ClassOf(w, q),
        ClassWrapper(q, x),
        FieldPointsTo(w, x, g);

    // [points-to/request-super-class] `super()` for a class itself looks behind it.
    SuperRequest(o, g, x) <-
        SuperObject(s, o, g),
        IsClass(o),
        VarPointsTo(_, b, s),
        LoadsAttribute(_, _, b, x);

    // [points-to/super-class-member] It finds the member as it is.
    ClassMember(c, p, o, x, m, q) <-
        SuperObject(s, o, g),
        IsClass(o),
        SuperOwner(o, g, x, q),
        LoadsAttribute(p, _, b, x),
        VarPointsTo(c, b, s),
        FieldPointsTo(q, x, m);

    // [points-to/super-class-method] A class method is bound to the class.
    MemberFound(c, p, o, x, m, q) <-
        SuperObject(s, o, g),
        IsClass(o),
        SuperOwner(o, g, x, q),
        LoadsAttribute(p, _, b, x),
        VarPointsTo(c, b, s),
        FieldPointsTo(q, x, w),
        ClassOf(w, r),
        ClassWrapper(r, f),
        FieldPointsTo(w, f, m);

    // [points-to/super-subclass] `__init_subclass__` is one without saying so.
    MemberFound(c, p, o, x, m, q) <-
        SuperObject(s, o, g),
        IsClass(o),
        SuperOwner(o, g, x, q),
        Special(x, Role::SUBCLASS),
        LoadsAttribute(p, _, b, x),
        VarPointsTo(c, b, s),
        FieldPointsTo(q, x, m);

    // [points-to/import] Importing a module runs its body: once, whoever comes first, so that there is one context.
    CallTo(c, p, Ctx::SHARED, m, f, Shift::NONE) <-
        Reachable(c, g),
        InFunction(p, g),
        RunsModule(p, m, f);

    // [points-to/request-initializer] And initialises it.
    MemberRequest(k, x) <-
        Invokes(_, _, k, _, _),
        IsClass(k),
        Special(x, Role::INITIALIZE);

    // [points-to/request-creator] Or creates it.
    MemberRequest(k, x) <-
        Invokes(_, _, k, _, _),
        IsClass(k),
        Special(x, Role::CREATE);

    // [points-to/initialize] The new object is the receiver of `__init__`, unless a model says what calling the class does.
    Invokes(c, p, m, Shift::INITIALIZE, made) <-
        Lookup(k, x, m, _),
        Special(x, Role::INITIALIZE),
        IsClass(k),
        !Modelled(k, _),
        Invokes(c, p, k, _, _),
        let made = allocated(p, c);

    // [points-to/request-post-initializer] There may be more behind a constructor that is generated.
    MemberRequest(k, x) <-
        Invokes(_, _, k, _, _),
        IsClass(k),
        Special(x, Role::POST_INITIALIZE);

    // [points-to/post-initialize] That runs on the new object.
    Invokes(c, p, m, Shift::HOOK, made) <-
        Lookup(k, x, m, _),
        Special(x, Role::POST_INITIALIZE),
        IsClass(k),
        !Modelled(k, _),
        Invokes(c, p, k, _, _),
        CodeIs(m, _),
        let made = allocated(p, c);

    // [points-to/create] The class is the receiver of `__new__`, which gives the result.
    Invokes(c, p, m, Shift::METHOD, k) <-
        Lookup(k, x, m, _),
        Special(x, Role::CREATE),
        !CreatesObject(m),
        IsClass(k),
        !Modelled(k, _),
        Invokes(c, p, k, _, _);

    // [points-to/created] What `__new__` gives may be another object.
    Created(c, p, d, f) <-
        Lookup(k, x, m, _),
        Special(x, Role::CREATE),
        IsClass(k),
        Invokes(c, p, k, _, _),
        CodeIs(m, f),
        let d = call_context(c, p);

    // [points-to/created-static] Also where it is a static method.
    Created(c, p, d, f) <-
        Lookup(k, x, m, _),
        Special(x, Role::CREATE),
        IsClass(k),
        Invokes(c, p, k, _, _),
        ClassOf(m, w),
        StaticWrapper(w, z),
        FieldPointsTo(m, z, g),
        CodeIs(g, f),
        let d = call_context(c, p);

    // [points-to/request-created-initializer] Then the class of that is asked.
    MemberRequest(k, x) <-
        Created(_, _, d, f),
        Returns(f, _, r),
        VarPointsTo(d, r, o),
        ClassOf(o, k),
        Special(x, Role::INITIALIZE);

    // [points-to/initialize-created] And initialises it.
    Invokes(c, p, m, Shift::INITIALIZE, o) <-
        Created(c, p, d, f),
        Returns(f, _, r),
        VarPointsTo(d, r, o),
        ClassOf(o, k),
        Special(x, Role::INITIALIZE),
        Lookup(k, x, m, _),
        CodeIs(m, _);

    // [points-to/create-object] `object.__new__` makes an object of the class that it is given.
    New(c, p, v, k) <-
        Invokes(c, p, m, _, _),
        CreatesObject(m),
        Argument(p, FIRST, a),
        VarPointsTo(c, a, k),
        IsClass(k),
        CallResult(p, v);

    // [points-to/create-object-items] A value of a library class is made of the arguments behind it.
    FieldPointsTo(made, Field::ANY_ITEM, y) <-
        Invokes(c, p, m, _, _),
        CreatesObject(m),
        let made = allocated(p, c),
        Argument(p, i, a),
        (i != FIRST),
        VarPointsTo(c, a, o),
        FieldPointsTo(o, x, y),
        (is_item(x));

    // [points-to/create-static] In the snapshot it is a static method.
    Invokes(c, p, g, Shift::METHOD, k) <-
        Lookup(k, x, m, _),
        Special(x, Role::CREATE),
        ClassOf(m, w),
        StaticWrapper(w, f),
        FieldPointsTo(m, f, g),
        IsClass(k),
        Invokes(c, p, k, _, _);

    // [points-to/request-call] An object that is called may have a class with `__call__`.
    MemberRequest(k, x) <-
        Invokes(_, _, m, _, _),
        ClassOf(m, k),
        Special(x, Role::CALL);

    // [points-to/invoke-instance] Then that is called.
    Invokes(c, p, g, Shift::METHOD, m) <-
        Lookup(k, x, g, _),
        Special(x, Role::CALL),
        Method(g),
        ClassOf(m, k),
        Invokes(c, p, m, _, _);

    // [points-to/invoke-model] A library function does what its model says.
    ModelCall(c, p, n, o) <-
        Invokes(c, p, m, _, o),
        Modelled(m, n),
        !ModelledFree(m, _);

    // [points-to/invoke-model-method] A method does for its receiver.
    ModelCall(c, p, n, o) <-
        Invokes(c, p, m, s, o),
        (binds_receiver(s)),
        Modelled(m, n),
        ModelledFree(m, _);

    // [points-to/invoke-free] Taken from its class, for the first argument.
    ModelCall(c, p, n, r) <-
        Invokes(c, p, m, s, _),
        (!binds_receiver(s)),
        ModelledFree(m, n),
        Argument(p, FIRST, v),
        VarPointsTo(c, v, r);

    // [points-to/invoke-free-spread] Or for an item of a starred one.
    ModelCall(c, p, n, r) <-
        Invokes(c, p, m, s, _),
        (!binds_receiver(s)),
        ModelledFree(m, n),
        SpreadArgument(p, v),
        VarPointsTo(c, v, o),
        FieldPointsTo(o, x, r),
        (is_item(x));

    // [points-to/supplement] And what it says for an argument that is not given.
    ModelCall(c, p, n, o) <-
        ModelCall(c, p, m, o),
        Supplements(m, n, a),
        Omits(p, m, a);

    // [points-to/supplement-none] `None` may stand for that.
    ModelCall(c, p, n, o) <-
        ModelCall(c, p, m, o),
        Supplements(m, n, a),
        PortHolds(c, p, m, a, y),
        ClassOf(y, k),
        NoneClass(k);

    // [points-to/supplement-receiver] Of an object from before the crash it is not known what it was made with.
    ModelCall(c, p, n, o) <-
        ModelCall(c, p, m, o),
        Supplements(m, n, Port::RECEIVER),
        PortHolds(c, p, m, Port::RECEIVER, y),
        (!is_allocated(y)),
        (!is_constant(y));

    // [points-to/supplement-opaque] An object that nothing is known of may be `None`.
    ModelCall(c, p, n, o) <-
        ModelCall(c, p, m, o),
        Supplements(m, n, a),
        PortHolds(c, p, m, a, y),
        (is_opaque(y));

    // [points-to/invoke-unmodelled] One without a model may do anything.
    UnknownCall(c, p) <-
        Invokes(c, p, m, _, _),
        Unmodelled(m);

    // [points-to/unresolved] What the rules cannot resolve may do anything.
    UnknownCall(c, p) <-
        Reachable(c, f),
        InFunction(p, f),
        Unresolved(p);

    // ---------------------------------------------------------------- parameters and results

    // [points-to/receiver] The receiver takes the first parameter.
    VarPointsTo(d, v, o) <-
        Invokes(c, p, m, s, o),
        (binds_receiver(s)),
        let d = call_context(c, p),
        CodeIs(m, f),
        Parameter(f, FIRST, v);

    // [points-to/argument] An argument takes the parameter at its position.
    VarPointsTo(d, w, o) <-
        CallTo(c, p, d, _, f, s),
        Argument(p, i, v),
        let j = parameter_of(i, s),
        Parameter(f, j, w),
        VarPointsTo(c, v, o);

    // [points-to/reflected-argument] A reflected operator takes its left operand.
    VarPointsTo(d, w, o) <-
        CallTo(c, p, d, _, f, Shift::REFLECTED),
        Parameter(f, SECOND, w),
        Operates(p, _, v),
        VarPointsTo(c, v, o);

    // [points-to/keyword] An argument with a name takes the parameter of that name.
    VarPointsTo(d, w, o) <-
        CallTo(c, p, d, _, f, _),
        KeywordArgument(p, n, v),
        NamedParameter(f, n, w),
        VarPointsTo(c, v, o);

    // [points-to/spread-argument] Items of a starred argument may take any parameter.
    VarPointsTo(d, w, y) <-
        CallTo(c, p, d, _, f, _),
        SpreadArgument(p, v),
        Parameter(f, _, w),
        VarPointsTo(c, v, o),
        FieldPointsTo(o, x, y),
        (is_item(x));

    // [points-to/rest] An argument without a parameter ends in `*args`.
    FieldPointsTo(made, x, o) <-
        CallTo(c, p, d, _, f, s),
        RestParameter(f, q),
        let made = allocated(q, d),
        Argument(p, i, v),
        let j = parameter_of(i, s),
        RestItem(f, j, x),
        VarPointsTo(c, v, o);
    // [points-to/rest-receiver] So does a receiver without a parameter.
    FieldPointsTo(made, x, o) <-
        Invokes(c, p, m, s, o),
        (binds_receiver(s)),
        CallTo(c, p, d, m, f, s),
        RestParameter(f, q),
        let made = allocated(q, d),
        RestItem(f, FIRST, x);
    // [points-to/rest-reflected] Or the left operand of a reflected operator.
    FieldPointsTo(made, x, o) <-
        CallTo(c, p, d, _, f, Shift::REFLECTED),
        RestParameter(f, q),
        let made = allocated(q, d),
        RestItem(f, SECOND, x),
        Operates(p, _, v),
        VarPointsTo(c, v, o);
    // [points-to/rest-far] Somewhere, where there are many or library code chooses them.
    FieldPointsTo(made, Field::ANY_ITEM, o) <-
        CallTo(c, p, d, _, f, s),
        RestParameter(f, q),
        let made = allocated(q, d),
        Argument(p, i, v),
        let j = parameter_of(i, s),
        (is_far(j)),
        VarPointsTo(c, v, o);
    // [points-to/rest-keyword] One with a name that no parameter has ends in `**kwargs`.
    FieldPointsTo(made, x, o) <-
        CallTo(c, p, d, _, f, _),
        RestNames(f, _, r),
        let made = allocated(r, d),
        KeywordArgument(p, n, v),
        !NamedParameter(f, n, _),
        NameItem(n, x),
        VarPointsTo(c, v, o);
    // [points-to/rest-spread] And the items of starred ones end in either.
    FieldPointsTo(made, Field::ANY_ITEM, y) <-
        CallTo(c, p, d, _, f, _),
        RestParameter(f, q),
        let made = allocated(q, d),
        SpreadArgument(p, v),
        VarPointsTo(c, v, o),
        FieldPointsTo(o, x, y),
        (is_item(x));
    // [points-to/rest-spread-names] Of those with two stars in `**kwargs`.
    FieldPointsTo(made, Field::ANY_ITEM, y) <-
        CallTo(c, p, d, _, f, _),
        RestNames(f, _, r),
        let made = allocated(r, d),
        SpreadArgument(p, v),
        VarPointsTo(c, v, o),
        FieldPointsTo(o, x, y),
        (is_item(x));

    // [points-to/rest-key] The names of those are keys of `**kwargs`.
    FieldPointsTo(made, Field::KEYS, t) <-
        CallTo(_, p, d, _, f, _),
        RestNames(f, _, r),
        let made = allocated(r, d),
        KeywordArgument(p, n, _),
        !NamedParameter(f, n, _),
        NameText(n, t);
    // [points-to/rest-spread-key] So are the keys of starred mappings.
    FieldPointsTo(made, Field::KEYS, t) <-
        CallTo(c, p, d, _, f, _),
        RestNames(f, _, r),
        let made = allocated(r, d),
        SpreadMapping(p, v),
        VarPointsTo(c, v, o),
        FieldPointsTo(o, Field::KEYS, t);

    // [points-to/keep-default] A parameter that no argument is given for keeps its default.
    KeepsDefault(c, p, d, o, w, x) <-
        CallTo(c, p, d, o, f, s),
        Default(f, i, x),
        let j = argument_of(i, s),
        !Argument(p, j, _),
        Parameter(f, i, w),
        NamedParameter(f, n, w),
        !KeywordArgument(p, n, _);

    // [points-to/keep-default-position] So with one that has no name for callers.
    KeepsDefault(c, p, d, o, w, x) <-
        CallTo(c, p, d, o, f, s),
        Default(f, i, x),
        let j = argument_of(i, s),
        !Argument(p, j, _),
        Parameter(f, i, w),
        !NamedParameter(f, _, w);

    // [points-to/default] Then it holds the default.
    VarPointsTo(d, w, y) <-
        KeepsDefault(_, _, d, o, w, x),
        FieldPointsTo(o, x, y);

    // [points-to/load-defaults] What a function keeps as its defaults can be looked at.
    VarPointsTo(c, v, made) <-
        LoadsAttribute(p, v, b, x),
        KeepsDefaults(x, _),
        VarPointsTo(c, b, o),
        CodeIs(o, _),
        let made = allocated(p, c);

    // [points-to/load-defaults-class] In a tuple, or a dictionary.
    ClassOf(made, k) <-
        LoadsAttribute(p, _, b, x),
        KeepsDefaults(x, k),
        VarPointsTo(c, b, o),
        CodeIs(o, _),
        let made = allocated(p, c);

    // [points-to/load-defaults-of] They belong to the function.
    DefaultsOf(made, o) <-
        LoadsAttribute(p, _, b, x),
        KeepsDefaults(x, _),
        VarPointsTo(c, b, o),
        CodeIs(o, _),
        let made = allocated(p, c);

    // [points-to/store-defaults] Others can be put in their place.
    DefaultsOf(t, o) <-
        StoresAttribute(_, b, x, s),
        KeepsDefaults(x, _),
        VarPointsTo(c, b, o),
        CodeIs(o, _),
        VarPointsTo(c, s, t),
        (!is_constant(t));

    // [points-to/defaults-item] Each default is an item.
    FieldPointsTo(t, Field::ANY_ITEM, y) <-
        DefaultsOf(t, o),
        CodeIs(o, f),
        Default(f, _, x),
        FieldPointsTo(o, x, y);

    // [points-to/defaults-mirror] It is seen there whatever happens to it.
    Mirrors(o, x, t, Field::ANY_ITEM) <-
        DefaultsOf(t, o),
        CodeIs(o, f),
        Default(f, _, x);

    // [points-to/default-item] A parameter without an argument may hold any of the items.
    VarPointsTo(d, w, y) <-
        KeepsDefault(_, _, d, o, w, _),
        DefaultsOf(t, o),
        FieldPointsTo(t, z, y),
        (is_item(z));

    // [points-to/environment] The cells around a function travel with it.
    VarPointsTo(d, w, y) <-
        CallTo(_, _, d, o, f, _),
        Environment(f, x, w),
        FieldPointsTo(o, x, y);

    // [points-to/return] The result of a call is what the body returns.
    VarPointsTo(c, v, o) <-
        CallTo(c, p, d, _, f, s),
        (gives_result(s)),
        !Deferred(f, _),
        CallResult(p, v),
        Returns(f, _, r),
        VarPointsTo(d, r, o);

    // [points-to/live-return] The result of a live call is what the rest of the live body returns.
    VarPointsTo(Ctx::LIVE, v, o) <-
        VarPointsTo(Ctx::LIVE, r, o),
        Returns(f, _, r),
        Resumes(p, f),
        CallResult(p, v);
    // [points-to/live-yield] Or yields.
    VarPointsTo(Ctx::LIVE, v, o) <-
        VarPointsTo(Ctx::LIVE, r, o),
        Yields(f, _, r),
        Resumes(p, f),
        CallResult(p, v);

    // ---------------------------------------------------------------- generators and coroutines

    // [points-to/defer] Calling a generator function makes a generator.
    VarPointsTo(c, v, made) <-
        CallTo(c, p, _, _, f, s),
        (gives_result(s)),
        let made = allocated(p, c),
        Deferred(f, _),
        CallResult(p, v);

    // [points-to/defer-class] Calling a generator function makes a generator.
    ClassOf(made, k) <-
        CallTo(c, p, _, _, f, s),
        (gives_result(s)),
        let made = allocated(p, c),
        CallResult(p, _),
        Deferred(f, k);

    // [points-to/defer-body] Calling a generator function makes a generator.
    GeneratorOf(made, d, f) <-
        CallTo(c, p, d, _, f, s),
        (gives_result(s)),
        let made = allocated(p, c),
        CallResult(p, _),
        Deferred(f, _);

    // [points-to/suspended] A generator of the snapshot has a body of its own for what remains of it.
    GeneratorOf(o, Ctx::LIVE, f) <-
        SuspendedIn(o, f);

    // [points-to/suspended-body] Which runs when the generator does.
    Reachable(d, f) <-
        SuspendedIn(_, f),
        Runs(_, _, d, f);

    // [points-to/yield] What a generator yields are its items.
    FieldPointsTo(g, Field::ANY_ITEM, o) <-
        GeneratorOf(g, d, f),
        Yields(f, _, v),
        VarPointsTo(d, v, o);

    // [points-to/deferred-return] What it returns goes to whoever waits for it.
    FieldPointsTo(g, Field::RETURNED, o) <-
        GeneratorOf(g, d, f),
        Returns(f, _, v),
        VarPointsTo(d, v, o);

    // [points-to/drive] Iterating over a generator or waiting for a coroutine runs its body.
    Runs(c, p, d, f) <-
        GeneratorOf(g, d, f),
        VarPointsTo(c, s, g),
        Drives(p, s);

    // [points-to/drive-by-library] Library code that is given a generator may run it.
    Runs(c, p, d, f) <-
        GeneratorOf(g, d, f),
        PortHolds(c, p, m, _, g),
        ModelCall(c, p, m, _);
    // [points-to/drive-waiting] Where control is given away, whatever waits for its turn may run.
    Runs(c, p, d, f) <-
        Switches(p),
        InFunction(p, h),
        Reachable(c, h),
        Pool(w),
        FieldPointsTo(w, _, g),
        GeneratorOf(g, d, f);
    // [points-to/drive-waiting-by-library] A library function that deals with what waits gives control away.
    Runs(c, p, d, f) <-
        Pool(w),
        FieldPointsTo(w, _, g),
        GeneratorOf(g, d, f),
        PortHolds(c, p, m, _, w),
        ModelCall(c, p, m, _);
    // [points-to/drive-by-unknown] So may unknown code.
    Runs(c, p, d, f) <-
        GeneratorOf(g, d, f),
        Escapes(c, p, g);

    // [points-to/ends-by-library] A generator that a library function runs may end there, by an exception.
    EndsBy(c, p) <-
        Runs(c, p, _, _),
        ModelCall(c, p, _, _);

    // [points-to/ends-by-unknown] Also one that unknown code runs.
    EndsBy(c, p) <-
        Runs(c, p, _, _),
        UnknownCall(c, p);

    // [points-to/stop] That may be caught anywhere.
    FieldPointsTo(r, Field::ANY_ITEM, o) <-
        EndsBy(_, _),
        StopHolds(r, o, _);

    // [points-to/stop-value] Which carries what the generator returned.
    FieldPointsTo(o, x, y) <-
        Runs(c, p, d, f),
        EndsBy(c, p),
        Returns(f, _, v),
        VarPointsTo(d, v, y),
        StopHolds(_, o, x);

    // [points-to/send] What is sent to a generator arrives where it waits.
    VarPointsTo(d, w, o) <-
        ModelSends(m, a),
        PortHolds(c, p, m, a, o),
        PortHolds(c, p, m, Port::RECEIVER, g),
        GeneratorOf(g, d, f),
        Yields(f, y, _),
        CallResult(y, w);

    // ---------------------------------------------------------------- library models

    // [points-to/port-receiver] The receiver of a modelled method.
    PortHolds(c, p, m, Port::RECEIVER, o) <-
        ModelCall(c, p, m, o);

    // [points-to/port-argument] The arguments of a modelled function.
    PortHolds(c, p, m, a, o) <-
        ModelCall(c, p, m, _),
        Argument(p, i, v),
        PortPosition(m, i, a),
        VarPointsTo(c, v, o);
    // [points-to/port-keyword] By name.
    PortHolds(c, p, m, a, o) <-
        ModelCall(c, p, m, _),
        KeywordArgument(p, n, v),
        PortName(m, n, a),
        VarPointsTo(c, v, o);
    // [points-to/port-spread] Starred arguments may arrive at any port.
    PortHolds(c, p, m, a, y) <-
        ModelCall(c, p, m, _),
        SpreadArgument(p, v),
        PortPosition(m, _, a),
        VarPointsTo(c, v, o),
        FieldPointsTo(o, x, y),
        (is_item(x));
    // [points-to/port-world] State outside the program.
    PortHolds(c, p, m, a, o) <-
        ModelCall(c, p, m, _),
        ModelTouches(m, a),
        World(a, o);

    // [points-to/model-makes] A modelled function may make a new object.
    VarPointsTo(c, v, made) <-
        ModelCall(c, p, m, _),
        let made = allocated(p, c),
        ModelMakes(m, _),
        CallResult(p, v);

    // [points-to/model-makes-port] A modelled function may make a new object.
    PortHolds(c, p, m, Port::RESULT, made) <-
        ModelCall(c, p, m, _),
        let made = allocated(p, c),
        ModelMakes(m, _),
        CallResult(p, _);

    // [points-to/model-makes-class] A modelled function may make a new object.
    ClassOf(made, k) <-
        ModelCall(c, p, m, _),
        let made = allocated(p, c),
        CallResult(p, _),
        ModelMakes(m, k);

    // [points-to/model-makes-inner] Filled with new objects.
    FieldPointsTo(made, x, inside) <-
        ModelCall(c, p, m, _),
        let made = allocated(p, c),
        ModelFills(m, x, n),
        let inside = inner(p, c, n),
        CallResult(p, _);

    // [points-to/model-makes-inner-on] Which hold new objects as well.
    FieldPointsTo(outside, x, inside) <-
        ModelCall(c, p, m, _),
        ModelFillsInner(m, i, x, n),
        let outside = inner(p, c, i),
        let inside = inner(p, c, n),
        CallResult(p, _);

    // [points-to/model-makes-inner-class] Each of the class that the model says.
    ClassOf(inside, k) <-
        ModelCall(c, p, m, _),
        CallResult(p, _),
        ModelMakesInner(m, n, k),
        let inside = inner(p, c, n);

    // [points-to/port-inner] Flows may lead into them.
    PortHolds(c, p, m, b, inside) <-
        ModelCall(c, p, m, _),
        InnerPort(m, n, b),
        CallResult(p, _),
        let inside = inner(p, c, n);

    // [points-to/model-part] Objects of its own are in attributes of what is made.
    FieldPointsTo(made, x, inside) <-
        ModelCall(c, p, m, _),
        let made = allocated(p, c),
        ModelPart(m, x, n, _),
        let inside = part(p, c, n);

    // [points-to/model-part-class] Of the class that the model says.
    ClassOf(inside, k) <-
        ModelCall(c, p, m, _),
        ModelPart(m, _, n, k),
        let inside = part(p, c, n);

    // [points-to/library-property] Reading a property of a library object is a call.
    Invokes(c, p, m, Shift::METHOD, o) <-
        MemberFound(c, p, o, _, m, _),
        LoadsAttribute(p, _, _, _),
        LibraryProperty(m);

    // [points-to/model-gives] Or give a constant; what `__init__` returns is not what the call gives.
    VarPointsTo(c, v, o) <-
        Invokes(c, p, f, s, _),
        (gives_result(s)),
        Modelled(f, m),
        ModelGives(m, o),
        CallResult(p, v);

    // ---------------------------------------------------------------- copies

    // [points-to/copied-plainly] An object of the library is copied as its class says.
    CopiedPlainly(k, h) <-
        LibraryClass(k),
        Special(h, r),
        (is_copier(r));

    // [points-to/copied-plainly-missing] One of another class field by field, unless the class has a method for that.
    CopiedPlainly(k, h) <-
        Missing(k, h),
        Special(h, r),
        (is_copier(r));

    // [points-to/copied-plainly-library] Where it has that of a class of the library above it, that copies the fields.
    CopiedPlainly(k, h) <-
        Owner(k, h, q),
        LibraryClass(q),
        Special(h, r),
        (is_copier(r));

    // [points-to/copied-plainly-deleted] Also where the method may be deleted.
    CopiedPlainly(k, h) <-
        MemberRequest(k, h),
        DeletesAttribute(_, _, h),
        Special(h, r),
        (is_copier(r));

    // [points-to/copy-shallow] A copy of each object that is given.
    CopyOf(c, p, made, o) <-
        ModelCall(c, p, m, _),
        ModelCopies(m, a),
        PortHolds(c, p, m, a, o),
        ClassOf(o, k),
        CopiedPlainly(k, h),
        Special(h, Role::COPY),
        !Inert(k),
        !Fixed(k),
        !IsNamespace(o),
        let made = copied(p, c, o);

    // [points-to/copy-deep] The same, all the way down.
    CopyOf(c, p, made, o) <-
        ModelCall(c, p, m, _),
        ModelCopiesDeep(m, a),
        PortHolds(c, p, m, a, o),
        ClassOf(o, k),
        CopiedPlainly(k, h),
        Special(h, Role::COPY_DEEP),
        !Inert(k),
        !Fixed(k),
        !IsNamespace(o),
        let made = copied(p, c, o);

    // [points-to/copy-deep-on] Of what they hold.
    CopyOf(c, p, made, q) <-
        CopyOf(c, p, _, o),
        ModelCall(c, p, m, _),
        ModelCopiesDeep(m, _),
        FieldPointsTo(o, _, q),
        ClassOf(q, k),
        CopiedPlainly(k, h),
        Special(h, Role::COPY_DEEP),
        !Inert(k),
        !Fixed(k),
        !IsNamespace(q),
        let made = copied(p, c, q);

    // [points-to/own-copy] Plain values are their own copies.
    IsOwnCopy(o) <-
        ClassOf(o, k),
        Inert(k);
    // [points-to/own-copy-fixed] So are functions.
    IsOwnCopy(o) <-
        ClassOf(o, k),
        Fixed(k);
    // [points-to/own-copy-namespace] Modules, classes and what the library has.
    IsOwnCopy(o) <-
        FieldPointsTo(_, _, o),
        IsNamespace(o);
    // [points-to/own-copy-given] Also where they are given.
    IsOwnCopy(o) <-
        PortHolds(_, _, _, _, o),
        IsNamespace(o);
    // [points-to/own-copy-opaque] What unknown code made may be any of these.
    IsOwnCopy(unknown) <-
        UnknownCall(_, p),
        Hub(p, h),
        let unknown = opaque(h);
    // [points-to/own-copy-untold] As may be what the snapshot does not tell.
    IsOwnCopy(o) <-
        Initially(o, _, _),
        (is_untold(o));

    // [points-to/copy-class] A copy has the class of its original.
    ClassOf(made, k) <-
        CopyOf(_, _, made, o),
        ClassOf(o, k);

    // [points-to/copy-field] Shallow, it shares what that holds.
    FieldPointsTo(made, x, y) <-
        CopyOf(c, p, made, o),
        ModelCall(c, p, m, _),
        ModelCopies(m, _),
        FieldPointsTo(o, x, y);

    // [points-to/copy-field-deep] Deep, it holds copies.
    FieldPointsTo(made, x, inside) <-
        CopyOf(c, p, made, o),
        ModelCall(c, p, m, _),
        ModelCopiesDeep(m, _),
        FieldPointsTo(o, x, y),
        CopyOf(c, p, inside, y);

    // [points-to/copied-by] Or what a class makes of its objects itself.
    CopiedBy(c, p, made, x, d, f) <-
        CopyOf(c, p, made, o),
        ModelCall(c, p, m, _),
        ModelCopiesDeep(m, _),
        FieldPointsTo(o, x, y),
        ClassOf(y, k),
        Special(h, Role::COPY_DEEP),
        Lookup(k, h, g, _),
        CodeIs(g, f),
        let d = call_context(c, p);

    // [points-to/copy-field-by] It holds that.
    FieldPointsTo(made, x, y) <-
        CopiedBy(_, _, made, x, d, f),
        Returns(f, _, v),
        VarPointsTo(d, v, y);

    // [points-to/copy-field-own] Where there are any.
    FieldPointsTo(made, x, y) <-
        CopyOf(_, _, made, o),
        FieldPointsTo(o, x, y),
        IsOwnCopy(y);

    // [points-to/copy-result] The copies of what is given are the result.
    VarPointsTo(c, v, made) <-
        CopyOf(c, p, made, o),
        ModelCall(c, p, m, _),
        PortHolds(c, p, m, a, o),
        ModelCopies(m, a),
        CallResult(p, v);

    // [points-to/copy-result-deep] Deep ones too.
    VarPointsTo(c, v, made) <-
        CopyOf(c, p, made, o),
        ModelCall(c, p, m, _),
        PortHolds(c, p, m, a, o),
        ModelCopiesDeep(m, a),
        CallResult(p, v);

    // [points-to/copy-result-own] Or what is given itself.
    VarPointsTo(c, v, o) <-
        PortHolds(c, p, m, a, o),
        ModelCopies(m, a),
        IsOwnCopy(o),
        CallResult(p, v);

    // [points-to/copy-result-own-deep] Also there.
    VarPointsTo(c, v, o) <-
        PortHolds(c, p, m, a, o),
        ModelCopiesDeep(m, a),
        IsOwnCopy(o),
        CallResult(p, v);

    // ---------------------------------------------------------------- ports

    // [points-to/request-content] What a library function looks up in a module or class is requested.
    NamespaceRequest(o, x) <-
        PortHolds(_, _, m, a, o),
        IsNamespace(o),
        ModelPath(m, a, x, _);

    // [points-to/content-itself] The objects at a port.
    PortContent(c, p, m, a, Field::ITSELF, o) <-
        PortHolds(c, p, m, a, o);
    // [points-to/content-field] And what they hold.
    PortContent(c, p, m, a, x, y) <-
        PortHolds(c, p, m, a, o),
        ModelPath(m, a, x, _),
        FieldPointsTo(o, z, y),
        (may_be_same(x, z));
    // [points-to/content-deep] And what can be reached from there.
    PortContent(c, p, m, a, Field::DEEP, y) <-
        PortHolds(c, p, m, a, o),
        ModelPath(m, a, Field::DEEP, _),
        Reaches(o, y);
    // [points-to/content-deep-itself] Itself included.
    PortContent(c, p, m, a, Field::DEEP, o) <-
        PortHolds(c, p, m, a, o),
        ModelPath(m, a, Field::DEEP, _);
    // [points-to/content-nested] Or what is contained in it.
    PortContent(c, p, m, a, Field::NESTED, y) <-
        PortHolds(c, p, m, a, o),
        ModelPath(m, a, Field::NESTED, _),
        Contains(o, y);
    // [points-to/content-nested-itself] Itself included.
    PortContent(c, p, m, a, Field::NESTED, o) <-
        PortHolds(c, p, m, a, o),
        ModelPath(m, a, Field::NESTED, _);
    // [points-to/content-second] One step on.
    PortContentDeep(c, p, m, a, x, z, y) <-
        PortContent(c, p, m, a, x, o),
        ModelPath(m, a, x, z),
        (z != Field::ITSELF),
        FieldPointsTo(o, w, y),
        (may_be_same(z, w));
    // [points-to/content-second-deep] All the way on.
    PortContentDeep(c, p, m, a, x, Field::DEEP, y) <-
        PortContent(c, p, m, a, x, o),
        ModelPath(m, a, x, Field::DEEP),
        Reaches(o, y);
    // [points-to/content-second-deep-itself] From the first step.
    PortContentDeep(c, p, m, a, x, Field::DEEP, o) <-
        PortContent(c, p, m, a, x, o),
        ModelPath(m, a, x, Field::DEEP);
    // [points-to/content-second-nested] What is contained there.
    PortContentDeep(c, p, m, a, x, Field::NESTED, y) <-
        PortContent(c, p, m, a, x, o),
        ModelPath(m, a, x, Field::NESTED),
        Contains(o, y);
    // [points-to/content-second-nested-itself] From the first step.
    PortContentDeep(c, p, m, a, x, Field::NESTED, o) <-
        PortContent(c, p, m, a, x, o),
        ModelPath(m, a, x, Field::NESTED);
    // [points-to/content-first] No step on.
    PortContentDeep(c, p, m, a, x, Field::ITSELF, o) <-
        PortContent(c, p, m, a, x, o);

    // [points-to/content-selected] And the item that the key of the call selects.
    PortContent(c, p, m, Port::RECEIVER, Field::SELECTED, y) <-
        PortHolds(c, p, m, Port::RECEIVER, o),
        ModelSelects(m, a),
        PortHolds(c, p, m, a, i),
        let t = item_of(i),
        FieldPointsTo(o, z, y),
        (may_be_same(t, z));

    // [points-to/model-store-selected] What flows into that item.
    FieldPointsTo(o, t, y) <-
        PortContentDeep(c, p, m, a, x, z, y),
        ModelAlias(m, a, x, z, Port::RECEIVER, Field::SELECTED, _),
        ModelSelects(m, b),
        PortHolds(c, p, m, b, i),
        let t = item_of(i),
        PortHolds(c, p, m, Port::RECEIVER, o),
        (!is_constant(o));

    // [points-to/mirror] A view shows what its source holds.
    Mirrors(o, x, made, z) <-
        ModelLazy(m),
        ModelFlow(m, a, x, Field::ITSELF, b, z, Field::ITSELF),
        (is_made(b)),
        PortHolds(c, p, m, b, made),
        PortHolds(c, p, m, a, o);

    // [points-to/mirror-inside] Inside of its items, too.
    Mirrors(o, x, u, w) <-
        ModelCall(c, p, m, _),
        let made = allocated(p, c),
        ModelLazy(m),
        ModelFlow(m, a, x, Field::ITSELF, Port::RESULT, z, w),
        (w != Field::ITSELF),
        PortHolds(c, p, m, a, o),
        FieldPointsTo(made, s, u),
        (may_be_same(s, z));

    // [points-to/mirror-second] And what the items of its source hold.
    Mirrors(q, y, made, z) <-
        ModelLazy(m),
        ModelFlow(m, a, x, y, b, z, _),
        (is_made(b)),
        (y != Field::ITSELF),
        PortHolds(c, p, m, b, made),
        PortHolds(c, p, m, a, o),
        FieldPointsTo(o, s, q),
        (may_be_same(s, x));

    // [points-to/mirror-back] What is written to a view is written to its source, where the model says so.
    Mirrors(made, x, o, z) <-
        ModelCall(c, p, m, _),
        let made = allocated(p, c),
        ModelLazy(m),
        ModelFlow(m, Port::RESULT, x, Field::ITSELF, a, z, Field::ITSELF),
        (a != Port::RESULT),
        PortHolds(c, p, m, a, o);

    // [points-to/mirror-part] A part of a view shows the same place.
    Mirrors(o, Field::ANY_ITEM, made, Field::ANY_ITEM) <-
        VarPointsTo(c, b, o),
        ClassOf(o, k),
        ViewClass(k),
        Operates(p, _, b),
        let made = allocated(p, c);

    // [points-to/mirror-part-back] In both directions.
    Mirrors(made, Field::ANY_ITEM, o, Field::ANY_ITEM) <-
        VarPointsTo(c, b, o),
        ClassOf(o, k),
        ViewClass(k),
        Operates(p, _, b),
        let made = allocated(p, c);

    // [points-to/go-over] An iterator or view from before the crash shows what it goes through.
    Mirrors(q, Field::ANY, o, Field::ANY) <-
        GoesOver(o, q);

    // [points-to/go-over-inside] And what is in there.
    Mirrors(r, Field::ANY, o, Field::ANY) <-
        GoesOver(o, q),
        Contains(q, r);

    // [points-to/go-over-back] What is written to a view is written there.
    Mirrors(o, Field::ANY, q, Field::ANY) <-
        GoesOver(o, q),
        ClassOf(o, k),
        ViewClass(k);

    // [points-to/go-over-back-inside] Or to what stands for it.
    Mirrors(o, Field::ANY, r, Field::ANY) <-
        GoesOver(o, q),
        ClassOf(o, k),
        ViewClass(k),
        Contains(q, r);

    // [points-to/nest-seed-over] What is in there has to be known.
    NestSeed(q) <-
        GoesOver(_, q);

    // [points-to/go-over-item] It has those elements.
    FieldPointsTo(o, Field::ANY_ITEM, y) <-
        GoesOver(o, q),
        PassesOn(o),
        FieldPointsTo(q, x, y),
        (is_item(x));

    // [points-to/go-over-key] Or keys.
    FieldPointsTo(o, Field::ANY_ITEM, y) <-
        GoesOver(o, q),
        PassesOn(o),
        FieldPointsTo(q, Field::KEYS, y);

    // [points-to/go-through] The state outside is written through an object that the program put there.
    FieldPointsTo(w, Field::ANY_ITEM, y) <-
        GoesThrough(w, o, x),
        FieldPointsTo(o, z, y),
        (may_be_same(x, z)),
        ClassOf(y, k),
        !Stream(k);

    // [points-to/request-through] Which one is there at first is requested where somebody writes.
    NamespaceRequest(o, x) <-
        PortHolds(_, _, _, _, w),
        GoesThrough(w, o, x);

    // [points-to/mirror-through] Which one it is at any time decides what is written to.
    Mirrors(o, x, w, Field::ANY_ITEM) <-
        GoesThrough(w, o, x);

    // [points-to/model-result] What flows to the result.
    VarPointsTo(c, v, o) <-
        PortContentDeep(c, p, m, a, x, y, o),
        ModelAlias(m, a, x, y, Port::RESULT, Field::ITSELF, _),
        CallResult(p, v);

    // [points-to/model-store] What flows into the items or attributes of another port.
    FieldPointsTo(t, z, o) <-
        PortContentDeep(c, p, m, a, x, y, o),
        ModelAlias(m, a, x, y, b, z, Field::ITSELF),
        (z != Field::ITSELF),
        (z != Field::SELECTED),
        PortHolds(c, p, m, b, t),
        (!is_constant(t));

    // [points-to/model-store-inner] What flows into the items of items.
    FieldPointsTo(u, w, o) <-
        PortContentDeep(c, p, m, a, x, y, o),
        ModelAlias(m, a, x, y, b, z, w),
        (w != Field::ITSELF),
        PortHolds(c, p, m, b, t),
        FieldPointsTo(t, s, u),
        (may_be_same(s, z)),
        (!is_constant(u));

    // [points-to/model-aligned] Items that become items of another port keep their positions and keys.
    FieldPointsTo(t, x, y) <-
        ModelAligned(m, a, z, b),
        PortHolds(c, p, m, a, o),
        ClassOf(o, k),
        KeepsPositions(k, z),
        PortHolds(c, p, m, b, t),
        (!is_constant(t)),
        FieldPointsTo(o, x, y),
        (is_item(x));

    // [points-to/model-aligned-other] Where the source may give them in another order, they may come anywhere.
    FieldPointsTo(t, Field::ANY_ITEM, y) <-
        ModelAligned(m, a, z, b),
        PortHolds(c, p, m, a, o),
        ClassOf(o, k),
        !KeepsPositions(k, z),
        PortHolds(c, p, m, b, t),
        (!is_constant(t)),
        FieldPointsTo(o, x, y),
        (is_item(x));

    // [points-to/model-aligned-opaque] So with an object that nothing is known of.
    FieldPointsTo(t, Field::ANY_ITEM, y) <-
        ModelAligned(m, a, _, b),
        PortHolds(c, p, m, a, o),
        (is_opaque(o)),
        PortHolds(c, p, m, b, t),
        (!is_constant(t)),
        FieldPointsTo(o, x, y),
        (is_item(x));

    // [points-to/mirror-aligned] A view shows them under the same positions and keys.
    AlignedMirror(o, z, t) <-
        ModelAligned(m, a, z, Port::RESULT),
        ModelLazy(m),
        PortHolds(c, p, m, a, o),
        PortHolds(c, p, m, Port::RESULT, t);

    // [points-to/model-named] Arguments with names of their own keep them.
    FieldPointsTo(t, x, y) <-
        ModelCall(c, p, m, _),
        KeywordArgument(p, n, v),
        NamedField(m, n, b, x),
        VarPointsTo(c, v, y),
        PortHolds(c, p, m, b, t),
        (!is_constant(t));

    // [points-to/model-named-spread] So do those in a mapping with two stars.
    FieldPointsTo(t, x, y) <-
        ModelCall(c, p, m, _),
        SpreadArgument(p, v),
        TakesItems(m, b),
        VarPointsTo(c, v, o),
        FieldPointsTo(o, x, y),
        (is_contained(x)),
        PortHolds(c, p, m, b, t),
        (!is_constant(t));

    // [points-to/model-named-attribute] Its keys name attributes.
    FieldPointsTo(t, z, y) <-
        ModelCall(c, p, m, _),
        SpreadArgument(p, v),
        TakesAttributes(m, b),
        VarPointsTo(c, v, o),
        FieldPointsTo(o, x, y),
        (is_item(x)),
        AttributeKey(x, z),
        PortHolds(c, p, m, b, t),
        (!is_constant(t));

    // [points-to/model-named-attribute-any] Any of them where it is not known which.
    FieldPointsTo(t, Field::ANY, y) <-
        ModelCall(c, p, m, _),
        SpreadArgument(p, v),
        TakesAttributes(m, b),
        VarPointsTo(c, v, o),
        FieldPointsTo(o, x, y),
        (is_item(x)),
        !AttributeKey(x, _),
        PortHolds(c, p, m, b, t),
        (!is_constant(t));

    // [points-to/model-hook] A library function calls special methods of user classes.
    Invokes(c, p, g, Shift::HOOK, o) <-
        PortContentDeep(c, p, m, a, x, y, o),
        ModelHook(m, a, x, y, h),
        !ModelHashes(m, a, x, y),
        ClassOf(o, k),
        Lookup(k, h, g, _),
        CodeIs(g, _);

    // [points-to/model-hook-key] Of keys as well, which are objects that can be hashed.
    Invokes(c, p, g, Shift::HOOK, o) <-
        PortContentDeep(c, p, m, a, x, y, o),
        ModelHook(m, a, x, y, h),
        ModelHashes(m, a, x, y),
        ClassOf(o, k),
        !Unhashable(k),
        Lookup(k, h, g, _),
        CodeIs(g, _);

    // [points-to/model-hook-unknown] One without source may do anything: `dataclass` makes such methods.
    UnknownCall(c, p) <-
        PortContentDeep(c, p, m, a, x, y, o),
        ModelHook(m, a, x, y, h),
        ClassOf(o, k),
        Lookup(k, h, g, _),
        Unmodelled(g),
        !IsNamespace(g);

    // [points-to/callback-variable] A library function calls back with what it finds at its ports.
    VarPointsTo(c, v, o) <-
        PortContentDeep(c, p, m, a, x, y, o),
        PortVariable(p, m, a, x, y, v);

    // [points-to/callback-store] And puts what it is given back into the items or attributes of a port.
    FieldPointsTo(t, z, o) <-
        VarPointsTo(c, v, o),
        PortStore(p, m, a, z, Field::ITSELF, v),
        (z != Field::SELECTED),
        PortHolds(c, p, m, a, t),
        (!is_constant(t));

    // [points-to/callback-store-selected] Or into the item that the key of the call selects.
    FieldPointsTo(t, s, o) <-
        VarPointsTo(c, v, o),
        PortStore(p, m, a, Field::SELECTED, _, v),
        ModelSelects(m, b),
        PortHolds(c, p, m, b, i),
        let s = item_of(i),
        PortHolds(c, p, m, a, t),
        (!is_constant(t));

    // [points-to/callback-store-inner] Or into the items of items.
    FieldPointsTo(u, w, o) <-
        VarPointsTo(c, v, o),
        PortStore(p, m, a, z, w, v),
        (w != Field::ITSELF),
        PortHolds(c, p, m, a, t),
        FieldPointsTo(t, s, u),
        (may_be_same(s, z)),
        (!is_constant(u));

    // [points-to/callback-lazy] A view calls back when it is used, as a generator runs.
    GeneratorOf(made, d, f) <-
        CallTo(c, q, d, _, f, _),
        LazyCallback(p, q),
        let made = allocated(p, c);

    // ---------------------------------------------------------------- unknown code

    // [points-to/holder] Unknown code can do something with an object unless it is a plain value.
    Holder(o) <-
        ClassOf(o, k),
        !Inert(k),
        (!is_constant(o));
    // [points-to/holder-function] Functions can be called.
    Holder(o) <-
        CodeIs(o, _);
    // [points-to/holder-opaque] Of what unknown code made nothing is known.
    Holder(unknown) <-
        UnknownCall(_, p),
        Hub(p, h),
        let unknown = opaque(h);
    // [points-to/alterable] Objects of mutable classes can be changed.
    Alterable(o) <-
        ClassOf(o, k),
        !Immutable(k),
        (!is_constant(o)),
        !IsNamespace(o);
    // [points-to/alterable-opaque] So can what unknown code made.
    Alterable(unknown) <-
        UnknownCall(_, p),
        Hub(p, h),
        let unknown = opaque(h);

    // [points-to/escape] Operands of unknown code escape.
    Escapes(c, p, o) <-
        UnknownCall(c, p),
        Operand(p, v),
        VarPointsTo(c, v, o),
        Holder(o);

    // [points-to/escape-super] What is called on `super()` has the receiver.
    Escapes(c, p, o) <-
        UnknownCall(c, p),
        Operand(p, v),
        VarPointsTo(c, v, s),
        SuperObject(s, o, _),
        Holder(o);

    // [points-to/escape-made] An object that unknown code may have initialised escapes.
    Escapes(c, p, made) <-
        UnknownCall(c, p),
        New(c, p, v, _),
        CallResult(p, v),
        let made = allocated(p, c),
        Holder(made);

    // [points-to/escape-deep] With everything that can be reached from them.
    Escapes(c, p, q) <-
        Escapes(c, p, o),
        Reaches(o, q);

    // [points-to/reach-seed] Reachability is computed from what escapes or is looked into.
    ReachSeed(o) <-
        UnknownCall(c, p),
        Operand(p, v),
        VarPointsTo(c, v, o),
        Holder(o);
    // [points-to/reach-seed-super] And from the receiver behind `super()`.
    ReachSeed(o) <-
        UnknownCall(c, p),
        Operand(p, v),
        VarPointsTo(c, v, s),
        SuperObject(s, o, _),
        Holder(o);
    // [points-to/reach-seed-watched] From what is watched or compared.
    ReachSeed(o) <-
        VarPointsTo(_, v, o),
        LooksInto(v),
        Holder(o);

    // [points-to/show] A protected operation looks at what it watches.
    Shown(o) <-
        VarPointsTo(_, v, o),
        Shows(v),
        Holder(o);
    // [points-to/show-inside] And at what can be reached from there.
    Shown(q) <-
        Shown(o),
        Reaches(o, q);
    // [points-to/class-data] A class may hold data.
    ClassData(q, x) <-
        Ancestor(_, q),
        FieldPointsTo(q, x, y),
        !Internal(x),
        !Descriptor(y),
        !IsNamespace(y),
        ClassOf(y, k),
        !Behaviour(k);
    // [points-to/class-data-opaque] Nothing is known of what unknown code made.
    ClassData(q, x) <-
        Ancestor(_, q),
        FieldPointsTo(q, x, y),
        (is_opaque(y));
    // [points-to/class-part] That is seen in each of its objects.
    ClassPart(o, y) <-
        Shown(o),
        ClassOf(o, k),
        Ancestor(k, q),
        ClassData(q, x),
        FieldPointsTo(q, x, y),
        Holder(y),
        !IsNamespace(y);
    // [points-to/show-class-part] So that it is looked at, too.
    Shown(y) <-
        ClassPart(_, y);
    // [points-to/reach-seed-class-part] With all that can be reached from there.
    ReachSeed(y) <-
        ClassPart(_, y);

    // [points-to/reach-seed-port] Also from the ports of models.
    ReachSeed(o) <-
        PortHolds(_, _, _, _, o),
        Holder(o);
    // [points-to/reach-seed-content] And from what they hold, where the whole of that is looked at.
    ReachSeed(o) <-
        PortContent(_, _, m, a, x, o),
        ModelPath(m, a, x, Field::DEEP),
        Holder(o);
    // [points-to/nest-seed] Containment is computed from the ports of models.
    NestSeed(o) <-
        PortHolds(_, _, _, _, o),
        Holder(o);
    // [points-to/nest-seed-key] And from keys.
    NestSeed(o) <-
        Keyed(_, v),
        VarPointsTo(_, v, o),
        Holder(o);
    // [points-to/nest-seed-content] And from what they hold.
    NestSeed(o) <-
        PortContent(_, _, m, a, x, o),
        ModelPath(m, a, x, Field::NESTED),
        Holder(o);
    // [points-to/contain] An object contains its items and keys.
    Contained(o, q) <-
        FieldPointsTo(o, x, q),
        (is_contained(x)),
        Holder(q),
        !IsNamespace(o),
        !IsNamespace(q);
    // [points-to/contain-state] An object of the library contains its state as well.
    Contained(o, q) <-
        ClassOf(o, k),
        LibraryClass(k),
        FieldPointsTo(o, _, q),
        Holder(q),
        !IsNamespace(o),
        !IsNamespace(q);
    // [points-to/contain-seed] From an object at a port.
    Contains(o, q) <-
        NestSeed(o),
        Contained(o, q);
    // [points-to/contain-on] And what they contain.
    Contains(o, r) <-
        Contains(o, q),
        Contained(q, r);
    // [points-to/reach] An object reaches what its fields hold; classes, modules and functions are code, not state.
    Reaches(o, q) <-
        ReachSeed(o),
        !IsNamespace(o),
        FieldPointsTo(o, _, q),
        Holder(q),
        !IsNamespace(q);
    // [points-to/reach-on] And so on.
    Reaches(o, r) <-
        Holder(r),
        FieldPointsTo(q, _, r),
        !IsNamespace(r),
        !IsNamespace(q),
        Reaches(o, q);

    // [points-to/opaque-result] Unknown code may give back a new object.
    VarPointsTo(c, v, unknown) <-
        UnknownCall(c, p),
        Hub(p, h),
        let unknown = opaque(h),
        CallResult(p, v);
    // [points-to/opaque-escaped] Or any that it was given.
    VarPointsTo(c, v, o) <-
        Escapes(c, p, o),
        CallResult(p, v);
    // [points-to/opaque-holds] What it gives back may hold itself and all of these.
    FieldPointsTo(unknown, Field::ANY, unknown) <-
        UnknownCall(_, p),
        Hub(p, h),
        let unknown = opaque(h);
    // [points-to/opaque-holds-escaped] All of these.
    FieldPointsTo(unknown, Field::ANY, o) <-
        Escapes(_, p, o),
        Hub(p, h),
        let unknown = opaque(h);
    // [points-to/opaque-stored] And they may hold it.
    FieldPointsTo(o, Field::ANY, unknown) <-
        Escapes(_, p, o),
        Alterable(o),
        Hub(p, h),
        let unknown = opaque(h);

    // [points-to/callback] Functions that escape may be called.
    Callback(c, p, o) <-
        Escapes(c, p, o);
    // [points-to/callback-invoke] With arguments that unknown code chooses.
    Invokes(c, p, o, Shift::CALLBACK, o) <-
        Callback(c, p, o),
        CodeIs(o, _);
    // [points-to/callback-bound] Bound methods too.
    Invokes(c, p, g, Shift::HOOK, r) <-
        Callback(c, p, o),
        ClassOf(o, k),
        BoundClass(k, f, s),
        FieldPointsTo(o, f, g),
        FieldPointsTo(o, s, r);
    // [points-to/foreign-class] The metaclass of an unknown base makes the class.
    UnknownCall(c, p) <-
        ForeignClass(k),
        ClassBody(p, k, _),
        InFunction(p, g),
        Reachable(c, g);
    // [points-to/foreign-class-itself] It is given the class.
    Escapes(c, p, k) <-
        UnknownCall(c, p),
        ForeignClass(k),
        ClassBody(p, k, _);
    // [points-to/foreign-class-content] And what its body defined.
    Escapes(c, p, y) <-
        UnknownCall(c, p),
        ForeignClass(k),
        ClassBody(p, k, _),
        FieldPointsTo(k, _, y),
        Holder(y);
    // [points-to/foreign-class-reach] With all that can be reached from there.
    ReachSeed(y) <-
        ForeignClass(k),
        FieldPointsTo(k, _, y),
        Holder(y);
    // [points-to/foreign-class-made] What it makes of that is not known.
    VarPointsTo(c, v, unknown) <-
        ForeignClass(k),
        ClassBody(p, k, _),
        Hub(p, h),
        let unknown = opaque(h),
        Holds(g, v, k),
        Reachable(c, g);
    // [points-to/request-foreign] Unknown code has the bases of classes, which call what the classes override.
    MemberRequest(k, x) <-
        Escapes(_, _, o),
        ClassOf(o, k),
        ForeignMember(k, x);
    // [points-to/callback-foreign] So these methods of what it is given may be called.
    Invokes(c, p, g, Shift::HOOK, o) <-
        Escapes(c, p, o),
        ClassOf(o, k),
        ForeignMember(k, x),
        Lookup(k, x, g, _),
        CodeIs(g, _);
    // [points-to/callback-argument] It may give them anything that it can reach.
    VarPointsTo(d, w, o) <-
        CallTo(c, p, d, _, f, s),
        UnknownCall(c, p),
        (chosen_by_library(s)),
        Parameter(f, _, w),
        Escapes(c, p, o);
    // [points-to/callback-opaque] Or something new.
    VarPointsTo(d, w, unknown) <-
        CallTo(c, p, d, _, f, s),
        UnknownCall(c, p),
        (chosen_by_library(s)),
        Hub(p, h),
        let unknown = opaque(h),
        Parameter(f, _, w);
    // [points-to/hook-name] An access hook is given the name.
    VarPointsTo(d, w, n) <-
        Invokes(c, p, g, Shift::HOOK, o),
        let d = call_context(c, p),
        CodeIs(g, f),
        ClassOf(o, k),
        Lookup(k, h, g, _),
        AccessHook(h),
        SomeName(n),
        Parameter(f, SECOND, w);

    // [points-to/hook-read] `__getattr__` is an access hook.
    AccessHook(h) <-
        Special(h, Role::READ);
    // [points-to/hook-read-always] So is `__getattribute__`.
    AccessHook(h) <-
        Special(h, Role::READ_ALWAYS);

    // [points-to/hook-object] A descriptor is given the object.
    VarPointsTo(d, w, o) <-
        Invokes(c, p, g, Shift::HOOK, m),
        MemberFound(c, p, o, _, m, _),
        let d = call_context(c, p),
        CodeIs(g, f),
        Parameter(f, SECOND, w);

    // [points-to/hook-class] And its class.
    VarPointsTo(d, w, k) <-
        Invokes(c, p, g, Shift::HOOK, m),
        MemberFound(c, p, o, _, m, _),
        let d = call_context(c, p),
        CodeIs(g, f),
        ClassOf(o, k),
        Parameter(f, THIRD, w);

    // [points-to/hook-stored-object] So is one that takes a value.
    VarPointsTo(d, w, o) <-
        Invokes(c, p, g, Shift::HOOK, m),
        StoresAttribute(p, b, x, _),
        VarPointsTo(c, b, o),
        ClassOf(o, k),
        Lookup(k, x, m, _),
        let d = call_context(c, p),
        CodeIs(g, f),
        Parameter(f, SECOND, w);

    // [points-to/hook-value] With the value.
    VarPointsTo(d, w, o) <-
        CallTo(c, p, d, _, f, Shift::HOOK),
        StoresAttribute(p, _, _, v),
        Parameter(f, THIRD, w),
        VarPointsTo(c, v, o);

    // [points-to/hook-port] A special method that a library function calls is given what the model says.
    VarPointsTo(d, w, o) <-
        CallTo(c, p, d, _, f, s),
        (is_hook(s)),
        PortContentDeep(c, p, m, a, x, y, o),
        HookArgument(m, a, x, y),
        Parameter(f, i, w),
        (i != FIRST);

    // [points-to/hook-text] Or something that the library function made.
    VarPointsTo(d, w, n) <-
        CallTo(c, p, d, _, f, Shift::HOOK),
        ModelCall(c, p, m, _),
        HookText(m),
        SomeName(n),
        Parameter(f, i, w),
        (i != FIRST);

    // [points-to/asked-text] Or that the construct made.
    VarPointsTo(d, w, n) <-
        CallTo(c, p, d, _, f, Shift::ASKED),
        Asked(c, p, m, _),
        HookText(m),
        SomeName(n),
        Parameter(f, i, w),
        (i != FIRST);

    // [points-to/callback-result] What a callback returns is known to unknown code.
    VarPointsTo(c, v, o) <-
        CallTo(c, p, d, _, f, s),
        (chosen_by_library(s)),
        CallResult(p, v),
        Returns(f, _, r),
        VarPointsTo(d, r, o);
}
