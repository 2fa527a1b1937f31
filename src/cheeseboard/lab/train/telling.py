"""What a long run has to say, as lines: it usually runs where nobody looks."""

import sys
import time
from collections.abc import Callable

EVERY_S = 30


def tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # noqa: T201


def teller(what: str) -> Callable[[float], None]:
    """A function to be told how far it is (0 to 1), which says so once in a while."""
    last = [time.perf_counter()]

    def say(share: float) -> None:
        if time.perf_counter() - last[0] > EVERY_S:
            last[0] = time.perf_counter()
            tell(f"  {what}: {share:.0%}")

    return say
