"""Python, with its stub files."""

from __future__ import annotations

from graph.languages.base import Language
from graph.languages.python.adapter import extract
from graph.languages.python.linking import PythonLinker

LANGUAGES = (
    Language(
        name="python",
        family="python",
        grammars={".py": "python", ".pyi": "python", ".pyw": "python", "": "python"},
        extract=extract,
        linker=PythonLinker,
        version="3",
        shebangs=("python", "python3", "pypy", "pypy3"),
        manifests=(
            "pyproject.toml",
            "setup.py",
            "setup.cfg",
            "pytest.ini",
            "tox.ini",
            "pyrightconfig.json",
            "Pipfile",
            "requirements*.txt",
            "uv.lock",
        ),
        test_paths=("test_*.py", "*_test.py", "conftest.py", "tests/", "test/", "testing/"),
        vendored_folders=("site-packages", "_vendor", "dist-packages"),
        generated_paths=("*_pb2.py", "*_pb2.pyi", "*_pb2_grpc.py"),
        pep263=True,
    ),
)
