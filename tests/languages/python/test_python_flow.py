"""What locals hold at a place: the order of statements, branches, loops, and what `isinstance` tests say."""

import pytest

from tests.languages.python.python_repository import check
from tests.languages.python.test_python_values import in_module


def test_the_last_assignment_counts() -> None:
    in_module("""
def use(given: A):
    one = A()
    one.f()  # => f: A.f
    one = B()
    one.both()  # => both: B.both
    given.both()  # => both: A.both
    given = B()
    given.both()  # => both: B.both
    one = unknown()
    one.both()  # => both: unresolved receiver-unknown
    del one
    one.both()  # => both: A.both B.both
""")


def test_what_branches_assign() -> None:
    in_module("""
def use(flag):
    one = A()
    if flag:
        one = B()
        one.both()  # => both: B.both
    elif flag > 1:
        one.both()  # => both: A.both
    else:
        one.both()  # => both: A.both
    one.both()  # => both: A.both B.both
    one = A()
    one.both()  # => both: A.both
""")


def test_branches_that_leave_assign_nothing_behind_them() -> None:
    in_module("""
def use(flag, rows):
    one = A()
    if flag:
        one = B()
        return one.both()  # => both: B.both
    one.both()  # => both: A.both
    for row in rows:
        if row:
            one = B()
            continue
        one.f()  # => f: A.f
""")


def test_loops_see_what_they_assign_further_down() -> None:
    in_module("""
def use(rows, flag):
    one, two = A(), A()
    for row in rows:
        two.both()  # => both: A.both
        one.both()  # => both: A.both B.both
        one = B()
        one.both()  # => both: B.both
    one.both()  # => both: A.both B.both
    while flag:
        two.both()  # => both: A.both B.both
        for two in [B()]:
            two.both()  # => both: B.both
""")


def test_try_statements() -> None:
    in_module("""
def use():
    one = A()
    try:
        one.both()  # => both: A.both
        one = B()
        one.both()  # => both: B.both
    except ValueError:
        one.both()  # => both: A.both B.both
    else:
        one.both()  # => both: B.both
    finally:
        one.both()  # => both: A.both B.both
""")


def test_functions_inside_see_every_assignment() -> None:
    in_module("""
def use():
    one = A()

    def inner():
        one.both()  # => both: A.both B.both

    callback = lambda: one.both()  # => both: A.both B.both
    listed = [one.both() for _ in range(3)]  # => both: A.both B.both
    one = B()
    return inner, callback, listed
""")


def test_declared_types_outlive_assignments_of_unknown_values() -> None:
    in_module("""
def use(given: A):
    given = unknown()
    given.f()  # => f: A.f
    local: A = unknown()
    local = unknown()
    local.f()  # => f: A.f
""")


def test_a_name_that_is_made_from_itself() -> None:
    in_module("""
class Query:
    def narrow(self):
        return self
    def run(self): ...

def use(flag, rows, given=None):
    query = Query()
    query = query.narrow()
    query.run()  # => run: Query.run
    for row in rows:
        query = query.narrow()  # => narrow: Query.narrow
    query.run()  # => run: Query.run
    given = given or A()
    given.f()  # => f: A.f
""")


def test_augmented_assignment_keeps_the_type() -> None:
    in_module("""
def use(more):
    items = [A()]
    items += more
    items[0].f()  # => f: A.f
""")


def test_isinstance_narrows() -> None:
    in_module("""
def use(value, other, flag):
    if isinstance(value, A):
        value.f()  # => f: A.f
    else:
        value.f()  # => f: unresolved receiver-unknown
    value.f()  # => f: unresolved receiver-unknown
    if isinstance(other, (A, B)) and flag:
        other.both()  # => both: A.both B.both
    assert isinstance(value, A), value.f()  # => f: unresolved receiver-unknown
    value.f()  # => f: A.f
    value = other
    value.f()  # => f: unresolved receiver-unknown
""")


def test_isinstance_with_early_exits() -> None:
    in_module("""
def leave(value):
    if not isinstance(value, A):
        return value.f()  # => f: unresolved receiver-unknown
    value.f()  # => f: A.f

def skip(values):
    for value in values:
        if not isinstance(value, A):
            continue
        value.f()  # => f: A.f

def other_way(value: A | B):
    if isinstance(value, A):
        return
    value.both()  # => both: B.both
""")


def test_isinstance_in_expressions() -> None:
    in_module("""
def use(value, values, flag):
    one = isinstance(value, A) and value.f()  # => f: A.f
    two = not isinstance(value, A) or value.f()  # => f: A.f
    three = value.f() if isinstance(value, A) else value.f()  # => f: A.f; f#2: unresolved receiver-unknown
    four = [item.f() for item in values if isinstance(item, A)]  # => f: A.f
    five = flag and isinstance(value, A) or value.f()  # => f: unresolved receiver-unknown
    while isinstance(value, A):
        value.f()  # => f: A.f
        break
    return one, two, three, four, five, value.f()  # => f: unresolved receiver-unknown
""")


def test_isinstance_of_members() -> None:
    in_module("""
class Holder:
    def __init__(self, thing):
        self.thing = thing

    def use(self, other):
        if isinstance(self.thing, A):
            self.thing.f()  # => thing: Holder.thing; f: A.f
            self.thing = other
            self.thing.f()  # => f: unresolved receiver-unknown
        if isinstance(other.part, A):
            other.part.f()  # => part: unresolved; f: A.f
            other = self
            other.part.f()  # => f: unresolved
""")


def test_isinstance_keeps_the_more_special_class() -> None:
    in_module("""
class Child(A):
    def more(self): ...

def use(value: Child | B, one: A, text: str | A):
    if isinstance(value, A):
        value.more()  # => more: Child.more
    elif isinstance(value, B):
        value.g()  # => g: B.g
    if isinstance(one, Child):
        one.more()  # => more: Child.more
    if isinstance(text, str):
        text.upper()  # => upper: external builtins:str.upper
    else:
        text.f()  # => f: A.f
""")


def test_isinstance_of_the_own_class() -> None:
    in_module("""
class C:
    def __init__(self):
        self.size = 1

    def __eq__(self, other):
        if not isinstance(other, self.__class__):
            return NotImplemented
        return self.size == other.size  # => size#2: C.size

    def __lt__(self, other):
        return isinstance(other, type(self)) and self.size < other.size  # => size#2: C.size
""")


def test_isinstance_with_classes_that_are_not_known() -> None:
    in_module("""
KINDS = (A, B)

def use(value, classes, known: A):
    if isinstance(value, KINDS):
        value.both()  # => both: A.both B.both
    if isinstance(value, classes):
        value.f()  # => f: unresolved receiver-unknown
    if isinstance(known, classes):
        known.f()  # => f: A.f
""")


@pytest.mark.parametrize(
    "assignment",
    [
        "one = B()",
        "other, one = B(), B()",
        "one, *other = [B()]",
        "for one in [B()]: pass",
        "with make() as one: pass",
        "(one := B())",
        "one: B = B()",
        "other = one = B()",
        "import lib as one",
        "def one(): ...",
    ],
)
def test_every_way_to_assign_in_a_loop_is_seen_at_its_start(assignment: str) -> None:
    linked = check(f"""
class A:
    def f(self): ...
    def both(self): ...

class B:
    def both(self): ...

def use(rows):
    one = A()
    for row in rows:
        one.f()  # => f: A.f
        one.both()
        {assignment}
""")
    answer = linked.at("m.py", 12, "both")
    if "import" in assignment or "def" in assignment or "with" in assignment or "*" in assignment:
        assert answer.rule != "receiver-result"
    else:
        assert {target.rsplit(":", 1)[1] for target in answer.targets} == {"A.both", "B.both"}
