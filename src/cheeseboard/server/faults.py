"""Named points at which a test can let the process die, to see that nothing is lost there.

Armed by the environment: CHEESEBOARD_FAULT=stored:17 kills at the 17th time the point "stored" is passed."""

import os
import signal

_name, _, _count = os.environ.get("CHEESEBOARD_FAULT", "").partition(":")
_left = int(_count or 1)


def point(name: str) -> None:
    global _left  # noqa: PLW0603
    if name == _name:
        _left -= 1
        if _left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
