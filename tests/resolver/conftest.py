"""Settings of the tests with a real server."""

import pytest

from lsp_clients import list_servers


@pytest.fixture(scope="session")
def pyright() -> tuple[str, ...]:
    """The command line of the real pyright; the test fails when there is none."""
    row = next(row for row in list_servers() if row.name == "pyright")
    if not row.usable:
        pytest.fail(f"{row.problem} (or `python -c 'import lsp_clients; lsp_clients.install(\"pyright\")'`)")
    return row.command
