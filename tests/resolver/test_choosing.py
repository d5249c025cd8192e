"""What a run is about and with which settings: files since a revision, settings of the repository and of its user."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from graph.store.semantic import files_of
from lsp_clients import ConfigurationError, load_settings
from resolver.revision import RevisionError, changed_since
from resolver.server_settings import HARMLESS, server_settings
from tests.harness.indexing import Repository, write_files
from tests.resolver.support import resolved, update


def git(root: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)


def changed(repository: Repository, revision: str = "HEAD") -> list[str]:
    update(repository)
    with repository.read() as state:
        return sorted(changed_since(repository.root, revision, files_of(state.connection)))


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path, {"a.py": "x = 1\n", "sub/b.py": "y = 1\n", "caf\udce9.py": "z = 1\n"})
    git(made.root, "init", "-q")
    git(made.root, "add", "-A")
    git(made.root, "commit", "-q", "-m", "one")
    return made


def test_files_that_differ_from_a_revision(repository: Repository) -> None:
    assert changed(repository) == []
    write_files(repository.root, {"a.py": "x = 2\n", "new.py": "n = 1\n"})
    assert changed(repository) == ["a.py", "new.py"]
    git(repository.root, "add", "-A")
    git(repository.root, "commit", "-q", "-m", "two")
    assert changed(repository) == []
    assert changed(repository, "HEAD~1") == ["a.py", "new.py"]


def test_a_root_inside_of_a_repository(repository: Repository) -> None:
    inner = Repository.__new__(Repository)
    inner.root, inner.folder = repository.root / "sub", repository.folder.parent / "inner"
    assert changed(inner) == []
    write_files(inner.root, {"b.py": "y = 2\n"})
    assert changed(inner) == ["b.py"]


@pytest.mark.parametrize("revision", ["no-such-branch", "--output=x", "-x"])
def test_what_is_no_revision(repository: Repository, revision: str) -> None:
    with pytest.raises(RevisionError):
        changed(repository, revision)
    assert not (repository.root / "x").exists()


def test_a_filter_that_a_repository_names_is_not_run(repository: Repository, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    git(repository.root, "config", "filter.evil.clean", f"touch {ran}; cat")
    git(repository.root, "config", "core.fsmonitor", f"touch {ran}; false")
    write_files(repository.root, {".gitattributes": "*.py filter=evil\n", "a.py": "x = 3\n"})
    assert changed(repository) == ["a.py"]
    assert not ran.exists()


@pytest.mark.server
@pytest.mark.usefixtures("pyright")
def test_what_has_changed_since_the_last_run(repository: Repository) -> None:
    write_files(repository.root, {"a.py": "def f(): ...\n\n\nf()\n", "c.py": "len([])\n"})
    assert resolved(repository, since_last=True).contexts[0].files == 2
    write_files(repository.root, {"c.py": "len([1])\nlen([2])\n"})
    (context,) = resolved(repository, since_last=True, again=True).contexts
    assert (context.files, context.asked) == (1, 2)
    assert resolved(repository, since_last=True, again=True).contexts[0].asked == 0
    (context,) = resolved(repository, changed=frozenset({"a.py"}), again=True).contexts
    assert (context.files, context.asked) == (1, 1)


# -- settings ---------------------------------------------------------------------------------------------------------

OWN = '[servers.pyright]\nmemory_mib = 999\ncommand = ["./evil"]\n[servers.pyright.settings]\nx = 1\n'


@pytest.fixture
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "config/tieline").mkdir(parents=True)
    return tmp_path / "config/tieline/servers.toml"


@pytest.mark.usefixtures("user")
@pytest.mark.parametrize(
    ("name", "text"), [("tieline.toml", OWN), ("pyproject.toml", OWN.replace("[servers", "[tool.tieline.servers"))]
)
def test_a_repository_sets_limits_alone(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    found, ignored = server_settings(tmp_path, trust=False)
    shipped = load_settings()["pyright"]
    assert (found["pyright"].memory_mib, found["pyright"].command) == (999, shipped.command)
    assert found["pyright"].settings == shipped.settings
    assert ignored == ("pyright.command", "pyright.settings")
    trusted, ignored = server_settings(tmp_path, trust=True)
    assert (trusted["pyright"].command, trusted["pyright"].settings["x"], ignored) == (("./evil",), 1, ())


def test_the_user_has_the_last_word(tmp_path: Path, user: Path) -> None:
    (tmp_path / "tieline.toml").write_text("[servers.pyright]\nmemory_mib = 999\nrestarts = 1\n", encoding="utf-8")
    user.write_text('[pyright]\nmemory_mib = 1234\ncommand = ["own"]\n', encoding="utf-8")
    pyright = server_settings(tmp_path, trust=False).servers["pyright"]
    assert (pyright.memory_mib, pyright.restarts, pyright.command) == (1234, 1, ("own",))
    assert server_settings(None, trust=False).servers["pyright"].restarts == load_settings()["pyright"].restarts


@pytest.mark.usefixtures("user")
@pytest.mark.parametrize("text", ["servers = 3\n", "[servers]\npyright = 3\n", "[servers.piright]\nrestarts = 1\n"])
def test_settings_of_another_shape(tmp_path: Path, text: str) -> None:
    (tmp_path / "tieline.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError):
        server_settings(tmp_path, trust=False)


def test_what_is_harmless_are_numbers() -> None:
    shipped = load_settings()["pyright"]
    assert all(isinstance(getattr(shipped, key), (int, float)) for key in HARMLESS)
