"""What values stand for: annotations, results, containers, unpacking, generics, iteration, builtins.

Typing specification (typing.python.org); PEP 484, 585, 604, 612, 673, 695; data model, 3.3.
"""

from tests.languages.python.python_repository import check

CLASSES = """
-- lib.py --
class A:
    def f(self): ...
    def both(self): ...

class B:
    def g(self): ...
    def both(self): ...
"""


def in_module(source: str) -> None:
    """Check a module that can import `A` (with `f` and `both`) and `B` (with `g` and `both`)."""
    check(f"{CLASSES}-- m.py --\nfrom lib import A, B\n{source}")


def test_annotations_of_parameters_variables_and_results() -> None:
    in_module("""
def make() -> A: ...
def quoted() -> "A": ...
def nothing() -> None: ...

where: A

def use(one: A, two: "A", *rest: A, key: A = None, **named: A):
    one.f()  # => f: A.f
    two.f()  # => f: A.f
    key.f()  # => f: A.f
    rest[0].f()  # => f: A.f
    named["x"].f()  # => f: A.f
    make().f()  # => f: A.f
    quoted().f()  # => f: A.f
    where.f()  # => f: A.f
    local: A = unknown()
    local.f()  # => f: A.f
    nothing().f()  # => f: unresolved
    one.g()  # => g: unresolved no-member
""")


def test_unions_and_optional() -> None:
    in_module("""
import typing as t
from typing import Optional, Union

def use(a: Optional[A], b: A | None, c: Union[A, None], d: A | B, e: "t.Optional[A]", f: "A | None"):
    a.f()  # => f: A.f
    b.f()  # => f: A.f
    c.f()  # => f: A.f
    e.f()  # => f: A.f
    f.f()  # => f#2: A.f
    d.both()  # => both: A.both B.both
    d.f()  # => f: A.f
""")


def test_type_aliases() -> None:
    in_module("""
from typing import Dict, List, Optional, TypeAlias, Union

Either = Union[A, None]
Modern = A | None
Listed = List[A]
Declared: TypeAlias = "A"
type Newest = A
Same = A

def use(one: Either, two: Modern, three: Listed, four: Declared, five: Newest, six: Same):
    one.f()  # => f: A.f
    two.f()  # => f: A.f
    three[0].f()  # => f: A.f
    four.f()  # => f: A.f
    five.f()  # => f: A.f
    six.f()  # => f: A.f

def refer(value: Newest): ...  # => Newest: Newest
""")


def test_containers() -> None:
    in_module("""
from collections.abc import Iterable, Mapping
from typing import Any, Dict, List, Tuple

def use(a: list[A], b: Dict[str, A], c: Iterable[A], d: Tuple[A, B], e: tuple[A, ...], g: Mapping[A, B], h: list[Any]):
    a[0].f()  # => f: A.f
    a[1:][0].f()  # => f: A.f
    a.pop().f()  # => pop: external builtins:list.pop; f: A.f
    for item in a:
        item.f()  # => f: A.f
    b["x"].f()  # => f: A.f
    b.get("x").f()  # => f: A.f
    for value in b.values():
        value.f()  # => f: A.f
    for key, value in b.items():
        value.f()  # => f: A.f
        key.upper()  # => upper: external builtins:str.upper
    for item in c:
        item.f()  # => f: A.f
    first, second = d
    first.f()  # => f: A.f
    second.g()  # => g: B.g
    d[1].g()  # => g: B.g
    d[0].g()  # => g: unresolved no-member
    e[5].f()  # => f: A.f
    for key in g:
        key.f()  # => f: A.f
    h[0].f()  # => f: unresolved
""")


def test_displays_and_comprehensions() -> None:
    in_module("""
def use(items: list[A]):
    listed = [A(), A()]
    listed[0].f()  # => f: A.f
    {"x": A()}["x"].f()  # => f: A.f
    pair = A(), B()
    pair[1].g()  # => g: B.g
    for item in [item for item in items]:
        item.f()  # => f: A.f
    for one in {item.f(): item for item in items}.values():  # => f: A.f
        one.f()  # => f: A.f
    for two in (item for item in items if item.f()):  # => f: A.f
        two.f()  # => f: A.f
    for three in {item for item in items}:
        three.f()  # => f: A.f
""")


def test_classes_in_containers() -> None:
    in_module("""
REGISTRY = {"a": A, "b": B}
CLASSES = [A]

def use(kind: type[A], kinds: list[type[A]], key):
    REGISTRY[key].both  # => both: A.both B.both
    REGISTRY[key]().both()  # => both: A.both B.both
    for class_ in CLASSES:
        class_.f  # => f: A.f
        class_().f()  # => f: A.f
    kind.f  # => f: A.f
    kind().f()  # => f: A.f
    kinds[0]().f()  # => f: A.f
""")


def test_functions_as_values() -> None:
    in_module("""
import functools
from typing import Callable

def make() -> A: ...

HANDLERS = {"make": make}

def use(factory: Callable[[int], A], key):
    factory(1).f()  # => factory: use.factory; f: A.f
    HANDLERS[key]().f()  # => f: A.f
    functools.partial(make, 1)().f()  # => make: make; f: A.f
    alias = make
    alias().f()  # => f: A.f
    (lambda: A())().f()  # => f: A.f
    chosen = make if key else make
    chosen().f()  # => f: A.f
""")


def test_iteration_by_methods() -> None:
    in_module("""
from typing import Iterator

class ByGenerator:
    def __iter__(self):
        yield A()

class ByType:
    def __iter__(self) -> Iterator[A]: ...

class ByNext:
    def __iter__(self):
        return self
    def __next__(self) -> A: ...

class ByIndex:
    def __getitem__(self, key) -> A: ...

class Async:
    def __aiter__(self):
        return self
    async def __anext__(self) -> A: ...

async def use(async_items: Async):
    for one in ByGenerator():
        one.f()  # => f: A.f
    for two in ByType():
        two.f()  # => f: A.f
    for three in ByNext():
        three.f()  # => f: A.f
    for four in ByIndex():
        four.f()  # => f: A.f
    ByIndex()["x"].f()  # => f: A.f
    async for five in async_items:
        five.f()  # => f: A.f
""")


def test_generators() -> None:
    in_module("""
from typing import Generator

def items():
    yield A()

def more():
    yield from items()

def talk() -> Generator[A, B, None]:
    answer = yield A()
    answer.g()  # => g: B.g

def use():
    for item in items():
        item.f()  # => f: A.f
    for item in more():
        item.f()  # => f: A.f
    next(items()).f()  # => f: A.f
    for item in talk():
        item.f()  # => f: A.f
""")


def test_context_managers() -> None:
    in_module("""
from contextlib import asynccontextmanager, contextmanager, closing

class Manager:
    def __enter__(self) -> A: ...
    async def __aenter__(self) -> B: ...

@contextmanager
def managed():
    yield A()

@asynccontextmanager
async def managed_too():
    yield B()

async def use():
    with Manager() as one, managed() as two, closing(A()) as three, (Manager()) as four:
        one.f()  # => f: A.f
        two.f()  # => f: A.f
        three.f()  # => f: A.f
        four.f()  # => f: A.f
    async with Manager() as five, managed_too() as six:
        five.g()  # => g: unresolved
        six.g()  # => g: B.g
    with open("x") as file:
        file.read()  # => read: external io:TextIOWrapper.read
""")


def test_asynchronous_functions() -> None:
    in_module("""
import asyncio

async def make() -> A: ...

async def use():
    (await make()).f()  # => f: A.f
    result = await make()
    result.f()  # => f: A.f
    (await asyncio.wait_for(make(), 1)).f()  # => wait_for: external asyncio:wait_for; f: A.f
""")


def test_results_of_functions_without_annotations() -> None:
    in_module("""
def make():
    return A()

def either(flag):
    if flag:
        return A()
    return B()

def chain():
    return make()

def endless():
    return endless()

def maybe(flag):
    if flag:
        return None
    return A()

make().f()  # => f: A.f
chain().f()  # => f: A.f
either(1).both()  # => both: A.both B.both
maybe(1).f()  # => f: A.f
endless().f()  # => f: unresolved
""")


def test_generic_classes() -> None:
    in_module("""
from typing import Generic, TypeVar

T = TypeVar("T")

class Box(Generic[T]):
    def __init__(self, content: T):
        self.content = content

    def get(self) -> T: ...
    def all(self) -> list[T]: ...

class New[K, V]:
    def value(self) -> V: ...

class BoxOfA(Box[A]): ...

class Deeper(BoxOfA): ...

def use(one: Box[A], two: New[str, B]):
    one.get().f()  # => f: A.f
    one.content.f()  # => f: A.f
    one.all()[0].f()  # => f: A.f
    two.value().g()  # => g: B.g
    BoxOfA().get().f()  # => f: A.f
    Deeper().get().f()  # => f: A.f
    Box(B()).get().g()  # => g: B.g
    Box[A]().get().f()  # => f: A.f
    for item in one.all():
        item.f()  # => f: A.f
""")


def test_generic_functions() -> None:
    in_module("""
from typing import Iterable, TypeVar, Type, Optional, overload

T = TypeVar("T")
Bound = TypeVar("Bound", bound=A)
Quoted = TypeVar("Quoted", bound="A")

def same(value: T) -> T: ...
def first(items: Iterable[T]) -> Optional[T]: ...
def build(kind: Type[T]) -> T: ...
def newest[X](value: X) -> X: ...

@overload
def pick(kind: type[T]) -> T: ...
@overload
def pick(kind: None) -> B: ...
def pick(kind):
    return something(kind)

def use(items: list[A], bound: Bound, quoted: Quoted):
    same(A()).f()  # => f: A.f
    first(items).f()  # => f: A.f
    build(A).f()  # => f: A.f
    newest(A()).f()  # => f: A.f
    pick(A).f()  # => pick: pick@18; f: A.f

def inside(bound: Bound, quoted: Quoted):
    bound.f()  # => f: A.f
    quoted.f()  # => f: A.f
""")


def test_imported_type_variables_and_classes_that_look_like_some() -> None:
    check(f"""
{CLASSES}
-- kinds.py --
from typing import TypeVar
T = TypeVar("T")
class Q:
    def only(self): ...
-- m.py --
from kinds import T, Q
from lib import A

def same(value: T) -> T: ...
def query(value: Q) -> Q: ...

same(A()).f()  # => f: A.f
query(A()).only()  # => only: Q.only
""")


def test_casts_and_copies() -> None:
    in_module("""
import copy
import typing
from typing import Any, cast

def use(value):
    cast(A, value).f()  # => f: A.f
    cast("A", value).f()  # => f: A.f
    typing.cast(A, value).f()  # => f: A.f
    cast(Any, value).f()  # => f: unresolved
    copy.copy(A()).f()  # => copy: external copy:; f: A.f
""")


def test_builtins_pass_on_what_they_are_given() -> None:
    in_module("""
import itertools

def use(items: list[A], other: list[B]):
    sorted(items)[0].f()  # => f: A.f
    list(items)[0].f()  # => f: A.f
    max(items).f()  # => f: A.f
    for position, item in enumerate(items):
        item.f()  # => f: A.f
    for one, two in zip(items, other):
        one.f()  # => f: A.f
        two.g()  # => g: B.g
    for item in itertools.chain(items):
        item.f()  # => f: A.f
    for item in reversed(items):
        item.f()  # => f: A.f
    for item in map(B, items):
        item.g()  # => g: B.g
    "a b".split()[0].upper()  # => split: external builtins:str.split; upper: external builtins:str.upper
""")


def test_operators() -> None:
    in_module("""
class Vector:
    def __add__(self, other) -> A: ...
    def __or__(self, other):
        return self

    def use(self, other):
        (self + other).f()  # => f: A.f
        (self | other | other).use()  # => use: Vector.use
        self -= other
        return (self - other).f()  # => f: unresolved

def use(a: A, b: B, flag):
    (a or b).both()  # => both: A.both B.both
    (a if flag else b).both()  # => both: A.both B.both
    (not a).f()  # => f: unresolved no-member
""")


def test_default_values() -> None:
    in_module("""
def use(a=A(), b=None):
    a.f()  # => f: A.f
    b.f()  # => f: unresolved
""")


def test_exceptions() -> None:
    in_module("""
class Trouble(Exception):
    def detail(self): ...

class Other(Exception):
    def detail(self): ...

def use():
    try:
        raise Trouble("x")  # => Trouble: Trouble
    except Trouble as trouble:  # => Trouble: Trouble
        trouble.detail()  # => detail: Trouble.detail
    except (Trouble, Other) as either:  # => Other: Other
        either.detail()  # => detail: Trouble.detail Other.detail
        raise
""")


def test_chains() -> None:
    in_module("""
class Query:
    def filter(self):
        return self
    def first(self) -> A: ...

class Session:
    def __init__(self):
        self.query = Query()

Session().query.filter().filter()  # => query: Session.query; filter: Query.filter; filter#2: Query.filter
Session().query.filter().first().f()  # => first: Query.first; f: A.f
""")


def test_attributes_of_things_from_outside() -> None:
    in_module("""
import datetime
import pathlib
import re
from argparse import Namespace
from unittest.mock import Mock

def use(options: Namespace, kind: type, thing: object):
    re.compile("x").match("y").group()  # => match: external re:Pattern.match; group: external
    (pathlib.Path("a") / "b").read_text()  # => read_text: external pathlib:Path.read_text
    datetime.datetime.now().date()  # => date: external datetime:datetime.date
    Mock().anything()  # => anything: external unittest:mock.Mock.anything
    options.handler()  # => handler: unresolved
    kind.build()  # => build: unresolved
    thing.f()  # => f: unresolved
""")


def test_circles_of_definitions_end() -> None:
    in_module("""
class Node:
    def __init__(self):
        self.next = self.previous
        self.previous = self.next or A()
        self.items = [self.items]

    def walk(self):
        self.next.f()  # => f: A.f
        self.items[0][0].f()  # => f: unresolved no-member

def ping():
    return pong()

def pong():
    return ping() or A()

ping().f()  # => f: A.f
""")


def test_callbacks_are_references_not_calls() -> None:
    linked = check("""
-- store.py --
class Store:
    def fetch(self, key): ...
-- job.py --
from store import Store

class Job:
    def __init__(self) -> None:
        self.store = Store()

    def run(self, pool, ids):
        pool.submit(self.store.fetch, ids)  # => fetch: Store.fetch; submit: unresolved receiver-unknown
""")
    assert [answer.kind for answer in linked.answers if answer.name == "fetch"] == ["read"]


def test_parameters_of_lambdas() -> None:
    in_module("""
from typing import Callable, Generic, Optional, TypeVar, Union

T = TypeVar("T")
Hook = Callable[[int, A], None]
type Newer = Callable[[A], None]

def plain(function: Callable[[A], None], items=None): ...
def optional(items, function: Optional[Hook] = None): ...
def newer(function: Newer | None): ...
def generic(items: list[T], function: Callable[[T], int]): ...
def untyped(function): ...

class Box(Generic[T]):
    def __init__(self, function: Callable[[A], None] = None): ...
    def each(self, function: Callable[[T], None]): ...

def use(items: list[A], box: Box[B]):
    plain(lambda a: a.f())  # => f: A.f
    plain(items=1, function=lambda a: a.f())  # => f: A.f
    optional([], lambda number, a: a.f())  # => f: A.f
    newer(lambda a: a.f())  # => f: A.f
    generic(items, lambda a: a.f())  # => f: A.f
    box.each(lambda b: b.g())  # => g: B.g
    Box(lambda a: a.f())  # => f: A.f
    sorted(items, key=lambda a: a.f())  # => f: A.f
    items.sort(key=lambda a: a.f())  # => f: A.f
    list(map(lambda a: a.f(), items))  # => f: A.f
    list(filter(lambda a, b=1: a.f(), items))  # => f: A.f
    untyped(lambda a: a.f())  # => f: unresolved receiver-unknown
    sorted(items, key=lambda a: lambda b: b.f())  # => f: unresolved receiver-unknown
""")


def test_expected_exceptions() -> None:
    check("""
-- lib.py --
class Trouble(Exception):
    def detail(self): ...

class Other(Exception):
    def detail(self): ...
-- test_it.py --
import unittest
import pytest
from lib import Other, Trouble

def test_one():
    with pytest.raises(Trouble) as info:
        pass
    info.value.detail()  # => value: external pytest:ExceptionInfo.value; detail: Trouble.detail
    with pytest.raises((Trouble, Other)) as info:
        pass
    info.value.detail()  # => detail: Trouble.detail Other.detail
    pytest.raises(Trouble, print).value.detail()  # => detail: Trouble.detail

class TestIt(unittest.TestCase):
    def test_two(self):
        with self.assertRaises(Trouble) as context:
            pass
        context.exception.detail()  # => exception: external; detail: Trouble.detail
""")
