"""`index`, `stats`, `coverage`, `status`, `dump`, `doctor`."""

from contextlib import closing
from pathlib import Path

import orjson
import pytest
from pydantic import BaseModel, ConfigDict

from tests.cli.conftest import Run


class _Exact(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Syntactic(_Exact):
    resolved: int
    external: int
    ambiguous: int
    unresolved: int


class _Semantic(_Exact):
    asked: int
    resolved: int
    external: int
    unresolved: int
    failed: int


class _Merged(_Exact):
    confirmed: int
    upgraded: int
    corrected: int
    syntactic: int
    refuted: int
    contextual: int
    external: int
    ambiguous: int
    unresolved: int


class _Rate(_Exact):
    syntactic: float | None
    merged: float | None


class _Rates(_Exact):
    calls_in_repo: _Rate
    all_known: _Rate


class _Language(_Exact):
    files: int
    definitions: int
    references: int
    syntactic: _Syntactic
    semantic: _Semantic
    merged: _Merged
    rates: _Rates
    reasons: dict[str, int]


class _Stats(_Exact):
    """As the design describes the document."""

    generation: int
    languages: dict[str, _Language]


def test_stats(indexed: Path, run: Run) -> None:
    document = _Stats.model_validate(run("stats", "--json").json)

    python = document.languages["python"]
    assert document.generation == 1
    assert python.files == 2
    assert sum(python.syntactic.model_dump().values()) == python.references
    assert sum(python.merged.model_dump().values()) == python.references
    assert python.semantic.asked == 0
    text = run("stats").stdout
    assert "calls in repo" in text
    assert "python" in text


def test_stats_of_one_language(indexed: Path, run: Run) -> None:
    assert list(run("stats", "--language", "python", "--json").json["languages"]) == ["python"]
    answer = run("stats", "--language", "cobol", "--json")
    assert (answer.code, answer.json["languages"]) == (1, {})


def test_index(repository: Path, run: Run) -> None:
    document = run("index", "--json").json

    assert (document["generation"], document["full"], document["files"], document["failed"]) == (1, True, 2, [])
    assert document["root"] == str(repository)
    assert {stage["name"] for stage in document["stages"]} >= {"inventory", "extract", "link"}
    assert (repository / ".tieline" / "index.db").is_file()
    assert run("index", "--quiet").stdout == ""


def test_index_again(indexed: Path, run: Run) -> None:
    (indexed / "more.py").write_text("from shapes import unused\nunused()\n", encoding="utf-8")

    document = run("index", "--json").json
    assert (document["generation"], document["full"], document["extracted"]) == (2, False, 1)
    assert [call["definition"]["id"] for call in run("callers", "unused", "--json").json["callers"]] == [
        "more.py:module:more"
    ]
    assert run("index", "--full", "--json").json["full"] is True


def test_an_index_elsewhere(repository: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = tmp_path / "indexes"
    assert run("index", "--index-dir", elsewhere).code == 0
    assert not (repository / ".tieline").exists()

    assert run("stats", "--index-dir", elsewhere).code == 0
    assert run("stats").code == 4
    monkeypatch.setenv("TIELINE_INDEX_DIR", str(elsewhere))
    assert run("stats").code == 0


def test_the_root_is_the_nearest_index_then_the_repository(
    indexed: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = indexed / "inner"
    inner.mkdir()
    (inner / "one.py").write_text("x = 1\n", encoding="utf-8")
    monkeypatch.chdir(inner)
    assert run("status", "--json").json["root"] == str(indexed)

    assert run("index", ".").code == 0
    assert run("status", "--json").json["root"] == str(inner)


def test_status(indexed: Path, run: Run) -> None:
    document = run("status", "--json").json
    assert (document["generation"], document["fresh"], document["changed"]) == (1, True, [])
    assert (document["files"], document["languages"]) == (2, {"python": 2})
    assert document["versions"]["schema"]
    assert run("status", "--require-fresh").code == 0

    (indexed / "app.py").write_text("x = 1\n", encoding="utf-8")
    assert run("status", "--json").json["changed"] == ["app.py"]
    assert "stale: 1 file changed since" in run("status").stdout
    assert run("status", "--require-fresh").code == 4


def test_coverage(repository: Path, run: Run) -> None:
    (repository / "broken.py").write_text("def f(:\n    x = = 1\n\n\ndef g():\n    pass\n", encoding="utf-8")
    (repository / "data.bin").write_bytes(b"\0\1")
    (repository / ".tielineignore").write_text("left_out.py\n", encoding="utf-8")
    (repository / "left_out.py").write_text("x = 1\n", encoding="utf-8")
    (repository / "node_modules").mkdir()
    (repository / "node_modules" / "one.js").write_text("x = 1\n", encoding="utf-8")
    run("index")

    answer = run("coverage", "--json")
    assert answer.code == 0
    assert [file["path"] for file in answer.json["damaged"]] == ["broken.py"]
    assert answer.json["excluded"]["ignored"] == 1
    assert ("node_modules", "vendored") in [(row["path"], row["reason"]) for row in answer.json["excluded_paths"]]
    text = run("coverage").stdout
    assert "broken.py" in text
    assert "node_modules  vendored" in text


def test_coverage_of_all(indexed: Path, run: Run) -> None:
    answer = run("coverage")
    assert answer.code == 0
    assert "2 files indexed" in answer.stdout


def test_dump_is_the_same_for_the_same_files(indexed: Path, run: Run, tmp_path: Path) -> None:
    lines = run("dump").stdout.splitlines()
    assert {orjson.loads(line)["is"] for line in lines} >= {"file", "definition", "reference"}
    assert run("dump", "--json").json["items"] == [orjson.loads(line) for line in lines]

    run("index", "--index-dir", tmp_path / "other")
    assert run("dump", "--index-dir", tmp_path / "other").stdout.splitlines() == lines


def test_doctor(repository: Path, run: Run) -> None:
    answer = run("doctor", "--json")
    checks = {check["name"]: check for check in answer.json["checks"]}
    assert answer.code == 1
    assert (checks["index"]["state"], checks["index"]["hint"]) == ("missing", "run `tieline index`")

    run("index")
    checks = {check["name"]: check for check in run("doctor", "--json").json["checks"]}
    assert (checks["index"]["state"], checks["freshness"]["state"]) == ("good", "good")
    assert "server pyright" in checks

    (repository / "app.py").write_text("x = 1\n", encoding="utf-8")
    (repository / "tieline.toml").write_text("nonsense = 1\n", encoding="utf-8")
    checks = {check["name"]: check for check in run("doctor", "--json").json["checks"]}
    assert checks["freshness"]["state"] == "broken"
    assert "nonsense" in checks["configuration"]["message"]
    assert "attention" in run("doctor").stdout


def test_toolchains_of_the_languages_that_are_there(
    indexed: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    for name, says in (("node", "v18.20.1"), ("python3", "Python 3.12.4"), ("go", "go version go1.25.3 linux/amd64")):
        (programs / name).write_text(f"#!/bin/sh\necho '{says}'\n", encoding="utf-8")
        (programs / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(programs))
    checks = {check["name"]: check for check in run("doctor", "--json").json["checks"]}
    assert (checks["Node.js"]["state"], checks["Python"]["state"]) == ("missing", "good")
    assert "is 18.20, 20.0 or newer is needed" in checks["Node.js"]["message"]
    assert "https://nodejs.org" in checks["Node.js"]["hint"]
    assert not {"Go", "Cargo"} & checks.keys()
    (programs / "node").unlink()
    checks = {check["name"]: check for check in run("doctor", "--json").json["checks"]}
    assert checks["Node.js"]["message"].startswith("node is not on the PATH")


def test_figures_of_contexts(indexed: Path, run: Run) -> None:
    from graph.model import Status
    from graph.store import Membership, Store
    from graph.store.semantic import Answer, ContextRow, files_of, questions
    from graph.store.semantic_writer import SemanticWriter

    store = Store(indexed)
    with store.writer(5), closing(store.open_for_change()) as connection:
        writer = SemanticWriter(connection, store)
        writer.contexts([ContextRow("c", "python", ".", "x", "{}", "pyright", "1", "ready")])
        app, shapes = files_of(connection)
        writer.memberships("c", [(app.number, Membership.MEMBER, ""), (shapes.number, Membership.FAILED, "crashed")])
        first = next(questions(connection, files=[app.number]))
        assert writer.answers(app.number, "c", ("pyright", "1"), app.hash, [Answer(first.reference, Status.UNRESOLVED)])
    expected = {
        "server": "pyright", "version": "1", "health": "ready", "members": 1, "excluded": 0, "failed": 1,
        "answers": {"unresolved": 1},
    }  # fmt: skip
    for command in (["stats", "--contexts"], ["coverage"]):
        assert run(*command, "--json").json["contexts"] == {"python:.@x": expected}
        assert "python:.@x" in run(*command).stdout
