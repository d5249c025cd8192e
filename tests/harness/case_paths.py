"""Which case files there are."""

import os
from pathlib import Path

from tests.harness.command_line import PROJECT

OWN_CASES = PROJECT / "tests" / "cases"


def case_paths() -> dict[str, Path]:
    """Every case by its test name: those of this project, and those of a `shared/cases` folder beside the checkout.

    TIELINE_SHARED_CASES names another folder. A shared case that is here too, byte for byte, is run once.
    """
    cases = {path.stem: path for path in sorted(OWN_CASES.glob("*.case"))}
    shared = Path(os.environ.get("TIELINE_SHARED_CASES") or PROJECT.parent / "shared" / "cases")
    for path in sorted(shared.glob("*.case")):
        own = cases.get(path.stem)
        if own is None or own.read_bytes() != path.read_bytes():
            cases[f"shared/{path.stem}"] = path
    return cases
