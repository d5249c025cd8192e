"""Byte offsets and LSP positions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsp_clients import PositionError
from lsp_clients.positions import ENCODINGS, Encoding, LineTable, Position, encoding_of

# Astral, combining and wide characters, every line ending, tabs, and characters that other tools take for line ends.
_TEXT = st.text(st.sampled_from(list("ab\t é𝒳😀漢\u0301\r\n\u2028\x0b\x0c\x85")), max_size=40)
_ENCODING = st.sampled_from(ENCODINGS)


@pytest.mark.parametrize(
    ("encoding", "character"),
    [("utf-8", 6), ("utf-16", 3), ("utf-32", 2)],
)
def test_characters_are_code_units_of_the_encoding(encoding: Encoding, character: int) -> None:
    table = LineTable("x\né😀=1\n".encode(), encoding)
    assert table.position(8) == Position(1, character)
    assert table.offset(1, character) == 8


def test_lines_end_with_crlf_lf_or_cr_and_nothing_else() -> None:
    table = LineTable("a\r\nb\rc\nd\u2028\x0ce".encode(), "utf-16")
    assert [table.position(offset) for offset in (0, 3, 5, 7)] == [(0, 0), (1, 0), (2, 0), (3, 0)]
    assert table.offset(3, 3) == 12
    with pytest.raises(PositionError):
        table.offset(4, 0)


def test_a_byte_order_mark_is_a_character_or_none() -> None:
    content = b"\xef\xbb\xbfab\ncd"
    assert LineTable(content, "utf-16").position(3) == (0, 1)
    assert LineTable(content, "utf-16", counts_bom=False).position(3) == (0, 0)
    assert LineTable(content, "utf-16", counts_bom=False).offset(0, 1) == 4
    assert LineTable(content, "utf-16", counts_bom=False).position(6) == (1, 0)
    with pytest.raises(PositionError):
        LineTable(content, "utf-16", counts_bom=False).position(0)


@pytest.mark.parametrize("offset", [-1, 1, 3, 6, 8, 10])
def test_offsets_inside_a_code_point_a_line_end_or_outside_raise(offset: int) -> None:
    # Bytes 0-3 are the emoji, 4 is the letter, 5-6 the line ending, 7-8 the accented letter.
    table = LineTable("😀a\r\né".encode(), "utf-16")
    with pytest.raises(PositionError):
        table.position(offset)


@pytest.mark.parametrize(
    ("encoding", "line", "character"),
    [
        ("utf-8", 0, 1),
        ("utf-8", 0, 6),
        ("utf-16", 0, 1),
        ("utf-16", 0, 4),
        ("utf-32", 0, 3),
        *((encoding, *outside) for encoding in ENCODINGS for outside in ((2, 0), (-1, 0), (0, -1), (1, 2))),
    ],
)
def test_positions_inside_a_code_point_past_the_line_or_outside_raise(
    encoding: Encoding, line: int, character: int
) -> None:
    table = LineTable("😀a\nb".encode(), encoding)
    with pytest.raises(PositionError):
        table.offset(line, character)


def test_a_file_that_is_not_utf_8_converts_elsewhere_than_on_its_bad_lines() -> None:
    table = LineTable(b"\xff\xfe x\nok\n", "utf-16")
    assert table.offset(1, 1) == 6
    with pytest.raises(PositionError):
        table.offset(0, 1)


@given(_TEXT, _ENCODING)
def test_every_place_between_code_points_round_trips(text: str, encoding: Encoding) -> None:
    content = text.encode()
    table = LineTable(content, encoding)
    offset = 0
    for index in range(len(text) + 1):
        if text[index - 1 : index + 1] != "\r\n" or index == 0:
            position = table.position(offset)
            assert table.offset(*position) == offset
        if index < len(text):
            offset += len(text[index].encode())


@given(_TEXT, _ENCODING, st.integers(-2, 130))
def test_an_offset_converts_exactly_when_it_is_a_place(text: str, encoding: Encoding, offset: int) -> None:
    content = text.encode()
    # The definition of a place, by other means: both sides decode, and no line ending is cut.
    try:
        decodes = 0 <= offset <= len(content) and content[:offset].decode() + content[offset:].decode() == text
    except UnicodeDecodeError:
        decodes = False
    is_place = decodes and not (content[:offset].endswith(b"\r") and content[offset:].startswith(b"\n"))
    table = LineTable(content, encoding)
    if is_place:
        assert table.position(offset).character >= 0
    else:
        with pytest.raises(PositionError):
            table.position(offset)


@given(st.binary(max_size=60), _ENCODING, st.integers(-1, 8), st.integers(-1, 40))
def test_any_bytes_give_an_offset_or_the_typed_error(
    content: bytes, encoding: Encoding, line: int, character: int
) -> None:
    table = LineTable(content, encoding)
    try:
        offset = table.offset(line, character)
    except PositionError:
        return
    assert 0 <= offset <= len(content)
    assert table.position(offset) == (line, character)


def test_the_encoding_of_an_initialize_answer() -> None:
    assert encoding_of(None) == "utf-16"
    assert encoding_of("utf-8") == "utf-8"
    with pytest.raises(PositionError):
        encoding_of("latin-1")
