"""The graph of definitions for other tools: a `networkx` multigraph whose edges are the references between them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from graph.model import ReferenceKind, word
from graph.query.snapshot import Snapshot
from graph.store.numbers import reference_start
from graph.store.text_id import KIND_WORDS, format_text_id
from graph.store.vocabulary import RelationKind

if TYPE_CHECKING:
    import networkx

_KINDS = {int(kind): word(kind) for kind in ReferenceKind}


def graph(snapshot: Snapshot, paths: Iterable[str] | None = None) -> networkx.MultiDiGraph[str]:
    """Definitions (by text id) and the references between them, or only those of some files.

    Nodes have `kind`, `name`, `path`, `line`; edges `kind`, `line`, `column` and `byte` of the reference, or the
    kind of the relation. Nodes and edges come in the order of paths and places.
    """
    import networkx  # slow to load, and no other question needs it

    result: networkx.MultiDiGraph[str] = networkx.MultiDiGraph(generation=snapshot.generation)
    rows = snapshot.connection.execute(
        "SELECT d.id, f.path, d.kind, d.qualified_name, d.ordinal, d.name, d.name_start FROM definition d"
        " JOIN file f ON f.id = d.id >> 24 ORDER BY f.path, d.name_start, d.id"
    ).fetchall()
    wanted = None if paths is None else set(paths)
    ids: dict[int, str] = {}
    for number, path, kind, qualified_name, ordinal, name, name_start in rows:
        if wanted is not None and path not in wanted:
            continue
        ids[number] = format_text_id(path, kind, qualified_name, ordinal)
        line = snapshot.position(number >> 24, name_start).line
        result.add_node(ids[number], kind=KIND_WORDS[kind], name=name, path=path, line=line)
    edges = snapshot.connection.execute(
        "SELECT e.source, e.target, e.kind, e.reference FROM edge e JOIN file f ON f.id = e.reference >> 40"
        " ORDER BY f.path, e.reference, e.target"
    )
    for source, target, kind, reference in edges:
        if source in ids and target in ids:
            start = reference_start(reference)
            line, column = snapshot.position(reference >> 40, start)
            result.add_edge(ids[source], ids[target], kind=_KINDS[kind], line=line, column=column, byte=start)
    relations = snapshot.connection.execute("SELECT source, target, kind FROM relation").fetchall()
    named = sorted(
        (ids[source], ids[target], kind) for source, target, kind in relations if source in ids and target in ids
    )
    for source, target, kind in named:
        result.add_edge(source, target, kind=word(RelationKind(kind)))
    return result
