"""`export`: every format can be read by those who read such formats."""

import io
from pathlib import Path
from typing import Any, cast

import networkx
import orjson

from tests.cli.conftest import Run

CALL = ("app.py:function:main", "app.py:function:total")


def test_json(indexed: Path, run: Run) -> None:
    plain = run("export", "--format", "json")
    # The type of this function is not fully known.
    graph = cast(Any, networkx).node_link_graph(orjson.loads(plain.stdout), edges="links")

    assert graph.nodes["shapes.py:class:Square"]["kind"] == "class"
    assert [data["kind"] for data in graph.get_edge_data(*CALL).values()] == ["call"]
    assert run("export", "--json").stdout == plain.stdout


def test_graphml(indexed: Path, run: Run) -> None:
    graph = networkx.read_graphml(
        io.BytesIO(run("export", "--format", "graphml").stdout.encode()), force_multigraph=True
    )
    assert graph.nodes["shapes.py:class:Square"]["kind"] == "class"
    assert graph.has_edge(*CALL)


def test_dot(indexed: Path, run: Run) -> None:
    lines = run("export", "--format", "dot").stdout.splitlines()
    assert lines[0] == "digraph tieline {"
    assert f'  "{CALL[0]}" -> "{CALL[1]}" [label="call"];' in lines
    assert lines[-1] == "}"


def test_a_file_is_written_whole(indexed: Path, run: Run, tmp_path: Path) -> None:
    target = tmp_path / "graph.json"
    answer = run("export", "--output", target)

    assert (answer.code, answer.stdout) == (0, "")
    assert orjson.loads(target.read_bytes())["nodes"]
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".graph")] == []
    document = run("export", "--format", "graphml", "--output", target, "--json").json
    assert document["bytes"] == target.stat().st_size


def test_only_some_files(indexed: Path, run: Run) -> None:
    document = orjson.loads(run("export", "--path", "shapes.py").stdout)
    assert {node["path"] for node in document["nodes"]} == {"shapes.py"}


def test_wrong_uses(indexed: Path, run: Run, tmp_path: Path) -> None:
    assert run("export", "--format", "scroll").code == 2
    assert run("export", "--format", "dot", "--json").code == 2
    assert run("export", "--output", tmp_path).code == 2
    assert run("export", "--path", "nothing.py").code == 2
    assert run("export", "--output", tmp_path / "no" / "such" / "folder.json").code == 2
