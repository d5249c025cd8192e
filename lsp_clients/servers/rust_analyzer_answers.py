"""What rust-analyzer's answers are made of, put right where they are about something else than the name asked about."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING
from weakref import WeakSet

from lsp_clients.answers import FileSites, Located, Location, Outcome, Outside, SiteAnswer
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
    locations = tuple(_bare(session, location) for location in outcome.locations)
    if name in _CONVERSIONS and locations:
        end, package = _CONVERSIONS[name]
        if all(_text(session, location) == end for location in locations):
            return Outside(package, "", name.decode())
    return outcome._replace(locations=locations)


def _name_at(content: bytes, offset: int) -> bytes:
    end = offset
    while end < len(content) and (content[end : end + 1].isalnum() or content[end] == 0x5F):
        end += 1
    return content[offset:end]


def _bare(session: Session, location: Location) -> Location:
    """The place of a name without the `r#` of a raw identifier (Rust reference, "Identifiers")."""
    if _text(session, location)[:2] != _RAW:
        return location
    return location._replace(start=location.start + len(_RAW))


def _text(session: Session, location: Location) -> bytes:
    # The table is at hand: the offsets were worked out with it.
    return session.targets.table(location.path).content[location.start : location.end]
