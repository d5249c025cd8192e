"""The cases with both layers, through the command line as a user runs it."""

from functools import partial
from pathlib import Path

import pytest

from tests.harness import command_line
from tests.harness.case_file import read_case
from tests.harness.case_paths import case_paths
from tests.harness.check import Mode, check_case
from tests.resolver.support import merged_languages

CASES = case_paths()


@pytest.mark.server
@pytest.mark.usefixtures("pyright")
@pytest.mark.parametrize("name", CASES)
def test_both_layers(name: str, tmp_path: Path) -> None:
    """Where no server knows the language of a case yet, the syntactic answers must stay what they were."""
    case = read_case(CASES[name])
    case.write(tmp_path)
    command_line.index(tmp_path)
    command_line.tieline("resolve", "--all", "--root", str(tmp_path))
    mode = Mode.MERGED if merged_languages(tmp_path) else Mode.SYNTACTIC
    faults = check_case(case, partial(command_line.at, tmp_path), mode)
    assert not faults, "\n".join([case.title, *map(str, faults)])
