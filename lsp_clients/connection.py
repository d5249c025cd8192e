"""One server process and the JSON-RPC with it: multilspy's handler, mended.

What is mended (multilspy 0.1.1): a request fails at once when the server dies, and after a time limit, with
`$/cancelRequest` to the server; nothing grows with the number of messages; the number of requests in flight is bounded;
requests of the server are answered; standard error of any line length is read and only its tail kept; what is not the
protocol ends the connection with a typed error; the whole process group is killed.

Callbacks are plain functions, called while reading: they must not block.
"""

import asyncio
import contextlib
import os
import signal
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

import psutil
from multilspy.lsp_protocol_handler.lsp_types import ErrorCodes
from multilspy.lsp_protocol_handler.server import LanguageServerHandler, ProcessLaunchInfo

from lsp_clients import framing
from lsp_clients.errors import (
    RequestFailedError,
    RequestTimeoutError,
    ServerDiedError,
    ServerError,
    ServerGarbageError,
    ServerMissingError,
)
from lsp_clients.framing import Message

STDERR_TAIL = 16 * 1024
"""Bytes of standard error that are kept for diagnostics."""
MAX_UNSENT = 64 * 1024 * 1024
"""Bytes waiting for a server that does not read. More is taken for a hung server."""
_READ = 1 << 18
_MAX_ABANDONED = 4096
_POLITE_SECONDS = 0.7
_MEMORY_CHECK_SECONDS = 1.0

Handler = Callable[[Any], Any]


class Pending(NamedTuple):
    """A request that was sent."""

    id: int
    future: "asyncio.Future[Any]"


class Connection(LanguageServerHandler):
    """A running server. Use it as `async with`: the process and its children are gone when the block is left."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        environment: Mapping[str, str],
        folder: Path,
        in_flight: int = 64,
        memory_limit: int | None = None,
    ) -> None:
        """`memory_limit` is in bytes, for the server and its children together."""
        launch = ProcessLaunchInfo(cmd=list(command), env=dict(environment), cwd=str(folder))
        super().__init__(launch)  # pyright: ignore[reportUnknownMemberType] - multilspy's logger has no type
        # As multilspy's, with types.
        self.on_request_handlers: dict[str, Handler] = {}
        self.on_notification_handlers: dict[str, Handler] = {}
        self._pending: dict[int, asyncio.Future[Any]] = {}
        self._abandoned: OrderedDict[int, None] = OrderedDict()
        self._slots = asyncio.Semaphore(in_flight)
        self._stderr = bytearray()
        self._death: ServerError | None = None
        self.closed = asyncio.Event()
        """Set when the server is gone."""
        self._readers: list[asyncio.Task[None]] = []
        self._memory_limit = memory_limit
        self._child: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            await self.shutdown()
        await self.stop()

    # Life

    async def start(self) -> None:
        """Starts the process. Raises ServerMissingError when the command cannot be run."""
        info = self.process_launch_info
        try:
            child = await asyncio.create_subprocess_exec(
                *info.cmd,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env={**os.environ, **info.env},
                cwd=info.cwd,
                # Its own session: Ctrl-C reaches us alone, and one signal to the group reaches all of its children.
                start_new_session=True,
            )
        except OSError as error:
            raise ServerMissingError(f"{info.cmd[0]} cannot be started: {error}") from error
        self._child = child
        self._readers = [asyncio.create_task(self._read_messages(child)), asyncio.create_task(self._read_stderr(child))]
        if self._memory_limit is not None:
            self._readers.append(asyncio.create_task(self._watch_memory(child.pid, self._memory_limit)))

    async def shutdown(self) -> None:
        """The polite end (LSP 3.17, Shutdown Request): short, because `stop` follows."""
        if self._death is None:
            with contextlib.suppress(ServerError):
                await self.request("shutdown", None, _POLITE_SECONDS)
                self.send_notification("exit")
        if self._child is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_POLITE_SECONDS):
                    await self._child.wait()

    async def stop(self) -> None:
        """Kills the process group and waits until it is gone. Safe to call twice, and while being cancelled."""
        self._die(ServerDiedError("the connection was closed"))
        child, self._child = self._child, None
        for reader in self._readers:
            reader.cancel()
        if child is None:
            return
        _kill_group(child.pid)
        # SIGKILL cannot be refused, so this ends; a cancellation meanwhile must not leave a zombie behind.
        await asyncio.shield(asyncio.gather(child.wait(), *self._readers, return_exceptions=True))
        if child.stdin is not None:
            child.stdin.close()

    @property
    def pid(self) -> int | None:
        """The process id while it runs."""
        return None if self._child is None else self._child.pid

    @property
    def death(self) -> ServerError | None:
        """Why nothing more can be asked: ServerDiedError or ServerGarbageError; None while the server lives."""
        return self._death

    @property
    def memory(self) -> int:
        """Resident bytes of the process and its children; 0 when it is gone."""
        return 0 if self._child is None else _memory(self._child.pid)

    def stderr_tail(self) -> str:
        """The end of what the server wrote to standard error."""
        return self._stderr.decode(errors="replace")

    # Requests

    async def send_request(self, method: str, params: Any = None) -> Any:
        """As multilspy's, without a time limit of its own; raises as `request` does."""
        return await self.request(method, params, None)

    async def request(self, method: str, params: Any, seconds: float | None) -> Any:
        """The result of a request.

        Raises RequestTimeoutError, RequestFailedError, ServerDiedError or ServerGarbageError. When it is
        cancelled, the server is told.
        """
        return await self.finish(await self.begin(method, params), seconds)

    async def begin(self, method: str, params: Any) -> Pending:
        """Sends a request, as soon as fewer than the allowed number are in flight; `finish` waits for its result.

        Raises ServerDiedError or ServerGarbageError.
        """
        await self._slots.acquire()
        if self._death is not None:
            self._slots.release()
            raise self._death
        pending = Pending(self.request_id, asyncio.get_running_loop().create_future())
        self.request_id += 1
        self._pending[pending.id] = pending.future
        pending.future.add_done_callback(lambda _: self._slots.release())
        self._send({"jsonrpc": "2.0", "id": pending.id, "method": method, "params": params})
        return pending

    async def finish(self, pending: Pending, seconds: float | None) -> Any:
        """Waits for the result of a request that was begun; time-outs and errors as in `request`."""
        if pending.future.done():
            return pending.future.result()
        try:
            async with asyncio.timeout(seconds):
                return await pending.future
        except TimeoutError as error:
            raise RequestTimeoutError(f"no answer within {seconds} s") from error
        finally:
            self.abandon(pending)

    def abandon(self, pending: Pending) -> None:
        """Gives a request up and tells the server; nothing happens when it is answered already."""
        if self._pending.pop(pending.id, None) is None:
            return
        pending.future.cancel()
        self._abandoned[pending.id] = None
        while len(self._abandoned) > _MAX_ABANDONED:
            self._abandoned.popitem(last=False)
        self.send_notification("$/cancelRequest", {"id": pending.id})

    def send_notification(self, method: str, params: Any = None) -> None:
        """Sends a notification; a server that is gone does not get it."""
        self._send({"jsonrpc": "2.0", "method": method, "params": {} if params is None else params})

    def on_request(self, method: str, cb: Handler) -> None:
        """`cb(params)` gives the result for the server; what it raises becomes an error answer."""
        self.on_request_handlers[method] = cb

    def on_notification(self, method: str, cb: Handler) -> None:
        """`cb(params)` is called for each such notification."""
        self.on_notification_handlers[method] = cb

    # Inside

    def _send(self, message: Message) -> None:
        child = self._child
        if self._death is not None or child is None or child.stdin is None:
            return
        child.stdin.write(framing.encode(message))
        if child.stdin.transport.get_write_buffer_size() > MAX_UNSENT:
            self._condemn(child.pid, ServerDiedError(f"the server left {MAX_UNSENT} bytes unread"))

    async def _read_messages(self, child: asyncio.subprocess.Process) -> None:
        assert child.stdout is not None
        decoder = framing.Decoder()
        try:
            while data := await child.stdout.read(_READ):
                for message in decoder.feed(data):
                    self._receive(message)
        except ServerGarbageError as error:
            self._condemn(child.pid, error)
            return
        except (OSError, ValueError) as error:
            self._condemn(child.pid, ServerDiedError(f"its output cannot be read: {error}"))
            return
        # Standard output is closed: whatever the process still does, it will not answer.
        _kill_group(child.pid)
        code = await child.wait()
        self._die(ServerDiedError(f"the server ended with code {code}: {self.stderr_tail()[-400:].strip()}"))

    async def _read_stderr(self, child: asyncio.subprocess.Process) -> None:
        assert child.stderr is not None
        while data := await child.stderr.read(_READ):
            self._stderr += data
            del self._stderr[:-STDERR_TAIL]

    async def _watch_memory(self, pid: int, limit: int) -> None:
        while self._death is None:
            await asyncio.sleep(_MEMORY_CHECK_SECONDS)
            used = _memory(pid)
            if used > limit:
                self._condemn(pid, ServerDiedError(f"the server used {used >> 20} MiB, the limit is {limit >> 20} MiB"))

    def _receive(self, message: Message) -> None:
        method = message.get("method")
        if method is None:
            self._receive_response(message)
        elif not isinstance(method, str):
            raise ServerGarbageError(f"a method that is not a string: {method!r}")
        elif "id" in message:
            self._answer(method, message["id"], message.get("params"))
        elif (handler := self.on_notification_handlers.get(method)) is not None:
            try:
                handler(message.get("params"))
            except (LookupError, TypeError, ValueError, AttributeError) as error:
                raise ServerGarbageError(f"a {method} of the wrong shape: {error!r}") from error

    def _receive_response(self, message: Message) -> None:
        request_id = message.get("id")
        if not isinstance(request_id, int):
            raise ServerGarbageError(f"a response to request {request_id!r}: {message.get('error')}")
        future = self._pending.pop(request_id, None)
        if future is None:
            if request_id not in self._abandoned:
                raise ServerGarbageError(f"a response to request {request_id}, which is not waiting for one")
            del self._abandoned[request_id]
        elif "error" in message:
            _set(future, error=_failure(message["error"]))
        elif "result" in message:
            _set(future, result=message["result"])
        else:
            _set(future, error=ServerGarbageError("a response with neither result nor error"))

    def _answer(self, method: str, request_id: Any, params: Any) -> None:
        reply: Message = {"jsonrpc": "2.0", "id": request_id}
        handler = self.on_request_handlers.get(method)
        if handler is None:
            reply["error"] = {"code": ErrorCodes.MethodNotFound.value, "message": f"{method} is not known"}
        else:
            try:
                reply["result"] = handler(params)
            except (ServerError, LookupError, TypeError, ValueError, AttributeError) as error:
                # Parameters of the wrong shape: the server is told, as JSON-RPC wants it.
                reply["error"] = {"code": ErrorCodes.InvalidParams.value, "message": f"{method}: {error!r}"}
        self._send(reply)

    def _condemn(self, pid: int, error: ServerError) -> None:
        self._die(error)
        _kill_group(pid)

    def _die(self, error: ServerError) -> None:
        if self._death is None:
            self._death = error
        self.closed.set()
        pending, self._pending = self._pending, {}
        for future in pending.values():
            _set(future, error=self._death)


def _set(future: "asyncio.Future[Any]", result: Any = None, error: ServerError | None = None) -> None:
    if future.done():
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)
        # Not everyone who began a request comes back for it; asyncio need not complain about that.
        future.exception()


def _failure(error: Any) -> ServerError:
    if isinstance(error, dict) and isinstance(code := error.get("code"), int):  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] - JSON
        return RequestFailedError(code, str(error.get("message")))  # pyright: ignore[reportUnknownArgumentType, reportUnknownMemberType] - JSON
    return ServerGarbageError(f"an error without a code: {error!r}")


def _kill_group(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def _memory(pid: int) -> int:
    """Resident bytes of a process and its children; 0 when it is gone."""
    used = 0
    with contextlib.suppress(psutil.Error):
        process = psutil.Process(pid)
        for member in (process, *process.children(recursive=True)):
            with contextlib.suppress(psutil.Error):
                used += member.memory_info().rss
    return used
