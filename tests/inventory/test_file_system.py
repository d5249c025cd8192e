"""Links, odd names, and things that are no files."""

import os
import socket
from pathlib import Path

import pytest

from graph.inventory import InventorySettings, Unreadable, read_file, walk
from tests.inventory.trees import TABLE, entries, included, reasons, write_tree


def decisions(root: Path) -> dict[str, tuple[str | None, str | None]]:
    return {path: (entry.reason and str(entry.reason), entry.detail) for path, entry in entries(root).items()}


def test_links_to_what_is_found_anyway_are_duplicates(tmp_path: Path) -> None:
    write_tree(tmp_path, ["z/x.al"])
    (tmp_path / "a").symlink_to("z")
    (tmp_path / "b.al").symlink_to("z/x.al")
    assert decisions(tmp_path) == {
        "a": ("symlink-duplicate", "z"),
        "b.al": ("symlink-duplicate", "z/x.al"),
        "z/x.al": (None, None),
    }


def test_links_to_what_is_left_out_for_its_name_are_followed_once(tmp_path: Path) -> None:
    write_tree(tmp_path, [".store/pkg/x.al", "script"])
    (tmp_path / "one").symlink_to(".store/pkg")
    (tmp_path / "two").symlink_to(".store/pkg")
    (tmp_path / "script.al").symlink_to("script")
    assert decisions(tmp_path) == {
        ".store": ("hidden", None),
        "one/x.al": (None, None),
        "script": ("no-language", None),
        "script.al": (None, "script"),
        "two": ("symlink-duplicate", "one"),
    }


def test_one_directory_is_walked_once_whatever_the_order_of_the_links(tmp_path: Path) -> None:
    write_tree(tmp_path, [".store/pkg/x.al", ".store/y.al"])
    (tmp_path / "a").symlink_to(".store/pkg")
    (tmp_path / "b").symlink_to(".store")
    (tmp_path / "c.al").symlink_to(".store/y.al")
    assert decisions(tmp_path) == {
        ".store": ("hidden", None),
        "a/x.al": (None, None),
        "b/pkg": ("symlink-duplicate", "a"),
        "b/y.al": (None, None),
        "c.al": ("symlink-duplicate", "b/y.al"),
    }


def test_links_out_of_the_root_are_not_followed(tmp_path: Path) -> None:
    root = tmp_path / "root"
    write_tree(tmp_path, ["outside/x.al", "root/in/x.al"])
    (root / "dir").symlink_to("../outside")
    (root / "x.al").symlink_to(tmp_path / "outside/x.al")
    (root / "gone.al").symlink_to("../nowhere.al")
    (root / "hop").symlink_to("dir/x.al")
    found = decisions(root)
    assert {path: reason for path, (reason, _) in found.items()} == {
        "dir": "symlink-outside",
        "gone.al": "symlink-outside",
        "hop": "symlink-outside",
        "in/x.al": None,
        "x.al": "symlink-outside",
    }
    assert found["dir"][1] == "../outside"


def test_a_sibling_with_the_same_beginning_is_outside(tmp_path: Path) -> None:
    write_tree(tmp_path, ["root/a.al", "root2/x.al"])
    (tmp_path / "root/b.al").symlink_to("../root2/x.al")
    assert reasons(tmp_path / "root") == {"b.al": "symlink-outside"}


def test_loops(tmp_path: Path) -> None:
    write_tree(tmp_path, ["d/x.al"])
    (tmp_path / "d/up").symlink_to("..")
    (tmp_path / "d/here").symlink_to(".")
    (tmp_path / "self.al").symlink_to("self.al")
    (tmp_path / "p").symlink_to("q")
    (tmp_path / "q").symlink_to("p")
    assert reasons(tmp_path) == dict.fromkeys(["d/up", "d/here", "self.al", "p", "q"], "symlink-loop")


def test_links_do_not_bring_back_what_is_left_out(tmp_path: Path) -> None:
    write_tree(tmp_path, {"third_party/p/x.al": "", "skipped/x.al": "", ".gitignore": "skipped/", ".git/x.al": ""})
    (tmp_path / "p").symlink_to("third_party/p")
    (tmp_path / "q.al").symlink_to("skipped/x.al")
    (tmp_path / "r.al").symlink_to(".git/x.al")
    (tmp_path / "gone.al").symlink_to("nothing")
    found = decisions(tmp_path)
    assert found["p"] == ("vendored", "leads to third_party: third_party/")
    assert found["q.al"] == ("ignored", "leads to skipped: .gitignore:1: skipped/")
    assert found["r.al"] == ("ignored", "leads to .git/x.al, which is never indexed")
    assert found["gone.al"] == ("unreadable", "broken symbolic link to nothing")


def test_an_ignore_file_that_is_a_link_has_no_rules(tmp_path: Path) -> None:
    write_tree(tmp_path, {"outside": "a.al", "root/a.al": ""})
    (tmp_path / "root/.gitignore").symlink_to("../outside")
    assert included(tmp_path / "root") == ["a.al"]


def test_a_root_that_is_a_link_is_its_target(tmp_path: Path) -> None:
    write_tree(tmp_path, ["real/a.al"])
    (tmp_path / "link").symlink_to("real")
    assert included(tmp_path / "link") == ["a.al"]


@pytest.mark.parametrize("name", ["a b.al", "a\nb.al", "名前.al", "é.al", "-x.al", "a\\b.al", "'\".al", "*.al", " .al"])
def test_any_name(tmp_path: Path, name: str) -> None:
    write_tree(tmp_path, {f"{name}.d/{name}": "x"})
    entry = entries(tmp_path)[f"{name}.d/{name}"]
    assert entry.included
    assert entry.raw_path is None
    assert read_file(tmp_path, entry) == b"x"


def test_names_that_are_not_utf8(tmp_path: Path) -> None:
    folder = os.fsencode(tmp_path) + b"/d\xff"
    Path(os.fsdecode(folder)).mkdir()
    Path(os.fsdecode(folder + b"/x\xe9.al")).write_bytes(b"content")
    (entry,) = walk(tmp_path, InventorySettings(), TABLE)
    assert (entry.path, entry.raw_path, entry.language) == ("d\\xff/x\\xe9.al", b"d\xff/x\xe9.al", "alpha")
    assert read_file(tmp_path, entry) == b"content"


def test_a_name_that_reads_like_its_neighbour_is_left_out(tmp_path: Path) -> None:
    write_tree(tmp_path, ["x\\xe9.al"])
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/x\xe9.al")).write_bytes(b"")
    assert decisions(tmp_path) == {
        "x\\xe9.al": (None, None),
        "x\\xe9.al~": ("path-collision", "x\\xe9.al"),
    }


def test_what_is_no_file_is_never_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.al")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link.al").symlink_to("pipe")
    with socket.socket(socket.AF_UNIX) as server:
        # A relative address: absolute ones are limited to about a hundred bytes.
        before = Path.cwd()
        os.chdir(tmp_path)
        try:
            server.bind("socket.al")
        finally:
            os.chdir(before)
        assert set(reasons(tmp_path).values()) == {"special-file"}
        assert len(entries(tmp_path)) == 4


def test_unreadable_places_are_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_tree(tmp_path, ["shut/x.al", "secret.al", "open.al"])
    scandir, access = os.scandir, os.access

    # Tests may run as the superuser, to whom nothing is forbidden.
    def guarded_scandir(path: bytes) -> object:
        if path.endswith(b"/shut"):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    def guarded_access(path: bytes, mode: int) -> bool:
        return not path.endswith(b"/secret.al") and access(path, mode)

    monkeypatch.setattr(os, "scandir", guarded_scandir)
    monkeypatch.setattr(os, "access", guarded_access)
    assert decisions(tmp_path) == {
        "open.al": (None, None),
        "secret.al": ("unreadable", "permission denied"),
        "shut": ("unreadable", "permission denied"),
    }
    assert entries(tmp_path)["shut"].is_directory


def test_reading_looks_again(tmp_path: Path) -> None:
    root = tmp_path / "root"
    write_tree(tmp_path, {"root/d/a.al": "a", "root/b.al": "b", "root/c.al": "c", "outside/a.al": "secret"})
    found = entries(root)
    (root / "d/a.al").unlink()
    (root / "d").rmdir()
    (root / "d").symlink_to("../outside")
    (root / "b.al").unlink()
    os.mkfifo(root / "b.al")
    (root / "c.al").unlink()
    expected = {"d/a.al": "symlink-outside", "b.al": "special-file", "c.al": "unreadable"}
    for path, reason in expected.items():
        read = read_file(root, found[path])
        assert isinstance(read, Unreadable)
        assert read.reason == reason


def test_included_links_are_read_through(tmp_path: Path) -> None:
    write_tree(tmp_path, {".store/x.al": "text"})
    (tmp_path / "x.al").symlink_to(".store/x.al")
    assert read_file(tmp_path, entries(tmp_path)["x.al"]) == b"text"
