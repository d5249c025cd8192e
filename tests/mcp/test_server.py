"""The MCP server, asked by a real client: in this process, and once as a process of its own."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import anyio
import orjson
import pytest
from mcp import Client, StdioServerParameters
from mcp.types import TextContent

from graph.index import build_index
from graph.store import Store
from resolver.mcp.server import server

FILES = {
    "store.py": "class Store:\n    def fetch(self, key):\n        return key\n",
    "job.py": (
        "from store import Store\n\n\ndef run():\n    return Store().fetch(1)\n\n\ndef again():\n    return run()\n"
    ),
    "other.py": "class Cache:\n    def fetch(self, key):\n        return None\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    build_index(tmp_path)
    return tmp_path


def call(target: Any, tool: str, **arguments: Any) -> tuple[bool, str]:
    """Whether the tool failed, and the text that it gave."""

    async def ask() -> tuple[bool, str]:
        async with Client(target) as client:
            result = await client.call_tool(tool, arguments)
            (content,) = result.content
            assert isinstance(content, TextContent)
            return bool(result.is_error), content.text

    return anyio.run(ask)


def answer(root: Path, tool: str, **arguments: Any) -> dict[str, Any]:
    failed, text = call(server(Store(root)), tool, **arguments)
    assert not failed, text
    return orjson.loads(text)


def test_callers_are_definitions_with_places(root: Path) -> None:
    document = answer(root, "callers", symbol="Store.fetch")
    assert [caller["definition"]["id"] for caller in document["callers"]] == ["job.py:function:run"]
    assert document["fresh"] is True


def test_impact_follows_users_of_users(root: Path) -> None:
    document = answer(root, "impact", symbol="Store.fetch", depth=2)
    assert "job.py:function:again" in orjson.dumps(document).decode()


def test_an_ambiguous_symbol_is_an_error_that_lists_the_ids(root: Path) -> None:
    failed, text = call(server(Store(root)), "references", symbol="fetch")
    assert failed
    assert "store.py:method:Store.fetch" in text
    assert "other.py:method:Cache.fetch" in text


def test_a_missing_index_says_what_to_do(tmp_path: Path) -> None:
    failed, text = call(server(Store(tmp_path)), "search", name="x")
    assert failed
    assert "tieline index" in text


def test_long_lists_are_cut_and_say_so(root: Path) -> None:
    (root / "a.bin").write_bytes(b"x")
    (root / ".hidden").mkdir()
    (root / ".other").mkdir()
    build_index(root)
    document = answer(root, "coverage", limit=1)
    assert document["cut"]
    assert max(document["cut"].values()) > 1


def test_an_answer_is_of_the_newest_generation(root: Path) -> None:
    running = server(Store(root))
    assert not call(running, "show", symbol="again")[0]
    (root / "job.py").write_text("def renamed():\n    pass\n", encoding="utf-8")
    build_index(root)
    failed, _ = call(running, "show", symbol="again")
    assert failed


def test_the_command_speaks_the_protocol(root: Path) -> None:
    started = StdioServerParameters(command=sys.executable, args=["-m", "resolver", "serve", "--root", str(root)])

    async def tools() -> set[str]:
        with anyio.fail_after(30):
            async with Client(started) as client:
                return {tool.name for tool in (await client.list_tools()).tools}

    assert {"search", "callers", "impact", "at", "resolution_rates"} <= anyio.run(tools)
