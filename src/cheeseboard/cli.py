"""The command `cheeseboard`. What a person can get wrong is answered in one line, with exit code 2."""

import argparse
import dataclasses
import json
import os
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import msgspec

from cheeseboard.games import GAMES, core
from cheeseboard.games.core import Game, Refusal
from cheeseboard.games.texts import LANGUAGES, texts

if TYPE_CHECKING:
    from cheeseboard.server.settings import Settings
    from cheeseboard.server.store import Store


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise Refusal(f"{message}; see {self.prog} --help")


def main(words: Sequence[str] | None = None) -> int:
    try:
        asked = parser().parse_args(words)
        code = asked.run(asked) or 0
        sys.stdout.flush()
    except Refusal as refusal:
        print(f"cheeseboard: {refusal}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # whoever read our output has read enough, such as `head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python would complain once more at the end
        return 141
    return code


def parser() -> Parser:
    top = Parser(prog="cheeseboard", description="A card room for five small-box card games in which mice matter.")
    commands = top.add_subparsers(title="commands", required=True, metavar="COMMAND")

    games = commands.add_parser("games", help="list the games, their players and options")
    games.add_argument("--json", action="store_true", help="as one JSON object")
    games.add_argument("--language", default="en", help=" or ".join(LANGUAGES))
    games.set_defaults(run=show_games)

    add_lab(commands)

    one = commands.add_parser("play", help="sit down at a table in the terminal, against bots")
    one.add_argument("game", metavar="GAME", help=", ".join(GAMES))
    one.add_argument("--seats", type=whole, metavar="N", help="number of players; three if not given")
    one.add_argument("--bots", default="cat", metavar="BOT", help="who sits at the other seats, or FILE.py (cat)")
    add_seconds(one)
    one.add_argument("--seed", type=whole, metavar="S", help="a seed for luck and bots, to play the same game again")
    one.add_argument("--language", default="en", help=" or ".join(LANGUAGES))
    add_options(one)
    one.add_argument("--save", metavar="FILE", help="write the log of the game here, for replay")
    one.set_defaults(run=run_play)

    again = commands.add_parser("replay", help="tell a saved game again, as one seat saw it")
    again.add_argument("file", metavar="FILE", help="a log written by play --save")
    again.add_argument("--at", type=whole, metavar="N", help="only up to log entry N; to the end if not given")
    again.add_argument("--seat", type=whole, default=0, metavar="S", help="who looks (0)")
    again.add_argument("--language", default="en", help=" or ".join(LANGUAGES))
    again.set_defaults(run=run_replay)

    talk = commands.add_parser("analyse", help="a finished game with a coach: chances, luck and skill, or quick paws")
    talk.add_argument("files", nargs="+", metavar="FILE", help="logs by play --save, or replays as the house gives")
    talk.add_argument("--seat", type=whole, default=0, metavar="S", help="whose game (0)")
    talk.add_argument("--language", default="en", help=" or ".join(LANGUAGES))
    talk.add_argument("--json", action="store_true", help="all figures of all seats, one game a line")
    talk.set_defaults(run=run_analyse)

    add_house(commands)

    check = commands.add_parser("verify", help="check that a finished game was dealt honestly")
    check.add_argument("file", type=Path, metavar="FILE", help="a replay, as GET /api/tables/ID/replay gives it")
    check.add_argument("--receipt", type=Path, action="append", default=[], metavar="R", help="a player's own receipt")
    check.set_defaults(run=run_verify)
    return top


def add_lab(commands: Any) -> None:
    """Many games at once."""
    many = commands.add_parser("simulate", help="play many games at once and count who wins")
    many.add_argument("game", metavar="GAME", help=", ".join(GAMES))
    many.add_argument("--seats", type=whole, metavar="N", help="number of players; the fewest if not given")
    many.add_argument("--games", type=whole, default=100_000, metavar="K", help="how many games (100000)")
    many.add_argument("--seed", type=whole, default=0, metavar="S", help="the same seed gives the same games (0)")
    many.add_argument(
        "--bots", default="", metavar="A,B,..", help="a bot or FILE.py for each seat; random if not given"
    )
    add_seconds(many)
    many.add_argument("--cores", type=whole, metavar="C", help="use so many cores; all if not given")
    add_options(many)
    many.add_argument("--json", action="store_true", help="print one JSON object")
    many.set_defaults(run=run_simulate)

    rated = commands.add_parser("arena", help="let bots play all against all, and rate them")
    rated.add_argument("game", metavar="GAME", help=", ".join(GAMES))
    rated.add_argument(
        "--bots", default="", metavar="A,B,..", help="two or more, by name or as FILE.py; the four levels if not given"
    )
    rated.add_argument("--seats", type=whole, metavar="N", help="number of players; the fewest if not given")
    rated.add_argument("--games", type=whole, default=1000, metavar="K", help="so many games at least (1000)")
    rated.add_argument(
        "--until", type=number, metavar="WIDTH", help="play on until no rating's interval is wider than so many points"
    )
    rated.add_argument("--seed", type=whole, default=0, metavar="S", help="the same seed, the same games (0)")
    rated.add_argument("--count", default="places", metavar="WHAT", help="rate by all places, or by wins only (places)")
    add_seconds(rated)
    rated.add_argument("--cores", type=whole, metavar="C", help="use so many cores; all if not given")
    add_options(rated)
    rated.add_argument("--json", action="store_true", help="print one JSON object")
    rated.add_argument("--plot", type=Path, metavar="FILE.svg", help="draw the ratings with their intervals")
    rated.set_defaults(run=run_arena)

    known = commands.add_parser("solve", help="solve a small game exactly: values, best mixes, sure bids")
    known.add_argument("game", metavar="GAME", help="a game that can be solved")
    known.add_argument("--cards", type=whole, metavar="N", help="with so many cards")
    known.add_argument("--prizes", metavar="P,Q,..", help="for these prizes; --prizes=-1,.. if the first is below 0")
    known.add_argument("--aim", default="points", metavar="AIM", help="what counts: points, or to win (points)")
    known.add_argument("--cores", type=whole, metavar="C", help="use so many cores; all if not given")
    add_options(known)
    known.add_argument("--json", action="store_true", help="print one JSON object")
    known.set_defaults(run=run_solve)


def add_house(commands: Any) -> None:
    """What concerns a server and its books."""
    house = commands.add_parser("serve", help="open the house: a server for tables of people and bots")
    house.add_argument("--host", help="address to listen at; all of this machine's if not given")
    house.add_argument("--port", type=whole, metavar="P", help="port to listen at (8000)")
    add_data(house)
    house.set_defaults(run=run_serve)

    copy = commands.add_parser(
        "backup", help="copy the database to a file, while the house is open, and check the copy"
    )
    copy.add_argument(
        "target", type=Path, metavar="TARGET", help="a new file; TARGET.json beside it says what is in it"
    )
    add_data(copy)
    copy.set_defaults(run=run_backup)

    back = commands.add_parser("restore", help="bring a backup back into a new folder or an empty database")
    back.add_argument("source", type=Path, metavar="SOURCE", help="a file that backup has written")
    add_data(back)
    back.set_defaults(run=run_restore)

    games_out = commands.add_parser("export", help="write the replays of all ended tables, one JSON object per line")
    games_out.add_argument("--out", type=Path, metavar="FILE", help="write here; to the terminal if not given")
    games_out.add_argument("--table", default="", metavar="ID", help="only this table")
    games_out.add_argument("--schema", action="store_true", help="print the JSON Schema of a line instead")
    add_data(games_out)
    games_out.set_defaults(run=run_export)

    tell = commands.add_parser("export-me", help="print everything that a house keeps about a person, as JSON")
    tell.add_argument("person", metavar="PERSON", help="the id, as GET /api/me shows it")
    add_data(tell)
    tell.set_defaults(run=run_export_me)

    gone = commands.add_parser("delete-me", help="delete a person: name, devices, names at tables; games stay")
    gone.add_argument("person", metavar="PERSON", help="the id, as GET /api/me shows it")
    add_data(gone)
    gone.set_defaults(run=run_delete_me)


def add_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--option", action="append", default=[], metavar="NAME=CHOICE", help="an option of the game; again for more"
    )


def add_seconds(command: argparse.ArgumentParser) -> None:
    command.add_argument("--seconds", type=number, default=10.0, metavar="T", help="for a choice of a FILE.py (10)")


def add_data(command: argparse.ArgumentParser) -> None:
    command.add_argument("--data", metavar="DIR", help="folder for everything that must last (cheeseboard-data)")


def whole(word: str) -> int:
    try:
        return int(word)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected a whole number, got {word!r}") from None


def number(word: str) -> float:
    try:
        return float(word)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected a number, got {word!r}") from None


def find(name: str) -> Game:
    if name not in GAMES:
        raise Refusal(f"expected a game ({', '.join(GAMES)}), got {name!r}")
    return GAMES[name]


def chosen(game: Game, words: Sequence[str]) -> dict[str, Any]:
    """Options as typed: `ties=goofspiel`, `cards=8`, `prizes=1,2,-3`."""
    lists, options = core.about(game).get("lists", {}), {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise Refusal(f"expected an option as NAME=CHOICE, got {word!r}")
        options[name] = [_number(part) for part in value.split(",")] if name in lists else _number(value)
    return options


def _number(word: str) -> int | str:
    return int(word) if word.removeprefix("-").isdecimal() else word


def show_games(asked: argparse.Namespace) -> None:
    if asked.json:
        facts = {
            name: {
                "title": texts(game, asked.language)["title"],
                "players": core.about(game)["players"],
                "version": core.about(game)["version"],
                "options": core.about(game)["options"],
            }
            for name, game in GAMES.items()
        }
        print(json.dumps(facts, ensure_ascii=False))
        return
    for name, game in GAMES.items():
        facts, words = core.about(game), texts(game, asked.language)
        print(f"{name:8} {words['title']} by {facts['designer']}, {'-'.join(map(str, facts['players']))} players")
        print(f"{'':8} {words['pitch']}")
        for option, choices in facts["options"].items():
            print(f"{'':8} --option {option}={'|'.join(map(str, choices))}")


def run_simulate(asked: argparse.Namespace) -> None:
    from cheeseboard.lab.progress import bar
    from cheeseboard.lab.simulate import simulate

    game = find(asked.game)
    seats = core.about(game)["players"][0] if asked.seats is None else asked.seats
    with bar(asked.games, f"{asked.games:,} games of {asked.game}") as progress:
        result = simulate(
            game,
            seats,
            asked.games,
            asked.seed,
            bots=[name for name in asked.bots.split(",") if name],
            limit_s=asked.seconds,
            cores=asked.cores,
            progress=progress,
            **chosen(game, asked.option),
        )
    if asked.json:
        print(json.dumps(dataclasses.asdict(result)))
        return
    print(f"{result.games:,} games of {result.game}, {seats} seats, {result.seconds:.1f} s")
    print(f"{result.games_per_second:,.0f} games/s, {result.moves_per_second:,.0f} player moves/s")
    for seat, (share, score) in enumerate(zip(result.win_share, result.mean_score, strict=True)):
        print(f"seat {seat} ({result.bots[seat]}): wins {share:.2%}, {score:+.2f} points")


def run_arena(asked: argparse.Namespace) -> None:
    from cheeseboard.bots import LEVELS
    from cheeseboard.lab.arena import arena
    from cheeseboard.lab.progress import bar
    from cheeseboard.lab.standings import drawing, text

    game = find(asked.game)
    if asked.plot is not None:
        plot(asked.plot)  # before hours of games, not after them
    with bar(asked.games, f"arena of {asked.game}") as progress:
        result = arena(
            game,
            [name for name in asked.bots.split(",") if name] or LEVELS,
            asked.games,
            asked.seed,
            seats=asked.seats,
            until=asked.until,
            count=asked.count,
            limit_s=asked.seconds,
            cores=asked.cores,
            progress=progress,
            **chosen(game, asked.option),
        )
    print(json.dumps(dataclasses.asdict(result)) if asked.json else text(result), end="\n" if asked.json else "")
    if asked.plot is not None:
        plot(asked.plot, drawing(result))


def plot(path: Path, drawing: str = "") -> None:
    """Write it; without a drawing, only see whether it could be written."""
    if path.suffix != ".svg":
        raise Refusal(f"expected a plot as FILE.svg, got {str(path)!r}")
    try:
        with path.open("w" if drawing else "a", encoding="utf-8") as file:
            file.write(drawing)
    except OSError as error:
        raise Refusal(f"expected a file that can be written, got {str(path)!r}: {error.strerror}") from None


def run_solve(asked: argparse.Namespace) -> None:
    from cheeseboard.lab.progress import bar
    from cheeseboard.lab.solve import solver

    game = find(asked.game)
    solve = solver(game)
    short = {"cards": asked.cards, "prizes": asked.prizes}  # for --option cards=.. and so on
    words = [*asked.option, *(f"{name}={value}" for name, value in short.items() if value is not None)]
    with bar(1, f"solving {asked.game}") as progress:
        solution = solve(asked.aim, asked.cores, progress, **chosen(game, words))
    print(json.dumps(solution.facts()) if asked.json else "\n".join(solution.lines()))


def run_play(asked: argparse.Namespace) -> None:
    from cheeseboard.terminal import sit_down

    game = find(asked.game)
    least, most = core.about(game)["players"]
    seats = min(max(3, least), most) if asked.seats is None else asked.seats
    log = sit_down(game, seats, asked.bots, asked.language, asked.seed, chosen(game, asked.option), asked.seconds)
    if asked.save:
        try:
            Path(asked.save).write_text(log.dump() + "\n", "utf-8")
        except OSError as error:
            raise Refusal(f"expected a file that can be written, got {asked.save!r}: {error.strerror}") from None


def run_replay(asked: argparse.Namespace) -> None:
    from cheeseboard.table import Log
    from cheeseboard.terminal import retell

    retell(Log.load(text_of(asked.file)), asked.at, asked.seat, asked.language)


def run_analyse(asked: argparse.Namespace) -> None:
    from cheeseboard.coach import analyse, read, speeds
    from cheeseboard.terminal import coach

    games = [read(text_of(file)) for file in asked.files]
    if not asked.json:
        coach(games, asked.seat, asked.language)
        return
    for game in games:
        log = game.log
        figures = {"game": log.game, "seats": log.seats, "moments": [moment.figures() for moment in analyse(log)]}
        figures["paces"] = [pace.figures() for pace in speeds(game)]
        print(msgspec.json.encode(figures).decode())


def text_of(file: str) -> str:
    try:
        return Path(file).read_text("utf-8")
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not text"
        raise Refusal(f"expected a log that can be read, got {file!r}: {reason}") from None


def run_serve(asked: argparse.Namespace) -> int:
    from cheeseboard.server.serve import serve
    from cheeseboard.server.settings import Settings

    return serve(Settings.of(os.environ, host=asked.host, port=asked.port, data=asked.data))


def run_backup(asked: argparse.Namespace) -> None:
    from cheeseboard.server import archive, desk

    found = archive.backup(desk.address(settings(asked)), asked.target).contents.rows
    print(f"{found['tables']} tables and {found['log']} acts are in {asked.target}; all chains are whole")


def run_restore(asked: argparse.Namespace) -> None:
    from cheeseboard.server import archive

    found = archive.restore(asked.source, settings(asked).database()).contents.rows
    print(f"{found['tables']} tables and {found['log']} acts are back from {asked.source}; all chains are whole")


def run_export(asked: argparse.Namespace) -> None:
    from cheeseboard.server import desk

    if asked.schema:
        print(json.dumps(desk.schema(), indent=2))
        return
    with books(asked) as store:
        if asked.out is None:
            desk.export(store, sys.stdout.buffer, asked.table)
            return
        try:
            with asked.out.open("wb") as out:
                count = desk.export(store, out, asked.table)
        except OSError as error:
            raise Refusal(f"expected a file that can be written, got {str(asked.out)!r}: {error.strerror}") from None
        print(f"{count} games in {asked.out}")


def run_export_me(asked: argparse.Namespace) -> None:
    from cheeseboard.server import desk

    with books(asked) as store:
        print(json.dumps(msgspec.to_builtins(desk.everything(store, asked.person)), indent=2, ensure_ascii=False))


def run_delete_me(asked: argparse.Namespace) -> None:
    from cheeseboard.server import desk

    with books(asked) as store:
        gone = desk.forget(store, asked.person)
    print(f"{gone.person} is forgotten, with names at {len(gone.tables)} seats; the games stay, without a name")


def books(asked: argparse.Namespace) -> "closing[Store]":
    """The database of the house in the folder that was asked for."""
    from cheeseboard.server import desk

    return closing(desk.opened(settings(asked)))


def settings(asked: argparse.Namespace) -> "Settings":
    from cheeseboard.server.settings import Settings

    return Settings.of(os.environ, data=asked.data)


def run_verify(asked: argparse.Namespace) -> int:
    from cheeseboard import verify

    return verify.run(asked.file, asked.receipt)
