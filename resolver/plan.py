"""Which references are asked about, and which files come first."""

from __future__ import annotations

import sqlite3
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from importlib import resources
from itertools import groupby

import xxhash

from graph.model import Status
from graph.store.semantic import Question, questions

_SAMPLE_SCALE = 10_000


@dataclass(frozen=True)
class PlanRules:
    """`configs/plan.toml`."""

    weak: tuple[str, ...]
    """Patterns of rules whose resolutions are asked about by default."""
    sample: float
    """Share of the strong resolutions that is asked about too, so that every rule is measured in every run."""


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
    languages: Sequence[str],
    files: Sequence[int],
    *,
    everything: bool,
    again: bool,
    rules: PlanRules,
) -> Iterator[FileQuestions]:
    """The questions of each file, by path. References that have an answer are left out, unless `again`.

    By default: what the syntactic layer left unresolved or ambiguous, what a weak rule tied, and a sample of the rest.
    Which of them are in the sample depends on their place alone, so every run over the same code asks the same.
    """
    found = questions(connection, languages=languages, files=files, unasked_only=not again)
    for (file, path), group in groupby(found, key=lambda question: (question.file, question.path)):
        chosen = tuple(question for question in group if everything or _is_due(question, rules))
        if chosen:
            yield FileQuestions(file, path, chosen)


def _is_due(question: Question, rules: PlanRules) -> bool:
    if question.status in (Status.UNRESOLVED, Status.AMBIGUOUS):
        return True
    if question.status == Status.RESOLVED and any(fnmatchcase(question.rule, weak) for weak in rules.weak):
        return True
    place = xxhash.xxh3_64_intdigest(f"{question.path}:{question.start}".encode("utf-8", "surrogatepass"))
    return place % _SAMPLE_SCALE < rules.sample * _SAMPLE_SCALE
