"""A real gopls on small modules. The expected places are marked in the sources (see `marked`)."""

import asyncio
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import xxhash

from lsp_clients import (
    Empty,
    Failed,
    InstallError,
    Located,
    Outcome,
    Outside,
    Server,
    ServerMissingError,
    SessionInfo,
    Workspace,
    adapter_for,
    list_servers,
    load_settings,
)
from lsp_clients.servers import gopls
from lsp_clients.servers.gopls_answers import import_specs
from tests.lsp_clients.marked import Repository, labels, repository
from tests.lsp_clients.support import LIMIT_SECONDS

real = pytest.mark.server
"""Marks the tests with a real server."""


@pytest.fixture
def server() -> str:
    """The version of gopls that is used; the test fails when there is none."""
    row = next(row for row in list_servers() if row.name == "gopls")
    if not row.usable:
        pytest.fail(f"{row.problem} (or `python -c 'import lsp_clients; lsp_clients.install(\"gopls\")'`)")
    return row.version


def run(repo: Repository, build: Mapping[str, Any] | None = None, **overlay: Any) -> tuple[SessionInfo, list[Outcome]]:
    """Asks about every site, in order; `build` is laid over the settings of gopls itself."""
    settings = load_settings({"gopls": overlay})["gopls"]

    async def work() -> tuple[SessionInfo, list[Outcome]]:
        server = Server(adapter_for("gopls"), settings, Workspace(repo.root, settings={"gopls": dict(build or {})}))
        async with asyncio.timeout(LIMIT_SECONDS), server:
            info = await server.start()
            assert info is not None, server.report
            outcomes = [answer.outcome async for answer in server.ask(repo.files)]
        assert not server.report.crashes
        return info, outcomes

    return asyncio.run(work())


def answered(repo: Repository, build: Mapping[str, Any] | None = None, **overlay: Any) -> list[list[str]]:
    """The labels of each answer."""
    return [labels(repo, outcome) for outcome in run(repo, build, **overlay)[1]]


SMALL = {
    "go.mod": "module example.test/m\n\ngo 1.22\n",
    "lib/lib.go": (
        "// Package lib has a comment.\npackage ‹lib›lib\n\ntype ‹T›T struct {\n\t‹Name›Name string\n}\n\n"
        "func (t *T) ‹Run›Run() {}\n\nfunc ‹New›New() *T { return nil }\n"
    ),
    "lib/more.go": "/* a */ package /* b */ ‹more›lib // c\n",
    "use.go": (
        'package m\n\nimport (\n\t"fmt"\n\n\tother "example.test/m/«lib»"\n)\n\n'
        "type S struct{ *«other».«T» }\n\n"
        "func f(s S) {\n\ts.«Run»()\n\t_ = «other».«New»().«Name»\n\t«fmt».«Println»(«len»(s.Name))\n"
        "\t‹local›other := s\n\t«other».Run()\n\t«nothing»()\n}\n"
    ),
}
ANSWERS = [
    ["lib", "more"], ["lib", "more"], ["T"], ["Run"], ["lib", "more"], ["New"], ["Name"],
    ["doc.go", "errors.go", "format.go", "print.go", "scan.go"], ["print.go"], ["builtin.go"], ["local"], [],
]  # fmt: skip


@real
def test_imports_selectors_and_promoted_members_lead_to_their_definitions(server: str, tmp_path: Path) -> None:
    repo = repository(tmp_path, SMALL)
    info, outcomes = run(repo)
    assert [labels(repo, outcome) for outcome in outcomes] == ANSWERS
    assert outcomes[-1] == Empty()
    assert (info.version, info.encoding) == (server, "utf-16")


@real
@pytest.mark.usefixtures("server")
def test_an_answer_has_the_hash_and_the_range_of_the_target(tmp_path: Path) -> None:
    repo = repository(tmp_path, SMALL)
    outcome = run(repo)[1][0]
    assert isinstance(outcome, Located)
    for location in outcome.locations:
        content = Path(location.path).read_bytes()
        assert content[location.start : location.end] == b"lib"
        assert location.digest == xxhash.xxh3_64_hexdigest(content)


@real
@pytest.mark.usefixtures("server")
def test_the_number_in_flight_and_the_groups_change_no_answer(tmp_path: Path) -> None:
    repo = repository(tmp_path, SMALL)
    assert answered(repo, in_flight=1) == ANSWERS
    assert answered(repo, group_mib=0.00001) == ANSWERS


@real
@pytest.mark.usefixtures("server")
@pytest.mark.parametrize(
    ("target", "use"),
    [
        ("package m // 😀é\n\nfunc /*😀*/ ‹t›t() {}\n", 'package m\n\nfunc f() { _ = "😀é𝒳漢"; «t»() }\n'),
        ("package m\r\n\r\nfunc ‹t›t() {}\r\n", "package m\r\n\r\nfunc f() {\r\n\t«t»()\r\n}\r\n"),
        ("\ufeffpackage m; func ‹t›t() {}\n", "\ufeffpackage m; func f() { «t»() }\n"),
        ("package m\n\n// \x0c\u2028\u0085\nfunc ‹t›t() {}\n", "package m\n\nfunc f() { _ = `\u2028\x0c`; «t»() }\n"),
    ],
    ids=["astral", "crlf", "bom", "not line ends"],
)
def test_positions_survive(target: str, use: str, tmp_path: Path) -> None:
    repo = repository(tmp_path, {"go.mod": SMALL["go.mod"], "target.go": target, "use.go": use})
    # Again with the target not opened, so that gopls reads it from the disk.
    alone = replace(repo, files=repo.files[2:])
    assert answered(repo) == answered(alone) == [["t"]]


@real
@pytest.mark.usefixtures("server")
def test_lines_that_gopls_counts_in_its_own_way_are_not_asked_about(tmp_path: Path) -> None:
    use = "package m\n\n/* a\rb */\nfunc f() { «f»() }\n"
    repo = repository(tmp_path, {**SMALL, "a.go": use})
    *others, failed = run(repo)[1]
    assert isinstance(failed, Failed)
    assert "carriage return" in failed.detail
    assert [labels(repo, outcome) for outcome in others] == ANSWERS


TWINS = {
    "go.mod": SMALL["go.mod"],
    "a_linux.go": "package m\n\nfunc ‹linux›lock() {}\n",
    "a_windows.go": "package m\n\nfunc ‹windows›lock() {}\n",
    "fast.go": "//go:build fast\n\npackage m\n\nfunc ‹fast›way() { «lock»() }\n",
    "slow.go": "//go:build !fast\n\npackage m\n\nfunc ‹slow›way() {}\n",
    "use.go": "package m\n\nfunc f() {\n\t«lock»()\n\t«way»()\n}\n",
}


@real
@pytest.mark.usefixtures("server")
def test_each_build_has_its_own_answers(tmp_path: Path) -> None:
    repo = repository(tmp_path, TWINS)
    linux = {"env": {"GOOS": "linux", "GOARCH": "amd64"}}
    windows = {"env": {"GOOS": "windows", "GOARCH": "amd64"}, "buildFlags": ["-tags=fast"]}
    assert answered(repo, linux) == [[], ["linux"], ["slow"]]
    assert answered(repo, windows) == [["windows"], ["windows"], ["fast"]]
    # A file that the build leaves out has no answer, which is not "nothing there".
    left_out = run(repo, linux)[1][0]
    assert isinstance(left_out, Failed)
    assert "no package metadata" in left_out.detail


@real
@pytest.mark.usefixtures("server")
def test_a_program_of_its_own_is_answered_beside_its_package(tmp_path: Path) -> None:
    generator = (
        '//go:build ignore\n\npackage main\n\nimport "example.test/m/«lib»"\n\n'
        "func ‹own›own() {}\n\nfunc main() {\n\t«own»()\n\tlib.«New»()\n}\n"
    )
    repo = repository(
        tmp_path, {**SMALL, "lib/gen.go": generator, "lib/gen_windows.go": generator.replace("own", "it")}
    )
    expected = [["lib", "more"], ["own"], ["New"], ["lib", "more"], ["it"], ["New"]]
    assert answered(repo)[-6:] == expected


@real
@pytest.mark.usefixtures("server")
def test_what_has_no_files_and_what_is_not_installed(tmp_path: Path) -> None:
    use = (
        'package m\n\n// int x;\nimport "«C»"\n\nimport (\n\t"«unsafe»"\n\n\t"example.test/absent/«p»"\n)\n\n'
        "var a «unsafe».«Pointer» = «p».«New»(«C».x)\n"
    )
    repo = repository(tmp_path, {"go.mod": SMALL["go.mod"], "use.go": use})
    outcomes = run(repo, {"env": {"CGO_ENABLED": "1"}})[1]
    c, unsafe = Outside("C", "", "C"), Outside("unsafe", "", "unsafe")
    assert outcomes[:4] == [c, unsafe, Empty(), unsafe]
    assert labels(repo, outcomes[4]) == ["unsafe.go"]
    assert outcomes[5:] == [Empty(), Empty(), c]


def test_nothing_is_fetched_reported_or_run() -> None:
    settings = load_settings()["gopls"]
    own = gopls.configuration("gopls", settings, Workspace(Path("/")))
    assert own["env"] | {"GOPROXY": "off", "GOTOOLCHAIN": "local", "GOPACKAGESDRIVER": "off"} == own["env"]
    assert "-buildvcs=false" in own["env"]["GOFLAGS"]
    assert gopls.configuration("other", settings, Workspace(Path("/"))) is None


def test_the_process_has_the_environment_of_its_go_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GOENV", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", "/configuration")
    settings = load_settings({"gopls": {"settings": {"gopls": {"env": {"GOOS": "plan9"}}}}})["gopls"]
    found = gopls.Found(("gopls",), "", "path", None)
    environment = gopls.launch(found, settings, Workspace(tmp_path, scratch=tmp_path)).environment
    assert environment["GOOS"] == "plan9"
    assert environment["GOENV"] == "/configuration/go/env"
    assert (Path(environment["XDG_CONFIG_HOME"]) / "go/telemetry/mode").read_text() == "off\n"


@pytest.mark.parametrize(
    ("given", "version"),
    [
        ('{"GoVersion":"go1.26.8","Main":{"Path":"golang.org/x/tools/gopls","Version":"v0.23.0"}}', "0.23.0"),
        ('{"Main":{"Version":"v0.24.0-pre.1"}}', "0.24.0-pre.1"),
        ('{"Main":{"Version":"(devel)"}}', ""),
        ("v0.15.2", "0.15.2"),
        ("", ""),
    ],
)
def test_the_version_in_what_gopls_says_of_itself(given: str, version: str) -> None:
    assert gopls.version_of(given) == version


def test_without_go_it_is_said_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = load_settings()["gopls"]
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ServerMissingError, match="install Go"):
        gopls.find(settings)
    with pytest.raises(InstallError, match="install Go"):
        gopls.install(settings, tmp_path)


def test_without_gopls_it_is_said_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "go").write_text("#!/bin/sh\n")
    (tmp_path / "go").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("TIELINE_SERVERS_DIR", str(tmp_path))
    with pytest.raises(ServerMissingError, match="tieline servers install gopls"):
        gopls.find(load_settings()["gopls"])
    with pytest.raises(ServerMissingError, match="is not there"):
        gopls.find(load_settings({"gopls": {"command": ["./absent"]}})["gopls"])
    (tmp_path / "gopls").write_text("#!/bin/sh\n")
    (tmp_path / "gopls").chmod(0o755)
    assert gopls.find(load_settings()["gopls"]).origin == "path"


def test_an_installation_that_fails_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if shutil.which("go") is None:
        pytest.fail("these tests need Go")
    monkeypatch.setenv("GOPROXY", "off")
    settings = load_settings({"gopls": {"packages": ["example.test/gopls@v{version}"]}})["gopls"]
    with pytest.raises(InstallError, match="module lookup disabled by GOPROXY=off"):
        gopls.install(settings, tmp_path)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('package a\nimport "x/y"\n', [("x/y", '"x/y"')]),
        ('// import "no"\npackage a; import z `x`; import . "d"\n', [("x", "z `x`"), ("d", '. "d"')]),
        ('package a\nimport (\n\t_ "b" // c\n\n\t"e"; f "g"\n)\nimport "h"\n', [
            ("b", '_ "b"'), ("e", '"e"'), ("g", 'f "g"'), ("h", '"h"'),
        ]),
        ('package a\nimport ()\nimport "x"\nvar s = struct{ T "tag" }{}\n', [("x", '"x"')]),
        ('\ufeffpackage ä\nimport é "x"\n', [("x", 'é "x"')]),
        ('package a\nfunc import_() {}\nimport "late"\n', []),
        ("package a\nimport (\n", []),
        ("", []),
        ("package", []),
    ],
)  # fmt: skip
def test_the_imports_of_a_file(source: str, expected: list[tuple[str, str]]) -> None:
    content = source.encode()
    found = [(spec.path.decode(), content[spec.name : spec.end].decode()) for spec in import_specs(content)]
    assert found == expected
