"""What is taken from a file: definitions with their kinds and properties, references with their kinds, damage."""

import pytest

from graph.languages.facts import extract
from graph.languages.python import LANGUAGES
from graph.model import Flag, Visibility
from tests.languages.python.python_repository import definition, kinds, link, references

(PYTHON,) = LANGUAGES


def test_kinds_and_qualified_names() -> None:
    linked = link("""
LIMIT = 3
value: int = 1
for index in range(3): pass

type Alias = int

def function(parameter):
    local = 1
    def inner(): ...

class Outer:
    field = 1
    declared: int

    def __init__(self):
        self.made = 1
        self.made = 2

    @property
    def size(self): ...
    @size.setter
    def size(self, value): ...

    class Inner:
        def method(self): ...
""")
    assert kinds(linked) == {
        "LIMIT": "constant",
        "value": "variable",
        "index": "variable",
        "Alias": "type",
        "function": "function",
        "function.inner": "function",
        "Outer": "class",
        "Outer.field": "field",
        "Outer.declared": "field",
        "Outer.__init__": "method",
        "Outer.made": "field",
        "Outer.size": "method",
        "Outer.Inner": "class",
        "Outer.Inner.method": "method",
    }
    parents = {fact.qualified_name: fact.parent for fact in linked.definitions("m.py")}
    facts = linked.facts["m.py"].definitions
    assert facts[parents["Outer.Inner.method"]].qualified_name == "Outer.Inner"
    assert facts[parents["Outer.made"]].qualified_name == "Outer"
    assert parents["LIMIT"] == 0


def test_called_locals_become_definitions() -> None:
    linked = link("""
def use(callback, other):
    chosen = callback
    chosen()
    callback()
    return other
""")
    found = {fact.qualified_name: fact for fact in linked.definitions("m.py")}
    assert set(found) == {"use", "use.chosen", "use.callback"}
    assert found["use.callback"].flags & Flag.LOCAL
    assert kinds(linked)["use.callback"] == "parameter"


@pytest.mark.parametrize(
    ("source", "name", "flag"),
    [
        ("async def f(): ...", "f", Flag.ASYNC),
        ("def f():\n    yield 1", "f", Flag.GENERATOR),
        ("class C:\n    @staticmethod\n    def f(): ...", "C.f", Flag.STATIC),
        ("class C:\n    @classmethod\n    def f(cls): ...", "C.f", Flag.CLASSMETHOD),
        ("class C:\n    def __new__(cls): ...", "C.__new__", Flag.CLASSMETHOD),
        ("class C:\n    @property\n    def f(self): ...", "C.f", Flag.PROPERTY),
        ("class C:\n    @functools.cached_property\n    def f(self): ...", "C.f", Flag.PROPERTY),
        ("class C:\n    @abc.abstractmethod\n    def f(self): ...", "C.f", Flag.ABSTRACT),
        ("@typing.overload\ndef f(): ...", "f", Flag.OVERLOAD),
        ("@warnings.deprecated('x')\ndef f(): ...", "f", Flag.DEPRECATED),
        ("@deprecated\nclass C: ...", "C", Flag.DEPRECATED),
        ("if x:\n    def f(): ...", "f", Flag.CONDITIONAL),
        ("try:\n    class C: ...\nexcept E: pass", "C", Flag.CONDITIONAL),
        ("class C:\n    f = property(g)\n    def g(self): ...\n    g = staticmethod(g)", "C.g", Flag.STATIC),
    ],
)
def test_flags(source: str, name: str, flag: Flag) -> None:
    assert definition(link(f"import x\n{source}\n"), name).flags & flag


def test_a_block_for_type_checkers_is_no_condition() -> None:
    linked = link("if typing.TYPE_CHECKING:\n    def f(): ...\n")
    assert not definition(linked, "f").flags & Flag.CONDITIONAL


def test_tests_are_marked() -> None:
    source = "def test_it(): ...\ndef helper(): ...\nclass TestAll:\n    def test_more(self): ...\n"
    for path, marked in (("test_a.py", True), ("a_test.py", True), ("conftest.py", True), ("a.py", False)):
        linked = link(f"-- {path} --\n{source}")
        flags = {fact.qualified_name: bool(fact.flags & Flag.TEST) for fact in linked.definitions(path)}
        assert flags == {"test_it": marked, "helper": False, "TestAll": marked, "TestAll.test_more": marked}


def test_visibility() -> None:
    linked = link(
        "class C:\n    def _f(self): ...\n    def __g(self): ...\n    def __len__(self): ...\n    def h(self): ...\n"
    )
    found = {fact.name: Visibility(fact.visibility) for fact in linked.definitions("m.py")}
    assert found == {
        "C": Visibility.PUBLIC,
        "_f": Visibility.PRIVATE,
        "__g": Visibility.PRIVATE,
        "__len__": Visibility.PUBLIC,
        "h": Visibility.PUBLIC,
    }


def test_signatures_and_docs() -> None:
    linked = link('''
def f(
    a: int,
    b=1,
) -> str:
    """Say what it does.

    And more.
    """


class C(Base, metaclass=M):
    """A class."""

    async def g(self): ...


def h():
    r"""Raw."""
''')
    assert definition(linked, "f").signature == "def f( a: int, b=1, ) -> str"
    assert definition(linked, "f").doc == "Say what it does."
    assert definition(linked, "C").signature == "class C(Base, metaclass=M)"
    assert definition(linked, "C").doc == "A class."
    assert definition(linked, "C.g").signature == "async def g(self)"
    assert definition(linked, "h").doc == "Raw."


def test_ranges() -> None:
    source = "@deco\nclass C:\n    x: int = 1\n    def f(self): pass\n"
    linked = link(source)
    text = source.encode()
    for name, whole in {"C": source[6:-1], "C.f": "def f(self): pass"}.items():
        fact = definition(linked, name)
        assert text[fact.start : fact.end].decode() == whole
        assert text[fact.name_start : fact.name_end].decode() == fact.name


def test_parameters() -> None:
    linked = link("def f(a, /, b: int, c=1, *d, e, g=2, **h): ...\nclass C:\n    def m(self, x): ...\n")
    assert [(row[0], row[2], row[3]) for row in definition(linked, "f").parameters] == [
        ("a", 0, 0), ("b", 0, 0), ("c", 1, 0), ("d", 0, 1), ("e", 0, 2), ("g", 1, 2), ("h", 0, 3),
    ]  # fmt: skip
    assert [row[0] for row in definition(linked, "C.m").parameters] == ["x"]


def test_kinds_of_references() -> None:
    linked = link("""
import os.path as p
from typing import List
from . import *

@decorate(option)
class C(Base[Arg], metaclass=Meta):
    field: List["Quoted"] = start

    def m(self) -> Result:
        self.other.call(key=value)
        self.other = Module.name
        del self.other
        raise Error(detail) from cause

counter = 0
counter += step
""")
    assert references(linked) == [
        "import os", "import path", "import typing", "import List", "decorate decorate", "read option", "base Base",
        "type Arg", "read Meta", "type List", "type Quoted", "read start", "type Result", "read other", "call call",
        "read value", "read Module", "read name", "delete other", "raise Error", "read detail", "read cause",
        "write counter", "read step",
    ]  # fmt: skip


def test_every_kind_of_expression_is_read() -> None:
    linked = link("""
f"{a!r:>{b}} {c['k']}" "plain" f"{d}"
[e, *g][h:i:j]
{k: l, **m}
{n for o in q if r}
(yield_ := s)
not t
u < v <= w
-x ** y
lambda z=aa, *bb: cc
dd if ee else ff
gg @ hh
print(*ii, **jj)
assert kk, ll
async def run():
    await mm
    yield nn
    yield from oo
    return pp
""")
    names = [name.split()[1] for name in references(linked)]
    expected = "a b c d e g h i j k l m q r n s t u v w x y aa cc ee dd ff gg hh print ii jj kk ll mm nn oo pp".split()
    assert sorted(names) == sorted(expected)


def test_the_number_of_arguments() -> None:
    linked = link("f()\nf(1, x=2)\nf(*a)\nf(**a)\nf(a for a in b)\nf(1, # c\n)\n")
    calls = [fact.arguments for fact in linked.facts["m.py"].references if fact.name == "f"]
    assert calls == [0, 2, -1, -1, 1, 1]


def test_qualifiers() -> None:
    linked = link("import m\nm.a.b()\n(m).c\n")
    found = {fact.name: fact.qualifier for fact in linked.facts["m.py"].references}
    assert found["b"] == "m.a"
    assert found["a"] == "m"
    assert found["m"] == ""


def test_enclosing_definitions() -> None:
    linked = link("""
def outer(a=one()):
    two()
    class C(three()):
        four()
        def m(self):
            lambda: five()
six()
""")
    facts = linked.facts["m.py"]
    where = {fact.name: facts.definitions[fact.enclosing].qualified_name for fact in facts.references}
    module = facts.definitions[0].qualified_name
    assert {name: where[name] for name in ("one", "two", "three", "four", "five", "six")} == {
        "one": module,
        "two": "outer",
        "three": "outer",
        "four": "outer.C",
        "five": "outer.C.m",
        "six": module,
    }


def test_damage_is_kept_apart() -> None:
    source = b"def good(): ...\n\ndef bad():\n    x = = 1\n\ndef also_good():\n    return good()\n"
    facts = extract(PYTHON, "m.py", source)
    found = {fact.name: bool(fact.flags & Flag.DAMAGED) for fact in facts.definitions[1:]}
    assert facts.damage
    assert found["good"] is False
    assert "also_good" in found
    assert [fact.name for fact in facts.references if fact.kind == 0] == ["good"]


def test_conflict_markers() -> None:
    source = b"def f(): ...\n<<<<<<< ours\ndef g(): ...\n=======\ndef h(): ...\n>>>>>>> theirs\ndef i(): ...\n"
    facts = extract(PYTHON, "m.py", source)
    assert facts.conflict_markers
    found = {fact.name: bool(fact.flags & Flag.DAMAGED) for fact in facts.definitions[1:]}
    assert found.get("f") is False
    assert {name for name, damaged in found.items() if damaged} <= {"g", "h"}


def test_the_name_of_a_module() -> None:
    names = {
        "pkg/mod.py": "mod",
        "pkg/__init__.py": "pkg",
        "script": "script",
        "stub.pyi": "stub",
    }
    for path, name in names.items():
        assert extract(PYTHON, path, b"").definitions[0].name == name


def test_extraction_of_one_file_leaves_nothing_behind_for_the_next() -> None:
    first = b"def f(x):\n    if x:\n        pass\n    elif isinstance(x, A):\n        pass\n    for y in x: pass\n"
    second = b"def g():\n    a = 1\n    if a: pass\n    else: pass\n    for b in a: pass\n"
    alone = extract(PYTHON, "b.py", second)
    extract(PYTHON, "a.py", first)
    assert extract(PYTHON, "b.py", second) == alone
