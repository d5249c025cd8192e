"""The settings of a repository: `tieline.toml`, or `[tool.tieline]` in `pyproject.toml`, at its root."""

import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

DEFAULT_MAX_FILE_SIZE: Final = 4 * 1024 * 1024
"""Bytes. Compilers' own largest hand-written files are below it; bundles and tables are above."""


OTHER_KEYS: Final = frozenset({"servers"})
"""Top-level keys that belong to other parts of the program."""


class ConfigError(Exception):
    """A settings file cannot be used. The message names the file, the key and what is accepted."""


@dataclass(frozen=True, slots=True)
class InventorySettings:
    """What a user decides about the inventory."""

    include: tuple[str, ...] = ()
    """gitignore patterns relative to the root; when there are any, only matching files are indexed (and manifests).
    It does not bring back what another rule leaves out: `!pattern` in `.tielineignore` does."""
    exclude: tuple[str, ...] = ()
    """gitignore patterns relative to the root, stronger than every ignore file."""
    max_file_size: int = DEFAULT_MAX_FILE_SIZE
    """Bytes; larger files are left out."""
    hidden: bool = False
    """Index files and directories whose name starts with a dot."""
    vendored: bool = False
    """Index vendored directories and build output."""
    generated: bool = True
    """Index generated source code (it defines what other code refers to); it is flagged either way."""
    languages: tuple[str, ...] | None = None
    """Names of the languages to index; None for all."""


class Settings(NamedTuple):
    """Everything that the settings file says."""

    inventory: InventorySettings
    """The part for the inventory."""
    others: Mapping[str, Any]
    """Values, as TOML has them, of the keys that the caller announced for itself."""
    source: str | None
    """File that they come from, relative to the root; None for the defaults."""


def load_settings(root: Path, other_keys: frozenset[str] = OTHER_KEYS) -> Settings:
    """Settings of a repository; defaults when it has none.

    `other_keys` are top-level keys that belong to other parts of the program. Raises ConfigError for a file that cannot
    be read or parsed, a key that nobody knows, a value of the wrong type, or settings in two places.
    """
    own = _read_toml(root, "tieline.toml", needed=lambda _: True)
    pyproject = _read_toml(root, "pyproject.toml", needed=lambda data: b"tieline" in data)
    tool = pyproject.get("tool") if pyproject is not None else None
    section = cast("dict[str, Any]", tool).get("tieline") if isinstance(tool, dict) else None
    if own is not None and section is not None:
        raise ConfigError("settings both in tieline.toml and in [tool.tieline] of pyproject.toml: keep one of the two")
    if own is not None:
        return _parse(own, "tieline.toml", other_keys)
    if section is None:
        return Settings(InventorySettings(), {}, None)
    if not isinstance(section, dict):
        raise ConfigError("pyproject.toml: tool.tieline must be a table")
    return _parse(cast("dict[str, Any]", section), "pyproject.toml [tool.tieline]", other_keys)


def _read_toml(root: Path, name: str, needed: Callable[[bytes], bool]) -> dict[str, Any] | None:
    path = root / name
    try:
        real_root = os.path.realpath(root)
        if path.is_symlink() and not os.path.realpath(path).startswith(real_root.rstrip("/") + "/"):
            raise ConfigError(f"{name}: a symbolic link out of the repository is not followed")
        if not path.is_file():
            return None
        data = path.read_bytes()
        return tomllib.loads(data.decode()) if needed(data) else None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{name}: not valid TOML: {error}") from error
    except OSError as error:
        raise ConfigError(f"{name}: cannot be read: {error.strerror}") from error


def _parse(table: dict[str, Any], source: str, other_keys: frozenset[str]) -> Settings:
    values: dict[str, Any] = {}
    others: dict[str, Any] = {}
    for key, value in table.items():
        if key in other_keys:
            others[key] = value
        elif key in _PARSERS:
            accepted, parse = _PARSERS[key]
            try:
                values[key] = parse(value)
            except _NotAcceptedError:
                raise ConfigError(f"{source}: {key} = {value!r} is not accepted: it must be {accepted}") from None
        else:
            known = ", ".join(sorted(other_keys | _PARSERS.keys()))
            raise ConfigError(f"{source}: unknown key {key!r}: accepted are {known}")
    return Settings(InventorySettings(**values), others, source)


class _NotAcceptedError(Exception):
    pass


def _strings(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise _NotAcceptedError
    items = cast("list[object]", value)
    strings = tuple(item for item in items if isinstance(item, str) and item and "\n" not in item)
    if len(strings) != len(items):
        raise _NotAcceptedError
    return strings


def _boolean(value: object) -> bool:
    if not isinstance(value, bool):
        raise _NotAcceptedError
    return value


def _positive(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise _NotAcceptedError
    return value


_PATTERNS: Final = ("a list of gitignore patterns, each a string of one line", _strings)
_FLAG: Final = ("true or false", _boolean)
_PARSERS: Final[dict[str, tuple[str, Callable[[object], Any]]]] = {
    "include": _PATTERNS,
    "exclude": _PATTERNS,
    "max_file_size": ("a number of bytes, at least 1", _positive),
    "hidden": _FLAG,
    "vendored": _FLAG,
    "generated": _FLAG,
    "languages": ("a list of language names", _strings),
}
