"""Types in the documentation comments of JavaScript (JSDoc, as the TypeScript handbook's "JSDoc Reference" reads them).

All types of a file are parsed at once, where they stand, so that every range in the result is one of the source. Types
are read when the declaration that they belong to is.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Final, NamedTuple

from tree_sitter import Node, Parser, Range

from graph.extract.sweep import grammar
from graph.languages.typescript.reader import Reader, read_type
from graph.languages.typescript.signatures import one_line
from graph.model import BindingTag, DefinitionKind, Flag, Op, ScopeKind

_TAG: Final = re.compile(
    rb"@(param|arg|argument|type|returns?|typedef|callback|property|prop|template|satisfies)\b[ \t]*(\{)?"
)
_NAME: Final = re.compile(rb"[ \t\r\n*]*(\[?)[ \t]*([A-Za-z_$][\w$]*)(\.|\[\])?")
_IMPORT: Final = re.compile(rb"import\(\s*(['\"])([^'\"\n]*)\1\s*\)")
_IMPORT_TAG: Final = re.compile(rb"@(import\b(?:(?!\*/|[;=()]).){1,2000}?\bfrom[ \t]*(['\"])[^'\"\n]+\2)", re.DOTALL)
_LINE: Final = re.compile(rb"\r?\n[ \t]*\*?")
_TYPE_LIMIT: Final = 4000
"""Longest type that is read, in bytes."""
_PREFIX: Final = b";type T="


class Tag(NamedTuple):
    """One tag of a documentation comment."""

    start: int
    word: str
    type_start: int
    """Byte offset of its type, -1 without one."""
    name: str
    name_start: int
    nested: bool
    """Whether the name is one of a property of a parameter (`options.size`)."""
    variadic: bool
    optional: bool


class Document:
    """The tags of one comment."""

    def __init__(self, documents: Documents, tags: list[Tag]) -> None:
        self._documents = documents
        self._tags = tags

    def _type(self, reader: Reader, tag: Tag) -> int:
        return self._documents.type_at(reader, tag.type_start)

    def parameter(self, reader: Reader, name: str, position: int) -> tuple[int, bool]:
        """(type expression or -1, whether it is variadic) of a parameter by name; by position where it has none."""
        rows = [tag for tag in self._tags if tag.word in ("param", "arg", "argument") and not tag.nested]
        if name:
            rows = [tag for tag in rows if tag.name == name][:1]
        else:
            rows = rows[position : position + 1]
        return (self._type(reader, rows[0]), rows[0].variadic) if rows else (-1, False)

    def returns(self, reader: Reader) -> int:
        """The type expression of the result, or -1."""
        return self._first(reader, ("returns", "return"))

    def type(self, reader: Reader) -> int:
        """The type expression that the comment gives a variable or field, or -1."""
        return self._first(reader, ("type",))

    @property
    def declares_type(self) -> bool:
        """Whether the comment gives a variable or field a type, be it one that says nothing."""
        return any(tag.word == "type" for tag in self._tags)

    def _first(self, reader: Reader, words: tuple[str, ...]) -> int:
        for tag in self._tags:
            if tag.word in words:
                return self._type(reader, tag)
        return -1

    def templates(self, reader: Reader, definition: int, scope: int) -> None:
        """Bind the type parameters that the comment declares."""
        builder = reader.builder
        for tag in self._tags:
            if tag.word != "template" or not tag.name:
                continue
            bound = self._type(reader, tag)
            value = -1
            if definition >= 0:
                parameters = builder.definitions[definition].type_parameters
                value = builder.expression(Op.TYPE_PARAMETER, definition, len(parameters))
                parameters.append([tag.name, bound])
            builder.bind(scope, tag.name, BindingTag.VALUE, value)

    def tags(self) -> list[Tag]:
        """Its tags, in order."""
        return self._tags


class Documents:
    """The documentation comments of one file."""

    def __init__(self, source: bytes, comments: dict[int, tuple[int, int]]) -> None:
        self._source = source
        self._comments = comments
        self._read: dict[int, int] = {}
        self._nodes: dict[int, Node] = {}
        self.tags = _tags(source)
        self._starts = [tag.start for tag in self.tags]
        self.imports: list[Node] = []
        """The import statements that `@import` tags are."""
        self._parse()

    def before(self, start: int) -> Document | None:
        """The comment that ends right before an offset, when it has tags that matter here."""
        found = self._comments.get(start)
        return None if found is None else self.within(*found)

    def within(self, begin: int, end: int) -> Document | None:
        """The tags of a comment, None when there are none."""
        first = bisect_left(self._starts, begin)
        last = bisect_left(self._starts, end)
        return Document(self, self.tags[first:last]) if last > first else None

    def cast(self, reader: Reader, node: Node) -> int:
        """The type of `/** @type {T} */ (value)`, or -1."""
        start = node.start_byte
        if self._source[max(start - 3, 0) : start].rstrip()[-2:] != b"*/":
            return -1
        document = self.before(start)
        return -1 if document is None else document.type(reader)

    def type_at(self, reader: Reader, start: int) -> int:
        """The type expression of the type at an offset, read once; -1 for what could not be parsed."""
        if start < 0:
            return -1
        known = self._read.get(start)
        if known is None:
            node = self._nodes.get(start)
            known = self._read[start] = -1 if node is None else read_type(reader, node)
        return known

    def _parse(self) -> None:
        """Parse all types at once: a copy of the source in which only they are looked at, each behind `type T=`."""
        source = self._source
        buffer = bytearray(source)
        spans: list[tuple[int, int]] = []
        for tag in self.tags:
            if tag.type_start >= len(_PREFIX):
                end = _closing(source, tag.type_start)
                buffer[tag.type_start - len(_PREFIX) : tag.type_start] = _PREFIX
                buffer[tag.type_start : end] = _readable(source[tag.type_start : end])
                spans.append((tag.type_start - len(_PREFIX), end))
        for match in _IMPORT_TAG.finditer(source):
            begin, end = match.span(1)
            buffer[begin - 1 : end] = b";" + _LINE.sub(lambda line: b" " * len(line.group()), source[begin:end])
            spans.append((begin - 1, end))
        spans.sort()
        ranges: list[Range] = []
        last = 0
        for begin, end in spans:
            if begin >= last:
                # Rows and columns are of no use here; all that counts of them is that they grow.
                ranges.append(Range((0, begin), (0, end), begin, end))
                last = end
        if not ranges:
            return
        parser = Parser(grammar("typescript"))
        parser.included_ranges = ranges
        for node in parser.parse(bytes(buffer)).root_node.named_children:
            if node.type == "import_statement" and not node.has_error:
                self.imports.append(node)
            elif node.type == "type_alias_declaration" and not node.has_error:
                value = node.child_by_field_name("value")
                if value is not None:
                    # The alias begins one byte behind the `;` of the prefix.
                    self._nodes[node.start_byte + len(_PREFIX) - 1] = value


def _tags(source: bytes) -> list[Tag]:
    found: list[Tag] = []
    for match in _TAG.finditer(source):
        type_start = -1
        position = match.end()
        variadic = optional = False
        if match.group(2) is not None:
            type_start = position
            end = _closing(source, position)
            if end < 0:
                continue
            text = source[type_start:end]
            variadic = text.lstrip().startswith(b"...")
            optional = text.rstrip().endswith(b"=")
            position = end + 1
        name = _NAME.match(source, position)
        word = name.group(2).decode("utf-8", "replace") if name is not None else ""
        found.append(
            Tag(
                match.start(), match.group(1).decode(), type_start, word, name.start(2) if name is not None else -1,
                name is not None and name.group(3) is not None, variadic,
                optional or (name is not None and name.group(1) == b"["),
            )
        )  # fmt: skip
    return found


def _closing(source: bytes, start: int) -> int:
    """The offset of the brace that closes a type, -1 when there is none within the comment."""
    position = start
    limit = min(len(source), start + _TYPE_LIMIT)
    while True:
        position = source.find(b"}", position, limit)
        if position < 0:
            return -1
        if source.count(b"{", start, position) <= source.count(b"}", start, position):
            return position if source.find(b"*/", start, position) < 0 else -1
        position += 1


def _readable(text: bytes) -> bytes:
    """A type as TypeScript writes it, of the same length."""
    text = _LINE.sub(lambda match: b" " * len(match.group()), text)
    text = _IMPORT.sub(lambda match: b"I" + b"_" * (len(match.group()) - 1), text)
    text = text.replace(b".<", b" <")
    stripped = text.strip()
    if stripped in (b"*", b"?", b""):
        return b"any"[: len(text)].ljust(len(text)) if len(text) >= 3 else b" " * len(text)
    if stripped.startswith(b"..."):
        text = text.replace(b"...", b"   ", 1)
        stripped = text.strip()
    if stripped.endswith(b"="):
        cut = text.rindex(b"=")
        text = text[:cut] + b" " + text[cut + 1 :]
        stripped = text.strip()
    if stripped[:1] in (b"?", b"!"):
        cut = text.index(stripped[:1])
        text = text[:cut] + b" " + text[cut + 1 :]
        stripped = text.strip()
    if stripped[-1:] in (b"?", b"!"):
        cut = text.rindex(stripped[-1:])
        text = text[:cut] + b" " + text[cut + 1 :]
    return text


# -- declared types ---------------------------------------------------------------------------------------------------


def read_documents(reader: Reader) -> None:
    """Give a JavaScript file's reader its documentation, and define the types that comments declare."""
    source = reader.builder.source
    if b"/**" not in source or (_TAG.search(source) is None and b"@import" not in source):
        return
    documents = Documents(source, reader.comments)
    reader.documents = documents
    position = 0
    while position < len(documents.tags):
        tag = documents.tags[position]
        position += 1
        if tag.word in ("typedef", "callback"):
            end = source.find(b"*/", tag.start)
            begin = source.rfind(b"/**", 0, tag.start)
            if begin < 0 or end < 0 or source.find(b"*/", begin + 3, tag.start) >= 0:
                continue
            following: list[Tag] = []
            while position < len(documents.tags) and documents.tags[position].start < end:
                if documents.tags[position].word in ("typedef", "callback"):
                    break
                following.append(documents.tags[position])
                position += 1
            templates = [other for other in _between(documents, begin, tag.start) if other.word == "template"]
            _typedef(reader, documents, tag, [*templates, *following], end)


def _between(documents: Documents, begin: int, end: int) -> list[Tag]:
    document = documents.within(begin, end)
    return [] if document is None else document.tags()


def _typedef(reader: Reader, documents: Documents, tag: Tag, following: list[Tag], end: int) -> None:
    builder = reader.builder
    if not tag.name or tag.name_start < 0 or tag.name_start > end:
        return
    extent = (tag.name_start, tag.name_start + len(tag.name.encode()))
    index = builder.define(DefinitionKind.TYPE, tag.name, 0, (tag.start, end), extent, flags=Flag.EXPORTED)
    builder.bind(builder.module_scope, tag.name, BindingTag.DEFINITION, index)
    draft = builder.definitions[index]
    draft.signature = one_line(builder.slice(tag.start, min(end, tag.start + 200)))
    outer_scope, outer_definition = reader.scope, reader.definition
    reader.scope = builder.scope(builder.module_scope, ScopeKind.BLOCK, index)
    reader.definition = index
    Document(documents, following).templates(reader, index, reader.scope)
    if tag.word == "callback":
        rows = [other for other in following if other.word in ("param", "arg", "argument") and not other.nested]
        parameters = [documents.type_at(reader, other.type_start) for other in rows]
        result = Document(documents, following).returns(reader)
        draft.type = builder.instance(reader.special("signature", result, parameters))
    else:
        properties = [other for other in following if other.word in ("property", "prop")]
        if properties:
            draft.scope = builder.scope(reader.scope, ScopeKind.CLASS, index)
            for other in properties:
                _property(reader, documents, other, index, draft.scope)
        elif tag.type_start >= 0:
            type_ = documents.type_at(reader, tag.type_start)
            if type_ != reader.nothing:
                draft.type = builder.instance(type_)
    reader.scope, reader.definition = outer_scope, outer_definition


def _property(reader: Reader, documents: Documents, tag: Tag, owner: int, scope: int) -> None:
    builder = reader.builder
    if not tag.name or tag.nested:
        return
    extent = (tag.name_start, tag.name_start + len(tag.name.encode()))
    index = builder.define(DefinitionKind.FIELD, tag.name, owner, extent, extent)
    builder.bind(scope, tag.name, BindingTag.DEFINITION, index)
    type_ = documents.type_at(reader, tag.type_start)
    builder.definitions[index].type = builder.instance(type_) if type_ != reader.nothing else -1
