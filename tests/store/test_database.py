"""The index as a file: what can lie in its place, who reads while somebody writes, and the one writer."""

import os
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from graph.index import IndexOptions, build_index
from graph.query import find_symbols, snapshot
from graph.store import (
    BusyIndexError,
    DamagedIndexError,
    DiskFullError,
    ForeignIndexError,
    NoIndexError,
    OtherVersionError,
    Store,
    UnwritableIndexError,
)
from graph.store.errors import explained
from graph.store.lock import writer_lock
from tests.harness.command_line import PROJECT
from tests.harness.indexing import Repository, write_files

FILES = {"a.py": "def f():\n    return g()\n\n\ndef g():\n    return 1\n"}


def test_without_an_index_there_is_none_to_read(tmp_path: Path) -> None:
    with pytest.raises(NoIndexError, match="tieline index"):
        Store(tmp_path, tmp_path / "index").reader()


def test_the_folder_ignores_itself_in_git(tmp_path: Path) -> None:
    write_files(tmp_path, FILES)
    build_index(tmp_path)
    assert (tmp_path / ".tieline" / ".gitignore").read_text() == "*\n"
    assert (tmp_path / ".tieline" / "index.db").is_file()


def test_the_folder_comes_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_files(tmp_path / "root", FILES)
    monkeypatch.setenv("TIELINE_INDEX_DIR", str(tmp_path / "elsewhere"))
    build_index(tmp_path / "root")
    assert (tmp_path / "elsewhere" / "index.db").is_file()
    assert not (tmp_path / "root" / ".tieline").exists()


def test_an_index_of_another_schema_is_not_read_and_is_rebuilt(tmp_path: Path) -> None:
    repository = Repository(tmp_path, FILES)
    repository.index()
    with sqlite3.connect(repository.store.path) as connection:
        connection.execute("PRAGMA user_version=99999")
    connection.close()
    with pytest.raises(OtherVersionError, match="schema 99999"):
        repository.store.reader()
    report = repository.index()
    assert report.full
    assert report.generation == 2
    assert repository.dump() == repository.dump_of_fresh()


def test_an_index_of_another_version_of_a_language_is_rebuilt(tmp_path: Path) -> None:
    repository = Repository(tmp_path, FILES)
    repository.index()
    with sqlite3.connect(repository.store.path) as connection:
        connection.execute("UPDATE meta SET value = 'older' WHERE key LIKE 'language:%'")
    connection.close()
    report = repository.index()
    assert report.full
    assert "language" in report.reason
    assert not repository.index().full


@pytest.mark.parametrize("content", [b"not a database at all" * 500, b"SQLite format 3\0" + b"x" * 4096])
def test_a_foreign_file_in_the_place_of_the_index_is_left_alone(tmp_path: Path, content: bytes) -> None:
    repository = Repository(tmp_path, FILES)
    repository.folder.mkdir()
    repository.store.path.write_bytes(content)
    with pytest.raises((ForeignIndexError, DamagedIndexError)):
        repository.store.reader()
    if content.startswith(b"not"):
        with pytest.raises(ForeignIndexError, match="move it away"):
            repository.index()
        assert repository.store.path.read_bytes() == content


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    repository = Repository(tmp_path, FILES)
    repository.folder.mkdir()
    with sqlite3.connect(repository.store.path) as connection:
        connection.execute("CREATE TABLE theirs (x)")
    connection.close()
    before = repository.store.path.read_bytes()
    with pytest.raises(ForeignIndexError, match="not an index"):
        repository.index()
    assert repository.store.path.read_bytes() == before


def test_a_damaged_index_is_told_from_a_foreign_one_and_replaced(tmp_path: Path) -> None:
    repository = Repository(tmp_path, FILES)
    repository.index()
    data = bytearray(repository.store.path.read_bytes())
    data[0:16] = b"\xff" * 16
    repository.store.path.write_bytes(data)
    with pytest.raises(DamagedIndexError, match="--full"):
        repository.store.reader()
    assert repository.index().full
    assert repository.dump() == repository.dump_of_fresh()


def test_damage_inside_is_an_error_with_a_remedy(tmp_path: Path) -> None:
    repository = Repository(tmp_path, FILES)
    repository.index()
    data = bytearray(repository.store.path.read_bytes())
    data[8192:] = b"\x5a" * (len(data) - 8192)
    repository.store.path.write_bytes(data)
    with pytest.raises(DamagedIndexError, match="--full"), snapshot(repository.store) as state:
        find_symbols(state, "f")
    assert repository.index(full=True).full
    assert repository.dump() == repository.dump_of_fresh()


def test_a_truncated_index_is_an_error_with_a_remedy(tmp_path: Path) -> None:
    repository = Repository(tmp_path, FILES)
    repository.index()
    os.truncate(repository.store.path, 0)
    with pytest.raises(DamagedIndexError, match="empty"):
        repository.store.reader()
    assert repository.index().full


@pytest.mark.parametrize("full", [False, True])
def test_a_reader_keeps_its_generation_while_another_is_published(tmp_path: Path, full: bool) -> None:
    repository = Repository(tmp_path, FILES)
    repository.index()
    with repository.read() as before:
        write_files(repository.root, {"b.py": "def late():\n    pass\n"})
        assert repository.index(full=full).generation == 2
        assert before.generation == 1
        assert find_symbols(before, "late") == []
        assert len(find_symbols(before, "f")) == 1
        with repository.read() as after:
            assert after.generation == 2
            assert len(find_symbols(after, "late")) == 1
    assert repository.dump() == repository.dump_of_fresh()


def test_a_read_only_folder_can_be_read_and_not_written(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        # Permissions do not hold root back; what the system would say is given instead.
        with pytest.raises(UnwritableIndexError, match="--index-dir"), explained(tmp_path / "index.db"):
            raise PermissionError(13, "Permission denied")
        return
    repository = Repository(tmp_path, FILES)
    repository.index()
    repository.folder.chmod(0o500)
    try:
        with repository.read() as state:
            assert len(find_symbols(state, "f")) == 1
        with pytest.raises(UnwritableIndexError):
            repository.index(full=True)
    finally:
        repository.folder.chmod(0o700)


def test_a_full_disk_is_said_to_be_full(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "x.db", isolation_level=None)
    connection.execute("PRAGMA max_page_count=3")
    connection.execute("CREATE TABLE t (x)")
    with pytest.raises(DiskFullError, match="no space left"), explained(tmp_path / "index.db"):
        connection.execute("INSERT INTO t VALUES (zeroblob(1000000))")
    connection.close()
    with pytest.raises(DiskFullError), explained(tmp_path / "index.db"):
        raise OSError(28, "No space left on device")


def test_a_disk_that_fills_up_while_indexing_leaves_the_generation_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = Repository(tmp_path, FILES)
    repository.index()
    before = repository.dump()
    start = Store.start_building

    def small(store: Store) -> sqlite3.Connection:
        connection = start(store)
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count={pages}")
        return connection

    monkeypatch.setattr(Store, "start_building", small)
    write_files(repository.root, {"b.py": "def late():\n    '''" + "x" * 100_000 + "'''\n" + "late()\n" * 3000})
    with pytest.raises(DiskFullError, match="no space left"):
        repository.index(full=True)
    assert repository.dump() == before
    assert sorted(path.name for path in repository.folder.iterdir() if "building" in path.name) == []


def test_the_loser_of_two_writers_names_the_holder(tmp_path: Path) -> None:
    program = (
        "import sys, time\nfrom pathlib import Path\nfrom graph.store.lock import writer_lock\n"
        "with writer_lock(Path(sys.argv[1]), 0):\n    print('held', flush=True)\n    time.sleep(60)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    holder = subprocess.Popen([sys.executable, "-c", program, str(tmp_path)], stdout=subprocess.PIPE, env=environment)
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(BusyIndexError, match=f"process {holder.pid} "), writer_lock(tmp_path, 0.2):
            raise AssertionError("two writers")
    finally:
        holder.kill()
        holder.wait()
    with writer_lock(tmp_path, 5):
        assert str(os.getpid()) in (tmp_path / "writer.json").read_text()


def test_a_second_indexer_waits_when_it_is_told_to(tmp_path: Path) -> None:
    repository = Repository(tmp_path, FILES)
    program = (
        "import sys, time\nfrom pathlib import Path\nfrom graph.store.lock import writer_lock\n"
        "with writer_lock(Path(sys.argv[1]), 0):\n    print('held', flush=True)\n    sys.stdin.readline()\n"
    )
    repository.folder.mkdir()
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    holder = subprocess.Popen(
        [sys.executable, "-c", program, str(repository.folder)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment,
    )  # fmt: skip
    assert holder.stdout is not None and holder.stdin is not None
    assert holder.stdout.readline() == b"held\n"
    with pytest.raises(BusyIndexError):
        repository.index()
    holder.stdin.write(b"\n")
    holder.stdin.flush()
    report = build_index(repository.root, folder=repository.folder, options=IndexOptions(wait=30))
    holder.wait(30)
    assert report.generation == 1


def test_the_time_of_a_file_that_was_just_written_is_not_trusted(tmp_path: Path) -> None:
    repository = Repository(tmp_path, FILES)
    repository.index()
    path = repository.root / "a.py"
    status = path.stat()
    content = path.read_bytes()
    path.write_bytes(content.replace(b"g", b"h"))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert path.stat().st_size == status.st_size
    assert repository.index().extracted == 1
    assert repository.dump() == repository.dump_of_fresh()


def test_an_old_file_is_known_by_size_and_time_alone(tmp_path: Path) -> None:
    repository = Repository(tmp_path, FILES)
    past = time.time_ns() - 3_600_000_000_000
    os.utime(repository.root / "a.py", ns=(past, past))
    repository.index()
    with repository.read() as state:
        file = state.file_at("a.py")
        assert file is not None
        assert file.mtime_ns == past
        assert not state.is_changed(file.number)
    report = repository.index()
    assert (report.extracted, report.generation) == (0, 1)
