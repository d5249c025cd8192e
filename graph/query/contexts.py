"""What each compilation context has made of the files, and has said about references."""

from __future__ import annotations

from dataclasses import dataclass

from graph.model import Status, word
from graph.query.snapshot import Snapshot
from graph.store.vocabulary import Membership


@dataclass(frozen=True)
class ContextFigures:
    """The figures of one context."""

    server: str
    version: str
    """Of the server; "" when it has not answered."""
    health: str
    """`ready`, or why it is not."""
    members: int
    """Files that it can be asked about, those that it failed for aside."""
    excluded: int
    """Files of its language that are not part of it."""
    failed: int
    """Members that it has no answers for."""
    answers: dict[str, int]
    """Status -> number of references."""


def context_figures(snapshot: Snapshot) -> dict[str, ContextFigures]:
    """Context, as it is printed -> its figures, by name."""
    connection = snapshot.connection
    files: dict[tuple[str, int], int] = {
        (context, membership): count
        for context, membership, count in connection.execute(
            "SELECT context, membership, COUNT(*) FROM context_file GROUP BY 1, 2"
        )
    }
    answers: dict[str, dict[str, int]] = {}
    for context_set, status, count in connection.execute(
        "SELECT context_set, status, COUNT(DISTINCT reference) FROM semantic GROUP BY 1, 2 ORDER BY 2"
    ):
        for context in snapshot.context_ids(context_set):
            own = answers.setdefault(context, {})
            own[word(Status(status))] = own.get(word(Status(status)), 0) + count
    return {
        snapshot.context_name(context): ContextFigures(
            server, version, health, files.get((context, Membership.MEMBER), 0),
            files.get((context, Membership.EXCLUDED), 0), files.get((context, Membership.FAILED), 0),
            answers.get(context, {}),
        )
        for context, server, version, health in sorted(
            connection.execute("SELECT id, server, version, health FROM context").fetchall(),
            key=lambda row: snapshot.context_name(row[0]),
        )
    }  # fmt: skip
