//! The rejection codes: one for each reason why a program is not HealCore.

/// Declares the codes once; the enum, the list of all codes and their texts follow from it.
macro_rules! codes {
    ($($variant:ident = $code:literal, $title:literal, $help:literal;)*) => {
        /// Why a program is not HealCore. Codes are stable: a number is never given a new meaning.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $(#[doc = concat!($code, ": ", $title, ".")] $variant,)*
        }

        impl Code {
            /// Every code, in the order of their numbers.
            pub const ALL: &'static [Code] = &[$(Code::$variant,)*];

            /// The code as users see it, such as `HC001`.
            pub fn as_str(self) -> &'static str {
                match self { $(Code::$variant => $code,)* }
            }

            /// What is refused, in a few words.
            pub fn title(self) -> &'static str {
                match self { $(Code::$variant => $title,)* }
            }

            /// What to write instead.
            pub fn help(self) -> &'static str {
                match self { $(Code::$variant => $help,)* }
            }
        }
    };
}

codes! {
    SourceTooLong = "HC001", "source too long",
        "a healing is a few lines: repair the state that the crash needs and nothing else";
    Syntax = "HC002", "not valid Python",
        "write plain Python statements, without prose or Markdown fences around them";
    NewerSyntax = "HC003", "syntax that Python 3.11 does not have",
        "write it in the syntax of Python 3.11";
    ForbiddenCharacter = "HC004", "control or bidirectional character",
        "write the character as an escape sequence inside a string, or remove it";
    CodingDeclaration = "HC005", "coding declaration",
        "remove the comment: a healing is always UTF-8";
    TooManyStatements = "HC006", "too many statements",
        "repair less, or move the repair into a function of the repository";
    BlocksTooDeep = "HC007", "blocks nested too deeply",
        "combine conditions with `and`, or compute intermediate values first";
    ExpressionTooDeep = "HC008", "expression nested too deeply",
        "assign parts of the expression to names first";

    Import = "HC010", "import",
        "use what the crashed frame can already see";
    StarImport = "HC011", "star import",
        "use what the crashed frame can already see";
    FunctionDefinition = "HC012", "function definition",
        "write the statements where they are needed";
    ClassDefinition = "HC013", "class definition",
        "build the value from literals and existing objects";
    Decorator = "HC014", "decorator",
        "remove the definition: a healing defines nothing";
    PositionalOnly = "HC015", "positional-only parameters",
        "remove the definition: a healing defines nothing";
    TypeParameters = "HC016", "type alias or type parameters",
        "remove it: a healing needs no types";
    While = "HC017", "while loop",
        "use `for` over an existing container or over `range` with a fixed bound";
    Try = "HC018", "try statement",
        "test the condition with `if` before the operation that could raise";
    With = "HC019", "with statement",
        "a healing repairs state and opens nothing: remove the statement";
    Match = "HC020", "match statement",
        "use `if` and `elif`";
    Raise = "HC021", "raise statement",
        "repair the state, or write no healing and let the exception pass";
    Assert = "HC022", "assert statement",
        "use `if`";
    Return = "HC023", "return statement",
        "assign to `healed_return` as the last statement and resume with `return`";
    Global = "HC024", "global declaration",
        "assign to an attribute of the module object, or repair a local";
    Nonlocal = "HC025", "nonlocal declaration",
        "change the object that the cell holds instead of rebinding it";
    Async = "HC026", "async construct",
        "use the synchronous form";
    Annotation = "HC027", "annotated assignment",
        "remove the annotation";
    NoEffect = "HC028", "statement without effect",
        "remove it, or assign the value";
    OutsideLoop = "HC029", "break or continue outside a loop",
        "remove it";
    DeletionTarget = "HC030", "deletion of something that is not a place",
        "delete one name, attribute or item after the other";
    AssignmentTarget = "HC031", "assignment to something that is not a place",
        "assign to names, attributes, items, or tuples of these with at most one star";
    LoopTarget = "HC032", "loop target that is not a name",
        "loop over plain names and assign to attributes and items in the body";
    ComprehensionTarget = "HC033", "comprehension target that is not a name",
        "bind plain names in the comprehension";

    Lambda = "HC040", "lambda",
        "use a comprehension, or `key=` with a pure built-in";
    Walrus = "HC041", "assignment expression",
        "assign in a statement of its own";
    Await = "HC042", "await",
        "a healing runs synchronously: use values that are there";
    Yield = "HC043", "yield",
        "a healing produces no values: assign them";
    Ellipsis = "HC044", "ellipsis",
        "use `None` or `pass`";
    TemplateString = "HC045", "template string",
        "use an f-string";
    MatrixProduct = "HC046", "matrix product",
        "use `*` and `sum` over a comprehension";
    Star = "HC047", "star outside a display",
        "use the star inside a list, tuple or set display";
    LazyKept = "HC048", "lazy iterator kept",
        "wrap it in `list(…)`, or read it in place by a loop or a built-in such as `sum`";
    Mutation = "HC049", "mutation inside an expression",
        "call the mutating method as a statement of its own, or assign its result first";
    AdvancesIterator = "HC050", "live iterator advanced",
        "use `next(iter(container), default)` on a container";

    UnderscoreName = "HC060", "name that starts with an underscore",
        "use public names; name an unused loop variable `unused`";
    UnderscoreAttribute = "HC061", "attribute that starts with an underscore",
        "use the public attributes of the object";
    UnderscoreKeyword = "HC062", "keyword argument that starts with an underscore",
        "use a public parameter";
    NotNormalized = "HC063", "identifier that Python reads as another one",
        "write the identifier in its NFKC form";
    Introspection = "HC064", "introspection attribute",
        "frames, code, tracebacks and class internals are out of reach: repair values";
    BuiltinRebound = "HC065", "built-in name rebound",
        "choose another name";
    BuiltinValue = "HC066", "built-in used as a value",
        "call the built-in directly";
    HealedReturn = "HC067", "`healed_return` used in another way than as last assignment",
        "compute the value in other names and end with `healed_return = value`";
    DunderKey = "HC068", "item key that names a Python internal",
        "use a key without double underscores at both ends";
    Module = "HC069", "module out of reach",
        "use the values that the crashed frame holds";

    RunsCode = "HC080", "built-in that runs code",
        "write the statements themselves";
    Reflection = "HC081", "built-in that reflects on the program",
        "name the attribute or variable directly";
    InputOutput = "HC082", "built-in that reads or writes outside the program",
        "a healing changes state only: remove the call";
    ComputedAttribute = "HC083", "computed attribute name",
        "give the attribute name as a literal identifier";
    BuiltinNotListed = "HC084", "built-in that is not in the list",
        "see the list of built-ins in the grammar";
    UnknownFunction = "HC085", "call of something that is not a listed built-in",
        "build the value from literals, displays and existing objects, or allow calls of the repository";
    ComputedCallee = "HC086", "computed callee",
        "only plain names and methods can be called";
    MethodNotListed = "HC087", "method that is not in the list",
        "see the list of methods in the grammar";
    FormatMethod = "HC088", "format method",
        "use an f-string";
    StarArgument = "HC089", "star argument",
        "pass the arguments one by one, or build a display such as `{**a, **b}`";
    Arguments = "HC090", "arguments that the call does not take",
        "see the signature in the grammar";
    FunctionArgument = "HC091", "function argument that is not a pure built-in",
        "use a comprehension, or one of the pure built-ins such as `len` and `str`";
    Codec = "HC092", "codec that is not in the list",
        "name `utf-8`, `ascii`, `latin-1` or another listed codec as a literal";

    Modulo = "HC100", "`%` that could be string formatting",
        "convert the left side first, as in `int(x) % n`, or use `divmod(x, n)[1]`; build text with an f-string";
    ComputedFormat = "HC101", "computed or unreadable format",
        "write width and precision as literal digits";
    FormatTooWide = "HC102", "format width or precision too large",
        "use a smaller width";
    FieldTooComplex = "HC103", "f-string field too complex",
        "assign the value to a name first and format the name";
    DebugField = "HC104", "self-documenting f-string field",
        "write the label as text before the field";

    IntegerTooLarge = "HC110", "integer literal too large",
        "use a smaller number";
    StringTooLong = "HC111", "string literal too long",
        "use a shorter text";
    PowerTooLarge = "HC112", "power without a small bound",
        "use a small literal exponent, or bound it as in `x ** min(n, 8)`";
    ShiftTooLarge = "HC113", "shift without a small bound",
        "use a small literal count, or bound it as in `1 << min(n, 32)`";
    RepetitionTooLarge = "HC114", "repetition without a small bound",
        "bound the count, as in `text * min(n, 100)`, or convert a number first, as in `int(x) * n`";
    LoopTooLong = "HC115", "loop or range too long",
        "loop over an existing container or a shorter range";
    LoopsTooDeep = "HC116", "loops nested too deeply or too long together",
        "flatten the loops";
    ComprehensionTooDeep = "HC117", "comprehension nested too deeply",
        "build the inner collection in a statement of its own";
    DisplayTooLarge = "HC118", "display with too many items",
        "build the collection with a comprehension";
    SizeUnbounded = "HC119", "size or digit count without a small bound",
        "use a small literal, or bound it as in `min(n, 100)`";
    GrowsIterated = "HC120", "loop that grows what it iterates over",
        "iterate over a copy, as in `for x in list(xs)`";
    GrowsItself = "HC121", "value that multiplies itself repeatedly",
        "compute the value once, outside the loop";
    SumOfCollections = "HC122", "sum with a start that is not a number",
        "flatten with a comprehension";
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
