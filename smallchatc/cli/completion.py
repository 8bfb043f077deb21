"""`smallchatc completion`: the script that teaches a shell to complete."""

from __future__ import annotations

import click


@click.command(name="completion")
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
def completion_command(shell: str) -> None:
    """Print the completion script of a shell.

    \b
    bash:  eval "$(smallchatc completion bash)"     in ~/.bashrc
    zsh:   eval "$(smallchatc completion zsh)"      in ~/.zshrc
    fish:  smallchatc completion fish > ~/.config/fish/completions/smallchatc.fish
    """
    from click.shell_completion import get_completion_class

    from smallchatc.cli import cli

    completion = get_completion_class(shell)
    assert completion is not None
    click.echo(completion(cli, {}, "smallchatc", "_SMALLCHATC_COMPLETE").source())
