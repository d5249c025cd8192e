"""`python -m bench resolve-speed`: the semantic pass against the language's own check of the same files."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import orjson

from bench.measuring import CommandFailedError, Measured, middle, run
from graph.store import Store
from graph.store.semantic import files_of
from lsp_clients import load_settings
from lsp_clients.installing import managed_folder

_SUFFIXES = (".py", ".pyi")
_CHECK_ENDS = frozenset({0, 1})
"""Exit codes of a check that went through, without and with findings."""


@dataclass(frozen=True)
class ResolveSpeed:
    """The outcome. Times are seconds, medians over the turns; ratios are medians of the ratios turn by turn."""

    repository: str
    folder: str
    everything: bool
    files: int
    """That the check checks."""
    asked_files: int
    asked: int
    """References."""
    answers: dict[str, int]
    """Status -> references."""
    turns: int
    index: float
    """Wall time of a fresh index of the whole repository."""
    update: float
    """Wall time that the pass needs to see that the index is up to date."""
    start: float
    """Wall time from the start of the server until it was ready."""
    ask: float
    """Wall time from the first question until the last answer was stored."""
    command: float
    """Wall time of the whole command."""
    server_processor: float
    own_processor: float
    """Processor time of the command without that of the server."""
    check: float
    """Wall time of pyright's own check of the same files."""
    check_start: float
    """Wall time of its check of one empty file: what it needs before it checks."""
    check_processor: float
    ratio: float
    """Asking to checking."""
    processor_ratio: float
    """Processor time of the server to that of the check."""

    def document(self) -> dict[str, Any]:
        """The outcome as it is printed with `--json`."""
        return asdict(self)


@dataclass(frozen=True)
class _Turn:
    resolve: Measured
    document: dict[str, Any]
    check: Measured

    @property
    def context(self) -> dict[str, Any]:
        return max(self.document["contexts"], key=lambda context: context["asked"])


def resolve_speed(
    repository: Path, folder: str, turns: int, tell: Callable[[str], None], *, everything: bool
) -> ResolveSpeed:
    """Measure, `turns` times in turn. `tell` is told what happens. Raises CommandFailedError."""
    check = _check_command()
    with tempfile.TemporaryDirectory(prefix="tieline-bench-") as scratch:
        place = ["--root", str(repository), "--index-dir", f"{scratch}/index", "--json"]
        resolve = [*_tieline("resolve", str(repository / folder), *(["--all"] if everything else [])), *place]
        empty = Path(scratch) / "empty.py"
        empty.touch()
        done: list[_Turn] = []
        indexes: list[float] = []
        starts: list[float] = []
        files: list[str] = []
        for turn in range(turns):
            tell(f"turn {turn + 1} of {turns}: index")
            indexes.append(run([*_tieline("index", "--full"), *place], expected=frozenset({0, 5})).wall)
            if turn == 0:
                context = _context(run([*_tieline("contexts"), *place]).output)
                check = [*check, *(["--pythonpath", context["interpreter"]] if context["interpreter"] else [])]
                files = _files(repository, folder, scratch)
            tell(f"turn {turn + 1} of {turns}: resolve")
            resolved = run(resolve)
            tell(f"turn {turn + 1} of {turns}: check of {len(files)} files")
            starts.append(run([*check, str(empty)], expected=_CHECK_ENDS).wall)
            checked = run([*check, *files], expected=_CHECK_ENDS)
            done.append(_Turn(resolved, orjson.loads(resolved.output), checked))
    return _outcome(repository, folder, everything, files, done, indexes, starts)


def _outcome(
    repository: Path,
    folder: str,
    everything: bool,
    files: Sequence[str],
    done: Sequence[_Turn],
    indexes: Sequence[float],
    starts: Sequence[float],
) -> ResolveSpeed:
    first = done[0].context
    return ResolveSpeed(
        repository=repository.name,
        folder=folder or ".",
        everything=everything,
        files=len(files),
        asked_files=first["files"],
        asked=first["asked"],
        answers=first["answers"],
        turns=len(done),
        index=middle(indexes),
        update=middle([turn.document["index"]["seconds"] for turn in done]),
        start=middle([turn.context["start_seconds"] for turn in done]),
        ask=middle([turn.context["ask_seconds"] for turn in done]),
        command=middle([turn.resolve.wall for turn in done]),
        server_processor=middle([turn.document["server_processor_seconds"] for turn in done]),
        own_processor=middle(
            [turn.resolve.processor - turn.document["server_processor_seconds"] for turn in done]
        ),
        check=middle([turn.check.wall for turn in done]),
        check_start=middle(starts),
        check_processor=middle([turn.check.processor for turn in done]),
        ratio=middle([turn.context["ask_seconds"] / turn.check.wall for turn in done]),
        processor_ratio=middle(
            [turn.document["server_processor_seconds"] / turn.check.processor for turn in done]
        ),
    )  # fmt: skip


def _tieline(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "resolver", *arguments]


def _check_command() -> list[str]:
    """Pyright's own command line, of the managed installation that the pass uses."""
    program = managed_folder("pyright", load_settings()["pyright"].version) / "node_modules/.bin/pyright"
    if not program.exists():
        raise CommandFailedError(f"{program} is not there: run `tieline servers install pyright`")
    return [str(program)]


def _context(document: bytes) -> dict[str, Any]:
    """The context with the most files."""
    found = orjson.loads(document)["contexts"]
    if not found:
        raise CommandFailedError("there is no context to ask in: no Python file is indexed")
    return max(found, key=lambda context: context["files"])


def _files(repository: Path, folder: str, scratch: str) -> list[str]:
    """The indexed files below the folder, absolute."""
    with closing(Store(repository, Path(scratch) / "index").reader()) as connection:
        found = files_of(connection, ("python",))
    inside = [file.path for file in found if file.path.endswith(_SUFFIXES)]
    return [str(repository / path) for path in inside if not folder or path.startswith(f"{folder}/")]
