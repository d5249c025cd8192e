"""Running commands as whole processes: wall time, processor time, and the memory of a process with its children.

These machines are shared and noisy, so figures are compared as ratios inside one run: the commands take turns, and the
median over the turns is what counts.
"""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

import psutil

SAMPLE_SECONDS = 0.02
"""How often memory is sampled."""


_INSTALLED = {"PYTHONSAFEPATH": "1"}
"""What is measured is what is installed, compiled, and not the sources of a checkout that happens to be the folder."""


@dataclass(frozen=True)
class Measured:
    """One finished command."""

    wall: float
    """Seconds from start to end."""
    processor: float
    """Seconds of processor time of the process and the children it waited for."""
    exit_code: int
    output: bytes
    """What it printed on standard output."""


class CommandFailedError(RuntimeError):
    """A measured command ended with an exit code that was not expected; the message has the end of its output."""


def run(
    command: Sequence[str],
    *,
    limit: float = 3600.0,
    expected: frozenset[int] = frozenset({0}),
    environment: Mapping[str, str] | None = None,
) -> Measured:
    """Run a command to its end. Raises CommandFailedError, and subprocess.TimeoutExpired after `limit` seconds."""
    before = os.times()
    begun = time.perf_counter()
    done = subprocess.run(
        command,
        capture_output=True,
        timeout=limit,
        check=False,
        env={**os.environ, **_INSTALLED, **(environment or {})},
    )
    wall = time.perf_counter() - begun
    after = os.times()
    if done.returncode not in expected:
        tail = (done.stderr or done.stdout).decode("utf-8", "replace")[-2000:]
        raise CommandFailedError(f"{' '.join(command)} ended with {done.returncode}:\n{tail}")
    processor = after.children_user - before.children_user + after.children_system - before.children_system
    return Measured(wall, processor, done.returncode, done.stdout)


def peak_memory(command: Sequence[str], *, limit: float = 3600.0) -> int:
    """The most bytes that a command and all its descendants held at one moment.

    Pages that several of them share are counted once (proportional set size, where the system tells it; else the
    resident set, which counts them in each). Sampling slows a command, so its time is measured in another run.
    """
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, **_INSTALLED}
    )
    peak = 0
    done = threading.Event()

    def sample() -> None:
        nonlocal peak
        watched = psutil.Process(process.pid)
        while not done.wait(SAMPLE_SECONDS):
            peak = max(peak, _held(watched))

    sampler = threading.Thread(target=sample, daemon=True)
    sampler.start()
    try:
        process.wait(limit)
    finally:
        done.set()
        sampler.join(5)
        if process.poll() is None:
            process.kill()
            process.wait(10)
    return peak


def _held(process: psutil.Process) -> int:
    total = 0
    try:
        family = [process, *process.children(recursive=True)]
    except psutil.Error:
        return 0
    for member in family:
        try:
            info = member.memory_full_info()
        except psutil.Error:  # ended since it was listed
            continue
        total += getattr(info, "pss", 0) or info.rss
    return total


def middle(values: Sequence[float]) -> float:
    """The median."""
    return float(median(values))
