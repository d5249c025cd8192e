"""Every verdict, end to end with a real pyright."""

from __future__ import annotations

from pathlib import Path

import pytest

from graph.model import Status
from graph.query import at, find_symbol
from graph.store.rows import RowWriter
from tests.harness.indexing import Repository
from tests.resolver.support import judged, resolved, said, statuses, update, written, wrong_verdicts

pytestmark = [pytest.mark.server, pytest.mark.usefixtures("pyright")]

LIB = """\
import os


class Base:
    def __init__(self, size):
        self.size = size

    def run(self):
        pass


class Kid(Base):
    def run(self):
        print(self.size)
        return os.getcwd()


class Made:
    def __init__(self):
        self.parts = []

    @property
    def width(self):
        return 1

    @width.setter
    def width(self, value):
        pass


def total(made):
    pass
"""
APP = """\
from functools import reduce
from lib import Base, Kid, Made


Base(1)
Kid(1).run()
made = Made()
made.width = made.width + 1
print(Kid(1).size)
reduce(lambda one, two: one, [Kid(1)]).run()


def read(path, total):
    with open(path) as file:
        text = file.read()
    raise total


made.parts.append(1)
"""


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path, {"lib.py": LIB, "app.py": APP})


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory, pyright: tuple[str, ...]) -> Repository:
    """The same with everything asked; not to be changed."""
    made = Repository(tmp_path_factory.mktemp("answered"), {"lib.py": LIB, "app.py": APP})
    update(made)
    untie(made, "app.py", 10, "run")
    untie(made, "app.py", 15, "read")
    report = resolved(made)
    assert [context.problem for context in report.contexts] == [""]
    return made


def tie(repository: Repository, path: str, line: int, name: str, symbol: str, *, rule: str = "wrong-rule") -> None:
    """Make the syntactic layer tie a reference to a definition, as a rule that is wrong would."""
    with repository.read() as state:
        target = find_symbol(state, symbol).number
    _let_say(repository, (path, line, name), Status.RESOLVED, rule, target)


def untie(repository: Repository, path: str, line: int, name: str) -> None:
    """Make the syntactic layer leave a reference unresolved, whatever it knows."""
    _let_say(repository, (path, line, name), Status.UNRESOLVED, "", None)


def _let_say(
    repository: Repository, place: tuple[str, int, str], status: Status, rule: str, target: int | None
) -> None:  # fmt: skip
    with repository.read() as state:
        reference = judged(state, *place).reference.number
    with written(repository) as (connection, writer), writer.transaction():
        outcome = RowWriter(connection, empty=False).outcome(int(status), rule, "" if rule else "receiver-unknown")
        connection.execute("DELETE FROM syntactic_target WHERE reference = ?", (reference,))
        connection.execute(
            "UPDATE reference SET target = ?, outcome = ?, external = NULL WHERE id = ?", (target, outcome, reference)
        )


def test_confirmed(answered: Repository) -> None:
    assert said(answered, "app.py", 2, "Kid") == "confirmed -> lib.py:class:Kid"
    assert said(answered, "app.py", 5, "Base") == "confirmed -> lib.py:class:Base"
    assert said(answered, "app.py", 6, "Kid") == "confirmed -> lib.py:class:Kid"
    assert said(answered, "app.py", 6, "run") == "confirmed -> lib.py:method:Kid.run"
    assert said(answered, "lib.py", 14, "size") == "confirmed -> lib.py:field:Base.size"
    assert said(answered, "app.py", 9, "size") == "confirmed -> lib.py:field:Base.size"
    assert wrong_verdicts(answered) == []


def test_a_property_with_a_setter_is_confirmed(answered: Repository) -> None:
    for occurrence in (1, 2):
        assert said(answered, "app.py", 8, "width", occurrence) == "confirmed -> lib.py:method:Made.width"


def test_upgraded(answered: Repository) -> None:
    assert said(answered, "app.py", 10, "run") == "upgraded -> lib.py:method:Kid.run"
    with answered.read() as state:
        found = judged(state, "app.py", 10, "run")
    (claim,) = found.targets[0].layers
    assert found.resolutions[0].status == "unresolved"
    assert (claim.layer, claim.engine) == ("semantic", "pyright")
    assert claim.contexts[0].startswith("python:.@")


def test_external(answered: Repository) -> None:
    assert said(answered, "app.py", 15, "read") == "external (_io:read)"
    assert said(answered, "lib.py", 1, "os") == "external (os:)"


def test_a_local_variable_is_known_and_not_external(answered: Repository) -> None:
    assert said(answered, "app.py", 16, "total") == "unresolved [local-value]"


def test_corrected(repository: Repository) -> None:
    update(repository)
    tie(repository, "app.py", 6, "run", "lib.py:method:Base.run")
    resolved(repository)
    assert said(repository, "app.py", 6, "run") == "corrected -> lib.py:method:Kid.run"
    with repository.read() as state:
        syntactic, semantic = judged(state, "app.py", 6, "run").resolutions
    assert [definition.id for definition in syntactic.targets] == ["lib.py:method:Base.run"]
    assert [definition.id for definition in semantic.targets] == ["lib.py:method:Kid.run"]


def test_refuted_by_what_is_external(repository: Repository) -> None:
    update(repository)
    tie(repository, "app.py", 19, "append", "lib.py:method:Base.run")
    resolved(repository)
    assert said(repository, "app.py", 19, "append") == "refuted (builtins:append)"


def test_a_type_that_pyright_does_not_know_refutes_nothing(tmp_path: Path) -> None:
    source = "from lib import Base\n\n\ndef f(thing):\n    thing.run()\n\n    return 1\n    Base(1).run()\n"
    repository = Repository(tmp_path, {"lib.py": LIB, "app.py": source})
    update(repository)
    tie(repository, "app.py", 5, "run", "lib.py:method:Base.run")
    resolved(repository)
    assert said(repository, "app.py", 5, "run") == "syntactic -> lib.py:method:Base.run"
    assert said(repository, "app.py", 8, "run") == "syntactic -> lib.py:method:Base.run"


def test_nothing_is_refuted_where_an_import_was_not_found(tmp_path: Path) -> None:
    source = f"import missing_package\n{APP}\nmissing_package.x()\n"
    repository = Repository(tmp_path, {"lib.py": LIB, "app.py": source})
    update(repository)
    tie(repository, "app.py", 20, "append", "lib.py:method:Base.run")
    resolved(repository)
    assert said(repository, "app.py", 20, "append") == "syntactic -> lib.py:method:Base.run"
    assert said(repository, "app.py", 22, "x") == "external (missing_package:x)"


def test_refutation_needs_no_more_than_the_default_plan(repository: Repository) -> None:
    update(repository)
    tie(repository, "app.py", 19, "append", "lib.py:method:Base.run", rule="wrong-partial")
    resolved(repository, everything=False, under="app.py")
    assert said(repository, "app.py", 19, "append") == "refuted (builtins:append)"


def test_a_local_variable_refutes(repository: Repository) -> None:
    update(repository)
    tie(repository, "app.py", 16, "total", "lib.py:function:total")
    resolved(repository)
    assert said(repository, "app.py", 16, "total") == "refuted [local-value]"


def test_syntactic_when_nobody_was_asked(repository: Repository) -> None:
    resolved(repository, under="lib.py")
    assert said(repository, "app.py", 6, "run") == "syntactic -> lib.py:method:Kid.run"
    assert said(repository, "lib.py", 12, "Base") == "confirmed -> lib.py:class:Base"


def test_an_import_that_was_not_found_is_not_what_stands_beside_it(tmp_path: Path) -> None:
    source = "try:\n    from fast_package import quick\nexcept ImportError:\n    def quick(): pass\n\nquick()\n"
    repository = Repository(tmp_path, {"app.py": source})
    resolved(repository)
    assert said(repository, "app.py", 2, "quick") == "external (fast_package:quick)"


def test_a_fallback_does_not_take_the_place_of_an_import(tmp_path: Path) -> None:
    source = "try:\n    import {0}\nexcept ImportError:\n    {0} = None\n\n{0}.x\n"
    repository = Repository(tmp_path, {"a.py": source.format("missing_package"), "b.py": source.format("json")})
    resolved(repository)
    assert said(repository, "a.py", 6, "missing_package") == "external (missing_package:)"
    assert said(repository, "b.py", 6, "json") == "external (json:)"
    assert said(repository, "b.py", 2, "json") == "external (json:)"


def test_an_import_whose_name_is_taken_again(tmp_path: Path) -> None:
    files = {"lib.py": LIB, "app.py": "from lib import Base\n\n\nclass Base(Base):\n    pass\n"}
    repository = Repository(tmp_path, files)
    resolved(repository)
    assert said(repository, "app.py", 1, "Base") == "confirmed -> lib.py:class:Base"


def test_names_that_a_module_has_by_itself(tmp_path: Path) -> None:
    source = "class A:\n    def f(self, cls: type):\n        return cls.__module__, __name__, __file__\n"
    repository = Repository(tmp_path, {"app.py": source})
    resolved(repository)
    for name in ("__module__", "__name__", "__file__"):
        with repository.read() as state:
            found = [item.reference for item in at(state, "app.py", 3).items if item.reference]
            assert [one.targets for one in found if one.reference.name == name] in ([], [()])


def test_every_declaration_of_one_name_contradicts_nobody(tmp_path: Path) -> None:
    source = "class A:\n    def check(x):\n        pass\n\n    check = staticmethod(check)\n\n\nA.check()\n"
    repository = Repository(tmp_path, {"app.py": source})
    update(repository)
    tie(repository, "app.py", 8, "check", "app.py:method:A.check")
    resolved(repository)
    assert said(repository, "app.py", 8, "check").startswith("confirmed -> app.py:method:A.check")


def test_modules_found_by_their_scripts_and_across_projects(tmp_path: Path) -> None:
    repository = Repository(
        tmp_path,
        {
            "tests/helpers.py": "def help(): pass\n",
            "tests/unit/test_it.py": "from helpers import help\n\nhelp()\n",
            "api/pyproject.toml": "[project]\nname = 'api'\n",
            "api/src/api/__init__.py": "def serve(): pass\n",
            "web/pyproject.toml": "[project]\nname = 'web'\n",
            "web/web/__init__.py": "from api import serve\n\nserve()\n",
            "web/.venv/pyvenv.cfg": "version = 3.11.1\n",
        },
    )
    report = resolved(repository)
    assert [context.name for context in report.contexts][1] == "python:web@.venv"
    assert said(repository, "tests/unit/test_it.py", 3, "help") == "confirmed -> tests/helpers.py:function:help"
    assert said(repository, "web/web/__init__.py", 3, "serve").endswith(" -> api/src/api/__init__.py:function:serve")


def test_a_package_of_the_environment_that_is_not_run(tmp_path: Path) -> None:
    repository = Repository(
        tmp_path,
        {
            ".venv/pyvenv.cfg": "version = 3.11.1\n",
            ".venv/lib/python3.11/site-packages/thing/__init__.py": "class Thing:\n    def go(self): pass\n",
            ".venv/lib/python3.11/site-packages/thing-2.5.dist-info/METADATA": "",
            "app.py": "from thing import Thing\n\n\ndef f(things: list[Thing]):\n    sorted(things, key=id)[0].go()\n",
        },
    )
    resolved(repository)
    assert said(repository, "app.py", 5, "go").startswith("external (thing:")
    with repository.read() as state:
        semantic = judged(state, "app.py", 5, "go").resolutions[1]
    assert semantic.external is not None
    assert (semantic.external.package, semantic.external.symbol, semantic.external.version) == ("thing", "go", "2.5")


def test_files_that_are_not_utf8_are_left_out(tmp_path: Path) -> None:
    repository = Repository(
        tmp_path,
        {
            "latin.py": "# coding: latin-1\nfrom lib import f\ns = 'ü'\nf()\n".encode("latin-1"),
            "lib.py": "def f(): pass\n\n\nf()\n",
        },
    )
    resolved(repository)
    assert said(repository, "latin.py", 4, "f") == "syntactic -> lib.py:function:f"
    assert said(repository, "lib.py", 4, "f") == "confirmed -> lib.py:function:f"
    with repository.read() as state:
        (row,) = state.connection.execute(
            "SELECT detail FROM context_file c JOIN file f ON f.id = c.file WHERE c.membership = 1"
        ).fetchall()
    assert row[0] == "the server reads UTF-8, this is iso8859-1"


def test_a_root_that_is_a_link(tmp_path: Path) -> None:
    real = Repository(tmp_path / "real", {"lib.py": LIB, "app.py": APP})
    link = tmp_path / "link"
    link.symlink_to(real.root)
    real.root = link
    resolved(real)
    assert said(real, "app.py", 6, "run") == "confirmed -> lib.py:method:Kid.run"
    assert statuses(real).get("failed") is None
