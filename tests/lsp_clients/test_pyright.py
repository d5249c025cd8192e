"""A real pyright on small repositories. The expected places are marked in the sources (see `marked`)."""

import asyncio
import subprocess
import sys
from contextlib import aclosing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import xxhash

from lsp_clients import (
    Canary,
    Empty,
    FileSites,
    Located,
    Outcome,
    Server,
    SessionInfo,
    Workspace,
    adapter_for,
    list_servers,
    load_settings,
)
from tests.lsp_clients.marked import Repository, labels, repository
from tests.lsp_clients.support import LIMIT_SECONDS

pytestmark = pytest.mark.server


@pytest.fixture(scope="module", autouse=True)
def installed() -> None:
    row = next(row for row in list_servers() if row.name == "pyright")
    if not row.usable:
        pytest.fail(f"{row.problem} (or `python -c 'import lsp_clients; lsp_clients.install(\"pyright\")'`)")


@dataclass(frozen=True)
class Run:
    info: SessionInfo
    outcomes: list[Outcome]


def run(repo: Repository, *, canaries: tuple[Canary, ...] = (), expected: int | None = None, **overlay: Any) -> Run:
    """Asks about every site, in order."""
    interpreter: Path = overlay.pop("interpreter", Path(sys.executable))
    settings = load_settings({"pyright": overlay})["pyright"]

    async def work() -> Run:
        server = Server(
            adapter_for("pyright"),
            settings,
            Workspace(repo.root, interpreter),
            canaries=canaries,
            files_expected=expected,
        )
        async with asyncio.timeout(LIMIT_SECONDS), server:
            info = await server.start()
            assert info is not None, server.report
            outcomes = [answer.outcome async for answer in server.ask(repo.files)]
        assert not server.report.crashes
        return Run(info, outcomes)

    return asyncio.run(work())


SMALL = {
    "pkg/__init__.py": "",
    "pkg/base.py": "class ‹Base›Base:\n    def ‹run›run(self): ...\n\n\ndef ‹make›make() -> Base: ...\n",
    "pkg/use.py": (
        "from pkg.base import «make», «Base» as B\n\n\nclass Sub(«B»):\n    pass\n\n\n"
        "«make»().«run»()\nSub().«run»()\n«len»([])\n«nothing»()\n"
    ),
}
SMALL_ANSWERS = [["make"], ["Base"], ["Base"], ["make"], ["run"], ["run"], ["builtins.pyi"], []]


def test_calls_imports_and_bases_lead_to_their_definitions(tmp_path: Path) -> None:
    repo = repository(tmp_path, SMALL)
    got = run(repo)
    assert [labels(repo, outcome) for outcome in got.outcomes] == SMALL_ANSWERS
    assert got.outcomes[-1] == Empty()
    assert got.info.version == load_settings()["pyright"].version
    assert (got.info.files_found, got.info.encoding) == (3, "utf-16")


def test_an_answer_has_the_hash_and_the_range_of_the_target(tmp_path: Path) -> None:
    repo = repository(tmp_path, SMALL)
    outcome = run(repo).outcomes[0]
    assert isinstance(outcome, Located)
    content = repo.files[1].content
    (location,) = outcome.locations
    assert content[location.start : location.end] == b"make"
    assert location.digest == xxhash.xxh3_64_hexdigest(content)


def test_the_number_in_flight_and_the_groups_change_no_answer(tmp_path: Path) -> None:
    repo = repository(tmp_path, SMALL)
    usual = run(repo).outcomes
    assert run(repo, in_flight=1).outcomes == usual
    assert run(repo, group_mib=0.00001).outcomes == usual


def test_leaving_external_stubs_unmapped_changes_no_answer_in_the_repository(tmp_path: Path) -> None:
    repo = repository(
        tmp_path,
        {
            **SMALL,
            # A stub beside its source, in the repository: the source is the answer.
            "both.pyi": "def ‹stub›f() -> int: ...\n",
            "both.py": "def ‹source›f():\n    return 1\n",
            "ask.py": "import json\nfrom both import f\n\n«f»()\njson.«dumps»(1)\n",
        },
    )
    fast, slow = (run(repo, settings={"map_external_stubs": value}) for value in (False, True))
    assert "external stubs are not mapped" in fast.info.notes
    assert not slow.info.notes
    *inside, dumps = (labels(repo, outcome) for outcome in fast.outcomes)
    assert inside == [*SMALL_ANSWERS, ["source"]]
    assert dumps == ["__init__.pyi"]
    # What is switched off: the stub of json leads on to its source.
    *inside, dumps = (labels(repo, outcome) for outcome in slow.outcomes)
    assert inside == [*SMALL_ANSWERS, ["source"]]
    assert dumps == ["__init__.py"]


@pytest.mark.parametrize(
    ("target", "use"),
    [
        ("# 😀é\n" + "def ‹t›t(): ...\n", "'😀é𝒳'; from target import t; '漢😀'; «t»()\n"),
        ("x = 1\r\n\r\ndef ‹t›t(): ...\r\n", "x = '😀'\r\nfrom target import t\r\n\t\r\n«t»()\r\n"),
        ("x = 1\r\rdef ‹t›t(): ...\r", "x = 1\rfrom target import t\r«t»()\r"),
        ("\ufeffdef ‹t›t(): ...\n", "\ufefffrom target import «t»\n"),
        ("if 1:\n\tdef ‹t›t(): ...\n", "if 1:\n\tfrom target import t;\tx = '\t\u2028'; «t»()\n"),
        ("x = '''\n\x0c\u2028\u0085'''\ndef ‹t›t(): ...\n", "'''\x0c\u2028\u0085'''; from target import «t»\n"),
    ],
    ids=["astral", "crlf", "cr", "bom", "tabs", "not line ends"],
)
def test_positions_survive(tmp_path: Path, target: str, use: str) -> None:
    repo = repository(tmp_path, {"target.py": target, "use.py": use})
    both = [labels(repo, outcome) for outcome in run(repo).outcomes]
    # Again with the target not opened, so that pyright reads it from the disk.
    alone = [labels(repo, outcome) for outcome in run(replace(repo, files=repo.files[1:])).outcomes]
    assert both == alone == [["t"]]


def test_the_bytes_given_count_not_the_disk(tmp_path: Path) -> None:
    repo = repository(tmp_path, SMALL)
    for path, _, _ in repo.files:
        Path(path).write_bytes(b"")
    assert [labels(repo, outcome) for outcome in run(repo).outcomes] == SMALL_ANSWERS


def test_a_file_that_is_not_utf_8_is_answered_where_it_can_be(tmp_path: Path) -> None:
    repo = repository(tmp_path, {"target.py": "def ‹t›t(): ...\n"})
    content = "# coding: latin-1\n# ä\nfrom target import t\nt()\n".encode("latin-1")
    path = repo.root / "use.py"
    path.write_bytes(content)
    asked = FileSites(str(path), content, (content.index(b"\xe4") + 1, content.rindex(b"t()")))
    failed, answered = run(replace(repo, files=[asked])).outcomes
    assert "is not UTF-8" in str(failed)
    assert labels(repo, answered) == ["t"]


def test_each_interpreter_has_its_own_packages(tmp_path: Path) -> None:
    repo = repository(tmp_path / "repo", {"use.py": "import only\n\nonly.«f»()\n"})
    interpreters: list[Path] = []
    for name in ("with", "without"):
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / name)], check=True)
        interpreters.append(tmp_path / name / "bin/python")
    (packages,) = (tmp_path / "with/lib").glob("python3*/site-packages")
    (packages / "only.py").write_text("def f(): ...\n")
    found, missing = (run(repo, interpreter=interpreter).outcomes for interpreter in interpreters)
    assert [labels(repo, outcome) for outcome in (*found, *missing)] == [["only.py"], []]


def test_a_configuration_that_hides_files_is_reported(tmp_path: Path) -> None:
    repo = repository(tmp_path, SMALL)
    (tmp_path / "pyproject.toml").write_text('[tool.pyright]\ninclude = ["pkg/base.py"]\n')
    got = run(repo, expected=3)
    assert (got.info.files_found, got.info.files_expected) == (1, 3)
    assert any("sees 1 source files where 3 are expected" in note for note in got.info.notes)
    # Asked about all the same, and right: what is hidden is the files that lead here, not the way from here.
    assert [labels(repo, outcome) for outcome in got.outcomes] == SMALL_ANSWERS


def test_the_canary_passes(tmp_path: Path) -> None:
    repo = repository(tmp_path, SMALL)
    path, content, offsets = repo.files[2]
    canary = Canary(path, content, offsets[3], *repo.place("make"))
    assert [labels(repo, outcome) for outcome in run(repo, canaries=(canary,)).outcomes] == SMALL_ANSWERS


def test_leaving_the_loop_early_and_asking_again(tmp_path: Path) -> None:
    repo = repository(tmp_path, SMALL)

    async def work() -> list[list[str]]:
        settings = load_settings()["pyright"]
        server = Server(adapter_for("pyright"), settings, Workspace(repo.root, Path(sys.executable)))
        async with asyncio.timeout(LIMIT_SECONDS), server:
            async with aclosing(server.ask(repo.files)) as answers:
                async for answer in answers:
                    assert labels(repo, answer.outcome) == SMALL_ANSWERS[0]
                    break
            return [labels(repo, answer.outcome) async for answer in server.ask(repo.files)]

    assert asyncio.run(work()) == SMALL_ANSWERS


def test_an_unknown_build_of_pyright_is_started_as_it_is(tmp_path: Path) -> None:
    dist = tmp_path / "dist"
    dist.mkdir()
    (dist / "pyright-internal.js").write_text("exports.modules = { 1(module, exports) {} };\n")
    (dist / "pyright-langserver.js").write_text("process.stdout.write('started');\n")
    launcher = Path(adapter_for.__code__.co_filename).with_name("servers") / "pyright_launcher.cjs"
    done = subprocess.run(
        ["node", str(launcher)],
        env={"PATH": "/usr/local/bin:/usr/bin:/bin", "TIELINE_PYRIGHT": str(tmp_path), "TIELINE_ROOT": "/nowhere"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "started"
    assert adapter_for("pyright").notes(done.stderr) == ("this pyright build is unknown: external stubs are mapped",)
