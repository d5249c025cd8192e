"""Reading a file below a root, without ever leaving the root or opening what is no file."""

from __future__ import annotations

import os
import stat


class OutsideError(OSError):
    """A symbolic link leads out of the root."""


class NotRegularError(OSError):
    """What is there is no regular file: a pipe, a device, a folder."""


def read_inside(root: bytes, relative: bytes, most: int = -1) -> bytes:
    """The exact bytes of a file, at most `most` of them where that is not negative; `root` is a real path.

    Raises OutsideError, NotRegularError, and OSError for what the system says.
    """
    target = _resolve(root.rstrip(b"/"), relative)
    # NONBLOCK: a pipe that took the place of the file must not hang the reader.
    descriptor = os.open(target, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb", buffering=0) as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise NotRegularError("is no regular file now")
        if most < 0:
            return file.readall()
        parts: list[bytes] = []
        while most > 0 and (part := file.read(most)):
            parts.append(part)
            most -= len(part)
        return b"".join(parts)


def _resolve(root: bytes, relative: bytes) -> bytes:
    """The real path of a path below a real root."""
    path = root
    for part in relative.split(b"/"):
        path += b"/" + part
        try:
            if stat.S_ISLNK(os.lstat(path).st_mode):
                break
        except OSError:
            # Opening it fails in the same way, and says so.
            return root + b"/" + relative
    else:
        return path
    target = os.path.realpath(root + b"/" + relative)
    if not target.startswith(root + b"/"):
        raise OutsideError("leads out of the root now")
    return target
