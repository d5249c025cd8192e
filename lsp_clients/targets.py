"""From what a server answers (LSP 3.17: Location, Location[], LocationLink[]) to byte ranges of files."""

import os
import re
from collections import OrderedDict
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, cast
from urllib.parse import unquote_to_bytes, urlsplit

import xxhash

from lsp_clients.answers import Empty, Failed, FailReason, Located, Location, Outcome
from lsp_clients.errors import PositionError
from lsp_clients.positions import Encoding, LineTable

_KEPT_BYTES = 64 * 1024 * 1024
_NOT_UTF8 = re.compile("[\udc80-\udcff]")
"""Bytes of paths that are not UTF-8, as `os` has them (PEP 383)."""


@lru_cache(maxsize=8192)
def path_of(uri: str) -> str | None:
    """The absolute path of a `file:` URI; None for every other URI."""
    parts = urlsplit(uri)
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        return None
    # Bytes that are not UTF-8 become surrogates (PEP 383), as in every path of `os`.
    return os.fsdecode(unquote_to_bytes(parts.path))


def uri_of(path: str) -> str:
    """The `file:` URI of an absolute path. Bytes of its name that are not UTF-8 are percent-encoded as they are."""
    return Path(path).as_uri()


class Targets:
    """Converts answers, and keeps the line tables of the files that they lead to."""

    def __init__(self, encoding: Encoding, *, counts_bom: bool) -> None:
        self._encoding: Encoding = encoding
        self._counts_bom = counts_bom
        self._kept: OrderedDict[str, tuple[LineTable, str]] = OrderedDict()
        self._open: dict[str, tuple[LineTable, str]] = {}
        self._spelt: dict[str, str] = {}
        self._bytes = 0

    def open(self, path: str, content: bytes) -> LineTable:
        """From now on these bytes count for this path, whatever the disk says."""
        entry = self._entry(content)
        self._open[path] = entry
        for spelling in _spellings(path):
            self._spelt.setdefault(spelling, path)
        return entry[0]

    def table(self, path: str) -> LineTable:
        """The lines of a file, with its content. Raises OSError for one that is not open and cannot be read."""
        return self._table(path)[0]

    def close(self) -> None:
        """The disk counts again for every path."""
        self._open.clear()
        self._spelt.clear()

    def outcome(self, result: Any) -> Outcome:
        """The outcome that a `result` stands for. Equal targets are one; the server's order is kept."""
        if result is None:
            return Empty()
        items = cast(list[Any], result) if isinstance(result, list) else [result]
        locations: dict[Location, None] = {}
        elsewhere: dict[str, None] = {}
        try:
            for item in items:
                uri, start, end = _range(item)
                path = path_of(uri)
                if path is None:
                    elsewhere[uri] = None
                else:
                    path = self._spelt.get(path, path)
                    table, digest = self._table(path)
                    locations[Location(path, table.offset(*start), table.offset(*end), digest)] = None
        except PositionError as error:
            return Failed(FailReason.OUT_OF_RANGE, f"in the answer: {error}")
        except OSError as error:
            return Failed(FailReason.GARBAGE, f"a target that cannot be read: {error}")
        except (LookupError, TypeError, ValueError) as error:
            return Failed(FailReason.GARBAGE, f"an answer of the wrong shape: {error!r}")
        return Located(tuple(locations), tuple(elsewhere)) if locations or elsewhere else Empty()

    def _table(self, path: str) -> tuple[LineTable, str]:
        if (entry := self._open.get(path)) is not None:
            return entry
        if (entry := self._kept.get(path)) is not None:
            self._kept.move_to_end(path)
            return entry
        entry = self._entry(Path(path).read_bytes())
        self._kept[path] = entry
        self._bytes += len(entry[0].content)
        while self._bytes > _KEPT_BYTES and len(self._kept) > 1:
            _, (dropped, _) = self._kept.popitem(last=False)
            self._bytes -= len(dropped.content)
        return entry

    def _entry(self, content: bytes) -> tuple[LineTable, str]:
        return LineTable(content, self._encoding, counts_bom=self._counts_bom), xxhash.xxh3_64_hexdigest(content)


def _spellings(path: str) -> tuple[str, ...]:
    """How a server may name a path that is not UTF-8: most hold text, and give back what they made of its URI.

    Seen: percent escapes that were not decoded (vscode-uri, of pyright and typescript-language-server).
    """
    if not _NOT_UTF8.search(path):
        return ()
    return (_NOT_UTF8.sub(lambda byte: f"%{ord(byte[0]) - 0xDC00:02X}", path),)


def _range(item: Any) -> tuple[str, tuple[int, int], tuple[int, int]]:
    fields = cast(Mapping[str, Any], item)
    if "targetUri" in fields:
        uri, span = fields["targetUri"], fields["targetSelectionRange"]
    else:
        uri, span = fields["uri"], fields["range"]
    if not isinstance(uri, str):
        raise TypeError("a URI that is not a string")
    return uri, _place(span["start"]), _place(span["end"])


def _place(position: Any) -> tuple[int, int]:
    line, character = position["line"], position["character"]
    if not isinstance(line, int) or not isinstance(character, int):
        raise TypeError("a position that is not two integers")
    return line, character
