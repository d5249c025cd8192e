"""What ends a command early, its exit code, and how other errors are told.

Every error is one line on standard error. With `--json` it is a document on standard output as well:

    {"error": {"code": "ambiguous-symbol", "exit": 3, "message": "...", "hint": "..." | null, ...}}

`code` is a stable word; further keys depend on it (`candidates`, `near`).
"""

from __future__ import annotations

import errno
import sys
from enum import IntEnum
from typing import Any


class Exit(IntEnum):
    """The exit codes, as `tieline --help` explains them."""

    DONE = 0
    NOTHING = 1
    """Nothing found, or a threshold missed."""
    USAGE = 2
    """Bad usage, or input that cannot be used."""
    AMBIGUOUS = 3
    NO_INDEX = 4
    """No index that can be read; or a stale one, with `--require-fresh`."""
    PARTIAL = 5
    """Finished, but some part failed."""
    INTERNAL = 70
    """A fault of tieline itself (EX_SOFTWARE of sysexits.h): its traceback is in the file that the message names."""
    INTERRUPTED = 130
    """Ctrl-C, as shells report it."""
    BROKEN_PIPE = 141
    """Whoever read the output went away, as shells report it."""


class CommandError(Exception):
    """Ends a command. The message is one line that says what happened and where; the hint says what to do."""

    def __init__(self, code: str, exit_: Exit, message: str, hint: str | None = None, **details: Any) -> None:
        super().__init__(message)
        self.code = code
        self.exit = exit_
        self.message = message
        self.hint = hint
        self.details: dict[str, Any] = details

    @property
    def line(self) -> str:
        """All of it in one line."""
        return f"{self.message}: {self.hint}" if self.hint else self.message

    def document(self) -> dict[str, Any]:
        """The JSON document."""
        return {
            "error": {
                "code": self.code, "exit": int(self.exit), "message": self.message, "hint": self.hint, **self.details,
            }
        }  # fmt: skip


def usage(message: str, hint: str | None = None, *, code: str = "bad-input", **details: Any) -> CommandError:
    """An error of exit code 2."""
    return CommandError(code, Exit.USAGE, message, hint, **details)


def explain(error: BaseException) -> CommandError | None:
    """What an error of another package means here; None for one that nobody expects."""
    if isinstance(error, CommandError):
        return error
    return _own(error) or _by_module(error) or _system(error)


def _own(error: BaseException) -> CommandError | None:
    """An error of the store or of a question: both say themselves with which exit code they end."""
    # An error of a package can only exist once the package is loaded; what has not been loaded need not be.
    for module, name in (("graph.store.errors", "StoreError"), ("graph.query.errors", "QueryError")):
        loaded = sys.modules.get(module)
        if loaded is not None and isinstance(error, getattr(loaded, name)):
            code = _words(type(error).__name__)
            made = CommandError(code, Exit(getattr(error, "exit_code", Exit.PARTIAL)), str(error).split("\n", 1)[0])
            made.details.update(
                {key: list(getattr(error, key)) for key in ("candidates", "near") if hasattr(error, key)}
            )
            return made
    return None


CODES = {
    ("graph.inventory.settings", "ConfigError"): ("bad-configuration", Exit.USAGE),
    ("graph.inventory.entry", "InventoryError"): ("no-inventory", Exit.USAGE),
    ("resolver.errors", "ContextError"): ("bad-context", Exit.USAGE),
    ("resolver.revision", "RevisionError"): ("bad-revision", Exit.USAGE),
    ("resolver.errors", "ResolverError"): ("resolver-failed", Exit.PARTIAL),
    ("lsp_clients.errors", "ConfigurationError"): ("bad-configuration", Exit.USAGE),
    ("lsp_clients.errors", "ServerMissingError"): ("server-missing", Exit.USAGE),
    ("lsp_clients.errors", "InstallError"): ("install-failed", Exit.PARTIAL),
    ("lsp_clients.errors", "ServerError"): ("server-failed", Exit.PARTIAL),
}
"""(module, class) -> code and exit; the first that the error is an instance of."""


def _by_module(error: BaseException) -> CommandError | None:
    for (module, name), (code, exit_) in CODES.items():
        loaded = sys.modules.get(module)
        if loaded is not None and isinstance(error, getattr(loaded, name)):
            return CommandError(code, exit_, str(error))
    return None


def _system(error: BaseException) -> CommandError | None:
    if not isinstance(error, OSError):
        return None
    where = error.filename if isinstance(error.filename, str) else None
    what = error.strerror or str(error)
    place = f"{where}: {what}" if where else what
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return CommandError("disk-full", Exit.PARTIAL, place, "free some space, or write elsewhere")
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return usage(place, "check its permissions, or choose another place", code="not-permitted")
    if error.errno == errno.EEXIST:
        return usage(f"{place}, and it is no folder", "choose another place", code="not-a-folder")
    if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.ENAMETOOLONG, errno.ELOOP):
        return usage(place, code="no-such-path")
    return None


def _words(name: str) -> str:
    """`NoIndexError` -> `no-index`."""
    stem = name.removesuffix("Error")
    return "".join(f"-{char.lower()}" if char.isupper() and place else char.lower() for place, char in enumerate(stem))
