"""`tieline --version`: everything on which an index depends."""

from __future__ import annotations

from importlib.metadata import version

from resolver import __version__


def version_text() -> str:
    """The versions of tieline, of the schema of its index, and of the grammars, one a line."""
    from graph.index.scan import versions

    lines = [f"tieline {__version__}"]
    made = versions()
    lines.append(f"schema {made['schema']}")
    lines.append(f"tree-sitter {version('tree-sitter')}, grammars {version('tree-sitter-language-pack')}")
    lines += [
        f"{key.removeprefix('language:')} rules {value.split()[0]}"
        for key, value in made.items()
        if key.startswith("language:")
    ]
    return "\n".join(lines)
