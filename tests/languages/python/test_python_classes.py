"""Classes: the method resolution order, super(), attribute access, descriptors, metaclasses, enumerations.

Data model, 3.3.2 and 3.3.3; docs.python.org, "The Python 2.3 Method Resolution Order".
"""

from graph.languages.facts import interface
from graph.languages.python import LANGUAGES
from graph.link.values import gid
from graph.link.world import FileRecord, World
from tests.languages.python.python_repository import check, definition, link


def test_inherited_members_across_files() -> None:
    check("""
-- base.py --
class Base:
    limit = 3

    def save(self):
        return self.validate()  # => validate: Base.validate

    def validate(self): ...
-- model.py --
import base


class Model(base.Base):  # => Base: Base
    def validate(self):
        return super().validate()  # => super: external builtins:super; validate: Base.validate

    def store(self):
        self.validate()  # => validate: Model.validate
        self.save()  # => save: Base.save
        return self.limit  # => limit: Base.limit


def use(model: Model):
    model.save()  # => save: Base.save
    Model.validate(model)  # => validate: Model.validate
""")


def test_the_order_of_a_diamond() -> None:
    check("""
class Root:
    def both(self): ...
    def top(self): ...

class Left(Root):
    def left(self): ...

class Right(Root):
    def both(self): ...

class Leaf(Left, Right):
    def use(self):
        self.both()  # => both: Right.both
        super().both()  # => both: Right.both
        self.top()  # => top: Root.top
        self.left()  # => left: Left.left
        super(Left, self).both()  # => both: Right.both
""")


def test_mixins_come_in_the_order_of_the_bases() -> None:
    check("""
class A:
    def f(self): ...

class B:
    def f(self): ...
    def g(self): ...

class AB(A, B): ...
class BA(B, A): ...

AB().f()  # => f: A.f
BA().f()  # => f: B.f
AB().g()  # => g: B.g
""")


def test_bases_that_have_no_order_are_walked_depth_first() -> None:
    check("""
class A:
    def f(self): ...

class B(A):
    def f(self): ...

class Impossible(A, B): ...
class Circle(Circle2): ...
class Circle2(Circle):
    def g(self):
        self.h()  # => h: unresolved

Impossible().f()  # => f: A.f
""")


def test_super_in_a_mixin_stays_open() -> None:
    check("""
class Base:
    def save(self): ...

class Mixin:
    def save(self):
        super().save()  # => save: unresolved no-member

class Model(Mixin, Base): ...
""")


def test_a_receiver_with_a_declared_type() -> None:
    check("""
class Site:
    def open(self): ...

class Mixin:
    def use(self: Site):
        self.open()  # => open: Site.open
        self.own = 1

    def plain(self: "Mixin"):
        self.own  # => own: Mixin.own
        self.open()  # => open: unresolved no-member
""")


def test_class_and_static_methods() -> None:
    check("""
class Shape:
    @classmethod
    def make(cls):
        cls.check()  # => check: Shape.check
        return cls()

    @staticmethod
    def check(): ...

    def area(self): ...

    def __new__(cls):
        cls.check()  # => check: Shape.check
        return super().__new__(cls)

class Square(Shape):
    def side(self): ...

Square.make().side()  # => make: Shape.make; side: Square.side
Shape.make().area()  # => area: Shape.area
Square.check()  # => check: Shape.check
""")


def test_what_is_returned_as_self_keeps_the_class_it_was_called_on() -> None:
    check("""
from typing import Self, TypeVar
import typing_extensions as te

T = TypeVar("T", bound="Query")

class Query:
    def plain(self):
        return self

    def declared(self) -> Self:
        return self

    def by_module(self) -> te.Self:
        return self

    def by_variable(self: T) -> T:
        return self

    @classmethod
    def make(cls: type[T]) -> T:
        return cls()

    def __enter__(self: T) -> T:
        return self

class Special(Query):
    def only_here(self): ...

Special().plain().only_here()  # => plain: Query.plain; only_here: Special.only_here
Special().declared().only_here()  # => only_here: Special.only_here
Special().by_module().only_here()  # => only_here: Special.only_here
Special().by_variable().only_here()  # => only_here: Special.only_here
Special.make().only_here()  # => only_here: Special.only_here
with Special() as entered:
    entered.only_here()  # => only_here: Special.only_here
Query().plain().only_here()  # => only_here: unresolved no-member
""")


def test_the_class_of_a_value() -> None:
    check("""
class Node:
    @classmethod
    def build(cls): ...

    def copy(self):
        self.__class__.build()  # => __class__: external; build: Node.build
        type(self).build()  # => build: Node.build
        return self.__class__().copy()  # => copy: Node.copy
""")


def test_attributes_that_instances_get() -> None:
    check("""
class Mailer:
    def send(self): ...

class Outbox:
    transport = None

    def __init__(self, given: Mailer):
        self.mailer = Mailer()
        self.given = given
        self.transport = Mailer()
        self.declared: Mailer = make()
        self.unknown = make()

    def send(self):
        self.mailer.send()  # => mailer: Outbox.mailer; send: Mailer.send
        self.given.send()  # => send: Mailer.send
        self.transport.send()  # => transport: Outbox.transport; send: Mailer.send
        self.declared.send()  # => send: Mailer.send
        self.unknown.send()  # => unknown: Outbox.unknown; send: unresolved receiver-unknown
        self.never  # => never: unresolved no-member
""")


def test_a_base_declares_what_its_subclass_assigns() -> None:
    check("""
class Engine:
    def start(self): ...

class Car:
    engine: Engine

class Racer(Car):
    engine = None

    def go(self):
        self.engine.start()  # => engine: Racer.engine; start: Engine.start
""")


def test_properties() -> None:
    check("""
import functools

class Engine:
    def start(self): ...

class Car:
    def __init__(self):
        self.engine = None

    @property
    def engine(self) -> Engine: ...

    @engine.setter
    def engine(self, value): ...

    @functools.cached_property
    def spare(self):
        return Engine()

    def old(self):
        return Engine()

    old_style = property(old)

    def go(self):
        self.engine.start()  # => engine: Car.engine@11; start: Engine.start
        self.spare.start()  # => spare: Car.spare; start: Engine.start
        self.old_style.start()  # => old_style: Car.old_style; start: Engine.start
""")


def test_descriptors_give_what_their_get_gives() -> None:
    check("""
class Engine:
    def start(self): ...

class Lazy:
    def __get__(self, instance, owner) -> Engine: ...
    def start(self): ...

class lazy:
    def __init__(self, function): ...
    def __get__(self, instance, owner) -> Engine: ...

class Car:
    engine = Lazy()

    @lazy
    def spare(self): ...

    def __init__(self):
        self.plain = Lazy()

    def go(self):
        self.engine.start()  # => start: Engine.start
        self.spare.start()  # => spare: Car.spare; start: Engine.start
        self.plain.start()  # => start: Lazy.start
""")


def test_a_decorator_that_is_a_class_gives_an_instance() -> None:
    check("""
class Command:
    def __init__(self, function): ...
    def invoke(self): ...
    def __call__(self) -> "Result": ...

class Result:
    def show(self): ...

def command(function) -> Command: ...

@Command
def first(): ...

@command
def second(): ...

first.invoke()  # => first: first; invoke: Command.invoke
second.invoke()  # => second: second; invoke: Command.invoke
first().show()  # => first: first; show: Result.show
""")


def test_decorators_that_keep_the_function() -> None:
    check("""
import functools

class Result:
    def show(self): ...

def trace(function):
    @functools.wraps(function)
    def inner(*args):
        return function(*args)
    return inner

@trace
def work() -> Result: ...

@functools.lru_cache(maxsize=None)
def cached() -> Result: ...

work().show()  # => show: Result.show
cached().show()  # => show: Result.show
""")


def test_members_of_metaclasses() -> None:
    check("""
class Meta(type):
    def register(cls): ...

class Model(metaclass=Meta):
    def save(self): ...

class User(Model): ...

User.register()  # => register: Meta.register
User.save  # => save: Model.save
User().register()  # => register: unresolved
""")


def test_a_metaclass_may_replace_what_a_class_body_assigns() -> None:
    check("""
class Meta(type): ...

class Manager:
    def all(self): ...

class Model(metaclass=Meta):
    objects = Manager()
    kind = Manager
    declared: Manager = Manager()

    def __init__(self):
        self.own = Manager()

def use(model: Model):
    Model.objects.all()  # => all: Manager.all
    model.objects.all()  # => objects: Model.objects; all: unresolved receiver-unknown
    model.kind().all()  # => all: Manager.all
    model.declared.all()  # => all: Manager.all
    model.own.all()  # => all: Manager.all
""")


def test_enumerations() -> None:
    check("""
import enum

class Colour(enum.Enum):
    RED = "red"
    BLUE = 2

    def mix(self):
        return self.RED.mix()  # => RED: Colour.RED; mix: Colour.mix

Colour.RED.mix()  # => RED: Colour.RED; mix: Colour.mix
Colour.RED.value  # => value: external enum:Enum.value
Colour("red").mix()  # => mix: Colour.mix
Colour["RED"].mix()  # => mix: Colour.mix
for colour in Colour:
    colour.mix()  # => mix: Colour.mix
""")


def test_named_tuples_and_dataclasses() -> None:
    check("""
from dataclasses import dataclass
from typing import NamedTuple

class Leaf:
    def fall(self): ...

class Twig(NamedTuple):
    leaf: Leaf
    length: int

@dataclass
class Branch:
    leaf: Leaf
    twigs: list[Twig]

    def shake(self):
        self.leaf.fall()  # => leaf: Branch.leaf; fall: Leaf.fall
        for twig in self.twigs:
            twig.leaf.fall()  # => leaf: Twig.leaf; fall: Leaf.fall
            leaf, length = twig
            leaf.fall()  # => fall: Leaf.fall
            twig[0].fall()  # => fall: Leaf.fall

Twig(Leaf(), 1)._replace()  # => _replace: external
Twig(Leaf(), 1).leaf.fall()  # => fall: Leaf.fall
""")


def test_protocols_and_abstract_classes() -> None:
    check("""
from abc import ABC, abstractmethod
from typing import Protocol

class Closable(Protocol):
    def close(self): ...

class Base(ABC):
    @abstractmethod
    def run(self): ...

def use(closable: Closable, base: Base):
    closable.close()  # => close: Closable.close
    base.run()  # => run: Base.run
    base.other()  # => other: unresolved no-member
""")


def test_bases_from_outside() -> None:
    check("""
import threading
import unittest
import somewhere

class Case(unittest.TestCase):
    def test(self):
        self.assertEqual(1, 1)  # => assertEqual: external unittest:TestCase.assertEqual
        self.helper()  # => helper: Case.helper
        self.made_up()  # => made_up: unresolved no-member

    def helper(self): ...

class Job(somewhere.Task):
    def run(self):
        self.apply()  # => apply: external somewhere:Task.apply
        super().run()  # => run: external somewhere:Task.run

class Trouble(ValueError):
    def show(self):
        self.args  # => args: external builtins:ValueError.args
        self.detail  # => detail: unresolved no-member

class Both(Job, Missing):
    def go(self):
        self.anything()  # => anything: unresolved
""")


def test_an_unknown_base_leaves_everything_open() -> None:
    check("""
class Child(unknown()):
    def run(self):
        self.run()  # => run: Child.run
        self.other()  # => other: unresolved
""")


def test_dynamic_members() -> None:
    check("""
class Proxy:
    def __getattr__(self, name): ...
    def real(self): ...

Proxy().real()  # => real: Proxy.real
Proxy().made_up()  # => made_up: unresolved dynamic
""")


def test_members_of_object() -> None:
    check("""
class Plain:
    def __str__(self):
        return self.__repr__()  # => __repr__: external builtins:object.__repr__

Plain().__str__()  # => __str__: Plain.__str__
Plain.__name__  # => __name__: external
""")


def test_calling_instances() -> None:
    check("""
class Result:
    def show(self): ...

class Action:
    def __call__(self) -> Result: ...

def use(action: Action):
    action().show()  # => show: Result.show
    Action()().show()  # => show: Result.show
""")


def test_nested_classes() -> None:
    check("""
class Outer:
    class Meta:
        def option(self): ...

    def use(self):
        self.Meta().option()  # => Meta: Outer.Meta; option: Outer.Meta.option
        Outer.Meta.option  # => option: Outer.Meta.option

class Child(Outer):
    class Meta(Outer.Meta): ...  # => Outer: Outer; Meta#2: Outer.Meta

Child.Meta.option  # => Meta: Child.Meta; option: Outer.Meta.option
""")


def test_conditional_members_are_candidates() -> None:
    check("""
import sys

class Clock:
    if sys.version_info >= (3, 12):
        def now(self): ...
    else:
        def now(self): ...

Clock().now()  # => now: ambiguous Clock.now@5 Clock.now@7
""")


def test_overridden() -> None:
    linked = link("""
class Root:
    def f(self): ...

class Middle(Root): ...

class Leaf(Middle):
    def f(self): ...
    def g(self): ...
""")
    facts = linked.facts["m.py"]
    world = World([FileRecord(0, "m.py", "python", "", False)], [], lambda _: interface(facts))
    linker = LANGUAGES[0].linker(world)
    numbers = {fact.qualified_name: index for index, fact in enumerate(facts.definitions)}
    assert linker.overridden(gid(0, numbers["Leaf.f"])) == (gid(0, numbers["Root.f"]),)
    assert linker.overridden(gid(0, numbers["Leaf.g"])) == ()
    assert definition(linked, "Leaf.f").parent == numbers["Leaf"]
