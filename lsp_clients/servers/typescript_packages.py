"""Which package a declaration outside of a repository belongs to: the standard library, or one below `node_modules`."""

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, cast

_LIBRARY = re.compile(r".*/typescript/lib/lib(?P<part>\.[\w.]+)?\.d\.ts")
_BROWSER = re.compile(r"\.(dom|webworker|scripthost)\b")
_INSTALLED = "/node_modules/"
_STUBS = "@types"


class Package(NamedTuple):
    """An installed package."""

    name: str
    """"" when it is not known."""
    version: str
    """"" when it is not known."""


def package_of(path: str) -> Package:
    """The package that the file of a declaration belongs to.

    The standard library is `lib`, that of browsers `dom`, with the version of TypeScript. Declarations of
    DefinitelyTyped count as what they describe, `@types/node` as `node`, with its version where it is installed.
    """
    if match := _LIBRARY.fullmatch(path):
        name = "dom" if _BROWSER.match(match["part"] or "") else "lib"
        return Package(name, _version(path.rpartition("/lib/")[0]))
    folder, installed, rest = path.rpartition(_INSTALLED)
    if not installed:
        return Package("", "")
    parts = rest.split("/")
    name = "/".join(parts[: 2 if rest.startswith("@") else 1])
    if parts[0] == _STUBS and len(parts) > 1:
        # The name of a scoped package has its slash doubled as underscores (DefinitelyTyped, README, "npm").
        scope, scoped, inner = parts[1].partition("__")
        name = f"@{scope}/{inner}" if scoped else parts[1]
    return Package(name, _version(f"{folder}{_INSTALLED}{name}"))


@lru_cache(maxsize=4096)
def _version(folder: str) -> str:
    try:
        manifest = json.loads(Path(folder, "package.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ""
    version = cast(Mapping[str, object], manifest).get("version") if isinstance(manifest, dict) else None
    return version if isinstance(version, str) else ""
