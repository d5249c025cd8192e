"""Which pyright checks this project."""

import os
from pathlib import Path

import pytest

from tests.harness.strict_types import find_pyright, main


def test_the_most_recently_installed_pyright_is_taken(tmp_path: Path) -> None:
    assert find_pyright(tmp_path) is None
    for seconds, folder in ((2, "pyright/2"), (1, "pyright/10")):
        command = tmp_path / folder / "node_modules/.bin/pyright"
        command.parent.mkdir(parents=True)
        command.touch()
        os.utime(command, (seconds, seconds))
    assert find_pyright(tmp_path) == tmp_path / "pyright/2/node_modules/.bin/pyright"


def test_without_pyright_the_check_fails_and_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TIELINE_SERVERS_DIR", str(tmp_path))
    assert main() == 2
    assert "tieline servers install pyright" in capsys.readouterr().err
