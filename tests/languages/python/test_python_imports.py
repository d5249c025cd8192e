"""Imports: Python reference, 5 (the import system) and 7.11 (the import statement); PEP 420, 562."""

from tests.languages.python.python_repository import check


def test_names_modules_and_aliases() -> None:
    check("""
-- pkg/__init__.py --
-- pkg/svc.py --
def target(): ...
-- app.py --
import pkg.svc
import pkg.svc as s2
from pkg import svc
from pkg import svc as s3
from pkg.svc import target
from pkg.svc import target as renamed  # => pkg: pkg/__init__.py:; svc: pkg/svc.py:; target: target

pkg.svc.target()  # => pkg: pkg/__init__.py:; svc: pkg/svc.py:; target: target
s2.target()  # => s2: pkg/svc.py:; target: target
svc.target()  # => target: target
s3.target()  # => target: target
target()  # => target: target
renamed()  # => renamed: target
""")


def test_reexports_are_followed_to_the_definition() -> None:
    check("""
-- pkg/__init__.py --
from .core import Engine as Motor
from . import core
-- pkg/core.py --
from .deep import Engine
-- pkg/deep.py --
class Engine:
    def start(self): ...
-- app.py --
import pkg
from pkg import Motor  # => Motor: pkg/deep.py:Engine

Motor().start()  # => Motor: Engine; start: Engine.start
pkg.Motor().start()  # => Motor: Engine; start: Engine.start
pkg.core.Engine().start()  # => core: pkg/core.py:; Engine: Engine; start: Engine.start
""")


def test_relative_imports_of_every_level() -> None:
    check("""
-- top/__init__.py --
def root(): ...
-- top/side.py --
def beside(): ...
-- top/sub/__init__.py --
def near(): ...
-- top/sub/mod.py --
from . import near  # => near: near
from .. import root  # => root: root
from ..side import beside  # => side: top/side.py:; beside: beside
from . import other  # => other: top/sub/other.py:
from .... import beyond  # => beyond: unresolved import-not-found

near()  # => near: near
root()  # => root: root
beside()  # => beside: beside
other.leaf()  # => leaf: leaf
-- top/sub/other.py --
def leaf(): ...
""")


def test_star_imports_bring_public_names() -> None:
    check("""
-- lib.py --
from other import passed_on

def visible(): ...
def _hidden(): ...
-- other.py --
def passed_on(): ...
-- app.py --
from lib import *

visible()  # => visible: visible
passed_on()  # => passed_on: passed_on
_hidden()  # => _hidden: unresolved no-candidate
""")


def test_star_imports_obey_all() -> None:
    check("""
-- lib.py --
import parts
__all__ = ["listed", "_even_this"]
__all__ += ("added",)
__all__.extend(parts.__all__)
__all__.append("last")

def listed(): ...
def _even_this(): ...
def added(): ...
def last(): ...
def left_out(): ...
from parts import *
-- parts.py --
__all__ = "joined",
def joined(): ...
def inner(): ...
-- app.py --
from lib import *

listed()  # => listed: listed
_even_this()  # => _even_this: _even_this
added()  # => added: added
last()  # => last: last
joined()  # => joined: joined
left_out()  # => left_out: unresolved no-candidate
inner()  # => inner: unresolved no-candidate
""")


def test_all_that_cannot_be_read_says_nothing() -> None:
    check("""
-- lib.py --
__all__ = sorted(names())

def visible(): ...
-- app.py --
from lib import *

visible()  # => visible: visible
""")


def test_all_names_submodules() -> None:
    check("""
-- pkg/__init__.py --
__all__ = ["sub"]
-- pkg/sub.py --
def leaf(): ...
-- app.py --
from pkg import *

sub.leaf()  # => sub: pkg/sub.py:; leaf: leaf
""")


def test_a_star_import_from_outside_may_bring_what_nothing_else_does() -> None:
    check("""
-- app.py --
from tkinter import *

def own(): ...

Button()  # => Button: external tkinter:Button
own()  # => own: own
len([])  # => len: external builtins:len
-- two.py --
from tkinter import *
from math import *

Button()  # => Button: unresolved no-candidate
""")


def test_names_of_a_package_come_before_its_modules() -> None:
    check("""
-- pkg/__init__.py --
from .run import run
-- pkg/run.py --
def run(): ...
-- app.py --
import pkg
from pkg import run  # => run: pkg/run.py:run

pkg.run()  # => run: pkg/run.py:run
""")


def test_a_package_that_imports_its_own_module() -> None:
    check("""
-- pkg/__init__.py --
from . import part
from pkg import other

part.leaf()  # => part: pkg/part.py:; leaf: leaf
other.twig()  # => other: pkg/other.py:; twig: twig
-- pkg/part.py --
def leaf(): ...
-- pkg/other.py --
def twig(): ...
""")


def test_namespace_packages() -> None:
    check("""
-- space/one/__init__.py --
def first(): ...
-- space/two.py --
def second(): ...
-- app.py --
import space.one
from space import two
from space.two import second  # => space: unresolved; two: space/two.py:; second: second

space.one.first()  # => one: space/one/__init__.py:; first: first
two.second()  # => second: second
""")


def test_a_folder_that_lacks_what_is_imported_is_no_package() -> None:
    check("""
-- bench/numpy/run.py --
def array(): ...
-- bench/main.py --
from numpy import array  # => array: external numpy:array
import numpy.linalg  # => linalg: external numpy:linalg
""")


def test_imports_in_circles() -> None:
    check("""
-- a.py --
from b import second, lost  # => second: b.py:second; lost: unresolved
def first():
    second()  # => second: b.py:second
-- b.py --
from a import first, lost  # => first: a.py:first; lost: unresolved
def second():
    first()  # => first: a.py:first
""")


def test_fallbacks_of_imports() -> None:
    check("""
-- fast.py --
def parse(): ...
-- slow.py --
def parse(): ...
-- app.py --
try:
    from fast import parse
except ImportError:
    from slow import parse

try:
    from slow import parse as only
except ImportError:
    only = None

try:
    import ujson as json
except ImportError:
    import json

parse()  # => parse: ambiguous fast.py:parse slow.py:parse
only()  # => only: slow.py:parse
json.loads("")  # => loads: external
""")


def test_type_checking_imports_count() -> None:
    check("""
-- models.py --
class User:
    def name(self): ...
-- app.py --
from __future__ import annotations
import typing
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from models import User

def greet(user: User):  # => User: User
    user.name()  # => name: User.name
""")


def test_local_imports() -> None:
    check("""
-- lib.py --
def work(): ...
-- app.py --
def use():
    from lib import work
    work()  # => work: lib.py:work

class Job:
    from lib import work
    def run(self):
        self.work  # => work: unresolved
""")


def test_a_module_that_makes_up_its_names() -> None:
    check("""
-- lazy.py --
def __getattr__(name): ...
def real(): ...
-- app.py --
import lazy
from lazy import made_up, real  # => made_up: unresolved; real: real

lazy.other()  # => other: unresolved
lazy.real()  # => real: real
lazy.__name__  # => __name__: external
""")


def test_missing_modules() -> None:
    check("""
-- pkg/__init__.py --
-- app.py --
import pkg.gone  # => pkg: pkg/__init__.py:; gone: unresolved import-not-found
from pkg import nothing  # => nothing: unresolved import-not-found
from .absent import thing  # => absent: unresolved import-not-found; thing: unresolved import-not-found
import requests  # => requests: external requests:
from requests.sessions import Session  # => Session: external requests:sessions.Session

nothing()  # => nothing: unresolved
Session().get("/")  # => Session: external; get: external requests:sessions.Session.get
requests.get("/").json()  # => get: external requests:get; json: unresolved external-result
""")


def test_the_standard_library_and_what_lies_beside_a_script() -> None:
    check("""
-- lib/pkg/__init__.py --
-- lib/pkg/json.py --
def load(): ...
-- lib/pkg/use.py --
import json
from . import json as own

json.load()  # => load: external json:load
own.load()  # => load: lib/pkg/json.py:load
-- scripts/queue.py --
def Queue(): ...
-- scripts/main.py --
import queue

queue.Queue()  # => Queue: scripts/queue.py:Queue
""")


def test_a_stub_beside_its_module_does_not_hide_it() -> None:
    check("""
-- pkg/__init__.py --
-- pkg/code.py --
def run(): ...
-- pkg/code.pyi --
def run() -> None: ...
-- pkg/native.pyi --
def fast() -> None: ...
-- app.py --
from pkg.code import run  # => run: pkg/code.py:run
from pkg.native import fast  # => fast: pkg/native.pyi:fast
""")


def test_names_and_paths_beyond_ascii() -> None:
    check("""
-- 目录/__init__.py --
-- 目录/模块.py --
def évalidate(x):
    return x
-- use.py --
from 目录.模块 import évalidate

s = "🎉🎉"; évalidate(s)  # => évalidate: 目录/模块.py:évalidate
""")
