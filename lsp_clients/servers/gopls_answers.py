"""What gopls answers, in the terms of everyone else: imports lead to the package clauses of the files imported.

Seen with v0.23.0:

- an import path is answered with every file of the package, each as the whole file from its package clause on: the name
  in that clause is what is meant;
- the name of an imported package (`fmt` in `fmt.Println`) is answered with the import in the same file: it means what
  that import means;
- an import that cannot be resolved is an error, where everything else that is unknown is an empty answer;
- `unsafe` and `C` have no files; they are part of the language (Go specification, Package unsafe; `go doc cmd/cgo`).
"""

import re
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing
from itertools import groupby
from typing import NamedTuple

from lsp_clients.answers import Empty, Failed, FailReason, FileSites, Located, Location, Outcome, Outside, SiteAnswer
from lsp_clients.positions import BOM
from lsp_clients.session import Session
from lsp_clients.targets import Targets

_TOKEN = re.compile(
    rb"""(?P<space>[\s;]+|//[^\n]*|/\*.*?\*/) | (?P<string>`[^`]*`|"(?:[^"\\\n]|\\.)*")
    | (?P<name>[A-Za-z_\x80-\xff][\w\x80-\xff]*|\.) | (?P<open>\() | (?P<close>\))""",
    re.VERBOSE | re.DOTALL,
)
_CLAUSE = re.compile(rb"package(?:\s|/\*.*?\*/|//[^\n]*\n)+([\w\x80-\xff]+)", re.DOTALL)
_LONE_RETURN = re.compile(rb"\r(?!\n)")
_OF_THE_LANGUAGE = frozenset({b"unsafe", b"C"})
_UNRESOLVED = ("failed to resolve import", "missing information for package")


class ImportSpec(NamedTuple):
    """One import of a file; byte offsets."""

    name: int
    """Where the name begins that it gives the package: the path itself when there is no other."""
    start: int
    """The path with its quotes."""
    end: int
    path: bytes
    """The path without them."""


async def answers(session: Session, files: Sequence[FileSites]) -> AsyncGenerator[SiteAnswer]:
    """As `Adapter.bulk`: one `definition` request for each site, and for each import that is not a site itself."""
    for readable, group in groupby(files, lambda file: _LONE_RETURN.search(file.content) is None):
        if readable:
            async with aclosing(_answers(session, list(group))) as found:
                async for answer in found:
                    yield answer
        else:
            # LSP 3.17 (Text Documents) ends a line at a carriage return, gopls does not: no position is certain.
            failed = Failed(FailReason.OUT_OF_RANGE, "a carriage return inside a line, which gopls does not count")
            for path, _, offsets in group:
                for offset in offsets:
                    yield SiteAnswer(path, offset, failed)


async def _answers(session: Session, files: Sequence[FileSites]) -> AsyncGenerator[SiteAnswer]:
    """Of files whose lines gopls counts as everyone does."""
    asking = {file.path: _File(file) for file in files}
    questions = [file._replace(offsets=asking[file.path].questions) for file in files]
    async with aclosing(session.one_by_one(questions)) as found:
        async for answer in found:
            file = asking[answer.path]
            outcome = file.meant(answer.offset, answer.outcome, session.targets)
            if answer.offset in file.asked:
                yield answer._replace(outcome=outcome)


class _File:
    """One file that is asked about, with what its imports were answered.

    Imports stand before everything else in a file (Go specification, Source file organization), and answers come in
    order: that of an import is there before its name is used.
    """

    def __init__(self, file: FileSites) -> None:
        self.asked = frozenset(file.offsets)
        self._path = file.path
        self._specs = import_specs(file.content)
        self._end = self._specs[-1].end if self._specs else 0
        self._by_name = {spec.name: spec for spec in self._specs}
        self._answers: dict[ImportSpec, Outcome] = {}
        more = [spec.start for spec in self._specs if not any(self._spec_at(spec, offset) for offset in file.offsets)]
        self.questions = tuple(sorted({*file.offsets, *more}))

    @staticmethod
    def _spec_at(spec: ImportSpec, offset: int) -> bool:
        return spec.start <= offset < spec.end

    def meant(self, offset: int, outcome: Outcome, targets: Targets) -> Outcome:
        """What the answer for a site means."""
        if offset < self._end:
            spec = next((spec for spec in self._specs if self._spec_at(spec, offset)), None)
        else:
            spec = None
        if spec is not None:
            self._answers[spec] = found = _imported(spec, outcome, targets)
            return found
        if isinstance(outcome, Located) and len(outcome.locations) == 1:
            (location,) = outcome.locations
            if location.path == self._path and (named := self._by_name.get(location.start)) is not None:
                return self._answers.get(named, outcome)
        return outcome


def _imported(spec: ImportSpec, outcome: Outcome, targets: Targets) -> Outcome:
    """What the answer for an import path means."""
    if isinstance(outcome, Located):
        return outcome._replace(locations=tuple(_clause(location, targets) for location in outcome.locations))
    if isinstance(outcome, Failed) and outcome.reason is FailReason.ERROR:
        if spec.path in _OF_THE_LANGUAGE:
            return Outside(spec.path.decode(), "", spec.path.decode())
        if outcome.detail.startswith(_UNRESOLVED):
            return Empty()
    return outcome


def _clause(location: Location, targets: Targets) -> Location:
    """The name in the package clause at which a location begins."""
    match = _CLAUSE.match(targets.table(location.path).content, location.start)
    return location if match is None else location._replace(start=match.start(1), end=match.end(1))


def import_specs(content: bytes) -> tuple[ImportSpec, ...]:
    """The imports of a Go file, in source order (Go specification, Import declarations).

    Reading ends at the first thing that is no import, or that cannot be read.
    """
    specs: list[ImportSpec] = []
    name: int | None = None
    grouped = expected = False
    tokens = _tokens(content)
    clause = next(tokens, None)
    if clause is None or clause[1] != b"package" or next(tokens, None) is None:
        return ()
    for kind, text, start, end in tokens:
        if kind == "open" and expected and not grouped:
            grouped = True
        elif kind == "close" and grouped:
            grouped = expected = False
        elif kind == "name" and not expected and text == b"import":
            expected = True
        elif kind == "name" and expected and name is None:
            name = start
        elif kind == "string" and expected:
            specs.append(ImportSpec(start if name is None else name, start, end, text[1:-1]))
            name, expected = None, grouped
        else:
            break
    return tuple(specs)


def _tokens(content: bytes) -> Iterator[tuple[str, bytes, int, int]]:
    """Kind, text and byte range of what is no space or comment; it ends where neither can be read."""
    position = 3 if content.startswith(BOM) else 0
    while (match := _TOKEN.match(content, position)) is not None:
        position = match.end()
        if match.lastgroup != "space" and match.lastgroup is not None:
            yield match.lastgroup, match[0], match.start(), match.end()
