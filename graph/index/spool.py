"""Blobs on disk instead of in memory, for the processes of one run: written by one, read by all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


class Spool:
    """A file without a name that grows by blobs. It is gone when the last process that has it open ends."""

    def __init__(self, folder: Path) -> None:
        descriptor, name = tempfile.mkstemp(prefix="spool-", dir=folder)
        Path(name).unlink()
        self._file = os.fdopen(descriptor, "wb", buffering=1 << 20)
        self._descriptor = descriptor
        self._places: dict[int, tuple[int, int]] = {}
        self._end = 0

    def add(self, key: int, blob: bytes) -> None:
        """Keep a blob under a key."""
        self._file.write(blob)
        self._places[key] = (self._end, len(blob))
        self._end += len(blob)

    def flush(self) -> None:
        """Make everything readable; before that `read` does not find it."""
        self._file.flush()

    def read(self, key: int) -> bytes:
        """The blob under a key, in any process that was forked after `flush`."""
        offset, size = self._places[key]
        return os.pread(self._descriptor, size, offset)

    def __contains__(self, key: int) -> bool:
        return key in self._places

    def close(self) -> None:
        """Let go of it."""
        self._file.close()
