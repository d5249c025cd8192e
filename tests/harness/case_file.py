"""Reads `.case` files: small repositories with the right answer written beside each reference.

A case file is a txtar archive (lines before the first `-- path --` describe the case, each such line starts a
file). A trailing comment that begins with `@def` or `@ref` holds the expectations of its line:

    @def NAME as LABEL
    @ref NAME[#n] -> LABEL[, LABEL...] | external  [both] | [syntactic] | [context KEY=VALUE]

Bytes are kept as they stand, the comments included, so that every position counts in the very file that is indexed.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path, PurePosixPath


class CaseError(ValueError):
    """A case file that cannot be read; the message names the file of the case and the line in it."""


class Demand(Enum):
    """The option in brackets at the end of a `@ref`: how much is asked of which layer."""

    MERGED = "merged"
    """No option: merged exactly right, the syntactic layer alone right or silent."""
    BOTH = "both"
    """The syntactic layer alone must already be exactly right."""
    SYNTACTIC = "syntactic"
    """Only the syntactic layer can know it."""
    CONTEXT = "context"
    """The answer in one compilation context."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a name stands: 1-based line, 1-based column in code points, 0-based byte offset into the file."""

    path: str
    line: int
    column: int
    byte: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class LabelledDefinition:
    """One `@def`."""

    label: str
    name: str
    spot: Spot


@dataclass(frozen=True, slots=True)
class ContextCondition:
    """The `KEY=VALUE` of a `[context KEY=VALUE]`; an empty value is one ("no features")."""

    key: str
    value: str


@dataclass(frozen=True, slots=True)
class Expectation:
    """One `@ref`: what the occurrence of `name` at `spot` resolves to. No labels: external."""

    name: str
    spot: Spot
    labels: frozenset[str]
    demand: Demand
    condition: ContextCondition | None
    construction: bool
    """`Name(...)`, `new Name`, `Name{...}`: the type and its constructor are equally right answers."""

    @property
    def external(self) -> bool:
        """The occurrence resolves to nothing of this repository."""
        return not self.labels


@dataclass(frozen=True, slots=True)
class CaseFile:
    """One file of the repository: path relative to its root (`/`), exact content."""

    path: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Case:
    """One repository with its expectations."""

    name: str
    title: str
    files: tuple[CaseFile, ...]
    definitions: dict[str, LabelledDefinition]
    expectations: tuple[Expectation, ...]

    def write(self, root: Path) -> None:
        """Writes the repository below `root`, which is created."""
        for file in self.files:
            target = root / file.path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.content)


def read_case(path: Path) -> Case:
    """Reads one `.case` file. Raises CaseError for what is not in the format, OSError when it cannot be read."""
    return parse_case(path.read_bytes(), path.stem)


def parse_case(archive: bytes, name: str) -> Case:
    """Reads a case from the bytes of its file. Raises CaseError."""
    comment, files = _split_archive(archive, name)
    title = next((line[6:].strip() for line in comment.split("\n") if line.startswith("title:")), "")
    if not title:
        raise CaseError(f"{name}: no `title:` line before the first file")
    if not files:
        raise CaseError(f"{name}: no `-- path --` line, so no file")

    definitions: dict[str, LabelledDefinition] = {}
    expectations: list[Expectation] = []
    for item in (item for file in files for item in _read_file(file)):
        if isinstance(item, Expectation):
            expectations.append(item)
        elif item.label in definitions:
            raise CaseError(f"{item.spot.path}:{item.spot.line}: label {item.label} is taken")
        else:
            definitions[item.label] = item
    for expectation in expectations:
        for label in sorted(expectation.labels - definitions.keys()):
            raise CaseError(f"{expectation.spot.path}:{expectation.spot.line}: no definition is labelled {label}")
    return Case(name, title, files, definitions, tuple(expectations))


_FILE_MARKER = re.compile(r"-- (\S(?:.*\S)?) --")
# A comment leader counts only right before @def or @ref, so that "https://..." in a string is no comment.
_EXPECTATIONS = re.compile(r"(?P<leader>//|\#)\s*(?P<text>@(?:def|ref)\s.*)$")
_DEFINITION = re.compile(r"@def\s+(?P<name>[^\s#]+)(?:#(?P<n>\d+))?\s+as\s+(?P<label>\w+)")
_REFERENCE = re.compile(
    r"@ref\s+(?P<name>[^\s#]+)(?:#(?P<n>\d+))?\s+->\s+(?P<targets>\w+(?:\s*,\s*\w+)*)\s*(?:\[(?P<option>[^\]]*)\])?"
)
_CONTEXT = re.compile(r"context\s+(?P<key>\w+)=(?P<value>\S*)")
_EXTERNAL = "external"


def _split_archive(archive: bytes, name: str) -> tuple[str, tuple[CaseFile, ...]]:
    try:
        text = archive.decode("utf-8")
    except UnicodeDecodeError as error:
        raise CaseError(f"{name}: not UTF-8: {error}") from error
    comment: list[str] = []
    files: dict[str, list[str]] = {}
    lines = comment
    # Split at "\n" alone: str.splitlines would also cut at form feeds and U+2028, which are content here.
    for line in text.removesuffix("\n").split("\n"):
        if marker := _FILE_MARKER.fullmatch(line.removesuffix("\r")):
            path = marker[1]
            parts = PurePosixPath(path).parts
            if path.startswith("/") or ".." in parts or "\\" in path or str(PurePosixPath(path)) != path:
                raise CaseError(f"{name}: {path!r} is not a plain relative path")
            if path in files:
                raise CaseError(f"{name}: {path} stands twice")
            lines = files[path] = []
        else:
            lines.append(line)
    return "\n".join(comment), tuple(
        CaseFile(path, "".join(f"{line}\n" for line in content).encode()) for path, content in files.items()
    )


def _read_file(file: CaseFile) -> Iterator[LabelledDefinition | Expectation]:
    start = 0
    for number, line in enumerate(file.content.decode("utf-8").split("\n"), 1):
        if match := _EXPECTATIONS.search(line):
            code = line[: match.start()]
            for text in match["text"].split(";"):
                yield _read_expectation(text.strip(), code, file.path, number, start)
        start += len(line.encode()) + 1


def _read_expectation(text: str, code: str, path: str, line: int, start: int) -> LabelledDefinition | Expectation:
    match = _DEFINITION.fullmatch(text) or _REFERENCE.fullmatch(text)
    if match is None:
        raise CaseError(f"{path}:{line}: not an expectation: {text!r}")
    name, nth = match["name"], int(match["n"] or 1)
    index = _occurrence(code, name, nth)
    if index is None:
        raise CaseError(f"{path}:{line}: no occurrence {nth} of {name} on this line")
    spot = Spot(path, line, column=index + 1, byte=start + len(code[:index].encode()))
    if match.re is _DEFINITION:
        if match["label"] == _EXTERNAL:
            raise CaseError(f"{path}:{line}: `{_EXTERNAL}` is no label")
        return LabelledDefinition(match["label"], name, spot)

    labels = frozenset(label.strip() for label in match["targets"].split(","))
    if _EXTERNAL in labels and len(labels) > 1:
        raise CaseError(f"{path}:{line}: `{_EXTERNAL}` stands alone: {text!r}")
    demand, condition = _read_option(match["option"], path, line)
    return Expectation(
        name, spot, labels - {_EXTERNAL}, demand, condition, construction=_is_construction(code, index, name)
    )


def _read_option(option: str | None, path: str, line: int) -> tuple[Demand, ContextCondition | None]:
    match option and option.strip():
        case None:
            return Demand.MERGED, None
        case "both":
            return Demand.BOTH, None
        case "syntactic":
            return Demand.SYNTACTIC, None
        case text:
            if context := _CONTEXT.fullmatch(text):
                return Demand.CONTEXT, ContextCondition(context["key"], context["value"])
            raise CaseError(f"{path}:{line}: unknown option [{text}]")


def _occurrence(code: str, name: str, nth: int) -> int | None:
    """The 0-based code point index of the nth (from 1) whole identifier `name` in `code`."""
    # `$` belongs to JavaScript identifiers.
    found = re.finditer(rf"(?<![\w$]){re.escape(name)}(?![\w$])", code)
    return _nth((match.start() for match in found), nth)


def _nth(items: Iterable[int], nth: int) -> int | None:
    return next((item for count, item in enumerate(items, 1) if count == nth), None)


def _is_construction(code: str, index: int, name: str) -> bool:
    after = code[index + len(name) :].lstrip()
    return after.startswith(("(", "{")) or re.search(r"(?<![\w$])new\s+(?:[\w$]+\s*\.\s*)*$", code[:index]) is not None
