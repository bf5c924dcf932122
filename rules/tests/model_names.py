"""Looks every name of the models up in the running interpreter, and compares the parameters with its signatures.

Prints one line for each disagreement; exits with 1 if there is any.
"""

import builtins
import importlib
import inspect
import sys
import tomllib
from pathlib import Path

MODELS = Path(__file__).resolve().parent.parent / "models"
MISSING = object()

# Members that only some builds of the interpreter have.
BUILD_OPTIONS = {"sqlite3.Connection.load_extension"}


def resolve(dotted):
    """The object with a dotted name, importing as many leading parts as are modules; MISSING if there is none."""
    parts = dotted.split(".")
    for length in range(len(parts) - 1, 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:length]))
        except ImportError:
            continue
        for part in parts[length:]:
            found = getattr(found, part, MISSING)
        return found
    return MISSING


def exists_here(entry):
    """Whether the names of an entry belong to this version of Python."""

    def minor(version):
        return int(version.removeprefix("3."))

    here = sys.version_info.minor
    return minor(entry.get("since", "3.0")) <= here < minor(entry.get("until", "3.999"))


class Library:
    """The declared classes, and the interpreter's class for each."""

    def __init__(self, files):
        self.entries = {}
        for data in files:
            for entry in data.get("class", []):
                for name in entry["names"]:
                    self.entries[name] = entry

    def descendants(self, name):
        """The declared classes of the interpreter that a declared class stands for: itself, or the members of a family."""
        entry = self.entries[name]
        if not entry.get("family"):
            return [name]
        if entry.get("any_of"):
            return entry["any_of"]
        heirs = [
            heir
            for heir, other in self.entries.items()
            if name in other.get("bases", [])
        ]
        found = [found for heir in heirs for found in self.descendants(heir)]
        bases = [base for base in entry.get("bases", []) if base != "builtins.object"]
        return found or [found for base in bases for found in self.descendants(base)]

    def find(self, name):
        """The interpreter's class with a declared name, or MISSING."""
        expression = self.entries[name].get("found_by")
        if expression is None:
            return resolve(name)
        modules = {
            word: importlib.import_module(word) for word in modules_of(expression)
        }
        return eval(expression, modules)


def modules_of(expression):
    """The top-level names of an expression that are modules to import."""
    names = compile(expression, "found_by", "eval").co_names
    return [
        name
        for name in names
        if not hasattr(builtins, name) and name in sys.stdlib_module_names
    ]


def check_class(library, name, report):
    entry = library.entries[name]
    if entry.get("family"):
        if resolve(name) is not MISSING:
            report(name, "is called a family, and is a class of the interpreter")
        return
    found = library.find(name)
    if not inspect.isclass(found):
        report(name, "is no class of this interpreter")
        return
    for base in entry.get("bases", []):
        if not library.entries[base].get("family"):
            base_class = library.find(base)
            if inspect.isclass(base_class) and not issubclass(found, base_class):
                report(name, f"does not inherit from {base}")


def check_member(library, class_name, member, entry, report):
    """One method or property, in each class that the declared class stands for."""
    for owner_name in library.descendants(class_name):
        owner = library.find(owner_name)
        if not inspect.isclass(owner):
            continue
        static = inspect.getattr_static(owner, member, MISSING)
        label = f"{class_name}.{member}"
        is_property = entry.get("binding") == "property"
        if static is MISSING:
            if not (is_property and is_set_by_initializer(owner, member)):
                report(label, f"is no member of {owner_name}")
            continue
        check_binding(label, static, owner, member, entry, report)


def is_set_by_initializer(owner, member):
    """Whether objects get the attribute from `__init__`: the class itself does not have it."""
    code = getattr(owner.__init__, "__code__", None)
    return code is not None and member in code.co_names


def check_binding(label, static, owner, member, entry, report):
    binding = entry.get("binding", "instance")
    is_class = (
        isinstance(static, classmethod)
        or type(static).__name__ == "classmethod_descriptor"
    )
    is_static = isinstance(static, staticmethod)
    is_property = not is_class and not is_static and not callable(static)
    actual = (
        "class"
        if is_class
        else "static"
        if is_static
        else "property"
        if is_property
        else "instance"
    )
    if binding != actual:
        report(label, f"has binding {actual}, not {binding}")
    elif binding != "property":
        bound = getattr(owner, member)
        check_parameters(label, bound, binding == "instance", entry, report)


def check_parameters(label, function, drop_receiver, entry, report):
    if "parameters" not in entry:
        return
    try:
        actual = list(inspect.signature(function).parameters.values())
    except (ValueError, TypeError):
        return
    if drop_receiver:
        actual = actual[1:]
    positional, keyword_only, rest, extra = read_parameters(entry["parameters"])
    kinds = inspect.Parameter
    actual_rest = any(p.kind is kinds.VAR_POSITIONAL for p in actual)
    actual_extra = any(p.kind is kinds.VAR_KEYWORD for p in actual)
    actual_positional = [
        p
        for p in actual
        if p.kind in (kinds.POSITIONAL_ONLY, kinds.POSITIONAL_OR_KEYWORD)
    ]
    keywords = {
        p.name
        for p in actual
        if p.kind in (kinds.KEYWORD_ONLY, kinds.POSITIONAL_OR_KEYWORD)
    }
    for place, (name, by_keyword) in enumerate(positional):
        if place >= len(actual_positional):
            if not actual_rest:
                report(label, f"has no parameter {name} at position {place}")
            continue
        parameter = actual_positional[place]
        named = parameter.kind is kinds.POSITIONAL_OR_KEYWORD
        if (
            by_keyword
            and not (named and parameter.name == name)
            and not (actual_extra and not named)
        ):
            report(label, f"has {parameter} at position {place}, not {name}")
    for name in keyword_only:
        if name not in keywords and not actual_extra:
            report(label, f"has no keyword {name}")
    if (
        rest
        and not actual_rest
        and not any(p.default is not p.empty for p in actual_positional)
    ):
        report(label, "takes no *args")
    if extra and not actual_extra:
        report(label, "takes no **kwargs")
    required = [
        p.name for p in actual if p.default is p.empty and p.kind is kinds.KEYWORD_ONLY
    ]
    if set(required) - set(keyword_only):
        report(label, f"needs the keywords {required}")


def read_parameters(listed):
    """Positional names with whether each can be a keyword; keyword-only names; whether there is *args, **kwargs."""
    positional, keyword_only, rest, extra, star = [], [], False, False, False
    for name in listed:
        if name == "/":
            positional = [(other, False) for other, _ in positional]
        elif name.startswith("**"):
            extra = True
        elif name.startswith("*"):
            star, rest = True, name != "*"
        elif star:
            keyword_only.append(name)
        else:
            positional.append((name, True))
    return positional, keyword_only, rest, extra


def check_function(library, name, entry, report):
    parent, _, member = name.rpartition(".")
    if parent in library.entries and name not in library.entries:
        check_member(library, parent, member, entry, report)
        return
    found = library.find(name) if name in library.entries else resolve(name)
    if found is MISSING:
        report(name, "does not exist")
    elif not callable(found):
        report(name, "is not callable")
    else:
        check_parameters(name, found, False, entry, report)


def main():
    files = [tomllib.loads(path.read_text()) for path in sorted(MODELS.glob("*.toml"))]
    library = Library(files)
    problems = []

    def report(name, problem):
        problems.append(f"{name}: {problem}")

    looked_up = 0
    for data in files:
        for entry in filter(exists_here, data.get("class", [])):
            for name in entry["names"]:
                check_class(library, name, report)
        for entry in filter(exists_here, data.get("function", [])):
            for name in entry["names"]:
                check_function(library, name, entry, report)
                looked_up += 1
        for entry in filter(exists_here, data.get("constant", [])):
            for name in entry["names"]:
                if resolve(name) is MISSING:
                    report(name, "does not exist")
        for entry in filter(exists_here, data.get("operation", [])):
            for name in entry["names"]:
                ours_to_check = (
                    name.split(".")[0] in sys.stdlib_module_names
                    and name not in BUILD_OPTIONS
                )
                if ours_to_check and resolve(name) is MISSING:
                    report(name, "does not exist")
    for problem in problems:
        print(problem)
    print(
        f"{looked_up} functions looked up in Python {sys.version.split()[0]}, {len(problems)} problems"
    )
    return 1 if problems or not looked_up else 0


if __name__ == "__main__":
    sys.exit(main())
