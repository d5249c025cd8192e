"""Fixtures of pytest, found as docs.pytest.org describes: class, module, conftest of each folder, pytest itself."""

from tests.languages.python.python_repository import check


def test_fixtures_of_the_module_and_of_conftest_files() -> None:
    check("""
-- app.py --
class App:
    def client(self): ...

class Client:
    def get(self): ...
-- tests/conftest.py --
import pytest
from app import App, Client

@pytest.fixture
def app():
    return App()

@pytest.fixture(scope="session")
def client(app):
    app.client()  # => client: App.client
    yield Client()

@pytest.fixture
def shadowed():
    return App()
-- tests/unit/conftest.py --
import pytest
from app import Client

@pytest.fixture
def shadowed(shadowed):
    shadowed.client()  # => client: App.client
    return Client()
-- tests/unit/test_it.py --
import pytest
from app import App

@pytest.fixture
def own() -> App: ...

def test_one(app, client, own, shadowed, unheard_of):
    app.client()  # => client: App.client
    client.get()  # => get: Client.get
    own.client()  # => client: App.client
    shadowed.get()  # => get: Client.get
    unheard_of.run()  # => run: unresolved receiver-unknown

def helper(app):
    app.client()  # => client: unresolved receiver-unknown

class TestIt:
    @pytest.fixture
    def app(self):
        return self

    def helper(self): ...

    def test_two(self, app, client: App):
        app.helper()  # => helper: TestIt.helper
        client.client()  # => client#2: App.client
""")


def test_parametrized_parameters_are_no_fixtures() -> None:
    check("""
-- conftest.py --
import pytest

class App:
    def run(self): ...

@pytest.fixture
def app():
    return App()
-- test_it.py --
import pytest

@pytest.mark.parametrize("app, other", [(1, 2)])
def test_one(app, other):
    app.run()  # => run: unresolved receiver-unknown

@pytest.mark.parametrize("app", [1], indirect=True)
def test_two(app):
    app.run()  # => run: App.run

def test_three(app):
    app.run()  # => run: App.run
""")


def test_a_function_is_a_fixture_only_where_it_says_so() -> None:
    check("""
-- test_it.py --
class App:
    def run(self): ...

def app():
    return App()

def test_one(app):
    app.run()  # => run: unresolved receiver-unknown
""")


def test_fixtures_that_pytest_has() -> None:
    check("""
-- test_it.py --
def test_one(tmp_path, monkeypatch):
    tmp_path.mkdir()  # => mkdir: external pathlib:Path.mkdir
    monkeypatch.setattr("a", 1)  # => setattr: external pytest:MonkeyPatch.setattr
""")


def test_fixtures_that_give_functions_and_iterators() -> None:
    check("""
-- test_it.py --
from typing import Callable, Iterator
import pytest

class App:
    def run(self): ...

@pytest.fixture
def make():
    def inner():
        return App()
    return inner

@pytest.fixture
def typed() -> Iterator[App]:
    yield App()

@pytest.fixture
def listed() -> list[App]: ...

def test_one(make, typed, listed):
    make().run()  # => make: test_one.make; run: App.run
    typed.run()  # => run: App.run
    listed[0].run()  # => run: App.run
""")
