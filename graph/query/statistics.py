"""`stats`: how many references are resolved, by which layer, and why the others are not."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from graph.model import CALL_KINDS, Flag, Status, word
from graph.query.contexts import ContextFigures, context_figures
from graph.query.snapshot import Snapshot
from graph.store.vocabulary import VERDICT_OF_STATUS, Verdict

_CALLS = ", ".join(str(int(kind)) for kind in sorted(CALL_KINDS))
_STATUSES = (Status.RESOLVED, Status.EXTERNAL, Status.AMBIGUOUS, Status.UNRESOLVED)


@dataclass(frozen=True)
class Rates:
    """One rate, without and with the semantic layer; None where there is nothing to divide by."""

    syntactic: float | None
    merged: float | None


@dataclass(frozen=True)
class LanguageStatistics:
    """The figures of one language."""

    files: int
    definitions: int
    references: int
    syntactic: dict[str, int]
    """Count of references by status."""
    semantic: dict[str, int]
    """`asked`, and of those the count by status; a reference with answers of several contexts counts once, at its
    best.
    """
    merged: dict[str, int]
    """Count of references by verdict."""
    calls_in_repo: Rates
    """Calls resolved to a definition of this repository (local variables and parameters aside) / all calls."""
    all_known: Rates
    """References resolved or proven external / all references."""
    reasons: dict[str, int]
    """Reasons of the references that stay unresolved, with their counts, most frequent first."""


@dataclass(frozen=True)
class Statistics:
    """The answer of `stats`."""

    generation: int
    languages: dict[str, LanguageStatistics]
    contexts: dict[str, ContextFigures]
    """By the names of the contexts."""


def stats(snapshot: Snapshot) -> Statistics:
    """The figures of every language in the index."""
    files: dict[str, int] = {
        row[0]: row[1] for row in _rows(snapshot, "SELECT language, COUNT(*) FROM file GROUP BY language")
    }
    languages = {row[0]: row[1] for row in _rows(snapshot, "SELECT id, language FROM file")}
    definitions: dict[str, int] = defaultdict(int)
    for file, count in _rows(snapshot, "SELECT id >> 24, COUNT(*) FROM definition GROUP BY 1"):
        definitions[languages[file]] += count
    tallies = {language: _Tally() for language in files}
    _count_syntactic(snapshot, languages, tallies)
    _count_semantic(snapshot, languages, tallies)
    _count_verdicts(snapshot, languages, tallies)
    return Statistics(
        snapshot.generation,
        {language: tallies[language].result(files[language], definitions[language]) for language in sorted(files)},
        context_figures(snapshot),
    )


class _Tally:
    """Counts of one language in the making."""

    def __init__(self) -> None:
        self.references = 0
        self.calls = 0
        self.calls_syntactic = 0
        self.calls_merged = 0
        self.syntactic = {word(status): 0 for status in _STATUSES}
        self.semantic = {"asked": 0, "resolved": 0, "external": 0, "unresolved": 0, "failed": 0}
        self.merged = {word(verdict): 0 for verdict in Verdict}
        self.reasons: dict[str, int] = defaultdict(int)

    def result(self, files: int, definitions: int) -> LanguageStatistics:
        known = self.syntactic["resolved"] + self.syntactic["external"]
        unknown = sum(
            self.merged[word(verdict)] for verdict in (Verdict.AMBIGUOUS, Verdict.UNRESOLVED, Verdict.REFUTED)
        )
        reasons = sorted(
            ((reason, count) for reason, count in self.reasons.items() if count), key=lambda pair: (-pair[1], pair[0])
        )
        return LanguageStatistics(
            files, definitions, self.references, self.syntactic, self.semantic, self.merged,
            Rates(_rate(self.calls_syntactic, self.calls), _rate(self.calls_merged, self.calls)),
            Rates(_rate(known, self.references), _rate(self.references - unknown, self.references)), dict(reasons),
        )  # fmt: skip


def _count_syntactic(snapshot: Snapshot, languages: dict[int, str], tallies: dict[str, _Tally]) -> None:
    local = int(Flag.LOCAL)
    rows = _rows(
        snapshot,
        f"SELECT r.id >> 40, r.kind IN ({_CALLS}), r.outcome, d.flags & {local}, COUNT(*)"  # numbers
        " FROM reference r LEFT JOIN definition d ON d.id = r.target GROUP BY 1, 2, 3, 4",
    )
    for file, is_call, outcome, is_local, count in rows:
        tally = tallies[languages[file]]
        status, _, reason = snapshot.outcome(outcome)
        shown = Status(status) if status in _STATUSES else Status.UNRESOLVED
        tally.references += count
        tally.syntactic[word(shown)] += count
        verdict = VERDICT_OF_STATUS[status]
        tally.merged[word(verdict)] += count
        if verdict == Verdict.UNRESOLVED:
            tally.reasons[reason or word(Status(status))] += count
        if is_call:
            tally.calls += count
            if status == Status.RESOLVED and not is_local:
                tally.calls_syntactic += count
                tally.calls_merged += count


def _count_semantic(snapshot: Snapshot, languages: dict[int, str], tallies: dict[str, _Tally]) -> None:
    rows = _rows(
        snapshot,
        "SELECT reference >> 40, best, COUNT(*) FROM"
        " (SELECT reference, MIN(CASE status WHEN 2 THEN 0 ELSE status END) AS best FROM semantic GROUP BY reference)"
        " GROUP BY 1, 2",
    )
    for file, status, count in rows:
        tally = tallies[languages[file]]
        tally.semantic["asked"] += count
        tally.semantic[word(Status(status)) if word(Status(status)) in tally.semantic else "failed"] += count


def _count_verdicts(snapshot: Snapshot, languages: dict[int, str], tallies: dict[str, _Tally]) -> None:
    """Move the references that have a verdict of their own to where it puts them."""
    local = int(Flag.LOCAL)
    inside = (
        "EXISTS (SELECT 1 FROM verdict_target t JOIN definition d ON d.id = t.definition"
        f" WHERE t.reference = v.reference AND NOT d.flags & {local})"
    )
    rows = _rows(
        snapshot,
        f"SELECT r.id >> 40, r.kind IN ({_CALLS}), r.outcome, COALESCE(s.flags & {local}, 0), v.verdict,"
        f" v.reason, {inside},"
        " COUNT(*) FROM verdict v JOIN reference r ON r.id = v.reference LEFT JOIN definition s ON s.id = r.target"
        " GROUP BY 1, 2, 3, 4, 5, 6, 7",
    )
    for file, is_call, outcome, was_local, verdict, reason, is_inside, count in rows:
        tally = tallies[languages[file]]
        status, _, old_reason = snapshot.outcome(outcome)
        before = VERDICT_OF_STATUS[status]
        tally.merged[word(before)] -= count
        tally.merged[word(Verdict(verdict))] += count
        if before == Verdict.UNRESOLVED:
            tally.reasons[old_reason or word(Status(status))] -= count
        if verdict == Verdict.UNRESOLVED:
            tally.reasons[reason or "unresolved"] += count
        if is_call:
            if status == Status.RESOLVED and not was_local:
                tally.calls_merged -= count
            if is_inside:
                tally.calls_merged += count


def _rate(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _rows(snapshot: Snapshot, statement: str) -> list[tuple[Any, ...]]:
    return snapshot.connection.execute(statement).fetchall()
