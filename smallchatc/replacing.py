"""Replacing: a file takes another's place whole, or not at all, whatever happens while it is written.

It is made beside its place under another name, synced, and renamed. The temporary is locked as long as its writer
lives, so that the next writer can remove what a killed one left behind and nothing else.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from runtime_min.errors import SmallchatError


class NotWritten(SmallchatError):
    """The operating system refused; what was there is as it was."""

    code = "not-written"


@contextmanager
def replacing(out: Path) -> Iterator[Path]:
    """The temporary file to fill; it becomes `out` at the end, unless an exception leaves `out` as it was."""
    _remove_left_behind(out)
    try:
        handle, name = tempfile.mkstemp(prefix=f".{out.name}.", suffix=".tmp", dir=out.parent)
    except OSError as err:
        raise _not_written(out, err) from err
    _hold(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o666 & ~_umask())
        _sync(temporary)
        temporary.replace(out)
    except OSError as err:
        raise _not_written(out, err) from err
    finally:
        if sys.platform != "win32":
            os.close(handle)
        with suppress(FileNotFoundError):
            temporary.unlink()
    with suppress(OSError):  # it is in place; only a power cut could still undo that
        _sync(out.parent)


def replace_text(out: Path, text: str) -> None:
    """The text becomes the file, whole or not at all; its folder is made where it is missing."""
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
    except OSError as err:
        raise _not_written(out, err) from err
    with replacing(out) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def _not_written(out: Path, err: OSError) -> NotWritten:
    kept = "what was there is untouched" if out.exists() else "nothing is there"
    return NotWritten(
        f"{out}: cannot be written: {(err.strerror or str(err)).lower()}; {kept}",
        hint="make room, or check the folder and its permissions",
    )


def _hold(handle: int) -> None:
    """Lock a temporary as long as its writer lives, so that nobody takes it for one left behind."""
    if sys.platform == "win32":  # where an open file cannot be renamed
        os.close(handle)
    else:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _remove_left_behind(out: Path) -> None:
    """Remove the temporaries of writers that were killed: those that nobody holds."""
    if sys.platform == "win32":
        return
    import fcntl

    ours = re.compile(rf"\.{re.escape(out.name)}\.[a-z0-9_]{{8}}\.tmp")
    for left in out.parent.iterdir():
        if ours.fullmatch(left.name):
            with suppress(OSError), left.open("rb") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                left.unlink()


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
