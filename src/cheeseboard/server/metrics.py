"""What an operator sees of the house at /metrics. Numbers only: no name, no card, no address.

Plain numbers, written out in Prometheus' text format when somebody asks: a move pays for two additions."""

from bisect import bisect_left
from collections import Counter

SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1.0, 5.0)


class Metrics:
    def __init__(self) -> None:
        self.within = [0] * (len(SECONDS) + 1)  # acts by how long they took; the last: longer than all
        self.seconds = 0.0
        self.lines = 0
        self.rooms = 0
        self.refused: Counter[str] = Counter()
        self.cut: Counter[str] = Counter()

    def moved(self, seconds: float) -> None:
        self.within[bisect_left(SECONDS, seconds)] += 1
        self.seconds += seconds

    def text(self) -> str:
        moves = sum(self.within)
        upto = [sum(self.within[: n + 1]) for n in range(len(SECONDS))]
        lines = [
            *_head("cheeseboard_move_seconds", "histogram", "From hearing an act to having told it"),
            *(f'cheeseboard_move_seconds_bucket{{le="{le}"}} {n}' for le, n in zip(SECONDS, upto, strict=True)),
            f'cheeseboard_move_seconds_bucket{{le="+Inf"}} {moves}',
            f"cheeseboard_move_seconds_sum {self.seconds:.6f}",
            f"cheeseboard_move_seconds_count {moves}",
            *_head("cheeseboard_connections", "gauge", "Open connections"),
            f"cheeseboard_connections {self.lines}",
            *_head("cheeseboard_tables", "gauge", "Tables in memory"),
            f"cheeseboard_tables {self.rooms}",
            *_head("cheeseboard_refused_total", "counter", "Messages and requests refused"),
            *(f'cheeseboard_refused_total{{code="{code}"}} {n}' for code, n in sorted(self.refused.items())),
            *_head("cheeseboard_cut_off_total", "counter", "Connections cut off"),
            *(f'cheeseboard_cut_off_total{{reason="{reason}"}} {n}' for reason, n in sorted(self.cut.items())),
        ]
        return "\n".join(lines) + "\n"


def _head(name: str, kind: str, text: str) -> tuple[str, str]:
    return f"# HELP {name} {text}", f"# TYPE {name} {kind}"
