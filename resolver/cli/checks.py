"""What `doctor` looks at. Each check says how things are, and what to do where they are not good."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from resolver import __version__
from resolver.cli.session import Session
from resolver.cli.text import counted

_LOW_BYTES = 512 * 1024 * 1024


@dataclass(frozen=True)
class Check:
    """One thing that was looked at."""

    name: str
    state: Literal["good", "missing", "broken"]
    message: str
    hint: str | None = None
    """What to do, unless it is good."""


def examine(session: Session) -> list[Check]:
    """Every check, in an order in which they make sense to read."""
    return [_python(), *_repository(session), _place(session), *_index(session), *_servers(session)]


def _python() -> Check:
    from graph.compiled import is_compiled

    found = f"{__version__}, Python {sys.version.split()[0]}"
    if is_compiled():
        return Check("tieline", "good", f"{found}, compiled")
    # Not a fault: the answers are the same.
    return Check("tieline", "good", f"{found}, not compiled: indexing takes about half as long again")


def _repository(session: Session) -> Iterator[Check]:
    from graph.inventory import ConfigError, load_settings

    yield Check("repository", "good", str(session.root))
    try:
        settings = load_settings(session.root)
    except ConfigError as error:
        yield Check("configuration", "broken", str(error), "correct it")
    else:
        yield Check("configuration", "good", settings.source or "none: the defaults hold")


def _place(session: Session) -> Check:
    """Whether an index can be written where it belongs."""
    folder = session.store.folder
    nearest = folder
    while not nearest.exists() and nearest != nearest.parent:
        nearest = nearest.parent
    if not nearest.is_dir() or not os.access(nearest, os.W_OK | os.X_OK):
        return Check(
            "index folder",
            "broken",
            f"{folder} cannot be written",
            "choose another with --index-dir or TIELINE_INDEX_DIR",
        )
    free = shutil.disk_usage(nearest).free
    if free < _LOW_BYTES:
        return Check(
            "index folder", "broken", f"{folder}: {free // 2**20} MiB are free", "free some, or use --index-dir"
        )
    return Check("index folder", "good", f"{folder}, {free // 2**30} GiB free")


def _index(session: Session) -> Iterator[Check]:
    from graph.index.scan import versions
    from graph.query import status
    from graph.store import NoIndexError, StoreError

    try:
        answer = status(session.snapshot)
    except NoIndexError:
        yield Check("index", "missing", f"none in {session.store.folder}", "run `tieline index`")
        return
    except StoreError as error:
        yield Check("index", "broken", str(error), "run `tieline index --full`")
        return
    made = versions()
    other = sorted(key for key, value in made.items() if answer.versions.get(key) != value)
    if other:
        names = ", ".join(key.replace(":", " ") for key in other)
        yield Check("index", "broken", f"made with another version of: {names}", "run `tieline index`")
    else:
        yield Check("index", "good", f"generation {answer.generation}, {counted(answer.files, 'file')}")
    if answer.fresh:
        yield Check("freshness", "good", "every indexed file is what it was")
    else:
        yield Check(
            "freshness",
            "broken",
            f"{counted(len(answer.changed), 'file has', 'files have')} changed since",
            "run `tieline index`",
        )


def _servers(session: Session) -> Iterator[Check]:
    from graph.store import StoreError
    from lsp_clients.registry import list_servers
    from resolver.server_settings import server_settings

    try:
        rows = session.snapshot.connection.execute("SELECT DISTINCT language FROM file").fetchall()
    except StoreError:
        needed: set[str] | None = None  # without an index nobody knows which languages there are
    else:
        needed = {row[0] for row in rows}
    wanted = [
        server
        for server in list_servers(server_settings(None, trust=False).servers)
        if needed is None or needed.intersection(server.languages)
    ]
    yield from _toolchains(frozenset(server.name for server in wanted))
    for server in wanted:
        name = f"server {server.name}"
        if server.usable:
            version = server.version or "of unknown version"
            yield Check(name, "good", f"{version}, {server.origin}, for {', '.join(server.languages)}")
        else:
            yield Check(
                name, "missing", f"for {', '.join(server.languages)}: {server.problem}", _install_hint(server.name)
            )


def _toolchains(servers: frozenset[str]) -> Iterator[Check]:
    from resolver.cli.toolchains import TOOLCHAINS, look_at

    for toolchain in TOOLCHAINS:
        if servers.isdisjoint(toolchain.servers):
            continue
        found = look_at(toolchain)
        if found.good:
            yield Check(toolchain.name, "good", found.message)
        else:
            yield Check(toolchain.name, "missing", found.message, toolchain.hint)


def _install_hint(name: str) -> str:
    return f"run `tieline servers install {name}`"
