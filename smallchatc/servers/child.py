"""Child: a server that is started, and its standard streams as streams of messages; the runtime starts it."""

from __future__ import annotations

import os
from contextlib import AbstractAsyncContextManager

from runtime_min.transports import child
from runtime_min.trust import inherited

from .course import Course
from .expansion import Expanded
from .tap import Streams


def started(server: Expanded, course: Course) -> AbstractAsyncContextManager[Streams]:
    """The streams to and from a new child; it and its descendants have ended when this is left."""
    env = {**inherited(os.environ), **server.env}
    return child.started(server.command, server.args, env, server.cwd or None, course)
