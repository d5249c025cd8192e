"""Small trees on disk, and short ways to ask what the inventory says about them."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from graph.inventory import InventoryEntry, InventorySettings, LanguageRow, LanguageTable, VendoredDir, walk
from graph.inventory.entry import Reason

TABLE = LanguageTable(
    (
        LanguageRow(
            "alpha",
            extensions=(".al", ".d.al"),
            filenames=("Alfile",),
            shebangs=("alpha",),
            manifests=("alpha.toml", "alpha*.json", ".alpharc", "build.al"),
            test_path_patterns=("tests/", "test_*.al", "!tests/helpers/"),
            vendored_dirs=(
                "third_party",
                VendoredDir("target", beside="alpha.toml", reason=Reason.GENERATED),
                VendoredDir("*", containing="venv.cfg"),
                VendoredDir("**/static/**/vendor"),
                VendoredDir("_vendor", exclude=False),
            ),
            generated_path_patterns=("*_gen.al",),
        ),
        LanguageRow("beta", extensions=(".be",), test_path_patterns=("spec/",)),
    )
)
"""Two languages of nobody, with every kind of rule."""


def write_tree(root: Path, files: Mapping[str, str] | list[str]) -> Path:
    """Write files (empty ones for bare names) below a folder; gives the folder."""
    contents = dict.fromkeys(files, "") if isinstance(files, list) else files
    for name, content in contents.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode())
    return root


def entries(root: Path, settings: InventorySettings | None = None) -> dict[str, InventoryEntry]:
    """The inventory by path."""
    return {entry.path: entry for entry in walk(root, settings or InventorySettings(), TABLE)}


def included(root: Path, settings: InventorySettings | None = None) -> list[str]:
    """Paths of the included files."""
    return [path for path, entry in entries(root, settings).items() if entry.included]


def reasons(root: Path, settings: InventorySettings | None = None) -> dict[str, str]:
    """Reason of each excluded path."""
    return {path: str(entry.reason) for path, entry in entries(root, settings).items() if entry.reason is not None}


def git(directory: Path, *arguments: str) -> bytes:
    """Output of a git command that knows nothing of this machine's configuration."""
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(directory),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "A",
        "GIT_AUTHOR_EMAIL": "a@example.org",
        "GIT_COMMITTER_NAME": "A",
        "GIT_COMMITTER_EMAIL": "a@example.org",
    }
    command = ["git", "-c", "protocol.file.allow=always", *arguments]
    return subprocess.run(command, cwd=directory, env=environment, check=True, capture_output=True).stdout
