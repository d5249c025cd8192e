"""Compilation contexts of Go, found from manifests and build constraints, and with a real gopls."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from lsp_clients import list_servers
from resolver.contexts import Context, ContextOptions, contexts_of
from resolver.contexts.go import external_package
from resolver.contexts.go_builds import Build, Toolchain, assumed_toolchain, covering, toolchain, why_unseen
from resolver.errors import ContextError
from tests.harness.indexing import Repository
from tests.resolver.support import resolved, said

MODULE = "module example.test/m\n\ngo 1.22\n"
LINUX = Toolchain("linux", "amd64", True, frozenset(f"go1.{number}" for number in range(1, 27)) | {"goexperiment.a"})


@pytest.fixture(autouse=True)
def linux(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same host on every machine."""
    for name, value in (("GOOS", "linux"), ("GOARCH", "amd64"), ("CGO_ENABLED", "0")):
        monkeypatch.setenv(name, value)


def contexts(repository: Repository) -> dict[str, Context]:
    repository.index()
    with repository.read() as state:
        found = contexts_of(state.connection, repository.root, ContextOptions())
    assert len({context.id for context in found}) == len(found)
    return {context.name: context for context in found}


def members(repository: Repository, context: Context) -> list[str]:
    with repository.read() as state:
        return [state.file(number).path for number in context.files]


def reasons(repository: Repository, context: Context) -> dict[str, str]:
    with repository.read() as state:
        return {state.file(number).path: reason for number, reason in context.excluded.items()}


def variants(*constraints: str) -> list[str]:
    """The further builds that show files of these constraints, as words."""
    return [" ".join([one.system, one.architecture, *one.tags, *["cgo"] * one.cgo]) for one in builds(*constraints)]


def builds(*constraints: str) -> list[Build]:
    host, *further = covering(constraints, LINUX)
    assert host == Build("linux", "amd64", True)
    return further


# -- which builds -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("constraints", "expected"),
    [
        ((), []),
        (("", "linux", "unix && amd64", "!windows", "go1.26", "cgo", "gc", "goexperiment.a"), []),
        (("windows",), ["windows amd64"]),
        (("!linux",), ["darwin amd64"]),
        (("arm64",), ["linux arm64"]),
        (("!cgo",), ["linux amd64"]),
        (("darwin && cgo",), ["darwin amd64 cgo"]),
        (("android",), ["android amd64"]),
        (("solaris",), ["solaris amd64"]),
        (("js && wasm",), ["js wasm"]),
        # One build for what can be seen together, however it is written.
        (("windows", "!unix && amd64", "windows && extra", "a || b"), ["windows amd64 a extra"]),
        (("x", "!linux && y"), ["darwin amd64 x y"]),
        (("x && !y", "y && !x"), ["linux amd64 x cgo", "linux amd64 y cgo"]),
        (("windows && x", "windows && !x"), ["windows amd64", "windows amd64 x"]),
        (("windows", "darwin", "!linux"), ["darwin amd64", "windows amd64"]),
        # What no build takes asks for none.
        (("ignore", "nacl", "go1.99", "!go1.5", "gccgo", "linux && windows", "x && !x"), []),
    ],
)  # fmt: skip
def test_the_fewest_further_builds(constraints: tuple[str, ...], expected: list[str]) -> None:
    assert variants(*constraints) == expected
    assert variants(*reversed(constraints)) == expected


def test_a_build_that_others_make_superfluous_is_dropped() -> None:
    pairs = [
        "windows && a",
        "windows && b && !c",
        "darwin && c",
        "darwin && a && !b",
        "!linux && c && !b",
        "plan9 && b",
    ]
    found = covering(pairs, LINUX)
    for one in found[1:]:
        assert set(pairs) - {p for other in found if other != one for p in seen(pairs, other)}, one
    assert {p for other in found for p in seen(pairs, other)} == set(pairs)


def seen(constraints: list[str], build: Build) -> set[str]:
    """Constraints made of `&&` and `!` alone that hold in a build."""
    given = build.satisfied(LINUX)
    return {
        one
        for one in constraints
        if all((t[1:] not in given) if t[0] == "!" else t in given for t in one.split(" && "))
    }


def test_a_constraint_of_very_many_tags_ends() -> None:
    many = " && ".join(f"(a{n} || b{n})" for n in range(60))
    assert variants(many, "windows") == ["windows amd64"]


@pytest.mark.parametrize(
    ("constraint", "word"),
    [("ignore && linux", "ignore"), ("go1.99", "no build with Go 1.26"), ("nacl", "no build with Go 1.26")],
)
def test_why_nothing_shows_a_file(constraint: str, word: str) -> None:
    assert word in why_unseen(constraint, LINUX)


def test_the_toolchain_says_what_it_builds_for(tmp_path: Path) -> None:
    found = toolchain(tmp_path)
    assert found is not None, "these tests need Go"
    assert (found.system, found.architecture, found.cgo) == ("linux", "amd64", False)
    assert {"go1.1", f"go{found.release}"} <= found.tags
    assert assumed_toolchain().tags <= found.tags


def test_a_go_command_of_the_repository_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    go = tmp_path / "bin/go"
    go.parent.mkdir()
    go.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    go.chmod(0o755)
    monkeypatch.setenv("PATH", str(go.parent))
    assert toolchain(tmp_path) is None
    assert not (tmp_path / "ran").exists()


def test_a_go_command_that_fails_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    go = tmp_path / "go"
    go.write_text("#!/bin/sh\necho out of order >&2\nexit 1\n")
    go.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ContextError, match="out of order"):
        toolchain(tmp_path / "repository")


# -- members ----------------------------------------------------------------------------------------------------------


def test_one_module(tmp_path: Path) -> None:
    repository = Repository(tmp_path, {"go.mod": MODULE, "a.go": "package m\n", "b/b_test.go": "package b\n"})
    ((name, context),) = contexts(repository).items()
    assert name == "go:.@linux,amd64"
    assert (context.ecosystem, context.server) == ("go", "gopls")
    assert members(repository, context) == ["a.go", "b/b_test.go"]
    assert context.inputs["modules"] == ["."]
    environment = {"GO111MODULE": "on", "GOWORK": "off", "GOOS": "linux", "GOARCH": "amd64", "CGO_ENABLED": "0"}
    assert context.settings == {"gopls": {"env": environment}}


def test_names_and_constraints_decide_about_members(tmp_path: Path) -> None:
    files = {
        "go.mod": MODULE,
        "all.go": "package m\n",
        "name_windows.go": "package m\n",
        "name_windows_test.go": "package m\n",
        "linux.go": "package m\n",
        "old.go": "// +build darwin,!x windows\n\npackage m\n",
        "tag.go": "//go:build slow\n\npackage m\n",
        "c.go": 'package m\n\nimport "C"\n',
        "run.go": "//go:build ignore\n\npackage main\n\nfunc main() {}\n",
        "never.go": "//go:build ignore\n\npackage m\n",
        "later.go": "//go:build go1.99\n\npackage m\n",
    }
    repository = Repository(tmp_path, files)
    found = contexts(repository)
    assert list(found) == ["go:.@linux,amd64", "go:.@windows,amd64,slow,CGO_ENABLED=1"]
    host, further = found.values()
    assert members(repository, host) == ["all.go", "linux.go", "run.go"]
    windows = ["all.go", "c.go", "linux.go", "name_windows.go", "name_windows_test.go", "old.go", "tag.go"]
    assert members(repository, further) == windows
    assert further.settings["gopls"]["buildFlags"] == ["-tags=slow"]
    why = reasons(repository, host)
    assert why["name_windows.go"] == "build constraint: windows"
    assert "ignore" in why["never.go"]
    assert "no build with Go" in why["later.go"]
    assert "run.go" in reasons(repository, further)


def test_what_the_go_command_ignores(tmp_path: Path) -> None:
    files = {
        "go.mod": f"{MODULE}\nignore (\n\t./here\n\tanywhere\n)\n",
        "a.go": "package m\n",
        "_x.go": "package m\n",
        "testdata/a.go": "package x\n",
        "testdata/mod/go.mod": "module x\n",
        "testdata/mod/a.go": "package x\n",
        "_old/a.go": "package x\n",
        "here/a.go": "package x\n",
        "sub/here/a.go": "package x\n",
        "sub/anywhere/a.go": "package x\n",
    }
    repository = Repository(tmp_path, files)
    (context,) = contexts(repository).values()
    assert members(repository, context) == ["a.go", "sub/here/a.go"]
    assert reasons(repository, context) == {
        "_x.go": "the go command ignores _x.go",
        "_old/a.go": "the go command ignores _old",
        "testdata/a.go": "the go command ignores testdata",
        "testdata/mod/a.go": "the go command ignores testdata",
        "here/a.go": "go.mod says to ignore ./here",
        "sub/anywhere/a.go": "go.mod says to ignore anywhere",
    }


def test_a_file_that_is_not_utf_8_is_no_go_source(tmp_path: Path) -> None:
    utf_16 = "\ufeffpackage m\n".encode("utf-16-le")
    repository = Repository(tmp_path, {"go.mod": MODULE, "a.go": "package m\n", "b.go": utf_16})
    (context,) = contexts(repository).values()
    assert members(repository, context) == ["a.go"]
    assert "UTF-8" in reasons(repository, context)["b.go"]


def test_modules_and_workspaces(tmp_path: Path) -> None:
    files = {
        "go.work": "go 1.22\n\nuse (\n\t./a\n\t./b\n)\n",
        "a/go.mod": "module example.test/a\n",
        "a/a.go": "package a\n",
        "b/go.mod": "module example.test/b\n",
        "b/b_windows.go": "package b\n",
        "c/go.mod": "module example.test/c\n",
        "c/c.go": "package c\n",
        "c/_examples/go.mod": "module example.test/examples\n",
        "c/_examples/e.go": "package e\n",
    }
    repository = Repository(tmp_path, files)
    found = contexts(repository)
    assert {name: members(repository, context) for name, context in found.items()} == {
        "go:.@linux,amd64": ["a/a.go"],
        "go:.@windows,amd64": ["a/a.go", "b/b_windows.go"],
        "go:c@linux,amd64": ["c/c.go"],
        "go:c/_examples@linux,amd64": ["c/_examples/e.go"],
    }
    work = [context.settings["gopls"]["env"]["GOWORK"] for context in found.values()]
    assert work == [str(repository.root / "go.work")] * 2 + ["off", "off"]
    assert found["go:.@linux,amd64"].inputs["modules"] == ["a", "b"]


def test_files_without_a_module(tmp_path: Path) -> None:
    files = {"x/a.go": "package x\n", "y/a.go": "package y\n", "gp/src/example.test/p/p.go": "package p\n"}
    repository = Repository(tmp_path, files)
    found = contexts(repository)
    assert {name: members(repository, context) for name, context in found.items()} == {
        "go:gp@linux,amd64,GO111MODULE=off": ["gp/src/example.test/p/p.go"],
        "go:x@linux,amd64,GO111MODULE=off": ["x/a.go"],
        "go:y@linux,amd64,GO111MODULE=off": ["y/a.go"],
    }
    assert found["go:gp@linux,amd64,GO111MODULE=off"].settings["gopls"]["env"]["GOPATH"] == str(repository.root / "gp")


def test_very_many_folders_without_a_module_are_one_context_that_asks_nothing(tmp_path: Path) -> None:
    files = {f"f{number}/a.go": "package f\n" for number in range(11)}
    repository = Repository(tmp_path, files)
    (context,) = contexts(repository).values()
    assert members(repository, context) == []
    assert reasons(repository, context).keys() == files.keys()
    assert "no go.mod" in next(iter(reasons(repository, context).values()))


def test_equal_inputs_are_one_context_wherever_the_repository_lies(tmp_path: Path) -> None:
    files = {"go.work": "use ./a\n", "a/go.mod": MODULE, "a/a.go": "package m\n"}
    first, second = (contexts(Repository(tmp_path / name, files)) for name in ("one", "two"))
    assert [one.id for one in first.values()] == [one.id for one in second.values()]


# -- outside of the repository ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "package", "version"),
    [
        ("/home/me/go/pkg/mod/github.com/!burnt!sushi/toml@v1.2.3/a.go", "github.com/BurntSushi/toml", "v1.2.3"),
        ("/home/me/go/pkg/mod/golang.org/x/tools@v0.1.0/go/ast/a.go", "golang.org/x/tools/go/ast", "v0.1.0"),
        ("/cache/gopkg.in/yaml.v3@v3.0.1/y.go", "gopkg.in/yaml.v3", "v3.0.1"),
        ("/home/me/go/src/example.test/p/p.go", "example.test/p", ""),
        ("/r/vendor/example.test/p/p.go", "example.test/p", ""),
        (f"/home/me/.cache/go-build/d1/{'d1' * 32}-d", "C", ""),
        ("/r/x/_cgo_gotypes.go", "C", ""),
        ("/elsewhere/pkg/p.go", "pkg", ""),
    ],
)
def test_where_a_target_outside_lies(path: str, package: str, version: str) -> None:
    assert external_package(path, "F") == (package, version, "F")


def test_the_standard_library_and_local_modules(tmp_path: Path) -> None:
    go = shutil.which("go")
    assert go is not None, "these tests need Go"
    root = subprocess.run([go, "env", "GOROOT"], capture_output=True, text=True, check=True).stdout.strip()
    assert external_package(f"{root}/src/net/http/server.go", "Get") == ("net/http", "", "Get")
    assert external_package(f"{root}/src/builtin/builtin.go", "len") == ("builtin", "", "len")
    assert external_package(f"{root}/src/vendor/golang.org/x/net/idna/a.go", "F")[0] == "golang.org/x/net/idna"
    (tmp_path / "go.mod").write_text(MODULE)
    assert external_package(f"{tmp_path}/sub/a.go", "F") == ("example.test/m/sub", "", "F")


# -- with a real gopls ------------------------------------------------------------------------------------------------


@pytest.mark.server
def test_every_layer_of_a_workspace_agrees(tmp_path: Path) -> None:
    row = next(row for row in list_servers() if row.name == "gopls")
    assert row.usable, row.problem
    files = {
        "go.work": "go 1.22\n\nuse (\n\t./a\n\t./b\n)\n",
        "a/go.mod": "module example.test/a\n\ngo 1.22\n",
        "a/a.go": "package a\n\nfunc F() int { return g() }\n",
        "a/g_linux.go": "package a\n\nfunc g() int { return 1 }\n",
        "a/g_other.go": "//go:build !linux\n\npackage a\n\nfunc g() int { return 2 }\n",
        "a/run.go": '//go:build ignore\n\npackage main\n\nimport "example.test/a"\n\nfunc main() { println(a.F()) }\n',
        "b/go.mod": "module example.test/b\n\ngo 1.22\n",
        "b/b.go": 'package b\n\nimport (\n\t"fmt"\n\n\t"example.test/a"\n)\n\nfunc G() {\n\tfmt.Println(a.F())\n}\n',
    }
    repository = Repository(tmp_path, files)
    report = resolved(repository)
    assert [(one.name, one.problem) for one in report.contexts] == [("go:.@darwin,amd64", ""), ("go:.@linux,amd64", "")]
    assert not report.failed
    assert said(repository, "a/a.go", 3, "g") == "contextual -> a/g_linux.go:function:g, a/g_other.go:function:g"
    assert said(repository, "b/b.go", 10, "F") == "confirmed -> a/a.go:function:F"
    assert said(repository, "a/run.go", 7, "F") == "confirmed -> a/a.go:function:F"
    assert said(repository, "a/run.go", 7, "println") == "external (builtin:println)"
    assert said(repository, "b/b.go", 10, "Println") == "external (fmt:Println)"
    # The files of a package are one thing, whichever of them a build has.
    for line in (6, 10):
        assert said(repository, "b/b.go", line, "a").startswith("confirmed -> a/")
