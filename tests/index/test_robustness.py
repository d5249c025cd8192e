"""What a run survives: files that kill their worker, interruption, death at any moment; and that workers change
nothing.
"""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from graph.extract import pool
from graph.index import IndexOptions, build_index, full, reading
from graph.inventory import InventoryEntry, Reason, Unreadable
from graph.languages.base import Language
from graph.languages.facts import extract as real_extract
from graph.model import FileFacts
from graph.query import at, coverage, find_symbol, refs, snapshot, source_of, status
from graph.store import Store
from tests.harness.command_line import PROJECT
from tests.harness.indexing import Repository, write_files

FILES = {
    f"pkg/m{number}.py": f"from pkg.m{number - 1} import f{number - 1}\n\n\n"
    f"def f{number}():\n    return f{number - 1}()\n"
    for number in range(1, 40)
} | {"pkg/__init__.py": "", "pkg/m0.py": "def f0():\n    return 0\n"}


@pytest.fixture
def dangerous(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files whose name says how their worker dies."""

    def extract(language: Language, path: str, source: bytes) -> FileFacts:
        if "crash" in path:
            os.kill(os.getpid(), signal.SIGKILL)
        if "hang" in path:
            time.sleep(600)
        if "raise" in path:
            raise RuntimeError("no good")
        return real_extract(language, path, source)

    monkeypatch.setattr(reading, "extract", extract)
    monkeypatch.setattr(pool, "GRACE", 1.0)
    monkeypatch.setattr(full, "SECONDS_PER_FILE", 0.05)


@pytest.mark.usefixtures("dangerous")
@pytest.mark.parametrize("incrementally", [False, True])
def test_a_file_that_kills_its_worker_is_recorded_and_costs_nothing_else(tmp_path: Path, incrementally: bool) -> None:
    repository = Repository(tmp_path, FILES)
    bad = {"pkg/crash.py": "x = 1\n", "pkg/hang.py": "y = 2\n", "pkg/raise.py": "z = 3\n"}
    if incrementally:
        repository.index(jobs=2)
    write_files(repository.root, bad)
    report = repository.index(jobs=2)
    reasons = dict(report.failed)
    assert sorted(reasons) == sorted(bad)
    assert "SIGKILL" in reasons["pkg/crash.py"]
    assert "no answer" in reasons["pkg/hang.py"]
    assert "RuntimeError: no good" in reasons["pkg/raise.py"]
    assert report.files == len(FILES) + len(bad)
    with repository.read() as state:
        covered = coverage(state)
        assert [failed.path for failed in covered.failed] == sorted(bad)
        item = at(state, "pkg/m7.py", 5, 12).items[0]
        assert item.reference is not None
        assert [target.definition.id for target in item.reference.targets] == ["pkg/m6.py:function:f6"]


def test_a_failure_of_linking_is_recorded_on_the_references(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from graph.index.linking import Job

    link_one = Job.link_one

    def link(self: Job, linker: object, number: int) -> object:
        if self.references(number).kinds and number == 5:
            os.kill(os.getpid(), signal.SIGKILL)
        return link_one(self, linker, number)  # pyright: ignore[reportArgumentType]  # passed on as it came

    monkeypatch.setattr(Job, "link_one", link)
    repository = Repository(tmp_path, FILES)
    assert "SIGKILL" in dict(repository.index(jobs=2).failed)["pkg/m11.py"]
    with repository.read() as state:
        assert [failed.path for failed in coverage(state).failed] == ["pkg/m11.py"]
        path = state.file(5).path
        item = at(state, path, 5, 12).items[0]
        assert item.reference is not None
        assert item.reference.resolutions[0].status == "failed"
        assert "SIGKILL" in item.reference.reason
        other = at(state, state.file(6).path, 5, 12).items[0]
        assert other.reference is not None
        assert len(other.reference.targets) == 1


def test_a_file_whose_linking_failed_is_linked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from graph.index.linking import Job

    link_one = Job.link_one

    def link(self: Job, linker: object, number: int) -> object:
        if number == 5:
            os.kill(os.getpid(), signal.SIGKILL)
        return link_one(self, linker, number)  # pyright: ignore[reportArgumentType]  # passed on as it came

    repository = Repository(tmp_path, FILES)
    with monkeypatch.context() as patched:
        patched.setattr(Job, "link_one", link)
        assert [path for path, _ in repository.index(jobs=2).failed] == ["pkg/m11.py"]
    # What it asks of others is known again: a change there reaches it.
    again = repository.index()
    assert (again.failed, again.full, again.extracted, again.linked) == ((), False, 0, 1)
    assert repository.dump() == repository.dump_of_fresh()
    write_files(repository.root, {"pkg/m10.py": "f10 = 1\n"})
    repository.index()
    assert repository.dump() == repository.dump_of_fresh()
    assert repository.index().linked == 0


def test_a_file_whose_worker_was_killed_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(language: Language, path: str, source: bytes) -> FileFacts:
        if path == "pkg/m5.py":
            os.kill(os.getpid(), signal.SIGKILL)
        return real_extract(language, path, source)

    repository = Repository(tmp_path, FILES)
    with monkeypatch.context() as patched:
        patched.setattr(reading, "extract", killed)
        assert [path for path, _ in repository.index(jobs=2).failed] == ["pkg/m5.py"]
        assert [path for path, _ in repository.index(jobs=2).failed] == ["pkg/m5.py"]
    again = repository.index()
    assert (again.failed, again.full, again.extracted) == ((), False, 1)
    assert repository.dump() == repository.dump_of_fresh()


@pytest.mark.parametrize("jobs", [2, 3, 7])
def test_the_number_of_workers_changes_no_row(tmp_path: Path, jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(full, "BATCH_BYTES", 300)
    monkeypatch.setattr(full, "LINK_BATCH_BYTES", 3000)
    repository = Repository(tmp_path, FILES)
    repository.index(jobs=1)
    rows = tables(repository.store)
    repository.index(jobs=jobs, full=True)
    assert tables(repository.store) == rows


def tables(store: Store) -> dict[str, list[object]]:
    connection = store.reader()
    names = (
        "file",
        "definition",
        "reference",
        "text",
        "outcome",
        "external",
        "syntactic_target",
        "depends",
        "relation",
    )
    found = {name: connection.execute(f"SELECT * FROM {name} ORDER BY 1, 2").fetchall() for name in names}
    connection.close()
    return found


def test_an_interruption_leaves_the_generation_before_and_no_process(tmp_path: Path) -> None:
    repository = Repository(tmp_path, FILES)
    repository.index()
    before = repository.dump()
    write_files(repository.root, {"pkg/late.py": "def late():\n    pass\n"})
    children: list[int] = []

    def interrupted(stage: str, done: int, total: int) -> None:
        if stage in ("extract", "link") and done:
            children.extend(child_processes())
            raise KeyboardInterrupt

    for all_of_it in (False, True):
        with pytest.raises(KeyboardInterrupt):
            build_index(
                repository.root,
                folder=repository.folder,
                options=IndexOptions(full=all_of_it, jobs=2),
                progress=interrupted,
            )
        assert repository.dump() == before
        assert sorted(path.name for path in repository.folder.iterdir() if path.suffix == ".db") == ["index.db"]
    assert children
    assert not set(children) & set(child_processes())
    assert repository.index().extracted == 1


def child_processes() -> list[int]:
    return [int(pid) for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()]


@pytest.mark.parametrize("full_run", [True, False])
def test_a_kill_at_any_moment_leaves_a_readable_generation(tmp_path: Path, full_run: bool) -> None:
    repository = Repository(tmp_path, FILES)
    repository.index()
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    program = (
        "import sys\nfrom pathlib import Path\n"
        "from graph.index import IndexOptions, build_index\nprint('go', flush=True)\n"
        "build_index(Path(sys.argv[1]), folder=Path(sys.argv[2]), "
        "options=IndexOptions(full=sys.argv[3] == '1', jobs=2))\n"
    )
    chance = random.Random(7)
    arguments = [sys.executable, "-c", program, str(repository.root), str(repository.folder), str(int(full_run))]
    for attempt in range(8):
        states = {tuple(repository.dump())}
        write_files(
            repository.root, {"pkg/m0.py": f"def f0():\n    return {attempt}\n", f"pkg/n{attempt}.py": "x = 1\n"}
        )
        states.add(tuple(repository.dump_of_fresh()))
        process = subprocess.Popen(arguments, stdout=subprocess.PIPE, env=environment)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(chance.random() * 0.25)
        process.kill()
        process.wait()
        process.stdout.close()
        assert tuple(repository.dump()) in states
    repository.index()
    assert repository.dump() == repository.dump_of_fresh()


def test_offsets_are_those_of_the_exact_bytes_whatever_the_encoding(tmp_path: Path) -> None:
    text = "# coding: latin-1\nänderung = 'ö'\n\n\ndef prüfe():\n    return änderung\n\n\nprüfe()\n"
    files = {
        "latin.py": text.encode("latin-1"),
        "utf.py": text.replace("latin-1", "utf-8").encode(),
        "bom.py": b"\xef\xbb\xbf" + text.replace("latin-1", "utf-8").encode(),
        "crlf.py": text.replace("latin-1", "utf-8").replace("\n", "\r\n").encode(),
    }
    repository = Repository(tmp_path, files)
    repository.index()
    for path, encoding in (("latin.py", "latin-1"), ("utf.py", "utf-8"), ("bom.py", "utf-8"), ("crlf.py", "utf-8")):
        with repository.read() as state:
            found = find_symbol(state, f"{path}:function:prüfe")
            data = files[path]
            assert data[found.name_start : found.name_end].decode(encoding) == "prüfe"
            assert (found.line, found.column) == (5, 5)
            source = source_of(state, found)
            assert source is not None
            assert source.replace("\r", "") == "def prüfe():\n    return änderung"
            item = at(state, path, 9, 3).items[0]
            assert item.reference is not None
            assert [target.definition.number for target in item.reference.targets] == [found.number]


def test_what_cannot_be_read_is_left_out_with_its_reason(tmp_path: Path) -> None:
    files = {"ok.py": "x = 1\n", "binary.py": b"x\0y", "broken.py": b"name = '\xff\xfe\xfa'\n", "note.txt": "words"}
    repository = Repository(tmp_path, files)
    assert repository.index().files == 1
    with snapshot(repository.store) as state:
        reasons = {path: reason for path, reason, _ in coverage(state).excluded_paths}
        assert reasons == {"binary.py": "binary", "broken.py": "unsupported-encoding"}
        assert coverage(state).excluded == {"binary": 1, "no-language": 1, "unsupported-encoding": 1}
    assert repository.index().generation == 1


def _refuses(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Let the system refuse a file, as it does not refuse root."""
    access = os.access

    def refuse(path: str | bytes, mode: int, **options: bool) -> bool:
        return not os.fsencode(path).endswith(name.encode()) and access(path, mode, **options)

    monkeypatch.setattr("graph.inventory.decide.os.access", refuse)


@pytest.mark.parametrize("name", ["pkg/m3.py", "pyproject.toml"])
def test_what_may_not_be_read_is_reported_by_every_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    repository = Repository(tmp_path, FILES | {"pyproject.toml": ""})
    with monkeypatch.context() as patched:
        _refuses(patched, name)
        assert repository.index().failed == ((name, "unreadable: permission denied"),)
        assert repository.index().failed == ((name, "unreadable: permission denied"),)
        assert repository.dump() == repository.dump_of_fresh()
    assert repository.index().failed == ()
    assert repository.dump() == repository.dump_of_fresh()


def test_what_cannot_be_read_any_more_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = full.read_file

    def refuse(root: Path, entry: InventoryEntry) -> bytes | Unreadable:
        refused = entry.path == "pkg/m3.py"
        return Unreadable(Reason.UNREADABLE, "input/output error") if refused else read(root, entry)

    repository = Repository(tmp_path, FILES)
    with monkeypatch.context() as patched:
        patched.setattr(reading, "read_file", refuse)
        assert repository.index().failed == (("pkg/m3.py", "unreadable: input/output error"),)
        assert repository.index().failed == (("pkg/m3.py", "unreadable: input/output error"),)
    assert repository.index().failed == ()
    assert repository.dump() == repository.dump_of_fresh()


@pytest.mark.parametrize(
    ("path", "text", "names"),
    [
        ("a.py", "# one\rdef f():\r    return g()\r\rdef g(): pass\r", {"f": 2, "g": 5}),
        ("A.java", "// one\rclass A {\r  void f() {}\r}\r", {"A": 2, "f": 3}),
        ("a.ts", "// one\rfunction f() {}\rclass G {}\r", {"f": 2, "G": 3}),
        ("b.py", "# one\r\n# two\rdef f(): pass\n", {"f": 3}),
        ("a.go", "package p // one\r\nfunc f() {} // a \r func g() {}\n", {"f": 2}),
    ],
)
def test_a_carriage_return_ends_a_line_where_the_language_says_so(
    tmp_path: Path, path: str, text: str, names: dict[str, int]
) -> None:
    repository = Repository(tmp_path, {path: text})
    assert repository.index().failed == ()
    with repository.read() as state:
        found = state.definitions("parent IS NOT NULL", ())
        assert {definition.name: definition.line for definition in found} == names
        data = text.encode()
        assert all(data[one.name_start : one.name_end].decode() == one.name for one in found)
        assert coverage(state).damaged == ()


def test_manifests_are_in_the_listing(tmp_path: Path) -> None:
    repository = Repository(tmp_path, {"pyproject.toml": "", "a.py": "", "sub/setup.py": ""})
    repository.index()
    with repository.read() as state:
        assert coverage(state).manifests == ("pyproject.toml", "sub/setup.py")
        assert status(state).manifests == 2
    lines = [line for line in repository.dump() if line.startswith('{"is":"manifest"')]
    assert ['"path":"pyproject.toml"' in lines[0], '"path":"sub/setup.py"' in lines[1]] == [True, True]


def test_source_files_that_are_ignored_are_counted_as_not_known(tmp_path: Path) -> None:
    files = {".gitignore": "secret.py\nnotes.txt\nbuild/\n", "secret.py": "f()\n", "notes.txt": "", "build/x.py": ""}
    repository = Repository(tmp_path, {**files, "a.py": "def f(): ...\n"})
    repository.index()
    with repository.read() as state:
        listed = [(path, reason) for path, reason, _ in coverage(state).excluded_paths]
        assert listed == [("build", "ignored"), ("secret.py", "ignored")]
        assert refs(state, find_symbol(state, "f")).unknown.excluded_files == 1
    assert repository.index().full is False
    assert repository.dump() == repository.dump_of_fresh()
