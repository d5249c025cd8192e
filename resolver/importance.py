"""Which files matter most, for a pass that may not get to all of them.

A reference matters as much as what is built on it: an answer inside of a function that a hundred others use changes
what is known of all of those, one inside of a test changes nothing else. So a question weighs one more than there are
references to the definition that it stands in, as the syntactic layer has them, and a file as much as its questions do
on average: what an answer costs differs little, and files that come first are answered first.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from graph.store.numbers import definition_range
from resolver.plan import FileQuestions


def most_important_first(connection: sqlite3.Connection, due: Sequence[FileQuestions]) -> list[FileQuestions]:
    """The files by weight, the heaviest first; equal ones stay in their order."""
    weights = {file.file: weight(connection, file) for file in due}
    return sorted(due, key=lambda file: -weights[file.file])


def weight(connection: sqlite3.Connection, file: FileQuestions) -> float:
    """How much the questions about a file weigh on average."""
    users: dict[int, int] = dict(
        connection.execute(
            "SELECT target, COUNT(*) FROM reference WHERE target BETWEEN ? AND ? GROUP BY 1",
            definition_range(file.file),
        ).fetchall()
    )
    references = [question.reference for question in file.questions]
    enclosing: dict[int, int] = dict(
        connection.execute(
            "SELECT id, enclosing FROM reference WHERE id BETWEEN ? AND ?", (min(references), max(references))
        ).fetchall()
    )
    return 1 + sum(users.get(enclosing[reference], 0) for reference in references) / len(references)
