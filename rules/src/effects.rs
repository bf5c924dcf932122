//! Layer 2: which places each instruction may write, what the healing writes, what abandoned code would have written,
//! and what a retried statement performs twice.

#![allow(
    clippy::iter_over_hash_type,
    reason = "crepe iterates over its own sets; what it computes does not depend on the order"
)]
#![allow(unused_imports, reason = "the functions are named by rules, which the crate of the evaluator reads as text")]

use crate::crepe;
use crate::schema::{Ctx, Field, Func, Model, Obj, Point, Port, Shift, Var, is_constant, item_of};

crepe! {
    @input
    pub struct InFunction(pub Point, pub Func);
    @input
    pub struct Reachable(pub Ctx, pub Func);
    @input
    pub struct VarPointsTo(pub Ctx, pub Var, pub Obj);
    @input
    pub struct CallTo(pub Ctx, pub Point, pub Ctx, pub Obj, pub Func, pub Shift);
    @input
    pub struct ModelCall(pub Ctx, pub Point, pub Model, pub Obj);
    @input
    pub struct PortHolds(pub Ctx, pub Point, pub Model, pub Port, pub Obj);
    @input
    pub struct Escapes(pub Ctx, pub Point, pub Obj);
    @input
    pub struct StoresPlace(pub Point, pub Obj, pub Field, pub Var);
    @input
    pub struct StoresRaw(pub Point, pub Var, pub Field, pub Var);
    @input
    pub struct StoresAttribute(pub Point, pub Var, pub Field, pub Var);
    @input
    pub struct StoresItem(pub Point, pub Var, pub Var, pub Var);
    @input
    pub struct Nexts(pub Point, pub Var, pub Var);
    @input
    pub struct ClassOf(pub Obj, pub Obj);
    @input
    /// `iterator_class(k)`: an object of class `k` gives each element once.
    pub struct IteratorClass(pub Obj);
    @input
    pub struct Spreads(pub Point, pub Var, pub Var);
    @input
    pub struct UpdatesInPlace(pub Point, pub Var);
    @input
    /// `deletes_attribute(p, b, x)`: `del b.x`.
    pub struct DeletesAttribute(pub Point, pub Var, pub Field);
    @input
    /// `deletes_item(p, b, k)`: `del b[k]`.
    pub struct DeletesItem(pub Point, pub Var, pub Var);
    @input
    /// `resizes(p, b)`: items of `b` are added, removed or moved at unknown positions.
    pub struct Resizes(pub Point, pub Var);
    @input
    /// `model_writes(m, a, x)`: the function may change the field `x` of the objects at port `a`.
    pub struct ModelWrites(pub Model, pub Port, pub Field);
    @input
    pub struct ModelSelects(pub Model, pub Port);
    @input
    /// `port_influence(q, p, m, a, x, y, v)`: what the model `m` called at `p` has at port `a`, path `x.y`, depends on the result `v` of
    /// the call `q` that it makes.
    pub struct PortInfluence(pub Point, pub Point, pub Model, pub Port, pub Field, pub Field, pub Var);
    @input
    /// `healing_point(p)`: `p` belongs to the healing.
    pub struct HealingPoint(pub Point);
    @input
    /// `repeat_point(p)`: `p` ran before the crash and runs again when the statement is retried.
    pub struct RepeatPoint(pub Point);
    @input
    /// `abandoned_root(f)`: `f` is what the skipped statement, or the rest of the function, would have done.
    pub struct AbandonedRoot(pub Func);

    @output
    /// `writes(c, p, o, x)`: `p` in context `c` may write the place `o.x`.
    pub struct Writes(pub Ctx, pub Point, pub Obj, pub Field);
    @output
    /// `adds_key(c, p, o)`: `p` may add or remove a key or attribute of `o` which healed state does not choose.
    pub struct AddsKey(pub Ctx, pub Point, pub Obj);
    @output
    /// `healing(c, p)`: `p` runs as part of the healing.
    pub struct Healing(pub Ctx, pub Point);
    @output
    /// `repeats(c, p)`: `p` runs a second time because the statement is retried.
    pub struct Repeats(pub Ctx, pub Point);
    @output
    /// `abandoned(c, f)`: `f` would have run in context `c` had nothing crashed.
    pub struct Abandoned(pub Ctx, pub Func);
    @output
    /// `skipped(o, x)`: the place keeps its old value because of the healing.
    pub struct Skipped(pub Obj, pub Field);

    // [effects/store-place] A store to a global writes the module's field.
    Writes(c, p, o, x) <-
        StoresPlace(p, o, x, _),
        InFunction(p, f),
        Reachable(c, f);

    // [effects/store-raw] A raw store writes the field of each object.
    Writes(c, p, o, x) <-
        StoresRaw(p, b, x, _),
        VarPointsTo(c, b, o),
        (!is_constant(o));

    // [effects/store-attribute] A store writes the attribute of each object.
    Writes(c, p, o, x) <-
        StoresAttribute(p, b, x, _),
        VarPointsTo(c, b, o),
        (!is_constant(o));

    // [effects/store-item] A store writes the item of each object, and may add a key.
    Writes(c, p, o, t) <-
        StoresItem(p, b, k, _),
        VarPointsTo(c, b, o),
        (!is_constant(o)),
        VarPointsTo(c, k, i),
        let t = item_of(i);

    // [effects/add-key] A store to an item may add its key.
    AddsKey(c, p, o) <-
        StoresItem(p, b, _, _),
        VarPointsTo(c, b, o),
        (!is_constant(o));

    // [effects/add-attribute] A store to an attribute may add it.
    AddsKey(c, p, o) <-
        StoresAttribute(p, b, _, _),
        VarPointsTo(c, b, o),
        (!is_constant(o));

    // [effects/add-name] So may one to a variable of a module.
    AddsKey(c, p, o) <-
        StoresPlace(p, o, _, _),
        InFunction(p, f),
        Reachable(c, f);

    // [effects/remove-attribute] A deletion takes it away.
    AddsKey(c, p, o) <-
        DeletesAttribute(p, b, _),
        VarPointsTo(c, b, o),
        (!is_constant(o));

    // [effects/spread] Adding items writes unknown positions.
    Writes(c, p, o, Field::ANY_ITEM) <-
        Spreads(p, b, _),
        VarPointsTo(c, b, o),
        (!is_constant(o));

    // [effects/spread-shape] And changes how many there are.
    Writes(c, p, o, Field::SHAPE) <-
        Spreads(p, b, _),
        VarPointsTo(c, b, o),
        (!is_constant(o));

    // [effects/next] Taking an element of an iterator leaves others.
    Writes(c, p, o, Field::SHAPE) <-
        Nexts(p, _, s),
        VarPointsTo(c, s, o),
        (!is_constant(o)),
        ClassOf(o, k),
        IteratorClass(k);

    // [effects/in-place] An augmented assignment may change the object that its target holds.
    Writes(c, p, o, Field::ANY) <-
        UpdatesInPlace(p, b),
        VarPointsTo(c, b, o),
        (!is_constant(o));

    // [effects/delete-attribute] A deletion writes the place.
    Writes(c, p, o, x) <-
        DeletesAttribute(p, b, x),
        VarPointsTo(c, b, o),
        (!is_constant(o));

    // [effects/delete-item] Deleting an item moves the ones behind it.
    Writes(c, p, o, Field::ANY_ITEM) <-
        DeletesItem(p, b, _),
        VarPointsTo(c, b, o),
        (!is_constant(o));

    // [effects/delete-key] And changes which keys there are.
    Writes(c, p, o, Field::SHAPE) <-
        DeletesItem(p, b, _),
        VarPointsTo(c, b, o),
        (!is_constant(o));

    // [effects/resize] So does a change of a slice.
    Writes(c, p, o, Field::ANY) <-
        Resizes(p, b),
        VarPointsTo(c, b, o),
        (!is_constant(o));

    // [effects/model] A library function writes what its model says.
    Writes(c, p, o, x) <-
        ModelCall(c, p, m, _),
        ModelWrites(m, a, x),
        (x != Field::SELECTED),
        PortHolds(c, p, m, a, o),
        (!is_constant(o));

    // [effects/model-selected] Or the item that the key of the call selects.
    Writes(c, p, o, t) <-
        ModelCall(c, p, m, _),
        ModelWrites(m, a, Field::SELECTED),
        PortHolds(c, p, m, a, o),
        (!is_constant(o)),
        ModelSelects(m, b),
        PortHolds(c, p, m, b, i),
        let t = item_of(i);

    // [effects/callback] A library function writes what a function that it calls gave it.
    Writes(c, q, o, x) <-
        PortInfluence(q, p, m, a, x, _, _),
        (x != Field::ITSELF),
        (x != Field::SELECTED),
        PortHolds(c, p, m, a, o),
        (!is_constant(o));

    // [effects/callback-selected] To the item that the key of the call selects.
    Writes(c, q, o, t) <-
        PortInfluence(q, p, m, a, Field::SELECTED, _, _),
        PortHolds(c, p, m, a, o),
        (!is_constant(o)),
        ModelSelects(m, b),
        PortHolds(c, p, m, b, i),
        let t = item_of(i);

    // [effects/unknown] Unknown code may write everything that it can reach.
    Writes(c, p, o, Field::ANY) <-
        Escapes(c, p, o);

    // [effects/healing] The instructions of the healing run in the crashed frame.
    Healing(Ctx::LIVE, p) <-
        HealingPoint(p);

    // [effects/healing-call] What the healing calls is part of it.
    Healing(d, q) <-
        Healing(c, p),
        CallTo(c, p, d, _, f, _),
        InFunction(q, f);

    // [effects/repeat] A retried statement runs from its start.
    Repeats(Ctx::LIVE, p) <-
        RepeatPoint(p);

    // [effects/repeat-call] With what it calls.
    Repeats(d, q) <-
        Repeats(c, p),
        CallTo(c, p, d, _, f, _),
        InFunction(q, f);

    // [effects/abandon] Abandoned code is what would have run.
    Abandoned(Ctx::ABANDONED, f) <-
        AbandonedRoot(f);

    // [effects/abandon-call] With what it would have called.
    Abandoned(d, g) <-
        Abandoned(c, f),
        InFunction(p, f),
        CallTo(c, p, d, _, g, _);

    // [effects/skip-key] A key that abandoned code would have added is missing because of the healing.
    Skipped(o, Field::SHAPE) <-
        Abandoned(c, f),
        InFunction(p, f),
        AddsKey(c, p, o);

    // [effects/skip] A place that abandoned code would have written is stale because of the healing.
    Skipped(o, x) <-
        Abandoned(c, f),
        InFunction(p, f),
        Writes(c, p, o, x);
}
