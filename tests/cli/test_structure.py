"""`outline`, `search`, `show`, `hierarchy`, `deps`."""

from pathlib import Path

import pytest

from tests.cli.conftest import Run


def test_outline(indexed: Path, run: Run) -> None:
    document = run("outline", "shapes.py", "--json").json

    assert document["language"] == "python"
    assert [(node["name"], [child["name"] for child in node["children"]]) for node in document["definitions"]] == [
        ("Shape", ["area"]),
        ("Square", ["__init__", "side", "area"]),
        ("unused", []),
    ]
    text = run("outline", "shapes.py").stdout
    assert "class Square" in text
    assert "12  method area" in text


def test_outline_of_a_file_without_definitions(repository: Path, run: Run) -> None:
    (repository / "empty.py").write_text("", encoding="utf-8")
    run("index")

    answer = run("outline", "empty.py")
    assert answer.code == 1
    assert "no definitions" in answer.stdout


@pytest.mark.parametrize(
    ("arguments", "mode", "names"),
    [
        (["total"], "exact", ["total"]),
        (["Squ"], "prefix", ["Square"]),
        (["Something with"], "text", ["Shape"]),
        (["mystry", "--mode", "fuzzy"], "fuzzy", ["mystery"]),
    ],
)
def test_search(indexed: Path, run: Run, arguments: list[str], mode: str, names: list[str]) -> None:
    document = run("search", *arguments, "--json").json

    assert document["mode"] == mode
    assert [found["name"] for found in document["found"]][: len(names)] == names
    assert names[0] in run("search", *arguments).stdout


def test_search_finds_nothing(indexed: Path, run: Run) -> None:
    answer = run("search", "zzzzzz")
    assert answer.code == 1
    assert "no definition is like zzzzzz" in answer.stdout
    assert run("search", "zzzzzz", "--json").json["found"] == []


def test_search_says_that_there_is_more(indexed: Path, run: Run) -> None:
    assert run("search", "area", "--limit", "1", "--json").json["more"] is True
    assert "and more: raise --limit" in run("search", "area", "--limit", "1").stdout


def test_show(indexed: Path, run: Run) -> None:
    document = run("show", "Square", "--json").json

    assert document["definition"]["id"] == "shapes.py:class:Square"
    assert document["source"].startswith("class Square(Shape):\n    def __init__")
    assert [child["id"] for child in document["children"]] == [
        "shapes.py:method:Square.__init__",
        "shapes.py:field:Square.side",
        "shapes.py:method:Square.area",
    ]
    assert "        return self.side * self.side" in run("show", "Square").stdout.splitlines()


def test_show_when_the_source_is_gone(indexed: Path, run: Run) -> None:
    (indexed / "shapes.py").unlink()

    assert run("show", "Square", "--json").json["source"] is None
    text = run("show", "Square").stdout
    assert "(the file has changed since it was indexed)" in text
    assert "stale: shapes.py changed since" in text


def test_hierarchy(indexed: Path, run: Run) -> None:
    document = run("hierarchy", "Shape", "--json").json
    assert [(kin["id"], kin["relation"]) for kin in document["below"]] == [("shapes.py:class:Square", "base")]

    document = run("hierarchy", "Square.area", "--json").json
    assert [(kin["id"], kin["relation"]) for kin in document["above"]] == [("shapes.py:method:Shape.area", "override")]
    assert "method Shape.area" in run("hierarchy", "Square.area").stdout

    assert run("hierarchy", "unused").code == 1


def test_deps(indexed: Path, run: Run) -> None:
    document = run("deps", "app.py", "--json").json

    assert [used["name"] for used in document["uses"]] == ["shapes.py"]
    assert "os" in [package["name"] for package in document["packages"]]
    assert document["unresolved"] == 1
    assert [user["name"] for user in run("deps", "shapes.py", "--json").json["used_by"]] == ["app.py"]
    text = run("deps", "app.py").stdout
    assert "shapes.py" in text
    assert "1 reference of it leads nowhere known" in text
