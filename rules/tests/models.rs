//! The loader of the models, and the models that are embedded.

use std::path::Path;
use std::process::Command;

use healguard_rules::models::{
    Base, Binding, CallbackArgument, Effect, FlowKind, FreshItems, Models, Parameters, Port, SOURCES, Step, World,
};

const CLASSES: &str = r#"
schema = 1
[[class]]
names = ["shop.Thing"]
layout = "plain"
[[class]]
names = ["shop.Special"]
bases = ["shop.Thing"]
layout = "plain"
"#;

/// The message of the defect of a file that has these lines behind the declarations of two classes.
fn defect(lines: &str) -> String {
    match Models::parse("shop.toml", &format!("{CLASSES}\n{lines}")) {
        Ok(_) => panic!("accepted: {lines}"),
        Err(error) => error.to_string(),
    }
}

fn assert_defect(lines: &str, entry: &str, part: &str) {
    let message = defect(lines);
    assert!(message.starts_with(&format!("shop.toml: {entry}: ")), "{message}");
    assert!(message.contains(part), "{message}");
}

#[test]
fn the_embedded_models_load() {
    if let Err(error) = Models::from_sources(SOURCES) {
        panic!("{error}");
    }
}

#[test]
fn every_data_file_is_embedded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .expect("the folder of the models")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a plain name"))
        .collect();
    files.sort();
    let mut embedded: Vec<&str> = SOURCES.iter().map(|(name, _)| *name).collect();
    embedded.sort_unstable();
    assert_eq!(files, embedded);
}

#[test]
fn a_file_that_is_no_toml_is_named() {
    let error = Models::parse("shop.toml", "schema = ").expect_err("no TOML");
    assert!(error.to_string().starts_with("shop.toml: "), "{error}");
}

#[test]
fn a_file_without_schema_or_with_an_unknown_key_is_refused() {
    for text in ["", "schema = 2", "schema = 1\nfunctions = []", "schema = 1\nfunction = 3"] {
        let error = Models::parse("shop.toml", text).expect_err("must be refused");
        assert!(error.to_string().starts_with("shop.toml: "), "{error}");
    }
}

#[test]
fn an_unknown_key_of_an_entry_is_named_with_its_entry() {
    assert_defect("[[function]]\nnames = [\"shop.pay\"]\nflow = []", "shop.pay", "flow");
    assert_defect("[[class]]\nnames = [\"shop.Other\"]\nlayout = \"plain\"\nbase = []", "shop.Other", "base");
    assert_defect("[[function]]\nflows = []", "function 1", "names");
}

#[test]
fn a_malformed_port_flow_callback_or_hook_is_refused() {
    for (key, text) in [
        ("flows", "arg0 result"),
        ("flows", "argument -> result"),
        ("flows", "arg01 -> result"),
        ("flows", "arg0.item -> result"),
        ("flows", "arg0.item(x) -> result"),
        ("flows", "arg0.attr(a b) -> result"),
        ("flows", "arg0.attr(a -> result"),
        ("flows", "arg0.deep.items -> result"),
        ("flows", "world.moon ~> result"),
        ("flows", "world.clock.items ~> result"),
        ("flows", "result -> arg0"),
        ("flows", "self -> result"),
        ("calls", "arg0 -> result"),
        ("calls", "arg0(arg1 -> result"),
        ("calls", "arg0(arg9+x) -> result"),
        ("hooks", "arg0.len"),
        ("hooks", "__len__"),
        ("shuffles", "arg0.nothing"),
        ("resizes", "arg0."),
        ("effects", "magic"),
    ] {
        let lines = format!("[[function]]\nnames = [\"shop.pay\"]\n{key} = [\"{text}\"]");
        assert_defect(&lines, "shop.pay", "");
    }
}

#[test]
fn a_port_that_no_call_could_fill_is_refused() {
    for flow in ["arg2 -> result", "arg:missing -> result", "kwargs -> result", "arg2+ -> result"] {
        let lines = format!("[[function]]\nnames = [\"shop.pay\"]\nparameters = [\"a\", \"b\"]\nflows = [\"{flow}\"]");
        assert_defect(&lines, "shop.pay", "the function has no");
    }
}

#[test]
fn malformed_parameters_are_refused() {
    for list in [
        r#"["/"]"#,
        r#"["a", "a"]"#,
        r#"["*", "*rest"]"#,
        r#"["**extra", "a"]"#,
        r#"["a b"]"#,
        r#"["a", "*", "b", "/"]"#,
    ] {
        assert_defect(&format!("[[function]]\nnames = [\"shop.pay\"]\nparameters = {list}"), "shop.pay", "parameters");
    }
}

#[test]
fn a_name_that_is_taken_is_refused() {
    assert_defect(
        "[[function]]\nnames = [\"shop.pay\"]\n[[function]]\nnames = [\"shop.buy\", \"shop.pay\"]",
        "shop.buy",
        "`shop.pay` is modelled twice",
    );
    assert_defect("[[class]]\nnames = [\"shop.Thing\"]\nlayout = \"plain\"", "shop.Thing", "twice");
    assert_defect(
        "[[operator]]\noperators = [\"+\"]\nleft = [\"shop.Thing\"]\nright = [\"*\", \"*\"]",
        "operator + of shop.Thing",
        "twice",
    );
    assert_defect(
        "[[function]]\nnames = [\"shop.pay\"]\n[[operation]]\nnames = [\"shop.pay\"]\neffects = [\"network\"]",
        "shop.pay",
        "modelled already",
    );
}

#[test]
fn a_class_that_nobody_declares_is_refused() {
    let unknown = "`shop.Nothing` is not declared";
    assert_defect("[[function]]\nnames = [\"shop.pay\"]\nresult = \"shop.Nothing\"", "shop.pay", unknown);
    assert_defect(
        "[[function]]\nnames = [\"shop.pay\"]\nresult = \"shop.Thing[_, shop.Nothing]\"",
        "shop.pay",
        unknown,
    );
    assert_defect("[[constant]]\nnames = [\"shop.limit\"]\nclass = \"shop.Nothing\"", "shop.limit", unknown);
    assert_defect("[[class]]\nnames = [\"shop.A\"]\nbases = [\"shop.Nothing\"]\nlayout = \"plain\"", "shop.A", unknown);
    assert_defect(
        "[[operator]]\noperators = [\"+\"]\nleft = [\"shop.Nothing\"]\nright = [\"*\"]",
        "operator + of shop.Nothing",
        unknown,
    );
}

#[test]
fn a_class_cannot_inherit_from_itself() {
    assert_defect("[[class]]\nnames = [\"shop.A\"]\nbases = [\"shop.A\"]\nlayout = \"plain\"", "shop.A", "before");
}

#[test]
fn a_binding_belongs_to_members_of_classes() {
    assert_defect("[[function]]\nnames = [\"shop.pay\"]\nbinding = \"static\"", "shop.pay", "no member");
    assert_defect(
        "[[function]]\nnames = [\"shop.Thing.pay\"]\nbinding = \"dynamic\"",
        "shop.Thing.pay",
        "not a binding",
    );
    assert_defect("[[function]]\nnames = [\"shop.Thing.pay\", \"shop.pay\"]", "shop.Thing.pay", "members of classes");
}

#[test]
fn ports_are_written_as_they_are_read() {
    for text in [
        "self",
        "arg0",
        "arg:key",
        "arg1+.items",
        "args.deep",
        "kwargs.nested.type",
        "result.items.item(2).attr(name)",
        "world.clock",
        "arg12.each.shape",
        "self.keys",
    ] {
        assert_eq!(Port::parse(text).map(|port| port.to_string()).as_deref(), Ok(text));
    }
}

#[test]
fn a_named_parameter_with_a_position_is_the_argument_at_that_position() {
    let text = format!(
        "{CLASSES}\n[[function]]\nnames = [\"shop.pay\"]\nparameters = [\"to\", \"*\", \"note\"]\n\
         flows = [\"arg:to -> result\", \"arg:note ~> world.log\"]"
    );
    let models = Models::parse("shop.toml", &text).expect("well formed");
    let (_, model) = models.get("shop.pay").expect("modelled");
    assert_eq!(model.flows[0].from.base, Base::Argument(0));
    assert_eq!(model.flows[1].from.base, Base::Keyword("note".to_owned()));
}

#[test]
fn arguments_bind_as_in_a_call() {
    let parameters = Parameters {
        positional: vec!["a".to_owned(), "b".to_owned()],
        positional_only: 1,
        rest: false,
        keyword_only: vec!["c".to_owned()],
        extra: false,
    };
    assert_eq!(parameters.bind_position(1), Some(Base::Argument(1)));
    assert_eq!(parameters.bind_position(2), None);
    assert_eq!(parameters.bind_keyword("a"), None);
    assert_eq!(parameters.bind_keyword("b"), Some(Base::Argument(1)));
    assert_eq!(parameters.bind_keyword("c"), Some(Base::Keyword("c".to_owned())));
    assert_eq!(parameters.bind_keyword("d"), None);
    let open = Parameters { rest: true, extra: true, ..parameters };
    assert_eq!(open.bind_position(7), Some(Base::Argument(7)));
    assert_eq!(open.bind_keyword("a"), Some(Base::ExtraKeywords));
}

#[test]
fn a_method_is_found_in_the_nearest_base() {
    let models = Models::builtin();
    let own = models.method("collections.defaultdict", "__getitem__").expect("own method");
    assert_eq!(models.model(own).names, ["collections.defaultdict.__getitem__"]);
    let inherited = models.method("collections.defaultdict", "get").expect("inherited method");
    assert!(models.model(inherited).names.contains(&"builtins.dict.get".to_owned()));
    assert_eq!(models.method("builtins.list", "frobnicate"), None);
    assert_eq!(models.method("nowhere.Thing", "get"), None);
}

#[test]
fn the_ancestry_is_the_order_of_the_interpreter() {
    let models = Models::builtin();
    assert_eq!(
        models.ancestry("pathlib.PosixPath"),
        ["pathlib.PosixPath", "pathlib.Path", "pathlib.PurePosixPath", "pathlib.PurePath", "builtins.object"]
    );
    assert!(models.ancestry("nowhere.Thing").is_empty());
}

#[test]
fn internal_names_of_the_interpreter_are_understood() {
    let models = Models::builtin();
    assert_eq!(models.get("posixpath.join").map(|(id, _)| id), models.get("os.path.join").map(|(id, _)| id));
    assert_eq!(models.class("_io.TextIOWrapper").map(|class| class.name.as_str()), Some("io.TextIOWrapper"));
    assert_eq!(models.class("_thread.lock").map(|class| class.name.as_str()), Some("threading.Lock"));
    assert!(models.get("_nowhere.join").is_none());
}

#[test]
fn the_own_class_stands_for_the_class_of_each_name() {
    let models = Models::builtin();
    for (name, class) in [
        ("builtins.frozenset", "builtins.frozenset"),
        ("builtins.KeyError", "builtins.KeyError"),
        ("builtins.bytes.upper", "builtins.bytes"),
        ("datetime.datetime.now", "datetime.datetime"),
    ] {
        let (_, model) = models.get(name).expect("modelled");
        assert_eq!(model.result.as_ref().map(|fresh| fresh.class.as_str()), Some(class), "{name}");
        assert_eq!(model.names, [name]);
    }
}

#[test]
fn operators_are_found_by_both_classes_and_their_bases() {
    let models = Models::builtin();
    let result = |operator, left, right| {
        let model = models.model(models.operator(operator, left, right)?);
        model.result.as_ref().map(|fresh| fresh.class.as_str())
    };
    assert_eq!(result("+", "builtins.bool", "builtins.bool"), Some("builtins.int"));
    assert_eq!(result("/", "builtins.int", "builtins.int"), Some("builtins.float"));
    assert_eq!(result("*", "builtins.int", "builtins.list"), Some("builtins.list"));
    assert_eq!(result("%", "builtins.str", "nowhere.Thing"), Some("builtins.str"));
    assert_eq!(result("==", "nowhere.Thing", "builtins.int"), None);
    assert_eq!(result("-", "datetime.datetime", "datetime.datetime"), Some("datetime.timedelta"));
    assert_eq!(result("/", "pathlib.PosixPath", "builtins.str"), Some("pathlib.Path"));
    assert_eq!(result("unary -", "builtins.float", ""), Some("builtins.float"));
    assert_eq!(result("in", "builtins.int", "builtins.dict"), Some("builtins.bool"));
}

#[test]
fn an_augmented_operator_changes_a_mutable_object_and_is_the_plain_one_otherwise() {
    let models = Models::builtin();
    let extended = models.model(models.operator("+=", "builtins.list", "builtins.list").expect("modelled"));
    assert!(!extended.resizes.is_empty());
    assert_eq!(
        models.operator("+=", "builtins.int", "builtins.int"),
        models.operator("+", "builtins.int", "builtins.int")
    );
}

#[test]
fn appending_aliases_the_argument_and_copying_does_not_alias_the_list() {
    let models = Models::builtin();
    let (_, append) = models.get("builtins.list.append").expect("modelled");
    assert_eq!(append.binding, Binding::Instance);
    assert!(!append.raises);
    let stored = Port { base: Base::Receiver, path: vec![Step::Items] };
    let from = Port { base: Base::Argument(0), path: Vec::new() };
    assert!(append.flows.iter().any(|flow| flow.from == from && flow.to == stored && flow.kind == FlowKind::Alias));
    let (_, copy) = models.get("builtins.list.copy").expect("modelled");
    assert!(copy.aligned);
    assert!(copy.flows.iter().all(|flow| flow.from != Port { base: Base::Receiver, path: Vec::new() }));
}

#[test]
fn a_callback_says_what_it_gets_and_where_its_result_goes() {
    let (_, sort) = Models::builtin().get("builtins.list.sort").expect("modelled");
    let [key] = sort.calls.as_slice() else { panic!("one callback") };
    assert_eq!(key.callee.base, Base::Keyword("key".to_owned()));
    let items = Port { base: Base::Receiver, path: vec![Step::Items] };
    assert_eq!(key.arguments, [CallbackArgument::At(items.clone())]);
    assert_eq!(key.result, Some((FlowKind::Depends, items)));
}

#[test]
fn fresh_items_keep_their_classes_by_position() {
    let (_, enumerate) = Models::builtin().get("builtins.enumerate").expect("modelled");
    let Some(FreshItems::All(pair)) = enumerate.result.as_ref().map(|fresh| &fresh.items) else {
        panic!("items of one class")
    };
    let FreshItems::Each(classes) = &pair.items else { panic!("items by position") };
    assert_eq!(classes[0].as_ref().map(|fresh| fresh.class.as_str()), Some("builtins.int"));
    assert_eq!(classes[1], None);
}

#[test]
fn a_preset_covers_the_operations_with_its_effect() {
    let models = Models::builtin();
    for (preset, name) in [
        ("database", "sqlite3.Connection.commit"),
        ("filesystem", "os.remove"),
        ("filesystem", "pathlib.Path.write_text"),
        ("network", "urllib.request.urlopen"),
        ("process", "subprocess.run"),
        ("deserialization", "pickle.loads"),
    ] {
        assert!(models.preset(preset).expect("a preset").contains(&name), "{preset}: {name}");
    }
    assert!(!models.preset("filesystem").expect("a preset").contains(&"os.path.exists"));
    assert_eq!(models.preset("stdout"), None);
    assert_eq!(models.effects("os.remove"), [Effect::Filesystem]);
    assert_eq!(models.effects("posix.remove"), [Effect::Filesystem]);
    assert!(models.effects("os.path.join").is_empty());
}

#[test]
fn what_a_constant_shows_is_said() {
    let environment = Models::builtin().constant("os.environ").expect("declared");
    assert_eq!(environment.shows, Some(Base::World(World::Environment)));
}

/// Runs a Python script of this folder with the interpreter on the path: whether it succeeded, and what it printed.
fn run_python(script: &str, arguments: &[&str]) -> (bool, String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(script);
    let output = Command::new("python3")
        .arg("-B")
        .arg(path)
        .args(arguments)
        .output()
        .unwrap_or_else(|error| panic!("this test needs a `python3` (3.11 or later) on the path: {error}"));
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    (output.status.success(), text)
}

#[test]
fn every_name_exists_in_the_running_interpreter_and_parameters_agree_with_its_signatures() {
    let (agrees, text) = run_python("model_names.py", &[]);
    assert!(agrees, "{text}");
}

#[test]
fn every_influence_that_changed_arguments_show_is_allowed_by_a_flow() {
    let (agrees, text) = run_python("model_perturbation.py", &[]);
    assert!(agrees, "{text}");
}

#[test]
fn the_perturbation_misses_a_flow_that_is_taken_away() {
    for (name, flow) in [
        ("builtins.list.append", "arg0 -> self.items"),
        ("builtins.str.join", "arg0.shape ~> result"),
        ("builtins.sorted", "arg0.each -> result.items"),
        ("builtins.dict.get", "arg1 -> result"),
        ("builtins.map", "arg0(arg1.each, arg2.each, arg3.each, *arg4+.each) -> result.items"),
        ("itertools.islice", "arg1+ ~> result.shape"),
        ("json.dumps", "args.nested ~> result"),
    ] {
        let (agrees, text) = run_python("model_perturbation.py", &[name, flow]);
        assert!(!agrees && text.contains(name), "{name} without `{flow}`: {text}");
    }
}
