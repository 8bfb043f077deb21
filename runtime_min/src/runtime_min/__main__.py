"""`python -m runtime_min DB INTENT`: resolve with nothing but the runtime installed."""

from __future__ import annotations

import json
import sys

from . import SmallchatError, Tier, ToolRuntime


def main(argv: list[str]) -> int:
    """Print the resolution as JSON; exit 0 with a tool, 1 with none, 2 on trouble."""
    if len(argv) != 2 or argv[0].startswith("-"):
        print("usage: python -m runtime_min DB INTENT", file=sys.stderr)
        return 2
    try:
        resolution = ToolRuntime.open(argv[0]).resolve(argv[1])
    except SmallchatError as err:
        print(f"error: {err}" + (f"\n  hint: {err.hint}" if err.hint else ""), file=sys.stderr)
        return 2
    print(json.dumps(resolution.to_dict(), ensure_ascii=False, indent=2))
    return 1 if resolution.tier is Tier.NONE else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
