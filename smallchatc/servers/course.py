"""Course: how far one conversation has come, so that whatever ends it can be told in words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from runtime_min.transports.child import MAX_LINE

from ..model import Json

Tell = Callable[[str, str, bool], None]
"""Called with a server's label, what it is doing, and whether that was the last of it."""

MAX_ANSWER = MAX_LINE
"""Bytes of one message, over whatever it comes."""


class NoList(Exception):
    """The server answered tools/list with what is no list of tools."""


@dataclass(slots=True, kw_only=True)
class Course:
    """One conversation so far; written by its transport and by who talks, read when it has ended."""

    heard: bool = False  # anything at all came back
    agreed: bool = False  # a protocol version is settled
    listed: bool = False  # its whole list came, once at least
    pages: int = 0
    tools: list[Json] = field(default_factory=list)
    printed: list[str] = field(default_factory=list)  # lines on stdout that are no messages: the first few
    printed_lines: int = 0
    stderr: str = ""  # its end
    ended: bool = False  # the child closed its standard output
    exit_code: int | None = None
    status: int | None = None  # of the last HTTP answer
    too_large: bool = False
    broken: str = ""  # a message that cannot be read

    def words(self) -> str:
        """How far it came."""
        if self.pages:
            return f"{self.pages} page{'' if self.pages == 1 else 's'} with {len(self.tools)} tools came, then nothing"
        if self.agreed:
            return "it agreed on a protocol and did not list its tools"
        if self.printed:
            return f"it printed {self.printed_lines} lines that are no messages, and did not answer"
        return "it answered, but not the handshake" if self.heard else "it said nothing"

    def last_words(self) -> str:
        """The last line on its standard error that says something."""
        lines = [line.strip() for line in self.stderr.splitlines() if line.strip()]
        told = [line for line in lines if line[0].isalpha() or line[0] in "['\""]
        return (told or lines or [""])[-1][:200]
