"""Settings are understood exactly, or refused with what is accepted."""

import re
from pathlib import Path

import pytest

from graph.inventory import ConfigError, InventorySettings, load_settings
from tests.inventory.trees import write_tree


def test_defaults(tmp_path: Path) -> None:
    assert load_settings(tmp_path) == (InventorySettings(), {}, None)
    write_tree(tmp_path, {"pyproject.toml": "[project]\nname = 'x'\n"})
    assert load_settings(tmp_path) == (InventorySettings(), {}, None)


@pytest.mark.parametrize(("name", "header"), [("tieline.toml", ""), ("pyproject.toml", "[tool.tieline]\n")])
def test_all_keys(tmp_path: Path, name: str, header: str) -> None:
    text = """
        include = ["src/"]
        exclude = ["*.x", "!a.x"]
        max_file_size = 1000
        hidden = true
        vendored = true
        generated = false
        languages = ["alpha"]
        trust = true
    """
    write_tree(tmp_path, {name: header + text})
    settings = load_settings(tmp_path, frozenset({"trust", "servers"}))
    assert settings.inventory == InventorySettings(("src/",), ("*.x", "!a.x"), 1000, True, True, False, ("alpha",))
    assert settings.others == {"trust": True}
    assert settings.source is not None
    assert settings.source.startswith(name)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hiden = true", "tieline.toml: unknown key 'hiden': accepted are exclude, generated, hidden, include"),
        ("hidden = 1", "tieline.toml: hidden = 1 is not accepted: it must be true or false"),
        ("include = 'src'", "include = 'src' is not accepted: it must be a list of gitignore patterns"),
        ("include = [1]", "it must be a list of gitignore patterns"),
        ("exclude = ['a\\nb']", None),
        ('exclude = ["a\\nb"]', "each a string of one line"),
        ("max_file_size = 0", "it must be a number of bytes, at least 1"),
        ("max_file_size = true", "it must be a number of bytes, at least 1"),
        ("max_file_size = '1M'", "it must be a number of bytes, at least 1"),
        ("languages = [[]]", "it must be a list of language names"),
        ("hidden = ", "tieline.toml: not valid TOML: "),
    ],
)
def test_what_is_not_accepted_says_what_is(tmp_path: Path, text: str, message: str | None) -> None:
    write_tree(tmp_path, {"tieline.toml": text})
    if message is None:
        assert load_settings(tmp_path).inventory.exclude == ("a\\nb",)
    else:
        with pytest.raises(ConfigError, match=re.escape(message)):
            load_settings(tmp_path)


def test_two_places_are_one_too_many(tmp_path: Path) -> None:
    write_tree(tmp_path, {"tieline.toml": "", "pyproject.toml": "[tool.tieline]\nhidden = true\n"})
    with pytest.raises(ConfigError, match="keep one of the two"):
        load_settings(tmp_path)


def test_a_broken_manifest_that_does_not_concern_us_is_no_error(tmp_path: Path) -> None:
    write_tree(tmp_path, {"pyproject.toml": "[project\n"})
    assert load_settings(tmp_path).source is None
    write_tree(tmp_path, {"pyproject.toml": "[project\n[tool.tieline]\n"})
    with pytest.raises(ConfigError, match=r"pyproject\.toml: not valid TOML"):
        load_settings(tmp_path)


def test_a_section_must_be_a_table(tmp_path: Path) -> None:
    write_tree(tmp_path, {"pyproject.toml": "[tool]\ntieline = 1\n"})
    with pytest.raises(ConfigError, match=r"tool\.tieline must be a table"):
        load_settings(tmp_path)


def test_settings_are_not_read_from_outside(tmp_path: Path) -> None:
    write_tree(tmp_path, {"outside.toml": "hidden = true", "root/a": ""})
    (tmp_path / "root/tieline.toml").symlink_to("../outside.toml")
    with pytest.raises(ConfigError, match="out of the repository is not followed"):
        load_settings(tmp_path / "root")
