"""What an operator sees of the house at /metrics. Numbers only: no name, no card, no address."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1.0, 5.0)


class Metrics:
    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.moves = Counter("cheeseboard_moves", "Acts stored and told", registry=self.registry)
        self.latency = Histogram(
            "cheeseboard_move_seconds", "From hearing an act to having told it", buckets=SECONDS, registry=self.registry
        )
        self.lines = Gauge("cheeseboard_connections", "Open connections", registry=self.registry)
        self.rooms = Gauge("cheeseboard_tables", "Tables in memory", registry=self.registry)
        self.refused = Counter("cheeseboard_refused", "Messages and requests refused", ["code"], registry=self.registry)
        self.cut = Counter("cheeseboard_cut_off", "Connections cut off", ["reason"], registry=self.registry)

    def moved(self, seconds: float) -> None:
        self.moves.inc()
        self.latency.observe(seconds)

    def text(self) -> bytes:
        return generate_latest(self.registry)
