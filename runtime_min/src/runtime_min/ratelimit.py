"""Rate limit: a client that floods the resolver is held back, and no other client notices.

A sliding window of the times at which each client asked; the clients remembered are bounded too.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable

from .errors import RateLimited

_CLIENTS = 10_000


class RateLimit:
    """At most `maximum` questions of one client in any `window` seconds."""

    def __init__(
        self, maximum: int = 600, window: float = 60.0, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        if maximum < 1 or window <= 0:
            raise ValueError("a rate limit allows at least one question in a window longer than nothing")
        self.maximum = maximum
        self.window = window
        self._clock = clock
        self._asked: OrderedDict[str, deque[float]] = OrderedDict()
        self._lock = threading.RLock()

    def check(self, client: str) -> None:
        """Count a question of this client; raises RateLimited when it is one too many, which does not count."""
        now = self._clock()
        with self._lock:
            asked = self._asked.get(client)
            if asked is None:
                if len(self._asked) >= _CLIENTS:
                    self._asked.popitem(last=False)
                asked = self._asked[client] = deque()
            self._asked.move_to_end(client)
            while asked and now - asked[0] >= self.window:
                asked.popleft()
            if len(asked) < self.maximum:
                asked.append(now)
                return
            wait = asked[0] + self.window - now
        raise RateLimited(
            f"client {client!r} asked {self.maximum} times within {self.window:g} s",
            retry_after=wait,
            hint=f"ask again in {wait:.1f} s",
        )
