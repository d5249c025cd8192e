"""Names that lean on each other in long chains: every run says the same, and nothing falls over."""

import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from graph.index import deep
from graph.index.deep import on_deep_stack
from graph.index.linking import TOO_DEEP
from graph.query import at
from tests.harness.indexing import Repository

LENGTH = 1500
CHAIN = "class Box:\n    def open(self):\n        return self\n\n\nx0 = Box()\n" + "".join(
    f"x{number} = x{number - 1}.open()\n" for number in range(1, LENGTH)
)
FORWARD = "".join(f"def f{number}():\n    return f{number + 1}()\n" for number in range(LENGTH))
FILES = {
    "chain.py": CHAIN,
    "forward.py": f"from chain import Box\n{FORWARD}def f{LENGTH}():\n    return Box()\n\n\nf0().open()\n",
    "user.py": f"from chain import x{LENGTH - 1}\nx{LENGTH - 1}.open()\n",
}


def test_a_chain_of_any_length_is_followed_and_workers_change_nothing(tmp_path: Path) -> None:
    repository = Repository(tmp_path, FILES)
    report = repository.index(jobs=1)
    assert report.failed == ()
    with repository.read() as state:
        item = at(state, "user.py", 2, len(f"x{LENGTH - 1}.") + 1).items[0]
        assert item.reference is not None
        assert [target.definition.id for target in item.reference.targets] == ["chain.py:method:Box.open"]
    assert repository.dump() == repository.dump_of_fresh(jobs=2)


def test_an_incremental_run_follows_them_too(tmp_path: Path) -> None:
    repository = Repository(tmp_path, FILES)
    repository.index()
    (repository.root / "user.py").write_text(f"from forward import f0\nf0().open()\n\n# {LENGTH}\n")
    repository.index()
    assert repository.dump() == repository.dump_of_fresh()


@pytest.fixture(params=[1_000, 200_000])
def limit(request: pytest.FixtureRequest) -> Iterator[int]:
    """The recursion limit that the process happens to have: extraction raises it for good."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(request.param)
    yield request.param
    sys.setrecursionlimit(before)


def test_a_chain_that_is_too_long_costs_its_file_and_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: int
) -> None:
    monkeypatch.setattr(deep, "_FRAME_BYTES", 1 << 21)
    repository = Repository(
        tmp_path, {"forward.py": FILES["forward.py"], "chain.py": "class Box:\n    pass\n\n\nBox()\n"}
    )
    report = repository.index()
    assert sys.getrecursionlimit() >= limit
    assert report.failed == (("forward.py", TOO_DEEP),)
    with repository.read() as state:
        item = at(state, "chain.py", 5, 1).items[0]
        assert item.reference is not None
        assert [target.definition.id for target in item.reference.targets] == ["chain.py:class:Box"]


def test_the_caller_gets_what_the_work_gives_or_raises() -> None:
    def depth(left: int) -> int:
        return 0 if not left else 1 + depth(left - 1)

    assert on_deep_stack(lambda: depth(20_000)) == 20_000
    with pytest.raises(ZeroDivisionError):
        on_deep_stack(lambda: 1 // 0)


def test_where_there_is_no_room_for_a_thread_the_work_is_done_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    assert on_deep_stack(threading.current_thread) is threading.main_thread()
