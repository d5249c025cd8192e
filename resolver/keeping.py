"""Keeping what servers say: answers with their verdicts, and what is known of each context.

Answers come file by file and are stored about once a second, all of them with their verdicts in one transaction that is
a generation of its own. So a run that is killed leaves an index in which everything fits together.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import NamedTuple

import orjson

from graph.model import Status
from graph.store import Membership, Store
from graph.store.contexts import stored_contexts, stored_memberships, stored_packages, unresolved_files
from graph.store.meta import generation
from graph.store.semantic import Answer, ContextRow, FileHash, files_answered_by, semantic_rows
from graph.store.semantic_writer import SemanticWriter
from resolver.contexts import Context
from resolver.reconcile import Reconciler

BATCH_SECONDS = 1.0
"""How long answers wait to be stored, at most, while more of them come."""


class _Kept(NamedTuple):
    context: str
    engine: tuple[str, str]
    file: FileHash
    answers: Sequence[Answer]


class Keeper:
    """The one writer of a run. The caller holds the writer's lock and ends with `flush`."""

    def __init__(self, connection: sqlite3.Connection, store: Store, workspace_names: frozenset[str]) -> None:
        self._connection = connection
        self._writer = SemanticWriter(connection, store)
        self._reconciler = Reconciler(connection, workspace_names)
        self._waiting: list[_Kept] = []
        self._flushed = time.monotonic()

    @property
    def generation(self) -> int:
        """The generation that is published."""
        return generation(self._connection)

    # -- answers ------------------------------------------------------------------------------------------------------

    def keep(self, context: str, engine: tuple[str, str], file: FileHash, answers: Sequence[Answer]) -> None:
        """Take the answers of a context about one file; they are stored now or with the next ones."""
        self._waiting.append(_Kept(context, engine, file, self._without_losses(context, file.number, answers)))
        if time.monotonic() - self._flushed >= BATCH_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Store what has been taken, as one generation."""
        waiting, self._waiting = self._waiting, []
        if waiting:
            with self._writer.transaction():
                for context, engine, file, answers in waiting:
                    self._writer.answers(file.number, context, engine, file.hash, answers)
                for number in sorted({kept.file.number for kept in waiting}):
                    self._writer.verdicts(number, self._reconciler.judgements(number))
                self._writer.publish()
        self._flushed = time.monotonic()

    def _without_losses(self, context: str, file: int, answers: Sequence[Answer]) -> Sequence[Answer]:
        """The answers without failures to get one again: what was answered before stays."""
        if not any(answer.status == Status.FAILED for answer in answers):
            return answers
        known = {
            row.reference
            for row in semantic_rows(self._connection, file)
            if row.status != Status.FAILED and context in row.contexts
        }
        return [answer for answer in answers if answer.status != Status.FAILED or answer.reference not in known]

    # -- contexts -----------------------------------------------------------------------------------------------------

    def health(self, context: Context, version: str, health: str) -> None:
        """Set what came of a context's server: `ready`, or why it is not."""
        before = stored_contexts(self._connection).get(context.id)
        if before is None or (before.version, before.health) != (version, health):
            self._store_context(context, version, health)

    def members(self, context: Context, failed: Mapping[int, str]) -> None:
        """Set what a context makes of each file; `failed` are members that it has no answers for, with the reason."""
        before = stored_contexts(self._connection).get(context.id)
        if before is None:
            self._store_context(context, "", "not-asked")
        rows: dict[int, tuple[Membership, str]] = dict.fromkeys(context.files, (Membership.MEMBER, ""))
        rows |= {number: (Membership.EXCLUDED, why) for number, why in context.excluded.items()}
        rows |= {number: (Membership.FAILED, why) for number, why in failed.items()}
        if stored_memberships(self._connection, context.id) != rows:
            with self._writer.transaction():
                self._writer.memberships(context.id, [(number, *rows[number]) for number in sorted(rows)])
                self._writer.publish()

    def settle(self, context: Context, files: Set[int], plan: str) -> None:
        """Note of files that a context has nothing more to be asked about by a plan. That is no new generation."""
        if files:
            self._writer.settle(context.id, sorted(files), plan)

    def resolved(self, files: Iterable[int]) -> None:
        """Note of files that the pass has been over them as they are. That is no new generation."""
        stale = unresolved_files(self._connection)
        if due := sorted(stale.intersection(files)):
            self._writer.resolved(due)

    def failed_files(self, context: str) -> dict[int, str]:
        """The files that a context failed for in earlier runs -> the reason."""
        rows = stored_memberships(self._connection, context)
        return {number: why for number, (membership, why) in rows.items() if membership == Membership.FAILED}

    def retire(self, context: str) -> None:
        """Take back a context with all its answers."""
        with self._writer.transaction():
            files = files_answered_by(self._connection, context)
            self._writer.retire_context(context)
            for number in files:
                self._writer.verdicts(number, self._reconciler.judgements(number))
            self._writer.publish()

    def packages(self, contexts: Sequence[Context]) -> None:
        """Set the import names of this repository's packages, which every later reconciliation reads."""
        rows = [
            (ecosystem, "", "", "", orjson.dumps(sorted(names)).decode(), "[]")
            for ecosystem, names in sorted({one.ecosystem: one.workspace_names for one in contexts}.items())
        ]
        if stored_packages(self._connection) != rows:
            with self._writer.transaction():
                self._writer.packages(rows)
                self._writer.publish()

    def _store_context(self, context: Context, version: str, health: str) -> None:
        inputs = orjson.dumps(dict(context.inputs), option=orjson.OPT_SORT_KEYS).decode()
        row = ContextRow(
            context.id, context.ecosystem, context.root, context.variant, inputs, context.server, version, health
        )
        with self._writer.transaction():
            self._writer.contexts([row])
            self._writer.publish()
