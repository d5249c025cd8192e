"""Which files are in, which are out, and the reason that is given."""

from pathlib import Path

import pytest

from graph.inventory import ConfigError, InventoryError, InventorySettings, LanguageRow, LanguageTable, walk
from tests.inventory.trees import TABLE, entries, git, included, reasons, write_tree


def test_every_file_has_its_entry_in_order_of_path(tmp_path: Path) -> None:
    write_tree(tmp_path, ["b.al", "a/x.al", "a-b.al", "a.be", "notes.txt", "Alfile", "types.d.al", "UPPER.AL"])
    found = list(walk(tmp_path, InventorySettings(), TABLE))
    assert [(entry.path, entry.language) for entry in found] == [
        ("Alfile", "alpha"),
        ("UPPER.AL", "alpha"),
        ("a-b.al", "alpha"),
        ("a.be", "beta"),
        ("a/x.al", "alpha"),
        ("b.al", "alpha"),
        ("notes.txt", None),
        ("types.d.al", "alpha"),
    ]
    assert reasons(tmp_path) == {"notes.txt": "no-language"}


def test_size_and_modification_time_are_those_of_the_file(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a.al": "12345"})
    entry = entries(tmp_path)["a.al"]
    assert (entry.size, entry.mtime_ns) == (5, (tmp_path / "a.al").stat().st_mtime_ns)


def test_nothing_of_git_or_of_the_index_is_in_the_inventory(tmp_path: Path) -> None:
    write_tree(tmp_path, [".git/hooks/x.al", ".tieline/x.al", "sub/.git/x.al", "a.al"])
    assert list(entries(tmp_path, InventorySettings(hidden=True))) == ["a.al"]


def test_hidden_names(tmp_path: Path) -> None:
    write_tree(tmp_path, [".x.al", ".d/x.al", "d/.y.al", ".alpharc"])
    assert reasons(tmp_path) == {".x.al": "hidden", ".d": "hidden", "d/.y.al": "hidden"}
    assert included(tmp_path) == [".alpharc"]
    assert included(tmp_path, InventorySettings(hidden=True)) == [".alpharc", ".d/x.al", ".x.al", "d/.y.al"]


def test_a_negated_rule_shows_hidden_names_unless_it_is_gits(tmp_path: Path) -> None:
    write_tree(tmp_path, {".d/x.al": "", ".e/x.al": "", ".ignore": "!.d/", ".gitignore": "!.e/"})
    assert included(tmp_path) == [".d/x.al"]


def test_manifests_come_through_without_a_language(tmp_path: Path) -> None:
    write_tree(tmp_path, ["alpha.toml", "alpha.dev.json", "d/build.al", "other.json"])
    found = entries(tmp_path, InventorySettings(include=("nothing",)))
    shown = {path: (entry.manifest, entry.language, entry.included) for path, entry in found.items()}
    assert shown == {
        "alpha.toml": (True, None, True),
        "alpha.dev.json": (True, None, True),
        "d/build.al": (True, "alpha", True),
        "other.json": (False, None, False),
    }


@pytest.mark.parametrize(
    ("first_line", "language"),
    [
        ("#!/usr/bin/alpha", "alpha"),
        ("#!/usr/bin/env alpha", "alpha"),
        ("#! /usr/bin/env -S alpha -u", "alpha"),
        ("#!/usr/bin/env X=1 alpha3.12\r", "alpha"),
        ("#!/opt/alpha3.12 -x", "alpha"),
        ("#!/usr/bin/alphabet", None),
        ("#!/usr/bin/env", None),
        ("# !/usr/bin/alpha", None),
        ("", None),
    ],
)
def test_scripts_are_known_by_their_first_line(tmp_path: Path, first_line: str, language: str | None) -> None:
    write_tree(tmp_path, {"run": first_line + "\ncode\n"})
    assert entries(tmp_path)["run"].language == language


def test_a_large_file_is_read_for_its_first_line_only_when_it_is_executable(tmp_path: Path) -> None:
    write_tree(tmp_path, {"data": "#!alpha\n" + "x" * 10_000, "tool": "#!alpha\n" + "x" * 10_000})
    (tmp_path / "tool").chmod(0o755)
    assert included(tmp_path) == ["tool"]


def test_directories_of_others_are_one_entry(tmp_path: Path) -> None:
    write_tree(
        tmp_path,
        {
            "third_party/deep/x.al": "",
            "crate/alpha.toml": "",
            "crate/target/x.al": "",
            "env/venv.cfg": "",
            "env/x.al": "",
            "app/static/js/vendor/x.al": "",
        },
    )
    found = {path: (str(entry.reason), entry.detail) for path, entry in entries(tmp_path).items() if entry.is_directory}
    assert found == {
        "third_party": ("vendored", "third_party/"),
        "crate/target": ("generated", "target/ beside alpha.toml"),
        "env": ("vendored", "*/ containing venv.cfg"),
        "app/static/js/vendor": ("vendored", "**/static/**/vendor/"),
    }
    assert all(entry.vendored == (entry.reason == "vendored") for entry in entries(tmp_path).values())


def test_namesakes_that_people_wrote_stay(tmp_path: Path) -> None:
    write_tree(tmp_path, ["target/x.al", "vendor/x.al", "build/x.al", "dist/x.al", "app/vendor/x.al", "third_party.al"])
    assert len(included(tmp_path)) == 6


def test_vendored_code_can_be_indexed_and_is_flagged(tmp_path: Path) -> None:
    write_tree(tmp_path, ["third_party/deep/x.al", "_vendor/y.al", "z.al"])
    found = entries(tmp_path, InventorySettings(vendored=True))
    flags = {path: (entry.included, entry.vendored) for path, entry in found.items()}
    assert flags == {"third_party/deep/x.al": (True, True), "_vendor/y.al": (True, True), "z.al": (True, False)}
    assert included(tmp_path) == ["_vendor/y.al", "z.al"]


def test_a_negated_rule_brings_vendored_code_back(tmp_path: Path) -> None:
    write_tree(tmp_path, {"third_party/x.al": "", "lib/third_party/x.al": "", ".tielineignore": "!/third_party/"})
    assert included(tmp_path) == ["third_party/x.al"]


def test_test_and_generated_paths_are_flagged(tmp_path: Path) -> None:
    names = ["tests/deep/x.al", "tests/helpers/x.al", "src/test_x.al", "tests/x.be", "spec/x.be", "x_gen.al"]
    write_tree(tmp_path, names)
    found = entries(tmp_path)
    assert {path for path, entry in found.items() if entry.test} == {"tests/deep/x.al", "src/test_x.al", "spec/x.be"}
    assert {path for path, entry in found.items() if entry.generated} == {"x_gen.al"}
    assert included(tmp_path) == sorted(names)
    assert reasons(tmp_path, InventorySettings(generated=False)) == {"x_gen.al": "excluded-by-configuration"}


def test_large_files(tmp_path: Path) -> None:
    write_tree(tmp_path, {"a.al": "x" * 11, "b.al": "x" * 10, "alpha.toml": "x" * 11})
    found = entries(tmp_path, InventorySettings(max_file_size=10))
    assert {path: entry.reason for path, entry in found.items()} == {
        "a.al": "too-large",
        "alpha.toml": "too-large",
        "b.al": None,
    }
    assert found["a.al"].detail == "11 bytes, max_file_size is 10"


def test_include_and_exclude(tmp_path: Path) -> None:
    write_tree(tmp_path, ["src/a.al", "src/old/a.al", "lib/a.al", "b.be", "src/skip/a.al"])
    write_tree(tmp_path, {".gitignore": "skip/", ".tielineignore": "!old"})
    settings = InventorySettings(include=("src/", "*.be"), exclude=("old/",))
    assert included(tmp_path, settings) == ["b.be", "src/a.al"]
    found = entries(tmp_path, settings)
    shown = {path: (str(entry.reason), entry.detail) for path, entry in found.items() if not entry.included}
    del shown[".gitignore"], shown[".tielineignore"]
    assert shown == {
        "lib/a.al": ("excluded-by-configuration", "include: no pattern matches"),
        "src/old": ("excluded-by-configuration", "exclude:1: old/"),
        "src/skip": ("ignored", ".gitignore:1: skip/"),
    }


def test_languages_can_be_chosen(tmp_path: Path) -> None:
    write_tree(tmp_path, ["a.al", "b.be", "alpha.toml"])
    settings = InventorySettings(languages=("beta",))
    assert included(tmp_path, settings) == ["alpha.toml", "b.be"]
    assert entries(tmp_path, settings)["a.al"].detail == "languages: alpha is not listed"
    with pytest.raises(ConfigError, match="unknown language 'gamma': known are alpha, beta"):
        walk(tmp_path, InventorySettings(languages=("gamma",)), TABLE)


def test_stronger_ignore_files_win_and_then_the_deeper_one(tmp_path: Path) -> None:
    write_tree(
        tmp_path,
        {
            ".tielineignore": "!a.al",
            ".ignore": "a.al\nb.al\n!c.al",
            ".gitignore": "c.al\nd.al",
            "in/.gitignore": "b.al\n!d.al",
            "in/.ignore": "!b.al",
        },
    )
    write_tree(tmp_path, [f"{folder}{name}.al" for folder in ("", "in/") for name in "abcd"])
    assert included(tmp_path) == ["a.al", "c.al", "in/a.al", "in/b.al", "in/c.al", "in/d.al"]
    assert entries(tmp_path)["d.al"].detail == ".gitignore:2: d.al"


def test_ignore_files_hold_without_any_repository(tmp_path: Path) -> None:
    write_tree(tmp_path, {".gitignore": "a.al", "a.al": "", "d/.gitignore": "*", "d/x.al": "", "b.al": ""})
    assert included(tmp_path) == ["b.al"]


def test_a_root_inside_a_repository_has_the_rules_from_above(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    write_tree(
        tmp_path, {".gitignore": "/apps/one/a.al\nb.al", "apps/.gitignore": "!b.al\n/one/c.al", ".ignore": "d.al"}
    )
    write_tree(tmp_path / "apps/one", ["a.al", "b.al", "c.al", "d.al", "in/a.al"])
    write_tree(tmp_path, {".git/info/exclude": "/apps/one/in"})
    assert included(tmp_path / "apps/one") == ["b.al", "d.al"]
    details = {path: entry.detail for path, entry in entries(tmp_path / "apps/one").items() if not entry.included}
    assert details == {
        "a.al": "../../.gitignore:1: /apps/one/a.al",
        "c.al": "../.gitignore:2: /one/c.al",
        "in": ".git/info/exclude:1: /apps/one/in",
    }


def test_a_worktree_has_the_rules_of_its_repository(tmp_path: Path) -> None:
    main = tmp_path / "main"
    main.mkdir()
    git(main, "init", "-q")
    write_tree(main, {"a.al": "", ".git/info/exclude": "b.al"})
    git(main, "add", "a.al")
    git(main, "commit", "-q", "-m", "one")
    git(main, "worktree", "add", "-q", "../other")
    write_tree(tmp_path / "other", ["b.al"])
    assert included(tmp_path / "other") == ["a.al"]


def test_a_submodule_has_its_own_rules_and_not_those_around_it(tmp_path: Path) -> None:
    module, main = tmp_path / "module", tmp_path / "main"
    for place in (module, main):
        place.mkdir()
        git(place, "init", "-q")
    write_tree(module, {"a.al": "", ".gitignore": "c.al"})
    git(module, "add", ".")
    git(module, "commit", "-q", "-m", "one")
    git(main, "submodule", "--quiet", "add", "../module", "sub")
    write_tree(main, {".gitignore": "a.al", "a.al": "", ".git/modules/sub/info/exclude": "d.al"})
    write_tree(main / "sub", ["b.al", "c.al", "d.al"])
    assert included(main) == ["sub/a.al", "sub/b.al"]


def test_a_git_file_that_leads_elsewhere_is_not_followed(tmp_path: Path) -> None:
    write_tree(tmp_path, {"outside/HEAD": "", "outside/info/exclude": "*.al", "root/in/a.al": ""})
    write_tree(tmp_path / "root/in", {".git": f"gitdir: {tmp_path / 'outside'}\n"})
    assert included(tmp_path / "root") == ["in/a.al"]


def test_there_must_be_a_folder(tmp_path: Path) -> None:
    write_tree(tmp_path, ["a.al"])
    with pytest.raises(InventoryError, match="does not exist: give the folder"):
        walk(tmp_path / "none", InventorySettings(), TABLE)
    with pytest.raises(InventoryError, match="is not a folder: give the folder"):
        walk(tmp_path / "a.al", InventorySettings(), TABLE)


def test_two_languages_cannot_claim_one_extension() -> None:
    with pytest.raises(ValueError, match=r"'\.x' is claimed by one and by two"):
        LanguageTable((LanguageRow("one", (".x",)), LanguageRow("two", (".x",))))
