"""Lines of source for people: the bytes that are there now, with a name highlighted."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from rich.text import Text

from graph.files import read_inside
from resolver.cli.text import source_line

if TYPE_CHECKING:
    from graph.query import Snapshot

_WIDEST = 160
"""Code points of a source line that are shown."""


class Span(NamedTuple):
    """A name on a line."""

    line: int
    """1-based."""
    column: int
    """1-based, in code points."""
    length: int
    """In code points."""


class Sources:
    """Reads files of the repository once each, for the lines of an answer. A file that has changed shows nothing."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._lines: dict[int, list[str] | None] = {}

    def line(self, file: int, number: int) -> str | None:
        """A line (1-based) of a file as it was indexed; None when the file is no longer that one."""
        lines = self.lines(file)
        return lines[number - 1] if lines is not None and 1 <= number <= len(lines) else None

    def lines(self, file: int) -> list[str] | None:
        """All lines of a file, or None as for `line`."""
        if file not in self._lines:
            self._lines[file] = self._read(file)
        return self._lines[file]

    def _read(self, number: int) -> list[str] | None:
        snapshot = self._snapshot
        if snapshot.is_changed(number):
            return None
        file = snapshot.file(number)
        relative = file.path.encode() if file.raw_path is None else file.raw_path
        try:
            text = read_inside(os.fsencode(snapshot.root), relative).decode(file.encoding, errors="replace")
        except OSError:
            return None
        # As the index counts: LF, CRLF and a lone CR end a line, nothing else does.
        return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")


def highlighted(line: str | None, span: Span, style: str = "bold yellow") -> Text:
    """A line without its indentation, with the name in it highlighted."""
    if line is None:
        return Text("(the file has changed since it was indexed)", style="dim")
    before, name, after = (
        line[: span.column - 1],
        line[span.column - 1 :][: span.length],
        line[span.column - 1 + span.length :],
    )
    text = Text(source_line(before).lstrip())
    text.append(source_line(name), style=style)
    text.append(source_line(after).rstrip())
    text.truncate(_WIDEST, overflow="ellipsis")
    return text
