"""The set of commands: their help, the servers, and completion scripts."""

from pathlib import Path

import click
import pytest

from resolver.cli.application import SECTIONS, application
from resolver.cli.base import Command
from resolver.cli.place import enclosing_root, parse_place, path_in_root
from tests.cli.conftest import Run

NAMES = application.list_commands(click.Context(application))


def test_every_command_is_in_a_section() -> None:
    assert sum(len(entries) for entries in SECTIONS.values()) == len(NAMES) == len(set(NAMES))


@pytest.mark.parametrize("name", NAMES)
def test_every_command_has_help_examples_and_the_common_options(run: Run, name: str) -> None:
    command = application.get_command(click.Context(application), name)
    assert isinstance(command, Command)
    assert command.examples
    assert all(example.command.find(f"tieline {name}") >= 0 for example in command.examples)
    answer = run(name, "--help")
    assert answer.code == 0
    assert "Examples:" in answer.stdout
    for option in ("--json", "--root", "--index-dir", "--quiet"):
        assert option in answer.stdout


def test_the_help_of_the_group_names_every_command_and_exit_code(run: Run) -> None:
    text = run("--help").stdout
    for name in NAMES:
        assert f"\n  {name} " in text
    for code in ("0", "1", "2", "3", "4", "5"):
        assert f"\n  {code}    " in text


def test_servers(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIELINE_SERVERS_DIR", str(tmp_path))
    servers = {server["name"]: server for server in run("servers", "--json").json["servers"]}
    assert servers["pyright"]["languages"] == ["python"]
    assert servers["pyright"]["pinned"]
    assert "pyright" in run("servers").stdout


def test_servers_that_are_not_known(run: Run) -> None:
    answer = run("servers", "install", "nonsense", "--json")
    assert (answer.code, answer.json["error"]["code"]) == (2, "unknown-server")
    assert "pyright" in answer.stderr
    assert run("servers", "install").code == 2
    assert run("servers", "remove").code == 2


def test_installing_a_server_that_cannot_be_had(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIELINE_SERVERS_DIR", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))  # where there is no npm
    answer = run("servers", "install", "pyright", "--json")
    assert answer.code == 5
    assert [failure["name"] for failure in answer.json["failed"]] == ["pyright"]
    assert "npm" in answer.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(run: Run, shell: str) -> None:
    answer = run("completion", shell)
    assert (answer.code, "_TIELINE_COMPLETE" in answer.stdout) == (0, True)
    assert run("completion", shell, "--json").json["script"].strip() == answer.stdout.strip()


def test_places() -> None:
    assert parse_place("a.py:3") == ("a.py", 3, None)
    assert parse_place("a.py:3:4") == ("a.py", 3, 4)
    assert parse_place("c:\\a.py:3:4") == ("c:\\a.py", 3, 4)
    assert parse_place("a.py:function:total") is None
    assert parse_place("User.login") is None


def test_the_enclosing_root(tmp_path: Path) -> None:
    inner = tmp_path / "repository" / "a" / "b"
    inner.mkdir(parents=True)
    assert enclosing_root(inner) == inner
    (tmp_path / "repository" / ".git").write_text("gitdir: elsewhere\n", encoding="utf-8")
    assert enclosing_root(inner) == tmp_path / "repository"
    (tmp_path / "repository" / "a" / ".tieline").mkdir()
    assert enclosing_root(inner) == tmp_path / "repository"
    (tmp_path / "repository" / "a" / ".tieline" / "index.db").write_bytes(b"")
    assert enclosing_root(inner) == tmp_path / "repository" / "a"


def test_a_path_through_a_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "real"
    (root / "inner").mkdir(parents=True)
    (root / "inner" / "a.py").write_text("", encoding="utf-8")
    (tmp_path / "link").symlink_to(root)
    (root / "alias.py").symlink_to(root / "inner" / "a.py")
    monkeypatch.chdir(tmp_path)

    assert path_in_root("link/inner/a.py", root) == "inner/a.py"
    assert path_in_root("real/alias.py", root) == "alias.py"
    assert path_in_root("inner/a.py", root) == "inner/a.py"
