"""Numbers and text ids of definitions and references."""

from hypothesis import given
from hypothesis import strategies as st

from graph.model import DefinitionKind
from graph.store.numbers import (
    definition_file,
    definition_id,
    definition_range,
    definition_slot,
    reference_file,
    reference_ids,
    reference_range,
    reference_start,
)
from graph.store.text_id import TextId, format_text_id, parse_text_ids

FILES = st.integers(1, (1 << 22) - 1)


@given(FILES, st.integers(0, (1 << 24) - 1))
def test_a_definition_id_holds_its_file_and_slot(file: int, slot: int) -> None:
    number = definition_id(file, slot)
    first, last = definition_range(file)
    assert (definition_file(number), definition_slot(number)) == (file, slot)
    assert first <= number <= last < definition_range(file + 1)[0]


@given(FILES, st.lists(st.integers(0, (1 << 32) - 1), max_size=20).map(sorted))
def test_reference_ids_ascend_and_hold_file_and_start(file: int, starts: list[int]) -> None:
    ids = reference_ids(file, starts)
    first, last = reference_range(file)
    assert [reference_start(number) for number in ids] == starts
    assert ids == sorted(set(ids))
    assert all(reference_file(number) == file and first <= number <= last < 1 << 63 for number in ids)


def test_a_range_of_references_holds_those_that_begin_in_it() -> None:
    ids = reference_ids(3, [0, 5, 5, 9])
    first, last = reference_range(3, 5, 9)
    assert [number for number in ids if first <= number <= last] == ids[1:3]


def test_the_references_of_neighbouring_files_do_not_mix() -> None:
    assert reference_range(3)[1] + 1 == reference_range(4)[0]
    assert reference_range(2)[1] + 1 == reference_range(3)[0]


@given(st.text(min_size=1), st.sampled_from(list(DefinitionKind)), st.text(min_size=1), st.integers(1, 99))
def test_a_text_id_reads_back(path: str, kind: DefinitionKind, name: str, ordinal: int) -> None:
    text = format_text_id(path, kind, name, ordinal)
    assert "\n" not in text
    assert TextId(path, kind, name, ordinal) in parse_text_ids(text)


def test_a_text_id_is_written_as_documented() -> None:
    assert format_text_id("src/auth.py", DefinitionKind.METHOD, "User.login", 1) == "src/auth.py:method:User.login"
    assert format_text_id("a:b%.py", DefinitionKind.ENUM_MEMBER, "x", 3) == "a%3Ab%25.py:enum-member:x~3"


def test_what_is_no_text_id_reads_as_nothing() -> None:
    assert parse_text_ids("src/auth.py:12") == []
    assert parse_text_ids("a.py:nothing:x") == []
