"""``python -m tlsim``."""

import sys

from tlsim.cli import main

if __name__ == "__main__":
    sys.exit(main())
