"""Questions that depend on each other in a circle: one answer, the least fixed point, whichever is asked first."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any, Final

from mypy_extensions import mypyc_attr

from graph.link.values import (
    BOTTOMS,
    NOTHING,
    Values,
)
from graph.link.world import World
from graph.model import (
    BindingTag,
    Flag,
    Op,
    ScopeKind,
)

_NAME, _ATTRIBUTE, _IMPORTED, _DEFINITION_OP = int(Op.NAME), int(Op.ATTRIBUTE), int(Op.IMPORTED), int(Op.DEFINITION)
_DEFINITION, _IMPORT, _VALUE = int(BindingTag.DEFINITION), int(BindingTag.IMPORT), int(BindingTag.VALUE)
_CLASS_SCOPE = int(ScopeKind.CLASS)
_PROPERTY, _CONDITIONAL = int(Flag.PROPERTY), int(Flag.CONDITIONAL)


DEPTH_LIMIT: Final = 4000
"""Longest chain of questions that depend on each other; beyond it nothing is known."""
NO_TAINT: Final = DEPTH_LIMIT + 1
ROUNDS: Final = 8
"""How often a circle of definitions is worked out again until it is stable."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Circles:
    """What is known of the questions that are open or were answered while one further out was open."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._depth = 0
        self._taint: int = NO_TAINT
        self._in_progress: dict[Any, list[Any]] = {}
        self._before: dict[Any, Any] = {}
        self._tentative: dict[Any, tuple[Any, int, Callable[[Any], None], Any]] = {}
        self._once: dict[tuple[Any, ...], Values] = {}

    def once(self, key: tuple[Any, ...], work: Callable[[], Values]) -> Values:
        """What `work` gives, worked out once per key and guarded against asking for itself.

        The key's first part is a word that no other use of this method has.
        """
        known = self._once.get(key)
        if known is not None:
            return known
        recalled = self._recall(key)
        if recalled is not None:
            return recalled
        if self._depth >= DEPTH_LIMIT:
            self._taint = 0
            return NOTHING

        def remember(result: Values) -> None:
            self._once[key] = NOTHING if result == BOTTOMS else result

        return self._settle(key, BOTTOMS, work, NOTHING, remember)

    def _recall(self, key: Any) -> Any:
        """What is known of a question that is still open, or was answered while one further out still is; else None."""
        progress = self._in_progress.get(key)
        if progress is not None:
            self._taint = min(self._taint, progress[0])
            return progress[1]
        tentative = self._tentative.get(key)
        if tentative is not None:
            self._taint = min(self._taint, tentative[1])
            return tentative[0]
        return None

    def _settle(
        self, key: Any, start: Any, work: Callable[[], Any], unknown: Any, remember: Callable[[Any], None]
    ) -> Any:
        """Answer one question by `work`, which may ask it again and is then told the answer so far.

        The answer is worked out again until it is stable; `unknown` where it is not after `ROUNDS`. Answers to other
        questions that lean on one that is still open further out are kept aside, and are remembered together with it:
        these questions form a circle, and the last round has answered them all from the final values.
        """
        depth = self._depth
        aside, before = self._tentative, self._before
        progress = [depth, before.get(key, start)]
        self._in_progress[key] = progress
        outer_taint = self._taint
        mark = len(aside)
        self._depth = depth + 1
        stable = False
        result = start
        leaning = NO_TAINT
        for turn in range(ROUNDS):
            self._taint = NO_TAINT
            result = work()
            leaning = self._taint
            if leaning != depth:
                stable = True
                break
            stable = result == progress[1]
            progress[1] = result
            if turn + 1 < ROUNDS:
                stable = self._next_round(mark, stable)
            if stable:
                break
        del self._in_progress[key]
        self._depth = depth
        if leaning >= depth:
            if not stable:
                result = unknown
            remember(result)
            while len(aside) > mark:
                other_key, (answer, _, other, nothing) = aside.popitem()
                before.pop(other_key, None)
                other(answer if stable else nothing)
            before.pop(key, None)
            self._taint = outer_taint
        else:
            aside[key] = (result, leaning, remember, unknown)
            self._taint = min(outer_taint, leaning)
        return result

    def _next_round(self, mark: int, stable: bool) -> bool:
        """Whether the answers put aside since `mark` are those of the round before, too; if not, clear them for
        another.
        """
        aside, before = self._tentative, self._before
        fresh = list(islice(reversed(aside.items()), len(aside) - mark))
        if stable and all(before.get(key, NO_TAINT) == entry[0] for key, entry in fresh):
            return True
        for key, entry in fresh:
            before[key] = entry[0]
            del aside[key]
        return False

    def _drop_leaning(self, mark: int, depth: int) -> None:
        """Forget the answers put aside since `mark` that lean on a question which is given up at this depth."""
        aside = self._tentative
        for key, entry in list(islice(reversed(aside.items()), len(aside) - mark)):
            if entry[1] >= depth:
                del aside[key]
                self._before.pop(key, None)
