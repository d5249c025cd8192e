"""A language server that misbehaves on command: `fake_server.py FAULT STARTS`. Only faults are tested with it.

FAULT names what goes wrong (see `_ask` and `main`); each start adds a line with its process id to the file STARTS. A
definition request is answered with the very place that it asks about, one character long.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import orjson

FAULT, STARTS = sys.argv[1], Path(sys.argv[2])
HOARD: list[bytes] = []


def receive() -> dict[str, Any] | None:
    length = 0
    while (line := sys.stdin.buffer.readline().strip()) or not length:
        if not line:
            return None
        length = int(line.removeprefix(b"Content-Length: "))
    return orjson.loads(sys.stdin.buffer.read(length))


def write(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def send(**message: Any) -> None:
    body = orjson.dumps({"jsonrpc": "2.0", **message})
    write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))


def log(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()


def _ask(request_id: int, uri: str, position: dict[str, int], asked: int) -> None:
    start, end = dict(position), {**position, "character": position["character"] + 1}
    if FAULT == "dies" and "killer" in uri:
        log("killed by a file")
        os._exit(9)
    elif FAULT == "hangs" and "killer" in uri:
        time.sleep(3600)
    elif FAULT == "eats" and "killer" in uri:
        hoard = bytearray(os.urandom(1 << 20) * 600)
        time.sleep(3600)
        del hoard
    elif FAULT == "grows" and not HOARD:
        HOARD.append(os.urandom(1 << 20) * 320)
    elif FAULT == "floods":
        log("x" * 300_000)
    elif FAULT == "errors" and asked % 2:
        send(id=request_id, error={"code": -32603, "message": "no idea"})
        return
    elif FAULT == "header":
        write(b"Hello, world\r\n\r\n")
    elif FAULT == "endless":
        write(b"y" * 20_000)
    elif FAULT == "json":
        write(b'Content-Length: 8\r\n\r\n{"id": 1')
    elif FAULT == "huge":
        write(b"Content-Length: 99999999999\r\n\r\n")
    elif FAULT == "id":
        send(id=request_id + 1000, result=None)
    elif FAULT == "beyond":
        end = {"line": 0, "character": 10_000}
    elif FAULT == "shape":
        send(id=request_id, result={"uri": uri})
        return
    elif FAULT == "gone":
        uri += ".gone"
    elif FAULT == "late" and asked < 4:
        start = end = {"line": 0, "character": 0}
    send(id=request_id, result=[{"uri": uri, "range": {"start": start, "end": end}}])


def main() -> None:
    with STARTS.open("a", encoding="utf-8") as starts:
        starts.write(f"{os.getpid()}\n")
    if FAULT == "stillborn":
        log("cannot start today")
        sys.exit(3)
    if FAULT == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"])
        with STARTS.open("a", encoding="utf-8") as starts:
            starts.write(f"{child.pid}\n")
    asked = 0
    replies: list[Any] = []
    while (message := receive()) is not None:
        method, request_id = message.get("method"), message.get("id", 0)
        params: Any = message.get("params")
        if method == "initialize":
            if FAULT == "mute":
                continue
            encoding = "utf-7" if FAULT == "encoding" else "utf-8"
            send(id=request_id, result={"capabilities": {"positionEncoding": encoding}, "serverInfo": {"version": "7"}})
        elif method == "initialized" and FAULT != "sleepy":
            send(id="a", method="workspace/configuration", params={"items": [{"section": "colour"}, {}]})
            send(id="b", method="no/such/method", params={})
            send(id="c", method="workspace/configuration", params={"wrong": "shape"})
        elif method is None:
            error: Any = message.get("error") or {}
            replies.append([request_id, message.get("result"), error.get("code")])
            if len(replies) == 3:
                send(method="language/status", params={"type": "ready", "message": orjson.dumps(replies).decode()})
        elif method == "textDocument/didOpen" and FAULT == "open" and "killer" in params["textDocument"]["uri"]:
            os._exit(9)
        elif method == "textDocument/definition":
            asked += 1
            _ask(request_id, params["textDocument"]["uri"], params["position"], asked)
        elif method == "shutdown" and FAULT != "stubborn":
            send(id=request_id, result=None)
        elif method == "exit" and FAULT != "stubborn":
            break
    while FAULT == "stubborn":
        time.sleep(1)


if __name__ == "__main__":
    main()
