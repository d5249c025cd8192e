"""The wheel's hot modules are compiled to C (mypyc) where there is a C compiler; the same sources run without it too.

Linking and the extraction of Python are bound by what the interpreter does for each node: compiled, they take two
thirds of the time, and give the same index. Nothing else depends on it: an editable installation, and a machine
without a compiler, run the sources. `TIELINE_COMPILE=0` says not to compile, `TIELINE_COMPILE=1` that it must work.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

MODULES = (
    "graph/extract/builder.py",
    "graph/extract/sweep.py",
    "graph/index/linking.py",
    "graph/index/reading.py",
    "graph/index/slots.py",
    "graph/index/spool.py",
    "graph/index/storing.py",
    "graph/index/visible.py",
    "graph/languages/facts.py",
    "graph/languages/python/*.py",
    "graph/link/*.py",
    "graph/source/*.py",
)
"""What is compiled: what runs for every node, expression or reference. Patterns, relative to the project."""
DATA = frozenset({"__init__.py", "standard.py", "outline.py"})
"""File names of modules that only hold data: nothing to gain."""
GROUP = "tieline"
"""The compiled modules share one library of this name."""
SECONDS = 900

_SETUP = """
import sys
from setuptools import setup
from mypyc.build import mypycify

modules = mypycify(
    ["--ignore-missing-imports", *sys.argv[2:]],
    opt_level="2", debug_level="0", multi_file=True, group_name=sys.argv[1],
)
# Names without folders: the library of the group is found beside the packages.
sys.argv[1:] = ["build_ext", "--inplace", "--parallel", "2"]
setup(name="tieline-compiled", packages=[], ext_modules=modules)
"""


class CompiledModules(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the compiled modules to a wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, unless the wheel is an editable one. `version` is the kind of the wheel, as hatchling names it."""
        wish = os.environ.get("TIELINE_COMPILE", "")
        if version == "editable" or wish == "0":
            return
        root = Path(self.root)
        folder = Path(tempfile.mkdtemp(prefix="tieline-compile-"))
        try:
            problem = _compile(root, folder)
            if problem:
                if wish == "1":
                    raise RuntimeError(f"the modules of TIELINE_COMPILE=1 could not be compiled: {problem}")
                self.app.display_warning(f"nothing is compiled, the sources are used: {problem}")
                return
            # Hatchling reads them after this hook has ended, and has no hook for when the wheel is written.
            kept = root / "build" / "compiled"
            shutil.rmtree(kept, ignore_errors=True)
            for library in sorted(folder.rglob(f"*{sysconfig.get_config_var('EXT_SUFFIX')}")):
                inside = library.relative_to(folder)
                if inside.parts[0] == "build":
                    continue
                (kept / inside).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(library, kept / inside)
                build_data["force_include"][str(kept / inside)] = inside.as_posix()
            build_data["pure_python"] = False
            build_data["infer_tag"] = True
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def _compile(root: Path, folder: Path) -> str:
    """Compile into a copy of the sources in `folder`; why it did not work, '' when it did."""
    if sys.implementation.name != "cpython":
        return f"mypyc compiles for CPython, this is {sys.implementation.name}"
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    if shutil.which(os.environ.get("CC", compiler).split()[0]) is None:
        return "there is no C compiler"
    shutil.copytree(root / "graph", folder / "graph", ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    modules = sorted(
        path.relative_to(root).as_posix() for pattern in MODULES for path in root.glob(pattern) if path.name not in DATA
    )
    (folder / "setup.py").write_text(_SETUP, encoding="utf-8")
    command = [sys.executable, "setup.py", GROUP, *modules]
    try:
        done = subprocess.run(
            command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if done.returncode != 0:
        return "\n".join((done.stdout + done.stderr).strip().splitlines()[-12:])
    return ""
