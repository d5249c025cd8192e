"""`contexts` and `resolve`, without a server and with a real one."""

from pathlib import Path

import click
import pytest

from resolver.cli.base import mebibytes, seconds
from tests.cli.conftest import Run


def test_contexts(indexed: Path, run: Run) -> None:
    (indexed / "old.py").write_bytes("# coding: latin-1\nx = 'ü'\n".encode("latin-1"))
    run("index")

    document = run("contexts", "--json").json
    (context,) = document["contexts"]
    assert context["name"].startswith("python:.@")
    assert (context["server"], context["files"], context["adds"], context["health"]) == ("pyright", 2, 2, "not-asked")
    assert [(row["path"], row["language"]) for row in document["uncovered"]] == [("old.py", "python")]
    text = run("contexts").stdout
    assert "python:.@" in text
    assert "1 file is covered by no context" in text
    assert "old.py" in text
    assert "the server reads UTF-8" in text


def test_no_contexts(repository: Path, run: Run) -> None:
    for path in repository.glob("*.py"):
        path.unlink()
    run("index")

    answer = run("contexts")
    assert answer.code == 1
    assert "no contexts" in answer.stdout
    assert run("resolve").code == 0


def test_an_interpreter_that_is_not_there(indexed: Path, run: Run) -> None:
    for command in ("contexts", "resolve"):
        answer = run(command, "--python", indexed / "nowhere", "--json")
        assert (answer.code, answer.json["error"]["code"]) == (2, "bad-context")


def test_a_context_that_is_not_there(indexed: Path, run: Run) -> None:
    answer = run("resolve", "--context", "python:elsewhere@x", "--json")
    assert (answer.code, answer.json["error"]["code"]) == (2, "unknown-context")
    assert "python:.@" in answer.stderr


def test_wrong_options(indexed: Path, run: Run) -> None:
    answer = run("resolve", "--language", "cobol", "--json")
    assert (answer.code, answer.json["error"]["code"]) == (2, "unknown-language")
    assert run("resolve", "--budget", "soon").code == 2
    assert run("resolve", "nowhere", "--wait", "x").code == 2


@pytest.mark.parametrize(("text", "expected"), [("90", 90.0), ("1.5s", 1.5), ("5m", 300.0), ("1h", 3600.0)])
def test_time_spans(text: str, expected: float) -> None:
    option = click.Option(["--budget"])
    assert seconds(click.Context(click.Command("x")), option, text) == expected


@pytest.mark.parametrize(("text", "expected"), [("800M", 800), ("4G", 4096), ("1.5g", 1536), ("2GiB", 2048)])
def test_amounts_of_memory(text: str, expected: int) -> None:
    assert mebibytes(click.Context(click.Command("x")), click.Option(["--max-memory"]), text) == expected


@pytest.mark.parametrize("text", ["much", "0G", "-1M", "5"])
def test_no_amounts_of_memory(text: str) -> None:
    with pytest.raises(click.BadParameter):
        mebibytes(click.Context(click.Command("x")), click.Option(["--max-memory"]), text)


def test_a_revision_that_is_none(indexed: Path, run: Run) -> None:
    answer = run("resolve", "--changed", "nothing", "--json")
    assert (answer.code, answer.json["error"]["code"]) == (2, "bad-revision")


def test_settings_that_a_repository_may_not_make(
    indexed: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIELINE_SERVERS_DIR", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (indexed / "tieline.toml").write_text("[servers.pyright]\ncommand = ['./evil']\n", encoding="utf-8")
    assert run("resolve", "--json").json["ignored_settings"] == ["pyright.command"]
    assert "pyright.command: that counts with --trust only" in run("resolve").stderr
    assert "./evil is not there" in run("resolve", "--trust").stdout


def test_servers_install_all_takes_no_names(run: Run) -> None:
    assert run("servers", "install", "pyright", "--all").code == 2
    assert run("servers", "--all").code == 2


def test_resolve_needs_an_index(repository: Path, run: Run) -> None:
    assert run("resolve").code == 4
    assert run("contexts").code == 4


def test_resolve_without_a_server(indexed: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIELINE_SERVERS_DIR", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    answer = run("resolve", "--json")

    assert answer.code == 5
    assert answer.json["contexts"][0]["problem"]
    assert "failed: " in run("resolve").stdout
    assert run("at", "app.py:15:15", "--json").json["reference"]["verdict"] == "syntactic"


@pytest.mark.server
def test_resolve_with_pyright(indexed: Path, run: Run) -> None:
    answer = run("resolve", "--all", "--json")

    assert (answer.code, answer.stderr) == (0, "")
    (context,) = answer.json["contexts"]
    assert context["answers"]["resolved"] > 0
    assert context["problem"] is None
    reference = run("at", "app.py:15:15", "--json").json["reference"]
    assert reference["verdict"] == "confirmed"
    assert [claim["layer"] for claim in reference["targets"][0]["layers"]] == ["syntactic", "semantic"]
    assert reference["targets"][0]["layers"][1]["contexts"] == [context["name"]]
    assert "semantic pyright" in run("at", "app.py:15:15").stdout
    assert run("contexts", "--json").json["contexts"][0]["health"] == "ready"

    text = run("resolve", "app.py", "--all", "--again").stdout
    assert "asked about" in text
    assert "in 1 file" in text
    assert run("stats", "--json").json["languages"]["python"]["merged"]["confirmed"] > 0

    (indexed / "app.py").write_text((indexed / "app.py").read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert run("index").code == 0
    assert run("at", "shapes.py:13:21", "--json").json["reference"]["verdict"] == "confirmed"


def test_resolve_brings_the_index_up_to_date(
    indexed: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIELINE_SERVERS_DIR", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    (indexed / "app.py").write_text("\n" + (indexed / "app.py").read_text(encoding="utf-8"), encoding="utf-8")
    (indexed / "new.py").write_text("import app\n", encoding="utf-8")
    document = run("resolve", "--json").json

    assert (document["index"]["full"], document["index"]["extracted"]) == (False, 2)
    answer = run("at", "app.py:16:15", "--json").json
    assert answer["fresh"]
    assert answer["reference"]["verdict"] == "syntactic"
    assert run("resolve", "--json").json["index"]["extracted"] == 0
