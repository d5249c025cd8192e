"""The list of languages. Adding one means a folder beside this file and one line in `FOLDERS`."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from graph.languages.base import Language

FOLDERS = ("python", "typescript", "go", "rust", "java")
"""Each folder `graph/languages/<name>` exports `LANGUAGES`, a tuple of `Language`."""


@cache
def languages() -> tuple[Language, ...]:
    """All languages, in a fixed order."""
    found: list[Language] = []
    for folder in FOLDERS:
        found.extend(import_module(f"graph.languages.{folder}").LANGUAGES)
    return tuple(found)


@cache
def by_name() -> dict[str, Language]:
    """Language name -> language."""
    return {language.name: language for language in languages()}


@cache
def families() -> dict[str, tuple[Language, ...]]:
    """Family -> its languages."""
    result: dict[str, tuple[Language, ...]] = {}
    for language in languages():
        result[language.family] = (*result.get(language.family, ()), language)
    return result
