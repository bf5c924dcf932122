"""What identifies an object without its contents: kind, type, and for code the place it is defined at."""

from __future__ import annotations

import os
import types
from typing import Any

from healguard import rawread
from healguard.classfacts import ClassFacts, ClassTable
from healguard.kinds import kind_of
from healguard.modulenames import ModuleNames
from healguard.scalars import plain_text

_NAME_LIMIT = 400
_PATH_LIMIT = 4_096

_BOUND = (types.BuiltinFunctionType, types.MethodWrapperType)
_SELF = {id(kind): kind.__dict__["__self__"].__get__ for kind in _BOUND}
_builtin_module = types.BuiltinFunctionType.__dict__["__module__"].__get__


class Identities:
    """Names types and code objects."""

    def __init__(self, classes: ClassTable, names: ModuleNames, directory: str) -> None:
        """Relative file names are relative to `directory`, where the program was started."""
        self._classes = classes
        self._names = names
        self._directory = directory

    def facts(self, kind: type) -> ClassFacts:
        """Return the facts of a class."""
        return self._classes.facts(kind)

    def dotted(self, kind: type) -> str:
        """Return `module.QualName` of a class."""
        facts = self._classes.facts(kind)
        return f"{self.class_module(facts)}.{plain_text(facts.qualname, _NAME_LIMIT)}"

    def class_module(self, facts: ClassFacts) -> str:
        """Return the module of a class as the snapshot names it."""
        return plain_text(self._names.label(facts.module), _NAME_LIMIT)

    def identity(self, obj: object) -> dict[str, Any]:
        """Return the first fields of an object's record."""
        kind = type(obj)
        facts = self._classes.facts(kind)
        record: dict[str, Any] = {"kind": kind_of(obj, facts), "type": self.dotted(kind)}
        if record["kind"] == "function":
            record |= self.function_place(obj)
        elif record["kind"] == "class":
            own = self._classes.facts(obj)
            record["module"] = self.class_module(own)
            record["qualname"] = plain_text(own.qualname, _NAME_LIMIT)
        elif record["kind"] == "module":
            record["name"] = self._names.name_of(rawread.module_dict(obj))
        elif record["kind"] == "builtin":
            record["name"] = self.builtin_name(obj)
        return record

    def function_place(self, function: types.FunctionType) -> dict[str, Any]:
        """Return where a function was defined. Its own `__module__` and `__qualname__` may lie."""
        return {
            "module": self._names.name_of(rawread.function_globals(function)),
            **self.code_place(rawread.function_code(function)),
        }

    def code_place(self, code: types.CodeType) -> dict[str, Any]:
        """Return the qualified name, file and first line of a code object."""
        return {
            "qualname": plain_text(code.co_qualname, _NAME_LIMIT),
            "file": self.path(code.co_filename),
            "first_line": code.co_firstlineno,
        }

    def path(self, filename: str) -> str:
        """Return an absolute path; names that are no paths, such as `<string>`, stay as they are."""
        filename = plain_text(filename, _PATH_LIMIT)
        return filename if filename.startswith("<") else os.path.join(self._directory, filename)

    def builtin_name(self, obj: Any) -> str:
        """Return the dotted name of a C function, method or descriptor.

        `__qualname__` of a bound one would ask the class of the object that it is bound to.
        """
        name = plain_text(obj.__name__, _NAME_LIMIT)
        if not rawread.is_any(type(obj), _BOUND):
            return f"{self.dotted(obj.__objclass__)}.{name}"
        owner = _SELF[id(type(obj))](obj)
        if owner is None or rawread.descends(type(owner), types.ModuleType):
            module = (
                rawread.text_or_none(_builtin_module(obj))
                if type(obj) is types.BuiltinFunctionType
                else None
            )
            return f"{plain_text(module or 'builtins', _NAME_LIMIT)}.{name}"
        return f"{self._defining_class(owner, name)}.{name}"

    def _defining_class(self, owner: object, name: str) -> str:
        """Return the C class that a method bound to `owner` comes from."""
        kind = owner if rawread.is_class(owner) else type(owner)
        for ancestor in self._classes.facts(kind).mro:
            facts = self._classes.facts(ancestor)
            if facts.compiled and name in facts.entries:
                return self.dotted(ancestor)
        return self.dotted(kind)
