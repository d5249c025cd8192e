"""Work that follows chains as long as the code has them: a stack that is deep enough.

What a name means may lean on a thousand other names in a row. Python's own limit would end such a chain somewhere, at a
place that depends on what had been asked before, so that two runs could differ. The stack of a thread is only as large
in memory as it is used.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import TypeVar

_Result = TypeVar("_Result")

_STACK_BYTES = (1 << 30, 1 << 28, 1 << 26)
"""Tried one after the other, for where address space is scarce. C Python takes at most 2**30 or so."""
_FRAME_BYTES = 2048
"""What a call takes of the stack, at most, when every other one goes through C."""


def on_deep_stack(work: Callable[[], _Result]) -> _Result:
    """What `work` gives or raises, run in a thread of its own. RecursionError after some hundred thousand calls.

    An interruption of the caller does not wait for the thread.
    """
    results: list[_Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:  # noqa: BLE001  # raised again by the caller
            errors.append(error)

    before, limit = threading.stack_size(), sys.getrecursionlimit()
    thread = None
    for size in _STACK_BYTES:
        threading.stack_size(size)
        # Whatever the limit was: how far a chain is followed must not depend on what this process did before, and a
        # limit that another part raised may be more than this stack bears.
        sys.setrecursionlimit(size // _FRAME_BYTES)
        thread = threading.Thread(target=run, name="deep stack", daemon=True)
        try:
            thread.start()
            break
        except RuntimeError:  # no room for a stack of that size
            thread = None
        finally:
            threading.stack_size(before)
    try:
        if thread is None:
            run()
        else:
            thread.join()
    finally:
        sys.setrecursionlimit(limit)
    if errors:
        raise errors[0]
    return results[0]
