"""`refs`, `callers`, `callees`, `impact`, `trace`: documents, text, and what is not known."""

from pathlib import Path

from tests.cli.conftest import Run

UNKNOWN = {"unresolved_same_name", "candidate_of", "failed_files", "damaged_files", "excluded_files"}


def test_refs(indexed: Path, run: Run) -> None:
    document = run("refs", "Square.area", "--json").json

    assert document["symbol"]["id"] == "shapes.py:method:Square.area"
    assert [(use["path"], use["line"], use["column"], use["enclosing"]) for use in document["uses"]] == [
        ("app.py", 9, 25, "app.py:function:total"),
        ("app.py", 15, 15, "app.py:function:main"),
    ]
    assert {use["verdict"] for use in document["uses"]} == {"syntactic"}
    assert document["total"] == 2
    assert set(document["unknown"]) == UNKNOWN
    assert document["unknown"]["unresolved_same_name"] == 1
    assert (document["generation"], document["fresh"], document["changed"]) == (1, True, [])


def test_refs_up_to_a_limit(indexed: Path, run: Run) -> None:
    document = run("refs", "Square.area", "--limit", "1", "--json").json
    assert (len(document["uses"]), document["total"]) == (1, 2)
    assert "the first 1 of 2 references" in run("refs", "Square.area", "--limit", "1").stdout


def test_refs_in_text_come_by_file_with_their_lines(indexed: Path, run: Run) -> None:
    lines = run("refs", "Square.area").stdout.splitlines()

    assert lines[0] == "method Square.area  shapes.py:12:9"
    assert "app.py  2" in lines
    assert any(line.split() == ["9:25", "call", "result", "+=", "shape.area()"] for line in lines)
    assert "2 references" in lines
    assert "not known: 1 reference named area leads nowhere known" in lines


def test_callers(indexed: Path, run: Run) -> None:
    document = run("callers", "total", "--json").json

    assert [caller["definition"]["id"] for caller in document["callers"]] == ["app.py:function:main"]
    assert [(site["line"], site["column"]) for site in document["callers"][0]["sites"]] == [(16, 11)]


def test_no_callers_and_no_callers_found_are_different(indexed: Path, run: Run) -> None:
    none = run("callers", "unused")
    assert none.code == 1
    assert "no callers\n" in none.stdout

    none_found = run("callers", "Shape.area")
    assert none_found.code == 1
    assert "no callers found\n" in none_found.stdout
    assert "1 reference named area leads nowhere known" in none_found.stdout
    assert run("callers", "Shape.area", "--json").json["callers"] == []


def test_callees(indexed: Path, run: Run) -> None:
    document = run("callees", "main", "--json").json

    assert [callee["definition"]["id"] for callee in document["callees"]] == [
        "app.py:function:total",
        "shapes.py:class:Square",
        "shapes.py:method:Square.area",
    ]
    others = {other["name"]: other for other in document["others"]}
    assert others["getcwd"]["verdict"] == "external"
    assert others["getcwd"]["external"]["package"] == "os"

    unknown = run("callees", "mystery")
    assert unknown.code == 0
    assert "no callees found: 1 call leads nowhere known" in unknown.stdout
    assert run("callees", "unused").stdout.splitlines()[-2] == "no callees in this repository"


def test_impact(indexed: Path, run: Run) -> None:
    document = run("impact", "Square.area", "--depth", "1", "--json").json
    assert [(item["id"], item["depth"]) for item in document["affected"]] == [
        ("app.py:function:total", 1),
        ("app.py:function:main", 1),
    ]
    assert document["files"] == ["app.py"]
    assert (document["depth"], document["complete"]) == (1, True)

    text = run("impact", "total").stdout
    assert "direct users  1" in text
    assert "function main" in text


def test_trace(indexed: Path, run: Run) -> None:
    document = run("trace", "main", "Square.area", "--json").json
    assert [[step["id"] for step in path] for path in document["paths"]] == [
        ["app.py:function:main", "shapes.py:method:Square.area"]
    ]
    assert "-> method Square.area" in run("trace", "main", "Square.area").stdout

    nowhere = run("trace", "unused", "main")
    assert nowhere.code == 1
    assert "no path found from shapes.py:function:unused to app.py:function:main" in nowhere.stdout


def test_a_symbol_may_be_written_in_many_ways(indexed: Path, run: Run) -> None:
    for symbol in ("total", "app.py:function:total", "app.py:6:5", "app.py:16:11", str(indexed / "app.py:6:5")):
        assert run("refs", symbol, "--json").json["symbol"]["id"] == "app.py:function:total", symbol


def test_an_ambiguous_symbol_lists_every_match(indexed: Path, run: Run) -> None:
    answer = run("refs", "area", "--json")

    assert answer.code == 3
    assert answer.json["error"]["code"] == "ambiguous-symbol"
    expected = ["shapes.py:method:Shape.area", "shapes.py:method:Square.area"]
    assert answer.json["error"]["candidates"] == expected
    lines = run("refs", "area").stderr.splitlines()
    assert lines == [
        "tieline: area is the name of 2 definitions; give the id of one:",
        *(f"  {id_}" for id_ in expected),
    ]


def test_an_unknown_symbol_names_similar_ones(indexed: Path, run: Run) -> None:
    answer = run("callers", "totl", "--json")

    assert answer.code == 1
    assert answer.json["error"]["code"] == "unknown-symbol"
    assert answer.json["error"]["near"] == ["app.py:function:total"]
    assert "app.py:function:total" in answer.stderr


def test_a_symbol_at_a_place_where_nothing_stands(indexed: Path, run: Run) -> None:
    answer = run("refs", "app.py:2", "--json")
    assert answer.code == 2
    assert answer.json["error"]["code"] == "no-such-place"


def test_references_by_verdict(indexed: Path, run: Run) -> None:
    assert run("refs", "total", "--verdict", "syntactic", "--json").json["total"] == 1
    assert run("refs", "total", "--verdict", "confirmed").code == 1
    assert run("refs", "total", "--layer", "semantic").code == 1
    assert run("refs", "total", "--verdict", "nonsense").code == 2
    answer = run("refs", "total", "--context", "python:.@x", "--json")
    assert (answer.code, answer.json["error"]["code"]) == (2, "unknown-context")
