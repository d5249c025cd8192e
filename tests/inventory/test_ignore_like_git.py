"""What is ignored is what git ignores, asked of git itself on generated trees."""

import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph.inventory import InventorySettings, Reason, walk
from tests.inventory.trees import TABLE, git, write_tree

NAMES = st.sampled_from(
    [
        "a",
        "b",
        "ab",
        "abc",
        "a.b",
        "b.c",
        ".a",
        "a b",
        "b ",
        "a\t",
        "é",
        "à",
        "#a",
        "!a",
        "[a]",
        "a*",
        "a\\b",
        "-",
        "A",
        "1",
        "a\nb",
    ]
)
FOLDERS = st.lists(NAMES, max_size=3).map("/".join)
PIECES = st.sampled_from(
    [
        *"abc/*?.!#-\\ A1",
        *["**", "/**/", "**/", "/**", "a/", "/a", "*.b", "é", "à", "?", "\\*", "\\a", "\\ ", "\\!", "\\#", "\t", "\r"],
        *[
            "[ab]",
            "[!a]",
            "[^b]",
            "[a-c]",
            "[]a]",
            "[!]a]",
            "[a-]",
            "[-a]",
            "[+-9]",
            "[z-a]",
            "[\\a]",
            "[\\]]",
            "[a\\-c]",
        ],
        *[
            "[[:alpha:]]",
            "[![:digit:]]",
            "[[:nope:]]",
            "[[:alpha]",
            "[[:",
            "[",
            "]",
            "[/]",
            "[a/b]",
            "[]",
            "[!]",
            "[^]",
            "[!^]",
            "[a&&b]",
        ],
    ]
)
PATTERNS = st.one_of(
    st.lists(PIECES, min_size=1, max_size=5).map("".join),
    st.builds(
        "{}{}{}{}".format,
        st.sampled_from(["", "!", "/", "!/", "**/", "!**/"]),
        NAMES,
        st.sampled_from(["", "/", "/*", "/**", "/**/", "/*/"]),
        st.one_of(st.just(""), NAMES),
    ),
    # Two stars after a literal beginning: git does not do what its manual says (see graph.inventory.ignore).
).filter(lambda pattern: re.search(r"[^/!*]\*\*", pattern) is None)
IGNORE_FILES = st.lists(PATTERNS, max_size=6).map("\n".join)


def ours_and_gits(root: Path) -> tuple[set[str], set[str]]:
    """Files that are not ignored: as the inventory says, and as git says."""
    found = walk(root, InventorySettings(hidden=True), TABLE)
    ours = {entry.path for entry in found if not entry.is_directory and entry.reason is not Reason.IGNORED}
    listed = git(root, "ls-files", "--others", "--exclude-standard", "-z")
    return ours, {name.decode() for name in listed.split(b"\0") if name}


@settings(max_examples=100)
@given(
    files=st.dictionaries(FOLDERS, st.sets(NAMES, max_size=4), max_size=6),
    ignore_files=st.dictionaries(FOLDERS, IGNORE_FILES, max_size=3),
    exclude=IGNORE_FILES,
    top=IGNORE_FILES,
)
def test_generated_trees(files: dict[str, set[str]], ignore_files: dict[str, str], exclude: str, top: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        git(root, "init", "-q")
        write_tree(root, {".git/info/exclude": exclude, ".gitignore": top})
        for directory, names in files.items():
            for name in names:
                place = root / directory / name
                # A name may already stand for a folder, or a folder's name for a file: the first to come has it.
                if not any(parent.is_file() for parent in place.parents) and not place.is_dir():
                    write_tree(root, {f"{directory}/{name}" if directory else name: ""})
        for directory, content in ignore_files.items():
            if (root / directory).is_dir():
                write_tree(root / directory, {".gitignore": content})
        ours, gits = ours_and_gits(root)
        assert ours == gits


@pytest.fixture(scope="module")
def dense(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository in which most short paths exist, as a file or as a folder."""
    root = tmp_path_factory.mktemp("dense")
    git(root, "init", "-q")
    names = [
        "a",
        "b",
        "ab",
        "abc",
        "a.b",
        "b.c",
        ".a",
        "a b",
        "b ",
        "a\t",
        "é",
        "à",
        "#a",
        "!a",
        "[a]",
        "a*",
        "a\\b",
        "-",
        "^",
        "]",
    ]
    for index, name in enumerate(names):
        write_tree(root, [f"{name}/{other}" for other in names[index % 4 :: 4]] if index % 2 else [name])
        write_tree(root, [f"d/{name}/{other}/{name}" for other in names[index % 3 :: 3]])
        write_tree(root, [f"d/d/{name}"])
    return root


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(top=IGNORE_FILES, nested=IGNORE_FILES)
def test_generated_patterns(dense: Path, top: str, nested: str) -> None:
    write_tree(dense, {".gitignore": top, "d/.gitignore": nested})
    ours, gits = ours_and_gits(dense)
    assert ours == gits


@pytest.mark.parametrize(
    ("pattern", "ignored"),
    [
        ("*\n!*/\n!*.b", {"x", "d/x", "d/e/x"}),
        ("d/", {"d/x", "d/x.b", "d/e/x", "d/e/x.b"}),
        ("d/\n!d/x", {"d/x", "d/x.b", "d/e/x", "d/e/x.b"}),
        ("d/*\n!d/x", {"d/x.b", "d/e/x", "d/e/x.b"}),
        ("d/**/", {"d/e/x", "d/e/x.b"}),
        ("/x", {"x"}),
        ("x", {"x", "d/x", "d/e/x"}),
        ("d/x", {"d/x"}),
        ("**/e/**", {"d/e/x", "d/e/x.b"}),
        ("x/", set[str]()),
        ("[", set[str]()),
        ("x\\", set[str]()),
        ("\ufeffx\r\n", {"x", "d/x", "d/e/x"}),
        ("# x\n\n", set[str]()),
    ],
)
def test_examples(tmp_path: Path, pattern: str, ignored: set[str]) -> None:
    git(tmp_path, "init", "-q")
    write_tree(tmp_path, ["x", "x.b", "d/x", "d/x.b", "d/e/x", "d/e/x.b"])
    write_tree(tmp_path, {".git/info/exclude": pattern})
    ours, gits = ours_and_gits(tmp_path)
    everything = {"x", "x.b", "d/x", "d/x.b", "d/e/x", "d/e/x.b"}
    assert everything - ours == ignored == everything - gits
