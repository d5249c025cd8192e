"""Several contexts: how many run at a time, and that the order in which they answer does not show."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from graph.model import Status
from graph.query import Snapshot, Wanted, dump, find_symbol, refs, snapshot
from graph.store import Store
from graph.store.contexts import settled_files
from graph.store.semantic import Answer, ContextRow
from graph.store.vocabulary import Verdict
from lsp_clients import load_settings
from resolver.importance import most_important_first
from resolver.plan import EVERYTHING, load_rules, plan
from resolver.reconcile import Reconciler
from resolver.room import Room, memory_for_servers
from resolver.semantic import ResolveOptions, resolve
from tests.harness.indexing import Repository, write_files
from tests.resolver.support import judged, resolved, said, update, written

A = "class A:\n    def go(self): ...\n"
PLACES = {"app.py": 2, "user.py": 5, "alone.py": 2}
FILES = {"lib.py": f"{A}\n\nclass B:\n    def go(self): ...\n", "app.py": "def f(x):\n    x.go()\n"}


# -- room -------------------------------------------------------------------------------------------------------------


def most_at_a_time(room: Room, sizes: Sequence[int]) -> tuple[int, int]:
    """How many run at a time at most, and how much memory they take together at most."""
    running: list[int] = []
    most = [0, 0]

    async def work(size: int) -> None:
        running.append(size)
        most[:] = [max(most[0], len(running)), max(most[1], sum(running))]
        for _ in range(5):
            await asyncio.sleep(0)
        running.remove(size)
        room.give_back(size)

    async def run() -> None:
        async with asyncio.timeout(20), asyncio.TaskGroup() as group:
            for size in sizes:
                await room.take(size)
                group.create_task(work(size))

    asyncio.run(run())
    return most[0], most[1]


@pytest.mark.parametrize(
    ("places", "mib", "expected"), [(1, 1000, (1, 100)), (2, 1000, (2, 200)), (9, 250, (2, 200)), (9, 50, (1, 100))]
)
def test_places_and_memory_bound_what_runs_at_a_time(places: int, mib: int, expected: tuple[int, int]) -> None:
    assert most_at_a_time(Room(places, mib), [100] * 5) == expected


def test_a_large_one_waits_until_it_is_alone() -> None:
    assert most_at_a_time(Room(9, 250), [100, 100, 400, 100]) == (2, 400)


def test_the_machine_has_memory() -> None:
    assert memory_for_servers() > 64


# -- the order of answers ---------------------------------------------------------------------------------------------


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path, FILES)
    made.index()
    return made


def answered(repository: Repository, answers: Sequence[tuple[str, Answer]]) -> list[str]:
    """The dump after contexts have answered, in this order, with the verdicts on it."""
    with written(repository) as (connection, writer):
        writer.contexts(
            ContextRow(name, "python", ".", name, "{}", "pyright", "1", "ready") for name in sorted(dict(answers))
        )
        for name, answer in answers:
            file = answer.reference >> 40
            (hash_,) = connection.execute("SELECT hash FROM file WHERE id = ?", (file,)).fetchone()
            assert writer.answers(file, name, ("pyright", "1"), hash_, [answer])
            writer.verdicts(file, Reconciler(connection, frozenset()).judgements(file))
    return repository.dump()


def reference(state: Snapshot) -> int:
    return judged(state, "app.py", 2, "go").reference.number


def targets(state: Snapshot, *names: str) -> tuple[int, ...]:
    return tuple(sorted(find_symbol(state, f"lib.py:method:{name}").number for name in names))


@pytest.mark.parametrize("backwards", [False, True])
def test_the_order_of_contexts_does_not_show(tmp_path: Path, backwards: bool) -> None:
    dumps: list[list[str]] = []
    for folder in ("one", "two"):
        made = Repository(tmp_path / folder, FILES)
        made.index()
        with made.read() as state:
            number = reference(state)
            answers = [
                ("c", Answer(number, Status.EXTERNAL, external=("late", "", "go"))),
                ("a", Answer(number, Status.EXTERNAL, external=("early", "", "go"))),
                ("b", Answer(number, Status.UNRESOLVED, "local-value")),
            ]
        dumps.append(answered(made, answers if folder == "one" or not backwards else answers[::-1]))
        assert said(made, "app.py", 2, "go") == "external (early:go)"
    assert dumps[0] == dumps[1]


def test_equal_answers_are_one_row_with_a_set_of_contexts(repository: Repository) -> None:
    with repository.read() as state:
        answer = Answer(reference(state), Status.RESOLVED, targets=targets(state, "A.go"))
    answered(repository, [("b", answer), ("a", answer)])
    with repository.read() as state:
        found = judged(state, "app.py", 2, "go")
        rows = state.connection.execute("SELECT COUNT(*) FROM semantic").fetchall()
    assert rows == [(1,)]
    assert [one.contexts for one in found.resolutions[1:]] == [("python:.@a", "python:.@b")]
    assert said(repository, "app.py", 2, "go") == "upgraded -> lib.py:method:A.go"


def test_an_answer_with_several_targets_is_one_answer(repository: Repository) -> None:
    with repository.read() as state:
        number = reference(state)
        both = Answer(number, Status.RESOLVED, targets=targets(state, "A.go", "B.go"))
        one = Answer(number, Status.RESOLVED, targets=targets(state, "A.go"))
    answered(repository, [("a", both), ("b", one)])
    with repository.read() as state:
        resolutions = judged(state, "app.py", 2, "go").resolutions[1:]
    assert [(found.contexts, [target.id for target in found.targets]) for found in resolutions] == [
        (("python:.@a",), ["lib.py:method:A.go", "lib.py:method:B.go"]),
        (("python:.@b",), ["lib.py:method:A.go"]),
    ]
    assert said(repository, "app.py", 2, "go") == "contextual -> lib.py:method:A.go, lib.py:method:B.go"


def test_references_by_verdict_layer_and_context(tmp_path: Path) -> None:
    text = "from lib import A\n\n\ndef g(x):\n    x.go()\n    x.go()\n    A().go()\n    A().go()\n"
    repository = Repository(tmp_path, {**FILES, "user.py": text})
    repository.index()
    with repository.read() as state:
        unknown = [judged(state, "user.py", line, "go").reference.number for line in (5, 6)]
        tied = judged(state, "user.py", 8, "go").reference.number
        target = targets(state, "A.go")
    answered(
        repository,
        [
            ("a", Answer(unknown[0], Status.RESOLVED, targets=target)),
            ("b", Answer(unknown[1], Status.RESOLVED, targets=target)),
            ("a", Answer(tied, Status.RESOLVED, targets=target)),
        ],
    )

    def lines(wanted: Wanted) -> list[int]:
        with repository.read() as state:
            found = refs(state, find_symbol(state, "lib.py:method:A.go"), None, wanted)
            assert found.total == len(found.uses)
            return [use.reference.line for use in found.uses]

    assert lines(Wanted()) == [5, 6, 7, 8]
    assert lines(Wanted(verdicts=frozenset({"upgraded"}))) == [5, 6]
    assert lines(Wanted(verdicts=frozenset({"confirmed", "syntactic"}))) == [7, 8]
    assert lines(Wanted(layers=frozenset({"semantic"}))) == [5, 6, 8]
    assert lines(Wanted(layers=frozenset({"syntactic"}))) == [7, 8]
    assert lines(Wanted(contexts=frozenset({"python:.@b"}))) == [6]
    assert lines(Wanted(contexts=frozenset({"python:.@a"}), verdicts=frozenset({"upgraded"}))) == [5]
    assert lines(Wanted(min_confidence=0.5)) == []
    with written(repository) as (connection, writer), writer.transaction():
        connection.execute("INSERT OR REPLACE INTO verdict VALUES (?, ?, NULL, '')", (tied, int(Verdict.REFUTED)))
        connection.execute("DELETE FROM verdict_target WHERE reference = ?", (tied,))
    assert lines(Wanted()) == [5, 6, 7]
    assert lines(Wanted(verdicts=frozenset({"refuted"}))) == [8]


# -- a full index -----------------------------------------------------------------------------------------------------


def test_a_full_index_keeps_what_servers_said_about_files_that_have_not_changed(tmp_path: Path) -> None:
    files = {
        **FILES,
        "user.py": "from lib import A\n\n\ndef g(x):\n    x.go()\n",
        "alone.py": "def h(x):\n    x.go()\n",
        "0.py": "",
    }
    repository = Repository(tmp_path, files)
    repository.index()
    with repository.read() as state:
        numbers = {path: judged(state, path, line, "go").reference.number for path, line in PLACES.items()}
        outside = Answer(numbers["app.py"], Status.EXTERNAL, external=("early", "1", "go"))
        inside = [
            Answer(numbers[path], Status.RESOLVED, targets=targets(state, "A.go", "B.go"))
            for path in ("user.py", "alone.py")
        ]
    before = answered(repository, [("a", outside), *(("a", answer) for answer in inside), ("b", inside[0])])
    assert update(repository, full=True).kept == 3
    assert repository.dump() == before

    # Other numbers for every file; one target is gone, so the whole answer is.
    (repository.root / "0.py").unlink()
    write_files(repository.root, {"lib.py": files["lib.py"].replace("class B", "class C")})
    report = update(repository, full=True)
    assert (report.full, report.kept) == (True, 1)
    assert said(repository, "app.py", 2, "go") == "external (early:go)"
    assert said(repository, "user.py", 5, "go").startswith("unresolved")


def test_what_rests_on_a_file_that_changed_is_kept_as_outdated(tmp_path: Path) -> None:
    user = "from lib import A\n\n\ndef g(x):\n    x.go()\n"
    repository = Repository(tmp_path, {**FILES, "user.py": user})
    repository.index()
    with repository.read() as state:
        number = judged(state, "user.py", 5, "go").reference.number
        answer = Answer(number, Status.RESOLVED, targets=targets(state, "A.go"))
    answered(repository, [("a", answer)])
    write_files(repository.root, {"lib.py": FILES["lib.py"] + "\n\ndef more(): ...\n"})
    assert update(repository, full=True).kept == 1
    assert said(repository, "user.py", 5, "go") == "upgraded -> lib.py:method:A.go"
    with repository.read() as state:
        assert judged(state, "user.py", 5, "go").resolutions[1].stale


# -- what comes first -------------------------------------------------------------------------------------------------


def test_what_others_build_on_comes_first(tmp_path: Path) -> None:
    body = "def {0}(x):\n    x.go()\n"
    users = "from {0} import {0}\n\n{0}(1)\n"
    repository = Repository(
        tmp_path,
        {
            "a.py": body.format("a"), "b.py": body.format("b"), "c.py": body.format("c"),
            "t1.py": users.format("b"), "t2.py": users.format("b"), "t3.py": users.format("c"),
        },
    )  # fmt: skip
    repository.index()
    with repository.read() as state:
        numbers = [row[0] for row in state.connection.execute("SELECT id FROM file")]
        due = list(plan(state.connection, "x", numbers, everything=False, again=False, rules=load_rules()))
        ordered = most_important_first(state.connection, due)
    assert [file.path for file in ordered if file.path in ("a.py", "b.py", "c.py")] == ["b.py", "c.py", "a.py"]


# -- real servers -----------------------------------------------------------------------------------------------------


def several(folder: Path) -> Repository:
    calling = dict.fromkeys(("app.py", "bar.py", "pub.py"), "from lib import make\n\nmake()\n")
    made = Repository(folder, {"lib.py": FILES["lib.py"] + "\n\ndef make(): ...\n", **calling})
    for name in ("one", "two", "three"):
        text = "from local import f\nfrom lib import A\n\nA().go()\nf()\nlen([])\n"
        write_files(made.root, {f"{name}/.venv/pyvenv.cfg": "version = 3.11.1\n", f"{name}/x.py": text})
        write_files(made.root, {f"{name}/local.py": "def f(): ...\n"})
    return made


@pytest.mark.server
@pytest.mark.usefixtures("pyright")
def test_how_many_run_at_a_time_does_not_show(tmp_path: Path) -> None:
    repository = several(tmp_path)
    update(repository)
    dumps: list[list[str]] = []
    for jobs in (1, 4):
        folder = tmp_path / f"index{jobs}"
        repository.folder = folder
        update(repository)
        options = ResolveOptions(everything=True, jobs=jobs, memory_mib=4 * load_settings()["pyright"].memory_mib)
        report = resolve(repository.root, folder=folder, options=options)
        assert not report.failed
        assert [context.name for context in report.contexts] == sorted(context.name for context in report.contexts)
        assert len(report.contexts) == 4
        assert report.contexts[0].checks == 6  # the three canaries, twice
        with snapshot(Store(repository.root, folder)) as state:
            dumps.append(list(dump(state)))
    assert dumps[0] == dumps[1]
    assert any('"verdict":"confirmed"' in line for line in dumps[0])


@pytest.mark.server
@pytest.mark.usefixtures("pyright")
def test_a_server_that_prefers_stubs_is_ready(tmp_path: Path) -> None:
    """The syntactic layer follows the imports to the function; pyright stays at the stub, as attrs has it."""
    files = {
        "top/__init__.py": "from base import make\n",
        "top/__init__.pyi": "def make(a: int) -> int: ...\n",
        "base/__init__.py": "from base.inner import make\n",
        "base/__init__.pyi": "def other() -> int: ...\n",
        "base/inner.py": "def make(a):\n    return a\n",
    }
    calling = {f"user{number}.py": "from top import make\n\nmake(1)\n" for number in range(4)}
    (context,) = resolved(Repository(tmp_path, files | calling)).contexts
    assert context.problem == ""
    assert context.checks > 0
    assert context.answers["resolved"] >= len(calling)


@pytest.mark.server
@pytest.mark.usefixtures("pyright")
def test_a_server_gets_no_more_memory_than_there_is(tmp_path: Path) -> None:
    repository = Repository(tmp_path, FILES)
    (context,) = resolved(repository, memory_mib=2048).contexts
    assert context.notes[0] == "it may take 2048 MiB, where 4096 are set for it"
    assert context.problem == ""


@pytest.mark.server
@pytest.mark.usefixtures("pyright")
def test_what_is_settled_is_not_even_looked_at(tmp_path: Path) -> None:
    repository = Repository(tmp_path, {**FILES, "use.py": "from lib import A\n\nA()\n"})
    (context,) = resolved(repository).contexts
    assert context.asked > 0

    def settled() -> list[str]:
        with repository.read() as state:
            (name,) = state.connection.execute("SELECT id FROM context").fetchone()
            return sorted(state.file(number).path for number in settled_files(state.connection, name, {EVERYTHING}))

    assert settled() == ["app.py", "lib.py", "use.py"]
    # Another body: nobody else can tell. Another base class: whoever uses it.
    write_files(repository.root, {"lib.py": FILES["lib.py"].replace("...", "1")})
    update(repository)
    assert settled() == ["app.py", "use.py"]
    resolved(repository)
    write_files(repository.root, {"lib.py": FILES["lib.py"].replace("class A", "class A(str)")})
    update(repository)
    assert settled() == ["app.py"]
    (again,) = resolved(repository, everything=False).contexts
    assert settled() == ["app.py"]
    assert again.problem == ""
