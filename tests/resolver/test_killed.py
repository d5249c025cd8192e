"""A server that is killed, at moments that nobody chose, costs the answers in flight; the next run brings them."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pytest

from graph.query import dump, snapshot
from graph.store import Store
from lsp_clients import ServerSettings, list_servers, load_settings
from resolver.semantic import ResolveOptions, ResolveReport, resolve
from tests.harness.indexing import Repository
from tests.lsp_clients.support import are_gone
from tests.resolver.support import update, wrong_verdicts

pytestmark = pytest.mark.server

KILLS = 10
FILES = 12
CALLS = 60
_POLL_SECONDS = 0.02

PYTHON = {
    f"m{n}.py": f"from lib import make\n\n\ndef f{n}():\n" + "    make().run()\n" * CALLS for n in range(FILES)
} | {"lib.py": "class Base:\n    def run(self): ...\n\n\ndef make(): return Base()\n"}
GO = {f"m{n}.go": f"package main\n\nfunc f{n}() {{\n" + "\tMake().Run()\n" * CALLS + "}\n" for n in range(FILES)} | {
    "go.mod": "module example.com/m\n\ngo 1.22\n",
    "main.go": "package main\n\ntype Base struct{}\n\nfunc (Base) Run() {}\n\nfunc main() {}\n",
    "make.go": "package main\n\nfunc Make() Base { return Base{} }\n",
}
TYPESCRIPT = {
    f"m{n}.ts": f"import {{ make }} from './lib';\nexport function f{n}() {{\n" + "  make().run();\n" * CALLS + "}\n"
    for n in range(FILES)
} | {
    "tsconfig.json": "{}",
    "lib.ts": "export class Base { run() {} }\nexport function make() { return new Base(); }\n",
}
JAVA = {
    f"p/M{n}.java": f"package p;\nclass M{n} {{\n  void f() {{\n" + "    Lib.make().run();\n" * CALLS + "  }\n}\n"
    for n in range(FILES)
} | {"p/Lib.java": "package p;\nclass Lib {\n  static Lib make() { return new Lib(); }\n  void run() {}\n}\n"}
RUST = {
    f"src/m{n}.rs": f"use crate::lib_::make;\npub fn f{n}() {{\n" + "    make().run();\n" * CALLS + "}\n"
    for n in range(FILES)
} | {
    "Cargo.toml": '[package]\nname = "m"\nversion = "0.1.0"\nedition = "2021"\n',
    "src/lib.rs": "pub mod lib_;\n" + "".join(f"pub mod m{n};\n" for n in range(FILES)),
    "src/lib_.rs": "pub struct Base;\nimpl Base { pub fn run(&self) {} }\npub fn make() -> Base { Base }\n",
}
REPOSITORIES = {
    "pyright": PYTHON,
    "gopls": GO,
    "typescript-language-server": TYPESCRIPT,
    "rust-analyzer": RUST,
    "jdtls": JAVA,
}


@dataclass
class Killer:
    """Kills whatever this process starts as a server."""

    moments: random.Random
    within: float
    """Seconds after its start at which a server is killed at the latest."""
    killed: list[int] = field(default_factory=list[int])
    ended: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        due: dict[int, float] = {}
        while len(self.killed) < KILLS and not self.ended.wait(_POLL_SECONDS):
            for pid in _servers():
                moment = due.setdefault(pid, time.monotonic() + self.moments.uniform(0, self.within))
                if time.monotonic() >= moment and pid not in self.killed:
                    with suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
                    self.killed.append(pid)


def _servers() -> list[int]:
    """Children in a session of their own: workers are in ours."""
    found: list[int] = []
    with suppress(psutil.Error):
        for child in psutil.Process().children():
            with suppress(psutil.Error, ProcessLookupError):
                if os.getsid(child.pid) == child.pid and child.status() != psutil.STATUS_ZOMBIE:
                    found.append(child.pid)
    return found


@contextmanager
def killing(within: float, seed: int) -> Generator[Killer]:
    killer = Killer(random.Random(seed), within)
    thread = threading.Thread(target=killer.run, daemon=True)
    thread.start()
    try:
        yield killer
    finally:
        killer.ended.set()
        thread.join()


def pass_over(repository: Repository, settings: dict[str, ServerSettings]) -> ResolveReport:
    options = ResolveOptions(everything=True)
    return resolve(repository.root, folder=repository.folder, options=options, settings=settings)


def everything(repository: Repository) -> list[str]:
    with snapshot(Store(repository.root, repository.folder)) as state:
        return list(dump(state))


@pytest.mark.parametrize("name", REPOSITORIES)
def test_a_server_that_is_killed_at_ten_moments(name: str, tmp_path: Path) -> None:
    row = next(row for row in list_servers() if row.name == name)
    if not row.usable:
        pytest.fail(row.problem)
    settings = load_settings({name: {"restarts": 4 * KILLS}})
    repository = Repository(tmp_path, REPOSITORIES[name])
    undisturbed = tmp_path / "undisturbed"
    disturbed, repository.folder = repository.folder, undisturbed
    update(repository)
    calm = pass_over(repository, settings)
    assert not calm.failed, calm
    expected = everything(repository)

    repository.folder = disturbed
    update(repository)
    (context,) = calm.contexts
    with killing(within=0.8 * (context.start_seconds + context.ask_seconds), seed=len(name)) as killer:
        report = pass_over(repository, settings)
    assert killer.killed
    assert are_gone(killer.killed)
    assert wrong_verdicts(repository) == []
    # Each time, one file at most is set aside.
    (context,) = report.contexts
    assert context.problem == ""
    asked = sum(context.answers.values())
    assert asked == context.asked
    assert context.answers.get("failed", 0) <= len(killer.killed) * (2 * CALLS + 4)

    again = pass_over(repository, settings)
    assert not again.failed, again
    assert again.contexts[0].asked == context.answers.get("failed", 0)
    assert everything(repository) == expected
