"""From the places that a server names to definitions. What the server says is written by hand here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import xxhash

from graph.model import Status
from graph.store.semantic import Answer, Question, files_of, questions
from lsp_clients import Empty, Failed, FailReason, Located, Location
from resolver.locating import Locator
from tests.harness.indexing import Repository

FILES = {
    "lib.py": """\
import os
from os import path as where


class Shape:
    kind = None

    def __init__(self):
        self.side = 1

    def grow(self, step):
        self.side = self.side + step
        self.kind = "big"
        total = step

        return total

    @property
    def area(self):
        return self.side

    @area.setter
    def area(self, value):
        self.side = value


def overloaded(x: int) -> int: ...


counter = 0


def bump():
    global counter
    counter += 1
""",
    "over.py": """\
from typing import overload


@overload
def twice(x: int) -> int: ...
@overload
def twice(x: str) -> str: ...
def twice(x):
    return x


if twice:
    def choice(): pass
else:
    def choice(): pass
""",
    "declared.pyi": """\
from typing import overload
@overload
def once(x: int) -> int: ...
@overload
def once(x: str) -> str: ...
""",
    "guarded.py": """\
try:
    from fast import quick
except ImportError:
    def quick(): pass
""",
    "itself.py": "from itself import value\nvalue = 1\nvalue.__name__\n",
    "app.py": "from lib import Shape\n\n\ndef f(x):\n    x.go()\n",
    "skipped.txt": "go\n",
}


class Places:
    """A repository, and places in it by what stands there."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self.root = repository.root.resolve()

    def at(self, path: str, line: int, name: str, occurrence: int = 1) -> Location:
        """The place of the n-th `name` on a line (1-based); an empty name is the start of the file."""
        content = (self.root / path).read_bytes()
        start = sum(len(text) for text in content.splitlines(keepends=True)[: line - 1]) if name else 0
        for _ in range(occurrence if name else 0):
            start = content.index(name.encode(), start) + (1 if occurrence > 1 else 0)
        start -= 1 if name and occurrence > 1 else 0
        digest = xxhash.xxh3_64_hexdigest(content)
        return Location(str(self.root / path), start, start + len(name.encode()), digest)

    def answer(self, *locations: Location, asked: str = "app.py:go") -> Answer:
        with self.repository.read() as state:
            locator = Locator(state.connection, self.root, lambda path, name: (Path(path).stem, "", name))
            return locator.answer(self._question(asked), Located(locations, ()))

    def ids(self, *locations: Location, asked: str = "app.py:go") -> list[str]:
        """The targets of the answer as ids; [its reason] when it has none."""
        answer = self.answer(*locations, asked=asked)
        if answer.status != Status.RESOLVED:
            return [answer.reason]
        with self.repository.read() as state:
            found = [state.definition(target) for target in answer.targets]
            return [definition.id for definition in found if definition is not None]

    def _question(self, asked: str) -> Question:
        path, name = asked.split(":")
        with self.repository.read() as state:
            numbers = [file.number for file in files_of(state.connection) if file.path == path]
            return next(one for one in questions(state.connection, files=numbers) if one.name == name)


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Places]:
    repository = Repository(tmp_path_factory.mktemp("locating"), FILES)
    repository.index()
    yield Places(repository)


def test_a_module(places: Places) -> None:
    assert places.ids(places.at("lib.py", 1, "")) == ["lib.py:module:lib"]


def test_a_class_a_method_and_a_field(places: Places) -> None:
    assert places.ids(places.at("lib.py", 5, "Shape")) == ["lib.py:class:Shape"]
    assert places.ids(places.at("lib.py", 11, "grow")) == ["lib.py:method:Shape.grow"]
    assert places.ids(places.at("lib.py", 9, "side")) == ["lib.py:field:Shape.side"]


def test_several_places(places: Places) -> None:
    found = places.ids(places.at("lib.py", 11, "grow"), places.at("lib.py", 5, "Shape"))
    assert found == ["lib.py:class:Shape", "lib.py:method:Shape.grow"]


@pytest.mark.parametrize(
    ("line", "name", "wanted"),
    [
        (12, "side", "lib.py:field:Shape.side"),
        (13, "kind", "lib.py:field:Shape.kind"),
        (24, "side", "lib.py:field:Shape.side"),
        (35, "counter", "lib.py:variable:counter"),
    ],
)
def test_a_further_assignment_is_the_definition(places: Places, line: int, name: str, wanted: str) -> None:
    assert places.ids(places.at("lib.py", line, name)) == [wanted]
    assert places.ids(places.at("lib.py", 9, "side"), places.at("lib.py", 12, "side")) == ["lib.py:field:Shape.side"]


def test_a_use_declares_nothing(places: Places) -> None:
    assert places.ids(places.at("lib.py", 12, "side", 2)) == ["local-value"]


def test_an_import_is_no_definition(places: Places) -> None:
    assert places.ids(places.at("app.py", 1, "Shape")) == ["no-definition-there"]
    assert places.ids(places.at("lib.py", 2, "where")) == ["no-definition-there"]


def test_parameters_and_local_variables(places: Places) -> None:
    for location in (places.at("lib.py", 11, "step"), places.at("lib.py", 14, "total")):
        answer = places.answer(location)
        assert (answer.status, answer.reason, answer.external) == (Status.UNRESOLVED, "local-value", None)


def test_a_property_is_its_getter(places: Places) -> None:
    getter, setter = places.at("lib.py", 19, "area"), places.at("lib.py", 23, "area")
    for locations in ((getter, setter), (setter,), (setter, getter)):
        assert places.ids(*locations) == ["lib.py:method:Shape.area"]


def test_a_function_with_overloads_is_its_implementation(places: Places) -> None:
    every = [places.at("over.py", line, "twice") for line in (5, 7, 8)]
    assert places.ids(*every) == ["over.py:function:twice~3"]
    assert places.ids(every[0]) == ["over.py:function:twice~3"]


def test_of_overloads_without_an_implementation_the_one_that_was_chosen_counts(places: Places) -> None:
    first, second = (places.at("declared.pyi", line, "once") for line in (3, 5))
    assert places.ids(second) == ["declared.pyi:function:once~2"]
    assert places.ids(first, second) == places.ids(second, first) == ["declared.pyi:function:once"]


def test_conditional_definitions_stay_apart(places: Places) -> None:
    one, two = places.at("over.py", 13, "choice"), places.at("over.py", 15, "choice")
    assert places.ids(one) == ["over.py:function:choice"]
    assert places.ids(one, two) == ["over.py:function:choice", "over.py:function:choice~2"]


def test_an_import_is_not_what_stands_beside_it(places: Places) -> None:
    beside = places.at("guarded.py", 4, "quick")
    assert places.ids(beside, asked="guarded.py:quick") == ["import-not-followed"]
    assert places.ids(beside) == ["guarded.py:function:quick"]
    both = [beside, places.at("lib.py", 11, "grow")]
    assert places.ids(*both, asked="guarded.py:quick") == ["lib.py:method:Shape.grow"]
    own = places.at("itself.py", 2, "value")
    assert places.ids(own, asked="itself.py:value") == ["itself.py:variable:value"]


def test_a_name_that_every_module_has_is_not_the_module(places: Places) -> None:
    start = places.at("lib.py", 1, "")
    assert places.ids(start, asked="itself.py:__name__") == ["no-definition-there"]


def test_outside(places: Places, tmp_path: Path) -> None:
    for folder in (tmp_path, places.root / ".venv/lib/site-packages", places.root / "node_modules/x"):
        answer = places.answer(Location(str(folder / "package.py"), 0, 3, ""))
        assert (answer.status, answer.external) == (Status.EXTERNAL, ("package", "", "go"))


def test_a_file_of_the_repository_that_is_not_indexed(places: Places) -> None:
    for path in ("skipped.txt", "build/generated.py"):
        answer = places.answer(Location(str(places.root / path), 0, 2, ""))
        assert (answer.status, answer.reason) == (Status.UNRESOLVED, "target-not-indexed")


def test_a_neighbour_whose_name_begins_alike_is_outside(places: Places) -> None:
    assert places.answer(Location(f"{places.root}-old/x.py", 0, 2, "")).status == Status.EXTERNAL


def test_a_root_that_is_itself_below_installed_packages(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "site-packages", {"app.py": "def f(x):\n    x.go()\n"})
    repository.index()
    places = Places(repository)
    assert places.ids(Location(str(places.root / "gone.py"), 0, 2, "")) == ["target-not-indexed"]


def test_inside_counts_before_outside(places: Places, tmp_path: Path) -> None:
    both = [Location(str(tmp_path / "stub.pyi"), 0, 3, ""), places.at("lib.py", 11, "grow")]
    assert places.ids(*both) == ["lib.py:method:Shape.grow"]


def test_a_target_that_changed_meanwhile(places: Places) -> None:
    location = places.at("lib.py", 11, "grow")._replace(digest="0" * 16)
    answer = places.answer(location)
    assert (answer.status, answer.reason) == (Status.FAILED, "changed-meanwhile")


def test_failures_and_nothing(places: Places) -> None:
    with places.repository.read() as state:
        locator = Locator(state.connection, places.root, lambda path, name: ("", "", name))
        question = next(questions(state.connection))
        assert locator.answer(question, Failed(FailReason.TIMEOUT, "60 s"))[1:3] == (Status.FAILED, "timeout")
        assert locator.answer(question, Empty())[1:3] == (Status.UNRESOLVED, "no-answer")
        assert locator.answer(question, Located((), ()))[1:3] == (Status.UNRESOLVED, "no-answer")


def test_what_is_no_file_is_outside(places: Places) -> None:
    with places.repository.read() as state:
        locator = Locator(state.connection, places.root, lambda path, name: (path, "", name))
        question = next(questions(state.connection))
        answer = locator.answer(question, Located((), ("jdt://contents/rt.jar/java.lang/String.class",)))
    assert (answer.status, answer.external) == (
        Status.EXTERNAL,
        ("jdt://contents/rt.jar/java.lang/String.class", "", question.name),
    )


def test_names_that_are_not_utf8(tmp_path: Path) -> None:
    text = "def grow(x):\n    x.go()\n"
    repository = Repository(tmp_path, dict.fromkeys(["caf\udce9.py", "d\udce9/x.py", "é.py"], text))
    repository.index()
    places = Places(repository)
    found = [
        places.ids(places.at(path, 1, "grow"), asked="é.py:go") for path in ("caf\udce9.py", "d\udce9/x.py", "é.py")
    ]
    assert found == [["caf\\xe9.py:function:grow"], ["d\\xe9/x.py:function:grow"], ["é.py:function:grow"]]
