"""Meanwhile: what holds for the whole process while servers are asked or listened to."""

from __future__ import annotations

from collections.abc import Callable


class quiet_logs:  # noqa: N801
    """The client library logs what we say ourselves, in our words; its tracebacks would stand between them."""

    def __enter__(self) -> None:
        import logging

        self._loggers = [
            (logging.getLogger(name), logging.getLogger(name).level) for name in ("mcp", "client", "httpx2")
        ]
        for logger, _ in self._loggers:
            logger.setLevel(logging.CRITICAL + 1)

    def __exit__(self, *_: object) -> None:
        for logger, level in self._loggers:
            logger.setLevel(level)


class terminated_like_interrupted:  # noqa: N801
    """A SIGTERM, too, must reach the children: they are in sessions of their own."""

    def __enter__(self) -> None:
        import signal
        import threading

        self._former: Callable[..., object] | int | None = None
        self._set = threading.current_thread() is threading.main_thread()
        if self._set:
            self._former = signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))

    def __exit__(self, *_: object) -> None:
        import signal

        if self._set:
            signal.signal(signal.SIGTERM, self._former if self._former is not None else signal.SIG_DFL)
