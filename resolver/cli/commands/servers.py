"""`servers`: which language servers are usable here, and installing them."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from resolver.cli import output
from resolver.cli.base import Example, command
from resolver.cli.errors import Exit, usage
from resolver.cli.session import Session

if TYPE_CHECKING:
    from lsp_clients.registry import ServerStatus
    from lsp_clients.settings import ServerSettings


@command(
    "servers",
    Example("tieline servers", "every server, whether it is usable, and what to do if not"),
    Example("tieline servers install pyright", "bring the pinned version into the folder of this user"),
    Example("tieline servers install --all", "every one of them"),
    Example("TIELINE_SERVERS_DIR=/opt/servers tieline servers install pyright", "into another folder"),
    answers=False,
)
@click.argument("action", type=click.Choice(["list", "install"]), default="list", required=False)
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--all", "everything", is_flag=True, help="Install every server.")
def servers(session: Session, action: str, names: tuple[str, ...], everything: bool) -> int:
    """The language servers of the semantic layer: list them, or install some by name.

    `install` is the one command that uses the network: it asks the ordinary registry of the server's ecosystem for the
    version that this tieline was tested with. A server that is there already is left as it is.
    """
    from lsp_clients.registry import ADAPTERS, list_servers
    from resolver.server_settings import server_settings

    unknown = [name for name in names if name not in ADAPTERS]
    if unknown:
        raise usage(
            f"no server is called {', '.join(unknown)}", f"there are {', '.join(ADAPTERS)}", code="unknown-server"
        )
    # What a user set counts in every repository; what a repository says is looked at when it is resolved.
    settings = server_settings(None, trust=False).servers
    if everything and (names or action != "install"):
        raise usage("--all goes with `install`, and without names")
    if action == "install":
        return _install(session, tuple(ADAPTERS) if everything else names, settings)
    found = [server for server in list_servers(settings) if not names or server.name in names]
    if session.json:
        output.write_json({"servers": [_document(server) for server in found]})
    else:
        from resolver.cli.render.servers import show_servers

        show_servers(output.answer_console(), found)
    return Exit.DONE


def _install(session: Session, names: tuple[str, ...], settings: Mapping[str, ServerSettings]) -> int:
    from lsp_clients.errors import ServerError
    from lsp_clients.registry import install

    if not names:
        raise usage("servers install: say which", "`tieline servers` lists them, and --all means all")
    installed: list[dict[str, str]] = []
    failed: list[dict[str, str]] = []
    for name in names:
        try:
            with _waiting(f"installing {name}", session.quiet):
                folder = install(name, settings)
        except ServerError as error:
            failed.append({"name": name, "problem": str(error)})
            output.note(f"{name}: {error}")
        else:
            installed.append({"name": name, "folder": str(folder)})
            if not session.json:
                click.echo(f"{name} is in {folder}")
    if session.json:
        output.write_json({"installed": installed, "failed": failed})
    return Exit.PARTIAL if failed else Exit.DONE


def _waiting(what: str, quiet: bool):  # rich is loaded only where it draws
    if quiet or not sys.stderr.isatty() or not output.decorated(sys.stderr):
        return nullcontext()
    return output.message_console().status(what)


def _document(server: ServerStatus) -> dict[str, object]:
    plain = asdict(server)
    for key in ("version", "origin", "problem"):
        plain[key] = plain[key] or None
    return plain
