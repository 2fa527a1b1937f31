"""A real Chromium for the tests of the screen: found, or on Debian installed. Run as a program it does only that."""

import os
import shutil
import subprocess

FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
    # the same glyphs and edges everywhere
    *("--font-render-hinting=none", "--force-color-profile=srgb", "--disable-lcd-text", "--hide-scrollbars"),
)


def found() -> str | None:
    return os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")


def chromium() -> str:
    """The program. If there is none and none can be had, whoever needs it fails."""
    here = found()
    if here:
        return here
    sudo = [] if os.geteuid() == 0 else ["sudo", "--non-interactive"]
    if not shutil.which("apt-get") or (sudo and not shutil.which("sudo")):
        raise RuntimeError("expected Chromium on PATH or in CHROMIUM, or Debian's apt-get and the right to use it")
    for order in (["update"], ["install", "--yes", "--no-install-recommends", "chromium"]):
        subprocess.run([*sudo, "apt-get", "--quiet", *order], check=True, stdout=subprocess.DEVNULL)
    here = found()
    if not here:
        raise RuntimeError("expected Chromium after installing it, got none")
    return here


if __name__ == "__main__":
    chromium()
