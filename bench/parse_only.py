"""The floor that indexing is measured against: one process on one core parses the same bytes and does nothing else.

Run as `python -m bench.parse_only ROOT`: prints a JSON document with the number of files and bytes and the seconds that
parsing took (reading the files and starting Python left out).
"""

from __future__ import annotations

import gc
import sys
import time
from pathlib import Path

import orjson
from tree_sitter import Parser

from graph.extract.sweep import grammar
from graph.index.scan import scan
from graph.inventory import Unreadable, read_file
from graph.languages.facts import grammar_of
from graph.languages.registry import by_name


def parse_only(root: Path) -> dict[str, float]:
    """Parse every source file that the inventory of `root` includes; the document described above."""
    languages = by_name()
    sources: list[tuple[Parser, bytes]] = []
    parsers: dict[str, Parser] = {}
    for item in scan(root).sources:
        data = read_file(root, item)
        if isinstance(data, Unreadable) or item.language is None:
            continue
        name = grammar_of(languages[item.language], item.path)
        if name not in parsers:
            parsers[name] = Parser(grammar(name))
        sources.append((parsers[name], data))
    gc.disable()
    begun = time.perf_counter()
    for parser, data in sources:
        parser.parse(data)
    seconds = time.perf_counter() - begun
    return {"files": len(sources), "bytes": sum(len(data) for _, data in sources), "seconds": seconds}


if __name__ == "__main__":
    sys.stdout.buffer.write(orjson.dumps(parse_only(Path(sys.argv[1]).resolve())))
