"""What the bytes of a source file mean as text: encoding, line endings, and the UTF-8 form that parsers read.

Nothing is guessed. A file is UTF-8 unless a byte order mark or a declaration that its language defines says
otherwise, and a file that does not decode strictly is `Undecodable`.
"""

import codecs
import re
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from graph.source.offsets import OffsetError, OffsetMap, map_code_units, map_multibyte

LineEnding = Literal["lf", "crlf", "cr", "mixed", "none"]

# PEP 263 and the Python reference, "Encoding declarations": in the first line, or in the second when the first
# holds nothing but a comment or white space.
_COOKIE: Final = re.compile(rb"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK_OR_COMMENT: Final = re.compile(rb"[ \t\f]*(?:#|$)")
_LINE: Final = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n)?")

# Codecs in which the bytes of a name cannot be read by themselves (shift states), or that rewrite escapes: a byte
# range into such a file does not slice to its text.
_NOT_SLICEABLE: Final = re.compile(r"iso2022|hz|utf[-_]?7|utf[-_]?16|utf[-_]?32|unicode[-_]escape|raw|idna|punycode")

# Characters that must mean themselves in a declared encoding: the declaration and the line ends are read as ASCII.
_PROBE: Final = "\r\n\t #-:=.09AZ_az"
_LATIN_1: Final = ("latin-1", "iso-8859-1", "iso-latin-1")


class Undecodable(NamedTuple):
    """A file whose text cannot be known."""

    reason: str
    """What is wrong, and where: one line for people."""


@dataclass(frozen=True, slots=True)
class SourceText:
    """One decoded source file. Offsets are 0-based byte offsets."""

    encoding: str
    """Python codec name: `utf-8`, `utf-16-le`, `utf-16-be`, or the declared one. A BOM does not show here."""
    line_ending: LineEnding
    """Which line terminators occur; `none` for a file without any."""
    utf8: bytes
    """What a parser reads. The very object that was given when the file is UTF-8. A BOM stays in (as U+FEFF)."""
    original_size: int
    """Size of the file in bytes."""
    _map: OffsetMap | None = field(default=None, repr=False, compare=False)

    @property
    def is_identity(self) -> bool:
        """True when offsets in `utf8` are offsets in the file."""
        return self._map is None

    def to_original(self, offset: int) -> int:
        """Offset in the file's own bytes of an offset in `utf8`.

        Raises OffsetError outside of 0..len(utf8), and inside a character where the two differ.
        """
        if self._map is not None:
            return self._map.to_original(offset)
        _check_range(offset, self.original_size)
        return offset

    def to_original_many(self, offsets: list[int]) -> list[int]:
        """`to_original` of ascending offsets. The list itself, unchecked, when they are the same."""
        return offsets if self._map is None else self._map.to_original_many(offsets)

    def from_original(self, offset: int) -> int:
        """Offset in `utf8` of an offset in the file's own bytes; OffsetError as in `to_original`."""
        if self._map is not None:
            return self._map.from_original(offset)
        _check_range(offset, self.original_size)
        return offset

    def from_original_many(self, offsets: list[int]) -> list[int]:
        """`from_original` of ascending offsets. The list itself, unchecked, when they are the same."""
        return offsets if self._map is None else self._map.from_original_many(offsets)


def detect(data: bytes, *, pep263: bool) -> SourceText | Undecodable:
    """Decode a whole file: UTF-8 with or without BOM, UTF-16 with BOM, and PEP 263 cookies when `pep263` is true.

    Costs one validation pass over the bytes and no copy for UTF-8.
    """
    if data.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return Undecodable("UTF-32 is not supported: save the file as UTF-8")
    if data.startswith(codecs.BOM_UTF16_LE):
        return _detect_utf16(data, "utf-16-le")
    if data.startswith(codecs.BOM_UTF16_BE):
        return _detect_utf16(data, "utf-16-be")
    declared = _declared_encoding(data) if pep263 else None
    if declared is not None and declared != "utf-8":
        return _detect_declared(data, declared)
    if not data.isascii():
        try:
            data.decode()
        except UnicodeDecodeError as error:
            return Undecodable(_explain(error, "UTF-8"))
    return SourceText("utf-8", _line_ending(data), data, len(data))


def _detect_utf16(data: bytes, codec: str) -> SourceText | Undecodable:
    try:
        text = data.decode(codec)
    except UnicodeDecodeError as error:
        return Undecodable(_explain(error, "UTF-16"))
    utf8 = text.encode()
    return SourceText(codec, _line_ending(utf8), utf8, len(data), map_code_units(text, unit=2))


def _detect_declared(data: bytes, declared: str) -> SourceText | Undecodable:
    try:
        codec = codecs.lookup(declared)
    except LookupError:
        return Undecodable(f"unknown encoding {declared!r} in the encoding declaration")
    if codec.name != "utf-8" and data.startswith(codecs.BOM_UTF8):
        return Undecodable(f"a UTF-8 byte order mark and an encoding declaration that says {declared}")
    if _NOT_SLICEABLE.search(codec.name):
        return Undecodable(f"encoding {declared!r} cannot be read in parts: save the file as UTF-8")
    try:
        if _PROBE.encode("ascii").decode(declared) != _PROBE:
            return Undecodable(f"encoding {declared!r} is not a superset of ASCII, in which its declaration is written")
        text = data.decode(declared)
    except UnicodeDecodeError as error:
        return Undecodable(_explain(error, declared))
    except LookupError:
        return Undecodable(f"{declared!r} in the encoding declaration is not a text encoding")
    if codec.name == "utf-8":
        return SourceText("utf-8", _line_ending(data), data, len(data))
    utf8 = text.encode()
    if utf8 == data:
        # Plain ASCII, whatever it is called: no map is needed, and positions are those of the declared encoding.
        return SourceText(codec.name, _line_ending(data), data, len(data))
    if len(text) == len(data):
        offsets = map_code_units(text, unit=1)
    else:
        offsets = map_multibyte(data, codecs.getincrementaldecoder(codec.name)())
    return SourceText(codec.name, _line_ending(utf8), utf8, len(data), offsets)


def _declared_encoding(data: bytes) -> str | None:
    """The name in the PEP 263 cookie, `utf-8` and `iso-8859-1` spelled in that one way; None without a cookie."""
    start = 3 if data.startswith(codecs.BOM_UTF8) else 0
    first = _LINE.match(data, start)
    if first is None or not first[0]:
        return None
    line = first[0].rstrip(b"\r\n")
    cookie = _COOKIE.match(line)
    if cookie is None:
        if not _BLANK_OR_COMMENT.match(line):
            return None
        second = _LINE.match(data, first.end())
        cookie = _COOKIE.match(second[0].rstrip(b"\r\n")) if second is not None else None
    return None if cookie is None else _normal_name(cookie[1].decode("ascii", "replace"))


def _normal_name(name: str) -> str:
    """The tokenizer's normalisation: any suffix after the two common names is ignored (`utf-8-unix`)."""
    short = name[:12].lower().replace("_", "-")
    if short == "utf-8" or short.startswith("utf-8-"):
        return "utf-8"
    if short in _LATIN_1 or short.startswith(tuple(f"{known}-" for known in _LATIN_1)):
        return "iso-8859-1"
    return name


def _line_ending(utf8: bytes) -> LineEnding:
    has_lf = b"\n" in utf8
    if b"\r" not in utf8:
        return "lf" if has_lf else "none"
    if not has_lf:
        return "cr"
    pairs = utf8.count(b"\r\n")
    if pairs == utf8.count(b"\n") == utf8.count(b"\r"):
        return "crlf"
    return "mixed"


def _explain(error: UnicodeDecodeError, name: str) -> str:
    return f"not {name}: byte 0x{error.object[error.start]:02x} at offset {error.start} ({error.reason})"


def _check_range(offset: int, size: int) -> None:
    if not 0 <= offset <= size:
        raise OffsetError(f"byte offset {offset} of the file is outside of 0..{size}")
