"""rust-analyzer: installing and finding it with stand-ins, asking the real one."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from lsp_clients import (
    FileSites,
    InstallError,
    Located,
    Outcome,
    Outside,
    Server,
    ServerMissingError,
    Workspace,
    adapter_for,
    install,
    load_settings,
)
from lsp_clients.servers import rust_analyzer
from lsp_clients.servers.rust_analyzer import RustAnalyzerReadiness, launch, toolchain
from tests.harness.indexing import write_files

VERSION = load_settings()["rust-analyzer"].version
SERVER = '#!/bin/sh\necho "rust-analyzer 1.2.3 (abc 2026-01-01)"\n'
TRUSTED = {"cargo": {"buildScripts": {"enable": True}}, "procMacro": {"enable": True}}


# -- installing and finding -------------------------------------------------------------------------------------------


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with cargo and rustc and nothing else: its folders are `bin` and `servers`."""
    (tmp_path / "bin").mkdir()
    for name in ("sh", "mkdir", "cp", "chmod", "cat"):
        (tmp_path / "bin" / name).symlink_to(Path("/bin") / name)
    for name in ("cargo", "rustc"):
        program(tmp_path, name, "#!/bin/sh\necho no network >&2\nexit 1\n")
    program(tmp_path, "server", SERVER)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("TIELINE_SERVERS_DIR", str(tmp_path / "servers"))
    monkeypatch.delenv("RUSTUP_TOOLCHAIN", raising=False)
    rust_analyzer.forget()
    return tmp_path


def program(machine: Path, name: str, text: str) -> Path:
    path = machine / "bin" / name
    path.write_text(text)
    path.chmod(0o755)
    return path


def rustup(machine: Path, *, works: bool = True, active: str = "stable-x", there: str = "stable-x 1.70-x") -> None:
    add = f"echo {machine}/bin/server" if works else "echo could not download file >&2; exit 1"
    names = "; ".join(f"echo '{name}'" for name in there.split())
    program(
        machine,
        "rustup",
        f"#!/bin/sh\ncase \"$1 $2\" in\n'component add') {'true' if works else add};;\n'which rust-analyzer') {add};;\n"
        f"'show active-toolchain') echo '{active} (default)';;\n'toolchain list') {names};;\nesac\n",
    )


def test_rustup_comes_first(machine: Path) -> None:
    rustup(machine)
    folder = install("rust-analyzer")
    assert json.loads((folder / "server.json").read_text())["from"] == "rustup"
    found = adapter_for("rust-analyzer").find(load_settings()["rust-analyzer"])
    assert (found.command, found.version, found.origin) == ((str(machine / "bin/server"),), "1.2.3", "managed")


def test_cargo_builds_it_where_nothing_else_works(machine: Path) -> None:
    rustup(machine, works=False)
    program(
        machine,
        "cargo",
        f'#!/bin/sh\necho "$@" > {machine}/log\nwhile [ "$1" != --root ]; do shift; done\n'
        f'mkdir "$2/bin"\ncp {machine}/bin/server "$2/bin/rust-analyzer"\n',
    )
    folder = install("rust-analyzer")
    assert f"ra_ap_rust-analyzer@{VERSION}" in (machine / "log").read_text()
    found = adapter_for("rust-analyzer").find(load_settings()["rust-analyzer"])
    assert (found.command, found.version) == ((str(folder / "bin/rust-analyzer"),), VERSION)


def test_a_failure_tells_of_every_way_and_leaves_nothing(machine: Path) -> None:
    rustup(machine, works=False)
    with pytest.raises(InstallError, match=r"(?s)rustup: .*could not download.*apt: .*apt-get.*cargo: .*no network"):
        install("rust-analyzer")
    assert [path.name for path in (machine / "servers").iterdir() if not path.name.endswith(".lock")] == []


def test_the_order_of_finding(machine: Path) -> None:
    adapter, settings = adapter_for("rust-analyzer"), load_settings()["rust-analyzer"]
    with pytest.raises(ServerMissingError, match="tieline servers install rust-analyzer"):
        adapter.find(settings)
    # rustup's own link says only that the component is missing.
    link = program(machine, "rust-analyzer", "#!/bin/sh\necho 'not installed' >&2\nexit 1\n")
    with pytest.raises(ServerMissingError, match="tieline servers install"):
        adapter.find(settings)
    link.write_text(SERVER)
    rust_analyzer.forget()
    found = adapter.find(settings)
    assert (found.command, found.version, found.origin) == ((str(link),), "1.2.3", "path")
    configured = load_settings({"rust-analyzer": {"command": ["server", "--flag"]}})["rust-analyzer"]
    assert adapter.find(configured).command == (str(machine / "bin/server"), "--flag")


@pytest.mark.parametrize("name", ["cargo", "rustc"])
def test_without_rust_nothing_is_usable(machine: Path, name: str) -> None:
    (machine / "bin" / name).unlink()
    with pytest.raises(ServerMissingError, match=f"{name} is not on the PATH: install Rust"):
        adapter_for("rust-analyzer").find(load_settings()["rust-analyzer"])


@pytest.mark.parametrize("text", ["{", "[]", '{"version": "1"}', '{"command": ["/gone"], "version": "1"}'])
def test_a_broken_installation_says_so(machine: Path, text: str) -> None:
    write_files(machine / "servers" / f"rust-analyzer-{VERSION}", {"server.json": text})
    with pytest.raises(ServerMissingError, match="remove"):
        adapter_for("rust-analyzer").find(load_settings()["rust-analyzer"])


# -- starting ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("rust-toolchain", "1.70\n", ("1.70-x", "")),
        ("rust-toolchain.toml", '[toolchain]\nchannel = "1.70"\n', ("1.70-x", "")),
        ("rust-toolchain.toml", '[toolchain]\nchannel = "stable"\n', ("stable-x", "")),
        ("rust-toolchain.toml", '[toolchain]\npath = "./evil"\n', ("stable-x", "")),
        ("other", "", ("stable-x", "")),
    ],
)
def test_the_toolchain_is_an_installed_one(machine: Path, name: str, text: str, expected: tuple[str, str]) -> None:
    rustup(machine)
    write_files(machine / "repository", {name: text, "sub/file": ""})
    assert toolchain(machine / "repository/sub") == expected


def test_a_toolchain_that_is_not_installed_is_a_note(machine: Path) -> None:
    rustup(machine)
    write_files(machine, {"rust-toolchain": "nightly-2020-01-01"})
    chosen, note = toolchain(machine)
    assert chosen == "stable-x"
    assert "nightly-2020-01-01, which is not installed" in note


def test_wrappers_of_the_repository_are_overruled_without_trust(machine: Path) -> None:
    settings = load_settings()["rust-analyzer"]
    found = adapter_for("rust-analyzer").find(
        load_settings({"rust-analyzer": {"command": ["server"]}})["rust-analyzer"]
    )
    careful = launch(found, settings, Workspace(machine)).environment
    assert careful["RUSTC_WRAPPER"] == careful["RUSTC_WORKSPACE_WRAPPER"] == ""
    assert careful["RUSTC"] == str(machine / "bin/rustc")
    assert careful["CARGO_NET_OFFLINE"] == "true"
    trusting = load_settings({"rust-analyzer": {"settings": TRUSTED}})["rust-analyzer"]
    assert "RUSTC_WRAPPER" not in launch(found, trusting, Workspace(machine)).environment


def test_what_is_said_before_loading_is_no_readiness() -> None:
    def status(quiescent: bool, health: str = "ok") -> dict[str, object]:
        return {"quiescent": quiescent, "health": health, "message": None}

    readiness = RustAnalyzerReadiness()
    for said, expected in ((True, False), (False, False), (False, False), (True, True)):
        readiness.observe("experimental/serverStatus", status(said))
        assert readiness.ready is expected
    failed = RustAnalyzerReadiness()
    failed.observe("experimental/serverStatus", status(True, "error"))
    assert (failed.ready, failed.health) == (True, "error")


# -- the real one -----------------------------------------------------------------------------------------------------

LIBRARY = """//! Text.
pub mod tools;
macro_rules! twice { ($e:expr) => { $e + $e } }
#[derive(Clone)]
pub struct Thing { pub r#type: u32 }
impl std::fmt::Display for Thing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { write!(f, "{}", self.r#type) }
}
impl From<u32> for Thing { fn from(r#type: u32) -> Self { Thing { r#type } } }
impl std::str::FromStr for Thing {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> { Err(text.to_string()) }
}
pub fn run(thing: &Thing) -> String {
    let other: Thing = 1u32.into();
    let third: Thing = "3".parse().unwrap();
    let n = twice!(tools::count(&third));
    let ü = "ü"; let _ = (ü, tools::count(&other));
    format!("{}{}{}", thing.to_string(), n, other.clone().r#type)
}
"""
TOOLS = "\ufeffuse crate::Thing;\npub fn count(thing: &Thing) -> u32 { thing.r#type }\n"
MANIFEST = '[package]\nname = "real"\nversion = "0.1.0"\nedition = "2021"\n'


@pytest.fixture
def needs_server() -> None:
    """The test fails where there is no rust-analyzer."""
    adapter_for("rust-analyzer").find(load_settings()["rust-analyzer"])


def asked(root: Path, sites: dict[str, list[str]], **extra: object) -> tuple[dict[str, Outcome], Server]:
    """The outcome for each site, a text whose `|` stands before the name; `extra` is laid over the settings."""
    files: list[FileSites] = []
    keys: dict[tuple[str, int], str] = {}
    for path, texts in sites.items():
        content = (root / path).read_bytes()
        for text in texts:
            before, _, after = text.partition("|")
            assert content.count((before + after).encode()) == 1, text
            keys[str(root / path), content.index((before + after).encode()) + len(before.encode())] = text
        offsets = tuple(sorted(offset for name, offset in keys if name == str(root / path)))
        files.append(FileSites(str(root / path), content, offsets))
    server = Server(adapter_for("rust-analyzer"), load_settings()["rust-analyzer"], Workspace(root, settings=extra))

    async def run() -> dict[str, Outcome]:
        async with asyncio.timeout(300), server:
            return {keys[answer.path, answer.offset]: answer.outcome async for answer in server.ask(files)}

    return asyncio.run(run()), server


def place(outcome: Outcome) -> tuple[str, str]:
    """(name of the file, the text at the place) of an answer with one target."""
    assert isinstance(outcome, Located), outcome
    (location,) = outcome.locations
    content = Path(location.path).read_bytes()
    return Path(location.path).name, content[location.start : location.end].decode()


@pytest.mark.server
@pytest.mark.usefixtures("needs_server")
def test_answers_are_about_the_name_asked_about(tmp_path: Path) -> None:
    root = tmp_path.resolve() / "ä b"
    write_files(
        root, {"Cargo.toml": MANIFEST, "src/lib.rs": LIBRARY, "src/tools.rs": TOOLS, "build.rs": "fn main() {}"}
    )
    outcomes, server = asked(
        root,
        {
            "src/lib.rs": [
                "twice!(tools::|count", "(ü, tools::|count", "1u32.|into()", '"3".|parse()', "thing.|to_string()",
                "clone().r#|type", "|twice!(", "Result<Self, |String>", "pub mod |tools", "other.|clone()",
            ],
            "src/tools.rs": ["use crate::|Thing", "thing.r#|type"],
        },
    )  # fmt: skip
    assert not server.report.crashes
    assert place(outcomes["twice!(tools::|count"]) == place(outcomes["(ü, tools::|count"]) == ("tools.rs", "count")
    # The methods that are called, not the implementations that they end in.
    assert outcomes["1u32.|into()"] == Outside("core", "", "into")
    assert outcomes['"3".|parse()'] == Outside("core", "", "parse")
    assert outcomes["thing.|to_string()"] == Outside("alloc", "", "to_string")
    # Names are without `r#`; a byte order mark counts in the bytes alone.
    assert place(outcomes["clone().r#|type"]) == place(outcomes["thing.r#|type"]) == ("lib.rs", "type")
    assert place(outcomes["use crate::|Thing"]) == ("lib.rs", "Thing")
    assert place(outcomes["|twice!("]) == ("lib.rs", "twice")
    # The library's sources may lie in a folder of the process, which is gone by now.
    string = outcomes["Result<Self, |String>"]
    assert isinstance(string, Located)
    assert [Path(location.path).name for location in string.locations] == ["string.rs"]
    clone = outcomes["other.|clone()"]
    assert isinstance(clone, Located)
    assert {Path(location.path).name for location in clone.locations} <= {"lib.rs", "clone.rs"}
    # Nothing was built, and nothing written.
    assert sorted(path.name for path in root.iterdir()) == ["Cargo.toml", "build.rs", "src"]


@pytest.mark.server
@pytest.mark.usefixtures("needs_server")
def test_a_workspace_that_cannot_be_loaded_and_one_that_is_not_whole(tmp_path: Path) -> None:
    root = tmp_path.resolve()
    write_files(root, {"Cargo.toml": MANIFEST + "[broken\n", "src/lib.rs": "pub fn f() {}\npub fn g() { f() }\n"})
    outcomes, server = asked(root, {"src/lib.rs": ["{ |f() }"]})
    assert server.report.gave_up is not None
    assert "cannot load" in server.report.gave_up.detail
    assert type(outcomes["{ |f() }"]).__name__ == "Failed"
    (root / "Cargo.toml").write_text(MANIFEST + '[dependencies]\nthis-crate-is-not-there = "7"\n')
    outcomes, server = asked(root, {"src/lib.rs": ["{ |f() }"]})
    assert place(outcomes["{ |f() }"]) == ("lib.rs", "f")
    assert any("this-crate-is-not-there" in note for note in server.report.sessions[0].notes)


@pytest.mark.server
@pytest.mark.usefixtures("needs_server")
def test_build_scripts_run_with_trust_alone(tmp_path: Path) -> None:
    root = tmp_path.resolve()
    script = f'fn main() {{ std::fs::write(r"{root}/ran", "").unwrap(); println!("cargo:rustc-cfg=made"); }}\n'
    source = "#[cfg(made)]\npub fn made() {}\npub fn g() { made() }\n"
    write_files(root, {"Cargo.toml": MANIFEST, "build.rs": script, "src/lib.rs": source})
    careful, _ = asked(root, {"src/lib.rs": ["{ |made() }"]})
    assert not (root / "ran").exists()
    assert not isinstance(careful["{ |made() }"], Located)
    trusting, _ = asked(root, {"src/lib.rs": ["{ |made() }"]}, **TRUSTED)
    assert (root / "ran").exists()
    assert place(trusting["{ |made() }"]) == ("lib.rs", "made")
    assert not (root / "target").exists()
