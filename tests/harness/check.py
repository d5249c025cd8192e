"""Judges the answers of `tieline at` against the expectations of a case.

What is right in which mode is written in the README of the cases; `_judge` is that table.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from pydantic import ValidationError

from tests.harness.at_document import (
    VERDICTS_WITH_TARGETS,
    VERDICTS_WITHOUT_TARGETS,
    AtDocument,
    ReferenceAt,
    Target,
    read_at_document,
)
from tests.harness.case_file import Case, ContextCondition, Demand, Expectation, LabelledDefinition, Spot

At = Callable[[str, int, int], object]
"""(path, 1-based line, 1-based column in code points) -> the JSON object of `tieline at PATH:LINE:COLUMN --json`."""


class Mode(Enum):
    """Which layers have spoken."""

    SYNTACTIC = "syntactic"
    """The syntactic layer alone: right, or unresolved or ambiguous where the expectation allows it; never wrong."""
    MERGED = "merged"
    """Both layers: exactly right."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One wrong answer: where, and what is wrong with it."""

    spot: Spot
    message: str

    def __str__(self) -> str:
        return f"{self.spot}: {self.message}"


def check_case(case: Case, at: At, mode: Mode) -> list[Fault]:
    """Asks about every definition and every reference that the case names, and returns what is wrong, in file order.

    Whatever `at` raises goes through: an answer that could not be had is no answer.
    """
    faults: list[Fault] = []
    ids: dict[str, str] = {}
    for definition in case.definitions.values():
        answer = _ask(at, definition.spot, faults)
        if answer is None:
            continue
        found = answer.definition
        if found is None or (found.path, found.line, found.column, found.byte) != _place(definition.spot):
            faults.append(Fault(definition.spot, f"definition {definition.name} is not known here: {found}"))
        else:
            ids[definition.label] = found.id
    for group in _by_spot(case.expectations):
        spot, name = group[0].spot, group[0].name
        answer = _ask(at, spot, faults)
        if answer is None:
            continue
        if answer.reference is None:
            faults.append(Fault(spot, f"no reference is known at {name}"))
        elif answer.reference.name != name:
            faults.append(Fault(spot, f"the reference at {name} is called {answer.reference.name}"))
        elif message := _judge(group, answer.reference, _Labels(case.definitions, ids), mode):
            faults.append(Fault(spot, f"{name}: {message}; {_said(answer.reference)}"))
    return sorted(faults, key=lambda fault: (fault.spot.path, fault.spot.byte))


def context_matches(context: str, condition: ContextCondition) -> bool:
    """Whether a printed context (`ecosystem:root@variant`) meets `KEY=VALUE`.

    A part of the variant is `KEY=VALUE`, or for Go's GOOS and GOARCH and then its tags the bare value
    (`go:.@linux,amd64,slow`). Features and tags are compared as sets: `features=` is a context that switches none on.
    """
    _, _, variant = context.rpartition("@") if "@" in context else (context, "", "")
    settings: dict[str, set[str]] = {}
    bare: list[str] = []
    key = ""
    for part in filter(None, variant.split(",")):
        if "=" in part:
            key, _, value = part.partition("=")
            settings[key] = {word for word in value.split("+") if word}
        elif key:
            settings[key].add(part)  # features=a,b
        else:
            bare.append(part)
    if condition.key in {"GOOS", "GOARCH"}:
        return condition.value in {*bare, *settings.get(condition.key, set())}
    if condition.key == "tags":
        settings.setdefault("tags", set(bare[2:]))
    return settings.get(condition.key, set()) == {word for word in condition.value.split(",") if word}


@dataclass(frozen=True, slots=True)
class _Labels:
    definitions: Mapping[str, LabelledDefinition]
    ids: Mapping[str, str]

    def match(self, target: Target, label: str, construction: bool) -> bool:
        """Whether a target is what the label stands for: same path, line and column of the name."""
        definition = self.definitions[label]
        if (target.path, target.line, target.column) == _place(definition.spot)[:3]:
            return True
        return construction and label in self.ids and _type_and_constructor(self.ids[label], target.id)


def _judge(group: tuple[Expectation, ...], reference: ReferenceAt, labels: _Labels, mode: Mode) -> str | None:
    """What is wrong with the answer to one reference, or None. The group holds one expectation per context, or one."""
    if contradiction := _contradiction(reference):
        return contradiction
    lenient = mode is Mode.SYNTACTIC and group[0].demand in {Demand.MERGED, Demand.CONTEXT}
    if lenient and not reference.targets:
        # external counts as an answer: it is right only where external is expected.
        return None if reference.verdict != "external" or group[0].external else "is not external"
    if group[0].external:
        return _judge_external(reference)

    strangers = [
        target.id
        for target in reference.targets
        if not any(labels.match(target, label, one.construction) for one in group for label in one.labels)
    ]
    if strangers:
        return f"expected {_wanted(group)}, got {', '.join(strangers)}"
    if group[0].demand is Demand.CONTEXT:
        return _judge_contexts(group, reference, labels, mode)
    missing = [
        label
        for label in sorted(group[0].labels)
        if not any(labels.match(target, label, group[0].construction) for target in reference.targets)
    ]
    return f"expected {_wanted(group)}, {', '.join(missing)} is missing" if missing else None


def _contradiction(reference: ReferenceAt) -> str | None:
    """A verdict that does not go with the targets beside it."""
    if reference.verdict in VERDICTS_WITH_TARGETS:
        return None if reference.targets else f"verdict {reference.verdict} without a target"
    if reference.verdict not in VERDICTS_WITHOUT_TARGETS:
        return f"unknown verdict {reference.verdict!r}"
    return f"verdict {reference.verdict} with targets" if reference.targets else None


def _judge_external(reference: ReferenceAt) -> str | None:
    inside = [target.id for target in reference.targets if not _is_local(target)]
    if inside:
        return f"expected external, got {', '.join(inside)}"
    if reference.verdict == "ambiguous":
        return f"expected external, got the candidates {', '.join(reference.candidates)}"
    return None


def _judge_contexts(group: tuple[Expectation, ...], reference: ReferenceAt, labels: _Labels, mode: Mode) -> str | None:
    """Every target in exactly the contexts that ask for it, and every context that is asked for answered.

    The syntactic layer alone may leave the contexts out, and then has to give every target.
    """
    if mode is Mode.MERGED and len({one.labels for one in group}) > 1 and reference.verdict != "contextual":
        return f"expected {_wanted(group)} by context, and the verdict contextual"
    for one in group:
        condition = one.condition
        if condition is None:
            return "a [context] expectation shares its occurrence with one that has none"
        for label in sorted(one.labels):
            given = [target for target in reference.targets if labels.match(target, label, one.construction)]
            contexts = {context for target in given for context in target.contexts}
            if mode is Mode.SYNTACTIC and given and not contexts:
                continue
            if not any(context_matches(context, condition) for context in contexts):
                partial = mode is Mode.SYNTACTIC and not given and all(t.contexts for t in reference.targets)
                if not partial:
                    return f"{label} is not given in a context with {condition.key}={condition.value}"
        for target in reference.targets:
            if not any(labels.match(target, label, one.construction) for label in one.labels):
                wrong = [context for context in sorted(target.contexts) if context_matches(context, condition)]
                if wrong:
                    return f"{target.id} is given in {', '.join(wrong)}, where {_wanted((one,))} is right"
    return None


_TYPE_KINDS = frozenset({"class", "struct", "enum", "interface", "type", "union", "trait"})
_CONSTRUCTOR_NAMES = frozenset({"__init__", "__new__", "constructor"})


def _type_and_constructor(first: str, second: str) -> bool:
    """Whether of two definition ids (`path:kind:qualified.name[~n]`) one is a type and the other its constructor."""
    for type_id, constructor_id in ((first, second), (second, first)):
        type_path, type_kind, type_name = _id_parts(type_id)
        path, kind, name = _id_parts(constructor_id)
        owner, _, last = name.rpartition(".")
        if type_kind not in _TYPE_KINDS or (path, owner) != (type_path, type_name):
            continue
        # A Java constructor has the name of its class.
        if kind == "constructor" or (
            kind == "method" and (last in _CONSTRUCTOR_NAMES or last == type_name.rpartition(".")[2])
        ):
            return True
    return False


def _is_local(target: Target) -> bool:
    """A parameter, or a variable of a function: qualified by the function, where one of a module stands alone."""
    return target.kind in {"parameter", "type-parameter"} or (
        target.kind == "variable" and "." in _id_parts(target.id)[2]
    )


def _id_parts(definition_id: str) -> tuple[str, str, str]:
    path, _, rest = definition_id.partition(":")
    kind, _, name = rest.partition(":")
    head, tilde, number = name.rpartition("~")
    return path, kind, head if tilde and number.isdecimal() else name


def _ask(at: At, spot: Spot, faults: list[Fault]) -> AtDocument | None:
    try:
        answer = read_at_document(at(spot.path, spot.line, spot.column))
    except ValidationError as error:
        faults.append(Fault(spot, f"not the document that was described: {error}"))
        return None
    asked = (answer.position.path, answer.position.line, answer.position.column)
    if asked != _place(spot)[:3]:
        faults.append(Fault(spot, f"the answer is about {answer.position}"))
        return None
    if not answer.fresh:
        faults.append(Fault(spot, "the answer is stale although nothing changed"))
        return None
    return answer


def _place(spot: Spot) -> tuple[str, int, int, int]:
    return spot.path, spot.line, spot.column, spot.byte


def _by_spot(expectations: Iterable[Expectation]) -> list[tuple[Expectation, ...]]:
    groups: dict[Spot, list[Expectation]] = {}
    for expectation in expectations:
        groups.setdefault(expectation.spot, []).append(expectation)
    return [tuple(group) for group in groups.values()]


def _wanted(group: tuple[Expectation, ...]) -> str:
    return " and ".join(", ".join(sorted(one.labels)) or "external" for one in group)


def _said(reference: ReferenceAt) -> str:
    parts = [f"verdict {reference.verdict}"]
    if reference.targets:
        parts.append("targets " + ", ".join(target.id for target in reference.targets))
    if reference.candidates:
        parts.append("candidates " + ", ".join(reference.candidates))
    if reference.reason:
        parts.append(f"reason {reference.reason}")
    return ", ".join(parts)
