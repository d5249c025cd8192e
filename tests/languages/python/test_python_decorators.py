"""What decorated functions give when they are called (Python reference, 8.7), and what properties are (3.3.2)."""

from tests.languages.python.python_repository import check
from tests.languages.python.test_python_values import in_module


def test_a_decorator_that_returns_something_else() -> None:
    in_module("""
def always(function): return B
def other(function):
    def inner(): return B()
    return inner
def called(function):
    def unused(): ...
    return function()

@always
def one() -> A: ...
@other
def two() -> A: ...
@called
def three(): return A()

one().both()  # => one: one; both: B.both
two().both()  # => two: two; both: B.both
three.both()  # => three: three; both: A.both
""")


def test_decorators_that_give_what_the_function_gives() -> None:
    in_module("""
import functools
from functools import update_wrapper, wraps

REGISTRY = []

def register(function):
    REGISTRY.append(function)
    return function

def logged(function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        result = function(*args, **kwargs)
        print(result)
        return result
    return inner

def bare(function):
    def inner(*args): return function(*args)
    return inner

def wrapped_later(function):
    def inner(*args): return function(*args)
    return wraps(function)(inner)

def updated(function):
    def inner(*args): return function(*args)
    return update_wrapper(inner, function)

def awaited(function):
    async def inner(*args): return await function(*args)
    return inner

def with_options(option):
    def decorate(function):
        @wraps(function)
        def inner(*args): return function(*args)
        return inner
    return decorate

def both_ways(function=None, *, option=1):
    def decorate(function):
        @wraps(function)
        def inner(*args): return function(*args)
        return inner
    if function is None:
        return decorate
    return decorate(function)

@register
def one(): return A()
@logged
def two(): return A()
@bare
def three(): return A()
@wrapped_later
def four(): return A()
@updated
def five(): return A()
@awaited
async def six(): return A()
@with_options(1)
def seven(): return A()
@register
@logged
def eight(): return A()

one().f()  # => f: A.f
two().f()  # => f: A.f
three().f()  # => f: A.f
four().f()  # => f: A.f
five().f()  # => f: A.f
async def use():
    (await six()).f()  # => f: A.f
seven().f()  # => f: A.f
eight().f()  # => f: A.f
""")


def test_decorators_of_which_it_is_not_known_what_they_give() -> None:
    in_module("""
import outside
from outside import ext

def maybe(function):
    def inner(*args):
        return unknown(function)
    return inner

def generator(function):
    def inner(*args):
        yield function(*args)
    return inner

@ext
def one(): return A()
@outside.make(1)
def two(): return A()
@maybe
def three(): return A()
@generator
def four(): return A()
@unknown
def five(): return A()

one().f()  # => one: one; f: unresolved
two().f()  # => two: two; f: unresolved
three().f()  # => three: three; f: unresolved
four().f()  # => four: four; f: unresolved
five().f()  # => five: five; f: unresolved
""")


def test_a_wrapper_that_sometimes_gives_something_else() -> None:
    in_module("""
def guarded(function):
    def inner(flag):
        if flag:
            return B()
        return function(flag)
    return inner

@guarded
def make(flag): return A()
make(1).both()  # => both: A.both B.both
""")


def test_decorators_with_declared_results() -> None:
    in_module("""
from collections.abc import Awaitable, Callable
from typing import Any, ParamSpec, TypeVar

F = TypeVar("F", bound=Callable)
P = ParamSpec("P")
R = TypeVar("R")

def same(function: F) -> F: ...
def keeps(function: Callable[P, R]) -> Callable[P, R]: ...
def changes(function: Callable[..., A]) -> Callable[..., B]: ...
def opens(function) -> Callable: ...
def drops(function: Callable) -> Any: ...
def options(flag) -> Callable[[F], F]: ...

@same
def one(): return A()
@keeps
def two(): return A()
@changes
def three(): return A()
@opens
def four(): return A()
@drops
def five(): return A()

one().f()  # => f: A.f
two().f()  # => f: A.f
three().both()  # => both: B.both
four().f()  # => f: unresolved
five().f()  # => f: unresolved
""")


def test_decorators_that_are_applied_by_hand() -> None:
    in_module("""
import functools

def always(function): return B
def same(function): return function

def one(): return A()
one = always(one)
def two(): return A()
two = same(two)
def three(): return A()
three = unknown(three, 1)
def four(): return A()
four = always(same(four))
def five(): return A()
five = functools.lru_cache(maxsize=1)(five)

class C:
    def size(self): return A()
    size = property(size)
    def make(cls): return A()
    make = staticmethod(make)

one().both()  # => one: one; both: B.both
two().f()  # => two: two; f: A.f
three().f()  # => three: three; f: unresolved
four().both()  # => four: four; both: B.both
five().f()  # => five: five; f: A.f
C().size.f()  # => size: C.size; f: A.f
C.size.f()  # => f: unresolved no-member
C.make().f()  # => f: A.f
""")


def test_decorated_methods() -> None:
    in_module("""
from functools import wraps

def logged(method):
    @wraps(method)
    def inner(self, *args): return method(self, *args)
    return inner

class C:
    @logged
    def me(self): return self
    @logged
    def make(self): return A()

class D(C):
    def more(self): ...

D().me().more()  # => me: C.me; more: D.more
D().make().f()  # => f: A.f
""")


def test_decorated_classes() -> None:
    in_module("""
from dataclasses import dataclass
from outside import ext

def register(cls): return cls
def replace(cls): return B
def patch(cls):
    cls.extra = 1
    return cls

@register
class One:
    def f(self): ...
@replace
class Two:
    def both(self): ...
@ext
class Three:
    def f(self): ...
@dataclass
class Four:
    def f(self): ...
@patch
class Five:
    def f(self): ...

One().f()  # => One: One; f: One.f
Two().both()  # => Two: Two; both: B.both
Three().f()  # => f: Three.f
Four().f()  # => f: Four.f
Five().f()  # => f: Five.f
""")


def test_a_property_and_what_it_gives() -> None:
    in_module("""
from functools import cached_property

def get(self): return A()
of_module = property(get)
of_module.f()  # => f: unresolved no-member
of_module.fget  # => fget: external builtins:property.fget

class C:
    @property
    def one(self): return A()
    two = property(get)
    @cached_property
    def three(self): return A()
    @classmethod
    def make(cls):
        cls.one.f()  # => one: C.one; f: unresolved no-member
    def use(self):
        self.one.f()  # => f: A.f
        type(self).one.f()  # => one: C.one; f: unresolved no-member

C.one.f()  # => one: C.one; f: unresolved no-member
C.two.f()  # => two: C.two; f: unresolved no-member
C.three.f()  # => three: C.three; f: unresolved
C().one.f()  # => f: A.f
C().two.f()  # => f: A.f
C().three.f()  # => f: A.f
type(C()).one.f()  # => f: unresolved no-member
""")


def test_a_property_of_a_metaclass_is_one_of_the_class() -> None:
    in_module("""
class Meta(type):
    @property
    def one(cls): return A()

class C(metaclass=Meta): ...
C.one.f()  # => one: Meta.one; f: A.f
""")


def test_members_that_builtins_do_not_have() -> None:
    check("""
class Box:
    def load(self): ...

def use(rows, flag, given: list[int], text: str | Box):
    int.load  # => load: unresolved no-member
    (1).load()  # => load: unresolved no-member
    [].load()  # => load: unresolved no-member
    (row for row in rows).load()  # => load: unresolved no-member
    {1 for row in rows}.load()  # => load: unresolved no-member
    None.load  # => load: unresolved no-member
    "".load()  # => load: unresolved no-member
    b"".load()  # => load: unresolved no-member
    {}.load()  # => load: unresolved no-member
    (1, 2).load()  # => load: unresolved no-member
    given.load()  # => load: unresolved no-member
    {}.items().load()  # => load: unresolved no-member
    text.load()  # => load: Box.load
    (Box() if flag else None).load()  # => load: Box.load
    "".join(rows)  # => join: external builtins:str.join
    [].__len__()  # => __len__: external builtins:list.__len__
    {}.keys().isdisjoint(rows)  # => isdisjoint: external builtins:dict_keys.isdisjoint
    int.from_bytes  # => from_bytes: external builtins:int.from_bytes
    str.mro()  # => mro: external
    (row for row in rows).close()  # => close: external builtins:generator.close
""")
