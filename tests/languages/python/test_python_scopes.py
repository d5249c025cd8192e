"""Naming and binding: Python reference, 4.2; comprehensions, 6.2.4; `global` and `nonlocal`, 7.12 and 7.13."""

from tests.languages.python.python_repository import check, link


def test_a_function_sees_module_names_whatever_the_order() -> None:
    check("""
def first():
    return second()  # => second: second


def second():
    return first()  # => first: first
""")


def test_parameters_and_locals_shadow() -> None:
    check("""
def helper(): ...


def by_parameter(helper):
    return helper()  # => helper: by_parameter.helper


def by_assignment():
    helper = print
    return helper()  # => helper: by_assignment.helper


def by_loop(items):
    for helper in items:
        helper()  # => helper: by_loop.helper


def by_with(manager):
    with manager as helper:
        helper()  # => helper: by_with.helper


def by_except():
    try:
        pass
    except ValueError as helper:
        helper()  # => helper: by_except.helper


def by_import():
    from os import getcwd as helper
    return helper()  # => helper: external os:getcwd


def by_walrus(value):
    if helper := value:
        helper()  # => helper: by_walrus.helper


def by_lambda():
    return lambda helper: helper()  # => helper#2: by_lambda.helper


def by_nothing():
    return helper()  # => helper: helper
""")


def test_builtins_are_shadowed_by_module_names() -> None:
    check("""
def open(path): ...  # noqa


def use(path):
    len(path)  # => len: external builtins:len
    return open(path)  # => open: open
""")


def test_imports_are_shadowed_by_parameters() -> None:
    check("""
-- tools.py --
def run(): ...
-- m.py --
import tools


def use(tools):
    tools.run()  # => tools: none; run: unresolved receiver-unknown


def other():
    tools.run()  # => run: run
""")


def test_methods_do_not_see_the_names_of_their_class() -> None:
    check("""
def save(): ...


class Model:
    def save(self):
        return save()  # => save: save@1

    def twice(self):
        save()  # => save: save@1
        self.save()  # => save: Model.save
""")


def test_a_class_body_sees_its_own_names_once_they_are_bound() -> None:
    check("""
class Worker: ...


class State:
    Worker = Worker  # => Worker#2: Worker

    def handler(self): ...

    table = {"key": handler}  # => handler: State.handler
    default = later  # => later: unresolved no-candidate

    class Inner:
        outer = handler  # => handler: unresolved no-candidate
""")


def test_attributes_of_instances_are_no_names_of_the_class_body() -> None:
    check("""
-- box.py --
class Box: ...
-- m.py --
import box


class Table:
    def __init__(self, box: box.Box):
        self.box = box

    def other(self, value: box.Box):  # => Box: box.py:Box
        return self.box
""")


def test_comprehensions_have_a_scope_of_their_own() -> None:
    check("""
def item(): ...


def use(rows):
    names = [item() for item in rows]  # => item: use.item
    return item(), names  # => item: item


def first_iterable(item):
    return [item for item in item()]  # => item#3: first_iterable.item


class Body:
    def rows(self): ...

    values = [rows for rows in rows(None)]  # => rows#3: Body.rows
    inner = [rows for other in range(3)]  # => rows: unresolved no-candidate
""")


def test_a_walrus_in_a_comprehension_binds_outside_of_it() -> None:
    check("""
class Match:
    def group(self): ...


def last() -> Match: ...


def use(lines):
    any(found := last() for line in lines)
    found.group()  # => group: Match.group
""")


def test_global_binds_in_the_module() -> None:
    check("""
class Pool:
    def get(self): ...


def start():
    global pool
    pool = Pool()


def use():
    pool.get()  # => pool: pool; get: Pool.get
""")


def test_nonlocal_binds_in_the_function_around() -> None:
    check("""
class Pool:
    def get(self): ...


def outer():
    pool = None

    def start():
        nonlocal pool
        pool = Pool()

    start()  # => start: outer.start
    return pool.get()  # => get: Pool.get


def later():
    pool = None

    def start():
        nonlocal pool
        pool = Pool()

    def use():
        pool.get()  # => get: Pool.get
""")


def test_nested_functions_and_classes() -> None:
    check("""
def outer():
    def inner():
        return deepest()  # => deepest: outer.deepest

    def deepest():
        return inner()  # => inner: outer.inner

    class Local:
        def method(self):
            return inner()  # => inner: outer.inner

    return Local().method()  # => Local: outer.Local; method: outer.Local.method


inner()  # => inner: unresolved no-candidate
""")


def test_the_receiver_is_seen_in_nested_functions() -> None:
    check("""
class Service:
    def helper(self): ...

    def run(self):
        def inner():
            return self.helper()  # => helper: Service.helper

        listed = [self.helper() for _ in range(3)]  # => helper: Service.helper
        return listed, lambda: self.helper()  # => helper: Service.helper

    @staticmethod
    def free(self):
        self.helper()  # => helper: unresolved receiver-unknown
""")


def test_conditional_definitions_are_candidates() -> None:
    check("""
import sys

if sys.platform == "win32":
    def lock(): ...
else:
    def lock(): ...

lock()  # => lock: ambiguous lock@4 lock@6


def plain(): ...


def plain(): ...  # noqa


plain()  # => plain: plain@14
""")


def test_a_definition_in_one_branch_only_is_the_only_candidate() -> None:
    check("""
DEBUG = True

if DEBUG:
    def trace(): ...

trace()  # => trace: trace
""")


def test_local_redefinition_follows_the_order_of_statements() -> None:
    check("""
def use():
    class Case:
        def first(self): ...

    Case().first()  # => Case: use.Case@2; first: use.Case.first

    class Case:
        def second(self): ...

    Case().second()  # => Case: use.Case@7; second: use.Case.second
""")


def test_a_function_decorated_by_hand_stays_what_its_name_means() -> None:
    check("""
def wrap(function): ...


def task(): ...


task = wrap(task)
task()  # => task: task@4


class Box:
    def size(self): ...

    size = property(size)


Box().size  # => size: Box.size@12
""")


def test_names_that_nobody_binds_stay_open() -> None:
    check("""
class Thing:
    def run(self): ...


run()  # => run: unresolved no-candidate
missing.run()  # => missing: unresolved no-candidate; run: unresolved receiver-unknown
""")


def test_a_deleted_name_is_a_reference_of_its_own() -> None:
    linked = link("""
value = 1
del value
""")
    assert [(answer.kind, answer.name) for answer in linked.answers] == [("delete", "value")]


def test_match_patterns_bind_and_refer() -> None:
    check("""
class Circle:
    radius: "Length"

    def area(self): ...


class Length:
    def metres(self): ...


def use(shape, other):
    match shape:
        case Circle(radius=length) as circle:  # => Circle: Circle; radius: Circle.radius
            length.metres()  # => metres: Length.metres
            circle.area()  # => area: Circle.area
            shape.area()  # => area: Circle.area
        case [Circle() as first, *rest]:  # => Circle: Circle
            first.area()  # => area: Circle.area
            rest.area()  # => area: unresolved no-member
        case {"key": Circle() as found, **others}:
            found.area()  # => area: Circle.area
        case other.NAME | None:  # => NAME: unresolved receiver-unknown
            shape.area()  # => area: unresolved receiver-unknown
        case _:
            pass
""")
