"""jdtls's bulk way: our extension's command `tieline.bindings` about many files, and what its answers mean."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import AsyncGenerator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

import xxhash

from lsp_clients.answers import (
    Empty,
    Failed,
    FailReason,
    FileSites,
    Located,
    Location,
    Outcome,
    Outside,
    SiteAnswer,
)
from lsp_clients.errors import PositionError, RequestFailedError, RequestTimeoutError, ServerGarbageError
from lsp_clients.positions import BOM
from lsp_clients.session import ServerHangsError, Session

_MULTIBYTE = re.compile(rb"[\xc2-\xf4][\x80-\xbf]+")
_NOTHING = -1
_NO_NAME = -2


async def ask(session: Session, files: Sequence[FileSites]) -> AsyncGenerator[SiteAnswer]:
    """The answers to all sites of these files, in the order asked. Raises as `Ready.answers` does."""
    texts = _Texts(files)
    size = int(session.settings.settings["batch_files"])
    for first in range(0, len(files), size):
        async for answer in _ask(session, files[first : first + size], texts):
            yield answer


async def _ask(session: Session, files: Sequence[FileSites], texts: _Texts) -> AsyncGenerator[SiteAnswer]:
    """As `ask`. What the extension cannot cope with is asked in halves, so that one file costs its own answers."""
    try:
        result: Any = await session.request(
            "workspace/executeCommand", {"command": "tieline.bindings", "arguments": [_request(files, texts)]}
        )
    except RequestTimeoutError as error:
        raise ServerHangsError(files[0].path) from error
    except RequestFailedError as error:
        if len(files) == 1:
            for offset in files[0].offsets:
                yield SiteAnswer(files[0].path, offset, Failed(FailReason.ERROR, str(error)))
            return
        half = (len(files) + 1) // 2
        for part in (files[:half], files[half:]):
            async for answer in _ask(session, part, texts):
                yield answer
        return
    try:
        rows, answered = result["targets"], result["files"]
        outcomes = [texts.target(row) for row in rows]
        for file, answer in zip(files, answered, strict=True):
            for offset, outcome in zip(file.offsets, _outcomes(file, answer, outcomes, texts), strict=True):
                yield SiteAnswer(file.path, offset, outcome)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise ServerGarbageError(f"an answer of tieline.bindings of the wrong shape: {error!r}") from error


def _request(files: Sequence[FileSites], texts: _Texts) -> dict[str, Any]:
    asked: list[dict[str, Any]] = []
    for path, _, offsets in files:
        text = texts.of(path)
        # Of a file that is not UTF-8 nothing can be asked.
        asked.append({"path": path, "offsets": [] if text is None else [text.units(offset) for offset in offsets]})
    return {"files": asked}


def _outcomes(
    file: FileSites, answer: Mapping[str, Any], targets: Sequence[Outcome], texts: _Texts
) -> Sequence[Outcome]:
    text = texts.of(file.path)
    if text is None:
        return [Failed(FailReason.OUT_OF_RANGE, "the file is not UTF-8")] * len(file.offsets)
    if "problem" in answer:
        return [Failed(FailReason.ERROR, str(answer["problem"]))] * len(file.offsets)
    if answer["length"] != text.length:
        return [Failed(FailReason.ERROR, "the server has read other bytes than those asked about")] * len(file.offsets)
    return [_outcome(one, targets) for one in answer["answers"]]


def _outcome(answer: int | list[int], targets: Sequence[Outcome]) -> Outcome:
    if isinstance(answer, list):
        found = [targets[number] for number in answer]
        places = [place for one in found if isinstance(one, Located) for place in one.locations]
        return Located(tuple(dict.fromkeys(places)), ()) if places else found[0]
    return targets[answer] if answer >= 0 else Empty()


class _Text(NamedTuple):
    """Where the characters of a UTF-8 text lie: bytes of the file, and UTF-16 code units as Java counts them."""

    start: int
    """Bytes of a byte order mark, which is no part of the text."""
    length: int
    """In code units."""
    byte_ends: tuple[int, ...]
    """Byte offset behind each character that is not ASCII."""
    unit_ends: tuple[int, ...]
    """The same in code units."""
    digest: str

    def units(self, offset: int) -> int:
        """Code units before a byte offset."""
        number = bisect_right(self.byte_ends, offset) - 1
        return offset - self.start if number < 0 else self.unit_ends[number] + offset - self.byte_ends[number]

    def bytes(self, units: int) -> int:
        """The byte offset behind this many code units. Raises PositionError when the text is shorter."""
        if not 0 <= units <= self.length:
            raise PositionError(f"code unit {units} of a text of {self.length}")
        number = bisect_right(self.unit_ends, units) - 1
        return units + self.start if number < 0 else self.byte_ends[number] + units - self.unit_ends[number]


def read_text(content: bytes) -> _Text | None:
    """The places of a text; None when it is not UTF-8."""
    start = len(BOM) if content.startswith(BOM) else 0
    digest = xxhash.xxh3_64_hexdigest(content)
    if content.isascii():
        return _Text(0, len(content), (), (), digest)
    try:
        content.decode()
    except UnicodeDecodeError:
        return None
    byte_ends: list[int] = []
    unit_ends: list[int] = []
    last, units = start, 0
    for match in _MULTIBYTE.finditer(content, start):
        for character in match[0].decode():
            width = len(character.encode())
            begin = match.start() if not byte_ends or byte_ends[-1] < match.start() else byte_ends[-1]
            units += begin - last + (2 if width == 4 else 1)
            last = begin + width
            byte_ends.append(last)
            unit_ends.append(units)
    return _Text(start, units + len(content) - last, tuple(byte_ends), tuple(unit_ends), digest)


class _Texts:
    """The texts of the files asked about, and of those on the disk that answers lead to."""

    def __init__(self, files: Sequence[FileSites]) -> None:
        self._known = {path: read_text(content) for path, content, _ in files}

    def of(self, path: str) -> _Text | None:
        """The text of a file; None when it is not UTF-8. Raises OSError when it cannot be read."""
        if path not in self._known:
            self._known[path] = read_text(Path(path).read_bytes())
        return self._known[path]

    def target(self, row: Sequence[Any]) -> Outcome:
        """The outcome that leads to a target as the extension describes it."""
        kind, *fields = row
        if kind == "outside":
            package, version, symbol = cast("list[str]", fields)
            return Outside(package, version, symbol)
        if kind == "nothing":
            return Empty()
        if kind != "source":
            raise ValueError(f"a target of the kind {kind!r}")
        path, start, length = fields
        try:
            text = self.of(str(path))
            if text is None:
                return Failed(FailReason.OUT_OF_RANGE, f"in the answer: {path} is not UTF-8")
            place = Location(str(path), text.bytes(start), text.bytes(start + length), text.digest)
        except PositionError as error:
            return Failed(FailReason.OUT_OF_RANGE, f"in the answer: {error}")
        except OSError as error:
            return Failed(FailReason.GARBAGE, f"a target that cannot be read: {error}")
        return Located((place,), ())
