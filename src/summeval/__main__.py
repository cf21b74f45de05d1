"""`python -m summeval`: the command `summeval`."""

import sys

from summeval.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
