"""The command as a process of its own: how it starts, and how it ends when others end first."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import orjson
import pytest

from resolver import __version__
from resolver.cli.progress import interruptible
from tests.harness.command_line import PROJECT

COMMAND = [sys.executable, "-m", "resolver"]


@pytest.fixture
def environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TIELINE")}
    return kept | {"PYTHONPATH": str(PROJECT), "PYTHONSAFEPATH": "1"}


def test_answers_go_to_standard_output_and_nothing_else_does(indexed: Path, environment: dict[str, str]) -> None:
    done = subprocess.run(
        [*COMMAND, "refs", "total", "--json"],
        cwd=indexed,
        env=environment,
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"\n") == 1
    assert orjson.loads(done.stdout)["total"] == 1


def test_the_exit_code_is_that_of_the_process(repository: Path, environment: dict[str, str]) -> None:
    done = subprocess.run(
        [*COMMAND, "refs", "total"], cwd=repository, env=environment, capture_output=True, timeout=120, check=False
    )
    assert (done.returncode, done.stdout) == (4, b"")
    assert done.stderr.startswith(b"tieline: no index in ")


@pytest.mark.parametrize("arguments", [["dump"], ["dump", "--json"], ["refs", "total"], ["--help"]])
def test_a_reader_that_goes_away(indexed: Path, environment: dict[str, str], arguments: list[str]) -> None:
    reader, writer = os.pipe()
    process = subprocess.Popen(
        [*COMMAND, *arguments], cwd=indexed, env=environment, stdout=writer, stderr=subprocess.PIPE
    )
    os.close(writer)
    os.close(reader)
    _, errors = process.communicate(timeout=120)
    assert (process.returncode, errors) == (141, b"")


def test_ctrl_c_while_indexing(repository: Path, environment: dict[str, str]) -> None:
    os.mkfifo(repository / "fifo")
    for number in range(400):
        (repository / f"many_{number}.py").write_text("def f(x):\n    return f(x)\n" * 300, encoding="utf-8")
    process = subprocess.Popen(
        [*COMMAND, "index", "--jobs", "1"], cwd=repository, env=environment, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )  # fmt: skip
    building = repository / ".tieline" / "building.db"
    for _ in range(10_000):
        if building.exists() or process.poll() is not None:
            break
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=120)

    assert (process.returncode, out, errors) == (130, b"", b"tieline: interrupted\n")
    again = subprocess.run(
        [*COMMAND, "index", "--json"], cwd=repository, env=environment, capture_output=True, timeout=120, check=True
    )
    assert orjson.loads(again.stdout)["generation"] == 1


@pytest.mark.parametrize("arguments", [["index", "--full", "--jobs", "2"], ["resolve", "--json"]])
def test_ctrl_c_at_every_moment(indexed: Path, environment: dict[str, str], arguments: list[str]) -> None:
    """From the first own line to the last one; what Python itself does before that cannot be covered."""
    program = (
        "import os, signal, sys, threading, time\n"
        "def strike():\n"
        "    time.sleep(float(sys.argv.pop(1)))\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "from resolver.cli import main\n"
        "threading.Thread(target=strike, daemon=True).start()\n"
        "main()\n"
    )
    missing = environment | {"TIELINE_SERVERS_DIR": str(indexed / "none"), "PATH": "/nowhere"}
    for milliseconds in range(0, 400, 80):
        done = subprocess.run(
            [sys.executable, "-c", program, str(milliseconds / 1000), *arguments], cwd=indexed, env=missing,
            capture_output=True, timeout=120, check=False,
        )  # fmt: skip
        assert done.returncode in (0, 5, 130), done.stderr
        assert (done.returncode == 130) == (b"tieline: interrupted" in done.stderr), done
        assert b"Traceback" not in done.stderr


def test_queries_load_neither_rich_nor_networkx(indexed: Path, environment: dict[str, str]) -> None:
    program = (
        "import sys\nfrom resolver.cli import main\ntry:\n    main()\nexcept SystemExit:\n"
        "    slow = {'rich', 'rich_click', 'networkx', 'rapidfuzz', 'lsp_clients', 'tree_sitter'}\n"
        "    sys.stderr.write(' '.join(slow & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "at", "app.py:15:15", "--json"], cwd=indexed, env=environment,
        capture_output=True, timeout=120, check=True,
    )  # fmt: skip
    assert done.stderr == b""


def test_version(environment: dict[str, str]) -> None:
    done = subprocess.run([*COMMAND, "--version"], env=environment, capture_output=True, timeout=120, check=True)
    lines = done.stdout.decode().splitlines()
    assert lines[0] == f"tieline {__version__}"
    assert any(line.startswith("schema ") for line in lines)
    assert any("grammars" in line for line in lines)
    assert f'version = "{__version__}"' in (PROJECT / "pyproject.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "position", "expected"),
    [
        ("tieline ou", "1", "outline"),
        ("tieline refs tot", "2", "total"),
        ("tieline refs Square.ar", "2", "Square.area"),
        ("tieline export --format gra", "3", "graphml"),
    ],
)
def test_completion(indexed: Path, environment: dict[str, str], words: str, position: str, expected: str) -> None:
    asked = environment | {"_TIELINE_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": position}
    done = subprocess.run(COMMAND, cwd=indexed, env=asked, capture_output=True, timeout=120, check=False)
    assert f"plain,{expected}" in done.stdout.decode().splitlines()


def test_completion_without_an_index_is_silent(repository: Path, environment: dict[str, str]) -> None:
    asked = environment | {"_TIELINE_COMPLETE": "bash_complete", "COMP_WORDS": "tieline refs tot", "COMP_CWORD": "2"}
    done = subprocess.run(COMMAND, cwd=repository, env=asked, capture_output=True, timeout=120, check=False)
    assert (done.stdout.strip(), done.stderr) == (b"", b"")


def test_an_interrupt_that_got_lost_ends_the_work_all_the_same() -> None:
    told: list[str] = []
    hook = sys.unraisablehook
    before = signal.getsignal(signal.SIGINT)
    with interruptible(lambda stage, done, total: told.append(stage)) as report:
        report("first", 0, 1)
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            report("second", 0, 1)
    assert told == ["first"]
    assert sys.unraisablehook is hook
    assert signal.getsignal(signal.SIGINT) is before


def test_an_interrupt_that_python_drops_is_not_talked_about(capsys: pytest.CaptureFixture[str]) -> None:
    class Dropping:
        def __del__(self) -> None:
            signal.raise_signal(signal.SIGINT)

    with interruptible(lambda stage, done, total: None) as report:
        Dropping()  # what is raised while it is taken away is dropped
        with pytest.raises(KeyboardInterrupt):
            report("next", 0, 1)
    assert capsys.readouterr().err == ""


def test_a_terminal_with_few_characters(repository: Path, environment: dict[str, str]) -> None:
    (repository / "größe.py").write_text("def größe():\n    return größe()\n", encoding="utf-8")
    asked = environment | {"PYTHONIOENCODING": "ascii"}
    for arguments in (["index"], ["refs", "größe"], ["dump"]):
        done = subprocess.run(
            [*COMMAND, *arguments], cwd=repository, env=asked, capture_output=True, timeout=120, check=True
        )
        assert done.stderr == b""
    assert b"gr\xc3\xb6\xc3\x9fe" in done.stdout


@pytest.mark.parametrize(
    "arguments",
    [["dump"], ["stats", "--json"], ["refs", "total"], ["export"], ["index", "--json"], ["refs", "x", "--json"]],
)
def test_no_room_for_the_answer(indexed: Path, environment: dict[str, str], arguments: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMMAND, *arguments], cwd=indexed, env=environment, stdout=full, stderr=subprocess.PIPE, timeout=120,
            check=False,
        )  # fmt: skip
    unknown = arguments[:2] == ["refs", "x"]
    assert done.returncode == (1 if unknown else 5)
    assert done.stderr.startswith(b"tieline: no definition is called x" if unknown else b"tieline: No space left")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize(("closed", "code"), [(1, 0), (2, 1)])
def test_streams_that_are_closed(indexed: Path, environment: dict[str, str], closed: int, code: int) -> None:
    arguments = ["refs", "total" if closed == 1 else "nothing"]
    program = f"import os, sys; os.close({closed}); os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
    done = subprocess.run(
        [sys.executable, "-c", program, *COMMAND[1:], *arguments], cwd=indexed, env=environment, capture_output=True,
        timeout=120, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (code, b"", b"")


def test_serve(indexed: Path, environment: dict[str, str]) -> None:
    asked = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
    done = subprocess.run(
        [*COMMAND, "serve"], cwd=indexed, env=environment, input=orjson.dumps(asked) + b"\n", capture_output=True,
        timeout=120, check=True,
    )  # fmt: skip
    answer = orjson.loads(done.stdout)
    assert (answer["id"], answer["result"]["serverInfo"]["name"]) == (1, "tieline")
    assert done.stderr == b""


def test_serve_speaks_json_already(indexed: Path, environment: dict[str, str]) -> None:
    done = subprocess.run(
        [*COMMAND, "serve", "--json"], cwd=indexed, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
        timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert orjson.loads(done.stdout)["error"]["exit"] == 2
