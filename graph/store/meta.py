"""What the index says of itself: generation, versions, and what each run did."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import NamedTuple

GENERATION = "generation"


class Stage(NamedTuple):
    """One stage of a run."""

    name: str
    seconds: float
    number: int
    """How many things it did; its own unit."""


def read_meta(connection: sqlite3.Connection) -> dict[str, str]:
    """Everything that the index says of itself."""
    return dict(connection.execute("SELECT key, value FROM meta"))


def write_meta(connection: sqlite3.Connection, values: Mapping[str, str]) -> None:
    """Set some of what the index says of itself."""
    connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", sorted(values.items()))


def generation(connection: sqlite3.Connection) -> int:
    """The generation that the connection sees; 0 when nothing has been published."""
    row = connection.execute("SELECT value FROM meta WHERE key = 'generation'").fetchone()
    return int(row[0]) if row is not None else 0


def record_run(
    connection: sqlite3.Connection, generation_: int, started: str, detail: str, stages: list[Stage]
) -> None:
    """Add the stages of a run; `started` is ISO 8601, UTC."""
    connection.executemany(
        "INSERT INTO run (generation, stage, started, seconds, count, detail) VALUES (?, ?, ?, ?, ?, ?)",
        [(generation_, stage.name, started, round(stage.seconds, 4), stage.number, detail) for stage in stages],
    )
