"""Cutting a byte stream into JSON-RPC messages (LSP 3.17, Base Protocol).

Pure: bytes in, messages out, so that garbage can be tested without a process.
"""

import json
from collections.abc import Iterator
from typing import Any, cast

import orjson

from lsp_clients.errors import ServerGarbageError

Message = dict[str, Any]

MAX_HEADER = 8 * 1024
"""Bytes. A header part longer than this is no header."""
MAX_BODY = 256 * 1024 * 1024
"""Bytes. A message that claims more than this is not read."""

_SEPARATOR = b"\r\n\r\n"


def encode(message: Message) -> bytes:
    """One message with its header."""
    try:
        body = orjson.dumps(message)
    except TypeError:
        # The name of a folder that is not UTF-8. JSON cannot hold it; its URI, which counts, is ASCII.
        body = json.dumps(message, ensure_ascii=False).encode("utf-8", "replace")
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


class Decoder:
    """Collects the bytes that arrive and gives whole messages."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[Message]:
        """The messages completed by `data`, in order.

        Raises ServerGarbageError for a header that is none, a length that is too large, and a body that is not a JSON
        object.
        """
        self._buffer += data
        start = 0
        try:
            while (end := self._buffer.find(_SEPARATOR, start)) >= 0:
                body = end + len(_SEPARATOR)
                length = _content_length(bytes(self._buffer[start:end]))
                if len(self._buffer) < body + length:
                    break
                message = _parse(bytes(self._buffer[body : body + length]))
                start = body + length
                yield message
            else:
                rest = len(self._buffer) - start
                if rest > MAX_HEADER:
                    raise ServerGarbageError(f"no header in {rest} bytes: {_shown(self._buffer[start:])}")
        finally:
            del self._buffer[:start]


def _content_length(header: bytes) -> int:
    if len(header) > MAX_HEADER:
        raise ServerGarbageError(f"a header of {len(header)} bytes: {_shown(header)}")
    for line in header.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            if not value.strip().isdigit():
                break
            length = int(value)
            if length > MAX_BODY:
                raise ServerGarbageError(f"a message of {length} bytes was announced")
            return length
    raise ServerGarbageError(f"no Content-Length in a header: {_shown(header)}")


def _parse(body: bytes) -> Message:
    try:
        message: object = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise ServerGarbageError(f"a message that is not JSON ({error}): {_shown(body)}") from error
    if not isinstance(message, dict):
        raise ServerGarbageError(f"a message that is not an object: {_shown(body)}")
    return cast(Message, message)


def _shown(data: bytes | bytearray) -> str:
    return repr(bytes(data[:80]))
