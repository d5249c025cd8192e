"""What reaches a terminal: no escape codes from the repository, none in a pipe, colours where they are wanted."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from resolver.cli.output import decorated
from resolver.cli.text import counted, printable, printable_json, printable_xml, source_line, xml_text
from tests.cli.conftest import Run
from tests.harness.command_line import PROJECT

EVIL = "\x1b[31mred\x07\x9b2J\u202e"
COMMANDS = [
    ["at", "app.py:15"], ["outline", "app.py"], ["search", "area"], ["show", "Square"], ["refs", "Square.area"],
    ["callers", "total"], ["callees", "main"], ["impact", "Square"], ["trace", "main", "Square.area"],
    ["hierarchy", "Shape"], ["deps", "app.py"], ["stats"], ["coverage"], ["status"], ["dump"],
    ["export", "--format", "json"], ["export", "--format", "graphml"], ["export", "--format", "dot"], ["doctor"],
    ["servers"], ["index"], ["--help"], ["refs", "--help"], ["completion", "fish"],
]  # fmt: skip


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_a_pipe_gets_no_escape_codes(indexed: Path, run: Run, arguments: list[str]) -> None:
    answer = run(*arguments)
    assert answer.stdout
    assert "\x1b" not in answer.stdout + answer.stderr


@pytest.mark.parametrize(
    "arguments", [["at", "evil.py:2"], ["outline", "evil.py"], ["show", "f"], ["refs", "f"], ["deps", "evil.py"]]
)
def test_source_never_steers_the_terminal(repository: Path, run: Run, arguments: list[str]) -> None:
    (repository / "evil.py").write_text(f'def f():  # {EVIL}\n    """{EVIL}"""; return f()\n', encoding="utf-8")
    run("index")

    for answer in (run(*arguments), run(*arguments, "--json")):
        assert answer.code in {0, 1}
        assert not set("\x1b\x07\x9b\u202e") & set(answer.stdout + answer.stderr)


def test_file_names_never_steer_the_terminal(repository: Path, run: Run) -> None:
    name = "a\x1b[31m\x07.py"
    (repository / name).write_text("def g():\n    return g()\n", encoding="utf-8")
    run("index")

    assert "a\\x1b[31m\\x07.py" in run("refs", "g").stdout
    assert run("refs", "g", "--json").json["symbol"]["path"] == name
    answer = run("at", f"{name}:9:9")
    assert (answer.code, "\x1b" in answer.stderr) == (2, False)


def test_names_in_other_scripts_stay_as_they_are(repository: Path, run: Run) -> None:
    (repository / "größe.py").write_text("def größe_数():\n    return größe_数()\n", encoding="utf-8")
    run("index")

    text = run("refs", "größe_数").stdout
    assert "größe.py" in text
    assert "return größe_数()" in text


def test_names_that_are_not_utf_8(repository: Path, run: Run) -> None:
    with open(os.fsencode(repository) + b"/bad\xff.py", "w", encoding="utf-8") as file:  # noqa: PTH123  # a path of bytes
        file.write("def odd():\n    return odd()\n")
    run("index")

    answer = run("refs", "odd", "--json")
    assert answer.code == 0
    assert answer.json["symbol"]["path"] == "bad\\xff.py"
    assert run("at", os.fsdecode(b"bad\xff.py:1:5"), "--json").json["definition"]["line"] == 1
    assert run("refs", os.fsdecode(b"bad\xff.py:1:5")).code == 0
    assert run("refs", os.fsdecode(b"\xff")).code == 1
    assert run("search", os.fsdecode(b"\xff"), "--json").code == 1
    assert run("at", os.fsdecode(b"\xfe.py:1:5"), "--json").json["error"]["code"] == "unknown-file"
    assert "return odd()" in run("refs", "odd").stdout


def test_a_root_that_is_not_utf_8(run: Run, tmp_path: Path) -> None:
    root = Path(os.fsdecode(os.fsencode(tmp_path) + b"/r\xff"))
    root.mkdir()
    (root / "a.py").write_text("def odd():\n    return odd()\n", encoding="utf-8")

    assert run("index", root, "--json").json["root"].endswith("r\\xff")
    assert run("index", root).code == 0
    for arguments in (["status"], ["doctor"], ["refs", "odd"], ["refs", "nothing"]):
        for answer in (run(*arguments, "--root", root), run(*arguments, "--root", root, "--json")):
            assert answer.code in {0, 1}


def test_colours_where_they_are_forced(indexed: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("FORCE_COLOR", "1")
    for arguments in (["refs", "Square.area"], ["show", "Square"], ["--help"], ["refs", "--help"]):
        assert "\x1b[" in run(*arguments).stdout
    monkeypatch.setenv("NO_COLOR", "1")
    for arguments in (["refs", "Square.area"], ["show", "Square"], ["--help"], ["refs", "--help"]):
        assert "\x1b[" not in run(*arguments).stdout


def test_json_is_never_coloured(indexed: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b" not in run("refs", "Square.area", "--json").stdout


@pytest.mark.parametrize(("environment", "moves"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_progress_on_a_terminal(repository: Path, environment: dict[str, str], moves: bool) -> None:
    written = _on_a_terminal(["index"], repository, environment)
    assert (b"extract" in written and b"\x1b[" in written) is moves


def test_no_progress_when_it_is_not_wanted(repository: Path) -> None:
    assert _on_a_terminal(["index", "--quiet"], repository, {}) == b""


def _on_a_terminal(arguments: list[str], folder: Path, environment: dict[str, str]) -> bytes:
    """Standard error of a command whose standard error is a terminal."""
    ours, theirs = pty.openpty()
    inherited = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "FORCE_COLOR"}}
    inherited |= {"PYTHONPATH": str(PROJECT), "TERM": "xterm-256color", **environment}
    try:
        subprocess.run(
            [sys.executable, "-m", "resolver", *arguments], cwd=folder, env=inherited, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=theirs, check=True, timeout=120,
        )  # fmt: skip
        os.write(theirs, b"\0")
        return _read_to(ours, b"\0")
    finally:
        os.close(theirs)
        os.close(ours)


def _read_to(descriptor: int, end: bytes) -> bytes:
    written = b""
    while not written.endswith(end):
        written += os.read(descriptor, 65536)
    return written.removesuffix(end)


def test_printable() -> None:
    assert printable("a\tb") == "a\tb"
    assert printable("a\nb\x1b\x7f\x85\u2028\ud800") == "a\\x0ab\\x1b\\x7f\\x85\\u2028\\ud800"
    assert source_line("\tx = 1\r\n") == "    x = 1"
    assert printable_json(b'"\x7f\xc2\x9b\xe2\x80\xae\xc3\xbc"') == b'"\\u007f\\u009b\\u202e\xc3\xbc"'
    assert xml_text("a\x1bb\x85") == "a\\x1bb\x85"
    assert printable_xml("<a>\x85</a>\n") == "<a>&#x85;</a>\n"
    assert (counted(1, "file"), counted(1234, "file"), counted(2, "is", "are")) == ("1 file", "1,234 files", "2 are")


def test_decorated(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    with Path(os.devnull).open("w", encoding="utf-8") as nobody:
        assert decorated(nobody) is False
        monkeypatch.setenv("FORCE_COLOR", "1")
        assert decorated(nobody) is True
        monkeypatch.setenv("TERM", "dumb")
        assert decorated(nobody) is False
