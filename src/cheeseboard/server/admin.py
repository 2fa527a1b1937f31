"""The admin page, behind a token."""

from typing import Any

handlers: list[Any] = []
