"""Asking one server about files: what is read and sent, and the outcomes of each file together."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import xxhash

from graph.files import read_inside
from graph.model import Status
from graph.store.semantic import Answer, FileHash
from lsp_clients import FileSites, Outcome, SiteAnswer
from resolver.locating import Locator
from resolver.plan import FileQuestions


class FileAnswers(NamedTuple):
    """What is answered about one file."""

    file: FileQuestions
    answers: list[Answer]


class Asking:
    """The files to ask about and the outcomes that have come.

    Outcomes of a file may come in pieces and in any order; `done` is about a file whose last one is there.
    """

    def __init__(
        self, root: Path, files: Mapping[int, FileHash], due: Sequence[FileQuestions], locator: Locator
    ) -> None:
        self._root = root
        self._files = files
        self._due = due
        self._locator = locator
        self._asked: dict[str, FileQuestions] = {}
        self._wanted: dict[str, int] = {}
        """How many outcomes a file has: several references can begin at one place."""
        self._outcomes: dict[str, dict[int, Outcome]] = {}
        self.unreadable: list[tuple[FileQuestions, str]] = []
        """Files that are not what was indexed, with the reason; they are not asked about."""

    def sites(self) -> Iterator[FileSites]:
        """The sites of one file after the other."""
        for file in self._due:
            name = self._files[file.file].path_on_disk
            path = self._root / name
            try:
                content = read_inside(os.fsencode(self._root), os.fsencode(name))
            except OSError:
                self.unreadable.append((file, "unreadable"))
                continue
            if xxhash.xxh3_64_digest(content) != self._files[file.file].hash:
                self.unreadable.append((file, "changed-since-index"))
                continue
            offsets = tuple(dict.fromkeys(question.start for question in file.questions))
            self._asked[str(path)], self._wanted[str(path)] = file, len(offsets)
            yield FileSites(str(path), content, offsets)

    def take(self, answer: SiteAnswer) -> FileAnswers | None:
        """The answers about a file, when this was the last of its outcomes."""
        file = self._asked[answer.path]
        outcomes = self._outcomes.setdefault(answer.path, {})
        outcomes[answer.offset] = answer.outcome
        if len(outcomes) < self._wanted[answer.path]:
            return None
        del self._outcomes[answer.path]
        return self._answers(file, outcomes)

    def rest(self) -> Iterator[FileAnswers]:
        """What has come about files that are not done, and that those which are not what was indexed failed."""
        for path, outcomes in self._outcomes.items():
            yield self._answers(self._asked[path], outcomes)
        self._outcomes.clear()
        for file, reason in self.unreadable:
            yield FileAnswers(file, [Answer(question.reference, Status.FAILED, reason) for question in file.questions])

    def _answers(self, file: FileQuestions, outcomes: Mapping[int, Outcome]) -> FileAnswers:
        return FileAnswers(
            file,
            [
                self._locator.answer(question, outcomes[question.start])
                for question in file.questions
                if question.start in outcomes
            ],
        )
