"""Rules of the language that are easy to get wrong: coroutines, construction, private names, operators."""

from tests.languages.python.python_repository import check
from tests.languages.python.test_python_values import in_module


def test_a_coroutine_is_not_what_it_gives() -> None:
    in_module("""
import asyncio

async def make(): return A()
async def several():
    yield A()

class C:
    async def make(self) -> A: ...

async def use(c: C):
    make().f()  # => f: unresolved no-member
    (await make()).f()  # => f: A.f
    (await c.make()).f()  # => f: A.f
    c.make().close()  # => close: external builtins:coroutine.close
    task = asyncio.create_task(make())
    task.f()  # => f: external asyncio:Task.f
    (await task).f()  # => f: A.f
    task.result().f()  # => f: A.f
    async for one in several():
        one.f()  # => f: A.f

asyncio.run(make()).f()  # => f: A.f
""")


def test_what_new_and_the_metaclass_make() -> None:
    in_module("""
class Other:
    def __new__(cls): return B()
    def f(self): ...

class Same:
    def __new__(cls):
        made = super().__new__(cls)
        return made
    def f(self): ...

class Meta(type):
    def __call__(cls, *args): return B()

class Made(metaclass=Meta):
    def both(self): ...

class Single(type):
    def __call__(cls, *args): return cls.known[cls]

class One(metaclass=Single):
    def f(self): ...

Other().both()  # => both: B.both
Same().f()  # => f: Same.f
Made().both()  # => both: B.both
One().f()  # => f: One.f
""")


def test_private_names() -> None:
    in_module("""
class C:
    __field = A()
    copied = __field  # => __field: C.__field
    def __init__(self):
        self.__own = B()
    def __make(self): return A()
    def use(self):
        self.__make().f()  # => __make: C.__make; f: A.f
        self.__field.f()  # => __field: C.__field; f: A.f
        self.__own.g()  # => __own: C.__own; g: B.g
        self._C__make()  # => _C__make: C.__make
        self.__init__()  # => __init__: C.__init__

class D(C):
    def __make(self): return B()
    def more(self, other: C):
        self.__make().g()  # => __make: D.__make; g: B.g
        self.__own  # => __own: unresolved no-member
        other.__make()  # => __make: unresolved no-member
        self._C__make().f()  # => _C__make: C.__make; f: A.f

C().__make()  # => __make: unresolved no-member
C()._C__make()  # => _C__make: C.__make
""")


def test_what_stands_in_for_a_method() -> None:
    in_module("""
class C:
    def one(self): return A()
    def two(self): return A()
    def three(self): return A()
    def shadow(self):
        self.one = lambda: B()

def other(self): return B()
C.two = other
C().one().both()  # => one: C.one; both: A.both B.both
C().two().both()  # => two: C.two; both: A.both B.both
C().three().both()  # => three: C.three; both: A.both
""")


def test_a_function_inside_may_bind_names_of_the_function_around() -> None:
    in_module("""
def use():
    value = A()
    value.both()  # => both: A.both
    def change():
        nonlocal value
        value = B()
        value.both()  # => both: A.both B.both
    value.both()  # => both: A.both B.both
    value = A()
    change()
    value.both()  # => both: A.both B.both
    return value

use().both()  # => both: A.both B.both
""")


def test_the_value_of_a_member_of_an_enumeration() -> None:
    in_module("""
import enum

class Color(enum.Enum):
    RED = A()
    def kind(self): ...

Color.RED.kind()  # => RED: Color.RED; kind: Color.kind
Color.RED.f()  # => f: unresolved
Color.RED.value.f()  # => value: external; f: unresolved receiver-unknown
Color.RED.name.upper()  # => name: external; upper: external
""")


def test_overloads_are_told_apart_by_builtin_arguments() -> None:
    in_module("""
from typing import overload
@overload
def make(x: int) -> A: ...
@overload
def make(x: str) -> B: ...
def make(x): ...
make(1).f()  # => f: A.f
make("").g()  # => g: B.g
make(True).both()  # => both: A.both
make(unknown()).both()  # => both: A.both B.both
""")


def test_a_package_has_the_modules_that_it_imports_from() -> None:
    check("""
-- pkg/__init__.py --
from .one import *
from .two import f
__all__ = one.__all__ + two.__all__  # => one: pkg/one.py:; two: pkg/two.py:
three  # => three: unresolved
-- pkg/one.py --
__all__ = ["A", "C"]
__all__.remove("A")
__all__.append("B")
class A: ...
class B: ...
class C: ...
-- pkg/two.py --
__all__ = ["f"]
def f(): ...
def g(): ...
-- pkg/three.py --
-- m.py --
from pkg import *
A  # => A: unresolved
B  # => B: pkg/one.py:B
C  # => C: pkg/one.py:C
f  # => f: pkg/two.py:f
g  # => g: unresolved
""")


def test_the_standard_library_is_there() -> None:
    check("""
-- compat.py --
def cache(f): ...
class loads: ...
-- m.py --
try:
    from functools import cache
except ImportError:
    from compat import cache
try:
    from ujson import loads
except ImportError:
    from compat import loads
cache  # => cache: external functools:cache
loads  # => loads: compat.py:loads
""")


def test_functions_of_functools_have_members() -> None:
    check("""
import functools

@functools.singledispatch
def show(x): ...
@show.register  # => register: external functools:singledispatch.register
def show_int(x: int): ...
@functools.lru_cache(maxsize=1)
def load(): ...
load.cache_clear()  # => cache_clear: external functools:lru_cache.cache_clear
show.cache_clear()  # => cache_clear: unresolved no-member
""")


def test_what_is_left_of_a_mapping_that_is_matched() -> None:
    check("""
def use(value):
    match value:
        case {"a": _, **rest}:
            rest.items()  # => items: external builtins:dict.items
        case [_, *rest2]:
            rest2.append(1)  # => append: external builtins:list.append
""")


def test_operators_of_builtin_values() -> None:
    in_module("""
def use(flag):
    added = [A()] + [B()]
    added[0].both()  # => both: A.both B.both
    (3 * [A()])[0].f()  # => f: A.f
    (3 * [A()]).append(1)  # => append: external builtins:list.append
    ([A()] * 3)[0].f()  # => f: A.f
    (1 / 2).hex()  # => hex: external builtins:float.hex
    (1 + 2.5).hex()  # => hex: external builtins:float.hex
    (1 + 2).bit_length()  # => bit_length: external builtins:int.bit_length
    (A() == B()).f()  # => f: unresolved receiver-unknown
    (A() < B()).f()  # => f: unresolved receiver-unknown
    (A() in [B()]).f()  # => f: unresolved no-member
    (A() is not B()).f()  # => f: unresolved no-member
    use.__wrapped__  # => __wrapped__: external
    A().f.__self__  # => __self__: external
""")


def test_type_variables_with_constraints() -> None:
    in_module("""
from typing import TypeVar
T = TypeVar("T", A, "B")

def same(value: T) -> T:
    value.both()  # => both: A.both B.both
    return value
same(A()).f()  # => f: A.f
""")


def test_bases_from_outside_come_in_their_place() -> None:
    check("""
import threading
from typing import Generic
from outside import Unknown

class Mix:
    def get(self): ...
    def run(self): ...
    def only(self): ...
    def __init__(self): ...

class First(dict, Mix):
    def use(self):
        self.get(1)  # => get: external builtins:dict.get
        self.only()  # => only: Mix.only
        super().get(1)  # => get: external builtins:dict.get
        super().__init__()  # => __init__: external builtins:dict.__init__

class Second(Mix, dict):
    def use(self):
        self.get(1)  # => get: Mix.get
        self.items()  # => items: external builtins:dict.items

class Thread(threading.Thread, Mix): ...
class Below(First): ...
class Perhaps(Unknown, Mix): ...
class Made(Generic, Mix): ...

Thread().run()  # => run: external threading:Thread.run
Thread().only()  # => only: Mix.only
Below().get(1)  # => get: external builtins:dict.get
Perhaps().run()  # => run: Mix.run
Made().run()  # => run: Mix.run
""")


def test_a_local_variable_is_not_what_it_holds() -> None:
    check("""
class Error(Exception): ...
def plain(x): return x

def use(flag, value):
    kind = Error
    if flag:
        raise kind  # => kind: unresolved local-value
    if value:
        show = plain
    else:
        def show(x): ...
    show(value)  # => show: use.show
    return show  # => show: use.show
""")


def test_base_classes_assign_the_same_attributes() -> None:
    in_module("""
class Base:
    def __init__(self, other):
        self.one = A()
        self.two = other
        self.three: A = other

class C(Base):
    def change(self):
        self.one = B()
        self.two = B()
        self.three = unknown()
    def use(self):
        self.one.both()  # => one: C.one; both: A.both B.both
        self.three.f()  # => f: A.f
        return self.two

class D(Base):
    def __init__(self):
        super().__init__(None)
        self.one = B()
    def use(self):
        self.one.both()  # => one: D.one; both: B.both
""")


def test_targets_behind_a_starred_one_are_counted_from_the_end() -> None:
    in_module("""
one, *rest, two = A(), B(), B(), A()
one.f()  # => f: A.f
two.f()  # => f: A.f
A().f.__self__.f()  # => f#2: unresolved receiver-unknown
""")


def test_else_of_try_comes_after_the_whole_body() -> None:
    in_module("""
def use():
    one = B()
    try:
        one = A()
    except ValueError:
        one.both()  # => both: A.both B.both
    else:
        one.both()  # => both: A.both
    one.both()  # => both: A.both B.both
""")
