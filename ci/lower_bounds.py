"""Prints the lower bounds of pyproject.toml as pins: `numpy>=1.24` becomes `numpy==1.24.*`.

python lower_bounds.py dependencies [EXTRA ...]
"""

import re
import sys
import tomllib
from pathlib import Path


def main() -> None:
    """Print a pin for each requirement of the lists named, one a line."""
    text = (Path(__file__).resolve().parent.parent / "pyproject.toml").read_text(encoding="utf-8")
    project = tomllib.loads(text)["project"]
    lists = {"dependencies": project["dependencies"], **project["optional-dependencies"]}
    for name in sys.argv[1:]:
        for requirement in lists[name]:
            found = re.fullmatch(r"([\w.-]+)>=([\d.]+)(?:,<[\d.]+)?", requirement)
            if found is None:
                sys.exit(f"error: {requirement} of {name} has no lower bound")
            print(f"{found[1]}=={found[2]}.*")


if __name__ == "__main__":
    main()
