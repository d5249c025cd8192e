"""Where packages lie: import roots, src layouts, what manifests declare, several projects in one repository."""

import pytest

from graph.languages.python.projects import projects
from graph.link.world import Manifest
from tests.languages.python.python_repository import check

LAYOUT = """
-- {manifest} --
{text}
-- source/code/pkg/__init__.py --
def target(): ...
-- tests/test_it.py --
from pkg import target  # => target: source/code/pkg/__init__.py:target
-- other/pkg/__init__.py --
def target(): ...
"""


@pytest.mark.parametrize(
    ("manifest", "text"),
    [
        ("pyproject.toml", '[tool.setuptools.package-dir]\n"" = "source/code"'),
        ("pyproject.toml", '[tool.setuptools.package-dir]\npkg = "source/code/pkg"'),
        ("pyproject.toml", '[tool.setuptools.packages.find]\nwhere = ["source/code"]'),
        ("pyproject.toml", '[[tool.poetry.packages]]\ninclude = "pkg"\nfrom = "source/code"'),
        ("pyproject.toml", '[tool.hatch.build.targets.wheel]\npackages = ["source/code/pkg"]'),
        ("pyproject.toml", '[tool.hatch.build]\nsources = ["source/code"]'),
        ("pyproject.toml", '[tool.pdm.build]\npackage-dir = "source/code"'),
        ("pyproject.toml", '[tool.uv.build-backend]\nmodule-root = "source/code"'),
        ("pyproject.toml", '[tool.maturin]\npython-source = "source/code"'),
        ("pyproject.toml", '[tool.pytest.ini_options]\npythonpath = ["./source/code/"]'),
        ("pyproject.toml", '[tool.pyright]\nextraPaths = ["source/code"]'),
        ("pyproject.toml", '[tool.mypy]\nmypy_path = "source/code"'),
        ("setup.cfg", "[options]\npackage_dir =\n    = source/code"),
        ("setup.cfg", "[options.packages.find]\nwhere = source/code"),
        ("setup.py", 'setup(name="x", package_dir={"": "source/code"})'),
        ("setup.py", 'setup(packages=find_packages("source/code"))'),
        ("setup.py", "setup(packages=find_namespace_packages(where='source/code'))"),
        ("pytest.ini", "[pytest]\npythonpath = source/code"),
        ("tox.ini", "[pytest]\npythonpath = source/code"),
        ("pyrightconfig.json", '{"extraPaths": ["source/code"]}'),
    ],
    ids=lambda text: " ".join(text.split()),
)
def test_declared_roots(manifest: str, text: str) -> None:
    check(LAYOUT.format(manifest=manifest, text=text))


def test_a_package_that_is_called_other_than_its_folder() -> None:
    check("""
-- setup.py --
setup(package_dir={"pkg": "lib"})
-- lib/__init__.py --
def target(): ...
-- lib/sub.py --
def leaf(): ...
-- tests/test_it.py --
import pkg.sub
from pkg import target  # => target: lib/__init__.py:target

pkg.sub.leaf()  # => leaf: lib/sub.py:leaf
""")


def test_src_layout_without_a_manifest() -> None:
    check("""
-- src/pkg/__init__.py --
-- src/pkg/core.py --
def target(): ...
-- tests/unit/test_core.py --
from pkg.core import target  # => target: target
-- src/pkg/use.py --
from pkg.core import target  # => target: target
""")


def test_flat_layout_and_helpers_of_tests() -> None:
    check("""
-- pkg/__init__.py --
def target(): ...
-- tests/helpers.py --
def prepare(): ...
-- tests/test_a.py --
from helpers import prepare  # => prepare: tests/helpers.py:prepare
from pkg import target  # => target: target
-- tests/deep/test_b.py --
from pkg import target  # => target: target
from helpers import prepare  # => prepare: tests/helpers.py:prepare
-- suite/__init__.py --
-- suite/common.py --
def shared(): ...
-- suite/test_c.py --
from suite.common import shared  # => shared: shared
from .common import shared as again  # => shared: shared
""")


def test_the_same_top_level_name_in_two_projects() -> None:
    check("""
-- services/a/pyproject.toml --
[project]
name = "a"
-- services/a/src/app/__init__.py --
def run(): ...
-- services/a/src/app/main.py --
from app import run  # => run: services/a/src/app/__init__.py:run
-- services/a/tests/test_run.py --
from app import run  # => run: services/a/src/app/__init__.py:run
-- services/b/src/app/__init__.py --
def run(): ...
-- services/b/tests/test_run.py --
from app import run  # => run: services/b/src/app/__init__.py:run
-- services/b/tools/deep/er.py --
from app import run  # => run: services/b/src/app/__init__.py:run
-- tools/script.py --
from app import run  # => run: unresolved import-not-found
""")


def test_a_package_elsewhere_in_the_repository_is_found_when_it_is_the_only_one() -> None:
    check("""
-- libs/core/src/core_lib/__init__.py --
def work(): ...
-- apps/web/main.py --
from core_lib import work  # => work: work
""")


def test_a_declared_dependency_is_not_a_folder_of_that_name_somewhere() -> None:
    check("""
-- pyproject.toml --
[project]
name = "app"
dependencies = ["Redis-Client>=4", "core-lib"]
-- app/__init__.py --
from redis_client import connect  # => connect: external redis_client:connect
from core_lib import work  # => work: libs/core/core_lib/__init__.py:work
-- examples/fakes/redis_client/__init__.py --
def connect(): ...
-- libs/core/pyproject.toml --
[project]
name = "core-lib"
-- libs/core/core_lib/__init__.py --
def work(): ...
""")


def test_modules_inside_a_package_are_not_found_by_their_bare_name() -> None:
    check("""
-- pkg/__init__.py --
-- pkg/utils.py --
def helper(): ...
-- pkg/data/scripts/run.py --
import utils  # => utils: external utils:
""")


def test_what_lies_beside_a_file_is_not_said_to_be_outside() -> None:
    check("""
-- scripts/__init__.py --
-- scripts/release.py --
def build(): ...
-- scripts/check.py --
from release import build  # => build: unresolved import-not-found
-- backends/__init__.py --
-- backends/redis.py --
import redis  # => redis: external redis:
-- tests/__init__.py --
-- tests/conftest.py --
-- tests/unit/__init__.py --
-- tests/unit/test_a.py --
from conftest import Server  # => Server: unresolved import-not-found
""")


def test_a_root_that_leads_out_of_the_repository_is_left_out() -> None:
    found = projects((Manifest("a/pyproject.toml", b'[tool.setuptools.package-dir]\n"" = "../../x"\n'),))
    assert found["a"].roots == ()


@pytest.mark.parametrize("name", ["pyproject.toml", "setup.cfg", "setup.py", "pyrightconfig.json", "tox.ini"])
@pytest.mark.parametrize("data", [b"\xff\xfe[", b"[tool]\nx = [", b"[a]\nb\n c: = %(", b'{"extraPaths": 3}', b""])
def test_manifests_that_cannot_be_read_declare_nothing(name: str, data: bytes) -> None:
    found = projects((Manifest(name, data),))
    assert found[""].roots == ()


def test_tables_of_the_wrong_shape_declare_nothing() -> None:
    text = b'[project]\ndependencies = "x"\n[tool]\npoetry = 1\nhatch = []\n[tool.pytest]\nini_options = "a"\n'
    assert projects((Manifest("pyproject.toml", text),))[""].roots == ()
