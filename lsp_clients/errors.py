"""What can go wrong with a language server. The classes are part of the public API; their messages are not."""


class ServerError(Exception):
    """Anything wrong with a language server, its installation or its answers."""


class ServerMissingError(ServerError):
    """No usable server: not installed, not on the PATH, or what it runs on (node, a JDK) is missing."""


class InstallError(ServerError):
    """An installation did not end with a usable server. Nothing half-done is left."""


class ServerDiedError(ServerError):
    """The server's process is gone. Every request in flight and every later one gets this."""


class ServerGarbageError(ServerError):
    """The server sent something that is not the protocol (LSP 3.17, Base Protocol); it cannot be trusted further."""


class RequestTimeoutError(ServerError):
    """A request got no answer in time; the server was told to drop it."""


class RequestFailedError(ServerError):
    """The server answered with an error.

    `code` is the JSON-RPC or LSP error code.
    """

    def __init__(self, code: int, message: str) -> None:
        super().__init__(f"{message} ({code})")
        self.code = code


class NotReadyError(ServerError):
    """The server did not become ready in time, or its first answers never became right."""


class PositionError(ServerError, ValueError):
    """A byte offset or a line and character that names no place between two code points of the file."""


class ConfigurationError(ServerError):
    """A servers file with an unknown server, an unknown key or a value of the wrong type."""
