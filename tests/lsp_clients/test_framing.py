"""Cutting the byte stream of a server into messages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsp_clients import ServerGarbageError
from lsp_clients.framing import MAX_BODY, Decoder, Message, encode

_MESSAGES = st.lists(st.dictionaries(st.text(max_size=5), st.text(max_size=20) | st.integers(-9, 9), max_size=3))


@given(_MESSAGES, st.lists(st.integers(1, 30)))
def test_messages_come_out_as_they_went_in_however_they_are_cut(messages: list[Message], cuts: list[int]) -> None:
    stream = b"".join(encode(message) for message in messages)
    decoder = Decoder()
    got: list[Message] = []
    for cut in cuts:
        got += decoder.feed(stream[:cut])
        stream = stream[cut:]
    got += decoder.feed(stream)
    assert got == messages


@given(st.binary(max_size=200))
def test_any_bytes_give_messages_or_the_typed_error(data: bytes) -> None:
    try:
        assert all(isinstance(message, dict) for message in Decoder().feed(data + b"\r\n\r\n"))
    except ServerGarbageError:
        pass


def test_other_headers_and_any_case_are_read() -> None:
    stream = b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length:  2 \r\n\r\n{}"
    assert list(Decoder().feed(stream)) == [{}]


@pytest.mark.parametrize(
    "stream",
    [
        b"Content-Length: -1\r\n\r\n{}",
        b"Content-Length: two\r\n\r\n{}",
        b"Content-Length: %d\r\n\r\n{}" % (MAX_BODY + 1),
        b"Content-Type: text/plain\r\n\r\n{}",
        b"Content-Length: 3\r\n\r\n{]}",
        b"Content-Length: 2\r\n\r\n[]",
        b"Content-Length: 2\r\n\r\n\xff\xff",
        b"z" * 10_000,
        b"z: " + b"z" * 10_000 + b"\r\n\r\n",
    ],
)
def test_garbage_is_a_typed_error(stream: bytes) -> None:
    with pytest.raises(ServerGarbageError):
        list(Decoder().feed(stream))


def test_messages_before_the_garbage_count() -> None:
    messages = Decoder().feed(encode({"id": 1}) + b"nonsense\r\n\r\n")
    assert next(messages) == {"id": 1}
    with pytest.raises(ServerGarbageError):
        next(messages)
