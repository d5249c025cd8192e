"""Whether a server that says that it is ready is so: references whose targets are known are asked first."""

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from time import monotonic
from typing import NamedTuple

from lsp_clients.adapter import Ready
from lsp_clients.answers import Canary, Empty, Failed, FileSites, Located, Outcome, Outside
from lsp_clients.errors import NotReadyError

ROUNDS = 2
"""How often in a row a majority must be right."""
WRONG_SECONDS = 30.0
"""From the first answers that are wrong until they are believed to stay so."""
PARTLY_SECONDS = 3.0
"""The same where some are right and none changes: it has read what it can find, and cannot find the rest."""
_PAUSE_SECONDS = 0.2


class Confirmed(NamedTuple):
    """A server that is believed."""

    asked: int
    """How many questions that took."""
    note: str
    """What a user should know; "" when the answers are as they should be."""


async def confirm(ready: Ready, canaries: Sequence[Canary], deadline: float, *, may_change: bool) -> Confirmed:
    """Asks canaries until a majority is right, twice in a row, or some stay right and the others what they are.

    Any single one may be wrong by a fault of whoever chose it, and many may be where a server does not find what its
    files import. `deadline` is of time.monotonic. Where the answers cannot change any more (`may_change` is false) they
    are asked once.

    Raises NotReadyError, and what `Ready.answers` does.
    """
    files = _sites(canaries)
    asked = right_rounds = 0
    wrong_since: float | None = None
    same_since = monotonic()
    before: dict[tuple[str, int], Outcome] = {}
    found: dict[tuple[str, int], Outcome] = {}
    try:
        async with asyncio.timeout(max(0.0, deadline - monotonic())):
            while right_rounds < (ROUNDS if may_change else 1):
                if wrong_since is not None:
                    settled = not may_change or monotonic() - same_since > PARTLY_SECONDS
                    if settled and _right(canaries, found):
                        return Confirmed(asked, f"not all that it should see is seen: {_explain(canaries, found)}")
                    if not may_change or monotonic() - wrong_since > WRONG_SECONDS:
                        raise NotReadyError(_explain(canaries, found))
                    await asyncio.sleep(_PAUSE_SECONDS)
                async with aclosing(ready.answers(files)) as answers:
                    async for answer in answers:
                        found[answer.path, answer.offset] = answer.outcome
                        asked += 1
                if found != before:
                    before, same_since = dict(found), monotonic()
                if _right(canaries, found) * 2 > len(canaries):
                    right_rounds, wrong_since = right_rounds + 1, None
                else:
                    right_rounds, wrong_since = 0, wrong_since or monotonic()
    except TimeoutError as error:
        raise NotReadyError(_explain(canaries, found)) from error
    return Confirmed(asked, "")


def _sites(canaries: Sequence[Canary]) -> list[FileSites]:
    contents = {canary.path: canary.content for canary in canaries}
    return [
        FileSites(path, content, tuple(sorted({canary.offset for canary in canaries if canary.path == path})))
        for path, content in sorted(contents.items())
    ]


def _right(canaries: Sequence[Canary], found: dict[tuple[str, int], Outcome]) -> int:
    return sum(_is_right(found.get((canary.path, canary.offset)), canary) for canary in canaries)


def _is_right(outcome: Outcome | None, canary: Canary) -> bool:
    """Whether a server that is not ready could not have answered so.

    One that has not read the other file yet says nothing, or points at the import in the asking file. A third file may
    be as right as the one that is expected: a stub, another build's twin.
    """
    return isinstance(outcome, Located) and any(
        location.path != canary.path or (location.path == canary.target_path and location.start == canary.target_start)
        for location in outcome.locations
    )


def _explain(canaries: Sequence[Canary], found: dict[tuple[str, int], Outcome]) -> str:
    wrong = [canary for canary in canaries if not _is_right(found.get((canary.path, canary.offset)), canary)]
    of = f"{len(canaries) - len(wrong)} of {len(canaries)} references whose targets are known were answered rightly"
    first = wrong[0]
    said = _said(found.get((first.path, first.offset)))
    return f"{of}; byte {first.offset} of {first.path} leads to {first.target_path}, the server said {said}"


def _said(outcome: Outcome | None) -> str:
    match outcome:
        case None:
            return "nothing yet"
        case Located(locations, elsewhere):
            return ", ".join([*(f"byte {place.start} of {place.path}" for place in locations[:2]), *elsewhere[:1]])
        case Failed(reason, detail):
            return f"{reason}: {detail}"
        case Outside(package):
            return f"it is in {package}"
        case Empty():
            return "there is nothing"
