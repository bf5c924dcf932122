//! The rules of all layers as one program: what explanations, documentation and the naive evaluator read.

use std::sync::OnceLock;

use crate::program::{Functions, Program};
use crate::schema::{self, Ctx, Field, Port, Role, Shift};
use crate::{effects, points_to, taint};

/// The files of a layer, each with its name.
type Parts = &'static [(&'static str, &'static str)];

/// The layers in order, with their names.
const LAYERS: [(&str, Parts); 3] =
    [("points-to", points_to::PARTS), ("effects", effects::PARTS), ("taint", taint::PARTS)];

/// The rules of all layers.
///
/// # Panics
/// Never in a build that passed its tests: the text is compiled in, and a test reads it.
#[must_use]
pub fn program() -> &'static Program {
    static PROGRAM: OnceLock<Program> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let layers = LAYERS.iter().map(|(name, parts)| Program::parse_parts(name, parts));
        let layers = layers.collect::<Result<Vec<_>, _>>();
        let program = layers.and_then(|layers| Program::combine("rules", &layers));
        program.unwrap_or_else(|error| panic!("the rules that are compiled in: {error}"))
    })
}

/// The rules of the first layer alone: what points where, and what calls what.
#[must_use]
pub fn first() -> &'static Program {
    static PROGRAM: OnceLock<Program> = OnceLock::new();
    PROGRAM.get_or_init(|| layer(0))
}

/// The rules of the second layer alone: what is written, healed, repeated and skipped.
#[must_use]
pub fn second() -> &'static Program {
    static PROGRAM: OnceLock<Program> = OnceLock::new();
    PROGRAM.get_or_init(|| layer(1))
}

/// The rules of the third layer alone: where healed state arrives.
#[must_use]
pub fn third() -> &'static Program {
    static PROGRAM: OnceLock<Program> = OnceLock::new();
    PROGRAM.get_or_init(|| layer(2))
}

/// What the layers above each other must never derive: the outputs of these rules are empty unless something is wrong.
#[must_use]
pub fn assertions() -> &'static Program {
    static PROGRAM: OnceLock<Program> = OnceLock::new();
    PROGRAM.get_or_init(|| read("assertions", &[("assertions.rules", include_str!("assertions.rules"))]))
}

fn layer(number: usize) -> Program {
    let (name, parts) = LAYERS[number];
    read(name, parts)
}

/// # Panics
/// Never in a build that passed its tests: the text is compiled in, and a test reads it.
fn read(name: &str, parts: &[(&str, &str)]) -> Program {
    Program::parse_parts(name, parts).unwrap_or_else(|error| panic!("the rules that are compiled in: {error}"))
}

/// What tells calls of the same body apart. Fewer contexts are less precise and cheaper, and lose no flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contexts {
    /// The call sites from the live stack on, and the last two.
    Path,
    /// Two call sites.
    TwoSites,
    /// One call site.
    OneSite,
    /// Nothing.
    Merged,
}

/// The functions and constants that the rules name.
#[must_use]
pub fn functions() -> &'static Functions {
    functions_with(Contexts::Path)
}

/// The same, where the first layer tells calls apart by these contexts.
#[must_use]
pub fn functions_with(contexts: Contexts) -> &'static Functions {
    static FUNCTIONS: [OnceLock<Functions>; 4] = [const { OnceLock::new() }; 4];
    FUNCTIONS[contexts as usize].get_or_init(|| {
        let mut functions = Functions::new();
        match contexts {
            Contexts::Path => functions.define("call_context", schema::call_context),
            Contexts::TwoSites => functions.define("call_context", schema::call_context_of_sites),
            Contexts::OneSite => functions.define("call_context", schema::call_context_of_site),
            Contexts::Merged => functions.define("call_context", schema::call_context_of_none),
        };
        functions.define("allocated", schema::allocated);
        functions.define("argument_of", schema::argument_of);
        functions.define("binds_receiver", schema::binds_receiver);
        functions.define("bound", schema::bound);
        functions.define("chosen_by_library", schema::chosen_by_library);
        functions.define("copied", schema::copied);
        functions.define("gives_result", schema::gives_result);
        functions.define("inner", schema::inner);
        functions.define("is_allocated", schema::is_allocated);
        functions.define("is_constant", schema::is_constant);
        functions.define("is_contained", schema::is_contained);
        functions.define("is_copier", schema::is_copier);
        functions.define("is_entry", schema::is_entry);
        functions.define("is_far", schema::is_far);
        functions.define("is_hook", schema::is_hook);
        functions.define("is_item", schema::is_item);
        functions.define("is_made", schema::is_made);
        functions.define("is_named", schema::is_named);
        functions.define("is_opaque", schema::is_opaque);
        functions.define("is_several", schema::is_several);
        functions.define("is_table", schema::is_table);
        functions.define("is_untold", schema::is_untold);
        functions.define("item_of", schema::item_of);
        functions.define("may_be_same", schema::may_be_same);
        functions.define("opaque", schema::opaque);
        functions.define("parameter_of", schema::parameter_of);
        functions.define("behind", schema::behind);
        functions.define("is_placed", schema::is_placed);
        functions.define("part", schema::part);
        functions.constant("Ctx::PAST", Ctx::PAST);
        functions.constant("Ctx::ABANDONED", Ctx::ABANDONED);
        functions.constant("Ctx::LIVE", Ctx::LIVE);
        functions.constant("Ctx::SHARED", Ctx::SHARED);
        functions.constant("Port::RECEIVER", Port::RECEIVER);
        functions.constant("Port::RESULT", Port::RESULT);
        functions.constant("Port::ARGUMENTS", Port::ARGUMENTS);
        functions.constant("Shift::NONE", Shift::NONE);
        functions.constant("Shift::METHOD", Shift::METHOD);
        functions.constant("Shift::CALLBACK", Shift::CALLBACK);
        functions.constant("Shift::HOOK", Shift::HOOK);
        functions.constant("Shift::REFLECTED", Shift::REFLECTED);
        functions.constant("Shift::ELEMENT", Shift::ELEMENT);
        functions.constant("Shift::ASKED", Shift::ASKED);
        functions.constant("Field::ANY_ITEM", Field::ANY_ITEM);
        functions.constant("Field::KEYS", Field::KEYS);
        functions.constant("Field::SHAPE", Field::SHAPE);
        functions.constant("Field::ANY", Field::ANY);
        functions.constant("Field::ATTRIBUTES", Field::ATTRIBUTES);
        functions.constant("Field::ITSELF", Field::ITSELF);
        functions.constant("Field::RETURNED", Field::RETURNED);
        functions.constant("Field::DEEP", Field::DEEP);
        functions.constant("Field::NESTED", Field::NESTED);
        functions.constant("Field::SELECTED", Field::SELECTED);
        functions.constant("Field::TYPE", Field::TYPE);
        functions.constant("Shift::INITIALIZE", Shift::INITIALIZE);
        functions.constant("Role::READ", Role::READ);
        functions.constant("Role::READ_ALWAYS", Role::READ_ALWAYS);
        functions.constant("Role::WRITE", Role::WRITE);
        functions.constant("Role::DESCRIPTOR_GET", Role::DESCRIPTOR_GET);
        functions.constant("Role::DESCRIPTOR_SET", Role::DESCRIPTOR_SET);
        functions.constant("Role::INITIALIZE", Role::INITIALIZE);
        functions.constant("Role::CREATE", Role::CREATE);
        functions.constant("Role::CALL", Role::CALL);
        functions.constant("Role::PREPARE", Role::PREPARE);
        functions.constant("Role::NAME", Role::NAME);
        functions.constant("Role::SUBCLASS", Role::SUBCLASS);
        functions.constant("Role::IN_PLACE", Role::IN_PLACE);
        functions.constant("Role::ITERATE", Role::ITERATE);
        functions.constant("Role::NEXT", Role::NEXT);
        functions.constant("Role::INDEX", Role::INDEX);
        functions.constant("Role::COPY", Role::COPY);
        functions.constant("Role::COPY_DEEP", Role::COPY_DEEP);
        functions.constant("Role::DESCRIPTOR_DELETE", Role::DESCRIPTOR_DELETE);
        functions.constant("Role::CLASS_ITEM", Role::CLASS_ITEM);
        functions.constant("Role::KEYS", Role::KEYS);
        functions.constant("Role::EQUAL", Role::EQUAL);
        functions.constant("Role::POST_INITIALIZE", Role::POST_INITIALIZE);
        functions.constant("Role::CODE", Role::CODE);
        functions.constant("FIRST", schema::FIRST);
        functions.constant("SECOND", schema::SECOND);
        functions.constant("THIRD", schema::THIRD);
        functions
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::Database;
    use crate::program::RelationKind;
    use crate::provenance::Explainer;

    #[test]
    fn the_rules_of_all_layers_fit_together() {
        assert!(program().rules().len() > 300);
    }

    #[test]
    fn assertions_speak_of_the_relations_of_the_layers() {
        let together = Program::combine("all", &[program().clone(), assertions().clone()]);
        let relations = together.map(|together| together.relations().len()).map_err(|error| error.to_string());
        let own = assertions().relations().iter().filter(|relation| relation.kind != RelationKind::Input).count();
        assert_eq!(
            relations,
            Ok(program().relations().len() + own),
            "an input of the assertions is no relation of a layer"
        );
    }

    #[test]
    fn every_function_that_the_rules_call_is_defined() {
        for program in [program(), assertions()] {
            let mut database = Database::new();
            for relation in program.relations() {
                database.declare(&relation.name, relation.columns.len()).expect("a relation of the rules");
            }
            assert!(Explainer::new(program, functions(), &database).is_ok());
        }
    }
}
