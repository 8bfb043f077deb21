"""`smallchatc serve`: the artifact's tools for MCP clients."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .params import ARTIFACT, running_options

if TYPE_CHECKING:
    from smallchatc.serve.web import Address

FACES, NAMES = ("auto", "tools", "search"), ("portable", "own")


@click.command(name="serve")
@click.argument("artifact", type=ARTIFACT, metavar="[DB]", required=False)
@click.option("--source", "sources", multiple=True, metavar="SOURCE", help="Compile this instead; may be repeated.")
@click.option("--stdio", is_flag=True, help="Serve over stdin and stdout: so it is without --http.")
@click.option("--http", metavar="[HOST:]PORT", help="Serve over HTTP, at /mcp.")
@click.option("--expose", type=click.Choice(FACES), default="auto", show_default=True, help="What clients see.")
@click.option(
    "--budget",
    type=click.IntRange(min=1),
    default=10_000,
    show_default=True,
    metavar="TOKENS",
    help="auto: list all tools while they weigh no more.",
)
@click.option(
    "--names",
    type=click.Choice(NAMES),
    default="portable",
    show_default=True,
    help="own: a tool's own name where no other tool has it.",
)
@running_options
@click.option(
    "--token-env",
    default="SMALLCHAT_TOKEN",
    show_default=True,
    metavar="NAME",
    help="The variable that holds the bearer token.",
)
@click.option("--allow-origin", "origins", multiple=True, metavar="ORIGIN", help="Let pages of this origin ask.")
@click.option("--allow-host", "hosts", multiple=True, metavar="NAME", help="Let clients call this server by that name.")
@click.option(
    "--max-body",
    type=click.IntRange(min=1),
    default=4 << 20,
    show_default=True,
    metavar="BYTES",
    help="What a request may weigh.",
)
@click.option(
    "--concurrency",
    type=click.IntRange(min=1),
    default=64,
    show_default=True,
    metavar="N",
    help="Calls at once; more wait.",
)
@click.option(
    "--rate",
    type=click.IntRange(min=1),
    default=6000,
    show_default=True,
    metavar="N",
    help="Calls of one client in a minute.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=600.0,
    show_default=True,
    metavar="S",
    help="Seconds that a tool may be silent.",
)
@click.option(
    "--grace",
    type=click.FloatRange(min=0),
    default=10.0,
    show_default=True,
    metavar="S",
    help="Seconds that calls may take to end when it stops.",
)
@click.option("--watch", type=click.FloatRange(min=0.1), metavar="S", help="Look for a replaced DB every S seconds.")
@click.option("--audit", type=click.Path(path_type=Path), metavar="FILE", help="Write a line of JSON for each call.")
@click.option("--audit-arguments", is_flag=True, help="Write arguments whole, not only their names and sizes.")
@click.option("--legacy", is_flag=True, help="Also answer POST / and GET /sse, for old clients.")
@click.option("--metrics", is_flag=True, help="Answer /metrics, in Prometheus' form.")
def serve_command(
    artifact: Path | None,
    sources: tuple[str, ...],
    stdio: bool,
    http: str | None,
    expose: str,
    budget: int,
    names: str,
    trust: bool,
    bindings: tuple[str, ...],
    token_env: str,
    origins: tuple[str, ...],
    hosts: tuple[str, ...],
    max_body: int,
    concurrency: int,
    rate: int,
    timeout: float,
    grace: float,
    watch: float | None,
    audit: Path | None,
    audit_arguments: bool,
    legacy: bool,
    metrics: bool,
) -> int:
    """Serve an artifact's tools as one MCP server.

    \b
      smallchatc serve app.smallchat.db
      smallchatc serve app.smallchat.db --http 3920 --expose search
      smallchatc serve --source .mcp.json --trust --http 127.0.0.1:3920

    Calls go to the providers that the artifact records, once it is trusted (`smallchatc trust DB`). With --expose
    search clients see two tools, one that finds and one that calls; auto does so when all tools are too many to list.
    Beyond the loopback a bearer token is needed. SIGHUP loads a replaced DB, SIGTERM stops when calls have ended.
    """
    from smallchatc.render.served import show_ready, to_stderr
    from smallchatc.serve import Serving, serve
    from smallchatc.serve.service import Face

    if (artifact is None) == (not sources):
        raise click.UsageError("give a DB, or --source")
    if stdio and http is not None:
        raise click.UsageError("give --stdio or --http, not both")
    if "-" in sources:
        raise click.UsageError("--source -: stdin is where clients speak")
    address = (
        None
        if http is None
        else _address(
            http,
            token=os.environ.get(token_env) or None,
            origins=origins,
            hosts=hosts,
            max_body=max_body,
            legacy=legacy,
        )
    )
    to_stderr()
    with tempfile.TemporaryDirectory(prefix="smallchat-") as folder:
        path = artifact or _compiled(sources, Path(folder))
        if path is None:
            return 2
        serving = Serving(
            artifact=path,
            trust=trust,
            bindings=bindings,
            address=address,
            face=Face(face=expose, budget=budget, names=names),
            concurrency=concurrency,
            rate=rate,
            timeout=timeout,
            grace=grace,
            watch=watch,
            audit=audit,
            audit_arguments=audit_arguments,
            metrics=metrics,
        )
        serve(serving, ready=show_ready)
    return 0


def _address(text: str, **rest: Any) -> Address:
    from smallchatc.serve.web import Address

    host, _, port = text.rpartition(":")
    if not port.isdecimal() or int(port) > 65535:
        raise click.BadParameter(f"{text}: not a port, nor HOST:PORT", param_hint="--http")
    return Address(host=host.strip("[]") or "127.0.0.1", port=int(port), **rest)


def _compiled(sources: tuple[str, ...], folder: Path) -> Path | None:
    """The sources as an artifact of this run alone; None when there is none, and that was said."""
    from smallchatc.diagnostics import CompileError
    from smallchatc.pipeline import Asking, compile_sources
    from smallchatc.render import compiled as render
    from smallchatc.render.diagnostics import diagnostics_text
    from smallchatc.settings import Wanted
    from smallchatc.write import write_artifact

    try:
        compiled = compile_sources(sources, settings=Wanted(), asking=Asking(environment=os.environ))
    except CompileError as err:
        render.show_failure(err.diagnostics, alone=len(sources) < 2, verbose=False, as_json=False)
        return None
    if compiled.diagnostics:
        click.echo(diagnostics_text(compiled.diagnostics, verbose=False), err=True)
    out = folder / "served.smallchat.db"
    write_artifact(compiled.image, out)
    return out
