"""Extraction and linking of small sources in memory, for tests: no index, no process, no file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from graph.languages.facts import extract, interface
from graph.languages.registry import languages
from graph.link.answers import Resolution
from graph.link.values import file_of, index_of
from graph.link.world import FileRecord, Manifest, World
from graph.model import DefinitionFact, DefinitionKind, FileFacts, ReferenceFact, ReferenceKind, Status, word


@dataclass(frozen=True)
class Answer:
    """One reference with its resolution, in words."""

    path: str
    line: int
    column: int
    """1-based, in code points."""
    kind: str
    name: str
    status: str
    rule: str
    reason: str
    targets: tuple[str, ...]
    """`path:line:kind:qualified.name` of each target or candidate, line 1-based."""
    external: str
    """`package:symbol`, or ''."""


@dataclass(frozen=True)
class Linked:
    """Everything that extraction and linking say about some files."""

    sources: Mapping[str, bytes]
    facts: Mapping[str, FileFacts]
    answers: tuple[Answer, ...]

    def at(self, path: str, line: int, name: str, occurrence: int = 1) -> Answer:
        """The answer for the n-th reference called `name` on a line (1-based). Fails the test when there is none."""
        found = [answer for answer in self.answers if (answer.path, answer.line, answer.name) == (path, line, name)]
        assert len(found) >= occurrence, f"no reference {name}#{occurrence} at {path}:{line}; there: " + ", ".join(
            f"{answer.kind} {answer.name}" for answer in self.answers if (answer.path, answer.line) == (path, line)
        )
        return sorted(found, key=lambda answer: answer.column)[occurrence - 1]

    def definitions(self, path: str) -> list[DefinitionFact]:
        """The definitions of a file, without the module itself."""
        return [fact for fact in self.facts[path].definitions if fact.kind != DefinitionKind.MODULE]


def link_sources(files: Mapping[str, str | bytes]) -> Linked:
    """Extract and link files given as path -> text. Files of no language are manifests."""
    sources = {path: text.encode() if isinstance(text, str) else text for path, text in sorted(files.items())}
    by_extension = {extension: language for language in languages() for extension in language.grammars if extension}
    facts: dict[str, FileFacts] = {}
    owners: dict[str, str] = {}
    numbers: dict[str, int] = {}
    for path, source in sources.items():
        name = path.rsplit("/", 1)[-1]
        language = by_extension.get("." + name.rsplit(".", 1)[-1]) if "." in name else None
        if language is not None:
            facts[path] = extract(language, path, source)
            owners[path] = language.name
            numbers[path] = len(numbers)
    manifests = [Manifest(path, source) for path, source in sources.items()]
    paths = {number: path for path, number in numbers.items()}
    answers: list[Answer] = []
    families = {language.family: language for language in languages()}
    for family, language in families.items():
        members = {member.name for member in languages() if member.family == family}
        records = [
            FileRecord(numbers[path], path, owners[path], facts[path].package, False)
            for path in facts
            if owners[path] in members
        ]
        world = World(records, manifests, lambda number: interface(facts[paths[number]]))
        linker = language.linker(world)
        for record in records:
            references = facts[record.path].references
            rows = [(fact.kind, fact.expression, fact.arguments, fact.enclosing) for fact in references]
            for fact, resolution in zip(references, linker.link(record.number, rows), strict=True):
                answers.append(_answer(record.path, fact, resolution, sources, facts, paths))
    return Linked(sources, facts, tuple(answers))


def _answer(
    path: str,
    fact: ReferenceFact,
    resolution: Resolution,
    sources: Mapping[str, bytes],
    facts: Mapping[str, FileFacts],
    paths: Mapping[int, str],
) -> Answer:
    targets: list[str] = []
    for target in resolution.targets:
        where = paths[file_of(target)]
        definition = facts[where].definitions[index_of(target)]
        line = sources[where].count(b"\n", 0, definition.name_start) + 1
        kind = word(DefinitionKind(definition.kind))
        targets.append(f"{where}:{line}:{kind}:{definition.qualified_name}")
    source = sources[path]
    line_start = source.rfind(b"\n", 0, fact.start) + 1
    return Answer(
        path,
        source.count(b"\n", 0, fact.start) + 1,
        len(source[line_start : fact.start].decode("utf-8", "replace")) + 1,
        word(ReferenceKind(fact.kind)),
        fact.name,
        word(Status(resolution.status)),
        resolution.rule,
        resolution.reason,
        tuple(targets),
        f"{resolution.package}:{resolution.symbol}" if resolution.status == Status.EXTERNAL else "",
    )
