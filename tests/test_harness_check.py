"""The judge of the cases: right answers pass, and each kind of wrong answer is found."""

from typing import Any

import pytest

from tests.harness.case_file import Case, ContextCondition, parse_case
from tests.harness.check import Mode, check_case, context_matches

BOTH_MODES = pytest.mark.parametrize("mode", list(Mode))

SOURCE = """title: t
-- a.py --
class C:  # @def C as C
    def __init__(self, x):
        self.x = x
def f():  # @def f as F
    pass
def g():  # @def g as G
    pass
-- use.py --
"""

# (id, kind, path, line, column)
Place = tuple[str, str, str, int, int]
C = ("a.py:class:C", "class", "a.py", 1, 7)
INIT = ("a.py:method:C.__init__", "method", "a.py", 2, 9)
F = ("a.py:function:f", "function", "a.py", 4, 5)
G = ("a.py:function:g", "function", "a.py", 6, 5)
BYTES: dict[Place, int] = {C: 6, F: 74, G: 107}


def case_of(line: str) -> Case:
    """The definitions C, F and G, and one line of use.py (line 1)."""
    return parse_case(f"{SOURCE}{line}\n".encode(), "t")


def target(place: Place, *contexts: str) -> dict[str, Any]:
    claim = {"layer": "semantic", "engine": "e", "version": "1", "contexts": list(contexts), "confidence": None}
    return dict(zip(("id", "kind", "path", "line", "column"), place, strict=True)) | {"layers": [claim]}


def reference(name: str, verdict: str, *targets: dict[str, Any], candidates: tuple[str, ...] = ()) -> dict[str, Any]:
    return {
        "name": name,
        "kind": "call",
        "enclosing": None,
        "verdict": verdict,
        "targets": list(targets),
        "candidates": list(candidates),
        "external": {"package": "json", "symbol": None} if verdict == "external" else None,
        "reason": "dynamic" if verdict == "unresolved" else None,
    }


def messages(case: Case, mode: Mode, *answers: dict[str, Any] | None) -> list[str]:
    """The faults when the references of use.py are answered so, by column from left to right."""
    columns = sorted({one.spot.column for one in case.expectations})
    replies = dict(zip(columns, answers, strict=True))
    definitions: dict[tuple[str, int, int], Place] = {place[2:]: place for place in BYTES}

    def at(path: str, line: int, column: int) -> object:
        document: dict[str, Any] = {"position": {"path": path, "line": line, "column": column}}
        document |= {"definition": None, "reference": None, "generation": 1, "fresh": True}
        if place := definitions.get((path, line, column)):
            found = dict(zip(("id", "kind", "path", "line", "column"), place, strict=True))
            return document | {"definition": found | {"byte": BYTES[place]}}
        return document | {"reference": replies[column]}

    return [fault.message for fault in check_case(case, at, mode)]


RIGHT = reference("f", "syntactic", target(F))
WRONG = reference("f", "syntactic", target(G))
TOO_MUCH = reference("f", "syntactic", target(F), target(G))
UNRESOLVED = reference("f", "unresolved")
AMBIGUOUS = reference("f", "ambiguous", candidates=(F[0], G[0]))
EXTERNAL = reference("f", "external")


@BOTH_MODES
@pytest.mark.parametrize("option", ["", " [both]", " [syntactic]"])
def test_the_right_target_is_right_everywhere(mode: Mode, option: str) -> None:
    assert messages(case_of(f"f()  # @ref f -> F{option}"), mode, RIGHT) == []


@BOTH_MODES
@pytest.mark.parametrize("option", ["", " [both]", " [syntactic]"])
@pytest.mark.parametrize(
    "answer", [WRONG, TOO_MUCH, EXTERNAL, None], ids=["wrong", "too much", "external", "no reference"]
)
def test_a_wrong_answer_is_wrong_everywhere(mode: Mode, option: str, answer: dict[str, Any] | None) -> None:
    assert len(messages(case_of(f"f()  # @ref f -> F{option}"), mode, answer)) == 1


@pytest.mark.parametrize("answer", [UNRESOLVED, AMBIGUOUS], ids=["unresolved", "ambiguous"])
@pytest.mark.parametrize(
    ("option", "mode", "right"),
    [
        ("", Mode.SYNTACTIC, True),
        ("", Mode.MERGED, False),
        (" [both]", Mode.SYNTACTIC, False),
        (" [both]", Mode.MERGED, False),
        (" [syntactic]", Mode.SYNTACTIC, False),
        (" [syntactic]", Mode.MERGED, False),
    ],
)
def test_silence_is_right_only_without_option_and_without_servers(
    answer: dict[str, Any], option: str, mode: Mode, right: bool
) -> None:
    assert (messages(case_of(f"f()  # @ref f -> F{option}"), mode, answer) == []) is right


@BOTH_MODES
def test_every_label_has_to_be_given(mode: Mode) -> None:
    case = case_of("f()  # @ref f -> F, G")
    assert messages(case, mode, TOO_MUCH) == []
    assert "G is missing" in messages(case, mode, RIGHT)[0]


@BOTH_MODES
def test_occurrences_of_one_line_are_judged_apart(mode: Mode) -> None:
    case = case_of("f(f())  # @ref f -> F; @ref f#2 -> G")
    assert messages(case, mode, RIGHT, WRONG) == []
    assert len(messages(case, mode, WRONG, RIGHT)) == 2


@BOTH_MODES
def test_column_and_line_of_the_target_count(mode: Mode) -> None:
    case = case_of("f()  # @ref f -> F")
    for line, column in ((4, 1), (5, 5)):
        shifted = target((F[0], F[1], F[2], line, column))
        assert len(messages(case, mode, reference("f", "syntactic", shifted))) == 1


LOCAL = ("use.py:variable:run.f", "variable", "use.py", 1, 1)
PARAMETER = ("use.py:parameter:f", "parameter", "use.py", 1, 1)
GLOBAL = ("use.py:variable:f", "variable", "use.py", 1, 1)


@BOTH_MODES
def test_external_is_nothing_of_this_repository(mode: Mode) -> None:
    case = case_of("f()  # @ref f -> external")
    for answer in (EXTERNAL, UNRESOLVED, *(reference("f", "syntactic", target(p)) for p in (LOCAL, PARAMETER))):
        assert messages(case, mode, answer) == []
    for place in (F, GLOBAL):
        assert len(messages(case, mode, reference("f", "syntactic", target(place)))) == 1


def test_candidates_of_this_repository_are_no_external_answer_after_the_semantic_pass() -> None:
    case = case_of("f()  # @ref f -> external")
    assert messages(case, Mode.SYNTACTIC, AMBIGUOUS) == []
    assert len(messages(case, Mode.MERGED, AMBIGUOUS)) == 1
    assert len(messages(case_of("f()  # @ref f -> external [both]"), Mode.SYNTACTIC, AMBIGUOUS)) == 1


@BOTH_MODES
@pytest.mark.parametrize("place", [C, INIT, ("a.py:constructor:C.C~2", "constructor", "a.py", 3, 9)])
def test_a_construction_may_answer_with_class_or_constructor(mode: Mode, place: Place) -> None:
    case = case_of("C(1)  # @ref C -> C [both]")
    assert messages(case, mode, reference("C", "syntactic", target(place))) == []


@BOTH_MODES
def test_only_a_construction_may_answer_with_the_constructor_and_only_with_its_own(mode: Mode) -> None:
    assert len(messages(case_of("x = C  # @ref C -> C"), mode, reference("C", "syntactic", target(INIT)))) == 1
    for foreign in (
        "b.py:method:C.__init__",
        "a.py:method:D.__init__",
        "a.py:method:C.build",
        "a.py:function:__init__",
    ):
        answer = reference("C", "syntactic", target((foreign, foreign.split(":")[1], "a.py", 9, 9)))
        assert len(messages(case_of("C(1)  # @ref C -> C"), mode, answer)) == 1


TWINS = "f()  # @ref f -> F [context GOOS=linux]; @ref f -> G [context GOOS=windows]"
LINUX, WINDOWS = "go:.@linux,amd64", "go:.@windows,amd64"


def test_contexts_in_the_merged_answer() -> None:
    case = case_of(TWINS)
    both = reference("f", "contextual", target(F, LINUX), target(G, WINDOWS))
    assert messages(case, Mode.MERGED, both) == []
    wrong = [
        reference("f", "contextual", target(F, WINDOWS), target(G, LINUX)),
        reference("f", "contextual", target(F, LINUX), target(G, LINUX, WINDOWS)),
        reference("f", "contextual", target(F, LINUX)),
        reference("f", "contextual", target(F), target(G)),
        reference("f", "syntactic", target(F, LINUX), target(G, WINDOWS)),
        reference("f", "contextual", target(F, LINUX), target(G, WINDOWS), target(C, LINUX)),
        AMBIGUOUS,
        EXTERNAL,
    ]
    for answer in wrong:
        assert len(messages(case, Mode.MERGED, answer)) == 1, answer


def test_contexts_in_the_syntactic_answer() -> None:
    case = case_of(TWINS)
    right = [
        UNRESOLVED,
        AMBIGUOUS,
        reference("f", "syntactic", target(F), target(G)),
        reference("f", "contextual", target(F, LINUX), target(G, WINDOWS)),
        reference("f", "contextual", target(F, LINUX)),
    ]
    for answer in right:
        assert messages(case, Mode.SYNTACTIC, answer) == [], answer
    wrong = [
        RIGHT,
        reference("f", "syntactic", target(C)),
        reference("f", "contextual", target(F, WINDOWS), target(G, LINUX)),
        EXTERNAL,
    ]
    for answer in wrong:
        assert len(messages(case, Mode.SYNTACTIC, answer)) == 1, answer


def test_one_context_alone_needs_no_contextual_verdict() -> None:
    case = case_of("f()  # @ref f -> F [context GOOS=windows]")
    assert messages(case, Mode.MERGED, reference("f", "confirmed", target(F, WINDOWS))) == []
    assert len(messages(case, Mode.MERGED, reference("f", "confirmed", target(F, LINUX)))) == 1


@pytest.mark.parametrize(
    ("context", "key", "value", "expected"),
    [
        ("go:.@linux,amd64", "GOOS", "linux", True),
        ("go:.@linux,amd64", "GOARCH", "amd64", True),
        ("go:.@windows,amd64", "GOOS", "linux", False),
        ("go:linux", "GOOS", "linux", False),
        ("cargo:.@features=fast", "features", "fast", True),
        ("cargo:.@features=fast", "features", "", False),
        ("cargo:.@features=fast,slow", "features", "slow,fast", True),
        ("cargo:.@features=fast+slow", "features", "fast", False),
        ("cargo:.", "features", "", True),
        ("cargo:.@features=", "features", "", True),
        ("cargo:.", "features", "fast", False),
        ("go:.@linux,amd64,fast,slow", "tags", "slow,fast", True),
        ("go:.@linux,amd64,fast", "tags", "slow", False),
        ("go:.@linux,amd64", "tags", "", True),
        ("go:.@linux,amd64,fast,CGO_ENABLED=1", "CGO_ENABLED", "1", True),
        ("go:.@linux,amd64,fast,CGO_ENABLED=1", "tags", "fast", True),
    ],
)
def test_context_conditions(context: str, key: str, value: str, expected: bool) -> None:
    assert context_matches(context, ContextCondition(key, value)) is expected


@BOTH_MODES
@pytest.mark.parametrize(
    "answer",
    [
        reference("f", "confirmed"),
        reference("f", "unresolved", target(F)),
        reference("f", "ambiguous", target(F)),
        reference("f", "certain", target(F)),
        reference("g", "confirmed", target(F)),
        {key: value for key, value in RIGHT.items() if key != "verdict"},
        RIGHT | {"targets": [target(F) | {"line": "4"}]},
    ],
)
def test_an_answer_at_odds_with_itself_or_with_its_description_is_a_fault(mode: Mode, answer: dict[str, Any]) -> None:
    assert len(messages(case_of("f()  # @ref f -> F"), mode, answer)) == 1


def test_a_definition_that_is_not_known_is_a_fault() -> None:
    def nothing(path: str, line: int, column: int) -> object:
        position = {"path": path, "line": line, "column": column}
        return {"position": position, "definition": None, "reference": None, "generation": 1, "fresh": True}

    faults = check_case(case_of(""), nothing, Mode.SYNTACTIC)
    assert [str(fault.spot) for fault in faults] == ["a.py:1:7", "a.py:4:5", "a.py:6:5"]


@pytest.mark.parametrize("change", [{"fresh": False}, {"position": {"path": "a.py", "line": 1, "column": 1}}])
def test_an_answer_about_something_else_is_a_fault(change: dict[str, Any]) -> None:
    def at(path: str, line: int, column: int) -> object:
        position = {"path": path, "line": line, "column": column}
        definition = {"id": "x", "kind": "class", "path": path, "line": line, "column": column, "byte": 6}
        return {
            "position": position, "definition": definition, "reference": None, "generation": 1, "fresh": True, **change
        }  # fmt: skip

    faults = check_case(parse_case(b"title: t\n-- a.py --\nclass C:  # @def C as C\n", "t"), at, Mode.SYNTACTIC)
    assert len(faults) == 1
