"""Installing and finding servers, with a stand-in for npm."""

from pathlib import Path

import pytest

from lsp_clients import InstallError, ServerMissingError, adapter_for, install, list_servers, load_settings
from lsp_clients.installing import servers_folder

NPM = """#!/bin/sh
echo "$@" >> {log}
while [ "$1" != --prefix ]; do shift; done
mkdir -p "$2/node_modules/pyright"
{then}
"""
WORKS = """touch "$2/node_modules/pyright/langserver.index.js"
echo '{"version": "1"}' > "$2/node_modules/pyright/package.json"
"""


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with node and nothing else: its folders are `bin` and `servers`."""
    (tmp_path / "bin").mkdir()
    program(tmp_path, "node", "#!/bin/sh\n")
    for name in ("sh", "mkdir", "touch"):
        (tmp_path / "bin" / name).symlink_to(Path("/bin") / name)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("TIELINE_SERVERS_DIR", str(tmp_path / "servers"))
    return tmp_path


def program(machine: Path, name: str, text: str) -> Path:
    path = machine / "bin" / name
    path.write_text(text)
    path.chmod(0o755)
    return path


def npm(machine: Path, then: str) -> Path:
    log = machine / "npm.log"
    program(machine, "npm", NPM.format(log=log, then=then))
    return log


def test_an_installation_is_found_and_not_done_twice(machine: Path) -> None:
    log = npm(machine, WORKS)
    pinned = load_settings()["pyright"].version
    assert "tieline servers install pyright" in list_servers()[0].problem
    folder = install("pyright")
    assert folder == machine / "servers" / f"pyright-{pinned}"
    assert install("pyright") == folder
    assert log.read_text().count("\n") == 1
    assert f"pyright@{pinned}" in log.read_text()
    row = list_servers()[0]
    assert (row.usable, row.origin, row.version, row.problem) == (True, "managed", "1", "")


@pytest.mark.parametrize(
    ("then", "message"), [("echo no network >&2; exit 1", "no network"), ("exit 0", "not pyright")]
)
def test_an_installation_that_fails_leaves_nothing(machine: Path, then: str, message: str) -> None:
    npm(machine, then)
    with pytest.raises(InstallError, match=message):
        install("pyright")
    assert [path.name for path in (machine / "servers").iterdir() if not path.name.endswith(".lock")] == []


def test_without_npm_the_message_says_what_to_install(machine: Path) -> None:
    with pytest.raises(InstallError, match=r"Node\.js"):
        install("pyright")


def test_without_node_nothing_is_usable(machine: Path) -> None:
    (machine / "bin/node").unlink()
    row = list_servers()[0]
    assert not row.usable
    assert "Node.js" in row.problem


def test_a_folder_that_cannot_be_written_is_an_error(machine: Path) -> None:
    npm(machine, WORKS)
    (machine / "servers").write_text("a file")
    with pytest.raises(InstallError, match="cannot be written"):
        install("pyright")


def test_configured_comes_before_managed_and_managed_before_the_path(machine: Path) -> None:
    adapter = adapter_for("pyright")
    own = program(machine, "pyright-langserver", "#!/bin/sh\n")
    assert adapter.find(load_settings()["pyright"]).origin == "path"
    npm(machine, WORKS)
    install("pyright")
    assert adapter.find(load_settings()["pyright"]).origin == "managed"
    configured = load_settings({"pyright": {"command": ["pyright-langserver", "--stdio", "--verbose"]}})["pyright"]
    assert adapter.find(configured).command == (str(own), "--stdio", "--verbose")
    missing = load_settings({"pyright": {"command": ["no-such-program"]}})["pyright"]
    with pytest.raises(ServerMissingError, match="no-such-program"):
        adapter.find(missing)


def test_a_broken_installation_says_so(machine: Path) -> None:
    npm(machine, 'touch "$2/node_modules/pyright/langserver.index.js"')
    install("pyright")
    assert "broken" in list_servers()[0].problem


def test_servers_that_are_not_known(machine: Path) -> None:
    with pytest.raises(ServerMissingError, match="pyright"):
        install("piright")


def test_the_servers_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TIELINE_SERVERS_DIR", str(tmp_path / "own"))
    assert servers_folder() == tmp_path / "own"
    monkeypatch.delenv("TIELINE_SERVERS_DIR")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert servers_folder() == tmp_path / "tieline/servers"
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert servers_folder() == tmp_path / ".local/share/tieline/servers"
