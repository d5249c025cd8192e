"""Text of a repository on its way to a terminal. Names and source lines are data: they never steer the terminal."""

from __future__ import annotations

import re

# C0 without the tab, DEL, C1, the marks that turn the direction of text or end a line, and lone surrogates.
_UNSAFE = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
_UNSAFE_BYTES = re.compile(b"\x7f|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]")
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_UNSAFE_XML = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
TAB_WIDTH = 4


def printable(text: str) -> str:
    """The text on one line, with every character that could steer a terminal written as an escape; tabs stay."""
    return _UNSAFE.sub(_escaped, text)


def printable_json(document: bytes) -> bytes:
    """A JSON document with the same characters written as escapes. Its meaning stays the same."""
    # Outside of strings JSON is ASCII, and C0 is escaped already.
    return _UNSAFE_BYTES.sub(lambda match: f"\\u{ord(match[0].decode()):04x}".encode(), document)


def utf8_text(text: str) -> str:
    """A text from the command line or the file system with bytes that are not UTF-8 as backslash escapes, as the
    inventory writes them.
    """
    return text if text.isascii() else text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def xml_text(text: str) -> str:
    """The text with every character that XML 1.0 has no way to write (https://www.w3.org/TR/xml/#charsets) escaped."""
    return _NOT_XML.sub(_escaped, text)


def printable_xml(document: str) -> str:
    """XML of `xml_text`s with what could steer a terminal as character references; line ends stay."""
    return _UNSAFE_XML.sub(lambda match: f"&#x{ord(match[0]):x};", document)


def source_line(text: str) -> str:
    """A line of source for display: no line end, tabs as spaces, everything else as `printable`."""
    return printable(text.rstrip("\r\n").replace("\t", " " * TAB_WIDTH))


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """`1 file`, `1,234 files`."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def _escaped(match: re.Match[str]) -> str:
    number = ord(match[0])
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"
