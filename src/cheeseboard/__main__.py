"""`python -m cheeseboard` is the command `cheeseboard`."""

import sys

from cheeseboard.cli import main

sys.exit(main())
