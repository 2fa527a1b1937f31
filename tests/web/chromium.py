"""A real Chromium for the tests of the screen: found, or on Debian installed. Run as a program it does only that.

Best is the one without windows: a whole browser makes bars and menus for every page, which nobody looks at, and with
them a third more work."""

import os
import shutil
import subprocess

FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
    # the same glyphs and edges everywhere
    *("--font-render-hinting=none", "--force-color-profile=srgb", "--disable-lcd-text", "--hide-scrollbars"),
)
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser")  # the best one first


def found() -> str | None:
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


def chromium() -> str:
    """The program. If there is none and none can be had, whoever needs it fails."""
    here = found()
    if here:
        return here
    sudo = [] if os.geteuid() == 0 else ["sudo", "--non-interactive"]
    if not shutil.which("apt-get") or (sudo and not shutil.which("sudo")):
        raise RuntimeError("expected Chromium on PATH or in CHROMIUM, or Debian's apt-get and the right to use it")
    apt = [*sudo, "apt-get", "--quiet"]
    subprocess.run([*apt, "update"], check=True, stdout=subprocess.DEVNULL)
    for name in NAMES[:2]:  # older systems have only the whole browser
        if not found():
            order = ["install", "--yes", "--no-install-recommends", name]
            subprocess.run([*apt, *order], check=False, stdout=subprocess.DEVNULL)
    here = found()
    if not here:
        raise RuntimeError("expected Chromium after installing it, got none")
    return here


if __name__ == "__main__":
    chromium()
