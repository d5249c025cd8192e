"""Which references are asked about, and which files come first."""

from __future__ import annotations

import sqlite3
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from importlib import resources
from itertools import groupby

import orjson
import xxhash

from graph.model import ReferenceKind, Status
from graph.store.semantic import Question, questions

_SAMPLE_SCALE = 10_000


@dataclass(frozen=True)
class PlanRules:
    """`configs/plan.toml`."""

    weak: tuple[str, ...]
    """Patterns of rules whose resolutions are asked about by default."""
    sample: float
    """Share of the strong resolutions that is asked about too, so that every rule is measured in every run."""

    @property
    def name(self) -> str:
        """Equal rules have equal names: what is due by a plan of that name stays the same."""
        return xxhash.xxh3_64_hexdigest(orjson.dumps([sorted(self.weak), self.sample]))


EVERYTHING = "everything"
"""Name of the plan that asks about every reference."""


@dataclass(frozen=True)
class FileQuestions:
    """What is asked about one file."""

    file: int
    path: str
    questions: tuple[Question, ...]
    """In source order."""


def load_rules() -> PlanRules:
    """The rules that are delivered with Tieline."""
    table = tomllib.loads(resources.files("configs").joinpath("plan.toml").read_text("utf-8"))
    return PlanRules(tuple(table["weak"]), float(table["sample"]))


def plan(
    connection: sqlite3.Connection,
    context: str,
    files: Sequence[int],
    *,
    everything: bool,
    again: bool,
    rules: PlanRules,
) -> Iterator[FileQuestions]:
    """The questions for a context (its id) about some of its files, by path.

    References that it has an answer for are left out, unless `again`. By default the questions are: what the syntactic
    layer left unresolved or ambiguous, what a weak rule tied, a sample of the rest, and what is outdated. Which of them
    are in the sample depends on their place alone, so every run over the same code asks the same.
    """
    found = questions(connection, files=files, unasked_by=None if again else context)
    for (file, path), group in groupby(found, key=lambda question: (question.file, question.path)):
        chosen = tuple(group)
        if not everything:
            chosen = tuple(_due(chosen, rules))
        if chosen:
            yield FileQuestions(file, path, chosen)


def _due(group: tuple[Question, ...], rules: PlanRules) -> Iterator[Question]:
    # Only where the server knows all imports can its answer refute what a weak rule tied.
    imports_too = any(_is_weakly_tied(question, rules) for question in group)
    for question in group:
        if _is_due(question, rules) or (imports_too and question.kind == ReferenceKind.IMPORT):
            yield question


def _is_due(question: Question, rules: PlanRules) -> bool:
    if (
        question.outdated
        or question.status in (Status.UNRESOLVED, Status.AMBIGUOUS)
        or _is_weakly_tied(question, rules)
    ):
        return True
    place = xxhash.xxh3_64_intdigest(f"{question.path}:{question.start}".encode("utf-8", "surrogatepass"))
    return place % _SAMPLE_SCALE < rules.sample * _SAMPLE_SCALE


def _is_weakly_tied(question: Question, rules: PlanRules) -> bool:
    return question.status == Status.RESOLVED and is_weak(question.rule, rules)


def is_weak(rule: str, rules: PlanRules) -> bool:
    """Whether what a rule of the syntactic layer resolves is asked about in any case."""
    return any(fnmatchcase(rule, weak) for weak in rules.weak)
