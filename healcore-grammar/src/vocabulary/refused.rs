//! Names that are out of reach, each group with the code that explains why.

use super::builtins::builtin;
use crate::code::Code;

/// Built-in classes that may stand as the second argument of `isinstance`, besides exceptions.
pub(crate) const CLASSES: &[&str] = &[
    "bool",
    "bytearray",
    "bytes",
    "complex",
    "dict",
    "float",
    "frozenset",
    "int",
    "list",
    "object",
    "range",
    "set",
    "str",
    "tuple",
];

const RUNS_CODE: &[&str] = &["compile", "eval", "exec"];
const REFLECTION: &[&str] = &[
    "classmethod",
    "delattr",
    "dir",
    "globals",
    "hash",
    "id",
    "issubclass",
    "locals",
    "memoryview",
    "object",
    "property",
    "setattr",
    "staticmethod",
    "super",
    "type",
    "vars",
];
const INPUT_OUTPUT: &[&str] = &["breakpoint", "exit", "help", "input", "open", "print", "quit"];
const OTHER: &[&str] = &["aiter", "anext", "format", "pow", "slice"];
const EXCEPTIONS: &[&str] = &[
    "ArithmeticError",
    "AssertionError",
    "AttributeError",
    "BaseException",
    "BaseExceptionGroup",
    "BlockingIOError",
    "BrokenPipeError",
    "BufferError",
    "BytesWarning",
    "ChildProcessError",
    "ConnectionAbortedError",
    "ConnectionError",
    "ConnectionRefusedError",
    "ConnectionResetError",
    "DeprecationWarning",
    "EOFError",
    "Ellipsis",
    "EncodingWarning",
    "EnvironmentError",
    "Exception",
    "ExceptionGroup",
    "FileExistsError",
    "FileNotFoundError",
    "FloatingPointError",
    "FutureWarning",
    "GeneratorExit",
    "IOError",
    "ImportError",
    "ImportWarning",
    "IndentationError",
    "IndexError",
    "InterruptedError",
    "IsADirectoryError",
    "KeyError",
    "KeyboardInterrupt",
    "LookupError",
    "MemoryError",
    "ModuleNotFoundError",
    "NameError",
    "NotADirectoryError",
    "NotImplemented",
    "NotImplementedError",
    "OSError",
    "OverflowError",
    "PendingDeprecationWarning",
    "PermissionError",
    "ProcessLookupError",
    "PythonFinalizationError",
    "RecursionError",
    "ReferenceError",
    "ResourceWarning",
    "RuntimeError",
    "RuntimeWarning",
    "StopAsyncIteration",
    "StopIteration",
    "SyntaxError",
    "SyntaxWarning",
    "SystemError",
    "SystemExit",
    "TabError",
    "TimeoutError",
    "TypeError",
    "UnboundLocalError",
    "UnicodeDecodeError",
    "UnicodeEncodeError",
    "UnicodeError",
    "UnicodeTranslateError",
    "UnicodeWarning",
    "UserWarning",
    "ValueError",
    "Warning",
    "ZeroDivisionError",
];

/// Attributes of frames, generators, coroutines, code, functions, tracebacks and classes.
const INTROSPECTION: &[&str] = &[
    "ag_await",
    "ag_code",
    "ag_frame",
    "ag_running",
    "ag_suspended",
    "co_argcount",
    "co_cellvars",
    "co_code",
    "co_consts",
    "co_exceptiontable",
    "co_filename",
    "co_firstlineno",
    "co_flags",
    "co_freevars",
    "co_kwonlyargcount",
    "co_lines",
    "co_linetable",
    "co_lnotab",
    "co_name",
    "co_names",
    "co_nlocals",
    "co_positions",
    "co_posonlyargcount",
    "co_qualname",
    "co_stacksize",
    "co_varnames",
    "cr_await",
    "cr_code",
    "cr_frame",
    "cr_origin",
    "cr_running",
    "cr_suspended",
    "f_back",
    "f_builtins",
    "f_code",
    "f_exc_traceback",
    "f_exc_type",
    "f_exc_value",
    "f_generator",
    "f_globals",
    "f_lasti",
    "f_lineno",
    "f_locals",
    "f_restricted",
    "f_trace",
    "f_trace_lines",
    "f_trace_opcodes",
    "format_map",
    "func_closure",
    "func_code",
    "func_defaults",
    "func_dict",
    "func_doc",
    "func_globals",
    "func_name",
    "gi_code",
    "gi_frame",
    "gi_running",
    "gi_suspended",
    "gi_yieldfrom",
    "im_class",
    "im_func",
    "im_self",
    "mro",
    "tb_frame",
    "tb_lasti",
    "tb_lineno",
    "tb_next",
    "with_traceback",
];

/// Modules from which interpreter internals or the world outside the process are one attribute away, with
/// the attributes that hold plain data.
const MODULES: &[(&str, &[&str])] = &[
    ("asyncio", &[]),
    ("atexit", &[]),
    ("builtins", &[]),
    ("ctypes", &[]),
    ("gc", &[]),
    ("httpx", &[]),
    ("importlib", &[]),
    ("inspect", &[]),
    ("marshal", &[]),
    ("multiprocessing", &[]),
    ("os", &["altsep", "curdir", "devnull", "environ", "extsep", "linesep", "name", "pardir", "pathsep", "sep"]),
    ("pathlib", &[]),
    ("pickle", &[]),
    ("posix", &[]),
    ("requests", &[]),
    ("runpy", &[]),
    ("shelve", &[]),
    ("shutil", &[]),
    ("socket", &[]),
    ("sqlite3", &[]),
    ("subprocess", &[]),
    ("sys", &["argv", "byteorder", "maxsize", "maxunicode", "platform"]),
    ("tempfile", &[]),
    ("threading", &[]),
    ("urllib", &[]),
];

/// The code and the name of the group for a built-in that may not be called.
pub(crate) fn refused_builtin(name: &str) -> Option<Code> {
    let groups = [
        (RUNS_CODE, Code::RunsCode),
        (REFLECTION, Code::Reflection),
        (INPUT_OUTPUT, Code::InputOutput),
        (OTHER, Code::BuiltinNotListed),
        (EXCEPTIONS, Code::BuiltinNotListed),
    ];
    groups.into_iter().find(|(names, _)| names.contains(&name)).map(|(_, code)| code)
}

/// Whether Python has a built-in of this name (those that start with an underscore are refused before).
pub(crate) fn is_builtin_name(name: &str) -> bool {
    builtin(name).is_some() || refused_builtin(name).is_some()
}

/// Whether a class of this name may be tested with `isinstance`.
pub(crate) fn is_exception(name: &str) -> bool {
    EXCEPTIONS.contains(&name)
}

/// Whether the attribute leads into frames, code, tracebacks or class internals.
pub(crate) fn is_introspection(attribute: &str) -> bool {
    INTROSPECTION.contains(&attribute)
}

/// Whether the name is that of a module that a healing may not touch.
pub(crate) fn refused_module(name: &str) -> bool {
    MODULES.iter().any(|(module, _)| *module == name)
}

/// Whether this attribute of a refused module is out of reach too.
pub(crate) fn module_attribute_is_refused(module: &str, attribute: &str) -> bool {
    MODULES.iter().find(|(listed, _)| *listed == module).is_some_and(|(_, data)| !data.contains(&attribute))
}
