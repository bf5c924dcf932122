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
    include "taint/facts.rules";
    include "taint/derived.rules";
    include "taint/variables.rules";
    include "taint/loads.rules";
    include "taint/stores.rules";
    include "taint/visibility.rules";
    include "taint/flow.rules";
    include "taint/calls.rules";
    include "taint/library.rules";
    include "taint/unknown.rules";
    include "taint/control.rules";
    include "taint/operations.rules";
}
