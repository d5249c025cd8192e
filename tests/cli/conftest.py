"""A small repository with an index, and the command line run inside this process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
import pytest
from click.testing import CliRunner

from resolver.cli.application import application

SHAPES = '''\
class Shape:
    """Something with an area."""

    def area(self) -> float:
        raise NotImplementedError


class Square(Shape):
    def __init__(self, side: float) -> None:
        self.side = side

    def area(self) -> float:
        return self.side * self.side


def unused() -> None:
    pass
'''
APP = """\
import os

from shapes import Shape, Square


def total(shapes: list[Square]) -> float:
    result = 0.0
    for shape in shapes:
        result += shape.area()
    return result


def main() -> None:
    one = Square(2.0)
    print(one.area(), os.getcwd())
    print(total([one]))


def mystery(thing):
    return thing.area()
"""


@dataclass(frozen=True)
class Answer:
    """What one run of the command line gave."""

    code: int
    stdout: str
    stderr: str

    @property
    def json(self) -> Any:
        """The one JSON document on standard output."""
        return orjson.loads(self.stdout)


Run = Callable[..., Answer]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs `tieline ARGUMENTS`."""
    for name in ("TIELINE_INDEX_DIR", "TIELINE_DEBUG", "FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)

    def tieline(*arguments: str | Path) -> Answer:
        done = CliRunner().invoke(application, [str(argument) for argument in arguments])
        return Answer(done.exit_code, done.stdout, done.stderr)

    return tieline


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository of two modules, as the current folder, without an index."""
    root = tmp_path / "repository"
    root.mkdir()
    (root / ".git").mkdir()
    (root / "shapes.py").write_text(SHAPES, encoding="utf-8")
    (root / "app.py").write_text(APP, encoding="utf-8")
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def indexed(repository: Path, run: Run) -> Path:
    """The same with an index."""
    assert run("index").code == 0
    return repository
