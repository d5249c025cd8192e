"""Which references are asked about."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from graph.model import Status
from graph.store.semantic import Answer, files_of
from graph.store.semantic_writer import mark_outdated
from resolver.plan import PlanRules, load_rules, plan
from tests.harness.indexing import Repository
from tests.resolver.support import written

FILES = {
    "a.py": "from b import run, Box\n\nrun()\nBox().open()\n\n\ndef f(x):\n    x.go()\n",
    "b.py": "class Box:\n    def open(self):\n        pass\n\n\ndef run():\n    pass\n",
    "c.py": "from b import run\n\nrun()\n",
}
NOTHING = PlanRules((), 0.0)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path, FILES)
    made.index()
    return made


def planned(
    repository: Repository,
    rules: PlanRules,
    *,
    paths: Sequence[str] = tuple(FILES),
    everything: bool = False,
    again: bool = False,
) -> list[str]:
    with repository.read() as state:
        files = [file.number for file in files_of(state.connection) if file.path in paths]
        found = plan(state.connection, "one", files, everything=everything, again=again, rules=rules)
        return [f"{file.path}:{question.name}" for file in found for question in file.questions]


def test_what_is_open_is_asked_about(repository: Repository) -> None:
    assert planned(repository, NOTHING) == ["a.py:go"]


def test_everything(repository: Repository) -> None:
    assert planned(repository, NOTHING, everything=True) == [
        "a.py:b", "a.py:run", "a.py:Box", "a.py:run", "a.py:Box", "a.py:open", "a.py:go",
        "c.py:b", "c.py:run", "c.py:run",
    ]  # fmt: skip


def test_weak_rules_are_patterns_and_bring_the_imports_of_their_files(repository: Repository) -> None:
    assert planned(repository, PlanRules(("receiver-res*",), 0.0)) == [
        "a.py:b", "a.py:run", "a.py:Box", "a.py:open", "a.py:go",
    ]  # fmt: skip


def test_only_the_files_that_are_given(repository: Repository) -> None:
    assert planned(repository, NOTHING, everything=True, paths=["c.py"]) == ["c.py:b", "c.py:run", "c.py:run"]


def test_the_sample_is_a_share_and_always_the_same(tmp_path: Path) -> None:
    calls = "\n".join(f"f{n}()" for n in range(400))
    repository = Repository(tmp_path, {"m.py": "".join(f"def f{n}(): pass\n" for n in range(400)) + calls + "\n"})
    repository.index()
    paths = ["m.py"]
    first = planned(repository, PlanRules((), 0.1), paths=paths)
    assert 20 <= len(first) <= 60
    assert planned(repository, PlanRules((), 0.1), paths=paths) == first
    assert set(first) <= set(planned(repository, PlanRules((), 0.3), paths=paths))
    assert len(planned(repository, PlanRules((), 1.0), paths=paths)) == 400


def test_what_a_context_has_answered_is_not_asked_again(repository: Repository) -> None:
    with written(repository) as (connection, writer):
        reference, file, hash_ = _open_reference(repository)
        answer = Answer(reference, Status.UNRESOLVED, "no-answer")
        assert writer.answers(file, "another", ("server", "1"), hash_, [answer])
        assert planned(repository, NOTHING) == ["a.py:go"]
        assert writer.answers(file, "one", ("server", "1"), hash_, [answer])
        assert planned(repository, NOTHING) == []
        assert planned(repository, NOTHING, again=True) == ["a.py:go"]
        with writer.transaction():
            mark_outdated(connection, file)
        assert planned(repository, NOTHING) == ["a.py:go"]


def test_what_failed_is_asked_again(repository: Repository) -> None:
    reference, file, hash_ = _open_reference(repository)
    with written(repository) as (_, writer):
        assert writer.answers(file, "one", ("server", "1"), hash_, [Answer(reference, Status.FAILED, "timeout")])
    assert planned(repository, NOTHING) == ["a.py:go"]


def test_an_outdated_answer_is_asked_again_even_where_the_rule_is_strong(repository: Repository) -> None:
    reference, file, hash_ = _open_reference(repository, "Box", 1)
    with written(repository) as (connection, writer):
        assert writer.answers(file, "one", ("server", "1"), hash_, [Answer(reference, Status.UNRESOLVED, "no-answer")])
        assert planned(repository, NOTHING) == ["a.py:go"]
        with writer.transaction():
            mark_outdated(connection, file)
    assert planned(repository, NOTHING) == ["a.py:Box", "a.py:go"]


def test_the_delivered_rules() -> None:
    rules = load_rules()
    assert "*-partial" in rules.weak
    assert 0 < rules.sample < 0.1


def _open_reference(repository: Repository, name: str = "go", place: int = 0) -> tuple[int, int, bytes]:
    """(reference, file, hash) of the n-th reference of a name in a.py."""
    with repository.read() as state:
        (file,) = [file for file in files_of(state.connection) if file.path == "a.py"]
        found = plan(state.connection, "", [file.number], everything=True, again=True, rules=NOTHING)
        named = [question for row in found for question in row.questions if question.name == name]
        return named[place].reference, file.number, file.hash
