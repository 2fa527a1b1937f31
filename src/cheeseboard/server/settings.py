"""What can be set about a house: by flags, else by the environment, else as it stands here."""

import secrets
from collections.abc import Mapping
from pathlib import Path

import msgspec

from cheeseboard.games.core import Refusal

PREFIX = "CHEESEBOARD_"
LEAST = 16  # characters of an admin's token: fewer could be guessed


class Settings(msgspec.Struct, frozen=True):
    host: str = "0.0.0.0"  # noqa: S104  # phones on the same network are the point
    port: int = 8000
    data: str = "cheeseboard-data"  # one folder for everything that must last
    database_url: str = ""  # SQLite in the folder if not given
    origins: str = ""  # pages of other addresses that may talk to this house, with commas
    proxies: str = ""  # addresses of proxies whose X-Forwarded headers are believed, with commas
    admin_token: str = ""  # a random one in the folder if not given
    pace: float = 1.0  # how slowly bots move and races follow each other; 0 is at once, for programs
    workers: int = 1  # processes in which bots think
    warm: bool = True  # whether they get ready as soon as the house is open, or when the first of them is asked
    log: str = ""  # a file for the logs; to the terminal if not given

    @classmethod
    def of(cls, environment: Mapping[str, str], **flags: str | int | None) -> "Settings":
        """Flags come first, then CHEESEBOARD_PORT and the like; DATABASE_URL goes by its usual name.

        >>> Settings.of({"CHEESEBOARD_PORT": "x"})
        Traceback (most recent call last):
        cheeseboard.games.core.Refusal: expected `int`, got 'x', in CHEESEBOARD_PORT
        """
        found: dict[str, object] = {}
        for field in msgspec.structs.fields(cls):
            name = "DATABASE_URL" if field.name == "database_url" else PREFIX + field.name.upper()
            if flags.get(field.name) is not None:
                found[field.name] = flags[field.name]
            elif name in environment:
                try:
                    found[field.name] = msgspec.convert(environment[name], field.type, strict=False)
                except msgspec.ValidationError as error:
                    expected = str(error).partition(",")[0].replace("Expected", "expected")
                    raise Refusal(f"{expected}, got {environment[name]!r}, in {name}") from None
        return msgspec.convert(found, cls)

    def folder(self) -> Path:
        """The folder for the data, made if it is not there; it must be writable."""
        folder = Path(self.data)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / ".writable").write_text("")
            (folder / ".writable").unlink()
        except OSError as error:
            raise Refusal(f"expected a folder that can be written to, got {folder}: {error.strerror}") from None
        return folder

    def database(self) -> str:
        return self.database_url or f"sqlite:///{self.folder() / 'cheeseboard.db'}"

    def admin(self) -> str:
        """The admin's token: from the settings, or made once and kept in the folder, for nobody else to read."""
        if 0 < len(self.admin_token) < LEAST:
            raise Refusal(f"expected {LEAST} characters or more, got {len(self.admin_token)}, in {PREFIX}ADMIN_TOKEN")
        if self.admin_token:
            return self.admin_token
        kept = self.folder() / "admin-token"
        if not kept.exists():
            kept.touch(mode=0o600)
            kept.write_text(secrets.token_urlsafe(32) + "\n")
        return kept.read_text().strip()
