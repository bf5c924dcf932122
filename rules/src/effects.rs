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
    include "effects.rules";
}
