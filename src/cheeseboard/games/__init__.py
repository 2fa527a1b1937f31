"""The rules. One folder is one game; to add a game is to add a folder and a line here."""

from cheeseboard.games.core import Game
from cheeseboard.games.flippt import rules as flippt
from cheeseboard.games.geier import rules as geier
from cheeseboard.games.maus import rules as maus
from cheeseboard.games.mausen import rules as mausen
from cheeseboard.games.memento import rules as memento

GAMES: dict[str, Game] = {
    "geier": geier,
    "maus": maus,
    "mausen": mausen,
    "memento": memento,
    "flippt": flippt,
}
