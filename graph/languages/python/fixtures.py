"""Fixtures of pytest: a parameter of a test or of another fixture is what the fixture of its name gives.

Where a fixture is looked for: docs.pytest.org, "Fixture availability" and "Overriding fixtures on various levels".
"""

from __future__ import annotations

from graph.languages.python.calls import CallLinker
from graph.languages.python.standard import BUILTIN_FIXTURES
from graph.link.values import EXTERNAL_INSTANCE, FUNCTION, NOTHING, Values, gid, merge
from graph.link.world import FileInterface


class FixtureLinker(CallLinker):
    """Finds fixtures."""

    def fixture(self, file: FileInterface, name: str, user: int) -> Values:
        """What the parameter `name` of a definition (index) of a file is given; () when there is no such fixture."""
        found = self._fixture_of_class(file, name, user) or self._fixture_of_module(file, file, name, user)
        folder = file.path.rpartition("/")[0]
        here = file.path.rpartition("/")[2] == "conftest.py"
        for _ in range(64):
            if found:
                return found
            if not here:
                module = self.modules.at(f"{folder}/conftest" if folder else "conftest")
                if module is not None and module.file >= 0:
                    found = self._fixture_of_module(self.world.file(module.file, file.number), file, name, user)
            here = False
            if not folder:
                break
            folder = folder.rpartition("/")[0]
        if found or name not in BUILTIN_FIXTURES:
            return found
        package, _, symbol = BUILTIN_FIXTURES[name].partition(".")
        if self.modules.inside(file.path, package):
            return NOTHING
        return ((EXTERNAL_INSTANCE, package, symbol, ()),)

    def _fixture_of_class(self, file: FileInterface, name: str, user: int) -> Values:
        parent = file.definitions[user].parent
        if parent <= 0:
            return NOTHING
        return self._given(self.member(gid(file.number, parent), name, None, file.number), file, name, user)

    def _fixture_of_module(self, module: FileInterface, file: FileInterface, name: str, user: int) -> Values:
        return self._given(self.module_things(module.number, name, file.number), file, name, user)

    def _given(self, things: Values, file: FileInterface, name: str, user: int) -> Values:
        """What the fixtures among some things give: what they return, or yield."""
        sets: list[Values] = []
        for thing in things:
            if thing[0] != FUNCTION or thing[1] == gid(file.number, user):
                continue
            if "fixture" not in self.definition(thing[1]).extra.get("decorators", ()):
                continue
            values = self.result(thing[1], thing[2], file.number, ())
            for value in values:
                yields = value[0] == EXTERNAL_INSTANCE and value[2].rsplit(".", 1)[-1] in _YIELDED
                sets.append(self.iterated(value, file) if yields else (value,))
            if not values:
                sets.append(NOTHING)
        return merge(sets) if sets else NOTHING


_YIELDED = frozenset({"generator", "Generator", "Iterator", "Iterable", "AsyncGenerator", "AsyncIterator"})
"""What functions that yield their fixture are declared, or found, to return."""
