"""What the tests of the language servers share."""

import asyncio
import os
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import orjson

from lsp_clients import (
    Adapter,
    Failed,
    FileSites,
    Found,
    Located,
    Outcome,
    Server,
    SiteAnswer,
    Workspace,
    load_settings,
)
from lsp_clients.adapter import Launch
from lsp_clients.settings import ServerSettings

SCRIPT = Path(__file__).with_name("fake_server.py")
LIMIT_SECONDS = 60
"""A bound on a test that hangs, far above what any takes."""


class FakeReadiness:
    """Ready once the fake server has said what its own requests were answered with."""

    def __init__(self) -> None:
        self.replies: list[Any] | None = None
        self.files = None
        READINESS.append(self)

    @property
    def ready(self) -> bool:
        return self.replies is not None

    def observe(self, method: str, params: Any) -> None:
        if method == "language/status":
            self.replies = orjson.loads(params["message"])


READINESS: list[FakeReadiness] = []


@dataclass(frozen=True)
class Fake:
    """A fake server with one fault, in a folder of its own."""

    root: Path
    fault: str
    settings: ServerSettings

    @property
    def starts(self) -> Path:
        return self.root / "starts"

    def server(self, **options: Any) -> Server:
        return Server(self.adapter(), self.settings, Workspace(self.root), **options)

    def adapter(self) -> Adapter:
        command = (sys.executable, str(SCRIPT), self.fault, str(self.starts))
        return Adapter(
            name="fake",
            languages=("python",),
            method="textDocument/definition",
            opens_files=True,
            counts_bom=True,
            capabilities={},
            find=lambda settings: Found(command, "1", "configured", None),
            install=lambda settings, folder: None,
            launch=lambda found, settings, workspace: Launch(found.command, {}),
            initialization_options=lambda settings, workspace: None,
            configuration=lambda section, settings, workspace: section.upper() or None,
            readiness=FakeReadiness,
            language_id=lambda path: "python",
        )

    def file(self, name: str, count: int = 3) -> FileSites:
        """A file of lines `a`, with a site on each."""
        path = self.root / name
        path.write_bytes(b"a\n" * count)
        return FileSites(str(path), path.read_bytes(), tuple(range(0, 2 * count, 2)))

    def processes(self) -> list[int]:
        """The ids of every process that was started."""
        return [int(line) for line in self.starts.read_text(encoding="utf-8").split()]


def fake(root: Path, fault: str, **settings: Any) -> Fake:
    """A fake server; `settings` are laid over those of a shipped one."""
    base = load_settings()["pyright"]
    values: dict[str, Any] = {"name": "fake", "request_seconds": 20, "ready_seconds": 20, "restarts": 5, **settings}
    return Fake(root.resolve(), fault, replace(base, **values))


def ask(server: Server, files: Iterable[FileSites]) -> list[SiteAnswer]:
    """All answers, after which the server has ended."""

    async def run() -> list[SiteAnswer]:
        async with asyncio.timeout(LIMIT_SECONDS), server:
            return [answer async for answer in server.ask(files)]

    return asyncio.run(run())


def is_itself(answer: SiteAnswer) -> bool:
    """Whether the fake server answered with the place asked about."""
    outcome = answer.outcome
    return isinstance(outcome, Located) and [location[:3] for location in outcome.locations] == [
        (answer.path, answer.offset, answer.offset + 1)
    ]


def reason(outcome: Outcome) -> str:
    """The reason of a failure, or the kind of any other outcome."""
    return outcome.reason.value if isinstance(outcome, Failed) else type(outcome).__name__


def are_gone(processes: Iterable[int]) -> bool:
    """Whether none of these processes runs; init may take a moment to reap one whose parent is gone."""
    left = set(processes)
    for _ in range(100):
        left = {pid for pid in left if _runs(pid)}
        if not left:
            return True
        time.sleep(0.05)
    return False


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except (ProcessLookupError, FileNotFoundError):
        return False
    return state != "Z"
