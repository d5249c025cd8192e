"""How commands end: exit codes, one line on standard error, a document with `--json`, and never a traceback."""

import errno
import os
from pathlib import Path

import pytest

from resolver.cli.errors import CODES, Exit, explain
from tests.cli.conftest import Answer, Run


def ended(answer: Answer, code: int, word: str) -> dict[str, object]:
    """Checks an error that was asked for with `--json`, and gives what its document says."""
    error = answer.json["error"]
    assert (answer.code, error["code"], error["exit"]) == (code, word, code)
    assert answer.stderr.startswith("tieline: ")
    assert answer.stderr.count("\n") == 1
    assert error["message"] in answer.stderr
    assert "Traceback" not in answer.stderr
    return error


def test_no_index(repository: Path, run: Run) -> None:
    error = ended(run("at", "app.py:1:1", "--json"), Exit.NO_INDEX, "no-index")
    assert "tieline index" in str(error["message"])


def test_without_json_standard_output_stays_empty(repository: Path, run: Run) -> None:
    answer = run("at", "app.py:1:1")
    assert (answer.code, answer.stdout) == (4, "")
    assert answer.stderr.startswith("tieline: no index in ")


@pytest.mark.parametrize("place", ["app.py", "app.py:0:1", "app.py:1:0", "app.py:x", ":1", "", "app.py:99999999999"])
def test_a_place_that_is_none(indexed: Path, run: Run, place: str) -> None:
    ended(run("at", place, "--json"), Exit.USAGE, "bad-input")


@pytest.mark.parametrize("place", ["app.py:9999:1", "app.py:1:9999", "app.py:9999"])
def test_a_place_that_the_file_does_not_have(indexed: Path, run: Run, place: str) -> None:
    ended(run("at", place, "--json"), Exit.USAGE, "no-such-place")


def test_a_file_that_is_not_indexed(indexed: Path, run: Run) -> None:
    error = ended(run("at", "nothing.py:1:1", "--json"), Exit.USAGE, "unknown-file")
    assert "nothing.py" in str(error["message"])


def test_a_path_outside_of_the_root(indexed: Path, run: Run, tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text("x = 1\n", encoding="utf-8")
    ended(run("at", "../other.py:1:1", "--root", indexed, "--json"), Exit.USAGE, "outside-root")


def test_an_unknown_command_has_neighbours(run: Run) -> None:
    answer = run("indx", "--json")
    error = ended(answer, Exit.USAGE, "bad-usage")
    assert error["near"] == ["index"]


@pytest.mark.parametrize("arguments", [["at"], ["at", "--nonsense"], ["index", "--jobs", "many"], ["index", "a", "b"]])
def test_bad_usage(run: Run, arguments: list[str]) -> None:
    ended(run(*arguments, "--json"), Exit.USAGE, "bad-usage")


def test_no_command_shows_the_help(run: Run) -> None:
    answer = run()
    assert answer.code == 2
    assert "Usage: tieline" in answer.stderr


def test_a_root_that_is_not_there(run: Run, tmp_path: Path) -> None:
    ended(run("stats", "--root", tmp_path / "nowhere", "--json"), Exit.USAGE, "no-such-path")


def test_a_file_in_place_of_a_folder(repository: Path, run: Run) -> None:
    ended(run("index", "app.py", "--json"), Exit.USAGE, "not-a-folder")
    ended(run("stats", "--root", "app.py", "--json"), Exit.USAGE, "not-a-folder")


def test_two_folders_to_index(repository: Path, run: Run, tmp_path: Path) -> None:
    ended(run("index", repository, "--root", tmp_path, "--json"), Exit.USAGE, "bad-input")


def test_an_index_folder_that_cannot_be_made(repository: Path, run: Run) -> None:
    (repository / "taken").write_text("", encoding="utf-8")
    answer = run("index", "--index-dir", repository / "taken", "--json")
    assert answer.code == Exit.USAGE
    assert "taken" in answer.json["error"]["message"]


def test_a_foreign_file_is_left_alone(repository: Path, run: Run) -> None:
    folder = repository / ".tieline"
    folder.mkdir()
    (folder / "index.db").write_bytes(b"somebody else's notes" * 100)

    ended(run("stats", "--json"), Exit.USAGE, "foreign-index")
    ended(run("index", "--json"), Exit.USAGE, "foreign-index")
    assert (folder / "index.db").read_bytes() == b"somebody else's notes" * 100


def test_a_damaged_index_is_told_and_rebuilt(indexed: Path, run: Run) -> None:
    path = indexed / ".tieline" / "index.db"
    data = bytearray(path.read_bytes())
    data[8192:] = bytes(len(data) - 8192)
    path.write_bytes(data)

    ended(run("stats", "--json"), Exit.NO_INDEX, "damaged-index")
    assert run("index").code == 0
    assert run("stats").code == 0


def test_a_bad_configuration(repository: Path, run: Run) -> None:
    (repository / "tieline.toml").write_text("max_file_size = 'big'\n", encoding="utf-8")
    error = ended(run("index", "--json"), Exit.USAGE, "bad-configuration")
    assert "max_file_size" in str(error["message"])


def test_a_full_disk() -> None:
    told = explain(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/somewhere/index.db"))
    assert told is not None
    assert (told.code, told.exit) == ("disk-full", Exit.PARTIAL)
    assert "/somewhere/index.db" in told.line


def test_every_error_that_has_a_code_is_there() -> None:
    for module, name in CODES:
        assert isinstance(getattr(__import__(module, fromlist=[name]), name), type)


def test_a_fault_of_tieline_leaves_its_traceback_in_a_file(
    indexed: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("no such luck")

    monkeypatch.setattr("graph.query.stats", broken)
    answer = run("stats", "--json")

    error = ended(answer, Exit.INTERNAL, "internal")
    written = Path(str(error["traceback"]))
    assert written.parent == indexed / ".tieline"
    assert "RuntimeError: no such luck" in written.read_text(encoding="utf-8")
    monkeypatch.setenv("TIELINE_DEBUG", "1")
    assert "Traceback (most recent call last)" in run("stats").stderr


def test_the_traceback_lies_beside_the_index_that_is_meant(
    indexed: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("no such luck")

    monkeypatch.setattr("graph.query.stats", broken)
    here = tmp_path / "here"
    (here / ".tieline").mkdir(parents=True)
    monkeypatch.chdir(here)
    by_root = run("stats", "--root", indexed, "--json").json["error"]["traceback"]
    assert Path(by_root).parent == indexed / ".tieline"
    other = tmp_path / "other"
    run("index", indexed, "--index-dir", other)
    by_folder = run("stats", "--root", indexed, "--index-dir", other, "--json").json["error"]["traceback"]
    assert Path(by_folder).parent == other
    assert list((here / ".tieline").iterdir()) == []


def test_interrupted(indexed: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("graph.query.stats", stopped)
    answer = run("stats")
    assert (answer.code, answer.stdout, answer.stderr.strip()) == (130, "", "tieline: interrupted")
    assert ended(run("stats", "--json"), Exit.INTERRUPTED, "interrupted")["message"] == "interrupted"


def test_a_threshold(indexed: Path, run: Run) -> None:
    assert run("stats", "--min-rate", "0").code == 0
    answer = run("stats", "--min-rate", "1", "--json")
    assert answer.code == Exit.NOTHING
    assert answer.json["languages"]["python"]["rates"]["all_known"]["merged"] < 1
