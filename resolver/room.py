"""Room for servers: how many may run at a time, and how much memory they may take together."""

from __future__ import annotations

import asyncio
from pathlib import Path

import psutil

SHARE = 2 / 3
"""Of the machine's memory that servers may take when nobody says how much."""
_CONTROL_GROUPS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


class Room:
    """What is left of a number of places and of an amount of memory. One task takes, any may give back."""

    def __init__(self, places: int, mib: int) -> None:
        self.mib = mib
        """All of the memory."""
        self._places = places
        self._left = mib
        self._taken = 0
        self._given_back = asyncio.Event()

    async def take(self, mib: int) -> None:
        """Wait until there is a place and so much memory. Who wants more than there is gets it when it is alone."""
        while self._taken and (self._taken >= self._places or mib > self._left):
            self._given_back.clear()
            await self._given_back.wait()
        self._taken += 1
        self._left -= mib

    def give_back(self, mib: int) -> None:
        """Give back a place and the memory that was taken with it."""
        self._taken -= 1
        self._left += mib
        self._given_back.set()


def memory_for_servers() -> int:
    """MiB: two thirds of what this machine, or the control group that this process is in, has."""
    most = psutil.virtual_memory().total
    for name in _CONTROL_GROUPS:
        path = Path(name)
        if path.is_file() and (text := path.read_text("ascii").strip()).isdecimal():
            most = min(most, int(text))
    return max(1, int(most * SHARE) >> 20)
