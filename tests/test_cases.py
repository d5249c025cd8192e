"""Every case, answered by the command line with the syntactic layer alone."""

from functools import partial
from pathlib import Path

import pytest

from tests.harness import command_line
from tests.harness.case_file import read_case
from tests.harness.case_paths import case_paths
from tests.harness.check import Mode, check_case

CASES = case_paths()


@pytest.mark.parametrize("name", CASES)
def test_syntactic_layer_alone(name: str, tmp_path: Path) -> None:
    case = read_case(CASES[name])
    case.write(tmp_path)
    command_line.index(tmp_path)
    faults = check_case(case, partial(command_line.at, tmp_path), Mode.SYNTACTIC)
    assert not faults, "\n".join([case.title, *map(str, faults)])
