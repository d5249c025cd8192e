"""Pins, limits and settings of the servers: data in `configs/servers.toml`, and what a user lays over it."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

from lsp_clients.errors import ConfigurationError

Table = Mapping[str, Any]


@dataclass(frozen=True)
class ServerSettings:
    """One server's section; `configs/servers.toml` says what each key means."""

    name: str
    version: str
    packages: tuple[str, ...]
    command: tuple[str, ...]
    environment: Mapping[str, str]
    in_flight: int
    group_mib: float
    request_seconds: float
    ready_seconds: float
    memory_mib: int
    restarts: int
    settings: Table

    def package_names(self) -> tuple[str, ...]:
        """The packages with the pinned version filled in."""
        return tuple(package.format(version=self.version) for package in self.packages)


def load_settings(*overlays: Table) -> dict[str, ServerSettings]:
    """The settings of every known server, each overlay laid over those before it.

    Raises ConfigurationError for a server or key that the shipped file does not have, or a value of another type.
    """
    merged: Table = tomllib.loads(files("configs").joinpath("servers.toml").read_text(encoding="utf-8"))
    for overlay in overlays:
        merged = _laid_over(merged, overlay, "")
    return {name: _settings(name, table) for name, table in merged.items()}


def read_overlay(path: Path) -> Table:
    """A user's servers file. Raises ConfigurationError when it cannot be read or is not TOML."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigurationError(f"{path}: {error}") from error


def with_settings(settings: ServerSettings, extra: Table) -> ServerSettings:
    """The same server with more laid over its `settings`. Raises ConfigurationError for a value of another type."""
    if not extra:
        return settings
    return replace(settings, settings=_laid_over(settings.settings, extra, f"{settings.name}.settings."))


def _settings(name: str, table: Table) -> ServerSettings:
    values: dict[str, Any] = {**table, "name": name}
    wanted = {field.name for field in fields(ServerSettings)}
    if values.keys() != wanted:
        raise ConfigurationError(f"{name}: missing or unknown keys: {', '.join(sorted(values.keys() ^ wanted))}")
    for key in ("packages", "command"):
        values[key] = tuple(values[key])
    return ServerSettings(**values)


def _laid_over(base: Table, overlay: Table, where: str) -> Table:
    merged = dict(base)
    value: object
    for key, value in overlay.items():
        place = f"{where}{key}"
        # Below `settings` the keys are the server's: it knows more of them than are set here.
        free = ".settings." in f".{place}" or where.endswith("environment.")
        if key not in base:
            if not free:
                raise ConfigurationError(f"{place}: there is no such key; there are {', '.join(base)}")
            merged[key] = value
            continue
        old: object = base[key]
        old_table, new_table = _table(old), _table(value)
        if old_table is not None and new_table is not None:
            merged[key] = _laid_over(old_table, new_table, f"{place}.")
        elif _kind(old) == _kind(value):
            merged[key] = value
        else:
            raise ConfigurationError(f"{place}: {value!r} is not a {_kind(old)}")
    return merged


def _table(value: object) -> Table | None:
    return cast(Table, value) if isinstance(value, dict) else None


def _kind(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return type(value).__name__
    return "number"
