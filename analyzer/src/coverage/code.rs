//! Bodies in single assignment form, with no more than values are followed through.

use rustc_hash::FxHashSet;

use crate::ir::{BodyId, BodyKind, Kind, Name, Parameters, Slot};
use crate::ssa::SsaBody;

/// A body whose instructions are the ones that values come from or go to.
#[derive(Debug)]
pub struct Code {
    pub kind: BodyKind,
    pub qualified_name: Name,
    pub parent: Option<BodyId>,
    pub parameters: Parameters,
    pub parameter_slots: Vec<Slot>,
    pub decorators: Vec<Name>,
    /// For class bodies: the names that the body binds.
    pub owned: FxHashSet<Name>,
    pub instructions: Vec<Kind>,
    /// Each join with what it may be.
    pub joins: Vec<(Slot, Vec<Slot>)>,
    /// Versions that something writes of which nothing is known.
    pub opaque: Vec<Slot>,
    pub slots: usize,
}

impl Code {
    /// The body without what only control needs.
    pub fn new(ssa: SsaBody) -> Code {
        let joins = ssa.phis.iter().map(|phi| (phi.dst, phi.values())).collect();
        let slots = ssa.origin.len();
        let (body, reachable) = (ssa.body, ssa.reachable);
        let nodes = body.nodes.into_iter().zip(reachable).filter(|(_, reachable)| *reachable);
        let (mut instructions, mut opaque) = (Vec::new(), Vec::new());
        for (node, _) in nodes {
            if is_followed(&node.kind) {
                instructions.push(node.kind);
            } else {
                opaque.extend(node.kind.defines());
            }
        }
        Code {
            kind: body.kind,
            qualified_name: body.qualified_name,
            parent: body.parent,
            parameters: body.parameters,
            parameter_slots: body.parameter_slots,
            decorators: body.decorators,
            owned: body.owned.into_iter().collect(),
            instructions,
            joins,
            opaque,
            slots,
        }
    }

    /// Whether it is a `def`.
    pub fn is_function(&self) -> bool {
        let is_namespace = matches!(self.kind, BodyKind::Module | BodyKind::Class);
        !is_namespace && !self.qualified_name.ends_with('>')
    }
}

/// Whether anything is known of what an instruction does with values.
fn is_followed(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::Constant { .. }
            | Kind::Copy { .. }
            | Kind::Merge { .. }
            | Kind::LoadGlobal { .. }
            | Kind::StoreGlobal { .. }
            | Kind::LoadCell { .. }
            | Kind::StoreCell { .. }
            | Kind::LoadNamespace { .. }
            | Kind::StoreNamespace { .. }
            | Kind::LoadAttribute { .. }
            | Kind::StoreAttribute { .. }
            | Kind::LoadItem { .. }
            | Kind::LoadSlice { .. }
            | Kind::Operate { .. }
            | Kind::Text { .. }
            | Kind::Build { .. }
            | Kind::Call { .. }
            | Kind::Function { .. }
            | Kind::Class { .. }
            | Kind::Iterate { .. }
            | Kind::Next { .. }
            | Kind::UnpackItem { .. }
            | Kind::UnpackRest { .. }
            | Kind::Return { .. }
            | Kind::Yield { .. }
            | Kind::Delegate { .. }
            | Kind::ImportModule { .. }
            | Kind::ImportFrom { .. }
            | Kind::ImportStar { .. }
    )
}
