"""A graph of networkx as text: node-link JSON, GraphML, or DOT."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from resolver.cli.text import printable, printable_json, printable_xml, xml_text

if TYPE_CHECKING:
    import networkx


def write_graph(graph: networkx.MultiDiGraph[str], format_: str) -> Iterator[str]:
    """The text of a graph in pieces, in `json`, `graphml` or `dot`."""
    return {"json": _json, "graphml": _graphml, "dot": _dot}[format_](graph)


def _json(graph: networkx.MultiDiGraph[str]) -> Iterator[str]:
    import networkx
    import orjson

    yield printable_json(orjson.dumps(networkx.node_link_data(graph, edges="links"))).decode()
    yield "\n"


def _graphml(graph: networkx.MultiDiGraph[str]) -> Iterator[str]:
    import networkx

    safe: networkx.MultiDiGraph[str] = networkx.MultiDiGraph(**graph.graph)
    for node, data in graph.nodes(data=True):
        safe.add_node(xml_text(node), **_xml_values(data))
    for source, target, data in graph.edges(data=True):
        safe.add_edge(xml_text(source), xml_text(target), **_xml_values(data))
    yield '<?xml version="1.0" encoding="utf-8"?>\n'
    for line in networkx.generate_graphml(safe):
        yield f"{printable_xml(line)}\n"


def _dot(graph: networkx.MultiDiGraph[str]) -> Iterator[str]:
    """Graphviz' language by its grammar, https://graphviz.org/doc/info/lang.html; networkx would need pydot for it."""
    yield "digraph tieline {\n  node [shape=box];\n"
    for node, data in graph.nodes(data=True):
        label = f"{data['kind']} {data['name']}"
        yield f"  {_quoted(node)} [label={_quoted(label)}];\n"
    for source, target, data in graph.edges(data=True):
        kind = str(data["kind"])
        yield f"  {_quoted(source)} -> {_quoted(target)} [label={_quoted(kind)}];\n"
    yield "}\n"


def _quoted(text: str) -> str:
    return '"' + printable(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def _xml_values(data: Mapping[str, Any]) -> dict[str, Any]:
    return {key: xml_text(value) if isinstance(value, str) else value for key, value in data.items()}
