"""`python -m bench index-speed`: a fresh index against one core's bare parse of the same bytes."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import orjson

from bench.measuring import middle, peak_memory, run


@dataclass(frozen=True)
class StageTime:
    """One stage of the index command, median over the turns."""

    name: str
    seconds: float
    ratio: float
    """Seconds divided by those of the bare parse."""


@dataclass(frozen=True)
class IndexSpeed:
    """The outcome. Times are seconds, medians over the turns; `ratio` is the median of the ratios turn by turn."""

    repository: str
    files: int
    bytes: int
    turns: int
    parse: float
    index: float
    """Wall time inside the index command, without the start of Python."""
    command: float
    """Wall time of the whole command."""
    processor: float
    """Processor time of the whole command, over all its processes."""
    ratio: float
    command_ratio: float
    peak_bytes: int
    """Most memory of all processes together at one moment."""
    stages: tuple[StageTime, ...]

    def document(self) -> dict[str, Any]:
        """The outcome as it is printed with `--json`."""
        return asdict(self)


def index_speed(repository: Path, turns: int, tell: Callable[[str], None]) -> IndexSpeed:
    """Measure, `turns` times in turn. `tell` is told what happens. Raises CommandFailedError."""
    parses: list[dict[str, Any]] = []
    reports: list[dict[str, Any]] = []
    commands: list[float] = []
    processors: list[float] = []
    with tempfile.TemporaryDirectory(prefix="tieline-bench-") as scratch:

        def command(name: str) -> list[str]:
            # A folder of its own each time: over an index that is there, a fresh one is published in another way.
            place = ["--index-dir", f"{scratch}/{name}"]
            return [sys.executable, "-m", "resolver", "index", str(repository), "--full", "--json", *place]

        for turn in range(turns):
            tell(f"turn {turn + 1} of {turns}: parse")
            parses.append(orjson.loads(run([sys.executable, "-m", "bench.parse_only", str(repository)]).output))
            tell(f"turn {turn + 1} of {turns}: index")
            done = run(command(f"turn-{turn}"), expected=frozenset({0, 5}))
            reports.append(orjson.loads(done.output))
            commands.append(done.wall)
            processors.append(done.processor)
        tell("memory")
        peak = peak_memory(command("memory"))
    parse = middle([one["seconds"] for one in parses])
    names = [stage["name"] for stage in reports[0]["stages"]]
    stages: list[StageTime] = []
    for position, name in enumerate(names):
        seconds = middle([report["stages"][position]["seconds"] for report in reports])
        stages.append(StageTime(name, seconds, seconds / parse))
    return IndexSpeed(
        repository=repository.name,
        files=int(parses[0]["files"]),
        bytes=int(parses[0]["bytes"]),
        turns=turns,
        parse=parse,
        index=middle([report["seconds"] for report in reports]),
        command=middle(commands),
        processor=middle(processors),
        ratio=middle([report["seconds"] / one["seconds"] for report, one in zip(reports, parses, strict=True)]),
        command_ratio=middle([wall / one["seconds"] for wall, one in zip(commands, parses, strict=True)]),
        peak_bytes=peak,
        stages=tuple(stages),
    )
