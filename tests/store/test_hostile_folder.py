"""What somebody may have put into the folder of the index, or in the place of an indexed file."""

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from graph.index import build_index
from graph.query import UnknownSymbolError, find_symbol, outline, source_of
from graph.store import DamagedIndexError, ForeignIndexError, Store
from tests.harness.indexing import Repository, write_files

FILES = {"a.py": "def f():\n    return g()\n\n\ndef g():\n    return 1\n"}


def test_links_that_a_repository_brings_along_are_replaced_and_not_followed(tmp_path: Path) -> None:
    write_files(tmp_path / "root", FILES)
    folder = tmp_path / "root" / ".tieline"
    folder.mkdir()
    precious, absent = tmp_path / "precious", tmp_path / "absent"
    precious.write_text("precious")
    (folder / "writer.json").symlink_to(precious)
    (folder / ".gitignore").symlink_to(absent)
    (folder / "building.db").symlink_to(precious)
    build_index(tmp_path / "root")
    assert precious.read_text() == "precious"
    assert not absent.exists()
    assert (folder / ".gitignore").read_text() == "*\n"


def test_an_index_that_is_a_link_is_neither_read_nor_written(tmp_path: Path) -> None:
    other = Repository(tmp_path / "other", FILES)
    other.index()
    before = other.store.path.read_bytes()
    write_files(tmp_path / "root", {"b.py": "x = 1\n"})
    (tmp_path / "root" / ".tieline").mkdir()
    (tmp_path / "root" / ".tieline" / "index.db").symlink_to(other.store.path)
    with pytest.raises(ForeignIndexError, match="no regular file"):
        build_index(tmp_path / "root")
    with pytest.raises(ForeignIndexError, match="no regular file"):
        Store(tmp_path / "root").reader()
    assert other.store.path.read_bytes() == before


def test_a_folder_in_the_place_of_the_index_is_named(tmp_path: Path) -> None:
    write_files(tmp_path, FILES)
    (tmp_path / ".tieline" / "index.db").mkdir(parents=True)
    with pytest.raises(ForeignIndexError, match=r"index\.db is no regular file: move it away"):
        build_index(tmp_path)


def _overwrite(path: Path) -> None:
    for side in ("-wal", "-shm"):
        Path(f"{path}{side}").unlink(missing_ok=True)
    content = bytearray(path.read_bytes())
    for place in range(9000, len(content), 97):
        content[place] ^= 0xFF
    path.write_bytes(content)


def _unnumber(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("UPDATE meta SET value = 'many' WHERE key = 'generation'")
    connection.commit()
    connection.close()


@pytest.mark.parametrize("damage", [_overwrite, _unnumber])
def test_content_that_cannot_be_is_damage_and_the_next_index_replaces_it(
    tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    repository = Repository(tmp_path, FILES)
    repository.index()
    damage(repository.store.path)
    with pytest.raises(DamagedIndexError, match="tieline index --full"):
        repository.dump()
    assert repository.index().full
    assert repository.dump() == repository.dump_of_fresh()


def test_a_pipe_in_the_place_of_a_file_hangs_no_question(tmp_path: Path) -> None:
    repository = Repository(tmp_path, FILES | {"empty.py": ""})
    repository.index()
    for name in ("a.py", "empty.py"):
        (repository.root / name).unlink()
        os.mkfifo(repository.root / name)
    with repository.read() as state:
        assert source_of(state, find_symbol(state, "f")) is None
        assert outline(state, "empty.py").evidence.changed == ("empty.py",)


def test_a_link_in_the_place_of_a_file_is_not_followed_out_of_the_root(tmp_path: Path) -> None:
    repository = Repository(tmp_path, FILES)
    repository.index()
    twin = tmp_path / "twin.py"
    (repository.root / "a.py").rename(twin)
    (repository.root / "a.py").symlink_to(twin)
    with repository.read() as state:
        assert source_of(state, find_symbol(state, "f")) is None


def test_an_ordinal_beyond_all_numbers_is_an_unknown_symbol(tmp_path: Path) -> None:
    repository = Repository(tmp_path, FILES)
    repository.index()
    with repository.read() as state, pytest.raises(UnknownSymbolError):
        find_symbol(state, "a.py:function:f~999999999999999999999")


def test_a_folder_that_is_a_link_out_of_the_root_is_refused(tmp_path: Path) -> None:
    write_files(tmp_path / "root", FILES)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    link = tmp_path / "root" / ".tieline"
    link.symlink_to(elsewhere)
    for attempt in (lambda: build_index(tmp_path / "root"), lambda: Store(tmp_path / "root").reader()):
        with pytest.raises(ForeignIndexError, match="leaves the repository") as raised:
            attempt()
        assert raised.value.exit_code == 2
    assert list(elsewhere.iterdir()) == []
    build_index(tmp_path / "root", folder=link)
    assert (elsewhere / "index.db").is_file()


def test_a_folder_that_is_a_link_inside_the_root_is_taken(tmp_path: Path) -> None:
    write_files(tmp_path / "root", FILES | {"cache/x.txt": ""})
    (tmp_path / "root" / ".tieline").symlink_to("cache")
    assert build_index(tmp_path / "root").files == 1
    assert (tmp_path / "root" / "cache" / "index.db").is_file()
