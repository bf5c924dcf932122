import copy

import jsonschema
import pytest
from conftest import SCHEMA, VALIDATOR


@pytest.fixture(scope="module")
def document(tmp_path_factory):
    from conftest import Workshop

    workshop = Workshop(tmp_path_factory.mktemp("schema"))
    return workshop.crash("def fail(x):\n    f = fail\n    1 / 0\nfail([1])\n").document


def test_the_schema_itself_is_valid():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("surprise",), 1),
        (("schema",), 2),
        (("frames", 0, "surprise"), 1),
        (("frames", 0, "column"), 0),
        (("frames", 0, "locals", "x"), 2**63),
        (("frames", 0, "locals", "x"), {"ref": "1"}),
        (("frames", 0, "locals", "x"), {"float": 1.5}),
        (("frames", 0, "locals", "x"), {"cut": "list", "length": 1, "prefix": ""}),
        (("objects", "1", "surprise"), 1),
        (("objects", "1", "kind"), "thing"),
        (("objects", "0"), {"kind": "list", "type": "builtins.list", "cut": True}),
        (("exception", "cause"), "none"),
        (("modules", "main", "globals"), []),
    ],
)
def test_the_schema_refuses_what_the_format_does_not_have(document, path, value):
    changed = copy.deepcopy(document)
    part = changed
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    with pytest.raises(jsonschema.ValidationError):
        VALIDATOR.validate(changed)


def test_an_object_without_its_contents_must_say_so(document):
    changed = copy.deepcopy(document)
    changed["objects"]["1"] = {"kind": "list", "type": "builtins.list"}
    with pytest.raises(jsonschema.ValidationError):
        VALIDATOR.validate(changed)
