"""The rules on languages that import-linter cannot express without listing the languages.

Inside `graph` one folder per language holds everything that differs for it; nothing else names a language but the
registry. So that a new language needs no line here, the languages are read from the folders.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.harness.command_line import PROJECT

GRAPH = PROJECT / "graph"
LANGUAGES = {path.name for path in GRAPH.glob("languages/[a-z]*") if path.is_dir()}
REGISTRY = "graph/languages/registry.py"


def violations(path: str, source: str) -> list[str]:
    """Where one module of graph, outside the registry, names a language that is not its own."""
    parts = Path(path).parts
    own = parts[2] if parts[:2] == ("graph", "languages") and len(parts) > 3 else ""
    return [
        f"{path}:{line}: {name}"
        for line, name in _named_languages(ast.parse(source))
        if name != own and path != REGISTRY
    ]


def _named_languages(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node.value in LANGUAGES:
            yield node.lineno, str(node.value)
        elif isinstance(node, ast.Import):
            yield from ((node.lineno, name) for alias in node.names if (name := _language(alias.name)))
        elif isinstance(node, ast.ImportFrom) and node.module:
            full = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            yield from ((node.lineno, name) for name in {_language(module) for module in full} - {""})


def _language(module: str) -> str:
    parts = module.split(".")
    return parts[2] if parts[:2] == ["graph", "languages"] and len(parts) > 2 and parts[2] in LANGUAGES else ""


def test_only_the_folder_of_a_language_and_the_registry_name_it() -> None:
    assert LANGUAGES
    found = [
        violation
        for path in sorted(GRAPH.rglob("*.py"))
        for violation in violations(path.relative_to(PROJECT).as_posix(), path.read_text(encoding="utf-8"))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "source",
    [
        "import graph.languages.{0}.adapter",
        "from graph.languages import {0}",
        "from graph.languages.{0} import adapter",
        "if language == '{0}':\n    pass",
    ],
)
def test_naming_a_language_elsewhere_is_found(source: str) -> None:
    name = min(LANGUAGES)
    assert violations("graph/link/world.py", source.format(name)) == [f"graph/link/world.py:1: {name}"]
    assert violations(f"graph/languages/{name}/adapter.py", source.format(name)) == []
    assert violations(REGISTRY, source.format(name)) == []
