"""Worker processes: what crashes, hangs or fails costs one item, and order does not depend on the number of workers."""

import os
import signal
import time
from collections.abc import Sequence

import pytest

from graph.extract import pool
from graph.extract.pool import Batch, Failure, Pool


def work(items: Sequence[str]) -> bytes:
    for item in items:
        match item:
            case "crash":
                os.kill(os.getpid(), signal.SIGSEGV)
            case "hang":
                time.sleep(600)
            case "exit":
                os._exit(3)
            case "raise":
                raise ValueError("no good")
            case _:
                pass
    return "+".join(items).encode()


def run(batches: Sequence[Sequence[str]], jobs: int) -> list[bytes | Failure]:
    with Pool(work, jobs) as workers:
        return list(workers.run([Batch(items, [0.5] * len(items)) for items in batches]))


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "GRACE", 0.5)


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_results_come_in_the_order_of_the_batches(jobs: int) -> None:
    batches = [[f"{number}", f"{number}'"] for number in range(200)]
    assert run(batches, jobs) == ["+".join(items).encode() for items in batches]


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("crash", "killed by SIGSEGV"),
        ("exit", "exit code 3"),
        ("raise", "ValueError: no good"),
        ("hang", "no answer within 1 s"),
    ],
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_bad_item_costs_itself_alone(bad: str, reason: str, jobs: int) -> None:
    results = run([["a", "b"], ["c", bad, "d"], ["e"]], jobs)
    assert results[0] == b"a+b"
    assert results[1] == b"c"
    assert results[3:] == [b"d", b"e"]
    failure = results[2]
    assert isinstance(failure, Failure)
    assert failure.item == bad
    assert reason in failure.reason


def test_every_worker_may_die_again_and_again() -> None:
    results = run([["crash", "x"], ["exit", "crash"], ["y"], ["crash"]], 2)
    assert [result if isinstance(result, bytes) else result.item for result in results] == [
        "crash", b"x", "exit", "crash", b"y", "crash",
    ]  # fmt: skip


def test_leaving_the_pool_ends_workers_that_are_at_work() -> None:
    with Pool(work, 2) as workers:
        results = workers.run([Batch(["a"], [60.0]), Batch(["hang"], [600.0]), Batch(["hang"], [600.0])])
        assert next(results) == b"a"
        processes = workers.processes
        assert len(processes) == 2
    for process in processes:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)


def test_no_batches_give_no_results() -> None:
    assert run([], 2) == []
