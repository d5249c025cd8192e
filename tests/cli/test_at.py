"""`at`: its document, its text, and its exit codes."""

from pathlib import Path

import pytest

from tests.cli.conftest import SHAPES, Run
from tests.harness.at_document import read_at_document


def test_the_document_of_a_reference(indexed: Path, run: Run) -> None:
    answer = run("at", "app.py:15:15", "--json")

    assert (answer.code, answer.stderr) == (0, "")
    document = read_at_document(answer.json)
    assert document.reference is not None
    assert (document.position.path, document.position.line, document.position.column) == ("app.py", 15, 15)
    assert document.reference.name == "area"
    assert document.reference.kind == "call"
    assert document.reference.enclosing == "app.py:function:main"
    assert document.reference.verdict == "syntactic"
    assert [target.id for target in document.reference.targets] == ["shapes.py:method:Square.area"]
    assert [claim.layer for claim in document.reference.targets[0].layers] == ["syntactic"]
    assert (document.generation, document.fresh) == (1, True)


def test_the_document_of_a_definition(indexed: Path, run: Run) -> None:
    document = read_at_document(run("at", "shapes.py:8:7", "--json").json)

    assert document.definition is not None
    assert document.definition.id == "shapes.py:class:Square"
    assert (document.definition.line, document.definition.column, document.definition.byte) == (
        8,
        7,
        SHAPES.encode().index(b"Square"),
    )
    assert document.reference is None


def test_a_whole_line(indexed: Path, run: Run) -> None:
    document = run("at", "app.py:15", "--json").json

    for item in document["items"]:
        read_at_document(item)
    names = [item["reference"]["name"] for item in document["items"] if item["reference"]]
    assert names == ["print", "area", "os", "getcwd"]


def test_nothing_stands_there(indexed: Path, run: Run) -> None:
    answer = run("at", "app.py:2:1", "--json")

    assert answer.code == 1
    document = read_at_document(answer.json)
    assert document.definition is None
    assert document.reference is None


def test_text_names_the_place_the_verdict_and_the_target(indexed: Path, run: Run) -> None:
    text = run("at", "app.py:15:15").stdout

    assert "app.py:15:15  call of area: syntactic" in text
    assert "print(one.area(), os.getcwd())" in text
    assert "shapes.py:12:9" in text
    assert "generation 1" in text
    assert "\x1b" not in text


def test_a_changed_file_is_named(indexed: Path, run: Run) -> None:
    (indexed / "shapes.py").write_text("class Square: ...\n", encoding="utf-8")

    document = run("at", "app.py:15:15", "--json").json
    assert document["fresh"] is False
    assert document["changed"] == ["shapes.py"]
    assert "stale: shapes.py changed since" in run("at", "app.py:15:15").stdout


def test_a_stale_answer_is_refused_where_only_a_fresh_one_will_do(indexed: Path, run: Run) -> None:
    assert run("at", "app.py:15:15", "--require-fresh").code == 0
    (indexed / "shapes.py").write_text("class Square: ...\n", encoding="utf-8")

    answer = run("at", "app.py:15:15", "--require-fresh", "--json")
    assert answer.code == 4
    assert answer.json["error"]["code"] == "stale-index"
    assert answer.json["error"]["changed"] == ["shapes.py"]


@pytest.mark.parametrize("path", ["app.py", "./app.py", "../repository/app.py", "ABSOLUTE"])
def test_a_path_may_be_written_in_many_ways(indexed: Path, run: Run, path: str) -> None:
    place = f"{indexed / 'app.py' if path == 'ABSOLUTE' else path}:14:15"

    assert run("at", place, "--json").json["position"]["path"] == "app.py"


def test_a_path_is_relative_to_the_current_folder_first(
    repository: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = repository / "inner"
    inner.mkdir()
    (inner / "app.py").write_text("x = 1\n", encoding="utf-8")
    assert run("index").code == 0
    monkeypatch.chdir(inner)

    assert run("at", "app.py:1:1", "--json").json["position"]["path"] == "inner/app.py"
    assert run("at", "shapes.py:8:7", "--json").json["definition"]["id"] == "shapes.py:class:Square"


def test_a_path_in_the_current_repository_keeps_it(
    repository: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIELINE_INDEX_DIR", str(tmp_path / "elsewhere"))
    inner = repository / "inner"
    (inner / ".git").mkdir(parents=True)
    (inner / "one.py").write_text("x = 1\n", encoding="utf-8")
    assert run("index").code == 0
    assert run("at", "app.py:15:15", "--json").json["position"]["path"] == "app.py"
    assert run("outline", "shapes.py").code == 0


def test_a_path_chooses_its_own_repository(
    indexed: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)

    assert run("at", f"{indexed}/app.py:15:15", "--json").code == 0
    assert run("at", "app.py:15:15", "--root", indexed, "--json").code == 0
