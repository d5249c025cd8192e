"""What is mended in multilspy's handler, seen from a request."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, cast

import pytest

from lsp_clients import RequestFailedError, RequestTimeoutError, ServerDiedError, ServerMissingError
from lsp_clients.connection import STDERR_TAIL, Connection
from tests.lsp_clients.support import LIMIT_SECONDS, SCRIPT


def talk(root: Path, fault: str, work: Callable[[Connection], Awaitable[None]], in_flight: int = 64) -> None:
    async def run() -> None:
        command = [sys.executable, str(SCRIPT), fault, str(root / "starts")]
        connection = Connection(command, environment={}, folder=root, in_flight=in_flight)
        async with asyncio.timeout(LIMIT_SECONDS), connection:
            await work(connection)

    asyncio.run(run())


def definition(name: str = "a.py") -> dict[str, Any]:
    return {"textDocument": {"uri": f"file:///{name}"}, "position": {"line": 0, "character": 0}}


def test_requests_in_flight_and_later_ones_fail_at_once_when_the_server_dies(tmp_path: Path) -> None:
    async def work(connection: Connection) -> None:
        waiting = [
            asyncio.ensure_future(connection.send_request("textDocument/definition", definition(name)))
            for name in ("killer.py", "b.py", "c.py")
        ]
        results = await asyncio.gather(*waiting, return_exceptions=True)
        assert [type(result) for result in results] == [ServerDiedError] * 3
        assert "killed by a file" in str(results[0])
        with pytest.raises(ServerDiedError):
            await connection.send_request("textDocument/definition", definition())

    talk(tmp_path, "dies", work)


def test_a_request_without_an_answer_is_given_up_and_the_slot_is_free_again(tmp_path: Path) -> None:
    async def work(connection: Connection) -> None:
        for _ in range(3):
            with pytest.raises(RequestTimeoutError):
                await connection.request("no/such/request", {}, 0.05)
        assert await connection.request("textDocument/definition", definition(), None)

    talk(tmp_path, "none", work, in_flight=1)


def test_an_error_answer_has_its_code(tmp_path: Path) -> None:
    async def work(connection: Connection) -> None:
        with pytest.raises(RequestFailedError) as caught:
            await connection.request("textDocument/definition", definition(), None)
        assert caught.value.code == -32603

    talk(tmp_path, "errors", work)


def test_nothing_grows_with_the_number_of_messages(tmp_path: Path) -> None:
    async def work(connection: Connection) -> None:
        before = len(asyncio.all_tasks())
        for _ in range(200):
            await connection.send.definition(cast(Any, definition()))
        assert len(asyncio.all_tasks()) == before
        assert not connection.tasks  # pyright: ignore[reportUnknownMemberType] - multilspy has no types
        assert len(connection.stderr_tail()) <= STDERR_TAIL

    talk(tmp_path, "floods", work)


def test_a_command_that_cannot_be_run_is_a_missing_server(tmp_path: Path) -> None:
    async def run() -> None:
        async with Connection([str(tmp_path / "nothing")], environment={}, folder=tmp_path):
            pass

    with pytest.raises(ServerMissingError):
        asyncio.run(run())
