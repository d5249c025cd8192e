"""What rust-analyzer's answers are made of, put right where they are about something else than the name asked about."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING
from weakref import WeakSet

from lsp_clients.answers import Empty, FileSites, Located, Location, Outcome, Outside, SiteAnswer
from lsp_clients.targets import uri_of

if TYPE_CHECKING:
    from lsp_clients.session import Session

_CONVERSIONS = {
    b"into": (b"from", "core"),
    b"try_into": (b"try_from", "core"),
    b"parse": (b"from_str", "core"),
    b"to_string": (b"fmt", "alloc"),
}
"""Methods of the standard library for which it answers with the implementation that they end in, and their crates."""
_RAW = b"r#"


_occupied: WeakSet[Session] = WeakSet()


async def answers(session: Session, files: Sequence[FileSites]) -> AsyncGenerator[SiteAnswer]:
    """By one request for each site, while the server is kept from cleaning up."""
    if session not in _occupied and files:
        _occupied.add(session)
        await _occupy(session, files[0].path)
    contents = {file.path: file.content for file in files}
    async with aclosing(session.one_by_one(files)) as found:
        async for answer in found:
            outcome = answer.outcome
            if isinstance(outcome, Located):
                outcome = _told(session, contents[answer.path], answer.offset, outcome)
            yield answer._replace(outcome=outcome)


async def _occupy(session: Session, path: str) -> None:
    """Begin a formatting that does not end before the session does: its command sleeps (see `options`).

    Whenever no request is at work, the server throws away what it keeps of types, and takes the revision that this
    makes for a change: everything is verified again, and the next pause does the same. A formatting that is at work
    keeps it from that. Nothing may be changed in the server meanwhile; nothing is, since no file is opened.
    """
    params = {"textDocument": {"uri": uri_of(path)}, "options": {"tabSize": 4, "insertSpaces": True}}
    await session.connection.begin("textDocument/formatting", params)


def _told(session: Session, content: bytes, offset: int, outcome: Located) -> Outcome:
    name = _name_at(content, offset)
    if _is_own_type(content, offset, name):
        return Empty()
    locations = tuple(_bare(session, location) for location in outcome.locations)
    if name in _CONVERSIONS and locations:
        end, package = _CONVERSIONS[name]
        if all(_text(session, location) == end for location in locations):
            return Outside(package, "", name.decode())
    return outcome._replace(locations=locations)


def _is_own_type(content: bytes, offset: int, name: bytes) -> bool:
    """Whether a name is `Self::NAME` where the file gives some associated type of that name a value.

    The server answers with the declaration in the trait there, and the type that is meant is that of the impl block.
    """
    before = content[max(0, offset - 64) : offset].rstrip()
    if not before.endswith(b"::") or not before[:-2].rstrip().endswith(b"Self"):
        return False
    return re.search(rb"\btype\s+" + re.escape(name) + rb"\b[^;{}]*=", content) is not None


def _name_at(content: bytes, offset: int) -> bytes:
    end = offset
    while end < len(content) and (content[end : end + 1].isalnum() or content[end] == 0x5F):
        end += 1
    return content[offset:end]


def _bare(session: Session, location: Location) -> Location:
    """The place of a name as the index has it.

    A raw identifier is named without its `r#` (Rust reference, "Identifiers"); a module that is a file, for which the
    server gives all of it, is named at its start.
    """
    # The table is at hand: the offsets were worked out with it.
    content = session.targets.table(location.path).content
    if location.start == 0 and location.end >= len(content.rstrip()):
        return location._replace(end=0)
    if content.startswith(_RAW, location.start):
        return location._replace(start=location.start + len(_RAW))
    return location


def _text(session: Session, location: Location) -> bytes:
    return session.targets.table(location.path).content[location.start : location.end]
