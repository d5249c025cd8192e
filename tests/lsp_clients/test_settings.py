"""Pins and settings, and what is laid over them."""

from pathlib import Path
from typing import Any

import pytest

from lsp_clients import ADAPTERS, ConfigurationError, load_settings, read_overlay
from lsp_clients.settings import with_settings


def test_every_server_has_a_section_and_every_section_a_server() -> None:
    assert load_settings().keys() == ADAPTERS.keys()


def test_an_overlay_changes_its_keys_alone(tmp_path: Path) -> None:
    path = tmp_path / "servers.toml"
    path.write_text('[pyright]\nversion = "9"\nready_seconds = 1.5\n[pyright.settings.python]\nextra = 1\n')
    before = load_settings()["pyright"]
    after = load_settings(read_overlay(path))["pyright"]
    assert (after.version, after.ready_seconds, after.package_names()) == ("9", 1.5, ("pyright@9",))
    assert after.settings["python"] == {**before.settings["python"], "extra": 1}
    assert after.in_flight == before.in_flight


@pytest.mark.parametrize(
    "overlay",
    [
        {"piright": {}},
        {"pyright": {"colour": 1}},
        {"pyright": {"in_flight": "many"}},
        {"pyright": {"in_flight": True}},
        {"pyright": {"settings": {"python": {"analysis": 1}}}},
    ],
)
def test_a_mistake_in_an_overlay_is_an_error(overlay: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError):
        load_settings(overlay)


def test_a_file_that_is_not_toml_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "servers.toml"
    for content in (b"[pyright", b"\xff"):
        path.write_bytes(content)
        with pytest.raises(ConfigurationError):
            read_overlay(path)
    with pytest.raises(ConfigurationError):
        read_overlay(tmp_path / "none.toml")


def test_one_context_can_have_its_own_settings() -> None:
    own = with_settings(load_settings()["pyright"], {"python": {"analysis": {"extraPaths": ["lib"]}}})
    assert own.settings["python"]["analysis"]["extraPaths"] == ["lib"]
    assert own.settings["python"]["analysis"]["diagnosticMode"] == "openFilesOnly"
