"""Encodings are known or refused, and offsets in the UTF-8 form lead back to the file's own bytes."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.source import OffsetError, SourceText, Undecodable, detect

TEXT = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=60)


def decoded(data: bytes, *, pep263: bool = True) -> SourceText:
    source = detect(data, pep263=pep263)
    assert isinstance(source, SourceText), source
    return source


def refused(data: bytes, *, pep263: bool = True) -> str:
    source = detect(data, pep263=pep263)
    assert isinstance(source, Undecodable), source
    return source.reason


@pytest.mark.parametrize("data", [b"", b"x = 1\n", "é = 'ü'\n".encode(), codecs.BOM_UTF8 + "é\n".encode()])
def test_utf8_is_not_copied(data: bytes) -> None:
    source = decoded(data)
    assert source.encoding == "utf-8"
    assert source.utf8 is data
    assert source.is_identity


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "none"),
        (b"a", "none"),
        (b"a\nb\n", "lf"),
        (b"a\r\nb\r\n", "crlf"),
        (b"a\rb\r", "cr"),
        (b"a\nb\r\n", "mixed"),
        (b"a\rb\n", "mixed"),
        (b"a\r\r\n", "mixed"),
        ("\ufeffa\r\nb".encode("utf-16-le"), "crlf"),
    ],
)
def test_line_endings(data: bytes, expected: str) -> None:
    assert decoded(data).line_ending == expected


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf16_needs_its_mark(codec: str) -> None:
    source = decoded("\ufeffé = '😀'\n".encode(codec), pep263=False)
    assert source.encoding == codec
    assert source.utf8 == "\ufeffé = '😀'\n".encode()
    assert source.original_size == 2 * (1 + 7 + 2)
    assert "not UTF-8" in refused("é".encode(codec), pep263=False)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"x = '\xe9'\n", "not UTF-8: byte 0xe9 at offset 5"),
        (codecs.BOM_UTF16_LE + b"\x00\xd8x\x00", "not UTF-16"),
        (codecs.BOM_UTF32_LE + b"x\0\0\0", "UTF-32"),
        (b"# coding: no-such-thing\n", "unknown encoding 'no-such-thing'"),
        (b"# coding: rot13\n", "not a text encoding"),
        (b"# coding: utf-7\n", "cannot be read in parts"),
        (b"# coding: iso2022_jp\n", "cannot be read in parts"),
        (b"# coding: unicode_escape\n", "cannot be read in parts"),
        (b"# coding: cp037\n", "not a superset of ASCII"),
        (b"# coding: ascii\n'\xe9'\n", "not ascii"),
        (codecs.BOM_UTF8 + b"# coding: latin-1\n", "byte order mark"),
    ],
)
def test_what_cannot_be_decoded_is_refused(data: bytes, reason: str) -> None:
    assert reason in refused(data)


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (b"# -*- coding: latin-1 -*-\n'\xe9'\n", "iso8859-1"),
        (b"#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\n'\x80'\n", "cp1252"),
        (b"\n# coding=latin_1\n'\xe9'\n", "iso8859-1"),
        (b"\r# coding: latin-1\r'\xe9'\r", "iso8859-1"),
        (b"# coding: iso-8859-1-unix\n'\xe9'\n", "iso8859-1"),
        ("# coding: utf-8-unix\n'é'\n".encode(), "utf-8"),
        (codecs.BOM_UTF8 + "# coding: utf8\n'é'\n".encode(), "utf-8"),
        ("# coding: gbk\n'中'\n".encode("gbk"), "gbk"),
        ("# coding: shift_jis\n'日本'\n".encode("shift_jis"), "shift_jis"),
    ],
)
def test_declared_encodings(data: bytes, encoding: str) -> None:
    assert decoded(data).encoding == encoding


@pytest.mark.parametrize(
    "data",
    [
        b"x = 1\n# coding: latin-1\n'\xe9'\n",
        b"\n\n# coding: latin-1\n'\xe9'\n",
        b"'coding: latin-1'\n'\xe9'\n",
    ],
)
def test_a_declaration_counts_only_where_the_language_says(data: bytes) -> None:
    assert "not UTF-8" in refused(data)


def test_declarations_of_other_languages_are_comments() -> None:
    assert "not UTF-8" in refused(b"# coding: latin-1\n'\xe9'\n", pep263=False)


@pytest.mark.parametrize(
    "codec", ["latin-1", "cp1251", "gbk", "shift_jis", "euc_jp", "big5", "gb18030", "utf-16-le", "utf-16-be"]
)
@given(text=TEXT)
def test_ranges_slice_to_the_same_characters_in_both_forms(codec: str, text: str) -> None:
    kept = text.encode(codec, "ignore").decode(codec).lstrip("\0")
    head = "\ufeff" if codec.startswith("utf-16") else f"# coding: {codec}\n"
    data = (head + kept).encode(codec)
    source = decoded(data)
    whole = source.utf8.decode()
    boundaries = [len(whole[:index].encode()) for index in range(len(whole) + 1)]
    originals = source.to_original_many(boundaries)
    assert originals == [source.to_original(offset) for offset in boundaries]
    assert source.from_original_many(originals) == boundaries == [source.from_original(offset) for offset in originals]
    for index, char in enumerate(whole):
        assert data[originals[index] : originals[index + 1]].decode(codec) == char
    assert (originals[0], originals[-1]) == (0, len(data))


@given(data=st.binary(max_size=200), pep263=st.booleans())
def test_any_bytes_are_decoded_or_refused(data: bytes, pep263: bool) -> None:
    source = detect(data, pep263=pep263)
    if isinstance(source, SourceText):
        assert source.utf8.decode() == data.decode(source.encoding)
    else:
        assert source.reason


@pytest.mark.parametrize("data", ["aé".encode(), "\ufeffaé😀".encode("utf-16-le")])
def test_offsets_outside_of_the_source_are_errors(data: bytes) -> None:
    source = decoded(data)
    assert source.to_original(len(source.utf8)) == len(data)
    for offset in (-1, len(source.utf8) + 1):
        with pytest.raises(OffsetError, match="outside of"):
            source.to_original(offset)
    with pytest.raises(OffsetError, match="outside of"):
        source.from_original(len(data) + 1)


def test_offsets_inside_a_character_are_errors() -> None:
    source = decoded("\ufeffé".encode("utf-16-le"))
    with pytest.raises(OffsetError, match="inside a character"):
        source.to_original(4)
    with pytest.raises(OffsetError, match="inside a character"):
        source.from_original_many([0, 2, 3])
