"""Small repositories whose sites and targets are marked in the sources.

`«name»` is the name that a file's site stands on, `‹label›` in front of a name is a place that an answer may lead to.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from lsp_clients import FileSites, Located, Outcome

_MARK = re.compile(r"«|»|‹(\w+)›")


@dataclass(frozen=True)
class Repository:
    root: Path
    files: list[FileSites]
    """Every source, in the order given."""
    places: Mapping[tuple[str, int], str]
    """Path and byte offset to label; a label may stand at several places."""

    @property
    def asked(self) -> list[FileSites]:
        """The files that have sites."""
        return [file for file in self.files if file.offsets]

    def place(self, label: str) -> tuple[str, int]:
        """Path and byte offset of the first place of a label."""
        return next(place for place, there in self.places.items() if there == label)


def repository(root: Path, sources: Mapping[str, str]) -> Repository:
    """Writes the sources without their marks; text keeps its line endings and byte order mark."""
    root = root.resolve()
    files: list[FileSites] = []
    places: dict[tuple[str, int], str] = {}
    for name, text in sources.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        content, last, sites = b"", 0, list[int]()
        for mark in _MARK.finditer(text):
            content += text[last : mark.start()].encode()
            last = mark.end()
            if mark[1]:
                places[str(path), len(content)] = mark[1]
            elif mark[0] == "«":
                sites.append(len(content))
        content += text[last:].encode()
        path.write_bytes(content)
        files.append(FileSites(str(path), content, tuple(sites)))
    return Repository(root, files, places)


def labels(repo: Repository, outcome: Outcome) -> list[str]:
    """The labels of the places an outcome leads to; a place without one is its file's name."""
    if not isinstance(outcome, Located):
        return []
    return [repo.places.get((at.path, at.start), Path(at.path).name) for at in outcome.locations]
