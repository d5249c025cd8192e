"""Stands between the client and a real pyright, and misbehaves on command.

    passing_pyright.py LOG FAULT COMMAND...

Each start adds a line `start PID` to LOG, each definition request a line `ask`. FAULT is one of

- `none`;
- `slow`: waits before every question;
- `dies`: ends at the first question after a file named like `killer` was opened;
- `mute`: never becomes ready.
"""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

LOG, FAULT, COMMAND = Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
SLOW_SECONDS = 0.02


def log(line: str) -> None:
    with LOG.open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")


def read_message() -> bytes | None:
    """One whole message, header included."""
    header = b""
    while not header.endswith(b"\r\n\r\n"):
        line = sys.stdin.buffer.readline()
        if not line:
            return None
        header += line
    length = next(int(line[15:]) for line in header.split(b"\r\n") if line.lower().startswith(b"content-length:"))
    return header + sys.stdin.buffer.read(length)


def main() -> None:
    log(f"start {os.getpid()}")
    if FAULT == "mute":
        time.sleep(3600)
    server = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert server.stdin is not None
    assert server.stdout is not None
    log(f"start {server.pid}")
    answers = server.stdout

    def pass_answers() -> None:
        while data := os.read(answers.fileno(), 1 << 16):
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()

    threading.Thread(target=pass_answers, daemon=True).start()
    killer = False
    while (message := read_message()) is not None:
        killer = killer or (b"didOpen" in message and b"killer" in message)
        if b'"textDocument/definition"' in message:
            log("ask")
            if FAULT == "slow":
                time.sleep(SLOW_SECONDS)
            if FAULT == "dies" and killer and b"killer" in message:
                server.kill()
                os._exit(9)
        server.stdin.write(message)
        server.stdin.flush()
    server.kill()
    server.wait()


if __name__ == "__main__":
    main()
