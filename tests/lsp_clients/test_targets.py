"""Paths and URIs, in both directions."""

from pathlib import Path

import pytest

from lsp_clients import Located
from lsp_clients.framing import Decoder, encode
from lsp_clients.targets import Targets, path_of, uri_of

ODD = "/r/caf\udce9.py"
"""A name in Latin-1, as `os` has it."""


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("/r/a b.py", "file:///r/a%20b.py"),
        ("/r/100%.py", "file:///r/100%25.py"),
        ("/r/é.py", "file:///r/%C3%A9.py"),
        (ODD, "file:///r/caf%E9.py"),
    ],
)
def test_a_path_survives_its_uri(path: str, uri: str) -> None:
    assert (uri_of(path), path_of(uri)) == (uri, path)


def test_what_is_no_file_has_no_path() -> None:
    assert path_of("jdt://contents/java.base/java.lang/String.class") is None
    assert path_of("file:///r/é.py") == "/r/é.py"


@pytest.mark.parametrize("uri", ["file:///r/caf%E9.py", "file:///r/caf%25E9.py"])
def test_an_open_file_is_known_by_what_servers_make_of_its_name(uri: str) -> None:
    targets = Targets("utf-16", counts_bom=True)
    targets.open(ODD, b"abc\n")
    place = {"start": {"line": 0, "character": 1}, "end": {"line": 0, "character": 3}}
    outcome = targets.outcome({"uri": uri, "range": place})
    assert isinstance(outcome, Located)
    assert outcome.locations[0][:3] == (ODD, 1, 3)


def test_a_folder_whose_name_is_not_utf8_can_be_sent() -> None:
    (message,) = Decoder().feed(encode({"rootPath": str(Path(ODD).parent / "d\udce9")}))
    assert message == {"rootPath": "/r/d?"}
