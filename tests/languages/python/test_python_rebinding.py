"""Names that are bound more than once (Python reference, 4.2, 7.2, 7.5, 7.12): which binding a use can see."""

import pytest

from tests.languages.python.python_repository import check
from tests.languages.python.test_python_values import in_module

_REBINDING = [
    "for load in [1]: pass",
    "with open('x') as load: pass",
    "import lib as load",
    "match A():\n    case load: pass",
    "match A():\n    case [*load]: pass",
    "try: pass\nexcept ValueError as load: pass",
    "if (load := len('x')): pass",
    "load = unknown()",
    "load, rest = unknown()",
    "load += 1",
]


@pytest.mark.parametrize("again", _REBINDING)
def test_what_stands_before_sees_the_definition_and_functions_see_both(again: str) -> None:
    linked = check(f"""
-- lib.py --
class A:
    def f(self): ...
-- m.py --
from lib import A
def load(): return A()
load().f()  # => load: load; f: A.f
def use():
    return load
{again}
""")
    answer = linked.at("m.py", 5, "load")
    assert answer.status == "ambiguous"
    assert len(answer.targets) == 2


@pytest.mark.parametrize("again", ["for load in unknown(): pass", "load = unknown()", "with unknown() as load: pass"])
def test_a_name_bound_again_to_something_unknown_holds_nothing_known(again: str) -> None:
    in_module(f"""
def load(): return A()
def use():
    load().f()  # => f: unresolved
{again}
load().f()  # => f: unresolved
""")


def test_several_definitions_of_one_name() -> None:
    in_module("""
def make(): return A()
make().f()  # => make: make@3; f: A.f
def use():
    make().both()  # => make: ambiguous make@3 make@7; both: A.both B.both
def make(): return B()
make().g()  # => make: make@7; g: B.g
""")


def test_other_modules_see_what_is_left_at_the_end() -> None:
    check("""
-- lib.py --
class A:
    def f(self): ...
def make(): return A()
def gone(): ...
from other import make
del gone
def kept(): ...
for kept in [1]: pass
-- other.py --
class B:
    def g(self): ...
def make(): return B()
-- m.py --
from lib import make, gone, kept  # => make: other.py:make; gone: unresolved; kept: ambiguous kept kept
make().g()  # => g: B.g
""")


def test_global_in_a_function() -> None:
    in_module("""
def load(): return A()
load().both()  # => load: load; both: A.both
def start():
    global load
    load = B
    load().both()  # => load: ambiguous load@3 load@7; both: A.both B.both
load().both()  # => load: ambiguous load@3 load@7; both: A.both B.both
def use():
    load().both()  # => load: ambiguous load@3 load@7; both: A.both B.both

current = None
def enter():
    global current
    current = A()
current.f()  # => f: A.f
def leave():
    current.f()  # => current: current; f: A.f

def first(): ...
def define():
    global first
    def first(): ...
    import lib as first
first  # => first: ambiguous first define.first lib.py:
""")


def test_deleted_names() -> None:
    in_module("""
def load(): return A()
def use():
    load().f()  # => load: load; f: A.f
load().f()  # => f: A.f
del load  # => load: load
load().f()  # => load: unresolved; f: unresolved

def make(): return A()
del make
make = B()
make.g()  # => make: make@12; g: B.g
""")


def test_members_that_a_class_body_deletes() -> None:
    in_module("""
class C:
    def helper(self): ...
    def kept(self): ...
    table = [helper]  # => helper: C.helper
    del helper  # => helper: C.helper

def use(c: C):
    c.kept()  # => kept: C.kept
    c.helper()  # => helper: unresolved no-member
""")


def test_what_variables_of_a_module_hold_at_a_place() -> None:
    in_module("""
one = A()
one.both()  # => both: A.both
def use():
    one.both()  # => both: A.both B.both
one = B()
one.both()  # => one: one@3; both: B.both
if one:
    one = A()
    one.both()  # => both: A.both
one.both()  # => both: A.both B.both

two: A = unknown()
two.f()  # => f: A.f
two = unknown()
two.f()  # => f: A.f
""")


def test_branches_of_a_module() -> None:
    in_module("""
import sys
if sys.platform == "win32":
    def make(): return A()
    make().f()  # => make: make@5; f: A.f
else:
    def make(): return B()
make().both()  # => make: ambiguous make@5 make@8; both: A.both B.both
def use():
    make  # => make: ambiguous make@5 make@8
""")


def test_a_class_that_takes_the_name_of_its_base() -> None:
    in_module("""
class A(A):  # => A#2: lib.py:A
    def more(self): ...

A().more()  # => more: A.more
A().f()  # => f: lib.py:A.f
def use(one=A):  # => A: A@3
    one().f()
""")


def test_a_method_does_not_hide_a_type_in_its_own_header() -> None:
    in_module("""
class C:
    def A(self, other: A) -> A:  # => A#2: lib.py:A; A#3: lib.py:A
        return other

    def list(self) -> list: ...  # => list#2: external builtins:list

C().A(None).f()  # => f: A.f
""")


def test_overloads_are_one_function() -> None:
    in_module("""
from typing import overload
@overload
def make(x: int) -> A: ...
@overload
def make(x: str) -> B: ...
def make(x): ...
def use():
    make(1)  # => make: make@8
make(1)  # => make: make@8
""")


def test_a_repeated_import_is_no_second_meaning() -> None:
    check("""
-- pkg/__init__.py --
-- pkg/a.py --
def f(): ...
-- pkg/b.py --
def g(): ...
-- m.py --
import pkg.a
import pkg.b
from pkg.a import f
def use():
    pkg.a.f()  # => pkg: pkg/__init__.py:; f: f
    f()  # => f: pkg/a.py:f
from pkg.a import f
pkg.b.g()  # => g: g
""")


def test_a_placeholder_for_what_is_defined_later() -> None:
    in_module("""
make = None
def use():
    make().f()  # => make: make@6; f: A.f
def make(): return A()
""")
