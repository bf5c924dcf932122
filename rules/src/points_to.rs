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
    Ctx, FIRST, Field, Func, Model, Obj, Point, Port, Role, SECOND, Shift, THIRD, Var, allocated, argument_of, behind,
    binds_receiver, bound, call_context, chosen_by_library, copied, gives_result, inner, is_allocated, is_constant,
    is_contained, is_copier, is_far, is_hook, is_item, is_made, is_opaque, is_placed, is_several, is_table, is_untold,
    item_of, may_be_same, opaque, parameter_of, part,
};

crepe! {
    include "points_to/facts.rules";
    include "points_to/derived.rules";
    include "points_to/variables.rules";
    include "points_to/places.rules";
    include "points_to/iteration.rules";
    include "points_to/operators.rules";
    include "points_to/members.rules";
    include "points_to/modules.rules";
    include "points_to/calls.rules";
    include "points_to/detours.rules";
    include "points_to/parameters.rules";
    include "points_to/generators.rules";
    include "points_to/library.rules";
    include "points_to/copies.rules";
    include "points_to/ports.rules";
    include "points_to/unknown.rules";
}
