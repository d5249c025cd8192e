"""`dump` and `export`: the whole index, for comparison and for other tools."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from resolver.cli import output
from resolver.cli.base import Example, command
from resolver.cli.errors import usage
from resolver.cli.session import Session
from resolver.cli.text import printable_json

FORMATS = ("json", "graphml", "dot")


@command(
    "dump",
    Example("tieline dump > before.txt", "the whole index, one thing a line"),
    Example("diff <(tieline dump) <(tieline dump --index-dir ../other)", "compare two indexes"),
    answers=False,
)
def dump(session: Session) -> None:
    """The whole index in a canonical order: each line is a JSON object, and equal indexes give equal lines.

    With --json it is one document, `{"items": [...]}`, of the same objects.
    """
    from graph.query import dump as ask

    lines = (printable_json(line.encode()).decode() for line in ask(session.snapshot))
    output.write_chunks(_as_one_document(lines) if session.json else (f"{line}\n" for line in lines))


@command(
    "export",
    Example("tieline export --format graphml --output graph.graphml", "for Gephi, yEd or networkx"),
    Example("tieline export --format dot --path src/auth.py | dot -Tsvg > auth.svg", "a drawing of one file"),
    Example("tieline export --format json | jq '.links | length'", "node-link JSON, as networkx and D3 read it"),
    answers=False,
)
@click.option("--format", "format_", type=click.Choice(FORMATS), default="json", show_default=True, help="The format.")
@click.option("-o", "--output", "target", type=click.Path(path_type=Path), metavar="FILE", help="Write to FILE.")
@click.option("--path", "paths", multiple=True, metavar="PATH", help="Only the definitions of this file; repeatable.")
def export(session: Session, format_: str, target: Path | None, paths: tuple[str, ...]) -> None:
    """The graph for other tools: definitions as nodes, the references and relations between them as edges.

    It goes to standard output unless --output names a file, which is written whole or not at all.
    """
    from graph.query import graph
    from graph.query.position import find_file
    from resolver.cli.exporting import write_graph

    session.locate(*paths)
    if session.json and format_ != "json" and target is None:
        raise usage(f"--json and --format {format_} on standard output exclude each other", "give --output FILE")
    if target is not None and target.is_dir():
        raise usage(f"--output {target} is a folder", "give the name of a file", code="not-a-file")
    chosen = [find_file(session.snapshot, session.path(path)).path for path in paths]
    made = graph(session.snapshot, chosen or None)
    if target is None:
        output.write_chunks(write_graph(made, format_))
        return
    size = output.replace_file(target, write_graph(made, format_))
    nodes, edges = made.number_of_nodes(), made.number_of_edges()
    if session.json:
        output.write_json({"file": str(target), "format": format_, "nodes": nodes, "edges": edges, "bytes": size})
    elif not session.quiet:
        output.note(f"{target}: {nodes:,} nodes, {edges:,} edges, {size:,} bytes")


def _as_one_document(lines: Iterable[str]) -> Iterator[str]:
    yield '{"items":['
    for number, line in enumerate(lines):
        yield f",\n{line}" if number else f"\n{line}"
    yield "\n]}\n"
