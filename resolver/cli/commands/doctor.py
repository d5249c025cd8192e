"""`doctor`: what is there, what is missing, and what to do about it."""

from __future__ import annotations

from dataclasses import asdict

from resolver.cli import output
from resolver.cli.base import Example, command
from resolver.cli.errors import Exit
from resolver.cli.session import Session


@command(
    "doctor",
    Example("tieline doctor", "this machine, the configuration, the index, and the servers that its languages need"),
    Example("tieline doctor --json | jq '.checks[] | select(.state != \"good\")'", "only what needs attention"),
    answers=False,
)
def doctor(session: Session) -> int:
    """Check everything that answers depend on. Exit code 1: something is missing or broken."""
    from resolver.cli.checks import examine

    checks = examine(session)
    if session.json:
        output.write_json({"root": str(session.root), "checks": [asdict(check) for check in checks]})
    else:
        from resolver.cli.render.doctor import show_checks

        show_checks(output.answer_console(), checks)
    return Exit.NOTHING if any(check.state != "good" for check in checks) else Exit.DONE
