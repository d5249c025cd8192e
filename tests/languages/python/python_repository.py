"""Small Python repositories with the right answer in a comment at the end of the line.

    area()  # => area: Square.area; other#2: external

says of the occurrence of a name on its line (`#2`: the second one) what the syntactic layer alone has to give:

- one or more definitions, by qualified name, with `path:` before it or `@LINE` behind it where that is needed;
  `path:` alone is the module of that file;
- `ambiguous` with the candidates;
- `external`, or `external PACKAGE:SYMBOL`;
- `unresolved`, or `unresolved REASON`;
- `none`: there is no reference (a local variable is read, say).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from graph.model import DefinitionFact, DefinitionKind, ReferenceKind, word
from tests.harness.linking import Answer, Linked, link_sources

_COMMENT = re.compile(r"#\s*=>\s*(.+)$")
_NAME = re.compile(r"([\w.]+?)(?:#(\d+))?$")


@dataclass(frozen=True)
class _Expectation:
    path: str
    line: int
    name: str
    occurrence: int
    wanted: str


def link(archive: str) -> Linked:
    """Extract and link the files of an archive (`-- path --` lines); a source without such a line is `m.py`."""
    return link_sources(_files(archive))


def check(archive: str) -> Linked:
    """Fail unless every expectation of the archive is met exactly."""
    files = _files(archive)
    linked = link_sources(files)
    expectations = [item for path, text in files.items() for item in _expectations(path, text)]
    assert expectations, "nothing is expected"
    faults = [fault for item in expectations if (fault := _fault(linked, files, item))]
    assert not faults, "\n".join(faults)
    return linked


def definition(linked: Linked, qualified_name: str, path: str = "m.py") -> DefinitionFact:
    """The only definition of that qualified name in a file."""
    found = [fact for fact in linked.definitions(path) if fact.qualified_name == qualified_name]
    assert len(found) == 1, f"{qualified_name}: {[fact.qualified_name for fact in linked.definitions(path)]}"
    return found[0]


def kinds(linked: Linked, path: str = "m.py") -> dict[str, str]:
    """Qualified name -> kind of every definition of a file."""
    return {fact.qualified_name: word(DefinitionKind(fact.kind)) for fact in linked.definitions(path)}


def references(linked: Linked, path: str = "m.py") -> list[str]:
    """`kind name` of every reference of a file, in source order."""
    return [f"{word(ReferenceKind(fact.kind))} {fact.name}" for fact in linked.facts[path].references]


def _files(archive: str) -> dict[str, str]:
    text = archive.lstrip("\n")
    if not text.startswith("-- "):
        text = f"-- m.py --\n{text}"
    parts = re.split(r"^-- (.+) --\n", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def _expectations(path: str, text: str) -> list[_Expectation]:
    found: list[_Expectation] = []
    for number, line in enumerate(text.split("\n"), 1):
        comment = _COMMENT.search(line)
        for item in comment.group(1).split(";") if comment else ():
            name, colon, wanted = item.strip().partition(":")
            match = _NAME.match(name)
            assert colon and match, f"{path}:{number}: cannot read {item!r}"
            found.append(_Expectation(path, number, match.group(1), int(match.group(2) or 1), wanted.strip()))
    return found


def _fault(linked: Linked, files: dict[str, str], item: _Expectation) -> str:
    line = files[item.path].split("\n")[item.line - 1]
    code = line[: line.index("# =>")] if "# =>" in line else line.split("#")[0]
    spots = [match.start() + 1 for match in re.finditer(rf"(?<!\w){re.escape(item.name)}(?!\w)", code)]
    place = f"{item.path}:{item.line}: {item.name}#{item.occurrence}"
    assert len(spots) >= item.occurrence, f"{place} is not on the line"
    column = spots[item.occurrence - 1]
    answers = [one for one in linked.answers if (one.path, one.line, one.column) == (item.path, item.line, column)]
    if item.wanted == "none":
        return f"{place} is a reference: {answers}" if answers else ""
    if len({(one.status, one.targets, one.external, one.reason) for one in answers}) != 1:
        return f"{place}: no single answer: {answers}"
    answer = answers[0]
    return "" if _meets(answer, item.wanted) else f"{place}: wanted {item.wanted}, got {answer}"


def _meets(answer: Answer, wanted: str) -> bool:
    status, _, rest = wanted.partition(" ")
    if status == "external":
        return answer.status == "external" and rest in ("", answer.external)
    if status == "unresolved":
        return answer.status == "unresolved" and rest in ("", answer.reason)
    if status == "ambiguous":
        return answer.status == "ambiguous" and _names(answer, rest)
    return answer.status == "resolved" and _names(answer, wanted)


def _names(answer: Answer, wanted: str) -> bool:
    items = wanted.split()
    if len(items) != len(answer.targets):
        return False
    return all(any(_is_target(target, item) for target in answer.targets) for item in items)


def _is_target(target: str, item: str) -> bool:
    path, line, kind, name = target.split(":")
    wanted, _, wanted_line = item.partition("@")
    wanted_path, _, wanted_name = wanted.rpartition(":") if ":" in wanted else ("", "", wanted)
    if kind == "module":
        name = ""
    return wanted_name == name and wanted_path in ("", path) and wanted_line in ("", line)
