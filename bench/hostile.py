"""How long hostile text takes: seconds per kind of text at 10 kB and at 100 kB, by step, worst first.

    make hostile

A step that is linear takes at most ten times as long; one that reads only the beginning takes as long. Whatever
takes 40 times as long is quadratic. The kinds are those that the fast suite sends (tests/hostile_text.py).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import thread_time

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
from hostile_text import KINDS  # noqa: E402

SIZES = (10_000, 100_000)
STEEP = 30
"""Times as long from 10 kB to 100 kB that are told as suspicious; 10 is linear, 100 quadratic."""

_SHORT = 0.002  # seconds that are too few to tell anything from


def main() -> None:
    with TemporaryDirectory() as scratch:
        steps = _steps(Path(scratch))
        rows = []
        for name, kind in KINDS.items():
            short, long = (kind(size) for size in SIZES)
            for step, function in steps.items():
                rows.append((_seconds(function, long), _seconds(function, short), name, step))
    rows.sort(reverse=True)
    print("| text | step | s at 10 kB | s at 100 kB | times |\n|---|---|---|---|---|")
    for long, short, name, step in rows[: int(sys.argv[1]) if len(sys.argv) > 1 else 40]:
        print(f"| {name} | {step} | {short:.4f} | {long:.4f} | {long / max(short, 1e-6):.0f} |")
    steep = [f"{name} in {step}" for long, short, name, step in rows if long > _SHORT and long > STEEP * short]
    print("not linear: " + (", ".join(steep) or "none"))
    sys.exit(bool(steep))


def _steps(scratch: Path) -> dict[str, Callable[[str], object]]:
    """What a text goes through, one by one and all together; nothing is cut short but where the step does it."""
    from runtime_min import ToolRuntime, lexicon, values
    from smallchatc.pipeline import compile_sources
    from smallchatc.settings import Settings
    from smallchatc.write import write_artifact

    artifact = scratch / "fixtures.smallchat.db"
    sources = [str(ROOT / "fixtures" / "manifests")]
    write_artifact(compile_sources(sources, settings=Settings(encoder="base")).image, artifact)
    return {
        "canonical": lexicon.canonical,
        "scan": lexicon.scan,
        "terms": lexicon.terms,
        "values.read": values.read,
        "resolve": lambda text: ToolRuntime.open(artifact).resolve(text),  # anew each time: no word is known yet
        "proof": lambda text: ToolRuntime.open(artifact).resolve(text).to_dict(),
    }


def _seconds(function: Callable[[str], object], text: str) -> float:
    """The least of three."""
    best = float("inf")
    for _ in range(3):
        began = thread_time()
        function(text)
        best = min(best, thread_time() - began)
        if best > 1:
            break
    return best


if __name__ == "__main__":
    main()
