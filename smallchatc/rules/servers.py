"""What goes wrong with client configurations and the servers that they name.

An error here costs one server: the others are compiled (exit 1; --allow-failed: 0; --fail-fast: nothing is written).
"""

from .rule import ERROR, NOTE, WARNING, Rule

RULES = (
    Rule(
        slug="no-servers",
        severity=ERROR,
        meaning="nothing that was given names a server to ask",
        hint='give a client\'s configuration, a URL, or "stdio:COMMAND"',
    ),
    Rule(
        slug="missing-command",
        severity=ERROR,
        meaning="a configured server has neither a command nor a url",
        hint="write how it is started (command, args) or where it is reached (url)",
        costs_one_server=True,
    ),
    Rule(
        slug="bad-server",
        severity=ERROR,
        meaning="the entry of a configured server is not an object",
        hint='write {"command": ..., "args": [...]} or {"url": ...}',
        costs_one_server=True,
    ),
    Rule(
        slug="transport-not-supported",
        severity=ERROR,
        meaning="a configured server is reached in a way that is not stdio, Streamable HTTP or SSE",
        hint="use stdio, http or sse, or record the server's tools/list answer and compile that",
        costs_one_server=True,
    ),
    Rule(
        slug="variable-unset",
        severity=ERROR,
        meaning="a variable that a server's command, URL or headers refer to is not set",
        hint="set it, or write ${NAME:-default}",
        costs_one_server=True,
    ),
    Rule(
        slug="server-not-found",
        severity=ERROR,
        meaning="the program that starts a server is not there or may not be run",
        hint="install it, or write its full path",
        costs_one_server=True,
    ),
    Rule(
        slug="server-died",
        severity=ERROR,
        meaning="a server ended before it had listed its tools",
        hint="run its command by hand to see why",
        costs_one_server=True,
    ),
    Rule(
        slug="server-timeout",
        severity=ERROR,
        meaning="a server did not list its tools in time",
        hint="give it longer with --timeout, or run its command by hand",
        costs_one_server=True,
    ),
    Rule(
        slug="server-error",
        severity=ERROR,
        meaning="a server answered with an error, or with what is no list of tools",
        hint="ask its authors, or record its tools/list answer and compile that",
        costs_one_server=True,
    ),
    Rule(
        slug="server-unreachable",
        severity=ERROR,
        meaning="nothing answers at a server's URL",
        hint="check the URL, and that the server runs",
        costs_one_server=True,
    ),
    Rule(
        slug="server-refused",
        severity=ERROR,
        meaning="a server wants to know who asks",
        hint='write an Authorization header as "Bearer ${NAME}" and set the variable',
        costs_one_server=True,
    ),
    Rule(
        slug="server-too-large",
        severity=ERROR,
        meaning="a server answers with more than a catalogue can sensibly be",
        hint="list fewer tools",
        costs_one_server=True,
    ),
    Rule(
        slug="mcp-extra-missing",
        severity=ERROR,
        meaning="a server is to be asked, and the package that does so is not installed",
        hint="pip install 'smallchatc[mcp]', or record the servers elsewhere and compile with --offline",
        costs_one_server=True,
    ),
    Rule(
        slug="variable-left-out",
        severity=WARNING,
        meaning="a variable of a server's environment is not set; the server was started without it",
        hint="set it where the compiler runs",
    ),
    Rule(
        slug="unsupported-reference",
        severity=WARNING,
        meaning="a reference that only a client can fill in became a variable",
        hint="set that variable where the server is started",
    ),
    Rule(
        slug="wrong-root-key",
        severity=WARNING,
        meaning="servers stand under a key that no client reads",
        hint="write mcpServers (VS Code: servers)",
    ),
    Rule(
        slug="unknown-server-key",
        severity=WARNING,
        meaning="a key of a configured server that no client knows; not used",
        hint="remove it, or correct its spelling",
    ),
    Rule(
        slug="server-key-not-used",
        severity=WARNING,
        meaning="a key of a configured server that is known and has no effect here",
        hint="set the variables where the compiler runs",
    ),
    Rule(
        slug="command-line",
        severity=WARNING,
        meaning="a whole command line stands where a program or a list of arguments belongs",
        hint="write the program as command, and each argument as an entry of args",
    ),
    Rule(
        slug="windows-path",
        severity=WARNING,
        meaning="a path holds a control character where a backslash was meant",
        hint="write every backslash of a path twice, or use /",
    ),
    Rule(
        slug="inline-token",
        severity=WARNING,
        meaning="a token is written out in a configuration, where clients refuse it",
        hint="write bearer_token_env_var and set that variable",
    ),
    Rule(
        slug="server-not-recorded",
        severity=WARNING,
        meaning="with --offline, a server whose tools are not recorded among the sources was not asked",
        hint="record it with `smallchatc snapshot`, and give that folder as a source",
    ),
    Rule(
        slug="unknown-tool-named",
        severity=WARNING,
        meaning="a configuration includes or excludes a tool that its server does not list",
        hint="correct the name, or remove it",
    ),
    Rule(
        slug="server-not-started",
        severity=NOTE,
        meaning="a server of a configuration that was found in a folder, not named, is never started",
        hint="name the configuration itself to start its servers",
    ),
    Rule(
        slug="server-disabled",
        severity=NOTE,
        meaning="a server that its configuration turns off was not asked",
    ),
    Rule(
        slug="server-recorded",
        severity=NOTE,
        meaning="a server was read from a recording among the sources and not asked again",
    ),
    Rule(
        slug="server-built-in",
        severity=NOTE,
        meaning="an entry that is a part of the client itself; there is nothing to start",
    ),
    Rule(
        slug="server-printed",
        severity=NOTE,
        meaning="a server printed what is no message to its standard output; read past",
        hint="let it print to standard error",
    ),
    Rule(
        slug="server-old-transport",
        severity=NOTE,
        meaning="a server was reached over SSE, which is deprecated, since it does not speak Streamable HTTP",
        hint='write "type": "sse" to spare the first attempt',
    ),
)
