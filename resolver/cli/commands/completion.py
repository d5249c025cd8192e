"""`completion`: the script that teaches a shell to complete commands, options, paths and symbols."""

from __future__ import annotations

import click

from resolver.cli import output
from resolver.cli.base import Example, command
from resolver.cli.errors import usage
from resolver.cli.session import Session


@command(
    "completion",
    Example("tieline completion bash > ~/.local/share/bash-completion/completions/tieline", "for bash"),
    Example("tieline completion zsh > ~/.zfunc/_tieline", "for zsh, with ~/.zfunc in fpath"),
    Example("tieline completion fish > ~/.config/fish/completions/tieline.fish", "for fish"),
    answers=False,
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(session: Session, shell: str) -> None:
    """Print the completion script of a shell."""
    from click.shell_completion import get_completion_class

    from resolver.cli.application import COMPLETION_VARIABLE, application

    made = get_completion_class(shell)
    if made is None:
        raise usage(f"no completion for {shell}")
    script = made(application, {}, "tieline", COMPLETION_VARIABLE).source()
    if session.json:
        output.write_json({"shell": shell, "script": script})
    else:
        click.echo(script)
