//! Random HealCore programs, as strategies for `proptest`.
//!
//! Every program that [`program`] makes is accepted by the core profile. The texts vary in what a tree does not keep
//! (quotes, parentheses, line breaks, implicit concatenation), so that they test the printer too.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Programs of a few statements, with blocks and loops.
pub fn program() -> impl Strategy<Value = String> {
    (vec(statement(2), 0..6), proptest::option::of(expression())).prop_map(|(statements, returned)| {
        let mut lines: Vec<String> = statements.into_iter().flatten().collect();
        if let Some(value) = returned {
            lines.push(format!("healed_return = {value}"));
        }
        lines.into_iter().map(|line| line + "\n").collect()
    })
}

/// Expressions that may stand wherever a value is wanted.
pub fn expression() -> BoxedStrategy<String> {
    atom()
        .prop_recursive(4, 24, 3, |inner| {
            prop_oneof![
                operators(inner.clone().boxed()),
                displays(inner.clone().boxed()),
                comprehensions(inner.clone().boxed()),
                calls(inner.clone().boxed()),
                texts(inner.boxed()),
            ]
        })
        .boxed()
}

fn name() -> BoxedStrategy<String> {
    select(vec!["cart", "total", "items", "self", "node", "x", "größe", "key", "path"]).prop_map(str::to_owned).boxed()
}

fn attribute() -> BoxedStrategy<String> {
    select(vec!["total", "items", "parent", "value", "name", "options"]).prop_map(str::to_owned).boxed()
}

fn string() -> BoxedStrategy<String> {
    prop_oneof![
        "[a-zA-Z0-9 .,%{}:é日]{0,8}".prop_map(|text| format!("\"{text}\"")),
        "[a-z\"]{0,6}".prop_map(|text| format!("'{text}'")),
        select(vec![
            r#""\n""#,
            r"'\x00'",
            r#""\u202e""#,
            r#"r"\d+""#,
            "'it\\'s'",
            "\"\"\"two\nlines\"\"\"",
            "'a' \"b\"",
            "u'old'",
            r#""\U0001F600""#,
            "'\\N{BULLET}'",
        ])
        .prop_map(str::to_owned),
    ]
    .boxed()
}

fn number() -> BoxedStrategy<String> {
    prop_oneof![
        (0_u64..1000).prop_map(|value| value.to_string()),
        any::<u64>().prop_map(|value| format!("{value:#x}")),
        (0.0_f64..1e12).prop_map(|value| format!("{value:?}")),
        select(vec!["1_000", "0b101", "0o17", "1e309", "2.5e-7", "3j", ".5", "5.", "123456789012345678901234567890"])
            .prop_map(str::to_owned),
    ]
    .boxed()
}

fn atom() -> BoxedStrategy<String> {
    prop_oneof![
        4 => name(),
        2 => (name(), attribute()).prop_map(|(name, attribute)| format!("{name}.{attribute}")),
        2 => string(),
        2 => number(),
        1 => select(vec!["None", "True", "False", "()", "[]", "{}", "b'\\xff'", "b\"'\""]).prop_map(str::to_owned),
    ]
    .boxed()
}

fn operators(inner: BoxedStrategy<String>) -> BoxedStrategy<String> {
    let binary = select(vec!["+", "-", "/", "//", "&", "|", "^", ">>"]);
    let comparison = select(vec!["==", "!=", "<", "<=", ">", ">=", "is", "is not", "in", "not in"]);
    let boolean = select(vec!["and", "or"]);
    prop_oneof![
        (inner.clone(), binary, inner.clone())
            .prop_map(|(left, operator, right)| format!("({left}) {operator} ({right})")),
        (name(), inner.clone()).prop_map(|(left, right)| format!("{left} - -({right})")),
        (inner.clone(), comparison.clone(), name(), comparison, inner.clone())
            .prop_map(|(a, first, b, second, c)| format!("({a}) {first} {b} {second} ({c})")),
        (inner.clone(), boolean, inner.clone(), name())
            .prop_map(|(a, operator, b, c)| format!("(({a}) {operator} ({b})) or not {c}")),
        (select(vec!["-", "+", "~", "not "]), inner.clone())
            .prop_map(|(operator, operand)| format!("{operator}({operand})")),
        (inner.clone(), inner.clone(), inner.clone())
            .prop_map(|(body, test, orelse)| format!("(({body}) if ({test}) else ({orelse}))")),
        (name(), 0_u8..9).prop_map(|(base, exponent)| format!("-{base} ** {exponent} ** 1")),
        (name(), 0_u8..9).prop_map(|(base, exponent)| format!("(-{base}) ** -{exponent}")),
        (name(), 0_u8..32).prop_map(|(value, count)| format!("{value} << {count}")),
        inner.clone().prop_map(|value| format!("int({value}) % 7")),
        (name(), name()).prop_map(|(left, right)| format!("{left} * {right}")),
        (select(vec!["[None]", "' '", "(0, 1)"]), name()).prop_map(|(unit, of)| format!("{unit} * (3 - len({of}))")),
    ]
    .boxed()
}

fn displays(inner: BoxedStrategy<String>) -> BoxedStrategy<String> {
    prop_oneof![
        vec(inner.clone(), 0..3).prop_map(|items| format!("[{}]", items.join(", "))),
        vec(inner.clone(), 1..3).prop_map(|items| format!("({},)", items.join(", "))),
        vec(inner.clone(), 1..3).prop_map(|items| format!("{{{}}}", items.join(", "))),
        vec((atom(), inner.clone()), 0..3).prop_map(|items| {
            let items: Vec<String> = items.into_iter().map(|(key, value)| format!("{key}: {value}")).collect();
            format!("{{{}}}", items.join(", "))
        }),
        (name(), inner.clone()).prop_map(|(name, value)| format!("[*{name}, {value}]")),
        (name(), inner.clone()).prop_map(|(name, value)| format!("{{**{name}, 'k': {value}}}")),
        (inner.clone(), name()).prop_map(|(key, name)| format!("{name}[{key}]")),
        (name(), inner.clone()).prop_map(|(name, bound)| format!("{name}[1:{bound}]")),
        (name(), inner).prop_map(|(name, step)| format!("{name}[::{step}, 0]")),
    ]
    .boxed()
}

fn comprehensions(inner: BoxedStrategy<String>) -> BoxedStrategy<String> {
    // One level only: what comes from `inner` stands where no comprehension is around it.
    let element = select(vec!["i", "i.value", "(i, i)", "i + 1", "str(i)", "i[0]", "f'{i}'"]);
    let condition = select(vec!["", " if i is not None", " if i if i > 0", " if (i or i)"]);
    (select(vec!["[]", "{}", "list()", "sum()", "any()", "tuple()"]), element, inner, condition)
        .prop_map(|(around, element, iterable, condition)| {
            let (open, close) = around.split_at(around.len() - 1);
            let open = if open.len() > 1 { open } else { &around[..1] };
            format!("{open}{element} for i in ({iterable}){condition}{close}")
        })
        .boxed()
}

fn calls(inner: BoxedStrategy<String>) -> BoxedStrategy<String> {
    let unary = select(vec!["len", "str", "int", "float", "list", "tuple", "set", "sorted", "repr", "bool", "abs"]);
    prop_oneof![
        (unary, inner.clone()).prop_map(|(function, argument)| format!("{function}({argument})")),
        (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("max({a}, {b}, key=len)")),
        inner.clone().prop_map(|object| format!("getattr({object}, 'name', None)")),
        inner.clone().prop_map(|object| format!("isinstance({object}, (int, str))")),
        inner.clone().prop_map(|pairs| format!("dict(zip({pairs}, range(3)), a=1)")),
        (inner.clone(), inner.clone()).prop_map(|(object, key)| format!("({object}).get({key})")),
        inner.clone().prop_map(|object| format!("({object}).strip().split(',', maxsplit=1)")),
        inner.clone().prop_map(|object| format!("', '.join(map(str, {object}))")),
        inner.prop_map(|object| format!("({object}).replace('a', 'b')")),
    ]
    .boxed()
}

fn texts(inner: BoxedStrategy<String>) -> BoxedStrategy<String> {
    let field = select(vec![
        "x",
        "cart['total']",
        "len(items) + 1",
        "{'a': 1}['a']",
        "x if x else 'none'",
        "self.name.upper()",
        "(x, )",
        "x != 'a'",
        "{i for i in x}",
    ]);
    let conversion = select(vec!["", "!r", "!s", "!a"]);
    let spec = select(vec!["", ":>10", ":.2f", ":%Y-%m-%d", ":,", ":é^8"]);
    prop_oneof![
        (field, conversion, spec, "[a-z {]{0,4}").prop_map(|(field, conversion, spec, text)| {
            format!("f\"{}{{ {field} {conversion}{spec}}}\"", text.replace('{', "{{"))
        }),
        name().prop_map(|name| format!("'a' f'{{{name}}}' \"\\\"\"")),
        inner.prop_map(|value| format!("'%-5s|%(k)s' % ({value},)")),
    ]
    .boxed()
}

/// A name that is assigned. Values do not read these names, so that nothing grows by itself.
fn target_name() -> BoxedStrategy<String> {
    select(vec!["result", "slot", "order", "Ergebnis"]).prop_map(str::to_owned).boxed()
}

fn place() -> BoxedStrategy<String> {
    prop_oneof![
        target_name(),
        (target_name(), attribute()).prop_map(|(name, attribute)| format!("{name}.{attribute}")),
        (target_name(), atom()).prop_map(|(name, key)| format!("{name}[{key}]")),
        (target_name(), number()).prop_map(|(name, stop)| format!("{name}[:{stop}]")),
    ]
    .boxed()
}

fn simple_statement() -> BoxedStrategy<String> {
    prop_oneof![
        (place(), expression()).prop_map(|(place, value)| format!("{place} = {value}")),
        (place(), place(), expression()).prop_map(|(a, b, value)| format!("{a} = ({b}) = {value}")),
        (target_name(), place(), expression()).prop_map(|(a, b, value)| format!("{a}, (*{b},) = {value}, ({value})")),
        (place(), select(vec!["-", "/", "//", "|", "&"]), expression())
            .prop_map(|(place, op, value)| format!("{place} {op}= {value}")),
        (place(), number()).prop_map(|(place, value)| format!("{place} += {value}")),
        (place(), place()).prop_map(|(a, b)| format!("del {a}, {b}")),
        (target_name(), expression()).prop_map(|(name, value)| format!("{name}.setdefault('k', {value})")),
        (target_name(), name()).prop_map(|(a, b)| format!("{a} = {b}.pop('k', None)")),
        name().prop_map(|name| format!("{name}.sort(key=len, reverse=True)")),
        Just("pass".to_owned()),
    ]
    .boxed()
}

/// The lines of one statement, with blocks down to `depth`.
fn statement(depth: u32) -> BoxedStrategy<Vec<String>> {
    let simple = simple_statement().prop_map(|line| vec![line]);
    if depth == 0 {
        return simple.boxed();
    }
    let block =
        || vec(statement(depth - 1), 1..3).prop_map(|statements| statements.into_iter().flatten().collect::<Vec<_>>());
    let conditional =
        (expression(), block(), expression(), block(), block()).prop_map(|(test, body, other, middle, last)| {
            let mut lines = headed(format!("if {test}:"), body);
            lines.extend(headed(format!("elif {other}:"), middle));
            lines.extend(headed("else:".to_owned(), last));
            lines
        });
    let over = prop_oneof![
        name().prop_map(|name| format!("for x, *rest in enumerate({name}):")),
        (1_u8..20).prop_map(|stop| format!("for index in range({stop}):")),
        name().prop_map(|name| format!("for (key, value) in list({name}.items()):")),
    ];
    let repeat = (over, block(), select(vec!["break", "continue", "pass"]), block()).prop_map(
        |(header, mut body, last, otherwise)| {
            body.push(last.to_owned());
            let mut lines = headed(header, body);
            lines.extend(headed("else:".to_owned(), otherwise));
            lines
        },
    );
    prop_oneof![5 => simple, 1 => conditional, 1 => repeat].boxed()
}

fn headed(header: String, body: Vec<String>) -> Vec<String> {
    let mut lines = vec![header];
    // A string over several lines keeps its own indentation.
    lines.extend(body.into_iter().map(|line| format!("    {line}")));
    lines
}
