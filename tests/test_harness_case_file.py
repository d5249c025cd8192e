"""The reader of `.case` files."""

from pathlib import Path

import pytest

from tests.harness.case_file import Case, CaseError, ContextCondition, Demand, parse_case, read_case
from tests.harness.case_paths import OWN_CASES, case_paths


def case_of(*lines: str) -> Case:
    return parse_case("\n".join(["title: t", *lines, ""]).encode(), "t")


def test_definition_and_reference_with_their_places() -> None:
    case = case_of("-- a.py --", "def f():  # @def f as F", "    pass", "x = f()  # @ref f -> F [both]")
    definition, (expectation,) = case.definitions["F"], case.expectations
    assert (str(definition.spot), definition.spot.byte) == ("a.py:1:5", 4)
    assert (str(expectation.spot), expectation.spot.byte) == ("a.py:3:5", 37)
    assert (expectation.labels, expectation.demand) == ({"F"}, Demand.BOTH)


def test_occurrences_are_whole_identifiers_outside_the_comment() -> None:
    case = case_of(
        "-- a.ts --",
        "const f = 1; // @def f as F",
        "ff(f$, _f, f, f); // @ref f -> F; @ref f#2 -> F",
    )
    assert [one.spot.column for one in case.expectations] == [12, 15]
    with pytest.raises(CaseError, match="no occurrence 3 of f"):
        case_of("-- a.ts --", "f(f); // @ref f#3 -> external")


def test_columns_count_code_points_and_bytes_count_utf8() -> None:
    case = case_of("-- 目录/é.py --", "é = 1  # @def é as E", 's = "🎉🎉"; é()  # @ref é -> E')
    (expectation,) = case.expectations
    assert (str(expectation.spot), expectation.spot.byte) == (
        "目录/é.py:2:11",
        len('é = 1  # @def é as E\ns = "🎉🎉"; '.encode()),
    )


def test_a_tab_is_one_column_and_odd_line_separators_are_content() -> None:
    case = case_of("-- a.py --", "x = '\u2028\f'", "\tf()  # @ref f -> external")
    (expectation,) = case.expectations
    assert (expectation.spot.line, expectation.spot.column) == (2, 2)


@pytest.mark.parametrize(
    ("option", "demand", "condition"),
    [
        ("", Demand.MERGED, None),
        (" [both]", Demand.BOTH, None),
        (" [syntactic]", Demand.SYNTACTIC, None),
        (" [context GOOS=linux]", Demand.CONTEXT, ContextCondition("GOOS", "linux")),
        (" [context features=]", Demand.CONTEXT, ContextCondition("features", "")),
    ],
)
def test_options(option: str, demand: Demand, condition: ContextCondition | None) -> None:
    case = case_of("-- a.go --", f"f() // @ref f -> external{option}")
    assert [(one.demand, one.condition) for one in case.expectations] == [(demand, condition)]


def test_several_labels_and_external() -> None:
    case = case_of(
        "-- a.py --", "a = 1  # @def a as A", "b = 1  # @def b as B", "f(g)  # @ref f -> A, B; @ref g -> external"
    )
    assert [(one.labels, one.external) for one in case.expectations] == [({"A", "B"}, False), (frozenset(), True)]


def test_an_address_in_a_string_is_no_comment() -> None:
    case = case_of("-- a.ts --", 'f("https://example.test/f#f"); // @ref f#3 -> external')
    assert [one.spot.column for one in case.expectations] == [27]


@pytest.mark.parametrize(
    ("code", "construction"),
    [
        ("Foo()", True),
        ("Foo {}", True),
        ("new Foo", True),
        ("new a.b.Foo<X>()", True),
        ("x = Foo", False),
        ("anew Foo", False),
    ],
)
def test_constructions(code: str, construction: bool) -> None:
    case = case_of("-- a.ts --", f"{code} // @ref Foo -> external")
    assert [one.construction for one in case.expectations] == [construction]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["-- a.py --", "f()  # @ref f -> F"], "a.py:1: no definition is labelled F"),
        (["-- a.py --", "f = g = 1  # @def f as F; @def g as F"], "a.py:1: label F is taken"),
        (["-- a.py --", "f()  # @ref f -> external [bth]"], "a.py:1: unknown option \\[bth\\]"),
        (["-- a.py --", "f()  # @ref f => external"], "a.py:1: not an expectation"),
        (["-- a.py --", "f()  # @ref f -> external and more"], "a.py:1: not an expectation"),
        (["-- a.py --", "f()  # @ref f -> external; "], "a.py:1: not an expectation: ''"),
        (["-- a.py --", "f = 1  # @def f as F", "f  # @ref f -> F, external"], "a.py:2: `external` stands alone"),
        (["-- a.py --", "f = 1  # @def f as external"], "a.py:1: `external` is no label"),
        (["-- ../a.py --", "f"], "not a plain relative path"),
        (["-- /a.py --", "f"], "not a plain relative path"),
        (["-- a.py --", "f", "-- a.py --", "g"], "a.py stands twice"),
        (["only words"], "so no file"),
    ],
)
def test_what_is_not_in_the_format_is_refused(lines: list[str], message: str) -> None:
    with pytest.raises(CaseError, match=message):
        case_of(*lines)


def test_a_case_without_title_is_refused() -> None:
    with pytest.raises(CaseError, match="no `title:` line"):
        parse_case(b"-- a.py --\nf()\n", "t")


def test_files_are_written_byte_for_byte(tmp_path: Path) -> None:
    case = case_of("-- pkg/__init__.py --", "-- pkg/目.py --", "\tf()  # @ref f -> external")
    case.write(tmp_path / "deep")
    assert (tmp_path / "deep/pkg/__init__.py").read_bytes() == b""
    assert (tmp_path / "deep/pkg/目.py").read_bytes() == b"\tf()  # @ref f -> external\n"


@pytest.mark.parametrize("name", case_paths())
def test_every_place_of_every_case_slices_to_its_name(name: str) -> None:
    case = read_case(case_paths()[name])
    contents = {file.path: file.content for file in case.files}
    for item in [*case.definitions.values(), *case.expectations]:
        content, spot = contents[item.spot.path], item.spot
        assert content[spot.byte :].startswith(item.name.encode())
        line = content.decode().split("\n")[spot.line - 1]
        assert line[spot.column - 1 :].startswith(item.name)
    assert case.expectations


def test_the_cases_of_the_project_are_found() -> None:
    own = {path.stem for path in OWN_CASES.glob("*.case")}
    assert own
    assert own <= case_paths().keys()
