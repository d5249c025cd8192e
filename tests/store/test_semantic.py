"""Semantic resolutions: who owns them, what they add to the views, and when they go."""

from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from graph.model import Status
from graph.query import at, find_symbol, refs, stats
from graph.store.semantic import (
    Answer,
    ContextRow,
    Judgement,
    definition_named_at,
    definitions_at,
    file_by_path,
    questions,
    references_at,
    semantic_rows,
)
from graph.store.semantic_writer import SemanticWriter
from graph.store.vocabulary import Membership, Verdict
from tests.harness.indexing import Repository, write_files

FILES = {
    "a.py": "from b import make\n\nthing = make()\nthing.run()\n",
    "b.py": "class T:\n    def run(self):\n        pass\n\n\n"
    "class U:\n    def run(self):\n        pass\n\n\ndef make(x):\n    return x\n",
}
SERVER = ("server", "1.0")


@contextmanager
def writing(repository: Repository) -> Generator[SemanticWriter]:
    with repository.store.writer(5), closing(repository.store.open_for_change()) as connection:
        yield SemanticWriter(connection, repository.store)


def place(repository: Repository, path: str, name: bytes, occurrence: int = 1) -> tuple[int, int, int]:
    """(file, start, end) of the n-th occurrence of a name."""
    data = (repository.root / path).read_bytes()
    start = -1
    for _ in range(occurrence):
        start = data.index(name, start + 1)
    with repository.read() as state:
        file = file_by_path(state.connection, path)
    assert file is not None
    return file.number, start, start + len(name)


def number_of(repository: Repository, symbol: str) -> int:
    with repository.read() as state:
        return find_symbol(state, symbol).number


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path, FILES)
    made.index()
    return made


def run_reference(repository: Repository) -> tuple[int, bytes, int]:
    file, start, end = place(repository, "a.py", b"run")
    with repository.read() as state:
        (reference,) = references_at(state.connection, file, start, end)
        return file, state.file(file).hash, reference


def test_questions_come_by_status_and_by_rule(repository: Repository) -> None:
    with repository.read() as state:
        everything = list(questions(state.connection))
        unresolved = list(questions(state.connection, statuses=[Status.UNRESOLVED]))
        by_rule = list(questions(state.connection, rules=["import"]))
    assert [question.name for question in unresolved] == ["run"]
    assert unresolved[0] in everything
    assert {question.name for question in by_rule} >= {"make"}
    data = (repository.root / "a.py").read_bytes()
    assert all(data[q.start : q.end] == q.name.encode() for q in everything if q.path == "a.py")


def test_definitions_are_found_by_the_place_of_their_name(repository: Repository) -> None:
    file, start, end = place(repository, "b.py", b"run", 2)
    wanted = number_of(repository, "U.run")
    with repository.read() as state:
        assert definition_named_at(state.connection, file, start, end) == [wanted]
        assert [found.number for found in definitions_at(state.connection, file, start)] == [wanted]
        assert [found.number for found in definitions_at(state.connection, file, end)] == [wanted]
        assert definitions_at(state.connection, file, start - 2) == []


def test_equal_answers_of_two_contexts_are_one_row_and_each_is_retired_alone(repository: Repository) -> None:
    file, hash_, reference = run_reference(repository)
    target, other = number_of(repository, "T.run"), number_of(repository, "U.run")
    with writing(repository) as writer:
        answer = Answer(reference, Status.RESOLVED, targets=(target,))
        assert writer.answers(file, "one", SERVER, hash_, [answer])
        assert writer.answers(file, "two", SERVER, hash_, [answer])
        assert rows(repository, file) == [(("one", "two"), target)]
        assert writer.answers(file, "two", SERVER, hash_, [answer._replace(targets=(other,))])
        assert rows(repository, file) == [(("one",), target), (("two",), other)]
        writer.retire(file, "one")
        assert rows(repository, file) == [(("two",), other)]
        writer.retire_context("two")
        assert rows(repository, file) == []


def rows(repository: Repository, file: int) -> list[tuple[tuple[str, ...], int | None]]:
    with repository.read() as state:
        return sorted((row.contexts, row.target) for row in semantic_rows(state.connection, file))


def test_answers_about_other_bytes_are_not_stored(repository: Repository) -> None:
    file, _, reference = run_reference(repository)
    with writing(repository) as writer:
        assert not writer.answers(file, "one", SERVER, b"12345678", [Answer(reference, Status.UNRESOLVED)])
        with pytest.raises(ValueError, match="another file"):
            other = file_of(repository, "b.py")
            writer.answers(*other[:1], "one", SERVER, other[1], [Answer(reference, Status.UNRESOLVED)])
    assert rows(repository, file) == []


def file_of(repository: Repository, path: str) -> tuple[int, bytes]:
    with repository.read() as state:
        file = file_by_path(state.connection, path)
        assert file is not None
        return file.number, file.hash


def test_a_verdict_decides_what_counts_in_every_answer(repository: Repository) -> None:
    file, hash_, reference = run_reference(repository)
    target = number_of(repository, "T.run")
    with writing(repository) as writer:
        writer.contexts([ContextRow("one", "python", ".", ".venv", "{}", "server", "1.0", "ready")])
        writer.memberships("one", [(file, Membership.MEMBER, "")])
        writer.answers(file, "one", SERVER, hash_, [Answer(reference, Status.RESOLVED, targets=(target,))])
        writer.verdicts(file, [Judgement(reference, Verdict.UPGRADED, (target,))])
        assert writer.publish() == 2
    with repository.read() as state:
        uses = refs(state, find_symbol(state, "T.run"))
        assert [(use.reference.path, use.reference.line, use.verdict) for use in uses.uses] == [("a.py", 4, "upgraded")]
        item = at(state, "a.py", 4, 7).items[0]
        assert item.reference is not None
        assert item.reference.verdict == Verdict.UPGRADED
        (shown,) = item.reference.targets
        assert shown.definition.id == "b.py:method:T.run"
        assert [(claim.layer, claim.engine, claim.contexts) for claim in shown.layers] == [
            ("semantic", "server", ("python:.@.venv",))
        ]
        figures = stats(state).languages["python"]
        assert figures.merged["upgraded"] == 1
        assert figures.semantic == {"asked": 1, "resolved": 1, "external": 0, "unresolved": 0, "failed": 0}
        assert figures.merged["unresolved"] == figures.syntactic["unresolved"] - 1
        assert sum(figures.merged.values()) == figures.references == sum(figures.syntactic.values())


def test_the_answers_of_a_file_go_when_it_changes(repository: Repository) -> None:
    file, hash_, reference = run_reference(repository)
    target = number_of(repository, "T.run")
    with writing(repository) as writer:
        writer.answers(file, "one", SERVER, hash_, [Answer(reference, Status.RESOLVED, targets=(target,))])
        writer.verdicts(file, [Judgement(reference, Verdict.UPGRADED, (target,))])
    write_files(repository.root, {"a.py": FILES["a.py"] + "# more\n"})
    repository.index()
    assert rows(repository, file) == []
    assert repository.dump() == repository.dump_of_fresh()


def test_the_answers_stay_when_the_file_of_the_target_changes_around_it(repository: Repository) -> None:
    file, hash_, reference = run_reference(repository)
    target = number_of(repository, "U.run")
    with writing(repository) as writer:
        writer.answers(file, "one", SERVER, hash_, [Answer(reference, Status.RESOLVED, targets=(target,))])
    write_files(repository.root, {"b.py": "class New:\n    pass\n\n\n" + FILES["b.py"]})
    repository.index()
    assert rows(repository, file) == [(("one",), number_of(repository, "U.run"))]
    with repository.read() as state:
        item = at(state, "a.py", 4, 7).items[0]
        assert item.reference is not None
        semantic = item.reference.resolutions[1]
        assert [found.id for found in semantic.targets] == ["b.py:method:U.run"]
        assert semantic.stale


def test_the_answers_go_when_their_target_goes(repository: Repository) -> None:
    file, hash_, reference = run_reference(repository)
    target = number_of(repository, "T.run")
    with writing(repository) as writer:
        writer.answers(file, "one", SERVER, hash_, [Answer(reference, Status.RESOLVED, targets=(target,))])
        writer.verdicts(file, [Judgement(reference, Verdict.UPGRADED, (target,))])
    write_files(repository.root, {"b.py": FILES["b.py"].replace("run", "walk", 1)})
    repository.index()
    assert rows(repository, file) == []
    assert repository.dump() == repository.dump_of_fresh()
