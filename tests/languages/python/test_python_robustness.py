"""Extraction and linking of anything: no input makes them fail, and what they give is well formed."""

import random
import sys
from collections.abc import Callable

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.languages.facts import extract, interface
from graph.languages.python import LANGUAGES
from graph.link.world import FileRecord, World
from graph.model import FileFacts, ScopeKind

(PYTHON,) = LANGUAGES
SOURCE = '''"""Doc."""
from __future__ import annotations
import os.path as p, sys
from ..pkg import (a, b as c)
from lib import *

__all__ = ["A", *extra.__all__] + ["b"]
T = TypeVar("T", bound="A")
Alias: TypeAlias = dict[str, "list[A]"]
type New[X: int, *Y, **Z] = list[X] | None


@deco(1, key=value)
class A(Base[T], Generic[T], metaclass=Meta):
    field: ClassVar[int] = 1
    x = y = property(lambda self: self.z)

    def __init__(self: T, a, /, b: int = 1, *args: str, c, **kw) -> None:
        self.z, (self.w, *rest) = a, b
        self.z.q: Final = await_(self)
        super().__init__(a, *args, **kw)

    @x.setter
    async def x(self, value):
        async with value as v, self.lock:
            async for i, j in v:
                yield (await i)[1:2, ...], f"{i!r:>{j}} {self.z['k']}"
        global counter
        counter += 1

    @pytest.fixture
    def made(self, request): yield from request


def outer[P](é: P) -> "P | None":
    n = 0
    def inner():
        nonlocal n
        n = [q for r in é if isinstance(r, (A, B)) for q in r if q and (m := q)]
        return {k: v for k, v in n}, {*n}, lambda x, *y, z=1: x(y)
    try:
        match é:
            case A(b=1) as t, [*_, B()] if t: t.f()
            case {"k": v, **rest} | -1: del v, rest.z
            case _: raise E("x") from None
    except* (E, F) as e:
        while isinstance(e, A) or not n: e = e.next; break
        else: assert isinstance(n, B), n
    finally:
        with open("x") as f, (g()): return cast("A", f).b if f else (yield)
    print >>sys.stderr, é
'''.encode()


def check_facts(source: bytes, path: str = "pkg/test_a.py") -> FileFacts:
    """Extract and link one file alone: names slice, indices are in range, and every reference gets a resolution."""
    facts = extract(PYTHON, path, source)
    expressions, definitions = len(facts.expressions), len(facts.definitions)
    for reference in facts.references:
        assert source[reference.start : reference.end].decode("utf-8", "replace") == reference.name
        assert -1 <= reference.expression < expressions
        assert 0 <= reference.enclosing < definitions
    places = [(fact.start, fact.end, fact.kind) for fact in facts.references]
    assert len(set(places)) == len(places), "a name was read twice"
    for fact in facts.definitions[1:]:
        assert source[fact.name_start : fact.name_end].decode("utf-8", "replace") == fact.name
        assert fact.start <= fact.name_start <= fact.name_end <= fact.end
        assert 0 <= fact.parent < definitions
        assert all(-1 <= value < expressions for value in (fact.type, *fact.values, *fact.bases, *fact.decorators))
    for parent, kind, owner in facts.scopes[1:]:
        assert 0 <= parent < len(facts.scopes)
        assert kind in set(ScopeKind)
        assert 0 <= owner < definitions
    interface_facts = orjson.loads(orjson.dumps(interface(facts)))
    world = World([FileRecord(0, path, "python", "", True)], [], lambda _: interface_facts)
    rows = [(fact.kind, fact.expression, fact.arguments, fact.enclosing) for fact in facts.references]
    linker = PYTHON.linker(world)
    assert len(linker.link(0, rows)) == len(rows)
    for index in range(definitions):
        linker.overridden(index)
    return facts


def test_the_sample_is_clean() -> None:
    assert check_facts(SOURCE).damage == []


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300))
def test_random_bytes(source: bytes) -> None:
    check_facts(source)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200))
def test_random_text(text: str) -> None:
    check_facts(text.encode("utf-8", "surrogatepass"))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(SOURCE.split()), max_size=60))
def test_words_in_any_order(words: list[bytes]) -> None:
    check_facts(b" ".join(words))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(SOURCE.splitlines()), max_size=40))
def test_lines_in_any_order(lines: list[bytes]) -> None:
    check_facts(b"\n".join(lines))


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32))
def test_deletions_and_duplications(seed: int) -> None:
    chance = random.Random(seed)
    source = SOURCE
    for _ in range(chance.randint(1, 4)):
        start = chance.randrange(len(source))
        end = min(len(source), start + chance.randint(1, 60))
        piece = b"" if chance.random() < 0.6 else source[start:end] * 2
        source = source[:start] + piece + source[end:]
    check_facts(source)


DEPTH = 5_000


def blocks(header: bytes, depth: int) -> bytes:
    """Blocks inside each other; a tab per level."""
    return b"".join(b"\t" * level + header + b"\n" for level in range(depth)) + b"\t" * depth + b"f()\n"


DEEP = {
    "parentheses": b"x = " + b"(" * DEPTH + b"f()" + b")" * DEPTH,
    "calls": b"x = " + b"f(" * DEPTH + b")" * DEPTH,
    "chain of calls": b"x = a" + b".b()" * DEPTH,
    "chain of members": b"x = a" + b".b" * DEPTH,
    "chain of subscripts": b"x = a" + b"[0]" * DEPTH,
    "sum": b"x = 1" + b" + a" * DEPTH,
    "and": b"x = a" + b" and isinstance(a, b)" * DEPTH,
    "or of and": b"x = a" + b" or a and isinstance(a, b)" * DEPTH,
    "not": b"x = " + b"not " * DEPTH + b"a",
    "comparison": b"x = a" + b" < a" * DEPTH,
    "conditional": b"x = " + b"a if isinstance(a, b) else " * DEPTH + b"c",
    "lists": b"x = " + b"[" * DEPTH + b"]" * DEPTH,
    "dictionaries": b"x = " + b"{1: " * DEPTH + b"1" + b"}" * DEPTH,
    "lambdas": b"x = " + b"lambda a: " * DEPTH + b"a",
    "comprehensions": b"x = " + b"[a for a in " * 1000 + b"a" + b"]" * 1000,
    "annotation": b"x: " + b"list[" * DEPTH + b"A" + b"]" * DEPTH,
    "union": b"x: A" + b" | A" * DEPTH,
    "targets": b"(" * DEPTH + b"x" + b",)" * DEPTH + b" = y",
    "assignments": b"x = " * DEPTH + b"y",
    "elif": b"if a: f()\n" + b"elif isinstance(a, b): f()\n" * DEPTH,
    "statements": b"x = x.y\n" * DEPTH,
    "classes in a row": b"".join(b"class A%d(A%d): pass\n" % (n + 1, n) for n in range(2000)),
    "parameters": b"def f(" + b", ".join(b"a%d: T = 1" % n for n in range(DEPTH)) + b"): pass",
    "strings": b"x = " + b"'a' " * DEPTH,
    "format strings": b"x = " + b'f"{a}" ' * DEPTH,
    "patterns": b"match x:\n case " + b"[" * DEPTH + b"a" + b"]" * DEPTH + b": pass\n",
    "redefinitions": b"def f(): return f()\n" * 2000,
    "decorators": b"@f\n" * DEPTH + b"def f(): pass\n",
}


@pytest.mark.parametrize("inside", [False, True], ids=["module", "function"])
@pytest.mark.parametrize("body", DEEP.values(), ids=DEEP)
def test_deep_nesting_and_long_rows(body: bytes, inside: bool) -> None:
    if inside:
        body = b"def around(a):\n" + b"".join(b" " + line + b"\n" for line in body.split(b"\n"))
    facts = check_facts(body + b"\n\ndef after(): after()\n")
    assert "after" in {fact.name for fact in facts.definitions}


@pytest.mark.parametrize("header", [b"if a:", b"for a in b:", b"while isinstance(a, b):", b"try:", b"with a as b:"])
def test_blocks_inside_each_other(header: bytes) -> None:
    check_facts(b"def f(a):\n" + b"".join(b"\t" + line + b"\n" for line in blocks(header, 400).splitlines()))


@pytest.mark.parametrize("header", [b"def f():", b"class A:"])
def test_definitions_inside_each_other(header: bytes) -> None:
    check_facts(blocks(header, 400))


GROWING: dict[str, Callable[[int], bytes]] = {
    "chain of calls": lambda n: b"x = a" + b".b()" * n,
    "sum": lambda n: b"x = 1" + b" + a" * n,
    "and": lambda n: b"def f(a):\n x = a" + b" and isinstance(a, b)" * n,
    "elif": lambda n: b"def f(a):\n if a: f()\n" + b" elif isinstance(a, b): f()\n" * n,
    "statements": lambda n: b"def f(x):\n" + b" x = x.y\n" * n,
    "parentheses": lambda n: b"x = " + b"(" * n + b"f()" + b")" * n,
    "conditional": lambda n: b"def f(a):\n x = " + b"a if isinstance(a, b) else " * n + b"c",
    "loops": lambda n: b"def f(a):\n" + b"".join(b" x%d = a\n for y in a: x%d = y\n" % (i, i) for i in range(n)),
    "branches": lambda n: b"def f(a):\n" + b"".join(b" x%d = a\n if a: x%d = 1\n" % (i, i) for i in range(n)),
    "tests": lambda n: b"def f(a):\n" + b"".join(b" x%d = isinstance(a.b%d, C) and a\n" % (i, i) for i in range(n)),
}


@pytest.mark.parametrize("build", GROWING.values(), ids=GROWING)
def test_the_work_grows_with_the_size(build: Callable[[int], bytes]) -> None:
    """Twice the size must not take four times as long; work is counted in calls, which do not depend on the machine."""
    assert count_calls(build(800)) < 3 * count_calls(build(400))


def count_calls(source: bytes) -> int:
    """How many Python functions extraction and linking of a file call."""
    calls = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    check_facts(source)
    sys.setprofile(count)
    try:
        check_facts(source)
    finally:
        sys.setprofile(None)
    return calls


def test_the_same_bytes_give_the_same_facts() -> None:
    assert extract(PYTHON, "a.py", SOURCE) == extract(PYTHON, "a.py", SOURCE)


CIRCLE = {
    "a.py": b"""
from b import B, make

class A:
    def __init__(self):
        self.next = make()

    def copy(self):
        other = A()
        other.next = self.next
        return other

    def walk(self, given: 'A', rows):
        for row in rows:
            found = given.copy()
            found.walk(given)
            given = found
        return self.next.back.next.walk(given)
""",
    "b.py": b"""
from a import A
from c import *

class B(A):
    back = A().copy()

def make():
    return B() if known() else make().copy()
""",
    "c.py": b"""
from b import make as known
import a

value = a.A().walk(known())
value.copy()
""",
}


def test_the_order_of_questions_does_not_matter() -> None:
    facts = [extract(PYTHON, path, source) for path, source in CIRCLE.items()]
    records = [FileRecord(number, path, "python", "", False) for number, path in enumerate(CIRCLE)]
    rows = [[(r.kind, r.expression, r.arguments, r.enclosing) for r in fact.references] for fact in facts]

    def world() -> World:
        return World(records, [], lambda number: interface(facts[number]))

    whole = PYTHON.linker(world())
    expected = [whole.link(number, rows[number]) for number in range(3)]
    for number in range(3):
        for position, row in enumerate(rows[number]):
            assert PYTHON.linker(world()).link(number, [row]) == [expected[number][position]]
    for order in ([2, 1, 0], [1, 2, 0]):
        again = PYTHON.linker(world())
        for number in order:
            assert again.link(number, rows[number][::-1])[::-1] == expected[number]
