"""Kept: configured servers become answers that stay true: each is asked once, then heard, and asked again when it says
that its list has changed.

A server that went away is started or reached again, later and later; until it is back its last list stands, with word
of what is wrong. Servers are spoken to on a loop of their own, in a thread: whoever asks never waits for one that has
answered before. None outlives the block.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Event
from typing import TYPE_CHECKING, Any

from ..model import Answer, Configured
from . import TIMEOUT_S, cannot_ask, nobody
from .course import Tell
from .meanwhile import quiet_logs, terminated_like_interrupted

if TYPE_CHECKING:
    from .conversation import Talk

AGAIN_S = 60.0
"""A list is asked for so often unasked: not every server says that its list has changed, nor that it has gone."""
SETTLE_S = 0.2  # news come in bursts
LOOK_S = 0.5  # how soon the death of a child is seen
FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 60.0


@dataclass(slots=True, kw_only=True)
class _Kept:
    server: Configured
    answer: Answer | None = None
    there: Event = field(default_factory=Event)
    task: Future[Any] | None = None


class KeptServers:
    """The servers that were asked for last, each with its newest answer; `changed` is set when one differs."""

    def __init__(self) -> None:
        self.changed = Event()
        self._kept: list[_Kept] = []
        self._open = ExitStack()
        self._portal: Any = None

    def __enter__(self) -> KeptServers:
        return self

    def __exit__(self, *ended: Any) -> None:
        try:
            self._keep_only(())
        finally:
            self._open.close()

    def ask(
        self,
        servers: Sequence[Configured],
        *,
        environment: Mapping[str, str],
        timeout_s: float = TIMEOUT_S,
        fail_fast: bool = False,
        tell: Tell | None = None,
    ) -> tuple[Answer, ...]:
        """As `ask_servers`, but that these servers are kept, and no others any more."""
        self._keep_only(servers)
        if not servers:
            return ()
        try:
            portal = self._loop()
        except ImportError:
            return tuple(cannot_ask(server) for server in servers)
        for server in servers:
            if not any(_same(each.server, server) for each in self._kept):
                kept = _Kept(server=server)
                kept.task = portal.start_task_soon(self._keep, kept, environment, timeout_s, tell or nobody)
                self._kept.append(kept)
        self.changed.clear()
        return tuple(
            replace(_answer(kept), configured=server)
            for server in servers
            for kept in self._kept
            if _same(kept.server, server)
        )

    def _keep_only(self, servers: Sequence[Configured]) -> None:
        for kept in [each for each in self._kept if not any(_same(each.server, server) for server in servers)]:
            self._kept.remove(kept)
            if kept.task is not None:
                kept.task.cancel()

    def _loop(self) -> Any:
        if self._portal is None:
            import mcp  # noqa: F401
            from anyio.from_thread import start_blocking_portal

            self._open.enter_context(quiet_logs())
            self._open.enter_context(terminated_like_interrupted())
            self._portal = self._open.enter_context(start_blocking_portal())
        return self._portal

    async def _keep(self, kept: _Kept, environment: Mapping[str, str], timeout_s: float, tell: Tell) -> None:
        import anyio

        from .conversation import ask

        pause = FIRST_PAUSE_S
        while True:
            listed_at: list[float] = []
            stay = partial(self._stay, kept, timeout_s, listed_at)
            lost = await ask(kept.server, environment, timeout_s=timeout_s, tell=tell, stay=stay)
            if not listed_at:  # else it is worth a word only if it does not come back
                self._publish(kept, lost)
            lived = time.monotonic() - listed_at[0] if listed_at else 0.0
            pause = FIRST_PAUSE_S if lived > LONGEST_PAUSE_S else min(pause * 2, LONGEST_PAUSE_S)
            await anyio.sleep(pause)

    async def _stay(self, kept: _Kept, timeout_s: float, listed_at: list[float], answer: Answer, talk: Talk) -> None:
        import anyio

        listed_at.append(time.monotonic())
        self._publish(kept, answer)
        async with anyio.create_task_group() as group:
            group.start_soon(_hear, talk)
            while True:
                await _news(talk)
                talk.changed = anyio.Event()
                with anyio.fail_after(timeout_s):
                    answer = await talk.again()
                self._publish(kept, answer)

    def _publish(self, kept: _Kept, answer: Answer) -> None:
        if answer.recording is None and kept.answer is not None:
            answer = replace(kept.answer, said=answer.said)
        if answer == kept.answer:
            return
        kept.answer = answer
        if kept.there.is_set():
            self.changed.set()
        kept.there.set()


def _same(one: Configured, other: Configured) -> bool:
    """Whether both are one server, wherever in its file it now stands."""
    return replace(one, span=other.span) == other


def _answer(kept: _Kept) -> Answer:
    """The newest one, waited for where there is none yet."""
    while not kept.there.wait(LOOK_S):
        if kept.task is not None and kept.task.done():
            kept.task.result()
    assert kept.answer is not None
    return kept.answer


async def _hear(talk: Talk) -> None:
    """News of a server of the new era, over and over: where it ends, the list is asked for, which shows what is up."""
    import anyio

    from runtime_min.transports.session import hear_of_changes

    while True:
        began = time.monotonic()
        try:
            await hear_of_changes(talk.session, lambda: talk.changed.set())
            if time.monotonic() - began < FIRST_PAUSE_S:  # it has no news, or does not give them: it is asked in turn
                return
        except Exception:
            if time.monotonic() - began < FIRST_PAUSE_S:
                return
        talk.changed.set()
        await anyio.sleep(FIRST_PAUSE_S)


async def _news(talk: Talk) -> None:
    """Until the server says that its list has changed, has ended, or was not heard of for long."""
    import anyio

    with anyio.move_on_after(AGAIN_S):
        while not talk.changed.is_set() and not talk.course.ended:
            with anyio.move_on_after(LOOK_S):
                await talk.changed.wait()
    await anyio.sleep(SETTLE_S)
