"""Where output goes and whether it is decorated: answers to standard output, everything else to standard error."""

from __future__ import annotations

import errno
import os
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, cast

from resolver.cli.text import printable, printable_json, utf8_text

if TYPE_CHECKING:
    from rich.console import Console

_PIPED_WIDTH = 100_000
"""Columns where nobody has a window: lines are never folded or cut for a program that reads them."""


def write_json(document: Any) -> None:
    """One JSON document and a line end on standard output."""
    import orjson

    try:
        data = orjson.dumps(document)
    except TypeError:  # a path of this machine that is not UTF-8: JSON cannot hold it as it is
        data = orjson.dumps(_utf8(document))
    data = printable_json(data) + b"\n"
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        sys.stdout.write(data.decode())
    else:
        sys.stdout.flush()
        buffer.write(data)
    sys.stdout.flush()


def write_chunks(chunks: Iterable[str]) -> None:
    """Pieces of a long text on standard output, in UTF-8."""
    sys.stdout.flush()
    for chunk in chunks:
        sys.stdout.buffer.write(chunk.encode("utf-8", "backslashreplace"))
    sys.stdout.flush()


def replace_file(target: Path, chunks: Iterable[str]) -> int:
    """Write pieces of a text to a file, which is there whole or not at all. Gives its size in bytes."""
    with tempfile.NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.", delete=False) as file:
        beside = Path(file.name)
        try:
            for chunk in chunks:
                file.write(chunk.encode("utf-8", "backslashreplace"))
            file.flush()
            size = file.tell()
            beside.chmod(0o666 & ~_umask())
            beside.replace(target)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise
    return size


def note(message: str) -> None:
    """One plain line on standard error."""
    sys.stderr.write(f"tieline: {printable(message)}\n")


def decorated(stream: TextIO) -> bool:
    """Whether colours and moving parts may go to a stream: a terminal, and nobody said no (NO_COLOR, no-color.org)."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return bool(os.environ.get("FORCE_COLOR")) or stream.isatty()


def answer_console() -> Console:
    """The console for answers on standard output."""
    return _console(sys.stdout)


def message_console() -> Console:
    """The console for progress and messages on standard error."""
    return _console(sys.stderr)


def _utf8(value: Any) -> Any:
    """The same with every text as `utf8_text` writes it."""
    if isinstance(value, str):
        return utf8_text(value)
    if isinstance(value, dict):
        return {key: _utf8(item) for key, item in cast(dict[str, Any], value).items()}
    if isinstance(value, (list, tuple)):
        return [_utf8(item) for item in cast(list[Any], value)]
    return value


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _console(stream: TextIO) -> Console:
    from rich.console import Console

    class _Console(Console):
        def on_broken_pipe(self) -> None:
            # rich would end the process here; how it ends is decided in one place.
            raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))

    colour = decorated(stream)
    return _Console(
        file=stream, force_terminal=colour, no_color=not colour, width=None if stream.isatty() else _PIPED_WIDTH,
        highlight=False, markup=False, emoji=False, soft_wrap=False, legacy_windows=False,
    )  # fmt: skip
