"""Worker processes that survive what they work on: a crash, a hang or an error costs the one item that causes it.

Work is given out in batches. A batch that does not come back is given out again item by item, to a new worker; an
item that fails alone is reported as a `Failure`. Results come in the order of the batches, whatever the number of
workers.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, NamedTuple, TypeAlias

Work: TypeAlias = Callable[[Sequence[Any]], bytes]
"""Does the items of one batch, and gives bytes. Runs in a worker process."""

_DONE = b"\0"
_RAISED = b"\1"
_AHEAD = 64
_EXIT_GRACE = 1.0
GRACE = 10.0
"""Seconds that any batch may take, whatever its items."""


class Batch(NamedTuple):
    """Items that are worked on together."""

    items: Sequence[Any]
    limits: Sequence[float]
    """Seconds that each item may take, on top of `GRACE` for the batch."""


class Failure(NamedTuple):
    """One item whose worker did not answer."""

    item: Any
    reason: str
    """One line: killed by which signal, no answer within how many seconds, or which error."""


def usable_cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return max(1, os.cpu_count() or 1)


def can_fork() -> bool:
    """Whether a worker may be a copy of this process: where the system does that safely, and no other thread runs."""
    return sys.platform.startswith("linux") and threading.active_count() == 1


class _Attempt(NamedTuple):
    key: tuple[int, int]
    """(batch, item or -1): the place of its result."""
    batch: Batch


class _Worker:
    """One process with its pipe, and what it is doing."""

    def __init__(self, work: Work, siblings: Sequence[_Worker], forked: bool) -> None:
        context = multiprocessing.get_context("fork") if forked else multiprocessing.get_context("forkserver")
        self.connection, theirs = context.Pipe()
        inherited = [worker.connection for worker in siblings] + [self.connection] if forked else []
        self.process: BaseProcess = context.Process(target=_serve, args=(work, theirs, inherited), daemon=True)
        self.process.start()
        theirs.close()
        self.attempt: _Attempt | None = None
        self.deadline = 0.0

    def give(self, attempt: _Attempt) -> None:
        self.attempt = attempt
        self.deadline = time.monotonic() + GRACE + sum(attempt.batch.limits)
        self.connection.send(attempt.batch.items)

    def stop(self) -> None:
        self.connection.close()
        if self.attempt is not None:
            self.process.kill()
        self.process.join(_EXIT_GRACE)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()

    def death(self) -> str:
        self.process.join(_EXIT_GRACE)
        code = self.process.exitcode
        if code is not None and code < 0:
            try:
                name = signal.Signals(-code).name
            except ValueError:
                name = str(-code)
            return f"its worker was killed by {name}"
        return f"its worker ended with exit code {code}"


class Pool:
    """A number of workers for one kind of work. Use as a context manager: leaving it ends them."""

    def __init__(self, work: Work, jobs: int) -> None:
        self._work = work
        self._forked = can_fork()
        self._workers: list[_Worker] = []
        for _ in range(max(1, jobs)):
            self._workers.append(self._start())

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def processes(self) -> list[int]:
        """The process ids of the workers that there are now."""
        return [worker.process.pid for worker in self._workers if worker.process.pid is not None]

    def close(self) -> None:
        """End the workers, at once if they are at work."""
        workers, self._workers = self._workers, []
        for worker in workers:
            worker.stop()

    def run(self, batches: Sequence[Batch]) -> Iterator[bytes | Failure]:
        """The result of each batch, in order; a batch that failed gives one result or `Failure` for each item
        instead.
        """
        pending = deque(_Attempt((index, -1), batch) for index, batch in enumerate(batches))
        finished: dict[tuple[int, int], bytes | Failure] = {}
        expected = deque((index, -1) for index in range(len(batches)))
        while expected:
            self._feed(pending, expected)
            for worker, result in self._collect():
                attempt = worker.attempt
                assert attempt is not None
                worker.attempt = None
                if not isinstance(result, str):
                    finished[attempt.key] = result
                elif len(attempt.batch.items) == 1:
                    finished[attempt.key] = Failure(attempt.batch.items[0], result)
                else:
                    self._split(attempt, pending, expected)
                if isinstance(result, str) and not worker.process.is_alive():
                    self._replace(worker)
            self._feed(pending, expected)  # before the results are looked at, so that nobody waits for that
            while expected and expected[0] in finished:
                yield finished.pop(expected.popleft())

    def _feed(self, pending: deque[_Attempt], expected: deque[tuple[int, int]]) -> None:
        for worker in self._workers:
            if worker.attempt is None and pending and pending[0].key[0] <= expected[0][0] + _AHEAD:
                self._give(worker, pending.popleft())

    def _split(self, attempt: _Attempt, pending: deque[_Attempt], expected: deque[tuple[int, int]]) -> None:
        batch, index = attempt.batch, attempt.key[0]
        parts = [
            _Attempt((index, part), Batch([item], [limit]))
            for part, (item, limit) in enumerate(zip(batch.items, batch.limits, strict=True))
        ]
        pending.extendleft(reversed(parts))
        place = expected.index(attempt.key)
        expected.remove(attempt.key)
        for part in reversed(parts):
            expected.insert(place, part.key)

    def _start(self) -> _Worker:
        return _Worker(self._work, self._workers, self._forked)

    def _replace(self, worker: _Worker) -> None:
        place = self._workers.index(worker)
        worker.stop()
        del self._workers[place]
        self._workers.insert(place, self._start())

    def _give(self, worker: _Worker, attempt: _Attempt) -> None:
        try:
            worker.give(attempt)
        except OSError:
            worker.attempt = attempt  # it died while idle: `_collect` reads the end of its pipe

    def _collect(self) -> list[tuple[_Worker, bytes | str]]:
        """What came in: (worker, result), or (worker, why there is none) for one that is dead or has been killed
        for its delay.
        """
        busy = {worker.connection: worker for worker in self._workers if worker.attempt is not None}
        nearest = min(worker.deadline for worker in busy.values())
        ready = wait(list(busy), timeout=max(0.0, nearest - time.monotonic()))
        results: list[tuple[_Worker, bytes | str]] = []
        for connection in ready:
            assert isinstance(connection, Connection)
            worker = busy[connection]
            try:
                state = connection.recv_bytes()
                answer = connection.recv_bytes()
            except (EOFError, OSError):
                worker.process.join(_EXIT_GRACE)
                worker.process.kill()
                results.append((worker, worker.death()))
                continue
            results.append((worker, answer if state == _DONE else answer.decode("utf-8", "replace")))
        if not ready:
            now = time.monotonic()
            for worker in busy.values():
                if worker.deadline <= now:
                    assert worker.attempt is not None
                    worker.process.kill()
                    worker.process.join()
                    results.append((worker, f"no answer within {GRACE + sum(worker.attempt.batch.limits):.0f} s"))
        return results


def _serve(work: Work, connection: Connection, inherited: Sequence[Connection]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process decides when the run ends
    for other in inherited:
        other.close()
    gc.freeze()
    gc.disable()
    while True:
        try:
            items = connection.recv()
        except (EOFError, OSError):
            return
        try:
            state, answer = _DONE, work(items)
        except Exception as error:  # noqa: BLE001  # whatever it is, it is the answer for this batch
            state, answer = _RAISED, f"{type(error).__name__}: {error}".encode("utf-8", "replace")
        try:
            connection.send_bytes(state)  # by itself: the answer may be megabytes, which are not copied for one byte
            connection.send_bytes(answer)
        except OSError:
            return
