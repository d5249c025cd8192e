"""Compilation contexts of Python, found from folders and manifests alone."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from resolver.contexts import Context, ContextOptions, contexts_of
from resolver.contexts.python import external_package
from resolver.errors import ContextError
from tests.harness.indexing import Repository, write_files


def contexts(repository: Repository, **options: object) -> dict[str, Context]:
    repository.index()
    with repository.read() as state:
        found = contexts_of(state.connection, repository.root, ContextOptions(**options))  # type: ignore[arg-type]
    return {context.root: context for context in found}


def paths(repository: Repository, context: Context) -> list[str]:
    with repository.read() as state:
        return [state.file(number).path for number in context.files]


def environment(folder: Path, version: str = "3.12.1") -> Path:
    """An environment without an interpreter that could run."""
    write_files(
        folder,
        {
            "pyvenv.cfg": f"home = /usr/bin\nversion = {version}\n",
            "lib/python3.12/site-packages/thing.py": "def f(): pass\n",
            "bin/python": "#!/bin/sh\nexit 3\n",
        },
    )
    (folder / "bin/python").chmod(0o755)
    return folder


def test_one_context_without_anything(tmp_path: Path) -> None:
    repository = Repository(tmp_path, {"a.py": "x = 1\n", "pkg/__init__.py": "", "pkg/b.py": "y = 1\n"})
    (context,) = contexts(repository).values()
    assert (context.ecosystem, context.root, context.server) == ("python", ".", "pyright")
    assert paths(repository, context) == ["a.py", "pkg/__init__.py", "pkg/b.py"]
    assert context.interpreter is not None
    assert context.name == f"python:.@{context.interpreter.name}"
    assert context.files_expected == 3


def test_no_python_no_context(tmp_path: Path) -> None:
    assert contexts(Repository(tmp_path, {"notes.txt": "x = 1\n"})) == {}


def test_nested_projects_with_environments_of_their_own(tmp_path: Path) -> None:
    repository = Repository(
        tmp_path,
        {
            "top.py": "",
            "services/api/pyproject.toml": "[project]\nname = 'api'\n",
            "services/api/src/api/__init__.py": "",
            "services/web/web/__init__.py": "",
            "libs/common/pyproject.toml": "[project]\nname = 'common'\n",
            "libs/common/common/__init__.py": "",
        },
    )
    environment(repository.root / "services/api/.venv")
    environment(repository.root / "services/web/venv")
    found = contexts(repository)
    assert list(found) == [".", "services/api", "services/web"]
    assert paths(repository, found["."]) == ["libs/common/common/__init__.py", "top.py"]
    assert paths(repository, found["services/api"]) == ["services/api/src/api/__init__.py"]
    assert found["services/api"].name == "python:services/api@.venv"
    assert found["services/web"].name == "python:services/web@venv"


def extra_paths(repository: Repository, context: Context) -> list[str]:
    found = context.settings.get("python", {}).get("analysis", {}).get("extraPaths", [])
    return [Path(path).relative_to(repository.root.resolve()).as_posix() for path in found]


def test_import_roots_come_in_the_order_of_nearness(tmp_path: Path) -> None:
    repository = Repository(
        tmp_path,
        {
            "api/pyproject.toml": "[project]\nname = 'api'\n",
            "api/src/api/__init__.py": "",
            "common/pyproject.toml": "[project]\nname = 'common'\n",
            "common/common/__init__.py": "",
            "tools/script.py": "",
        },
    )
    environment(repository.root / "api/.venv")
    found = contexts(repository)
    own = extra_paths(repository, found["api"])
    assert own == ["api/src", "common", "api/.venv/lib/python3.12/site-packages"]
    assert extra_paths(repository, found["."]) == ["common", "api", "api/src"]
    assert found["api"].workspace_names == {"api", "common"}


def test_a_root_that_hides_the_standard_library_is_left_out(tmp_path: Path) -> None:
    repository = Repository(tmp_path, {"bad/pkg/__init__.py": "", "bad/types.py": "", "good/pkg2/__init__.py": ""})
    (context,) = contexts(repository).values()
    assert extra_paths(repository, context) == ["good"]


def test_an_environment_is_read_and_not_run_without_trust(tmp_path: Path) -> None:
    repository = Repository(tmp_path, {"a.py": ""})
    folder = environment(repository.root / ".venv")
    careful = contexts(repository)["."]
    assert careful.interpreter is not None
    assert not careful.interpreter.is_relative_to(repository.root)
    assert extra_paths(repository, careful) == [".venv/lib/python3.12/site-packages"]
    assert careful.inputs["python"] == "3.12.1"
    trusting = contexts(repository, trust=True)["."]
    assert trusting.interpreter == folder.resolve() / "bin/python"
    assert extra_paths(repository, trusting) == []
    assert careful.name == trusting.name == "python:.@.venv"
    assert careful.id != trusting.id


def test_a_python_of_the_repository_on_the_path_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = Repository(tmp_path, {"a.py": ""})
    inside = environment(repository.root / "tools").resolve() / "bin"
    (inside / "python").rename(inside / "python3")
    monkeypatch.setenv("PATH", str(inside))
    alone = contexts(repository)["."]
    assert (alone.interpreter, alone.variant) == (None, "none")
    assert alone.settings["python"]["pythonPath"] == os.devnull
    outside = environment(tmp_path / "elsewhere") / "bin"
    monkeypatch.setenv("PATH", os.pathsep.join([str(inside), str(outside)]))
    assert contexts(repository)["."].interpreter == outside / "python"
    assert contexts(repository, trust=True)["."].interpreter == inside / "python3"


def test_an_interpreter_that_is_named(tmp_path: Path) -> None:
    repository = Repository(tmp_path, {"a.py": "", "b/b.py": ""})
    environment(repository.root / "b/.venv")
    found = contexts(repository, python=Path(sys.executable))
    assert {context.interpreter for context in found.values()} == {Path(sys.executable)}
    assert {context.variant for context in found.values()} == {Path(sys.executable).name}
    with pytest.raises(ContextError, match="there is no such interpreter"):
        contexts(repository, python=tmp_path / "nowhere")


def test_files_that_the_server_would_read_otherwise_are_left_out_with_the_reason(tmp_path: Path) -> None:
    repository = Repository(
        tmp_path,
        {
            "utf8.py": "s = 'ü'\n",
            "bom.py": b"\xef\xbb\xbfs = 1\n",
            "latin.py": "# coding: latin-1\ns = 'ü'\n".encode("latin-1"),
            "plain.py": "# coding: latin-1\ns = 'u'\n",
        },
    )
    context = contexts(repository)["."]
    assert paths(repository, context) == ["bom.py", "plain.py", "utf8.py"]
    with repository.read() as state:
        left_out = {state.file(number).path: reason for number, reason in context.excluded.items()}
    assert left_out == {"latin.py": "the server reads UTF-8, this is iso8859-1"}


def test_the_id_is_one_of_inputs_and_not_of_places(tmp_path: Path) -> None:
    files = {"pkg/__init__.py": "", "src/other/__init__.py": ""}
    one, two = Repository(tmp_path / "one", files), Repository(tmp_path / "two", files)
    first = contexts(one)["."]
    assert first.id == contexts(two)["."].id
    write_files(two.root, {"scripts/run.py": "", "pkg/more.py": ""})
    assert first.id == contexts(two)["."].id
    write_files(two.root, {"lib/third/__init__.py": ""})
    assert first.id != contexts(two)["."].id


@pytest.mark.parametrize(
    ("path", "package"),
    [
        ("/s/pyright/dist/typeshed-fallback/stdlib/json/__init__.pyi", "json"),
        ("/s/pyright/dist/typeshed-fallback/stdlib/builtins.pyi", "builtins"),
        ("/s/pyright/dist/typeshed-fallback/stubs/requests/requests/api.pyi", "requests"),
        ("/s/pyright/dist/typeshed-fallback/stubs/six/six.pyi", "six"),
        ("/v/lib/python3.11/site-packages/attr/_make.py", "attr"),
        ("/v/lib/python3.11/site-packages/yaml-stubs/nodes.pyi", "yaml"),
        ("/home/stubs/stdlib/v/lib/python3.11/site-packages/foo/stubs/bar.py", "foo"),
        ("/v/lib/site-packages/a/site-packages/inner.py", "inner"),
        ("/usr/lib/python3.11/json/decoder.py", "json"),
        ("/usr/lib/python3.13t/os.py", "os"),
        ("/usr/lib/python3/dist-packages/apt/cache.py", "apt"),
        ("/somewhere/else/tool.py", "else"),
    ],
)
def test_packages_outside(path: str, package: str) -> None:
    assert external_package(path, "name") == (package, "", "name")


def test_the_version_of_an_installed_package(tmp_path: Path) -> None:
    folder = tmp_path / "lib/python3.12/site-packages"
    write_files(folder, {"zz_one/__init__.py": "", "zz.one-1.4.2.dist-info/METADATA": ""})
    assert external_package(str(folder / "zz_one/__init__.py"), "n") == ("zz_one", "1.4.2", "n")
