"""Every question, on a repository small enough to answer by reading it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from graph.query import (
    AmbiguousSymbolError,
    NoSuchPlaceError,
    Snapshot,
    UnknownFileError,
    UnknownSymbolError,
    at,
    callees,
    callers,
    coverage,
    deps,
    dump,
    find_symbol,
    graph,
    hierarchy,
    impact,
    outline,
    refs,
    search,
    show,
    stats,
    status,
    trace,
)
from graph.query.hierarchy import Kin
from tests.harness.indexing import Repository, write_files

FILES = {
    "shop/__init__.py": "",
    "shop/base.py": '''\
class Store:
    """Where goods are kept."""

    def fetch(self, key):
        return key

    def fetch_all(self):
        return [self.fetch(key) for key in "ab"]
''',
    "shop/disk.py": """\
import json

from shop.base import Store


class DiskStore(Store):
    def fetch(self, key):
        return json.loads(key)
""",
    "shop/app.py": """\
from shop.disk import DiskStore


def main(unknown):
    store = DiskStore()
    unknown.fetch("x")
    return helper(store)


def helper(store: DiskStore):
    return store.fetch("k")


def fetch():
    return main(None)
""",
    "shop/broken.py": "def half(:\n    pass\n\n\ndef whole():\n    return 1\n",
    "data.bin.py": b"\0\0",
}


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    made = Repository(tmp_path_factory.mktemp("shop"), FILES)
    made.index()
    return made


@pytest.fixture
def state(repository: Repository) -> Iterator[Snapshot]:
    with repository.read() as opened:
        yield opened


@pytest.mark.parametrize(
    ("symbol", "expected"),
    [
        ("shop/disk.py:class:DiskStore", "shop/disk.py:class:DiskStore"),
        ("DiskStore", "shop/disk.py:class:DiskStore"),
        ("DiskStore.fetch", "shop/disk.py:method:DiskStore.fetch"),
        ("Store.fetch", "shop/base.py:method:Store.fetch"),
        ("shop.base.Store.fetch", "shop/base.py:method:Store.fetch"),
        ("disk.DiskStore", "shop/disk.py:class:DiskStore"),
        ("shop/app.py:10", "shop/app.py:function:helper"),
        ("shop/app.py:11", "shop/app.py:function:helper"),
        ("shop/app.py:11:18", "shop/disk.py:method:DiskStore.fetch"),
        ("shop/app.py:10:5", "shop/app.py:function:helper"),
        ("app.fetch", "shop/app.py:function:fetch"),
    ],
)
def test_a_symbol_is_found_by_all_its_names(state: Snapshot, symbol: str, expected: str) -> None:
    assert find_symbol(state, symbol).id == expected


def test_homonyms_are_listed_and_never_merged(state: Snapshot) -> None:
    with pytest.raises(AmbiguousSymbolError) as caught:
        find_symbol(state, "fetch")
    assert caught.value.candidates == (
        "shop/app.py:function:fetch", "shop/base.py:method:Store.fetch", "shop/disk.py:method:DiskStore.fetch",
    )  # fmt: skip
    assert caught.value.exit_code == 3
    assert "shop/app.py:function:fetch" in str(caught.value)


def test_an_unknown_symbol_offers_similar_names_and_no_guess(state: Snapshot) -> None:
    with pytest.raises(UnknownSymbolError) as caught:
        find_symbol(state, "DiskStor")
    assert "shop/disk.py:class:DiskStore" in caught.value.near
    assert caught.value.exit_code == 1
    with pytest.raises(UnknownSymbolError):
        find_symbol(state, "Other.fetch")


def test_places_that_are_none_say_why(state: Snapshot) -> None:
    with pytest.raises(UnknownFileError, match="binary"):
        at(state, "data.bin.py", 1)
    with pytest.raises(UnknownFileError, match="not in the index"):
        at(state, "nowhere.py", 1)
    with pytest.raises(NoSuchPlaceError, match="no line 99"):
        at(state, "shop/app.py", 99)
    with pytest.raises(NoSuchPlaceError, match="no column 40"):
        at(state, "shop/app.py", 4, 40)
    with pytest.raises(NoSuchPlaceError):
        find_symbol(state, "shop/app.py:3:1")


def test_at_a_reference(state: Snapshot) -> None:
    answer = at(state, "shop/app.py", 11, 18)
    (item,) = answer.items
    assert item.definition is None
    assert item.enclosing is not None
    assert item.enclosing.id == "shop/app.py:function:helper"
    judged = item.reference
    assert judged is not None
    assert (judged.reference.name, judged.reference.qualifier, judged.reference.kind) == ("fetch", "store", "call")
    assert [target.definition.id for target in judged.targets] == ["shop/disk.py:method:DiskStore.fetch"]
    (claim,) = judged.targets[0].layers
    assert (claim.layer, claim.contexts, claim.confidence) == ("syntactic", (), None)
    assert answer.evidence.fresh


def test_at_the_end_of_a_name_stands_what_follows_it(state: Snapshot) -> None:
    assert at(state, "shop/app.py", 11, 17).items[0].reference is None
    found = at(state, "shop/app.py", 11, 22).items[0].reference
    assert found is not None
    assert found.reference.name == "fetch"
    assert at(state, "shop/app.py", 11, 23).items[0].reference is None


def test_at_a_definition(state: Snapshot) -> None:
    (item,) = at(state, "shop/disk.py", 6, 7).items
    assert item.definition is not None
    assert item.definition.id == "shop/disk.py:class:DiskStore"
    assert (item.definition.line, item.definition.column) == (6, 7)


def test_at_a_line_gives_everything_on_it_in_order(state: Snapshot) -> None:
    items = at(state, "shop/disk.py", 6).items
    shown = [
        (item.column, item.definition.name if item.definition else item.reference and item.reference.reference.name)
        for item in items
    ]
    assert shown == [(7, "DiskStore"), (17, "Store")]


def test_a_member_of_an_unknown_receiver_has_candidates_and_no_target(state: Snapshot) -> None:
    judged = at(state, "shop/app.py", 6, 13).items[0].reference
    assert judged is not None
    assert judged.targets == ()
    assert [found.id for found in judged.candidates] == [
        "shop/app.py:function:fetch", "shop/base.py:method:Store.fetch", "shop/disk.py:method:DiskStore.fetch",
    ]  # fmt: skip


def test_an_external_target_names_its_package(state: Snapshot) -> None:
    judged = at(state, "shop/disk.py", 8, 21).items[0].reference
    assert judged is not None
    assert judged.external is not None
    assert (judged.external.package, judged.external.symbol) == ("json", "loads")


def test_refs_say_what_they_do_not_know(state: Snapshot) -> None:
    answer = refs(state, find_symbol(state, "DiskStore.fetch"))
    assert [(use.reference.path, use.reference.line, use.enclosing.qualified_name) for use in answer.uses] == [
        ("shop/app.py", 11, "helper")
    ]
    assert answer.unknown.unresolved_same_name == 1
    assert answer.unknown.damaged_files == 1
    assert answer.unknown.excluded_files == 1


def test_refs_of_a_class_have_imports_bases_types_and_constructions(state: Snapshot) -> None:
    answer = refs(state, find_symbol(state, "DiskStore"))
    assert [(use.reference.path, use.reference.line, use.reference.kind) for use in answer.uses] == [
        ("shop/app.py", 1, "import"), ("shop/app.py", 5, "call"), ("shop/app.py", 10, "type"),
    ]  # fmt: skip
    assert refs(state, find_symbol(state, "DiskStore"), limit=1).total == 3


def test_callers_and_callees(state: Snapshot) -> None:
    into = callers(state, find_symbol(state, "main"))
    assert [(call.definition.id, [site.line for site in call.sites]) for call in into.calls] == [
        ("shop/app.py:function:fetch", [15])
    ]
    out = callees(state, find_symbol(state, "main"))
    assert [call.definition.id for call in out.calls] == ["shop/app.py:function:helper", "shop/disk.py:class:DiskStore"]
    assert [(other.reference.name, other.verdict) for other in out.others] == [("fetch", "unresolved")]


def test_impact_goes_up_the_calls(state: Snapshot) -> None:
    answer = impact(state, find_symbol(state, "DiskStore.fetch"), 3)
    assert [(item.depth, item.definition.id) for item in answer.affected] == [
        (1, "shop/app.py:function:helper"), (2, "shop/app.py:function:main"), (3, "shop/app.py:function:fetch"),
    ]  # fmt: skip
    assert answer.files == ("shop/app.py",)
    assert [item.depth for item in impact(state, find_symbol(state, "DiskStore.fetch"), 1).affected] == [1]


def test_impact_of_a_base_method_reaches_what_overrides_it(state: Snapshot) -> None:
    answer = impact(state, find_symbol(state, "Store.fetch"), 1)
    assert [item.definition.id for item in answer.affected] == [
        "shop/base.py:method:Store.fetch_all", "shop/disk.py:method:DiskStore.fetch",
    ]  # fmt: skip


def test_trace_is_a_shortest_path(state: Snapshot) -> None:
    answer = trace(state, find_symbol(state, "app.fetch"), find_symbol(state, "DiskStore.fetch"))
    assert [[step.qualified_name for step in path] for path in answer.paths] == [
        ["fetch", "main", "helper", "DiskStore.fetch"]
    ]
    assert trace(state, find_symbol(state, "Store.fetch"), find_symbol(state, "main")).paths == ()


def test_hierarchy_of_classes_and_methods(state: Snapshot) -> None:
    up = hierarchy(state, find_symbol(state, "DiskStore"))
    assert names(up.above) == [("shop/base.py:class:Store", "base")]
    assert up.below == ()
    assert names(hierarchy(state, find_symbol(state, "shop/base.py:class:Store")).below) == [
        ("shop/disk.py:class:DiskStore", "base")
    ]
    method = hierarchy(state, find_symbol(state, "DiskStore.fetch"))
    assert names(method.above) == [("shop/base.py:method:Store.fetch", "override")]
    assert names(hierarchy(state, find_symbol(state, "Store.fetch")).below) == [
        ("shop/disk.py:method:DiskStore.fetch", "override")
    ]


def names(kin: tuple[Kin, ...]) -> list[tuple[str, str]]:
    return [(one.definition.id, one.relation) for one in kin]


def test_dependencies_of_a_file(state: Snapshot) -> None:
    answer = deps(state, "shop/disk.py")
    assert {found.name for found in answer.uses} == {"shop/base.py", "shop/__init__.py"}
    assert [found.name for found in answer.used_by] == ["shop/app.py"]
    assert "json" in [found.name for found in answer.packages]


def test_outline_is_a_tree_in_source_order(state: Snapshot) -> None:
    answer = outline(state, "shop/base.py")
    (node,) = answer.nodes
    assert node.definition.qualified_name == "Store"
    assert [child.definition.name for child in node.children] == ["fetch", "fetch_all"]
    assert outline(state, "shop/broken.py").damage


@pytest.mark.parametrize(
    ("query", "mode", "first", "used"),
    [
        ("DiskStore", "auto", "shop/disk.py:class:DiskStore", "exact"),
        ("Disk", "auto", "shop/disk.py:class:DiskStore", "prefix"),
        ("goods kept", "auto", "shop/base.py:class:Store", "text"),
        ("DikStore", "auto", "shop/disk.py:class:DiskStore", "fuzzy"),
        ("fetch_a", "prefix", "shop/base.py:method:Store.fetch_all", "prefix"),
        ("goods", "text", "shop/base.py:class:Store", "text"),
    ],
)
def test_search(state: Snapshot, query: str, mode: str, first: str, used: str) -> None:
    answer = search(state, query, mode)  # pyright: ignore[reportArgumentType]  # one of the words
    assert (answer.mode, answer.found[0].id) == (used, first)


def test_a_search_that_finds_nothing_says_so(state: Snapshot) -> None:
    assert search(state, "%_%", "prefix").found == ()
    assert search(state, "zzzzqqqq").found == ()
    assert search(state, "'\"*", "text").found == ()


def test_show_has_the_source(state: Snapshot) -> None:
    answer = show(state, find_symbol(state, "helper"))
    assert answer.source == 'def helper(store: DiskStore):\n    return store.fetch("k")'
    assert [child.name for child in show(state, find_symbol(state, "shop/base.py:class:Store")).children] == [
        "fetch", "fetch_all",
    ]  # fmt: skip


def test_stats_add_up(state: Snapshot) -> None:
    figures = stats(state).languages["python"]
    assert figures.files == 5
    assert sum(figures.syntactic.values()) == figures.references == sum(figures.merged.values())
    assert figures.semantic["asked"] == 0
    assert sum(figures.reasons.values()) == figures.merged["unresolved"]
    calls = figures.calls_in_repo
    assert calls.syntactic == calls.merged
    # fetch(key) in fetch_all; DiskStore(), helper(), store.fetch(), main() lead to definitions of the repository;
    # json.loads() is external and unknown.fetch() is not known.
    assert calls.syntactic == round(5 / 7, 4)


def test_a_call_of_a_local_is_not_in_the_repository(tmp_path: Path) -> None:
    repository = Repository(tmp_path, {"a.py": "def f(callback):\n    callback()\n\n\nf(print)\n"})
    repository.index()
    with repository.read() as state:
        assert stats(state).languages["python"].calls_in_repo.syntactic == 0.5


def test_coverage_lists_what_is_left_out(state: Snapshot) -> None:
    answer = coverage(state)
    assert answer.excluded == {"binary": 1}
    assert [failed.path for failed in answer.damaged] == ["shop/broken.py"]
    assert answer.failed == ()
    assert sum(answer.unresolved["python"].values()) >= 1


def test_the_graph_has_references_and_relations_as_edges(state: Snapshot) -> None:
    made = graph(state)
    edges = {(source, target, data["kind"]) for source, target, data in made.edges(data=True)}
    assert ("shop/app.py:function:main", "shop/app.py:function:helper", "call") in edges
    assert ("shop/disk.py:method:DiskStore.fetch", "shop/base.py:method:Store.fetch", "override") in edges
    assert made.nodes["shop/disk.py:class:DiskStore"]["line"] == 6
    assert set(graph(state, ["shop/base.py"])) == {
        "shop/base.py:module:base", "shop/base.py:class:Store", "shop/base.py:method:Store.fetch",
        "shop/base.py:method:Store.fetch_all",
    }  # fmt: skip


def test_the_dump_names_no_integer_id(state: Snapshot) -> None:
    lines = list(dump(state))
    assert not any("?" in line for line in lines)
    assert any('"targets":["shop/disk.py:method:DiskStore.fetch"]' in line for line in lines)


def test_answers_name_the_evidence_that_has_changed(tmp_path: Path) -> None:
    repository = Repository(tmp_path, FILES)
    repository.index()
    write_files(repository.root, {"shop/disk.py": "class DiskStore:\n    pass\n"})
    (repository.root / "shop" / "base.py").unlink()
    with repository.read() as state:
        symbol = find_symbol(state, "DiskStore.fetch")
        answer = refs(state, symbol)
        assert (answer.evidence.fresh, answer.evidence.changed) == (False, ("shop/disk.py",))
        assert show(state, symbol).source is None
        assert at(state, "shop/app.py", 7, 12).evidence.fresh
        found = status(state)
        assert (found.fresh, found.changed) == (False, ("shop/base.py", "shop/disk.py"))
        assert found.files == 5
        assert {stage.stage for stage in found.last_run} >= {"inventory", "extract", "link"}
