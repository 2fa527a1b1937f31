"""Mausen."""

from cheeseboard.bots import Player
from cheeseboard.bots.simple import random, thinker

PLAYERS = {
    "mouse": Player(random),
    "cat": Player(thinker, 16),
    "dog": Player(thinker, 48),
    "elephant": Player(thinker, 96),
}
