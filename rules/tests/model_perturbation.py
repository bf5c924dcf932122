"""Calls the modelled functions with sample arguments, changes one place of the arguments at a time, and compares.

Every influence of a changed place on the result or on another argument, and every object of the arguments that shows up
somewhere else, must be allowed by a flow of the model. The samples are in `model_samples/*.toml`; every entry of the model
files that a sample file names under `covers` has a sample, or a reason in `left_out`.
"""

import contextlib
import io
import itertools
import sys
import tomllib
from pathlib import Path

import model_classes as classes
import model_observation as observation
import model_operators as operators
import model_values as values
from model_names import MISSING, Library, exists_here, resolve
from model_ports import Location, Model

TESTS = Path(__file__).resolve().parent
MODELS = TESTS.parent / "models"


class Call:
    """One sample: the text of the arguments of one entry, evaluated afresh for each run."""

    def __init__(self, library, name, model, text, symbol=None):
        self.library, self.name, self.model, self.text = library, name, model, text
        if symbol is None:
            self.function, is_member = find_function(library, name)
            self.is_method = (
                is_member and model.entry.get("binding", "instance") == "instance"
            )
            self.own_class = name.rpartition(".")[0] if is_member else name
        else:
            self.function, self.is_method = operators.OPERATORS[symbol][1], True
            self.own_class = operators.ancestry(library, type(self.operands()[0]))[0]
        self.named = []

    def operands(self):
        return values.evaluate(self.text, self.name)[0]

    def inputs(self):
        """Fresh arguments, by base: `self`, `arg0` …, `arg:name`. The receiver of a method comes first in the text."""
        positional, named = values.evaluate(self.text, self.name)
        bases = (["self"] if self.is_method else []) + [
            f"arg{place}" for place in range(len(positional))
        ]
        found = dict(zip(bases, positional, strict=False))
        parameters = self.model.parameters.positional
        for name, value in named.items():
            found[
                f"arg{parameters.index(name)}" if name in parameters else f"arg:{name}"
            ] = value
        self.named = list(named)
        return found

    def run(self, inputs):
        """The result (iterators drawn out), or the exception, with what was printed kept away."""
        positional = [
            value
            for base, value in inputs.items()
            if base == "self" or base[3:].isdigit()
        ]
        named = {
            base[4:]: value for base, value in inputs.items() if base.startswith("arg:")
        }
        for name in self.named:
            if name in self.model.parameters.positional:
                named[name] = positional.pop()
        try:
            with (
                contextlib.redirect_stdout(io.StringIO()),
                contextlib.redirect_stderr(io.StringIO()),
            ):
                result = self.function(*positional, **named)
                return Outcome(result, values.draw_out(result), None)
        except Exception as error:  # noqa: BLE001 any exception of the library is an observation
            return Outcome(None, None, error)


class Outcome:
    """What one run gave: the result itself, its content, or the exception."""

    def __init__(self, result, content, error):
        self.result, self.content, self.error = result, content, error


def check(call):
    """All disagreements between one sample and its model."""
    inputs = call.inputs()
    call.model.keep_to(inputs)
    before = observation.snapshot_inputs(inputs)
    held = observation.mutable_objects(inputs)
    outcome = call.run(inputs)
    if outcome.error is not None:
        return [f"the sample itself raises {outcome.error!r}"]
    after = observation.snapshot_inputs(inputs) | {
        "result": observation.snapshot(outcome.content)
    }
    problems = check_aliases(call, held, inputs, outcome)
    problems += classes.check_result(call.library, call.model, call.own_class, outcome)
    problems += check_sizes(call, before, after)
    for location in values.places(call.inputs()):
        problems += check_place(call, location, before, after)
    return problems + check_never_raises(call)


def check_never_raises(call):
    """With `raises = false`, no argument of whatever class makes it raise; the operands of an operator are of its classes."""
    if call.model.entry.get("raises", True) or "operators" in call.model.entry:
        return []
    problems = []
    for base in call.inputs():
        for odd in values.ODD if base != "self" else ():
            inputs = call.inputs()
            inputs[base] = odd
            outcome = call.run(inputs)
            if outcome.error is not None:
                problems.append(
                    f"raises {outcome.error!r} for {odd!r} as {base}, against `raises = false`"
                )
    return problems


def check_aliases(call, held, inputs, outcome):
    """Objects of the inputs that are in the result, or somewhere else in the inputs than before."""
    problems = []
    now = observation.mutable_objects(
        {**inputs, "result": outcome.content, "result itself": outcome.result}
    )
    for identity, (_, places) in now.items():
        if identity not in held:
            continue
        sources = held[identity][1]
        for target in places - sources:
            target = (
                Location("result", target.steps)
                if target.base == "result itself"
                else target
            )
            if any(
                target.base == source.base and is_inside(target, sources)
                for source in sources
            ):
                continue
            if not any(call.model.shares(source, target) for source in sources):
                problems.append(
                    f"an object of {show(min(sources))} is at {show(target)}, and no `->` says so"
                )
    return problems


def is_inside(target, sources):
    """Whether a location is below one of the sources: a container that was seen at its own place."""
    return any(
        target.base == source.base
        and target.steps[: len(source.steps)] == source.steps
        and source.steps
        for source in sources
    )


def check_sizes(call, before, after):
    """A container that has another size afterwards is said to be resized."""
    problems = []
    resized = call.model.ports("resizes")
    for base, tree in before.items():
        for location, size in observation.sizes(Location(base), tree):
            now = dict(observation.sizes(Location(base), after[base])).get(
                location, size
            )
            named = any(port.holds(location, call.model.parameters) for port in resized)
            if (
                now != size
                and not named
                and not any(s[0] == "item" for s in location.steps)
            ):
                problems.append(
                    f"{show(location)} has another size, and is not in `resizes`"
                )
    return problems


def check_place(call, location, before, after):
    """Changes one place in all the ways there are, and compares with the run on the unchanged arguments."""
    problems = []
    for change in values.changes(call.inputs(), location):
        inputs = call.inputs()
        if not values.apply(inputs, location, change):
            continue
        changed_before = observation.snapshot_inputs(inputs)
        outcome = call.run(inputs)
        if outcome.error is not None:
            if not call.model.entry.get("raises", True):
                problems.append(
                    f"raises {outcome.error!r} when {show(location)} changes, against `raises = false`"
                )
            continue
        changed = observation.snapshot_inputs(inputs) | {
            "result": observation.snapshot(outcome.content)
        }
        for base in after:
            for target in observation.differences(
                Location(base), after[base], changed[base]
            ):
                untouched = base != "result" and observation.is_untouched(
                    target,
                    before[base],
                    after[base],
                    changed_before[base],
                    changed[base],
                )
                if not untouched and not call.model.explains(location, target):
                    problems.append(
                        f"{show(location)} influences {show(target)}, and no flow says so"
                    )
    return problems


def show(location):
    """A location in words."""
    words = {
        "item": "[{}]",
        "value": "[{!r}]",
        "key": ".key({!r})",
        "member": ".member",
        "attr": ".{}",
        "shape": ".shape",
        "order": ".shape",
    }
    return location.base + "".join(
        words[step[0]].format(*step[1:]) for step in location.steps
    )


def find_function(library, name):
    """The function of an entry, and whether its receiver is the first argument of a sample."""
    parent, _, member = name.rpartition(".")
    if parent not in library.entries or name in library.entries:
        return (library.find(name) if name in library.entries else resolve(name)), False
    for owner in library.descendants(parent):
        found = getattr(library.find(owner), member, MISSING)
        if found is not MISSING:
            return found, True
    return MISSING, False


def calls_of_samples(library, entries, samples):
    """One call for each name and text of the sample files, with the names that no model has."""
    for sample in samples:
        for name in sample["names"]:
            entry = entries.get(name)
            if entry is None:
                yield name, None
                continue
            if not exists_here(entry):
                continue
            for text in sample["calls"]:
                yield name, Call(library, name, Model(entry), text)


def calls_of_operators(library, files, samples):
    """One call for each operator and text of the sample files, with the operators that have no entry."""
    for sample in samples:
        for symbol in sample["operators"]:
            for text in sample["calls"]:
                operands = values.evaluate(text, symbol)[0]
                entry = operators.find_entry(library, files, symbol, operands)
                label = f"operator {symbol}"
                yield (
                    label,
                    None
                    if entry is MISSING
                    else Call(library, label, Model(entry), text, symbol),
                )


def main(left_out):
    """Checks all samples. `left_out`: the name of an entry, which alone is checked, without one of its flows or calls."""
    files = {
        path.name: tomllib.loads(path.read_text())
        for path in sorted(MODELS.glob("*.toml"))
    }
    sample_files = [
        tomllib.loads(path.read_text())
        for path in sorted((TESTS / "model_samples").glob("*.toml"))
    ]
    library = Library(files.values())
    entries = {
        name: entry
        for data in files.values()
        for entry in data.get("function", [])
        for name in entry["names"]
    }
    for key in ("flows", "calls") if left_out else ():
        entry = entries[left_out[0]]
        entry[key] = [text for text in entry.get(key, []) if text != left_out[1]]
    problems, sampled, runs = [], set(), 0
    operators.check_in_place(library, list(files.values()), problems.append)
    for data in sample_files:
        samples = itertools.chain(
            calls_of_samples(library, entries, data.get("sample", [])),
            calls_of_operators(library, list(files.values()), data.get("operator", [])),
        )
        for name, call in samples:
            sampled.add(name)
            if left_out and name != left_out[0]:
                continue
            if call is None:
                problems.append(f"{name}: has samples, and no model")
                continue
            runs += 1
            problems += [
                f"{name}({call.text}): {problem}"
                for problem in dict.fromkeys(check(call))
            ]
        sampled |= set(data.get("left_out", {}))
    for data in sample_files:
        for file in data.get("covers", []):
            for entry in filter(exists_here, files[file].get("function", [])):
                missing = [
                    name
                    for name in entry["names"]
                    if name not in sampled and entry.get("binding") != "property"
                ]
                problems += [
                    f"{name}: has no sample, and no reason in `left_out`"
                    for name in missing
                ]
    print("\n".join(problems))
    print(f"{runs} samples of {len(sampled)} functions, {len(problems)} problems")
    return 1 if problems or not runs else 0


if __name__ == "__main__":
    sys.setrecursionlimit(10_000)
    sys.exit(main(sys.argv[1:]))
