"""Runs that go wrong, runs that go on, and what a change asks for: with a real pyright behind a go-between."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import orjson
import pytest

from lsp_clients import ServerSettings, load_settings
from resolver.errors import ContextError
from resolver.semantic import ResolveOptions, resolve
from tests.harness.command_line import PROJECT
from tests.harness.indexing import Repository, write_files
from tests.lsp_clients.support import are_gone
from tests.resolver.support import health, judged, resolved, said, statuses, update, wrong_verdicts

pytestmark = pytest.mark.server

SCRIPT = Path(__file__).with_name("passing_pyright.py")
LIMIT_SECONDS = 120
"""A bound on a test that hangs, far above what any takes."""

FILES = {
    "lib.py": "class Base:\n    def run(self):\n        return 1\n\n\ndef make():\n    return Base()\n",
    "one.py": "from lib import make\n\nmake().run()\n",
    "two.py": "from lib import Base\n\n\ndef f(all: list[Base]):\n    sorted(all, key=id)[0].run()\n    all.nope()\n",
    "three.py": "import one\n\none.make()\n",
}


@dataclass(frozen=True)
class Between:
    """The go-between with its log."""

    log: Path
    command: tuple[str, ...]

    def settings(self, fault: str = "none", **limits: object) -> dict[str, ServerSettings]:
        """Settings that start pyright behind it."""
        line = [sys.executable, str(SCRIPT), str(self.log), fault, *self.command]
        return load_settings({"pyright": {"command": line, **limits}})

    def starts(self) -> list[int]:
        """Process ids of everything that was started."""
        return [int(line.split()[1]) for line in self._lines() if line.startswith("start")]

    def asked(self) -> int:
        """How many questions went through."""
        return self._lines().count("ask")

    def forget(self) -> None:
        self.log.unlink(missing_ok=True)

    def _lines(self) -> list[str]:
        return self.log.read_text(encoding="utf-8").splitlines() if self.log.exists() else []


@pytest.fixture
def between(tmp_path: Path, pyright: tuple[str, ...]) -> Between:
    return Between(tmp_path / "log", pyright)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path, FILES)


# -- what is asked ----------------------------------------------------------------------------------------------------


def test_a_second_run_starts_no_server_and_makes_no_generation(repository: Repository, between: Between) -> None:
    first = resolved(repository, between.settings())
    assert between.asked() - first.contexts[0].checks == first.contexts[0].asked > 0
    between.forget()
    second = resolved(repository, between.settings())
    assert (between.starts(), second.contexts[0].asked) == ([], 0)
    assert second.generation == first.generation
    assert not second.failed
    assert health(repository) == {".": "ready"}


def test_again_asks_again(repository: Repository, between: Between) -> None:
    first = resolved(repository, between.settings())
    assert resolved(repository, between.settings(), again=True).contexts[0].asked == first.contexts[0].asked
    assert wrong_verdicts(repository) == []


def test_a_body_that_changed_asks_about_its_file_alone(repository: Repository, between: Between) -> None:
    resolved(repository, between.settings())
    write_files(repository.root, {"lib.py": FILES["lib.py"].replace("return 1", "print(1)\n        return 1")})
    update(repository)
    with repository.read() as state:
        assert judged(state, "one.py", 3, "run").resolutions[1].stale
    again = resolved(repository, between.settings())
    assert (again.contexts[0].files, again.contexts[0].asked) == (1, 2)
    assert said(repository, "one.py", 3, "run") == "confirmed -> lib.py:method:Base.run"
    assert wrong_verdicts(repository) == []


def test_a_definition_that_is_gone_takes_its_answers_along(repository: Repository, between: Between) -> None:
    resolved(repository, between.settings())
    assert said(repository, "two.py", 5, "run").endswith(" -> lib.py:method:Base.run")
    write_files(repository.root, {"lib.py": FILES["lib.py"].replace("def run", "def walk")})
    update(repository)
    assert not said(repository, "two.py", 5, "run").endswith("Base.run")
    assert not said(repository, "one.py", 3, "run").endswith("Base.run")
    write_files(repository.root, {"lib.py": FILES["lib.py"]})
    resolved(repository, between.settings(), everything=False)
    assert said(repository, "two.py", 5, "run").endswith(" -> lib.py:method:Base.run")
    assert wrong_verdicts(repository) == []


def test_what_was_nothing_refutes_nothing_once_it_may_be_there(repository: Repository, between: Between) -> None:
    write_files(repository.root, {"four.py": "from lib import Base\n\n\nBase().later()\n"})
    resolved(repository, between.settings())
    assert said(repository, "four.py", 4, "later").startswith("unresolved")
    write_files(repository.root, {"lib.py": FILES["lib.py"].replace("def run", "def later(self): ...\n    def run")})
    update(repository)
    assert said(repository, "four.py", 4, "later") == "syntactic -> lib.py:method:Base.later"
    resolved(repository, between.settings(), everything=False)
    assert said(repository, "four.py", 4, "later") == "confirmed -> lib.py:method:Base.later"


def test_an_answer_that_rests_on_what_changed_corrects_nothing(repository: Repository, between: Between) -> None:
    other = "class Other:\n    def run(self): ...\n"
    write_files(repository.root, {"lib.py": FILES["lib.py"] + other})
    resolved(repository, between.settings())
    assert said(repository, "one.py", 3, "run") == "confirmed -> lib.py:method:Base.run"
    write_files(repository.root, {"lib.py": FILES["lib.py"].replace("return Base()", "return Other()") + other})
    update(repository)
    assert said(repository, "one.py", 3, "run") == "syntactic -> lib.py:method:Other.run"
    with repository.read() as state:
        assert judged(state, "one.py", 3, "run").resolutions[1].stale
    resolved(repository, between.settings(), everything=False)
    assert said(repository, "one.py", 3, "run") == "confirmed -> lib.py:method:Other.run"


def test_a_new_and_a_removed_file(repository: Repository, between: Between) -> None:
    write_files(repository.root, {"four.py": "import five\n\nfive.go()\n"})
    resolved(repository, between.settings())
    write_files(repository.root, {"five.py": "def go(): ...\n"})
    assert resolved(repository, between.settings()).contexts[0].files == 1
    assert said(repository, "four.py", 3, "go") == "confirmed -> five.py:function:go"
    (repository.root / "five.py").unlink()
    update(repository)
    assert not said(repository, "four.py", 3, "go").endswith("five.py:function:go")
    assert wrong_verdicts(repository) == []


def test_a_file_that_changed_since_the_index_is_not_asked_about(repository: Repository, between: Between) -> None:
    update(repository)
    write_files(repository.root, {"one.py": "\n" + FILES["one.py"]})
    options = ResolveOptions(everything=True)
    report = resolve(repository.root, folder=repository.folder, options=options, settings=between.settings())
    assert report.failed
    assert said(repository, "one.py", 3, "run") == "syntactic -> lib.py:method:Base.run"
    assert said(repository, "three.py", 3, "make").endswith("lib.py:function:make")
    with repository.read() as state:
        (row,) = state.connection.execute(
            "SELECT c.detail FROM context_file c JOIN file f ON f.id = c.file WHERE f.path = 'one.py'"
        ).fetchall()
    assert row == ("changed-since-index",)
    assert not resolved(repository, between.settings()).failed
    assert said(repository, "one.py", 4, "run") == "confirmed -> lib.py:method:Base.run"
    assert statuses(repository).get("failed") is None


def test_a_part_of_the_repository(repository: Repository, between: Between) -> None:
    write_files(repository.root, {"sub/four.py": "from lib import make\n\nmake()\n", "submarine.py": "import lib\n"})
    report = resolved(repository, between.settings(), under="sub/")
    assert report.contexts[0].files == 1
    assert resolved(repository, between.settings(), under="one.py").contexts[0].files == 1
    assert resolved(repository, between.settings(), under=".").contexts[0].files == 4


def test_other_languages_and_contexts(repository: Repository, between: Between) -> None:
    assert resolved(repository, between.settings(), languages=("go",)).contexts == []
    with pytest.raises(ContextError, match=r"no context is called x; there are: python:\.@"):
        resolved(repository, between.settings(), contexts=("x",))
    assert between.starts() == []


def test_names_that_are_not_utf8(repository: Repository, between: Between) -> None:
    text = "from lib import make\n\n\ndef own(): ...\n\n\nown()\nmake().run()\n"
    write_files(repository.root, dict.fromkeys(["caf\udce9.py", "d\udce9/x.py", "é.py"], text))
    assert not resolved(repository, between.settings()).failed
    for path, id_ in (("caf\\xe9.py", "caf\\xe9.py"), ("d\\xe9/x.py", "d\\xe9/x.py"), ("é.py", "é.py")):
        assert said(repository, path, 7, "own") == f"confirmed -> {id_}:function:own"
        assert said(repository, path, 8, "run") == "confirmed -> lib.py:method:Base.run"


# -- contexts ---------------------------------------------------------------------------------------------------------


def test_a_context_takes_the_place_of_the_one_before(
    repository: Repository, between: Between, tmp_path: Path
) -> None:  # fmt: skip
    resolved(repository, between.settings())
    write_files(repository.root, {".venv/pyvenv.cfg": "version = 3.11.1\n"})
    missing = {"pyright": between.settings("none")["pyright"]}
    broken = load_settings({"pyright": {"command": [str(tmp_path / "nowhere")]}})
    assert resolved(repository, broken).failed
    assert said(repository, "one.py", 3, "run") == "confirmed -> lib.py:method:Base.run"
    resolved(repository, missing)
    with repository.read() as state:
        rows = state.connection.execute("SELECT variant, health FROM context").fetchall()
        (claim,) = [claim for claim in judged(state, "one.py", 3, "run").targets[0].layers if claim.layer == "semantic"]
    assert rows == [(".venv", "ready")]
    assert claim.contexts == ("python:.@.venv",)
    assert wrong_verdicts(repository) == []


def test_a_context_that_is_no_more_goes(repository: Repository, between: Between) -> None:
    nested = {"web/.venv/pyvenv.cfg": "version = 3.11.1\n", "web/a.py": "def f(): ...\n\n\nf()\n"}
    write_files(repository.root, nested)
    resolved(repository, between.settings())
    assert health(repository) == {".": "ready", "web": "ready"}
    shutil.rmtree(repository.root / "web/.venv")
    resolved(repository, between.settings())
    assert health(repository) == {".": "ready"}
    assert said(repository, "web/a.py", 4, "f") == "confirmed -> web/a.py:function:f"


# -- servers that fail ------------------------------------------------------------------------------------------------


def test_no_server(repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIELINE_SERVERS_DIR", str(tmp_path / "empty"))
    node = shutil.which("node")
    assert node is not None
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/node").symlink_to(node)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    report = resolved(repository)
    assert report.failed
    message = "pyright is not installed: run `tieline servers install pyright`"
    assert [context.problem for context in report.contexts] == [message]
    assert health(repository) == {".": message}
    assert statuses(repository) == {}
    assert said(repository, "one.py", 3, "run") == "syntactic -> lib.py:method:Base.run"


def test_a_file_that_kills_the_server(repository: Repository, between: Between) -> None:
    write_files(repository.root, {"killer.py": FILES["one.py"], "zebra.py": FILES["one.py"]})
    report = resolved(repository, between.settings("dies"))
    (context,) = report.contexts
    assert report.failed
    assert context.problem == ""
    assert context.crashes[-1].endswith("killer.py)")
    assert said(repository, "zebra.py", 3, "run") == "confirmed -> lib.py:method:Base.run"
    assert said(repository, "killer.py", 3, "run") == "syntactic -> lib.py:method:Base.run"
    with repository.read() as state:
        rows = state.connection.execute(
            "SELECT f.path FROM context_file c JOIN file f ON f.id = c.file WHERE c.membership = 2"
        ).fetchall()
    assert rows == [("killer.py",)]
    assert are_gone(between.starts())
    between.forget()
    (again,) = resolved(repository, between.settings()).contexts
    assert not again.problem
    assert between.asked() - again.checks == context.answers["failed"]
    assert said(repository, "killer.py", 3, "run") == "confirmed -> lib.py:method:Base.run"


def test_a_failure_takes_no_answer_away(repository: Repository, between: Between) -> None:
    write_files(repository.root, {"killer.py": FILES["one.py"]})
    resolved(repository, between.settings())
    assert resolved(repository, between.settings("dies"), again=True).failed
    assert said(repository, "killer.py", 3, "run") == "confirmed -> lib.py:method:Base.run"


def test_a_server_that_never_gets_ready(repository: Repository, between: Between) -> None:
    report = resolved(repository, between.settings("mute", ready_seconds=1))
    (context,) = report.contexts
    assert report.failed
    assert "not ready" in context.problem
    assert "not ready" in health(repository)["."]
    assert statuses(repository) == {}
    assert are_gone(between.starts())


# -- runs that end early ----------------------------------------------------------------------------------------------


def many(count: int) -> dict[str, str]:
    return {f"m{number:02}.py": "from lib import make\n\n" + "make().run()\n" * 20 for number in range(count)}


def test_a_budget(repository: Repository, between: Between) -> None:
    write_files(repository.root, many(20))
    report = resolved(repository, between.settings("slow"), budget=6.0)
    (context,) = report.contexts
    assert report.out_of_time
    assert not report.failed
    assert context.left == context.asked - sum(context.answers.values()) > 0
    assert are_gone(between.starts())
    assert wrong_verdicts(repository) == []
    rest = resolved(repository, between.settings())
    assert rest.contexts[0].asked == context.left
    assert not rest.out_of_time


@dataclass(frozen=True)
class Command:
    """`tieline resolve --all` in a process of its own, with the go-between as the server of the PATH."""

    repository: Repository
    between: Between
    folder: Path

    def start(self, fault: str) -> subprocess.Popen[bytes]:
        programs = self.folder / "programs"
        programs.mkdir(exist_ok=True)
        server = programs / "pyright-langserver"
        line = [sys.executable, str(SCRIPT), str(self.between.log), fault, *self.between.command]
        server.write_text("#!/bin/sh\nexec " + " ".join(f"'{word}'" for word in line) + "\n", encoding="utf-8")
        server.chmod(0o755)
        environment = {
            **os.environ,
            "PYTHONPATH": str(PROJECT),
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "TIELINE_SERVERS_DIR": str(self.folder / "no-servers"),
        }
        arguments = ["resolve", "--all", "--json", "--root", str(self.repository.root)]
        return subprocess.Popen(
            [sys.executable, "-m", "resolver", *arguments, "--index-dir", str(self.repository.folder)],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )


@pytest.fixture
def command(repository: Repository, between: Between, tmp_path: Path) -> Command:
    write_files(repository.root, many(20))
    update(repository)
    return Command(repository, between, tmp_path)


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + LIMIT_SECONDS
    while not condition():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.02)


@pytest.mark.parametrize("wanted", [60, 200])
def test_ctrl_c(command: Command, between: Between, repository: Repository, wanted: int) -> None:
    process = command.start("slow")
    wait_until(lambda: between.asked() >= wanted)
    process.send_signal(signal.SIGINT)
    output, messages = process.communicate(timeout=LIMIT_SECONDS)
    assert process.returncode == 130, messages.decode()
    assert orjson.loads(output)["error"]["code"] == "interrupted"
    assert b"Traceback" not in messages
    assert are_gone(between.starts())
    _goes_on(command, between, repository)


def test_sigkill(command: Command, between: Between, repository: Repository) -> None:
    process = command.start("slow")
    wait_until(lambda: sum(statuses(repository).values()) > 0)
    process.kill()
    process.communicate(timeout=LIMIT_SECONDS)
    assert are_gone(between.starts())
    _goes_on(command, between, repository)


def _goes_on(command: Command, between: Between, repository: Repository) -> None:
    """What is there fits together, and the next run asks about the rest alone."""
    before = sum(statuses(repository).values())
    assert before > 0
    assert wrong_verdicts(repository) == []
    between.forget()
    process = command.start("none")
    output, messages = process.communicate(timeout=LIMIT_SECONDS)
    assert process.returncode == 0, messages.decode()
    (context,) = orjson.loads(output)["contexts"]
    assert between.asked() - context["checks"] == context["asked"]
    assert sum(statuses(repository).values()) == before + context["asked"]
    with repository.read() as state:
        (references,) = state.connection.execute("SELECT COUNT(*) FROM reference").fetchone()
    assert sum(statuses(repository).values()) == references
    assert wrong_verdicts(repository) == []
