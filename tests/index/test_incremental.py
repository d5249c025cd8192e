"""Incremental equals fresh: after any sequence of edits the index says what one made from scratch says."""

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph.index import visible
from graph.languages.facts import extract, interface
from graph.languages.registry import by_name
from tests.harness.indexing import Repository, write_files

PYTHON = [
    "",
    "from b import thing\n\nvalue = thing()\nvalue.run()\n",
    "from pkg.c import *\n\n\nclass A(Base):\n    def run(self):\n        return self.other().run()\n",
    "class Base:\n    def run(self):\n        return 1\n\n    def other(self):\n        return Base()\n",
    "class Base:\n    size: int = 3\n\n    def other(self):\n        return self\n",
    "from a import A as Renamed\n\n\ndef thing():\n    return Renamed()\n",
    "def thing():\n    inner = 1\n\n    def nested():\n        return inner\n\n    return nested\n",
    "import pkg.c as c\n\nc.Base().other().run()\n\n\ndef thing(x: c.Base):\n    x.run()\n    return x\n",
    "if flag:\n    def thing():\n        return 1\nelse:\n    def thing():\n        return 2\n\nthing()\n",
    "def broken(:\n    x = (\nclass\n",
    "# coding: latin-1\nname = '\xe9'\n\n\ndef thing():\n    return name\n",
    "class A:\n    def run(self):\n        pass\n\n    def run(self):\n        pass\n\n\nA().run()\n",
]
TYPESCRIPT = [
    "export function make() { return new Thing(); }\nexport class Thing { run() { return this; } }\n",
    "import { make } from './m';\nmake().run();\n",
    "export * from './m';\nexport default class Other { go() {} }\n",
]
GO = [
    "package p\n\ntype T struct{ E }\n\nfunc (t T) Run() int { return t.Size }\n\nfunc Make() T { return T{} }\n",
    "package p\n\ntype E struct{ Size int }\n\nfunc use() int { return Make().Run() + Make().Size }\n",
    'package q\n\nimport "example.com/m/p"\n\nfunc Far() int { return p.Make().Run() }\n',
]
RUST = [
    "mod shapes;\nuse shapes::Shape;\npub fn area(s: &dyn Shape) -> u32 { s.area() }\n",
    (
        "pub trait Shape { fn area(&self) -> u32; }\npub struct Square;\n"
        "impl Shape for Square { fn area(&self) -> u32 { 1 } }\n"
    ),
]
JAVA = [
    "package s;\npublic class Base { int size; Base next() { return this; } }\n",
    "package s;\npublic class Heir extends Base { int twice() { return next().size + next().next().size; } }\n",
]
OTHERS = [
    (path, content)
    for paths, contents in (
        (("p/one.go", "p/two.go", "q/far.go"), GO),
        (("src/lib.rs", "src/shapes.rs"), RUST),
        (("s/Base.java", "s/Heir.java"), JAVA),
    )
    for path in paths
    for content in contents
]
PYTHON_PATHS = ["a.py", "b.py", "pkg/__init__.py", "pkg/c.py", "test_d.py"]
TYPESCRIPT_PATHS = ["m.ts", "n.ts", "sub/o.ts"]
MANIFESTS = {
    "pyproject.toml": ["", "[project]\nname = 'x'\n"],
    "go.mod": ["module example.com/m\n\ngo 1.22\n"],
    "Cargo.toml": ['[package]\nname = "x"\nversion = "0.1.0"\n'],
    "tsconfig.json": ["{}", '{"compilerOptions": {"baseUrl": "."}}'],
}

WRITES = st.one_of(
    st.tuples(st.sampled_from(PYTHON_PATHS), st.sampled_from(PYTHON)),
    st.tuples(st.sampled_from(TYPESCRIPT_PATHS), st.sampled_from(TYPESCRIPT)),
    st.sampled_from(OTHERS),
    st.sampled_from([(path, content) for path, contents in MANIFESTS.items() for content in contents]),
)
EDITS = st.one_of(
    st.tuples(st.just("write"), WRITES),
    st.tuples(st.just("prepend"), st.sampled_from(PYTHON_PATHS)),
    st.tuples(st.just("delete"), st.sampled_from(PYTHON_PATHS + TYPESCRIPT_PATHS + [path for path, _ in OTHERS])),
    st.tuples(st.just("rename"), st.tuples(st.sampled_from(PYTHON_PATHS), st.sampled_from(PYTHON_PATHS))),
    st.tuples(st.just("binary"), st.sampled_from(PYTHON_PATHS)),
)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(WRITES, min_size=2, max_size=6), st.lists(EDITS, min_size=1, max_size=5))
def test_any_sequence_of_edits_gives_what_a_fresh_index_gives(
    start: list[tuple[str, str]], edits: list[tuple[str, object]]
) -> None:
    folder = Path(tempfile.mkdtemp())
    try:
        repository = Repository(folder, dict(start))
        repository.index()
        for edit in edits:
            apply(repository.root, edit)
            report = repository.index()
            assert not report.full
            assert repository.dump() == repository.dump_of_fresh(), edit
    finally:
        shutil.rmtree(folder)


def apply(root: Path, edit: tuple[str, object]) -> None:
    match edit:
        case ("write", (str(path), str(content))):
            # Latin-1 bytes under a latin-1 declaration, and invalid UTF-8 for what has none.
            write_files(root, {path: content.encode("latin-1")})
        case ("prepend", str(path)) if (root / path).is_file():
            (root / path).write_bytes(b"# a line more\n" + (root / path).read_bytes())
        case ("delete", str(path)):
            (root / path).unlink(missing_ok=True)
        case ("rename", (str(old), str(new))) if (root / old).is_file() and old != new:
            (root / new).parent.mkdir(exist_ok=True)
            (root / old).replace(root / new)
        case ("binary", str(path)) if (root / path).is_file():
            (root / path).write_bytes(b"\0\1\2")
        case _:
            pass


def test_nothing_changed_is_no_new_generation(tmp_path: Path) -> None:
    repository = Repository(tmp_path, {"a.py": PYTHON[3]})
    assert repository.index().generation == 1
    report = repository.index()
    assert (report.generation, report.extracted, report.linked) == (1, 0, 0)


def test_a_file_that_only_looks_changed_is_not_read_again(tmp_path: Path) -> None:
    repository = Repository(tmp_path, {"a.py": PYTHON[3]})
    repository.index()
    (repository.root / "a.py").touch()
    report = repository.index()
    assert (report.generation, report.extracted) == (1, 0)


def test_a_change_inside_a_function_links_that_file_alone(tmp_path: Path) -> None:
    repository = Repository(tmp_path, {"a.py": PYTHON[1], "b.py": "def thing():\n    x = 1\n    print(x)\n"})
    repository.index()
    write_files(repository.root, {"b.py": "# moved\ndef thing():\n    y = 2\n    z = y\n    print(z)\n"})
    report = repository.index()
    assert (report.extracted, report.linked) == (1, 1)
    assert repository.dump() == repository.dump_of_fresh()


def test_a_change_that_others_can_see_links_those_that_reach_it(tmp_path: Path) -> None:
    files = {
        "one.py": "class C:\n    def run(self):\n        return 1\n\n\ndef make():\n    return C()\n",
        "two.py": "from one import make\n\n\ndef again():\n    return make()\n",
        "three.py": "from two import again\n\nagain().run()\n",
        "apart.py": "def alone():\n    return 1\n",
    }
    repository = Repository(tmp_path, files)
    repository.index()
    write_files(repository.root, {"one.py": files["one.py"].replace("run", "walk")})
    report = repository.index()
    assert (report.extracted, report.linked) == (1, 3)
    assert repository.dump() == repository.dump_of_fresh()


def test_ids_in_the_store_survive_what_moves_around_them(tmp_path: Path) -> None:
    repository = Repository(tmp_path, {"a.py": "def first():\n    pass\n\n\ndef second():\n    first()\n"})
    repository.index()
    before = numbers(repository)
    write_files(
        repository.root, {"a.py": "def new():\n    pass\n\n\ndef second():\n    first()\n\n\ndef first():\n    new()\n"}
    )
    repository.index()
    after = numbers(repository)
    assert {name: after[name] for name in before} == before
    assert after["new"] not in before.values()
    assert repository.dump() == repository.dump_of_fresh()


def numbers(repository: Repository) -> dict[str, int]:
    with repository.read() as state:
        return {found.qualified_name: found.number for found in state.definitions("parent IS NOT NULL", ())}


def key_of(text: str) -> bytes:
    import orjson

    return visible.visible_key(orjson.dumps(interface(extract(by_name()["python"], "m.py", text.encode()))))


BASE = """\
import os


class C:
    size = 1

    def run(self, x: int) -> str:
        y = x
        return str(y)


def f():
    return C()
"""


@pytest.mark.parametrize(
    "other",
    [
        "# a comment\n" + BASE,
        BASE.replace("        y = x\n", "        y = x\n        z = y + 1\n        print(z)\n"),
        BASE + "\n\n# the end\n",
    ],
)
def test_what_nobody_else_can_see_leaves_the_key_alone(other: str) -> None:
    assert key_of(other) == key_of(BASE)


@pytest.mark.parametrize(
    "other",
    [
        BASE.replace("size", "width"),
        BASE.replace("return C()", "return os"),
        BASE.replace("-> str", "-> int"),
        BASE.replace("class C", "class C(os.PathLike)"),
        BASE.replace("import os", "import sys as os"),
        BASE + "\n\ndef added():\n    pass\n",
        BASE.replace("def run", "async def run"),
        BASE.replace("x: int", "x: C"),
    ],
)
def test_what_others_can_see_changes_the_key(other: str) -> None:
    assert key_of(other) != key_of(BASE)


def test_a_returned_local_is_seen_from_outside() -> None:
    text = "def f():\n    def inner():\n        return 1\n    return inner\n"
    assert key_of(text) != key_of(text.replace("return 1", "return f"))
