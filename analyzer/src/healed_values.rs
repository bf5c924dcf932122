//! What a healing writes stands for what any other healing of the same places could write (DESIGN, section 2).
//!
//! The values that a healing names are those of one healing. What the program does with them must be analysed for all: so
//! literals of the healing, and what it stores, are told by their classes only. What selects the places that are
//! written keeps its value: keys of subscripts, and the key in `orders.setdefault("tea", 3)`.

use rustc_hash::FxHashSet;

use crate::ir::{Body, Callee, Kind, NodeId, Passing, Slot};

/// Methods whose first argument selects an item.
const SELECTING: [&str; 4] = ["get", "insert", "pop", "setdefault"];

/// Forgets the values in the instructions of a healing: those of `body` from number `first` on.
pub fn forget_values(body: &mut Body, first: NodeId) {
    let selecting = selecting_slots(body, first);
    for id in first..body.nodes.len() {
        match &mut body.nodes[id].kind {
            Kind::Constant { dst, value } if !selecting.contains(dst) => *value = value.without_value(),
            Kind::StoreGlobal { src, .. }
            | Kind::StoreCell { src, .. }
            | Kind::StoreNamespace { src, .. }
            | Kind::StoreAttribute { src, .. }
            | Kind::StoreItem { src, .. }
            | Kind::StoreSlice { src, .. } => {
                let stored = std::mem::replace(src, Slot(body.slots.len() as u32));
                let forgotten = *src;
                body.slots.push(None);
                heal_before(body, id, forgotten, stored);
            }
            kind => {
                if let Some(bound) = kind.defines().filter(|slot| body.slots[slot.0 as usize].is_some()) {
                    heal_behind(body, id, bound);
                }
            }
        }
    }
}

/// Slots that select a place or that a function looks at, such as the name given to `getattr`.
fn selecting_slots(body: &Body, first: NodeId) -> FxHashSet<Slot> {
    let mut selecting = FxHashSet::default();
    for node in &body.nodes[first..] {
        match &node.kind {
            Kind::LoadItem { key, .. } | Kind::StoreItem { key, .. } | Kind::DeleteItem { key, .. } => {
                selecting.insert(*key);
            }
            Kind::LoadSlice { bounds, .. } | Kind::StoreSlice { bounds, .. } | Kind::DeleteSlice { bounds, .. } => {
                selecting.extend(bounds);
            }
            Kind::Call { callee: Callee::Method(_, name), arguments, .. } if SELECTING.contains(&&**name) => {
                let key = arguments.iter().filter(|argument| matches!(argument.passing, Passing::Position(0)));
                selecting.extend(key.map(|argument| argument.value));
            }
            Kind::Call { callee: Callee::Value(_), arguments, .. } => {
                selecting.extend(arguments.iter().map(|argument| argument.value));
            }
            _ => {}
        }
    }
    selecting
}

/// Puts `dst = healed src` in front of an instruction, which keeps its number for those that lead to it.
fn heal_before(body: &mut Body, id: NodeId, dst: Slot, src: Slot) {
    let moved = body.nodes[id].clone();
    body.nodes.push(moved);
    let behind = body.nodes.len() - 1;
    body.nodes[id].kind = Kind::Heal { dst, src };
    body.nodes[id].successors = vec![behind];
}

/// Puts `bound = healed bound` behind an instruction that binds a variable; behind a branch, on the way where it is bound.
fn heal_behind(body: &mut Body, id: NodeId, bound: Slot) {
    let mut heal = body.nodes[id].clone();
    heal.kind = Kind::Heal { dst: bound, src: bound };
    heal.successors.truncate(1);
    body.nodes.push(heal);
    let behind = body.nodes.len() - 1;
    if body.nodes[id].kind.is_branch() {
        body.nodes[id].successors[0] = behind;
    } else {
        body.nodes[id].successors = vec![behind];
    }
}
