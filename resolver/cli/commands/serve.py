"""`serve`: the MCP server."""

from __future__ import annotations

from resolver.cli.base import Example, command
from resolver.cli.errors import Exit, usage
from resolver.cli.session import Session


@command(
    "serve",
    Example("tieline serve", "answer an agent over standard input and output"),
    Example("claude mcp add tieline -- tieline serve --root ~/src/app", "have an agent start it"),
    answers=False,
)
def serve(session: Session) -> int:
    """Serve the answers over MCP, for agents: a tool for each question, small and exact answers.

    Speaks the Model Context Protocol on standard input and output until the client goes away. Reads the index only;
    `tieline index` or `tieline resolve` in another terminal is seen by the next question.
    """
    from resolver.mcp.server import serve as run

    if session.json:
        raise usage("serve speaks JSON already", "leave --json out")
    # An index that cannot be read is told at once, not at each question; kept open it would be read for ever.
    _ = session.snapshot
    session.close()
    run(session.root, session.index_dir)
    return Exit.DONE
